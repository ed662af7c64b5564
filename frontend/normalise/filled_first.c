/* The proof that an iteration writes every element of an array that it reads before it reads it: what is certainly
 * written so far, as regions over polynomials, goes along with the code. Code without a shape (while, switch) adds
 * nothing to it; behind a fill of the whole array it may read what it likes. */
#include "frontend/normalise/filled_first_parts.h"
#include <stdlib.h>
#include <string.h>

/* The element that e means, or a plain member of which; NULL: it is something else. */
static const struct rg_cnode *element(const struct rg__filled_check *c, const struct rg_cnode *e, const char **member)
{
    const struct rg_cnode *x = e && e->kind == RG_C_MEMBER && e->n == 1 ? e->kid[0] : e;
    *member = x != e ? e->text : NULL;
    bool is = x && x->kind == RG_C_INDEX && x->array == c->array && x->n == c->n_dims && !x->pointer && !e->pointer;
    for (int i = 0; is && *member && i < c->of->n_fields; i++)
        if (!strcmp(c->of->fields[i].path, *member)) return c->of->fields[i].count == 1 ? x : NULL;
    return is && !*member ? x : NULL;
}

/* Does its first part say whether the others are looked at? */
static bool decides(const struct rg_cnode *e)
{
    return e->kind == RG_C_COND || rg_c_lazy(e->op);
}

/* Every read below e, of which `except` (the target of `=`) is none. */
static void reads(struct rg__filled_check *c, const struct rg__filled *f, const struct rg_cnode *e,
                  const struct rg_cnode *except)
{
    if (!e || c->failed || c->writing) return;
    const char *member;
    const struct rg_cnode *at = element(c, e, &member);
    if (at) {
        c->failed |= e != except && !rg__filled_covered(c, f, at, member) && !rg__filled_listed(c, at);
        for (int i = 0; i < at->n; i++) reads(c, f, at->kid[i], NULL);
        return;
    }
    for (int i = 0; i < e->n; i++) {
        int facts = c->r->n_facts;
        const bool otherwise = e->op == RG_COP_OR || (e->kind == RG_C_COND && i == 2);
        if (i && decides(e)) rg__filled_assume(c, e->kid[0], !otherwise, e);
        reads(c, f, e->kid[i], except);
        c->r->n_facts = facts;
    }
    if ((e->kind == RG_C_VAR || e->kind == RG_C_INDEX) && e->array == c->array)
        c->failed |= e->kind != RG_C_INDEX || e->pointer || e->n != c->n_dims || !rg__filled_covered(c, f, e, NULL);
    if (e->kind == RG_C_VERBATIM) c->failed = true;
}

/* ---- code ---- */

static void statement(struct rg__filled_check *c, struct rg__filled *f, const struct rg_cnode *s);

/* Behind code that may not have run: what was listed in front of it, unless it has changed that. */
static void still_listed(struct rg__filled_check *c, const struct rg__listed *was)
{
    c->listed.set = c->listed.set && was->set && c->listed.list == was->list && c->listed.count == was->count;
}

/* Bounds that data decide (len[b]) say something of the loop's variable, too. */
static void iteration(struct rg__filled_check *c, struct rg__filled *inside, const struct rg_cnode *s)
{
    struct rg__range *r = c->r;
    struct rg__filled_known *before = rg__filled_known_now(c);
    struct rg__poly low = rg__poly_of(r, s->kid[0]), end = rg__poly_of(r, s->kid[1]), at = rg__poly_var(s->var),
                    one = rg__poly_int(1);
    if (s->step > 0 && !low.bad && !end.bad && !rg__filled_changed(c, &low, s->kid[2]) &&
        !rg__filled_changed(c, &end, s->kid[2]) && !rg__filled_changed(c, &at, s->kid[2]) &&
        r->n_facts + 2 < RG__MAX_FACTS) {
        end = rg__poly_add(&end, &one, -1);
        r->facts[r->n_facts++] = rg__poly_add(&at, &low, -1);
        r->facts[r->n_facts++] = rg__poly_add(&end, &at, -1);
    }
    for (int i = 0; i < c->n_begun; i++)
        if (c->begun[i] == s) rg__range_assume(r, c->begun_by[i], true);
    r->loops[r->n_loops++] = s;
    const struct rg__listed listed = c->listed;
    statement(c, inside, s->kid[2]);
    still_listed(c, &listed);
    r->n_loops--;
    rg__filled_known_again(c, before);
    free(before);
}

