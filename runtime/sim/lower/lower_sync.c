/* Control flow, barriers, exchanges between lanes. */
#include "runtime/sim/lower/lower.h"
#include <string.h>

#define TRY(x)                                                                                                         \
    do {                                                                                                               \
        enum rg_status s_ = (x);                                                                                       \
        if (s_) return s_;                                                                                             \
        if (l->k->unsupported) return RG_OK;                                                                           \
    } while (0)

static enum rg_status bra(struct sim_lower *l)
{
    TRY(rg__sim_arity(l, 1, 1));
    const struct ptx_operand *o = &l->in->o[0];
    if (o->kind != PTX_O_LABEL) return rg__sim_bad(l, "a label expected");
    struct sim_inst *in = rg__sim_emit(l, l->in->guard >= 0 ? SIM_BRAP : SIM_BRA);
    in->a = l->in->guard;
    in->x = l->in->guard_negated;
    in->imm = o->reg;
    return RG_OK;
}

static enum rg_status leave(struct sim_lower *l)
{
    rg__sim_emit(l, SIM_EXIT);
    return RG_OK;
}

static enum rg_status trap(struct sim_lower *l)
{
    rg__sim_emit(l, SIM_TRAP)->x = rg__sim_mod(l, "assert");
    return RG_OK;
}

static enum rg_status mark(struct sim_lower *l)
{
    rg__sim_emit(l, SIM_MARK);
    return RG_OK;
}

static enum rg_status bar(struct sim_lower *l)
{
    if (rg__sim_mod(l, "cluster")) return rg__sim_refuse(l);
    if (rg__sim_mod(l, "warp")) {
        int m;
        TRY(rg__sim_arity(l, 1, 1));
        TRY(rg__sim_src(l, 0, PTX_B32, &m));
        rg__sim_emit(l, SIM_WARPSYNC)->a = m;
        return RG_OK;
    }
    bool red = rg__sim_mod(l, "red"), arrive = rg__sim_mod(l, "arrive");
    if (!red && !arrive && !rg__sim_mod(l, "sync")) return rg__sim_refuse(l);
    int at = 0, d = SIM_NONE, id, count = SIM_NONE, p = SIM_NONE, kind = arrive ? 1 : 0;
    if (red) {
        kind = rg__sim_mod(l, "popc") ? 2 : rg__sim_mod(l, "and") ? 3 : 4;
        TRY(rg__sim_dst(l, at++, kind == 2 ? PTX_U32 : PTX_PRED, &d));
    }
    TRY(rg__sim_src(l, at++, PTX_B32, &id));
    int left = l->in->n - at - (red ? 1 : 0);
    if (left < 0 || left > 1) return rg__sim_bad(l, "wrong number of operands");
    if (left) TRY(rg__sim_src(l, at++, PTX_B32, &count));
    if (red) TRY(rg__sim_pred_src(l, at, &p));
    struct sim_inst *in = rg__sim_emit(l, SIM_BAR);
    in->d = d;
    in->a = id;
    in->b = count;
    in->e = p;
    in->x = (uint8_t)kind;
    return RG_OK;
}

static enum rg_status shfl(struct sim_lower *l)
{
    static const char *const modes[] = {"up", "down", "bfly", "idx"};
    int mode = -1, d, a, b, c, m;
    for (int i = 0; i < 4; i++)
        if (rg__sim_mod(l, modes[i])) mode = i;
    bool sync = rg__sim_mod(l, "sync");
    if (mode < 0) return rg__sim_bad(l, "unknown mode");
    TRY(rg__sim_arity(l, sync ? 5 : 4, sync ? 5 : 4));
    TRY(rg__sim_src(l, 1, PTX_B32, &a));
    TRY(rg__sim_src(l, 2, PTX_B32, &b));
    TRY(rg__sim_src(l, 3, PTX_B32, &c));
    if (sync)
        TRY(rg__sim_src(l, 4, PTX_B32, &m));
    else
        m = SIM_NONE;
    TRY(rg__sim_dst(l, 0, PTX_B32, &d));
    int q = l->in->o[0].second;
    if (q >= 0 && l->cls[q] != 0) return rg__sim_bad(l, "a predicate expected after '|'");
    struct sim_inst *in = rg__sim_emit(l, SIM_SHFL);
    in->d = d;
    in->a = a;
    in->b = b;
    in->c = c;
    in->e = m;
    in->p = q;
    in->x = (uint8_t)mode;
    return RG_OK;
}

