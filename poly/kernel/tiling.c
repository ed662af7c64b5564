/* What can be staged in shared memory, in which shape, and how a kernel's loops divide into those that the block runs
 * in step and those of one point. */
#include "poly/kernel/tiling.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SPAN = 32 }; /* constant loops up to this trip count are staged whole */

struct staging {
    struct poly_tiling *t;
    int array;
    int loops[POLY_MAX_DEPTH], depth; /* of the kernel, around where we stand */
    int ifs;
    bool ok, any;
    struct rg_reason *why;
};

/* The first reason stays. */
#define refuse(s, ...) ((s)->ok = (s)->ok && rg_refuse((s)->why, __VA_ARGS__))

static bool mentions_dim(const struct poly_tiling *t, const struct rg_cnode *e)
{
    for (int d = 0; d < t->k->n_dims; d++)
        if (rg__poly_mentions_loop(t->s, e, t->k->dims[d])) return true;
    for (int a = 0; a < t->k->n_alias; a++)
        if (rg__poly_mentions_loop(t->s, e, t->k->alias[a].loop)) return true;
    return false;
}

static bool uniform_loop(const struct poly_tiling *t, int loop)
{
    const struct rg_cnode *n = t->s->loops[loop].node;
    return !mentions_dim(t, n->kid[0]) && !mentions_dim(t, n->kid[1]) &&
           n->n == 3; /* each point ends it in its own time */
}

static bool uses_var(const struct poly_access *a, int var)
{
    for (int d = 0; d < a->n_subs; d++)
        if (rg__poly_linear_coef(&a->sub[d], var)) return true;
    return false;
}

/* The loop to cut into chunks: the innermost one in the subscripts that is not short. */
static bool choose_strip(struct staging *s, const struct poly_access *a, int *strip)
{
    const struct poly_scop *sc = s->t->s;
    *strip = -1;
    for (int i = s->depth - 1; i >= 0 && *strip < 0; i--) {
        const struct poly_loop *l = &sc->loops[s->loops[i]];
        if (uses_var(a, l->var) && !(l->constant && l->trip <= SPAN && l->step == 1)) *strip = l->id;
    }
    const char *name = sc->tree->arrays[s->array].name;
    if (*strip < 0) return true;
    if (sc->loops[*strip].step != 1)
        return refuse(s, RG_REFUSE_SHAPE, sc->loops[*strip].node->line,
                      "loop %s, which runs over %s, has a step of %lld", sc->loops[*strip].name, name,
                      (long long)sc->loops[*strip].step);
    if (s->ifs)
        return refuse(s, RG_REFUSE_BARRIER, 0,
                      "%s is read under a condition around a loop: the threads of a block part there", name);
    for (int i = 0; i < s->depth; i++) {
        if (!uniform_loop(s->t, s->loops[i]))
            return refuse(s, RG_REFUSE_BOUNDS, sc->loops[s->loops[i]].node->line,
                          "the bounds of loop %s differ between the threads of a block", sc->loops[s->loops[i]].name);
        if (s->loops[i] == *strip) break;
    }
    return true;
}

static bool inside(const struct staging *s, int loop, int strip)
{
    bool below = strip < 0;
    for (int i = 0; i < s->depth; i++) {
        if (s->loops[i] == loop) return below;
        if (s->loops[i] == strip) below = true;
    }
    return false;
}

static int64_t span_of(const struct staging *s, int var, int strip, bool *known)
{
    const struct poly_tiling *t = s->t;
    int d = rg__poly_dim_at(t->s, t->k, var);
    *known = true;
    if (d >= 0) return t->threads[t->k->axis[d]] * t->coarse[t->k->axis[d]];
    for (int i = s->depth - 1; i >= 0; i--) {
        const struct poly_loop *l = &t->s->loops[s->loops[i]];
        if (l->var != var) continue;
        if (l->id == strip) return t->v.tile;
        return inside(s, l->id, strip) ? l->trip : 1;
    }
    const struct rg_cvar *v = &t->s->tree->vars[var];
    bool host = v->kind == RG_CVAR_PARAM;
    for (int h = 0; h < t->k->n_host; h++) host = host || t->s->loops[t->k->host[h]].var == var;
    *known = host;
    return 1;
}

