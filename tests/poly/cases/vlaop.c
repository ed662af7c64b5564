// A heap array inside a while loop. want: parallel
#include <stdlib.h>
#pragma regraph size(n=300,m=40) size(n=37,m=5)
void vlaop(int n, int m, const int cnt[n], const float A[n][m], float y[n]) {
    for (int i = 0; i < n; i++) {
        int k = 0;
        while (k < m && A[i][k] < 0.9f) {
            float *tmp = (float *)calloc(m, sizeof(float));
            tmp[k] = A[i][k];
            y[i] = tmp[k] + tmp[(k + 1) % m];
            k++;
            free(tmp);
        }
    }
}
#pragma regraph input(cnt: uniform(0, 5))
