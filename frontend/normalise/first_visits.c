/* Elements that the first iteration to come to them gives a value, and later ones a smaller or a larger one:
 *     for i: { if (count[b[i]] == 0) low[b[i]] = x[i]; else if (x[i] < low[b[i]]) low[b[i]] = x[i];  count[b[i]]++; }
 * Which iteration that is can be found out in any order, and its value is there before the loop then:
 *     for k: first[k] = n;
 *     for i: first[b[i]] = min(first[b[i]], i);
 *     for k: if (first[k] < n && count[k] == 0) low[k] = x[first[k]];
 *     for i: { if (x[i] < low[b[i]]) low[b[i]] = x[i];  count[b[i]]++; }
 * The first one comes to its own value again, and sets what is there. Of one condition with several such places, of
 * `count == 0 || better`, and of a value that later iterations leave alone. The count is a flag that nobody takes back:
 * it goes up behind what asks it, or is set there. */
#include "frontend/normalise/canon.h"
#include "frontend/normalise/pointer_rotation.h"
#include <stdlib.h>
#include <string.h>

enum { MAX_ASKS = 8, MAX_SETS = 8, MOST_COUNT = 4096 };

struct set { /* to[s] = value */
    const struct rg_cnode *to, *value;
};

struct visits {
    struct rg_ctree *t;
    struct rg_cnode *loop, *block;
    const struct rg_cnode *count; /* INDEX; NULL none yet */
    int n_asks, n_sets;
    int ask[MAX_ASKS];               /* where a flag is declared; the IF is behind it */
    struct set set[MAX_SETS];        /* by the first */
    const struct rg_cnode *mark;     /* the statement that makes the count a number; */
    const struct rg_cnode *marks_as; /* ... where only the first comes to it: that number */
    struct rg__kids later;           /* per ask, a block: what every iteration does instead */
    struct rg__kids dropped;         /* of the body, in the copy that finds out who is first */
    bool counted;                    /* the mark counts up: from below 0 it would come to 0 again */
    bool failed;
};

static bool scalar(const struct rg_cnode *e)
{
    return e->kind == RG_C_VAR && e->array < 0 && !e->pointer;
}

static bool element(const struct rg_cnode *e)
{
    return e->kind == RG_C_INDEX && e->n == 1 && !e->pointer && e->type != RG_STRUCT;
}

static int mentions(const struct rg_cnode *n, int array)
{
    int c = n && (n->kind == RG_C_INDEX || n->kind == RG_C_VAR) && n->array == array;
    for (int i = 0; n && i < n->n; i++) c += mentions(n->kid[i], array);
    return c;
}

/* count[s] == 0, !count[s]: the element. */
static const struct rg_cnode *asks_none(const struct rg_cnode *c)
{
    int64_t zero;
    c = rg__c_uncast(c, RG__C_INT_CASTS);
    if (c->op == RG_COP_NE && rg__c_number(c->kid[1], &zero) && !zero) c = rg__c_uncast(c->kid[0], RG__C_INT_CASTS);
    const struct rg_cnode *e = c->op == RG_COP_NOT || c->op == RG_COP_EQ ? c->kid[0] : NULL;
    int64_t none = 0;
    if (!e || (c->op == RG_COP_EQ && (!rg__c_number(c->kid[1], &none) || none))) return NULL;
    e = rg__c_uncast(e, RG__C_WIDE_CASTS);
    return element(e) && rg__scalar_is_int(e->type) ? e : NULL;
}

/* x < low, low > x, and with =: of the value and what is there. */
static bool compares(const struct rg_cnode *c, const struct rg_cnode *value, const struct rg_cnode *to)
{
    c = rg__c_uncast(c, RG__C_INT_CASTS);
    if (!rg_c_relation(c->op) || c->op == RG_COP_EQ || c->op == RG_COP_NE) return false;
    for (int side = 0; side < 2; side++)
        if (rg__c_equal(c->kid[side], value) && rg__c_equal(c->kid[1 - side], to)) return value->type == to->type;
    return false;
}

static const struct set *set_of(const struct visits *v, const struct rg_cnode *to)
{
    for (int i = 0; i < v->n_sets; i++)
        if (rg__c_equal(v->set[i].to, to)) return &v->set[i];
    return NULL;
}

