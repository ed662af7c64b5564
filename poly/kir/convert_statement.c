/* Kernel IR: statements of the canonical C in the words of a kernel. */
#include "ir/ctree_sort.h"
#include "ir/ctree_util.h"
#include "poly/kir/convert.h"
#include <stdlib.h>
#include <string.h>

static struct kir_node *added(struct kir_names *x, struct kir_node *seq, struct kir_node *statement)
{
    if (statement) rg__kir_add_to(x->k, seq, statement);
    return statement ? seq : NULL;
}

/* A value, with what it takes in front of it in `seq`. */
static struct kir_node *value_in(struct kir_names *x, struct kir_node *seq, const struct rg_cnode *e)
{
    struct kir_node *front = x->front;
    x->front = seq;
    struct kir_node *v = rg__kir_of(x, e);
    x->front = front;
    return v;
}

/* ---- declarations ---- */

/* An array of the thread's with the values that the file lists for it. */
static struct kir_node *listed_buffer(struct kir_names *x, int buffer, const struct rg_cnode *list)
{
    struct kir_node *values = rg__kir_of(x, list), *own = values ? rg__kir_node(x->k, KIR_VAR, 1) : NULL;
    if (!own) return NULL;
    own->symbol = buffer;
    own->kid[0] = values;
    x->k->symbols[buffer].inside = true;
    return own;
}

static struct kir_node *array(struct kir_names *x, const struct rg_cnode *n)
{
    bool listed = n->n && n->kid[0];
    if (listed && n->kid[0]->kind != RG_C_INITLIST)
        return rg__kir_no_form(x, "%s is declared with a value", x->t->arrays[n->array].name);
    int b = x->elsewhere[n->array] ? -1 : rg__kir_buffer_of(x, n->array);
    if (b < 0) return x->elsewhere[n->array] ? rg__kir_seq(x->k) : NULL;
    if (x->k->symbols[b].space == KIR_LOCAL && !listed) return rg__kir_own_buffer(x->k, b);
    if (x->k->symbols[b].space == KIR_LOCAL) return listed_buffer(x, b, n->kid[0]);
    return listed ? rg__kir_no_form(x, "%s is declared with values", x->t->arrays[n->array].name) : rg__kir_seq(x->k);
}

static struct kir_node *declaration(struct kir_names *x, const struct rg_cnode *n)
{
    struct kir_node *value = NULL, *all = rg__kir_seq(x->k);
    if (n->array >= 0) return array(x, n);
    if (strchr(x->t->vars[n->var].c_type, '*')) return rg__kir_no_form(x, "%s is a pointer", x->t->vars[n->var].name);
    if (n->n && n->kid[0] && !(value = value_in(x, all, n->kid[0]))) return NULL;
    if (value && n->kid[0]->kind == RG_C_INITLIST) value->type = x->t->vars[n->var].type;
    if (x->outer[n->var]) return value ? added(x, all, rg__kir_put(x, x->var[n->var], value)) : all;
    int s = rg__kir_scalar_for(x, n->var);
    x->var[n->var] = rg__kir_name(x->k, s);
    x->undeclared[n->var] = false;
    return added(x, all, rg__kir_var(x->k, s, value));
}

/* ---- loops ---- */

/* The loop's body, in which `this` is the loop that is left and goes on. */
static struct kir_node *inside(struct kir_names *x, struct kir_around *this, const struct rg_cnode *body)
{
    this->outer = x->around;
    x->around = this;
    struct kir_node *s = rg__kir_statement(x, body);
    x->around = this->outer;
    return s;
}

