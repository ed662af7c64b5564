/* Marks that are stamped with the iteration's number: mark[j] == i says that iteration i has come to j before, and
 * what other iterations have left there is no matter.
 *     for (j..) mark[j] = -1;
 *     for (i = 0; i < n; i++) {
 *         count = 0;
 *         for (p..) if (mark[a[p]] != i) { mark[a[p]] = i;  count++; }
 *         at[i + 1] = at[i] + count;
 *     }
 * Nobody writes another one's stamp, so iterations may share the marks in any order, or have marks of their own. A
 * number of parts have some each, and go over every so many iterations; what an iteration finds out by them is kept for
 * the rest of its body, in a loop behind it:
 *     for (t = 0; t < PARTS; t++) {
 *         int mark[..];  for (j..) mark[j] = -1;
 *         for (i = t; i < n; i += PARTS) { count = 0;  for (p..) if ..;  count_at[i] = count; }
 *     }
 *     for (i = 0; i < n; i++) at[i + 1] = at[i] + count_at[i];
 * The first part stores nothing outside, but adds to scalars, which becomes a sum of its iteration, and to a list,
 * list[n++] = j;  Where an iteration's elements begin in that is known behind the second loop, so that the first one
 * counts alone, and once more, with marks that are new, stores. */
#include "frontend/normalise/canon.h"
#include "frontend/normalise/filled_first.h"
#include "frontend/normalise/pointer_rotation.h"
#include "frontend/normalise/runs.h"
#include <stdlib.h>

enum { MOST_PARTS = 2048, LEAST_PARTS = 64 };       /* threads at once, and those without which it is not worth it */
static const int64_t most_bytes = (int64_t)1 << 30; /* of all rows of marks, at the sizes that are known */

struct marks {
    struct rg_ctree *t;
    const struct rg_problem *p;
    int parts; /* that have marks of their own */
    struct rg_cnode *block, *loop, *body;
    int at;                       /* the loop is block->kid[at] */
    int array;                    /* of the marks */
    int64_t ahead;                /* stamps are the loop's variable and that much */
    int first_fill, last_fill;    /* statements of the block that fill it, in front of the loop */
    int front;                    /* statements of the body up to the last that names the marks */
    int head;                     /* ... of which so many come before, and belong to the rest */
    int counter;                  /* of lists; -1 */
    int begins, own;              /* made: where iterations begin in them; what counts in an iteration */
    const struct rg_expr *extent; /* iterations */
    bool stamps;                  /* a store was seen */
};

/* The loop's variable, and so much: k. */
static bool is_stamp(const struct marks *m, const struct rg_cnode *e, int64_t *k)
{
    return rg__runs_offset(e, m->loop->var, k) && *k >= 0 && *k <= 1;
}

static bool is_mark(const struct marks *m, const struct rg_cnode *e)
{
    e = rg__runs_widened(e);
    return e->kind == RG_C_INDEX && e->array == m->array && e->n == 1 && !e->pointer;
}

static bool same_stamp(struct marks *m, const struct rg_cnode *e)
{
    int64_t k;
    if (!is_stamp(m, e, &k) || (m->stamps && k != m->ahead)) return false;
    m->ahead = k;
    m->stamps = true;
    return true;
}

/* Are the marks nothing but stamped, and asked for the iteration's own stamp? */
static bool only_stamps(struct marks *m, const struct rg_cnode *n)
{
    if (!n) return true;
    if (n->kind == RG_C_VERBATIM || n->kind == RG_C_OPAQUE) return false;
    if ((n->kind == RG_C_VAR || n->kind == RG_C_DECL || n->kind == RG_C_INDEX) && n->array == m->array) return false;
    const bool asks = n->op == RG_COP_EQ || n->op == RG_COP_NE,
               sets = n->kind == RG_C_ASSIGN && n->op == RG_COP_SET && is_mark(m, n->kid[0]);
    for (int side = 0; side < 2 && (sets || asks); side++) {
        if (!is_mark(m, n->kid[side])) continue;
        if (!same_stamp(m, n->kid[1 - side])) return false;
        return only_stamps(m, rg__runs_widened(n->kid[side])->kid[0]);
    }
    for (int i = 0; i < n->n; i++)
        if (!only_stamps(m, n->kid[i])) return false;
    return true;
}

