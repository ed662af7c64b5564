/* A loop and the one right inside it change places, where every dependence still points forward; bounds that lean on
 * the outer variable are turned round with them. */
#include "poly/kernel/kernel.h"
#include "poly/kernel/mapping.h"
#include "poly/reorder/reorder.h"
#include "poly/reorder/scheduler.h"
#include <stdlib.h>
#include <string.h>

struct turning {
    struct rg_arena *a;
    const struct poly_scop *s;
    const struct rg_cnode *at;
    enum rg_scalar type; /* of both loops' variables */
};

static struct rg_cnode *number_node(const struct turning *t, int64_t v)
{
    struct rg_cnode *c = rg__c_new(t->a, RG_C_INT, RG_COP_NONE, t->type, 0, t->at);
    c->ivalue = v;
    return c;
}

static struct rg_cnode *two(const struct turning *t, enum rg_c_kind kind, enum rg_c_op op, const struct rg_cnode *x,
                            const struct rg_cnode *y)
{
    struct rg_cnode *c = rg__c_new(t->a, kind, op, t->type, 2, t->at);
    c->kid[0] = (struct rg_cnode *)x;
    c->kid[1] = (struct rg_cnode *)y;
    return c;
}

static struct rg_cnode *call(const struct turning *t, const char *name, const struct rg_cnode *x,
                             const struct rg_cnode *y)
{
    struct rg_cnode *c = two(t, RG_C_CALL, RG_COP_NONE, x, y);
    c->text = name;
    return c;
}

/* What is added first, be it the constant alone, then what is taken away. */
static struct rg_cnode *linear_node(const struct turning *t, const struct poly_linear *l)
{
    bool any = false;
    for (int i = 0; i < l->n; i++) any = any || l->term[i].c > 0;
    struct rg_cnode *c = any ? NULL : number_node(t, l->k);
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < l->n; i++) {
            int64_t k = l->term[i].c, m = k < 0 ? -k : k;
            if ((pass == 0) != (k > 0) || k == 0) continue;
            struct rg_cnode *v =
                rg__c_new(t->a, RG_C_VAR, RG_COP_NONE, t->s->tree->vars[l->term[i].var].type, 0, t->at);
            v->var = l->term[i].var;
            if (m != 1) v = two(t, RG_C_BINARY, RG_COP_MUL, number_node(t, m), v);
            c = c ? two(t, RG_C_BINARY, k < 0 ? RG_COP_SUB : RG_COP_ADD, c, v) : v;
        }
    return l->k == 0 || !any
               ? c
               : two(t, RG_C_BINARY, l->k < 0 ? RG_COP_SUB : RG_COP_ADD, c, number_node(t, l->k < 0 ? -l->k : l->k));
}

static void add_term(struct poly_linear *l, int var, int64_t c)
{
    for (int i = 0; i < l->n; i++)
        if (l->term[i].var == var) {
            l->term[i].c += c;
            return;
        }
    if (l->n == POLY_MAX_TERMS) {
        l->ok = false;
        return;
    }
    l->term[l->n].var = var;
    l->term[l->n++].c = c;
}

/* x + by * y + k */
static struct poly_linear sum(const struct poly_linear *x, const struct poly_linear *y, int64_t by, int64_t k)
{
    struct poly_linear l = *x;
    for (int i = 0; i < y->n; i++) add_term(&l, y->term[i].var, by * y->term[i].c);
    l.k += by * y->k + k;
    l.ok = x->ok && y->ok && l.ok;
    return l;
}

/* The new bounds of both loops: j outside from jl to ju, i inside from il to iu. */
struct bounds {
    const struct rg_cnode *jl, *ju, *il, *iu;
};

/* Is it never less than y, by their terms alone? */
static bool not_less(const struct poly_linear *x, const struct poly_linear *y)
{
    struct poly_linear d = sum(x, y, -1, 0);
    for (int i = 0; i < d.n; i++)
        if (d.term[i].c) return false;
    return d.ok && d.k >= 0;
}

/* One of j's bounds is sign * i + rest: solved for i, it bounds i by j; j's own takes the end of i's range that reaches
 * furthest. */
static bool turn_bound(const struct turning *t, const struct poly_loop *i, const struct poly_loop *j, bool upper,
                       struct bounds *b)
{
    struct poly_linear lo = i->lower, hi = i->upper, e = rg__poly_linear_of(t->s->tree, j->node->kid[upper]),
                       jv = {.ok = true}, out;
    int64_t c = e.ok ? rg__poly_linear_coef(&e, i->var) : 0;
    add_term(&jv, j->var, 1);
    if ((c != 1 && c != -1) || !lo.ok || !hi.ok) return false;
    add_term(&e, i->var, -c);     /* the rest */
    bool last = (c > 0) == upper; /* i's last value is the one that reaches furthest */
    out = sum(&e, last ? &hi : &lo, c, last ? -c : 0);
    if (!out.ok) return false;
    *(upper ? &b->ju : &b->jl) = linear_node(t, &out);
    /* where j's other bound is what keeps i in its own range, that needs no saying */
    struct poly_linear end = upper ? j->lower : j->upper, edge;
    bool other = end.ok && !rg__poly_linear_coef(&end, i->var);
    end.k -= !upper;
    /* j < i + r: i >= j - r + 1;  j >= i + r: i < j - r + 1;  j < r - i: i < r - j;  j >= r - i: i >= r - j */
    out = c > 0 ? sum(&jv, &e, -1, 1) : sum(&e, &jv, -1, 0);
    const struct rg_cnode **bound = last ? &b->il : &b->iu, *new = linear_node(t, &out);
    edge = out;
    add_term(&edge, j->var, -c);
    edge = sum(&edge, &end, c, 0); /* at the last of j's values on its other side */
    bool implied = other && (last ? not_less(&edge, &lo) : not_less(&hi, &edge));
    *bound = implied ? new : call(t, last ? "max" : "min", *bound, new);
    return out.ok;
}

