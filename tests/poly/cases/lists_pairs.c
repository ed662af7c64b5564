// Pairs within a distance, with what several counters tell: rows of a triangle count by themselves. want: parallel
struct pair { int a, b; };
struct lists { int near, far; };
#pragma regraph size(n=150) size(n=1) size(n=6)
#pragma regraph extent(x: n) extent(y: n) extent(pairs: n*n) extent(begin: n + 1) extent(far: 2*n*n)
void pairs_of(int n, const int *x, const int *y, struct pair *pairs, int *begin, int *far, struct lists *l)
{
    l->near = l->far = 0;
    for (int i = 0; i < n; i++) {
        begin[i] = l->near;
        for (int j = i + 1; j < n; j++) {
            int dx = x[i] - x[j], dy = y[i] - y[j];
            if (dx * dx + dy * dy < 40) {
                pairs[l->near].a = i;
                pairs[l->near++].b = j;
            } else if (dx > 0) {
                far[2 * l->far] = i;
                far[2 * l->far + 1] = j;
                l->far++;
            }
        }
    }
    begin[n] = l->near;
}
