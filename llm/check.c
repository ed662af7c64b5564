/* What can be read off CUDA source without compiling it: traits, and whether a step's check holds. */
#include "llm.h"
#include <ctype.h>
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

bool rg_llm_step_shows(const char *before, const char *after, const struct rg_step *step)
{
    if (!step->check_pattern || step->check_change == RG_CHECK_NONE) return false;
    char *a = skeleton(after), *b = skeleton(before);
    int na = count(step->check_pattern, a), nb = count(step->check_pattern, b);
    free(a);
    free(b);
    if (na < 0 || nb < 0) return false;
    switch (step->check_change) {
    case RG_CHECK_NONE:
        break;
    case RG_CHECK_APPEARS:
        return na > 0 && nb == 0;
    case RG_CHECK_RISES:
        return na > nb;
    case RG_CHECK_FALLS:
        return na < nb;
    case RG_CHECK_DISAPPEARS:
        return na == 0 && nb > 0;
    }
    return false;
}

bool rg_llm_step_applied(const char *before, const char *after, const struct rg_step *step)
{
    char *a = skeleton(after), *b = skeleton(before ? before : "");
    bool applied = strcmp(a, b) != 0;
    if (applied && step->check_pattern && step->check_change != RG_CHECK_NONE) {
        int na = count(step->check_pattern, a), nb = count(step->check_pattern, b);
        if (na >= 0 && nb >= 0) {
            switch (step->check_change) {
            case RG_CHECK_NONE:
                break;
            case RG_CHECK_APPEARS:
                applied = na > 0;
                break;
            case RG_CHECK_RISES:
                applied = na > nb;
                break;
            /* The sequential code has no CUDA that could fall: nothing can be said at the root. */
            case RG_CHECK_FALLS:
                applied = !before || nb == 0 || na < nb;
                break;
            case RG_CHECK_DISAPPEARS:
                applied = !before || na == 0;
                break;
            }
        }
    }
    free(a);
    free(b);
    return applied;
}
