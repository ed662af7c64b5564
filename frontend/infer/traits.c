/* Words of rg/words.h for the problem as a whole, and its class. Syntactic: what a coder proves about a site is finer.
 */
#include "frontend/infer/infer.h"
#include "frontend/infer/values.h"
#include "ir/access_walk.h"
#include <rg/words.h>
#include <stdlib.h>
#include <string.h>

struct summary {
    const struct rg_problem *p;
    struct rg_ctree *t;
    struct rg__writes writes;
    uint32_t traits;
    const struct rg_cnode *loops[RG__MAX_NEST];
    int n_loops;
    bool nested; /* a loop in a loop */
    bool product_reduction, transposed, all_pairs;
    int top_nests;
};

struct element {                         /* one access inside a nest */
    const struct rg_cnode *node, *inner; /* and its innermost loop */
    bool write, read;
};

struct nest_accesses {
    int n, cap;
    struct element *items;
    bool values_only; /* not what loop bounds read */
};

static void gather(void *arg, const struct rg__visit *v)
{
    struct nest_accesses *a = arg;
    if (v->node->kind != RG_C_INDEX || v->pointer) return;
    /* what bounds loops or names places is no neighbourhood: row pointers read at i and i + 1 */
    bool place = !v->stmt || (v->stmt->kind == RG_C_DECL && rg__scalar_is_int(v->stmt->type) && v->stmt->array < 0);
    if (a->values_only && place) return;
    RG_GROW(a->items, a->n, a->cap);
    const struct rg_cnode *inner = v->range->n_loops ? v->range->loops[v->range->n_loops - 1] : NULL;
    a->items[a->n++] = (struct element){v->node, inner, v->write, v->read};
}

/* Same array, subscripts that differ by constants. */
static bool shifted(struct rg__range *r, const struct rg_cnode *a, const struct rg_cnode *b)
{
    if (a->array != b->array || a->n != b->n) return false;
    bool differs = false;
    for (int d = 0; d < a->n; d++) {
        struct rg__poly x = rg__poly_of(r, a->kid[d]), y = rg__poly_of(r, b->kid[d]), diff = rg__poly_add(&x, &y, -1);
        int64_t c;
        if (!rg__poly_is_int(&diff, &c) || c > 16 || c < -16) return false;
        for (int i = 0; i < x.n && c; i++) /* members of one record: x[3*i], x[3*i + 1] */
            if (x.terms[i].degree == 1 && x.n <= 2 && x.terms[i].c && c % x.terms[i].c) return false;
        differs |= c != 0;
        if (x.n == 0 || (x.n == 1 && !x.terms[0].degree)) return false;
    }
    return differs;
}

/* Same array, affine subscripts, neither equal nor a constant apart. */
static bool others(struct rg__range *r, const struct rg_cnode *a, const struct rg_cnode *b)
{
    if (a->n == 2 && b->n == 2 && rg__c_equal(a->kid[0], b->kid[1]) && rg__c_equal(a->kid[1], b->kid[0]))
        return false; /* its mirror */
    bool differs = false;
    for (int d = 0; d < a->n && d < b->n; d++) {
        if (rg__mentions_kind(a->kid[d], RG_C_INDEX) || rg__mentions_kind(b->kid[d], RG_C_INDEX)) return false;
        struct rg__poly x = rg__poly_of(r, a->kid[d]), y = rg__poly_of(r, b->kid[d]);
        if (x.bad || y.bad) return false;
        differs |= !rg__poly_equal(&x, &y);
    }
    return differs;
}

static void nest_traits(struct summary *s, struct rg_cnode *nest)
{
    struct nest_accesses a = {.values_only = true};
    struct rg__given *given = rg__given_of(s->t, NULL);
    struct rg__range *r = rg_xmalloc(sizeof *r);
    rg__range_init(r, s->t, given);
    rg__each_access(s->t, nest, given, gather, &a);
    for (int i = 0; i < a.n; i++) {
        const struct rg_cnode *x = a.items[i].node;
        for (int d = 0; d < x->n; d++)
            if (rg__mentions_kind(x->kid[d], RG_C_INDEX))
                s->traits |= RG_TRAIT_INDIRECT | (a.items[i].write ? RG_TRAIT_SCATTER : 0);
        for (int k = 0; k < a.n && a.n < 200 && a.items[i].write; k++) /* elements other iterations write are read */
            if (a.items[k].read && a.items[k].inner == a.items[i].inner && a.items[k].inner &&
                a.items[k].node->array == x->array && others(r, x, a.items[k].node))
                s->traits |= RG_TRAIT_CARRIED;
        for (int k = 0; k < i && a.n < 200; k++)
            if (a.items[i].read && a.items[k].read && !a.items[i].write && !a.items[k].write &&
                shifted(r, x, a.items[k].node))
                s->traits |= RG_TRAIT_STENCIL;
    }
    free(r);
    rg__given_free(given);
    free(a.items);
}

