/* Kernel IR: builders compute what is known, passes shorten, the verifier refuses each rule's breach and takes what
 * keeps it, both printers write a kernel down, and a printed one does what the C does that it was converted from. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "poly/cuda/kir_cuda.h"
#include "poly/kir/kir.h"
#include "tests/poly/execute.h"
#include "tests/poly/mini.h"

enum { THREADS = 128 };

/* A kernel over n elements with 128 threads a block, and what tests want of it. */
struct bench {
    struct rg_arena arena;
    struct kir_kernel *k;
    int n, x, y, tile, regs, block, tx;
    struct kir_node *in; /* the body of a thread */
};

static struct kir_node *num(struct bench *b, int64_t v)
{
    return rg__kir_int(b->k, v);
}

static struct kir_node *nam(struct bench *b, int symbol)
{
    return rg__kir_name(b->k, symbol);
}

static struct kir_node *at(struct bench *b, int buffer, struct kir_node *i)
{
    return rg__kir_at(b->k, buffer, 1, i);
}

static void add(struct bench *b, struct kir_node *s)
{
    rg__kir_add_to(b->k, b->in, s);
}

static void setup(struct bench *b)
{
    memset(b, 0, sizeof *b);
    struct kir_kernel *k = b->k = rg__kir_kernel_new(&b->arena, NULL, "test");
    b->n = rg__kir_param(k, "n", RG_I32);
    struct kir_node *n = nam(b, b->n), *tile = num(b, 2 * THREADS), *four = num(b, 4);
    b->x = rg__kir_buffer(k, "x", KIR_GLOBAL, RG_F32, 1, &n);
    b->y = rg__kir_buffer(k, "y", KIR_GLOBAL, RG_F32, 1, &n);
    b->tile = rg__kir_buffer(k, "tile", KIR_SHARED, RG_F32, 1, &tile);
    b->regs = rg__kir_buffer(k, "r", KIR_REGISTER, RG_F32, 1, &four);
    b->block = rg__kir_index(k, "b", RG_I32);
    b->tx = rg__kir_index(k, "tx", RG_I32);
    struct kir_node *grid = rg__kir_for(k, KIR_GRID_X, b->block, rg__kir_ceil_div(k, n, THREADS)),
                    *threads = rg__kir_for(k, KIR_BLOCK_X, b->tx, num(b, THREADS));
    rg__kir_add_to(k, rg__kir_body(grid), threads);
    k->body = grid;
    b->in = rg__kir_body(threads);
}

/* ---- builders ---- */

static void numbers(void **state)
{
    struct bench b;
    int64_t v;
    (void)state;
    setup(&b);
    struct kir_node *tx = nam(&b, b.tx);
    assert_ptr_equal(rg__kir_add(b.k, tx, num(&b, 0)), tx);
    assert_ptr_equal(rg__kir_mul(b.k, num(&b, 1), tx), tx);
    assert_true(rg__kir_number(b.k, rg__kir_mul(b.k, num(&b, 6), num(&b, 7)), &v) && v == 42);
    /* x + 2 + 3 is x + 5; what would not fit an int stays as it is */
    struct kir_node *sum = rg__kir_add(b.k, rg__kir_add(b.k, tx, num(&b, 2)), num(&b, 3));
    assert_ptr_equal(sum->kid[0], tx);
    assert_int_equal(sum->kid[1]->ivalue, 5);
    assert_int_equal(rg__kir_add(b.k, num(&b, 2147483647), num(&b, 1))->kind, KIR_BINARY);
    /* reals keep what changes a -0.0 */
    struct kir_node *x = at(&b, b.x, tx), *zero = rg__kir_real(b.k, 0, RG_F32);
    assert_int_equal(rg__kir_add(b.k, x, zero)->kind, KIR_BINARY);
    /* C's conversions */
    assert_int_equal(rg__kir_add(b.k, tx, rg__kir_real(b.k, 1, RG_F64))->type, RG_F64);
    assert_int_equal(rg__kir_less(b.k, x, zero)->type, RG_I32);
    assert_int_equal(rg__kir_and(b.k, num(&b, 0), rg__kir_less(b.k, tx, num(&b, 3)))->ivalue, 0);
    /* equal trees, equal numbers */
    struct kir_node *p = rg__kir_less(b.k, rg__kir_add(b.k, tx, num(&b, 4)), nam(&b, b.n)),
                    *q = rg__kir_less(b.k, rg__kir_add(b.k, tx, num(&b, 4)), nam(&b, b.n)),
                    *r = rg__kir_less(b.k, rg__kir_add(b.k, tx, num(&b, 5)), nam(&b, b.n));
    assert_true(rg__kir_equal(p, q) && rg__kir_hash(p) == rg__kir_hash(q));
    assert_false(rg__kir_equal(p, r));
    assert_true(rg__kir_mentions(p, b.n) && !rg__kir_mentions(p, b.block));
    rg_arena_release(&b.arena);
}

static void names(void **state)
{
    struct bench b;
    (void)state;
    setup(&b);
    assert_string_equal(b.k->symbols[rg__kir_value(b.k, "x", RG_F32)].name, "x_2");
    assert_string_equal(b.k->symbols[rg__kir_value(b.k, "threadIdx", RG_I32)].name, "threadIdx_2");
    rg_arena_release(&b.arena);
}

/* ---- passes ---- */

