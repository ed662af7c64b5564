/* What a nest that places elements by counters consists of:
 *     for (r ..) { declarations; for (k ..) { declarations; if (condition) { ..; stores; next[key]++; } } }
 * The counter moves by one, up or down, inside what is stored or where, or in a statement of its own; all that reads it
 * in the nest reads this one element. */
#include "frontend/normalise/placements_form.h"
#include "frontend/normalise/doubling.h"
#include "frontend/normalise/pointer_rotation.h"
#include <stdlib.h>
#include <string.h>

struct step { /* of a counter */
    const struct rg_cnode *node;
    struct rg_cnode *at; /* INDEX */
    int slot;            /* the variable that holds what it was; -1 */
    bool down;
    bool old; /* as a value it is what the counter was */
};

static bool is_element(const struct rg_cnode *n)
{
    return n->kind == RG_C_INDEX && n->n == 1 && !n->pointer;
}

/* next[key]++, next[key] -= 1, next[key] = next[key] + 1, next[key] = slot + 1. */
static bool is_step(const struct rg_cnode *n, struct step *s)
{
    bool steps = n->kind == RG_C_INCDEC, sets = n->kind == RG_C_ASSIGN;
    *s = (struct step){.node = n, .slot = -1};
    if ((!steps && !sets) || !is_element(n->kid[0])) return false;
    s->at = n->kid[0];
    s->down = steps ? !rg_c_increments(n->op) : n->op == RG_COP_SUB_SET;
    s->old = n->op == RG_COP_POST_INC || n->op == RG_COP_POST_DEC;
    if (steps) return true;
    if (n->op == RG_COP_ADD_SET || n->op == RG_COP_SUB_SET) return rg__doubling_one(n->kid[1]);
    const struct rg_cnode *sum = n->op == RG_COP_SET ? rg__c_uncast(n->kid[1], RG__C_INT_CASTS) : NULL;
    if (!sum || (sum->op != RG_COP_ADD && sum->op != RG_COP_SUB) || !rg__doubling_one(sum->kid[1])) return false;
    s->down = sum->op == RG_COP_SUB;
    const struct rg_cnode *was = rg__c_uncast(sum->kid[0], RG__C_INT_CASTS);
    if (was->kind == RG_C_VAR && was->array < 0 && !was->pointer) s->slot = was->var;
    return s->slot >= 0 || rg__c_equal(was, s->at);
}

/* The value that the scalar is set to, the only one in the nest; NULL. */
static const struct rg_cnode *value_of(const struct rg_cnode *n, int var)
{
    const struct rg_cnode *v = NULL;
    if (!n || rg__c_is_expr(n)) return NULL;
    if (n->kind == RG_C_DECL || n->kind == RG_C_STMT) return rg__doubling_set(n, var);
    for (int i = 0; i < n->n && !v; i++) v = value_of(n->kid[i], var);
    return v;
}

/* Is the variable as wide as the counters are? */
static bool holds_count(const struct rg_ctree *t, int var, int counter)
{
    enum rg_scalar to = t->vars[var].type, from = t->arrays[counter].elem;
    return rg__scalar_is_int(to) && rg__scalar_is_int(from) && rg_scalar_bytes(to) >= rg_scalar_bytes(from);
}

/* The steps of counters below n: how many, and the first. */
static int find_steps(const struct rg__placement *p, const struct rg_cnode *n, struct step *first)
{
    struct step s;
    int count = 0;
    if (!n) return 0;
    if (is_step(n, &s)) {
        const struct rg_cnode *was = s.slot < 0 ? NULL : value_of(p->loop, s.slot);
        bool held = s.slot < 0 ||
                    (was && rg__doubling_writes(p->loop, s.slot) == 1 &&
                     rg__c_equal(rg__c_uncast(was, RG__C_INT_CASTS), s.at) && holds_count(p->t, s.slot, s.at->array));
        if (held) {
            *first = s;
            count = 1;
        }
    }
    for (int i = 0; i < n->n; i++) {
        struct step other;
        int more = find_steps(p, n->kid[i], &other);
        if (more && !count) *first = other;
        count += more;
    }
    return count;
}

