/* Tiles in shared memory, in kernel IR: what of an array a block copies, element by element or 16 bytes at a time, with
 * zeros for what lies beyond it, and where in a tile an element is. */
#include "poly/kernel/tile_kernel.h"

/* ---- sums over variables ---- */

struct sum {
    struct kir_kernel *k;
    struct kir_node *more, *less; /* what is added, and what is taken away; NULL: nothing */
};

static void add(struct sum *s, int64_t c, struct kir_node *x)
{
    struct kir_node **to = c > 0 ? &s->more : &s->less,
                    *product = rg__kir_mul(s->k, x, rg__kir_int(s->k, c > 0 ? c : -c));
    *to = *to ? rg__kir_add(s->k, *to, product) : product;
}

static struct kir_node *total(const struct sum *s, int64_t constant)
{
    struct kir_node *x = s->more, *number = rg__kir_int(s->k, constant < 0 && s->more ? -constant : constant);
    if (!x || s->less) { /* so that nothing is taken from less than it is */
        x = x ? constant ? rg__kir_add(s->k, x, rg__kir_int(s->k, constant)) : x : number;
        return s->less ? rg__kir_sub(s->k, x, s->less) : x;
    }
    if (!constant) return x;
    return constant < 0 ? rg__kir_sub(s->k, x, number) : rg__kir_add(s->k, x, number);
}

static int64_t span_of(const struct poly_tile *x, int dim)
{
    return rg__poly_per_block(&x->tiling, x->b->g.kernel->axis[dim]);
}

static bool is_strip(const struct poly_tile *x, const struct poly_group *g, int var)
{
    return g->strip >= 0 && x->tiling.s->loops[g->strip].var == var;
}

/* ---- an element of a tile ---- */

int rg__poly_staged_group(const struct poly_tile *x, const struct poly_access *a)
{
    const struct poly_scop *s = x->tiling.s;
    for (int g = 0; g < x->tiling.n_groups; g++) {
        const struct poly_group *q = &x->tiling.groups[g];
        bool match = x->live[g] && q->array == a->array && a->affine && a->n_subs == q->n_dims;
        for (int d = 0; match && d < q->n_dims; d++) match = rg__poly_linear_same_terms(&a->sub[d], &q->terms[d]);
        if (match && (q->strip < 0 || rg__poly_loop_inside(s, s->stmts[a->stmt].loop, q->strip))) return g;
    }
    return -1;
}

/* A short loop below the staging, by 1, whose range is in the tile: around the statement, or (-1) around any that reads
 * it. */
static const struct poly_loop *loop_in_tile(const struct poly_tile *x, const struct poly_group *g, int var, int stmt)
{
    const struct poly_scop *s = x->tiling.s;
    for (int i = 0; i < s->n_loops; i++) {
        const struct poly_loop *l = &s->loops[i];
        bool reads = stmt >= 0 && rg__poly_loop_inside(s, s->stmts[stmt].loop, i);
        if (l->var != var || !l->constant || rg__poly_fixed_for(&x->tiling, g, i)) continue;
        for (int a = 0; stmt < 0 && !reads && a < s->n_accesses; a++)
            reads = s->accesses[a].array == g->array && rg__poly_loop_inside(s, s->stmts[s->accesses[a].stmt].loop, i);
        if (reads && rg__poly_dim_at(s, x->b->g.kernel, var) < 0) return l;
    }
    return NULL;
}

/* Its subscript minus the tile's first element, along array dimension d. */
static struct kir_node *in_tile(struct poly_tile *x, int group, const struct poly_access *a, int d)
{
    const struct poly_group *g = &x->tiling.groups[group];
    struct sum sum = {.k = x->k};
    int64_t constant = a->sub[d].k - g->terms[d].k;
    for (int i = 0; i < g->terms[d].n; i++) {
        int var = g->terms[d].term[i].var, dim = rg__poly_dim_at(x->tiling.s, x->b->g.kernel, var);
        int64_t c = g->terms[d].term[i].c, span = 0;
        struct kir_node *at;
        if (dim >= 0) {
            at = rg__kir_name(x->k, x->local[dim]);
            span = span_of(x, dim);
        } else if (is_strip(x, g, var)) {
            at = x->strip[group].at;
            span = x->tiling.v.tile;
        } else {
            const struct poly_loop *l = loop_in_tile(x, g, var, a->stmt);
            if (!l) continue; /* stands still */
            at = rg__kir_cast(x->k, RG_I32, x->b->g.t->names->var[var]);
            constant -= c * l->lower.k;
            span = l->trip;
        }
        if (c < 0) constant -= c * (span - 1); /* from the other end */
        add(&sum, c, at);
    }
    return total(&sum, constant);
}

