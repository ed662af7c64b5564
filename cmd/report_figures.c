/* Figures that are made of what journals say: the importance of tunables, break-even, differences of texts. */
#include "cmd/report.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

double report_counter(const struct report_eval *e, const char *name)
{
    for (int i = 0; e && i < e->n_counters; i++)
        if (!strcmp(e->counters[i].name, name)) return e->counters[i].value;
    return NAN;
}

const struct report_eval *report_best_eval(const struct report_run *r)
{
    const struct report_eval *best = NULL;
    for (int i = 0; i < r->n_evals; i++) {
        const struct report_eval *e = &r->evals[i];
        if (e->us > 0 && e->node == r->best_node && (!best || e->us < best->us)) best = e;
    }
    return best;
}

void report_vector_print(struct rg_buf *b, const struct report_vector *v)
{
    for (int i = 0; i < v->n; i++)
        rg_buf_printf(b, "%s%s=%lld", i ? ", " : "", v->items[i].name, (long long)v->items[i].value);
}

static const int64_t *value_of(const struct report_eval *e, const char *name)
{
    for (int i = 0; i < e->vector.n; i++)
        if (!strcmp(e->vector.items[i].name, name)) return &e->vector.items[i].value;
    return NULL;
}

struct point {
    int node;
    int64_t value;
    double y;
};

static int by_group(const void *a, const void *b)
{
    const struct point *x = a, *y = b;
    return x->node != y->node ? (x->node > y->node) - (x->node < y->node)
                              : (x->value > y->value) - (x->value < y->value);
}

static double squares(const struct point *p, int n)
{
    double sum = 0, all = 0;
    for (int i = 0; i < n; i++) sum += p[i].y;
    for (int i = 0; i < n; i++) all += (p[i].y - sum / n) * (p[i].y - sum / n);
    return all;
}

/* The correlation ratio (eta squared), pooled over versions: 1 - what is left within equal values / what there is
 * within versions. */
static double share_of(struct point *p, int n)
{
    double total = 0, within = 0;
    qsort(p, (size_t)n, sizeof *p, by_group);
    for (int i = 0, k; i < n; i = k) {
        for (k = i; k < n && p[k].node == p[i].node;) k++;
        total += squares(p + i, k - i);
    }
    for (int i = 0, k; i < n; i = k) {
        for (k = i; k < n && p[k].node == p[i].node && p[k].value == p[i].value;) k++;
        within += squares(p + i, k - i);
    }
    return total > 0 ? 1 - within / total : NAN;
}

static int by_share(const void *a, const void *b)
{
    const struct report_importance *x = a, *y = b;
    return (x->share < y->share) - (x->share > y->share);
}

int report_importance(const struct report_run *r, struct report_importance **out)
{
    struct report_importance *all = NULL;
    struct point *p = rg_xcalloc((size_t)r->n_evals + 1, sizeof *p);
    int n = 0, cap = 0;
    for (int i = 0; i < r->n_evals; i++)
        for (int k = 0; k < r->evals[i].vector.n; k++) {
            const char *name = r->evals[i].vector.items[k].name;
            bool known = false;
            for (int m = 0; m < n; m++) known = known || !strcmp(all[m].name, name);
            if (known) continue;
            RG_GROW(all, n, cap);
            int points = 0;
            for (int m = 0; m < r->n_evals; m++) {
                const struct report_eval *e = &r->evals[m];
                const int64_t *v = value_of(e, name);
                if (v && e->us > 0) p[points++] = (struct point){e->node, *v, log(e->us)};
            }
            all[n++] = (struct report_importance){name, share_of(p, points), points};
        }
    int kept = 0;
    for (int i = 0; i < n; i++)
        if (isfinite(all[i].share)) all[kept++] = all[i];
    if (kept) qsort(all, (size_t)kept, sizeof *all, by_share);
    free(p);
    *out = all;
    return kept;
}

double report_call_ms(const struct report_run *r)
{
    if (r->total_ms > 0) return r->total_ms;
    return r->best_us > 0 ? r->best_us * 1e-3 + r->transfer_ms : NAN;
}

double report_break_even(double search_s, double sequential_ms, double call_ms)
{
    double saved = sequential_ms - call_ms;
    return saved > 0 && search_s >= 0 ? ceil(1e3 * search_s / saved) : NAN;
}

