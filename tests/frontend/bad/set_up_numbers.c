// function: use
// expect: structures with pointers follow from what it is called with: state that, --size order=..,count=..
#include <stdlib.h>
/* everything that the set-up takes is asked for at once */
typedef struct { int lo, len; float *w; } filter;
static filter *bank;
static int n_bank;
int make(int order, int count, float scale)
{
    bank = calloc(count, sizeof *bank);
    if (!bank) return -1;
    n_bank = count;
    for (int m = 0; m < count; m++) {
        bank[m].lo = m;
        bank[m].len = order + m;
        if ((bank[m].w = malloc((order + m) * sizeof(float))) == NULL) return -1;
        for (int k = 0; k < order + m; k++) bank[m].w[k] = scale * k;
    }
    return 0;
}
#pragma regraph init(make)
void use(const float *x, int n, float *out)
{
    for (int i = 0; i < n; i++)
        for (int m = 0; m < n_bank; m++) {
            float e = 0;
            for (int k = 0; k < bank[m].len; k++) e += bank[m].w[k] * x[i + bank[m].lo + k];
            out[i * n_bank + m] = e;
        }
}
