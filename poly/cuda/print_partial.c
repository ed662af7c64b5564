/* Partial sums over the grid in print: their first stage and their second, be they of all points or of each. */
#include "poly/cuda/print.h"
#include <string.h>

/* ---- two stages over the grid ---- */

static const struct poly_knode *inner_of_partial(struct poly_print *pr)
{
    return rg__poly_inner_shared(pr->p->scop, pr->k, pr->k->body->kid[0], POLY_SHARE_REDUCE);
}

void rg__poly_partial_body(struct poly_print *pr)
{
    const struct poly_knode *k = pr->k->body->kid[0], *inner = inner_of_partial(pr);
    struct poly_acc acc[16];
    int n = rg__poly_accumulators(pr->p->scop, pr->k, k->loop, acc, 16),
        before = rg__poly_open_accumulators(pr, acc, n);
    bool wide = rg_scalar_bytes(pr->t->vars[pr->s->loops[k->loop].var].type) > 4;
    if (inner) {
        rg__poly_open_brace(pr, "%s", rg__poly_dealt_header(pr, k->loop, "blockIdx.x", "gridDim.x"));
        rg__poly_unroll_line(pr, 4);
        rg__poly_open_brace(pr, "%s", rg__poly_dealt_header(pr, inner->loop, "threadIdx.x", "\1BLOCK"));
        rg__poly_thread_code(pr, inner->kid[0]);
        rg__poly_close_brace(pr);
    } else {
        if (!rg__poly_knode_has_loop(k->kid[0])) rg__poly_unroll_line(pr, 4);
        rg__poly_open_brace(pr, "%s",
                            rg__poly_dealt_header(pr, k->loop,
                                                  wide ? "(long long)blockIdx.x * \1BLOCK + threadIdx.x"
                                                       : "blockIdx.x * \1BLOCK + threadIdx.x",
                                                  wide ? "(long long)gridDim.x * \1BLOCK" : "gridDim.x * \1BLOCK"));
        rg__poly_thread_code(pr, k->kid[0]);
    }
    rg__poly_close_brace(pr);
    rg__poly_reduce_all(pr, acc, n, before);
    for (int i = 0; i < n; i++)
        rg__poly_line(pr, "if (threadIdx.x == 0) %s[blockIdx.x] = %s;", rg__poly_part_name(pr, &acc[i]),
                      pr->acc[before + i].name);
    pr->n_acc = before;
}

/* Is the grid counted by the loop itself, with a loop inside for the threads? */
static bool counts_outer(struct poly_print *pr)
{
    const struct poly_kernel *part = pr->k->form == POLY_PARTIAL ? pr->k : &pr->p->kernels[pr->k->partner];
    return rg__poly_inner_shared(pr->p->scop, pr->k, part->body->kid[0], POLY_SHARE_REDUCE) != NULL;
}

const char *rg__poly_partial_grid(struct poly_print *pr)
{
    const struct poly_print *p = pr;
    int loop = p->k->reduce_loop;
    const char *count = rg__poly_dim_count(pr, loop, true);
    if (!counts_outer(pr)) count = rg__poly_printf(pr, "ceil_div(%s, %lld)", count, (long long)pr->v.block);
    return rg__poly_printf(pr, "max(1, min(%lld, %s))", (long long)pr->v.grid, count);
}

void rg__poly_partial_buffers(struct poly_print *pr, struct rg_buf *decl)
{
    struct poly_acc acc[16];
    int n = rg__poly_accumulators(pr->p->scop, pr->k, pr->k->reduce_loop, acc, 16);
    for (int i = 0; i < n; i++) {
        const char *name = rg__poly_part_name(pr, &acc[i]);
        rg_buf_printf(decl, "%s%s *%s", decl->len ? ", " : "", rg_scalar_cuda(acc[i].type), name);
        rg__poly_given(pr, POLY_GIVEN_PART, i, name, acc[i].type, true);
    }
}

void rg__poly_partial_scratch(struct poly_print *pr, struct rg_buf *plan)
{
    struct poly_acc acc[16];
    if (pr->k->form != POLY_PARTIAL) return;
    int n = rg__poly_accumulators(pr->p->scop, pr->k, pr->k->reduce_loop, acc, 16);
    const char *size = rg__poly_printf(pr, "%lld", (long long)(pr->k->n_dims ? pr->v.split : pr->v.grid));
    pr->any_host = true;
    for (int d = 0; d < pr->k->n_dims; d++)
        size = rg__poly_printf(pr, "%s * max(1, %s)", size, rg__poly_dim_count(pr, pr->k->dims[d], true));
    pr->any_host = false;
    for (int i = 0; i < n; i++)
        rg_buf_printf(plan, "scratch %s %s[%s];\n", rg_scalar_c(acc[i].type), rg__poly_part_name(pr, &acc[i]), size);
}

