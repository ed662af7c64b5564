/* What cells hold where ways of the body part and meet: at branches, around loops, behind jumps and returns. */
#include "frontend/read/build_cell.h"
#include "frontend/read/build_shape.h"
#include <stdlib.h>
#include <string.h>

static struct rg__held held_here(const struct rg__cell *c)
{
    return (struct rg__held){c->value, c->set, c->maybe_null, c->lost, c->trips, c->only};
}

struct rg__now rg__now_save(struct rg__build *b)
{
    struct rg__follow *f = b->follow;
    struct rg__now s = {.n = f ? f->n_cells : 0, .dead = f && f->dead};
    s.of = rg_arena_alloc(&b->t->arena, (size_t)(s.n + 1) * sizeof *s.of);
    for (int i = 0; i < s.n; i++) {
        const struct rg__cell *c = &f->cells[i];
        s.of[i] = held_here(c);
    }
    for (int k = 0; k < RG__MAX_TRIPS; k++) s.possible[k] = f && k < f->n_trips ? f->possible[k] : UINT64_MAX;
    return s;
}

static void put(struct rg__cell *c, struct rg__held h)
{
    c->value = h.value;
    c->set = h.set;
    c->maybe_null = h.maybe_null;
    c->lost = h.lost;
    c->trips = h.trips;
    c->only = h.only;
}

/* What the i-th cell holds there; one that was not met yet, what it starts with. */
static struct rg__held held_at(const struct rg__build *b, const struct rg__now *s, int i)
{
    if (i < s->n) return s->of[i];
    return (struct rg__held){.set = b->follow->cells[i].starts_set};
}

void rg__now_restore(struct rg__build *b, const struct rg__now *s)
{
    for (int i = 0; b->follow && i < b->follow->n_cells; i++) put(&b->follow->cells[i], held_at(b, s, i));
    if (!b->follow) return;
    b->follow->dead = s->dead;
    memcpy(b->follow->possible, s->possible, sizeof s->possible);
}

/* The form in which both values are one. */
static enum rg__cell_form form_for(struct rg__build *b, struct rg_cnode *x, struct rg_cnode *y)
{
    struct rg_cnode *rows[8], *off;
    int ax, ay, nx, ny;
    if (rg__is_rows(x) && rg__is_rows(y) && x->n == y->n) {
        for (int i = 1; i < x->n; i++)
            if (!rg__c_equal(x->kid[i], y->kid[i])) return RG__BY_VALUE;
        return form_for(b, x->kid[0], y->kid[0]);
    }
    if (!rg__split_pointer(b, rg__c_copy(b->t, x), &ax, rows, &nx, &off) ||
        !rg__split_pointer(b, rg__c_copy(b->t, y), &ay, rows, &ny, &off))
        return RG__BY_VALUE;
    if (ax == ay && nx == ny) return RG__BY_OFFSET;
    return rg__cell_whole(x) && rg__cell_whole(y) ? RG__BY_VIEW : RG__BY_VALUE;
}

static struct rg__held met_values(struct rg__build *b, struct rg__cell *c, struct rg__held x, struct rg__held y,
                                  bool loop)
{
    struct rg__held h = {.set = x.set && y.set, .maybe_null = x.maybe_null || y.maybe_null, .lost = x.lost || y.lost};
    bool same = x.value && y.value && rg__c_equal(x.value, y.value);
    if (c->pointer && ((x.lost && !x.value) || (y.lost && !y.value))) {
        h.lost = true;
        return h;
    }
    if (!c->pointer) {
        h.value = same ? x.value : NULL;
        if (loop && !same && x.value && y.set) rg__cell_decide(b, c->key, RG__VARIES);
        return h;
    }
    if (c->form != RG__BY_VALUE) {
        h.value = x.value ? x.value : y.value;
        if (rg__cell_null_or_unset(x.value) != rg__cell_null_or_unset(y.value)) h.maybe_null = true;
        if (rg__cell_null_or_unset(h.value)) h.value = y.value;
        return h;
    }
    if (same || (!x.value && !y.value)) {
        h.value = x.value;
    } else if (rg__cell_null_or_unset(x.value) || rg__cell_null_or_unset(y.value)) {
        h.value = rg__cell_null_or_unset(x.value) ? y.value : x.value;
        h.maybe_null = h.value && !rg__is_null_pointer(h.value);
    } else {
        enum rg__cell_form form = form_for(b, x.value, y.value);
        if (form == RG__BY_VALUE)
            h.lost = true;
        else
            rg__cell_decide(b, c->key, form);
    }
    return h;
}

