#include "cmd/common.h"
#include "cmd/describe.h"

#include <errno.h>
#include <math.h>
#include <rg/log.h>
#include <rg/similar.h>
#include <rg/version.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

static const char *program_name = "regraph";
static int verbosity;

void rg_strings_add(struct rg_strings *s, const char *item)
{
    RG_GROW(s->items, s->n, s->cap);
    s->items[s->n++] = item;
}

void rg_strings_release(struct rg_strings *s)
{
    free(s->items);
    *s = (struct rg_strings){0, 0, NULL};
}

static void log_to_stderr(void *arg, enum rg_log_level level, const char *text)
{
    if (level == RG_LOG_WARN || (level == RG_LOG_INFO && verbosity >= 1) || verbosity >= 2)
        fprintf(stderr, "%s: %s%s\n", program_name, level == RG_LOG_WARN ? "warning: " : "", text);
}

void rg_cmd_start(const char *program)
{
    program_name = program;
    rg_log_sink(log_to_stderr, NULL);
}

const char *rg_cmd_version(void)
{
    return RG_VERSION;
}

void rg_cmd_today(char out[11])
{
    time_t t = time(NULL);
    struct tm tm;
    strftime(out, 11, "%Y-%m-%d", gmtime_r(&t, &tm));
}

void rg_cmd_host(char *out, size_t size)
{
    out[0] = out[size - 1] = '\0';
    if (gethostname(out, size - 1)) out[0] = '\0';
}

void rg_cmd_verbosity(int level)
{
    verbosity = level;
}

void rg_cmd_message(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    fprintf(stderr, "%s: ", program_name);
    vfprintf(stderr, fmt, ap);
    fputc('\n', stderr);
    va_end(ap);
}

/* --json was given: what fails is a document on stdout as well. */
static bool json_wanted;

static void fail_json(const struct rg_error *err)
{
    if (!json_wanted) return;
    char *text = rg_error_json(err);
    puts(text);
    free(text);
}

int rg_cmd_fail(const struct rg_error *err)
{
    char text[2048];
    rg_cmd_message("%s", rg_error_format(err, text, sizeof text));
    fail_json(err);
    return rg_status_exit(err->status == RG_OK ? RG_BUG : err->status);
}

int rg_cmd_usage(const struct rg_command *c, const char *fmt, ...)
{
    struct rg_error err = {.status = RG_USAGE};
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(err.text, sizeof err.text, fmt, ap);
    va_end(ap);
    fprintf(stderr, "%s: %s\nTry '%s --help'.\n", program_name, err.text, c->name);
    fail_json(&err);
    return RG_EXIT_USAGE;
}

int rg_cmd_end(int code)
{
    bool bad = ferror(stdout) != 0;
    errno = 0;
    if (fclose(stdout) != 0) bad = true;
    if (!bad) return code;
    if (errno)
        rg_cmd_message("cannot write standard output: %s", strerror(errno));
    else
        rg_cmd_message("cannot write standard output in full");
    return code == 0 ? rg_status_exit(RG_IO) : code;
}

bool rg_cmd_terminal(FILE *f)
{
    const char *term = getenv("TERM");
    return term && *term && strcmp(term, "dumb") != 0 && isatty(fileno(f));
}

int rg_cmd_columns(FILE *f)
{
    enum { LEAST = 20, USUAL = 80 };
    struct winsize w;
    const char *given = getenv("COLUMNS");
    int n = ioctl(fileno(f), TIOCGWINSZ, &w) == 0 && w.ws_col > 0 ? w.ws_col : given ? atoi(given) : 0;
    return n <= 0 ? USUAL : n < LEAST ? LEAST : n;
}

bool rg_cmd_color(FILE *f)
{
    const char *no = getenv("NO_COLOR");
    return !(no && *no) && rg_cmd_terminal(f);
}

const char *rg_cmd_paint(FILE *f, const char *sgr, const char *text)
{
    static char slots[4][512];
    static int next;
    if (!rg_cmd_color(f)) return text;
    char *slot = slots[next++ & 3];
    snprintf(slot, sizeof slots[0], "\033[%sm%s\033[0m", sgr, text);
    return slot;
}

