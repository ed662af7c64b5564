/* Sorts that no form of loops tells (quick, heap, merge, shell and comb sort, sorts by digits), found by what they do:
 * statements at the function's outermost level are interpreted on arrays of our own making, and are a sort where
 *   - every order that up to six elements can stand in, equal ones among them, comes out sorted: elements that are only
 *     moved and compared with one another can't tell more apart, so that this is all there is at these lengths;
 *   - so do longer arrays, random and arranged, of more elements than any number that the code mentions; where more is
 *     done with elements than comparing (digits), of values from the whole type down to a few;
 *   - on the way every part of the code has run;
 *   - nothing else is changed that is read behind them.
 * What order equal elements come out in is seen on the way: only a sort that always keeps it is taken for elements that
 * can be told apart. Where C leaves a run undefined (a count beyond its array), anything may come out of the sort. */
#include "frontend/normalise/sorting_trials.h"
#include "frontend/normalise/doubling.h"
#include <stdlib.h>
#include <string.h>

enum {
    MOST_STATEMENTS = 16,
    ALL_ORDERS_OF = 6,
    QUICK_STEPS = 1000000,
    RUN_STEPS = 20000000,
    ALL_STEPS = 300000000, /* of one that may be a sort; */
    LOOK_STEPS = 20000000  /* of all that are none */
};

/* ---- all of them ---- */

/* Every order of n elements, those with equal ones included. */
static bool all_orders(struct rg__trial *x, int n)
{
    int rank[ALL_ORDERS_OF] = {0};
    for (;;) {
        unsigned seen = 0;
        for (int i = 0; i < n; i++) seen |= 1u << rank[i];
        bool ok = true;
        int times = x->pick ? n : x->run.derived ? 2 : 1;
        for (int k = 0; !(seen & (seen + 1)) && k < times && ok; k++) { /* ranks without a gap */
            rg__trial_ranks(x, rank, n, k % 2 == 0);
            ok = rg__trial_sorts(x, RUN_STEPS);
        }
        if (!ok) return false;
        int i = 0;
        while (i < n && ++rank[i] == n) rank[i++] = 0;
        if (i == n) return true;
    }
}

struct numbers {
    const struct rg__build *b;
    int64_t most;
    int n;
    const char *helper[32];
};

/* The largest number that the code mentions, but for masks and shifts. */
static void look_for_numbers(struct numbers *m, const struct rg_cnode *n)
{
    if (!n) return;
    bool bits = n->op == RG_COP_BAND || n->op == RG_COP_BOR || n->op == RG_COP_XOR || n->op == RG_COP_SHR ||
                n->op == RG_COP_SHL;
    if (n->kind == RG_C_INT && (n->ivalue > m->most || n->ivalue < -m->most))
        m->most = n->ivalue < 0 ? -n->ivalue : n->ivalue;
    for (int i = 0; i < n->n; i++)
        if (!bits || !n->kid[i] || n->kid[i]->kind != RG_C_INT) look_for_numbers(m, n->kid[i]);
    const struct rg__helper_tree *h = n->kind == RG_C_CALL ? rg__helper_tree(m->b, n->text) : NULL;
    for (int i = 0; h && i < m->n; i++)
        if (!strcmp(m->helper[i], n->text)) h = NULL;
    if (!h || m->n == (int)(sizeof m->helper / sizeof *m->helper)) return;
    m->helper[m->n++] = n->text;
    look_for_numbers(m, h->body);
}

int64_t rg__trial_largest_number(const struct rg__load *l, const struct rg_cnode *block, int from, int to)
{
    struct numbers m = {.b = &l->b};
    for (int i = from; i < to; i++) look_for_numbers(&m, block->kid[i]);
    return m.most;
}

