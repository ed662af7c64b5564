/* Trees from JSON. A saved problem comes from anywhere, so this trusts nothing: what a reader of rg/ctree.h relies on
 * is checked here, except what only the problem knows (how many parameters and structs there are). */
#include "base/json_util.h"
#include "ir/ctree_json.h"
#include "ir/ctree_verify.h"
#include <rg/scalar.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_DEPTH = 4000, /* readers of the tree recurse */
    MAX_NODES = 4000000,
    MAX_SYMBOLS = 100000,
    MAX_STRUCTS = 1000
};

struct loader {
    struct rg_ctree *t;
    struct rg_error *err;
    enum rg_status status; /* the first failure; everything after it is skipped */
    char where[32];        /* "tree: node 12" */
};

static bool failed(struct loader *l, enum rg_status s)
{
    if (l->status == RG_OK) l->status = s;
    return l->status != RG_OK;
}

static bool refuse(struct loader *l, const char *what)
{
    if (l->status == RG_OK) l->status = rg_error_set(l->err, RG_INPUT, "%s: %s", l->where, what);
    return true;
}

static bool at(struct loader *l, const json_t *o, const char *what, size_t i)
{
    snprintf(l->where, sizeof l->where, "tree: %s %zu", what, i);
    if (l->status == RG_OK && !json_is_object(o)) refuse(l, "must be an object");
    return l->status == RG_OK;
}

static const char *load_text(struct loader *l, const json_t *o, const char *key, bool needed)
{
    const json_t *v = json_object_get(o, key);
    if (l->status != RG_OK) return NULL;
    if (json_is_string(v)) return rg_arena_strdup(&l->t->arena, json_string_value(v));
    const char *wide = json_string_value(json_object_get(v, "latin1"));
    if (wide) {
        struct rg_buf b = RG_BUF_INIT;
        for (const unsigned char *c = (const unsigned char *)wide; *c; c++) {
            if (*c >= 0xC4) refuse(l, "latin1 text holds a character beyond U+00FF");
            if (*c >= 0xC0 && c[1]) {
                rg_buf_char(&b, (char)((*c & 3) << 6 | (c[1] & 0x3F)));
                c++;
            } else {
                rg_buf_char(&b, (char)*c);
            }
        }
        char *s = rg_arena_strndup(&l->t->arena, b.data, b.len);
        rg_buf_release(&b);
        return s;
    }
    if (needed || (v && !json_is_null(v)))
        failed(l, rg_error_set(l->err, RG_INPUT, "%s: member \"%s\" must be a string", l->where, key));
    return NULL;
}

/* A spelling that printers put out and look at the last character of. */
static const char *load_name(struct loader *l, const json_t *o, const char *key)
{
    const char *s = load_text(l, o, key, true);
    if (l->status == RG_OK && !*s)
        failed(l, rg_error_set(l->err, RG_INPUT, "%s: member \"%s\" is empty", l->where, key));
    return s ? s : "?";
}

static int64_t load_int(struct loader *l, const json_t *o, const char *key, int64_t usual, int64_t low, int64_t high)
{
    int64_t v = usual;
    if (l->status != RG_OK || failed(l, rg_json_opt_int(o, key, l->where, &v, l->err))) return usual;
    if (v >= low && v <= high) return v;
    failed(l, rg_error_set(l->err, RG_INPUT, "%s: member \"%s\" is %lld, not in %lld..%lld", l->where, key,
                           (long long)v, (long long)low, (long long)high));
    return usual;
}

static bool load_flag(struct loader *l, const json_t *o, const char *key)
{
    bool v = false;
    if (l->status == RG_OK) failed(l, rg_json_opt_bool(o, key, l->where, &v, l->err));
    return v;
}

