/* Kernels whose threads run loops in step: tiles staged in shared memory, several points a thread in registers, full
 * tiles without guards beside partial ones with them. */
#include "poly/cuda/print.h"
#include <ctype.h>
#include <string.h>

enum way { UNDECIDED, FULL, GUARDED };

static const char *const AXES = "xyz", *const BIG = "XYZ";

static void closed_code(struct poly_print *pr, const struct poly_knode *seq, enum way way);

/* ---- the thread's points ---- */

static const char *place(struct poly_print *pr, int d)
{
    int a = pr->k->axis[d];
    const char *t = rg__poly_printf(pr, "threadIdx.%c", AXES[a]),
               *r = rg__poly_fresh(pr, "r%s", pr->s->loops[pr->k->dims[d]].name);
    if (pr->tiling.coarse[a] == 1) return t;
    if (pr->tiling.vec[a] == 1) return rg__poly_printf(pr, "%s * \1B%c + %s", r, BIG[a], t);
    if (pr->tiling.vec[a] == pr->tiling.coarse[a])
        return rg__poly_printf(pr, "%s * %lld + %s", t, (long long)pr->tiling.vec[a], r);
    long long v = (long long)pr->tiling.vec[a];
    return rg__poly_printf(pr, "(%s / %lld * \1B%c + %s) * %lld + %s %% %lld", r, v, BIG[a], t, v, r, v);
}

/* Declares at `at` what the text behind it uses of dimension d. */
static void point_values(struct poly_print *pr, int d, size_t at, int indent)
{
    const struct poly_loop *l = &pr->s->loops[pr->k->dims[d]];
    const char *type = rg__poly_index_type(pr, l->var), *local = rg__poly_local(pr, l->var);
    for (int a = pr->k->n_alias - 1; a >= 0; a--) {
        const struct poly_loop *x = &pr->s->loops[pr->k->alias[a].loop];
        bool again = pr->k->alias[a].dim != d || x->var == l->var || pr->same_as[x->var] != x->var;
        for (int b = 0; b < a; b++) again = again || pr->s->loops[pr->k->alias[b].loop].var == x->var;
        if (!again && rg__poly_uses_name(pr, at, x->name))
            rg__poly_insert_line(
                pr, at, indent,
                rg__poly_printf(pr, "const %s %s = %s;", rg__poly_index_type(pr, x->var), x->name, l->name));
    }
    bool both = pr->tiling.n_groups && rg__poly_uses_name(pr, at, local);
    if (rg__poly_uses_name(pr, at, l->name))
        rg__poly_insert_line(pr, at, indent,
                             rg__poly_printf(pr, "const %s %s = %s + %s;", type, l->name, rg__poly_origin(pr, l->var),
                                             both ? local : place(pr, d)));
    if (both) rg__poly_insert_line(pr, at, indent, rg__poly_printf(pr, "const int %s = %s;", local, place(pr, d)));
}

struct points {
    int braces, indent;
    size_t at; /* where the points' values are declared */
};

static struct points open_points(struct poly_print *pr, bool guard, const char *also)
{
    struct points p = {0};
    for (int d = 0; d < pr->k->n_dims; d++) {
        int a = pr->k->axis[d];
        if (pr->tiling.coarse[a] == 1) continue;
        const char *r = rg__poly_fresh(pr, "r%s", pr->s->loops[pr->k->dims[d]].name);
        rg__poly_line(pr, "#pragma unroll");
        rg__poly_open_brace(pr, "for (int %s = 0; %s < \1R%c; %s++)", r, r, BIG[a], r);
        p.braces++;
    }
    p.at = pr->out.len;
    p.indent = pr->indent;
    const char *g = guard ? rg__poly_guard(pr) : "";
    if (*g || *also) {
        rg__poly_open_brace(pr, "if (%s%s%s)", g, *g && *also ? " && " : "", also);
        p.braces++;
    }
    pr->open = true;
    return p;
}

static void close_points(struct poly_print *pr, struct points p)
{
    for (int d = pr->k->n_dims - 1; d >= 0; d--)
        if (pr->tiling.coarse[pr->k->axis[d]] > 1) point_values(pr, d, p.at, p.indent);
    while (p.braces--) rg__poly_close_brace(pr);
    pr->open = false;
}

