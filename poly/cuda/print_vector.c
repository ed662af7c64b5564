/* vectorize where nothing is staged: a thread has W neighbouring points; what they read and write of an array is loaded
 * and stored at once where it is aligned, and one by one where it is not and at the end of a row. */
#include "poly/cuda/print.h"
#include <string.h>

static const char *element(struct poly_print *pr, const struct poly_wide *w, const char *first)
{
    const struct poly_access *a = w->access;
    int var = pr->s->loops[pr->k->dims[pr->dim_of_axis[0]]].var, last = a->n_subs - 1;
    const char *text = "";
    for (int d = 0; d <= last; d++) {
        const char *at = d < last ? rg__poly_linear_text(pr, &a->sub[d], NULL) : first;
        if (d == last) { /* the first of the thread's points, and what is added to it */
            struct poly_linear rest = a->sub[d];
            rest.n = 0;
            for (int i = 0; i < a->sub[d].n; i++)
                if (rg__poly_dim_of_var(pr, a->sub[d].term[i].var) != rg__poly_dim_of_var(pr, var))
                    rest.term[rest.n++] = a->sub[d].term[i];
            if (rest.n || rest.k) at = rg__poly_printf(pr, "%s + %s", first, rg__poly_linear_text(pr, &rest, NULL));
        }
        bool simple = strspn(at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == strlen(at);
        if (d == 0)
            text = last == 0 ? at : rg__poly_printf(pr, simple ? "(long long)%s" : "(long long)(%s)", at);
        else
            text = rg__poly_printf(pr, d > 1 ? "(%s) * %s + %s" : "%s * %s + %s", text,
                                   rg__poly_extent(pr, a->array, d), at);
    }
    pr->array_used[a->array] = true;
    return rg__poly_printf(pr, "&%s[%s]", rg__poly_array_name(pr, a->array), text);
}

static void whole_vector(struct poly_print *pr, const struct poly_wide *refs, int n, const char *first)
{
    const struct poly_loop *l = &pr->s->loops[pr->k->dims[pr->dim_of_axis[0]]];
    const char *r = rg__poly_fresh(pr, "r%s", l->name);
    int before = pr->n_promoted, width = (int)pr->coarse[0];
    for (int i = 0; i < n; i++) {
        struct poly_register *p = &pr->promoted[before + i];
        const char *array = rg__poly_array_name(pr, refs[i].access->array),
                   *type = rg__poly_elem_type(pr, refs[i].access->array);
        *p = (struct poly_register){.array = refs[i].access->array, .indexed = true, .only = refs[i].access};
        int same = 0;
        for (int j = 0; j < i; j++) same += refs[j].access->array == p->array;
        snprintf(p->name, sizeof p->name, "%s",
                 same ? rg__poly_fresh(pr, "%.60s_v%d", array, same + 1) : rg__poly_fresh(pr, "%.60s_v", array));
        rg__poly_line(pr, "__align__(16) %s %s[\1W];", type, p->name);
        if (refs[i].read)
            rg__poly_line(pr, "*reinterpret_cast<%s%d *>(%s) = *reinterpret_cast<const %s%d *>(%s);", type, width,
                          p->name, type, width, element(pr, &refs[i], first));
    }
    rg__poly_line(pr, "#pragma unroll");
    rg__poly_open_brace(pr, "for (int %s = 0; %s < \1W; %s++)", r, r, r);
    size_t at = pr->out.len;
    rg__poly_aliases(pr);
    pr->n_promoted = before + n;
    rg__poly_thread_code(pr, pr->k->body);
    pr->n_promoted = before;
    if (rg__poly_uses_name(pr, at, l->name))
        rg__poly_insert_line(
            pr, at, pr->indent,
            rg__poly_printf(pr, "const %s %s = %s + %s;", rg__poly_index_type(pr, l->var), l->name, first, r));
    rg__poly_close_brace(pr);
    for (int i = 0; i < n; i++)
        if (refs[i].written)
            rg__poly_line(pr, "*reinterpret_cast<%s%d *>(%s) = *reinterpret_cast<const %s%d *>(%s);",
                          rg__poly_elem_type(pr, refs[i].access->array), width, element(pr, &refs[i], first),
                          rg__poly_elem_type(pr, refs[i].access->array), width, pr->promoted[before + i].name);
}

void rg__poly_wide_body(struct poly_print *pr)
{
    static const char *const axes = "xyz";
    const struct poly_kernel *k = pr->k;
    int x = pr->dim_of_axis[0], width = (int)pr->coarse[0];
    const struct poly_loop *l = &pr->s->loops[k->dims[x]];
    struct poly_wide refs[POLY_MAX_WIDE];
    int n = rg__poly_wide_references(pr->p, k, width, refs, POLY_MAX_WIDE);
    bool wide = rg_scalar_bytes(pr->t->vars[l->var].type) > 4;
    const char *first = rg__poly_origin(pr, l->var), *type = rg__poly_index_type(pr, l->var),
               *cast = wide ? rg__poly_printf(pr, "(%s)", type) : "";
    const char *lo = rg__poly_dim_lower(pr, l->id, false), *end = rg__poly_limit(pr, l->id);
    rg__poly_block_lines(pr);
    for (int d = 0; d < k->n_dims; d++)
        if (d != x) {
            const struct poly_loop *o = &pr->s->loops[k->dims[d]];
            int a = k->axis[d];
            const char *at = rg__poly_dim_lower(pr, o->id, false), *ty = rg__poly_index_type(pr, o->var);
            bool large = rg_scalar_bytes(pr->t->vars[o->var].type) > 4;
            const char *index =
                rg__poly_printf(pr, "%s%s * \1B%c + threadIdx.%c", large ? rg__poly_printf(pr, "(%s)", ty) : "",
                                rg__poly_block(pr, a), "XYZ"[a], axes[a]);
            if (o->step != 1)
                index = rg__poly_printf(pr, "(%s) * %lld", index, (long long)(o->step > 0 ? o->step : -o->step));
            rg__poly_line(pr, "const %s %s = %s%s%s;", ty, o->name, !strcmp(at, "0") && o->step > 0 ? "" : at,
                          !strcmp(at, "0") && o->step > 0 ? ""
                          : o->step > 0                   ? " + "
                                                          : " - ",
                          index);
        }
    const char *start = rg__poly_printf(pr, "%s%s(%s%s * \1BX + threadIdx.x) * \1W", strcmp(lo, "0") ? lo : "",
                                        strcmp(lo, "0") ? " + " : "", cast, rg__poly_block(pr, 0));
    int braces = 0;
    if (k->grid_stride && k->n_dims == 1) {
        if (k->unrolled && pr->v.unroll > 1) rg__poly_line(pr, "#pragma unroll %lld", (long long)pr->v.unroll);
        rg__poly_open_brace(pr, "for (%s %s = %s; %s < %s; %s += %sgridDim.x * \1BX * \1W)", type, first, start, first,
                            end, first, cast);
        braces++;
    } else {
        rg__poly_line(pr, "const %s %s = %s;", type, first, start);
        const char *others = rg__poly_guard_but(pr, x);
        if (*others) {
            rg__poly_open_brace(pr, "if (%s)", others);
            braces++;
        }
    }
    pr->open = true;
    const char *from = first, *inside = "";
    if (!rg__poly_dim_exact_lower(pr, l->id)) { /* a row may begin behind the thread's first point */
        const char *own = rg__poly_operand(pr, l->node->kid[0]);
        inside = rg__poly_printf(pr, "%s >= %s && ", first, own);
        from = rg__poly_printf(pr, "max(%s, (%s)%s)", first, type, own);
    }
    size_t bytes = 0;
    struct rg_buf at = RG_BUF_INIT;
    for (int i = 0; i < n; i++) {
        size_t b = rg_scalar_bytes(pr->t->arrays[refs[i].access->array].elem) * (size_t)width;
        bytes = b > bytes ? b : bytes;
        rg_buf_printf(&at, "%sreinterpret_cast<unsigned long long>(%s)", i ? " | " : "", element(pr, &refs[i], first));
    }
    const char *aligned = rg__poly_fresh(pr, "aligned");
    rg__poly_line(pr, n > 1 ? "const bool %s = (%s) %% %zu == 0;" : "const bool %s = %s %% %zu == 0;", aligned, at.data,
                  bytes);
    rg__poly_line(pr, "// vectorize: \1W neighbours at once where they are aligned and all there");
    rg__poly_open_brace(pr, "if (%s && %s%s + \1W <= %s)", aligned, inside, first, end);
    rg_buf_release(&at);
    whole_vector(pr, refs, n, first);
    rg_buf_indent(&pr->out, pr->indent - 1);
    rg_buf_str(&pr->out, "} else {\n");
    rg__poly_open_brace(pr, "for (%s %s = %s; %s < %s + \1W && %s < %s; %s++)", type, l->name, from, l->name, first,
                        l->name, end, l->name);
    rg__poly_aliases(pr);
    rg__poly_thread_code(pr, k->body);
    rg__poly_close_brace(pr);
    rg__poly_close_brace(pr);
    while (braces--) rg__poly_close_brace(pr);
}
