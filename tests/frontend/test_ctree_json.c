/* The tree's JSON: every field back bit for bit, and every way a file can lie refused with a message. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include "ir/ctree_util.h"
#include <math.h>
#include <rg/frontend.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct rg_expr *expr(struct rg_ctree *t, const char *text)
{
    const struct rg_expr *e;
    assert_int_equal(rg_expr_parse_all(&t->arena, text, &e, NULL), RG_OK);
    return e;
}

static void set_dims(struct rg_ctree *t, int array, int n, const char *const *dims)
{
    struct rg_carray *a = &t->arrays[array];
    a->n_dims = n;
    a->dims = rg_arena_alloc(&t->arena, (size_t)n * sizeof *a->dims);
    for (int i = 0; i < n; i++) a->dims[i] = dims[i] ? expr(t, dims[i]) : NULL;
}

static struct rg_cnode *real(struct rg_ctree *t, double v, const char *text)
{
    struct rg_cnode *n = rg_cnode_new(t, RG_C_REAL, 0);
    n->type = RG_F64;
    n->rvalue = v;
    n->text = text;
    return n;
}

static struct rg_cnode *node(struct rg_ctree *t, enum rg_c_kind kind, const char *text, int n, ...)
{
    struct rg_cnode *x = rg_cnode_new(t, kind, n);
    va_list ap;
    va_start(ap, n);
    for (int i = 0; i < n; i++) x->kid[i] = va_arg(ap, struct rg_cnode *);
    va_end(ap);
    if (kind == RG_C_INCDEC)
        x->op = rg_c_op_of(kind, text);
    else
        x->text = text;
    return x;
}

enum { N, I, ACC, BODY, M };
enum { X, Y, TABLE };

/* A tree with every kind of node and every field set somewhere. */
static struct rg_ctree *sample(void)
{
    struct rg_ctree *t = rg_xcalloc(1, sizeof *t);
    rg__c_add_var(t, "n", RG_CVAR_PARAM, RG_I32);
    rg__c_add_var(t, "i", RG_CVAR_ITER, RG_LONG);
    rg__c_add_var(t, "acc", RG_CVAR_LOCAL, RG_F64);
    rg__c_add_var(t, "b", RG_CVAR_LOCAL, RG_STRUCT);
    rg__c_add_var(t, "m", RG_CVAR_PARAM, RG_ULLONG);
    t->vars[N].param = 2;
    t->vars[M].param = 3;
    t->vars[M].assigned = true;
    t->vars[BODY].struct_index = 1;
    t->vars[BODY].c_type = "struct body";
    rg__c_add_array(t, "x", RG_F32);
    rg__c_add_array(t, "y", RG_STRUCT);
    rg__c_add_array(t, "table", RG_U8);
    set_dims(t, X, 2, (const char *const[]){NULL, "n * (n + 1) / 2"});
    set_dims(t, Y, 1, (const char *const[]){"max(n, 7)"});
    set_dims(t, TABLE, 1, (const char *const[]){"256"});
    t->arrays[X].param = 0;
    t->arrays[X].delinearised = t->arrays[X].is_const = true;
    t->arrays[Y].struct_index = 1;
    t->arrays[Y].c_elem = "struct body";
    t->arrays[Y].mallocd = true;
    t->arrays[TABLE].constant_table = true;
    t->helpers = rg_xcalloc(2, sizeof *t->helpers);
    t->n_helpers = t->cap_helpers = 2;
    t->helpers[0] = (struct rg_chelper){
        .name = "twice", .c_text = "static inline float twice(float v) { return v + v; }", .pure = true, .extreme = -1};
    t->helpers[1] = (struct rg_chelper){.name = "log_it", .rejected = true, .why = "it prints", .reads = 2};
    t->result_array = X;