static int load_word(struct loader *l, const json_t *o, const char *key, const char *(*word)(int), int n)
{
    const char *s = NULL;
    if (l->status != RG_OK || failed(l, rg_json_str(o, key, l->where, &s, l->err))) return 0;
    for (int i = 0; i < n; i++)
        if (!strcmp(word(i), s)) return i;
    failed(l, rg_error_set(l->err, RG_INPUT, "%s: unknown %s \"%.40s\"", l->where, key, s));
    return 0;
}

static const char *scalar_word(int i)
{
    return rg_scalar_c((enum rg_scalar)i);
}
static const char *kind_word(int i)
{
    return rg__c_shapes[i].word;
}
static const char *var_word(int i)
{
    return rg__cvar_words[i];
}

static enum rg_scalar load_type(struct loader *l, const json_t *o)
{
    return (enum rg_scalar)load_word(l, o, "type", scalar_word, RG_N_SCALARS);
}

static void load_var(struct loader *l, const json_t *o, struct rg_cvar *v)
{
    v->name = load_name(l, o, "name");
    v->kind = (enum rg_cvar_kind)load_word(l, o, "kind", var_word, RG__N_CVAR_KINDS);
    v->param = (int)load_int(l, o, "param", -1, -1, MAX_SYMBOLS);
    v->type = load_type(l, o);
    v->struct_index = (int)load_int(l, o, "struct", -1, -1, MAX_STRUCTS);
    v->c_type = load_name(l, o, "c_type");
    v->assigned = load_flag(l, o, "assigned");
    if (v->kind == RG_CVAR_PARAM && v->param < 0) refuse(l, "a parameter's variable names no parameter");
}

static void load_array(struct loader *l, const json_t *o, struct rg_carray *a)
{
    a->name = load_name(l, o, "name");
    a->param = (int)load_int(l, o, "param", -1, -1, MAX_SYMBOLS);
    a->elem = load_type(l, o);
    a->struct_index = (int)load_int(l, o, "struct", -1, -1, MAX_STRUCTS);
    a->c_elem = load_name(l, o, "c_elem");
    a->delinearised = load_flag(l, o, "delinearised");
    a->constant_table = load_flag(l, o, "table");
    a->mallocd = load_flag(l, o, "malloc");
    a->is_const = load_flag(l, o, "const");
    a->begins = load_flag(l, o, "begins");
    a->distinct = load_flag(l, o, "distinct");
    json_t *dims = l->status == RG_OK ? rg_json_array(o, "dims", l->where, l->err) : NULL;
    if (!dims) {
        failed(l, RG_INPUT);
        return;
    }
    size_t n = json_array_size(dims);
    if (n < 1 || n > RG__TREE_DIMS) {
        refuse(l, "an array has 1 to 64 dimensions");
        return;
    }
    a->n_dims = (int)n;
    a->dims = rg_arena_alloc(&l->t->arena, n * sizeof *a->dims);
    for (size_t i = 0; i < n && l->status == RG_OK; i++) {
        const json_t *d = json_array_get(dims, i);
        if (json_is_null(d) && i == 0) continue; /* of unknown extent */
        if (!json_is_string(d))
            refuse(l, "dimensions must be expressions, the first may be null");
        else if (failed(l, rg_expr_parse_all(&l->t->arena, json_string_value(d), &a->dims[i], l->err)))
            rg_error_prefix(l->err, "%s", l->where);
    }
}

static void load_helper(struct loader *l, const json_t *o, struct rg_chelper *h)
{
    h->name = load_name(l, o, "name");
    h->c_text = load_text(l, o, "text", false);
    h->pure = load_flag(l, o, "pure");
    h->reads = (unsigned)load_int(l, o, "reads", 0, 0, INT32_MAX);
    h->extreme = (int)load_int(l, o, "extreme", 0, -1, 1);
    h->rejected = load_flag(l, o, "rejected");
    h->why = load_text(l, o, "why", false);
}

