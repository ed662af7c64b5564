/* The C tree as JSON, "format": "regraph-tree/1". Nodes are a flat list, kids before their parent and named by index,
 * so that no nesting of the user's C meets a parser's depth limit and loading needs no recursion. */
#include "base/json_util.h"
#include "ir/ctree_json.h"
#include <rg/scalar.h>
#include <stdlib.h>
#include <string.h>

const struct rg__c_shape rg__c_shapes[RG__N_C_KINDS] = {
    [RG_C_INT] = {"int", 0, 0, 0, RG__TEXT_FREE, true, false},
    [RG_C_REAL] = {"real", 0, 0, 0, RG__TEXT_FREE, true, false},
    [RG_C_VAR] = {"var", 0, 0, 0, RG__TEXT_FREE, true, false},
    [RG_C_INDEX] = {"index", 0, RG__TREE_DIMS, 0, RG__TEXT_FREE, true, false},
    [RG_C_MEMBER] = {"member", 1, RG__TREE_DIMS, 0, RG__TEXT_NEEDED, true, false},
    [RG_C_UNARY] = {"unary", 1, 1, 0, RG__TEXT_OPERATOR, true, false},
    [RG_C_BINARY] = {"binary", 2, 2, 0, RG__TEXT_OPERATOR, true, false},
    [RG_C_ASSIGN] = {"assign", 2, 2, 0, RG__TEXT_OPERATOR, true, false},
    [RG_C_INCDEC] = {"incdec", 1, 1, 0, RG__TEXT_OPERATOR, true, false},
    [RG_C_COND] = {"cond", 3, 3, 0, RG__TEXT_FREE, true, false},
    [RG_C_CALL] = {"call", 0, INT_MAX, 0, RG__TEXT_NEEDED, true, false},
    [RG_C_CAST] = {"cast", 1, 1, 0, RG__TEXT_FREE, true, false},
    [RG_C_COMMA] = {"comma", 1, INT_MAX, 0, RG__TEXT_FREE, true, false},
    [RG_C_INITLIST] = {"initlist", 0, INT_MAX, 0, RG__TEXT_FREE, true, false},
    [RG_C_STRING] = {"string", 0, 0, 0, RG__TEXT_NEEDED, true, false},
    [RG_C_BLOCK] = {"block", 0, INT_MAX, 0, RG__TEXT_FREE, false, false},
    [RG_C_LOOP] = {"loop", 3, 4, 0, RG__TEXT_FREE, false, false},
    [RG_C_IF] = {"if", 2, 3, 1u << 2, RG__TEXT_FREE, false, false},
    [RG_C_STMT] = {"stmt", 1, 1, 0, RG__TEXT_FREE, false, false},
    [RG_C_DECL] = {"decl", 0, 1, 1u << 0, RG__TEXT_FREE, false, false},
    [RG_C_RETURN] = {"return", 0, 1, 1u << 0, RG__TEXT_FREE, false, false},
    [RG_C_OPAQUE] = {"opaque", 1, 1, 0, RG__TEXT_FREE, false, false},
    [RG_C_FOR] = {"for", 4, 4, 1u << 0 | 1u << 1 | 1u << 2, RG__TEXT_FREE, false, true},
    [RG_C_WHILE] = {"while", 2, 2, 0, RG__TEXT_FREE, false, true},
    [RG_C_DO] = {"do", 2, 2, 0, RG__TEXT_FREE, false, true},
    [RG_C_BREAK] = {"break", 0, 0, 0, RG__TEXT_FREE, false, true},
    [RG_C_CONTINUE] = {"continue", 0, 0, 0, RG__TEXT_FREE, false, true},
    [RG_C_SWITCH] = {"switch", 2, 2, 0, RG__TEXT_FREE, false, true},
    [RG_C_CASE] = {"case", 2, 2, 1u << 0, RG__TEXT_FREE, false, true},
    [RG_C_VERBATIM] = {"verbatim", 0, 0, 0, RG__TEXT_NEEDED, true, false},
};

const char *const rg__cvar_words[RG__N_CVAR_KINDS] = {"param", "iter", "local"};

/* C text may hold bytes that are no UTF-8 (a Latin-1 string literal): then {"latin1": the bytes as code points}. */
static json_t *save_text(const char *s)
{
    if (!s) return json_null();
    json_t *j = json_string(s);
    if (j) return j;
    struct rg_buf b = RG_BUF_INIT;
    for (const unsigned char *c = (const unsigned char *)s; *c; c++) {
        if (*c >= 0x80) {
            rg_buf_char(&b, (char)(0xC0 | *c >> 6));
            rg_buf_char(&b, (char)(0x80 | (*c & 0x3F)));
        } else {
            rg_buf_char(&b, (char)*c);
        }
    }
    j = json_pack("{s:o}", "latin1", json_string(b.data));
    rg_buf_release(&b);
    return j;
}

static void put_text(json_t *o, const char *key, const char *s)
{
    if (s) json_object_set_new(o, key, save_text(s));
}

