/* Loads, stores, atomics, address conversions, asynchronous copies. */
#include "runtime/sim/calls.h"
#include "runtime/sim/arith/atomic.h"
#include <string.h>

#define TRY(x)                                                                                                         \
    do {                                                                                                               \
        enum rg_status s_ = (x);                                                                                       \
        if (s_) return s_;                                                                                             \
        if (l->k->unsupported) return RG_OK;                                                                           \
    } while (0)

static enum ptx_space space_of(const struct sim_lower *l)
{
    for (int i = 0; i < l->n_mods; i++) {
        const char *m = l->mods[i];
        if (!strncmp(m, "global", 6)) return PTX_GLOBAL;
        if (!strncmp(m, "shared", 6)) return PTX_SHARED;
        if (!strncmp(m, "local", 5)) return PTX_LOCAL;
        if (!strncmp(m, "const", 5)) return PTX_CONST;
        if (!strncmp(m, "param", 5)) return PTX_PARAM;
    }
    return PTX_GENERIC;
}

static int vector_count(const struct sim_lower *l)
{
    return rg__sim_mod(l, "v8") ? 8 : rg__sim_mod(l, "v4") ? 4 : rg__sim_mod(l, "v2") ? 2 : 1;
}

static int element(enum ptx_type t)
{
    int bytes = rg__ptx_type_bytes(t), e = bytes == 1 ? SIM_E8 : bytes == 2 ? SIM_E16 : bytes == 4 ? SIM_E32 : SIM_E64;
    return e | (ptx_is_signed(t) && bytes < 8 ? SIM_E_SIGNED : 0);
}

/* The address operand as (register or constant, offset). Wide is asked of global, generic and const addresses. */
static enum rg_status address(struct sim_lower *l, const struct ptx_operand *o, enum ptx_space space, int *reg,
                              int64_t *off)
{
    if (o->kind != PTX_O_ADDRESS) return rg__sim_bad(l, "an address expected");
    if (o->n) return rg__sim_refuse(l); /* tensor coordinates */
    bool narrow = space == PTX_SHARED || space == PTX_LOCAL;
    *off = o->offset;
    if (o->offset > INT32_MAX || o->offset < INT32_MIN) {
        if (o->reg >= 0 || o->var) return rg__sim_bad(l, "an offset of more than 31 bits");
    }
    if (o->var) {
        if (space == PTX_GENERIC && (o->var->space == PTX_SHARED || o->var->space == PTX_LOCAL))
            return rg__sim_refuse(l);
        return rg__sim_address_of(l, o->var, 0, narrow ? 4 : 8, reg);
    }
    if (o->reg < 0) {
        *reg = rg__sim_bits(l, narrow ? 4 : 8, (uint64_t)o->offset);
        *off = 0;
        return RG_OK;
    }
    int cls = l->cls[o->reg];
    if (cls == 4 && !narrow) {
        struct sim_inst *in = rg__sim_emit(l, SIM_CVTU64U32);
        in->a = o->reg;
        *reg = in->d = rg__sim_temp(l, 8);
        return RG_OK;
    }
    if (cls == 8 && narrow) {
        struct sim_inst *in = rg__sim_emit(l, SIM_CVTU32U64);
        in->a = o->reg;
        *reg = in->d = rg__sim_temp(l, 4);
        return RG_OK;
    }
    if (cls != 4 && cls != 8) return rg__sim_bad(l, "an address register of 32 or 64 bits expected");
    *reg = o->reg;
    return RG_OK;
}

static int declared_bytes(const struct sim_lower *l, int reg)
{
    return reg >= 0 && reg < l->flat.n_regs ? rg__ptx_type_bytes((enum ptx_type)l->flat.reg_types[reg]) : 4;
}

