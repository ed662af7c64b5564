/* Calls: library functions stay, scalar helpers become device functions, helpers that take arrays are inlined. */
#include "frontend/read/build_columns.h"
#include "frontend/read/build_place.h"
#include "frontend/read/build_cell.h"
#include "frontend/read/build_shape.h"
#include "frontend/read/device_c.h"
#include "frontend/read/build_string.h"
#include <stdlib.h>
#include <string.h>

static int parameters(struct rg__build *b, const struct rg__function *f, CXCursor *out, int max)
{
    struct rg__children kids = rg__cursor_children(b->u, f->cursor, &b->p->arena);
    int n = 0;
    for (int i = 0; i < kids.n; i++)
        if (b->c->getCursorKind(kids.items[i]) == CXCursor_ParmDecl && n < max) out[n++] = kids.items[i];
    return n;
}

static bool is_pointer_param(struct rg__build *b, CXCursor p)
{
    CXType t = b->c->getCursorType(p);
    return rg__type_is_pointer(b->u, t) || rg__type_is_array(b->u, t) || t.kind == CXType_VariableArray ||
           t.kind == CXType_ConstantArray || t.kind == CXType_IncompleteArray;
}

static struct rg_cnode *declare(struct rg__build *b, int var, struct rg_cnode *value, CXCursor where)
{
    struct rg_cnode *d = rg_cnode_new(b->t, RG_C_DECL, value ? 1 : 0);
    d->var = var;
    d->type = b->t->vars[var].type;
    if (value) d->kid[0] = value;
    rg__place_node(b, d, where);
    return d;
}

static int typed_var(struct rg__build *b, const char *name, CXType t)
{
    enum rg_scalar s = RG_I32;
    bool scalar = rg__type_scalar(b->u, t, &s);
    if (!scalar && !rg__type_is_record(b->u, t)) return -1;
    int v = rg__c_add_var(b->t, name, RG_CVAR_LOCAL, scalar ? s : RG_STRUCT);
    if (!scalar) {
        int index = rg__build_local_struct(b, t, "a helper's value");
        if (index < 0) return -1;
        b->t->vars[v].struct_index = index;
        b->t->vars[v].c_type = b->p->structs[index].c_name;
    }
    return v;
}

/* The argument itself where it is a size of the function's, or a structure with some, that neither of the two ever
 * sets: passes know it. NULL. */
static const struct rg_cnode *unchanged_parameter(struct rg__build *b, uint32_t key, const struct rg_cnode *arg,
                                                  CXType type)
{
    enum rg_scalar s;
    const bool record = arg->type == RG_STRUCT && rg__type_is_record(b->u, type);
    if (arg->kind != RG_C_VAR || arg->array >= 0 || arg->pointer || b->t->vars[arg->var].kind != RG_CVAR_PARAM ||
        rg__is_written(b, key) ||
        (!record && (!rg__type_scalar(b->u, type, &s) || s != arg->type || !rg__scalar_is_int(s))))
        return NULL;
    for (int i = 0; i < b->n_syms; i++)
        if (b->syms[i].kind == RG__SYM_VAR && b->syms[i].var == arg->var)
            return rg__is_written(b, b->syms[i].key) ? NULL : arg;
    return NULL;
}

const char *rg__passed_differently(struct rg__build *b, CXType t, int array, int n_rows)
{
    CXType e = t;
    int depth = 0;
    while (depth < 8 && (rg__type_is_array(b->u, e) || rg__type_is_pointer(b->u, e))) {
        CXType k = e.kind == CXType_VariableArray || e.kind == CXType_ConstantArray || e.kind == CXType_IncompleteArray
                       ? e
                       : b->c->getCanonicalType(e);
        e = k.kind == CXType_Pointer ? b->c->getPointeeType(k) : b->c->getArrayElementType(k);
        depth++;
    }
    if (depth != b->t->arrays[array].n_dims - n_rows) return "an array is passed under another shape";
    enum rg_scalar s, own = b->t->arrays[array].elem;
    if (rg__type_scalar(b->u, e, &s) && s != own &&
        (!rg__scalar_is_int(s) || !rg__scalar_is_int(own) || rg_scalar_bytes(s) != rg_scalar_bytes(own)))
        return "an array is passed under another element type";
    return NULL;
}

