/* Curves as inline SVG: what a page has without the drawing script. */
#include "cmd/report.h"
#include <math.h>

enum { WIDTH = 640, HEIGHT = 300, LEFT = 70, RIGHT = 15, TOP = 12, BOTTOM = 42 };

struct scale {
    enum report_axis kind;
    double low, high;
};

static double unit(const struct scale *s, double v) /* 0 .. 1 */
{
    double low = s->low, high = s->high;
    if (s->kind == REPORT_LOG) low = log10(low), high = log10(high), v = log10(v);
    return high > low ? (v - low) / (high - low) : 0.5;
}

static bool shown(const struct report_series *s, int i, enum report_axis x, enum report_axis y)
{
    return isfinite(s->x[i]) && isfinite(s->y[i]) && (x == REPORT_LINEAR || s->x[i] > 0) &&
           (y == REPORT_LINEAR || s->y[i] > 0);
}

static struct scale scale_of(enum report_axis kind, const struct report_series *s, int n, bool is_y, enum report_axis x,
                             enum report_axis y)
{
    struct scale c = {kind, INFINITY, -INFINITY};
    for (int k = 0; k < n; k++)
        for (int i = 0; i < s[k].n; i++) {
            double v = is_y ? s[k].y[i] : s[k].x[i];
            if (!shown(&s[k], i, x, y)) continue;
            c.low = fmin(c.low, v);
            c.high = fmax(c.high, v);
        }
    if (!(c.low <= c.high)) c.low = kind == REPORT_LOG ? 1 : 0, c.high = 1;
    if (kind == REPORT_LOG) {
        if (c.high / c.low < 1.5)
            c.low /= 1.3, c.high *= 1.3;
        else
            c.low *= 0.9, c.high *= 1.1;
    } else if (!is_y)
        c.low = fmin(c.low, 0);
    if (kind == REPORT_LINEAR && c.high <= c.low) c.high = c.low + 1;
    return c;
}

static double px(const struct scale *s, double v)
{
    return LEFT + unit(s, v) * (WIDTH - LEFT - RIGHT);
}
static double py(const struct scale *s, double v)
{
    return HEIGHT - BOTTOM - unit(s, v) * (HEIGHT - TOP - BOTTOM);
}

static double step_of(double span) /* 1, 2, 5 x 10^n: at most six ticks */
{
    double base = pow(10, floor(log10(span / 5)));
    return span / base <= 6 ? base : span / (2 * base) <= 6 ? 2 * base : span / (5 * base) <= 6 ? 5 * base : 10 * base;
}

static void tick(struct rg_buf *b, const struct scale *x, const struct scale *y, double v, bool is_y)
{
    double at = is_y ? py(y, v) : px(x, v);
    if (is_y)
        rg_buf_printf(
            b, "<path class=\"grid\" d=\"M%d %.1fH%d\"/><text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.6g</text>",
            LEFT, at, WIDTH - RIGHT, LEFT - 6, at + 4, v);
    else
        rg_buf_printf(
            b, "<path class=\"grid\" d=\"M%.1f %dV%d\"/><text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%.6g</text>",
            at, TOP, HEIGHT - BOTTOM, at, HEIGHT - BOTTOM + 16, v);
}

static void ticks(struct rg_buf *b, const struct scale *x, const struct scale *y, bool is_y)
{
    const struct scale *s = is_y ? y : x;
    if (s->kind == REPORT_LINEAR) {
        double d = step_of(s->high - s->low);
        for (double v = ceil(s->low / d) * d; v <= s->high * (1 + 1e-9); v += d)
            tick(b, x, y, fabs(v) < d * 1e-6 ? 0 : v, is_y);
        return;
    }
    static const double fine[] = {1, 2, 5}, coarse[] = {1};
    double decades = log10(s->high / s->low);
    int n = decades < 2.5 ? 3 : 1, every = decades > 7 ? (int)ceil(decades / 6) : 1;
    for (int e = (int)floor(log10(s->low)); e <= (int)ceil(log10(s->high)); e++)
        for (int i = 0; i < n; i++) {
            double v = (n == 3 ? fine : coarse)[i] * pow(10, e);
            if (v >= s->low && v <= s->high && e % every == 0) tick(b, x, y, v, is_y);
        }
}

static void draw(struct rg_buf *b, const struct report_series *s, const struct scale *x, const struct scale *y)
{
    if (s->line) {
        bool begun = false;
        double last = 0;
        rg_buf_printf(b, "<path class=\"line %s\" d=\"", s->css);
        for (int i = 0; i < s->n; i++) {
            if (!shown(s, i, x->kind, y->kind)) continue;
            if (begun && s->steps) rg_buf_printf(b, "H%.1f", px(x, s->x[i]));
            rg_buf_printf(b, "%s%.1f %.1f", begun ? "L" : "M", px(x, s->x[i]), last = py(y, s->y[i]));
            begun = true;
        }
        rg_buf_str(b, "\"/>");
        return;
    }
    for (int i = 0; i < s->n; i++)
        if (shown(s, i, x->kind, y->kind))
            rg_buf_printf(b, "<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"3\"/>", s->css, px(x, s->x[i]),
                          py(y, s->y[i]));
}

void report_svg(struct rg_buf *b, const char *title, const char *x_name, enum report_axis x, const char *y_name,
                enum report_axis y, const struct report_series *s, int n)
{
    const struct scale sx = scale_of(x, s, n, false, x, y), sy = scale_of(y, s, n, true, x, y);
    rg_buf_printf(b, "<svg viewBox=\"0 0 %d %d\" role=\"img\"><title>", WIDTH, HEIGHT);
    rg_buf_xml(b, title);
    rg_buf_str(b, "</title>");
    ticks(b, &sx, &sy, false);
    ticks(b, &sx, &sy, true);
    for (int i = 0; i < n; i++) draw(b, &s[i], &sx, &sy);
    rg_buf_printf(b, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">", (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 6);
    rg_buf_xml(b, x_name);
    rg_buf_printf(b, "</text><text transform=\"rotate(-90)\" x=\"%d\" y=\"14\" text-anchor=\"middle\">",
                  -(TOP + HEIGHT - BOTTOM) / 2);
    rg_buf_xml(b, y_name);
    rg_buf_str(b, "</text></svg>\n<p class=\"key\">");
    for (int i = 0; i < n; i++) {
        rg_buf_printf(b, "<span class=\"%s\">%s ", s[i].css, s[i].line ? "&#9473;" : "&#9679;");
        rg_buf_xml(b, s[i].name);
        rg_buf_str(b, "</span> ");
    }
    rg_buf_str(b, "</p>\n");
}
