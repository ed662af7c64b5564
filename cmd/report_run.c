/* Sections of one run: what came out, how it came about, and what was tried. */
#include "cmd/report.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

void report_cell(struct rg_buf *b, const char *text)
{
    rg_buf_str(b, "<td>");
    rg_buf_xml(b, text);
    rg_buf_str(b, "</td>");
}

static const char *kind(const struct report_run *r)
{
    return r->estimated ? "estimated" : "measured";
}

static void card(struct rg_buf *b, const char *name, const char *value, const char *note)
{
    rg_buf_printf(b, "<div class=\"card\"><h3>%s</h3><p class=\"value\">%s</p><p class=\"note\">", name, value);
    rg_buf_xml(b, note);
    rg_buf_str(b, "</p></div>\n");
}

static void state(const struct report_run *r, struct rg_buf *b)
{
    rg_buf_printf(b, "<p class=\"state\" data-state=\"%s\">", r->closed ? "finished" : "running");
    if (r->closed) {
        static const char *const why[][2] = {{"evals", "its evaluations were spent"},
                                             {"time", "its time was spent"},
                                             {"patience", "nothing better was found for long"},
                                             {"target", "its target was reached"},
                                             {"stopped", "it was stopped"},
                                             {"exhausted", "no legal step was left"},
                                             {"applied", "the chain was applied"}};
        const char *text = r->ended;
        for (size_t i = 0; i < sizeof why / sizeof *why; i++)
            if (!strcmp(why[i][0], r->ended)) text = why[i][1];
        rg_buf_printf(b, "Finished after %d evaluations and %.1f s: ", r->n_evals, r->seconds);
        rg_buf_xml(b, text);
    } else {
        rg_buf_printf(b, "Not finished: %d", r->n_evals);
        if (r->budget_evals > 0) rg_buf_printf(b, " of %.0f", r->budget_evals);
        rg_buf_printf(b, " evaluations, %.1f s", r->seconds);
        if (r->budget_seconds > 0) rg_buf_printf(b, " of at most %.0f s", r->budget_seconds);
        const struct report_action *a = r->n_actions ? &r->actions[r->n_actions - 1] : NULL;
        if (a && *a->step) {
            rg_buf_str(b, "; at work on <code>");
            rg_buf_xml(b, a->step);
            rg_buf_str(b, "@");
            rg_buf_xml(b, a->site);
            rg_buf_str(b, "</code>");
        }
    }
    rg_buf_str(b, ".</p>\n");
}

/* Three digits, without an exponent. */
static void ratio_text(struct rg_buf *b, double v)
{
    double unit = v >= 1e3 ? pow(10, floor(log10(v)) - 2) : 0;
    if (unit > 0)
        rg_buf_printf(b, "%.0f&times;", unit * round(v / unit));
    else
        rg_buf_printf(b, "%.3g&times;", v);
}

static void times(const struct report_run *r, struct rg_buf *b)
{
    struct rg_buf v = RG_BUF_INIT, note = RG_BUF_INIT;
    double call = report_call_ms(r);
    report_time(&v, r->best_us);
    rg_buf_printf(&note, "%s on %s, one call's kernels", kind(r), *r->device_name ? r->device_name : r->device);
    card(b, "Best kernel time", v.data, note.data);
    if (r->sequential_ms > 0) {
        rg_buf_reset(&v), rg_buf_reset(&note);
        report_time(&v, r->sequential_ms * 1e3);
        rg_buf_printf(&note, "%s, on one CPU core", r->sequential_how);
        card(b, "Your C", v.data, note.data);
        if (r->best_us > 0) {
            rg_buf_reset(&v), rg_buf_reset(&note);
            ratio_text(&v, r->sequential_ms * 1e3 / r->best_us);
            rg_buf_printf(&note, "the C's time (%s) over the kernel's (%s)", r->sequential_how, kind(r));
            card(b, "Ratio to your C", v.data, note.data);
        }
    }
    if (r->naive_us > 0 && r->best_us > 0) {
        rg_buf_reset(&v), rg_buf_reset(&note);
        ratio_text(&v, r->naive_us / r->best_us);
        rg_buf_str(&note, "naive takes ");
        report_time(&note, r->naive_us);
        rg_buf_printf(&note, " (%s)", kind(r));
        card(b, "Ratio to the naive kernel", v.data, note.data);
    }
    if (r->sol_ms > 0 && r->best_us > 0) {
        rg_buf_reset(&v), rg_buf_reset(&note);
        rg_buf_printf(&v, "%.0f&thinsp;%%", 100 * r->sol_ms * 1e3 / r->best_us);
        rg_buf_str(&note, "of speed of light: the floor is ");
        report_time(&note, r->sol_ms * 1e3);
        card(b, "Share of the floor", v.data, note.data);
    }
    if (isfinite(call)) {
        double spent = r->closed && r->command_seconds > 0 ? r->command_seconds : r->seconds;
        double pays = report_break_even(spent, r->sequential_ms, call);
        rg_buf_reset(&v), rg_buf_reset(&note);
        report_time(&v, call * 1e3);
        rg_buf_printf(
            &note, "%s%s", r->transfer_how,
            r->sequential_ms > 0 && call >= r->sequential_ms ? "; slower than your C, so keep data on the device" : "");
        card(b, "A call with transfers", v.data, note.data);
        if (isfinite(pays)) {
            rg_buf_reset(&v), rg_buf_reset(&note);
            rg_buf_printf(&v, "%.0f calls", pays);
            rg_buf_printf(&note, "earn back the %.0f s of this search, transfers included", spent);
            card(b, "Break-even", v.data, note.data);
        }
    }
    rg_buf_release(&v);
    rg_buf_release(&note);
}

