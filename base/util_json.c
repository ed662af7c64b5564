#include "json_util.h"
#include <math.h>
#include <rg/file.h>
#include <rg/words.h>
#include <stdlib.h>
#include <string.h>

json_t *rg_json_parse(const char *text, size_t len, const char *name, struct rg_error *err)
{
    json_error_t je;
    json_t *j = json_loadb(text, len, JSON_REJECT_DUPLICATES, &je);
    if (!j)
        rg_error_at(err, RG_INPUT, name, je.line > 0 ? je.line : 1, je.column > 0 ? je.column : 1, "not valid JSON: %s",
                    je.text);
    return j;
}

json_t *rg_json_file(const char *path, struct rg_error *err)
{
    char *data;
    size_t len;
    if (rg_file_read(path, 0, &data, &len, err) != RG_OK) return NULL;
    json_t *j = rg_json_parse(data, len, path, err);
    free(data);
    return j;
}

static enum rg_status wrong(const char *where, const char *key, const char *what, struct rg_error *err)
{
    return rg_error_set(err, RG_INPUT, "%s: member \"%s\" must be %s", where, key, what);
}

enum rg_status rg_json_str(const json_t *o, const char *key, const char *where, const char **out, struct rg_error *err)
{
    const json_t *v = json_object_get(o, key);
    if (!json_is_string(v)) return wrong(where, key, "a string", err);
    *out = json_string_value(v);
    return RG_OK;
}

enum rg_status rg_json_int(const json_t *o, const char *key, const char *where, int64_t *out, struct rg_error *err)
{
    const json_t *v = json_object_get(o, key);
    if (!json_is_integer(v)) return wrong(where, key, "an integer", err);
    *out = json_integer_value(v);
    return RG_OK;
}

enum rg_status rg_json_real(const json_t *o, const char *key, const char *where, double *out, struct rg_error *err)
{
    const json_t *v = json_object_get(o, key);
    if (!json_is_number(v)) return wrong(where, key, "a number", err);
    *out = json_number_value(v);
    return RG_OK;
}

static bool missing(const json_t *o, const char *key)
{
    const json_t *v = json_object_get(o, key);
    return !v || json_is_null(v);
}

enum rg_status rg_json_opt_str(const json_t *o, const char *key, const char *where, const char **out,
                               struct rg_error *err)
{
    return missing(o, key) ? RG_OK : rg_json_str(o, key, where, out, err);
}

enum rg_status rg_json_opt_int(const json_t *o, const char *key, const char *where, int64_t *out, struct rg_error *err)
{
    return missing(o, key) ? RG_OK : rg_json_int(o, key, where, out, err);
}

enum rg_status rg_json_opt_real(const json_t *o, const char *key, const char *where, double *out, struct rg_error *err)
{
    return missing(o, key) ? RG_OK : rg_json_real(o, key, where, out, err);
}

enum rg_status rg_json_opt_bool(const json_t *o, const char *key, const char *where, bool *out, struct rg_error *err)
{
    if (missing(o, key)) return RG_OK;
    const json_t *v = json_object_get(o, key);
    if (!json_is_boolean(v)) return wrong(where, key, "true or false", err);
    *out = json_is_true(v);
    return RG_OK;
}

json_t *rg_json_object(const json_t *o, const char *key, const char *where, struct rg_error *err)
{
    json_t *v = json_object_get(o, key);
    if (json_is_object(v)) return v;
    wrong(where, key, "an object", err);
    return NULL;
}

json_t *rg_json_array(const json_t *o, const char *key, const char *where, struct rg_error *err)
{
    json_t *v = json_object_get(o, key);
    if (json_is_array(v)) return v;
    wrong(where, key, "an array", err);
    return NULL;
}

/* Length of the valid UTF-8 sequence at s, 0 when there is none. */
static int utf8(const unsigned char *s)
{
    if (s[0] < 0x80) return 1;
    int n = s[0] >= 0xC2 && s[0] < 0xE0 ? 2 : s[0] >= 0xE0 && s[0] < 0xF0 ? 3 : s[0] >= 0xF0 && s[0] < 0xF5 ? 4 : 0;
    for (int i = 1; i < n; i++)
        if ((s[i] & 0xC0) != 0x80) return 0;
    if (s[0] == 0xE0 && s[1] < 0xA0) return 0;
    if (s[0] == 0xED && s[1] > 0x9F) return 0;
    if (s[0] == 0xF0 && s[1] < 0x90) return 0;
    if (s[0] == 0xF4 && s[1] > 0x8F) return 0;
    return n;
}

