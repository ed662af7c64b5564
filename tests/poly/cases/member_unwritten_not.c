// The member that says how long rows are is written through its address: it is no number of its own. want: parallel
struct fit {
    int k;
    int rounds;
    double weight[8];
};
static void fewer(int *count)
{
    if (*count > 2) *count -= 1;
}
#pragma regraph size(n=20000) size(n=37)
#pragma regraph extent(m: 1) extent(x: n) extent(share: n * 8)
#pragma regraph input(m: uniform(3, 7))
void member_unwritten_not(struct fit *m, const double *x, double *share, int n)
{
    fewer(&m->k);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 8; k++)
            if (k < m->k) share[i * 8 + k] = m->weight[k] + x[i] * x[i];
    m->rounds++;
}
