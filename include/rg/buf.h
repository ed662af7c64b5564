/* A growable byte string. Always NUL-terminated once anything was added. Allocation failure aborts:
 * the few kilobytes of text handled here are not worth an error path in every printer. */
#ifndef RG_BUF_H
#define RG_BUF_H
#include <rg/decls.h>
#include <stdarg.h>
#include <stddef.h>

RG_BEGIN_DECLS

struct rg_buf {
    char *data; /* owned; "" before the first addition */
    size_t len; /* bytes without the NUL */
    size_t cap;
};

extern char rg_buf_empty[1];
#define RG_BUF_INIT                                                                                                    \
    {                                                                                                                  \
        rg_buf_empty, 0, 0                                                                                             \
    }

void rg_buf_init(struct rg_buf *b);
void rg_buf_release(struct rg_buf *b); /* frees, leaves it initialised */
void rg_buf_reset(struct rg_buf *b);   /* empties, keeps the storage */
void rg_buf_add(struct rg_buf *b, const void *bytes, size_t n);
void rg_buf_str(struct rg_buf *b, const char *s);
void rg_buf_char(struct rg_buf *b, char c);
void rg_buf_printf(struct rg_buf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void rg_buf_vprintf(struct rg_buf *b, const char *fmt, va_list ap);
void rg_buf_xml(struct rg_buf *b, const char *s); /* for text and attributes of HTML and XML; NULL: nothing */
void rg_buf_indent(struct rg_buf *b, int levels); /* four spaces a level */
/* Gives the string away: the caller frees it; the buffer is empty again. Never NULL. */
char *rg_buf_steal(struct rg_buf *b);

/* Aborting allocators for our own small structures; sizes that a user or a candidate decides
 * go through malloc with an error path instead. */
void *rg_xmalloc(size_t n);
void *rg_xcalloc(size_t n, size_t size);
void *rg_xrealloc(void *p, size_t n);
char *rg_xstrdup(const char *s); /* NULL gives NULL */
char *rg_xstrndup(const char *s, size_t n);
char *rg_xasprintf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* RG_GROW(array, n, cap): makes room for element n of a malloc'd array. */
#define RG_GROW(a, n, cap)                                                                                             \
    do {                                                                                                               \
        if ((n) >= (cap)) {                                                                                            \
            (cap) = (cap) ? (cap)*2 : 8;                                                                               \
            (a) = rg_xrealloc((a), (size_t)(cap) * sizeof *(a));                                                       \
        }                                                                                                              \
    } while (0)
RG_END_DECLS
#endif
