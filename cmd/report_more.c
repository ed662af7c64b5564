/* Sections of one run, continued: tunables, kernels, what the graph learnt, refusals beside the C, what it took. */
#include "cmd/report.h"
#include <math.h>
#include <rg/words.h>
#include <stdlib.h>
#include <string.h>

void report_tunables(const struct report_run *r, int index, struct rg_buf *b)
{
    struct report_importance *all;
    int n = report_importance(r, &all);
    if (n) {
        rg_buf_printf(b,
                      "<section><h2>Tunables</h2>\n<figure data-chart=\"parallel\" data-run=\"%d\"></figure>\n<div "
                      "class=\"wide\"><table class=\"sort\"><thead><tr><th>tunable<th class=\"n\">importance<th><th "
                      "class=\"n\">configurations"
                      "<th class=\"n\">in the best</tr></thead><tbody>\n",
                      index);
        for (int i = 0; i < n; i++) {
            rg_buf_str(b, "<tr>");
            report_cell(b, all[i].name);
            rg_buf_printf(b,
                          "<td class=\"n\">%.2f</td><td><meter min=\"0\" max=\"1\" value=\"%.3f\">%.2f</meter></td><td "
                          "class=\"n\">%d</td><td class=\"n\">",
                          all[i].share, all[i].share, all[i].share, all[i].n);
            for (int k = 0; k < r->best_vector.n; k++)
                if (!strcmp(r->best_vector.items[k].name, all[i].name))
                    rg_buf_printf(b, "%lld", (long long)r->best_vector.items[k].value);
            rg_buf_str(b, "</td></tr>\n");
        }
        rg_buf_str(b, "</tbody></table></div></section>\n");
    }
    free(all);
}

void report_kernels(const struct report_run *r, int index, struct rg_buf *b)
{
    const struct report_eval *e = report_best_eval(r);
    size_t prefix = strlen(RG_COUNTER_SHARE);
    if (!e) return;
    rg_buf_printf(b, "<section><h2>Where the time goes</h2>\n<div class=\"wide\"><table><thead><tr><th>kernel of the "
                     "best<th class=\"n\">share of the time<th></tr></thead><tbody>\n");
    bool any = false;
    for (int i = 0; i < e->n_counters; i++) {
        if (strncmp(e->counters[i].name, RG_COUNTER_SHARE, prefix)) continue;
        rg_buf_str(b, "<tr>");
        report_cell(b, e->counters[i].name + prefix);
        rg_buf_printf(b,
                      "<td class=\"n\">%.1f %%</td><td><meter min=\"0\" max=\"1\" value=\"%.3f\"></meter></td></tr>\n",
                      100 * e->counters[i].value, e->counters[i].value);
        any = true;
    }
    if (!any && *e->kernel) {
        rg_buf_str(b, "<tr>");
        report_cell(b, e->kernel);
        rg_buf_str(b, "<td class=\"n\">100 %</td><td><meter min=\"0\" max=\"1\" value=\"1\"></meter></td></tr>\n");
    }
    rg_buf_str(b, "</tbody></table></div>\n");
    if (*e->limiter) {
        rg_buf_str(b, "<p class=\"note\">Its bottleneck: ");
        rg_buf_xml(b, rg_limiter_text(e->limiter));
        rg_buf_str(b, ".</p>\n");
    }
    rg_buf_str(b,
               "<details><summary>Counters of the best</summary><div class=\"wide\"><table class=\"sort\"><tbody>\n");
    for (int i = 0; i < e->n_counters; i++) {
        if (!strncmp(e->counters[i].name, RG_COUNTER_SHARE, prefix)) continue;
        rg_buf_str(b, "<tr>");
        report_cell(b, e->counters[i].name);
        rg_buf_printf(b, "<td class=\"n\">%.6g</td></tr>\n", e->counters[i].value);
    }
    rg_buf_str(b, "</tbody></table></div></details></section>\n");
}

/* Its coder declined: no experience of the step. */
static bool untried(const struct report_edge *e)
{
    return e->n == 0 && e->refused > 0;
}

void report_edges(const struct report_run *r, struct rg_buf *b)
{
    int declined = 0;
    for (int i = 0; i < r->n_edges; i++) declined += untried(&r->edges[i]);
    if (r->n_edges == declined) return;
    rg_buf_str(b,
               "<section><h2>What the reasoning graph learns from this run</h2>\n<div class=\"wide\"><table "
               "class=\"sort\"><thead><tr><th>after<th>step<th>coder<th class=\"n\">score before<th class=\"n\">after"
               "<th class=\"n\">change<th>why</tr></thead><tbody>\n");
    for (int i = 0; i < r->n_edges; i++) {
        const struct report_edge *e = &r->edges[i];
        if (untried(e)) continue;
        rg_buf_str(b, "<tr>");
        report_cell(b, e->from);
        report_cell(b, e->to);
        report_cell(b, e->coder);
        if (isfinite(e->score_before))
            rg_buf_printf(b, "<td class=\"n\">%.3f</td><td class=\"n\">%.3f</td><td class=\"n\">%+.3f</td>",
                          e->score_before, e->score_after, e->score_after - e->score_before);
        else
            rg_buf_str(b, "<td class=\"n\">&ndash;</td><td class=\"n\">&ndash;</td><td class=\"n\">&ndash;</td>");
        rg_buf_printf(b, "<td class=\"why\">tried %lld time%s, worked %lld", (long long)e->n, e->n == 1 ? "" : "s",
                      (long long)e->ok);
        if (isfinite(e->mean_gain))
            rg_buf_printf(b, ", gain %.3g&times; on average, %.3g&times; at most", exp(e->mean_gain), exp(e->max_gain));
        if (*e->failures) {
            rg_buf_str(b, "; failed: ");
            rg_buf_xml(b, e->failures);
        }
        if (e->refused) rg_buf_printf(b, "; declined %lld time%s", (long long)e->refused, e->refused == 1 ? "" : "s");
        rg_buf_printf(b, "%s</td></tr>\n", e->lead ? "; on the way to the best" : "");
    }
    rg_buf_str(b,
               "</tbody></table></div>\n<p class=\"note\">Scores are those of this problem on this device, before and "
               "after this run's evidence. With <code>--no-learn</code> the graph's file stays as it is.");
    if (declined)
        rg_buf_printf(b, " On %d further edge%s the coder declined the step, which changes no score.", declined,
                      declined == 1 ? "" : "s");
    rg_buf_str(b, "</p></section>\n");
}

