/* One step of a regraph file. */
#include "regraph/loader.h"

#include <rg/regex.h>
#include <string.h>

static const char *const step_members[] = {"id",       "title",   "category", "when", "limiter",      "once",
                                           "tunables", "require", "poly",     "hint", "precondition", "check",
                                           "example",  "source",  "needs",    "never"};
#define N_STEP_MEMBERS ((int)(sizeof step_members / sizeof step_members[0]))

/* A list of words of a closed vocabulary into bits. */
static enum rg_status load_words(struct rg__loader *l, const struct rg__place *at, const json_t *o, const char *key,
                                 int (*parse)(const char *), enum rg_vocabulary words, uint32_t *out)
{
    json_t *list;
    RG__TRY(rg__graph_load_array(l, at, o, key, false, &list));
    const struct rg__place here = {at, key, 0};
    char near[160];
    for (size_t i = 0; list && i < json_array_size(list); i++) {
        const struct rg__place item = {&here, NULL, (int)i};
        const char *word = json_string_value(json_array_get(list, i));
        int bit = word ? parse(word) : -1;
        if (!word) return rg__graph_load_fail(l, &item, NULL, "\"%s\" is a list of words", key);
        if (bit < 0)
            return rg__graph_load_fail(l, &item, NULL, "unknown \"%s\" word '%s'%s (docs/graph.md lists them)", key,
                                       word, rg_word_near(words, word, near));
        *out |= 1u << bit;
    }
    return RG_OK;
}

static bool identifier(const char *s)
{
    size_t n = strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
    return *s && s[n] == '\0' && !(s[0] >= '0' && s[0] <= '9') && n <= 32;
}

/* Values ascending, so that neighbours in the list are neighbours in meaning; the first one written is the start. */
static enum rg_status load_values(struct rg__loader *l, const struct rg__place *at, const json_t *list,
                                  struct rg_tunable *t)
{
    enum { most_values = 256 };
    size_t n = json_array_size(list);
    if (!json_is_array(list) || n < 1 || n > most_values)
        return rg__graph_load_fail(l, at, NULL, "a tunable is a list of 1 to %d integers", most_values);
    t->values = rg_arena_alloc(&l->g->arena, n * sizeof *t->values);
    for (size_t i = 0; i < n; i++) {
        const struct rg__place item = {at, NULL, (int)i};
        const json_t *v = json_array_get(list, i);
        if (!json_is_integer(v)) return rg__graph_load_fail(l, &item, NULL, "tunable '%s' takes integers", t->name);
        int64_t value = json_integer_value(v);
        int k = t->n_values++;
        if (k == 0) t->start = value;
        for (; k > 0 && t->values[k - 1] >= value; k--) {
            if (t->values[k - 1] == value)
                return rg__graph_load_fail(l, &item, NULL, "tunable '%s' lists %lld twice", t->name, (long long)value);
            t->values[k] = t->values[k - 1];
        }
        t->values[k] = value;
    }
    return RG_OK;
}

static enum rg_status load_tunables(struct rg__loader *l, const struct rg__place *at, const json_t *o,
                                    struct rg_tunables *t)
{
    json_t *map;
    RG__TRY(rg__graph_load_object(l, at, o, "tunables", &map));
    if (!map || json_object_size(map) == 0) return RG_OK;
    const struct rg__place here = {at, "tunables", 0};
    if (json_object_size(map) > RG_MAX_TUNABLES)
        return rg__graph_load_fail(l, &here, NULL, "a step has at most %d tunables", RG_MAX_TUNABLES);
    t->items = rg_arena_alloc(&l->g->arena, json_object_size(map) * sizeof *t->items);
    const char *key;
    json_t *list;
    json_object_foreach(map, key, list)
    {
        const struct rg__place item = {&here, key, 0};
        if (!identifier(key)) return rg__graph_load_fail(l, &item, NULL, "'%s' is no name for a tunable", key);
        int k = t->n++;
        for (; k > 0 && strcmp(t->items[k - 1].name, key) > 0; k--) t->items[k] = t->items[k - 1];
        t->items[k] = (struct rg_tunable){.name = rg_arena_strdup(&l->g->arena, key), .link = -1};
        RG__TRY(load_values(l, &item, list, &t->items[k]));
    }
    return RG_OK;
}

