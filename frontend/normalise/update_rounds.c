/* Rounds of updates that go on until nothing changes (relaxation, labels that spread, what can be reached) end in one
 * result, whatever the order of the updates: update_rounds_proof.c. So all updates of a round may go by the elements as
 * they were when it began:
 *     for i: before[i] = d[i];
 *     for e: if (before[u[e]] + w[e] < before[v[e]]) { d[v[e]] = min(before[u[e]] + w[e], d[v[e]]); changed = 1; }
 * Such rounds come to the fixed point, and if they do within a bound on their number, then the rounds of the C, which
 * see newer elements, do so, too. Where they don't, the elements are put back, and the loop is run as it stands. */
#include "frontend/normalise/pointer_rotation.h"
#include "frontend/normalise/update_rounds.h"
#include <float.h>
#include <stdlib.h>

static bool scalar(const struct rg_cnode *e)
{
    return e->kind == RG_C_VAR && e->array < 0 && !e->pointer;
}

int rg__round_sets(const struct rg_cnode *n)
{
    if (n->kind == RG_C_DECL) return n->array < 0 ? n->var : -1;
    const struct rg_cnode *e = n->kind == RG_C_STMT ? n->kid[0] : NULL;
    return e && (e->kind == RG_C_ASSIGN || e->kind == RG_C_INCDEC) && scalar(e->kid[0]) ? e->kid[0]->var : -1;
}

/* The arrays that are written below n. */
static void stores(const struct rg_cnode *n, bool *written)
{
    if (!n) return;
    if (n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC) {
        const struct rg_cnode *to = n->kid[0];
        while (to->kind == RG_C_MEMBER) to = to->kid[0];
        if (to->kind == RG_C_INDEX) written[to->array] = true;
    }
    for (int i = 0; i < n->n; i++) stores(n->kid[i], written);
}

/* Is an element read below n? */
static bool reads(const struct rg_cnode *n, int array)
{
    if (!n) return false;
    if ((n->kind == RG_C_INDEX || n->kind == RG_C_VAR) && n->array == array) return true;
    const bool set = n->kind == RG_C_ASSIGN && n->op == RG_COP_SET && n->kid[0]->kind == RG_C_INDEX;
    for (int i = 0; set && i < n->kid[0]->n; i++)
        if (reads(n->kid[0]->kid[i], array)) return true;
    for (int i = set; i < n->n; i++)
        if (reads(n->kid[i], array)) return true;
    return false;
}

static void assigns(const struct rg_cnode *n, bool *written)
{
    if (!n) return;
    int v = n->kind == RG_C_LOOP ? n->var : rg__round_sets(n);
    if (v >= 0) written[v] = true;
    for (int i = 0; i < n->n; i++) assigns(n->kid[i], written);
}

static void declares(const struct rg_cnode *n, bool *declared)
{
    if (!n) return;
    if (n->kind == RG_C_LOOP || (n->kind == RG_C_DECL && n->array < 0 && n->var >= 0)) declared[n->var] = true;
    for (int i = 0; i < n->n; i++) declares(n->kid[i], declared);
}

/* ---- what is read, and where ---- */

/* `flag += part;`, with a part that the block declares as 0: the part; -1. */
static int part_of(const struct rg_cnode *block, const struct rg_cnode *k, const bool *flag)
{
    const struct rg_cnode *e = k->kind == RG_C_STMT ? k->kid[0] : NULL;
    if (!e || (e->op != RG_COP_ADD_SET && e->op != RG_COP_BOR_SET) || !scalar(e->kid[0]) || !flag[e->kid[0]->var])
        return -1;
    const struct rg_cnode *v = rg__c_uncast(e->kid[1], RG__C_CASTS);
    double zero;
    for (int i = 0; i < block->n && scalar(v) && block->kid[i] != k; i++)
        if (block->kid[i]->kind == RG_C_DECL && block->kid[i]->array < 0 && block->kid[i]->var == v->var &&
            block->kid[i]->n && rg__round_number(block->kid[i]->kid[0], &zero) && zero == 0)
            return v->var;
    return -1;
}

