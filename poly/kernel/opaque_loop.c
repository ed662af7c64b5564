/* Loops whose bounds are data (the rows of a sparse matrix) that only add up: found in opaque code, where no dependence
 * test reaches, by what their bodies may write. */
#include "poly/kernel/kernel.h"
#include <stdlib.h>
#include <string.h>

struct walk {
    const struct poly_scop *s;
    struct poly_opaque_loop *o;
    bool *inside; /* [var] declared in the body */
    bool ok;
};

static const struct rg_cnode *strip(const struct rg_cnode *e)
{
    while (e && (e->kind == RG_C_CAST || e->kind == RG_C_STMT || (e->kind == RG_C_BLOCK && e->n == 1)) && e->n == 1)
        e = e->kid[0];
    return e;
}

static struct poly_acc *accumulates(struct poly_opaque_loop *o, int var)
{
    for (int i = 0; i < o->n_acc; i++)
        if (o->acc[i].var == var) return &o->acc[i];
    return NULL;
}

static void declared(const struct rg_cnode *n, bool *inside)
{
    if (!n) return;
    if ((n->kind == RG_C_DECL || n->kind == RG_C_LOOP) && n->array < 0 && n->var >= 0) inside[n->var] = true;
    for (int i = 0; i < n->n; i++) declared(n->kid[i], inside);
}

static void updates(struct walk *w, const struct rg_cnode *n)
{
    const struct rg_cnode *target = n->kid[0], *x = NULL;
    if (target->kind != RG_C_VAR || target->array >= 0) {
        w->ok = false; /* an array: other rows may share the element */
        return;
    }
    if (w->inside[target->var]) return;
    enum poly_op op = rg__poly_statement_op(w->s->tree, n, &x);
    struct poly_acc *a = accumulates(w->o, target->var);
    if (op == POLY_OP_NONE || w->s->tree->vars[target->var].kind != RG_CVAR_LOCAL ||
        w->s->tree->vars[target->var].type == RG_STRUCT || target->var == w->o->var || (a && a->op != op) ||
        (!a && w->o->n_acc == POLY_OPAQUE_ACCS))
        w->ok = false;
    else if (!a)
        w->o->acc[w->o->n_acc++] =
            (struct poly_acc){.array = -1, .var = target->var, .op = op, .type = w->s->tree->vars[target->var].type};
}

static void writes(struct walk *w, const struct rg_cnode *n)
{
    if (!n || !w->ok) return;
    switch (n->kind) {
    case RG_C_ASSIGN:
    case RG_C_INCDEC:
        updates(w, n);
        break;
    case RG_C_CALL:
        w->ok = w->ok && (n->callee < 0 || w->s->tree->helpers[n->callee].pure);
        break;
    case RG_C_UNARY:
        w->ok = w->ok && n->op != RG_COP_ADDRESS;
        break;
    case RG_C_DECL:
        w->ok = w->ok && n->array < 0;
        break;
    case RG_C_BREAK:
    case RG_C_RETURN:
    case RG_C_WHILE:
    case RG_C_DO:
    case RG_C_VERBATIM:
        w->ok = false;
        break;
    default:
        break;
    }
    for (int i = 0; i < n->n; i++) writes(w, n->kid[i]);
}

/* What is accumulated must be read by its own updates alone. */
static bool read_elsewhere(struct walk *w, const struct rg_cnode *n)
{
    if (!n) return false;
    if ((n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC) && n->kid[0]->kind == RG_C_VAR && n->kid[0]->array < 0 &&
        accumulates(w->o, n->kid[0]->var)) {
        for (int i = 0; i < w->o->n_acc; i++) /* its own operand was looked at when the update was recognised */
            if (w->o->acc[i].var != n->kid[0]->var && rg__c_count_var(n, w->o->acc[i].var)) return true;
        return false;
    }
    if (n->kind == RG_C_VAR && n->array < 0 && accumulates(w->o, n->var)) return true;
    for (int i = 0; i < n->n; i++)
        if (read_elsewhere(w, n->kid[i])) return true;
    return false;
}

bool rg__poly_opaque_loop(const struct poly_scop *s, const struct rg_cnode *n, struct poly_opaque_loop *out)
{
    memset(out, 0, sizeof *out);
    const struct rg_cnode *l = n->kind == RG_C_OPAQUE && n->n ? strip(n->kid[0]) : NULL;
    if (!l || l->kind != RG_C_LOOP || l->n != 3 || l->step <= 0) return false;
    *out = (struct poly_opaque_loop){
        .var = l->var, .step = l->step, .first = l->kid[0], .end = l->kid[1], .body = l->kid[2]};
    struct walk w = {s, out, rg_xcalloc((size_t)s->tree->n_vars + 1, 1), true};
    declared(out->body, w.inside);
    for (int i = 0; i < 3; i++) writes(&w, l->kid[i]);
    bool ok = w.ok && out->n_acc > 0 && !w.inside[out->var];
    for (int i = 0; i < 3; i++) ok = ok && !read_elsewhere(&w, l->kid[i]);
    free(w.inside);
    return ok;
}

static bool find_loop(void *arg, const struct poly_knode *k)
{
    struct {
        const struct poly_scop *s;
        bool found;
    } *f = arg;
    struct poly_opaque_loop o;
    f->found = f->found || (k->kind == KN_LEAF && rg__poly_opaque_loop(f->s, k->node, &o));
    return true;
}

bool rg__poly_has_opaque_loop(const struct poly_scop *s, const struct poly_knode *k)
{
    struct {
        const struct poly_scop *s;
        bool found;
    } f = {s, false};
    rg__poly_knode_walk(k, find_loop, &f);
    return f.found;
}
