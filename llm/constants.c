/* Named numbers of device code: macros, constants and enumerators that a plan may use, and those whose other values a
 * reply names
 * (`// tune: T in 32,64,128`). */
#include "llm.h"
#include <ctype.h>
#include <rg/expr.h>
#include <rg/plan.h>
#include <rg/regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_NESTED = 16 };

struct constant {
    char *name;
    char *value;       /* as written, without comments */
    size_t start, end; /* of the value in the code; equal: an enumerator that follows another */
};

struct constants {
    int n, cap;
    struct constant *items;
};

static void add(struct constants *c, const char *blank, size_t name, size_t name_end, size_t start, size_t end)
{
    while (start < end && isspace((unsigned char)blank[start])) start++;
    while (end > start && isspace((unsigned char)blank[end - 1])) end--;
    RG_GROW(c->items, c->n, c->cap);
    c->items[c->n++] = (struct constant){rg_xstrndup(blank + name, name_end - name),
                                         rg_xstrndup(blank + start, end - start), start, end};
}

static void drop(struct constants *c)
{
    for (int i = 0; i < c->n; i++) {
        free(c->items[i].name);
        free(c->items[i].value);
    }
    free(c->items);
}

static size_t skip_blank(const char *s, size_t i, size_t end)
{
    while (i < end && isspace((unsigned char)s[i])) i++;
    return i;
}

static size_t word_end(const char *s, size_t i, size_t end)
{
    while (i < end && rg__c_word_char(s[i])) i++;
    return i;
}

static bool is_word(const char *s, size_t i, size_t end, const char *word)
{
    return end - i == strlen(word) && !memcmp(s + i, word, end - i);
}

/* #define NAME value, without parameters */
static void macro(struct constants *c, const char *s, size_t i, size_t end)
{
    i = skip_blank(s, i + 1, end);
    size_t e = word_end(s, i, end);
    if (!is_word(s, i, e, "define")) return;
    size_t name = skip_blank(s, e, end), name_end = word_end(s, name, end);
    if (name_end > name && name_end < end && s[name_end] != '(') add(c, s, name, name_end, name_end, end);
}

/* Index of the first of `stops` outside of brackets. */
static size_t next_of(const char *s, size_t i, size_t end, const char *stops)
{
    for (int depth = 0; i < end; i++) {
        if (!depth && strchr(stops, s[i])) return i;
        depth += (s[i] == '(' || s[i] == '[' || s[i] == '{') - (s[i] == ')' || s[i] == ']' || s[i] == '}');
    }
    return end;
}

/* const int NAME = value; */
static void variable(struct constants *c, const char *s, size_t i, size_t end)
{
    size_t is = next_of(s, i, end, "=");
    if (is == end ||
        (rg__c_find_word(s, is, i, "const") == (size_t)-1 && rg__c_find_word(s, is, i, "constexpr") == (size_t)-1))
        return;
    for (size_t k = i; k < is; k++)
        if (strchr("*&[(<", s[k])) return;
    size_t name_end = is;
    while (name_end > i && isspace((unsigned char)s[name_end - 1])) name_end--;
    size_t name = name_end;
    while (name > i && rg__c_word_char(s[name - 1])) name--;
    if (name < name_end) add(c, s, name, name_end, is + 1, next_of(s, is + 1, end, ",;"));
}

/* enum { A = 1, B }; those of an enum class are not seen without its name */
static void enumeration(struct constants *c, const char *s, size_t i, size_t end)
{
    size_t open = next_of(s, i, end, "{"), e = word_end(s, i, end);
    if (open == end || !is_word(s, i, e, "enum") || rg__c_find_word(s, open, i, "class") != (size_t)-1) return;
    size_t close = rg__c_close(s, end, open);
    char *before = NULL;
    for (size_t k = open + 1; k < close;) {
        size_t comma = next_of(s, k, close, ","), name = skip_blank(s, k, comma), name_end = word_end(s, name, comma),
               is = next_of(s, name_end, comma, "=");
        if (name_end == name) break;
        add(c, s, name, name_end, is < comma ? is + 1 : comma, comma);
        struct constant *x = &c->items[c->n - 1];
        if (is == comma) {
            free(x->value);
            x->value = before ? rg_xasprintf("%s + 1", before) : rg_xstrdup("0");
        }
        free(before);
        before = rg_xstrdup(x->name);
        k = comma + 1;
    }
    free(before);
}

