// A condition on data around loops, locals and several statements: the outer loop stays parallel. want: parallel
#pragma regraph size(n=1000,m=64) size(n=37,m=5)
void ifnest(int n, int m, const int mask[n], const float A[n][m], const float x[m], float y[n], float B[n][m]) {
    for (int i = 0; i < n; i++) {
        if (mask[i] > 0) {
            float s = 0;
            for (int k = 0; k < m; k++) s += A[i][k] * x[k];
            y[i] = s;
            for (int k = 0; k < m; k++) B[i][k] = s * x[k];
        } else {
            for (int k = 0; k < m; k++) B[i][k] = 0;
            y[i] = -1;
        }
    }
}
