/* Slices of a loop's body around its exits: what decides that an iteration leaves, what one does that does not, and the
 * one that does. */
#include "frontend/normalise/pointer_rotation.h"
#include "frontend/normalise/search_loops.h"
#include <stdlib.h>
#include <string.h>

static bool scalar(const struct rg_cnode *e)
{
    return e->kind == RG_C_VAR && e->array < 0 && !e->pointer;
}

int rg__search_sets(const struct rg_cnode *n)
{
    const struct rg_cnode *e = n->kind == RG_C_STMT ? n->kid[0] : n;
    bool sets = (e->kind == RG_C_ASSIGN || e->kind == RG_C_INCDEC) && scalar(e->kid[0]);
    return sets ? e->kid[0]->var : -1;
}

/* An element of an array, or a member of one, that each iteration has to itself. */
static bool own_element_of(const struct rg__search *s, const struct rg_cnode *e)
{
    while (e->kind == RG_C_MEMBER && e->op != RG_COP_DEREF) e = e->kid[0];
    return e->kind == RG_C_INDEX && !e->pointer && e->array >= 0 && e->array < s->n_arrays && s->own_array[e->array];
}

static bool is_counter(const struct rg__search *s, int v)
{
    bool is = false;
    for (int i = 0; i < s->depth; i++) is |= v >= 0 && s->h[i].var == v;
    return is;
}

bool rg__search_ends(const struct rg__search *s, const struct rg_cnode *n)
{
    if (s->flag.var < 0 || n->kind != RG_C_STMT || n->kid[0]->op != RG_COP_SET || rg__search_sets(n) != s->flag.var)
        return false;
    const struct rg_cnode *k = rg__c_uncast(n->kid[0]->kid[1], RG__C_CASTS);
    return k->kind == RG_C_INT && k->ivalue != s->flag.value;
}

static void need_all(struct rg__search *s, const struct rg_cnode *e, bool *more)
{
    if (!e) return;
    if (scalar(e) && e->var < s->n_vars && !s->needed[e->var]) s->needed[e->var] = *more = true;
    if ((e->kind == RG_C_VAR || e->kind == RG_C_INDEX) && e->array >= 0 && e->array < s->n_arrays &&
        s->own_array[e->array] && !s->needed_array[e->array])
        s->needed_array[e->array] = *more = true;
    for (int i = 0; i < e->n; i++) need_all(s, e->kid[i], more);
}

static bool writes_needed(const struct rg__search *s, const struct rg_cnode *n)
{
    for (int v = 0; v < s->n_vars; v++)
        if (s->needed[v] && rg__c_writes_var(n, v)) return true;
    for (int a = 0; a < s->n_arrays; a++)
        if (s->needed_array[a] && rg__writes_array(n, a)) return true;
    return false;
}

static bool declares_needed(const struct rg__search *s, const struct rg_cnode *n)
{
    return n->kind == RG_C_DECL && (n->array < 0 ? s->needed[n->var] : s->needed_array[n->array]);
}

/* What the statements that decide read. */
static void need_from(struct rg__search *s, const struct rg_cnode *n, bool *more)
{
    if (!n || rg__c_is_expr(n)) return;
    if (n->kind == RG_C_BLOCK) {
        for (int i = 0; i < n->n; i++) need_from(s, n->kid[i], more);
    } else if (n->kind == RG_C_IF) {
        if (rg__leaves_early(n) || writes_needed(s, n) || rg__mentions_kind(n, RG_C_RETURN))
            need_all(s, n->kid[0], more);
        for (int i = 1; i < n->n; i++) need_from(s, n->kid[i], more);
    } else if (n->kind == RG_C_DECL) {
        for (int i = 0; i < n->n && declares_needed(s, n); i++) need_all(s, n->kid[i], more);
    } else if ((rg__c_is_loop(n) || n->kind == RG_C_STMT) && writes_needed(s, n)) {
        need_all(s, n, more);
    }
}

/* ---- lowering: exits become a flag or what they do, what follows them runs otherwise ---- */

struct lowering {
    struct rg__search *s;
    bool slice; /* only what decides; else all of it */
    bool failed;
};

static struct rg_cnode *set(struct rg__search *s, int var, struct rg_cnode *value, const struct rg_cnode *at)
{
    struct rg_cnode *x = rg__c_stmt(s->t, rg__c_assign(s->t, RG_COP_SET, rg__c_var(s->t, var), value));
    x->line = at->line;
    x->column = at->column;
    return x;
}