/* to[s] = e of a statement. */
static const struct rg_cnode *store(const struct visits *v, const struct rg_cnode *s)
{
    const struct rg_cnode *e = s->kind == RG_C_STMT ? s->kid[0] : NULL;
    bool is = e && e->kind == RG_C_ASSIGN && e->op == RG_COP_SET && element(e->kid[0]) &&
              rg__c_equal(e->kid[0]->kid[0], v->count->kid[0]) && rg__c_pure(v->t, e->kid[1]);
    return is ? e : NULL;
}

static bool adds_set(struct visits *v, const struct rg_cnode *e)
{
    if (v->n_sets == MAX_SETS || e->kid[0]->array == v->count->array || set_of(v, e->kid[0])) return false;
    v->set[v->n_sets++] = (struct set){e->kid[0], e->kid[1]};
    return true;
}

/* What later ones do: the lesser or the greater of their value and what is there. As to = better ? value : to. */
static bool later_block(struct visits *v, const struct rg_cnode *b, struct rg__kids *out)
{
    for (int i = 0; b && i < b->n; i += 2) {
        const struct rg_cnode *d = b->kid[i], *k = i + 1 < b->n ? b->kid[i + 1] : NULL, *e = NULL;
        if (d->kind != RG_C_DECL || d->array >= 0 || !d->n || !k || k->kind != RG_C_IF || !scalar(k->kid[0]) ||
            k->kid[0]->var != d->var || rg__c_count_var(v->loop, d->var) != 1 ||
            (k->n > 2 && k->kid[2] && k->kid[2]->n) || k->kid[1]->n != 1 || !(e = store(v, k->kid[1]->kid[0])))
            return false;
        const struct set *s = set_of(v, e->kid[0]);
        if (!s || !rg__c_equal(s->value, e->kid[1]) || !compares(d->kid[0], e->kid[1], e->kid[0])) return false;
        struct rg_cnode *x =
            rg__c_choice(v->t, rg__c_copy(v->t, d->kid[0]), rg__c_copy(v->t, e->kid[1]), rg__c_copy(v->t, e->kid[0]));
        x = rg__c_stmt(v->t, rg__c_assign(v->t, RG_COP_SET, rg__c_copy(v->t, e->kid[0]), x));
        rg__kids_add(out, rg__c_stands(x, k));
    }
    return true;
}

/* The first one's arm: stores at that place, of which one may set the flag. */
static bool first_block(struct visits *v, const struct rg_cnode *b)
{
    for (int i = 0; i < b->n; i++) {
        const struct rg_cnode *e = store(v, b->kid[i]);
        int64_t number;
        if (!e) return false;
        if (e->kid[0]->array != v->count->array) {
            if (!adds_set(v, e)) return false;
            continue;
        }
        if (v->mark || !rg__c_number(rg__c_uncast(e->kid[1], RG__C_CASTS), &number) || number < 1 || number > 127)
            return false;
        v->mark = b->kid[i];
        v->marks_as = e->kid[1];
    }
    return true;
}

/* The flag that block->kid[at] declares, and the IF behind it. */
static bool asks(struct visits *v, int at)
{
    const struct rg_cnode *b = v->block, *d = b->kid[at], *k = at + 1 < b->n ? b->kid[at + 1] : NULL;
    if (d->kind != RG_C_DECL || d->array >= 0 || !d->n || !rg__scalar_is_int(d->type) || !k || k->kind != RG_C_IF ||
        !scalar(k->kid[0]) || k->kid[0]->var != d->var || rg__c_count_var(v->loop, d->var) != 1 ||
        v->n_asks == MAX_ASKS || k->kid[1]->kind != RG_C_BLOCK)
        return false;
    const struct rg_cnode *c = rg__c_uncast(d->kid[0], RG__C_INT_CASTS),
                          *other = k->n > 2 && k->kid[2] && k->kid[2]->n ? k->kid[2] : NULL;
    const bool either = c->op == RG_COP_OR;
    const struct rg_cnode *count = asks_none(either ? c->kid[0] : c);
    if (!count || (v->count && !rg__c_equal(v->count, count)) || (either && other) || v->mark) return false;
    v->count = count;
    struct rg__kids later = {0};
    const int n = v->n_sets;
    bool ok = first_block(v, k->kid[1]) && later_block(v, other, &later);
    if (ok && either) { /* one place alone, whose own comparison it is */
        const struct set *s = &v->set[n];
        ok = v->n_sets == n + 1 && !v->mark && compares(c->kid[1], s->value, s->to);
        struct rg_cnode *x =
            ok ? rg__c_choice(v->t, rg__c_copy(v->t, c->kid[1]), rg__c_copy(v->t, s->value), rg__c_copy(v->t, s->to))
               : NULL;
        if (ok)
            rg__kids_add(&later,
                         rg__c_stands(rg__c_stmt(v->t, rg__c_assign(v->t, RG_COP_SET, rg__c_copy(v->t, s->to), x)), k));
    }
    v->ask[v->n_asks++] = at;
    rg__kids_add(&v->later, rg__kids_node(v->t, RG_C_BLOCK, &later));
    return ok;
}

