/* Iterated stencils: what the analysis finds in a time loop, how wide its halo is, and what it refuses with which
 * sentence. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "poly/analysis/iterated_stencil.h"
#include "tests/poly/nest_fixture.h"
#include "tests/poly/nests.h"

struct look {
    struct rg_problem *p;
    struct rg_ctree *t;
    struct poly_scop *s;
    struct poly_stencil st;
    bool is;
    struct rg_reason why;
};

static void look(struct look *l, const char *nest)
{
    struct rg_error err = RG_ERROR_INIT;
    int loop = 0;
    memset(l, 0, sizeof *l);
    mini_parse("nest", nest, &l->p, &l->t);
    assert_int_equal(rg__poly_scop_new(l->p, l->t, &l->s, &err), RG_OK);
    while (strcmp(l->s->loops[loop].name, "t") != 0) loop++;
    l->is = rg__poly_stencil_of(l->s, loop, &l->st, &l->why);
}

static void look_away(struct look *l)
{
    rg__poly_scop_free(l->s);
    rg_problem_free(l->p);
    rg_ctree_free(l->t);
}

static void halo(const char *nest, int64_t steps, int dims, const int64_t *below, const int64_t *above)
{
    struct look l;
    int64_t b[STENCIL_DIMS], a[STENCIL_DIMS];
    look(&l, nest);
    if (!l.is) fail_msg("%s: %s", nest, l.why.text);
    assert_int_equal(l.st.n_dims, dims);
    rg__poly_stencil_halo(&l.st, steps, b, a);
    for (int d = 0; d < dims; d++) {
        assert_int_equal(b[d], below[d]);
        assert_int_equal(a[d], above[d]);
    }
    look_away(&l);
}

static void not_one(const char *nest, const char *text)
{
    struct look l;
    look(&l, nest);
    if (l.is) fail_msg("%s is not refused", nest);
    if (!strstr(l.why.text, text)) fail_msg("%s is refused with: %s", nest, l.why.text);
    look_away(&l);
}

static int fresh_of(struct look *l, const char *array)
{
    for (int a = 0; a < l->st.n_arrays; a++)
        if (!strcmp(l->s->tree->arrays[l->st.array[a].array].name, array)) return l->st.array[a].fresh;
    fail_msg("%s is not held", array);
    return -2;
}

static void halves(void **state)
{
    struct look l;
    halo(NEST_JACOBI, 1, 2, (int64_t[]){2, 2}, (int64_t[]){2, 2});
    halo(NEST_JACOBI, 4, 2, (int64_t[]){8, 8}, (int64_t[]){8, 8});
    look(&l, NEST_JACOBI);
    assert_int_equal(l.st.n_sweeps, 2);
    assert_int_equal(fresh_of(&l, "B"), 0); /* made anew before it is read */
    assert_int_equal(fresh_of(&l, "A"), -1);
    look_away(&l);
}

/* Nobody reads C, which two sweeps write on different boxes: it needs no second buffer, and what neither writes is
 * never looked at. Once one of them adds to it, it does. */
static void left_alone(void **state)
{
    const char *const nest = "inout A[n]; inout B[n]; out C[n]; int n; int steps | for t 0, steps { "
                             "for i 1, n - 1 { B(i) = A(i-1) + A(i+1); } for j 1, n - 1 { A(j) = B(j); } "
                             "for p 0, 3 { C(p) = A(p); } for q 5, n - 2 { C(q) %s B(q+1); } }";
    for (int adds = 0; adds < 2; adds++) {
        char text[512];
        struct look l;
        snprintf(text, sizeof text, nest, adds ? "= C(q) +" : "=");
        look(&l, text);
        if (!l.is) fail_msg("%s", l.why.text);
        for (int a = 0; a < l.st.n_arrays; a++) {
            bool c = !strcmp(l.s->tree->arrays[l.st.array[a].array].name, "C");
            assert_int_equal(l.st.array[a].unread, c && !adds);
            assert_int_equal(rg__poly_stencil_moves(&l.st.array[a]), l.st.array[a].fresh < 0 && (!c || adds));
        }
        look_away(&l);
    }
}

/* ey and ex look down, hz looks up: one point a side and iteration, though four sweeps follow one another. */
static void staggered(void **state)
{
    struct look l;
    halo(NEST_FDTD, 1, 2, (int64_t[]){1, 1}, (int64_t[]){1, 1});
    halo(NEST_FDTD, 5, 2, (int64_t[]){5, 5}, (int64_t[]){5, 5});
    look(&l, NEST_FDTD);
    assert_int_equal(l.st.n_sweeps, 4);
    assert_int_equal(l.st.n_arrays, 3); /* the source is read where it is */
    assert_int_equal(l.st.sweep[0].loop[0], -1);
    for (int a = 0; a < 3; a++) assert_int_equal(l.st.array[a].fresh, -1);
    look_away(&l);
}

