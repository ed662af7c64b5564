// expect: there are as many structures with pointers as 'count' says: state it, --size count=..
#include <stdlib.h>
struct row { int n; float *x; };
void sums(int count, int n, const float *in, float *out)
{
    struct row *r = malloc(count * sizeof *r);
    for (int i = 0; i < count; i++) {
        r[i].n = n;
        r[i].x = malloc(n * sizeof(float));
        for (int j = 0; j < n; j++) r[i].x[j] = in[i * n + j];
    }
    for (int i = 0; i < count; i++) {
        float s = 0;
        for (int j = 0; j < r[i].n; j++) s += r[i].x[j];
        out[i] = s;
        free(r[i].x);
    }
    free(r);
}
