// Lists of neighbours in rows of one length, as many as there is room for, in several spellings; forces over them. want: parallel
#pragma regraph size(n=500) size(n=30) size(n=5) extent(list: n * 24) extent(half: n * 24) input(x: uniform(0, 20)) input(y: uniform(0, 20))
#define ROOM 24
void neighbour_lists(int n, const float x[n], const float y[n], int list[], int half[], int count[n], int halves[n], float f[n])
{
    for (int i = 0; i < n; i++) {
        int k = 0;
        for (int j = 0; j < n; j++) {
            float dx = x[i] - x[j], dy = y[i] - y[j];
            if (j != i && dx * dx + dy * dy < 9 && k < ROOM) list[i * ROOM + k++] = j;
        }
        count[i] = k;
    }
    for (int i = 0; i < n; i++) {
        int m = 0;
        for (int j = i + 1; j < n; j++) {
            float dx = x[i] - x[j], dy = y[i] - y[j];
            if (dx * dx + dy * dy >= 9) continue;
            if (m >= ROOM) break;
            half[i * ROOM + m] = j;
            m++;
        }
        halves[i] = m;
    }
    for (int i = 0; i < n; i++) {
        float s = 0;
        for (int k = 0; k < count[i]; k++) s += x[i] - x[list[i * ROOM + k]];
        f[i] = s;
    }
}
