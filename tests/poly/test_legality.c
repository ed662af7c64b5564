/* What each step may do and what it refuses, with the reason; keys; tunables; what the printed code shows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "tests/poly/nest_fixture.h"
#include "tests/poly/nests.h"

#define TILED_CHAIN "parallelize,coalesce,coarsen.register,tile.shared@A,tile.shared@B"

static void refusals(void **state)
{
    refused(NEST_DOT, "parallelize", "reduction (+) on s");
    refused(NEST_SEIDEL, "parallelize", "dependence");
    refused(NEST_SEIDEL, "parallelize", "mini.c:1");
    refused(NEST_SCAN, "parallelize", "flow");
    refused(NEST_SCAN, "reduce.block@loop:i", "no reduction");
    refused(NEST_TRISOLVE, "parallelize", "on x");
    refused(NEST_SAXPY, "coalesce", "sequential");
    refused(NEST_SAXPY, "parallelize,tile.shared@x", "nothing to gain");
    refused(NEST_SAXPY, "parallelize,tile.shared@y", "written");
    refused(NEST_SAXPY, "parallelize,tile.shared@z", "no array");
    refused(NEST_SAXPY, "parallelize,tile.two.level", "two dimensions");
    refused(NEST_SAXPY, "parallelize,reduce.split@loop:i", "no thread runs a reduction");
    refused(NEST_GEMV, "parallelize,reduce.split", "neighbours");       /* rows: by name only */
    refused(NEST_SOFTMAX, "parallelize,reduce.split@loop:j2", "first"); /* needs the row's maximum */
    refused(NEST_TRISOLVE, "reduce.block@loop:j,row.warp", "no kernel shares");
    refused(NEST_DOT, "scan.block", "keeps only the last value");
    refused(NEST_SEIDEL, "scan.block", "other ways than from one iteration to the next");
    refused(NEST_SQUARES, "scan.block", "other ways than x op e or a * x + b");
    refused(NEST_CASCADE_BACK, "scan.block", "dependence on y as well");
    refused(NEST_SECOND, "scan.block", "from one iteration to the next");
    refused(NEST_SCAN_PERHAPS, "scan.block", "as the iteration itself leaves it");
    refused(NEST_SAXPY, "parallelize,scan.block", "no loop carries values");
    refused(NEST_RUNNING_MIN, "reduce.block", "no loop carries a reduction");
    refused(NEST_SOFTMAX, "parallelize,scan.block", "no loop carries values"); /* reductions alone */
    refused(NEST_SMOOTH, "parallelize,scan.block@loop:i", "no loop carries values");
    refused(NEST_GEMV, "parallelize,vectorize", "have loops");
    refused(NEST_STRIDED, "parallelize,vectorize", "neighbouring elements");
    refused("in D[n]; out A[n][n]; int n | for i 0, n { for j i+1, n { A(j,i) = D(j); } }",
            "parallelize,coalesce,vectorize", "depends on loop i");
    refused(NEST_JACOBI, "parallelize,coalesce,vectorize",
            "not from a multiple of the vector on"); /* rows begin at 1 */
    refused(NEST_SAXPY, "parallelize,coarsen.register,vectorize", "not neighbours");
    refused(NEST_LU, "parallelize,readonly", "writes as well");
    refused(NEST_SAXPY, "parallelize,row.warp", "no kernel shares");
    refused(NEST_GEMV, "parallelize,prefetch.register", "innermost loop that stores");  /* the compiler's own */
    refused(NEST_SAXPY, "parallelize,prefetch.register", "innermost loop that stores"); /* none */
    refused(NEST_TRANSPOSE, "parallelize,tile.two.level", "again and again");
    refused(NEST_GEMM, "parallelize,tile.two.level,tile.shared@A", "already");
    refused(NEST_GEMM, "parallelize,tile.two.level,coarsen.register", "already");
    refused(NEST_SAXPY, "parallelize,unroll", "no kernel has a loop");
    refused(NEST_SAXPY, "parallelize,parallelize", "already");
    refused(NEST_REVERSE, "parallelize,coarsen.register", "step of -1");
    refused(NEST_CONV, "reduce.block@loop:u", "no reduction");
    refused(NEST_SAXPY, "parallelize,reduce.warp", "reduce.block comes first");
    refused(NEST_LU, "parallelize,tile.shared@A", "written");
    refused(NEST_GEMM, "parallelize,resident.block", "the plan has no loop");
    refused(NEST_GEMM, "parallelize,grid.sync", "the plan has no loop");
    refused(NEST_JACOBI, "parallelize,tile.shared@A,grid.sync", "copies in shared memory");
    refused(NEST_JACOBI, "parallelize,grid.sync,resident.block", "the plan has no loop");
    refused(NEST_JACOBI, "parallelize,resident.block@loop:i", "the plan has no loop i");
    refused(NEST_JACOBI, "parallelize,resident.block,resident.block@loop:t", "the plan has no loop t");
    refused(NEST_SAXPY, "interchange@loop:i", "sequential");
    refused(NEST_TURNED, "parallelize,interchange@loop:i", "goes forward in i and back in j, mini.c:1");
    refused(NEST_GEMM, "parallelize,interchange@loop:i", "dimensions of a grid");
    refused(NEST_GEMM, "parallelize,interchange@loop:j", "not one loop alone");
    refused(NEST_LU, "parallelize,interchange@loop:i", "not one loop alone");
    refused(NEST_GEMM, "parallelize,interchange@loop:q", "no loop q");
    refused(NEST_SAXPY, "parallelize,fission@loop:i", "one statement");
    refused(NEST_NBODY, "parallelize,fission@loop:j", "can't be split");
    refused(NEST_DURBIN, "parallelize,fission@loop:k", "can't be split");
    refused(NEST_JACOBI, "parallelize,fuse@loop:i", "elements of B");
    refused(NEST_SOFTMAX, "parallelize,fuse@loop:j2", "pass on s");
    refused(NEST_VARIANCE, "reduce.block@loop:i,fuse@loop:i", "needs all of it");
    refused(NEST_SAXPY, "parallelize,fuse", "no loop over the range");
    refused(NEST_GEMM_SPLIT, "parallelize,fission@loop:i,fuse@loop:i", "fission has just split");
    refused(NEST_SAXPY, "wavefront", "parallel as it stands");
    refused(NEST_SAXPY, "wavefront@loop:i", "carries nothing");
    refused(NEST_SEIDEL, "wavefront@loop:j", "no outermost loop j");
}

