#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/json_util.h"
#include <errno.h>
#include <rg/arena.h>
#include <rg/buf.h>
#include <rg/file.h>
#include <rg/hash.h>
#include <rg/proc.h>
#include <rg/regex.h>
#include <rg/rng.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static void first_error_wins(void **state)
{
    struct rg_error e = RG_ERROR_INIT;
    assert_int_equal(rg_error_at(&e, RG_INPUT, "a.c", 3, 7, "no '%s'", "x"), RG_INPUT);
    assert_int_equal(rg_error_set(&e, RG_BUG, "later"), RG_BUG);
    rg_error_prefix(&e, "reading");
    char text[128];
    assert_string_equal(rg_error_format(&e, text, sizeof text), "a.c:3:7: reading: no 'x'");
    assert_int_equal(rg_error_set(NULL, RG_IO, "nobody listens"), RG_IO);
    assert_int_equal(rg_status_exit(RG_INPUT), 3);
}

static void buffers_grow(void **state)
{
    struct rg_buf b = RG_BUF_INIT;
    assert_string_equal(b.data, "");
    for (int i = 0; i < 1000; i++) rg_buf_printf(&b, "%d,", i);
    assert_int_equal(b.len, 10 * 2 + 90 * 3 + 900 * 4);
    char *s = rg_buf_steal(&b);
    assert_memory_equal(s + b.len, "0,1,2,", 6);
    assert_int_equal(b.len, 0);
    free(s);
    rg_buf_release(&b);
}

static void arena_is_zeroed_and_aligned(void **state)
{
    struct rg_arena a = RG_ARENA_INIT;
    for (size_t n = 1; n < 5000; n = n * 3 + 1) {
        unsigned char *p = rg_arena_alloc(&a, n);
        assert_int_equal((uintptr_t)p % 16, 0);
        for (size_t i = 0; i < n; i++) assert_int_equal(p[i], 0);
        memset(p, 0xAA, n);
    }
    assert_string_equal(rg_arena_printf(&a, "%s-%d", "x", 5), "x-5");
    rg_arena_release(&a);
}

