#include <rg/buf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char rg_buf_empty[1];

static void *checked(void *p)
{
    if (!p) {
        static const char text[] = "regraph: out of memory\n";
        fwrite(text, 1, sizeof text - 1, stderr);
        abort();
    }
    return p;
}

void *rg_xmalloc(size_t n)
{
    return checked(malloc(n ? n : 1));
}
void *rg_xcalloc(size_t n, size_t size)
{
    return checked(calloc(n ? n : 1, size ? size : 1));
}
void *rg_xrealloc(void *p, size_t n)
{
    return checked(realloc(p, n ? n : 1));
}
char *rg_xstrdup(const char *s)
{
    return s ? rg_xstrndup(s, strlen(s)) : NULL;
}

char *rg_xstrndup(const char *s, size_t n)
{
    char *r = rg_xmalloc(n + 1);
    memcpy(r, s, n);
    r[n] = 0;
    return r;
}

char *rg_xasprintf(const char *fmt, ...)
{
    struct rg_buf b = RG_BUF_INIT;
    va_list ap;
    va_start(ap, fmt);
    rg_buf_vprintf(&b, fmt, ap);
    va_end(ap);
    return rg_buf_steal(&b);
}

void rg_buf_init(struct rg_buf *b)
{
    *b = (struct rg_buf)RG_BUF_INIT;
}

void rg_buf_release(struct rg_buf *b)
{
    if (b->data != rg_buf_empty) free(b->data);
    rg_buf_init(b);
}

void rg_buf_reset(struct rg_buf *b)
{
    b->len = 0;
    if (b->data != rg_buf_empty) b->data[0] = 0;
}

static void room(struct rg_buf *b, size_t n)
{
    if (b->len + n + 1 <= b->cap) return;
    size_t cap = b->cap ? b->cap : 64;
    while (cap < b->len + n + 1) cap *= 2;
    b->data = rg_xrealloc(b->data == rg_buf_empty ? NULL : b->data, cap);
    b->cap = cap;
}

void rg_buf_add(struct rg_buf *b, const void *bytes, size_t n)
{
    room(b, n);
    if (n) memcpy(b->data + b->len, bytes, n);
    b->len += n;
    b->data[b->len] = 0;
}

void rg_buf_str(struct rg_buf *b, const char *s)
{
    rg_buf_add(b, s, strlen(s));
}
void rg_buf_char(struct rg_buf *b, char c)
{
    rg_buf_add(b, &c, 1);
}

void rg_buf_vprintf(struct rg_buf *b, const char *fmt, va_list ap)
{
    va_list again;
    va_copy(again, ap);
    int n = vsnprintf(NULL, 0, fmt, ap);
    if (n > 0) {
        room(b, (size_t)n);
        vsnprintf(b->data + b->len, (size_t)n + 1, fmt, again);
        b->len += (size_t)n;
    }
    va_end(again);
}

void rg_buf_printf(struct rg_buf *b, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    rg_buf_vprintf(b, fmt, ap);
    va_end(ap);
}

void rg_buf_xml(struct rg_buf *b, const char *s)
{
    for (; s && *s; s++) {
        unsigned char c = (unsigned char)*s;
        if (c == '&')
            rg_buf_str(b, "&amp;");
        else if (c == '<')
            rg_buf_str(b, "&lt;");
        else if (c == '>')
            rg_buf_str(b, "&gt;");
        else if (c == '"')
            rg_buf_str(b, "&quot;");
        else if (c == '\'')
            rg_buf_str(b, "&#39;");
        else if (c < 32 && c != '\n' && c != '\t')
            rg_buf_char(b, '?'); /* neither has such characters */
        else
            rg_buf_char(b, *s);
    }
}

void rg_buf_indent(struct rg_buf *b, int levels)
{
    for (int i = 0; i < levels; i++) rg_buf_add(b, "    ", 4);
}

char *rg_buf_steal(struct rg_buf *b)
{
    room(b, 0);
    b->data[b->len] = 0;
    char *s = b->data;
    rg_buf_init(b);
    return s;
}
