// A member that nothing writes says how long rows are, though others of its structure are written. want: parallel
struct fit {
    int k;
    int rounds;
    double weight[8];
    double total;
};
#pragma regraph size(n=20000, m.k=4) size(n=37, m.k=3)
#pragma regraph extent(m: 1) extent(x: n) extent(share: n * m_k)
void member_unwritten(struct fit *m, const double *x, double *share, int n)
{
    struct fit *own = m;
    m->rounds = 0;
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int k = 0; k < own->k; k++) sum += m->weight[k] + x[i] * x[i];
        for (int k = 0; k < m->k; k++) share[(long)i * m->k + k] = (m->weight[k] + x[i] * x[i]) / sum;
    }
    m->rounds++;
    m->total = n;
}