/* A sign-extended byte in a 16-bit register keeps 16 bits. */
static void trim16(struct sim_lower *l, enum ptx_type t, int reg)
{
    if (!ptx_is_signed(t) || declared_bytes(l, reg) != 2) return;
    struct sim_inst *in = rg__sim_emit(l, SIM_ZEXT16);
    in->d = reg;
    in->a = reg;
}

/* ---- parameters ---- */

/* A call's parameter lives in a register per (offset, size) as long as every access agrees; see rg__sim_address_of
 * otherwise. */
bool rg__sim_param_slot(struct sim_lower *l, const struct ptx_var *v, int64_t off, int bytes, int *reg)
{
    for (int i = 0; i < l->n_slots; i++) {
        const struct sim_param_slot *s = &l->slots[i];
        if (s->var != v || off >= s->offset + s->bytes || s->offset >= off + bytes) continue;
        if (s->offset != off || s->bytes != bytes) return false;
        *reg = s->reg;
        return true;
    }
    *reg = rg__sim_temp(l, bytes == 8 ? 8 : 4);
    RG_GROW(l->slots, l->n_slots, l->cap_slots);
    l->slots[l->n_slots++] = (struct sim_param_slot){v, off, bytes, *reg};
    return true;
}

static bool entry_param(const struct sim_lower *l, const struct ptx_var *v)
{
    for (int i = 0; i < l->entry->n_params; i++)
        if (l->entry->params[i] == v) return true;
    return false;
}

static enum rg_status move_param(struct sim_lower *l, enum ptx_type t, int d, int cls, int a, bool load)
{
    int bytes = rg__ptx_type_bytes(t);
    enum sim_op op = bytes == 8   ? SIM_MOV64
                     : bytes == 4 ? SIM_MOV32
                     : !load      ? (bytes == 1 ? SIM_ZEXT8 : SIM_ZEXT16)
                     : bytes == 1 ? (ptx_is_signed(t) ? SIM_SEXT8 : SIM_ZEXT8)
                                  : (ptx_is_signed(t) ? SIM_SEXT16 : SIM_ZEXT16);
    if (load && cls == 8 && bytes < 8) op = ptx_is_signed(t) ? SIM_CVTS64S32 : SIM_CVTU64U32;
    if (!load && cls == 8 && bytes < 8) op = SIM_CVTU32U64;
    struct sim_inst *in = rg__sim_emit(l, op);
    in->d = d;
    in->a = a;
    return RG_OK;
}

static enum rg_status entry_load(struct sim_lower *l, const struct ptx_var *v, int64_t off, enum ptx_type t,
                                 const struct ptx_operand *to)
{
    int bytes = rg__ptx_type_bytes(t), d, cls;
    if (off < 0 || off + bytes > v->bytes) return rg__sim_bad(l, "beyond the parameter '%.60s'", v->name);
    TRY(rg__sim_any(l, to, t, true, &d, &cls));
    int at = (int)(v->offset + off);
    struct sim_kernel *k = l->k;
    int found = -1;
    for (int i = 0; i < k->n_consts && found < 0; i++)
        if (k->consts[i].kind == SIM_K_PARAM && k->consts[i].bits == (uint64_t)at && k->consts[i].type == t &&
            k->consts[i].bytes == cls)
            found = i;
    if (found < 0) {
        RG_GROW(k->consts, k->n_consts, k->cap_consts);
        k->consts[k->n_consts] = (struct sim_const){SIM_K_PARAM, cls, (uint64_t)at, t, -1, false};
        found = k->n_consts++;
    }
    struct sim_inst *in = rg__sim_emit(l, cls == 8 ? SIM_MOV64 : SIM_MOV32);
    in->d = d;
    in->a = -(found + 2);
    trim16(l, t, d);
    return RG_OK;
}

