/* A suite as people write it, and OUT/suite.json: the same with every option resolved. */
#include "base/json_util.h"
#include "cmd/search.h"
#include "cmd/suite.h"

#include <dirent.h>
#include <errno.h>
#include <rg/file.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char schema[] = "regraph-suite/1";

/* What the suite itself gives to every search, and what ends one before it searches. */
static const char *const not_yours[] = {"out",      "resume",   "force", "json",    "quiet",   "graph",
                                        "no-learn", "evidence", "help",  "version", "explain", "save-problem"};

static bool given_by_us(const char *key)
{
    for (size_t i = 0; i < sizeof not_yours / sizeof *not_yours; i++)
        if (!strcmp(key, not_yours[i])) return true;
    return false;
}

static bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);
    return n >= m && !strcmp(text + n - m, end);
}

/* --- names --- */

static bool taken(const struct suite *s, const char *name)
{
    for (int i = 0; i < s->n; i++)
        if (!strcmp(s->items[i].name, name)) return true;
    return false;
}

/* A name for files: of the C file without its ending, with a number where that is taken. */
static const char *name_for(struct suite *s, const char *file)
{
    const char *slash = strrchr(file, '/'), *base = slash ? slash + 1 : file, *dot = strrchr(base, '.');
    char *name = rg_arena_strndup(&s->arena, base, dot && dot > base ? (size_t)(dot - base) : strlen(base));
    for (char *p = name; *p; p++)
        if (!strchr("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_.+", *p)) *p = '_';
    if (*name == '.' || *name == '-') *name = '_';
    const char *unique = name;
    for (int i = 2; taken(s, unique); i++) unique = rg_arena_printf(&s->arena, "%s-%d", name, i);
    return unique;
}

static enum rg_status check_name(const struct suite *s, const char *name, const char *where, struct rg_error *err)
{
    size_t n = strlen(name);
    bool plain = n > 0 && n < 100 && *name != '.' && *name != '-' &&
                 n == strspn(name, "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_.+");
    if (!plain)
        return rg_error_set(err, RG_INPUT, "%s: name '%s' must consist of letters, digits, '.', '_', '+' and '-'",
                            where, name);
    if (taken(s, name))
        return rg_error_set(err, RG_INPUT, "%s: the name '%s' is taken by a problem above", where, name);
    return RG_OK;
}

/* --- options --- */

/* The options as regraph-search itself understands them: a wrong one is told before anything runs. */
static enum rg_status check_options(struct suite *s, struct suite_problem *p, const char *where, struct rg_error *err)
{
    struct search_session session = {0};
    char **argv = rg_xcalloc((size_t)p->n_args + 2, sizeof *argv);
    argv[0] = (char *)(uintptr_t) "regraph-search";
    for (int i = 0; i < p->n_args; i++) argv[i + 1] = (char *)(uintptr_t)p->args[i];
    int code = search_parse(p->n_args + 1, argv, &session);
    p->device = rg_arena_strdup(&s->arena, session.o.device ? session.o.device : "auto");
    const struct search_options *o = &session.o;
    bool ours = o->out || o->resume || o->force || o->json || o->quiet || o->graph || o->evidence || o->explain ||
                o->save_problem || !o->learn;
    const char *file = o->file ? o->file : o->problem_file;
    char *path = !file || *file == '/' ? rg_xstrdup(file) : rg_xasprintf("%s/%s", p->cwd, file);
    enum rg_status st = RG_OK;
    if (code >= 0)
        st = rg_error_set(err, RG_USAGE, "%s: its options are wrong (above)", where);
    else if (ours)
        st = rg_error_set(
            err, RG_USAGE,
            "%s: --out, --resume, --force, --json, --quiet, --graph, --no-learn, --evidence, --explain and "
            "--save-problem of its search are the suite's own",
            where);
    else if (access(path, R_OK))
        st = rg_error_set(err, RG_INPUT, "%s: cannot read '%s': %s", where, path, strerror(errno));
    search_options_release(&session.o);
    free(session.launcher);
    free(session.launch_text);
    free(path);
    free(argv);
    return st;
}

