/* scan.block: a loop that carries one associative update and keeps every value of it, in three launches: the totals of its
 * pieces, what lies in front of each piece, the loop itself with each piece starting from that. */
#include "poly/print.h"
#include <string.h>

/* Does the statement read or write the scalar? */
static bool touches(const struct poly_scop *s, const struct poly_knode *k, int var, bool *written)
{
    struct poly_effect e = rg__poly_effect_new(s);
    rg__poly_knode_effect(s, k, &e);
    bool t = e.read[var] || e.written[var];
    *written = e.written[var];
    rg__poly_effect_free(&e);
    return t;
}

static bool writes_arrays(const struct poly_scop *s, const struct poly_knode *k)
{
    bool w = false;
    for (int a = 0; a < s->tree->n_arrays && !w; a++)
        rg__poly_knode_uses_array(s, k, a, &w);
    return w;
}

/* The one scalar that the loop carries; -1: none, or more than that. */
static int carried(struct poly_scop *s, int loop, char *why, size_t size)
{
    const char *name = s->loops[loop].name;
    int var = -1;
    for (int v = 0; v < s->tree->n_vars; v++) {
        if (s->tree->vars[v].kind == RG_CVAR_ITER || s->var_hidden[v] || rg__poly_scalar_private(s, loop, v))
            continue;
        if (var >= 0) {
            snprintf(why, size, "loop %s carries more than one scalar", name);
            return -1;
        }
        var = v;
    }
    if (var < 0 || s->tree->vars[var].kind != RG_CVAR_LOCAL || s->tree->vars[var].type == RG_STRUCT) {
        snprintf(why, size, "loop %s carries no scalar that is updated and kept", name);
        return -1;
    }
    for (int a = 0; a < s->tree->n_arrays; a++)
        if (rg__poly_conflict(s, loop, NULL, 0, POLY_ONE_ARRAY + a).found) {
            snprintf(why, size, "loop %s carries a dependence on %s as well", name, s->tree->arrays[a].name);
            return -1;
        }
    return var;
}

/* The update and what it needs, in order; false: a value in the middle of the scan is needed to go on, or an array that
 * the iteration writes first. */
static bool slice(struct poly_program *p, const struct poly_knode *body, int update, int var, struct poly_knode **out, int *n, char *why,
                  size_t size)
{
    struct poly_scop *s = p->scop;
    bool *in = rg_arena_alloc(&p->arena, (size_t)body->n + 1), w, ok = true;
    struct poly_effect want = rg__poly_effect_new(s);
    rg__poly_knode_effect(s, body->kid[update], &want);
    want.exposed[var] = false;
    in[update] = true;
    snprintf(why, size, "what is added up at loop's next step depends on the sum so far, or on what the iteration writes first");
    for (int i = update - 1; i >= 0 && ok; i--) {
        struct poly_effect e = rg__poly_effect_new(s);
        rg__poly_knode_effect(s, body->kid[i], &e);
        for (int v = 0; v < s->tree->n_vars; v++)
            in[i] = in[i] || (e.written[v] && want.exposed[v]);
        ok = !in[i] || (!writes_arrays(s, body->kid[i]) && !touches(s, body->kid[i], var, &w));
        for (int v = 0; v < s->tree->n_vars && in[i]; v++)
            want.exposed[v] = (want.exposed[v] && !e.defined[v]) || e.exposed[v];
        rg__poly_effect_free(&e);
    }
    rg__poly_effect_free(&want);
    for (int i = 0; i <= update && ok; i++)
        for (int j = i + 1; j <= update && ok; j++)
            for (int a = 0; a < s->tree->n_arrays && ok && !in[i] && in[j]; a++) {
                bool first = false;
                rg__poly_knode_uses_array(s, body->kid[i], a, &first);
                ok = !(first && rg__poly_knode_uses_array(s, body->kid[j], a, NULL));
            }
    *n = 0;
    for (int i = 0; i <= update && ok; i++)
        if (in[i])
            out[(*n)++] = body->kid[i];
    return ok;
}

static bool scan_at(struct poly_program *p, int kernel, int at, char *why, size_t size)
{
    struct poly_scop *s = p->scop;
    struct poly_knode *seq = p->kernels[kernel].body, *loop = seq->kid[at], *body = loop->kid[0], *items[64];
    const struct poly_loop *l = &s->loops[loop->loop];
    int var = l->step == 1 && loop->node->n == 3 && body->n < 64 ? carried(s, loop->loop, why, size) : -1, update = -1, n = 0;
    bool kept = false;
    if (var < 0)
        return false;
    for (int i = 0; i < body->n; i++) {
        bool w = false, t = touches(s, body->kid[i], var, &w);
        int id = w && body->kid[i]->kind == KN_LEAF ? rg__poly_stmt_of(s, body->kid[i]->node) : -1;
        if (w && (update >= 0 || id < 0 || s->stmts[id].red_var != var || s->stmts[id].red_op == POLY_OP_NONE)) {
            snprintf(why, size, "loop %s changes %s in other ways than by one associative update", l->name, s->tree->vars[var].name);
            return false;
        }
        update = w ? i : update;
        kept = kept || (t && !w);
    }
    if (update < 0 || !kept) {
        snprintf(why, size, "loop %s keeps only the last value of %s: reduce.block is the step for it", l->name, s->tree->vars[var].name);
        return false;
    }
    if (!slice(p, body, update, var, items, &n, why, size))
        return false;
    bool pre = at > 0, post = at + 1 < seq->n;
    if (!rg__poly_make_room(p, kernel, 2 + pre + post)) {
        snprintf(why, size, "too many kernels");
        return false;
    }
    int k = kernel;
    if (pre)
        p->kernels[k++].body = rg__poly_knode_seq(p, seq->kid, at);
    struct poly_knode *part = rg__poly_knode_new(p, KN_LOOP, loop->node, 1);
    part->kid[0] = rg__poly_knode_seq(p, items, n);
    for (int phase = 0; phase < 3; phase++) {
        struct poly_kernel *x = &p->kernels[k + phase];
        x->form = POLY_SCAN_TOTALS + (enum poly_form)phase;
        x->body = phase == 0 ? rg__poly_knode_seq(p, &part, 1) : phase == 2 ? rg__poly_knode_seq(p, &loop, 1) : rg__poly_knode_seq(p, NULL, 0);
        x->reduce_loop = loop->loop;
        x->scan_var = var;
        x->scan_op = s->stmts[rg__poly_stmt_of(s, body->kid[update]->node)].red_op;
        x->scan_first = k;
    }
    if (post)
        p->kernels[k + 3].body = rg__poly_knode_seq(p, seq->kid + at + 1, seq->n - at - 1);
    rg__poly_assign_homes(p);
    return true;
}

bool rg__poly_scan(struct poly_program *p, const char *site, char *why, size_t size)
{
    const char *name = strncmp(site, "loop:", 5) == 0 ? site + 5 : "";
    bool all = strcmp(site, "C") == 0, any = false;
    snprintf(why, size, "no loop that one thread runs at the top of its kernel");
    for (int k = 0; k < p->n_kernels; k++) {
        const struct poly_knode *b = p->kernels[k].body;
        for (int i = 0; p->kernels[k].form == POLY_SINGLE && i < b->n; i++)
            if (b->kid[i]->kind == KN_LOOP && (all || !strcmp(p->scop->loops[b->kid[i]->loop].name, name)) && scan_at(p, k, i, why, size)) {
                any = true;
                break; /* what follows it is a kernel of its own now */
            }
    }
    return any;
}
