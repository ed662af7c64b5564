/* Finite automata: scalars that hold one of a few numbers, of which an iteration's data and they themselves say what
 * they become (in a string, behind a backslash, in a comment). What an iteration makes of each state is a word with a
 * field for each, and two such words in a row are one (recurrence_table.c), so that a scan tells all states ahead:
 *     for (..) { w = 0;  w |= (what becomes of state 0) << 0;  w |= (.. of state 1) << 2;  ..
 *                at[i] = s;  s = (w >> 2 * s) & 3; }
 *     for (..) { quoted = at[i] & 1;  escaped = at[i] >> 1;  the body as it was }
 * The states are those that the scalars' values together can be: the body is followed from each of them
 * (automata_step.c). Loops that have nothing around them are looked at. */
#include "frontend/normalise/automata.h"
#include "frontend/normalise/pointer_rotation.h"
#include "frontend/normalise/running_values.h"
#include "frontend/normalise/search_loops.h"
#include <stdlib.h>
#include <string.h>

static bool is_scalar(const struct rg_cnode *e)
{
    return e->kind == RG_C_VAR && e->array < 0 && !e->pointer;
}

/* ---- which scalars ---- */

static bool mentions(const struct rg_cnode *n, const bool *which)
{
    if (!n) return false;
    if (is_scalar(n) && which[n->var]) return true;
    for (int i = 0; i < n->n; i++)
        if (mentions(n->kid[i], which)) return true;
    return false;
}

static bool sets_wanted(const struct rg__automaton *a, const struct rg_cnode *n)
{
    if (!n) return false;
    const bool writes = n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC || n->op == RG_COP_ADDRESS;
    if (writes && is_scalar(n->kid[0]) && a->wanted[n->kid[0]->var]) return true;
    if (n->kind == RG_C_DECL && n->array < 0 && a->wanted[n->var]) return true;
    if (n->kind == RG_C_LOOP && a->wanted[n->var]) return true;
    for (int i = 0; i < n->n; i++)
        if (sets_wanted(a, n->kid[i])) return true;
    return false;
}

static bool want(struct rg__automaton *a, const struct rg_cnode *e)
{
    bool more = false;
    if (!e) return false;
    if (is_scalar(e) && !a->wanted[e->var] && (rg__c_writes_var(a->body, e->var) || rg__c_declares(a->body, e->var)))
        a->wanted[e->var] = more = true;
    for (int i = 0; i < e->n; i++) more |= want(a, e->kid[i]);
    return more;
}

/* What the values of those that are wanted are made of is wanted, too. */
static bool close_over(struct rg__automaton *a, const struct rg_cnode *n)
{
    bool more = false;
    if (!n || rg__c_is_expr(n) || !sets_wanted(a, n)) return false;
    if (n->kind == RG_C_IF) more |= want(a, n->kid[0]);
    if (n->kind == RG_C_STMT || n->kind == RG_C_DECL)
        for (int i = 0; i < n->n; i++) more |= want(a, n->kid[i]);
    for (int i = 0; i < n->n; i++) more |= close_over(a, n->kid[i]);
    return more;
}

/* Scalars of the iteration that are made of the states. */
static bool taint(struct rg__automaton *a, const struct rg_cnode *n, bool asked)
{
    bool more = false;
    if (!n) return false;
    int v = -1;
    const struct rg_cnode *e = n->kind == RG_C_STMT ? n->kid[0] : n;
    if (n->kind == RG_C_DECL && n->array < 0) v = n->var;
    if (n->kind == RG_C_STMT && (e->kind == RG_C_ASSIGN || e->kind == RG_C_INCDEC) && is_scalar(e->kid[0]))
        v = e->kid[0]->var;
    if (v >= 0 && a->wanted[v] && !a->led[v] && (asked || mentions(n, a->led))) a->led[v] = more = true;
    if (rg__c_is_expr(n)) return more;
    if (n->kind == RG_C_IF) asked = asked || mentions(n->kid[0], a->led);
    for (int i = 0; i < n->n; i++) more |= taint(a, n->kid[i], asked);
    return more;
}