static const char *bind_argument(struct rg__build *b, CXCursor param, struct rg_cnode *arg, CXCursor body)
{
    uint32_t key = rg__decl_key(b->u, param);
    const char *name = rg__cursor_name(b->u, param, &b->p->arena);
    const struct rg__targets *targets = rg__targets_of(b, arg);
    if (targets) {
        if (rg__is_written(b, key)) return "a pointer to a function is changed";
        rg__bind_function(b, key, targets, b->hoist);
        return NULL;
    }
    if (!is_pointer_param(b, param)) {
        /* a structure that is there as its parts alone: a copy nobody changes is the same */
        if (rg__bundle_is(b, arg) && !rg__is_written(b, key)) {
            rg__sym_add(b, key, RG__SYM_VAR)->var = arg->var;
            return NULL;
        }
        if (rg__columns_copy(b, param, arg, b->hoist)) return NULL;
        if (rg__object_is(b, b->c->getCursorType(param))) {
            int v = rg__object(b, b->c->getCursorType(param), name, key, 0);
            if (v < 0 || !rg__object_copy(b, rg__c_var(b->t, v), arg, param)) return "a structure is copied";
            rg__sym_add(b, key, RG__SYM_VAR)->var = v;
            return NULL;
        }
        int64_t number;
        enum rg_scalar s;
        if (b->follow && (b->follow->n_fixed || rg__by_trips(b)) && !rg__is_written(b, key) &&
            rg__type_scalar(b->u, b->c->getCursorType(param), &s) && rg__scalar_is_int(s) &&
            rg__cell_evaluate(arg, &number)) {
            rg__sym_add(b, key, RG__SYM_VALUE)->value = rg__c_cast(b->t, rg__c_int(b->t, number), s);
            return NULL;
        }
        const struct rg_cnode *same = unchanged_parameter(b, key, arg, b->c->getCursorType(param));
        if (same) {
            rg__sym_add(b, key, RG__SYM_VALUE)->value = rg__c_copy(b->t, same);
            return NULL;
        }
        int v = typed_var(b, name, b->c->getCursorType(param));
        if (v < 0) return "a parameter has a type that no device has";
        rg__kids_add(b->hoist, declare(b, v, arg, param));
        rg__sym_add(b, key, RG__SYM_VAR)->var = v;
        if (b->follow && !rg__scalar_is_int(b->t->vars[v].type) && !rg__is_written(b, key) &&
            !rg__mentions_kind(rg__expand_known(b, arg), RG_C_VAR) && rg__c_pure(b->t, arg))
            rg__note_known(b, v, arg);
        else if (rg__of_real_params(b, arg) && !rg__is_written(b, key))
            rg__note_known(b, v, rg__c_cast(b->t, arg, b->t->vars[v].type));
        if (!rg__scalar_is_int(b->t->vars[v].type)) return NULL;
        if (rg__is_written(b, key))
            rg__cell_local(b, v, key, arg);
        else if (rg__c_pure(b->t, arg))
            rg__note_known(b, v, arg);
        return NULL;
    }
    bool moved = rg__is_written(b, key);
    struct rg_cnode *characters = rg__string_table(b, arg);
    arg = rg__declared_shape(b, characters ? characters : arg, param);
    if (b->follow) {
        int v = rg__cell_pointer(b, key, b->c->getCursorType(param), name);
        rg__cell_at(b, v)->decl = param;
        rg__sym_add(b, key, RG__SYM_VAR)->var = v;
        rg__cell_store(b, v, arg, param);
        return NULL;
    }
    bool shaped = rg__is_rows(arg);
    if (shaped && rg__misshapen(b, arg, b->c->getCursorType(param))) return "an array is passed under another shape";
    shaped = shaped || (arg->kind == RG_C_MEMBER && rg__names_member(b, arg) && rg__pointer_depth(b, arg) > 1);
    if (shaped && !moved) {
        if (rg__misshapen(b, arg, b->c->getCursorType(param)))
            return "a part of a structure is passed under another shape";
        arg = rg__c_copy(b->t, arg);
        rg__fix_place(b, arg, name, b->hoist);
        rg__sym_add(b, key, RG__SYM_VALUE)->value = arg;
        return NULL;
    }
    if (rg__is_place(arg) || rg__names_member(b, arg)) return rg__bind_place(b, param, arg, b->hoist);
    if (rg__is_null_pointer(arg) || (arg->kind == RG_C_INT && !arg->ivalue)) { /* f(x, NULL), f(x, 0) */
        if (moved) return "a pointer parameter that is null is set";
        rg__sym_add(b, key, RG__SYM_VALUE)->value = rg__c_null(b->t);
        return NULL;
    }
    struct rg_cnode *rows[8], *off;
    int array, n_rows;
    if (!arg->pointer || !rg__split_pointer(b, arg, &array, rows, &n_rows, &off))
        return "an argument points somewhere unknown";
    const char *differs = rg__passed_differently(b, b->c->getCursorType(param), array, n_rows);
    if (differs) return differs;
    if (moved && b->c->Cursor_isNull(rg__pointer_root(b, body, param))) {
        if (!n_rows && !off && rg__view_bind(b, body, param, arg, b->hoist)) return NULL;
        return "a pointer parameter is set to another array";
    }
    if (!moved && !n_rows && !off && !b->t->arrays[array].view) { /* another name for the whole array */
        rg__sym_add(b, key, RG__SYM_ARRAY)->array = array;
        return NULL;
    }
    int off_var = rg__c_add_var(b->t, rg_arena_printf(&b->t->arena, "%s_at", name), RG_CVAR_LOCAL, RG_LONG);
    struct rg__sym *sym = rg__sym_add(b, key, RG__SYM_ALIAS);
    sym->off_var = off_var;
    rg__alias_assign(b, rg__sym_find(b, key), arg, true, b->hoist);
    return NULL;
}

