/* Expressions with a kernel's names: what is held in registers or accumulated is replaced. */
#include "poly/cuda/print.h"
#include <stdlib.h>
#include <string.h>

const char *rg__poly_var_name(struct poly_print *pr, int var)
{
    const struct rg_cvar *v = &pr->t->vars[pr->same_as[var]];
    for (int i = 0; i < pr->n_acc; i++)
        if (pr->acc[i].var == var && pr->acc[i].array < 0) return pr->acc[i].name;
    if (v->kind == RG_CVAR_PARAM && !pr->p->scalar_scratch[var] && !pr->top_decl[var]) pr->var_used[var] = true;
    if (v->kind == RG_CVAR_ITER)
        for (int h = 0; h < pr->k->n_host; h++)
            if (pr->s->loops[pr->k->host[h]].var == var) pr->var_used[var] = true;
    return v->name;
}

static const char *rename_param(void *arg, const char *name)
{
    struct poly_print *pr = arg;
    int p = rg_problem_param(pr->s->problem, name);
    for (int v = 0; v < pr->t->n_vars; v++)
        if (pr->t->vars[v].kind == RG_CVAR_PARAM && pr->t->vars[v].param == p && p >= 0)
            return rg__poly_var_name(pr, v);
    return name;
}

/* In 64 bits: of two numbers that fit 32, what is computed may not. */
static const char *rename_long(void *arg, const char *name)
{
    return rg__poly_printf(arg, "(long long)%s", rename_param(arg, name));
}

static bool beside_constant(const struct rg_expr *e)
{
    return e->kind == RG_EXPR_BINARY && (e->op == RG_OP_ADD || e->op == RG_OP_SUB) &&
           e->args[0]->kind == RG_EXPR_NAME && e->args[1]->kind == RG_EXPR_INT;
}

const char *rg__poly_extent(struct poly_print *pr, int array, int dim)
{
    const struct rg_expr *e = pr->t->arrays[array].dims[dim];
    struct rg_buf b = RG_BUF_INIT;
    if (!e)
        rg_buf_char(&b, '1');
    else if (e->kind == RG_EXPR_INT || e->kind == RG_EXPR_NAME)
        rg_expr_print(&b, e, rename_param, pr);
    else {
        rg_buf_char(&b, '(');
        rg_expr_print(&b, e, beside_constant(e) ? rename_param : rename_long, pr);
        rg_buf_char(&b, ')');
    }
    const char *s = rg__poly_printf(pr, "%s", b.data);
    rg_buf_release(&b);
    return s;
}

/* c * name + ... + k; the names as given (NULL: the variables' own) */
const char *rg__poly_linear_text(struct poly_print *pr, const struct poly_linear *l,
                                 const char *(*name)(struct poly_print *, int))
{
    struct rg_buf b = RG_BUF_INIT;
    for (int pass = 0; pass < 2; pass++) /* what is added first, then what is taken away */
        for (int i = 0; i < l->n; i++) {
            int64_t c = l->term[i].c, m = c < 0 ? -c : c;
            if ((pass == 0) != (c > 0)) continue;
            const char *nm = name ? name(pr, l->term[i].var) : rg__poly_var_name(pr, l->term[i].var);
            if (!nm || !*nm) continue;
            if (b.len)
                rg_buf_str(&b, c < 0 ? " - " : " + ");
            else if (c < 0)
                rg_buf_char(&b, '-');
            if (m != 1) rg_buf_printf(&b, "%lld * ", (long long)m);
            rg_buf_str(&b, nm);
        }
    if (l->k > 0 || b.len == 0)
        rg_buf_printf(&b, b.len ? " + %lld" : "%lld", (long long)l->k);
    else if (l->k < 0)
        rg_buf_printf(&b, " - %lld", -(long long)l->k);
    const char *s = rg__poly_printf(pr, "%s", b.data);
    rg_buf_release(&b);
    return s;
}

/* ---- references ---- */

static int loops_of_node(struct poly_print *pr, const struct rg_cnode *index)
{
    for (int i = 0; i < pr->s->n_accesses; i++)
        if (pr->s->accesses[i].node == index) return i;
    return -1;
}

