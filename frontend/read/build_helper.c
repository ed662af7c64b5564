/* Functions of the file as CUDA C++ device functions, and the tables they need. */
#include "frontend/read/build.h"
#include "frontend/read/helper_text.h"
#include <stdlib.h>
#include <string.h>

static void parameter_text(struct rg__build *h, CXCursor decl, struct rg_buf *out, const char **why)
{
    struct rg_arena *a = &h->t->arena;
    uint32_t key = rg__decl_key(h->u, decl);
    CXType t = h->c->getCursorType(decl);
    const char *name = rg__cursor_name(h->u, decl, a);
    enum rg_scalar s = RG_I32;
    if (rg__type_scalar(h->u, t, &s) || rg__type_is_record(h->u, t)) {
        bool record = rg__type_is_record(h->u, t);
        int v = rg__c_add_var(h->t, name, RG_CVAR_PARAM, record ? RG_STRUCT : s);
        if (record) {
            int index = rg__build_local_struct(h, t, "a helper's parameter");
            if (index < 0) {
                *why = "a parameter cannot be transferred";
                return;
            }
            h->t->vars[v].struct_index = index;
            h->t->vars[v].c_type = h->p->structs[index].c_name;
        }
        rg__sym_add(h, key, RG__SYM_VAR)->var = v;
        rg_buf_printf(out, "%s %s", record ? h->t->vars[v].c_type : rg_scalar_cuda(s), h->t->vars[v].name);
        return;
    }
    const struct rg_expr *dims[8];
    CXType elem;
    int n = rg__array_dims(h, decl, t, dims, 8, &elem);
    if (n < 1) {
        *why = "a parameter is neither number, structure nor array";
        return;
    }
    int x = rg__c_add_array(h->t, name, RG_F32);
    struct rg_carray *arr = &h->t->arrays[x];
    if (rg__type_scalar(h->u, elem, &s)) {
        arr->elem = s;
        arr->c_elem = rg_scalar_cuda(s);
    } else if (rg__type_is_record(h->u, elem)) {
        int index = rg__build_local_struct(h, elem, "a helper's parameter");
        arr = &h->t->arrays[x];
        arr->elem = RG_STRUCT;
        arr->struct_index = index;
        arr->c_elem = index >= 0 ? h->p->structs[index].c_name : "";
    } else {
        *why = "a parameter is an array of pointers";
        return;
    }
    arr->param = 0; /* flat */
    arr->n_dims = n;
    arr->dims = rg_arena_alloc(a, (size_t)n * sizeof *arr->dims);
    memcpy(arr->dims, dims, (size_t)n * sizeof *arr->dims);
    rg__sym_add(h, key, RG__SYM_ARRAY)->array = x;
    rg_buf_printf(out, "%s%s *%s", h->c->isConstQualifiedType(elem) ? "const " : "", arr->c_elem, arr->name);
}

static bool impure_calls(const struct rg_ctree *t, const struct rg_ctree *root, const struct rg_cnode *n)
{
    if (!n) return false;
    if (n->kind == RG_C_CALL && !rg__c_pure_library(n->text)) {
        bool helper = false;
        for (int i = 0; i < root->n_helpers; i++)
            if (!strcmp(root->helpers[i].name, n->text)) helper = root->helpers[i].pure;
        if (!helper) return true;
    }
    for (int i = 0; i < n->n; i++)
        if (impure_calls(t, root, n->kid[i])) return true;
    return false;
}

/* Calls of library functions that CUDA has not. */
static const char *missing_on_device(const struct rg_ctree *root, const struct rg_cnode *n)
{
    if (!n) return NULL;
    if (n->kind == RG_C_CALL && !rg__c_pure_library(n->text)) {
        bool known = false;
        for (int i = 0; i < root->n_helpers; i++) known |= !strcmp(root->helpers[i].name, n->text);
        if (!known) return n->text;
    }
    for (int i = 0; i < n->n; i++) {
        const char *m = missing_on_device(root, n->kid[i]);
        if (m) return m;
    }
    return NULL;
}

static void tree_free(struct rg__helper_tree *h)
{
    if (!h) return;
    rg_ctree_free(h->t);
    free(h->params);
    free(h);
}

void rg__helper_trees_free(struct rg__build *b)
{
    for (int f = 0; b->helper_trees && f < b->u->n_functions; f++) tree_free(b->helper_trees[f]);
    free(b->helper_trees);
}

