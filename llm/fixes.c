/* Known textual faults of models that have one cure each, applied before anything is compiled, and counted: a table of
 * patterns over code in which comments and literals are blanked, so that neither is ever changed. */
#include "llm.h"
#include <ctype.h>
#include <rg/regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *word, *text;
} names[] = {
#define X(name, word, text) {word, text},
    RG_LLM_FIX_MAP(X)
#undef X
};

const char *rg_llm_fix_word(int fix)
{
    return fix >= 0 && fix < RG_LLM_N_FIXES ? names[fix].word : "?";
}
const char *rg_llm_fix_text(int fix)
{
    return fix >= 0 && fix < RG_LLM_N_FIXES ? names[fix].text : "";
}

struct rule {
    enum rg_llm_fix fix;
    const char *pattern, *with; /* $1..$9: what a group matched */
};

static const struct rule code_rules[] = {
    {RG_LLM_FIX_USING_STD, "\\busing\\s+namespace\\s+std\\s*;", ""},
    {RG_LLM_FIX_STD_FUNCTION,
     "\\bstd::(min|max|abs|fabs|fmin|fmax|sqrt|cbrt|exp|exp2|expm1|log|log2|log10|log1p|pow|sin|cos|tan|asin|acos|atan|"
     "atan2|sinh|cosh|tanh|erf|erfc|floor|ceil|round|trunc|rint|fmod|hypot|copysign|fma|isnan|isinf|isfinite|size_t|"
     "u?int(?:8|16|32|64)_t)\\b",
     "$1"},
    {RG_LLM_FIX_RESTRICT, "\\brestrict\\b", "__restrict__"},
    {RG_LLM_FIX_BARRIER_CALL, "\\b__syncthreads\\s*;", "__syncthreads();"},
    {RG_LLM_FIX_KERNEL_LINKAGE, "\\b(?:static|inline)\\s+(__global__\\b)", "$1"},
    {RG_LLM_FIX_KERNEL_LINKAGE, "(\\b__global__\\s+)(?:static|inline)\\s+", "$1"},
};

static const struct rule plan_rules[] = {
    {RG_LLM_FIX_PLAN_CEIL_DIV,
     "\\b(?:cdiv|ceildiv|ceilDiv|CeilDiv|ceil_divide|div_up|divup|divUp|DIV_UP|DIVUP|CEIL_DIV|CEILDIV|div_ceil|divCeil|"
     "idivup|iDivUp|div_round_up|DIV_ROUND_UP)\\s*\\(",
     "ceil_div("},
    {RG_LLM_FIX_PLAN_CPP, "\\bstd::(min|max|swap|abs)\\b", "$1"},
    {RG_LLM_FIX_PLAN_CPP, "\\b(?:const|constexpr)\\s+", ""},
    {RG_LLM_FIX_PLAN_CPP, "\\bauto\\s+(?=\\w+\\s*=[^=])", "int "},
    {RG_LLM_FIX_PLAN_CPP, "\\bstatic_cast\\s*<[^<>;]*>\\s*(?=\\()", ""},
    {RG_LLM_FIX_PLAN_CPP,
     "\\(\\s*(?:unsigned|int|long|size_t|(?:u?int(?:32|64)_t))(?:\\s+(?:int|long))*\\s*\\)\\s*(?=[\\w(])", ""},
    {RG_LLM_FIX_PLAN_CPP, "\\b(\\d+)[uUlL]+\\b", "$1"},
    {RG_LLM_FIX_PLAN_CPP, "\\bdim3\\s+(\\w+)\\s*=\\s*dim3\\s*\\(", "dim3 $1("},
    {RG_LLM_FIX_PLAN_CPP, "\\bdim3\\s+(\\w+)\\s*\\{([^{};]*)\\}\\s*;", "dim3 $1($2);"},
    {RG_LLM_FIX_PLAN_HOST_CALL,
     "\\bcuda(?:DeviceSynchronize|GetLastError|PeekAtLastError|StreamSynchronize|ThreadSynchronize|Free|FreeAsync)"
     "\\s*\\([^;()]*(?:\\([^;()]*\\)[^;()]*)*\\)\\s*;",
     ""},
    {RG_LLM_FIX_PLAN_HOST_CALL, "\\b(?:cudaMemset|cudaMemsetAsync|memset)\\s*\\(\\s*(\\w+)\\s*,\\s*0\\s*,[^;]*\\)\\s*;",
     "fill($1, 0);"},
    {RG_LLM_FIX_PLAN_HOST_CALL, "\\breturn\\b\\s*\\d*\\s*;\\s*\\z", ""},
    {RG_LLM_FIX_PLAN_SCRATCH, "\\bscratch\\s+(\\w+(?:\\s+\\w+)*?)\\s*\\*\\s*(\\w+)\\s*\\[", "scratch $1 $2["},
    {RG_LLM_FIX_PLAN_SEMICOLON, "(>>>\\s*\\([^;{}]*\\))(\\s*)\\z", "$1;$2"},
    {RG_LLM_FIX_PLAN_SEMICOLON, "(>>>\\s*\\([^;{}]*\\))(\\s*\\n\\s*\\w+(?:<\\w+>)?\\s*<<<)", "$1;$2"},
    /* statements that fill a line, where the next line begins another */
    {RG_LLM_FIX_PLAN_SEMICOLON,
     "(^[ \\t]*(?:scratch\\b[^;{}\\n]*\\]|(?:fill|copy|swap|require)[ \\t]*\\([^;{}\\n]*\\)))([ "
     "\\t]*)$(?=\\s*(?:[}\\w\\[]|\\z))",
     "$1;$2"},
};