static void headline(const struct report_run *r, struct rg_buf *b)
{
    rg_buf_str(b, "<header>\n<h1>");
    rg_buf_xml(b, r->function);
    rg_buf_str(b, "</h1>\n<p class=\"sub\">");
    rg_buf_xml(b, r->device);
    if (*r->sizes) {
        rg_buf_str(b, " &middot; ");
        rg_buf_xml(b, r->sizes);
    }
    if (*r->problem_file) {
        rg_buf_str(b, " &middot; ");
        rg_buf_xml(b, r->problem_file);
    }
    rg_buf_str(b, "</p>\n");
    state(r, b);
    if (r->estimated)
        rg_buf_str(b, "<p class=\"warn\">Times of kernels are estimated by a timing model: no GPU ran them.</p>\n");
    if (!(r->best_us > 0))
        rg_buf_printf(b, "<p class=\"warn\">No kernel has been verified%s.</p>\n", r->closed ? "" : " yet");
    rg_buf_str(b, "</header>\n<section class=\"cards\">\n");
    times(r, b);
    rg_buf_str(b, "</section>\n");
}

static void diff(struct rg_buf *b, const char *text)
{
    rg_buf_str(b, "<pre class=\"diff\">");
    for (const char *s = text; *s;) {
        size_t n = strcspn(s, "\n");
        char *line = rg_xstrndup(s, n);
        const char *css = *line == '+' ? "add" : *line == '-' ? "del" : *line == '@' ? "hunk" : NULL;
        if (css) rg_buf_printf(b, "<span class=\"%s\">", css);
        rg_buf_xml(b, line);
        rg_buf_str(b, css ? "</span>\n" : "\n");
        free(line);
        s += n + (s[n] == '\n');
    }
    rg_buf_str(b, "</pre>");
}

static void chain(const struct report_run *r, struct rg_buf *b)
{
    if (!r->n_chain) return;
    double before = 0;
    bool sure = false, shown = false, slower = false, about = false; /* sure: the time before was measured */
    rg_buf_str(b, "<section><h2>The winning chain, step by step</h2>\n<div class=\"wide\"><table "
                  "class=\"chain\"><thead><tr><th>step<th>at<th>tunables it adds<th class=\"n\">time after it<th "
                  "class=\"n\">gain"
                  "<th>change of the source</tr></thead><tbody>\n");
    for (int i = 0; i < r->n_chain; i++) {
        const struct report_link *l = &r->chain[i];
        const struct report_node *n = report_node(r, l->node);
        double us = i == r->n_chain - 1 ? r->best_us : n && n->measured ? n->us : 0;
        rg_buf_str(b, "<tr>");
        report_cell(b, l->step);
        report_cell(b, l->site);
        rg_buf_str(b, "<td><code>");
        struct rg_buf v = RG_BUF_INIT;
        report_vector_print(&v, &l->opened);
        rg_buf_xml(b, v.data);
        rg_buf_release(&v);
        rg_buf_str(b, "</code></td><td class=\"n\">");
        if (us > 0)
            report_time(b, us);
        else if (n && !n->measured && n->expected_us > 0) {
            rg_buf_str(b, "not measured, about ");
            report_time(b, n->expected_us);
        } else
            rg_buf_str(b, i < r->n_first ? "before any action" : "not measured");
        rg_buf_str(b, "</td><td class=\"n\">");
        double now = us > 0 ? us : n && !n->measured ? n->expected_us : 0;
        if (now > 0 && before > 0) rg_buf_printf(b, us > 0 && sure ? "%.2f&times;" : "about %.3g&times;", before / now);
        slower |= now > 0 && before > 0 && before / now < 0.995;
        about |= n && !n->measured;
        rg_buf_str(b, "</td><td>");
        const char *text = i < r->n_diffs ? r->diffs[i] : NULL;
        if (text && *text) {
            rg_buf_printf(b, "<details><summary>%s</summary>", shown ? "difference" : "source");
            diff(b, text);
            rg_buf_str(b, "</details>");
        } else if (text)
            rg_buf_str(b, "none");
        else if (i < r->n_chain - 1)
            rg_buf_str(b, "with the next stepshown with the next step&rsquo;srsquo;s");
        rg_buf_str(b, "</td></tr>\n");
        if (now > 0) before = now;
        sure = us > 0;
        shown |= us > 0; /* differences are against the last version that was measured */
    }
    rg_buf_printf(b,
                  "</tbody></table></div>\n<p class=\"note\">Times are %s, each with the best configuration found for "
                  "that version.",
                  kind(r));
    if (about)
        rg_buf_str(b,
                   " &ldquo;Not measured&rdquo;: the search went on to the next step at once; &ldquo;about&rdquo; is "
                   "then what the built-in coder&rsquo;s cost model, corrected by the times of this run, expects.");
    if (slower)
        rg_buf_str(b,
                   " A gain below 1: the step prepares a later one, or fewer configurations were tried there than at "
                   "the end.");
    rg_buf_str(b, "</p>\n</section>\n");
}

