/* Whole programs of the kinds users bring (programs/): read by the C front end, shaped by a chain of steps, executed at
 * the small verify sizes with threads in both orders, compared with the tree run sequentially. And what is refused.
 * Skipped where libclang is missing. */
/* test-deadline: 300 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "runtime/data/inputs.h"
#include "tests/poly/chain.h"
#include "tests/poly/execute.h"
#include <rg/frontend.h>

static const struct {
    const char *file, *chain, *has; /* has: what the CUDA text or the plan must hold */
} cases[] = {
    {"scatter_histogram", "parallelize", "atomicAdd(&bins[x[i]], 1)"},
    {"scatter_histogram", "parallelize,coalesce,histogram.private@bins", "if (nb * 4 <= 49152)"},
    {"scatter_image", "parallelize,coalesce", "atomicAdd"},
    {"scatter_image", "parallelize,histogram.private@hist", "__shared__ unsigned int hist_own[256]"},
    {"scatter_weighted", "parallelize,coalesce,coarsen.register", "atomicAdd(&y[idx[i]]"},
    {"scatter_density", "parallelize,coalesce", "atomicAdd(&hist["},
    {"scatter_density", "parallelize,histogram.private@hist,unroll", "hist_own"},
    {"scatter_forces", "parallelize,coalesce", "atomicAdd"},
    {"scatter_range", "parallelize,coalesce", "atomic_update32<true>"},
    {"scatter_range", "parallelize,histogram.private@lo,histogram.private@hi,histogram.private@any", "any_own"},
    {"scatter_csr", "parallelize,coalesce", "atomicAdd(&y[col[k]]"},
    {"scatter_pairs", "parallelize,coalesce", "atomicAdd"},
    {"scatter_cells", "parallelize,coalesce", "atomicAdd(&c[k].mom[0]"},
    {"scatter_marks", "parallelize,coalesce", "atomic_update64<false>"},
    {"rows_csr", "parallelize,row.warp", "for (int k = start[i] + (int)lane; k < start[i + 1]; k += LANES)"},
    {"rows_csr", "parallelize,row.warp,unroll", "team_min<LANES>(least_acc, team)"},
    {"band_signed", "reduce.block@loop:j", "(long)(threadIdx.y)"},
    {"band_unsigned", "parallelize,coalesce", "(long long)j < (n - w)"},
    {"band_unsigned", "reduce.block@loop:j", "(long long)j < (n - w)"},
    {"band_twice", "reduce.block@loop:j", "y_acc2"},
    {"band_twice", "parallelize,row.warp", "y_acc2"},
    {"swap_heat", "parallelize,coalesce", "for (int t = 0; t < steps / 2; t += 1)"},
    {"swap_scratch", "parallelize,coalesce,grid.stride", "scratch float tmp"},
    {"swap_wave", "parallelize,coalesce", "t < steps / 3"},
    {"swap_parity", "parallelize,coalesce,coarsen.register", "steps / 2"},
    {"swap_planes", "parallelize,coalesce,coarsen.register", "steps / 2"},
    {"swap_struct", "parallelize,coalesce,tile.shared@a", "steps / 2"},
    {"swap_helper", "parallelize,coalesce", "for (int"},
    {"swap_params", "parallelize,coalesce", "steps / 2"},
    {"swap_rows", "parallelize,coalesce", "t < 3"},
    {"until_jacobi", "reduce.block@C", "go_on_mem[0]"},
    {"until_jacobi", "reduce.block@C,reduce.warp", "taken_mem[0]"},
    {"until_break", "reduce.block@loop:i_2", "k_2 < maxit && go_on_mem[0]"},
    {"until_power", "reduce.block@C,coalesce", "go_on_mem[0]"},
    {"until_gradients", "reduce.block@C", "part3_next"},
    {"until_labels", "reduce.block@loop:i,coalesce", "part_changed"},
    {"until_kmeans", "parallelize,coalesce", "left_mem"},
    {"until_rows", "parallelize,coalesce", "&& go_on"},
    {"until_rows", "reduce.block@loop:j", "&& go_on"},
    {"swap_nested", "parallelize,coalesce", "outer / 2"},
    {"until_nested", "reduce.block@C", "go_on_mem[0]"},
    {"resident_power", "reduce.block@C,resident.block", "&& go_on"},
    {"resident_power", "reduce.block@C,grid.sync", "&& go_on_mem[0]"},
    {"until_gradients", "reduce.block@C,grid.sync,reduce.warp", "resident_blocks"},
    {"until_nested", "reduce.block@C,grid.sync", "resident_blocks"},
    {"resident_phases", "parallelize,coalesce,grid.sync", "if (t % 2 == 0)"},
    {"swap_heat", "parallelize,coalesce,grid.sync", "resident_blocks"},
    {"resident_long", "parallelize", "heat_kernel1<<<1, 512>>>"},
    {"resident_wide", "parallelize,coalesce", "[cooperative] waves_resident1<<<min(132, resident_blocks), 512>>>"},
    {"resident_wide", "reduce.block@C,coalesce", "part1_e"},
    {"resident_power", "reduce.block@C,resident.block,reduce.warp", "block_max_warp"},
    {"resident_phases", "parallelize,coalesce,resident.block,unroll", "__syncthreads"},
    {"resident_phases", "parallelize,resident.block,reduce.warp", "block_add_warp"},
    {"scan_ema", "scan.block", "level_plus"},
    {"scan_ema", "parallelize,scan.block@loop:i", "y_by_y"},
    {"scan_compact", "scan.block", "where[k_now] = i"},
    {"scan_biquad", "parallelize,scan.block", "y2_by_y1"},
    {"scan_biquad", "parallelize,scan.block,row.warp", "i_run_through<LANES>"},
    {"scan_hash", "scan.block", "h_by_h"},
    {"scan_segments", "scan.block", "since["},
    {"scan_thomas", "parallelize,scan.block", "_run_b_in_front<BLOCK>"},
    {"scan_thomas", "scan.block,row.warp", "one.p_den_by"},
    {"scan_iir", "scan.block", "y2_by_y"},
    {"scan_argmin", "parallelize,reduce.block@loop:j", "// the last iteration of those that have it"},
    {"scan_argmin", "parallelize,reduce.block@loop:j,row.warp", "// the first iteration of those that have it"},
};
enum { N = sizeof cases / sizeof *cases };

