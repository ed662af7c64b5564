/* What an iteration of a thread's loop leaves for those right after it (p[i][j] from p[i][j-1]) stays in registers:
 * without that every step of a recurrence waits for a value that was stored a moment ago. The stores are made all the
 * same. */
#include "poly/reorder/reorder.h"
#include "poly/cuda/print.h"
#include <string.h>

/* How many iterations of the loop before, `read` was written by `write`: 0 in the same one, or never. */
static int64_t distance(const struct poly_loop *l, const struct poly_access *write, const struct poly_access *read)
{
    int64_t steps = 0;
    if (read->n_subs != write->n_subs) return 0;
    for (int d = 0; d < write->n_subs; d++) {
        const struct poly_linear *w = &write->sub[d], *r = &read->sub[d];
        int64_t along = w->ok ? rg__poly_linear_coef(w, l->var) : 0, apart;
        if (!w->ok || !r->ok || !rg__poly_linear_same_terms(w, r) || __builtin_sub_overflow(w->k, r->k, &apart))
            return 0;
        if (!along) {
            if (apart) return 0;
            continue;
        }
        if (__builtin_mul_overflow(along, l->step, &along) || apart % along || (steps && apart / along != steps))
            return 0;
        steps = apart / along;
        if (!steps) return 0;
    }
    return steps;
}

struct looking {
    const struct poly_scop *s;
    const struct poly_knode *loop;
    int array, writes;
    bool bad;
    const struct poly_knode *leaf;
    const struct poly_access *write;
};

static bool directly_in(const struct poly_knode *loop, const struct poly_knode *leaf)
{
    const struct poly_knode *b = loop->kid[0];
    for (int i = 0; b && b->kind == KN_SEQ && i < b->n; i++)
        if (b->kid[i] == leaf) return true;
    return b == leaf;
}

static bool look(void *arg, const struct poly_knode *k)
{
    struct looking *w = arg;
    int id = k->kind == KN_LEAF ? rg__poly_stmt_of(w->s, k->node) : -1;
    for (int i = 0; id >= 0 && i < w->s->stmts[id].n_accesses; i++) {
        const struct poly_access *a = &w->s->accesses[w->s->stmts[id].first_access + i];
        if (a->array != w->array || !a->write) continue;
        const struct rg_cnode *e = k->node->kind == RG_C_STMT && k->node->n ? k->node->kid[0] : NULL;
        w->writes++;
        w->bad = w->bad || a->whole || a->member || !a->affine || !directly_in(w->loop, k) || !e ||
                 e->kind != RG_C_ASSIGN || e->kid[0] != a->node;
        w->leaf = k;
        w->write = a;
    }
    return true;
}

/* The reference that reads in every iteration what was written so many before; NULL. */
static const struct poly_access *certain_read(const struct poly_scop *s, const struct poly_knode *loop,
                                              const struct poly_access *write, int64_t before)
{
    const struct poly_knode *b = loop->kid[0];
    for (int i = 0; i < (b->kind == KN_SEQ ? b->n : 1); i++) {
        const struct poly_knode *k = b->kind == KN_SEQ ? b->kid[i] : b;
        int id = k->kind == KN_LEAF && k->node->kind != RG_C_OPAQUE ? rg__poly_stmt_of(s, k->node) : -1;
        for (int u = 0; id >= 0 && u < s->stmts[id].n_accesses; u++) {
            const struct poly_access *a = &s->accesses[s->stmts[id].first_access + u];
            if (a->array == write->array && a->read && !a->write && a->certain && !a->whole &&
                distance(&s->loops[loop->loop], write, a) == before)
                return a;
        }
    }
    return NULL;
}

static bool taken(const struct poly_print *pr, int array)
{
    const struct rg_carray *c = &pr->t->arrays[array];
    bool is = c->elem == RG_STRUCT || c->constant_table || (c->param < 0 && !pr->p->array_scratch[array]) ||
              (pr->k->atomic && pr->k->atomic[array]);
    for (int i = 0; i < pr->n_promoted; i++) is = is || pr->promoted[i].array == array;
    for (int i = 0; i < pr->n_acc; i++) is = is || pr->acc[i].array == array;
    for (int i = 0; i < pr->n_kept; i++) is = is || pr->kept[i].write->array == array;
    return is;
}

/* The loop's first value, of its counter's type: what is added to it is added in that. */
static struct rg_cnode *first_value(struct poly_print *pr, const struct poly_loop *l)
{
    struct rg_cnode *lower = l->node->kid[0];
    enum rg_scalar type = pr->t->vars[l->var].type;
    if (rg_scalar_bytes(lower->type) >= rg_scalar_bytes(type)) return lower;
    struct rg_cnode *c = rg__c_shallow(&pr->arena, lower);
    c->kind = RG_C_CAST;
    c->op = RG_COP_NONE;
    c->text = NULL; /* a literal's digits were no type */
    c->type = type;
    c->n = 1;
    c->kid = rg_arena_alloc(&pr->arena, sizeof *c->kid);
    c->kid[0] = lower;
    return c;
}

/* The literal that a cast for its type alone holds. */
static const struct rg_cnode *literal(const struct rg_cnode *n)
{
    while (n->kind == RG_C_CAST && n->kid[0]->kind == RG_C_INT && !rg_scalar_is_real(n->type) &&
           rg_scalar_bytes(n->type) >= 4)
        n = n->kid[0];
    return n;
}

