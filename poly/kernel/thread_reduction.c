/* What a loop that is shared accumulates, in kernel IR: each thread's own part of it, partial results in buffers, and
 * the totals. */
#include "poly/kernel/thread_code.h"
#include <string.h>

/* ---- each thread's own ---- */

static const char *base_of(const struct poly_program *p, const struct poly_acc *a)
{
    const struct rg_ctree *t = p->scop->tree;
    return a->array >= 0 ? t->arrays[a->array].name
                         : t->vars[a->role == POLY_ACC_AT ? p->scop->selects[a->select].best : a->var].name;
}

/* Without what kept it apart from a CUDA name: no identifier has two underscores in a row. */
static const char *stem(const struct poly_program *p, const struct poly_acc *a, struct rg_arena *arena)
{
    const char *base = base_of(p, a), *at = a->role == POLY_ACC_AT ? "_at" : "";
    size_t n = strnlen(base, 60);
    while (n > 1 && base[n - 1] == '_') n--;
    return rg_arena_printf(arena, "%.*s%s", (int)n, base, at);
}

bool rg__poly_acc_open(struct poly_thread *t, struct kir_node *seq, const struct poly_acc *acc, int n)
{
    struct kir_kernel *k = t->k;
    if (t->n_acc + n > POLY_ACCS) return false;
    for (int i = 0; i < n; i++) {
        struct poly_accumulating *x = &t->acc[t->n_acc++];
        x->of = acc[i];
        x->scalar = rg__kir_scalar(k, rg_arena_printf(k->arena, "%s_acc", stem(t->p, &acc[i], k->arena)), acc[i].type);
        struct kir_node *start = rg__poly_kir_identity(k, acc[i].op, acc[i].type);
        rg__kir_add_to(k, seq, rg__kir_var(k, x->scalar, rg__kir_cast(k, acc[i].type, start)));
    }
    for (int i = 0; i < n; i++) {
        struct poly_accumulating *x = &t->acc[t->n_acc - n + i];
        if (x->of.array >= 0) t->taken[x->of.array] = true;
        if (x->of.array >= 0 || x->of.var < 0) continue;
        x->before = t->names->var[x->of.var];
        rg__kir_bind(t->names, x->of.var, rg__kir_name(k, x->scalar));
    }
    return true;
}

struct kir_node *rg__poly_acc_now(struct poly_thread *t, int i)
{
    return rg__kir_name(t->k, t->acc[i].scalar);
}

void rg__poly_acc_close(struct poly_thread *t, int n)
{
    for (; n > 0; n--) {
        struct poly_accumulating *x = &t->acc[--t->n_acc];
        if (x->of.array >= 0)
            t->taken[x->of.array] = false;
        else if (x->of.var >= 0)
            t->names->var[x->of.var] = x->before;
    }
}

/* ---- arg-min, arg-max ---- */

static struct kir_node *variable(struct poly_thread *t, int var)
{
    struct rg_cnode v = {.kind = RG_C_VAR, .type = t->names->t->vars[var].type, .var = var, .array = -1};
    return rg__kir_of(t->names, &v);
}

/* A number that grows with the iterations of the loop. */
static struct kir_node *growing(struct poly_thread *t, const struct poly_loop *l)
{
    struct kir_node *i = variable(t, l->var);
    if (!i) return NULL;
    i = rg__kir_cast(t->k, RG_LLONG, i);
    return l->step < 0 ? rg__kir_unary(t->k, RG_COP_NEG, i) : i;
}

bool rg__poly_acc_key(struct poly_thread *t, struct kir_node *seq, const struct rg_cnode *n)
{
    const struct poly_scop *s = t->p->scop;
    struct kir_kernel *k = t->k;
    for (int i = 0; i < t->n_acc; i++) {
        const struct poly_acc *a = &t->acc[i].of;
        if (a->role != POLY_ACC_AT || s->stmts[s->selects[a->select].best_stmt].node != n) continue;
        const struct poly_select *x = &s->selects[a->select];
        const struct poly_loop *in = &s->loops[s->stmts[x->test].loop], *out = &s->loops[a->loop];
        struct kir_node *key = growing(t, in), *flag = variable(t, x->flag), *outer;
        if (!key || !flag) return false;
        if (in != out) {
            if (!(outer = growing(t, out))) return false;
            outer = rg__kir_mul(k, outer, rg__kir_cast(k, RG_LLONG, rg__kir_int(k, INT64_C(1) << 32)));
            key = rg__kir_add(k, outer, key);
        }
        rg__kir_add_to(k, seq,
                       rg__kir_assign(k, t->acc[i].scalar, rg__kir_select(k, flag, key, rg__poly_acc_now(t, i))));
    }
    return true;
}

static struct kir_node *nobody(struct poly_thread *t, const struct poly_acc *at)
{
    return rg__kir_cast(t->k, at->type, rg__poly_kir_identity(t->k, at->op, at->type));
}