/* count[s]++, += a number, = a number: never 0 behind it, of counts that were not below 0. */
static bool marks(const struct visits *v, const struct rg_cnode *s)
{
    const struct rg_cnode *e = s->kind == RG_C_STMT ? s->kid[0] : NULL;
    int64_t number = 1;
    if (!e || (e->kind != RG_C_ASSIGN && e->kind != RG_C_INCDEC) || !rg__c_equal(e->kid[0], v->count)) return false;
    if (e->kind == RG_C_ASSIGN && !rg__c_number(rg__c_uncast(e->kid[1], RG__C_CASTS), &number)) return false;
    if (e->kind == RG_C_ASSIGN && e->op == RG_COP_SET) return number > 0 && number < 128;
    return (e->kind == RG_C_INCDEC ? rg_c_increments(e->op) : e->op == RG_COP_ADD_SET) && number > 0 &&
           number < MOST_COUNT && rg_scalar_bytes(v->count->type) >= 4;
}

/* Is the place one and the same from the first question on to the statement at `last`? */
static bool stays(const struct visits *v, int last)
{
    const struct rg_cnode *s = v->count->kid[0];
    if (!rg__c_pure(v->t, s)) return false;
    for (int x = 0; x < v->t->n_vars; x++)
        for (int i = v->ask[0]; i <= last && rg__c_mentions_var(s, x); i++)
            if (rg__c_writes_var(v->block->kid[i], x)) return false;
    for (int a = 0; a < v->t->n_arrays; a++)
        if (rg__c_mentions_array(s, a) && (rg__writes_array(v->loop, a) || rg__c_declares_array(v->loop, a)))
            return false;
    return true;
}

/* The array is named `uses` times in the loop, under no other name, and has as many elements as the counts. */
static bool own_array(const struct visits *v, int array, int uses)
{
    const struct rg_ctree *t = v->t;
    const struct rg_carray *x = &t->arrays[array], *c = &t->arrays[v->count->array];
    if (mentions(v->loop, array) != uses || x->n_dims != 1 || !x->dims || !x->dims[0] || x->constant_table ||
        rg__c_declares_array(v->loop, array) || rg__mentions_kind(v->loop, RG_C_VERBATIM))
        return false;
    for (int a = 0; a < t->n_arrays; a++)
        if (a != array && x->param >= 0 && t->arrays[a].param == x->param && mentions(v->loop, a)) return false;
    return rg__c_equal(rg__c_from_expr(v->t, x->dims[0]), rg__c_from_expr(v->t, c->dims[0]));
}

static bool fits(struct visits *v)
{
    const struct rg_cnode *b = v->block;
    int last = v->ask[v->n_asks - 1] + 1;
    while (!v->mark && ++last < b->n)
        if (rg__writes_array(b->kid[last], v->count->array)) {
            if (!marks(v, b->kid[last])) return false;
            v->mark = b->kid[last];
            v->counted = v->mark->kid[0]->kind != RG_C_ASSIGN || v->mark->kid[0]->op != RG_COP_SET;
        }
    if (!v->mark || !v->n_sets || !stays(v, last)) return false;
    if (!own_array(v, v->count->array, v->n_asks + 1)) return false;
    bool differs = false; /* else whoever comes may store it */
    for (int i = 0; i < v->n_sets; i++) differs |= !rg__loop_invariant(v->t, v->set[i].value, v->loop);
    if (!differs) return false;
    for (int i = 0; i < v->n_sets; i++) {
        int uses = 0;
        for (int k = 0; k < v->n_asks; k++)
            uses +=
                mentions(b->kid[v->ask[k]], v->set[i].to->array) + mentions(b->kid[v->ask[k] + 1], v->set[i].to->array);
        if (!own_array(v, v->set[i].to->array, uses) || v->set[i].value->pointer ||
            !rg__iteration_value(v->t, v->loop, v->set[i].value))
            return false;
    }
    return true;
}

/* ---- the copy that finds out who is first ---- */

