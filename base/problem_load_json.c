/* Saved problems, read. One travels to machines without libclang, so loading trusts nothing: every index and every type
 * is checked. */
#include "base/constants_json.h"
#include "base/json_util.h"
#include "base/problem_words.h"
#include <rg/file.h>
#include <rg/problem.h>
#include <rg/words.h>
#include <stdlib.h>
#include <string.h>

struct loader {
    struct rg_problem *p;
    struct rg_error *err;
    enum rg_status status; /* the first failure; everything after it is skipped */
};

static bool bad(struct loader *l, enum rg_status s)
{
    if (l->status == RG_OK) l->status = s;
    return l->status != RG_OK;
}

static bool refuse(struct loader *l, const char *where, const char *what)
{
    return bad(l, rg_error_set(l->err, RG_INPUT, "%s: %s", where, what));
}

static const char *str(struct loader *l, const json_t *o, const char *key, const char *where, bool null)
{
    const char *s = NULL;
    if (l->status != RG_OK) return null ? NULL : "";
    if (bad(l, null ? rg_json_opt_str(o, key, where, &s, l->err) : rg_json_str(o, key, where, &s, l->err)))
        return null ? NULL : "";
    return rg_arena_strdup(&l->p->arena, s);
}

static int word(struct loader *l, const json_t *o, const char *key, const char *where, const char *const *words)
{
    const char *s = NULL;
    if (l->status != RG_OK || bad(l, rg_json_str(o, key, where, &s, l->err))) return 0;
    for (int i = 0; words[i]; i++)
        if (!strcmp(words[i], s)) return i;
    bad(l, rg_error_set(l->err, RG_INPUT, "%s: unknown %s \"%s\"", where, key, s));
    return 0;
}

static int64_t integer(struct loader *l, const json_t *o, const char *key, const char *where, int64_t low, int64_t high)
{
    int64_t v = low;
    if (l->status != RG_OK || bad(l, rg_json_int(o, key, where, &v, l->err))) return low;
    if (v < low || v > high) {
        bad(l, rg_error_set(l->err, RG_INPUT, "%s: member \"%s\" is out of range", where, key));
        return low;
    }
    return v;
}

static double real(struct loader *l, const json_t *o, const char *key, const char *where)
{
    double v = 0;
    if (l->status == RG_OK) bad(l, rg_json_real(o, key, where, &v, l->err));
    return v;
}

static bool boolean(struct loader *l, const json_t *o, const char *key, const char *where)
{
    bool v = false;
    if (l->status == RG_OK) bad(l, rg_json_opt_bool(o, key, where, &v, l->err));
    return v;
}

static json_t *array(struct loader *l, const json_t *o, const char *key, const char *where, size_t most)
{
    json_t *a = l->status == RG_OK ? rg_json_array(o, key, where, l->err) : NULL;
    if (!a) {
        bad(l, RG_INPUT);
        return NULL;
    }
    if (json_array_size(a) > most) refuse(l, where, "too many entries");
    return a;
}

static void expr(struct loader *l, const json_t *text, const char *where, const struct rg_expr **out)
{
    if (l->status != RG_OK) return;
    if (!json_is_string(text)) {
        refuse(l, where, "an expression must be a string");
        return;
    }
    if (bad(l, rg_expr_parse_all(&l->p->arena, json_string_value(text), out, l->err)))
        rg_error_prefix(l->err, "%s", where);
}

static void scalar_type(struct loader *l, const json_t *o, const char *where, enum rg_scalar *out)
{
    const char *s = str(l, o, "type", where, false);
    *out = RG_I32;
    if (l->status != RG_OK) return;
    if (!strcmp(s, "struct"))
        *out = RG_STRUCT;
    else if (!rg_scalar_parse(s, out))
        refuse(l, where, "unknown type");
}

static void load_struct(struct loader *l, const json_t *o, struct rg_struct *s)
{
    s->c_name = str(l, o, "name", "struct", false);
    s->bytes = integer(l, o, "bytes", "struct", 1, INT32_MAX);
    json_t *fields = array(l, o, "fields", "struct", 4096);
    if (l->status != RG_OK) return;
    s->n_fields = (int)json_array_size(fields);
    s->fields = rg_arena_alloc(&l->p->arena, (size_t)s->n_fields * sizeof *s->fields);
    for (int i = 0; i < s->n_fields && l->status == RG_OK; i++) {
        struct rg_field *f = &s->fields[i];
        const json_t *j = json_array_get(fields, (size_t)i);
        f->path = str(l, j, "path", "field", false);
        scalar_type(l, j, "field", &f->type);
        f->offset = integer(l, j, "offset", "field", 0, s->bytes);
        f->count = integer(l, j, "count", "field", 1, s->bytes);
        if (l->status == RG_OK &&
            (f->type == RG_STRUCT || f->offset + f->count * (int64_t)rg_scalar_bytes(f->type) > s->bytes))
            refuse(l, s->c_name, "a field lies outside its struct");
    }
}

