/* Inputs of arrays whose elements are compared with one another, where values that are drawn one by one would hardly
 * ever be what the code is for: tables that are searched by halves, or interpolated in, which ascend; lengths of paths,
 * which are not negative and may be missing (`d[k] + w[e] < d[v]`, with a largest number for no path), and reals of
 * which some must be equal (`a[p] == key[q]`). Only where the user says nothing. */
#include "frontend/infer/infer.h"
#include "ir/ctree_util.h"
#include <stdlib.h>
#include <string.h>

enum {
    MISSING = 1 << 16,
    DEEPEST = 4
}; /* from there on a number that a length is compared with says that there is none */

struct related {
    struct rg__load *l;
    const struct rg_cnode **value; /* by variable: what it is set to, where that is once */
    bool *several;
    bool *length; /* by parameter */
    int64_t *missing;
    int *equal;          /* by parameter: another whose elements are to be the same, and one more; 0 none */
    int *copied;         /* and one whose elements it begins with */
    bool *searched;      /* the middle of an interval is compared with something, and becomes an end of it */
    bool *steps, *order; /* something is divided by the difference of two elements; an element is compared by < */
    bool *checked;       /* elements are compared with one another, perhaps whether none are equal */
    const char **member; /* the real member of its structures that is a length; NULL */
};

static bool note_sets(void *arg, struct rg_cnode *n)
{
    struct related *r = arg;
    const struct rg_cnode *value = NULL;
    int var = -1;
    if (n->kind == RG_C_DECL && n->array < 0 && n->n) var = n->var, value = n->kid[0];
    if ((n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC) && n->kid[0]->kind == RG_C_VAR && n->kid[0]->array < 0)
        var = n->kid[0]->var, value = n->op == RG_COP_SET ? n->kid[1] : NULL;
    if (var < 0) return true;
    r->several[var] = r->several[var] || r->value[var] || !value;
    r->value[var] = value;
    return true;
}

/* Behind casts and locals that are set once. */
static const struct rg_cnode *meant(const struct related *r, const struct rg_cnode *e)
{
    e = rg__c_uncast(e, RG__C_CASTS);
    for (int depth = 0; depth < DEEPEST && e->kind == RG_C_VAR && e->array < 0 && e->var >= 0; depth++) {
        if (r->several[e->var] || !r->value[e->var]) break;
        e = rg__c_uncast(r->value[e->var], RG__C_CASTS);
    }
    return e;
}

/* The array parameter of which it is an element; -1. */
static int element(const struct related *r, const struct rg_cnode *e)
{
    e = meant(r, e);
    if (e->kind != RG_C_INDEX || e->pointer) return -1;
    const struct rg_carray *a = &r->l->t->arrays[e->array];
    return a->constant_table || a->elem == RG_STRUCT ? -1 : a->param;
}

/* The real member of structures in an array that it is, `edges[e].weight`: *param is the array's; NULL. */
static const char *real_member(const struct related *r, const struct rg_cnode *e, int *param)
{
    e = meant(r, e);
    const struct rg_cnode *of = e->kind == RG_C_MEMBER && e->n == 1 ? e->kid[0] : NULL;
    *param = of && of->kind == RG_C_INDEX && !of->pointer ? r->l->t->arrays[of->array].param : -1;
    const struct rg_param *q = *param >= 0 ? &r->l->p->params[*param] : NULL;
    const struct rg_struct *s =
        q && q->elem == RG_STRUCT && q->struct_index >= 0 ? &r->l->p->structs[q->struct_index] : NULL;
    for (int f = 0; s && f < s->n_fields; f++)
        if (!strcmp(s->fields[f].path, e->text) && rg_scalar_is_real(s->fields[f].type)) return s->fields[f].path;
    return NULL;
}

/* x[..] + y[..] < x[..] */
static void path(struct related *r, const struct rg_cnode *sum, const struct rg_cnode *other)
{
    const int to = element(r, other);
    sum = meant(r, sum);
    if (sum->op != RG_COP_ADD || sum->pointer || to < 0) return;
    const int a = element(r, sum->kid[0]), b = element(r, sum->kid[1]);
    for (int i = 0; i < 2; i++) {
        int param;
        const char *member = (i ? b : a) == to ? real_member(r, sum->kid[1 - i], &param) : NULL;
        if (!member) continue;
        r->length[to] = true;
        r->member[param] = member;
    }
    if (a < 0 || b < 0 || (a != to && b != to)) return;
    r->length[a] = r->length[b] = true;
}

