/* Canonical text of a graph: same content, same bytes. Laid out for people and for diffs: a step is a block, an edge
 * a line, a row of evidence a line. */
#include "regraph/internal.h"

#include <math.h>
#include <rg/file.h>
#include <stdio.h>
#include <string.h>

static void quote(struct rg_buf *b, const char *s)
{
    rg_buf_char(b, '"');
    for (;;) {
        const char *plain = s;
        while ((unsigned char)*s >= 0x20 && *s != '"' && *s != '\\' && *s != 0x7f) s++;
        rg_buf_add(b, plain, (size_t)(s - plain));
        unsigned char c = (unsigned char)*s;
        if (!c) break;
        if (c == '"' || c == '\\')
            rg_buf_printf(b, "\\%c", c);
        else if (c == '\n')
            rg_buf_str(b, "\\n");
        else if (c == '\t')
            rg_buf_str(b, "\\t");
        else
            rg_buf_printf(b, "\\u%04x", c);
        s++;
    }
    rg_buf_char(b, '"');
}

static void whole(struct rg_buf *b, int64_t v)
{
    char text[24], *p = text + sizeof text;
    uint64_t left = v < 0 ? -(uint64_t)v : (uint64_t)v;
    do *--p = (char)('0' + left % 10);
    while (left /= 10);
    if (v < 0) *--p = '-';
    rg_buf_add(b, p, (size_t)(text + sizeof text - p));
}

/* The opinions that people write, 0.25 or 12, where they are the double nearest to at most six decimals: what "%.15g"
 * says of such a number is those decimals. */
static bool few_decimals(struct rg_buf *b, double v)
{
    static const double scale = 1e6, most = 1e6, least = 1e-4;
    if (v != 0 && !(v >= least && v < most)) return false;
    if (v == 0 && signbit(v)) return false;
    int64_t n = llround(v * scale);
    if ((double)n / scale != v) return false;
    whole(b, n / 1000000);
    int64_t rest = n % 1000000;
    if (!rest) return true;
    char text[8] = ".";
    int digits = 0;
    for (int64_t unit = 100000; rest; unit /= 10) {
        text[++digits] = (char)('0' + rest / unit);
        rest %= unit;
    }
    rg_buf_add(b, text, (size_t)digits + 1);
    return true;
}

/* 15 significant digits, whatever the locale's decimal point. */
static void real(struct rg_buf *b, double v)
{
    char text[40];
    if (few_decimals(b, v)) return;
    snprintf(text, sizeof text, "%.15g", v);
    for (char *p = text; *p; p++)
        if (!strchr("0123456789+-e.", *p)) *p = '.';
    rg_buf_str(b, text);
}

struct members { /* puts separators: `between` before every member but the first */
    struct rg_buf *b;
    const char *between;
    int n;
};

static void member(struct members *m, const char *key)
{
    if (m->n++) rg_buf_str(m->b, m->between);
    quote(m->b, key);
    rg_buf_str(m->b, ": ");
}

static void text_member(struct members *m, const char *key, const char *value)
{
    if (!value || !*value) return;
    member(m, key);
    quote(m->b, value);
}

static void int_member(struct members *m, const char *key, int64_t value)
{
    member(m, key);
    whole(m->b, value);
}

static void flag_member(struct members *m, const char *key, bool set)
{
    if (!set) return;
    member(m, key);
    rg_buf_str(m->b, "true");
}

static void extra_members(struct members *m, const struct rg__extra *x)
{
    for (int i = 0; i < x->n; i++) {
        member(m, x->items[i].key);
        rg_buf_str(m->b, x->items[i].json);
    }
}

static void words_member(struct members *m, const char *key, uint32_t bits, int count, const char *(*word)(int))
{
    if (!bits) return;
    member(m, key);
    const char *separator = "[";
    for (int i = 0; i < count; i++) {
        if (!(bits >> i & 1)) continue;
        rg_buf_str(m->b, separator);
        quote(m->b, word(i));
        separator = ", ";
    }
    rg_buf_char(m->b, ']');
}

static const char *limiter_word(int i)
{
    return rg_limiter_word((enum rg_limiter)i);
}

static void tunables_member(struct members *m, const struct rg_tunables *t)
{
    if (t->n == 0) return;
    member(m, "tunables");
    struct members inner = {m->b, ", ", 0};
    rg_buf_char(m->b, '{');
    for (int i = 0; i < t->n; i++) {
        member(&inner, t->items[i].name);
        rg_buf_printf(m->b, "[%lld", (long long)t->items[i].start);
        for (int k = 0; k < t->items[i].n_values; k++)
            if (t->items[i].values[k] != t->items[i].start)
                rg_buf_printf(m->b, ", %lld", (long long)t->items[i].values[k]);
        rg_buf_char(m->b, ']');
    }
    rg_buf_char(m->b, '}');
}

