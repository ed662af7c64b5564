// More is copied than computed: the borders differ before the first iteration, and are what was copied after it. want: parallel
// chain: parallelize,coalesce
// shows: v_turn\[
#pragma regraph size(n=200,T=10) size(n=37,T=3) size(n=20,T=4) size(n=37,T=5) size(n=20,T=6) size(n=20,T=1)
void turns_borders(int T, int n, double u[n], double v[n], double *r)
{
    for (int t = 0; t < T; t++) {
        for (int i = 1; i < n - 1; i++) v[i] = (u[i - 1] + u[i] + u[i + 1]) / 3;
        for (int i = 0; i < n; i++) u[i] = v[i];
    }
    r[0] = v[0] + u[n - 1];
}
