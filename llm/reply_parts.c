/* A reply that brings but one of its two blocks: the other is that of the version it builds on, where only that can be
 * meant. */
#include "llm.h"
#include <ctype.h>
#include <rg/plan.h>
#include <stdlib.h>
#include <string.h>

static bool promise(const char *word, size_t len)
{
    static const char *const promises[] = {"const", "__restrict__", "__restrict", "restrict"};
    for (size_t i = 0; i < sizeof promises / sizeof *promises; i++)
        if (strlen(promises[i]) == len && !memcmp(word, promises[i], len)) return true;
    return false;
}

/* A kernel's parameters, without blanks and without what it promises of them: nobody who calls it sees that. Caller
 * frees. */
static char *parameters(const char *blank, const struct rg__item *k)
{
    size_t n = 0, open = k->name_end;
    while (isspace((unsigned char)blank[open])) open++;
    size_t close = rg__c_close(blank, k->body, open);
    char *s = rg_xmalloc(close - open + 1);
    for (size_t i = open, end; i < close; i = end) {
        for (end = i; end < close && (isalnum((unsigned char)blank[end]) || blank[end] == '_');) end++;
        if (end == i) end++;
        if (promise(blank + i, end - i)) continue;
        for (size_t c = i; c < end; c++)
            if (!isspace((unsigned char)blank[c])) s[n++] = blank[c];
    }
    s[n] = '\0';
    return s;
}

static const struct rg__item *kernel(const char *blank, const struct rg__item *items, int n, const char *name,
                                     size_t len)
{
    for (int i = 0; i < n; i++)
        if (items[i].kind == RG__ITEM_KERNEL && items[i].name_end - items[i].name == len &&
            !memcmp(blank + items[i].name, name, len))
            return &items[i];
    return NULL;
}

/* Every kernel that the plan launches is in the code. */
static bool launches_known(const char *cuda, const char *plan)
{
    struct rg_plan *p;
    if (rg_plan_parse(plan, &p, NULL) != RG_OK) return true; /* its errors are told with the code it is for */
    size_t n = strlen(cuda);
    char *blank = rg__c_blank(cuda, n);
    bool all = p->n_kernels > 0;
    for (int i = 0; i < p->n_kernels && all; i++)
        all = rg__c_has_kernel(blank, n, p->kernels[i], strlen(p->kernels[i]));
    free(blank);
    rg_plan_free(p);
    return all;
}

char *rg__plan_for(const struct rg_source *version, const char *cuda)
{
    if (!version || !version->cuda || !version->plan) return NULL;
    struct rg__item *was, *is;
    char *before = rg__c_blank(version->cuda, strlen(version->cuda)), *after = rg__c_blank(cuda, strlen(cuda));
    int n = rg__c_items(before, strlen(before), &was), m = rg__c_items(after, strlen(after), &is), kernels = 0;
    bool same = true;
    for (int i = 0; i < m && same; i++) { /* the same kernels, called the same way: the launches are the same */
        if (is[i].kind != RG__ITEM_KERNEL) continue;
        const struct rg__item *k = kernel(before, was, n, after + is[i].name, is[i].name_end - is[i].name);
        char *a = k ? parameters(before, k) : NULL, *b = parameters(after, &is[i]);
        same = a && !strcmp(a, b);
        free(a);
        free(b);
        kernels++;
    }
    free(was);
    free(is);
    free(before);
    free(after);
    return same && kernels && launches_known(cuda, version->plan) ? rg__plan_bare(version->plan) : NULL;
}

char *rg__code_for(const struct rg_source *version, const char *plan)
{
    return version && version->cuda && launches_known(version->cuda, plan) ? rg_xstrdup(version->cuda) : NULL;
}
