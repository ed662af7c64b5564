/* A sort in print: a kernel in which blocks sort tiles, and one that merges runs, launched twice for each factor of
 * four between a tile and all: from the array to a buffer and back (ir/device_sort.h). With dimensions each of their
 * points has the tiles of its own piece. */
#include "poly/cuda/print.h"
#include <string.h>

enum { MOST_ITEMS = 8, LEAST_BLOCK = 32 };

struct sorting {
    struct rg_csort sort;
    int64_t bytes, items;
    const char *type, *bound; /* of an element; most elements of a piece, in the plan's words */
    const char *other;        /* the buffer */
};

static const struct rg_cnode *leaf_of(const struct poly_kernel *k)
{
    const struct poly_knode *body = k->body;
    return body->kid[body->n - 1]->node;
}

static const char *bound_of(struct poly_print *pr, const struct rg_csort *sort)
{
    const struct rg_cnode *lo = sort->loop->kid[0], *hi = sort->loop->kid[1];
    bool zero = lo->kind == RG_C_INT && lo->ivalue == 0;
    bool leans = false;
    for (int d = 0; d < pr->k->n_dims; d++)
        leans = leans || rg__poly_mentions_loop(pr->s, lo, pr->k->dims[d]) ||
                rg__poly_mentions_loop(pr->s, hi, pr->k->dims[d]);
    if (!leans && rg__poly_plan_can(pr->s, lo) && rg__poly_plan_can(pr->s, hi))
        return zero ? rg__poly_plan_text(pr, hi)
                    : rg__poly_printf(pr, "(%s) - (%s)", rg__poly_plan_text(pr, hi), rg__poly_plan_text(pr, lo));
    int64_t constant;
    return rg__poly_plan_elements(&pr->arena, &pr->t->arrays[sort->element->array], &constant);
}

/* Elements of a piece at the timed size; -1 unknown. */
static int64_t timed_size(struct poly_print *pr, const char *bound)
{
    const struct rg_problem *p = pr->s->problem;
    struct rg_problem_env env;
    const struct rg_expr *e;
    int64_t n;
    if (!p->n_sizes || rg_expr_parse_all(&pr->arena, bound, &e, NULL) != RG_OK) return -1;
    rg_problem_env_init(&env, p, &p->sizes[0]);
    return rg_expr_eval(e, &env.env, &n, NULL) == RG_OK ? n : -1;
}

/* The threads and items of a tile: no more than a short piece needs, and what shared memory holds. */
static void settle(struct poly_print *pr, struct sorting *x)
{
    rg__poly_sort_of(pr->s, leaf_of(pr->k), &x->sort, &x->bytes);
    x->type = rg__poly_elem_type(pr, x->sort.element->array);
    x->bound = bound_of(pr, &x->sort);
    x->other = rg__poly_fresh(pr, "merged%d", (int)(pr->k - pr->p->kernels));
    for (x->items = MOST_ITEMS; x->items > 1 && pr->tiling.threads[0] * x->items * x->bytes > POLY_SHARED_BYTES - 64;)
        x->items /= 2;
}

void rg__poly_sort_block(struct poly_print *pr)
{
    struct sorting x;
    settle(pr, &x);
    int64_t n = timed_size(pr, x.bound), block = pr->v.block;
    while (block > LEAST_BLOCK && n >= 0 && block / 2 * MOST_ITEMS >= n) block /= 2;
    while (block > LEAST_BLOCK && block * x.bytes > POLY_SHARED_BYTES - 64) block /= 2;
    pr->v.block = pr->tiling.threads[0] = block;
}

static const char *order_text(struct poly_print *pr, const struct sorting *x)
{
    const char *s = rg__poly_printf(pr, "[&](const %s *rg_x, const %s *rg_y) { return %s(rg_x, rg_y", x->type, x->type,
                                    x->sort.order->text);
    for (int i = 0; i < x->sort.n_with; i++) s = rg__poly_printf(pr, "%s, %s", s, rg__poly_text(pr, x->sort.with[i]));
    return rg__poly_printf(pr, "%s); }", s);
}

/* The point and tile of the block, and where its piece begins and how long it is. */
static void piece_lines(struct poly_print *pr, const struct sorting *x)
{
    const struct poly_kernel *k = pr->k;
    const char *point = rg__poly_fresh(pr, "point"), *tiles = rg__poly_fresh(pr, "tiles"),
               *tile = rg__poly_fresh(pr, "tile");
    if (k->n_dims)
        rg__poly_line(pr, "const unsigned %s = blockIdx.x / %s, %s = blockIdx.x %% %s;", point, tiles, tile, tiles);
    else
        rg__poly_line(pr, "const unsigned %s = blockIdx.x;", tile);
    for (int d = k->n_dims - 1; d >= 0; d--) {
        const struct poly_loop *l = &pr->s->loops[k->dims[d]];
        const char *at = point;
        for (int e = d + 1; e < k->n_dims; e++)
            at = rg__poly_printf(pr, "%s / (%s)", at, rg__poly_dim_count(pr, k->dims[e], false));
        if (d) at = rg__poly_printf(pr, "%s %% (%s)", at, rg__poly_dim_count(pr, k->dims[d], false));
        const char *type = rg__poly_index_type(pr, l->var);
        rg__poly_line(pr, "const %s %s = %s + (%s)(%s) * %lld;", type, l->name, rg__poly_addend(pr, l->node->kid[0]),
                      type, at, (long long)l->step);
    }
    rg__poly_thread_list(pr, k->body->kid, k->body->n - 1); /* what is computed again */
    const char *var = rg__poly_var_name(pr, x->sort.loop->var);
    rg__poly_line(pr, "const long long %s = %s;", var, rg__poly_text(pr, x->sort.loop->kid[0]));
    rg__poly_line(pr, "%s *%s = &%s;", x->type, rg__poly_fresh(pr, "piece"), rg__poly_text(pr, x->sort.element));
    rg__poly_line(pr, "const long long %s = (long long)%s - %s;", rg__poly_fresh(pr, "length"),
                  rg__poly_operand(pr, x->sort.loop->kid[1]), var);
    rg__poly_line(pr, "__shared__ %s %s[\1BLOCK * %lld];", x->type, rg__poly_fresh(pr, "room"), (long long)x->items);
}