/* May a thread whose point does not exist compute this as well? It must touch nothing but registers, and tiles that
 * hold zeros beyond the array; nothing of it is stored. */
static bool harmless(struct poly_print *pr, const struct poly_knode *k)
{
    if (!k) return true;
    if (k->kind == KN_LOOP) return false;
    for (int i = 0; i < k->n; i++)
        if (!harmless(pr, k->kid[i])) return false;
    if (k->kind != KN_LEAF) return true;
    int id = rg__poly_stmt_of(pr->s, k->node);
    if (k->node->kind == RG_C_OPAQUE || rg__poly_calls_helper(k->node)) return false;
    for (int i = 0; id >= 0 && i < pr->s->stmts[id].n_accesses; i++) {
        const struct poly_access *a = &pr->s->accesses[pr->s->stmts[id].first_access + i];
        if (!rg__poly_in_registers(pr, a->array) && !(a->node && !a->write && rg__poly_staged_zero(pr, a->node)))
            return false;
    }
    return true;
}

static bool all_harmless(struct poly_print *pr, struct poly_knode *const *items, int n)
{
    for (int i = 0; i < n; i++) {
        bool loop = items[i]->kind == KN_LOOP && pr->tiling.closed_loop[items[i]->loop];
        if (loop ? !all_harmless(pr, items[i]->kid[0]->kid, items[i]->kid[0]->n) : !harmless(pr, items[i]))
            return false;
    }
    return true;
}

static void region(struct poly_print *pr, struct poly_knode *const *items, int n, enum way way)
{
    struct points p = open_points(pr, way != FULL, "");
    rg__poly_thread_list(pr, items, n);
    close_points(pr, p);
}

static bool heavy(const struct poly_print *pr, struct poly_knode *const *items, int n)
{
    if (n == pr->k->body->n) return true; /* the whole kernel */
    for (int i = 0; i < n; i++)
        if (rg__poly_knode_has_loop(items[i])) return true;
    return false;
}

static const char *full_name(struct poly_print *pr)
{
    return rg__poly_fresh(pr, "full");
}

static void open_region(struct poly_print *pr, struct poly_knode *const *items, int n, enum way way)
{
    if (all_harmless(pr, items, n)) way = FULL;
    bool split = way == UNDECIDED && pr->tiling.rect && heavy(pr, items, n) && pr->k->coarsened;
    if (!split) {
        region(pr, items, n, way);
        return;
    }
    rg__poly_open_brace(pr, "if (%s)", full_name(pr));
    region(pr, items, n, FULL);
    rg_buf_indent(&pr->out, pr->indent - 1);
    rg_buf_str(&pr->out, "} else {\n");
    region(pr, items, n, GUARDED);
    rg__poly_close_brace(pr);
}

/* ---- loops around barriers ---- */

static bool stages_at(const struct poly_print *pr, int loop)
{
    for (int g = 0; g < pr->tiling.n_groups; g++)
        if (pr->tiling.groups[g].at == loop) return true;
    return false;
}

static bool barrier_inside(const struct poly_print *pr, const struct poly_knode *k)
{
    if (!k) return false;
    if (k->kind == KN_LOOP && stages_at(pr, k->loop)) return true;
    for (int i = 0; i < k->n; i++)
        if (barrier_inside(pr, k->kid[i])) return true;
    return false;
}

/* ---- loops in step ---- */

static void chunk_code(struct poly_print *pr, const struct poly_knode *k, enum way way, const char *cond, bool last)
{
    const struct poly_loop *l = &pr->s->loops[k->loop];
    const char *local = rg__poly_local(pr, l->var), *origin = rg__poly_origin(pr, l->var);
    if (last)
        rg__poly_line(pr, "#pragma unroll 1");
    else if (pr->k->unrolled && pr->v.unroll > 1)
        rg__poly_line(pr, "#pragma unroll %lld", (long long)pr->v.unroll);
    else if (!pr->k->coarsened)
        rg__poly_line(pr, "#pragma unroll");
    rg__poly_open_brace(pr, "for (int %s = 0; %s < \1TILE%s; %s++)", local, local, cond, local);
    size_t at = pr->out.len;
    closed_code(pr, k->kid[0], way);
    if (rg__poly_uses_name(pr, at, l->name))
        rg__poly_insert_line(
            pr, at, pr->indent,
            rg__poly_printf(pr, "const %s %s = %s + %s;", rg__poly_index_type(pr, l->var), l->name, origin, local));
    rg__poly_close_brace(pr);
}

