/* test-deadline: 300. Nests whose loops all carry something run in an order in which much runs at once, or with a place
 * for what each iteration fills; executed at odd sizes and in both thread orders they give what the sequential code
 * gives. And what must stay as it is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "tests/poly/chain.h"
#include "tests/poly/execute.h"
#include "tests/poly/mini.h"
#include "tests/poly/nests.h"

#define SWEEPS /* Gauss-Seidel in time: t, i and j all carry */                                                        \
    "inout A[n][n]; int n; int steps | for t 0, steps { for i 1, n-1 { for j 1, n-1 { "                                \
    "A(i,j) = 0.2*(A(i-1,j)+A(i,j-1)+A(i,j)+A(i,j+1)+A(i+1,j)); } } }"
#define TABLE /* dynamic programming */                                                                                \
    "inout D[n+1][m+1]; in a[n]; in b[m]; int n; int m | for i 1, n+1 { for j 1, m+1 { "                               \
    "D(i,j) = fmaxf(fmaxf(D(i-1,j), D(i,j-1)), D(i-1,j-1) + 0.1*a(i-1)*b(j-1)); } }"
#define FALLING                                                                                                        \
    "inout A[n][n]; int n | for i n-2, -1 by -1 { for j n-2, -1 by -1 { A(i,j) = 0.3*(A(i+1,j)+A(i,j+1)+A(i,j)); } }"
#define ROWS_LU /* row by row, as PolyBench has it */                                                                  \
    "inout A[n][n]; int n | for i 0, n { for j 0, i { for k 0, j { A(i,j) -= 0.01*A(i,k)*A(k,j); } A(i,j) = A(i,j) / " \
    "(A(j,j)+9); } "                                                                                                   \
    "for j2 i, n { for k2 0, i { A(i,j2) -= 0.01*A(i,k2)*A(k2,j2); } } }"
#define PATHS                                                                                                          \
    "inout A[n][n]; int n | for k 0, n { for i 0, n { for j 0, n { A(i,j) = fminf(A(i,j), A(i,k) + A(k,j)); } } }"
#define SYMM                                                                                                           \
    "inout C[n][m]; in A[n][n]; in B[n][m]; int n; int m | for i 0, n { for j 0, m { local t = 0.0; "                  \
    "for k 0, i { C(k,j) += 0.1*B(i,j)*A(i,k); t += B(k,j)*A(i,k); } C(i,j) = 0.5*C(i,j) + 0.1*B(i,j)*A(i,i) + "       \
    "0.1*t; } }"
#define ROW_TIMES_MATRIX                                                                                               \
    "inout A[n][m]; in C4[m][m]; out sum[m]; int n; int m | for r 0, n { for p 0, m { sum(p) = 0; for s 0, m { "       \
    "sum(p) += A(r,s)*C4(s,p); } } "                                                                                   \
    "for p2 0, m { A(r,p2) = sum(p2); } }"
#define CARRIED_ROW /* what the last iteration left is read */                                                         \
    "inout A[n][m]; inout sum[m]; int n; int m | for r 0, n { for p 0, m { A(r,p) += sum(p); } for p2 0, m { sum(p2) " \
    "= 0.5*A(r,p2); } }"
#define TRIANGLE_ROW /* every iteration writes other elements: no one of them leaves all the last values */            \
    "inout A[n][n]; out sum[n]; int n | for r 0, n { for p 0, n - r { sum(p) = 0; for s 0, n { sum(p) += A(r,s)*0.1; " \
    "} } "                                                                                                             \
    "for p2 0, n - r { A(r,p2) = sum(p2); } }"
#define RECURRENCE "inout A[n]; int n | for i 1, n { A(i) = 0.5*A(i-1) + A(i); }"

#define TURNED_IN_PART /* one statement's loops change places, the other's don't: fused, a loop around has the         \
                          variable of one inside */                                                                    \
    "inout X[n]; in C[n][n]; in A[n][n]; inout W[n][n]; int n | for i 0, n { for j i, n { X(j) = 0.1*C(j,i) + "        \
    "0.2*A(i,j); "                                                                                                     \
    "W(i,j) = 0.3*A(i,j) + C(i,i); } }"

static const struct {
    const char *nest, *chain, *has, *lacks;
} cases[] = {
    {NEST_SEIDEL, "wavefront", "for (int wave = ", "<<<1, 1>>>"},
    {NEST_SEIDEL, "wavefront,coalesce,grid.stride", "wave", "<<<1, 1>>>"},
    {SWEEPS, "wavefront,coalesce", "dim3(", "<<<1, 1>>>"},
    {TABLE, "wavefront", "for (int wave = ", "<<<1, 1>>>"},
    {FALLING, "wavefront", "for (int wave = ", "<<<1, 1>>>"},
    {ROWS_LU, "wavefront,coalesce", "nest_kernel1<<<dim3(", "nest_kernel2"},
    {PATHS, "wavefront", "nest_kernel7<<<dim3(", "int wave"},
    {SYMM, "wavefront,coalesce", "scratch float t_all[", "<<<1, 1>>>"},
    {TURNED_IN_PART, "wavefront,fuse,coalesce", "fuse: with the loop of line", "<<<1, 1>>>"},
    {ROW_TIMES_MATRIX, "parallelize,coalesce", "sum[sum_all_at0] = sum_all[", "for (int r = 0; r < n; r += 1)"},
    {CARRIED_ROW, "parallelize", "sum", "sum_all"},
    {TRIANGLE_ROW, "parallelize", "sum", "sum_all"},
};
enum { N = sizeof cases / sizeof *cases };