struct args {
    struct suite *s;
    int n, cap;
    const char **items;
};

static void add_arg(struct args *a, const char *fmt, const char *text)
{
    RG_GROW(a->items, a->n, a->cap);
    a->items[a->n++] = rg_arena_printf(&a->s->arena, fmt, text);
}

static bool add_value(struct args *a, const char *key, const json_t *v)
{
    if (json_is_true(v)) {
        add_arg(a, "--%s", key);
    } else if (json_is_false(v)) { /* as if it were not there: a problem's own answer to a default */
    } else if (json_is_string(v) || json_is_integer(v) || json_is_real(v)) {
        char number[64] = "";
        if (json_is_integer(v)) snprintf(number, sizeof number, "%lld", (long long)json_integer_value(v));
        if (json_is_real(v)) snprintf(number, sizeof number, "%.17g", json_real_value(v));
        char *both = rg_xasprintf("%s=%s", key, *number ? number : json_string_value(v));
        add_arg(a, "--%s", both);
        free(both);
    } else if (json_is_array(v)) {
        size_t i;
        json_t *item;
        json_array_foreach((json_t *)(uintptr_t)v, i,
                           item) if (json_is_array(item) || !add_value(a, key, item)) return false;
    } else {
        return false;
    }
    return true;
}

static enum rg_status add_members(struct args *a, const json_t *o, const json_t *over, const char *where,
                                  struct rg_error *err)
{
    const char *key;
    json_t *v;
    json_object_foreach((json_t *)(uintptr_t)o, key, v)
    {
        if (!strcmp(key, "file") || !strcmp(key, "name") || json_object_get(over, key)) continue;
        if (given_by_us(key)) return rg_error_set(err, RG_INPUT, "%s: '%s' is the suite's own", where, key);
        if (!add_value(a, key, v))
            return rg_error_set(err, RG_INPUT, "%s: '%s' must be a text, a number, true, false or a list of these",
                                where, key);
    }
    return RG_OK;
}

static enum rg_status add_problem(struct suite *s, const char *file, const char *name, const char *cwd,
                                  const json_t *own, const json_t *defaults, int n_more, char **more, const char *where,
                                  struct rg_error *err)
{
    struct args a = {.s = s};
    if (file) add_arg(&a, "%s", file);
    enum rg_status st = add_members(&a, defaults, own, where, err);
    if (st == RG_OK) st = add_members(&a, own, NULL, where, err);
    for (int i = 0; i < n_more; i++) add_arg(&a, "%s", more[i]);
    struct suite_problem p = {.name = name, .n_args = a.n, .cwd = rg_arena_strdup(&s->arena, cwd)};
    p.args = rg_arena_alloc(&s->arena, ((size_t)a.n + 1) * sizeof *p.args);
    if (a.n) memcpy(p.args, a.items, (size_t)a.n * sizeof *p.args);
    free(a.items);
    if (st == RG_OK) st = check_options(s, &p, where, err);
    if (st != RG_OK) return st;
    RG_GROW(s->items, s->n, s->cap);
    s->items[s->n++] = p;
    return RG_OK;
}

/* --- what an argument names --- */

