/* Compaction in place by the places that a scan gave:
 *     for (i = 0; i < n; i++) if (keep) pos[i] = kept++; else pos[i] = -1;
 *     for (i = 0; i < n; i++) if (pos[i] >= 0 && pos[i] != i) a[pos[i]] = a[i];
 * Where an element has a place, that is how many have one in front of it: the second loop fills a list,
 *     k = 0; for (i = 0; i < n; i++) if (pos[i] >= 0) { a[k] = a[i]; k++; }
 * which in_place_lists.c makes one that reads a copy. The same with flags, 0 or 1, and their exclusive sums:
 *     for (i..n) { pos[i] = kept; kept += flag[i]; }    for (i..n) if (flag[i]) a[pos[i]] = a[i]; */
#include "frontend/normalise/canon.h"
#include "frontend/normalise/runs.h"
#include "frontend/normalise/update_rounds.h"
#include <stdlib.h>

struct places {
    struct rg_ctree *t;
    struct rg_cnode *block, *loop; /* the loop that moves elements */
    int at;
    int pos;                    /* array: the places */
    int place;                  /* a local of the iteration that holds pos[i]; -1 */
    struct rg_cnode *test;      /* which elements are moved, `pos[i] != i` apart */
    const struct rg_cnode *arm; /* its statements are all moves */
    bool apart;                 /* those that would stay where they are, are not moved */
};

static bool element(const struct rg_cnode *e, int array, int var)
{
    return e->kind == RG_C_INDEX && e->array == array && e->n == 1 && !e->pointer && rg__runs_is_var(e->kid[0], var);
}

/* pos[i], whichever way it is written. */
static bool is_place(const struct places *p, const struct rg_cnode *e)
{
    e = rg__runs_widened(e);
    return element(e, p->pos, p->loop->var) || (p->place >= 0 && rg__runs_is_var(e, p->place));
}

static bool from_zero(const struct rg_cnode *l)
{
    double low;
    return l->kind == RG_C_LOOP && l->n == 3 && l->step == 1 && l->kid[2]->kind == RG_C_BLOCK &&
           rg__round_number(l->kid[0], &low) && low == 0;
}

/* Nobody else has the memory: no view, no other name of the same parameter. */
static bool own_memory(const struct rg_ctree *t, int array)
{
    const struct rg_carray *x = &t->arrays[array];
    if (x->view || x->n_dims != 1) return false;
    for (int a = 0; a < t->n_arrays; a++)
        if (a != array && x->param >= 0 && t->arrays[a].param == x->param) return false;
    return true;
}

/* ---- the loop that moves ---- */

/* The parts of the test: `pos[i] != i` is noted, the rest is left. */
static struct rg_cnode *without_apart(struct places *p, struct rg_cnode *c)
{
    if (c->op == RG_COP_AND) {
        struct rg_cnode *a = without_apart(p, c->kid[0]), *b = without_apart(p, c->kid[1]);
        return a && b ? rg__c_binary(p->t, RG_COP_AND, a, b) : a ? a : b;
    }
    for (int side = 0; side < 2 && c->op == RG_COP_NE; side++)
        if (is_place(p, c->kid[side]) && rg__runs_is_var(c->kid[1 - side], p->loop->var)) return p->apart = true, NULL;
    return c;
}

/* a[pos[i]] = a[i]; or, where it is stored whether or not it stays, of another value. */
static const struct rg_cnode *moves(const struct places *p, const struct rg_cnode *s)
{
    const struct rg_cnode *e = s->kind == RG_C_STMT ? s->kid[0] : NULL;
    if (!e || e->kind != RG_C_ASSIGN || e->op != RG_COP_SET || e->kid[0]->kind != RG_C_INDEX || e->kid[0]->n != 1 ||
        e->kid[0]->pointer || e->kid[0]->array == p->pos || !is_place(p, e->kid[0]->kid[0]))
        return NULL;
    return element(e->kid[1], e->kid[0]->array, p->loop->var) ? e : NULL;
}

