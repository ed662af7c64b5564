#include "runtime/remote/mirror.h"
#include <errno.h>
#include <poll.h>
#include <rg/hash.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PIECE = 1 << 20, MAX_LINE = 16 << 20 };

enum rg_status rg__stream_write(int fd, const void *data, size_t n, struct rg_error *err)
{
    for (const char *p = data; n;) {
        ssize_t w = write(fd, p, n);
        if (w < 0 && errno == EINTR) continue;
        if (w < 0 && errno == EAGAIN) {
            poll(&(struct pollfd){fd, POLLOUT, 0}, 1, -1);
            continue;
        }
        if (w < 0) return rg_error_set(err, RG_IO, "the other side is gone: %s", strerror(errno));
        p += w;
        n -= (size_t)w;
    }
    return RG_OK;
}

/* --- out --- */

void rg__mirror_release(struct rg_mirror *m)
{
    for (int i = 0; i < m->n; i++) free(m->ranges[i].sums);
    free(m->ranges);
    *m = (struct rg_mirror){.shm = m->shm};
}

static int64_t pieces(struct rg_range r)
{
    return (r.len + PIECE - 1) / PIECE;
}

/* What is known of a range. Another one over the same bytes is forgotten: rooms are used again for other programs. */
static struct rg_mirrored *known(struct rg_mirror *m, struct rg_range r)
{
    for (int i = 0; i < m->n; i++) {
        struct rg_mirrored *k = &m->ranges[i];
        if (k->at.off == r.off && k->at.len == r.len) return k;
        if (k->at.off >= r.off + r.len || r.off >= k->at.off + k->at.len) continue;
        free(k->sums);
        *k = m->ranges[--m->n];
        i--;
    }
    RG_GROW(m->ranges, m->n, m->cap);
    m->ranges[m->n] = (struct rg_mirrored){r, rg_xcalloc((size_t)pieces(r) + 1, sizeof(uint64_t))};
    return &m->ranges[m->n++];
}

static uint64_t sum_of(const char *data, size_t n)
{
    uint64_t v = rg_hash64(data, n, PIECE);
    return v ? v : 1; /* 0 is unknown */
}

static bool zeros(const char *data, size_t n)
{
    return n == 0 || (data[0] == 0 && !memcmp(data, data + 1, n - 1));
}

static enum rg_status read_piece(int shm, int64_t off, char *to, size_t n, struct rg_error *err)
{
    for (size_t at = 0; at < n;) {
        ssize_t got = pread(shm, to + at, n - at, off + (int64_t)at);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return rg_error_set(err, RG_INPUT, "a range is outside the memory file");
        at += (size_t)got;
    }
    return RG_OK;
}

static enum rg_status send_piece(int fd, int64_t off, const char *data, size_t n, struct rg_error *err)
{
    char head[80];
    int len = snprintf(head, sizeof head, "#bytes %lld %zu\n", (long long)off, n);
    enum rg_status s = rg__stream_write(fd, head, (size_t)len, err);
    if (s == RG_OK) s = rg__stream_write(fd, data, n, err);
    return s == RG_OK ? rg__stream_write(fd, "\n", 1, err) : s;
}

/* The twin has what is zero all through without being sent it, as far as it goes. */
static enum rg_status send_size(int fd, int64_t size, struct rg_error *err)
{
    char head[80];
    int len = snprintf(head, sizeof head, "#size %lld\n", (long long)size);
    return rg__stream_write(fd, head, (size_t)len, err);
}

/* fd < 0: only noted. */
static enum rg_status each_piece(struct rg_mirror *m, struct rg_range r, int fd, struct rg_error *err)
{
    if (r.len <= 0) return RG_OK;
    struct rg_mirrored *k = known(m, r);
    char *piece = rg_xmalloc(PIECE);
    bool further = r.off + r.len > m->touched;
    enum rg_status s = further && fd >= 0 ? send_size(fd, r.off + r.len, err) : RG_OK;
    for (int64_t i = 0; i < pieces(r) && s == RG_OK; i++) {
        int64_t off = r.off + i * PIECE;
        size_t n = (size_t)(r.len - i * PIECE < PIECE ? r.len - i * PIECE : PIECE);
        s = read_piece(m->shm, off, piece, n, err);
        if (s != RG_OK) break;
        uint64_t sum = sum_of(piece, n);
        bool there = k->sums[i] == sum || (!k->sums[i] && off >= m->touched && zeros(piece, n));
        if (!there && fd >= 0) {
            s = send_piece(fd, off, piece, n, err);
            m->sent += (int64_t)n;
        }
        if (s == RG_OK) k->sums[i] = sum;
    }
    if (further) m->touched = r.off + r.len;
    free(piece);
    return s;
}

enum rg_status rg__mirror_send(struct rg_mirror *m, struct rg_range r, int fd, struct rg_error *err)
{
    return each_piece(m, r, fd, err);
}

