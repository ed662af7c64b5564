/* scan.block in kernel IR. Over the grid, three kernels: a warp has a piece of the iterations and goes through it in
 * steps of neighbouring ones; buffers hold first what each piece does, then the values that it starts from. By a block
 * or a team: the loop in such steps. */
#include "poly/kernel/run_code.h"
#include "poly/kernel/team_kernel.h"

struct walk { /* through iterations first to last, lanes * ITEMS at a time */
    struct poly_teamwork *w;
    struct poly_run_code *x;
    struct kir_kernel *k;
    const struct poly_loop *l;
    struct kir_node *lane, *lanes; /* of those that share it, in one warp or (block) all of them */
    int64_t width;                 /* how many those are */
    bool block;
    struct kir_node *count, *first, *last;
    struct kir_node *items;                   /* of a thread in a step; NULL: one */
    struct kir_node *base, *left;             /* the step's first iteration, and how many it has */
    struct kir_node *value[POLY_MAX_CARRIED]; /* scalars: the carried values between steps */
};

static struct kir_node *named(struct kir_kernel *k, struct kir_node *seq, const char *name, enum rg_scalar type,
                              struct kir_node *value)
{
    int s = rg__kir_value(k, name, type);
    rg__kir_add_to(k, seq, rg__kir_let(k, s, value));
    return rg__kir_name(k, s);
}

static struct kir_node *wide(struct walk *a, struct kir_node *n)
{
    return rg__kir_cast(a->k, RG_LLONG, n);
}

static struct kir_node *num(struct walk *a, int64_t v)
{
    return rg__kir_cast(a->k, RG_LLONG, rg__kir_int(a->k, v));
}

/* ---- the loop's iterations, by number ---- */

static bool count_of(struct walk *a, struct kir_node *seq)
{
    struct kir_kernel *k = a->k;
    struct kir_names *names = a->w->t->names;
    bool up = a->l->step > 0;
    struct kir_node *from = rg__kir_of(names, a->l->node->kid[0]),
                    *to = from ? rg__poly_kir_end(a->w->p->scop, names, a->l) : NULL;
    if (!to) return false;
    from = wide(a, from);
    to = wide(a, to);
    struct kir_node *n = rg__kir_ceil_div(k, up ? rg__kir_sub(k, to, from) : rg__kir_sub(k, from, to),
                                          up ? a->l->step : -a->l->step),
                    *any = up ? rg__kir_less(k, from, to) : rg__kir_less(k, to, from);
    a->count = named(k, seq, "count", RG_LLONG, rg__kir_select(k, any, n, num(a, 0)));
    return true;
}

/* Do iterations have numbers that the variable's type holds, too? Not where it begins far below zero. */
static bool counts_in(struct walk *a, const struct kir_node *from, const struct kir_node *to, enum rg_scalar type)
{
    int64_t v;
    if (!rg_scalar_is_signed(type)) return true;
    return a->l->step > 0 ? rg__kir_number(a->k, from, &v) && v >= 0 : rg__kir_number(a->k, to, &v) && v >= -1;
}

/* The loop's variable in iteration number base + at. */
static bool variable(struct walk *a, struct kir_node *seq, struct kir_node *base, struct kir_node *at)
{
    struct kir_kernel *k = a->k;
    struct kir_names *names = a->w->t->names;
    enum rg_scalar type = names->t->vars[a->l->var].type, in;
    struct kir_node *from = rg__kir_of(names, a->l->node->kid[0]),
                    *to = from ? rg__kir_of(names, a->l->node->kid[1]) : NULL;
    int64_t by = a->l->step > 0 ? a->l->step : -a->l->step;
    if (!to) return false;
    type = rg_scalar_bytes(type) < 4 ? RG_I32 : type;
    in = counts_in(a, from, to, type) ? type : RG_LLONG;
    at = rg__kir_add(k, rg__kir_cast(k, in, base), rg__kir_cast(k, in, at));
    at = rg__kir_mul(k, at, rg__kir_cast(k, in, rg__kir_int(k, by)));
    at = rg__kir_binary(k, a->l->step > 0 ? RG_COP_ADD : RG_COP_SUB, rg__kir_cast(k, in, from), at);
    int i = rg__kir_symbol_of(names, KIR_VALUE, a->l->var, type);
    rg__kir_add_to(k, seq, rg__kir_let(k, i, at));
    rg__kir_bind(names, a->l->var, rg__kir_name(k, i));
    return true;
}

