/* A loop of one thread in kernel IR: elements that it keeps updating are in registers over all of it, what its
 * iterations leave for the next ones from one to the next, and prefetch.register's chunks load first. */
#include "poly/kernel/thread_code.h"
#include "ir/ctree_util.h"
#include <stdio.h>
#include <string.h>

enum { MOST_HELD = 4 }; /* by one loop */

struct looping {
    struct poly_thread *t;
    const struct poly_knode *n;
    const struct poly_loop *l;
    int n_held, n_kept; /* the last of the thread's */
    struct kir_node *place[MOST_HELD];
    poly_loop_body *body; /* of something else than the thread's code; NULL */
    void *arg;
};

static int promotions(struct poly_thread *t, const struct poly_knode *n, struct poly_promotion *out)
{
    int room = POLY_HELD - t->n_held;
    return rg__poly_promotions(t->p, t->kernel, n, t->taken, out, room < MOST_HELD ? room : MOST_HELD);
}

/* reduce.split: another kernel has gone through it. */
static bool is_cut(const struct poly_thread *t, const struct poly_knode *n)
{
    return t->kernel->form == POLY_THREADS && t->kernel->partner >= 0 && n->loop == t->kernel->reduce_loop;
}

bool rg__poly_sets_held(struct poly_thread *t, const struct poly_knode *leaf, const struct poly_knode *loop)
{
    struct poly_promotion held[MOST_HELD];
    const struct rg_cnode *e =
        leaf->kind == KN_LEAF && leaf->node->kind == RG_C_STMT && leaf->node->n ? leaf->node->kid[0] : NULL;
    bool alone = t->kernel->form == POLY_THREADS || t->kernel->form == POLY_SINGLE; /* no others share its loops */
    if (!e || e->op != RG_COP_SET || e->kid[0]->kind != RG_C_INDEX || loop->kind != KN_LOOP || !alone || t->n_acc ||
        is_cut(t, loop))
        return false;
    int n = promotions(t, loop, held);
    for (int i = 0; i < n; i++)
        if (rg__c_same(held[i].element, e->kid[0], RG__C_UNCAST)) return true;
    return false;
}

/* ---- what iterations leave for the next ones ---- */

/* Before the loop: what its first iteration finds there. */
static bool open_kept(struct looping *x, struct kir_node *seq, const struct poly_forward *f)
{
    struct poly_thread *t = x->t;
    struct kir_kernel *k = t->k;
    struct kir_node *before = t->names->var[x->l->var], *first = rg__kir_of(t->names, x->l->node->kid[0]), *is;
    if (!first) return false;
    rg__kir_bind(t->names, x->l->var, first);
    for (int i = 0; i < x->n_kept; i++) {
        const char *name = t->names->t->arrays[f[i].write->array].name;
        for (int d = 1; d <= f[i].depth; d++) {
            if (!(is = rg__kir_of(t->names, f[i].first[d - 1]->node))) return false;
            const char *as = rg_arena_printf(k->arena, d > 1 ? "%s_before%d" : "%s_before", name, d);
            int s = rg__kir_scalar(k, as, is->type);
            rg__kir_add_to(k, seq, rg__kir_var(k, s, is));
            t->kept[t->n_kept + i].scalar[d] = s;
        }
        t->kept[t->n_kept + i].of = f[i];
    }
    t->n_kept += x->n_kept;
    t->names->var[x->l->var] = before;
    return true;
}

struct kir_node *rg__poly_keeping(struct poly_thread *t, const struct rg_cnode *n)
{
    struct kir_kernel *k = t->k;
    int i = 0;
    while (i < t->n_kept && t->kept[i].of.leaf != n) i++;
    if (i == t->n_kept) return NULL;
    const struct rg_cnode *e = n->kid[0];
    struct kir_node *value = rg__kir_of(t->names, e->kid[1]), *place = value ? rg__kir_of(t->names, e->kid[0]) : NULL,
                    *all = rg__kir_seq(k);
    if (!place) return NULL;
    if (e->op != RG_COP_SET) value = rg__kir_binary(k, rg_c_applied(e->op), place, value);
    const char *array = t->names->t->arrays[t->kept[i].of.write->array].name;
    int now = rg__kir_value(k, rg_arena_printf(k->arena, "%s_now", array), place->type);
    t->kept[i].scalar[0] = now;
    rg__kir_add_to(k, all, rg__kir_let(k, now, value));
    rg__kir_add_to(k, all, rg__kir_store(k, place, rg__kir_name(k, now)));
    return all;
}

