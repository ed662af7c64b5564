/* Pictures of a graph: what is drawn, and how edges and steps look in all of them. As GraphViz text here, as SVG in draw_svg.c. */
#include "regraph/draw.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* From where threads come from to how they are launched: chains mostly run downwards. */
static const char *const category_order[] = {"algorithm", "parallelism", "control",  "locality", "memory",
                                             "compute",   "communication", "precision", "launch", "tuning"};
static const char *const category_colors[] = {"#f3e8ff", "#e0f2fe", "#fef9c3", "#dcfce7", "#ffedd5",
                                              "#fee2e2", "#e0e7ff", "#fae8ff", "#f1f5f9", "#ecfccb"};
enum { N_CATEGORIES = 10 };

int rg__draw_layer(const char *category)
{
    for (int i = 0; i < N_CATEGORIES; i++)
        if (!strcmp(category_order[i], category)) return i;
    return N_CATEGORIES;
}

const char *rg__draw_category(int layer)
{
    return layer < N_CATEGORIES ? category_order[layer] : "other";
}

const char *rg__draw_fill(int layer)
{
    return layer < N_CATEGORIES ? category_colors[layer] : "#ffffff";
}

static int64_t seen(const struct rg_edge *e)
{
    int64_t n = 0;
    for (int i = 0; i < e->n_evidence; i++) n += e->evidence[i].n;
    return n;
}

static struct rg__drawn_edge look_of(const struct rg_regraph *g, int index, const struct rg_regraph_picture *p)
{
    const struct rg_edge *e = rg_regraph_edge(g, index);
    struct rg__drawn_edge d = {.edge = index};
    rg_regraph_weigh(g, index, &p->at, &d.weight);
    d.width = fmin(8, fmax(0.6, 0.6 + 0.9 * d.weight.score));
    /* from a pale blue at nothing known to a dark one at a hundred observations, by their logarithm */
    double t = fmin(1, log1p(d.weight.n) / log(101));
    snprintf(d.color, sizeof d.color, "#%02x%02x%02x", (int)(170 - 160 * t), (int)(190 - 145 * t), (int)(220 - 90 * t));
    d.barred = e->never || g->nodes[e->to].step.never || (e->from >= 0 && g->nodes[e->from].step.never);
    d.untried = seen(e) == 0;
    return d;
}

static int by_source_and_score(const void *a, const void *b)
{
    const struct rg__drawn_edge *x = a, *y = b;
    if (x->from != y->from) return (x->from > y->from) - (x->from < y->from);
    if (x->weight.score != y->weight.score) return x->weight.score > y->weight.score ? -1 : 1;
    return x->edge - y->edge;
}

static int by_width(const void *a, const void *b)
{
    const struct rg__drawn_edge *x = a, *y = b;
    if (x->width != y->width) return x->width < y->width ? -1 : 1;
    return x->edge - y->edge;
}

struct rg__drawn_edge *rg__draw_edges(const struct rg_regraph *g, const struct rg_regraph_picture *p, int *n)
{
    struct rg__drawn_edge *all = rg_xcalloc((size_t)g->n_links + 1, sizeof *all);
    int count = 0, kept = 0;
    for (int i = 0; i < g->n_links; i++) {
        const struct rg_edge *e = &g->links[i].edge;
        if (p->steps && (!p->steps[e->to] || (e->from >= 0 && !p->steps[e->from]))) continue;
        all[count] = look_of(g, i, p);
        all[count].from = e->from;
        all[count++].to = e->to;
    }
    qsort(all, (size_t)count, sizeof *all, by_source_and_score);
    for (int i = 0, rank = 0; i < count; i++) {
        rank = i && all[i].from == all[i - 1].from ? rank + 1 : 0;
        all[i].rank = rank;
    }
    for (int i = 0; i < count; i++) {
        /* ranks of what was passed over stay counted, so that the strongest are meant, whatever is kept of them */
        if (p->strongest && all[i].rank >= p->strongest) continue;
        all[kept++] = all[i];
    }
    qsort(all, (size_t)kept, sizeof *all, by_width); /* the strong ones are drawn over the weak */
    *n = kept;
    return all;
}

/* ---- GraphViz ---- */

static void dot_text(struct rg_buf *b, const char *s)
{
    rg_buf_char(b, '"');
    for (; s && *s; s++) {
        if (*s == '"' || *s == '\\') rg_buf_char(b, '\\');
        rg_buf_char(b, (unsigned char)*s < 0x20 ? ' ' : *s);
    }
    rg_buf_char(b, '"');
}

/* Two decimals, whatever the locale's point. */
static void dot_real(struct rg_buf *b, double v)
{
    int hundredths = (int)(100 * v + 0.5);
    rg_buf_printf(b, "%d.%02d", hundredths / 100, hundredths % 100);
}

static void dot_layer(const struct rg_regraph *g, const struct rg_regraph_picture *p, int layer, struct rg_buf *out)
{
    bool any = false;
    for (int i = 0; i < g->n_nodes; i++) {
        const struct rg_step *s = &g->nodes[i].step;
        if ((p->steps && !p->steps[i]) || rg__draw_layer(s->category) != layer) continue;
        if (!any) {
            rg_buf_printf(out, "    subgraph cluster_%d {\n        label=", layer);
            dot_text(out, rg__draw_category(layer));
            rg_buf_printf(out, "; style=filled; color=\"%s\";\n", rg__draw_fill(layer));
        }
        any = true;
        rg_buf_str(out, "        ");
        dot_text(out, s->id);
        rg_buf_str(out, " [tooltip=");
        dot_text(out, s->title);
        rg_buf_str(out, s->never ? ", style=\"filled,dotted\"];\n" : "];\n");
    }
    if (any) rg_buf_str(out, "    }\n");
}

void rg_regraph_dot(const struct rg_regraph *g, const struct rg_regraph_picture *p, struct rg_buf *out)
{
    int n;
    struct rg__drawn_edge *edges = rg__draw_edges(g, p, &n);
    rg_buf_str(out, "digraph ");
    dot_text(out, g->name);
    rg_buf_str(out, " {\n    rankdir=TB; newrank=true; concentrate=false; fontname=\"Helvetica\"; labelloc=b; label=");
    struct rg_buf legend = RG_BUF_INIT;
    rg_buf_printf(&legend, "%s. Thickness: score. Colour: pale little known, dark much. Dashed: no run tried it. Red dots: barred (never).",
                  p->subtitle ? p->subtitle : g->name);
    dot_text(out, legend.data);
    rg_buf_release(&legend);
    rg_buf_str(out, ";\n    node [shape=box, style=filled, fillcolor=white, fontname=\"Helvetica\"];\n    \"@start\" [shape=circle];\n");
    for (int layer = 0; layer <= N_CATEGORIES; layer++) dot_layer(g, p, layer, out);
    for (int i = 0; i < n; i++) {
        const struct rg__drawn_edge *e = &edges[i];
        rg_buf_str(out, "    ");
        dot_text(out, rg__id(g, e->from));
        rg_buf_str(out, " -> ");
        dot_text(out, rg__id(g, e->to));
        rg_buf_str(out, " [penwidth=");
        dot_real(out, e->width);
        rg_buf_printf(out, ", color=\"%s\"%s, tooltip=\"score ", e->barred ? "#dc2626" : e->color,
                      e->barred ? ", style=dotted" : e->untried ? ", style=dashed" : "");
        if (e->weight.score < 0) rg_buf_char(out, '-');
        dot_real(out, fabs(e->weight.score));
        rg_buf_str(out, "\"];\n");
    }
    rg_buf_str(out, "}\n");
    free(edges);
}
