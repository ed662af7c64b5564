/* CPUs by affinity and by the quotas of cgroups, of both versions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <rg/buf.h>
#include <rg/cpus.h>
#include <rg/file.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char root[] = "/tmp/regraph-cpus-XXXXXX";

static void put(const char *name, const char *text)
{
    char *path = rg_xasprintf("%s/%s", root, name), *slash = strrchr(path, '/');
    *slash = 0;
    assert_int_equal(rg_file_mkdirs(path, NULL), RG_OK);
    *slash = '/';
    assert_int_equal(rg_file_write(path, text, strlen(text), NULL), RG_OK);
    free(path);
}

/* mounts: a mountinfo in which @ stands for the folder of this test. */
static double quota(const char *groups, const char *mounts)
{
    struct rg_buf b = RG_BUF_INIT;
    for (const char *p = mounts; *p; p++) {
        if (*p == '@')
            rg_buf_str(&b, root);
        else
            rg_buf_add(&b, p, 1);
    }
    put("cgroup", groups);
    put("mountinfo", b.data);
    rg_buf_release(&b);
    char *c = rg_xasprintf("%s/cgroup", root), *m = rg_xasprintf("%s/mountinfo", root);
    double q = rg_cpus_quota(c, m);
    free(c);
    free(m);
    return q;
}

static void second_version(void **state)
{
    const char *mount = "22 1 0:1 / /proc rw - proc proc rw\n36 25 0:30 / @/two rw,nosuid - cgroup2 cgroup2 rw\n";
    put("two/job/step/cpu.max", "max 100000\n");
    assert_true(quota("0::/job/step\n", mount) == 0);
    put("two/job/cpu.max", "150000 100000\n"); /* the parent's holds for it */
    assert_true(quota("0::/job/step\n", mount) == 1.5);
    put("two/job/step/cpu.max", "50000 100000\n");
    assert_true(quota("0::/job/step\n", mount) == 0.5);
    put("two/cpu.max", "20000 100000\n");
    assert_true(quota("0::/job/step\n", mount) == 0.2);
    assert_true(quota("0::/\n", mount) == 0.2);
}

static void first_version(void **state)
{
    const char *mount = "31 23 0:28 / @/one rw - tmpfs tmpfs rw\n"
                        "34 31 0:31 / @/one/cpuset rw - cgroup cgroup rw,cpuset\n"
                        "32 31 0:29 / @/one/cpu rw,relatime shared:9 - cgroup cgroup rw,cpu,cpuacct\n";
    const char *groups = "4:memory:/m\n3:cpuset:/set\n1:cpu,cpuacct:/job/step\n0::/\n";
    put("one/cpuset/set/cpu.cfs_quota_us", "1\n"); /* not where quotas are */
    put("one/cpuset/set/cpu.cfs_period_us", "100\n");
    put("one/cpu/job/step/cpu.cfs_quota_us", "-1\n");
    put("one/cpu/job/step/cpu.cfs_period_us", "100000\n");
    assert_true(quota(groups, mount) == 0);
    put("one/cpu/job/cpu.cfs_quota_us", "300000\n");
    put("one/cpu/job/cpu.cfs_period_us", "100000\n");
    assert_true(quota(groups, mount) == 3);
}

/* In a container the mount begins at the container's own group. */
static void container(void **state)
{
    put("box/cpu.max", "200000 100000\n");
    put("box/in/cpu.max", "100000 100000\n");
    assert_true(quota("0::/docker/1\n", "36 25 0:30 /docker/1 @/box rw - cgroup2 cgroup2 rw\n") == 2);
    assert_true(quota("0::/docker/1/in\n", "36 25 0:30 /docker/1 @/box rw - cgroup2 cgroup2 rw\n") == 1);
    assert_true(quota("0::/\n", "36 25 0:30 /docker/1 @/box rw - cgroup2 cgroup2 rw\n") == 2);
    assert_true(quota("0::/docker/12\n", "36 25 0:30 /docker/1 @/box rw - cgroup2 cgroup2 rw\n") == 2);
}

static void nonsense(void **state)
{
    assert_true(quota("", "") == 0);
    assert_true(quota("0::/job\nno line\n7\n", "a b c\n - \n1 2 3 4 5 6 - cgroup2\n") == 0);
    put("odd/cpu.max", "fast 100000\n");
    assert_true(quota("0::/\n", "36 25 0:30 / @/odd rw - cgroup2 cgroup2 rw\n") == 0);
    put("odd/cpu.max", "100000 0\n");
    assert_true(quota("0::/\n", "36 25 0:30 / @/odd rw - cgroup2 cgroup2 rw\n") == 0);
    assert_true(rg_cpus_quota("/nonexistent/a", "/nonexistent/b") == 0);
}

static void by_affinity(void **state)
{
    int n;
    int *cpus = rg_cpus_list(&n);
    assert_true(n >= 1);
    assert_true(rg_cpus() >= 1 && rg_cpus() <= n);
    assert_true(rg_cpus_bind(&cpus[n - 1], 1));
    assert_int_equal(rg_cpus(), 1);
    int now;
    int *left = rg_cpus_list(&now);
    assert_int_equal(now, 1);
    assert_int_equal(left[0], cpus[n - 1]);
    assert_true(rg_cpus_bind(cpus, n));
    assert_false(rg_cpus_bind(cpus, 0));
    free(left);
    free(cpus);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(second_version), cmocka_unit_test(first_version),
                                       cmocka_unit_test(container), cmocka_unit_test(nonsense),
                                       cmocka_unit_test(by_affinity)};
    if (!mkdtemp(root)) return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    char *rm = rg_xasprintf("rm -rf '%s'", root);
    if (system(rm)) failed++;
    free(rm);
    return failed;
}