int report_best_so_far(const struct report_run *r, bool by_seconds, double *x, double *y)
{
    int n = 0;
    double best = INFINITY;
    for (int i = 0; i < r->n_evals; i++) {
        const struct report_eval *e = &r->evals[i];
        if (e->us > 0 && e->us < best) {
            best = e->us;
            x[n] = by_seconds ? e->seconds : e->number;
            y[n++] = best;
        }
    }
    if (n) {
        x[n] = by_seconds ? r->seconds : r->n_evals;
        y[n++] = best;
    }
    return n;
}

static void curves(const struct report_run *r, int index, struct rg_buf *b)
{
    size_t room = (size_t)r->n_evals + 2;
    double *x = rg_xcalloc(room, sizeof *x), *y = rg_xcalloc(room, sizeof *y), *ax = rg_xcalloc(room, sizeof *ax),
           *ay = rg_xcalloc(room, sizeof *ay);
    rg_buf_str(b, "<section><h2>The search</h2>\n<div class=\"figures\">\n");
    for (int by_seconds = 0; by_seconds < 2; by_seconds++) {
        int n = report_best_so_far(r, by_seconds, x, y), all = 0;
        for (int i = 0; i < r->n_evals; i++)
            if (r->evals[i].us > 0)
                ax[all] = by_seconds ? r->evals[i].seconds : r->evals[i].number, ay[all++] = r->evals[i].us;
        const struct report_series s[] = {{"candidates", "s0", all, ax, ay, false, false},
                                          {"best so far", "s1", n, x, y, true, true}};
        rg_buf_printf(b, "<figure data-chart=\"%s\" data-run=\"%d\"><figcaption>Best over %s</figcaption>\n",
                      by_seconds ? "seconds" : "evals", index, by_seconds ? "seconds" : "evaluations");
        report_svg(b, by_seconds ? "Kernel time over seconds" : "Kernel time over evaluations",
                   by_seconds ? "seconds" : "evaluations", REPORT_LINEAR,
                   r->estimated ? "estimated time, us" : "measured time, us", REPORT_LOG, s, 2);
        rg_buf_str(b, "</figure>\n");
    }
    rg_buf_str(b, "</div></section>\n");
    free(x);
    free(y);
    free(ax);
    free(ay);
}

bool report_roof(const struct report_run *r, const struct report_eval *e, double *intensity, double *gflops)
{
    double flops = r->flops > 0 ? r->flops : report_counter(e, "flops"), bytes = report_counter(e, "dram_bytes");
    if (!(bytes > 0)) bytes = r->read_bytes + r->write_bytes;
    if (!(e->us > 0 && flops > 0 && bytes > 0)) return false;
    *intensity = flops / bytes;
    *gflops = flops / e->us * 1e-3;
    return true;
}