static int64_t timed[] = {300, 300, 300};

static void open_timed(const char *nest, struct rg_problem **p, struct rg_ctree **t, struct rg_coder *c)
{
    static struct rg_sizes one = {.values = timed, .timed = true};
    struct rg_error err = RG_ERROR_INIT;
    mini_parse("nest", nest, p, t);
    (*p)->n_sizes = 1; /* what is estimated is this size */
    (*p)->sizes = &one;
    assert_int_equal(rg_poly_new(*p, *t, c, &err), RG_OK);
}

static void close_timed(struct rg_problem *p, struct rg_ctree *t)
{
    p->n_sizes = 0;
    p->sizes = NULL;
    rg_problem_free(p);
    rg_ctree_free(t);
}

static void fill(void *arg, int param, int64_t n, void *to)
{
    uint32_t x = 7u + (uint32_t)param;
    for (int64_t i = 0; i < n; i++) {
        x = x * 1664525u + 1013904223u;
        ((float *)to)[i] = (float)(x >> 8) / 8388608.0f - 1.0f;
    }
}

static void orders(void **state)
{
    static struct execute_job jobs[N];
    static struct rg_problem *p[N];
    static struct rg_ctree *t[N];
    for (int i = 0; i < N; i++) {
        struct rg_coder c;
        struct rg_error err = RG_ERROR_INIT;
        char why[512] = "";
        open_timed(cases[i].nest, &p[i], &t[i], &c);
        struct rg_template *tm = chain_make(&c, cases[i].chain, why, sizeof why);
        if (!tm) fail_msg("%s on %s: %s", cases[i].chain, cases[i].nest, why);
        c.free(c.self);
        jobs[i].problem = p[i];
        jobs[i].tree = t[i];
        assert_int_equal(rg_template_instantiate(tm, NULL, &jobs[i].source, &err), RG_OK);
        rg_template_unref(tm);
        const char *cuda = jobs[i].source.cuda, *plan = jobs[i].source.plan;
        if (!strstr(cuda, cases[i].has) && !strstr(plan, cases[i].has))
            fail_msg("%s has no %s:\n%s\n%s", cases[i].nest, cases[i].has, cuda, plan);
        if (strstr(cuda, cases[i].lacks) || strstr(plan, cases[i].lacks))
            fail_msg("%s has %s:\n%s\n%s", cases[i].nest, cases[i].lacks, cuda, plan);
    }
    assert_true(execute_compile(jobs, N));
    static int64_t sizes[][2] = {{37, 53}, {16, 5}, {1, 1}, {3, 29}};
    for (int i = 0; i < N; i++)
        for (int z = 0; z < 4; z++)
            for (int r = 0; r < 2; r++) {
                struct rg_sizes s = {.values = sizes[z]};
                char why[256];
                if (!execute_case(&jobs[i].x, p[i], &s, fill, NULL, r, why, sizeof why))
                    fail_msg("%s on %s, sizes %d, order %d: %s\n%s\n%s", cases[i].chain, cases[i].nest, z, r, why,
                             jobs[i].source.cuda, jobs[i].source.plan);
            }
    execute_release(jobs, N);
    for (int i = 0; i < N; i++) close_timed(p[i], t[i]);
}

/* One dimension that carries everything has no fronts, and where arguments may be the same memory nothing is known to
 * be apart. */
static void refused(void **state)
{
    struct rg_problem *p;
    struct rg_ctree *t;
    struct rg_coder c;
    char why[512] = "";
    open_timed(RECURRENCE, &p, &t, &c);
    assert_null(chain_make(&c, "parallelize", why, sizeof why));
    assert_non_null(strstr(why, "carries a dependence"));
    assert_null(chain_make(&c, "wavefront", why, sizeof why));
    assert_null(chain_make(&c, "wavefront@loop:i", why, sizeof why));
    assert_non_null(strstr(why, "no order of the nest of loop i (mini.c:1) has anything parallel"));
    c.free(c.self);
    p->may_alias = true;
    close_timed(p, t);
    struct rg_error err = RG_ERROR_INIT;
    mini_parse("nest", TABLE, &p, &t);
    p->may_alias = true;
    assert_int_equal(rg_poly_new(p, t, &c, &err), RG_OK);
    assert_null(chain_make(&c, "parallelize", why, sizeof why));
    assert_null(chain_make(&c, "wavefront@loop:i", why, sizeof why));
    c.free(c.self);
    rg_problem_free(p);
    rg_ctree_free(t);
}

