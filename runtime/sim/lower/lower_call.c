/* Calls that stay calls (calls.h): how their parameters go, and their instructions. */
#include "runtime/sim/calls.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PARTS = 16 /* of a parameter in registers */, MOST_REGISTERS = 255 /* of a call: counts are bytes */ };

struct sim_part {
    int64_t offset;
    int bytes;
    bool stored, loaded;
};
struct sim_passed { /* a formal or actual parameter of a call that stays one */
    const struct ptx_var *var;
    int group;   /* formal and actuals that meet: index of one of them, its own where it stands for the group */
    bool memory; /* of the one that stands for the group */
    int n, cap;
    struct sim_part *parts;
};

static int by_address(const void *a, const void *b)
{
    const struct ptx_var *x = ((const struct sim_passed *)a)->var, *y = ((const struct sim_passed *)b)->var;
    return x < y ? -1 : x > y;
}

static struct sim_passed *passed(const struct sim_lower *l, const struct ptx_var *v)
{
    struct sim_passed key = {.var = v};
    return l->n_passed ? bsearch(&key, l->passed, (size_t)l->n_passed, sizeof key, by_address) : NULL;
}

static struct sim_passed *group_of(const struct sim_lower *l, struct sim_passed *p)
{
    while (&l->passed[p->group] != p) p = &l->passed[p->group];
    return p;
}

bool rg__sim_passed_in_memory(const struct sim_lower *l, const struct ptx_var *v)
{
    struct sim_passed *p = passed(l, v);
    return p && group_of(l, p)->memory;
}

static void note_part(struct sim_passed *p, int64_t offset, int bytes, bool load)
{
    for (int i = 0; i < p->n; i++)
        if (p->parts[i].offset == offset && p->parts[i].bytes == bytes) {
            *(load ? &p->parts[i].loaded : &p->parts[i].stored) = true;
            return;
        }
    if (p->n > MOST_PARTS) return; /* it goes by memory */
    RG_GROW(p->parts, p->n, p->cap);
    p->parts[p->n++] = (struct sim_part){offset, bytes, !load, load};
}

static void in_memory(const struct sim_lower *l, const struct ptx_var *v)
{
    struct sim_passed *p = v ? passed(l, v) : NULL;
    if (p) group_of(l, p)->memory = true;
}

static void note_operand(const struct sim_lower *l, const struct ptx_operand *o)
{
    in_memory(l, o->kind == PTX_O_VAR || o->kind == PTX_O_ADDRESS ? o->var : NULL);
    for (int i = 0; o->kind == PTX_O_LIST && i < o->n; i++) note_operand(l, &o->items[i]);
}

static void note_uses(const struct sim_lower *l, const struct ptx_inst *in)
{
    bool load = !strncmp(in->op, "ld.", 3), store = !strncmp(in->op, "st.", 3),
         direct = (load || store) && strstr(in->op, ".param");
    const char *word = strrchr(in->op, '.');
    int t = word ? rg__ptx_type_parse(word + 1, strlen(word + 1)) : -1,
        bytes = t > 0 ? rg__ptx_type_bytes((enum ptx_type)t) : 0;
    int n = strstr(in->op, ".v8") ? 8 : strstr(in->op, ".v4") ? 4 : strstr(in->op, ".v2") ? 2 : 1;
    for (int i = 0; i < in->n; i++) {
        const struct ptx_operand *o = &in->o[i];
        struct sim_passed *p =
            direct && bytes && i == (load ? 1 : 0) && o->kind == PTX_O_ADDRESS && o->var ? passed(l, o->var) : NULL;
        if (!p)
            note_operand(l, o);
        else
            for (int k = 0; k < n; k++) note_part(p, o->offset + (int64_t)k * bytes, bytes, load);
    }
}

static bool disagree(const struct sim_passed *a, const struct sim_passed *b)
{
    for (int i = 0; i < a->n; i++)
        for (int k = 0; k < b->n; k++) {
            const struct sim_part *x = &a->parts[i], *y = &b->parts[k];
            bool apart = x->offset + x->bytes <= y->offset || y->offset + y->bytes <= x->offset;
            if (!apart && (x->offset != y->offset || x->bytes != y->bytes)) return true;
        }
    return false;
}