static bool harmless(const struct rg__search *s, const struct rg_cnode *n)
{
    if (!n) return true;
    if (n->kind == RG_C_VERBATIM || n->kind == RG_C_OPAQUE || (n->kind == RG_C_CALL && !rg__c_pure(s->t, n)))
        return false;
    if (n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC || n->op == RG_COP_ADDRESS) {
        int v = scalar(n->kid[0]) ? n->kid[0]->var : -1;
        if (n->op == RG_COP_ADDRESS || (v < 0 && !own_element_of(s, n->kid[0]))) return false;
        if (v >= 0 && v < s->n_vars && !s->own[v] && !s->fresh[v] && v != s->flag.var) return false;
    }
    if (n->kind == RG_C_DECL && n->array >= 0 && !s->own_array[n->array]) return false;
    for (int i = 0; i < n->n; i++)
        if (!harmless(s, n->kid[i])) return false;
    return true;
}

static struct rg_cnode *branch(struct rg__search *s, struct rg_cnode *c, struct rg__kids *yes, struct rg__kids *no,
                               const struct rg_cnode *at)
{
    if (!yes->n && no->n) return branch(s, rg__c_unary(s->t, RG_COP_NOT, c), no, yes, at);
    struct rg_cnode *x = rg_cnode_new(s->t, RG_C_IF, no->n ? 3 : 2);
    x->kid[0] = c;
    x->kid[1] = rg__kids_node(s->t, RG_C_BLOCK, yes);
    if (no->n) x->kid[2] = rg__kids_node(s->t, RG_C_BLOCK, no);
    x->line = at->line;
    x->column = at->column;
    return x;
}

/* True: whoever comes through has left. */
static bool lower(struct lowering *l, struct rg_cnode *const *items, int n, struct rg__kids *out)
{
    struct rg__search *s = l->s;
    struct rg_ctree *t = s->t;
    for (int i = 0; i < n && !l->failed; i++) {
        struct rg_cnode *x = items[i];
        if (x->kind == RG_C_BLOCK) {
            struct rg__kids all = {0};
            for (int k = 0; k < x->n; k++) rg__kids_add(&all, x->kid[k]);
            for (int k = i + 1; k < n; k++) rg__kids_add(&all, items[k]);
            bool left = lower(l, all.items, all.n, out);
            free(all.items);
            return left;
        }
        if (x->kind == RG_C_BREAK || x->kind == RG_C_RETURN) {
            if (l->slice || s->hit >= 0) rg__kids_add(out, set(s, s->hit, rg__c_int(t, 1), x));
            if (l->slice || x->kind == RG_C_BREAK) return true;
            if (!s->value) {
                if (x->n) rg__kids_add(out, rg__c_copy(t, x)); /* without a value nothing follows that it would skip */
                return true;
            }
            if (x->n)
                rg__kids_add(out,
                             set(s, s->result, rg__c_cast(t, rg__c_copy(t, x->kid[0]), t->vars[s->result].type), x));
            rg__kids_add(out, set(s, s->left, rg__c_int(t, 1), x));
            return true;
        }
        if (x->kind == RG_C_IF && rg__leaves_early(x) && !l->slice &&
            s->exits == 1) { /* it is gone through, that is known */
            struct rg__kids way = {0};
            rg__kids_add(&way, x->kid[rg__leaves_early(x->kid[1]) ? 1 : 2]);
            for (int k = i + 1; k < n; k++) rg__kids_add(&way, items[k]);
            bool left = lower(l, way.items, way.n, out);
            free(way.items);
            return left;
        }
        if (x->kind == RG_C_IF && rg__leaves_early(x)) {
            if (!rg__c_pure(t, x->kid[0])) l->failed = true;
            struct rg__kids yes = {0}, no = {0};
            struct rg_cnode *then = x->kid[1], *other = x->n > 2 ? x->kid[2] : NULL, *c = rg__c_copy(t, x->kid[0]);
            bool a = lower(l, &then, 1, &yes), b = other && lower(l, &other, 1, &no);
            bool may = (!a && rg__leaves_early(then)) || (other && !b && rg__leaves_early(other));
            bool after = false;
            if (a && b)
                after = true;
            else if (!may && (a || b))
                after = lower(l, items + i + 1, n - i - 1, a ? &no : &yes);
            rg__kids_add(out, branch(s, c, &yes, &no, x));
            if (!may && (a || b)) return after;
            if (s->hit < 0 && !l->slice) l->failed = true; /* who left is to be known */
            struct rg__kids rest = {0}, none = {0};
            lower(l, items + i + 1, n - i - 1, &rest);
            if (rest.n && !l->failed)
                rg__kids_add(
                    out, branch(s, rg__c_binary(t, RG_COP_EQ, rg__c_var(t, s->hit), rg__c_int(t, 0)), &rest, &none, x));
            else
                free(rest.items);
            return false;
        }
        if (rg__leaves_early(x)) l->failed = true; /* out of a loop inside */
        if (!l->slice) {
            rg__kids_add(out, rg__c_copy(t, x));
            continue;
        }
        if (is_counter(s, rg__search_sets(x))) continue; /* past the iteration that leaves */
        if (!writes_needed(s, x) && !declares_needed(s, x)) continue;
        if (x->kind == RG_C_IF) {
            struct rg__kids yes = {0}, no = {0};
            struct rg_cnode *then = x->kid[1], *other = x->n > 2 ? x->kid[2] : NULL;
            l->failed |= !rg__c_pure(t, x->kid[0]);
            lower(l, &then, 1, &yes);
            if (other) lower(l, &other, 1, &no);
            if (yes.n || no.n) rg__kids_add(out, branch(s, rg__c_copy(t, x->kid[0]), &yes, &no, x));
            continue;
        }
        l->failed |= !harmless(s, x) || rg__mentions_kind(x, RG_C_RETURN);
        rg__kids_add(out, rg__c_copy(t, x));
    }
    return false;
}