static void strip_code(struct poly_print *pr, const struct poly_knode *k, enum way way)
{
    const struct poly_loop *l = &pr->s->loops[k->loop];
    const char *origin = rg__poly_origin(pr, l->var), *hi = rg__poly_limit(pr, l->id),
               *first = rg__poly_signed(pr, l->id, origin);
    rg__poly_open_brace(pr, "for (%s %s = %s; %s < %s; %s += \1TILE)", rg__poly_index_type(pr, l->var), origin,
                        rg__poly_text(pr, l->node->kid[0]), first, hi, origin);
    for (int g = 0; g < pr->tiling.n_groups; g++)
        if (pr->tiling.groups[g].at == k->loop) {
            rg__poly_copy_in(pr, g);
            pr->group_live[g] = true;
        }
    rg__poly_line(pr, "__syncthreads();");
    if (all_harmless(pr, k->kid[0]->kid, k->kid[0]->n)) way = FULL;
    bool full = way == UNDECIDED && pr->tiling.rect;
    int64_t trips;
    if (rg__poly_known_count(pr, l->id, &trips) && trips > 0 && trips % pr->v.tile == 0) { /* whole strips */
        chunk_code(pr, k, way, "", false);
        rg__poly_line(pr, "__syncthreads();");
        rg__poly_close_brace(pr);
        for (int g = 0; g < pr->tiling.n_groups; g++)
            if (pr->tiling.groups[g].at == k->loop) pr->group_live[g] = false;
        return;
    }
    rg__poly_open_brace(pr, "if (%s%s%s + \1TILE <= %s)", full ? full_name(pr) : "", full ? " && " : "", first, hi);
    chunk_code(pr, k, full ? FULL : way, "", false);
    rg_buf_indent(&pr->out, pr->indent - 1);
    rg_buf_str(&pr->out, "} else {\n");
    chunk_code(pr, k, way == UNDECIDED ? GUARDED : way,
               rg__poly_printf(pr, " && %s + %s < %s", first, rg__poly_local(pr, l->var), hi), true);
    rg__poly_close_brace(pr);
    rg__poly_line(pr, "__syncthreads();");
    rg__poly_close_brace(pr);
    for (int g = 0; g < pr->tiling.n_groups; g++)
        if (pr->tiling.groups[g].at == k->loop) pr->group_live[g] = false;
}

static void plain_loop(struct poly_print *pr, const struct poly_knode *k, enum way way)
{
    rg__poly_loop_header(pr, k->loop, !rg__poly_knode_has_loop(k->kid[0]));
    closed_code(pr, k->kid[0], way);
    rg__poly_close_brace(pr);
}

