/* The proof that an iteration writes every element of an array that it reads before it reads it: what is certainly
 * written so far, as regions over polynomials, goes along with the code. Code without a shape (while, switch) adds
 * nothing to it; behind a fill of the whole array it may read what it likes. */
#include "frontend/normalise/filled_first.h"
#include <stdlib.h>
#include <string.h>

enum { MAX_DIMS = RG__FILLED_DIMS, MAX_REGIONS = 24 };

struct region { /* elements that are certainly written: a box, and a piece of the array's memory, ends included */
    bool is_box, is_piece;
    const char *member; /* of each of them; NULL: all of the element */
    struct rg__poly low[MAX_DIMS], high[MAX_DIMS], from, to;
};

struct filled {
    int n;
    struct region items[MAX_REGIONS];
};

struct check {
    struct rg_ctree *t;
    const struct rg_struct *of; /* what the elements are; NULL: scalars */
    int array, n_dims;
    struct rg__poly row[MAX_DIMS], end; /* elements below each dimension, and the place of the last of all */
    struct rg__range *r;
    bool failed;  /* a read of something that is not certainly written, or code that says nothing */
    bool writing; /* only what is written is asked for */
    const struct rg_cnode *body;
    int at;   /* which of the body's statements is looked at */
    int last; /* the last of them that writes, where every run writes the same elements, and nobody else any; else -1 */
    bool *counts; /* by variable: it stands in a subscript of the array */
};

static bool between(struct check *c, const struct rg__poly *low, const struct rg__poly *high, const struct rg__poly *x)
{
    struct rg__poly above = rg__poly_add(x, low, -1), below = rg__poly_add(high, x, -1);
    return rg__prove(c->r, &above) && rg__prove(c->r, &below);
}

static bool of_member(const struct region *x, const char *member)
{
    return !x->member || (member && !strcmp(x->member, member));
}

/* Of an array of one dimension: a place outside it is none that C lets anyone read. */
static bool inside(struct check *c, const struct region *x, int d, const struct rg__poly *sub)
{
    struct rg__poly zero = rg__poly_int(0), from_start = rg__poly_add(&zero, &x->low[d], -1),
                    to_end = rg__poly_add(&x->high[d], &c->end, -1), above = rg__poly_add(sub, &x->low[d], -1),
                    below = rg__poly_add(&x->high[d], sub, -1);
    bool alone = c->n_dims == 1;
    return (rg__prove(c->r, &above) || (alone && rg__prove(c->r, &from_start))) &&
           (rg__prove(c->r, &below) || (alone && rg__prove(c->r, &to_end)));
}

/* All of it is written: whatever a read's subscripts are. */
static bool whole(struct check *c, const struct filled *f, const char *member)
{
    struct rg__poly zero = rg__poly_int(0);
    for (int i = 0; i < f->n; i++) {
        const struct region *x = &f->items[i];
        if (x->is_piece && of_member(x, member) && between(c, &x->from, &x->to, &zero) &&
            between(c, &x->from, &x->to, &c->end))
            return true;
    }
    return false;
}

static bool part_covered(struct check *c, const struct filled *f, const struct rg_cnode *index, const char *member)
{
    struct rg__poly sub[MAX_DIMS];
    if (whole(c, f, member)) return true;
    for (int d = 0; d < c->n_dims; d++) {
        sub[d] = rg__poly_of(c->r, index->kid[d]);
        rg__range_describe(c->r, &sub[d]);
    }
    for (int i = 0; i < f->n; i++) {
        bool in = f->items[i].is_box && of_member(&f->items[i], member);
        for (int d = 0; d < c->n_dims && in; d++) in = inside(c, &f->items[i], d, &sub[d]);
        if (in) return true;
    }
    return false;
}

/* member NULL: all of the element is read, which its members may have been written to one by one. */
static bool covered(struct check *c, const struct filled *f, const struct rg_cnode *index, const char *member)
{
    if (part_covered(c, f, index, member)) return true;
    if (c->last >= 0 && c->at > c->last) return true; /* written by this run, or never, and then nobody may read it */
    if (member || !c->of) return false;
    for (int i = 0; i < c->of->n_fields; i++)
        if (!part_covered(c, f, index, c->of->fields[i].path)) return false;
    return true;
}

/* The element that e means, or a plain member of which; NULL: it is something else. */
static const struct rg_cnode *element(const struct check *c, const struct rg_cnode *e, const char **member)
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
    return e->kind == RG_C_COND || (e->kind == RG_C_BINARY && (e->op == RG_COP_AND || e->op == RG_COP_OR));
}

static bool changed(const struct check *c, const struct rg__poly *p, const struct rg_cnode *code);

/* What the condition says is known as long as `code` changes nothing that it names. */
static void assume(struct check *c, const struct rg_cnode *condition, bool holds, const struct rg_cnode *code)
{
    struct rg__poly said = rg__poly_of(c->r, condition); /* its parts, as one atom or more */
    if (!said.bad && !changed(c, &said, code)) rg__range_assume(c->r, condition, holds);
}