/* ---- carried values in front of the loop, and behind it ---- */

/* What is in front of an array's first element does not exist, and is asked for by nobody. */
static bool exists(struct walk *a, const struct poly_carried *c, struct kir_node **when)
{
    struct kir_kernel *k = a->k;
    struct kir_names *names = a->w->t->names;
    const struct rg_carray *array = &names->t->arrays[c->array];
    for (int d = 0; c->kind == POLY_CARRIED_CHAIN && !c->certain && d < c->in->n; d++) {
        struct kir_node *sub = rg__kir_of(names, c->in->kid[d]),
                        *n = array->dims[d] ? rg__kir_of_extent(names, array->dims[d]) : rg__kir_int(k, 1);
        if (!sub || !n) return false;
        sub = wide(a, sub); /* what an unsigned counter of 0 is before is below 0 there */
        *when = rg__kir_and(k, *when, rg__kir_binary(k, RG_COP_GE, sub, rg__kir_int(k, 0)));
        *when = rg__kir_and(k, *when, rg__kir_less(k, sub, wide(a, n)));
    }
    return true;
}

static bool load_element(struct walk *a, struct kir_node *seq, int i)
{
    struct kir_kernel *k = a->k;
    const struct poly_carried *c = &a->x->sc->at[i];
    int s = rg__kir_scalar(k, rg_arena_printf(k->arena, "%s_last", rg__poly_carried_base(a->x, i)), c->type);
    rg__kir_add_to(k, seq, rg__kir_var(k, s, rg__kir_cast(k, c->type, rg__kir_int(k, 0))));
    a->value[i] = rg__kir_name(k, s);
    if (c->kind == POLY_CARRIED_CHAIN && !c->lag) return true;
    struct kir_node **before = rg__poly_enter_loop(a->w->t), *when = NULL, *is,
                    *in = rg__poly_kir_where(k, seq, rg__kir_less(k, num(a, 0), a->count));
    if (c->kind == POLY_CARRIED_CHAIN && !variable(a, in, num(a, 0), rg__kir_int(k, 0))) return false;
    if (!exists(a, c, &when) || !(is = rg__kir_of(a->w->t->names, c->in))) return false;
    rg__kir_add_to(k, rg__poly_kir_where(k, in, when), rg__kir_assign(k, s, is));
    rg__poly_leave_loop(a->w->t, before);
    return true;
}

static bool load_carried(struct walk *a, struct kir_node *seq)
{
    const struct rg_ctree *t = a->w->p->scop->tree;
    for (int i = 0; i < a->x->sc->n; i++) {
        int v = a->x->sc->at[i].var;
        struct rg_cnode var = {.kind = RG_C_VAR, .type = v >= 0 ? t->vars[v].type : RG_I32, .var = v, .array = -1};
        if (v < 0 && !load_element(a, seq, i)) return false;
        if (v < 0) continue;
        struct kir_node *n = rg__kir_of(a->w->t->names, &var);
        if (!n) return false;
        a->value[i] = n->kind == KIR_CAST ? n->kid[0] : n;
    }
    return true;
}

static bool store_elements(struct walk *a, struct kir_node *seq)
{
    struct kir_kernel *k = a->k;
    for (int i = 0; i < a->x->sc->n; i++) {
        const struct poly_carried *c = &a->x->sc->at[i];
        if (c->kind != POLY_CARRIED_ELEMENT) continue;
        struct kir_node *place = rg__kir_of(a->w->t->names, c->in),
                        *when = rg__kir_and(k, rg__poly_team_lone(a->w), rg__kir_less(k, num(a, 0), a->count));
        if (!place) return false;
        k->symbols[place->symbol].cached = false; /* the kernel's body need not say that it is written */
        rg__kir_add_to(k, rg__poly_kir_where(k, seq, when), rg__kir_store(k, place, a->value[i]));
        a->w->written[c->array] = true;
    }
    return true;
}