static enum rg_status vote(struct sim_lower *l)
{
    int mode = rg__sim_mod(l, "all")      ? 0
               : rg__sim_mod(l, "any")    ? 1
               : rg__sim_mod(l, "uni")    ? 2
               : rg__sim_mod(l, "ballot") ? 3
                                          : -1;
    bool sync = rg__sim_mod(l, "sync");
    int d, a, m = SIM_NONE;
    if (mode < 0) return rg__sim_bad(l, "unknown mode");
    TRY(rg__sim_arity(l, sync ? 3 : 2, sync ? 3 : 2));
    TRY(rg__sim_pred_src(l, 1, &a));
    if (sync) TRY(rg__sim_src(l, 2, PTX_B32, &m));
    TRY(rg__sim_dst(l, 0, mode == 3 ? PTX_B32 : PTX_PRED, &d));
    struct sim_inst *in = rg__sim_emit(l, SIM_VOTE);
    in->d = d;
    in->a = a;
    in->b = m;
    in->x = (uint8_t)mode;
    return RG_OK;
}

static enum rg_status match(struct sim_lower *l)
{
    int d, a, m;
    if (l->n_types != 1) return rg__sim_bad(l, "one type expected");
    TRY(rg__sim_arity(l, 3, 3));
    TRY(rg__sim_src(l, 1, l->types[0], &a));
    TRY(rg__sim_src(l, 2, PTX_B32, &m));
    TRY(rg__sim_dst(l, 0, PTX_B32, &d));
    int q = l->in->o[0].second;
    if (q >= 0 && l->cls[q] != 0) return rg__sim_bad(l, "a predicate expected after '|'");
    struct sim_inst *in = rg__sim_emit(l, SIM_MATCH);
    in->d = d;
    in->a = a;
    in->b = m;
    in->p = q;
    in->x = rg__sim_mod(l, "all");
    in->y = rg__sim_cls(l->types[0]) == 8;
    return RG_OK;
}

static enum rg_status redux(struct sim_lower *l)
{
    static const char *const words[] = {"add", "min", "max", "and", "or", "xor"};
    int op = -1, d, a, m;
    for (int i = 0; i < 6; i++)
        if (rg__sim_mod(l, words[i])) op = i;
    if (op < 0 || l->n_types != 1 || rg__ptx_type_bytes(l->types[0]) != 4 || l->types[0] == PTX_F32)
        return rg__sim_refuse(l);
    TRY(rg__sim_arity(l, 3, 3));
    TRY(rg__sim_src(l, 1, PTX_B32, &a));
    TRY(rg__sim_src(l, 2, PTX_B32, &m));
    TRY(rg__sim_dst(l, 0, PTX_B32, &d));
    struct sim_inst *in = rg__sim_emit(l, SIM_REDUX);
    in->d = d;
    in->a = a;
    in->b = m;
    in->x = (uint8_t)op;
    in->y = (uint8_t)l->types[0];
    return RG_OK;
}

static enum rg_status activemask(struct sim_lower *l)
{
    int d;
    TRY(rg__sim_arity(l, 1, 1));
    TRY(rg__sim_dst(l, 0, PTX_B32, &d));
    rg__sim_emit(l, SIM_ACTIVE)->d = d;
    return RG_OK;
}

static enum rg_status elect(struct sim_lower *l)
{
    int m, d = SIM_NONE;
    TRY(rg__sim_arity(l, 2, 2));
    const struct ptx_operand *o = &l->in->o[0];
    TRY(rg__sim_src(l, 1, PTX_B32, &m));
    if (o->kind == PTX_O_REG) TRY(rg__sim_dst(l, 0, PTX_B32, &d));
    if (o->second < 0 || l->cls[o->second] != 0) return rg__sim_bad(l, "a predicate expected after '|'");
    struct sim_inst *in = rg__sim_emit(l, SIM_ELECT);
    in->d = d;
    in->a = m;
    in->p = o->second;
    return RG_OK;
}

static enum rg_status griddep(struct sim_lower *l)
{
    rg__sim_emit(l, SIM_FENCE);
    return RG_OK;
}

const struct sim_lower_entry rg__sim_lower_sync[] = {{"bra", bra},      {"ret", leave},
                                                     {"exit", leave},   {"trap", trap},
                                                     {"brkpt", mark},   {"nanosleep", mark},
                                                     {"pmevent", mark}, {"bar", bar},
                                                     {"barrier", bar},  {"shfl", shfl},
                                                     {"vote", vote},    {"match", match},
                                                     {"redux", redux},  {"activemask", activemask},
                                                     {"elect", elect},  {"griddepcontrol", griddep},
                                                     {NULL, NULL}};
