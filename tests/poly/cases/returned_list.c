// want: parallel
// .. of which data say how much is set.
#include <stdlib.h>
struct hit { int at; float value; };
#pragma regraph size(n=30011) size(n=1)
struct hit *hits(const float *x, int n, float least, int *count)
{
    struct hit *list = (struct hit *)malloc(sizeof(struct hit) * n);
    int k = 0;
    for (int i = 0; i < n; i++)
        if (x[i] > least) {
            list[k].at = i;
            list[k++].value = x[i];
        }
    *count = k;
    return list;
}
