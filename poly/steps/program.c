/* From a set of actions to kernels: the loops in another order first, each such state built once; then grids; then what
 * each step does to them, in canonical order. */
#include "poly/reorder/reorder.h"
#include "poly/steps/steps.h"
#include <stdlib.h>
#include <string.h>

struct poly_scop *rg__poly_change_loops(struct poly_scop *s, const char *site, int number, struct rg_arena *arena,
                                        poly_change_fn *change, char *why, size_t size)
{
    bool all = !strcmp(site, "C");
    const char *name = all ? "" : site + (strncmp(site, "loop:", 5) ? 0 : 5);
    struct poly_scop *now = s;
    char text[512];
    bool said = false; /* the first loop's reason */
    snprintf(why, size, all ? "the function has no loop" : "there is no loop %s", name);
    for (int round = 0; round < POLY_ROUNDS; round++) {
        const struct rg_ctree *t = NULL;
        for (int l = 0; l < now->n_loops && !t; l++) {
            if (now->loops[l].node->edit == number || (!all && strcmp(now->loops[l].name, name) != 0)) continue;
            t = change(now, l, number * POLY_ROUNDS + round, arena, text, sizeof text);
            if (!t && !said) snprintf(why, size, "%s", text);
            said = true;
        }
        struct poly_scop *next = NULL;
        if (!t || rg__poly_scop_new(s->problem, t, &next, NULL) != RG_OK) break;
        if (now != s) rg__poly_scop_free(now);
        now = next;
    }
    return now == s ? NULL : now;
}

struct poly_scop *rg__poly_derived(struct poly_scop *s, const struct poly_actions *e, char *why, size_t size)
{
    struct poly_scop *now = s;
    struct rg_buf key = RG_BUF_INIT;
    for (int i = 0, number = 1; i < e->n && now; i++) {
        if (!e->items[i].step->reorder) continue;
        rg_buf_printf(&key, "%s@%s,", e->items[i].step->word, e->items[i].site);
        int at = 0;
        while (at < s->n_derived && strcmp(s->derived[at].key, key.data)) at++;
        if (at == s->n_derived) {
            char text[512] = "";
            struct poly_scop *next =
                e->items[i].step->reorder(now, e->items[i].site, number, &s->arena, text, sizeof text);
            RG_GROW(s->derived, s->n_derived, s->cap_derived);
            s->derived[at] = (struct poly_derived){rg_xstrdup(key.data), next ? NULL : rg_xstrdup(text), next};
            s->n_derived++;
        }
        now = s->derived[at].scop;
        if (!now) snprintf(why, size, "%s", s->derived[at].why);
        number++;
    }
    rg_buf_release(&key);
    return now;
}

struct poly_program *rg__poly_apply(struct poly_scop *s, const struct poly_actions *e, char *why, size_t size)
{
    struct rg_error err = RG_ERROR_INIT;
    bool mapped = rg__poly_is_mapped(e);
    for (int i = 0; i < e->n; i++)
        if (e->items[i].step->alone) {
            if (e->n == 1) return e->items[i].step->alone(s);
            snprintf(why, size, "the code runs as one thread: no other step applies to it");
            return NULL;
        }
    if (!mapped && e->n) {
        snprintf(why, size, "the code is still sequential: parallelize or reduce.block comes first");
        return NULL;
    }
    if (!e->n) return rg__poly_map_sequential(s);
    s = rg__poly_derived(s, e, why, size);
    if (!s) return NULL;
    struct poly_program *p = rg__poly_map(s, &err);
    if (!p) {
        snprintf(why, size, "%s", err.text);
        return NULL;
    }
    for (int i = 0; i < e->n; i++)
        if (e->items[i].step->apply && !e->items[i].step->apply(p, e->items[i].site, why, size)) {
            rg__poly_program_free(p);
            return NULL;
        }
    if (!rg__poly_phases_ok(p, why, size)) {
        rg__poly_program_free(p);
        return NULL;
    }
    return p;
}