/* Parts of flags, each of an iteration's own, are flags. */
static void find_parts(const struct rg_cnode *n, const struct rg_cnode *root, struct rg__round *r)
{
    for (int i = 0; n && i < n->n; i++) {
        if (!n->kid[i]) continue;
        find_parts(n->kid[i], root, r);
        int v = n->kind == RG_C_BLOCK ? part_of(n, n->kid[i], r->flag) : -1;
        if (v >= 0 && v < r->n_vars && rg__round_only_asked(root, v, false, n->kid[i])) {
            r->flag[v] = true;
            r->part[v] = n->kid[i];
        }
    }
}

/* What the condition is wherever the variable is not 0: 1, 0; -1: either. */
static int decided(const struct rg_cnode *e, int var)
{
    e = rg__c_uncast(e, RG__C_CASTS);
    double v;
    if (scalar(e) && e->var == var) return 1;
    if (rg__round_number(e, &v)) return v != 0;
    if (e->kind != RG_C_BINARY && e->op != RG_COP_NOT) return -1;
    const int a = decided(e->kid[0], var);
    if (e->op == RG_COP_NOT) return a < 0 ? a : !a;
    if (rg_c_lazy(e->op)) {
        const int b = decided(e->kid[1], var), enough = e->op == RG_COP_OR;
        return a == enough || b == enough ? enough : a == b ? a : -1;
    }
    if (!rg__round_number(e->kid[1], &v) || v != 0 || a < 0) return -1;
    return e->op == RG_COP_NE || e->op == RG_COP_GT ? a : e->op == RG_COP_EQ ? !a : -1;
}

static bool true_with(const struct rg_cnode *e, int var)
{
    return decided(e, var) == 1;
}

bool rg__round_asked_outside(const struct rg_cnode *n, int var, const struct rg_cnode *except)
{
    if (!n || n == except) return false;
    if (scalar(n) && n->var == var) return true;
    bool set = (n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC) && scalar(n->kid[0]) && n->kid[0]->var == var;
    for (int i = set ? 1 : 0; i < n->n; i++)
        if (rg__round_asked_outside(n->kid[i], var, except)) return true;
    return false;
}

/* Elements that the nests read at another place than they store to, or store where data say. */
static bool crosses(const struct rg_ctree *t, const struct rg__round *r, const struct rg_cnode *n)
{
    if (!n) return false;
    if (n->kind == RG_C_INDEX && n->array == r->array) {
        if (r->n_stores != 1 || !rg__c_same(n, r->store[0].to, RG__C_UNCAST)) return true;
        for (int d = 0; d < n->n; d++)
            if (!rg_c_affine(t, n->kid[d])) return true;
    }
    for (int i = 0; i < n->n; i++)
        if (crosses(t, r, n->kid[i])) return true;
    return false;
}

/* Do data lead to an element that is read? Where they don't, the order of loops may be all that it takes. */
static bool led(const struct rg_ctree *t, const struct rg__round *r, const struct rg_cnode *n)
{
    bool is = false;
    if (!n) return false;
    for (int d = 0; n->kind == RG_C_INDEX && n->array == r->array && d < n->n && !is; d++)
        is = !rg_c_affine(t, n->kid[d]);
    for (int i = 0; i < n->n && !is; i++) is = led(t, r, n->kid[i]);
    return is;
}

static bool as_pointer(const struct rg_cnode *n, int array)
{
    if (!n) return false;
    if (n->array == array && (n->kind == RG_C_VAR || n->kind == RG_C_DECL || (n->kind == RG_C_INDEX && n->pointer)))
        return true;
    if (n->kind == RG_C_VERBATIM) return true;
    for (int i = 0; i < n->n; i++)
        if (as_pointer(n->kid[i], array)) return true;
    return false;
}

/* ---- what the elements are before the first round ---- */

/* The extent, or one of those that it is the greatest of: the others are those of single elements. */
static bool reaches(const struct rg_cnode *extent, const struct rg_cnode *top)
{
    if (rg__c_same(extent, top, RG__C_UNCAST)) return true;
    bool most = extent->kind == RG_C_COND;
    for (int i = 1; i < extent->n && most; i++)
        if (reaches(extent->kid[i], top)) return true;
    return false;
}

