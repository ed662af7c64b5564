/* The tree of a body that has none: one opaque part of plain text, as a closure over the problem's arrays. */
#include "frontend/read/build_field.h"
#include "frontend/read/read.h"
#include <string.h>

bool rg__is_verbatim(const struct rg__load *l)
{
    return l->b.verbatim != NULL;
}

/* Does C see a table of pointers to rows, where kernels get one block? */
static bool by_table(const struct rg__load *l, int param)
{
    const struct rg_param *q = &l->p->params[param];
    const struct rg__origin *o = &l->b.origins[param];
    bool part = q->origin == RG_ORIGIN_GLOBAL && o->layout == RG__PART && o->pointer && q->rows;
    return q->kind == RG_PARAM_ARRAY && q->n_dims == 2 && q->dims[0] && q->dims[1] &&
           (part || (q->origin == RG_ORIGIN_ARG && q->indirect));
}

struct stores {
    struct rg__build *b;
    bool found;
    uint32_t at;
};

static bool leads_to_pointers(struct rg__build *b, CXType t)
{
    t = b->c->getCanonicalType(t);
    return rg__type_is_pointer(b->u, t) && rg__type_is_pointer(b->u, b->c->getPointeeType(t));
}

static void note_store(void *arg, CXCursor c)
{
    struct stores *s = arg;
    struct rg__build *b = s->b;
    CXCursor to;
    bool stores = false;
    if (rg__is_set_or_taken(b, c, &to)) {
        stores = rg__type_is_pointer(b->u, b->c->getCursorType(to)) && b->c->getCursorKind(to) != CXCursor_DeclRefExpr;
    } else if (b->c->getCursorKind(c) == CXCursor_CallExpr &&
               rg__unit_function(b->u, b->c->getCursorReferenced(c)) < 0) { /* a sort of rows */
        struct rg__children kids = rg__cursor_children(b->u, c, &b->p->arena);
        for (int i = 1; i < kids.n; i++)
            stores = stores || leads_to_pointers(b, b->c->getCursorType(rg__strip_parens(b, kids.items[i])));
    }
    if (!stores || s->found) return;
    s->found = true;
    s->at = rg__cursor_at(b->u, c);
}

enum rg_status rg__verbatim_rows(struct rg__load *l)
{
    struct stores s = {.b = &l->b};
    int param = -1;
    for (int k = 0; k < l->b.n_carriers; k++) {
        const char *text = "an array of structures that hold pointers";
        if (!l->b.carriers[k].array) continue;
        for (int i = 0; i < l->p->n_params; i++)
            if (l->b.origins[i].layout == RG__COLUMN && l->b.origins[i].parent == k)
                text = rg_arena_printf(&l->p->arena, "'%s', a member of structures in an array,",
                                       rg_param_shown(&l->p->params[i]));
        const struct rg__function *f = &l->unit.functions[l->function];
        return rg_error_at(
            l->err, RG_INPUT, f->file, f->line, 0,
            "%s goes to a kernel as an array of its own, for which all of the function must be followed; "
            "it is not further than line %d (%.200s)",
            text, l->b.verbatim_line, l->b.verbatim);
    }
    for (int i = 0; i < l->p->n_params && param < 0; i++) param = by_table(l, i) ? i : -1;
    for (int i = 0; i < l->unit.n_functions && param >= 0; i++)
        if ((!l->b.in_run || l->b.in_run[i]) && !l->b.c->Cursor_isNull(l->unit.functions[i].body))
            rg__cursor_walk(&l->unit, l->unit.functions[i].body, note_store, &s);
    if (!s.found) return RG_OK;
    struct rg__place at = rg__source_place(&l->unit.src, s.at);
    return rg_error_at(
        l->err, RG_INPUT, at.file, at.line, at.column,
        "a pointer is stored here, which may be one to a row of '%s': kernels get its rows as one block, "
        "and what is done to the pointers would be lost",
        rg_param_shown(&l->p->params[param]));
}

