/* reduce.split: a point's loop in parts, each a thread's, whose results a second stage combines. */
#include "poly/steps/steps.h"
#include <stdlib.h>
#include <string.h>

static bool split_site(struct poly_program *p, int loop)
{
    int k = rg__poly_kernel_of(p, loop);
    return k >= 0 && p->kernels[k].form == POLY_THREADS && p->kernels[k].partner < 0 &&
           rg__poly_item_of(&p->kernels[k], loop) >= 0 && rg__poly_reduction_loop(p->scop, loop) &&
           rg__poly_long_enough(p->scop, loop);
}

static bool is_accumulated(const struct poly_acc *acc, int n, int array, int var)
{
    for (int i = 0; i < n; i++)
        if (acc[i].array == array && acc[i].var == var) return true;
    return false;
}

/* Marks the items in front that compute what the loop reads; both stages run them. false: they do more than that. */
static bool needed_items(struct poly_program *p, const struct poly_knode *body, int at, const struct poly_acc *acc,
                         int n_acc, bool *needed, struct rg_reason *why)
{
    struct poly_scop *s = p->scop;
    const char *name = s->loops[body->kid[at]->loop].name;
    struct poly_effect want = rg__poly_effect_new(s);
    bool ok = true;
    rg__poly_knode_effect(s, body->kid[at], &want);
    for (int v = 0; v < s->tree->n_vars; v++) want.exposed[v] = want.exposed[v] && !is_accumulated(acc, n_acc, -1, v);
    for (int i = at - 1; i >= 0 && ok; i--) {
        struct poly_effect e = rg__poly_effect_new(s);
        bool writes = false;
        rg__poly_knode_effect(s, body->kid[i], &e);
        for (int a = 0; a < s->tree->n_arrays && ok; a++) {
            bool w = false, w2 = false, uses = rg__poly_knode_uses_array(s, body->kid[i], a, &w);
            bool in_loop = rg__poly_knode_uses_array(s, body->kid[at], a, &w2) && !is_accumulated(acc, n_acc, a, -1);
            writes = writes || w;
            if (uses && in_loop && (w || w2)) {
                rg_refuse(why, RG_REFUSE_DEPENDENCE, 0, "loop %s needs %s as its own point leaves it first", name,
                          s->tree->arrays[a].name);
                ok = false;
            }
        }
        for (int v = 0; v < s->tree->n_vars && ok; v++) needed[i] = needed[i] || (e.written[v] && want.exposed[v]);
        if (ok && needed[i] && (writes || rg__poly_knode_has_loop(body->kid[i]))) {
            rg_refuse(why, RG_REFUSE_DEPENDENCE, 0,
                      "loop %s needs what its point computes first in a loop or along with an array", name);
            ok = false;
        }
        for (int v = 0; v < s->tree->n_vars && needed[i]; v++)
            want.exposed[v] = (want.exposed[v] && !e.defined[v]) || e.exposed[v];
        rg__poly_effect_free(&e);
    }
    rg__poly_effect_free(&want);
    return ok;
}

