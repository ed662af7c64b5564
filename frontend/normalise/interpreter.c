/* The interpreter of the raw tree. */
#include "frontend/normalise/interpreter_parts.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_DEPTH = 1200, MOST_CELLS = 1 << 22 };
enum jump { NEXT, LEFT_LOOP, NEXT_ITERATION, RETURNED };

struct rg__run_frame {
    const struct rg_ctree *t;
    struct rg__value *vars, *arrays; /* arrays: pointers to where they begin */
    struct rg__value result;
    struct rg__run_frame *caller;
};

struct rg__value rg__value_int(int64_t i)
{
    return (struct rg__value){.kind = RG__VALUE_INT, .i = i, .object = -1};
}

struct rg__value rg__value_real(double d)
{
    return (struct rg__value){.kind = RG__VALUE_REAL, .d = d, .object = -1};
}

struct rg__value rg__run_stop(struct rg__interpreter *r, enum rg__run_status s)
{
    if (r->status == RG__RUN_OK) r->status = s;
    return rg__run_unset;
}

static struct rg__run_frame *frame_new(const struct rg_ctree *t, struct rg__run_frame *caller)
{
    struct rg__run_frame *f = rg_xcalloc(1, sizeof *f);
    f->t = t;
    f->vars = rg_xcalloc((size_t)t->n_vars + 1, sizeof *f->vars);
    f->arrays = rg_xcalloc((size_t)t->n_arrays + 1, sizeof *f->arrays);
    f->caller = caller;
    return f;
}

static void frame_free(struct rg__run_frame *f)
{
    free(f->vars);
    free(f->arrays);
    free(f);
}

void rg__interpreter_init(struct rg__interpreter *r, const struct rg__build *b)
{
    *r = (struct rg__interpreter){.b = b, .t = b->t, .most_steps = INT64_MAX, .key_object = -1};
    r->frame = frame_new(b->t, NULL);
}

static void forget_objects(struct rg__interpreter *r)
{
    for (int i = 0; i < r->n_objects; i++) free(r->objects[i].cells);
    r->n_objects = 0;
}

void rg__interpreter_reset(struct rg__interpreter *r)
{
    forget_objects(r);
    r->status = RG__RUN_OK;
    r->steps = 0;
    memset(r->frame->vars, 0, (size_t)r->t->n_vars * sizeof *r->frame->vars);
    memset(r->frame->arrays, 0, (size_t)r->t->n_arrays * sizeof *r->frame->arrays);
}

void rg__interpreter_release(struct rg__interpreter *r)
{
    forget_objects(r);
    frame_free(r->frame);
    free(r->objects);
    free(r->branches);
}

int rg__interpreter_object(struct rg__interpreter *r, int64_t n)
{
    if (n < 0 || n > MOST_CELLS) {
        rg__run_stop(r, n < 0 ? RG__RUN_UNDEFINED : RG__RUN_UNABLE);
        n = 0;
    }
    RG_GROW(r->objects, r->n_objects, r->cap_objects);
    r->objects[r->n_objects] =
        (struct rg__run_object){.n = n, .cells = rg_xcalloc((size_t)n + 1, sizeof(struct rg__value))};
    return r->n_objects++;
}

struct rg__value rg__run_pointer(int object, int64_t at)
{
    return (struct rg__value){.kind = RG__VALUE_POINTER, .i = at, .object = object};
}

void rg__interpreter_set_var(struct rg__interpreter *r, int var, struct rg__value v)
{
    r->frame->vars[var] = v;
}

struct rg__value rg__interpreter_var(const struct rg__interpreter *r, int var)
{
    return r->frame->vars[var];
}

void rg__interpreter_set_array(struct rg__interpreter *r, int array, int object)
{
    r->frame->arrays[array] = rg__run_pointer(object, 0);
}

int rg__interpreter_array(const struct rg__interpreter *r, int array)
{
    const struct rg__value *v = &r->frame->arrays[array];
    return v->kind == RG__VALUE_POINTER ? v->object : -1;
}

/* ---- values ---- */

static struct rg__value value_of(struct rg__interpreter *r, const struct rg_cnode *e);

static bool truth(struct rg__interpreter *r, const struct rg_cnode *e)
{
    struct rg__value v = value_of(r, e);
    rg__run_used(r, &v);
    bool yes = v.kind == RG__VALUE_INT    ? v.i != 0
               : v.kind == RG__VALUE_REAL ? v.d != 0
                                          : v.kind == RG__VALUE_POINTER && v.object >= 0;
    if (v.kind == RG__VALUE_UNSET || v.kind == RG__VALUE_RECORD) rg__run_stop(r, RG__RUN_UNDEFINED);
    return yes;
}

