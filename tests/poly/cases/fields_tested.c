// Members of a structure bound loops whose pointer is asked whether it is NULL, in the ways C has. want: parallel
#include <stddef.h>
struct part { double mean[4], share; };
struct model { int k; struct part of[8]; double sum; int rounds; };
static int step(struct model *m, const double *x, int n, double *resp)
{
    if (m == NULL || NULL == x) return -1;
    double s = 0;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < m->k; k++) {
            resp[i * m->k + k] = x[i] * m->of[k].share + m->of[k].mean[i & 3];
            s += resp[i * m->k + k];
        }
    m->sum = s;
    return 0;
}
#pragma regraph size(n=900,m.k=5) size(n=7,m.k=3) size(n=1,m.k=1) extent(m: 1)
int fields_tested(struct model *m, const double *x, int n, double *resp, int most)
{
    if (!m || m->k < 1 || m->k > 8) return -1;
    if (m && most > 9) most = 9;
    for (m->rounds = 0; m->rounds < most; m->rounds++)
        if (step(m, x, n, resp)) return -2;
    return 0;
}
