/* What can be asked of a problem once it is there. */
#include <rg/buf.h>
#include <rg/problem.h>
#include <rg/similar.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct rg_problem *rg_problem_new(void)
{
    struct rg_problem *p = rg_xcalloc(1, sizeof *p);
    p->function = p->file = p->prototype = p->return_c = "";
    p->function_source = p->context_source = p->device_decls = p->reference_c = p->host_decls = p->cflags = "";
    p->oracle = RG_ORACLE_SEQUENTIAL;
    p->oracle_why = "";
    p->klass = "other";
    p->rtol = p->atol = p->flops = p->compulsory_read_bytes = p->compulsory_write_bytes = -1;
    return p;
}

void rg_problem_free(struct rg_problem *p)
{
    if (!p) return;
    rg_arena_release(&p->arena);
    free(p);
}

int rg_problem_param(const struct rg_problem *p, const char *name)
{
    for (int i = 0; i < p->n_params; i++)
        if (!strcmp(p->params[i].name, name)) return i;
    return -1;
}

/* Which element "[2]" behind an array member says; 0 of a member that is no array; -1: neither. */
static int64_t element_at(const struct rg_field *f, const char *subscript)
{
    if (!*subscript) return f->n_dims || f->count > 1 ? -1 : 0;
    char *end;
    const long k = *subscript == '[' ? strtol(subscript + 1, &end, 10) : -1;
    return k >= 0 && k < f->count && f->n_dims <= 1 && end > subscript + 1 && !strcmp(end, "]") ? k : -1;
}

bool rg_problem_member(const struct rg_problem *p, const struct rg_param *q, const struct rg_param **base,
                       int64_t *offset)
{
    const char *shown = rg_param_shown(q), *dot = strchr(shown, '.');
    if (q->origin != RG_ORIGIN_GLOBAL || q->kind != RG_PARAM_SCALAR || !dot) return false;
    for (int i = 0; i < p->n_params; i++) {
        const struct rg_param *b = &p->params[i];
        const char *name = rg_param_shown(b);
        if (b->origin != RG_ORIGIN_ARG || b->elem != RG_STRUCT || strlen(name) != (size_t)(dot - shown) ||
            strncmp(name, shown, (size_t)(dot - shown)) != 0)
            continue;
        const struct rg_struct *s = &p->structs[b->struct_index];
        for (int k = 0; k < s->n_fields; k++) {
            const struct rg_field *f = &s->fields[k];
            const size_t n = strlen(f->path);
            const int64_t at = strncmp(f->path, dot + 1, n) ? -1 : element_at(f, dot + 1 + n);
            if (at < 0 || (dot[1 + n] && f->type != q->elem)) continue;
            *base = b;
            *offset = f->offset + at * q->elem_bytes;
            return true;
        }
    }
    return false;
}

const struct rg_input *rg_param_input(const struct rg_param *q, const char *path)
{
    for (int i = 0; i < q->n_members; i++)
        if (!strcmp(q->members[i].path, path)) return &q->members[i].input;
    return &q->input;
}

bool rg_problem_fixed(const struct rg_problem *p, int param, int64_t *value)
{
    for (int i = 0; i < p->n_require; i++) {
        const struct rg_expr *e = p->require[i];
        if (e->kind != RG_EXPR_BINARY || e->op != RG_OP_EQ) continue;
        for (int side = 0; side < 2; side++)
            if (e->args[side]->kind == RG_EXPR_NAME && !strcmp(e->args[side]->name, p->params[param].name) &&
                rg_expr_eval(e->args[1 - side], NULL, value, NULL) == RG_OK)
                return true;
    }
    return false;
}

const char *rg_problem_shown(void *problem, const char *name)
{
    int i = rg_problem_param(problem, name);
    return i < 0 ? name : rg_param_shown(&((const struct rg_problem *)problem)->params[i]);
}

const char *rg_problem_line(const struct rg_problem *p, int line, char *out, size_t size)
{
    enum { MOST = 70 };
    const char *s = p->text_line > 0 && line >= p->text_line ? p->function_source : NULL;
    for (int k = p->comment_lines + line - p->text_line; s && k > 0; k--) s = (s = strchr(s, '\n')) ? s + 1 : NULL;
    size_t n = 0;
    if (s) {
        s += strspn(s, " \t");
        n = strcspn(s, "\n");
        const char *comment = memmem(s, n, "//", 2);
        if (!comment) comment = memmem(s, n, "/*", 2);
        if (comment) n = (size_t)(comment - s);
        while (n && strchr(" \t\r{", s[n - 1])) n--;
    }
    if (n && !memchr(s, '`', n))
        snprintf(out, size, "`%.*s%s`", (int)(n > MOST ? MOST : n), s, n > MOST ? "..." : "");
    else
        snprintf(out, size, "line %d", line);
    return out;
}

enum rg_status rg_problem_derive(const struct rg_problem *p, int64_t *values, struct rg_error *err)
{
    struct rg_sizes s = {.values = values};
    struct rg_problem_env e;
    rg_problem_env_init(&e, p, &s);
    for (int derived = 0; derived < 2; derived++)    /* which may use those that follow */
        for (int k = 0; k < p->n_size_params; k++) { /* a later one may use an earlier one */
            const struct rg_param *q = &p->params[p->size_params[k]];
            const struct rg_expr *value = derived ? q->derived : q->follows;
            enum rg_status st = value ? rg_expr_eval(value, &e.env, &values[k], err) : RG_OK;
            if (st != RG_OK) {
                rg_error_prefix(err, "'%s'", rg_param_shown(q));
                return st;
            }
        }
    return RG_OK;
}