/* Every read below e, of which `except` (the target of `=`) is none. */
static void reads(struct check *c, const struct filled *f, const struct rg_cnode *e, const struct rg_cnode *except)
{
    if (!e || c->failed || c->writing) return;
    const char *member;
    const struct rg_cnode *at = element(c, e, &member);
    if (at) {
        c->failed |= e != except && !covered(c, f, at, member);
        for (int i = 0; i < at->n; i++) reads(c, f, at->kid[i], NULL);
        return;
    }
    for (int i = 0; i < e->n; i++) {
        int facts = c->r->n_facts;
        if (i && decides(e))
            assume(c, e->kid[0], e->op == RG_COP_OR || (e->kind == RG_C_COND && i == 2) ? false : true, e);
        reads(c, f, e->kid[i], except);
        c->r->n_facts = facts;
    }
    if ((e->kind == RG_C_VAR || e->kind == RG_C_INDEX) && e->array == c->array)
        c->failed |= e->kind != RG_C_INDEX || e->pointer || e->n != c->n_dims || !covered(c, f, e, NULL);
    if (e->kind == RG_C_VERBATIM) c->failed = true;
}

/* ---- regions ---- */

/* With one that ends where it begins, it is one region more: a place between their ends lies in one of the two, also
 * where either is empty. */
static void add(struct filled *f, const struct region *x, int n_dims)
{
    int n = f->n;
    if (n < MAX_REGIONS) f->items[f->n++] = *x;
    for (int i = 0; i < n && n_dims == 1 && x->is_box && f->n < MAX_REGIONS; i++) {
        const struct region *y = &f->items[i];
        if (!y->is_box || (x->member != y->member && (!x->member || !y->member || strcmp(x->member, y->member))))
            continue;
        struct rg__poly one = rg__poly_int(1), behind = rg__poly_add(&y->high[0], &one, 1);
        if (!rg__poly_equal(&behind, &x->low[0])) continue;
        struct region both = *x;
        both.low[0] = both.from = y->low[0];
        both.to = both.high[0];
        both.is_piece = false;
        f->items[f->n++] = both;
    }
}

/* Is it a value that the code changes? */
static bool changed(const struct check *c, const struct rg__poly *p, const struct rg_cnode *code)
{
    for (int i = 0; i < p->n; i++)
        for (int k = 0; k < p->terms[i].degree; k++) {
            int id = p->terms[i].var[k];
            if (id < RG__ATOM) {
                if (rg__c_writes_var(code, id)) return true;
                continue;
            }
            const struct rg_cnode *atom = c->r->atoms[id - RG__ATOM];
            if (rg__mentions_kind(atom, RG_C_CALL)) return true;
            for (int v = 0; v < c->t->n_vars; v++)
                if (rg__c_mentions_var(atom, v) && rg__c_writes_var(code, v)) return true;
            for (int a = 0; a < c->t->n_arrays; a++)
                if (rg__c_mentions_array(atom, a) && rg__writes_array(code, a)) return true;
        }
    return false;
}

/* Does the code move the local in one direction alone: +1 up, -1 down, 0: it does something else? */
static int moves(const struct rg_cnode *n, int var)
{
    int way = 0;
    if (!n || !rg__c_writes_var(n, var)) return 2; /* not at all */
    if (n->kind == RG_C_DECL) return 0;
    bool sets =
        (n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC) && n->kid[0]->kind == RG_C_VAR && n->kid[0]->array < 0;
    if (sets && n->kid[0]->var == var) {
        int64_t by = 1;
        bool steps = n->kind == RG_C_INCDEC || n->op == RG_COP_ADD_SET || n->op == RG_COP_SUB_SET;
        if (!steps || (n->kind == RG_C_ASSIGN && (!rg__c_number(n->kid[1], &by) || by < 0))) return 0;
        bool up = n->kind == RG_C_INCDEC ? rg_c_increments(n->op) : n->op == RG_COP_ADD_SET;
        return up ? 1 : -1;
    }
    for (int i = 0; i < n->n; i++) {
        int kid = moves(n->kid[i], var);
        if (kid == 2) continue;
        if (!kid || (way && way != kid)) return 0;
        way = kid;
    }
    return way;
}

/* What is known of values still holds where the code moves a local away from the end that is spoken of. */
static bool fact_stays(struct check *c, const struct rg__poly *fact, const struct rg_cnode *code)
{
    for (int i = 0; i < fact->n; i++)
        for (int k = 0; k < fact->terms[i].degree; k++) {
            int id = fact->terms[i].var[k];
            if (id < RG__ATOM && !rg__c_writes_var(code, id)) continue;
            if (id >= RG__ATOM || fact->terms[i].degree != 1) return false;
            if (moves(code, id) != (fact->terms[i].c > 0 ? 1 : -1)) return false;
        }
    return true;
}