/* Does the loop leave the array as it is, under whatever name? */
static bool stays(const struct rg__automaton *a, int array)
{
    const struct rg_ctree *t = a->t;
    if (rg__c_declares_array(a->loop, array)) return false;
    for (int o = 0; o < t->n_arrays; o++) {
        const bool both = t->arrays[array].param >= 0 && t->arrays[o].param >= 0;
        const bool one = o == array || (both && (a->may_alias || t->arrays[o].param == t->arrays[array].param));
        if (one && rg__writes_array(a->loop, o)) return false;
    }
    return true;
}

/* Reads that a state leads to, or lets happen, are made of all states: what they touch has to be there. */
static bool reads_safe(const struct rg__automaton *a, const struct rg_cnode *e, bool asked)
{
    if (!e) return true;
    if (e->pointer || e->op == RG_COP_DEREF || e->kind == RG_C_MEMBER || rg__c_divides(e)) return false;
    if (e->kind == RG_C_INDEX) {
        if (!stays(a, e->array)) return false;
        for (int d = 0; d < e->n; d++) {
            const struct rg_cnode *sub = rg__c_uncast(e->kid[d], RG__C_INT_CASTS);
            const bool led = mentions(sub, a->led), own = is_scalar(sub) && sub->var == a->loop->var;
            if ((asked && !own) || (led && !rg__automaton_inside(a, e, d))) return false;
            if (!reads_safe(a, e->kid[d], asked)) return false;
        }
        return true;
    }
    if (e->kind == RG_C_COND || rg_c_lazy(e->op)) {
        const bool after = asked || mentions(e->kid[0], a->led);
        for (int i = 0; i < e->n; i++)
            if (!reads_safe(a, e->kid[i], i ? after : asked)) return false;
        return true;
    }
    for (int i = 0; i < e->n; i++)
        if (!reads_safe(a, e->kid[i], asked)) return false;
    return true;
}

/* Is all that sets the wanted a statement of its own? And made of what the loop leaves alone. */
static bool plain(const struct rg__automaton *a, const struct rg_cnode *n, bool asked)
{
    if (!n || !sets_wanted(a, n)) return true;
    const struct rg_cnode *e = n->kind == RG_C_STMT ? n->kid[0] : NULL;
    if (n->kind == RG_C_DECL) return !n->n || (rg__c_pure(a->t, n->kid[0]) && reads_safe(a, n->kid[0], asked));
    if (e) {
        if (!is_scalar(e->kid[0])) return false;
        if (e->kind == RG_C_INCDEC) return true;
        return e->kind == RG_C_ASSIGN && rg__c_pure(a->t, e->kid[1]) && !rg__c_divides(e) &&
               reads_safe(a, e->kid[1], asked);
    }
    if (n->kind != RG_C_IF && n->kind != RG_C_BLOCK) return false;
    if (n->kind == RG_C_IF && (!rg__c_pure(a->t, n->kid[0]) || !reads_safe(a, n->kid[0], asked))) return false;
    if (n->kind == RG_C_IF) asked = asked || mentions(n->kid[0], a->led);
    for (int i = n->kind == RG_C_IF; i < n->n; i++)
        if (!plain(a, n->kid[i], asked)) return false;
    return true;
}

/* Is the value made of them by more than keeping them, choosing and an exclusive or? */
static bool asks_value(const struct rg__automaton *a, const struct rg_cnode *e)
{
    if (!mentions(e, a->led) || is_scalar(e)) return false;
    if (e->kind == RG_C_CAST) return asks_value(a, e->kid[0]);
    if (e->kind == RG_C_COND)
        return mentions(e->kid[0], a->led) || asks_value(a, e->kid[1]) || asks_value(a, e->kid[2]);
    return e->op != RG_COP_XOR || asks_value(a, e->kid[0]) || asks_value(a, e->kid[1]);
}