struct interval {
    const struct related *r;
    int middle, ends, end[2]; /* variables */
    bool halved, narrows;
};

static void note_end(struct interval *x, const struct rg_cnode *e)
{
    if (e->kind == RG_C_VAR && e->array < 0 && e->var >= 0 && x->r->l->t->vars[e->var].kind == RG_CVAR_LOCAL) {
        for (int i = 0; i < x->ends && i < 2; i++)
            if (x->end[i] == e->var) return;
        if (x->ends < 2) x->end[x->ends] = e->var;
        x->ends++;
    }
    for (int i = 0; i < e->n; i++) note_end(x, e->kid[i]);
}

/* `mid = (lo + hi) / 2`, `lo = mid + 1` */
static bool narrows(void *arg, struct rg_cnode *n)
{
    struct interval *x = arg;
    const bool set = n->kind == RG_C_ASSIGN && n->op == RG_COP_SET && n->kid[0]->kind == RG_C_VAR;
    for (int i = 0; set && n->kid[0]->array < 0 && i < x->ends; i++)
        x->narrows |= n->kid[0]->var == x->end[i] && rg__c_mentions_var(n->kid[1], x->middle);
    return true;
}

static bool note_halves(void *arg, struct rg_cnode *n)
{
    struct interval *x = arg;
    int64_t by;
    const bool half = (n->op == RG_COP_DIV || n->op == RG_COP_SHR) && n->kind == RG_C_BINARY &&
                      rg__c_number(n->kid[1], &by) && by == (n->op == RG_COP_DIV ? 2 : 1);
    x->halved = x->halved || half;
    return true;
}

/* Is the subscript the middle of an interval that gets smaller by it? */
static bool is_middle(const struct related *r, const struct rg_cnode *s)
{
    s = rg__c_uncast(s, RG__C_INT_CASTS);
    const struct rg_cnode *value =
        s->kind == RG_C_VAR && s->array < 0 && s->var >= 0 && !r->several[s->var] ? r->value[s->var] : NULL;
    if (!value) return false;
    struct interval x = {.r = r, .middle = s->var};
    rg__c_walk((struct rg_cnode *)(uintptr_t)value, note_halves, &x);
    note_end(&x, value);
    if (!x.halved || x.ends != 2) return false;
    rg__c_walk(r->l->t->root, narrows, &x);
    return x.narrows;
}

/* `xs[mid] <= key`, `xs[k] < x` */
static void searched(struct related *r, const struct rg_cnode *e, const struct rg_cnode *other)
{
    const int param = element(r, e);
    if (param >= 0 && element(r, other) == param) r->checked[param] = true;
    if (param < 0 || element(r, other) == param) return;
    e = meant(r, e);
    r->order[param] = true;
    r->searched[param] = r->searched[param] || (e->n == 1 && is_middle(r, e->kid[0]));
}

/* `.. / (xs[k + 1] - xs[k])` */
static void divided(struct related *r, const struct rg_cnode *by)
{
    by = meant(r, by);
    const int param = by->op == RG_COP_SUB ? element(r, by->kid[0]) : -1;
    if (param >= 0 && element(r, by->kid[1]) == param) r->steps[param] = true;
}

static bool look(void *arg, struct rg_cnode *n)
{
    struct related *r = arg;
    if (n->kind == RG_C_BINARY && n->op == RG_COP_DIV) divided(r, n->kid[1]);
    if (n->kind == RG_C_ASSIGN && n->op == RG_COP_SET && n->kid[0]->kind == RG_C_INDEX) {
        const int to = element(r, n->kid[0]), from = element(r, n->kid[1]);
        if (to >= 0 && from >= 0 && from != to) r->copied[to] = from + 1;
    }
    if (n->kind != RG_C_BINARY || !rg_c_relation(n->op)) return true;
    const bool ordered = n->op != RG_COP_EQ && n->op != RG_COP_NE;
    for (int i = 0; i < 2; i++) {
        const struct rg_cnode *c = rg__c_uncast(n->kid[1 - i], RG__C_CASTS);
        const int p = element(r, n->kid[i]);
        if (ordered) path(r, n->kid[i], n->kid[1 - i]);
        if (ordered) searched(r, n->kid[i], n->kid[1 - i]);
        if (p >= 0 && c->kind == RG_C_INT && c->ivalue > r->missing[p]) r->missing[p] = c->ivalue;
    }
    const int a = element(r, n->kid[0]), b = element(r, n->kid[1]);
    if (!ordered && a >= 0 && b >= 0 && a != b) r->equal[a] = b + 1, r->equal[b] = a + 1;
    return true;
}

