/* What is legal in a graph but probably not meant; differences of two graphs. */
#include "regraph/internal.h"

#include <rg/regraph_tools.h>
#include <string.h>

/* --- what is probably not meant --- */

enum kind { NO_START, UNREACHABLE, NO_HINT, NO_CHECK, NO_SOURCE, ENDLESS, PRIOR_ZERO, N_KINDS };

static const char *const kind_texts[N_KINDS] = {
    "no edge leaves @start: a search can't begin",
    "can't be reached from @start",
    "no hint: a model gets its title only",
    "no check: a coder's claim can't be tested",
    "no source",
    "lies on a cycle without \"once\": chains could repeat it for ever",
    "prior 0 does not keep it out: \"never\" does",
};

enum {
    EACH_MOST = 3, /* so many of a kind have a line each */
    NAMED_MOST = 5 /* of more, these are named */
};

struct doubts {
    int n[N_KINDS];
    struct rg_buf lines[N_KINDS]; /* "step a\n" */
};

static void doubt(struct doubts *d, enum kind k, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
static void doubt(struct doubts *d, enum kind k, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    rg_buf_vprintf(&d->lines[k], fmt, ap);
    va_end(ap);
    rg_buf_char(&d->lines[k], '\n');
    d->n[k]++;
}

/* Steps of one component that nothing ends: no `once` and no tunables to change means the same edit for ever. */
static void review_cycles(const struct rg_regraph *g, const struct rg_regraph_shape *s, struct doubts *d)
{
    for (int i = 0; i < g->n_nodes; i++) {
        const struct rg_step *step = &g->nodes[i].step;
        bool cyclic = s->component_size[i] > 1 || rg_regraph_find_edge(g, i, i) >= 0;
        if (cyclic && step->once == RG_ONCE_NO && step->tunables.n == 0) doubt(d, ENDLESS, "step %s", step->id);
    }
}

static void review_steps(const struct rg_regraph *g, const struct rg_regraph_shape *s, struct doubts *d)
{
    for (int i = 0; i < g->n_nodes; i++) {
        const struct rg_step *step = &g->nodes[i].step;
        if (step->never) continue; /* kept for the record */
        if (s->depth[i] < 0) doubt(d, UNREACHABLE, "step %s", step->id);
        if (!*step->hint) doubt(d, NO_HINT, "step %s", step->id);
        if (!step->check_pattern) doubt(d, NO_CHECK, "step %s", step->id);
        if (!step->source) doubt(d, NO_SOURCE, "step %s", step->id);
    }
}

/* "37 steps: no hint: a model gets its title only: a, b, c, d, e, ..." */
static void summary(const struct doubts *d, enum kind k, struct rg_buf *out)
{
    rg_buf_printf(out, "%d %ss: %s: ", d->n[k], k == PRIOR_ZERO ? "edge" : "step", kind_texts[k]);
    const char *p = d->lines[k].data;
    for (int i = 0; i < NAMED_MOST; i++) {
        p += 5; /* "step ", "edge " */
        size_t n = strcspn(p, "\n");
        rg_buf_printf(out, "%s%.*s", i ? ", " : "", (int)n, p);
        p += n + 1;
    }
    rg_buf_str(out, ", ...\n");
}

static void each(const struct doubts *d, enum kind k, struct rg_buf *out)
{
    for (const char *p = d->lines[k].data; p && *p;) {
        size_t n = strcspn(p, "\n");
        rg_buf_printf(out, "%.*s: %s\n", (int)n, p, kind_texts[k]);
        p += n + 1;
    }
}

int rg_regraph_review(const struct rg_regraph *g, bool all, struct rg_buf *out, struct rg_error *err)
{
    struct rg_regraph_shape s;
    if (rg_regraph_shape(g, &s, err) != RG_OK) return -1;
    struct doubts d = {{0}, {RG_BUF_INIT}};
    int n = 0, n_start;
    for (enum kind k = 0; k < N_KINDS; k++) d.lines[k] = (struct rg_buf)RG_BUF_INIT;
    rg_regraph_out(g, -1, &n_start);
    if (g->n_nodes > 0 && n_start == 0) doubt(&d, NO_START, "graph");
    review_steps(g, &s, &d);
    review_cycles(g, &s, &d);
    for (int i = 0; i < g->n_links; i++) {
        const struct rg_edge *e = &g->links[i].edge;
        if (e->prior == 0 && e->confidence > 0 && !e->never)
            doubt(&d, PRIOR_ZERO, "edge %s -> %s", rg__id(g, e->from), rg__id(g, e->to));
    }
    for (enum kind k = 0; k < N_KINDS; k++) {
        n += d.n[k];
        if (all || d.n[k] <= EACH_MOST)
            each(&d, k, out);
        else
            summary(&d, k, out);
        rg_buf_release(&d.lines[k]);
    }
    rg_regraph_shape_release(&s);
    return n;
}

/* --- differences --- */

static int line(struct rg_buf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static int line(struct rg_buf *b, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    rg_buf_vprintf(b, fmt, ap);
    va_end(ap);
    rg_buf_char(b, '\n');
    return 1;
}

/* Canonical texts of the pair at hand, equal where the content is; one pair of buffers for a whole comparison. */
struct texts {
    struct rg_buf x, y;
};

static bool same_content(struct texts *t, const struct rg_regraph *a, int ia, const struct rg_regraph *b, int ib,
                         bool links)
{
    rg_buf_reset(&t->x);
    rg_buf_reset(&t->y);
    if (links) {
        if (a->links[ia].n_rows != b->links[ib].n_rows) return false;
        rg__print_edge(&t->x, a, &a->links[ia], true);
        rg__print_edge(&t->y, b, &b->links[ib], true);
    } else {
        rg__print_step(&t->x, &a->nodes[ia]);
        rg__print_step(&t->y, &b->nodes[ib]);
    }
    return t->x.len == t->y.len && memcmp(t->x.data, t->y.data, t->x.len) == 0;
}

static int64_t observations(const struct rg_edge *e)
{
    int64_t n = 0;
    for (int i = 0; i < e->n_evidence; i++) n += e->evidence[i].n;
    return n;
}

static int diff_edge(struct texts *texts, const struct rg_regraph *a, int ia, const struct rg_regraph *b, int ib,
                     struct rg_buf *out)
{
    if (same_content(texts, a, ia, b, ib, true)) return 0;
    const struct rg_edge *x = &a->links[ia].edge, *y = &b->links[ib].edge;
    rg_buf_printf(out, "~ edge %s -> %s", rg__id(a, x->from), rg__id(a, x->to));
    size_t told = out->len;
    if (x->prior != y->prior) rg_buf_printf(out, " prior %.15g -> %.15g", x->prior, y->prior);
    if (x->confidence != y->confidence) rg_buf_printf(out, " confidence %.15g -> %.15g", x->confidence, y->confidence);
    if (strcmp(x->note ? x->note : "", y->note ? y->note : "") != 0) rg_buf_str(out, " note");
    if (x->never != y->never) rg_buf_str(out, y->never ? " never" : " no longer never");
    if (x->n_evidence != y->n_evidence || observations(x) != observations(y))
        rg_buf_printf(out, " evidence %d rows, %lld observations -> %d rows, %lld observations", x->n_evidence,
                      (long long)observations(x), y->n_evidence, (long long)observations(y));
    rg_buf_str(out, out->len > told ? "\n" : " evidence or members\n");
    return 1;
}

static int find_same_edge(const struct rg_regraph *g, const struct rg_regraph *other, const struct rg_edge *e)
{
    int f = e->from < 0 ? -1 : rg_regraph_find(g, rg__id(other, e->from)), t = rg_regraph_find(g, rg__id(other, e->to));
    return t < 0 || (e->from >= 0 && f < 0) ? -1 : rg_regraph_find_edge(g, f, t);
}

static bool same_removal(const struct rg_removal *a, const struct rg_removal *b)
{
    const char *const pairs[][2] = {{a->now, b->now}, {a->author, b->author}, {a->date, b->date}};
    bool same = rg__removal_compare(a, b) == 0;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        same = same && strcmp(pairs[i][0] ? pairs[i][0] : "", pairs[i][1] ? pairs[i][1] : "") == 0;
    return same;
}

int rg_regraph_diff(const struct rg_regraph *a, const struct rg_regraph *b, struct rg_buf *out)
{
    int n = 0;
    struct texts texts = {RG_BUF_INIT, RG_BUF_INIT};
    if (strcmp(a->name, b->name) != 0) n += line(out, "~ name %s -> %s", a->name, b->name);
    for (int i = 0; i < a->n_nodes; i++)
        if (rg_regraph_find(b, a->nodes[i].step.id) < 0) n += line(out, "- step %s", a->nodes[i].step.id);
    for (int i = 0; i < b->n_nodes; i++) {
        int j = rg_regraph_find(a, b->nodes[i].step.id);
        if (j < 0)
            n += line(out, "+ step %s", b->nodes[i].step.id);
        else if (!same_content(&texts, a, j, b, i, false))
            n += line(out, "~ step %s", b->nodes[i].step.id);
    }
    for (int i = 0; i < a->n_links; i++) {
        const struct rg_edge *e = &a->links[i].edge;
        if (find_same_edge(b, a, e) < 0) n += line(out, "- edge %s -> %s", rg__id(a, e->from), rg__id(a, e->to));
    }
    for (int i = 0; i < b->n_links; i++) {
        const struct rg_edge *e = &b->links[i].edge;
        int j = find_same_edge(a, b, e);
        if (j < 0)
            n += line(out, "+ edge %s -> %s prior %.15g", rg__id(b, e->from), rg__id(b, e->to), e->prior);
        else
            n += diff_edge(&texts, a, j, b, i, out);
    }
    if (!rg__same_baseline(a, b)) n += line(out, "~ baseline");
    bool same = a->n_removals == b->n_removals;
    for (int i = 0; same && i < a->n_removals; i++) same = same_removal(&a->removals[i], &b->removals[i]);
    if (!same) n += line(out, "~ removed: %d entries -> %d", a->n_removals, b->n_removals);
    struct rg_regraph x = {.name = "", .extra = a->extra}, y = {.name = "", .extra = b->extra};
    struct rg_buf s = RG_BUF_INIT, t = RG_BUF_INIT;
    rg_regraph_print(&x, &s, NULL);
    rg_regraph_print(&y, &t, NULL);
    if (strcmp(s.data, t.data) != 0) n += line(out, "~ members of the graph");
    rg_buf_release(&s);
    rg_buf_release(&t);
    rg_buf_release(&texts.x);
    rg_buf_release(&texts.y);
    return n;
}