static bool is_math(const char *name)
{
    return strcmp(name, "fabs") && strcmp(name, "fabsf") && strcmp(name, "fmax") && strcmp(name, "fmaxf") &&
           strcmp(name, "fmin") && strcmp(name, "fminf") && strcmp(name, "abs") && strcmp(name, "fma") &&
           strcmp(name, "fmaf") && strcmp(name, "min") && strcmp(name, "max") && strcmp(name, "__fmul_rn") &&
           strcmp(name, "__dmul_rn");
}

static int constant_trip(const struct rg_cnode *l)
{
    if (l->kid[0]->kind != RG_C_INT || l->kid[1]->kind != RG_C_INT) return -1;
    int64_t span = l->kid[1]->ivalue - l->kid[0]->ivalue;
    return span > 0 && span < 1000000 ? (int)(span / (l->step > 0 ? l->step : -l->step)) : -1;
}

/* Where the iterator of the loop stands in a subscript list: -1 nowhere, else the last dimension. */
static int dimension_of(const struct rg_cnode *x, int var)
{
    int at = -1;
    for (int d = 0; d < x->n; d++)
        if (rg__c_mentions_var(x->kid[d], var)) at = d;
    return at;
}

static void strides(struct summary *s, const struct rg_cnode *e, const struct rg_cnode *lhs)
{
    if (!e) return;
    if (e->kind == RG_C_INDEX && s->n_loops) {
        int inner = s->loops[s->n_loops - 1]->var, at = dimension_of(e, inner);
        if (at >= 0) s->traits |= at + 1 == e->n ? RG_TRAIT_UNIT_STRIDE : RG_TRAIT_STRIDED;
        if (lhs && lhs->kind == RG_C_INDEX && lhs != e && s->n_loops >= 2) {
            int outer = s->loops[s->n_loops - 2]->var;
            int l = dimension_of(lhs, inner), lo = dimension_of(lhs, outer), ro = dimension_of(e, outer);
            if (at >= 0 && l >= 0 && lo >= 0 && ro >= 0 && (l > lo) != (at > ro)) s->transposed = true;
        }
        for (int k = 0; k < s->n_loops; k++)
            if (dimension_of(e, s->loops[k]->var) < 0 && e->n) s->traits |= RG_TRAIT_REUSE;
    }
    for (int i = 0; i < e->n; i++) strides(s, e->kid[i], lhs);
}

/* What is multiplied with one another. */
struct factors {
    int n;
    const struct rg_cnode *items[8];
};

static void factors_of(const struct summary *s, const struct rg_cnode *e, struct factors *f)
{
    e = rg__defined_as(&s->writes, e);
    while (e->kind == RG_C_CAST || e->kind == RG_C_MEMBER) e = rg__defined_as(&s->writes, e->kid[0]);
    if (e->kind == RG_C_BINARY && e->op == RG_COP_MUL) {
        factors_of(s, e->kid[0], f);
        factors_of(s, e->kid[1], f);
    } else if (rg__mentions_kind(e, RG_C_INDEX) && f->n < 8) {
        f->items[f->n++] = e;
    }
}

/* Summed over one loop, with two factors that each go along a loop which the other lacks: what one loads serves all
 * iterations of the other's. */
static bool contracts(const struct summary *s, const struct rg_cnode *target, const struct rg_cnode *a,
                      const struct rg_cnode *b)
{
    int own_a = 0, own_b = 0, summed = 0;
    for (int k = 0; k < s->n_loops; k++) {
        int var = s->loops[k]->var;
        bool in_a = rg__c_mentions_var(a, var), in_b = rg__c_mentions_var(b, var);
        own_a += in_a && !in_b;
        own_b += in_b && !in_a;
        summed += in_a && in_b && !rg__c_mentions_var(target, var);
    }
    return own_a && own_b && summed;
}

