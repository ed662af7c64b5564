// A checkerboard by the lowest bit of the sum: points of one colour do not touch. want: parallel
// chain: parallelize,coalesce
// shows: \(i \+ j\) % 2 == c
#pragma regraph size(n=60,T=4) size(n=17,T=3)
void redblack_bit(int n, int T, double u[n][n], const double f[n][n]) {
    for (int t = 0; t < T; t++)
        for (int c = 0; c < 2; c++)
            for (int i = 1; i < n - 1; i++)
                for (int j = 1; j < n - 1; j++)
                    if (((i + j) & 1) == c)
                        u[i][j] = 0.25 * (u[i-1][j] + u[i+1][j] + u[i][j-1] + u[i][j+1] - f[i][j]);
}
