/* Texts in gzip members: read back, continued, and cut anywhere. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <rg/buf.h>
#include <rg/file.h>
#include <rg/pack.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void round_trip(void **state)
{
    char path[] = "/tmp/rg-pack-XXXXXX", *text, *packed;
    size_t n, whole;
    struct rg_pack *p;
    struct rg_buf long_text = RG_BUF_INIT, want = RG_BUF_INIT;
    for (int i = 0; i < 20000; i++) rg_buf_printf(&long_text, "%d ", i * 7919 % 10007);
    rg_buf_char(&long_text, '\n');
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    assert_int_equal(rg_pack_read(path, &text, &n, NULL), RG_OK);
    assert_string_equal(text, "");
    free(text);
    for (int i = 0; i < 2; i++) { /* a second opening continues */
        assert_int_equal(rg_pack_open(path, &p, NULL), RG_OK);
        assert_int_equal(rg_pack_add(p, "first\n", 6, NULL), RG_OK);
        assert_int_equal(rg_pack_add(p, long_text.data, long_text.len, NULL), RG_OK);
        rg_pack_close(p);
        rg_buf_printf(&want, "first\n%s", long_text.data);
    }
    assert_int_equal(rg_pack_read(path, &text, &whole, NULL), RG_OK);
    assert_int_equal(whole, want.len);
    assert_memory_equal(text, want.data, whole);
    free(text);
    assert_int_equal(rg_file_read(path, 0, &packed, &n, NULL), RG_OK);
    assert_true(n < want.len / 2);
    for (size_t cut = 1; cut < n; cut += 997) { /* what is there is a beginning, of whole texts */
        size_t m;
        assert_int_equal(rg_file_write(path, packed, n - cut, NULL), RG_OK);
        assert_int_equal(rg_pack_read(path, &text, &m, NULL), RG_OK);
        assert_true(m < whole && (!m || text[m - 1] == '\n'));
        assert_memory_equal(text, want.data, m);
        free(text);
    }
    assert_int_equal(rg_pack_open("/nowhere/at/all", &p, NULL), RG_IO);
    unlink(path);
    free(packed);
    rg_buf_release(&long_text);
    rg_buf_release(&want);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(round_trip)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