/* `with` put in place of a match: groups are cut from the text as written, not from the blanked one. */
static void expand(struct rg_buf *out, const char *with, const char *text, const struct rg_match *m, int n)
{
    for (const char *w = with; *w; w++) {
        int g = w[0] == '$' && isdigit((unsigned char)w[1]) ? w[1] - '0' : -1;
        if (g < 0) {
            rg_buf_char(out, *w);
            continue;
        }
        if (g < n && m[g].start != (size_t)-1) rg_buf_add(out, text + m[g].start, m[g].end - m[g].start);
        w++;
    }
}

enum { MOST_FIXES = 256 }; /* of one rule in one reply: beyond that the text is no code */

static char *apply(const struct rule *rule, char *text, int *counts)
{
    struct rg_regex *r;
    if (rg_regex_new(rule->pattern, RG_REGEX_MULTILINE, &r, NULL) != RG_OK) return text;
    size_t n = strlen(text), at = 0, from = 0;
    char *blank = rg__c_blank(text, n);
    struct rg_buf out = RG_BUF_INIT;
    struct rg_match m[4];
    int found = 0;
    while (found < MOST_FIXES && at <= n && rg_regex_find(r, blank, n, at, m, 4) && m[0].end > m[0].start) {
        rg_buf_add(&out, text + from, m[0].start - from);
        expand(&out, rule->with, text, m, 4);
        from = at = m[0].end;
        found++;
    }
    rg_regex_free(r);
    free(blank);
    if (!found) return text;
    rg_buf_add(&out, text + from, n - from);
    counts[rule->fix] += found;
    free(text);
    return rg_buf_steal(&out);
}

/* Headers that code uses without including them; those that the compile worker has. */
static char *add_includes(char *text, int *counts)
{
    static const struct {
        const char *pattern, *header;
    } needs[] = {{"\\bstd::numeric_limits\\b", "limits"},
                 {"\\bassert\\s*\\(", "assert.h"},
                 {"\\bCUDART_\\w+", "math_constants.h"},
                 {"\\bcooperative_groups\\b", "cooperative_groups.h"},
                 {"\\b(?:__half2?|half2)\\b", "cuda_fp16.h"}};
    size_t n = strlen(text);
    char *blank = rg__c_blank(text, n);
    struct rg_buf out = RG_BUF_INIT;
    for (size_t i = 0; i < sizeof needs / sizeof *needs; i++) {
        struct rg_regex *r;
        struct rg_match m[1];
        if (rg_regex_new(needs[i].pattern, 0, &r, NULL) != RG_OK) continue;
        bool used = rg_regex_find(r, blank, n, 0, m, 1);
        rg_regex_free(r);
        char name[40];
        snprintf(name, sizeof name, "<%s>", needs[i].header);
        if (!used || strstr(text, name)) continue;
        rg_buf_printf(&out, "#include %s\n", name);
        counts[RG_LLM_FIX_INCLUDE]++;
    }
    free(blank);
    if (!out.len) return text;
    rg_buf_str(&out, text);
    free(text);
    return rg_buf_steal(&out);
}

