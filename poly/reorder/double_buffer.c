/* for t { P: v from u; u = v }: when may u and v change places instead? Names stand for buffers, a copy makes two names
 * stand for one, and the name that P writes moves to the buffer that nobody stands for before P writes it. That gives
 * the same values if
 *  - all copies copy the same elements, each to its own place, in every iteration, and P writes no others;
 *  - an iteration writes the same elements whatever its number, and certainly, before it reads them there;
 *  - what lies outside is never written, and one of the arrays alone is read there: every buffer gets a copy of that
 * one first. Elements that are copied and not written are equal in all of the arrays once as many iterations have run
 * as there are copies: where there are such, those iterations run as they stand, and so do the last ones
 * (double_buffer_tree.c), which leave in every array what the C leaves there. */
#include "poly/reorder/double_buffer.h"
#include <stdlib.h>
#include <string.h>

static void gather(const struct rg_cnode *n, struct poly_turns *u, bool *ok)
{
    if (!n || !*ok) return;
    if (n->kind == RG_C_BLOCK) {
        for (int i = 0; i < n->n; i++) gather(n->kid[i], u, ok);
        return;
    }
    *ok = u->n_items < TURNS_ITEMS;
    if (*ok) u->item[u->n_items++] = n;
}

static const struct rg_cnode *bare(const struct rg_cnode *e)
{
    while (e->kind == RG_C_CAST && e->n == 1 && !e->pointer && e->type == e->kid[0]->type) e = e->kid[0];
    return e;
}

/* x[i] = y[i] as a statement: the accesses. */
static bool copies(const struct poly_scop *s, const struct rg_cnode *n, const struct poly_access **to,
                   const struct poly_access **from)
{
    int id = n->kind == RG_C_STMT ? rg__poly_stmt_of(s, n) : -1;
    if (id < 0 || s->stmts[id].n_accesses != 2 || !s->stmts[id].exact || n->kid[0]->op != RG_COP_SET ||
        bare(n->kid[0]->kid[0])->kind != RG_C_INDEX || bare(n->kid[0]->kid[1])->kind != RG_C_INDEX)
        return false;
    *to = *from = NULL;
    for (int i = 0; i < 2; i++) {
        const struct poly_access *a = &s->accesses[s->stmts[id].first_access + i];
        if (!a->affine || !a->certain || a->whole || a->member || a->read == a->write) return false;
        *(a->write ? to : from) = a;
    }
    if (!*to || !*from || (*to)->array == (*from)->array || (*to)->n_subs != (*from)->n_subs) return false;
    for (int d = 0; d < (*to)->n_subs; d++)
        if (!(*to)->sub[d].ok || !rg__poly_linear_equal(&(*to)->sub[d], &(*from)->sub[d])) return false;
    return true;
}

/* Nothing but copies, each of which goes on where the one before ended: x = y, y = z. */
static bool only_copies(struct poly_turns *u, const struct rg_cnode *n)
{
    const struct poly_access *to, *from;
    if (n->kind == RG_C_BLOCK || (n->kind == RG_C_LOOP && n->n == 3)) {
        for (int i = n->kind == RG_C_LOOP ? 2 : 0; i < n->n; i++)
            if (!only_copies(u, n->kid[i])) return false;
        return n->kind == RG_C_LOOP || n->n > 0;
    }
    if (!copies(u->s, n, &to, &from) || u->n == TURNS_ARRAYS || (u->n && u->array[u->n - 1] != to->array)) return false;
    for (int i = 0; i < u->n; i++)
        if (u->array[i] == from->array) return false;
    if (!u->n) u->array[u->n++] = to->array;
    u->copy[u->n - 1] = n;
    u->array[u->n++] = from->array;
    return true;
}

static bool alike(const struct poly_turns *u)
{
    const struct rg_carray *a = &u->s->tree->arrays[u->array[0]];
    for (int i = 0; i < u->n; i++) {
        const struct rg_carray *b = &u->s->tree->arrays[u->array[i]];
        if (b->elem != a->elem || b->elem == RG_STRUCT || b->n_dims != a->n_dims || b->constant_table || b->is_const)
            return false;
        for (int d = 0; d < a->n_dims; d++)
            if (!a->dims[d] || !b->dims[d] || !rg_expr_equal(a->dims[d], b->dims[d])) return false;
    }
    return true;
}

static int number_of(const struct poly_turns *u, int array)
{
    for (int i = 0; i < u->n; i++)
        if (u->array[i] == array) return i;
    return -1;
}

/* { iteration of the loop -> elements } of the access. */
static isl_map *elements(const struct poly_turns *u, const struct poly_access *a)
{
    isl_map *m = isl_map_project_out(isl_map_copy(a->map), isl_dim_in, 1, (unsigned)(u->s->stmts[a->stmt].depth - 1));
    return isl_map_reset_tuple_id(isl_map_reset_tuple_id(m, isl_dim_in), isl_dim_out);
}

