/* A pointer that moves, and what is declared between its first and its last use and used behind that. */
struct q { double a, b; };
struct bank { struct q sec[12]; };
#pragma regraph size(n=200) extent(x: n) extent(out: n)
void moving(const struct bank *bk, const struct bank *other, int n, const double *x, double *out)
{
    for (int i = 0; i < n; i++) {
        const struct q *q = bk->sec;
        if (x[i] > 0) q = &other->sec[1];
        double y = q->a * x[i] + q->b, taps[2] = {q->a, y};
        int k = i & 1;
        double z = taps[k];
        out[i] = z * k + y;
    }
}
// explain: the pointer 'q' moves