static int mentions(const struct rg_cnode *n, int array)
{
    if (!n) return 0;
    int count = (n->kind == RG_C_INDEX || n->kind == RG_C_VAR || n->kind == RG_C_DECL) && n->array == array;
    for (int i = 0; i < n->n; i++) count += mentions(n->kid[i], array);
    return count;
}

/* The step alone may count; but for that, without effects. */
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

/* Notes the reads of the counter below n; false: of another of its elements, or not as an element. */
static bool reads(struct rg__placement *p, const struct step *s, const struct rg_cnode *n, bool moved)
{
    bool step = n == s->node, plain = !step && (n->kind == RG_C_INDEX || n->kind == RG_C_VAR) && n->array == p->counter;
    if (step || plain) {
        if (p->n_reads == RG__MOST_READS || (plain && (!is_element(n) || !rg__c_equal(n->kid[0], p->key))))
            return false;
        p->read[p->n_reads].node = n;
        p->read[p->n_reads++].moved = step ? !s->old : moved;
        return !mentions(p->key, p->counter);
    }
    for (int i = 0; i < n->n; i++)
        if (!reads(p, s, n->kid[i], moved)) return false;
    return true;
}

static bool expression(struct rg__placement *p, const struct step *s, const struct rg_cnode *e, bool *moved)
{
    bool steps = rg__c_contains(e, s->node);
    if (!pure_but(p->t, e, steps ? s->node : NULL) || (steps && mentions(e, p->counter) != 1) ||
        !reads(p, s, e, *moved))
        return false;
    *moved = *moved || steps;
    return true;
}

static bool add_front(struct rg__placement *p, const struct rg_cnode *n, bool condition)
{
    if (p->n_front == RG__MOST_FRONT || p->n_stores) return false;
    p->front[p->n_front].node = n;
    p->front[p->n_front++].condition = condition;
    return true;
}

/* Has something in front named the scalar? */
static bool named(const struct rg__placement *p, int var)
{
    for (int i = 0; i < p->n_front; i++)
        if (rg__c_mentions_var(p->front[i].node, var)) return true;
    for (int i = 0; i < p->n_stores; i++)
        if (rg__c_mentions_var(p->stores[i], var)) return true;
    return false;
}

static bool sets_scalar(struct rg__placement *p, const struct step *s, const struct rg_cnode *n, int var,
                        const struct rg_cnode *value, bool *moved)
{
    if (rg__doubling_writes(p->loop, var) != 1 || named(p, var) || rg__c_mentions_var(value, var) ||
        !expression(p, s, value, moved))
        return false;
    if (n->kind == RG_C_DECL) return add_front(p, n, false);
    struct rg_cnode *d = rg_cnode_new(p->t, RG_C_DECL, 1);
    d->var = var;
    d->type = p->t->vars[var].type;
    d->struct_index = p->t->vars[var].struct_index;
    d->kid[0] = (struct rg_cnode *)value;
    d->line = n->line;
    return add_front(p, d, false);
}

static bool stores(struct rg__placement *p, const struct step *s, const struct rg_cnode *n, bool *moved)
{
    const struct rg_cnode *e = n->kid[0];
    if (e->kind != RG_C_ASSIGN || e->op != RG_COP_SET || p->n_stores == RG__MOST_PLACED) return false;
    const struct rg_cnode *to = e->kid[0];
    while (to->kind == RG_C_MEMBER && to->n == 1) to = to->kid[0];
    bool late = *moved;
    if (to->kind != RG_C_INDEX || to->pointer || to->array == p->counter || !expression(p, s, to, moved)) return false;
    if (mentions(*moved != late ? e->kid[1] : to, p->counter) && (*moved != late || rg__c_contains(e->kid[1], s->node)))
        return false; /* C leaves open in which order */
    if (!expression(p, s, e->kid[1], moved)) return false;
    p->written[p->n_stores] = to->array;
    p->stores[p->n_stores++] = n;
    return true;
}

