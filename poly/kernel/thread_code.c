/* What one thread runs of a kernel, in kernel IR: loops with the elements that they keep updating in registers, stores
 * under their conditions, updates that meet those of other threads as atomics. */
#include "poly/kernel/thread_code.h"
#include "ir/ctree_util.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- elements ---- */

static const struct poly_access *access_of(const struct poly_scop *s, const struct rg_cnode *index)
{
    for (int i = 0; i < s->n_accesses; i++)
        if (s->accesses[i].node == index) return &s->accesses[i];
    return NULL;
}

/* This thread's part of what a loop that is shared accumulates. */
static struct kir_node *of_accumulator(struct poly_thread *t, const struct rg_cnode *index)
{
    for (int i = 0; i < t->n_acc; i++) {
        if (t->acc[i].of.array != index->array) continue;
        const struct poly_access *a = access_of(t->p->scop, index);
        if (!a || a->target) return rg__kir_name(t->k, t->acc[i].scalar); /* else another element */
    }
    return NULL;
}

/* What iterations before have stored. */
static struct kir_node *of_kept(struct poly_thread *t, const struct poly_access *a)
{
    for (int i = 0; a && i < t->n_kept; i++) {
        int d = rg__poly_forwarded(t->p->scop, &t->kept[i].of, a);
        if (d) return rg__kir_name(t->k, t->kept[i].scalar[d]);
    }
    return NULL;
}

/* What was loaded at once, or ahead. */
static struct kir_node *of_several(struct poly_thread *t, const struct poly_access *a)
{
    for (int i = 0; a && i < t->n_several; i++)
        if (t->several[i].access->array == a->array && rg__poly_same_element(t->several[i].access, a))
            return rg__kir_at(t->k, t->several[i].buffer, 1, t->several[i].at);
    return NULL;
}

/* Of a copy whose elements stand in a row. */
static struct kir_node *in_row(struct poly_thread *t, int array, struct kir_node *const *subs)
{
    struct kir_kernel *k = t->k;
    const struct rg_carray *c = &t->p->scop->tree->arrays[array];
    struct kir_node *at = subs[0];
    for (int d = 1; d < c->n_dims; d++) {
        struct kir_node *extent = rg__kir_of_extent(t->names, c->dims[d]);
        if (!extent) return NULL;
        at = rg__kir_add(k, rg__kir_mul(k, at, rg__kir_cast(k, RG_I32, extent)), subs[d]);
    }
    return rg__kir_at(k, t->own[array], 1, at);
}

/* Rows and columns that C has as one subscript: so it is here. */
static struct kir_node *as_written(struct poly_thread *t, const struct rg_cnode *index)
{
    const struct rg_cnode *linear = rg_c_linear(t->p->scop->tree, index);
    struct kir_node *subs[KIR_MAX_DIMS];
    int b = linear && index->n <= KIR_MAX_DIMS ? rg__kir_buffer_of(t->names, index->array) : -1;
    if (b < 0 || t->k->symbols[b].space != KIR_GLOBAL) return NULL;
    for (int d = 0; d + 1 < index->n; d++) subs[d] = rg__kir_int(t->k, 0);
    subs[index->n - 1] = rg__kir_of(t->names, linear);
    return subs[index->n - 1] ? rg__kir_element(t->k, b, index->n, subs) : NULL;
}

static struct kir_node *element(void *arg, struct kir_names *names, const struct rg_cnode *index,
                                struct kir_node *const *subs)
{
    struct poly_thread *t = arg;
    (void)names;
    if (t->updated && rg__c_same(t->updated, index, RG__C_UNCAST)) return rg__kir_name(t->k, t->old);
    struct kir_node *acc = t->pass ? t->pass->element(t->pass->arg, index) : NULL;
    if (!acc) acc = of_accumulator(t, index);
    if (acc) return acc;
    for (int i = 0; i < t->n_held; i++)
        if (t->held[i].array == index->array) return t->held[i].is;
    if (t->own && t->own[index->array] >= 0) return in_row(t, index->array, subs);
    const struct poly_access *a = t->n_kept || t->n_several || t->staged ? access_of(t->p->scop, index) : NULL;
    struct kir_node *own = of_kept(t, a);
    if (!own) own = of_several(t, a);
    if (!own && a && t->staged) own = t->staged(t->staged_arg, a);
    return own ? own : as_written(t, index);
}

/* ---- atomics ---- */

