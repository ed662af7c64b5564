/* Journal, record and kept sources of runs, joined: request, reply, source, outcome, gain; as conversations to train
 * models on. */
#include "cmd/replay_export.h"
#include <jansson.h>
#include <math.h>
#include <rg/file.h>
#include <rg/hash.h>
#include <rg/pack.h>
#include <stdlib.h>
#include <string.h>

const char *const replay_export_words[N_REPLAY_EXPORTS] = {"sft", "preference", "steps"};

static const double least_gain = 1.01; /* of what is worth learning from: less is noise */
static const unsigned test_share = 10; /* one problem in so many is kept for tests, by its hash */

struct sample {        /* an action of a run, and what became of it */
    int64_t a, parent; /* node */
    const char *step, *site, *coder, *request, *outcome, *message, *source;
    double time_us, gain; /* of its best vector; against its parent; 0 unknown */
    double advantage;     /* of its reward among those of its group, in standard deviations; 0 alone */
    json_t *messages;     /* of its request; NULL not known */
    const char *reply;
};

struct run {
    const char *path;
    json_t *head;
    json_t *lines;   /* array of all */
    json_t *record;  /* key -> entry */
    json_t *parts;   /* hash -> text */
    json_t *sources; /* name -> {cuda, plan} */
    json_t *times;   /* node -> time_us */
    double naive_us;
    int n, cap;
    struct sample *items;
};

static const char *text_of(const json_t *o, const char *name)
{
    const char *s = json_string_value(json_object_get(o, name));
    return s ? s : "";
}

/* Lines of JSON; what is none (a line cut by a crash) is left out. */
static void each_line(const char *text, size_t len, void (*fn)(void *, json_t *), void *arg)
{
    for (size_t at = 0; at < len;) {
        size_t n = strcspn(text + at, "\n");
        json_t *o = json_loadb(text + at, n, 0, NULL);
        if (json_is_object(o)) fn(arg, o);
        json_decref(o);
        at += n + 1;
    }
}

static void take_line(void *arg, json_t *o)
{
    json_array_append(((struct run *)arg)->lines, o);
}

static void take_record(void *arg, json_t *o)
{
    struct run *r = arg;
    if (json_object_get(o, "part")) json_object_set(r->parts, text_of(o, "part"), json_object_get(o, "text"));
    if (json_object_get(o, "key") && json_object_get(o, "reply")) json_object_set(r->record, text_of(o, "key"), o);
}

static void take_source(void *arg, json_t *o)
{
    json_object_set(((struct run *)arg)->sources, text_of(o, "source"), o);
}

/* The messages of a recorded request, put together again. NULL: a part is missing. */
static json_t *messages_of(const struct run *r, const json_t *entry)
{
    json_t *all = json_array(), *m, *part;
    size_t i, k;
    json_array_foreach(json_object_get(entry, "messages"), i, m)
    {
        struct rg_buf text = RG_BUF_INIT;
        json_array_foreach(json_object_get(m, "parts"), k, part)
        {
            const char *name = json_string_value(part), *hash = name ? strchr(name, ':') : NULL,
                       *piece = hash ? json_string_value(json_object_get(r->parts, hash + 1)) : NULL;
            if (!piece) {
                rg_buf_release(&text);
                json_decref(all);
                return NULL;
            }
            rg_buf_str(&text, piece);
        }
        json_array_append_new(
            all, json_pack("{s:s, s:s}", "role", text_of(m, "role"), "content", text.data ? text.data : ""));
        rg_buf_release(&text);
    }
    return all;
}

static struct sample *sample_of(struct run *r, const json_t *line)
{
    int64_t a = json_integer_value(json_object_get(line, "a"));
    for (int i = r->n - 1; i >= 0; i--)
        if (r->items[i].a == a) return &r->items[i];
    return NULL;
}

static double node_time(const struct run *r, int64_t node)
{
    char name[24];
    if (node == 0) return r->naive_us;
    snprintf(name, sizeof name, "%lld", (long long)node);
    return json_number_value(json_object_get(r->times, name));
}

static void read_action(struct run *r, const json_t *o)
{
    if (!json_object_get(o, "step")) return;
    RG_GROW(r->items, r->n, r->cap);
    r->items[r->n++] = (struct sample){.a = json_integer_value(json_object_get(o, "a")),
                                       .parent = json_integer_value(json_object_get(o, "parent")),
                                       .step = text_of(o, "step"),
                                       .site = text_of(o, "site"),
                                       .coder = text_of(o, "coder"),
                                       .request = "",
                                       .outcome = "",
                                       .message = "",
                                       .source = "",
                                       .reply = ""};
}