/* A loop that goes down, or on by a flag: its variable is one that is assigned. */
static struct kir_node *other_loop(struct kir_names *x, const struct rg_cnode *n, struct kir_node *first,
                                   struct kir_node *end)
{
    struct kir_kernel *k = x->k;
    int s = rg__kir_scalar_for(x, n->var);
    struct kir_node *before = x->var[n->var], *i = rg__kir_name(k, s), *all = rg__kir_seq(k);
    struct kir_node *on = rg__kir_binary(k, n->step < 0 ? RG_COP_GT : RG_COP_LT, i, end);
    struct kir_around this = {.step = rg__kir_assign(k, s, rg__kir_add(k, i, rg__kir_int(k, n->step)))};
    x->var[n->var] = i;
    struct kir_node *flag = n->n > 3 ? rg__kir_of(x, n->kid[3]) : NULL, *body = inside(x, &this, n->kid[2]);
    x->var[n->var] = before;
    if ((n->n > 3 && !flag) || !body) return NULL;
    struct kir_node *loop = rg__kir_while(k, rg__kir_and(k, on, flag));
    rg__kir_add_to(k, rg__kir_body(loop), body);
    rg__kir_add_to(k, rg__kir_body(loop), this.step);
    rg__kir_add_to(k, all, rg__kir_var(k, s, first));
    rg__kir_add_to(k, all, loop);
    return all;
}

/* The library's sort, by one thread. */
static struct kir_node *sorted(struct kir_names *x, const struct rg_csort *sort)
{
    struct kir_kernel *k = x->k;
    int var = sort->loop->var;
    struct kir_node *all = rg__kir_seq(k), *first = value_in(x, all, sort->loop->kid[0]),
                    *end = first ? value_in(x, all, sort->loop->kid[1]) : NULL, *before = x->var[var], *kids[2], *s;
    if (!end) return NULL;
    x->var[var] = first;
    kids[0] = rg__kir_place_of(x, sort->element);
    kids[1] = rg__kir_sub(k, end, first);
    if (kids[0] && kids[0]->kind != KIR_ELEMENT)
        return rg__kir_no_form(x, "%s is sorted where it has no memory", x->t->arrays[sort->element->array].name);
    s = kids[0] ? rg__kir_sort(x, KIR_SORT_OWN, -1, 0, kids, sort->call) : NULL;
    x->var[var] = before;
    return added(x, all, s);
}

static struct kir_node *serial(struct kir_names *x, const struct rg_cnode *n)
{
    const struct rg_cvar *v = &x->t->vars[n->var];
    struct kir_kernel *k = x->k;
    struct rg_csort sort;
    if (rg_c_sort_of(n, &sort)) return sorted(x, &sort);
    struct kir_node *all = rg__kir_seq(k), *first = value_in(x, all, n->kid[0]),
                    *end = first ? value_in(x, all, n->kid[1]) : NULL;
    if (!end) return NULL;
    if (n->n > 3 || n->step < 0) return added(x, all, other_loop(x, n, first, end));
    enum rg_scalar type = rg_scalar_bytes(v->type) < 4 ? RG_I32 : v->type;
    int index = rg__kir_symbol_of(x, KIR_INDEX, n->var, type);
    struct kir_around this = {.step = NULL};
    struct kir_node *before = x->var[n->var],
                    *loop = rg__kir_for_range(k, KIR_SERIAL, index, first, end, rg__kir_int(k, n->step));
    x->var[n->var] = rg__kir_name(k, index);
    struct kir_node *body = inside(x, &this, n->kid[2]);
    x->var[n->var] = before;
    if (!body) return NULL;
    rg__kir_add_to(k, rg__kir_body(loop), body);
    return added(x, all, loop);
}

/* What stands in a for's header: nothing, an expression, a statement. False: why. */
static bool header(struct kir_names *x, struct kir_node *to, const struct rg_cnode *n)
{
    if (!n) return true;
    if (rg__c_is_expr(n)) return rg__kir_effect(x, to, n);
    return added(x, to, rg__kir_statement(x, n)) != NULL;
}

static bool is_zero(const struct rg_cnode *e)
{
    return e->kind == RG_C_INT && !e->ivalue;
}