static void require_member(struct members *m, const struct rg__node *n)
{
    if (n->n_require == 0) return;
    member(m, "require");
    for (int i = 0; i < n->n_require; i++) {
        rg_buf_str(m->b, i ? ", " : "[");
        quote(m->b, n->require[i]);
    }
    rg_buf_char(m->b, ']');
}

static void pair_member(struct members *m, const char *key, const char *k1, const char *v1, const char *k2,
                        const char *v2, const struct rg__extra *x)
{
    if (!v1 || !v2) return;
    member(m, key);
    struct members inner = {m->b, ", ", 0};
    rg_buf_char(m->b, '{');
    member(&inner, k1);
    quote(m->b, v1);
    member(&inner, k2);
    quote(m->b, v2);
    extra_members(&inner, x);
    rg_buf_char(m->b, '}');
}

void rg__print_step(struct rg_buf *b, const struct rg__node *n)
{
    static const char *const once[] = {NULL, "site", "candidate"};
    static const char *const needs[] = {NULL, "code", "launches", "no-best", "best", "form"};
    static const char *const change[] = {NULL, "appears", "rises", "falls", "disappears", "changes"};
    const struct rg_step *s = &n->step;
    struct members m = {b, ",\n      ", 0};
    rg_buf_str(b, "    {\n      ");
    member(&m, "id");
    quote(b, s->id);
    member(&m, "title");
    quote(b, s->title);
    member(&m, "category");
    quote(b, s->category);
    words_member(&m, "when", s->when, RG_N_TRAITS, rg_trait_word);
    words_member(&m, "limiter", s->limiters, RG_N_LIMITERS, limiter_word);
    text_member(&m, "once", once[s->once]);
    text_member(&m, "needs", needs[s->needs]);
    tunables_member(&m, &s->tunables);
    require_member(&m, n);
    text_member(&m, "poly", s->poly);
    text_member(&m, "hint", s->hint);
    text_member(&m, "precondition", s->precondition);
    pair_member(&m, "check", "pattern", s->check_pattern, "change", change[s->check_change], &n->check_extra);
    pair_member(&m, "example", "before", s->example_before, "after", s->example_after, &n->example_extra);
    text_member(&m, "source", s->source);
    flag_member(&m, "never", s->never);
    extra_members(&m, &n->extra);
    rg_buf_str(b, "\n    }");
}

static void tuned_member(struct members *m, const struct rg_evidence *e)
{
    if (e->n_tuned == 0) return;
    member(m, "tuned");
    for (int i = 0; i < e->n_tuned; i++) {
        bool first = i == 0 || strcmp(e->tuned[i - 1].name, e->tuned[i].name) != 0;
        rg_buf_str(m->b, !first ? ", " : i ? "}, " : "{");
        if (first) {
            quote(m->b, e->tuned[i].name);
            rg_buf_str(m->b, ": {");
        }
        rg_buf_printf(m->b, "\"%lld\": %lld", (long long)e->tuned[i].value, (long long)e->tuned[i].count);
    }
    rg_buf_str(m->b, "}}");
}

static void print_row(struct rg_buf *b, const struct rg__row *r)
{
    const struct rg_evidence *e = &r->e;
    struct members m = {b, ", ", 0};
    rg_buf_str(b, "        {");
    text_member(&m, "device", e->device);
    text_member(&m, "class", e->klass);
    if (*e->program) text_member(&m, "program", e->program);
    text_member(&m, "coder", e->coder);
    text_member(&m, "run", e->run);
    if (e->n_runs) {
        member(&m, "runs");
        for (int i = 0; i < e->n_runs; i++) {
            rg_buf_str(b, i ? ", " : "[");
            quote(b, e->runs[i]);
        }
        rg_buf_char(b, ']');
    }
    text_member(&m, "date", e->origin.date);
    text_member(&m, "version", e->origin.version);
    text_member(&m, "machine", e->origin.machine);
    int_member(&m, "n", e->n);
    int_member(&m, "ok", e->ok);
    if (e->ok) {
        int_member(&m, "sum", e->sum);
        int_member(&m, "sumsq", e->sumsq);
        int_member(&m, "max", e->max);
    }
    struct members fail = {b, ", ", 0};
    for (int i = 0; i < RG_N_OUTCOMES; i++) {
        if (!e->fail[i]) continue;
        if (fail.n == 0) {
            member(&m, "fail");
            rg_buf_char(b, '{');
        }
        int_member(&fail, rg_outcome_word((enum rg_outcome)i), e->fail[i]);
    }
    if (fail.n) rg_buf_char(b, '}');
    if (e->refused) int_member(&m, "refused", e->refused);
    if (e->told) int_member(&m, "told", e->told);
    if (e->lead) int_member(&m, "lead", e->lead);
    tuned_member(&m, e);
    extra_members(&m, &r->extra);
    rg_buf_char(b, '}');
}