    struct rg_cnode *i = rg__c_var(t, I), *n = rg__c_var(t, N);
    struct rg_cnode *x = rg__c_index(t, X, 2, (struct rg_cnode *[]){i, rg__c_int(t, -5)});
    struct rg_cnode *row = rg__c_index(t, X, 1, (struct rg_cnode *[]){rg__c_copy(t, n)});
    struct rg_cnode *call = node(t, RG_C_CALL, "twice", 1, rg__c_copy(t, x));
    call->callee = 0;
    struct rg_cnode *member =
        node(t, RG_C_MEMBER, "pos", 2, rg__c_index(t, Y, 1, (struct rg_cnode *[]){rg__c_int(t, 0)}), rg__c_int(t, 2));
    struct rg_cnode *cond =
        node(t, RG_C_COND, NULL, 3, rg__c_binary(t, RG_COP_LT, rg__c_copy(t, x), real(t, 0.1, "0.1")), call,
             real(t, -0.0, NULL));
    struct rg_cnode *cast = node(t, RG_C_CAST, "const float *", 1, row);
    cast->pointer = true;
    struct rg_cnode *store = rg__c_stmt(t, rg__c_assign(t, RG_COP_ADD_SET, member, cond));
    store->line = 17;
    store->column = 9;
    struct rg_cnode *loop =
        node(t, RG_C_LOOP, NULL, 3, rg__c_int(t, INT64_MAX), n, node(t, RG_C_BLOCK, NULL, 1, store));
    loop->var = I;
    loop->step = -3;
    loop->parallel_hint = true;
    struct rg_cnode *branch = node(t, RG_C_IF, NULL, 3, rg__c_binary(t, RG_COP_GE, rg__c_copy(t, n), rg__c_int(t, 2)),
                                   node(t, RG_C_BLOCK, NULL, 1, loop), NULL);
    struct rg_cnode *decl =
        node(t, RG_C_DECL, NULL, 1, node(t, RG_C_INITLIST, NULL, 2, real(t, INFINITY, NULL), real(t, 1e-320, NULL)));
    decl->array = Y;
    struct rg_cnode *bare = rg_cnode_new(t, RG_C_DECL, 0);
    bare->var = ACC;

    struct rg_cnode *step = node(t, RG_C_INCDEC, "x++", 1, rg__c_var(t, ACC));
    struct rg_cnode *comma = node(t, RG_C_COMMA, NULL, 2, step, rg__c_unary(t, RG_COP_COMPL, rg__c_int(t, INT64_MIN)));
    struct rg_cnode *text = node(t, RG_C_STRING, "\"caf\xe9 \\n\"", 0);
    struct rg_cnode *print = node(t, RG_C_CALL, "printf", 3, text, cast, real(t, 0.1 + 0.2, "0x1.8p-3f"));
    struct rg_cnode *sw =
        node(t, RG_C_SWITCH, NULL, 2, rg__c_copy(t, n),
             node(t, RG_C_BLOCK, NULL, 2, node(t, RG_C_CASE, NULL, 2, rg__c_int(t, 1), node(t, RG_C_BREAK, NULL, 0)),
                  node(t, RG_C_CASE, NULL, 2, NULL, node(t, RG_C_BLOCK, NULL, 0))));
    struct rg_cnode *loops =
        node(t, RG_C_WHILE, NULL, 2, rg__c_copy(t, n),
             node(t, RG_C_DO, NULL, 2, node(t, RG_C_CONTINUE, NULL, 0), node(t, RG_C_VERBATIM, "x ?: y", 0)));
    struct rg_cnode *any =
        node(t, RG_C_FOR, NULL, 4, NULL, NULL, comma, node(t, RG_C_BLOCK, NULL, 3, rg__c_stmt(t, print), sw, loops));
    struct rg_cnode *opaque = node(t, RG_C_OPAQUE, NULL, 1, any);
    opaque->why = "the loop's bounds depend on data";
    struct rg_cnode *ret =
        node(t, RG_C_RETURN, NULL, 1, rg__c_index(t, X, 2, (struct rg_cnode *[]){rg__c_copy(t, n), rg__c_int(t, -5)}));
    t->root = node(t, RG_C_BLOCK, NULL, 5, decl, bare, branch, opaque, ret);
    return t;
}

static void same_text(const char *a, const char *b)
{
    assert_int_equal(!a, !b);
    if (a) assert_string_equal(a, b);
}