/* What the statement fills the marks with. */
static const struct rg_cnode *filled_with(const struct rg_cnode *s)
{
    while (s->kind == RG_C_BLOCK || s->kind == RG_C_LOOP) s = s->kid[s->kind == RG_C_BLOCK ? 0 : 2];
    return s->kid[0]->kid[1];
}

/* Is no stamp the number that they are filled with? */
static bool fill_is_none(const struct marks *m, const struct rg_cnode *s)
{
    const struct rg_carray *x = &m->t->arrays[m->array];
    int64_t v;
    if (!rg__c_number(filled_with(s), &v)) return false;
    v = rg__runs_kept(x->elem, v);
    /* the most of its type is a bound that the loop ends below */
    if (v == rg__runs_kept(x->elem, -1) && !rg_scalar_is_signed(x->elem)) return !m->ahead;
    return v < m->ahead;
}

/* The statements in front of the loop that fill the marks, and nothing else names them but their declaration. */
static bool finds_fills(struct marks *m)
{
    bool declared = false;
    m->first_fill = m->last_fill = -1;
    for (int k = 0; k < m->block->n; k++) {
        const struct rg_cnode *s = m->block->kid[k];
        if (k == m->at) continue;
        if (s->kind == RG_C_DECL && s->array == m->array) {
            declared = true;
        } else if (rg__c_mentions_array(s, m->array)) {
            if (k > m->at || !rg__only_fills(s, m->array) || !fill_is_none(m, s)) return false;
            if (m->first_fill < 0) m->first_fill = k;
            m->last_fill = k;
        }
    }
    if (!declared || m->first_fill < 0) return false;
    for (int k = m->first_fill; k <= m->last_fill; k++)
        if (!rg__c_mentions_array(m->block->kid[k], m->array)) return false;
    return true;
}

static bool calls_pure(const struct rg_ctree *t, const struct rg_cnode *n)
{
    if (!n) return true;
    if (n->kind == RG_C_RETURN || n->kind == RG_C_LABEL || n->kind == RG_C_GOTO || n->op == RG_COP_DEREF ||
        n->op == RG_COP_ADDRESS || (n->kind == RG_C_INDEX && n->pointer) || (n->kind == RG_C_CALL && !rg__c_pure(t, n)))
        return false;
    for (int i = 0; i < n->n; i++)
        if (!calls_pure(t, n->kid[i])) return false;
    return true;
}

static bool one_memory(const struct rg_ctree *t, int a, int o)
{
    const struct rg_carray *x = &t->arrays[a], *y = &t->arrays[o];
    return x->view || y->view || (x->param >= 0 && x->param == y->param);
}

/* Among what the marks are needed for. */
static bool in_front(const struct marks *m, bool (*is)(const struct rg_cnode *, int), int what)
{
    for (int k = m->head; k < m->front; k++)
        if (is(m->body->kid[k], what)) return true;
    return false;
}

/* Among the rest. */
static bool behind(const struct marks *m, bool (*is)(const struct rg_cnode *, int), int what)
{
    for (int k = 0; k < m->body->n; k++)
        if ((k < m->head || k >= m->front) && is(m->body->kid[k], what)) return true;
    return false;
}

static bool declares(const struct rg_cnode *s, int var)
{
    return s->kind == RG_C_DECL && s->array < 0 && s->var == var;
}

/* A scalar from outside that the statements in front add to. */
static bool is_sum(const struct marks *m, int var)
{
    return in_front(m, rg__c_writes_var, var) && !in_front(m, rg__c_declares, var) && !in_front(m, rg__c_binds, var);
}

/* list[counter] = e; of a list that nothing else in the body names, and an e that does not name the counter. */
static bool appends(const struct marks *m, const struct rg_cnode *s, int counter)
{
    const struct rg_cnode *a = s->kind == RG_C_STMT ? s->kid[0] : NULL, *to;
    if (!a || a->kind != RG_C_ASSIGN || a->op != RG_COP_SET || a->kid[0]->kind != RG_C_INDEX) return false;
    to = a->kid[0];
    int64_t none;
    if (to->n != 1 || to->pointer || to->array == m->array || !rg__runs_offset(to->kid[0], counter, &none) || none ||
        rg__c_mentions_var(a->kid[1], counter) || rg__c_mentions_array(a->kid[1], to->array))
        return false;
    return true;
}