static bool long_runs(struct rg__trial *x)
{
    static const int64_t lengths[] = {8, 17, 40, 100, 300};
    int64_t most = rg__trial_largest_number(x->l, x->block, x->from, x->to);
    if (most > RG__TRIAL_LENGTH / 2 - 50) return false;
    for (int range = x->not_negative; range < (x->run.derived ? RG__N_RANGES : 1); range++)
        for (int k = 0; k < 5; k++)
            for (int how = 0; how < (range < 2 ? RG__N_ARRANGEMENTS : 1); how++) {
                rg__trial_arrange(x, lengths[k], range, (enum rg__arrangement)how);
                if (!rg__trial_sorts(x, RUN_STEPS)) return false;
            }
    int64_t last = 2 * most + 50;
    for (int range = x->not_negative; last > lengths[4] && range < (x->run.derived ? RG__N_RANGES : 1); range++) {
        rg__trial_arrange(x, last, range, RG__RANDOM);
        if (!rg__trial_sorts(x, RUN_STEPS)) return false;
    }
    return true;
}

static struct rg_cnode *range_of(struct rg__trial *x)
{
    struct rg_cnode *range = rg_cnode_new(x->t, RG_C_BLOCK, x->to - x->from);
    for (int i = 0; i < range->n; i++) range->kid[i] = x->block->kid[x->from + i];
    return range;
}

static bool assigns(const struct rg_cnode *n, int array)
{
    if (!n) return false;
    bool sets = n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC;
    if (sets && n->kid[0]->kind == RG_C_INDEX && n->kid[0]->array == array) return true;
    for (int i = 0; i < n->n; i++)
        if (assigns(n->kid[i], array)) return true;
    return false;
}

static bool sets_anew(const struct rg_cnode *s, int var)
{
    const struct rg_cnode *e = s->kind == RG_C_STMT ? s->kid[0] : NULL;
    return e && e->kind == RG_C_ASSIGN && e->op == RG_COP_SET && e->kid[0]->kind == RG_C_VAR && e->kid[0]->array < 0 &&
           !e->kid[0]->pointer && e->kid[0]->var == var;
}

/* Is what the statements set read behind them, but for the array and what is picked? sure: what the runs have left
 * alone so far may be used by longer ones. */
static bool read_behind(struct rg__trial *x, const struct rg_cnode *range, bool sure)
{
    for (int v = 0; v < x->t->n_vars; v++) {
        bool set = v != x->result && (rg__c_writes_var(range, v) || rg__c_declares(range, v));
        for (int i = x->to; i < x->block->n && set; i++) {
            if (rg__c_mentions_var(x->block->kid[i], v) && rg__doubling_exposed(x->block->kid[i], v, NULL)) return true;
            set = !sets_anew(x->block->kid[i], v);
        }
    }
    for (int a = 0; a < x->t->n_arrays; a++) {
        bool of_caller = x->t->arrays[a].param >= 0 && !x->t->arrays[a].view;
        if (a == x->array || !rg__c_mentions_array(range, a)) continue;
        const bool alone = a < 64 && x->stands >> a & 1;
        if (of_caller && assigns(range, a) && !rg__trial_left(x, a) && !rg__trial_with(x, a) && (sure || !alone))
            return true; /* handed on as a pointer, the runs have shown that it stands */
        for (int i = x->to; i < x->block->n && !of_caller; i++)
            if (rg__c_mentions_array(x->block->kid[i], a)) return true;
    }
    return false;
}

