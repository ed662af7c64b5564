// d8_flow.c: where does water leave each cell of a digital elevation model?
#include <stdio.h>
#include <stdlib.h>

static const int DI[8] = {-1, -1, 0, 1, 1, 1, 0, -1};
static const int DJ[8] = {0, 1, 1, 1, 0, -1, -1, -1};

typedef struct {
    int nrows, ncols;
    float nodata;
    float *z;
} Dem;

// code 0..7: direction of steepest descent; -1: sink; -2: no data
void d8(const Dem *dem, signed char *code, float *slope)
{
    for (int r = 0; r < dem->nrows; r++) {
        for (int c = 0; c < dem->ncols; c++) {
            int here = r * dem->ncols + c;
            float z = dem->z[here];
            if (z == dem->nodata) {
                code[here] = -2;
                slope[here] = 0;
                continue;
            }
            float best = 0;
            int dir = -1;
            for (int k = 0; k < 8; k++) {
                int rr = r + DI[k], cc = c + DJ[k];
                if (rr < 0 || rr >= dem->nrows || cc < 0 || cc >= dem->ncols) continue;
                float zn = dem->z[rr * dem->ncols + cc];
                if (zn == dem->nodata) continue;
                float s = (z - zn) / (k % 2 ? 1.41421356f : 1.0f);
                if (s > best) {
                    best = s;
                    dir = k;
                }
            }
            code[here] = (signed char)dir;
            slope[here] = best;
        }
    }
}

static Dem *dem_new(int nr, int nc)
{
    Dem *d = malloc(sizeof *d);
    d->nrows = nr;
    d->ncols = nc;
    d->nodata = -9999.0f;
    d->z = malloc((size_t)nr * nc * sizeof(float));
    return d;
}

int main(void)
{
    Dem *d = dem_new(600, 800);
    for (int i = 0; i < 600 * 800; i++) d->z[i] = (float)((i * 7919) % 1000);
    signed char *code = malloc(600 * 800);
    float *slope = malloc(600 * 800 * sizeof(float));
    d8(d, code, slope);
    printf("%d %f\n", code[1234], slope[1234]);
    return 0;
}
