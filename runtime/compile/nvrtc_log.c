/* Reading what the compiler says, and PTX as an identity. */
#include "runtime/compile/compiler.h"
#include <ctype.h>
#include <rg/buf.h>
#include <rg/hash.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "candidate.cu(3): error: identifier "x" is undefined" and the line with its caret after it. */
void rg__log_first_error(const char *log, char *out, size_t size)
{
    const char *p = strstr(log, "error");
    if (!p) p = log;
    while (p > log && p[-1] != '\n') p--;
    size_t n = 0, lines = 0;
    while (*p && n + 1 < size && lines < 4) {
        const char *end = strchr(p, '\n');
        size_t len = end ? (size_t)(end - p) : strlen(p);
        bool blank = true;
        for (size_t i = 0; i < len; i++) blank = blank && isspace((unsigned char)p[i]);
        if (blank && lines) break; /* a blank line ends a message */
        if (!blank) {
            size_t take = len > 300 ? 300 : len;
            if (n + take + 2 > size) take = size - n - 2;
            if (n) out[n++] = '\n';
            memcpy(out + n, p, take);
            n += take;
            lines++;
        }
        if (!end) break;
        p = end + 1;
    }
    out[n] = 0;
}

static int64_t number_before(const char *line, const char *end, const char *word)
{
    const char *p = line;
    size_t n = strlen(word);
    for (; p + n <= end; p++)
        if (!strncmp(p, word, n)) break;
    if (p + n > end) return 0;
    while (p > line && p[-1] == ' ') p--;
    while (p > line && isdigit((unsigned char)p[-1])) p--;
    const int64_t value = strtoll(p, NULL, 10);
    return value < INT32_MAX ? value : INT32_MAX; /* registers, bytes: nothing a compiler says is more */
}

void rg__log_resources(const char *log, struct rg_kernel_info *kernels, int n)
{
    struct rg_kernel_info *k = NULL;
    for (const char *line = log; *line;) {
        const char *end = strchr(line, '\n');
        if (!end) end = line + strlen(line);
        size_t len = (size_t)(end - line);
        const char *entry = memmem(line, len, "entry function '", 16);
        if (entry) {
            entry += 16;
            const char *quote = memchr(entry, '\'', (size_t)(end - entry));
            k = NULL;
            for (int i = 0; i < n && quote; i++)
                if (strlen(kernels[i].lowered) == (size_t)(quote - entry) &&
                    !strncmp(kernels[i].lowered, entry, (size_t)(quote - entry)))
                    k = &kernels[i];
        } else if (k && memmem(line, len, "Used ", 5)) {
            k->attributes.regs = (int)number_before(line, end, "registers");
            k->attributes.shared_bytes = number_before(line, end, "bytes smem");
            k->attributes.const_bytes = number_before(line, end, "bytes cmem[0]");
        } else if (k && memmem(line, len, "bytes stack frame", 17)) {
            k->attributes.local_bytes = number_before(line, end, "bytes stack frame");
            k->spill_bytes =
                number_before(line, end, "bytes spill stores") + number_before(line, end, "bytes spill loads");
        }
        line = *end ? end + 1 : end;
    }
}

/* Names that only number things: %r12, %rd3, %f7, $L__BB0_2. They are replaced by their order of first appearance. */
struct names {
    struct {
        char *name;
        int number;
    } * slots;
    size_t cap, n;
};

static int numbered(struct names *t, const char *s, size_t len)
{
    if (2 * (t->n + 1) > t->cap) {
        struct names bigger = {NULL, t->cap ? 2 * t->cap : 256, 0};
        bigger.slots = rg_xcalloc(bigger.cap, sizeof *bigger.slots);
        for (size_t i = 0; i < t->cap; i++) {
            if (!t->slots[i].name) continue;
            size_t h = rg_hash64(t->slots[i].name, strlen(t->slots[i].name), 0) & (bigger.cap - 1);
            while (bigger.slots[h].name) h = (h + 1) & (bigger.cap - 1);
            bigger.slots[h] = t->slots[i];
            bigger.n++;
        }
        free(t->slots);
        *t = bigger;
    }
    size_t h = rg_hash64(s, len, 0) & (t->cap - 1);
    for (; t->slots[h].name; h = (h + 1) & (t->cap - 1))
        if (!strncmp(t->slots[h].name, s, len) && !t->slots[h].name[len]) return t->slots[h].number;
    t->slots[h].name = rg_xstrndup(s, len);
    t->slots[h].number = (int)t->n;
    return (int)t->n++;
}

static bool word_char(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$';
}

static void normal_line(struct rg_buf *out, struct names *t, const char *p, const char *end)
{
    for (; p < end && isspace((unsigned char)*p); p++) {
    }
    if (p == end || (end - p >= 2 && p[0] == '/' && p[1] == '/')) return;
    if ((end - p >= 4 && !strncmp(p, ".loc", 4)) || (end - p >= 5 && !strncmp(p, ".file", 5)) ||
        (end - p >= 8 && !strncmp(p, ".section", 8)) || (end - p >= 8 && !strncmp(p, ".version", 8)))
        return;
    for (bool space = false; p < end;) {
        if (isspace((unsigned char)*p)) {
            space = true;
            p++;
            continue;
        }
        if (end - p >= 2 && p[0] == '/' && p[1] == '/') break;
        if (space) rg_buf_char(out, ' ');
        space = false;
        if (*p == '%' || *p == '$') {
            const char *q = p + 1;
            while (q < end && word_char(*q)) q++;
            bool digits = q > p + 1 && isdigit((unsigned char)q[-1]);
            bool special = *p == '%' && !strncmp(p, "%envreg", 7);
            if (digits && !special) {
                const char *stem = q;
                while (stem > p && isdigit((unsigned char)stem[-1])) stem--;
                if (*p == '%') rg_buf_add(out, p, (size_t)(stem - p));
                rg_buf_printf(out, "#%d", numbered(t, p, (size_t)(q - p)));
            } else {
                rg_buf_add(out, p, (size_t)(q - p));
            }
            p = q;
            continue;
        }
        if (word_char(*p)) { /* whole words, so that a '%' or '$' inside one is left alone */
            const char *q = p;
            while (q < end && word_char(*q)) q++;
            rg_buf_add(out, p, (size_t)(q - p));
            p = q;
            continue;
        }
        rg_buf_char(out, *p++);
    }
    rg_buf_char(out, '\n');
}

void rg__ptx_hash(const char *ptx, size_t len, char out[65])
{
    struct rg_buf b = RG_BUF_INIT;
    struct names t = {NULL, 0, 0};
    for (const char *p = ptx, *stop = ptx + len; p < stop;) {
        const char *end = memchr(p, '\n', (size_t)(stop - p));
        if (!end) end = stop;
        normal_line(&b, &t, p, end);
        p = end + 1;
    }
    rg_sha256_hex(b.data, b.len, out);
    for (size_t i = 0; i < t.cap; i++) free(t.slots[i].name);
    free(t.slots);
    rg_buf_release(&b);
}