/* ---- steps ---- */

static struct kir_node *open_steps(struct walk *a, struct kir_node *seq)
{
    struct kir_kernel *k = a->k;
    int base = rg__kir_index(k, "base", RG_LLONG);
    struct kir_node *by = wide(a, a->items ? rg__kir_mul(k, a->lanes, a->items) : a->lanes);
    int64_t unroll = rg__poly_team_unroll(a->w, 0);
    struct kir_node *loop = rg__kir_for_range(k, unroll > 1 ? KIR_UNROLLED : KIR_SERIAL, base, a->first, a->last, by);
    loop->ivalue = unroll > 1 ? unroll : 0;
    a->base = rg__kir_name(k, base);
    a->left = named(k, rg__kir_body(loop), "left", RG_I32,
                    rg__kir_cast(k, RG_I32, rg__kir_min(k, rg__kir_sub(k, a->last, a->base), by)));
    rg__kir_add_to(k, seq, loop);
    return rg__kir_body(loop);
}

/* This thread's iterations of the step; the body of one. NULL: names->why. */
static struct kir_node *open_items(struct walk *a, struct kir_node *seq)
{
    struct kir_kernel *k = a->k;
    struct kir_node *at = a->lane;
    a->x->q = NULL;
    if (a->items) {
        int q = rg__kir_index(k, "q", RG_I32);
        struct kir_node *loop = rg__kir_for(k, KIR_UNROLLED, q, a->items);
        a->x->q = rg__kir_name(k, q);
        rg__kir_add_to(k, seq, loop);
        seq = rg__kir_body(loop);
        at = named(k, seq, "at", RG_I32, rg__kir_add(k, rg__kir_mul(k, a->lane, a->items), a->x->q));
    }
    seq = rg__poly_kir_where(k, seq, rg__kir_less(k, at, a->left));
    return variable(a, seq, a->base, at) ? seq : NULL;
}

static bool own_run(struct walk *a, struct kir_node *seq, const struct poly_run *mine)
{
    struct kir_node **before = rg__poly_enter_loop(a->w->t), *in = open_items(a, seq);
    bool ok = in && rg__poly_run_part(a->x, in, mine);
    rg__poly_leave_loop(a->w->t, before);
    return ok;
}

/* What the step's first iteration finds, in scalars of its own. */
static void found(struct walk *a, struct kir_node *seq)
{
    struct kir_kernel *k = a->k;
    for (int i = 0; i < a->x->sc->n; i++) {
        const struct poly_carried *c = &a->x->sc->at[i];
        const char *base = rg__poly_carried_base(a->x, i), *what = c->kind == POLY_CARRIED_CHAIN ? "before" : "now";
        int s = rg__kir_scalar(k, rg_arena_printf(k->arena, "%s_%s", base, what), c->type);
        rg__kir_add_to(k, seq, rg__kir_var(k, s, a->value[i]));
        a->x->now[i] = rg__kir_name(k, s);
    }
}

/* The step's iterations themselves: what each of them finds is behind the run in front of it. */
static bool iterations(struct walk *a, struct kir_node *seq, const struct poly_run *front,
                       const struct poly_knode *body)
{
    rg__poly_run_after(a->x, seq, front, a->x->now);
    struct kir_node **before = rg__poly_enter_loop(a->w->t), *in = open_items(a, seq);
    bool ok = in && rg__poly_run_body(a->x, in, body, a->items != NULL);
    rg__poly_leave_loop(a->w->t, before);
    return ok;
}

