/* Expressions from any bytes: parse, print, parse again, evaluate. */
#include <rg/expr.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int name(void *arg, const char *n, int64_t *v)
{
    *v = (int64_t)(unsigned char)n[0] - 100;
    return n[0] != 'q';
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    memcpy(text, data, size);
    text[size] = 0;
    struct rg_arena a = RG_ARENA_INIT;
    const struct rg_expr *e, *again;
    struct rg_error err = RG_ERROR_INIT;
    if (rg_expr_parse_all(&a, text, &e, &err) == RG_OK) {
        struct rg_buf b = RG_BUF_INIT;
        struct rg_expr_env env = {.name = name};
        int64_t v = 0, w = 0;
        rg_expr_print(&b, e, NULL, NULL);
        enum rg_status s = rg_expr_eval(e, &env, &v, NULL);
        /* Printing may make a text longer than the parser's limits allow, and only that. */
        if (rg_expr_parse_all(&a, b.data, &again, &err) == RG_OK) {
            if (rg_expr_eval(again, &env, &w, NULL) != s || (s == RG_OK && v != w)) abort();
            if (!rg_expr_equal(e, again) || !rg_expr_equal(e, rg_expr_clone(&a, e))) abort();
        } else if (!strstr(err.text, "deep")) {
            abort();
        }
        rg_buf_release(&b);
    }
    rg_arena_release(&a);
    free(text);
    return 0;
}
