#include "runtime/os/shm.h"
#include <errno.h>
#include <fcntl.h>
#include <rg/buf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static int64_t round_page(int64_t n)
{
    return (n + RG_SHM_PAGE - 1) / RG_SHM_PAGE * RG_SHM_PAGE;
}

enum rg_status rg__shm_create(struct rg_shm *s, struct rg_error *err)
{
    *s = (struct rg_shm){.fd = memfd_create("regraph", MFD_CLOEXEC)};
    if (s->fd < 0) return rg_error_set(err, RG_UNAVAILABLE, "cannot create a memory file: %s", strerror(errno));
    return RG_OK;
}

void rg__shm_close(struct rg_shm *s)
{
    if (s->fd >= 0) close(s->fd);
    free(s->holes);
    *s = (struct rg_shm){.fd = -1};
}

enum rg_status rg__shm_alloc(struct rg_shm *s, int64_t bytes, struct rg_range *out, struct rg_error *err)
{
    *out = (struct rg_range){0, 0};
    if (bytes <= 0 || bytes > INT64_MAX / 4)
        return rg_error_set(err, RG_NOMEM, "a range of %lld bytes", (long long)bytes);
    int64_t need = round_page(bytes);
    for (int i = 0; i < s->n_holes; i++) {
        struct rg_range *h = &s->holes[i];
        if (h->len < need) continue;
        *out = (struct rg_range){h->off, bytes};
        h->off += need;
        h->len -= need;
        if (!h->len) {
            memmove(h, h + 1, (size_t)(s->n_holes - i - 1) * sizeof *h);
            s->n_holes--;
        }
        return RG_OK;
    }
    if (ftruncate(s->fd, s->end + need))
        return rg_error_set(err, RG_NOMEM, "cannot grow the memory file to %lld bytes: %s", (long long)(s->end + need),
                            strerror(errno));
    *out = (struct rg_range){s->end, bytes};
    s->end += need;
    return RG_OK;
}

void rg__shm_free(struct rg_shm *s, struct rg_range r)
{
    if (r.len <= 0) return;
    r.len = round_page(r.len);
    if (fallocate(s->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, r.off, r.len))
        return; /* lost, never reused dirty */
    int at = 0;
    while (at < s->n_holes && s->holes[at].off < r.off) at++;
    bool before = at > 0 && s->holes[at - 1].off + s->holes[at - 1].len == r.off;
    bool after = at < s->n_holes && r.off + r.len == s->holes[at].off;
    if (before && after) {
        s->holes[at - 1].len += r.len + s->holes[at].len;
        memmove(&s->holes[at], &s->holes[at + 1], (size_t)(s->n_holes - at - 1) * sizeof *s->holes);
        s->n_holes--;
    } else if (before) {
        s->holes[at - 1].len += r.len;
    } else if (after) {
        s->holes[at].off = r.off;
        s->holes[at].len += r.len;
    } else {
        RG_GROW(s->holes, s->n_holes, s->cap_holes);
        memmove(&s->holes[at + 1], &s->holes[at], (size_t)(s->n_holes - at) * sizeof *s->holes);
        s->holes[at] = r;
        s->n_holes++;
    }
}

enum rg_status rg__shm_map(int fd, struct rg_range r, bool writable, struct rg_mapping *out, struct rg_error *err)
{
    *out = (struct rg_mapping){NULL, 0, NULL};
    struct stat st;
    if (fstat(fd, &st)) return rg_error_set(err, RG_UNAVAILABLE, "no memory file: %s", strerror(errno));
    if (r.off < 0 || r.len <= 0 || r.off > st.st_size || r.len > st.st_size - r.off)
        return rg_error_set(err, RG_INPUT, "the range %lld+%lld is outside the memory file", (long long)r.off,
                            (long long)r.len);
    int64_t start = r.off / RG_SHM_PAGE * RG_SHM_PAGE;
    size_t bytes = (size_t)(r.off - start + r.len);
    void *p = mmap(NULL, bytes, PROT_READ | (writable ? PROT_WRITE : 0), MAP_SHARED, fd, start);
    if (p == MAP_FAILED)
        return rg_error_set(err, RG_NOMEM, "cannot map %zu bytes of the memory file: %s", bytes, strerror(errno));
    *out = (struct rg_mapping){p, bytes, (char *)p + (r.off - start)};
    return RG_OK;
}

void rg__shm_unmap(struct rg_mapping *m)
{
    if (m->base) munmap(m->base, m->bytes);
    *m = (struct rg_mapping){NULL, 0, NULL};
}

enum rg_status rg__shm_text(int fd, struct rg_range r, struct rg_mapping *m, const char **text, struct rg_error *err)
{
    enum rg_status s = rg__shm_map(fd, r, false, m, err);
    if (s != RG_OK) return s;
    *text = m->data;
    if ((*text)[r.len - 1] == 0) return RG_OK;
    rg__shm_unmap(m);
    return rg_error_set(err, RG_INPUT, "a text in the memory file has no end");
}