/* A condition that decides what is run. */
static bool decides(struct rg__interpreter *r, const struct rg_cnode *e)
{
    bool yes = truth(r, e);
    if (r->status == RG__RUN_OK) rg__interpreter_saw(r, e, yes);
    return yes;
}

struct env {
    struct rg__interpreter *r;
};

static int named(void *arg, const char *name, int64_t *out)
{
    struct env *e = arg;
    struct rg__run_frame *f = e->r->frame;
    for (int v = 0; v < f->t->n_vars; v++)
        if (!strcmp(f->t->vars[v].name, name) && f->vars[v].kind == RG__VALUE_INT) {
            *out = f->vars[v].i;
            return 1;
        }
    return 0;
}

bool rg__interpreter_extent(struct rg__interpreter *r, const struct rg_expr *e, int64_t *out)
{
    struct env env = {r};
    struct rg_expr_env x = {.arg = &env, .name = named};
    return e && rg_expr_eval(e, &x, out, NULL) == RG_OK;
}

/* The memory of a constant table. */
static struct rg__value table(struct rg__interpreter *r, int array)
{
    const struct rg_carray *a = &r->frame->t->arrays[array];
    int64_t n;
    if (!rg__interpreter_extent(r, a->dims[0], &n)) return rg__run_stop(r, RG__RUN_UNABLE);
    int o = rg__interpreter_object(r, n);
    for (int64_t i = 0; i < r->objects[o].n; i++) r->objects[o].cells[i] = rg__value_int(a->values[i]);
    return r->frame->arrays[array] = rg__run_pointer(o, 0);
}

/* Where an INDEX is, or an array's name points. */
static struct rg__value place_of(struct rg__interpreter *r, const struct rg_cnode *e)
{
    struct rg__value p = r->frame->arrays[e->array];
    const struct rg_carray *a = &r->frame->t->arrays[e->array];
    if (p.kind != RG__VALUE_POINTER && a->values) p = table(r, e->array);
    if (p.kind != RG__VALUE_POINTER) return rg__run_stop(r, RG__RUN_UNABLE);
    int64_t at = 0;
    int n = e->kind == RG_C_INDEX ? e->n : 0;
    for (int d = 0; d < n || (n && d < a->n_dims); d++) {
        int64_t m = 1;
        if (d && !rg__interpreter_extent(r, a->dims[d], &m)) return rg__run_stop(r, RG__RUN_UNABLE);
        struct rg__value k = d < n ? value_of(r, e->kid[d]) : rg__value_int(0);
        if (k.kind != RG__VALUE_INT) return rg__run_stop(r, RG__RUN_UNDEFINED);
        if (p.object != r->key_object) rg__run_used(r, &k);
        at = at * m + k.i;
    }
    p.i += at;
    return p;
}

static struct rg__value *cell(struct rg__interpreter *r, struct rg__value p)
{
    if (p.kind != RG__VALUE_POINTER || p.object < 0) {
        rg__run_stop(r, RG__RUN_UNDEFINED);
        return NULL;
    }
    struct rg__run_object *o = &r->objects[p.object];
    if (o->grows && p.i >= o->n && p.i < MOST_CELLS) {
        int64_t n = 2 * p.i + 8;
        o->cells = rg_xrealloc(o->cells, (size_t)n * sizeof *o->cells);
        memset(o->cells + o->n, 0, (size_t)(n - o->n) * sizeof *o->cells);
        o->n = n;
    }
    if (p.i < 0 || p.i >= o->n) {
        rg__run_stop(r, RG__RUN_UNDEFINED);
        return NULL;
    }
    return &o->cells[p.i];
}

/* The pointer that an expression in front of [], * or & gives. */
static struct rg__value address(struct rg__interpreter *r, const struct rg_cnode *e)
{
    if ((e->kind == RG_C_VAR && e->array >= 0) || e->kind == RG_C_INDEX) return place_of(r, e);
    if (e->kind == RG_C_UNARY && e->op == RG_COP_DEREF) return value_of(r, e->kid[0]);
    if (e->kind == RG_C_COND) return address(r, decides(r, e->kid[0]) ? e->kid[1] : e->kid[2]);
    return rg__run_stop(r, RG__RUN_UNABLE);
}

static struct rg__value load(struct rg__interpreter *r, const struct rg_cnode *e)
{
    if (e->kind == RG_C_VAR && e->array < 0) return r->frame->vars[e->var];
    struct rg__value *c = cell(r, address(r, e));
    return c ? *c : rg__run_unset;
}