const char *rg__helper_name(const struct rg__build *b, int function)
{
    const char *name = b->u->functions[function].name;
    return b->root->as_call == function + 1 ? rg_arena_printf(&b->root->t->arena, "rg_self_%s", name) : name;
}

const struct rg__helper_tree *rg__helper_tree(const struct rg__build *b, const char *name)
{
    const struct rg__helper_tree *found = NULL;
    for (int f = 0; f < b->u->n_functions; f++)
        if (b->root->helper_trees[f] && !strcmp(rg__helper_name(b, f), name)) found = b->root->helper_trees[f];
    return found;
}

static bool is_param(const struct rg__helper_tree *h, const struct rg_cnode *n, int i)
{
    return n->kind == RG_C_VAR && n->array < 0 && !n->pointer && n->var == h->params[i].var &&
           h->t->vars[n->var].type == h->result;
}

/* What a `return`, alone or in a block, gives; NULL: it is something else. */
static const struct rg_cnode *returned(const struct rg_cnode *n)
{
    while (n && n->kind == RG_C_BLOCK && n->n == 1) n = n->kid[0];
    return n && n->kind == RG_C_RETURN && n->n ? n->kid[0] : NULL;
}

/* return a < b ? a : b;  and  if (a < b) return a; return b;  and  return fmin(a, b): -1 is the lesser, 1 the greater
 * of the two parameters; 0 neither. */
static int extreme_of(const struct rg__helper_tree *h)
{
    const struct rg_cnode *body = h->body, *e = returned(body), *c, *yes, *no;
    if (h->n_params != 2 || h->params[0].var < 0 || h->params[1].var < 0 || h->prologue->n) return 0;
    if (e && e->kind == RG_C_CALL && e->callee < 0 && e->n == 2 && e->text) {
        bool two = (is_param(h, e->kid[0], 0) && is_param(h, e->kid[1], 1)) ||
                   (is_param(h, e->kid[0], 1) && is_param(h, e->kid[1], 0));
        bool lo = !strcmp(e->text, "fmin") || !strcmp(e->text, "fminf"),
             hi = !strcmp(e->text, "fmax") || !strcmp(e->text, "fmaxf");
        return !two ? 0 : lo ? -1 : hi;
    }
    if (e && e->kind == RG_C_COND) {
        c = e->kid[0], yes = e->kid[1], no = e->kid[2];
    } else {
        while (body->kind == RG_C_BLOCK && body->n == 1) body = body->kid[0];
        const struct rg_cnode *branch = body->kind == RG_C_BLOCK && body->n == 2 ? body->kid[0] : body;
        if (branch->kind != RG_C_IF || (branch != body && branch->n != 2)) return 0;
        c = branch->kid[0];
        yes = returned(branch->kid[1]);
        no = returned(branch != body ? body->kid[1] : branch->n == 3 ? branch->kid[2] : NULL);
    }
    bool less = c->op == RG_COP_LT || c->op == RG_COP_LE, greater = c->op == RG_COP_GT || c->op == RG_COP_GE;
    if (!yes || !no || c->kind != RG_C_BINARY || (!less && !greater)) return 0;
    for (int i = 0; i < 2; i++) {
        if (!is_param(h, c->kid[0], i) || !is_param(h, c->kid[1], 1 - i)) continue;
        bool first = is_param(h, yes, i) && is_param(h, no, 1 - i);
        if (!first && (!is_param(h, yes, 1 - i) || !is_param(h, no, i))) return 0;
        return first == less ? -1 : 1;
    }
    return 0;
}

static bool casts_pointers(const struct rg_cnode *n)
{
    if (!n) return false;
    const bool null = n->kind == RG_C_CAST && n->kid[0]->kind == RG_C_INT && !n->kid[0]->ivalue;
    if ((n->kind == RG_C_CAST && n->pointer && !null) || n->kind == RG_C_VERBATIM) return true;
    for (int i = 0; i < n->n; i++)
        if (casts_pointers(n->kid[i])) return true;
    return false;
}

/* Parameters that point to what is const: without a cast nothing of that is written. */
static unsigned reads_of(struct rg__build *b, int function, const struct rg__helper_tree *h)
{
    struct rg__children kids = rg__cursor_children(b->u, b->u->functions[function].cursor, &b->p->arena);
    unsigned reads = 0;
    int at = 0;
    if (casts_pointers(h->body) || casts_pointers(h->prologue)) return 0;
    for (int i = 0; i < kids.n; i++) {
        if (b->c->getCursorKind(kids.items[i]) != CXCursor_ParmDecl) continue;
        CXType t = b->c->getCanonicalType(b->c->getCursorType(kids.items[i]));
        bool pointer = t.kind == CXType_Pointer && at < 31;
        enum rg_scalar s;
        CXType to = pointer ? b->c->getPointeeType(t) : t;
        if (pointer && b->c->isConstQualifiedType(to) &&
            (rg__type_scalar(b->u, to, &s) || rg__type_is_record(b->u, to)))
            reads |= 1u << at;
        at++;
    }
    return reads;
}