static void reasons(const struct report_run *r, int line, struct rg_buf *b)
{
    for (int i = 0; i < r->n_refusals; i++) {
        const struct report_refusal *f = &r->refusals[i];
        if (f->line != line) continue;
        rg_buf_str(b, "<li><code>");
        rg_buf_xml(b, f->step);
        rg_buf_str(b, "@");
        rg_buf_xml(b, f->site);
        rg_buf_str(b, "</code>");
        if (*f->after) {
            rg_buf_str(b, " after ");
            rg_buf_xml(b, f->after);
        }
        if (*f->kind) rg_buf_printf(b, " <i>(%s)</i>", f->kind);
        rg_buf_str(b, ": ");
        rg_buf_xml(b, f->reason);
        rg_buf_str(b, "</li>\n");
    }
}

static int refused_at(const struct report_run *r, int line)
{
    int n = 0;
    for (int i = 0; i < r->n_refusals; i++) n += r->refusals[i].line == line;
    return n;
}

void report_refusals(const struct report_run *r, struct rg_buf *b)
{
    if (!*r->source_text) return;
    rg_buf_str(
        b,
        "<section><h2>Your C, and what was refused there</h2>\n<div class=\"wide\"><table class=\"source\"><tbody>\n");
    int line = r->source_line, elsewhere = r->n_refusals, shown = 0;
    for (const char *s = r->source_text; *s; shown++) {
        size_t n = strcspn(s, "\n");
        line = shown < r->comment_lines ? r->comment_line + shown : r->source_line + shown - r->comment_lines;
        char *text = rg_xstrndup(s, n);
        int refused = line > 0 ? refused_at(r, line) : 0;
        elsewhere -= refused;
        rg_buf_printf(b, "<tr%s><td class=\"n line\">%d</td><td><pre>", refused ? " class=\"marked\"" : "", line);
        rg_buf_xml(b, text);
        rg_buf_str(b, "</pre></td><td>");
        if (refused) {
            rg_buf_printf(b, "<details><summary>%d refused</summary><ul>\n", refused);
            reasons(r, line, b);
            rg_buf_str(b, "</ul></details>");
        }
        rg_buf_str(b, "</td></tr>\n");
        free(text);
        s += n + (s[n] == '\n');
    }
    rg_buf_str(b, "</tbody></table></div>\n");
    if (elsewhere > 0) {
        int from = r->source_line, to = line + 1;
        rg_buf_printf(b, "<details><summary>%d refusals without a line of this function</summary><ul>\n", elsewhere);
        for (int i = 0; i < r->n_refusals; i++) {
            int at = r->refusals[i].line;
            bool first = true;
            for (int k = 0; k < i; k++) first = first && r->refusals[k].line != at;
            if (first && (at <= 0 || at < from || at >= to)) reasons(r, at, b);
        }
        rg_buf_str(b, "</ul></details>\n");
    }
    rg_buf_str(b, "</section>\n");
}

void report_about(const struct report_run *r, struct rg_buf *b)
{
    if (r->n_model) {
        rg_buf_str(b, "<section><h2>The model</h2>\n<table><tbody>\n");
        for (int i = 0; i < r->n_model; i++) {
            rg_buf_str(b, "<tr>");
            report_cell(b, r->model[i].name);
            report_cell(b, r->model[i].text);
            rg_buf_str(b, "</tr>\n");
        }
        rg_buf_str(b, "</tbody></table></section>\n");
    }
    rg_buf_str(b, "<section><h2>About this run</h2>\n");
    if (*r->command) {
        rg_buf_str(b, "<p>The command to repeat it:</p><pre class=\"command\">");
        rg_buf_xml(b, r->command);
        rg_buf_str(b, "</pre>\n");
    }
    rg_buf_str(b, "<table><tbody>\n");
    const struct report_text rows[] = {{"run", r->run_id},    {"device", r->device_name},
                                       {"policy", r->policy}, {"seed", r->seed},
                                       {"coders", r->coders}, {"class of the problem", r->klass},
                                       {"graph", r->graph},   {"SHA-256 of the graph", r->graph_sha256}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (!*rows[i].text) continue;
        rg_buf_str(b, "<tr>");
        report_cell(b, rows[i].name);
        report_cell(b, rows[i].text);
        rg_buf_str(b, "</tr>\n");
    }
    for (int i = 0; i < r->n_facts; i++) {
        rg_buf_str(b, "<tr>");
        report_cell(b, r->facts[i].name);
        report_cell(b, r->facts[i].text);
        rg_buf_str(b, "</tr>\n");
    }
    if (r->accepted_error)
        rg_buf_printf(b, "<tr><td>largest error</td><td>%.3g of the reference's root mean square</td></tr>\n",
                      r->max_error);
    rg_buf_str(b, "</tbody></table></section>\n");
}