struct rg_cnode *rg__search_own_vars(struct rg__search *s, struct rg_cnode *copy, bool all)
{
    struct rg_ctree *t = s->t;
    struct rg__kids front = {0};
    for (int v = 0; v < s->n_vars; v++) {
        bool flag = v == s->flag.var && all;
        if (!((s->fresh[v] && (all || !s->outside[v])) || flag) || !rg__c_mentions_var(copy, v)) continue;
        int mine = rg__c_add_var(t, t->vars[v].name, RG_CVAR_LOCAL, t->vars[v].type);
        t->vars[mine].c_type = t->vars[v].c_type;
        rg__c_replace_var(t, copy, v, rg__c_var(t, mine));
        struct rg_cnode *d = rg_cnode_new(t, RG_C_DECL, flag ? 1 : 0);
        d->var = mine;
        d->type = t->vars[mine].type;
        d->line = s->loop->line;
        if (flag) d->kid[0] = rg__c_cast(t, rg__c_int(t, s->flag.value), d->type);
        rg__kids_add(&front, d);
    }
    rg__moves_fresh(t, copy, copy);
    rg__moves_fresh_arrays(t, copy, copy);
    rg__block_splice(t, copy, 0, 0, &front);
    return copy;
}

/* Does the value hang on an element of an array? Then a subscript made of it may be anything in an iteration that the C
 * never ran. */
bool rg__search_from_data(int n_vars, const struct rg_cnode *e, const bool *data)
{
    if (!e) return false;
    if (e->kind == RG_C_INDEX || e->kind == RG_C_MEMBER || e->op == RG_COP_DEREF ||
        (e->kind == RG_C_VAR && (e->array >= 0 || e->pointer)))
        return true;
    if (e->kind == RG_C_CALL && e->callee >= 0) return true;
    if (scalar(e)) return e->var < n_vars && data[e->var];
    for (int i = 0; i < e->n; i++)
        if (rg__search_from_data(n_vars, e->kid[i], data)) return true;
    return false;
}

bool rg__search_spread_data(int n_vars, const struct rg_cnode *n, bool *data)
{
    bool more = false;
    if (!n) return false;
    int v = n->kind == RG_C_DECL && n->array < 0 && n->n ? n->var : n->kind == RG_C_ASSIGN ? rg__search_sets(n) : -1;
    const struct rg_cnode *e = v < 0 ? NULL : n->kind == RG_C_DECL ? n->kid[0] : n->kid[1];
    if (e && v < n_vars && !data[v] && rg__search_from_data(n_vars, e, data)) data[v] = more = true;
    for (int i = 0; i < n->n; i++) more |= rg__search_spread_data(n_vars, n->kid[i], data);
    return more;
}

static bool led_by_data(int n_vars, const struct rg_cnode *n, const bool *data)
{
    if (!n) return false;
    if (n->op == RG_COP_DEREF) return true;
    if (n->kind == RG_C_INDEX)
        for (int i = 0; i < n->n; i++)
            if (rg__search_from_data(n_vars, n->kid[i], data)) return true;
    if (n->kind == RG_C_WHILE || n->kind == RG_C_DO) return true; /* nobody knows that it ends */
    if (n->kind == RG_C_FOR && (!n->kid[1] || rg__search_from_data(n_vars, n->kid[1], data))) return true;
    for (int i = 0; i < n->n; i++)
        if (led_by_data(n_vars, n->kid[i], data)) return true;
    return false;
}

