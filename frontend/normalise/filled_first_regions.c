/* Regions of an array that are certainly written: what lies in them, and what becomes of them over the iterations of a
 * loop (filled_first.c). */
#include "frontend/normalise/filled_first_parts.h"
#include <string.h>

static bool between(struct rg__filled_check *c, const struct rg__poly *low, const struct rg__poly *high,
                    const struct rg__poly *x)
{
    struct rg__poly above = rg__poly_add(x, low, -1), below = rg__poly_add(high, x, -1);
    return rg__prove(c->r, &above) && rg__prove(c->r, &below);
}

static bool of_member(const struct rg__region *x, const char *member)
{
    return !x->member || (member && !strcmp(x->member, member));
}

/* Of an array of one dimension: a place outside it is none that C lets anyone read. */
static bool inside(struct rg__filled_check *c, const struct rg__region *x, int d, const struct rg__poly *sub)
{
    struct rg__poly zero = rg__poly_int(0), from_start = rg__poly_add(&zero, &x->low[d], -1),
                    to_end = rg__poly_add(&x->high[d], &c->end, -1), above = rg__poly_add(sub, &x->low[d], -1),
                    below = rg__poly_add(&x->high[d], sub, -1);
    bool alone = c->n_dims == 1;
    return (rg__prove(c->r, &above) || (alone && rg__prove(c->r, &from_start))) &&
           (rg__prove(c->r, &below) || (alone && rg__prove(c->r, &to_end)));
}

/* All of it is written: whatever a read's subscripts are. */
static bool whole(struct rg__filled_check *c, const struct rg__filled *f, const char *member)
{
    struct rg__poly zero = rg__poly_int(0);
    for (int i = 0; i < f->n; i++) {
        const struct rg__region *x = &f->items[i];
        if (x->is_piece && of_member(x, member) && between(c, &x->from, &x->to, &zero) &&
            between(c, &x->from, &x->to, &c->end))
            return true;
    }
    return false;
}

bool rg__filled_whole(struct rg__filled_check *c, const struct rg__filled *f)
{
    struct rg__poly zero = rg__poly_int(0);
    if (whole(c, f, NULL)) return true;
    for (int i = 0; i < f->n && c->n_dims == 1; i++) {
        const struct rg__region *x = &f->items[i];
        if (x->is_box && !x->member && between(c, &x->low[0], &x->high[0], &zero) &&
            between(c, &x->low[0], &x->high[0], &c->end))
            return true;
    }
    return false;
}

/* The subscript by what a local in it is said to be: `int k = (n - 1) / 2;` False: nothing is. */
static bool by_value(const struct rg__filled_check *c, struct rg__poly *sub)
{
    const struct rg__range *r = c->r;
    for (int i = 0; i < r->n_facts; i++)
        for (int k = 0; k < r->facts[i].n; k++) {
            const struct rg__term *x = &r->facts[i].terms[k];
            struct rg__poly coef, rest, zero = rg__poly_int(0), less = rg__poly_add(&zero, &r->facts[i], -1), at;
            if (x->degree != 1 || x->c != 1 || x->var[0] >= RG__ATOM || !rg__poly_mentions(sub, x->var[0])) continue;
            bool both = false;
            for (int j = 0; j < r->n_facts && !both; j++) both = rg__poly_equal(&r->facts[j], &less);
            if (!both || !rg__poly_split(sub, x->var[0], &coef, &rest)) continue;
            at = rg__poly_var(x->var[0]);
            at = rg__poly_add(&at, &r->facts[i], -1);
            at = rg__poly_mul(&coef, &at);
            at = rg__poly_add(&rest, &at, 1);
            if (at.bad || rg__poly_mentions(&at, x->var[0])) continue;
            *sub = at;
            return true;
        }
    return false;
}

static bool part_covered(struct rg__filled_check *c, const struct rg__filled *f, const struct rg_cnode *index,
                         const char *member)
{
    struct rg__poly sub[RG__FILLED_DIMS];
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
    if (c->n_dims != 1 || !by_value(c, &sub[0])) return false;
    rg__range_describe(c->r, &sub[0]);
    for (int i = 0; i < f->n; i++)
        if (f->items[i].is_box && of_member(&f->items[i], member) && inside(c, &f->items[i], 0, &sub[0])) return true;
    return false;
}

