#include "runtime/sim/calls.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name, *shape;
} ops[SIM_N_OPS] = {
#define B(n, ...) [SIM_##n] = {#n, "dab"},
    SIM_BIN32(B) SIM_BIN64(B) SIM_SHIFT64(B) SIM_WIDE(B) SIM_CMP32(B) SIM_CMP64(B)
#undef B
#define U(n, ...) [SIM_##n] = {#n, "da"},
        SIM_UN32(U) SIM_UN64(U) SIM_WIDEN(U) SIM_NARROW(U)
#undef U
#define T(n, ...) [SIM_##n] = {#n, "dabc"},
            SIM_MADWIDE(T) SIM_TER32(T) SIM_TER64(T)
#undef T
#define O(n, s, ...) [SIM_##n] = {#n, s},
                SIM_PRED(O) SIM_OTHER(O)
#undef O
};
const char *rg__sim_op_name(int op)
{
    return ops[op].name;
}
const char *rg__sim_op_shape(int op)
{
    return ops[op].shape;
}

int rg__sim_cls(enum ptx_type t)
{
    return t == PTX_PRED ? 0 : rg__ptx_type_bytes(t) <= 4 ? 4 : rg__ptx_type_bytes(t);
}

bool rg__sim_mod(const struct sim_lower *l, const char *word)
{
    for (int i = 0; i < l->n_mods; i++)
        if (!strcmp(l->mods[i], word)) return true;
    return false;
}

enum rg_status rg__sim_bad(struct sim_lower *l, const char *fmt, ...)
{
    char text[256];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    return rg_error_at(l->err, RG_INPUT, "ptx", l->in ? l->in->line : 0, 0, "'%.80s': %s", l->in ? l->in->op : "",
                       text);
}

enum rg_status rg__sim_refuse(struct sim_lower *l)
{
    if (!l->k->unsupported) {
        l->k->unsupported = true;
        int n = snprintf(l->k->why, sizeof l->k->why, "instruction '%.120s' (PTX line %d", l->in->op, l->in->line);
        if (l->in->cuda_line && n > 0 && (size_t)n < sizeof l->k->why)
            n += snprintf(l->k->why + n, sizeof l->k->why - (size_t)n, ", CUDA line %d", l->in->cuda_line);
        if (n > 0 && (size_t)n < sizeof l->k->why) snprintf(l->k->why + n, sizeof l->k->why - (size_t)n, ")");
    }
    return RG_OK;
}

struct sim_inst *rg__sim_emit(struct sim_lower *l, enum sim_op op)
{
    struct sim_kernel *k = l->k;
    RG_GROW(k->code, k->n_code, k->cap_code);
    struct sim_inst *in = &k->code[k->n_code++];
    memset(in, 0, sizeof *in);
    in->op = (uint16_t)op;
    in->d = in->a = in->b = in->c = in->e = in->p = SIM_NONE;
    in->line = l->in ? l->in->cuda_line : 0;
    return in;
}

int rg__sim_temp(struct sim_lower *l, int cls)
{
    RG_GROW(l->cls, l->n_regs, l->cap_regs);
    l->cls[l->n_regs] = (unsigned char)cls;
    return l->n_regs++;
}

static int constant(struct sim_lower *l, struct sim_const c)
{
    struct sim_kernel *k = l->k;
    for (int i = k->n_consts - 1, seen = 0; i >= 0 && seen < 256; i--, seen++) {
        const struct sim_const *o = &k->consts[i];
        if (o->kind == c.kind && o->bytes == c.bytes && o->bits == c.bits && o->type == c.type) return -(i + 2);
    }
    RG_GROW(k->consts, k->n_consts, k->cap_consts);
    k->consts[k->n_consts] = c;
    return -(k->n_consts++ + 2);
}

int rg__sim_bits(struct sim_lower *l, int bytes, uint64_t bits)
{
    if (bytes == 4) bits = (uint32_t)bits;
    if (bytes == 0) bits = bits ? 0xffffffffu : 0;
    return constant(l, (struct sim_const){SIM_K_BITS, bytes, bits, PTX_NONE, -1, false});
}