/* `void **rg_table_3`, a pointer to each row of the block at `flat`. */
static void table(const struct rg__load *l, int param, const char *flat, struct rg_buf *out)
{
    const struct rg_param *q = &l->p->params[param];
    struct rg_buf dims[2] = {RG_BUF_INIT, RG_BUF_INIT};
    for (int d = 0; d < 2; d++) rg_expr_print(&dims[d], q->dims[d], NULL, NULL);
    rg_buf_printf(
        out,
        "void **rg_table_%1$d = (void **)rg_malloc(sizeof(void *) * (unsigned long)(%2$s));\n"
        "for (long rg_r = 0; rg_r < (long)(%2$s); rg_r++) rg_table_%1$d[rg_r] = (char *)(void *)%3$s + rg_r * "
        "(long)(%4$s) * %5$lld;\n",
        param, dims[0].data, flat, dims[1].data, (long long)q->elem_bytes);
    for (int d = 0; d < 2; d++) rg_buf_release(&dims[d]);
}

/* Structures that the problem has as their members (build_flat.c), put together for text that knows nothing of that.
 * Bytes are copied: members may be const. */
static void carriers(const struct rg__load *l, bool back, struct rg_buf *out)
{
    const struct rg__build *b = &l->b;
    for (int k = 0; k < b->n_carriers && !back; k++) {
        rg_buf_printf(out, "%s rg_carrier_%d;\n", b->carriers[k].type, k);
        if (b->carriers[k].parent >= 0)
            rg_buf_printf(out, "*(void **)&rg_carrier_%d%s = &rg_carrier_%d;\n", b->carriers[k].parent,
                          b->carriers[k].path, k);
    }
    for (int i = 0; i < l->p->n_params; i++) {
        const struct rg__origin *o = &b->origins[i];
        const struct rg_param *q = &l->p->params[i];
        if (q->origin != RG_ORIGIN_GLOBAL || o->layout != RG__PART) continue;
        struct rg_buf at = RG_BUF_INIT;
        rg_buf_printf(&at, "rg_carrier_%d%s", o->parent, o->member);
        if (o->pointer && !back && by_table(l, i)) {
            table(l, i, q->name, out);
            rg_buf_printf(out, "*(void **)&%s = (void *)rg_table_%d;\n", at.data, i);
        } else if (o->pointer && !back)
            rg_buf_printf(out, "*(void **)&%s = (void *)%s;\n", at.data, q->name);
        else if (!o->pointer && q->kind == RG_PARAM_ARRAY)
            rg_buf_printf(out,
                          back ? "memcpy((void *)%2$s, (void *)&%1$s, sizeof %1$s);\n"
                               : "memcpy((void *)&%1$s, (void *)%2$s, sizeof %1$s);\n",
                          at.data, q->name);
        else if (!o->pointer && !back)
            rg_buf_printf(out, "*(%s *)&%s = %s;\n", q->c_elem, at.data, q->name);
        rg_buf_release(&at);
    }
    struct rg__children kids = rg__cursor_children(&l->unit, l->unit.functions[l->function].cursor, &l->p->arena);
    for (int i = 0, arg = 0; i < kids.n && !back; i++) {
        if (b->c->getCursorKind(kids.items[i]) != CXCursor_ParmDecl) continue;
        const struct rg__arg *x = &b->args[arg++];
        const char *name = rg__cursor_name(&l->unit, kids.items[i], &l->p->arena);
        if (x->carrier >= 0)
            rg_buf_printf(out, "%s %s%s = %srg_carrier_%d;\n", b->carriers[x->carrier].type, x->address ? "*" : "&",
                          name, x->address ? "&" : "", x->carrier);
    }
}

