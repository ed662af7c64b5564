/* test-deadline: 400. Chains of steps on nests of every kind, executed at odd sizes and in both thread orders, give what the sequential
 * code gives; nothing is touched out of bounds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "tests/poly/chain.h"
#include "tests/poly/execute.h"
#include "tests/poly/mini.h"
#include "tests/poly/nests.h"

#define TILED "parallelize,coalesce,coarsen.register,"

static const struct {
    const char *nest, *chain;
} cases[] = {
    {NEST_SAXPY, "parallelize"},
    {NEST_SAXPY, "parallelize,coalesce,coarsen.register"},
    {NEST_SAXPY, "parallelize,coalesce,grid.stride,unroll"},
    {NEST_GEMM, "parallelize"},
    {NEST_GEMM, "parallelize,coalesce,tile.shared@A"},
    {NEST_GEMM, "parallelize,coalesce,tile.shared@A,tile.shared@B"},
    {NEST_GEMM, TILED "tile.shared@A,tile.shared@B,unroll"},
    {NEST_NBODY, "reduce.block@loop:j,reduce.warp"},
    {NEST_GEMM_SPLIT, "parallelize,coalesce"},
    {NEST_GEMM_SPLIT, TILED "tile.shared@A,tile.shared@B"},
    {NEST_GEMM, "parallelize,tile.two.level,unroll"},
    {NEST_GEMM, "parallelize,tile.two.level,vectorize"},
    {NEST_SYRK, "parallelize,tile.two.level,vectorize"},
    {NEST_CONV, "parallelize,coalesce,tile.shared@im,vectorize"},
    {NEST_TRANSPOSE, TILED "tile.shared@A,vectorize"},
    {NEST_GEMM_SPLIT, "parallelize,tile.two.level"},
    {NEST_SYRK, "parallelize,tile.two.level"},
    {NEST_COVARIANCE, "parallelize,tile.two.level"},
    {NEST_SYRK, "parallelize,coalesce"},
    {NEST_SYRK, TILED "tile.shared@A"},
    {NEST_JACOBI, "parallelize,coalesce"},
    {NEST_JACOBI, TILED "tile.shared@A,tile.shared@B"},
    {NEST_TRANSPOSE, "parallelize,coalesce"},
    {NEST_TRANSPOSE, TILED "tile.shared@A"},
    {NEST_DOT, "reduce.block@loop:i"},
    {NEST_DOT, "reduce.block@loop:i,reduce.warp"},
    {NEST_VARIANCE, "reduce.block@loop:i,reduce.block@loop:i3"},
    {NEST_VARIANCE, "reduce.block@loop:i3"},
    {NEST_EXTREMES, "reduce.block@loop:i"},
    {NEST_SOFTMAX, "parallelize,coalesce,tile.shared@x"},
    {NEST_SOFTMAX, "reduce.block@loop:j"},
    {NEST_GEMV, TILED "tile.shared@A,tile.shared@x"},
    {NEST_GEMV, "reduce.block@loop:j,reduce.warp"},
    {NEST_COLUMNS, "parallelize,coalesce,coarsen.register"},
    {NEST_COLUMNS, "parallelize,reduce.split"},
    {NEST_COLUMNS, "parallelize,reduce.block@loop:i"},
    {NEST_ATAX, "parallelize,reduce.split,reduce.block@loop:j"},
    {NEST_ATAX, "parallelize,reduce.split,row.warp"},
    {NEST_GEMM, "parallelize,reduce.split@loop:kk,unroll"},
    {NEST_GEMM, "parallelize,reduce.block@loop:kk"},
    {NEST_GEMM_SPLIT, "parallelize,reduce.split@loop:kk"},
    {NEST_GEMV, "parallelize,reduce.split@loop:j"},
    {NEST_GEMV, "parallelize,row.warp"},
    {NEST_SOFTMAX, "parallelize,row.warp"},
    {NEST_SOFTMAX, "parallelize,reduce.split@loop:j"},
    {NEST_NBODY, "reduce.block@loop:j,row.warp"},
    {NEST_SYRK, "parallelize,reduce.split@loop:kk"},
    {NEST_COVARIANCE, "parallelize,reduce.split"},
    {NEST_CONV, "parallelize,coalesce,tile.shared@im,tile.shared@f"},
    {NEST_CONV, TILED "tile.shared@im,unroll"},
    {NEST_TRISOLVE, "reduce.block@loop:j"},
    {NEST_LU, "parallelize,coalesce"},
    {NEST_LU, "parallelize,coalesce,coarsen.register"},
    {NEST_CHOLESKY, "reduce.block@loop:k"},
    {NEST_ATAX, "parallelize,coalesce"},
    {NEST_SCAN, "scan.block"},
    {NEST_SCANS, "scan.block"},
    {NEST_SCAN_FED, "scan.block"},
    {NEST_SCAN_LONG, "scan.block"},
    {NEST_SCAN_LONG, "parallelize,scan.block,row.warp,unroll"},
    {NEST_SMOOTH, "parallelize,scan.block"},
    {NEST_SMOOTH, "parallelize,scan.block@loop:k"},
    {NEST_SMOOTH, "scan.block,row.warp,unroll"},
    {NEST_FILTER, "scan.block"},
    {NEST_HORNER, "scan.block"},
    {NEST_THOMAS, "parallelize,scan.block"},
    {NEST_THOMAS, "scan.block,row.warp"},
    {NEST_CASCADE, "scan.block"},
    {NEST_LAGS, "scan.block"},
    {NEST_SCAN_LEFT, "scan.block"},
    {NEST_READ_BACK, "parallelize,scan.block"},
    {NEST_READ_BACK, "scan.block,row.warp"},
    {NEST_TOTALS, "scan.block"},
    {NEST_ARGMIN, "reduce.block@loop:j"},
    {NEST_ARGMIN, "reduce.block@loop:j,row.warp,unroll"},
    {NEST_ARGMIN, "reduce.block@loop:j,reduce.warp"},
    {NEST_ARGMAX, "reduce.block"},
    {NEST_ARGMAX, "reduce.block,reduce.warp"},
    {NEST_BICG, "parallelize,reduce.split,row.warp"},
    {NEST_HEAT3D, "parallelize,coalesce,tile.shared@A"},
    {NEST_NBODY, "parallelize,coalesce,tile.shared@p,coarsen.register"},
    {NEST_NBODY, "reduce.block@loop:j"},
    {NEST_REVERSE, "parallelize,coalesce"},
    {NEST_STRIDED, "parallelize,coalesce,grid.stride"},
    {NEST_COVARIANCE, "parallelize,coalesce"},
    {NEST_COVARIANCE, "reduce.block@loop:i1"},
    {NEST_SCALED, "parallelize,coalesce"},
    {NEST_NAMES, TILED "tile.shared@A"},
    {NEST_JACOBI, "parallelize,coalesce,resident.block"},
    {NEST_JACOBI, "parallelize,tile.shared@A,resident.block@loop:t,unroll"},
    {NEST_LU, "parallelize,resident.block@loop:k"},
    {NEST_DURBIN, "resident.block"},
    {NEST_DURBIN, "parallelize,resident.block"},
    {NEST_DURBIN, "reduce.block@loop:i,resident.block,reduce.warp"},
    {NEST_EMPTY_INSIDE, "parallelize,resident.block"},
    {NEST_EMPTY_INSIDE, "parallelize,resident.block,reduce.warp"},
    {NEST_JACOBI, "parallelize,coalesce,coarsen.register,grid.sync"},
    {NEST_LU, "parallelize,coalesce,grid.sync@loop:k"},
    {NEST_DURBIN, "parallelize,coalesce,grid.sync"},
    {NEST_DURBIN, "reduce.block@loop:i,grid.stride,grid.sync,reduce.warp"},
    {NEST_EMPTY_INSIDE, "reduce.block@C,coalesce,grid.sync"},
    {NEST_COPIES, "parallelize"},
    {NEST_COPIES, "reduce.block@loop:j"},
    {NEST_SWEEP, "parallelize"},
    {NEST_SWEEP, "parallelize,coalesce,prefetch.register"},
    {NEST_SWEEP, "parallelize,coalesce,unroll,prefetch.register,block.shape"},
    {NEST_SAXPY, "parallelize,vectorize"},
    {NEST_SAXPY, "parallelize,vectorize,grid.stride,unroll,readonly"},
    {NEST_WIDE, "parallelize,coalesce,vectorize"},
    {NEST_WIDE, "parallelize,coalesce,vectorize,readonly,launch.bounds"},
    {NEST_GEMM, "parallelize,tile.two.level,readonly"},
    {NEST_SOFTMAX, "parallelize,row.warp,readonly"},
    {NEST_JACOBI, "parallelize,coalesce,readonly,grid.sync"},
    {NEST_CONV, "parallelize,coalesce,interchange@loop:u,tile.shared@im"},
    {NEST_TWO_SUMS, "parallelize,interchange@loop:a"},
    {NEST_TWO_SUMS, "parallelize,interchange@loop:d,interchange@loop:a"},
    {NEST_TWO_SUMS, "parallelize,interchange@loop:a,reduce.block@loop:b"},
    {NEST_COLUMNS, "parallelize,coalesce,interchange@loop:i"},
    {NEST_PARTS, "parallelize,fission@loop:j"},
    {NEST_PARTS, "parallelize,fission@loop:j,coalesce"},
    {NEST_PARTS, "parallelize,fission@loop:i"},
    {NEST_PARTS, "parallelize,fuse"},
    {NEST_PARTS, "parallelize,fuse@loop:j"},
    {NEST_PARTS, "parallelize,fission@loop:j,fuse@loop:j2"},
    {NEST_PARTS, "reduce.block@C,fuse"},
    {NEST_GEMM_SPLIT, "parallelize,fission@loop:i,coalesce"},
    {NEST_VARIANCE, "reduce.block@loop:i,interchange@loop:i3"},
};
enum { N = sizeof cases / sizeof *cases };

static void fill(void *arg, int param, int64_t n, void *to)
{
    uint32_t x = 99u + (uint32_t)param;
    for (int64_t i = 0; i < n; i++) {
        x = x * 1664525u + 1013904223u;
        ((float *)to)[i] = (float)(x >> 8) / 8388608.0f - 1.0f;
    }
}

static void chains(void **state)
{
    static struct execute_job jobs[N];
    static struct rg_problem *p[N];
    static struct rg_ctree *t[N];
    for (int i = 0; i < N; i++) {
        struct rg_coder c;
        struct rg_error err = RG_ERROR_INIT;
        char why[512] = "";
        mini_parse("nest", cases[i].nest, &p[i], &t[i]);
        assert_int_equal(rg_poly_new(p[i], t[i], &c, &err), RG_OK);
        struct rg_template *tm = chain_make(&c, cases[i].chain, why, sizeof why);
        if (!tm) fail_msg("%s on %s: %s", cases[i].chain, cases[i].nest, why);
        c.free(c.self); /* templates outlive their coder */
        jobs[i].problem = p[i];
        jobs[i].tree = t[i];
        assert_int_equal(rg_template_instantiate(tm, NULL, &jobs[i].source, &err), RG_OK);
        rg_template_unref(tm);
    }
    assert_true(execute_compile(jobs, N));
    static int64_t sizes[][4] = {{37, 53, 7, 5}, {64, 64, 64, 3}, {1, 1, 1, 1}, {65, 31, 70, 2}, {3, 129, 2, 4}};
    for (int i = 0; i < N; i++)
        for (int z = 0; z < 5; z++)
            for (int r = 0; r < 2; r++) {
                struct rg_sizes s = {.values = sizes[z]};
                char why[256];
                if (!execute_case(&jobs[i].x, p[i], &s, fill, NULL, r, why, sizeof why))
                    fail_msg("%s on %s, sizes %d, order %d: %s\n%s\n%s", cases[i].chain, cases[i].nest, z, r, why,
                             jobs[i].source.cuda, jobs[i].source.plan);
            }
    execute_release(jobs, N);
    for (int i = 0; i < N; i++) {
        rg_problem_free(p[i]);
        rg_ctree_free(t[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(chains)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
