/* Record and replay. One JSON object a line:
 *   {"format": "regraph-llm-record/1"}          the first line; others without a known member are notes for people
 *   {"part": H, "text": T}                      a piece of a message, once; H: 16 hex digits of its SHA-256
 *   {"taken": A, "held": N}                     when the search took an action's answer; A: 16 hex digits of its name
 *   {"example": {...}}                          before and after of a step that the run's requests may show
 *   {"key": K, "about": {...}, "messages": [{"role", "parts": ["name:H", ...]}], "reply": {"text", "cut", "usage"}}
 * The key alone decides; the rest is for people and for saying what changed when a key is missing. */
#include "base/json_util.h"
#include "llm.h"
#include <errno.h>
#include <fcntl.h>
#include <rg/file.h>
#include <rg/hash.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FORMAT "regraph-llm-record/1"

struct entry {
    char key[65];
    char *model, *step, *site, *chain;
    int round, sample;
    int n_parts;
    char **parts; /* "name:hash", in order */
    struct rg__answer answer;
};

struct entries {
    int n, cap;
    struct entry *items;
};

struct held {
    char action[17];
    uint32_t held;
};

struct rg__record {
    struct entries replay, written;
    int n_held, cap_held;
    struct held *held;            /* of what is replayed */
    bool replaying, begun;        /* begun: what is replayed has at least a first line */
    struct rg__examples examples; /* of what is replayed */
    char *path;
    int fd;            /* -1: not recording */
    char (*known)[17]; /* parts already in the file */
    int n_known, cap_known;
};

static void hash16(const char *text, char out[17])
{
    char full[65];
    rg_sha256_hex(text, strlen(text), full);
    memcpy(out, full, 16);
    out[16] = '\0';
}

static void entries_release(struct entries *l)
{
    for (int i = 0; i < l->n; i++) {
        struct entry *e = &l->items[i];
        for (int j = 0; j < e->n_parts; j++) free(e->parts[j]);
        free(e->parts);
        free(e->model);
        free(e->step);
        free(e->site);
        free(e->chain);
        rg__answer_release(&e->answer);
    }
    free(l->items);
}

static char *text_of(const json_t *o, const char *key)
{
    const char *s = json_string_value(json_object_get(o, key));
    return rg_xstrdup(s ? s : "");
}

static int64_t tokens(const json_t *usage, const char *key)
{
    const json_t *v = json_object_get(usage, key);
    return json_is_integer(v) ? json_integer_value(v) : -1;
}

static enum rg_status read_request(struct entries *l, const json_t *o, const char *path, int line, struct rg_error *err)
{
    const char *key = json_string_value(json_object_get(o, "key"));
    const json_t *reply = json_object_get(o, "reply"), *text = json_object_get(reply, "text");
    if (!key || strlen(key) != 64 || !json_is_string(text))
        return rg_error_at(err, RG_INPUT, path, line, 0,
                           "a recorded request needs a key of 64 hex digits and a reply with a text");
    RG_GROW(l->items, l->n, l->cap);
    struct entry *e = &l->items[l->n++];
    *e = (struct entry){.round = 0};
    memcpy(e->key, key, 65);
    const json_t *about = json_object_get(o, "about"), *messages = json_object_get(o, "messages"), *m, *p;
    const json_t *usage = json_object_get(reply, "usage");
    e->model = text_of(o, "model");
    e->step = text_of(about, "step");
    e->site = text_of(about, "site");
    e->chain = text_of(about, "chain");
    e->round = (int)json_integer_value(json_object_get(about, "round"));
    e->sample = (int)json_integer_value(json_object_get(json_object_get(o, "parameters"), "sample"));
    size_t i, j;
    int cap = 0;
    json_array_foreach(messages, i, m) json_array_foreach(json_object_get(m, "parts"), j, p)
    {
        if (!json_is_string(p)) continue;
        RG_GROW(e->parts, e->n_parts, cap);
        e->parts[e->n_parts++] = rg_xstrdup(json_string_value(p));
    }
    e->answer = (struct rg__answer){rg_xstrdup(json_string_value(text)),
                                    json_is_true(json_object_get(reply, "cut")),
                                    tokens(usage, "prompt"),
                                    tokens(usage, "completion"),
                                    tokens(usage, "cached"),
                                    tokens(usage, "reasoning"),
                                    0,
                                    NULL};
    json_array_foreach(json_object_get(reply, "more"), i, m)
    {
        char *more = text_of(m, "text");
        rg__answer_more(&e->answer, more, json_is_true(json_object_get(m, "cut")));
    }
    return RG_OK;
}

