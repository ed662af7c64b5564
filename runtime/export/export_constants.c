/* The user's macros in the exported code. The C says `#define N 1024`, the kernels were verified with the number; here
 * it gets its name again where it stands for what the C calls so: an extent of an array, or the bound of an index. A
 * number that means the same to the compiler, and could be something else to the reader (a tile, two macros of one
 * value), stays a number. */
#include "runtime/export/export_internal.h"
#include <stdlib.h>
#include <string.h>

enum {
    SMALLEST = 16, /* of bounds: a smaller number is as likely a part of a tile */
};

/* --- tokens of a text --- */

struct text {
    int n, cap;
    struct token {
        const char *at;
        int len;
    } * toks;
};

static struct text scan(const char *s)
{
    struct text t = {0, 0, NULL};
    struct rg__scan scan = {s ? s : "", ""};
    while (rg__scan_next(&scan)) {
        RG_GROW(t.toks, t.n, t.cap);
        size_t len = strlen(scan.word);
        t.toks[t.n++] = (struct token){scan.p - len, (int)len}; /* a word that was cut is none of ours */
    }
    return t;
}

static bool is(const struct text *t, int i, const char *word)
{
    return i >= 0 && i < t->n && (int)strlen(word) == t->toks[i].len && !memcmp(t->toks[i].at, word, strlen(word));
}

static bool is_one_of(const struct text *t, int i, const char *chars)
{
    return i >= 0 && i < t->n && t->toks[i].len == 1 && strchr(chars, *t->toks[i].at);
}

/* A decimal number that is an int. */
static bool number(const struct text *t, int i, int64_t *value)
{
    if (i < 0 || i >= t->n || t->toks[i].len > 10) return false;
    const char *at = t->toks[i].at;
    if (*at < '1' || *at > '9' || is(t, i - 1, ".") || at[t->toks[i].len] == '.') return false;
    *value = 0;
    for (int k = 0; k < t->toks[i].len; k++) {
        if (at[k] < '0' || at[k] > '9') return false;
        *value = *value * 10 + (at[k] - '0');
    }
    return *value <= INT32_MAX;
}

static int opener(const struct text *t, int i)
{
    for (int depth = 0; --i >= 0;) {
        if (is_one_of(t, i, ")]")) depth++;
        if (is_one_of(t, i, "([") && depth-- == 0) return i;
        if (is_one_of(t, i, "{}") && !depth) return -1;
    }
    return -1;
}

/* --- what the C calls its numbers --- */

static int find_constant(const struct rg__names *n, const char *name, int len)
{
    for (int i = 0; i < n->problem->n_constants; i++)
        if ((int)strlen(n->problem->constants[i].name) == len &&
            !memcmp(n->problem->constants[i].name, name, (size_t)len))
            return n->keeps[i] ? i : -1;
    return -1;
}

static int named(void *arg, const char *name, int64_t *value)
{
    const struct rg__names *n = arg;
    int i = find_constant(n, name, (int)strlen(name));
    if (i < 0) return 0;
    *value = n->problem->constants[i].value;
    return 1;
}

/* "N + 2", where that names a constant; its value. NULL: no such expression, or one that an int may not hold. */
static const char *expression(struct rg__names *n, const char *from, const char *to, int64_t *value)
{
    const struct rg_expr *e;
    const struct rg_expr_env env = {.arg = n, .name = named};
    char *text = rg_arena_strndup(&n->a, from, (size_t)(to - from));
    if (rg_expr_parse_all(&n->a, text, &e, NULL) != RG_OK || rg_expr_eval(e, NULL, value, NULL) == RG_OK) return NULL;
    if (rg_expr_eval(e, &env, value, NULL) != RG_OK || *value > INT32_MAX) return NULL;
    return strchr(text, '*') && strpbrk(text, "/%-") ? NULL : text;
}

static void add_term(struct rg__names *n, const char *text, int64_t value)
{
    for (int i = 0; i < n->n_terms; i++) {
        struct rg__term *t = &n->terms[i];
        if (t->value != value) continue;
        if (t->text && (!text || strcmp(t->text, text))) t->text = NULL; /* two names for one number: neither */
        return;
    }
    RG_GROW(n->terms, n->n_terms, n->cap_terms);
    n->terms[n->n_terms++] = (struct rg__term){text, value};
}

