#include "runtime/sim/lower/inline.h"
#include <rg/buf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_CALL_DEPTH = 32, AT_EXIT = -1, AT_RETURN = -2 };

struct frame {
    const struct ptx_func *f;
    int reg_base, label_base, end_label; /* end_label: where ret goes; AT_EXIT in the entry, AT_RETURN in a body */
    int n_maps;
    const struct sim_bound *maps;
};

static int new_label(struct sim_flat *out, int at)
{
    RG_GROW(out->labels, out->n_labels, out->cap_labels);
    out->labels[out->n_labels] = at;
    return out->n_labels++;
}

static const struct ptx_var *mapped(const struct frame *fr, const struct ptx_var *v)
{
    for (int i = 0; i < fr->n_maps; i++)
        if (fr->maps[i].formal == v) return fr->maps[i].actual;
    return v;
}

static void renumber(const struct frame *fr, struct sim_flat *out, struct ptx_operand *o)
{
    if (o->kind == PTX_O_REG) {
        o->reg += fr->reg_base;
        if (o->second >= 0) o->second += fr->reg_base;
    } else if (o->kind == PTX_O_SINK) {
        if (o->second >= 0) o->second += fr->reg_base;
    } else if (o->kind == PTX_O_LABEL) {
        o->reg += fr->label_base;
    } else if (o->kind == PTX_O_ADDRESS) {
        if (o->reg >= 0) o->reg += fr->reg_base;
        if (o->var) o->var = mapped(fr, o->var);
    } else if (o->kind == PTX_O_VAR) {
        o->var = mapped(fr, o->var);
    } else if (o->kind == PTX_O_LIST) {
        struct ptx_operand *items = rg_arena_alloc(&out->arena, sizeof *items * (size_t)(o->n ? o->n : 1));
        memcpy(items, o->items, sizeof *items * (size_t)o->n);
        for (int i = 0; i < o->n; i++) renumber(fr, out, &items[i]);
        o->items = items;
    }
}

static struct ptx_inst *emit(struct sim_flat *out, const struct ptx_inst *like, const char *op)
{
    RG_GROW(out->insts, out->n, out->cap);
    struct ptx_inst *in = &out->insts[out->n++];
    *in = *like;
    if (op) {
        in->op = op;
        in->n = 0;
        in->o = NULL;
    }
    return in;
}

/* Number + 1 of a new call. */
static int real_call(struct sim_flat *out, const struct ptx_func *f, int n_args, int n_rets,
                     const struct sim_bound *bound)
{
    int body = 0;
    while (body < out->n_bodies && out->bodies[body].f != f) body++;
    if (body == out->n_bodies) {
        RG_GROW(out->bodies, out->n_bodies, out->cap_bodies);
        out->bodies[out->n_bodies++] = (struct sim_body){f, new_label(out, -1), -1};
    }
    RG_GROW(out->calls, out->n_calls, out->cap_calls);
    out->calls[out->n_calls++] = (struct sim_call_site){body, n_args, n_rets, bound};
    return out->n_calls;
}

static enum rg_status unfold(const struct ptx_module *m, struct frame *fr, struct sim_flat *out, int depth,
                             struct rg_error *err);

static enum rg_status call(const struct ptx_module *m, const struct frame *fr, const struct ptx_inst *in,
                           struct sim_flat *out, int depth, struct rg_error *err)
{
    int at = 0;
    const struct ptx_operand *rets = NULL, *args = NULL, *target;
    if (at < in->n && in->o[at].kind == PTX_O_LIST) rets = &in->o[at++];
    if (at >= in->n) return rg_error_at(err, RG_INPUT, "ptx", in->line, 0, "call without a function");
    target = &in->o[at++];
    if (at < in->n && in->o[at].kind == PTX_O_LIST) args = &in->o[at++];
    if (target->kind != PTX_O_FUNC) {
        snprintf(out->why, sizeof out->why, "a call through a pointer (%s)", in->op);
        return RG_OK;
    }
    if (!strcmp(target->name, "vprintf")) return RG_OK; /* what kernels print goes nowhere; its result is never read */
    if (!strcmp(target->name, "__assertfail") || !strcmp(target->name, "__assert_fail")) {
        struct ptx_inst *t = emit(out, in, "trap.assert");
        if (t->guard >= 0) t->guard += fr->reg_base;
        return RG_OK;
    }
    const struct ptx_func *f = rg__ptx_find(m, target->name);
    if (!f || !f->has_body) {
        snprintf(out->why, sizeof out->why, "a call of '%.100s', which is not in the module", target->name);
        return RG_OK;
    }
    if (!f->recursive && depth >= MAX_CALL_DEPTH) {
        snprintf(out->why, sizeof out->why, "calls nested more than %d deep", MAX_CALL_DEPTH);
        return RG_OK;
    }
    int n_args = args ? args->n : 0, n_rets = rets ? rets->n : 0;
    if (n_args != f->n_params || n_rets != f->n_rets)
        return rg_error_at(err, RG_INPUT, "ptx", in->line, 0,
                           "call of '%.100s' with %d arguments and %d results, not %d and %d", f->name, n_args, n_rets,
                           f->n_params, f->n_rets);
    struct sim_bound *maps = rg_arena_alloc(&out->arena, sizeof *maps * (size_t)(n_args + n_rets + 1));
    for (int i = 0; i < n_args + n_rets; i++) {
        const struct ptx_operand *o = i < n_args ? &args->items[i] : &rets->items[i - n_args];
        const struct ptx_var *formal = i < n_args ? f->params[i] : f->rets[i - n_args];
        if (o->kind != PTX_O_VAR || o->var->bytes < formal->bytes) {
            snprintf(out->why, sizeof out->why, "a call of '%.100s' that passes registers", f->name);
            return RG_OK;
        }
        maps[i] = (struct sim_bound){formal, mapped(fr, o->var)};
    }
    if (f->recursive) {
        int number = real_call(out, f, n_args, n_rets, maps);
        struct ptx_inst *e = emit(out, in, "call");
        e->call = number;
        if (e->guard >= 0) e->guard += fr->reg_base;
        return RG_OK;
    }
    /* A guarded call jumps over the body. */
    int end = new_label(out, -1);
    if (in->guard >= 0) {
        struct ptx_inst *b = emit(out, in, "bra");
        b->guard = in->guard + fr->reg_base;
        b->guard_negated = !in->guard_negated;
        b->n = 1;
        b->o = rg_arena_alloc(&out->arena, sizeof *b->o);
        b->o[0].kind = PTX_O_LABEL;
        b->o[0].reg = end;
    }
    struct frame inner = {f, 0, 0, end, n_args + n_rets, maps};
    enum rg_status s = unfold(m, &inner, out, depth + 1, err);
    out->labels[end] = out->n;
    return s;
}