static void collect(struct constants *c, const char *blank)
{
    struct rg__item *items;
    size_t n = strlen(blank);
    int count = rg__c_items(blank, n, &items);
    for (int i = 0; i < count; i++) {
        const struct rg__item *it = &items[i];
        if (it->kind != RG__ITEM_OTHER) continue;
        if (blank[it->start] == '#') {
            macro(c, blank, it->start, it->end);
        } else {
            enumeration(c, blank, it->start, it->end);
            variable(c, blank, it->start, it->end);
        }
    }
    free(items);
}

/* ---- values ---- */

static bool value_of(const struct constants *c, const char *name, int depth, int64_t *out);

struct scope {
    const struct constants *c;
    int depth;
};

static int look_up(void *arg, const char *name, int64_t *value)
{
    const struct scope *s = arg;
    return value_of(s->c, name, s->depth + 1, value);
}

/* Literals without their suffixes, casts to integers without the cast. */
static char *plain(const char *text, size_t n)
{
    struct rg_buf b = RG_BUF_INIT;
    for (size_t i = 0; i < n;) {
        if (text[i] == '(') {
            static const char *const types[] = {"int", "unsigned", "long", "size_t", "unsigned int", "long long"};
            size_t close = i + 1, t = 0;
            while (close < n && (rg__c_word_char(text[close]) || text[close] == ' ')) close++;
            while (t < sizeof types / sizeof *types && !is_word(text, i + 1, close, types[t])) t++;
            if (close < n && text[close] == ')' && t < sizeof types / sizeof *types) {
                i = close + 1;
                continue;
            }
        }
        size_t e = word_end(text, i, n);
        if (e == i) {
            rg_buf_char(&b, text[i++]);
            continue;
        }
        size_t keep = e;
        bool number = isdigit((unsigned char)text[i]) && !(e < n && text[e] == '.') && !(i && text[i - 1] == '.');
        while (number && keep > i + 1 && strchr("uUlL", text[keep - 1])) keep--;
        rg_buf_add(&b, text + i, keep - i);
        i = e;
    }
    return rg_buf_steal(&b);
}

static bool evaluate_plain(const struct constants *c, const char *text, size_t n, int depth, int64_t *out)
{
    while (n && isspace((unsigned char)*text)) text++, n--;
    while (n && isspace((unsigned char)text[n - 1])) n--;
    if (!n || depth > MAX_NESTED) return false;
    if (*text == '(' && rg__c_close(text, n, 0) == n - 1) return evaluate_plain(c, text + 1, n - 2, depth + 1, out);
    int nested = 0;
    for (size_t i = n; i-- > 1;) { /* the last shift outside of brackets: the language of expressions has none */
        nested += (text[i] == ')') - (text[i] == '(');
        if (nested || text[i] != text[i - 1] || (text[i] != '<' && text[i] != '>')) continue;
        int64_t a, by;
        if (!evaluate_plain(c, text, i - 1, depth + 1, &a) ||
            !evaluate_plain(c, text + i + 1, n - i - 1, depth + 1, &by))
            return false;
        if (a < 0 || by < 0 || by > 40 || a > INT32_MAX) return false;
        *out = text[i] == '<' ? a << by : a >> by;
        return true;
    }
    struct rg_arena arena = RG_ARENA_INIT;
    struct scope scope = {c, depth};
    const struct rg_expr_env env = {.arg = &scope, .name = look_up};
    const struct rg_expr *e;
    bool ok = rg_expr_parse_all(&arena, rg_arena_strndup(&arena, text, n), &e, NULL) == RG_OK &&
              rg_expr_eval(e, &env, out, NULL) == RG_OK;
    rg_arena_release(&arena);
    return ok;
}

