// A condition with a name says how many were filled, and the count is set anew before it is asked. want: parallel
// chain: parallelize@C
// shows: for .int s = 0; s < r
#include <stdlib.h>
#pragma regraph size(r=40, n=51) size(r=7, n=5)
void first_of_some(int r, int n, const int x[r][n], int *first)
{
    int *tmp = calloc(n, sizeof *tmp);
    for (int s = 0; s < r; s++) {
        int m = 0;
        for (int i = 0; i < n; i++)
            if (x[s][i] > 3) tmp[m++] = x[s][i];
        int none = m == 0;
        if (none) m = n / 4;
        first[s] = none ? 0 : tmp[m / 2];
        if (!none) first[s] += 1;
        else first[s] = tmp[m / 2];
    }
    free(tmp);
}