static void same_node(const struct rg_cnode *a, const struct rg_cnode *b)
{
    assert_int_equal(!a, !b);
    if (!a) return;
    assert_int_equal(a->kind, b->kind);
    assert_int_equal(a->type, b->type);
    assert_int_equal(a->pointer, b->pointer);
    assert_int_equal(a->struct_index, b->struct_index);
    same_text(a->text, b->text);
    assert_true(a->ivalue == b->ivalue);
    assert_memory_equal(&a->rvalue, &b->rvalue, sizeof a->rvalue);
    assert_int_equal(a->var, b->var);
    assert_int_equal(a->array, b->array);
    assert_int_equal(a->callee, b->callee);
    assert_true(a->step == b->step);
    assert_int_equal(a->parallel_hint, b->parallel_hint);
    same_text(a->why, b->why);
    assert_int_equal(a->line, b->line);
    assert_int_equal(a->column, b->column);
    assert_int_equal(a->n, b->n);
    for (int i = 0; i < a->n; i++) same_node(a->kid[i], b->kid[i]);
}

static void same_tree(const struct rg_ctree *a, const struct rg_ctree *b)
{
    assert_int_equal(a->n_vars, b->n_vars);
    for (int i = 0; i < a->n_vars; i++) {
        const struct rg_cvar *v = &a->vars[i], *w = &b->vars[i];
        assert_string_equal(v->name, w->name);
        assert_string_equal(v->c_type, w->c_type);
        assert_true(v->kind == w->kind && v->param == w->param && v->type == w->type &&
                    v->struct_index == w->struct_index && v->assigned == w->assigned);
    }
    assert_int_equal(a->n_arrays, b->n_arrays);
    for (int i = 0; i < a->n_arrays; i++) {
        const struct rg_carray *v = &a->arrays[i], *w = &b->arrays[i];
        assert_string_equal(v->name, w->name);
        assert_string_equal(v->c_elem, w->c_elem);
        assert_true(v->param == w->param && v->elem == w->elem && v->struct_index == w->struct_index &&
                    v->n_dims == w->n_dims);
        assert_true(v->delinearised == w->delinearised && v->constant_table == w->constant_table &&
                    v->mallocd == w->mallocd && v->is_const == w->is_const);
        for (int d = 0; d < v->n_dims; d++) {
            assert_int_equal(!v->dims[d], !w->dims[d]);
            if (v->dims[d]) assert_true(rg_expr_equal(v->dims[d], w->dims[d]));
        }
    }
    assert_int_equal(a->n_helpers, b->n_helpers);
    for (int i = 0; i < a->n_helpers; i++) {
        const struct rg_chelper *v = &a->helpers[i], *w = &b->helpers[i];
        assert_string_equal(v->name, w->name);
        same_text(v->c_text, w->c_text);
        same_text(v->why, w->why);
        assert_true(v->pure == w->pure && v->rejected == w->rejected);
    }
    assert_int_equal(a->result_array, b->result_array);
    same_node(a->root, b->root);
}

static void test_round_trip(void **state)
{
    struct rg_ctree *t = sample(), *back = NULL;
    struct rg_error err = RG_ERROR_INIT;
    char *text = rg_ctree_to_json(t);
    if (rg_ctree_from_json(text, &back, &err) != RG_OK) fail_msg("%s\n%s", err.text, text);
    same_tree(t, back);
    assert_null(strchr(text, '\n'));
    char *again = rg_ctree_to_json(back);
    assert_string_equal(text, again);
    /* strings are the tree's own: the text may go */
    memset(text, 'x', strlen(text));
    assert_string_equal(back->vars[BODY].c_type, "struct body");
    free(text);
    free(again);
    rg_ctree_free(t);
    rg_ctree_free(back);
}

/* A sum of many terms nests as deep as it is long; JSON parsers stop long before. */
static void test_deep(void **state)
{
    struct rg_ctree *t = rg_xcalloc(1, sizeof *t), *back = NULL;
    struct rg_error err = RG_ERROR_INIT;
    t->result_array = -1;
    const int s_var = rg__c_add_var(t, "s", RG_CVAR_LOCAL, RG_I32);
    for (int terms = 3500; terms <= 9000; terms += 5500) {
        struct rg_cnode *sum = rg__c_int(t, 1);
        for (int i = 1; i < terms; i++) sum = rg__c_binary(t, RG_COP_ADD, sum, rg__c_int(t, i));
        struct rg_cnode *decl = node(t, RG_C_DECL, NULL, 1, sum);
        decl->var = s_var;
        t->root = node(t, RG_C_BLOCK, NULL, 1, decl);
        char *text = rg_ctree_to_json(t);
        enum rg_status s = rg_ctree_from_json(text, &back, &err);
        if (terms < 4000) {
            assert_int_equal(s, RG_OK);
            same_tree(t, back);
        } else {
            assert_int_equal(s, RG_INPUT);
            assert_null(back);
            assert_non_null(strstr(err.text, "nested too deeply"));
        }
        free(text);
        rg_ctree_free(back);
    }
    rg_ctree_free(t);
}

