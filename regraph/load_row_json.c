/* Rows of evidence of a regraph file. */
#include "regraph/loader.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static enum rg_status load_runs(struct rg__loader *l, const struct rg__place *at, const json_t *o,
                                struct rg_evidence *e)
{
    json_t *list;
    RG__TRY(rg__graph_load_array(l, at, o, "runs", false, &list));
    if (!list) return rg__graph_load_text(l, at, o, "run", true, &e->run);
    const struct rg__place here = {at, "runs", 0};
    size_t n = json_array_size(list);
    if (json_object_get(o, "run") || n == 0)
        return rg__graph_load_fail(l, &here, NULL, "a row has one \"run\", or \"runs\" that were folded into it");
    e->runs = rg_arena_alloc(&l->g->arena, n * sizeof *e->runs);
    for (size_t i = 0; i < n; i++) {
        const char *run = json_string_value(json_array_get(list, i));
        const struct rg__place item = {&here, NULL, (int)i};
        if (!run) return rg__graph_load_fail(l, &item, NULL, "\"runs\" is a list of run ids");
        e->runs[i] = rg_arena_strdup(&l->g->arena, run);
    }
    qsort(e->runs, n, sizeof *e->runs, by_text);
    e->n_runs = (int)n;
    e->run = "";
    if (n == 1) { /* one way to write one run */
        e->run = e->runs[0];
        e->runs = NULL;
        e->n_runs = 0;
    }
    return RG_OK;
}

/* {"NAME": {"VALUE": count}} */
static enum rg_status load_tuned(struct rg__loader *l, const struct rg__place *at, const json_t *o,
                                 struct rg_evidence *e)
{
    enum { most = 4096 };
    json_t *names, *values, *count;
    const char *name, *text;
    size_t n = 0;
    RG__TRY(rg__graph_load_object(l, at, o, "tuned", &names));
    const struct rg__place here = {at, "tuned", 0};
    json_object_foreach(names, name, values)
    {
        if (!json_is_object(values)) return rg__graph_load_mistyped(l, &here, name, "an object");
        n += json_object_size(values);
    }
    if (n > most) return rg__graph_load_fail(l, &here, NULL, "more than %d values", most);
    if (n == 0) return RG_OK;
    struct rg_tuned *tuned = rg_arena_alloc(&l->g->arena, n * sizeof *tuned);
    json_object_foreach(names, name, values)
    {
        const struct rg__place inner = {&here, name, 0};
        json_object_foreach(values, text, count)
        {
            char *end, back[32];
            errno = 0;
            long long v = strtoll(text, &end, 10);
            snprintf(back, sizeof back, "%lld", v);
            if (errno || strcmp(back, text)) /* one way to write a value */
                return rg__graph_load_fail(l, &inner, text, "'%s' is no integer", text);
            if (!json_is_integer(count)) return rg__graph_load_mistyped(l, &inner, text, "an integer");
            tuned[e->n_tuned++] = (struct rg_tuned){rg_arena_strdup(&l->g->arena, name), v, json_integer_value(count)};
        }
    }
    qsort(tuned, n, sizeof *tuned, rg__tuned_compare);
    e->tuned = tuned;
    return RG_OK;
}

