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
    for (int d = 0; d < c->n_dims; d++) sub[d] = rg__poly_of(c->r, index->kid[d]);
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
    for (int i = 0; i < e->n; i++) reads(c, f, e->kid[i], except);
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

/* Regions whose ends the code changes are no longer known. */
static void forget(struct check *c, struct filled *f, const struct rg_cnode *code)
{
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
    return x->is_box || x->is_piece;
}

/* ---- code ---- */

static void statement(struct check *c, struct filled *f, const struct rg_cnode *s);

/* Bounds that data decide (len[b]) say something of the loop's variable, too. */
static void iteration(struct check *c, struct filled *inside, const struct rg_cnode *s)
{
    struct rg__range *r = c->r;
    int facts = r->n_facts;
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
    r->n_facts = facts;
}

static void loop(struct check *c, struct filled *f, const struct rg_cnode *s)
{
    struct rg__range *r = c->r;
    reads(c, f, s->kid[0], NULL);
    reads(c, f, s->kid[1], NULL);
    if (s->n > 3) reads(c, f, s->kid[3], NULL);
    if (r->n_loops == RG__MAX_NEST) c->failed = true;
    if (c->failed) return;
    forget(c, f, s);
    bool each = s->step == 1 && s->n <= 3 && !rg__leaves_loop(s->kid[2]) && /* else it may end early, or leave gaps */
                !rg__continues_loop(s->kid[2]) && !rg__mentions_kind(s->kid[2], RG_C_RETURN) &&
                !rg__mentions_kind(s->kid[2], RG_C_GOTO);
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
    forget(c, f, s);
    int facts = c->r->n_facts;
    struct filled *arm = rg_xmalloc(2 * sizeof *arm);
    for (int i = 1; i < s->n && !c->failed; i++) {
        arm[i - 1] = *f;
        struct rg__poly said = rg__poly_of(c->r, s->kid[0]); /* its parts, as one atom or more */
        if (!said.bad && !changed(c, &said, s)) rg__range_assume(c->r, s->kid[0], i == 1);
        statement(c, &arm[i - 1], s->kid[i]);
        c->r->n_facts = facts;
    }
    const int before = f->n;
    bool both = s->n > 2 && s->kid[1] && s->kid[2] && !c->failed; /* what is written on either way is */
    for (int i = before; both && i < arm[0].n; i++)
        for (int k = 0; k < arm[1].n; k++)
            if (same_region(c, &arm[0].items[i], &arm[1].items[k])) {
                add(f, &arm[0].items[i], c->n_dims);
                break;
            }
    free(arm);
}

static void statement(struct check *c, struct filled *f, const struct rg_cnode *s)
{
    if (!s || c->failed) return;
    if (!rg__c_mentions_array(s, c->array)) {
        if (s->kind == RG_C_VERBATIM || rg__mentions_kind(s, RG_C_VERBATIM)) c->failed = true;
        forget(c, f, s);
        return;
    }
    switch (s->kind) {
    case RG_C_BLOCK:
        for (int i = 0; i < s->n; i++) {
            if (s == c->body) c->at = i;
            statement(c, f, s->kid[i]);
        }
        return;
    case RG_C_OPAQUE:
        statement(c, f, s->kid[0]);
        return;
    case RG_C_LOOP:
        loop(c, f, s);
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

static bool fills(struct rg_ctree *t, const struct rg_problem *p, const struct rg__given *given, int array,
                  const struct rg_cnode *const *around, int n_around, const struct rg_cnode *body, bool in_turn)
{
    const struct rg_carray *x = &t->arrays[array];
    struct check c = {.t = t, .array = array, .n_dims = x->n_dims, .r = rg_xmalloc(sizeof *c.r)};
    if (x->elem == RG_STRUCT) c.of = &p->structs[x->struct_index];
    struct filled *f = rg_xcalloc(1, sizeof *f);
    struct rg__poly one = rg__poly_int(1), below = one;
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
