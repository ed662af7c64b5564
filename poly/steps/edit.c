/* Edits: their canonical order, and what each does to the kernels, or why it may not. */
#include "poly/steps/edit.h"
#include <stdlib.h>
#include <string.h>

static const char *const words[] = {
#define X(name, word) word,
    POLY_EDIT_MAP(X)
#undef X
};

int rg__poly_edit_parse(const char *word)
{
    for (int i = 0; word && i < POLY_N_EDITS; i++)
        if (strcmp(words[i], word) == 0)
            return i;
    return -1;
}

const char *rg__poly_edit_word(enum poly_edit_kind k)
{
    return words[k];
}

static int compare(const struct poly_edit *a, enum poly_edit_kind kind, const char *site)
{
    return a->kind != kind ? (int)a->kind - (int)kind : strcmp(a->site, site);
}

bool rg__poly_edits_add(struct poly_edits *e, enum poly_edit_kind kind, const char *site)
{
    int at = 0;
    while (at < e->n && compare(&e->items[at], kind, site) < 0)
        at++;
    if (at < e->n && compare(&e->items[at], kind, site) == 0)
        return false;
    if (e->n == POLY_MAX_EDITS || strlen(site) >= sizeof e->items[0].site)
        return false;
    memmove(&e->items[at + 1], &e->items[at], sizeof e->items[0] * (size_t)(e->n - at));
    e->items[at] = (struct poly_edit){.kind = kind, .link = -1};
    snprintf(e->items[at].site, sizeof e->items[at].site, "%s", site);
    e->n++;
    return true;
}

void rg__poly_edits_credit(struct poly_edits *e, enum poly_edit_kind kind, const char *site, int link,
                           const struct rg_tunables *proposed)
{
    for (int i = 0; i < e->n; i++)
        if (compare(&e->items[i], kind, site) == 0) {
            e->items[i].link = link;
            e->items[i].proposed = proposed;
        }
}

bool rg__poly_edits_have(const struct poly_edits *e, enum poly_edit_kind kind)
{
    for (int i = 0; i < e->n; i++)
        if (e->items[i].kind == kind)
            return true;
    return false;
}

void rg__poly_edits_key(const struct poly_edits *e, struct rg_buf *out)
{
    rg_buf_str(out, "poly");
    for (int i = 0; i < e->n; i++)
        rg_buf_printf(out, "%c%s@%s", i ? ',' : ':', words[e->items[i].kind], e->items[i].site);
}

/* ---- applying ---- */

static bool need_threads(const struct poly_program *p, char *why, size_t size)
{
    for (int i = 0; i < p->n_kernels; i++)
        if (p->kernels[i].form == POLY_THREADS)
            return true;
    snprintf(why, size, "no kernel has a thread for each iteration: parallelize comes first");
    return false;
}

static int array_named(const struct poly_scop *s, const char *name)
{
    for (int a = 0; a < s->tree->n_arrays; a++)
        if (strcmp(s->tree->arrays[a].name, name) == 0)
            return a;
    return -1;
}

static const struct poly_values trial = {.bx = 16, .by = 16, .bz = 1, .rx = 2, .ry = 2, .tile = 8, .unroll = 4, .block = 128,
                                         .grid = 256, .lanes = 32, .split = 8, .width = 4, .items = 1, .ahead = 4};

/* Is the kernel, with the flags it now has, one that the printer can make? */
static bool kernel_ok(struct poly_program *p, int k, char *why, size_t size)
{
    struct poly_print pr;
    struct poly_values v = trial;
    if (p->kernels[k].n_dims == 1) {
        v.bx = 128;
        v.by = 1;
    } else if (p->kernels[k].n_dims == 3) {
        v.bx = 8;
        v.by = 4;
        v.bz = 2;
    }
    rg__poly_print_init(&pr, p, k, &v, NULL);
    pr.tiled = true;
    bool ok = rg__poly_tiled_ok(&pr, why, size);
    rg__poly_print_release(&pr);
    return ok;
}