/* Members of a group are compared with the union of what those before them touch. */
static void settle_groups(struct sim_lower *l)
{
    for (int i = 0; i < l->n_passed; i++) {
        struct sim_passed *p = &l->passed[i], *g = group_of(l, p);
        if (p->n > MOST_PARTS || disagree(p, p)) g->memory = true;
    }
    struct sim_passed *all = rg_xcalloc((size_t)l->n_passed + 1, sizeof *all);
    for (int i = 0; i < l->n_passed; i++) {
        struct sim_passed *p = &l->passed[i], *g = group_of(l, p), *sum = &all[g - l->passed];
        if (g->memory) continue;
        if (disagree(p, sum)) g->memory = true;
        for (int k = 0; k < p->n; k++) note_part(sum, p->parts[k].offset, p->parts[k].bytes, true);
        if (sum->n > MOST_PARTS) g->memory = true;
    }
    for (int i = 0; i < l->n_passed; i++) free(all[i].parts);
    free(all);
}

static void lack(struct sim_lower *l, const char *name, const char *what)
{
    l->k->unsupported = true;
    snprintf(l->k->why, sizeof l->k->why, "a call of '%.100s', which calls itself, %s", name, what);
}

static bool is_parameter(const struct ptx_func *f, const struct ptx_var *v)
{
    for (int i = 0; i < f->n_params + f->n_rets; i++)
        if ((i < f->n_params ? f->params[i] : f->rets[i - f->n_params]) == v) return true;
    return false;
}

void rg__sim_calls_prepare(struct sim_lower *l)
{
    const struct sim_flat *flat = &l->flat;
    int n = 0;
    for (int i = 0; i < flat->n_calls; i++) n += 2 * (flat->calls[i].n_args + flat->calls[i].n_rets);
    l->frames = rg_xcalloc((size_t)flat->n_bodies + 1, sizeof *l->frames);
    for (int i = 0; i < flat->n_bodies; i++) l->frames[i + 1] = SIM_RETURN_BYTES;
    l->sites = rg_xcalloc((size_t)flat->n_calls + 1, sizeof *l->sites);
    l->passed = rg_xcalloc((size_t)n + 1, sizeof *l->passed);
    for (int i = 0; i < flat->n_calls; i++)
        for (int k = 0; k < flat->calls[i].n_args + flat->calls[i].n_rets; k++) {
            const struct sim_bound *b = &flat->calls[i].bound[k];
            const char *name = flat->bodies[flat->calls[i].body].f->name;
            l->passed[l->n_passed++].var = b->formal;
            l->passed[l->n_passed++].var = b->actual;
            bool again = is_parameter(l->entry, b->actual);
            for (int f = 0; f < flat->n_bodies; f++) again = again || is_parameter(flat->bodies[f].f, b->actual);
            if (again) lack(l, name, "that passes a parameter itself on");
            if (flat->bodies[flat->calls[i].body].f->is_entry) lack(l, name, "and is a kernel");
        }
    if (l->k->unsupported) return;
    qsort(l->passed, (size_t)l->n_passed, sizeof *l->passed, by_address);
    int kept = 0;
    for (int i = 0; i < l->n_passed; i++)
        if (!kept || l->passed[kept - 1].var != l->passed[i].var) l->passed[kept++] = l->passed[i];
    l->n_passed = kept;
    for (int i = 0; i < kept; i++) l->passed[i].group = i;
    for (int i = 0; i < flat->n_calls; i++)
        for (int k = 0; k < flat->calls[i].n_args + flat->calls[i].n_rets; k++) {
            struct sim_passed *a = group_of(l, passed(l, flat->calls[i].bound[k].formal)),
                              *b = group_of(l, passed(l, flat->calls[i].bound[k].actual));
            if (a != b) b->group = (int)(a - l->passed);
        }
    for (int i = 0; i < flat->n; i++)
        if (flat->insts[i].call <= 0) note_uses(l, &flat->insts[i]);
    settle_groups(l);
}

void rg__sim_calls_release(struct sim_lower *l)
{
    for (int i = 0; i < l->n_passed; i++) free(l->passed[i].parts);
    free(l->passed);
    free(l->frames);
    free(l->sites);
}

/* ---- instructions ---- */

static int slot_of(struct sim_lower *l, const struct ptx_var *v, const struct sim_part *p)
{
    int reg = SIM_NONE;
    rg__sim_param_slot(l, v, p->offset, p->bytes, &reg); /* parts agree: it cannot fail */
    return reg;
}

static const struct sim_part *like(const struct sim_passed *p, const struct sim_part *want)
{
    for (int i = 0; i < p->n; i++)
        if (p->parts[i].offset == want->offset && p->parts[i].bytes == want->bytes) return &p->parts[i];
    return NULL;
}

