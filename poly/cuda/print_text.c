/* What a kernel's text is made of: lines, types, names, a thread's place in its team, sums of texts; and the list of
 * what a phase is given. */
#include "poly/cuda/print.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

const char *rg__poly_printf(struct poly_print *pr, const char *fmt, ...)
{
    va_list ap;
    struct rg_buf b = RG_BUF_INIT;
    va_start(ap, fmt);
    rg_buf_vprintf(&b, fmt, ap);
    va_end(ap);
    const char *s = rg_arena_strdup(&pr->arena, b.data);
    rg_buf_release(&b);
    return s;
}

void rg__poly_line(struct poly_print *pr, const char *fmt, ...)
{
    va_list ap;
    rg_buf_indent(&pr->out, pr->indent);
    va_start(ap, fmt);
    rg_buf_vprintf(&pr->out, fmt, ap);
    va_end(ap);
    rg_buf_char(&pr->out, '\n');
}

void rg__poly_open_brace(struct poly_print *pr, const char *fmt, ...)
{
    va_list ap;
    rg_buf_indent(&pr->out, pr->indent++);
    va_start(ap, fmt);
    rg_buf_vprintf(&pr->out, fmt, ap);
    va_end(ap);
    rg_buf_str(&pr->out, " {\n");
}

void rg__poly_close_brace(struct poly_print *pr)
{
    rg_buf_indent(&pr->out, --pr->indent);
    rg_buf_str(&pr->out, "}\n");
}

bool rg__poly_uses_name(const struct poly_print *pr, size_t from, const char *name)
{
    size_t n = strlen(name);
    for (const char *p = pr->out.data + from; (p = strstr(p, name)); p++) {
        bool before = p > pr->out.data && (isalnum((unsigned char)p[-1]) || p[-1] == '_');
        bool after = isalnum((unsigned char)p[n]) || p[n] == '_';
        if (!before && !after) return true;
    }
    return false;
}

void rg__poly_insert_line(struct poly_print *pr, size_t at, int indent, const char *text)
{
    struct rg_buf tail = RG_BUF_INIT;
    rg_buf_str(&tail, pr->out.data + at);
    pr->out.len = at;
    pr->out.data[at] = 0;
    rg_buf_indent(&pr->out, indent);
    rg_buf_printf(&pr->out, "%s\n", text);
    rg_buf_str(&pr->out, tail.data);
    rg_buf_release(&tail);
}

/* ---- types ---- */

const char *rg__poly_var_type(const struct poly_print *pr, int var)
{
    const struct rg_cvar *v = &pr->t->vars[var];
    return v->type == RG_STRUCT ? v->c_type : rg_scalar_cuda(v->type);
}

const char *rg__poly_elem_type(const struct poly_print *pr, int array)
{
    const struct rg_carray *a = &pr->t->arrays[array];
    return a->elem == RG_STRUCT ? a->c_elem : rg_scalar_cuda(a->elem);
}

const char *rg__poly_index_type(const struct poly_print *pr, int var)
{
    enum rg_scalar t = pr->t->vars[var].type;
    return rg_scalar_bytes(t) < 4 ? "int" : rg_scalar_cuda(t);
}

/* ---- names ---- */

/* A name that nothing in the function has. */
const char *rg__poly_fresh(struct poly_print *pr, const char *fmt, ...)
{
    char name[160];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(name, sizeof name - 16, fmt, ap);
    va_end(ap);
    for (int round = 0; round < 8; round++) {
        bool taken = false;
        for (int v = 0; v < pr->t->n_vars; v++) taken = taken || strcmp(pr->t->vars[v].name, name) == 0;
        for (int a = 0; a < pr->t->n_arrays; a++) taken = taken || strcmp(pr->t->arrays[a].name, name) == 0;
        for (int h = 0; h < pr->t->n_helpers; h++) taken = taken || strcmp(pr->t->helpers[h].name, name) == 0;
        for (int i = 0; i < pr->s->problem->n_structs; i++) {
            const char *type = pr->s->problem->structs[i].c_name, *word = strrchr(type, ' ');
            taken = taken || strcmp(word ? word + 1 : type, name) == 0;
        }
        if (!taken) break;
        strcat(name, "_");
    }
    return rg__poly_printf(pr, "%s", name);
}

