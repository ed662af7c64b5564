/* What a closed worker can and cannot do: tried in children, because it is for good. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include "runtime/os/sandbox.h"
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[] = "/tmp/regraph-sandbox-XXXXXX", outside[200], given[200];

static int make(void **state)
{
    if (!mkdtemp(folder)) return -1;
    snprintf(given, sizeof given, "%s/given", folder);
    snprintf(outside, sizeof outside, "%s/outside", folder);
    FILE *f = fopen(outside, "w");
    return mkdir(given, 0700) || !f || fputs("secret", f) < 0 || fclose(f) ? -1 : 0;
}

static int clear(void **state)
{
    char command[300];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

/* Runs `what` in a closed child; its result is the exit status. 77: the kernel lacks what the test is about. */
static int closed(int needs, int (*what)(void))
{
    pid_t pid = fork();
    if (pid == 0) {
        const char *write[] = {given, NULL}, *read[] = {"/usr", NULL};
        const struct rg_sandbox box = {.read = read, .write = write, .memory = INT64_C(2) << 30};
        if ((rg__sandbox_enter(&box) & needs) != needs) _exit(77);
        _exit(what());
    }
    int status;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* What compilers get: programs run, files are written in one folder only, nothing leaves. */
static int building(void)
{
    static const char *const all[] = {"/", NULL};
    const char *write[] = {given, "/dev/null", NULL};
    const struct rg_sandbox box = {.run = all, .write = write};
    char command[700];
    if (rg__sandbox_enter(&box) != (RG_SANDBOX_FILES | RG_SANDBOX_CALLS)) return 77;
    snprintf(command, sizeof command, "cat /etc/hostname >/dev/null; mkdir %s/d && echo x >%s/d/y && rm -r %s/d", given,
             given, given);
    if (system(command)) return 1;
    snprintf(command, sizeof command, "{ echo x >%s/z; } 2>/dev/null", folder);
    if (!system(command)) return 2;
    if (socket(AF_INET, SOCK_DGRAM, 0) >= 0) return 3;
    /* what is built may then be closed off further */
    static const char *const usr[] = {"/usr", NULL};
    const struct rg_sandbox then = {.read = usr, .write = write, .timed = true};
    if (rg__sandbox_enter(&then) != (RG_SANDBOX_FILES | RG_SANDBOX_CALLS)) return 4;
    if (open(outside, O_RDONLY) >= 0 || fork() >= 0) return 5;
    return 0;
}

#define GIVES(needs, what)                                                                                             \
    do {                                                                                                               \
        int rc = closed(needs, what);                                                                                  \
        if (rc == 77) {                                                                                                \
            print_message("[  SKIPPED ] the kernel or a sanitizer leaves this door open\n");                           \
            skip();                                                                                                    \
        }                                                                                                              \
        assert_int_equal(rc, 0);                                                                                       \
    } while (0)

static void compilers_run_and_write_in_one_folder(void **state)
{
    pid_t pid = fork();
    if (pid == 0) _exit(building());
    int status;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == 77) {
        print_message("[  SKIPPED ] the kernel or a sanitizer leaves this door open\n");
        skip();
    }
    assert_int_equal(status, 0);
}

static int files_outside(void)
{
    char path[300];
    snprintf(path, sizeof path, "%s/new", folder);
    if (open(outside, O_RDONLY) >= 0) return 1;
    if (open("/etc/passwd", O_RDONLY) >= 0) return 2;
    if (open(path, O_WRONLY | O_CREAT, 0600) >= 0) return 3;
    if (open("/proc/1/environ", O_RDONLY) >= 0) return 4;
    return unlink(outside) == 0 ? 5 : 0;
}

static int files_given(void)
{
    char path[300], text[8] = "";
    snprintf(path, sizeof path, "%s/new", given);
    int fd = open(path, O_RDWR | O_CREAT, 0600);
    if (fd < 0 || write(fd, "abc", 3) != 3 || pread(fd, text, 3, 0) != 3 || strcmp(text, "abc")) return 1;
    close(fd);
    return unlink(path) ? 2 : 0;
}

static int processes(void)
{
    pid_t pid = fork();
    if (pid == 0) _exit(0);
    if (pid >= 0) return 1;
    pid = vfork();
    if (pid == 0) _exit(0);
    if (pid >= 0) return 2;
    char *argv[] = {"/bin/true", NULL};
    execv(argv[0], argv);
    if (errno != EPERM && errno != EACCES) return 3;
    return kill(getppid(), 0) == 0 ? 4 : 0;
}

static int sockets(void)
{
    if (socket(AF_INET, SOCK_STREAM, 0) >= 0) return 1;
    return socket(AF_UNIX, SOCK_STREAM, 0) >= 0 ? 2 : 0;
}

static void *one(void *arg)
{
    *(int *)arg = 1;
    return NULL;
}

static int ordinary_work(void)
{
    pthread_t t;
    int done = 0;
    if (pthread_create(&t, NULL, one, &done) || pthread_join(t, NULL) || !done) return 1;
    char *p = malloc(64 << 20);
    if (!p) return 2;
    memset(p, 1, 64 << 20);
    free(p);
    return access("/usr", R_OK) ? 3 : 0;
}

static int memory_ends(void)
{
    void *p = mmap(NULL, (size_t)3 << 30, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    struct rlimit more = {RLIM_INFINITY, RLIM_INFINITY};
    if (p != MAP_FAILED) return 1;
    return setrlimit(RLIMIT_AS, &more) == 0 ? 2 : 0;
}

static int abort_works(void)
{
    signal(SIGABRT, SIG_DFL);
    abort();
}

static void files(void **state)
{
    GIVES(RG_SANDBOX_FILES, files_outside);
    GIVES(RG_SANDBOX_FILES, files_given);
    assert_int_equal(access(outside, R_OK), 0); /* the parent is as free as before */
}

static void calls(void **state)
{
    GIVES(RG_SANDBOX_CALLS, processes);
    GIVES(RG_SANDBOX_CALLS, sockets);
    GIVES(RG_SANDBOX_CALLS, memory_ends);
}

static void work_goes_on(void **state)
{
    GIVES(0, ordinary_work);
    assert_int_equal(closed(0, abort_works), 128 + SIGABRT);
}

static void environment_is_thin(void **state)
{
    char *all[] = {"OPENAI_API_KEY=secret",
                   "HOME=/root",
                   "CUDA_HOME=/x",
                   "LD_PRELOAD=evil",
                   "LD_LIBRARY_PATH=/y",
                   "HOMER=1",
                   NULL};
    char **env = rg__sandbox_environment(all);
    assert_string_equal(env[0], "HOME=/root");
    assert_string_equal(env[1], "CUDA_HOME=/x");
    assert_string_equal(env[2], "LD_LIBRARY_PATH=/y");
    assert_null(env[3]);
    free(env);
    assert_string_equal(rg__sandbox_words(RG_SANDBOX_FILES | RG_SANDBOX_CALLS), "files and calls");
    assert_string_equal(rg__sandbox_words(0), "nothing");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files),
        cmocka_unit_test(calls),
        cmocka_unit_test(work_goes_on),
        cmocka_unit_test(environment_is_thin),
        cmocka_unit_test(compilers_run_and_write_in_one_folder),
    };
    return cmocka_run_group_tests(tests, make, clear);
}