static enum rg_status unfold(const struct ptx_module *m, struct frame *fr, struct sim_flat *out, int depth,
                             struct rg_error *err)
{
    const struct ptx_func *f = fr->f;
    if (f->n_regs > PTX_MAX_REGS - out->n_regs || f->n_insts > PTX_MAX_INSTS - out->n) {
        snprintf(out->why, sizeof out->why, "more than %d instructions once calls are unfolded", PTX_MAX_INSTS);
        return RG_OK;
    }
    fr->reg_base = out->n_regs;
    while (out->n_regs + f->n_regs > out->cap_regs) {
        out->cap_regs = out->cap_regs ? out->cap_regs * 2 : 64;
        out->reg_types = rg_xrealloc(out->reg_types, (size_t)out->cap_regs);
    }
    if (f->n_regs) memcpy(out->reg_types + out->n_regs, f->reg_types, (size_t)f->n_regs);
    out->n_regs += f->n_regs;
    fr->label_base = out->n_labels;
    for (int i = 0; i < f->n_labels; i++) new_label(out, -1);
    for (int i = 0; i < f->n_vars; i++) {
        RG_GROW(out->vars, out->n_vars, out->cap_vars);
        out->vars[out->n_vars++] = f->vars[i];
    }
    int *at = rg_xmalloc(sizeof *at * (size_t)(f->n_insts + 1));
    enum rg_status s = RG_OK;
    for (int i = 0; i < f->n_insts && !s && !out->why[0]; i++) {
        const struct ptx_inst *in = &f->insts[i];
        at[i] = out->n;
        if (rg__ptx_is_call(in)) {
            s = call(m, fr, in, out, depth, err);
            continue;
        }
        bool is_ret = fr->end_label != AT_EXIT && !strncmp(in->op, "ret", 3) && (in->op[3] == 0 || in->op[3] == '.');
        if (is_ret && fr->end_label == AT_RETURN) {
            struct ptx_inst *e = emit(out, in, in->op);
            e->call = PTX_RETURN;
            if (e->guard >= 0) e->guard += fr->reg_base;
            continue;
        }
        struct ptx_inst *e = emit(out, in, is_ret ? "bra" : NULL);
        if (e->guard >= 0) e->guard += fr->reg_base;
        e->n = is_ret ? 1 : in->n;
        e->o = rg_arena_alloc(&out->arena, sizeof *e->o * (size_t)(e->n ? e->n : 1));
        if (is_ret) {
            e->o[0].kind = PTX_O_LABEL;
            e->o[0].reg = fr->end_label;
        } else {
            memcpy(e->o, in->o, sizeof *e->o * (size_t)in->n);
            struct ptx_operand *o = e->o;
            for (int k = 0, n = e->n; k < n; k++) renumber(fr, out, &o[k]);
        }
    }
    at[f->n_insts] = out->n;
    if (!s && !out->why[0])
        for (int i = 0; i < f->n_labels; i++) out->labels[fr->label_base + i] = at[f->labels[i]];
    free(at);
    return s;
}

enum rg_status rg__sim_inline(const struct ptx_module *m, const struct ptx_func *entry, struct sim_flat *out,
                              struct rg_error *err)
{
    memset(out, 0, sizeof *out);
    struct frame fr = {entry, 0, 0, AT_EXIT, 0, NULL};
    enum rg_status s = unfold(m, &fr, out, 0, err);
    static const struct ptx_inst nothing = {.guard = -1};
    if (!s && !out->why[0] && out->n_bodies) emit(out, &nothing, "exit"); /* running off the end is a return */
    for (int i = 0; i < out->n_bodies && !s && !out->why[0]; i++) {       /* they may add more */
        struct frame body = {out->bodies[i].f, 0, 0, AT_RETURN, 0, NULL};
        out->bodies[i].first = out->labels[out->bodies[i].label] = out->n;
        s = unfold(m, &body, out, 0, err);
        if (!s && !out->why[0]) emit(out, &nothing, "ret")->call = PTX_RETURN;
    }
    return s;
}

void rg__sim_flat_release(struct sim_flat *f)
{
    free(f->insts);
    free(f->reg_types);
    free(f->labels);
    free(f->vars);
    free(f->bodies);
    free(f->calls);
    rg_arena_release(&f->arena);
    memset(f, 0, sizeof *f);
}