/* Sums of products, and differences of them. */
static bool product_sum(const struct summary *s, const struct rg_cnode *target, const struct rg_cnode *e)
{
    e = rg__defined_as(&s->writes, e);
    while (e->kind == RG_C_CAST) e = rg__defined_as(&s->writes, e->kid[0]);
    if (e->kind == RG_C_BINARY && (e->op == RG_COP_ADD || e->op == RG_COP_SUB))
        return product_sum(s, target, e->kid[0]) || product_sum(s, target, e->kid[1]);
    struct factors f = {0};
    factors_of(s, e, &f);
    for (int i = 0; i < f.n; i++)
        for (int k = 0; k < i; k++)
            if (contracts(s, target, f.items[i], f.items[k])) return true;
    return false;
}

/* A window that moves along: a subscript that is the sum of two loops' variables, each going on by one. */
static bool window(const struct summary *s, const struct rg_cnode *subscript)
{
    int terms = 0;
    for (int k = 0; k < s->n_loops; k++) {
        const struct rg_cnode *stack[32];
        int n = 0;
        bool summand = false;
        for (stack[n++] = subscript; n;) {
            const struct rg_cnode *e = stack[--n];
            if (e->kind == RG_C_VAR && e->array < 0 && e->var == s->loops[k]->var) summand = true;
            bool through = e->kind == RG_C_CAST || e->op == RG_COP_ADD || e->op == RG_COP_SUB;
            for (int i = 0; through && i < (e->op == RG_COP_SUB ? 1 : e->n) && n < 32; i++) stack[n++] = e->kid[i];
        }
        terms += summand && s->loops[k]->step == 1;
    }
    return terms > 1;
}

static void windows(struct summary *s, const struct rg_cnode *e)
{
    if (e->kind == RG_C_INDEX)
        for (int d = 0; d < e->n; d++)
            if (!rg__mentions_kind(e->kid[d], RG_C_INDEX) && window(s, rg__defined_as(&s->writes, e->kid[d])))
                s->traits |= RG_TRAIT_STENCIL;
    for (int i = 0; i < e->n; i++) windows(s, e->kid[i]);
}

/* += over a loop that its target does not mention but its value does. */
static void update(struct summary *s, const struct rg_cnode *a)
{
    const struct rg_cnode *l = a->kid[0];
    bool accumulates = a->op != RG_COP_SET;
    if (!accumulates && a->kid[1]->kind == RG_C_COND)
        accumulates = rg__c_equal(a->kid[1]->kid[1], l) || rg__c_equal(a->kid[1]->kid[2], l);
    if (!accumulates && a->kid[1]->kind == RG_C_CALL && a->kid[1]->n == 2)
        accumulates = rg__c_equal(a->kid[1]->kid[0], l) || rg__c_equal(a->kid[1]->kid[1], l);
    bool over = s->n_loops && !rg__c_mentions_var(l, s->loops[s->n_loops - 1]->var); /* a scalar sum of local values */
    for (int k = 0; k < s->n_loops; k++)
        over |= !rg__c_mentions_var(l, s->loops[k]->var) && rg__c_mentions_var(a->kid[1], s->loops[k]->var);
    if (!accumulates || !over) return;
    s->traits |= RG_TRAIT_REDUCTION;
    if (product_sum(s, l, a->kid[1])) s->product_reduction = true;
}

static void types(struct summary *s, enum rg_scalar t)
{
    if (t == RG_F32) s->traits |= RG_TRAIT_FP32;
    if (t == RG_F64) s->traits |= RG_TRAIT_FP64;
    if (t == RG_F16) s->traits |= RG_TRAIT_FP16;
}

static bool mentions_vars(const struct rg_cnode *e, const struct rg_cnode *const *loops, int n)
{
    for (int i = 0; i < n; i++)
        if (rg__c_mentions_var(e, loops[i]->var)) return true;
    return false;
}

