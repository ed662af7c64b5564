/* What the analysis found, for people. */
#include "poly/steps/steps.h"
#include <string.h>

void rg__poly_explain_loops(struct poly_scop *s, struct rg_buf *out)
{
    for (int i = 0; i < s->n_loops; i++) {
        const struct poly_loop *l = &s->loops[i];
        char text[512];
        struct poly_conflict c = rg__poly_conflict(s, i, NULL, 0, POLY_STRICT);
        rg_buf_indent(out, 1 + l->depth);
        if (!c.found) {
            rg_buf_printf(out, "%s (line %d): parallel\n", l->name, l->node->line);
            continue;
        }
        rg__poly_conflict_text(s, i, &c, text, sizeof text);
        rg_buf_printf(out, "%s (line %d): sequential: %s\n", l->name, l->node->line, text);
    }
    for (int i = 0; i < s->n_stmts; i++) {
        const struct poly_stmt *st = &s->stmts[i];
        if (st->node->kind == RG_C_OPAQUE)
            rg_buf_printf(out, "  opaque (line %d): %s\n", st->line, st->node->why ? st->node->why : "not affine");
        if (st->red_op != POLY_OP_NONE)
            rg_buf_printf(out, "  line %d: %s-reduction of %s\n", st->line, rg__poly_op_name(st->red_op),
                          st->red_array >= 0 ? s->tree->arrays[st->red_array].name : s->tree->vars[st->red_var].name);
    }
}
