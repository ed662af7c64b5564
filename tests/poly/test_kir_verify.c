/* The verifier of kernel IR: each rule, kept and broken. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "tests/poly/kir_bench.h"
#include <stdio.h>

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
/* Groups of 8 lanes, some of which come to a shuffle over so many. */
static void among_lanes(struct bench *b, int64_t groups, int width)
{
    struct kir_node *l = rg__kir_for(b->k, KIR_LANE, rg__kir_index(b->k, "lane", RG_I32), num(b, 8));
    add(b, l);
    b->in = rg__kir_body(l);
    when(b, rg__kir_less(b->k, rg__kir_div(b->k, nam(b, b->tx), num(b, groups)), nam(b, b->n)),
         rg__kir_store(b->k, at(b, b->y, nam(b, b->tx)),
                       rg__kir_shuffle(b->k, KIR_SHUFFLE_XOR, width, at(b, b->x, nam(b, b->tx)), num(b, 1))));
}
static void shuffle_of_lanes(struct bench *b)
{
    among_lanes(b, 8, 8);
}
static void shuffle_of_some_lanes(struct bench *b)
{
    among_lanes(b, 4, 8);
}
static void shuffle_of_more_lanes(struct bench *b)
{
    among_lanes(b, 8, 16);
}
/* Halves of the tile added up; `own`: the threads whose elements are read stay out. */
static void halves(struct bench *b, bool own, bool waits)
{
    struct kir_node *items[3], *round = NULL;
    int half = rg__kir_value(b->k, "half", RG_I32), below = rg__kir_value(b->k, "below", RG_I32);
    add(b, fill_tile(b));
    add(b, wait(b));
    struct kir_node *l = looped(b, 7, NULL, 0), *in = rg__kir_body(l), *x = nam(b, b->tx), *branch;
    round = nam(b, l->symbol);
    items[0] = rg__kir_let(b->k, half, rg__kir_binary(b->k, RG_COP_SHR, num(b, THREADS / 2), round));
    items[1] = rg__kir_let(b->k, below, rg__kir_binary(b->k, RG_COP_SHR, num(b, THREADS), round));
    branch = rg__kir_if(b->k, rg__kir_less(b->k, x, nam(b, own ? half : below)));
    rg__kir_add_to(b->k, rg__kir_body(branch),
                   rg__kir_store(b->k, tile_at(b, 0), at(b, b->tile, rg__kir_add(b->k, x, nam(b, half)))));
    items[2] = branch;
    for (int i = 0; i < 3; i++) rg__kir_add_to(b->k, in, items[i]);
    if (waits) rg__kir_add_to(b->k, in, wait(b));
    add(b, l);
}
static void tree_of_halves(struct bench *b)
{
    halves(b, true, true);
}
static void tree_that_overlaps(struct bench *b)
{
    halves(b, false, true);
}
static void tree_without_barriers(struct bench *b)
{
    halves(b, true, false);
}
/* What one thread stores decides about a barrier. */
static void barrier_by_memory(struct bench *b, enum kir_scope ordered)
{
    b->k->symbols[b->y].ordered = ordered;
    when(b, rg__kir_less(b->k, nam(b, b->tx), num(b, 1)),
         rg__kir_store(b->k, at(b, b->y, nam(b, b->block)), rg__kir_real(b->k, 1, RG_F32)));
    add(b, wait(b));
    when(b, rg__kir_less(b->k, rg__kir_real(b->k, 0, RG_F32), at(b, b->y, nam(b, b->block))), wait(b));
}
static void barrier_by_ordered_memory(struct bench *b)
{
    barrier_by_memory(b, KIR_BLOCK);
}
static void barrier_by_any_memory(struct bench *b)
{
    barrier_by_memory(b, KIR_THREAD);
}
static void step_of_none(struct bench *b)
{
    add(b, rg__kir_for_range(b->k, KIR_SERIAL, rg__kir_index(b->k, "t", RG_I32), num(b, 0), nam(b, b->n), num(b, 0)));
}
/* From `first` down while > end, by 2: an element of four for each value. */
static void down(struct bench *b, int64_t first, int64_t end)
{
    int i = rg__kir_index(b->k, "i", RG_I32);
    struct kir_node *l = rg__kir_for_range(b->k, KIR_UNROLLED, i, num(b, first), num(b, end), num(b, -2));
    rg__kir_add_to(b->k, rg__kir_body(l), rg__kir_store(b->k, at(b, b->regs, nam(b, i)), at(b, b->x, nam(b, i))));
    add(b, l);
}
static void loop_down(struct bench *b)
{
    down(b, 3, 0);
}
static void loop_down_out_of_extent(struct bench *b)
{
    down(b, 8, 3);
}
/* Registers of a condition's own, and an element of theirs inside or behind it. */
static void own_registers(struct bench *b, bool inside)
{
    struct kir_node *four = num(b, 4), *branch = rg__kir_if(b->k, rg__kir_less(b->k, nam(b, b->n), four));
    int r = rg__kir_buffer(b->k, "r", KIR_REGISTER, RG_F32, 1, &four);
    struct kir_node *s = rg__kir_store(b->k, at(b, r, num(b, 1)), rg__kir_real(b->k, 0, RG_F32));
    rg__kir_add_to(b->k, rg__kir_body(branch), rg__kir_own_buffer(b->k, r));
    if (inside) rg__kir_add_to(b->k, rg__kir_body(branch), s);
    add(b, branch);
    if (!inside) add(b, s);
}
static void registers_of_a_scope(struct bench *b)
{
    own_registers(b, true);
}
static void registers_of_another_scope(struct bench *b)
{
    own_registers(b, false);
}
static void shared_in_the_code(struct bench *b)
{
    struct kir_node *four = num(b, 4);
    add(b, rg__kir_own_buffer(b->k, rg__kir_buffer(b->k, "r", KIR_SHARED, RG_F32, 1, &four)));
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
/* A block's first tile of y's elements, so many of them a thread, in the shared tile of two a thread. */
static struct kir_node *sorted(struct bench *b, int width, int operands)
{
    static const struct rg_ctree nothing;
    struct kir_node *s = rg__kir_node(b->k, KIR_SORT, operands);
    s->sort = KIR_SORT_TILE;
    s->symbol = b->tile;
    s->width = width;
    s->names = rg__kir_names_new(b->k, &nothing);
    s->kid[0] = at(b, b->y, num(b, 0));
    for (int i = 1; i < operands; i++) s->kid[i] = nam(b, b->n);
    return s;
}
static void sort(struct bench *b)
{
    add(b, sorted(b, 2, 3));
}
static void sort_in_little_room(struct bench *b)
{
    add(b, sorted(b, 4, 3));
}
static void sort_without_a_tile(struct bench *b)
{
    add(b, sorted(b, 2, 2));
}
static void sort_under_thread(struct bench *b)
{
    when(b, rg__kir_less(b->k, nam(b, b->tx), num(b, 7)), sorted(b, 2, 3));
}
static void sort_where_others_write(struct bench *b)
{
    add(b, fill_tile(b));
    add(b, sorted(b, 2, 3));
}
static void sort_behind_a_barrier(struct bench *b)
{
    add(b, fill_tile(b));
    add(b, wait(b));
    add(b, sorted(b, 2, 3));
}
static void sort_twice(struct bench *b) /* the first one's room is still read */
{
    add(b, sorted(b, 2, 3));
    add(b, sorted(b, 2, 3));
}
/* One thread's own sort, of elements of that buffer. */
static struct kir_node *own_sorted(struct bench *b, int buffer)
{
    struct kir_node *s = sorted(b, 2, 3), *own = rg__kir_node(b->k, KIR_SORT, 2);
    own->sort = KIR_SORT_OWN;
    own->tree = s->tree;
    own->names = s->names;
    own->kid[0] = at(b, buffer, num(b, 0));
    own->kid[1] = nam(b, b->n);
    return own;
}
static void sort_of_a_thread(struct bench *b)
{
    when(b, rg__kir_less(b->k, nam(b, b->tx), num(b, 7)), own_sorted(b, b->y));
}
static void sort_of_registers(struct bench *b)
{
    struct kir_node *four = num(b, 4);
    add(b, own_sorted(b, rg__kir_buffer(b->k, "own", KIR_REGISTER, RG_F32, 1, &four)));
}
/* Another kernel's block in this one's: it is given n, and y or a value, the latter to be written. */
static struct kir_node *phase(struct bench *b, bool of_value)
{
    static const bool written[] = {false, true};
    static const struct kir_phase of = {.name = "other", .meets = true, .threads = {THREADS, 1, 1}, .written = written};
    struct kir_node *p = rg__kir_node(b->k, KIR_PHASE, 4);
    p->phase = &of;
    p->kid[0] = nam(b, b->block);
    p->kid[1] = num(b, 8);
    p->kid[2] = nam(b, b->n);
    p->kid[3] = of_value ? nam(b, b->n) : rg__kir_element(b->k, b->y, 0, NULL);
    return p;
}
static void phase_of_blocks(struct bench *b)
{
    struct kir_node *items[] = {phase(b, false), rg__kir_barrier(b->k, KIR_GRID)};
    add(b, looped(b, 3, items, 2));
}
static void phase_of_some_blocks(struct bench *b) /* its threads come together all the same */
{
    when(b, rg__kir_less(b->k, nam(b, b->block), num(b, 1)), phase(b, false));
}
static void phase_of_some_threads(struct bench *b)
{
    when(b, rg__kir_less(b->k, nam(b, b->tx), num(b, 7)), phase(b, false));
}
static void phase_writes_a_value(struct bench *b)
{
    add(b, phase(b, true));
}
static void grid_meets_in_some_blocks(struct bench *b)
{
    when(b, rg__kir_less(b->k, nam(b, b->block), num(b, 1)), rg__kir_barrier(b->k, KIR_GRID));
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
/* Two rounds over the places of a tile of three dimensions, `several` neighbours at each. */
static void rounds(struct bench *b, int64_t step, int64_t several, int64_t scale)
{
    struct kir_kernel *k = b->k;
    struct kir_node *dims[] = {num(b, 8), num(b, 4), num(b, 8 * scale)};
    int q = rg__kir_index(k, "q", RG_I32), e = rg__kir_value(k, "e", RG_I32),
        r = rg__kir_buffer(k, "box", KIR_SHARED, RG_F32, 3, dims);
    struct kir_node *l = rg__kir_for(k, KIR_UNROLLED, q, num(b, 2)), *i = nam(b, e);
    rg__kir_add_to(k, rg__kir_body(l),
                   rg__kir_let(k, e, rg__kir_add(k, nam(b, b->tx), rg__kir_mul(k, nam(b, q), num(b, step)))));
    for (int64_t s = 0; s < several; s++) {
        struct kir_node *last = rg__kir_mul(k, rg__kir_rem(k, i, num(b, 8)), num(b, scale)),
                        *place = rg__kir_at(k, r, 3, rg__kir_div(k, i, num(b, 32)),
                                            rg__kir_rem(k, rg__kir_div(k, i, num(b, 8)), num(b, 4)),
                                            rg__kir_add(k, last, num(b, s)));
        rg__kir_add_to(k, rg__kir_body(l), rg__kir_store(k, place, at(b, b->x, i)));
    }
    add(b, l);
}
static void rounds_of_a_box(struct bench *b)
{
    rounds(b, THREADS, 1, 1);
}
static void rounds_too_close(struct bench *b)
{
    rounds(b, THREADS / 2, 1, 1);
}
static void rounds_of_several(struct bench *b)
{
    rounds(b, THREADS, 4, 4);
}
static void rounds_of_too_many(struct bench *b)
{
    rounds(b, THREADS, 4, 2);
}
/* The same places with the thread's apart from what rounds add: to planes `apart` from each other. */
static void rounds_of_planes(struct bench *b, int64_t apart)
{
    struct kir_kernel *k = b->k;
    struct kir_node *dims[] = {num(b, 8), num(b, 4), num(b, 8)};
    int q = rg__kir_index(k, "q", RG_I32), r = rg__kir_buffer(k, "box", KIR_SHARED, RG_F32, 3, dims);
    struct kir_node *l = rg__kir_for(k, KIR_UNROLLED, q, num(b, 2)), *tx = nam(b, b->tx),
                    *plane = rg__kir_add(k, rg__kir_div(k, tx, num(b, 32)), rg__kir_mul(k, nam(b, q), num(b, apart))),
                    *row = rg__kir_rem(k, rg__kir_div(k, tx, num(b, 8)), num(b, 4)),
                    *place = rg__kir_at(k, r, 3, plane, row, rg__kir_rem(k, tx, num(b, 8)));
    rg__kir_add_to(k, rg__kir_body(l), rg__kir_store(k, place, at(b, b->x, tx)));
    add(b, l);
}
static void rounds_apart(struct bench *b)
{
    rounds_of_planes(b, THREADS / 32);
}
static void rounds_of_planes_that_meet(struct bench *b)
{
    rounds_of_planes(b, THREADS / 32 - 1);
}
/* Rows of two rounds each: which row it is, is no thread's; the second of a row starts `apart` behind the first. */
static void rounds_along_rows(struct bench *b, struct kir_node *of_thread, int64_t apart)
{
    struct kir_kernel *k = b->k;
    struct kir_node *dims[] = {num(b, 2), num(b, 2 * THREADS)};
    int q = rg__kir_index(k, "q", RG_I32), r = rg__kir_buffer(k, "rows", KIR_SHARED, RG_F32, 2, dims);
    struct kir_node *l = rg__kir_for(k, KIR_UNROLLED, q, num(b, 4)), *two = num(b, 2),
                    *col = rg__kir_add(k, of_thread, rg__kir_mul(k, rg__kir_rem(k, nam(b, q), two), num(b, apart))),
                    *place = rg__kir_at(k, r, 2, rg__kir_div(k, nam(b, q), two), col);
    rg__kir_add_to(k, rg__kir_body(l), rg__kir_store(k, place, at(b, b->x, nam(b, b->tx))));
    add(b, l);
}
static void rounds_in_rows(struct bench *b)
{
    rounds_along_rows(b, nam(b, b->tx), THREADS);
}
static void rounds_in_rows_that_meet(struct bench *b)
{
    rounds_along_rows(b, nam(b, b->tx), THREADS / 2);
}
static void rounds_of_half_the_threads(struct bench *b)
{
    rounds_along_rows(b, rg__kir_div(b->k, nam(b, b->tx), num(b, 2)), THREADS);
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

/* Threads of whose place c tells go on, or not, with what is in front of a barrier in a loop. */
static void jump(struct bench *b, enum kir_leave how, struct kir_node *c, bool meets)
{
    struct kir_node *l = looped(b, 8, NULL, 0), *branch = rg__kir_if(b->k, c);
    rg__kir_add_to(b->k, rg__kir_body(branch), rg__kir_leave(b->k, how));
    rg__kir_add_to(b->k, rg__kir_body(l), branch);
    if (meets) rg__kir_add_to(b->k, rg__kir_body(l), wait(b));
    add(b, l);
}
static struct kir_node *first_thread(struct bench *b)
{
    return rg__kir_binary(b->k, RG_COP_EQ, nam(b, b->tx), num(b, 0));
}
static struct kir_node *some_blocks(struct bench *b)
{
    return rg__kir_less(b->k, nam(b, b->block), nam(b, b->n));
}
static void jump_of_a_thread(struct bench *b)
{
    jump(b, KIR_BREAK, first_thread(b), false);
    add(b, wait(b));
}
static void jump_of_a_thread_that_meets(struct bench *b)
{
    jump(b, KIR_BREAK, first_thread(b), true);
}
static void jump_over_a_barrier(struct bench *b)
{
    jump(b, KIR_CONTINUE, first_thread(b), true);
}
static void jump_of_blocks(struct bench *b)
{
    jump(b, KIR_BREAK, some_blocks(b), true);
}
static void jump_out_of_nothing(struct bench *b)
{
    when(b, first_thread(b), rg__kir_leave(b->k, KIR_BREAK));
}
static void jump_out_of_an_inner_loop(struct bench *b) /* which ends there: the outer one goes on with all */
{
    struct kir_node *outer = looped(b, 8, NULL, 0), *inner = looped(b, 8, NULL, 0),
                    *branch = rg__kir_if(b->k, first_thread(b));
    rg__kir_add_to(b->k, rg__kir_body(branch), rg__kir_leave(b->k, KIR_BREAK));
    rg__kir_add_to(b->k, rg__kir_body(inner), branch);
    rg__kir_add_to(b->k, rg__kir_body(outer), inner);
    rg__kir_add_to(b->k, rg__kir_body(outer), wait(b));
    add(b, outer);
}
static void return_of_a_thread(struct bench *b)
{
    when(b, first_thread(b), rg__kir_leave(b->k, KIR_RETURN));
    add(b, wait(b));
}
static void return_of_blocks(struct bench *b)
{
    when(b, some_blocks(b), rg__kir_leave(b->k, KIR_RETURN));
    add(b, wait(b));
}
static void counted_until_left(struct bench *b) /* how often it went round differs: a barrier may not depend on it */
{
    struct kir_node *l = looped(b, 8, NULL, 0), *branch = rg__kir_if(b->k, first_thread(b));
    int c = rg__kir_scalar(b->k, "c", RG_I32);
    add(b, rg__kir_var(b->k, c, num(b, 0)));
    rg__kir_add_to(b->k, rg__kir_body(branch), rg__kir_leave(b->k, KIR_BREAK));
    rg__kir_add_to(b->k, rg__kir_body(l), branch);
    rg__kir_add_to(b->k, rg__kir_body(l), rg__kir_assign(b->k, c, rg__kir_add(b->k, nam(b, c), num(b, 1))));
    add(b, l);
    when(b, rg__kir_less(b->k, nam(b, c), num(b, 3)), wait(b));
}
static void shared_where_left(struct bench *b, bool meets)
{
    struct kir_node *l = looped(b, 8, NULL, 0), *branch = rg__kir_if(b->k, some_blocks(b));
    rg__kir_add_to(b->k, rg__kir_body(branch), rg__kir_leave(b->k, KIR_BREAK));
    rg__kir_add_to(b->k, rg__kir_body(l), fill_tile(b));
    if (meets) rg__kir_add_to(b->k, rg__kir_body(l), wait(b));
    rg__kir_add_to(b->k, rg__kir_body(l), branch);
    if (!meets) rg__kir_add_to(b->k, rg__kir_body(l), wait(b));
    add(b, l);
    add(b, use_tile(b, 1));
}
static void shared_left_in_front_of_the_barrier(struct bench *b)
{
    shared_where_left(b, false);
}
static void shared_left_behind_the_barrier(struct bench *b)
{
    shared_where_left(b, true);
}
static struct kir_node *part(struct bench *b, struct kir_node *from)
{
    int own = rg__kir_buffer(b->k, "own", KIR_GLOBAL, RG_F32, 1, (struct kir_node *[]){NULL});
    struct kir_node *declared = rg__kir_node(b->k, KIR_VAR, 1);
    b->k->symbols[own].inside = true;
    declared->symbol = own;
    declared->kid[0] = from;
    return declared;
}
static void part_of_a_buffer(struct bench *b)
{
    struct kir_node *own = part(b, at(b, b->y, nam(b, b->tx)));
    add(b, own);
    add(b, rg__kir_store(b->k, at(b, own->symbol, num(b, 0)), at(b, b->x, nam(b, b->tx))));
}
static void part_not_declared(struct bench *b)
{
    struct kir_node *own = part(b, at(b, b->y, nam(b, b->tx)));
    add(b, rg__kir_store(b->k, at(b, own->symbol, num(b, 0)), at(b, b->x, nam(b, b->tx))));
}
static void part_of_shared(struct bench *b)
{
    add(b, fill_tile(b));
    add(b, part(b, at(b, b->tile, nam(b, b->tx))));
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
    {"phase_of_blocks", phase_of_blocks, NULL},
    {"phase_of_some_blocks", phase_of_some_blocks, NULL},
    {"phase_of_some_threads", phase_of_some_threads, "varies in the block"},
    {"phase_writes_a_value", phase_writes_a_value, "writes to a value"},
    {"grid_meets_in_some_blocks", grid_meets_in_some_blocks, "varies in the grid"},
    {"sort", sort, NULL},
    {"sort_in_little_room", sort_in_little_room, "of so many elements a thread"},
    {"sort_without_a_tile", sort_without_a_tile, "another number of operands"},
    {"sort_under_thread", sort_under_thread, "varies in the block"},
    {"sort_where_others_write", sort_where_others_write, "no barrier of the block"},
    {"sort_behind_a_barrier", sort_behind_a_barrier, NULL},
    {"sort_twice", sort_twice, "no barrier of the block"},
    {"sort_of_a_thread", sort_of_a_thread, NULL},
    {"sort_of_registers", sort_of_registers, "lies in a row of memory"},
    {"barrier_under_thread", barrier_under_thread, "varies in the block"},
    {"barrier_under_named", barrier_under_named, "varies in the block"},
    {"barrier_in_loop", barrier_in_loop, "varies in the block"},
    {"barrier_of_warp", barrier_of_warp, NULL},
    {"barrier_of_half", barrier_of_half, "varies in the warp"},
    {"shuffle", shuffle, NULL},
    {"shuffle_under_thread", shuffle_under_thread, "varies in the warp"},
    {"shuffle_of_three", shuffle_of_three, "2, 4, 8, 16 or 32 lanes"},
    {"shuffle_of_lanes", shuffle_of_lanes, NULL},
    {"shuffle_of_some_lanes", shuffle_of_some_lanes, "varies in the lanes"},
    {"shuffle_of_more_lanes", shuffle_of_more_lanes, "varies in the warp"},
    {"tree_of_halves", tree_of_halves, NULL},
    {"tree_that_overlaps", tree_that_overlaps, "no barrier of the block"},
    {"tree_without_barriers", tree_without_barriers, "no barrier of the block"},
    {"barrier_by_ordered_memory", barrier_by_ordered_memory, NULL},
    {"barrier_by_any_memory", barrier_by_any_memory, "varies in the block"},
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
    {"loop_down", loop_down, NULL},
    {"loop_down_out_of_extent", loop_down_out_of_extent, "its extent is 4"},
    {"registers_of_a_scope", registers_of_a_scope, NULL},
    {"registers_of_another_scope", registers_of_another_scope, "is declared elsewhere"},
    {"shared_in_the_code", shared_in_the_code, "not the thread's own"},
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
    {"rounds_of_a_box", rounds_of_a_box, NULL},
    {"rounds_too_close", rounds_too_close, "no barrier of the block"},
    {"rounds_of_several", rounds_of_several, NULL},
    {"rounds_of_too_many", rounds_of_too_many, "no barrier of the block"},
    {"rounds_apart", rounds_apart, NULL},
    {"rounds_of_planes_that_meet", rounds_of_planes_that_meet, "no barrier of the block"},
    {"rounds_in_rows", rounds_in_rows, NULL},
    {"rounds_in_rows_that_meet", rounds_in_rows_that_meet, "no barrier of the block"},
    {"rounds_of_half_the_threads", rounds_of_half_the_threads, "no barrier of the block"},
    {"copies_not_met", copies_not_met, "no barrier of the block"},
    {"jump_of_a_thread", jump_of_a_thread, NULL},
    {"jump_of_a_thread_that_meets", jump_of_a_thread_that_meets, "varies in the block"},
    {"jump_over_a_barrier", jump_over_a_barrier, "varies in the block"},
    {"jump_of_blocks", jump_of_blocks, NULL},
    {"jump_out_of_nothing", jump_out_of_nothing, "no loop around"},
    {"jump_out_of_an_inner_loop", jump_out_of_an_inner_loop, NULL},
    {"return_of_a_thread", return_of_a_thread, "varies in the block"},
    {"return_of_blocks", return_of_blocks, NULL},
    {"counted_until_left", counted_until_left, "varies in the block"},
    {"shared_left_in_front_of_the_barrier", shared_left_in_front_of_the_barrier, "no barrier of the block"},
    {"shared_left_behind_the_barrier", shared_left_behind_the_barrier, NULL},
    {"part_of_a_buffer", part_of_a_buffer, NULL},
    {"part_not_declared", part_not_declared, "is declared elsewhere"},
    {"part_of_shared", part_of_shared, "not the thread's own"},
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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(verifier)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