static void add_access(struct staging *s, const struct poly_access *a)
{
    struct poly_tiling *t = s->t;
    const char *name = t->s->tree->arrays[s->array].name;
    int line = t->s->stmts[a->stmt].line, strip;
    s->any = true;
    if (a->whole || !a->affine) {
        refuse(s, RG_REFUSE_BOUNDS, line, "%s is not read by a linear subscript in line %d", name, line);
        return;
    }
    for (int d = 0; d < a->n_subs; d++)
        if (!a->sub[d].ok) {
            refuse(s, RG_REFUSE_BOUNDS, line, "a subscript of %s in line %d is not linear", name, line);
            return;
        }
    if (!choose_strip(s, a, &strip)) return;
    struct poly_group *g = NULL;
    for (int i = 0; i < t->n_groups && !g; i++) {
        struct poly_group *q = &t->groups[i];
        bool same = q->array == s->array && q->strip == strip && q->n_dims == a->n_subs;
        for (int d = 0; same && d < a->n_subs; d++) same = rg__poly_linear_same_terms(&q->terms[d], &a->sub[d]);
        if (same) g = q;
    }
    if (!g) {
        if (t->n_groups == POLY_MAX_GROUPS) {
            refuse(s, RG_REFUSE_SPACE, 0, "%s is read in too many ways", name);
            return;
        }
        g = &t->groups[t->n_groups++];
        memset(g, 0, sizeof *g);
        g->array = s->array;
        g->id = t->n_groups - 1;
        g->n_dims = a->n_subs;
        g->strip = g->at = strip;
        for (int d = 0; d < a->n_subs; d++) {
            g->terms[d] = a->sub[d];
            g->extent[d] = 1;
            for (int i = 0; i < a->sub[d].n; i++) {
                bool known;
                int var = a->sub[d].term[i].var;
                int64_t c = a->sub[d].term[i].c, span = span_of(s, var, strip, &known);
                if (!known) {
                    refuse(s, RG_REFUSE_BOUNDS, line, "a subscript of %s in line %d depends on %s", name, line,
                           t->s->tree->vars[var].name);
                    return;
                }
                g->extent[d] += (c < 0 ? -c : c) * (span - 1);
                if (rg__poly_dim_at(t->s, t->k, var) < 0 && span > 1 && (strip < 0 || t->s->loops[strip].var != var))
                    g->reuse = true; /* a window slides over it */
            }
        }
        return;
    }
    for (int d = 0; d < a->n_subs; d++) {
        int64_t k = a->sub[d].k;
        int64_t lo = g->terms[d].k, hi = lo + g->spread[d];
        if (k < lo) {
            g->extent[d] += lo - k;
            g->terms[d].k = lo = k;
        } else if (k > hi) {
            g->extent[d] += k - hi;
            hi = k;
        }
        g->spread[d] = hi - lo;
    }
}

static void walk(struct staging *s, const struct poly_knode *k)
{
    if (!k || !s->ok) return;
    if (k->kind == KN_LEAF) {
        int id = rg__poly_stmt_of(s->t->s, k->node);
        for (int i = 0; id >= 0 && i < s->t->s->stmts[id].n_accesses && s->ok; i++) {
            const struct poly_access *a = &s->t->s->accesses[s->t->s->stmts[id].first_access + i];
            if (a->array != s->array) continue;
            if (k->node->kind == RG_C_OPAQUE)
                refuse(s, RG_REFUSE_ANALYSIS, s->t->s->stmts[id].line,
                       "%s is read inside code that is not affine, line %d", s->t->s->tree->arrays[s->array].name,
                       s->t->s->stmts[id].line);
            else
                add_access(s, a);
        }
        return;
    }
    if (k->kind == KN_LOOP) s->loops[s->depth++] = k->loop;
    s->ifs += k->kind == KN_IF;
    for (int i = 0; i < k->n; i++) walk(s, k->kid[i]);
    s->ifs -= k->kind == KN_IF;
    s->depth -= k->kind == KN_LOOP;
}