/* The reference is the tree's text: what it allocates it does not free. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "detect_leaks=0";
}

struct filling {
    const struct rg_problem *p;
    const struct rg_sizes *s;
    int seed;
};

static void fill(void *arg, int param, int64_t n, void *to)
{
    const struct filling *x = arg;
    struct rg_fill f = {.problem = x->p, .sizes = x->s, .base = 1, .seed = x->seed};
    struct rg_error err = RG_ERROR_INIT;
    if (rg__input_fill(&f, param, n, to, &err) != RG_OK) fail_msg("%s", err.text);
}

/* false: no libclang here. */
static bool load(const char *name, struct rg_problem **p, struct rg_ctree **t)
{
    struct rg_error err = RG_ERROR_INIT;
    char file[600];
    snprintf(file, sizeof file, "%s", __FILE__);
    snprintf(strrchr(file, '/') + 1, 200, "programs/%s.c", name);
    struct rg_frontend_options o = {.file = file, .rtol = -1, .atol = -1};
    enum rg_status st = rg_frontend_load(&o, p, t, &err);
    if (st != RG_OK && st != RG_UNAVAILABLE) fail_msg("%s: %s", file, err.text);
    return st == RG_OK;
}

static void programs(void **state)
{
    static struct execute_job jobs[N];
    static struct rg_problem *p[N];
    static struct rg_ctree *t[N];
    for (int i = 0; i < N; i++) {
        struct rg_error err = RG_ERROR_INIT;
        struct rg_coder c;
        char why[512] = "";
        if (!load(cases[i].file, &p[i], &t[i])) skip();
        assert_int_equal(rg_poly_new(p[i], t[i], &c, &err), RG_OK);
        struct rg_template *tm = chain_make(&c, cases[i].chain, why, sizeof why);
        if (!tm) fail_msg("%s on %s: %s", cases[i].chain, cases[i].file, why);
        if (rg_template_instantiate(tm, NULL, &jobs[i].source, &err) != RG_OK)
            fail_msg("%s on %s: %s", cases[i].chain, cases[i].file, err.text);
        if (!strstr(jobs[i].source.cuda, cases[i].has) && !strstr(jobs[i].source.plan, cases[i].has))
            fail_msg("%s on %s: no '%s' in\n%s\n%s", cases[i].chain, cases[i].file, cases[i].has, jobs[i].source.cuda,
                     jobs[i].source.plan);
        rg_template_unref(tm);
        c.free(c.self);
        jobs[i].problem = p[i];
        jobs[i].tree = t[i];
    }
    assert_true(execute_compile(jobs, N));
    for (int i = 0; i < N; i++) {
        int ran = 0;
        for (int s = 0; s < p[i]->n_sizes; s++)
            for (int r = 0; r < 2 && p[i]->sizes[s].on_sim && p[i]->sizes[s].work <= 1e6; r++) {
                struct filling f = {p[i], &p[i]->sizes[s], s};
                char why[256];
                if (!execute_case(&jobs[i].x, p[i], &p[i]->sizes[s], fill, &f, r, why, sizeof why))
                    fail_msg("%s on %s, size set %d: %s\n%s\n%s", cases[i].chain, cases[i].file, s, why,
                             jobs[i].source.cuda, jobs[i].source.plan);
                ran++;
            }
        if (!ran) fail_msg("%s: no size set is small enough", cases[i].file);
    }
    execute_release(jobs, N);
    for (int i = 0; i < N; i++) {
        rg_problem_free(p[i]);
        rg_ctree_free(t[i]);
    }
}