/* Which array holds the places: of the first store whose subscript is an element of another one, or a local that is. */
static bool find_places(struct places *p)
{
    const struct rg_cnode *body = p->loop->kid[2], *last = body->n ? body->kid[body->n - 1] : NULL, *first = NULL;
    int var;
    if (!last || last->kind != RG_C_IF || last->n > 2 || body->n > 2 || last->kid[1]->kind != RG_C_BLOCK) return false;
    p->place = -1;
    if (body->n == 2) {
        const struct rg_cnode *v = body->kid[0]->kind == RG_C_DECL ? rg__runs_assigned(body->kid[0], &var) : NULL;
        first = v ? rg__runs_widened(v) : NULL;
        if (!v || rg__c_writes_var(last, var) || first->kind != RG_C_INDEX || p->t->vars[var].type != first->type)
            return false;
        p->place = var;
    } else if (last->kid[1]->n && last->kid[1]->kid[0]->kind == RG_C_STMT) {
        const struct rg_cnode *e = last->kid[1]->kid[0]->kid[0];
        const struct rg_cnode *to = e->kind == RG_C_ASSIGN ? e->kid[0] : NULL;
        first = to && to->kind == RG_C_INDEX && to->n == 1 ? rg__runs_widened(to->kid[0]) : NULL;
    }
    if (!first || first->kind != RG_C_INDEX || !element(first, first->array, p->loop->var)) return false;
    p->pos = first->array;
    p->arm = last->kid[1];
    p->test = without_apart(p, last->kid[0]);
    if (!p->test || !rg__c_pure(p->t, p->test)) return false;
    for (int k = 0; k < p->arm->n; k++)
        if (!moves(p, p->arm->kid[k])) return false;
    for (int k = 0; k < p->arm->n; k++) /* the test leaves those out that change, and each is moved once */
        for (int other = 0; other < p->arm->n; other++) {
            const int array = p->arm->kid[k]->kid[0]->kid[0]->array;
            if (rg__c_mentions_array(p->test, array) || (other != k && !own_memory(p->t, array))) return false;
            if (other != k && p->arm->kid[other]->kid[0]->kid[0]->array == array) return false;
        }
    return p->arm->n > 0;
}

/* ---- the scan ---- */

/* pos[i] = value; : value. */
static const struct rg_cnode *set_element(const struct rg_cnode *s, int array, int var)
{
    const struct rg_cnode *e = s->kind == RG_C_STMT ? s->kid[0] : NULL;
    bool is = e && e->kind == RG_C_ASSIGN && e->op == RG_COP_SET && element(e->kid[0], array, var);
    return is ? e->kid[1] : NULL;
}

static int writers_of(struct rg_cnode *const *k, int n, int array)
{
    int count = 0;
    for (int i = 0; i < n; i++) count += rg__writes_array(k[i], array);
    return count;
}

/* The statement that counts stands in `b` beside the one that stores: pos[i] = kept; kept++; or kept++; pos[i] = kept
 * - 1; *kept: the counter, and what it is counted by; NULL: it is not so. */
static const struct rg_cnode *counted(const struct places *p, const struct rg_cnode *b, int i, int *kept)
{
    for (int k = 0; k < b->n; k++) {
        const struct rg_cnode *v = set_element(b->kid[k], p->pos, i);
        int64_t ahead = 0;
        if (!v) continue;
        const struct rg_cnode *c = rg__runs_widened(v);
        if (c->op == RG_COP_SUB) c = rg__runs_widened(c->kid[0]);
        if (c->kind != RG_C_VAR || c->array >= 0 || c->pointer || !rg__runs_offset(v, c->var, &ahead)) return NULL;
        *kept = c->var;
        for (int s = 0; s < b->n; s++) {
            const struct rg_cnode *e = b->kid[s]->kind == RG_C_STMT ? b->kid[s]->kid[0] : NULL;
            if (s == k || !rg__c_writes_var(b->kid[s], *kept)) continue;
            const bool in_time = s > k ? ahead == 0 : ahead == -1;
            if (!in_time || !e) return NULL;
            if (rg__runs_counts(e, *kept)) return e;
            return s > k && e->kind == RG_C_ASSIGN && e->op == RG_COP_ADD_SET && rg__runs_is_var(e->kid[0], *kept)
                       ? e
                       : NULL;
        }
        return NULL;
    }
    return NULL;
}

static bool is_number(const struct rg_cnode *e, double *v)
{
    return e && rg__round_number(e, v);
}