static void load_input(struct loader *l, const json_t *o, const char *where, struct rg_input *in)
{
    in->kind = (enum rg_input_kind)word(l, o, "kind", where, rg__problem_inputs);
    in->text = str(l, o, "text", where, true);
    in->file = str(l, o, "file", where, true);
    json_t *args = array(l, o, "args", where, RG_INPUT_ARGS);
    if (l->status != RG_OK) return;
    in->n_args = (int)json_array_size(args);
    for (int i = 0; i < in->n_args && l->status == RG_OK; i++) {
        const json_t *a = json_array_get(args, (size_t)i);
        const char *number = NULL;
        if (json_is_string(a)) {
            expr(l, a, where, &in->int_args[i]);
        } else if (!bad(l, rg_json_str(a, "real", where, &number, l->err))) {
            char *end;
            in->real_args[i] = strtod(number, &end);
            if (end == number || *end) refuse(l, where, "bad number in the input's arguments");
        }
    }
}

static void load_members(struct loader *l, const json_t *o, const char *where, struct rg_param *q)
{
    if (!json_object_get(o, "members")) return;
    json_t *all = array(l, o, "members", where, 4096);
    if (l->status != RG_OK) return;
    q->members = rg_arena_alloc(&l->p->arena, (json_array_size(all) + 1) * sizeof *q->members);
    for (size_t i = 0; i < json_array_size(all) && l->status == RG_OK; i++) {
        const json_t *m = json_array_get(all, i), *input = rg_json_object(m, "input", where, l->err);
        struct rg_member_input *x = &q->members[q->n_members++];
        memset(x, 0, sizeof *x);
        if (!input) bad(l, RG_INPUT);
        x->path = str(l, m, "path", where, false);
        if (l->status == RG_OK) load_input(l, input, where, &x->input);
        bool known = false;
        for (int k = 0; l->status == RG_OK && q->struct_index >= 0 && k < l->p->structs[q->struct_index].n_fields; k++)
            known |= !strcmp(l->p->structs[q->struct_index].fields[k].path, x->path);
        if (l->status == RG_OK && (!known || x->input.kind == RG_INPUT_FILE || x->input.kind == RG_INPUT_INIT))
            refuse(l, where,
                   "a member with an input of its own is a field of the struct, and no file or function fills it");
    }
}

