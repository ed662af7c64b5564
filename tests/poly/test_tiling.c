/* Tilings: what a block stages and runs in step, and what can't be made of tiles; points of a launch. From the loops
 * and accesses alone: nothing is printed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "tests/poly/mini.h"
#include "tests/poly/nests.h"
#include "poly/kernel/tiling.h"
#include "poly/steps/steps.h"

struct state {
    struct rg_problem *p;
    struct rg_ctree *t;
    struct poly_scop *s;
    struct poly_program *program;
    struct rg_sizes sizes;
    int64_t values[16];
    struct poly_tiling tiling;
};

static const struct poly_values sixteen = {.bx = 16, .by = 16, .bz = 1, .rx = 2, .ry = 2, .tile = 8, .width = 4};

/* The nest after parallelize and `a` at its sites, and the first kernel's tiling. size: of every parameter where it is
 * timed. */
static void open(struct state *x, const char *nest, const struct poly_step *a, const char *const *sites,
                 const struct poly_values *v, int64_t size)
{
    struct rg_error err = RG_ERROR_INIT;
    struct poly_actions e = {0};
    struct rg_reason why = {0};
    memset(x, 0, sizeof *x);
    mini_parse("nest", nest, &x->p, &x->t);
    for (int i = 0; i < 16; i++) x->values[i] = size;
    x->sizes.values = x->values;
    x->p->sizes = &x->sizes;
    x->p->n_sizes = 1;
    assert_int_equal(rg__poly_scop_new(x->p, x->t, &x->s, &err), RG_OK);
    rg__poly_actions_add(&e, &rg__poly_step_parallelize, "C");
    for (; a && *sites; sites++) rg__poly_actions_add(&e, a, *sites);
    x->program = rg__poly_apply(x->s, &e, &why);
    if (!x->program) fail_msg("%s: %s", nest, why.text);
    rg__poly_tiling_init(&x->tiling, x->program, 0, v);
}

static void close_state(struct state *x)
{
    rg__poly_tiling_release(&x->tiling);
    rg__poly_program_free(x->program);
    rg__poly_scop_free(x->s);
    rg_problem_free(x->p);
    rg_ctree_free(x->t);
}

static const struct poly_group *group_of(const struct poly_tiling *t, const char *array)
{
    for (int g = 0; g < t->n_groups; g++)
        if (strcmp(t->s->tree->arrays[t->groups[g].array].name, array) == 0) return &t->groups[g];
    fail_msg("%s is not staged", array);
    return NULL;
}

/* Tiles of 16 x 8 and 8 x 16, in chunks of a loop that the block runs in step. */
static void strips(void **state)
{
    static const char *const both[] = {"A", "B", NULL};
    struct state x;
    struct rg_reason why = {0};
    (void)state;
    open(&x, NEST_GEMM, &rg__poly_step_tile_shared, both, &sixteen, 64);
    struct poly_tiling *t = &x.tiling;
    assert_true(rg__poly_is_tiled(t->k));
    if (!rg__poly_tile_kernel(t, &why)) fail_msg("%s", why.text);
    const struct poly_group *a = group_of(t, "A"), *b = group_of(t, "B");
    assert_int_equal(t->n_groups, 2);
    assert_string_equal(t->s->loops[a->strip].name, "kk");
    assert_int_equal(a->at, a->strip);
    assert_int_equal(b->at, a->strip);
    assert_int_equal(a->extent[0], 16);
    assert_int_equal(a->extent[1], 8);
    assert_int_equal(b->extent[0], 8);
    assert_int_equal(b->extent[1], 16);
    assert_true(a->reuse && b->reuse && t->rect && t->closed_loop[a->strip]);
    assert_false(t->closed_loop[t->k->dims[0]]);
    assert_int_equal(rg__poly_tile_width(t, b), 1); /* not vectorized */
    close_state(&x);
}

static void refusals(void **state)
{
    static const char *const both[] = {"A", "B", NULL};
    struct state x;
    struct poly_values large = sixteen;
    struct rg_reason why = {0};
    (void)state;
    large.tile = 1024;
    open(&x, NEST_GEMM, &rg__poly_step_tile_shared, both, &large, 64);
    assert_false(rg__poly_tile_kernel(&x.tiling, &why));
    assert_int_equal(why.kind, RG_REFUSE_SPACE);
    assert_non_null(strstr(why.text, "bytes of shared memory, a block has 49152"));
    close_state(&x);
    open(&x, NEST_GEMM, NULL, NULL, &sixteen, 64);
    int c = rg__poly_array_named(x.s, "C");
    assert_false(rg__poly_tile_array(&x.tiling, c, &why));
    assert_int_equal(why.kind, RG_REFUSE_DEPENDENCE);
    assert_string_equal(why.text, "C is written in the same kernel: staged copies would go stale");
    assert_int_equal(x.tiling.n_groups, 0);
    close_state(&x);
}

/* The box around the points at the timed size, for whichever pass of the loops around the launch has most. */
static void points(void **state)
{
    struct state x;
    double n = 0;
    (void)state;
    open(&x, NEST_JACOBI, NULL, NULL, &sixteen, 100);
    assert_true(rg__poly_timed_points(x.program, &x.program->kernels[0], &n));
    assert_true(n == 98 * 98);
    close_state(&x);
    open(&x, NEST_LU, NULL, NULL, &sixteen, 100);
    double most = 0;
    for (int k = 0; k < x.program->n_kernels; k++) {
        assert_true(rg__poly_timed_points(x.program, &x.program->kernels[k], &n));
        most = n > most ? n : most;
    }
    assert_true(most == 99 * 99); /* k = 0 */
    x.p->n_sizes = 0;
    assert_false(rg__poly_timed_points(x.program, &x.program->kernels[0], &n));
    close_state(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strips),
        cmocka_unit_test(refusals),
        cmocka_unit_test(points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