void rg__drop_symbols(struct rg__build *b, int from)
{
    int n = from;
    for (int i = from; i < b->n_syms; i++)
        if (b->syms[i].global) b->syms[n++] = b->syms[i];
    b->n_syms = n;
}

static void drop_known(struct rg__build *b, int from)
{
    int n = from;
    for (int i = from; i < b->n_known; i++)
        if (b->known[i].global) b->known[n++] = b->known[i];
    b->n_known = n;
}

/* Jumps of a body that is put in place, returns among them. */
static void structure(struct rg__build *b, const struct rg__function *f, struct rg__kids *body, const char **why)
{
    struct rg_cnode *end = rg_cnode_new(b->t, RG_C_LABEL, 0), *block;
    end->text = RG__END_LABEL;
    end->line = f->line;
    rg__kids_add(body, end);
    block = rg__kids_node(b->t, RG_C_BLOCK, body);
    int line;
    const char *unstructured = rg__structure_jumps(b->t, block, &line);
    if (unstructured) *why = unstructured;
    *body = (struct rg__kids){0};
    for (int i = 0; i < block->n; i++) rg__kids_add(body, block->kid[i]);
}

/* The call's body in front of the statement; the value is a variable. NULL with *why. */
static struct rg_cnode *inline_call(struct rg__build *b, CXCursor call, int function, struct rg_cnode **args,
                                    int n_args, const char **why)
{
    const struct rg__function *f = &b->u->functions[function];
    CXCursor params[32];
    int n = parameters(b, f, params, 32);
    if (n != n_args) {
        *why = "it is called with another number of arguments";
        return NULL;
    }
    int first_sym = b->n_syms, return_before = b->return_var, known_before = b->n_known;
    struct rg__kids *hoist = b->hoist, *prologue = b->prologue;
    CXCursor scope = b->scope;
    const char *verbatim = b->verbatim;
    struct rg__kids body = {0}, front = {0};
    b->hoist = &body;
    b->prologue = &front;
    b->scope = f->body;
    b->inlining_args[b->n_inlining] = args;
    b->inlining[b->n_inlining++] = function;
    for (int i = 0; i < n && !*why; i++) *why = bind_argument(b, params[i], args[i], f->body);
    struct rg_cnode *value = NULL;
    if (!*why) {
        CXType result = b->c->getResultType(b->c->getCursorType(f->cursor));
        bool is_void = b->c->getCanonicalType(result).kind == CXType_Void;
        const char *value_name = rg_arena_printf(&b->t->arena, "%s_value", f->name);
        bool object = rg__object_is(b, result);
        uint32_t call_key = rg__cursor_at(b->u, call) * 31 + (b->follow ? b->follow->path : 0);
        b->return_var = is_void  ? -1
                        : object ? rg__object(b, result, value_name, call_key, 0)
                                 : typed_var(b, value_name, result);
        if (!is_void && b->return_var < 0) *why = "it returns a pointer";
        if (!*why) {
            struct rg__exits exits = {0}, *outer = b->follow ? b->follow->exits : NULL;
            uint32_t path = b->follow ? b->follow->path : 0;
            int conditions = b->follow ? b->follow->conditions : 0;
            struct rg__jump_to *labels = b->follow ? b->follow->labels : NULL;
            struct rg__span *span_call = b->follow ? b->follow->span_call : NULL;
            struct rg__unrolled *around_call = b->follow ? b->follow->around_call : NULL;
            if (b->follow) b->follow->exits = &exits, b->follow->path = call_key, b->follow->conditions = 0;
            if (b->follow) b->follow->labels = NULL, b->follow->span_call = b->follow->span;
            if (b->follow) b->follow->around_call = b->follow->around;
            if (!is_void && !object) rg__kids_add(&front, declare(b, b->return_var, NULL, call));
            if (!is_void && b->follow && !object) rg__cell_number(b, b->return_var, call_key, value_name, NULL);
            rg__build_stmt(b, f->body, &body);
            structure(b, f, &body, why);
            if (b->follow) b->follow->exits = outer, b->follow->path = path, b->follow->conditions = conditions;
            if (b->follow) b->follow->labels = labels, b->follow->span_call = span_call;
            if (b->follow) b->follow->around_call = around_call;
            rg__now_returned(b, &exits);
            value = is_void ? rg__c_int(b->t, 0) : rg__c_var(b->t, b->return_var);
            b->hoist = &body;
            value = rg__cell_load(b, value);
            if (!verbatim && b->verbatim) *why = b->verbatim;
        }
    }
    b->n_inlining--;
    b->return_var = return_before;
    b->scope = scope;
    b->hoist = hoist;
    b->prologue = prologue;
    drop_known(b, known_before);
    rg__drop_symbols(b, first_sym);
    if (*why) {
        b->verbatim = verbatim;
        free(body.items);
        free(front.items);
        return NULL;
    }
    for (int i = 0; i < front.n; i++) rg__kids_add(hoist, front.items[i]);
    for (int i = 0; i < body.n; i++) rg__kids_add(hoist, body.items[i]);
    free(body.items);
    free(front.items);
    return value;
}