static void passes(void **state)
{
    struct bench b;
    (void)state;
    setup(&b);
    struct kir_kernel *k = b.k;
    int i = rg__kir_index(k, "i", RG_I32), v = rg__kir_value(k, "v", RG_I32), w = rg__kir_value(k, "w", RG_I32),
        one = rg__kir_index(k, "one", RG_I32);
    struct kir_node *loop = rg__kir_for(k, KIR_SERIAL, i, nam(&b, b.n)), *body = rg__kir_body(loop);
    rg__kir_add_to(k, body, rg__kir_let(k, v, rg__kir_mul(k, nam(&b, b.tx), num(&b, 4))));
    rg__kir_add_to(k, body, rg__kir_let(k, w, rg__kir_add(k, nam(&b, i), num(&b, 4))));
    rg__kir_add_to(k, body,
                   rg__kir_store(k, at(&b, b.y, rg__kir_add(k, nam(&b, v), nam(&b, i))), rg__kir_real(k, 1, RG_F32)));
    struct kir_node *never = rg__kir_if(k, rg__kir_less(k, num(&b, 2), num(&b, 1)));
    rg__kir_add_to(k, rg__kir_body(never), rg__kir_barrier(k, KIR_BLOCK));
    struct kir_node *once = rg__kir_for(k, KIR_UNROLLED, one, num(&b, 1));
    rg__kir_add_to(k, rg__kir_body(once), rg__kir_store(k, at(&b, b.y, nam(&b, one)), rg__kir_real(k, 2, RG_F32)));
    add(&b, loop);
    add(&b, never);
    add(&b, once);
    rg__kir_finish(k);
    struct kir_node *in = k->body->kid[3]->kid[0]->kid[3];
    assert_int_equal(in->n, 3); /* v in front of the loop, the loop, the store: w and the condition are gone */
    assert_int_equal(in->kid[0]->kind, KIR_LET);
    assert_int_equal(in->kid[0]->symbol, v);
    assert_int_equal(in->kid[1]->kind, KIR_FOR);
    assert_int_equal(in->kid[1]->kid[3]->n, 1);
    assert_int_equal(in->kid[2]->kind, KIR_STORE);
    assert_int_equal(in->kid[2]->kid[0]->kid[0]->kind, KIR_INT);
    assert_true(k->symbols[b.y].written && !k->symbols[b.x].written);
    rg_arena_release(&b.arena);
}

static void full_and_guarded(void **state)
{
    struct bench b;
    (void)state;
    setup(&b);
    struct kir_kernel *k = b.k;
    struct kir_node *each = rg__kir_less(k, nam(&b, b.tx), nam(&b, b.n)),
                    *all = rg__kir_less(k, num(&b, THREADS), nam(&b, b.n));
    struct kir_node *branch = rg__kir_if(k, each), *s;
    rg__kir_add_to(k, rg__kir_body(branch), rg__kir_store(k, at(&b, b.y, nam(&b, b.tx)), at(&b, b.x, nam(&b, b.tx))));
    s = rg__kir_full_and_guarded(k, all, each, branch);
    assert_int_equal(s->kind, KIR_IF);
    assert_int_equal(s->kid[1]->kid[0]->kind, KIR_STORE);
    assert_int_equal(s->kid[2]->kid[0]->kind, KIR_IF);
    s = rg__kir_full_and_guarded(k, num(&b, 1), each, branch);
    assert_int_equal(s->kind, KIR_SEQ);
    assert_int_equal(s->kid[0]->kind, KIR_STORE);
    rg_arena_release(&b.arena);
}

/* ---- the verifier: each rule, kept and broken ---- */

static struct kir_node *tile_at(struct bench *b, int64_t shift)
{
    return at(b, b->tile, rg__kir_add(b->k, nam(b, b->tx), num(b, shift)));
}

static struct kir_node *fill_tile(struct bench *b)
{
    return rg__kir_store(b->k, tile_at(b, 0), at(b, b->x, nam(b, b->tx)));
}

static struct kir_node *use_tile(struct bench *b, int64_t shift)
{
    return rg__kir_store(b->k, at(b, b->y, nam(b, b->tx)), tile_at(b, shift));
}

static struct kir_node *wait(struct bench *b)
{
    return rg__kir_barrier(b->k, KIR_BLOCK);
}

static struct kir_node *looped(struct bench *b, int64_t extent, struct kir_node *const *items, int n)
{
    struct kir_node *l = rg__kir_for(b->k, KIR_SERIAL, rg__kir_index(b->k, "t", RG_I32), num(b, extent));
    for (int i = 0; i < n; i++) rg__kir_add_to(b->k, rg__kir_body(l), items[i]);
    return l;
}

static void when(struct bench *b, struct kir_node *condition, struct kir_node *s)
{
    struct kir_node *branch = rg__kir_if(b->k, condition);
    rg__kir_add_to(b->k, rg__kir_body(branch), s);
    add(b, branch);
}