static void load_param(struct loader *l, const json_t *o, struct rg_param *q)
{
    q->name = str(l, o, "name", "parameter", false);
    const char *where = q->name;
    if (json_object_get(o, "shown")) q->c_name = str(l, o, "shown", where, false);
    if (json_object_get(o, "derived")) expr(l, json_object_get(o, "derived"), where, &q->derived);
    q->kind = (enum rg_param_kind)word(l, o, "kind", where, rg__problem_kinds);
    q->origin = (enum rg_origin)word(l, o, "origin", where, rg__problem_origins);
    q->role = (enum rg_role)word(l, o, "role", where, rg__problem_roles);
    scalar_type(l, o, where, &q->elem);
    q->struct_index = (int)integer(l, o, "struct", where, -1, l->p->n_structs - 1);
    q->elem_bytes = integer(l, o, "bytes", where, 1, INT32_MAX);
    q->c_elem = str(l, o, "c_elem", where, false);
    q->c_decl = str(l, o, "c_decl", where, false);
    q->c_const = boolean(l, o, "const", where);
    q->c_void = json_object_get(o, "void") ? boolean(l, o, "void", where) : false;
    q->extent_inferred = boolean(l, o, "inferred", where);
    if (json_object_get(o, "extent_from")) q->extent_from = str(l, o, "extent_from", where, false);
    q->indirect = json_object_get(o, "indirect") ? boolean(l, o, "indirect", where) : false;
    q->rows = json_object_get(o, "rows") ? boolean(l, o, "rows", where) : false;
    q->c_pointer = json_object_get(o, "pointer") ? boolean(l, o, "pointer", where) : false;
    q->state = json_object_get(o, "state") ? boolean(l, o, "state", where) : false;
    q->least_one = json_object_get(o, "least_one") ? boolean(l, o, "least_one", where) : false;
    if (json_object_get(o, "access")) q->access = str(l, o, "access", where, false);
    if (json_object_get(o, "column")) {
        q->column = str(l, o, "column", where, false);
        q->column_count = str(l, o, "column_count", where, false);
        q->column_bytes = str(l, o, "column_bytes", where, false);
    }
    q->expect_file = str(l, o, "expect", where, true);
    q->mismatch_share = real(l, o, "mismatch_share", where);
    json_t *dims = array(l, o, "extent", where, 16),
           *input = l->status == RG_OK ? rg_json_object(o, "input", where, l->err) : NULL;
    if (!input) bad(l, RG_INPUT);
    if (l->status != RG_OK) return;
    if ((q->elem == RG_STRUCT) != (q->struct_index >= 0))
        refuse(l, where, "a struct type needs a struct, and no other does");
    else if (q->elem_bytes !=
             (q->elem == RG_STRUCT ? l->p->structs[q->struct_index].bytes : (int64_t)rg_scalar_bytes(q->elem)))
        refuse(l, where, "the element size does not fit the type");
    if (q->kind == RG_PARAM_ARRAY && !json_array_size(dims)) refuse(l, where, "an array needs an extent");
    if (q->rows && (q->kind != RG_PARAM_ARRAY || json_array_size(dims) < 2 || json_array_size(dims) > 3))
        refuse(l, where, "rows behind pointers are an array of two or three dimensions");
    if ((q->origin == RG_ORIGIN_DERIVED) != (q->derived != NULL) ||
        (q->derived && (q->kind != RG_PARAM_SCALAR || q->elem == RG_STRUCT || rg_scalar_is_real(q->elem))))
        refuse(l, where, "a derived parameter is an integer with an expression, and no other has one");
    if (l->status != RG_OK) return;
    q->n_dims = (int)json_array_size(dims);
    q->dims = rg_arena_alloc(&l->p->arena, (size_t)q->n_dims * sizeof *q->dims);
    for (int i = 0; i < q->n_dims; i++) expr(l, json_array_get(dims, (size_t)i), where, &q->dims[i]);
    load_input(l, input, where, &q->input);
    load_members(l, o, where, q);
}

static void load_sizes(struct loader *l, const json_t *o, struct rg_sizes *s)
{
    json_t *values = array(l, o, "values", "sizes", 64);
    if (l->status == RG_OK && (int)json_array_size(values) != l->p->n_size_params)
        refuse(l, "sizes", "as many values as size parameters are needed");
    s->work = real(l, o, "work", "sizes");
    s->timed = boolean(l, o, "timed", "sizes");
    s->verify = boolean(l, o, "verify", "sizes");
    s->on_sim = boolean(l, o, "sim", "sizes");
    s->chosen = json_object_get(o, "chosen") ? boolean(l, o, "chosen", "sizes") : false;
    if (l->status != RG_OK) return;
    s->values = rg_arena_alloc(&l->p->arena, (size_t)l->p->n_size_params * sizeof *s->values + 1);
    for (int i = 0; i < l->p->n_size_params; i++) {
        const json_t *v = json_array_get(values, (size_t)i);
        if (!json_is_integer(v))
            refuse(l, "sizes", "values must be integers");
        else
            s->values[i] = json_integer_value(v);
    }
}

