// A local array of run-time size in a parallel loop: a part of a buffer for each thread. want: parallel
#pragma regraph size(n=300,m=40) size(n=37,m=5)
void vla(int n, int m, const float A[n][m], float B[n][m]) {
    for (int i = 0; i < n; i++) {
        float tmp[m];
        for (int k = 0; k < m; k++) tmp[k] = A[i][k] * A[i][m - 1 - k];
        for (int k = 0; k < m; k++) B[i][k] = tmp[m - 1 - k] + (k ? tmp[k - 1] : 0.0f);
    }
}
