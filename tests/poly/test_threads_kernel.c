/* Kernels with a thread for each point, in kernel IR: loops over blocks and threads, guards, strides, neighbours at
 * once, loops of a thread, several points a thread; what is no such kernel. Looked at as trees. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "tests/poly/mini.h"
#include "tests/poly/nests.h"
#include "poly/kernel/threads_kernel.h"
#include "poly/kir/kir.h"
#include "poly/steps/steps.h"

struct state {
    struct rg_problem *p;
    struct rg_ctree *t;
    struct poly_scop *s;
    struct poly_program *program;
    struct rg_sizes sizes;
    int64_t values[16];
    struct rg_arena arena;
    struct kir_kernel *k; /* of the program's first kernel; NULL: it is not built here */
};

struct counts {
    const struct kir_kernel *k;
    int ifs, serial, copies, width, aligned, extents, whiles, unrolled, down, vars, own, assigns, stores, barriers,
        shared;
};

static bool count(void *arg, const struct kir_node *n)
{
    struct counts *c = arg;
    c->ifs += n->kind == KIR_IF;
    c->serial += n->kind == KIR_FOR && n->loop == KIR_SERIAL;
    c->copies += n->kind == KIR_COPY;
    if (n->kind == KIR_COPY) c->width = n->width;
    if (n->kind == KIR_ALIGNED) c->aligned = n->n;
    c->extents += n->kind == KIR_EXTENT;
    c->whiles += n->kind == KIR_WHILE;
    c->unrolled += n->kind == KIR_FOR && n->loop == KIR_UNROLLED;
    c->down += n->kind == KIR_FOR && n->kid[2]->kind == KIR_INT && n->kid[2]->ivalue < 0;
    c->vars += n->kind == KIR_VAR && n->n;
    c->own += n->kind == KIR_VAR && !n->n;
    c->assigns += n->kind == KIR_ASSIGN;
    c->stores += n->kind == KIR_STORE;
    c->barriers += n->kind == KIR_BARRIER;
    c->shared += n->kind == KIR_STORE && c->k->symbols[n->kid[0]->symbol].space == KIR_SHARED;
    return true;
}

/* The nest after parallelize and up to two more steps. size: of every parameter, where the nest is timed; 0: unknown.
 */
static struct counts build(struct state *x, const char *nest, const struct poly_step *a, const struct poly_step *b,
                           int64_t size)
{
    struct rg_error err = RG_ERROR_INIT;
    struct poly_actions e = {0};
    struct counts c = {0};
    struct rg_reason no = {0};
    const struct poly_values v = {.bx = 32,
                                  .by = 1,
                                  .bz = 1,
                                  .rx = 2,
                                  .ry = 2,
                                  .tile = 8,
                                  .block = 128,
                                  .grid = 64,
                                  .width = 4,
                                  .unroll = 4,
                                  .ahead = 8};
    memset(x, 0, sizeof *x);
    mini_parse("nest", nest, &x->p, &x->t);
    for (int i = 0; i < 16; i++) x->values[i] = size;
    x->sizes.values = x->values;
    if (size) {
        x->p->sizes = &x->sizes;
        x->p->n_sizes = 1;
    }
    assert_int_equal(rg__poly_scop_new(x->p, x->t, &x->s, &err), RG_OK);
    rg__poly_actions_add(&e, &rg__poly_step_parallelize, "C");
    if (a) rg__poly_actions_add(&e, a, "C");
    if (b) rg__poly_actions_add(&e, b, "C");
    x->program = rg__poly_apply(x->s, &e, &no);
    if (!x->program) fail_msg("%s: %s", nest, no.text);
    const struct poly_kernel *k = &x->program->kernels[0];
    x->k = rg__poly_kir_build(x->program, k, &v, &x->arena, &no);
    if (!x->k) fail_msg("%s: %s", nest, no.text);
    c.k = x->k;
    rg__kir_walk(x->k->body, count, &c);
    return c;
}

static void release(struct state *x)
{
    rg_arena_release(&x->arena);
    rg__poly_program_free(x->program);
    rg__poly_scop_free(x->s);
    rg_problem_free(x->p);
    rg_ctree_free(x->t);
}

