/* Every step of the shipped graph that the built-in coder does: a nest where it applies and what its kernel shows for it, a nest where it
 * is refused and the reason. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "tests/poly/nest_fixture.h"
#include "tests/poly/nests.h"

#define NEST_BINS "in x[n]; inout h[7]; int n | for i 0, n { h(i % 7) += x(i); }"

static const struct {
    const char *step, *nest, *chain, *shows, *not_on, *refused, *why;
} table[] = {
    {"block_shape", NEST_GEMM, "parallelize,block.shape", "nest_kernel<<<dim3(", NEST_SCAN, "block.shape", "sequential"},
    {"coalesce", NEST_GEMM, "parallelize,coalesce", "const int j = blockIdx.x", NEST_SAXPY, "coalesce", "sequential"},
    {"coarsen_register", NEST_GEMM, "parallelize,coalesce,coarsen.register", "[RY][RX]", NEST_REVERSE, "parallelize,coarsen.register", "step of -1"},
    {"fission", NEST_PARTS, "parallelize,fission@loop:j", "fission: part 1 of loop j", NEST_NBODY, "parallelize,fission@loop:j", "hangs together"},
    {"fuse", NEST_PARTS, "parallelize,fuse", "fuse: with the loop", NEST_JACOBI, "parallelize,fuse@loop:i", "elements of B"},
    {"grid_stride", NEST_SAXPY, "parallelize,coalesce,grid.stride", "i < n; i += gridDim.x * BX", NEST_GEMM, "parallelize,grid.stride", "one plain dimension"},
    {"grid_stride", NEST_SAXPY, "parallelize,coalesce,grid.stride", "<<<min(", NEST_SAXPY, "parallelize,coarsen.register,grid.stride", "one plain dimension"},
    {"resident_grid", NEST_JACOBI, "parallelize,grid.sync", "grid.sync();", NEST_GEMM, "parallelize,grid.sync", "the plan has no loop"},
    {"privatise_histogram", NEST_BINS, "parallelize,histogram.private@h", "__shared__", NEST_SAXPY, "parallelize,histogram.private@y", "no kernel updates y by atomics"},
    {"interchange", NEST_CONV, "parallelize,interchange@loop:u", "interchange: v outside u", NEST_TURNED, "parallelize,interchange@loop:i", "goes forward in i"},
    {"launch_bounds", NEST_SAXPY, "parallelize,launch.bounds", "__launch_bounds__(", NEST_SCAN, "launch.bounds", "sequential"},
    {"launch_bounds", NEST_SAXPY, "parallelize,launch.bounds", "__launch_bounds__(", NEST_SCAN, "sequential,launch.bounds", "one thread"},
    {"parallelize", NEST_SAXPY, "parallelize", "parallelize: a thread for each i", NEST_DOT, "parallelize", "reduction (+) on s"},
    {"prefetch_register", NEST_SWEEP, "parallelize,prefetch.register", "u_ahead1[AHEAD]", NEST_GEMV, "parallelize,prefetch.register", "innermost loop that stores"},
    {"readonly", NEST_SAXPY, "parallelize,readonly", "__ldg(&x[i])", NEST_LU, "parallelize,readonly", "writes as well"},
    {"reduce_block", NEST_DOT, "reduce.block@loop:i", "block_add<BLOCK>", NEST_SCAN, "reduce.block@loop:i", "no reduction"},
    {"reduce_split", NEST_COLUMNS, "parallelize,reduce.split", "part_s[", NEST_GEMV, "parallelize,reduce.split", "neighbours"},
    {"reduce_warp", NEST_DOT, "reduce.block@loop:i,reduce.warp", "__shfl_xor_sync", NEST_SAXPY, "parallelize,reduce.warp", "reduce.block comes first"},
    {"resident_block", NEST_JACOBI, "parallelize,resident.block", "<<<1, 512>>>", NEST_GEMM, "parallelize,resident.block", "the plan has no loop"},
    {"row_warp", NEST_GEMV, "parallelize,row.warp", "team_add<LANES>", NEST_SAXPY, "parallelize,row.warp", "no kernel shares"},
    {"scan_block", NEST_SCAN, "scan.block", "i_run_then", NEST_SEIDEL, "scan.block", "other ways than"},
    {"sequential", NEST_SQUARES, "sequential", "<<<1, 1>>>", NEST_SQUARES, "sequential,coalesce", "one thread"},
    {"tile_shared", NEST_GEMM, "parallelize,coalesce,tile.shared@A", "__shared__", NEST_SAXPY, "parallelize,tile.shared@x", "nothing to gain"},
    {"tile_two_level", NEST_GEMM, "parallelize,tile.two.level", "A_s[kk_t][i_t]", NEST_TRANSPOSE, "parallelize,tile.two.level", "again and again"},
    {"unroll", NEST_GEMM, "parallelize,unroll", "#pragma unroll", NEST_SAXPY, "parallelize,unroll", "no kernel has a loop"},
    {"vectorize", NEST_SAXPY, "parallelize,vectorize", "float4", NEST_GEMV, "parallelize,vectorize", "have loops"},
    {"wavefront", NEST_SEIDEL, "wavefront@loop:i", "wavefront: one front after another", NEST_SAXPY, "wavefront", "parallel as it stands"},
};
enum { N = sizeof table / sizeof *table };

static void apply_and_refuse(void **state)
{
    for (int i = 0; i < N; i++) {
        has(table[i].nest, table[i].chain, table[i].shows);
        refused(table[i].not_on, table[i].refused, table[i].why);
    }
}

/* A step that comes new into the graph needs its line. */
static void all_of_the_graph(void **state)
{
    static char text[1 << 20];
    FILE *f = fopen("graphs/cuda.json", "r");
    if (!f) skip(); /* not run from the tree */
    text[fread(text, 1, sizeof text - 1, f)] = 0;
    fclose(f);
    int found = 0;
    for (const char *p = text; (p = strstr(p, "\"poly\": \"")); found++) {
        p += strlen("\"poly\": \"");
        bool known = false;
        for (int i = 0; i < N; i++) known = known || (!strncmp(p, table[i].step, strlen(table[i].step)) && p[strlen(table[i].step)] == '"');
        if (!known) fail_msg("no line for %.*s", (int)strcspn(p, "\""), p);
    }
    assert_true(found > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(apply_and_refuse), cmocka_unit_test(all_of_the_graph)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