void rg__poly_sort_body(struct poly_print *pr)
{
    struct sorting x;
    settle(pr, &x);
    if (pr->tiling.threads[0] * x.items * x.bytes > POLY_SHARED_BYTES - 64) {
        rg_error_set(pr->err, RG_INPUT, "a block of %lld threads cannot hold an element for each in shared memory",
                     (long long)pr->tiling.threads[0]);
        pr->failed = true;
    }
    piece_lines(pr, &x);
    rg__poly_line(pr, "rg_sort_tile<\1BLOCK, %lld>(%s, %s, %s, %s, %s);", (long long)x.items,
                  rg__poly_fresh(pr, "piece"), rg__poly_fresh(pr, "length"), rg__poly_fresh(pr, "tile"),
                  rg__poly_fresh(pr, "room"), order_text(pr, &x));
}

void rg__poly_merge_body(struct poly_print *pr)
{
    struct sorting x;
    settle(pr, &x);
    piece_lines(pr, &x);
    const char *piece = rg__poly_fresh(pr, "piece"), *mine = rg__poly_fresh(pr, "copy");
    /* the buffer has the array's places */
    rg__poly_line(pr, "%s *%s = %s + (%s - %s);", x.type, mine, x.other, piece,
                  rg__poly_array_name(pr, x.sort.element->array));
    rg__poly_line(pr, "rg_merge_tile<\1BLOCK, %lld>(%s ? %s : %s, %s ? %s : %s, %s, %s, %s, %s, %s);",
                  (long long)x.items, rg__poly_fresh(pr, "back"), mine, piece, rg__poly_fresh(pr, "back"), piece, mine,
                  rg__poly_fresh(pr, "length"), rg__poly_fresh(pr, "run"), rg__poly_fresh(pr, "tile"),
                  rg__poly_fresh(pr, "room"), order_text(pr, &x));
}

/* Behind what the body needs: the tiles of a point; for the merges the buffer, the length of runs and the direction. */
void rg__poly_sort_parameters(struct poly_print *pr, bool merge, struct rg_buf *decl)
{
    struct sorting x;
    settle(pr, &x);
    if (pr->k->n_dims) rg_buf_printf(decl, "%sunsigned %s", decl->len ? ", " : "", rg__poly_fresh(pr, "tiles"));
    if (merge)
        rg_buf_printf(decl, ", %s *%s, long long %s, int %s", x.type, x.other, rg__poly_fresh(pr, "run"),
                      rg__poly_fresh(pr, "back"));
}

void rg__poly_sort_scratch(struct poly_print *pr, struct rg_buf *plan)
{
    struct sorting x;
    int64_t constant;
    if (pr->k->form != POLY_SORT) return;
    settle(pr, &x);
    const struct rg_carray *a = &pr->t->arrays[x.sort.element->array];
    rg_buf_printf(plan, "scratch %s %s[max(1, %s)];\n", a->elem == RG_STRUCT ? a->c_elem : rg_scalar_c(a->elem),
                  x.other, rg__poly_plan_elements(&pr->arena, a, &constant));
}

void rg__poly_sort_launch(struct poly_print *pr, const char *pass, struct rg_buf *plan, int indent)
{
    struct sorting x;
    settle(pr, &x);
    const struct poly_kernel *k = pr->k;
    long long block = (long long)pr->tiling.threads[0], size = block * (long long)x.items;
    const char *run = rg__poly_fresh(pr, "run%d", (int)(k - pr->p->kernels));
    const char *tiles = rg__poly_printf(pr, "max(1, ceil_div(%s, %lld))", x.bound, size), *grid = tiles;
    for (int d = 0; d < k->n_dims; d++)
        grid = rg__poly_printf(pr, "%s * max(1, %s)", grid, rg__poly_dim_count(pr, k->dims[d], true));
    const char *with = k->n_dims ? rg__poly_printf(pr, "%s%s", *pass ? ", " : "", tiles) : "";
    rg_buf_indent(plan, indent);
    rg_buf_printf(plan, "%s<<<%s, %lld>>>(%s%s);\n", k->name, grid, block, pass, with);
    rg_buf_indent(plan, indent);
    rg_buf_printf(plan, "for (int %s = %lld; %s < %s; %s *= 4) {\n", run, size, run, x.bound, run);
    for (int back = 0; back < 2; back++) {
        rg_buf_indent(plan, indent + 1);
        rg_buf_printf(plan, "%s_merge<<<%s, %lld>>>(%s%s, %s, %s%s, %d);\n", k->name, grid, block, pass, with, x.other,
                      run, back ? " * 2" : "", back);
    }
    rg_buf_indent(plan, indent);
    rg_buf_str(plan, "}\n");
}
