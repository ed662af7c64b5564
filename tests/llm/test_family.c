/* What a model's experience is kept under, and which example of a step is shown. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include "llm/llm.h"
#include <jansson.h>
#include <rg/llm.h>
#include <string.h>

static void families(void **state)
{
    static const struct {
        const char *model, *family;
    } cases[] = {
        {"Qwen/Qwen2.5-Coder-32B-Instruct", "llm:qwen2.5-coder"},
        {"qwen2.5-coder:7b", "llm:qwen2.5-coder"},
        {"Qwen2.5-Coder-14B-Instruct-AWQ", "llm:qwen2.5-coder"},
        {"qwen2.5-coder-32b-instruct-q4_k_m.gguf", "llm:qwen2.5-coder"},
        {"gpt-4o-2024-08-06", "llm:gpt-4o"},
        {"gpt-4o", "llm:gpt-4o"},
        {"o3-mini", "llm:o3-mini"},
        {"claude-sonnet-4-20250514", "llm:claude-sonnet-4"},
        {"deepseek-ai/DeepSeek-R1", "llm:deepseek-r1"},
        {"mistralai/Mixtral-8x7B-Instruct-v0.1", "llm:mixtral-v0.1"},
        {"7b", "llm:7b"}, /* what is all there is of a name stays */
        {"", "llm"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char out[64];
        rg_llm_family(cases[i].model, out, sizeof out);
        if (strcmp(out, cases[i].family)) fail_msg("%s: %s", cases[i].model, out);
    }
    char small[8];
    rg_llm_family("a-name-that-is-much-too-long", small, sizeof small);
    assert_true(strlen(small) < sizeof small);
}

static void add(struct rg__examples *x, const char *step, uint32_t traits, double gain, bool estimated,
                const char *after)
{
    json_t *o = json_pack("{s:s, s:f, s:b, s:i, s:s, s:s}", "step", step, "gain", gain, "estimated", estimated,
                          "traits", (int)traits, "before", "b", "after", after);
    assert_true(rg__example_read(x, o, false));
    json_decref(o);
}

static void examples(void **state)
{
    enum {
        STENCIL = RG_TRAIT_LOOP | RG_TRAIT_STENCIL | RG_TRAIT_TIME_LOOP,
        ROWS = RG_TRAIT_LOOP | RG_TRAIT_REDUCTION | RG_TRAIT_UNIT_STRIDE
    };
    struct rg__examples x = {0};
    add(&x, "unroll", STENCIL, 1.5, false, "stencil");
    add(&x, "unroll", ROWS, 3, false, "rows");
    add(&x, "fuse", STENCIL, 9, false, "another step");
    assert_string_equal(rg__examples_find(&x, "unroll", STENCIL | RG_TRAIT_FP32)->after,
                        "stencil"); /* like it, though it gained less */
    assert_string_equal(rg__examples_find(&x, "unroll", ROWS)->after, "rows");
    assert_string_equal(rg__examples_find(&x, "unroll", 0)->after, "rows");
    assert_null(rg__examples_find(&x, "hoist", ROWS));
    add(&x, "unroll", STENCIL, 1.2, false, "less");
    assert_string_equal(rg__examples_find(&x, "unroll", STENCIL)->after, "stencil");
    add(&x, "unroll", STENCIL, 2, false, "more");
    assert_string_equal(rg__examples_find(&x, "unroll", STENCIL)->after, "more");
    add(&x, "unroll", STENCIL, 50, true, "estimated");
    assert_string_equal(rg__examples_find(&x, "unroll", STENCIL)->after, "more");
    add(&x, "unroll", RG_TRAIT_SCATTER, 4, false,
        "scatter"); /* four kinds at most: a fifth replaces the least, or is none */
    add(&x, "unroll", RG_TRAIT_MATH, 5, false, "math");
    add(&x, "unroll", RG_TRAIT_SCAN, 1.9, false, "too little");
    assert_string_not_equal(rg__examples_find(&x, "unroll", RG_TRAIT_SCAN)->after, "too little");
    add(&x, "unroll", RG_TRAIT_SCAN, 2.5, false, "scan");
    assert_string_equal(rg__examples_find(&x, "unroll", RG_TRAIT_SCAN)->after, "scan");
    assert_string_not_equal(rg__examples_find(&x, "unroll", STENCIL)->after, "more");
    assert_int_equal(x.n, 5);
    /* written by words, read back the same */
    json_t *o = rg__example_json(rg__examples_find(&x, "unroll", RG_TRAIT_SCAN));
    assert_string_equal(json_string_value(json_array_get(json_object_get(o, "traits"), 0)), "scan");
    struct rg__examples back = {0};
    assert_true(rg__example_read(&back, o, false));
    assert_int_equal(back.items[0].traits, RG_TRAIT_SCAN);
    json_decref(o);
    rg__examples_release(&back);
    rg__examples_release(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(families), cmocka_unit_test(examples)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
