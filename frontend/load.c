#include "frontend/emit/emit.h"
#include "frontend/infer/infer.h"
#include "frontend/normalise/passes.h"
#include "frontend/read/select.h"
#include <rg/file.h>
#include <stdlib.h>
#include <string.h>

static bool is_verbatim(const struct rg__load *l)
{
    return l->b.verbatim != NULL;
}

/* The tree of a body that has none: one opaque part of plain text. */
/* Structures that the problem has as their members (build_flat.c), put together for text that knows nothing of that. Bytes are copied: members
 * may be const. */
static void carriers(const struct rg__load *l, bool back, struct rg_buf *out)
{
    const struct rg__build *b = &l->b;
    for (int k = 0; k < b->n_carriers && !back; k++) {
        rg_buf_printf(out, "%s rg_carrier_%d;\n", b->carriers[k].type, k);
        if (b->carriers[k].parent >= 0)
            rg_buf_printf(out, "*(void **)&rg_carrier_%d%s = &rg_carrier_%d;\n", b->carriers[k].parent, b->carriers[k].path, k);
    }
    for (int i = 0; i < l->p->n_params; i++) {
        const struct rg__origin *o = &b->origins[i];
        const struct rg_param *q = &l->p->params[i];
        if (q->origin != RG_ORIGIN_GLOBAL || o->layout != RG__PART) continue;
        struct rg_buf at = RG_BUF_INIT;
        rg_buf_printf(&at, "rg_carrier_%d%s", o->parent, o->member);
        if (o->pointer && !back) rg_buf_printf(out, "*(void **)&%s = (void *)%s;\n", at.data, q->name);
        else if (!o->pointer && q->kind == RG_PARAM_ARRAY)
            rg_buf_printf(out, back ? "memcpy((void *)%2$s, (void *)&%1$s, sizeof %1$s);\n" : "memcpy((void *)&%1$s, (void *)%2$s, sizeof %1$s);\n", at.data, q->name);
        else if (!o->pointer && !back) rg_buf_printf(out, "*(%s *)&%s = %s;\n", q->c_elem, at.data, q->name);
        rg_buf_release(&at);
    }
    struct rg__children kids = rg__cursor_children(&l->unit, l->unit.functions[l->function].cursor, &l->p->arena);
    for (int i = 0, arg = 0; i < kids.n && !back; i++) {
        if (b->c->getCursorKind(kids.items[i]) != CXCursor_ParmDecl) continue;
        const struct rg__arg *x = &b->args[arg++];
        const char *name = rg__cursor_name(&l->unit, kids.items[i], &l->p->arena);
        if (x->carrier >= 0) rg_buf_printf(out, "%s %s%s = %srg_carrier_%d;\n", b->carriers[x->carrier].type, x->address ? "*" : "&", name, x->address ? "&" : "", x->carrier);
    }
}

/* Kernels get flat pointers; the text subscripts arrays of constant rows as such. */
static void shapes(const struct rg__load *l, struct rg_buf *out)
{
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < l->p->n_params; i++) {
            const struct rg_param *q = &l->p->params[i];
            bool rows = q->kind == RG_PARAM_ARRAY && q->n_dims > 1 && !q->indirect;
            rows = rows && !rg__device_state_has(&l->b, i);
            for (int d = 1; rows && d < q->n_dims; d++) rows = q->dims[d] && q->dims[d]->kind == RG_EXPR_INT;
            if (!rows) continue;
            const char *type = q->elem == RG_STRUCT ? q->c_elem : rg_scalar_cuda(q->elem);
            if (!pass) {
                rg_buf_printf(out, "void *rg_flat_%d = (void *)%s;\n", i, q->name);
                continue;
            }
            struct rg_buf dims = RG_BUF_INIT;
            for (int d = 1; d < q->n_dims; d++) rg_buf_printf(&dims, "[%lld]", (long long)q->dims[d]->value);
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
        if ((i != l->function && !f->called) || l->b.c->Cursor_isNull(f->body) || rg__source_place(&l->unit.src, f->at).system) continue;
        struct rg_buf text = RG_BUF_INIT;
        rg__source_slice(&l->unit.src, f->at, f->end, &text);
        found = strstr(text.data, "alloc") != NULL;
        rg_buf_release(&text);
    }
    return found;
}

