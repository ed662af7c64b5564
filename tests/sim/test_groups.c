/* Kernels of groups.cu against the CPU. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include "tests/sim/kernels.h"

#define REF(name) static void name(const struct in *in, double *r)
#define EACH(n) for (int i = 0; i < (n); i++)

REF(tiles)
{
    EACH(1024)
    {
        double s = 0;
        for (int j = 0; j < 16; j++) s += in->x[i / 16 * 16 + j];
        r[i] = s + i % 16 + i % 128 / 16;
    }
}
REF(reduced)
{
    EACH(1024)
    {
        int s = 0, m = 0, scan = 0;
        double f = 0;
        for (int j = i / 32 * 32; j < i / 32 * 32 + 32; j++) {
            s += in->k[j], f += in->x[j];
            if (in->k[j] > m) m = in->k[j];
            if (j <= i) scan += in->k[j];
        }
        r[i] = s * 1000 + m * 7 + scan + (f > 0);
    }
}
REF(picked)
{
    int n = 0;
    EACH(1024) if (in->x[i] > 0.2f) r[n++] = in->x[i];
}
REF(labels)
{
    EACH(1024)
    {
        int total = 0, before = 0;
        for (int j = i / 32 * 32; j < i / 32 * 32 + 32; j++)
            if ((in->k[j] & 3) == (in->k[i] & 3)) total++, before += j < i;
        r[i] = total * 100 + before;
    }
}
REF(smoothed)
{
    static double a[1024], b[1024];
    EACH(1024) a[i] = in->x[i];
    for (int p = 0; p < 4; p++) {
        EACH(1024) b[i] = (a[(i + 1023) % 1024] + a[i] + a[(i + 1) % 1024]) / 3;
        memcpy(a, b, sizeof a);
    }
    EACH(1024) r[i] = a[i];
}
REF(staged)
{
    EACH(64) for (int j = 0; j < 4; j++) r[i] += in->x[j * 64 + 63 - i];
}
REF(primitive)
{
    EACH(64) for (int j = 0; j < 4; j++) r[i] += in->x[j * 256 + i] + in->x[j * 256 + 255 - i];
}
REF(turned)
{
    EACH(1024) r[i] = in->x[i / 128 * 128 + 127 - i % 128];
}
REF(reversed)
{
    EACH(1024) r[i] = in->x[1023 - i];
}
REF(handed)
{
    r[0] = in->x[0] + 2;
}

static const struct kernel kernels[] = {
    {"tiles", 8, 1, 128, 1, 0, false, OUT, F32, 1024, 1e-5, tiles},
    {"group_reduce", 8, 1, 128, 1, 0, false, OUT, I32, 1024, 0, reduced},
    {"aggregated", 8, 1, 128, 1, 0, false, W, F32, 300, 0, picked},
    {"partition_by_value", 8, 1, 128, 1, 0, false, OUT, I32, 1024, 0, labels},
    {"grid_phases", 8, 1, 128, 1, 0, true, OUT, F32, 1024, 1e-5, smoothed},
    {"pipeline_stages", 1, 1, 64, 1, 0, false, OUT, F32, 64, 1e-5, staged},
    {"primitives", 1, 1, 64, 1, 0, false, OUT, F32, 64, 1e-5, primitive},
    {"group_copy", 8, 1, 128, 1, 0, false, OUT, F32, 1024, 0, turned},
    {"scoped_atomics", 8, 1, 128, 1, 0, false, OUT, F32, 1024, 0, reversed},
    {"flag_handover", 1, 1, 64, 1, 0, false, OUT, F32, 1, 1e-6, handed},
};

static int setup(void **state)
{
    return kernels_open(__FILE__, "groups.cu");
}
static int teardown(void **state)
{
    cu_close(&cu);
    return 0;
}
int main(void)
{
    return kernels_run(kernels, (int)(sizeof kernels / sizeof *kernels), setup, teardown);
}