static char *replaced(const char *text, const char *from, const char *to)
{
    const char *p = strstr(text, from);
    if (!p) fail_msg("the test looks for %s in %s", from, text);
    return rg_xasprintf("%.*s%s%s", (int)(p - text), text, to, p + strlen(from));
}

/* One change to the sample's text each, and what the message must say. */
static void test_lies(void **state)
{
    static const struct {
        const char *from, *to, *message;
    } lies[] = {
        {"regraph-tree/1", "regraph-tree/9", "\"format\" must be"},
        {"\"name\":\"acc\"", "\"name\":\"n\"", "two symbols are named \"n\""},
        {"\"name\":\"acc\"", "\"name\":\"\"", "is empty"},
        {"\"name\":\"acc\"", "\"name\":3", "must be a string"},
        {"\"c_type\":\"struct body\"", "\"c_type\":\"\"", "is empty"},
        {"\"kind\":\"param\",\"param\":2", "\"kind\":\"param\",\"param\":-1", "names no parameter"},
        {"\"kind\":\"iter\"", "\"kind\":\"global\"", "unknown kind \"global\""},
        {"\"type\":\"float\"", "\"type\":\"quad\"", "unknown type \"quad\""},
        {"[null,\"n*(n + 1)/2\"]", "[]", "1 to 64 dimensions"},
        {"[null,\"n*(n + 1)/2\"]", "[\"n\",null]", "the first may be null"},
        {"[null,\"n*(n + 1)/2\"]", "[null,\"n +\"]", "array 0"},
        {"[null,\"n*(n + 1)/2\"]", "[null]", "more subscripts"},
        {"\"result\":0", "\"result\":3", "\"result\" is 3, not in -1..2"},
        {"\"step\":-3", "\"step\":0", "step must not be 0"},
        {"\"step\":-3", "\"step\":-9223372036854775808", "step must not be 0"},
        {"\"callee\":0", "\"callee\":2", "\"callee\" is 2"},
        {"\"k\":\"loop\",\"var\":1", "\"k\":\"loop\"", "a loop without a variable"},
        {"\"k\":\"loop\",\"var\":1", "\"k\":\"loop\",\"var\":5", "\"var\" is 5"},
        {"\"k\":\"loop\"", "\"k\":\"if\"", "where a statement is needed"},
        {"\"k\":\"opaque\"", "\"k\":\"spooky\"", "unknown k \"spooky\""},
        {"\"k\":\"opaque\"", "\"k\":\"stmt\"", "a statement stands where a value is needed"},
        {"\"k\":\"opaque\"", "\"k\":\"block\"", "stands outside opaque code"},
        {"\"text\":\"+=\"", "\"text\":\"=+\"", "unknown operator"},
        {"\"text\":\"~\"", "\"text\":\"\"", "unknown operator"},
        {"\"text\":\"twice\",", "", "its text is missing"},
        {"\"r\":\"inf\"", "\"r\":\"infinite\"", "is no number"},
        {"\"line\":17", "\"line\":-1", "\"line\" is -1"},
        {"{\"latin1\":\"\"caf", "{\"latin9\":\"\"caf", "must be a string"},
        {"\"pointer\":true", "\"pointer\":1", "must be true or false"},
        {"\"nodes\":[", "\"nodes\":[{\"k\":\"break\"},", "stands where"},
        {"\"nodes\":[", "\"nodes\":[7,", "must be an object"},
        {"\"nodes\":", "\"knots\":", "\"nodes\" must be an array"},
    };
    struct rg_ctree *t = sample(), *back;
    char *text = rg_ctree_to_json(t);
    for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
        struct rg_error err = RG_ERROR_INIT;
        const char *from = lies[i].from;
        char *escaped = NULL;
        if (strstr(from, "latin1")) from = escaped = rg_xstrdup("{\"latin1\":");
        char *lie = replaced(text, from, escaped ? "{\"latin9\":" : lies[i].to);
        back = t;
        if (rg_ctree_from_json(lie, &back, &err) != RG_INPUT) fail_msg("accepted: %s", lies[i].to);
        assert_null(back);
        if (!strstr(err.text, lies[i].message))
            fail_msg("%s -> %s: \"%s\" lacks \"%s\"", from, lies[i].to, err.text, lies[i].message);
        free(escaped);
        free(lie);
    }
    free(text);
    rg_ctree_free(t);
}