/* Does it nothing to the counter but add, and store elements of lists by it? */
static bool only_counts(const struct marks *m, const struct rg_cnode *n, int counter, bool *stores)
{
    if (!n || !rg__c_mentions_var(n, counter)) return true;
    if (appends(m, n, counter)) return *stores = true;
    if (n->kind == RG_C_STMT) return rg__only_adds(n, counter);
    if (rg__c_is_expr(n) || n->kind == RG_C_DECL) return false;
    for (int i = 0; i < n->n; i++)
        if (!only_counts(m, n->kid[i], counter, stores)) return false;
    return true;
}

/* counter += 1, or more */
static bool steps_on(const struct rg_cnode *s, int counter)
{
    int64_t v;
    if (rg__runs_counts(s, counter)) return true;
    const struct rg_cnode *a = s->kind == RG_C_STMT ? s->kid[0] : NULL;
    return a && a->op == RG_COP_ADD_SET && rg__runs_is_var(a->kid[0], counter) && rg__c_number(a->kid[1], &v) && v >= 1;
}

/* Does the counter only grow, and past every element once it is stored? */
static bool grows_past(const struct marks *m, const struct rg_cnode *n, int counter)
{
    if (!n || rg__c_is_expr(n) || !rg__c_mentions_var(n, counter)) return true;
    if (n->kind == RG_C_STMT) return appends(m, n, counter) || steps_on(n, counter);
    for (int i = 0; i < n->n; i++) {
        int k = i;
        while (n->kind == RG_C_BLOCK && k < n->n && appends(m, n->kid[k], counter)) k++;
        if (k > i && (k == n->n || !steps_on(n->kid[k], counter))) return false;
        if (!grows_past(m, n->kid[i], counter)) return false;
    }
    return n->kind == RG_C_BLOCK || n->kind == RG_C_LOOP || n->kind == RG_C_IF;
}

/* How often the array is named below, and appended to. */
static void count_appends(const struct marks *m, const struct rg_cnode *n, int array, int *named, int *appended)
{
    if (!n) return;
    *named += (n->kind == RG_C_INDEX || n->kind == RG_C_VAR || n->kind == RG_C_DECL) && n->array == array;
    *appended += m->counter >= 0 && appends(m, n, m->counter) && n->kid[0]->kid[0]->array == array;
    for (int i = 0; i < n->n; i++) count_appends(m, n->kid[i], array, named, appended);
}

/* Is it a list that the statements in front append to, and nothing else in the body names it? */
static bool is_list(const struct marks *m, int array)
{
    int named = 0, appended = 0;
    for (int k = 0; k < m->body->n; k++) {
        if (k == m->front && named != appended) return false;
        count_appends(m, m->body->kid[k], array, &named, &appended);
    }
    return appended > 0 && named == appended && !m->t->arrays[array].view;
}

/* What stands in front of all that names the marks, and stores to elements: it belongs to the rest, which comes before
 * the iteration's sums are added. Scalars that it asks for must be those of then. */
static void finds_head(struct marks *m)
{
    int first = 0;
    m->head = 0;
    while (!rg__c_mentions_array(m->body->kid[first], m->array)) first++;
    for (int k = 0; k < first; k++) {
        const struct rg_cnode *s = m->body->kid[k], *a = s->kind == RG_C_STMT ? s->kid[0] : NULL;
        if (!a || a->kind != RG_C_ASSIGN || a->kid[0]->kind != RG_C_INDEX) break;
        m->head = k + 1;
    }
}

/* May the statements in front of all iterations run first, in any order? */
static bool apart(struct marks *m)
{
    const struct rg_ctree *t = m->t;
    for (int v = 0; v < t->n_vars; v++) {
        const struct rg_cvar *x = &t->vars[v];
        if (is_sum(m, v)) {
            bool stores = false;
            if (x->kind != RG_CVAR_LOCAL || x->type == RG_STRUCT || x->type == RG_BOOL) return false;
            for (int k = m->head; k < m->front; k++)
                if (!only_counts(m, m->body->kid[k], v, &stores)) return false;
            if (stores && (m->counter >= 0 || !rg__scalar_is_int(x->type))) return false;
            for (int k = m->head; k < m->front && stores; k++) {
                const struct rg_cnode *s = m->body->kid[k];
                if (appends(m, s, v) || !grows_past(m, s, v)) return false; /* in a block below */
            }
            if (stores && behind(m, rg__c_writes_var, v)) return false;
            if (stores) m->counter = v;
        } else if (in_front(m, rg__c_mentions_var, v) && behind(m, rg__c_writes_var, v) && !in_front(m, declares, v) &&
                   !behind(m, rg__c_declares, v)) {
            return false;
        } else if (in_front(m, declares, v) && behind(m, rg__c_mentions_var, v) && x->type == RG_STRUCT) {
            return false;
        }
    }
    for (int a = 0; a < t->n_arrays; a++) {
        const bool writes = in_front(m, rg__writes_array, a), reads = in_front(m, rg__c_mentions_array, a);
        if (in_front(m, rg__c_declares_array, a)) return false;
        if (a != m->array && writes && !is_list(m, a)) return false;
        for (int o = 0; o < t->n_arrays && writes && a != m->array; o++) /* lists are stored last */
            if (o != a && one_memory(t, a, o) &&
                (in_front(m, rg__c_mentions_array, o) || behind(m, rg__c_mentions_array, o)))
                return false;
        for (int o = 0; o < t->n_arrays && reads && a != m->array; o++)
            if (behind(m, rg__writes_array, o) && (o == a || one_memory(t, a, o))) return false;
    }
    for (int k = 0; k < m->body->n; k++)
        if (!calls_pure(t, m->body->kid[k]) || rg__leaves_early(m->body->kid[k])) return false;
    return true;
}

