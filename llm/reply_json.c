/* Some servers are set to answer in JSON whatever the prompt says: {"cuda": "...", "plan": "..."}. */
#include "base/json_util.h"
#include "llm.h"
#include <stdlib.h>
#include <string.h>

static const char *member(const json_t *o, const char *const *names, int n)
{
    for (int i = 0; i < n; i++) {
        const json_t *v = json_object_get(o, names[i]);
        if (json_is_string(v) && json_string_length(v) == strlen(json_string_value(v))) return json_string_value(v);
    }
    return NULL;
}

char *rg__reply_from_json(const char *text, size_t n)
{
    static const char *const code_names[] = {"cuda", "code", "kernel", "cuda_code", "device_code"};
    static const char *const plan_names[] = {"plan", "launch", "launches", "launch_plan"};
    size_t at = strspn(text, " \t\r\n");
    if (at >= n || text[at] != '{') return NULL;
    json_t *o = json_loadb(text, n, JSON_ALLOW_NUL, NULL);
    const char *code = member(o, code_names, 5), *plan = member(o, plan_names, 4);
    char *out = NULL;
    if (code && plan) {
        struct rg_buf b = RG_BUF_INIT;
        /* what it holds may itself be fenced */
        if (strstr(code, "```"))
            rg_buf_printf(&b, "%s\n", code);
        else {
            rg__fenced(&b, "cuda", code);
            rg_buf_char(&b, '\n');
        }
        if (strstr(plan, "```"))
            rg_buf_str(&b, plan);
        else
            rg__fenced(&b, "plan", plan);
        rg_buf_char(&b, '\n');
        out = rg_buf_steal(&b);
    }
    json_decref(o);
    return out;
}
