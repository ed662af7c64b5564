/* Loops of a few trips that choose between arrays by their counter, as the passes of a sort by digits do:
 *     for (shift = 0; shift < 16; shift += 8) { int *src = shift == 0 ? order : tmp, *dst = shift ? order : tmp; .. }
 * are written out, with the counter as a number and the arrays by their own names, so that placements by counters are
 * seen to be between plain arrays; those, too, that place elements by counters and exchange their arrays:
 *     for (shift ..) { ..; for (i ..) tmp[next[digit]++] = a[i]; t = a; a = tmp; tmp = t; }
 * Other loops stay: their pointers are followed later, and the loop with them (pointer_rotation.c). */
#include "frontend/normalise/counted_loops.h"
#include "frontend/normalise/pointer_rotation.h"
#include <stdlib.h>

enum { MOST_TRIPS = 16, MOST_NODES = 12000 };

struct written {
    struct rg__moves m;
    struct rg__moves_state nothing; /* is known */
    int *stands_for;                /* [array] for a pointer of the body; -1: it has no value yet */
    int *begins;                    /* [array] what it stands for in front of the loop; -1 */
    bool *pointer;                  /* [array] it is such a pointer */
    bool failed;
};

static int64_t nodes(const struct rg_cnode *n)
{
    int64_t all = n != NULL;
    for (int i = 0; n && i < n->n; i++) all += nodes(n->kid[i]);
    return all;
}

static bool counts(const struct rg_cnode *n)
{
    if (!n) return false;
    bool one = n->kind == RG_C_ASSIGN && (n->op == RG_COP_ADD_SET || n->op == RG_COP_SUB_SET) &&
               rg__c_uncast(n->kid[1], RG__C_INT_CASTS)->kind == RG_C_INT;
    if ((one || n->kind == RG_C_INCDEC) && n->kid[0]->kind == RG_C_INDEX) return true;
    for (int i = 0; i < n->n; i++)
        if (counts(n->kid[i])) return true;
    return false;
}

/* Does nothing leave the body or an iteration early? */
static bool goes_through(const struct rg_cnode *n)
{
    static const enum rg_c_kind leaves[] = {RG_C_BREAK, RG_C_CONTINUE, RG_C_RETURN,
                                            RG_C_LABEL, RG_C_GOTO,     RG_C_VERBATIM};
    for (size_t i = 0; i < sizeof leaves / sizeof *leaves; i++)
        if (rg__mentions_kind(n, leaves[i])) return false;
    return true;
}

static int64_t named(const struct rg_cnode *n, int array)
{
    int64_t all = n && n->array == array;
    for (int i = 0; n && i < n->n; i++) all += named(n->kid[i], array);
    return all;
}

static bool steps(const struct rg_cnode *n, int array)
{
    bool is = n && (n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC) && n->kid[0]->kind == RG_C_INDEX &&
              n->kid[0]->array == array && counts(n);
    for (int i = 0; n && i < n->n && !is; i++) is = steps(n->kid[i], array);
    return is;
}

/* Does what an element was before it is counted say a place: next[d]++ as a value, or an element that the body counts
 * in a subscript? */
static bool places(const struct rg_cnode *body, const struct rg_cnode *n, bool subscript)
{
    bool is = false;
    for (int i = 0; n && i < n->n && !is; i++) {
        const struct rg_cnode *k = n->kid[i];
        const bool inside = n->kind == RG_C_INDEX || (subscript && rg__c_is_expr(n));
        if (!k) continue;
        is = k->kind == RG_C_INCDEC && k->kid[0]->kind == RG_C_INDEX && n->kind != RG_C_STMT && rg__c_is_expr(k);
        is = is || (inside && k->kind == RG_C_INDEX && steps(body, k->array)) || places(body, k, inside);
    }
    return is;
}

/* Where below n the pointer is set: how often, and the last value. */
static int sets(const struct rg_cnode *n, int pointer, const struct rg_cnode **value)
{
    int all = 0;
    if (!n) return 0;
    if ((n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC) && rg__moves_pointer(n->kid[0]) == pointer) {
        *value = n->kind == RG_C_ASSIGN && n->op == RG_COP_SET ? n->kid[1] : NULL;
        all = 1;
    }
    for (int i = 0; i < n->n; i++) all += sets(n->kid[i], pointer, value);
    return all;
}

