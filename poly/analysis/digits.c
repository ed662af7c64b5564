/* Places counted in rows whose length is a parameter, or some of them: t * n + o with 0 <= o < n, (t * m + h) * n + o
 * likewise, and t * (144 * n) + o with 0 <= o < 144 * n. Such a subscript is not affine, yet it is a number written in
 * digits: two are equal only where each digit is. So it is with x[e / m][e % m], rows of what was flat, and their e. */
#include "ir/range.h"
#include "poly/analysis/scop.h"
#include <stdlib.h>

enum { MAX_DIGITS = 4 };

struct digits { /* value[0] + radix[0] * (value[1] + radix[1] * ...); the last has no radix */
    int n, radix[MAX_DIGITS];
    int64_t times[MAX_DIGITS]; /* the radix, of it */
    struct rg__poly value[MAX_DIGITS];
};

/* Nothing in it wraps round at less than 64 bits. */
static bool exact(const struct rg_cnode *e)
{
    bool counts = e->op == RG_COP_ADD || e->op == RG_COP_SUB || e->op == RG_COP_MUL || e->op == RG_COP_SHL ||
                  e->op == RG_COP_NEG || e->kind == RG_C_CAST;
    if (counts && rg_scalar_bytes(e->type) < 8 && (!rg_scalar_is_signed(e->type) || rg_scalar_bytes(e->type) < 4))
        return false;
    for (int i = 0; i < e->n; i++)
        if (!exact(e->kid[i])) return false;
    return true;
}

static bool is_param(const struct poly_scop *s, int v)
{
    return v < RG__ATOM && s->tree->vars[v].kind == RG_CVAR_PARAM && !s->tree->vars[v].assigned;
}

/* Of loops around the statement and of parameters. */
static bool known(const struct poly_scop *s, const struct poly_stmt *st, const struct rg__poly *p)
{
    for (int i = 0; i < p->n; i++)
        for (int k = 0; k < p->terms[i].degree; k++) {
            int v = p->terms[i].var[k];
            bool around = false;
            for (int d = 0; d < st->depth; d++) around = around || s->loops[st->loops[d]].var == v;
            if (!around && !is_param(s, v)) return false;
        }
    return true;
}

/* p = above * n + rest, term by term. */
static void divide(const struct rg__poly *p, int n, struct rg__poly *above, struct rg__poly *rest)
{
    *above = *rest = rg__poly_int(0);
    for (int i = 0; i < p->n; i++) {
        struct rg__poly one = {.n = 1};
        int k = 0;
        one.terms[0] = p->terms[i];
        while (k < one.terms[0].degree && one.terms[0].var[k] != n) k++;
        bool part = k < one.terms[0].degree;
        if (part) {
            one.terms[0].degree--;
            for (; k < one.terms[0].degree; k++) one.terms[0].var[k] = one.terms[0].var[k + 1];
        }
        struct rg__poly *to = part ? above : rest;
        *to = rg__poly_add(to, &one, 1);
    }
}

static bool affine(const struct rg__poly *p)
{
    for (int i = 0; i < p->n; i++)
        if (p->terms[i].degree > 1) return false;
    return !p->bad;
}

static isl_pw_aff *value(struct poly_scop *s, const struct poly_stmt *st, isl_space *sp, struct rg__range *r,
                         const struct rg__poly *p)
{
    return rg__poly_aff(s, st->loops, st->depth, sp, rg__poly_node(r, p));
}

/* Is it 0 .. end - 1 wherever the statement runs? */
static bool below(struct poly_scop *s, const struct poly_stmt *st, struct rg__range *r, const struct rg__poly *v,
                  const struct rg__poly *end)
{
    struct rg__poly none = rg__poly_int(0);
    isl_space *sp = isl_set_get_space(st->domain);
    isl_pw_aff *at = value(s, st, sp, r, v), *past = value(s, st, sp, r, end), *zero = value(s, st, sp, r, &none);
    isl_space_free(sp);
    bool in = at && past && zero;
    if (in) {
        isl_set *set = isl_set_intersect(isl_pw_aff_ge_set(isl_pw_aff_copy(at), isl_pw_aff_copy(zero)),
                                         isl_pw_aff_lt_set(isl_pw_aff_copy(at), isl_pw_aff_copy(past)));
        in = isl_set_is_subset(st->domain, set) == isl_bool_true && rg__poly_isl_ok(s);
        isl_set_free(set);
    }
    isl_pw_aff_free(at);
    isl_pw_aff_free(past);
    isl_pw_aff_free(zero);
    return in;
}