bool rg_cmd_seconds(const char *text, double *out)
{
    static const struct {
        const char *unit;
        double seconds;
    } units[] = {{"", 1}, {"s", 1}, {"sec", 1}, {"ms", 1e-3}, {"m", 60}, {"min", 60}, {"h", 3600}, {"d", 86400}};
    char *end;
    if (!(*text >= '0' && *text <= '9') && *text != '.') return false;
    double v = strtod(text, &end);
    if (end == text || !isfinite(v) || v < 0) return false;
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (strcmp(end, units[i].unit) == 0) {
            *out = v * units[i].seconds;
            return isfinite(*out);
        }
    return false;
}

/* --- options --- */

bool rg_option_takes_value(const struct rg_option *o)
{
    return o->kind != RG_OPT_FLAG && o->kind != RG_OPT_CLEAR && o->kind != RG_OPT_HEADING;
}

static const struct rg_option *find_option(const struct rg_command *c, const char *name, size_t n, char letter)
{
    for (int i = 0; i < c->n_options; i++) {
        const struct rg_option *o = &c->options[i];
        if (o->kind == RG_OPT_HEADING) continue;
        if (letter ? o->letter == letter : o->name && strlen(o->name) == n && memcmp(o->name, name, n) == 0) return o;
    }
    return NULL;
}

static bool is_choice(const char *words, const char *value)
{
    size_t n = strlen(value);
    for (const char *p = words; n > 0 && *p;) {
        size_t m = strcspn(p, "|");
        if (m == n && memcmp(p, value, n) == 0) return true;
        p += m + (p[m] == '|');
    }
    return false;
}

/* Words between bars, and names of options: the nearest, as the end of a message. */
static const char *nearest_choice(const char *words, const char *value, char out[160])
{
    char *copy = rg_xstrdup(words), *rest = copy;
    const char *known[64];
    int n = 0;
    for (char *w; n < 64 && (w = strsep(&rest, "|"));) known[n++] = w;
    rg_did_you_mean(value, known, n, out);
    free(copy);
    return out;
}

static const char *nearest_option(const struct rg_command *c, const char *given, size_t len, char out[160])
{
    char *name = rg_xstrndup(given, len);
    const char **known = rg_xcalloc((size_t)c->n_options + 2, sizeof *known), *near;
    int n = 0;
    for (int i = 0; i < c->n_options; i++)
        if (c->options[i].name) known[n++] = c->options[i].name;
    known[n++] = "help";
    known[n++] = "version";
    near = rg_similar(name, known, n);
    out[0] = 0;
    if (near) snprintf(out, 160, "; did you mean '--%.120s'?", near);
    free(known);
    free(name);
    return out;
}

static int set_number(const struct rg_command *c, const struct rg_option *o, const char *value)
{
    char *end;
    errno = 0;
    bool bounded = o->low != 0 || o->high != 0;
    if (o->kind == RG_OPT_INT) {
        long long v = strtoll(value, &end, 10);
        if (end == value || *end) return rg_cmd_usage(c, "--%s wants a whole number, not '%s'", o->name, value);
        if (errno || (bounded && ((double)v < o->low || (double)v > o->high)))
            return rg_cmd_usage(c, "--%s %s is out of range (%.0f to %.0f)", o->name, value, o->low, o->high);
        *(int64_t *)o->value = v;
        return -1;
    }
    double v = strtod(value, &end);
    if (end == value || *end || !isfinite(v)) return rg_cmd_usage(c, "--%s wants a number, not '%s'", o->name, value);
    if (bounded && (v < o->low || v > o->high))
        return rg_cmd_usage(c, "--%s %s is out of range (%g to %g)", o->name, value, o->low, o->high);
    *(double *)o->value = v;
    return -1;
}

