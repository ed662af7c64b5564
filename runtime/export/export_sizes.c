/* What the functions of an exported file ask for: sizes that problem and plan allow and that memory can have at all,
 * arrays apart; and how many elements those have. */
#include "runtime/export/export_internal.h"
#include <stdlib.h>
#include <string.h>

static void string_literal(struct rg_buf *out, const char *text)
{
    rg_buf_char(out, '"');
    for (const char *c = text; *c; c++) {
        if (*c == '"' || *c == '\\')
            rg_buf_printf(out, "\\%c", *c);
        else if ((unsigned char)*c < ' ')
            rg_buf_char(out, ' ');
        else
            rg_buf_char(out, *c);
    }
    rg_buf_char(out, '"');
}

/* The end of a check: what it says, with the names that the user wrote. */
static void says(struct rg__writer *w, const char *what, const struct rg_expr *e)
{
    struct rg_buf text = RG_BUF_INIT;
    rg_buf_str(&text, what);
    rg_expr_print(&text, e, rg_problem_shown, (void *)(uintptr_t)w->p);
    rg_buf_str(w->out, ")) return ");
    string_literal(w->out, text.data);
    rg_buf_str(w->out, ";\n");
    rg_buf_release(&text);
}

struct names_derived {
    const struct rg_problem *p;
    bool any;
};

static void name_derived(void *arg, const char *name)
{
    struct names_derived *d = arg;
    int i = rg_problem_param(d->p, name);
    d->any |= i >= 0 && d->p->params[i].origin == RG_ORIGIN_DERIVED;
}

static void requirements(struct rg__writer *w, bool of_derived)
{
    for (int i = 0; i < w->p->n_require; i++) {
        struct names_derived d = {w->p, false};
        rg_expr_names(w->p->require[i], name_derived, &d);
        if (d.any != of_derived) continue;
        rg_buf_str(w->out, "    if (!(");
        rg__print_int(w->out, NULL, w->p, &w->n->host, w->p->require[i]);
        says(w, "it is required that ", w->p->require[i]);
    }
}

/* Those that the plan states, in its words. */
static void plan_requirements(struct rg__writer *w)
{
    for (int i = 0; i < w->plan->n; i++) {
        const struct rg_plan_stmt *s = w->plan->stmts[i];
        if (s->kind != RG_PLAN_REQUIRE) continue;
        rg_buf_str(w->out, "    if (!(");
        rg__print_int(w->out, NULL, w->p, &w->n->host, s->value);
        says(w, "the kernels require that ", s->value);
    }
}

static bool constant_factor(const struct rg_expr *e)
{
    int64_t v;
    return rg_expr_eval(e, NULL, &v, NULL) == RG_OK;
}

static int factors(const struct rg_expr *e, const struct rg_expr **out, int n, int cap)
{
    if (e->kind == RG_EXPR_BINARY && e->op == RG_OP_MUL)
        return factors(e->args[1], out, factors(e->args[0], out, n, cap), cap);
    if (n < cap) out[n++] = e;
    return n;
}

/* Products of extents are 64-bit: beyond that there is no such array. False: no product, nothing to test. */
static bool too_large(struct rg__writer *w, struct rg_buf *out, const struct rg_expr *const *e, int n, int64_t bytes)
{
    const struct rg_expr *f[32];
    int n_f = 0, variable = 0;
    for (int i = 0; i < n; i++) n_f = factors(e[i], f, n_f, 32);
    for (int i = 0; i < n_f; i++) variable += !constant_factor(f[i]);
    if (variable < 2) return false;
    rg_buf_printf(out, "%lld.0", (long long)bytes);
    for (int i = 0; i < n_f; i++) {
        rg_buf_str(out, " * (double)(");
        rg__print_int(out, NULL, w->p, &w->n->host, f[i]);
        rg_buf_char(out, ')');
    }
    rg_buf_str(out, " > 9e18");
    return true;
}

