// A scan that may run on behind the part that the row has filled, into what another row has left there: one scratch for all. want: parallel
// chain: parallelize@C
// shows: for .int s = 0; s < r
#include <stdlib.h>
#pragma regraph size(r=40, n=61) size(r=7, n=5)
void over_the_end(int r, int n, const int *x, int *place)
{
    int tmp[64] = {0};
    for (int s = 0; s < r; s++) {
        int m = 0;
        for (int i = 0; i < n; i++)
            if (x[s * n + i] % 2) tmp[m++] = x[s * n + i];
        int k = 0, j = m / 2;
        if (m > 1) {
            int p = tmp[j];
            while (k < 60 && tmp[k] <= p) k++;
            tmp[j] = tmp[0];
        }
        place[s] = k;
    }
}