static enum rg_status param_access(struct sim_lower *l, enum ptx_type t, int n, bool load)
{
    const struct ptx_operand *addr = &l->in->o[load ? 1 : 0], *val = &l->in->o[load ? 0 : 1];
    if (addr->kind != PTX_O_ADDRESS || !addr->var) return rg__sim_bad(l, "a parameter's name expected");
    if (n > 1 && (val->kind != PTX_O_LIST || val->n != n)) return rg__sim_bad(l, "a list of %d expected", n);
    for (int i = 0; i < n; i++) {
        const struct ptx_operand *o = n > 1 ? &val->items[i] : val;
        int bytes = rg__ptx_type_bytes(t), r, cls, slot;
        int64_t off = addr->offset + (int64_t)i * bytes;
        if (load && entry_param(l, addr->var)) {
            TRY(entry_load(l, addr->var, off, t, o));
            continue;
        }
        if (!load && entry_param(l, addr->var)) return rg__sim_bad(l, "a kernel's parameter is written");
        if (off < 0 || off + bytes > addr->var->bytes)
            return rg__sim_bad(l, "beyond the parameter '%.60s'", addr->var->name);
        TRY(rg__sim_any(l, o, t, load, &r, &cls));
        if (!rg__sim_param_slot(l, addr->var, off, bytes, &slot)) return rg__sim_refuse(l);
        TRY(move_param(l, t, load ? r : slot, cls, load ? slot : r, load));
        if (load) trim16(l, t, r);
    }
    return RG_OK;
}

/* ---- ld, st ---- */

static enum sim_op pick(enum ptx_space s, bool load)
{
    switch (s) {
    case PTX_SHARED:
        return load ? SIM_LDS : SIM_STS;
    case PTX_LOCAL:
        return load ? SIM_LDL : SIM_STL;
    case PTX_GENERIC:
        return load ? SIM_LDX : SIM_STX;
    default:
        return load ? SIM_LDG : SIM_STG;
    }
}

/* .release, .acq_rel, and a scope no wider than the block */
static uint8_t order_flags(const struct sim_lower *l)
{
    uint8_t flags = rg__sim_mod(l, "release") || rg__sim_mod(l, "acq_rel") || rg__sim_mod(l, "sc") ? SIM_F_RELEASE : 0;
    return flags | (rg__sim_mod(l, "cta") ? SIM_F_BLOCK : 0);
}

static enum rg_status load_store(struct sim_lower *l)
{
    bool load = l->base[0] == 'l';
    enum ptx_space s = space_of(l);
    if (l->n_types != 1) return rg__sim_refuse(l);
    enum ptx_type t = l->types[0];
    int n = vector_count(l), regs[8], cls[8], a;
    int64_t off;
    if (t == PTX_B128 || rg__ptx_type_bytes(t) == 0) return rg__sim_refuse(l);
    TRY(rg__sim_arity(l, 2, 3));
    if (l->in->n == 3 && !rg__sim_mod(l, "L2::cache_hint"))
        return rg__sim_refuse(l); /* a cache policy changes no value */
    const struct ptx_operand *addr = &l->in->o[load ? 1 : 0], *val = &l->in->o[load ? 0 : 1];
    if (s == PTX_PARAM && addr->kind == PTX_O_ADDRESS && addr->var) {
        if (!rg__sim_passed_in_memory(l, addr->var)) return param_access(l, t, n, load);
        if (addr->offset < 0 || addr->offset + (int64_t)n * rg__ptx_type_bytes(t) > addr->var->bytes)
            return rg__sim_bad(l, "beyond the parameter '%.60s'", addr->var->name);
        s = PTX_LOCAL;
    }
    if (s == PTX_PARAM && !load) return rg__sim_refuse(l);
    if (s == PTX_CONST && !load) return rg__sim_bad(l, "constant memory is written");
    if (n > 1 && (val->kind != PTX_O_LIST || val->n != n)) return rg__sim_bad(l, "a list of %d expected", n);
    TRY(address(l, addr, s, &a, &off));
    for (int i = 0; i < n; i++) {
        const struct ptx_operand *o = n > 1 ? &val->items[i] : val;
        TRY(rg__sim_any(l, o, t, load, &regs[i], &cls[i]));
        if (cls[i] != cls[0]) return rg__sim_refuse(l);
    }
    static const char *const ordered[] = {"volatile", "acquire", "release", "relaxed", "mmio"};
    uint8_t flags = rg__sim_mod(l, "nc") || s == PTX_CONST || s == PTX_PARAM ? SIM_F_CONSTANT : 0;
    for (size_t i = 0; i < sizeof ordered / sizeof *ordered; i++)
        if (rg__sim_mod(l, ordered[i])) flags |= SIM_F_ORDERED;
    flags |= order_flags(l);
    bool one32 = n == 1 && rg__ptx_type_bytes(t) == 4 && cls[0] == 4;
    if (one32 && (s == PTX_GLOBAL || s == PTX_SHARED)) {
        struct sim_inst *in =
            rg__sim_emit(l, s == PTX_GLOBAL ? (load ? SIM_LDG32 : SIM_STG32) : (load ? SIM_LDS32 : SIM_STS32));
        *(load ? &in->d : &in->b) = regs[0];
        in->a = a;
        in->imm = off;
        in->x = SIM_E32;
        in->y = 1;
        in->flags = flags;
        return RG_OK;
    }
    int aux = rg__sim_aux(l, regs, n);
    struct sim_inst *in = rg__sim_emit(l, pick(s, load));
    in->a = a;
    in->imm = off;
    in->e = aux;
    in->y = (uint8_t)n;
    in->x = (uint8_t)(element(t) | (cls[0] == 8 ? SIM_E_WIDE : 0));
    in->flags = flags;
    if (load)
        for (int i = 0; i < n; i++) trim16(l, t, regs[i]);
    return RG_OK;
}