struct only_sizes {
    const struct rg_problem *p;
    bool all;
};

static void is_size(void *arg, const char *name)
{
    struct only_sizes *o = arg;
    int i = rg_problem_param(o->p, name);
    o->all = o->all && i >= 0 && rg__is_size_param(o->p, i);
}

/* Does the expression name no variable of the plan? */
static bool only_sizes(const struct rg__writer *w, const struct rg_expr *e)
{
    struct only_sizes o = {w->p, true};
    rg_expr_names(e, is_size, &o);
    return o.all;
}

/* One condition for all arrays that have it: "an extent of A, B is not positive". */
struct condition {
    char *test, *names;
};
struct conditions {
    int n, cap;
    struct condition *items;
};

static void add_condition(struct conditions *c, const char *test, const char *name)
{
    for (int i = 0; i < c->n; i++) {
        struct condition *k = &c->items[i];
        if (strcmp(k->test, test)) continue;
        char *names = rg_xasprintf("%s, %s", k->names, name);
        size_t n = strlen(k->names), m = strlen(name);
        if ((n == m || (n > m + 1 && k->names[n - m - 1] == ' ')) && !strcmp(k->names + n - m, name))
            free(names); /* a square array */
        else {
            free(k->names);
            k->names = names;
        }
        return;
    }
    RG_GROW(c->items, c->n, c->cap);
    c->items[c->n++] = (struct condition){rg_xstrdup(test), rg_xstrdup(name)};
}

static void print_conditions(struct rg__writer *w, struct conditions *c, const char *says)
{
    for (int i = 0; i < c->n; i++) {
        rg_buf_printf(w->out, "    if (%s) return \"", c->items[i].test);
        rg_buf_printf(w->out, says, c->items[i].names);
        rg_buf_str(w->out, "\";\n");
        free(c->items[i].test);
        free(c->items[i].names);
    }
    free(c->items);
}

/* Extents, and what loops end at: nothing was made for fewer iterations than one. */
static void positive_sizes(struct rg__writer *w)
{
    struct conditions c = {0, 0, NULL}, ends = {0, 0, NULL};
    for (int i = 0; i < w->p->n_params; i++) {
        const struct rg_param *q = &w->p->params[i];
        bool constant = true;
        int64_t v;
        for (int k = 0; k < q->n_dims; k++) constant = constant && rg_expr_eval(q->dims[k], NULL, &v, NULL) == RG_OK;
        if (q->kind != RG_PARAM_ARRAY || constant) continue;
        for (int k = 0; k < q->n_dims; k++) {
            struct rg_buf test = RG_BUF_INIT;
            rg_buf_char(&test, '('); /* it may be a choice: a > b ? a : b */
            rg__print_int(&test, NULL, w->p, &w->n->host, q->dims[k]);
            rg_buf_str(&test, ") < 1");
            add_condition(&c, test.data, rg_param_shown(q));
            rg_buf_release(&test);
        }
    }
    for (int i = 0; i < w->p->n_params; i++) {
        const struct rg_param *q = &w->p->params[i];
        if (!q->least_one || !(q->derived || rg__is_size_param(w->p, i))) continue;
        struct rg_expr e = {.kind = RG_EXPR_NAME, .name = q->name};
        struct rg_buf test = RG_BUF_INIT;
        rg_buf_char(&test, '(');
        rg__print_int(&test, NULL, w->p, &w->n->host, &e);
        rg_buf_str(&test, ") < 1");
        bool extent = false;
        for (int k = 0; k < c.n; k++) extent = extent || !strcmp(c.items[k].test, test.data);
        if (!extent) add_condition(&ends, test.data, rg_param_shown(q));
        rg_buf_release(&test);
    }
    print_conditions(w, &c, "an extent of %s is not positive");
    print_conditions(w, &ends, "%s is not positive");
}