static bool local_only(const struct visits *v, const struct rg_cnode *n)
{
    const struct rg_cnode *body = v->loop->kid[2];
    for (int a = 0; a < v->t->n_arrays; a++)
        if (rg__writes_array(n, a)) return false;
    for (int x = 0; x < v->t->n_vars; x++)
        if (rg__c_writes_var(n, x) && !rg__c_declares(body, x) && !rg__c_binds(body, x)) return false;
    return true;
}

/* Calls that do more than to give a value, and code that nobody has read. */
static bool unknown(const struct rg_ctree *t, const struct rg_cnode *n)
{
    if (!n) return false;
    if (n->kind == RG_C_VERBATIM || n->op == RG_COP_ADDRESS || (n->kind == RG_C_CALL && !rg__c_pure(t, n))) return true;
    for (int i = 0; i < n->n; i++)
        if (unknown(t, n->kid[i])) return true;
    return false;
}

static struct rg_cnode *slice(struct visits *v, struct rg_cnode *n, struct rg_cnode *instead)
{
    struct rg_ctree *t = v->t;
    if (n->kind == RG_C_BLOCK) {
        struct rg__kids kids = {0};
        for (int i = 0; i < n->n; i++) {
            bool asked = false;
            for (int k = 0; k < v->n_asks && n == v->block; k++) asked |= i == v->ask[k] || i == v->ask[k] + 1;
            struct rg_cnode *x = asked ? (i == v->ask[0] ? instead : NULL) : slice(v, n->kid[i], instead);
            if (x) rg__kids_add(&kids, x);
        }
        return rg__c_stands(rg__kids_node(t, RG_C_BLOCK, &kids), n);
    }
    if (n->kind == RG_C_IF) {
        struct rg_cnode *x = rg__c_shallow(&t->arena, n);
        x->kid[0] = rg__c_copy(t, n->kid[0]);
        for (int i = 1; i < n->n; i++) x->kid[i] = n->kid[i] ? slice(v, n->kid[i], instead) : NULL;
        return x;
    }
    v->failed |= unknown(t, n);
    if (local_only(v, n)) return rg__c_copy(t, n);
    rg__kids_add(&v->dropped, n);
    return NULL;
}

/* Does what was kept of the body ask for anything that was dropped? */
static bool complete(const struct visits *v, const struct rg_cnode *kept)
{
    for (int i = 0; i < v->dropped.n; i++) {
        const struct rg_cnode *d = v->dropped.items[i];
        for (int x = 0; x < v->t->n_vars; x++)
            if (rg__c_writes_var(d, x) && rg__c_mentions_var(kept, x)) return false;
    }
    for (int a = 0; a < v->t->n_arrays; a++)
        if (rg__writes_array(v->loop, a) && mentions(kept, a)) return false;
    return true;
}

/* ---- what is put in front of the loop ---- */

static struct rg_cnode *at_place(const struct visits *v, int array, const struct rg_cnode *place)
{
    struct rg_cnode *s = rg__c_copy(v->t, place);
    return rg__c_index(v->t, array, 1, &s);
}

static struct rg_cnode *stmt(const struct visits *v, struct rg_cnode *to, struct rg_cnode *value)
{
    return rg__c_stands(rg__c_stmt(v->t, rg__c_assign(v->t, RG_COP_SET, to, value)), v->loop);
}

static struct rg_cnode *block_of(const struct visits *v, struct rg__kids *kids)
{
    return rg__c_stands(rg__kids_node(v->t, RG_C_BLOCK, kids), v->loop);
}

/* A loop over all places; NULL body: the caller fills it. */
static struct rg_cnode *over_places(const struct visits *v)
{
    struct rg_ctree *t = v->t;
    struct rg_cnode *x = rg__c_stands(rg_cnode_new(t, RG_C_LOOP, 3), v->loop);
    x->var = rg__c_add_var(t, "k", RG_CVAR_ITER, RG_LLONG);
    x->step = 1;
    x->kid[0] = rg__c_cast(t, rg__c_int(t, 0), RG_LLONG);
    x->kid[1] = rg__c_cast(t, rg__c_from_expr(t, t->arrays[v->count->array].dims[0]), RG_LLONG);
    return x;
}

