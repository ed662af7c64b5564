/* Problems as JSON, "format": "regraph-problem/1", and the hashes over that. */
#include "base/constants_json.h"
#include "base/json_util.h"
#include "base/problem_words.h"
#include <rg/file.h>
#include <rg/hash.h>
#include <rg/problem.h>
#include <rg/words.h>
#include <stdlib.h>
#include <string.h>

const char *const rg__problem_roles[] = {"in", "out", "inout", NULL};
const char *const rg__problem_origins[] = {"argument", "global", "result", "derived", "returned", NULL};
const char *const rg__problem_kinds[] = {"scalar", "array", NULL};
const char *const rg__problem_oracles[] = {"f64", "sequential", NULL};
const char *const rg__problem_inputs[] = {
    "default", "uniform", "normal",   "constant", "affine",   "sorted", "prefix", "permutation", "lcg", "string",
    "band",    "choice",  "plateaus", "rows",     "dominant", "links",  "file",   "init",        NULL};

#define N_OF(w) ((int)(sizeof(w) / sizeof(w)[0]))

static json_t *expr_text(const struct rg_expr *e)
{
    struct rg_buf b = RG_BUF_INIT;
    rg_expr_print(&b, e, NULL, NULL);
    json_t *j = json_string(b.data);
    rg_buf_release(&b);
    return j;
}

static json_t *text_or_null(const char *s)
{
    return s ? rg_json_text(s) : json_null();
}

static json_t *save_input(const struct rg_input *in)
{
    json_t *args = json_array();
    for (int i = 0; i < in->n_args; i++) {
        char number[40];
        snprintf(number, sizeof number, "%.17g", in->real_args[i]);
        json_array_append_new(args, in->int_args[i] ? expr_text(in->int_args[i]) : json_pack("{s:s}", "real", number));
    }
    return json_pack("{s:s, s:o, s:o, s:o}", "kind", rg__problem_inputs[in->kind], "args", args, "text",
                     text_or_null(in->text), "file", text_or_null(in->file));
}

static json_t *save_members(const struct rg_param *q)
{
    json_t *all = q->n_members ? json_array() : NULL;
    for (int i = 0; i < q->n_members; i++)
        json_array_append_new(
            all, json_pack("{s:s, s:o}", "path", q->members[i].path, "input", save_input(&q->members[i].input)));
    return all;
}

static json_t *save_param(const struct rg_param *q)
{
    json_t *dims = json_array();
    for (int i = 0; i < q->n_dims; i++) json_array_append_new(dims, expr_text(q->dims[i]));
    return json_pack(
        "{s:s, s:o*, s:o*, s:s, s:s, s:s, s:s, s:i, s:I, s:s, s:o, s:b, s:o*, s:o, s:b, s:o*, s:o*, s:o*, s:o*, "
        "s:o*, s:o*, s:o*, s:o*, s:o*, s:o*, s:o, s:o*, s:o, s:f}",
        "name", q->name, "shown", q->c_name ? rg_json_text(q->c_name) : NULL, "derived",
        q->derived ? expr_text(q->derived) : NULL, "kind", rg__problem_kinds[q->kind], "origin",
        rg__problem_origins[q->origin], "role", rg__problem_roles[q->role], "type", rg_scalar_c(q->elem), "struct",
        q->struct_index, "bytes", (json_int_t)q->elem_bytes, "c_elem", q->c_elem, "c_decl", rg_json_text(q->c_decl),
        "const", q->c_const, "void", q->c_void ? json_true() : NULL, "extent", dims, "inferred", q->extent_inferred,
        "extent_from", q->extent_from ? rg_json_text(q->extent_from) : NULL, "indirect",
        q->indirect ? json_true() : NULL, "rows", q->rows ? json_true() : NULL, "pointer",
        q->c_pointer ? json_true() : NULL, "access", q->access ? rg_json_text(q->access) : NULL, "column",
        q->column ? rg_json_text(q->column) : NULL, "column_count", q->column ? rg_json_text(q->column_count) : NULL,
        "column_bytes", q->column ? rg_json_text(q->column_bytes) : NULL, "state", q->state ? json_true() : NULL,
        "least_one", q->least_one ? json_true() : NULL, "input", save_input(&q->input), "members", save_members(q),
        "expect", text_or_null(q->expect_file), "mismatch_share", q->mismatch_share);
}

