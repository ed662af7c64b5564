/* The kernels that docs/kernel-ir.md writes out, built, verified and printed both ways: a gemm on tensor cores behind
 * asynchronous copies, a stencil of several time steps a launch, a row across a cluster, a scan in one pass. Each is
 * broken in one place, too, and refused. RG_KEEP=1 leaves what is printed in /tmp/kir_NAME.{cu,txt}. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "poly/cuda/kir_cuda.h"
#include "poly/kir/kir.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct kir_node node;
static struct rg_arena arena;
static struct kir_kernel *k;

static node *num(int64_t v)
{
    return rg__kir_int(k, v);
}
static node *real(double v)
{
    return rg__kir_real(k, v, RG_F32);
}
static node *use(int s)
{
    return rg__kir_name(k, s);
}
static node *add(node *a, node *b)
{
    return rg__kir_add(k, a, b);
}
static node *sub(node *a, node *b)
{
    return rg__kir_sub(k, a, b);
}
static node *mul(node *a, node *b)
{
    return rg__kir_mul(k, a, b);
}
static node *quotient(node *a, int64_t b)
{
    return rg__kir_div(k, a, num(b));
}
static node *rest(node *a, int64_t b)
{
    return rg__kir_rem(k, a, num(b));
}
static node *less(node *a, node *b)
{
    return rg__kir_less(k, a, b);
}
static node *equal(node *a, int64_t b)
{
    return rg__kir_binary(k, RG_COP_EQ, a, num(b));
}
static void put(node *seq, node *s)
{
    rg__kir_add_to(k, seq, s);
}
static node *in(node *loop)
{
    return rg__kir_body(loop);
}
static int index_(const char *name)
{
    return rg__kir_index(k, name, RG_I32);
}
static node *at1(int b, node *i)
{
    return rg__kir_at(k, b, 1, i);
}
static node *at2(int b, node *i, node *j)
{
    return rg__kir_at(k, b, 2, i, j);
}
static node *at3(int b, node *h, node *i, node *j)
{
    return rg__kir_at(k, b, 3, h, i, j);
}

static int buffer(const char *name, enum kir_space space, enum rg_scalar type, int n, node *a, node *b, node *c)
{
    node *dims[] = {a, b, c};
    int s = rg__kir_buffer(k, name, space, type, n, dims);
    k->symbols[s].alone = space == KIR_GLOBAL;
    return s;
}

/* A value that is named in seq. */
static node *let(node *seq, const char *name, node *value)
{
    int s = rg__kir_value(k, name, value->type);
    put(seq, rg__kir_let(k, s, value));
    return use(s);
}

static node *loop(node *seq, enum kir_loop kind, const char *name, node *extent, node **i)
{
    int s = index_(name);
    node *l = rg__kir_for(k, kind, s, extent);
    put(seq, l);
    *i = use(s);
    return in(l);
}

static node *when(node *seq, node *condition)
{
    node *branch = rg__kir_if(k, condition);
    put(seq, branch);
    return in(branch);
}

/* ---- C = A B on tensor cores: 3x TF32, three stages of asynchronous copies ---- */

enum { TILE = 64, DEEP = 16, STAGES = 3 };
struct gemm {
    int a, b, c, as, bs;
    node *tx, *row, *column;
};

/* Step t's tiles of A and B into the stage t % 3. */
static void copies(const struct gemm *g, node *seq, node *t)
{
    node *s, *stage = rest(t, STAGES), *l = loop(seq, KIR_UNROLLED, "s", num(TILE * DEEP / 4 / 128), &s);
    node *i = let(l, "i", add(g->tx, mul(s, num(128))));
    node *ar = quotient(i, DEEP / 4), *ac = mul(rest(i, DEEP / 4), num(4)), *br = quotient(i, TILE / 4),
         *bc = mul(rest(i, TILE / 4), num(4));
    node *deep = mul(t, num(DEEP));
    put(l, rg__kir_copy(k, at3(g->as, stage, ar, ac), at2(g->a, add(g->row, ar), add(deep, ac)), 4, true));
    put(l, rg__kir_copy(k, at3(g->bs, stage, br, bc), at2(g->b, add(deep, br), add(g->column, bc)), 4, true));
}