static void points(void **state)
{
    struct state x;
    struct counts c = build(&x, NEST_SAXPY, NULL, NULL, 0);
    (void)state;
    assert_non_null(x.k);
    assert_non_null(rg__kir_loop_of(x.k, KIR_GRID_X));
    assert_null(rg__kir_loop_of(x.k, KIR_GRID_Y));
    assert_int_equal(rg__kir_threads(x.k), 32);
    assert_int_equal(c.ifs, 1); /* the guard */
    assert_int_equal(c.serial, 0);
    assert_true(x.k->any_block);
    release(&x);
    c = build(&x, "in x[256]; out y[256] | for i 0, 256 { y(i) = x(i); }", NULL, NULL, 0);
    assert_int_equal(c.ifs, 0); /* whole blocks */
    release(&x);
    c = build(&x, NEST_SAXPY, &rg__poly_step_grid_stride, NULL, 0);
    assert_int_equal(c.serial, 1);
    assert_int_equal(c.extents, 1);
    assert_int_equal(c.ifs, 0);
    release(&x);
}

static void neighbours(void **state)
{
    struct state x;
    struct counts c = build(&x, NEST_SAXPY, &rg__poly_step_vectorize, NULL, 0);
    (void)state;
    assert_int_equal(c.copies, 3); /* x and y in, y out */
    assert_int_equal(c.width, 4);
    assert_int_equal(c.aligned, 2);
    assert_int_equal(c.serial, 1); /* the rest of a row */
    release(&x);
    c = build(&x, NEST_SAXPY, &rg__poly_step_vectorize, &rg__poly_step_grid_stride, 0);
    assert_int_equal(c.serial, 2);
    release(&x);
}

static void many_blocks(void **state)
{
    struct state x;
    (void)state;
    build(&x, NEST_TRANSPOSE, NULL, NULL, 1000);
    assert_non_null(rg__kir_loop_of(x.k, KIR_GRID_Y));
    release(&x);
    build(&x, NEST_TRANSPOSE, NULL, NULL, 100000); /* of one row each: more than y holds */
    assert_null(rg__kir_loop_of(x.k, KIR_GRID_Y));
    assert_non_null(rg__kir_loop_of(x.k, KIR_GRID_X));
    release(&x);
}

/* Phases are numbered along x and share their blocks' threads. */
static void phases(void **state)
{
    struct state x;
    (void)state;
    build(&x, NEST_JACOBI, &rg__poly_step_resident_grid, NULL, 0);
    assert_non_null(x.k);
    assert_null(rg__kir_loop_of(x.k, KIR_GRID_Y));
    assert_int_equal(rg__kir_threads(x.k), 128);
    for (int i = 0; i < x.k->n_symbols; i++)
        if (x.k->symbols[i].kind == KIR_BUFFER) assert_false(x.k->symbols[i].alone); /* the other phase writes it */
    release(&x);
}

static bool look_wraps(void *arg, const struct kir_node *n)
{
    if (n->kind == KIR_FOR && n->kid[2]->type == RG_U32) *(bool *)arg = true;
    return true;
}

/* Does a loop of the kernel go by steps that may wrap? */
static bool wraps(const struct kir_kernel *k)
{
    bool found = false;
    rg__kir_walk(k->body, look_wraps, &found);
    return found;
}

/* What a thread's loop keeps updating is in a register, stored once behind it; around such loops strides are not
 * counted. */
static void loops(void **state)
{
    struct state x;
    (void)state;
    struct counts c = build(&x, NEST_GEMV, NULL, NULL, 0);
    assert_int_equal(c.serial, 1);
    assert_int_equal(c.stores, 1);
    release(&x);
    c = build(&x, NEST_GEMM_SPLIT, NULL, NULL, 0); /* C(i,j2) */
    assert_int_equal(c.vars, 1);
    assert_int_equal(c.assigns, 1);
    assert_int_equal(c.stores, 2);
    release(&x);
    build(&x, NEST_SAXPY, &rg__poly_step_grid_stride, NULL, 0);
    assert_false(wraps(x.k)); /* counted and unrolled by the compiler */
    release(&x);
    build(&x, NEST_GEMV, &rg__poly_step_grid_stride, NULL, 0);
    assert_true(wraps(x.k));
    release(&x);
    c = build(&x, NEST_GEMM_SPLIT, &rg__poly_step_unroll, NULL, 0);
    assert_int_equal(c.unrolled, 1);
    assert_int_equal(c.serial, 0);
    release(&x);
}

/* p(i,j-1), d(i,j-1) and, on the way back, d(i,k+1) come in registers from the iteration before. */
static void forwarded(void **state)
{
    struct state x;
    (void)state;
    struct counts c = build(&x, NEST_THOMAS, NULL, NULL, 0);
    assert_int_equal(c.serial, 2);
    assert_int_equal(c.down, 1);
    assert_int_equal(c.vars, 4); /* w, and the three */
    assert_int_equal(c.assigns, 3);
    assert_int_equal(c.stores, 3);
    release(&x);
}

