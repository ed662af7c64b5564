/* The comment above a kernel: the steps that made it what it is. */
#include "poly/kernel/kernel.h"
#include <string.h>

/* Steps that gave the loops of the grid, or those around its launches, their places: each said once. */
static void orders(const struct poly_scop *s, const struct poly_kernel *k, struct rg_buf *b)
{
    int loops[POLY_MAX_DEPTH + 27], n = 0;
    for (int h = 0; h < k->n_host; h++) loops[n++] = k->host[h];
    for (int d = 0; d < k->n_dims; d++) loops[n++] = k->dims[d];
    for (int a = 0; a < k->n_alias; a++) loops[n++] = k->alias[a].loop;
    for (int i = 0; i < n; i++) {
        const char *made = s->loops[loops[i]].node->made;
        for (int j = 0; j < i && made; j++)
            if (s->loops[loops[j]].node->made && !strcmp(s->loops[loops[j]].node->made, made)) made = NULL;
        if (made) rg_buf_printf(b, "; %s", made);
    }
}

/* The dimension's variable, without the number that keeps variables of the function's loops apart where the kernel has
 * no other of that name. */
static const char *dim_name(const struct poly_scop *s, const struct poly_kernel *k, int dim, struct rg_arena *a)
{
    const char *name = s->loops[k->dims[dim]].name, *at = strrchr(name, '_');
    size_t n = at ? (size_t)(at - name) : 0;
    bool known = false;
    if (!n || !at[1] || strspn(at + 1, "0123456789") != strlen(at + 1)) return name;
    for (int v = 0; v < s->tree->n_vars; v++)
        known = known || (strlen(s->tree->vars[v].name) == n && !strncmp(s->tree->vars[v].name, name, n));
    for (int d = 0; d < k->n_dims; d++) {
        const char *other = s->loops[k->dims[d]].name;
        known = known && (d == dim || strncmp(other, name, n) || (other[n] && other[n] != '_'));
    }
    return known ? rg_arena_printf(a, "%.*s", (int)n, name) : name;
}

const char *rg__poly_heading(const struct poly_program *p, const struct poly_kernel *k, const struct poly_values *v,
                             struct rg_arena *a)
{
    const struct poly_scop *s = p->scop;
    static const char *const what[] = {
        [POLY_BLOCK] = "reduce.block: a block for each",
        [POLY_PARTIAL] = "reduce.block: partial results of",
        [POLY_FINAL] = "reduce.block: combines what the blocks found",
        [POLY_SORT] = "sort: blocks sort tiles, then merge runs of them",
        [POLY_SCAN_TOTALS] = "scan.block: what each warp's piece of the iterations does to what the loop carries",
        [POLY_SCAN_OFFSETS] = "scan.block: what each piece starts from",
        [POLY_SCAN_APPLY] = "scan.block: the loop, each piece from what it starts from"};
    struct rg_buf b = RG_BUF_INIT;
    struct rg_lone lone;
    if (rg__poly_one_thread(p, k, &lone))
        rg_buf_printf(&b, "one thread: %s", lone.reason);
    else if (k->form == POLY_THREADS) {
        rg_buf_str(&b, "parallelize: a thread for each");
        for (int d = 0; d < k->n_dims; d++) rg_buf_printf(&b, "%s %s", d ? "," : "", dim_name(s, k, d, a));
        int d = rg__poly_dim_of_axis(k, 0);
        if (k->coalesced && d >= 0)
            rg_buf_printf(&b, "; coalesce: neighbouring threads take neighbouring %s", dim_name(s, k, d, a));
        if (k->partner >= 0)
            rg_buf_printf(&b, "; reduce.split: adds the parts of loop %s", s->loops[k->reduce_loop].name);
        if (k->wide)
            rg_buf_printf(&b, "; vectorize: %lld neighbouring %s a thread", (long long)rg__poly_width(k, v),
                          dim_name(s, k, d, a));
        if (k->readonly) rg_buf_str(&b, "; readonly: what nothing writes through __ldg");
        if (k->coarsened)
            rg_buf_printf(&b, "; coarsen.register: %lld points a thread",
                          (long long)(v->rx * (k->n_dims > 1 ? v->ry : 1)));
    } else {
        rg_buf_str(&b, what[k->form]);
        if (k->form == POLY_SORT && k->n_dims) rg_buf_str(&b, ", a piece for each");
        for (int d = 0; d < k->n_dims; d++) rg_buf_printf(&b, "%s %s", d ? "," : "", s->loops[k->dims[d]].name);
        if (k->resident) {
            rg_buf_reset(&b);
            rg_buf_str(&b,
                       "resident.block: one block goes through the loop, its threads share what each iteration has");
        } else if (k->form == POLY_BLOCK && k->n_dims == 0) {
            rg_buf_reset(&b);
            rg_buf_str(&b, k->n_scans ? "scan.block: one block shares the inner loops"
                                      : "reduce.block: one block shares the inner loops");
        } else if (k->form == POLY_BLOCK && (k->n_scans || k->shares)) {
            rg_buf_reset(&b);
            rg_buf_str(&b, k->n_scans ? "scan.block: a block for each" : "share.block: a block for each");
            for (int d = 0; d < k->n_dims; d++) rg_buf_printf(&b, "%s %s", d ? "," : "", s->loops[k->dims[d]].name);
        }
        if (k->form == POLY_PARTIAL)
            rg_buf_printf(&b, k->n_dims ? "; reduce.split: SPLIT parts of loop %s" : " loop %s, one for each block",
                          s->loops[k->reduce_loop].name);
        if (k->team == POLY_TEAM_COLUMN)
            rg_buf_printf(&b, "; %d points side by side, the threads along y share one", POLY_COLUMNS);
        if (k->team == POLY_TEAM_WARP && k->form == POLY_BLOCK) {
            rg_buf_reset(&b);
            rg_buf_str(&b, "row.warp: LANES threads of a warp for each");
            for (int d = 0; d < k->n_dims; d++) rg_buf_printf(&b, "%s %s", d ? "," : "", s->loops[k->dims[d]].name);
        } else if (k->team == POLY_TEAM_WARP) {
            rg_buf_str(&b, "; row.warp: LANES threads of a warp share one");
        }
    }
    if (k->grid_stride && k->n_dims == 1 && k->form == POLY_THREADS)
        rg_buf_str(&b, "; grid.stride: each thread takes points a grid apart");
    if (k->unrolled && v->unroll > 1)
        rg_buf_printf(&b, "; unroll: loops without others inside, %lld iterations at once", (long long)v->unroll);
    if (k->launch_bounds && v->min_blocks > 0)
        rg_buf_printf(&b, "; launch.bounds: registers for %lld blocks on a multiprocessor", (long long)v->min_blocks);
    orders(s, k, &b);
    const char *text =
        rg_arena_printf(a, "%s%s", k->region ? "a phase; blockIdx and gridDim are its launch's: " : "", b.data);
    rg_buf_release(&b);
    return text;
}
