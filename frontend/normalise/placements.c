/* Placement by counters, as buckets are filled and matrices are brought into rows:
 *     for (k = 0; k < n; k++) { at = next[row[k]]++; col[at] = c[k]; val[at] = v[k]; }
 * The place of an element is where its bucket's counter stood, and how many of the bucket came before. Those are found
 * by a stable sort of the elements by their buckets: of element order[s] as many as stand between it and the bucket's
 * first, which a binary search tells. Then each array is stored to in a loop of its own, and the counters are added up:
 *     for k: key[k] = row[k], order[k] = k;   sort order by key;
 *     for s: { lo = the first of key[order[..]] that is not below key[order[s]]; at[order[s]] = next[key] + s - lo; }
 *     for k: col[at[k]] = c[k];   for k: val[at[k]] = v[k];   for k: next[row[k]]++;
 * Of few counters each tile of elements counts its own instead (placements_tiles.c).
 * Elements are numbered in the order in which the nest comes by them: from the last on where a loop counts down, over
 * all levels of a nest, or along rows that data bound (placements_rows.c). Those that a condition leaves out have the
 * greatest key there is, and no place. */
#include "frontend/load.h"
#include "frontend/normalise/doubling.h"
#include "frontend/normalise/placements.h"
#include "frontend/normalise/placements_form.h"
#include "frontend/normalise/sorting_loops.h"
#include <stdlib.h>

/* n with the values of the counter as the place. */
static struct rg_cnode *copy(struct rg__placing *p, const struct rg_cnode *n, struct rg_cnode *at)
{
    struct rg_ctree *t = p->t;
    for (int i = 0; i < p->form.n_reads; i++) {
        if (p->form.read[i].node != n) continue;
        struct rg_cnode *place = rg__c_copy(t, at);
        if (!p->form.read[i].moved) return place;
        return rg__c_cast(t, rg__c_binary(t, p->form.down ? RG_COP_SUB : RG_COP_ADD, place, rg__c_int(t, 1)),
                          place->type);
    }
    struct rg_cnode *c = rg__c_shallow(&t->arena, n);
    for (int i = 0; i < c->n; i++) c->kid[i] = n->kid[i] ? copy(p, n->kid[i], at) : NULL;
    return c;
}

/* Which of the front's declarations go by places? */
static void placed_fronts(const struct rg__placing *p, bool *placed)
{
    const struct rg__placement *f = &p->form;
    for (int i = 0; i < f->n_front; i++) {
        placed[i] = rg__c_mentions_array(f->front[i].node, f->counter);
        for (int k = 0; k < i && !placed[i]; k++)
            placed[i] = placed[k] && rg__c_mentions_var(f->front[i].node, f->front[k].node->var);
    }
}

static struct rg_cnode *condition(struct rg__placing *p, const struct rg_cnode *c)
{
    struct rg_cnode *x = rg_cnode_new(p->t, RG_C_IF, 2);
    x->kid[0] = rg__c_copy(p->t, c);
    x->kid[1] = rg_cnode_new(p->t, RG_C_BLOCK, 0);
    x->line = x->kid[1]->line = p->loop->line;
    return x;
}

static void declare_as(struct rg_cnode *n, int was, int now)
{
    if (!n || rg__c_is_expr(n)) return;
    if (n->kind == RG_C_DECL && n->array < 0 && n->var == was) n->var = now;
    for (int i = 0; i < n->n; i++) declare_as(n->kid[i], was, now);
}

/* for (e ..) { the nest's declarations, under its conditions; statement }, with the place as at[e]; all variables are
 * new ones. */