/* As many parts as memory has room for; false: they are too few. */
static bool has_room(struct marks *m)
{
    const struct rg_carray *x = &m->t->arrays[m->array];
    m->parts = MOST_PARTS;
    for (int i = 0; i < m->p->n_sizes; i++) {
        struct rg_problem_env env;
        int64_t n;
        rg_problem_env_init(&env, m->p, &m->p->sizes[i]);
        if (!x->dims[0] || rg_expr_eval(x->dims[0], &env.env, &n, NULL) != RG_OK) continue;
        while (m->parts >= LEAST_PARTS && n > most_bytes / m->parts / (int64_t)rg_scalar_bytes(x->elem)) m->parts /= 2;
    }
    return m->parts >= LEAST_PARTS;
}

static bool takes(struct marks *m)
{
    const struct rg_cnode *l = m->loop;
    const struct rg_carray *x = &m->t->arrays[m->array];
    int64_t lo;
    if (l->n != 3 || l->step != 1 || !rg__c_number(l->kid[0], &lo) || lo || !rg__c_of_params(m->t, l->kid[1]))
        return false;
    if (x->param >= 0 || x->constant_table || x->view || x->n_dims != 1 || !rg__scalar_is_int(x->elem) ||
        rg_scalar_bytes(x->elem) < 4 || rg_scalar_bytes(x->elem) < rg_scalar_bytes(m->t->vars[l->var].type))
        return false;
    m->stamps = false;
    m->ahead = 0;
    if (!rg__writes_array(m->body, m->array) || !only_stamps(m, m->body) || !m->stamps || !finds_fills(m)) return false;
    if (!(m->extent = rg__c_to_expr(m->t, rg__c_strip_int_casts(rg__c_copy(m->t, l->kid[1])), &m->t->arena)))
        return false;
    for (int k = 0; k < m->body->n; k++)
        if (rg__c_mentions_array(m->body->kid[k], m->array)) m->front = k + 1;
    m->counter = -1;
    finds_head(m);
    return !rg__c_writes_var(m->body, l->var) && apart(m) && has_room(m);
}

/* ---- the rewriting ---- */

static struct rg_cnode *set(struct rg_ctree *t, enum rg_c_op op, struct rg_cnode *to, struct rg_cnode *value,
                            const struct rg_cnode *at)
{
    return rg__c_stands(rg__c_stmt(t, rg__c_assign(t, op, to, value)), at);
}

static struct rg_cnode *replaced(struct rg_ctree *t, struct rg_cnode *s, int var, int by)
{
    return rg__c_replace_var(t, s, var, rg__c_var(t, by));
}

static struct rg_cnode *loop_of(struct rg_ctree *t, int var, struct rg_cnode *lo, struct rg_cnode *hi, int64_t step,
                                struct rg__kids *body, const struct rg_cnode *at)
{
    struct rg_cnode *l = rg__c_stands(rg_cnode_new(t, RG_C_LOOP, 3), at);
    l->var = var;
    l->type = t->vars[var].type;
    l->step = step;
    l->kid[0] = lo;
    l->kid[1] = hi;
    l->kid[2] = rg__c_stands(rg__kids_node(t, RG_C_BLOCK, body), at);
    return l;
}

/* Where iterations begin in the lists, by part and by the iteration's number in that: what the dependence analysis goes
 * by holds for an element that all loops around the iteration name. */
