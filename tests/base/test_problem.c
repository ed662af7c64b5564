/* Problems as files: everything back exactly, a hash of what the problem is and not of where it lies, and every
 * malformed file refused with a message that says what. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <rg/buf.h>
#include <rg/file.h>
#include <rg/problem.h>
#include <rg/words.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct rg_expr *expr(struct rg_problem *p, const char *text)
{
    const struct rg_expr *e;
    assert_int_equal(rg_expr_parse_all(&p->arena, text, &e, NULL), RG_OK);
    return e;
}

static void extent(struct rg_problem *p, int param, int n, const char *const *dims)
{
    struct rg_param *q = &p->params[param];
    q->n_dims = n;
    q->dims = rg_arena_alloc(&p->arena, (size_t)n * sizeof *q->dims);
    for (int i = 0; i < n; i++) q->dims[i] = expr(p, dims[i]);
}

enum { N, M, ALPHA, A, BODIES, RESULT, N_PARAMS };

/* Every member set, to values that are easily lost: long reals, quotes, UTF-8, line ends. */
static struct rg_problem *sample(void)
{
    struct rg_problem *p = rg_problem_new();
    struct rg_arena *a = &p->arena;
    p->function = "step";
    p->file = "/home/me/src/step.c";
    p->line = 12;
    p->prototype = "double step(int n, long m, float alpha, float *a, const struct body *b)";
    p->return_c = "double";
    p->function_source = "double step(...) { /* \"quoted\" \\ caf\xc3\xa9 */\n\treturn 0; }\n";
    p->context_source = "struct body { float x[3]; int id; };\r\n";
    p->device_decls = "struct body { float x[3]; int id; };\n";
    p->reference_c = "# 1 \"/home/me/src/step.c\"\nint a;\n# 7 \"/usr/include/math.h\" 3 4\nint b;\n";
    p->oracle_c = "# 1 \"/home/me/src/step.c\"\nlong a;\n";
    p->oracle = RG_ORACLE_F64;
    p->oracle_why = "because";
    p->host_decls = "struct body;";
    p->cflags = "-DN=\"3\"";
    p->n_with = 2;
    p->with_c = rg_arena_alloc(a, 2 * sizeof *p->with_c);
    p->with_c[0] = "int c;\n";
    p->with_c[1] = "";
    p->n_structs = 1;
    p->structs = rg_arena_alloc(a, sizeof *p->structs);
    p->structs[0] = (struct rg_struct){"struct body", 16, 2, rg_arena_alloc(a, 2 * sizeof(struct rg_field))};
    p->structs[0].fields[0] = (struct rg_field){.path = "x", .type = RG_F32, .count = 3};
    p->structs[0].fields[1] = (struct rg_field){.path = "id", .type = RG_I32, .offset = 12, .count = 1};
    p->n_params = N_PARAMS;
    p->params = rg_arena_alloc(a, N_PARAMS * sizeof *p->params);
    p->params[N] = (struct rg_param){
        .name = "n", .elem = RG_I32, .elem_bytes = 4, .c_elem = "int", .c_decl = "int n", .struct_index = -1};
    p->params[M] = (struct rg_param){
        .name = "m", .elem = RG_LONG, .elem_bytes = 8, .c_elem = "long", .c_decl = "long m", .struct_index = -1};
    p->params[ALPHA] = (struct rg_param){.name = "alpha",
                                         .elem = RG_F32,
                                         .elem_bytes = 4,
                                         .c_elem = "float",
                                         .c_decl = "float alpha",
                                         .struct_index = -1};
    p->params[ALPHA].input = (struct rg_input){
        .kind = RG_INPUT_CONSTANT, .n_args = 1, .real_args = {0.1 + 0.2}, .text = "constant(0.30000000000000004)"};
    p->params[A] = (struct rg_param){.name = "a",
                                     .kind = RG_PARAM_ARRAY,
                                     .role = RG_ROLE_INOUT,
                                     .elem = RG_F32,
                                     .elem_bytes = 4,
                                     .c_elem = "float",
                                     .c_decl = "float a[n][m + 1]",
                                     .struct_index = -1,
                                     .extent_inferred = true,
                                     .mismatch_share = 0.125,
                                     .expect_file = "want.npy"};
    extent(p, A, 2, (const char *const[]){"n", "m + 1"});
    p->params[A].input = (struct rg_input){
        .kind = RG_INPUT_UNIFORM, .n_args = 2, .real_args = {-1e-300, 0}, .text = "uniform(-1e-300, n - 1)"};
    p->params[A].input.int_args[1] = expr(p, "n - 1");
    p->params[BODIES] = (struct rg_param){.name = "b",
                                          .kind = RG_PARAM_ARRAY,
                                          .origin = RG_ORIGIN_GLOBAL,
                                          .elem = RG_STRUCT,
                                          .elem_bytes = 16,
                                          .c_elem = "struct body",
                                          .c_decl = "const struct body *b",
                                          .c_const = true};
    extent(p, BODIES, 1, (const char *const[]){"max(n, 2*m)"});
    p->params[BODIES].input = (struct rg_input){.kind = RG_INPUT_FILE, .text = "bodies.npy", .file = "bodies.npy"};
    p->params[RESULT] = (struct rg_param){.name = "result",
                                          .kind = RG_PARAM_ARRAY,
                                          .origin = RG_ORIGIN_RESULT,
                                          .role = RG_ROLE_OUT,
                                          .elem = RG_F64,
                                          .elem_bytes = 8,
                                          .c_elem = "double",
                                          .c_decl = "double *result",
                                          .struct_index = -1};
    extent(p, RESULT, 1, (const char *const[]){"1"});
    p->n_size_params = 2;
    p->size_params = rg_arena_alloc(a, 2 * sizeof *p->size_params);
    p->size_params[0] = N;
    p->size_params[1] = M;
    p->n_sizes = 2;
    p->sizes = rg_arena_alloc(a, 2 * sizeof *p->sizes);
    p->sizes[0] = (struct rg_sizes){.values = rg_arena_alloc(a, 16), .work = 12345678.0, .timed = true};
    p->sizes[0].values[0] = 1000;
    p->sizes[0].values[1] = 1LL << 40;
    p->sizes[1] = (struct rg_sizes){.values = rg_arena_alloc(a, 16), .work = -1, .verify = true, .on_sim = true};
    p->sizes[1].values[0] = 3;
    p->sizes[1].values[1] = -2;
    p->n_require = 1;
    p->require = rg_arena_alloc(a, sizeof *p->require);
    p->require_text = rg_arena_alloc(a, sizeof *p->require_text);
    p->require[0] = expr(p, "n%16 == 0");
    p->require_text[0] = "n%16 == 0";
    p->rtol = 1e-3;
    p->atol = 2.5e-7;
    p->params[A].rows = p->params[A].indirect = true;
    p->params[BODIES].access = "world->bodies";
    p->params[BODIES].c_pointer = true;
    p->params[BODIES].c_void = true;
    p->params[N].least_one = true;
    p->n_args = 2;
    p->args = rg_arena_alloc(a, 2 * sizeof *p->args);
    p->args[0] = (struct rg_arg){"a", "float **a", "void *", A};
    p->args[1] = (struct rg_arg){"world", "struct world *world", "void *", -1};
    p->auto_decls = "struct world { struct body *bodies; };\n";
    p->reached = "world";
    p->allow = RG_ALLOW_TF32 | RG_ALLOW_FAST_MATH;
    p->accumulates = p->may_alias = p->allow_trivial = true;
    p->init_function = "fill";
    p->traits = 1u << 0 | 1u << (RG_N_TRAITS - 1);
    p->tree_json = "{\"format\":\"regraph-tree/1\"}";
    p->klass = "stencil";
    p->flops = 2e12;
    p->compulsory_read_bytes = 4096;
    p->compulsory_write_bytes = 0;
    p->compulsory_counted = true;
    rg_problem_rehash(p);
    return p;
}