static bool split_loop(struct poly_program *p, int loop, bool only_columns, struct rg_reason *why)
{
    struct poly_scop *s = p->scop;
    const char *name = s->loops[loop].name;
    struct poly_acc acc[16];
    int k = rg__poly_kernel_of(p, loop), n = rg__poly_all_accumulators(s, &p->kernels[k], loop, true, acc, 16);
    struct poly_kernel *kn = &p->kernels[k];
    if (n <= 0) {
        rg_refuse(why, RG_REFUSE_SHAPE, 0,
                  "loop %s updates elements that differ between its iterations: no one partial result for each part",
                  name);
        return false;
    }
    for (int d = 0; d < kn->n_dims; d++)
        if (s->loops[kn->dims[d]].step != 1 || kn->n_dims > 2) {
            rg_refuse(why, RG_REFUSE_SHAPE, 0, "the parts of loop %s are numbered by two plain dimensions at most",
                      name);
            return false;
        }
    for (int a = 0; a < s->tree->n_arrays; a++)
        if (kn->atomic[a] && rg__poly_knode_uses_array(s, kn->body, a, NULL)) {
            rg_refuse(why, RG_REFUSE_DEPENDENCE, 0, "%s is updated by atomics: they would run once for each part",
                      s->tree->arrays[a].name);
            return false;
        }
    bool *meets = rg_arena_alloc(&p->arena, (size_t)s->tree->n_arrays + 1);
    memset(meets, 0, (size_t)s->tree->n_arrays + 1);
    if (rg__poly_collisions(p, kn, loop, meets)) {
        rg_refuse(why, RG_REFUSE_ORDER, 0, "loop %s scatters besides: reduce.block is the step for it", name);
        return false;
    }
    int at = rg__poly_item_of(kn, loop), big = rg__poly_big_local(p, kn);
    if (big >= 0) {
        rg_refuse(why, RG_REFUSE_SHAPE, 0, "local array %s has a part of a buffer for each thread",
                  s->tree->arrays[big].name);
        return false;
    }
    const struct poly_knode *body = kn->body;
    bool *needed = rg_arena_alloc(&p->arena, (size_t)at + 1);
    if (!needed_items(p, body, at, acc, n, needed, why)) return false;
    struct poly_kernel turned = *kn;
    enum poly_team team = rg__poly_choose_team(p, &turned, body->kid[at]);
    if (only_columns && team != POLY_TEAM_COLUMN) {
        rg_refuse(why, RG_REFUSE_ORDER, 0, "the elements along loop %s are neighbours: reduce.block is the step for it",
                  name);
        return false;
    }
    struct poly_knode *items[64];
    int n_items = 0;
    for (int i = 0; i < at && n_items < 63; i++)
        if (needed[i]) items[n_items++] = body->kid[i];
    items[n_items++] = body->kid[at];
    turned.body = rg__poly_knode_seq(p, items, n_items);
    if (!rg__poly_shared_loop(s, &turned, loop) || !rg__poly_block_ok(p, &turned, why)) return false;
    if (!rg__poly_make_room(p, k, 1)) {
        rg_refuse(why, RG_REFUSE_SPACE, 0, "too many kernels");
        return false;
    }
    struct poly_kernel *first = &p->kernels[k], *second = &p->kernels[k + 1];
    memcpy(first->axis, turned.axis, sizeof first->axis);
    memcpy(second->axis, turned.axis, sizeof second->axis);
    first->form = POLY_PARTIAL;
    first->team = team;
    first->body = turned.body;
    first->reduce_loop = second->reduce_loop = loop;
    first->partner = k + 1;
    second->partner = k;
    rg__poly_assign_homes(p);
    return true;
}

static bool apply(struct poly_program *p, const char *site, struct rg_reason *why)
{
    if (!rg__poly_need_threads(p, why)) return false;
    struct poly_scop *s = p->scop;
    const char *name = strncmp(site, "loop:", 5) == 0 ? site + 5 : "";
    bool all = strcmp(site, "C") == 0;
    int done = 0;
    rg_refuse(why, RG_REFUSE_SHAPE, 0,
              all ? "no loop of a thread adds up elements that are far apart"
                  : "no thread runs a reduction over loop %s",
              name);
    for (int i = 0; i < s->n_loops; i++)
        if ((all || strcmp(s->loops[i].name, name) == 0) && split_site(p, i)) done += split_loop(p, i, all, why);
    return done > 0;
}

static void sites(const struct poly_sites *at)
{
    struct poly_scop *s = at->s;
    struct poly_program *p = rg__poly_sites_program(at);
    at->fn(at->arg, "C");
    for (int i = 0; p && i < s->n_loops; i++) {
        bool first = split_site(p, i);
        for (int j = 0; j < i; j++) first = first && !(s->loops[j].var == s->loops[i].var && split_site(p, j));
        if (first) rg__poly_site_loop(at, s, i);
    }
    rg__poly_program_free(p);
}

static bool is_split(const struct poly_kernel *k)
{
    return k->n_dims && k->partner >= 0;
}

static bool open(const struct poly_opening *o, struct poly_domain *d)
{
    *d = (struct poly_domain){.least = 1, .most = 64, .start = 8, .values = {2, 4, 8, 16, 32}};
    return rg__poly_any_kernel(o->p, is_split);
}

static const struct poly_opens opens[] = {
    {.name = "SPLIT", .open = open},
    {.name = NULL},
};

const struct poly_step rg__poly_step_reduce_split = {
    POLY_STEP(reduce_split),
    .when = POLY_ON_LAUNCHES,
    .traits = RG_TRAIT_REDUCTION,
    .apply = apply,
    .sites = sites,
    .opens = opens,
    .opens_as = (const struct poly_step *const[]){&rg__poly_step_reduce_block, NULL},
};
