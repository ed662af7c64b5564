/* The device's memory: an address range reserved once, pages that cost nothing until touched, guard zones nobody can
 * touch. */
#include "runtime/sim/sim.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGE = 4096 };

enum rg_status rg__sim_memory_open(struct sim_memory *m, size_t limit, struct rg_error *err)
{
    memset(m, 0, sizeof *m);
    /* Twice the device's memory, so that holes left by freed buffers never matter; less where the process may not. */
    for (size_t bytes = limit * 2; bytes >= (size_t)1 << 30; bytes /= 2) {
        void *p = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (p == MAP_FAILED) continue;
        m->base = p;
        m->bytes = bytes;
        m->limit = limit;
        m->host = (size_t)sysconf(_SC_PHYS_PAGES) / 4 * 3 * (size_t)sysconf(_SC_PAGESIZE);
        return RG_OK;
    }
    return rg_error_set(err, RG_NOMEM, "cannot reserve addresses for the simulated memory: %s", strerror(errno));
}

void rg__sim_memory_close(struct sim_memory *m)
{
    for (int i = 0; i < m->n; i++) free(m->buffers[i]->undefined), free(m->buffers[i]->member), free(m->buffers[i]);
    free(m->buffers);
    free(m->holes);
    if (m->base) munmap(m->base, m->bytes);
    memset(m, 0, sizeof *m);
}

static int position(const struct sim_memory *m, uint64_t addr) /* first buffer above addr */
{
    int lo = 0, hi = m->n;
    while (lo < hi) {
        int mid = (lo + hi) / 2;
        if (m->buffers[mid]->addr > addr)
            hi = mid;
        else
            lo = mid + 1;
    }
    return lo;
}

enum rg_status rg__sim_alloc(struct sim_memory *m, size_t bytes, const char *name, bool is_const, uint64_t *out,
                             struct rg_error *err)
{
    if (bytes > m->limit - m->in_use)
        return rg_error_set(err, RG_NOMEM, "device memory: %zu bytes for '%s' with %zu of %zu in use", bytes, name,
                            m->in_use, m->limit);
    if (m->in_use > m->host || bytes > m->host - m->in_use) /* it is filled before it is used */
        return rg_error_set(err, RG_NOMEM, "%zu bytes for '%s' are more than this machine can simulate", bytes, name);
    size_t data = (bytes + PAGE - 1) / PAGE * PAGE, span = data + 2 * SIM_GUARD, at = 0;
    int hole = -1;
    /* The lowest that fits: addresses decide which lines share a set of a cache, so what is alive must lie the same
     * whatever was alive before. */
    for (int i = 0; i < m->n_free; i++)
        if (m->holes[i].span == span && (hole < 0 || m->holes[i].at < m->holes[hole].at)) hole = i;
    if (hole >= 0) {
        at = m->holes[hole].at;
        m->holes[hole] = m->holes[--m->n_free];
    } else {
        if (span > m->bytes - m->top) return rg_error_set(err, RG_NOMEM, "simulated addresses exhausted");
        at = m->top;
        m->top += span;
    }
    if (data && mprotect(m->base + at + SIM_GUARD, data, PROT_READ | PROT_WRITE)) {
        int e = errno;
        RG_GROW(m->holes, m->n_free, m->cap_free);
        m->holes[m->n_free++] = (struct sim_hole){at, span};
        return rg_error_set(err, RG_NOMEM, "cannot allocate %zu bytes for '%s': %s", bytes, name, strerror(e));
    }
    struct sim_buffer *b = rg_xcalloc(1, sizeof *b);
    b->addr = SIM_GLOBAL_BASE + at + SIM_GUARD;
    b->bytes = bytes;
    b->span = span;
    b->is_const = is_const;
    b->index = m->next_index++;
    strncpy(b->name, name ? name : "?", sizeof b->name - 1);
    RG_GROW(m->buffers, m->n, m->cap);
    int i = position(m, b->addr);
    memmove(m->buffers + i + 1, m->buffers + i, sizeof *m->buffers * (size_t)(m->n - i));
    m->buffers[i] = b;
    m->n++;
    m->in_use += bytes;
    *out = b->addr;
    return RG_OK;
}