/* Reads every whole line. `good`: bytes up to the end of the last whole line. */
static enum rg_status read_file(struct rg__record *r, struct entries *l, const char *path, bool writing, size_t *good,
                                struct rg_error *err)
{
    char *text = NULL;
    size_t n = 0;
    enum rg_status s = rg_file_read(path, 0, &text, &n, err);
    int line = 0;
    bool format = false;
    *good = 0;
    for (size_t at = 0; s == RG_OK && at < n;) {
        char *end = memchr(text + at, '\n', n - at);
        line++;
        if (!end) break; /* a write that was cut off: what it held is lost, nothing else */
        size_t len = (size_t)(end - (text + at));
        if (strspn(text + at, " \t\r") < len) {
            json_error_t je;
            json_t *o = json_loadb(text + at, len, JSON_REJECT_DUPLICATES, &je);
            if (!json_is_object(o)) {
                s = rg_error_at(err, RG_INPUT, path, line, je.column > 0 ? je.column : 1, "not a line of a record: %s",
                                o ? "no object" : je.text);
            } else if (json_object_get(o, "format")) {
                const char *f = json_string_value(json_object_get(o, "format"));
                format = f && !strcmp(f, FORMAT);
                if (!format)
                    s = rg_error_at(err, RG_INPUT, path, line, 1, "unknown format '%s' (this is %s)", f ? f : "?",
                                    FORMAT);
            } else if (json_object_get(o, "key")) {
                s = format ? read_request(l, o, path, line, err)
                           : rg_error_at(err, RG_INPUT, path, line, 1,
                                         "the first line must be {\"format\": \"" FORMAT "\"}");
            } else if (!writing && json_is_string(json_object_get(o, "taken"))) {
                json_int_t held = json_integer_value(json_object_get(o, "held"));
                RG_GROW(r->held, r->n_held, r->cap_held);
                snprintf(r->held[r->n_held].action, 17, "%s", json_string_value(json_object_get(o, "taken")));
                r->held[r->n_held++].held = held > 0 && held < UINT32_MAX ? (uint32_t)held : 0;
            } else if (!writing && json_is_object(json_object_get(o, "example"))) {
                rg__example_read(&r->examples, json_object_get(o, "example"), true);
            } else if (writing && json_is_string(json_object_get(o, "part"))) {
                RG_GROW(r->known, r->n_known, r->cap_known);
                snprintf(r->known[r->n_known++], 17, "%s", json_string_value(json_object_get(o, "part")));
            }
            json_decref(o);
        }
        at += len + 1;
        *good = at;
    }
    free(text);
    if (!writing) r->begun = format;
    return s;
}

static enum rg_status put(struct rg__record *r, json_t *o, struct rg_error *err)
{
    char *line = rg_json_line(o);
    struct rg_buf b = RG_BUF_INIT;
    rg_buf_printf(&b, "%s\n", line);
    free(line);
    json_decref(o);
    enum rg_status s = RG_OK;
    for (size_t at = 0; at < b.len && s == RG_OK;) {
        ssize_t w = write(r->fd, b.data + at, b.len - at);
        if (w > 0)
            at += (size_t)w;
        else if (w < 0 && errno != EINTR)
            s = rg_error_set(err, RG_IO, "cannot write the record '%s': %s", r->path, strerror(errno));
    }
    rg_buf_release(&b);
    return s;
}

static enum rg_status open_record(struct rg__record *r, const char *path, struct rg_error *err)
{
    r->path = rg_xstrdup(path);
    size_t good = 0;
    enum rg_status s = rg_file_exists(path) ? read_file(r, &r->written, path, true, &good, err) : RG_OK;
    if (s != RG_OK) return s;
    r->fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (r->fd < 0) return rg_error_set(err, RG_IO, "cannot open the record '%s': %s", path, strerror(errno));
    if (ftruncate(r->fd, (off_t)good) < 0 && good == 0 && errno != EINVAL) /* EINVAL: a pipe or a terminal */
        return rg_error_set(err, RG_IO, "cannot write the record '%s': %s", path, strerror(errno));
    lseek(r->fd, 0, SEEK_END);
    if (good) return RG_OK;
    json_t *o = json_object();
    json_object_set_new(o, "format", json_string(FORMAT));
    return put(r, o, err);
}

enum rg_status rg__record_open(const char *replay, const char *record, bool may_be_empty, struct rg__record **out,
                               struct rg_error *err)
{
    struct rg__record *r = rg_xcalloc(1, sizeof *r);
    r->fd = -1;
    r->replaying = replay != NULL;
    size_t good;
    enum rg_status s = replay ? read_file(r, &r->replay, replay, false, &good, err) : RG_OK;
    if (s == RG_OK && replay && !r->replay.n && !may_be_empty)
        s = rg_error_set(err, RG_INPUT, "the record '%s' holds no request", replay);
    if (s == RG_OK && record) s = open_record(r, record, err);
    *out = s == RG_OK ? r : NULL;
    if (s != RG_OK) rg__record_close(r);
    return s;
}

