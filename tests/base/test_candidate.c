#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <rg/buf.h>
#include <rg/candidate.h>
#include <rg/outcome.h>
#include <rg/scalar.h>
#include <rg/words.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void scalars(void **state)
{
    static const struct {
        const char *words;
        int s; /* -1: unknown */
    } cases[] = {
        {"int", RG_I32},
        {"unsigned", RG_U32},
        {"long unsigned int", RG_ULONG},
        {"int long", RG_LONG},
        {"long long", RG_LLONG},
        {"long int unsigned long", RG_ULLONG},
        {"char", RG_CHAR},
        {"signed char", RG_I8},
        {"char unsigned", RG_U8},
        {"short int", RG_I16},
        {"unsigned short", RG_U16},
        {"const float", RG_F32},
        {" double ", RG_F64},
        {"size_t", RG_ULONG},
        {"uint32_t", RG_U32},
        {"bool", RG_BOOL},
        {"_Bool", RG_BOOL},
        {"__half", RG_F16},
        {"_Float16", RG_F16},
        {"int64_t", RG_LONG},
        {"volatile int", RG_I32},
        {"long double", -1},
        {"unsigned float", -1},
        {"long long long", -1},
        {"signed unsigned", -1},
        {"", -1},
        {"const", -1},
        {"float float", -1},
        {"float4", -1},
        {"int *", -1},
        {"short char", -1},
        {"long char", -1},
        {"struct body", -1},
        {"unsigned uint32_t", -1},
        {"long short", -1},
        {"double double", -1},
        {"int int", -1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        enum rg_scalar s;
        bool ok = rg_scalar_parse(cases[i].words, &s);
        if (ok != (cases[i].s >= 0) || (ok && (int)s != cases[i].s)) fail_msg("'%s'", cases[i].words);
    }
    for (int s = 0; s < RG_N_SCALARS; s++) {
        enum rg_scalar back;
        if (s == RG_STRUCT) continue;
        assert_true(rg_scalar_parse(rg_scalar_c(s), &back) && (int)back == s);
        assert_true(rg_scalar_parse(rg_scalar_cuda(s), &back) && (int)back == s);
    }
    assert_string_equal(rg_scalar_cuda(RG_F16), "__half");
    assert_int_equal(rg_scalar_bytes(RG_STRUCT), 0);
    assert_true(rg_scalar_is_real(RG_F16) && !rg_scalar_is_real(RG_LONG));
    assert_true(rg_scalar_is_signed(RG_CHAR) && !rg_scalar_is_signed(RG_U8));
}

static void words(void **state)
{
    for (int i = 0; i < RG_N_TRAITS; i++) assert_int_equal(rg_trait_parse(rg_trait_word(i)), i);
    for (int i = 0; i < RG_N_LIMITERS; i++) assert_int_equal(rg_limiter_parse(rg_limiter_word(i)), i);
    for (int i = 0; i < rg_class_count(); i++) assert_int_equal(rg_class_parse(rg_class_word(i)), i);
    for (int i = 0; i < RG_N_OUTCOMES; i++) assert_int_equal(rg_outcome_parse(rg_outcome_word(i)), i);
    assert_int_equal(rg_trait_parse("reuses"), -1);
    assert_int_equal(rg_trait_parse(NULL), -1);
    assert_int_equal(rg_class_parse(""), -1);
    assert_null(rg_trait_word(-1));
    assert_null(rg_trait_word(RG_N_TRAITS));
    assert_true(rg_category_parse("locality") >= 0);
    assert_int_equal(rg_category_parse("magic"), -1);
    assert_int_equal(RG_TRAIT_PARALLEL, 1u << rg_trait_parse("parallel"));
    struct rg_evaluation e = {.n_counters = 1};
    strcpy(e.counters[0].name, "regs");
    e.counters[0].value = 40;
    assert_true(rg_evaluation_counter(&e, "regs") == 40);
    assert_true(isnan(rg_evaluation_counter(&e, "spills")));
}

static struct rg_tunables tunables(struct rg_arena *a)
{
    static int64_t tx[] = {16, 32, 64}, ty[] = {4, 8, 32};
    static struct rg_tunable items[] = {{"TX", 3, tx, 32, -1}, {"TY", 3, ty, 8, -1}};
    const struct rg_expr **c = rg_arena_alloc(a, 3 * sizeof *c);
    assert_int_equal(rg_expr_parse_all(a, "TX*TY <= 1024", &c[0], NULL), RG_OK);
    assert_int_equal(rg_expr_parse_all(a, "n % TX == 0", &c[1], NULL), RG_OK); /* not decidable here */
    assert_int_equal(rg_expr_parse_all(a, "TX != 16 || 1/(TY-4)", &c[2], NULL), RG_OK);
    return (struct rg_tunables){2, items, 3, c};
}

static void vectors(void **state)
{
    struct rg_arena a = RG_ARENA_INIT;
    struct rg_tunables t = tunables(&a);
    struct rg_vector v, w;
    rg_tunables_default(&t, &v);
    assert_int_equal(v.n, 2);
    assert_true(v.values[0] == 32 && v.values[1] == 8);
    assert_true(rg_tunables_allow(&t, &v));
    w = v;
    assert_true(rg_vector_equal(&v, &w));
    w.values[0] = 64;
    assert_false(rg_vector_equal(&v, &w));
    assert_true(rg_tunables_allow(&t, &w));
    w.values[1] = 32;
    assert_false(rg_tunables_allow(&t, &w)); /* 2048 threads */
    w.values[0] = 33;
    w.values[1] = 8;
    assert_false(rg_tunables_allow(&t, &w)); /* outside its domain */
    w.values[0] = 16;
    w.values[1] = 4;
    assert_false(rg_tunables_allow(&t, &w)); /* the constraint divides by zero */
    w.n = 1;
    assert_false(rg_tunables_allow(&t, &w));
    struct rg_buf b = RG_BUF_INIT;
    rg_vector_print(&b, &t, &v);
    assert_string_equal(b.data, "TX=32,TY=8");
    rg_buf_release(&b);
    assert_int_equal(rg_tunables_find(&t, "TY"), 1);
    assert_int_equal(rg_tunables_find(&t, "T"), -1);
    rg_arena_release(&a);
}

static int frees;

static enum rg_status make(const struct rg_template *t, const struct rg_vector *v, struct rg_source *out,
                           struct rg_error *err)
{
    out->cuda = rg_xasprintf("TX=%lld", (long long)v->values[0]);
    if (v->values[0] == 64) return rg_error_set(err, RG_INPUT, "refused");
    out->plan = rg_xstrdup("k<<<1, 1>>>();");
    return RG_OK;
}

static void drop(struct rg_template *t)
{
    frees++;
    free(t);
}

static void templates(void **state)
{
    static const struct rg_template_ops ops = {.instantiate = make, .free = drop};
    struct rg_arena a = RG_ARENA_INIT;
    struct rg_template *t = rg_xcalloc(1, sizeof *t);
    t->ops = &ops;
    t->refs = 1;
    t->tunables = tunables(&a);
    struct rg_vector v;
    struct rg_source s;
    struct rg_error err = RG_ERROR_INIT;
    rg_tunables_default(&t->tunables, &v);
    assert_int_equal(rg_template_instantiate(t, &v, &s, &err), RG_OK);
    assert_string_equal(s.cuda, "TX=32");
    rg_source_release(&s);
    assert_null(s.cuda);
    v.values[0] = 64;
    assert_int_equal(rg_template_instantiate(t, &v, &s, &err), RG_INPUT);
    assert_null(s.cuda); /* what a failed instantiate left is released */
    v.values[0] = 5;
    rg_error_clear(&err);
    assert_int_equal(rg_template_instantiate(t, &v, &s, &err), RG_INPUT);
    assert_non_null(strstr(err.text, "TX=5"));
    assert_ptr_equal(rg_template_ref(t), t);
    rg_template_unref(t);
    assert_int_equal(frees, 0);
    rg_template_unref(t);
    assert_int_equal(frees, 1);
    rg_template_unref(NULL);
    rg_arena_release(&a);
}

static void sites(void **state)
{
    struct rg_site_list l = {0};
    char name[32];
    for (int i = 0; i < 20; i++) {
        snprintf(name, sizeof name, "loop:%d", i);
        rg_site_list_add(&l, name, RG_TRAIT_LOOP, i % 2);
        rg_site_list_refuse(&l, name, "reason %d at %s:%d", i, "f.c", 3);
    }
    assert_int_equal(l.n, 20);
    assert_string_equal(l.items[7].name, "loop:7");
    assert_true(l.items[7].exact && !l.items[8].exact);
    assert_int_equal(l.n_refused, 20);
    assert_string_equal(l.refused[19].reason, "reason 19 at f.c:3");
    rg_site_list_release(&l);
    assert_int_equal(l.n, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scalars),   cmocka_unit_test(words), cmocka_unit_test(vectors),
        cmocka_unit_test(templates), cmocka_unit_test(sites),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