static void may_alias_forbids(void **state)
{
    struct fixture f;
    char why[512] = "";
    struct rg_error err = RG_ERROR_INIT;
    mini_parse("nest", NEST_SAXPY, &f.p, &f.t);
    f.p->may_alias = true;
    assert_int_equal(rg_poly_new(f.p, f.t, &f.c, &err), RG_OK);
    assert_null(chain_make(&f.c, "parallelize", why, sizeof why));
    close_nest(&f);
}

static void shapes(void **state)
{
    has(NEST_SAXPY, "parallelize", "nest_kernel<<<ceil_div(n, 32), 32>>>");
    has(NEST_SAXPY, "parallelize", "const float *__restrict__ x");
    has(NEST_GEMM, "parallelize,coalesce", "const int j = bx");
    has(NEST_TRANSPOSE, "parallelize,coalesce", "const int i = bx");     /* the write is what coalesces */
    has(NEST_GEMM_SPLIT, "parallelize,coalesce", "nest_kernel<<<dim3("); /* one kernel, fused */
    has(NEST_JACOBI, "parallelize", "for (int t = 0; t < steps; t += 1) {");
    has(NEST_JACOBI, "parallelize", "max(1, n - 2)");
    has(NEST_GEMM, TILED_CHAIN, "__shared__");
    has(NEST_GEMM, TILED_CHAIN, "float s_r[RY][RX];");
    has(NEST_GEMM, TILED_CHAIN,
        "if (kk0 + TILE <= k)"); /* no guard for points: beyond the arrays the tiles hold zeros */
    has(NEST_GEMM, TILED_CHAIN, ": 0.0f;");
    has(NEST_GEMM, "parallelize,tile.two.level", "A_s[kk_t][i_t] * B_s[kk_t][j_t]");
    has(NEST_GEMM, "parallelize,tile.two.level,vectorize", "= *(const float4 *)&B[");
    has(NEST_GEMM, "parallelize,tile.two.level,vectorize", "% 16 == 0) && n % 4 == 0) {");
    has(NEST_SYRK, "parallelize,tile.two.level", "if ((long long)j0 < (long long)i0 + "); /* blocks without a point */
    has(NEST_TRANSPOSE, "parallelize,coalesce,tile.shared@A", "+ 1]");                    /* padded */
    has(NEST_DOT, "reduce.block@loop:i", "part_s[bx] = all;");
    has(NEST_COLUMNS, "parallelize,reduce.block@loop:i", "part[ty][tx] = s_acc;"); /* rows along y: loads coalesce */
    has(NEST_COLUMNS, "parallelize,reduce.split", "part_s[(long long)by * n + j0] = all;");
    has(NEST_COLUMNS, "parallelize,reduce.split", "<<<dim3(ceil_div(n, 32), 8), dim3(32, 8)>>>");
    has(NEST_COLUMNS, "parallelize,reduce.split", "scratch float part_s[8 * max(1, n)];");
    has(NEST_GEMV, "parallelize,reduce.split@loop:j", "by * BLOCK + tx");
    has(NEST_SCAN, "scan.block", "float s = part0_s[warp];");
    has(NEST_SCAN, "scan.block", "nest_kernel1<<<1, 256>>>"); /* s = 0 is in there */
    has(NEST_SCAN, "scan.block", "const float both_s = other_s + mine_s;");
    has(NEST_SCAN_LONG, "scan.block@loop:i", "[q] = expf(");
    has(NEST_SCAN_LONG, "scan.block@loop:i",
        "                float v_2 = kept[q_2];\n                if (3 < i_2) {\n                    s_now = s_now + "
        "kept_2[q_2];");
    has(NEST_SCAN_LONG, "scan.block@loop:k", "b_now = fmaxf(b_now, kept[q_2]);");
    lacks(NEST_SCAN, "scan.block", "kept");
    lacks(NEST_SMOOTH, "scan.block", "kept");
    has(NEST_SMOOTH, "parallelize,scan.block", "warps_y_plus[warp] = mine_y_plus;");
    has(NEST_SMOOTH, "parallelize,scan.block,row.warp", "= __shfl_up_sync(0xffffffffu, mine_y_plus, by);");
    has(NEST_SMOOTH, "scan.block", "y_plus_next = a * x[");
    has(NEST_FILTER, "scan.block", "float v_by_s = 0.0f;");
    has(NEST_ARGMIN, "reduce.block@loop:j", "// the first iteration of those that have the best");
    has(NEST_THOMAS, "parallelize,scan.block", "const float one_p_den_by = ");
    has(NEST_HORNER, "scan.block", "<<<1, 256>>>(r, max(1, min(528, ");
    has(NEST_GEMV, "parallelize,row.warp", "__shfl_xor_sync(0xffffffffu, s_acc, 16)");
    has(NEST_SOFTMAX, "parallelize", "nest_kernel<<<ceil_div(m, 32), 32>>>"); /* one kernel for the row */
    has(NEST_SOFTMAX, "reduce.block@loop:j", "nest_kernel<<<m, 256>>>");
    has(NEST_DOT, "reduce.block@loop:i,reduce.warp", "__shfl_xor_sync");
    has(NEST_ATAX, "parallelize", "for (int i = 0; i < m; i++)"); /* inside a kernel, not around launches */
    has(NEST_BICG, "parallelize", "<<<ceil_div(m, 32), 32>>>");   /* s by a thread for each j, no atomics */
    has(NEST_SCALED, "parallelize", "const float top = top_mem[0];");
    has(NEST_SCALED, "parallelize", "float c = a * 2.0f;"); /* computed again, not carried */
    has(NEST_HEAT3D, "parallelize", "blockIdx.z");
    has(NEST_NAMES, "parallelize", "constexpr int BX_2");
    has(NEST_JACOBI, "parallelize,resident.block", "nest_kernel<<<1, 512>>>(");
    has(NEST_JACOBI, "parallelize,grid.sync", "[cooperative] nest_resident1<<<min(132, resident_blocks), 512>>>(");
    has(NEST_JACOBI, "parallelize,grid.sync", "cooperative_groups::this_grid().sync();");
    has(NEST_JACOBI, "parallelize,grid.sync",
        "const float *A, float *B, int n)"); /* what another phase writes is not restrict */
    has(NEST_LU, "parallelize,grid.sync", "for (int k = 0; k < n; k++)");
    has(NEST_JACOBI, "parallelize,resident.block",
        "nest_kernel(float *A, float *B, int n, int steps)"); /* no restrict */
    has(NEST_SAXPY, "parallelize,vectorize",
        "(reinterpret_cast<unsigned long long>(&x[i0]) | reinterpret_cast<unsigned long long>(&y[i0])) % 16 == 0);");
    has(NEST_SAXPY, "parallelize,vectorize", "*(float4 *)&y[i0] = *(const float4 *)&y_v[0];");
    has(NEST_SAXPY, "parallelize,vectorize", "for (int i = i0; i < min(i0 + W, n); i++) {"); /* the tail */
    has(NEST_SAXPY, "parallelize,vectorize", "nest_kernel<<<ceil_div(n, 128), 32>>>");
    has(NEST_COPIES, "reduce.block@loop:j",
        "for (int j_2 = tx; j_2 < n; j_2 += BLOCK) {\n            y[(long long)i * n + j_2] = x[(long long)i * n + "
        "j_2] "
        "/ s;");
    has(NEST_COPIES, "parallelize", "float y_r = 0.0f;\n        for (int k = 0;"); /* set, then held */
    has(NEST_SWEEP, "parallelize",
        "const float p_now = u[(long long)j * n + i] / (p_before * p_before + 2.0f) + u[(long long)(j - 1) * n + i];");
    has(NEST_SWEEP, "parallelize", "p_before = p_now;\n            }");
    has(NEST_SWEEP, "parallelize,prefetch.register", "u_ahead_2[ahead] = u[(long long)(j_2 - 1) * n + i];");
    has(NEST_SWEEP, "parallelize,prefetch.register",
        "u_ahead[ahead_2] / (p_before * p_before + 2.0f) + u_ahead_2[ahead_2];");
    has(NEST_SWEEP, "parallelize,prefetch.register",
        "y[(long long)i * m + j] = y[(long long)i * m + j] + p_before * p[(long long)i * m + j];"); /* written there: at
                                                                                                       its own time */
    has(NEST_SAXPY, "parallelize,readonly", "a * __ldg(&x[i]) + y[i];");
    has(NEST_GEMM, "parallelize,readonly", "__ldg(&A[(long long)i * k + kk]) * __ldg(&B[");
    has(NEST_CONV, "parallelize,interchange@loop:u",
        "// interchange: v outside u\n        for (int v = 0; v < 5; v++) {");
    has(NEST_TWO_SUMS, "parallelize,interchange@loop:a", "for (int a = 0; a < b + 1; a++)");
    has(NEST_TWO_SUMS, "parallelize,interchange@loop:d", "for (int e = 4 - n; e < n - 1; e++)");
    has(NEST_PARTS, "parallelize,fission@loop:j", "; fission: part 1 of loop j\n");
    has(NEST_GEMM_SPLIT, "parallelize,fission@loop:i", "nest_kernel1<<<"); /* the two would be one again otherwise */
    has(NEST_PARTS, "parallelize,fuse", "s = s + y[(long long)i * m + j] * z[");
    has(NEST_SEIDEL, "wavefront@loop:i", "; wavefront: one front after another, the points of each at once\n");
}

