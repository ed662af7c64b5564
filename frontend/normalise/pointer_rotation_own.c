/* Buffers that move in a loop within a loop whose iterations fill them before they read them: an iteration may begin
 * with any of them under any of their names, so each gets buffers of its own, and begins with them in their first
 * order. for (s ..) { fill(prev); for (i ..) { fill(cur, prev); swap(prev, cur); } use(prev); } That they are filled
 * first is proven in the loop as it is written then: the names of like buffers could be exchanged in that proof. What
 * they hold behind the loop is another matter: nobody may ask. */
#include "frontend/normalise/filled_first.h"
#include "frontend/normalise/pointer_rotation.h"
#include <stdlib.h>
#include <string.h>

/* ---- the loop ---- */

static bool alike(const struct rg_ctree *t, int a, int b)
{
    const struct rg_carray *x = &t->arrays[a], *y = &t->arrays[b];
    if (x->elem != y->elem || x->struct_index != y->struct_index || x->n_dims != y->n_dims || !x->dims || !y->dims)
        return false;
    for (int d = 0; d < x->n_dims; d++) {
        bool unknown = d == 0 && !x->dims[d] && !y->dims[d]; /* each is as long as what is used of it */
        if (!unknown && (!x->dims[d] || !y->dims[d] || !rg_expr_equal(x->dims[d], y->dims[d]))) return false;
    }
    return true;
}

static void find_moved(const struct rg__moves *m, const struct rg_cnode *n, bool *moved)
{
    if (!n) return;
    int p = rg__moves_moved(n);
    if (p >= 0 && p < m->n_arrays) moved[p] = true;
    for (int i = 0; i < n->n; i++) find_moved(m, n->kid[i], moved);
}

/* Do the names still mean the same buffers, in another order, behind the statements? In `now`, each name means what
 * that name meant in front; -1 another thing. */
static bool permuted(const struct rg__moves *m, const struct rg_cnode *n, const bool *names, int *now);

static bool still_all(const struct rg__moves *m, const bool *names, const int *now)
{
    bool *seen = rg_xcalloc((size_t)m->n_arrays + 1, 1), all = true;
    for (int a = 0; a < m->n_arrays && all; a++) {
        if (!names[a]) continue;
        all = now[a] >= 0 && names[now[a]] && !seen[now[a]];
        if (all) seen[now[a]] = true;
    }
    free(seen);
    return all;
}

static void start_again(const struct rg__moves *m, const bool *names, int *now)
{
    for (int a = 0; a < m->n_arrays; a++) now[a] = names[a] ? a : -1;
}

/* Code that runs perhaps, or several times: by itself. */
static bool permutes(const struct rg__moves *m, const struct rg_cnode *n, const bool *names)
{
    int *now = rg_xcalloc((size_t)m->n_arrays + 1, sizeof *now);
    start_again(m, names, now);
    bool ok = permuted(m, n, names, now) && still_all(m, names, now);
    free(now);
    return ok;
}

static bool permuted(const struct rg__moves *m, const struct rg_cnode *n, const bool *names, int *now)
{
    if (!n || !rg__moves_any(n)) return true;
    int p = rg__moves_moved(n);
    if (p >= m->n_arrays) return false;
    if (p >= 0) {
        int q = rg__moves_pointer(rg__c_uncast(n->kid[0]->kid[1], RG__C_CASTS));
        now[p] = q >= 0 && q < m->n_arrays ? now[q] : -1;
        return !rg__moves_any(n->kid[0]->kid[1]);
    }
    if (n->kind == RG_C_BLOCK) {
        for (int i = 0; i < n->n; i++)
            if (!permuted(m, n->kid[i], names, now)) return false;
        return true;
    }
    if (n->kind != RG_C_LOOP && n->kind != RG_C_IF) return false;
    if (!still_all(m, names, now)) return false; /* between the statements of an exchange */
    for (int i = 0; i < n->n; i++) {
        const struct rg_cnode *k = n->kid[i];
        bool code = n->kind == RG_C_LOOP ? i == 2 : i > 0;
        if (k && (code ? !permutes(m, k, names) : rg__moves_any(k))) return false;
    }
    start_again(m, names, now);
    return true;
}

static const struct rg_cnode *declaration(const struct rg_cnode *n, int array)
{
    if (!n || rg__c_is_expr(n)) return NULL;
    if (n->kind == RG_C_DECL && n->array == array) return n;
    for (int i = 0; i < n->n; i++) {
        const struct rg_cnode *d = declaration(n->kid[i], array);
        if (d) return d;
    }
    return NULL;
}

/* The names that go from iteration to iteration, and local buffers, all alike, that they mean: names[a]; false: it is
 * something else. */
