/* How parallel the best is, by where its time goes, and what its kernels of one thread are in the way of. */
#include "base/json_util.h"
#include "cmd/search.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LONE = 64, MOST_REASONS = 3 };
static const double some = 0.1, half = 0.5, most = 0.9; /* shares of the kernels' time */

static double share(const struct search_session *s, const char *name)
{
    double v = s->result.best ? rg_evaluation_counter(&s->result.evaluation, name) : NAN;
    return isfinite(v) ? v : 0;
}

const char *search_parallel(const struct search_session *s)
{
    if (!s->result.best || isnan(rg_evaluation_counter(&s->result.evaluation, "one_thread_share"))) return NULL;
    double lone = share(s, "one_thread_share"), block = share(s, "one_block_share");
    return lone >= most ? "one-thread" : lone >= some || lone + block >= half ? "partly" : "true";
}

bool search_keep_your_c(const struct search_session *s)
{
    const struct rg_farm_info *i = rg_farm_info(s->farm);
    return s->result.best && i->sequential_ms > 0 && i->sequential_how != RG_SEQUENTIAL_AT_LEAST &&
           s->result.evaluation.time_us >= i->sequential_ms * 1e3;
}

/* Those with work that others could share, the one that takes the time first; caller frees. */
static int lone_kernels(const struct search_session *s, struct rg_lone **out)
{
    const struct rg_template *t = s->result.best;
    struct rg_lone *a = rg_xcalloc(MOST_LONE, sizeof *a);
    int found = t && t->ops->lone ? t->ops->lone(t, a, MOST_LONE) : 0, n = 0;
    for (int i = 0; i < found; i++) {
        if (!a[i].loops) continue;
        struct rg_lone l = a[i];
        int at = !strcmp(l.kernel, s->result.evaluation.kernel) ? 0 : n;
        memmove(&a[at + 1], &a[at], (size_t)(n - at) * sizeof *a);
        a[at] = l;
        n++;
    }
    *out = a;
    return n;
}

static void lift_text(const struct search_session *s, const struct rg_lone *l, struct rg_buf *out)
{
    rg_buf_printf(out, "%s%s", l->lift,
                  s->o.uses_model ? ""
                  : l->lift[0]    ? "; or a model (--llm-url)"
                                  : "a model (--llm-url)");
}

void search_parallel_report(const struct search_session *s, int code)
{
    const char *word = search_parallel(s);
    if (!word) return;
    double lone = share(s, "one_thread_share"), block = share(s, "one_block_share");
    struct rg_lone *a;
    int n = lone_kernels(s, &a);
    bool all = !strcmp(word, "true"), single = !strcmp(word, "one-thread");
    printf("  parallel    %s", rg_cmd_paint(stdout, all ? "1" : "1;31",
                                            all      ? "yes"
                                            : single ? "NO: ONE THREAD"
                                                     : "PARTLY"));
    if (!all || 100 * lone >= 1) printf(", %.0f%% of the time in one thread", 100 * lone);
    if (!all && block > 0) printf(", %.0f%% in one block", 100 * block);
    printf("; kernel %s takes the most time, %.0f thread%s\n", s->result.evaluation.kernel,
           s->result.evaluation.threads, s->result.evaluation.threads == 1 ? "" : "s");
    for (int i = 0; i < n && i < MOST_REASONS; i++) {
        struct rg_buf lift = RG_BUF_INIT;
        lift_text(s, &a[i], &lift);
        printf("  one thread  %s\n", a[i].reason);
        if (lift.len) printf("              what lifts it: %s\n", lift.data);
        rg_buf_release(&lift);
    }
    if (n > MOST_REASONS) printf("  one thread  %d more of its kernels\n", n - MOST_REASONS);
    free(a);
    if (code == RG_EXIT_SLOWER) {
        const struct rg_farm_info *i = rg_farm_info(s->farm);
        printf("  %s: no kernel found is faster at this size%s\n", rg_cmd_paint(stdout, "1;31", "KEEP YOUR C"),
               i->estimated ? ", by estimate (--explain says what keeps loops from running in parallel)" : "");
    }
}

void search_parallel_json(const struct search_session *s, json_t *o)
{
    const char *word = search_parallel(s);
    struct rg_lone *a;
    int n = lone_kernels(s, &a);
    json_t *list = json_array();
    for (int i = 0; i < n; i++) {
        struct rg_buf lift = RG_BUF_INIT;
        lift_text(s, &a[i], &lift);
        json_array_append_new(list,
                              json_pack("{s:o, s:o, s:o, s:o, s:o}", "kernel", rg_json_text(a[i].kernel), "file",
                                        rg_json_text(s->problem->file ? s->problem->file : ""), "line",
                                        a[i].line ? json_integer(a[i].line) : json_null(), "reason",
                                        rg_json_text(a[i].reason), "lift", rg_json_text(lift.data ? lift.data : "")));
        rg_buf_release(&lift);
    }
    free(a);
    json_object_set_new(o, "parallel", word ? json_string(word) : json_null());
    json_object_set_new(o, "keep_your_c", json_boolean(search_keep_your_c(s)));
    json_object_set_new(o, "one_thread",
                        json_pack("{s:o, s:o, s:o}", "share",
                                  word ? json_real(share(s, "one_thread_share")) : json_null(), "one_block_share",
                                  word ? json_real(share(s, "one_block_share")) : json_null(), "kernels", list));
}
