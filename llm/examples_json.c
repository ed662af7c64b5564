/* Before and after of the best gains that each step has shown in earlier runs: shown to the model where the reasoning
 * graph has no example of its own, of each step the one whose problem is most like the one at hand. One JSON object a
 * line; read once at the start, so that a run's prompts do not change under way. A file holds a few examples a step, of
 * different kinds of problems and of bounded length: it grows with the graph's steps, not with the runs. */
#include "base/json_util.h"
#include "llm.h"
#include <math.h>
#include <rg/file.h>
#include <stdlib.h>
#include <string.h>

#define FORMAT "regraph-llm-examples/1"
enum {
    MAX_EXAMPLE = 3000, /* bytes a side: a longer one teaches nobody */
    MAX_EXAMPLES = 2000,
    KINDS = 4 /* of problems, of a step */
};

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

/* How much two problems have in common: traits of both over traits of either; something, where nothing is known. */
static double likeness(uint32_t a, uint32_t b)
{
    if (!a || !b) return 0.25;
    return (double)__builtin_popcount(a & b) / (double)__builtin_popcount(a | b);
}

/* What makes an example worth showing: that its problem is like this one, then its gain; an estimate counts half. */
static double worth(const struct rg__example *e, uint32_t traits)
{
    return likeness(e->traits, traits) * (1 + log(e->gain)) * (e->estimated ? 0.5 : 1);
}

const struct rg__example *rg__examples_find(const struct rg__examples *x, const char *step, uint32_t traits)
{
    const struct rg__example *best = NULL;
    for (int i = 0; i < x->n; i++)
        if (!strcmp(x->items[i].step, step) && (!best || worth(&x->items[i], traits) > worth(best, traits)))
            best = &x->items[i];
    return best;
}

/* Of the same step and kind of problem. */
static struct rg__example *same_kind(const struct rg__examples *x, const char *step, uint32_t traits)
{
    for (int i = 0; i < x->n; i++)
        if (x->items[i].traits == traits && !strcmp(x->items[i].step, step)) return &x->items[i];
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

/* Where an example of that step and kind goes: its place, a new one, or that of the step's least; NULL: it is less than
 * all. */
static struct rg__example *place_for(struct rg__examples *x, const char *step, uint32_t traits, double gain,
                                     bool estimated)
{
    struct rg__example *e = same_kind(x, step, traits), *least = NULL;
    int kinds = 0;
    if (e) return e;
    for (int i = 0; i < x->n; i++) {
        if (strcmp(x->items[i].step, step)) continue;
        kinds++;
        if (!least || better(&x->items[i], least->gain, least->estimated)) least = &x->items[i];
    }
    if (kinds == KINDS) return better(least, gain, estimated) ? least : NULL;
    if (x->n == MAX_EXAMPLES) return NULL;
    x->items = rg_xrealloc(x->items, (size_t)(x->n + 1) * sizeof *x->items);
    x->items[x->n] = (struct rg__example){.step = rg_xstrdup(step)};
    return &x->items[x->n++];
}

static void put(struct rg__examples *x, const char *step, uint32_t traits, const char *before, const char *after,
                double gain, bool estimated)
{
    struct rg__example *e = place_for(x, step, traits, gain, estimated);
    if (!e) return;
    free(e->before);
    free(e->after);
    e->before = rg_xstrdup(before);
    e->after = rg_xstrdup(after);
    e->traits = traits;
    e->gain = gain;
    e->estimated = estimated;
}

bool rg__example_read(struct rg__examples *x, const json_t *o, bool newer)
{
    const char *step = json_string_value(json_object_get(o, "step")),
               *before = json_string_value(json_object_get(o, "before")),
               *after = json_string_value(json_object_get(o, "after"));
    double gain = json_number_value(json_object_get(o, "gain"));
    bool estimated = json_is_true(json_object_get(o, "estimated"));
    uint32_t traits =
        rg_json_traits_read(json_object_get(o, "traits")) & (RG_TRAIT_MULTI_KERNEL - 1); /* of the problem */
    if (!step || !before || !after) return false;
    if (fits(before, after, gain) && (newer || better(same_kind(x, step, traits), gain, estimated)))
        put(x, step, traits, before, after, gain, estimated);
    return true;
}

json_t *rg__example_json(const struct rg__example *e)
{
    json_t *o = json_object();
    json_object_set_new(o, "step", rg_json_text(e->step));
    json_object_set_new(o, "gain", rg_json_number(e->gain));
    if (e->estimated) json_object_set_new(o, "estimated", json_true());
    if (e->traits) json_object_set_new(o, "traits", rg_json_traits(e->traits));
    json_object_set_new(o, "before", rg_json_text(e->before));
    json_object_set_new(o, "after", rg_json_text(e->after));
    return o;
}

static enum rg_status read_line(struct rg__examples *x, const char *line, size_t n, const char *path, int number,
                                bool *format, struct rg_error *err)
{
    json_error_t je;
    json_t *o = json_loadb(line, n, JSON_REJECT_DUPLICATES, &je);
    const char *f = json_string_value(json_object_get(o, "format"));
    enum rg_status s = RG_OK;
    if (!json_is_object(o))
        s = rg_error_at(err, RG_INPUT, path, number, 1, "not a line of an example file: %s", o ? "no object" : je.text);
    else if (f && strcmp(f, FORMAT))
        s = rg_error_at(err, RG_INPUT, path, number, 1, "unknown format '%.60s' (this is " FORMAT ")", f);
    else if (f)
        *format = true;
    else if (!*format)
        s = rg_error_at(err, RG_INPUT, path, number, 1, "the first line must be {\"format\": \"" FORMAT "\"}");
    else if (!rg__example_read(x, o, false))
        s = rg_error_at(err, RG_INPUT, path, number, 1, "an example has a step, before and after");
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

static void offer(struct rg__examples *all, const struct rg_pair *p, uint32_t traits, bool estimated)
{
    struct rg_error none = RG_ERROR_INIT;
    struct rg_source before = {NULL, NULL}, after = {NULL, NULL};
    if (!better(same_kind(all, p->step, traits), p->gain, estimated))
        return; /* before anything is printed: most runs end here */
    if (rg_template_instantiate(p->before, &p->before_v, &before, &none) == RG_OK &&
        rg_template_instantiate(p->after, &p->after_v, &after, &none) == RG_OK) {
        char *b = rg__c_plain(before.cuda),
             *a = rg__c_plain(after.cuda); /* comments may say what only their owner should read */
        if (fits(b, a, p->gain) && strcmp(b, a)) put(all, p->step, traits, b, a, p->gain, estimated);
        free(b);
        free(a);
    }
    rg_source_release(&before);
    rg_source_release(&after);
}

enum rg_status rg_llm_keep_examples(const char *path, const struct rg_pair *pairs, int n, uint32_t traits,
                                    bool estimated, struct rg_error *err)
{
    struct rg__examples all = {0};
    int fd;
    if (!n) return RG_OK;
    enum rg_status s = rg_file_lock(path, 10, &fd, err); /* other runs write it too */
    if (s != RG_OK) return s;
    s = rg__examples_load(&all, path, err);
    for (int i = 0; s == RG_OK && i < n; i++) offer(&all, &pairs[i], traits & (RG_TRAIT_MULTI_KERNEL - 1), estimated);
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