void rg__poly_partial_arguments(struct poly_print *pr, struct rg_buf *decl, struct rg_buf *pass, int *n)
{
    struct poly_acc acc[16];
    bool first = pr->k->form == POLY_PARTIAL;
    if (!first && pr->k->partner < 0) return;
    int na = rg__poly_accumulators(pr->p->scop, pr->k, pr->k->reduce_loop, acc, 16);
    for (int i = 0; i < na; i++) {
        const char *name = rg__poly_part_name(pr, &acc[i]);
        rg_buf_printf(decl, "%s%s%s *__restrict__ %s", *n ? ", " : "", first ? "" : "const ",
                      rg_scalar_cuda(acc[i].type), name);
        rg_buf_printf(pass, "%s%s", *n ? ", " : "", name);
        ++*n;
    }
    if (pr->k->form == POLY_FINAL) {
        rg_buf_printf(decl, ", int %s", rg__poly_fresh(pr, "parts"));
        rg_buf_printf(pass, ", %s", rg__poly_partial_grid(pr));
    }
}

/* ---- a loop in parts over the grid ---- */

static const char *part(struct poly_print *pr)
{
    return rg__poly_printf(pr, "blockIdx.%c", "xyz"[pr->k->n_dims]);
}

/* The element of a buffer of parts that is this point's. */
static const char *part_element(struct poly_print *pr, const struct poly_acc *a, const char *which)
{
    const char *at = rg__poly_printf(pr, "(long long)%s", which);
    for (int d = 0; d < pr->k->n_dims; d++) {
        const struct poly_loop *l = &pr->s->loops[pr->k->dims[d]];
        const char *lo = rg__poly_dim_lower(pr, l->id, false), *n = rg__poly_dim_count(pr, l->id, false);
        bool zero = strcmp(lo, "0") == 0;
        at = rg__poly_printf(pr, "%s%s%s * (%s) + %s%s%s%s", d ? "(" : "", at, d ? ")" : "", n, zero ? "" : "(",
                             l->name, zero ? "" : " - ", zero ? "" : rg__poly_printf(pr, "(%s))", lo));
    }
    return rg__poly_printf(pr, "%s[%s]", rg__poly_part_name(pr, a), at);
}

void rg__poly_split_body(struct poly_print *pr)
{
    const struct poly_knode *body = pr->k->body, *k = body->kid[body->n - 1];
    const struct poly_knode *inner = rg__poly_inner_shared(pr->p->scop, pr->k, k, POLY_SHARE_REDUCE);
    const char *lane = rg__poly_lane(pr), *size = rg__poly_team_size(pr), *here = rg__poly_here(pr);
    struct poly_acc acc[16];
    rg__poly_team_lines(pr);
    rg__poly_thread_list(pr, body->kid, body->n - 1);
    int n = rg__poly_accumulators(pr->p->scop, pr->k, k->loop, acc, 16),
        before = rg__poly_open_accumulators(pr, acc, n);
    rg_buf_indent(&pr->out, pr->indent);
    rg_buf_printf(&pr->out, "// reduce.split: this block's share of loop %s\n", pr->s->loops[k->loop].name);
    if (*here) rg__poly_open_brace(pr, "if (%s)", here);
    if (inner) {
        rg__poly_open_brace(pr, "%s", rg__poly_dealt_header(pr, k->loop, part(pr), "\1SPLIT"));
        rg__poly_unroll_line(pr, 4);
        rg__poly_open_brace(pr, "%s", rg__poly_dealt_header(pr, inner->loop, lane, size));
        rg__poly_thread_code(pr, inner->kid[0]);
        rg__poly_close_brace(pr);
    } else {
        if (!rg__poly_knode_has_loop(k->kid[0])) rg__poly_unroll_line(pr, 4);
        rg__poly_open_brace(pr, "%s",
                            rg__poly_dealt_header(pr, k->loop,
                                                  rg__poly_printf(pr, "%s * %s + %s", part(pr), size, lane),
                                                  rg__poly_printf(pr, "\1SPLIT * %s", size)));
        rg__poly_thread_code(pr, k->kid[0]);
    }
    rg__poly_close_brace(pr);
    if (*here) rg__poly_close_brace(pr);
    rg__poly_reduce_all(pr, acc, n, before);
    for (int i = 0; i < n; i++)
        rg__poly_line(pr, "if (%s) %s = %s;", rg__poly_lone(pr), part_element(pr, &acc[i], part(pr)),
                      pr->acc[before + i].name);
    pr->n_acc = before;
}

void rg__poly_sum_parts(struct poly_print *pr)
{
    struct poly_acc acc[16];
    const char *b = rg__poly_fresh(pr, "b");
    int n = rg__poly_accumulators(pr->p->scop, pr->k, pr->k->reduce_loop, acc, 16),
        before = rg__poly_open_accumulators(pr, acc, n);
    rg__poly_line(pr, "#pragma unroll");
    rg__poly_open_brace(pr, "for (int %s = 0; %s < \1SPLIT; %s++)", b, b, b);
    rg__poly_take_part(pr, acc, n, before, part_element, b);
    rg__poly_close_brace(pr);
    pr->n_acc = before;
    rg__poly_take_totals(pr, acc, n, before);
}
