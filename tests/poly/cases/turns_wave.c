// Three levels of time, two copies: three buffers take turns. want: parallel
// chain: parallelize,coalesce
// shows: un_turn\[
#pragma regraph size(n=200,T=20) size(n=37,T=3) size(n=20,T=4) size(n=20,T=1) size(n=20,T=5) size(n=21,T=6) size(n=21,T=7)
void turns_wave(int T, int n, double up[n], double u[n], double un[n])
{
    for (int t = 0; t < T; t++) {
        for (int i = 1; i < n - 1; i++) un[i] = 2 * u[i] - up[i] + 0.3 * (u[i - 1] - 2 * u[i] + u[i + 1]);
        for (int i = 1; i < n - 1; i++) {
            up[i] = u[i];
            u[i] = un[i];
        }
    }
}