/* Elements that were kept have their place, others a number below 0; the test asks for that. */
static bool marks(const struct places *p, const struct rg_cnode *scan, int *kept)
{
    const struct rg_cnode *body = scan->kid[2], *x = NULL, *step;
    double none = 0, asked = 0;
    bool before = false;
    for (int k = 0; k < body->n; k++) {
        const struct rg_cnode *s = body->kid[k];
        if (!rg__writes_array(s, p->pos)) continue;
        if (x) return false;
        if (s->kind == RG_C_IF)
            x = s;
        else if (before || !is_number(set_element(s, p->pos, scan->var), &none))
            return false;
        else
            before = true;
    }
    if (!x || x->kid[1]->kind != RG_C_BLOCK || !rg__c_pure(p->t, x->kid[0])) return false;
    const struct rg_cnode *other = x->n > 2 ? x->kid[2] : NULL;
    const bool elsewhere = other && writers_of(&other->kid[0], other->n, p->pos);
    if (before == elsewhere) return false;
    if (!before && (other->n != 1 || !is_number(set_element(other->kid[0], p->pos, scan->var), &none))) return false;
    step = counted(p, x->kid[1], scan->var, kept);
    if (!step || !rg__runs_counts(step, *kept) || writers_of(x->kid[1]->kid, x->kid[1]->n, p->pos) != 1 ||
        rg__runs_writers(body->kid, body->n, *kept) != 1 ||
        rg__runs_writers(x->kid[1]->kid, x->kid[1]->n, *kept) != 1 || (other && rg__c_writes_var(other, *kept)))
        return false;
    const struct rg_cnode *c = p->test; /* pos[i] >= 0, > -1, != none */
    if (none >= 0 || !rg_scalar_is_signed(p->t->arrays[p->pos].elem) || c->kind != RG_C_BINARY || !rg_c_relation(c->op))
        return false;
    for (int side = 0; side < 2; side++) {
        const enum rg_c_op op = side ? rg_c_converse(c->op) : c->op;
        if (!is_place(p, c->kid[side]) || !rg__round_number(c->kid[1 - side], &asked)) continue;
        if ((op == RG_COP_GE && asked == 0) || (op == RG_COP_GT && asked == -1) || (op == RG_COP_NE && asked == none))
            return rg__scalar_is_int(c->kid[side]->type) && rg_scalar_is_signed(c->kid[side]->type);
    }
    return false;
}

/* Is it 0 or 1? */
static bool is_flag(const struct rg_cnode *e)
{
    double a, b;
    e = rg__runs_widened(e);
    if (e->kind == RG_C_BINARY && (rg_c_relation(e->op) || e->op == RG_COP_AND || e->op == RG_COP_OR)) return true;
    if (e->op == RG_COP_NOT || rg__round_number(e, &a)) return e->op == RG_COP_NOT || a == 0 || a == 1;
    if (e->kind != RG_C_COND || !rg__round_number(e->kid[1], &a) || !rg__round_number(e->kid[2], &b)) return false;
    return (a == 0 || a == 1) && (b == 0 || b == 1);
}

/* Do all stores in n to the array store 0 or 1, at the loop's own element? */
static bool stores_flags(const struct rg_cnode *n, int array, int var)
{
    if (!n) return true;
    if (rg__c_is_expr(n)) return !rg__writes_array(n, array);
    const struct rg_cnode *v = set_element(n, array, var);
    if (v) return is_flag(v) && !rg__writes_array(v, array);
    if (n->kind == RG_C_STMT || n->kind == RG_C_DECL) return !rg__writes_array(n, array);
    for (int k = 0; k < n->n; k++)
        if (!stores_flags(n->kid[k], array, var)) return false;
    return true;
}

/* The flags that the places are sums of: filled by loops in front, and asked for as they are. */
static bool sums(const struct places *p, const struct rg_cnode *scan, int at, int *kept)
{
    const struct rg_cnode *body = scan->kid[2], *step = counted(p, body, scan->var, kept);
    const struct rg_cnode *flag = step && step->kind == RG_C_ASSIGN ? rg__runs_widened(step->kid[1]) : NULL;
    const struct rg_cnode *test = rg__runs_widened(p->test);
    double zero;
    bool filled = false;
    if (!flag || flag->kind != RG_C_INDEX || !element(flag, flag->array, scan->var) || !own_memory(p->t, flag->array) ||
        writers_of(body->kid, body->n, p->pos) != 1 || rg__runs_writers(body->kid, body->n, *kept) != 1)
        return false;
    if (test->op == RG_COP_NE && rg__round_number(test->kid[1], &zero) && zero == 0)
        test = rg__runs_widened(test->kid[0]);
    if (!element(test, flag->array, p->loop->var) || p->t->arrays[flag->array].param >= 0) return false;
    for (int k = 0; k < p->at; k++) {
        const struct rg_cnode *s = p->block->kid[k];
        if (s->kind == RG_C_DECL || !rg__writes_array(s, flag->array)) continue;
        if (k >= at || !from_zero(s) || !stores_flags(s->kid[2], flag->array, s->var)) return false;
        filled = true;
    }
    return filled; /* all of it: an element that nobody stores to is not asked for */
}

