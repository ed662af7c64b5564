#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <rg/buf.h>
#include <rg/cpus.h>
#include <rg/error.h>
#include <rg/file.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- affinity --- */

/* A set as large as the kernel's, which refuses smaller ones; NULL unknown. */
static cpu_set_t *affinity(size_t *bytes, int *most)
{
    for (*most = 1024; *most <= 1 << 20; *most *= 2) {
        cpu_set_t *set = CPU_ALLOC((size_t)*most);
        *bytes = CPU_ALLOC_SIZE((size_t)*most);
        if (!set) return NULL;
        CPU_ZERO_S(*bytes, set);
        if (sched_getaffinity(0, *bytes, set) == 0) return set;
        CPU_FREE(set);
    }
    return NULL;
}

int *rg_cpus_list(int *n)
{
    size_t bytes;
    int most, *list = NULL, cap = 0;
    cpu_set_t *set = affinity(&bytes, &most);
    *n = 0;
    for (int i = 0; set && i < most; i++) {
        if (!CPU_ISSET_S((size_t)i, bytes, set)) continue;
        RG_GROW(list, *n, cap);
        list[(*n)++] = i;
    }
    if (set) CPU_FREE(set);
    return list;
}

bool rg_cpus_bind(const int *cpus, int n)
{
    int most = 0;
    for (int i = 0; i < n; i++)
        if (cpus[i] >= most) most = cpus[i] + 1;
    if (!most) return false;
    cpu_set_t *set = CPU_ALLOC((size_t)most);
    size_t bytes = CPU_ALLOC_SIZE((size_t)most);
    if (!set) return false;
    CPU_ZERO_S(bytes, set);
    for (int i = 0; i < n; i++)
        if (cpus[i] >= 0) CPU_SET_S((size_t)cpus[i], bytes, set);
    bool ok = sched_setaffinity(0, bytes, set) == 0;
    CPU_FREE(set);
    return ok;
}

/* --- quotas --- */

/* Is `word` an item of a list with commas? */
static bool lists(const char *list, size_t len, const char *word)
{
    size_t n = strlen(word);
    for (const char *p = list, *end = list + len; p < end;) {
        const char *comma = memchr(p, ',', (size_t)(end - p));
        size_t m = (size_t)((comma ? comma : end) - p);
        if (m == n && memcmp(p, word, n) == 0) return true;
        p += m + 1;
    }
    return false;
}

/* The numbers a file begins with; how many there are. "max" is none. */
static int numbers(const char *folder, const char *name, double out[2])
{
    char *path = rg_xasprintf("%s/%s", folder, name);
    FILE *f = fopen(path, "r");
    int n = f ? fscanf(f, "%lf %lf", &out[0], &out[1]) : 0;
    if (f) fclose(f);
    free(path);
    return n < 0 ? 0 : n;
}

static double quota_at(const char *folder, bool second)
{
    double v[2] = {0, 0}, period[2] = {0, 0};
    if (second) {
        if (numbers(folder, "cpu.max", v) < 2) return 0;
        period[0] = v[1];
    } else if (numbers(folder, "cpu.cfs_quota_us", v) < 1 || numbers(folder, "cpu.cfs_period_us", period) < 1) {
        return 0;
    }
    return v[0] > 0 && period[0] > 0 ? v[0] / period[0] : 0; /* -1: none */
}

static double lesser(double a, double b)
{
    return a <= 0 ? b : b <= 0 || a < b ? a : b;
}

/* From the group itself up to where its hierarchy is mounted: a parent's quota holds for all below it. */
static double quota_above(const char *mount, const char *group, bool second)
{
    struct rg_buf b = RG_BUF_INIT;
    double least = 0;
    rg_buf_printf(&b, "%s%s", mount, strcmp(group, "/") ? group : "");
    for (size_t top = strlen(mount);;) {
        least = lesser(least, quota_at(b.data, second));
        if (b.len <= top) break;
        while (b.len > top && b.data[b.len - 1] != '/') b.len--;
        if (b.len > top) b.len--;
        b.data[b.len] = 0;
    }
    rg_buf_release(&b);
    return least;
}

/* The group's path in its hierarchy as /proc/PID/cgroup has it: "0::/PATH", or "N:cpu,cpuacct:/PATH"; malloc'd. */
static char *group_of(const char *text, bool second)
{
    for (const char *p = text; p && *p; p = strchr(p, '\n'), p = p ? p + 1 : NULL) {
        const char *end = p + strcspn(p, "\n"), *list = memchr(p, ':', (size_t)(end - p));
        const char *path = list ? memchr(list + 1, ':', (size_t)(end - list - 1)) : NULL;
        if (!path) continue;
        size_t len = (size_t)(path - list - 1);
        if (second ? len == 0 : lists(list + 1, len, "cpu")) return rg_xstrndup(path + 1, (size_t)(end - path - 1));
    }
    return NULL;
}

/* One line of mountinfo: "ID PARENT DEV ROOT MOUNT OPTIONS [TAGS] - TYPE SOURCE SUPER". */
static double quota_of_mount(const char *line, const char *groups)
{
    char root[PATH_MAX], mount[PATH_MAX], type[32], super[512];
    const char *dash = strstr(line, " - ");
    if (!dash || sscanf(line, "%*s %*s %*s %4095s %4095s", root, mount) != 2) return 0;
    if (sscanf(dash, " - %31s %*s %511s", type, super) != 2) return 0;
    bool second = !strcmp(type, "cgroup2");
    if (!second && (strcmp(type, "cgroup") || !lists(super, strlen(super), "cpu"))) return 0;
    char *group = group_of(groups, second);
    if (!group) return 0;
    /* in a container the mount begins at its own group, or the path is given from there already */
    size_t n = strcmp(root, "/") ? strlen(root) : 0;
    bool inside = n && !strncmp(group, root, n) && (group[n] == '/' || !group[n]);
    double q = quota_above(mount, inside ? group + n : n ? "/" : group, second);
    free(group);
    return q;
}

double rg_cpus_quota(const char *cgroup_file, const char *mountinfo_file)
{
    char *groups = NULL, *mounts = NULL;
    size_t len;
    double least = 0;
    if (rg_file_read(cgroup_file, 0, &groups, &len, NULL) == RG_OK &&
        rg_file_read(mountinfo_file, 0, &mounts, &len, NULL) == RG_OK) {
        for (char *p = mounts, *next; p && *p; p = next) {
            next = strchr(p, '\n');
            if (next) *next++ = 0;
            least = lesser(least, quota_of_mount(p, groups));
        }
    }
    free(groups);
    free(mounts);
    return least;
}

static double own_quota;

static void read_quota(void)
{
    own_quota = rg_cpus_quota("/proc/self/cgroup", "/proc/self/mountinfo");
}

int rg_cpus(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    size_t bytes;
    int most, n = 1;
    cpu_set_t *set = affinity(&bytes, &most);
    pthread_once(&once, read_quota);
    if (set) {
        n = CPU_COUNT_S(bytes, set);
        CPU_FREE(set);
    }
    if (own_quota > 0 && ceil(own_quota) < n) n = (int)ceil(own_quota);
    return n < 1 ? 1 : n;
}