static bool is_staged(const struct poly_kernel *k, int array)
{
    for (int i = 0; i < k->n_staged; i++)
        if (k->staged[i] == array)
            return true;
    return false;
}

static bool stage(struct poly_program *p, const char *site, char *why, size_t size)
{
    int array = array_named(p->scop, site), done = 0;
    if (array < 0) {
        snprintf(why, size, "there is no array %s", site);
        return false;
    }
    snprintf(why, size, "no parallel kernel reads %s", site);
    for (int i = 0; i < p->n_kernels; i++) {
        struct poly_kernel *k = &p->kernels[i];
        if (k->region) {
            snprintf(why, size, "phases of one launch stage nothing: there is one shared memory for all");
            continue;
        }
        if (k->form != POLY_THREADS || k->partner >= 0 || k->n_staged == POLY_MAX_STAGED || !rg__poly_knode_uses_array(p->scop, k->body, array, NULL))
            continue;
        if (is_staged(k, array)) {
            snprintf(why, size, "%s is staged in shared memory already", site);
            continue;
        }
        struct poly_print pr;
        rg__poly_print_init(&pr, p, i, &trial, NULL);
        pr.tiled = true;
        bool ok = rg__poly_plan_groups(&pr, array, why, size);
        rg__poly_print_release(&pr);
        if (!ok)
            continue;
        k->staged[k->n_staged++] = array;
        if (kernel_ok(p, i, why, size))
            done++;
        else
            k->n_staged--;
    }
    return done > 0;
}

static bool coarsen(struct poly_program *p, char *why, size_t size)
{
    int done = 0;
    snprintf(why, size, "no kernel has a thread for each iteration");
    for (int i = 0; i < p->n_kernels; i++) {
        struct poly_kernel *k = &p->kernels[i];
        if (k->form != POLY_THREADS || k->partner >= 0)
            continue;
        if (k->coarsened) {
            snprintf(why, size, "every thread has several points already");
            continue;
        }
        k->coarsened = true;
        if (kernel_ok(p, i, why, size))
            done++;
        else
            k->coarsened = false;
    }
    return done > 0;
}

/* Is the array read again and again along a loop that runs in tiles? */
static bool reused_in_strips(struct poly_program *p, int kernel, int array, char *why, size_t size)
{
    struct poly_print pr;
    bool strip = false;
    rg__poly_print_init(&pr, p, kernel, &trial, NULL);
    pr.tiled = true;
    bool ok = rg__poly_knode_uses_array(p->scop, p->kernels[kernel].body, array, NULL) &&
              rg__poly_plan_groups(&pr, array, why, size);
    for (int g = 0; g < pr.n_groups; g++)
        strip = strip || (pr.groups[g].strip >= 0 && pr.groups[g].reuse);
    rg__poly_print_release(&pr);
    return ok && strip;
}

/* Where a loop reads two arrays or more again and again: neighbours on x, several points a thread, all of them staged.
 * Each alone rarely pays; together they are the step. */
static bool two_level(struct poly_program *p, char *why, size_t size)
{
    char ignored[512];
    int done = 0;
    snprintf(why, size, "no kernel over two dimensions reads arrays again and again along a loop");
    for (int i = 0; i < p->n_kernels; i++) {
        struct poly_kernel *k = &p->kernels[i], before = *k;
        if (k->form != POLY_THREADS || k->n_dims < 2 || k->partner >= 0 || k->region)
            continue;
        rg__poly_coalesce(p, k);
        k->coarsened = true;
        bool ok = kernel_ok(p, i, why, size);
        for (int a = 0; ok && a < p->scop->tree->n_arrays && k->n_staged < POLY_MAX_STAGED; a++) {
            if (!reused_in_strips(p, i, a, ignored, sizeof ignored))
                continue;
            k->staged[k->n_staged++] = a;
            if (!kernel_ok(p, i, ignored, sizeof ignored))
                k->n_staged--;
        }
        if (ok && k->n_staged)
            done++;
        else
            *k = before;
    }
    return done > 0;
}