static bool find_names(const struct rg__moves *m, const struct rg__moves_state *s, const struct rg_cnode *l,
                       bool *names)
{
    const struct rg_ctree *t = m->t;
    bool *moved = rg_xcalloc((size_t)m->n_arrays + 1, 1), ok = true;
    int first = -1, n = 0;
    find_moved(m, l->kid[2], moved);
    for (int a = 0; a < m->n_arrays && ok; a++) {
        if (!moved[a] || !rg__moves_read_first(l->kid[2], a)) continue;
        const int b = s->stands_for[a];
        const struct rg_cnode *d = b >= 0 ? declaration(t->root, b) : NULL;
        ok = d && !d->n && t->arrays[b].param < 0 && !t->arrays[b].constant_table && !declaration(l, b) &&
             t->arrays[b].n_dims <= RG__FILLED_DIMS && alike(t, b, b) && (first < 0 || alike(t, first, b));
        for (int i = 0; i < l->n; i++) ok = ok && (i == 2 || !rg__c_mentions_array(l->kid[i], a));
        first = b;
        names[a] = true;
        n++;
    }
    for (int a = 0; a < m->n_arrays && ok; a++) /* nobody else may mean one of them */
        for (int b = 0; b < m->n_arrays && ok; b++)
            if (names[b] && a != b && s->stands_for[a] == s->stands_for[b])
                ok = !names[a] && (!rg__c_mentions_array(l, a) || (moved[a] && !rg__moves_read_first(l->kid[2], a)));
    free(moved);
    return ok && n && m->n_own + n <= RG__MOVES_BUFFERS && permutes(m, l->kid[2], names);
}

bool rg__moves_with_own(struct rg__moves *m, struct rg__moves_state *s, struct rg_cnode *l, struct rg__kids *out)
{
    struct rg_ctree *t = m->t;
    bool *names = rg_xcalloc((size_t)m->n_arrays + 1, 1);
    if (!find_names(m, s, l, names)) {
        free(names);
        return false;
    }
    struct rg__moves_state inside = rg__moves_copy(m, s);
    struct rg__kids body = {0};
    rg__moves_forget(m, &inside, l);
    for (int a = 0; a < m->n_arrays; a++) {
        if (!names[a]) continue;
        const int was = s->stands_for[a];
        const struct rg_carray of = t->arrays[was];
        const int own = rg__c_add_array(t, of.name, of.elem);
        const char *name = t->arrays[own].name;
        t->arrays[own] = of;
        t->arrays[own].name = name;
        struct rg_cnode *d = rg__c_copy(t, declaration(t->root, was));
        d->array = own;
        rg__kids_add(&body, d);
        m->own[m->n_own++] = (struct rg__moves_own){own, was};
        inside.stands_for[a] = own;
    }
    free(names);
    for (int i = 0; i < l->n; i++)
        if (i != 2 && l->kid[i]) l->kid[i] = rg__moves_substitute(m, s, l->kid[i]);
    const int free_depth = m->free_depth;
    m->free_depth = ++m->depth;
    struct rg_cnode *b = rg__moves_followed(m, &inside, l->kid[2]);
    m->depth--;
    m->free_depth = free_depth;
    m->any = true;
    for (int i = 0; i < b->n; i++) rg__kids_add(&body, b->kid[i]);
    l->kid[2] = rg__kids_node(t, RG_C_BLOCK, &body);
    rg__kids_add(out, l);
    rg__moves_forget(m, s, l);
    rg__moves_free(&inside);
    return true;
}

/* ---- the proof ---- */

struct way { /* to a loop */
    int n;
    const struct rg_cnode *loops[RG__MAX_NEST];
};

static bool find_home(const struct rg_cnode *n, int array, struct way *w)
{
    if (!n || rg__c_is_expr(n)) return false;
    if (n->kind == RG_C_LOOP && w->n == RG__MAX_NEST) return false;
    if (n->kind == RG_C_LOOP) {
        w->loops[w->n++] = n;
        const struct rg_cnode *b = n->kid[2];
        for (int i = 0; b->kind == RG_C_BLOCK && i < b->n && b->kid[i]->kind == RG_C_DECL; i++)
            if (b->kid[i]->array == array) return true;
    }
    for (int i = 0; i < n->n; i++)
        if (find_home(n->kid[i], array, w)) return true;
    if (n->kind == RG_C_LOOP) w->n--;
    return false;
}

/* Takes out the array's declaration, and what sets it to a constant, as nobody reads it any more. */
static void drop(struct rg_ctree *t, struct rg_cnode *n, int array)
{
    struct rg__kids none = {0};
    if (!n || rg__c_is_expr(n)) return;
    for (int i = 0; n->kind == RG_C_BLOCK && i < n->n; i++) {
        const struct rg_cnode *s = n->kid[i];
        if ((s->kind == RG_C_DECL && s->array == array) || rg__only_fills(s, array))
            rg__block_splice(t, n, i--, 1, &none);
    }
    for (int i = 0; i < n->n; i++) drop(t, n->kid[i], array);
}

bool rg__moves_own_proven(struct rg__moves *m, const struct rg_problem *p)
{
    struct rg_ctree *t = m->t;
    struct rg__given *given = rg__given_of(t, p);
    bool ok = true;
    for (int i = 0; i < m->n_own && ok; i++) {
        struct way w = {0};
        ok = find_home(t->root, m->own[i].array, &w) &&
             rg__fills_first_in_turn(t, p, given, m->own[i].array, w.loops, w.n, w.loops[w.n - 1]->kid[2]);
        if (!ok) break;
        drop(t, t->root, m->own[i].instead_of);
        ok = !rg__c_mentions_array(t->root, m->own[i].instead_of);
    }
    rg__given_free(given);
    return ok;
}