/* The expression where the loop begins. */
static struct rg_cnode *at_start(struct poly_print *pr, const struct poly_loop *l, const struct rg_cnode *n)
{
    if (n->kind == RG_C_VAR && n->array < 0 && n->var == l->var) return first_value(pr, l);
    struct rg_cnode *c = rg__c_shallow(&pr->arena, n);
    for (int i = 0; i < n->n; i++)
        if (n->kid[i]) c->kid[i] = at_start(pr, l, n->kid[i]);
    const struct rg_cnode *x = c->n == 2 ? literal(c->kid[0]) : NULL, *y = c->n == 2 ? literal(c->kid[1]) : NULL;
    int64_t v;
    if ((c->op == RG_COP_ADD || c->op == RG_COP_SUB) && x->kind == RG_C_INT && y->kind == RG_C_INT &&
        !(c->op == RG_COP_ADD ? __builtin_add_overflow(x->ivalue, y->ivalue, &v)
                              : __builtin_sub_overflow(x->ivalue, y->ivalue, &v)) &&
        v >= 0) {
        c->kind = RG_C_INT;
        c->op = RG_COP_NONE;
        c->text = rg__poly_printf(pr, "%lld", (long long)v);
        c->ivalue = v;
        c->n = 0;
    }
    return c;
}

int rg__poly_keep_open(struct poly_print *pr, const struct poly_knode *k)
{
    const struct poly_scop *s = pr->s;
    int before = pr->n_kept, most = (int)(sizeof pr->kept / sizeof *pr->kept);
    bool thread = pr->k->form == POLY_THREADS || pr->k->form == POLY_SINGLE;
    if (!thread || pr->scan || pr->tiled || s->problem->may_alias || s->loops[k->loop].node->n > 3) return 0;
    for (int a = 0; a < pr->t->n_arrays && pr->n_kept < most; a++) {
        struct looking w = {.s = s, .loop = k, .array = a};
        if (taken(pr, a)) continue;
        rg__poly_knode_walk(k, look, &w);
        if (w.writes != 1 || w.bad) continue;
        struct poly_kept c = {.loop = k->loop, .leaf = w.leaf->node, .write = w.write};
        while (c.depth < POLY_KEEP_MOST && (c.first[c.depth] = certain_read(s, k, w.write, c.depth + 1))) c.depth++;
        if (c.depth) pr->kept[pr->n_kept++] = c;
    }
    int n = pr->n_kept - before;
    pr->n_kept = before; /* not yet: what stands before the loop reads memory */
    return n;
}

void rg__poly_keep_start(struct poly_print *pr, int n)
{
    for (int i = pr->n_kept; i < pr->n_kept + n; i++) {
        struct poly_kept *c = &pr->kept[i];
        const char *array = rg__poly_array_name(pr, c->write->array), *type = rg__poly_elem_type(pr, c->write->array);
        for (int d = 0; d <= c->depth; d++) {
            const char *base = d == 0 ? "now" : d == 1 ? "before" : rg__poly_printf(pr, "before%d", d);
            c->name[d] = rg__poly_fresh(pr, "%.60s_%s", array, base);
        }
        for (int d = 1; d <= c->depth; d++)
            rg__poly_line(pr, "%s %s = %s;", type, c->name[d],
                          rg__poly_text(pr, at_start(pr, &pr->s->loops[c->loop], c->first[d - 1]->node)));
    }
    pr->n_kept += n;
}

void rg__poly_keep_next(struct poly_print *pr, int n)
{
    for (int i = pr->n_kept - n; i < pr->n_kept; i++)
        for (int d = pr->kept[i].depth; d >= 1; d--)
            rg__poly_line(pr, "%s = %s;", pr->kept[i].name[d], pr->kept[i].name[d - 1]);
}

bool rg__poly_keep_leaf(struct poly_print *pr, const struct rg_cnode *n)
{
    for (int i = 0; i < pr->n_kept; i++) {
        const struct poly_kept *c = &pr->kept[i];
        if (c->leaf != n) continue;
        const struct rg_cnode *e = n->kid[0];
        const char *type = rg__poly_elem_type(pr, c->write->array), *place = rg__poly_text(pr, e->kid[0]),
                   *value = rg__poly_text(pr, e->kid[1]);
        if (e->op == RG_COP_SET) {
            rg__poly_line(pr, "const %s %s = %s;", type, c->name[0], value);
        } else {
            rg__poly_line(pr, "%s %s = %s;", type, c->name[0], place);
            rg__poly_line(pr, "%s %s %s;", c->name[0], rg_c_op_text(e->op), value);
        }
        rg__poly_line(pr, "%s = %s;", place, c->name[0]);
        return true;
    }
    return false;
}

const char *rg__poly_keep_read(const struct poly_print *pr, const struct poly_access *a)
{
    for (int i = 0; i < pr->n_kept && a->read && !a->write && !a->whole; i++) {
        const struct poly_kept *c = &pr->kept[i];
        if (c->write->array != a->array) continue;
        int64_t d = distance(&pr->s->loops[c->loop], c->write, a);
        return d >= 1 && d <= c->depth ? c->name[d] : NULL;
    }
    return NULL;
}