/* Is there an instruction for it? */
static bool is_native(enum poly_op op, enum rg_scalar t, enum kir_atomic *atomic)
{
    static const enum kir_atomic of[] = {
        [POLY_OP_ADD] = KIR_ATOMIC_ADD, [POLY_OP_MIN] = KIR_ATOMIC_MIN, [POLY_OP_MAX] = KIR_ATOMIC_MAX,
        [POLY_OP_AND] = KIR_ATOMIC_AND, [POLY_OP_OR] = KIR_ATOMIC_OR,   [POLY_OP_XOR] = KIR_ATOMIC_XOR};
    if (op == POLY_OP_MUL || (rg_scalar_is_real(t) && op != POLY_OP_ADD)) return false;
    *atomic = of[op];
    return true;
}

struct kir_node *rg__poly_kir_atomic_op(struct kir_kernel *k, enum kir_scope scope, enum poly_op op,
                                        struct kir_node *element, struct kir_node *value)
{
    enum kir_atomic atomic;
    if (is_native(op, element->type, &atomic)) return rg__kir_atomic(k, atomic, scope, element, value, NULL, -1);
    int old = rg__kir_value(k, "old", element->type);
    return rg__kir_update(k, scope, element, old, rg__poly_kir_combined(k, op, rg__kir_name(k, old), value),
                          op == POLY_OP_MIN || op == POLY_OP_MAX);
}

struct standing {
    const struct rg_cnode *member;
    int old;
};

static struct kir_node *as_old(void *arg, struct kir_kernel *k, struct kir_node *n)
{
    struct standing *s = arg;
    return n->kind == KIR_QUOTED && rg__c_same(n->tree, s->member, RG__C_UNCAST) ? rg__kir_name(k, s->old) : n;
}

/* What C says, over the value that stands there. */
static struct kir_node *by_exchange(struct poly_thread *t, const struct poly_access *a, const struct rg_cnode *e,
                                    struct kir_node *place, enum kir_scope scope)
{
    struct kir_kernel *k = t->k;
    struct kir_node *value;
    int old = rg__kir_value(k, "old", a->update_type);
    bool one_way = a->update == POLY_OP_MIN || a->update == POLY_OP_MAX;
    if (e->kind == RG_C_INCDEC) {
        value = rg__kir_binary(k, rg_c_increments(e->op) ? RG_COP_ADD : RG_COP_SUB, rg__kir_name(k, old),
                               rg__kir_int(k, 1));
    } else {
        const struct rg_cnode *updated = t->updated;
        int was = t->old;
        struct standing member = {e->kid[0], old};
        const bool whole = e->kid[0]->kind == RG_C_INDEX; /* else other members are what they are */
        t->updated = whole ? a->node : updated;
        t->old = whole ? old : was;
        value = rg__kir_of(t->names, e->kid[1]);
        t->updated = updated;
        t->old = was;
        if (value && !whole) value = rg__kir_rewrite(k, value, as_old, &member);
        if (value && e->op != RG_COP_SET) value = rg__kir_binary(k, rg_c_applied(e->op), rg__kir_name(k, old), value);
    }
    return value ? rg__kir_update(k, scope, place, old, value, one_way) : NULL;
}

static struct kir_node *assign(void *arg, struct kir_names *names, const struct rg_cnode *e)
{
    struct poly_thread *t = arg;
    struct kir_kernel *k = t->k;
    struct poly_update u;
    enum kir_atomic atomic;
    if (!rg__poly_update_of(t->p->scop, t->kernel, e, &u)) return NULL;
    for (int i = 0; i < t->n_acc; i++)
        if (t->acc[i].of.array == u.access->array) return NULL; /* goes to this thread's own */
    enum kir_scope scope = t->own && t->own[u.access->array] >= 0 ? KIR_BLOCK : KIR_GRID;
    struct kir_node *place = rg__kir_of(names, e->kid[0]), *value = NULL, *when = NULL;
    if (!place) return NULL;
    if (!u.known || !is_native(u.access->update, place->type, &atomic))
        return by_exchange(t, u.access, e, place, scope);
    value = u.value ? rg__kir_of(names, u.value) : rg__kir_int(k, 1);
    if (!value || (u.condition && !(when = rg__kir_of(names, u.condition)))) return NULL;
    value = rg__kir_cast(k, place->type, value);
    if (u.minus) value = rg__kir_unary(k, RG_COP_NEG, value); /* once converted: -(unsigned int)v is no 64-bit -v */
    struct kir_node *s = rg__kir_atomic(k, atomic, scope, place, value, NULL, -1);
    if (!when) return s;
    struct kir_node *branch = rg__kir_if(k, u.negated ? rg__kir_unary(k, RG_COP_NOT, when) : when);
    rg__kir_add_to(k, rg__kir_body(branch), s);
    return branch;
}