static struct rg_cnode *over(struct rg__placing *p, bool with_place, struct rg_cnode *statement)
{
    struct rg_ctree *t = p->t;
    const struct rg__placement *n = &p->form;
    const struct rg_cvar *v = &t->vars[n->level[0].var];
    int k = rg__c_add_var(t, p->element < 0 ? v->name : "e", RG_CVAR_LOCAL, p->number);
    struct rg_cnode *f = rg_cnode_new(t, RG_C_FOR, 4), *e = rg__c_var(t, p->element < 0 ? n->level[0].var : p->element),
                    *at = rg__c_index(t, p->at, 1, &e), *under[RG__MOST_FRONT + 1];
    struct rg__kids all[RG__MOST_FRONT + 1] = {{0}};
    bool placed[RG__MOST_FRONT];
    int depth = 0;
    placed_fronts(p, placed);
    if (p->row_of >= 0) {
        struct rg_cnode *s = rg__c_copy(t, e);
        under[depth++] = condition(p, rg__c_binary(t, RG_COP_GE, rg__c_index(t, p->row_of, 1, &s), rg__c_int(t, 0)));
    }
    for (int i = 0, l = 0; i <= n->n_front; i++) {
        for (; l < n->n_levels && n->between[l] == i; l++)
            if (p->start[l])
                rg__kids_add(&all[depth],
                             rg__doubling_declaration(t, n->level[l].var, rg__c_copy(t, p->start[l]), p->loop));
        if (i == n->n_front) break;
        if (n->front[i].condition)
            under[depth++] = condition(p, n->front[i].node);
        else if (with_place || !placed[i])
            rg__kids_add(&all[depth], copy(p, n->front[i].node, at));
    }
    rg__kids_add(&all[depth], copy(p, statement, at));
    for (int d = depth; d > 0; d--) {
        under[d - 1]->kid[1] = rg__kids_node(t, RG_C_BLOCK, &all[d]);
        rg__kids_add(&all[d - 1], under[d - 1]);
    }
    struct rg_cnode *body = rg__kids_node(t, RG_C_BLOCK, &all[0]);
    int vars[RG__MOST_FRONT + RG__MOST_LEVELS], n_vars = 0;
    for (int l = 0; l < n->n_levels; l++)
        if (p->start[l]) vars[n_vars++] = n->level[l].var;
    for (int i = 0; i < n->n_front; i++)
        if (!n->front[i].condition) vars[n_vars++] = n->front[i].node->var;
    for (int i = 0; i < n_vars; i++) {
        int was = vars[i], now = rg__c_add_var(t, t->vars[was].name, RG_CVAR_LOCAL, t->vars[was].type);
        t->vars[now].c_type = t->vars[was].c_type;
        t->vars[now].struct_index = t->vars[was].struct_index;
        body = rg__c_replace_var(t, body, was, rg__c_var(t, now));
        declare_as(body, was, now);
    }
    f->kid[0] = rg__doubling_declaration(t, k, rg__c_int(t, 0), p->loop);
    f->kid[1] = rg__c_binary(t, RG_COP_LT, rg__c_var(t, k), rg__c_copy(t, p->trips));
    f->kid[2] = rg__c_assign(t, RG_COP_ADD_SET, rg__c_var(t, k), rg__c_cast(t, rg__c_int(t, 1), p->number));
    f->kid[3] = rg__c_replace_var(t, body, p->element < 0 ? n->level[0].var : p->element, rg__c_var(t, k));
    f->line = f->kid[3]->line = p->loop->line;
    return f;
}

int rg__placed_scratch(struct rg_ctree *t, const char *name, enum rg_scalar elem, const struct rg_expr *n,
                       const struct rg_cnode *at, struct rg__kids *out)
{
    int a = rg__c_add_array(t, name, elem);
    struct rg_carray *c = &t->arrays[a];
    c->c_elem = rg_scalar_cuda(elem);
    c->mallocd = true;
    c->n_dims = 1;
    c->dims = rg_arena_alloc(&t->arena, sizeof *c->dims);
    c->dims[0] = n;
    struct rg_cnode *d = rg_cnode_new(t, RG_C_DECL, 0);
    d->array = a;
    d->type = elem;
    d->line = at->line;
    rg__kids_add(out, d);
    return a;
}

static struct rg_cnode *element(struct rg_ctree *t, int array, struct rg_cnode *at)
{
    return rg__c_index(t, array, 1, &at);
}