static const char *term(const struct rg__names *n, int64_t value)
{
    for (int i = 0; i < n->n_terms; i++)
        if (n->terms[i].value == value) return n->terms[i].text;
    return NULL;
}

/* N, N - 1, N + 2: as the C has them. */
static void terms_of(struct rg__names *n, const char *source)
{
    struct text t = scan(source);
    for (int i = 0; i < t.n; i++) {
        int c = find_constant(n, t.toks[i].at, t.toks[i].len);
        if (c < 0) continue;
        int64_t offset, value = n->problem->constants[c].value;
        const char *name = n->problem->constants[c].name;
        add_term(n, name, value);
        if (!is_one_of(&t, i + 1, "+-") || !number(&t, i + 2, &offset) || is_one_of(&t, i + 3, "*/%")) continue;
        bool minus = is(&t, i + 1, "-");
        add_term(n, rg_arena_printf(&n->a, "%s %c %lld", name, minus ? '-' : '+', (long long)offset),
                 minus ? value - offset : value + offset);
    }
    free(t.toks);
}

/* Numbers that are the kernels' own: values of tunables, threads of a block. */
static void own_numbers(struct rg__names *n)
{
    struct text t = scan(n->cuda);
    for (int i = 0; i < t.n; i++) {
        int64_t value;
        if (!is(&t, i, "constexpr")) continue;
        for (; i < t.n && !is(&t, i, ";"); i++)
            if (is(&t, i, "=") && number(&t, i + 1, &value)) add_term(n, NULL, value);
    }
    free(t.toks);
    for (int i = 0; i < n->plan->n; i++) {
        const struct rg_plan_stmt *s = n->plan->stmts[i];
        if (s->kind != RG_PLAN_LAUNCH) continue;
        int64_t threads = 1, value;
        for (int k = 0; k < 3 && s->block[k]; k++) {
            if (rg_expr_eval(s->block[k], NULL, &value, NULL) != RG_OK) continue;
            add_term(n, NULL, value);
            if (__builtin_mul_overflow(threads, value, &threads)) break;
        }
        add_term(n, NULL, threads);
    }
}

/* The extents of an array as its declaration in `source` has them: "A[N][N + 2]". False: it is not declared there. */
static bool declared(struct rg__names *n, int param, const char *source)
{
    const struct rg_param *q = &n->problem->params[param];
    const char **dims = n->dims[param];
    struct text t = scan(source);
    bool found = false;
    for (int i = 0; i + 1 < t.n && !found; i++) {
        if (!is(&t, i, rg_param_shown(q)) || !is(&t, i + 1, "[")) continue;
        int at = i + 1;
        bool any = false;
        found = true;
        for (int k = 0; k < q->n_dims && found; k++) {
            int open = at;
            while (at < t.n && !(is(&t, at, "]") && opener(&t, at) == open)) at++;
            int64_t want, value;
            found = at < t.n && is(&t, open, "[") && rg_expr_eval(q->dims[k], NULL, &want, NULL) == RG_OK;
            if (!found) break;
            dims[k] = expression(n, t.toks[open].at + 1, t.toks[at].at, &value);
            if (dims[k]) found = value == want;
            any |= dims[k] != NULL;
            at++;
        }
        found = found && any;
        if (!found) memset(dims, 0, (size_t)q->n_dims * sizeof *dims);
    }
    free(t.toks);
    return found;
}

static void extents(struct rg__names *n)
{
    const struct rg_problem *p = n->problem;
    n->dims = rg_arena_alloc(&n->a, (size_t)(p->n_params + 1) * sizeof *n->dims);
    for (int i = 0; i < p->n_params; i++) {
        const struct rg_param *q = &p->params[i];
        n->dims[i] = rg_arena_alloc(&n->a, (size_t)(q->n_dims + 1) * sizeof **n->dims);
        memset(n->dims[i], 0, (size_t)(q->n_dims + 1) * sizeof **n->dims);
        if (q->kind != RG_PARAM_ARRAY || !p->n_constants) continue;
        if (declared(n, i, p->function_source) || declared(n, i, p->context_source)) continue;
        int64_t value;
        for (int k = 0; k < q->n_dims; k++) /* a pointer that the loops' bounds gave its extents */
            if (rg_expr_eval(q->dims[k], NULL, &value, NULL) == RG_OK && value >= SMALLEST)
                n->dims[i][k] = term(n, value);
    }
}