/* Is it the same for each of those iterations? The elements; NULL: no. */
static isl_set *in_every(__isl_take isl_map *m, __isl_keep isl_set *iterations)
{
    isl_set *to = isl_map_range(isl_map_copy(m));
    isl_map *all = isl_map_from_domain_and_range(isl_set_copy(iterations), isl_set_copy(to));
    bool same = isl_map_is_equal(all, m) == isl_bool_true;
    isl_map_free(all);
    isl_map_free(m);
    if (same) return to;
    isl_set_free(to);
    return NULL;
}

/* Which item of the body it is in, counted from behind the copies; -1: a copy. */
static int item_of(const struct poly_turns *u, int stmt)
{
    const struct poly_stmt *st = &u->s->stmts[stmt];
    for (int i = 0; i < u->n_items; i++) {
        int l = rg__poly_loop_of(u->s, u->item[i]);
        bool in = u->item[i] == st->node || (l >= 0 && rg__poly_loop_inside(u->s, st->loop, l));
        if (!in) continue;
        int behind = i - u->first_copy - u->n_copy_items;
        return i >= u->first_copy && behind < 0 ? -1 : (behind + u->n_items) % u->n_items;
    }
    return -2; /* below a condition */
}

static bool same_point(const struct poly_scop *s, const struct poly_access *write, const struct poly_access *read)
{
    const struct poly_stmt *w = &s->stmts[write->stmt], *r = &s->stmts[read->stmt];
    bool same = write->certain && w->exact && w->id < r->id && w->depth <= r->depth && write->n_subs == read->n_subs;
    for (int d = 0; d < w->depth && same; d++) same = w->loops[d] == r->loops[d];
    for (int d = 0; d < write->n_subs && same; d++)
        same = write->sub[d].ok && read->sub[d].ok && rg__poly_linear_equal(&write->sub[d], &read->sub[d]);
    return same;
}

struct regions {
    isl_set *iterations, *copied, *written; /* by all items; elements */
    isl_set *by[TURNS_ITEMS];               /* what the item writes; NULL nothing */
};

static void regions_free(struct regions *r)
{
    isl_set_free(r->iterations);
    isl_set_free(r->copied);
    isl_set_free(r->written);
    for (int i = 0; i < TURNS_ITEMS; i++) isl_set_free(r->by[i]);
}

static bool copied_regions(struct poly_turns *u, struct regions *r)
{
    const struct poly_access *to, *from;
    for (int i = 0; i + 1 < u->n; i++) {
        if (!copies(u->s, u->copy[i], &to, &from)) return false;
        isl_map *m = elements(u, to);
        if (!r->iterations) r->iterations = isl_map_domain(isl_map_copy(m));
        isl_set *c = in_every(m, r->iterations);
        if (!c) return false;
        bool same = !r->copied || isl_set_is_equal(c, r->copied) == isl_bool_true;
        isl_set_free(r->copied);
        r->copied = c;
        if (!same) return false;
    }
    return true;
}

static bool written_regions(struct poly_turns *u, struct regions *r)
{
    const struct poly_scop *s = u->s;
    const struct poly_loop *l = &s->loops[u->loop];
    u->first_write = TURNS_ITEMS;
    for (int i = 0; i < s->n_accesses; i++) {
        const struct poly_access *a = &s->accesses[i];
        const struct poly_stmt *st = &s->stmts[a->stmt];
        int which = number_of(u, a->array), at;
        if (which < 0 || a->stmt < l->first_stmt || a->stmt >= l->first_stmt + l->n_stmts ||
            (at = item_of(u, a->stmt)) == -1)
            continue;
        if (at < 0 || a->whole || a->member || !a->affine || st->node->kind == RG_C_OPAQUE) return false;
        if (!a->write) continue;
        isl_set *w = which == u->n - 1 && a->certain && st->exact ? in_every(elements(u, a), r->iterations) : NULL;
        if (!w) return false;
        r->by[at] = r->by[at] ? isl_set_union(r->by[at], isl_set_copy(w)) : isl_set_copy(w);
        r->written = r->written ? isl_set_union(r->written, w) : w;
        if (at < u->first_write) u->first_write = at;
    }
    return r->written && isl_set_is_subset(r->written, r->copied) == isl_bool_true;
}

/* Of the computed array, in an item that writes it or comes behind one: was it written in this iteration wherever it is
 * in any? */