static int fragment(const char *name, enum kir_role role, int n)
{
    int s = rg__kir_buffer(k, name, KIR_FRAGMENT, RG_F32, 1, (node *[]){num(n)});
    k->symbols[s].fragment = (struct kir_fragment){role, 16, 16, 8, false, role != KIR_ACCUMULATOR};
    return s;
}

/* A number as the sum of two that tensor cores take: what rounding leaves, rounded. */
static void split(node *seq, int big, int small, node *i)
{
    node *v, *l = loop(seq, KIR_UNROLLED, "v", num(4), &v);
    put(l, rg__kir_store(k, at2(big, i, v), at2(small, i, v)));
    put(seq, rg__kir_matrix(k, KIR_MATRIX_ROUND, 1, (node *[]){at1(big, i)}));
    l = loop(seq, KIR_UNROLLED, "v", num(4), &v);
    put(l, rg__kir_store(k, at2(small, i, v), sub(at2(small, i, v), at2(big, i, v))));
    put(seq, rg__kir_matrix(k, KIR_MATRIX_ROUND, 1, (node *[]){at1(small, i)}));
}

static void load(node *seq, int fragments, node *i, node *from, int apart)
{
    put(seq, rg__kir_matrix(k, KIR_MATRIX_LOAD, 3, (node *[]){at1(fragments, i), from, num(apart)}));
}