static enum rg_status cvta(struct sim_lower *l)
{
    enum ptx_space s = space_of(l);
    enum ptx_type t = l->n_types ? l->types[0] : PTX_B64;
    int d, a;
    if (t == PTX_U32) return rg__sim_refuse(l);
    TRY(rg__sim_arity(l, 2, 2));
    TRY(rg__sim_src(l, 1, PTX_B64, &a));
    TRY(rg__sim_dst(l, 0, PTX_B64, &d));
    bool plain = s == PTX_GLOBAL || s == PTX_CONST || s == PTX_PARAM; /* these are their own generic addresses */
    struct sim_inst *in = rg__sim_emit(l, plain ? SIM_MOV64 : SIM_CVTA);
    in->d = d;
    in->a = a;
    in->x = (uint8_t)s;
    in->y = rg__sim_mod(l, "to");
    return RG_OK;
}

static enum rg_status isspacep(struct sim_lower *l)
{
    int d, a;
    TRY(rg__sim_arity(l, 2, 2));
    TRY(rg__sim_src(l, 1, PTX_B64, &a));
    TRY(rg__sim_dst(l, 0, PTX_PRED, &d));
    struct sim_inst *in = rg__sim_emit(l, SIM_ISSPACE);
    in->d = d;
    in->a = a;
    in->x = (uint8_t)space_of(l);
    return RG_OK;
}

/* ---- atomics ---- */