static void same_text(const char *a, const char *b)
{
    assert_int_equal(!a, !b);
    if (a) assert_string_equal(a, b);
}

static void same_param(const struct rg_param *a, const struct rg_param *b)
{
    same_text(a->name, b->name);
    assert_true(a->kind == b->kind && a->origin == b->origin && a->role == b->role && a->elem == b->elem);
    if (a->elem == RG_STRUCT) assert_int_equal(a->struct_index, b->struct_index);
    assert_true(a->elem_bytes == b->elem_bytes && a->c_const == b->c_const && a->c_void == b->c_void &&
                a->extent_inferred == b->extent_inferred && a->least_one == b->least_one);
    same_text(a->c_elem, b->c_elem);
    same_text(a->c_decl, b->c_decl);
    assert_int_equal(a->n_dims, b->n_dims);
    for (int i = 0; i < a->n_dims; i++) assert_true(rg_expr_equal(a->dims[i], b->dims[i]));
    assert_int_equal(a->input.kind, b->input.kind);
    assert_int_equal(a->input.n_args, b->input.n_args);
    for (int i = 0; i < a->input.n_args; i++) {
        assert_int_equal(!a->input.int_args[i], !b->input.int_args[i]);
        if (a->input.int_args[i])
            assert_true(rg_expr_equal(a->input.int_args[i], b->input.int_args[i]));
        else
            assert_memory_equal(&a->input.real_args[i], &b->input.real_args[i], sizeof(double));
    }
    same_text(a->input.text, b->input.text);
    same_text(a->input.file, b->input.file);
    same_text(a->expect_file, b->expect_file);
    assert_true(a->mismatch_share == b->mismatch_share);
    assert_true(a->rows == b->rows && a->indirect == b->indirect && a->c_pointer == b->c_pointer);
    same_text(a->access, b->access);
}

