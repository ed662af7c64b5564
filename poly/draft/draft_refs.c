/* Accesses: what a warp's request touches, how often it is made, and what of it reaches L2 and DRAM. */
#include "poly/draft/draft.h"
#include <math.h>
#include <string.h>

enum { SECTOR = 32, LINE = 128, BANKS = 32, WORD = 4 };
/* Of a multiprocessor, bytes that L1 and shared memory have together, and of L1 what keeps lines; of the device, L2. */
static const double COPY_REGS = 3, L1_BYTES = 262144, L1_USABLE = 0.9, L2_BYTES = 52428800;

static double element_bytes(const struct draft *d, int array)
{
    const struct rg_carray *c = &d->s->tree->arrays[array];
    const struct rg_problem *p = d->s->problem;
    if (c->elem != RG_STRUCT) return (double)rg_scalar_bytes(c->elem);
    return c->struct_index >= 0 && c->struct_index < p->n_structs ? (double)p->structs[c->struct_index].bytes : 16;
}

/* Elements from one value of subscript `dim` to the next. */
static double row(const struct draft *d, int array, int dim)
{
    const struct rg_carray *c = &d->s->tree->arrays[array];
    double n = 1;
    int64_t extent;
    for (int i = dim + 1; i < c->n_dims; i++)
        n *= c->dims[i] && rg_expr_eval(c->dims[i], &d->env.env, &extent, NULL) == RG_OK && extent > 0 ? (double)extent
                                                                                                       : 1;
    return n;
}

static int loop_step(const struct draft *d, int var)
{
    int dim = rg__poly_dim_at(d->s, d->k, var);
    if (dim >= 0) return (int)d->s->loops[d->k->dims[dim]].step;
    for (int i = 0; i < d->depth; i++)
        if (d->s->loops[d->around[i].loop].var == var) return (int)d->s->loops[d->around[i].loop].step;
    return 1;
}

/* Points side by side that a thread has along the axis: its coordinate counts so many. */
static int64_t neighbours(const struct draft *d, int axis)
{
    return d->k->wide && axis == 0 ? d->tiling.coarse[0] : d->tiling.vec[axis];
}

static bool plain(const struct poly_access *a)
{
    bool ok = a->affine && !a->whole && a->n_subs > 0;
    for (int i = 0; i < a->n_subs; i++) ok = ok && a->sub[i].ok;
    return ok;
}

/* ---- one request ---- */

/* Bytes by which the address moves with each coordinate of the thread. */
static void strides(const struct draft *d, const struct poly_access *a, double out[3])
{
    out[0] = out[1] = out[2] = 0;
    for (int i = 0; i < a->n_subs; i++)
        for (int t = 0; t < a->sub[i].n; t++) {
            int axis = rg__draft_axis(d, a->sub[i].term[t].var);
            if (axis >= 0)
                out[axis] += (double)a->sub[i].term[t].c * loop_step(d, a->sub[i].term[t].var) *
                             (double)neighbours(d, axis) * row(d, a->array, i) * element_bytes(d, a->array);
        }
}

/* Leaves each value once, ascending: they nearly do already. */
static int distinct(double *x, int n)
{
    int kept = n > 0;
    for (int i = 1; i < n; i++) {
        double v = x[i];
        int j = i;
        for (; j > 0 && x[j - 1] > v; j--) x[j] = x[j - 1];
        x[j] = v;
    }
    for (int i = 1; i < n; i++)
        if (x[i] != x[kept - 1]) x[kept++] = x[i];
    return kept;
}

static void touched(const struct draft *d, const double stride[3], double offset, double bytes, struct draft_ref *r)
{
    double sector[4 * 32], line[2 * 32];
    int lanes = d->threads < 32 ? (int)d->threads : 32, ns = 0, nl = 0;
    for (int l = 0; l < lanes; l++) {
        double x = (double)(l % d->shape[0]), y = (double)(l / d->shape[0] % d->shape[1]),
               z = (double)(l / (d->shape[0] * d->shape[1]));
        double at = offset + stride[0] * x + stride[1] * y + stride[2] * z, first = floor(at / SECTOR),
               last = floor((at + bytes - 1) / SECTOR);
        for (double q = first; q <= last && ns < 4 * 32; q++) sector[ns++] = q;
        line[nl++] = floor(at / LINE);
        if (floor((at + bytes - 1) / LINE) != line[nl - 1]) line[nl++] = floor((at + bytes - 1) / LINE);
    }
    r->sectors = distinct(sector, ns);
    r->waves = distinct(line, nl);
}

