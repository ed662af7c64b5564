#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <rg/expr.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[] = {"n", "m", "TX", "zero", "big", "low"};
static const int64_t values[] = {1000, 7, 32, 0, INT64_MAX, INT64_MIN};
static struct rg_expr_table table = {6, names, values};
static const struct rg_expr_env env = {.arg = &table, .name = rg_expr_table_name};

static const struct {
    const char *text;
    int64_t value;
} good[] = {
    {"1+2*3", 7},
    {"(1+2)*3", 9},
    {"-7/2", -3},
    {"-7%2", -1},
    {"10-3-2", 5},
    {"100/5/2", 10},
    {"n%m", 6},
    {"ceil_div(n, 256)", 4},
    {"ceil_div(-7, 2)", -3},
    {"ceil_div(7, -2)", -3},
    {"ceil_div(-7, -2)", 4},
    {"min(n,m)+max(n,m)", 1007},
    {"abs(0-m)", 7},
    {"pow2(0)", 1},
    {"1 << 3 + 2", 32},
    {"3 << 4 == 48 && 5 >> 1 == 2", 1},
    {"256 >> 2 >> 1", 32},
    {"pow2(62)", 4611686018427387904},
    {"pow2_from(0 - 5)", 1},
    {"pow2_from(64)", 64},
    {"pow2_from(65)", 128},
    {"trunc(2.9)", 2},
    {"trunc(-2.9)", -2},
    {"trunc(real(7)/2)", 3},
    {"trunc(real(7/2)*2.0)", 6},
    {"trunc(f32(0.1f*real(30)))", 3},
    {"trunc(0.1*real(30)) + 1", 4},
    {"trunc(ceil(sqrt(real(26))))", 6},
    {"trunc(pow(2.0, 10.0)) % 1000", 24},
    {"trunc(fmin(3.5, log2(real(64))))", 3},
    {"n > m && m > 0 || zero", 1},
    {"1 || 1/zero", 1},
    {"0 && 1/zero", 0},
    {"zero ? 1/zero : 5", 5},
    {"1 ? 2 : 0 ? 3 : 4", 2},
    {"0 ? 2 : 0 ? 3 : 4", 4},
    {"!zero + !n", 1},
    {"- - 3", 3},
    {"!!m", 1},
    {"0x10", 16},
    {"0xFFull", 255},
    {"1024UL*TX", 32768},
    {"sizeof(float)*n", 4000},
    {"sizeof ( unsigned  char )", 1},
    {"sizeof(long unsigned int)", 8},
    {"n /* elements */ + 1 // and one", 1001},
    {"(size_t)n*(long)m", 7000},
    {"(n)*m", 7000},
    {"a_is_no_name ? 1 : 2", -1}, /* position of the -1: see the loop */
    {"1 < 2 == 1", 1},
    {"TX*TX <= 1024", 1},
    {"low/1 == low", 1},
    {"low % -1", 0},
    {"9223372036854775807", INT64_MAX},
    {"abs(low+1) == big", 1},
};

static void evaluates(void **state)
{
    struct rg_arena a = RG_ARENA_INIT;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        const struct rg_expr *e;
        struct rg_error err = RG_ERROR_INIT;
        int64_t v = 0;
        if (rg_expr_parse_all(&a, good[i].text, &e, &err) != RG_OK) fail_msg("%s: %s", good[i].text, err.text);
        if (rg_expr_eval(e, &env, &v, &err) != RG_OK) {
            if (strncmp(good[i].text, "a_is", 4)) fail_msg("%s: %s", good[i].text, err.text);
            assert_non_null(strstr(err.text, "a_is_no_name"));
            continue;
        }
        if (v != good[i].value) fail_msg("%s gives %lld", good[i].text, (long long)v);
        /* Printing and parsing again keeps the meaning; so does a clone. */
        struct rg_buf b = RG_BUF_INIT;
        rg_expr_print(&b, e, NULL, NULL);
        const struct rg_expr *again;
        assert_int_equal(rg_expr_parse_all(&a, b.data, &again, &err), RG_OK);
        if (!rg_expr_equal(e, again)) fail_msg("%s printed as %s", good[i].text, b.data);
        assert_true(rg_expr_equal(e, rg_expr_clone(&a, e)));
        assert_int_equal(rg_expr_eval(again, &env, &v, &err), RG_OK);
        assert_true(v == good[i].value);
        rg_buf_release(&b);
    }
    rg_arena_release(&a);
}

static void refuses_to_evaluate(void **state)
{
    static const char *const bad[][2] = {
        {"big + 1", "overflow"},
        {"big * 2", "overflow"},
        {"low - 1", "overflow"},
        {"-low", "overflow"},
        {"low / -1", "overflow"},
        {"abs(low)", "overflow"},
        {"ceil_div(low, -1)", "overflow"},
        {"1 / zero", "division"},
        {"1 % zero", "division"},
        {"ceil_div(1, zero)", "division"},
        {"nope", "unknown name"},
        {"n + 1.5", "real"},
        {"f(3)", "unknown function"},
        {"n[3]", "elements"},
        {"min(1)", "two arguments"},
        {"sizeof(struct body)", "unknown"},
        {"trunc(1e300)", "no integer"},
        {"trunc(1/0.0)", "no integer"},
        {"trunc(sin(1.0))", "of real numbers"},
        {"trunc(n)", "no value is known"},
        {"trunc(1.5 % 2.0)", "only + -"},
        {"trunc(1.0, 2.0)", "one argument"},
    };
    struct rg_arena a = RG_ARENA_INIT;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const struct rg_expr *e;
        struct rg_error err = RG_ERROR_INIT;
        int64_t v;
        if (rg_expr_parse_all(&a, bad[i][0], &e, &err) != RG_OK) fail_msg("%s: %s", bad[i][0], err.text);
        assert_int_equal(rg_expr_eval(e, &env, &v, &err), RG_INPUT);
        if (!strstr(err.text, bad[i][1])) fail_msg("%s: %s", bad[i][0], err.text);
        assert_int_equal(rg_expr_eval(e, &env, &v, NULL), RG_INPUT);
    }
    rg_arena_release(&a);
}

