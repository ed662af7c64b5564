/* Error exits by speculation. for (i = 0; i < n; i++) { f(i); if (bad(i)) return -1; g(i); } is
 *     x_was = x;                                        whatever the loop writes
 *     failed = 0;
 *     for i: { f(i); if (bad(i)) failed = 1; g(i); }   as if nobody left
 *     if (failed) { x = x_was; the loop as it stands, which leaves }
 * of a loop whose iterations look as if they had nothing to do with one another, and of one around other loops that
 * return error numbers from inside. Where nobody reads behind an error what the loop wrote, nothing is kept and run
 * again, and any loop will do. What runs past an error is thrown away, so that nothing that it does may harm: data lead
 * no subscript and end no loop there, and no integer is divided. The search for the first iteration that leaves
 * (search_loops.c) comes before this one: it needs no copies. */
#include "frontend/normalise/error_exits.h"
#include "frontend/normalise/pointer_rotation.h"
#include "frontend/normalise/search_loops.h"
#include "frontend/normalise/update_rounds.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_DIMS = 8 };

/* ---- the body as if nobody left ---- */

static struct rg_cnode *note_error(struct rg__errors *e, struct rg_cnode *c, const struct rg_cnode *at)
{
    struct rg_ctree *t = e->t;
    struct rg_cnode *s = rg__c_stmt(t, rg__c_assign(t, RG_COP_SET, rg__c_var(t, e->failed), rg__c_int(t, 1)));
    s->line = at->line;
    if (!c) return s;
    struct rg__kids one = {0};
    struct rg_cnode *x = rg_cnode_new(t, RG_C_IF, 2);
    rg__kids_add(&one, s);
    x->kid[0] = c;
    x->kid[1] = rg__kids_node(t, RG_C_BLOCK, &one);
    x->line = at->line;
    x->column = at->column;
    return x;
}

/* if (f) break; where f is a number in front of the loop, and only those who have failed give it another. */
static bool flag_is_clear(struct rg__errors *e, const struct rg_cnode *x)
{
    const struct rg__frame *f = &e->around.f[e->around.n - 1];
    int64_t value, c;
    int var = -1;
    if (!rg__leaves_early(x->kid[1]) || !rg__c_pure(e->t, x->kid[0])) return false;
    for (int v = 0; v < e->n_vars && var < 0; v++)
        if (rg__c_mentions_var(x->kid[0], v)) var = v;
    if (var < 0 || !rg__search_number_before(e->t->root, f->block, f->at, var, &value)) return false;
    struct rg__known k = {1, {var}, {value}};
    if (!rg__known_number(&k, x->kid[0], &c) || c) return false;
    rg__known_learn(&e->entry, var, value);
    return e->entry.n < RG__ERRORS_KNOWN;
}

/* Is it set, other than by the loop that it counts? */
static bool stepped(const struct rg_cnode *n, int var)
{
    if (!n) return false;
    if ((n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC) && n->kid[0]->kind == RG_C_VAR && n->kid[0]->array < 0 &&
        n->kid[0]->var == var)
        return true;
    for (int i = 0; i < n->n; i++)
        if (!(n->kind == RG_C_FOR && (i == 0 || i == 2)) && stepped(n->kid[i], var)) return true;
    return false;
}

static bool in_subscript(const struct rg_cnode *n, int var)
{
    if (!n) return false;
    for (int i = 0; n->kind == RG_C_INDEX && i < n->n; i++)
        if (rg__c_mentions_var(n->kid[i], var)) return true;
    for (int i = 0; i < n->n; i++)
        if (in_subscript(n->kid[i], var)) return true;
    return false;
}

/* `if (found >= most) return -1; .. list[found++] = i;`: the error is what keeps the place inside its array. */
static bool keeps_inside(const struct rg__errors *e, const struct rg_cnode *c)
{
    for (int v = 0; v < e->n_vars; v++)
        if (v != e->h.var && rg__c_mentions_var(c, v) && stepped(e->loop->kid[3], v) &&
            in_subscript(e->loop->kid[3], v))
            return true;
    return false;
}