/* One round of a loop of any kind, from what holds in front of it to what holds behind. */
static void one_round(struct rg__filled_check *c, struct rg__filled *f, const struct rg_cnode *s)
{
    if (s->kind == RG_C_LOOP) {
        iteration(c, f, s);
        return;
    }
    const bool counts = s->kind == RG_C_FOR;
    const struct rg_cnode *condition = s->kid[counts], *body = s->kid[counts ? 3 : 1];
    struct rg__filled_known *before = rg__filled_known_now(c);
    if (condition) rg__filled_forget(c, f, condition); /* what it steps on its way */
    if (condition) rg__filled_assume(c, condition, true, body);
    const struct rg__listed listed = c->listed;
    statement(c, f, body);
    still_listed(c, &listed);
    struct rg__poly by;
    const int counter = counts && s->kid[2] ? rg__filled_stepped(c, s->kid[2], &by) : -1;
    if (counter >= 0)
        rg__filled_shift_all(c, f, counter, &by);
    else if (counts && s->kid[2])
        rg__filled_forget(c, f, s->kid[2]);
    rg__filled_known_again(c, before);
    free(before);
}

/* Regions whose ends the loop moves, and that hold behind every iteration if they did in front of it. */
static struct rg__filled *invariant(struct rg__filled_check *c, const struct rg__filled *f, const struct rg_cnode *s)
{
    struct rg__filled *still = rg_xmalloc(sizeof *still), *all = rg_xmalloc(sizeof *all), *x = rg_xmalloc(sizeof *x);
    const bool writing = c->writing;
    struct rg__filled_known *before = rg__filled_known_now(c);
    *still = *all = *f;
    rg__filled_forget(c, still, s);
    x->n = 0;
    for (int i = 0; i < all->n; i++) {
        bool stays = false;
        for (int k = 0; k < still->n && !stays; k++)
            stays = rg__filled_same_region(c, &all->items[i], &still->items[k]);
        if (!stays && all->items[i].is_box) rg__filled_add(x, &all->items[i], 0);
    }
    c->writing = true;
    for (bool dropped = x->n > 0; dropped;) {
        dropped = false;
        *all = *still;
        for (int i = 0; i < x->n; i++) rg__filled_add(all, &x->items[i], 0);
        one_round(c, all, s);
        for (int i = 0; i < x->n; i++) {
            bool there = false;
            for (int k = 0; k < all->n && !there; k++) there = rg__filled_same_region(c, &x->items[i], &all->items[k]);
            if (there) continue;
            x->items[i--] = x->items[--x->n];
            dropped = x->n > 0;
        }
    }
    c->writing = writing;
    rg__filled_known_again(c, before);
    free(before);
    free(still);
    free(all);
    return x;
}

/* Of an array of one dimension: what is written up to a counter that the loop moves, whatever number that is now. */
static void up_to_counters(struct rg__filled_check *c, struct rg__filled *f, const struct rg_cnode *s)
{
    const int n = f->n;
    for (int v = 0; v < c->t->n_vars && c->n_dims == 1; v++) {
        if (!c->counts[v] || c->t->vars[v].kind != RG_CVAR_LOCAL || !rg__c_writes_var(s, v)) continue;
        struct rg__poly at = rg__poly_var(v), one = rg__poly_int(1), last = rg__poly_add(&at, &one, -1);
        for (int i = 0; i < n && i < f->n; i++) {
            const struct rg__region *x = &f->items[i];
            struct rg__poly more = rg__poly_add(&x->high[0], &last, -1);
            if (!x->is_box || x->member || rg__poly_mentions(&x->high[0], v) || !rg__prove(c->r, &more)) continue;
            struct rg__region up = {.is_box = true, .low = {x->low[0]}, .high = {last}};
            rg__filled_add(f, &up, 0);
        }
    }
}

