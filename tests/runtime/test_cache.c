/* The cache on disk: what was put is got, anything else is not there; and a compiled program as bytes. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include "runtime/os/cache.h"
#include "runtime/compile/cache_entry.h"
#include <fcntl.h>
#include <ftw.h>
#include <rg/file.h>
#include <rg/hash.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static char dir[] = "/tmp/regraph-test-cache-XXXXXX";

static int make(void **state)
{
    return mkdtemp(dir) ? 0 : -1;
}

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *ftw)
{
    return remove(path);
}

static int sweep(void **state)
{
    return nftw(dir, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static void key_of(int i, char key[65])
{
    rg_sha256_hex(&i, sizeof i, key);
}

static char *file_of(const char *kind, const char key[65])
{
    return rg_xasprintf("%s/%s/%.2s/%.62s", dir, kind, key, key + 2);
}

static bool there(struct rg_cache *c, const char key[65], const char *want)
{
    struct rg_buf b = RG_BUF_INIT;
    bool ok = rg__cache_get(c, key, &b);
    if (ok && want) assert_true(b.len == strlen(want) && !memcmp(b.data, want, b.len));
    if (!ok) assert_int_equal(b.len, 0);
    rg_buf_release(&b);
    return ok;
}

static void put(struct rg_cache *c, const char key[65], const char *text)
{
    rg__cache_put(c, key, text, strlen(text));
}

static void what_was_put(void **state)
{
    struct rg_cache c, other;
    char key[65], missing[65];
    key_of(1, key);
    key_of(2, missing);
    rg__cache_open(&c, dir, "simple", 1 << 20);
    assert_false(there(&c, key, NULL));
    put(&c, key, "a value");
    assert_true(there(&c, key, "a value"));
    assert_false(there(&c, missing, NULL));
    put(&c, key, "another"); /* the last one stands */
    assert_true(there(&c, key, "another"));
    put(&c, missing, ""); /* nothing is a value too */
    assert_true(there(&c, missing, ""));
    rg__cache_close(&c);
    rg__cache_open(&other, dir, "simple", 1 << 20); /* of a later run */
    assert_true(there(&other, key, "another"));
    rg__cache_close(&other);
    rg__cache_open(&other, dir, "elsewhere", 1 << 20);
    assert_false(there(&other, key, NULL));
    rg__cache_close(&other);
    rg__cache_open(&c, NULL, "simple", 1 << 20); /* off */
    put(&c, key, "x");
    assert_false(there(&c, key, NULL));
    rg__cache_close(&c);
}

static void damage(const char *path, int how)
{
    struct stat st;
    char byte;
    int fd = open(path, O_RDWR);
    assert_true(fd >= 0 && fstat(fd, &st) == 0);
    off_t at = how == 0 ? 0 : how == 1 ? 20 : st.st_size - 1;
    if (how < 3) {
        assert_int_equal(pread(fd, &byte, 1, at), 1);
        byte ^= 1;
        assert_int_equal(pwrite(fd, &byte, 1, at), 1);
    } else {
        assert_int_equal(ftruncate(fd, how == 3 ? st.st_size - 1 : how == 4 ? 40 : how == 5 ? 0 : st.st_size + 1), 0);
    }
    close(fd);
}

/* A bit of the magic, of the sum, of the value; cut short, cut to nothing, grown; another value's file; a folder, a
 * link. */