/* The loop is left unless the condition holds. False: why. */
static bool test(struct kir_names *x, struct kir_node *seq, const struct rg_cnode *on)
{
    struct kir_node *c = value_in(x, seq, on);
    if (!c) return false;
    struct kir_node *branch = rg__kir_if(x->k, rg__kir_unary(x->k, RG_COP_NOT, c));
    rg__kir_add_to(x->k, rg__kir_body(branch), rg__kir_leave(x->k, KIR_BREAK));
    rg__kir_add_to(x->k, seq, branch);
    return true;
}

/* What stands between an iteration and the next one's condition. False: why. */
static bool go_on(struct kir_names *x, struct kir_node *seq, const struct kir_around *loop)
{
    if (loop->step) rg__kir_add_to(x->k, seq, loop->step);
    return header(x, seq, loop->next) && (!loop->until || test(x, seq, loop->until));
}

/* A loop of C's; one whose condition does more than say whether it goes on, or stands at its end, tests it inside. */
static struct kir_node *c_loop(struct kir_names *x, const struct rg_cnode *n)
{
    bool counts = n->kind == RG_C_FOR, last = n->kind == RG_C_DO;
    const struct rg_cnode *on = last ? NULL : n->kid[counts], *in = last ? n->kid[0] : n->kid[counts ? 3 : 1];
    struct kir_kernel *k = x->k;
    struct kir_around this = {.next = counts ? n->kid[2] : NULL, .until = last ? n->kid[1] : NULL};
    struct kir_node *all = rg__kir_seq(k), *body, *loop, *condition;
    if (last && is_zero(n->kid[1]) && !rg__leaves_loop(in)) return inside(x, &this, in);
    if (counts && !header(x, all, n->kid[0])) return NULL;
    bool tests = on && !rg__c_pure(x->t, on);
    if (!(condition = on && !tests ? rg__kir_of(x, on) : rg__kir_int(k, 1))) return NULL;
    loop = rg__kir_while(k, condition);
    if (tests && !test(x, rg__kir_body(loop), on)) return NULL;
    if (!(body = inside(x, &this, in))) return NULL;
    rg__kir_add_to(k, rg__kir_body(loop), body);
    if (!go_on(x, rg__kir_body(loop), &this)) return NULL;
    rg__kir_add_to(k, all, loop);
    return all;
}

/* Out of a loop that is converted with it, or of the function. */
static struct kir_node *leave(struct kir_names *x, const struct rg_cnode *n)
{
    struct kir_kernel *k = x->k;
    struct kir_node *all = rg__kir_seq(k);
    enum kir_leave how = n->kind == RG_C_BREAK ? KIR_BREAK : n->kind == RG_C_CONTINUE ? KIR_CONTINUE : KIR_RETURN;
    if (how == KIR_RETURN && !x->returns)
        return rg__kir_no_form(x, "the function is left where other threads go on%s", "");
    if (how != KIR_RETURN && !x->around) return rg__kir_no_form(x, "a loop is left from code of its own%s", "");
    if (how == KIR_CONTINUE && !go_on(x, all, x->around)) return NULL;
    if (how == KIR_RETURN && n->n && n->kid[0] && x->t->result_array >= 0) {
        int b = rg__kir_buffer_of(x, x->t->result_array);
        struct kir_node *value = b < 0 ? NULL : value_in(x, all, n->kid[0]);
        if (!value) return NULL;
        rg__kir_add_to(k, all, rg__kir_store(k, rg__kir_at(k, b, 1, rg__kir_int(k, 0)), value));
    }
    rg__kir_add_to(k, all, rg__kir_leave(k, how));
    return all;
}

/* ---- statements ---- */

static struct kir_node *branch(struct kir_names *x, const struct rg_cnode *n)
{
    struct kir_kernel *k = x->k;
    struct kir_node *all = rg__kir_seq(k), *when = value_in(x, all, n->kid[0]), *b;
    if (!when) return NULL;
    struct kir_node *a = rg__kir_if(k, when);
    for (int i = 1; i < n->n; i++) {
        if (!n->kid[i]) continue;
        if (!(b = rg__kir_statement(x, n->kid[i]))) return NULL;
        rg__kir_add_to(k, i == 1 ? a->kid[1] : rg__kir_else(k, a), b);
    }
    return added(x, all, a);
}

