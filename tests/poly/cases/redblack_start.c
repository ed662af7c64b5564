// Every other point, from a bit on. want: parallel
// chain: parallelize,coalesce
// shows: \(i \+ c\) % 2
#pragma regraph size(n=60,T=4) size(n=17,T=3)
void redblack_start(int n, int T, double *u, const double *f) {
    for (int t = 0; t < T; t++)
        for (int c = 0; c < 2; c++)
            for (int i = 1; i < n - 1; i++)
                for (int j = 1 + ((i + c) & 1); j < n - 1; j += 2)
                        u[i*n+j] = 0.25 * (u[(i-1)*n+j] + u[(i+1)*n+j] + u[i*n+j-1] + u[i*n+j+1] - f[i*n+j]);
}