static void loop(struct rg__filled_check *c, struct rg__filled *f, const struct rg_cnode *s)
{
    struct rg__range *r = c->r;
    rg__filled_drop_flags(c, s);
    reads(c, f, s->kid[0], NULL);
    reads(c, f, s->kid[1], NULL);
    if (s->n > 3) reads(c, f, s->kid[3], NULL);
    if (r->n_loops == RG__MAX_NEST) c->failed = true;
    if (c->failed) return;
    up_to_counters(c, f, s);
    const int n_begun = c->n_begun;
    if ((c->begun_by[n_begun] = rg__filled_begins(c, s))) c->begun[c->n_begun++] = s;
    bool through = !rg__filled_leaves(s->kid[2]);
    struct rg__filled *kept = through ? invariant(c, f, s) : NULL;
    rg__filled_forget(c, f, s);
    for (int i = 0; kept && i < kept->n; i++) rg__filled_add(f, &kept->items[i], 0);
    free(kept);
    bool each = s->step == 1 && s->n <= 3 && through; /* else it may end early, or leave gaps */
    struct rg__filled *start = rg_xmalloc(sizeof *start), *inside = rg_xmalloc(sizeof *inside);
    *start = *inside = *f;
    iteration(c, inside, s);
    if (c->failed && each) { /* it may read what the iterations in front of it wrote */
        c->failed = false;
        *inside = *start;
        bool writing = c->writing;
        c->writing = true;
        iteration(c, inside, s);
        c->writing = writing;
        rg__filled_forget(c, inside, s->kid[2]);
        for (int i = start->n; i < inside->n; i++) {
            struct rg__region x = inside->items[i];
            if (rg__filled_over_loop(c, s, true, &x)) rg__filled_add(start, &x, c->n_dims);
        }
        *inside = *start;
        iteration(c, inside, s);
    }
    rg__filled_forget(c, inside, s->kid[2]);
    for (int i = f->n; i < inside->n && each && !c->failed; i++)
        if (rg__filled_over_loop(c, s, false, &inside->items[i])) rg__filled_add(f, &inside->items[i], c->n_dims);
    c->n_begun = n_begun;
    free(start);
    free(inside);
}

static void branch(struct rg__filled_check *c, struct rg__filled *f, const struct rg_cnode *s)
{
    reads(c, f, s->kid[0], NULL);
    struct rg__filled *arm = rg_xmalloc(2 * sizeof *arm);
    arm[0] = arm[1] = *f;
    rg__filled_forget(c, f, s);
    struct rg__filled_known *before = rg__filled_known_now(c);
    const struct rg_cnode *condition = rg__filled_flag(c, s->kid[0]);
    rg__filled_drop_flags(c, s);
    for (int i = 1; i < s->n && !c->failed; i++) {
        const struct rg__listed listed = c->listed;
        rg__filled_assume(c, condition, i == 1, s);
        statement(c, &arm[i - 1], s->kid[i]);
        still_listed(c, &listed);
        rg__filled_known_again(c, before);
    }
    free(before);
    f->n = 0; /* what is written on either way is */
    for (int i = 0; !c->failed && i < arm[0].n; i++)
        for (int k = 0; k < arm[1].n; k++)
            if (rg__filled_same_region(c, &arm[0].items[i], &arm[1].items[k])) {
                f->items[f->n++] = arm[0].items[i];
                break;
            }
    free(arm);
}