static bool evaluate(const struct constants *c, const char *text, int depth, int64_t *out)
{
    char *t = plain(text, strlen(text));
    bool ok = evaluate_plain(c, t, strlen(t), depth, out);
    free(t);
    return ok;
}

/* Not where it is defined several times with different values: which holds is the compiler's to know. */
static bool value_of(const struct constants *c, const char *name, int depth, int64_t *out)
{
    int found = 0;
    for (int i = 0; i < c->n; i++) {
        int64_t v;
        if (strcmp(c->items[i].name, name)) continue;
        if (!evaluate(c, c->items[i].value, depth, &v) || (found++ && v != *out)) return false;
        *out = v;
    }
    return found > 0;
}

/* A literal as it may stand in a plan: "1e-6f". */
static bool real_literal(const struct constants *c, const char *name, const char **out)
{
    *out = NULL;
    for (int i = 0; i < c->n; i++) {
        if (strcmp(c->items[i].name, name)) continue;
        struct rg_arena a = RG_ARENA_INIT;
        const struct rg_expr *e;
        bool real = !*out && rg_expr_parse_all(&a, c->items[i].value, &e, NULL) == RG_OK && e->kind == RG_EXPR_REAL;
        rg_arena_release(&a);
        if (!real) return false;
        *out = c->items[i].value;
    }
    return *out != NULL;
}

/* ---- the plan ---- */

#define MARK "// constants of the device code"

char *rg__plan_bare(const char *plan)
{
    size_t line = strcspn(plan, "\n"), mark = strlen(MARK);
    bool ours = line > mark && !memcmp(plan + line - mark, MARK, mark);
    return rg_xstrdup(ours ? plan + line + (plan[line] == '\n') : plan);
}

/* Is the word at `at` given a value or a meaning by the plan itself? */
static bool declared(const char *blank, size_t n, const char *name)
{
    size_t len = strlen(name);
    for (size_t at = 0; (at = rg__c_find_word(blank, n, at, name)) != (size_t)-1; at += len) {
        size_t after = skip_blank(blank, at + len, n), before = at;
        if (after < n && blank[after] == '=' && (after + 1 == n || blank[after + 1] != '=')) return true;
        while (before && isspace((unsigned char)blank[before - 1])) before--;
        if (before >= 4 && is_word(blank, before - 4, before, "dim3")) return true;
        if (after < n && blank[after] == '[' && before && rg__c_word_char(blank[before - 1]))
            return true; /* scratch T name[ */
    }
    return false;
}

char *rg__plan_with_constants(const struct rg_problem *p, const char *cuda, const char *plan)
{
    struct constants c = {0};
    struct rg_buf head = RG_BUF_INIT, body = RG_BUF_INIT;
    char *own = rg__plan_bare(plan), *code = rg__c_blank(cuda, strlen(cuda)), *blank = rg__c_blank(own, strlen(own));
    size_t n = strlen(own), from = 0;
    collect(&c, code);
    struct constants seen = {0};
    for (size_t i = 0; c.n && i < n;) {
        size_t e = word_end(blank, i, n);
        if (e == i || isdigit((unsigned char)blank[i])) {
            i = e == i ? i + 1 : e;
            continue;
        }
        char *name = rg_xstrndup(blank + i, e - i);
        const char *literal;
        int64_t v;
        bool known = false;
        for (int k = 0; k < seen.n && !known; k++) known = !strcmp(seen.items[k].name, name);
        bool free_name = !known && (!p || rg_problem_param(p, name) < 0) && !declared(blank, n, name);
        if (free_name && value_of(&c, name, 0, &v)) {
            rg_buf_printf(&head, "%s%s = %lld", head.len ? ", " : "int ", name, (long long)v);
            add(&seen, blank, i, e, i, e);
        } else if (free_name && real_literal(&c, name, &literal)) {
            rg_buf_add(&body, own + from, i - from);
            rg_buf_str(&body, literal);
            from = e;
        }
        free(name);
        i = e;
    }
    rg_buf_add(&body, own + from, n - from);
    if (head.len) rg_buf_printf(&head, "; " MARK "\n");
    char *out = rg_xasprintf("%s%s", head.len ? head.data : "", body.data);
    rg_buf_release(&head);
    rg_buf_release(&body);
    drop(&c);
    drop(&seen);
    free(own);
    free(code);
    free(blank);
    return out;
}