enum rg_status rg__mirror_note(struct rg_mirror *m, struct rg_range r, struct rg_error *err)
{
    return each_piece(m, r, -1, err);
}

/* --- in --- */

bool rg__stream_fill(struct rg_stream *s)
{
    char chunk[1 << 16];
    ssize_t n = read(s->fd, chunk, sizeof chunk);
    if (n > 0) rg_buf_add(&s->buf, chunk, (size_t)n);
    if (n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN && errno != EWOULDBLOCK)) s->eof = true;
    return !s->eof;
}

static void consume(struct rg_stream *s, size_t n)
{
    memmove(s->buf.data, s->buf.data + n, s->buf.len - n);
    s->buf.len -= n;
    s->buf.data[s->buf.len] = 0;
}

static enum rg_status write_piece(int shm, int64_t off, const char *data, size_t n, struct rg_error *err)
{
    while (n) {
        ssize_t w = pwrite(shm, data, n, off);
        if (w < 0 && errno == EINTR) continue;
        if (w <= 0) return rg_error_set(err, RG_NOMEM, "cannot write the memory file: %s", strerror(errno));
        data += w;
        off += w;
        n -= (size_t)w;
    }
    return RG_OK;
}

static enum rg_status reach(int shm, int64_t size, bool grow, struct rg_error *err)
{
    struct stat st;
    if (fstat(shm, &st)) return rg_error_set(err, RG_UNAVAILABLE, "no memory file: %s", strerror(errno));
    if (size <= st.st_size) return RG_OK;
    if (!grow) return rg_error_set(err, RG_INPUT, "a frame outside the memory file");
    if (ftruncate(shm, (size + RG_SHM_PAGE - 1) / RG_SHM_PAGE * RG_SHM_PAGE) == 0) return RG_OK;
    return rg_error_set(err, RG_NOMEM, "cannot grow the memory file: %s", strerror(errno));
}

static enum rg_status open_frame(struct rg_stream *s, const char *line, int shm, bool grow,
                                 const struct rg_range *allowed, int n_allowed, struct rg_error *err)
{
    long long off, len;
    int end = 0;
    if (sscanf(line, "#size %lld%n", &len, &end) == 1 && !line[end] && len > 0 && len < INT64_MAX / 4)
        return reach(shm, len, grow, err);
    if (sscanf(line, "#bytes %lld %lld%n", &off, &len, &end) != 2 || line[end] || off < 0 || len <= 0 || len > PIECE ||
        off > INT64_MAX / 4)
        return rg_error_set(err, RG_INPUT, "a malformed frame");
    bool ok = !allowed;
    for (int i = 0; i < n_allowed && !ok; i++)
        ok = off >= allowed[i].off && off + len <= allowed[i].off + allowed[i].len;
    if (!ok) return rg_error_set(err, RG_INPUT, "a frame for bytes that are not its own");
    enum rg_status st = reach(shm, off + len, grow, err);
    if (st != RG_OK) return st;
    s->off = off;
    s->left = len;
    return RG_OK;
}

/* The bytes of a frame, as far as they are there. */
static enum rg_status take_bytes(struct rg_stream *s, int shm, struct rg_error *err)
{
    size_t n = s->left < (int64_t)s->buf.len ? (size_t)s->left : s->buf.len;
    enum rg_status st = write_piece(shm, s->off, s->buf.data, n, err);
    if (st != RG_OK) return st;
    consume(s, n);
    s->off += (int64_t)n;
    s->left -= (int64_t)n;
    s->newline = s->left == 0;
    return RG_OK;
}

enum rg_status rg__stream_line(struct rg_stream *s, int shm, bool grow, const struct rg_range *allowed, int n_allowed,
                               char **line, struct rg_error *err)
{
    *line = NULL;
    while (s->buf.len) {
        enum rg_status st = RG_OK;
        if (s->left) {
            if ((st = take_bytes(s, shm, err)) != RG_OK) return st;
            continue;
        }
        if (s->newline) {
            if (s->buf.data[0] != '\n') return rg_error_set(err, RG_INPUT, "a frame without an end");
            consume(s, 1);
            s->newline = false;
            continue;
        }
        char *nl = memchr(s->buf.data, '\n', s->buf.len);
        if (!nl)
            return s->buf.len > MAX_LINE ? rg_error_set(err, RG_LIMIT, "a line is longer than %d MiB", MAX_LINE >> 20)
                                         : RG_OK;
        char *text = rg_xstrndup(s->buf.data, (size_t)(nl - s->buf.data));
        consume(s, (size_t)(nl - s->buf.data) + 1);
        if (strncmp(text, "#bytes ", 7) && strncmp(text, "#size ", 6)) {
            *line = text;
            return RG_OK;
        }
        st = open_frame(s, text, shm, grow, allowed, n_allowed, err);
        free(text);
        if (st != RG_OK) return st;
    }
    return RG_OK;
}
