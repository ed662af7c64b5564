// The same from malloc. want: parallel
#include <stdlib.h>
#pragma regraph size(n=300,m=40) size(n=37,m=5)
void mall(int n, int m, const float A[n][m], float B[n][m]) {
    for (int i = 0; i < n; i++) {
        float *tmp = malloc(m * sizeof *tmp);
        for (int k = 0; k < m; k++) tmp[k] = A[i][k] * A[i][m - 1 - k];
        for (int k = 0; k < m; k++) B[i][k] = tmp[m - 1 - k] + (k ? tmp[k - 1] : 0.0f);
        free(tmp);
    }
}
