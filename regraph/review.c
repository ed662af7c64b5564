/* What is legal in a graph but probably not meant; differences of two graphs. */
#include "regraph/internal.h"

#include <rg/regraph_tools.h>
#include <string.h>

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

/* Steps of one component that nothing ends: no `once` and no tunables to change means the same edit for ever. */
static int review_cycles(const struct rg_regraph *g, const struct rg_regraph_shape *s, struct rg_buf *out)
{
    int n = 0;
    for (int i = 0; i < g->n_nodes; i++) {
        const struct rg_step *step = &g->nodes[i].step;
        bool cyclic = s->component_size[i] > 1 || rg_regraph_find_edge(g, i, i) >= 0;
        if (cyclic && step->once == RG_ONCE_NO && step->tunables.n == 0)
            n += line(out, "step %s: lies on a cycle without \"once\": chains could repeat it for ever", step->id);
    }
    return n;
}

int rg_regraph_review(const struct rg_regraph *g, struct rg_buf *out, struct rg_error *err)
{
    struct rg_regraph_shape s;
    if (rg_regraph_shape(g, &s, err) != RG_OK) return -1;
    int n = 0, n_start;
    rg_regraph_out(g, -1, &n_start);
    if (g->n_nodes > 0 && n_start == 0) n += line(out, "graph: no edge leaves @start: a search can't begin");
    for (int i = 0; i < g->n_nodes; i++) {
        const struct rg_step *step = &g->nodes[i].step;
        if (step->never) continue; /* kept for the record */
        if (s.depth[i] < 0) n += line(out, "step %s: can't be reached from @start", step->id);
        if (!*step->hint) n += line(out, "step %s: no hint: a model gets its title only", step->id);
        if (!step->check_pattern) n += line(out, "step %s: no check: a coder's claim can't be tested", step->id);
        if (!step->source) n += line(out, "step %s: no source", step->id);
    }
    n += review_cycles(g, &s, out);
    for (int i = 0; i < g->n_links; i++) {
        const struct rg_edge *e = &g->links[i].edge;
        if (e->prior == 0 && e->confidence > 0 && !e->never)
            n += line(out, "edge %s -> %s: prior 0 does not keep it out: \"never\" does", rg__id(g, e->from),
                      rg__id(g, e->to));
    }
    rg_regraph_shape_release(&s);
    return n;
}

/* --- differences --- */

/* Canonical text of a graph that holds one step or one edge only: equal text, equal content. */
static void text_of(const struct rg_regraph *g, int node, int link, struct rg_buf *b)
{
    struct rg_regraph one = {.name = ""};
    if (link >= 0) {
        struct rg__link l = g->links[link];
        struct rg__node ends[2] = {{.step = {.id = rg__id(g, l.edge.to), .title = "", .category = "", .hint = ""}},
                                   {.step = {.id = rg__id(g, l.edge.from), .title = "", .category = "", .hint = ""}}};
        l.edge.from = l.edge.from < 0 ? -1 : 1;
        l.edge.to = 0;
        one.nodes = ends;
        one.links = &l;
        one.n_nodes = 2;
        one.n_links = 1;
        rg_regraph_print(&one, b, NULL);
        return;
    }
    one.nodes = &g->nodes[node];
    one.n_nodes = 1;
    rg_regraph_print(&one, b, NULL);
}

static bool same_content(const struct rg_regraph *a, int ia, const struct rg_regraph *b, int ib, bool links)
{
    struct rg_buf x = RG_BUF_INIT, y = RG_BUF_INIT;
    text_of(a, links ? -1 : ia, links ? ia : -1, &x);
    text_of(b, links ? -1 : ib, links ? ib : -1, &y);
    bool same = x.len == y.len && memcmp(x.data, y.data, x.len) == 0;
    rg_buf_release(&x);
    rg_buf_release(&y);
    return same;
}

static int64_t observations(const struct rg_edge *e)
{
    int64_t n = 0;
    for (int i = 0; i < e->n_evidence; i++) n += e->evidence[i].n;
    return n;
}

static int diff_edge(const struct rg_regraph *a, int ia, const struct rg_regraph *b, int ib, struct rg_buf *out)
{
    if (same_content(a, ia, b, ib, true)) return 0;
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
    if (strcmp(a->name, b->name) != 0) n += line(out, "~ name %s -> %s", a->name, b->name);
    for (int i = 0; i < a->n_nodes; i++)
        if (rg_regraph_find(b, a->nodes[i].step.id) < 0) n += line(out, "- step %s", a->nodes[i].step.id);
    for (int i = 0; i < b->n_nodes; i++) {
        int j = rg_regraph_find(a, b->nodes[i].step.id);
        if (j < 0)
            n += line(out, "+ step %s", b->nodes[i].step.id);
        else if (!same_content(a, j, b, i, false))
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
            n += diff_edge(a, j, b, i, out);
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
    return n;
}
