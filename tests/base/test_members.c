/* Tables of members: what a struct's table writes it reads, and what it refuses; evaluations and tunables as files of
 * earlier versions have them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "base/json_members.h"
#include <math.h>
#include <rg/candidate.h>
#include <rg/outcome.h>
#include <stdlib.h>
#include <string.h>

struct leaf {
    int n;
    const char *text;
};

struct record {
    int64_t whole;
    int small, n_list, n_leaves;
    double real, any;
    bool yes;
    const char *text;
    char cut[4], hex[5];
    enum { RED, GREEN, BLUE } colour;
    int64_t *list;
    struct leaf *leaves;
};

static const char *const colours[] = {"red", "green", "blue", NULL};
#define M(in, key_, type_, field)                                                                                      \
    .key = key_, .type = RG_MEMBER_##type_, .at = offsetof(struct in, field), .size = sizeof(((struct in *)0)->field)
static const struct rg_member leaf[] = {
    {M(leaf, "n", SMALL, n), .least = 1, .most = 9},
    {M(leaf, "text", TEXT, text)},
    {.key = NULL},
};
static const struct rg_member record[] = {
    {M(record, "whole", INT, whole)},
    {M(record, "in.small", SMALL, small), .how = RG_MEMBER_MAY_LACK},
    {M(record, "in.real", REAL, real)},
    {M(record, "any", ANY_REAL, any)},
    {M(record, "yes", BOOL, yes), .how = RG_MEMBER_IF_SET},
    {M(record, "text", TEXT, text), .how = RG_MEMBER_OR_NULL},
    {M(record, "cut", CHARS, cut)},
    {M(record, "hex", HEX, hex), .how = RG_MEMBER_OR_NULL},
    {M(record, "colour", WORD, colour), .words = colours},
    {M(record, "list", INTS, list), .count = offsetof(struct record, n_list), .most = 3},
    {.key = "leaves",
     .type = RG_MEMBER_ITEMS,
     .at = offsetof(struct record, leaves),
     .size = sizeof(struct leaf),
     .count = offsetof(struct record, n_leaves),
     .most = 2,
     .of = leaf},
    {.key = NULL},
};

static const char full[] =
    "{\"whole\":-5,\"in\":{\"small\":7,\"real\":null},\"any\":\"-inf\",\"text\":null,\"cut\":\"abc\","
    "\"hex\":\"00ff\",\"colour\":\"blue\",\"list\":[1,2],\"leaves\":[{\"n\":3,\"text\":\"x\"}]}";

static bool read_text(const char *text, struct record *r, struct rg_arena *a, struct rg_member_fault *fault)
{
    json_t *o = rg_json_parse(text, strlen(text), "text", NULL);
    assert_non_null(o);
    *r = (struct record){.whole = 1, .colour = GREEN};
    bool ok = rg_members_read(o, record, r, a, fault);
    json_decref(o);
    return ok;
}

static void both_ways(void **state)
{
    struct rg_arena a = {0};
    struct record r;
    struct rg_member_fault fault;
    (void)state;
    assert_true(read_text(full, &r, &a, &fault));
    assert_null(fault.key);
    assert_int_equal(r.whole, -5);
    assert_int_equal(r.small, 7);
    assert_true(isnan(r.real));
    assert_true(isinf(r.any) && r.any < 0);
    assert_false(r.yes);
    assert_null(r.text);
    assert_int_equal(r.colour, BLUE);
    assert_int_equal(r.n_list, 2);
    assert_int_equal(r.list[1], 2);
    assert_int_equal(r.n_leaves, 1);
    assert_string_equal(r.leaves[0].text, "x");
    json_t *o = rg_members_json(record, &r);
    char *again = rg_json_line(o);
    json_decref(o);
    assert_string_equal(again, full);
    free(again);
    rg_arena_release(&a);
}

/* What is wrong stays as it was and is named; the rest is read. */
static void refusals(void **state)
{
    static const struct {
        const char *from, *to, *key, *what;
    } cases[] = {
        {"\"whole\":-5,", "", "whole", "is missing"},
        {"-5", "1.5", "whole", "is no whole number"},
        {"\"small\":7", "\"small\":5000000000", "in.small", "is out of range"},
        {"\"-inf\"", "\"much\"", "any", "is no number"},
        {"\"text\":null", "\"text\":\"a\\u0000b\"", "text", NULL},
        {"\"00ff\"", "\"00fg\"", "hex", "holds something else than its digits"},
        {"\"blue\"", "\"teal\"", "colour", "is no word that is known"},
        {"[1,2]", "[1,2,3,4]", "list", "is too long"},
        {"[1,2]", "[1,\"2\"]", "list", "holds something else than whole numbers"},
        {"\"n\":3", "\"n\":10", "leaves", "holds an item that is wrong"},
        {"\"cut\":\"abc\"", "\"cut\":[]", "cut", "is no string"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct rg_arena a = {0};
        struct record r;
        struct rg_member_fault fault;
        struct rg_buf b = RG_BUF_INIT;
        const char *at = strstr(full, cases[i].from);
        assert_non_null(at);
        rg_buf_printf(&b, "%.*s%s%s", (int)(at - full), full, cases[i].to, at + strlen(cases[i].from));
        json_t *o = json_loads(b.data, 0, NULL);
        if (o) { /* a zero byte is refused by the parser already */
            json_decref(o);
            assert_false(read_text(b.data, &r, &a, &fault));
            assert_string_equal(fault.key, cases[i].key);
            if (cases[i].what) assert_string_equal(fault.what, cases[i].what);
            assert_int_equal(r.whole, strcmp(cases[i].key, "whole") ? -5 : 1);
            assert_int_equal(r.colour, strcmp(cases[i].key, "colour") ? BLUE : GREEN);
        }
        rg_buf_release(&b);
        rg_arena_release(&a);
    }
}

/* As a journal has one. */
static void evaluations(void **state)
{
    static const char text[] =
        "{\"outcome\":\"ok\",\"message\":\"\",\"time_us\":12.5,\"noise_us\":0.25,\"total_us\":-1.0,\"estimated\":true,"
        "\"max_error\":null,\"rms_error\":1e-7,\"kernel\":\"f_kernel\",\"threads\":1024.0,\"limiter\":\"dram\","
        "\"ptx\":\"abcd\",\"counters\":{\"regs\":32.0,\"occupancy\":null}}";
    struct rg_evaluation e = {.outcome = RG_OUTCOME_CRASH};
    (void)state;
    json_t *o = rg_json_parse(text, strlen(text), "text", NULL);
    assert_true(rg_members_read(o, rg_evaluation_members, &e, NULL, NULL));
    json_decref(o);
    assert_int_equal(e.outcome, RG_OUTCOME_OK);
    assert_int_equal(e.limiter, RG_LIMIT_DRAM);
    assert_true(isnan(e.max_error) && e.time_us == 12.5 && e.estimated);
    assert_int_equal(e.n_counters, 2);
    assert_true(e.counters[0].value == 32 && isnan(e.counters[1].value));
    o = rg_members_json(rg_evaluation_members, &e);
    char *again = rg_json_line(o);
    json_decref(o);
    assert_string_equal(again, text);
    free(again);
    /* one of a later version: an outcome that nobody knows stays what it was, the rest is taken */
    o = json_pack("{s:s, s:f}", "outcome", "melted", "time_us", 3.0);
    e.outcome = RG_OUTCOME_CRASH;
    assert_false(rg_members_read(o, rg_evaluation_members, &e, NULL, NULL));
    json_decref(o);
    assert_int_equal(e.outcome, RG_OUTCOME_CRASH);
    assert_true(e.time_us == 3);
}

static void tunables(void **state)
{
    static const char text[] = "{\"tunables\":[{\"name\":\"BX\",\"values\":[16,32],\"start\":32},{\"name\":\"BY\","
                               "\"values\":[1],\"start\":1}],"
                               "\"require\":[\"BX*BY <= 1024\"]}";
    struct rg_arena a = {0};
    struct rg_tunables t = {0};
    struct rg_member_fault fault;
    (void)state;
    json_t *o = rg_json_parse(text, strlen(text), "text", NULL);
    assert_true(rg_members_read(o, rg_tunables_members, &t, &a, &fault));
    json_decref(o);
    assert_int_equal(t.n, 2);
    assert_int_equal(t.items[0].n_values, 2);
    assert_int_equal(t.items[0].start, 32);
    assert_int_equal(t.n_constraints, 1);
    o = rg_members_json(rg_tunables_members, &t);
    char *again = rg_json_line(o);
    json_decref(o);
    assert_string_equal(again, text);
    free(again);
    t = (struct rg_tunables){0};
    o = json_pack("{s:[], s:[s]}", "tunables", "require", "BX <");
    assert_false(rg_members_read(o, rg_tunables_members, &t, &a, &fault));
    assert_string_equal(fault.key, "require");
    json_decref(o);
    rg_arena_release(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_ways),
        cmocka_unit_test(refusals),
        cmocka_unit_test(evaluations),
        cmocka_unit_test(tunables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