/* The loop's body, and what the next iteration gets. */
static bool iteration(struct looping *x, struct kir_node *seq)
{
    struct poly_thread *t = x->t;
    if (!(x->body ? x->body(x->arg, seq) : rg__poly_add_code(t, seq, x->n->kid[0]))) return false;
    for (int i = t->n_kept - x->n_kept; i < t->n_kept; i++)
        for (int d = t->kept[i].of.depth; d >= 1; d--)
            rg__kir_add_to(t->k, seq,
                           rg__kir_assign(t->k, t->kept[i].scalar[d], rg__kir_name(t->k, t->kept[i].scalar[d - 1])));
    return true;
}

/* ---- loops whose counter is one that is assigned ---- */

/* Does `at` stand in front of the loop's end? */
static struct kir_node *in_front(struct looping *x, struct kir_node *at)
{
    struct kir_kernel *k = x->t->k;
    enum rg_scalar type = x->t->names->t->vars[x->l->var].type;
    bool wide = !rg_scalar_is_signed(type) && rg_scalar_bytes(type) >= 4;
    struct kir_node *end = rg__kir_of(x->t->names, x->l->node->kid[1]);
    if (!end) return NULL;
    if (wide) {
        at = rg__kir_cast(k, RG_LLONG, at);
        end = rg__kir_cast(k, RG_LLONG, end);
    }
    return rg__kir_binary(k, x->l->step < 0 ? RG_COP_GT : RG_COP_LT, at, end);
}

/* The counter, declared and bound. NULL: why. */
static struct kir_node *counter(struct looping *x, struct kir_node *seq)
{
    struct kir_kernel *k = x->t->k;
    struct kir_node *first = rg__kir_of(x->t->names, x->l->node->kid[0]);
    if (!first) return NULL;
    int s = rg__kir_symbol_of(x->t->names, KIR_SCALAR, x->l->var, x->t->names->t->vars[x->l->var].type);
    rg__kir_add_to(k, seq, rg__kir_var(k, s, first));
    rg__kir_bind(x->t->names, x->l->var, rg__kir_name(k, s));
    return rg__kir_name(k, s);
}

/* While `on` holds: an iteration, and the counter's next value. */
static bool counted(struct looping *x, struct kir_node *seq, struct kir_node *i, struct kir_node *on)
{
    struct kir_kernel *k = x->t->k;
    struct kir_node *loop = on ? rg__kir_while(k, on) : NULL;
    if (!loop || !iteration(x, rg__kir_body(loop))) return false;
    rg__kir_add_to(k, rg__kir_body(loop), rg__kir_assign(k, i->symbol, rg__kir_add(k, i, rg__kir_int(k, x->l->step))));
    loop->line = x->l->node->line;
    rg__kir_add_to(k, seq, loop);
    return true;
}

/* It goes on by a flag. */
static bool flagged(struct looping *x, struct kir_node *seq)
{
    struct kir_node *i = counter(x, seq), *on = i ? in_front(x, i) : NULL,
                    *flag = on ? rg__kir_of(x->t->names, x->l->node->kid[3]) : NULL;
    return flag && counted(x, seq, i, rg__kir_and(x->t->k, on, flag));
}

/* prefetch.register: as many iterations at once as a chunk has, what they load first. The compiler moves no load over
 * a store by itself, so that without this every iteration waits for its own. */