static void products_fit(struct rg__writer *w)
{
    struct conditions c = {0, 0, NULL};
    for (int i = 0; i < w->p->n_params; i++) {
        const struct rg_param *q = &w->p->params[i];
        struct rg_buf test = RG_BUF_INIT;
        if (q->kind == RG_PARAM_ARRAY && too_large(w, &test, q->dims, q->n_dims, q->elem_bytes))
            add_condition(&c, test.data, rg_param_shown(q));
        rg_buf_release(&test);
    }
    for (int i = 0; i < w->plan->n; i++) {
        const struct rg_plan_stmt *s = w->plan->stmts[i];
        const struct rg_expr *value = s->value;
        struct rg_buf test = RG_BUF_INIT;
        if (s->kind == RG_PLAN_SCRATCH && only_sizes(w, s->value) && too_large(w, &test, &value, 1, 16))
            add_condition(&c, test.data, "a buffer of the plan");
        rg_buf_release(&test);
    }
    print_conditions(w, &c, "%s would have more than 2^63 bytes");
}

/* Pairs of arrays of which one is written. */
static bool may_meet(const struct rg__writer *w, int a, int b)
{
    const struct rg_param *x = &w->p->params[a], *y = &w->p->params[b];
    return x->kind == RG_PARAM_ARRAY && y->kind == RG_PARAM_ARRAY && (x->role != RG_ROLE_IN || y->role != RG_ROLE_IN);
}

static bool any_may_meet(const struct rg__writer *w)
{
    for (int i = 0; i < w->n_args_device; i++)
        for (int k = i + 1; k < w->n_args_device; k++)
            if (may_meet(w, w->args_device[i], w->args_device[k])) return true;
    return false;
}

static void write_meeting(struct rg__writer *w, bool checks)
{
    const int *order = w->args_device;
    rg_buf_printf(w->out, "// %s which arrays overlap.\nstatic const char *%srefused(",
                  checks ? "The same, or" : "NULL, or", w->n->prefix);
    for (int i = 0; i < w->n_args_device; i++) {
        if (i) rg_buf_str(w->out, ", ");
        rg__write_parameter(w, w->out, order[i]);
    }
    rg_buf_str(w->out, ")\n{\n");
    if (checks) {
        rg_buf_printf(w->out, "    if (const char *%swrong = %scheck(", w->n->prefix, w->n->prefix);
        rg__write_size_names(w, "");
        rg_buf_printf(w->out, ")) return %swrong;\n", w->n->prefix);
    }
    rg__write_derived(w, false);
    rg__counts_begin(w);
    for (int i = 0; i < w->n_args_device; i++)
        for (int k = i + 1; k < w->n_args_device; k++) {
            if (!may_meet(w, order[i], order[k])) continue;
            const struct rg_param *x = &w->p->params[order[i]], *y = &w->p->params[order[k]];
            rg_buf_printf(w->out, "    if (%soverlap(%s, ", w->n->host.helpers, rg__name(w->n, x->name));
            rg__write_bytes(w, order[i]);
            rg_buf_printf(w->out, ", %s, ", rg__name(w->n, y->name));
            rg__write_bytes(w, order[k]);
            rg_buf_printf(w->out, ")) return \"%s and %s overlap\";\n", rg_param_shown(x), rg_param_shown(y));
        }
    rg__counts_end(w);
    rg_buf_str(w->out, "    return NULL;\n}\n\n");
}

void rg__write_refused(struct rg__writer *w, bool result)
{
    if (!any_may_meet(w)) {
        rg_buf_printf(w->out, "%scheck(", w->n->prefix);
        rg__write_size_names(w, "");
        rg_buf_char(w->out, ')');
        return;
    }
    rg_buf_printf(w->out, "%srefused(", w->n->prefix);
    for (int i = 0; i < w->n_args_device; i++) {
        const struct rg_param *q = &w->p->params[w->args_device[i]];
        rg_buf_printf(w->out, "%s%s", i ? ", " : "",
                      q->origin == RG_ORIGIN_RESULT && !result ? "NULL" : rg__name(w->n, q->name));
    }
    rg_buf_char(w->out, ')');
}

