#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include "runtime/protocol/protocol.h"
#include <math.h>
#include <string.h>
#include <unistd.h>

static void everything_survives_the_wire(void **state)
{
    for (int k = 0; k < RG_N_MSGS; k++) {
        struct rg_msg m, back;
        struct rg_error e = RG_ERROR_INIT;
        struct rg_kernel_info kernels[2] = {{"a<3>", "_Z1aILi3EEvv", {32, 1024, 8, 16, 512}, 24},
                                            {"b", "_Z1bv", {16, 0, 0, 0, 1024}, 0}};
        struct rg_case cases[2] = {{1, 2, true, false, true, true, false, true, {4096, 8192}, 1e9, 250},
                                   {0, 1, false, true, false, false, true, false, {0, 64}, 0, 0}};
        struct rg_counter counters[2] = {{"regs", 32}, {"unknown", NAN}};
        rg__msg_init(&m, (enum rg_msg_kind)k, 77);
        m.problem = (struct rg_range){4096, 123};
        m.program = (struct rg_program){{1, 2}, {3, 4}, {5, 6}, 2, kernels};
        m.other = m.program;
        m.n_cases = 2;
        m.cases = cases;
        m.text = "a \"quoted\"\nline \xff and \xc3\xa9";
        m.arch = "sm_90";
        m.outcome = "ok";
        m.time_us = 12.5;
        m.limiter = "dram";
        struct rg_touch touches[2] = {
            {.param = 1, .read = {.bytes = 48, .per_element = 4, .n_dims = 2, .below = {0, 1}, .above = {2, 3}}},
            {.param = 3, .unseen = true, .written = {.bytes = 7, .n_dims = 1}}};
        m.n_touches = 2;
        m.touches = touches;
        m.read_bytes = 4e9;
        m.n_counters = 2;
        m.counters = counters;
        m.again = m.simulated = true;
        struct rg_buf b = RG_BUF_INIT;
        rg__msg_print(&b, &m);
        assert_int_equal(b.data[b.len - 1], '\n');
        assert_null(memchr(b.data, '\n', b.len - 1));
        if (rg__msg_parse(b.data, b.len - 1, &back, &e) != RG_OK) fail_msg("%s: %s", b.data, e.text);
        assert_int_equal(back.kind, k);
        assert_int_equal(back.id, 77);
        if (k == RG_MSG_RUN || k == RG_MSG_DUEL) {
            assert_int_equal(back.program.n_kernels, 2);
            assert_string_equal(back.program.kernels[0].lowered, "_Z1aILi3EEvv");
            assert_int_equal(back.program.kernels[0].spill_bytes, 24);
            assert_int_equal(back.program.cubin.len, 6);
        }
        if (k == RG_MSG_CASES) {
            assert_int_equal(back.n_cases, 2);
            assert_true(back.cases[0].timed && back.cases[0].positive && !back.cases[0].expected &&
                        back.cases[1].again);
            assert_int_equal(back.cases[0].at.len, 8192);
            assert_true(back.cases[0].steps == 1e9 && back.cases[0].round == 250 && back.cases[1].steps == 0);
        }
        if (k == RG_MSG_CASES) assert_true(back.read_bytes == 4e9 && isnan(back.write_bytes));
        if (k == RG_MSG_TOUCHED) {
            assert_int_equal(back.n_touches, 2);
            assert_memory_equal(&back.touches[0], &touches[0], sizeof touches[0]);
            assert_true(back.touches[1].unseen && back.touches[1].param == 3 && back.touches[1].written.bytes == 7 &&
                        !back.touches[1].written.per_element);
        }
        if (k == RG_MSG_EVALUATED) {
            assert_int_equal(back.n_counters, 2);
            assert_true(isnan(back.counters[1].value) && back.counters[0].value == 32);
            assert_true(isnan(back.max_error));
            assert_true(back.time_us == 12.5);
        }
        rg__msg_release(&back);
        rg_buf_release(&b);
    }
}