/* ---- tiles in shared memory ---- */

static const struct poly_group *staged_in(const struct draft *d, const struct poly_access *a)
{
    for (int g = 0; g < d->tiling.n_groups && !a->write && plain(a); g++) {
        const struct poly_group *q = &d->tiling.groups[g];
        bool same = q->array == a->array && q->n_dims == a->n_subs, inside = q->at < 0;
        for (int i = 0; i < a->n_subs && same; i++) same = rg__poly_linear_same_terms(&q->terms[i], &a->sub[i]);
        for (int i = 0; i < d->depth; i++) inside = inside || d->around[i].loop == q->at;
        if (same && inside) return q;
    }
    return NULL;
}

/* Words of the tile by which the place in it moves. */
static void tile_strides(const struct draft *d, const struct poly_group *q, double out[3])
{
    double below = 1;
    out[0] = out[1] = out[2] = 0;
    for (int o = q->n_dims - 1; o >= 0; o--) {
        int i = q->order[o];
        for (int t = 0; t < q->terms[i].n; t++) {
            int axis = rg__draft_axis(d, q->terms[i].term[t].var);
            if (axis >= 0) out[axis] += (double)q->terms[i].term[t].c * (double)neighbours(d, axis) * below;
        }
        below *= (double)(q->extent[i] + (o == q->n_dims - 1 ? q->pad : 0));
    }
}

/* Cycles of the data path: the most different words that one bank has of them, by the lanes that go together: all, for
 * 8 bytes half a warp, for 16 a quarter, and twice as many where neighbours want the same. */
static double conflicts(const double *at, int lanes, int width)
{
    double cycles = 0;
    bool paired = width > 1;
    for (int l = 0; l + 1 < lanes && paired; l += 2) paired = at[l] == at[l + 1];
    int together = 32 / width * (paired ? 2 : 1);
    for (int from = 0; from < lanes; from += together) {
        double word[128];
        int n = 0, most = 0, bank[BANKS] = {0};
        for (int l = from; l < lanes && l < from + together; l++)
            for (int w = 0; w < width; w++) word[n++] = at[l] + w;
        n = distinct(word, n);
        for (int i = 0; i < n; i++) {
            int b = (int)(((int64_t)word[i] % BANKS + BANKS) % BANKS);
            most = ++bank[b] > most ? bank[b] : most;
        }
        cycles += most;
    }
    return cycles;
}

static double tile_waves(const struct draft *d, const struct poly_group *q, int width, double words)
{
    double stride[3], at[32];
    int lanes = d->threads < 32 ? (int)d->threads : 32;
    tile_strides(d, q, stride);
    for (int l = 0; l < lanes; l++)
        at[l] = words * (stride[0] * (double)(l % d->shape[0]) + stride[1] * (double)(l / d->shape[0] % d->shape[1]) +
                         stride[2] * (double)(l / (d->shape[0] * d->shape[1])));
    int span = (int)(width * words);
    return conflicts(at, lanes, span >= 4 ? 4 : span >= 2 ? 2 : 1);
}

/* Of one store when the tile is filled: elements of a row go to neighbouring lanes, `width` of them to each. */
static double fill_waves(const struct draft *d, const struct poly_group *q, int width, bool along, double words)
{
    double at[32];
    int lanes = d->threads < 32 ? (int)d->threads : 32;
    for (int l = 0; l < lanes; l++) {
        int64_t e = (int64_t)l * width;
        double place[POLY_MAX_DIMS], below = 1;
        for (int i = q->n_dims - 1; i >= 0; i--) {
            place[i] = (double)(e % q->extent[i]);
            e /= q->extent[i];
        }
        at[l] = 0;
        for (int o = q->n_dims - 1; o >= 0; o--) {
            at[l] += place[q->order[o]] * below * words;
            below *= (double)(q->extent[q->order[o]] + (o == q->n_dims - 1 ? q->pad : 0));
        }
    }
    int span = (int)((along ? width : 1) * words);
    return conflicts(at, lanes, span >= 4 ? 4 : span >= 2 ? 2 : 1);
}

/* ---- footprints ---- */