/* ---- statements ---- */

/* a = c ? x : a: memory is written where c holds alone. */
static struct kir_node *under(struct poly_thread *t, const struct rg_cnode *n)
{
    const struct rg_cnode *value;
    bool negated;
    if (!rg__poly_store_under(t->p, t->kernel, n, &value, &negated)) return NULL;
    struct kir_node *place = rg__kir_of(t->names, n->kid[0]->kid[0]),
                    *when = rg__kir_of(t->names, n->kid[0]->kid[1]->kid[0]), *x = rg__kir_of(t->names, value);
    if (!place || !when || !x || place->kind != KIR_ELEMENT || t->k->symbols[place->symbol].space == KIR_REGISTER)
        return NULL;
    struct kir_node *branch = rg__kir_if(t->k, negated ? rg__kir_unary(t->k, RG_COP_NOT, when) : when);
    rg__kir_add_to(t->k, rg__kir_body(branch), rg__kir_store(t->k, place, x));
    branch->line = n->line;
    return branch;
}

/* The end of the function, which is the last of its statements: what it returns is stored. */
static struct kir_node *returned(struct poly_thread *t, const struct rg_cnode *n)
{
    int array = t->names->t->result_array, b = array >= 0 ? rg__kir_buffer_of(t->names, array) : -1;
    if (!n->n || !n->kid[0] || array < 0) return rg__kir_seq(t->k);
    struct kir_node *value = b >= 0 ? rg__kir_of(t->names, n->kid[0]) : NULL;
    return value ? rg__kir_store(t->k, rg__kir_at(t->k, b, 1, rg__kir_int(t->k, 0)), value) : NULL;
}

static bool leaf(struct poly_thread *t, struct kir_node *seq, const struct rg_cnode *n)
{
    bool done = false, ok = !t->pass || t->pass->leaf(t->pass->arg, seq, n, &done);
    if (!ok || done) return ok;
    if (t->n_acc && !rg__poly_acc_key(t, seq, n)) return false;
    struct kir_node *s = rg__poly_keeping(t, n);
    if (!s && *t->names->why) return false;
    if (!s && !t->pass) s = under(t, n);
    *t->names->why = 0;
    if (!s) s = n->kind == RG_C_RETURN ? returned(t, n) : rg__kir_statement(t->names, n);
    if (s) rg__kir_add_to(t->k, seq, s);
    return s != NULL;
}

static bool branch_code(struct poly_thread *t, struct kir_node *seq, const struct poly_knode *n)
{
    struct kir_node *when = rg__kir_of(t->names, n->node->kid[0]);
    if (!when) return false;
    struct kir_node *branch = rg__kir_if(t->k, when);
    if (!rg__poly_add_code(t, rg__kir_body(branch), n->kid[0])) return false;
    if (n->n > 1 && n->kid[1] && !rg__poly_add_code(t, rg__kir_else(t->k, branch), n->kid[1])) return false;
    branch->line = n->node->line;
    rg__kir_add_to(t->k, seq, branch);
    return true;
}

bool rg__poly_add_code(struct poly_thread *t, struct kir_node *seq, const struct poly_knode *n)
{
    if (!n) return true;
    switch (n->kind) {
    case KN_SEQ:
        for (int i = 0; i < n->n; i++)
            if (i + 1 < n->n && rg__poly_sets_held(t, n->kid[i], n->kid[i + 1]))
                t->just_set = n->kid[i]->node->kid[0];
            else if (!rg__poly_add_code(t, seq, n->kid[i]))
                return false;
        return true;
    case KN_LEAF:
        return leaf(t, seq, n->node);
    case KN_IF:
        return branch_code(t, seq, n);
    case KN_LOOP:
        return rg__poly_add_loop(t, seq, n);
    }
    return false;
}

/* ---- names for what a step put in place of the file's loop variables ---- */

struct naming {
    struct poly_thread *t;
    struct kir_node *seq;
};

