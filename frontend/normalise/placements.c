/* Placement by counters, as buckets are filled and matrices are brought into rows:
 *     for (k = 0; k < n; k++) { at = next[row[k]]++; col[at] = c[k]; val[at] = v[k]; }
 * The place of an element is where its bucket's counter stood, and how many of the bucket came before. Those are found
 * by a stable sort of the elements by their buckets: of element order[s] as many as stand between it and the bucket's
 * first, which a binary search tells. Then each array is stored to in a loop of its own, and the counters are added up:
 *     for k: key[k] = row[k], order[k] = k;   sort order by key;
 *     for s: { lo = the first of key[order[..]] that is not below key[order[s]]; at[order[s]] = next[key] + s - lo; }
 *     for k: col[at[k]] = c[k];   for k: val[at[k]] = v[k];   for k: next[row[k]]++; */
#include "frontend/normalise/doubling.h"
#include "frontend/normalise/placements.h"
#include "frontend/normalise/sorting_loops.h"
#include <stdlib.h>

enum { MOST_PLACED = 8, MOST_FRONT = 8 };

struct placement {
    struct rg_ctree *t;
    const struct rg_cnode *loop;
    struct header h;
    struct rg_cnode *key; /* the counter's subscript */
    int counter;          /* array */
    int n_front, n_stores;
    const struct rg_cnode *front[MOST_FRONT];   /* declarations of the body */
    const struct rg_cnode *stores[MOST_PLACED]; /* statements that store */
    int written[MOST_PLACED];                   /* the arrays they store to */
    int keys, order, at;                        /* arrays of ours */
};

/* next[key]++ or its like, for the value it had: the INDEX; NULL. */
static struct rg_cnode *counted(const struct rg_cnode *n, bool value)
{
    const struct rg_cnode *one = n->kind == RG_C_ASSIGN && n->op == RG_COP_ADD_SET ? n->kid[1] : NULL;
    bool up = n->kind == RG_C_INCDEC && (n->op == RG_COP_POST_INC || (!value && n->op == RG_COP_PRE_INC));
    if (!value && one && rg__doubling_one(one)) up = true;
    struct rg_cnode *at = up ? n->kid[0] : NULL;
    return at && at->kind == RG_C_INDEX && at->n == 1 && !at->pointer ? at : NULL;
}

/* next[key]++ as a statement, or next[key] = slot + 1, where *slot has what the counter was; -1. */
static struct rg_cnode *moves_on(const struct rg_cnode *n, int *slot)
{
    *slot = -1;
    const struct rg_cnode *sum =
        n->kind == RG_C_ASSIGN && n->op == RG_COP_SET ? rg__c_uncast(n->kid[1], RG__C_INT_CASTS) : NULL;
    if (!sum || sum->op != RG_COP_ADD || !rg__doubling_one(sum->kid[1])) return counted(n, false);
    const struct rg_cnode *v = rg__c_uncast(sum->kid[0], RG__C_INT_CASTS);
    if (v->kind != RG_C_VAR || v->array >= 0 || v->pointer) return NULL;
    *slot = v->var;
    struct rg_cnode *at = n->kid[0];
    return at->kind == RG_C_INDEX && at->n == 1 && !at->pointer ? at : NULL;
}

/* The first of such nodes in n; *count: how many there are. */
static struct rg_cnode *find(struct rg_cnode *n, int *count)
{
    struct rg_cnode *found = NULL;
    if (!n) return NULL;
    if (counted(n, true)) {
        (*count)++;
        found = n;
    }
    for (int i = 0; i < n->n; i++) {
        struct rg_cnode *k = find(n->kid[i], count);
        if (!found) found = k;
    }
    return found;
}

static int mentions(const struct rg_cnode *n, int array)
{
    if (!n) return 0;
    int count = (n->kind == RG_C_INDEX || n->kind == RG_C_VAR) && n->array == array;
    for (int i = 0; i < n->n; i++) count += mentions(n->kid[i], array);
    return count;
}