static void keys_commute(void **state)
{
    struct fixture f;
    char why[512];
    open_nest(&f, NEST_GEMM);
    struct rg_template *a = chain_make(&f.c, "parallelize,coalesce,tile.shared@A,tile.shared@B", why, sizeof why);
    struct rg_template *b = chain_make(&f.c, "parallelize,tile.shared@B,tile.shared@A,coalesce", why, sizeof why);
    struct rg_template *c = chain_make(&f.c, "parallelize,tile.shared@B,coalesce", why, sizeof why);
    assert_non_null(a);
    assert_non_null(b);
    assert_non_null(c);
    assert_string_equal(a->key, b->key);
    assert_string_not_equal(a->key, c->key);
    assert_int_equal(a->n_chain, 4);
    assert_string_equal(b->chain[1].site, "B");
    rg_template_unref(a);
    rg_template_unref(b);
    rg_template_unref(c);
    close_nest(&f);
}

static void tunables_fit(void **state)
{
    struct fixture f;
    char why[512];
    struct rg_error err = RG_ERROR_INIT;
    open_nest(&f, NEST_GEMV);
    struct rg_template *t = chain_make(&f.c, "parallelize,coalesce,coarsen.register,tile.shared@A", why, sizeof why);
    assert_non_null(t);
    struct rg_vector v;
    struct rg_source s;
    rg_tunables_default(&t->tunables, &v);
    assert_true(rg_tunables_allow(&t->tunables, &v));
    assert_int_equal(rg_template_instantiate(t, &v, &s, &err), RG_OK);
    rg_source_release(&s);
    v.values[rg_tunables_find(&t->tunables, "BX")] = 512; /* too much shared memory: refused, not printed */
    v.values[rg_tunables_find(&t->tunables, "RX")] = 8;
    v.values[rg_tunables_find(&t->tunables, "TILE")] = 256;
    assert_int_equal(rg_template_instantiate(t, &v, &s, &err), RG_INPUT);
    assert_non_null(strstr(err.text, "shared memory"));
    rg_template_unref(t);
    close_nest(&f);
}