/* Keeps the tree; `of` has the symbols of its parameters. */
static void keep_tree(struct rg__build *of, int function, struct rg_cnode *body, struct rg__kids *prologue,
                      enum rg_scalar result)
{
    struct rg__build *root = of->root;
    struct rg__helper_tree *h = rg_xcalloc(1, sizeof *h);
    struct rg__children kids = rg__cursor_children(of->u, of->u->functions[function].cursor, &of->p->arena);
    h->t = of->t;
    h->body = body;
    h->prologue = rg__kids_node(of->t, RG_C_BLOCK, prologue);
    h->result = result;
    h->params = rg_xcalloc((size_t)kids.n + 1, sizeof *h->params);
    for (int i = 0; i < kids.n; i++) {
        if (of->c->getCursorKind(kids.items[i]) != CXCursor_ParmDecl) continue;
        const struct rg__sym *s = rg__sym_find(of, rg__decl_key(of->u, kids.items[i]));
        bool array = s && s->kind != RG__SYM_VAR;
        h->params[h->n_params++] = (struct rg__helper_param){s && !array ? s->var : -1, array ? s->array : -1};
    }
    tree_free(root->helper_trees[function]);
    root->helper_trees[function] = h;
}

/* Pointers that the body sets, to this array and that: variables of the device function. False: one has no form. */
static bool declare_views(const struct rg_ctree *t, struct rg_buf *out)
{
    for (int a = 0; a < t->n_arrays; a++) {
        const struct rg_carray *x = &t->arrays[a];
        if (!x->view) continue;
        rg_buf_printf(out, "    %s%s %s%s%s", x->is_const ? "const " : "", x->c_elem, x->n_dims > 1 ? "(*" : "*",
                      x->name, x->n_dims > 1 ? ")" : "");
        for (int d = 1; d < x->n_dims; d++) {
            if (!x->dims[d] || x->dims[d]->kind != RG_EXPR_INT) return false;
            rg_buf_printf(out, "[%lld]", (long long)x->dims[d]->value);
        }
        rg_buf_str(out, ";\n");
    }
    return true;
}

static void hand_tables(struct rg__build *to, const struct rg__build *from)
{
    to->n_device_tables = from->n_device_tables;
    to->device_tables = from->device_tables;
    to->cap_device_tables = from->cap_device_tables;
}

