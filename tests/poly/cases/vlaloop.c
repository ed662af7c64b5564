// A local array whose size is a loop variable: what its accesses can reach. want: parallel
#pragma regraph size(n=100) size(n=37)
void vlaloop(int n, const float A[n][n], float y[n]) {
    for (int i = 1; i < n; i++) {
        float tmp[i];
        for (int k = 0; k < i; k++) tmp[k] = A[i][k] * 2;
        float s = 0;
        for (int k = 0; k < i; k++) s += tmp[i - 1 - k] * A[k][i];
        y[i] = s;
    }
    y[0] = 0;
}
