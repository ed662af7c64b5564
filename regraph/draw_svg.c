/* A graph as SVG: a band for each category, steps in it ordered so that few edges cross (igraph's Sugiyama layout). */
#include "regraph/draw.h"

#include <igraph/igraph.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_LAYERS = 12,
    BOX_HEIGHT = 26,
    BAND_GAP = 62,
    ROW_GAP = 44,
    MARGIN = 24,
    HEAD = 52,
    LABEL = 112,
    GAP = 16,
    WIDEST = 1500
};

struct place {          /* of a vertex: 0 @start, s + 1 step s */
    double x, y, width; /* middle, and the box's width */
    int layer;          /* -1: not drawn */
    double order;       /* in its band */
};

static void keep_going(const char *reason, const char *file, int line, igraph_error_t code)
{
    (void)reason, (void)file, (void)line, (void)code;
    IGRAPH_FINALLY_FREE();
}

static void ignore(const char *reason, const char *file, int line)
{
    (void)reason, (void)file, (void)line;
}

/* Edges between layers, each from the upper to the lower: the order within layers is all that is wanted of the layout.
 */
static igraph_error_t layout(struct place *v, int n, const struct rg__drawn_edge *edges, int n_edges)
{
    igraph_t graph;
    igraph_vector_int_t ends, layers;
    igraph_matrix_t at;
    int *vertex = rg_xcalloc((size_t)n + 1, sizeof *vertex), shown = 0;
    for (int i = 0; i < n; i++) vertex[i] = v[i].layer < 0 ? -1 : shown++;
    igraph_error_t e = igraph_vector_int_init(&ends, 0);
    bool have_layers = !e && !(e = igraph_vector_int_init(&layers, shown));
    bool have_at = !e && !(e = igraph_matrix_init(&at, 0, 0)), have_graph = false;
    for (int i = 0; i < n_edges && !e; i++) {
        int a = edges[i].from + 1, b = edges[i].to + 1;
        if (v[a].layer == v[b].layer) continue;
        bool down = v[a].layer < v[b].layer;
        e = igraph_vector_int_push_back(&ends, vertex[down ? a : b]);
        if (!e) e = igraph_vector_int_push_back(&ends, vertex[down ? b : a]);
    }
    for (int i = 0; i < n && !e; i++)
        if (vertex[i] >= 0) VECTOR(layers)[vertex[i]] = v[i].layer;
    if (!e) have_graph = !(e = igraph_create(&graph, &ends, shown, IGRAPH_DIRECTED));
    if (!e) e = igraph_simplify(&graph, true, true, NULL);
    if (!e) e = igraph_layout_sugiyama(&graph, &at, NULL, NULL, &layers, 1, 1, 60, NULL);
    for (int i = 0; i < n && !e; i++)
        if (vertex[i] >= 0) v[i].order = MATRIX(at, vertex[i], 0);
    if (have_graph) igraph_destroy(&graph);
    if (have_at) igraph_matrix_destroy(&at);
    if (have_layers) igraph_vector_int_destroy(&layers);
    igraph_vector_int_destroy(&ends);
    free(vertex);
    return e;
}

struct picture {
    const struct rg_regraph *g;
    struct place *v;
    int n;      /* vertices */
    int *order; /* drawn vertices by layer and place in it */
    int n_order;
    double top[MOST_LAYERS], height[MOST_LAYERS]; /* of the bands; height 0: none */
    double width, bottom;
};

static const struct place *sorted_by; /* qsort has no argument; one picture at a time, as igraph wants it anyway */

static int by_place(const void *a, const void *b)
{
    const struct place *x = &sorted_by[*(const int *)a], *y = &sorted_by[*(const int *)b];
    if (x->layer != y->layer) return x->layer - y->layer;
    if (x->order != y->order) return x->order < y->order ? -1 : 1;
    return *(const int *)a - *(const int *)b;
}

/* A row of a band, from the left, in the middle of the picture. */
static void set_row(struct picture *p, int first, int last, double y, double used)
{
    double x = LABEL + (p->width - LABEL - MARGIN - used) / 2;
    for (int i = first; i < last; i++) {
        struct place *v = &p->v[p->order[i]];
        v->x = x + v->width / 2;
        v->y = y;
        x += v->width + GAP;
    }
}