static enum rg_status atom(struct sim_lower *l)
{
    static const struct {
        const char *word;
        int op;
    } words[] = {{"add", SIM_A_ADD}, {"min", SIM_A_MIN},   {"max", SIM_A_MAX}, {"and", SIM_A_AND}, {"or", SIM_A_OR},
                 {"xor", SIM_A_XOR}, {"exch", SIM_A_EXCH}, {"cas", SIM_A_CAS}, {"inc", SIM_A_INC}, {"dec", SIM_A_DEC}};
    bool red = l->base[0] == 'r';
    enum ptx_space s = space_of(l);
    int op = -1, a, d = SIM_NONE, b, c = SIM_NONE;
    int64_t off;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (rg__sim_mod(l, words[i].word)) op = words[i].op;
    int parts = vector_count(l);
    if (op < 0 || l->n_types != 1 || (parts > 1 && (s != PTX_GLOBAL || op == SIM_A_CAS)) || s == PTX_LOCAL ||
        rg__sim_mod(l, "async"))
        return rg__sim_refuse(l);
    for (int i = 0; i < l->n_mods; i++)
        if (!strcmp(l->mods[i], "shared::cluster")) return rg__sim_refuse(l);
    enum ptx_type t = l->types[0];
    int bytes = rg__ptx_type_bytes(t), first = red ? 0 : 1;
    bool half = t == PTX_F16 || t == PTX_BF16 || t == PTX_F16X2 || t == PTX_BF16X2;
    if ((bytes != 4 && bytes != 8 && bytes != 2) || (half && op != SIM_A_ADD && op != SIM_A_MIN && op != SIM_A_MAX) ||
        (bytes == 2 && !half && op != SIM_A_CAS))
        return rg__sim_refuse(l);
    if (ptx_is_float(t) && !half && op != SIM_A_ADD) return rg__sim_refuse(l);
    int n = first + 2 + (op == SIM_A_CAS), hint = rg__sim_mod(l, "L2::cache_hint");
    TRY(rg__sim_arity(l, n + hint, n + hint));
    TRY(address(l, &l->in->o[first], s, &a, &off));
    for (int i = 0; i < parts; i++) { /* each element of a vector is an atomic of its own */
        const struct ptx_operand *to = &l->in->o[0], *from = &l->in->o[first + 1];
        if (parts > 1 &&
            (from->kind != PTX_O_LIST || from->n != parts || (!red && to->kind == PTX_O_LIST && to->n != parts)))
            return rg__sim_bad(l, "lists of %d expected", parts);
        if (parts > 1) from = &from->items[i], to = to->kind == PTX_O_LIST ? &to->items[i] : to;
        TRY(rg__sim_src_of(l, from, t, &b));
        if (op == SIM_A_CAS) TRY(rg__sim_src(l, first + 2, t, &c));
        d = SIM_NONE;
        if (!red && to->kind != PTX_O_SINK) TRY(rg__sim_dst_of(l, to, t, &d));
        struct sim_inst *in = rg__sim_emit(l, SIM_ATOM);
        in->d = d;
        in->a = a;
        in->b = b;
        in->c = c;
        in->x = (uint8_t)op;
        in->y = (uint8_t)t;
        in->e = (int32_t)s;
        in->imm = off + (int64_t)i * bytes;
        in->flags = order_flags(l);
    }
    return RG_OK;
}

/* ---- cp.async, prefetch and friends ---- */

static enum rg_status cp(struct sim_lower *l)
{
    if (!l->n_mods || strcmp(l->mods[0], "async") || rg__sim_mod(l, "bulk") || rg__sim_mod(l, "mbarrier"))
        return rg__sim_refuse(l);
    for (int i = 0; i < l->n_mods; i++)
        if (!strncmp(l->mods[i], "commit_group", 12) || !strncmp(l->mods[i], "wait_group", 10) ||
            !strcmp(l->mods[i], "wait_all")) {
            struct sim_inst *in = rg__sim_emit(l, SIM_FENCE);
            in->x = !strncmp(l->mods[i], "commit", 6) ? 1 : 2;
            if (!strcmp(l->mods[i], "wait_all")) in->flags |= SIM_F_ALL_COPIES;
            if (in->x == 2 && l->in->n == 1 && l->in->o[0].kind == PTX_O_IMM)
                in->y = (uint8_t)(l->in->o[0].bits < 8 ? l->in->o[0].bits : 8);
            return RG_OK;
        }
    int d, a, n = SIM_NONE;
    int64_t od, oa;
    TRY(rg__sim_arity(l, 3, 4));
    TRY(address(l, &l->in->o[0], PTX_SHARED, &d, &od));
    TRY(address(l, &l->in->o[1], PTX_GLOBAL, &a, &oa));
    const struct ptx_operand *size = &l->in->o[2];
    if (size->kind != PTX_O_IMM || (size->bits != 4 && size->bits != 8 && size->bits != 16))
        return rg__sim_bad(l, "4, 8 or 16 bytes expected");
    if (l->in->n == 4) {
        if (l->in->o[3].kind == PTX_O_REG && l->cls[l->in->o[3].reg] != 4) return rg__sim_refuse(l);
        TRY(rg__sim_src(l, 3, PTX_B32, &n));
    }
    if (od) { /* one offset fits the instruction; the other is added here */
        struct sim_inst *add = rg__sim_emit(l, SIM_ADD32);
        add->a = d;
        add->b = rg__sim_bits(l, 4, (uint64_t)od);
        d = rg__sim_temp(l, 4);
        l->k->code[l->k->n_code - 1].d = d;
    }
    struct sim_inst *in = rg__sim_emit(l, SIM_CPASYNC);
    in->a = d;
    in->b = a;
    in->c = n;
    in->x = (uint8_t)size->bits;
    in->imm = oa;
    return RG_OK;
}