static int begins(const struct marks *m, const char *name, enum rg_scalar type, struct rg__kids *arrays)
{
    struct rg_ctree *t = m->t;
    const int array = rg__runs_scratch(t, name, type, m->extent, m->loop->line, arrays);
    const struct rg_expr **dims = rg_arena_alloc(&t->arena, 2 * sizeof *dims);
    struct rg_cnode *all = rg__c_strip_int_casts(rg__c_copy(t, m->loop->kid[1]));
    all = rg__c_binary(t, RG_COP_ADD, all, rg__c_int(t, m->parts - 1));
    dims[0] = rg__c_to_expr(t, rg__c_int(t, m->parts), &t->arena);
    dims[1] = rg__c_to_expr(t, rg__c_binary(t, RG_COP_DIV, all, rg__c_int(t, m->parts)), &t->arena);
    t->arrays[array].n_dims = 2;
    t->arrays[array].dims = dims;
    t->arrays[array].begins = true;
    return array;
}

/* In front: a scalar that the rest asks for is kept in an array, what is added to one from outside is a sum of the
 * iteration's own. `begin`, `end`: what goes around the statements in front; `rest`: what goes in front of the rest. */
static void keep(struct marks *m, int again, struct rg__kids *arrays, struct rg__kids *begin, struct rg__kids *end,
                 struct rg__kids *rest)
{
    struct rg_ctree *t = m->t;
    const struct rg_cnode *l = m->loop;
    for (int v = 0, n = t->n_vars; v < n; v++) {
        const enum rg_scalar type = t->vars[v].type;
        const bool sum = is_sum(m, v);
        if (v == l->var || (!sum && !(in_front(m, declares, v) && behind(m, rg__c_mentions_var, v)))) continue;
        const char *name = t->vars[v].name;
        const int kept =
            rg__runs_scratch(t, rg_arena_printf(&t->arena, "%s_of", name), type, m->extent, l->line, arrays);
        const int own = rg__c_add_var(t, sum ? rg_arena_printf(&t->arena, "%s_part", name) : name, RG_CVAR_LOCAL, type);
        struct rg_cnode *value = rg__runs_element(t, kept, rg__c_var(t, again));
        for (int k = 0; k < m->body->n; k++)
            if (sum == (k >= m->head && k < m->front)) m->body->kid[k] = replaced(t, m->body->kid[k], v, own);
        if (sum) rg__kids_add(begin, rg__c_declaration(t, own, rg__c_cast(t, rg__c_int(t, 0), type), l));
        if (v == m->counter) {
            m->own = own;
            m->begins = begins(m, rg_arena_printf(&t->arena, "%s_first", name), type, arrays);
            struct rg_cnode *parts = rg__c_int(t, m->parts), *number = rg__c_var(t, again);
            struct rg_cnode *at[] = {rg__c_binary(t, RG_COP_REM, number, parts),
                                     rg__c_binary(t, RG_COP_DIV, rg__c_copy(t, number), rg__c_copy(t, parts))};
            rg__kids_add(rest, set(t, RG_COP_SET, rg__c_index(t, m->begins, 2, at), rg__c_var(t, v), l));
        }
        rg__kids_add(
            end, set(t, RG_COP_SET, rg__runs_element(t, kept, rg__c_var(t, l->var)), rg__c_var(t, sum ? own : v), l));
        rg__kids_add(rest,
                     sum ? set(t, RG_COP_ADD_SET, rg__c_var(t, v), value, l) : rg__c_declaration(t, own, value, l));
    }
}

static void drop_appends(const struct marks *m, struct rg_cnode *n)
{
    struct rg__kids none = {0};
    if (!n || rg__c_is_expr(n)) return;
    for (int i = 0; i < n->n; i++) {
        if (n->kind == RG_C_BLOCK && appends(m, n->kid[i], m->own))
            rg__block_splice(m->t, n, i--, 1, &none);
        else
            drop_appends(m, n->kid[i]);
    }
}