/* The array that a pointer of the body is in front of the loop, block->kid[at]: itself, where nothing else sets it, or
 * what the block has set it to; -1: nobody knows, or asks. */
static int beginning(const struct rg_ctree *t, const struct rg_cnode *block, int at, int pointer)
{
    const struct rg_cnode *value = NULL, *body = block->kid[at]->kid[3];
    const int outside = sets(t->root, pointer, &value) - sets(body, pointer, &value);
    if (!t->arrays[pointer].view) return outside ? -1 : pointer;
    int is = -1;
    for (int i = 0; i < at && outside == 1; i++)
        if (rg__moves_moved(block->kid[i]) == pointer) is = rg__moves_pointer(block->kid[i]->kid[0]->kid[1]);
    if (is < 0 || t->arrays[is].view) return -1;
    return sets(t->root, is, &value) == sets(body, is, &value) ? is : -1;
}

/* Pointers that the body sets: those that nothing outside of it names, and, where it places elements, those of which it
 * is known what they are in front of it. False: the counter chooses none of them, and none is exchanged. */
static bool pointers_of(const struct rg_ctree *t, const struct rg_cnode *block, int at, int counter, struct written *w)
{
    const struct rg_cnode *body = block->kid[at]->kid[3];
    const bool exchange = places(body, body, false);
    bool any = false;
    for (int i = 0; i < body->n; i++) {
        int p = rg__moves_moved(body->kid[i]);
        if (p < 0 || p >= w->m.n_arrays) continue;
        const bool own = t->arrays[p].view && named(t->root, p) == named(body, p);
        const int begins = own || !exchange ? -1 : beginning(t, block, at, p);
        if (!own && begins < 0) continue;
        const struct rg_cnode *value = body->kid[i]->kid[0]->kid[1];
        any |= begins >= 0 || (value->kind == RG_C_COND && rg__c_mentions_var(value->kid[0], counter));
        w->pointer[p] = true;
        w->begins[p] = begins;
    }
    return any;
}

/* Behind the loop: pointers that something outside of it names are set to what they are now; other arrays than views
 * are themselves again, or were parameters of the function that nobody asks for. False: there is none such. */
static bool behind(struct written *w, const struct rg_problem *problem, const struct rg_cnode *block, int at,
                   struct rg__kids *out)
{
    struct rg_ctree *t = w->m.t;
    const struct rg_cnode *body = block->kid[at]->kid[3];
    for (int a = 0; a < w->m.n_arrays; a++) {
        if (!w->pointer[a] || w->begins[a] < 0) continue;
        const int is = w->stands_for[a];
        if (is < 0) return false;
        if (!t->arrays[a].view) {
            const int param = t->arrays[a].param;
            const bool asked =
                param < 0 || problem->params[param].origin != RG_ORIGIN_ARG || named(t->root, a) != named(body, a);
            if (is != a && asked) return false;
            continue;
        }
        struct rg_cnode *set =
            rg__c_stmt(t, rg__c_assign(t, RG_COP_SET, rg__c_array_name(t, a), rg__c_array_name(t, is)));
        set->line = block->kid[at]->line;
        rg__kids_add(out, set);
    }
    return true;
}

/* The array that the pointer value is, in this iteration; -1. */
static int meant(const struct written *w, const struct rg_cnode *e)
{
    int64_t v;
    while (e->kind == RG_C_COND && e->n == 3) {
        if (!rg__moves_evaluate(&w->m, &w->nothing, e->kid[0], &v)) return -1;
        e = e->kid[v ? 1 : 2];
    }
    int a = rg__moves_pointer(e);
    return a >= 0 && a < w->m.n_arrays && w->pointer[a] ? w->stands_for[a] : a;
}

/* The pointer stands for that array from here on. */
static void stands(struct written *w, int pointer, const struct rg_cnode *value)
{
    const struct rg_carray *p = &w->m.t->arrays[pointer], *a;
    int to = meant(w, value);
    a = to >= 0 ? &w->m.t->arrays[to] : NULL;
    bool alike = a && a->elem == p->elem && a->struct_index == p->struct_index && a->n_dims == p->n_dims;
    w->failed |= !alike;
    w->stands_for[pointer] = to;
}

