/* Strict JSON from judge and critic: one object with the members asked for, alone or in one fenced block; anything else
 * is no answer. */
#include "base/json_util.h"
#include "llm.h"
#include <stdio.h>
#include <string.h>

static json_t *only_object(const char *text)
{
    const char *open = strchr(text, '{'), *close = strrchr(text, '}');
    if (!open || !close || close < open) return NULL;
    /* before and after it only white space and a fence */
    for (const char *c = text; c < open; c++)
        if (!strchr(" \t\r\n`jsonJSON", *c)) return NULL;
    for (const char *c = close + 1; *c; c++)
        if (!strchr(" \t\r\n`", *c)) return NULL;
    json_t *o = json_loadb(open, (size_t)(close - open) + 1, JSON_REJECT_DUPLICATES, NULL);
    if (json_is_object(o)) return o;
    json_decref(o);
    return NULL;
}

/* A string member on one line, cut at `size`. */
static bool take(const json_t *o, const char *name, char *out, size_t size)
{
    const char *s = json_string_value(json_object_get(o, name));
    *out = '\0';
    if (!s) return false;
    char *clean = rg__clean_text(s, strlen(s));
    size_t n = strlen(clean);
    if (n >= size) n = size - 1;
    while (n && ((unsigned char)clean[n] & 0xc0) == 0x80) n--;
    for (size_t i = 0; i < n; i++) out[i] = clean[i] == '\n' || clean[i] == '\t' ? ' ' : clean[i];
    out[n] = '\0';
    free(clean);
    return *out != '\0';
}

bool rg__issue_parse(const char *text, struct rg__issue *out)
{
    memset(out, 0, sizeof *out);
    json_t *o = only_object(text);
    bool good = o && take(o, "issue", out->issue, sizeof out->issue);
    if (good) {
        take(o, "why", out->why, sizeof out->why);
        take(o, "fix", out->fix, sizeof out->fix);
    }
    json_decref(o);
    return good;
}

int rg__verdict_parse(const char *text, char *why, size_t size)
{
    *why = '\0';
    json_t *o = only_object(text);
    char verdict[16];
    int is = -1;
    if (o && take(o, "verdict", verdict, sizeof verdict))
        is = !strcmp(verdict, "ok") ? 1 : !strcmp(verdict, "wrong") ? 0 : -1;
    if (is == 0 && !take(o, "reason", why, size)) is = -1; /* "wrong" alone helps nobody */
    json_decref(o);
    return is;
}
