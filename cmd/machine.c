/* What the programs ask of the machine they run on. */
#include "cmd/common.h"

#include <rg/buf.h>
#include <rg/proc.h>
#include <stdlib.h>
#include <string.h>

enum { CC_WORDS = 16 };

bool rg_cmd_cc(const char *const *more, char *out, size_t size)
{
    const char *cc = getenv("CC"), *argv[CC_WORDS + 8];
    char *text = rg_xstrdup(cc && *cc ? cc : "cc"), *rest = text;
    int n = 0, status = 0;
    for (char *word; n < CC_WORDS && (word = strtok_r(rest, " \t", &rest));) argv[n++] = word;
    for (int i = 0; more[i] && i < 7; i++) argv[n++] = more[i];
    argv[n] = NULL;
    struct rg_proc_options o = {.argv = argv, .pass_fd = -1};
    struct rg_buf said = RG_BUF_INIT, errs = RG_BUF_INIT;
    struct rg_error none = RG_ERROR_INIT;
    bool late = false,
         ok = n > 0 && rg_proc_run(&o, 10, &said, &errs, &status, &late, &none) == RG_OK && !status && !late;
    const char *line = ok ? said.data : errs.data;
    snprintf(out, size, "%.*s", line ? (int)strcspn(line, "\n") : 0, line ? line : "");
    rg_buf_release(&said);
    rg_buf_release(&errs);
    free(text);
    return ok;
}

bool rg_cmd_first_line(const char *program, const char *option, char *out, size_t size)
{
    const char *argv[] = {program, option, NULL};
    struct rg_proc_options o = {.argv = argv, .pass_fd = -1};
    struct rg_buf b = RG_BUF_INIT;
    struct rg_error none = RG_ERROR_INIT;
    int status = 0;
    bool late = false, ok = rg_proc_run(&o, 10, &b, NULL, &status, &late, &none) == RG_OK && status == 0 && !late;
    snprintf(out, size, "%.*s", (int)strcspn(b.len ? b.data : "", "\n"), b.len ? b.data : "");
    rg_buf_release(&b);
    return ok;
}

void rg_cmd_processor(char *out, size_t size)
{
    FILE *f = fopen("/proc/cpuinfo", "r");
    char line[256];
    *out = 0;
    while (f && !*out && fgets(line, sizeof line, f)) {
        char *value = strncmp(line, "model name", 10) ? NULL : strchr(line, ':');
        if (value && value[1]) snprintf(out, size, "%.*s", (int)strcspn(value + 2, "\n"), value + 2);
    }
    if (f) fclose(f);
}

void rg_cmd_compiler(const char *flags, char *out, size_t size)
{
    const char *cc = getenv("CC");
    char version[160];
    if (!cc || !*cc) cc = "cc";
    bool runs = rg_cmd_cc((const char *const[]){"--version", NULL}, version, sizeof version);
    snprintf(out, size, "%s -O3 -march=native%s%s", runs && *version ? version : cc, flags && *flags ? " " : "",
             flags ? flags : "");
}
