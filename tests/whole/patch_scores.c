#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define SIDE 24
#define MAPS 6
#define CONV 20
#define POOL 10

struct filters {
    float w[MAPS][5][5], bias[MAPS];
    float out[MAPS * POOL * POOL];
};

static void halve(int maps, int side, const float *in, float *out)
{
    int o = side / 2;
    for (int m = 0; m < maps; m++)
        for (int y = 0; y < o; y++)
            for (int x = 0; x < o; x++) {
                float best = -1e30f;
                for (int d = 0; d < 4; d++) {
                    float v = in[(m * side + 2 * y + d / 2) * side + 2 * x + d % 2];
                    if (v > best) best = v;
                }
                out[(m * o + y) * o + x] = best;
            }
}

/* scratch too large for the stack of an embedded target */
static float score(const struct filters *f, const float *patch)
{
    static float maps[MAPS][CONV][CONV], small[MAPS][POOL][POOL];
    for (int m = 0; m < MAPS; m++)
        for (int y = 0; y < CONV; y++)
            for (int x = 0; x < CONV; x++) {
                float s = f->bias[m];
                for (int i = 0; i < 5; i++)
                    for (int j = 0; j < 5; j++) s += f->w[m][i][j] * patch[(y + i) * SIDE + x + j];
                maps[m][y][x] = s > 0 ? s : 0.01f * s;
            }
    halve(MAPS, CONV, &maps[0][0][0], &small[0][0][0]);
    const float *flat = &small[0][0][0];
    float sum = 0;
    for (int i = 0; i < MAPS * POOL * POOL; i++) sum += f->out[i] * flat[i];
    return 1 / (1 + expf(-sum));
}

void score_patches(const struct filters *f, const float *patches, int n, float *scores)
{
    for (int k = 0; k < n; k++) scores[k] = score(f, patches + k * SIDE * SIDE);
}

int main(void)
{
    int n = 2000;
    struct filters *f = malloc(sizeof *f);
    float *all = (float *)f, *p = malloc(sizeof(float) * n * SIDE * SIDE), *s = malloc(sizeof(float) * n);
    for (size_t i = 0; i < sizeof *f / sizeof(float); i++) all[i] = rand() / (float)RAND_MAX * 0.1f - 0.05f;
    for (int i = 0; i < n * SIDE * SIDE; i++) p[i] = rand() / (float)RAND_MAX;
    score_patches(f, p, n, s);
    double sum = 0;
    for (int i = 0; i < n; i++) sum += s[i];
    printf("%f\n", sum / n);
    free(f);
    free(p);
    free(s);
    return 0;
}
