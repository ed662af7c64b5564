/* What can be staged in shared memory, in which shape, and how a kernel's loops divide into those that the block runs
 * in step and those of one point. */
#include "poly/cuda/print.h"
#include <string.h>

enum { SPAN = 32 }; /* constant loops up to this trip count are staged whole */

struct staging {
    struct poly_print *pr;
    int array;
    int loops[POLY_MAX_DEPTH], depth; /* of the kernel, around where we stand */
    int ifs;
    bool ok, any;
    char *why;
    size_t size;
};

static bool refuse(struct staging *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static bool refuse(struct staging *s, const char *fmt, ...)
{
    va_list ap;
    if (s->ok) {
        va_start(ap, fmt);
        vsnprintf(s->why, s->size, fmt, ap);
        va_end(ap);
    }
    s->ok = false;
    return false;
}

static bool mentions_dim(const struct poly_print *pr, const struct rg_cnode *e)
{
    for (int d = 0; d < pr->k->n_dims; d++)
        if (rg__poly_mentions_loop(pr->s, e, pr->k->dims[d])) return true;
    for (int a = 0; a < pr->k->n_alias; a++)
        if (rg__poly_mentions_loop(pr->s, e, pr->k->alias[a].loop)) return true;
    return false;
}

static bool uniform_loop(const struct poly_print *pr, int loop)
{
    const struct rg_cnode *n = pr->s->loops[loop].node;
    return !mentions_dim(pr, n->kid[0]) && !mentions_dim(pr, n->kid[1]) &&
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
    const struct poly_scop *sc = s->pr->s;
    *strip = -1;
    for (int i = s->depth - 1; i >= 0 && *strip < 0; i--) {
        const struct poly_loop *l = &sc->loops[s->loops[i]];
        if (uses_var(a, l->var) && !(l->constant && l->trip <= SPAN && l->step == 1)) *strip = l->id;
    }
    const char *name = sc->tree->arrays[s->array].name;
    if (*strip < 0) return true;
    if (sc->loops[*strip].step != 1)
        return refuse(s, "loop %s, which runs over %s, has a step of %lld", sc->loops[*strip].name, name,
                      (long long)sc->loops[*strip].step);
    if (s->ifs) return refuse(s, "%s is read under a condition around a loop: the threads of a block part there", name);
    for (int i = 0; i < s->depth; i++) {
        if (!uniform_loop(s->pr, s->loops[i]))
            return refuse(s, "the bounds of loop %s differ between the threads of a block",
                          sc->loops[s->loops[i]].name);
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
    const struct poly_print *pr = s->pr;
    int d = rg__poly_dim_of_var(pr, var);
    *known = true;
    if (d >= 0) return pr->threads[pr->k->axis[d]] * pr->coarse[pr->k->axis[d]];
    for (int i = s->depth - 1; i >= 0; i--) {
        const struct poly_loop *l = &pr->s->loops[s->loops[i]];
        if (l->var != var) continue;
        if (l->id == strip) return pr->v.tile;
        return inside(s, l->id, strip) ? l->trip : 1;
    }
    const struct rg_cvar *v = &pr->t->vars[var];
    bool host = v->kind == RG_CVAR_PARAM;
    for (int h = 0; h < pr->k->n_host; h++) host = host || pr->s->loops[pr->k->host[h]].var == var;
    *known = host;
    return 1;
}

static void add_access(struct staging *s, const struct poly_access *a)
{
    struct poly_print *pr = s->pr;
    const char *name = pr->t->arrays[s->array].name;
    int line = pr->s->stmts[a->stmt].line, strip;
    s->any = true;
    if (a->whole || !a->affine) {
        refuse(s, "%s is not read by a linear subscript in line %d", name, line);
        return;
    }
    for (int d = 0; d < a->n_subs; d++)
        if (!a->sub[d].ok) {
            refuse(s, "a subscript of %s in line %d is not linear", name, line);
            return;
        }
    if (!choose_strip(s, a, &strip)) return;
    struct poly_group *g = NULL;
    for (int i = 0; i < pr->n_groups && !g; i++) {
        struct poly_group *q = &pr->groups[i];
        bool same = q->array == s->array && q->strip == strip && q->n_dims == a->n_subs;
        for (int d = 0; same && d < a->n_subs; d++) same = rg__poly_linear_same_terms(&q->terms[d], &a->sub[d]);
        if (same) g = q;
    }
    if (!g) {
        if (pr->n_groups == POLY_MAX_GROUPS) {
            refuse(s, "%s is read in too many ways", name);
            return;
        }
        g = &pr->groups[pr->n_groups++];
        memset(g, 0, sizeof *g);
        g->array = s->array;
        g->id = pr->n_groups - 1;
        g->n_dims = a->n_subs;
        g->strip = g->at = strip;
        g->line = line;
        for (int d = 0; d < a->n_subs; d++) {
            g->terms[d] = a->sub[d];
            g->extent[d] = 1;
            for (int t = 0; t < a->sub[d].n; t++) {
                bool known;
                int var = a->sub[d].term[t].var;
                int64_t c = a->sub[d].term[t].c, span = span_of(s, var, strip, &known);
                if (!known) {
                    refuse(s, "a subscript of %s in line %d depends on %s", name, line, pr->t->vars[var].name);
                    return;
                }
                g->extent[d] += (c < 0 ? -c : c) * (span - 1);
                if (rg__poly_dim_of_var(pr, var) < 0 && span > 1 && (strip < 0 || pr->s->loops[strip].var != var))
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
        int id = rg__poly_stmt_of(s->pr->s, k->node);
        for (int i = 0; id >= 0 && i < s->pr->s->stmts[id].n_accesses && s->ok; i++) {
            const struct poly_access *a = &s->pr->s->accesses[s->pr->s->stmts[id].first_access + i];
            if (a->array != s->array) continue;
            if (k->node->kind == RG_C_OPAQUE)
                refuse(s, "%s is read inside code that is not affine, line %d", s->pr->t->arrays[s->array].name,
                       s->pr->s->stmts[id].line);
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
static void shape(struct poly_print *pr, struct poly_group *g)
{
    int fastest = g->n_dims - 1;
    g->vector_axis = -1;
    for (int axis = 1; axis >= 0; axis--)
        for (int d = 0; d < g->n_dims; d++)
            for (int t = 0; t < g->terms[d].n; t++) {
                int dim = rg__poly_dim_of_var(pr, g->terms[d].term[t].var);
                if (dim >= 0 && pr->k->axis[dim] == axis && g->terms[d].term[t].c == 1) {
                    fastest = d;
                    g->vector_axis = axis;
                }
            }
    int n = 0;
    for (int d = 0; d < g->n_dims; d++)
        if (d != fastest) g->order[n++] = d;
    g->order[n] = fastest;
    bool turned = fastest != g->n_dims - 1;
    bool vector = g->vector_axis >= 0 && pr->coarse[g->vector_axis] % 2 == 0;
    g->pad = vector ? (int)((4 - g->extent[fastest] % 4) % 4) + (turned ? 4 : 0) : turned ? 1 : 0;
    /* neighbours of x: far apart in the array? */
    for (int d = 0; d < g->n_dims; d++)
        for (int t = 0; t < g->terms[d].n; t++) {
            int dim = rg__poly_dim_of_var(pr, g->terms[d].term[t].var);
            int64_t c = g->terms[d].term[t].c;
            if (dim >= 0 && pr->k->axis[dim] == 0 && (d != g->n_dims - 1 || c > 1 || c < -1)) g->strided = true;
        }
    for (int dim = 0; dim < pr->k->n_dims; dim++) {
        bool used = false;
        for (int d = 0; d < g->n_dims; d++)
            for (int t = 0; t < g->terms[d].n; t++)
                used = used || rg__poly_dim_of_var(pr, g->terms[d].term[t].var) == dim;
        if (!used) g->reuse = true; /* the threads along this dimension read the same */
    }
    for (int d = 0; d < g->n_dims; d++)
        if (g->spread[d]) g->reuse = true;
}

bool rg__poly_plan_groups(struct poly_print *pr, int array, char *why, size_t size)
{
    struct staging s = {.pr = pr, .array = array, .ok = true, .why = why, .size = size};
    const struct rg_carray *c = &pr->t->arrays[array];
    int first = pr->n_groups;
    if (pr->array_written[array])
        return refuse(&s, "%s is written in the same kernel: staged copies would go stale", c->name);
    if (c->constant_table || (c->param < 0 && !pr->p->array_scratch[array]))
        return refuse(&s, "%s is in registers or constant memory already", c->name);
    if (c->n_dims < 1 || !c->dims[0]) return refuse(&s, "the extent of %s is unknown", c->name);
    if (pr->s->problem->may_alias) return refuse(&s, "%s may overlap what the kernel writes (--may-alias)", c->name);
    walk(&s, pr->k->body);
    if (s.ok && !s.any) return refuse(&s, "the kernel does not read %s", c->name);
    int n = 0;
    for (int g = first; g < pr->n_groups; g++) {
        shape(pr, &pr->groups[g]);
        if (pr->groups[g].reuse || pr->groups[g].strided) { /* the rest stays where it is */
            pr->groups[first + n] = pr->groups[g];
            pr->groups[first + n].id = first + n;
            n++;
        }
    }
    if (s.ok && !n)
        return refuse(&s,
                      "each element of %s is read by one thread of a block, neighbours by neighbours: nothing to gain "
                      "from staging it",
                      c->name);
    pr->n_groups = first + n;
    for (int g = first; g < pr->n_groups; g++)
        snprintf(pr->groups[g].name, sizeof pr->groups[g].name, "%s",
                 n > 1 ? rg__poly_fresh(pr, "%.60s_s%d", c->name, g - first) : rg__poly_fresh(pr, "%.60s_s", c->name));
    return s.ok;
}

/* ---- loops in step ---- */

static bool holds_barrier(const struct poly_print *pr, const struct poly_knode *k)
{
    if (!k) return false;
    if (k->kind == KN_LOOP)
        for (int g = 0; g < pr->n_groups; g++)
            if (pr->groups[g].at == k->loop) return true;
    for (int i = 0; i < k->n; i++)
        if (holds_barrier(pr, k->kid[i])) return true;
    return false;
}

static void close_loops(struct poly_print *pr, const struct poly_knode *seq)
{
    bool coarse = pr->coarse[0] * pr->coarse[1] * pr->coarse[2] > 1 || pr->k->coarsened;
    for (int i = 0; i < seq->n; i++) {
        const struct poly_knode *k = seq->kid[i];
        if (k->kind != KN_LOOP || !uniform_loop(pr, k->loop)) continue;
        if (holds_barrier(pr, k) || coarse) {
            pr->closed_loop[k->loop] = true;
            close_loops(pr, k->kid[0]);
        }
    }
}

struct regions {
    struct poly_print *pr;
    int n;
    int *first; /* [var] region that touches it, from 1 */
    bool array_local;
};

static bool local_array(void *arg, const struct poly_knode *k)
{
    struct regions *r = arg;
    if (k->kind == KN_LEAF && k->node->kind == RG_C_DECL && k->node->array >= 0 &&
        !r->pr->p->array_scratch[k->node->array])
        r->array_local = true;
    return true;
}

static bool recomputed(const struct poly_print *pr, const struct rg_cnode *e)
{
    if (!e) return true;
    if (e->kind == RG_C_INDEX || e->kind == RG_C_ASSIGN || e->kind == RG_C_INCDEC || e->pointer ||
        e->kind == RG_C_INITLIST)
        return false;
    if (e->kind == RG_C_VAR) {
        if (e->array >= 0) return false;
        const struct rg_cvar *v = &pr->t->vars[e->var];
        return (v->kind == RG_CVAR_PARAM && !v->assigned) || pr->uniform[e->var];
    }
    for (int i = 0; i < e->n; i++)
        if (!recomputed(pr, e->kid[i])) return false;
    return true;
}

bool rg__poly_uniform_leaf(struct poly_print *pr, const struct poly_knode *k)
{
    return k->kind == KN_LEAF && k->node->kind == RG_C_DECL && k->node->array < 0 && k->node->n && k->node->kid[0] &&
           pr->uniform[k->node->var];
}

static void number_regions(struct regions *r, const struct poly_knode *seq)
{
    struct poly_print *pr = r->pr;
    bool open = false;
    for (int i = 0; i < seq->n; i++) {
        const struct poly_knode *k = seq->kid[i];
        if (k->kind == KN_LOOP && pr->closed_loop[k->loop]) {
            number_regions(r, k->kid[0]);
            open = false;
            continue;
        }
        if (rg__poly_uniform_leaf(pr, k)) continue;
        if (!open) r->n++;
        open = true;
        struct poly_effect e = rg__poly_effect_new(pr->s);
        rg__poly_knode_effect(pr->s, k, &e);
        for (int v = 0; v < pr->t->n_vars; v++) {
            const struct rg_cvar *c = &pr->t->vars[v];
            if (!(e.read[v] || e.written[v]) || c->kind == RG_CVAR_ITER || pr->p->scalar_scratch[v] || pr->uniform[v] ||
                (c->kind == RG_CVAR_PARAM && !c->assigned) || pr->s->var_hidden[v])
                continue;
            if (r->first[v] && r->first[v] != r->n) pr->hoisted[v] = true;
            r->first[v] = r->n;
        }
        rg__poly_effect_free(&e);
    }
}

static void find_uniform(struct poly_print *pr, const struct poly_knode *seq)
{
    for (int i = 0; i < seq->n; i++) {
        const struct poly_knode *k = seq->kid[i];
        if (k->kind != KN_LEAF || k->node->kind != RG_C_DECL || k->node->array >= 0 || !k->node->n || !k->node->kid[0])
            continue;
        int writes = 0;
        for (int s = 0; s < pr->s->n_stmts; s++) {
            struct poly_effect e = rg__poly_effect_new(pr->s);
            rg__poly_effect_add(pr->s, &e, pr->s->stmts[s].node);
            writes += e.written[k->node->var];
            rg__poly_effect_free(&e);
        }
        if (writes == 1 && recomputed(pr, k->node->kid[0])) pr->uniform[k->node->var] = true;
    }
}

bool rg__poly_tiled_ok(struct poly_print *pr, char *why, size_t size)
{
    const struct poly_kernel *k = pr->k;
    pr->n_groups = 0;
    for (int d = 0; d < k->n_dims; d++)
        if (pr->s->loops[k->dims[d]].step != 1) {
            snprintf(why, size, "loop %s has a step of %lld: its tiles are not contiguous",
                     pr->s->loops[k->dims[d]].name, (long long)pr->s->loops[k->dims[d]].step);
            return false;
        }
    for (int a = 0; a < pr->t->n_arrays; a++)
        if (pr->p->array_parts[a] && rg__poly_knode_uses_array(pr->s, k->body, a, NULL)) {
            snprintf(why, size, "local array %s lives in a buffer, one part for each thread: its points run one by one",
                     pr->t->arrays[a].name);
            return false;
        }
    for (int i = 0; i < k->n_staged; i++)
        if (!rg__poly_plan_groups(pr, k->staged[i], why, size)) return false;
    int64_t bytes = 0;
    for (int g = 0; g < pr->n_groups; g++) {
        const struct rg_carray *a = &pr->t->arrays[pr->groups[g].array];
        int64_t n = a->elem == RG_STRUCT ? 64 : (int64_t)rg_scalar_bytes(a->elem);
        if (a->elem == RG_STRUCT && a->struct_index >= 0 && a->struct_index < pr->s->problem->n_structs)
            n = pr->s->problem->structs[a->struct_index].bytes;
        for (int d = 0; d < pr->groups[g].n_dims; d++)
            n *= pr->groups[g].extent[pr->groups[g].order[d]] + (d == pr->groups[g].n_dims - 1 ? pr->groups[g].pad : 0);
        bytes += n;
        /* neighbouring points side by side pay where a loop reads them again and again from shared memory; else they
         * would only spread the global accesses of a warp */
        if (pr->groups[g].vector_axis >= 0 && (pr->groups[g].strip >= 0 || pr->groups[g].vector_axis > 0)) {
            int ax = pr->groups[g].vector_axis;
            pr->vec[ax] = pr->coarse[ax] % 4 == 0 ? 4 : pr->coarse[ax] % 2 == 0 ? 2 : 1;
        }
    }
    if (bytes > 48 * 1024) {
        snprintf(why, size, "the tiles take %lld bytes of shared memory, a block has 49152", (long long)bytes);
        return false;
    }
    pr->rect = true;
    for (int d = 0; d < k->n_dims; d++)
        if (!uniform_loop(pr, k->dims[d])) pr->rect = false;
    find_uniform(pr, k->body);
    close_loops(pr, k->body);
    struct regions r = {.pr = pr, .first = rg_arena_alloc(&pr->arena, sizeof(int) * ((size_t)pr->t->n_vars + 1))};
    for (int i = 0; i < k->body->n; i++)
        if (k->body->kid[i]->kind != KN_LOOP || pr->closed_loop[k->body->kid[i]->loop])
            rg__poly_knode_walk(k->body->kid[i], local_array, &r);
    number_regions(&r, k->body);
    if (r.array_local && r.n > 1) {
        snprintf(why, size, "a local array would have to live across barriers for each of a thread's points");
        return false;
    }
    return true;
}
