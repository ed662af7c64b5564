/* test-deadline: 400. Random nests: whatever the coder makes of them, executed, gives what the sequential code gives.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "tests/poly/chain.h"
#include "tests/poly/execute.h"
#include "tests/poly/mini.h"

struct dice {
    uint32_t state;
};

static int roll(struct dice *d, int n)
{
    d->state = d->state * 1664525u + 1013904223u;
    return (int)((d->state >> 10) % (uint32_t)n);
}

struct writing {
    struct dice *d;
    struct rg_buf out;
    int depth, names, locals;
    char iter[4][8], local[4][8];
    int statements;
};

/* Iterators stay in [0, n); arrays reach from -4 to n + 4 by an offset of 4. */
static void subscript(struct writing *w)
{
    int k = roll(w->d, 5) - 2;
    if (w->depth == 0 || roll(w->d, 12) == 0) {
        rg_buf_printf(&w->out, "%d", 4 + roll(w->d, 3));
        return;
    }
    const char *i = w->iter[roll(w->d, w->depth)];
    if (roll(w->d, 8) == 0)
        rg_buf_printf(&w->out, "n - 1 - %s + 4", i);
    else
        rg_buf_printf(&w->out, "%s + %d", i, 4 + (roll(w->d, 2) ? k : 0));
}

static void reference(struct writing *w)
{
    static const char *const names[] = {"A", "B", "X", "Y"};
    int a = roll(w->d, 4);
    rg_buf_printf(&w->out, "%s(", names[a]);
    subscript(w);
    if (a < 2) {
        rg_buf_str(&w->out, ", ");
        subscript(w);
    }
    rg_buf_char(&w->out, ')');
}

static void value(struct writing *w)
{
    int terms = 1 + roll(w->d, 3);
    for (int i = 0; i < terms; i++) {
        rg_buf_printf(&w->out, "%s0.%d * ", i ? " + " : "", 1 + roll(w->d, 3));
        if (w->locals && roll(w->d, 3) == 0)
            rg_buf_str(&w->out, w->local[roll(w->d, w->locals)]);
        else
            reference(w);
    }
}

static void statement(struct writing *w)
{
    w->statements++;
    int kind = roll(w->d, 8);
    if (kind == 0 && w->locals < 4) {
        snprintf(w->local[w->locals], sizeof w->local[0], "t%d", w->names++);
        rg_buf_printf(&w->out, "local %s = ", w->local[w->locals]);
        value(w);
        rg_buf_str(&w->out, "; ");
        w->locals++;
        return;
    }
    if (kind == 1 && w->locals) {
        rg_buf_printf(&w->out, "%s += ", w->local[roll(w->d, w->locals)]);
    } else {
        reference(w);
        rg_buf_str(&w->out, kind == 2 ? " += 0.1 * " : " = ");
        if (kind == 2) {
            reference(w);
            rg_buf_str(&w->out, "; ");
            return;
        }
    }
    value(w);
    rg_buf_str(&w->out, "; ");
}

static void body(struct writing *w, int most);

static void loop(struct writing *w)
{
    char *name = w->iter[w->depth];
    snprintf(name, sizeof w->iter[0], "i%d", w->names++);
    const char *outer = w->depth ? w->iter[roll(w->d, w->depth)] : NULL;
    switch (roll(w->d, outer ? 7 : 4)) {
    case 0:
        rg_buf_printf(&w->out, "for %s 1, n { ", name);
        break;
    case 1:
        rg_buf_printf(&w->out, "for %s 0, n - 1 { ", name);
        break;
    case 2:
        rg_buf_printf(&w->out, "for %s n - 1, -1 by -1 { ", name);
        break;
    case 4:
        rg_buf_printf(&w->out, "for %s 0, %s { ", name, outer);
        break;
    case 5:
        rg_buf_printf(&w->out, "for %s %s, n { ", name, outer);
        break;
    default:
        rg_buf_printf(&w->out, "for %s 0, n { ", name);
        break;
    }
    w->depth++;
    int locals = w->locals;
    body(w, w->depth < 3 ? 3 : 2);
    w->locals = locals;
    w->depth--;
    rg_buf_str(&w->out, "} ");
}

static void body(struct writing *w, int most)
{
    int n = 1 + roll(w->d, most);
    for (int i = 0; i < n && w->statements < 6; i++) {
        int kind = roll(w->d, 10);
        if (w->depth < 4 && (kind < 5 || w->depth == 0)) {
            loop(w);
        } else if (kind == 9) {
            int locals = w->locals;
            rg_buf_printf(&w->out, "if %s < %s + %d { ", w->iter[roll(w->d, w->depth)], w->iter[roll(w->d, w->depth)],
                          roll(w->d, 3));
            statement(w);
            w->locals = locals;
            rg_buf_str(&w->out, "} ");
        } else {
            statement(w);
        }
    }
    if (w->statements == 0) statement(w);
}

static void generate(uint32_t seed, struct rg_buf *out)
{
    struct dice d = {seed * 2654435761u + 17};
    struct writing w = {.d = &d, .out = RG_BUF_INIT};
    rg_buf_str(&w.out, "inout A[n+12][n+12]; inout B[n+12][n+12]; inout X[n+12]; inout Y[n+12]; int n | ");
    do body(&w, 2);
    while (w.statements == 0);
    rg_buf_str(out, w.out.data);
    rg_buf_release(&w.out);
}