static void shared_with_barrier(struct bench *b)
{
    add(b, fill_tile(b));
    add(b, wait(b));
    add(b, use_tile(b, 1));
}
static void shared_without_barrier(struct bench *b)
{
    add(b, fill_tile(b));
    add(b, use_tile(b, 1));
}
static void shared_own_element(struct bench *b)
{
    add(b, fill_tile(b));
    add(b, use_tile(b, 0));
}
static void shared_same_text_other_thread(struct bench *b) /* tile[tx / 2]: two threads have it */
{
    struct kir_node *half = rg__kir_div(b->k, nam(b, b->tx), num(b, 2));
    when(b, rg__kir_binary(b->k, RG_COP_EQ, rg__kir_rem(b->k, nam(b, b->tx), num(b, 2)), num(b, 0)),
         rg__kir_store(b->k, at(b, b->tile, half), at(b, b->x, nam(b, b->tx))));
    add(b, rg__kir_store(b->k, at(b, b->y, nam(b, b->tx)), at(b, b->tile, half)));
}
static void shared_never_written(struct bench *b)
{
    add(b, wait(b));
    add(b, use_tile(b, 1));
}
static void shared_around_a_loop(struct bench *b)
{
    struct kir_node *items[] = {fill_tile(b), wait(b), use_tile(b, 1)};
    add(b, looped(b, 8, items, 3));
}
static void shared_around_a_loop_twice(struct bench *b)
{
    struct kir_node *items[] = {fill_tile(b), wait(b), use_tile(b, 1), wait(b)};
    add(b, looped(b, 8, items, 4));
}
static void shared_two_values(struct bench *b)
{
    add(b, rg__kir_store(b->k, at(b, b->tile, num(b, 0)), at(b, b->x, nam(b, b->tx))));
}
static void shared_one_value(struct bench *b)
{
    when(b, rg__kir_binary(b->k, RG_COP_EQ, nam(b, b->tx), num(b, 0)),
         rg__kir_store(b->k, at(b, b->tile, num(b, 0)), at(b, b->x, nam(b, b->tx))));
}
static void shared_other_elements(struct bench *b) /* 0 .. by one thread, 128 .. read: told apart by numbers alone */
{
    add(b, rg__kir_store(b->k, at(b, b->tile, num(b, 0)), rg__kir_real(b->k, 0, RG_F32)));
    add(b, rg__kir_store(b->k, at(b, b->tile, num(b, 1)), rg__kir_real(b->k, 0, RG_F32)));
    add(b, wait(b));
    add(b, rg__kir_store(b->k, at(b, b->tile, num(b, 2)), at(b, b->tile, num(b, 1))));
}
static void shared_shifted_in_a_loop(struct bench *b) /* tile[tx + t], and t has gone on when it is read */
{
    struct kir_node *l = looped(b, 4, NULL, 0);
    struct kir_node *place = at(b, b->tile, rg__kir_add(b->k, nam(b, b->tx), rg__kir_name(b->k, l->symbol)));
    rg__kir_add_to(b->k, rg__kir_body(l), rg__kir_store(b->k, place, at(b, b->x, nam(b, b->tx))));
    rg__kir_add_to(b->k, rg__kir_body(l), rg__kir_store(b->k, at(b, b->y, nam(b, b->tx)), place));
    add(b, l);
}
static void warp_part(struct bench *b, int64_t by)
{
    struct kir_node *dims[] = {num(b, 4), num(b, 32)};
    int s = rg__kir_buffer(b->k, "part", KIR_SHARED, RG_F32, 2, dims), lane = rg__kir_index(b->k, "lane", RG_I32);
    b->k->symbols[s].shared_by = KIR_WARP;
    struct kir_node *lanes = rg__kir_for(b->k, KIR_LANE, lane, num(b, 32)), *in = rg__kir_body(lanes);
    struct kir_node *warp = rg__kir_div(b->k, nam(b, b->tx), num(b, by));
    rg__kir_add_to(b->k, in,
                   rg__kir_store(b->k, rg__kir_at(b->k, s, 2, warp, nam(b, lane)), at(b, b->x, nam(b, b->tx))));
    rg__kir_add_to(b->k, in, rg__kir_barrier(b->k, KIR_WARP));
    rg__kir_add_to(b->k, in, rg__kir_store(b->k, at(b, b->y, nam(b, b->tx)), rg__kir_at(b->k, s, 2, warp, num(b, 0))));
    add(b, lanes);
}
static void warp_own_part(struct bench *b)
{
    warp_part(b, 32);
}
static void warp_others_part(struct bench *b)
{
    warp_part(b, 64);
}
static void barrier_under_uniform(struct bench *b)
{
    when(b, rg__kir_less(b->k, nam(b, b->block), nam(b, b->n)), wait(b));
}
static void barrier_under_thread(struct bench *b)
{
    when(b, rg__kir_less(b->k, nam(b, b->tx), num(b, 7)), wait(b));
}
static void barrier_under_named(struct bench *b) /* what a thread's place decides, by way of two names and a scalar */
{
    int v = rg__kir_value(b->k, "v", RG_I32), s = rg__kir_scalar(b->k, "s", RG_I32);
    add(b, rg__kir_let(b->k, v, rg__kir_mul(b->k, nam(b, b->tx), num(b, 2))));
    add(b, rg__kir_var(b->k, s, num(b, 0)));
    when(b, rg__kir_less(b->k, nam(b, v), num(b, 9)), rg__kir_assign(b->k, s, num(b, 1)));
    when(b, rg__kir_less(b->k, nam(b, s), num(b, 1)), wait(b));
}
static void barrier_in_loop(struct bench *b)
{
    struct kir_node *items[] = {wait(b)};
    struct kir_node *l = looped(b, 3, items, 1);
    l->kid[1] = nam(b, b->tx);
    add(b, l);
}
static void barrier_of_warp(struct bench *b)
{
    when(b, rg__kir_less(b->k, rg__kir_div(b->k, nam(b, b->tx), num(b, 32)), num(b, 1)),
         rg__kir_barrier(b->k, KIR_WARP));
}
static void barrier_of_half(struct bench *b)
{
    when(b, rg__kir_less(b->k, rg__kir_div(b->k, nam(b, b->tx), num(b, 16)), num(b, 1)),
         rg__kir_barrier(b->k, KIR_WARP));
}
static void shuffle(struct bench *b)
{
    add(b, rg__kir_store(b->k, at(b, b->y, nam(b, b->tx)),
                         rg__kir_shuffle(b->k, KIR_SHUFFLE_XOR, 32, at(b, b->x, nam(b, b->tx)), num(b, 1))));
}
static void shuffle_under_thread(struct bench *b)
{
    when(b, rg__kir_less(b->k, nam(b, b->tx), nam(b, b->n)),
         rg__kir_store(b->k, at(b, b->y, nam(b, b->tx)),
                       rg__kir_shuffle(b->k, KIR_SHUFFLE_XOR, 32, at(b, b->x, nam(b, b->tx)), num(b, 1))));
}
static void shuffle_of_three(struct bench *b)
{
    add(b, rg__kir_store(b->k, at(b, b->y, nam(b, b->tx)),
                         rg__kir_shuffle(b->k, KIR_SHUFFLE_XOR, 3, at(b, b->x, nam(b, b->tx)), num(b, 1))));
}
static void name_without_value(struct bench *b)
{
    add(b, rg__kir_store(b->k, at(b, b->y, nam(b, rg__kir_value(b->k, "v", RG_I32))), rg__kir_real(b->k, 0, RG_F32)));
}
static void name_twice(struct bench *b)
{
    int v = rg__kir_value(b->k, "v", RG_I32);
    add(b, rg__kir_let(b->k, v, num(b, 1)));
    add(b, rg__kir_let(b->k, v, num(b, 1)));
}
static void name_in_two_arms(struct bench *b)
{
    int v = rg__kir_value(b->k, "v", RG_I32);
    when(b, nam(b, b->tx), rg__kir_let(b->k, v, num(b, 1)));
    when(b, nam(b, b->n), rg__kir_let(b->k, v, num(b, 1)));
}
static void scalar_unset(struct bench *b)
{
    int s = rg__kir_scalar(b->k, "s", RG_F32);
    add(b, rg__kir_var(b->k, s, NULL));
    add(b, rg__kir_store(b->k, at(b, b->y, nam(b, b->tx)), nam(b, s)));
}
static void parameter_set(struct bench *b)
{
    add(b, rg__kir_assign(b->k, b->n, num(b, 1)));
}
static void type_stored(struct bench *b)
{
    struct kir_node *s = rg__kir_store(b->k, at(b, b->y, nam(b, b->tx)), num(b, 1));
    s->kid[1] = num(b, 1);
    add(b, s);
}
static void type_subscript(struct bench *b)
{
    add(b, rg__kir_store(b->k, at(b, b->y, rg__kir_real(b->k, 1, RG_F32)), rg__kir_real(b->k, 1, RG_F32)));
}
static void subscripts(struct bench *b)
{
    add(b, rg__kir_store(b->k, rg__kir_at(b->k, b->y, 2, num(b, 0), num(b, 0)), rg__kir_real(b->k, 1, RG_F32)));
}
static void loop_twice(struct bench *b)
{
    add(b, rg__kir_for(b->k, KIR_BLOCK_X, rg__kir_index(b->k, "u", RG_I32), num(b, 2)));
}
static void loop_of_unknown_threads(struct bench *b)
{
    add(b, rg__kir_for(b->k, KIR_BLOCK_Y, rg__kir_index(b->k, "ty", RG_I32), nam(b, b->n)));
}
static void loop_inside(struct bench *b)
{
    when(b, nam(b, b->n), rg__kir_for(b->k, KIR_BLOCK_Y, rg__kir_index(b->k, "ty", RG_I32), num(b, 2)));
}
static void lanes_of_half(struct bench *b)
{
    add(b, rg__kir_for(b->k, KIR_LANE, rg__kir_index(b->k, "lane", RG_I32), num(b, 48)));
}
static void lanes(struct bench *b)
{
    add(b, rg__kir_for(b->k, KIR_LANE, rg__kir_index(b->k, "lane", RG_I32), num(b, 8)));
}
static void step_of_none(struct bench *b)
{
    add(b, rg__kir_for_range(b->k, KIR_SERIAL, rg__kir_index(b->k, "t", RG_I32), num(b, 0), nam(b, b->n), num(b, 0)));
}
static void registers(struct bench *b, enum kir_loop kind)
{
    int i = rg__kir_index(b->k, "i", RG_I32);
    struct kir_node *l = rg__kir_for(b->k, kind, i, num(b, 4));
    rg__kir_add_to(b->k, rg__kir_body(l), rg__kir_store(b->k, at(b, b->regs, nam(b, i)), at(b, b->x, nam(b, i))));
    add(b, l);
}
static void registers_unrolled(struct bench *b)
{
    registers(b, KIR_UNROLLED);
}
static void registers_in_a_loop(struct bench *b)
{
    registers(b, KIR_SERIAL);
}
static void out_of_extent(struct bench *b)
{
    add(b, rg__kir_store(b->k, at(b, b->regs, num(b, 4)), rg__kir_real(b->k, 0, RG_F32)));
}
static void vector_out_of_extent(struct bench *b)
{
    add(b, rg__kir_copy(b->k, at(b, b->regs, num(b, 2)), at(b, b->x, num(b, 0)), 4, false));
}
static void vector(struct bench *b)
{
    add(b, rg__kir_copy(b->k, at(b, b->regs, num(b, 0)), at(b, b->x, num(b, 0)), 4, false));
}
static void vector_of_three(struct bench *b)
{
    add(b, rg__kir_copy(b->k, at(b, b->regs, num(b, 0)), at(b, b->x, num(b, 0)), 3, false));
}
static void too_many_threads(struct bench *b)
{
    add(b, rg__kir_for(b->k, KIR_BLOCK_Y, rg__kir_index(b->k, "ty", RG_I32), num(b, 16)));
}
static void too_much_shared(struct bench *b)
{
    struct kir_node *n = num(b, 228 * 1024);
    int s = rg__kir_buffer(b->k, "big", KIR_SHARED, RG_I8, 1, &n);
    add(b, rg__kir_store(b->k, at(b, s, nam(b, b->tx)), rg__kir_cast(b->k, RG_I8, num(b, 1))));
}
static void too_many_registers(struct bench *b)
{
    struct kir_node *n = num(b, 300);
    int s = rg__kir_buffer(b->k, "big", KIR_REGISTER, RG_F32, 1, &n);
    add(b, rg__kir_store(b->k, at(b, s, num(b, 0)), rg__kir_real(b->k, 0, RG_F32)));
}
static void shared_of_unknown_size(struct bench *b)
{
    struct kir_node *n = nam(b, b->n);
    rg__kir_buffer(b->k, "big", KIR_SHARED, RG_F32, 1, &n);
}
static void shared_of_the_launch(struct bench *b)
{
    struct kir_node *n = nam(b, b->n);
    int s = rg__kir_buffer(b->k, "big", KIR_SHARED, RG_F32, 1, &n);
    b->k->fits = rg__kir_binary(b->k, RG_COP_LE, n, num(b, 1000));
    add(b, rg__kir_store(b->k, at(b, s, nam(b, b->tx)), rg__kir_real(b->k, 0, RG_F32)));
}
static void extent_of_grid(struct bench *b)
{
    add(b, rg__kir_store(b->k, at(b, b->y, rg__kir_extent(b->k, KIR_GRID_X)), rg__kir_real(b->k, 0, RG_F32)));
}
static void extent_of_nothing(struct bench *b)
{
    add(b, rg__kir_store(b->k, at(b, b->y, rg__kir_extent(b->k, KIR_GRID_Y)), rg__kir_real(b->k, 0, RG_F32)));
}
static void exchanged(struct bench *b, bool named)
{
    int old = rg__kir_value(b->k, "old", RG_F32);
    if (named) add(b, rg__kir_let(b->k, old, rg__kir_real(b->k, 0, RG_F32)));
    add(b, rg__kir_update(b->k, KIR_GRID, at(b, b->y, num(b, 0)), old,
                          rg__kir_max(b->k, nam(b, old), at(b, b->x, nam(b, b->tx))), true));
}
static void update(struct bench *b)
{
    exchanged(b, false);
}
static void update_over_another_name(struct bench *b)
{
    exchanged(b, true);
}
static void atomic_sum(struct bench *b)
{
    add(b,
        rg__kir_atomic(b->k, KIR_ATOMIC_ADD, KIR_GRID, at(b, b->y, num(b, 0)), at(b, b->x, nam(b, b->tx)), NULL, -1));
}
static void atomic_maximum_of_reals(struct bench *b)
{
    add(b,
        rg__kir_atomic(b->k, KIR_ATOMIC_MAX, KIR_GRID, at(b, b->y, num(b, 0)), at(b, b->x, nam(b, b->tx)), NULL, -1));
}
static void atomics_meet(struct bench *b)
{
    struct kir_node *n = num(b, 1);
    int s = rg__kir_buffer(b->k, "count", KIR_SHARED, RG_I32, 1, &n);
    add(b, rg__kir_store(b->k, at(b, s, num(b, 0)), num(b, 0)));
    add(b, wait(b));
    for (int i = 0; i < 2; i++)
        add(b, rg__kir_atomic(b->k, KIR_ATOMIC_ADD, KIR_BLOCK, at(b, s, num(b, 0)), num(b, 1), NULL, -1));
}
static void copies(struct bench *b, int stages, int left, bool barrier)
{
    struct kir_node *dims[] = {num(b, stages), num(b, THREADS)}, *s = num(b, stages);
    int q = rg__kir_buffer(b->k, "queue", KIR_SHARED, RG_F32, 2, dims), t = rg__kir_index(b->k, "t", RG_I32);
    b->k->symbols[q].stages = stages;
    struct kir_node *tx = nam(b, b->tx), *l = rg__kir_for(b->k, KIR_SERIAL, t, nam(b, b->n)), *in = rg__kir_body(l),
                    *now = nam(b, t);
    for (int i = 0; i < stages - 1; i++) {
        add(b, rg__kir_copy(b->k, rg__kir_at(b->k, q, 2, num(b, i), tx), at(b, b->x, num(b, i)), 1, true));
        add(b, rg__kir_commit(b->k));
    }
    rg__kir_add_to(b->k, in, rg__kir_wait(b->k, left));
    if (barrier) rg__kir_add_to(b->k, in, wait(b));
    struct kir_node *next = rg__kir_add(b->k, now, num(b, stages - 1));
    rg__kir_add_to(
        b->k, in,
        rg__kir_copy(b->k, rg__kir_at(b->k, q, 2, rg__kir_rem(b->k, next, s), tx), at(b, b->x, next), 1, true));
    rg__kir_add_to(b->k, in, rg__kir_commit(b->k));
    rg__kir_add_to(b->k, in,
                   rg__kir_store(b->k, at(b, b->y, tx), rg__kir_at(b->k, q, 2, rg__kir_rem(b->k, now, s), num(b, 5))));
    add(b, l);
}
static void copies_in_three_stages(struct bench *b)
{
    copies(b, 3, 1, true);
}
static void copies_not_waited_for(struct bench *b)
{
    copies(b, 3, 2, true);
}
static void copies_one_stage_late(struct bench *b) /* two stages, and two groups are on their way when one is read */
{
    struct kir_node *dims[] = {num(b, 2), num(b, THREADS)};
    int q = rg__kir_buffer(b->k, "queue", KIR_SHARED, RG_F32, 2, dims);
    b->k->symbols[q].stages = 2;
    for (int i = 0; i < 3; i++) {
        add(b,
            rg__kir_copy(b->k, rg__kir_at(b->k, q, 2, num(b, i % 2), nam(b, b->tx)), at(b, b->x, num(b, i)), 1, true));
        add(b, rg__kir_commit(b->k));
    }
    add(b, rg__kir_wait(b->k, 2));
    add(b, wait(b));
    add(b, rg__kir_store(b->k, at(b, b->y, nam(b, b->tx)), rg__kir_at(b->k, q, 2, num(b, 0), num(b, 5))));
}
static void dealt(struct bench *b, int64_t step, bool rows)
{
    int s = rg__kir_index(b->k, "s", RG_I32), r = b->tile;
    struct kir_node *dims[] = {num(b, 8), num(b, 32)}, *i = nam(b, s), *place;
    struct kir_node *l = rg__kir_for_range(b->k, KIR_SERIAL, s, nam(b, b->tx), num(b, 2 * THREADS), num(b, step));
    if (rows) r = rg__kir_buffer(b->k, "rows", KIR_SHARED, RG_F32, 2, dims);
    place =
        rows ? rg__kir_at(b->k, r, 2, rg__kir_div(b->k, i, num(b, 32)), rg__kir_rem(b->k, i, num(b, 32))) : at(b, r, i);
    rg__kir_add_to(b->k, rg__kir_body(l), rg__kir_store(b->k, place, at(b, b->x, i)));
    add(b, l);
}
static void dealt_out(struct bench *b)
{
    dealt(b, THREADS, false);
}
static void dealt_out_in_rows(struct bench *b)
{
    dealt(b, THREADS, true);
}
static void dealt_out_too_close(struct bench *b)
{
    dealt(b, THREADS / 2, false);
}
static void copies_not_met(struct bench *b)
{
    copies(b, 3, 1, false);
}
static void peers(struct bench *b, enum kir_scope scope)
{
    struct kir_node *grid = b->k->body, *threads = rg__kir_body(grid);
    int rank = rg__kir_index(b->k, "rank", RG_I32);
    struct kir_node *cluster = rg__kir_for(b->k, KIR_CLUSTER_X, rank, num(b, 4)), *outer;
    rg__kir_add_to(b->k, rg__kir_body(cluster), threads);
    outer = rg__kir_for(b->k, KIR_GRID_X, b->block, grid->kid[1]);
    rg__kir_add_to(b->k, rg__kir_body(outer), cluster);
    b->k->body = outer;
    b->in = rg__kir_body(rg__kir_body(cluster)->kid[0]);
    add(b, fill_tile(b));
    add(b, rg__kir_barrier(b->k, scope));
    add(b, rg__kir_store(b->k, at(b, b->y, nam(b, b->tx)), rg__kir_peer(b->k, tile_at(b, 0), num(b, 1))));
    add(b, rg__kir_barrier(b->k, KIR_CLUSTER));
}
static void peers_met(struct bench *b)
{
    peers(b, KIR_CLUSTER);
}
static void peers_not_met(struct bench *b)
{
    peers(b, KIR_BLOCK);
}