static void walk(struct summary *s, const struct rg_cnode *n)
{
    if (!n) return;
    switch (n->kind) {
    case RG_C_LOOP:
        s->traits |= RG_TRAIT_LOOP;
        if (mentions_vars(n->kid[0], s->loops, s->n_loops) || mentions_vars(n->kid[1], s->loops, s->n_loops))
            s->traits |= RG_TRAIT_TRIANGULAR;
        if (rg__mentions_kind(n->kid[0], RG_C_INDEX) || rg__mentions_kind(n->kid[1], RG_C_INDEX))
            s->traits |= RG_TRAIT_IRREGULAR;
        if (constant_trip(n) >= 0 && constant_trip(n) <= 32) s->traits |= RG_TRAIT_SHORT_TRIP;
        if (s->n_loops < RG__MAX_NEST) {
            s->loops[s->n_loops++] = n;
            s->nested |= s->n_loops > 1;
            walk(s, n->kid[2]);
            s->n_loops--;
        }
        return;
    case RG_C_OPAQUE:
        break;
    case RG_C_WHILE:
    case RG_C_DO:
    case RG_C_FOR:
        s->traits |= RG_TRAIT_LOOP | RG_TRAIT_IRREGULAR;
        break;
    case RG_C_COND:
        if (rg__mentions_kind(n->kid[0], RG_C_INDEX)) s->traits |= RG_TRAIT_BRANCHY;
        break;
    case RG_C_IF:
        if (!rg_c_affine(s->t, n->kid[0])) s->traits |= RG_TRAIT_BRANCHY;
        break;
    case RG_C_ASSIGN:
        update(s, n);
        strides(s, n->kid[1], n->kid[0]);
        strides(s, n->kid[0], NULL);
        windows(s, n->kid[1]);
        types(s, n->kid[0]->type);
        break;
    case RG_C_DECL:
        if (n->n) {
            strides(s, n->kid[0], NULL);
            windows(s, n->kid[0]);
            types(s, n->type);
        }
        break;
    case RG_C_CALL:
        if (n->callee < 0 && n->text && rg_scalar_is_real(n->type) && is_math(n->text)) s->traits |= RG_TRAIT_MATH;
        if (n->callee >= 0 && strpbrk(s->t->helpers[n->callee].c_text, "/")) s->traits |= RG_TRAIT_MATH;
        break;
    case RG_C_BINARY:
        if (n->op == RG_COP_DIV && rg_scalar_is_real(n->type)) s->traits |= RG_TRAIT_MATH;
        break;
    default:
        break;
    }
    for (int i = 0; i < n->n; i++) walk(s, n->kid[i]);
}

/* A loop whose iterator no subscript mentions, around other loops: it repeats them. */
static bool repeats(const struct rg_cnode *l)
{
    bool inner = false;
    const struct rg_cnode *stack[256];
    int n = 0;
    stack[n++] = l->kid[2];
    while (n) {
        const struct rg_cnode *x = stack[--n];
        if (!x) continue;
        if (x->kind == RG_C_LOOP) inner = true;
        if (x->kind == RG_C_INDEX)
            for (int d = 0; d < x->n; d++)
                if (rg__c_mentions_var(x->kid[d], l->var)) return false;
        for (int i = 0; i < x->n && n < 250; i++) stack[n++] = x->kid[i];
    }
    return inner;
}

static int count_nests(struct summary *s, struct rg_cnode *b)
{
    int n = 0;
    for (int i = 0; b && i < b->n; i++) {
        struct rg_cnode *x = b->kid[i];
        if (x->kind == RG_C_LOOP) {
            n++;
            nest_traits(s, x);
            if (repeats(x)) s->traits |= RG_TRAIT_TIME_LOOP;
        }
        if (x->kind == RG_C_OPAQUE) {
            n++;
            nest_traits(s, x);
        }
    }
    return n;
}

/* x[i] = x[i - 1] + ...: the element written depends on its neighbour of the iteration before. */
static void recurrences(struct summary *s, const struct rg_cnode *n, struct rg__range *r)
{
    if (!n) return;
    if (n->kind == RG_C_ASSIGN && n->kid[0]->kind == RG_C_INDEX) {
        const struct rg_cnode *stack[128];
        int k = 0;
        stack[k++] = n->kid[1];
        while (k) {
            const struct rg_cnode *x = stack[--k];
            if (x->kind == RG_C_INDEX && shifted(r, n->kid[0], x)) {
                enum rg_c_op op = n->op == RG_COP_SET ? n->kid[1]->op : rg_c_applied(n->op);
                bool simple = op == RG_COP_ADD || op == RG_COP_MUL;
                s->traits |= simple && n->kid[0]->n == 1 ? RG_TRAIT_SCAN : RG_TRAIT_CARRIED;
            }
            for (int i = 0; i < x->n && k < 120; i++) stack[k++] = x->kid[i];
        }
    }
    for (int i = 0; i < n->n; i++) recurrences(s, n->kid[i], r);
}