static struct kir_node *staged(void *arg, const struct poly_access *a)
{
    struct poly_tile *x = arg;
    struct kir_node *subs[POLY_MAX_DIMS];
    int group = rg__poly_staged_group(x, a);
    if (group < 0) return NULL;
    const struct poly_group *g = &x->tiling.groups[group];
    for (int i = 0; i < g->n_dims; i++) subs[i] = in_tile(x, group, a, g->order[i]);
    return rg__kir_element(x->k, x->buffer[group], g->n_dims, subs);
}

/* ---- where a tile begins ---- */

struct corner {
    struct kir_node *first[POLY_MAX_DIMS]; /* of the array's elements in it */
    bool negative[POLY_MAX_DIMS];          /* it may lie in front of the array */
    struct kir_node *end;                  /* of the array's elements, where its last row may not be whole; NULL */
};

static bool corner_along(struct poly_tile *x, int group, int d, struct corner *c)
{
    const struct poly_group *g = &x->tiling.groups[group];
    struct kir_names *names = x->b->g.t->names;
    struct kir_node *at[POLY_MAX_TERMS];
    struct sum sum = {.k = x->k};
    int64_t constant = g->terms[d].k;
    bool negative = constant < 0;
    for (int i = 0; i < g->terms[d].n; i++) {
        int var = g->terms[d].term[i].var, dim = rg__poly_dim_at(x->tiling.s, x->b->g.kernel, var);
        int64_t f = g->terms[d].term[i].c, span = dim >= 0              ? span_of(x, dim)
                                                  : is_strip(x, g, var) ? x->tiling.v.tile
                                                                        : 1;
        struct rg_cnode plain = {.kind = RG_C_VAR, .type = names->t->vars[var].type, .var = var, .array = -1};
        const struct poly_loop *l = dim < 0 && !is_strip(x, g, var) ? loop_in_tile(x, g, var, -1) : NULL;
        at[i] = NULL;
        if (l) {
            constant += f * (f > 0 ? l->lower.k : l->lower.k + l->trip - 1);
            negative = negative || constant < 0;
            continue;
        }
        at[i] = dim >= 0 ? x->origin[dim] : is_strip(x, g, var) ? x->strip[group].first : rg__kir_of(names, &plain);
        if (!at[i]) return false;
        negative = negative || f < 0;
        if (f < 0) constant += f * (span - 1);
    }
    negative = negative || constant < 0;
    for (int i = 0; i < g->terms[d].n; i++) {
        if (!at[i]) continue;
        bool wide = negative && !rg_scalar_is_signed(at[i]->type); /* it has no values below zero to compare with */
        add(&sum, g->terms[d].term[i].c, wide ? rg__kir_cast(x->k, RG_LLONG, at[i]) : at[i]);
    }
    c->first[d] = total(&sum, constant);
    c->negative[d] = negative;
    return true;
}

/* A variable's value where the tile begins is lo, lo + step, ... as far as hi. */
struct origins {
    int64_t lo, hi, step;
};

