#include "runtime/os/sandbox.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <rg/buf.h>
#include <sched.h>
#include <seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* What newer kernels know and older headers don't (include/uapi/linux/landlock.h). */
enum {
    FS_EXECUTE = 1 << 0,
    FS_WRITE_FILE = 1 << 1,
    FS_READ_FILE = 1 << 2,
    FS_READ_DIR = 1 << 3,
    FS_REMOVE_DIR = 1 << 4,
    FS_REMOVE_FILE = 1 << 5,
    FS_MAKE_DIR = 1 << 7,
    FS_MAKE_REG = 1 << 8,
    FS_ABI1 = (1 << 13) - 1,
    FS_REFER = 1 << 13,
    FS_TRUNCATE = 1 << 14,
    FS_IOCTL_DEV = 1 << 15,
    NET_TCP = 3,
    SCOPE_ALL = 3,
};

struct ruleset { /* struct landlock_ruleset_attr as of ABI 6; older kernels take a prefix */
    uint64_t fs, net, scoped;
};

static void allow(int ruleset, const char *const *paths, uint64_t access, uint64_t handled)
{
    for (size_t i = 0; paths && paths[i]; i++) {
        if (!paths[i][0]) continue;
        int fd = open(paths[i], O_PATH | O_CLOEXEC);
        struct stat st;
        if (fd < 0) continue;
        uint64_t of_files = FS_EXECUTE | FS_WRITE_FILE | FS_READ_FILE | FS_TRUNCATE | FS_IOCTL_DEV;
        struct landlock_path_beneath_attr rule = {.allowed_access = access & handled, .parent_fd = fd};
        if (fstat(fd, &st) == 0 && !S_ISDIR(st.st_mode)) rule.allowed_access &= of_files;
        (void)syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
        close(fd);
    }
}

static bool close_files(const struct rg_sandbox *s)
{
    long abi = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    if (abi < 1) return false;
    struct ruleset r = {.fs = FS_ABI1};
    if (abi >= 2) r.fs |= FS_REFER;
    if (abi >= 3) r.fs |= FS_TRUNCATE;
    if (abi >= 5) r.fs |= FS_IOCTL_DEV;
    if (abi >= 4) r.net = NET_TCP;
    if (abi >= 6) r.scoped = SCOPE_ALL;
    size_t size = abi >= 6 ? sizeof r : abi >= 4 ? 2 * sizeof r.fs : sizeof r.fs;
    int ruleset = (int)syscall(SYS_landlock_create_ruleset, &r, size, 0);
    if (ruleset < 0) return false;
    allow(ruleset, s->run, FS_READ_FILE | FS_READ_DIR | FS_EXECUTE, r.fs);
    allow(ruleset, s->read, FS_READ_FILE | FS_READ_DIR, r.fs);
    allow(ruleset, s->write,
          FS_READ_FILE | FS_READ_DIR | FS_WRITE_FILE | FS_TRUNCATE | FS_MAKE_REG | FS_MAKE_DIR | FS_REMOVE_FILE |
              FS_REMOVE_DIR,
          r.fs);
    allow(ruleset, s->device, FS_READ_FILE | FS_READ_DIR | FS_WRITE_FILE | FS_IOCTL_DEV, r.fs);
    bool ok = syscall(SYS_landlock_restrict_self, ruleset, 0) == 0;
    close(ruleset);
    return ok;
}

#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define SANITIZED 1
#elif defined __has_feature
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