/* for (part..) { marks of its own;  for (i = part; i < n; i += PARTS) body } */
static struct rg_cnode *in_parts(struct marks *m, int part, struct rg__kids *body)
{
    struct rg_ctree *t = m->t;
    const struct rg_cnode *l = m->loop, *hi = l->kid[1];
    struct rg__kids own = {0};
    for (int k = 0; k < m->at; k++) {
        const struct rg_cnode *s = m->block->kid[k];
        if (rg__c_mentions_array(s, m->array) || (s->kind == RG_C_DECL && s->array == m->array))
            rg__kids_add(&own, rg__c_copy(t, s));
    }
    rg__kids_add(&own, loop_of(t, l->var, rg__c_var(t, part), rg__c_copy(t, hi), m->parts, body, l));
    struct rg_cnode *parts = rg__c_cast(t, rg__c_int(t, m->parts), hi->type),
                    *few = rg__c_binary(t, RG_COP_LT, rg__c_copy(t, hi), rg__c_copy(t, parts)),
                    *many = rg__c_choice(t, few, rg__c_copy(t, hi), parts),
                    *made = loop_of(t, part, rg__c_int(t, 0), many, 1, &own, l);
    rg__moves_fresh(t, made, made);
    rg__moves_fresh_arrays(t, made, made);
    return made;
}

static void rewrite(struct marks *m)
{
    struct rg_ctree *t = m->t;
    struct rg_cnode *l = m->loop, *b = m->body, *hi = l->kid[1];
    const int again = rg__c_add_var(t, t->vars[l->var].name, RG_CVAR_ITER, t->vars[l->var].type),
              part = rg__c_add_var(t, "part", RG_CVAR_ITER, t->vars[l->var].type);
    struct rg_cnode *at[] = {rg__c_var(t, part),
                             rg__c_binary(t, RG_COP_DIV, rg__c_var(t, l->var), rg__c_int(t, m->parts))};
    struct rg__kids all = {0}, begin = {0}, end = {0}, kept = {0}, rest = {0}, none = {0}, count = {0}, store = {0};
    keep(m, again, &all, &begin, &end, &kept);
    for (int k = 0; k < m->head; k++) rg__kids_add(&rest, replaced(t, b->kid[k], l->var, again));
    for (int k = 0; k < kept.n; k++) rg__kids_add(&rest, kept.items[k]);
    for (int k = m->front; k < b->n; k++) rg__kids_add(&rest, replaced(t, b->kid[k], l->var, again));
    for (int k = 0; k < begin.n; k++) {
        struct rg_cnode *d = rg__c_copy(t, begin.items[k]);
        if (d->var == m->own && m->counter >= 0) d->kid[0] = rg__c_index(t, m->begins, 2, at);
        rg__kids_add(&count, begin.items[k]);
        rg__kids_add(&store, d);
    }
    for (int k = m->head; k < m->front; k++) {
        rg__kids_add(&count, b->kid[k]);
        rg__kids_add(&store, rg__c_copy(t, b->kid[k]));
        if (m->counter >= 0) drop_appends(m, b->kid[k]);
    }
    for (int k = 0; k < end.n; k++) rg__kids_add(&count, end.items[k]);
    rg__kids_add(&all, in_parts(m, part, &count));
    if (rest.n) rg__kids_add(&all, loop_of(t, again, rg__c_int(t, 0), rg__c_copy(t, hi), 1, &rest, l));
    if (m->counter >= 0)
        rg__kids_add(&all, in_parts(m, part, &store));
    else
        free(store.items);
    free(begin.items);
    free(end.items);
    free(kept.items);
    rg__block_splice(t, m->block, m->at, 1, &all);
    for (int k = m->at - 1; k >= 0; k--)
        if (rg__c_mentions_array(m->block->kid[k], m->array) ||
            (m->block->kid[k]->kind == RG_C_DECL && m->block->kid[k]->array == m->array))
            rg__block_splice(t, m->block, k, 1, &none);
}

static void walk(struct rg_ctree *t, const struct rg_problem *p, struct rg_cnode *n)
{
    if (!n || rg__c_is_expr(n) || n->kind == RG_C_OPAQUE) return;
    for (int i = 0; i < n->n; i++) {
        struct rg_cnode *l = n->kid[i];
        if (!l) continue;
        bool taken = false;
        for (int a = 0; n->kind == RG_C_BLOCK && l->kind == RG_C_LOOP && a < t->n_arrays && !taken; a++) {
            struct marks m = {.t = t, .p = p, .block = n, .at = i, .loop = l, .body = l->kid[2], .array = a};
            if (!rg__c_mentions_array(l, a) || !takes(&m)) continue;
            rewrite(&m);
            taken = true;
        }
        if (!taken) walk(t, p, l);
    }
}

void rg__canon_stamped_marks(struct rg_ctree *t, const struct rg_problem *p)
{
    if (!p->may_alias) walk(t, p, t->root);
}
