/* A validator of JSON Schema (2020-12) for the keywords that docs/graph.schema.json uses; one that it does not know is an error, so
 * that nothing of a schema is passed over. Every violation is told, with its place, not only the first. */
#include "base/json_util.h"
#include "regraph/internal.h"

#include <math.h>
#include <rg/regex.h>
#include <rg/regraph_tools.h>
#include <stdlib.h>
#include <string.h>

/* docs/graph.schema.json itself. */
__asm__(".pushsection .rodata\nrg_graph_schema_text: .incbin \"docs/graph.schema.json\"\nrg_graph_schema_end: .byte 0\n.popsection");
extern const char rg_graph_schema_text[], rg_graph_schema_end[];

enum { MOST_TOLD = 50, MOST_PATTERNS = 32 };

struct validator {
    const json_t *root; /* of the schema */
    const char *text;   /* of the document, for places */
    size_t len;
    struct rg_buf path, *out;
    int told;
    struct {
        const char *pattern;
        struct rg_regex *regex;
    } patterns[MOST_PATTERNS];
    int n_patterns;
    struct rg_error *err; /* of the schema */
};

static bool validate(struct validator *v, const json_t *schema, const json_t *o, bool tell);

static bool violated(struct validator *v, bool tell, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
static bool violated(struct validator *v, bool tell, const char *fmt, ...)
{
    if (!tell || ++v->told > MOST_TOLD) return false;
    int line = 1, column = 1;
    rg_json_position(v->text, v->len, v->path.data, &line, &column);
    rg_buf_printf(v->out, "%d:%d: ", line, column);
    if (v->path.len) rg_buf_printf(v->out, "%s: ", v->path.data);
    va_list ap;
    va_start(ap, fmt);
    rg_buf_vprintf(v->out, fmt, ap);
    va_end(ap);
    rg_buf_char(v->out, '\n');
    return false;
}

static bool below(struct validator *v, const json_t *schema, const json_t *o, const char *key, bool tell)
{
    size_t len = v->path.len;
    rg_buf_printf(&v->path, "%s%s", len ? "/" : "", key);
    bool fine = validate(v, schema, o, tell);
    v->path.len = len;
    v->path.data[len] = '\0';
    return fine;
}

static bool matches(struct validator *v, const char *pattern, const char *text)
{
    int i = 0;
    while (i < v->n_patterns && strcmp(v->patterns[i].pattern, pattern)) i++;
    if (i == v->n_patterns) {
        if (i == MOST_PATTERNS) {
            rg_error_set(v->err, RG_BUG, "schema: more than %d patterns", MOST_PATTERNS);
            return true;
        }
        if (rg_regex_new(pattern, 0, &v->patterns[i].regex, v->err) != RG_OK) return true;
        v->patterns[v->n_patterns++].pattern = pattern;
    }
    struct rg_match m;
    return rg_regex_find(v->patterns[i].regex, text, strlen(text), 0, &m, 1);
}

static bool is_type(const json_t *o, const char *type)
{
    return !strcmp(type, "object")    ? json_is_object(o)
           : !strcmp(type, "array")   ? json_is_array(o)
           : !strcmp(type, "string")  ? json_is_string(o)
           : !strcmp(type, "boolean") ? json_is_boolean(o)
           : !strcmp(type, "integer") ? json_is_integer(o) || (json_is_real(o) && json_real_value(o) == floor(json_real_value(o)))
                                      : json_is_number(o); /* "number" */
}

static bool check_properties(struct validator *v, const json_t *schema, const json_t *o, bool tell)
{
    const json_t *known = json_object_get(schema, "properties"), *others = json_object_get(schema, "additionalProperties"),
                 *names = json_object_get(schema, "propertyNames");
    bool fine = true;
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)o, key, value)
    {
        const json_t *s = json_object_get(known, key);
        if (names) {
            json_t *name = json_string(key);
            if (!validate(v, names, name, false)) fine = violated(v, tell, "\"%.60s\" is no name that can stand here", key);
            json_decref(name);
        }
        if (s) fine = below(v, s, value, key, tell) && fine;
        else if (json_is_false(others)) fine = violated(v, tell, "unknown member \"%.60s\"", key);
        else if (json_is_object(others)) fine = below(v, others, value, key, tell) && fine;
    }
    return fine;
}

static bool check_items(struct validator *v, const json_t *schema, const json_t *o, bool tell)
{
    bool fine = true;
    for (size_t i = 0; i < json_array_size(o); i++) {
        char key[24];
        snprintf(key, sizeof key, "%zu", i);
        fine = below(v, schema, json_array_get(o, i), key, tell) && fine;
    }
    return fine;
}

static bool unique(const json_t *o)
{
    for (size_t i = 0; i < json_array_size(o); i++)
        for (size_t k = 0; k < i; k++)
            if (json_equal(json_array_get(o, i), json_array_get(o, k))) return false;
    return true;
}

static bool any_of(struct validator *v, const json_t *list, const json_t *o)
{
    bool any = false;
    for (size_t i = 0; i < json_array_size(list) && !any; i++) any = validate(v, json_array_get(list, i), o, false);
    return any;
}

static bool one_of_enum(const json_t *list, const json_t *o)
{
    bool any = false;
    for (size_t i = 0; i < json_array_size(list) && !any; i++) any = json_equal(json_array_get(list, i), o);
    return any;
}

