/* `regraph-search --resume DIR` alone: arguments.json in --out says how the run was started, problem.json beside it
 * what it computes, so neither the C file nor its options are needed again. */
#include "base/json_util.h"
#include "cmd/search.h"
#include <errno.h>
#include <rg/file.h>
#include <rg/hash.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct search_resumed {
    json_t *saved;
    char *out, *problem;
    char **argv; /* the array alone: its strings are of `saved` and of main's argv */
};

static char *in_folder(const char *folder, const char *name)
{
    return rg_xasprintf("%s/%s", folder, name);
}

/* Of the user's C file as it is now; false: it cannot be read. */
static bool file_sha256(const char *path, char out[65])
{
    char *text;
    size_t len;
    struct rg_error none = RG_ERROR_INIT;
    if (rg_file_read(path, 0, &text, &len, &none) != RG_OK) return false;
    rg_sha256_hex(text, len, out);
    free(text);
    return true;
}

void search_note_source(struct search_session *s)
{
    if (s->resumed || !s->o.file) return; /* a resumed run computes what the file was when it began */
    if (!file_sha256(s->o.file, s->c_sha256)) s->c_sha256[0] = 0;
}

enum rg_status search_arguments_save(const struct search_session *s, struct rg_error *err)
{
    char *cwd = getcwd(NULL, 0);
    if (!cwd) return RG_OK; /* a folder that was removed: nothing relative can be found again */
    json_t *list = json_array(), *o = json_object();
    bool whole = true; /* JSON has no bytes that are not UTF-8: such a command is to be given again */
    for (int i = 1; i < s->argc; i++) {
        bool ends_options = i + 1 < s->argc && s->argv[i + 1] == s->o.file && !strcmp(s->argv[i], "--");
        if (s->argv[i] != s->o.file && !ends_options)
            whole = !json_array_append_new(list, json_string(s->argv[i])) && whole;
    }
    json_object_set_new(o, "schema", json_string("regraph-arguments/1"));
    json_object_set_new(o, "folder", json_string(cwd));
    if (s->o.file) {
        char *file = rg_xasprintf("%s%s", s->o.file[0] == '-' ? "./" : "", s->o.file); /* no option, read back */
        json_object_set_new(o, "file", json_string(file));
        free(file);
    }
    if (s->c_sha256[0]) json_object_set_new(o, "file_sha256", json_string(s->c_sha256));
    json_object_set_new(o, "arguments", list);
    char *text = rg_json_pretty(o), *path = in_folder(s->out_dir, "arguments.json");
    enum rg_status st = whole ? rg_file_write(path, text, strlen(text), err) : RG_OK;
    free(text);
    free(path);
    free(cwd);
    json_decref(o);
    return st;
}

static bool is_folder(const char *path)
{
    struct stat b;
    return path && stat(path, &b) == 0 && S_ISDIR(b.st_mode);
}

bool search_resumes_alone(const struct search_session *s)
{
    const struct search_options *o = &s->o;
    return o->resume && !o->problem_file && (o->file ? is_folder(o->file) : o->out != NULL);
}

/* The problem is the saved one: what would change it is a mistake, not an option to pass over. */
static const char *changes_problem(const struct search_options *o)
{
    const struct {
        const char *name;
        bool given;
    } list[] = {{"function", o->function != NULL},
                {"size", o->sizes.n > 0},
                {"extent", o->extents.n > 0},
                {"role", o->roles.n > 0},
                {"input", o->inputs.n > 0},
                {"expect", o->expects.n > 0},
                {"require", o->requires_.n > 0},
                {"specialize", o->specialize},
                {"init", o->init != NULL},
                {"with", o->with.n > 0},
                {"cflags", o->cflags != NULL},
                {"rtol", o->rtol >= 0},
                {"atol", o->atol >= 0},
                {"allow", o->allow.n > 0},
                {"may-alias", o->may_alias},
                {"allow-trivial", o->allow_trivial}};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        if (list[i].given) return list[i].name;
    return NULL;
}