/* Kernels get flat pointers; the text subscripts arrays of constant rows as such. */
static void shapes(const struct rg__load *l, struct rg_buf *out)
{
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < l->p->n_params; i++) {
            const struct rg_param *q = &l->p->params[i];
            const struct rg__origin *o = &l->b.origins[i];
            const int n_dims = o->n_written ? o->n_written : q->n_dims;
            const struct rg_expr *const *sizes = o->n_written ? o->written : q->dims;
            bool rows = q->kind == RG_PARAM_ARRAY && n_dims > 1 && !q->indirect;
            if (q->origin == RG_ORIGIN_ARG && by_table(l, i)) {
                const char *type = q->elem == RG_STRUCT ? q->c_elem : rg_scalar_cuda(q->elem);
                if (!pass)
                    table(l, i, q->name, out);
                else
                    rg_buf_printf(out, "%s **%s = (%s **)rg_table_%d;\n", type, q->name, type, i);
                continue;
            }
            rows = rows && !rg__device_state_has(&l->b, i);
            for (int d = 1; rows && d < n_dims; d++) rows = sizes[d] && sizes[d]->kind == RG_EXPR_INT;
            if (!rows) continue;
            const char *type = q->elem == RG_STRUCT ? q->c_elem : rg_scalar_cuda(q->elem);
            if (!pass) {
                rg_buf_printf(out, "void *rg_flat_%d = (void *)%s;\n", i, q->name);
                continue;
            }
            struct rg_buf dims = RG_BUF_INIT;
            for (int d = 1; d < n_dims; d++) rg_buf_printf(&dims, "[%lld]", (long long)sizes[d]->value);
            rg_buf_printf(out, "%s (*%s)%s = (%s (*)%s)rg_flat_%d;\n", type, q->name, dims.data, type, dims.data, i);
            rg_buf_release(&dims);
        }
        if (!pass) rg_buf_str(out, "{\n");
    }
}

/* Does the function, or one that it may call, ask for memory? */
static bool allocates(const struct rg__load *l)
{
    bool found = false;
    for (int i = 0; i < l->unit.n_functions && !found; i++) {
        const struct rg__function *f = &l->unit.functions[i];
        if ((i != l->function && !f->called) || l->b.c->Cursor_isNull(f->body) ||
            rg__source_place(&l->unit.src, f->at).system)
            continue;
        struct rg_buf text = RG_BUF_INIT;
        rg__source_slice(&l->unit.src, f->at, f->end, &text);
        found = strstr(text.data, "alloc") != NULL;
        rg_buf_release(&text);
    }
    return found;
}

/* Rows are as long as the parameter says: no subscript tells it. */
static void row_lengths(struct rg__load *l)
{
    for (int a = 0; a < l->t->n_arrays; a++) {
        struct rg_carray *x = &l->t->arrays[a];
        const struct rg_param *q = x->param >= 0 ? &l->p->params[x->param] : NULL;
        if (!q || !q->dims || !x->dims || q->n_dims != x->n_dims) continue;
        const struct rg_expr **dims = rg_arena_alloc(&l->t->arena, (size_t)x->n_dims * sizeof *dims);
        for (int d = 0; d < x->n_dims; d++) dims[d] = d && !x->dims[d] ? q->dims[d] : x->dims[d];
        x->dims = dims;
    }
}

