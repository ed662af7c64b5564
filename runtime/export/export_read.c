/* best.cu read back: the kernels as they stand between the exporter's marks, the plan from its comment. People may have
 * edited both. */
#include "runtime/export/export_internal.h"
#include <rg/file.h>
#include <stdlib.h>
#include <string.h>

/* The line that is `mark`, from `from` on; NULL: none. last: the last one. */
static const char *find_line(const char *from, const char *mark, bool last)
{
    const char *found = NULL;
    size_t n = strlen(mark);
    for (const char *p = from; (p = strstr(p, mark)); p += n) {
        bool whole = (p == from || p[-1] == '\n') && (p[n] == '\n' || p[n] == '\r' || !p[n]);
        if (!whole) continue;
        found = p;
        if (!last) break;
    }
    return found;
}

static const char *next_line(const char *p)
{
    const char *nl = strchr(p, '\n');
    return nl ? nl + 1 : p + strlen(p);
}

static int line_of(const char *text, const char *at)
{
    int line = 1;
    for (const char *p = text; p < at; p++) line += *p == '\n';
    return line;
}

enum rg_status rg_export_read(const char *text, size_t len, const char *name, struct rg_source *out, int *line,
                              struct rg_error *err)
{
    *out = (struct rg_source){NULL, NULL};
    const char *zero = memchr(text, 0, len);
    if (zero) return rg_error_at(err, RG_INPUT, name, 1, 1, "not a best.cu: it holds a zero byte");
    char *copy = rg_xstrndup(text, len);
    const char *plan = find_line(copy, RG__MARK_PLAN, false),
               *kernels = plan ? find_line(plan, RG__MARK_KERNELS, false) : NULL;
    const char *host = kernels ? find_line(kernels, RG__MARK_HOST, true) : NULL;
    if (!host) {
        const char *missing = !plan ? RG__MARK_PLAN : !kernels ? RG__MARK_KERNELS : RG__MARK_HOST;
        free(copy);
        return rg_error_at(err, RG_INPUT, name, 1, 1, "not a best.cu of this program: it has no line \"%s\"", missing);
    }
    struct rg_buf b = RG_BUF_INIT;
    for (const char *p = next_line(plan); p < kernels && !strncmp(p, "//", 2); p = next_line(p)) {
        const char *from = p + 2 + (p[2] == ' ');
        rg_buf_add(&b, from, strcspn(from, "\r\n"));
        rg_buf_char(&b, '\n');
    }
    const char *cuda = next_line(kernels);
    if (line) *line = line_of(copy, cuda);
    size_t n = host > cuda ? (size_t)(host - cuda) : 0;
    if (n && cuda[n - 1] == '\n' && n > 1 && cuda[n - 2] == '\n')
        n--; /* the empty line before the mark is the exporter's */
    out->cuda = rg_xstrndup(cuda, n);
    out->plan = rg_buf_steal(&b);
    free(copy);
    return RG_OK;
}
