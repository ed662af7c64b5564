/* A model's family, from its name: what stays when makers, sizes, dates and packagings are left out. */
#include "llm.h"
#include <ctype.h>
#include <rg/regex.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Words of a name that say how much of a model it is, not which. */
static bool passing(const char *word, size_t n)
{
    static const char pattern[] = "^(?:v?[0-9]{4,}|[0-9.]+(?:x[0-9.]+)?[bm]|a[0-9.]+b|q[0-9].*|k|m|s|l|iq[0-9].*|gguf|"
                                  "awq|gptq|exl2|mlx|fp8|fp16|bf16|int4|int8|"
                                  "w[0-9]+a[0-9]+|instruct|chat|it|latest|preview|[0-9]{2})$";
    struct rg_regex *r;
    struct rg_match m[1];
    if (rg_regex_new(pattern, 0, &r, NULL) != RG_OK) return false;
    bool is = rg_regex_find(r, word, n, 0, m, 1);
    rg_regex_free(r);
    return is;
}

void rg_llm_family(const char *model, char *out, size_t size)
{
    const char *slash = model ? strrchr(model, '/') : NULL;
    const char *s = slash ? slash + 1 : model ? model : "";
    size_t at = (size_t)snprintf(out, size, "llm:"), start = at, len = strlen(s);
    char word[64];
    if (len > 5 && !strcasecmp(s + len - 5, ".gguf")) len -= 5;
    for (const char *end = s + len; s < end && at + 1 < size;) {
        size_t n = strcspn(s, "-_:@");
        if (n > (size_t)(end - s)) n = (size_t)(end - s);
        size_t keep = n < sizeof word ? n : sizeof word - 1;
        for (size_t i = 0; i < keep; i++)
            word[i] = isgraph((unsigned char)s[i]) ? (char)tolower((unsigned char)s[i]) : '.';
        if (keep && (at == start || !passing(word, keep)))
            at += (size_t)snprintf(out + at, size - at, "%s%.*s", at > start ? "-" : "", (int)keep, word);
        s += n + (s + n < end);
    }
    if (at == start) snprintf(out, size, "llm"); /* no name */
}