/* The subscripts alone may count; but for that, without effects. */
static bool pure_but(const struct rg_ctree *t, const struct rg_cnode *n, const struct rg_cnode *but)
{
    if (n == but) return rg__c_pure(t, n->kid[0]);
    if (n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC || n->kind == RG_C_VERBATIM || n->kind == RG_C_COND ||
        n->op == RG_COP_AND || n->op == RG_COP_OR)
        return rg__c_pure(t, n);
    if (n->kind == RG_C_CALL && !rg__c_pure(t, n)) return false;
    for (int i = 0; i < n->n; i++)
        if (!pure_but(t, n->kid[i], but)) return false;
    return true;
}

/* n with `from` as `to`, where it is not NULL, and variables as fresh ones. */
static struct rg_cnode *copy(struct rg_ctree *t, const struct rg_cnode *n, const struct rg_cnode *from,
                             struct rg_cnode *to)
{
    if (from && n == from) return to;
    struct rg_cnode *c = rg__c_shallow(&t->arena, n);
    for (int i = 0; i < c->n; i++) c->kid[i] = n->kid[i] ? copy(t, n->kid[i], from, to) : NULL;
    return c;
}

static bool same_place(const struct rg_cnode *a, const struct rg_cnode *b)
{
    return a->kind == RG_C_INDEX && !a->pointer && a->n == 1 && a->array == b->array &&
           rg__c_equal(a->kid[0], b->kid[0]);
}

/* Is the variable as wide as the counters are? */
static bool holds_count(const struct rg_ctree *t, int var, int counter)
{
    enum rg_scalar to = t->vars[var].type, from = t->arrays[counter].elem;
    return rg__scalar_is_int(to) && rg__scalar_is_int(from) && rg_scalar_bytes(to) >= rg_scalar_bytes(from);
}

/* Takes the body apart. *value: the node that is the place, which at[k] stands for. */
static bool takes_apart(struct placement *p, struct rg_cnode **value)
{
    struct rg_cnode *body = p->h.body;
    int count = 0;
    bool late = false; /* the counter moves in a statement of its own */
    *value = find(body, &count);
    if (*value && count == 1) {
        struct rg_cnode *at = counted(*value, true);
        for (int i = 0; i < body->n; i++)
            late = late || (body->kid[i]->kind == RG_C_STMT && body->kid[i]->kid[0] == *value);
        p->counter = at->array;
        p->key = at->kid[0];
    }
    for (int i = 0; i < body->n && (!*value || late); i++) { /* at = next[key]; ..; next[key] += 1; */
        const struct rg_cnode *s = body->kid[i];
        int slot;
        struct rg_cnode *at = s->kind == RG_C_STMT ? moves_on(s->kid[0], &slot) : NULL;
        if (!at || count > 1) continue;
        *value = NULL;
        for (int k = 0; k < i && !*value; k++) {
            struct rg_cnode *d = body->kid[k];
            if (d->kind == RG_C_DECL && d->array < 0 && d->n &&
                (slot < 0 || (slot == d->var && holds_count(p->t, d->var, at->array))) &&
                same_place(rg__c_uncast(d->kid[0], RG__C_INT_CASTS), at))
                *value = (struct rg_cnode *)rg__c_uncast(d->kid[0], RG__C_INT_CASTS);
        }
        if (!*value && slot >= 0) continue; /* another array's */
        late = true;
        p->counter = at->array;
        p->key = at->kid[0];
        if (!*value) return false;
        break;
    }
    if (!*value || count > 1 || mentions(body, p->counter) != (late ? 2 : 1)) return false;
    for (int i = 0; i < body->n; i++) {
        const struct rg_cnode *s = body->kid[i], *e = s->kind == RG_C_STMT ? s->kid[0] : NULL;
        if (s->kind == RG_C_BLOCK && !s->n) continue;
        int slot;
        if (late && e && moves_on(e, &slot) && moves_on(e, &slot)->array == p->counter) continue;
        if (s->kind == RG_C_DECL && s->array < 0 && !s->pointer && s->n && p->n_front < MOST_FRONT && !p->n_stores &&
            rg__doubling_writes(body, s->var) == 1 && pure_but(p->t, s->kid[0], *value)) {
            p->front[p->n_front++] = s;
            continue;
        }
        const struct rg_cnode *to = e && e->kind == RG_C_ASSIGN && e->op == RG_COP_SET ? e->kid[0] : NULL;
        while (to && to->kind == RG_C_MEMBER) to = to->kid[0];
        if (!to || to->kind != RG_C_INDEX || to->pointer || p->n_stores == MOST_PLACED || !pure_but(p->t, to, *value) ||
            !rg__c_pure(p->t, e->kid[1]))
            return false;
        p->written[p->n_stores] = to->array;
        p->stores[p->n_stores++] = s;
    }
    for (int i = 0; i < p->n_stores; i++)
        if (p->written[i] == p->counter || mentions(body, p->written[i]) != 1) return false;
    return p->n_stores > 0;
}