/* Which array dimension runs fastest in shared memory: the one that neighbouring threads or points step through. */
static void shape(struct poly_tiling *t, struct poly_group *g)
{
    int fastest = g->n_dims - 1;
    g->vector_axis = -1;
    for (int axis = 1; axis >= 0; axis--)
        for (int d = 0; d < g->n_dims; d++)
            for (int i = 0; i < g->terms[d].n; i++) {
                int dim = rg__poly_dim_at(t->s, t->k, g->terms[d].term[i].var);
                if (dim >= 0 && t->k->axis[dim] == axis && g->terms[d].term[i].c == 1) {
                    fastest = d;
                    g->vector_axis = axis;
                }
            }
    int n = 0;
    for (int d = 0; d < g->n_dims; d++)
        if (d != fastest) g->order[n++] = d;
    g->order[n] = fastest;
    bool turned = fastest != g->n_dims - 1;
    bool vector = g->vector_axis >= 0 && t->coarse[g->vector_axis] % 2 == 0;
    g->pad = vector ? (int)((4 - g->extent[fastest] % 4) % 4) + (turned ? 4 : 0) : turned ? 1 : 0;
    /* neighbours of x: far apart in the array? */
    for (int d = 0; d < g->n_dims; d++)
        for (int i = 0; i < g->terms[d].n; i++) {
            int dim = rg__poly_dim_at(t->s, t->k, g->terms[d].term[i].var);
            int64_t c = g->terms[d].term[i].c;
            if (dim >= 0 && t->k->axis[dim] == 0 && (d != g->n_dims - 1 || c > 1 || c < -1)) g->strided = true;
        }
    for (int dim = 0; dim < t->k->n_dims; dim++) {
        bool used = false;
        for (int d = 0; d < g->n_dims; d++)
            for (int i = 0; i < g->terms[d].n; i++)
                used = used || rg__poly_dim_at(t->s, t->k, g->terms[d].term[i].var) == dim;
        if (!used) g->reuse = true; /* the threads along this dimension read the same */
    }
    for (int d = 0; d < g->n_dims; d++)
        if (g->spread[d]) g->reuse = true;
}

bool rg__poly_tile_array(struct poly_tiling *t, int array, struct rg_reason *why)
{
    struct staging s = {.t = t, .array = array, .ok = true, .why = why};
    const struct rg_carray *c = &t->s->tree->arrays[array];
    int first = t->n_groups;
    if (t->written[array])
        return refuse(&s, RG_REFUSE_DEPENDENCE, 0, "%s is written in the same kernel: staged copies would go stale",
                      c->name);
    if (c->constant_table || (c->param < 0 && !t->p->array_scratch[array]))
        return refuse(&s, RG_REFUSE_ALREADY, 0, "%s is in registers or constant memory already", c->name);
    if (c->n_dims < 1 || !c->dims[0]) return refuse(&s, RG_REFUSE_BOUNDS, 0, "the extent of %s is unknown", c->name);
    if (t->s->problem->may_alias)
        return refuse(&s, RG_REFUSE_DEPENDENCE, 0, "%s may overlap what the kernel writes (--may-alias)", c->name);
    walk(&s, t->k->body);
    if (s.ok && !s.any) return refuse(&s, RG_REFUSE_SHAPE, 0, "the kernel does not read %s", c->name);
    int n = 0;
    for (int g = first; g < t->n_groups; g++) {
        shape(t, &t->groups[g]);
        if (t->groups[g].reuse || t->groups[g].strided) { /* the rest stays where it is */
            t->groups[first + n] = t->groups[g];
            t->groups[first + n].id = first + n;
            n++;
        }
    }
    if (s.ok && !n)
        return refuse(&s, RG_REFUSE_COST, 0,
                      "each element of %s is read by one thread of a block, neighbours by neighbours: nothing to gain "
                      "from staging it",
                      c->name);
    t->n_groups = first + n;
    return s.ok;
}

