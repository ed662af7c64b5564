// Elements that are computed perhaps, and borders of both arrays that are read: the two stay apart. want: parallel
// chain: parallelize,coalesce
// lacks: _turn
#pragma regraph size(n=200,T=10) size(n=37,T=3) size(n=20,T=4)
void turns_perhaps(int T, int n, double u[n], double v[n], double x[n], double y[n], const double f[n])
{
    for (int t = 0; t < T; t++) {
        for (int i = 1; i < n - 1; i++)
            if (f[i] > 0) v[i] = (u[i - 1] + u[i] + u[i + 1]) / 3;
        for (int i = 1; i < n - 1; i++) u[i] = v[i];
    }
    for (int t = 0; t < T; t++) {
        for (int i = 1; i < n - 1; i++) y[i] = (x[i - 1] + x[i] + x[i + 1]) / 3 + y[0];
        for (int i = 1; i < n - 1; i++) x[i] = y[i];
    }
}
