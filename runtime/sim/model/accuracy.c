#include "runtime/sim/model/accuracy.h"
#include <rg/buf.h>
#include <stdio.h>

static void ask(struct rg_buf *b, bool met, const char *what, double found, const char *asked)
{
    if (!met) rg_buf_printf(b, "%s%s %.3g (asked: %s)", b->len ? ", " : "", what, found, asked);
}

static void look_at(const struct rg_look *l, struct rg_buf *b)
{
    double n = l->problems;
    ask(b, l->spearman_median >= 0.92, "Spearman median", l->spearman_median, "0.92");
    ask(b, l->spearman_worst >= 0.75, "Spearman worst", l->spearman_worst, "0.75");
    ask(b, l->pairs >= 0.92, "share of pairs in order", l->pairs, "0.92");
    ask(b, 100 * l->top3 >= 95 * l->problems, "best in the top 3 of a share of", l->top3 / n, "0.95");
    ask(b, 10 * l->regret_small >= 9 * l->problems, "regret of at most 1.15x in a share of", l->regret_small / n,
        "0.9");
    ask(b, l->regret_worst <= 1.5, "worst regret", l->regret_worst, "1.5");
    ask(b, l->within >= 0.8, "share within 1.5x", l->within, "0.8");
}

bool rg__accuracy_good(const struct rg_accuracy *a, char *why, size_t size)
{
    struct rg_buf all = RG_BUF_INIT;
    if (!a->n) rg_buf_str(&all, "its file states no accuracy");
    for (int i = 0; i < a->n; i++) {
        struct rg_buf b = RG_BUF_INIT;
        look_at(&a->looks[i], &b);
        if (b.len)
            rg_buf_printf(&all, "%s%s, %d problems: %s", all.len ? "; " : "", a->looks[i].when, a->looks[i].problems,
                          b.data);
        rg_buf_release(&b);
    }
    bool good = !all.len;
    snprintf(why, size, "%s", all.data);
    rg_buf_release(&all);
    return good;
}