/* ---- loops in step ---- */

static bool holds_barrier(const struct poly_tiling *t, const struct poly_knode *k)
{
    if (!k) return false;
    if (k->kind == KN_LOOP)
        for (int g = 0; g < t->n_groups; g++)
            if (t->groups[g].at == k->loop) return true;
    for (int i = 0; i < k->n; i++)
        if (holds_barrier(t, k->kid[i])) return true;
    return false;
}

static void close_loops(struct poly_tiling *t, const struct poly_knode *seq)
{
    bool coarse = t->coarse[0] * t->coarse[1] * t->coarse[2] > 1 || t->k->coarsened;
    for (int i = 0; i < seq->n; i++) {
        const struct poly_knode *k = seq->kid[i];
        if (k->kind != KN_LOOP || !uniform_loop(t, k->loop)) continue;
        if (holds_barrier(t, k) || coarse) {
            t->closed_loop[k->loop] = true;
            close_loops(t, k->kid[0]);
        }
    }
}

struct regions {
    struct poly_tiling *t;
    int n;
    int *first; /* [var] region that touches it, from 1 */
    bool array_local;
};

static bool local_array(void *arg, const struct poly_knode *k)
{
    struct regions *r = arg;
    if (k->kind == KN_LEAF && k->node->kind == RG_C_DECL && k->node->array >= 0 &&
        !r->t->p->array_scratch[k->node->array])
        r->array_local = true;
    return true;
}

static bool recomputed(const struct poly_tiling *t, const struct rg_cnode *e)
{
    if (!e) return true;
    if (e->kind == RG_C_INDEX || e->kind == RG_C_ASSIGN || e->kind == RG_C_INCDEC || e->pointer ||
        e->kind == RG_C_INITLIST)
        return false;
    if (e->kind == RG_C_VAR) {
        if (e->array >= 0) return false;
        const struct rg_cvar *v = &t->s->tree->vars[e->var];
        return (v->kind == RG_CVAR_PARAM && !v->assigned) || t->uniform[e->var];
    }
    for (int i = 0; i < e->n; i++)
        if (!recomputed(t, e->kid[i])) return false;
    return true;
}

bool rg__poly_uniform_leaf(const struct poly_tiling *t, const struct poly_knode *k)
{
    return k->kind == KN_LEAF && k->node->kind == RG_C_DECL && k->node->array < 0 && k->node->n && k->node->kid[0] &&
           t->uniform[k->node->var];
}

static void number_regions(struct regions *r, const struct poly_knode *seq)
{
    struct poly_tiling *t = r->t;
    bool open = false;
    for (int i = 0; i < seq->n; i++) {
        const struct poly_knode *k = seq->kid[i];
        if (k->kind == KN_LOOP && t->closed_loop[k->loop]) {
            number_regions(r, k->kid[0]);
            open = false;
            continue;
        }
        if (rg__poly_uniform_leaf(t, k)) continue;
        if (!open) r->n++;
        open = true;
        struct poly_effect e = rg__poly_effect_new(t->s);
        rg__poly_knode_effect(t->s, k, &e);
        for (int v = 0; v < t->s->tree->n_vars; v++) {
            const struct rg_cvar *c = &t->s->tree->vars[v];
            if (!(e.read[v] || e.written[v]) || c->kind == RG_CVAR_ITER || t->p->scalar_scratch[v] || t->uniform[v] ||
                (c->kind == RG_CVAR_PARAM && !c->assigned) || t->s->var_hidden[v])
                continue;
            if (r->first[v] && r->first[v] != r->n) t->hoisted[v] = true;
            r->first[v] = r->n;
        }
        rg__poly_effect_free(&e);
    }
}