static uint32_t noise;

static void fill(void *arg, int param, int64_t n, void *to)
{
    noise = 7;
    for (int64_t i = 0; i < n; i++) {
        noise = noise * 1664525u + 1013904223u + (uint32_t)param;
        ((float *)to)[i] = (float)(noise >> 8) / 16777216.0f - 0.5f;
    }
}

enum { MAX_JOBS = 10 };

static void add_job(struct execute_job *jobs, int *n, const struct rg_problem *p, const struct rg_ctree *t,
                    const struct rg_template *tm, const char *text)
{
    struct rg_error err = RG_ERROR_INIT;
    if (*n == MAX_JOBS) return;
    struct execute_job *j = &jobs[*n];
    memset(j, 0, sizeof *j);
    j->problem = p;
    j->tree = t;
    struct rg_vector v;
    rg_tunables_default(&tm->tunables, &v);
    int block = rg_tunables_find(&tm->tunables, "BLOCK");
    if (block >= 0) { /* fewer fibers */
        int64_t usual = v.values[block];
        v.values[block] = 64;
        if (!rg_tunables_allow(&tm->tunables, &v)) v.values[block] = usual;
    }
    if (rg_template_instantiate(tm, &v, &j->source, &err) != RG_OK) fail_msg("%s: %s: %s", text, tm->key, err.text);
    snprintf(j->label, sizeof j->label, "%.280s", tm->key);
    ++*n;
}

/* Every chain the coder offers up to three actions deep, thinned out. */
static void explore(const struct rg_coder *c, struct rg_template *at, int depth, struct dice *d,
                    struct execute_job *jobs, int *n, const struct rg_problem *p, const struct rg_ctree *t,
                    const char *text)
{
    for (int s = 0; s < N_CHAIN_STEPS && depth < 3; s++) {
        struct rg_site_list l = {0};
        c->sites(c->self, at, &chain_steps[s], &l, NULL);
        for (int i = 0; i < l.n; i++) {
            char why[512];
            if (depth && roll(d, 3)) continue;
            struct rg_template *next = chain_apply(c, at, chain_steps[s].id, l.items[i].name, why, sizeof why);
            if (!next)
                fail_msg("%s: %s@%s is a site and then refused: %s", text, chain_steps[s].id, l.items[i].name, why);
            add_job(jobs, n, p, t, next, text);
            explore(c, next, depth + 1, d, jobs, n, p, t, text);
            rg_template_unref(next);
        }
        rg_site_list_release(&l);
    }
}

static void one(uint32_t seed)
{
    struct rg_buf text = RG_BUF_INIT;
    struct rg_problem *p;
    struct rg_ctree *t;
    struct rg_coder c;
    struct rg_error err = RG_ERROR_INIT;
    static struct execute_job jobs[MAX_JOBS];
    int n = 0;
    generate(seed, &text);
    mini_parse("nest", text.data, &p, &t);
    static int64_t large[] = {400};
    static struct rg_sizes timed = {.values = large, .timed = true};
    if (seed % 3) { /* at a size that is worth another order of the loops; without one the order of the C stays */
        p->n_sizes = 1;
        p->sizes = &timed;
    }
    if (rg_poly_new(p, t, &c, &err) != RG_OK) fail_msg("seed %u: %s: %s", seed, text.data, err.text);
    char refusal[512];
    struct rg_template *sequential = chain_apply(&c, NULL, "sequential", "C", refusal, sizeof refusal);
    if (!sequential) fail_msg("seed %u: sequential is refused: %s", seed, refusal);
    add_job(jobs, &n, p, t, sequential, text.data);
    rg_template_unref(sequential);
    struct dice d = {seed};
    explore(&c, NULL, 0, &d, jobs, &n, p, t, text.data);
    if (!execute_compile(jobs, n)) fail_msg("seed %u does not compile: %s", seed, text.data);
    static int64_t sizes[] = {13, 1, 20};
    for (int i = 0; i < n; i++)
        for (int z = 0; z < 3; z++)
            for (int r = 0; r < 2; r++) {
                struct rg_sizes s = {.values = &sizes[z]};
                char why[256];
                if (!execute_case(&jobs[i].x, p, &s, fill, NULL, r, why, sizeof why))
                    fail_msg("seed %u, n = %d, %s order, %s: %s\n%s\n%s\n%s", seed, (int)sizes[z],
                             r ? "reverse" : "usual", jobs[i].label, why, text.data, jobs[i].source.cuda,
                             jobs[i].source.plan);
            }
    execute_release(jobs, n);
    c.free(c.self);
    p->n_sizes = 0;
    p->sizes = NULL;
    rg_problem_free(p);
    rg_ctree_free(t);
    rg_buf_release(&text);
}

static void random_nests(void **state)
{
    const char *from = getenv("RG_SEED"), *count = getenv("RG_NESTS");
    uint32_t first = from ? (uint32_t)atoi(from) : 1;
    uint32_t n = count ? (uint32_t)atoi(count) : 30;
    for (uint32_t s = first; s < first + n; s++) one(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_nests)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