static enum rg_status add_document(struct suite *s, const char *path, const json_t *doc, int n_more, char **more,
                                   struct rg_error *err)
{
    const json_t *defaults = json_object_get(doc, "defaults"), *list = json_object_get(doc, "problem");
    const char *key;
    json_t *v;
    json_object_foreach(
        (json_t *)(uintptr_t)doc, key,
        v) if (strcmp(key, "defaults") &&
               strcmp(key, "problem")) return rg_error_set(err, RG_INPUT,
                                                           "%s: '%s' is neither [defaults] nor [[problem]]", path, key);
    if (defaults && !json_is_object(defaults))
        return rg_error_set(err, RG_INPUT, "%s: 'defaults' must be a table of options", path);
    if (!json_is_array(list) || !json_array_size(list))
        return rg_error_set(err, RG_INPUT, "%s: it states no problem: [[problem]] with file = \"X.c\"", path);
    const char *slash = strrchr(path, '/');
    char *folder = slash ? rg_xstrndup(path, slash > path ? (size_t)(slash - path) : 1) : rg_xstrdup("."),
         *cwd = realpath(folder, NULL);
    enum rg_status st = cwd ? RG_OK : rg_error_set(err, RG_INPUT, "cannot find '%s': %s", folder, strerror(errno));
    for (size_t i = 0; i < json_array_size(list) && st == RG_OK; i++) {
        const json_t *own = json_array_get(list, i);
        const char *file = json_string_value(json_object_get(own, "file")),
                   *name = json_string_value(json_object_get(own, "name"));
        const char *saved = json_string_value(json_object_get(own, "problem"));
        char where[600];
        snprintf(where, sizeof where, "%.400s: problem %zu%s%.100s", path, i + 1, name || file ? ", " : "",
                 name   ? name
                 : file ? file
                        : "");
        if (!file && !saved)
            st = rg_error_set(err, RG_INPUT, "%s: it has no \"file\"", where);
        else if (name)
            st = check_name(s, name, where, err);
        if (st == RG_OK)
            st = add_problem(s, file, name ? rg_arena_strdup(&s->arena, name) : name_for(s, file ? file : saved), cwd,
                             own, defaults, n_more, more, where, err);
    }
    free(folder);
    free(cwd);
    return st;
}

static enum rg_status add_file(struct suite *s, const char *path, int n_more, char **more, struct rg_error *err)
{
    char *cwd = realpath(".", NULL), **with = rg_xcalloc((size_t)n_more + 2, sizeof *with);
    bool saved = ends_with(path, ".json");
    int n = 0;
    enum rg_status st = cwd ? RG_OK : rg_error_set(err, RG_INPUT, "the current folder is gone");
    if (saved) {
        with[n++] = (char *)(uintptr_t) "--problem";
        with[n++] = (char *)(uintptr_t)path;
    }
    for (int i = 0; i < n_more; i++) with[n++] = more[i];
    if (st == RG_OK) st = add_problem(s, saved ? NULL : path, name_for(s, path), cwd, NULL, NULL, n, with, path, err);
    free(with);
    free(cwd);
    return st;
}

static int is_c(const struct dirent *e)
{
    return e->d_name[0] != '.' && ends_with(e->d_name, ".c");
}

static enum rg_status add_folder(struct suite *s, const char *path, int n_more, char **more, struct rg_error *err)
{
    struct dirent **found;
    int n = scandir(path, &found, is_c, alphasort);
    if (n < 0) return rg_error_set(err, RG_INPUT, "cannot read folder '%s': %s", path, strerror(errno));
    enum rg_status st = n ? RG_OK : rg_error_set(err, RG_INPUT, "no .c file in folder '%s'", path);
    for (int i = 0; i < n; i++) {
        char *file = rg_xasprintf("%s/%s", path, found[i]->d_name);
        if (st == RG_OK) st = add_file(s, file, n_more, more, err);
        free(file);
        free(found[i]);
    }
    free(found);
    return st;
}

static json_t *read_document(const char *path, struct rg_error *err)
{
    char *text, why[400];
    size_t len;
    int line = 0, column = 0;
    if (!ends_with(path, ".toml")) return rg_json_file(path, err);
    if (rg_file_read(path, 0, &text, &len, err) != RG_OK) return NULL;
    char *json = suite_toml_to_json(text, len, &line, &column, why, sizeof why);
    json_t *doc = json ? rg_json_parse(json, strlen(json), path, err) : NULL;
    if (!json) rg_error_at(err, RG_INPUT, path, line, column, "%s", why);
    free(json);
    free(text);
    return doc;
}

