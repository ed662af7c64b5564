/* scan.block goes through its iterations twice: once for what they do to the carried values, once with the values they
 * start from. Long expressions that both need and that ask for no carried value are worked out the first time and kept
 * in registers. */
#include "poly/cuda/print.h"
#include "poly/kernel/recurrence.h"
#include <string.h>

enum {
    LONG = 16
}; /* plain operations: below, loads from the nearest cache and a few more operations cost less than registers */

static void keep(struct poly_print *pr, const struct rg_cnode *leaf, const struct rg_cnode *e)
{
    if (pr->n_twice == (int)(sizeof pr->twice / sizeof *pr->twice)) return;
    pr->twice[pr->n_twice].node = e;
    pr->twice[pr->n_twice].leaf = leaf;
    snprintf(pr->twice[pr->n_twice].name, sizeof pr->twice[0].name, "%s", rg__poly_fresh(pr, "kept%d", pr->n_twice));
    pr->n_twice++;
}

/* The largest such parts of an expression that is evaluated whenever its statement is. */
static void look(struct poly_print *pr, const struct poly_scan *sc, const struct rg_cnode *leaf,
                 const struct rg_cnode *e)
{
    if (!e || rg__poly_weight(pr->s, e) < LONG) return;
    bool number = !e->pointer && e->type != RG_STRUCT && e->type != RG_F16 && e->kind != RG_C_INDEX &&
                  e->kind != RG_C_VAR && e->kind != RG_C_INITLIST;
    if (number && !rg__poly_scan_mask(sc, e) && !rg__poly_has_effects(e)) {
        keep(pr, leaf, e);
        return;
    }
    bool choice = e->kind == RG_C_COND || rg_c_lazy(e->op);
    for (int i = 0; i < (choice && e->n ? 1 : e->n); i++) look(pr, sc, leaf, e->kid[i]);
}

static void look_in(struct poly_print *pr, const struct poly_scan *sc, const struct poly_knode *k)
{
    struct poly_set set;
    if (!k || k->kind == KN_LOOP) /* a value for each of its iterations */
        return;
    if (k->kind == KN_LEAF && rg__poly_set_of(k->node, &set)) look(pr, sc, k->node, set.value);
    for (int i = 0; i < k->n; i++) look_in(pr, sc, k->kid[i]);
}

void rg__poly_twice_open(struct poly_print *pr, const struct poly_scan *sc)
{
    pr->n_twice = 0;
    pr->twice_at = pr->v.items > 1 ? rg__poly_printf(pr, "[%s]", rg__poly_fresh(pr, "q")) : "";
    look_in(pr, sc, sc->part);
    for (int i = 0; i < pr->n_twice; i++)
        rg__poly_line(pr, "%s %s%s;%s", rg_scalar_cuda(pr->twice[i].node->type), pr->twice[i].name,
                      pr->v.items > 1 ? "[\1ITEMS]" : "", i ? "" : " // worked out once for both passes");
}

void rg__poly_twice_leaf(struct poly_print *pr, const struct rg_cnode *leaf)
{
    for (int i = 0; i < pr->n_twice; i++) {
        if (pr->twice[i].leaf != leaf) continue;
        int n = pr->n_twice;
        pr->n_twice = 0;
        const char *text = rg__poly_text(pr, pr->twice[i].node);
        pr->n_twice = n;
        rg__poly_line(pr, "%s%s = %s;", pr->twice[i].name, pr->twice_at, text);
    }
}

bool rg__poly_twice_read(struct poly_print *pr, struct rg_buf *out, const struct rg_cnode *e)
{
    for (int i = 0; i < pr->n_twice; i++)
        if (pr->twice[i].node == e) {
            rg_buf_printf(out, "%s%s", pr->twice[i].name, pr->twice_at);
            return true;
        }
    return false;
}
