/* scan.block: loops that carry values whose updates compose (recurrence.c). Where one thread runs the function, the
 * grid goes through the loop in three launches: what each piece does, what each piece starts from, the loop itself.
 * Where a grid runs the loops around it, a block shares each point's loop (row.warp: a team of lanes). */
#include "poly/kernel/recurrence.h"
#include "poly/steps/steps.h"
#include <string.h>

static bool take(struct poly_kernel *k, const struct poly_scan *sc)
{
    if (k->n_scans == POLY_MAX_SCANS) return false;
    k->scans[k->n_scans++] = sc;
    return true;
}

/* ---- over the grid ---- */

/* Arrays that the loop's first launch reads: not what it carries in a chain. */
static bool part_reads(struct poly_scop *s, const struct poly_scan *sc, int array)
{
    int stmts[256], n = rg__poly_knode_stmts(s, sc->part, stmts, 256), at;
    for (int i = 0; i < n; i++)
        for (int x = 0; x < s->stmts[stmts[i]].n_accesses; x++) {
            const struct poly_access *a = &s->accesses[s->stmts[stmts[i]].first_access + x];
            if (a->array == array && a->read && !(a->node && rg__poly_carried_node(sc, a->node, &at))) return true;
        }
    return n == 256;
}

/* May the items in front run in the second launch? The first one must not need them. */
static bool may_wait(struct poly_program *p, const struct poly_scan *sc, struct poly_knode *const *items, int n)
{
    struct poly_scop *s = p->scop;
    struct poly_effect e = rg__poly_effect_new(s), part = rg__poly_effect_new(s);
    bool ok = true;
    rg__poly_knode_effect(s, sc->part, &part);
    for (int i = 0; i < n && ok; i++) {
        rg__poly_knode_effect(s, items[i], &e);
        ok = !rg__poly_knode_has_loop(items[i]) && items[i]->kind == KN_LEAF && items[i]->node->kind != RG_C_OPAQUE &&
             !(items[i]->node->kind == RG_C_DECL && items[i]->node->array >= 0);
        for (int a = 0; a < s->tree->n_arrays && ok; a++) {
            bool w = false;
            ok = !(rg__poly_knode_uses_array(s, items[i], a, &w) && w && part_reads(s, sc, a));
        }
    }
    for (int i = 0; i < sc->n; i++)
        if (sc->at[i].var >= 0) part.exposed[sc->at[i].var] = false;
    for (int v = 0; v < s->tree->n_vars; v++) ok = ok && !(e.written[v] && part.exposed[v]);
    rg__poly_effect_free(&e);
    rg__poly_effect_free(&part);
    return ok;
}

/* May those behind run there, before the loop's own launch? */
static bool may_come_first(struct poly_program *p, const struct poly_scan *sc, const struct poly_knode *loop,
                           struct poly_knode *const *items, int n)
{
    struct poly_scop *s = p->scop;
    struct poly_effect e = rg__poly_effect_new(s), body = rg__poly_effect_new(s);
    bool ok = !s->problem->may_alias;
    rg__poly_knode_effect(s, loop, &body);
    for (int i = 0; i < n && ok; i++) {
        rg__poly_knode_effect(s, items[i], &e);
        ok = items[i]->kind == KN_LEAF && items[i]->node->kind != RG_C_OPAQUE &&
             !(items[i]->node->kind == RG_C_DECL && items[i]->node->array >= 0);
        for (int a = 0; a < s->tree->n_arrays && ok; a++) {
            bool w = false, w2 = false,
                 used = rg__poly_knode_uses_array(s, items[i], a, &w) |
                        (items[i]->node->kind == RG_C_RETURN && a == s->tree->result_array);
            ok = !(used && rg__poly_knode_uses_array(s, loop, a, &w2) && (w || w2));
        }
    }
    for (int i = 0; i < sc->n; i++)
        if (sc->at[i].var >= 0) body.exposed[sc->at[i].var] = false;
    for (int v = 0; v < s->tree->n_vars; v++) ok = ok && !(e.written[v] && (body.exposed[v] || body.written[v]));
    rg__poly_effect_free(&e);
    rg__poly_effect_free(&body);
    return ok;
}