static void by_name(struct written *w, struct rg_cnode *n)
{
    if (!n) return;
    if (n->array >= 0 && n->array < w->m.n_arrays && w->pointer[n->array]) {
        int to = w->stands_for[n->array];
        w->failed |= to < 0 || (n->kind != RG_C_INDEX && n->kind != RG_C_VAR);
        n->array = to;
    }
    for (int i = 0; i < n->n; i++) by_name(w, n->kid[i]);
}

static void iteration(struct written *w, struct rg_cnode *b, struct rg__kids *out)
{
    for (int i = 0; i < b->n && !w->failed; i++) {
        struct rg_cnode *s = b->kid[i];
        int moved = rg__moves_moved(s);
        if (moved >= 0 && w->pointer[moved]) {
            stands(w, moved, s->kid[0]->kid[1]);
        } else {
            w->failed |= rg__moves_any(s);
            by_name(w, s);
            rg__kids_add(out, s);
        }
    }
}

/* False: it stays as it is. */
static bool write_out(struct rg_ctree *t, const struct rg_problem *problem, struct rg_cnode *block, int at)
{
    struct rg_cnode *f = block->kid[at], *body = f->kid[3];
    struct rg__counted h;
    int64_t lo, hi;
    struct written w = {.m = {.t = t, .n_arrays = t->n_arrays, .n_vars = t->n_vars, .mod_var = -1}};
    if (body->kind != RG_C_BLOCK || !f->kid[1] || !rg__counted(t, f, f->kid[1], &h) || !h.declared || h.down ||
        h.step <= 0 || !counts(body) || !goes_through(body) || rg__moves_gets_memory(t, body))
        return false;
    w.nothing = rg__moves_new(&w.m);
    w.m.hidden = rg_xcalloc((size_t)t->n_vars + 1, sizeof *w.m.hidden);
    w.pointer = rg_xcalloc((size_t)t->n_arrays + 1, sizeof *w.pointer);
    w.stands_for = rg_xcalloc((size_t)t->n_arrays + 1, sizeof *w.stands_for);
    w.begins = rg_xcalloc((size_t)t->n_arrays + 1, sizeof *w.begins);
    bool few = pointers_of(t, block, at, h.var, &w) && rg__moves_evaluate(&w.m, &w.nothing, h.lower, &lo) &&
               rg__moves_evaluate(&w.m, &w.nothing, h.upper, &hi) && lo >= 0 && hi > lo &&
               (hi - lo + h.step - 1) / h.step <= MOST_TRIPS &&
               (hi - lo + h.step - 1) / h.step * nodes(body) <= MOST_NODES;
    struct rg__kids all = {0};
    for (int a = 0; a < w.m.n_arrays; a++) w.stands_for[a] = w.pointer[a] ? w.begins[a] : -1;
    for (int64_t v = lo = few ? lo : 0; few && v < hi && !w.failed; v += h.step) {
        struct rg_cnode *number = rg__c_cast(t, rg__c_int(t, v), t->vars[h.var].type);
        struct rg_cnode *b = rg__c_replace_var(t, rg__c_copy(t, body), h.var, number);
        for (int a = 0; a < w.m.n_arrays; a++)
            if (!w.pointer[a] || w.begins[a] < 0) w.stands_for[a] = -1;
        struct rg__kids kept = {0};
        iteration(&w, b, &kept);
        b = rg__kids_node(t, RG_C_BLOCK, &kept);
        if (w.failed) break;
        rg__moves_fresh(t, b, b);
        rg__moves_fresh_arrays(t, b, b);
        for (int i = 0; i < b->n; i++) rg__kids_add(&all, b->kid[i]);
    }
    bool done = few && !w.failed && behind(&w, problem, block, at, &all);
    if (done)
        rg__block_splice(t, block, at, 1, &all);
    else
        free(all.items);
    rg__moves_free(&w.nothing);
    free(w.m.hidden);
    free(w.pointer);
    free(w.stands_for);
    free(w.begins);
    return done;
}

static void walk(struct rg_ctree *t, const struct rg_problem *p, struct rg_cnode *n)
{
    if (!n || rg__c_is_expr(n)) return;
    for (int i = 0; i < n->n; i++) {
        struct rg_cnode *k = n->kid[i];
        if (n->kind == RG_C_BLOCK && k && k->kind == RG_C_FOR && write_out(t, p, n, i))
            i--; /* what stands there now is looked at, too */
        else
            walk(t, p, k);
    }
}

void rg__canon_few_trips(struct rg_ctree *t, const struct rg_problem *p)
{
    walk(t, p, t->root);
}
