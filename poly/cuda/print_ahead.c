/* prefetch.register: a thread's loop that both loads and stores goes in chunks, whose loads all come first. The
 * compiler moves no load over a store by itself, so that without this every iteration waits for its own. */
#include "poly/cuda/print.h"
#include <stdlib.h>
#include <string.h>

int rg__poly_ahead_open(struct poly_print *pr, const struct poly_knode *k, const struct poly_access **load)
{
    if (!pr->k->ahead || pr->scan || pr->tiled || pr->n_ahead) return 0;
    bool *taken = rg_xcalloc((size_t)pr->t->n_arrays + 1, sizeof *taken);
    for (int i = 0; i < pr->n_promoted; i++) taken[pr->promoted[i].array] = true;
    for (int i = 0; i < pr->n_acc; i++)
        if (pr->acc[i].array >= 0) taken[pr->acc[i].array] = true;
    int n = rg__poly_prefetch(pr->p, pr->k, k, taken, load);
    free(taken);
    return n;
}

void rg__poly_ahead_loop(struct poly_print *pr, const struct poly_knode *k, const struct poly_access *const *load,
                         int n, int keeps)
{
    const struct poly_loop *l = &pr->s->loops[k->loop];
    long long step = l->step > 0 ? l->step : -l->step, chunk = pr->v.ahead;
    const char *v = l->name, *x = rg__poly_fresh(pr, "ahead"),
               *count =
                   pr->ahead_loops++ ? rg__poly_fresh(pr, "AHEAD_%d", pr->ahead_loops) : rg__poly_fresh(pr, "AHEAD"),
               sign = l->step > 0 ? '+' : '-';
    const char *limit = rg__poly_upper(pr, k->loop), *type = rg_scalar_cuda(pr->t->vars[l->var].type);
    const char *next =
        step == 1 ? rg__poly_printf(pr, "%s%c%c", v, sign, sign) : rg__poly_printf(pr, "%s %c= %lld", v, sign, step);
    const char *each = rg__poly_printf(pr, "for (int %s = 0; %s < %s; %s++", x, x, count, x);
    if (l->node->made) rg__poly_line(pr, "// %s", l->node->made);
    rg__poly_line(pr, "// prefetch.register: %s iterations at a time, what they load first", count);
    rg__poly_line(pr, "constexpr int %s = %lld;", count, chunk);
    rg__poly_line(pr, "%s %s = %s;", type, v, rg__poly_text(pr, l->node->kid[0]));
    /* of 64 bits: the end of a range may be that of its type */
    const char *rest =
        step == 1 ? rg__poly_printf(pr, "(%s - 1)", count) : rg__poly_printf(pr, "(%s - 1) * %lldLL", count, step);
    rg__poly_open_brace(pr, "while ((long long)%s %c %s %c %s)", v, sign, rest, l->step > 0 ? '<' : '>', limit);
    for (int i = 0; i < n; i++) {
        pr->ahead[i].access = load[i];
        pr->ahead[i].name =
            rg__poly_fresh(pr, n > 1 ? "%.60s_ahead%d" : "%.60s_ahead", rg__poly_array_name(pr, load[i]->array), i + 1);
        rg__poly_line(pr, "%s %s[%s];", rg__poly_elem_type(pr, load[i]->array), pr->ahead[i].name, count);
    }
    rg__poly_line(pr, "#pragma unroll");
    rg__poly_open_brace(pr, "%s)", each);
    int acc = pr->n_acc++; /* the loop's variable has another name there */
    pr->acc[acc].array = -1;
    pr->acc[acc].at = 0;
    pr->acc[acc].var = l->var;
    snprintf(pr->acc[acc].name, sizeof pr->acc[0].name, step == 1 ? "(%s %c %s)" : "(%s %c %s * %lld)", v, sign, x,
             step);
    for (int i = 0; i < n; i++)
        rg__poly_line(pr, "%s[%s] = %s;", pr->ahead[i].name, x, rg__poly_text(pr, load[i]->node));
    pr->n_acc = acc;
    rg__poly_close_brace(pr);
    rg__poly_line(pr, "#pragma unroll");
    rg__poly_open_brace(pr, "%s, %s)", each, next);
    pr->n_ahead = n;
    pr->ahead_index = x;
    rg__poly_iteration(pr, k, keeps);
    pr->n_ahead = 0;
    rg__poly_close_brace(pr);
    rg__poly_close_brace(pr);
    rg__poly_open_brace(pr, "for (; %s %c %s; %s)", rg__poly_signed(pr, k->loop, v), l->step > 0 ? '<' : '>', limit,
                        next);
    rg__poly_iteration(pr, k, keeps);
    rg__poly_close_brace(pr);
}

const char *rg__poly_ahead_read(struct poly_print *pr, const struct poly_access *a)
{
    for (int i = 0; i < pr->n_ahead; i++)
        if (a->read && !a->write && !a->whole && !a->member && rg__poly_same_element(pr->ahead[i].access, a))
            return rg__poly_printf(pr, "%s[%s]", pr->ahead[i].name, pr->ahead_index);
    return NULL;
}
