/* Which values a loop carries: scalars, elements, chains of elements, and the arrays that a carried counter fills. */
#include "poly/kernel/recurrence.h"
#include <stdlib.h>
#include <string.h>

const char *rg__poly_carry_loop(const struct poly_carrying *an)
{
    return an->s->loops[an->sc->loop].name;
}

int rg__poly_carry_line(const struct poly_carrying *an)
{
    return an->s->loops[an->sc->loop].node->line;
}

/* ---- what is carried ---- */

static bool add_carried(struct poly_carrying *an, struct poly_carried c)
{
    if (an->sc->n == POLY_MAX_CARRIED)
        return rg__poly_carry_no(an, RG_REFUSE_SPACE, rg__poly_carry_line(an), "loop %s carries more than %d values",
                                 rg__poly_carry_loop(an), POLY_MAX_CARRIED);
    if (c.type == RG_STRUCT)
        return rg__poly_carry_no(an, RG_REFUSE_DEPENDENCE, rg__poly_carry_line(an), "loop %s carries a structure",
                                 rg__poly_carry_loop(an));
    an->sc->at[an->sc->n++] = c;
    return true;
}

/* The accesses to an array inside the loop. */
static int accesses_of(const struct poly_carrying *an, int array, int *out, int cap)
{
    const struct poly_scop *s = an->s;
    int n = 0;
    for (int i = 0; i < s->n_accesses; i++)
        if (s->accesses[i].array == array && an->in[s->accesses[i].stmt]) {
            if (n == cap) return -1;
            out[n++] = i;
        }
    return n;
}

static bool same_place(const struct poly_access *a, const struct poly_access *b)
{
    bool same = a->n_subs == b->n_subs;
    for (int d = 0; d < a->n_subs && same; d++) same = rg__poly_linear_equal(&a->sub[d], &b->sub[d]);
    return same;
}

static bool plain_access(const struct poly_access *a)
{
    bool ok = a->affine && !a->whole && !a->member && a->node && a->node->kind == RG_C_INDEX;
    for (int d = 0; d < a->n_subs && ok; d++) ok = a->sub[d].ok;
    return ok;
}

/* Do only iterations that differ in a loop that runs in order come to one element? Then it may be stored back where
 * nothing has changed it: nobody else's value is undone. `if (i == j) y[j] += ..` does not depend on i, and all but one
 * i leave y[j] alone. */
static bool owned(const struct poly_carrying *an, const struct poly_access *a)
{
    struct poly_scop *s = an->s;
    for (int l = s->loops[an->sc->loop].parent; l >= 0; l = s->loops[l].parent) {
        bool tells = false;
        for (int d = 0; d < a->n_subs && !tells; d++) {
            tells = rg__poly_linear_coef(&a->sub[d], s->loops[l].var) != 0;
            for (int o = s->loops[an->sc->loop].parent; o >= 0; o = s->loops[o].parent) /* alone in a subscript */
                tells = tells && (o == l || !rg__poly_linear_coef(&a->sub[d], s->loops[o].var));
        }
        if (!tells && !rg__poly_conflict(s, l, NULL, 0, POLY_ONE_ARRAY + a->array).found) return false;
    }
    return true;
}

static const struct poly_knode *direct_leaf(const struct poly_knode *body, const struct poly_scop *s, int stmt)
{
    for (int i = 0; i < body->n; i++)
        if (body->kid[i]->kind == KN_LEAF && body->kid[i]->node == s->stmts[stmt].node) return body->kid[i];
    return NULL;
}

/* One element all the time, which is stored back. */
static bool is_element(struct poly_carrying *an, const int *acc, int n)
{
    const struct poly_scop *s = an->s;
    const struct poly_access *first = &s->accesses[acc[0]];
    bool stored = false;
    for (int i = 0; i < n; i++) {
        const struct poly_access *a = &s->accesses[acc[i]];
        stored = stored || (a->write && a->certain && direct_leaf(an->body, s, a->stmt));
    }
    if (!stored && !owned(an, first)) return false;
    for (int i = 0; i < n; i++)
        if (!plain_access(&s->accesses[acc[i]]) || !same_place(first, &s->accesses[acc[i]]) ||
            !rg__c_same(first->node, s->accesses[acc[i]].node, RG__C_UNCAST))
            return false;
    for (int d = 0; d < first->n_subs; d++)
        for (int t = 0; t < first->sub[d].n; t++)
            for (int l = 0; l < s->n_loops; l++)
                if (s->loops[l].var == first->sub[d].term[t].var && rg__poly_loop_inside(s, l, an->sc->loop))
                    return false;
    return true;
}