static const struct {
    const char *name;
    void (*make)(struct bench *b);
    const char *refused; /* part of the sentence; NULL: it is right */
} rules[] = {
    {"shared_with_barrier", shared_with_barrier, NULL},
    {"shared_without_barrier", shared_without_barrier, "no barrier of the block"},
    {"shared_own_element", shared_own_element, NULL},
    {"shared_same_text_other_thread", shared_same_text_other_thread, "no barrier of the block"},
    {"shared_never_written", shared_never_written, "nothing has written it"},
    {"shared_around_a_loop", shared_around_a_loop, "is written here with no barrier"},
    {"shared_around_a_loop_twice", shared_around_a_loop_twice, NULL},
    {"shared_two_values", shared_two_values, "write different values"},
    {"shared_one_value", shared_one_value, NULL},
    {"shared_other_elements", shared_other_elements, NULL},
    {"shared_shifted_in_a_loop", shared_shifted_in_a_loop, "no barrier of the block"},
    {"warp_own_part", warp_own_part, NULL},
    {"warp_others_part", warp_others_part, "a part for each warp"},
    {"barrier_under_uniform", barrier_under_uniform, NULL},
    {"barrier_under_thread", barrier_under_thread, "varies in the block"},
    {"barrier_under_named", barrier_under_named, "varies in the block"},
    {"barrier_in_loop", barrier_in_loop, "varies in the block"},
    {"barrier_of_warp", barrier_of_warp, NULL},
    {"barrier_of_half", barrier_of_half, "varies in the warp"},
    {"shuffle", shuffle, NULL},
    {"shuffle_under_thread", shuffle_under_thread, "varies in the warp"},
    {"shuffle_of_three", shuffle_of_three, "2, 4, 8, 16 or 32 lanes"},
    {"name_without_value", name_without_value, "has no value"},
    {"name_twice", name_twice, "named twice"},
    {"name_in_two_arms", name_in_two_arms, NULL},
    {"scalar_unset", scalar_unset, "before it is set"},
    {"parameter_set", parameter_set, "no variable"},
    {"type_stored", type_stored, "another type"},
    {"type_subscript", type_subscript, "no integer"},
    {"subscripts", subscripts, "2 subscripts"},
    {"loop_twice", loop_twice, "two loops over block.x"},
    {"loop_of_unknown_threads", loop_of_unknown_threads, "is a number"},
    {"loop_inside", loop_inside, "inside another statement"},
    {"lanes", lanes, NULL},
    {"lanes_of_half", lanes_of_half, "neighbours along block.x"},
    {"step_of_none", step_of_none, "goes by 0"},
    {"registers_unrolled", registers_unrolled, NULL},
    {"registers_in_a_loop", registers_in_a_loop, "not known when loops are unrolled"},
    {"out_of_extent", out_of_extent, "its extent is 4"},
    {"vector", vector, NULL},
    {"vector_out_of_extent", vector_out_of_extent, "its extent is 4"},
    {"vector_of_three", vector_of_three, "12 bytes"},
    {"too_many_threads", too_many_threads, "2048 threads"},
    {"too_much_shared", too_much_shared, "bytes of shared memory"},
    {"too_many_registers", too_many_registers, "bytes in registers"},
    {"shared_of_unknown_size", shared_of_unknown_size, "not known"},
    {"shared_of_the_launch", shared_of_the_launch, NULL},
    {"extent_of_grid", extent_of_grid, NULL},
    {"extent_of_nothing", extent_of_nothing, "no loop over grid.y"},
    {"update", update, NULL},
    {"update_over_another_name", update_over_another_name, "a new name"},
    {"atomic_sum", atomic_sum, NULL},
    {"atomic_maximum_of_reals", atomic_maximum_of_reals, "of reals"},
    {"atomics_meet", atomics_meet, NULL},
    {"copies_in_three_stages", copies_in_three_stages, NULL},
    {"copies_not_waited_for", copies_not_waited_for, "nothing has written it"},
    {"copies_one_stage_late", copies_one_stage_late, "on their way"},
    {"dealt_out", dealt_out, NULL},
    {"dealt_out_in_rows", dealt_out_in_rows, NULL},
    {"dealt_out_too_close", dealt_out_too_close, "no barrier of the block"},
    {"copies_not_met", copies_not_met, "no barrier of the block"},
    {"peers_met", peers_met, NULL},
    {"peers_not_met", peers_not_met, "no barrier of the cluster"},
};