static void loop_in_step(struct poly_print *pr, const struct poly_knode *k, enum way way)
{
    struct poly_promotion held[4];
    int before = pr->n_promoted, n = rg__poly_promotable(pr, k, held, 4);
    for (int i = 0; i < n; i++) {
        struct poly_register *r = &pr->promoted[before + i];
        r->array = held[i].array;
        r->indexed = true;
        snprintf(r->name, sizeof r->name, "%s",
                 pr->n_registers
                     ? rg__poly_fresh(pr, "%.60s_r%d", rg__poly_array_name(pr, r->array), pr->n_registers + 1)
                     : rg__poly_fresh(pr, "%.60s_r", rg__poly_array_name(pr, r->array)));
        pr->n_registers++;
        struct rg_buf dims = RG_BUF_INIT;
        for (int d = 0; d < pr->k->n_dims; d++)
            if (pr->tiling.coarse[pr->k->axis[d]] > 1) rg_buf_printf(&dims, "[\1R%c]", BIG[pr->k->axis[d]]);
        rg__poly_line(pr, "%s %s%s;", rg__poly_elem_type(pr, r->array), r->name, dims.data);
        rg_buf_release(&dims);
    }
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < n; i++) {
            const char *runs = held[i].guard ? rg__poly_runs(pr, k->loop) : "",
                       *guard = way != FULL ? rg__poly_guard(pr) : "";
            bool zero =
                !pass && (*guard || *runs) && rg__poly_has_zero(pr, held[i].array); /* every register has a value */
            struct points p = open_points(pr, way != FULL && !zero, zero ? "" : runs);
            const char *element = rg__poly_text(pr, held[i].element);
            const char *reg = rg__poly_printf(pr, "%s%s", pr->promoted[before + i].name, rg__poly_point_index(pr));
            if (zero)
                rg__poly_line(pr, "%s = %s%s%s ? %s : (%s)0;", reg, guard, *guard && *runs ? " && " : "", runs, element,
                              rg__poly_elem_type(pr, held[i].array));
            else
                rg__poly_line(pr, "%s = %s;", pass ? element : reg, pass ? reg : element);
            close_points(pr, p);
        }
        if (pass) break;
        pr->n_promoted = before + n;
        if (stages_at(pr, k->loop))
            strip_code(pr, k, way);
        else if (barrier_inside(pr, k) || way != UNDECIDED || !pr->tiling.rect ||
                 all_harmless(pr, k->kid[0]->kid, k->kid[0]->n))
            plain_loop(pr, k, way);
        else {
            rg__poly_open_brace(pr, "if (%s)", full_name(pr));
            plain_loop(pr, k, FULL);
            rg_buf_indent(&pr->out, pr->indent - 1);
            rg_buf_str(&pr->out, "} else {\n");
            plain_loop(pr, k, GUARDED);
            rg__poly_close_brace(pr);
        }
        pr->n_promoted = before;
    }
}

static void closed_code(struct poly_print *pr, const struct poly_knode *seq, enum way way)
{
    for (int i = 0; i < seq->n;) {
        const struct poly_knode *k = seq->kid[i];
        if (k->kind == KN_LOOP && pr->tiling.closed_loop[k->loop]) {
            loop_in_step(pr, k, way);
            i++;
            continue;
        }
        if (rg__poly_uniform_leaf(&pr->tiling, k)) {
            rg__poly_statement(pr, k->node);
            i++;
            continue;
        }
        int j = i;
        while (j < seq->n && !(seq->kid[j]->kind == KN_LOOP && pr->tiling.closed_loop[seq->kid[j]->loop]) &&
               !rg__poly_uniform_leaf(&pr->tiling, seq->kid[j]))
            j++;
        bool work = false;
        for (int x = i; x < j; x++)
            work = work || seq->kid[x]->kind != KN_LEAF || seq->kid[x]->node->kind != RG_C_DECL ||
                   (seq->kid[x]->node->n && seq->kid[x]->node->kid[0]) ||
                   !pr->top_decl[seq->kid[x]->node->var < 0 ? 0 : seq->kid[x]->node->var];
        if (work) open_region(pr, &seq->kid[i], j - i, way);
        i = j;
    }
}

static void shared_arrays(struct poly_print *pr)
{
    for (int g = 0; g < pr->tiling.n_groups; g++) {
        const struct poly_group *q = &pr->tiling.groups[g];
        struct rg_buf dims = RG_BUF_INIT;
        for (int sd = 0; sd < q->n_dims; sd++)
            rg_buf_printf(&dims, "[%lld%s]", (long long)q->extent[q->order[sd]],
                          sd == q->n_dims - 1 && q->pad ? rg__poly_printf(pr, " + %d", q->pad) : "");
        const char *type = rg__poly_elem_type(pr, q->array);
        bool is_struct = pr->t->arrays[q->array].elem == RG_STRUCT;
        rg__poly_line(pr, "__shared__ %s%s %s%s;", is_struct ? "" : "__align__(16) ", type, pr->tile_name[g],
                      dims.data);
        rg_buf_release(&dims);
    }
}

/* Can the block have no point at all, since a dimension's bounds lean on another's? Then it leaves before any barrier.
 */