/* How many iterations before a's the place was w's; 0: none of the last few's. */
static int lag_of(const struct poly_access *a, const struct poly_access *w, const struct poly_loop *l)
{
    for (int lag = 1; lag <= POLY_MAX_LAG && plain_access(a) && a->n_subs == w->n_subs && !a->write; lag++) {
        bool same = true;
        for (int d = 0; d < w->n_subs && same; d++)
            same = rg__poly_linear_same_terms(&a->sub[d], &w->sub[d]) &&
                   a->sub[d].k == w->sub[d].k - rg__poly_linear_coef(&w->sub[d], l->var) * l->step * lag;
        if (same) return lag;
    }
    return 0;
}

/* Written once in every iteration, at a place that moves; read where the iterations before wrote: out[lag - 1]. Count;
 * 0 none. */
static int chains(struct poly_carrying *an, const int *acc, int n, struct poly_carried *out)
{
    struct poly_scop *s = an->s;
    const struct poly_loop *l = &s->loops[an->sc->loop];
    const struct poly_access *w = NULL;
    int at = -1;
    for (int i = 0; i < n; i++) {
        const struct poly_access *a = &s->accesses[acc[i]];
        if (!a->write) continue;
        if (w || !plain_access(a) || !a->certain || s->stmts[a->stmt].loop != l->id ||
            !direct_leaf(an->body, s, a->stmt))
            return 0;
        w = a;
        at = acc[i];
    }
    struct poly_set set;
    bool moves = false;
    int most = 0;
    for (int d = 0; w && d < w->n_subs; d++) moves = moves || rg__poly_linear_coef(&w->sub[d], l->var) != 0;
    if (!moves || !rg__poly_set_of(s->stmts[w->stmt].node, &set) || set.var >= 0 || !set.value) return 0;
    memset(out, 0, sizeof *out * POLY_MAX_LAG);
    for (int i = 0; i < n; i++) {
        const struct poly_access *a = &s->accesses[acc[i]];
        if (a->write || (plain_access(a) && same_place(a, w))) continue; /* of its own iteration alone */
        int lag = lag_of(a, w, l);
        struct poly_carried *c = lag ? &out[lag - 1] : NULL;
        if (c && (!c->in || rg__c_same(c->in, a->node, RG__C_UNCAST))) {
            c->in = a->node;
            c->certain = c->certain || (a->certain && direct_leaf(an->body, s, a->stmt));
            most = lag > most ? lag : most;
        } else if (rg__poly_pair_conflict(s, acc[i], at, l->id)) {
            return 0;
        }
    }
    for (int i = 0; i < most; i++) {
        out[i].kind = POLY_CARRIED_CHAIN;
        out[i].var = -1;
        out[i].array = w->array;
        out[i].type = s->tree->arrays[w->array].elem;
        out[i].lag = i + 1;
        out[i].leaf = i ? NULL : s->stmts[w->stmt].node;
        if (!out[i].in) return 0; /* one that is only passed on has no name */
        for (int d = 0; !out[i].certain && d < w->n_subs; d++)
            if (!s->tree->arrays[w->array].dims[d])
                return 0; /* to see whether it exists in front of the first iteration */
    }
    return most;
}

/* ---- compaction: out[k] = e; k += 1; together or not at all ---- */

static bool counts_up(const struct poly_set *set, const struct poly_scan *sc, int which)
{
    const struct poly_carried *c = &sc->at[which];
    bool mine = c->kind == POLY_CARRIED_SCALAR ? set->var == c->var
                                               : set->target && rg__c_same(set->target, c->in, RG__C_UNCAST);
    bool by = set->value && set->value->kind == RG_C_INT && set->value->ivalue > 0 && set->value->ivalue < 65536;
    return mine && (set->op == RG_COP_POST_INC || (set->op == RG_COP_ADD_SET && by));
}

/* The carried counter that the access's first subscript is. */
static int counter_of(const struct poly_scan *sc, const struct rg_cnode *index)
{
    const struct rg_cnode *e = index->n ? index->kid[0] : NULL;
    while (e && e->kind == RG_C_CAST && e->n == 1 && !rg_scalar_is_real(e->type)) e = e->kid[0];
    int at = -1;
    if (e && rg__poly_carried_node(sc, e, &at)) return at;
    for (int i = 0; e && e->kind == RG_C_VAR && e->array < 0 && i < sc->n; i++)
        if (sc->at[i].kind == POLY_CARRIED_SCALAR && sc->at[i].var == e->var) return i;
    return -1;
}