static void gemm(bool broken)
{
    k = rg__kir_kernel_new(&arena, NULL, "gemm");
    int n = rg__kir_param(k, "n", RG_I32), m = rg__kir_param(k, "m", RG_I32), d = rg__kir_param(k, "d", RG_I32);
    struct gemm g = {.a = buffer("a", KIR_GLOBAL, RG_F32, 2, use(n), use(d), NULL),
                     .b = buffer("b", KIR_GLOBAL, RG_F32, 2, use(d), use(m), NULL),
                     .c = buffer("c", KIR_GLOBAL, RG_F32, 2, use(n), use(m), NULL),
                     .as = buffer("as", KIR_SHARED, RG_F32, 3, num(STAGES), num(TILE), num(DEEP)),
                     .bs = buffer("bs", KIR_SHARED, RG_F32, 3, num(STAGES), num(DEEP), num(TILE))};
    k->symbols[g.as].stages = k->symbols[g.bs].stages = STAGES;
    k->symbols[g.as].pad = k->symbols[g.bs].pad = 4;
    node *bx, *by, *t, *i, *j, *s, *top = rg__kir_seq(k);
    node *body = loop(
        loop(loop(top, KIR_GRID_Y, "by", quotient(use(n), TILE), &by), KIR_GRID_X, "bx", quotient(use(m), TILE), &bx),
        KIR_BLOCK_X, "tx", num(128), &g.tx);
    k->body = top;
    g.row = let(body, "row", mul(by, num(TILE)));
    g.column = let(body, "column", mul(bx, num(TILE)));
    node *warp = let(body, "warp", quotient(g.tx, 32)), *wr = let(body, "wr", mul(quotient(warp, 2), num(32))),
         *wc = let(body, "wc", mul(rest(warp, 2), num(32))), *steps = let(body, "steps", quotient(use(d), DEEP));
    int acc = rg__kir_buffer(k, "acc", KIR_FRAGMENT, RG_F32, 2, (node *[]){num(2), num(2)});
    k->symbols[acc].fragment = (struct kir_fragment){KIR_ACCUMULATOR, 16, 16, 8, false, false};
    int a_big = fragment("a_big", KIR_MATRIX_A, 2), a_small = fragment("a_small", KIR_MATRIX_A, 2),
        b_big = fragment("b_big", KIR_MATRIX_B, 2), b_small = fragment("b_small", KIR_MATRIX_B, 2);
    node *l = loop(loop(body, KIR_UNROLLED, "i", num(2), &i), KIR_UNROLLED, "j", num(2), &j);
    put(l, rg__kir_matrix(k, KIR_MATRIX_FILL, 2, (node *[]){at2(acc, i, j), real(0)}));
    for (int stage = 0; stage < STAGES - 1; stage++) {
        copies(&g, when(body, less(num(stage), steps)), num(stage));
        put(body, rg__kir_commit(k)); /* an empty group, too: waiting counts them */
    }
    node *outer = loop(body, KIR_SERIAL, "t", steps, &t);
    put(outer, rg__kir_wait(k, STAGES - 2));
    if (!broken)
        put(outer, rg__kir_note(rg__kir_barrier(k, KIR_BLOCK),
                                "everybody's copies are there, and nobody reads what comes next"));
    copies(&g, when(outer, less(add(t, num(STAGES - 1)), steps)), add(t, num(STAGES - 1)));
    put(outer, rg__kir_commit(k));
    node *deep = loop(outer, KIR_UNROLLED, "s", num(DEEP / 8), &s), *stage = rest(t, STAGES), *at = mul(s, num(8));
    l = loop(deep, KIR_UNROLLED, "i", num(2), &i);
    load(l, a_small, i, at3(g.as, stage, add(wr, mul(i, num(16))), at), DEEP + 4);
    split(l, a_big, a_small, i);
    l = loop(deep, KIR_UNROLLED, "j", num(2), &j);
    load(l, b_small, j, at3(g.bs, stage, at, add(wc, mul(j, num(16)))), TILE + 4);
    split(l, b_big, b_small, j);
    l = loop(loop(deep, KIR_UNROLLED, "i", num(2), &i), KIR_UNROLLED, "j", num(2), &j);
    int as[] = {a_small, a_big, a_big}, bs[] = {b_big, b_small, b_big};
    for (int x = 0; x < 3; x++)
        put(l, rg__kir_matrix(k, KIR_MATRIX_MULTIPLY, 4,
                              (node *[]){at2(acc, i, j), at1(as[x], i), at1(bs[x], j), at2(acc, i, j)}));
    l = loop(loop(body, KIR_UNROLLED, "i", num(2), &i), KIR_UNROLLED, "j", num(2), &j);
    node *to = at2(g.c, add(add(g.row, wr), mul(i, num(16))), add(add(g.column, wc), mul(j, num(16))));
    put(l, rg__kir_matrix(k, KIR_MATRIX_STORE, 3, (node *[]){at2(acc, i, j), to, use(m)}));
    node *whole = rg__kir_and(k, equal(rest(use(n), TILE), 0), equal(rest(use(m), TILE), 0));
    k->fits = rg__kir_and(k, whole, equal(rest(use(d), DEEP), 0));
}

/* ---- four time steps of a stencil a launch; what neighbours would send is computed again ---- */

enum { WIDE = 256, STEPS = 4, HELD = WIDE + 2 * STEPS };