/* Trees written by hand: sharing, orphans, a wrong root, data-dependent bounds outside opaque code. */
static void test_shapes(void **state)
{
#define TREE(nodes)                                                                                                    \
    "{\"format\":\"regraph-tree/"                                                                                      \
    "1\",\"vars\":[{\"name\":\"i\",\"kind\":\"iter\",\"type\":\"int\",\"c_type\":\"int\"}],"                           \
    "\"arrays\":[{\"name\":\"a\",\"param\":0,\"type\":\"int\",\"c_elem\":\"int\",\"dims\":[\"4\"]}],\"helpers\":[],"   \
    "\"nodes\":[" nodes "]}"
#define ONE "{\"k\":\"int\",\"i\":1}"
    static const struct {
        const char *text, *message; /* NULL: accepted */
    } cases[] = {
        {TREE("{\"k\":\"block\"}"), NULL},
        {TREE(ONE ",{\"k\":\"stmt\",\"kids\":[0]},{\"k\":\"block\",\"kids\":[1]}"), "does nothing"},
        {TREE("{\"k\":\"var\",\"var\":0},{\"k\":\"return\",\"kids\":[0]},{\"k\":\"block\",\"kids\":[1]}"),
         "'i' is used where it is not declared"},
        {TREE(""), "the last node must be a block"},
        {TREE(ONE), "the last node must be a block"},
        {TREE(ONE ",{\"k\":\"block\"}"), "belongs to no other"},
        {TREE(ONE ",{\"k\":\"binary\",\"text\":\"+\",\"kids\":[0,0]},{\"k\":\"stmt\",\"kids\":[1]},{\"k\":\"block\","
                  "\"kids\":[2]}"),
         "no parent yet"},
        {TREE("{\"k\":\"block\",\"kids\":[0]}"), "earlier node"},
        {TREE("{\"k\":\"block\",\"kids\":[null]}"), "a part that it needs is null"},
        {TREE("{\"k\":\"block\",\"kids\":{}}"), "kids must be an array"},
        {TREE("{\"k\":\"var\"},{\"k\":\"stmt\",\"kids\":[0]},{\"k\":\"block\",\"kids\":[1]}"),
         "either a variable or an array"},
        {TREE("{\"k\":\"cond\"},{\"k\":\"block\",\"kids\":[0]}"), "wrong number of kids"},
        {TREE(ONE "," ONE ",{\"k\":\"block\"},{\"k\":\"loop\",\"var\":0,\"step\":1,\"kids\":[0,1,2]},{\"k\":\"block\","
                  "\"kids\":[3]}"),
         NULL},
        {TREE(ONE "," ONE ",{\"k\":\"index\",\"array\":0,\"kids\":[1]},{\"k\":\"block\"},{\"k\":\"loop\",\"var\":0,"
                  "\"step\":1,\"kids\":[0,2,3]},{\"k\":\"block\",\"kids\":[4]}"),
         "not affine"},
        {TREE(ONE "," ONE
                  ",{\"k\":\"index\",\"array\":0,\"kids\":[1]},{\"k\":\"block\"},{\"k\":\"loop\",\"var\":0,\"step\":1,"
                  "\"kids\":[0,2,3]},{\"k\":\"opaque\",\"kids\":[4]},{\"k\":\"block\",\"kids\":[5]}"),
         NULL},
        {"", "not valid JSON"},
        {"[]", "\"format\" must be"},
        {"{\"format\":\"regraph-tree/1\"}", "\"vars\" must be an array"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct rg_ctree *t = NULL;
        struct rg_error err = RG_ERROR_INIT;
        enum rg_status s = rg_ctree_from_json(cases[i].text, &t, &err);
        if ((s == RG_OK) != !cases[i].message || (s == RG_OK) != (t != NULL))
            fail_msg("%s: %s", cases[i].text, err.text);
        if (cases[i].message && !strstr(err.text, cases[i].message))
            fail_msg("%s: \"%s\" lacks \"%s\"", cases[i].text, err.text, cases[i].message);
        rg_ctree_free(t);
    }
}

/* What the frontend makes of real files comes back as well, and fits its problem. */
static void test_examples(void **state)
{
    static const char *const examples[] = {"saxpy",   "dot",    "gemv",  "sgemm", "transpose",    "jacobi2d", "softmax",
                                           "rmsnorm", "conv2d", "nbody", "spmv",  "blackscholes", "bfs"};
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        char path[80];
        snprintf(path, sizeof path, "examples/%s.c", examples[i]);
        struct rg_frontend_options o = {.file = path, .rtol = -1, .atol = -1};
        struct rg_error err = RG_ERROR_INIT;
        struct rg_problem *p;
        struct rg_ctree *t, *back;
        enum rg_status st = rg_frontend_load(&o, &p, &t, &err);
        if (st == RG_UNAVAILABLE) skip(); /* no libclang here */
        if (st != RG_OK) fail_msg("%s: %s", path, err.text);
        assert_non_null(t);
        char *text = rg_ctree_to_json(t);
        if (rg_ctree_from_json(text, &back, &err) != RG_OK || rg_ctree_fits(back, p, &err) != RG_OK)
            fail_msg("%s: %s", path, err.text);
        same_tree(t, back);
        free(text);
        rg_ctree_free(t);
        rg_ctree_free(back);
        rg_problem_free(p);
    }
}