static void read_eval(struct sample *x, const json_t *o)
{
    const json_t *e = json_object_get(o, "evaluation");
    const char *outcome = text_of(e ? e : o, "outcome");
    double us = json_number_value(json_object_get(e ? e : o, "time_us"));
    bool ok = !strcmp(outcome, "ok") && us > 0, better = ok && (strcmp(x->outcome, "ok") || us < x->time_us);
    if (!better && *x->source) return;
    x->outcome = outcome;
    x->message = text_of(e, "message");
    x->source = text_of(o, "source");
    x->time_us = ok ? us : 0;
}

/* One pass over the lines; a closing section that a later session made void repeats no action. */
static void read_lines(struct run *r)
{
    size_t i;
    json_t *o;
    json_array_foreach(r->lines, i, o)
    {
        const char *kind = text_of(o, "line");
        struct sample *x = sample_of(r, o);
        if (!strcmp(kind, "run"))
            r->head = o;
        else if (!strcmp(kind, "action"))
            read_action(r, o);
        else if (!strcmp(kind, "naive"))
            r->naive_us = json_number_value(json_object_get(o, "time_us"));
        else if (x && !strcmp(kind, "answer")) {
            x->request = text_of(o, "request");
            if (strcmp(text_of(o, "kind"), "template"))
                x->outcome = text_of(o, "outcome"), x->message = text_of(o, "message");
        } else if (x && (!strcmp(kind, "eval") || !strcmp(kind, "reused")))
            read_eval(x, o);
        else if (!strcmp(kind, "result") || !strcmp(kind, "settled")) {
            char name[24];
            snprintf(name, sizeof name, "%lld", (long long)json_integer_value(json_object_get(o, "node")));
            if (json_number_value(json_object_get(o, "time_us")) > 0)
                json_object_set(r->times, name, json_object_get(o, "time_us"));
            if (x && !strcmp(kind, "result") && *text_of(o, "step"))
                x->step = text_of(o, "step"); /* another than was asked for */
        }
    }
}

static void join(struct run *r)
{
    for (int i = 0; i < r->n; i++) {
        struct sample *x = &r->items[i];
        const json_t *entry = *x->request ? json_object_get(r->record, x->request) : NULL;
        double from = node_time(r, x->parent);
        x->gain = x->time_us > 0 && from > 0 ? from / x->time_us : 0;
        if (!entry) continue;
        x->messages = messages_of(r, entry);
        x->reply = text_of(json_object_get(entry, "reply"), "text");
    }
}

static bool verified(const struct sample *x)
{
    return !strcmp(x->outcome, "ok") && x->gain > 0;
}

/* What a reply was worth: the logarithm of its gain; what is not right is worth less than what is slow. */
static double reward(const struct sample *x)
{
    double g = verified(x) ? log(x->gain) : !strcmp(x->outcome, "refused") ? 0 : -2; /* declining is no mistake */
    return g < -2 ? -2 : g > 4 ? 4 : g;
}

static bool same_group(const struct sample *x, const struct sample *y)
{
    return x->parent == y->parent && !strcmp(x->coder, y->coder) && !strcmp(x->step, y->step) &&
           !strcmp(x->site, y->site);
}

/* A group: the attempts and samples of one step at one version. */
static void advantages(struct run *r)
{
    for (int i = 0; i < r->n; i++) {
        double n = 0, sum = 0, squares = 0;
        for (int k = 0; k < r->n; k++) {
            if (!same_group(&r->items[i], &r->items[k])) continue;
            double v = reward(&r->items[k]);
            n++;
            sum += v;
            squares += v * v;
        }
        double mean = sum / n, variance = squares / n - mean * mean;
        r->items[i].advantage = variance > 1e-12 ? (reward(&r->items[i]) - mean) / sqrt(variance) : 0;
    }
}

static bool is_test(const struct run *r)
{
    const char *program = text_of(r->head, "program");
    return rg_hash64(program, strlen(program), 17) % test_share == 0;
}

static json_t *origin(const struct run *r, const struct sample *x)
{
    const json_t *entry = json_object_get(r->record, x->request);
    char file[32];
    const char *slash = strrchr(r->path, '/');
    snprintf(file, sizeof file, "%.31s", slash ? slash + 1 : r->path);
    json_t *o = json_pack("{s:s, s:s, s:s, s:s, s:b, s:s, s:I, s:s}", "run", text_of(r->head, "run"), "function",
                          text_of(r->head, "function"), "problem", text_of(r->head, "program"), "device",
                          text_of(r->head, "device"), "estimated", json_is_true(json_object_get(r->head, "estimated")),
                          "journal", file, "action", (json_int_t)x->a, "coder", x->coder);
    if (entry) {
        json_object_set_new(o, "model", json_string(text_of(entry, "model")));
        json_object_set_new(o, "request", json_string(x->request));
    }
    return o;
}

