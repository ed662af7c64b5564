/* From a set of actions to kernels: the loops in another order first, each such state built once; then grids; then what
 * each step does to them, in canonical order. */
#include "poly/reorder/reorder.h"
#include "poly/steps/steps.h"
#include <stdlib.h>
#include <string.h>

struct poly_scop *rg__poly_change_loops(struct poly_scop *s, const char *site, int number, struct rg_arena *arena,
                                        poly_change_fn *change, struct rg_reason *why)
{
    bool all = !strcmp(site, "C");
    const char *name = all ? "" : site + (strncmp(site, "loop:", 5) ? 0 : 5);
    struct poly_scop *now = s;
    struct rg_reason text = {0};
    bool said = false; /* the first loop's reason */
    rg_refuse(why, RG_REFUSE_SITE, 0, all ? "the function has no loop" : "there is no loop %s", name);
    for (int round = 0; round < POLY_ROUNDS; round++) {
        const struct rg_ctree *t = NULL;
        for (int l = 0; l < now->n_loops && !t; l++) {
            if (now->loops[l].node->edit == number || (!all && strcmp(now->loops[l].name, name) != 0)) continue;
            t = change(now, l, number * POLY_ROUNDS + round, arena, &text);
            if (!t && !said) *why = text;
            said = true;
        }
        struct poly_scop *next = NULL;
        if (!t || rg__poly_scop_new(s->problem, t, &next, NULL) != RG_OK) break;
        if (now != s) rg__poly_scop_free(now);
        now = next;
    }
    return now == s ? NULL : now;
}

static bool leaves_out(const struct poly_action *a)
{
    return !strcmp(a->site, RG_SITE_NONE);
}

bool rg__poly_was_taken(const struct rg_ctree *t, const struct poly_step *first)
{
    for (int i = 0; i < t->n_prepared; i++)
        if (t->prepared[i].what == first->first->is) return true;
    return false;
}

/* The program that it would be had the step never been taken. NULL: it can't be left out, with the reason in why. */
static struct poly_scop *left_out(const struct poly_scop *s, const struct poly_step *step, struct rg_arena *arena,
                                  struct rg_reason *why)
{
    struct rg_error err = RG_ERROR_INIT;
    struct poly_scop *out = NULL;
    rg_refuse(why, RG_REFUSE_SITE, 0, "it was not taken, so that it can't be left out");
    if (!step->first || !s->as_written || !rg__poly_was_taken(s->tree, step)) return NULL;
    if (step->first->stays) {
        rg_refuse(why, RG_REFUSE_ORDER, 0, "%s", step->first->stays);
        return NULL;
    }
    struct rg_ctree *t = rg_arena_alloc(arena, sizeof *t);
    *t = *s->as_written;
    t->without = s->tree->without | 1u << step->first->is;
    if (s->begin(s->problem, t, arena, &out, &err) != RG_OK)
        rg_refuse(why, RG_REFUSE_ANALYSIS, err.line, "%s", err.text);
    return out;
}

static struct poly_scop *changed(struct poly_scop *s, const struct poly_action *a, int number, struct rg_arena *arena,
                                 struct rg_reason *why)
{
    if (leaves_out(a)) return left_out(s, a->step, arena, why);
    if (a->step->reorder) return a->step->reorder(s, a->site, number, arena, why);
    rg_refuse(why, RG_REFUSE_ORDER, 0, "it is a step that is taken before any action, where it pays");
    return NULL;
}

struct poly_scop *rg__poly_derived(struct poly_scop *s, const struct poly_actions *e, struct rg_reason *why)
{
    struct poly_scop *now = s;
    struct rg_buf key = RG_BUF_INIT;
    int number = 1;
    for (int pass = 0; pass < 2; pass++) /* what a program does without is decided before its loops are changed */
        for (int i = 0; i < e->n && now; i++) {
            const struct poly_action *a = &e->items[i];
            bool only_first = a->step->first && !a->step->apply;
            if (leaves_out(a) != !pass || !(leaves_out(a) || a->step->reorder || only_first)) continue;
            rg_buf_printf(&key, "%s@%s,", a->step->word, a->site);
            int at = 0;
            while (at < s->n_derived && strcmp(s->derived[at].key, key.data)) at++;
            if (at == s->n_derived) {
                struct rg_reason text = {0};
                struct poly_scop *next = changed(now, a, number, &s->arena, &text);
                RG_GROW(s->derived, s->n_derived, s->cap_derived);
                s->derived[at] = (struct poly_derived){rg_xstrdup(key.data), next, text};
                s->n_derived++;
            }
            now = s->derived[at].scop;
            if (!now) *why = s->derived[at].why;
            number++;
        }
    rg_buf_release(&key);
    return now;
}

/* *fuse: may short launches become one? False where that came to nothing. */
static struct poly_program *applied(struct poly_scop *s, const struct poly_actions *e, bool *fuse,
                                    struct rg_reason *why)
{
    struct rg_error err = RG_ERROR_INIT;
    bool mapped = rg__poly_is_mapped(e);
    for (int i = 0; i < e->n; i++)
        if (e->items[i].step->alone) {
            if (e->n == 1) return e->items[i].step->alone(s);
            rg_refuse(why, RG_REFUSE_ORDER, 0, "the code runs as one thread: no other step applies to it");
            return NULL;
        }
    if (!mapped && e->n) {
        rg_refuse(why, RG_REFUSE_ORDER, 0, "the code is still sequential: parallelize or reduce.block comes first");
        return NULL;
    }
    if (!e->n) return rg__poly_map_sequential(s);
    s = rg__poly_derived(s, e, why);
    if (!s) return NULL;
    struct poly_program *p = rg__poly_map(s, &err);
    if (!p) {
        rg_refuse(why, RG_REFUSE_ANALYSIS, err.line, "%s", err.text);
        return NULL;
    }
    for (int i = 0; i < e->n; i++)
        if (e->items[i].step->apply && !leaves_out(&e->items[i]) &&
            !e->items[i].step->apply(p, e->items[i].site, why)) {
            rg__poly_program_free(p);
            return NULL;
        }
    if (!rg__poly_phases_ok(p, why)) {
        rg__poly_program_free(p);
        return NULL;
    }
    rg__poly_ask_in_kernels(p);
    *fuse = !*fuse || rg__poly_fuse_in_block(p, &rg__poly_trial);
    return p;
}

struct poly_program *rg__poly_apply(struct poly_scop *s, const struct poly_actions *e, struct rg_reason *why)
{
    bool fuse = true;
    struct poly_program *p = applied(s, e, &fuse, why);
    if (!p || fuse) return p;
    rg__poly_program_free(p);
    return applied(s, e, &fuse, why);
}
