/* Inputs for real numbers that become subscripts: positions of particles (`(int)(x[i] * (n - 2))`), samples of a
 * histogram, coordinates in cells. Drawn with both signs, as reals are where nobody says anything, they lead outside.
 * What is offered here is for a function that was seen to do so: many clamp their positions, or wrap them around. */
#include "frontend/infer/infer.h"
#include "frontend/infer/values.h"
#include "ir/access_walk.h"
#include <rg/frontend.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = 8, MAX_NOTE_DEPTH = 24, MAX_NOTES = 4000, MAX_BELOW = 4, MAX_TERMS = 8 };

/* The elements of a real array, one real member of a structure's array, or a real scalar. */
struct place {
    int param;
    const char *member; /* its path; NULL the elements themselves, or the scalar */
    bool unit;          /* multiplied with a size on the way: a share of it */
    double value;       /* of a scalar */
    bool scalar;
    bool period;                            /* of a scalar: what positions are wrapped around at, which lie below it */
    const struct rg_expr *below[MAX_BELOW]; /* what it stays below, as far as that was seen */
    int n_below;
};

struct positions {
    const struct rg_problem *p;
    const struct rg_ctree *t;
    struct rg_arena *arena;
    struct rg__writes writes;
    int notes;    /* bounds the work: values go back to themselves, too */
    bool scalars; /* of the subscript at hand, to which no element leads: real scalars count */
    int n, cap;
    struct place *items;
};

struct bound {
    const struct rg_expr *extent; /* NULL unknown */
    bool real, unit;              /* below the conversion to an integer; and multiplied with a size there */
    bool root;                    /* of a root: squares of what stays below the extent */
};

static struct place *place_of(struct positions *x, int param, const char *member)
{
    for (int i = 0; i < x->n; i++)
        if (x->items[i].param == param && !x->items[i].member == !member &&
            (!member || !strcmp(member, x->items[i].member)))
            return &x->items[i];
    RG_GROW(x->items, x->n, x->cap);
    x->items[x->n] = (struct place){.param = param, .member = member};
    return &x->items[x->n++];
}

/* The parameter that the element, or the member of one, is of, and the path of the member; -1 where an input is stated.
 */
static int real_element(const struct positions *x, const struct rg_cnode *e, const char **member)
{
    *member = NULL;
    bool inner = e->kind == RG_C_MEMBER && e->n >= 1 && e->kid[0]->kind == RG_C_INDEX; /* and `p[i].x[d]` */
    const struct rg_cnode *index = inner ? e->kid[0] : e;
    if (index->kind != RG_C_INDEX || index->pointer || x->t->arrays[index->array].constant_table) return -1;
    int p = x->t->arrays[index->array].param;
    const struct rg_param *q = p >= 0 ? &x->p->params[p] : NULL;
    if (!q || q->role == RG_ROLE_OUT || q->input.kind != RG_INPUT_DEFAULT) return -1;
    if (!inner) return rg_scalar_is_real(q->elem) ? p : -1;
    if (q->elem != RG_STRUCT || q->struct_index < 0) return -1;
    for (int i = 0; i < q->n_members; i++)
        if (!strcmp(q->members[i].path, e->text)) return -1;
    const struct rg_struct *s = &x->p->structs[q->struct_index];
    for (int f = 0; f < s->n_fields; f++)
        if (!strcmp(s->fields[f].path, e->text) && rg_scalar_is_real(s->fields[f].type)) {
            *member = s->fields[f].path;
            return p;
        }
    return -1;
}

/* The real scalar parameter that e is; -1. */
static int real_scalar(const struct positions *x, const struct rg_cnode *e)
{
    e = rg__c_uncast(e, RG__C_CASTS);
    if (e->kind != RG_C_VAR || e->array >= 0 || x->t->vars[e->var].kind != RG_CVAR_PARAM) return -1;
    int p = x->t->vars[e->var].param;
    if (p < 0 || !rg_scalar_is_real(x->p->params[p].elem) || x->p->params[p].input.kind != RG_INPUT_DEFAULT) return -1;
    return p;
}

static void set_scalar(struct positions *x, int param, double value)
{
    struct place *q = place_of(x, param, NULL);
    q->scalar = true;
    q->value = value;
}

