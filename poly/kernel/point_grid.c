/* The launch of a kernel over points, in kernel IR: how many blocks, numbered along the axes of the dimensions or along
 * x alone, the loops over them and their threads, the guard. */
#include "poly/kernel/point_grid.h"

enum { MOST_BLOCKS = 65535 /* along y or z */ };

const struct poly_loop *rg__poly_grid_loop(const struct poly_grid *g, int dim)
{
    return &g->p->scop->loops[g->kernel->dims[dim]];
}

enum rg_scalar rg__poly_grid_index_type(const struct poly_grid *g, const struct poly_loop *l)
{
    enum rg_scalar t = g->p->scop->tree->vars[l->var].type;
    return rg_scalar_bytes(t) < 4 ? RG_I32 : t;
}

static void choose_grid(struct poly_grid *g)
{
    const struct rg_problem *p = g->p->scop->problem;
    for (int a = 1; a < g->kernel->n_dims; a++)
        for (int s = 0; s < p->n_sizes && !g->flat; s++) {
            struct rg_problem_env env;
            int64_t n;
            rg_problem_env_init(&env, p, &p->sizes[s]);
            /* host loops' variables are unknown here: such an extent is taken to be small */
            g->flat = rg__poly_kir_value(g->k, g->blocks[a], &env, &n) && n > MOST_BLOCKS;
        }
}

bool rg__poly_grid_count(struct poly_grid *g)
{
    int n = g->kernel->n_dims;
    for (int d = 0; d < n; d++) {
        int a = g->kernel->axis[d];
        struct kir_node *most = rg__poly_kir_most(g->p, g->kernel, g->t->names, d, RG_LLONG);
        if (!most) return false;
        g->blocks[a] = rg__kir_ceil_div(g->k, most, g->per[a]);
    }
    if (!n) g->blocks[0] = rg__kir_int(g->k, 1);
    g->flat = g->kernel->region && n > 1; /* one number, which resident blocks count through */
    choose_grid(g);
    if (g->parts) g->blocks[n] = rg__kir_int(g->k, g->parts);
    return true;
}

/* The blocks' places where all are numbered along x. */
static bool unfold(struct poly_grid *g, struct kir_node *seq, int number)
{
    static const char *const counts[] = {"grid_x", "grid_y"}, *const names[] = {"bx", "by", "bz"};
    struct kir_kernel *k = g->k;
    struct kir_node *rest = rg__kir_cast(k, RG_U32, rg__kir_name(k, number)); /* unsigned: it divides faster */
    int n = g->kernel->n_dims + (g->parts > 0);
    for (int a = 0; a < n; a++) {
        int at = rg__kir_value(k, names[a], RG_I32);
        if (a + 1 < n) {
            struct kir_node *most =
                rg__poly_kir_most(g->p, g->kernel, g->t->names, rg__poly_dim_of_axis(g->kernel, a), RG_I32);
            int count = rg__kir_value(k, counts[a], RG_U32);
            if (!most) return false;
            most = rg__kir_max(k, rg__kir_int(k, 1), rg__kir_ceil_div(k, rg__kir_cast(k, RG_I32, most), g->per[a]));
            rg__kir_add_to(k, seq, rg__kir_let(k, count, rg__kir_cast(k, RG_U32, most)));
            struct kir_node *size = rg__kir_name(k, count);
            rg__kir_add_to(k, seq, rg__kir_let(k, at, rg__kir_cast(k, RG_I32, rg__kir_rem(k, rest, size))));
            rest = rg__kir_div(k, rest, size);
        } else {
            rg__kir_add_to(k, seq, rg__kir_let(k, at, rg__kir_cast(k, RG_I32, rest)));
        }
        g->place[a] = rg__kir_name(k, at);
    }
    return true;
}