static void verifier(void **state)
{
    int bad = 0;
    (void)state;
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        struct bench b;
        struct kir_refusal why;
        setup(&b);
        rules[i].make(&b);
        bool ok = rg__kir_verify(b.k, &why), want = !rules[i].refused;
        if (ok != want || (!want && !strstr(why.text, rules[i].refused))) {
            struct rg_buf text = RG_BUF_INIT;
            rg__kir_pseudo(b.k, &text);
            fprintf(stderr, "%s: %s\n%s", rules[i].name, ok ? "taken" : why.text, text.data);
            rg_buf_release(&text);
            bad++;
        }
        if (!ok && why.node && rules[i].refused) assert_true(why.node->kind <= KIR_OPAQUE);
        rg_arena_release(&b.arena);
    }
    assert_int_equal(bad, 0);
}

/* How far values vary. */
static void varies(void **state)
{
    struct bench b;
    (void)state;
    setup(&b);
    int v = rg__kir_value(b.k, "v", RG_I32), u = rg__kir_value(b.k, "u", RG_F32);
    add(&b, rg__kir_let(b.k, v, rg__kir_div(b.k, nam(&b, b.tx), num(&b, 32))));
    add(&b, rg__kir_let(b.k, u, at(&b, b.x, nam(&b, b.block))));
    add(&b, rg__kir_store(b.k, at(&b, b.y, nam(&b, b.tx)), nam(&b, u)));
    assert_int_equal(rg__kir_varies(b.k, nam(&b, b.n)), KIR_GRID);
    assert_int_equal(rg__kir_varies(b.k, nam(&b, b.block)), KIR_BLOCK);
    assert_int_equal(rg__kir_varies(b.k, nam(&b, u)), KIR_BLOCK);
    assert_int_equal(rg__kir_varies(b.k, nam(&b, v)), KIR_WARP);
    assert_int_equal(rg__kir_varies(b.k, nam(&b, b.tx)), KIR_THREAD);
    assert_int_equal(rg__kir_varies(b.k, at(&b, b.y, nam(&b, b.block))), KIR_THREAD); /* written here */
    assert_int_equal(
        rg__kir_varies(b.k, rg__kir_aligned(b.k, 1, (struct kir_node *[]){at(&b, b.y, nam(&b, b.block))}, 16)),
        KIR_BLOCK);
    rg_arena_release(&b.arena);
}