static void stencil(bool broken)
{
    k = rg__kir_kernel_new(&arena, NULL, "heat");
    int n = rg__kir_param(k, "n", RG_I32), u = buffer("u", KIR_GLOBAL, RG_F32, 1, use(n), NULL, NULL),
        v = buffer("v", KIR_GLOBAL, RG_F32, 1, use(n), NULL, NULL),
        tile = buffer("tile", KIR_SHARED, RG_F32, 2, num(2), num(HELD), NULL);
    node *b, *tx, *t, *top = rg__kir_seq(k);
    node *body =
        loop(loop(top, KIR_GRID_X, "b", rg__kir_ceil_div(k, use(n), WIDE), &b), KIR_BLOCK_X, "tx", num(WIDE), &tx);
    k->body = top;
    node *first = let(body, "first", sub(mul(b, num(WIDE)), num(STEPS)));
    int s = index_("s");
    node *l = rg__kir_for_range(k, KIR_SERIAL, s, tx, num(HELD), num(WIDE)), *x = let(in(l), "x", add(first, use(s)));
    node *inside = rg__kir_min(k, rg__kir_max(k, x, num(0)), sub(use(n), num(1)));
    put(in(l), rg__kir_store(k, at2(tile, num(0), use(s)), at1(u, inside)));
    put(body, l);
    put(body, rg__kir_barrier(k, KIR_BLOCK));
    node *step = loop(body, KIR_SERIAL, "t", num(STEPS), &t), *now = rest(t, 2), *next = rest(add(t, num(1)), 2);
    s = index_("s");
    l = rg__kir_for_range(k, KIR_SERIAL, s, tx, num(HELD),
                          num(WIDE)); /* the rim's values are wrong: nobody asks for them */
    node *place = use(s), *left = rg__kir_max(k, sub(place, num(1)), num(0)),
         *right = rg__kir_min(k, add(place, num(1)), num(HELD - 1));
    x = let(in(l), "x", add(first, place));
    node *rim = rg__kir_binary(k, RG_COP_OR, less(x, num(1)), rg__kir_binary(k, RG_COP_GE, x, sub(use(n), num(1))));
    node *mean = mul(add(add(at2(tile, now, left), at2(tile, now, place)), at2(tile, now, right)), real(1.0 / 3));
    put(in(l), rg__kir_store(k, at2(tile, next, place), rg__kir_select(k, rim, at2(tile, now, place), mean)));
    put(step, l);
    if (!broken) put(step, rg__kir_barrier(k, KIR_BLOCK));
    node *own = let(body, "own", add(mul(b, num(WIDE)), tx));
    put(when(body, less(own, use(n))), rg__kir_store(k, at1(v, own), at2(tile, num(STEPS % 2), add(tx, num(STEPS)))));
}

/* ---- a row kept in the registers of a cluster's blocks ---- */

enum { BLOCKS = 4, ROW_THREADS = 256, ROW_HELD = 8 };

static void cluster(bool broken)
{
    k = rg__kir_kernel_new(&arena, NULL, "row_sums");
    int rows = rg__kir_param(k, "rows", RG_I32), places = BLOCKS * ROW_THREADS * ROW_HELD,
        x = buffer("x", KIR_GLOBAL, RG_F32, 2, use(rows), num(places), NULL),
        y = buffer("y", KIR_GLOBAL, RG_F32, 2, use(rows), num(places), NULL),
        part = buffer("part", KIR_SHARED, RG_F32, 1, num(ROW_THREADS / 32), NULL, NULL),
        total = buffer("total", KIR_SHARED, RG_F32, 1, num(1), NULL, NULL),
        held = buffer("held", KIR_REGISTER, RG_F32, 1, num(ROW_HELD), NULL, NULL);
    node *r, *rank, *tx, *q, *i, *top = rg__kir_seq(k);
    node *body = loop(loop(loop(top, KIR_GRID_X, "r", use(rows), &r), KIR_CLUSTER_X, "rank", num(BLOCKS), &rank),
                      KIR_BLOCK_X, "tx", num(ROW_THREADS), &tx);
    k->body = top;
    node *l = loop(body, KIR_UNROLLED, "q", num(ROW_HELD / 4), &q);
    node *place = mul(add(mul(add(mul(rank, num(ROW_HELD / 4)), q), num(ROW_THREADS)), tx), num(4));
    put(l, rg__kir_copy(k, at1(held, mul(q, num(4))), at2(x, r, place), 4, false));
    int sum = rg__kir_scalar(k, "sum", RG_F32);
    put(body, rg__kir_var(k, sum, real(0)));
    l = loop(body, KIR_UNROLLED, "i", num(ROW_HELD), &i);
    put(l, rg__kir_assign(k, sum, add(use(sum), at1(held, i))));
    for (int d = 16; d; d /= 2)
        put(body, rg__kir_assign(k, sum, add(use(sum), rg__kir_shuffle(k, KIR_SHUFFLE_XOR, 32, use(sum), num(d)))));
    put(when(body, equal(rest(tx, 32), 0)), rg__kir_store(k, at1(part, quotient(tx, 32)), use(sum)));
    put(body, rg__kir_barrier(k, KIR_BLOCK));
    node *one = when(body, equal(tx, 0));
    put(one, rg__kir_assign(k, sum, real(0)));
    l = loop(one, KIR_UNROLLED, "i", num(ROW_THREADS / 32), &i);
    put(l, rg__kir_assign(k, sum, add(use(sum), at1(part, i))));
    put(one, rg__kir_store(k, at1(total, num(0)), use(sum)));
    put(body, rg__kir_barrier(k, broken ? KIR_BLOCK : KIR_CLUSTER));
    put(body, rg__kir_assign(k, sum, real(0)));
    l = loop(body, KIR_UNROLLED, "i", num(BLOCKS), &i);
    put(l, rg__kir_assign(k, sum, add(use(sum), rg__kir_peer(k, at1(total, num(0)), i))));
    l = loop(body, KIR_UNROLLED, "i", num(ROW_HELD), &i);
    put(l, rg__kir_store(k, at1(held, i), rg__kir_div(k, at1(held, i), use(sum))));
    l = loop(body, KIR_UNROLLED, "q", num(ROW_HELD / 4), &q);
    place = mul(add(mul(add(mul(rank, num(ROW_HELD / 4)), q), num(ROW_THREADS)), tx), num(4));
    put(l, rg__kir_copy(k, at2(y, r, place), at1(held, mul(q, num(4))), 4, false));
    put(body, rg__kir_note(rg__kir_barrier(k, KIR_CLUSTER), "no block ends while its total is read"));
}

