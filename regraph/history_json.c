/* The log of a graph file's edits and the backups beside it. */
#include "base/json_util.h"
#include "regraph/internal.h"

#include <errno.h>
#include <fcntl.h>
#include <rg/file.h>
#include <rg/hash.h>
#include <rg/regraph_history.h>
#include <rg/regraph_tools.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { BACKUPS = 100, MOST_LOG_BYTES = 64 << 20 };

static char *log_path(const char *path)
{
    return rg_xasprintf("%s.history/log.jsonl", path);
}

static char *backup_path(const char *path, int64_t number)
{
    return rg_xasprintf("%s.history/%06lld.json", path, (long long)number);
}

/* --- reading --- */

static const char *text_member(struct rg_arena *a, const json_t *o, const char *key)
{
    const char *s = json_string_value(json_object_get(o, key));
    return rg_arena_strdup(a, s ? s : "");
}

struct entry { /* of the log, with what only undoing needs */
    struct rg_edit edit;
    const char *after, *opinions; /* hashes of the text it left, whole and without evidence */
};

static bool read_entry(struct rg_arena *a, const json_t *o, struct entry *out)
{
    const json_t *number = json_object_get(o, "number"), *changes = json_object_get(o, "changes");
    if (!json_is_integer(number) || json_integer_value(number) < 1) return false;
    struct rg_edit *e = &out->edit;
    e->number = json_integer_value(number);
    e->at = text_member(a, o, "at");
    e->author = text_member(a, o, "author");
    e->did = text_member(a, o, "did");
    e->undoes = json_integer_value(json_object_get(o, "undoes"));
    e->changes = rg_arena_alloc(a, (json_array_size(changes) + 1) * sizeof *e->changes);
    for (size_t i = 0; i < json_array_size(changes); i++) {
        const char *s = json_string_value(json_array_get(changes, i));
        e->changes[e->n_changes++] = rg_arena_strdup(a, s ? s : "");
    }
    out->after = text_member(a, o, "after");
    out->opinions = text_member(a, o, "opinions");
    return true;
}

static enum rg_status read_log(const char *path, struct rg_arena *a, struct entry **out, int *n, struct rg_error *err)
{
    char *name = log_path(path), *text = NULL;
    size_t len = 0;
    int cap = 0, line = 0;
    *out = NULL;
    *n = 0;
    enum rg_status s = rg_file_exists(name) ? rg_file_read(name, MOST_LOG_BYTES, &text, &len, err) : RG_OK;
    for (char *p = text, *end; s == RG_OK && p && (end = memchr(p, '\n', len - (size_t)(p - text))); p = end + 1) {
        line++;
        struct rg_error inner = RG_ERROR_INIT;
        json_t *o = rg_json_parse(p, (size_t)(end - p), name, &inner);
        RG_GROW(*out, *n, cap);
        memset(&(*out)[*n], 0, sizeof **out);
        if (!o || !read_entry(a, o, &(*out)[*n]))
            s = rg_error_at(err, RG_INPUT, name, line, 1, "this is no line of a log of edits");
        else
            ++*n;
        json_decref(o);
    } /* a last line without its end was being written when the program was killed */
    for (int i = 0; i < *n; i++)
        for (int k = 0; k < i; k++)
            if ((*out)[i].edit.undoes == (*out)[k].edit.number) (*out)[k].edit.undone = true;
    free(text);
    free(name);
    return s;
}

enum rg_status rg_regraph_log_read(const char *path, struct rg_edit_log *out, struct rg_error *err)
{
    struct entry *entries;
    *out = (struct rg_edit_log){0, NULL, rg_xcalloc(1, sizeof *out->arena)};
    int n;
    enum rg_status s = read_log(path, out->arena, &entries, &n, err);
    out->edits = rg_arena_alloc(out->arena, (size_t)(n + 1) * sizeof *out->edits);
    for (int i = 0; i < n; i++) out->edits[out->n++] = entries[i].edit;
    free(entries);
    if (s != RG_OK) rg_regraph_log_release(out);
    return s;
}