static void same_problem(const struct rg_problem *a, const struct rg_problem *b)
{
    const char *const x[] = {a->function,       a->file,         a->prototype,     a->return_c,  a->function_source,
                             a->context_source, a->device_decls, a->reference_c,   a->oracle_c,  a->oracle_why,
                             a->host_decls,     a->cflags,       a->init_function, a->tree_json, a->klass,
                             a->hash,           a->auto_decls,   a->reached,       a->places};
    const char *const y[] = {b->function,       b->file,         b->prototype,     b->return_c,  b->function_source,
                             b->context_source, b->device_decls, b->reference_c,   b->oracle_c,  b->oracle_why,
                             b->host_decls,     b->cflags,       b->init_function, b->tree_json, b->klass,
                             b->hash,           b->auto_decls,   b->reached,       b->places};
    for (size_t i = 0; i < sizeof x / sizeof *x; i++) same_text(x[i], y[i]);
    assert_true(a->line == b->line && a->oracle == b->oracle && a->traits == b->traits);
    assert_true(a->rtol == b->rtol && a->atol == b->atol && a->flops == b->flops);
    assert_true(a->compulsory_read_bytes == b->compulsory_read_bytes &&
                a->compulsory_write_bytes == b->compulsory_write_bytes &&
                a->compulsory_counted == b->compulsory_counted);
    assert_true(a->allow == b->allow && a->accumulates == b->accumulates && a->may_alias == b->may_alias &&
                a->allow_trivial == b->allow_trivial);
    assert_int_equal(a->n_with, b->n_with);
    for (int i = 0; i < a->n_with; i++) same_text(a->with_c[i], b->with_c[i]);
    assert_int_equal(a->n_params, b->n_params);
    for (int i = 0; i < a->n_params; i++) same_param(&a->params[i], &b->params[i]);
    assert_int_equal(a->n_args, b->n_args);
    for (int i = 0; i < a->n_args; i++) {
        same_text(a->args[i].name, b->args[i].name);
        same_text(a->args[i].c_decl, b->args[i].c_decl);
        same_text(a->args[i].type, b->args[i].type);
        assert_int_equal(a->args[i].param, b->args[i].param);
    }
    assert_int_equal(a->n_structs, b->n_structs);
    for (int i = 0; i < a->n_structs; i++) {
        same_text(a->structs[i].c_name, b->structs[i].c_name);
        assert_true(a->structs[i].bytes == b->structs[i].bytes && a->structs[i].n_fields == b->structs[i].n_fields);
        for (int f = 0; f < a->structs[i].n_fields; f++) {
            const struct rg_field *u = &a->structs[i].fields[f], *v = &b->structs[i].fields[f];
            same_text(u->path, v->path);
            assert_true(u->type == v->type && u->offset == v->offset && u->count == v->count);
        }
    }
    assert_int_equal(a->n_size_params, b->n_size_params);
    assert_memory_equal(a->size_params, b->size_params, (size_t)a->n_size_params * sizeof *a->size_params);
    assert_int_equal(a->n_sizes, b->n_sizes);
    for (int i = 0; i < a->n_sizes; i++) {
        const struct rg_sizes *u = &a->sizes[i], *v = &b->sizes[i];
        assert_memory_equal(u->values, v->values, (size_t)a->n_size_params * sizeof *u->values);
        assert_true(u->work == v->work && u->timed == v->timed && u->verify == v->verify && u->on_sim == v->on_sim);
    }
    assert_int_equal(a->n_require, b->n_require);
    for (int i = 0; i < a->n_require; i++) {
        assert_true(rg_expr_equal(a->require[i], b->require[i]));
        same_text(a->require_text[i], b->require_text[i]);
    }
}