static void sides(void **state)
{
    halo("inout A[n]; inout B[n]; int n; int steps | for t 0, steps { for i 3, n - 1 { B(i) = A(i-3) + A(i+1); } "
         "for j 3, n - 1 { A(j) = B(j); } }",
         3, 1, (int64_t[]){9}, (int64_t[]){3});
    halo(NEST_SHARED_SCALAR, 2, 2, (int64_t[]){2, 2}, (int64_t[]){2, 2});
}

static void held(void **state)
{
    struct look l;
    look(&l, NEST_COEFFICIENTS);
    assert_true(l.is);
    assert_int_equal(l.st.n_arrays, 3);
    look_away(&l);
}

static void refusals(void **state)
{
    not_one("inout A[n][n]; int n; int steps | for t 0, steps { for i 1, n - 1 { for j 1, n - 1 { "
            "A(i,j) = 0.25 * (A(i,j-1) + A(i,j+1) + A(i+1,j) + A(i-1,j)); } } }",
            "loop i (mini.c:1) carries a dependence");
    not_one("inout A[n]; inout B[n]; int n; int steps | for t 0, steps { for i 0, n { B(i) = A(n-1-i); } "
            "for j 0, n { A(j) = B(j); } }",
            "no constant distance");
    not_one("inout A[n]; inout B[n]; int n; int steps | for t 0, steps { for i 0, n { B(i) = A(i) + A(0); } "
            "for j 0, n { A(j) = B(j); } }",
            "no constant distance");
    not_one("inout A[n][n]; inout B[n][n]; int n; int steps | for t 0, steps { for i 0, n { for j 0, n { B(i,j) = "
            "A(j,i); } } "
            "for i2 0, n { for j2 0, n { A(i2,j2) = B(i2,j2); } } }",
            "no constant distance");
    not_one("inout A[n]; inout B[n]; int n; int steps | for t 0, steps { for i t, n { B(i) = A(i) + 1; } "
            "for j 0, n { A(j) = B(j); } }",
            "bounds of loop i");
    not_one("inout A[n][n]; int n; int steps | for t 0, steps { for i 0, n { for j 0, i { A(i,j) += 1; } } }",
            "bounds of loop j");
    not_one("inout A[n]; inout B[n]; int n; int steps | for t 0, steps { local s = 0.0; for i 0, n { s += A(i); } "
            "for j 0, n { A(j) = B(j) + s; } }",
            "loop i (mini.c:1) carries a reduction");
    not_one("inout A[n][n]; in B[n]; int n; int steps | for t 0, steps { for i 0, n { A(t,i) = B(i); } }",
            "subscript 1 of A, which is written");
    not_one("inout A[n]; inout B[n][n]; int n; int steps | for t 0, steps { for i 0, n { A(i) += 1; } "
            "for i2 0, n { for j2 0, n { B(i2,j2) += 1; } } }",
            "fewer or more dimensions");
}

/* What the kernel and its plan show: new values beside the old ones, arrays made anew left in the last iteration alone,
 * what free sweeps spoil restored, more shared memory than a launch has by itself. */
static void kernels(void **state)
{
    has(NEST_JACOBI, "time.tile", "swap(A, A_next);");
    lacks(NEST_JACOBI, "time.tile", "B_next");
    has(NEST_JACOBI, "time.tile", "made anew");
    has(NEST_JACOBI, "time.tile", "nothing changes");
    has(NEST_JACOBI, "time.tile", "extern __shared__");
    has(NEST_FDTD, "time.tile", "swap(hz, hz_next);");
    has(NEST_FDTD, "time.tile", "fict[now]");
    lacks(NEST_FDTD, "time.tile", "made anew");
    has(NEST_COEFFICIENTS, "time.tile", "C_r[");
    lacks(NEST_COEFFICIENTS, "time.tile", "C_next");
    refused(NEST_JACOBI, "parallelize,grid.sync,time.tile", "phases of one kernel already");
    refused(NEST_JACOBI, "parallelize,resident.block,time.tile", "the plan has no loop");
    refused(NEST_JACOBI, "time.tile@loop:i", "the plan has no loop i");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(halves), cmocka_unit_test(left_alone), cmocka_unit_test(staggered), cmocka_unit_test(sides),
        cmocka_unit_test(held),   cmocka_unit_test(refusals),   cmocka_unit_test(kernels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