static void test_fits(void **state)
{
    struct rg_param params[] = {
        {.name = "x", .kind = RG_PARAM_ARRAY, .origin = RG_ORIGIN_RESULT, .elem = RG_F32, .struct_index = -1},
        {.name = "f", .kind = RG_PARAM_SCALAR, .elem = RG_F32, .struct_index = -1},
        {.name = "n", .kind = RG_PARAM_SCALAR, .elem = RG_I32, .struct_index = -1},
        {.name = "m", .kind = RG_PARAM_SCALAR, .elem = RG_ULLONG, .struct_index = -1},
    };
    struct rg_problem p = {.n_params = 4, .params = params, .n_structs = 2};
    struct rg_ctree *t = sample();
    struct rg_error err = RG_ERROR_INIT;
    if (rg_ctree_fits(t, &p, &err) != RG_OK) fail_msg("%s", err.text);
#define MISFIT(change, undo, message)                                                                                  \
    do {                                                                                                               \
        struct rg_error e = RG_ERROR_INIT;                                                                             \
        change;                                                                                                        \
        assert_int_equal(rg_ctree_fits(t, &p, &e), RG_INPUT);                                                          \
        if (!strstr(e.text, message)) fail_msg("%s lacks %s", e.text, message);                                        \
        undo;                                                                                                          \
        assert_int_equal(rg_ctree_fits(t, &p, NULL), RG_OK);                                                           \
    } while (0)
    MISFIT(p.n_params = 3, p.n_params = 4, "'m' stands for a parameter that the problem lacks");
    MISFIT(p.n_structs = 1, p.n_structs = 2, "'b' is of a struct that the problem lacks");
    MISFIT(params[3].elem = RG_I32, params[3].elem = RG_ULLONG, "'m' differs in type");
    MISFIT(params[0].elem = RG_F64, params[0].elem = RG_F32, "'x' differs in type");
    MISFIT(t->arrays[X].param = 2, t->arrays[X].param = 0, "'x' differs in type");
    MISFIT(params[0].origin = RG_ORIGIN_ARG, params[0].origin = RG_ORIGIN_RESULT, "'x' is no result");
    MISFIT(params[2].name = "k", params[2].name = "n", "'x' has an extent");
    MISFIT(t->root->kid[0]->struct_index = 2, t->root->kid[0]->struct_index = -1, "a struct that the problem lacks");
    rg_ctree_free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip), cmocka_unit_test(test_deep),     cmocka_unit_test(test_lies),
        cmocka_unit_test(test_shapes),     cmocka_unit_test(test_examples), cmocka_unit_test(test_fits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