static bool over_the_grid(struct poly_program *p, int kernel, int at, struct rg_reason *why)
{
    struct poly_knode *seq = p->kernels[kernel].body, *loop = seq->kid[at];
    const struct poly_scan *sc = loop->scan ? loop->scan : rg__poly_scan_of(p, loop, why);
    if (!sc) return false;
    bool pre = at > 0 && !may_wait(p, sc, seq->kid, at),
         post = at + 1 < seq->n && !may_come_first(p, sc, loop, seq->kid + at + 1, seq->n - at - 1);
    int phases = sc->applied ? 3 : 2;
    if (!rg__poly_make_room(p, kernel, phases - 1 + pre + post)) {
        rg_refuse(why, RG_REFUSE_SPACE, 0, "too many kernels");
        return false;
    }
    int k = kernel;
    if (pre) p->kernels[k++].body = rg__poly_knode_seq(p, seq->kid, at);
    struct poly_knode *part = rg__poly_knode_new(p, KN_LOOP, loop->node, 1), *around = rg__poly_knode_seq(p, NULL, 0);
    part->kid[0] = sc->part;
    around->kid = rg_arena_alloc(&p->arena, sizeof *around->kid * (size_t)seq->n);
    for (int i = 0; i < seq->n; i++)
        if ((i < at && !pre) || (i > at && !post)) around->kid[around->n++] = seq->kid[i];
    for (int phase = 0; phase < phases; phase++) {
        struct poly_kernel *x = &p->kernels[k + phase];
        x->form = POLY_SCAN_TOTALS + (enum poly_form)phase;
        x->body = phase == 0 ? rg__poly_knode_seq(p, &part, 1) : phase == 2 ? rg__poly_knode_seq(p, &loop, 1) : around;
        x->reduce_loop = loop->loop;
        x->n_scans = 0;
        take(x, sc);
        x->scan_first = k;
        x->n_before = phase == 1 && !pre ? at : 0;
    }
    if (post) p->kernels[k + phases].body = rg__poly_knode_seq(p, seq->kid + at + 1, seq->n - at - 1);
    rg__poly_assign_homes(p);
    return true;
}

/* ---- by a block ---- */

static bool wanted(const struct poly_scop *s, int loop, const char *name)
{
    return !name || !strcmp(s->loops[loop].name, name);
}

static bool carries(struct poly_scop *s, int loop)
{
    return rg__poly_conflict(s, loop, NULL, 0, POLY_STRICT).found &&
           rg__poly_conflict(s, loop, NULL, 0, POLY_REDUCTIONS).found;
}

/* A loop that is no scan as it is. */
static bool may_split(struct poly_program *p, const struct poly_knode *x, const char *name)
{
    struct rg_reason ignored = {0};
    const struct poly_loop *l = &p->scop->loops[x->loop];
    return !x->scan && !x->dealt && wanted(p->scop, x->loop, name) && (!l->constant || l->trip >= 64) &&
           carries(p->scop, x->loop) && !rg__poly_scan_of(p, x, &ignored);
}

/* The loops of the body that a block could go through together; those inside one of them run in its threads. */
static int collect(struct poly_program *p, struct poly_kernel *k, struct poly_knode *n, const char *name,
                   struct rg_reason *why)
{
    int found = 0;
    if (!n) return 0;
    if (n->kind == KN_LOOP && (n->scan || n->dealt)) return n->scan ? take(k, n->scan) : 0;
    if (n->kind == KN_LOOP) {
        const struct poly_loop *l = &p->scop->loops[n->loop];
        if (!carries(p->scop, n->loop) && rg__poly_shared_loop(p->scop, k, n->loop)) return 0;
        bool longer = !l->constant || l->trip >= 64;
        const struct poly_scan *sc =
            wanted(p->scop, n->loop, name) && longer && carries(p->scop, n->loop) ? rg__poly_scan_of(p, n, why) : NULL;
        n->scan = sc;
        if (sc) return take(k, sc);
    }
    for (int i = 0; i < n->n; i++) {
        struct poly_knode *x = n->kid[i], *pieces = NULL;
        if (n->kind == KN_SEQ && x->kind == KN_LOOP && may_split(p, x, name)) pieces = rg__poly_scan_split(p, x, why);
        if (pieces) n->kid[i] = pieces;
        found += collect(p, k, n->kid[i], name, why);
    }
    return found;
}

static void forget(struct poly_knode *n)
{
    for (int i = 0; n && i < n->n; i++) forget(n->kid[i]);
    if (n) n->scan = NULL;
}