static int set_option(const struct rg_command *c, const struct rg_option *o, const char *value)
{
    char near[160];
    switch (o->kind) {
    case RG_OPT_FLAG:
        *(bool *)o->value = true;
        return -1;
    case RG_OPT_CLEAR:
        *(bool *)o->value = false;
        return -1;
    case RG_OPT_FLAG_OF:
        if (*value && !is_choice(o->arg, value))
            return rg_cmd_usage(c, "--%s= is one of %s, not '%s'%s", o->name, o->arg, value,
                                nearest_choice(o->arg, value, near));
        *(const char **)o->value = value;
        return -1;
    case RG_OPT_TEXT_OF:
    case RG_OPT_TEXT:
        *(const char **)o->value = value;
        return -1;
    case RG_OPT_LIST:
        rg_strings_add(o->value, value);
        return -1;
    case RG_OPT_INT:
    case RG_OPT_REAL:
        return set_number(c, o, value);
    case RG_OPT_SECONDS:
        if (rg_cmd_seconds(value, o->value)) return -1;
        return rg_cmd_usage(c, "--%s wants a time such as 90s, 10min or 1.5h, not '%s'", o->name, value);
    case RG_OPT_CHOICE:
        if (!is_choice(o->arg, value))
            return rg_cmd_usage(c, "--%s is one of %s, not '%s'%s", o->name, o->arg, value,
                                nearest_choice(o->arg, value, near));
        *(const char **)o->value = value;
        return -1;
    case RG_OPT_HEADING:
        break;
    }
    return rg_cmd_usage(c, "--%s is no option", o->name);
}

/* One argument that starts with '-'; *i is moved past a value that stands apart. */
static int parse_option(const struct rg_command *c, int argc, char **argv, int *i)
{
    const char *a = argv[*i], *value = NULL;
    char near[160];
    const struct rg_option *o;
    if (a[1] == '-') {
        size_t n = strcspn(a + 2, "=");
        o = find_option(c, a + 2, n, 0);
        if (!o) return rg_cmd_usage(c, "unknown option '%.*s'%s", (int)n + 2, a, nearest_option(c, a + 2, n, near));
        if (a[2 + n] == '=') value = a + 3 + n;
    } else {
        o = find_option(c, NULL, 0, a[1]);
        if (!o) return rg_cmd_usage(c, "unknown option '-%c'", a[1]);
        if (a[2]) value = a + 2;
    }
    if (!rg_option_takes_value(o)) {
        if (value) return rg_cmd_usage(c, "--%s takes no value ('%s')", o->name, value);
        return set_option(c, o, NULL);
    }
    if (!value && (o->kind == RG_OPT_FLAG_OF || o->kind == RG_OPT_TEXT_OF)) value = "";
    if (!value) {
        if (*i + 1 >= argc) return rg_cmd_usage(c, "--%s needs %s", o->name, o->arg ? o->arg : "a value");
        value = argv[++*i];
    }
    return set_option(c, o, value);
}

int rg_cmd_parse(const struct rg_command *c, int argc, char **argv, int first, struct rg_strings *args)
{
    bool options = true;
    for (int i = first; i < argc && strcmp(argv[i], "--"); i++) /* before anything can be wrong */
        json_wanted |= !strcmp(argv[i], "--json") && find_option(c, "json", 4, 0);
    for (int i = first; i < argc; i++) {
        const char *a = argv[i];
        if (!options || a[0] != '-' || a[1] == '\0') {
            rg_strings_add(args, a);
        } else if (strcmp(a, "--") == 0) {
            options = false;
        } else if (strcmp(a, "--help") == 0 || strcmp(a, "-h") == 0) {
            rg_cmd_help(c, stdout);
            return RG_EXIT_OK;
        } else if (strcmp(a, "--version") == 0) {
            printf("%s (ReGraph) %s\n", program_name, RG_VERSION);
            return RG_EXIT_OK;
        } else if (strcmp(a, "--describe") == 0 && i + 1 < argc) {
            return rg_cmd_describe(c, argv[i + 1]);
        } else {
            int code = parse_option(c, argc, argv, &i);
            if (code >= 0) return code;
        }
    }
    if (args->n < c->min_args) return rg_cmd_usage(c, "too few arguments; usage: %s %s", c->name, c->usage);
    if (c->max_args >= 0 && args->n > c->max_args)
        return rg_cmd_usage(c, "unexpected argument '%s'", args->items[c->max_args]);
    return -1;
}

/* --- help --- */