static struct rg_cnode *call_node(struct rg__build *b, CXCursor c, const char *name, struct rg_cnode **args, int n)
{
    struct rg_cnode *x = rg_cnode_new(b->t, RG_C_CALL, n);
    x->text = name;
    for (int i = 0; i < n; i++) x->kid[i] = args[i];
    CXType t = b->c->getCursorType(c);
    enum rg_scalar s;
    if (rg__type_scalar(b->u, t, &s))
        x->type = s;
    else if (rg__type_is_record(b->u, t)) {
        x->type = RG_STRUCT;
        x->struct_index = rg__build_local_struct(b, t, "a helper's value");
    } else {
        x->pointer = rg__type_is_pointer(b->u, t);
    }
    return x;
}

static bool scalars_only(struct rg__build *b, const struct rg__function *f)
{
    CXCursor params[32];
    int n = parameters(b, f, params, 32);
    for (int i = 0; i < n; i++)
        if (is_pointer_param(b, params[i])) return false;
    CXType result = b->c->getResultType(b->c->getCursorType(f->cursor));
    enum rg_scalar s;
    return rg__type_scalar(b->u, result, &s) || rg__type_is_record(b->u, result);
}

struct uses { /* of a parameter */
    struct rg__build *b;
    uint32_t key;
    int all, followed, depth;
};

static bool goes_no_further(struct rg__build *b, int function, int param, int depth);

static bool names(const struct uses *x, CXCursor c)
{
    c = rg__strip_parens(x->b, c);
    return x->b->c->getCursorKind(c) == CXCursor_DeclRefExpr &&
           rg__decl_key(x->b->u, x->b->c->getCursorReferenced(c)) == x->key;
}