static void roofline(const struct report_run *r, int index, struct rg_buf *b)
{
    size_t room = (size_t)r->n_evals + 2;
    double *x = rg_xcalloc(room, sizeof *x), *y = rg_xcalloc(room, sizeof *y), low = INFINITY, high = 0;
    int n = 0;
    bool counted = false;
    for (int i = 0; i < r->n_evals; i++)
        if (report_roof(r, &r->evals[i], &x[n], &y[n])) {
            counted = counted || report_counter(&r->evals[i], "dram_bytes") > 0;
            low = fmin(low, x[n]);
            high = fmax(high, x[n++]);
        }
    if (n && r->copy_bytes_s > 0 && r->flop_s > 0) {
        double knee = r->flop_s / r->copy_bytes_s, bx = 0, by = 0;
        const struct report_eval *best = report_best_eval(r);
        int has = best && report_roof(r, best, &bx, &by);
        const double rx[] = {fmin(low, knee) / 3, knee, fmax(high, knee) * 3},
                     ry[] = {rx[0] * r->copy_bytes_s * 1e-9, r->flop_s * 1e-9, r->flop_s * 1e-9};
        const struct report_series s[] = {{"the device's roof", "s2", 3, rx, ry, true, false},
                                          {"candidates", "s0", n, x, y, false, false},
                                          {"best", "s1", has, &bx, &by, false, false}};
        rg_buf_printf(b, "<section><h2>Roofline</h2>\n<figure data-chart=\"roofline\" data-run=\"%d\">\n", index);
        report_svg(b, "Roofline", "arithmetic intensity, operations per byte", REPORT_LOG, "GFLOP/s", REPORT_LOG, s, 3);
        rg_buf_printf(b,
                      "</figure>\n<p class=\"note\">Operations of the C over %s of device memory; the roof is %.4g "
                      "TB/s and %.4g TFLOP/s",
                      counted ? "each candidate's bytes" : "the bytes that must move", r->copy_bytes_s * 1e-12,
                      r->flop_s * 1e-12);
        if (*r->peaks) {
            rg_buf_str(b, " (");
            rg_buf_xml(b, r->peaks);
            rg_buf_str(b, ")");
        }
        rg_buf_str(b, ".</p></section>\n");
    }
    free(x);
    free(y);
}

static int by_time(const void *a, const void *b)
{
    const struct report_node *x = *(const struct report_node *const *)a, *y = *(const struct report_node *const *)b;
    double p = x->measured ? x->us : INFINITY, q = y->measured ? y->us : INFINITY;
    return p != q ? (p > q) - (p < q) : (x->number > y->number) - (x->number < y->number);
}

static void versions(const struct report_run *r, int index, struct rg_buf *b)
{
    enum { MOST = 200 };
    const struct report_node **list = rg_xcalloc((size_t)r->n_nodes + 1, sizeof *list);
    for (int i = 0; i < r->n_nodes; i++) list[i] = &r->nodes[i];
    if (r->n_nodes) qsort(list, (size_t)r->n_nodes, sizeof *list, by_time);
    rg_buf_printf(
        b,
        "<section><h2>The search graph</h2>\n<figure data-chart=\"graph\" "
        "data-run=\"%d\"></figure>\n<p class=\"note hues\">Time: <span style=\"--c:var(--c1)\">the best</span> <span "
        "style=\"--c:var(--c6)\">up to twice that</span> <span style=\"--c:var(--c5)\">up to eight "
        "times</span> <span style=\"--c:var(--c2)\">slower</span> <span style=\"--c:var(--line)\">not "
        "measured</span> &middot; the winning chain is bold.</p>\n<details><summary>%d versions, the fastest "
        "first</summary><div "
        "class=\"wide\"><table class=\"sort\"><thead><tr>"
        "<th class=\"n\">version<th class=\"n\">made from<th>by step<th>at<th>coder<th "
        "class=\"n\">time<th>configuration</tr></thead><tbody>\n",
        index, r->n_nodes);
    for (int i = 0; i < r->n_nodes && i < MOST; i++) {
        const struct report_node *n = list[i];
        const struct report_action *a = &r->actions[n->action];
        struct rg_buf v = RG_BUF_INIT;
        report_vector_print(&v, &n->vector);
        rg_buf_printf(b, "<tr%s><td class=\"n\">%d</td><td class=\"n\">%d</td>",
                      n->number == r->best_node ? " class=\"best\"" : "", n->number, a->parent);
        report_cell(b, a->step);
        report_cell(b, a->site);
        report_cell(b, a->coder);
        rg_buf_printf(b, "<td class=\"n\" data-v=\"%.17g\">", n->us);
        if (n->measured)
            report_time(b, n->us);
        else
            rg_buf_str(b, "not measured");
        rg_buf_str(b, "</td>");
        report_cell(b, v.data);
        rg_buf_str(b, "</tr>\n");
        rg_buf_release(&v);
    }
    rg_buf_str(b, "</tbody></table></div></details></section>\n");
    free(list);
}