static struct rg__value store(struct rg__interpreter *r, const struct rg_cnode *to, struct rg__value v)
{
    if (r->status != RG__RUN_OK) return rg__run_unset;
    if (to->kind == RG_C_VAR && to->array >= 0) { /* a pointer variable */
        if (v.kind != RG__VALUE_POINTER) return rg__run_stop(r, RG__RUN_UNABLE);
        r->frame->arrays[to->array] = v;
    } else if (to->kind == RG_C_VAR) {
        r->frame->vars[to->var] = v;
    } else {
        struct rg__value *c = cell(r, address(r, to));
        if (c) *c = v;
    }
    return v;
}

static enum rg_scalar type_of(const struct rg__interpreter *r, const struct rg_cnode *e)
{
    if (e->kind == RG_C_VAR && e->array < 0) return r->frame->t->vars[e->var].type;
    return e->type;
}

static struct rg__value call(struct rg__interpreter *r, const struct rg_cnode *e);

static struct rg__value evaluated(struct rg__interpreter *r, const struct rg_cnode *e)
{
    struct rg__value a, b;
    enum rg_scalar type;
    switch (e->kind) {
    case RG_C_INT:
        return rg__value_int(e->ivalue);
    case RG_C_REAL:
        return rg__value_real(e->type == RG_F32 ? (double)(float)e->rvalue : e->rvalue);
    case RG_C_VAR:
        if (e->array >= 0) return place_of(r, e);
        return load(r, e);
    case RG_C_INDEX:
        return e->pointer ? place_of(r, e) : load(r, e);
    case RG_C_MEMBER:
        if (e->n != 1 || e->pointer) return rg__run_stop(r, RG__RUN_UNABLE);
        a = value_of(r, e->kid[0]);
        if (a.kind != RG__VALUE_RECORD || !r->member)
            return rg__run_stop(r, a.kind == RG__VALUE_UNSET ? RG__RUN_UNDEFINED : RG__RUN_UNABLE);
        if (r->member_read && strcmp(r->member_read, e->text) != 0) r->members_differ = true;
        r->member_read = e->text;
        return r->member(r->arg, a.i, e->text);
    case RG_C_UNARY:
        if (e->op == RG_COP_ADDRESS) return address(r, e->kid[0]);
        if (e->op == RG_COP_DEREF) return load(r, e);
        if (e->op == RG_COP_NOT) return rg__value_int(!truth(r, e->kid[0]));
        a = value_of(r, e->kid[0]);
        type = rg__scalar_common(type_of(r, e->kid[0]), RG_I32);
        if (e->op == RG_COP_POS) return a;
        if (a.kind != RG__VALUE_INT && a.kind != RG__VALUE_REAL) return rg__run_stop(r, RG__RUN_UNDEFINED);
        rg__run_used(r, &a);
        if (e->op == RG_COP_NEG && a.kind == RG__VALUE_REAL) return rg__value_real(-a.d);
        if (a.kind != RG__VALUE_INT) return rg__run_stop(r, RG__RUN_UNABLE);
        return rg__value_int(rg__run_wrapped(e->op == RG_COP_NEG ? (int64_t)(0 - (uint64_t)a.i) : ~a.i, type));
    case RG_C_BINARY:
        if (rg_c_lazy(e->op)) {
            bool yes = decides(r, e->kid[0]);
            if (yes == (e->op == RG_COP_AND) && r->status == RG__RUN_OK) yes = decides(r, e->kid[1]);
            return rg__value_int(yes);
        }
        a = value_of(r, e->kid[0]);
        b = value_of(r, e->kid[1]);
        return rg__run_applied(r, e->op, a, type_of(r, e->kid[0]), b, type_of(r, e->kid[1]), e->type);
    case RG_C_ASSIGN:
        type = type_of(r, e->kid[0]);
        if (e->op == RG_COP_SET) {
            a = value_of(r, e->kid[1]);
            if (a.kind == RG__VALUE_UNSET) return rg__run_stop(r, RG__RUN_UNDEFINED);
            return store(r, e->kid[0], rg__run_converted(r, a, type, type_of(r, e->kid[1])));
        }
        b = value_of(r, e->kid[1]);
        a = value_of(r, e->kid[0]);
        a = rg__run_applied(r, rg_c_applied(e->op), a, type, b, type_of(r, e->kid[1]),
                            rg_c_applied(e->op) == RG_COP_SHL || rg_c_applied(e->op) == RG_COP_SHR
                                ? type
                                : rg__scalar_common(type, type_of(r, e->kid[1])));
        enum rg_scalar from = a.kind == RG__VALUE_REAL ? RG_F64 : RG_LONG;
        return store(r, e->kid[0], rg__run_converted(r, a, type, from));
    case RG_C_INCDEC:
        type = type_of(r, e->kid[0]);
        a = load(r, e->kid[0]);
        b = rg__run_applied(r, e->op == RG_COP_PRE_INC || e->op == RG_COP_POST_INC ? RG_COP_ADD : RG_COP_SUB, a, type,
                            rg__value_int(1), RG_I32, rg__scalar_common(type, RG_I32));
        b = rg__run_converted(r, b, type, rg__scalar_common(type, RG_I32));
        store(r, e->kid[0], b);
        return e->op == RG_COP_POST_INC || e->op == RG_COP_POST_DEC ? a : b;
    case RG_C_COND:
        type = e->type;
        const struct rg_cnode *arm = decides(r, e->kid[0]) ? e->kid[1] : e->kid[2];
        a = value_of(r, arm);
        return type == RG_STRUCT || e->pointer ? a : rg__run_converted(r, a, type, type_of(r, arm));
    case RG_C_CALL:
        return call(r, e);
    case RG_C_CAST:
        if (e->pointer) return value_of(r, e->kid[0]);
        if (e->text && e->type == RG_STRUCT) return rg__run_stop(r, RG__RUN_UNABLE);
        return rg__run_converted(r, value_of(r, e->kid[0]), e->type, type_of(r, e->kid[0]));
    case RG_C_COMMA:
        a = rg__run_unset;
        for (int i = 0; i < e->n; i++) a = value_of(r, e->kid[i]);
        return a;
    default:
        return rg__run_stop(r, RG__RUN_UNABLE);
    }
}