static bool thread_local_array(struct poly_print *pr, int array)
{
    const struct rg_carray *a = &pr->t->arrays[array];
    return a->constant_table || (a->param < 0 && !pr->p->array_scratch[array]);
}

bool rg__poly_reads_only(const struct poly_print *pr, int array)
{
    return !pr->array_written[array] && rg__poly_only_read(pr->p, pr->k, array);
}

/* May the read-only path be asked for? Of an array that nothing writes while the kernel runs, where the element is read
 * for its value. */
static bool read_only(struct poly_print *pr, const struct rg_cnode *n)
{
    const struct rg_carray *a = &pr->t->arrays[n->array];
    int at = pr->k->readonly && rg__poly_reads_only(pr, n->array) && n->n == a->n_dims ? loops_of_node(pr, n) : -1;
    const struct poly_access *x = at < 0 ? NULL : &pr->s->accesses[at];
    return x && x->read && !x->write && !x->whole && !x->member;
}

/* By its name in a scan's run. */
static bool substituted(struct poly_print *pr, struct rg_buf *out, const struct rg_cnode *n)
{
    for (int i = 0; i < pr->n_subst; i++)
        if (pr->subst[i].node->array == n->array && rg__c_same(pr->subst[i].node, n, RG__C_UNCAST)) {
            rg_buf_str(out, pr->subst[i].name);
            return true;
        }
    return false;
}

static bool reference(struct poly_print *pr, struct rg_buf *out, const struct rg_cnode *n)
{
    const struct rg_carray *a = &pr->t->arrays[n->array];
    if (substituted(pr, out, n)) return true;
    for (int i = 0; i < pr->n_acc; i++)
        if (pr->acc[i].array == n->array) {
            int at = pr->acc[i].place ? -1 : loops_of_node(pr, n);
            if (at >= 0 && !pr->s->accesses[at].target) continue; /* another element */
            if (pr->acc[i].place && !rg__c_same(pr->acc[i].place, n, RG__C_UNCAST)) continue;
            rg_buf_str(out, pr->acc[i].name);
            return true;
        }
    for (int i = 0; i < pr->n_promoted; i++)
        if (pr->promoted[i].array == n->array) {
            rg_buf_str(out, pr->promoted[i].name);
            return true;
        }
    if (thread_local_array(pr, n->array)) return false;
    pr->array_used[n->array] = true;
    bool once = read_only(pr, n);
    if (once) rg_buf_str(out, "__ldg(&");
    bool row = n->n < a->n_dims, apart = pr->p->array_interleaved[n->array];
    rg_buf_printf(out, row ? "(%s + " : apart ? "%s[(" : "%s[", a->name);
    const struct rg_cnode *linear = a->n_dims == 1 && n->n == 1 ? n->kid[0] : rg_c_linear(pr->t, n);
    if (linear) {
        rg_buf_str(out, rg__poly_text(pr, linear));
    } else {
        /* 64-bit: the product of the extents may pass 2^31. The first rows, planes of an array: nothing is multiplied
         */
        int first = 0;
        while (first + 1 < n->n && strcmp(rg__poly_text(pr, n->kid[first]), "0") == 0) first++;
        for (int d = first + 2; d < a->n_dims; d++) rg_buf_char(out, '(');
        bool lone = first + 1 == a->n_dims && n->kid[first]->kind == RG_C_VAR;
        rg_buf_printf(out, "%s%s", lone ? "" : "(long long)", rg__poly_operand(pr, n->kid[first]));
        for (int d = first + 1; d < a->n_dims; d++) {
            rg_buf_printf(out, " * %s", rg__poly_extent(pr, n->array, d));
            const char *at = d < n->n ? rg__poly_addend(pr, n->kid[d]) : "0";
            if (strcmp(at, "0") != 0) rg_buf_printf(out, " + %s", at);
            if (d + 1 < a->n_dims) rg_buf_char(out, ')');
        }
    }
    if (apart) rg_buf_printf(out, ") * %s", rg__poly_part_stride(pr, n->array));
    rg_buf_str(out, row ? ")" : once ? "])" : "]");
    return true;
}