static struct rg__held met(struct rg__build *b, struct rg__cell *c, struct rg__held x, struct rg__held y, bool loop)
{
    struct rg__held h = met_values(b, c, x, y, loop);
    if (!h.value || (!x.trips && !y.trips)) return h;
    if (x.trips && y.trips && x.trips != y.trips) { /* nothing says when both hold */
        h.value = NULL;
        h.lost = c->pointer;
        return h;
    }
    h.trips = x.trips ? x.trips : y.trips;
    h.only = (x.trips ? x.only : UINT64_MAX) & (y.trips ? y.only : UINT64_MAX);
    return h;
}

void rg__now_meet(struct rg__build *b, const struct rg__now *other)
{
    struct rg__follow *f = b->follow;
    if (!f || other->dead) return;
    if (f->dead) {
        rg__now_restore(b, other);
        return;
    }
    for (int i = 0; i < f->n_cells; i++) {
        struct rg__cell *c = &f->cells[i];
        put(c, met(b, c, held_here(c), held_at(b, other, i), false));
    }
    for (int k = 0; k < RG__MAX_TRIPS; k++) f->possible[k] |= other->possible[k];
}

struct outside {
    int vars, arrays;
    bool inside;
};

static bool names_inside(void *arg, struct rg_cnode *n)
{
    struct outside *o = arg;
    o->inside |= (n->kind == RG_C_VAR && n->array < 0 && n->var >= o->vars) || n->array >= o->arrays;
    return true;
}

/* What was declared since is gone: a pointer into it leads nowhere. */
static void forget_inside(struct rg__build *b, int vars, int arrays)
{
    struct rg__follow *f = b->follow;
    for (int i = 0; i < f->n_cells; i++) {
        struct rg__cell *c = &f->cells[i];
        struct outside o = {vars, arrays, false};
        if (!c->pointer || !c->value || c->form != RG__BY_VALUE || c->var >= vars) continue;
        rg__c_walk(c->value, names_inside, &o);
        if (!o.inside) continue;
        c->value = NULL;
        c->lost = true;
    }
}

void rg__now_forget(struct rg__build *b)
{
    for (int i = 0; b->follow && i < b->follow->n_cells; i++)
        if (b->follow->cells[i].form == RG__VARIES) b->follow->cells[i].value = NULL;
}

void rg__span_enter(struct rg__build *b, bool loop, struct rg__span *s)
{
    if (loop) rg__now_forget(b);
    *s = (struct rg__span){.now = rg__now_save(b), .vars = b->t->n_vars, .arrays = b->t->n_arrays, .loop = loop};
    if (!b->follow) return;
    s->reads = b->follow->reads;
    if (!loop) return;
    for (int i = 0; i < b->follow->n_cells; i++) { /* what was so in front of the loop need not be in it */
        struct rg__cell *c = &b->follow->cells[i];
        if (c->null_var >= 0 && !rg__cell_null_or_unset(c->value)) c->maybe_null = true;
    }
    s->outer = b->follow->decls;
    s->around = b->follow->span;
    b->follow->decls = NULL;
    b->follow->span = s;
    b->follow->loops++;
}

/* One more way through a loop's body: what was assumed of its begin must hold of its end. */
static void go_round(struct rg__build *b, const struct rg__span *s)
{
    struct rg__follow *f = b->follow;
    for (int i = 0; i < f->n_cells; i++) {
        struct rg__cell *c = &f->cells[i];
        struct rg__held begin = held_at(b, &s->now, i), end = held_here(c);
        if (c->var >= s->vars) continue; /* of an iteration */
        if (c->pointer && !rg__cell_null_or_unset(begin.value)) {
            bool other = c->form == RG__BY_VALUE && !rg__cell_null_or_unset(end.value) &&
                         !rg__c_equal(begin.value, end.value) && form_for(b, begin.value, end.value) == RG__BY_VALUE;
            if (other) end.lost = true;
            if (end.lost && !begin.lost && c->since_read > s->reads && !b->verbatim)
                b->verbatim = "a pointer into one of several arrays is kept from iteration to iteration";
        } else if (c->pointer && !rg__cell_null_or_unset(end.value) && c->null_read > s->reads && !b->verbatim) {
            b->verbatim = "a pointer is null in the first iteration alone";
        }
        put(c, met(b, c, begin, end, true));
    }
    for (int k = 0; k < RG__MAX_TRIPS; k++) f->possible[k] |= s->now.possible[k];
}

void rg__span_leave(struct rg__build *b, struct rg__span *s)
{
    struct rg__follow *f = b->follow;
    if (!f) return;
    if (!s->loop) {
        forget_inside(b, s->vars, 1 << 30);
        return;
    }
    f->decls = s->outer;
    f->span = s->around;
    f->loops--;
    if (f->dead)
        rg__now_restore(b, &s->now);
    else
        go_round(b, s);
    if (s->left) rg__now_meet(b, &s->at_exit);
    forget_inside(b, s->vars, s->arrays);
}