static bool origins_of(struct poly_tile *x, const struct poly_group *g, int var, struct origins *o)
{
    int dim = rg__poly_dim_at(x->tiling.s, x->b->g.kernel, var), loop = dim >= 0 ? x->b->g.kernel->dims[dim] : g->strip;
    if (loop < 0 || (dim < 0 && !is_strip(x, g, var))) return false;
    const struct poly_loop *l = &x->tiling.s->loops[loop];
    int64_t n, span = dim >= 0 ? span_of(x, dim) : x->tiling.v.tile;
    if (!l->lower.ok || l->lower.n || l->step != 1) return false;
    *o = (struct origins){l->lower.k, INT64_MAX, span};
    struct poly_thread *t = x->b->g.t;
    struct kir_node *most = rg__poly_kir_most_of(t->p, t->kernel, t->names, loop, RG_LLONG);
    if (most && rg__kir_number(x->k, most, &n) && n > 0 && n % span == 0 && (dim < 0 || x->whole[dim]))
        o->hi = l->lower.k + n - span;
    return true;
}

/* Does the tile begin at a multiple of the width along its last dimension, whichever block and strip it is? */
static bool starts_aligned(struct poly_tile *x, const struct poly_group *g, int64_t width)
{
    const struct poly_linear *t = &g->terms[g->n_dims - 1];
    bool ok = t->k % width == 0;
    for (int i = 0; i < t->n && ok; i++) {
        struct origins o;
        ok = t->term[i].c > 0 && origins_of(x, g, t->term[i].var, &o) && o.lo * t->term[i].c % width == 0 &&
             o.step * t->term[i].c % width == 0;
    }
    return ok;
}

/* Does the tile lie inside the array along dimension d, whichever block and strip it is? */
static bool always_inside(struct poly_tile *x, const struct poly_group *g, int d, const struct corner *c,
                          struct kir_node *extent)
{
    int64_t lo = g->terms[d].k, hi = lo, n, first;
    if (!rg__kir_number(x->k, extent, &n)) return false;
    if (rg__kir_number(x->k, c->first[d], &first) && !first && g->extent[d] <= n) return true;
    for (int i = 0; i < g->terms[d].n; i++) {
        struct origins o;
        if (g->terms[d].term[i].c != 1 || !origins_of(x, g, g->terms[d].term[i].var, &o) || o.hi == INT64_MAX)
            return false;
        lo += o.lo;
        hi += o.hi;
    }
    return lo >= 0 && hi + g->extent[d] <= n;
}

/* ---- copies ---- */

enum { RIM_UNROLLED = 4 }; /* rounds of copies that look where they are */

/* Which of a tile's elements it is, or of its runs of `width` elements. */
struct place {
    struct kir_node *e, *thread, *round; /* e = thread + round * threads; round NULL: it is nothing such */
    int64_t threads, width;
};

/* How many there are along array dimension d. */
static int64_t count_along(const struct poly_group *g, const struct place *p, int d)
{
    return d == g->n_dims - 1 ? g->extent[d] / p->width : g->extent[d];
}

/* Where it is along each dimension, from the thread's place and the round apart, so that what a round adds is a number
 * and not an address of its own. False: the threads do not divide that way. */
static bool by_rounds(struct kir_kernel *k, const struct poly_group *g, const struct place *p, struct kir_node **at)
{
    int64_t apart = p->threads, below = 1; /* what is left is thread / below + round * apart */
    struct kir_node *round = p->round;
    for (int d = g->n_dims - 1; d >= 0; d--) {
        int64_t count = count_along(g, p, d), rounds;
        struct kir_node *thread = apart > 1 ? rg__kir_div(k, p->thread, rg__kir_int(k, below)) : NULL;
        if (d && apart % count == 0) {
            at[d] = apart > count ? rg__kir_rem(k, thread, rg__kir_int(k, count)) : thread;
            if (!at[d]) at[d] = rg__kir_int(k, 0);
            apart /= count;
            below *= count;
            continue;
        }
        if (d && count % apart) return false;
        rounds = count / apart;
        at[d] = rg__kir_mul(k, d ? rg__kir_rem(k, round, rg__kir_int(k, rounds)) : round, rg__kir_int(k, apart));
        if (thread) at[d] = rg__kir_add(k, thread, at[d]);
        if (d) round = rg__kir_div(k, round, rg__kir_int(k, rounds));
        apart = 1;
    }
    return true;
}