/* Bands from the top; a band too wide for the picture takes several rows. */
static void set_places(struct picture *p)
{
    double y = HEAD;
    p->width = 0;
    for (int first = 0, last; first < p->n_order; first = last) {
        double used = 0;
        for (last = first; last < p->n_order && p->v[p->order[last]].layer == p->v[p->order[first]].layer; last++)
            used += p->v[p->order[last]].width + GAP;
        p->width = fmax(p->width, fmin(used, WIDEST));
    }
    p->width = fmax(p->width, 640) + LABEL + MARGIN;
    for (int first = 0, last; first < p->n_order; first = last) {
        int layer = p->v[p->order[first]].layer;
        p->top[layer] = y;
        y += 10 + BOX_HEIGHT / 2.0;
        double room = p->width - LABEL - MARGIN + 0.5;
        for (last = first; last < p->n_order && p->v[p->order[last]].layer == layer;) {
            int row = last;
            double used = 0;
            while (last < p->n_order && p->v[p->order[last]].layer == layer &&
                   (last == row || used + p->v[p->order[last]].width <= room))
                used += p->v[p->order[last++]].width + GAP;
            set_row(p, row, last, y, used - GAP);
            y += ROW_GAP;
        }
        y += 10 + BOX_HEIGHT / 2.0 - ROW_GAP;
        p->height[layer] = y - p->top[layer];
        y += BAND_GAP - 20;
    }
    p->bottom = y;
}

/* ---- text ---- */

static void draw_edge(struct rg_buf *b, const struct picture *p, const struct rg__drawn_edge *e)
{
    const struct place *from = &p->v[e->from + 1], *to = &p->v[e->to + 1];
    double h = BOX_HEIGHT / 2.0, tip = 3 + e->width;
    rg_buf_printf(b, "<path class=\"e\" d=\"");
    if (from == to) {
        rg_buf_printf(b, "M%.0f %.0fc14 -22 34 -6 12 6", from->x + from->width / 2 - 12, from->y - h);
    } else if (fabs(from->y - to->y) < 1) { /* neighbours in a band: a bow over them */
        double rise = 16 + fmin(34, fabs(from->x - to->x) / 12), side = from->x < to->x ? 8 : -8;
        rg_buf_printf(b, "M%.0f %.0fC%.0f %.0f %.0f %.0f %.0f %.0f", from->x + side, from->y - h, from->x + side,
                      from->y - h - rise, to->x - side, to->y - h - rise, to->x - side, to->y - h - tip);
    } else {
        double down = from->y < to->y ? 1 : -1, bend = down * fmax(24, fabs(to->y - from->y) * 0.4);
        rg_buf_printf(b, "M%.0f %.0fC%.0f %.0f %.0f %.0f %.0f %.0f", from->x, from->y + down * h, from->x,
                      from->y + down * h + bend, to->x, to->y - down * (h + tip) - bend, to->x,
                      to->y - down * (h + tip));
    }
    rg_buf_printf(b, "\" stroke=\"%s\" stroke-width=\"%.1f\"%s><title>", e->barred ? "#dc2626" : e->color, e->width,
                  e->barred    ? " stroke-dasharray=\"1 5\""
                  : e->untried ? " stroke-dasharray=\"7 5\""
                               : "");
    rg_buf_xml(b, rg__id(p->g, e->from));
    rg_buf_str(b, " to ");
    rg_buf_xml(b, rg__id(p->g, e->to));
    rg_buf_printf(b, ": score %.2f, chance %.0f %%, gain %.2fx</title></path>\n", e->weight.score, 100 * e->weight.p_ok,
                  exp(e->weight.gain));
}

static void draw_step(struct rg_buf *b, const struct picture *p, int vertex)
{
    const struct place *v = &p->v[vertex];
    const struct rg_step *s = vertex ? &p->g->nodes[vertex - 1].step : NULL;
    rg_buf_printf(b, "<g><title>");
    rg_buf_xml(b, s ? s->title : "where every search begins");
    rg_buf_printf(b, "</title><rect x=\"%.0f\" y=\"%.0f\" width=\"%.0f\" height=\"%d\" rx=\"%d\" class=\"s\"%s/>",
                  v->x - v->width / 2, v->y - BOX_HEIGHT / 2.0, v->width, BOX_HEIGHT, vertex ? 4 : BOX_HEIGHT / 2,
                  s && s->never ? " stroke-dasharray=\"1 4\" stroke=\"#dc2626\"" : "");
    rg_buf_printf(b, "<text x=\"%.0f\" y=\"%.0f\" text-anchor=\"middle\">", v->x, v->y + 4);
    rg_buf_xml(b, rg__id(p->g, vertex - 1));
    rg_buf_str(b, "</text></g>\n");
}

static void draw_legend(struct rg_buf *b, double y)
{
    static const struct {
        const char *stroke, *rest, *text;
        double width;
    } items[] = {{"#5a769b", "", "low score", 1.0},
                 {"#5a769b", "", "high score", 6},
                 {"#aabedc", "", "little known", 3},
                 {"#0a2d82", "", "much known", 3},
                 {"#5a769b", " stroke-dasharray=\"7 5\"", "no run tried it", 2.5},
                 {"#dc2626", " stroke-dasharray=\"1 5\"", "barred (never)", 2.5}};
    double x = LABEL;
    for (size_t i = 0; i < sizeof items / sizeof *items; i++) {
        rg_buf_printf(
            b,
            "<path class=\"e\" style=\"marker-end:none\" d=\"M%.0f %.0fh44\" stroke=\"%s\" stroke-width=\"%.1f\"%s/>",
            x, y, items[i].stroke, items[i].width, items[i].rest);
        rg_buf_printf(b, "<text x=\"%.0f\" y=\"%.0f\">%s</text>\n", x + 50, y + 4, items[i].text);
        x += 70 + 8 * (double)strlen(items[i].text);
    }
}

