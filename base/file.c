#include <errno.h>
#include <fcntl.h>
#include <rg/buf.h>
#include <rg/file.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum rg_status rg_file_read(const char *path, size_t max, char **data, size_t *len, struct rg_error *err)
{
    *data = NULL;
    *len = 0;
    if (!max) max = (size_t)1 << 30;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return rg_error_set(err, RG_INPUT, "cannot open '%s': %s", path, strerror(errno));
    size_t cap = 0, n = 0;
    char *d = NULL;
    for (;;) {
        if (n + 1 >= cap) {
            cap = cap ? cap * 2 : 65536;
            char *bigger = realloc(d, cap);
            if (!bigger) {
                free(d);
                close(fd);
                return rg_error_set(err, RG_NOMEM, "'%s': out of memory", path);
            }
            d = bigger;
        }
        ssize_t got = read(fd, d + n, cap - n - 1);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) {
            int e = errno;
            free(d);
            close(fd);
            return rg_error_set(err, RG_INPUT, "cannot read '%s': %s", path, strerror(e));
        }
        if (got == 0) break;
        n += (size_t)got;
        if (n > max) {
            free(d);
            close(fd);
            return rg_error_set(err, RG_INPUT, "'%s' is larger than %zu bytes", path, max);
        }
    }
    close(fd);
    d[n] = 0;
    *data = d;
    *len = n;
    return RG_OK;
}

void rg_file_unique(char out[17])
{
    uint64_t r;
    if (getrandom(&r, sizeof r, GRND_NONBLOCK) != (ssize_t)sizeof r) {
        struct timespec t;
        clock_gettime(CLOCK_REALTIME, &t);
        r = (uint64_t)t.tv_nsec << 34 ^ (uint64_t)t.tv_sec << 22 ^ (uint64_t)getpid();
    }
    snprintf(out, 17, "%016llx", (unsigned long long)r);
}

/* A file of that content under a name of its own beside `path`, on the disk where `sync`; errno of a failure, which
 * leaves nothing. */
static int write_beside(const char *path, const void *data, size_t len, bool sync, char **name)
{
    char unique[17];
    rg_file_unique(unique);
    char *tmp = *name = rg_xasprintf("%s.tmp%s", path, unique);
    int e = 0, fd = open(tmp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0) return errno;
    const char *p = data;
    for (size_t left = len; left && !e;) {
        ssize_t w = write(fd, p, left);
        if (w < 0 && errno == EINTR) continue;
        if (w < 0)
            e = errno;
        else {
            p += w;
            left -= (size_t)w;
        }
    }
    if (!e && sync && fsync(fd) && errno != EINVAL && errno != EROFS) e = errno;
    if (close(fd) && !e) e = errno;
    if (e) unlink(tmp);
    return e;
}

static enum rg_status replace(const char *path, const void *data, size_t len, bool sync, struct rg_error *err)
{
    char *tmp;
    int e = write_beside(path, data, len, sync, &tmp);
    if (!e && rename(tmp, path)) {
        e = errno;
        unlink(tmp);
    }
    free(tmp);
    return e ? rg_error_set(err, RG_IO, "cannot write '%s': %s", path, strerror(e)) : RG_OK;
}

enum rg_status rg_file_write(const char *path, const void *data, size_t len, struct rg_error *err)
{
    return replace(path, data, len, true, err);
}

enum rg_status rg_file_replace(const char *path, const void *data, size_t len, struct rg_error *err)
{
    return replace(path, data, len, false, err);
}

enum rg_status rg_file_create(const char *path, const void *data, size_t len, bool *made, struct rg_error *err)
{
    char *tmp;
    int e = write_beside(path, data, len, true, &tmp);
    bool written = !e;
    *made = written && link(tmp, path) == 0; /* where rename would take another's place */
    if (written && !*made && errno != EEXIST) {
        if (errno == EPERM || errno == EOPNOTSUPP || errno == ENOSYS || errno == EMLINK) /* no links here */
            *made = access(path, F_OK) != 0 && rename(tmp, path) == 0;
        else
            e = errno;
    }
    if (written) unlink(tmp);
    free(tmp);
    return e ? rg_error_set(err, RG_IO, "cannot write '%s': %s", path, strerror(e)) : RG_OK;
}

enum rg_status rg_file_mkdirs(const char *path, struct rg_error *err)
{
    char *p = rg_xstrdup(path);
    enum rg_status s = RG_OK;
    for (char *c = p; s == RG_OK; c++) {
        if (*c != '/' && *c) continue;
        char saved = *c;
        *c = 0;
        struct stat st;
        if (c > p && mkdir(p, 0777) && errno != EEXIST)
            s = rg_error_set(err, RG_IO, "cannot create folder '%s': %s", p, strerror(errno));
        else if (c > p && stat(p, &st) == 0 && !S_ISDIR(st.st_mode))
            s = rg_error_set(err, RG_IO, "'%s' is not a folder", p);
        *c = saved;
        if (!saved) break;
    }
    free(p);
    return s;
}

bool rg_file_exists(const char *path)
{
    return access(path, F_OK) == 0;
}

enum rg_status rg_file_lock(const char *path, double seconds, int *fd, struct rg_error *err)
{
    char *lock = rg_xasprintf("%s.lock", path);
    enum rg_status s = RG_OK;
    *fd = open(lock, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (*fd < 0) {
        s = rg_error_set(err, RG_IO, "cannot open '%s': %s", lock, strerror(errno));
    } else {
        double end = rg_now() + seconds;
        while (flock(*fd, LOCK_EX | LOCK_NB)) {
            if (errno != EWOULDBLOCK && errno != EINTR)
                s = rg_error_set(err, RG_IO, "cannot lock '%s': %s", lock, strerror(errno));
            else if (rg_now() >= end)
                s = rg_error_set(err, RG_IO, "'%s' is locked by another process", lock);
            if (s != RG_OK) break;
            nanosleep(&(struct timespec){0, 20000000}, NULL);
        }
        if (s != RG_OK) {
            close(*fd);
            *fd = -1;
        }
    }
    free(lock);
    return s;
}

void rg_file_unlock(int fd)
{
    if (fd >= 0)
        close(fd); /* the lock goes with the descriptor; the empty file stays, so that nobody locks a removed one */
}

double rg_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}
