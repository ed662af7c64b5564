/* Device code out of what a model sent: host functions, host-only includes and extern "C" before kernels are dropped,
 * everything else stays as written, line for line where it can. */
#include "llm.h"
#include <ctype.h>
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
    "assert.h",
    "cassert",
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

/* Host functions that only the CPU side needs. A plain helper without __device__ stays: the compiler's message about it
 * is a better teacher than its silent loss. */
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

char *rg__device_code(const char *text, size_t n, int *fixes)
{
    char *blank = rg__c_blank(text, n);
    struct rg__item *items;
    int count = rg__c_items(blank, n, &items);
    struct rg_buf out = RG_BUF_INIT;
    size_t at = 0;
    *fixes = 0;
    for (int i = 0; i < count; i++) {
        const struct rg__item *it = &items[i];
        bool drop = (blank[it->start] == '#' && host_include(text, it->start, it->end)) ||
                    (it->kind == RG__ITEM_HOST && host_only(blank, it));
        size_t skip = it->kind == RG__ITEM_KERNEL ? extern_c(text, it->start, it->end) : 0;
        if (!drop && !skip) continue;
        rg_buf_add(&out, text + at, it->start - at);
        at = drop ? it->end : it->start + skip;
        (*fixes)++;
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
        (*fixes)++;
        free(blank);
    }
    return rg_buf_steal(&out);
}