/* Values that the term's variable takes in a block while the loops from `level` on run. */
static double range(const struct draft *d, const struct draft_group *g, int axis, int var, int level)
{
    for (int i = 0; i < g->depth; i++)
        if (d->s->loops[g->around[i].loop].var == var)
            return i >= level ? g->around[i].trips : g->around[i].shared ? fmin(d->team, g->around[i].trips) : 1;
    int dim = rg__poly_dim_at(d->s, d->k, var);
    if (dim < 0 || axis < 0) return 1;
    double n = (double)(d->shape[axis] * (d->lane_axis < 0 ? d->tiling.coarse[d->k->axis[dim]] : 1));
    return fmin(n, rg__poly_trips(d->s, d->k->dims[dim]));
}

/* Sectors of the array that a block touches while the loops from `level` on run. */
static double footprint(const struct draft *d, const struct draft_group *g, int level)
{
    const struct poly_access *a = g->a;
    double rows = 1, last = 1, bytes = element_bytes(d, a->array);
    if (!plain(a)) return d->threads * (bytes > SECTOR ? bytes / SECTOR : 1);
    for (int i = 0; i < a->n_subs; i++) {
        double span = 1 + (double)(g->most[i] - g->least[i]), values = span;
        for (int t = 0; t < a->sub[i].n; t++) {
            double n = range(d, g, g->axis[i][t], a->sub[i].term[t].var, level);
            span += fabs((double)a->sub[i].term[t].c) * (n - 1);
            values *= n;
        }
        if (i + 1 < a->n_subs)
            rows *= fmin(span, values);
        else
            last = fmin(span * bytes / SECTOR + (span * bytes > SECTOR ? 0.5 : 0), values * fmax(1, bytes / SECTOR));
    }
    return rows * fmax(1, last);
}

static double launch_footprint(const struct draft *d, const struct draft_group *g)
{
    double n = 1, bytes = element_bytes(d, g->a->array), all = bytes * row(d, g->a->array, -1);
    if (!plain(g->a)) return all;
    for (int i = 0; i < g->a->n_subs; i++) {
        double span = 1;
        for (int t = 0; t < g->a->sub[i].n; t++) {
            int var = g->a->sub[i].term[t].var, dim = rg__poly_dim_at(d->s, d->k, var);
            double trips = dim >= 0 ? rg__poly_trips(d->s, d->k->dims[dim]) : 1;
            for (int l = 0; l < g->depth; l++)
                if (d->s->loops[g->around[l].loop].var == var) trips = g->around[l].trips * d->parts;
            span += fabs((double)g->a->sub[i].term[t].c) * (trips - 1);
        }
        n *= span;
    }
    return fmin(all > bytes ? all : INFINITY, n * bytes);
}

static bool same_place(const struct draft *d, const struct draft_group *g, const struct poly_access *a)
{
    bool same = g->a->array == a->array && g->depth == d->depth && g->a->n_subs == a->n_subs && plain(a) && plain(g->a);
    for (int i = 0; i < d->depth && same; i++) same = g->around[i].loop == d->around[i].loop;
    for (int i = 0; i < a->n_subs && same; i++) same = rg__poly_linear_same_terms(&g->a->sub[i], &a->sub[i]);
    return same;
}

static int group_of(struct draft *d, const struct poly_access *a)
{
    struct draft_group *g;
    int at = 0;
    while (at < d->n_groups && !same_place(d, &d->groups[at], a)) at++;
    if (at == DRAFT_GROUPS) {
        d->unknown = true;
        return 0;
    }
    g = &d->groups[at];
    if (at == d->n_groups) {
        d->n_groups++;
        memset(g, 0, sizeof *g);
        g->a = a;
        g->depth = d->depth;
        memcpy(g->around, d->around, sizeof *g->around * (size_t)d->depth);
        for (int i = 0; i < a->n_subs; i++) {
            g->least[i] = g->most[i] = a->sub[i].k;
            for (int t = 0; t < a->sub[i].n; t++) g->axis[i][t] = rg__draft_axis(d, a->sub[i].term[t].var);
        }
    }
    for (int i = 0; i < a->n_subs; i++) {
        g->least[i] = a->sub[i].k < g->least[i] ? a->sub[i].k : g->least[i];
        g->most[i] = a->sub[i].k > g->most[i] ? a->sub[i].k : g->most[i];
    }
    return at;
}

/* ---- references ---- */