void rg_regraph_log_release(struct rg_edit_log *l)
{
    if (l->arena) rg_arena_release(l->arena);
    free(l->arena);
    *l = (struct rg_edit_log){0, NULL, NULL};
}

/* --- writing --- */

/* What experts wrote, without what runs saw: by it an edit can be undone although runs have learnt since. */
static void hash_opinions(const struct rg_regraph *g, char out[65])
{
    struct rg_buf b = RG_BUF_INIT;
    rg__print_opinions(g, &b);
    rg_sha256_hex(b.data, b.len, out);
    rg_buf_release(&b);
}

static json_t *change_list(const struct rg_regraph *before, const struct rg_regraph *after)
{
    enum { most = 200 };
    struct rg_buf b = RG_BUF_INIT;
    json_t *list = json_array();
    int n = rg_regraph_diff(before, after, &b);
    for (char *p = b.data, *end; p && (end = strchr(p, '\n')); p = end + 1) {
        *end = '\0';
        if (json_array_size(list) < most) json_array_append_new(list, rg_json_text(p));
    }
    if (n > most) {
        char *more = rg_xasprintf("and %d more", n - most);
        json_array_append_new(list, json_string(more));
        free(more);
    }
    rg_buf_release(&b);
    return list;
}

static enum rg_status append_line(const char *path, json_t *o, struct rg_error *err)
{
    char *name = log_path(path), *text = rg_json_line(o), *line = rg_xasprintf("%s\n", text);
    int fd = open(name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    ssize_t len = (ssize_t)strlen(line);
    enum rg_status s = RG_OK;
    if (fd < 0 || write(fd, line, (size_t)len) != len || fsync(fd))
        s = rg_error_set(err, RG_IO, "cannot write '%s': %s", name, strerror(errno));
    if (fd >= 0) close(fd);
    free(line);
    free(text);
    free(name);
    return s;
}

struct keeping {
    const char *path, *before;
    size_t before_len;
    const struct rg_regraph *then, *g; /* then: of `before`; NULL: it is parsed */
    const char *did, *author;
    int64_t undoes;
};

static json_t *entry_json(const struct keeping *k, int64_t number, const struct rg_regraph *then,
                          const struct rg_buf *text)
{
    char sha[65], at[32];
    time_t t = time(NULL);
    struct tm tm;
    strftime(at, sizeof at, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&t, &tm));
    json_t *o = json_object();
    json_object_set_new(o, "number", json_integer(number));
    json_object_set_new(o, "at", json_string(at));
    if (k->author && *k->author) json_object_set_new(o, "author", rg_json_text(k->author));
    json_object_set_new(o, "did", rg_json_text(k->did));
    if (k->undoes) json_object_set_new(o, "undoes", json_integer(k->undoes));
    rg_sha256_hex(text->data, text->len, sha);
    json_object_set_new(o, "after", json_string(sha));
    hash_opinions(k->g, sha);
    json_object_set_new(o, "opinions", json_string(sha));
    json_object_set_new(o, "changes", change_list(then, k->g));
    return o;
}

static enum rg_status keep(const struct keeping *k, struct rg_error *err)
{
    struct rg_arena arena = {0};
    struct rg_buf text = RG_BUF_INIT;
    struct rg_regraph *parsed = NULL;
    struct entry *old = NULL;
    int n = 0;
    char *folder = rg_xasprintf("%s.history", k->path), *backup = NULL;
    enum rg_status s = rg_regraph_print(k->g, &text, err);
    bool same = s == RG_OK && text.len == k->before_len && !memcmp(text.data, k->before, text.len);
    if (s == RG_OK && !same && !k->then) s = rg_regraph_parse(k->before, k->before_len, k->path, &parsed, err);
    if (s == RG_OK && !same) s = rg_file_mkdirs(folder, err);
    if (s == RG_OK && !same) s = read_log(k->path, &arena, &old, &n, err);
    if (s == RG_OK && !same) {
        int64_t number = n ? old[n - 1].edit.number + 1 : 1;
        backup = backup_path(k->path, number);
        json_t *o = entry_json(k, number, k->then ? k->then : parsed, &text);
        s = rg_file_write(backup, k->before, k->before_len, err);
        if (s == RG_OK) s = rg_file_write(k->path, text.data, text.len, err);
        if (s == RG_OK) s = append_line(k->path, o, err);
        json_decref(o);
        char *oldest = backup_path(k->path, number - BACKUPS);
        if (s == RG_OK) unlink(oldest);
        free(oldest);
    }
    free(old);
    free(backup);
    free(folder);
    rg_regraph_free(parsed);
    rg_buf_release(&text);
    rg_arena_release(&arena);
    return s;
}