struct kir_node *rg__poly_grid_launch(struct poly_grid *g, int64_t most_blocks)
{
    static const char *const blocks[] = {"bx", "by", "bz"}, *const threads[] = {"tx", "ty", "tz"};
    struct kir_kernel *k = g->k;
    struct kir_node *in = NULL;
    int number = -1, n = g->kernel->n_dims + (g->parts > 0);
    for (int round = 0; round < 2; round++)
        for (int a = 2; a >= 0; a--) {
            if (round ? !g->side[a] : !g->blocks[a] || (g->flat && a)) continue;
            int symbol = rg__kir_index(k, round ? threads[a] : g->flat ? "block" : blocks[a], RG_I32);
            struct kir_node *loop = rg__kir_for(k, (round ? KIR_BLOCK_X : KIR_GRID_X) + a, symbol, rg__kir_int(k, 1));
            if (round) {
                g->tx[a] = symbol;
                loop->kid[1] = g->side[a];
            } else {
                loop->kid[1] = g->blocks[a];
                for (int o = 1; g->flat && o < n; o++)
                    loop->kid[1] = rg__kir_mul(k, rg__kir_max(k, rg__kir_int(k, 1), loop->kid[1]),
                                               rg__kir_max(k, rg__kir_int(k, 1), g->blocks[o]));
                if (most_blocks) loop->kid[1] = rg__kir_min(k, rg__kir_int(k, most_blocks), loop->kid[1]);
                g->place[a] = rg__kir_name(k, number = symbol);
            }
            if (in)
                rg__kir_add_to(k, in, loop);
            else
                k->body = loop;
            in = rg__kir_body(loop);
        }
    return !g->flat || unfold(g, in, number) ? in : NULL;
}

void rg__poly_grid_bind(struct poly_grid *g, int dim, struct kir_node *value)
{
    const struct poly_scop *s = g->p->scop;
    rg__kir_bind(g->t->names, rg__poly_grid_loop(g, dim)->var, value);
    for (int a = 0; a < g->kernel->n_alias; a++)
        if (g->kernel->alias[a].dim == dim) rg__kir_bind(g->t->names, s->loops[g->kernel->alias[a].loop].var, value);
}

/* Do whole blocks cover the dimension: is each of their points one of it? */
static bool whole_blocks(struct poly_grid *g, int dim)
{
    int64_t n;
    struct kir_node *most = rg__poly_kir_most(g->p, g->kernel, g->t->names, dim, RG_LLONG);
    const struct poly_loop *l = rg__poly_grid_loop(g, dim);
    for (int d = 0; d < g->kernel->n_dims; d++)
        if (rg__poly_mentions_loop(g->p->scop, l->node->kid[0], g->kernel->dims[d])) return false;
    return most && rg__poly_kir_value(g->k, most, NULL, &n) && n > 0 && n % g->per[g->kernel->axis[dim]] == 0;
}

bool rg__poly_grid_inside(struct poly_grid *g, int dim, struct kir_node **when)
{
    struct kir_kernel *k = g->k;
    struct kir_names *names = g->t->names;
    const struct poly_loop *l = rg__poly_grid_loop(g, dim);
    struct kir_node *i = names->var[l->var], *first, *end;
    if (whole_blocks(g, dim)) return true;
    if (!rg__poly_starts_exactly(g->p, g->kernel, dim)) {
        if (!(first = rg__kir_of(names, l->node->kid[0]))) return false;
        *when = rg__kir_and(k, *when, rg__kir_binary(k, l->step > 0 ? RG_COP_GE : RG_COP_LE, i, first));
    }
    if (!(end = rg__poly_kir_end(g->p->scop, names, l))) return false;
    *when = rg__kir_and(k, *when, rg__kir_binary(k, l->step > 0 ? RG_COP_LT : RG_COP_GT, i, end));
    return true;
}

void rg__poly_share_places(const struct poly_program *p, const struct poly_kernel *kernel, struct poly_thread *t)
{
    for (int i = 0; i < t->k->n_symbols; i++) t->k->symbols[i].alone = false;
    for (int a = 0; a < p->scop->tree->n_arrays; a++) {
        int s = t->names->buffer[a];
        bool written = false;
        if (s < 0) continue;
        rg__poly_knode_uses_array(p->scop, kernel->body, a, &written);
        t->k->symbols[s].alone = !written && !rg__poly_written_beside(p, kernel, a) &&
                                 !(p->scop->tree->arrays[a].param >= 0 && p->scop->problem->may_alias);
    }
}