void rg__print_edge(struct rg_buf *b, const struct rg_regraph *g, const struct rg__link *l, bool evidence)
{
    struct members m = {b, ", ", 0};
    rg_buf_str(b, "    {");
    text_member(&m, "from", rg__id(g, l->edge.from));
    text_member(&m, "to", rg__id(g, l->edge.to));
    member(&m, "prior");
    real(b, l->edge.prior);
    member(&m, "confidence");
    real(b, l->edge.confidence);
    text_member(&m, "note", l->edge.note);
    text_member(&m, "author", l->edge.author);
    text_member(&m, "date", l->edge.date);
    flag_member(&m, "never", l->edge.never);
    if (l->n_rows && evidence) {
        rg_buf_str(b, ",\n      ");
        m.between = "";
        member(&m, "evidence");
        rg_buf_str(b, "[\n");
        for (int i = 0; i < l->n_rows; i++) {
            print_row(b, &l->rows[i]);
            rg_buf_str(b, i + 1 < l->n_rows ? ",\n" : "]");
        }
        m.between = ", ";
    }
    extra_members(&m, &l->extra);
    rg_buf_char(b, '}');
}

static void print_baseline(struct rg_buf *b, const struct rg_regraph *g)
{
    rg_buf_str(b, "[\n");
    for (int i = 0; i < g->n_baseline; i++) {
        const struct rg_baseline_chain *c = &g->baseline[i];
        rg_buf_str(b, "    [");
        for (int k = 0; k < c->n; k++) {
            struct members m = {b, ", ", 0};
            rg_buf_str(b, k ? ", {" : "{");
            member(&m, "step");
            quote(b, c->items[k].step);
            if (c->items[k].site) {
                member(&m, "site");
                quote(b, c->items[k].site);
            }
            if (c->items[k].optional) {
                member(&m, "optional");
                rg_buf_str(b, "true");
            }
            rg_buf_char(b, '}');
        }
        rg_buf_str(b, i + 1 < g->n_baseline ? "],\n" : "]\n  ]");
    }
}

static void print_removals(struct members *m, const struct rg_regraph *g)
{
    if (g->n_removals == 0) return;
    member(m, "removed");
    rg_buf_str(m->b, "[\n");
    for (int i = 0; i < g->n_removals; i++) {
        const struct rg_removal *r = &g->removals[i];
        struct members one = {m->b, ", ", 0};
        rg_buf_str(m->b, "    {");
        text_member(&one, "step", r->step);
        text_member(&one, "now", r->now);
        text_member(&one, "from", r->from);
        text_member(&one, "to", r->to);
        text_member(&one, "author", r->author);
        text_member(&one, "date", r->date);
        rg_buf_str(m->b, i + 1 < g->n_removals ? "},\n" : "}\n  ]");
    }
}

static void print_graph(const struct rg_regraph *g, bool evidence, struct rg_buf *out)
{
    struct members m = {out, ",\n  ", 0};
    rg_buf_str(out, "{\n  ");
    member(&m, "format");
    quote(out, "regraph/1");
    member(&m, "name");
    quote(out, g->name);
    if (g->n_baseline) {
        member(&m, "baseline");
        print_baseline(out, g);
    }
    member(&m, "steps");
    rg_buf_str(out, g->n_nodes ? "[\n" : "[");
    for (int i = 0; i < g->n_nodes; i++) {
        rg__print_step(out, &g->nodes[i]);
        rg_buf_str(out, i + 1 < g->n_nodes ? ",\n" : "\n  ");
    }
    rg_buf_char(out, ']');
    member(&m, "edges");
    rg_buf_str(out, g->n_links ? "[\n" : "[");
    for (int i = 0; i < g->n_links; i++) {
        rg__print_edge(out, g, &g->links[i], evidence);
        rg_buf_str(out, i + 1 < g->n_links ? ",\n" : "\n  ");
    }
    rg_buf_char(out, ']');
    print_removals(&m, g);
    extra_members(&m, &g->extra);
    rg_buf_str(out, "\n}\n");
}

enum rg_status rg_regraph_print(const struct rg_regraph *g, struct rg_buf *out, struct rg_error *err)
{
    print_graph(g, true, out);
    return RG_OK;
}

void rg__print_opinions(const struct rg_regraph *g, struct rg_buf *out)
{
    print_graph(g, false, out);
}

enum rg_status rg_regraph_save(const struct rg_regraph *g, const char *path, struct rg_error *err)
{
    struct rg_buf b = RG_BUF_INIT;
    enum rg_status s = rg_regraph_print(g, &b, err);
    if (s == RG_OK) s = rg_file_write(path, b.data, b.len, err);
    rg_buf_release(&b);
    return s;
}