/* Names where in the tile it is along each of the array's dimensions. */
static void name_places(struct poly_tile *x, struct kir_node *seq, const struct poly_group *g, const struct place *p,
                        struct kir_node **at)
{
    static const char *const from_last[] = {"col", "row", "plane"};
    struct kir_kernel *k = x->k;
    int last = g->n_dims - 1;
    int64_t below = 1;
    bool apart = p->round && by_rounds(k, g, p, at);
    for (int d = last; d >= 0; d--) {
        if (!apart) {
            at[d] = below > 1 ? rg__kir_div(k, p->e, rg__kir_int(k, below)) : p->e;
            if (d) at[d] = rg__kir_rem(k, at[d], rg__kir_int(k, count_along(g, p, d)));
            below *= count_along(g, p, d);
        }
        if (d == last) at[d] = rg__kir_mul(k, at[d], rg__kir_int(k, p->width));
        if (at[d]->kind == KIR_NAME || at[d]->kind == KIR_INT) continue;
        const char *as = last - d < 3 ? from_last[last - d] : rg_arena_printf(k->arena, "at%d", d);
        int s = rg__kir_value(k, as, RG_I32);
        rg__kir_add_to(k, seq, rg__kir_let(k, s, at[d]));
        at[d] = rg__kir_name(k, s);
    }
}

/* The array's element at the place in the tile; its subscripts in subs. */
static struct kir_node *in_array(struct poly_tile *x, const struct poly_group *g, const struct corner *c,
                                 struct kir_node *const *at, struct kir_node **subs)
{
    for (int d = 0; d < g->n_dims; d++) subs[d] = rg__kir_add(x->k, c->first[d], at[d]);
    return rg__kir_element(x->k, x->b->g.t->names->buffer[g->array], g->n_dims, subs);
}

/* The tile's own, so many further along the array's last dimension. */
static struct kir_node *in_buffer(struct poly_tile *x, const struct poly_group *g, struct kir_node *const *at,
                                  int64_t more)
{
    struct kir_node *subs[POLY_MAX_DIMS];
    for (int i = 0; i < g->n_dims; i++) {
        subs[i] = at[g->order[i]];
        if (more && g->order[i] == g->n_dims - 1) subs[i] = rg__kir_add(x->k, subs[i], rg__kir_int(x->k, more));
    }
    return rg__kir_element(x->k, x->buffer[g->id], g->n_dims, subs);
}

static int64_t threads_of(const struct poly_tile *x)
{
    return x->b->threads[0] * x->b->threads[1] * x->b->threads[2];
}

/* Several neighbours at once, from rows that are whole ones to rows that are, or, where the tile is turned, to columns.
 */
static void copy_wide(struct poly_tile *x, struct kir_node *seq, const struct poly_group *g, const struct corner *c,
                      struct kir_node *const *at, int64_t width)
{
    struct kir_kernel *k = x->k;
    struct kir_node *subs[POLY_MAX_DIMS], *from = in_array(x, g, c, at, subs), *n = rg__kir_int(k, width);
    int last = g->n_dims - 1;
    if (g->order[last] == last && (g->extent[last] + g->pad) % width == 0) {
        rg__kir_add_to(k, seq, rg__kir_copy(k, in_buffer(x, g, at, 0), from, (int)width, false));
        return;
    }
    int v = rg__kir_buffer(k, "v", KIR_REGISTER, from->type, 1, &n);
    rg__kir_add_to(k, seq, rg__kir_copy(k, rg__kir_at(k, v, 1, rg__kir_int(k, 0)), from, (int)width, false));
    for (int i = 0; i < width; i++)
        rg__kir_add_to(k, seq, rg__kir_store(k, in_buffer(x, g, at, i), rg__kir_at(k, v, 1, rg__kir_int(k, i))));
}

/* ---- a thread's share ---- */

static int64_t runs_in(const struct poly_group *g, int64_t width)
{
    int64_t n = 1;
    for (int d = 0; d < g->n_dims; d++) n *= g->extent[d];
    return n / width;
}

/* Where code stands that runs for each of the thread's elements of the tile: in rounds, of which `unroll` are written
 * out (0: all). */