/* A number that the nest gives to every element; false: it is none. */
static bool fills(struct rg__rounds *w, const struct rg_cnode *n, int array, double *v)
{
    int iter[RG__MAX_NEST], depth = 0;
    const struct rg_cnode *top[RG__MAX_NEST];
    while (n->kind == RG_C_LOOP && n->n == 3 && depth < RG__MAX_NEST) {
        double low;
        if (n->step != 1 || !rg__round_number(n->kid[0], &low) || low != 0) return false;
        iter[depth] = n->var;
        top[depth++] = n->kid[1];
        const struct rg_cnode *b = n->kid[2], *next = NULL;
        for (int i = 0; i < b->n; i++)
            if (b->kid[i]->kind == RG_C_LOOP || rg__writes_array(b->kid[i], array)) {
                if (next && rg__writes_array(b->kid[i], array)) return false;
                next = rg__writes_array(b->kid[i], array) ? b->kid[i] : next;
            }
        if (!next) return false;
        n = next;
    }
    if (n->kind != RG_C_STMT || n->kid[0]->op != RG_COP_SET || n->kid[0]->kid[0]->kind != RG_C_INDEX) return false;
    const struct rg_cnode *to = n->kid[0]->kid[0];
    bool whole = to->array == array && to->n == w->t->arrays[array].n_dims && to->n == depth &&
                 rg__round_number(n->kid[0]->kid[1], v);
    for (int d = 0; d < to->n && whole; d++) {
        const struct rg_cnode *sub = rg__c_uncast(to->kid[d], RG__C_INT_CASTS), *x = rg__round_extent(w->t, array, d);
        whole = scalar(sub) && sub->var == iter[d] && x && reaches(x, top[d]);
    }
    return whole;
}

/* All stores to it outside `loop` are of numbers, and one nest gives every element one. */
static bool numbers(struct rg__rounds *w, const struct rg_cnode *n, const struct rg_cnode *loop, struct rg__round *r,
                    bool *all)
{
    double v;
    if (!n || n == loop || !rg__writes_array(n, r->array)) return true;
    if (n->kind == RG_C_STMT) {
        const struct rg_cnode *e = n->kid[0];
        if (e->op != RG_COP_SET || e->kid[0]->kind != RG_C_INDEX || !rg__round_number(e->kid[1], &v)) return false;
        r->least = v < r->least ? v : r->least;
        r->most = v > r->most ? v : r->most;
        return true;
    }
    if (n->kind != RG_C_BLOCK && n->kind != RG_C_LOOP && n->kind != RG_C_IF) return false;
    for (int i = 0; i < n->n; i++) {
        if (n->kind == RG_C_BLOCK && n->kid[i]->kind == RG_C_LOOP && n->kid[i] != loop)
            *all = *all || fills(w, n->kid[i], r->array, &v);
        if (!numbers(w, n->kid[i], loop, r, all)) return false;
    }
    return true;
}

static const struct rg_cnode *stored_value(const struct rg_cnode *n, int array)
{
    if (!n) return NULL;
    if (n->op == RG_COP_SET && n->kid[0]->kind == RG_C_INDEX && n->kid[0]->array == array) {
        const struct rg_cnode *c;
        bool holds;
        const struct rg_cnode *v = rg__round_choice(n, &c, &holds);
        return v ? v : n->kid[1];
    }
    for (int i = 0; i < n->n; i++) {
        const struct rg_cnode *v = stored_value(n->kid[i], array);
        if (v) return v;
    }
    return NULL;
}

/* Statements of the round that are not about scalars alone: from *first, n of them. False: they don't stand together.
 */
static bool nests_of(const struct rg_cnode *body, int *first, int *n)
{
    *first = -1;
    *n = 0;
    for (int i = 0; i < body->n; i++) {
        const struct rg_cnode *k = body->kid[i];
        if (rg__round_sets(k) >= 0) continue;
        if (*first < 0) *first = i;
        *n = i - *first + 1;
    }
    return *first >= 0;
}

static bool mentions_array(const struct rg_cnode *n, int array)
{
    return rg__c_mentions_array(n, array);
}

/* All sets of the scalar stand outside the nests, behind them, and are v = go_on ? v : number: it
 * is what it was until the last round, whatever their number. */