static bool goes_with(const struct poly_access *a, int var)
{
    for (int i = 0; i < a->n_subs; i++)
        if (rg__poly_linear_coef(&a->sub[i], var)) return true;
    return false;
}

/* Loops that repeat it: a value that nobody writes, or that the statement itself updates, stays in a register in those
 * inside. */
static int repeated(const struct draft *d, const struct poly_access *a)
{
    const struct poly_stmt *st = &d->s->stmts[a->stmt];
    bool own = a->target || st->red_array == a->array;
    if (!plain(a) || (d->tiling.written[a->array] && !own) || (d->k->atomic && d->k->atomic[a->array])) return d->depth;
    int depth = d->depth;
    while (depth > 0 && !goes_with(a, d->s->loops[d->around[depth - 1].loop].var)) depth--;
    return depth;
}

/* Requests for the thread's points, and how many elements each takes at once. */
static double for_points(const struct draft *d, const struct poly_access *a, const struct poly_group *tile, int *width)
{
    double n = 1;
    *width = 1;
    for (int i = 0; i < d->k->n_dims && d->lane_axis < 0; i++) {
        int axis = d->k->axis[i];
        int64_t coarse = d->tiling.coarse[axis];
        bool along = !plain(a);
        for (int s = 0; s < a->n_subs && !along; s++)
            for (int t = 0; t < a->sub[s].n; t++)
                along = along || rg__poly_dim_at(d->s, d->k, a->sub[s].term[t].var) == i;
        if (coarse == 1 || !(along || a->write)) continue;
        bool unit = a->n_subs > 0 && rg__poly_linear_coef(&a->sub[a->n_subs - 1], d->s->loops[d->k->dims[i]].var) == 1;
        if ((d->k->wide && axis == 0 && unit) || (tile && tile->vector_axis == axis && d->tiling.vec[axis] > 1))
            *width = d->k->wide ? (int)coarse : (int)d->tiling.vec[axis];
        n *= (double)coarse;
    }
    return n / *width;
}

static double times_of(const struct draft *d, int depth)
{
    double n = 1;
    for (int i = 0; i < depth; i++) n *= d->around[i].turns;
    return n;
}

void rg__draft_refer(struct draft *d, const struct poly_access *a)
{
    const struct rg_carray *c = &d->s->tree->arrays[a->array];
    if (c->constant_table || (c->param < 0 && !d->tiling.p->array_scratch[a->array])) return;
    const struct poly_group *tile = staged_in(d, a);
    for (int pass = 0; pass < 2; pass++) { /* an update: a load and a store */
        bool load = pass == 0;
        if (load ? !a->read : !a->write) continue;
        if (d->n_refs == DRAFT_REFS) {
            d->unknown = true;
            return;
        }
        struct draft_ref *r = &d->refs[d->n_refs++];
        int width;
        double stride[3] = {0}, bytes = element_bytes(d, a->array);
        *r = (struct draft_ref){.a = a, .load = load, .group = -1, .depth = repeated(d, a)};
        r->times = for_points(d, a, tile, &width);
        r->points = r->times * width;
        r->times *= times_of(d, r->depth);
        if (tile) {
            r->waves = tile_waves(d, tile, width, fmax(1, bytes / WORD));
        } else {
            strides(d, a, stride);
            if (plain(a))
                touched(d, stride, (double)((1 << 24) + a->sub[a->n_subs - 1].k) * bytes, bytes * width, r);
            else
                r->sectors = r->waves = 16; /* who knows */
            r->group = group_of(d, a);
            d->groups[r->group].asked += r->times * r->sectors * d->warps;
        }
        bool moves = r->depth > 0 && r->depth == d->depth;
        double unroll = moves ? d->around[d->depth - 1].unroll : 1;
        d->count.lsu += r->times * fmax(1, width * bytes / 16);
        d->count.waves += r->times * r->waves;
        /* its address: a pointer that steps along, or an offset from one where the loop is written out */
        if (tile) /* places in tiles are computed for every iteration, and for the loop's next round */
            d->count.issue += r->times * 2.5 + times_of(d, r->depth) * (0.6 + 5 / unroll);
        else
            d->count.issue += r->times * (1 + 1.6 / (moves && fabs(stride[0]) <= 16 ? unroll : 1));
        if (d->k->atomic && d->k->atomic[a->array] && !load) d->count.waves += r->times * 32;
    }
}