static bool takes_apart(struct rg__placement *p, const struct step *s, const struct rg_cnode *loop);

static bool statements(struct rg__placement *p, const struct step *s, const struct rg_cnode *block, bool last,
                       bool *moved)
{
    int n = block->n;
    while (n && block->kid[n - 1]->kind == RG_C_BLOCK && !block->kid[n - 1]->n) n--;
    for (int i = 0; i < n; i++) {
        const struct rg_cnode *k = block->kid[i], *e = k->kind == RG_C_STMT ? k->kid[0] : NULL;
        bool ends = last && i == n - 1;
        if (k->kind == RG_C_BLOCK) {
            if (!statements(p, s, k, ends, moved)) return false;
        } else if (k->kind == RG_C_DECL) {
            if (k->array >= 0 || k->pointer) return false;
            if (k->n && !sets_scalar(p, s, k, k->var, k->kid[0], moved)) return false;
        } else if (k->kind == RG_C_IF) {
            bool alone = k->n == 2 || (k->n == 3 && (!k->kid[2] || (k->kid[2]->kind == RG_C_BLOCK && !k->kid[2]->n)));
            if (!ends || !alone || *moved || p->n_reads || k->kid[1]->kind != RG_C_BLOCK ||
                !rg__c_pure(p->t, k->kid[0]) || mentions(k->kid[0], p->counter) || !add_front(p, k->kid[0], true) ||
                !statements(p, s, k->kid[1], true, moved))
                return false;
        } else if (k->kind == RG_C_FOR) {
            if (!ends || *moved || p->n_reads || p->n_stores || !takes_apart(p, s, k)) return false;
            *moved = true;
        } else if (e == s->node) {
            if (*moved || !rg__c_pure(p->t, s->at->kid[0])) return false;
            *moved = true;
        } else if (e && e->kind == RG_C_ASSIGN && e->op == RG_COP_SET && e->kid[0]->kind == RG_C_VAR &&
                   e->kid[0]->array < 0 && !e->kid[0]->pointer) {
            if (!sets_scalar(p, s, k, e->kid[0]->var, e->kid[1], moved)) return false;
        } else if (!e || !stores(p, s, k, moved)) {
            return false;
        }
    }
    return true;
}

static bool takes_apart(struct rg__placement *p, const struct step *s, const struct rg_cnode *loop)
{
    int l = p->n_levels;
    struct rg__counted h;
    if (l == RG__MOST_LEVELS || !loop->kid[1] || loop->kid[3]->kind != RG_C_BLOCK || rg__leaves_early(loop->kid[3]) ||
        !rg__counted(p->t, loop, loop->kid[1], &h) || (h.step != 1 && h.step != -1) || !h.upper || h.below ||
        named(p, h.var) || !rg__c_contains(loop->kid[3], s->node))
        return false;
    p->level[l] = h;
    p->between[l] = p->n_front;
    p->n_levels++;
    p->body = loop->kid[3];
    bool moved = false;
    return statements(p, s, loop->kid[3], true, &moved) && moved;
}

/* Do stores to one array go to different elements, whatever the places are? Members of the elements do; and of places
 * that are multiples of a number those that leave another rest. */