json_t *rg_json_text(const char *s)
{
    json_t *j = json_string(s ? s : "");
    if (j) return j;
    char *copy = rg_xstrdup(s);
    for (unsigned char *c = (unsigned char *)copy; *c;) {
        int n = utf8(c);
        if (!n) *c = '?', n = 1;
        c += n;
    }
    j = json_string(copy);
    free(copy);
    return j;
}

json_t *rg_json_number(double v)
{
    return isfinite(v) ? json_real(v) : json_null();
}

json_t *rg_json_any_number(double v)
{
    return isinf(v) ? json_string(v > 0 ? "inf" : "-inf") : rg_json_number(v);
}

double rg_json_any_number_read(const json_t *j, double missing)
{
    const char *word = json_string_value(j);
    return json_is_number(j) ? json_number_value(j)
           : json_is_null(j) ? NAN
           : word            ? *word == '-' ? -INFINITY : INFINITY
                             : missing;
}

json_t *rg_json_traits(uint32_t traits)
{
    json_t *list = json_array();
    for (int i = 0; i < RG_N_TRAITS; i++)
        if (traits >> i & 1) json_array_append_new(list, json_string(rg_trait_word(i)));
    return list;
}

uint32_t rg_json_traits_read(const json_t *v)
{
    uint32_t traits = json_is_integer(v) ? (uint32_t)json_integer_value(v) : 0;
    for (size_t i = 0; i < json_array_size(v); i++) {
        int t = rg_trait_parse(json_string_value(json_array_get(v, i)));
        if (t >= 0) traits |= 1u << t;
    }
    return traits;
}

char *rg_json_line(const json_t *j)
{
    return json_dumps(j, JSON_COMPACT | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(15) | JSON_ENCODE_ANY);
}

char *rg_json_pretty(const json_t *j)
{
    return json_dumps(j, JSON_INDENT(2) | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(15) | JSON_ENCODE_ANY);
}

/* The position pass walks text that jansson already accepted, so it need not check the grammar, only stay inside. */
struct walk {
    const char *p, *end;
};

static void blank(struct walk *w)
{
    while (w->p < w->end && strchr(" \t\r\n", *w->p)) w->p++;
}

static void skip_string(struct walk *w)
{
    for (w->p++; w->p < w->end && *w->p != '"'; w->p++)
        if (*w->p == '\\') w->p++;
    if (w->p < w->end) w->p++;
}

static void skip_value(struct walk *w)
{
    int depth = 0;
    do {
        blank(w);
        if (w->p >= w->end) return;
        if (*w->p == '"') {
            skip_string(w);
        } else if (*w->p == '{' || *w->p == '[') {
            depth++;
            w->p++;
        } else if (*w->p == '}' || *w->p == ']') {
            depth--;
            w->p++;
        } else if (*w->p == ',' || *w->p == ':') {
            w->p++;
        } else {
            while (w->p < w->end && !strchr(" \t\r\n,:{}[]\"", *w->p)) w->p++;
        }
    } while (depth > 0 && w->p < w->end);
}

bool rg_json_position(const char *text, size_t len, const char *path, int *line, int *column)
{
    struct walk w = {text, text + len};
    blank(&w);
    while (*path && w.p < w.end) {
        size_t n = strcspn(path, "/");
        bool object = *w.p == '{', found = false;
        if (!object && *w.p != '[') return false;
        long want = object ? 0 : strtol(path, NULL, 10);
        w.p++;
        for (long i = 0; w.p < w.end; i++) {
            blank(&w);
            if (w.p < w.end && *w.p == ',') {
                w.p++;
                blank(&w);
            }
            if (w.p >= w.end || *w.p == '}' || *w.p == ']') return false;
            bool match = !object && i == want;
            if (object) {
                const char *key = w.p + 1;
                skip_string(&w);
                match = (size_t)(w.p - 1 - key) == n && memcmp(key, path, n) == 0;
                blank(&w);
                if (w.p < w.end) w.p++; /* ':' */
                blank(&w);
            }
            if (match) {
                found = true;
                break;
            }
            skip_value(&w);
        }
        if (!found) return false;
        path += n;
        if (*path == '/') path++;
    }
    if (w.p >= w.end) return false;
    *line = 1;
    *column = 1;
    for (const char *c = text; c < w.p; c++) {
        ++*column;
        if (*c == '\n') {
            ++*line;
            *column = 1;
        }
    }
    return true;
}