/* Do they do what they are taken to do, whatever the elements are, or where none is negative? */
static bool holds_so(struct rg__trial *x)
{
    x->orders = RG__ANY_ORDER;
    x->stable = true;
    x->with = x->stands = UINT64_MAX;
    for (int a = 0; a < 64; a++) {
        x->left[a] = RG__LEFT_ANY | RG__LEFT_ONE | RG__LEFT_NONE;
        x->alone_to[a] = 1;
        x->used_from[a] = INT64_MAX;
        x->rounds[a] = ~0u;
    }
    x->most_steps = ALL_STEPS;
    x->steps = 0;
    x->kept = x->undefined = x->long_kept = 0;
    x->run.derived = x->run.members_differ = x->run.bits_taken = false;
    x->run.member_read = NULL;
    x->seed = 0x2545F4914F6CDD1D;
    /* one that is in no order at all tells most from a sort at once; of small values, which counts take */
    x->quick = true;
    for (int i = 0; i < 8 && x->quick && !x->kept; i++) { /* again where a parameter led C astray */
        rg__trial_arrange(x, 5, 6, RG__RANDOM);
        x->quick = rg__trial_sorts(x, QUICK_STEPS);
    }
    x->quick = x->quick && x->kept;
    x->looked += x->steps;
    for (int i = 0; i < 4 && x->quick && x->first >= 0; i++) { /* none, or fewer */
        rg__trial_arrange(x, 0, 6, RG__RANDOM);
        x->quick = rg__trial_sorts(x, QUICK_STEPS);
    }
    bool scratch = false;
    for (int a = 0; a < x->t->n_arrays && x->quick; a++)
        scratch = scratch || (a != x->array && x->t->arrays[a].param >= 0 && rg__trial_left(x, a));
    for (int i = 0; i < 8 && scratch && x->quick; i++) { /* what becomes of it where there is nothing to do */
        rg__trial_arrange(x, 1, 6, RG__RANDOM);
        x->quick = rg__trial_sorts(x, QUICK_STEPS);
    }
    if (!x->quick || x->run.bits_taken != x->by_bits || read_behind(x, range_of(x), false)) return false;
    for (int n = 1; n <= (x->run.derived ? 4 : x->pick ? 5 : ALL_ORDERS_OF); n++)
        if (!all_orders(x, n)) return false;
    if (!long_runs(x) || x->long_kept < 6 || (!x->run.derived && x->kept < x->undefined)) return false;
    bool covered = true;
    for (int i = x->from; i < x->to && covered; i++) covered = rg__interpreter_covered(&x->run, x->block->kid[i]);
    bool records = x->t->arrays[x->keys >= 0 ? x->keys : x->array].elem == RG_STRUCT;
    for (int a = 0; a < x->t->n_arrays && a < 64 && covered; a++)
        if (a != x->array && x->t->arrays[a].param >= 0 && rg__trial_left(x, a))
            covered = rg__trial_left_from(x, a, rg__trial_largest_number(x->l, x->block, x->from, x->to));
    covered = covered && !read_behind(x, range_of(x), true); /* what moves with the elements is known by now */
    return covered && x->run.bits_taken == x->by_bits &&
           (!records || (x->run.member_read && rg__trial_field(x, x->run.member_read)));
}

static bool holds(struct rg__trial *x)
{
    x->not_negative = x->by_bits = false;
    if (holds_so(x)) return true;
    const enum rg_scalar elem = x->t->arrays[x->keys >= 0 ? x->keys : x->array].elem;
    if (x->quick && x->run.bits_taken) {
        x->by_bits = elem == RG_F32 || elem == RG_F64;
        return x->by_bits && holds_so(x);
    }
    x->not_negative = x->quick && x->run.derived && x->t->arrays[x->array].elem != RG_STRUCT && x->keys < 0 &&
                      rg__trial_signed(rg__trial_type(x));
    return x->not_negative && holds_so(x);
}

/* ---- where to look ---- */

static bool has_index(const struct rg_cnode *n)
{
    return n && rg__mentions_kind(n, RG_C_INDEX);
}

/* Does a statement set the scalar to what an element says? */
static bool made_of_element(const struct rg_cnode *n, int var)
{
    if (!n) return false;
    if (n->kind == RG_C_DECL && n->array < 0 && n->var == var && n->n && has_index(n->kid[0])) return true;
    if (n->kind == RG_C_ASSIGN && n->kid[0]->kind == RG_C_VAR && n->kid[0]->array < 0 && n->kid[0]->var == var &&
        has_index(n->kid[1]))
        return true;
    for (int i = 0; i < n->n; i++)
        if (made_of_element(n->kid[i], var)) return true;
    return false;
}