static int env_name(void *arg, const char *name, int64_t *value)
{
    const struct rg_problem_env *e = arg;
    for (int i = 0; i < e->problem->n_size_params; i++)
        if (!strcmp(e->problem->params[e->problem->size_params[i]].name, name)) {
            *value = e->sizes->values[i];
            return 1;
        }
    return 0;
}

bool rg_param_stated(const struct rg_param *q, const struct rg_expr_env *env, double *value)
{
    const struct rg_input *in = &q->input;
    bool constant = in->kind == RG_INPUT_CONSTANT || (in->kind == RG_INPUT_INIT && in->n_args == 1);
    if (!constant || q->kind != RG_PARAM_SCALAR || (q->elem != RG_F32 && q->elem != RG_F64)) return false;
    int64_t v = 0;
    if (in->int_args[0] && rg_expr_eval(in->int_args[0], env, &v, NULL) != RG_OK) return false;
    *value = in->int_args[0] ? (double)v : in->real_args[0];
    if (q->elem == RG_F32) *value = (double)(float)*value;
    return true;
}

struct named {
    const struct rg_problem *p;
    int param;
    bool found;
};

static void note_named(void *arg, const char *name)
{
    struct named *n = arg;
    n->found |= rg_problem_param(n->p, name) == n->param;
}

bool rg_problem_makes_sizes(const struct rg_problem *p, int param)
{
    struct named n = {p, param, false};
    for (int i = 0; i < p->n_params && rg_scalar_is_real(p->params[param].elem); i++)
        if (p->params[i].derived) rg_expr_names(p->params[i].derived, note_named, &n);
    return n.found;
}

static int env_real(void *arg, const char *name, double *value)
{
    const struct rg_problem_env *e = arg;
    int i = rg_problem_param(e->problem, name);
    return i >= 0 && rg_param_stated(&e->problem->params[i], &e->env, value);
}

void rg_problem_env_init(struct rg_problem_env *e, const struct rg_problem *p, const struct rg_sizes *s)
{
    *e = (struct rg_problem_env){.env = {.arg = e, .name = env_name, .real = env_real}, .problem = p, .sizes = s};
}

enum rg_status rg_problem_elements(const struct rg_problem *p, int param, const struct rg_sizes *s, int64_t *out,
                                   struct rg_error *err)
{
    const struct rg_param *q = &p->params[param];
    struct rg_problem_env e;
    rg_problem_env_init(&e, p, s);
    int64_t n = 1;
    for (int i = 0; i < q->n_dims; i++) {
        int64_t d;
        enum rg_status st = rg_expr_eval(q->dims[i], &e.env, &d, err);
        if (st != RG_OK) {
            rg_error_prefix(err, "extent of '%s'", rg_param_shown(q));
            return st;
        }
        if (d <= 0)
            return rg_error_set(err, RG_INPUT, "extent %d of '%s' is %lld: sizes must make it positive", i,
                                rg_param_shown(q), (long long)d);
        if (__builtin_mul_overflow(n, d, &n) || n > INT64_MAX / (q->elem_bytes > 0 ? q->elem_bytes : 1))
            return rg_error_set(err, RG_INPUT, "'%s' is too large: its extents overflow", rg_param_shown(q));
    }
    *out = n;
    return RG_OK;
}

enum { WORDS_MOST = 8 };
struct bit_word {
    const char *word;
    unsigned bit;
};

static enum rg_status words_parse(const char *text, const struct bit_word *words, size_t n_words, const char *what,
                                  unsigned *bits, struct rg_error *err)
{
    for (const char *at = text;; at++) {
        size_t n = strcspn(at, ","), known = 0;
        for (size_t i = 0; i < n_words; i++)
            if (n == strlen(words[i].word) && !strncmp(at, words[i].word, n)) *bits |= words[i].bit, known = 1;
        if (!known) {
            const char *all[WORDS_MOST];
            char near[160], given[61];
            snprintf(given, sizeof given, "%.*s", (int)(n < 60 ? n : 60), at);
            for (size_t i = 0; i < n_words; i++) all[i] = words[i].word;
            return rg_error_set(err, RG_INPUT, "'%s' is nothing to %s%s", given, what,
                                rg_did_you_mean(given, all, (int)n_words, near));
        }
        at += n;
        if (!*at) return RG_OK;
    }
}

enum rg_status rg_allow_parse(const char *text, unsigned *allow, struct rg_error *err)
{
    static const struct bit_word words[] = {{"tf32", RG_ALLOW_TF32}, {"fast-math", RG_ALLOW_FAST_MATH}};
    return words_parse(text, words, 2, "allow: it is tf32, fast-math or both, with a comma", allow, err);
}

enum rg_status rg_assume_parse(const char *text, unsigned *assume, struct rg_error *err)
{
    static const struct bit_word words[] = {{"order-free", RG_ASSUME_ORDER_FREE}};
    return words_parse(text, words, 1, "assume: it is order-free", assume, err);
}

bool rg_problem_capped(const struct rg_problem *p)
{
    return p->oracle == RG_ORACLE_F64 && p->oracle_c && p->rtol < 0 && p->atol < 0 && !(p->allow & RG_ALLOW_FAST_MATH);
}

double rg_problem_rtol(const struct rg_problem *p, enum rg_scalar t)
{
    if (!rg_scalar_is_real(t)) return 0;
    if (p->rtol >= 0) return p->rtol;
    return t == RG_F64 ? 1e-10 : t == RG_F16 ? 1e-2 : 1e-4;
}

double rg_problem_atol(const struct rg_problem *p, enum rg_scalar t)
{
    if (!rg_scalar_is_real(t)) return 0;
    if (p->atol >= 0) return p->atol;
    return t == RG_F64 ? 1e-12 : t == RG_F16 ? 1e-3 : 1e-5;
}
