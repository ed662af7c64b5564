/* What can be read off CUDA source without compiling it: traits, and whether a step's check holds. */
#include "llm.h"
#include <ctype.h>
#include <rg/plan.h>
#include <rg/regex.h>
#include <stdlib.h>
#include <string.h>

static int count(const char *pattern, const char *text)
{
    struct rg_regex *r;
    if (rg_regex_new(pattern, RG_REGEX_MULTILINE, &r, NULL) != RG_OK) return -1;
    int n = rg_regex_count(r, text, strlen(text));
    rg_regex_free(r);
    return n;
}

uint32_t rg_llm_source_traits(const char *cuda)
{
    static const struct {
        const char *pattern;
        int at_least;
        uint32_t trait;
    } signs[] = {
        {"\\b__shared__\\b", 1, RG_TRAIT_SHARED},
        {"\\batomic[A-Z]\\w*\\s*\\(|\\batomic_ref\\b|\\bcuda::(std::)?atomic\\b", 1, RG_TRAIT_ATOMICS},
        {"\\b__sync(threads|warp)\\w*\\s*\\(|\\.sync\\s*\\(\\s*\\)|\\bcuda::barrier\\b", 1, RG_TRAIT_BARRIERS},
        {"\\b__global__\\b", 2, RG_TRAIT_MULTI_KERNEL},
    };
    char *blank = rg__c_blank(cuda, strlen(cuda));
    uint32_t traits = 0;
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (count(signs[i].pattern, blank) >= signs[i].at_least) traits |= signs[i].trait;
    free(blank);
    return traits;
}

/* Comments gone, white space as single blanks: what must differ for code to count as changed. */
static char *skeleton(const char *text)
{
    char *s = rg__c_blank(text, strlen(text));
    size_t n = 0;
    for (size_t i = 0; s[i]; i++) {
        if (!isspace((unsigned char)s[i]))
            s[n++] = s[i];
        else if (n && s[n - 1] != ' ')
            s[n++] = ' ';
    }
    while (n && s[n - 1] == ' ') n--;
    s[n] = '\0';
    return s;
}

/* What the pattern matches, in order. */
static char *matches(const char *pattern, const char *text)
{
    struct rg_regex *r;
    struct rg_buf b = RG_BUF_INIT;
    if (rg_regex_new(pattern, RG_REGEX_MULTILINE, &r, NULL) != RG_OK) return NULL;
    size_t n = strlen(text);
    struct rg_match m;
    for (size_t at = 0; at <= n && rg_regex_find(r, text, n, at, &m, 1); at = m.end > m.start ? m.end : m.end + 1)
        rg_buf_printf(&b, "%.*s\n", (int)(m.end - m.start), text + m.start);
    rg_regex_free(r);
    return rg_buf_steal(&b);
}

struct marks {         /* of a step's check, in two versions */
    int before, after; /* -1: the pattern is none */
    bool changed;      /* CHANGES: not the same matches */
};

static struct marks look(const char *before, const char *after, const struct rg_step *step)
{
    struct marks m = {count(step->check_pattern, before), count(step->check_pattern, after), false};
    if (step->check_change != RG_CHECK_CHANGES || m.before < 0) return m;
    char *a = matches(step->check_pattern, before), *b = matches(step->check_pattern, after);
    m.changed = a && b && strcmp(a, b) != 0;
    free(a);
    free(b);
    return m;
}

bool rg__step_is_checked(const struct rg_step *step)
{
    return step->check_pattern && step->check_change != RG_CHECK_NONE;
}

bool rg__step_is_any_way(const struct rg_step *step)
{
    return !step->poly && step->once == RG_ONCE_NO;
}

bool rg_llm_step_shows(const char *before, const char *after, const struct rg_step *step)
{
    if (!rg__step_is_checked(step)) return false;
    char *a = skeleton(after), *b = skeleton(before);
    struct marks m = look(b, a, step);
    free(a);
    free(b);
    if (m.before < 0 || m.after < 0) return false;
    switch (step->check_change) {
    case RG_CHECK_NONE:
        break;
    case RG_CHECK_APPEARS:
        return m.after > 0 && m.before == 0;
    case RG_CHECK_RISES:
        return m.after > m.before;
    case RG_CHECK_FALLS:
        return m.after < m.before;
    case RG_CHECK_DISAPPEARS:
        return m.after == 0 && m.before > 0;
    case RG_CHECK_CHANGES:
        break; /* by whatever was done: enough for who was asked, no claim of who was not */
    }
    return false;
}

bool rg_llm_code_changed(const char *before, const char *after)
{
    char *a = skeleton(after), *b = skeleton(before ? before : "");
    bool changed = strcmp(a, b) != 0;
    free(a);
    free(b);
    return changed;
}

bool rg_llm_step_applied(const char *before, const char *after, const struct rg_step *step)
{
    if (!rg_llm_code_changed(before, after)) return false;
    if (!rg__step_is_checked(step)) return true;
    char *a = skeleton(after), *b = skeleton(before ? before : "");
    struct marks m = look(b, a, step);
    free(a);
    free(b);
    if (m.before < 0 || m.after < 0) return true;
    switch (step->check_change) { /* of what was there before, or at the root, nothing can be said */
    case RG_CHECK_NONE:
        break;
    case RG_CHECK_APPEARS:
        return m.after > 0;
    case RG_CHECK_RISES:
        return m.after > m.before;
    case RG_CHECK_FALLS:
        return m.before == 0 || m.after < m.before;
    case RG_CHECK_DISAPPEARS:
        return !before || m.after == 0;
    case RG_CHECK_CHANGES:
        return !before || m.changed;
    }
    return true;
}

bool rg__step_applicable(const char *cuda_and_plan, int launches, const struct rg_step *step)
{
    if ((step->needs == RG_NEEDS_CODE || step->needs == RG_NEEDS_BEST) && !cuda_and_plan) return false;
    if (step->needs == RG_NEEDS_LAUNCHES && launches < 2) return false;
    if (!cuda_and_plan || !rg__step_is_checked(step)) return true;
    char *s = skeleton(cuda_and_plan);
    int n = count(step->check_pattern, s);
    free(s);
    if (n < 0) return true;
    switch (step->check_change) {
    case RG_CHECK_APPEARS:
        return n == 0;
    case RG_CHECK_FALLS:
    case RG_CHECK_DISAPPEARS:
    case RG_CHECK_CHANGES:
        return n > 0;
    case RG_CHECK_NONE:
    case RG_CHECK_RISES:
        break;
    }
    return true;
}

/* In or outside of loops: what is in one counts as several. */
static int launches_in(struct rg_plan_stmt *const *stmts, int n, bool looped)
{
    int all = 0;
    for (int i = 0; i < n; i++) {
        const struct rg_plan_stmt *s = stmts[i];
        bool loop = s->kind == RG_PLAN_FOR || s->kind == RG_PLAN_WHILE || s->kind == RG_PLAN_DO;
        if (s->kind == RG_PLAN_LAUNCH) all += looped ? 2 : 1;
        all += launches_in(s->body, s->n_body, looped || loop) + launches_in(s->orelse, s->n_else, looped || loop);
    }
    return all;
}

int rg__plan_launches(const char *plan)
{
    struct rg_plan *p;
    if (rg_plan_parse(plan, &p, NULL) != RG_OK) return 2; /* unknown: nothing is held back for it */
    int n = launches_in(p->stmts, p->n, false);
    rg_plan_free(p);
    return n;
}
