/* Every reply shape in tests/data/replies: NAME.reply is what a model said, NAME.expect what must come of it, one line
 * each: class=WORD, cut=1 (the server said `length`), fixes=N in all, fix=WORD=N of one kind, recovered=0|1, and for
 * cuda, plan and message: +TEXT contained, -TEXT not contained, =TEXT the whole; root=1: there is no current version.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include "llm/llm.h"
#include <dirent.h>
#include <rg/file.h>
#include <rg/llm.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct rg_param params[] = {{.name = "n", .kind = RG_PARAM_SCALAR, .elem = RG_I32},
                                   {.name = "a", .kind = RG_PARAM_SCALAR, .elem = RG_F32},
                                   {.name = "x", .kind = RG_PARAM_ARRAY, .elem = RG_F32},
                                   {.name = "y", .kind = RG_PARAM_ARRAY, .elem = RG_F32, .role = RG_ROLE_INOUT}};
static const struct rg_problem problem = {.function = "saxpy", .n_params = 4, .params = params};

static bool text_holds(const char *text, const char *rule)
{
    char want[400];
    size_t n = 0;
    for (const char *c = rule + 1; *c && n + 1 < sizeof want; c++) {
        bool cr = c[0] == '\\' && c[1] == 'r';
        want[n++] = cr ? '\r' : *c;
        c += cr;
    }
    want[n] = '\0';
    if (!text) return false;
    if (*rule == '+') return strstr(text, want) != NULL;
    if (*rule == '-') return strstr(text, want) == NULL;
    size_t len = strlen(text);
    while (len && text[len - 1] == '\n') len--;
    return len == n && !memcmp(text, want, n);
}

static bool rule_holds(const struct rg__reply *r, const char *rule)
{
    if (!strncmp(rule, "class=", 6)) return !strcmp(rg__reply_word(r->klass), rule + 6);
    int fixes = 0; /* a plan recovered from host code has a rule of its own */
    for (int i = 0; i < RG_LLM_N_FIXES; i++) fixes += i == RG_LLM_FIX_PLAN_FROM_HOST ? 0 : r->fixes[i];
    if (!strncmp(rule, "fixes=", 6)) return fixes == atoi(rule + 6);
    if (!strncmp(rule, "fix=", 4)) {
        const char *eq = strchr(rule + 4, '=');
        for (int i = 0; eq && i < RG_LLM_N_FIXES; i++)
            if (strlen(rg_llm_fix_word(i)) == (size_t)(eq - rule - 4) &&
                !strncmp(rg_llm_fix_word(i), rule + 4, (size_t)(eq - rule - 4)))
                return r->fixes[i] == atoi(eq + 1);
        return false;
    }
    if (!strncmp(rule, "recovered=", 10)) return (r->fixes[RG_LLM_FIX_PLAN_FROM_HOST] > 0) == (rule[10] == '1');
    if (!strncmp(rule, "cuda", 4)) return text_holds(r->cuda, rule + 4);
    if (!strncmp(rule, "plan", 4)) return text_holds(r->plan, rule + 4);
    if (!strncmp(rule, "message", 7)) return text_holds(r->message, rule + 7);
    return !strcmp(rule, "cut=1") || !strcmp(rule, "root=1");
}

/* What a diff would apply to. */
static const struct rg__versions versions = {
    {(char *)"__device__ float one() { return 1.0f; }\n\n__global__ void saxpy(int n, float a, const float *x, float "
             "*y)\n{\n"
             "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i < n) y[i] = a * x[i] + y[i];\n}\n",
     (char *)"saxpy<<<ceil_div(n, 256), 256>>>(n, a, x, y);\n"},
    {NULL, NULL}};

static int check_case(const char *dir, const char *name)
{
    char path[512], *reply, *expect;
    size_t n, m;
    snprintf(path, sizeof path, "%s/%s.reply", dir, name);
    assert_int_equal(rg_file_read(path, 0, &reply, &n, NULL), RG_OK);
    snprintf(path, sizeof path, "%s/%s.expect", dir, name);
    assert_int_equal(rg_file_read(path, 0, &expect, &m, NULL), RG_OK);
    struct rg__reply r;
    rg__reply_extract(&problem, strstr(expect, "root=1") ? NULL : &versions, reply, n, strstr(expect, "cut=1") != NULL,
                      &r);
    int bad = 0;
    for (char *save, *rule = strtok_r(expect, "\n", &save); rule; rule = strtok_r(NULL, "\n", &save)) {
        if (rule_holds(&r, rule)) continue;
        print_message("%s: not so: %s\n  class %s: %s\n  cuda: %s\n  plan: %s\n", name, rule, rg__reply_word(r.klass),
                      r.message, r.cuda ? r.cuda : "-", r.plan ? r.plan : "-");
        bad++;
    }
    /* A usable reply has both and no message; any other has a class with words and neither. */
    bool usable = r.klass == RG__REPLY_USABLE;
    if (usable != (r.cuda && r.plan) || usable == (*r.message != 0)) {
        print_message("%s: class and texts do not fit\n", name);
        bad++;
    }
    rg__reply_release(&r);
    free(reply);
    free(expect);
    return bad;
}