static void note_use(void *arg, CXCursor c)
{
    struct uses *x = arg;
    struct rg__build *b = x->b;
    enum CXCursorKind k = b->c->getCursorKind(c);
    x->all += k == CXCursor_DeclRefExpr && names(x, c);
    if (k != CXCursor_UnaryOperator && k != CXCursor_CallExpr) return;
    struct rg__children kids = rg__cursor_children(b->u, c, &b->p->arena);
    int first = kids.n ? rg__tok_from(&b->u->src, rg__cursor_at(b->u, c)) : -1;
    if (k == CXCursor_UnaryOperator && kids.n == 1 && names(x, kids.items[0]))
        x->followed += rg__tok_is(&b->u->src, first, "*") || rg__tok_is(&b->u->src, first, "!");
    int function = k == CXCursor_CallExpr ? rg__unit_function(b->u, b->c->getCursorReferenced(c)) : -1;
    for (int i = 1; i < kids.n && function >= 0; i++)
        x->followed += names(x, kids.items[i]) && goes_no_further(b, function, i - 1, x->depth + 1);
}

/* Does the function do nothing with what a pointer parameter leads to but read and set it? */
static bool goes_no_further(struct rg__build *b, int function, int param, int depth)
{
    CXCursor params[32];
    int n = parameters(b, &b->u->functions[function], params, 32);
    if (param >= n || depth > 4) return false;
    struct uses x = {.b = b, .key = rg__decl_key(b->u, params[param]), .depth = depth};
    rg__cursor_walk(b->u, b->u->functions[function].body, note_use, &x);
    return x.all == x.followed;
}

/* &x of which the callee only reads and sets what it leads to. */
static bool followed_address(struct rg__build *b, CXCursor c, int function, int param)
{
    c = rg__strip_parens(b, c);
    return b->follow && function >= 0 && b->c->getCursorKind(c) == CXCursor_UnaryOperator &&
           rg__tok_is(&b->u->src, rg__tok_from(&b->u->src, rg__cursor_at(b->u, c)), "&") &&
           goes_no_further(b, function, param, 0);
}

struct rg_cnode *rg__call_function(struct rg__build *b, CXCursor c, int function, struct rg_cnode **args, int n)
{
    const struct rg__function *f = &b->u->functions[function];
    const char *helper_why = NULL, *inline_why = NULL;
    const struct rg__problem_at *bad = rg__unit_problem(b->u, f->at, f->end);
    if (bad) return rg__verbatim(b, c, "'%s' cannot be read: %s", f->name, bad->text);
    bool nested = b->n_inlining >= RG__MAX_INLINE, again_here = false;
    for (int i = 0; i < b->n_inlining; i++) again_here |= b->inlining[i] == function;
    nested |= again_here && !rg__next_level(b, function, args, n);
    int h = -1;
    struct rg_cnode *again = rg__build_again(b, function, args, n);
    if (again) return again;
    struct rg_cnode *value = nested ? NULL : rg__build_value(b, function, args, n);
    if (!value && !nested) value = rg__call_by_condition(b, c, function, args, n);
    if (value) return value;
    if (scalars_only(b, f)) {
        h = rg__build_helper(b, function, &helper_why);
        if (h >= 0 && !b->root->t->helpers[h].pure) h = -1;
    }
    if (h < 0 && !nested && rg__build_halves(b, function, args, n)) return rg__c_int(b->t, 0);
    if (h < 0 && !nested && b->hoist) {
        struct rg_cnode *v = inline_call(b, c, function, args, n, &inline_why);
        if (v) return v;
    }
    if (h < 0) h = rg__build_helper(b, function, &helper_why);
    if (h < 0) {
        const char *why = inline_why ? inline_why : helper_why ? helper_why : "it is recursive";
        bool said = strstr(why, "cannot run on a device: ") != NULL; /* by what it calls */
        return said ? rg__verbatim(b, c, "%s", why)
                    : rg__verbatim(b, c, "'%s' cannot run on a device: %s", f->name, why);
    }
    for (int i = 0; i < n; i++) {
        if (args[i]->op == RG_COP_ADDRESS) rg__cell_escapes(b, args[i]->kid[0]);
        if (rg__is_null_pointer(args[i])) args[i] = rg__c_int(b->t, 0); /* C++ has no way from void * to another */
    }
    struct rg_cnode *x = call_node(b, c, b->root->t->helpers[h].name, args, n);
    if (b->t == b->root->t) x->callee = h;
    return x;
}