static const json_t *resolve(const struct validator *v, const char *ref)
{
    return strncmp(ref, "#/$defs/", 8) ? NULL : json_object_get(json_object_get(v->root, "$defs"), ref + 8);
}

static size_t characters(const char *s)
{
    size_t n = 0;
    for (; *s; s++) n += (*s & 0xC0) != 0x80;
    return n;
}

/* One keyword; keywords that are about another type hold. */
static bool check_keyword(struct validator *v, const json_t *schema, const char *key, const json_t *k, const json_t *o, bool tell)
{
    double limit = json_number_value(k);
    size_t count = (size_t)json_integer_value(k);
    const char *text = json_string_value(k), *s = json_string_value(o);
    bool number = json_is_number(o);
    if (!strcmp(key, "type")) return is_type(o, text) || violated(v, tell, "must be of type %s", text);
    if (!strcmp(key, "const")) return json_equal(o, k) || violated(v, tell, "must be \"%s\"", text ? text : "?");
    if (!strcmp(key, "enum")) return one_of_enum(k, o) || violated(v, tell, "'%.60s' is none of the words that can stand here", s ? s : "?");
    if (!strcmp(key, "pattern")) return !s || matches(v, text, s) || violated(v, tell, "'%.60s' has not the form %s", s, text);
    if (!strcmp(key, "minimum")) return !number || json_number_value(o) >= limit || violated(v, tell, "must be at least %g", limit);
    if (!strcmp(key, "maximum")) return !number || json_number_value(o) <= limit || violated(v, tell, "must be at most %g", limit);
    if (!strcmp(key, "minLength")) return !s || characters(s) >= count || violated(v, tell, "must have %zu characters or more", count);
    if (!strcmp(key, "minItems"))
        return !json_is_array(o) || json_array_size(o) >= count || violated(v, tell, "must have %zu entries or more", count);
    if (!strcmp(key, "maxItems"))
        return !json_is_array(o) || json_array_size(o) <= count || violated(v, tell, "must have %zu entries at most", count);
    if (!strcmp(key, "maxProperties"))
        return !json_is_object(o) || json_object_size(o) <= count || violated(v, tell, "must have %zu members at most", count);
    if (!strcmp(key, "uniqueItems")) return !json_is_array(o) || unique(o) || violated(v, tell, "has an entry twice");
    if (!strcmp(key, "anyOf")) return any_of(v, k, o) || violated(v, tell, "has none of the forms that can stand here");
    if (!strcmp(key, "items")) return check_items(v, k, o, tell);
    if (!strcmp(key, "$ref")) {
        const json_t *def = resolve(v, text);
        if (!def) rg_error_set(v->err, RG_BUG, "schema: no %s", text);
        return !def || validate(v, def, o, tell);
    }
    if (!strcmp(key, "required")) {
        bool fine = true;
        for (size_t i = 0; json_is_object(o) && i < json_array_size(k); i++) {
            const char *name = json_string_value(json_array_get(k, i));
            if (!json_object_get(o, name)) fine = violated(v, tell, "member \"%s\" is missing", name);
        }
        return fine;
    }
    if (!strcmp(key, "properties") || ((!strcmp(key, "additionalProperties") || !strcmp(key, "propertyNames")) && !json_object_get(schema, "properties"))) {
        bool told = !strcmp(key, "propertyNames") && json_object_get(schema, "additionalProperties"); /* with that one */
        return told || check_properties(v, schema, o, tell);
    }
    static const char *const passed[] = {"$schema", "$id", "$defs", "title", "description", "additionalProperties", "propertyNames"};
    for (size_t i = 0; i < sizeof passed / sizeof *passed; i++)
        if (!strcmp(key, passed[i])) return true;
    rg_error_set(v->err, RG_BUG, "schema: unknown keyword \"%s\"", key);
    return true;
}

static bool validate(struct validator *v, const json_t *schema, const json_t *o, bool tell)
{
    bool fine = true;
    const char *key;
    json_t *value;
    const json_t *type = json_object_get(schema, "type");
    if (type && !check_keyword(v, schema, "type", type, o, tell)) return false; /* the rest would only repeat it */
    json_object_foreach((json_t *)schema, key, value)
    {
        if (strcmp(key, "type")) fine = check_keyword(v, schema, key, value, o, tell) && fine;
    }
    return fine;
}

enum rg_status rg_json_schema_check(const char *schema, size_t schema_len, const char *text, size_t len, const char *name,
                                    struct rg_buf *out, int *n, struct rg_error *err)
{
    *n = 0;
    json_t *s = rg_json_parse(schema, schema_len, "schema", err), *doc = s ? rg_json_parse(text, len, name, err) : NULL;
    struct validator v = {.root = s, .path = RG_BUF_INIT, .text = text, .len = len, .out = out, .err = err};
    if (doc) validate(&v, s, doc, true);
    *n = v.told;
    if (v.told > MOST_TOLD) rg_buf_printf(out, "1:1: and %d more\n", v.told - MOST_TOLD);
    for (int i = 0; i < v.n_patterns; i++) rg_regex_free(v.patterns[i].regex);
    rg_buf_release(&v.path);
    json_decref(doc);
    json_decref(s);
    return doc ? err->status : RG_INPUT;
}

enum rg_status rg_regraph_schema_check(const char *text, size_t len, const char *name, struct rg_buf *out, int *n,
                                       struct rg_error *err)
{
    return rg_json_schema_check(rg_graph_schema_text, (size_t)(rg_graph_schema_end - rg_graph_schema_text), text, len, name, out, n, err);
}