static void sites_and_explain(void **state)
{
    struct fixture f;
    struct rg_site_list l = {0};
    open_nest(&f, NEST_SOFTMAX);
    f.c.sites(f.c.self, NULL, chain_step("reduce.block"), &l, NULL);
    assert_int_equal(l.n, 1); /* one for the kernel whose loops a block will share */
    assert_string_equal(l.items[0].name, "loop:j");
    rg_site_list_release(&l);
    f.c.sites(f.c.self, NULL, chain_step("tile.shared"), &l, NULL);
    assert_int_equal(l.n + l.n_refused, 0); /* nothing is mapped yet */
    rg_site_list_release(&l);
    struct rg_buf b = RG_BUF_INIT;
    const struct rg_step *steps[] = {chain_step("parallelize"), chain_step("tile.shared")};
    rg_poly_explain(&f.c, steps, 2, &b);
    assert_non_null(strstr(b.data, "max-reduction of mx"));
    assert_non_null(strstr(b.data, "tile.shared@y refused"));
    rg_buf_release(&b);
    close_nest(&f);
}

static void answers(void **state)
{
    struct fixture f;
    struct rg_answer a;
    bool got = true;
    open_nest(&f, NEST_SAXPY);
    f.c.poll(f.c.self, 0, &a, &got, NULL);
    assert_false(got);
    f.c.submit(f.c.self, 7, NULL, chain_step("parallelize"), "C", NULL, NULL);
    f.c.submit(f.c.self, 8, NULL, chain_step("parallelize"), "C", NULL, NULL);
    f.c.submit(f.c.self, 9, NULL, chain_step("coalesce"), "C", NULL, NULL);
    f.c.cancel(f.c.self, 8);
    f.c.poll(f.c.self, 0, &a, &got, NULL);
    assert_true(got);
    assert_int_equal(a.id, 7);
    assert_int_equal(a.kind, RG_ANSWER_TEMPLATE);
    rg_template_unref(a.tmpl);
    f.c.poll(f.c.self, 0, &a, &got, NULL);
    assert_int_equal(a.id, 9);
    assert_int_equal(a.kind, RG_ANSWER_REFUSED);
    f.c.submit(f.c.self, 10, NULL, chain_step("parallelize"), "C", NULL, NULL); /* freed with the coder */
    close_nest(&f);
}