struct rg_cnode *rg__placed_set(struct rg_ctree *t, struct rg_cnode *to, struct rg_cnode *value,
                                const struct rg_cnode *at)
{
    struct rg_cnode *s = rg__c_stmt(t, rg__c_assign(t, RG_COP_SET, to, value));
    s->line = at->line;
    return s;
}

/* if (c) yes; else no; */
struct rg_cnode *rg__placed_either(struct rg_ctree *t, struct rg_cnode *c, struct rg_cnode *yes, struct rg_cnode *no,
                                   const struct rg_cnode *at)
{
    struct rg_cnode *x = rg_cnode_new(t, RG_C_IF, no ? 3 : 2);
    struct rg_cnode *arm[2] = {yes, no};
    x->kid[0] = c;
    for (int i = 0; i < x->n - 1; i++) {
        x->kid[i + 1] = rg_cnode_new(t, RG_C_BLOCK, 1);
        x->kid[i + 1]->kid[0] = arm[i];
        x->kid[i + 1]->line = at->line;
    }
    x->line = at->line;
    return x;
}

void rg__placing_bisect(struct rg__placing *p, int lo, int hi, int mid, int step, struct rg_cnode *below,
                        struct rg__kids *out)
{
    struct rg_ctree *t = p->t;
    const struct rg_cnode *l = p->loop;
#define VAR(i) rg__c_var(t, i)
    struct rg_cnode *half = rg__c_binary(t, RG_COP_DIV, rg__c_binary(t, RG_COP_SUB, VAR(hi), VAR(lo)), rg__c_int(t, 2)),
                    *up = rg__placed_set(t, VAR(lo), rg__c_binary(t, RG_COP_ADD, VAR(mid), rg__c_int(t, 1)), l);
    struct rg__kids all = {0};
    rg__kids_add(&all, rg__doubling_declaration(t, mid, rg__c_binary(t, RG_COP_ADD, VAR(lo), half), l));
    rg__kids_add(&all, rg__placed_either(t, rg__c_binary(t, RG_COP_LT, VAR(lo), VAR(hi)),
                                         rg__placed_either(t, below, up, rg__placed_set(t, VAR(hi), VAR(mid), l), l),
                                         NULL, l));
    struct rg_cnode *search = rg_cnode_new(t, RG_C_FOR, 4);
    search->kid[0] = rg__doubling_declaration(t, step, rg__c_int(t, 0), l);
    search->kid[1] = rg__c_binary(t, RG_COP_LT, VAR(step), rg__c_int(t, t->vars[lo].type == RG_I32 ? 32 : 64));
    search->kid[2] = rg__c_assign(t, RG_COP_ADD_SET, VAR(step), rg__c_int(t, 1));
    search->kid[3] = rg__kids_node(t, RG_C_BLOCK, &all);
    search->line = search->kid[3]->line = l->line;
    rg__kids_add(out, search);
#undef VAR
}

struct rg_cnode *rg__placing_counted(struct rg__placing *p, int v, struct rg_cnode *upper, struct rg__kids *body)
{
    struct rg_ctree *t = p->t;
    struct rg_cnode *f = rg_cnode_new(t, RG_C_FOR, 4);
    f->kid[0] = rg__doubling_declaration(t, v, rg__c_int(t, 0), p->loop);
    f->kid[1] = rg__c_binary(t, RG_COP_LT, rg__c_var(t, v), rg__c_cast(t, upper, t->vars[v].type));
    f->kid[2] = rg__c_assign(t, RG_COP_ADD_SET, rg__c_var(t, v), rg__c_int(t, 1));
    f->kid[3] = rg__kids_node(t, RG_C_BLOCK, body);
    f->line = f->kid[3]->line = p->loop->line;
    return f;
}

static struct rg_cnode *no_key(struct rg_ctree *t)
{
    return rg__c_cast(t, rg__c_int(t, INT64_MAX), RG_LONG);
}