static void draw(const struct picture *p, const struct rg_regraph_picture *asked, const struct rg__drawn_edge *edges,
                 int n_edges, struct rg_buf *b)
{
    double height = p->bottom + 40;
    rg_buf_printf(b,
                  "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\" height=\"%.0f\" "
                  "role=\"img\">\n",
                  p->width, height, p->width, height);
    rg_buf_str(b,
               "<style>text{font:13px "
               "Helvetica,Arial,sans-serif;fill:#111827}.s{fill:#fff;stroke:#334155}.e{fill:none;stroke-linecap:round;"
               "marker-end:url(#tip)}.b{font-weight:bold;fill:#475569}</style>\n"
               "<defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"2\" refY=\"4\" markerWidth=\"8\" "
               "markerHeight=\"8\" markerUnits=\"userSpaceOnUse\" "
               "orient=\"auto\"><path d=\"M0 0L8 4L0 8z\" fill=\"#475569\"/></marker></defs>\n<rect width=\"100%\" "
               "height=\"100%\" fill=\"#fff\"/>\n");
    rg_buf_printf(b, "<text x=\"%d\" y=\"26\" style=\"font-size:17px;font-weight:bold\">", MARGIN);
    rg_buf_xml(b, p->g->name);
    rg_buf_printf(b, "</text><text x=\"%d\" y=\"44\">", MARGIN);
    rg_buf_xml(b, asked->subtitle);
    rg_buf_str(b, "</text>\n");
    for (int i = 1; i < MOST_LAYERS; i++) {
        if (p->height[i] == 0) continue;
        rg_buf_printf(b, "<rect x=\"%d\" y=\"%.0f\" width=\"%.0f\" height=\"%.0f\" rx=\"6\" fill=\"%s\"/>", MARGIN / 2,
                      p->top[i], p->width - MARGIN, p->height[i], rg__draw_fill(i - 1));
        rg_buf_printf(b, "<text class=\"b\" x=\"%d\" y=\"%.0f\">%s</text>\n", MARGIN, p->top[i] + 20,
                      rg__draw_category(i - 1));
    }
    for (int i = 0; i < n_edges; i++) draw_edge(b, p, &edges[i]);
    for (int i = 0; i < p->n_order; i++) draw_step(b, p, p->order[i]);
    draw_legend(b, p->bottom + 10);
    rg_buf_str(b, "</svg>\n");
}

enum rg_status rg_regraph_svg(const struct rg_regraph *g, const struct rg_regraph_picture *asked, struct rg_buf *out,
                              struct rg_error *err)
{
    enum { most_laid_out = 4000 }; /* edges: beyond, nobody sees crossings, and the layout takes minutes */
    int n_edges;
    struct rg__drawn_edge *edges = rg__draw_edges(g, asked, &n_edges);
    struct picture p = {.g = g, .n = g->n_nodes + 1};
    p.v = rg_xcalloc((size_t)p.n, sizeof *p.v);
    p.order = rg_xcalloc((size_t)p.n, sizeof *p.order);
    bool from_start = false;
    for (int i = 0; i < n_edges; i++) from_start = from_start || edges[i].from < 0;
    for (int i = 0; i < p.n; i++) {
        bool shown = i ? !asked->steps || asked->steps[i - 1] : from_start;
        p.v[i].layer = !shown ? -1 : i ? 1 + rg__draw_layer(g->nodes[i - 1].step.category) : 0;
        p.v[i].width = 18 + 7.3 * (double)strlen(rg__id(g, i - 1));
        p.v[i].order = i;
        if (shown) p.order[p.n_order++] = i;
    }
    igraph_error_handler_t *old = igraph_set_error_handler(keep_going);
    igraph_warning_handler_t *old_warning = igraph_set_warning_handler(ignore);
    igraph_error_t e = n_edges && n_edges <= most_laid_out ? layout(p.v, p.n, edges, n_edges) : IGRAPH_SUCCESS;
    igraph_set_error_handler(old);
    igraph_set_warning_handler(old_warning);
    if (!e) {
        sorted_by = p.v;
        qsort(p.order, (size_t)p.n_order, sizeof *p.order, by_place);
        set_places(&p);
        draw(&p, asked, edges, n_edges, out);
    }
    free(p.v);
    free(p.order);
    free(edges);
    return e ? rg_error_set(err, e == IGRAPH_ENOMEM ? RG_NOMEM : RG_BUG, "igraph: %s", igraph_strerror(e)) : RG_OK;
}