static void find_uniform(struct poly_tiling *t, const struct poly_knode *seq)
{
    for (int i = 0; i < seq->n; i++) {
        const struct poly_knode *k = seq->kid[i];
        if (k->kind != KN_LEAF || k->node->kind != RG_C_DECL || k->node->array >= 0 || !k->node->n || !k->node->kid[0])
            continue;
        int writes = 0;
        for (int s = 0; s < t->s->n_stmts; s++) {
            struct poly_effect e = rg__poly_effect_new(t->s);
            rg__poly_effect_add(t->s, &e, t->s->stmts[s].node);
            writes += e.written[k->node->var];
            rg__poly_effect_free(&e);
        }
        if (writes == 1 && recomputed(t, k->node->kid[0])) t->uniform[k->node->var] = true;
    }
}

static int64_t bytes_of(const struct poly_tiling *t, const struct poly_group *g)
{
    const struct rg_carray *a = &t->s->tree->arrays[g->array];
    const struct rg_problem *p = t->s->problem;
    int64_t n = a->elem == RG_STRUCT ? 64 : (int64_t)rg_scalar_bytes(a->elem);
    if (a->elem == RG_STRUCT && a->struct_index >= 0 && a->struct_index < p->n_structs)
        n = p->structs[a->struct_index].bytes;
    for (int d = 0; d < g->n_dims; d++) n *= g->extent[g->order[d]] + (d == g->n_dims - 1 ? g->pad : 0);
    return n;
}

/* Neighbouring points side by side pay where a loop reads them again and again from shared memory; else they would only
 * spread the global accesses of a warp. */
static void find_vectors(struct poly_tiling *t)
{
    for (int g = 0; g < t->n_groups; g++) {
        int axis = t->groups[g].vector_axis;
        if (axis > 0 || (axis == 0 && t->groups[g].strip >= 0))
            t->vec[axis] = t->coarse[axis] % 4 == 0 ? 4 : t->coarse[axis] % 2 == 0 ? 2 : 1;
    }
}

bool rg__poly_tile_kernel(struct poly_tiling *t, struct rg_reason *why)
{
    const struct poly_kernel *k = t->k;
    t->n_groups = 0;
    for (int d = 0; d < k->n_dims; d++)
        if (t->s->loops[k->dims[d]].step != 1) {
            rg_refuse(why, RG_REFUSE_SHAPE, t->s->loops[k->dims[d]].node->line,
                      "loop %s has a step of %lld: its tiles are not contiguous", t->s->loops[k->dims[d]].name,
                      (long long)t->s->loops[k->dims[d]].step);
            return false;
        }
    for (int a = 0; a < t->s->tree->n_arrays; a++)
        if (t->p->array_parts[a] && rg__poly_knode_uses_array(t->s, k->body, a, NULL)) {
            rg_refuse(why, RG_REFUSE_SHAPE, 0,
                      "local array %s lives in a buffer, one part for each thread: its points run one by one",
                      t->s->tree->arrays[a].name);
            return false;
        }
    for (int i = 0; i < k->n_staged; i++)
        if (!rg__poly_tile_array(t, k->staged[i], why)) return false;
    find_vectors(t);
    int64_t bytes = 0;
    for (int g = 0; g < t->n_groups; g++) bytes += bytes_of(t, &t->groups[g]);
    if (bytes > 48 * 1024) {
        rg_refuse(why, RG_REFUSE_SPACE, 0, "the tiles take %lld bytes of shared memory, a block has 49152",
                  (long long)bytes);
        return false;
    }
    t->rect = true;
    for (int d = 0; d < k->n_dims; d++)
        if (!uniform_loop(t, k->dims[d])) t->rect = false;
    find_uniform(t, k->body);
    close_loops(t, k->body);
    struct regions r = {.t = t, .first = rg_xcalloc((size_t)t->s->tree->n_vars + 1, sizeof *r.first)};
    for (int i = 0; i < k->body->n; i++)
        if (k->body->kid[i]->kind != KN_LOOP || t->closed_loop[k->body->kid[i]->loop])
            rg__poly_knode_walk(k->body->kid[i], local_array, &r);
    number_regions(&r, k->body);
    free(r.first);
    if (r.array_local && r.n > 1) {
        rg_refuse(why, RG_REFUSE_BARRIER, 0,
                  "a local array would have to live across barriers for each of a thread's points");
        return false;
    }
    return true;
}

