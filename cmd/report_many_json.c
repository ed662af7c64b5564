/* The page over a suite: a row for each problem, with a link to its own page. From suite.json and results/NAME.json in
 * the suite's folder, also while it runs. */
#include "base/json_util.h"
#include "cmd/report.h"
#include <math.h>
#include <rg/file.h>
#include <stdlib.h>
#include <string.h>

static double number(const json_t *o, const char *name)
{
    const json_t *v = json_object_get(o, name);
    return json_is_number(v) ? json_number_value(v) : NAN;
}

static const char *text(const json_t *o, const char *name)
{
    const char *s = json_string_value(json_object_get(o, name));
    return s ? s : "";
}

static void figure(struct rg_buf *b, const char *fmt, double v)
{
    rg_buf_printf(b, "<td class=\"n\" data-v=\"%.17g\">", isfinite(v) ? v : 0);
    if (isfinite(v))
        rg_buf_printf(b, fmt, v);
    else
        rg_buf_str(b, "&ndash;");
    rg_buf_str(b, "</td>");
}

/* In a URL below the page: what has a meaning there is written by its number. */
static void path_part(struct rg_buf *b, const char *name)
{
    for (const char *s = name; *s; s++) {
        unsigned char c = (unsigned char)*s;
        if ((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || strchr("._-", c))
            rg_buf_char(b, *s);
        else
            rg_buf_printf(b, "%%%02X", c);
    }
}

static void row(struct rg_buf *b, const char *folder, const char *name, const json_t *r, double *evals, double *seconds)
{
    const char *state = r ? text(r, "state") : "open";
    bool estimated = json_is_true(json_object_get(r, "estimated"));
    char *page = rg_xasprintf("%s/runs/%s/report.html", folder, name);
    rg_buf_printf(b, "<tr class=\"state-%s\"><td>",
                  !strcmp(state, "ok")       ? "ok"
                  : !strcmp(state, "failed") ? "failed"
                                             : "other");
    bool link = rg_file_exists(page);
    if (link) {
        rg_buf_str(b, "<a href=\"runs/");
        path_part(b, name);
        rg_buf_str(b, "/report.html\">");
    }
    rg_buf_xml(b, name);
    rg_buf_str(b, link ? "</a></td>" : "</td>");
    report_cell(b, !strcmp(state, "open")     ? (link ? "begun" : "not run")
                   : !strcmp(state, "slower") ? "not faster than the C"
                                              : state);
    report_cell(b, text(r, "device"));
    rg_buf_printf(b, "<td class=\"n\" data-v=\"%.17g\">", isfinite(number(r, "best_ms")) ? number(r, "best_ms") : 0);
    report_time(b, 1e3 * number(r, "best_ms"));
    rg_buf_str(b, "</td>");
    report_cell(b, isfinite(number(r, "best_ms")) ? (estimated ? "estimated" : "measured") : "");
    figure(b, "%.2f&times;", number(r, "speedup_vs_naive"));
    figure(b, "%.1f&times;", number(r, "speedup_vs_sequential"));
    figure(b, "%.0f", number(r, "evaluations"));
    figure(b, "%.0f", number(r, "seconds"));
    rg_buf_str(b, "<td class=\"message\">");
    rg_buf_xml(b, *text(r, "reason") ? text(r, "reason") : text(r, "steps"));
    rg_buf_str(b, "</td></tr>\n");
    if (isfinite(number(r, "evaluations"))) *evals += number(r, "evaluations");
    if (isfinite(number(r, "seconds"))) *seconds += number(r, "seconds");
    free(page);
}

bool report_is_suite(const char *path)
{
    char *file = rg_xasprintf("%s/suite.json", path);
    bool is = rg_file_exists(file);
    free(file);
    return is;
}

static json_t *result(const char *folder, const char *name)
{
    char *path = rg_xasprintf("%s/results/%s.json", folder, name);
    json_t *o = rg_file_exists(path) ? rg_json_file(path, NULL) : NULL;
    free(path);
    return o;
}

enum rg_status report_suite(const char *folder, struct rg_buf *out, struct rg_error *err)
{
    char *path = rg_xasprintf("%s/suite.json", folder);
    json_t *o = rg_json_file(path, err), *problem;
    const json_t *list = o ? rg_json_array(o, "problems", path, err) : NULL;
    struct rg_buf rows = RG_BUF_INIT;
    double evals = 0, seconds = 0;
    int n = 0, ok = 0, slower = 0, failed = 0, open = 0, stopped = 0;
    size_t i;
    free(path);
    json_array_foreach((json_t *)(uintptr_t)list, i, problem)
    {
        const char *name = text(problem, "name");
        if (!*name || strchr(name, '/')) continue; /* what no suite has written */
        json_t *r = result(folder, name);
        const char *state = r ? text(r, "state") : "open";
        n++;
        ok += !strcmp(state, "ok");
        slower += !strcmp(state, "slower");
        failed += !strcmp(state, "failed");
        stopped += !strcmp(state, "stopped");
        open += !strcmp(state, "open");
        row(&rows, folder, name, r, &evals, &seconds);
        json_decref(r);
    }
    if (list) {
        report_head(out, "Suite - ReGraph", false);
        rg_buf_printf(out,
                      "<header><h1>%d problems</h1>\n<p class=\"sub\">%d faster than the C, %d not faster, %d failed, "
                      "%d stopped, %d not run; %.0f evaluations in %.0f s of searches.</p></header>\n",
                      n, ok, slower, failed, stopped, open, evals, seconds);
        rg_buf_str(out,
                   "<section><div class=\"wide\"><table class=\"sort\"><thead><tr><th>problem<th>state<th>device<th "
                   "class=\"n\">best kernel time<th>kind<th class=\"n\">over naive<th class=\"n\">over the C"
                   "<th class=\"n\">evaluations<th class=\"n\">seconds<th>steps, or why not</tr></thead><tbody>\n");
        rg_buf_str(out, rows.data);
        rg_buf_str(out,
                   "</tbody></table></div>\n<p class=\"note\">An estimated time is never set against the measured time "
                   "of the C: a dash stands there. A problem&rsquo;s name leads to its own report.</p></section>\n");
        report_terms(out);
        report_foot(out, NULL);
    }
    rg_buf_release(&rows);
    json_decref(o);
    return list ? RG_OK : RG_INPUT;
}
