// What is computed reads what the iteration before computed, below its own place: the two stay apart. want: parallel
// chain: parallelize,coalesce
// lacks: _turn
#pragma regraph size(n=200,T=10) size(n=37,T=3) size(n=20,T=4)
void turns_stale(int T, int n, double u[n], double v[n])
{
    for (int t = 0; t < T; t++) {
        for (int i = 1; i < n - 1; i++) v[i] = (u[i - 1] + v[i + 1] + u[i + 1]) / 3;
        for (int i = 1; i < n - 1; i++) u[i] = v[i];
    }
}