void rg__now_leave(struct rg__build *b)
{
    struct rg__follow *f = b->follow;
    if (!f || f->dead) return;
    if (f->span) {
        struct rg__now here = rg__now_save(b);
        go_round(b, f->span);
        if (f->span->left) rg__now_meet(b, &f->span->at_exit);
        f->span->at_exit = rg__now_save(b);
        f->span->left = true;
        rg__now_restore(b, &here);
    }
    f->dead = true;
}

static struct rg__jump_to *label_named(struct rg__build *b, const char *name)
{
    for (struct rg__jump_to *l = b->follow->labels; l; l = l->next)
        if (!strcmp(l->name, name)) return l;
    struct rg__jump_to *l = rg_arena_alloc(&b->t->arena, sizeof *l);
    *l = (struct rg__jump_to){.next = b->follow->labels, .name = name};
    return b->follow->labels = l;
}

bool rg__now_jump(struct rg__build *b, const char *label)
{
    struct rg__follow *f = b->follow;
    if (!f) return true;
    struct rg__jump_to *l = label_named(b, label);
    if (l->seen) return false;
    if (f->dead) return true;
    struct rg__now here = rg__now_save(b);
    struct rg__span *outermost = NULL; /* how many of the loops around it leaves only the label will say */
    for (struct rg__span *s = f->span; s && s != f->span_call; s = s->around) outermost = s;
    if (outermost) forget_inside(b, outermost->vars, outermost->arrays);
    if (l->any) rg__now_meet(b, &l->now);
    l->now = rg__now_save(b);
    l->any = true;
    rg__now_restore(b, &here);
    f->dead = true;
    return true;
}

void rg__now_label(struct rg__build *b, const char *label)
{
    if (!b->follow) return;
    struct rg__jump_to *l = label_named(b, label);
    l->seen = true;
    if (l->any) rg__now_meet(b, &l->now);
}

/* A way that returns a code and was not the usual one: nobody uses behind it what the others set. */
static void join(struct rg__build *b, const struct rg__now *other, bool other_fails, bool this_fails)
{
    struct rg__follow *f = b->follow;
    struct rg__held *mine = rg_arena_alloc(&b->t->arena, (size_t)(f->n_cells + 1) * sizeof *mine);
    for (int i = 0; i < f->n_cells; i++) mine[i] = held_here(&f->cells[i]);
    rg__now_meet(b, other);
    for (int i = 0; i < f->n_cells && other_fails != this_fails; i++) {
        struct rg__cell *c = &f->cells[i];
        struct rg__held theirs = held_at(b, other, i), *good = other_fails ? &mine[i] : &theirs,
                        *bad = other_fails ? &theirs : &mine[i];
        if (c->pointer ? !rg__cell_null_or_unset(bad->value) : bad->set) continue;
        const bool null = c->pointer && bad->value && !rg__cell_null_or_unset(good->value);
        put(c, *good);
        c->maybe_null |= null; /* but whether it is null may be what they are asked */
    }
}

void rg__now_return(struct rg__build *b, bool fails)
{
    struct rg__follow *f = b->follow;
    if (!f || f->dead) return;
    if (f->exits) {
        struct rg__now here = rg__now_save(b);
        if (f->exits->any) join(b, &f->exits->now, f->exits->fails, fails);
        f->exits->now = rg__now_save(b);
        f->exits->fails = fails && (f->exits->fails || !f->exits->any);
        f->exits->any = true;
        rg__now_restore(b, &here);
    }
    f->dead = true;
}

void rg__now_returned(struct rg__build *b, struct rg__exits *e)
{
    struct rg__follow *f = b->follow;
    if (!e->any) return;
    if (f->dead)
        rg__now_restore(b, &e->now);
    else
        join(b, &e->now, e->fails, false);
    f->dead = false;
}

void rg__unroll_for(struct rg__build *b, const struct rg_cnode *index)
{
    const struct rg__follow *f = b->follow;
    for (const struct rg__unrolled *u = f ? f->around : NULL; u; u = u->outer) {
        bool by = rg__c_mentions_var(index, u->var);
        for (int i = 0; i < f->n_cells && !by; i++) { /* or what else it changes */
            const struct rg__cell *c = &f->cells[i];
            if (c->pointer || !rg__c_mentions_var(index, c->var)) continue;
            for (int k = 0; k < f->n_forms; k++)
                by |= f->forms[k].key == c->key && f->forms[k].form == RG__VARIES && f->forms[k].loop == u->key;
        }
        if (by) rg__cell_decide(b, u->key, RG__UNROLLED);
    }
}