/* For each place s in the sorted order: how many of its bucket stand in front of it, from where the counter is. */
static struct rg_cnode *places(struct rg__placing *p)
{
    struct rg_ctree *t = p->t;
    const struct rg_cnode *l = p->loop;
    enum { S, LO, HI, MID, STEP, ITEM, KEY, N };
    static const char *const names[N] = {"s", "lo", "hi", "mid", "step", "item", "key_of"};
    int v[N], counter = p->form.counter;
    for (int i = 0; i < N; i++)
        v[i] = rg__c_add_var(t, names[i], RG_CVAR_LOCAL, i == KEY ? t->arrays[p->keys].elem : p->number);
#define VAR(i) rg__c_var(t, v[i])
    struct rg_cnode *below = rg__c_binary(t, RG_COP_LT, element(t, p->keys, element(t, p->order, VAR(MID))), VAR(KEY));
    struct rg__kids body = {0}, inner = {0}, *to = p->some ? &inner : &body;
    rg__kids_add(&body, rg__doubling_declaration(t, v[ITEM], element(t, p->order, VAR(S)), l));
    rg__kids_add(&body, rg__doubling_declaration(t, v[KEY], element(t, p->keys, VAR(ITEM)), l));
    rg__kids_add(to, rg__doubling_declaration(t, v[LO], rg__c_int(t, 0), l));
    rg__kids_add(to, rg__doubling_declaration(t, v[HI], VAR(S), l));
    rg__placing_bisect(p, v[LO], v[HI], v[MID], v[STEP], below, to);
    struct rg_cnode *before = rg__c_binary(t, RG_COP_SUB, VAR(S), VAR(LO)),
                    *place = rg__c_binary(t, p->form.down ? RG_COP_SUB : RG_COP_ADD, element(t, counter, VAR(KEY)),
                                          rg__c_cast(t, before, t->arrays[counter].elem));
    rg__kids_add(to, rg__placed_set(t, element(t, p->at, element(t, p->order, VAR(S))), place, l));
    if (p->some) {
        struct rg_cnode *has = condition(p, rg__c_binary(t, RG_COP_NE, VAR(KEY), no_key(t)));
        has->kid[1] = rg__kids_node(t, RG_C_BLOCK, &inner);
        rg__kids_add(&body, has);
    }
    return rg__placing_counted(p, v[S], rg__c_copy(t, p->trips), &body);
#undef VAR
}

struct rg_cnode *rg__placed_key(struct rg_ctree *t, int keys, const char *text)
{
    struct rg_cnode *m = rg_cnode_new(t, RG_C_STRING, 0);
    m->text = text;
    m->type = t->arrays[keys].elem;
    return m;
}

/* for (e ..) statement */
static struct rg_cnode *every(struct rg__placing *p, struct rg_cnode *statement)
{
    int k = rg__c_add_var(p->t, "e", RG_CVAR_LOCAL, p->number),
        own = p->element < 0 ? p->form.level[0].var : p->element;
    struct rg__kids body = {0};
    rg__kids_add(&body, rg__c_replace_var(p->t, rg__c_copy(p->t, statement), own, rg__c_var(p->t, k)));
    return rg__placing_counted(p, k, rg__c_copy(p->t, p->trips), &body);
}

bool rg__placing_trips(struct rg_ctree *t, struct rg__range *r, const struct rg__counted *h, struct rg__poly *n)
{
    struct rg_cnode *lower = rg__placement_of_params(t, h->lower), *upper = rg__placement_of_params(t, h->upper);
    if (!lower || !upper) return false;
    struct rg__poly lo = rg__poly_of(r, lower), hi = rg__poly_of(r, upper);
    *n = h->step > 0 ? rg__poly_add(&hi, &lo, -1) : rg__poly_add(&lo, &hi, -1);
    return !n->bad;
}

static bool wide(enum rg_scalar type)
{
    return rg_scalar_bytes(type) > 4 || (rg_scalar_bytes(type) == 4 && !rg_scalar_is_signed(type));
}