bool rg__search_wild(int n_vars, const struct rg_cnode *body, const struct rg_cnode *n)
{
    bool *data = rg_xcalloc((size_t)n_vars + 1, sizeof *data);
    while (rg__search_spread_data(n_vars, body, data)) {
    }
    bool wild = led_by_data(n_vars, n, data);
    free(data);
    return wild;
}

/* A body as far as its last exit: what stands behind decides nothing any more. Loops and statements stay whole. */
static struct rg_cnode *as_far(struct rg_ctree *t, struct rg_cnode *n)
{
    if (!n || (n->kind != RG_C_BLOCK && n->kind != RG_C_IF)) return n;
    struct rg_cnode *to = rg_cnode_new(t, n->kind, n->n);
    *to = *n;
    to->kid = rg_cnode_new(t, n->kind, n->n)->kid;
    for (int i = 0; i < n->n; i++) to->kid[i] = n->kid[i];
    if (n->kind == RG_C_BLOCK) {
        while (to->n && !rg__leaves_early(to->kid[to->n - 1])) to->n--;
        if (to->n) to->kid[to->n - 1] = as_far(t, to->kid[to->n - 1]);
        return to;
    }
    for (int i = 1; i < n->n; i++) to->kid[i] = as_far(t, n->kid[i]);
    return to;
}

struct rg_cnode *rg__search_slice(struct rg__search *s)
{
    bool more = true;
    struct rg_cnode *deciding = as_far(s->t, s->body);
    while (more) {
        more = false;
        need_from(s, deciding, &more);
    }
    for (int v = 0; v < s->n_vars; v++) /* each iteration has its own, or none writes it */
        if (s->needed[v] && !is_counter(s, v) && !s->own[v] && !s->fresh[v] && v != s->flag.var &&
            rg__c_writes_var(s->body, v))
            return NULL;
    struct rg__kids out = {0};
    struct lowering l = {s, true, false};
    lower(&l, &deciding, 1, &out);
    struct rg_cnode *b = rg__kids_node(s->t, RG_C_BLOCK, &out);
    return l.failed || (rg__search_wild(s->n_vars, b, b) && !rg__search_guard(s->t, s->n_vars, b, b)) ? NULL : b;
}

/* ---- iterations that do not leave ---- */

/* True: nobody comes through without leaving. */
static bool strip(struct rg__search *s, struct rg_cnode *const *items, int n, struct rg__kids *out)
{
    for (int i = 0; i < n; i++) {
        struct rg_cnode *x = items[i];
        if (x->kind == RG_C_BREAK || x->kind == RG_C_RETURN || rg__search_ends(s, x)) return true;
        if (s->flag.var >= 0 && x->kind == RG_C_STMT && rg__search_sets(x) == s->flag.var)
            continue; /* keeps its value */
        if (x->kind == RG_C_BLOCK) {
            if (strip(s, x->kid, x->n, out)) return true;
        } else if (x->kind == RG_C_IF) {
            struct rg__kids yes = {0}, no = {0};
            struct rg_cnode *then = x->kid[1], *other = x->n > 2 ? x->kid[2] : NULL;
            bool a = strip(s, &then, 1, &yes), b = other && strip(s, &other, 1, &no), neither = !a && !b;
            for (int k = 0; !neither && k < (a ? no : yes).n; k++) rg__kids_add(out, (a ? no : yes).items[k]);
            if (neither && (yes.n || no.n)) {
                rg__kids_add(out, branch(s, rg__c_copy(s->t, x->kid[0]), &yes, &no, x));
            } else {
                free(yes.items);
                free(no.items);
            }
            if (a && b) return true;
        } else {
            rg__kids_add(out, rg__c_copy(s->t, x));
        }
    }
    return false;
}

struct rg_cnode *rg__search_rest(struct rg__search *s)
{
    struct rg__kids out = {0};
    strip(s, &s->body, 1, &out);
    return rg__kids_node(s->t, RG_C_BLOCK, &out);
}