/* `n += by`, of a scalar that is no pointer; -1: it is something else. */
static int stepped(struct check *c, const struct rg_cnode *s, struct rg__poly *by)
{
    const struct rg_cnode *a = s->kind == RG_C_STMT ? s->kid[0] : s;
    bool step = a && (a->kind == RG_C_INCDEC || a->op == RG_COP_ADD_SET || a->op == RG_COP_SUB_SET);
    if (!step || a->kid[0]->kind != RG_C_VAR || a->kid[0]->array >= 0 || a->kid[0]->pointer) return -1;
    const int var = a->kid[0]->var;
    const struct rg_cvar *v = &c->t->vars[var];
    if (v->kind != RG_CVAR_LOCAL || !rg__scalar_is_int(v->type) || rg_scalar_bytes(v->type) < 4) return -1;
    const bool up = a->kind == RG_C_INCDEC ? rg_c_increments(a->op) : a->op == RG_COP_ADD_SET;
    struct rg__poly zero = rg__poly_int(0),
                    size = a->kind == RG_C_INCDEC ? rg__poly_int(1) : rg__poly_of(c->r, a->kid[1]);
    if (size.bad || rg__poly_mentions(&size, var) || (!rg_scalar_is_signed(v->type) && !up)) return -1;
    *by = up ? size : rg__poly_add(&zero, &size, -1);
    return var;
}

/* In terms of what the variable is behind the step. */
static bool shift(struct rg__poly *p, int var, const struct rg__poly *by)
{
    struct rg__poly coef, rest, change;
    if (!rg__poly_mentions(p, var)) return true;
    if (!rg__poly_split(p, var, &coef, &rest)) return false;
    change = rg__poly_mul(&coef, by);
    *p = rg__poly_add(p, &change, -1);
    return !p->bad;
}

static void shift_all(struct check *c, struct filled *f, int var, const struct rg__poly *by)
{
    int n = 0;
    for (int i = 0; i < c->r->n_facts; i++)
        if (!shift(&c->r->facts[i], var, by)) c->r->facts[i] = rg__poly_int(0);
    for (int i = 0; i < f->n; i++) {
        struct region x = f->items[i];
        bool box = x.is_box, piece = x.is_piece && shift(&x.from, var, by) && shift(&x.to, var, by);
        for (int d = 0; d < c->n_dims && box; d++) box = shift(&x.low[d], var, by) && shift(&x.high[d], var, by);
        x.is_box = box;
        x.is_piece = piece;
        if (box || piece) f->items[n++] = x;
    }
    f->n = n;
}

/* Regions whose ends the code changes are no longer known, nor are values that it changes. */
static void forget(struct check *c, struct filled *f, const struct rg_cnode *code)
{
    for (int i = 0; i < c->r->n_facts; i++)
        if (changed(c, &c->r->facts[i], code) && !fact_stays(c, &c->r->facts[i], code))
            c->r->facts[i] = rg__poly_int(0);
    int n = 0;
    for (int i = 0; i < f->n; i++) {
        struct region *x = &f->items[i];
        bool gone = x->is_piece && (changed(c, &x->from, code) || changed(c, &x->to, code));
        for (int d = 0; d < c->n_dims && x->is_box && !gone; d++)
            gone = changed(c, &x->low[d], code) || changed(c, &x->high[d], code);
        if (!gone) f->items[n++] = *x;
    }
    f->n = n;
}

struct sweep { /* a loop by 1 */
    int var;
    struct rg__poly start, last;
};

/* The box over all iterations: a dimension that moves with the loop, by its step, is filled without gaps. False: it is
 * not. */
static bool box_over(struct check *c, const struct sweep *loop, struct region *x)
{
    int moved = 0;
    for (int d = 0; d < c->n_dims; d++) {
        struct rg__poly k, rest;
        if (!rg__poly_mentions(&x->low[d], loop->var) && !rg__poly_mentions(&x->high[d], loop->var)) continue;
        int64_t by;
        for (int side = 0; side < 2; side++) {
            struct rg__poly *p = side ? &x->high[d] : &x->low[d];
            if (!rg__poly_split(p, loop->var, &k, &rest) || !rg__poly_is_int(&k, &by) || by != 1) return false;
            *p = rg__poly_add(&rest, side ? &loop->last : &loop->start, 1);
        }
        moved++;
    }
    struct rg__poly trips = rg__poly_add(&loop->last, &loop->start, -1);
    return moved == 1 || (!moved && rg__prove(c->r, &trips)); /* the same each time, once at least */
}

/* The piece over all iterations: one that moves on by no more than its length leaves no gaps. */
static bool piece_over(struct check *c, const struct sweep *loop, struct region *x)
{
    struct rg__poly trips = rg__poly_add(&loop->last, &loop->start, -1), one = rg__poly_int(1), by, by_end, from, to;
    if (!rg__poly_mentions(&x->from, loop->var) && !rg__poly_mentions(&x->to, loop->var))
        return rg__prove(c->r, &trips);
    if (!rg__poly_split(&x->from, loop->var, &by, &from) || !rg__poly_split(&x->to, loop->var, &by_end, &to) ||
        !rg__poly_equal(&by, &by_end) || rg__poly_mentions(&by, loop->var))
        return false;
    struct rg__poly length = rg__poly_add(&to, &from, -1), rest = rg__poly_add(&length, &by, -1);
    rest = rg__poly_add(&rest, &one, 1);
    if (!rg__prove(c->r, &by) || !rg__prove(c->r, &rest)) return false;
    struct rg__poly first = rg__poly_mul(&by, &loop->start), end = rg__poly_mul(&by, &loop->last);
    x->from = rg__poly_add(&from, &first, 1);
    x->to = rg__poly_add(&to, &end, 1);
    return true;
}