static void verbatim_tree(struct rg__load *l)
{
    struct rg_ctree *t = l->t;
    const struct rg__function *f = &l->unit.functions[l->function];
    struct rg_buf text = RG_BUF_INIT;
    struct rg_cnode *v = rg_cnode_new(t, RG_C_VERBATIM, 0), *o = rg_cnode_new(t, RG_C_OPAQUE, 1);
    int result = -1;
    for (int i = 0; i < l->p->n_params; i++)
        if (l->p->params[i].origin == RG_ORIGIN_RESULT) result = i;
    struct rg_buf whole = RG_BUF_INIT; /* a closure: the text may return from anywhere */
    rg__build_c_slice(&l->b, f->body, rg__cursor_at(&l->unit, f->body), rg__cursor_end(&l->unit, f->body), &text);
    rg_buf_str(&whole, "{\n");
    if (allocates(l)) rg_buf_str(&whole, "rg_heap_reset();\n");
    rg__device_state_find(&l->b, l->function);
    rg__device_state_enter(&l->b, &whole);
    shapes(l, &whole);
    carriers(l, false, &whole);
    rg__device_state_names(&l->b, &whole);
    if (result >= 0) rg_buf_printf(&whole, "%s[0] = [&]() -> %s\n%s();\n", l->p->params[result].name, l->p->params[result].c_elem, text.data);
    else rg_buf_printf(&whole, "[&]()\n%s();\n", text.data);
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

static enum rg_status build(struct rg__load *l)
{
    struct rg__build *b = &l->b;
    const struct rg__function *f = &l->unit.functions[l->function];
    l->t = rg_xcalloc(1, sizeof *l->t);
    l->t->result_array = -1;
    l->t->root = rg_cnode_new(l->t, RG_C_BLOCK, 0);
    b->u = &l->unit;
    b->c = l->unit.c;
    b->p = l->p;
    b->t = l->t;
    b->err = l->err;
    b->root = b;
    b->return_var = -2;
    b->scope = f->body;
    b->helper_decls = rg_xcalloc(1, sizeof *b->helper_decls);
    rg_buf_init(b->helper_decls);
    b->helper_of = rg_xcalloc((size_t)l->unit.n_functions + 1, sizeof *b->helper_of);
    b->helper_why = rg_xcalloc((size_t)l->unit.n_functions + 1, sizeof *b->helper_why);
    b->c_written = rg_xcalloc((size_t)l->unit.n_functions + 1, sizeof *b->c_written);
    for (int i = 0; i < l->unit.n_functions; i++) b->helper_of[i] = -1;
    int init = -1;
    for (int i = 0; i < l->dirs.n; i++)
        if (l->dirs.items[i].kind == RG__DIR_INIT) init = rg__unit_function_named(&l->unit, l->dirs.items[i].text);
    rg__scan_written(b, l->function, init);
    b->inlining[b->n_inlining++] = l->function; /* a call of the function itself is no helper call */
    b->helper_of[l->function] = -3;
    b->helper_why[l->function] = "it calls itself";
    struct rg__kids prologue = {0};
    b->prologue = &prologue;
    enum rg_status st = rg__build_params(b, f);
    if (st != RG_OK) {
        free(prologue.items);
        return st;
    }
    /* pointer parameters that move get an offset of their own */
    int n_params = l->p->n_params;
    struct rg__children kids = rg__cursor_children(&l->unit, f->cursor, &l->p->arena);
    for (int i = 0; i < kids.n; i++) {
        if (b->c->getCursorKind(kids.items[i]) != CXCursor_ParmDecl) continue;
        uint32_t key = rg__decl_key(&l->unit, kids.items[i]);
        struct rg__sym *s = rg__sym_find(b, key);
        if (!s || s->kind != RG__SYM_ARRAY || !rg__is_written(b, key)) continue;
        int array = s->array;
        if (l->p->params[l->t->arrays[array].param].n_dims != 1) continue;
        CXCursor root = rg__pointer_root(b, f->body, kids.items[i]);
        if (b->c->Cursor_isNull(root) || rg__decl_key(&l->unit, root) != key) continue;
        int off = rg__c_add_var(l->t, rg_arena_printf(&l->t->arena, "%s_at", l->t->arrays[array].name), RG_CVAR_LOCAL,
                                RG_LONG);
        struct rg_cnode *d = rg_cnode_new(l->t, RG_C_DECL, 1);
        d->var = off;
        d->type = RG_LONG;
        d->kid[0] = rg__c_int(l->t, 0);
        rg__kids_add(&prologue, d);
        s = rg__sym_find(b, key);
        s->kind = RG__SYM_ALIAS;
        s->off_var = off;
        s->n_rows = 0;
    }
    (void)n_params;
    struct rg_cnode *body = rg__build_block(b, f->body);
    struct rg__kids all = {0};
    for (int i = 0; i < prologue.n; i++) rg__kids_add(&all, prologue.items[i]);
    for (int i = 0; i < body->n; i++) rg__kids_add(&all, body->kid[i]);
    free(prologue.items);
    b->prologue = NULL;
    l->t->root = rg__kids_node(l->t, RG_C_BLOCK, &all);
    int line = 0;
    const char *jump = b->verbatim ? NULL : rg__structure_jumps(l->t, l->t->root, &line);
    if (jump) b->verbatim = jump, b->verbatim_line = line;
    return b->refused ? RG_INPUT : RG_OK;
}

/* Memory whose amount only the run itself knows (cells of a grid that data lay out) cannot be set aside for kernels: the
 * function then runs as it is written, with a heap of its own. */
static void unknown_memory(struct rg__load *l)
{
    for (int a = 0; a < l->t->n_arrays && !is_verbatim(l); a++) {
        const struct rg_carray *x = &l->t->arrays[a];
        if (x->param >= 0 || x->constant_table || !x->mallocd || x->dims[0] || !rg__c_mentions_array(l->t->root, a)) continue;
        l->b.verbatim = rg_arena_printf(&l->t->arena, "how much memory '%s' takes depends on data", x->name);
        l->b.verbatim_line = l->unit.functions[l->function].line;
        verbatim_tree(l);
    }
}

static enum rg_status has_output(struct rg__load *l)
{
    const struct rg_problem *p = l->p;
    for (int i = 0; i < p->n_params; i++)
        if (p->params[i].kind == RG_PARAM_ARRAY && p->params[i].role != RG_ROLE_IN) return RG_OK;
    if (p->allow_trivial) return RG_OK;
    return rg_error_at(l->err, RG_INPUT, l->unit.functions[l->function].file, p->line, 0,
                       "'%s' has no output: it writes to no array and no file-scope variable, and returns nothing",
                       p->function);
}

static enum rg_status with_files(struct rg__load *l)
{
    struct rg_problem *p = l->p;
    p->with_c = rg_arena_alloc(&p->arena, (size_t)(l->o->n_with + 1) * sizeof *p->with_c);
    for (int i = 0; i < l->o->n_with; i++) {
        struct rg_buf text = RG_BUF_INIT;
        enum rg_status st = rg__preprocess(l->o->with[i], p->cflags, NULL, &text, l->err);
        if (st == RG_OK) p->with_c[p->n_with++] = rg_arena_strdup(&p->arena, text.data);
        rg_buf_release(&text);
        if (st != RG_OK) return st;
    }
    return RG_OK;
}

static enum rg_status run(struct rg__load *l)
{
    struct rg_problem *p = l->p;
    enum rg_status st = rg__unit_open(&l->unit, l->o->file, l->o->cflags, l->err);
    if (st == RG_OK) st = rg__directives_scan(&l->dirs, &l->unit.src, l->err);
    if (st == RG_OK) st = rg__directives_options(&l->dirs, l->o, l->err);
    if (st == RG_OK) st = rg__select(l);
    if (st == RG_OK && l->o->n_with) st = rg__unit_link(&l->unit, l->o->with, l->o->n_with, l->o->cflags, l->err);
    if (st != RG_OK) return st;
    const struct rg__function *f = &l->unit.functions[l->function];
    const struct rg__problem_at *bad = rg__unit_problem(&l->unit, f->at, f->end);
    if (bad) {
        struct rg__place at = rg__source_place(&l->unit.src, bad->at);
        return rg_error_at(l->err, RG_INPUT, at.file, at.line, at.column,
                           "libclang cannot read this, though the C compiler accepts it: %s", bad->text);
    }
    p->function = rg_arena_strdup(&p->arena, f->name);
    p->file = rg_arena_strdup(&p->arena, l->o->file);
    p->line = f->line;
    p->cflags = rg_arena_strdup(&p->arena, l->o->cflags ? l->o->cflags : "");
    p->may_alias = l->o->may_alias;
    p->allow_trivial = l->o->allow_trivial;
    p->allow = l->o->allow;
    double start = rg_now();
    st = build(l);
    if (st == RG_OK) st = rg__apply_extents(l);
    if (st == RG_OK) st = rg__apply_params(l);
    if (st == RG_OK) st = rg__apply_sizes(l);
    if (st != RG_OK) return st;
    l->need.holds = rg__holds;
    l->need.arg = l;
    if (is_verbatim(l)) {
        verbatim_tree(l);
    } else {
        if ((st = rg__pass_done(l, "reading", "the tree as libclang's was read", RG__C_RAW, rg_now() - start)) != RG_OK) return st;
        if ((st = rg__normalise(l)) != RG_OK) return st;
    }
    st = rg__require_extents(l);
    if (st == RG_OK) st = rg__settle_sizes(l);
    if (st != RG_OK) return st;
    rg__roles(p, is_verbatim(l) ? NULL : l->t);
    st = rg__apply_params(l); /* again: a role the user gives wins */
    if (st == RG_OK && !is_verbatim(l)) {
        rg__index_inputs(l);
        rg__compared_inputs(l);
        unknown_memory(l);
    }
    if (st == RG_OK) st = has_output(l);
    if (st == RG_OK) st = rg__check_sizes(l);
    if (st == RG_OK && l->o->specialize) st = rg__specialize(l);
    if (st == RG_OK) st = with_files(l);
    if (st == RG_OK) st = rg__texts(l);
    if (st != RG_OK) return st;
    rg__traits(p, l->t);
    rg__verify_sizes(l);
    rg__compulsory(p, l->t);
    st = rg__reference_texts(l);
    if (st != RG_OK) return st;
    char *json = rg_ctree_to_json(l->t);
    p->tree_json = json ? rg_arena_strdup(&p->arena, json) : NULL;
    free(json);
    rg_problem_rehash(p);
    return RG_OK;
}

enum rg_status rg_frontend_load(const struct rg_frontend_options *o, struct rg_problem **problem,
                                struct rg_ctree **tree, struct rg_error *err)
{
    struct rg__load l = {.o = o, .err = err};
    *problem = NULL;
    *tree = NULL;
    l.p = rg_problem_new();
    enum rg_status st = run(&l);
    if (l.b.helper_decls) rg_buf_release(l.b.helper_decls);
    free(l.b.helper_decls);
    free(l.b.helper_of);
    free(l.b.helper_why);
    free(l.b.c_written);
    free(l.b.syms);
    free(l.b.written);
    free(l.b.known);
    free(l.b.state);
    free(l.b.device_tables);
    free(l.b.origins);
    free(l.b.carriers);
    free(l.b.targets);
    free(l.b.args);
    free(l.need.items);
    rg__directives_release(&l.dirs);
    if (l.unit.c) rg__unit_close(&l.unit);
    if (st == RG_OK) {
        *problem = l.p;
        *tree = l.t;
        return RG_OK;
    }
    rg_problem_free(l.p);
    rg_ctree_free(l.t);
    if (err && err->status == RG_OK) rg_error_set(err, st, "the file cannot be read");
    return st;
}
