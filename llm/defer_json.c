/* Requests for nobody now: each a file KEY.json with what would be posted, all together batch.jsonl in the hosted
 * services' batch format. Answers are found beside them: KEY.answer.json, or result lines of any other *.jsonl, matched
 * by custom_id. */
#include "base/json_util.h"
#include "llm.h"
#include <dirent.h>
#include <rg/file.h>
#include <rg/log.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct rg__defer {
    char *dir;
    int n, cap;
    struct result {
        char id[65];
        char *body; /* a reply's JSON */
    } * results;
    int written;
};

#define BATCH "batch.jsonl"

/* {"custom_id", "response": {"body": ...}} or {"custom_id", "result": {"message": ...}} */
static void read_line(struct rg__defer *d, const char *line, size_t n)
{
    json_t *o = json_loadb(line, n, 0, NULL);
    const char *id = json_string_value(json_object_get(o, "custom_id"));
    const json_t *body = json_object_get(json_object_get(o, "response"), "body");
    if (!body) body = json_object_get(json_object_get(o, "result"), "message");
    if (id && *id && strlen(id) <= 64 && json_is_object(body)) {
        RG_GROW(d->results, d->n, d->cap);
        struct result *r = &d->results[d->n++];
        snprintf(r->id, sizeof r->id, "%s", id);
        r->body = json_dumps(body, JSON_COMPACT);
    }
    json_decref(o);
}

static enum rg_status read_results(struct rg__defer *d, struct rg_error *err)
{
    DIR *dir = opendir(d->dir);
    if (!dir) return RG_OK;
    enum rg_status s = RG_OK;
    for (struct dirent *e; s == RG_OK && (e = readdir(dir));) {
        size_t n = strlen(e->d_name), len;
        char *text, path[4096];
        if (n < 6 || strcmp(e->d_name + n - 6, ".jsonl") || !strcmp(e->d_name, BATCH)) continue;
        snprintf(path, sizeof path, "%s/%s", d->dir, e->d_name);
        if ((s = rg_file_read(path, 0, &text, &len, err)) != RG_OK) break;
        for (size_t at = 0; at < len;) {
            size_t line = strcspn(text + at, "\n");
            read_line(d, text + at, line);
            at += line + 1;
        }
        free(text);
    }
    closedir(dir);
    return s;
}

enum rg_status rg__defer_open(const char *dir, struct rg__defer **out, struct rg_error *err)
{
    struct rg__defer *d = rg_xcalloc(1, sizeof *d);
    d->dir = rg_xstrdup(dir);
    enum rg_status s = rg_file_mkdirs(dir, err);
    if (s == RG_OK) s = read_results(d, err);
    *out = s == RG_OK ? d : NULL;
    if (s != RG_OK) rg__defer_close(d);
    return s;
}

void rg__defer_close(struct rg__defer *d)
{
    if (!d) return;
    for (int i = 0; i < d->n; i++) free(d->results[i].body);
    free(d->results);
    free(d->dir);
    free(d);
}

bool rg__defer_find(const struct rg__defer *d, const char key[65], struct rg__answer *out)
{
    if (!d) return false;
    char path[4096], *text = NULL;
    size_t n = 0;
    struct rg_error err = RG_ERROR_INIT;
    snprintf(path, sizeof path, "%s/%s.answer.json", d->dir, key);
    bool found = rg_file_exists(path) && rg_file_read(path, 0, &text, &n, &err) == RG_OK;
    for (int i = d->n - 1; i >= 0 && !found; i--)
        if (!strcmp(d->results[i].id, key)) {
            text = rg_xstrdup(d->results[i].body);
            n = strlen(text);
            snprintf(path, sizeof path, "%s (results)", d->dir);
            found = true;
        }
    if (found && rg__wire_answer(text, n, out, &err) != RG_OK) {
        rg_log(RG_LOG_WARN, "the answer %s is none: %s", path, err.text);
        found = false;
    }
    free(text);
    return found;
}

/* All requests without an answer, as one file to upload. */
static enum rg_status write_batch(const struct rg__defer *d, struct rg_error *err)
{
    struct rg_buf b = RG_BUF_INIT;
    struct dirent **names;
    int n = scandir(d->dir, &names, NULL, alphasort);
    enum rg_status s = RG_OK;
    for (int i = 0; i < n; i++) {
        size_t len = strlen(names[i]->d_name), size;
        char path[4096], *text;
        snprintf(path, sizeof path, "%s/%.64s.answer.json", d->dir, names[i]->d_name);
        if (s == RG_OK && len == 64 + 5 && !strcmp(names[i]->d_name + 64, ".json") && !rg_file_exists(path)) {
            snprintf(path, sizeof path, "%s/%s", d->dir, names[i]->d_name);
            bool answered = false;
            for (int k = 0; k < d->n; k++) answered = answered || !strncmp(d->results[k].id, names[i]->d_name, 64);
            if (!answered && (s = rg_file_read(path, 0, &text, &size, err)) == RG_OK) {
                rg_buf_add(&b, text, size);
                free(text);
            }
        }
        free(names[i]);
    }
    if (n >= 0) free(names);
    char path[4096];
    snprintf(path, sizeof path, "%s/" BATCH, d->dir);
    if (s == RG_OK) s = rg_file_write(path, b.data, b.len, err);
    rg_buf_release(&b);
    return s;
}

enum rg_status rg__defer_write(struct rg__defer *d, const struct rg__chat *c, const struct rg__quirks *q,
                               const char key[65], char *said, size_t size, struct rg_error *err)
{
    json_t *o = json_object(), *body = rg__wire_body(c, q);
    json_object_set_new(o, "custom_id", json_string(key));
    if (q->api == RG__API_MESSAGES) {
        json_object_set_new(o, "params", body);
    } else {
        json_object_set_new(o, "method", json_string("POST"));
        json_object_set_new(o, "url", json_string("/v1/chat/completions"));
        json_object_set_new(o, "body", body);
    }
    char *line = rg_json_line(o), path[4096];
    struct rg_buf b = RG_BUF_INIT;
    json_decref(o);
    rg_buf_printf(&b, "%s\n", line);
    free(line);
    snprintf(path, sizeof path, "%s/%s.json", d->dir, key);
    enum rg_status s = rg_file_write(path, b.data, b.len, err);
    rg_buf_release(&b);
    if (s == RG_OK) s = write_batch(d, err);
    d->written++;
    snprintf(said, size, "waiting for the answer to %s (all open requests: %s/" BATCH ")", path, d->dir);
    return s;
}