/* Computing, memory, threads, time and what is open already. */
static const char *const always[] = {
    "read",
    "readv",
    "pread64",
    "preadv",
    "write",
    "writev",
    "pwrite64",
    "close",
    "close_range",
    "fstat",
    "newfstatat",
    "stat",
    "lstat",
    "statx",
    "fstatfs",
    "statfs",
    "lseek",
    "mmap",
    "munmap",
    "mprotect",
    "mremap",
    "madvise",
    "brk",
    "mincore",
    "msync",
    "mlock",
    "mlock2",
    "munlock",
    "membarrier",
    "rt_sigaction",
    "rt_sigprocmask",
    "rt_sigreturn",
    "sigaltstack",
    "exit",
    "exit_group",
    "futex",
    "sched_yield",
    "sched_getaffinity",
    "sched_setaffinity",
    "sched_getparam",
    "sched_getscheduler",
    "getcpu",
    "getpid",
    "gettid",
    "getppid",
    "getuid",
    "geteuid",
    "getgid",
    "getegid",
    "clock_gettime",
    "setitimer",
    "clock_getres",
    "clock_nanosleep",
    "nanosleep",
    "gettimeofday",
    "time",
    "times",
    "getrandom",
    "rseq",
    "set_robust_list",
    "get_robust_list",
    "set_tid_address",
    "getrlimit",
    "getrusage",
    "sysinfo",
    "uname",
    "poll",
    "ppoll",
    "select",
    "pselect6",
    "epoll_create1",
    "epoll_ctl",
    "epoll_wait",
    "epoll_pwait",
    "eventfd2",
    "pipe2",
    "dup",
    "dup3",
    "fcntl",
    "access",
    "faccessat",
    "faccessat2",
    "readlink",
    "readlinkat",
    "getdents64",
    "getcwd",
    "arch_prctl",
    "restart_syscall",
    "get_mempolicy",
    "fadvise64",
};
static const char *const of_devices[] = {"ioctl",         "memfd_create",   "ftruncate",      "mbind",
                                         "set_mempolicy", "timerfd_create", "timerfd_settime"};
/* where Landlock says which files */
static const char *const of_files[] = {"unlink",    "unlinkat", "rename", "renameat", "renameat2", "ftruncate",
                                       "fallocate", "fchmod",   "fsync",  "flock",    "mkdir",     "mkdirat"};

static int permit(scmp_filter_ctx ctx, const char *const *names, size_t n)
{
    int rc = 0;
    for (size_t i = 0; i < n && rc == 0; i++) {
        int nr = seccomp_syscall_resolve_name(names[i]);
        if (nr >= 0) rc = seccomp_rule_add(ctx, SCMP_ACT_ALLOW, nr, 0);
    }
    return rc;
}
#define PERMIT(ctx, names) permit(ctx, names, sizeof(names) / sizeof *(names))

/* For programs that are run to build something: all but what reaches other machines and processes. */
static bool close_some_calls(void)
{
    static const char *const never[] = {
        "socket",         "socketpair", "ptrace",         "process_vm_readv", "process_vm_writev",
        "io_uring_setup", "bpf",        "perf_event_open"};
    scmp_filter_ctx ctx = seccomp_init(SCMP_ACT_ALLOW);
    int rc = ctx ? 0 : -1;
    for (size_t i = 0; i < sizeof never / sizeof *never && !rc; i++) {
        int nr = seccomp_syscall_resolve_name(never[i]);
        if (nr >= 0) rc = seccomp_rule_add(ctx, SCMP_ACT_ERRNO(EPERM), nr, 0);
    }
    if (!rc) rc = seccomp_load(ctx);
    if (ctx) seccomp_release(ctx);
    return rc == 0;
}