/* The steps; the carried values are moved on as soon as it is known how, so that no run has to be kept. */
static bool apply_steps(struct walk *a, struct kir_node *seq, const struct poly_knode *body)
{
    const struct poly_scan *sc = a->x->sc;
    struct kir_node *in = open_steps(a, seq);
    struct poly_meeting m;
    if (sc->applied) rg__poly_run_twice(a->x, in, a->items);
    struct poly_run mine = rg__poly_run_none(a->x, in, "mine");
    if (!own_run(a, in, &mine)) return false;
    if (a->block) {
        rg__poly_run_meet(a->x, in, &mine, a->lane, a->width, a->w->decides, &m);
    } else {
        rg__poly_run_through(a->x, in, &mine, a->lane, a->width, a->width);
        m.all = rg__poly_run_of(a->x, in, &mine, rg__kir_int(a->k, a->width - 1), a->width);
    }
    if (sc->applied) found(a, in);
    rg__poly_run_after(a->x, in, &m.all, a->value);
    if (a->block)
        rg__poly_run_in_front(a->x, in, &mine, &m);
    else if (sc->applied)
        mine = rg__poly_run_left(a->x, in, &mine, a->lane, a->width);
    if (sc->applied && !iterations(a, in, &mine, body)) return false;
    a->x->n_twice = 0;
    return true;
}

static struct walk walk_of(struct poly_teamwork *w, const struct poly_scan *sc)
{
    struct walk a = {.w = w, .x = rg__poly_run_code(w->t, sc), .k = w->k, .l = &w->p->scop->loops[sc->loop]};
    if (w->v->items > 1 && w->kernel->form != POLY_SCAN_OFFSETS) {
        if (!w->items) w->items = rg__kir_name(w->k, rg__kir_constant(w->k, "ITEMS", w->v->items));
        a.items = w->items;
    }
    return a;
}

/* ---- by a block or a team ---- */

bool rg__poly_team_scan(struct poly_teamwork *w, struct kir_node *seq, const struct poly_knode *n)
{
    struct walk a = walk_of(w, n->scan);
    struct kir_node *in = rg__kir_seq(w->k);
    a.block = w->kernel->team != POLY_TEAM_WARP;
    a.lane = w->lane;
    a.lanes = w->size;
    a.width = w->threads;
    if (!count_of(&a, in) || !load_carried(&a, in)) return false;
    a.first = num(&a, 0);
    a.last = a.count;
    if (!apply_steps(&a, in, n->kid[0]) || !store_elements(&a, in)) return false;
    rg__kir_note(in, rg_arena_printf(w->k->arena,
                                     "loop %s: scan.block: in steps of neighbouring iterations, one or a few a thread",
                                     a.l->name));
    rg__kir_add_scope(w->k, seq, in);
    return true;
}

/* ---- over the grid ---- */

/* This warp's piece: whole steps. */
static bool piece(struct walk *a, struct kir_node *seq)
{
    struct kir_kernel *k = a->k;
    struct poly_teamwork *w = a->w;
    struct kir_node *tx = rg__kir_name(k, w->g.tx[0]), *warps = rg__kir_int(k, w->v->block / 32),
                    *size = rg__kir_int(k, 32), *step = a->items ? rg__kir_mul(k, size, a->items) : size;
    if (!count_of(a, seq)) return false;
    a->lane = named(k, seq, "lane", RG_I32, rg__kir_rem(k, tx, size));
    a->lanes = size;
    a->width = 32;
    w->warp = named(k, seq, "warp", RG_LLONG,
                    rg__kir_add(k, rg__kir_mul(k, wide(a, w->g.place[0]), warps), rg__kir_div(k, tx, size)));
    struct kir_node *all =
                        named(k, seq, "warps", RG_LLONG, rg__kir_mul(k, wide(a, rg__kir_extent(k, KIR_GRID_X)), warps)),
                    *each = rg__kir_div(k, rg__kir_sub(k, rg__kir_add(k, a->count, all), num(a, 1)), all);
    each = rg__kir_div(k, rg__kir_sub(k, rg__kir_add(k, each, step), num(a, 1)), wide(a, step));
    each = named(k, seq, "each", RG_LLONG, rg__kir_mul(k, each, wide(a, step)));
    rg__kir_note(seq->kid[seq->n - 1], "iterations of a piece, whole steps");
    a->first = named(k, seq, "first", RG_LLONG, rg__kir_min(k, rg__kir_mul(k, w->warp, each), a->count));
    a->last = named(k, seq, "last", RG_LLONG, rg__kir_min(k, rg__kir_add(k, a->first, each), a->count));
    return true;
}

