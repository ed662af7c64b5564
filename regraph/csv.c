/* A table of edges (RFC 4180) into a graph: what an expert changed in a spreadsheet. */
#include "regraph/internal.h"

#include <locale.h>
#include <math.h>
#include <rg/regraph_tools.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CELLS = 256 };

struct row {
    int n, line; /* line: where it begins */
    char *cells[MOST_CELLS];
};

struct reader {
    const char *p, *end, *name;
    int line;
};

/* One cell, quotes taken off, into b. */
static enum rg_status read_cell(struct reader *r, struct rg_buf *b, struct rg_error *err)
{
    rg_buf_reset(b);
    bool quoted = r->p < r->end && *r->p == '"';
    int begun = r->line;
    if (quoted) r->p++;
    for (; r->p < r->end; r->p++) {
        char c = *r->p;
        if (c == '\0') return rg_error_at(err, RG_INPUT, r->name, r->line, 1, "a NUL byte");
        if (quoted && c == '"') {
            if (r->p + 1 < r->end && r->p[1] == '"') r->p++;
            else break;
        } else if (!quoted && (c == ',' || c == '\n' || c == '\r')) {
            return RG_OK;
        } else if (!quoted && c == '"') {
            return rg_error_at(err, RG_INPUT, r->name, r->line, 1, "a quote inside a cell that does not begin with one");
        }
        r->line += c == '\n';
        rg_buf_char(b, *r->p);
    }
    if (!quoted) return RG_OK;
    if (r->p == r->end) return rg_error_at(err, RG_INPUT, r->name, begun, 1, "a quote is not closed");
    r->p++;
    if (r->p < r->end && !strchr(",\r\n", *r->p))
        return rg_error_at(err, RG_INPUT, r->name, r->line, 1, "something stands behind a closing quote");
    return RG_OK;
}

static enum rg_status read_row(struct reader *r, struct row *out, struct rg_error *err)
{
    struct rg_buf b = RG_BUF_INIT;
    enum rg_status s = RG_OK;
    *out = (struct row){.line = r->line};
    while (s == RG_OK) {
        if (out->n == MOST_CELLS) s = rg_error_at(err, RG_INPUT, r->name, r->line, 1, "more than %d columns", MOST_CELLS);
        if (s == RG_OK) s = read_cell(r, &b, err);
        if (s != RG_OK) break;
        out->cells[out->n++] = rg_xstrdup(b.data);
        if (r->p == r->end || *r->p != ',') break;
        r->p++;
    }
    if (s == RG_OK && r->p < r->end && *r->p == '\r') r->p++;
    if (s == RG_OK && r->p < r->end && *r->p == '\n') r->p++;
    r->line++;
    rg_buf_release(&b);
    return s;
}

static void release(struct row *r)
{
    for (int i = 0; i < r->n; i++) free(r->cells[i]);
    r->n = 0;
}

static const char *cell(const struct row *heads, const struct row *r, const char *name)
{
    for (int i = 0; i < heads->n && i < r->n; i++)
        if (!strcmp(heads->cells[i], name)) return r->cells[i];
    return NULL;
}

/* NaN where the table does not say; the loader's numbers, whatever the locale. */
static bool number(const char *text, double *out)
{
    static locale_t c;
    if (!c) c = newlocale(LC_ALL_MASK, "C", NULL);
    char *end;
    *out = NAN;
    if (!text || !*text) return true;
    *out = strtod_l(text, &end, c);
    return *end == '\0' && isfinite(*out);
}

static enum rg_status take_row(struct rg_regraph *g, const struct row *heads, const struct row *r, const char *name,
                               struct rg_error *err)
{
    const char *from = cell(heads, r, "from"), *to = cell(heads, r, "to"), *note = cell(heads, r, "note"),
               *never = cell(heads, r, "never");
    double prior, confidence;
    if (!from || !to) return rg_error_at(err, RG_INPUT, name, r->line, 1, "a row without from and to");
    if (!number(cell(heads, r, "prior"), &prior) || !number(cell(heads, r, "confidence"), &confidence))
        return rg_error_at(err, RG_INPUT, name, r->line, 1, "prior and confidence are numbers");
    if (never && *never && strcmp(never, "yes") && strcmp(never, "no"))
        return rg_error_at(err, RG_INPUT, name, r->line, 1, "never is yes or no");
    struct rg_error inner = RG_ERROR_INIT;
    int f = strcmp(from, "@start") ? rg_regraph_find(g, from) : -1, t = rg_regraph_find(g, to);
    int at = t < 0 || (f < 0 && strcmp(from, "@start")) ? -1 : rg_regraph_find_edge(g, f, t);
    if (at < 0) {
        rg_regraph_add_edge(g, from, to, isnan(prior) ? 0.5 : prior, isnan(confidence) ? 1 : confidence, note, &inner);
    } else {
        const struct rg_edge *e = &g->links[at].edge;
        if (note && !strcmp(note, e->note ? e->note : "")) note = NULL; /* as it was: its author stays */
        rg_regraph_set(g, from, to, prior, confidence, note, &inner);
    }
    if (inner.status == RG_OK && never && *never) rg_regraph_bar_edge(g, from, to, !strcmp(never, "yes"), &inner);
    return inner.status == RG_OK ? RG_OK : rg_error_at(err, inner.status, name, r->line, 1, "%s", inner.text);
}

enum rg_status rg_regraph_take_csv(struct rg_regraph *g, const char *text, size_t len, const char *name, struct rg_error *err)
{
    struct reader r = {text, text + len, name, 1};
    struct row heads, row;
    if (len >= 3 && !memcmp(text, "\xEF\xBB\xBF", 3)) r.p += 3; /* spreadsheets' byte order mark */
    enum rg_status s = read_row(&r, &heads, err);
    if (s == RG_OK && (!cell(&heads, &heads, "from") || !cell(&heads, &heads, "to")))
        s = rg_error_at(err, RG_INPUT, name, 1, 1, "the first line names the columns, from and to among them");
    struct rg_regraph *work = rg_regraph_clone(g); /* all rows or none */
    while (s == RG_OK && r.p < r.end) {
        s = read_row(&r, &row, err);
        bool blank = row.n == 1 && !*row.cells[0];
        if (s == RG_OK && !blank) s = take_row(work, &heads, &row, name, err);
        release(&row);
    }
    release(&heads);
    if (s == RG_OK) rg_regraph_swap(g, work);
    rg_regraph_free(work);
    return s;
}