/* False: nothing is known of what the loop fills, up to the iteration in front of the one that runs (`before`). */
static bool over_loop(struct check *c, const struct rg_cnode *loop, bool before, struct region *x)
{
    struct rg__poly one = rg__poly_int(1), end = before ? rg__poly_var(loop->var) : rg__poly_of(c->r, loop->kid[1]);
    struct sweep s = {loop->var, rg__poly_of(c->r, loop->kid[0]), rg__poly_add(&end, &one, -1)};
    x->is_box = x->is_box && box_over(c, &s, x);
    x->is_piece = x->is_piece && !before && piece_over(c, &s, x);
    if (c->n_dims == 1 && x->is_piece && !x->is_box) { /* `buf[(dy + r) * (2 * r + 1) + dx + r]` */
        x->low[0] = x->from;
        x->high[0] = x->to;
        x->is_box = true;
    }
    return x->is_box || x->is_piece;
}

/* ---- code ---- */

static void statement(struct check *c, struct filled *f, const struct rg_cnode *s);

/* What is known of values, to come back to: a part of the code changes it that may not run, or runs again. */
struct known {
    int n;
    struct rg__poly facts[RG__MAX_FACTS];
};

static struct known *known_now(const struct check *c)
{
    struct known *k = rg_xmalloc(sizeof *k);
    k->n = c->r->n_facts;
    memcpy(k->facts, c->r->facts, (size_t)k->n * sizeof *k->facts);
    return k;
}

static void known_again(struct check *c, const struct known *k)
{
    c->r->n_facts = k->n;
    memcpy(c->r->facts, k->facts, (size_t)k->n * sizeof *k->facts);
}

/* Bounds that data decide (len[b]) say something of the loop's variable, too. */
static void iteration(struct check *c, struct filled *inside, const struct rg_cnode *s)
{
    struct rg__range *r = c->r;
    struct known *before = known_now(c);
    struct rg__poly low = rg__poly_of(r, s->kid[0]), end = rg__poly_of(r, s->kid[1]), at = rg__poly_var(s->var),
                    one = rg__poly_int(1);
    if (s->step > 0 && !low.bad && !end.bad && !changed(c, &low, s->kid[2]) && !changed(c, &end, s->kid[2]) &&
        !changed(c, &at, s->kid[2]) && r->n_facts + 2 < RG__MAX_FACTS) {
        end = rg__poly_add(&end, &one, -1);
        r->facts[r->n_facts++] = rg__poly_add(&at, &low, -1);
        r->facts[r->n_facts++] = rg__poly_add(&end, &at, -1);
    }
    r->loops[r->n_loops++] = s;
    statement(c, inside, s->kid[2]);
    r->n_loops--;
    known_again(c, before);
    free(before);
}

static bool same_region(const struct check *c, const struct region *x, const struct region *y);

/* One round of a loop of any kind, from what holds in front of it to what holds behind. */
static void one_round(struct check *c, struct filled *f, const struct rg_cnode *s)
{
    if (s->kind == RG_C_LOOP) {
        iteration(c, f, s);
        return;
    }
    const bool counts = s->kind == RG_C_FOR;
    const struct rg_cnode *condition = s->kid[counts], *body = s->kid[counts ? 3 : 1];
    struct known *before = known_now(c);
    if (condition) assume(c, condition, true, body);
    statement(c, f, body);
    struct rg__poly by;
    const int counter = counts && s->kid[2] ? stepped(c, s->kid[2], &by) : -1;
    if (counter >= 0)
        shift_all(c, f, counter, &by);
    else if (counts && s->kid[2])
        forget(c, f, s->kid[2]);
    known_again(c, before);
    free(before);
}

static bool leaves(const struct rg_cnode *body)
{
    return rg__leaves_loop(body) || rg__continues_loop(body) || rg__mentions_kind(body, RG_C_RETURN) ||
           rg__mentions_kind(body, RG_C_GOTO);
}