/* Or does a condition on the way ask for them? What is kept, set anew or exclusive-or'ed composes as it is. */
static bool asks(const struct rg__automaton *a, const struct rg_cnode *n)
{
    if (!n || rg__c_is_expr(n) || !sets_wanted(a, n)) return false;
    if (n->kind == RG_C_IF && mentions(n->kid[0], a->led)) return true;
    if (n->kind == RG_C_DECL) return n->n && asks_value(a, n->kid[0]);
    if (n->kind == RG_C_STMT) return n->kid[0]->kind == RG_C_ASSIGN && asks_value(a, n->kid[0]->kid[1]);
    for (int i = n->kind == RG_C_IF; i < n->n; i++)
        if (asks(a, n->kid[i])) return true;
    return false;
}

static bool address_taken(const struct rg_cnode *n, int var)
{
    if (!n) return false;
    if (n->op == RG_COP_ADDRESS && is_scalar(n->kid[0]) && n->kid[0]->var == var) return true;
    for (int i = 0; i < n->n; i++)
        if (address_taken(n->kid[i], var)) return true;
    return false;
}

/* The scalars from outside that this one is made of, itself among them. */
static bool look(struct rg__automaton *a, const struct rg_cnode *block, int at, int seed)
{
    struct rg_ctree *t = a->t;
    memset(a->wanted, 0, (size_t)a->n_vars + 1);
    memset(a->led, 0, (size_t)a->n_vars + 1);
    a->wanted[seed] = true;
    a->n = 0;
    while (close_over(a, a->body)) {
    }
    for (int v = 0; v < a->n_vars; v++) {
        if (!a->wanted[v] || rg__c_declares(a->body, v)) continue;
        const struct rg_cvar *x = &t->vars[v];
        int64_t first;
        if (a->n == RG__AUTOMATON_SCALARS || x->kind != RG_CVAR_LOCAL || !rg__scalar_is_int(x->type) ||
            address_taken(t->root, v) || !rg__search_number_before(t->root, block, at, v, &first) ||
            !rg__c_convert(&first, x->type))
            return false;
        a->led[v] = true;
        a->first[a->n] = first;
        a->var[a->n++] = v;
    }
    while (taint(a, a->body, false)) {
    }
    return asks(a, a->body);
}

/* ---- the two loops ---- */

static struct rg_cnode *set(const struct rg__automaton *a, struct rg_cnode *to, struct rg_cnode *value)
{
    return rg__c_stands(rg__c_stmt(a->t, rg__c_assign(a->t, RG_COP_SET, to, value)), a->loop);
}

/* What number k holds in the state. */
static struct rg_cnode *decoded(const struct rg__automaton *a, int k, struct rg_cnode *state)
{
    struct rg_ctree *t = a->t;
    const struct rg__values *of = &a->of[k];
    int stride = 1;
    for (int i = 0; i < k; i++) stride *= a->of[i].n;
    if (stride > 1) state = rg__c_binary(t, RG_COP_DIV, state, rg__c_int(t, stride));
    if (stride * of->n < a->states) state = rg__c_binary(t, RG_COP_REM, state, rg__c_int(t, of->n));
    struct rg_cnode *value = NULL;
    if (of->v[of->n - 1] - of->v[0] == of->n - 1) {
        value = of->v[0] ? rg__c_binary(t, RG_COP_ADD, state, rg__c_int(t, of->v[0])) : state;
        return rg__c_cast(t, value, t->vars[a->var[k]].type);
    }
    for (int i = of->n - 1; i >= 0; i--) {
        struct rg_cnode *v = rg__c_cast(t, rg__c_int(t, of->v[i]), t->vars[a->var[k]].type);
        struct rg_cnode *is = rg__c_binary(t, RG_COP_EQ, rg__c_copy(t, state), rg__c_int(t, i));
        value = value ? rg__c_choice(t, is, v, value) : v;
    }
    return value;
}