void rg__write_dim(struct rg_buf *out, const struct rg__names *n, int param, int dim)
{
    const struct rg_param *q = &n->problem->params[param];
    const char *text = n->dims[param][dim];
    if (!text)
        rg_expr_print(out, q->dims[dim], NULL, NULL);
    else
        rg_buf_printf(out, text[strcspn(text, "+-*/% ")] ? "(%s)" : "%s", text);
}

/* --- where they stand in the kernels --- */

/* Of a problem's array, or of a buffer of the plan with as many elements. */
static int array_at(const struct rg__names *n, const struct text *t, int i)
{
    const struct rg_problem *p = n->problem;
    for (int k = 0; k < p->n_params; k++)
        if (p->params[k].kind == RG_PARAM_ARRAY && is(t, i, p->params[k].name)) return k;
    for (int k = 0; k < n->plan->n; k++) {
        const struct rg_plan_stmt *s = n->plan->stmts[k];
        int64_t have, want;
        if (s->kind != RG_PLAN_SCRATCH || !is(t, i, s->a) || rg_expr_eval(s->value, NULL, &have, NULL) != RG_OK)
            continue;
        for (int a = 0; a < p->n_params; a++)
            if (p->params[a].n_dims > 1 && rg_problem_elements(p, a, &p->sizes[0], &want, NULL) == RG_OK &&
                want == have && n->dims[a][0])
                return a;
    }
    return -1;
}

/* `A[i * 1024 + j]`: elements of a row, or of a plane, as a factor inside the subscript. */
static bool stride(struct rg__names *n, const struct text *t, int i, int64_t value, struct rg_buf *out)
{
    if (!is(t, i - 1, "*") && !is(t, i + 1, "*")) return false;
    int open = opener(t, i);
    while (open >= 0 && !is(t, open, "[")) open = opener(t, open);
    int array = open > 0 ? array_at(n, t, open - 1) : -1;
    if (array < 0) return false;
    const struct rg_param *q = &n->problem->params[array];
    int64_t size, product = 1;
    bool any = false;
    for (int k = q->n_dims - 1; k >= 1; k--) {
        if (rg_expr_eval(q->dims[k], NULL, &size, NULL) != RG_OK || __builtin_mul_overflow(product, size, &product))
            return false;
        any |= n->dims[array][k] != NULL;
        if (product != value) continue;
        if (!any) return false;
        rg_buf_str(out, k < q->n_dims - 1 ? "(" : "");
        for (int m = k; m < q->n_dims; m++) {
            rg_buf_str(out, m > k ? " * " : "");
            rg__write_dim(out, n, array, m);
        }
        rg_buf_str(out, k < q->n_dims - 1 ? ")" : "");
        return true;
    }
    return false;
}

/* Is the header of an unrolled loop around it? Its trips are most often a tile's. */
static bool unrolled(const struct text *t, int open)
{
    if (!is(t, open - 1, "for")) return false;
    const char *line = t->toks[open - 1].at, *before = open > 1 ? t->toks[open - 2].at : NULL;
    for (; before && before < line; before++)
        if (!strncmp(before, "#pragma unroll", 14)) return true;
    return false;
}

/* `i < 1024`, `min(i + 8, 1024)`, `i < n ? i : 1024 - 1` */
static bool is_bound(const struct text *t, int i)
{
    int open = opener(t, i);
    int64_t offset;
    if (is(t, i - 1, ":") && is(t, i + 1, "-") && number(t, i + 2, &offset) && offset == 1) return true;
    if (is(t, i - 1, ",") && is(t, i + 1, ")")) return open > 0 && (is(t, open - 1, "min") || is(t, open - 1, "max"));
    int less = is(t, i - 1, "=") ? i - 2 : i - 1;
    if (!is_one_of(t, less, "<>") || is_one_of(t, less - 1, "<>-") || !is_one_of(t, i + 1, ";)&|?")) return false;
    return !unrolled(t, open);
}