const char *rg__poly_array_name(struct poly_print *pr, int array)
{
    return pr->t->arrays[array].name;
}

const char *rg__poly_call_of_ints(struct poly_print *pr, bool most)
{
    const char *name = most ? "max" : "min";
    return strcmp(rg__poly_fresh(pr, "%s", name), name) ? NULL : name;
}

const char *rg__poly_buffer_name(struct poly_print *pr, int array)
{
    const char *name = pr->t->arrays[array].name;
    return pr->p->array_parts[array] ? rg__poly_part_buffer(pr->p, array, &pr->arena) : name;
}

const char *rg__poly_part_stride(struct poly_print *pr, int array)
{
    return rg__poly_fresh(pr, "%.80s_n", pr->t->arrays[array].name);
}

/* ---- the threads that share a point ---- */

static bool warp(const struct poly_print *pr)
{
    return pr->k->team == POLY_TEAM_WARP;
}

const char *rg__poly_lane(struct poly_print *pr)
{
    return warp(pr) ? rg__poly_fresh(pr, "lane") : "threadIdx.x";
}

const char *rg__poly_team_size(struct poly_print *pr)
{
    return warp(pr) ? "\1LANES" : "\1BLOCK";
}

const char *rg__poly_lone(struct poly_print *pr)
{
    return rg__poly_printf(pr, "%s == 0", rg__poly_lane(pr));
}

const char *rg__poly_meet(struct poly_print *pr)
{
    return warp(pr) ? rg__poly_printf(pr, "__syncwarp(%s);", rg__poly_fresh(pr, "team")) : "__syncthreads();";
}

/* ---- sums of texts ---- */

/* The constant that a sum ends with: where its " + 3" begins; NULL: with something else. */
static const char *last_constant(const char *text, int64_t *k)
{
    const char *p = text + strlen(text), *digits;
    while (p > text && isdigit((unsigned char)p[-1])) p--;
    digits = p;
    if (!*digits || strlen(digits) > 9) return NULL;
    *k = strtoll(digits, NULL, 10);
    if (p == text) return text;
    if (p - text < 4 || p[-1] != ' ' || !strchr("+-", p[-2]) || p[-3] != ' ') return NULL;
    *k = p[-2] == '-' ? -*k : *k;
    return p - 3;
}

const char *rg__poly_sum_text(struct poly_print *pr, const char *a, char op, const char *b)
{
    int64_t u, v;
    const char *end = last_constant(a, &u), *one = last_constant(b, &v);
    bool number = one == b;
    if (op == '+' && !strcmp(a, "0")) return b;
    if (number && !v) return a;
    if (!number || !end) return rg__poly_printf(pr, "%s %c %s", a, op, b);
    int64_t k = u + (op == '-' ? -v : v);
    if (end == a) return rg__poly_printf(pr, "%lld", (long long)k);
    if (!k) return rg__poly_printf(pr, "%.*s", (int)(end - a), a);
    return rg__poly_printf(pr, "%.*s %c %lld", (int)(end - a), a, k < 0 ? '-' : '+', (long long)(k < 0 ? -k : k));
}

const char *rg__poly_factor(struct poly_print *pr, const char *text)
{
    int depth = 0;
    for (const char *c = text; *c; c++) { /* one pair of parentheses around it all will do */
        depth += (*c == '(') - (*c == ')');
        if (*c == ' ' && depth == 0) return rg__poly_printf(pr, "(%s)", text);
    }
    return text;
}

const char *rg__poly_negated(struct poly_print *pr, const char *text)
{
    const char *f = rg__poly_factor(pr, text);
    return rg__poly_printf(pr, *f == '-' ? "-(%s)" : "-%s", f); /* `--` is another operator */
}

void rg__poly_given(struct poly_print *pr, enum poly_given what, int index, const char *name, enum rg_scalar type,
                    bool written)
{
    struct poly_phase *p = &pr->phase;
    if (!pr->k->region) return;
    RG_GROW(p->args, p->n, p->cap);
    p->args[p->n++] = (struct poly_argument){what, index, name, type, written};
}

void rg__poly_print_refused(struct poly_print *pr, const struct rg_reason *why)
{
    rg_error_at(pr->err, RG_INPUT, why->line ? pr->s->problem->file : NULL, why->line, 0, "%s", why->text);
    pr->failed = true;
}
