/* What is made of Nsight Compute's output. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include "runtime/farm/ncu.h"
#include <math.h>
#include <rg/file.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct rg_ncu_result parse(const char *text)
{
    struct rg_ncu_result r;
    rg__ncu_parse(text, strlen(text), &r);
    return r;
}

static struct rg_ncu_result parse_file(const char *name)
{
    char path[200], *text;
    size_t len;
    struct rg_error e = RG_ERROR_INIT;
    snprintf(path, sizeof path, "tests/data/ncu/%s", name);
    if (rg_file_read(path, 0, &text, &len, &e) != RG_OK) fail_msg("%s", e.text);
    struct rg_ncu_result r;
    rg__ncu_parse(text, len, &r);
    free(text);
    return r;
}

static double value(const struct rg_ncu_result *r, const char *name)
{
    for (int i = 0; i < r->n_counters; i++)
        if (!strcmp(r->counters[i].name, name)) return r->counters[i].value;
    return NAN;
}

static void launches_are_put_together(void **state)
{
    struct rg_ncu_result r = parse_file("two_launches.csv");
    assert_int_equal(r.launches, 2);
    assert_true(value(&r, "hw_dram_bytes") == 12582912 && value(&r, "hw_us") == 4);
    assert_true(value(&r, "hw_dram_pct") == 50); /* 3 us of 40 %, 1 us of 80 % */
    assert_true(value(&r, "hw_occupancy_pct") == 80 && value(&r, "hw_issue_pct") == 15);
    assert_true(value(&r, "hw_regs") == 24 && value(&r, "hw_bank_conflicts") == 64);
    assert_true(value(&r, "hw_l1_hit_pct") == 25 &&
                value(&r, "hw_branch_uniform_pct") == 100); /* where a launch has none, the others count */
    assert_true(value(&r, "hw_stall_long_scoreboard") == 10 && value(&r, "hw_stall_wait") == 3 &&
                value(&r, "hw_stall_barrier") == 0.5);
    assert_true(isnan(value(&r, "hw_stall_not_selected"))); /* three are enough */
    assert_true(isnan(value(&r, "hw_local_load_sectors"))); /* not asked for: missing, not 0 */
    assert_false(r.denied);
    assert_int_equal(r.unknown, 0);
    assert_string_equal(r.complaint, "");
}

static void refusals(void **state)
{
    struct rg_ncu_result r = parse_file("denied.txt");
    assert_true(r.denied && r.n_counters == 0 && r.launches == 0);
    assert_non_null(strstr(r.complaint, "does not have permission"));
    r = parse_file("unknown.txt");
    assert_false(r.denied);
    struct rg_buf all = RG_BUF_INIT, less = RG_BUF_INIT;
    rg__ncu_metrics(&all, 0);
    rg__ncu_metrics(&less, r.unknown);
    assert_non_null(strstr(all.data, ",lts__t_sector_hit_rate.pct,"));
    assert_null(strstr(less.data, "lts__t_sector_hit_rate.pct"));
    assert_non_null(strstr(less.data, "l1tex__t_sector_hit_rate.pct"));
    assert_int_equal(all.len, less.len + strlen("lts__t_sector_hit_rate.pct,"));
    rg_buf_release(&all);
    rg_buf_release(&less);
}

static void odd_texts(void **state)
{
    assert_int_equal(parse("").n_counters, 0);
    assert_int_equal(parse("\"ID\"").n_counters, 0);
    assert_int_equal(parse("\"ID\",").n_counters, 0);
    assert_int_equal(parse("\"ID\",\"dram__bytes.sum\"\n").launches, 0);
    struct rg_ncu_result r =
        parse("ID,dram__bytes.sum,gpu__time_duration.sum\r\n,Mbyte,msecond\r\n0,1.5,2\r\n\r\nnoise\r\n1,0.5,");
    assert_true(r.launches == 2 && value(&r, "hw_dram_bytes") == 2e6 &&
                value(&r, "hw_us") == 2000); /* units that were not asked for */
    r = parse("\"ID\",\"Kernel \"\"Name\"\", or so\",\"dram__bytes.sum\"\n\"0\",\"k\n<\"\"a,b\"\">\",\"7\"\n");
    assert_true(r.launches == 1 && value(&r, "hw_dram_bytes") == 7);
    assert_int_equal(parse("ID,dram__bytes.sum\n0,-5\n1,inf\n2,0x\n").n_counters, 0);
}

static void kernels_by_their_own_names(void **state)
{
    static const char *const names[] = {"saxpy", "ns::tile<float, 4>", "_k2"};
    struct rg_buf b = RG_BUF_INIT;
    rg__ncu_kernels(&b, names, 3);
    assert_string_equal(b.data, "^(saxpy|tile|_k2)$");
    rg_buf_release(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(launches_are_put_together), cmocka_unit_test(refusals),
                                       cmocka_unit_test(odd_texts), cmocka_unit_test(kernels_by_their_own_names)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