static const char *folder(void)
{
    return getenv("RG_REPLIES") ? getenv("RG_REPLIES") : "tests/data/replies";
}

static void all_replies(void **state)
{
    DIR *d = opendir(folder());
    assert_non_null(d);
    int cases = 0, bad = 0;
    for (struct dirent *e; (e = readdir(d));) {
        size_t n = strlen(e->d_name);
        if (n < 7 || strcmp(e->d_name + n - 6, ".reply")) continue;
        char name[256];
        snprintf(name, sizeof name, "%.*s", (int)(n - 6), e->d_name);
        bad += check_case(folder(), name);
        cases++;
    }
    closedir(d);
    assert_true(cases >= 60);
    assert_int_equal(bad, 0);
}

/* Cut anywhere, a good reply never crashes and never gives half a kernel that counts as whole. */
static void every_prefix(void **state)
{
    char *text;
    size_t n;
    char path[512];
    snprintf(path, sizeof path, "%s/host-full.reply", folder());
    assert_int_equal(rg_file_read(path, 0, &text, &n, NULL), RG_OK);
    int usable = 0;
    for (size_t len = 0; len <= n; len++) {
        struct rg__reply r;
        rg__reply_extract(&problem, NULL, text, len, true, &r);
        assert_true(r.klass == RG__REPLY_USABLE || r.klass == RG__REPLY_TRUNCATED);
        usable += r.klass == RG__REPLY_USABLE;
        rg__reply_release(&r);
    }
    assert_in_range(usable, 1, 2);
    free(text);
}

static void traits_of_source(void **state)
{
    assert_int_equal(rg_llm_source_traits("__global__ void a() { __shared__ int s; __syncthreads(); }"),
                     RG_TRAIT_SHARED | RG_TRAIT_BARRIERS);
    assert_int_equal(rg_llm_source_traits("__global__ void a(int *p) { atomicAdd(p, 1); }\n__global__ void b() {}"),
                     RG_TRAIT_ATOMICS | RG_TRAIT_MULTI_KERNEL);
    assert_int_equal(rg_llm_source_traits("// __shared__ atomicAdd( __syncthreads()\n__global__ void a() {}"), 0);
}

static void step_check(void **state)
{
    struct rg_step s = {.id = "x", .check_pattern = "__shared__", .check_change = RG_CHECK_APPEARS};
    assert_false(rg_llm_step_applied("k() {}", "k() { /* __shared__ */ int a; }", &s));
    assert_true(rg_llm_step_applied("k() {}", "k() { __shared__ int a; }", &s));
    assert_true(rg_llm_step_applied(NULL, "k() { __shared__ int a; }", &s));
    s.check_change = RG_CHECK_RISES;
    assert_false(rg_llm_step_applied("__shared__ int a;", "__shared__ float a;", &s));
    assert_true(rg_llm_step_applied("__shared__ int a;", "__shared__ int a; __shared__ int b;", &s));
    s.check_change = RG_CHECK_FALLS;
    assert_true(rg_llm_step_applied("__shared__ int a; __shared__ int b;", "__shared__ int a;", &s));
    assert_false(rg_llm_step_applied("__shared__ int a;", "__shared__ float a;", &s));
    s.check_change = RG_CHECK_DISAPPEARS;
    assert_false(rg_llm_step_applied("__shared__ int a;", "__shared__ float a;", &s));
    assert_true(rg_llm_step_applied("__shared__ int a;", "int a;", &s));
    s.check_change = RG_CHECK_CHANGES; /* the shape of a launch, however it is written */
    s.check_pattern = "<<<[^;]*>>>";
    assert_false(rg_llm_step_applied("k<<<1, 256>>>(a);", "k<<<1,  256>>>(b);", &s));
    assert_true(rg_llm_step_applied("k<<<1, 256>>>(a);", "#define BLOCK 512\nk<<<1, BLOCK>>>(a);", &s));
    assert_false(rg_llm_step_shows("k<<<1, 256>>>(a);", "k<<<1, 512>>>(a);", &s)); /* any step may do that */
    s.check_pattern = NULL;
    assert_false(rg_llm_step_applied("int  a; // one\n", "int a;\n\n", &s));
    assert_true(rg_llm_step_applied("int a;", "int b;", &s));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_replies), cmocka_unit_test(every_prefix),
                                       cmocka_unit_test(traits_of_source), cmocka_unit_test(step_check)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