/* Stores to elements of the array, or to members of them, that stand in the list, or under conditions in it: in no
 * loop. */
static int stores_in(const struct poly_knode *k, int array)
{
    int n = 0;
    if (!k || k->kind == KN_LOOP) return 0;
    if (k->kind == KN_LEAF) {
        const struct rg_cnode *e = k->node->kind == RG_C_STMT ? k->node->kid[0] : k->node;
        if (e->kind != RG_C_ASSIGN && e->kind != RG_C_INCDEC) return 0;
        for (e = e->kid[0]; e->kind == RG_C_MEMBER && e->n == 1;) e = e->kid[0];
        return e->kind == RG_C_INDEX && e->array == array;
    }
    for (int i = 0; i < k->n; i++) n += stores_in(k->kid[i], array);
    return n;
}

/* Looks for the list that holds the counter's one update, and the writes: these may have conditions of their own. */
static bool in_one_list(struct poly_carrying *an, const struct poly_knode *k, int array, int which, int n_writes)
{
    int before = 0, after = 0, updates = 0;
    for (int i = 0; i < k->n; i++) {
        struct poly_set set;
        if (!k->kid[i]) continue;
        if (k->kid[i]->kind != KN_LEAF && k->kid[i]->kind != KN_LOOP &&
            in_one_list(an, k->kid[i], array, which, n_writes))
            return true;
        if (k->kid[i]->kind == KN_LEAF && rg__poly_set_of(k->kid[i]->node, &set) && counts_up(&set, an->sc, which))
            updates++;
        else
            *(updates ? &after : &before) += stores_in(k->kid[i], array);
    }
    return updates == 1 && (before == n_writes || after == n_writes);
}

static int updates_of(struct poly_carrying *an, int which)
{
    struct poly_scop *s = an->s;
    const struct poly_loop *l = &s->loops[an->sc->loop];
    int n = 0;
    for (int i = l->first_stmt; i < l->first_stmt + l->n_stmts; i++) {
        if (!an->in[i]) continue;
        struct poly_effect e = rg__poly_effect_new(s);
        rg__poly_effect_add(s, &e, s->stmts[i].node);
        const struct poly_carried *c = &an->sc->at[which];
        bool writes = c->var >= 0 && e.written[c->var];
        for (int a = 0; a < s->stmts[i].n_accesses; a++)
            writes = writes || (c->array >= 0 && s->accesses[s->stmts[i].first_access + a].array == c->array &&
                                s->accesses[s->stmts[i].first_access + a].write);
        n += writes;
        rg__poly_effect_free(&e);
    }
    return n;
}

/* Iterations that write the array count up, so they write different elements. */
static bool is_compacted(struct poly_carrying *an, int array, const int *acc, int n)
{
    struct poly_scop *s = an->s;
    int which = -1;
    for (int i = 0; i < n; i++) {
        const struct poly_access *a = &s->accesses[acc[i]];
        bool stores = a->write && (!a->read || a->member); /* of one field: the others stay */
        int w = stores && !a->whole && a->node && a->node->kind == RG_C_INDEX ? counter_of(an->sc, a->node) : -1;
        if (w < 0 || (which >= 0 && w != which)) return false;
        which = w;
    }
    if (which < 0 || rg_scalar_is_real(an->sc->at[which].type) || updates_of(an, which) != 1 || s->problem->may_alias)
        return false;
    return in_one_list(an, an->body, array, which, n);
}

/* ---- all of it ---- */

bool rg__poly_carry_conflict(struct poly_carrying *an, int array)
{
    struct poly_scop *s = an->s;
    int acc[64], n = accesses_of(an, array, acc, 64), dl = s->array_decl_loop[array];
    if (an->whole) return rg__poly_conflict(s, an->sc->loop, NULL, 0, POLY_ONE_ARRAY + array).found;
    if (dl >= 0 && rg__poly_loop_inside(s, dl, an->sc->loop)) return false;
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j++)
            if ((s->accesses[acc[i]].write || s->accesses[acc[j]].write) &&
                rg__poly_pair_conflict(s, acc[i], acc[j], an->sc->loop))
                return true;
    return n < 0;
}

