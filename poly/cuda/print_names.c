/* Names in a kernel as the file has them: numbers that keep variables of different loops of the function apart (i_2)
 * are dropped where the kernel has no other of that name in sight. */
#include "poly/cuda/print.h"
#include <ctype.h>
#include <string.h>

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* The next identifier from p on that is no member's; NULL: none. *n its length. */
static const char *identifier(const char *p, const char *end, bool comments, size_t *n)
{
    for (const char *begin = p; p < end; p++) {
        if (!comments && p[0] == '/' && p[1] == '/')
            while (p < end && *p != '\n') p++;
        if (p == end || !is_word(*p)) continue;
        const char *q = p;
        while (q < end && is_word(*q)) q++;
        *n = (size_t)(q - p);
        bool member = p > begin && p[-1] == '.';
        if (!isdigit((unsigned char)*p) && !member) return p;
        p = q - 1;
    }
    return NULL;
}

enum { FORMS = 2 }; /* the variable, a sum of its own */

static const char *form(struct poly_print *pr, int i, const char *name)
{
    static const char *const format[FORMS] = {"%s", "%s_acc"};
    struct rg_buf b = RG_BUF_INIT;
    for (const char *f = format[i]; *f; f++)
        if (*f == '%' && f[1] == 's') {
            rg_buf_str(&b, name);
            f++;
        } else {
            rg_buf_char(&b, *f);
        }
    const char *text = rg__poly_printf(pr, "%s", b.data);
    rg_buf_release(&b);
    return text;
}

/* Which of them the identifier is; -1 none. */
static int which(const char *const *forms, const char *p, size_t n)
{
    for (int i = 0; i < FORMS; i++)
        if (strlen(forms[i]) == n && !memcmp(forms[i], p, n)) return i;
    return -1;
}

static bool any(const char *const *forms, const char *from, const char *end)
{
    size_t n;
    for (const char *p = from; (p = identifier(p, end, false, &n)); p += n)
        if (which(forms, p, n) >= 0) return true;
    return false;
}

/* The end of the loop whose header declares what stands at p, `for (int ` in front of it; NULL: it is no such place. */
static const char *loop_end(const char *text, const char *p, const char *end)
{
    const char *q = p;
    while (q > text && (is_word(q[-1]) || q[-1] == ' ')) q--;
    if (q - text < 5 || q[-1] != '(' || strncmp(q - 5, "for (", 5) != 0 || q == p) return NULL;
    int depth = 0;
    for (q = p; q < end; q++)
        if (*q == '{') {
            depth++;
        } else if (*q == '}' && --depth == 0) {
            return q;
        }
    return NULL;
}

/* Is every one of the old names inside a loop that declares it, with none of the new names in it? */
static bool in_loops(const char *const *old, const char *const *new, const char *text, const char *end)
{
    size_t n;
    for (const char *p = text; (p = identifier(p, end, false, &n)); p += n) {
        if (which(old, p, n) < 0) continue;
        const char *close = which(old, p, n) == 0 ? loop_end(text, p, end) : NULL;
        if (!close || any(new, p, close)) return false;
        p = close;
        n = 0;
    }
    return true;
}

static void replace(struct rg_buf *b, size_t from, const char *const *old, const char *const *new)
{
    struct rg_buf out = RG_BUF_INIT;
    const char *text = b->data + from, *end = b->data + b->len, *done = text;
    size_t n;
    for (const char *p = text; (p = identifier(p, end, true, &n)); p += n) {
        int i = which(old, p, n);
        if (i < 0) continue;
        rg_buf_printf(&out, "%.*s%s", (int)(p - done), done, new[i]);
        done = p + n;
    }
    rg_buf_str(&out, done);
    b->len = from;
    b->data[from] = 0;
    rg_buf_str(b, out.data);
    rg_buf_release(&out);
}

/* What it would be called without the number; NULL: it has none, or no other is called that. */
static const char *plain_name(struct poly_print *pr, const char *name)
{
    const char *at = strrchr(name, '_');
    if (!at || at == name || !at[1] || strspn(at + 1, "0123456789") != strlen(at + 1)) return NULL;
    const char *plain = rg__poly_printf(pr, "%.*s", (int)(at - name), name);
    for (int v = 0; v < pr->t->n_vars; v++)
        if (!strcmp(pr->t->vars[v].name, plain)) return plain;
    return NULL;
}

void rg__poly_plain_names(struct poly_print *pr, struct rg_buf *b, size_t from)
{
    for (int v = 0; v < pr->t->n_vars; v++) {
        const struct rg_cvar *c = &pr->t->vars[v];
        const char *plain = c->kind == RG_CVAR_PARAM ? NULL : plain_name(pr, c->name), *old[FORMS], *new[FORMS];
        if (!plain) continue;
        for (int i = 0; i < FORMS; i++) {
            old[i] = form(pr, i, c->name);
            new[i] = form(pr, i, plain);
        }
        const char *text = b->data + from, *end = b->data + b->len;
        if (any(old, text, end) && (!any(new, text, end) || in_loops(old, new, text, end))) replace(b, from, old, new);
    }
}