static void load_lists(struct loader *l, const json_t *o)
{
    struct rg_problem *p = l->p;
    struct rg_arena *a = &p->arena;
    json_t *structs = array(l, o, "structs", "problem", 1000);
    if (l->status != RG_OK) return;
    p->n_structs = (int)json_array_size(structs);
    p->structs = rg_arena_alloc(a, (size_t)p->n_structs * sizeof *p->structs);
    for (int i = 0; i < p->n_structs; i++) load_struct(l, json_array_get(structs, (size_t)i), &p->structs[i]);
    json_t *params = array(l, o, "params", "problem", 1000);
    if (l->status != RG_OK) return;
    p->n_params = (int)json_array_size(params);
    p->params = rg_arena_alloc(a, (size_t)p->n_params * sizeof *p->params);
    for (int i = 0; i < p->n_params && l->status == RG_OK; i++)
        load_param(l, json_array_get(params, (size_t)i), &p->params[i]);
    json_t *size_params = array(l, o, "size_params", "problem", 64);
    if (l->status != RG_OK) return;
    p->n_size_params = (int)json_array_size(size_params);
    p->size_params = rg_arena_alloc(a, (size_t)p->n_size_params * sizeof *p->size_params);
    for (int i = 0; i < p->n_size_params; i++) {
        const json_t *v = json_array_get(size_params, (size_t)i);
        json_int_t k = json_is_integer(v) ? json_integer_value(v) : -1;
        if (k < 0 || k >= p->n_params || p->params[k].kind != RG_PARAM_SCALAR || rg_scalar_is_real(p->params[k].elem)) {
            refuse(l, "size_params", "each must be the index of an integer scalar parameter");
            return;
        }
        p->size_params[i] = (int)k;
    }
    json_t *sizes = array(l, o, "sizes", "problem", 1000), *require = array(l, o, "require", "problem", 1000),
           *with = array(l, o, "with", "problem", 1000);
    if (l->status != RG_OK) return;
    p->n_sizes = (int)json_array_size(sizes);
    if (!p->n_sizes) refuse(l, "sizes", "there must be at least one");
    p->sizes = rg_arena_alloc(a, (size_t)p->n_sizes * sizeof *p->sizes);
    int timed = 0;
    for (int i = 0; i < p->n_sizes && l->status == RG_OK; i++) {
        load_sizes(l, json_array_get(sizes, (size_t)i), &p->sizes[i]);
        timed += p->sizes[i].timed;
    }
    if (l->status == RG_OK && (timed != 1 || !p->sizes[0].timed))
        refuse(l, "sizes", "the first one, and no other, must be timed");
    p->n_require = (int)json_array_size(require);
    p->require = rg_arena_alloc(a, (size_t)p->n_require * sizeof *p->require);
    p->require_text = rg_arena_alloc(a, (size_t)p->n_require * sizeof *p->require_text);
    for (int i = 0; i < p->n_require && l->status == RG_OK; i++) {
        expr(l, json_array_get(require, (size_t)i), "require", &p->require[i]);
        p->require_text[i] =
            l->status == RG_OK ? rg_arena_strdup(a, json_string_value(json_array_get(require, (size_t)i))) : "";
    }
    p->n_with = (int)json_array_size(with);
    p->with_c = rg_arena_alloc(a, (size_t)p->n_with * sizeof *p->with_c);
    for (int i = 0; i < p->n_with && l->status == RG_OK; i++) {
        const char *text = json_string_value(json_array_get(with, (size_t)i));
        if (!text)
            refuse(l, "with", "each must be a string");
        else
            p->with_c[i] = rg_arena_strdup(a, text);
    }
}

static void load_args(struct loader *l, const json_t *o)
{
    struct rg_problem *p = l->p;
    json_t *all = json_object_get(o, "arguments") ? array(l, o, "arguments", "problem", 1000) : NULL;
    if (l->status != RG_OK || !all) return;
    p->args = rg_arena_alloc(&p->arena, (json_array_size(all) + 1) * sizeof *p->args);
    for (size_t i = 0; i < json_array_size(all) && l->status == RG_OK; i++) {
        const json_t *a = json_array_get(all, i);
        struct rg_arg *x = &p->args[p->n_args++];
        *x = (struct rg_arg){str(l, a, "name", "arguments", false), str(l, a, "decl", "arguments", false),
                             str(l, a, "type", "arguments", false),
                             (int)integer(l, a, "param", "arguments", -1, p->n_params - 1)};
        if (l->status == RG_OK && x->param >= 0 && p->params[x->param].origin != RG_ORIGIN_ARG)
            refuse(l, "arguments", "each is a parameter that is an argument, or none");
    }
    if (l->status == RG_OK && !p->auto_decls) refuse(l, "auto_decls", "missing");
}