static int rewrite(struct rg__automaton *a, const struct rg__running_place *p, struct rg_cnode *block, int at)
{
    struct rg_ctree *t = a->t;
    struct rg_cnode *l = a->loop, *one = rg__c_shallow(&t->arena, l), *next;
    struct rg__kids with = {0}, first = {0}, second = {0};
    const enum rg_scalar word = a->bits > 3 ? RG_ULONG : RG_U32;
    const int state = rg__c_add_var(t, "state", RG_CVAR_LOCAL, RG_I32),
              w = rg__c_add_var(t, "becomes", RG_CVAR_LOCAL, word);
    int64_t begin = 0;
    for (int k = a->n - 1; k >= 0; k--) begin = begin * a->of[k].n + rg__values_place(&a->of[k], a->first[k]);
    t->vars[state].below = a->states;
    const int array = rg__running_array(t, "state_at", RG_U8, p, l, &with);
    rg__kids_add(&with, rg__c_declaration(t, state, rg__c_int(t, begin), l));
    rg__kids_add(&first, rg__c_declaration(t, w, rg__c_cast(t, rg__c_int(t, 0), word), l));
    rg__automaton_words(a, w, &first);
    rg__kids_add(&first, set(a, rg__running_element(t, array, p, l->var), rg__c_cast(t, rg__c_var(t, state), RG_U8)));
    next = rg__c_var(t, state);
    if (a->bits > 1) next = rg__c_binary(t, RG_COP_MUL, rg__c_int(t, a->bits), next);
    next = rg__c_binary(t, RG_COP_SHR, rg__c_var(t, w), next);
    next = rg__c_binary(t, RG_COP_BAND, next, rg__c_cast(t, rg__c_int(t, (1 << a->bits) - 1), word));
    rg__kids_add(&first, set(a, rg__c_var(t, state), rg__c_cast(t, next, RG_I32)));
    one->kid[0] = rg__c_copy(t, l->kid[0]);
    one->kid[1] = rg__c_copy(t, l->kid[1]);
    one->kid[2] = rg__kids_node(t, RG_C_BLOCK, &first);
    rg__kids_add(&with, one);
    for (int k = 0; k < a->n; k++) { /* as the iteration finds them */
        const int v = a->var[k], own = rg__c_add_var(t, t->vars[v].name, RG_CVAR_LOCAL, t->vars[v].type);
        struct rg_cnode *is = rg__c_cast(t, rg__running_element(t, array, p, l->var), RG_I32);
        rg__kids_add(&second, rg__c_declaration(t, own, decoded(a, k, is), l));
        rg__c_replace_var(t, a->body, v, rg__c_var(t, own));
    }
    for (int i = 0; i < a->body->n; i++) rg__kids_add(&second, a->body->kid[i]);
    l->kid[2] = rg__kids_node(t, RG_C_BLOCK, &second);
    rg__moves_fresh(t, one, one);
    rg__kids_add(&with, l);
    for (int k = 0; k < a->n; k++)
        rg__kids_add(&with, set(a, rg__c_var(t, a->var[k]), decoded(a, k, rg__c_var(t, state))));
    const int added = with.n - 1;
    rg__block_splice(t, block, at, 1, &with);
    return added;
}

/* How many statements there are more; 0: it is none. */
static int apart(struct rg_ctree *t, const struct rg_problem *p, struct rg_cnode *block, int at)
{
    struct rg__automaton a = {.t = t, .loop = block->kid[at], .body = block->kid[at]->kid[2], .n_vars = t->n_vars};
    struct rg__running_place place;
    int added = 0;
    if (a.loop->step != 1 || !rg__running_places(t, a.loop, &place) || rg__leaves_loop(a.body) ||
        rg__c_has_loop(a.body) || rg__mentions_kind(a.body, RG_C_RETURN) || rg__mentions_kind(a.loop, RG_C_VERBATIM))
        return 0;
    a.may_alias = p->may_alias;
    a.wanted = rg_xcalloc((size_t)a.n_vars + 1, sizeof *a.wanted);
    a.led = rg_xcalloc((size_t)a.n_vars + 1, sizeof *a.led);
    for (int v = 0; v < a.n_vars && !added; v++) {
        if (t->vars[v].kind != RG_CVAR_LOCAL || !rg__scalar_is_int(t->vars[v].type) || !rg__c_writes_var(a.body, v) ||
            rg__c_declares(a.body, v))
            continue;
        if (look(&a, block, at, v) && rg__automaton_states(&a) && plain(&a, a.body, false))
            added = rewrite(&a, &place, block, at);
    }
    free(a.wanted);
    free(a.led);
    return added;
}

void rg__canon_automata(struct rg_ctree *t, const struct rg_problem *p)
{
    rg__running_outer(t, p, t->root, apart);
}