static const char *write_helper(struct rg__build *b, int function, struct rg_buf *text, bool *pure)
{
    const struct rg__function *f = &b->u->functions[function];
    struct rg__build *root = b->root;
    struct rg_ctree *t = rg_xcalloc(1, sizeof *t);
    t->result_array = -1;
    hand_tables(root, b); /* those that the helper which calls it has named so far */
    struct rg__build h = *root;
    struct rg_error own = RG_ERROR_INIT, before = *root->err; /* the file's text may do where a tree can't */
    const bool refused = root->refused;
    const char *why = NULL;
    h.err = &own;
    struct rg__kids prologue = {0};
    h.t = t;
    h.n_syms = h.cap_syms = 0;
    h.syms = NULL;
    h.known = NULL;
    h.n_known = h.cap_known = 0;
    h.hoist = NULL;
    h.prologue = &prologue;
    h.scope = f->body;
    h.n_inlining = 0;
    h.return_var = -2;
    h.helper = true;
    h.follow = NULL;
    h.n_asserted = h.cap_asserted = 0;
    h.asserted = NULL;
    h.helper_impure = false;
    h.verbatim = NULL;
    h.root = root;
    *pure = true;

    struct rg_buf params = RG_BUF_INIT, views = RG_BUF_INIT;
    struct rg__children kids = rg__cursor_children(b->u, f->cursor, &b->p->arena);
    for (int pass = 0; pass < 2; pass++) { /* sizes may name any scalar: scalars are bound first */
        rg_buf_reset(&params);
        for (int i = 0; i < kids.n && !why; i++) {
            if (b->c->getCursorKind(kids.items[i]) != CXCursor_ParmDecl) continue;
            enum rg_scalar s;
            CXType ty = b->c->getCursorType(kids.items[i]);
            bool scalar = rg__type_scalar(b->u, ty, &s) || rg__type_is_record(b->u, ty);
            const struct rg__sym *known = rg__sym_find(&h, rg__decl_key(b->u, kids.items[i]));
            if (params.len) rg_buf_str(&params, ", ");
            if (known && scalar) {
                const struct rg_cvar *v = &t->vars[known->var];
                rg_buf_printf(&params, "%s %s", v->type == RG_STRUCT ? v->c_type : rg_scalar_cuda(v->type), v->name);
            } else if (scalar || pass == 1) {
                parameter_text(&h, kids.items[i], &params, &why);
                if (!scalar) *pure = false;
            }
        }
    }
    struct rg_cnode *body = NULL;
    if (!why) {
        body = rg__build_block(&h, f->body);
        if (h.refused) why = "it uses a type that cannot be transferred";
        int line;
        if (!h.verbatim && !why) why = rg__structure_jumps(t, body, &line);
        if (h.verbatim) why = h.verbatim;
        if (h.helper_impure) why = "it uses a file-scope variable";
        if (!why && !declare_views(t, &views)) why = "a pointer to rows is set anew";
        const char *missing = why ? NULL : missing_on_device(root->t, body);
        if (missing) why = rg_arena_printf(&root->t->arena, "it calls '%s', which no device has", missing);
        if (!why && impure_calls(t, root->t, body)) *pure = false;
    }
    CXType result = b->c->getResultType(b->c->getCursorType(f->cursor));
    enum rg_scalar s;
    const char *type = NULL;
    if (rg__type_scalar(b->u, result, &s))
        type = rg_scalar_cuda(s);
    else if (rg__type_is_record(b->u, result))
        type = rg__plain_type(b, result);
    else if (b->c->getCanonicalType(result).kind == CXType_Void)
        type = "void", *pure = false;
    else
        why = why ? why : "it returns a pointer";
    if (!why) {
        rg_buf_printf(text, "%s %s(%s)\n{\n", type, rg__helper_name(b, function), params.data);
        struct rg_c_printer printer = {.indent = 1};
        if (views.len) rg_buf_str(text, views.data);
        for (int i = 0; i < prologue.n; i++) rg_c_print(text, t, prologue.items[i], &printer);
        for (int i = 0; i < body->n; i++) rg_c_print(text, t, body->kid[i], &printer);
        rg_buf_str(text, "}\n");
    } else {
        why = rg_arena_strdup(&root->t->arena, why);
    }
    hand_tables(root, &h);
    bool as_text = why && rg__helper_text(root, function, text);
    if (as_text)
        *root->err = before;
    else if (own.status && !root->err->status)
        *root->err = own;
    root->refused = as_text ? refused : h.refused;
    if (as_text) why = NULL, *pure = true;
    if (as_text)
        rg_ctree_free(t);
    else if (!why)
        keep_tree(&h, function, body, &prologue, rg__type_scalar(b->u, result, &s) ? s : RG_STRUCT);
    else
        rg_ctree_free(t);
    if (why || as_text) free(prologue.items);
    hand_tables(b, root); /* a helper's own build has copies of these */
    free(h.syms);
    free(h.known);
    rg_buf_release(&params);
    rg_buf_release(&views);
    return why;
}

static void cut(struct rg_buf *b, size_t len)
{
    if (b->len <= len) return;
    b->len = len;
    b->data[len] = 0;
}

static const char recursive[] = "it is recursive"; /* helper_why of a function under way that calls itself */