/* The step's values, start and constraints are taken, as far as they fit; each tunable knows the action that opened it.
 */
static void proposed_tunables(void **state)
{
    struct fixture f;
    struct rg_answer a;
    bool got = false;
    char why[512];
    struct rg_arena arena = {0};
    int64_t rx[] = {8, 2, 64}, ry[] = {8, 4}; /* 64 points along x are too many */
    struct rg_tunable items[] = {{.name = "RX", .values = rx, .n_values = 3, .start = 8, .link = -1},
                                 {.name = "RY", .values = ry, .n_values = 2, .start = 8, .link = -1}};
    const struct rg_expr *limit, *other;
    assert_int_equal(rg_expr_parse_all(&arena, "RX*RY <= 32", &limit, NULL), RG_OK);
    assert_int_equal(rg_expr_parse_all(&arena, "RX*STAGES <= 32", &other, NULL), RG_OK); /* STAGES is not open */
    const struct rg_expr *constraints[] = {limit, other};
    struct rg_step step = {
        .id = "coarsen.register", .poly = "coarsen_register", .tunables = {2, items, 2, constraints}};
    open_nest(&f, NEST_GEMM);
    struct rg_template *t = chain_make(&f.c, "parallelize,coalesce", why, sizeof why);
    assert_non_null(t);
    f.c.submit(f.c.self, 1, t, &step, "C", NULL, NULL);
    f.c.poll(f.c.self, 0, &a, &got, NULL);
    assert_int_equal(a.kind, RG_ANSWER_TEMPLATE);
    const struct rg_tunables *u = &a.tmpl->tunables;
    int x = rg_tunables_find(u, "RX"), y = rg_tunables_find(u, "RY"), bx = rg_tunables_find(u, "BX");
    assert_true(x >= 0 && y >= 0 && bx >= 0);
    assert_int_equal(u->items[x].n_values, 2);
    assert_int_equal(u->items[y].n_values, 2);
    assert_int_equal(u->items[x].link, 2);
    assert_int_equal(u->items[bx].link, 0);
    assert_true(u->items[x].start * u->items[y].start <= 32); /* 8 x 8 breaks the constraint: the start gave way */
    struct rg_vector v;
    rg_tunables_default(u, &v);
    v.values[x] = v.values[y] = 8;
    assert_false(rg_tunables_allow(u, &v));
    v.values[x] = 2;
    assert_true(rg_tunables_allow(u, &v));
    rg_template_unref(a.tmpl);
    rg_template_unref(t);
    close_nest(&f);
    rg_arena_release(&arena);
}

