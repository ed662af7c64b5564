/* Scans of scratch that stop at elements alone (`while (a[i] < p) i++;` in Hoare's partition, which an element that is
 * no less ends), where a local variable says how many elements the scratch has: that they stay inside these follows
 * from no bound. It is found by what the code does, interpreted on arrays of just as many elements: every order that up
 * to six can stand in, equal ones and such that are no numbers among them, and longer ones of all kinds; the code may
 * do nothing with elements but move and compare them, and every part of it has to run. What it reads then asks whether
 * the place is below the length, which it always is: that is what other passes go by to give iterations scratch of
 * their own. */
#include "frontend/normalise/canon.h"
#include "frontend/normalise/interpreter.h"
#include "frontend/normalise/sorting_trials.h"
#include <math.h>
#include <stdlib.h>

enum { ALL_ORDERS_OF = 6, LONGEST = 3000, RUN_STEPS = 4000000, ALL_STEPS = 60000000 };

struct scan {
    struct rg__load *l;
    struct rg_ctree *t;
    struct rg_cnode *block;
    int from, to;      /* its statements from .. to - 1 */
    int array, length; /* scratch, and the variable that says how many elements it has */
    bool first_read;   /* of none it reads the first element all the same */
    struct rg__interpreter run;
    int64_t steps;
    uint64_t seed;
};

static uint64_t draw(struct scan *s)
{
    s->seed ^= s->seed << 13;
    s->seed ^= s->seed >> 7;
    s->seed ^= s->seed << 17;
    return s->seed;
}

/* One run on these numbers. False: it leaves the elements, does other things with them, or nobody can tell. */
static bool stays_inside(struct scan *s, const double *value, int64_t n)
{
    struct rg__interpreter *r = &s->run;
    const bool real = !rg__scalar_is_int(s->t->arrays[s->array].elem);
    rg__interpreter_reset(r);
    r->most_steps = RUN_STEPS;
    r->derived = false;
    const int o = rg__interpreter_object(r, n || !s->first_read ? n : 1);
    for (int64_t i = 0; i < r->objects[o].n; i++) {
        r->objects[o].cells[i] = real ? rg__value_real(value[i]) : rg__value_int((int64_t)value[i]);
        r->objects[o].cells[i].tag = (int)i + 1;
    }
    rg__interpreter_set_array(r, s->array, o);
    rg__interpreter_set_var(r, s->length, rg__value_int(n));
    for (int i = s->from; i < s->to; i++)
        if (rg__interpreter_run(r, s->block->kid[i])) return false;
    s->steps += r->steps;
    return r->status == RG__RUN_OK && !r->derived && s->steps < ALL_STEPS;
}

/* The same with some that are no numbers, where there are such. */
static bool stays_inside_of(struct scan *s, double *value, int64_t n)
{
    if (!stays_inside(s, value, n)) return false;
    if (rg__scalar_is_int(s->t->arrays[s->array].elem)) return true;
    for (unsigned some = 1; some <= 4; some *= 2) { /* every one, every second, .. */
        double *v = rg_xcalloc((size_t)n + 1, sizeof *v);
        for (int64_t i = 0; i < n; i++) v[i] = draw(s) % some ? value[i] : NAN;
        const bool ok = stays_inside(s, v, n);
        free(v);
        if (!ok) return false;
    }
    return true;
}

static bool all_orders(struct scan *s)
{
    for (int n = 0; n <= ALL_ORDERS_OF; n++) {
        int rank[ALL_ORDERS_OF] = {0};
        for (int i = 0; i < n || !n;) {
            unsigned seen = 0;
            double value[ALL_ORDERS_OF] = {0};
            for (int k = 0; k < n; k++) seen |= 1u << rank[k], value[k] = rank[k];
            const bool ok = (seen & (seen + 1)) || stays_inside_of(s, value, n); /* ranks without a gap */
            s->first_read = !ok && !n;
            if (!ok && (n || !stays_inside_of(s, value, n))) return false;
            for (i = 0; i < n && ++rank[i] == n; i++) rank[i] = 0;
            if (!n) break;
        }
    }
    return true;
}