static bool apart(struct rg__placement *p, int i, int k)
{
    const struct rg_cnode *a = p->stores[i]->kid[0]->kid[0], *b = p->stores[k]->kid[0]->kid[0];
    if (a->kind == RG_C_MEMBER && b->kind == RG_C_MEMBER && a->kid[0]->kind == RG_C_INDEX &&
        b->kid[0]->kind == RG_C_INDEX)
        return strcmp(a->text, b->text) != 0;
    if (!is_element(a) || !is_element(b)) return false;
    struct rg__range *r = rg_xmalloc(sizeof *r);
    rg__range_init(r, p->t, NULL);
    struct rg__poly x = rg__poly_of(r, a->kid[0]), y = rg__poly_of(r, b->kid[0]), gap = rg__poly_add(&x, &y, -1);
    int64_t by = 0, factor = 0;
    bool ok = !gap.bad && rg__poly_is_int(&gap, &by) && by;
    for (int t = 0; t < x.n && ok; t++)
        if (x.terms[t].degree) {
            int64_t m = x.terms[t].c < 0 ? -x.terms[t].c : x.terms[t].c;
            while (m) {
                int64_t rest = factor % m;
                factor = m;
                m = rest;
            }
        }
    free(r);
    return ok && factor && by % factor;
}

static bool own_scalars(struct rg__placement *p)
{
    const struct rg_ctree *t = p->t;
    for (int v = 0; v < t->n_vars; v++) {
        if (!rg__doubling_writes(p->loop, v)) continue;
        bool own = false;
        for (int i = 0; i < p->n_front; i++) own = own || (!p->front[i].condition && p->front[i].node->var == v);
        for (int l = 0; l < p->n_levels; l++) own = own || p->level[l].var == v;
        if (!own || (!rg__c_declares(p->loop, v) && rg__doubling_live(t, v, p->loop))) return false;
    }
    return true;
}

/* ---- pointers that were given names of arrays ---- */

struct views {
    const struct rg_ctree *t;
    int *is;    /* by array: of a pointer the array it starts as; itself; below 0 nobody knows */
    bool *swap; /* by array: holds one of two while they change places, and nothing else */
    bool *turn; /* by array: changes places with others */
    bool bad;   /* with one that nobody knows */
};

/* Is it q = a; a = b; b = q? */
static bool exchanges(const struct rg_cnode *block, int at, int name[3])
{
    int from[3];
    for (int i = 0; i < 3; i++) {
        if (at + i >= block->n) return false;
        name[i] = rg__moves_moved(block->kid[at + i]);
        from[i] = name[i] < 0 ? -1 : rg__moves_pointer(rg__c_uncast(block->kid[at + i]->kid[0]->kid[1], RG__C_CASTS));
        if (from[i] < 0) return false;
    }
    return from[0] == name[1] && from[1] == name[2] && from[2] == name[0];
}

/* Follows what sets pointers below n; first: in front of the nest, once, whatever happens. */
static void set_views(struct views *v, const struct rg_cnode *n, const struct rg_cnode *nest, bool *first)
{
    if (n == nest) *first = false;
    for (int i = 0; n && !rg__c_is_expr(n) && i < n->n; i++) {
        const struct rg_cnode *k = n->kid[i];
        int name[3], a = k && !rg__c_is_expr(k) ? rg__moves_moved(k) : -1;
        bool once = *first && n == v->t->root;
        if (a >= 0 && n->kind == RG_C_BLOCK && exchanges(n, i, name) && v->t->arrays[name[0]].view) {
            v->swap[name[0]] = true;
            for (int x = 1; x < 3; x++) {
                v->turn[name[x]] = true;
                v->bad = v->bad || v->is[name[x]] < 0 || !v->t->arrays[name[x]].view;
            }
            i += 2;
        } else if (a >= 0) {
            int to = rg__moves_pointer(rg__c_uncast(k->kid[0]->kid[1], RG__C_CASTS));
            bool plain = to >= 0 && !v->t->arrays[to].view && once && v->is[a] == -2;
            v->is[a] = plain ? to : -1;
        } else if (k) {
            set_views(v, k, nest, first);
        }
    }
}

/* Do names of arrays in the nest that it stores to mean no other's array? Pointers that only ever change places mean
 * different ones as long as they did at first. */