/* y(i) = sum over j of n divisions; the chain's U: its largest value, and whether the largest of all copies is allowed
 * with it. */
static int64_t unrolled_by(int divisions, const char *chain, bool *all)
{
    struct fixture f;
    char why[512];
    struct rg_buf nest = RG_BUF_INIT;
    rg_buf_str(&nest, "in x[m]; out y[n]; int n; int m | for i 0, n { local s = 0.0; for j 0, m { s += ");
    for (int i = 0; i < divisions; i++) rg_buf_printf(&nest, "%sx(j) / (x(j) * x(j) + %d)", i ? " + " : "", i + 1);
    rg_buf_str(&nest, "; } y(i) = s; }");
    open_nest(&f, nest.data);
    struct rg_template *t = chain_make(&f.c, chain, why, sizeof why);
    if (!t) fail_msg("%s: %s", chain, why);
    struct rg_vector v;
    rg_tunables_default(&t->tunables, &v);
    assert_true(rg_tunables_allow(&t->tunables, &v));
    int64_t most = 0;
    for (int i = 0; i < t->tunables.n; i++) {
        const struct rg_tunable *x = &t->tunables.items[i];
        if (strcmp(x->name, "U") && strcmp(x->name, "RX")) continue;
        for (int k = 0; k < x->n_values; k++) v.values[i] = x->values[k] > v.values[i] ? x->values[k] : v.values[i];
        if (!strcmp(x->name, "U")) most = v.values[i];
    }
    *all = rg_tunables_allow(&t->tunables, &v);
    rg_template_unref(t);
    struct rg_site_list l = {0};
    struct rg_template *before = chain_make(&f.c, "parallelize", why, sizeof why);
    f.c.sites(f.c.self, before, chain_step("unroll"), &l, NULL);
    assert_int_equal(l.n, divisions < 140); /* longer ones are for who asks for them by name */
    if (!l.n) assert_non_null(strstr(l.refused[0].reason, "too long to be repeated"));
    rg_site_list_release(&l);
    rg_template_unref(before);
    close_nest(&f);
    rg_buf_release(&nest);
    return most;
}