bool rg__search_effects(const struct rg__search *s, const struct rg_cnode *n)
{
    if (!n) return false;
    if (n->kind == RG_C_VERBATIM || n->kind == RG_C_OPAQUE || (n->kind == RG_C_CALL && !rg__c_pure(s->t, n)) ||
        n->op == RG_COP_ADDRESS)
        return true;
    if (n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC) {
        int v = scalar(n->kid[0]) ? n->kid[0]->var : -1;
        if (v < 0 ? !own_element_of(s, n->kid[0]) : !s->own[v] && !(s->fresh[v] && !s->outside[v])) return true;
    }
    for (int i = 0; i < n->n; i++)
        if (rg__search_effects(s, n->kid[i])) return true;
    return false;
}

/* The counter with something that stays added: another value in each iteration. */
static bool tells_apart(const struct rg__search *s, const struct rg_cnode *e)
{
    e = rg__c_uncast(e, RG__C_WIDE_CASTS);
    if (e->kind == RG_C_VAR) return e->array < 0 && e->var == s->h[0].var;
    if (e->op != RG_COP_ADD && e->op != RG_COP_SUB) return false;
    for (int k = 0; k < 2; k++) {
        const struct rg_cnode *other = e->kid[1 - k];
        bool stays = !rg__c_mentions_var(other, s->h[0].var) && !rg__mentions_kind(other, RG_C_INDEX) &&
                     !rg__mentions_kind(other, RG_C_CALL);
        for (int v = 0; v < s->n_vars && stays; v++)
            stays = !rg__c_mentions_var(other, v) || !rg__c_writes_var(s->body, v);
        if (stays && !rg__mentions_kind(other, RG_C_MEMBER) && tells_apart(s, e->kid[k])) return true;
    }
    return false;
}

/* Does everything that names the array mean one element of it, each iteration another? */
static bool own_element(const struct rg__search *s, const struct rg_cnode *n, int array,
                        const struct rg_cnode **element)
{
    if (!n) return true;
    if (n->kind == RG_C_VAR && n->array == array) return false;
    if (n->kind == RG_C_INDEX && n->array == array) {
        bool apart = *element || n->pointer;
        if (n->pointer || (*element && !rg__c_equal(n, *element))) return false;
        for (int i = 0; i < n->n && !apart; i++) apart = tells_apart(s, n->kid[i]);
        *element = n;
        return apart;
    }
    for (int i = 0; i < n->n; i++)
        if (!own_element(s, n->kid[i], array, element)) return false;
    return true;
}

/* Does an iteration decide by an element of the array that it may have written itself by then? */
static bool decides_by_own(const struct rg__search *s, const struct rg_cnode *n, int array, bool *written)
{
    if (!n) return false;
    bool decides = false;
    if (n->kind == RG_C_BLOCK || n->kind == RG_C_IF) {
        if (n->kind == RG_C_IF && *written && rg__c_mentions_array(n->kid[0], array) &&
            (rg__leaves_early(n) || writes_needed(s, n)))
            return true;
        for (int i = n->kind == RG_C_IF; i < n->n && !decides; i++)
            decides = decides_by_own(s, n->kid[i], array, written);
        return decides;
    }
    *written |= rg__c_is_loop(n) && rg__writes_array(n, array); /* in the round before */
    decides = *written && rg__c_mentions_array(n, array) && (writes_needed(s, n) || declares_needed(s, n));
    *written |= rg__writes_array(n, array);
    return decides;
}

bool rg__search_apart(const struct rg__search *s, const struct rg_cnode *slice, const struct rg_cnode *rest)
{
    const struct rg_ctree *t = s->t;
    bool writes_param = false, reads_param = false;
    if (rg__mentions_kind(rest, RG_C_VERBATIM)) return false;
    for (int a = 0; a < t->n_arrays; a++) {
        if (a < s->n_arrays && s->own_array[a]) continue;
        bool written = rg__writes_array(rest, a), read = rg__c_mentions_array(slice, a);
        if ((written || read) && t->arrays[a].view) return false;
        const struct rg_cnode *element = NULL;
        bool earlier = false;
        if (written && read &&
            (s->depth > 1 || !own_element(s, s->body, a, &element) || decides_by_own(s, s->body, a, &earlier)))
            return false;
        writes_param |= written && t->arrays[a].param >= 0;
        reads_param |= read && t->arrays[a].param >= 0;
    }
    return !(s->p->may_alias && writes_param && reads_param);
}

struct rg_cnode *rg__search_replay(struct rg__search *s)
{
    struct rg__kids out = {0};
    struct lowering l = {s, false, false};
    lower(&l, &s->body, 1, &out);
    struct rg_cnode *b = rg__kids_node(s->t, RG_C_BLOCK, &out);
    return l.failed ? NULL : b;
}