int rg__sim_width(const struct sim_lower *l, int operand)
{
    return operand >= 0 ? l->cls[operand] : operand == SIM_NONE ? 0 : l->k->consts[-operand - 2].bytes;
}

enum rg_status rg__sim_arity(struct sim_lower *l, int lo, int hi)
{
    if (l->in->n < lo || l->in->n > hi) return rg__sim_bad(l, "%d operands, not %d to %d", l->in->n, lo, hi);
    return RG_OK;
}

/* A local variable, or a parameter, that each activation of a function has for itself. */
static bool in_frame(const struct sim_lower *l, const struct ptx_var *v)
{
    return v->space != PTX_SHARED && (l->owner || rg__sim_passed_in_memory(l, v));
}

int64_t rg__sim_place(struct sim_lower *l, const struct ptx_var *v)
{
    int owner = v->space == PTX_SHARED ? 0 : l->owner;
    for (int i = 0; i < l->n_placed; i++)
        if (l->placed[i].var == v && l->placed[i].owner == owner) return l->placed[i].offset;
    int64_t *top = v->space == PTX_SHARED ? &l->shared_top : in_frame(l, v) ? &l->frames[owner] : &l->local_top;
    int64_t at = (*top + v->align - 1) / v->align * v->align;
    *top = at + v->bytes;
    RG_GROW(l->placed, l->n_placed, l->cap_placed);
    l->placed[l->n_placed++] = (struct sim_placed){v, owner, at};
    if (v->space == PTX_SHARED) {
        RG_GROW(l->k->shared, l->k->n_shared, l->k->cap_shared);
        l->k->shared[l->k->n_shared++] = (struct sim_shared){v->name, at, v->bytes};
        if (v->align > l->k->shared_align) l->k->shared_align = v->align;
    }
    return at;
}

/* The last name of a mangled one: _ZZ4sortPfE4tile gives "tile". */
static const char *plain_name(const char *s, int *len)
{
    const char *best = s;
    *len = (int)strlen(s);
    for (const char *p = s; *p; p++) {
        char *end;
        if (p[0] < '1' || p[0] > '9' || (p > s && p[-1] >= '0' && p[-1] <= '9')) continue;
        long n = strtol(p, &end, 10);
        if (n > (long)strlen(end) || s[0] != '_' || s[1] != 'Z') continue;
        best = end;
        *len = (int)n;
        p = end + n - 1;
    }
    return best;
}

void rg__sim_shared_place(const struct sim_kernel *k, int64_t offset, char *out, size_t size)
{
    for (int i = 0; i < k->n_shared; i++) {
        const struct sim_shared *v = &k->shared[i];
        if (offset < v->offset || offset - v->offset >= v->bytes) continue;
        int len;
        const char *name = plain_name(v->name, &len);
        snprintf(out, size, "offset %lld of shared memory '%.*s'", (long long)(offset - v->offset), len, name);
        return;
    }
    if (k->shared_static && offset >= k->shared_static)
        snprintf(out, size, "offset %lld of dynamic shared memory",
                 (long long)(offset - (k->shared_static + k->shared_align - 1) / k->shared_align * k->shared_align));
    else
        snprintf(out, size, "offset %lld of shared memory", (long long)offset);
}

void rg__sim_plain_name(const char *mangled, char *out, size_t size)
{
    int len;
    const char *name = plain_name(mangled, &len);
    snprintf(out, size, "%.*s", len, name);
}

static bool is_entry_param(const struct sim_lower *l, const struct ptx_var *v)
{
    for (int i = 0; i < l->entry->n_params; i++)
        if (l->entry->params[i] == v) return true;
    return false;
}