static bool hook(void *arg, struct rg_buf *out, const struct rg_cnode *n)
{
    struct poly_print *pr = arg;
    const char *value = n->value_of ? rg__poly_value_named(pr, n) : NULL;
    if (value) {
        rg_buf_str(out, value);
        return true;
    }
    if (pr->n_twice && rg__poly_twice_read(pr, out, n)) return true;
    if (n->kind == RG_C_VAR && n->array >= 0) {
        if (thread_local_array(pr, n->array)) return false;
        pr->array_used[n->array] = true;
        rg_buf_str(out, rg__poly_array_name(pr, n->array));
        return true;
    }
    if (n->kind == RG_C_VAR && n->var >= 0) {
        rg_buf_str(out, rg__poly_var_name(pr, n->var));
        return true;
    }
    if (n->kind == RG_C_INDEX) return reference(pr, out, n);
    if ((n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC) && n->n && rg__poly_atomic_update(pr, out, n)) return true;
    if (n->kind == RG_C_CALL && n->callee < 0 && n->n == 2 && n->text &&
        (!strcmp(n->text, "min") || !strcmp(n->text, "max"))) {
        bool ints = n->type == RG_I32 && n->kid[0]->type == RG_I32 && n->kid[1]->type == RG_I32;
        const char *call = ints ? rg__poly_call_of_ints(pr, n->text[1] == 'a') : NULL;
        if (call) {
            rg_buf_printf(out, "%s(%s, %s)", call, rg__poly_text(pr, n->kid[0]), rg__poly_text(pr, n->kid[1]));
            return true;
        }
        const char *a = rg__poly_operand(pr, n->kid[0]), *b = rg__poly_operand(pr, n->kid[1]);
        rg_buf_printf(out, "(%s %c %s ? %s : %s)", a, n->text[1] == 'i' ? '<' : '>', b, a, b);
        return true;
    }
    return false;
}

const char *rg__poly_text(struct poly_print *pr, const struct rg_cnode *e)
{
    struct rg_buf b = RG_BUF_INIT;
    struct rg_c_printer p = {pr, hook, 0};
    rg_c_print(&b, pr->t, rg__poly_tidy(pr, e), &p);
    const char *s = rg__poly_printf(pr, "%s", b.data);
    rg_buf_release(&b);
    return s;
}

const char *rg__poly_operand(struct poly_print *pr, const struct rg_cnode *e)
{
    e = rg__poly_tidy(pr, e);
    const char *s = rg__poly_text(pr, e);
    bool plain = rg__poly_value_named(pr, e) || e->kind == RG_C_VAR || (e->kind == RG_C_INT && e->ivalue >= 0) ||
                 e->kind == RG_C_INDEX;
    return plain ? s : rg__poly_printf(pr, "(%s)", s);
}

const char *rg__poly_addend(struct poly_print *pr, const struct rg_cnode *e)
{
    e = rg__poly_tidy(pr, e);
    bool sum = rg_c_arithmetic(e->op);
    return sum ? rg__poly_text(pr, e) : rg__poly_operand(pr, e);
}

const char *rg__poly_conjunct(struct poly_print *pr, const struct rg_cnode *e)
{
    bool and = e->kind == RG_C_BINARY && e->op != RG_COP_OR && e->op != RG_COP_BAND && e->op != RG_COP_BOR &&
               e->op != RG_COP_XOR;
    return and || e->kind == RG_C_UNARY ? rg__poly_text(pr, e) : rg__poly_operand(pr, e);
}

const char *rg__poly_array_dims(struct poly_print *pr, int array)
{
    struct rg_buf b = RG_BUF_INIT;
    const struct rg_carray *a = &pr->t->arrays[array];
    for (int d = 0; d < a->n_dims; d++) {
        rg_buf_char(&b, '[');
        if (a->dims[d]) rg_expr_print(&b, a->dims[d], rename_param, pr);
        rg_buf_char(&b, ']');
    }
    const char *s = rg__poly_printf(pr, "%s", b.data);
    rg_buf_release(&b);
    return s;
}

void rg__poly_code(struct poly_print *pr, const struct rg_cnode *n)
{
    struct rg_c_printer p = {pr, hook, pr->indent};
    rg_c_print(&pr->out, pr->t, n, &p);
}