static bool set_at_the_end(const struct rg__round_shape *s, int var)
{
    const struct rg_cnode *l = s->loop;
    int n_set = 0;
    for (int i = 0; i < s->body->n; i++) {
        const struct rg_cnode *k = s->body->kid[i];
        double number;
        if (rg__round_sets(k) != var) continue;
        if (i < s->first + s->n || k->kind != RG_C_STMT || k->kid[0]->op != RG_COP_SET) return false;
        const struct rg_cnode *c = rg__c_uncast(k->kid[0]->kid[1], RG__C_CASTS);
        if (c->kind != RG_C_COND) return false;
        const struct rg_cnode *asked = c->kid[0], *was = rg__c_uncast(c->kid[1], RG__C_CASTS);
        if (asked->op == RG_COP_NE && rg__round_number(asked->kid[1], &number) && number == 0) asked = asked->kid[0];
        asked = rg__c_uncast(asked, RG__C_CASTS);
        if (!scalar(asked) || asked->var != l->kid[3]->var || !scalar(was) || was->var != var ||
            !rg__round_number(c->kid[2], &number))
            return false;
        n_set++;
    }
    return n_set > 0;
}

/* The array of those written that rounds read; others are beside it. */
static bool main_array(const struct rg_ctree *t, struct rg__round_shape *s, struct rg__round *r, const bool *written)
{
    int n = 0, n_read = 0;
    for (int a = 0; a < t->n_arrays; a++) {
        bool read = false;
        if (!written[a]) continue;
        for (int i = 0; i < s->n; i++) read = read || reads(s->body->kid[s->first + i], a);
        n++;
        n_read += read;
        r->side[a] = !read;
        if (read || r->array < 0) r->array = a;
    }
    if (r->array < 0 || (n > 1 && n_read != 1)) return false;
    r->side[r->array] = false;
    s->asked_behind = n > 1; /* rounds behind the last of the C would be seen there */
    return true;
}

/* Fills in flags and what varies; false: the loop is of another form. */
static bool shape_of(struct rg__rounds *w, struct rg__round_shape *s, struct rg__round *r)
{
    struct rg_ctree *t = w->t;
    const struct rg_cnode *l = s->loop;
    s->body = l->kid[2];
    double end;
    s->endless = l->n == 4 && rg__round_number(l->kid[1], &end) && end >= INT32_MAX;
    if (l->step != 1 || s->body->kind != RG_C_BLOCK || !nests_of(s->body, &s->first, &s->n)) return false;
    bool *written = rg_xcalloc((size_t)t->n_arrays + 1, sizeof *written), ok = true;
    r->array = -1;
    for (int i = 0; i < s->n; i++) {
        const struct rg_cnode *k = s->body->kid[s->first + i];
        stores(k, written);
        ok = ok && (k->kind == RG_C_LOOP || k->kind == RG_C_IF || rg__round_sets(k) < 0) &&
             !rg__c_mentions_var(k, l->var);
    }
    s->asked_behind = false;
    ok = ok && main_array(t, s, r, written);
    for (int i = 0; i < s->body->n && ok; i++) /* outside them scalars alone */
        for (int a = 0; a < t->n_arrays && ok && (i < s->first || i >= s->first + s->n); a++)
            ok = !written[a] || !mentions_array(s->body->kid[i], a);
    free(r->written);
    r->written = written;
    const struct rg_carray *a = ok ? &t->arrays[r->array] : NULL;
    ok = ok && a->elem != RG_STRUCT && a->dims && a->n_dims <= 8 && !a->constant_table;
    for (int d = 0; ok && d < a->n_dims; d++) ok = a->dims[d] && rg__c_from_expr(t, a->dims[d]);
    ok = ok && (!a->partial || a->last_row);
    if (!ok) return false;
    /* scalars */
    bool *in = rg_xcalloc((size_t)t->n_vars + 1, sizeof *in), *own = rg_xcalloc((size_t)t->n_vars + 1, sizeof *own);
    for (int i = 0; i < s->n; i++) {
        assigns(s->body->kid[s->first + i], in);
        declares(s->body->kid[s->first + i], own);
    }
    for (int i = 0; i < s->body->n; i++) {
        int v = rg__round_sets(s->body->kid[i]);
        if (v >= 0 && (i < s->first || i >= s->first + s->n)) r->varies[v] = true;
    }
    r->varies[l->var] = true;
    for (int v = 0; v < t->n_vars && ok; v++) {
        r->flag[v] = in[v] && !own[v];
        if (r->flag[v]) { /* a new one each round */
            bool reset = false;
            for (int i = 0; i < s->first; i++) {
                const struct rg_cnode *k = s->body->kid[i];
                double zero;
                if (rg__round_sets(k) != v) continue;
                reset = k->kind == RG_C_DECL
                            ? k->n && rg__round_number(k->kid[0], &zero) && zero == 0
                            : k->kid[0]->op == RG_COP_SET && rg__round_number(k->kid[0]->kid[1], &zero) && zero == 0;
            }
            ok = reset && rg__round_flag(t, l, v);
            s->asked_behind = s->asked_behind || rg__round_asked_outside(t->root, v, l);
        } else if (r->varies[v] && v != l->var && !(l->n == 4 && l->kid[3]->var == v)) {
            ok = rg__round_only_asked(t->root, v, false,
                                      l); /* a count of rounds, say: nobody reads it behind the loop */
            if (!ok && l->n == 4 && set_at_the_end(s, v)) ok = s->asked_behind = true;
        }
    }
    for (int i = 0; i < s->n && ok; i++) find_parts(s->body->kid[s->first + i], t->root, r);
    free(in);
    free(own);
    /* what ends it */
    s->until = false;
    for (int i = 0; i < s->body->n && ok && l->n == 4; i++) {
        const struct rg_cnode *k = s->body->kid[i];
        if (rg__round_sets(k) != l->kid[3]->var) continue;
        const struct rg_cnode *e = k->kind == RG_C_STMT && k->kid[0]->op == RG_COP_SET ? k->kid[0]->kid[1] : NULL;
        s->until = e && i >= s->first + s->n;
        for (int v = 0; v < r->n_vars && s->until; v++) s->until = !r->flag[v] || r->part[v] || true_with(e, v);
        ok = s->until;
    }
    return ok && (l->n == 3 || s->until);
}