/* Wide copies into the tiles whose rows are multiples of a vector; kernels that stage nothing give a thread as many neighbours. */
static bool vectorize(struct poly_program *p, char *why, size_t size)
{
    bool any = false;
    snprintf(why, size, "no kernel has a thread for each iteration");
    for (int i = 0; i < p->n_kernels; i++) {
        struct poly_kernel *k = &p->kernels[i];
        if (k->form != POLY_THREADS)
            continue;
        struct poly_print pr;
        char text[512] = "no kernel stages rows in shared memory that could be copied several elements at a time";
        bool wide = false;
        k->vectorized = k->n_staged > 0;
        rg__poly_print_init(&pr, p, i, &trial, NULL);
        pr.tiled = k->n_staged > 0;
        if (pr.tiled) {
            char ignored[512];
            rg__poly_tiled_ok(&pr, ignored, sizeof ignored);
            for (int g = 0; g < pr.n_groups; g++)
                wide = wide || rg__poly_tile_width(&pr, &pr.groups[g]) > 1;
            k->vectorized = wide;
        } else if (k->coarsened) {
            snprintf(text, sizeof text, "the points of a thread are not neighbours (coarsen.register)");
        } else {
            k->wide = rg__poly_wide(&pr, text, sizeof text);
            wide = k->wide > 0;
        }
        rg__poly_print_release(&pr);
        if (!wide)
            snprintf(why, size, "%s", text);
        any = any || wide;
    }
    return any;
}

/* __ldg for what a kernel only reads. Nothing to do where all that it does is write. */
static bool readonly(struct poly_program *p, char *why, size_t size)
{
    bool any = false;
    snprintf(why, size, p->scop->problem->may_alias ? "arguments may overlap: what one kernel reads another argument may write"
                                                    : "every array that a parallel kernel reads is one that it writes as well, or no plain number");
    for (int i = 0; i < p->n_kernels; i++) {
        struct poly_kernel *k = &p->kernels[i];
        struct poly_print pr;
        rg__poly_print_init(&pr, p, i, &trial, NULL);
        for (int a = 0; a < p->scop->tree->n_arrays && k->form != POLY_SINGLE; a++)
            k->readonly = k->readonly || (rg__poly_knode_uses_array(p->scop, k->body, a, NULL) && rg__poly_reads_only(&pr, a));
        rg__poly_print_release(&pr);
        any = any || k->readonly || k->region || k->resident; /* phases may have lost what they only read */
    }
    return any;
}

static bool unroll(struct poly_program *p, char *why, size_t size)
{
    bool any = false;
    for (int i = 0; i < p->n_kernels; i++)
        if (rg__poly_knode_has_loop(p->kernels[i].body) || p->kernels[i].grid_stride || p->kernels[i].form == POLY_PRIVATE ||
            (p->kernels[i].form == POLY_BLOCK && rg__poly_has_opaque_loop(p->scop, p->kernels[i].body))) {
            p->kernels[i].unrolled = true;
            any = true;
        }
    if (!any)
        snprintf(why, size, "no kernel has a loop inside its threads");
    return any;
}

static bool prefetch(struct poly_program *p, char *why, size_t size)
{
    bool any = false, said = false;
    snprintf(why, size, "no thread has an innermost loop that stores, and also loads what nothing in it writes (unroll does for the others)");
    for (int i = 0; i < p->n_kernels; i++) {
        struct poly_kernel *k = &p->kernels[i];
        struct poly_print pr;
        k->ahead = true;
        rg__poly_print_init(&pr, p, i, &trial, NULL);
        pr.tiled = k->n_staged > 0 || k->coarsened || k->wide;
        k->ahead = rg__poly_ahead_any(&pr, k->body);
        said = said || (!k->ahead && !pr.tiled && (k->form == POLY_THREADS || k->form == POLY_SINGLE) && rg__poly_ahead_refusal(&pr, k->body, why, size));
        rg__poly_print_release(&pr);
        any = any || k->ahead;
    }
    return any;
}