void rg__draft_copy_in(struct draft *d, int group, double times)
{
    const struct poly_group *q = &d->tiling.groups[group];
    double total = 1, bytes = element_bytes(d, q->array), width = (double)rg__poly_tile_width(&d->tiling, q),
           segments = 1;
    for (int i = 0; i < q->n_dims; i++) total *= (double)q->extent[i];
    if (d->n_groups == DRAFT_GROUPS) {
        d->unknown = true;
        return;
    }
    double rounds = ceil(total / width / d->threads), along = (double)q->extent[q->n_dims - 1] * bytes;
    segments = fmax(1, 32 * width * bytes / along); /* rows that a warp's request meets */
    double sectors = 32 * width * bytes / SECTOR + (along > SECTOR ? 0 : segments), stored;
    bool along_rows = q->order[q->n_dims - 1] == q->n_dims - 1;
    stored = along_rows ? 1 : width;
    struct draft_group *g = &d->groups[d->n_groups++];
    memset(g, 0, sizeof *g);
    for (int i = 0; i < d->s->n_accesses && !g->a; i++)
        if (d->s->accesses[i].array == q->array) g->a = &d->s->accesses[i];
    double rows = total / (double)q->extent[q->n_dims - 1];
    g->sectors = times * rows * fmax(1, along / SECTOR);
    g->asked = g->sectors;
    g->once = element_bytes(d, q->array) * row(d, q->array, -1);
    d->count.issue += times * rounds * (2 + stored + 8 / (rounds > 1 ? 2 : 1));
    d->count.integers += times * rounds * 6;
    d->count.lsu += times * rounds * (1 + stored);
    d->count.waves +=
        times * rounds *
        (fmax(1, sectors * SECTOR / LINE) + stored * fill_waves(d, q, (int)width, along_rows, fmax(1, bytes / WORD)));
    d->shared_bytes += (total / (double)q->extent[q->order[q->n_dims - 1]]) *
                       (double)(q->extent[q->order[q->n_dims - 1]] + q->pad) * bytes;
    d->regs += COPY_REGS * ceil(total / d->threads); /* addresses and values of all its loads, which go first */
}

/* Footprint of a block while a loop of the body runs: all that is touched in it. */
static double working_set(const struct draft *d, const struct draft_group *of, int level)
{
    double bytes = 0;
    for (int i = 0; i < d->n_groups; i++) {
        const struct draft_group *g = &d->groups[i];
        bool inside = g->depth >= level;
        for (int l = 0; l < level && inside; l++) inside = g->around[l].loop == of->around[l].loop;
        if (inside && g->a && g->once == 0) bytes += footprint(d, g, level) * SECTOR;
    }
    return bytes;
}

void rg__draft_traffic(struct draft *d)
{
    double share = fmax(0, L1_BYTES - d->shared_bytes * d->resident) * L1_USABLE / fmax(1, d->resident), all = 0;
    for (int i = 0; i < d->n_groups; i++) {
        struct draft_group *g = &d->groups[i];
        if (g->once > 0) {
            all += g->once; /* a tile */
            continue;
        }
        int level = 0;
        double outside = 1;
        while (level < g->depth && working_set(d, g, level) > share) level++;
        for (int l = 0; l < level; l++) outside *= g->around[l].turns;
        g->sectors = fmin(g->asked, footprint(d, g, level) * outside);
    }
    for (int i = 0; i < d->n_groups; i++) {
        struct draft_group *g = &d->groups[i];
        bool again = false;
        if (g->once == 0) {
            g->once = fmin(launch_footprint(d, g), fmax(1, g->sectors) * d->blocks * SECTOR);
            for (int j = 0; j < i; j++) again = again || d->groups[j].a->array == g->a->array;
            if (!again) all += g->once;
        }
    }
    for (int i = 0; i < d->n_groups; i++) {
        struct draft_group *g = &d->groups[i];
        double bytes = g->sectors * d->blocks * SECTOR, lost = fmin(1, fmax(0, (all / L2_BYTES - 0.55) / 0.4));
        bool again = false;
        for (int j = 0; j < i; j++) again = again || d->groups[j].a->array == g->a->array;
        double once = again ? 0 : fmin(g->once, bytes);
        g->l1 = g->asked > 0 ? fmin(1, g->sectors / g->asked) : 1;
        g->l2 = bytes > 0 ? (once + (bytes - once) * lost * 0.5) / bytes : 0;
    }
}