/* False: whoever comes through has failed. */
static bool straight(struct rg__errors *e, struct rg__way *in, const struct rg_cnode *block, bool loop,
                     struct rg__kids *out)
{
    struct rg_ctree *t = e->t;
    bool goes_on = true;
    if (!rg__way_push(in, block, -1, loop)) return e->bad = true, false;
    struct rg__frame *f = &in->f[in->n - 1];
    for (int i = 0; i < block->n && goes_on && !e->bad; i++) {
        struct rg_cnode *x = block->kid[i];
        f->at = i;
        if (x->kind == RG_C_BLOCK) {
            goes_on = straight(e, in, x, false, out);
            continue;
        }
        bool jumps = rg__mentions_kind(x, RG_C_RETURN) || rg__mentions_kind(x, RG_C_BREAK),
             codes = x->kind == RG_C_IF && (rg__errors_codes(x->kid[1]) || (x->n > 2 && rg__errors_codes(x->kid[2])));
        if (!jumps && !codes) {
            rg__kids_add(out, rg__c_copy(t, x));
            continue;
        }
        if (x->kind == RG_C_IF) {
            struct rg_cnode *then = x->kid[1], *other = x->n > 2 ? x->kid[2] : NULL;
            if (flag_is_clear(e, x)) {
                if (other) goes_on = straight(e, in, other, false, out);
                continue;
            }
            bool a = rg__errors_fails(e, in, then), b = other && rg__errors_fails(e, in, other);
            e->bad |= !rg__c_pure(t, x->kid[0]) || then->kind != RG_C_BLOCK || (other && other->kind != RG_C_BLOCK);
            if (e->bad) break;
            if (a || b) {
                e->bad |= keeps_inside(e, x->kid[0]);
                struct rg_cnode *c = rg__c_copy(t, x->kid[0]);
                rg__kids_add(out, note_error(e, a && b ? NULL : a ? c : rg__negated(t, c), x));
                if (a && b)
                    goes_on = false;
                else if (a ? other : then)
                    goes_on = straight(e, in, a ? other : then, false, out);
                continue;
            }
            struct rg_cnode *y = rg__c_shallow(&t->arena, x);
            bool on = !other;
            for (int k = 1; k < x->n; k++) {
                struct rg__kids arm = {0};
                if (!x->kid[k]) continue;
                on |= straight(e, in, x->kid[k], false, &arm);
                y->kid[k] = rg__kids_node(t, RG_C_BLOCK, &arm);
            }
            y->kid[0] = rg__c_copy(t, x->kid[0]);
            rg__kids_add(out, y);
            goes_on = on;
            continue;
        }
        if (x->kind == RG_C_FOR && x->kid[3]->kind == RG_C_BLOCK) {
            struct rg__kids body = {0};
            struct rg_cnode *y = rg__c_shallow(&t->arena, x);
            straight(e, in, x->kid[3], true, &body);
            for (int k = 0; k < 3; k++) y->kid[k] = x->kid[k] ? rg__c_copy(t, x->kid[k]) : NULL;
            y->kid[3] = rg__kids_node(t, RG_C_BLOCK, &body);
            rg__kids_add(out, y);
            continue;
        }
        e->bad = true; /* it leaves as a matter of course, or from code of another kind */
    }
    in->n--;
    return goes_on;
}

/* ---- is it worth it, and safe? ---- */

/* Integers divided by what is no number: past an error that may be 0. */
static bool divides(const struct rg_cnode *n)
{
    if (!n) return false;
    bool division = n->op == RG_COP_DIV || n->op == RG_COP_REM || n->op == RG_COP_DIV_SET || n->op == RG_COP_REM_SET;
    if (division && rg__scalar_is_int(n->kid[1]->type) && rg__scalar_is_int(n->kid[0]->type) &&
        rg__c_uncast(n->kid[1], RG__C_CASTS)->kind != RG_C_INT)
        return true;
    for (int i = 0; i < n->n; i++)
        if (divides(n->kid[i])) return true;
    return false;
}