static void name_numbers(struct rg__names *n, struct rg_buf *out)
{
    struct text t = scan(n->cuda);
    const char *from = n->cuda;
    for (int i = 0; i < t.n; i++) {
        int64_t value;
        struct rg_buf name = RG_BUF_INIT;
        if (!number(&t, i, &value)) continue;
        const char *text = value >= SMALLEST && is_bound(&t, i) ? term(n, value) : NULL;
        if (text) rg_buf_str(&name, text);
        if (text || stride(n, &t, i, value, &name)) {
            rg_buf_add(out, from, (size_t)(t.toks[i].at - from));
            rg_buf_add(out, name.data, name.len);
            from = t.toks[i].at + t.toks[i].len;
        }
        rg_buf_release(&name);
    }
    rg_buf_str(out, from);
    free(t.toks);
}

/* --- the whole --- */

/* Behind the last #include: a header's own N is none of the user's. */
static size_t after_includes(const char *cuda)
{
    size_t at = 0;
    for (const char *line = cuda; *line;) {
        const char *end = line + strcspn(line, "\n"), *p = line + strspn(line, " \t");
        if (*p == '#' && !strncmp(p + 1 + strspn(p + 1, " \t"), "include", 7)) at = (size_t)(end - cuda) + (*end != 0);
        line = *end ? end + 1 : end;
    }
    return at;
}

static bool names_it(const char *text, const char *name)
{
    struct text t = scan(text);
    bool found = false;
    for (int i = 0; i < t.n; i++) found |= is(&t, i, name);
    free(t.toks);
    return found;
}

/* Is the constant in what is written: the kernels with names, or the extents? */
static bool in_use(const struct rg__names *n, const char *cuda, const char *name)
{
    bool used = names_it(cuda, name);
    for (int i = 0; i < n->problem->n_params; i++)
        for (int k = 0; k < n->problem->params[i].n_dims; k++) used |= n->dims[i][k] && names_it(n->dims[i][k], name);
    return used;
}

void rg__constants_init(struct rg__names *n)
{
    const struct rg_problem *p = n->problem;
    n->named = n->cuda;
    terms_of(n, p->function_source);
    terms_of(n, p->context_source);
    own_numbers(n);
    extents(n);
    if (!p->n_constants) return;
    struct rg_buf body = RG_BUF_INIT, all = RG_BUF_INIT;
    name_numbers(n, &body);
    size_t at = after_includes(body.data ? body.data : "");
    rg_buf_add(&all, body.data ? body.data : "", at);
    for (int i = 0; i < p->n_constants; i++)
        if (n->keeps[i] && in_use(n, body.data ? body.data : "", p->constants[i].name))
            rg_buf_printf(&all, "#define %s %lld // as in the C\n", p->constants[i].name,
                          (long long)p->constants[i].value);
    rg_buf_str(&all, (body.data ? body.data : "") + at);
    n->named = rg_arena_strdup(&n->a, all.data ? all.data : "");
    rg_buf_release(&body);
    rg_buf_release(&all);
}

void rg__name_extents(struct rg__names *n, const char *declaration, struct rg_buf *out)
{
    struct text t = scan(declaration);
    const char *from = declaration;
    for (int i = 0; i < t.n; i++) {
        int64_t value;
        if (!number(&t, i, &value) || !is(&t, i - 1, "[") || !is(&t, i + 1, "]")) continue;
        int dim = 0, at = i - 2;
        for (; is(&t, at, "]"); dim++) at = opener(&t, at) - 1;
        int array = array_at(n, &t, at);
        if (array < 0 || dim >= n->problem->params[array].n_dims || !n->dims[array][dim]) continue;
        rg_buf_add(out, from, (size_t)(t.toks[i].at - from));
        rg_buf_str(out, n->dims[array][dim]);
        from = t.toks[i].at + t.toks[i].len;
    }
    rg_buf_str(out, from);
    free(t.toks);
}