static void what_was_altered(void **state)
{
    struct rg_cache c;
    char key[65], key2[65];
    key_of(3, key);
    key_of(4, key2);
    rg__cache_open(&c, dir, "altered", 1 << 20);
    char *path = file_of("altered", key), *path2 = file_of("altered", key2);
    for (int how = 0; how < 7; how++) {
        put(&c, key, "some bytes that matter");
        assert_true(there(&c, key, "some bytes that matter"));
        damage(path, how);
        assert_false(there(&c, key, NULL));
    }
    put(&c, key, "mine");
    put(&c, key2, "its");
    assert_int_equal(rename(path, path2), 0);
    assert_false(there(&c, key2, NULL));
    assert_int_equal(unlink(path2), 0);
    assert_int_equal(mkdir(path, 0777), 0);
    put(&c, key, "in the way");
    assert_false(there(&c, key, NULL));
    rmdir(path);
    assert_int_equal(symlink("/etc/passwd", path), 0);
    assert_false(there(&c, key, NULL));
    put(&c, key, "over it"); /* the link is replaced, not followed */
    assert_true(there(&c, key, "over it"));
    rg__cache_close(&c);
    free(path);
    free(path2);
}

/* Nowhere to write is no error, and what is there is still read. */
static void unwritable(void **state)
{
    struct rg_cache c;
    char key[65], key2[65];
    key_of(5, key);
    key_of(6, key2);
    rg__cache_open(&c, "/proc/nowhere", "x", 1 << 20);
    put(&c, key, "lost");
    assert_false(there(&c, key, NULL));
    rg__cache_close(&c);
    char *file = rg_xasprintf("%s/file", dir);
    assert_int_equal(rg_file_write(file, "x", 1, NULL), RG_OK);
    rg__cache_open(&c, file, "x", 1 << 20); /* a file where the folder should be */
    put(&c, key, "lost");
    assert_false(there(&c, key, NULL));
    rg__cache_close(&c);
    free(file);
}

static int64_t bytes_in(const char *kind, int first, int n, int *left)
{
    int64_t bytes = 0;
    *left = 0;
    for (int i = first; i < first + n; i++) {
        char key[65];
        struct stat st;
        key_of(i, key);
        char *path = file_of(kind, key);
        if (stat(path, &st) == 0) bytes += st.st_size, ++*left;
        free(path);
    }
    return bytes;
}

static void oldest_first(void **state)
{
    enum { N = 40, BYTES = 1000, LIMIT = 20000 };
    struct rg_cache c;
    char key[65], value[BYTES + 1];
    memset(value, 'v', BYTES);
    value[BYTES] = 0;
    rg__cache_open(&c, dir, "aged", LIMIT);
    for (int i = 100; i < 100 + N; i++) {
        key_of(i, key);
        put(&c, key, value);
        char *path = file_of("aged", key);
        /* long ago, the first the longest; number 100 is looked at again */
        struct timespec t[2] = {{time(NULL) - 100000 + 100 * (i - 100), 0}, {time(NULL) - 100000 + 100 * (i - 100), 0}};
        utimensat(AT_FDCWD, path, t, 0);
        free(path);
        key_of(100, key);
        assert_true(there(&c, key, value)); /* in use: it is never the oldest */
    }
    char *left_over = rg_xasprintf("%s/aged/00", dir);
    assert_int_equal(rg_file_mkdirs(left_over, NULL), RG_OK);
    free(left_over);
    left_over = rg_xasprintf("%s/aged/00/new-1-1", dir);
    assert_int_equal(rg_file_write(left_over, "half", 4, NULL), RG_OK);
    struct timespec old[2] = {{1, 0}, {1, 0}};
    assert_int_equal(utimensat(AT_FDCWD, left_over, old, 0), 0);
    key_of(99, key);
    put(&c, key, "last");
    rg__cache_close(&c);
    int left;
    assert_true(bytes_in("aged", 99, N + 1, &left) <= LIMIT && left >= 12);
    assert_false(rg_file_exists(left_over)); /* of a run that was killed while it wrote */
    free(left_over);
    assert_int_equal(bytes_in("aged", 101, 10, &left), 0); /* the oldest are gone */
    bytes_in("aged", 100 + N - 5, 5, &left);
    assert_int_equal(left, 5); /* the newest are there */
    bytes_in("aged", 99, 2, &left);
    assert_int_equal(left, 2);
}