/* The member's entries; *n how many. NULL after a failure. */
static json_t *load_list(struct loader *l, const json_t *o, const char *key, size_t most, int *n)
{
    *n = 0;
    json_t *a = l->status == RG_OK ? rg_json_array(o, key, "tree", l->err) : NULL;
    if (!a) {
        failed(l, RG_INPUT);
        return NULL;
    }
    if (json_array_size(a) > most) {
        failed(l, rg_error_set(l->err, RG_INPUT, "tree: too many %s", key));
        return NULL;
    }
    *n = (int)json_array_size(a);
    return a;
}

/* Names are unique over vars, arrays and helpers: the printer relies on it. */
static void unique(struct loader *l, json_t *seen, const char *name)
{
    if (l->status != RG_OK) return;
    json_t *key = rg_json_text(name);
    const char *s = json_string_value(key);
    if (json_object_get(seen, s))
        failed(l, rg_error_set(l->err, RG_INPUT, "%s: two symbols are named \"%.80s\"", l->where, s));
    json_object_set_new(seen, s, json_true());
    json_decref(key);
}

static void load_symbols(struct loader *l, const json_t *o)
{
    struct rg_ctree *t = l->t;
    json_t *seen = json_object(), *a;
    int n;
    if ((a = load_list(l, o, "vars", MAX_SYMBOLS, &n))) t->vars = rg_xcalloc((size_t)n + 1, sizeof *t->vars);
    for (int i = 0; i < n && at(l, json_array_get(a, (size_t)i), "variable", (size_t)i); i++) {
        load_var(l, json_array_get(a, (size_t)i), &t->vars[i]);
        unique(l, seen, t->vars[i].name);
        t->n_vars = t->cap_vars = i + 1;
    }
    if ((a = load_list(l, o, "arrays", MAX_SYMBOLS, &n))) t->arrays = rg_xcalloc((size_t)n + 1, sizeof *t->arrays);
    for (int i = 0; i < n && at(l, json_array_get(a, (size_t)i), "array", (size_t)i); i++) {
        load_array(l, json_array_get(a, (size_t)i), &t->arrays[i]);
        unique(l, seen, t->arrays[i].name);
        t->n_arrays = t->cap_arrays = i + 1;
    }
    if ((a = load_list(l, o, "helpers", MAX_SYMBOLS, &n))) t->helpers = rg_xcalloc((size_t)n + 1, sizeof *t->helpers);
    for (int i = 0; i < n && at(l, json_array_get(a, (size_t)i), "helper", (size_t)i); i++) {
        load_helper(l, json_array_get(a, (size_t)i), &t->helpers[i]);
        unique(l, seen, t->helpers[i].name);
        t->n_helpers = t->cap_helpers = i + 1;
    }
    json_decref(seen);
    snprintf(l->where, sizeof l->where, "tree");
    t->result_array = (int)load_int(l, o, "result", -1, -1, t->n_arrays - 1);
}