/* The real scalar that e is, or one over it (`const double inv = 1.0 / h;`); -1. */
static int scale(const struct positions *x, const struct rg_cnode *e, int depth)
{
    e = rg__c_uncast(e, RG__C_CASTS);
    const int p = real_scalar(x, e);
    if (p >= 0 || depth > MAX_DEPTH) return p;
    if (e->op == RG_COP_DIV && rg__c_uncast(e->kid[0], RG__C_CASTS)->kind == RG_C_REAL)
        return real_scalar(x, e->kid[1]);
    const struct rg_cnode *value = rg__defined_as(&x->writes, e);
    return value != e && rg_scalar_is_real(e->type) ? scale(x, value, depth + 1) : -1;
}

/* Rounds a quotient by that scalar: `L * rint(d / L)` are the whole periods in d. */
static bool rounds_by(const struct positions *x, const struct rg_cnode *e, int scalar)
{
    static const char *const names[] = {"rint", "round", "floor", "trunc", "ceil", "nearbyint"};
    const struct rg_cnode *c = rg__c_uncast(e, RG__C_CASTS), *q;
    if (c->kind != RG_C_CALL || c->n != 1 || !c->text) return false;
    q = rg__c_uncast(c->kid[0], RG__C_CASTS);
    if ((q->op != RG_COP_DIV && q->op != RG_COP_MUL) || scale(x, q->kid[1], 0) != scalar) return false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strncmp(c->text, names[i], strlen(names[i])) && strspn(c->text + strlen(names[i]), "fl") < 2) return true;
    return false;
}

struct only_params {
    const struct rg_problem *p;
    bool ok;
};

static void check_param(void *arg, const char *name)
{
    struct only_params *o = arg;
    int i = rg_problem_param(o->p, name);
    o->ok = o->ok && i >= 0 && o->p->params[i].kind == RG_PARAM_SCALAR;
}

/* A number, an integer of the problem, or what such make; NULL anything else. */
static const struct rg_expr *size_of(const struct positions *x, const struct rg_cnode *e)
{
    e = rg__c_uncast(e, RG__C_CASTS);
    if (e->kind == RG_C_INDEX || e->kind == RG_C_MEMBER || rg_scalar_is_real(e->type)) return NULL;
    const struct rg_expr *size = rg__c_to_expr(x->t, e, x->arena);
    struct only_params o = {x->p, true};
    if (size) rg_expr_names(size, check_param, &o);
    return size && o.ok ? size : NULL;
}

struct reached {
    const struct positions *x;
    bool any;
    int depth;
};

static void note_source(void *arg, const struct rg__value_source *s)
{
    struct reached *r = arg;
    const char *member;
    const struct rg_cnode *e = s->element;
    int p = r->x->t->arrays[e->array].param;
    r->any = r->any || real_element(r->x, e, &member) >= 0 || (p >= 0 && r->x->p->params[p].elem == RG_STRUCT);
    const struct rg__writes *w = &r->x->writes;
    for (int i = 0; i < w->n && p < 0 && !r->any && r->depth < MAX_DEPTH;
         i++) { /* kept in its own memory for a while */
        const struct rg__write *kept = &w->items[i];
        if (!kept->target || kept->target->array != e->array || !kept->value) continue;
        r->depth++;
        rg__sources(w, kept->value, note_source, r);
        r->depth--;
    }
}

/* Is it made of a real scalar, a share of what there is (`sorted[(int)(q * (n - 1))]`)? */
static bool of_scalar(const struct positions *x, const struct rg_cnode *e, int depth)
{
    e = rg__c_uncast(e, RG__C_CASTS);
    if (depth > MAX_DEPTH || e->kind == RG_C_INDEX) return false;
    if (real_scalar(x, e) >= 0) return true;
    if (e->kind == RG_C_VAR && e->array < 0)
        for (int i = 0; i < x->writes.n; i++)
            if (!x->writes.items[i].target && x->writes.items[i].var == e->var && x->writes.items[i].value &&
                of_scalar(x, x->writes.items[i].value, depth + 1))
                return true;
    for (int i = 0; i < e->n; i++)
        if (of_scalar(x, e->kid[i], depth + 1)) return true;
    return false;
}

static bool leads(const struct positions *x, const struct rg_cnode *e)
{
    if (x->scalars) return of_scalar(x, e, 0);
    struct reached r = {.x = x};
    rg__sources(&x->writes, e, note_source, &r);
    return r.any;
}

static const struct rg_expr *of_two(struct positions *x, enum rg_op op, const struct rg_expr *a,
                                    const struct rg_expr *b)
{
    struct rg_expr *q = rg_arena_alloc(x->arena, sizeof *q), **args = rg_arena_alloc(x->arena, 2 * sizeof *args);
    *q = (struct rg_expr){.kind = RG_EXPR_BINARY, .op = op, .n_args = 2};
    args[0] = rg_expr_clone(x->arena, a);
    args[1] = rg_expr_clone(x->arena, b);
    q->args = args;
    return q;
}

