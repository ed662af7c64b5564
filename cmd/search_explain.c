/* --explain: the problem as understood, what is legal on it, how the tree came about. */
#include "cmd/search.h"
#include <rg/frontend.h>
#include <rg/poly.h>
#include <stdlib.h>
#include <string.h>

void search_explain_pass(void *arg, const char *name, const char *what, double seconds, const struct rg_ctree *t)
{
    struct rg_buf *last = arg, now = RG_BUF_INIT;
    rg_c_print(&now, t, t->root, NULL);
    bool same = last->len == now.len && !memcmp(last->data, now.data, now.len);
    printf("== %s: %s (%.3f ms)%s\n", name, what, 1e3 * seconds, same ? ": no change" : "");
    if (!same) fwrite(now.data, 1, now.len, stdout);
    rg_buf_release(last);
    *last = now;
}

/* What a run of the C shows: the bytes that must move, and what verification would refuse it for. */
static void explain_run(struct search_session *s, struct rg_buf *b)
{
    const struct rg_farm_options o = {.seed = (uint64_t)s->o.seed, .reference_s = 5};
    struct rg_farm_info i;
    struct rg_error e = RG_ERROR_INIT;
    char text[1500];
    if (rg_farm_look(&o, s->problem, &i, &e) != RG_OK) {
        rg_buf_printf(b, "verification\n  %s%s\n", e.status == RG_INPUT ? "refuses it: " : "", rg_error_format(&e, text, sizeof text));
        return;
    }
    rg_buf_str(b, "bytes that must move at the timed size\n  ");
    if (i.traffic == RG_TRAFFIC_UNKNOWN) rg_buf_printf(b, "unknown: %s", i.traffic_why);
    else rg_buf_printf(b, "%.4g read, %.4g written (%s)%s%s", i.read_bytes, i.write_bytes, rg_traffic_word(i.traffic), i.traffic_why[0] ? ", " : "", i.traffic_why);
    rg_buf_char(b, '\n');
}

void search_explain(struct search_session *s)
{
    struct rg_buf b = RG_BUF_INIT;
    rg_frontend_explain(&b, s->problem, s->tree);
    explain_run(s, &b);
    if (s->has_poly) {
        int n = rg_regraph_steps(s->graph);
        const struct rg_step **steps = rg_xcalloc((size_t)n, sizeof *steps);
        for (int i = 0; i < n; i++) steps[i] = rg_regraph_step(s->graph, i);
        rg_buf_char(&b, '\n');
        rg_poly_explain(&s->coders[0], steps, n, &b);
        free(steps);
    } else if (s->poly_reason[0]) {
        rg_buf_printf(&b, "\nThe built-in coder can do nothing here: %s\n", s->poly_reason);
    }
    fwrite(b.data, 1, b.len, stdout);
    rg_buf_release(&b);
}