void rg__verbatim_tree(struct rg__load *l)
{
    struct rg_ctree *t = l->t;
    row_lengths(l);
    const struct rg__function *f = &l->unit.functions[l->function];
    struct rg_buf text = RG_BUF_INIT;
    struct rg_cnode *v = rg_cnode_new(t, RG_C_VERBATIM, 0), *o = rg_cnode_new(t, RG_C_OPAQUE, 1);
    int result = -1;
    for (int i = 0; i < l->p->n_params; i++)
        if (l->p->params[i].origin == RG_ORIGIN_RESULT) result = i;
    struct rg_buf whole = RG_BUF_INIT; /* a closure: the text may return from anywhere */
    rg__build_c_slice(&l->b, f->body, rg__cursor_at(&l->unit, f->body), rg__cursor_end(&l->unit, f->body), &text);
    rg_buf_str(&whole, "{\n");
    bool heap = allocates(l);
    for (int i = 0; i < l->p->n_params; i++) heap = heap || by_table(l, i);
    if (heap) rg_buf_str(&whole, "rg_heap_reset();\n");
    rg__device_state_find(&l->b, l->function);
    rg__device_state_enter(&l->b, &whole);
    shapes(l, &whole);
    carriers(l, false, &whole);
    rg__device_state_names(&l->b, &whole);
    for (int k = 0; k < l->b.n_args; k++) {
        const struct rg__arg *x = &l->b.args[k];
        if (x->end_of < 0) continue;
        const struct rg_param *of = &l->p->params[l->b.args[x->end_of].param];
        CXType to = l->b.c->getPointeeType(l->b.c->getCanonicalType(l->b.c->getCursorType(x->decl)));
        const char *is_const = l->b.c->isConstQualifiedType(to) ? "const " : "";
        rg_buf_printf(&whole, "%1$s%2$s *%3$s = (%1$s%2$s *)%4$s + %5$s;\n", is_const, of->c_elem,
                      l->b.origins[x->count].member, of->name, l->p->params[x->count].name);
    }
    if (result >= 0)
        rg_buf_printf(&whole, "%s[0] = [&]() -> %s\n%s();\n", l->p->params[result].name, l->p->params[result].c_elem,
                      text.data);
    else
        rg_buf_printf(&whole, "[&]()\n%s();\n", text.data);
    rg_buf_str(&whole, "}\n");
    carriers(l, true, &whole);
    rg_buf_str(&whole, "}\n");
    rg__device_state_leave(&l->b, &whole);
    rg_buf_str(&whole, "}");
    v->text = rg_arena_strdup(&t->arena, whole.data);
    rg_buf_release(&whole);
    v->line = o->line = f->line;
    o->kid[0] = v;
    o->why = rg_arena_printf(&t->arena, "line %d: %s", l->b.verbatim_line, l->b.verbatim);
    rg_buf_release(&text);
    int n = 0; /* what had been built of it goes: no variable of its own is left */
    for (int i = 0; i < t->n_vars; i++)
        if (t->vars[i].kind == RG_CVAR_PARAM) t->vars[n++] = t->vars[i];
    t->n_vars = n;
    n = 0;
    for (int i = 0; i < t->n_arrays; i++) {
        if (t->arrays[i].param < 0) continue;
        if (i == t->result_array) t->result_array = n;
        t->arrays[n++] = t->arrays[i];
    }
    t->n_arrays = n;
    t->root = rg_cnode_new(t, RG_C_BLOCK, 1);
    t->root->kid[0] = o;
}

/* Memory whose amount only the run itself knows (cells of a grid that data lay out) cannot be set aside for kernels:
 * the function then runs as it is written, with a heap of its own. */
void rg__unknown_memory(struct rg__load *l)
{
    for (int a = 0; a < l->t->n_arrays && !rg__is_verbatim(l); a++) {
        const struct rg_carray *x = &l->t->arrays[a];
        if (x->param >= 0 || x->constant_table || x->view || x->n_dims < 1 || x->dims[0] ||
            !rg__c_mentions_array(l->t->root, a))
            continue;
        const char *real = l->unstated_real;
        l->b.verbatim = real ? rg_arena_printf(&l->t->arena,
                                               "how much memory '%s' takes depends on %s; say how large it is (--input "
                                               "'%s=constant(...)')",
                                               x->name, real, real)
                             : rg_arena_printf(&l->t->arena, "how much memory '%s' takes depends on data", x->name);
        l->b.verbatim_line = l->unit.functions[l->function].line;
        rg__verbatim_tree(l);
    }
}
