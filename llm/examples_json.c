/* Before and after of the best gain that each step has shown in earlier runs: shown to the model where the reasoning graph has no
 * example of its own. One JSON object a line; read once at the start, so that a run's prompts do not change under way. A file holds
 * one example a step, of bounded length: it grows with the graph's steps, not with the runs. */
#include "base/json_util.h"
#include "llm.h"
#include <math.h>
#include <rg/file.h>
#include <stdlib.h>
#include <string.h>

#define FORMAT "regraph-llm-examples/1"
enum { MAX_EXAMPLE = 3000, /* bytes a side: a longer one teaches nobody */
       MAX_STEPS = 500 };

static const double least_gain = 1.1; /* time before / time after */

void rg__examples_release(struct rg__examples *x)
{
    for (int i = 0; i < x->n; i++) {
        free(x->items[i].step);
        free(x->items[i].before);
        free(x->items[i].after);
    }
    free(x->items);
    memset(x, 0, sizeof *x);
}

const struct rg__example *rg__examples_find(const struct rg__examples *x, const char *step)
{
    for (int i = 0; i < x->n; i++)
        if (!strcmp(x->items[i].step, step)) return &x->items[i];
    return NULL;
}

/* Measured before estimated, then the larger gain; of equal ones the older. */
static bool better(const struct rg__example *known, double gain, bool estimated)
{
    if (!known) return true;
    return known->estimated != estimated ? known->estimated : gain > known->gain;
}

static bool fits(const char *before, const char *after, double gain)
{
    return gain >= least_gain && isfinite(gain) && strlen(before) <= MAX_EXAMPLE && strlen(after) <= MAX_EXAMPLE;
}

static void put(struct rg__examples *x, const char *step, const char *before, const char *after, double gain, bool estimated)
{
    struct rg__example *e = (struct rg__example *)rg__examples_find(x, step);
    if (!e) {
        if (x->n == MAX_STEPS) return;
        x->items = rg_xrealloc(x->items, (size_t)(x->n + 1) * sizeof *x->items);
        e = &x->items[x->n++];
        *e = (struct rg__example){.step = rg_xstrdup(step)};
    }
    free(e->before);
    free(e->after);
    e->before = rg_xstrdup(before);
    e->after = rg_xstrdup(after);
    e->gain = gain;
    e->estimated = estimated;
}

bool rg__example_read(struct rg__examples *x, const json_t *o, bool newer)
{
    const char *step = json_string_value(json_object_get(o, "step")), *before = json_string_value(json_object_get(o, "before")),
               *after = json_string_value(json_object_get(o, "after"));
    double gain = json_number_value(json_object_get(o, "gain"));
    bool estimated = json_is_true(json_object_get(o, "estimated"));
    if (!step || !before || !after) return false;
    if (fits(before, after, gain) && (newer || better(rg__examples_find(x, step), gain, estimated))) put(x, step, before, after, gain, estimated);
    return true;
}

json_t *rg__example_json(const struct rg__example *e)
{
    json_t *o = json_object();
    json_object_set_new(o, "step", rg_json_text(e->step));
    json_object_set_new(o, "gain", rg_json_number(e->gain));
    if (e->estimated) json_object_set_new(o, "estimated", json_true());
    json_object_set_new(o, "before", rg_json_text(e->before));
    json_object_set_new(o, "after", rg_json_text(e->after));
    return o;
}

static enum rg_status read_line(struct rg__examples *x, const char *line, size_t n, const char *path, int number, bool *format,
                                struct rg_error *err)
{
    json_error_t je;
    json_t *o = json_loadb(line, n, JSON_REJECT_DUPLICATES, &je);
    const char *f = json_string_value(json_object_get(o, "format"));
    enum rg_status s = RG_OK;
    if (!json_is_object(o)) s = rg_error_at(err, RG_INPUT, path, number, 1, "not a line of an example file: %s", o ? "no object" : je.text);
    else if (f && strcmp(f, FORMAT)) s = rg_error_at(err, RG_INPUT, path, number, 1, "unknown format '%.60s' (this is " FORMAT ")", f);
    else if (f) *format = true;
    else if (!*format) s = rg_error_at(err, RG_INPUT, path, number, 1, "the first line must be {\"format\": \"" FORMAT "\"}");
    else if (!rg__example_read(x, o, false)) s = rg_error_at(err, RG_INPUT, path, number, 1, "an example has a step, before and after");
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

static void offer(struct rg__examples *all, const struct rg_pair *p, bool estimated)
{
    struct rg_error none = RG_ERROR_INIT;
    struct rg_source before = {NULL, NULL}, after = {NULL, NULL};
    if (!better(rg__examples_find(all, p->step), p->gain, estimated)) return; /* before anything is printed: most runs end here */
    if (rg_template_instantiate(p->before, &p->before_v, &before, &none) == RG_OK &&
        rg_template_instantiate(p->after, &p->after_v, &after, &none) == RG_OK) {
        char *b = rg__c_plain(before.cuda), *a = rg__c_plain(after.cuda); /* comments may say what only their owner should read */
        if (fits(b, a, p->gain) && strcmp(b, a)) put(all, p->step, b, a, p->gain, estimated);
        free(b);
        free(a);
    }
    rg_source_release(&before);
    rg_source_release(&after);
}

enum rg_status rg_llm_keep_examples(const char *path, const struct rg_pair *pairs, int n, bool estimated, struct rg_error *err)
{
    struct rg__examples all = {0};
    int fd;
    if (!n) return RG_OK;
    enum rg_status s = rg_file_lock(path, 10, &fd, err); /* other runs write it too */
    if (s != RG_OK) return s;
    s = rg__examples_load(&all, path, err);
    for (int i = 0; s == RG_OK && i < n; i++) offer(&all, &pairs[i], estimated);
    struct rg_buf b = RG_BUF_INIT;
    rg_buf_str(&b, "{\"format\":\"" FORMAT "\"}\n");
    for (int i = 0; i < all.n; i++) {
        json_t *o = rg__example_json(&all.items[i]);
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