/* The element's number, divided. */
static struct rg_cnode *quotient(struct rg__placing *p, struct rg__range *r, const struct rg__poly *by)
{
    int64_t one;
    struct rg_cnode *e = rg__c_var(p->t, p->element);
    if (rg__poly_is_int(by, &one) && one == 1) return e;
    return rg__c_binary(p->t, RG_COP_DIV, e, rg__c_cast(p->t, rg__poly_node(r, by), p->number));
}

/* Nests over all of their elements: the variable of each level from the element's number. *n: how many there are. */
static bool numbered(struct rg__placing *p, struct rg__range *r, struct rg__poly *n)
{
    struct rg_ctree *t = p->t;
    const struct rg__placement *f = &p->form;
    struct rg__poly trips[RG__MOST_LEVELS];
    *n = rg__poly_int(1);
    for (int l = 0; l < f->n_levels; l++) {
        if (!rg__placing_trips(t, r, &f->level[l], &trips[l])) return false;
        *n = rg__poly_mul(n, &trips[l]);
        if (wide(t->vars[f->level[l].var].type) || f->n_levels > 1) p->number = RG_LONG;
    }
    int64_t zero;
    struct rg__poly first = rg__poly_of(r, f->level[0].lower);
    if (f->n_levels == 1 && f->level[0].step > 0 && p->number == RG_I32 && rg__poly_is_int(&first, &zero) && !zero) {
        p->trips = rg__placement_of_params(t, f->level[0].upper);
        return !n->bad;
    }
    if (n->bad) return false;
    p->trips = rg__poly_node(r, n);
    p->element = rg__c_add_var(t, "e", RG_CVAR_LOCAL, p->number);
    /* Level l is element / inside - trips * (element / (trips * inside)), so that what is flat in the nest cancels. */
    struct rg__poly inside = rg__poly_int(1);
    for (int l = f->n_levels - 1; l >= 0; l--) {
        const struct rg__counted *h = &f->level[l];
        struct rg_cnode *from = rg__c_cast(t, rg__placement_of_params(t, h->lower), p->number),
                        *at = quotient(p, r, &inside);
        inside = rg__poly_mul(&inside, &trips[l]);
        if (inside.bad) return false;
        if (l) {
            struct rg_cnode *by = rg__c_cast(t, rg__poly_node(r, &trips[l]), p->number);
            at = rg__c_binary(t, RG_COP_SUB, at, rg__c_binary(t, RG_COP_MUL, by, quotient(p, r, &inside)));
        }
        p->start[l] = rg__c_binary(t, h->step > 0 ? RG_COP_ADD : RG_COP_SUB, from, at);
    }
    return true;
}

/* Does the subscript name the scalar outside of what reads the counter? */
static bool apart_from_counts(const struct rg__placement *f, const struct rg_cnode *n, int var)
{
    for (int i = 0; i < f->n_reads; i++)
        if (f->read[i].node == n) return false;
    if (n->kind == RG_C_VAR && n->array < 0 && n->var == var) return true;
    for (int i = 0; i < n->n; i++)
        if (apart_from_counts(f, n->kid[i], var)) return true;
    return false;
}

/* Would the iterations of the loop around, without the nest, touch each other's elements anyway? Those that it places
 * are at the same places of the same arrays each time. */
static bool again(const struct rg__placing *p, const struct rg_cnode *around)
{
    const struct rg__placement *f = &p->form;
    for (int i = 0; i < f->n_stores; i++) {
        const struct rg_cnode *to = f->stores[i]->kid[0]->kid[0];
        if (rg__c_declares_array(around, f->written[i])) return false;
        for (int v = 0; v < p->t->n_vars; v++) {
            bool own = rg__c_declares(p->loop, v);
            for (int k = 0; k < f->n_front; k++) own = own || (!f->front[k].condition && f->front[k].node->var == v);
            for (int l = 0; l < f->n_levels; l++) own = own || f->level[l].var == v;
            if (!own && apart_from_counts(f, to, v) && (rg__doubling_writes(around, v) || rg__c_declares(around, v)))
                return false;
        }
    }
    return true;
}