/* A loop of which nobody knows how often it runs: what it writes may not be written. */
static void any_rounds(struct rg__filled_check *c, struct rg__filled *f, const struct rg_cnode *s)
{
    const bool counts = s->kind == RG_C_FOR;
    const struct rg_cnode *condition = s->kid[counts], *body = s->kid[counts ? 3 : 1];
    rg__filled_drop_flags(c, s);
    if (counts && s->kid[0]) {
        reads(c, f, s->kid[0], NULL);
        rg__filled_forget(c, f, s->kid[0]);
        rg__filled_note_value(c, f, s->kid[0]);
    }
    struct rg__filled *kept = rg__filled_leaves(body) ? NULL : invariant(c, f, s);
    rg__filled_forget(c, f, s);
    for (int i = 0; kept && i < kept->n; i++) rg__filled_add(f, &kept->items[i], 0);
    free(kept);
    if (condition) reads(c, f, condition, NULL);
    if (counts) reads(c, f, s->kid[2], NULL);
    struct rg__filled *inside = rg_xmalloc(sizeof *inside);
    *inside = *f;
    one_round(c, inside, s);
    free(inside);
}

static void statement(struct rg__filled_check *c, struct rg__filled *f, const struct rg_cnode *s)
{
    if (!s || c->failed) return;
    if (!rg__c_mentions_array(s, c->array)) {
        if (s->kind == RG_C_VERBATIM || rg__mentions_kind(s, RG_C_VERBATIM)) c->failed = true;
        struct rg__poly by;
        const int counter = rg__filled_stepped(c, s, &by);
        if (counter >= 0) {
            rg__filled_shift_all(c, f, counter, &by);
            return;
        }
        rg__filled_forget(c, f, s);
        rg__filled_note_value(c, f, s);
        return;
    }
    switch (s->kind) {
    case RG_C_BLOCK: {
        int facts = c->r->n_facts;
        for (int i = 0; i < s->n; i++) {
            if (s == c->body) c->at = i;
            statement(c, f, s->kid[i]);
            rg__filled_note_flag(c, s->kid[i]);
        }
        for (int i = 0; i < c->n_flags; i++)
            for (int k = 0; k < s->n; k++)
                if (c->flags[i] == s->kid[k]) {
                    c->flags[i--] = c->flags[--c->n_flags];
                    break;
                }
        c->r->n_facts = facts;
        return;
    }
    case RG_C_OPAQUE:
        statement(c, f, s->kid[0]);
        return;
    case RG_C_LOOP:
        loop(c, f, s);
        rg__filled_note_steps(c, s);
        rg__filled_note_listed(c, s);
        return;
    case RG_C_IF:
        branch(c, f, s);
        return;
    case RG_C_DECL:
        if (s->array == c->array) return;
        rg__filled_forget(c, f, s);
        reads(c, f, s, NULL);
        return;
    case RG_C_STMT: {
        const struct rg_cnode *a = s->kid[0], *target = a->op == RG_COP_SET ? a->kid[0] : NULL;
        const char *member;
        const struct rg_cnode *to = element(c, target, &member);
        rg__filled_forget(c, f, s);
        reads(c, f, a, to ? target : NULL);
        if (!to || c->failed) return;
        struct rg__region x = {.is_box = true, .is_piece = true, .member = member, .from = rg__poly_int(0)};
        for (int d = 0; d < c->n_dims; d++) {
            x.low[d] = x.high[d] = rg__poly_of(c->r, to->kid[d]);
            struct rg__poly at = rg__poly_mul(&x.low[d], &c->row[d]);
            x.from = rg__poly_add(&x.from, &at, 1);
        }
        x.to = x.from;
        if (!rg__filled_changed(c, &x.from, s)) rg__filled_add(f, &x, c->n_dims);
        return;
    }
    case RG_C_WHILE:
    case RG_C_FOR:
        any_rounds(c, f, s);
        return;
    default: /* in any order, any number of times */
        rg__filled_forget(c, f, s);
        reads(c, f, s, NULL);
    }
}