/* What the piece does to a scalar. */
static void scalar_use(struct poly_carrying *an, int var, bool *read, bool *written)
{
    struct poly_scop *s = an->s;
    *read = *written = false;
    for (int i = 0; i < s->n_stmts; i++) {
        if (!an->in[i]) continue;
        struct poly_effect e = rg__poly_effect_new(s);
        rg__poly_effect_add(s, &e, s->stmts[i].node);
        *read = *read || e.read[var];
        *written = *written || e.written[var];
        rg__poly_effect_free(&e);
    }
}

static bool find_carried(struct poly_carrying *an)
{
    struct poly_scop *s = an->s;
    struct poly_carried chain[POLY_MAX_LAG];
    int acc[64], left[64], n_left = 0;
    for (int v = 0; v < s->tree->n_vars; v++) {
        const struct rg_cvar *c = &s->tree->vars[v];
        if (c->kind == RG_CVAR_ITER || s->var_hidden[v] || rg__poly_scalar_private(s, an->sc->loop, v)) continue;
        bool read = true, written = true;
        if (!an->whole) scalar_use(an, v, &read, &written);
        if (!written && read)
            return rg__poly_carry_no(an, RG_REFUSE_DEPENDENCE, rg__poly_carry_line(an),
                                     "loop %s: %s goes from one of its pieces to the other", rg__poly_carry_loop(an),
                                     c->name);
        if (!written) continue;
        if (!add_carried(an,
                         (struct poly_carried){.kind = POLY_CARRIED_SCALAR, .var = v, .array = -1, .type = c->type}))
            return false;
    }
    for (int a = 0; a < s->tree->n_arrays; a++) {
        if (!rg__poly_carry_conflict(an, a)) continue;
        struct poly_carried c = {.kind = POLY_CARRIED_ELEMENT, .var = -1, .array = a, .type = s->tree->arrays[a].elem};
        int n = accesses_of(an, a, acc, 64);
        bool apart =
            !s->problem->may_alias || s->tree->arrays[a].param<0, element = n> 0 && apart && is_element(an, acc, n);
        int lags = n > 0 && apart && !element ? chains(an, acc, n, chain) : 0;
        if (element) c.in = s->accesses[acc[0]].node;
        for (int i = 0; i < lags; i++)
            if (!add_carried(an, chain[i])) return false;
        if (element) {
            if (!add_carried(an, c)) return false;
        } else if (!lags && n_left < 64) {
            left[n_left++] = a;
        }
    }
    if (!an->sc->n)
        return n_left ? rg__poly_carry_no(an, RG_REFUSE_DEPENDENCE, rg__poly_carry_line(an),
                                          "loop %s carries %s in other ways than from one iteration to the next",
                                          rg__poly_carry_loop(an), s->tree->arrays[left[0]].name)
                      : rg__poly_carry_no(an, RG_REFUSE_SHAPE, rg__poly_carry_line(an), "loop %s carries nothing",
                                          rg__poly_carry_loop(an));
    for (int i = 0; i < n_left; i++) {
        int n = accesses_of(an, left[i], acc, 64);
        if (n <= 0 || !is_compacted(an, left[i], acc, n))
            return rg__poly_carry_no(an, RG_REFUSE_DEPENDENCE, rg__poly_carry_line(an),
                                     "loop %s carries a dependence on %s as well", rg__poly_carry_loop(an),
                                     s->tree->arrays[left[i]].name);
    }
    return true;
}

static const char *name_of(const struct poly_carrying *an, const struct poly_carried *c)
{
    return c->array >= 0 ? an->s->tree->arrays[c->array].name : an->s->tree->vars[c->var].name;
}

/* An element that the iteration writes and then reads again goes along as a value of its own. */
static bool add_read_back(struct poly_carrying *an, int array)
{
    struct poly_scop *s = an->s;
    const struct poly_access *w = NULL;
    struct poly_set set;
    int acc[64], n = accesses_of(an, array, acc, 64);
    struct rg_reason ignored, *why = an->why;
    for (int i = 0; i < an->sc->n; i++)
        if (an->sc->at[i].array == array) return false;
    for (int i = 0; i < n; i++)
        if (s->accesses[acc[i]].write) {
            if (w) return false;
            w = &s->accesses[acc[i]];
        }
    if (!w || !plain_access(w) || !w->certain || s->stmts[w->stmt].loop != an->sc->loop ||
        !direct_leaf(an->body, s, w->stmt) || !rg__poly_set_of(s->stmts[w->stmt].node, &set) || set.var >= 0 ||
        !set.value || set.op != RG_COP_SET)
        return false;
    int leaf = rg__poly_carry_place(an->body, s->stmts[w->stmt].node);
    for (int i = 0; i < n; i++) {
        const struct poly_access *a = &s->accesses[acc[i]];
        if (!a->write && (!rg__c_same(a->node, w->node, RG__C_UNCAST) ||
                          rg__poly_carry_place(an->body, s->stmts[a->stmt].node) <= leaf))
            return false;
    }
    an->why = &ignored; /* what stood in the way is the better reason */
    bool ok = add_carried(an, (struct poly_carried){.kind = POLY_CARRIED_CHAIN,
                                                    .var = -1,
                                                    .array = array,
                                                    .type = s->tree->arrays[array].elem,
                                                    .in = w->node,
                                                    .leaf = s->stmts[w->stmt].node,
                                                    .certain = true});
    an->why = why;
    return ok;
}