static bool is_open(const struct rg_param *q)
{
    return q->kind == RG_PARAM_ARRAY && q->role != RG_ROLE_OUT && q->input.kind == RG_INPUT_DEFAULT;
}

void rg__draw_searched(struct rg__load *l, struct rg_param *q)
{
    const int64_t param = q - l->p->params;
    if (q->elem == RG_STRUCT || q->elem == RG_BOOL || q->input.kind != RG_INPUT_DEFAULT) return;
    rg__draw_input(l, q, rg_scalar_is_real(q->elem) ? "sorted(-1, 1)" : "sorted(0, 99)");
    if (param < 64) l->halved |= (uint64_t)1 << param;
}

static void draw_lengths(struct rg__load *l, struct rg_param *q, int64_t missing)
{
    if (rg_scalar_is_real(q->elem))
        rg__draw_input(l, q, "uniform(0, 1)");
    else if (missing >= MISSING)
        rg__draw_input(l, q, rg_arena_printf(&l->p->arena, "choice(1, 2, 3, 5, 8, 13, 21, %lld)", (long long)missing));
}

static void draw_member_lengths(struct rg__load *l, struct rg_param *q, const char *member)
{
    for (int i = 0; i < q->n_members; i++)
        if (!strcmp(q->members[i].path, member)) return;
    struct rg_param drawn = *q; /* in the same words */
    if (rg__draw_input(l, &drawn, "uniform(0, 1)")) *rg__member_input(l->p, q, member) = drawn.input;
}

/* Numbers without fractions, so that half of what is looked for is there; in order where halves of it are tried. */
static void draw_equal(struct rg__load *l, struct rg_param *q, const struct rg_param *other)
{
    const int64_t param = q - l->p->params;
    if (!rg_scalar_is_real(q->elem) || !rg_scalar_is_real(other->elem)) return;
    if (param < 64 && l->halved >> param & 1)
        rg__draw_input(l, q, "affine(0, 2)");
    else if (is_open(q))
        rg__draw_input(l, q, "permutation");
}

void rg__related_inputs(struct rg__load *l)
{
    struct rg_problem *p = l->p;
    const size_t n_vars = (size_t)l->t->n_vars + 1, n = (size_t)p->n_params + 1;
    struct related r = {.l = l,
                        .value = rg_xcalloc(n_vars, sizeof *r.value),
                        .several = rg_xcalloc(n_vars, sizeof *r.several),
                        .length = rg_xcalloc(n, sizeof *r.length),
                        .missing = rg_xcalloc(n, sizeof *r.missing),
                        .equal = rg_xcalloc(n, sizeof *r.equal),
                        .copied = rg_xcalloc(n, sizeof *r.copied),
                        .searched = rg_xcalloc(n, sizeof *r.searched),
                        .checked = rg_xcalloc(n, sizeof *r.checked),
                        .steps = rg_xcalloc(n, sizeof *r.steps),
                        .order = rg_xcalloc(n, sizeof *r.order),
                        .member = rg_xcalloc(n, sizeof *r.member)};
    rg__c_walk(l->t->root, note_sets, &r);
    rg__c_walk(l->t->root, look, &r);
    for (int i = 0; i < p->n_params; i++) {
        const int from = r.length[i] ? r.copied[i] - 1 : -1;
        if (from < 0) continue;
        r.length[from] = true;
        if (r.missing[i] > r.missing[from]) r.missing[from] = r.missing[i];
    }
    for (int i = 0; i < p->n_params; i++) {
        const bool whole = !rg_scalar_is_real(p->params[i].elem);
        const bool table = (r.searched[i] && !(whole && r.checked[i])) || (r.steps[i] && r.order[i] && !whole);
        if (table && is_open(&p->params[i]) && p->params[i].role == RG_ROLE_IN) rg__draw_searched(l, &p->params[i]);
        if (r.length[i] && is_open(&p->params[i])) draw_lengths(l, &p->params[i], r.missing[i]);
        if (r.member[i] && is_open(&p->params[i])) draw_member_lengths(l, &p->params[i], r.member[i]);
        if (r.equal[i]) draw_equal(l, &p->params[i], &p->params[r.equal[i] - 1]);
    }
    free(r.value);
    free(r.several);
    free(r.length);
    free(r.missing);
    free(r.equal);
    free(r.copied);
    free(r.searched);
    free(r.checked);
    free(r.steps);
    free(r.order);
    free(r.member);
}