static enum rg_status load_row(struct rg__loader *l, const struct rg__place *at, const json_t *o, struct rg__link *link)
{
    static const char *const members[] = {"device",  "class", "program", "coder",   "run",  "runs", "n",
                                          "refused", "date",  "version", "machine", "ok",   "sum",  "sumsq",
                                          "max",     "fail",  "told",    "lead",    "tuned"};
    struct rg__row row = {{0}, {0, NULL}};
    struct rg_evidence *e = &row.e;
    if (!json_is_object(o)) return rg__graph_load_fail(l, at, NULL, "a row of evidence is an object");
    RG__TRY(rg__graph_load_text(l, at, o, "device", true, &e->device));
    RG__TRY(rg__graph_load_text(l, at, o, "class", true, &e->klass));
    char near[160];
    if (rg_class_parse(e->klass) < 0)
        return rg__graph_load_fail(l, at, "class", "unknown class word '%s'%s (docs/graph.md lists them)", e->klass,
                                   rg_word_near(RG_WORDS_CLASS, e->klass, near));
    RG__TRY(rg__graph_load_text(l, at, o, "program", false, &e->program));
    if (!e->program) e->program = "";
    RG__TRY(rg__graph_load_text(l, at, o, "coder", true, &e->coder));
    RG__TRY(load_runs(l, at, o, e));
    RG__TRY(rg__graph_load_date(l, at, o, "date", &e->origin.date));
    RG__TRY(rg__graph_load_text(l, at, o, "version", false, &e->origin.version));
    RG__TRY(rg__graph_load_text(l, at, o, "machine", false, &e->origin.machine));
    RG__TRY(rg__graph_load_int(l, at, o, "n", true, &e->n));
    RG__TRY(rg__graph_load_int(l, at, o, "ok", true, &e->ok));
    e->max = INT64_MIN;
    RG__TRY(rg__graph_load_int(l, at, o, "sum", e->ok > 0, &e->sum));
    RG__TRY(rg__graph_load_int(l, at, o, "sumsq", e->ok > 0, &e->sumsq));
    RG__TRY(rg__graph_load_int(l, at, o, "max", e->ok > 0, &e->max));
    json_t *fail, *count;
    const char *word;
    RG__TRY(rg__graph_load_object(l, at, o, "fail", &fail));
    const struct rg__place here = {at, "fail", 0};
    json_object_foreach(fail, word, count)
    {
        int kind = rg_outcome_parse(word);
        if (kind < 0 || kind == RG_OUTCOME_OK)
            return rg__graph_load_fail(l, &here, word, "unknown outcome word '%s' (docs/graph.md lists them)", word);
        if (!json_is_integer(count)) return rg__graph_load_mistyped(l, &here, word, "an integer");
        e->fail[kind] = json_integer_value(count);
    }
    RG__TRY(rg__graph_load_int(l, at, o, "refused", false, &e->refused));
    RG__TRY(rg__graph_load_int(l, at, o, "told", false, &e->told));
    RG__TRY(rg__graph_load_int(l, at, o, "lead", false, &e->lead));
    RG__TRY(load_tuned(l, at, o, e));
    const char *fault = rg__row_fault(e);
    if (fault) return rg__graph_load_fail(l, at, NULL, "row of evidence: %s", fault);
    row.extra = rg__graph_load_extra(l, at, o, members, (int)(sizeof members / sizeof members[0]));
    rg__add_row(link, row);
    return RG_OK;
}

static int by_row_key(const void *a, const void *b)
{
    const struct rg__row *x = *(struct rg__row *const *)a, *y = *(struct rg__row *const *)b;
    int c = rg__row_key_compare(&x->e, &y->e);
    return c ? c : (x > y) - (x < y);
}

enum rg_status rg__graph_load_rows(struct rg__loader *l, const struct rg__place *at, const json_t *list,
                                   struct rg__link *link)
{
    if (json_array_size(list) == 0) return RG_OK;
    rg__reserve_rows(link, (int)json_array_size(list));
    for (size_t i = 0; i < json_array_size(list); i++) {
        const struct rg__place item = {at, NULL, (int)i};
        RG__TRY(load_row(l, &item, json_array_get(list, i), link));
    }
    struct rg__row **sorted = rg_xcalloc((size_t)link->n_rows + 1, sizeof *sorted);
    const struct rg__row *second = NULL;
    for (int i = 0; i < link->n_rows; i++) sorted[i] = &link->rows[i];
    qsort(sorted, (size_t)link->n_rows, sizeof *sorted, by_row_key);
    for (int i = 1; i < link->n_rows && !second; i++)
        if (rg__row_key_compare(&sorted[i - 1]->e, &sorted[i]->e) == 0) second = sorted[i];
    free(sorted);
    if (second) {
        const struct rg__place item = {at, NULL, (int)(second - link->rows)};
        return rg__graph_load_fail(
            l, &item, NULL, "a second row for device '%s', class '%s', program '%s', coder '%s' and the same run",
            second->e.device, second->e.klass, second->e.program, second->e.coder);
    }
    rg__join_rows(link); /* rows of runs that a compacted row tells of go */
    return RG_OK;
}