void rg__sim_all_defined(struct sim_memory *m, struct sim_buffer *b)
{
    m->n_undefined -= b->undefined != NULL;
    free(b->undefined);
    b->undefined = NULL;
}

void rg__sim_mark(struct sim_memory *m, uint64_t addr, size_t bytes, bool defined)
{
    bool inside;
    struct sim_buffer *b = rg__sim_find(m, addr, &inside);
    if (!b || !inside || (defined && !b->undefined)) return;
    size_t at = addr - b->addr, end = at + (bytes < b->bytes - at ? bytes : b->bytes - at);
    if (!b->undefined) {
        b->undefined = calloc(b->bytes / 8 + 1, 1);
        if (!b->undefined) return;
        m->n_undefined++;
    }
    for (size_t i = at; i < end;) {
        size_t n = i % 8 || end - i < 8 ? 1 : (end - i) / 8 * 8;
        if (n > 1)
            memset(b->undefined + i / 8, defined ? 0 : 0xff, n / 8);
        else if (defined)
            b->undefined[i / 8] &= (uint8_t) ~(1u << (i % 8));
        else
            b->undefined[i / 8] |= (uint8_t)(1u << (i % 8));
        i += n;
    }
}

void rg__sim_mark_like(struct sim_memory *m, uint64_t to, uint64_t from, size_t bytes)
{
    bool inside;
    const struct sim_buffer *f = rg__sim_find(m, from, &inside);
    if (!f || !f->undefined || !inside) {
        rg__sim_mark(m, to, bytes, true);
        return;
    }
    for (size_t i = 0, at = from - f->addr; i < bytes; i++)
        rg__sim_mark(m, to + i, 1, !(f->undefined[(at + i) / 8] >> ((at + i) % 8) & 1));
}

/* Holes at the end are no holes. */
static void lower_top(struct sim_memory *m)
{
    for (int i = 0; i < m->n_free; i++)
        if (m->holes[i].at + m->holes[i].span == m->top) {
            m->top = m->holes[i].at;
            m->holes[i] = m->holes[--m->n_free];
            i = -1;
        }
}

void rg__sim_release(struct sim_memory *m, uint64_t addr)
{
    int i = position(m, addr) - 1;
    if (i < 0 || m->buffers[i]->addr != addr) return;
    struct sim_buffer *b = m->buffers[i];
    size_t at = (size_t)(b->addr - SIM_GLOBAL_BASE);
    /* Mapping anew gives the pages back and makes a stale pointer fault. */
    mmap(m->base + at, b->span - 2 * SIM_GUARD ? b->span - 2 * SIM_GUARD : PAGE, PROT_NONE,
         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    RG_GROW(m->holes, m->n_free, m->cap_free);
    m->holes[m->n_free++] = (struct sim_hole){at - SIM_GUARD, b->span};
    lower_top(m);
    m->in_use -= b->bytes;
    memmove(m->buffers + i, m->buffers + i + 1, sizeof *m->buffers * (size_t)(m->n - i - 1));
    m->n--;
    rg__sim_all_defined(m, b);
    free(b->member);
    free(b);
}

struct sim_buffer *rg__sim_find(const struct sim_memory *m, uint64_t addr, bool *inside)
{
    int i = position(m, addr) - 1;
    *inside = false;
    if (i >= 0 && addr - m->buffers[i]->addr < m->buffers[i]->bytes) {
        *inside = true;
        return m->buffers[i];
    }
    if (i >= 0 && addr - m->buffers[i]->addr < m->buffers[i]->span - SIM_GUARD) return m->buffers[i];
    if (i + 1 < m->n && m->buffers[i + 1]->addr - addr <= SIM_GUARD) return m->buffers[i + 1];
    return NULL;
}