/* ---- printers ---- */

static void printers(void **state)
{
    struct bench b;
    struct rg_buf cuda = RG_BUF_INIT, plan = RG_BUF_INIT, pseudo = RG_BUF_INIT;
    (void)state;
    setup(&b);
    struct kir_kernel *k = b.k;
    struct kir_node *i = rg__kir_add(k, rg__kir_mul(k, nam(&b, b.block), num(&b, THREADS)), nam(&b, b.tx)), *s;
    int v = rg__kir_value(k, "i", RG_I32);
    add(&b, rg__kir_let(k, v, i));
    add(&b, rg__kir_store(k, tile_at(&b, 0),
                          rg__kir_select(k, rg__kir_less(k, nam(&b, v), nam(&b, b.n)), at(&b, b.x, nam(&b, v)),
                                         rg__kir_real(k, 0, RG_F32))));
    add(&b, wait(&b));
    s = rg__kir_if(k, rg__kir_less(k, nam(&b, v), nam(&b, b.n)));
    rg__kir_add_to(k, rg__kir_body(s), rg__kir_note(use_tile(&b, 1), "a neighbour's"));
    add(&b, s);
    k->heading = "shifts x by one";
    rg__kir_finish(k);
    rg__kir_cuda(k, &cuda);
    rg__kir_plan_launch(k, &plan, 0);
    rg__kir_pseudo(k, &pseudo);
    assert_string_equal(cuda.data, "// shifts x by one\n"
                                   "__global__ void __launch_bounds__(128) test(int n, const float *x, float *y)\n{\n"
                                   "    __shared__ __align__(16) float tile[256];\n"
                                   "    const int b = blockIdx.x;\n"
                                   "    const int tx = threadIdx.x;\n"
                                   "    const int i = b * 128 + tx;\n"
                                   "    tile[tx] = i < n ? x[i] : 0.0f;\n"
                                   "    __syncthreads();\n"
                                   "    if (i < n) {\n"
                                   "        // a neighbour's\n"
                                   "        y[tx] = tile[tx + 1];\n"
                                   "    }\n}\n");
    assert_string_equal(plan.data, "test<<<max(1, ceil_div(n, 128)), 128>>>(n, x, y);\n");
    assert_string_equal(pseudo.data, "kernel test:\n"
                                     "    # shifts x by one\n"
                                     "    parameter n: int\n"
                                     "    global x: float[n], read only\n"
                                     "    global y: float[n]\n"
                                     "    shared tile: float[256]\n"
                                     "    register r: float[4]\n"
                                     "    for b in grid.x((n + 127) / 128):\n"
                                     "        for tx in block.x(128):\n"
                                     "            let i: int = b * 128 + tx\n"
                                     "            tile[tx] = i < n ? x[i] : 0.0f\n"
                                     "            barrier of the block\n"
                                     "            if i < n:\n"
                                     "                # a neighbour's\n"
                                     "                y[tx] = tile[tx + 1]\n");
    rg_buf_release(&cuda);
    rg_buf_release(&plan);
    rg_buf_release(&pseudo);
    rg_arena_release(&b.arena);
}

