/* test-deadline: 300. row.registers on random nests whose points go over a row several times: parts of it, shifted
 * arrays, sums and maxima, elements that stand for the row, writes in place. Executed at lengths around what the
 * registers hold, for a warp and for a block a row, in both thread orders, it gives what the sequential code gives. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "tests/poly/chain.h"
#include "tests/poly/execute.h"
#include "tests/poly/mini.h"

enum { NESTS = 24, LEAST_LEGAL = 12, MAX_LOOPS = 4 };

static uint32_t seed;

static int pick(int n)
{
    seed = seed * 1664525u + 1013904223u;
    return (int)((seed >> 10) % (uint32_t)n);
}

struct making {
    struct rg_buf b;
    int shift[3]; /* of a, x, y */
    int scalars;
};

static void operand(struct making *m, int loop)
{
    int what = pick(m->scalars ? 6 : 4);
    if (what < 3)
        rg_buf_printf(&m->b, "%c(i,j%d+%d)", "axy"[what], loop, m -> shift[what]);
    else if (what == 3)
        rg_buf_printf(&m->b, "g(j%d)", loop);
    else
        rg_buf_printf(&m->b, "s%d", pick(m->scalars));
}

static void value(struct making *m, int loop)
{
    operand(m, loop);
    rg_buf_str(&m->b, pick(2) ? " + 0.5*" : " - 0.25*");
    operand(m, loop);
}

/* y(i,j) = ...; or x, perhaps chosen. */
static void map(struct making *m, int loop)
{
    int to = 1 + pick(2);
    bool chosen = pick(3) == 0;
    rg_buf_printf(&m->b, "%c(i,j%d+%d) = ", "axy"[to], loop, m -> shift[to]);
    if (chosen) rg_buf_printf(&m->b, "0 < a(i,j%d+%d) ? ", loop, m->shift[0]);
    value(m, loop);
    if (chosen) rg_buf_printf(&m->b, " : %c(i,j%d+%d)", "axy"[to], loop, m -> shift[to]);
    rg_buf_str(&m->b, "; ");
}

static char *nest(void)
{
    static const char *const first[] = {"0", "0", "1", "2"}, *const end[] = {"n", "n", "n-1"};
    struct making m = {.b = RG_BUF_INIT, .shift = {pick(3), pick(2), pick(3)}};
    int loops = 2 + pick(MAX_LOOPS - 1), r = pick(3);
    rg_buf_str(&m.b, "in a[m][n+2]; inout x[m][n+2]; inout y[m][n+2]; in g[n+2]; inout r[m]; int m; int n | ");
    rg_buf_str(&m.b, "for i 0, m { ");
    for (int l = 0; l < loops; l++) {
        int kind = l == 0 ? pick(2) : pick(4); /* sum, maximum, map, map and sum */
        if (kind != 2) rg_buf_printf(&m.b, "local s%d = 0.125; ", m.scalars);
        rg_buf_printf(&m.b, "for j%d %s, %s { ", l, first[pick(4)], end[pick(3)]);
        if (kind >= 2) map(&m, l);
        if (kind != 2) {
            int s = m.scalars;
            rg_buf_printf(&m.b, kind == 1 ? "s%d = fmaxf(s%d, " : "s%d += (", s, s);
            value(&m, l);
            rg_buf_str(&m.b, "); ");
        }
        if (r == 1 && l == 0) rg_buf_printf(&m.b, "r(i) += a(i,j%d+%d); ", l, m.shift[0]);
        rg_buf_str(&m.b, "} ");
        if (kind != 2) {
            rg_buf_printf(&m.b, "s%d = s%d / (n + 1); ", m.scalars, m.scalars);
            m.scalars++;
        }
    }
    rg_buf_printf(&m.b, "%s }", r == 2 ? "r(i) = s0 + r(i);" : r == 1 ? "r(i) = r(i) * 0.5;" : "");
    return rg_buf_steal(&m.b);
}

static void fill(void *arg, int param, int64_t n, void *to)
{
    uint32_t x = 7u + (uint32_t)param;
    (void)arg;
    for (int64_t i = 0; i < n; i++) {
        x = x * 1664525u + 1013904223u;
        ((float *)to)[i] = (float)(x >> 8) / 8388608.0f - 1.0f;
    }
}

static const struct {
    int64_t row, held, rows;
} shapes[] = {{32, 4, 2}, {64, 6, 1}};
enum { N_SHAPES = sizeof shapes / sizeof *shapes };

static void take_shape(const struct rg_template *t, int shape, struct rg_vector *v)
{
    rg_tunables_default(&t->tunables, v);
    v->values[rg_tunables_find(&t->tunables, "ROW")] = shapes[shape].row;
    v->values[rg_tunables_find(&t->tunables, "HELD")] = shapes[shape].held;
    v->values[rg_tunables_find(&t->tunables, "ROWS")] = shapes[shape].rows;
}

static void random_rows(void **state)
{
    static struct execute_job jobs[NESTS * N_SHAPES];
    static struct rg_problem *p[NESTS];
    static struct rg_ctree *t[NESTS];
    static char *text[NESTS];
    int n = 0, legal = 0;
    (void)state;
    for (int i = 0; i < NESTS; i++) {
        struct rg_coder c;
        struct rg_error err = RG_ERROR_INIT;
        char why[512] = "";
        seed = 1000u + (uint32_t)i;
        text[i] = nest();
        mini_parse("nest", text[i], &p[i], &t[i]);
        assert_int_equal(rg_poly_new(p[i], t[i], &c, &err), RG_OK);
        struct rg_template *tm = chain_make(&c, "row.registers", why, sizeof why);
        c.free(c.self);
        if (!tm) assert_true(strlen(why) > 10);
        legal += tm != NULL;
        for (int s = 0; tm && s < N_SHAPES; s++, n++) {
            struct rg_vector v;
            take_shape(tm, s, &v);
            jobs[n].problem = p[i];
            jobs[n].tree = t[i];
            snprintf(jobs[n].label, sizeof jobs[n].label, "%.280s", text[i]);
            if (tm->ops->instantiate(tm, &v, &jobs[n].source, &err) != RG_OK) /* shorter rows than a search would try */
                fail_msg("%s: %s", text[i], err.text);
        }
        rg_template_unref(tm);
    }
    if (legal < LEAST_LEGAL) fail_msg("%d of %d nests are legal", legal, NESTS);
    assert_true(execute_compile(jobs, n));
    static int64_t sizes[][2] = {{5, 128}, {3, 127}, {1, 1}, {2, 2}, {4, 384}, {3, 130}, {2, 401}};
    for (int i = 0; i < n; i++)
        for (size_t z = 0; z < sizeof sizes / sizeof *sizes; z++)
            for (int r = 0; r < 2; r++) {
                struct rg_sizes at = {.values = sizes[z]};
                char why[256];
                if (!execute_case(&jobs[i].x, jobs[i].problem, &at, fill, NULL, r, why, sizeof why))
                    fail_msg("%s, sizes %zu, order %d: %s\n%s\n%s", jobs[i].label, z, r, why, jobs[i].source.cuda,
                             jobs[i].source.plan);
            }
    execute_release(jobs, n);
    for (int i = 0; i < NESTS; i++) {
        rg_problem_free(p[i]);
        rg_ctree_free(t[i]);
        free(text[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_rows)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