/* The counter is 0 where the scan begins. */
static bool begins_at_zero(const struct places *p, int scan, int kept)
{
    const struct rg_cnode *v = rg__runs_begin(p->t, p->block, scan, kept);
    double zero;
    return v && rg__round_number(v, &zero) && zero == 0;
}

static bool scanned(const struct places *p)
{
    int at = -1, kept = -1;
    for (int k = 0; k < p->at; k++) /* the last loop that writes the places */
        if (p->block->kid[k]->kind != RG_C_DECL && rg__writes_array(p->block->kid[k], p->pos)) at = k;
    if (at < 0) return false;
    const struct rg_cnode *scan = p->block->kid[at];
    if (!from_zero(scan) || rg__leaves_early(scan->kid[2]) || rg__mentions_kind(scan->kid[2], RG_C_VERBATIM) ||
        !rg__c_equal(scan->kid[1], p->loop->kid[1]) || !rg__c_of_params(p->t, scan->kid[1]))
        return false;
    if (!marks(p, scan, &kept) && !sums(p, scan, at, &kept)) return false;
    return p->t->vars[kept].type == p->t->arrays[p->pos].elem && begins_at_zero(p, at, kept);
}

/* ---- lists instead ---- */

static void remake(struct places *p)
{
    struct rg_ctree *t = p->t;
    struct rg__kids with = {0};
    for (int k = 0; k < p->arm->n; k++) {
        const struct rg_cnode *move = p->arm->kid[k];
        const int count = rg__c_add_var(t, "k", RG_CVAR_LOCAL, t->arrays[p->pos].elem);
        struct rg_cnode *d = rg__c_stands(rg_cnode_new(t, RG_C_DECL, 1), p->loop), *l = rg__c_copy(t, p->loop),
                        *s = rg__c_copy(t, move), *x = rg_cnode_new(t, RG_C_IF, 2);
        struct rg_cnode *step = rg__c_assign(t, RG_COP_ADD_SET, rg__c_var(t, count), rg__c_int(t, 1));
        struct rg__kids arm = {0}, body = {0};
        d->var = count;
        d->type = t->vars[count].type;
        d->kid[0] = rg__c_cast(t, rg__c_int(t, 0), d->type);
        s->kid[0]->kid[0]->kid[0] = rg__c_var(t, count);
        rg__kids_add(&arm, s);
        rg__kids_add(&arm, rg__c_stands(rg__c_stmt(t, step), move));
        x->kid[0] = rg__c_copy(t, p->test);
        if (p->place >= 0) {
            struct rg_cnode *i = rg__c_var(t, p->loop->var);
            x->kid[0] = rg__c_replace_var(t, x->kid[0], p->place, rg__c_index(t, p->pos, 1, &i));
        }
        x->kid[1] = rg__kids_node(t, RG_C_BLOCK, &arm);
        rg__c_stands(x, move);
        rg__c_stands(x->kid[1], move);
        rg__kids_add(&body, x);
        l->kid[2] = rg__c_stands(rg__kids_node(t, RG_C_BLOCK, &body), p->loop);
        if (k) { /* a counter of its own */
            l->var = rg__c_add_var(t, t->vars[p->loop->var].name, RG_CVAR_ITER, t->vars[p->loop->var].type);
            l->kid[2] = rg__c_replace_var(t, l->kid[2], p->loop->var, rg__c_var(t, l->var));
        }
        rg__kids_add(&with, d);
        rg__kids_add(&with, l);
    }
    rg__block_splice(t, p->block, p->at, 1, &with);
}

void rg__scanned_places(struct rg_ctree *t, struct rg_cnode *n)
{
    if (!n || (n->kind != RG_C_BLOCK && n->kind != RG_C_IF)) return;
    for (int k = 0; k < n->n; k++) {
        struct places p = {.t = t, .block = n, .loop = n->kid[k], .at = k};
        if (n->kind == RG_C_BLOCK && from_zero(n->kid[k]) && find_places(&p) && own_memory(t, p.pos) && scanned(&p))
            remake(&p);
        else
            rg__scanned_places(t, n->kid[k]);
    }
}