/* The buffer of a member: of what each piece does, or of a value (col -1) that it starts from. */
static int part_buffer(struct walk *a, int i)
{
    struct kir_kernel *k = a->k;
    const struct poly_member *m = &a->x->at[i];
    const char *name = rg_arena_printf(k->arena, "part%d_%s", a->w->kernel->scan_first, m->name);
    while (rg__poly_name_taken(a->w->p->scop, name)) name = rg_arena_printf(k->arena, "%s_", name);
    int s = rg__kir_symbol_as(k, KIR_BUFFER, name, m->type);
    k->symbols[s].space = KIR_GLOBAL;
    k->symbols[s].n_dims = 1;
    k->symbols[s].pass = name;
    if (a->w->kernel->form == POLY_SCAN_TOTALS)
        k->symbols[s].scratch = rg__kir_int(k, a->w->v->grid * (a->w->v->block / 32));
    return s;
}

static bool totals(struct poly_teamwork *w, struct kir_node *seq)
{
    struct walk a = walk_of(w, w->kernel->scans[0]);
    struct kir_kernel *k = w->k;
    if (!piece(&a, seq)) return false;
    struct poly_run all = rg__poly_run_none(a.x, seq, "all"), last;
    struct kir_node *in = open_steps(&a, seq);
    if (a.x->sc->ordered) {
        struct poly_run mine = rg__poly_run_none(a.x, in, "mine");
        if (!own_run(&a, in, &mine)) return false;
        rg__poly_run_through(a.x, in, &mine, a.lane, 32, 32);
        last = rg__poly_run_of(a.x, in, &mine, rg__kir_int(k, 31), 32);
        last = rg__poly_run_then(a.x, in, &all, &last);
        rg__poly_run_set(a.x, in, &all, &last);
    } else { /* any order will do */
        if (!own_run(&a, in, &all)) return false;
        rg__poly_run_through(a.x, seq, &all, a.lane, 32, 32);
    }
    seq = rg__poly_kir_where(k, seq, rg__kir_binary(k, RG_COP_EQ, a.lane, rg__kir_int(k, 31)));
    for (int i = 0; i < a.x->n; i++)
        rg__kir_add_to(k, seq, rg__kir_store(k, rg__kir_at(k, part_buffer(&a, i), 1, w->warp), all.of[i]));
    return true;
}

/* The parts that this thread puts together: neighbouring ones. */
struct share {
    struct kir_node *from, *to;
    struct poly_run mine; /* scalars */
    int part[POLY_MEMBERS];
};

typedef void share_code(struct walk *a, struct kir_node *seq, const struct share *s, const struct poly_run *own,
                        struct kir_node *b);

/* The code for each of the parts. */
static void one_by_one(struct walk *a, struct kir_node *seq, const struct share *s, struct kir_node *from,
                       share_code *code)
{
    struct kir_kernel *k = a->k;
    struct poly_run own;
    int b = rg__kir_index(k, "b", RG_I32);
    struct kir_node *loop = rg__kir_for_range(k, KIR_SERIAL, b, from, s->to, rg__kir_int(k, 1));
    for (int i = 0; i < a->x->n; i++)
        own.of[i] = named(k, rg__kir_body(loop), rg_arena_printf(k->arena, "own_%s", a->x->at[i].name),
                          a->x->at[i].type, rg__kir_at(k, s->part[i], 1, rg__kir_name(k, b)));
    code(a, rg__kir_body(loop), s, &own, rg__kir_name(k, b));
    rg__kir_add_to(k, seq, loop);
}