/* Numbers that elements are compared with: one of them may be a background, which no update changes or makes. */
static void backgrounds(const struct rg_cnode *n, int array, double *of, int *n_of)
{
    double v;
    if (!n || *n_of == 4) return;
    for (int side = 0; n->kind == RG_C_BINARY && (n->op == RG_COP_EQ || n->op == RG_COP_NE) && side < 2; side++) {
        const struct rg_cnode *e = rg__c_uncast(n->kid[side], RG__C_INT_CASTS);
        if (e->kind == RG_C_INDEX && e->array == array && rg__round_number(n->kid[1 - side], &v)) of[(*n_of)++] = v;
    }
    bool asks = n->op == RG_COP_NOT || n->kind == RG_C_IF || n->kind == RG_C_COND || rg_c_lazy(n->op);
    const struct rg_cnode *e = asks ? rg__c_uncast(n->kid[0], RG__C_INT_CASTS) : NULL;
    if (e && e->kind == RG_C_INDEX && e->array == array && *n_of < 4) of[(*n_of)++] = 0;
    for (int i = 0; i < n->n; i++) backgrounds(n->kid[i], array, of, n_of);
}

static bool proven(struct rg__rounds *w, struct rg__round_shape *s, struct rg__round *r)
{
    struct rg_cnode *const *nests = s->body->kid + s->first;
    bool all = false;
    r->least = DBL_MAX;
    r->most = -DBL_MAX;
    r->bounded = numbers(w, w->t->root, s->loop, r, &all) && all;
    r->one = stored_value(s->body, r->array);
    static const enum rg__direction ways[RG__DIRECTIONS] = {RG__LESS, RG__MORE, RG__ONE, RG__BITS};
    const bool ints = rg__scalar_is_int(w->t->arrays[r->array].elem) && w->t->arrays[r->array].elem != RG_BOOL;
    double of[4];
    int n_of = 0;
    if (rg__scalar_is_int(w->t->arrays[r->array].elem))
        for (int i = 0; i < s->n; i++) backgrounds(nests[i], r->array, of, &n_of);
    for (int k = 0; k < RG__DIRECTIONS * (n_of + 1); k++) {
        r->direction = ways[k % RG__DIRECTIONS];
        r->apart = k >= RG__DIRECTIONS;
        r->background = r->apart ? of[k / RG__DIRECTIONS - 1] : 0;
        if (r->direction == RG__BITS && (!ints || r->apart)) continue;
        if (r->direction == RG__ONE && !r->one) continue; /* nothing is stored but by ^= and the like */
        r->other = r->equation = false;
        r->unproven = NULL;
        r->n_stores = r->n_sets = 0;
        rg__round_follow(r, nests, s->n);
        bool flagged = r->n_stores > 0;
        for (int i = 0; i < r->n_stores && s->until; i++) flagged = flagged && r->store[i].flagged;
        if (!r->other && !r->unproven && flagged) return true;
    }
    return false;
}