static void load_all(struct loader *l, const json_t *o)
{
    struct rg_problem *p = l->p;
#define X(member, null) p->member = str(l, o, #member, "problem", null);
    RG__PROBLEM_TEXTS(X)
#undef X
    p->line = (int)integer(l, o, "line", "problem", 0, INT32_MAX);
    if (json_object_get(o, "text_line")) p->text_line = (int)integer(l, o, "text_line", "problem", 0, INT32_MAX);
    const json_t *comment = json_object_get(o, "comment"), *rounds = json_object_get(o, "rounds");
    if (rounds) {
        p->round_at = integer(l, rounds, "at", "rounds", 1, INT64_MAX);
        p->round_line = (int)integer(l, rounds, "line", "rounds", 1, INT32_MAX);
        if (l->status == RG_OK && (!p->reference_c || p->round_at >= (int64_t)strlen(p->reference_c)))
            refuse(l, "rounds", "behind the C's end");
    }
    if (comment) {
        p->comment_line = (int)integer(l, comment, "line", "comment", 1, INT32_MAX / 2);
        p->comment_lines = (int)integer(l, comment, "lines", "comment", 1, 1000);
    }
    p->oracle = (enum rg_oracle)word(l, o, "oracle", "problem", rg__problem_oracles);
    load_lists(l, o);
#define X(member)                                                                                                      \
    if (l->status == RG_OK && json_object_get(o, #member)) p->member = str(l, o, #member, "problem", false);
    RG__PROBLEM_MORE_TEXTS(X)
#undef X
    load_args(l, o);
    if (l->status == RG_OK) bad(l, rg__constants_load(p, o, l->err));
    p->rtol = real(l, o, "rtol", "problem");
    p->atol = real(l, o, "atol", "problem");
    json_t *allow = json_object_get(o, "allow") ? array(l, o, "allow", "problem", 2) : NULL;
    for (size_t i = 0; l->status == RG_OK && i < json_array_size(allow); i++) {
        const char *w = json_string_value(json_array_get(allow, i));
        if (!w || rg_allow_parse(w, &p->allow, NULL) != RG_OK) refuse(l, "allow", "unknown word");
    }
    p->accumulates = boolean(l, o, "accumulates", "problem");
    p->may_alias = boolean(l, o, "may_alias", "problem");
    p->init_found = json_object_get(o, "init_found") ? boolean(l, o, "init_found", "problem") : false;
    if (json_object_get(o, "verify_halvings"))
        p->verify_halvings = (int)integer(l, o, "verify_halvings", "problem", 0, RG_MAX_HALVINGS);
    if (json_object_get(o, "size_halvings"))
        p->size_halvings = (int)integer(l, o, "size_halvings", "problem", 0, RG_MAX_HALVINGS);
    if (json_object_get(o, "main_times"))
        p->main_times = (int)integer(l, o, "main_times", "problem", 0, RG_MAX_MAIN_TIMES);
    p->in_file = json_object_get(o, "in_file") ? boolean(l, o, "in_file", "problem") : false;
    p->allow_trivial = boolean(l, o, "allow_trivial", "problem");
    p->flops = real(l, o, "flops", "problem");
    p->compulsory_read_bytes = real(l, o, "compulsory_read_bytes", "problem");
    p->compulsory_write_bytes = real(l, o, "compulsory_write_bytes", "problem");
    p->compulsory_counted = boolean(l, o, "compulsory_counted", "problem");
    json_t *traits = array(l, o, "traits", "problem", RG_N_TRAITS);
    for (size_t i = 0; l->status == RG_OK && i < json_array_size(traits); i++) {
        const char *w = json_string_value(json_array_get(traits, i));
        int t = w ? rg_trait_parse(w) : -1;
        if (t < 0)
            refuse(l, "traits", "unknown word");
        else
            p->traits |= 1u << t;
    }
    p->klass = str(l, o, "class", "problem", false);
    if (l->status == RG_OK && rg_class_parse(p->klass) < 0) refuse(l, "class", "unknown word");
    if (l->status == RG_OK && p->oracle == RG_ORACLE_F64 && !p->oracle_c) refuse(l, "oracle_c", "missing");
}

enum rg_status rg_problem_from_json(const char *text, size_t len, const char *name, struct rg_problem **out,
                                    struct rg_error *err)
{
    *out = NULL;
    json_t *o = rg_json_parse(text, len, name, err);
    if (!o) return RG_INPUT;
    const char *format = json_string_value(json_object_get(o, "format"));
    enum rg_status s = RG_OK;
    if (!format || strcmp(format, RG__PROBLEM_FORMAT))
        s = rg_error_at(err, RG_INPUT, name, 1, 1,
                        "not a saved problem: \"format\" must be \"" RG__PROBLEM_FORMAT "\"");
    if (s == RG_OK) {
        struct loader l = {rg_problem_new(), err, RG_OK};
        load_all(&l, o);
        s = l.status;
        if (s == RG_OK) {
            rg_problem_rehash(l.p);
            *out = l.p;
        } else {
            rg_problem_free(l.p);
            if (err && err->status != RG_OK && !err->file[0]) snprintf(err->file, sizeof err->file, "%s", name);
        }
    }
    json_decref(o);
    return s;
}

enum rg_status rg_problem_load(const char *path, struct rg_problem **out, struct rg_error *err)
{
    char *text;
    size_t len;
    *out = NULL;
    enum rg_status s = rg_file_read(path, (size_t)256 << 20, &text, &len, err);
    if (s != RG_OK) return s;
    s = rg_problem_from_json(text, len, path, out, err);
    free(text);
    return s;
}