static void refuses_to_parse(void **state)
{
    static const char *const bad[] = {
        "",        "1 +",       "(1",    "1)",   "1 2",    "a b",   "* 3",     "f(1,)",
        "a[1",     "a[]",       "1 ? 2", "0x",   "12ab",   "1.5.2", "010",     "99999999999999999999",
        "3f",      "sizeof()",  "n++",   "n--",  "a = 3",  "\"x\"", "n <<< 2", "n >>> 2",
        "a ? : b", "sizeof(3)", "$",     "\x80", "n += 1", "f(,)"};
    struct rg_arena a = RG_ARENA_INIT;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const struct rg_expr *e;
        struct rg_error err = RG_ERROR_INIT;
        if (rg_expr_parse_all(&a, bad[i], &e, &err) != RG_INPUT) fail_msg("accepted '%s'", bad[i]);
        assert_null(e);
        assert_true(strlen(err.text) > 5);
    }
    rg_arena_release(&a);
}

static void stops_where_it_ends(void **state)
{
    struct rg_arena a = RG_ARENA_INIT;
    const struct rg_expr *e;
    struct rg_error err = RG_ERROR_INIT;
    const char *text = "256>>>(x)", *p = text;
    assert_int_equal(rg_expr_parse_in_plan(&a, &p, "plan", 1, 1, &e, &err), RG_OK);
    assert_string_equal(p, ">>>(x)");
    p = "n > 3 >>> (x)";
    assert_int_equal(rg_expr_parse_in_plan(&a, &p, "plan", 1, 1, &e, &err), RG_OK);
    assert_string_equal(p, ">>> (x)");
    p = "n << 2) >> 1";
    assert_int_equal(rg_expr_parse(&a, &p, "plan", 1, 1, &e, &err), RG_OK);
    assert_string_equal(p, ") >> 1");
    p = "\n  1 +\n  )";
    assert_int_equal(rg_expr_parse_in_plan(&a, &p, "plan", 10, 5, &e, &err), RG_INPUT);
    assert_int_equal(err.line, 12);
    assert_int_equal(err.column, 3);
    assert_string_equal(err.file, "plan");
    rg_arena_release(&a);
}

static void bounded(void **state)
{
    struct rg_arena a = RG_ARENA_INIT;
    static const char *const unit[] = {"(", "-", "!", "f(", "1?", "a[", "1+", "1*(", "0?1:"};
    for (size_t i = 0; i < sizeof unit / sizeof *unit; i++) {
        struct rg_buf b = RG_BUF_INIT;
        for (int k = 0; k < 100000; k++) rg_buf_str(&b, unit[i]);
        rg_buf_str(&b, "1");
        const struct rg_expr *e;
        assert_int_equal(rg_expr_parse_all(&a, b.data, &e, NULL), RG_INPUT);
        rg_buf_release(&b);
    }
    rg_arena_release(&a);
}

static const char *upper(void *arg, const char *name)
{
    return !strcmp(name, "n") ? "(int64_t)n" : NULL;
}

static void collect(void *arg, const char *name)
{
    struct rg_buf *b = arg;
    rg_buf_printf(b, "%s ", name);
}

static enum rg_status element(void *arg, const struct rg_expr *e, const struct rg_expr_env *v, int64_t *out,
                              struct rg_error *err)
{
    int64_t i;
    if (e->kind != RG_EXPR_INDEX || strcmp(e->name, "a")) return rg_error_set(err, RG_INPUT, "no such thing");
    enum rg_status s = rg_expr_eval(e->args[0], v, &i, err);
    *out = 10 * i;
    return s;
}

static void names_and_hooks(void **state)
{
    struct rg_arena a = RG_ARENA_INIT;
    const struct rg_expr *e;
    assert_int_equal(rg_expr_parse_all(&a, "a[n]*(n - (m - 1)) + sizeof(int) - min(k, 2)", &e, NULL), RG_OK);
    struct rg_buf b = RG_BUF_INIT;
    rg_expr_names(e, collect, &b);
    assert_string_equal(b.data, "a n n m k ");
    rg_buf_reset(&b);
    rg_expr_print(&b, e, upper, NULL);
    assert_string_equal(b.data, "a[(int64_t)n]*((int64_t)n - (m - 1)) + sizeof(int) - min(k, 2)");
    rg_buf_release(&b);
    struct rg_expr_env with = {.arg = &table, .name = rg_expr_table_name, .call = element};
    int64_t v;
    assert_int_equal(rg_expr_parse_all(&a, "a[m] + 1", &e, NULL), RG_OK);
    assert_int_equal(rg_expr_eval(e, &with, &v, NULL), RG_OK);
    assert_int_equal(v, 71);
    assert_int_equal(rg_expr_parse_all(&a, "-1.5e3f", &e, NULL), RG_OK);
    assert_int_equal(e->kind, RG_EXPR_UNARY);
    assert_int_equal(e->args[0]->kind, RG_EXPR_REAL);
    assert_string_equal(e->args[0]->name, "1.5e3f");
    assert_true(e->args[0]->real == 1500);
    rg_arena_release(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(evaluates),        cmocka_unit_test(refuses_to_evaluate),
        cmocka_unit_test(refuses_to_parse), cmocka_unit_test(stops_where_it_ends),
        cmocka_unit_test(bounded),          cmocka_unit_test(names_and_hooks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