struct rg_cnode *rg__build_own_call(struct rg__build *b, int function)
{
    const struct rg__function *f = &b->u->functions[function];
    CXCursor params[32];
    struct rg_cnode *args[32], *block = rg_cnode_new(b->t, RG_C_BLOCK, 1);
    int n = parameters(b, f, params, 32);
    const char *why = "it has a parameter that is not followed";
    for (int i = 0; i < n; i++) {
        const struct rg__sym *s = rg__sym_find(b, rg__decl_key(b->u, params[i]));
        args[i] = s ? rg__symbol_value(b, s) : NULL;
        if (!args[i]) block->n = 0;
    }
    struct rg__kids levels = {0}, *hoist = b->hoist;
    b->hoist = &levels;
    bool by_levels = block->n && rg__build_halves(b, function, args, n);
    b->hoist = hoist;
    if (by_levels) return rg__kids_node(b->t, RG_C_BLOCK, &levels);
    int h = block->n ? rg__build_helper(b, function, &why) : -1;
    block->n = h >= 0;
    if (h < 0) {
        rg__verbatim(b, f->cursor, "'%s' calls itself, and cannot run on a device: %s", f->name, why);
        return block;
    }
    struct rg_cnode *x = rg_cnode_new(b->t, RG_C_CALL, n);
    x->text = b->t->helpers[h].name;
    x->callee = h;
    for (int i = 0; i < n; i++) x->kid[i] = args[i];
    block->kid[0] = rg__c_stmt(b->t, x);
    rg__place_node(b, block->kid[0], f->cursor);
    return block;
}

/* A FILE *: kernels print nothing, and so it has no value there. */
static bool is_stream(struct rg__build *b, CXType t)
{
    t = b->c->getCanonicalType(t);
    if (t.kind != CXType_Pointer) return false;
    const char *to = rg__type_name(b->u, b->c->getCanonicalType(b->c->getPointeeType(t)), &b->p->arena);
    return strstr(to, "FILE") != NULL;
}

/* A call of one of several functions, by an index: a choice between the values. */
static struct rg_cnode *call_one_of(struct rg__build *b, CXCursor c, const struct rg__targets *t,
                                    const struct rg__children *kids)
{
    struct rg__kids *hoist = b->hoist;
    struct rg_cnode *all = NULL;
    const char *verbatim = b->verbatim;
    b->hoist = NULL; /* an arm runs under its condition only */
    for (int i = t->n - 1; i >= 0; i--) {
        struct rg_cnode *x = rg__call_of(b, c, t->decl[i], rg__cursor_name(b->u, t->decl[i], &b->t->arena), kids);
        if (all) {
            struct rg_cnode *choice = rg_cnode_new(b->t, RG_C_COND, 3);
            choice->kid[0] = rg__c_binary(b->t, RG_COP_EQ, rg__c_copy(b->t, t->pick), rg__c_int(b->t, i));
            choice->kid[1] = x;
            choice->kid[2] = all;
            choice->type = x->type;
            choice->struct_index = x->struct_index;
            x = choice;
        }
        all = x;
    }
    b->hoist = hoist;
    if (!verbatim && (b->verbatim || !rg__c_pure(b->t, all)) && hoist && rg__c_pure(b->t, t->pick)) {
        b->verbatim = NULL;
        return rg__call_in_arms(b, c, t, kids);
    }
    if (b->verbatim || rg__c_pure(b->t, all)) return all;
    return rg__verbatim(b, c, "a call through a table of functions that do more than compute a value");
}

struct rg_cnode *rg__build_call(struct rg__build *b, CXCursor c)
{
    struct rg__children kids = rg__cursor_children(b->u, c, &b->p->arena);
    if (!kids.n) return rg__verbatim(b, c, "a call of nothing");
    CXCursor callee = rg__strip_parens(b, kids.items[0]);
    CXCursor decl =
        b->c->getCursorKind(callee) == CXCursor_DeclRefExpr ? b->c->getCursorReferenced(callee) : b->c->getNullCursor();
    const char *name = rg__cursor_name(b->u, callee, &b->t->arena);
    bool direct =
        !b->c->Cursor_isNull(decl) &&
        (b->c->getCursorKind(decl) == CXCursor_FunctionDecl || b->c->getCursorKind(decl) == CXCursor_NoDeclFound ||
         b->c->getCursorKind(decl) == CXCursor_InvalidFile || !strncmp(name, "__builtin_", 10));
    if (!direct) {
        struct rg__targets t;
        if (!rg__function_targets(b, kids.items[0], &t))
            return rg__verbatim(b, c, "a call through a pointer%s%s%s that may point to any function",
                                *name ? " '" : "", name, *name ? "'" : "");
        if (t.n > 1) return call_one_of(b, c, &t, &kids);
        decl = t.decl[0];
        name = rg__cursor_name(b->u, decl, &b->t->arena);
    }
    return rg__call_of(b, c, decl, name, &kids);
}