static struct kir_node *in_rounds(struct poly_tile *x, struct kir_node *seq, const struct poly_group *g,
                                  struct place *p, int64_t unroll)
{
    struct kir_kernel *k = x->k;
    int64_t n = runs_in(g, p->width), rounds = (n + p->threads - 1) / p->threads;
    p->e = p->thread;
    if (rounds > 1) {
        int q = rg__kir_index(k, "q", RG_I32), e = rg__kir_value(k, "e", RG_I32);
        struct kir_node *loop = rg__kir_for(k, KIR_UNROLLED, q, rg__kir_int(k, rounds));
        loop->ivalue = rounds > unroll ? unroll : 0;
        rg__kir_add_to(k, seq, loop);
        seq = rg__kir_body(loop);
        p->round = rg__kir_name(k, q);
        rg__kir_add_to(
            k, seq, rg__kir_let(k, e, rg__kir_add(k, p->thread, rg__kir_mul(k, p->round, rg__kir_int(k, p->threads)))));
        p->e = rg__kir_name(k, e);
    }
    if (n % p->threads == 0) return seq;
    struct kir_node *branch = rg__kir_if(k, rg__kir_less(k, p->e, rg__kir_int(k, n)));
    branch->ivalue = rounds > 1; /* e grows */
    rg__kir_add_to(k, seq, branch);
    return rg__kir_body(branch);
}

/* The same, as a loop over the elements: where threads do not divide the tile, rounds would save no division. */
static struct kir_node *by_element(struct poly_tile *x, struct kir_node *seq, const struct poly_group *g,
                                   struct place *p)
{
    struct kir_kernel *k = x->k;
    int e = rg__kir_index(k, "e", RG_I32);
    struct kir_node *loop = rg__kir_for_range(k, KIR_SERIAL, e, p->thread, rg__kir_int(k, runs_in(g, p->width)),
                                              rg__kir_int(k, p->threads));
    rg__kir_add_to(k, seq, loop);
    p->e = rg__kir_name(k, e);
    return rg__kir_body(loop);
}

/* Every thread's share of a tile that lies inside the array. */
static void copy_whole(struct poly_tile *x, struct kir_node *seq, const struct poly_group *g, const struct corner *c,
                       int64_t width)
{
    struct kir_kernel *k = x->k;
    struct kir_node *at[POLY_MAX_DIMS], *subs[POLY_MAX_DIMS];
    struct place p = {.thread = rg__kir_name(k, x->thread), .threads = threads_of(x), .width = width};
    seq = in_rounds(x, seq, g, &p, 0);
    name_places(x, seq, g, &p, at);
    if (width > 1)
        copy_wide(x, seq, g, c, at, width);
    else
        rg__kir_add_to(k, seq, rg__kir_store(k, in_buffer(x, g, at, 0), in_array(x, g, c, at, subs)));
}

/* Is the element at the subscripts, which are in the array's rows, in the array too? */
static struct kir_node *before_end(struct poly_tile *x, const struct poly_group *g, const struct corner *c,
                                   struct kir_node *const *subs)
{
    struct kir_kernel *k = x->k;
    const struct kir_symbol *array = &k->symbols[x->b->g.t->names->buffer[g->array]];
    struct kir_node *at = rg__kir_cast(k, RG_LLONG, subs[0]);
    for (int d = 1; d < g->n_dims; d++) at = rg__kir_add(k, rg__kir_mul(k, at, array->dims[d]), subs[d]);
    return rg__kir_less(k, at, c->end);
}

