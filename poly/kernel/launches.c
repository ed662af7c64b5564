/* The host's side of a program: which expressions a plan can hold, and how often its loops run what is inside them. */
#include "poly/kernel/kernel.h"
#include <math.h>
#include <string.h>

bool rg__poly_plan_can(const struct poly_scop *s, const struct rg_cnode *e)
{
    if (!e) return true;
    switch (e->kind) {
    case RG_C_INT:
        return true;
    case RG_C_VAR:
        return e->array < 0 && e->var >= 0 && !rg_scalar_is_real(s->tree->vars[e->var].type) &&
               s->tree->vars[e->var].kind != RG_CVAR_LOCAL && !s->tree->vars[e->var].assigned;
    case RG_C_CAST:
        if (rg_scalar_is_real(e->type) || e->pointer) return false;
        break;
    case RG_C_UNARY:
        if (e->op != RG_COP_POS && e->op != RG_COP_NEG && e->op != RG_COP_NOT) return false;
        break;
    case RG_C_BINARY:
        if (!rg_c_logic(e->op) && !rg_c_arithmetic(e->op)) return false;
        break;
    case RG_C_COND:
        break;
    case RG_C_CALL:
        if (e->callee >= 0 || (strcmp(e->text, "min") != 0 && strcmp(e->text, "max") != 0)) return false;
        break;
    default:
        return false;
    }
    for (int i = 0; i < e->n; i++)
        if (!rg__poly_plan_can(s, e->kid[i])) return false;
    return true;
}

struct sizes {
    const struct poly_scop *s;
    struct rg_problem_env env;
    const int *host;
    int n_host, depth;
};

struct span {
    double lo, hi;
    bool known;
};

static struct span span_of(struct sizes *z, const struct rg_cnode *e);

static struct span of_loop(struct sizes *z, int loop)
{
    const struct poly_loop *l = &z->s->loops[loop];
    struct span a = span_of(z, l->node->kid[0]), b = span_of(z, l->node->kid[1]);
    if (!a.known || !b.known) return (struct span){0, 0, false};
    return l->step > 0 ? (struct span){a.lo, b.hi - 1, true} : (struct span){b.lo + 1, a.hi, true};
}

static struct span of_variable(struct sizes *z, const struct rg_cnode *e)
{
    int64_t v;
    if (e->array >= 0) return (struct span){0, 0, false};
    for (int h = 0; h < z->n_host; h++)
        if (z->s->loops[z->host[h]].var == e->var) return of_loop(z, z->host[h]);
    const struct rg_cvar *c = &z->s->tree->vars[e->var];
    if (c->kind != RG_CVAR_PARAM || !z->env.env.name(&z->env, z->s->problem->params[c->param].name, &v))
        return (struct span){0, 0, false};
    return (struct span){(double)v, (double)v, true};
}

/* By intervals: a superset of what the expression takes over the host loops. */
static struct span span_of(struct sizes *z, const struct rg_cnode *e)
{
    struct span none = {0, 0, false};
    if (z->depth > 24) return none;
    if (e->kind == RG_C_INT) return (struct span){(double)e->ivalue, (double)e->ivalue, true};
    z->depth++;
    struct span r = none;
    if (e->kind == RG_C_VAR)
        r = of_variable(z, e);
    else if (e->kind == RG_C_CAST || e->op == RG_COP_POS)
        r = span_of(z, e->kid[0]);
    else if (e->op == RG_COP_NEG) {
        struct span a = span_of(z, e->kid[0]);
        r = (struct span){-a.hi, -a.lo, a.known};
    } else if (e->kind == RG_C_COND) { /* either arm */
        struct span a = span_of(z, e->kid[1]), b = span_of(z, e->kid[2]);
        r = (struct span){fmin(a.lo, b.lo), fmax(a.hi, b.hi), a.known && b.known};
    } else if (e->kind == RG_C_CALL) { /* min and max */
        bool most = e->text[1] == 'a';
        struct span a = span_of(z, e->kid[0]), b = span_of(z, e->kid[1]);
        r = (struct span){most ? fmax(a.lo, b.lo) : fmin(a.lo, b.lo), most ? fmax(a.hi, b.hi) : fmin(a.hi, b.hi),
                          a.known && b.known};
        if (!r.known && !most && (a.known || b.known)) /* not above the one that is known */
            r = a.known ? a : b;
    } else if (rg_c_arithmetic(e->op)) {
        struct span a = span_of(z, e->kid[0]), b = span_of(z, e->kid[1]);
        bool ok = a.known && b.known;
        double p[4] = {a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi};
        switch (e->op) {
        case RG_COP_ADD:
            r = (struct span){a.lo + b.lo, a.hi + b.hi, ok};
            break;
        case RG_COP_SUB:
            r = (struct span){a.lo - b.hi, a.hi - b.lo, ok};
            break;
        case RG_COP_MUL:
            r = (struct span){p[0], p[0], ok};
            for (int i = 1; i < 4; i++) {
                r.lo = p[i] < r.lo ? p[i] : r.lo;
                r.hi = p[i] > r.hi ? p[i] : r.hi;
            }
            break;
        case RG_COP_DIV:
            r = (struct span){a.lo / b.lo - 1, a.hi / b.lo, ok && b.lo > 0};
            break;
        default:
            r = (struct span){0, b.lo - 1, ok && b.lo > 0};
            break;
        }
    } else if (e->kind == RG_C_BINARY || e->kind == RG_C_UNARY) { /* a truth value */
        r = (struct span){0, 1, true};
    }
    z->depth--;
    return r;
}