/* for (k ..) { the body's declarations; statement }, with the place as at[k]; all variables are new ones. */
static struct rg_cnode *over(struct placement *p, const struct rg_cnode *value, bool with_place,
                             struct rg_cnode *statement)
{
    struct rg_ctree *t = p->t;
    const struct rg_cvar *v = &t->vars[p->h.var];
    enum rg_scalar type = v->type;
    int k = rg__c_add_var(t, v->name, RG_CVAR_LOCAL, type);
    struct rg_cnode *f = rg_cnode_new(t, RG_C_FOR, 4), *place = rg__c_var(t, p->h.var);
    struct rg__kids all = {0};
    struct rg_cnode *at = rg__c_index(t, p->at, 1, &place);
    for (int i = 0; i < p->n_front; i++) {
        bool holds_place = rg__c_mentions_array(p->front[i], p->counter);
        if (!with_place && holds_place) continue;
        rg__kids_add(&all, copy(t, p->front[i], value, at));
    }
    rg__kids_add(&all, copy(t, statement, value, at));
    struct rg_cnode *body = rg__kids_node(t, RG_C_BLOCK, &all);
    for (int i = 0; i < p->n_front; i++) {
        int was = p->front[i]->var, now = rg__c_add_var(t, t->vars[was].name, RG_CVAR_LOCAL, t->vars[was].type);
        t->vars[now].c_type = t->vars[was].c_type;
        t->vars[now].struct_index = t->vars[was].struct_index;
        body = rg__c_replace_var(t, body, was, rg__c_var(t, now));
        for (int d = 0; d < body->n; d++)
            if (body->kid[d]->kind == RG_C_DECL && body->kid[d]->var == was) body->kid[d]->var = now;
    }
    f->kid[0] = rg__doubling_declaration(t, k, rg__c_int(t, 0), p->loop);
    f->kid[1] = rg__c_binary(t, RG_COP_LT, rg__c_var(t, k), rg__c_copy(t, p->h.upper));
    f->kid[2] = rg__c_assign(t, RG_COP_ADD_SET, rg__c_var(t, k), rg__c_cast(t, rg__c_int(t, 1), type));
    f->kid[3] = rg__c_replace_var(t, body, p->h.var, rg__c_var(t, k));
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

/* For each place s in the sorted order: how many of its bucket stand in front of it, from where the counter is. */
static struct rg_cnode *places(struct placement *p)
{
    struct rg_ctree *t = p->t;
    const struct rg_cnode *l = p->loop;
    enum { S, LO, HI, MID, STEP, ITEM, KEY, N };
    static const char *const names[N] = {"s", "lo", "hi", "mid", "step", "item", "key_of"};
    int v[N];
    for (int i = 0; i < N; i++)
        v[i] = rg__c_add_var(t, names[i], RG_CVAR_LOCAL, i == KEY ? t->arrays[p->keys].elem : RG_I32);
#define VAR(i) rg__c_var(t, v[i])
    struct rg_cnode *half = rg__c_binary(t, RG_COP_DIV, rg__c_binary(t, RG_COP_SUB, VAR(HI), VAR(LO)), rg__c_int(t, 2)),
                    *below = rg__c_binary(t, RG_COP_LT, element(t, p->keys, element(t, p->order, VAR(MID))), VAR(KEY)),
                    *up = rg__placed_set(t, VAR(LO), rg__c_binary(t, RG_COP_ADD, VAR(MID), rg__c_int(t, 1)), l);
    struct rg__kids step = {0}, body = {0};
    rg__kids_add(&step, rg__doubling_declaration(t, v[MID], rg__c_binary(t, RG_COP_ADD, VAR(LO), half), l));
    rg__kids_add(&step, rg__placed_either(t, rg__c_binary(t, RG_COP_LT, VAR(LO), VAR(HI)),
                                          rg__placed_either(t, below, up, rg__placed_set(t, VAR(HI), VAR(MID), l), l),
                                          NULL, l));
    struct rg_cnode *search = rg_cnode_new(t, RG_C_FOR, 4);
    search->kid[0] = rg__doubling_declaration(t, v[STEP], rg__c_int(t, 0), l);
    search->kid[1] = rg__c_binary(t, RG_COP_LT, VAR(STEP), rg__c_int(t, 32));
    search->kid[2] = rg__c_assign(t, RG_COP_ADD_SET, VAR(STEP), rg__c_int(t, 1));
    search->kid[3] = rg__kids_node(t, RG_C_BLOCK, &step);
    search->line = search->kid[3]->line = l->line;
    rg__kids_add(&body, rg__doubling_declaration(t, v[ITEM], element(t, p->order, VAR(S)), l));
    rg__kids_add(&body, rg__doubling_declaration(t, v[KEY], element(t, p->keys, VAR(ITEM)), l));
    rg__kids_add(&body, rg__doubling_declaration(t, v[LO], rg__c_int(t, 0), l));
    rg__kids_add(&body, rg__doubling_declaration(t, v[HI], VAR(S), l));
    rg__kids_add(&body, search);
    struct rg_cnode *before = rg__c_binary(t, RG_COP_SUB, VAR(S), VAR(LO)),
                    *place = rg__c_binary(t, RG_COP_ADD, element(t, p->counter, VAR(KEY)),
                                          rg__c_cast(t, before, t->arrays[p->counter].elem));
    rg__kids_add(&body, rg__placed_set(t, element(t, p->at, element(t, p->order, VAR(S))), place, l));
    struct rg_cnode *f = rg_cnode_new(t, RG_C_FOR, 4);
    f->kid[0] = rg__doubling_declaration(t, v[S], rg__c_int(t, 0), l);
    f->kid[1] = rg__c_binary(t, RG_COP_LT, VAR(S), rg__c_cast(t, rg__c_copy(t, p->h.upper), RG_I32));
    f->kid[2] = rg__c_assign(t, RG_COP_ADD_SET, VAR(S), rg__c_int(t, 1));
    f->kid[3] = rg__kids_node(t, RG_C_BLOCK, &body);
    f->line = f->kid[3]->line = l->line;
#undef VAR
    return f;
}

struct rg_cnode *rg__placed_key(struct rg_ctree *t, int keys, const char *text)
{
    struct rg_cnode *m = rg_cnode_new(t, RG_C_STRING, 0);
    m->text = text;
    m->type = t->arrays[keys].elem;
    return m;
}

static bool rewrite(struct rg_ctree *t, const struct rg_problem *problem, struct rg_cnode *block, int at)
{
    struct placement p = {.t = t, .loop = block->kid[at]};
    struct rg_cnode *value = NULL;
    if (!rg__doubling_header(t, p.loop, &p.h) || !p.h.upper || !rg__doubling_one(p.h.step)) return false;
    const struct rg_cnode *first = rg__c_uncast(p.h.first, RG__C_INT_CASTS);
    if (first->kind != RG_C_INT || first->ivalue ||
        (!rg__c_declares(p.loop, p.h.var) && rg__doubling_live(t, p.h.var, p.loop)) || !rg__c_of_params(t, p.h.upper) ||
        t->vars[p.h.var].type != RG_I32 || !takes_apart(&p, &value))
        return false;
    enum rg_scalar counts = t->arrays[p.counter].elem;
    const struct rg_expr *n = rg__c_to_expr(t, p.h.upper, &t->arena);
    if (!n || !rg__scalar_is_int(counts) || rg_scalar_bytes(counts) < 4 || !rg__scalar_is_int(p.key->type) ||
        rg__doubling_writes(p.h.body, p.h.var))
        return false;
    for (int v = 0; v < t->n_vars; v++) { /* what the key is made of: the body's declarations, or what stays */
        bool own = false;
        for (int i = 0; i < p.n_front; i++) own = own || p.front[i]->var == v;
        if (!own && v != p.h.var && rg__doubling_writes(p.h.body, v)) return false;
        if (own && !rg__c_declares(p.loop, v)) return false;
    }
    struct rg__kids out = {0};
    bool wide = rg_scalar_bytes(p.key->type) > 4 || !rg_scalar_is_signed(p.key->type);
    p.keys = rg__placed_scratch(t, "bucket", wide ? RG_LONG : RG_I32, n, p.loop, &out);
    p.order = rg__placed_scratch(t, "order", RG_I32, n, p.loop, &out);
    p.at = rg__placed_scratch(t, "place", counts, n, p.loop, &out);
    struct rg__sorting s = {
        .t = t, .block = block, .at = at, .nest = block->kid[at], .shrinks = -1, .keys = p.keys, .stable = true};
    struct rg__range *r = rg_xmalloc(sizeof *r);
    rg__range_init(r, t, NULL);
    s.like = element(t, p.order, rg__c_int(t, 0));
    s.base = s.lo = rg__poly_int(0);
    s.hi = rg__poly_of(r, p.h.upper);
    s.key[0] = rg__placed_key(t, p.keys, "rg_keys[*rg_l]");
    s.key[1] = rg__placed_key(t, p.keys, "rg_keys[*rg_r]");
    bool ok = !s.hi.bad && rg__sorting_may(&s, problem);
    free(r);
    if (!ok) {
        free(out.items);
        return false;
    }
    struct rg_cnode *k = rg__c_var(t, p.h.var);
    enum rg_scalar key_type = t->arrays[p.keys].elem;
    rg__kids_add(&out,
                 over(&p, value, false,
                      rg__placed_set(t, element(t, p.keys, k), rg__c_cast(t, rg__c_copy(t, p.key), key_type), p.loop)));
    rg__kids_add(&out,
                 over(&p, value, false,
                      rg__placed_set(t, element(t, p.order, k), rg__c_cast(t, rg__c_copy(t, k), RG_I32), p.loop)));
    s.before = out;
    struct rg__kids behind = {0};
    rg__kids_add(&behind, places(&p));
    for (int i = 0; i < p.n_stores; i++) rg__kids_add(&behind, over(&p, value, true, (struct rg_cnode *)p.stores[i]));
    struct rg_cnode *key = rg__c_copy(t, p.key),
                    *more = rg__c_stmt(t, rg__c_assign(t, RG_COP_ADD_SET, rg__c_index(t, p.counter, 1, &key),
                                                       rg__c_cast(t, rg__c_int(t, 1), counts)));
    more->line = p.loop->line;
    rg__kids_add(&behind, over(&p, value, false, more));
    int was = block->n;
    rg__sorting_replace(&s, 1);
    rg__block_splice(t, block, at + 1 + block->n - was, 0, &behind);
    return true;
}

static void walk(struct rg_ctree *t, const struct rg_problem *p, struct rg_cnode *n)
{
    for (int i = 0; i < n->n; i++) {
        struct rg_cnode *k = n->kid[i];
        int was = n->n;
        if (k && k->kind == RG_C_BLOCK) walk(t, p, k);
        if (k && k->kind == RG_C_FOR && rewrite(t, p, n, i)) i += n->n - was;
    }
}

void rg__canon_placements(struct rg_ctree *t, const struct rg_problem *p)
{
    if (!p->may_alias && !rg__mentions_kind(t->root, RG_C_VERBATIM)) walk(t, p, t->root);
}