/* Is it made of elements, by way of a scalar at most? */
static bool of_data(const struct rg__trial *x, const struct rg_cnode *n)
{
    if (has_index(n)) return true;
    for (int v = 0; n && v < x->t->n_vars; v++)
        if (x->t->vars[v].kind == RG_CVAR_LOCAL && rg__c_mentions_var(n, v) && made_of_element(x->t->root, v))
            return true;
    return false;
}

/* Do elements decide what is done: in a condition, or in a subscript? Or is memory handed to a function? */
static bool may_sort(const struct rg__trial *x, const struct rg_cnode *n)
{
    if (!n) return false;
    bool condition = n->kind == RG_C_IF || n->kind == RG_C_WHILE || n->kind == RG_C_COND;
    if ((condition && of_data(x, n->kid[0])) || (n->kind == RG_C_FOR && has_index(n->kid[1]))) return true;
    if (n->kind == RG_C_BINARY && rg_c_relation(n->op) && (has_index(n->kid[0]) || has_index(n->kid[1]))) return true;
    if (n->kind == RG_C_CALL && rg__helper_tree(&x->l->b, n->text))
        for (int i = 0; i < n->n; i++)
            if (n->kid[i]->pointer || (n->kid[i]->kind == RG_C_VAR && n->kid[i]->array >= 0)) return true;
    for (int i = 0; n->kind == RG_C_INDEX && i < n->n; i++)
        if (of_data(x, n->kid[i])) return true;
    for (int i = 0; i < n->n; i++)
        if (may_sort(x, n->kid[i])) return true;
    return false;
}

bool rg__trial_is_length(const struct rg_ctree *t, int v)
{
    const struct rg_cvar *c = &t->vars[v];
    return c->kind == RG_CVAR_PARAM && rg__scalar_is_int(c->type) && rg_scalar_bytes(c->type) >= 4 && !c->assigned;
}

static bool of_elements(const struct rg__trial *x, int a)
{
    const struct rg_carray *c = &x->t->arrays[a];
    return !c->view && !c->constant_table && c->n_dims == 1 && c->elem != RG_BOOL && c->elem != RG_F16 &&
           (c->elem != RG_STRUCT || c->struct_index >= 0) && a != x->t->result_array;
}

static bool tried(struct rg__trial *x)
{
    return x->looked < LOOK_STEPS && holds(x) && rg__trial_replace(x);
}

/* Places that code behind the statements names, or within them, of parameters alone. */
struct places {
    const struct rg__trial *x;
    bool behind; /* subscripts of the array, which must be all that it is read for */
    bool other;
    int n;
    struct rg_cnode *e[8];
};

/* Is the place the same from the statements on, made of scalars that nothing sets from there? */
static bool place_stays(const struct rg__trial *x, const struct rg_cnode *e)
{
    if (rg__c_of_params(x->t, e)) return true;
    if (!rg__c_pure(x->t, e) || has_index(e) || rg__mentions_kind(e, RG_C_MEMBER) || rg__mentions_kind(e, RG_C_CALL))
        return false;
    for (int v = 0; v < x->t->n_vars; v++) {
        if (!rg__c_mentions_var(e, v)) continue;
        if (!rg__scalar_is_int(x->t->vars[v].type)) return false;
        for (int i = x->from; i < x->block->n; i++)
            if (rg__c_writes_var(x->block->kid[i], v) || rg__c_declares(x->block->kid[i], v)) return false;
    }
    return true;
}

static void add_place(struct places *p, struct rg_cnode *e)
{
    e = rg__c_strip_int_casts(e);
    for (int i = 0; i < p->n; i++)
        if (rg__c_equal(p->e[i], e)) return;
    if (p->n < (int)(sizeof p->e / sizeof *p->e)) p->e[p->n++] = e;
}

