/* Buffers between inaccessible pages. What remains between the data and its page holds a pattern that is checked. */
#include "runtime/reference/reference.h"
#include "runtime/os/shm.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

enum { PATTERN = 0xA5, LARGE = 8 << 20 };
/* Bytes of inaccessible pages on each side: addresses cost nothing, and beyond them a wrong subscript may meet memory
 * that somebody else mapped, where it goes unseen. */
enum { REACH_LIMITED = 1 << 16 /* where addresses are limited */, REACH_LEAST = 32 << 20 };
static const size_t reach_most = (size_t)1 << 32;

/* A subscript that goes wrong goes wrong by about as much as the array is long. */
static size_t reach_of(size_t bytes)
{
    size_t r = bytes / RG_SHM_PAGE * RG_SHM_PAGE * 4;
    return r < REACH_LEAST ? REACH_LEAST : r < reach_most ? r : reach_most;
}

enum rg_status rg__guarded_new(struct rg_guarded *g, const char *name, size_t bytes, int64_t elem_bytes, bool at_end,
                               struct rg_error *err)
{
    *g = (struct rg_guarded){.name = name, .bytes = bytes, .elem_bytes = elem_bytes > 0 ? elem_bytes : 1};
    size_t inner = (bytes + RG_SHM_PAGE - 1) / RG_SHM_PAGE * RG_SHM_PAGE;
    if (!inner) inner = RG_SHM_PAGE;
    size_t reach = reach_of(inner), mapped = inner + 2 * reach;
    void *p = mmap(NULL, mapped, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED) { /* where addresses are limited */
        reach = REACH_LIMITED;
        mapped = inner + 2 * reach;
        p = mmap(NULL, mapped, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    }
    if (p == MAP_FAILED || mprotect((char *)p + reach, inner, PROT_READ | PROT_WRITE)) {
        int e = errno;
        if (p != MAP_FAILED) munmap(p, mapped);
        return rg_error_set(err, RG_NOMEM, "no memory for %s, %zu bytes: %s", name, bytes, strerror(e));
    }
    if (inner >= LARGE)
        madvise((char *)p + reach, inner,
                MADV_HUGEPAGE); /* page by page the kernel would take longer than the function */
    g->base = p;
    g->mapped = mapped;
    g->reach = reach;
    unsigned char *first = (unsigned char *)p + reach;
    g->data = at_end ? first + (inner - bytes) : first;
    if (g->data > first) memset(first, PATTERN, (size_t)(g->data - first));
    if (g->data + bytes < first + inner) memset(g->data + bytes, PATTERN, (size_t)(first + inner - g->data - bytes));
    return RG_OK;
}

void rg__guarded_free(struct rg_guarded *g)
{
    if (g->base) munmap(g->base, g->mapped);
    *g = (struct rg_guarded){.base = NULL};
}

static int64_t element(const struct rg_guarded *g, const unsigned char *p)
{
    int64_t d = p - g->data;
    return d >= 0 ? d / g->elem_bytes : -((-d + g->elem_bytes - 1) / g->elem_bytes);
}

static void say(const struct rg_guarded *g, const unsigned char *p, char *text, size_t size)
{
    long long n = (long long)(g->bytes / (size_t)g->elem_bytes);
    if (n == 1 && element(g, p) < 0)
        snprintf(text, size, "memory before %s", g->name);
    else
        snprintf(text, size, "%s[%lld] is outside its extent of %lld element%s", g->name, (long long)element(g, p), n,
                 n == 1 ? "" : "s");
}

enum rg_status rg__guarded_check(const struct rg_guarded *g, struct rg_error *err)
{
    const unsigned char *first = (unsigned char *)g->base + g->reach,
                        *end = (unsigned char *)g->base + g->mapped - g->reach;
    for (const unsigned char *p = first; p < end; p++) {
        if (p == g->data) {
            p += g->bytes;
            if (p >= end) break;
        }
        if (*p == PATTERN) continue;
        char text[200];
        say(g, p, text, sizeof text);
        return rg_error_set(err, RG_INPUT, "it writes out of bounds: %s", text);
    }
    return RG_OK;
}

bool rg__guarded_explain(const struct rg_guarded *g, int n, const void *address, char *text, size_t size)
{
    const unsigned char *p = address;
    for (int i = 0; i < n; i++) {
        if (!g[i].base || p < (unsigned char *)g[i].base || p >= (unsigned char *)g[i].base + g[i].mapped) continue;
        say(&g[i], p, text, size);
        return true;
    }
    return false;
}