bool rg__record_examples(const struct rg__record *r, struct rg__examples *out)
{
    if (!r || !r->begun) return false;
    for (int i = 0; i < r->examples.n; i++) {
        json_t *o = rg__example_json(&r->examples.items[i]);
        rg__example_read(out, o, true);
        json_decref(o);
    }
    return true;
}

enum rg_status rg__record_note_examples(struct rg__record *r, const struct rg__examples *x, struct rg_error *err)
{
    enum rg_status s = RG_OK;
    for (int i = 0; r && r->fd >= 0 && i < x->n && s == RG_OK; i++) {
        json_t *o = json_object();
        json_object_set_new(o, "example", rg__example_json(&x->items[i]));
        s = put(r, o, err);
    }
    return s;
}

void rg__record_close(struct rg__record *r)
{
    if (!r) return;
    entries_release(&r->replay);
    entries_release(&r->written);
    if (r->fd >= 0) close(r->fd);
    rg__examples_release(&r->examples);
    free(r->held);
    free(r->known);
    free(r->path);
    free(r);
}

bool rg__record_replaying(const struct rg__record *r)
{
    return r && r->replaying;
}

const char *rg__record_model(const struct rg__record *r)
{
    return r && r->replay.n ? r->replay.items[0].model : NULL;
}

/* The newest answer to a request counts. */
static const struct entry *find(const struct entries *l, const char *key)
{
    for (int i = l->n - 1; i >= 0; i--)
        if (!strcmp(l->items[i].key, key)) return &l->items[i];
    return NULL;
}

bool rg__record_find(const struct rg__record *r, const char key[65], struct rg__answer *out)
{
    const struct entry *e = r ? find(&r->replay, key) : NULL;
    if (!e) return false;
    *out = e->answer;
    out->text = rg_xstrdup(e->answer.text);
    out->more = NULL;
    out->n_more = 0;
    for (int i = 0; i < e->answer.n_more; i++)
        rg__answer_more(out, rg_xstrdup(e->answer.more[i].text), e->answer.more[i].cut);
    return true;
}

/* "name:hash" of part k, counted over all messages; false behind the last. */
static bool part_id(const struct rg__chat *c, int k, char out[64])
{
    for (int i = 0; i < c->n; i++) {
        if (k >= c->messages[i].n) {
            k -= c->messages[i].n;
            continue;
        }
        char h[17];
        hash16(c->messages[i].parts[k].text, h);
        snprintf(out, 64, "%.40s:%s", c->messages[i].parts[k].name, h);
        return true;
    }
    return false;
}

void rg__record_miss(const struct rg__record *r, const struct rg__chat *c, const char key[65],
                     const struct rg__about *about, char *out, size_t size)
{
    const struct entry *best = NULL;
    int best_score = -1;
    char id[64];
    for (int i = 0; i < r->replay.n; i++) {
        const struct entry *e = &r->replay.items[i];
        int score = 0;
        for (int k = 0; k < e->n_parts && part_id(c, k, id); k++) score += 2 * !strcmp(id, e->parts[k]);
        score += 3 * !strcmp(e->step, about->step) + 3 * !strcmp(e->chain, about->chain) + (e->round == about->round) +
                 (e->sample == c->sample);
        if (score > best_score) {
            best_score = score;
            best = e;
        }
    }
    struct rg_buf b = RG_BUF_INIT;
    rg_buf_printf(&b, "the record holds no answer to step '%s' at '%s' after '%s'%s%s (key %.12s)", about->step,
                  about->site, about->chain, about->round ? ", repair" : "", c->sample ? ", another sample" : "", key);
    if (best) {
        rg_buf_printf(&b, "; nearest: step '%s' after '%s'", best->step, best->chain);
        const char *sep = " but for its ";
        if (strcmp(best->model, c->model)) {
            rg_buf_printf(&b, "%smodel ('%s')", sep, best->model);
            sep = ", ";
        }
        if (best->sample != c->sample) {
            rg_buf_printf(&b, "%ssample number", sep);
            sep = ", ";
        }
        int k = 0;
        for (; part_id(c, k, id); k++) {
            if (k < best->n_parts && !strcmp(id, best->parts[k])) continue;
            rg_buf_printf(&b, "%s%.*s text", sep, (int)strcspn(id, ":"), id);
            sep = ", ";
        }
        if (k < best->n_parts) rg_buf_printf(&b, "%sfurther text", sep);
    }
    snprintf(out, size, "%s", b.data);
    rg_buf_release(&b);
}