static void test_round_trip(void **state)
{
    struct rg_problem *p = sample(), *q = NULL;
    struct rg_error err = RG_ERROR_INIT;
    char *text = rg_problem_to_json(p);
    assert_null(strchr(text, '\n'));
    if (rg_problem_from_json(text, strlen(text), "p", &q, &err) != RG_OK) fail_msg("%s", err.text);
    same_problem(p, q);
    memset(text, 'x', strlen(text)); /* the strings are the problem's own */
    assert_string_equal(q->prototype, p->prototype);
    free(text);
    rg_problem_free(p);
    rg_problem_free(q);
}

/* A new problem's defaults are a problem's as well, once it has a size. */
static void test_minimal(void **state)
{
    struct rg_problem *p = rg_problem_new(), *q;
    struct rg_error err = RG_ERROR_INIT;
    struct rg_sizes s = {.timed = true, .work = -1, .values = (int64_t[]){0}};
    p->sizes = &s;
    p->n_sizes = 1;
    char *text = rg_problem_to_json(p);
    if (rg_problem_from_json(text, strlen(text), "p", &q, &err) != RG_OK) fail_msg("%s", err.text);
    rg_problem_rehash(p);
    same_problem(p, q);
    free(text);
    rg_problem_free(p);
    rg_problem_free(q);
}

static void test_file(void **state)
{
    struct rg_problem *p = sample(), *q = NULL;
    struct rg_error err = RG_ERROR_INIT;
    char path[] = "/tmp/rg-problem-XXXXXX";
    close(mkstemp(path));
    assert_int_equal(rg_problem_save(p, path, &err), RG_OK);
    if (rg_problem_load(path, &q, &err) != RG_OK) fail_msg("%s", err.text);
    same_problem(p, q);
    unlink(path);
    rg_problem_free(q);
    q = p;
    assert_int_not_equal(rg_problem_load(path, &q, &err), RG_OK);
    assert_null(q);
    assert_non_null(strstr(err.text, "rg-problem-"));
    rg_error_clear(&err);
    assert_int_equal(rg_problem_save(p, "/nonexistent/folder/p.json", &err), RG_IO);
    rg_problem_free(p);
}

/* Reals of every size, exactly. */
static void test_reals(void **state)
{
    const double values[] = {
        0.1 + 0.2, 1.0 / 3, 9007199254740993.0, 123456789012345678.0, 5e-324, 1.7976931348623157e308, 1e-5};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        struct rg_problem *p = sample(), *q = NULL;
        struct rg_error err = RG_ERROR_INIT;
        p->rtol = p->atol = p->flops = p->compulsory_read_bytes = p->compulsory_write_bytes = values[i];
        p->params[A].mismatch_share = p->params[ALPHA].input.real_args[0] = p->sizes[0].work = values[i];
        rg_problem_rehash(p);
        char *text = rg_problem_to_json(p);
        if (rg_problem_from_json(text, strlen(text), "p", &q, &err) != RG_OK)
            fail_msg("%.17g: %s", values[i], err.text);
        same_problem(p, q);
        free(text);
        rg_problem_free(p);
        rg_problem_free(q);
    }
}

/* The same code in another folder, on another line, is the same problem. */
static void test_hash_of_place(void **state)
{
    struct rg_problem *p = sample(), *q = sample();
    assert_int_equal(strlen(p->hash), 64);
    q->file = "elsewhere/step.c";
    q->line = 99;
    q->reference_c = "# 1 \"elsewhere/step.c\"\nint a;\n# 9 \"/opt/include/math.h\" 3 4\nint b;\n";
    q->oracle_c = "# 1 \"elsewhere/step.c\"\nlong a;\n";
    q->tree_json = "{}";
    rg_problem_rehash(q);
    assert_string_equal(p->hash, q->hash);
    rg_problem_rehash(q);
    assert_string_equal(p->hash, q->hash);
    rg_problem_free(p);
    rg_problem_free(q);
}

