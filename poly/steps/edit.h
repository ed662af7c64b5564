/* A candidate's state: the set of edits applied to the sequential code, from which its kernels follow. Edits commute
 * where both are legal, so the set in canonical order is the candidate's key. */
#ifndef RG_POLY_EDIT_H
#define RG_POLY_EDIT_H
#include "poly/kernel/kernel.h"
#include "poly/cuda/print.h"
#include "poly/steps/steps.h"
#include <rg/tunable.h>
#include <rg/words.h>

/* enum, the `poly` word of a regraph step. The first ones give the loops another order before any of them becomes a grid. */
#define POLY_EDIT_MAP(X)                 \
    X(SEQUENTIAL, "sequential")          \
    X(WAVEFRONT, "wavefront")            \
    X(FISSION, "fission")                \
    X(FUSE, "fuse")                      \
    X(INTERCHANGE, "interchange")        \
    X(PARALLELIZE, "parallelize")        \
    X(SCAN, "scan_block")                \
    X(REDUCE_SPLIT, "reduce_split")      \
    X(REDUCE_BLOCK, "reduce_block")      \
    X(ROW_WARP, "row_warp")              \
    X(COALESCE, "coalesce")              \
    X(PRIVATISE, "privatise_histogram")  \
    X(TWO_LEVEL, "tile_two_level")       \
    X(COARSEN, "coarsen_register")       \
    X(TILE_SHARED, "tile_shared")        \
    X(VECTORIZE, "vectorize")            \
    X(GRID_STRIDE, "grid_stride")        \
    X(RESIDENT_BLOCK, "resident_block")  \
    X(RESIDENT_GRID, "resident_grid")    \
    X(REDUCE_WARP, "reduce_warp")        \
    X(UNROLL, "unroll")                  \
    X(PREFETCH, "prefetch_register")     \
    X(LAUNCH_BOUNDS, "launch_bounds")    \
    X(READONLY, "readonly")              \
    X(BLOCK_SHAPE, "block_shape")

enum poly_edit_kind { /* in canonical order */
#define X(name, word) POLY_EDIT_##name,
    POLY_EDIT_MAP(X)
#undef X
        POLY_N_EDITS
};

enum { POLY_MAX_EDITS = 32 };
struct poly_edit {
    enum poly_edit_kind kind;
    char site[96];
    int link;                            /* the action of the chain that it is; no part of the key */
    const struct rg_tunables *proposed;  /* by the regraph's step, which outlives templates; NULL none */
};

struct poly_edits {
    int n;
    struct poly_edit items[POLY_MAX_EDITS]; /* canonical order, no repetition */
};

int rg__poly_edit_parse(const char *word); /* enum poly_edit_kind, -1 unknown */
const char *rg__poly_edit_word(enum poly_edit_kind k);
/* false: it is there already, or there are too many. */
bool rg__poly_edits_add(struct poly_edits *e, enum poly_edit_kind kind, const char *site);
/* The edit as the action that made it. */
void rg__poly_edits_credit(struct poly_edits *e, enum poly_edit_kind kind, const char *site, int link,
                           const struct rg_tunables *proposed);
bool rg__poly_edits_have(const struct poly_edits *e, enum poly_edit_kind kind);
void rg__poly_edits_key(const struct poly_edits *e, struct rg_buf *out);

/* ---- derive.c ---- */
/* Is it one of those that work on the loops before they are mapped? */
bool rg__poly_reorders(enum poly_edit_kind kind);
/* The function with its loops as those edits leave them; s itself when there are none. s owns it. NULL: one is illegal, with one
 * sentence in why. */
struct poly_scop *rg__poly_derived(struct poly_scop *s, const struct poly_edits *e, char *why, size_t size);
/* The kernels that the edits make; NULL when one of them is illegal, `why` one sentence. */
struct poly_program *rg__poly_apply(struct poly_scop *s, const struct poly_edits *e, char *why, size_t size);

bool rg__poly_is_mapped(const struct poly_edits *e); /* is there an edit that begins: that says how loops are shared? */

/* ---- sites.c ---- */
/* Names of sites an edit could take at this state, legal or not: fn is called for each. */
void rg__poly_candidates(struct poly_scop *s, const struct poly_edits *e, enum poly_edit_kind kind,
                     void (*fn)(void *arg, const char *site), void *arg);

/* REUSE and STRIDED bits of what is staged at the site. */
uint32_t rg__poly_stage_traits(const struct poly_program *p, const char *site);

/* ---- worth.c ---- */
/* Is the legal edit, which makes p of the parent's kernels, one that a search should try? */
bool rg__poly_worth_offering(struct poly_scop *s, const struct poly_edits *parent, const struct poly_edits *e, enum poly_edit_kind kind,
                             const struct poly_program *p, char *why, size_t size);
/* Is it a start that keeps the C's own order, and are its kernels, p, far slower by estimate than those of wavefront@C? */
bool rg__poly_front_is_faster(struct poly_scop *s, const struct poly_edits *parent, const struct poly_edits *e, enum poly_edit_kind kind,
                              const struct poly_program *p, char *why, size_t size);

/* ---- explain.c ---- */
void rg__poly_explain_loops(struct poly_scop *s, struct rg_buf *out);

/* ---- tunables.c ---- */
void rg__poly_tunables_of(const struct poly_program *p, const struct poly_edits *e, struct rg_arena *a,
                      struct rg_tunables *out);
bool rg__poly_tunables_settle(const struct poly_program *p, struct rg_tunables *t); /* false: no default fits */
void rg__poly_values_of(const struct rg_tunables *t, const struct rg_vector *v, struct poly_values *out);
#endif