/* Regions whose ends the loop moves, and that hold behind every iteration if they did in front of it. */
static struct filled *invariant(struct check *c, const struct filled *f, const struct rg_cnode *s)
{
    struct filled *still = rg_xmalloc(sizeof *still), *all = rg_xmalloc(sizeof *all), *x = rg_xmalloc(sizeof *x);
    const bool writing = c->writing;
    struct known *before = known_now(c);
    *still = *all = *f;
    forget(c, still, s);
    x->n = 0;
    for (int i = 0; i < all->n; i++) {
        bool stays = false;
        for (int k = 0; k < still->n && !stays; k++) stays = same_region(c, &all->items[i], &still->items[k]);
        if (!stays && all->items[i].is_box) add(x, &all->items[i], 0);
    }
    c->writing = true;
    for (bool dropped = x->n > 0; dropped;) {
        dropped = false;
        *all = *still;
        for (int i = 0; i < x->n; i++) add(all, &x->items[i], 0);
        one_round(c, all, s);
        for (int i = 0; i < x->n; i++) {
            bool there = false;
            for (int k = 0; k < all->n && !there; k++) there = same_region(c, &x->items[i], &all->items[k]);
            if (there) continue;
            x->items[i--] = x->items[--x->n];
            dropped = x->n > 0;
        }
    }
    c->writing = writing;
    known_again(c, before);
    free(before);
    free(still);
    free(all);
    return x;
}

static void loop(struct check *c, struct filled *f, const struct rg_cnode *s)
{
    struct rg__range *r = c->r;
    reads(c, f, s->kid[0], NULL);
    reads(c, f, s->kid[1], NULL);
    if (s->n > 3) reads(c, f, s->kid[3], NULL);
    if (r->n_loops == RG__MAX_NEST) c->failed = true;
    if (c->failed) return;
    bool through = !leaves(s->kid[2]);
    struct filled *kept = through ? invariant(c, f, s) : NULL;
    forget(c, f, s);
    for (int i = 0; kept && i < kept->n; i++) add(f, &kept->items[i], 0);
    free(kept);
    bool each = s->step == 1 && s->n <= 3 && through; /* else it may end early, or leave gaps */
    struct filled *start = rg_xmalloc(sizeof *start), *inside = rg_xmalloc(sizeof *inside);
    *start = *inside = *f;
    iteration(c, inside, s);
    if (c->failed && each) { /* it may read what the iterations in front of it wrote */
        c->failed = false;
        *inside = *start;
        bool writing = c->writing;
        c->writing = true;
        iteration(c, inside, s);
        c->writing = writing;
        forget(c, inside, s->kid[2]);
        for (int i = start->n; i < inside->n; i++) {
            struct region x = inside->items[i];
            if (over_loop(c, s, true, &x)) add(start, &x, c->n_dims);
        }
        *inside = *start;
        iteration(c, inside, s);
    }
    forget(c, inside, s->kid[2]);
    for (int i = f->n; i < inside->n && each && !c->failed; i++)
        if (over_loop(c, s, false, &inside->items[i])) add(f, &inside->items[i], c->n_dims);
    free(start);
    free(inside);
}

static bool same_region(const struct check *c, const struct region *x, const struct region *y)
{
    if (x->is_box != y->is_box || x->is_piece != y->is_piece || !x->member != !y->member ||
        (x->member && strcmp(x->member, y->member) != 0))
        return false;
    for (int d = 0; d < c->n_dims && x->is_box; d++)
        if (!rg__poly_equal(&x->low[d], &y->low[d]) || !rg__poly_equal(&x->high[d], &y->high[d])) return false;
    return !x->is_piece || (rg__poly_equal(&x->from, &y->from) && rg__poly_equal(&x->to, &y->to));
}

static void branch(struct check *c, struct filled *f, const struct rg_cnode *s)
{
    reads(c, f, s->kid[0], NULL);
    struct filled *arm = rg_xmalloc(2 * sizeof *arm);
    arm[0] = arm[1] = *f;
    forget(c, f, s);
    struct known *before = known_now(c);
    for (int i = 1; i < s->n && !c->failed; i++) {
        assume(c, s->kid[0], i == 1, s);
        statement(c, &arm[i - 1], s->kid[i]);
        known_again(c, before);
    }
    free(before);
    f->n = 0; /* what is written on either way is */
    for (int i = 0; !c->failed && i < arm[0].n; i++)
        for (int k = 0; k < arm[1].n; k++)
            if (same_region(c, &arm[0].items[i], &arm[1].items[k])) {
                f->items[f->n++] = arm[0].items[i];
                break;
            }
    free(arm);
}

/* `int j = i - 1;`: both are the same until one of them changes. Where it says what is written next, there is nothing
 * yet between the two: `n = 0; .. buf[n] = a; n += 1;` leaves the elements from 0 to n - 1 written. */