enum rg_status rg_regraph_keep(const char *path, const char *before, size_t before_len, const struct rg_regraph *then,
                               const struct rg_regraph *g, const char *did, const char *author, struct rg_error *err)
{
    return keep(&(struct keeping){path, before, before_len, then, g, did, author, 0}, err);
}

/* --- undoing --- */

/* Onto `g`, as it was before the edit, what runs have learnt since. */
static void keep_evidence(struct rg_regraph *g, const struct rg_regraph *now)
{
    for (int i = 0; i < now->n_links; i++) {
        const struct rg__link *l = &now->links[i];
        const char *from = rg__id(now, l->edge.from), *to = rg__id(now, l->edge.to);
        int f = l->edge.from < 0 ? -1 : rg_regraph_find(g, from), t = rg_regraph_find(g, to);
        int mine = t < 0 || (l->edge.from >= 0 && f < 0) ? -1 : rg_regraph_find_edge(g, f, t);
        if (mine < 0) continue;
        for (int r = 0; r < l->n_rows; r++) rg__add_row(&g->links[mine], rg__copy_row(&g->arena, &l->rows[r]));
        rg__join_rows(&g->links[mine]);
    }
    rg__regraph_settle(g);
}

static enum rg_status undo_entry(const char *path, const struct entry *e, const char *author, struct rg_error *err)
{
    char *text = NULL, *old = NULL, *backup = backup_path(path, e->edit.number), sha[65];
    size_t len = 0, old_len = 0;
    struct rg_regraph *now = NULL, *then = NULL;
    enum rg_status s = rg_file_read(path, 0, &text, &len, err);
    if (s == RG_OK) s = rg_file_read(backup, 0, &old, &old_len, err);
    if (s == RG_OK) s = rg_regraph_parse(text, len, path, &now, err);
    if (s == RG_OK) s = rg_regraph_parse(old, old_len, backup, &then, err);
    if (s == RG_OK) {
        rg_sha256_hex(text, len, sha);
        if (strcmp(sha, e->after)) {
            hash_opinions(now, sha);
            if (strcmp(sha, e->opinions))
                s = rg_error_set(err, RG_INPUT,
                                 "'%s' was changed since by other means than regraph-graph; '%s' is how it was before",
                                 path, backup);
            else
                keep_evidence(then, now);
        }
    }
    if (s == RG_OK) {
        char *did = rg_xasprintf("undo %lld: %s", (long long)e->edit.number, e->edit.did);
        s = keep(&(struct keeping){path, text, len, now, then, did, author, e->edit.number}, err);
        free(did);
    }
    rg_regraph_free(now);
    rg_regraph_free(then);
    free(text);
    free(old);
    free(backup);
    return s;
}

enum rg_status rg_regraph_undo(const char *path, const char *author, struct rg_buf *told, struct rg_error *err)
{
    struct rg_arena arena = {0};
    struct entry *log = NULL;
    int n, last;
    enum rg_status s = read_log(path, &arena, &log, &n, err);
    for (last = n - 1; s == RG_OK && last >= 0 && (log[last].edit.undone || log[last].edit.undoes); last--) {
    }
    if (s == RG_OK && last < 0) s = rg_error_set(err, RG_INPUT, "'%s': there is no edit to undo", path);
    if (s == RG_OK) s = undo_entry(path, &log[last], author, err);
    if (s == RG_OK) rg_buf_printf(told, "undone: %s (of %s)", log[last].edit.did, log[last].edit.at);
    free(log);
    rg_arena_release(&arena);
    return s;
}