static void note(struct positions *x, const struct rg_cnode *e, struct bound b, int depth);

static int flatten(const struct rg_cnode *e, const struct rg_cnode **term, int n)
{
    e = rg__c_uncast(e, RG__C_CASTS);
    if (e->op == RG_COP_ADD && !rg_scalar_is_real(e->type))
        return flatten(e->kid[1], term, flatten(e->kid[0], term, n));
    if (n < MAX_TERMS) term[n] = e;
    return n + 1;
}

/* The size that a term is multiplied with: of `row * width + column` the column stays below it. */
static const struct rg_expr *width_of(const struct positions *x, const struct rg_cnode *e)
{
    if (e->op != RG_COP_MUL) return NULL;
    const struct rg_expr *width = size_of(x, e->kid[1]);
    return width ? width : size_of(x, e->kid[0]);
}

/* Of integers: each term that leads on, below what the others leave of the extent. */
static void note_terms(struct positions *x, const struct rg_cnode *e, struct bound b, int depth)
{
    const struct rg_cnode *term[MAX_TERMS];
    int n = flatten(e, term, 0);
    for (int i = 0; n <= MAX_TERMS && i < n; i++) {
        if (!leads(x, term[i])) continue;
        struct bound inner = b;
        for (int k = 0; k < n && !width_of(x, term[i]); k++)
            if (k != i && width_of(x, term[k])) inner.extent = width_of(x, term[k]);
        for (int k = 0; k < n; k++) {
            const struct rg_expr *size = k == i || width_of(x, term[k]) ? NULL : size_of(x, term[k]);
            if (size && inner.extent && (inner.extent == b.extent || size->kind == RG_EXPR_INT))
                inner.extent = of_two(x, RG_OP_SUB, inner.extent, size);
        }
        note(x, term[i], inner, depth + 1);
    }
}

static void note_sum(struct positions *x, const struct rg_cnode *e, struct bound b, int depth)
{
    if (!b.real && e->op == RG_COP_ADD) {
        note_terms(x, e, b, depth);
        return;
    }
    for (int i = 0; i < 2; i++) {
        const struct rg_cnode *one = e->kid[i], *other = e->kid[1 - i];
        if (!leads(x, one)) continue;
        if (b.real && real_scalar(x, other) >= 0) set_scalar(x, real_scalar(x, other), 0);
        note(x, one, b, depth + 1);
    }
}

static void note_product(struct positions *x, const struct rg_cnode *e, struct bound b, int depth)
{
    for (int i = 0; i < 2; i++) {
        const struct rg_cnode *one = e->kid[i], *other = rg__c_uncast(e->kid[1 - i], RG__C_CASTS);
        if (!leads(x, one) || (e->op == RG_COP_DIV && i)) continue;
        struct bound inner = b;
        const struct rg_expr *size = size_of(x, other);
        if (b.real && b.root && e->op == RG_COP_MUL && rg__c_equal(one, e->kid[1 - i]))
            inner.root = false;
        else if (b.real && real_scalar(x, other) >= 0 && !b.unit && rounds_by(x, one, real_scalar(x, other)) &&
                 b.extent) {
            struct place *q = place_of(x, real_scalar(x, other), NULL);
            q->scalar = q->period = true;
            q->below[0] = b.extent;
            q->n_below = 1;
            continue; /* d itself is noted beside them */
        } else if (b.real && scale(x, other, 0) >= 0)
            set_scalar(x, scale(x, other, 0), 1);
        else if (b.real && e->op == RG_COP_MUL)
            inner.unit = true; /* with a size, a literal, or what was made of such */
        else if (!b.real && e->op == RG_COP_MUL)
            inner.extent = size && b.extent ? of_two(x, RG_OP_DIV, b.extent, size) : NULL;
        note(x, one, inner, depth + 1);
    }
}