static bool chunks(struct looping *x, struct kir_node *seq, const struct poly_access *const *load, int n)
{
    struct poly_thread *t = x->t;
    struct kir_kernel *k = t->k;
    struct kir_node *i = counter(x, seq);
    if (!i) return false;
    if (t->ahead < 0) t->ahead = rg__kir_constant(k, "AHEAD", t->chunk);
    struct kir_node *count = rg__kir_name(k, t->ahead), *step = rg__kir_int(k, x->l->step), *on, *whole,
                    *last = rg__kir_mul(k, rg__kir_sub(k, count, rg__kir_int(k, 1)), step);
    /* of 64 bits: the end of a range may be that of its type */
    if (!(on = in_front(x, rg__kir_add(k, rg__kir_cast(k, RG_LLONG, i), last)))) return false;
    whole = rg__kir_while(k, on);
    rg__kir_note(whole, "prefetch.register: AHEAD iterations at a time, what they load first");
    int at = rg__kir_index(k, "ahead", RG_I32), which = rg__kir_index(k, "ahead", RG_I32);
    struct kir_node *first = rg__kir_for(k, KIR_UNROLLED, at, count),
                    *then = rg__kir_for(k, KIR_UNROLLED, which, count);
    int there = rg__kir_symbol_of(t->names, KIR_VALUE, x->l->var, i->type);
    rg__kir_add_to(k, rg__kir_body(first),
                   rg__kir_let(k, there, rg__kir_add(k, i, rg__kir_mul(k, rg__kir_name(k, at), step))));
    rg__kir_bind(t->names, x->l->var, rg__kir_name(k, there));
    for (int a = 0; a < n; a++) {
        struct kir_node *from = rg__kir_of(t->names, load[a]->node);
        if (!from) return false;
        const char *array = t->names->t->arrays[load[a]->array].name;
        int b = rg__kir_buffer(k, rg_arena_printf(k->arena, "%s_ahead", array), KIR_REGISTER, from->type, 1, &count);
        rg__kir_add_to(k, rg__kir_body(whole), rg__kir_own_buffer(k, b));
        rg__kir_add_to(k, rg__kir_body(first), rg__kir_store(k, rg__kir_at(k, b, 1, rg__kir_name(k, at)), from));
        t->several[a].access = load[a];
        t->several[a].buffer = b;
        t->several[a].at = rg__kir_name(k, which);
    }
    rg__kir_bind(t->names, x->l->var, i);
    t->n_several = n;
    bool ok = iteration(x, rg__kir_body(then));
    t->n_several = 0;
    if (!ok) return false;
    rg__kir_add_to(k, rg__kir_body(then), rg__kir_assign(k, i->symbol, rg__kir_add(k, i, step)));
    rg__kir_add_to(k, rg__kir_body(whole), first);
    rg__kir_add_to(k, rg__kir_body(whole), then);
    rg__kir_add_to(k, seq, whole);
    return counted(x, seq, i, in_front(x, i));
}

static bool plain(struct looping *x, struct kir_node *seq)
{
    struct poly_thread *t = x->t;
    struct kir_node *body;
    int64_t unroll = x->body || rg__poly_knode_has_loop(x->n->kid[0]) ? 0 : t->unroll;
    struct kir_node *loop =
        rg__poly_kir_loop(t->p->scop, t->names, x->l, rg__kir_int(t->k, 0), rg__kir_int(t->k, 1), unroll, &body);
    if (!loop || !iteration(x, body)) return false;
    if (x->l->node->made) loop->note = x->l->node->made;
    rg__kir_add_to(t->k, seq, loop);
    return true;
}

/* ---- registers for updated elements ---- */

/* set: the assignment in front of the loop; NULL: there is none, or it is made. */
static bool open_held(struct looping *x, struct kir_node *seq, const struct poly_promotion *held,
                      const struct rg_cnode *set)
{
    struct poly_thread *t = x->t;
    struct kir_kernel *k = t->k;
    for (int i = 0; i < x->n_held; i++) {
        bool own = set && rg__c_same(held[i].element, set->kid[0], RG__C_UNCAST);
        struct kir_node *is = x->place[i] = rg__kir_of(t->names, held[i].element);
        if (is && own) is = rg__kir_of(t->names, set->kid[1]);
        if (!is) return false;
        int r = rg__kir_scalar(k, rg_arena_printf(k->arena, "%s_r", t->names->t->arrays[held[i].array].name),
                               x->place[i]->type);
        rg__kir_add_to(k, seq, rg__kir_var(k, r, is));
        t->held[t->n_held + i].array = held[i].array;
        t->held[t->n_held + i].is = rg__kir_name(k, r);
    }
    for (int i = 0; i < x->n_held; i++) t->taken[held[i].array] = true;
    t->n_held += x->n_held;
    return true;
}

static void close_held(struct looping *x, struct kir_node *seq)
{
    struct poly_thread *t = x->t;
    t->n_held -= x->n_held;
    for (int i = 0; i < x->n_held; i++) {
        t->taken[t->held[t->n_held + i].array] = false;
        rg__kir_add_to(t->k, seq, rg__kir_store(t->k, x->place[i], t->held[t->n_held + i].is));
    }
}

