/* Steps and chains for tests of the built-in coder. */
#ifndef TESTS_POLY_CHAIN_H
#define TESTS_POLY_CHAIN_H
#include <rg/poly.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct rg_step chain_steps[] = {
    {.id = "wavefront", .poly = "wavefront"},
    {.id = "interchange", .poly = "interchange"},
    {.id = "readonly", .poly = "readonly"},
    {.id = "fission", .poly = "fission"},
    {.id = "fuse", .poly = "fuse"},
    {.id = "parallelize", .poly = "parallelize"},
    {.id = "coalesce", .poly = "coalesce"},
    {.id = "tile.shared", .poly = "tile_shared"},
    {.id = "coarsen.register", .poly = "coarsen_register"},
    {.id = "unroll", .poly = "unroll"},
    {.id = "reduce.block", .poly = "reduce_block"},
    {.id = "reduce.warp", .poly = "reduce_warp"},
    {.id = "block.shape", .poly = "block_shape"},
    {.id = "grid.stride", .poly = "grid_stride"},
    {.id = "vectorize", .poly = "vectorize"},
    {.id = "launch.bounds", .poly = "launch_bounds"},
    {.id = "histogram.private", .poly = "privatise_histogram"},
    {.id = "resident.block", .poly = "resident_block"},
    {.id = "grid.sync", .poly = "resident_grid"},
    {.id = "sequential", .poly = "sequential"},
    {.id = "tile.two.level", .poly = "tile_two_level"},
    {.id = "scan.block", .poly = "scan_block"},
    {.id = "prefetch.register", .poly = "prefetch_register"},
    {.id = "reduce.split", .poly = "reduce_split"},
    {.id = "share.block", .poly = "share_block"},
    {.id = "row.warp", .poly = "row_warp"},
    {.id = "row.registers", .poly = "row_registers"},
    {.id = "time.tile", .poly = "time_tile"},
};
enum { N_CHAIN_STEPS = sizeof chain_steps / sizeof *chain_steps };

/* Those that are taken before any action, too: chains leave them out. */
static const struct rg_step first_steps[] = {
    {.id = "last.writer", .poly = "last_writer"},
    {.id = "ping.pong", .poly = "ping_pong"},
    {.id = "last.value", .poly = "last_value"},
    {.id = "array.expand", .poly = "array_expand"},
};
enum { N_FIRST_STEPS = sizeof first_steps / sizeof *first_steps };

static const struct rg_step *chain_step(const char *id)
{
    for (int i = 0; i < N_FIRST_STEPS; i++)
        if (!strcmp(first_steps[i].id, id)) return &first_steps[i];
    for (int i = 0; i < N_CHAIN_STEPS; i++)
        if (!strcmp(chain_steps[i].id, id)) return &chain_steps[i];
    return NULL;
}

/* One action; NULL when refused, with the reason. parent's reference stays the caller's. */
static inline struct rg_template *chain_apply(const struct rg_coder *c, struct rg_template *parent, const char *step,
                                              const char *site, char *why, size_t size)
{
    struct rg_answer a;
    bool got = false;
    c->submit(c->self, 1, parent, chain_step(step), site, NULL, NULL);
    c->poll(c->self, 0, &a, &got, NULL);
    if (!got || a.kind != RG_ANSWER_TEMPLATE) {
        snprintf(why, size, "%s", got ? a.message : "no answer");
        return NULL;
    }
    return a.tmpl;
}

/* "parallelize,coalesce,tile.shared@A" */
static inline struct rg_template *chain_make(const struct rg_coder *c, const char *text, char *why, size_t size)
{
    struct rg_template *t = NULL;
    char *copy = strdup(text), *save = NULL;
    for (char *w = strtok_r(copy, ",", &save); w; w = strtok_r(NULL, ",", &save)) {
        char *site = strchr(w, '@');
        if (site) *site++ = 0;
        struct rg_template *next = chain_apply(c, t, w, site ? site : "C", why, size);
        rg_template_unref(t);
        t = next;
        if (!t) break;
    }
    free(copy);
    return t;
}
#endif