static void a_program_as_bytes(void **state)
{
    char hash[65];
    rg_sha256_hex("ptx", 3, hash);
    struct rg_kernel_info k[2] = {{"k", "_Z1kPf", {40, 1024, 8, 352, 1024}, 16},
                                  {"m<16>", "_Z1mILi16EEvPf", {255, 0, 0, 400, 256}, 0}};
    const char ptx[] = ".version 9.0\n.entry k()", cubin[] = "\177ELF\0bytes";
    const struct rg_cache_entry e = {hash, 2, k, ptx, strlen(ptx), cubin, sizeof cubin};
    struct rg_buf b = RG_BUF_INIT;
    rg__cache_entry_print(&b, &e);
    struct rg_arena a = RG_ARENA_INIT;
    struct rg_cache_entry got;
    assert_true(rg__cache_entry_parse(&a, b.data, b.len, &got));
    assert_string_equal(got.hash, hash);
    assert_int_equal(got.n_kernels, 2);
    for (int i = 0; i < 2; i++) {
        assert_string_equal(got.kernels[i].name, k[i].name);
        assert_string_equal(got.kernels[i].lowered, k[i].lowered);
        const struct rg_kernel_attributes *x = &got.kernels[i].attributes, *y = &k[i].attributes;
        assert_true(x->regs == y->regs && x->shared_bytes == y->shared_bytes && x->local_bytes == y->local_bytes &&
                    x->const_bytes == y->const_bytes && x->max_threads == y->max_threads);
        assert_int_equal(got.kernels[i].spill_bytes, k[i].spill_bytes);
    }
    assert_string_equal(got.ptx, ptx);
    assert_int_equal(got.ptx_len, strlen(ptx));
    assert_memory_equal(got.cubin, cubin, sizeof cubin);
    for (size_t n = 0; n < b.len; n++) { /* of its own size: reading beyond it shows under a sanitizer */
        char *part = malloc(n + 1);
        memcpy(part, b.data, n);
        assert_false(rg__cache_entry_parse(&a, part, n, &got));
        free(part);
    }
    rg_buf_add(&b, "x", 1);
    assert_false(rg__cache_entry_parse(&a, b.data, b.len, &got));
    rg_arena_release(&a);
    rg_buf_release(&b);
}

/* Many processes on one folder, which is trimmed all the while: what is there is whole, and nothing half made stays. */
static void many_processes(void **state)
{
    enum { PROCESSES = 8, KEYS = 40, ROUNDS = 60 };
    char *root = rg_xasprintf("%s/many", dir), key[65], text[4096];
    pid_t pids[PROCESSES];
    for (int p = 0; p < PROCESSES; p++) {
        if ((pids[p] = fork()) != 0) continue;
        struct rg_cache c;
        struct rg_buf b = RG_BUF_INIT;
        int bad = 0;
        rg__cache_open(&c, dir, "many", KEYS * (int64_t)sizeof text / 2);
        for (int i = 0; i < ROUNDS; i++) {
            int k = (i * 7 + p * 3) % KEYS;
            key_of(k, key);
            memset(text, 'a' + k % 26, sizeof text);
            if (rg__cache_get(&c, key, &b)) bad += b.len != sizeof text || memcmp(b.data, text, sizeof text) != 0;
            rg__cache_put(&c, key, text, sizeof text);
        }
        rg_buf_release(&b);
        rg__cache_close(&c);
        _exit(bad ? 1 : 0);
    }
    for (int p = 0; p < PROCESSES; p++) {
        int status = -1;
        assert_int_equal(waitpid(pids[p], &status, 0), pids[p]);
        assert_int_equal(status, 0);
    }
    char *look = rg_xasprintf("test -z \"$(find '%s' -name 'new-*')\"", root);
    assert_int_equal(system(look), 0);
    free(look);
    free(root);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_processes), cmocka_unit_test(what_was_put), cmocka_unit_test(what_was_altered),
        cmocka_unit_test(unwritable),     cmocka_unit_test(oldest_first), cmocka_unit_test(a_program_as_bytes),
    };
    return cmocka_run_group_tests(tests, make, sweep);
}