/* Anything that changes what is asked for changes the hash. */
static void test_hash_of_content(void **state)
{
    struct rg_problem *p = sample();
    char before[65];
    strcpy(before, p->hash);
#define CHANGES(lvalue, value)                                                                                         \
    do {                                                                                                               \
        __typeof__(lvalue) kept = (lvalue);                                                                            \
        (lvalue) = (value);                                                                                            \
        rg_problem_rehash(p);                                                                                          \
        if (!strcmp(before, p->hash)) fail_msg("%s", #lvalue);                                                         \
        (lvalue) = kept;                                                                                               \
        rg_problem_rehash(p);                                                                                          \
        assert_string_equal(before, p->hash);                                                                          \
    } while (0)
    CHANGES(p->function, "stop");
    CHANGES(p->reference_c, "# 1 \"/home/me/src/step.c\"\nint z;\n");
    CHANGES(p->oracle_c, "int z;\n");
    CHANGES(p->cflags, "");
    CHANGES(p->device_decls, "");
    CHANGES(p->with_c[0], "int d;\n");
    CHANGES(p->rtol, 1e-4);
    CHANGES(p->atol, 1e-4);
    CHANGES(p->may_alias, false);
    CHANGES(p->init_function, NULL);
    CHANGES(p->klass, "other");
    CHANGES(p->traits, 0u);
    CHANGES(p->n_require, 0);
    CHANGES(p->sizes[0].values[0], 1001);
    CHANGES(p->sizes[1].verify, false);
    CHANGES(p->params[A].role, RG_ROLE_OUT);
    CHANGES(p->params[A].dims[0], p->params[A].dims[1]);
    CHANGES(p->params[A].input.real_args[0], -2e-300);
    CHANGES(p->params[A].mismatch_share, 0.25);
    CHANGES(p->params[BODIES].input.file, "others.npy");
    CHANGES(p->structs[0].fields[1].offset, 8);
    rg_problem_free(p);
}

static char *replaced(const char *text, const char *from, const char *to)
{
    const char *at = strstr(text, from);
    if (!at) fail_msg("the test looks for %s in %s", from, text);
    return rg_xasprintf("%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
}

static void test_lies(void **state)
{
    static const struct {
        const char *from, *to, *message;
    } lies[] = {
        {"regraph-problem/1", "regraph-problem/2", "\"format\" must be"},
        {"\"function\":\"step\"", "\"function\":7", "\"function\" must be a string"},
        {"\"function\":\"step\",", "", "\"function\" must be a string"},
        {"\"oracle\":\"f64\"", "\"oracle\":\"f32\"", "unknown oracle \"f32\""},
        {"\"auto_decls\":", "\"was\":", "auto_decls: missing"},
        {"\"name\":\"world\",", "", "\"name\" must be a string"},
        {"\"rows\":true", "\"rows\":7", "\"rows\" must be"},
        {"\"line\":12", "\"line\":-1", "\"line\" is out of range"},
        {"\"line\":12", "\"line\":1.5", "\"line\" must be an integer"},
        {"\"oracle_c\":\"", "\"oracle_c\":null,\"was\":\"", "oracle_c: missing"},
        {"\"kind\":\"array\"", "\"kind\":\"matrix\"", "unknown kind \"matrix\""},
        {"\"role\":\"inout\"", "\"role\":\"maybe\"", "a: unknown role"},
        {"\"origin\":\"result\"", "\"origin\":\"thin air\"", "result: unknown origin"},
        {"\"type\":\"long\"", "\"type\":\"long float\"", "m: unknown type"},
        {"\"type\":\"long\"", "\"type\":\"int\"", "m: the element size does not fit"},
        {"\"struct\":0", "\"struct\":1", "\"struct\" is out of range"},
        {"\"struct\":0", "\"struct\":-1", "a struct type needs a struct"},
        {"\"bytes\":4,\"c_elem\":\"float\",\"c_decl\":\"float a",
         "\"bytes\":0,\"c_elem\":\"float\",\"c_decl\":\"float a", "\"bytes\" is out of range"},
        {"\"offset\":12", "\"offset\":13", "a field lies outside its struct"},
        {"\"count\":3", "\"count\":9", "a field lies outside its struct"},
        {"\"name\":\"struct body\",\"bytes\":16", "\"name\":\"struct body\",\"bytes\":0", "\"bytes\" is out of range"},
        {"\"m + 1\"", "\"m +\"", "a"},
        {"\"m + 1\"", "17", "an expression must be a string"},
        {"[\"1\"]", "[]", "result: an array needs an extent"},
        {"\"kind\":\"uniform\"", "\"kind\":\"unicorn\"", "unknown kind \"unicorn\""},
        {"{\"real\":\"-", "{\"real\":\"x", "bad number"},
        {"{\"real\":\"-", "{\"reel\":\"-", "\"real\" must be a string"},
        {"\"size_params\":[0,1]", "\"size_params\":[0,2]", "integer scalar parameter"},
        {"\"size_params\":[0,1]", "\"size_params\":[0,3]", "integer scalar parameter"},
        {"\"size_params\":[0,1]", "\"size_params\":[0,-1]", "integer scalar parameter"},
        {"\"size_params\":[0,1]", "\"size_params\":[0]", "as many values as size parameters"},
        {"[1000,", "[\"1000\",", "values must be integers"},
        {"\"timed\":true", "\"timed\":false", "must be timed"},
        {"\"timed\":false", "\"timed\":true", "must be timed"},
        {"\"require\":[\"", "\"require\":[\")", "require"},
        {"\"class\":\"stencil\"", "\"class\":\"stencils\"", "class: unknown word"},
        {"\"traits\":[\"", "\"traits\":[\"un", "traits: unknown word"},
        {"\"accumulates\":true", "\"accumulates\":\"yes\"", "must be true or false"},
        {"\"flops\":", "\"flops\":null,\"flips\":", "\"flops\" must be a number"},
        {"\"params\":[", "\"params\":[null,", "must be"},
        {"\"sizes\":[", "\"sizes\":[[],", "must be"},
        {"\"with\":[\"", "\"with\":[null,\"", "with: each must be a string"},
        {"\"structs\":[", "\"structs\":{},\"s\":[", "\"structs\" must be an array"},
        {"{\"format\"", "{\"function\":\"f\",\"format\"", "not valid JSON"},
        {"{\"format\"", "{\"function\"; \"format\"", "not valid JSON"},
    };
    struct rg_problem *p = sample();
    char *text = rg_problem_to_json(p);
    for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
        struct rg_error err = RG_ERROR_INIT;
        struct rg_problem *q = p;
        char *lie = replaced(text, lies[i].from, lies[i].to);
        if (rg_problem_from_json(lie, strlen(lie), "saved.json", &q, &err) != RG_INPUT)
            fail_msg("accepted: %s -> %s", lies[i].from, lies[i].to);
        assert_null(q);
        assert_int_equal(err.status, RG_INPUT);
        if (!strstr(err.text, lies[i].message))
            fail_msg("%s -> %s: \"%s\" lacks \"%s\"", lies[i].from, lies[i].to, err.text, lies[i].message);
        assert_string_equal(err.file, "saved.json");
        free(lie);
    }
    /* cut anywhere it is no problem */
    for (size_t n = 0; n < strlen(text); n += 1 + n / 7) {
        struct rg_problem *q = p;
        assert_int_equal(rg_problem_from_json(text, n, "cut", &q, NULL), RG_INPUT);
        assert_null(q);
    }
    free(text);
    rg_problem_free(p);
}

static void test_elements(void **state)
{
    struct rg_problem *p = sample();
    struct rg_error err = RG_ERROR_INIT;
    int64_t n = -1;
    assert_int_equal(rg_problem_elements(p, A, &p->sizes[0], &n, &err), RG_OK);
    assert_true(n == 1000 * ((1LL << 40) + 1));
    assert_int_equal(rg_problem_elements(p, BODIES, &p->sizes[1], &n, &err), RG_OK);
    assert_int_equal(n, 3);
    assert_int_equal(rg_problem_elements(p, RESULT, &p->sizes[1], &n, &err), RG_OK);
    assert_int_equal(n, 1);
    assert_int_equal(rg_problem_elements(p, A, &p->sizes[1], &n, &err), RG_INPUT); /* m + 1 == -1 */
    assert_non_null(strstr(err.text, "extent 1 of 'a' is -1"));
    rg_error_clear(&err);
    p->sizes[0].values[0] = 1LL << 24;
    assert_int_equal(rg_problem_elements(p, A, &p->sizes[0], &n, &err), RG_INPUT); /* 2^64 elements */
    assert_non_null(strstr(err.text, "too large"));
    rg_error_clear(&err);
    p->sizes[0].values[0] = 1LL << 21;
    assert_int_equal(rg_problem_elements(p, A, &p->sizes[0], &n, &err), RG_INPUT); /* 2^61 elements, 2^63 bytes */
    rg_error_clear(&err);
    extent(p, A, 1, (const char *const[]){"n / (m - m)"});
    assert_int_equal(rg_problem_elements(p, A, &p->sizes[0], &n, &err), RG_INPUT);
    assert_non_null(strstr(err.text, "extent of 'a'"));
    rg_error_clear(&err);
    extent(p, A, 1, (const char *const[]){"alpha"}); /* no integer parameter */
    assert_int_equal(rg_problem_elements(p, A, &p->sizes[0], &n, &err), RG_INPUT);
    rg_problem_free(p);
}

static void test_lookups(void **state)
{
    struct rg_problem *p = sample();
    assert_int_equal(rg_problem_param(p, "alpha"), ALPHA);
    assert_int_equal(rg_problem_param(p, "alph"), -1);
    struct rg_problem_env e;
    int64_t v;
    rg_problem_env_init(&e, p, &p->sizes[0]);
    assert_int_equal(rg_expr_eval(expr(p, "n * 2 + (m > 5)"), &e.env, &v, NULL), RG_OK);
    assert_int_equal(v, 2001);
    assert_int_not_equal(rg_expr_eval(expr(p, "k"), &e.env, &v, NULL), RG_OK);
    assert_true(rg_problem_rtol(p, RG_F32) == 1e-3 && rg_problem_atol(p, RG_F64) == 2.5e-7);
    assert_true(rg_problem_rtol(p, RG_I32) == 0 && rg_problem_atol(p, RG_U8) == 0);
    p->rtol = p->atol = -1;
    assert_true(rg_problem_rtol(p, RG_F32) == 1e-4 && rg_problem_atol(p, RG_F32) == 1e-5);
    assert_true(rg_problem_rtol(p, RG_F64) == 1e-10 && rg_problem_atol(p, RG_F64) == 1e-12);
    assert_true(rg_problem_rtol(p, RG_F16) == 1e-2 && rg_problem_atol(p, RG_F16) == 1e-3);
    rg_problem_free(p);
    rg_problem_free(NULL);
}

/* Evidence is keyed by the program: sizes, names and places are not it, what it computes is. */
static void test_program(void **state)
{
    static const char tree[] = "{\"vars\":[{\"name\":\"i\",\"kind\":\"iter\"}],\"nodes\":[{\"k\":\"binary\",\"text\":"
                               "\"+\",\"line\":3,\"column\":7}]}",
                      same[] = "{\"vars\":[{\"name\":\"row\",\"kind\":\"iter\"}],\"nodes\":[{\"k\":\"binary\",\"text\":"
                               "\"+\",\"line\":93,\"column\":1}]}",
                      other[] = "{\"vars\":[{\"name\":\"i\",\"kind\":\"iter\"}],\"nodes\":[{\"k\":\"binary\",\"text\":"
                                "\"*\",\"line\":3,\"column\":7}]}";
    char a[17], b[17];
    struct rg_problem *p = sample(), *q = sample();
    p->tree_json = tree;
    q->tree_json = same;
    if (q->n_sizes && q->sizes[0].values) ((int64_t *)q->sizes[0].values)[0] += 8;
    rg_problem_program(p, a);
    rg_problem_program(q, b);
    assert_int_equal(strlen(a), 16);
    assert_string_equal(a, b);
    q->tree_json = other;
    rg_problem_program(q, b);
    assert_string_not_equal(a, b);
    p->tree_json = q->tree_json = NULL; /* no tree: by the text, but for where it came from */
    q->reference_c = "# 1 \"/elsewhere.c\"\nint a;\n# 7 \"/opt/math.h\" 3 4\nint b;\n";
    rg_problem_program(p, a);
    rg_problem_program(q, b);
    assert_string_equal(a, b);
    q->reference_c = "int c;\n";
    rg_problem_program(q, b);
    assert_string_not_equal(a, b);
    rg_problem_free(p);
    rg_problem_free(q);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip), cmocka_unit_test(test_minimal),       cmocka_unit_test(test_file),
        cmocka_unit_test(test_reals),      cmocka_unit_test(test_hash_of_place), cmocka_unit_test(test_hash_of_content),
        cmocka_unit_test(test_program),    cmocka_unit_test(test_lies),          cmocka_unit_test(test_elements),
        cmocka_unit_test(test_lookups),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
