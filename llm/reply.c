/* From a model's reply to device code and plan. Fence lines are found with one regular expression; what is between them
 * is decided in C, so that no reply can make a pattern run away. */
#include "llm.h"
#include <ctype.h>
#include <rg/regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_BLOCKS = 128 };

static const struct {
    const char *word, *text, *repair;
} classes[] = {
#define X(name, word, text, repair) {word, text, repair},
    RG__REPLY_MAP(X)
#undef X
};

const char *rg__reply_word(enum rg__reply_class c)
{
    return classes[c].word;
}
const char *rg__reply_repair(enum rg__reply_class c)
{
    return classes[c].repair;
}

enum tag { TAG_NONE, TAG_CODE, TAG_PLAN, TAG_DIFF, TAG_OTHER };

struct block {
    enum tag tag;
    size_t start, end; /* content */
    bool closed;
    char *blank; /* of the content */
    bool kernel, launches;
};

static enum tag parse_tag(const char *s, size_t n)
{
    while (n && (*s == '{' || *s == '.')) s++, n--;
    char word[16] = "";
    for (size_t i = 0; i < n && i < sizeof word - 1; i++) {
        if (s[i] == '}' || s[i] == ',' || s[i] == ':' || s[i] == '=') break;
        word[i] = (char)tolower((unsigned char)s[i]);
    }
    static const struct {
        const char *word;
        enum tag tag;
    } known[] = {{"", TAG_NONE},         {"cuda", TAG_CODE},     {"cu", TAG_CODE},       {"cpp", TAG_CODE},
                 {"c++", TAG_CODE},      {"cxx", TAG_CODE},      {"cc", TAG_CODE},       {"c", TAG_CODE},
                 {"cuda-c++", TAG_CODE}, {"cuda_cpp", TAG_CODE}, {"cuda-cpp", TAG_CODE}, {"hip", TAG_CODE},
                 {"plan", TAG_PLAN},     {"diff", TAG_DIFF},     {"patch", TAG_DIFF}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (!strcmp(known[i].word, word)) return known[i].tag;
    return TAG_OTHER;
}

static bool contains(const char *s, size_t n, const char *what)
{
    return n >= strlen(what) && memmem(s, n, what, strlen(what)) != NULL;
}

/* Fenced blocks. A fence with a tag inside a block ends it and begins the next: models forget closing fences. */
static int find_blocks(const char *text, size_t n, struct block *blocks)
{
    struct rg_regex *fence;
    if (rg_regex_new("^[ \\t>]*(`{3,}|~{3,})[ \\t]*([^\\s`]*)[^\\n`]*$", RG_REGEX_MULTILINE, &fence, NULL) != RG_OK)
        return 0;
    int count = 0;
    bool open = false;
    char mark = 0;
    size_t width = 0, at = 0;
    struct rg_match m[3];
    while (at <= n && count < MAX_BLOCKS && rg_regex_find(fence, text, n, at, m, 3)) {
        size_t line_end = m[0].end < n ? m[0].end + 1 : n;
        bool tagged = m[2].end > m[2].start;
        size_t w = m[1].end - m[1].start;
        char c = text[m[1].start];
        at = line_end;
        if (open && !tagged && (c != mark || w < width)) {
            if (line_end >= n) break;
            continue; /* another kind of fence, inside */
        }
        bool closes = open && !tagged;
        if (open) {
            blocks[count - 1].end = m[0].start;
            blocks[count - 1].closed = true;
        }
        open = !closes;
        if (open) {
            blocks[count++] =
                (struct block){.tag = parse_tag(text + m[2].start, m[2].end - m[2].start), .start = line_end, .end = n};
            mark = c;
            width = w;
        }
        if (line_end >= n) break;
    }
    rg_regex_free(fence);
    for (int i = 0; i < count; i++) {
        struct block *b = &blocks[i];
        if (rg__looks_like_diff(text + b->start, b->end - b->start)) b->tag = TAG_DIFF;
        b->blank = rg__c_blank(text + b->start, b->end - b->start);
        b->kernel = contains(b->blank, b->end - b->start, "__global__");
        b->launches = contains(b->blank, b->end - b->start, "<<<");
    }
    return count;
}

static void fail(struct rg__reply *out, enum rg__reply_class c, const char *detail)
{
    out->klass = c;
    snprintf(out->message, sizeof out->message, "%s%s%s", classes[c].text, *detail ? ": " : "", detail);
}

/* Does block b define every kernel that the plan launches? */
static bool fits_plan(const struct block *b, const char *plan, size_t n)
{
    int seen = 0;
    for (size_t i = 0; i + 3 <= n && seen < 64; i++) {
        if (memcmp(plan + i, "<<<", 3)) continue;
        size_t e = i;
        while (e && isspace((unsigned char)plan[e - 1])) e--;
        if (e && plan[e - 1] == '>') { /* template arguments */
            int depth = 0;
            while (e) {
                e--;
                if (plan[e] == '>') depth++;
                if (plan[e] == '<' && --depth == 0) break;
            }
        }
        size_t s = e;
        while (s && rg__c_word_char(plan[s - 1])) s--;
        if (s == e || !rg__c_has_kernel(b->blank, b->end - b->start, plan + s, e - s)) return false;
        seen++;
        i += 2;
    }
    return seen > 0;
}

/* The device code: the last marked block that defines what the plan launches, else all marked blocks together where
 * each adds kernels, else the longest marked one, else the longest with a kernel. */
static char *choose_code(const char *text, struct block *blocks, int n, const struct block *plan, size_t *out_len,
                         const struct block **chosen)
{
    const char *plan_text = plan ? text + plan->start : "";
    size_t plan_len = plan ? plan->end - plan->start : 0;
    const struct block *best = NULL;
    bool best_fits = false;
    for (int pass = 0; pass < 2 && !best; pass++) /* marked blocks first */
        for (int i = 0; i < n; i++) {
            struct block *b = &blocks[i];
            if (b == plan || !b->kernel || b->tag == TAG_DIFF || b->tag == TAG_PLAN ||
                (pass == 0 && b->tag != TAG_CODE))
                continue;
            bool fits = fits_plan(b, plan_text, plan_len);
            if (!best || (fits && !best_fits) || (fits && best_fits) ||
                (!fits && !best_fits && b->end - b->start > best->end - best->start)) {
                best = b;
                best_fits = fits;
            }
        }
    *chosen = best;
    if (!best) return NULL;
    struct rg_buf out = RG_BUF_INIT;
    if (plan && !best_fits && best->tag == TAG_CODE) {
        for (int i = 0; i < n; i++) {
            const struct block *b = &blocks[i];
            if (b->tag != TAG_CODE || b == plan || (!b->kernel && contains(b->blank, b->end - b->start, "<<<")))
                continue;
            rg_buf_add(&out, text + b->start, b->end - b->start);
            rg_buf_char(&out, '\n');
        }
        struct block whole = {.blank = rg__c_blank(out.data, out.len), .end = out.len};
        bool fits = fits_plan(&whole, plan_text, plan_len);
        free(whole.blank);
        if (fits) {
            *out_len = out.len;
            return rg_buf_steal(&out);
        }
        rg_buf_reset(&out);
    }
    rg_buf_add(&out, text + best->start, best->end - best->start);
    *out_len = out.len;
    return rg_buf_steal(&out);
}

/* The reason after "REFUSED:" at the start of a line; false when there is none. */
static bool declined(const char *text, size_t n, struct rg__reply *out)
{
    struct rg_regex *r;
    if (rg_regex_new("^[ \\t>*_`#]*REFUSED[*_`]*\\s*[:\\-][*_`]*[ \\t]*([^\\n]*)", RG_REGEX_MULTILINE, &r, NULL) !=
        RG_OK)
        return false;
    struct rg_match m[2];
    bool found = rg_regex_find(r, text, n, 0, m, 2);
    if (found) {
        out->klass = RG__REPLY_REFUSED;
        snprintf(out->message, sizeof out->message, "the model declined: %.*s",
                 (int)(m[1].end - m[1].start > 300 ? 300 : m[1].end - m[1].start), text + m[1].start);
    }
    rg_regex_free(r);
    return found;
}

/* The step that the model says it took, as the one asked makes no sense. */
static void taken_instead(const char *text, size_t n, struct rg__reply *out)
{
    struct rg_regex *r;
    if (rg_regex_new("^[ \\t>*_`#]*INSTEAD[*_`]*\\s*:[*_` \\t]*([A-Za-z][A-Za-z0-9._-]{0,63})", RG_REGEX_MULTILINE, &r,
                     NULL) != RG_OK)
        return;
    struct rg_match m[2];
    if (rg_regex_find(r, text, n, 0, m, 2))
        snprintf(out->instead, sizeof out->instead, "%.*s", (int)(m[1].end - m[1].start), text + m[1].start);
    size_t len = strlen(out->instead);
    while (len && strchr("._-", out->instead[len - 1])) out->instead[--len] = 0; /* the sentence's own */
    rg_regex_free(r);
}

/* A reply without any fence that is nothing but code. */
static bool bare_code(const char *text, size_t n)
{
    while (n && isspace((unsigned char)*text)) text++, n--;
    static const char *const starts[] = {"#",       "//",         "/*",          "__global__", "template",
                                         "typedef", "struct",     "static",      "constexpr",  "const ",
                                         "extern",  "__device__", "__constant__"};
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (n >= strlen(starts[i]) && !memcmp(text, starts[i], strlen(starts[i])))
            return contains(text, n, "__global__");
    return false;
}

static char *trimmed(const char *s, size_t n)
{
    while (n && isspace((unsigned char)*s)) s++, n--;
    while (n && isspace((unsigned char)s[n - 1])) n--;
    char *t = rg_xmalloc(n + 2);
    memcpy(t, s, n);
    t[n] = '\n';
    t[n + 1] = '\0';
    return t;
}

/* The plan: a block so marked (the last), else an unmarked one with launches alone, else recovered from host code. */
static const struct block *find_plan(struct block *blocks, int n)
{
    const struct block *plan = NULL;
    for (int i = 0; i < n; i++)
        if (blocks[i].tag == TAG_PLAN && blocks[i].launches && !blocks[i].kernel) plan = &blocks[i];
    return plan;
}

static char *recover_plan(const struct rg_problem *p, const char *text, struct block *blocks, int n, const char *code,
                          size_t code_len, char *why, size_t size)
{
    *why = '\0';
    char *plan = rg__host_plan(p, code, code_len, why, size);
    for (int i = n - 1; i >= 0 && !plan; i--) {
        struct block *b = &blocks[i];
        if (!b->launches || b->kernel) continue;
        plan = rg__host_plan(p, text + b->start, b->end - b->start, why, size);
        if (!plan) plan = rg__host_plan_body(p, text + b->start, b->end - b->start, why, size);
    }
    return plan;
}

/* Diffs of the reply, one after the other, on the current version; NULL when there is none or one does not fit. */
static char *patched(const struct rg_source *current, const char *text, const struct block *blocks, int n)
{
    char *code = NULL;
    for (int i = 0; current && i < n; i++) {
        if (blocks[i].tag != TAG_DIFF) continue;
        char *next =
            rg__diff_apply(code ? code : current->cuda, text + blocks[i].start, blocks[i].end - blocks[i].start);
        free(code);
        code = next;
        if (!code) return NULL;
    }
    return code;
}

/* `// ... existing code ...` where code should be. */
static bool elided(const char *code, size_t n)
{
    struct rg_regex *r;
    static const char pattern[] =
        "^[ \\t]*(?://|/\\*)[ \\t]*(?:\\[?(?:\\.\\.\\.|\xe2\x80\xa6)|.*\\b(?:(?:rest|remainder|remaining part)s? of "
        "(?:the )?"
        "(?:code|kernel|function)|existing code|code (?:unchanged|omitted)|omitted for brevity|as before \\.\\.\\.))";
    if (rg_regex_new(pattern, RG_REGEX_MULTILINE | RG_REGEX_CASELESS, &r, NULL) != RG_OK) return false;
    struct rg_match m[1];
    bool found = rg_regex_find(r, code, n, 0, m, 1);
    rg_regex_free(r);
    return found;
}

/* A block marked as plan that is host code with allocations and copies. */
static char *plan_of_block(const struct rg_problem *p, const char *text, const struct block *plan, int *fixes)
{
    char *t = trimmed(text + plan->start, plan->end - plan->start);
    if (contains(plan->blank, plan->end - plan->start, "cudaMalloc") ||
        contains(plan->blank, plan->end - plan->start, "cudaMemcpy")) {
        char why[240];
        char *translated = rg__host_plan_body(p, t, strlen(t), why, sizeof why);
        if (translated) {
            fixes[RG_LLM_FIX_PLAN_FROM_HOST]++;
            free(t);
            return translated;
        }
    }
    return rg__fix_plan(rg__fix_line_numbers(t, fixes), fixes);
}

/* Launches, or shapes of them, stand somewhere, in code or prose: the old plan is not what is meant. Host code without
 * any says nothing of how the kernels are launched. */
static bool speaks_of_launches(const char *text, size_t n)
{
    return contains(text, n, "<<<") || contains(text, n, "cudaLaunch") || contains(text, n, "cuLaunch") ||
           contains(text, n, "dim3");
}

/* Of a reply with a plan alone. */
static char *code_of_versions(const struct rg_problem *p, const struct rg__versions *v, const char *text,
                              const struct block *plan, struct rg__reply *out)
{
    char *t = plan_of_block(p, text, plan, out->fixes), *code = rg__code_for(&v->last, t);
    if (!code) code = rg__code_for(&v->current, t);
    free(t);
    out->fixes[RG_LLM_FIX_PART] += code != NULL;
    return code;
}

static char *plan_of_versions(const struct rg__versions *v, const char *code, int *fixes)
{
    char *plan = rg__plan_for(&v->last, code);
    if (!plan) plan = rg__plan_for(&v->current, code);
    fixes[RG_LLM_FIX_PART] += plan != NULL;
    return plan;
}

static void extract(const struct rg_problem *p, const struct rg__versions *v, const char *text, size_t n, bool cut,
                    struct block *blocks, int count, struct rg__reply *out)
{
    const struct rg_source *current = v->current.cuda ? &v->current : NULL;
    const struct block *plan = find_plan(blocks, count), *chosen = NULL;
    size_t code_len = 0;
    bool from_diff = false;
    char *code = choose_code(text, blocks, count, plan, &code_len, &chosen);
    if (!code && count == 0 && bare_code(text, n)) {
        code = rg_xstrndup(text, n);
        code_len = n;
    }
    if (!code && !cut && (code = patched(current, text, blocks, count))) {
        code_len = strlen(code);
        from_diff = true;
        out->fixes[RG_LLM_FIX_PATCH]++;
    }
    bool refused = !code && declined(text, n, out);
    if (!code && !refused && !cut && plan && plan->closed && count == 1 &&
        (code = code_of_versions(p, v, text, plan, out)))
        code_len = strlen(code);
    if (!code) {
        if (refused) return;
        bool diff = false, open_block = false;
        for (int i = 0; i < count; i++) {
            diff |= blocks[i].tag == TAG_DIFF;
            open_block |= !blocks[i].closed;
        }
        fail(out,
             cut || open_block ? RG__REPLY_TRUNCATED
             : diff            ? RG__REPLY_DIFF
             : count           ? RG__REPLY_NO_KERNEL
                               : RG__REPLY_NO_BLOCK,
             "");
        return;
    }
    char why[240] = "";
    code = rg__fix_line_numbers(code, out->fixes);
    code_len = strlen(code);
    char *plan_text = plan ? plan_of_block(p, text, plan, out->fixes) : NULL;
    if (!plan && from_diff)
        plan_text = rg_xstrdup(current->plan);
    else if (!plan && (plan_text = recover_plan(p, text, blocks, count, code, code_len, why, sizeof why)))
        out->fixes[RG_LLM_FIX_PLAN_FROM_HOST]++;
    if (!plan_text && !cut && !speaks_of_launches(text, n)) plan_text = plan_of_versions(v, code, out->fixes);
    bool half = (chosen && !chosen->closed) || (plan && !plan->closed && cut);
    if (half) {
        /* Without a closing fence the code is whole only when its brackets are. */
        char *blank = rg__c_blank(code, code_len);
        long depth = 0;
        for (size_t i = 0; i < code_len; i++) depth += (blank[i] == '{') - (blank[i] == '}');
        size_t e = code_len;
        while (e && isspace((unsigned char)blank[e - 1])) e--;
        half = cut || depth != 0 || !e || (blank[e - 1] != '}' && blank[e - 1] != ';');
        free(blank);
    }
    if (half || (!plan_text && cut)) {
        fail(out, RG__REPLY_TRUNCATED, "");
    } else if (elided(code, code_len)) {
        fail(out, RG__REPLY_ELIDED, "");
    } else if (!plan_text) {
        fail(out, *why ? RG__REPLY_HOST_CODE : RG__REPLY_NO_PLAN, why);
        char *device = rg__fix_code(rg__device_code(code, code_len, out->fixes), out->fixes);
        out->cuda = trimmed(device, strlen(device)); /* for a repair that brings the plan alone */
        free(device);
    } else {
        char *device = rg__fix_code(rg__device_code(code, code_len, out->fixes), out->fixes);
        out->cuda = trimmed(device, strlen(device));
        out->plan = plan_text;
        plan_text = NULL;
        free(device);
    }
    free(plan_text);
    free(code);
}

void rg__reply_extract(const struct rg_problem *p, const struct rg__versions *versions, const char *text, size_t len,
                       bool cut, struct rg__reply *out)
{
    static const struct rg__versions none;
    memset(out, 0, sizeof *out);
    size_t n;
    bool cut_inside;
    char *s = rg__reply_prepare(text, len, &cut_inside, out->fixes);
    n = strlen(s);
    size_t blanks = 0;
    while (blanks < n && isspace((unsigned char)s[blanks])) blanks++;
    if (blanks == n) {
        fail(out, cut || cut_inside ? RG__REPLY_TRUNCATED : RG__REPLY_EMPTY,
             cut_inside ? "its thinking did not end" : "");
    } else {
        struct block blocks[MAX_BLOCKS];
        int count = find_blocks(s, n, blocks);
        extract(p, versions ? versions : &none, s, n, cut || cut_inside, blocks, count, out);
        taken_instead(s, n, out);
        for (int i = 0; i < count; i++) free(blocks[i].blank);
    }
    free(s);
}

void rg__reply_release(struct rg__reply *r)
{
    free(r->cuda);
    free(r->plan);
    r->cuda = r->plan = NULL;
}
