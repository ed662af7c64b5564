/* Packed triangles: a[i*(i+1)/2 + j] with 0 <= j <= i, a[i*n - i*(i-1)/2 + j - i] with i <= j < n. Rows begin where the
 * one before ends: the place of a row is no affine subscript, yet two points meet in an element only where row and
 * column are the same. */
#include "ir/range.h"
#include "poly/analysis/scop.h"
#include <stdlib.h>

struct packed {     /* the element col of row `row` */
    int var;        /* the loop's variable that counts rows */
    int64_t shift;  /* growing rows: row = var + shift has row + 1 elements */
    bool shrinking; /* row var has `longest` - var elements */
    struct rg__poly longest, col;
};

/* p as a v^2 + b v + c with numbers a and polynomials b, c without v; false: it is of another form. */
static bool quadratic(const struct rg__poly *p, int v, int64_t *a, struct rg__poly *b, struct rg__poly *c)
{
    *a = 0;
    *b = *c = rg__poly_int(0);
    for (int i = 0; i < p->n; i++) {
        struct rg__poly one = {.n = 1};
        int power = 0, k = 0;
        one.terms[0] = p->terms[i];
        for (int d = 0; d < p->terms[i].degree; d++) {
            if (p->terms[i].var[d] == v)
                power++;
            else
                one.terms[0].var[k++] = p->terms[i].var[d];
        }
        one.terms[0].degree = k;
        if (power > 2 || (power == 2 && k)) return false;
        if (power == 2)
            *a += p->terms[i].c;
        else if (power == 1)
            *b = rg__poly_add(b, &one, 1);
        else
            *c = rg__poly_add(c, &one, 1);
    }
    return !p->bad && !b->bad && !c->bad;
}

static bool is_number(const struct rg__poly *p, int64_t *v)
{
    if (!p->n) return *v = 0, true;
    return rg__poly_is_int(p, v);
}

/* Half of a polynomial all of whose coefficients are even. */
static bool half(const struct rg__poly *p, struct rg__poly *out)
{
    *out = *p;
    for (int i = 0; i < p->n; i++) {
        if (p->terms[i].c % 2) return false;
        out->terms[i].c /= 2;
    }
    return true;
}

/* Ways to read the subscript as a row's place and a column; how many, at most 3. */
static int read_packed(struct rg__range *r, const struct rg_cnode *e, int v, struct packed out[3])
{
    struct rg__poly p = rg__poly_of(r, e), rest = rg__poly_int(0), one = rg__poly_int(1), b, c;
    int atom = -1, n = 0;
    int64_t sign = 0, a, k;
    for (int i = 0; i < p.n && !p.bad; i++) {
        const struct rg__term *t = &p.terms[i];
        struct rg__poly term = {.n = 1};
        term.terms[0] = *t;
        if (t->degree == 1 && t->var[0] >= RG__ATOM && atom < 0 && (t->c == 1 || t->c == -1)) {
            atom = t->var[0] - RG__ATOM;
            sign = t->c;
        } else {
            rest = rg__poly_add(&rest, &term, 1);
        }
    }
    const struct rg_cnode *q = atom >= 0 && !p.bad ? rg__c_uncast(r->atoms[atom], RG__C_WIDE_CASTS) : NULL,
                          *two = q && q->op == RG_COP_DIV ? rg__c_uncast(q->kid[1], RG__C_INT_CASTS) : NULL;
    if (!two || two->kind != RG_C_INT || two->ivalue != 2) return 0;
    struct rg__poly x = rg__poly_of(r, q->kid[0]);
    if (!quadratic(&x, v, &a, &b, &c) || !is_number(&c, &k)) return 0;
    int64_t linear;
    if (sign == 1 && a == 1 && is_number(&b, &linear) && linear % 2) { /* (v + s)(v + s + 1) / 2 */
        int64_t s = (linear - 1) / 2;
        if (k != s * (s + 1)) return 0;
        out[0] = (struct packed){.var = v, .shift = s, .col = rest};
        return 1;
    }
    /* the place of row v is N v - v (v - 1) / 2: in one quotient, or N v beside it */
    struct rg__poly column, coef;
    bool beside = sign == -1 && a == 1 && is_number(&b, &linear) && linear == -1 && !k,
         within = sign == 1 && a == -1 && !k;
    if (beside ? !rg__poly_split(&rest, v, &coef, &column) : !within) return 0;
    struct rg__poly vee = rg__poly_var(v), less = rg__poly_add(&b, &one, -1), whole = rg__poly_int(0);
    if (within && !half(&less, &whole)) return 0;
    for (int64_t own = -1; own <= 1 && beside; own++) { /* the column may have v itself */
        struct rg__poly o = rg__poly_int(own), times = rg__poly_mul(&o, &vee);
        out[n++] = (struct packed){.var = v,
                                   .shrinking = true,
                                   .longest = rg__poly_add(&coef, &o, -1),
                                   .col = rg__poly_add(&column, &times, 1)};
    }
    if (within) out[n++] = (struct packed){.var = v, .shrinking = true, .longest = whole, .col = rest};
    return n;
}