static bool calls(const struct rg__errors *e, const struct rg_cnode *n)
{
    if (!n) return false;
    if (n->op == RG_COP_ADDRESS || n->op == RG_COP_DEREF || (n->kind == RG_C_CALL && !rg__c_pure(e->t, n))) return true;
    for (int i = 0; i < n->n; i++)
        if (calls(e, n->kid[i])) return true;
    return false;
}

static bool any_of(const struct rg_cnode *n, const bool *vars, int n_vars)
{
    if (!n) return false;
    if (n->kind == RG_C_VAR && n->array < 0 && n->var < n_vars && vars[n->var]) return true;
    for (int i = 0; i < n->n; i++)
        if (any_of(n->kid[i], vars, n_vars)) return true;
    return false;
}

static void mark_own(struct rg__errors *e, const struct rg_cnode *n)
{
    if (!n) return;
    if (n->kind == RG_C_DECL && n->array < 0 && n->var >= 0) e->own[n->var] = true;
    for (int i = 0; i < n->n; i++) mark_own(e, n->kid[i]);
}

/* Scalars of the body that are made of the counter. */
static bool derive(struct rg__errors *e, const struct rg_cnode *n)
{
    bool more = false;
    if (!n) return false;
    int v = n->kind == RG_C_DECL && n->array < 0 && n->n ? n->var : n->kind == RG_C_ASSIGN ? rg__search_sets(n) : -1;
    const struct rg_cnode *value = v < 0 ? NULL : n->kind == RG_C_DECL ? n->kid[0] : n->kid[1];
    if (value && e->own[v] && !e->derived[v] && any_of(value, e->derived, e->n_vars)) e->derived[v] = more = true;
    for (int i = 0; i < n->n; i++) more |= derive(e, n->kid[i]);
    return more;
}

/* Does every access of the array go by the counter? */
static bool by_counter(const struct rg__errors *e, const struct rg_cnode *n, int array)
{
    if (!n) return true;
    if (n->kind == RG_C_VAR && n->array == array) return false;
    if (n->kind == RG_C_INDEX && n->array == array) {
        bool is = false;
        for (int i = 0; i < n->n; i++) is |= any_of(n->kid[i], e->derived, e->n_vars);
        if (!is) return false;
    }
    for (int i = 0; i < n->n; i++)
        if (!by_counter(e, n->kid[i], array)) return false;
    return true;
}

/* Does a store go by the counter? Else the loop is one of steps in time. */
static bool stores_by_counter(const struct rg__errors *e, const struct rg_cnode *n)
{
    if (!n) return false;
    if ((n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC) && n->kid[0]->kind == RG_C_INDEX)
        for (int i = 0; i < n->kid[0]->n; i++)
            if (any_of(n->kid[0]->kid[i], e->derived, e->n_vars)) return true;
    for (int i = 0; i < n->n; i++)
        if (stores_by_counter(e, n->kid[i])) return true;
    return false;
}

/* Are all accesses of the array to elements with a number? */
static bool by_numbers(const struct rg_cnode *n, int array)
{
    if (!n) return true;
    if (n->kind == RG_C_VAR && n->array == array) return false;
    for (int i = 0; i < n->n; i++)
        if ((n->kind == RG_C_INDEX && n->array == array && n->kid[i]->kind != RG_C_INT) ||
            !by_numbers(n->kid[i], array))
            return false;
    return true;
}

static void derive_all(struct rg__errors *e, const struct rg_cnode *body)
{
    e->derived[e->h.var] = true;
    while (derive(e, body)) {
    }
}