/* The same, so many at a time, which are loaded first: what is stored in between would keep later ones from being on
 * their way. */
static void some_at_a_time(struct walk *a, struct kir_node *seq, const struct share *s, int64_t chunk,
                           struct kir_node *to, share_code *code)
{
    struct kir_kernel *k = a->k;
    struct poly_run own;
    int first = rg__kir_index(k, "b", RG_I32), u = rg__kir_index(k, "ahead", RG_I32),
        v = rg__kir_index(k, "which", RG_I32);
    struct kir_node *size = rg__kir_int(k, chunk), *loop = rg__kir_for_range(k, KIR_SERIAL, first, s->from, to, size),
                    *in = rg__kir_body(loop), *loads = rg__kir_for(k, KIR_UNROLLED, u, size),
                    *each = rg__kir_for(k, KIR_UNROLLED, v, size),
                    *at = rg__kir_add(k, rg__kir_name(k, first), rg__kir_name(k, u));
    for (int i = 0; i < a->x->n; i++) {
        const char *name = rg_arena_printf(k->arena, "own_%s", a->x->at[i].name);
        int r = rg__kir_buffer(k, name, KIR_REGISTER, a->x->at[i].type, 1, &size);
        rg__kir_add_to(k, in, rg__kir_own_buffer(k, r));
        rg__kir_add_to(k, rg__kir_body(loads),
                       rg__kir_store(k, rg__kir_at(k, r, 1, rg__kir_name(k, u)), rg__kir_at(k, s->part[i], 1, at)));
        own.of[i] = rg__kir_at(k, r, 1, rg__kir_name(k, v));
    }
    rg__kir_add_to(k, in, loads);
    rg__kir_add_to(k, in, each);
    code(a, rg__kir_body(each), s, &own, rg__kir_add(k, rg__kir_name(k, first), rg__kir_name(k, v)));
    rg__kir_add_to(k, seq, loop);
}

enum { FEW_MEMBERS = 6 /* of a run: of longer ones several do not fit a thread's registers */ };

static void each_part(struct walk *a, struct kir_node *seq, const struct share *s, share_code *code)
{
    struct kir_kernel *k = a->k;
    struct kir_node *from = s->from;
    if (a->x->n <= FEW_MEMBERS) {
        int64_t chunk = a->x->n <= 2 ? 8 : 4;
        struct kir_node *size = rg__kir_int(k, chunk),
                        *whole = rg__kir_mul(k, rg__kir_div(k, rg__kir_sub(k, s->to, s->from), size), size);
        from = named(k, seq, "rest", RG_I32, rg__kir_add(k, s->from, whole));
        some_at_a_time(a, seq, s, chunk, from, code);
    }
    one_by_one(a, seq, s, from, code);
}

static void put_together(struct walk *a, struct kir_node *seq, const struct share *s, const struct poly_run *own,
                         struct kir_node *b)
{
    struct poly_run both = rg__poly_run_then(a->x, seq, &s->mine, own);
    (void)b;
    rg__poly_run_set(a->x, seq, &s->mine, &both);
}

/* The part is replaced by the values that its piece starts from. */
static void starts(struct walk *a, struct kir_node *seq, const struct share *s, const struct poly_run *own,
                   struct kir_node *b)
{
    struct kir_kernel *k = a->k;
    struct kir_node *start[POLY_MAX_CARRIED];
    for (int i = 0; i < a->x->sc->n; i++) {
        int v = rg__kir_scalar(k, rg_arena_printf(k->arena, "start_%s", rg__poly_carried_base(a->x, i)),
                               a->x->sc->at[i].type);
        rg__kir_add_to(k, seq, rg__kir_var(k, v, a->value[i]));
        start[i] = rg__kir_name(k, v);
    }
    rg__poly_run_after(a->x, seq, &s->mine, start);
    for (int i = 0; i < a->x->sc->n; i++)
        rg__kir_add_to(k, seq,
                       rg__kir_store(k, rg__kir_at(k, s->part[rg__poly_run_member(a->x, i, -1)], 1, b), start[i]));
    put_together(a, seq, s, own, b);
}