/* The share of one that may lie beyond it: there zeros come, or (structures) nothing does. */
static void copy_guarded(struct poly_tile *x, struct kir_node *seq, const struct poly_group *g, const struct corner *c)
{
    struct kir_kernel *k = x->k;
    const struct kir_symbol *array = &k->symbols[x->b->g.t->names->buffer[g->array]];
    struct kir_node *at[POLY_MAX_DIMS], *subs[POLY_MAX_DIMS], *inside = NULL, *thread = rg__kir_name(k, x->thread);
    struct place p = {.thread = thread, .round = thread, .threads = threads_of(x), .width = 1};
    bool rounds = by_rounds(k, g, &p, at);
    p.round = NULL;
    seq = rounds ? in_rounds(x, seq, g, &p, RIM_UNROLLED) : by_element(x, seq, g, &p);
    name_places(x, seq, g, &p, at);
    struct kir_node *from = in_array(x, g, c, at, subs);
    for (int d = 0; d < g->n_dims; d++) {
        if (c->negative[d]) inside = rg__kir_and(k, inside, rg__kir_binary(k, RG_COP_GE, subs[d], rg__kir_int(k, 0)));
        inside = rg__kir_and(k, inside, rg__kir_less(k, subs[d], array->dims[d]));
    }
    if (c->end) inside = rg__kir_and(k, inside, before_end(x, g, c, subs));
    if (from->type == RG_STRUCT)
        seq = rg__poly_kir_where(k, seq, inside);
    else
        from = rg__kir_select(k, inside, from, rg__kir_cast(k, from->type, rg__kir_int(k, 0)));
    rg__kir_add_to(k, seq, rg__kir_store(k, in_buffer(x, g, at, 0), from));
}

/* Are the tile's rows those of the array at addresses that are multiples of the width? */
static struct kir_node *aligned(struct poly_tile *x, const struct poly_group *g, const struct corner *c, int64_t width)
{
    struct kir_kernel *k = x->k;
    struct kir_node *zero[POLY_MAX_DIMS], *element, *w = rg__kir_int(k, width), *none = rg__kir_int(k, 0);
    const struct kir_symbol *array = &k->symbols[x->b->g.t->names->buffer[g->array]];
    struct kir_node *row = g->n_dims > 1 ? rg__kir_rem(k, array->dims[g->n_dims - 1], w) : none;
    for (int d = 0; d < g->n_dims; d++) zero[d] = none;
    element = rg__kir_element(k, x->b->g.t->names->buffer[g->array], g->n_dims, zero);
    struct kir_node *when = rg__kir_aligned(k, 1, &element, width * (int64_t)rg_scalar_bytes(element->type));
    when = rg__kir_and(k, when, rg__kir_binary(k, RG_COP_EQ, row, none));
    if (starts_aligned(x, g, width)) return when;
    return rg__kir_and(k, when, rg__kir_binary(k, RG_COP_EQ, rg__kir_rem(k, c->first[g->n_dims - 1], w), none));
}

static void copy_inside(struct poly_tile *x, struct kir_node *seq, const struct poly_group *g, const struct corner *c)
{
    struct kir_kernel *k = x->k;
    int64_t width = rg__poly_tile_width(&x->tiling, g);
    if (width == 1) {
        copy_whole(x, seq, g, c, 1);
        return;
    }
    struct kir_node *branch = rg__kir_if(k, aligned(x, g, c, width));
    rg__kir_note(branch,
                 rg_arena_printf(k->arena, "vectorize: %d elements at a time where rows are aligned", (int)width));
    rg__kir_add_to(k, seq, branch);
    copy_whole(x, rg__kir_body(branch), g, c, width);
    copy_whole(x, rg__kir_else(k, branch), g, c, 1);
}