/* argv as the run was started, then what is given now, which wins. */
static void merge(const struct search_session *s, struct search_resumed *r, int *argc)
{
    const json_t *list = json_object_get(r->saved, "arguments");
    const char *file = json_string_value(json_object_get(r->saved, "file"));
    size_t n = json_array_size(list);
    r->argv = rg_xcalloc(n + (size_t)s->argc + 2, sizeof *r->argv);
    r->argv[(*argc)++] = s->argv[0];
    if (file) r->argv[(*argc)++] = (char *)(uintptr_t)file;
    for (size_t i = 0; i < n; i++) r->argv[(*argc)++] = (char *)(uintptr_t)json_string_value(json_array_get(list, i));
    for (int i = 1; i < s->argc; i++)
        if (s->argv[i] != s->o.file) r->argv[(*argc)++] = s->argv[i];
}

static enum rg_status check(const struct search_resumed *r, const char *path, struct rg_error *err)
{
    const json_t *list = rg_json_array(r->saved, "arguments", path, err);
    if (!list) return RG_INPUT;
    for (size_t i = 0; i < json_array_size(list); i++)
        if (!json_is_string(json_array_get(list, i)))
            return rg_error_set(err, RG_INPUT, "%s: arguments/%zu is no text", path, i);
    return RG_OK;
}

/* Relative paths among the arguments are of the folder that the run was started in. */
static enum rg_status go_there(const struct search_resumed *r, const char *path, struct rg_error *err)
{
    const char *folder;
    enum rg_status st = rg_json_str(r->saved, "folder", path, &folder, err);
    if (st == RG_OK && chdir(folder))
        st =
            rg_error_set(err, RG_INPUT,
                         "cannot go on with '%s': '%s', the folder it was started in, cannot be entered (%s); give the "
                         "C file and the options again",
                         r->out, folder, strerror(errno));
    return st;
}

static void say_changes(struct search_session *s, const struct search_resumed *r)
{
    const char *file = json_string_value(json_object_get(r->saved, "file")),
               *then = json_string_value(json_object_get(r->saved, "file_sha256"));
    char now[65];
    if (then) snprintf(s->c_sha256, sizeof s->c_sha256, "%s", then);
    if (!file || !then) return;
    if (!file_sha256(file, now))
        rg_cmd_message("warning: '%s' cannot be read any more: the run goes on with the C it began with", file);
    else if (strcmp(now, then))
        rg_cmd_message("warning: '%s' has changed since the run began: it goes on with the C it began with; --force "
                       "with the file begins anew",
                       file);
}

enum rg_status search_resume_alone(struct search_session *s, int *code, struct rg_error *err)
{
    const char *folder = s->o.file ? s->o.file : s->o.out, *bad = changes_problem(&s->o);
    if (bad)
        return rg_error_set(err, RG_USAGE, "--resume %s goes on with the problem of that run: --%s has no place here",
                            folder, bad);
    struct search_resumed *r = s->resumed = rg_xcalloc(1, sizeof *r);
    char *path = in_folder(folder, "arguments.json");
    int argc = 0;
    enum rg_status st = RG_OK;
    if (!rg_file_exists(path))
        st = rg_error_set(err, RG_INPUT, "nothing to resume in '%s': no arguments.json; begin with a C file", folder);
    if (st == RG_OK && !(r->saved = rg_json_file(path, err))) st = RG_INPUT;
    if (st == RG_OK) st = check(r, path, err);
    if (st == RG_OK && !(r->out = realpath(folder, NULL)))
        st = rg_error_set(err, RG_INPUT, "folder '%s': %s", folder, strerror(errno));
    if (st == RG_OK) st = go_there(r, path, err);
    free(path);
    if (st != RG_OK) return st;
    merge(s, r, &argc);
    search_parsed_free(s);
    if ((*code = search_parse(argc, r->argv, s)) >= 0) return RG_OK;
    s->argc = argc;
    s->argv = r->argv;
    r->problem = in_folder(r->out, "problem.json");
    s->o.file = NULL;
    s->o.problem_file = r->problem;
    s->o.out = r->out;
    say_changes(s, r);
    return RG_OK;
}

void search_resumed_free(struct search_session *s)
{
    if (!s->resumed) return;
    json_decref(s->resumed->saved);
    free(s->resumed->out);
    free(s->resumed->problem);
    free(s->resumed->argv);
    free(s->resumed);
    s->resumed = NULL;
}