/* Registers of the parameter that the callee loads (of a result: stores); false: too many. */
static bool registers(struct sim_lower *l, const struct ptx_var *v, bool result, int *regs, int *n)
{
    const struct sim_passed *p = passed(l, v);
    for (int i = 0; !rg__sim_passed_in_memory(l, v) && i < p->n; i++) {
        if (!(result ? p->parts[i].stored : p->parts[i].loaded)) continue;
        if (*n == MOST_REGISTERS) return false;
        regs[(*n)++] = slot_of(l, v, &p->parts[i]);
    }
    return true;
}

/* to: actual or formal, from: the other; frame-relative places of the caller are below those of the callee by the
 * caller's frame. */
static void move(struct sim_lower *l, const struct sim_bound *b, const struct sim_call_site *c, bool result)
{
    const struct ptx_var *from = result ? b->formal : b->actual, *to = result ? b->actual : b->formal;
    int caller = l->owner;
    if (rg__sim_passed_in_memory(l, b->formal)) {
        l->owner = result ? c->body + 1 : caller;
        int64_t at = rg__sim_place(l, from);
        l->owner = result ? caller : c->body + 1;
        int64_t put = rg__sim_place(l, to);
        l->owner = caller;
        struct sim_inst *in = rg__sim_emit(l, SIM_PASS);
        in->a = l->sp;
        in->b = (int32_t)at;
        in->c = (int32_t)put;
        in->p = caller; /* frames.c adds its frame to c, or takes it away */
        in->x = result;
        in->imm = b->formal->bytes;
        return;
    }
    const struct sim_passed *f = passed(l, from), *t = passed(l, to);
    for (int i = 0; i < f->n; i++) {
        const struct sim_part *p = &f->parts[i], *q = p->stored ? like(t, p) : NULL;
        if (!q || !q->loaded) continue;
        int s = slot_of(l, from, p), d = slot_of(l, to, q);
        struct sim_inst *in = rg__sim_emit(l, p->bytes == 8 ? SIM_MOV64 : SIM_MOV32);
        in->d = d;
        in->a = s;
    }
}

enum rg_status rg__sim_lower_call(struct sim_lower *l)
{
    int number = l->in->call - 1, regs[2 * MOST_REGISTERS], n = 0, results;
    const struct sim_call_site *c = &l->flat.calls[number];
    const struct sim_body *body = &l->flat.bodies[c->body];
    struct sim_site_code *at = &l->sites[number];
    bool fits = true;
    at->owner = l->owner;
    at->save = l->k->n_code;
    struct sim_inst *in = rg__sim_emit(l, SIM_SAVE);
    in->a = l->sp;
    in->p = number;
    for (int i = 0; i < c->n_args; i++) move(l, &c->bound[i], c, false);
    for (int i = 0; i < c->n_rets; i++) fits = fits && registers(l, c->bound[c->n_args + i].formal, true, regs, &n);
    results = n;
    n = 0;
    for (int i = 0; i < c->n_args; i++) fits = fits && registers(l, c->bound[i].formal, false, regs + results, &n);
    if (!fits) {
        lack(l, body->f->name, "with more values than fit registers");
        return RG_OK;
    }
    int aux = rg__sim_aux(l, regs, results + n);
    at->call = l->k->n_code;
    in = rg__sim_emit(l, SIM_CALL);
    in->d = in->a = l->sp;
    in->e = aux;
    in->y = (uint8_t)results;
    in->x = (uint8_t)n;
    in->p = number;
    in->imm = body->label;
    for (int i = 0; i < c->n_rets; i++) move(l, &c->bound[c->n_args + i], c, true);
    at->restore = l->k->n_code;
    in = rg__sim_emit(l, SIM_RESTORE);
    in->d = in->a = l->sp;
    in->p = number;
    return RG_OK;
}

enum rg_status rg__sim_lower_return(struct sim_lower *l)
{
    const struct ptx_func *f = l->flat.bodies[l->owner - 1].f;
    int regs[MOST_REGISTERS], n = 0;
    for (int i = 0; i < f->n_rets; i++) registers(l, f->rets[i], true, regs, &n);
    int aux = rg__sim_aux(l, regs, n);
    struct sim_inst *in = rg__sim_emit(l, SIM_RET);
    in->a = l->sp;
    in->e = aux;
    in->y = (uint8_t)n;
    return RG_OK;
}