/* if (first[k] < n && count[k] == 0) { i = first[k]; low[k] = x[i]; } */
static struct rg_cnode *settle(const struct visits *v, int first, const struct rg_cnode *none)
{
    struct rg_ctree *t = v->t;
    struct rg_cnode *l = v->loop;
    struct rg_cnode *x = over_places(v), *k = rg__c_var(t, x->var),
                    *flag = rg__c_stands(rg_cnode_new(t, RG_C_DECL, 1), l),
                    *then = rg__c_stands(rg_cnode_new(t, RG_C_IF, 2), l),
                    *who = rg__c_stands(rg_cnode_new(t, RG_C_DECL, 1), l);
    struct rg_cnode *count = at_place(v, v->count->array, k);
    flag->var = rg__c_add_var(t, "fresh", RG_CVAR_LOCAL, flag->type = RG_I32);
    flag->kid[0] = rg__c_binary(t, RG_COP_AND, rg__c_binary(t, RG_COP_LT, at_place(v, first, k), rg__c_copy(t, none)),
                                rg__c_binary(t, RG_COP_EQ, count, rg__c_cast(t, rg__c_int(t, 0), count->type)));
    who->var = rg__c_add_var(t, t->vars[l->var].name, RG_CVAR_LOCAL, who->type = t->vars[l->var].type);
    who->kid[0] = rg__c_cast(t, at_place(v, first, k), who->type);
    struct rg__kids sets = {0}, body = {0};
    rg__kids_add(&sets, who);
    for (int i = 0; i < v->n_sets; i++) {
        struct rg_cnode *e = rg__iteration_value(t, l, v->set[i].value);
        e = rg__c_replace_var(t, e, l->var, rg__c_var(t, who->var));
        rg__kids_add(&sets, stmt(v, at_place(v, v->set[i].to->array, k), e));
    }
    if (v->marks_as) rg__kids_add(&sets, stmt(v, at_place(v, v->count->array, k), rg__c_copy(t, v->marks_as)));
    then->kid[0] = rg__c_var(t, flag->var);
    then->kid[1] = block_of(v, &sets);
    rg__kids_add(&body, flag);
    rg__kids_add(&body, then);
    x->kid[2] = block_of(v, &body);
    return x;
}

static bool rewrite(struct visits *v, struct rg_cnode *around, int at, struct rg__kids *declarations)
{
    struct rg_ctree *t = v->t;
    struct rg_cnode *l = v->loop;
    const enum rg_scalar type = t->vars[l->var].type, elem = type == RG_I32 ? RG_I32 : RG_LLONG;
    const int first = rg__c_add_array(t, "first", elem);
    t->arrays[first].n_dims = 1;
    t->arrays[first].dims = t->arrays[v->count->array].dims;
    t->arrays[first].mallocd = true;
    const struct rg_cnode *place = v->count->kid[0];
    struct rg_cnode *number = rg__c_cast(t, rg__c_var(t, l->var), elem),
                    *none = rg__c_cast(t, rg__c_copy(t, l->kid[1]), elem);
    struct rg_cnode *least = rg__c_choice(t, rg__c_binary(t, RG_COP_LT, number, at_place(v, first, place)),
                                          rg__c_copy(t, number), at_place(v, first, place));
    struct rg_cnode *who = rg__c_shallow(&t->arena, l);
    who->kid[0] = rg__c_copy(t, l->kid[0]);
    who->kid[1] = rg__c_copy(t, l->kid[1]);
    who->kid[2] = slice(v, l->kid[2], stmt(v, at_place(v, first, place), least));
    if (v->failed || !complete(v, who->kid[2])) return false;
    rg__moves_fresh(t, who, who);
    struct rg_cnode *fill = over_places(v);
    struct rg__kids with = {0}, filled = {0};
    rg__kids_add(&filled, stmt(v, at_place(v, first, rg__c_var(t, fill->var)), none));
    fill->kid[2] = block_of(v, &filled);
    rg__kids_add(&with, fill);
    rg__kids_add(&with, who);
    rg__kids_add(&with, settle(v, first, none));
    for (int k = v->n_asks - 1; k >= 0; k--) {
        struct rg__kids kept = {0};
        const struct rg_cnode *b = v->later.items[k];
        for (int i = 0; i < b->n; i++) rg__kids_add(&kept, b->kid[i]);
        rg__block_splice(t, v->block, v->ask[k], 2, &kept);
    }
    rg__kids_add(&with, l);
    rg__block_splice(t, around, at, 1, &with);
    struct rg_cnode *made = rg__c_stands(rg_cnode_new(t, RG_C_DECL, 0), l);
    made->array = first;
    made->type = elem;
    rg__kids_add(declarations, made);
    return true;
}