/* Which statements stand in the body. */
static void piece_of(struct poly_carrying *an)
{
    struct poly_scop *s = an->s;
    const struct poly_loop *l = &s->loops[an->sc->loop];
    int stmts[400], n = rg__poly_knode_stmts(s, an->body, stmts, 400);
    an->in = rg_arena_alloc(&an->p->arena, (size_t)s->n_stmts + 1);
    for (int i = 0; i < n; i++) an->in[stmts[i]] = true;
    for (int i = l->first_stmt; i < l->first_stmt + l->n_stmts; i++) an->whole = an->whole && an->in[i];
}

const struct poly_scan *rg__poly_scan_of(struct poly_program *p, const struct poly_knode *loop, struct rg_reason *why)
{
    struct poly_scop *s = p->scop;
    struct poly_scan *sc = rg_arena_alloc(&p->arena, sizeof *sc);
    struct poly_carrying an = {p, s, loop->kid[0], sc, NULL, true, -1, why};
    sc->loop = loop->loop;
    piece_of(&an);
    sc->depends = rg_arena_alloc(&p->arena, sizeof *sc->depends * ((size_t)s->tree->n_vars + 1));
    if (loop->node->n != 3) {
        rg__poly_carry_no(&an, RG_REFUSE_SHAPE, rg__poly_carry_line(&an), "loop %s ends by its data",
                          rg__poly_carry_loop(&an));
        return NULL;
    }
    if (!find_carried(&an)) return NULL;
    for (bool done = false; !done;) {
        bool *want = rg_xcalloc((size_t)s->tree->n_vars + 1, 1);
        memset(sc->depends, 0, sizeof *sc->depends * ((size_t)s->tree->n_vars + 1));
        sc->ordered = sc->fraction = false;
        sc->part = rg__poly_carry_slice(&an, loop->kid[0], want);
        free(want);
        if (!sc->part) {
            rg__poly_carry_no(&an, RG_REFUSE_DEPENDENCE, rg__poly_carry_line(&an),
                              "loop %s updates nothing that it carries", rg__poly_carry_loop(&an));
            return NULL;
        }
        if (!rg__poly_carry_find_updates(&an)) return NULL;
        an.clash = -1;
        done = rg__poly_carry_part_first(&an);
        if (!done && (an.clash < 0 || !add_read_back(&an, an.clash))) return NULL;
    }
    sc->applied = rg__poly_carry_more(&an);
    if (!sc->applied && !sc->ordered) {
        rg__poly_carry_no(&an, RG_REFUSE_ORDER, rg__poly_carry_line(&an),
                          "loop %s keeps only the last value of %s: reduce.block is the step for it",
                          rg__poly_carry_loop(&an), name_of(&an, &sc->at[0]));
        return NULL;
    }
    return sc;
}

/* ---- a loop in two ---- */

/* Does a statement of the second piece need what the first one has not made, or has made too early? */
static bool may_part(struct poly_carrying *an, const struct poly_knode *first, const struct poly_knode *second,
                     const struct poly_carried *c)
{
    struct poly_scop *s = an->s;
    int a[256], b[256], n = rg__poly_knode_stmts(s, first, a, 256), m = rg__poly_knode_stmts(s, second, b, 256);
    int leaf = rg__poly_carry_place(an->body, c->leaf);
    if (n == 256 || m == 256 || s->problem->may_alias) return false;
    for (int i = 0; i < n; i++)
        for (int x = 0; x < s->stmts[a[i]].n_accesses; x++)
            for (int j = 0; j < m; j++)
                for (int y = 0; y < s->stmts[b[j]].n_accesses; y++) {
                    const struct poly_access *p = &s->accesses[s->stmts[a[i]].first_access + x],
                                             *q = &s->accesses[s->stmts[b[j]].first_access + y];
                    if (p->array != q->array || !(p->write || q->write)) continue;
                    bool before = q->node && rg__c_same(q->node, c->in, RG__C_UNCAST);
                    bool after = plain_access(q) && plain_access(p) && same_place(p, q) &&
                                 rg__poly_carry_place(an->body, s->stmts[b[j]].node) > leaf;
                    if (p->array != c->array || q->write || !(before || after)) return false;
                }
    return true;
}