static struct rg__value value_of(struct rg__interpreter *r, const struct rg_cnode *e)
{
    if (r->status != RG__RUN_OK) return rg__run_unset;
    if (++r->steps > r->most_steps) return rg__run_stop(r, RG__RUN_UNABLE);
    return evaluated(r, e);
}

struct rg__value rg__interpreter_value(struct rg__interpreter *r, const struct rg_cnode *e)
{
    return value_of(r, e);
}

/* ---- statements ---- */

static enum jump run(struct rg__interpreter *r, const struct rg_cnode *s);

static void declare(struct rg__interpreter *r, const struct rg_cnode *s)
{
    if (s->array < 0) {
        if (s->var < 0) {
            rg__run_stop(r, RG__RUN_UNABLE);
            return;
        }
        struct rg__value v = s->n ? value_of(r, s->kid[0]) : rg__run_unset;
        const struct rg_cvar *to = &r->frame->t->vars[s->var];
        if (s->n) v = to->type == RG_STRUCT ? v : rg__run_converted(r, v, to->type, type_of(r, s->kid[0]));
        r->frame->vars[s->var] = v;
        return;
    }
    const struct rg_carray *a = &r->frame->t->arrays[s->array];
    if (a->view) { /* a pointer variable */
        r->frame->arrays[s->array] = s->n ? value_of(r, s->kid[0]) : rg__run_unset;
        return;
    }
    int64_t n = 1, m;
    bool grows = a->n_dims == 1 && !a->dims[0] && !a->flat;
    for (int d = 0; d < a->n_dims && !grows; d++) {
        if (!rg__interpreter_extent(r, a->dims[d], &m) &&
            !(d == 0 && a->flat && rg__interpreter_extent(r, a->flat, &m))) {
            rg__run_stop(r, RG__RUN_UNABLE);
            return;
        }
        if (m < 0) m = 0;
        n = n * m > MOST_CELLS ? (int64_t)MOST_CELLS + 1 : n * m;
    }
    int o = rg__interpreter_object(r, n);
    if (r->status != RG__RUN_OK) return;
    r->objects[o].grows = grows;
    const struct rg_cnode *list = s->n ? s->kid[0] : NULL;
    if (list && (list->kind != RG_C_INITLIST || a->n_dims != 1 || list->text || a->elem == RG_STRUCT || list->n > n)) {
        rg__run_stop(r, RG__RUN_UNABLE);
        return;
    }
    for (int64_t i = 0; list && i < n; i++) {
        struct rg__value v = i < list->n ? value_of(r, list->kid[i]) : rg__value_int(0);
        r->objects[o].cells[i] = rg__run_converted(r, v, a->elem, i < list->n ? type_of(r, list->kid[i]) : RG_I32);
    }
    r->frame->arrays[s->array] = rg__run_pointer(o, 0);
}

