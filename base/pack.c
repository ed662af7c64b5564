/* zlib's owner: gzip members appended to a file. */
#include <errno.h>
#include <fcntl.h>
#include <rg/buf.h>
#include <rg/file.h>
#include <rg/pack.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

enum { GZIP = 15 + 16 }; /* window bits, and gzip's header and checksum */

struct rg_pack {
    int fd;
    char *path;
};

enum rg_status rg_pack_open(const char *path, struct rg_pack **out, struct rg_error *err)
{
    *out = NULL;
    int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (fd < 0) return rg_error_set(err, RG_IO, "cannot write '%s': %s", path, strerror(errno));
    struct rg_pack *p = *out = rg_xcalloc(1, sizeof *p);
    p->fd = fd;
    p->path = rg_xstrdup(path);
    return RG_OK;
}

enum rg_status rg_pack_add(struct rg_pack *p, const char *text, size_t len, struct rg_error *err)
{
    z_stream z = {0};
    if (deflateInit2(&z, Z_BEST_COMPRESSION, Z_DEFLATED, GZIP, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        return rg_error_set(err, RG_NOMEM, "zlib: no memory");
    uLong room = deflateBound(&z, (uLong)len);
    unsigned char *to = rg_xmalloc(room);
    z.next_in = (unsigned char *)(char *)text;
    z.avail_in = (uInt)len;
    z.next_out = to;
    z.avail_out = (uInt)room;
    int done = deflate(&z, Z_FINISH);
    size_t n = room - z.avail_out;
    deflateEnd(&z);
    ssize_t w = done == Z_STREAM_END ? write(p->fd, to, n) : -1; /* one write: a member is there or cut at the end */
    free(to);
    if (w == (ssize_t)n) return RG_OK;
    return rg_error_set(err, RG_IO, "cannot write '%s': %s", p->path, w < 0 ? strerror(errno) : "the disk is full");
}

void rg_pack_close(struct rg_pack *p)
{
    if (!p) return;
    close(p->fd);
    free(p->path);
    free(p);
}

enum rg_status rg_pack_read(const char *path, char **text, size_t *len, struct rg_error *err)
{
    char *packed;
    size_t n;
    *text = NULL;
    enum rg_status s = rg_file_read(path, 0, &packed, &n, err);
    if (s != RG_OK) return s;
    struct rg_buf all = RG_BUF_INIT;
    z_stream z = {.next_in = (unsigned char *)packed, .avail_in = (uInt)n};
    bool more = inflateInit2(&z, GZIP) == Z_OK;
    size_t whole = 0; /* what complete members gave */
    while (more) {
        unsigned char out[1 << 14];
        z.next_out = out;
        z.avail_out = sizeof out;
        int r = inflate(&z, Z_NO_FLUSH);
        rg_buf_add(&all, (char *)out, sizeof out - z.avail_out);
        if (r == Z_STREAM_END) {
            whole = all.len;
            more = z.avail_in && inflateReset(&z) == Z_OK;
        } else {
            more = r == Z_OK && (z.avail_in || !z.avail_out);
        }
    }
    inflateEnd(&z);
    free(packed);
    if (!all.data) rg_buf_str(&all, "");
    all.data[whole] = 0;
    *len = whole;
    *text = rg_buf_steal(&all);
    return RG_OK;
}
