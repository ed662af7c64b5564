#include "runtime/os/cache.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <rg/error.h>
#include <rg/file.h>
#include <rg/hash.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char magic[9] = "rgcache1";
enum {
    HEAD = 8 + 64,      /* magic, SHA-256 over key and value */
    FRESH_S = 3600,     /* a file's age is noted again when it is older than this */
    ABANDONED_S = 3600, /* a temporary file this old is nobody's */
};

void rg__cache_open(struct rg_cache *c, const char *dir, const char *kind, int64_t limit_bytes)
{
    *c = (struct rg_cache){.limit = limit_bytes};
    if (dir && *dir) c->dir = rg_xasprintf("%s/%s", dir, kind);
}

/* The key is in the sum: a file under another name is no value of that name. */
static void checksum(const char key[65], const void *data, size_t n, char out[65])
{
    struct rg_sha256 *h = rg_sha256_new();
    rg_sha256_add(h, key, 64);
    rg_sha256_add(h, data, n);
    rg_sha256_end(h, out);
}

/* Spread over 256 folders. */
static char *path_of(const struct rg_cache *c, const char key[65])
{
    return rg_xasprintf("%s/%.2s/%.62s", c->dir, key, key + 2);
}

static bool read_all(int fd, char *to, size_t n)
{
    for (size_t at = 0; at < n;) {
        ssize_t r = read(fd, to + at, n - at);
        if (r < 0 && errno == EINTR) continue;
        if (r <= 0) return false;
        at += (size_t)r;
    }
    return true;
}

static bool write_all(int fd, const char *from, size_t n)
{
    for (size_t at = 0; at < n;) {
        ssize_t w = write(fd, from + at, n - at);
        if (w < 0 && errno == EINTR) continue;
        if (w <= 0) return false;
        at += (size_t)w;
    }
    return true;
}

bool rg__cache_get(struct rg_cache *c, const char key[65], struct rg_buf *out)
{
    rg_buf_reset(out);
    if (!c->dir) return false;
    char *path = path_of(c, key), sum[65];
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    free(path);
    if (fd < 0) return false;
    struct stat st;
    bool ok =
        fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size >= HEAD && st.st_size <= HEAD + RG_CACHE_MAX_BYTES;
    char *all = ok ? malloc((size_t)st.st_size) : NULL;
    ok = all && read_all(fd, all, (size_t)st.st_size);
    if (ok) {
        size_t n = (size_t)st.st_size - HEAD;
        checksum(key, all + HEAD, n, sum);
        ok = !memcmp(all, magic, 8) && !memcmp(all + 8, sum, 64);
        if (ok) rg_buf_add(out, all + HEAD, n);
        if (ok && st.st_mtime + FRESH_S < time(NULL)) (void)futimens(fd, NULL); /* in use: it goes later */
    }
    free(all);
    close(fd);
    return ok;
}

/* --- keeping within the limit --- */

struct entry {
    char *path;
    time_t used;
    int64_t bytes;
};

struct entries {
    struct entry *items;
    int n, cap;
    int64_t bytes;
};

static void list_folder(struct entries *l, const char *folder, time_t now)
{
    DIR *d = opendir(folder);
    if (!d) return;
    for (struct dirent *e; (e = readdir(d));) {
        struct stat st;
        if (e->d_name[0] == '.' || fstatat(dirfd(d), e->d_name, &st, AT_SYMLINK_NOFOLLOW) || !S_ISREG(st.st_mode))
            continue;
        if (!strncmp(e->d_name, "new-", 4)) {
            if (st.st_mtime + ABANDONED_S < now) unlinkat(dirfd(d), e->d_name, 0);
            continue;
        }
        RG_GROW(l->items, l->n, l->cap);
        l->items[l->n++] = (struct entry){rg_xasprintf("%s/%s", folder, e->d_name), st.st_mtime, (int64_t)st.st_size};
        l->bytes += (int64_t)st.st_size;
    }
    closedir(d);
}

static int by_age(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    if (x->used != y->used) return x->used < y->used ? -1 : 1;
    return strcmp(x->path, y->path);
}

/* Down to four fifths, so that it is not done again at once. */
static void trim(struct rg_cache *c)
{
    struct entries l = {NULL, 0, 0, 0};
    time_t now = time(NULL);
    c->unchecked = 0;
    for (int i = 0; i < 256; i++) {
        char *folder = rg_xasprintf("%s/%02x", c->dir, i);
        list_folder(&l, folder, now);
        free(folder);
    }
    if (l.bytes > c->limit) {
        qsort(l.items, (size_t)l.n, sizeof *l.items, by_age);
        for (int i = 0; i < l.n && l.bytes > c->limit / 5 * 4; i++)
            if (unlink(l.items[i].path) == 0 || errno == ENOENT) l.bytes -= l.items[i].bytes;
    }
    for (int i = 0; i < l.n; i++) free(l.items[i].path);
    free(l.items);
}

void rg__cache_put(struct rg_cache *c, const char key[65], const void *data, size_t n)
{
    if (!c->dir || n > RG_CACHE_MAX_BYTES) return;
    char sum[65], *path = path_of(c, key), *folder = rg_xasprintf("%s/%.2s", c->dir, key);
    char unique[17];
    rg_file_unique(unique); /* processes of other machines may share the folder */
    char *made = rg_xasprintf("%s/new-%s", folder, unique);
    checksum(key, data, n, sum);
    int fd = -1;
    if (rg_file_mkdirs(folder, NULL) == RG_OK) fd = open(made, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd >= 0) {
        /* no fsync: what a crash of the machine leaves half written has another sum */
        bool ok = write_all(fd, magic, 8) && write_all(fd, sum, 64) && write_all(fd, data, n);
        ok = close(fd) == 0 && ok;
        if (!ok || rename(made, path) != 0)
            unlink(made);
        else
            c->unchecked += (int64_t)n + HEAD;
    }
    free(made);
    free(folder);
    free(path);
    if (c->unchecked > c->limit / 8) trim(c);
}

void rg__cache_close(struct rg_cache *c)
{
    if (c->dir && c->unchecked > 0) trim(c);
    free(c->dir);
    c->dir = NULL;
}