static bool grid_stride(struct poly_program *p, char *why, size_t size)
{
    bool any = false;
    for (int i = 0; i < p->n_kernels; i++) {
        struct poly_kernel *k = &p->kernels[i];
        if (k->form == POLY_THREADS && k->n_dims == 1 && !k->n_staged && !k->coarsened)
            any = k->grid_stride = true;
    }
    if (!any)
        snprintf(why, size, "only kernels over one plain dimension get a grid-stride loop");
    return any;
}

static bool in_grid(const struct poly_program *p, int loop)
{
    for (int i = 0; i < p->n_kernels; i++)
        for (int d = 0; d < p->kernels[i].n_dims; d++)
            if (p->kernels[i].dims[d] == loop)
                return true;
    return false;
}

/* Is one of two loops that changed places a loop still? Dimensions of a grid have no order but that of their axes. */
static bool interchanged(const struct poly_program *p, char *why, size_t size)
{
    const struct poly_scop *s = p->scop;
    for (int l = 0; l < s->n_loops; l++)
        for (int in = l + 1; in < s->n_loops; in++)
            if (s->loops[in].parent == l && s->loops[l].node->edit && s->loops[in].node->edit == s->loops[l].node->edit &&
                !(in_grid(p, l) && in_grid(p, in)))
                return true;
    snprintf(why, size, "both loops are dimensions of a grid: coalesce chooses the axes");
    return false;
}

static bool apply_one(struct poly_program *p, const struct poly_edit *e, bool warp, char *why, size_t size)
{
    switch (e->kind) {
    case POLY_EDIT_SEQUENTIAL:
    case POLY_EDIT_FISSION: /* the loops are that already */
    case POLY_EDIT_FUSE:
        return true;
    case POLY_EDIT_INTERCHANGE:
        return interchanged(p, why, size);
    case POLY_EDIT_WAVEFRONT:
    case POLY_EDIT_PARALLELIZE:
        if (rg__poly_program_parallel(p))
            return true;
        rg__poly_refusal(p->scop, why, size);
        return false;
    case POLY_EDIT_SCAN:
        return rg__poly_scan(p, e->site, why, size);
    case POLY_EDIT_REDUCE_SPLIT:
        return need_threads(p, why, size) && rg__poly_reduce_split(p, e->site, why, size);
    case POLY_EDIT_REDUCE_BLOCK:
        return rg__poly_reduce(p, e->site, why, size);
    case POLY_EDIT_RESIDENT_BLOCK:
        return rg__poly_resident_block(p, e->site, why, size);
    case POLY_EDIT_RESIDENT_GRID:
        return rg__poly_resident_grid(p, e->site, why, size);
    case POLY_EDIT_ROW_WARP:
        return rg__poly_row_warp(p, why, size);
    case POLY_EDIT_REDUCE_WARP: {
        bool any = false;
        for (int i = 0; i < p->n_kernels; i++)
            if (p->kernels[i].form > POLY_SINGLE && p->kernels[i].form < POLY_PRIVATE && p->kernels[i].team == POLY_TEAM_BLOCK)
                any = p->kernels[i].warp_reduce = true;
        if (!any)
            snprintf(why, size, "nothing is reduced over a block yet: reduce.block comes first");
        return any;
    }
    case POLY_EDIT_COALESCE:
        if (!need_threads(p, why, size))
            return false;
        for (int i = 0; i < p->n_kernels; i++)
            if (p->kernels[i].form == POLY_THREADS && p->kernels[i].partner < 0)
                rg__poly_coalesce(p, &p->kernels[i]);
        return true;
    case POLY_EDIT_PRIVATISE: {
        int array = array_named(p->scop, e->site);
        if (array < 0) {
            snprintf(why, size, "there is no array %s", e->site);
            return false;
        }
        for (int i = 0; i < p->n_kernels; i++)
            if (p->kernels[i].form == POLY_THREADS && p->kernels[i].atomic[array])
                rg__poly_coalesce(p, &p->kernels[i]); /* the axis along which a block's threads step */
        return rg__poly_privatise(p, array, why, size);
    }
    case POLY_EDIT_TWO_LEVEL:
        return need_threads(p, why, size) && two_level(p, why, size);
    case POLY_EDIT_COARSEN:
        return need_threads(p, why, size) && coarsen(p, why, size);
    case POLY_EDIT_TILE_SHARED:
        return need_threads(p, why, size) && stage(p, e->site, why, size);
    case POLY_EDIT_VECTORIZE:
        return need_threads(p, why, size) && vectorize(p, why, size);
    case POLY_EDIT_GRID_STRIDE:
        return need_threads(p, why, size) && grid_stride(p, why, size);
    case POLY_EDIT_UNROLL:
        return unroll(p, why, size);
    case POLY_EDIT_PREFETCH:
        return prefetch(p, why, size);
    case POLY_EDIT_LAUNCH_BOUNDS:
        if (!rg__poly_program_parallel(p)) {
            snprintf(why, size, "no kernel is parallel yet");
            return false;
        }
        for (int i = 0; i < p->n_kernels; i++)
            p->kernels[i].launch_bounds = p->kernels[i].form != POLY_SINGLE;
        return true;
    case POLY_EDIT_READONLY:
        return readonly(p, why, size);
    case POLY_EDIT_BLOCK_SHAPE:
        if (rg__poly_program_parallel(p))
            return true;
        snprintf(why, size, "no kernel is parallel yet");
        return false;
    case POLY_N_EDITS:
        break;
    }
    return false;
}