bool rg__poly_stage(struct poly_tile *x, struct kir_node *seq, int group)
{
    struct kir_kernel *k = x->k;
    const struct poly_group *g = &x->tiling.groups[group];
    int array = rg__kir_buffer_of(x->b->g.t->names, g->array);
    struct kir_node *inside = NULL, *copies = rg__kir_seq(k), *last[POLY_MAX_DIMS];
    struct corner c;
    if (array < 0) return false;
    c.end = rg__poly_rows_end(x->tiling.p, x->b->g.t->names, g->array);
    k->symbols[array].cached = false; /* each element is loaded once, where zeros may stand in for it */
    for (int d = 0; d < g->n_dims; d++) {
        if (!corner_along(x, group, d, &c)) return false;
        struct kir_node *extent = k->symbols[array].dims[d];
        last[d] = rg__kir_add(k, c.first[d], rg__kir_int(k, g->extent[d] - 1));
        if (always_inside(x, g, d, &c, extent)) continue;
        if (c.negative[d]) inside = rg__kir_and(k, inside, rg__kir_binary(k, RG_COP_GE, c.first[d], rg__kir_int(k, 0)));
        struct kir_node *past = rg__kir_add(k, c.first[d], rg__kir_int(k, g->extent[d]));
        inside = rg__kir_and(k, inside, rg__kir_binary(k, RG_COP_LE, past, extent));
    }
    if (c.end) {
        int end = rg__kir_value(k, "end", RG_LLONG);
        rg__kir_add_to(k, copies, rg__kir_let(k, end, c.end));
        c.end = rg__kir_name(k, end);
        inside = rg__kir_and(k, inside, before_end(x, g, &c, last));
    }
    struct kir_node *branch = inside ? rg__kir_if(k, inside) : NULL;
    copy_inside(x, inside ? rg__kir_body(branch) : copies, g, &c);
    if (inside) copy_guarded(x, rg__kir_else(k, branch), g, &c);
    if (inside) rg__kir_add_to(k, copies, branch);
    rg__kir_note(copies->kid[0],
                 rg_arena_printf(k->arena, "tile.shared@%s: the part that this block reads%s", k->symbols[array].name,
                                 g->strip >= 0 ? " in these TILE iterations" : ""));
    for (int i = 0; i < copies->n; i++) rg__kir_add_to(k, seq, copies->kid[i]);
    x->live[group] = true;
    return true;
}

/* ---- what is staged ---- */

static void shared_buffer(struct poly_tile *x, int group)
{
    const struct poly_group *g = &x->tiling.groups[group];
    const struct rg_carray *a = &x->tiling.s->tree->arrays[g->array];
    struct kir_node *dims[POLY_MAX_DIMS];
    int of_array = 0, before = 0;
    for (int h = 0; h < x->tiling.n_groups; h++) {
        of_array += x->tiling.groups[h].array == g->array;
        before += h < group && x->tiling.groups[h].array == g->array;
    }
    for (int i = 0; i < g->n_dims; i++) dims[i] = rg__kir_int(x->k, g->extent[g->order[i]]);
    const char *as = of_array > 1 ? rg_arena_printf(x->k->arena, "%s_s%d", a->name, before)
                                  : rg_arena_printf(x->k->arena, "%s_s", a->name);
    x->buffer[group] = rg__kir_buffer(x->k, as, KIR_SHARED, a->elem, g->n_dims, dims);
    struct kir_symbol *s = &x->k->symbols[x->buffer[group]];
    s->shared_by = KIR_BLOCK;
    s->pad = g->pad;
    s->c_type = a->elem == RG_STRUCT ? a->c_elem : NULL;
}

bool rg__poly_stage_first(struct poly_tile *x, struct kir_node *seq)
{
    struct kir_kernel *k = x->k;
    struct kir_node *number = NULL;
    bool any = false;
    bool several = x->tiling.dim_of_axis[1] >= 0 || x->tiling.dim_of_axis[2] >= 0;
    for (int a = 2; a >= 0; a--) {
        if (x->tiling.dim_of_axis[a] < 0) continue;
        struct kir_node *at = rg__kir_name(k, x->b->g.tx[a]);
        if (several) at = rg__kir_cast(k, RG_U32, at); /* products without sign are not widened to addresses' 64 bits */
        number = number ? rg__kir_add(k, rg__kir_mul(k, number, rg__kir_int(k, x->b->threads[a])), at) : at;
    }
    x->thread = rg__kir_value(k, "tid", RG_I32);
    rg__kir_add_to(k, seq, rg__kir_let(k, x->thread, rg__kir_cast(k, RG_I32, number)));
    x->tile = rg__kir_constant(k, "TILE", x->tiling.v.tile);
    x->b->g.t->staged = staged;
    x->b->g.t->staged_arg = x;
    for (int g = 0; g < x->tiling.n_groups; g++) shared_buffer(x, g);
    for (int g = 0; g < x->tiling.n_groups; g++)
        if (x->tiling.groups[g].at < 0) {
            any = true;
            if (!rg__poly_stage(x, seq, g)) return false;
        }
    if (any) rg__kir_add_to(k, seq, rg__kir_barrier(k, KIR_BLOCK));
    return true;
}
