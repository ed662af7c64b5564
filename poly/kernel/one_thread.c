/* Kernels of one thread: where the work is that nobody shares, why, and what would let others share it. */
#include "poly/kernel/kernel.h"
#include <string.h>

/* Statements that the loops below run, roughly; *loop: the outermost one that runs most of them. */
static double heaviest(const struct poly_kernel *k, const struct poly_scop *s, const struct poly_knode *n, int *around,
                       int depth, int *loop)
{
    if (!n) return 0;
    if (n->kind == KN_LEAF) return rg__poly_passes(s, around, depth);
    bool outer = n->kind == KN_LOOP && depth == k->n_host;
    if (n->kind == KN_LOOP && depth < POLY_MAX_DEPTH) around[depth++] = n->loop;
    double sum = 0, most = -1;
    int inside = -1;
    for (int i = 0; i < n->n; i++) {
        double w = heaviest(k, s, n->kid[i], around, depth, loop);
        sum += w;
        if (*loop >= 0 && w > most) {
            most = w;
            inside = *loop;
        }
        *loop = -1;
    }
    *loop = outer ? n->loop : inside;
    return sum;
}

static const struct rg_cnode *first_opaque(const struct poly_knode *k)
{
    const struct rg_cnode *found = k && k->kind == KN_LEAF && k->node->kind == RG_C_OPAQUE ? k->node : NULL;
    for (int i = 0; k && i < k->n && !found; i++) found = first_opaque(k->kid[i]);
    return found;
}

/* Does anything of the two statements touch the array at a place that data decide? */
static bool by_data(const struct poly_scop *s, const struct poly_conflict *c)
{
    const int stmts[2] = {c->stmt_a, c->stmt_b};
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < s->stmts[stmts[k]].n_accesses; i++) {
            const struct poly_access *a = &s->accesses[s->stmts[stmts[k]].first_access + i];
            if (a->array == c->array && !a->affine) return true;
        }
    return false;
}

static void lift_of(struct poly_scop *s, int loop, const struct poly_conflict *c, char *out, size_t size)
{
    const char *name = c->array >= 0 ? s->tree->arrays[c->array].name : c->var >= 0 ? s->tree->vars[c->var].name : "it";
    bool more = rg__poly_conflict(s, loop, NULL, 0, POLY_REDUCTIONS).found;
    if (c->limit)
        snprintf(out, size, "an edit: simpler subscripts of %s", name);
    else if (!more)
        snprintf(out, size, "a longer search (--evals, --time), none of whose steps is forbidden");
    else if (c->array >= 0 && s->problem->may_alias && c->stmt_a != c->stmt_b)
        snprintf(out, size, "no --may-alias, if the parameters never overlap");
    else if (c->array >= 0 && by_data(s, c))
        snprintf(out, size, "an edit: subscripts of %s from which it follows that iterations stay apart", name);
    else if (!strcmp(c->kind, "output"))
        snprintf(out, size, "an edit: %s declared inside the loop, so that each iteration has its own", name);
    else
        snprintf(out, size, "an edit: what %s is in an iteration, without the iteration before", name);
}

bool rg__poly_one_thread(const struct poly_program *p, const struct poly_kernel *k, struct rg_lone *out)
{
    struct poly_scop *s = p->scop;
    int around[POLY_MAX_DEPTH], loop = -1;
    memset(out, 0, sizeof *out);
    if (k->form != POLY_SINGLE) return false;
    memcpy(around, k->host, (size_t)k->n_host * sizeof *around);
    out->work = heaviest(k, s, k->body, around, k->n_host, &loop);
    const struct rg_cnode *opaque = loop < 0 ? first_opaque(k->body) : NULL;
    snprintf(out->kernel, sizeof out->kernel, "%s", k->name);
    snprintf(out->reason, sizeof out->reason, "single statements, no loop");
    if (loop >= 0) {
        struct poly_conflict c = rg__poly_conflict(s, loop, k->host, k->n_host, POLY_STRICT);
        out->line = s->loops[loop].node->line;
        out->loops = true;
        if (c.found) {
            rg__poly_conflict_text(s, loop, &c, out->reason, sizeof out->reason);
            lift_of(s, loop, &c, out->lift, sizeof out->lift);
        } else {
            snprintf(out->reason, sizeof out->reason, "loop %s (%s:%d) is too short to be worth a grid",
                     s->loops[loop].name, s->problem->file, out->line);
            snprintf(out->lift, sizeof out->lift, "larger sizes (--size)");
        }
    } else if (opaque) {
        out->line = opaque->line;
        out->loops = true;
        snprintf(out->reason, sizeof out->reason, "%s:%d: %s", s->problem->file, opaque->line,
                 opaque->why ? opaque->why : "not affine");
        snprintf(out->lift, sizeof out->lift,
                 "an edit there: loops with a counter, bounds and subscripts that are linear in the counters");
    }
    return true;
}