static void sha256_known_values(void **state)
{
    char out[65];
    rg_sha256_hex("abc", 3, out); /* FIPS 180-2, appendix B.1 */
    assert_string_equal(out, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    struct rg_sha256 *h = rg_sha256_new();
    rg_sha256_add(h, "a", 1);
    rg_sha256_add(h, "bc", 2);
    rg_sha256_end(h, out);
    assert_string_equal(out, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

static void hash64_sees_every_byte(void **state)
{
    unsigned char d[100] = {0};
    uint64_t base[101];
    for (size_t n = 0; n <= 100; n++) {
        base[n] = rg_hash64(d, n, 1);
        for (size_t m = 0; m < n; m++) assert_true(base[m] != base[n]);
    }
    for (size_t i = 0; i < 100; i++) {
        d[i] = 1;
        assert_true(rg_hash64(d, 100, 1) != base[100]);
        d[i] = 0;
    }
    assert_true(rg_hash64(d, 100, 2) != base[100]);
}

static void rng_is_reproducible_and_unbiased(void **state)
{
    struct rg_rng a, b;
    rg_rng_seed(&a, 7);
    rg_rng_seed(&b, 7);
    int counts[6] = {0};
    for (int i = 0; i < 60000; i++) {
        uint64_t x = rg_rng_below(&a, 6);
        assert_int_equal(x, rg_rng_below(&b, 6));
        counts[x]++;
    }
    for (int i = 0; i < 6; i++) assert_in_range(counts[i], 9600, 10400);
    for (int i = 0; i < 1000; i++) {
        double u = rg_rng_unit(&a);
        assert_true(u >= 0 && u < 1);
    }
}

static void regex_groups_and_limits(void **state)
{
    struct rg_regex *r;
    struct rg_match m[3];
    assert_int_equal(rg_regex_new("(a+)(b)?", 0, &r, NULL), RG_OK);
    assert_true(rg_regex_find(r, "xxaac", 5, 0, m, 3));
    assert_int_equal(m[0].start, 2);
    assert_int_equal(m[1].end, 4);
    assert_int_equal(m[2].start, (size_t)-1);
    assert_int_equal(rg_regex_count(r, "a ab aab", 8), 3);
    rg_regex_free(r);
    struct rg_error e = RG_ERROR_INIT;
    assert_int_equal(rg_regex_new("(", 0, &r, &e), RG_INPUT);
    assert_non_null(strstr(e.text, "offset"));
    /* catastrophic backtracking ends at the limit instead of running for ever */
    assert_int_equal(rg_regex_new("^(a+)+$", 0, &r, NULL), RG_OK);
    char many[64];
    memset(many, 'a', 63);
    many[62] = 'b';
    assert_false(rg_regex_find(r, many, 63, 0, m, 1));
    rg_regex_free(r);
}

static void files_are_replaced_whole(void **state)
{
    char dir[] = "/tmp/rg-base-XXXXXX";
    assert_non_null(mkdtemp(dir));
    char *path = rg_xasprintf("%s/a/b/c.txt", dir), *folder = rg_xasprintf("%s/a/b", dir);
    assert_int_equal(rg_file_mkdirs(folder, NULL), RG_OK);
    assert_int_equal(rg_file_write(path, "one", 3, NULL), RG_OK);
    assert_int_equal(rg_file_write(path, "second", 6, NULL), RG_OK);
    char *data;
    size_t n;
    assert_int_equal(rg_file_read(path, 0, &data, &n, NULL), RG_OK);
    assert_string_equal(data, "second");
    free(data);
    struct rg_error e = RG_ERROR_INIT;
    assert_int_equal(rg_file_read(path, 3, &data, &n, &e), RG_INPUT);
    rg_error_clear(&e);
    bool made;
    char *new = rg_xasprintf("%s.new", path);
    assert_int_equal(rg_file_create(new, "first", 5, &made, NULL), RG_OK);
    assert_true(made);
    assert_int_equal(rg_file_create(new, "later", 5, &made, NULL), RG_OK); /* what is there stays */
    assert_false(made);
    char *kept;
    size_t kept_len;
    assert_int_equal(rg_file_read(new, 0, &kept, &kept_len, NULL), RG_OK);
    assert_string_equal(kept, "first");
    free(kept);
    unlink(new);
    free(new);
    assert_int_equal(rg_file_write("/dev/full/x", "1", 1, &e), RG_IO);
    rg_error_clear(&e);
    char *sub = rg_xasprintf("%s/sub", path);
    assert_int_equal(rg_file_mkdirs(sub, &e), RG_IO);
    int fd, second;
    assert_int_equal(rg_file_lock(path, 0, &fd, NULL), RG_OK);
    rg_error_clear(&e);
    assert_int_equal(rg_file_lock(path, 0.05, &second, &e), RG_IO);
    rg_file_unlock(fd);
    assert_int_equal(rg_file_lock(path, 0, &second, NULL), RG_OK);
    rg_file_unlock(second);
    free(sub);
    free(path);
    free(folder);
    char *rm = rg_xasprintf("rm -r %s", dir);
    assert_int_equal(system(rm), 0);
    free(rm);
}

static void processes_speak_lines(void **state)
{
    const char *argv[] = {"sh", "-c", "while read x; do echo \"got $x\"; done; echo bye >&2", NULL};
    struct rg_proc_options o = {argv, NULL, NULL, -1};
    struct rg_proc p;
    char *line;
    assert_int_equal(rg_proc_start(&p, &o, NULL), RG_OK);
    assert_int_equal(rg_proc_line(&p, 0.02, &line, NULL), RG_OK);
    assert_null(line);
    assert_int_equal(rg_proc_send(&p, "a\nb\n", 4, NULL), RG_OK);
    assert_int_equal(rg_proc_line(&p, 5, &line, NULL), RG_OK);
    assert_string_equal(line, "got a");
    free(line);
    assert_int_equal(rg_proc_line(&p, 5, &line, NULL), RG_OK);
    assert_string_equal(line, "got b");
    free(line);
    int status = rg_proc_wait(&p, 5);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    assert_string_equal(p.err_tail.data, "bye\n");
    rg_proc_kill(&p);
}

static void processes_that_fail(void **state)
{
    struct rg_proc p;
    struct rg_error e = RG_ERROR_INIT;
    const char *none[] = {"/nonexistent/program", NULL};
    assert_int_equal(rg_proc_start(&p, &(struct rg_proc_options){none, NULL, NULL, -1}, &e), RG_UNAVAILABLE);
    assert_non_null(strstr(e.text, strerror(ENOENT)));
    /* a child that ignores everything, with a grandchild: both go */
    const char *stuck[] = {"sh", "-c", "trap '' TERM; sleep 100 & wait", NULL};
    int status;
    bool timed_out;
    double t = rg_now();
    assert_int_equal(
        rg_proc_run(&(struct rg_proc_options){stuck, NULL, NULL, -1}, 0.2, NULL, NULL, &status, &timed_out, NULL),
        RG_OK);
    assert_true(timed_out);
    assert_true(WIFSIGNALED(status));
    assert_true(rg_now() - t < 5);
}

static void passed_descriptor_is_three(void **state)
{
    char path[] = "/tmp/rg-fd-XXXXXX";
    int fd = mkstemp(path);
    assert_int_equal(write(fd, "hello", 5), 5);
    lseek(fd, 0, SEEK_SET);
    const char *argv[] = {"sh", "-c", "cat <&3; ls /proc/self/fd | wc -l >&2", NULL};
    struct rg_buf out = RG_BUF_INIT, errs = RG_BUF_INIT;
    int status;
    assert_int_equal(rg_proc_run(&(struct rg_proc_options){argv, NULL, NULL, fd}, 5, &out, &errs, &status, NULL, NULL),
                     RG_OK);
    assert_string_equal(out.data, "hello");
    assert_true(atoi(errs.data) <= 5); /* 0, 1, 2, 3 and ls' own */
    rg_buf_release(&out);
    rg_buf_release(&errs);
    close(fd);
    unlink(path);
}

static void json_positions(void **state)
{
    const char *text = "{\n  \"a\": [1, {\"b\\\"\": \"x]\"}, 3],\n  \"c\": {\"d\": true}\n}";
    int line, column;
    assert_true(rg_json_position(text, strlen(text), "a/2", &line, &column));
    assert_int_equal(line, 2);
    assert_int_equal(column, 27);
    assert_true(rg_json_position(text, strlen(text), "c/d", &line, &column));
    assert_int_equal(line, 3);
    assert_int_equal(column, 14);
    assert_false(rg_json_position(text, strlen(text), "a/7", &line, &column));
    assert_false(rg_json_position(text, strlen(text), "c/e", &line, &column));
    struct rg_error e = RG_ERROR_INIT;
    assert_null(rg_json_parse("{\"a\":1,\"a\":2}", 13, "f.json", &e));
    assert_string_equal(e.file, "f.json");
    rg_error_clear(&e);
    assert_null(rg_json_parse("{\"a\": NaN}", 10, "f.json", &e));
    json_t *t = rg_json_text("ok\xff\xc3");
    assert_string_equal(json_string_value(t), "ok??");
    json_decref(t);
}

int main(void)
{
    signal(SIGPIPE, SIG_IGN);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_error_wins),
        cmocka_unit_test(buffers_grow),
        cmocka_unit_test(arena_is_zeroed_and_aligned),
        cmocka_unit_test(sha256_known_values),
        cmocka_unit_test(hash64_sees_every_byte),
        cmocka_unit_test(rng_is_reproducible_and_unbiased),
        cmocka_unit_test(regex_groups_and_limits),
        cmocka_unit_test(files_are_replaced_whole),
        cmocka_unit_test(processes_speak_lines),
        cmocka_unit_test(processes_that_fail),
        cmocka_unit_test(passed_descriptor_is_three),
        cmocka_unit_test(json_positions),
    };
    return cmocka_run_group_tests_name("base", tests, NULL, NULL);
}