char *rg__fix_code(char *text, int *counts)
{
    for (size_t i = 0; i < sizeof code_rules / sizeof *code_rules; i++) text = apply(&code_rules[i], text, counts);
    return add_includes(text, counts);
}

char *rg__fix_plan(char *text, int *counts)
{
    for (size_t i = 0; i < sizeof plan_rules / sizeof *plan_rules; i++) text = apply(&plan_rules[i], text, counts);
    return text;
}

/* Characters of word processors and of HTML where code was meant. */
char *rg__fix_characters(const char *text, size_t n, int *counts)
{
    static const struct {
        const char *bytes, *with;
    } typography[] = {{"\xe2\x80\x98", "'"},  {"\xe2\x80\x99", "'"}, {"\xe2\x80\x9c", "\""}, {"\xe2\x80\x9d", "\""},
                      {"\xc2\xa0", " "},      {"\xe2\x80\xaf", " "}, {"\xe2\x80\x89", " "},  {"\xe2\x80\x8b", ""},
                      {"\xe2\x80\x8c", ""},   {"\xe2\x80\x8d", ""},  {"\xef\xbb\xbf", ""},   {"\xe2\x88\x92", "-"},
                      {"\xe2\x80\x93", "-"},  {"\xe2\x80\x94", "-"}, {"\xe2\x89\xa4", "<="}, {"\xe2\x89\xa5", ">="},
                      {"\xe2\x89\xa0", "!="}, {"\xe2\x81\xa0", ""}};
    static const struct {
        const char *bytes, *with;
    } entities[] = {{"&lt;", "<"}, {"&gt;", ">"}, {"&amp;", "&"}, {"&quot;", "\""}, {"&#39;", "'"}};
    /* `a&lt` without a semicolon is C; with one and without any real < it can only be HTML */
    bool html = n >= 4 && memmem(text, n, "&lt;", 4) && !memmem(text, n, "<<<", 3);
    struct rg_buf out = RG_BUF_INIT;
    for (size_t i = 0; i < n;) {
        size_t took = 0;
        for (size_t k = 0; !took && (unsigned char)text[i] >= 0x80 && k < sizeof typography / sizeof *typography; k++) {
            size_t len = strlen(typography[k].bytes);
            if (n - i < len || memcmp(text + i, typography[k].bytes, len)) continue;
            rg_buf_str(&out, typography[k].with);
            counts[RG_LLM_FIX_TYPOGRAPHY]++;
            took = len;
        }
        for (size_t k = 0; html && !took && text[i] == '&' && k < sizeof entities / sizeof *entities; k++) {
            size_t len = strlen(entities[k].bytes);
            if (n - i < len || memcmp(text + i, entities[k].bytes, len)) continue;
            rg_buf_str(&out, entities[k].with);
            counts[RG_LLM_FIX_ENTITIES]++;
            took = len;
        }
        if (!took) rg_buf_char(&out, text[i]);
        i += took ? took : 1;
    }
    return rg_buf_steal(&out);
}

/* "12: ", "12 | " before every line: code copied out of a listing. The numbers must follow each other. */
char *rg__fix_line_numbers(char *text, int *counts)
{
    struct rg_buf out = RG_BUF_INIT;
    long expected = -1;
    int lines = 0;
    for (const char *s = text; *s;) {
        size_t len = strcspn(s, "\n"), i = 0;
        while (i < len && isblank((unsigned char)s[i])) i++;
        size_t digits = i;
        long number = 0;
        while (i < len && isdigit((unsigned char)s[i]) && i - digits < 6) number = 10 * number + (s[i++] - '0');
        bool ok = i > digits && i < len + 1 && (expected < 0 || number == expected);
        while (ok && i < len && s[i] == ' ' && s[i + 1] == ' ') i++;
        if (ok && i < len && s[i] == ' ' && (s[i + 1] == '|' || s[i + 1] == ':')) i++;
        ok = ok && i < len && (s[i] == '|' || s[i] == ':');
        if (!ok) {
            rg_buf_release(&out);
            return text;
        }
        i++;
        if (i < len && s[i] == ' ') i++;
        rg_buf_add(&out, s + i, len - i);
        rg_buf_char(&out, '\n');
        expected = number + 1;
        lines++;
        s += len + (s[len] == '\n');
    }
    if (lines < 3) {
        rg_buf_release(&out);
        return text;
    }
    counts[RG_LLM_FIX_LINE_NUMBERS]++;
    free(text);
    return rg_buf_steal(&out);
}