static struct poly_knode *without(struct poly_program *p, const struct poly_knode *body, const struct rg_cnode *leaf)
{
    struct poly_knode *k = rg__poly_knode_seq(p, body->kid, body->n);
    k->n = 0;
    for (int i = 0; i < body->n; i++)
        if (body->kid[i]->node != leaf) k->kid[k->n++] = body->kid[i];
    return k;
}

static struct poly_knode *loop_over(struct poly_program *p, const struct poly_knode *loop, struct poly_knode *body)
{
    struct poly_knode *k = rg__poly_knode_new(p, KN_LOOP, loop->node, 1);
    k->kid[0] = body;
    return k;
}

static bool carries_nothing(struct poly_carrying *an)
{
    struct poly_scop *s = an->s;
    for (int v = 0; v < s->tree->n_vars; v++) {
        bool read, written;
        if (s->tree->vars[v].kind == RG_CVAR_ITER || s->var_hidden[v] || rg__poly_scalar_private(s, an->sc->loop, v))
            continue;
        scalar_use(an, v, &read, &written);
        if (read || written) return false;
    }
    for (int a = 0; a < s->tree->n_arrays; a++)
        if (rg__poly_carry_conflict(an, a)) return false;
    return true;
}

struct poly_knode *rg__poly_scan_split(struct poly_program *p, const struct poly_knode *loop, struct rg_reason *why)
{
    struct poly_scop *s = p->scop;
    struct rg_reason ignored = {0};
    for (int a = 0; a < s->tree->n_arrays && loop->node->n == 3; a++) {
        struct poly_scan *sc = rg_arena_alloc(&p->arena, sizeof *sc), *second;
        struct poly_carrying an = {p, s, loop->kid[0], sc, NULL, true, -1, &ignored};
        struct poly_carried c[POLY_MAX_LAG];
        int acc[64];
        sc->loop = loop->loop;
        sc->depends = rg_arena_alloc(&p->arena, sizeof *sc->depends * ((size_t)s->tree->n_vars + 1));
        piece_of(&an);
        int n = accesses_of(&an, a, acc, 64);
        if (n <= 0 || !rg__poly_carry_conflict(&an, a) || chains(&an, acc, n, c) != 1 || !add_carried(&an, c[0]))
            continue;
        bool *want = rg_xcalloc((size_t)s->tree->n_vars + 1, 1);
        struct poly_knode *part = rg__poly_carry_slice(&an, loop->kid[0], want),
                          *rest = without(p, loop->kid[0], c[0].leaf);
        free(want);
        if (!part || rest->n == loop->kid[0]->n || !rest->n || !may_part(&an, part, rest, &c[0])) continue;
        struct poly_knode *pieces[2] = {loop_over(p, loop, part), loop_over(p, loop, rest)};
        struct poly_scan *first = (struct poly_scan *)rg__poly_scan_of(p, pieces[0], &ignored);
        if (!first) continue;
        first->piece = loop->piece + 1;
        pieces[0]->scan = first;
        pieces[1]->piece = loop->piece + 1;
        struct poly_scan at = {.loop = loop->loop};
        struct poly_carrying left = {p, s, rest, &at, NULL, true, -1, &ignored};
        piece_of(&left);
        if (carries_nothing(&left)) {
            pieces[1]->dealt = true;
            return rg__poly_knode_seq(p, pieces, 2);
        }
        second = (struct poly_scan *)rg__poly_scan_of(p, pieces[1], why);
        if (second) {
            second->piece = loop->piece + 2;
            pieces[1]->scan = second;
            return rg__poly_knode_seq(p, pieces, 2);
        }
        struct poly_knode *more = rg__poly_scan_split(p, pieces[1], why);
        if (more) {
            struct poly_knode *both[2] = {pieces[0], more};
            return rg__poly_knode_seq(p, both, 2);
        }
    }
    return NULL;
}