static void describe(const struct run *r, const struct sample *x, json_t *o)
{
    json_object_set_new(o, "step", json_string(x->step));
    json_object_set_new(o, "site", json_string(x->site));
    json_object_set_new(o, "outcome", json_string(x->outcome));
    if (*x->message) json_object_set_new(o, "message", json_string(x->message));
    if (x->time_us > 0) json_object_set_new(o, "time_us", json_real(x->time_us));
    if (x->gain > 0) json_object_set_new(o, "gain", json_real(x->gain));
    json_object_set_new(o, "reward", json_real(reward(x)));
    json_object_set_new(o, "advantage", json_real(x->advantage));
    if (*x->source) json_object_set_new(o, "source", json_string(x->source));
    json_object_set_new(o, "split", json_string(is_test(r) ? "test" : "train"));
    json_object_set_new(o, "provenance", origin(r, x));
    json_object_set_new(o, "licence",
                        json_string(!strcmp(x->coder, "llm")
                                        ? "the C in the request is its owner's; the reply is a model's, under that "
                                          "model's terms; the rest is yours"
                                        : "the C in the request is its owner's; the rest is yours"));
}

static json_t *turn(const char *role, const char *content)
{
    return json_pack("{s:s, s:s}", "role", role, "content", content);
}

/* Code and plan of a kept source, fenced as models are shown them; NULL unknown. Caller frees. */
static char *shown(const struct run *r, const char *name)
{
    const json_t *s = *name ? json_object_get(r->sources, name) : NULL;
    return s ? rg_xasprintf("```cuda\n%s```\n```plan\n%s```\n", text_of(s, "cuda"), text_of(s, "plan")) : NULL;
}

/* The source of the best that an action made of a node. */
static const char *source_of_node(const struct run *r, int64_t node)
{
    size_t i;
    json_t *o;
    int64_t a = -1;
    json_array_foreach(r->lines, i, o) if (!strcmp(text_of(o, "line"), "result") &&
                                           json_integer_value(json_object_get(o, "node")) == node &&
                                           json_is_true(json_object_get(o, "new"))) a =
        json_integer_value(json_object_get(o, "a"));
    for (int k = 0; k < r->n; k++)
        if (r->items[k].a == a) return r->items[k].source;
    return "";
}

struct writer {
    struct rg_buf *out;
    json_t *known; /* hashes of what was written: of two alike the first stays */
    const char *split;
    int n;
};

static void write_line(struct writer *w, const struct run *r, json_t *o, json_t *alike)
{
    char hash[65];
    char *same = json_dumps(alike, JSON_COMPACT | JSON_SORT_KEYS);
    bool wanted = same && (!w->split || !strcmp(w->split, is_test(r) ? "test" : "train"));
    if (same) rg_sha256_hex(same, strlen(same), hash);
    if (wanted && !json_object_get(w->known, hash)) {
        json_object_set_new(w->known, hash, json_true());
        char *line = json_dumps(o, JSON_COMPACT | JSON_REAL_PRECISION(9));
        rg_buf_printf(w->out, "%s\n", line);
        free(line);
        w->n++;
    }
    free(same);
    json_decref(o);
}

/* Replies that were right and faster than what they began with. */
static void write_sft(struct writer *w, const struct run *r)
{
    for (int i = 0; i < r->n; i++) {
        const struct sample *x = &r->items[i];
        if (!x->messages || !verified(x) || x->gain < least_gain) continue;
        json_t *o = json_object(), *m = json_copy(x->messages);
        json_array_append_new(m, turn("assistant", x->reply));
        json_object_set(o, "messages", m);
        describe(r, x, o);
        write_line(w, r, o, m);
        json_decref(m);
    }
}

/* Two replies to one question, the better one chosen: samples of a group, or a first attempt and what it was mended to.
 */