static void nonsense_is_refused(void **state)
{
    static const char *const bad[] = {"",
                                      "{",
                                      "[]",
                                      "{}",
                                      "{\"msg\":\"run\"}",
                                      "{\"msg\":\"run\",\"id\":1}",
                                      "{\"msg\":\"nosuch\",\"id\":1}",
                                      "{\"msg\":\"done\",\"id\":1,\"seconds\":\"x\"}",
                                      "{\"msg\":\"touched\",\"id\":1,\"status\":\"OK\",\"file\":\"\",\"line\":0,"
                                      "\"column\":0,\"text\":\"\",\"touches\":[[0,false,[1,2,3],[0,0]]]}",
                                      "{\"msg\":\"touched\",\"id\":1,\"status\":\"OK\",\"file\":\"\",\"line\":0,"
                                      "\"column\":0,\"text\":\"\",\"touches\":[[-1,false,[0,0],[0,0]]]}",
                                      "{\"msg\":\"problem\",\"id\":1,\"problem\":[-1,5],\"seed\":1}",
                                      "{\"msg\":\"problem\",\"id\":1,\"problem\":[1],\"seed\":1}",
                                      "{\"msg\":\"problem\",\"id\":1.5,\"problem\":[1,2],\"seed\":1}"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct rg_msg m;
        struct rg_error e = RG_ERROR_INIT;
        assert_int_equal(rg__msg_parse(bad[i], strlen(bad[i]), &m, &e), RG_INPUT);
        assert_true(e.text[0]);
        rg__msg_release(&m);
    }
}

static void errors_cross_whole(void **state)
{
    struct rg_error e = RG_ERROR_INIT, back = RG_ERROR_INIT;
    rg_error_at(&e, RG_UNAVAILABLE, "user.c", 12, 3, "no %s", "thing");
    struct rg_msg m, got;
    rg__msg_error(&m, 5, &e);
    struct rg_buf b = RG_BUF_INIT;
    rg__msg_print(&b, &m);
    assert_int_equal(rg__msg_parse(b.data, b.len, &got, NULL), RG_OK);
    assert_int_equal(rg__msg_to_error(&got, &back), RG_UNAVAILABLE);
    assert_string_equal(back.file, "user.c");
    assert_int_equal(back.line, 12);
    assert_string_equal(back.text, "no thing");
    rg__msg_release(&got);
    rg_buf_release(&b);
}

static void ranges_are_reused_and_clean(void **state)
{
    struct rg_shm s;
    struct rg_range a, b, c, d;
    struct rg_mapping m;
    assert_int_equal(rg__shm_create(&s, NULL), RG_OK);
    assert_int_equal(rg__shm_alloc(&s, 5000, &a, NULL), RG_OK);
    assert_int_equal(rg__shm_alloc(&s, 100, &b, NULL), RG_OK);
    assert_int_equal(rg__shm_alloc(&s, 9000, &c, NULL), RG_OK);
    assert_int_equal(rg__shm_map(s.fd, a, true, &m, NULL), RG_OK);
    memset(m.data, 1, 5000);
    rg__shm_unmap(&m);
    int64_t end = s.end;
    rg__shm_free(&s, a);
    rg__shm_free(&s, c);
    rg__shm_free(&s, b); /* joins its neighbours */
    assert_int_equal(s.n_holes, 1);
    assert_int_equal(rg__shm_alloc(&s, end, &d, NULL), RG_OK);
    assert_int_equal(d.off, 0);
    assert_int_equal(s.end, end);
    assert_int_equal(rg__shm_map(s.fd, d, false, &m, NULL), RG_OK);
    for (int64_t i = 0; i < d.len; i++) assert_int_equal(((char *)m.data)[i], 0);
    rg__shm_unmap(&m);
    assert_int_equal(rg__shm_map(s.fd, (struct rg_range){0, end + 1}, false, &m, NULL), RG_INPUT);
    assert_int_equal(rg__shm_map(s.fd, (struct rg_range){INT64_MAX - 2, 5}, false, &m, NULL), RG_INPUT);
    rg__shm_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything_survives_the_wire),
        cmocka_unit_test(nonsense_is_refused),
        cmocka_unit_test(errors_cross_whole),
        cmocka_unit_test(ranges_are_reused_and_clean),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