static json_t *save_struct(const struct rg_struct *s)
{
    json_t *fields = json_array();
    for (int i = 0; i < s->n_fields; i++) {
        const struct rg_field *f = &s->fields[i];
        json_array_append_new(fields, json_pack("{s:s, s:s, s:I, s:I}", "path", f->path, "type", rg_scalar_c(f->type),
                                                "offset", (json_int_t)f->offset, "count", (json_int_t)f->count));
    }
    return json_pack("{s:s, s:I, s:o}", "name", s->c_name, "bytes", (json_int_t)s->bytes, "fields", fields);
}

static json_t *save_sizes(const struct rg_problem *p, const struct rg_sizes *s)
{
    json_t *values = json_array();
    for (int i = 0; i < p->n_size_params; i++) json_array_append_new(values, json_integer(s->values[i]));
    json_t *o = json_pack("{s:o, s:f, s:b, s:b, s:b}", "values", values, "work", s->work, "timed", s->timed, "verify",
                          s->verify, "sim", s->on_sim);
    if (s->chosen) json_object_set_new(o, "chosen", json_true());
    return o;
}

static json_t *save_args(const struct rg_problem *p)
{
    json_t *all = json_array();
    for (int i = 0; i < p->n_args; i++)
        json_array_append_new(all, json_pack("{s:s, s:o, s:s, s:i}", "name", p->args[i].name, "decl",
                                             rg_json_text(p->args[i].c_decl), "type", p->args[i].type, "param",
                                             p->args[i].param));
    return all;
}