/* Steps that begin: they say how loops are shared. */
bool rg__poly_is_mapped(const struct poly_edits *e)
{
    return rg__poly_edits_have(e, POLY_EDIT_PARALLELIZE) || rg__poly_edits_have(e, POLY_EDIT_REDUCE_BLOCK) ||
           rg__poly_edits_have(e, POLY_EDIT_SCAN) || rg__poly_edits_have(e, POLY_EDIT_RESIDENT_BLOCK) ||
           rg__poly_edits_have(e, POLY_EDIT_WAVEFRONT);
}

struct poly_program *rg__poly_apply(struct poly_scop *s, const struct poly_edits *e, char *why, size_t size)
{
    struct rg_error err = RG_ERROR_INIT;
    bool mapped = rg__poly_is_mapped(e);
    if (rg__poly_edits_have(e, POLY_EDIT_SEQUENTIAL)) {
        if (e->n == 1)
            return rg__poly_map_sequential(s);
        snprintf(why, size, "the code runs as one thread: no other step applies to it");
        return NULL;
    }
    if (!mapped && e->n) {
        snprintf(why, size, "the code is still sequential: parallelize or reduce.block comes first");
        return NULL;
    }
    if (!e->n)
        return rg__poly_map_sequential(s);
    s = rg__poly_derived(s, e, why, size);
    if (!s)
        return NULL;
    struct poly_program *p = rg__poly_map(s, &err);
    if (!p) {
        snprintf(why, size, "%s", err.text);
        return NULL;
    }
    for (int i = 0; i < e->n; i++)
        if (!apply_one(p, &e->items[i], false, why, size)) {
            rg__poly_program_free(p);
            return NULL;
        }
    if (!rg__poly_phases_ok(p, why, size)) {
        rg__poly_program_free(p);
        return NULL;
    }
    return p;
}
