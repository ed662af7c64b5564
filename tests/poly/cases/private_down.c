// Loops that go down, or count without a sign, and bins of two dimensions that are multiplied. want: parallel
// chain: parallelize,histogram.private@p,unroll
// shows: atomic_update64<false>\(&p_own\[
#pragma regraph size(n=400,m=100) size(n=9,m=33)
#pragma regraph input(b: uniform(0, 1)) input(a: uniform(0, 1))
void private_down(int n, unsigned m, const int a[n], const int b[m], const double x[m], double p[2][2], int last[n])
{
    for (int i = n - 1; i >= 0; i--) {
        for (unsigned j = 0; j + 2 < m; j++) p[a[i]][b[j]] *= 1.0 + x[j] * 1e-6;
        last[i] = a[i] + 1;
    }
}