/* Memory whose size the launch says, in pieces that begin where 16 bytes may be loaded; an update by exchange. */
static void asked(void **state)
{
    struct bench b;
    struct rg_buf cuda = RG_BUF_INIT, plan = RG_BUF_INIT, pseudo = RG_BUF_INIT;
    struct kir_refusal why;
    struct kir_headers h = {.groups = false};
    (void)state;
    setup(&b);
    struct kir_kernel *k = b.k;
    struct kir_node *n = nam(&b, b.n), *tx = nam(&b, b.tx);
    int bytes = rg__kir_buffer(k, "bytes", KIR_SHARED, RG_U8, 1, &n),
        reals = rg__kir_buffer(k, "reals", KIR_SHARED, RG_F64, 1, &n), old = rg__kir_value(k, "old", RG_F64);
    add(&b, rg__kir_store(k, at(&b, bytes, tx), rg__kir_cast(k, RG_U8, num(&b, 0))));
    add(&b, rg__kir_store(k, at(&b, reals, tx), rg__kir_real(k, 0, RG_F64)));
    add(&b, wait(&b));
    add(&b, rg__kir_update(k, KIR_BLOCK, at(&b, reals, num(&b, 1)), old,
                           rg__kir_mul(k, nam(&b, old), rg__kir_real(k, 2, RG_F64)), false));
    rg__kir_finish(k);
    struct kir_node *size = rg__kir_shared_asked(k);
    assert_non_null(size);
    assert_false(rg__kir_verify(k, &why)); /* nothing says at which n it fits */
    k->fits = rg__kir_binary(k, RG_COP_LE, size, num(&b, KIR_STATIC_SHARED_BYTES));
    assert_true(rg__kir_verify(k, &why));
    rg__kir_cuda(k, &cuda);
    rg__kir_plan_launch(k, &plan, 0);
    rg__kir_pseudo(k, &pseudo);
    rg__kir_cuda_headers(k, &h);
    assert_true(h.exchange[1] && !h.exchange[0]);
    assert_non_null(strstr(cuda.data, "unsigned char *const bytes = (unsigned char *)(test_shared + 0);"));
    assert_non_null(
        strstr(cuda.data, "double *const reals = (double *)(test_shared + ((long long)n + 15ll) / 16ll * 16ll);"));
    assert_non_null(
        strstr(cuda.data, "atomic_update64<false>(&reals[1], [&](double old) { return (double)(old * 2.0); });"));
    assert_string_equal(plan.data, "test<<<max(1, ceil_div(n, 128)), 128, ceil_div(n, 16) * 16 + n * 8>>>(n);\n");
    assert_non_null(strstr(pseudo.data, "atomic_update(reals[1], old -> old * 2.0) in the block"));
    rg_buf_release(&cuda);
    rg_buf_release(&plan);
    rg_buf_release(&pseudo);
    rg_arena_release(&b.arena);
}

