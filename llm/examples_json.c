/* Before and after of the best gain that each step has shown in earlier runs: shown to the model where the reasoning graph has no
 * example of its own. One JSON object a line; read once at the start, so that a run's prompts do not change under way. */
#include "base/json_util.h"
#include "coder.h"
#include <math.h>
#include <rg/file.h>
#include <stdlib.h>
#include <string.h>

#define FORMAT "regraph-llm-examples/1"
enum { MAX_EXAMPLE = 3000 }; /* bytes a side: a longer one teaches nobody */

static const double least_gain = 1.1; /* time before / time after */

void rg__examples_release(struct rg__examples *x)
{
    for (int i = 0; i < x->n; i++) {
        free(x->items[i].step);
        free(x->items[i].before);
        free(x->items[i].after);
    }
    for (int i = 0; i < x->n_seen; i++) {
        free(x->seen[i].key);
        free(x->seen[i].step);
        free(x->seen[i].cuda);
    }
    free(x->items);
    free(x->seen);
    memset(x, 0, sizeof *x);
}

const struct rg__example *rg__examples_find(const struct rg__examples *x, const char *step)
{
    for (int i = 0; i < x->n; i++)
        if (!strcmp(x->items[i].step, step)) return &x->items[i];
    return NULL;
}

/* The larger gain stays; of equal ones the older. */
static void offer(struct rg__examples *x, const char *step, const char *before, const char *after, double gain)
{
    if (!(gain >= least_gain) || !isfinite(gain) || strlen(before) > MAX_EXAMPLE || strlen(after) > MAX_EXAMPLE) return;
    struct rg__example *e = (struct rg__example *)rg__examples_find(x, step);
    if (e && e->gain >= gain) return;
    if (!e) {
        x->items = rg_xrealloc(x->items, (size_t)(x->n + 1) * sizeof *x->items);
        e = &x->items[x->n++];
        *e = (struct rg__example){.step = rg_xstrdup(step)};
    }
    free(e->before);
    free(e->after);
    e->before = rg_xstrdup(before);
    e->after = rg_xstrdup(after);
    e->gain = gain;
}

static enum rg_status read_line(struct rg__examples *x, const char *line, size_t n, const char *path, int number, bool *format,
                                struct rg_error *err)
{
    json_error_t je;
    json_t *o = json_loadb(line, n, JSON_REJECT_DUPLICATES, &je);
    const char *f = json_string_value(json_object_get(o, "format"));
    const char *step = json_string_value(json_object_get(o, "step")), *before = json_string_value(json_object_get(o, "before")),
               *after = json_string_value(json_object_get(o, "after"));
    enum rg_status s = RG_OK;
    if (!json_is_object(o)) s = rg_error_at(err, RG_INPUT, path, number, 1, "not a line of an example file: %s", o ? "no object" : je.text);
    else if (f && strcmp(f, FORMAT)) s = rg_error_at(err, RG_INPUT, path, number, 1, "unknown format '%.60s' (this is " FORMAT ")", f);
    else if (f) *format = true;
    else if (!*format) s = rg_error_at(err, RG_INPUT, path, number, 1, "the first line must be {\"format\": \"" FORMAT "\"}");
    else if (!step || !before || !after) s = rg_error_at(err, RG_INPUT, path, number, 1, "an example has a step, before and after");
    else offer(x, step, before, after, json_number_value(json_object_get(o, "gain")));
    json_decref(o);
    return s;
}

enum rg_status rg__examples_load(struct rg__examples *x, const char *path, struct rg_error *err)
{
    char *text;
    size_t n;
    if (!rg_file_exists(path)) return RG_OK; /* the first run makes it */
    enum rg_status s = rg_file_read(path, 16 << 20, &text, &n, err);
    if (s != RG_OK) return s;
    int number = 0;
    bool format = false;
    for (size_t at = 0; s == RG_OK && at < n;) {
        size_t len = strcspn(text + at, "\n");
        number++;
        if (strspn(text + at, " \t\r") < len) s = read_line(x, text + at, len, path, number, &format, err);
        at += len + 1;
    }
    free(text);
    return s;
}

void rg__examples_note(struct rg__examples *x, const struct rg_template *t, const char *cuda, const struct rg_evaluation *e)
{
    if (!t || !e || e->outcome != RG_OUTCOME_OK || !(e->time_us > 0)) return;
    for (int i = 0; i < x->n_seen; i++)
        if (!strcmp(x->seen[i].key, t->key)) {
            if (e->time_us < x->seen[i].time_us) x->seen[i].time_us = e->time_us;
            return;
        }
    RG_GROW(x->seen, x->n_seen, x->cap_seen);
    x->seen[x->n_seen++] = (struct rg__seen){rg_xstrdup(t->key), rg_xstrdup(t->n_chain ? t->chain[t->n_chain - 1].step : ""),
                                             rg_xstrdup(cuda), e->time_us};
}

/* A template of ours is keyed by its parent's key and one more action. */
static const struct rg__seen *parent_of(const struct rg__examples *x, const struct rg__seen *child)
{
    const char *last = NULL;
    for (const char *at = child->key; (at = strstr(at, RG__KEY_MARK)); at++) last = at;
    for (int i = 0; last && i < x->n_seen; i++)
        if (strlen(x->seen[i].key) == (size_t)(last - child->key) && !memcmp(x->seen[i].key, child->key, (size_t)(last - child->key)))
            return &x->seen[i];
    return NULL;
}

enum rg_status rg__examples_save(const struct rg__examples *x, const char *path, struct rg_error *err)
{
    struct rg__examples all = {0};
    int fd;
    enum rg_status s = rg_file_lock(path, 10, &fd, err); /* other runs write it too */
    if (s != RG_OK) return s;
    s = rg__examples_load(&all, path, err);
    for (int i = 0; i < x->n_seen; i++) {
        const struct rg__seen *child = &x->seen[i], *parent = parent_of(x, child);
        if (parent) offer(&all, child->step, parent->cuda, child->cuda, parent->time_us / child->time_us);
    }
    struct rg_buf b = RG_BUF_INIT;
    rg_buf_str(&b, "{\"format\":\"" FORMAT "\"}\n");
    for (int i = 0; i < all.n; i++) {
        json_t *o = json_object();
        json_object_set_new(o, "step", rg_json_text(all.items[i].step));
        json_object_set_new(o, "gain", rg_json_number(all.items[i].gain));
        json_object_set_new(o, "before", rg_json_text(all.items[i].before));
        json_object_set_new(o, "after", rg_json_text(all.items[i].after));
        char *line = rg_json_line(o);
        rg_buf_printf(&b, "%s\n", line);
        free(line);
        json_decref(o);
    }
    if (s == RG_OK && all.n) s = rg_file_write(path, b.data, b.len, err);
    rg_file_unlock(fd);
    rg_buf_release(&b);
    rg__examples_release(&all);
    return s;
}

enum rg_status rg_llm_save_examples(const struct rg_coder *c, const char *path, struct rg_error *err)
{
    const struct rg__llm *m = c->self;
    return rg__examples_save(&m->examples, path, err);
}