static bool see_place(void *arg, struct rg_cnode *n)
{
    struct places *p = arg;
    const struct rg_ctree *t = p->x->t;
    if (p->behind) {
        if (n->array != p->x->array) return true;
        bool place = n->kind == RG_C_INDEX && !n->pointer && n->n == 1 && place_stays(p->x, n->kid[0]);
        if (place) add_place(p, n->kid[0]);
        p->other = p->other || !place;
        return false;
    }
    struct rg_cnode *e = n->kind == RG_C_DECL && n->array < 0 && n->n ? n->kid[0] : NULL;
    if (e && rg__scalar_is_int(t->vars[n->var].type) && rg__c_of_params(t, e)) add_place(p, e);
    return true;
}

/* The element that stands behind the statements where a sort would put it, of an array that is read for no other. */
static bool picks(struct rg__trial *x)
{
    struct places p = {.x = x, .behind = true};
    for (int i = x->to; i < x->block->n; i++) {
        p.other = p.other || rg__writes_array(x->block->kid[i], x->array);
        rg__c_walk(x->block->kid[i], see_place, &p);
    }
    if (p.other || p.n > 1 || (x->result >= 0) != (p.n == 0)) return false;
    if (p.n) {
        x->pick = p.e[0];
        return tried(x);
    }
    p.behind = false;
    for (int i = x->from; i < x->to; i++) rg__c_walk(x->block->kid[i], see_place, &p);
    for (int v = 0; v < x->t->n_vars && p.n < 8; v++)
        if (rg__trial_is_length(x->t, v) && v != x->length) add_place(&p, rg__c_var(x->t, v));
    for (int i = 0; i < p.n; i++) {
        x->pick = p.e[i];
        if (tried(x)) return true;
    }
    return false;
}

static bool picked(struct rg__trial *x)
{
    const struct rg_carray *a = &x->t->arrays[x->array];
    bool found = false;
    if (a->param >= 0 || a->elem == RG_STRUCT) return false;
    x->result = -1;
    found = picks(x);
    for (x->result = 0; x->result < x->t->n_vars && !found; x->result++) {
        const struct rg_cvar *v = &x->t->vars[x->result];
        bool set = v->kind == RG_CVAR_LOCAL && v->type == a->elem, read = false;
        for (int i = x->to; i < x->block->n && set; i++) read = read || rg__c_mentions_var(x->block->kid[i], x->result);
        bool within = false;
        for (int i = x->from; i < x->to && read; i++)
            within =
                within || rg__c_writes_var(x->block->kid[i], x->result) || rg__c_declares(x->block->kid[i], x->result);
        found = within && picks(x);
        if (found) break;
    }
    x->pick = NULL;
    x->result = -1;
    return found;
}

static bool handed_on(const struct rg_cnode *n, int array)
{
    if (!n) return false;
    if (n->kind == RG_C_VAR && n->array == array) return true;
    for (int i = 0; i < n->n; i++)
        if (handed_on(n->kid[i], array)) return true;
    return false;
}

/* Has the local array its values in front of the statements, which only read them? The runs give it others. */
static bool made_in_front(const struct rg__trial *x, int a)
{
    bool declared = false;
    for (int i = 0; i < x->from; i++) declared = declared || rg__c_declares_array(x->block->kid[i], a);
    for (int i = x->from; i < x->to; i++)
        if (rg__writes_array(x->block->kid[i], a) || handed_on(x->block->kid[i], a)) return false;
    return declared;
}

/* Elements of another array in order, or places by what another array has there. */
static bool with_another(struct rg__trial *x)
{
    const struct rg_carray *a = &x->t->arrays[x->array];
    for (int b = 0; b < x->t->n_arrays; b++) {
        const struct rg_carray *c = &x->t->arrays[b];
        bool found = false;
        if (b == x->array || !of_elements(x, b) || (c->param < 0 && !made_in_front(x, b))) continue;
        x->source = c->param < 0 ? -1 : c->elem == a->elem && c->struct_index == a->struct_index ? b : -1;
        if (x->source >= 0) found = tried(x);
        x->source = -1;
        x->keys =
            !found && rg__scalar_is_int(a->elem) && rg_scalar_bytes(a->elem) >= 4 && c->elem != RG_STRUCT ? b : -1;
        if (x->keys >= 0) found = tried(x);
        x->made = x->keys >= 0;
        if (x->made && !found) found = tried(x);
        x->made = false;
        x->keys = -1;
        if (found) return true;
    }
    return false;
}