static enum rg_status load_require(struct rg__loader *l, const struct rg__place *at, const json_t *o,
                                   struct rg__node *n)
{
    json_t *list;
    RG__TRY(rg__graph_load_array(l, at, o, "require", false, &list));
    size_t count = list ? json_array_size(list) : 0;
    if (count == 0) return RG_OK;
    const struct rg__place here = {at, "require", 0};
    struct rg_tunables *t = &n->step.tunables;
    n->require = rg_arena_alloc(&l->g->arena, count * sizeof *n->require);
    t->constraints = rg_arena_alloc(&l->g->arena, count * sizeof *t->constraints);
    for (size_t i = 0; i < count; i++) {
        const struct rg__place item = {&here, NULL, (int)i};
        const char *text = json_string_value(json_array_get(list, i));
        if (!text) return rg__graph_load_fail(l, &item, NULL, "\"require\" is a list of constraints in quotes");
        const struct rg_expr *e;
        struct rg_error inner = RG_ERROR_INIT;
        text = rg_arena_strdup(&l->g->arena, text);
        if (rg_expr_parse_all(&l->g->arena, text, &e, &inner) != RG_OK)
            return rg__graph_load_fail(l, &item, NULL, "constraint %s", inner.text);
        n->require[n->n_require++] = text;
        t->constraints[t->n_constraints++] = e;
    }
    struct rg_error inner = RG_ERROR_INIT;
    if (rg__tunables_check(t, &inner) != RG_OK) return rg__graph_load_fail(l, &here, NULL, "%s", inner.text);
    return RG_OK;
}

static enum rg_status load_check(struct rg__loader *l, const struct rg__place *at, const json_t *o, struct rg__node *n)
{
    static const char *const members[] = {"pattern", "change"};
    static const char *const changes[] = {NULL, "appears", "rises", "falls", "disappears", "changes"};
    json_t *check;
    RG__TRY(rg__graph_load_object(l, at, o, "check", &check));
    if (!check) return RG_OK;
    const struct rg__place here = {at, "check", 0};
    const char *change = NULL;
    RG__TRY(rg__graph_load_text(l, &here, check, "pattern", true, &n->step.check_pattern));
    RG__TRY(rg__graph_load_text(l, &here, check, "change", true, &change));
    struct rg_error inner = RG_ERROR_INIT;
    struct rg_regex *r = NULL;
    if (rg_regex_new(n->step.check_pattern, RG_REGEX_MULTILINE, &r, &inner) != RG_OK)
        return rg__graph_load_fail(l, &here, "pattern", "%s", inner.text);
    rg_regex_free(r);
    for (int i = RG_CHECK_APPEARS; i <= RG_CHECK_CHANGES; i++)
        if (strcmp(change, changes[i]) == 0) n->step.check_change = (enum rg_check_change)i;
    if (n->step.check_change == RG_CHECK_NONE)
        return rg__graph_load_fail(l, &here, "change",
                                   "unknown change '%s': appears, rises, falls, disappears or changes", change);
    n->check_extra = rg__graph_load_extra(l, &here, check, members, 2);
    return RG_OK;
}

static enum rg_status load_example(struct rg__loader *l, const struct rg__place *at, const json_t *o,
                                   struct rg__node *n)
{
    static const char *const members[] = {"before", "after"};
    json_t *example;
    RG__TRY(rg__graph_load_object(l, at, o, "example", &example));
    if (!example) return RG_OK;
    const struct rg__place here = {at, "example", 0};
    RG__TRY(rg__graph_load_text(l, &here, example, "before", true, &n->step.example_before));
    RG__TRY(rg__graph_load_text(l, &here, example, "after", true, &n->step.example_after));
    n->example_extra = rg__graph_load_extra(l, &here, example, members, 2);
    return RG_OK;
}