enum rg_status suite_add(struct suite *s, const char *arg, int n_more, char **more, struct rg_error *err)
{
    struct stat st;
    if (stat(arg, &st)) return rg_error_set(err, RG_INPUT, "cannot open '%s': %s", arg, strerror(errno));
    if (S_ISDIR(st.st_mode)) return add_folder(s, arg, n_more, more, err);
    if (!ends_with(arg, ".toml") && !ends_with(arg, ".json")) return add_file(s, arg, n_more, more, err);
    json_t *doc = read_document(arg, err);
    if (!doc) return RG_INPUT;
    bool suite = ends_with(arg, ".toml") || json_is_array(json_object_get(doc, "problem"));
    enum rg_status status = suite ? add_document(s, arg, doc, n_more, more, err) : add_file(s, arg, n_more, more, err);
    json_decref(doc);
    return status;
}

/* --- OUT/suite.json --- */

static json_t *text_or_null(const char *text)
{
    return text ? rg_json_text(text) : json_null();
}

enum rg_status suite_save(const struct suite *s, const char *path, struct rg_error *err)
{
    json_t *list = json_array();
    for (int i = 0; i < s->n; i++) {
        const struct suite_problem *p = &s->items[i];
        json_t *args = json_array();
        for (int k = 0; k < p->n_args; k++) json_array_append_new(args, rg_json_text(p->args[k]));
        json_array_append_new(list, json_pack("{s:s, s:o, s:o, s:o}", "name", p->name, "cwd", rg_json_text(p->cwd),
                                              "device", rg_json_text(p->device), "args", args));
    }
    json_t *o = json_pack("{s:s, s:o, s:o, s:o}", "schema", schema, "graph", text_or_null(s->graph), "examples",
                          text_or_null(s->examples), "problems", list);
    char *text = rg_json_pretty(o);
    enum rg_status st = rg_file_write(path, text, strlen(text), err);
    free(text);
    json_decref(o);
    return st;
}

static enum rg_status load_problem(struct suite *s, const json_t *o, const char *path, struct rg_error *err)
{
    const char *name, *cwd, *device, *text;
    enum rg_status st = rg_json_str(o, "name", path, &name, err);
    if (st == RG_OK) st = rg_json_str(o, "cwd", path, &cwd, err);
    if (st == RG_OK) st = rg_json_str(o, "device", path, &device, err);
    json_t *args = st == RG_OK ? rg_json_array(o, "args", path, err) : NULL, *a;
    if (!args) return RG_INPUT;
    if ((st = check_name(s, name, path, err)) != RG_OK) return st;
    struct suite_problem p = {.name = rg_arena_strdup(&s->arena, name),
                              .cwd = rg_arena_strdup(&s->arena, cwd),
                              .device = rg_arena_strdup(&s->arena, device)};
    p.args = rg_arena_alloc(&s->arena, (json_array_size(args) + 1) * sizeof *p.args);
    size_t i;
    json_array_foreach(args, i, a)
    {
        if (!(text = json_string_value(a)))
            return rg_error_set(err, RG_INPUT, "%s: \"args\" holds what is no text", path);
        p.args[p.n_args++] = rg_arena_strdup(&s->arena, text);
    }
    RG_GROW(s->items, s->n, s->cap);
    s->items[s->n++] = p;
    return RG_OK;
}

enum rg_status suite_load(struct suite *s, const char *path, struct rg_error *err)
{
    json_t *o = rg_json_file(path, err), *list, *p;
    if (!o) return RG_INPUT;
    const char *found = NULL, *graph = json_string_value(json_object_get(o, "graph")),
               *examples = json_string_value(json_object_get(o, "examples"));
    enum rg_status st = rg_json_str(o, "schema", path, &found, err);
    if (st == RG_OK && strcmp(found, schema))
        st = rg_error_set(err, RG_INPUT, "%s: its schema is '%s', not %s", path, found, schema);
    list = st == RG_OK ? rg_json_array(o, "problems", path, err) : NULL;
    if (!list) st = RG_INPUT;
    s->graph = graph ? rg_arena_strdup(&s->arena, graph) : NULL;
    s->examples = examples ? rg_arena_strdup(&s->arena, examples) : NULL;
    size_t i;
    json_array_foreach(list, i, p) if (st == RG_OK) st = load_problem(s, p, path, err);
    json_decref(o);
    return st;
}

void suite_release(struct suite *s)
{
    free(s->items);
    rg_arena_release(&s->arena);
}
