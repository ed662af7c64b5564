/* Prompt texts: files under llm/prompts/, embedded through prompts.inc (made by embed-prompts.sh), replaceable one by
 * one by a user's folder. {{name}} is a variable; {{#name}}...{{/name}} is kept when the variable is not empty. */
#include "llm.h"
#include <rg/file.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[RG__N_PROMPTS] = {
    "system",   "problem",      "current",         "root",      "step",
    "attempts", "repair",       "judge",           "issue",     "critic",
    "review",   "until-stable", "until-converged", "diagonals", "two-phases"};

/* What each text may ask for; docs/llm.md documents them. */
static const char *const allowed[RG__N_PROMPTS] = {
    [RG__PROMPT_SYSTEM] = "",
    [RG__PROMPT_PROBLEM] = " device prototype parameters sizes require exactness loops types source ",
    [RG__PROMPT_CURRENT] = " cuda plan unseen time limiter launches counters tried ",
    [RG__PROMPT_ROOT] = " cuda plan time worked ",
    [RG__PROMPT_STEP] = " id title hint precondition numbers site before after others one check ",
    [RG__PROMPT_ATTEMPTS] = " errors cuda plan advice ",
    [RG__PROMPT_REPAIR] = " fault detail ",
    [RG__PROMPT_JUDGE] = "",
    [RG__PROMPT_ISSUE] = " issue why fix ",
    [RG__PROMPT_CRITIC] = "",
    [RG__PROMPT_REVIEW] = " title cuda plan ",
    [RG__PROMPT_UNTIL_STABLE] = "",
    [RG__PROMPT_UNTIL_CONVERGED] = "",
    [RG__PROMPT_DIAGONALS] = "",
    [RG__PROMPT_TWO_PHASES] = "",
};

static const char *const builtin[RG__N_PROMPTS] = {
#include "prompts.inc"
};

const char *rg__prompt_name(enum rg__prompt p)
{
    return names[p];
}
const char *rg__prompt_builtin(enum rg__prompt p)
{
    return builtin[p];
}

static int line_of(const char *text, const char *at)
{
    int line = 1;
    for (; text < at; text++) line += *text == '\n';
    return line;
}

/* A tag at `s` ("{{"): its sign ('#', '/', 0), name and length; 0 when it is no tag. */
static size_t tag(const char *s, char *sign, const char **name, size_t *n)
{
    const char *e = strstr(s + 2, "}}");
    if (!e || e - s > 40) return 0;
    *name = s + 2;
    *sign = **name == '#' || **name == '/' ? *(*name)++ : 0;
    *n = (size_t)(e - *name);
    for (size_t i = 0; i < *n; i++)
        if (!rg__c_word_char((*name)[i])) return 0;
    return *n ? (size_t)(e + 2 - s) : 0;
}

static enum rg_status check(const char *text, enum rg__prompt which, const char *file, struct rg_error *err)
{
    const char *open = NULL;
    size_t open_n = 0;
    for (const char *s = text; (s = strstr(s, "{{"));) {
        char sign;
        const char *name;
        size_t n, len = tag(s, &sign, &name, &n);
        if (!len) {
            s += 2;
            continue;
        }
        char word[48];
        snprintf(word, sizeof word, " %.*s ", (int)n, name);
        if (!strstr(allowed[which], word))
            return rg_error_at(err, RG_INPUT, file, line_of(text, s), 0,
                               "unknown variable '%.*s'; this prompt knows:%s", (int)n, name,
                               *allowed[which] ? allowed[which] : " none");
        if (sign == '#' && open)
            return rg_error_at(err, RG_INPUT, file, line_of(text, s), 0, "a section inside a section");
        if (sign == '/' && (!open || n != open_n || memcmp(open, name, n)))
            return rg_error_at(err, RG_INPUT, file, line_of(text, s), 0, "{{/%.*s}} closes nothing", (int)n, name);
        open = sign == '#' ? name : sign == '/' ? NULL : open;
        open_n = n;
        s += len;
    }
    return open ? rg_error_at(err, RG_INPUT, file, line_of(text, open), 0, "{{#%.*s}} is not closed", (int)open_n, open)
                : RG_OK;
}

enum rg_status rg__prompts_load(struct rg__prompts *out, const char *dir, struct rg_error *err)
{
    memset(out, 0, sizeof *out);
    for (int i = 0; i < RG__N_PROMPTS; i++) {
        char path[4096];
        enum rg_status s = RG_OK;
        if (dir) snprintf(path, sizeof path, "%s/%s.txt", dir, names[i]);
        if (dir && rg_file_exists(path)) {
            size_t n;
            s = rg_file_read(path, 1 << 20, &out->text[i], &n, err);
            if (s == RG_OK) s = check(out->text[i], i, path, err);
        } else {
            out->text[i] = rg_xstrdup(builtin[i]);
        }
        if (s != RG_OK) {
            rg__prompts_release(out);
            return s;
        }
    }
    if (dir) {
        bool any = false;
        for (int i = 0; i < RG__N_PROMPTS; i++) {
            char path[4096];
            snprintf(path, sizeof path, "%s/%s.txt", dir, names[i]);
            any |= rg_file_exists(path);
        }
        if (!any) {
            rg__prompts_release(out);
            struct rg_buf b = RG_BUF_INIT;
            for (int i = 0; i < RG__N_PROMPTS; i++) rg_buf_printf(&b, "%s%s.txt", i ? ", " : "", names[i]);
            rg_error_set(err, RG_INPUT, "no prompt in folder '%s': it may hold %s", dir, b.data);
            rg_buf_release(&b);
            return RG_INPUT;
        }
    }
    return RG_OK;
}

void rg__prompts_release(struct rg__prompts *p)
{
    for (int i = 0; i < RG__N_PROMPTS; i++) free(p->text[i]);
    memset(p, 0, sizeof *p);
}

static const char *value(const struct rg__var *vars, int n_vars, const char *name, size_t n)
{
    for (int i = 0; i < n_vars; i++)
        if (strlen(vars[i].name) == n && !memcmp(vars[i].name, name, n)) return vars[i].value ? vars[i].value : "";
    return "";
}

void rg__prompt_expand(struct rg_buf *out, const char *text, const struct rg__var *vars, int n_vars)
{
    bool off = false;
    const char *start = text;
    while (*text) {
        const char *s = strstr(text, "{{");
        if (!s) s = text + strlen(text);
        if (!off) rg_buf_add(out, text, (size_t)(s - text));
        if (!*s) break;
        char sign;
        const char *name;
        size_t n, len = tag(s, &sign, &name, &n);
        if (!len) {
            if (!off) rg_buf_str(out, "{{");
            text = s + 2;
            continue;
        }
        /* Values are put in as they are: what they contain is never expanded. */
        if (sign == '#')
            off = !*value(vars, n_vars, name, n);
        else if (sign == '/')
            off = false;
        else if (!off)
            rg_buf_str(out, value(vars, n_vars, name, n));
        text = s + len;
        /* A section tag alone on its line takes the line with it. */
        if (sign && *text == '\n' && (s == start || s[-1] == '\n' || out->len == 0)) text++;
    }
}