/* --- differences by lines: Myers' O(ND) algorithm, "An O(ND) difference algorithm and its variations", 1986 --- */
struct lines {
    int n;
    const char **at;
    int *len;
};

static struct lines split(const char *text)
{
    struct lines l = {0};
    int cap = 0, cap_len = 0;
    for (const char *s = text; *s;) {
        int n = (int)strcspn(s, "\n");
        int k = l.n;
        RG_GROW(l.at, k, cap);
        RG_GROW(l.len, k, cap_len);
        l.at[l.n] = s;
        l.len[l.n++] = n;
        s += n + (s[n] == '\n');
    }
    return l;
}

static bool same(const struct lines *a, int i, const struct lines *b, int k)
{
    return a->len[i] == b->len[k] && !memcmp(a->at[i], b->at[k], (size_t)a->len[i]);
}

enum { MOST_EDITS = 3000, CONTEXT = 3 };

/* Marks lines of a that go and lines of b that come. Texts that differ in more than MOST_EDITS lines: all of them. */
static void compare(const struct lines *a, const struct lines *b, char *gone, char *come)
{
    int most = a->n + b->n < MOST_EDITS ? a->n + b->n : MOST_EDITS, width = 2 * most + 3;
    int *v = rg_xcalloc((size_t)width, sizeof *v), **kept = rg_xcalloc((size_t)most + 1, sizeof *kept), found = -1;
    for (int d = 0; d <= most && found < 0; d++) {
        for (int k = -d; k <= d; k += 2) {
            int *at = v + most + 1 + k, x = k == -d || (k != d && at[-1] < at[1]) ? at[1] : at[-1] + 1, y = x - k;
            while (x < a->n && y < b->n && same(a, x, b, y)) x++, y++;
            *at = x;
            if (x >= a->n && y >= b->n) found = d;
        }
        kept[d] = rg_xmalloc((size_t)(2 * d + 1) * sizeof **kept);
        memcpy(kept[d], v + most + 1 - d, (size_t)(2 * d + 1) * sizeof **kept);
    }
    if (found < 0) {
        memset(gone, 1, (size_t)a->n);
        memset(come, 1, (size_t)b->n);
    }
    for (int d = found, x = a->n, y = b->n; d > 0; d--) {
        const int *w = kept[d - 1] + d - 1; /* diagonals -(d-1) .. d-1 */
        int k = x - y,
            down = k == -d || (k != d && (k - 1 < -(d - 1) ? -1 : w[k - 1]) < (k + 1 > d - 1 ? -1 : w[k + 1]));
        int from = down ? k + 1 : k - 1;
        x = w[from];
        y = x - from;
        if (down)
            come[y] = 1;
        else
            gone[x] = 1;
    }
    for (int d = 0; d <= most; d++) free(kept[d]);
    free(kept);
    free(v);
}

void report_diff(const char *a_text, const char *b_text, struct rg_buf *out)
{
    struct lines a = split(a_text), b = split(b_text);
    char *gone = rg_xcalloc((size_t)a.n + 1, 1), *come = rg_xcalloc((size_t)b.n + 1, 1);
    compare(&a, &b, gone, come);
    int quiet = CONTEXT + 1; /* lines since the last that changed, or that were printed as context before one */
    for (int i = 0, k = 0; i < a.n || k < b.n;) {
        bool minus = i < a.n && gone[i], plus = !minus && k < b.n && come[k];
        if (minus)
            rg_buf_printf(out, "-%.*s\n", a.len[i], a.at[i]), i++, quiet = 0;
        else if (plus)
            rg_buf_printf(out, "+%.*s\n", b.len[k], b.at[k]), k++, quiet = 0;
        else {
            bool near = quiet < CONTEXT;
            for (int m = 0; m <= CONTEXT && !near; m++)
                near = (i + m < a.n && gone[i + m]) || (k + m < b.n && come[k + m]);
            if (near) {
                if (quiet > CONTEXT) rg_buf_printf(out, "@@ -%d +%d @@\n", i + 1, k + 1);
                rg_buf_printf(out, " %.*s\n", a.len[i], a.at[i]);
                quiet = quiet > CONTEXT ? 0 : quiet + 1;
            } else
                quiet = CONTEXT + 1;
            i++, k++;
        }
    }
    free(gone);
    free(come);
    free(a.at);
    free(a.len);
    free(b.at);
    free(b.len);
}
