// A time loop that copies what it has computed: the buffers take turns. want: parallel
// chain: parallelize,coalesce
// shows: v_turn\[
#pragma regraph size(n=400,T=9) size(n=37,T=3) size(n=20,T=4) size(n=20,T=1) size(n=3,T=2)
void turns_jacobi(int T, int n, double u[n], double v[n])
{
    for (int t = 0; t < T; t++) {
        for (int i = 1; i < n - 1; i++) v[i] = (u[i - 1] + u[i] + u[i + 1]) / 3 + 0.01 * t;
        for (int i = 1; i < n - 1; i++) u[i] = v[i];
    }
}
