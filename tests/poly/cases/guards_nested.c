// A flag that is set only where another one holds, and kernels that ask both: the inner one is looked at behind the outer one. want: parallel
// chain: parallelize
#pragma regraph size(n=40, m=6) size(n=7, m=3) size(n=1, m=1) input(k: uniform(0, 5)) input(l: uniform(0, 5))
void guards_nested(int n, int m, const int k[m], const int l[m], const float x[n], float a[n], float b[n], float c[n])
{
    for (int s = 0; s < m; s++) {
        if (k[s] > 3) {
            for (int i = 0; i < n; i++) a[i] = 0.5f * b[n - 1 - i] + x[i];
        } else {
            if (l[s] > 2) {
                for (int i = 0; i < n; i++) b[i] = 0.25f * c[n - 1 - i] + x[i];
            } else {
                for (int i = 0; i < n; i++) c[i] = 0.125f * a[n - 1 - i] - x[i];
            }
        }
    }
}