/* ---- a kernel of converted C, executed beside it ---- */

static void fill(void *arg, int param, int64_t n, void *to)
{
    const struct rg_problem *p = arg;
    for (int64_t i = 0; i < n; i++)
        if (p->params[param].elem == RG_F32)
            ((float *)to)[i] = (float)((i * 37 + param * 11) % 101) / 7 - 5;
        else
            ((int *)to)[i] = 3;
}

/* x comes from a shared tile that holds the block's elements and one more at each end. */
struct tiled {
    int array, tile, first;
};

static struct kir_node *from_tile(void *arg, struct kir_names *names, const struct rg_cnode *index,
                                  struct kir_node *const *subs)
{
    const struct tiled *t = arg;
    if (index->array != t->array) return NULL;
    return rg__kir_at(names->k, t->tile, 1, rg__kir_sub(names->k, subs[0], rg__kir_name(names->k, t->first)));
}

static void converted(void **state)
{
    static const char *const nest =
        "in x[n]; inout y[n]; int n; float a | for i 1, n-1 { local t = 0.0; "
        "if (a < y(i)) { t = a * x(i-1); } t += x(i) - 2*x(i+1)/3; y(i) = fmaxf(t, y(i)) + n % 3; }";
    struct rg_problem *p;
    struct rg_ctree *t;
    struct rg_arena arena = RG_ARENA_INIT;
    struct execute_job job;
    (void)state;
    mini_parse("nest", nest, &p, &t);
    struct kir_kernel *k = rg__kir_kernel_new(&arena, t, "nest_kernel");
    struct kir_names *names_ = rg__kir_names_new(k, t);
    const struct rg_cnode *loop = t->root->kid[0];
    struct tiled tiled = {.array = mini_array(&(struct mini){.t = t}, "x")};
    struct kir_node *size = rg__kir_int(k, THREADS + 2);
    int n = mini_var(&(struct mini){.t = t}, "n"), b = rg__kir_index(k, "b", RG_I32),
        tx = rg__kir_index(k, "tx", RG_I32), s = rg__kir_index(k, "s", RG_I32);
    tiled.tile = rg__kir_buffer(k, "tile", KIR_SHARED, RG_F32, 1, &size);
    tiled.first = rg__kir_value(k, "first", RG_I32);
    struct kir_node *extent =
                        rg__kir_of(names_, &(struct rg_cnode){.kind = RG_C_VAR, .var = n, .array = -1, .type = RG_I32}),
                    *grid = rg__kir_for(k, KIR_GRID_X, b, rg__kir_ceil_div(k, extent, THREADS)),
                    *threads = rg__kir_for(k, KIR_BLOCK_X, tx, rg__kir_int(k, THREADS)), *in = rg__kir_body(threads);
    rg__kir_add_to(k, rg__kir_body(grid), threads);
    k->body = grid;
    rg__kir_add_to(k, in, rg__kir_let(k, tiled.first, rg__kir_mul(k, rg__kir_name(k, b), rg__kir_int(k, THREADS))));
    struct kir_node *staging = rg__kir_for_range(k, KIR_SERIAL, s, rg__kir_name(k, tx), size, rg__kir_int(k, THREADS)),
                    *there = rg__kir_add(k, rg__kir_name(k, tiled.first), rg__kir_name(k, s)),
                    *exists = rg__kir_if(k, rg__kir_less(k, there, extent));
    rg__kir_add_to(k, rg__kir_body(exists),
                   rg__kir_store(k, rg__kir_at(k, tiled.tile, 1, rg__kir_name(k, s)),
                                 rg__kir_at(k, rg__kir_buffer_of(names_, tiled.array), 1, there)));
    rg__kir_add_to(k, rg__kir_body(staging), exists);
    rg__kir_add_to(k, in, staging);
    rg__kir_add_to(k, in, rg__kir_barrier(k, KIR_BLOCK));
    struct kir_node *i = rg__kir_add(k, rg__kir_add(k, rg__kir_name(k, tiled.first), rg__kir_name(k, tx)),
                                     rg__kir_int(k, 1)),
                    *guard = rg__kir_if(k, rg__kir_less(k, i, rg__kir_sub(k, extent, rg__kir_int(k, 1))));
    rg__kir_bind(names_, loop->var, i);
    names_->element = from_tile;
    names_->arg = &tiled;
    struct kir_node *body = rg__kir_statement(names_, loop->kid[2]);
    if (!body) fail_msg("%s", names_->why);
    rg__kir_add_to(k, rg__kir_body(guard), body);
    rg__kir_add_to(k, in, guard);
    rg__kir_finish(k);
    struct kir_refusal why;
    if (!rg__kir_verify(k, &why)) fail_msg("%s", why.text);
    struct rg_buf cuda = RG_BUF_INIT, plan = RG_BUF_INIT;
    rg__kir_cuda(k, &cuda);
    rg__kir_plan_launch(k, &plan, 0);
    memset(&job, 0, sizeof job);
    job.problem = p;
    job.tree = t;
    job.source.cuda = rg_buf_steal(&cuda);
    job.source.plan = rg_buf_steal(&plan);
    if (!execute_compile(&job, 1)) fail_msg("%s", job.source.cuda);
    for (int64_t count = 3; count < 700; count += 211)
        for (int reversed = 0; reversed < 2; reversed++) {
            int64_t values[] = {count};
            struct rg_sizes sizes = {.values = values};
            char text[300];
            if (!execute_case(&job.x, p, &sizes, fill, p, reversed, text, sizeof text))
                fail_msg("%lld: %s\n%s", (long long)count, text, job.source.cuda);
        }
    execute_release(&job, 1);
    rg_arena_release(&arena);
    rg_problem_free(p);
    rg_ctree_free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers),          cmocka_unit_test(names),    cmocka_unit_test(passes),
        cmocka_unit_test(full_and_guarded), cmocka_unit_test(verifier), cmocka_unit_test(varies),
        cmocka_unit_test(printers),         cmocka_unit_test(asked),    cmocka_unit_test(converted)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