static bool offsets(struct poly_teamwork *w, struct kir_node *seq)
{
    struct walk a = walk_of(w, w->kernel->scans[0]);
    struct kir_kernel *k = w->k;
    struct share s;
    struct poly_meeting m;
    if (!count_of(&a, seq) || !load_carried(&a, seq)) return false;
    struct kir_node *parts = wide(&a, w->parts), *tx = w->lane;
    s.from = named(k, seq, "from", RG_I32, rg__kir_div(k, rg__kir_mul(k, parts, tx), w->size));
    s.to = named(k, seq, "to", RG_I32,
                 rg__kir_div(k, rg__kir_mul(k, parts, rg__kir_add(k, tx, rg__kir_int(k, 1))), w->size));
    for (int i = 0; i < a.x->n; i++) s.part[i] = part_buffer(&a, i);
    s.mine = rg__poly_run_none(a.x, seq, "mine");
    each_part(&a, seq, &s, put_together);
    rg__poly_run_meet(a.x, seq, &s.mine, w->lane, w->threads, w->decides, &m);
    rg__poly_run_in_front(a.x, seq, &s.mine, &m);
    if (a.x->sc->applied) each_part(&a, seq, &s, starts);
    rg__poly_run_after(a.x, seq, &m.all, a.value);
    return store_elements(&a, seq);
}

static bool apply(struct poly_teamwork *w, struct kir_node *seq)
{
    struct walk a = walk_of(w, w->kernel->scans[0]);
    struct kir_kernel *k = w->k;
    if (!piece(&a, seq)) return false;
    for (int i = 0; i < a.x->sc->n; i++) {
        const struct poly_carried *c = &a.x->sc->at[i];
        struct kir_node *start = rg__kir_at(k, part_buffer(&a, rg__poly_run_member(a.x, i, -1)), 1, w->warp);
        int s = c->var >= 0
                    ? rg__kir_symbol_of(w->t->names, KIR_SCALAR, c->var, c->type)
                    : rg__kir_scalar(k, rg_arena_printf(k->arena, "%s_last", rg__poly_carried_base(a.x, i)), c->type);
        rg__kir_add_to(k, seq, rg__kir_var(k, s, start));
        a.value[i] = rg__kir_name(k, s);
        if (c->var >= 0) rg__kir_bind(w->t->names, c->var, a.value[i]);
    }
    return apply_steps(&a, seq, w->kernel->body->kid[0]->kid[0]);
}

/* What stands in front of the loop, or behind it. */
static bool around(struct poly_teamwork *w, struct kir_node *seq, int from, int to)
{
    for (int i = from; i < to; i++)
        if (!rg__poly_team_code(w, seq, w->kernel->body->kid[i])) return false;
    return true;
}

bool rg__poly_scan_code(struct poly_teamwork *w, struct kir_node *seq)
{
    const struct poly_kernel *kernel = w->kernel;
    if (kernel->form == POLY_SCAN_TOTALS) return totals(w, seq);
    if (kernel->form == POLY_SCAN_APPLY) return apply(w, seq);
    if (!around(w, seq, 0, kernel->n_before)) return false;
    rg__poly_team_settle(w, seq);
    return offsets(w, seq) && around(w, seq, kernel->n_before, kernel->body->n);
}

struct kir_node *rg__poly_scan_blocks(struct poly_teamwork *w)
{
    struct kir_kernel *k = w->k;
    struct kir_node *n = rg__poly_kir_most_of(w->p, w->kernel, w->t->names, w->kernel->reduce_loop, RG_LLONG);
    if (!n) return NULL;
    n = rg__kir_min(k, rg__kir_cast(k, RG_LLONG, rg__kir_int(k, w->v->grid)),
                    rg__kir_ceil_div(k, n, w->v->block * w->v->items));
    return rg__kir_max(k, rg__kir_cast(k, RG_LLONG, rg__kir_int(k, 1)), n);
}