static bool long_ones(struct scan *s)
{
    const int64_t most = rg__trial_largest_number(s->l, s->block, s->from, s->to),
                  lengths[] = {8, 17, 40, 100, 300, 2 * most + 50};
    if (2 * most + 50 > LONGEST) return false;
    double *v = rg_xmalloc((size_t)LONGEST * sizeof *v);
    bool ok = true;
    for (int k = 0; k < 6 && ok; k++)
        for (int how = 0; how < 12 && ok; how++) {
            const int64_t n = lengths[k];
            for (int64_t i = 0; i < n; i++)
                v[i] = how % 6 == 0   ? (double)(draw(s) % 1000)
                       : how % 6 == 1 ? (double)i
                       : how % 6 == 2 ? (double)(n - i)
                       : how % 6 == 3 ? 1
                       : how % 6 == 4 ? (double)(draw(s) % 3)
                                      : (double)(i < n / 2 ? i : n - i);
            ok = stays_inside_of(s, v, n);
        }
    free(v);
    return ok;
}

static bool contained(struct scan *s)
{
    rg__interpreter_init(&s->run, &s->l->b);
    s->run.no_numbers = true;
    s->steps = 0;
    s->first_read = false;
    s->seed = 0x2545F4914F6CDD1D;
    bool ok = all_orders(s) && long_ones(s);
    for (int i = s->from; i < s->to && ok; i++) ok = rg__interpreter_covered(&s->run, s->block->kid[i]);
    rg__interpreter_release(&s->run);
    return ok;
}

/* ---- where to look ---- */

/* Does an element of the array decide whether a loop below n goes on? */
static bool ends_by_element(const struct rg_cnode *n, int array)
{
    if (!n || rg__c_is_expr(n)) return false;
    const struct rg_cnode *c = n->kind == RG_C_WHILE                       ? n->kid[0]
                               : n->kind == RG_C_DO || n->kind == RG_C_FOR ? n->kid[1]
                                                                           : NULL;
    if (c && rg__c_mentions_array(c, array)) return true;
    for (int i = 0; i < n->n; i++)
        if (ends_by_element(n->kid[i], array)) return true;
    return false;
}

/* Elements that are read by pure subscripts or set, and nothing else of any array. */
static bool only_elements(const struct scan *s, const struct rg_cnode *n)
{
    if (!n) return true;
    if (n->kind == RG_C_VERBATIM || n->kind == RG_C_CALL || n->op == RG_COP_ADDRESS || n->op == RG_COP_DEREF)
        return false;
    if (n->kind == RG_C_INDEX && (n->array != s->array || n->n != 1 || n->pointer || !rg__c_pure(s->t, n->kid[0])))
        return false;
    if ((n->kind == RG_C_VAR || n->kind == RG_C_DECL) && n->array >= 0) return false;
    if ((n->kind == RG_C_INCDEC || (n->kind == RG_C_ASSIGN && n->op != RG_COP_SET)) && n->kid[0]->kind == RG_C_INDEX)
        return false;
    for (int i = 0; i < n->n; i++)
        if (!only_elements(s, n->kid[i])) return false;
    return true;
}

static bool sets_scalar(const struct rg_ctree *t, const struct rg_cnode *n)
{
    const struct rg_cnode *value = n->kind == RG_C_DECL && n->array < 0 ? (n->n ? n->kid[0] : n) : NULL;
    const struct rg_cnode *a = n->kind == RG_C_STMT ? n->kid[0] : NULL;
    if (a && a->op == RG_COP_SET && a->kid[0]->kind == RG_C_VAR && a->kid[0]->array < 0) value = a->kid[1];
    return value && !rg__mentions_kind(value, RG_C_INDEX) && !rg__mentions_kind(value, RG_C_CALL) &&
           rg__c_pure(t, value);
}

