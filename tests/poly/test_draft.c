/* Draft costs put values of tunables in the order that a device would: what they must get right of coalescing, reuse,
 * occupancy and loops that threads share. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "tests/poly/nest_fixture.h"

#define PRODUCT                                                                                                        \
    "in A[n][n]; in B[n][n]; out C[n][n]; int n | for i 0 n { for j 0 n { local s = 0; for k 0 n { s += A(i,k) * "     \
    "B(k,j); } C(i,j) = s; } }"
#define ROWS                                                                                                           \
    "in A[n][n]; in x[n]; out y[n]; int n | for i 0 n { local s = 0; for j 0 n { s += A(i,j) * x(j); } y(i) = s; }"
#define SCAN "inout x[n]; int n | for i 1 n { x(i) = x(i - 1) + x(i); }"

/* Draft cost of the chain at "BX=32,BY=8", what is not named at its start; 0: unknown. */
static double cost(const char *nest, const char *chain, int64_t n, const char *values)
{
    struct fixture f;
    char why[512] = "";
    double us;
    int64_t values_of[8];
    open_nest(&f, nest);
    struct rg_sizes *old = f.p->sizes, sizes = {.values = values_of, .work = -1, .timed = true};
    int n_old = f.p->n_sizes;
    for (int i = 0; i < 8; i++) values_of[i] = n;
    f.p->sizes = &sizes;
    f.p->n_sizes = 1;
    struct rg_template *t = chain_make(&f.c, chain, why, sizeof why);
    if (!t) fail_msg("%s on %s: %s", chain, nest, why);
    struct rg_vector v;
    rg_tunables_default(&t->tunables, &v);
    for (const char *p = values; *p; p += strcspn(p, ","), p += *p == ',') {
        char name[32] = "";
        snprintf(name, sizeof name, "%.*s", (int)strcspn(p, "="), p);
        int i = rg_tunables_find(&t->tunables, name);
        if (i < 0) fail_msg("%s has no tunable %s", chain, name);
        v.values[i] = atoll(strchr(p, '=') + 1);
    }
    rg_template_draft(t, &v, 1, &us);
    rg_template_unref(t);
    f.p->sizes = old;
    f.p->n_sizes = n_old;
    close_nest(&f);
    return us;
}

static void neighbours_are_cheaper_than_strides(void **state)
{
    double far = cost(PRODUCT, "parallelize@C", 1024, "BX=32,BY=8"),
           near = cost(PRODUCT, "parallelize@C,coalesce@C", 1024, "BX=32,BY=8");
    assert_true(near > 0);
    assert_true(far > 4 * near);
}

static void points_in_registers_share_loads(void **state)
{
    const char *tiled = "parallelize@C,tile.two.level@C";
    double one = cost(PRODUCT, tiled, 1024, "BX=16,BY=16,RX=2,RY=1,TILE=16"),
           many = cost(PRODUCT, tiled, 1024, "BX=16,BY=8,RX=4,RY=8,TILE=16");
    assert_true(many > 0);
    assert_true(one > 1.5 * many);
    /* more than the registers of a thread hold */
    assert_true(cost(PRODUCT, tiled, 1024, "BX=32,BY=32,RX=8,RY=8,TILE=8") == 0 ||
                cost(PRODUCT, tiled, 1024, "BX=32,BY=32,RX=8,RY=8,TILE=8") > many);
    /* a small matrix has no use for few, large threads */
    assert_true(cost(PRODUCT, tiled, 128, "BX=16,BY=8,RX=8,RY=8,TILE=16") >
                cost(PRODUCT, tiled, 128, "BX=16,BY=8,RX=2,RY=2,TILE=16"));
}

static void written_out_loops_cost_less(void **state)
{
    const char *chain = "parallelize@C,tile.two.level@C,unroll@C";
    assert_true(cost(PRODUCT, chain, 1024, "U=8") < cost(PRODUCT, chain, 1024, "U=2"));
    /* not where a thread has fewer iterations than that: all of them are left over */
    assert_true(cost(ROWS, "reduce.block@loop:j,unroll@C", 1024, "BLOCK=256,U=16") >
                cost(ROWS, "reduce.block@loop:j,unroll@C", 1024, "BLOCK=256,U=4"));
}

static void teams_read_rows_side_by_side(void **state)
{
    assert_true(cost(ROWS, "parallelize@C", 4096, "") > 4 * cost(ROWS, "reduce.block@loop:j", 4096, "BLOCK=128"));
    assert_true(cost(ROWS, "reduce.block@loop:j", 1024, "BLOCK=1024") >
                cost(ROWS, "reduce.block@loop:j", 1024, "BLOCK=128"));
    assert_true(cost(ROWS, "reduce.block@loop:j,row.warp@C", 4096, "LANES=4") >
                cost(ROWS, "reduce.block@loop:j,row.warp@C", 4096, "LANES=32"));
}

/* A form that is not modelled has no cost, rather than a wrong one. */
static void what_is_not_modelled_is_unknown(void **state)
{
    assert_true(cost(SCAN, "scan.block@loop:i", 1 << 20, "") == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(neighbours_are_cheaper_than_strides), cmocka_unit_test(points_in_registers_share_loads),
        cmocka_unit_test(written_out_loops_cost_less),         cmocka_unit_test(teams_read_rows_side_by_side),
        cmocka_unit_test(what_is_not_modelled_is_unknown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
