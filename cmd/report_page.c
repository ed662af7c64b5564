/* The page around the sections of runs: its head and foot, and what compares several runs. */
#include "cmd/asset.h"
#include "cmd/report.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

void report_time(struct rg_buf *b, double us)
{
    if (!(us > 0))
        rg_buf_str(b, "&ndash;");
    else if (us < 1e3)
        rg_buf_printf(b, "%.4g \302\265s", us);
    else if (us < 1e6)
        rg_buf_printf(b, "%.4g ms", us * 1e-3);
    else
        rg_buf_printf(b, "%.4g s", us * 1e-6);
}

static void asset(struct rg_buf *b, const char *name)
{
    const struct rg_asset *a = rg_web_asset(name);
    if (a) rg_buf_add(b, a->data, a->size);
}

/* Nothing is loaded from anywhere: the policy says so to the browser too. */
void report_head(struct rg_buf *b, const char *title, bool live)
{
    rg_buf_str(b, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
                  "content=\"width=device-width, initial-scale=1\">\n"
                  "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
                  "'unsafe-inline'; script-src 'unsafe-inline'; img-src data:\">\n"
                  "<link rel=\"icon\" href=\"data:,\">\n<title>");
    rg_buf_xml(b, title);
    rg_buf_str(b, "</title>\n");
    if (live) rg_buf_str(b, "<noscript><meta http-equiv=\"refresh\" content=\"2\"></noscript>\n");
    rg_buf_str(b, "<style>\n");
    asset(b, "page.css");
    asset(b, "report.css");
    rg_buf_str(b, "</style>\n</head>\n");
    rg_buf_printf(b, "<body%s>\n<main>\n", live ? " class=\"live\"" : "");
}

/* A script ends at its end tag, whatever stands around it: data have no '<' (report_data), bundles are written by
 * esbuild, which escapes such tags. */
static void script(struct rg_buf *b, const char *name)
{
    if (!rg_web_asset(name)) return;
    rg_buf_str(b, "<script>\n");
    asset(b, name);
    rg_buf_str(b, "\n</script>\n");
}

void report_foot(struct rg_buf *b, char *data)
{
    char when[40] = "";
    time_t now = time(NULL);
    struct tm tm;
    if (gmtime_r(&now, &tm)) strftime(when, sizeof when, "%Y-%m-%d %H:%M:%S UTC", &tm);
    rg_buf_printf(b, "<footer>Written %s by ReGraph. <a href=\"#terms\">What the words mean</a>.</footer>\n</main>\n",
                  when);
    if (data) {
        rg_buf_str(b, "<script type=\"application/json\" id=\"data\">");
        rg_buf_str(b, data);
        rg_buf_str(b, "</script>\n");
    }
    script(b, "page.js");
    if (data) script(b, "report.js");
    rg_buf_str(b, "</body>\n</html>\n");
    free(data);
}

