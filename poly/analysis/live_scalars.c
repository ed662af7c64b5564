/* Scalars of the function: what an iteration reads before it writes, what is read after a loop. A scalar that neither
 * enters nor leaves an iteration can be private to it. Structured code, so two passes over the tree are enough. */
#include "poly/analysis/scop.h"
#include <stdlib.h>
#include <string.h>

struct pass {
    const struct poly_scop *s;
    size_t n;
};

struct poly_effect rg__poly_effect_new(const struct poly_scop *s)
{
    size_t n = (size_t)s->tree->n_vars + 1;
    struct poly_effect e = {rg_xcalloc(n, 1), rg_xcalloc(n, 1), rg_xcalloc(n, 1), rg_xcalloc(n, 1)};
    return e;
}

void rg__poly_effect_free(struct poly_effect *e)
{
    free(e->exposed);
    free(e->defined);
    free(e->written);
    free(e->read);
}

struct gather {
    const struct pass *p;
    struct poly_effect *e;
};

static void on_access(void *arg, const struct rg_caccess *a)
{
    struct gather *g = arg;
    if (a->array >= 0 || a->var < 0 || a->var >= (int)g->p->s->tree->n_vars) return;
    if (g->p->s->tree->vars[a->var].kind == RG_CVAR_ITER || g->p->s->var_hidden[a->var]) return;
    if (a->read) {
        g->e->read[a->var] = true;
        if (!g->e->defined[a->var]) g->e->exposed[a->var] = true;
    }
    if (a->write) {
        g->e->written[a->var] = true;
        if (a->certain) g->e->defined[a->var] = true;
    }
}

static void effect_of(const struct pass *p, const struct rg_cnode *n, struct poly_effect *e);

void rg__poly_effect_then(const struct poly_scop *s, struct poly_effect *a, const struct poly_effect *b)
{
    for (int v = 0; v <= s->tree->n_vars; v++) {
        a->exposed[v] |= b->exposed[v] && !a->defined[v];
        a->defined[v] |= b->defined[v];
        a->written[v] |= b->written[v];
        a->read[v] |= b->read[v];
    }
}

void rg__poly_effect_either(const struct poly_scop *s, struct poly_effect *a, const struct poly_effect *b)
{
    for (int v = 0; v <= s->tree->n_vars; v++) {
        a->exposed[v] |= b->exposed[v];
        a->defined[v] &= b->defined[v];
        a->written[v] |= b->written[v];
        a->read[v] |= b->read[v];
    }
}

static void effect_of(const struct pass *p, const struct rg_cnode *n, struct poly_effect *e)
{
    if (!n) return;
    struct gather g = {p, e};
    switch (n->kind) {
    case RG_C_BLOCK:
        for (int i = 0; i < n->n; i++) effect_of(p, n->kid[i], e);
        return;
    case RG_C_LOOP: {
        rg_c_accesses(p->s->tree, n->kid[0], on_access, &g);
        rg_c_accesses(p->s->tree, n->kid[1], on_access, &g);
        if (n->n > 3) rg_c_accesses(p->s->tree, n->kid[3], on_access, &g);
        struct poly_effect b = rg__poly_effect_new(p->s);
        effect_of(p, n->kid[2], &b);
        memset(b.defined, 0, p->n); /* it may not run at all */
        rg__poly_effect_then(p->s, e, &b);
        rg__poly_effect_free(&b);
        return;
    }
    case RG_C_IF: {
        rg_c_accesses(p->s->tree, n->kid[0], on_access, &g);
        struct poly_effect a = rg__poly_effect_new(p->s), b = rg__poly_effect_new(p->s);
        effect_of(p, n->n > 1 ? n->kid[1] : NULL, &a);
        effect_of(p, n->n > 2 ? n->kid[2] : NULL, &b);
        rg__poly_effect_either(p->s, &a, &b);
        rg__poly_effect_then(p->s, e, &a);
        rg__poly_effect_free(&a);
        rg__poly_effect_free(&b);
        return;
    }
    case RG_C_DECL:
        if (n->n && n->kid[0]) rg_c_accesses(p->s->tree, n->kid[0], on_access, &g);
        if (n->var >= 0 && n->array < 0) { /* without initialiser too: what was there before is gone */
            e->defined[n->var] = true;
            if (n->n && n->kid[0]) e->written[n->var] = true;
        }
        return;
    default:
        rg_c_accesses(p->s->tree, n, on_access, &g);
    }
}