/* Is the counter the block's own, and does nothing behind the nest ask where it got to? */
static bool left_uncounted(const struct rg_cnode *block, int at, int counter)
{
    bool own = false;
    for (int i = 0; i < at; i++) own |= block->kid[i]->kind == RG_C_DECL && block->kid[i]->array == counter;
    for (int i = at + 1; i < block->n && own; i++) own = !rg__c_mentions_array(block->kid[i], counter);
    return own;
}

/* around: the outermost loop that the nest stands in; NULL */
static bool rewrite(struct rg__load *load, struct rg_cnode *block, int at, const struct rg_cnode *around)
{
    struct rg_ctree *t = load->t;
    const struct rg_problem *problem = load->p;
    struct rg__placing p = {.t = t, .loop = block->kid[at], .number = RG_I32, .element = -1, .row_of = -1};
    p.form = (struct rg__placement){.t = t, .loop = p.loop};
    if (!rg__placement_form(&p.form) || (around && !again(&p, around))) return false;
    enum rg_scalar counts = t->arrays[p.form.counter].elem;
    if (!rg__scalar_is_int(counts) || rg_scalar_bytes(counts) < 4 || !rg__scalar_is_int(p.form.key->type)) return false;
    struct rg__range *r = rg_xmalloc(sizeof *r);
    rg__range_init(r, t, NULL);
    struct rg__poly total;
    bool ok = numbered(&p, r, &total), rows = !ok && rg__placing_in_rows(&p, load, r, &total);
    struct rg_cnode *all = ok || rows ? rg__poly_node(r, &total) : NULL;
    const struct rg_expr *n = all ? rg__c_to_expr(t, all, &t->arena) : NULL;
    free(r);
    if (!n) return false;
    p.some = rows;
    for (int i = 0; i < p.form.n_front; i++) p.some = p.some || p.form.front[i].condition;
    struct rg__kids arrays = {0}, out = {0}, behind = {0}, ordered = {0}, tiles = {0};
    p.keys = rg__placed_scratch(t, "bucket", p.some || wide(p.form.key->type) ? RG_LONG : RG_I32, n, p.loop, &arrays);
    p.order = rg__placed_scratch(t, "order", p.number, n, p.loop, &ordered);
    p.at = rg__placed_scratch(t, "place", counts, n, p.loop, &arrays);
    t->arrays[p.order].distinct = true;
    struct rg_cnode *nest = block->kid[at], *flat = rg_cnode_new(t, RG_C_BLOCK, 1);
    flat->kid[0] = nest;
    flat->line = nest->line;
    struct rg__sorting s = {
        .t = t, .block = flat, .at = 0, .nest = nest, .shrinks = -1, .keys = p.keys, .stable = true};
    s.like = element(t, p.order, rg__c_int(t, 0));
    s.base = s.lo = rg__poly_int(0);
    s.upper = all;
    s.key[0] = rg__placed_key(t, p.keys, "rg_keys[*rg_l]");
    s.key[1] = rg__placed_key(t, p.keys, "rg_keys[*rg_r]");
    if (!rg__sorting_may(&s, problem)) {
        free(arrays.items);
        free(ordered.items);
        return false;
    }
    const bool tiled = !rows && rg__placing_tiles(&p, &arrays, &tiles);
    for (int i = 0; i < ordered.n && !tiled; i++) rg__kids_add(&arrays, ordered.items[i]);
    free(ordered.items);
    int own = p.element < 0 ? p.form.level[0].var : p.element;
    struct rg_cnode *k = rg__c_var(t, own), *unordered = NULL;
    enum rg_scalar key_type = t->arrays[p.keys].elem;
    if (rows) {
        p.row_of = rg__placed_scratch(t, "row_of", RG_LONG, n, p.loop, &arrays);
        p.start[0] = rg__c_cast(t, rg__placement_of_params(t, p.form.level[0].lower), RG_LONG);
        p.start[0] = rg__c_binary(t, RG_COP_ADD, p.start[0], element(t, p.row_of, rg__c_copy(t, k)));
        p.start[1] = rg__c_copy(t, k);
        rg__kids_add(&out, rg__placing_rows(&p));
    }
    if (p.some) rg__kids_add(&out, every(&p, rg__placed_set(t, element(t, p.keys, k), no_key(t), p.loop)));
    rg__kids_add(&out, over(&p, false,
                            rg__placed_set(t, element(t, p.keys, k), rg__c_cast(t, rg__c_copy(t, p.form.key), key_type),
                                           p.loop)));
    struct rg_cnode *first =
        rg__placed_set(t, element(t, p.order, k), rg__c_cast(t, rg__c_copy(t, k), p.number), p.loop);
    if (!tiled) rg__kids_add(&out, p.some ? every(&p, first) : over(&p, false, first));
    for (int i = 0; i < tiles.n; i++) rg__kids_add(&out, tiles.items[i]);
    free(tiles.items);
    s.before = out;
    if (!tiled) rg__kids_add(&behind, places(&p));
    for (int i = 0; i < p.form.n_stores; i++)
        rg__kids_add(&behind, over(&p, true, (struct rg_cnode *)p.form.stores[i]));
    struct rg_cnode *key = rg__c_copy(t, p.form.key),
                    *more = rg__c_stmt(t, rg__c_assign(t, p.form.down ? RG_COP_SUB_SET : RG_COP_ADD_SET,
                                                       rg__c_index(t, p.form.counter, 1, &key),
                                                       rg__c_cast(t, rg__c_int(t, 1), counts)));
    more->line = p.loop->line;
    if (!left_uncounted(block, at, p.form.counter)) rg__kids_add(&behind, over(&p, false, more));
    if (tiled)
        rg__block_splice(t, flat, 0, 1, &out);
    else
        rg__sorting_replace(&s, 1);
    rg__block_splice(t, flat, flat->n, 0, &behind);
    struct rg__kids with = {0};
    struct rg__kids *to = around ? NULL : &with;
    for (int i = 0; to && i < arrays.n; i++) rg__kids_add(to, arrays.items[i]);
    if (rows) {
        unordered = rg__placing_crossing(&p, &with);
        struct rg_cnode *which = rg_cnode_new(t, RG_C_IF, 3);
        which->kid[0] = unordered;
        which->kid[1] = rg_cnode_new(t, RG_C_BLOCK, 1);
        which->kid[1]->kid[0] = nest;
        which->kid[1]->line = which->line = nest->line;
        which->kid[2] = flat;
        rg__kids_add(&with, which);
    } else {
        for (int i = 0; i < flat->n; i++) rg__kids_add(&with, flat->kid[i]);
    }
    rg__block_splice(t, block, at, 1, &with);
    if (around)
        rg__block_splice(t, t->root, 0, 0, &arrays);
    else
        free(arrays.items);
    return true;
}