void report_terms(struct rg_buf *b)
{
    static const char *const words[][2] = {
        {"measured", "timed on the device by events around the kernels: the median of many runs"},
        {"estimated", "computed by the timing model of a simulated device (<code>sim:</code>); no GPU ran it"},
        {"extrapolated", "the time of the C at smaller sizes, scaled by the work that it does at the timed size"},
        {"your C", "the function as you gave it, compiled by the host&rsquo;s compiler, on one CPU core"},
        {"naive", "the first kernel that computes the same, with default parameters: what a direct translation gives"},
        {"floor", "speed of light: no kernel of this problem takes less on this device. The larger of bytes that must "
                  "move over the copy bandwidth and operations over the peak rate"},
        {"evaluation", "one configuration that was compiled, verified against the C and timed"},
        {"step", "an optimisation of the reasoning graph, such as tiling, applied at one place (after the @)"},
        {"version", "the code after a chain of steps; its tunables are still free"},
        {"tunable",
         "an integer that a step leaves open, such as a tile&rsquo;s size; a configuration gives each a value"},
        {"importance",
         "of a tunable: the share of the variance of the logarithm of time, among verified configurations of the same "
         "version, that lies between its values (a correlation ratio: 0 none, 1 all)"},
        {"arithmetic intensity", "operations per byte of device memory"},
        {"bottleneck",
         "what bounds the kernel&rsquo;s time, by counters or the timing model; <code>limiter</code> in files"},
        {"gain", "the time before a step divided by the time after it"},
        {"score", "how early the search tries a step after another: from an expert&rsquo;s prior and the evidence of "
                  "runs (docs/graph.md)"},
        {"with transfers", "the call from host memory: inputs to the device, the kernels, outputs back"},
        {"break-even", "calls after which the time that the search took is earned back, each call with its transfers "
                       "instead of the C"},
        {"refused", "a step that cannot be applied there; its reason names the place in the C"},
    };
    rg_buf_str(b, "<section id=\"terms\"><h2>What the words mean</h2>\n<details><summary>Terms</summary><dl>\n");
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        rg_buf_printf(b, "<dt>%s</dt><dd>%s.</dd>\n", words[i][0], words[i][1]);
    rg_buf_str(b, "</dl></details></section>\n");
}

/* What a run was made with: where all runs have the same it is said once, and the table has what differs. */
enum { N_FACTS = 7 };
static const char *const fact_names[N_FACTS] = {"function", "device", "policy", "seed", "graph", "coders", "kind"};

static void fact(struct rg_buf *b, const struct report_run *r, int k)
{
    const char *const texts[N_FACTS] = {
        r->function, r->device, r->policy, r->seed, r->graph, r->coders, r->estimated ? "estimated" : "measured"};
    rg_buf_xml(b, texts[k]);
    if (!strcmp(fact_names[k], "graph")) rg_buf_printf(b, " %.8s", r->graph_sha256);
}

static bool is_shared(const struct report_run *const *runs, int n, int k)
{
    struct rg_buf first = RG_BUF_INIT, other = RG_BUF_INIT;
    bool same = n > 1;
    fact(&first, runs[0], k);
    for (int i = 1; i < n && same; i++) {
        rg_buf_reset(&other);
        fact(&other, runs[i], k);
        same = first.len == other.len && !memcmp(first.data, other.data, first.len);
    }
    rg_buf_release(&first);
    rg_buf_release(&other);
    return same;
}

/* Times of two kinds are never compared: a ratio stands only between runs of one function that are both measured or
 * both estimated. */
