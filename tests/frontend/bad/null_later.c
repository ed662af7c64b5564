// expect: the extent of 'in', 'out' cannot be read off the code
// memory that may be null is not followed; the first parameter is the length of a row, beside which there is none
#include <stdlib.h>
struct row { int n; float *x; };
void sums(int n, const float *in, float *out, int want)
{
    struct row *r = NULL;
    r = malloc(2 * sizeof *r); if (want > 3) { free(r); r = NULL; }
    if (r == NULL) { for (int i = 0; i < 2; i++) out[i] = -1; return; }
    for (int i = 0; i < 2; i++) {
        r[i].n = n;
        r[i].x = malloc(n * sizeof(float));
        for (int j = 0; j < n; j++) r[i].x[j] = in[i * n + j];
    }
    for (int i = 0; i < 2; i++) {
        float s = 0;
        for (int j = 0; j < r[i].n; j++) s += r[i].x[j];
        out[i] = s;
        free(r[i].x);
    }
    free(r);
}
