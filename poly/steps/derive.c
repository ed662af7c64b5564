/* The function with its loops in another order: what the edits that come before any grid make of the tree. Each state is built once. */
#include "poly/steps/edit.h"
#include "poly/reorder/reorder.h"
#include "poly/reorder/scheduler.h"
#include <stdlib.h>
#include <string.h>

bool rg__poly_reorders(enum poly_edit_kind kind)
{
    return kind == POLY_EDIT_WAVEFRONT || kind == POLY_EDIT_FISSION || kind == POLY_EDIT_FUSE || kind == POLY_EDIT_INTERCHANGE;
}

typedef const struct rg_ctree *(*change_fn)(struct poly_scop *s, int loop, int number, struct rg_arena *a, char *why, size_t size);

/* Changes every loop of that name, or every loop, for which it is legal; analysed anew after each. NULL: none. */
static struct poly_scop *change_loops(struct poly_scop *s, const char *site, int number, struct rg_arena *arena, change_fn change, char *why,
                                      size_t size)
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
            if (now->loops[l].node->edit == number || (!all && strcmp(now->loops[l].name, name) != 0))
                continue;
            t = change(now, l, number * POLY_ROUNDS + round, arena, text, sizeof text);
            if (!t && !said)
                snprintf(why, size, "%s", text);
            said = true;
        }
        struct poly_scop *next = NULL;
        if (!t || rg__poly_scop_new(s->problem, t, &next, NULL) != RG_OK)
            break;
        if (now != s)
            rg__poly_scop_free(now);
        now = next;
    }
    return now == s ? NULL : now;
}

static struct poly_scop *front(struct poly_scop *s, const char *site, struct rg_arena *arena, char *why, size_t size)
{
    s = s->plain ? s->plain : s;
    if (!strcmp(site, "C"))
        return rg__poly_reorder_where_it_pays(s, arena, why, size);
    const char *name = site + (strncmp(site, "loop:", 5) ? 0 : 5);
    snprintf(why, size, "there is no outermost loop %s", name);
    for (int l = 0; l < s->n_loops; l++)
        if (s->loops[l].parent < 0 && !strcmp(s->loops[l].name, name)) {
            struct poly_scop *next = rg__poly_reorder_nest(s, l, arena, why, size);
            if (next)
                return next;
        }
    return NULL;
}

static struct poly_scop *derive(struct poly_scop *s, const struct poly_edit *e, int number, struct rg_arena *arena, char *why, size_t size)
{
    switch (e->kind) {
    case POLY_EDIT_WAVEFRONT:
        return front(s, e->site, arena, why, size);
    case POLY_EDIT_FISSION:
        return change_loops(s, e->site, number, arena, rg__poly_divide_loop, why, size);
    case POLY_EDIT_FUSE:
        return change_loops(s, e->site, number, arena, rg__poly_join_loop, why, size);
    case POLY_EDIT_INTERCHANGE:
        return change_loops(s, e->site, number, arena, rg__poly_swap_loops, why, size);
    default:
        return NULL;
    }
}

struct poly_scop *rg__poly_derived(struct poly_scop *s, const struct poly_edits *e, char *why, size_t size)
{
    struct poly_scop *now = s;
    struct rg_buf key = RG_BUF_INIT;
    for (int i = 0, number = 1; i < e->n && now; i++) {
        if (!rg__poly_reorders(e->items[i].kind))
            continue;
        rg_buf_printf(&key, "%s@%s,", rg__poly_edit_word(e->items[i].kind), e->items[i].site);
        int at = 0;
        while (at < s->n_derived && strcmp(s->derived[at].key, key.data))
            at++;
        if (at == s->n_derived) {
            char text[512] = "";
            struct poly_scop *next = derive(now, &e->items[i], number, &s->arena, text, sizeof text);
            RG_GROW(s->derived, s->n_derived, s->cap_derived);
            s->derived[at] = (struct poly_derived){rg_xstrdup(key.data), next ? NULL : rg_xstrdup(text), next};
            s->n_derived++;
        }
        now = s->derived[at].scop;
        if (!now)
            snprintf(why, size, "%s", s->derived[at].why);
        number++;
    }
    rg_buf_release(&key);
    return now;
}