/* Do iterations look as if they had nothing to do with one another? Arrays of the function itself may be scratch, and
 * where error numbers end the loop there may be elements that it counts in, or keeps an extreme in. */
static bool apart(struct rg__errors *e, const struct rg_cnode *body)
{
    const struct rg_ctree *t = e->t;
    bool any = false;
    for (int a = 0; a < e->n_arrays; a++) {
        if (!rg__writes_array(body, a)) continue;
        bool is = by_counter(e, body, a);
        if (!is && t->arrays[a].param >= 0 && !(e->returns && e->numbers && by_numbers(body, a))) return false;
        any |= is;
    }
    return any;
}

/* Scalars from outside that the body sets: sums; others carry something on. Where error numbers end the loop integers
 * may: states, depths (automata.c, running_values.c). */
static bool only_sums(const struct rg__errors *e, const struct rg_cnode *n, const struct rg_cnode *body)
{
    if (!n) return true;
    if (n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC) {
        int v = rg__search_sets(n);
        if (v >= 0 && !e->own[v] && v != e->failed && (n->kind == RG_C_INCDEC || n->op == RG_COP_SET) &&
            !rg__search_given_first(body, v))
            return n->kind == RG_C_INCDEC || (e->returns && e->numbers && rg__scalar_is_int(e->t->vars[v].type));
    }
    for (int i = 0; i < n->n; i++)
        if (!only_sums(e, n->kid[i], body)) return false;
    return true;
}

static int mentions_of_array(const struct rg_cnode *n, int array, const struct rg_cnode *but)
{
    if (!n || n == but || (n->kind == RG_C_STMT && n->kid[0]->kind == RG_C_CALL && !strcmp(n->kid[0]->text, "free")))
        return 0;
    int c = n->array == array && n->kind != RG_C_DECL;
    for (int i = 0; i < n->n; i++) c += mentions_of_array(n->kid[i], array, but);
    return c;
}

/* What has to be as it was, for the loop as it stands: arrays that are written, but for those that nobody has written
 * before and nobody reads behind it. */
static bool to_save(struct rg__errors *e, const struct rg_cnode *past)
{
    const struct rg_cnode *body = past->kid[3];
    struct rg_ctree *t = e->t;
    for (int a = 0; a < e->n_arrays; a++) {
        const struct rg_carray *x = &t->arrays[a];
        bool others = x->param >= 0 || e->in_loop || mentions_of_array(t->root, a, e->loop);
        if (!rg__writes_array(body, a) || rg__c_declares_array(body, a) || !others) continue;
        e->saved[a] = true;
        if (x->view || x->constant_table || a == t->result_array || x->n_dims > MOST_DIMS) return false;
        for (int d = 0; d < x->n_dims; d++) e->by_place[a] |= !x->dims || !x->dims[d] || !rg__round_extent(t, a, d);
        const bool places = (e->by_place[a] || e->in_loop) && rg__errors_copied(t, past, a, a, a);
        if (e->by_place[a] && !places) return false;
        e->by_place[a] = places; /* a loop around would copy it all, time and again */
    }
    return true;
}

/* ---- what becomes of it ---- */

static struct rg_cnode *declare(struct rg__errors *e, int var, struct rg_cnode *value)
{
    struct rg_cnode *d = rg_cnode_new(e->t, RG_C_DECL, value ? 1 : 0);
    d->var = var;
    d->type = e->t->vars[var].type;
    if (value) d->kid[0] = rg__c_cast(e->t, value, d->type);
    d->line = e->loop->line;
    return d;
}

static struct rg_cnode *set(struct rg__errors *e, int var, struct rg_cnode *value)
{
    struct rg_cnode *x = rg__c_stmt(
        e->t, rg__c_assign(e->t, RG_COP_SET, rg__c_var(e->t, var), rg__c_cast(e->t, value, e->t->vars[var].type)));
    x->line = e->loop->line;
    return x;
}