static void put_index(json_t *o, const char *key, int64_t v, int64_t usual)
{
    if (v != usual) json_object_set_new(o, key, json_integer(v));
}

static void put_flag(json_t *o, const char *key, bool v)
{
    if (v) json_object_set_new(o, key, json_true());
}

/* Appends the node below its kids; returns its index. */
static int save_node(json_t *nodes, const struct rg_cnode *n)
{
    json_t *kids = json_array();
    for (int i = 0; i < n->n; i++)
        json_array_append_new(kids, n->kid[i] ? json_integer(save_node(nodes, n->kid[i])) : json_null());
    json_t *o = json_object();
    json_object_set_new(o, "k", json_string(rg__c_shapes[n->kind].word));
    if (n->type != RG_I32) json_object_set_new(o, "type", json_string(rg_scalar_c(n->type)));
    put_flag(o, "pointer", n->pointer);
    put_index(o, "struct", n->struct_index, -1);
    put_text(o, "text", n->op ? rg_c_op_text(n->op) : n->text);
    put_index(o, "i", n->ivalue, 0);
    const double zero = 0;
    if (memcmp(&n->rvalue, &zero, sizeof zero)) { /* -0.0 is a value too */
        char number[40];
        snprintf(number, sizeof number, "%.17g", n->rvalue);
        json_object_set_new(o, "r", json_string(number));
    }
    put_index(o, "var", n->var, -1);
    put_index(o, "array", n->array, -1);
    put_index(o, "callee", n->callee, -1);
    put_index(o, "step", n->step, 0);
    put_flag(o, "apart", n->apart);
    put_flag(o, "parallel", n->parallel_hint);
    put_text(o, "why", n->why);
    put_index(o, "line", n->line, 0);
    put_index(o, "column", n->column, 0);
    if (n->n) json_object_set(o, "kids", kids);
    json_decref(kids);
    json_array_append_new(nodes, o);
    return (int)json_array_size(nodes) - 1;
}

static json_t *save_var(const struct rg_cvar *v)
{
    return json_pack("{s:o, s:s, s:i, s:s, s:i, s:o, s:b}", "name", save_text(v->name), "kind", rg__cvar_words[v->kind],
                     "param", v->param, "type", rg_scalar_c(v->type), "struct", v->struct_index, "c_type",
                     save_text(v->c_type), "assigned", v->assigned);
}

static json_t *save_array(const struct rg_carray *a)
{
    json_t *dims = json_array();
    for (int i = 0; i < a->n_dims; i++) {
        if (!a->dims[i]) {
            json_array_append_new(dims, json_null());
            continue;
        }
        struct rg_buf b = RG_BUF_INIT;
        rg_expr_print(&b, a->dims[i], NULL, NULL);
        json_array_append_new(dims, json_string(b.data));
        rg_buf_release(&b);
    }
    json_t *o = json_pack("{s:o, s:i, s:s, s:i, s:o, s:o, s:b, s:b, s:b, s:b}", "name", save_text(a->name), "param",
                          a->param, "type", rg_scalar_c(a->elem), "struct", a->struct_index, "c_elem",
                          save_text(a->c_elem), "dims", dims, "delinearised", a->delinearised, "table",
                          a->constant_table, "malloc", a->mallocd, "const", a->is_const);
    if (o && a->begins) json_object_set_new(o, "begins", json_true());
    if (o && a->distinct) json_object_set_new(o, "distinct", json_true());
    return o;
}

static json_t *save_helper(const struct rg_chelper *h)
{
    json_t *o = json_pack("{s:o, s:o, s:b, s:b, s:o}", "name", save_text(h->name), "text", save_text(h->c_text), "pure",
                          h->pure, "rejected", h->rejected, "why", save_text(h->why));
    if (o && h->extreme) json_object_set_new(o, "extreme", json_integer(h->extreme));
    if (o && h->reads) json_object_set_new(o, "reads", json_integer(h->reads));
    return o;
}

char *rg_ctree_to_json(const struct rg_ctree *t)
{
    json_t *o = json_object(), *a;
    json_object_set_new(o, "format", json_string(RG__TREE_FORMAT));
    json_object_set_new(o, "vars", a = json_array());
    for (int i = 0; i < t->n_vars; i++) json_array_append_new(a, save_var(&t->vars[i]));
    json_object_set_new(o, "arrays", a = json_array());
    for (int i = 0; i < t->n_arrays; i++) json_array_append_new(a, save_array(&t->arrays[i]));
    json_object_set_new(o, "helpers", a = json_array());
    for (int i = 0; i < t->n_helpers; i++) json_array_append_new(a, save_helper(&t->helpers[i]));
    json_object_set_new(o, "result", json_integer(t->result_array));
    json_object_set_new(o, "nodes", a = json_array());
    save_node(a, t->root);
    char *text = rg_json_line(o);
    json_decref(o);
    return text;
}