/* Over parameters and the variables of dimensions and of host loops. */
static bool is_outer(const struct poly_thread *t, const struct rg_cnode *e)
{
    const struct poly_scop *s = t->p->scop;
    if (e->kind == RG_C_INDEX || e->kind == RG_C_VERBATIM) return false;
    if (e->kind == RG_C_VAR) {
        bool known = e->array < 0 && s->tree->vars[e->var].kind == RG_CVAR_PARAM && !s->tree->vars[e->var].assigned;
        for (int h = 0; h < t->kernel->n_host; h++) known = known || s->loops[t->kernel->host[h]].var == e->var;
        for (int d = 0; d < t->kernel->n_dims; d++) known = known || s->loops[t->kernel->dims[d]].var == e->var;
        return known;
    }
    for (int i = 0; i < e->n; i++)
        if (!is_outer(t, e->kid[i])) return false;
    return true;
}

static struct kir_node *named(void *arg, struct kir_names *names, const struct rg_cnode *e)
{
    struct poly_thread *t = arg;
    (void)names;
    struct kir_node *kept = t->pass ? t->pass->value(t->pass->arg, e) : NULL;
    if (kept || !e->value_of) return kept;
    for (int i = 0; i < t->n_named; i++)
        if (t->named[i].node->value_of == e->value_of)
            return rg__c_same(t->named[i].node, e, RG__C_UNCAST) ? t->named[i].name : NULL;
    return NULL;
}

static bool name_value(void *arg, struct rg_cnode *e)
{
    struct naming *n = arg;
    struct poly_thread *t = n->t;
    if (!e->value_of) return true;
    for (int i = 0; i < t->n_named; i++)
        if (t->named[i].node->value_of == e->value_of) return true;
    struct rg_cnode bare = *e;
    bare.value_of = 0;
    struct kir_node *value = t->n_named < POLY_NAMED && is_outer(t, e) ? rg__kir_of(t->names, &bare) : NULL;
    if (!value) return true;
    enum rg_scalar type = t->names->t->vars[e->value_of - 1].type;
    type = rg_scalar_bytes(type) < 4 ? RG_I32 : type;
    int s = rg__kir_symbol_of(t->names, KIR_VALUE, e->value_of - 1, type);
    rg__kir_add_to(t->k, n->seq, rg__kir_let(t->k, s, rg__kir_cast(t->k, type, value)));
    t->named[t->n_named].node = e;
    t->named[t->n_named++].name = rg__kir_name(t->k, s);
    return true;
}

static bool name_values(void *arg, const struct poly_knode *k)
{
    for (int i = 0; k->kind == KN_LOOP && i < k->node->n; i++)
        if (i != 2) rg__c_walk(k->node->kid[i], name_value, arg);
    if (k->kind == KN_LEAF) rg__c_walk((struct rg_cnode *)k->node, name_value, arg);
    if (k->kind == KN_IF) rg__c_walk(k->node->kid[0], name_value, arg);
    return true;
}

struct kir_node *rg__poly_thread_code_of(struct poly_thread *t, const struct poly_knode *body)
{
    struct kir_node *seq = rg__kir_seq(t->k);
    struct naming n = {t, seq};
    t->n_named = 0;
    if (body) rg__poly_knode_walk(body, name_values, &n);
    *t->names->why = 0;
    return rg__poly_add_code(t, seq, body) ? seq : NULL;
}

/* ---- names ---- */

bool rg__poly_runs_once(const struct poly_kernel *k)
{
    return k->n_dims == 0 &&
           (k->form == POLY_SINGLE || k->form == POLY_BLOCK || k->form == POLY_FINAL || k->form == POLY_SCAN_OFFSETS);
}

static struct kir_node *guard_holds(const struct poly_thread *t, const struct poly_guard *g)
{
    return rg__kir_binary(t->k, g->negated ? RG_COP_EQ : RG_COP_NE, t->names->var[g->var], rg__kir_int(t->k, 0));
}

/* A flag that the kernel asks behind others is perhaps set only where these hold: it is looked at there. */
static struct kir_node *asked_behind(struct poly_thread *t, int var, struct kir_node *was)
{
    struct kir_node *when = NULL;
    for (int i = 0; i < t->kernel->n_guards; i++) {
        const struct poly_guard *g = &t->kernel->guard[i];
        if (g->var == var) return when ? rg__kir_select(t->k, when, was, rg__kir_int(t->k, g->negated)) : was;
        if (!t->names->var[g->var]) break;
        when = rg__kir_and(t->k, when, guard_holds(t, g));
    }
    return was;
}

/* Scalars that live between kernels, where this one asks for what they are; of a kernel that runs once, what they are
 * then. */