/* Arrays with a kept element are not kept again. */
static int forwards(struct poly_thread *t, const struct poly_knode *n, struct poly_forward *out)
{
    bool before[POLY_KEPT];
    for (int i = 0; i < t->n_kept; i++) {
        before[i] = t->taken[t->kept[i].of.write->array];
        t->taken[t->kept[i].of.write->array] = true;
    }
    int found = rg__poly_forwards(t->p, t->kernel, n, t->taken, out, POLY_KEPT - t->n_kept);
    for (int i = 0; i < t->n_kept; i++) t->taken[t->kept[i].of.write->array] = before[i];
    return found;
}

void rg__poly_leave_loop(struct poly_thread *t, struct kir_node *const *before)
{
    for (int v = 0; v < t->names->t->n_vars; v++) /* a part of a loop may have another's declaration */
        if (!t->names->undeclared[v]) t->names->var[v] = before[v];
}

struct kir_node **rg__poly_enter_loop(struct poly_thread *t)
{
    size_t size = (size_t)(t->names->t->n_vars + 1) * sizeof(struct kir_node *);
    struct kir_node **before = rg_arena_alloc(t->k->arena, size);
    memcpy(before, t->names->var, size - sizeof *before);
    return before;
}

bool rg__poly_add_loop_around(struct poly_thread *t, struct kir_node *seq, const struct poly_knode *n,
                              poly_loop_body *body, void *arg)
{
    struct looping x = {.t = t, .n = n, .l = &t->p->scop->loops[n->loop], .body = body, .arg = arg};
    struct kir_node **before = rg__poly_enter_loop(t);
    bool ok = (x.l->node->n > 3 ? flagged : plain)(&x, seq);
    rg__poly_leave_loop(t, before);
    return ok;
}

bool rg__poly_add_loop(struct poly_thread *t, struct kir_node *seq, const struct poly_knode *n)
{
    if (is_cut(t, n)) return rg__poly_acc_parts(t, seq);
    struct looping x = {.t = t, .n = n, .l = &t->p->scop->loops[n->loop]};
    struct kir_kernel *k = t->k;
    struct kir_node **before = rg__poly_enter_loop(t), *in = rg__kir_seq(k);
    const struct rg_cnode *set = t->just_set;
    const struct poly_access *load[POLY_MAX_AHEAD];
    struct poly_promotion held[MOST_HELD];
    struct poly_forward kept[POLY_KEPT];
    bool alone = t->kernel->form == POLY_THREADS || t->kernel->form == POLY_SINGLE;
    int ahead = t->kernel->ahead && alone && !t->n_several ? rg__poly_prefetch(t->p, t->kernel, n, t->taken, load) : 0;
    bool guard;
    t->just_set = NULL;
    x.n_held = promotions(t, n, held);
    x.n_kept = alone ? forwards(t, n, kept) : 0;
    guard = x.n_kept || ahead;
    for (int i = 0; i < x.n_held; i++)
        guard = guard || (held[i].guard && !(set && rg__c_same(held[i].element, set->kid[0], RG__C_UNCAST)));
    guard = guard && !rg__poly_loop_runs(t->p, t->kernel, n);
    if (guard && set) { /* it is set whether the loop runs or not */
        struct kir_node *place = rg__kir_of(t->names, set->kid[0]),
                        *value = place ? rg__kir_of(t->names, set->kid[1]) : NULL;
        if (!value) return false;
        rg__kir_add_to(k, seq, rg__kir_store(k, place, value));
        set = NULL;
    }
    struct kir_node *count = guard ? rg__poly_kir_count(t->p->scop, t->names, x.l) : NULL;
    if ((guard && !count) || !open_held(&x, in, held, set) || !open_kept(&x, in, kept)) return false;
    if (!(x.l->node->n > 3 ? flagged(&x, in) : ahead ? chunks(&x, in, load, ahead) : plain(&x, in))) return false;
    rg__poly_leave_loop(t, before);
    t->n_kept -= x.n_kept;
    close_held(&x, in);
    if (guard) {
        struct kir_node *runs = rg__kir_if(k, rg__kir_less(k, rg__kir_int(k, 0), count));
        rg__kir_add_to(k, rg__kir_body(runs), in);
        in = runs;
    }
    rg__kir_add_to(k, seq, in);
    return true;
}