int64_t rg__poly_per_block(const struct poly_tiling *t, int axis)
{
    if (t->k->form == POLY_BLOCK || t->k->form == POLY_PARTIAL)
        return axis || t->k->team == POLY_TEAM_BLOCK ? 1
               : t->k->team == POLY_TEAM_COLUMN      ? POLY_COLUMNS
                                                     : t->v.block / t->v.lanes;
    return t->threads[axis] * t->coarse[axis];
}

bool rg__poly_is_tiled(const struct poly_kernel *k)
{
    return k->form == POLY_THREADS && (k->n_staged || k->coarsened);
}

bool rg__poly_fixed_for(const struct poly_tiling *t, const struct poly_group *g, int L)
{
    for (int h = 0; h < t->k->n_host; h++)
        if (t->k->host[h] == L) return true;
    return g->at >= 0 && (L == g->at || rg__poly_loop_inside(t->s, g->at, L));
}

int64_t rg__poly_tile_width(const struct poly_tiling *t, const struct poly_group *g)
{
    enum rg_scalar type = t->s->tree->arrays[g->array].elem;
    int64_t most = type == RG_F32 || type == RG_I32 ? 4
                   : type == RG_F64                 ? 2
                                                    : 1,
            w = t->v.width < most ? t->v.width : most;
    return t->k->vectorized && w > 1 && g->extent[g->n_dims - 1] % w == 0 ? w : 1;
}

void rg__poly_tiling_init(struct poly_tiling *t, const struct poly_program *p, int kernel, const struct poly_values *v)
{
    memset(t, 0, sizeof *t);
    const struct poly_kernel *k = &p->kernels[kernel];
    t->p = p;
    t->s = p->scop;
    t->k = k;
    t->v = *v;
    t->hoisted = rg_xcalloc((size_t)t->s->tree->n_vars + 1, 1);
    t->uniform = rg_xcalloc((size_t)t->s->tree->n_vars + 1, 1);
    t->written = rg_xcalloc((size_t)t->s->tree->n_arrays + 1, 1);
    for (int a = 0; a < t->s->tree->n_arrays; a++) rg__poly_knode_uses_array(t->s, k->body, a, &t->written[a]);
    for (int a = 0; a < 3; a++) {
        t->threads[a] = t->coarse[a] = t->vec[a] = 1;
        t->dim_of_axis[a] = rg__poly_dim_of_axis(k, a);
    }
    if (k->form == POLY_THREADS) rg__poly_threads_of(k, v, t->threads);
    if (k->form == POLY_THREADS && k->coarsened) {
        t->coarse[0] = v->rx;
        if (t->dim_of_axis[1] >= 0) t->coarse[1] = v->ry;
    }
    if (k->wide) t->coarse[0] = rg__poly_width(k, v);
    if (k->form != POLY_THREADS && k->form != POLY_SINGLE) t->threads[0] = v->block;
    if (k->team == POLY_TEAM_COLUMN) {
        t->threads[0] = POLY_COLUMNS;
        t->threads[1] = v->block / POLY_COLUMNS;
    }
}

void rg__poly_tiling_release(struct poly_tiling *t)
{
    free(t->hoisted);
    free(t->uniform);
    free(t->written);
}