static bool views_apart(const struct rg__placement *p)
{
    const struct rg_ctree *t = p->t;
    size_t n = (size_t)t->n_arrays + 1;
    struct views v = {t, rg_xcalloc(n, sizeof(int)), rg_xcalloc(n, sizeof(bool)), rg_xcalloc(n, sizeof(bool)), false};
    bool first = true, ok = true;
    for (int a = 0; a < t->n_arrays; a++) v.is[a] = t->arrays[a].view ? -2 : a;
    set_views(&v, t->root, p->loop, &first);
    for (int a = 0; a < t->n_arrays && ok; a++) {
        bool named = mentions(p->loop, a) > 0;
        ok = !named || (v.is[a] >= 0 && !v.swap[a] && !(v.bad && v.turn[a]));
        for (int b = 0; b < a && ok; b++) /* whatever takes turns may be what any other was */
            ok = v.is[a] < 0 || v.is[a] != v.is[b] || !(named || v.turn[a]) || !(mentions(p->loop, b) || v.turn[b]);
    }
    free(v.is);
    free(v.swap);
    free(v.turn);
    return ok;
}

bool rg__placement_form(struct rg__placement *p)
{
    struct step s;
    if (find_steps(p, p->loop, &s) != 1) { /* those of the loops' own counters are of scalars */
        return false;
    }
    p->counter = s.at->array;
    p->key = s.at->kid[0];
    p->down = s.down;
    if (!takes_apart(p, &s, p->loop) || !p->n_stores || !p->n_reads) return false;
    int in_step = s.node->kind == RG_C_INCDEC || s.node->op != RG_COP_SET || s.slot >= 0 ? 1 : 2, counts = 0;
    bool embedded = false;
    for (int i = 0; i < p->n_reads; i++) embedded = embedded || p->read[i].node == s.node;
    counts = p->n_reads + (embedded ? 0 : in_step);
    if (mentions(p->loop, p->counter) != counts) return false;
    for (int i = 0; i < p->n_stores; i++) {
        int own = 0;
        for (int k = 0; k < p->n_stores; k++) own += p->written[k] == p->written[i];
        if (mentions(p->loop, p->written[i]) != own) return false;
        for (int k = 0; k < i; k++)
            if (p->written[k] == p->written[i] && !apart(p, i, k)) return false;
    }
    return own_scalars(p) && views_apart(p);
}

struct rg_cnode *rg__placement_opened(struct rg__placement *p, const struct rg_cnode *e, int n)
{
    struct rg_cnode *out = rg__c_copy(p->t, e);
    for (int i = n - 1; i >= 0; i--) {
        const struct rg_cnode *d = p->front[i].node;
        if (p->front[i].condition || !rg__c_mentions_var(out, d->var)) continue;
        out = rg__c_replace_var(p->t, out, d->var,
                                rg__c_cast(p->t, rg__c_copy(p->t, d->kid[0]), p->t->vars[d->var].type));
    }
    return out;
}

struct rg_cnode *rg__placement_of_params(struct rg_ctree *t, const struct rg_cnode *e)
{
    struct rg_cnode *out = rg__c_copy(t, e);
    for (int depth = 0; depth < 4 && !rg__c_of_params(t, out); depth++)
        for (int v = 0; v < t->n_vars; v++) {
            if (t->vars[v].kind != RG_CVAR_LOCAL || !rg__scalar_is_int(t->vars[v].type) ||
                !rg__c_mentions_var(out, v) || rg__doubling_writes(t->root, v) != 1)
                continue;
            const struct rg_cnode *value = value_of(t->root, v);
            if (!value || !rg__c_pure(t, value) || rg__mentions_kind(value, RG_C_INDEX)) return NULL;
            out = rg__c_replace_var(t, out, v, rg__c_cast(t, rg__c_copy(t, value), t->vars[v].type));
        }
    return rg__c_of_params(t, out) ? out : NULL;
}