void rg__write_check(struct rg__writer *w)
{
    const size_t at = w->out->len;
    rg_buf_printf(w->out, "// NULL, or what these sizes break.\nstatic const char *%scheck(", w->n->prefix);
    rg_buf_str(w->out, rg__write_size_names(w, "int64_t ") ? ")\n{\n" : "void)\n{\n");
    const size_t head = w->out->len;
    requirements(w, false);
    rg__write_derived(w, true);
    positive_sizes(w);
    requirements(w, true);
    products_fit(w);
    plan_requirements(w);
    const bool checks = w->out->len > head;
    if (checks || !any_may_meet(w) || rg__auto_rows(w->p)) {
        rg_buf_str(w->out, "    return NULL;\n}\n\n");
    } else { /* nothing to ask of sizes */
        w->out->len = at;
        w->out->data[at] = 0;
    }
    if (any_may_meet(w)) write_meeting(w, checks);
}

/* --- how many elements --- */

/* "(size_t)N * N" of extents that are all constant. */
static bool constant_elements(struct rg__writer *w, int param, struct rg_buf *out)
{
    const struct rg_param *q = &w->p->params[param];
    int64_t v;
    bool one = true;
    for (int k = 0; k < q->n_dims; k++) {
        if (rg_expr_eval(q->dims[k], NULL, &v, NULL) != RG_OK) return false;
        one = one && v == 1;
    }
    for (int k = 0; k < q->n_dims && !one; k++) {
        rg_buf_str(out, k ? " * " : "(size_t)");
        rg__write_dim(out, w->n, param, k);
    }
    if (one) rg_buf_char(out, '1');
    return true;
}

void rg__counts_init(struct rg__writer *w)
{
    for (int i = 0; i < w->p->n_params; i++) {
        struct rg_buf text = RG_BUF_INIT;
        w->constant[i] = w->p->params[i].kind == RG_PARAM_ARRAY && constant_elements(w, i, &text);
        if (w->p->params[i].kind == RG_PARAM_ARRAY && !w->constant[i]) rg__print_elements(&text, w->p, &w->n->host, i);
        w->elements[i] = rg_arena_strdup(&w->n->a, text.data ? text.data : "1");
        rg_buf_release(&text);
    }
}

void rg__counts_begin(struct rg__writer *w)
{
    memset(w->counted, 0, (size_t)w->p->n_params * sizeof *w->counted);
    w->counts_at = w->out->len;
}

void rg__counts_end(struct rg__writer *w)
{
    char *rest = rg_xstrdup(w->out->data + w->counts_at);
    w->out->len = w->counts_at;
    w->out->data[w->out->len] = 0;
    for (int i = 0; i < w->p->n_params; i++)
        if (w->counted[i])
            rg_buf_printf(w->out,
                          w->constant[i] ? "    const size_t %s = %s;\n" : "    const size_t %s = (size_t)(%s);\n",
                          w->n->counts[i], w->elements[i]);
    rg_buf_str(w->out, rest);
    free(rest);
}

void rg__write_elements(struct rg__writer *w, int param)
{
    const char *text = w->elements[param];
    if (!text[strspn(text, "0123456789")]) {
        rg_buf_str(w->out, text); /* one */
        return;
    }
    int first = 0; /* of those with as many */
    while (strcmp(w->elements[first], text)) first++;
    w->counted[first] = true;
    rg_buf_str(w->out, w->n->counts[first]);
}

void rg__write_bytes(struct rg__writer *w, int param)
{
    const struct rg_param *q = &w->p->params[param];
    rg__write_elements(w, param);
    rg_buf_str(w->out, " * sizeof(");
    rg__print_elem(w->out, &w->n->host, q->elem, q->struct_index);
    rg_buf_char(w->out, ')');
}