static bool filled(struct poly_turns *u, const struct regions *r, const struct poly_access *a, int at)
{
    const struct poly_scop *s = u->s;
    isl_set *left = isl_set_intersect(isl_map_range(elements(u, a)), isl_set_copy(r->written));
    for (int i = u->first_write; i < at; i++)
        if (r->by[i]) left = isl_set_subtract(left, isl_set_copy(r->by[i]));
    bool ok = isl_set_is_empty(left) == isl_bool_true;
    isl_set_free(left);
    for (int i = 0; i < s->n_accesses && !ok; i++) {
        const struct poly_access *w = &s->accesses[i];
        ok = w->array == a->array && w->write && item_of(u, w->stmt) == at && same_point(s, w, a);
    }
    return ok;
}

static bool reads_fit(struct poly_turns *u, const struct regions *r)
{
    const struct poly_scop *s = u->s;
    const struct poly_loop *l = &s->loops[u->loop];
    u->home = -1;
    u->equal = isl_set_is_equal(r->written, r->copied) == isl_bool_true;
    for (int i = 0; i < s->n_accesses; i++) {
        const struct poly_access *a = &s->accesses[i];
        int which = number_of(u, a->array), at;
        if (which < 0 || !a->read || a->stmt < l->first_stmt || a->stmt >= l->first_stmt + l->n_stmts ||
            (at = item_of(u, a->stmt)) == -1)
            continue;
        isl_set *outside = isl_set_subtract(isl_map_range(elements(u, a)), isl_set_copy(r->copied));
        bool none = isl_set_is_empty(outside) == isl_bool_true;
        isl_set_free(outside);
        if (!none && u->home >= 0 && u->home != which) return false;
        u->home = none ? u->home : which;
        u->equal = u->equal && (which < u->n - 1 || at >= u->first_write);
        if (which == u->n - 1 && at >= u->first_write && !filled(u, r, a, at)) return false;
    }
    return true;
}

/* The buffers that the names stand for, item by item, until all is as it was. */
static bool follow(struct poly_turns *u)
{
    int now[TURNS_ARRAYS], last = u->n - 1, behind = u->n_items - u->first_copy - u->n_copy_items;
    for (int i = 0; i < u->n; i++) now[i] = i;
    if (u->first_write >= behind) /* nobody has written it since it was copied */
        now[last] = now[last - 1];
    memcpy(u->start, now, sizeof now);
    for (u->period = 0; u->period < TURNS_PERIOD;) {
        for (int i = 0; i < u->n_items; i++) {
            int at = i - u->first_copy - u->n_copy_items, *place = u->place[u->period][i];
            at = (at + u->n_items) % u->n_items;
            if (i >= u->first_copy && i < u->first_copy + u->n_copy_items) {
                for (int c = 0; i == u->first_copy && c < last; c++) now[c] = now[c + 1];
            } else if (at == u->first_write) {
                bool used[TURNS_ARRAYS] = {false}, shared = false;
                for (int k = 0; k < last; k++) {
                    used[now[k]] = true;
                    shared = shared || now[k] == now[last];
                }
                for (int k = 0; k < u->n && shared; k++)
                    if (!used[k]) {
                        now[last] = k;
                        break;
                    }
            }
            memcpy(place, now, sizeof now);
        }
        u->period++;
        if (!memcmp(now, u->start, sizeof(int) * (size_t)u->n)) return u->period > 1;
    }
    return false;
}

static bool declares(const struct rg_cnode *n)
{
    if (!n) return false;
    if ((n->kind == RG_C_DECL && n->array >= 0) || n->kind == RG_C_VERBATIM || n->kind == RG_C_RETURN) return true;
    for (int i = 0; i < n->n; i++)
        if (declares(n->kid[i])) return true;
    return false;
}

bool rg__poly_turns_of(struct poly_scop *s, int loop, struct rg_arena *a, struct poly_turns *u)
{
    const struct poly_loop *l = &s->loops[loop];
    struct regions r = {0};
    bool ok = true;
    *u = (struct poly_turns){.s = s, .a = a, .loop = loop};
    if (l->parent >= 0 || l->step != 1 || l->node->n != 3 || l->node->made || s->problem->may_alias ||
        declares(l->node->kid[2]))
        return false;
    gather(l->node->kid[2], u, &ok);
    for (int i = 0; i < u->n_items && ok; i++) {
        struct poly_turns before = *u;
        if (only_copies(u, u->item[i])) {
            u->first_copy = u->n_copy_items ? u->first_copy : i;
            ok = u->first_copy + u->n_copy_items == i;
            u->n_copy_items++;
        } else {
            *u = before;
        }
    }
    if (!ok || u->n < 2 || u->n_copy_items == u->n_items || !alike(u)) return false;
    rg__poly_isl_begin(s);
    ok = copied_regions(u, &r) && written_regions(u, &r) && u->first_write < TURNS_ITEMS && reads_fit(u, &r) &&
         rg__poly_isl_ok(s);
    regions_free(&r);
    if (!ok || !follow(u)) return false;
    if (u->home < 0) u->home = u->start[u->n - 1] == u->n - 1 ? u->n - 1 : u->n - 2;
    return true;
}