int rg__build_helper(struct rg__build *b, int function, const char **why)
{
    struct rg__build *root = b->root;
    int *slot = &root->helper_of[function];
    struct rg_ctree *t = root->t;
    if (*slot >= 0) return *slot;
    if (*slot == -3) *why = root->helper_why[function];
    if (*slot == -3) return -1;
    const char *name = rg__helper_name(b, function);
    if (*slot == -2) { /* it is recursive: it has its number, and counts as pure until it is known */
        root->helper_why[function] = recursive;
        for (int i = 0; i < t->n_helpers; i++)
            if (!strcmp(t->helpers[i].name, name)) return i;
    }
    *slot = -2;
    int number = t->n_helpers;
    size_t before = root->helper_decls->len;
    unsigned char *written = rg_xcalloc((size_t)b->u->n_functions + 1, 1);
    memcpy(written, root->c_written, (size_t)b->u->n_functions);
    RG_GROW(t->helpers, t->n_helpers, t->cap_helpers);
    t->helpers[t->n_helpers++] = (struct rg_chelper){.name = rg_arena_strdup(&t->arena, name), .pure = true};
    struct rg_buf text = RG_BUF_INIT;
    bool pure;
    const char *reason = write_helper(b, function, &text, &pure);
    bool again = root->helper_why[function] == recursive;
    if (reason) { /* so have those that were built for it alone */
        for (int f = 0; f < b->u->n_functions; f++)
            if (root->helper_of[f] > number) root->helper_of[f] = -1;
        t->n_helpers = number;
        memcpy(root->c_written, written, (size_t)b->u->n_functions);
        free(written);
        cut(root->helper_decls, before);
        *slot = -3;
        root->helper_why[function] = *why = reason;
        rg_buf_release(&text);
        return -1;
    }
    t->helpers[number].pure = pure;
    if (root->helper_trees[function]) t->helpers[number].reads = reads_of(b, function, root->helper_trees[function]);
    if (pure && root->helper_trees[function]) t->helpers[number].extreme = extreme_of(root->helper_trees[function]);
    for (int i = number + 1; i < t->n_helpers && again && !pure; i++) t->helpers[i].pure = false; /* they may call it */
    t->helpers[number].c_text = rg_arena_printf(&t->arena, "static inline %s", text.data);
    if (again && t->n_helpers > number + 1) { /* those between may call it before it is defined */
        struct rg_buf behind = RG_BUF_INIT;
        rg_buf_str(&behind, root->helper_decls->data + before);
        cut(root->helper_decls, before);
        rg_buf_printf(root->helper_decls, "static __device__ inline %.*s;\n", (int)strcspn(text.data, "\n"), text.data);
        rg_buf_str(root->helper_decls, behind.data);
        rg_buf_release(&behind);
    }
    if (root->c_written[function] != RG__C_DONE) /* else what compares by it has put it there */
        rg_buf_printf(root->helper_decls, "static __device__ inline %s", text.data);
    free(written);
    rg_buf_release(&text);
    return *slot = number;
}

struct find_key {
    struct rg__build *b;
    uint32_t key;
    CXCursor found;
};

static enum CXChildVisitResult find_var(CXCursor c, CXCursor parent, CXClientData data)
{
    struct find_key *f = data;
    if (f->b->c->getCursorKind(c) == CXCursor_VarDecl && rg__decl_key(f->b->u, c) == f->key) {
        f->found = c;
        return CXChildVisit_Break;
    }
    return CXChildVisit_Recurse;
}

void rg__device_tables(struct rg__build *b, struct rg_buf *out)
{
    for (int i = 0; i < b->n_device_tables; i++) {
        bool seen = false;
        const struct rg__table *x = &b->device_tables[i];
        for (int k = 0; k < i; k++)
            seen |= b->device_tables[k].key == x->key && !strcmp(b->device_tables[k].name, x->name);
        if (seen) continue;
        if (x->text) {
            rg_buf_str(out, x->text);
            continue;
        }
        struct find_key f = {b, x->key, b->c->getNullCursor()};
        b->c->visitChildren(b->c->getTranslationUnitCursor(b->u->tu), find_var, &f);
        if (b->c->Cursor_isNull(f.found)) continue;
        const struct rg_expr *dims[8];
        CXType elem;
        int n = rg__array_dims(b, f.found, b->c->getCursorType(f.found), dims, 8, &elem);
        struct rg__children kids = rg__cursor_children(b->u, f.found, &b->p->arena);
        bool cell = n == 0;
        if (cell) dims[n++] = rg__int_expr(&b->p->arena, 1);
        if (n < 1 || !kids.n) continue;
        enum rg_scalar sc;
        bool scalar = rg__type_scalar(b->u, elem, &sc);
        int64_t bytes = b->c->Type_getSizeOf(b->c->getCursorType(f.found));
        rg_buf_printf(out, "%s const %s %s", bytes > 32768 ? "__device__" : "__constant__",
                      scalar ? rg_scalar_cuda(sc) : rg__plain_type(b, elem), x->name);
        for (int d = 0; d < n; d++) {
            rg_buf_char(out, '[');
            if (dims[d]) rg_expr_print(out, dims[d], NULL, NULL);
            rg_buf_char(out, ']');
        }
        rg_buf_str(out, " = ");
        struct rg_cnode *init = rg__build_init(b, kids.items[kids.n - 1], b->c->getCursorType(f.found));
        if (cell) rg_buf_char(out, '{');
        rg_c_print(out, b->t, init, NULL);
        rg_buf_str(out, cell ? "};\n" : ";\n");
    }
}
