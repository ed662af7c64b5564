/* Two gases that mix in a box: cells with a rim, a table of fields at file scope, limited slopes on both axes. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define RIM 1
enum { HEAVY, LIGHT, N_GASES };

static float *gas[N_GASES], *before[N_GASES], *flux[N_GASES];
static int columns, lines, pitch;

static int reserve(int w, int h)
{
    int ready = 1;
    columns = w;
    lines = h;
    pitch = w + 2 * RIM;
    size_t cells;
    cells = (size_t)pitch * (h + 2 * RIM);
    for (int g = 0; g < N_GASES; g++) {
        gas[g] = calloc(cells, sizeof *gas[g]);
        before[g] = calloc(cells, sizeof *before[g]);
        flux[g] = calloc(cells, sizeof *flux[g]);
        if (gas[g] == NULL || before[g] == NULL || flux[g] == NULL) ready = 0;
    }
    return ready;
}

static void give_back(void)
{
    for (int g = 0; g < N_GASES; g++) {
        free(gas[g]);
        free(before[g]);
        free(flux[g]);
    }
}

static void remember(void)
{
    int cells = pitch * (lines + 2 * RIM);
    for (int g = 0; g < N_GASES; g++)
        for (int c = 0; c < cells; c++) before[g][c] = gas[g][c];
}

/* What flows out of a cell to both of its neighbours, `step` cells away. */
static void exchange(int at, int step, float *out)
{
    float in[N_GASES], most = 0.0f;
    for (int g = 0; g < N_GASES; g++)
        in[g] = 2.0f * before[g][at] - before[g][at - step] - before[g][at + step];
    for (int g = 0; g < N_GASES; g++) most = fmaxf(most, fabsf(in[g]));
    if (most > 1.0f) {
        for (int g = 0; g < N_GASES; g++) out[g] = in[g] / most;
    } else {
        for (int g = 0; g < N_GASES; g++) out[g] = in[g];
    }
}

static void diffuse(float rate)
{
    float out[N_GASES];
    remember();
    for (int y = RIM; y < lines + RIM; y++)
        for (int x = RIM; x < columns + RIM; x++) {
            exchange(y * pitch + x, 1, out);
            for (int g = 0; g < N_GASES; g++) flux[g][y * pitch + x] = out[g];
        }
    for (int y = RIM; y < lines + RIM; y++)
        for (int x = RIM; x < columns + RIM; x++) {
            exchange(y * pitch + x, pitch, out);
            for (int g = 0; g < N_GASES; g++) gas[g][y * pitch + x] -= rate * (flux[g][y * pitch + x] + out[g]);
        }
}

/* Both gases as w x h cells, after `steps`; 0 where there is no memory. */
int mix(int w, int h, int steps, float rate, float heavy[h][w], float light[h][w])
{
    if (!reserve(w, h)) {
        give_back();
        return 0;
    }
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            gas[HEAVY][(y + RIM) * pitch + x + RIM] = heavy[y][x];
            gas[LIGHT][(y + RIM) * pitch + x + RIM] = light[y][x];
        }
    while (steps-- > 0) diffuse(rate);
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            heavy[y][x] = gas[HEAVY][(y + RIM) * pitch + x + RIM];
            light[y][x] = gas[LIGHT][(y + RIM) * pitch + x + RIM];
        }
    give_back();
    return 1;
}

int main(void)
{
    enum { W = 90, H = 70 };
    static float a[H][W], b[H][W];
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) a[y][x] = x < W / 2, b[y][x] = 1 - a[y][x];
    if (!mix(W, H, 20, 0.1f, a, b)) return 1;
    printf("%g %g\n", a[H / 2][W / 2], b[H / 2][W / 2]);
    return 0;
}