static struct rg_cnode *asking(const struct scan *s, struct rg_cnode *n, bool target)
{
    struct rg_ctree *t = s->t;
    if (!n) return n;
    for (int i = 0; i < n->n; i++) n->kid[i] = asking(s, n->kid[i], n->kind == RG_C_ASSIGN && !i);
    if (n->kind != RG_C_INDEX || n->array != s->array || target) return n;
    struct rg_cnode *c = rg_cnode_new(t, RG_C_COND, 3);
    c->type = n->type;
    struct rg_cnode *end = rg__c_var(t, s->length);
    if (s->first_read) {
        end = rg_cnode_new(t, RG_C_COND, 3);
        end->type = t->vars[s->length].type;
        end->kid[0] = rg__c_binary(t, RG_COP_GT, rg__c_var(t, s->length), rg__c_int(t, 0));
        end->kid[1] = rg__c_var(t, s->length);
        end->kid[2] = rg__c_cast(t, rg__c_int(t, 1), end->type);
    }
    c->kid[0] = rg__c_binary(t, RG_COP_LT, rg__c_copy(t, n->kid[0]), end);
    c->kid[1] = n;
    c->kid[2] = rg__c_cast(t, rg__c_int(t, 0), n->type);
    return c;
}

/* block->kid[at], a loop, and what sets scalars in front of it. */
static void look_at(struct scan *s, struct rg_cnode *block, int at, const struct rg_cnode *around)
{
    struct rg_ctree *t = s->t;
    struct rg_cnode *loop = block->kid[at];
    s->block = block;
    s->to = at + 1;
    for (s->from = at; s->from > 0 && sets_scalar(t, block->kid[s->from - 1]);) s->from--;
    for (s->array = 0; s->array < t->n_arrays; s->array++) {
        const struct rg_carray *a = &t->arrays[s->array];
        if (a->param >= 0 || a->view || a->constant_table || a->n_dims != 1 || a->elem == RG_STRUCT ||
            a->elem == RG_BOOL || a->elem == RG_F16 || !ends_by_element(loop, s->array) ||
            rg__c_declares_array(around, s->array) || !only_elements(s, loop))
            continue;
        for (s->length = 0; s->length < t->n_vars; s->length++) {
            const struct rg_cvar *v = &t->vars[s->length];
            bool named = false, set = false;
            for (int i = s->from; i < s->to; i++) {
                named = named || rg__c_mentions_var(block->kid[i], s->length);
                set = set || rg__c_writes_var(block->kid[i], s->length) || rg__c_declares(block->kid[i], s->length);
            }
            /* counted in the loop around: how much is filled is another number each time */
            if (!named || set || v->kind != RG_CVAR_LOCAL || !rg__scalar_is_int(v->type) ||
                !rg_scalar_is_signed(v->type) || rg_scalar_bytes(v->type) < 4 || !rg__c_writes_var(around, s->length) ||
                !contained(s))
                continue;
            asking(s, loop, false);
            return;
        }
    }
}

static void walk(struct scan *s, struct rg_cnode *n, const struct rg_cnode *around)
{
    if (!n || rg__c_is_expr(n)) return;
    for (int i = 0; i < n->n; i++) {
        struct rg_cnode *k = n->kid[i];
        if (!k || rg__c_is_expr(k)) continue;
        const bool loop = k->kind == RG_C_WHILE || k->kind == RG_C_DO || k->kind == RG_C_FOR;
        if (n->kind == RG_C_BLOCK && loop && around) look_at(s, n, i, around);
        walk(s, k, loop && !around ? k : around);
    }
}

enum rg_status rg__canon_contained_scans(struct rg__load *l)
{
    struct scan s = {.l = l, .t = l->t};
    if (!rg__mentions_kind(l->t->root, RG_C_VERBATIM)) walk(&s, l->t->root, NULL);
    return RG_OK;
}