static void note_value(struct check *c, struct filled *f, const struct rg_cnode *s)
{
    const struct rg_cnode *a = s->kind == RG_C_STMT ? s->kid[0] : NULL, *value = NULL;
    struct rg__range *r = c->r;
    int var = -1;
    if (s->kind == RG_C_DECL && s->array < 0 && s->n) var = s->var, value = s->kid[0];
    if (a && a->op == RG_COP_SET && a->kid[0]->kind == RG_C_VAR && a->kid[0]->array < 0)
        var = a->kid[0]->var, value = a->kid[1];
    if (var < 0 || !value || value->pointer || !rg__scalar_is_int(value->type) || !rg_scalar_is_signed(value->type))
        return;
    const struct rg_cvar *v = &c->t->vars[var];
    if (v->kind != RG_CVAR_LOCAL || !rg_scalar_is_signed(v->type) || rg_scalar_bytes(v->type) < 4 ||
        !rg__scalar_is_int(v->type) || rg_scalar_bytes(value->type) > rg_scalar_bytes(v->type) ||
        rg__c_mentions_var(value, var))
        return;
    struct rg__poly is = rg__poly_of(r, value), at = rg__poly_var(var);
    for (int i = 0; i < is.n; i++)
        for (int k = 0; k < is.terms[i].degree; k++)
            if (is.terms[i].var[k] >= RG__ATOM) return;
    if (is.bad) return;
    if (c->n_dims == 1 && c->counts[var]) {
        struct rg__poly one = rg__poly_int(1);
        struct region none = {.is_box = true, .low = {is}, .high = {rg__poly_add(&at, &one, -1)}};
        add(f, &none, 1);
    }
    if (r->n_facts + 2 > RG__MAX_FACTS / 2) return;
    r->facts[r->n_facts++] = rg__poly_add(&at, &is, -1);
    r->facts[r->n_facts++] = rg__poly_add(&is, &at, -1);
}

/* Does the condition hold here, whatever else is the case? */
static bool holds(struct check *c, const struct rg_cnode *e, bool wanted)
{
    if (e->op == RG_COP_NOT) return holds(c, e->kid[0], !wanted);
    if (e->op == RG_COP_AND || e->op == RG_COP_OR) {
        const bool both = (e->op == RG_COP_AND) == wanted, first = holds(c, e->kid[0], wanted);
        return both ? first && holds(c, e->kid[1], wanted) : first || holds(c, e->kid[1], wanted);
    }
    if (!rg_c_relation(e->op)) return false;
    struct rg__poly a = rg__poly_of(c->r, e->kid[0]), b = rg__poly_of(c->r, e->kid[1]);
    return !a.bad && !b.bad && rg__range_decide(c->r, e->op, &a, &b) == wanted;
}

/* Is the variable, which the code only moves up, surely moved? A loop of few rounds by the first, the last or the one
 * at 0: the pixel in the middle of a window is never outside the picture. */
static bool surely_steps(struct check *c, const struct rg_cnode *s, int var, int depth)
{
    enum { MOST_LOOPS = 3 };
    struct rg__poly by, one = rg__poly_int(1);
    if (!s || !rg__c_writes_var(s, var)) return false;
    if (s->kind == RG_C_STMT && stepped(c, s, &by) == var) {
        by = rg__poly_add(&by, &one, -1);
        return rg__prove(c->r, &by);
    }
    if (s->kind == RG_C_IF)
        return (holds(c, s->kid[0], true) && surely_steps(c, s->kid[1], var, depth)) ||
               (s->n > 2 && holds(c, s->kid[0], false) && surely_steps(c, s->kid[2], var, depth));
    if (s->kind == RG_C_BLOCK) {
        struct known *before = known_now(c);
        struct filled *none = rg_xcalloc(1, sizeof *none);
        bool is = false;
        for (int i = 0; i < s->n && !is; i++) {
            is = surely_steps(c, s->kid[i], var, depth);
            forget(c, none, s->kid[i]);
            note_value(c, none, s->kid[i]);
        }
        known_again(c, before);
        free(before);
        free(none);
        return is;
    }
    if (s->kind != RG_C_LOOP || s->step != 1 || s->n > 3 || leaves(s->kid[2]) || depth == MOST_LOOPS) return false;
    struct rg__poly low = rg__poly_of(c->r, s->kid[0]), end = rg__poly_of(c->r, s->kid[1]), zero = rg__poly_int(0),
                    last = rg__poly_add(&end, &one, -1);
    const struct rg__poly at[] = {zero, low, last};
    for (int i = 0; i < 3; i++) {
        struct rg__poly above = rg__poly_add(&at[i], &low, -1), below = rg__poly_add(&last, &at[i], -1);
        if (at[i].bad || !rg__prove(c->r, &above) || !rg__prove(c->r, &below)) continue;
        struct rg_cnode *round = rg__c_copy(c->t, s->kid[2]);
        round = rg__c_replace_var(c->t, round, s->var, rg__poly_node(c->r, &at[i]));
        if (surely_steps(c, round, var, depth + 1)) return true;
    }
    return false;
}

/* Behind a loop that only moves a counter up, and surely does: it is more than it was at least. */
static void note_steps(struct check *c, const struct rg_cnode *s)
{
    for (int i = 0; i < c->r->n_facts; i++)
        for (int k = 0; k < c->r->facts[i].n; k++) {
            const struct rg__term *x = &c->r->facts[i].terms[k];
            if (x->degree != 1 || x->c != 1 || x->var[0] >= RG__ATOM || !c->counts[x->var[0]]) continue;
            if (moves(s, x->var[0]) != 1 || !surely_steps(c, s, x->var[0], 0)) continue;
            struct rg__poly one = rg__poly_int(1);
            c->r->facts[i] = rg__poly_add(&c->r->facts[i], &one, -1);
            break;
        }
}

