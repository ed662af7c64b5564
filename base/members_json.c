#include "base/json_members.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *text_at(const void *p)
{
    const char *s;
    memcpy(&s, p, sizeof s); /* a char *, too */
    return s;
}

static const void *pointer_at(const void *p)
{
    const void *q;
    memcpy(&q, p, sizeof q);
    return q;
}

static int count_of(const struct rg_member *m, const void *s)
{
    return *(const int *)((const char *)s + m->count);
}

static json_t *text_json(const struct rg_member *m, const char *s)
{
    bool none = !s || !*s;
    return none && m->how & RG_MEMBER_OR_NULL ? json_null() : rg_json_text(s ? s : "");
}

static json_t *list_json(const struct rg_member *m, const void *s, const char *items)
{
    json_t *list = json_array();
    for (int i = 0; i < count_of(m, s); i++)
        json_array_append_new(list, m->type == RG_MEMBER_INTS ? json_integer(((const int64_t *)(const void *)items)[i])
                                                              : rg_members_json(m->of, items + (size_t)i * m->size));
    return list;
}

static json_t *member_json(const struct rg_member *m, const void *s)
{
    const void *p = (const char *)s + m->at;
    switch (m->type) {
    case RG_MEMBER_INT:
        return json_integer(*(const int64_t *)p);
    case RG_MEMBER_SMALL:
        return json_integer(*(const int *)p);
    case RG_MEMBER_REAL:
        return rg_json_number(*(const double *)p);
    case RG_MEMBER_ANY_REAL:
        return rg_json_any_number(*(const double *)p);
    case RG_MEMBER_BOOL:
        return json_boolean(*(const bool *)p);
    case RG_MEMBER_TEXT:
        return text_json(m, text_at(p));
    case RG_MEMBER_CHARS:
    case RG_MEMBER_HEX:
        return text_json(m, p);
    case RG_MEMBER_WORD:
        return json_string(m->words[*(const int *)p]);
    case RG_MEMBER_INTS:
    case RG_MEMBER_ITEMS:
        return list_json(m, s, pointer_at(p));
    case RG_MEMBER_OWN:
        return m->write(p);
    }
    return NULL;
}

static bool is_set(const struct rg_member *m, const void *s)
{
    const void *p = (const char *)s + m->at;
    switch (m->type) {
    case RG_MEMBER_INT:
        return *(const int64_t *)p != 0;
    case RG_MEMBER_SMALL:
    case RG_MEMBER_WORD:
        return *(const int *)p != 0;
    case RG_MEMBER_REAL:
    case RG_MEMBER_ANY_REAL:
        return *(const double *)p != 0;
    case RG_MEMBER_BOOL:
        return *(const bool *)p;
    case RG_MEMBER_TEXT:
        return text_at(p) && *text_at(p);
    case RG_MEMBER_CHARS:
    case RG_MEMBER_HEX:
        return *(const char *)p;
    case RG_MEMBER_INTS:
    case RG_MEMBER_ITEMS:
        return count_of(m, s) > 0;
    case RG_MEMBER_OWN:
        return true;
    }
    return true;
}

/* The object that has the member: o, or that of its name's first part, made where `make`. */
static json_t *owner(json_t *o, const struct rg_member *m, bool make, const char **key)
{
    char parent[64];
    const char *dot = strchr(m->key, '.');
    *key = dot ? dot + 1 : m->key;
    if (!dot) return o;
    snprintf(parent, sizeof parent, "%.*s", (int)(dot - m->key), m->key);
    json_t *in = json_object_get(o, parent);
    if (!in && make) json_object_set_new(o, parent, in = json_object());
    return in;
}

void rg_member_put(json_t *o, const struct rg_member *m, const void *s)
{
    const char *key;
    if (m->how & RG_MEMBER_IF_SET && !is_set(m, s)) return;
    json_t *v = member_json(m, s);
    json_t *in = v ? owner(o, m, true, &key) : NULL;
    if (in) json_object_set_new(in, key, v);
}

void rg_members_put(json_t *o, const struct rg_member *table, const void *s)
{
    for (; table->key; table++) rg_member_put(o, table, s);
}

json_t *rg_members_json(const struct rg_member *table, const void *s)
{
    json_t *o = json_object();
    rg_members_put(o, table, s);
    return o;
}

/* ---- reading ---- */

static const char *read_int(const json_t *v, const struct rg_member *m, void *p)
{
    if (!json_is_integer(v)) return "is no whole number";
    int64_t x = json_integer_value(v);
    bool small = m->type == RG_MEMBER_SMALL;
    if ((m->least || m->most) && (x < m->least || x > m->most)) return "is out of range";
    if (small && (x < INT32_MIN || x > INT32_MAX)) return "is out of range";
    if (small)
        *(int *)p = (int)x;
    else
        *(int64_t *)p = x;
    return NULL;
}