/* ---- prefix sums in one pass: blocks look back at what those in front have published ---- */

enum { SCAN = 256 };
static const char *const SUM = "1", *const PREFIX = "2"; /* what a tile's flag says is there */

static node *flag_of(const char *what)
{
    return num(*what - '0');
}

static void scan(bool broken)
{
    k = rg__kir_kernel_new(&arena, NULL, "scan");
    int n = rg__kir_param(k, "n", RG_I32), x = buffer("x", KIR_GLOBAL, RG_F32, 1, use(n), NULL, NULL),
        y = buffer("y", KIR_GLOBAL, RG_F32, 1, use(n), NULL, NULL),
        ticket = buffer("ticket", KIR_GLOBAL, RG_I32, 1, num(1), NULL, NULL),
        flag = buffer("flag", KIR_GLOBAL, RG_I32, 1, NULL, NULL, NULL),
        sums = buffer("sums", KIR_GLOBAL, RG_F32, 1, NULL, NULL, NULL),
        prefixes = buffer("prefixes", KIR_GLOBAL, RG_F32, 1, NULL, NULL, NULL),
        which = buffer("which", KIR_SHARED, RG_I32, 1, num(1), NULL, NULL),
        part = buffer("part", KIR_SHARED, RG_F32, 1, num(SCAN / 32), NULL, NULL),
        before = buffer("before", KIR_SHARED, RG_F32, 1, num(1), NULL, NULL);
    node *b, *tx, *i, *top = rg__kir_seq(k);
    node *body =
        loop(loop(top, KIR_GRID_X, "b", rg__kir_ceil_div(k, use(n), SCAN), &b), KIR_BLOCK_X, "tx", num(SCAN), &tx);
    k->body = top;
    int mine = rg__kir_scalar(k, "mine", RG_I32), sum = rg__kir_scalar(k, "sum", RG_F32),
        base = rg__kir_scalar(k, "base", RG_F32);
    node *one =
        when(body, equal(tx, 0)); /* tiles in the order in which blocks start: nobody waits for one that has not */
    put(one, rg__kir_var(k, mine, num(0)));
    put(one, rg__kir_atomic(k, KIR_ATOMIC_ADD, KIR_GRID, at1(ticket, num(0)), num(1), NULL, mine));
    put(one, rg__kir_store(k, at1(which, num(0)), use(mine)));
    put(body, rg__kir_barrier(k, KIR_BLOCK));
    node *tile = let(body, "tile", at1(which, num(0))), *at = let(body, "at", add(mul(tile, num(SCAN)), tx)),
         *lane = let(body, "lane", rest(tx, 32)), *warp = let(body, "warp", quotient(tx, 32));
    put(body, rg__kir_var(k, sum, rg__kir_select(k, less(at, use(n)), at1(x, at), real(0))));
    for (int d = 1; d < 32; d *= 2) {
        node *other = let(body, "other", rg__kir_shuffle(k, KIR_SHUFFLE_UP, 32, use(sum), num(d)));
        put(when(body, rg__kir_binary(k, RG_COP_GE, lane, num(d))), rg__kir_assign(k, sum, add(other, use(sum))));
    }
    put(when(body, equal(lane, 31)), rg__kir_store(k, at1(part, warp), use(sum)));
    put(body, rg__kir_barrier(k, KIR_BLOCK));
    put(body, rg__kir_var(k, base, real(0)));
    node *l = loop(body, KIR_SERIAL, "i", warp, &i);
    put(l, rg__kir_assign(k, base, add(use(base), at1(part, i))));
    one = when(body, equal(tx, SCAN - 1)); /* the last thread has the tile's sum */
    int back = rg__kir_scalar(k, "back", RG_I32), said = rg__kir_scalar(k, "said", RG_I32),
        found = rg__kir_scalar(k, "found", RG_F32), all = rg__kir_scalar(k, "all", RG_F32);
    node *own = let(one, "own", add(use(base), use(sum)));
    put(one, rg__kir_atomic(k, KIR_ATOMIC_WRITE, KIR_GRID, at1(sums, tile), own, NULL, -1));
    put(one, rg__kir_fence(k, KIR_GRID));
    put(one, rg__kir_atomic(k, KIR_ATOMIC_WRITE, KIR_GRID, at1(flag, tile), flag_of(SUM), NULL, -1));
    put(one, rg__kir_var(k, all, real(0)));
    put(one, rg__kir_var(k, back, sub(tile, num(1))));
    put(one, rg__kir_var(k, said, num(0)));
    put(one, rg__kir_var(k, found, real(0)));
    node *look = rg__kir_while(k, rg__kir_binary(k, RG_COP_GE, use(back), num(0))), *s = in(look);
    put(one, look);
    put(s, rg__kir_atomic(k, KIR_ATOMIC_READ, KIR_GRID, at1(flag, use(back)), NULL, NULL, said));
    put(s, rg__kir_fence(k, KIR_GRID));
    node *sum_there = when(s, equal(use(said), 1)), *prefix_there = when(s, equal(use(said), 2));
    put(sum_there, rg__kir_atomic(k, KIR_ATOMIC_READ, KIR_GRID, at1(sums, use(back)), NULL, NULL, found));
    put(sum_there, rg__kir_assign(k, all, add(use(found), use(all))));
    put(sum_there, rg__kir_assign(k, back, sub(use(back), num(1))));
    put(prefix_there, rg__kir_atomic(k, KIR_ATOMIC_READ, KIR_GRID, at1(prefixes, use(back)), NULL, NULL, found));
    put(prefix_there, rg__kir_assign(k, all, add(use(found), use(all))));
    put(prefix_there, rg__kir_assign(k, back, num(-1)));
    put(one, rg__kir_atomic(k, KIR_ATOMIC_WRITE, KIR_GRID, at1(prefixes, tile), add(use(all), own), NULL, -1));
    put(one, rg__kir_fence(k, KIR_GRID));
    put(one, rg__kir_atomic(k, KIR_ATOMIC_WRITE, KIR_GRID, at1(flag, tile), flag_of(PREFIX), NULL, -1));
    put(one, rg__kir_store(k, at1(before, num(0)), use(all)));
    if (!broken) put(body, rg__kir_barrier(k, KIR_BLOCK));
    put(when(body, less(at, use(n))), rg__kir_store(k, at1(y, at), add(at1(before, num(0)), add(use(base), use(sum)))));
}