static json_t *to_json(const struct rg_problem *p)
{
    json_t *o = json_object(), *a;
    json_object_set_new(o, "format", json_string(RG__PROBLEM_FORMAT));
#define X(member, null) json_object_set_new(o, #member, text_or_null(p->member));
    RG__PROBLEM_TEXTS(X)
#undef X
#define X(member)                                                                                                      \
    if (p->member) json_object_set_new(o, #member, rg_json_text(p->member));
    RG__PROBLEM_MORE_TEXTS(X)
#undef X
    if (p->n_args) json_object_set_new(o, "arguments", save_args(p));
    if (p->n_constants) json_object_set_new(o, "constants", rg__constants_save(p));
    json_object_set_new(o, "line", json_integer(p->line));
    if (p->text_line) json_object_set_new(o, "text_line", json_integer(p->text_line));
    if (p->round_at)
        json_object_set_new(o, "rounds", json_pack("{s:I, s:i}", "at", (json_int_t)p->round_at, "line", p->round_line));
    if (p->comment_lines)
        json_object_set_new(o, "comment", json_pack("{s:i, s:i}", "line", p->comment_line, "lines", p->comment_lines));
    json_object_set_new(o, "oracle", json_string(rg__problem_oracles[p->oracle]));
    json_object_set_new(o, "with", a = json_array());
    for (int i = 0; i < p->n_with; i++) json_array_append_new(a, rg_json_text(p->with_c[i]));
    json_object_set_new(o, "structs", a = json_array());
    for (int i = 0; i < p->n_structs; i++) json_array_append_new(a, save_struct(&p->structs[i]));
    json_object_set_new(o, "params", a = json_array());
    for (int i = 0; i < p->n_params; i++) json_array_append_new(a, save_param(&p->params[i]));
    json_object_set_new(o, "size_params", a = json_array());
    for (int i = 0; i < p->n_size_params; i++) json_array_append_new(a, json_integer(p->size_params[i]));
    json_object_set_new(o, "sizes", a = json_array());
    for (int i = 0; i < p->n_sizes; i++) json_array_append_new(a, save_sizes(p, &p->sizes[i]));
    json_object_set_new(o, "require", a = json_array());
    for (int i = 0; i < p->n_require; i++) /* as written */
        json_array_append_new(a, p->require_text && p->require_text[i] ? rg_json_text(p->require_text[i])
                                                                       : expr_text(p->require[i]));
    json_object_set_new(o, "rtol", json_real(p->rtol));
    json_object_set_new(o, "atol", json_real(p->atol));
    if (p->allow) {
        json_object_set_new(o, "allow", a = json_array());
        if (p->allow & RG_ALLOW_TF32) json_array_append_new(a, json_string("tf32"));
        if (p->allow & RG_ALLOW_FAST_MATH) json_array_append_new(a, json_string("fast-math"));
    }
    json_object_set_new(o, "accumulates", json_boolean(p->accumulates));
    json_object_set_new(o, "may_alias", json_boolean(p->may_alias));
    if (p->in_file) json_object_set_new(o, "in_file", json_true());
    if (p->init_found) json_object_set_new(o, "init_found", json_true());
    if (p->verify_halvings) json_object_set_new(o, "verify_halvings", json_integer(p->verify_halvings));
    if (p->size_halvings) json_object_set_new(o, "size_halvings", json_integer(p->size_halvings));
    if (p->main_times) json_object_set_new(o, "main_times", json_integer(p->main_times));
    json_object_set_new(o, "allow_trivial", json_boolean(p->allow_trivial));
    json_object_set_new(o, "traits", a = json_array());
    for (int i = 0; i < RG_N_TRAITS; i++)
        if (p->traits & (1u << i)) json_array_append_new(a, json_string(rg_trait_word(i)));
    json_object_set_new(o, "class", json_string(p->klass));
    json_object_set_new(o, "flops", json_real(p->flops));
    json_object_set_new(o, "compulsory_read_bytes", json_real(p->compulsory_read_bytes));
    json_object_set_new(o, "compulsory_write_bytes", json_real(p->compulsory_write_bytes));
    json_object_set_new(o, "compulsory_counted", json_boolean(p->compulsory_counted));
    return o;
}

/* A preprocessed text names files in its line markers; the same code in another folder is the same problem. */
static json_t *without_markers(const char *text)
{
    struct rg_buf b = RG_BUF_INIT;
    for (const char *line = text; *line;) {
        const char *end = strchr(line, '\n');
        size_t n = end ? (size_t)(end - line) + 1 : strlen(line);
        if (!(line[0] == '#' && line[1] == ' ' && line[2] >= '0' && line[2] <= '9')) rg_buf_add(&b, line, n);
        line += n;
    }
    json_t *j = rg_json_text(b.data);
    rg_buf_release(&b);
    return j;
}

void rg_problem_rehash(struct rg_problem *p)
{
    json_t *o = to_json(p);
    static const char *const paths[] = {
        "file",      "line",   "text_line", "comment",
        "constants", "rounds", "tree_json"}; /* the tree follows from the text, and holds lines */
    for (int i = 0; i < N_OF(paths); i++) json_object_del(o, paths[i]);
    json_object_set_new(o, "reference_c", without_markers(p->reference_c));
    if (p->oracle_c) json_object_set_new(o, "oracle_c", without_markers(p->oracle_c));
    char *text = json_dumps(o, JSON_COMPACT | JSON_SORT_KEYS | JSON_REAL_PRECISION(15));
    rg_sha256_hex(text, strlen(text), p->hash);
    free(text);
    json_decref(o);
}

/* Places and names say where a program stands and what its author called things, not what it does. */
static void strip_names(json_t *j)
{
    static const char *const told[] = {"line", "column", "name"};
    const char *key;
    json_t *v;
    size_t i;
    for (int k = 0; k < N_OF(told); k++) json_object_del(j, told[k]);
    json_object_foreach(j, key, v) strip_names(v);
    json_array_foreach(j, i, v) strip_names(v);
}

void rg_problem_program(const struct rg_problem *p, char out[17])
{
    char hex[65];
    json_t *tree = p->tree_json ? json_loads(p->tree_json, 0, NULL) : NULL;
    if (tree)
        strip_names(tree);
    else
        tree = without_markers(p->reference_c ? p->reference_c : "");
    char *text = json_dumps(tree, JSON_COMPACT | JSON_SORT_KEYS | JSON_ENCODE_ANY | JSON_REAL_PRECISION(15));
    rg_sha256_hex(text, strlen(text), hex);
    memcpy(out, hex, 16);
    out[16] = 0;
    free(text);
    json_decref(tree);
}

char *rg_problem_to_json(const struct rg_problem *p)
{
    json_t *o = to_json(p);
    char *line = json_dumps(o, JSON_COMPACT | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(17)); /* 15 digits lose bits */
    json_decref(o);
    return line;
}

enum rg_status rg_problem_save(const struct rg_problem *p, const char *path, struct rg_error *err)
{
    json_t *o = to_json(p);
    char *text = json_dumps(o, JSON_INDENT(2) | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(17));
    json_decref(o);
    enum rg_status s = rg_file_write(path, text, strlen(text), err);
    free(text);
    return s;
}