/* The largest AHEAD of a recurrence with so many divisions. */
static int64_t ahead_by(int divisions)
{
    struct fixture f;
    char why[512];
    struct rg_buf nest = RG_BUF_INIT;
    rg_buf_str(&nest, "in x[n][m]; inout y[n][m]; int n; int m | for i 0, n { for j 1, m { y(i,j) = 0.5 * y(i,j-1)");
    for (int i = 0; i < divisions; i++) rg_buf_printf(&nest, " + 1.0 / (x(i,j) + %d)", i + 1);
    rg_buf_str(&nest, "; } }");
    open_nest(&f, nest.data);
    struct rg_template *t = chain_make(&f.c, "parallelize,prefetch.register", why, sizeof why);
    if (!t) fail_msg("%s", why);
    int at = rg_tunables_find(&t->tunables, "AHEAD");
    int64_t most = 0;
    for (int k = 0; k < t->tunables.items[at].n_values; k++)
        most = t->tunables.items[at].values[k] > most ? t->tunables.items[at].values[k] : most;
    rg_template_unref(t);
    close_nest(&f);
    rg_buf_release(&nest);
    return most;
}

static void unrolling_fits_the_body(void **state)
{
    bool all;
    assert_int_equal(ahead_by(2), 16);
    assert_int_equal(ahead_by(60), 4);
    assert_int_equal(unrolled_by(1, "parallelize,unroll", &all), 16);
    assert_true(all);
    assert_int_equal(unrolled_by(1, "parallelize,coarsen.register,unroll", &all), 16);
    assert_true(all);
    assert_int_equal(unrolled_by(1, "parallelize,grid.stride,unroll", &all), 16); /* of both loops */
    assert_int_equal(unrolled_by(8, "parallelize,unroll", &all), 16);
    assert_int_equal(unrolled_by(8, "parallelize,grid.stride,unroll", &all), 4);
    assert_int_equal(unrolled_by(8, "parallelize,coarsen.register,unroll", &all), 8);
    assert_false(all); /* eight points of eight iterations */
    assert_int_equal(unrolled_by(40, "parallelize,unroll", &all), 4);
    assert_int_equal(unrolled_by(160, "parallelize,unroll", &all), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refusals),     cmocka_unit_test(may_alias_forbids), cmocka_unit_test(shapes),
        cmocka_unit_test(keys_commute), cmocka_unit_test(tunables_fit),      cmocka_unit_test(sites_and_explain),
        cmocka_unit_test(answers),      cmocka_unit_test(proposed_tunables), cmocka_unit_test(unrolling_fits_the_body),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