/* ---- what must come of them ---- */

static const struct {
    const char *name;
    void (*make)(bool broken);
    const char *cuda[6], *pseudo[3], *launch, *broken; /* what the texts have; how it is refused when it is broken */
} examples[] = {
    {"gemm",
     gemm,
     {"cp.async.cg.shared.global", "cp.async.wait_group 1", "precision::tf32", "__float_to_tf32", "mma_sync(acc[i",
      "#include <mma.h>"},
     {"(4 elements at once, later)", "wait until at most 1 groups", "3 stages"},
     "gemm<<<dim3(max(1, m / 64), max(1, n / 64)), dim3(128, 1)>>>(m, d, a, b, c);",
     "no barrier of the block"},
    {"stencil",
     stencil,
     {"__shared__ __align__(16) float tile[2][264]", "__syncthreads()"},
     {"for t in 0 .. 4:"},
     "heat<<<max(1, ceil_div(n, 256)), 256>>>(n, u, v);",
     "no barrier of the block"},
    {"cluster",
     cluster,
     {"__cluster_dims__(4, 1, 1)", "map_shared_rank(total, i", "this_cluster().sync()",
      "#include <cooperative_groups.h>"},
     {"for rank in cluster.x(4):", "total[0] of block i"},
     "row_sums<<<max(1, rows) * 4, 256>>>(x, y);",
     "no barrier of the cluster"},
    {"scan",
     scan,
     {"mine = atomicAdd(&ticket[0], 1)", "__threadfence()", "*(const volatile int *)&flag[back]"},
     {"while back >= 0:", "atomic_read(flag[back]) in the grid"},
     "scan<<<max(1, ceil_div(n, 256)), 256>>>(n, x, y, ticket, flag, sums, prefixes);",
     "no barrier of the block"},
};