/* Returns as breaks: which value, and that there was one. */
static void leave(struct rg__errors *e, struct rg_cnode *block)
{
    struct rg_ctree *t = e->t;
    for (int i = 0; i < block->n; i++) {
        struct rg_cnode *x = block->kid[i];
        struct rg__kids with = {0};
        if (!rg__mentions_kind(x, RG_C_RETURN)) continue;
        if (x->kind == RG_C_RETURN) {
            if (x->n && e->value >= 0) rg__kids_add(&with, set(e, e->value, x->kid[0]));
            rg__kids_add(&with, set(e, e->left, rg__c_int(t, 1)));
            rg__kids_add(&with, rg_cnode_new(t, RG_C_BREAK, 0));
            rg__block_splice(t, block, i, block->n - i, &with);
            return;
        }
        for (int k = 0; k < x->n; k++)
            if (x->kid[k] && x->kid[k]->kind == RG_C_BLOCK) leave(e, x->kid[k]);
        if (x->kind == RG_C_BLOCK) leave(e, x);
        if (!rg__c_is_loop(x)) continue;
        struct rg_cnode *gone = rg_cnode_new(t, RG_C_IF, 2), *arm = rg_cnode_new(t, RG_C_BLOCK, 1);
        arm->kid[0] = rg_cnode_new(t, RG_C_BREAK, 0);
        gone->kid[0] = rg__c_binary(t, RG_COP_NE, rg__c_var(t, e->left), rg__c_int(t, 0));
        gone->kid[1] = arm;
        gone->line = arm->line = x->line;
        rg__kids_add(&with, gone);
        rg__block_splice(t, block, i + 1, 0, &with);
        i++;
    }
}

/* In front of the loop, and where it failed: arrays and sums as they were. */
static void save(struct rg__errors *e, const struct rg_cnode *past, struct rg__kids *before, struct rg__kids *arm)
{
    struct rg_ctree *t = e->t;
    const struct rg_cnode *body = past->kid[3];
    for (int a = 0; a < e->n_arrays; a++) {
        if (!e->saved[a]) continue;
        int was = rg__round_another(t, a, "was", e->loop, before);
        bool places = e->by_place[a];
        bool known = true;
        for (int d = 0; d < t->arrays[a].n_dims; d++)
            known = known && t->arrays[a].dims && t->arrays[a].dims[d] && rg__round_extent(t, a, d);
        if (places && !known) t->arrays[was].copies = a + 1;
        rg__kids_add(before, places ? rg__errors_copied(t, past, a, was, a) : rg__round_copy_all(t, was, a, e->loop));
        rg__kids_add(arm, places ? rg__errors_copied(t, past, a, a, was) : rg__round_copy_all(t, a, was, e->loop));
    }
    for (int v = 0; v < e->n_vars; v++) {
        /* what others ask for, and what an iteration has from the one before, or from a parameter or declaration */
        bool asked = rg__c_count_var(t->root, v) > rg__c_count_var(e->loop, v) || !rg__search_given_first(body, v);
        if (e->own[v] || v == e->failed || v == e->h.var || !asked || !rg__c_writes_var(body, v)) continue;
        int was =
            rg__c_add_var(t, rg_arena_printf(&t->arena, "%s_was", t->vars[v].name), RG_CVAR_LOCAL, t->vars[v].type);
        rg__kids_add(before, declare(e, was, rg__c_var(t, v)));
        rg__kids_add(arm, set(e, v, rg__c_var(t, was)));
    }
}

