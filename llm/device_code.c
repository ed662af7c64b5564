/* Device code out of what a model sent: host functions, host-only includes and extern "C" before kernels are dropped,
 * everything else stays as written, line for line where it can. */
#include "llm.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Headers that NVRTC has no use for; math.h, stdint.h and the like are virtual headers of the compile worker. */
static const char *const host_headers[] = {
    "stdio.h",
    "stdlib.h",
    "iostream",
    "cstdio",
    "cstdlib",
    "vector",
    "string",
    "string.h",
    "cstring",
    "chrono",
    "algorithm",
    "time.h",
    "ctime",
    "iomanip",
    "memory",
    "random",
    "cuda_runtime.h",
    "cuda.h",
    "cuda_runtime_api.h",
    "device_launch_parameters.h",
    "helper_cuda.h",
    "sys/time.h",
    "unistd.h",
    "fstream",
    "numeric",
};

static bool host_include(const char *text, size_t start, size_t end)
{
    size_t i = start + 1;
    while (i < end && isblank((unsigned char)text[i])) i++;
    if (end - i < 7 || memcmp(text + i, "include", 7)) return false;
    i += 7;
    while (i < end && isblank((unsigned char)text[i])) i++;
    if (i >= end || (text[i] != '<' && text[i] != '"')) return false;
    size_t name = ++i;
    while (i < end && text[i] != '>' && text[i] != '"' && text[i] != '\n') i++;
    for (size_t k = 0; k < sizeof host_headers / sizeof *host_headers; k++)
        if (strlen(host_headers[k]) == i - name && !memcmp(text + name, host_headers[k], i - name)) return true;
    return false;
}

/* Host functions that only the CPU side needs. */
static bool host_only(const char *blank, const struct rg__item *it)
{
    if (it->name_end - it->name == 4 && !memcmp(blank + it->name, "main", 4)) return true;
    for (size_t i = it->body; i + 2 < it->body_end; i++) {
        if (blank[i] == '<' && blank[i + 1] == '<' && blank[i + 2] == '<') return true;
        bool word_start = rg__c_word_char(blank[i]) && !rg__c_word_char(blank[i - 1]);
        if (word_start && i + 5 < it->body_end && !memcmp(blank + i, "cuda", 4) && isupper((unsigned char)blank[i + 4]))
            return true;
    }
    static const char *const words[] = {"printf", "malloc", "calloc", "fprintf", "std", "exit"};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (rg__c_find_word(blank, it->body_end, it->body, words[k]) != (size_t)-1) return true;
    return false;
}

/* extern "C" or extern "C++" at `at`; its length, 0 when it isn't there. */
static size_t extern_c(const char *text, size_t at, size_t end)
{
    size_t i = at;
    if (end - i < 6 || memcmp(text + i, "extern", 6)) return 0;
    i += 6;
    while (i < end && isspace((unsigned char)text[i])) i++;
    if (end - i < 3 || memcmp(text + i, "\"C\"", 3)) return 0;
    i += 3;
    size_t after = i;
    while (after < end && isspace((unsigned char)text[after])) after++;
    return after < end && text[after] != '{' ? i - at : 0;
}

/* `T name[...] = ...` at file scope without a memory space: kernels can't see it. */
static bool plain_table(const char *blank, const struct rg__item *it)
{
    static const char *const never[] = {"__device__", "__constant__", "__shared__", "__managed__",  "extern", "typedef",
                                        "struct",     "union",        "enum",       "template",     "using",  "class",
                                        "namespace",  "operator",     "#",          "static_assert"};
    size_t eq = it->start;
    while (eq < it->end && blank[eq] != '=' && blank[eq] != ';' && blank[eq] != '(') eq++;
    if (eq == it->end || blank[eq] != '=' || !memchr(blank + it->start, '[', eq - it->start)) return false;
    for (size_t k = 0; k < sizeof never / sizeof *never; k++)
        if (memmem(blank + it->start, eq - it->start, never[k], strlen(never[k]))) return false;
    return true;
}

/* A plain function that device code calls: it was meant for the device. */
static bool called_on_device(const char *blank, const struct rg__item *items, int count, const struct rg__item *it)
{
    char name[128];
    if (it->name_end - it->name >= sizeof name) return false;
    snprintf(name, sizeof name, "%.*s", (int)(it->name_end - it->name), blank + it->name);
    for (int i = 0; i < count; i++)
        if (&items[i] != it && items[i].kind != RG__ITEM_OTHER &&
            rg__c_find_word(blank, items[i].body_end, items[i].body, name) != (size_t)-1)
            return true;
    return false;
}

char *rg__device_code(const char *text, size_t n, int *counts)
{
    char *blank = rg__c_blank(text, n);
    struct rg__item *items;
    int count = rg__c_items(blank, n, &items);
    struct rg_buf out = RG_BUF_INIT;
    size_t at = 0;
    for (int i = 0; i < count; i++) {
        const struct rg__item *it = &items[i];
        bool include = blank[it->start] == '#' && host_include(text, it->start, it->end);
        bool host = it->kind == RG__ITEM_HOST && host_only(blank, it);
        bool helper = it->kind == RG__ITEM_HOST && !host && called_on_device(blank, items, count, it);
        bool table = it->kind == RG__ITEM_OTHER && plain_table(blank, it);
        size_t skip = it->kind == RG__ITEM_KERNEL ? extern_c(text, it->start, it->end) : 0;
        if (!include && !host && !helper && !table && !skip) continue;
        rg_buf_add(&out, text + at, it->start - at);
        at = include || host ? it->end : it->start + skip;
        if (helper || table) {
            /* template <...> comes first in a declaration */
            size_t head = it->start;
            if (!strncmp(blank + head, "template", 8)) {
                const char *close = memchr(blank + head, '>', it->end - head);
                head = close ? (size_t)(close - blank) + 1 : head;
            }
            rg_buf_add(&out, text + at, head - at);
            rg_buf_str(&out, head > it->start ? " __device__" : "__device__ ");
            at = head;
        }
        counts[include  ? RG_LLM_FIX_HOST_INCLUDE
               : host   ? RG_LLM_FIX_HOST_FUNCTION
               : helper ? RG_LLM_FIX_HELPER
               : table  ? RG_LLM_FIX_TABLE
                        : RG_LLM_FIX_EXTERN_C]++;
    }
    /* extern "C" { ... } around kernels is looked through by the items, so its brackets are still there: the braces go.
     */
    rg_buf_add(&out, text + at, n - at);
    free(items);
    free(blank);
    for (int round = 0; round < 64; round++) {
        blank = rg__c_blank(out.data, out.len);
        size_t open = (size_t)-1, from = 0;
        while ((from = rg__c_find_word(blank, out.len, from, "extern")) != (size_t)-1) {
            size_t i = from + 6;
            while (i < out.len && isspace((unsigned char)out.data[i])) i++;
            if (out.len - i >= 3 && !memcmp(out.data + i, "\"C\"", 3)) {
                i += 3;
                while (i < out.len && isspace((unsigned char)out.data[i])) i++;
                if (i < out.len && out.data[i] == '{') {
                    open = i;
                    break;
                }
            }
            from += 6;
        }
        if (open == (size_t)-1) {
            free(blank);
            break;
        }
        size_t close = rg__c_close(blank, out.len, open);
        memset(out.data + from, ' ', open + 1 - from);
        if (close < out.len) out.data[close] = ' ';
        counts[RG_LLM_FIX_EXTERN_C]++;
        free(blank);
    }
    return rg_buf_steal(&out);
}