/* a is better than b: smaller where least of all is. */
static struct kir_node *better(struct poly_thread *t, enum poly_op op, bool equal, struct kir_node *a,
                               struct kir_node *b)
{
    enum rg_c_op less = equal ? RG_COP_LE : RG_COP_LT, more = equal ? RG_COP_GE : RG_COP_GT;
    return rg__kir_binary(t->k, op == POLY_OP_MIN ? less : more, a, b);
}

/* ---- partial results ---- */

bool rg__poly_name_taken(const struct poly_scop *s, const char *name)
{
    const struct rg_ctree *t = s->tree;
    bool taken = false;
    for (int v = 0; v < t->n_vars; v++) taken = taken || !strcmp(t->vars[v].name, name);
    for (int a = 0; a < t->n_arrays; a++) taken = taken || !strcmp(t->arrays[a].name, name);
    for (int h = 0; h < t->n_helpers; h++) taken = taken || !strcmp(t->helpers[h].name, name);
    for (int i = 0; i < s->problem->n_structs; i++) {
        const char *type = s->problem->structs[i].c_name, *word = strrchr(type, ' ');
        taken = taken || !strcmp(word ? word + 1 : type, name);
    }
    return taken;
}

/* Is a variable called so, which may be accumulated beside it? */
static bool is_variable(const struct rg_ctree *t, const char *name)
{
    bool is = false;
    for (int v = 0; v < t->n_vars && !is; v++) is = !strcmp(t->vars[v].name, name);
    return is;
}

const char *rg__poly_acc_buffer(const struct poly_program *p, const struct poly_kernel *kernel,
                                const struct poly_acc *acc, struct rg_arena *arena)
{
    int n = 0, mine = 0;
    for (int i = 0; i < p->n_kernels; i++) {
        const struct poly_kernel *k = &p->kernels[i];
        if (k->form != POLY_PARTIAL) continue;
        n++;
        if (k == kernel || kernel->partner == i) mine = n;
    }
    const bool at = acc->role == POLY_ACC_AT;
    const char *base = rg_arena_printf(arena, "%.60s%s", base_of(p, acc), at ? "_at" : "");
    while (at && is_variable(p->scop->tree, base)) base = rg_arena_printf(arena, "%s_at", base);
    const char *name =
        n > 1 ? rg_arena_printf(arena, "part%d_%s", mine, base) : rg_arena_printf(arena, "part_%s", base);
    while (rg__poly_name_taken(p->scop, name)) name = rg_arena_printf(arena, "%s_", name);
    return name;
}

bool rg__poly_acc_buffers(struct poly_thread *t, const struct poly_acc *acc, int n, int *part)
{
    struct kir_kernel *k = t->k;
    struct kir_node *dims[KIR_MAX_DIMS] = {NULL};
    for (int d = 0; d < t->kernel->n_dims; d++)
        if (!(dims[d + 1] = rg__poly_kir_most(t->p, t->kernel, t->names, d, RG_I32))) return false;
    for (int i = 0; i < n; i++) {
        const char *name = rg__poly_acc_buffer(t->p, t->kernel, &acc[i], k->arena);
        part[i] = rg__kir_symbol_as(k, KIR_BUFFER, name, acc[i].type);
        struct kir_symbol *b = &k->symbols[part[i]];
        b->space = KIR_GLOBAL;
        b->n_dims = t->kernel->n_dims + 1;
        memcpy(b->dims, dims, sizeof dims);
        b->pass = name;
        b->alone = !t->kernel->region;
    }
    return true;
}

struct kir_node *rg__poly_acc_part(struct poly_thread *t, int part, struct kir_node *which)
{
    struct kir_kernel *k = t->k;
    struct kir_node *subs[4] = {which};
    for (int d = 0; d < t->kernel->n_dims; d++) {
        struct kir_node *first = rg__poly_kir_first(t->p, t->kernel, t->names, d),
                        *at = variable(t, t->p->scop->loops[t->kernel->dims[d]].var);
        if (!first || !at) return NULL;
        subs[d + 1] = rg__kir_sub(k, at, first);
    }
    return rg__kir_element(k, part, t->kernel->n_dims + 1, subs);
}

void rg__poly_acc_take(struct poly_thread *t, struct kir_node *seq, const struct poly_acc *acc, int n,
                       struct kir_node *const *part)
{
    struct kir_kernel *k = t->k;
    int first = t->n_acc - n;
    for (int i = 0; i < n; i++) {
        struct kir_node *own = rg__poly_acc_now(t, first + i);
        if (acc[i].role == POLY_ACC_PLAIN) {
            rg__kir_add_to(k, seq, rg__kir_assign(k, own->symbol, rg__poly_kir_combined(k, acc[i].op, own, part[i])));
        } else if (acc[i].role == POLY_ACC_BEST) {
            const struct poly_acc *at = &acc[i + 1];
            struct kir_node *equal = rg__kir_binary(k, RG_COP_EQ, part[i], own),
                            *sooner = better(t, at->op, false, part[i + 1], rg__poly_acc_now(t, first + i + 1)),
                            *there = rg__kir_binary(k, RG_COP_NE, part[i + 1], nobody(t, at)),
                            *is = rg__kir_binary(k, RG_COP_OR, better(t, acc[i].op, false, part[i], own),
                                                 rg__kir_and(k, equal, sooner)),
                            *in = rg__poly_kir_where(k, seq, rg__kir_and(k, there, is));
            for (int j = i; j < n && (j == i || acc[j].role > POLY_ACC_BEST); j++)
                rg__kir_add_to(k, in, rg__kir_assign(k, t->acc[first + j].scalar, part[j]));
        }
    }
}