static void scalars(struct poly_thread *t, struct kir_node *top, struct kir_node *bottom)
{
    const struct poly_scop *s = t->p->scop;
    struct poly_effect e = rg__poly_effect_new(s);
    struct kir_kernel *k = t->k;
    rg__poly_kernel_effect(t->p, t->kernel, &e);
    for (int v = 0; v < s->tree->n_vars; v++) {
        const struct rg_cvar *c = &s->tree->vars[v];
        bool stored = bottom && rg__poly_runs_once(t->kernel) && e.written[v],
             loaded = e.exposed[v] || (stored && !e.defined[v]); /* what is perhaps not written is stored as it was */
        if (!t->p->scalar_scratch[v] || !(loaded || stored) || s->var_hidden[v]) continue;
        struct kir_node *one = rg__kir_int(k, 1);
        const char *name = rg_arena_printf(k->arena, "%s_mem", c->name);
        int mem = rg__kir_buffer(k, name, KIR_GLOBAL, c->type, 1, &one),
            x = rg__kir_symbol_as(k, e.written[v] ? KIR_SCALAR : KIR_VALUE, c->name, c->type);
        struct kir_node *was = rg__kir_at(k, mem, 1, rg__kir_int(k, 0));
        k->symbols[mem].pass = name;
        k->symbols[mem].alone = true;
        k->symbols[mem].c_type = k->symbols[x].c_type = c->type == RG_STRUCT ? c->c_type : NULL;
        rg__kir_add_to(
            k, top, e.written[v] ? rg__kir_var(k, x, loaded ? was : NULL) : rg__kir_let(k, x, asked_behind(t, v, was)));
        rg__kir_bind(t->names, v, rg__kir_name(k, x));
        t->names->outer[v] = stored;
        t->meets = t->meets || (stored && loaded);
        if (stored) rg__kir_add_to(k, bottom, rg__kir_store(k, was, rg__kir_name(k, x)));
    }
    rg__poly_effect_free(&e);
}

struct kir_node *rg__poly_kir_where(struct kir_kernel *k, struct kir_node *seq, struct kir_node *when)
{
    if (!when) return seq;
    struct kir_node *branch = rg__kir_if(k, when);
    rg__kir_add_to(k, seq, branch);
    return rg__kir_body(branch);
}

struct kir_node *rg__poly_kir_guarded(struct poly_thread *t, struct kir_node *seq)
{
    struct kir_node *when = NULL;
    for (int i = 0; i < t->kernel->n_guards; i++) when = rg__kir_and(t->k, when, guard_holds(t, &t->kernel->guard[i]));
    return rg__poly_kir_where(t->k, seq, when);
}

int rg__poly_min_blocks(const struct poly_kernel *k, const struct poly_values *v, int64_t threads)
{
    bool bounded = k->launch_bounds && v->min_blocks > 1 && v->min_blocks * threads <= KIR_MAX_RESIDENT;
    return bounded ? (int)v->min_blocks : 0;
}

/* May the kernel's loads of it go through the read-only cache? */
static bool is_cached(const struct poly_program *p, const struct poly_kernel *kernel, int array)
{
    return kernel->readonly && rg__poly_only_read(p, kernel, array);
}

struct poly_thread *rg__poly_thread_new(const struct poly_program *p, const struct poly_kernel *kernel,
                                        struct rg_arena *a, struct kir_node *top, struct kir_node *bottom,
                                        struct rg_reason *why)
{
    const struct rg_ctree *tree = p->scop->tree;
    struct poly_thread *t = rg_arena_alloc(a, sizeof *t);
    t->p = p;
    t->kernel = kernel;
    t->updated = NULL;
    t->old = t->ahead = -1;
    t->k = rg__poly_kir_new(p, kernel, a, &t->names);
    if (!t->k) {
        rg__poly_no_form(t->names, why, "a buffer has no form in kernel IR");
        return NULL;
    }
    for (int x = 0; x < tree->n_arrays; x++)
        if (t->names->buffer[x] >= 0) t->k->symbols[t->names->buffer[x]].cached = is_cached(p, kernel, x);
    t->taken = rg_arena_alloc(a, (size_t)tree->n_arrays + 1);
    scalars(t, top, bottom);
    t->names->element = element;
    t->names->assign = assign;
    t->names->value = named;
    t->names->returns = rg__poly_runs_once(kernel);
    t->names->alone = kernel->form == POLY_SINGLE;
    t->names->arg = t;
    return t;
}