/* ---- tunables ---- */

static int by_value(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* "32, 64,128" and the value that stands in the code, ascending. */
static bool domain(struct rg_arena *a, const char *list, size_t n, int64_t start, struct rg_tunable *out)
{
    int64_t values[RG__MAX_TUNED_VALUES + 1];
    int count = 0;
    values[count++] = start;
    for (size_t i = 0; i < n;) {
        size_t e = word_end(list, i, n);
        if (e == i) {
            i++;
            continue;
        }
        char *end;
        long long v = strtoll(list + i, &end, 10);
        bool known = false;
        if (end != list + e || v < 1 || v > INT32_MAX) return false;
        for (int k = 0; k < count; k++) known |= values[k] == v;
        if (!known && count > RG__MAX_TUNED_VALUES) return false;
        if (!known) values[count++] = v;
        i = e;
    }
    qsort(values, (size_t)count, sizeof *values, by_value);
    out->n_values = count;
    out->start = start;
    out->values = rg_arena_alloc(a, (size_t)count * sizeof *out->values);
    memcpy(out->values, values, (size_t)count * sizeof *values);
    return count > 1;
}

void rg__tuned_find(struct rg_arena *a, const char *cuda, struct rg_tunables *out)
{
    static const char pattern[] = "(?://|/\\*)[ \\t]*tune:[ \\t]*([A-Za-z_]\\w*)[ \\t]+in[ \\t]+[\\[{(]?([0-9, \\t]+)";
    struct rg_regex *r;
    struct rg_match m[3];
    struct constants c = {0};
    size_t n = strlen(cuda);
    *out = (struct rg_tunables){0};
    if (rg_regex_new(pattern, 0, &r, NULL) != RG_OK) return;
    char *blank = rg__c_blank(cuda, n);
    collect(&c, blank);
    out->items = rg_arena_alloc(a, RG_MAX_TUNABLES * sizeof *out->items);
    for (size_t at = 0; out->n < RG_MAX_TUNABLES && rg_regex_find(r, cuda, n, at, m, 3); at = m[0].end) {
        struct rg_tunable *t = &out->items[out->n];
        *t = (struct rg_tunable){.name = rg_arena_strndup(a, cuda + m[1].start, m[1].end - m[1].start), .link = -1};
        int defined = 0;
        int64_t start = 0;
        for (int i = 0; i < c.n; i++) defined += !strcmp(c.items[i].name, t->name) && c.items[i].end > c.items[i].start;
        bool comment = blank[m[0].start] == ' '; /* and no literal */
        if (comment && defined == 1 && rg_tunables_find(out, t->name) < 0 && value_of(&c, t->name, 0, &start) &&
            start > 0 && domain(a, cuda + m[2].start, m[2].end - m[2].start, start, t))
            out->n++;
    }
    rg_regex_free(r);
    drop(&c);
    free(blank);
}

char *rg__tuned_code(const char *cuda, const struct rg_tunables *t, const struct rg_vector *v)
{
    struct constants c = {0};
    struct rg_buf out = RG_BUF_INIT;
    char *blank = rg__c_blank(cuda, strlen(cuda));
    size_t from = 0;
    collect(&c, blank);
    for (int i = 0; i < c.n; i++) { /* in the order of the text */
        int k = rg_tunables_find(t, c.items[i].name);
        if (k < 0 || v->values[k] == t->items[k].start) continue;
        rg_buf_add(&out, cuda + from, c.items[i].start - from);
        rg_buf_printf(&out, "%lld", (long long)v->values[k]);
        from = c.items[i].end;
    }
    rg_buf_str(&out, cuda + from);
    drop(&c);
    free(blank);
    return rg_buf_steal(&out);
}