/* A loop of which nobody knows how often it runs: what it writes may not be written. */
static void any_rounds(struct check *c, struct filled *f, const struct rg_cnode *s)
{
    const bool counts = s->kind == RG_C_FOR;
    const struct rg_cnode *condition = s->kid[counts], *body = s->kid[counts ? 3 : 1];
    if (counts && s->kid[0]) {
        reads(c, f, s->kid[0], NULL);
        forget(c, f, s->kid[0]);
        note_value(c, f, s->kid[0]);
    }
    struct filled *kept = leaves(body) ? NULL : invariant(c, f, s);
    forget(c, f, s);
    for (int i = 0; kept && i < kept->n; i++) add(f, &kept->items[i], 0);
    free(kept);
    if (condition) reads(c, f, condition, NULL);
    if (counts) reads(c, f, s->kid[2], NULL);
    struct filled *inside = rg_xmalloc(sizeof *inside);
    *inside = *f;
    one_round(c, inside, s);
    free(inside);
}

static void statement(struct check *c, struct filled *f, const struct rg_cnode *s)
{
    if (!s || c->failed) return;
    if (!rg__c_mentions_array(s, c->array)) {
        if (s->kind == RG_C_VERBATIM || rg__mentions_kind(s, RG_C_VERBATIM)) c->failed = true;
        struct rg__poly by;
        const int counter = stepped(c, s, &by);
        if (counter >= 0) {
            shift_all(c, f, counter, &by);
            return;
        }
        forget(c, f, s);
        note_value(c, f, s);
        return;
    }
    switch (s->kind) {
    case RG_C_BLOCK: {
        int facts = c->r->n_facts;
        for (int i = 0; i < s->n; i++) {
            if (s == c->body) c->at = i;
            statement(c, f, s->kid[i]);
        }
        c->r->n_facts = facts;
        return;
    }
    case RG_C_OPAQUE:
        statement(c, f, s->kid[0]);
        return;
    case RG_C_LOOP:
        loop(c, f, s);
        note_steps(c, s);
        return;
    case RG_C_IF:
        branch(c, f, s);
        return;
    case RG_C_DECL:
        if (s->array == c->array) return;
        forget(c, f, s);
        reads(c, f, s, NULL);
        return;
    case RG_C_STMT: {
        const struct rg_cnode *a = s->kid[0], *target = a->op == RG_COP_SET ? a->kid[0] : NULL;
        const char *member;
        const struct rg_cnode *to = element(c, target, &member);
        forget(c, f, s);
        reads(c, f, a, to ? target : NULL);
        if (!to || c->failed) return;
        struct region x = {.is_box = true, .is_piece = true, .member = member, .from = rg__poly_int(0)};
        for (int d = 0; d < c->n_dims; d++) {
            x.low[d] = x.high[d] = rg__poly_of(c->r, to->kid[d]);
            struct rg__poly at = rg__poly_mul(&x.low[d], &c->row[d]);
            x.from = rg__poly_add(&x.from, &at, 1);
        }
        x.to = x.from;
        if (!changed(c, &x.from, s)) add(f, &x, c->n_dims);
        return;
    }
    case RG_C_WHILE:
    case RG_C_FOR:
        any_rounds(c, f, s);
        return;
    default: /* in any order, any number of times */
        forget(c, f, s);
        reads(c, f, s, NULL);
    }
}

/* ---- the same elements each time ---- */

static bool writes_element(const struct rg_cnode *n, int array)
{
    if (n->kind != RG_C_ASSIGN && n->kind != RG_C_INCDEC) return false;
    const struct rg_cnode *to = n->kid[0];
    while (to->kind == RG_C_MEMBER) to = to->kid[0];
    return to->kind == RG_C_INDEX && to->array == array;
}

static int count_writes(const struct rg_cnode *n, int array)
{
    int count = writes_element(n, array);
    for (int i = 0; i < n->n; i++)
        if (n->kid[i]) count += count_writes(n->kid[i], array);
    return count;
}

/* Its address goes nowhere, and nothing but statements gives it values. */
static bool plain_elements(const struct check *c, const struct rg_cnode *n)
{
    bool mentions = (n->kind == RG_C_VAR || n->kind == RG_C_INDEX) && n->array == c->array;
    if (mentions && (n->kind != RG_C_INDEX || n->pointer || n->n != c->n_dims)) return false;
    if (n->kind == RG_C_DECL && n->array == c->array && n->n) return false;
    if (n->kind == RG_C_VERBATIM || n->op == RG_COP_ADDRESS) return false;
    for (int i = 0; i < n->n; i++)
        if (n->kid[i] && !plain_elements(c, n->kid[i])) return false;
    return true;
}