static void help_option(const struct rg_option *o, FILE *to)
{
    enum { column = 30 };
    if (o->kind == RG_OPT_HEADING) {
        fprintf(to, "\n%s:\n", o->help);
        return;
    }
    bool part = o->kind == RG_OPT_FLAG_OF || o->kind == RG_OPT_TEXT_OF;
    char left[256], letter[8] = "    ";
    if (o->letter) snprintf(letter, sizeof letter, "-%c, ", o->letter);
    snprintf(left, sizeof left, "  %s--%s%s%s%s", letter, o->name,
             part     ? "[="
             : o->arg ? " "
                      : "",
             o->arg ? o->arg : "", part ? "]" : "");
    int used = fprintf(to, "%s", left);
    if (used >= column) {
        fputc('\n', to);
        used = 0;
    }
    for (const char *p = o->help; *p;) {
        size_t n = strcspn(p, "\n");
        fprintf(to, "%*s%.*s\n", column - used, "", (int)n, p);
        used = 0;
        p += n + (p[n] == '\n');
    }
}

void rg_cmd_help(const struct rg_command *c, FILE *to)
{
    if (c->example) fprintf(to, "Example:\n  %s\n\n", c->example);
    fprintf(to, "Usage: %s%s%s\n", c->name, c->usage[0] ? " " : "", c->usage);
    if (c->about) fprintf(to, "\n%s\n", c->about);
    if (c->n_options > 0 && c->options[0].kind != RG_OPT_HEADING) fprintf(to, "\nOptions:\n");
    for (int i = 0; i < c->n_options; i++) help_option(&c->options[i], to);
    static const struct rg_option help = RG_OPTION_FLAG("help", 'h', NULL, "this text");
    static const struct rg_option version = RG_OPTION_FLAG("version", 0, NULL, "the program's version");
    static const struct rg_option describe =
        RG_OPTION_TEXT("describe", 0, NULL, RG_DESCRIBE_FORMS, "the manual page, or the completions of a shell");
    if (c->n_options == 0) fprintf(to, "\nOptions:\n");
    help_option(&help, to);
    help_option(&version, to);
    help_option(&describe, to);
    if (c->notes) fprintf(to, "\n%s\n", c->notes);
}

static void help_verbs(const struct rg_command *top, const struct rg_verb *verbs, int n)
{
    rg_cmd_help(top, stdout);
    printf("\nVerbs:\n");
    for (int i = 0; i < n; i++) printf("  %-10s %s\n", verbs[i].name, verbs[i].about);
}

static int which_verb(const struct rg_command *top, const struct rg_verb *verbs, int n)
{
    struct rg_buf names = RG_BUF_INIT;
    for (int i = 0; i < n; i++) rg_buf_printf(&names, "%s%s", i ? ", " : "", verbs[i].name);
    int code = rg_cmd_usage(top, "which verb? (%s)", names.data);
    rg_buf_release(&names);
    return code;
}

int rg_cmd_run_verb(const struct rg_command *top, const struct rg_verb *verbs, int n, int argc, char **argv)
{
    if (argc < 2) return which_verb(top, verbs, n);
    for (int i = 0; i < n; i++)
        if (strcmp(argv[1], verbs[i].name) == 0) return verbs[i].run(argc, argv);
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0) {
        help_verbs(top, verbs, n);
        return RG_EXIT_OK;
    }
    if (strcmp(argv[1], "--describe") == 0 && argc == 3) return rg_cmd_describe_verbs(top, verbs, n, argv[2]);
    struct rg_strings args = {0, 0, NULL};
    int code = argv[1][0] == '-' ? rg_cmd_parse(top, argc, argv, 1, &args) : -1; /* --version, unknown options */
    rg_strings_release(&args);
    if (code >= 0) return code;
    const char **known = rg_xcalloc((size_t)n, sizeof *known);
    char near[160];
    for (int i = 0; i < n; i++) known[i] = verbs[i].name;
    code = rg_cmd_usage(top, "unknown verb '%s'%s", argv[1], rg_did_you_mean(argv[1], known, n, near));
    free(known);
    return code;
}

int rg_cmd_parse_one(const struct rg_command *c, int argc, char **argv, const char **arg)
{
    struct rg_strings args = {0};
    int code = rg_cmd_parse(c, argc, argv, 1, &args);
    *arg = args.n ? args.items[0] : NULL; /* in argv */
    rg_strings_release(&args);
    return code;
}

char *rg_cmd_cache_dir(void)
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (cache && cache[0] == '/')
        return rg_xasprintf("%s/regraph", cache); /* a relative one is to be ignored, says the specification */
    return home && home[0] ? rg_xasprintf("%s/.cache/regraph", home) : NULL;
}