static void leave_if_empty(struct poly_print *pr)
{
    for (int d = 0; d < pr->k->n_dims; d++) {
        const struct poly_loop *l = &pr->s->loops[pr->k->dims[d]];
        for (int side = 0; side < 2; side++) {
            struct poly_linear b = side ? l->upper : l->lower;
            bool leans = false;
            for (int t = 0; b.ok && t < b.n; t++) {
                int dim = rg__poly_dim_of_var(pr, b.term[t].var);
                if (dim < 0) continue;
                int64_t span = rg__poly_per_block(&pr->tiling, pr->k->axis[dim]) - 1;
                leans = true;
                if ((b.term[t].c > 0) == side) /* the greatest upper bound, the least lower one */
                    b.k += b.term[t].c * span;
            }
            if (!b.ok || !leans) continue;
            const char *bound = rg__poly_linear_text(pr, &b, rg__poly_base_name), *origin = rg__poly_origin(pr, l->var);
            if (side)
                rg__poly_line(pr, "if (%s >= %s) return; // no point in this block", origin, bound);
            else
                rg__poly_line(pr, "if (%s + %lld < %s) return; // no point in this block", origin,
                              (long long)rg__poly_per_block(&pr->tiling, pr->k->axis[d]) - 1, bound);
        }
    }
}

void rg__poly_tiled_body(struct poly_print *pr)
{
    const struct poly_kernel *k = pr->k;
    shared_arrays(pr);
    rg__poly_block_lines(pr);
    if (pr->tiling.n_groups) {
        bool y = pr->tiling.dim_of_axis[1] >= 0, z = pr->tiling.dim_of_axis[2] >= 0;
        rg__poly_line(pr, "const int %s = %s;", rg__poly_fresh(pr, "tid"),
                      z   ? "(threadIdx.z * \1BY + threadIdx.y) * \1BX + threadIdx.x"
                      : y ? "threadIdx.y * \1BX + threadIdx.x"
                          : "threadIdx.x");
    }
    struct rg_buf full = RG_BUF_INIT;
    for (int d = 0; d < k->n_dims; d++) {
        int a = k->axis[d];
        const struct poly_loop *l = &pr->s->loops[k->dims[d]];
        const char *lo = rg__poly_dim_lower(pr, l->id, false), *type = rg__poly_index_type(pr, l->var);
        bool wide = rg_scalar_bytes(pr->t->vars[l->var].type) > 4;
        const char *size = pr->tiling.coarse[a] > 1 ? rg__poly_printf(pr, "(\1B%c * \1R%c)", BIG[a], BIG[a])
                                                    : rg__poly_printf(pr, "\1B%c", BIG[a]);
        rg__poly_line(pr, "const %s %s = %s%s%s%s * %s;", type, rg__poly_origin(pr, l->var), strcmp(lo, "0") ? lo : "",
                      strcmp(lo, "0") ? " + " : "", wide ? rg__poly_printf(pr, "(%s)", type) : "",
                      rg__poly_block(pr, a), size);
        rg_buf_printf(&full, "%s%s + %s <= %s", full.len ? " && " : "",
                      rg__poly_signed(pr, l->id, rg__poly_origin(pr, l->var)), size, rg__poly_limit(pr, l->id));
    }
    leave_if_empty(pr);
    size_t at = pr->out.len;
    bool top = false;
    for (int g = 0; g < pr->tiling.n_groups; g++)
        if (pr->tiling.groups[g].at < 0) {
            rg__poly_copy_in(pr, g);
            pr->group_live[g] = top = true;
        }
    if (top) rg__poly_line(pr, "__syncthreads();");
    bool whole = true; /* no block has points that are none */
    for (int d = 0; d < k->n_dims; d++) whole = whole && rg__poly_whole_blocks(pr, d);
    closed_code(pr, k->body, whole ? FULL : UNDECIDED);
    for (int d = k->n_dims - 1; d >= 0; d--)
        if (pr->tiling.coarse[k->axis[d]] == 1) point_values(pr, d, at, pr->indent);
    if (rg__poly_uses_name(pr, at, full_name(pr)))
        rg__poly_insert_line(pr, at, pr->indent, rg__poly_printf(pr, "const bool %s = %s;", full_name(pr), full.data));
    rg_buf_release(&full);
}