/* What must not be, and what the reason says. */
static void refusals(void **state)
{
    static const struct {
        const char *file, *chain, *why;
    } no[] = {
        {"refuse_slots", "parallelize", "dependence"},      /* the old value is used: a counting sort's places */
        {"refuse_mixed", "parallelize", "dependence"},      /* added to and read in one loop */
        {"refuse_twice", "scan.block", "carries a dependence on out"}, /* two stores of one counter's places */
        {"refuse_bytes", "parallelize", "no atomic for elements of 1 bytes"},
        {"scatter_weighted", "parallelize,histogram.private@w", "no kernel updates w by atomics"},
        {"scatter_csr", "parallelize,row.warp", "no kernel shares"},
        {"rows_csr", "parallelize,reduce.split", "no loop"},
        {"refuse_large", "parallelize,histogram.private@y", "does not fit"},
        {"scatter_cells", "parallelize,histogram.private@c", "more with c than update it by one operator"},
        {"scatter_marks", "parallelize,histogram.private@seen", "more with seen than"},
        {"swap_heat", "parallelize,resident.block", "too much for one block"},
        {"resident_wide", "parallelize,tile.shared@v_turn", "phases of one launch stage nothing"},
    };
    for (size_t i = 0; i < sizeof no / sizeof *no; i++) {
        struct rg_problem *p;
        struct rg_ctree *t;
        struct rg_coder c;
        struct rg_error err = RG_ERROR_INIT;
        char why[512] = "";
        if (!load(no[i].file, &p, &t)) skip();
        assert_int_equal(rg_poly_new(p, t, &c, &err), RG_OK);
        struct rg_template *tm = chain_make(&c, no[i].chain, why, sizeof why);
        if (tm) fail_msg("%s on %s was not refused", no[i].chain, no[i].file);
        if (!strstr(why, no[i].why)) fail_msg("%s on %s: '%s' does not say '%s'", no[i].chain, no[i].file, why, no[i].why);
        c.free(c.self);
        rg_problem_free(p);
        rg_ctree_free(t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(programs), cmocka_unit_test(refusals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
