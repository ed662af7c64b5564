/* Statements in print, with a kernel's names. */
#include "poly/cuda/print.h"
#include <string.h>

/* A number that grows with the iterations, over the one or two loops from the shared one on. */
static void select_key(struct poly_print *pr, const struct rg_cnode *n)
{
    for (int i = 0; i < pr->n_acc; i++) {
        const struct poly_select *x = pr->acc[i].at ? &pr->s->selects[pr->acc[i].at - 1] : NULL;
        if (!x || pr->s->stmts[x->best_stmt].node != n) continue;
        const struct poly_loop *in = &pr->s->loops[pr->s->stmts[x->test].loop], *out = &pr->s->loops[pr->acc[i].loop];
        const char *key =
            rg__poly_printf(pr, "%s(long long)%s", in->step < 0 ? "-" : "", rg__poly_var_name(pr, in->var));
        if (in != out)
            key = rg__poly_printf(pr, "%s(long long)%s * (1ll << 32) + %s", out->step < 0 ? "-" : "",
                                  rg__poly_var_name(pr, out->var), key);
        rg__poly_line(pr, "%s = %s ? %s : %s;", pr->acc[i].name, rg__poly_var_name(pr, x->flag), key, pr->acc[i].name);
    }
}

/* Text without a tree may name any parameter. */
static void everything_used(struct poly_print *pr)
{
    for (int v = 0; v < pr->t->n_vars; v++)
        if (pr->t->vars[v].kind == RG_CVAR_PARAM) rg__poly_var_name(pr, v);
    for (int a = 0; a < pr->t->n_arrays; a++)
        if (pr->t->arrays[a].param >= 0 && !pr->t->arrays[a].constant_table) pr->array_used[a] = true;
}

/* A type's name where C++ makes a value of it: `struct pair{1, 2}` is none. */
static const char *type_name(const char *type)
{
    return strncmp(type, "struct ", 7) ? type : type + 7;
}

void rg__poly_statement(struct poly_print *pr, const struct rg_cnode *n)
{
    select_key(pr, n);
    if (n->kind == RG_C_DECL) {
        const struct rg_cnode *init = n->n ? n->kid[0] : NULL;
        if (n->array >= 0) {
            if (pr->p->array_parts[n->array]) rg__poly_part_lines(pr, n->array);
            if (pr->p->array_scratch[n->array]) return;
            rg__poly_line(pr, "%s %s%s%s%s;", rg__poly_elem_type(pr, n->array), rg__poly_array_name(pr, n->array),
                          rg__poly_array_dims(pr, n->array), init ? " = " : "", init ? rg__poly_text(pr, init) : "");
        } else if (pr->top_decl[n->var]) {
            if (init && init->kind == RG_C_INITLIST && !init->text) /* no assignment from a list in C++ */
                rg__poly_line(pr, "%s = %s%s;", rg__poly_var_name(pr, n->var), type_name(rg__poly_var_type(pr, n->var)),
                              rg__poly_text(pr, init));
            else if (init)
                rg__poly_line(pr, "%s = %s;", rg__poly_var_name(pr, n->var), rg__poly_text(pr, init));
        } else {
            rg__poly_line(pr, "%s %s%s%s;", rg__poly_var_type(pr, n->var), pr->t->vars[n->var].name, init ? " = " : "",
                          init ? rg__poly_text(pr, init) : "");
        }
        return;
    }
    if (n->kind == RG_C_RETURN) {
        if (n->n && n->kid[0] && pr->t->result_array >= 0) {
            pr->array_used[pr->t->result_array] = true;
            rg__poly_line(pr, "%s[0] = %s;", rg__poly_array_name(pr, pr->t->result_array),
                          rg__poly_text(pr, n->kid[0]));
        }
        return;
    }
    if (rg__mentions_kind(n, RG_C_VERBATIM)) everything_used(pr);
    if (pr->t->result_array >= 0 && rg__mentions_kind(n, RG_C_RETURN)) pr->array_used[pr->t->result_array] = true;
    if (rg__poly_store_if(pr, n)) return;
    size_t before = pr->out.len;
    rg__poly_code(pr, n);
    if (pr->out.len > before && pr->out.data[pr->out.len - 1] != '\n') rg_buf_char(&pr->out, '\n');
}
