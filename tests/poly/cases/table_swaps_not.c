// Exchanges whichever way the table leads, with a neighbour beside the place, and by a table that changes. want: sequential
// chain: sequential
// lacks: leads_back
#pragma regraph size(n=50) size(n=7) input(t: permutation) input(u: permutation) extent(y: n + 1)
void reorder(int n, const int *t, int *u, float *x, float *y)
{
    for (int i = 0; i < n; i++) {
        int j = t[i];
        if (j != i) {
            float a = x[i];
            x[i] = x[j];
            x[j] = a;
        }
    }
    for (int i = 0; i < n; i++) {
        int j = u[i];
        if (j > i) {
            u[i] = u[j];
            u[j] = i;
            y[j] = y[i] * 0.5f;
        }
    }
}