static bool turn(const struct turning *t, const struct poly_loop *i, const struct poly_loop *j, struct bounds *b)
{
    *b = (struct bounds){j->node->kid[0], j->node->kid[1], i->node->kid[0], i->node->kid[1]};
    bool low = rg__poly_mentions_loop(t->s, b->jl, i->id), high = rg__poly_mentions_loop(t->s, b->ju, i->id);
    if (!low && !high) return true;
    enum rg_scalar x = t->s->tree->vars[i->var].type, y = t->s->tree->vars[j->var].type;
    return i->step == 1 && j->step == 1 && x == y && rg_scalar_is_signed(x) &&
           (!low || turn_bound(t, i, j, false, b)) && (!high || turn_bound(t, i, j, true, b));
}

const struct rg_ctree *rg__poly_swap_loops(struct poly_scop *s, int loop, int number, struct rg_arena *a,
                                           struct rg_reason *why)
{
    const struct poly_loop *l = &s->loops[loop], *in = NULL;
    const char *file = s->problem->file;
    struct poly_items items = {0};
    char text[256];
    rg__poly_flatten(&items, l->node->kid[2]);
    int work = 0;
    for (int i = 0; i < items.n; i++)
        if (!rg__poly_plain_decl(items.at[i]) || items.at[i]->array >= 0) {
            in = items.at[i]->kind == RG_C_LOOP ? &s->loops[rg__poly_loop_of(s, items.at[i])] : NULL;
            work++;
        }
    if (work != 1 || !in || l->node->n > 3 || in->node->n > 3) {
        rg_refuse(why, RG_REFUSE_SHAPE, l->node->line, "loop %s (%s:%d) has not one loop alone right inside it",
                  l->name, file, l->node->line);
        free(items.at);
        return NULL;
    }
    struct poly_conflict c = rg__poly_turned(s, loop, in->id);
    if (c.found) {
        free(items.at);
        const char *on = c.array >= 0 ? s->tree->arrays[c.array].name : s->tree->vars[c.var].name;
        snprintf(text, sizeof text, "%s:%d", file, s->stmts[c.stmt_a].line);
        if (c.limit)
            rg_refuse(why, RG_REFUSE_ANALYSIS, l->node->line,
                      "whether loops %s and %s (%s:%d) may change places took too long to decide, for %s (%s)", l->name,
                      in->name, file, l->node->line, on, text);
        else
            rg_refuse(
                why, RG_REFUSE_DEPENDENCE, l->node->line,
                "loops %s and %s (%s:%d) can't change places: a dependence (%s) on %s goes forward in %s and back "
                "in %s, %s",
                l->name, in->name, file, l->node->line, c.kind, on, l->name, in->name, text);
        return NULL;
    }
    struct bounds b;
    struct turning t = {a, s, l->node, s->tree->vars[l->var].type};
    if (!turn(&t, l, in, &b)) {
        rg_refuse(why, RG_REFUSE_BOUNDS, in->node->line,
                  "the bounds of loop %s (%s:%d) lean on %s in a way that can't be turned round", in->name, file,
                  in->node->line, l->name);
        free(items.at);
        return NULL;
    }
    struct rg_cnode *outer = rg__c_shallow(a, in->node), *inner = rg__c_shallow(a, l->node);
    const struct rg_cnode *body[64];
    int n = 0;
    for (int i = 0; i < items.n && n < 63; i++) /* declarations go along */
        if (items.at[i] != in->node) body[n++] = items.at[i];
    free(items.at);
    body[n++] = in->node->kid[2];
    outer->kid[0] = (struct rg_cnode *)b.jl;
    outer->kid[1] = (struct rg_cnode *)b.ju;
    inner->kid[0] = (struct rg_cnode *)b.il;
    inner->kid[1] = (struct rg_cnode *)b.iu;
    inner->kid[2] = rg__poly_block_of(a, body, n, in->node);
    const struct rg_cnode *only = inner;
    outer->kid[2] = rg__poly_block_of(a, &only, 1, l->node);
    outer->made = rg_arena_printf(a, "interchange: %s outside %s", in->name, l->name);
    inner->made = NULL;
    outer->edit = inner->edit = number / POLY_ROUNDS;
    struct rg_ctree *tree = rg_arena_alloc(a, sizeof *tree);
    *tree = *s->tree;
    tree->root = rg__poly_tree_with(a, s->tree->root, l->node, outer);
    return tree;
}
