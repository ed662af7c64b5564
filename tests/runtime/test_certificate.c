/* Certificates: what is written reads back the same; what is none is refused with its place. */
#include <math.h>
#include <rg/buf.h>
#include <rg/certificate.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct rg_link chain[] = {{"parallelize", "C"}, {"tile.shared", "A"}};
static struct rg_named_int sizes[] = {{"n", 100}}, tunables[] = {{"BX", 32}, {"OFF", -1}};
static struct rg_certified_file files[] = {
    {"best.cu", "00000000000000000000000000000000000000000000000000000000000000aa"}};
static struct rg_certified_output tolerances[] = {{"y", 1e-4, 1e-5, 0}};
static struct rg_case_evidence cases[] = {
    {1, 0, false, false, "00000000000000000000000000000000000000000000000000000000000000bb", "", "00000000000000cc"},
    {0, 7, true, true, "", "", ""}};

static struct rg_certificate *sample(void)
{
    struct rg_certificate *c = rg_certificate_new();
    c->regraph = "0.1";
    c->function = "f";
    c->device = "sim:h200";
    c->arch = "sm_90";
    c->cuda = "// \"quoted\"\n__global__ void k(float *y) { y[0] = 1; }\n";
    c->plan = "k<<<1, 1>>>(y);\n";
    c->kernel_sha256 = "k";
    c->problem_hash = "p";
    c->problem_json = "{\"format\":\"regraph-problem/1\",\"rtol\":0.10000000000000001}";
    c->kernel_ms = 0.25;
    c->seed = INT64_C(9000000000000000000);
    c->varies = c->unchecked = true;
    c->n_chain = 2, c->chain = chain;
    c->n_sizes = 1, c->sizes = sizes;
    c->n_tunables = 2, c->tunables = tunables;
    c->n_files = 1, c->files = files;
    c->n_tolerances = 1, c->tolerances = tolerances;
    c->n_cases = 2, c->cases = cases;
    c->n_counters = 1;
    strcpy(c->counters[0].name, "regs");
    c->counters[0].value = 32;
    return c;
}

static void round_trip(void **state)
{
    struct rg_certificate *c = sample(), *d;
    struct rg_error err = RG_ERROR_INIT;
    char *a = rg_certificate_print(c);
    assert_int_equal(rg_certificate_parse(a, strlen(a), "c", &d, &err), RG_OK);
    char *b = rg_certificate_print(d);
    assert_string_equal(a, b);
    assert_string_equal(d->cuda, c->cuda);
    assert_string_equal(d->plan, c->plan);
    assert_true(d->seed == c->seed && d->varies && d->unchecked && !d->suspect && d->kernel_ms == 0.25 &&
                isnan(d->total_ms));
    assert_int_equal(d->n_chain, 2);
    assert_string_equal(d->chain[1].site, "A");
    assert_true(d->n_tunables == 2 && d->tunables[1].value == -1);
    assert_true(d->n_cases == 2 && d->cases[1].timed && d->cases[1].again && d->cases[1].seed == 7);
    assert_string_equal(d->cases[0].outputs, "00000000000000cc");
    assert_string_equal(d->problem_json, c->problem_json); /* digits too: its hash is over them */
    assert_true(d->n_counters == 1 && d->counters[0].value == 32);
    free(a);
    free(b);
    rg_certificate_free(c);
    rg_certificate_free(d);
}

static void kernel_hash(void **state)
{
    char a[65], b[65], c[65];
    rg_certificate_kernel_sha256("ab", "c", a);
    rg_certificate_kernel_sha256("a", "bc", b);
    rg_certificate_kernel_sha256("ab", "c", c);
    assert_string_not_equal(a, b);
    assert_string_equal(a, c);
}

static char *replaced(const char *text, const char *from, const char *to)
{
    const char *at = strstr(text, from);
    assert_non_null(at);
    return rg_xasprintf("%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
}

static void refuses(void **state)
{
    static const struct {
        const char *from, *to, *says;
    } bad[] = {
        {"regraph-certificate/1", "regraph-certificate/2", "schema"},
        {"\"function\": \"f\"", "\"function\": 3", "\"function\" is no string"},
        {"\"function\": \"f\",", "", "\"function\" is missing"},
        {"k<<<1, 1>>>(y);", "k\\u0000", ""},
        {"\"kernel_ms\": 0.25", "\"kernel_ms\": \"quick\"", "time.kernel_ms"},
        {"\"seed\": 9000000000000000000", "\"seed\": -1", "search.seed"},
        {"\"varies\": true", "\"varies\": 1", "marks.varies"},
        {"\"best.cu\":", "\"../../etc/passwd\":", "no file beside it"},
        {"\"00000000000000cc\"", "\"zz\"", "\"cases\" holds an item that is wrong"},
        {"\"site\": \"C\"", "\"site\": null", "\"kernel.steps\" holds an item that is wrong"},
        {"\"BX\": 32", "\"BX\": 32.5", "whole numbers"},
        {"\"problem\": {\"format\":\"regraph-problem/1\",\"rtol\":0.10000000000000001}", "\"problem\": []",
         "\"problem\" is no object"},
    };
    struct rg_certificate *c = sample(), *d;
    char *text = rg_certificate_print(c);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct rg_error err = RG_ERROR_INIT;
        char *t = replaced(text, bad[i].from, bad[i].to);
        assert_int_equal(rg_certificate_parse(t, strlen(t), "cert.json", &d, &err), RG_INPUT);
        assert_null(d);
        assert_string_equal(err.file, "cert.json");
        if (!strstr(err.text, bad[i].says)) fail_msg("%s: %s", bad[i].to, err.text);
        free(t);
    }
    free(text);
    rg_certificate_free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(round_trip), cmocka_unit_test(kernel_hash),
                                       cmocka_unit_test(refuses)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
