/* Kernel IR: smaller and larger ones of two integers that are chosen by a comparison.
 *     x = a < b ? a : b;      int t = a < b;  x = t ? a : b;
 * are min(a, b), whatever else asks t. Compilers have an instruction for that; the cicc of CUDA 13.0, given chains of
 * such choices in loops that it unrolls, takes minutes over them, or overflows its stack. Reals stay as they are: of a
 * NaN the two say different things. */
#include "ir/ctree_util.h"
#include "poly/kir/kir.h"
#include <stdlib.h>

struct choices {
    const struct kir_kernel *k;
    int *declared, *assigned;   /* [symbol] how often */
    const struct kir_node **is; /* [symbol] the one value that it is declared with; NULL */
};

static bool count(void *arg, const struct kir_node *n)
{
    struct choices *c = arg;
    if (n->symbol < 0) return true;
    if (n->kind == KIR_LET || n->kind == KIR_VAR || n->kind == KIR_FOR) c->declared[n->symbol]++;
    if (n->kind == KIR_ASSIGN || n->kind == KIR_ATOMIC) c->assigned[n->symbol]++;
    if ((n->kind == KIR_LET || n->kind == KIR_VAR) && n->n && n->kid[0]) c->is[n->symbol] = n->kid[0];
    return true;
}

/* Does the expression mean the same wherever the name that is declared with it is known? It reads no memory, and none
 * of its names changes while they are known: those live as long, or longer. */
static bool stays(const struct choices *c, const struct kir_node *n)
{
    if (n->kind == KIR_INT) return true;
    if (n->kind == KIR_NAME) return c->declared[n->symbol] <= 1 && !c->assigned[n->symbol];
    if (n->kind != KIR_UNARY && n->kind != KIR_BINARY && n->kind != KIR_CAST) return false;
    for (int i = 0; i < n->n; i++)
        if (!stays(c, n->kid[i])) return false;
    return true;
}

/* The comparison that the condition is, by name or as it stands. */
static const struct kir_node *comparison(const struct choices *c, const struct kir_node *n)
{
    if (n->kind == KIR_NAME && c->is[n->symbol] && c->declared[n->symbol] == 1 && !c->assigned[n->symbol] &&
        stays(c, c->is[n->symbol]))
        n = c->is[n->symbol];
    return n->kind == KIR_BINARY && rg_c_relation(n->op) && n->op != RG_COP_EQ && n->op != RG_COP_NE ? n : NULL;
}

/* Evaluated once as well as twice, and by whichever lanes. */
static bool plain(const struct kir_node *n)
{
    if (n->kind == KIR_SHUFFLE || n->kind == KIR_CALL || n->kind == KIR_QUOTED) return false;
    for (int i = 0; i < n->n; i++)
        if (!plain(n->kid[i])) return false;
    return true;
}

static struct kir_node *extreme(void *arg, struct kir_kernel *k, struct kir_node *n)
{
    const struct choices *c = arg;
    if (n->kind != KIR_SELECT || rg_scalar_is_real(n->type) || rg_scalar_bytes(n->type) < 4) return n;
    const struct kir_node *by = comparison(c, n->kid[0]);
    struct kir_node *a = n->kid[1], *b = n->kid[2];
    if (!by || by->kid[0]->type != n->type || by->kid[1]->type != n->type || !plain(a) || !plain(b)) return n;
    const bool as_is = rg__kir_equal(by->kid[0], a) && rg__kir_equal(by->kid[1], b),
               turned = rg__kir_equal(by->kid[0], b) && rg__kir_equal(by->kid[1], a);
    if (!as_is && !turned) return n;
    const bool below = by->op == RG_COP_LT || by->op == RG_COP_LE;
    return below == as_is ? rg__kir_min(k, a, b) : rg__kir_max(k, a, b);
}

struct kir_node *rg__kir_integer_extremes(struct kir_kernel *k, struct kir_node *n)
{
    if (rg__kir_has_opaque(n)) return n; /* the user's code may set any name */
    const size_t room = (size_t)k->n_symbols + 1;
    struct choices c = {k, rg_xcalloc(room, sizeof *c.declared), rg_xcalloc(room, sizeof *c.assigned),
                        rg_xcalloc(room, sizeof *c.is)};
    rg__kir_walk(n, count, &c);
    n = rg__kir_rewrite(k, n, extreme, &c);
    free(c.declared);
    free(c.assigned);
    free(c.is);
    return n;
}
