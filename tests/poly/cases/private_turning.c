// want: parallel
// Scratch of all items, filled by a loop that exchanges two buffers and read backwards behind it: each item has its own.
enum { STATES = 16, MOST = 512 };
#pragma regraph size(items=20,n=33) size(items=7,n=12) size(items=3,n=1) extent(cost: items * n * 16) extent(path: items * n)
int paths(const int *cost, int items, int n, unsigned char *path)
{
    unsigned char from[MOST][STATES];
    if (n <= 0 || n > MOST) return -1;
    for (int p = 0; p < items; p++) {
        int a[STATES], b[STATES], *old = a, *now = b;
        for (int s = 0; s < STATES; s++) old[s] = s;
        for (int i = 0; i < n; i++) {
            for (int s = 0; s < STATES; s++) {
                int left = old[s ? s - 1 : 0], stay = old[s];
                from[i][s] = (unsigned char)(left < stay && s ? s - 1 : s);
                now[s] = (left < stay ? left : stay) + (cost[(p * n + i) * STATES + s] & 15);
            }
            int *t = old;
            old = now;
            now = t;
        }
        int at = STATES - 1;
        for (int i = n - 1; i >= 0; i--) {
            path[p * n + i] = (unsigned char)(at + (i == n - 1 ? old[at] & 1 : 0));
            at = from[i][at];
        }
    }
    return items;
}