/* What a policy says of caches changes no value. */
static enum rg_status policy(struct sim_lower *l)
{
    int d;
    TRY(rg__sim_arity(l, 1, 8));
    TRY(rg__sim_dst(l, 0, PTX_B64, &d));
    struct sim_inst *in = rg__sim_emit(l, SIM_MOV64);
    in->d = d;
    in->a = rg__sim_bits(l, 8, 0);
    return RG_OK;
}

static enum rg_status nothing(struct sim_lower *l)
{
    rg__sim_emit(l, SIM_MARK);
    return RG_OK;
}

static enum rg_status fence(struct sim_lower *l)
{
    if (rg__sim_mod(l, "proxy")) return rg__sim_refuse(l);
    rg__sim_emit(l, SIM_FENCE)->flags = order_flags(l) & SIM_F_BLOCK;
    return RG_OK;
}

static enum rg_status ldmatrix(struct sim_lower *l)
{
    int n = rg__sim_mod(l, "x4") ? 4 : rg__sim_mod(l, "x2") ? 2 : 1, regs[4], a;
    int64_t off;
    if (!rg__sim_mod(l, "m8n8") || !rg__sim_mod(l, "b16")) return rg__sim_refuse(l);
    TRY(rg__sim_arity(l, 2, 2));
    const struct ptx_operand *o = &l->in->o[0];
    if (o->kind != PTX_O_LIST || o->n != n) return rg__sim_bad(l, "a list of %d registers expected", n);
    TRY(address(l, &l->in->o[1], PTX_SHARED, &a, &off));
    for (int i = 0; i < n; i++) TRY(rg__sim_dst_of(l, &o->items[i], PTX_B32, &regs[i]));
    int aux = rg__sim_aux(l, regs, n);
    struct sim_inst *in = rg__sim_emit(l, SIM_LDMATRIX);
    in->a = a;
    in->imm = off;
    in->e = aux;
    in->y = (uint8_t)n;
    in->x = rg__sim_mod(l, "trans");
    return RG_OK;
}

const struct sim_lower_entry rg__sim_lower_memory[] = {{"ld", load_store},
                                                       {"ldu", load_store},
                                                       {"st", load_store},
                                                       {"cvta", cvta},
                                                       {"isspacep", isspacep},
                                                       {"atom", atom},
                                                       {"red", atom},
                                                       {"cp", cp},
                                                       {"prefetch", nothing},
                                                       {"prefetchu", nothing},
                                                       {"discard", nothing},
                                                       {"applypriority", nothing},
                                                       {"createpolicy", policy},
                                                       {"membar", fence},
                                                       {"fence", fence},
                                                       {"ldmatrix", ldmatrix},
                                                       {NULL, NULL}};