static void write_preference(struct writer *w, const struct run *r)
{
    for (int i = 0; i < r->n; i++)
        for (int k = i + 1; k < r->n; k++) {
            const struct sample *first = &r->items[i], *x = first, *y = &r->items[k];
            if (!x->messages || !y->messages || !same_group(x, y) || !strcmp(x->reply, y->reply) ||
                fabs(reward(x) - reward(y)) < log(least_gain))
                continue;
            if (reward(y) > reward(x)) x = y, y = first;
            if (!verified(x)) continue;
            json_t *o = json_object(), *same = json_array();
            json_object_set(o, "messages", first->messages);
            json_object_set_new(o, "chosen", turn("assistant", x->reply));
            json_object_set_new(o, "rejected", turn("assistant", y->reply));
            json_object_set_new(o, "rejected_outcome", json_string(y->outcome));
            json_object_set_new(o, "margin", json_real(reward(x) - reward(y)));
            describe(r, x, o);
            json_array_append(same, first->messages);
            json_array_append(same, json_object_get(o, "chosen"));
            json_array_append(same, json_object_get(o, "rejected"));
            write_line(w, r, o, same);
            json_decref(same);
        }
}

/* Which step next: a version, the step taken there, and what it gained; of either coder. */
static void write_steps(struct writer *w, const struct run *r)
{
    for (int i = 0; i < r->n; i++) {
        const struct sample *x = &r->items[i];
        char *before = x->parent ? shown(r, source_of_node(r, x->parent)) : rg_xstrdup("");
        if (!*x->outcome || !before) {
            free(before);
            continue;
        }
        char *ask =
            rg_xasprintf("Device: %s. Function: %s, a %s problem.\n%s%sWhich step next, and where? Answer STEP @ SITE.",
                         text_of(r->head, "device"), text_of(r->head, "function"), text_of(r->head, "class"),
                         x->parent ? "The current version:\n" : "There is no CUDA code yet.\n", before);
        char *step = rg_xasprintf("%s @ %s", x->step, x->site);
        json_t *o = json_object(), *m = json_array();
        json_array_append_new(m, turn("user", ask));
        json_array_append_new(m, turn("assistant", step));
        json_object_set(o, "messages", m);
        char *after = shown(r, x->source);
        if (after && verified(x)) json_object_set_new(o, "after", json_string(after));
        describe(r, x, o);
        write_line(w, r, o, m);
        json_decref(m);
        free(after);
        free(ask);
        free(step);
        free(before);
    }
}

static enum rg_status read_beside(struct run *r, const char *record, struct rg_error *err)
{
    char *text, *path;
    size_t len;
    const char *slash = strrchr(r->path, '/');
    int dir = slash ? (int)(slash - r->path) : 1;
    enum rg_status s = rg_file_read(r->path, 0, &text, &len, err);
    if (s != RG_OK) return s;
    each_line(text, len, take_line, r);
    free(text);
    path = rg_xasprintf("%.*s/sources.jsonl.gz", dir, slash ? r->path : ".");
    if (rg_file_exists(path) && (s = rg_pack_read(path, &text, &len, err)) == RG_OK) {
        each_line(text, len, take_source, r);
        free(text);
    }
    free(path);
    path = record ? rg_xstrdup(record) : rg_xasprintf("%.*s/llm.jsonl", dir, slash ? r->path : ".");
    if (s == RG_OK && (record || rg_file_exists(path)) && (s = rg_file_read(path, 0, &text, &len, err)) == RG_OK) {
        each_line(text, len, take_record, r);
        free(text);
    }
    free(path);
    return s;
}

static void run_release(struct run *r)
{
    json_t *all[] = {r->lines, r->record, r->parts, r->sources, r->times};
    for (int i = 0; i < r->n; i++) json_decref(r->items[i].messages);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) json_decref(all[i]);
    free(r->items);
}

enum rg_status replay_export(enum replay_export kind, char *const *journals, int n, const char *record,
                             const char *split, struct rg_buf *out, int *n_lines, struct rg_error *err)
{
    struct writer w = {.out = out, .known = json_object(), .split = split};
    enum rg_status s = RG_OK;
    for (int i = 0; i < n && s == RG_OK; i++) {
        struct run r = {.path = journals[i],
                        .lines = json_array(),
                        .record = json_object(),
                        .parts = json_object(),
                        .sources = json_object(),
                        .times = json_object()};
        s = read_beside(&r, record, err);
        if (s == RG_OK) read_lines(&r);
        if (s == RG_OK && (!r.head || strncmp(text_of(r.head, "schema"), "regraph-journal/", 16)))
            s = rg_error_set(err, RG_INPUT, "'%s' is no journal", r.path);
        if (s == RG_OK) {
            join(&r);
            advantages(&r);
            if (kind == REPLAY_SFT)
                write_sft(&w, &r);
            else if (kind == REPLAY_PREFERENCE)
                write_preference(&w, &r);
            else
                write_steps(&w, &r);
        }
        run_release(&r);
    }
    *n_lines = w.n;
    json_decref(w.known);
    return s;
}