static struct kir_node *converted(struct kir_names *x, const struct rg_cnode *n)
{
    struct kir_node *a = rg__kir_seq(x->k);
    switch (n->kind) {
    case RG_C_BLOCK:
        for (int i = 0; i < n->n; i++)
            if (!added(x, a, rg__kir_statement(x, n->kid[i]))) return NULL;
        return a;
    case RG_C_IF:
        return branch(x, n);
    case RG_C_STMT:
        return rg__kir_effect(x, a, n->kid[0]) ? a : NULL;
    case RG_C_DECL:
        return declaration(x, n);
    case RG_C_LOOP:
        return serial(x, n);
    case RG_C_FOR:
    case RG_C_WHILE:
    case RG_C_DO:
        return c_loop(x, n);
    case RG_C_BREAK:
    case RG_C_CONTINUE:
    case RG_C_RETURN:
        return leave(x, n);
    case RG_C_OPAQUE:
        return rg__kir_statement(x, n->kid[0]);
    default:
        return rg__kir_no_form(x, "a statement is no plain one%s", "");
    }
}

/* ---- statements that have a form in part ---- */

struct before { /* a conversion that leads nowhere leaves no names */
    int n_symbols, *buffer;
    struct kir_node **var;
    bool *undeclared;
    struct kir_around *around;
};

static void *copied(const void *from, size_t size)
{
    return memcpy(rg_xmalloc(size + 1), from, size);
}

static struct before keep(const struct kir_names *x)
{
    size_t vars = (size_t)x->t->n_vars + 1, arrays = (size_t)x->t->n_arrays + 1;
    return (struct before){x->k->n_symbols, copied(x->buffer, arrays * sizeof *x->buffer),
                           copied(x->var, vars * sizeof *x->var), copied(x->undeclared, vars * sizeof *x->undeclared),
                           x->around};
}

static void restore(struct kir_names *x, const struct before *b)
{
    size_t vars = (size_t)x->t->n_vars + 1, arrays = (size_t)x->t->n_arrays + 1;
    x->k->n_symbols = b->n_symbols;
    x->around = b->around;
    memcpy(x->buffer, b->buffer, arrays * sizeof *x->buffer);
    memcpy(x->var, b->var, vars * sizeof *x->var);
    memcpy(x->undeclared, b->undeclared, vars * sizeof *x->undeclared);
}

static void release(struct before *b)
{
    free(b->buffer);
    free(b->var);
    free(b->undeclared);
}

/* Does nothing of it reach out: no name that it declares, no jump? */
static bool is_closed(const struct rg_cnode *n)
{
    return n->kind != RG_C_DECL && n->kind != RG_C_CASE && !rg__leaves_early(n) && !rg__mentions_kind(n, RG_C_GOTO) &&
           !rg__mentions_kind(n, RG_C_LABEL);
}

struct kir_node *rg__kir_statement(struct kir_names *names, const struct rg_cnode *n)
{
    struct before before = keep(names);
    *names->why = 0;
    names->line = 0;
    struct kir_node *a = converted(names, n);
    if (!a) {
        restore(names, &before);
        if (n->kind == RG_C_OPAQUE)
            a = rg__kir_opaque(names, n->kid[0]);
        else if (is_closed(n))
            a = rg__kir_opaque(names, n);
    }
    release(&before);
    if (a && a->kind == KIR_SEQ && !a->note && a->n == 1) a = a->kid[0];
    if (a && !a->line) a->line = n->line;
    for (int i = 0; a && a->kind == KIR_SEQ && i < a->n; i++)
        if (!a->kid[i]->line) a->kid[i]->line = n->line;
    if (!a && !names->line) names->line = n->line;
    return a;
}