/* member NULL: all of the element is read, which its members may have been written to one by one. */
bool rg__filled_covered(struct rg__filled_check *c, const struct rg__filled *f, const struct rg_cnode *index,
                        const char *member)
{
    if (part_covered(c, f, index, member)) return true;
    if (c->last >= 0 && c->at > c->last) return true; /* written by this run, or never, and then nobody may read it */
    if (member || !c->of) return false;
    for (int i = 0; i < c->of->n_fields; i++)
        if (!part_covered(c, f, index, c->of->fields[i].path)) return false;
    return true;
}

/* With one that ends where it begins, it is one region more: a place between their ends lies in one of the two, also
 * where either is empty. */
void rg__filled_add(struct rg__filled *f, const struct rg__region *x, int n_dims)
{
    int n = f->n;
    if (n < RG__MAX_REGIONS) f->items[f->n++] = *x;
    for (int i = 0; i < n && n_dims == 1 && x->is_box && f->n < RG__MAX_REGIONS; i++) {
        const struct rg__region *y = &f->items[i];
        if (!y->is_box || (x->member != y->member && (!x->member || !y->member || strcmp(x->member, y->member))))
            continue;
        struct rg__poly one = rg__poly_int(1), behind = rg__poly_add(&y->high[0], &one, 1);
        if (!rg__poly_equal(&behind, &x->low[0])) continue;
        struct rg__region both = *x;
        both.low[0] = both.from = y->low[0];
        both.to = both.high[0];
        both.is_piece = false;
        f->items[f->n++] = both;
    }
}

struct sweep { /* a loop by 1 */
    int var;
    struct rg__poly start, last;
};

/* The box over all iterations: a dimension that moves with the loop, by its step, is filled without gaps. False: it is
 * not. */
static bool box_over(struct rg__filled_check *c, const struct sweep *loop, struct rg__region *x)
{
    int moved = 0;
    struct rg__poly trips = rg__poly_add(&loop->last, &loop->start, -1);
    const bool runs = rg__prove(c->r, &trips); /* else the least of each iteration alone: none where there is none */
    for (int d = 0; d < c->n_dims; d++) {
        struct rg__poly k, rest;
        if (!rg__poly_mentions(&x->low[d], loop->var) && !rg__poly_mentions(&x->high[d], loop->var)) continue;
        if (!runs) {
            struct rg__poly wide = rg__poly_add(&x->high[d], &x->low[d], -1);
            if (rg__poly_mentions(&wide, loop->var) || !rg__prove(c->r, &wide)) return false;
            x->high[d] = x->low[d];
        }
        int64_t by;
        for (int side = 0; side < 2; side++) {
            struct rg__poly *p = side ? &x->high[d] : &x->low[d];
            if (!rg__poly_split(p, loop->var, &k, &rest) || !rg__poly_is_int(&k, &by) || by != 1) return false;
            *p = rg__poly_add(&rest, side ? &loop->last : &loop->start, 1);
        }
        moved++;
    }
    return moved == 1 || (!moved && runs); /* the same each time, once at least */
}

/* The piece over all iterations: one that moves on by no more than its length leaves no gaps. */
static bool piece_over(struct rg__filled_check *c, const struct sweep *loop, struct rg__region *x)
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
    if (!rg__prove(c->r, &trips)) { /* perhaps none: what each adds alone */
        to = rg__poly_add(&from, &by, 1);
        to = rg__poly_add(&to, &one, -1);
    }
    struct rg__poly first = rg__poly_mul(&by, &loop->start), end = rg__poly_mul(&by, &loop->last);
    x->from = rg__poly_add(&from, &first, 1);
    x->to = rg__poly_add(&to, &end, 1);
    return true;
}

/* False: nothing is known of what the loop fills, up to the iteration in front of the one that runs (`before`). */
bool rg__filled_over_loop(struct rg__filled_check *c, const struct rg_cnode *loop, bool before, struct rg__region *x)
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

bool rg__filled_same_region(const struct rg__filled_check *c, const struct rg__region *x, const struct rg__region *y)
{
    if (x->is_box != y->is_box || x->is_piece != y->is_piece || !x->member != !y->member ||
        (x->member && strcmp(x->member, y->member) != 0))
        return false;
    for (int d = 0; d < c->n_dims && x->is_box; d++)
        if (!rg__poly_equal(&x->low[d], &y->low[d]) || !rg__poly_equal(&x->high[d], &y->high[d])) return false;
    return !x->is_piece || (rg__poly_equal(&x->from, &y->from) && rg__poly_equal(&x->to, &y->to));
}
