#include <rg/error.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *name, *text;
    int exit_code;
} map[] = {
#define X(name, text, code) {#name, text, code},
    RG_STATUS_MAP(X)
#undef X
};

const char *rg_status_name(enum rg_status s)
{
    return map[s].name;
}
const char *rg_status_text(enum rg_status s)
{
    return map[s].text;
}
int rg_status_exit(enum rg_status s)
{
    return map[s].exit_code;
}

static enum rg_status vset(struct rg_error *e, enum rg_status s, const char *file, int line, int column,
                           const char *fmt, va_list ap)
{
    if (!e || e->status != RG_OK) return s;
    e->status = s;
    e->line = line;
    e->column = column;
    snprintf(e->file, sizeof e->file, "%s", file ? file : "");
    vsnprintf(e->text, sizeof e->text, fmt, ap);
    return s;
}

enum rg_status rg_error_set(struct rg_error *e, enum rg_status s, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    vset(e, s, NULL, 0, 0, fmt, ap);
    va_end(ap);
    return s;
}

enum rg_status rg_error_at(struct rg_error *e, enum rg_status s, const char *file, int line, int column,
                           const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    vset(e, s, file, line, column, fmt, ap);
    va_end(ap);
    return s;
}

void rg_error_prefix(struct rg_error *e, const char *fmt, ...)
{
    if (!e || e->status == RG_OK) return;
    char head[512], whole[sizeof e->text];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(head, sizeof head, fmt, ap);
    va_end(ap);
    if (snprintf(whole, sizeof whole, "%s: %s", head, e->text) < 0) return;
    memcpy(e->text, whole, sizeof whole);
}

void rg_error_also(struct rg_error *e, const struct rg_error *more)
{
    char text[sizeof more->file + sizeof more->text + 32];
    if (!e || more->status == RG_OK) return;
    if (e->status == RG_OK) {
        *e = *more;
        return;
    }
    rg_error_format(more, text, sizeof text);
    char first[sizeof text];
    rg_error_format(e, first, sizeof first);
    size_t has = strlen(e->text), n = strlen(text);
    const char *known = strstr(first, text);
    if (known && (known[n] == '\n' || !known[n])) return;
    if (has + n + 2 > sizeof e->text) return;
    e->text[has] = '\n';
    memcpy(e->text + has + 1, text, n + 1);
}

void rg_error_clear(struct rg_error *e)
{
    if (e) *e = (struct rg_error)RG_ERROR_INIT;
}

char *rg_error_format(const struct rg_error *e, char *out, unsigned long size)
{
    if (e->file[0] && e->line && e->column)
        snprintf(out, size, "%s:%d:%d: %s", e->file, e->line, e->column, e->text);
    else if (e->file[0] && e->line)
        snprintf(out, size, "%s:%d: %s", e->file, e->line, e->text);
    else if (e->file[0])
        snprintf(out, size, "%s: %s", e->file, e->text);
    else
        snprintf(out, size, "%s", e->text);
    return out;
}