static const char *class_of(const struct summary *s)
{
    uint32_t t = s->traits;
    const char *recurrence = rg__recurrence_class(s->t);
    if (recurrence) return recurrence;
    if (t & RG_TRAIT_CONTRACTION) return "contraction";
    if (t & RG_TRAIT_STENCIL && !(t & RG_TRAIT_CARRIED)) return "stencil";
    if (t & RG_TRAIT_SCAN) return "scan";
    if ((t & RG_TRAIT_INDIRECT) && (t & RG_TRAIT_IRREGULAR)) return "sparse";
    if (t & RG_TRAIT_SCATTER) return "scatter";
    if (s->all_pairs) return "allpairs";
    if (t & RG_TRAIT_CARRIED) return "sequential";
    if (rg__rowwise(&s->writes)) return "rowwise";
    if (t & RG_TRAIT_REDUCTION) return "reduction";
    if (s->transposed) return "transpose";
    if (t & RG_TRAIT_IRREGULAR) return "sequential";
    if (t & RG_TRAIT_LOOP) return "elementwise";
    return "other";
}

/* Every element against every other: one array read under two loops of the same range. */
static void pairs(struct summary *s, const struct rg_cnode *n)
{
    if (!n) return;
    if (n->kind == RG_C_LOOP && s->n_loops < RG__MAX_NEST) {
        for (int k = 0; k < s->n_loops; k++)
            if (rg__c_equal(s->loops[k]->kid[1], n->kid[1]) && n->kid[1]->kind != RG_C_INT) {
                struct nest_accesses a = {0};
                rg__each_access(s->t, n->kid[2], NULL, gather, &a);
                for (int i = 0; i < a.n; i++)
                    for (int j = 0; j < a.n; j++) {
                        const struct rg_cnode *x = a.items[i].node, *y = a.items[j].node;
                        if (x->array == y->array && x->n == 1 && y->n == 1 && rg__c_mentions_var(x, n->var) &&
                            !rg__c_mentions_var(x, s->loops[k]->var) && rg__c_mentions_var(y, s->loops[k]->var) &&
                            !rg__c_mentions_var(y, n->var))
                            s->all_pairs = true;
                    }
                free(a.items);
            }
        s->loops[s->n_loops++] = n;
        pairs(s, n->kid[2]);
        s->n_loops--;
        return;
    }
    for (int i = 0; i < n->n; i++) pairs(s, n->kid[i]);
}

void rg__traits(struct rg_problem *p, struct rg_ctree *t)
{
    struct summary s = {.p = p, .t = t};
    rg__writes_gather(&s.writes, t);
    walk(&s, t->root);
    s.n_loops = 0;
    pairs(&s, t->root);
    s.top_nests = count_nests(&s, t->root);
    if (s.top_nests > 1) s.traits |= RG_TRAIT_MULTI_NEST;
    struct rg__range *r = rg_xmalloc(sizeof *r);
    rg__range_init(r, t, NULL);
    recurrences(&s, t->root, r);
    free(r);
    if (s.product_reduction && (s.traits & RG_TRAIT_REUSE) && !(s.traits & RG_TRAIT_INDIRECT))
        s.traits |= RG_TRAIT_CONTRACTION;
    for (int i = 0; i < p->n_params; i++) {
        if (p->params[i].kind != RG_PARAM_ARRAY) continue;
        if (p->params[i].elem == RG_STRUCT) s.traits |= RG_TRAIT_STRUCTS;
        types(&s, p->params[i].elem);
    }
    if (!(s.traits & (RG_TRAIT_FP32 | RG_TRAIT_FP64 | RG_TRAIT_FP16))) s.traits |= RG_TRAIT_INTEGER;
    if ((s.traits & RG_TRAIT_LOOP) && !(s.traits & RG_TRAIT_IRREGULAR) &&
        (s.nested || !(s.traits & (RG_TRAIT_CARRIED | RG_TRAIT_SCAN))))
        s.traits |= RG_TRAIT_PARALLEL;
    p->traits = s.traits;
    p->klass = class_of(&s);
    rg__writes_release(&s.writes);
    p->accumulates = (s.traits & RG_TRAIT_REDUCTION) && (s.traits & (RG_TRAIT_FP32 | RG_TRAIT_FP64 | RG_TRAIT_FP16));
}
