/* Members that are arrays of several dimensions, of structures too; pointers to one element of such a member. */
// function: bank
// function: chain
// function: lattice
// not: opaque
struct q { double b0, b1; };
struct bank { struct q sec[4][3]; double fs; };
#pragma regraph size(n=300) extent(x: n) extent(y: n)
void bank(const struct bank *b, int n, const float *x, float *y)
{
    for (int i = 0; i < n; i++) y[i] = x[i] * b->sec[i % 4][1].b0 + b->sec[i % 4][2].b1 * b->fs;
}
#pragma regraph size(n=300) extent(x: n) extent(out: n)
void chain(const struct bank *bk, int n, const double *x, double *out)
{
    for (int i = 0; i < n; i++) {
        double v = x[i];
        for (int s = 0; s < 3; s++) {
            const struct q *q = &bk->sec[i % 4][s];
            double y = q->b0 * v + q->b1;
            v = y;
        }
        out[i] = v;
    }
}
struct cell { struct q at[2][2]; int hits[3]; };
#pragma regraph size(n=200) extent(c: n)
void lattice(int n, struct cell *c)
{
    for (int i = 0; i < n; i++) {
        struct q *p = c[i].at[1];
        for (int k = 0; k < 2; k++) p[k].b0 += c[i].at[0][k].b1;
        int at = i & 1;
        struct q *one = &c[i].at[0][at];
        at = 1 - at; /* one stays where it is */
        one->b1 += at;
        int *h = &c[i].hits[1];
        h[1] = h[0] + 1;
        *h = i;
    }
}