/* Does the value hang on nothing that the loops around change? */
static bool same_each_time(struct check *c, const struct rg_cnode *e, const struct rg_cnode *outermost, int n_around)
{
    struct rg__poly p = rg__poly_of(c->r, e);
    for (int i = 0; i < n_around && !p.bad; i++)
        if (rg__poly_mentions(&p, c->r->loops[i]->var)) return false;
    for (int i = 0; i < p.n && !p.bad; i++)
        for (int k = 0; k < p.terms[i].degree; k++) {
            int v = p.terms[i].var[k];
            if (v >= RG__ATOM) return false;
            /* a loop's own variable goes over what its bounds say */
            if (c->t->vars[v].kind != RG_CVAR_ITER && rg__c_writes_var(outermost, v)) return false;
        }
    return !p.bad;
}

/* Every write below n is done each time, in loops with the same bounds, to the same elements. */
static bool fixed_writes(struct check *c, const struct rg_cnode *n, const struct rg_cnode *outermost, int n_around)
{
    if (!n || !count_writes(n, c->array)) return true;
    if (n->kind == RG_C_LOOP) {
        bool whole = n->n <= 3 && !rg__leaves_loop(n->kid[2]) && !rg__continues_loop(n->kid[2]) &&
                     !rg__mentions_kind(n->kid[2], RG_C_RETURN) && !rg__mentions_kind(n->kid[2], RG_C_GOTO);
        return whole && same_each_time(c, n->kid[0], outermost, n_around) &&
               same_each_time(c, n->kid[1], outermost, n_around) && fixed_writes(c, n->kid[2], outermost, n_around);
    }
    if (n->kind == RG_C_BLOCK) {
        for (int i = 0; i < n->n; i++)
            if (!fixed_writes(c, n->kid[i], outermost, n_around)) return false;
        return true;
    }
    const struct rg_cnode *a = n->kind == RG_C_STMT && n->n == 1 ? n->kid[0] : NULL;
    if (!a || !writes_element(a, c->array) || count_writes(a, c->array) != 1) return false;
    const struct rg_cnode *to = a->kid[0];
    if (to->kind != RG_C_INDEX) return false; /* members of structures are written one by one */
    for (int d = 0; d < to->n; d++)
        if (!same_each_time(c, to->kid[d], outermost, n_around)) return false;
    return true;
}

static void find_last(struct check *c, const struct rg_cnode *const *around, int n_around)
{
    const struct rg_cnode *body = c->body, *root = c->t->root;
    c->last = -1;
    if (!n_around || body->kind != RG_C_BLOCK || rg__leaves_loop(body) || rg__continues_loop(body) ||
        rg__mentions_kind(body, RG_C_RETURN) || rg__mentions_kind(body, RG_C_GOTO) || !plain_elements(c, root) ||
        count_writes(root, c->array) != count_writes(body, c->array) || !fixed_writes(c, body, around[0], n_around))
        return;
    for (int i = 0; i < body->n; i++)
        if (count_writes(body->kid[i], c->array)) c->last = i;
}

static bool is_number(const struct rg_cnode *e)
{
    e = rg__c_uncast(e, RG__C_CASTS);
    return e->kind == RG_C_INT || e->kind == RG_C_REAL;
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

static void note_places(struct check *c, const struct rg_cnode *n, bool inside)
{
    if (!n) return;
    if (inside && n->kind == RG_C_VAR && n->array < 0) c->counts[n->var] = true;
    inside = inside || (n->kind == RG_C_INDEX && n->array == c->array);
    for (int i = 0; i < n->n; i++) note_places(c, n->kid[i], inside);
}

static bool fills(struct rg_ctree *t, const struct rg_problem *p, const struct rg__given *given, int array,
                  const struct rg_cnode *const *around, int n_around, const struct rg_cnode *body, bool in_turn)
{
    const struct rg_carray *x = &t->arrays[array];
    struct check c = {.t = t, .array = array, .n_dims = x->n_dims, .r = rg_xmalloc(sizeof *c.r)};
    if (x->elem == RG_STRUCT) c.of = &p->structs[x->struct_index];
    struct filled *f = rg_xcalloc(1, sizeof *f);
    struct rg__poly one = rg__poly_int(1), below = one;
    c.counts = rg_xcalloc((size_t)t->n_vars + 1, sizeof *c.counts);
    note_places(&c, body, false);
    rg__range_init(c.r, t, given);
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
    if (!in_turn) find_last(&c, around, c.r->n_loops);
    statement(&c, f, body);
    free(c.counts);
    free(f);
    free(c.r);
    return !c.failed;
}

bool rg__fills_first(struct rg_ctree *t, const struct rg_problem *p, const struct rg__given *given, int array,
                     const struct rg_cnode *const *around, int n_around, const struct rg_cnode *body)
{
    return fills(t, p, given, array, around, n_around, body, false);
}

bool rg__fills_first_in_turn(struct rg_ctree *t, const struct rg_problem *p, const struct rg__given *given, int array,
                             const struct rg_cnode *const *around, int n_around, const struct rg_cnode *body)
{
    return fills(t, p, given, array, around, n_around, body, true);
}