/* How the start is listed at the root: '+' offered, '-' not, for the sake of wavefront, 'x' refused, ' ' not at all. */
static char listed(const char *nest, const char *step, const char *site)
{
    struct rg_problem *p;
    struct rg_ctree *t;
    struct rg_coder c;
    struct rg_site_list l = {0};
    char how = ' ', why[512] = "";
    open_timed(nest, &p, &t, &c);
    assert_int_equal(c.sites(c.self, NULL, chain_step(step), &l, NULL), RG_OK);
    for (int i = 0; i < l.n; i++)
        if (!strcmp(l.items[i].name, site)) how = '+';
    for (int i = 0; i < l.n_refused; i++) {
        if (strcmp(l.refused[i].site, site)) continue;
        how = l.refused[i].legal ? '-' : 'x';
        if (how == 'x') continue;
        assert_string_equal(l.refused[i].beside, "wavefront");
        assert_string_equal(l.refused[i].offer.name, site);
        assert_non_null(strstr(l.refused[i].reason, "by estimate wavefront@C"));
        struct rg_template *made = chain_apply(&c, NULL, step, site, why, sizeof why); /* who asks for it gets it */
        if (!made) fail_msg("%s@%s: %s", step, site, why);
        rg_template_unref(made);
    }
    rg_site_list_release(&l);
    c.free(c.self);
    close_timed(p, t);
    return how;
}

/* Where another order runs far more at once, those who keep the C's are not offered beside it; elsewhere they stay. */
static void starts(void **state)
{
    assert_int_equal(listed(ROWS_LU, "parallelize", "C"), '-');
    assert_int_equal(listed(ROWS_LU, "reduce.block", "C"), '-');
    assert_int_equal(listed(ROWS_LU, "wavefront", "C"), '+');
    assert_int_equal(listed(NEST_LU, "parallelize", "C"), '+'); /* by columns: that order is the better one */
    assert_int_equal(listed(NEST_LU, "wavefront", "C"), 'x');
    assert_int_equal(listed(NEST_GEMM, "parallelize", "C"), '+');
    assert_int_equal(listed(NEST_SEIDEL, "parallelize", "C"), 'x');
    assert_int_equal(listed(NEST_SEIDEL, "wavefront", "C"), '+');
    assert_int_equal(listed(NEST_GEMV, "reduce.block", "loop:j"), '+');
}

/* A block takes the plan's loops over for the launches it saves, not for work that none of its threads can share or
 * that the whole device is needed for. */
static void resident_blocks(void **state)
{
    static const char *const nests[] = {
        "inout B[n+4][n+4]; inout C[n]; in K[n]; int n | for i 1, n { for j 0, i { for k 0, n { for l 0, n { B(l % "
        "4,i) = 0.5*B(l % 4,i) + 0.1*B(i,l) + C(0); } } } "
        "for j2 0, i { C(j2) = 0.5*C(j2) + B(1,i); } }",
        "inout A[n]; inout C[n]; int n | for t 1, n { A(t) = 0.5*A(t-1) + C(0); for j 0, n { C(j) = 0.5*C(j) + A(t); } "
        "}",
        "inout A[n][n]; inout B[n][n]; int n | for t 0, n { for i 1, n { for j 1, n { B(i,j) = 0.5*B(i,j-1) + "
        "0.1*A(i-1,j); } } "
        "for i2 1, n { for j2 1, n { A(i2,j2) = 0.5*A(i2,j2-1) + 0.1*B(i2-1,j2); } } }",
    };
    static const char *const reasons[] = {"every one of its threads", NULL, "one multiprocessor"};
    for (int i = 0; i < 3; i++) {
        struct rg_problem *p;
        struct rg_ctree *t;
        struct rg_coder c;
        struct rg_site_list l = {0};
        char why[512] = "";
        open_timed(nests[i], &p, &t, &c);
        assert_int_equal(c.sites(c.self, NULL, chain_step("resident.block"), &l, NULL), RG_OK);
        assert_int_equal(l.n, !reasons[i]);
        assert_int_equal(l.n_refused, !!reasons[i]);
        if (reasons[i]) assert_non_null(strstr(l.refused[0].reason, reasons[i]));
        struct rg_template *made = chain_apply(&c, NULL, "resident.block", i ? "loop:t" : "loop:i", why, sizeof why);
        if (!made) fail_msg("%s", why);
        rg_template_unref(made);
        rg_site_list_release(&l);
        c.free(c.self);
        close_timed(p, t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(orders), cmocka_unit_test(refused), cmocka_unit_test(starts),
                                       cmocka_unit_test(resident_blocks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