static const char *read_real(const json_t *v, const struct rg_member *m, double *p)
{
    const char *word = m->type == RG_MEMBER_ANY_REAL ? json_string_value(v) : NULL;
    bool infinite = word && (!strcmp(word, "inf") || !strcmp(word, "-inf"));
    if (!json_is_number(v) && !json_is_null(v) && !infinite) return "is no number";
    *p = infinite ? *word == '-' ? -INFINITY : INFINITY : json_is_null(v) ? NAN : json_number_value(v);
    return NULL;
}

static const char *read_text(const json_t *v, const struct rg_member *m, void *p, struct rg_arena *a)
{
    const char *s = json_string_value(v);
    if (!s) return "is no string";
    if (strlen(s) != json_string_length(v)) return "holds a zero byte";
    if (m->type == RG_MEMBER_HEX && (strlen(s) != m->size - 1 || strspn(s, "0123456789abcdef") != m->size - 1))
        return "holds something else than its digits";
    if (m->type != RG_MEMBER_TEXT) {
        snprintf(p, m->size, "%s", s);
        return NULL;
    }
    s = rg_arena_strdup(a, s);
    memcpy(p, &s, sizeof s);
    return NULL;
}

static const char *read_word(const json_t *v, const struct rg_member *m, void *p)
{
    const char *s = json_string_value(v);
    for (int i = 0; s && m->words[i]; i++)
        if (!strcmp(m->words[i], s)) {
            *(int *)p = i;
            return NULL;
        }
    return "is no word that is known";
}

static const char *read_list(const json_t *v, const struct rg_member *m, void *s, struct rg_arena *a)
{
    size_t n = json_array_size(v), each = m->type == RG_MEMBER_INTS ? sizeof(int64_t) : m->size;
    if (!json_is_array(v)) return "is no list";
    if (n > (size_t)m->most) return "is too long";
    char *items = rg_arena_alloc(a, (n + 1) * each);
    memset(items, 0, (n + 1) * each);
    for (size_t i = 0; i < n; i++) {
        const json_t *x = json_array_get(v, i);
        if (m->type == RG_MEMBER_ITEMS) {
            if (!rg_members_read(x, m->of, items + i * each, a, NULL)) return "holds an item that is wrong";
            continue;
        }
        if (!json_is_integer(x)) return "holds something else than whole numbers";
        ((int64_t *)(void *)items)[i] = json_integer_value(x);
    }
    memcpy((char *)s + m->at, &items, sizeof items);
    *(int *)((char *)s + m->count) = (int)n;
    return NULL;
}

static const char *read_value(const json_t *v, const struct rg_member *m, void *s, struct rg_arena *a)
{
    void *p = (char *)s + m->at;
    switch (m->type) {
    case RG_MEMBER_INT:
    case RG_MEMBER_SMALL:
        return read_int(v, m, p);
    case RG_MEMBER_REAL:
    case RG_MEMBER_ANY_REAL:
        return read_real(v, m, p);
    case RG_MEMBER_BOOL:
        if (!json_is_boolean(v)) return "is neither true nor false";
        *(bool *)p = json_is_true(v);
        return NULL;
    case RG_MEMBER_TEXT:
    case RG_MEMBER_CHARS:
    case RG_MEMBER_HEX:
        return read_text(v, m, p, a);
    case RG_MEMBER_WORD:
        return read_word(v, m, p);
    case RG_MEMBER_INTS:
    case RG_MEMBER_ITEMS:
        return read_list(v, m, s, a);
    case RG_MEMBER_OWN:
        return m->read(v, p, a) ? NULL : "is wrong";
    }
    return NULL;
}

bool rg_member_read(const json_t *o, const struct rg_member *m, void *s, struct rg_arena *a,
                    struct rg_member_fault *fault)
{
    const char *key;
    const json_t *in = owner((json_t *)(uintptr_t)o, m, false, &key), *v = json_object_get(in, key);
    bool real = m->type == RG_MEMBER_REAL || m->type == RG_MEMBER_ANY_REAL;
    bool none = !v || (json_is_null(v) && !real);
    const char *what = none ? m->how ? NULL : "is missing" : read_value(v, m, s, a);
    if (what && fault && !fault->key) *fault = (struct rg_member_fault){m->key, what};
    return !what;
}

bool rg_members_read(const json_t *o, const struct rg_member *table, void *s, struct rg_arena *a,
                     struct rg_member_fault *fault)
{
    bool ok = true;
    if (fault) *fault = (struct rg_member_fault){NULL, NULL};
    for (; table->key; table++) ok = rg_member_read(o, table, s, a, fault) && ok;
    return ok;
}