/* Is every value that the code gives the variable one that the plan could compute, from counters and parameters alone?
 */
static bool set_by_counters(const struct poly_scop *s, const struct rg_cnode *n, int var)
{
    if (!n) return true;
    bool sets = (n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC) && n->kid[0]->kind == RG_C_VAR &&
                n->kid[0]->array < 0 && n->kid[0]->var == var;
    if (n->kind == RG_C_OPAQUE ||
        (sets && (n->kind != RG_C_ASSIGN || n->op != RG_COP_SET || !rg__poly_plan_can(s, n->kid[1]))))
        return false;
    for (int i = 0; i < n->n; i++)
        if (!set_by_counters(s, n->kid[i], var)) return false;
    return true;
}

/* A loop that goes on by a flag: is the flag data's, so that the bound says little of how often it runs? */
static bool ends_by_data(const struct poly_scop *s, const struct poly_loop *l)
{
    const struct rg_cnode *flag = l->node->n > 3 ? l->node->kid[3] : NULL;
    if (!flag) return false;
    return flag->kind != RG_C_VAR || flag->array >= 0 || !set_by_counters(s, l->node->kid[2], flag->var);
}

double rg__poly_passes(const struct poly_scop *s, const int *host, int n_host)
{
    double most = 0;
    for (int i = 0; i < s->problem->n_sizes; i++) {
        struct sizes z = {.s = s, .host = host, .n_host = n_host};
        rg_problem_env_init(&z.env, s->problem, &s->problem->sizes[i]);
        double n = 1;
        for (int h = 0; h < n_host; h++) {
            if (ends_by_data(s, &s->loops[host[h]])) continue;
            struct span t = of_loop(&z, host[h]);
            double step = (double)(s->loops[host[h]].step > 0 ? s->loops[host[h]].step : -s->loops[host[h]].step);
            double trips = t.known ? (t.hi - t.lo + step) / step : 1;
            n *= trips > 1 ? trips : 1;
        }
        most = n > most ? n : most;
    }
    return most;
}

/* ---- room for launches ---- */

struct poly_hnode *rg__poly_find_launch(struct poly_hnode *h, int kernel, struct poly_hnode **parent)
{
    for (int i = 0; i < h->n; i++) {
        if (h->kid[i]->kind == HN_KERNEL && h->kid[i]->kernel == kernel) {
            *parent = h;
            return h->kid[i];
        }
        struct poly_hnode *f = rg__poly_find_launch(h->kid[i], kernel, parent);
        if (f) return f;
    }
    return NULL;
}

static void renumber(struct poly_hnode *h, int from, int by)
{
    if (h->kind == HN_KERNEL && h->kernel >= from) h->kernel += by;
    for (int i = 0; i < h->n; i++) renumber(h->kid[i], from, by);
}

/* Room for `extra` kernels after `kernel`, launched one after the other. */
bool rg__poly_make_room(struct poly_program *p, int kernel, int extra)
{
    struct poly_hnode *parent = NULL, *h = rg__poly_find_launch(p->root, kernel, &parent);
    if (!h || p->n_kernels + extra > POLY_MAX_KERNELS) return false;
    memmove(&p->kernels[kernel + 1 + extra], &p->kernels[kernel + 1],
            sizeof p->kernels[0] * (size_t)(p->n_kernels - kernel - 1));
    renumber(p->root, kernel + 1, extra);
    for (int i = 0; i < p->n_kernels + extra; i++)
        if (p->kernels[i].partner > kernel) p->kernels[i].partner += extra;
    p->n_kernels += extra;
    struct poly_hnode **kid = rg_arena_alloc(&p->arena, sizeof *kid * (size_t)(parent->n + extra + 1));
    int n = 0;
    for (int i = 0; i < parent->n; i++) {
        kid[n++] = parent->kid[i];
        for (int e = 0; parent->kid[i] == h && e < extra; e++) {
            struct poly_hnode *x = rg_arena_alloc(&p->arena, sizeof *x);
            x->kind = HN_KERNEL;
            x->loop = -1;
            x->kernel = kernel + 1 + e;
            kid[n++] = x;
            p->kernels[kernel + 1 + e] = p->kernels[kernel];
        }
    }
    parent->kid = kid;
    parent->n = parent->cap = n;
    return true;
}