static void keep(const char *name, const char *ending, const char *text)
{
    char path[100];
    snprintf(path, sizeof path, "/tmp/kir_%s.%s", name, ending);
    FILE *f = getenv("RG_KEEP") ? fopen(path, "w") : NULL;
    if (f) {
        fputs(text, f);
        fclose(f);
    }
}

static void has(const char *name, const char *text, const char *const *parts, int n)
{
    for (int i = 0; i < n && parts[i]; i++)
        if (!strstr(text, parts[i])) fail_msg("%s has no '%s':\n%s", name, parts[i], text);
}

static void written_out(void **state)
{
    (void)state;
    for (size_t e = 0; e < sizeof examples / sizeof *examples; e++) {
        struct rg_buf cuda = RG_BUF_INIT, pseudo = RG_BUF_INIT, plan = RG_BUF_INIT;
        struct kir_headers h = {.groups = false};
        struct kir_refusal why;
        examples[e].make(false);
        rg__kir_finish(k);
        rg__kir_pseudo(k, &pseudo);
        if (!rg__kir_verify(k, &why)) fail_msg("%s: %s\n%s", examples[e].name, why.text, pseudo.data);
        rg__kir_cuda_headers(k, &h);
        if (h.groups) rg_buf_str(&cuda, "#include <cooperative_groups.h>\n");
        if (h.matrices) rg_buf_str(&cuda, "#include <mma.h>\n");
        rg__kir_cuda(k, &cuda);
        rg__kir_plan_launch(k, &plan, 0);
        keep(examples[e].name, "cu", cuda.data);
        keep(examples[e].name, "txt", pseudo.data);
        has(examples[e].name, cuda.data, examples[e].cuda, 6);
        has(examples[e].name, pseudo.data, examples[e].pseudo, 3);
        has(examples[e].name, plan.data, &examples[e].launch, 1);
        rg_buf_release(&cuda);
        rg_buf_release(&pseudo);
        rg_buf_release(&plan);
        rg_arena_release(&arena);
    }
}

static void without_one_barrier(void **state)
{
    (void)state;
    for (size_t e = 0; e < sizeof examples / sizeof *examples; e++) {
        struct kir_refusal why;
        examples[e].make(true);
        rg__kir_finish(k);
        if (rg__kir_verify(k, &why) || !strstr(why.text, examples[e].broken))
            fail_msg("%s broken: '%s'", examples[e].name, why.text);
        rg_arena_release(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(written_out), cmocka_unit_test(without_one_barrier)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