static int local_address(struct sim_lower *l, const struct ptx_var *v, int64_t offset, int bytes)
{
    int64_t at = rg__sim_place(l, v) + offset;
    if (!in_frame(l, v)) return rg__sim_bits(l, bytes, (uint64_t)at);
    struct sim_inst *in = rg__sim_emit(l, SIM_ADD32);
    in->a = l->sp;
    in->b = rg__sim_bits(l, 4, (uint64_t)at);
    int d = rg__sim_temp(l, 4);
    l->k->code[l->k->n_code - 1].d = d;
    if (bytes == 4) return d;
    in = rg__sim_emit(l, SIM_CVTU64U32);
    in->a = d;
    d = rg__sim_temp(l, 8);
    l->k->code[l->k->n_code - 1].d = d;
    return d;
}

enum rg_status rg__sim_address_of(struct sim_lower *l, const struct ptx_var *v, int64_t offset, int bytes, int *out)
{
    switch (v->space) {
    case PTX_SHARED:
        if (v->is_extern || !v->bytes) {
            if (v->align > l->k->shared_align) l->k->shared_align = v->align;
            *out = constant(l, (struct sim_const){SIM_K_EXTERN_SHARED, bytes, (uint64_t)offset, PTX_NONE, -1, false});
            return RG_OK;
        }
        *out = rg__sim_bits(l, bytes, (uint64_t)(rg__sim_place(l, v) + offset));
        return RG_OK;
    case PTX_LOCAL:
        *out = local_address(l, v, offset, bytes);
        return RG_OK;
    case PTX_PARAM:
        if (!is_entry_param(l, v)) { /* a call's parameter whose address is taken lives in local memory */
            *out = local_address(l, v, offset, bytes);
            return RG_OK;
        }
        *out = constant(
            l, (struct sim_const){SIM_K_PARAM_BLOCK, bytes, (uint64_t)(v->offset + offset), PTX_NONE, -1, false});
        return RG_OK;
    default:
        break;
    }
    for (int i = 0; i < l->m->n_symbols; i++)
        if (!strcmp(l->m->symbols[i].name, v->name)) {
            *out = rg__sim_bits(l, bytes, l->m->symbols[i].addr + (uint64_t)offset);
            return RG_OK;
        }
    return rg__sim_bad(l, "variable '%.80s' has no storage", v->name);
}

/* ---- operands ---- */

static uint64_t immediate(const struct ptx_operand *o, enum ptx_type t)
{
    double d;
    float f;
    uint32_t u;
    if (!o->is_float) return o->bits;
    if (o->is_f32) {
        u = (uint32_t)o->bits;
        if (t != PTX_F64) return u;
        memcpy(&f, &u, 4);
        d = f;
        uint64_t b;
        memcpy(&b, &d, 8);
        return b;
    }
    if (t == PTX_F64 || rg__ptx_type_bytes(t) == 8) return o->bits;
    memcpy(&d, &o->bits, 8);
    f = (float)d;
    memcpy(&u, &f, 4);
    return u;
}

static bool special_varies(int s)
{
    return s == PTX_SR_CTAID_X || s == PTX_SR_CTAID_Y || s == PTX_SR_CTAID_Z || s == PTX_SR_SMID ||
           s == PTX_SR_CLUSTERID_X || s == PTX_SR_CLUSTER_CTAID_X || s == PTX_SR_CLUSTER_CTARANK;
}

static enum rg_status special(struct sim_lower *l, const struct ptx_operand *o, int cls, int *out)
{
    int s = o->reg;
    if (s == PTX_SR_CLOCK || s == PTX_SR_CLOCK64 || s == PTX_SR_CLOCK_HI || s == PTX_SR_GLOBALTIMER ||
        s == PTX_SR_GLOBALTIMER_LO || s == PTX_SR_GLOBALTIMER_HI) {
        struct sim_inst *in = rg__sim_emit(l, SIM_CLOCK);
        in->d = *out = rg__sim_temp(l, cls);
        in->x = (uint8_t)(cls == 8);
        in->y = (uint8_t)(s == PTX_SR_CLOCK_HI || s == PTX_SR_GLOBALTIMER_HI);
        return RG_OK;
    }
    if (special_varies(s)) l->k->block_specials = true;
    if (s == PTX_SR_ENVREG1 || s == PTX_SR_ENVREG2) l->k->grid_workspace = true;
    *out = constant(l, (struct sim_const){SIM_K_SPECIAL, cls, (uint64_t)s, PTX_NONE, -1, false});
    return RG_OK;
}

