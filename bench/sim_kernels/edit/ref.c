#include <stdlib.h>
/* last row of the table of edit distances of two words */
void ref_edit(int n, const int *a, const int *c, int *d)
{
    for (int j = 0; j <= n; j++) d[j] = j;
    for (int i = 1; i <= n; i++) {
        int diagonal = d[0];
        d[0] = i;
        for (int j = 1; j <= n; j++) {
            int up = d[j], v = diagonal + (a[i - 1] != c[j - 1]);
            if (up + 1 < v) v = up + 1;
            if (d[j - 1] + 1 < v) v = d[j - 1] + 1;
            diagonal = up;
            d[j] = v;
        }
    }
}