/* ---- totals ---- */

static struct kir_node *target_of(struct poly_thread *t, const struct poly_acc *a)
{
    struct kir_node *x = a->array >= 0 ? rg__kir_of(t->names, a->element) : variable(t, a->var);
    return x && x->kind == KIR_CAST && x->kid[0]->kind == KIR_NAME ? x->kid[0] : x;
}

static bool set(struct poly_thread *t, struct kir_node *seq, struct kir_node *target, struct kir_node *value)
{
    bool scalar = target->kind == KIR_NAME && t->k->symbols[target->symbol].kind == KIR_SCALAR;
    if (!scalar && target->kind != KIR_ELEMENT) return false;
    rg__kir_add_to(t->k, seq,
                   scalar ? rg__kir_assign(t->k, target->symbol, value) : rg__kir_store(t->k, target, value));
    return true;
}

bool rg__poly_acc_totals(struct poly_thread *t, struct kir_node *seq, const struct poly_acc *acc, int n,
                         struct kir_node *const *total, struct kir_node *lone)
{
    struct kir_kernel *k = t->k;
    for (int i = 0; i < n; i++) {
        struct kir_node *target, *in = seq;
        if (acc[i].role > POLY_ACC_BEST) continue;
        if (!(target = target_of(t, &acc[i]))) return false;
        if (acc[i].role == POLY_ACC_PLAIN) {
            if (acc[i].array >= 0) in = rg__poly_kir_where(k, seq, lone);
            if (!set(t, in, target, rg__poly_kir_combined(k, acc[i].op, target, total[i]))) return false;
            continue;
        }
        struct kir_node *there = rg__kir_binary(k, RG_COP_NE, total[i + 1], nobody(t, &acc[i + 1])),
                        *is = better(t, acc[i].op, !t->p->scop->selects[acc[i].select].first, total[i], target);
        in = rg__poly_kir_where(k, seq, rg__kir_and(k, there, is));
        for (int j = i; j < n && (j == i || acc[j].role > POLY_ACC_BEST); j++)
            if (acc[j].var >= 0 && (!(target = target_of(t, &acc[j])) || !set(t, in, target, total[j]))) return false;
    }
    return true;
}

bool rg__poly_acc_parts(struct poly_thread *t, struct kir_node *seq)
{
    struct kir_kernel *k = t->k;
    struct poly_acc acc[POLY_ACCS];
    struct kir_node *part[POLY_ACCS], *total[POLY_ACCS];
    int buffer[POLY_ACCS], n = rg__poly_accumulators(t->p->scop, t->kernel, t->kernel->reduce_loop, acc, POLY_ACCS),
                           b = rg__kir_index(k, "b", RG_I32), split = rg__kir_constant(k, "SPLIT", t->parts);
    if (n < 0 || !rg__poly_acc_buffers(t, acc, n, buffer) || !rg__poly_acc_open(t, seq, acc, n)) return false;
    struct kir_node *loop = rg__kir_for(k, KIR_UNROLLED, b, rg__kir_name(k, split));
    for (int i = 0; i < n; i++)
        if (!(part[i] = rg__poly_acc_part(t, buffer[i], rg__kir_name(k, b)))) return false;
    rg__poly_acc_take(t, rg__kir_body(loop), acc, n, part);
    rg__kir_add_to(k, seq, loop);
    for (int i = 0; i < n; i++) total[i] = rg__poly_acc_now(t, t->n_acc - n + i);
    rg__poly_acc_close(t, n);
    return rg__poly_acc_totals(t, seq, acc, n, total, NULL);
}

/* ---- how many there are ---- */

struct kir_node *rg__poly_partial_blocks(const struct poly_program *p, const struct poly_kernel *part,
                                         struct kir_names *names, const struct poly_values *v, enum rg_scalar type)
{
    struct kir_kernel *k = names->k;
    struct kir_node *n = rg__poly_kir_most_of(p, part, names, part->reduce_loop, type);
    if (!n) return NULL;
    n = rg__kir_cast(k, type, n);
    /* the loop over the grid is counted by the loop itself, where one inside is the threads' */
    if (!rg__poly_inner_shared(p->scop, part, part->body->kid[0], POLY_SHARE_REDUCE))
        n = rg__kir_ceil_div(k, n, v->block);
    struct kir_node *most = rg__kir_cast(k, type, rg__kir_int(k, v->grid));
    return rg__kir_max(k, rg__kir_cast(k, type, rg__kir_int(k, 1)), rg__kir_min(k, most, n));
}