/* The greatest number that all terms are multiples of; they are divided by it. */
static int64_t common_factor(struct rg__poly *p)
{
    int64_t all = 0;
    for (int i = 0; i < p->n; i++)
        for (int64_t a = p->terms[i].c, b; a; all = a, a = b) b = all % a;
    if (all < 0) all = -all;
    for (int i = 0; i < p->n && all > 1; i++) p->terms[i].c /= all;
    return all;
}

/* The last digit of p, to base times * n: what is left without n, or as much more or less than that where it then is
 * one (`x * n + n - 1 - y`). */
static bool last_digit(struct poly_scop *s, const struct poly_stmt *st, struct rg__range *r, const struct rg__poly *p,
                       int n, struct rg__poly *above, struct rg__poly *digit, int64_t *times)
{
    static const int carries[] = {0, 1, -1};
    struct rg__poly quotient, rest, radix = rg__poly_var(n), one = rg__poly_int(1), none = rg__poly_int(0);
    divide(p, n, &quotient, &rest);
    if (!affine(&rest) || quotient.bad) return false;
    *times = common_factor(&quotient);
    if (*times < 1 || *times > 1 << 24) return false;
    radix = rg__poly_add(&none, &radix, *times);
    for (size_t i = 0; i < sizeof carries / sizeof *carries; i++) {
        *digit = rg__poly_add(&rest, &radix, carries[i]);
        *above = rg__poly_add(&quotient, &one, -carries[i]);
        if (affine(digit) && !above->bad && below(s, st, r, digit, &radix)) return true;
    }
    return false;
}

static bool read_digits(struct poly_scop *s, const struct poly_stmt *st, struct rg__range *r, struct rg__poly p,
                        struct digits *out)
{
    for (out->n = 0; out->n < MAX_DIGITS; out->n++) {
        bool found = affine(&p);
        out->value[out->n] = p;
        out->radix[out->n] = -1;
        out->times[out->n] = 1;
        if (found) {
            out->n++;
            return true;
        }
        for (int i = 0; i < p.n && !found; i++)
            for (int k = 0; k < p.terms[i].degree && !found; k++) {
                struct rg__poly above, rest;
                int n = p.terms[i].var[k];
                if (!is_param(s, n) || p.terms[i].degree < 2) continue;
                found = last_digit(s, st, r, &p, n, &above, &rest, &out->times[out->n]);
                if (!found) continue;
                out->value[out->n] = rest;
                out->radix[out->n] = n;
                p = above;
            }
        if (!found) return false;
    }
    return false;
}

/* one: of one digit, too, which is affine by itself */
static isl_map *equal_digits(struct poly_scop *s, const struct poly_stmt *const *st, const struct rg_cnode *const *e,
                             bool one)
{
    struct rg__range *r = rg_xmalloc(sizeof *r);
    struct digits *g = rg_xcalloc(2, sizeof *g);
    struct rg_ctree own = *s->tree; /* what is made here is not kept */
    isl_map *m = NULL;
    bool ok = true;
    own.arena = (struct rg_arena)RG_ARENA_INIT;
    rg__range_init(r, &own, NULL);
    for (int i = 0; i < 2 && ok; i++) {
        struct rg__poly p = rg__poly_of(r, e[i]);
        ok = !p.bad && exact(e[i]) && known(s, st[i], &p) && read_digits(s, st[i], r, p, &g[i]) && (one || g[i].n > 1);
    }
    ok = ok && g[0].n == g[1].n;
    for (int d = 0; ok && d < g[0].n; d++) ok = g[0].radix[d] == g[1].radix[d] && g[0].times[d] == g[1].times[d];
    for (int d = 0; ok && d < g[0].n; d++) {
        isl_map *side[2] = {NULL, NULL};
        for (int i = 0; i < 2; i++) {
            isl_space *sp = isl_set_get_space(st[i]->domain);
            side[i] = isl_map_from_pw_aff(value(s, st[i], sp, r, &g[i].value[d]));
            isl_space_free(sp);
        }
        isl_map *same = isl_map_apply_range(side[0], isl_map_reverse(side[1]));
        m = m ? isl_map_intersect(m, same) : same;
    }
    rg_arena_release(&own.arena);
    free(r);
    free(g);
    return m;
}

isl_map *rg__poly_digits(struct poly_scop *s, const struct poly_access *a, const struct poly_access *b, int d)
{
    const struct poly_stmt *st[2] = {&s->stmts[a->stmt], &s->stmts[b->stmt]};
    const struct rg_cnode *flat[2] = {rg_c_linear(s->tree, a->node), rg_c_linear(s->tree, b->node)},
                          *own[2] = {a->node->kid[d], b->node->kid[d]};
    bool both = flat[0] && flat[1];
    return equal_digits(s, st, both ? flat : own, both);
}