static bool by_blocks(struct poly_program *p, int kernel, const char *name, struct rg_reason *why)
{
    struct poly_kernel *k = &p->kernels[kernel], before = *k;
    struct poly_scop *s = p->scop;
    if (!collect(p, k, k->body, name, why)) return false;
    bool ok = rg__poly_big_local(p, k) < 0;
    if (!ok)
        rg_refuse(why, RG_REFUSE_SHAPE, 0, "local array %s has a part of a buffer for each thread",
                  s->tree->arrays[rg__poly_big_local(p, k)].name);
    for (int a = 0; a < s->tree->n_arrays && ok; a++)
        if (k->atomic[a] && rg__poly_knode_uses_array(s, k->body, a, NULL)) {
            rg_refuse(why, RG_REFUSE_DEPENDENCE, 0, "blocks would collide on %s, which is updated by atomics",
                      s->tree->arrays[a].name);
            ok = false;
        }
    k->form = POLY_BLOCK;
    k->team = POLY_TEAM_BLOCK;
    k->grid_stride = false;
    for (int d = 0; d < k->n_dims; d++) k->axis[d] = k->n_dims - 1 - d;
    if (!ok || !rg__poly_block_ok(p, k, why)) {
        forget(k->body);
        *k = before;
        return false;
    }
    rg__poly_assign_homes(p);
    return true;
}

/* The body with the item replaced by what is in the list. */
static void open_out(struct poly_program *p, int kernel, int at, const struct poly_knode *list)
{
    const struct poly_knode *body = p->kernels[kernel].body;
    struct poly_knode *flat = rg__poly_knode_seq(p, body->kid, at);
    struct poly_knode **kid = rg_arena_alloc(&p->arena, sizeof *kid * (size_t)(body->n + 8 * list->n + 8));
    int n = 0;
    for (int i = 0; i < at; i++) kid[n++] = body->kid[i];
    while (list && n < body->n + 8) {
        const struct poly_knode *next = NULL;
        for (int i = 0; i < list->n; i++) {
            if (list->kid[i]->kind == KN_SEQ)
                next = list->kid[i];
            else
                kid[n++] = list->kid[i];
        }
        list = next;
    }
    for (int i = at + 1; i < body->n; i++) kid[n++] = body->kid[i];
    flat->kid = kid;
    flat->n = n;
    p->kernels[kernel].body = flat;
}

/* ---- in conditions and loops that the plan can hold ---- */

enum { FEW_TRIPS = 16384, MOST_PASSES = 4096 }; /* one block has gone through those before a grid's launches are over */

static bool for_the_grid(struct poly_program *p, const struct poly_knode *x, const char *name, bool reductions,
                         struct rg_reason *why)
{
    if (x->kind != KN_LOOP || x->dealt || !wanted(p->scop, x->loop, name) ||
        rg__poly_trips(p->scop, x->loop) < FEW_TRIPS ||
        !rg__poly_conflict(p->scop, x->loop, NULL, 0, POLY_STRICT).found || !(reductions || carries(p->scop, x->loop)))
        return false;
    struct poly_knode *pieces = NULL;
    if (may_split(p, x, name)) pieces = rg__poly_scan_split(p, x, why);
    return pieces || x->scan || rg__poly_scan_of(p, x, why);
}

/* Is there such a loop in it, with nothing but conditions and loops of the plan around? */
static bool holds_scan(struct poly_program *p, const struct poly_knode *x, const char *name, bool reductions,
                       struct rg_reason *why)
{
    if (x->kind != KN_SEQ && !rg__poly_plan_holds(p->scop, x)) return false;
    for (int i = 0; i < x->n; i++)
        if (x->kid[i] &&
            (for_the_grid(p, x->kid[i], name, reductions, why) || holds_scan(p, x->kid[i], name, reductions, why)))
            return true;
    return false;
}

/* The first of the kernel's items with such a loop goes to the plan. */
static bool open_item(struct poly_program *p, int kernel, const char *name, bool reductions, struct rg_reason *why)
{
    struct poly_kernel *k = &p->kernels[kernel];
    for (int i = 0; i < k->body->n; i++) {
        struct poly_knode *x = k->body->kid[i];
        if ((x->kind != KN_IF && x->kind != KN_LOOP) || !holds_scan(p, x, name, reductions, why)) continue;
        int host[POLY_MAX_DEPTH + 1], n = k->n_host;
        memcpy(host, k->host, sizeof k->host);
        host[n] = x->loop;
        if (x->kind == KN_LOOP && rg__poly_passes(p->scop, host, n + 1) > MOST_PASSES) continue;
        if (rg__poly_plan_item(p, kernel, i)) return true;
    }
    return false;
}