/* Chunks whose loads come first, then what is left: two unrolled loops in one that goes by chunks, one by ones. */
static void chunks(void **state)
{
    struct state x;
    (void)state;
    struct counts c = build(&x, NEST_GEMM_SPLIT, &rg__poly_step_prefetch_register, NULL, 0);
    assert_int_equal(c.whiles, 2);
    assert_int_equal(c.unrolled, 2);
    assert_int_equal(c.own, 2); /* registers for A's elements and for B's, of a chunk each */
    assert_int_equal(c.serial, 0);
    release(&x);
}

/* A kernel of one thread leaves its scalars where others read them. */
static void alone(void **state)
{
    struct state x;
    (void)state;
    struct counts c = build(&x, NEST_SCALED, NULL, NULL, 0);
    assert_non_null(x.k);
    assert_int_equal(x.program->kernels[0].form, POLY_SINGLE);
    assert_int_equal(rg__kir_threads(x.k), 1);
    assert_true(c.stores >= 1);
    assert_int_equal(c.ifs, 0);
    release(&x);
}

/* Four points a thread: the sum of each lives in registers over the loop that all share, which stands twice, and what a
 * point that does not exist may compute as well is not guarded. */
static void several(void **state)
{
    struct state x;
    (void)state;
    struct counts c = build(&x, NEST_GEMM, &rg__poly_step_coarsen_register, NULL, 0);
    assert_non_null(x.k);
    assert_int_equal(c.own, 1);
    assert_int_equal(c.serial, 2);
    assert_int_equal(c.unrolled, 2 + 2 * 2 + 2);
    assert_int_equal(c.ifs, 1 + 1 + 1); /* the arms; what the second one adds; what is stored */
    assert_int_equal(rg__kir_threads(x.k), 32);
    release(&x);
}

/* An element that the loop keeps updating: loaded where its point exists, and stored there alone. */
static void several_updated(void **state)
{
    struct state x;
    (void)state;
    struct counts c = build(&x,
                            "in A[m][n]; in x[n]; inout y[m]; int m; int n | for i 0, m { for j 0, n { y(i) += "
                            "A(i,j) * x(j); } }",
                            &rg__poly_step_coarsen_register, NULL, 0);
    assert_non_null(x.k);
    assert_int_equal(c.own, 1);
    assert_int_equal(c.serial, 2);
    assert_int_equal(c.unrolled, 1 + 2 + 1);
    assert_int_equal(c.ifs, 1 + 1 + 1); /* the arms; what the second one adds; what is stored */
    release(&x);
}

/* Blocks above the diagonal run nothing; no two arms, as no block's points can be told to exist all. */
static void several_triangular(void **state)
{
    struct state x;
    (void)state;
    struct counts c = build(&x, NEST_SYRK, &rg__poly_step_coarsen_register, NULL, 0);
    assert_non_null(x.k);
    const struct kir_node *in = rg__kir_body((struct kir_node *)rg__kir_loop_of(x.k, KIR_BLOCK_X));
    assert_int_equal(in->kid[in->n - 1]->kind, KIR_IF);
    assert_null(in->kid[in->n - 1]->kid[2]);
    assert_int_equal(rg__kir_varies(x.k, in->kid[in->n - 1]->kid[0]), KIR_BLOCK);
    assert_true(c.serial <= 1);
    release(&x);
}

/* Tiles in shared memory: each strip's copies stand between barriers, full tiles beside others, whole rows are copied
 * several elements at once where they are aligned. */
static void staged(void **state)
{
    struct state x;
    (void)state;
    struct counts c = build(&x, NEST_GEMM, &rg__poly_step_tile_two_level, NULL, 0);
    assert_non_null(x.k);
    assert_int_equal(c.barriers, 2);
    assert_int_equal(c.shared, 2 * 2); /* inside the array, and at its rim */
    assert_int_equal(c.serial, 2);     /* strips, and the iterations of one: copies are rounds that are written out */
    assert_int_equal(c.copies, 0);
    assert_true(rg__kir_shared_bytes(x.k) >= (2 + 64) * 8 * 4);
    release(&x);
    c = build(&x, NEST_GEMM, &rg__poly_step_tile_two_level, &rg__poly_step_vectorize, 0);
    assert_int_equal(c.barriers, 2);
    assert_int_equal(c.aligned, 1);
    assert_int_equal(c.width, 4);
    release(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(points),
                                       cmocka_unit_test(neighbours),
                                       cmocka_unit_test(many_blocks),
                                       cmocka_unit_test(phases),
                                       cmocka_unit_test(loops),
                                       cmocka_unit_test(forwarded),
                                       cmocka_unit_test(chunks),
                                       cmocka_unit_test(alone),
                                       cmocka_unit_test(several),
                                       cmocka_unit_test(several_updated),
                                       cmocka_unit_test(several_triangular),
                                       cmocka_unit_test(staged)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
