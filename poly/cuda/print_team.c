/* The threads that share a point's loops, in print: their places, barriers, the point's variables; loops cut into parts
 * over the grid. */
#include "poly/cuda/print.h"
#include <string.h>

static bool column(const struct poly_print *pr)
{
    return pr->k->team == POLY_TEAM_COLUMN;
}

static bool warp(const struct poly_print *pr)
{
    return pr->k->team == POLY_TEAM_WARP;
}

const char *rg__poly_lane(struct poly_print *pr)
{
    return column(pr) ? "threadIdx.y" : warp(pr) ? rg__poly_fresh(pr, "lane") : "threadIdx.x";
}

const char *rg__poly_team_size(struct poly_print *pr)
{
    return column(pr) || warp(pr) ? "\1LANES" : "\1BLOCK";
}

const char *rg__poly_here(struct poly_print *pr)
{
    return column(pr) ? rg__poly_fresh(pr, "here") : "";
}

const char *rg__poly_lone(struct poly_print *pr)
{
    const char *here = rg__poly_here(pr);
    return rg__poly_printf(pr, "%s == 0%s%s", rg__poly_lane(pr), *here ? " && " : "", here);
}

const char *rg__poly_meet(struct poly_print *pr)
{
    return warp(pr) ? rg__poly_printf(pr, "__syncwarp(%s);", rg__poly_fresh(pr, "team")) : "__syncthreads();";
}

/* Where along its dimension the point stands, from the block's place and the thread's. */
static const char *place(struct poly_print *pr, int d)
{
    const char *b = rg__poly_block(pr, pr->k->axis[d]);
    if (pr->k->axis[d] == 0 && warp(pr))
        return rg__poly_printf(pr, "%s * (\1BLOCK / \1LANES) + threadIdx.x / \1LANES", b);
    return b;
}

static void point(struct poly_print *pr, int d)
{
    const struct poly_loop *l = &pr->s->loops[pr->k->dims[d]];
    const char *lo = rg__poly_dim_lower(pr, l->id, false), *type = rg__poly_index_type(pr, l->var), *idx = place(pr, d);
    bool sum = pr->k->axis[d] == 0 && warp(pr), wide = rg_scalar_bytes(pr->t->vars[l->var].type) > 4;
    if (wide && (l->step == 1 || l->step == -1)) /* an unsigned place must not decide the type of a sum with an int */
        idx = rg__poly_printf(pr, "(%s)(%s)", type, idx);
    if (l->step != 1 && l->step != -1)
        idx = rg__poly_printf(pr, sum ? "(%s)(%s) * %lld" : "(%s)%s * %lld", type, idx,
                              (long long)(l->step > 0 ? l->step : -l->step));
    if (strcmp(lo, "0") == 0 && l->step > 0)
        rg__poly_line(pr, "const %s %s = %s;", type, l->name, idx);
    else
        rg__poly_line(pr, "const %s %s = %s %c %s;", type, l->name, lo, l->step > 0 ? '+' : '-',
                      l->step > 0 ? idx : rg__poly_printf(pr, "(%s)(%s)", type, idx));
}

/* a < b the other way round; what has more in it in parentheses. */
static const char *negated(struct poly_print *pr, const char *condition)
{
    const char *less = strstr(condition, " < ");
    if (!less || strpbrk(condition, "&|?") || strpbrk(less + 3, "<>=")) return rg__poly_printf(pr, "!(%s)", condition);
    return rg__poly_printf(pr, "%.*s >= %s", (int)(less - condition), condition, less + 3);
}

/* Threads beyond the last column stay for the barriers, on the last point's place, and write nothing. */
static void column_point(struct poly_print *pr, int x)
{
    const struct poly_loop *l = &pr->s->loops[pr->k->dims[x]];
    const char *lo = rg__poly_dim_lower(pr, l->id, false), *type = rg__poly_index_type(pr, l->var),
               *first = rg__poly_origin(pr, l->var), *hi = rg__poly_limit(pr, l->id), *here = rg__poly_here(pr);
    rg__poly_line(pr, "const %s %s = %s%s(%s)%s * %d;", type, first, strcmp(lo, "0") ? lo : "",
                  strcmp(lo, "0") ? " + " : "", type, rg__poly_block(pr, 0), POLY_COLUMNS);
    rg__poly_line(pr, "if (%s >= %s) return;", rg__poly_signed(pr, l->id, first), hi);
    rg__poly_line(pr, "const bool %s = %s < %s;", here,
                  rg__poly_signed(pr, l->id, rg__poly_printf(pr, "%s + (%s)threadIdx.x", first, type)), hi);
    rg__poly_line(pr, "const %s %s = %s ? %s + (%s)threadIdx.x : %s - 1;", type, l->name, here, first, type, hi);
}

void rg__poly_team_lines(struct poly_print *pr)
{
    int x = -1;
    rg__poly_block_lines(pr);
    if (warp(pr)) {
        rg__poly_line(pr, "const int %s = threadIdx.x %% \1LANES;", rg__poly_lane(pr));
        rg__poly_line(pr, "const unsigned %s = (0xffffffffu >> (32 - \1LANES)) << (threadIdx.x %% 32 - %s);",
                      rg__poly_fresh(pr, "team"), rg__poly_lane(pr));
    }
    for (int d = 0; d < pr->k->n_dims; d++) {
        if (column(pr) && pr->k->axis[d] == 0)
            x = d;
        else
            point(pr, d);
    }
    const char *guard = rg__poly_guard_but(pr, x);
    if (*guard) rg__poly_line(pr, "if (%s) return;", negated(pr, guard));
    if (x >= 0) column_point(pr, x);
    rg__poly_aliases(pr);
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