static bool is_number(const struct rg_cnode *e)
{
    int64_t whole;
    e = rg__c_uncast(e, RG__C_CASTS);
    return e->kind == RG_C_REAL || rg__c_number(e, &whole);
}

bool rg__only_fills(const struct rg_cnode *s, int array)
{
    if (s->kind == RG_C_BLOCK && s->n == 1) return rg__only_fills(s->kid[0], array);
    if (s->kind == RG_C_LOOP) return s->n <= 3 && rg__only_fills(s->kid[2], array);
    if (s->kind != RG_C_STMT) return false;
    const struct rg_cnode *a = s->kid[0];
    return a->kind == RG_C_ASSIGN && a->op == RG_COP_SET && a->kid[0]->kind == RG_C_INDEX &&
           a->kid[0]->array == array && is_number(a->kid[1]);
}

static void note_places(struct rg__filled_check *c, const struct rg_cnode *n, bool inside)
{
    if (!n) return;
    if (inside && n->kind == RG_C_VAR && n->array < 0) c->counts[n->var] = true;
    inside = inside || (n->kind == RG_C_INDEX && n->array == c->array);
    for (int i = 0; i < n->n; i++) note_places(c, n->kid[i], inside);
}

static bool fills(struct rg_ctree *t, const struct rg_problem *p, const struct rg__given *given, int array,
                  const struct rg_cnode *const *around, int n_around, const struct rg_cnode *body, bool in_turn,
                  bool *whole)
{
    const struct rg_carray *x = &t->arrays[array];
    struct rg__filled_check c = {.t = t, .array = array, .n_dims = x->n_dims, .r = rg_xmalloc(sizeof *c.r)};
    if (x->elem == RG_STRUCT) c.of = &p->structs[x->struct_index];
    struct rg__filled *f = rg_xcalloc(1, sizeof *f);
    struct rg__poly one = rg__poly_int(1), below = one;
    c.counts = rg_xcalloc((size_t)t->n_vars + 1, sizeof *c.counts);
    note_places(&c, body, false);
    rg__range_init(c.r, t, given);
    c.r->squares = true;
    for (int d = c.n_dims - 1; d >= 0; d--) {
        struct rg__poly extent = {.bad = true};
        if (x->dims[d]) extent = rg__poly_of(c.r, rg__c_from_expr(t, x->dims[d]));
        c.row[d] = below;
        below = rg__poly_mul(&below, &extent);
    }
    c.end = rg__poly_add(&below, &one, -1);
    for (int i = 0; i < n_around && i < RG__MAX_NEST; i++) c.r->loops[c.r->n_loops++] = around[i];
    c.body = body;
    c.last = -1;
    if (!in_turn) rg__filled_find_last(&c, around, c.r->n_loops);
    statement(&c, f, body);
    if (whole) *whole = !c.failed && rg__filled_whole(&c, f);
    free(c.counts);
    free(f);
    free(c.r);
    return !c.failed;
}

bool rg__fills_first(struct rg_ctree *t, const struct rg_problem *p, const struct rg__given *given, int array,
                     const struct rg_cnode *const *around, int n_around, const struct rg_cnode *body)
{
    return fills(t, p, given, array, around, n_around, body, false, NULL);
}

bool rg__fills_first_in_turn(struct rg_ctree *t, const struct rg_problem *p, const struct rg__given *given, int array,
                             const struct rg_cnode *const *around, int n_around, const struct rg_cnode *body)
{
    return fills(t, p, given, array, around, n_around, body, true, NULL);
}

bool rg__fills_all_first(struct rg_ctree *t, const struct rg_problem *p, const struct rg__given *given, int array,
                         const struct rg_cnode *const *around, int n_around, const struct rg_cnode *body)
{
    bool whole = false;
    return fills(t, p, given, array, around, n_around, body, true, &whole) && whole;
}