struct rg_cnode *rg__call_of(struct rg__build *b, CXCursor c, CXCursor decl, const char *name,
                             const struct rg__children *kids)
{
    int n = kids->n - 1;
    name = rg__overloaded_math(b, c, name);
    if (!strcmp(name, "__builtin_tgmath")) return rg__generic_math(b, c, kids);
    if (rg__passes_first(name) && n >= 1) return rg__build_expr(b, kids->items[1]);
    struct rg_cnode *special = rg__build_library_value(b, c, name, kids);
    if (!special && rg__unit_function(b->u, decl) < 0) special = rg__bytes_compared(b, c, name);
    if (special) return special;
    struct rg_cnode **args = rg_arena_alloc(&b->t->arena, (size_t)(n + 1) * sizeof *args);
    int function = rg__unit_function(b->u, decl);
    if (function < 0 && b->follow && !b->helper) {
        for (int i = 0; i < n && rg__is_allocator(name); i++)
            rg__alloc_plain(b, c, args[i] = rg__build_expr(b, kids->items[i + 1]));
        struct rg_cnode *memory = rg__build_memory(b, c, name, args, n);
        if (memory) return memory;
    }
    if (function < 0 && (!strcmp(name, "malloc") || !strcmp(name, "calloc") || !strcmp(name, "realloc")))
        return rg__verbatim(b, c, "'%s' gives memory that is no array with a name of its own", name);
    if (function < 0 && n == 1 && (!strcmp(name, "strlen") || !strcmp(name, "__builtin_strlen"))) {
        struct rg_cnode *s = rg__build_expr(b, kids->items[1]);
        while (s->kind == RG_C_CAST && s->pointer) s = s->kid[0];
        struct rg_cnode *length = rg__build_length_param(b, s, false);
        if (length) return length;
    }
    bool output =
        function < 0 && !rg__complex_function(name) &&
        !rg__c_pure_library(rg__device_name(name, &b->t->arena)); /* fprintf(stderr, ..): its arguments need no tree */
    bool sort = function < 0 && n >= 4 && (!strcmp(name, "qsort") || !strcmp(name, "bsearch"));
    for (int i = 0; i < n; i++) {
        const char *verbatim = b->verbatim;
        if (sort && i == n - 1) {
            args[i] = rg__build_order(b, kids->items[i + 1]);
            continue;
        }
        if (output && is_stream(b, b->c->getCursorType(kids->items[i + 1]))) {
            args[i] = rg_cnode_new(b->t, RG_C_INT, 0);
            continue;
        }
        args[i] = function >= 0 && rg__is_function_pointer(b, b->c->getCursorType(kids->items[i + 1]))
                      ? rg__function_value(b, kids->items[i + 1])
                      : NULL;
        if (args[i]) continue;
        if (b->follow) b->follow->argument = followed_address(b, kids->items[i + 1], function, i);
        args[i] = rg__build_expr(b, kids->items[i + 1]);
        if (b->follow) b->follow->argument = false;
        if (output && !verbatim && b->verbatim) {
            b->verbatim = NULL;
            struct rg_buf text = RG_BUF_INIT;
            rg__source_slice(&b->u->src, rg__cursor_at(b->u, kids->items[i + 1]),
                             rg__cursor_end(b->u, kids->items[i + 1]), &text);
            args[i] = rg_cnode_new(b->t, RG_C_STRING, 0);
            args[i]->text = rg_arena_strdup(&b->t->arena, text.data);
            rg_buf_release(&text);
        }
    }
    if (function >= 0) return rg__call_function(b, c, function, args, n);
    struct rg_cnode *complex = rg__complex_call(b, name, args, n);
    if (complex) return complex;
    return call_node(b, c, rg__device_name(name, &b->t->arena), rg__library_arguments(b, name, args, n), n);
}
