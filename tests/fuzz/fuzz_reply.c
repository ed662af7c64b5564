/* libFuzzer target: replies of models and servers, whole or streamed. clang -fsanitize=fuzzer,address,undefined
 * -Iinclude -I. tests/fuzz/fuzz_reply.c llm/<all>.c base/<all>.c; corpus: tests/data/replies. */
#include "llm/llm.h"
#include <rg/llm.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct rg_param params[] = {{.name = "n", .kind = RG_PARAM_SCALAR, .elem = RG_I32},
                                       {.name = "x", .kind = RG_PARAM_ARRAY, .elem = RG_F32},
                                       {.name = "y", .kind = RG_PARAM_ARRAY, .elem = RG_F32, .role = RG_ROLE_INOUT}};
    static const struct rg_problem problem = {.function = "f", .n_params = 3, .params = params};
    static const struct rg_step step = {.id = "s", .check_pattern = "__shared__", .check_change = RG_CHECK_RISES};
    struct rg__reply r;
    static const struct rg__versions versions = {
        {(char *)"__global__ void k(int n)\n{\n    int i = 0;\n}\n", (char *)"k<<<1, 1>>>(n);\n"}, {NULL, NULL}};
    rg__reply_extract(&problem, size & 2 ? &versions : NULL, (const char *)data, size, size & 1, &r);
    if ((r.klass == RG__REPLY_USABLE) != (r.cuda && r.plan)) abort();
    if (r.cuda) {
        rg_llm_source_traits(r.cuda);
        rg_llm_step_applied(NULL, r.cuda, &step);
    }
    rg__reply_release(&r);
    struct rg__answer a;
    if (rg__wire_answer((const char *)data, size, &a, NULL) == RG_OK) rg__answer_release(&a);
    struct rg__issue issue;
    int n_models;
    bool has = false;
    int64_t context = 0;
    char first[64], why[100];
    rg__wire_models((const char *)data, size, "m", &n_models, &has, &context, first, sizeof first);
    struct rg_buf b = RG_BUF_INIT;
    char *text = rg__clean_text((const char *)data, size);
    rg__issue_parse(text, &issue);
    rg__verdict_parse(text, why, sizeof why);
    rg__short_error(&b, text, 300);
    rg__fenced(&b, "c", text);
    free(text);
    rg_buf_release(&b);
    return 0;
}
