// Continues in conditions inside conditions, with code behind at each level, and a loop inside. want: parallel
#pragma regraph size(n=700,m=5) size(n=7,m=2) size(n=1,m=1) extent(x: n) extent(y: n) input(x: uniform(-9,300))
int deep_continue(const int *x, int *y, int n, const int *w, int m)
{
    int dead = 0;
    for (int i = 0; i < n; i++) {
        int v = x[i], k = 0;
        if (v > 3) {
            int s = 0;
            for (int j = 0; j < m; j++) {
                if (w[j] < 0) continue;
                if (v > w[j]) {
                    if (s > 50) { s -= 7; continue; }
                    s += w[j] & 3;
                } else if (v == 17) {
                    continue;
                }
                s++;
            }
            if (s > 9) {
                y[i] = -s;
                dead++;
                continue;
            }
            v += s;
            if (v > 100) {
                if (v > 200) continue;
                { k = 2; if (v & 1) continue; k = 3; }
                v = 100;
            } else if (v > 60) {
                y[i] = 5;
                continue;
            } else
                v--;
            v += k;
        }
        y[i] = v;
        if (v == 8) dead += 2;
    }
    return dead;
}