static bool take(struct rg__rounds *w, struct rg_cnode *block, int at)
{
    struct rg_ctree *t = w->t;
    struct rg__round_shape s = {.loop = block->kid[at]};
    size_t n_vars = (size_t)t->n_vars + 1;
    struct rg__round r = {.t = t,
                          .n_vars = t->n_vars,
                          .flag = rg_xcalloc(n_vars, sizeof(bool)),
                          .varies = rg_xcalloc(n_vars, sizeof(bool)),
                          .side = rg_xcalloc((size_t)t->n_arrays + 1, sizeof(bool)),
                          .part = rg_xcalloc(n_vars, sizeof(struct rg_cnode *))};
    struct rg__round_edits edits = {0};
    rg__round_plain_forms(t, s.loop, &edits);
    rg__round_plain_flags(t, s.loop, &edits);
    bool ok = shape_of(w, &s, &r), cross = false;
    for (int a = 0; a < t->n_arrays && ok; a++)
        for (int i = 0; i < s.n && ok && r.written[a]; i++) ok = !as_pointer(s.body->kid[s.first + i], a);
    ok = ok && proven(w, &s, &r);
    for (int i = 0; i < s.n && ok; i++) cross = cross || (r.equation ? led : crosses)(t, &r, s.body->kid[s.first + i]);
    bool small = ok && rg_scalar_bytes(t->arrays[r.array].elem) < 4 && r.direction != RG__ONE;
    for (int i = 0; i < r.n_stores && small; i++) /* the device has no atomic minimum for it */
        for (int d = 0; d < r.store[i].to->n; d++) ok = ok && rg_c_affine(t, r.store[i].to->kid[d]);
    ok = ok && (!w->n_around || t->arrays[r.array].param >= 0); /* else each iteration around may have its own */
    for (int i = 0; i < w->n_around && ok; i++) /* loops around it have rounds on other elements, perhaps at once */
        for (int k = 0; k < r.n_stores && ok; k++) ok = !rg__c_mentions_var(r.store[k].to, w->around[i]->var);
    if (ok && cross) rg__round_replace(w, &s, &r, block, at);
    if (!ok || !cross) rg__round_undo(&edits, 0);
    free(edits.items);
    free(r.flag);
    free(r.varies);
    free(r.part);
    free(r.written);
    free(r.side);
    return ok && cross;
}

static void walk(struct rg__rounds *w, struct rg_cnode *n)
{
    if (!n || (n->kind != RG_C_BLOCK && n->kind != RG_C_LOOP && n->kind != RG_C_IF) || w->n_around == RG__MAX_NEST)
        return;
    if (n->kind == RG_C_LOOP) w->around[w->n_around++] = n;
    for (int i = 0; i < n->n; i++) {
        struct rg_cnode *k = n->kid[i];
        int was = n->n;
        if (n->kind == RG_C_BLOCK && k->kind == RG_C_LOOP && take(w, n, i))
            i += n->n - was;
        else
            walk(w, k);
    }
    if (n->kind == RG_C_LOOP) w->n_around--;
}

void rg__canon_rounds(struct rg_ctree *t, const struct rg_problem *p)
{
    struct rg__rounds w = {.t = t, .p = p};
    if (p->may_alias) return;
    walk(&w, t->root);
    rg__block_splice(t, t->root, 0, 0, &w.declarations);
}