static isl_pw_aff *value(struct poly_scop *s, const struct poly_stmt *st, isl_space *sp, struct rg__range *r,
                         const struct rg__poly *p)
{
    return rg__poly_aff(s, st->loops, st->depth, sp, rg__poly_node(r, p));
}

/* Does the column stay within its row wherever the statement runs? */
static bool within_row(struct poly_scop *s, const struct poly_stmt *st, struct rg__range *r, const struct packed *k)
{
    struct rg__poly v = rg__poly_var(k->var), shift = rg__poly_int(k->shift), one = rg__poly_int(1),
                    row = rg__poly_add(&v, &shift, 1);
    struct rg__poly past = k->shrinking ? rg__poly_add(&k->longest, &v, -1) : rg__poly_add(&row, &one, 1),
                    gap = rg__poly_add(&past, &k->col, -1);
    isl_space *sp = isl_set_get_space(st->domain);
    isl_pw_aff *col = value(s, st, sp, r, &k->col), *left = value(s, st, sp, r, &gap),
               *first = value(s, st, sp, r, &row);
    bool in = col && left && first;
    if (in) {
        isl_pw_aff *zero = isl_pw_aff_sub(isl_pw_aff_copy(col), isl_pw_aff_copy(col));
        isl_set *set = isl_pw_aff_ge_set(isl_pw_aff_copy(col), isl_pw_aff_copy(zero));
        set = isl_set_intersect(set, isl_pw_aff_gt_set(isl_pw_aff_copy(left), isl_pw_aff_copy(zero)));
        set = isl_set_intersect(set, isl_pw_aff_ge_set(isl_pw_aff_copy(first), zero));
        in = isl_set_is_subset(st->domain, set) == isl_bool_true && rg__poly_isl_ok(s);
        isl_set_free(set);
    }
    isl_pw_aff_free(col);
    isl_pw_aff_free(left);
    isl_pw_aff_free(first);
    isl_space_free(sp);
    return in;
}

static bool packed_of(struct poly_scop *s, const struct poly_stmt *st, struct rg__range *r, const struct rg_cnode *e,
                      struct packed *out)
{
    for (int d = 0; d < st->depth; d++) {
        struct packed k[3];
        int v = s->loops[st->loops[d]].var, n = rg__c_mentions_var(e, v) ? read_packed(r, e, v, k) : 0;
        for (int i = 0; i < n; i++)
            if (!k[i].col.bad && !k[i].longest.bad && within_row(s, st, r, &k[i])) return *out = k[i], true;
    }
    return false;
}

isl_map *rg__poly_packed(struct poly_scop *s, const struct poly_access *a, const struct poly_access *b, int d)
{
    const struct poly_stmt *sa = &s->stmts[a->stmt], *sb = &s->stmts[b->stmt];
    struct rg__range *r = rg_xmalloc(sizeof *r);
    struct packed ka, kb;
    struct rg_ctree own = *s->tree; /* what is made here is not kept */
    isl_map *m = NULL;
    own.arena = (struct rg_arena)RG_ARENA_INIT;
    rg__range_init(r, &own, NULL);
    bool both = packed_of(s, sa, r, a->node->kid[d], &ka) && packed_of(s, sb, r, b->node->kid[d], &kb) &&
                ka.shrinking == kb.shrinking;
    if (both && (!ka.shrinking || rg__poly_equal(&ka.longest, &kb.longest))) {
        const struct packed *k[2] = {&ka, &kb};
        const struct poly_stmt *st[2] = {sa, sb};
        isl_map *row[2], *col[2];
        for (int i = 0; i < 2; i++) {
            struct rg__poly v = rg__poly_var(k[i]->var), shift = rg__poly_int(k[i]->shift),
                            at = rg__poly_add(&v, &shift, 1);
            isl_space *sp = isl_set_get_space(st[i]->domain);
            row[i] = isl_map_from_pw_aff(value(s, st[i], sp, r, &at));
            col[i] = isl_map_from_pw_aff(value(s, st[i], sp, r, &k[i]->col));
            isl_space_free(sp);
        }
        m = isl_map_intersect(isl_map_apply_range(row[0], isl_map_reverse(row[1])),
                              isl_map_apply_range(col[0], isl_map_reverse(col[1])));
    }
    rg_arena_release(&own.arena);
    free(r);
    return m;
}