static bool is_left(const struct rg__kids *left, const struct rg_cnode *n)
{
    bool found = false;
    for (int i = 0; i < left->n; i++) found = found || left->items[i] == n;
    return found;
}

static bool walk(struct rg__load *l, struct rg_cnode *n, const struct rg_cnode *around, struct rg__kids *left)
{
    if (!n || rg__c_is_expr(n)) return false;
    for (int i = 0; i < n->n; i++) {
        struct rg_cnode *k = n->kid[i];
        bool loop = k && (k->kind == RG_C_FOR || k->kind == RG_C_WHILE || k->kind == RG_C_DO);
        int was = n->n;
        if (n->kind == RG_C_BLOCK && k && k->kind == RG_C_FOR && !is_left(left, k) && rewrite(l, n, i, around)) {
            rg__kids_add(left, k);
            if (around) return true; /* what stands in the function's block has moved */
            i += n->n - was;
        } else if (walk(l, k, around ? around : loop ? k : NULL, left)) {
            return true;
        }
    }
    return false;
}

void rg__canon_placements(struct rg__load *l)
{
    if (l->p->may_alias || rg__mentions_kind(l->t->root, RG_C_VERBATIM)) return;
    struct rg__kids left = {0}; /* nests that stand where rows are out of order */
    while (walk(l, l->t->root, NULL, &left)) {
    }
    free(left.items);
}