static enum rg_status load_once(struct rg__loader *l, const struct rg__place *at, const json_t *o, enum rg_once *out)
{
    const char *once = "no";
    RG__TRY(rg__graph_load_text(l, at, o, "once", false, &once));
    if (strcmp(once, "no") != 0 && strcmp(once, "site") != 0 && strcmp(once, "candidate") != 0)
        return rg__graph_load_fail(l, at, "once", "unknown word '%s' for \"once\": site, candidate or no", once);
    *out = once[0] == 's' ? RG_ONCE_SITE : once[0] == 'c' ? RG_ONCE_CANDIDATE : RG_ONCE_NO;
    return RG_OK;
}

static enum rg_status load_needs(struct rg__loader *l, const struct rg__place *at, const json_t *o, enum rg_needs *out)
{
    static const char *const words[] = {"nothing", "code", "launches", "no-best", "best", "form"};
    const char *needs = words[RG_NEEDS_NOTHING];
    RG__TRY(rg__graph_load_text(l, at, o, "needs", false, &needs));
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcmp(needs, words[i]) != 0) continue;
        *out = (enum rg_needs)i;
        return RG_OK;
    }
    return rg__graph_load_fail(
        l, at, "needs", "unknown word '%s' for \"needs\": code, launches, no-best, best, form or nothing", needs);
}

enum rg_status rg__graph_load_step(struct rg__loader *l, const struct rg__place *at, const json_t *o)
{
    struct rg__node n = {0};
    if (!json_is_object(o)) return rg__graph_load_fail(l, at, NULL, "a step is an object");
    n.step.hint = "";
    RG__TRY(rg__graph_load_text(l, at, o, "id", true, &n.step.id));
    if (!rg__id_ok(n.step.id))
        return rg__graph_load_fail(l, at, "id", "'%s' is no step id (a letter, then letters, digits, '.', '_', '-')",
                                   n.step.id);
    RG__TRY(rg__graph_load_text(l, at, o, "title", true, &n.step.title));
    RG__TRY(rg__graph_load_text(l, at, o, "category", true, &n.step.category));
    char near[160];
    if (rg_category_parse(n.step.category) < 0)
        return rg__graph_load_fail(l, at, "category", "unknown category word '%s'%s (docs/graph.md lists them)",
                                   n.step.category, rg_word_near(RG_WORDS_CATEGORY, n.step.category, near));
    RG__TRY(load_words(l, at, o, "when", rg_trait_parse, RG_WORDS_TRAIT, &n.step.when));
    RG__TRY(load_words(l, at, o, "limiter", rg_limiter_parse, RG_WORDS_LIMITER, &n.step.limiters));
    RG__TRY(load_once(l, at, o, &n.step.once));
    RG__TRY(load_needs(l, at, o, &n.step.needs));
    RG__TRY(load_tunables(l, at, o, &n.step.tunables));
    RG__TRY(load_require(l, at, o, &n));
    RG__TRY(rg__graph_load_text(l, at, o, "poly", false, &n.step.poly));
    if (n.step.poly && !identifier(n.step.poly))
        return rg__graph_load_fail(l, at, "poly", "'%s' is no name of an edit", n.step.poly);
    RG__TRY(rg__graph_load_text(l, at, o, "hint", false, &n.step.hint));
    RG__TRY(rg__graph_load_text(l, at, o, "precondition", false, &n.step.precondition));
    RG__TRY(load_check(l, at, o, &n));
    RG__TRY(load_example(l, at, o, &n));
    RG__TRY(rg__graph_load_text(l, at, o, "source", false, &n.step.source));
    RG__TRY(rg__graph_load_flag(l, at, o, "never", &n.step.never));
    n.extra = rg__graph_load_extra(l, at, o, step_members, N_STEP_MEMBERS);
    struct rg_regraph *g = l->g;
    RG_GROW(g->nodes, g->n_nodes, g->cap_nodes);
    g->nodes[g->n_nodes++] = n;
    return RG_OK;
}