/* condition NULL: for ever */
static enum jump loop(struct rg__interpreter *r, const struct rg_cnode *condition, const struct rg_cnode *step,
                      const struct rg_cnode *body, bool first)
{
    for (;; first = false) {
        if (!first && condition && !decides(r, condition)) break;
        if (r->status != RG__RUN_OK || ++r->steps > r->most_steps) {
            rg__run_stop(r, RG__RUN_UNABLE);
            return RETURNED;
        }
        enum jump j = run(r, body);
        if (j == LEFT_LOOP) break;
        if (j == RETURNED) return j;
        if (step) run(r, step);
    }
    return r->status == RG__RUN_OK ? NEXT : RETURNED;
}

static enum jump run(struct rg__interpreter *r, const struct rg_cnode *s)
{
    if (!s) return NEXT;
    if (r->status != RG__RUN_OK) return RETURNED;
    if (rg__c_is_expr(s)) {
        value_of(r, s);
        return NEXT;
    }
    if (++r->steps > r->most_steps) rg__run_stop(r, RG__RUN_UNABLE);
    switch (s->kind) {
    case RG_C_BLOCK:
        for (int i = 0; i < s->n; i++) {
            enum jump j = run(r, s->kid[i]);
            if (j != NEXT) return j;
        }
        return NEXT;
    case RG_C_STMT:
        value_of(r, s->kid[0]);
        break;
    case RG_C_DECL:
        declare(r, s);
        break;
    case RG_C_IF: {
        bool yes = decides(r, s->kid[0]);
        if (r->status != RG__RUN_OK) return RETURNED;
        return yes ? run(r, s->kid[1]) : s->n > 2 ? run(r, s->kid[2]) : NEXT;
    }
    case RG_C_FOR:
        if (s->kid[0]) run(r, s->kid[0]);
        return loop(r, s->kid[1], s->kid[2], s->kid[3], false);
    case RG_C_WHILE:
        return loop(r, s->kid[0], NULL, s->kid[1], false);
    case RG_C_DO:
        return loop(r, s->kid[1], NULL, s->kid[0], true);
    case RG_C_BREAK:
        return LEFT_LOOP;
    case RG_C_CONTINUE:
        return NEXT_ITERATION;
    case RG_C_RETURN:
        if (s->n) r->frame->result = value_of(r, s->kid[0]);
        return RETURNED;
    default:
        rg__run_stop(r, RG__RUN_UNABLE);
    }
    return r->status == RG__RUN_OK ? NEXT : RETURNED;
}

bool rg__interpreter_run(struct rg__interpreter *r, const struct rg_cnode *s)
{
    return run(r, s) == RETURNED;
}

/* ---- calls ---- */

static struct rg__value call(struct rg__interpreter *r, const struct rg_cnode *e)
{
    if (!strcmp(e->text, "rg_free")) return rg__value_int(0);
    const struct rg__helper_tree *h = rg__helper_tree(r->b, e->text);
    if (!h && e->n == 1) {
        struct rg__value v = value_of(r, e->kid[0]);
        return rg__run_bits(r, e->text, &v) ? v : rg__run_stop(r, RG__RUN_UNABLE);
    }
    if (!h || h->n_params != e->n || r->depth >= MOST_DEPTH) return rg__run_stop(r, RG__RUN_UNABLE);
    struct rg__run_frame *f = frame_new(h->t, r->frame);
    for (int i = 0; i < e->n && r->status == RG__RUN_OK; i++) {
        struct rg__value v = value_of(r, e->kid[i]);
        if (h->params[i].array >= 0)
            f->arrays[h->params[i].array] = v.kind == RG__VALUE_POINTER ? v : rg__run_stop(r, RG__RUN_UNABLE);
        else
            f->vars[h->params[i].var] =
                rg__run_converted(r, v, h->t->vars[h->params[i].var].type, type_of(r, e->kid[i]));
    }
    r->frame = f;
    r->depth++;
    for (int i = 0; i < h->prologue->n; i++) run(r, h->prologue->kid[i]);
    run(r, h->body);
    r->depth--;
    r->frame = f->caller;
    struct rg__value v = f->result;
    frame_free(f);
    if (v.kind == RG__VALUE_UNSET) return rg__value_int(0);
    return h->result == RG_STRUCT ? v : rg__run_converted(r, v, h->result, v.kind == RG__VALUE_REAL ? RG_F64 : RG_LONG);
}