/* Whoever leaves leaves what the loop wrote behind, unread, with the same numbers: `arm` sets these, or returns. */
static bool nobody_looks(struct rg__errors *e, const struct rg_cnode *body, struct rg__kids *arm)
{
    struct rg_ctree *t = e->t;
    const struct rg_cnode *back = NULL;
    struct rg__known k = e->at_break;
    struct rg__way w = e->around;
    for (int a = 0; a < e->n_arrays; a++)
        if (e->saved[a] && t->arrays[a].param >= 0) return false;
    for (int v = 0; v < e->n_vars; v++)
        if (!e->own[v] && v != e->h.var && v != e->failed && rg__c_writes_var(e->loop->kid[3], v)) {
            struct rg_cnode x = {.kind = RG_C_VAR, .array = -1, .var = v};
            int64_t value;
            if (rg__c_writes_var(body, v) || !rg__known_number(&k, &x, &value)) return false;
        }
    if (!e->breaks || e->returns) return false;
    e->watched = e->saved;
    e->touched = false;
    enum rg__leads to = rg__way_leads(e, &w, &k, &back);
    e->watched = NULL;
    if (to == RG__LEADS_NOWHERE || e->touched) return false;
    for (int i = 0; i < e->at_break.n; i++)
        if (!e->own[e->at_break.var[i]])
            rg__kids_add(arm, set(e, e->at_break.var[i], rg__c_int(t, e->at_break.value[i])));
    return true;
}

/* What asks whether there was an error; NULL: the loop stays. */
static struct rg_cnode *speculate(struct rg_ctree *t, struct rg__way *around, struct rg_cnode *block, int at, bool tail,
                                  bool in_loop)
{
    struct rg_cnode *f = block->kid[at];
    struct rg__errors e = {
        .t = t, .around = *around, .loop = f, .in_loop = in_loop, .left = -1, .value = -1, .numbers = true};
    struct rg_cnode *when = NULL;
    if (f->kid[3]->kind != RG_C_BLOCK || !f->kid[1] || !rg__counted(t, f, f->kid[1], &e.h) ||
        (!rg__mentions_kind(f->kid[3], RG_C_RETURN) && !rg__leaves_loop(f->kid[3])) ||
        (t->result_array >= 0 && t->arrays[t->result_array].elem == RG_STRUCT))
        return NULL;
    static const enum rg_c_kind others[] = {RG_C_CONTINUE, RG_C_SWITCH, RG_C_VERBATIM,
                                            RG_C_GOTO,     RG_C_LABEL,  RG_C_OPAQUE};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (rg__mentions_kind(f->kid[3], others[i])) return NULL;
    e.n_vars = t->n_vars + 1;
    e.n_arrays = t->n_arrays;
    bool *marks = rg_xcalloc(2 * (size_t)e.n_vars + 2 * (size_t)e.n_arrays + 1, sizeof *marks);
    e.own = marks, e.derived = marks + e.n_vars, e.saved = marks + 2 * e.n_vars, e.by_place = e.saved + e.n_arrays;
    const int was_vars = t->n_vars;
    e.failed = rg__c_add_var(t, "failed", RG_CVAR_LOCAL, RG_I32);
    struct rg__kids body = {0}, before = {0}, arm = {0};
    struct rg__way in = {0};
    bool on = straight(&e, &in, f->kid[3], true, &body);
    struct rg_cnode *b = rg__kids_node(t, RG_C_BLOCK, &body);
    if (e.bad || !on || (!e.returns && !e.breaks) || (e.returns && e.breaks) || (e.returns && !tail && !in_loop) ||
        rg__leaves_loop(b) || rg__mentions_kind(b, RG_C_RETURN))
        goto out;
    for (int i = 0; i < e.entry.n; i++)
        if (rg__c_writes_var(b, e.entry.var[i])) goto out;
    mark_own(&e, b);
    struct rg_cnode *past = rg__c_shallow(&t->arena, f);
    for (int i = 0; i < 3; i++) past->kid[i] = f->kid[i] ? rg__c_copy(t, f->kid[i]) : NULL;
    past->kid[3] = b;
    derive_all(&e, b);
    bool known = to_save(&e, past), unseen = nobody_looks(&e, b, &arm),
         whole = e.nested && e.returns && e.numbers && (!e.places || stores_by_counter(&e, b));
    if (calls(&e, b) || divides(b) || rg__search_wild(e.n_vars, b, b) ||
        (!unseen && (!known || rg__moves_any(b) || (!whole && (!apart(&e, b) || !only_sums(&e, b, b))))))
        goto out;
    rg__kids_add(&before, declare(&e, e.failed, rg__c_int(t, 0)));
    if (!unseen) {
        save(&e, past, &before, &arm);
        rg__kids_add(&arm, f);
    }
    rg__moves_fresh(t, past, past);
    rg__moves_fresh_arrays(t, past, past);
    rg__kids_add(&before, past);
    struct rg__kids rest = {0};
    when = rg_cnode_new(t, RG_C_IF, 3);
    if (e.returns) {
        struct rg_cnode *back = rg_cnode_new(t, RG_C_RETURN, t->result_array >= 0);
        struct rg__kids front = {0};
        e.left = rg__c_add_var(t, "left", RG_CVAR_LOCAL, RG_I32);
        rg__kids_add(&front, declare(&e, e.left, rg__c_int(t, 0)));
        if (back->n) {
            e.value = rg__c_add_var(t, "value", RG_CVAR_LOCAL, t->arrays[t->result_array].elem);
            rg__kids_add(&front, declare(&e, e.value, rg__c_int(t, 0)));
            back->kid[0] = rg__c_var(t, e.value);
        }
        leave(&e, f->kid[3]);
        for (int i = 0; i < arm.n; i++) rg__kids_add(&front, arm.items[i]);
        back->line = f->line;
        rg__kids_add(&front, back);
        free(arm.items);
        arm = front;
        for (int i = at + 1; i < block->n && !in_loop; i++) rg__kids_add(&rest, block->kid[i]);
    }
    when->kid[0] = rg__c_binary(t, RG_COP_NE, rg__c_var(t, e.failed), rg__c_int(t, 0));
    when->kid[1] = rg__kids_node(t, RG_C_BLOCK, &arm);
    when->kid[2] = rg__kids_node(t, RG_C_BLOCK, &rest);
    if (!when->kid[2]->n) when->n = 2;
    when->line = f->line;
    when->column = f->column;
    rg__kids_add(&before, when);
    rg__block_splice(t, block, at, when->n == 3 ? block->n - at : 1, &before);
out:
    if (!when) {
        t->n_vars = was_vars;
        free(before.items);
        free(arm.items);
    }
    free(marks);
    return when;
}