/* reductions: loops that only reduce, too; reduce.block shares them in one launch less. */
static bool scan_kernel(struct poly_program *p, int kernel, const char *name, bool reductions, struct rg_reason *why)
{
    const struct poly_kernel *k = &p->kernels[kernel];
    if (k->partner >= 0 || k->region || k->n_scans) return false;
    if (k->form == POLY_THREADS) return by_blocks(p, kernel, name, why);
    if (k->form != POLY_SINGLE) return false;
    for (int i = 0; i < k->body->n; i++) { /* pieces of a loop are loops of their own */
        struct poly_knode *x = k->body->kid[i], *pieces = NULL;
        if (x->kind == KN_LOOP && may_split(p, x, name)) pieces = rg__poly_scan_split(p, x, why);
        if (pieces) open_out(p, kernel, i, pieces);
        k = &p->kernels[kernel];
    }
    for (int i = 0; i < k->body->n; i++)
        if (k->body->kid[i]->kind == KN_LOOP && wanted(p->scop, k->body->kid[i]->loop, name) &&
            rg__poly_conflict(p->scop, k->body->kid[i]->loop, NULL, 0, POLY_STRICT).found &&
            (reductions || carries(p->scop, k->body->kid[i]->loop)) && over_the_grid(p, kernel, i, why))
            return true; /* what follows it is a kernel of its own now */
    if (open_item(p, kernel, name, reductions, why)) {
        scan_kernel(p, kernel, name, reductions, why);
        return true;
    }
    return by_blocks(p, kernel, name, why);
}

static bool apply(struct poly_program *p, const char *site, struct rg_reason *why)
{
    const char *name = strncmp(site, "loop:", 5) == 0 ? site + 5 : NULL;
    bool any = false;
    rg_refuse(why, RG_REFUSE_SHAPE, 0, "no loop carries values from one iteration to the next");
    for (int reductions = name != NULL; reductions < 2 && !any; reductions++)
        for (int k = 0; k < p->n_kernels; k++) any = scan_kernel(p, k, name, reductions, why) || any;
    return any;
}

struct looking {
    struct poly_program *p;
    int loop;
    bool found;
};

static bool look(void *arg, const struct poly_knode *k)
{
    struct looking *l = arg;
    l->found = l->found || (k->kind == KN_LOOP && k->loop == l->loop);
    return !l->found;
}

/* Might it be one? */
static bool scan_site(struct poly_program *p, int loop)
{
    const struct poly_loop *l = &p->scop->loops[loop];
    if ((l->constant && l->trip < 64) || l->node->n != 3 || !carries(p->scop, loop)) return false;
    for (int k = 0; k < p->n_kernels; k++) {
        struct looking at = {p, loop, false};
        if (p->kernels[k].form <= POLY_SINGLE && p->kernels[k].partner < 0 && !p->kernels[k].region)
            rg__poly_knode_walk(p->kernels[k].body, look, &at);
        if (at.found) return true;
    }
    return false;
}

static void sites(const struct poly_sites *at)
{
    struct poly_scop *s = at->s;
    struct poly_program *p = rg__poly_sites_program(at);
    int names = 0;
    for (int all = 0; p && all < 2; all++) /* every loop at once is where to begin */
        for (int i = 0; i < s->n_loops; i++) {
            bool first = scan_site(p, i);
            for (int j = 0; j < i; j++)
                first = first && !(!strcmp(s->loops[j].name, s->loops[i].name) && scan_site(p, j));
            if (first && all && names > 1)
                rg__poly_site_loop(at, s, i);
            else if (first && !all && !names++)
                at->fn(at->arg, "C");
        }
    rg__poly_program_free(p);
}

static bool has_pieces(const struct poly_kernel *k)
{
    return rg__poly_has_team(k) && k->form == POLY_SCAN_TOTALS;
}

static bool has_scans(const struct poly_kernel *k)
{
    return k->n_scans > 0;
}

/* The middle launch goes through a piece for each of their warps. */
static bool open_blocks(const struct poly_opening *o, struct poly_domain *d)
{
    *d = (struct poly_domain){.least = 1, .most = 4096, .start = 528, .values = {132, 264, 528, 1056}};
    return rg__poly_any_kernel(o->p, has_pieces);
}

static bool open_items(const struct poly_opening *o, struct poly_domain *d)
{
    *d = (struct poly_domain){.least = 1, .most = 32, .start = 2, .values = {1, 2, 4, 8}};
    return rg__poly_any_kernel(o->p, has_scans);
}

static const struct poly_opens opens[] = {
    {.name = "BLOCKS", .open = open_blocks},
    {.name = "ITEMS", .open = open_items},
    {.name = NULL},
};

const struct poly_step rg__poly_step_scan_block = {
    POLY_STEP(scan_block),   .when = POLY_ANY_TIME,
    .traits = RG_TRAIT_SCAN, .begins = true,
    .apply = apply,          .sites = sites,
    .opens = opens,          .opens_as = (const struct poly_step *const[]){&rg__poly_step_reduce_block, NULL},
};