static int by_outcome(const void *a, const void *b)
{
    const struct report_eval *x = *(const struct report_eval *const *)a, *y = *(const struct report_eval *const *)b;
    int c = (x->outcome > y->outcome) - (x->outcome < y->outcome);
    if (!c) c = strcmp(x->message, y->message);
    return c ? c : (x->number > y->number) - (x->number < y->number);
}

static bool without_code(const struct report_action *a)
{
    return !strcmp(a->answer, "failed") || !strcmp(a->answer, "refused");
}

static bool said_alike(const struct report_action *a, const struct report_action *b)
{
    return without_code(b) && !strcmp(a->outcome, b->outcome) && !strcmp(a->message, b->message) &&
           !strcmp(a->coder, b->coder);
}

static void action_name(struct rg_buf *b, const struct report_action *a)
{
    rg_buf_xml(b, a->step);
    rg_buf_str(b, "@");
    rg_buf_xml(b, a->site);
}

/* Actions of which no candidate came: a coder declined, or its reply was of no use. */
static void no_code(const struct report_run *r, struct rg_buf *b)
{
    for (int i = 0; i < r->n_actions; i++) {
        const struct report_action *a = &r->actions[i];
        bool said = !without_code(a);
        for (int k = 0; k < i && !said; k++) said = said_alike(a, &r->actions[k]);
        if (said) continue;
        int more = 0;
        for (int k = i + 1; k < r->n_actions; k++) more += said_alike(a, &r->actions[k]);
        rg_buf_str(b, "<tr>");
        report_cell(b, a->outcome);
        rg_buf_str(b, "<td class=\"n\">&ndash;</td><td class=\"message\">");
        rg_buf_xml(b, a->message);
        rg_buf_str(b, "</td><td>");
        rg_buf_xml(b, a->coder);
        rg_buf_str(b, ": ");
        action_name(b, a);
        if (more) rg_buf_printf(b, "<details><summary>and %d more</summary>", more);
        for (int k = i + 1; k < r->n_actions && more; k++) {
            if (!said_alike(a, &r->actions[k])) continue;
            rg_buf_str(b, "<div>");
            action_name(b, &r->actions[k]);
            rg_buf_str(b, "</div>");
        }
        rg_buf_str(b, more ? "</details></td></tr>\n" : "</td></tr>\n");
    }
}

/* One row for each message, with what it was said of first. */
static void outcomes(const struct report_run *r, struct rg_buf *b)
{
    const struct report_eval **list = rg_xcalloc((size_t)r->n_evals + 1, sizeof *list);
    for (int i = 0; i < r->n_evals; i++) list[i] = &r->evals[i];
    if (r->n_evals) qsort(list, (size_t)r->n_evals, sizeof *list, by_outcome);
    rg_buf_str(
        b,
        "<section><h2>What became of candidates</h2>\n<div class=\"wide\"><table "
        "class=\"sort\"><thead><tr><th>outcome<th class=\"n\">candidates<th>message<th>first of</tr></thead><tbody>\n");
    for (int i = 0, k; i < r->n_evals; i = k) {
        const struct report_eval *e = list[i];
        for (k = i; k < r->n_evals && list[k]->outcome == e->outcome && !strcmp(list[k]->message, e->message);) k++;
        struct rg_buf v = RG_BUF_INIT;
        report_vector_print(&v, &e->vector);
        rg_buf_str(b, "<tr>");
        report_cell(b, rg_outcome_word(e->outcome));
        rg_buf_printf(b, "<td class=\"n\">%d</td><td class=\"message\">", k - i);
        rg_buf_xml(b, *e->message ? e->message : e->outcome == RG_OUTCOME_OK ? "verified and timed" : "");
        rg_buf_printf(b, "</td><td>#%d ", e->number);
        rg_buf_xml(b, e->step);
        rg_buf_str(b, *e->site ? "@" : "");
        rg_buf_xml(b, e->site);
        rg_buf_str(b, " <code>");
        rg_buf_xml(b, v.data);
        rg_buf_str(b, "</code></td></tr>\n");
        rg_buf_release(&v);
    }
    no_code(r, b);
    rg_buf_str(b, "</tbody></table></div></section>\n");
    free(list);
}

void report_run_sections(const struct report_run *r, int index, struct rg_buf *b)
{
    headline(r, b);
    chain(r, b);
    curves(r, index, b);
    roofline(r, index, b);
    versions(r, index, b);
    report_tunables(r, index, b);
    report_kernels(r, index, b);
    outcomes(r, b);
    report_edges(r, b);
    report_refusals(r, b);
    report_about(r, b);
}