enum rg_status rg__sim_any(struct sim_lower *l, const struct ptx_operand *o, enum ptx_type t, bool is_dst, int *out,
                           int *cls)
{
    if (is_dst && o->kind == PTX_O_SINK) {
        *cls = rg__sim_cls(t);
        *out = rg__sim_temp(l, *cls);
        return RG_OK;
    }
    if (o->kind != PTX_O_REG) {
        if (is_dst) return rg__sim_bad(l, "a register expected as result");
        *cls = rg__sim_cls(t);
        return rg__sim_src_of(l, o, t, out);
    }
    *out = o->reg;
    *cls = l->cls[o->reg];
    if (*cls == 16) return rg__sim_refuse(l);
    if (*cls == 0 || rg__ptx_type_bytes(t) > *cls)
        return rg__sim_bad(l, "a register too small for .%s", rg__ptx_type_word(t));
    return RG_OK;
}

enum rg_status rg__sim_src_of(struct sim_lower *l, const struct ptx_operand *o, enum ptx_type t, int *out)
{
    int want = rg__sim_cls(t);
    switch (o->kind) {
    case PTX_O_REG:
        if (l->cls[o->reg] != want) return rg__sim_bad(l, "a register of another size than .%s", rg__ptx_type_word(t));
        if (o->negated) {
            if (want) return rg__sim_bad(l, "'!' before something that is no predicate");
            struct sim_inst *in = rg__sim_emit(l, SIM_PNOT);
            in->a = o->reg;
            *out = in->d = rg__sim_temp(l, 0);
            return RG_OK;
        }
        *out = o->reg;
        return RG_OK;
    case PTX_O_IMM: {
        uint64_t bits = immediate(o, t);
        int bytes = rg__ptx_type_bytes(t);
        if (bytes == 1 || bytes == 2) bits &= bytes == 1 ? 0xff : 0xffff;
        *out = rg__sim_bits(l, want, bits);
        return RG_OK;
    }
    case PTX_O_SPECIAL:
        if (!want) return rg__sim_bad(l, "a predicate expected");
        return special(l, o, want, out);
    case PTX_O_VAR:
        if (!want) return rg__sim_bad(l, "a predicate expected");
        return rg__sim_address_of(l, o->var, o->offset, want, out);
    default:
        return rg__sim_bad(l, "an operand of a kind that does not fit");
    }
}

enum rg_status rg__sim_src(struct sim_lower *l, int i, enum ptx_type t, int *out)
{
    if (i >= l->in->n) return rg__sim_bad(l, "too few operands");
    return rg__sim_src_of(l, &l->in->o[i], t, out);
}

enum rg_status rg__sim_dst_of(struct sim_lower *l, const struct ptx_operand *o, enum ptx_type t, int *out)
{
    int want = rg__sim_cls(t);
    if (o->kind == PTX_O_SINK) {
        *out = rg__sim_temp(l, want);
        return RG_OK;
    }
    if (o->kind != PTX_O_REG) return rg__sim_bad(l, "a register expected as result");
    if (l->cls[o->reg] != want)
        return rg__sim_bad(l, "a result register of another size than .%s", rg__ptx_type_word(t));
    *out = o->reg;
    return RG_OK;
}

enum rg_status rg__sim_dst(struct sim_lower *l, int i, enum ptx_type t, int *out)
{
    if (i >= l->in->n) return rg__sim_bad(l, "too few operands");
    return rg__sim_dst_of(l, &l->in->o[i], t, out);
}

enum rg_status rg__sim_pred_src(struct sim_lower *l, int i, int *out)
{
    return rg__sim_src(l, i, PTX_PRED, out);
}

int rg__sim_carry(struct sim_lower *l)
{
    if (l->carry == SIM_NONE) l->carry = rg__sim_temp(l, 0);
    return l->carry;
}