void rg__poly_effect_add(const struct poly_scop *s, struct poly_effect *e, const struct rg_cnode *n)
{
    struct pass p = {s, (size_t)s->tree->n_vars + 1};
    effect_of(&p, n, e);
}

/* live: read after this node before it is written; on return, before it. */
static void liveness(struct poly_scop *s, const struct pass *p, const struct rg_cnode *n, bool *live)
{
    if (!n) return;
    switch (n->kind) {
    case RG_C_BLOCK:
        for (int i = n->n - 1; i >= 0; i--) liveness(s, p, n->kid[i], live);
        return;
    case RG_C_IF: {
        bool *other = rg_xcalloc(p->n, 1);
        memcpy(other, live, p->n);
        liveness(s, p, n->n > 1 ? n->kid[1] : NULL, live);
        liveness(s, p, n->n > 2 ? n->kid[2] : NULL, other);
        for (size_t v = 0; v < p->n; v++) live[v] |= other[v];
        free(other);
        break; /* its condition below */
    }
    case RG_C_LOOP: {
        int id = rg__poly_loop_of(s, n);
        struct poly_effect body = rg__poly_effect_new(p->s);
        effect_of(p, n->kid[2], &body);
        if (n->n > 3) /* asked for before every iteration */
            body.exposed[n->kid[3]->var] = true;
        s->live_out[id] = rg_xcalloc(p->n, 1);
        memcpy(s->live_out[id], live, p->n);
        s->exposed[id] = rg_xcalloc(p->n, 1);
        memcpy(s->exposed[id], body.exposed, p->n);
        s->written[id] = rg_xcalloc(p->n, 1);
        memcpy(s->written[id], body.written, p->n);
        for (size_t v = 0; v < p->n; v++) live[v] |= body.exposed[v];
        bool *inside = rg_xcalloc(p->n, 1);
        memcpy(inside, live, p->n);
        liveness(s, p, n->kid[2], inside);
        free(inside);
        rg__poly_effect_free(&body);
        break;
    }
    default:
        break;
    }
    struct poly_effect e = rg__poly_effect_new(p->s);
    if (n->kind == RG_C_LOOP || n->kind == RG_C_IF) {
        struct gather g = {p, &e};
        rg_c_accesses(s->tree, n->kid[0], on_access, &g);
        if (n->kind == RG_C_LOOP) rg_c_accesses(s->tree, n->kid[1], on_access, &g);
        if (n->kind == RG_C_LOOP && n->n > 3) rg_c_accesses(s->tree, n->kid[3], on_access, &g);
        for (size_t v = 0; v < p->n; v++) live[v] |= e.exposed[v];
    } else {
        effect_of(p, n, &e);
        for (size_t v = 0; v < p->n; v++) live[v] = (live[v] && !e.defined[v]) || e.exposed[v];
    }
    rg__poly_effect_free(&e);
}

void rg__poly_scalars_analyse(struct poly_scop *s)
{
    struct pass p = {s, (size_t)s->tree->n_vars + 1};
    bool *live = rg_xcalloc(p.n, 1);
    liveness(s, &p, s->tree->root, live);
    free(live);
}

bool rg__poly_scalar_private(const struct poly_scop *s, int loop, int var)
{
    if (!s->written[loop][var]) return true; /* only read */
    if (s->decl_loop[var] != -2 && s->decl_loop[var] >= 0 && rg__poly_loop_inside(s, s->decl_loop[var], loop))
        return true;
    return !s->exposed[loop][var] && !s->live_out[loop][var];
}