uint32_t rg__record_held(const struct rg__record *r, const char *action)
{
    char h[17];
    hash16(action, h);
    for (int i = 0; r && i < r->n_held; i++)
        if (!strcmp(r->held[i].action, h)) return r->held[i].held;
    return 0;
}

enum rg_status rg__record_taken(struct rg__record *r, const char *action, uint32_t held, struct rg_error *err)
{
    if (!r || r->fd < 0 || rg__record_held(r, action) == held) return RG_OK;
    char h[17];
    hash16(action, h);
    json_t *o = json_object();
    json_object_set_new(o, "taken", json_string(h));
    json_object_set_new(o, "held", json_integer(held));
    return put(r, o, err);
}

static enum rg_status put_part(struct rg__record *r, const char *text, const char *hash, struct rg_error *err)
{
    for (int i = 0; i < r->n_known; i++)
        if (!strcmp(r->known[i], hash)) return RG_OK;
    RG_GROW(r->known, r->n_known, r->cap_known);
    memcpy(r->known[r->n_known++], hash, 17);
    json_t *o = json_object();
    json_object_set_new(o, "part", json_string(hash));
    json_object_set_new(o, "text", rg_json_text(text));
    return put(r, o, err);
}

enum rg_status rg__record_add(struct rg__record *r, const struct rg__chat *c, const char key[65],
                              const struct rg__about *about, const struct rg__answer *a, struct rg_error *err)
{
    if (!r || r->fd < 0) return RG_OK;
    const struct entry *same = find(&r->written, key);
    if (same && !strcmp(same->answer.text, a->text) && same->answer.cut == a->cut) return RG_OK;
    json_t *o = json_object(), *parameters = json_object(), *messages = json_array(), *reply = json_object(),
           *usage = json_object();
    json_t *ab = json_object();
    json_object_set_new(o, "key", json_string(key));
    json_object_set_new(o, "model", rg_json_text(c->model));
    if (c->temperature >= 0) json_object_set_new(parameters, "temperature", rg_json_number(c->temperature));
    if (c->reply_tokens > 0) json_object_set_new(parameters, "reply_tokens", json_integer(c->reply_tokens));
    json_object_set_new(parameters, "sample", json_integer(c->sample));
    if (c->n_samples > 1) json_object_set_new(parameters, "n", json_integer(c->n_samples));
    json_object_set_new(o, "parameters", parameters);
    json_object_set_new(ab, "step", rg_json_text(about->step));
    json_object_set_new(ab, "site", rg_json_text(about->site));
    json_object_set_new(ab, "chain", rg_json_text(about->chain));
    json_object_set_new(ab, "round", json_integer(about->round));
    json_object_set_new(o, "about", ab);
    enum rg_status s = RG_OK;
    for (int i = 0; i < c->n; i++) {
        json_t *m = json_object(), *parts = json_array();
        json_object_set_new(m, "role", json_string(c->messages[i].role));
        for (int j = 0; j < c->messages[i].n; j++) {
            const struct rg__part *p = &c->messages[i].parts[j];
            char h[17], id[64];
            hash16(p->text, h);
            snprintf(id, sizeof id, "%.40s:%s", p->name, h);
            json_array_append_new(parts, json_string(id));
            if (s == RG_OK) s = put_part(r, p->text, h, err);
        }
        json_object_set_new(m, "parts", parts);
        json_array_append_new(messages, m);
    }
    json_object_set_new(o, "messages", messages);
    json_object_set_new(reply, "text", rg_json_text(a->text));
    json_object_set_new(reply, "cut", json_boolean(a->cut));
    if (a->n_more) {
        json_t *more = json_array();
        for (int i = 0; i < a->n_more; i++) {
            json_t *m = json_object();
            json_object_set_new(m, "text", rg_json_text(a->more[i].text));
            json_object_set_new(m, "cut", json_boolean(a->more[i].cut));
            json_array_append_new(more, m);
        }
        json_object_set_new(reply, "more", more);
    }
    if (a->prompt_tokens >= 0) json_object_set_new(usage, "prompt", json_integer(a->prompt_tokens));
    if (a->completion_tokens >= 0) json_object_set_new(usage, "completion", json_integer(a->completion_tokens));
    if (a->cached_tokens >= 0) json_object_set_new(usage, "cached", json_integer(a->cached_tokens));
    if (a->reasoning_tokens >= 0) json_object_set_new(usage, "reasoning", json_integer(a->reasoning_tokens));
    json_object_set_new(reply, "usage", usage);
    json_object_set_new(o, "reply", reply);
    if (s != RG_OK) {
        json_decref(o);
        return s;
    }
    read_request(&r->written, o, r->path, 0, NULL);
    return put(r, o, err);
}