static bool close_calls(const struct rg_sandbox *s, bool files_closed)
{
    scmp_filter_ctx ctx = seccomp_init(SCMP_ACT_ERRNO(EPERM));
    if (!ctx) return false;
    /* threads, not processes; clone3 hides its flags behind a pointer, and the C library falls back to clone */
    int rc = seccomp_rule_add(ctx, SCMP_ACT_ALLOW, SCMP_SYS(clone), 1,
                              SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, CLONE_THREAD));
    if (!rc) rc = seccomp_rule_add(ctx, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);
    if (!rc)
        rc =
            seccomp_rule_add(ctx, SCMP_ACT_ALLOW, SCMP_SYS(tgkill), 1, SCMP_A0(SCMP_CMP_EQ, (scmp_datum_t)getpid(), 0));
    if (!rc)
        rc = seccomp_rule_add(ctx, SCMP_ACT_ALLOW, SCMP_SYS(prlimit64), 1,
                              SCMP_A2(SCMP_CMP_EQ, 0, 0)); /* to look only */
    if (!rc)
        rc = seccomp_rule_add(ctx, SCMP_ACT_ALLOW, SCMP_SYS(prlimit64), 1,
                              SCMP_A1(SCMP_CMP_EQ, RLIMIT_STACK, 0)); /* NVRTC raises it */
    if (!rc) rc = seccomp_rule_add(ctx, SCMP_ACT_ALLOW, SCMP_SYS(prctl), 1, SCMP_A0(SCMP_CMP_EQ, PR_SET_NAME, 0));
    if (!rc) rc = PERMIT(ctx, always);
    if (!rc && s->device) rc = PERMIT(ctx, of_devices);
    if (!rc && files_closed) rc = PERMIT(ctx, of_files);
    if (!rc) { /* without Landlock nothing can be made or written, but anything can be read */
        bool any = files_closed;
        struct scmp_arg_cmp how = SCMP_A2(SCMP_CMP_MASKED_EQ, any ? 0 : O_ACCMODE | O_CREAT | O_TRUNC, 0);
        rc = seccomp_rule_add_array(ctx, SCMP_ACT_ALLOW, SCMP_SYS(openat), any ? 0 : 1, &how);
        struct scmp_arg_cmp old = SCMP_A1(SCMP_CMP_MASKED_EQ, any ? 0 : O_ACCMODE | O_CREAT | O_TRUNC, 0);
        int nr = seccomp_syscall_resolve_name("open");
        if (!rc && nr >= 0) rc = seccomp_rule_add_array(ctx, SCMP_ACT_ALLOW, nr, any ? 0 : 1, &old);
    }
    if (!rc) rc = seccomp_attr_set(ctx, SCMP_FLTATR_CTL_TSYNC, 1);
#if SCMP_VER_MAJOR > 2 || (SCMP_VER_MAJOR == 2 && SCMP_VER_MINOR >= 5)
    if (!rc && s->timed) (void)seccomp_attr_set(ctx, SCMP_FLTATR_CTL_SSB, 1);
#endif
    if (!rc) rc = seccomp_load(ctx);
    seccomp_release(ctx);
    return rc == 0;
}

/* Bytes of address space in use: drivers reserve terabytes of it at their start. */
static int64_t mapped(void)
{
    long long pages = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    if (!f || fscanf(f, "%lld", &pages) != 1) pages = 0;
    if (f) fclose(f);
    return pages * sysconf(_SC_PAGESIZE);
}

int rg__sandbox_enter(const struct rg_sandbox *s)
{
    int doors = 0;
    int64_t in_use = s->memory > 0 && !SANITIZED ? mapped() : 0;
    if (in_use > 0) {
        struct rlimit l = {(rlim_t)(in_use + s->memory), (rlim_t)(in_use + s->memory)};
        setrlimit(RLIMIT_AS, &l);
    }
    struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) return 0;
    if (close_files(s)) doors |= RG_SANDBOX_FILES;
    if (SANITIZED) return doors;
    if (s->run ? close_some_calls() : close_calls(s, doors & RG_SANDBOX_FILES)) doors |= RG_SANDBOX_CALLS;
    return doors;
}

const char *rg__sandbox_words(int doors)
{
    static const char *const words[] = {"nothing", "files", "calls", "files and calls"};
    return words[doors & 3];
}

char **rg__sandbox_environment(char *const *all)
{
    static const char *const kept[] = {
        "LD_LIBRARY_PATH=", "HOME=",           "PATH=",          "TMPDIR=",      "LANG=", "LC_",     "CC=",
        "CPATH=",           "C_INCLUDE_PATH=", "LIBRARY_PATH=",  "OMP_",         "CUDA_", "NVIDIA_", "RG_DEVICES=",
        "RG_SIM_",          "ASAN_OPTIONS=",   "UBSAN_OPTIONS=", "LSAN_OPTIONS="};
    size_t n = 0, m = 0;
    while (all[n]) n++;
    char **out = rg_xcalloc(n + 1, sizeof *out);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < sizeof kept / sizeof *kept; k++)
            if (!strncmp(all[i], kept[k], strlen(kept[k]))) {
                out[m++] = all[i];
                break;
            }
    return out;
}