static void walk(struct rg_ctree *t, struct rg__way *around, struct rg_cnode *block, bool tail, bool in_loop, bool loop)
{
    if (!rg__way_push(around, block, -1, loop)) return;
    struct rg__frame *f = &around->f[around->n - 1];
    for (int i = 0; i < block->n; i++) {
        struct rg_cnode *s = block->kid[i];
        bool last = tail && i + 1 == block->n;
        f->at = i;
        struct rg_cnode *when = s->kind == RG_C_FOR ? speculate(t, around, block, i, tail, in_loop) : NULL;
        if (when) {
            while (block->kid[i] != when) i++;
            s = when;
            f->at = i;
            if (s->n > 2) walk(t, around, s->kid[2], tail, in_loop, false);
            continue;
        }
        if (s->kind == RG_C_BLOCK) walk(t, around, s, last, in_loop, false);
        for (int k = 1; s->kind == RG_C_IF && k < s->n; k++)
            if (s->kid[k] && s->kid[k]->kind == RG_C_BLOCK) walk(t, around, s->kid[k], last, in_loop, false);
        if (s->kind == RG_C_FOR && s->kid[3]->kind == RG_C_BLOCK) walk(t, around, s->kid[3], false, true, true);
    }
    around->n--;
}

void rg__canon_errors(struct rg_ctree *t)
{
    struct rg__way around = {0};
    walk(t, &around, t->root, true, false, false);
}
