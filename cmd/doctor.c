/* regraph-doctor: what this machine can do, and what is missing for the rest, on one screen. */
#include "cmd/common.h"

#include <rg/cpus.h>
#include <rg/file.h>
#include <rg/frontend.h>
#include <rg/llm.h>
#include <rg/worker.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_DEVICES = 16 };

struct doctor {
    bool c, parser, nvrtc, gpu; /* found */
};

static void row(const char *name, bool good, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
static void row(const char *name, bool good, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    printf("  %-14s%s ", name, good ? rg_cmd_paint(stdout, "32", "ok     ") : rg_cmd_paint(stdout, "31", "missing"));
    vprintf(fmt, ap);
    va_end(ap);
    putchar('\n');
}

/* A library that includes a header of the C library and is linked with its mathematics, as the user's C is. */
static bool builds(char *why, size_t size)
{
    const char *tmp = getenv("TMPDIR");
    char *dir = rg_xasprintf("%s/regraph-doctor-XXXXXX", tmp && *tmp ? tmp : "/tmp");
    if (!mkdtemp(dir)) {
        snprintf(why, size, "no folder can be made as %s", dir);
        free(dir);
        return false;
    }
    static const char code[] = "#include <math.h>\ndouble f(double x) { return sin(x); }\n";
    char *from = rg_xasprintf("%s/t.c", dir), *to = rg_xasprintf("%s/t.so", dir);
    bool ok = rg_file_write(from, code, sizeof code - 1, NULL) == RG_OK &&
              rg_cmd_cc((const char *const[]){"-shared", "-fPIC", from, "-o", to, "-lm", NULL}, why, size);
    unlink(from);
    unlink(to);
    rmdir(dir);
    free(from);
    free(to);
    free(dir);
    return ok;
}

static void compilers(struct doctor *d)
{
    char text[200];
    struct rg_error err = RG_ERROR_INIT;
    const char *cc = getenv("CC");
    if (!cc || !*cc) cc = "cc";
    char why[200] = "";
    bool runs = rg_cmd_cc((const char *const[]){"--version", NULL}, text, sizeof text);
    d->c = runs && builds(why, sizeof why);
    row("C compiler", d->c,
        d->c   ? "%s"
        : runs ? "it builds no library: %s (Debian, Ubuntu: apt install libc6-dev)"
               : "'%s' does not run: it preprocesses and runs your C (Debian, Ubuntu: apt install gcc; or set CC)",
        d->c   ? text
        : runs ? why
               : cc);
    d->parser = rg_frontend_parser(text, sizeof text, &err) == RG_OK;
    row("C parser", d->parser, "%s", d->parser ? text : err.text);
    struct rg_probe p;
    rg_error_clear(&err);
    d->nvrtc = rg_worker_probe("compile", NULL, &p, &err) == RG_OK;
    if (d->nvrtc)
        row("CUDA compiler", true, "%s; closed to candidates: %s", p.driver, p.sandbox);
    else
        row("CUDA compiler", false, "%s", err.text);
}

static void devices(struct doctor *d)
{
    struct rg_probe p;
    for (int i = 0; i < MAX_DEVICES; i++) {
        char name[24];
        struct rg_error err = RG_ERROR_INIT;
        snprintf(name, sizeof name, "cuda:%d", i);
        if (rg_worker_probe("run", name, &p, &err) != RG_OK) {
            if (i == 0) row("GPU", false, "%s", err.text);
            break;
        }
        d->gpu = true;
        row(i ? "" : "GPU", true,
            "%s %s, %s, %d SMs, copies %.2f TB/s, fp32 %.1f and fp64 %.1f TFLOP/s (measured), CUDA %s; closed to "
            "candidates: %s",
            name, p.device, p.arch, p.sms, p.copy_bytes_s * 1e-12, p.fp32_flop_s * 1e-12, p.fp64_flop_s * 1e-12,
            p.driver, p.sandbox);
        char text[500];
        struct rg_error why = RG_ERROR_INIT;
        bool read = rg_worker_counters(name, text, sizeof text, &why) == RG_OK;
        row("  counters", read, "%s%s%s", read ? text : why.text, read ? "" : "; ", read ? "" : p.hardware_counters);
    }
    char path[400];
    bool sanitizer = rg_worker_sanitizer(path, sizeof path);
    row("race checks", sanitizer, "on the simulated device; %s%s",
        sanitizer ? "what it cannot run, on a GPU by "
                  : "no compute-sanitizer in PATH or CUDA_HOME: what it cannot run is marked as not checked",
        sanitizer ? path : "");
    struct rg_error err = RG_ERROR_INIT;
    char *names = rg_worker_simulated();
    bool works = rg_worker_probe("run", "sim:h200", &p, &err) == RG_OK;
    if (works)
        row("simulated", true, "%s; closed to candidates: %s", names, p.sandbox);
    else
        row("simulated", false, "%s", err.text);
    free(names);
}

static void extras(void)
{
    char text[200];
    bool nvcc = rg_cmd_first_line("nvcc", "--version", text, sizeof text);
    row("nvcc", nvcc, "%s", nvcc ? "to build what is exported" : "not on PATH: only needed to build what is exported");
    const char *home = getenv("XDG_DATA_HOME");
    char *data = home && *home ? rg_xasprintf("%s/regraph", home)
                               : rg_xasprintf("%s/.local/share/regraph", getenv("HOME") ? getenv("HOME") : "");
    struct stat st;
    bool there = stat(data, &st) == 0, writable = there ? access(data, W_OK) == 0 : true;
    row("learnt graph", writable, "%s%s", data,
        there ? writable ? "" : " cannot be written: use --graph or --no-learn" : " (made on first use)");
    free(data);
    printf("  %-14s        %d core%s, %.0f GB of memory\n", "machine", rg_cpus(), rg_cpus() == 1 ? "" : "s",
           (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE) * 1e-9);
}

/* One talk with the model's server. */
static int model(const struct rg_llm_options *o)
{
    struct rg_llm_probe p;
    struct rg_error err = RG_ERROR_INIT;
    if (rg_llm_probe(o, &p, &err) != RG_OK) return rg_cmd_fail(&err);
    if (p.lists_models && p.has_model)
        row("model", true, "%s is served at %s", o->model, p.place);
    else if (p.lists_models)
        row("model", false, "the server lists %d models, not '%s'%s%s", p.n_models, o->model,
            *p.first_model ? "; the first is " : "", p.first_model);
    else
        row("model", p.answers, "%s tells no list of models", p.place);
    if (p.context)
        printf("  %-14s        %lld tokens: --llm-context %lld\n", "context", (long long)p.context,
               (long long)p.context);
    if (p.answers)
        row("answers", true, "in %.1f s%s", p.seconds,
            p.prompt_tokens >= 0 ? ", and counts tokens" : "; it counts no tokens: budgets go by bytes / 4");
    else
        row("answers", false, "%s", p.message);
    if (p.answers)
        row("code and plan", p.usable, p.usable ? "as asked for" : "a test reply could not be used: %s (docs/llm.md)",
            p.reply);
    if (p.answers)
        printf("  %-14s        %s\n", "samples",
               p.samples ? "several answers a request: --llm-samples" : "one answer a request");
    if (*p.quirks) printf("  %-14s       %s (--llm-quirks: a line `%s%s`)\n", "quirks", p.quirks, o->model, p.quirks);
    return p.answers && p.usable ? 0
                                 : rg_status_exit(RG_SERVICE); /* a model that sends no code is none to search with */
}

int main(int argc, char **argv)
{
    struct rg_llm_options llm = {.temperature = -1, .retries = -1};
    bool with_model = false;
    double timeout = 60;
    const struct rg_option table[] = {
        RG_OPTION_FLAG("llm", 0, &with_model, "talk to the model's server once, and say what it can do"),
        RG_OPTION_TEXT("llm-url", 0, &llm.url, "URL", "base of the server, http://localhost:8000/v1"),
        RG_OPTION_TEXT("llm-model", 0, &llm.model, "NAME", "model name"),
        RG_OPTION_CHOICE("llm-api", 0, &llm.api, "auto|chat|messages", "protocol (by the url)"),
        RG_OPTION_TEXT("llm-key-env", 0, &llm.key_env, "VAR",
                       "variable that holds the key (OPENAI_API_KEY, ANTHROPIC_API_KEY)"),
        RG_OPTION_TEXT("llm-key-file", 0, &llm.key_file, "FILE", "file that holds the key instead"),
        RG_OPTION_TEXT("llm-quirks", 0, &llm.quirks, "FILE", "what single models want differently (docs/models.md)"),
        RG_OPTION_SECONDS("llm-timeout", 0, &timeout, "T", "of one request (60s)"),
    };
    const struct rg_command command = {
        .name = "regraph-doctor",
        .example = "regraph-doctor",
        .usage = "[--llm --llm-url URL --llm-model NAME]",
        .options = table,
        .n_options = RG_N_OPTIONS(table),
        .min_args = 0,
        .max_args = 0,
        .about = "Says what this machine can do and what is missing for the rest.",
        .notes = "Exit: 0 a search can run here, on a GPU or simulated; 4 it cannot; 5 with --llm, the model does not "
                 "answer.",
    };
    rg_cmd_start("regraph-doctor");
    const char *none;
    int code = rg_cmd_parse_one(&command, argc, argv, &none);
    if (code < 0 && with_model && (!llm.url || !llm.model))
        code = rg_cmd_usage(&command, "--llm needs --llm-url and --llm-model");
    if (code >= 0) return rg_cmd_end(code);
    llm.timeout_s = timeout;
    if (with_model) return rg_cmd_end(model(&llm));
    struct doctor d = {0};
    compilers(&d);
    devices(&d);
    extras();
    bool works = d.c && d.parser && d.nvrtc;
    printf("%s\n", !works  ? "No search can run here until what is missing above is installed. A saved problem "
                             "(regraph-search --problem) needs no parser."
                   : d.gpu ? "Searches run on the GPU."
                           : "Searches run on the simulated device: times are estimates.");
    return rg_cmd_end(works ? 0 : 4);
}