static bool calls_helper(const struct rg__load *l, const struct rg_cnode *n)
{
    if (!n) return false;
    if (n->kind == RG_C_CALL && rg__helper_tree(&l->b, n->text)) return true;
    for (int i = 0; i < n->n; i++)
        if (calls_helper(l, n->kid[i])) return true;
    return false;
}

/* Does any statement do what a sort does, any have the array? */
static bool look_at_statements(struct rg__trial *x)
{
    x->may = x->reaches = 0;
    for (int i = 0; i < x->block->n && i < MOST_STATEMENTS; i++) {
        const struct rg_cnode *s = x->block->kid[i];
        x->may |= (uint32_t)may_sort(x, s) << i; /* a helper may have the array as a variable of the file */
        x->reaches |= (uint32_t)(rg__c_mentions_array(s, x->array) || calls_helper(x->l, s)) << i;
    }
    return x->may && x->reaches;
}

static bool sorts_statements(struct rg__trial *x)
{
    for (x->from = 0; x->from < x->block->n; x->from++)
        for (x->to = x->block->n; x->to > x->from; x->to--) {
            const uint32_t here = ((uint32_t)1 << x->to) - ((uint32_t)1 << x->from);
            if ((x->may & here) && (x->reaches & here) &&
                (tried(x) || (x->first < 0 && (picked(x) || with_another(x)))))
                return true;
        }
    return false;
}

/* Elements from one parameter to another. */
static bool a_part(struct rg__trial *x)
{
    bool found = false;
    for (x->first = 0; x->first < x->t->n_vars; x->first++) {
        if (!rg__trial_is_length(x->t, x->first) || x->first == x->length) continue;
        for (int last = 1; last >= 0 && !found; last--) {
            x->last = last;
            found = sorts_statements(x);
        }
        if (found) return true;
    }
    x->first = -1;
    return false;
}

static bool any(struct rg__trial *x)
{
    for (x->array = 0; x->array < x->t->n_arrays; x->array++) {
        if (!of_elements(x, x->array) || x->t->arrays[x->array].is_const || !look_at_statements(x)) continue;
        for (x->length = 0; x->length < x->t->n_vars; x->length++) {
            if (rg__trial_is_length(x->t, x->length) && (sorts_statements(x) || a_part(x))) return true;
        }
    }
    return false;
}

/* Does `s` only make a scalar or declare a local array, of nothing that a later statement could change? */
static bool may_sink(const struct rg_ctree *t, const struct rg_cnode *s)
{
    if (s->kind == RG_C_DECL && s->array >= 0) return !s->n && !t->arrays[s->array].view;
    const struct rg_cnode *a = s->kind == RG_C_STMT ? s->kid[0] : NULL, *value = NULL;
    if (s->kind == RG_C_DECL && s->n) value = s->kid[0];
    if (a && a->op == RG_COP_SET && a->kid[0]->kind == RG_C_VAR && a->kid[0]->array < 0 && !a->kid[0]->pointer &&
        t->vars[a->kid[0]->var].kind == RG_CVAR_LOCAL)
        value = a->kid[1];
    if (!value) return s->kind == RG_C_DECL;
    return rg__c_pure(t, value) && !value->pointer && !has_index(value) && !rg__mentions_kind(value, RG_C_CALL);
}

/* Does `n` name what `s` makes, or change what `s` reads? */
static bool meets(const struct rg_ctree *t, const struct rg_cnode *n, const struct rg_cnode *s)
{
    if (s->kind == RG_C_DECL && s->array >= 0) return rg__c_mentions_array(n, s->array);
    const int made = s->kind == RG_C_DECL ? s->var : s->kid[0]->kid[0]->var;
    if (rg__c_mentions_var(n, made) || rg__c_declares(n, made)) return true;
    for (int v = 0; v < t->n_vars; v++)
        if (v != made && rg__c_mentions_var(s, v) && (rg__c_writes_var(n, v) || rg__c_declares(n, v))) return true;
    return false;
}