static void compare(struct rg_buf *b, const struct report_run *const *runs, int n)
{
    bool shared[N_FACTS];
    int n_shared = 0;
    rg_buf_str(b, "<section><h2>Runs compared</h2>\n");
    for (int k = 0; k < N_FACTS; k++) {
        shared[k] = is_shared(runs, n, k);
        if (!shared[k]) continue;
        rg_buf_printf(b, "%s%s ", n_shared++ ? ", " : "<p class=\"sub shared\">All runs: ", fact_names[k]);
        fact(b, runs[0], k);
    }
    rg_buf_str(b, n_shared ? ".</p>\n" : "");
    rg_buf_str(b, "<div class=\"wide\"><table class=\"sort compare\"><thead><tr><th>run");
    for (int k = 0; k < N_FACTS; k++)
        if (!shared[k]) rg_buf_printf(b, "<th>%s", fact_names[k]);
    rg_buf_str(b, "<th class=\"n\">evaluations<th class=\"n\">seconds<th class=\"n\">best<th class=\"n\">against the "
                  "first<th>chain</tr></thead><tbody>\n");
    for (int i = 0; i < n; i++) {
        const struct report_run *r = runs[i], *f = runs[0];
        rg_buf_printf(b, "<tr><td><a href=\"#run-%d\">", i);
        rg_buf_xml(b, r->label);
        rg_buf_str(b, "</a></td>");
        for (int k = 0; k < N_FACTS; k++) {
            if (shared[k]) continue;
            rg_buf_printf(b, "<td data-h=\"%s\">", fact_names[k]);
            fact(b, r, k);
            rg_buf_str(b, "</td>");
        }
        rg_buf_printf(b,
                      "<td class=\"n\" data-h=\"evaluations\">%d</td><td class=\"n\" data-h=\"seconds\">%.1f</td><td "
                      "class=\"n\" data-h=\"best\" data-v=\"%.17g\">",
                      r->n_evals, r->seconds, r->best_us);
        report_time(b, r->best_us);
        rg_buf_str(b, "</td>");
        bool fair = r->best_us > 0 && f->best_us > 0 && r->estimated == f->estimated && !strcmp(r->program, f->program);
        if (fair)
            rg_buf_printf(b, "<td class=\"n\" data-h=\"against the first\">%.3f&times;</td>", f->best_us / r->best_us);
        else
            rg_buf_str(b, "<td class=\"n\" data-h=\"against the first\">&ndash;</td>");
        rg_buf_str(b, "<td data-h=\"chain\">");
        for (int k = 0; k < r->n_chain; k++) {
            rg_buf_str(b, k ? ", " : "");
            rg_buf_xml(b, r->chain[k].step);
        }
        rg_buf_str(b, "</td></tr>\n");
    }
    rg_buf_str(b, "</tbody></table></div>\n<p class=\"note\">&ldquo;Against the first&rdquo; is the first run&rsquo;s "
                  "best time divided by this run&rsquo;s, where both are of one program and "
                  "of one kind. A dash: they can&rsquo;t be compared.</p>\n"
                  "<div class=\"figures\">\n");
    for (int by_seconds = 0; by_seconds < 2; by_seconds++) {
        static const char *const css[] = {"s1", "s2", "s3", "s4", "s5", "s6", "s7", "s0"};
        struct report_series *s = rg_xcalloc((size_t)n, sizeof *s);
        for (int i = 0; i < n; i++) {
            double *x = rg_xcalloc((size_t)runs[i]->n_evals + 2, sizeof *x),
                   *y = rg_xcalloc((size_t)runs[i]->n_evals + 2, sizeof *y);
            s[i] = (struct report_series){
                runs[i]->label, css[i % 8], report_best_so_far(runs[i], by_seconds, x, y), x, y, true, true};
        }
        rg_buf_printf(b, "<figure data-chart=\"compare-%s\"><figcaption>Best over %s</figcaption>\n",
                      by_seconds ? "seconds" : "evals", by_seconds ? "seconds" : "evaluations");
        report_svg(b, "Best time so far of each run", by_seconds ? "seconds" : "evaluations", REPORT_LINEAR, "time, us",
                   REPORT_LOG, s, n);
        rg_buf_str(b, "</figure>\n");
        for (int i = 0; i < n; i++) free((double *)(uintptr_t)s[i].x), free((double *)(uintptr_t)s[i].y);
        free(s);
    }
    rg_buf_str(b, "</div></section>\n");
}

void report_page(const struct report_run *const *runs, int n, const struct report_page_options *o, struct rg_buf *out)
{
    struct rg_buf title = RG_BUF_INIT;
    rg_buf_printf(&title, "%s", n == 1 ? runs[0]->function : "Runs compared");
    rg_buf_str(&title, " - ReGraph");
    report_head(out, title.data, o->live);
    rg_buf_release(&title);
    if (n > 1) {
        rg_buf_printf(out, "<header><h1>%d runs</h1></header>\n", n);
        compare(out, runs, n);
    }
    for (int i = 0; i < n; i++) {
        if (n > 1) {
            rg_buf_printf(out, "<details id=\"run-%d\" class=\"run\"><summary>", i);
            rg_buf_xml(out, runs[i]->label);
            rg_buf_str(out, "</summary>\n");
        }
        report_run_sections(runs[i], i, out);
        if (n > 1) rg_buf_str(out, "</details>\n");
    }
    report_terms(out);
    report_foot(out, report_data(runs, n, o->live));
}
