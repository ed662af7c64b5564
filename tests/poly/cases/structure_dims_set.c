// Elements of an array member that the function sets, and one that a variable chooses: they stay data. want: parallel
#pragma regraph size(n=300,m=200) size(n=1,m=1) extent(out: n) extent(to: m)
typedef struct { int dim[3], way[4]; } plan;
void run(plan *p, const plan *q, int n, int m, float *out, float *to)
{
    for (int i = 0; i < n; i++) out[i] = i + p->dim[1] + q->way[i & 3] + q->way[2];
    for (int i = 0; i < m; i++) to[i] = q->way[1] - q->dim[0];
    p->dim[1] = n + q->dim[0];
}