int rg__sim_aux(struct sim_lower *l, const int *regs, int n)
{
    struct sim_kernel *k = l->k;
    int at = k->n_aux;
    for (int i = 0; i < n; i++) {
        RG_GROW(k->aux, k->n_aux, k->cap_aux);
        k->aux[k->n_aux++] = regs[i];
    }
    return at;
}

void rg__sim_scalar(struct sim_lower *l, sim_scalar_fn fn, int d, int a, int b, int c, int e)
{
    bool to_pred = rg__sim_width(l, d) == 0;
    struct sim_inst *in = rg__sim_emit(l, to_pred ? SIM_SCALARP : SIM_SCALAR);
    in->d = d;
    in->a = a;
    in->b = b;
    in->c = c;
    in->e = to_pred ? SIM_NONE : e;
    in->fn = fn;
    in->x = (uint8_t)((rg__sim_width(l, d) == 8) | (rg__sim_width(l, a) == 8) << 1 | (rg__sim_width(l, b) == 8) << 2 |
                      (rg__sim_width(l, c) == 8) << 3 | (rg__sim_width(l, e) == 8) << 4);
}

/* ---- the walk ---- */

static enum rg_status split_opcode(struct sim_lower *l)
{
    l->n_mods = l->n_types = 0;
    snprintf(l->mod_text, sizeof l->mod_text, "%.255s", l->in->op); /* the parser allows 200 */
    char *p = strchr(l->mod_text, '.');
    if (p) *p++ = 0;
    if (strlen(l->mod_text) >= sizeof l->base) return rg__sim_bad(l, "unknown instruction");
    strcpy(l->base, l->mod_text);
    while (p) {
        char *q = strchr(p, '.');
        if (q) *q++ = 0;
        if (l->n_mods == LOWER_MAX_MODS) return rg__sim_bad(l, "too many modifiers");
        l->mods[l->n_mods++] = p;
        int t = rg__ptx_type_parse(p, strlen(p));
        if (t > 0 && l->n_types < LOWER_MAX_TYPES) l->types[l->n_types++] = (enum ptx_type)t;
        p = q;
    }
    return RG_OK;
}

static sim_lower_fn find(const char *base)
{
    const struct sim_lower_entry *const tables[] = {rg__sim_lower_alu,  rg__sim_lower_float,  rg__sim_lower_memory,
                                                    rg__sim_lower_sync, rg__sim_lower_matrix, rg__sim_lower_compare};
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
        for (const struct sim_lower_entry *e = tables[t]; e->base; e++)
            if (!strcmp(e->base, base)) return e->fn;
    return NULL;
}

static enum rg_status lower_one(struct sim_lower *l, const struct ptx_inst *in)
{
    l->in = in;
    enum rg_status s = split_opcode(l);
    if (s) return s;
    sim_lower_fn fn = in->call > 0 ? rg__sim_lower_call : in->call == PTX_RETURN ? rg__sim_lower_return : find(l->base);
    if (!fn) return rg__sim_refuse(l);
    bool is_branch = !strcmp(l->base, "bra");
    int skip = -1;
    if (in->guard >= 0 && !is_branch) {
        struct sim_inst *b = rg__sim_emit(l, SIM_BRAP);
        b->a = in->guard;
        b->x = !in->guard_negated;
        skip = l->k->n_code - 1;
    }
    s = fn(l);
    if (skip >= 0) l->k->code[skip].imm = -(int64_t)l->k->n_code; /* negative: an index, not a label */
    return s;
}

static void shown_name(struct sim_kernel *k) /* "_Z5saxpyifPKfPf" -> "saxpy" */
{
    const char *p = k->name;
    if (p[0] == '_' && p[1] == 'Z') {
        p += 2;
        if (*p == 'N') p++;
        char *end;
        long n = strtol(p, &end, 10);
        if (n > 0 && (size_t)n <= strlen(end) && n < (long)sizeof k->shown) {
            memcpy(k->shown, end, (size_t)n);
            k->shown[n] = 0;
            return;
        }
    }
    snprintf(k->shown, sizeof k->shown, "%.100s", k->name);
}