/* A block on the way from the loop's body, through conditions alone, in which they are. */
static bool find(struct visits *v, struct rg_cnode *n)
{
    if (!n || (n->kind != RG_C_BLOCK && n->kind != RG_C_IF)) return false;
    for (int i = 0; i < n->n; i++) {
        if (n->kind == RG_C_BLOCK && n->kid[i]->kind == RG_C_DECL) {
            v->block = n;
            v->n_asks = v->n_sets = v->later.n = 0;
            v->count = v->mark = v->marks_as = NULL;
            v->counted = false;
            bool ok = asks(v, i);
            for (int k = i + 2; ok && k < n->n && !v->mark && !rg__writes_array(n->kid[k], v->count->array); k++)
                if (n->kid[k]->kind == RG_C_DECL && n->kid[k]->n && mentions(n->kid[k], v->count->array))
                    ok = asks(v, k++);
            if (ok && fits(v)) return true;
        }
        if (find(v, n->kid[i])) return true;
    }
    return false;
}

static bool clears(const struct rg_cnode *s, const struct rg_cnode *loop, int array)
{
    int64_t zero;
    const struct rg_cnode *e = s->kind == RG_C_STMT ? s->kid[0] : NULL;
    if (s->kind == RG_C_BLOCK)
        for (int i = 0; i < s->n; i++)
            if (clears(s->kid[i], loop, array)) return true;
    if (!e || e->kind != RG_C_ASSIGN || e->op != RG_COP_SET || !element(e->kid[0]) || e->kid[0]->array != array)
        return false;
    const struct rg_cnode *at = rg__c_uncast(e->kid[0]->kid[0], RG__C_WIDE_CASTS);
    return scalar(at) && at->var == loop->var && rg__c_number(rg__c_uncast(e->kid[1], RG__C_CASTS), &zero) && !zero;
}

/* Are all counts 0 in front of around->kid[at]? A loop over all of them says so, behind which nothing else is said. */
static bool from_zero(const struct visits *v, const struct rg_cnode *around, int at)
{
    const int array = v->count->array;
    const struct rg_cnode *end = rg__c_from_expr(v->t, v->t->arrays[array].dims[0]);
    for (int i = at - 1; i >= 0; i--) {
        const struct rg_cnode *l = around->kid[i];
        if (!rg__writes_array(l, array)) continue;
        int64_t low;
        return l->kind == RG_C_LOOP && l->n == 3 && l->step == 1 && rg__c_number(l->kid[0], &low) && !low && end &&
               rg__c_same(l->kid[1], end, RG__C_UNCAST) && !rg__leaves_early(l->kid[2]) &&
               clears(l->kid[2], l, array) && mentions(l->kid[2], array) == 1;
    }
    return false;
}

static bool of_loop(struct rg_ctree *t, struct rg_cnode *around, int at, struct rg__kids *declarations)
{
    struct rg_cnode *l = around->kid[at];
    const struct rg_cnode *low = l->kid[0];
    const enum rg_scalar type = t->vars[l->var].type;
    if (l->n != 3 || l->step < 1 || l->kid[2]->kind != RG_C_BLOCK || !rg__c_of_params(t, l->kid[1]) ||
        rg_scalar_bytes(type) < 4 || (type != RG_I32 && (low->kind != RG_C_INT || low->ivalue < 0)))
        return false;
    struct visits v = {.t = t, .loop = l};
    bool ok = find(&v, l->kid[2]) && (!v.counted || from_zero(&v, around, at)) && rewrite(&v, around, at, declarations);
    free(v.later.items);
    free(v.dropped.items);
    return ok;
}

static void walk(struct rg_ctree *t, struct rg_cnode *n, struct rg__kids *declarations)
{
    if (!n || (n->kind != RG_C_BLOCK && n->kind != RG_C_IF)) return;
    for (int i = 0; i < n->n; i++) {
        struct rg_cnode *k = n->kid[i];
        if (n->kind == RG_C_BLOCK && k->kind == RG_C_LOOP && of_loop(t, n, i, declarations))
            while (n->kid[i] != k) i++;
        else
            walk(t, k, declarations);
    }
}

void rg__canon_first_visits(struct rg_ctree *t, const struct rg_problem *p)
{
    struct rg__kids declarations = {0};
    if (!p->may_alias) walk(t, t->root, &declarations);
    rg__block_splice(t, t->root, 0, 0, &declarations);
}