static struct rg__trial_was as_it_is(struct rg_cnode *block)
{
    return (struct rg__trial_was){block, block->kid, block->n};
}

struct rg_cnode *rg__trial_arm(struct rg_ctree *t, struct rg_cnode *block,
                               bool (*may)(const void *arg, const struct rg_cnode *n), const void *arg,
                               struct rg__trial_was *was, int *n_was)
{
    struct rg_cnode *last = block->n ? block->kid[block->n - 1] : NULL, *arm = NULL;
    if (!last || last->kind != RG_C_IF || has_index(last->kid[0]) || !rg__c_pure(t, last->kid[0])) return NULL;
    for (int k = 1; k < last->n; k++)
        if (last->kid[k] && last->kid[k]->kind == RG_C_BLOCK && may(arg, last->kid[k])) {
            if (arm) return NULL;
            arm = last->kid[k];
        }
    if (!arm) return NULL;
    was[(*n_was)++] = as_it_is(block);
    was[(*n_was)++] = as_it_is(arm);
    for (int i = block->n - 2; i >= 0; i--) {
        const struct rg_cnode *s = block->kid[i];
        bool stays = !may_sink(t, s) || meets(t, last->kid[0], s);
        for (int k = 1; k < last->n && !stays; k++)
            stays = last->kid[k] && last->kid[k] != arm && meets(t, last->kid[k], s);
        for (int k = i + 1; k < block->n - 1 && !stays; k++) stays = meets(t, block->kid[k], s);
        if (stays) continue;
        struct rg__kids front = {0}, none = {0};
        rg__kids_add(&front, block->kid[i]);
        rg__block_splice(t, arm, 0, 0, &front);
        rg__block_splice(t, block, i, 1, &none);
    }
    return arm;
}

void rg__trial_put_back(const struct rg__trial_was *was, int n)
{
    while (n-- > 0) was[n].block->kid = was[n].kid, was[n].block->n = was[n].n;
}

static bool may_sort_in(const void *x, const struct rg_cnode *n)
{
    return may_sort(x, n);
}

bool rg__sorting_trials(struct rg__load *l)
{
    enum { MOST_GUARDS = 8 };
    struct rg__trial_was was[2 * MOST_GUARDS];
    int n_was = 0;
    struct rg_ctree *t = l->t;
    struct rg__trial x = {.l = l, .t = t, .block = t->root, .first = -1, .source = -1, .keys = -1, .result = -1};
    bool any_found = false, no_text = rg__trial_computes_lengths(&x, t->root, 0);
    if (rg__mentions_kind(t->root, RG_C_VERBATIM) || !may_sort(&x, t->root)) return false;
    x.in = rg_xcalloc(2 * RG__TRIAL_LENGTH, sizeof *x.in);
    x.place = rg_xcalloc(2 * RG__TRIAL_LENGTH, sizeof *x.place);
    for (bool again = true; x.block;) { /* a sort adds variables */
        if (!again)
            x.block = !x.guarded && n_was < 2 * MOST_GUARDS ? rg__trial_arm(x.t, x.block, may_sort_in, &x, was, &n_was)
                                                            : NULL;
        again = x.block && x.block->n <= MOST_STATEMENTS;
        if (!again) continue;
        rg__interpreter_init(&x.run, &l->b);
        x.run.member = rg__trial_member;
        x.run.arg = &x;
        again = any(&x);
        any_found = any_found || again;
        x.first = x.source = x.keys = x.result = -1;
        rg__interpreter_release(&x.run);
    }
    if (!any_found) rg__trial_put_back(was, n_was);
    if (any_found && no_text && !l->b.c_text && !calls_helper(l, t->root)) rg_buf_reset(l->b.helper_decls);
    free(x.in);
    free(x.place);
    return any_found;
}