enum rg_status rg__sim_lower(struct rg_module *m, const struct ptx_func *entry, struct sim_kernel *k,
                             struct rg_error *err)
{
    struct sim_lower lower, *l = &lower;
    memset(l, 0, sizeof *l);
    l->m = m;
    l->k = k;
    l->entry = entry;
    l->err = err;
    l->carry = l->sp = SIM_NONE;
    k->name = entry->name;
    k->f = entry;
    k->n_params = entry->n_params;
    k->param_bytes = entry->param_bytes;
    k->shared_align = 16;
    shown_name(k);
    enum rg_status s = rg__sim_inline(m->ptx, entry, &l->flat, err);
    if (!s && l->flat.why[0]) {
        k->unsupported = true;
        snprintf(k->why, sizeof k->why, "%.250s", l->flat.why);
    }
    int *at = NULL;
    bool *rolled = NULL;
    if (!s && !k->unsupported) {
        l->n_regs = l->cap_regs = l->flat.n_regs;
        l->cls = rg_xmalloc((size_t)l->n_regs + 1);
        for (int i = 0; i < l->n_regs; i++) l->cls[i] = (unsigned char)rg__sim_cls((enum ptx_type)l->flat.reg_types[i]);
        at = rg_xmalloc(sizeof *at * (size_t)(l->flat.n + 1));
        if (l->flat.n_bodies) {
            rg__sim_calls_prepare(l);
            l->sp = rg__sim_temp(l, 4);
            struct sim_inst *in = rg__sim_emit(l, SIM_MOV32);
            in->d = l->sp;
            in->a = constant(l, (struct sim_const){SIM_K_STACK, 4, 0, PTX_NONE, -1, false});
        }
        for (int i = 0; i < l->flat.n && !s && !k->unsupported; i++) {
            at[i] = k->n_code;
            if (l->owner < l->flat.n_bodies && l->flat.bodies[l->owner].first == i && !l->owner++)
                l->first_body = k->n_code;
            s = lower_one(l, &l->flat.insts[i]);
        }
        l->in = NULL;
        at[l->flat.n] = k->n_code;
        if (!s && !k->unsupported) {
            rg__sim_emit(l, SIM_EXIT); /* running off the end is a return */
            rolled = rg_xcalloc((size_t)k->n_code, sizeof *rolled);
            for (int i = 0; i < l->flat.n; i++) rolled[at[i]] = rolled[at[i]] || l->flat.insts[i].rolled;
            for (int i = 0; i < l->flat.n_labels; i++) {
                int to = l->flat.labels[i];
                l->flat.labels[i] = to < 0 || to > l->flat.n ? k->n_code - 1 : at[to];
            }
            k->local_bytes = (l->local_top + 15) / 16 * 16; /* whole words: they are interleaved by lane */
            k->shared_static = l->shared_top;
            k->ftz = l->has_ftz && !l->has_noftz;
            if (k->local_bytes > 512 << 10 || k->shared_static > 1 << 20) {
                k->unsupported = true;
                snprintf(k->why, sizeof k->why, "%lld bytes of local, %lld of shared memory", (long long)k->local_bytes,
                         (long long)k->shared_static);
            } else
                s = rg__sim_flow(l, l->flat.labels, l->flat.n_labels, rolled);
        }
    }
    free(at);
    free(rolled);
    free(l->cls);
    free(l->slots);
    free(l->placed);
    rg__sim_calls_release(l);
    rg__sim_flat_release(&l->flat);
    return s;
}

void rg__sim_kernel_release(struct sim_kernel *k)
{
    free(k->code);
    free(k->aux);
    free(k->blocks);
    free(k->consts);
    free(k->shared);
    free(k->unset);
    free(k->calls);
    free(k->bodies);
    free(k->sites);
    free(k->meets);
    memset(k, 0, sizeof *k);
}