static struct rg_cnode *load_node(struct loader *l, const json_t *o, struct rg_cnode **nodes, int index, int *depth)
{
    struct rg_ctree *t = l->t;
    enum rg_c_kind kind = (enum rg_c_kind)load_word(l, o, "k", kind_word, RG__N_C_KINDS);
    const json_t *kids = json_object_get(o, "kids");
    size_t n = json_array_size(kids);
    if (l->status == RG_OK && kids && !json_is_array(kids)) refuse(l, "kids must be an array");
    if (l->status == RG_OK && (n > MAX_NODES || (int)n < rg__c_shapes[kind].least || (int)n > rg__c_shapes[kind].most))
        refuse(l, "wrong number of kids");
    if (l->status != RG_OK) return NULL;
    struct rg_cnode *x = rg_cnode_new(t, kind, (int)n);
    if (json_object_get(o, "type")) x->type = load_type(l, o);
    x->pointer = load_flag(l, o, "pointer");
    x->struct_index = (int)load_int(l, o, "struct", -1, -1, MAX_STRUCTS);
    x->text = load_text(l, o, "text", false);
    if (x->text && rg__c_shapes[kind].text == RG__TEXT_OPERATOR) {
        x->op = rg_c_op_of(kind, x->text);
        x->text = NULL;
    }
    x->ivalue = load_int(l, o, "i", 0, INT64_MIN, INT64_MAX);
    const char *number = NULL;
    if (l->status == RG_OK && !failed(l, rg_json_opt_str(o, "r", l->where, &number, l->err)) && number) {
        char *end;
        x->rvalue = strtod(number, &end);
        if (end == number || *end) refuse(l, "\"r\" is no number");
    }
    x->var = (int)load_int(l, o, "var", -1, -1, t->n_vars - 1);
    x->array = (int)load_int(l, o, "array", -1, -1, t->n_arrays - 1);
    x->callee = (int)load_int(l, o, "callee", -1, -1, t->n_helpers - 1);
    x->step = load_int(l, o, "step", 0, INT64_MIN, INT64_MAX);
    x->apart = load_flag(l, o, "apart");
    x->parallel_hint = load_flag(l, o, "parallel");
    x->why = load_text(l, o, "why", false);
    x->line = (int)load_int(l, o, "line", 0, 0, INT_MAX);
    x->column = (int)load_int(l, o, "column", 0, 0, INT_MAX);
    depth[index] = 1;
    for (int i = 0; i < x->n; i++) {
        const json_t *k = json_array_get(kids, (size_t)i);
        if (json_is_null(k)) continue;
        json_int_t v = json_is_integer(k) ? json_integer_value(k) : -1;
        /* each is taken once, so that it is a tree */
        if (v < 0 || v >= index || !nodes[v]) {
            refuse(l, "a kid must be an earlier node that has no parent yet");
            return NULL;
        }
        x->kid[i] = nodes[v];
        nodes[v] = NULL;
        if (depth[index] <= depth[v]) depth[index] = depth[v] + 1;
    }
    if (depth[index] > MAX_DEPTH) refuse(l, "nested too deeply");
    const char *fault = l->status == RG_OK ? rg__c_node_fault(t, x) : NULL;
    if (fault) refuse(l, fault);
    return x;
}

static void load_nodes(struct loader *l, const json_t *o)
{
    int n;
    json_t *a = load_list(l, o, "nodes", MAX_NODES, &n);
    if (!a) return;
    struct rg_cnode **nodes = rg_xcalloc((size_t)n + 1, sizeof *nodes);
    int *depth = rg_xcalloc((size_t)n + 1, sizeof *depth);
    for (int i = 0; i < n && at(l, json_array_get(a, (size_t)i), "node", (size_t)i); i++)
        nodes[i] = load_node(l, json_array_get(a, (size_t)i), nodes, i, depth);
    snprintf(l->where, sizeof l->where, "tree");
    if (l->status == RG_OK) {
        l->t->root = n ? nodes[n - 1] : NULL;
        if (!l->t->root || l->t->root->kind != RG_C_BLOCK) refuse(l, "the last node must be a block, the root");
        for (int i = 0; i + 1 < n; i++)
            if (nodes[i]) refuse(l, "a node belongs to no other");
        if (l->status == RG_OK) failed(l, rg__c_verify(l->t, RG__C_CANONICAL, RG_INPUT, l->err));
    }
    free(nodes);
    free(depth);
}

enum rg_status rg_ctree_from_json(const char *text, struct rg_ctree **out, struct rg_error *err)
{
    *out = NULL;
    json_t *o = rg_json_parse(text, strlen(text), "tree", err);
    if (!o) return RG_INPUT;
    struct loader l = {rg_xcalloc(1, sizeof(struct rg_ctree)), err, RG_OK, "tree"};
    const char *format = json_string_value(json_object_get(o, "format"));
    if (!format || strcmp(format, RG__TREE_FORMAT)) refuse(&l, "\"format\" must be \"" RG__TREE_FORMAT "\"");
    load_symbols(&l, o);
    load_nodes(&l, o);
    json_decref(o);
    if (l.status == RG_OK)
        *out = l.t;
    else
        rg_ctree_free(l.t);
    return l.status;
}