/* What a subscript, or a part of one, stays below. */
static void note(struct positions *x, const struct rg_cnode *e, struct bound b, int depth)
{
    if (depth > MAX_NOTE_DEPTH || x->notes++ > MAX_NOTES) return;
    const struct rg_cnode *c = rg__c_uncast(e, RG__C_CASTS);
    const char *member;
    b.real = b.real || rg_scalar_is_real(c->type);
    int p = b.real ? real_element(x, c, &member) : -1;
    if (b.real && p < 0 && x->scalars) p = real_scalar(x, c);
    if (p >= 0) {
        struct place *q = place_of(x, p, member);
        q->unit = q->unit || b.unit;
        bool seen = !b.extent;
        for (int i = 0; i < q->n_below && !seen; i++) seen = rg_expr_equal(q->below[i], b.extent);
        if (!seen && q->n_below < MAX_BELOW) q->below[q->n_below++] = b.extent;
    } else if (c->op == RG_COP_ADD || c->op == RG_COP_SUB) {
        note_sum(x, c, b, depth);
    } else if (c->op == RG_COP_MUL || c->op == RG_COP_DIV) {
        note_product(x, c, b, depth);
    } else if (c->kind == RG_C_VAR && c->array < 0) {
        for (int i = 0; i < x->writes.n; i++)
            if (!x->writes.items[i].target && x->writes.items[i].var == c->var && x->writes.items[i].value)
                note(x, x->writes.items[i].value, b, depth + 1);
    } else if (c->kind == RG_C_INDEX && x->t->arrays[c->array].param < 0) { /* kept in memory of the function's own */
        for (int i = 0; i < x->writes.n; i++)
            if (x->writes.items[i].target && x->writes.items[i].target->array == c->array && x->writes.items[i].value)
                note(x, x->writes.items[i].value, b, depth + 1);
    } else if (c->kind == RG_C_CALL || c->kind == RG_C_COND) { /* rounded, clamped, chosen */
        b.root = c->kind == RG_C_CALL && c->text && (!strcmp(c->text, "sqrt") || !strcmp(c->text, "sqrtf"));
        for (int i = c->kind == RG_C_COND; i < c->n; i++)
            if (leads(x, c->kid[i])) note(x, c->kid[i], b, depth + 1);
    }
}

static void note_reach(struct positions *x, const struct rg_cnode *e, const struct rg_expr *extent)
{
    x->scalars = false;
    x->scalars = !leads(x, e);
    if (leads(x, e)) note(x, e, (struct bound){.extent = extent}, 0);
}

static bool note_subscripts(void *arg, struct rg_cnode *n)
{
    struct positions *x = arg;
    if (n->kind != RG_C_INDEX) return true;
    const struct rg_carray *a = &x->t->arrays[n->array];
    const struct rg_cnode *linear = rg_c_linear(x->t, n);
    if (linear) {
        const struct rg_expr *extent = a->param >= 0 ? x->p->params[a->param].dims[0] : a->flat;
        note_reach(x, linear, extent);
        return true;
    }
    for (int d = 0; d < n->n; d++) note_reach(x, n->kid[d], a->dims && d < a->n_dims ? a->dims[d] : NULL);
    return true;
}

int rg_frontend_positions(const struct rg_problem *p, const struct rg_ctree *t, struct rg_arena *arena,
                          const char ***inputs)
{
    struct positions x = {.p = p, .t = t, .arena = arena};
    rg__writes_gather(&x.writes, t);
    rg__c_walk(t->root, note_subscripts, &x);
    const char **out = rg_arena_alloc(arena, (size_t)(x.n + 1) * sizeof *out);
    int n = 0;
    for (int i = 0; i < x.n; i++) {
        const struct place *q = &x.items[i];
        struct rg_buf text = RG_BUF_INIT;
        rg_buf_printf(&text, "%s%s%s=", p->params[q->param].name, q->member ? "." : "", q->member ? q->member : "");
        if (q->period) {
            rg_buf_str(&text, "constant(max(1, ");
            rg_expr_print(&text, q->below[0], NULL, NULL);
            rg_buf_str(&text, "))");
        } else if (q->scalar) {
            rg_buf_printf(&text, "constant(%g)", q->value);
        } else if (q->unit || !q->n_below) {
            rg_buf_str(&text, "uniform(0, 1)");
        } else {
            rg_buf_str(&text, "uniform(0, max(1, ");
            for (int k = 0; k < q->n_below; k++) {
                rg_buf_str(&text, k + 1 < q->n_below ? "min(" : "");
                rg_expr_print(&text, q->below[k], NULL, NULL);
                rg_buf_str(&text, k + 1 < q->n_below ? ", " : "");
            }
            for (int k = 1; k < q->n_below; k++) rg_buf_char(&text, ')');
            rg_buf_str(&text, "))");
        }
        out[n++] = rg_arena_strdup(arena, text.data);
        rg_buf_release(&text);
    }
    rg__writes_release(&x.writes);
    free(x.items);
    *inputs = out;
    return n;
}
