/* Updates as atomics, in print: the instruction where the device has one for the operator and type, else an exchange
 * that is repeated until nobody came between. */
#include "poly/cuda/print.h"
#include <string.h>

static const struct poly_access *access_of(const struct poly_print *pr, const struct rg_cnode *index)
{
    for (int i = 0; i < pr->s->n_accesses; i++)
        if (pr->s->accesses[i].node == index)
            return &pr->s->accesses[i];
    return NULL;
}

/* What the element is combined with: the update is `x = x op operand`, perhaps under a condition. */
struct operand {
    const struct rg_cnode *condition; /* NULL: always */
    bool negated;                     /* of the condition */
    bool minus;
    const struct rg_cnode *value;     /* NULL: one */
};

static bool operand_of(const struct rg_cnode *e, const struct rg_cnode *x, enum poly_op op, struct operand *o)
{
    e = rg__c_uncast(e, RG__C_CASTS);
    if (e->kind == RG_C_COND && e->n == 3) {
        bool keep_then = rg__c_same(e->kid[1], x, RG__C_UNCAST), keep_else = rg__c_same(e->kid[2], x, RG__C_UNCAST);
        if (keep_then == keep_else)
            return false;
        const struct rg_cnode *other = keep_then ? e->kid[2] : e->kid[1];
        if (op == POLY_OP_MIN || op == POLY_OP_MAX) { /* the condition compares with x: the atomic does that */
            o->value = other;
            return e->kid[0]->kind == RG_C_BINARY && (rg__c_same(e->kid[0]->kid[0], x, RG__C_UNCAST) || rg__c_same(e->kid[0]->kid[1], x, RG__C_UNCAST));
        }
        if (o->condition)
            return false;
        o->condition = e->kid[0];
        o->negated = keep_then;
        return operand_of(other, x, op, o);
    }
    if ((e->kind != RG_C_BINARY && e->kind != RG_C_CALL) || e->n != 2)
        return false;
    for (int side = 0; side < 2; side++)
        if (rg__c_same(e->kid[side], x, RG__C_UNCAST)) {
            o->value = e->kid[1 - side];
            o->minus = e->op == RG_COP_SUB;
            return !(o->minus && side == 1);
        }
    return false;
}

static bool integer(enum rg_scalar t)
{
    return !rg_scalar_is_real(t) && t != RG_STRUCT;
}

/* The type that CUDA's function for it takes; NULL: it has none for this operator. */
static const char *native_type(enum poly_op op, enum rg_scalar t)
{
    bool wide = rg_scalar_bytes(t) == 8, sign = rg_scalar_is_signed(t);
    switch (op) {
    case POLY_OP_ADD:
        if (!integer(t))
            return rg_scalar_cuda(t);
        return wide ? "unsigned long long" : sign ? "int" : "unsigned int";
    case POLY_OP_MIN:
    case POLY_OP_MAX:
        if (!integer(t))
            return NULL;
        return wide ? (sign ? "long long" : "unsigned long long") : sign ? "int" : "unsigned int";
    case POLY_OP_AND:
    case POLY_OP_OR:
    case POLY_OP_XOR:
        return !integer(t) ? NULL : wide ? "unsigned long long" : sign ? "int" : "unsigned int";
    default:
        return NULL;
    }
}

/* A value of type v may be converted to t before it is compared. */
static bool fits(enum rg_scalar v, enum rg_scalar t)
{
    if (!integer(v) || !integer(t))
        return v == t;
    size_t a = rg_scalar_bytes(v), b = rg_scalar_bytes(t);
    return rg_scalar_is_signed(v) == rg_scalar_is_signed(t) ? a <= b : !rg_scalar_is_signed(v) && a < b;
}

static const char *const function_names[] = {"", "Add", "", "Min", "Max", "And", "Or", "Xor"};

const char *rg__poly_atomic_text(struct poly_print *pr, enum poly_op op, enum rg_scalar t, const char *place,
                                 const char *value)
{
    const char *n = native_type(op, t);
    if (n) {
        bool cast = strcmp(n, rg_scalar_cuda(t)) != 0;
        return cast ? rg__poly_printf(pr, "atomic%s((%s *)&%s, (%s)(%s))", function_names[op], n, place, n, value)
                    : rg__poly_printf(pr, "atomic%s(&%s, %s)", function_names[op], place, value);
    }
    bool keeps = op == POLY_OP_MIN || op == POLY_OP_MAX;
    const char *old = rg__poly_fresh(pr, "old"), *type = rg_scalar_cuda(t);
    pr->uses_exchange[rg_scalar_bytes(t) == 8] = true;
    return rg__poly_printf(pr, "%s<%s>(&%s, [&](%s %s) { return (%s)(%s); })",
                           rg__poly_fresh(pr, "atomic_update%d", (int)rg_scalar_bytes(t) * 8), keeps ? "true" : "false",
                           place, type, old, type, rg__poly_combine(pr, op, old, value));
}

/* The update as it stands, with the old value in place of the element. */
static const char *exchange(struct poly_print *pr, const struct poly_access *a, const struct rg_cnode *n)
{
    const struct rg_cnode *x = n->kid[0];
    const char *place = rg__poly_text(pr, x), *old = rg__poly_fresh(pr, "old"), *type = rg_scalar_cuda(a->update_type);
    bool keeps = a->update == POLY_OP_MIN || a->update == POLY_OP_MAX;
    const char *value;
    if (n->kind == RG_C_INCDEC) {
        value = rg__poly_printf(pr, "%s %c 1", old, rg_c_increments(n->op) ? '+' : '-');
    } else if (n->op != RG_COP_SET) {
        value = rg__poly_printf(pr, "%s %s %s", old, rg_c_op_text(rg_c_applied(n->op)), rg__poly_operand(pr, n->kid[1]));
    } else {
        if (pr->n_acc == 16)
            return NULL;
        pr->acc[pr->n_acc].array = a->array;
        pr->acc[pr->n_acc].var = -1;
        snprintf(pr->acc[pr->n_acc].name, sizeof pr->acc[0].name, "%s", old);
        pr->n_acc++;
        value = rg__poly_text(pr, n->kid[1]);
        pr->n_acc--;
    }
    pr->uses_exchange[rg_scalar_bytes(a->update_type) == 8] = true;
    return rg__poly_printf(pr, "%s<%s>(&%s, [&](%s %s) { return (%s)(%s); })",
                           rg__poly_fresh(pr, "atomic_update%d", (int)rg_scalar_bytes(a->update_type) * 8),
                           keeps ? "true" : "false", place, type, old, type, value);
}

bool rg__poly_atomic_update(struct poly_print *pr, struct rg_buf *out, const struct rg_cnode *n)
{
    const struct rg_cnode *x = n->kid[0], *index = x;
    while (index->kind == RG_C_MEMBER && index->n)
        index = index->kid[0];
    if (index->kind != RG_C_INDEX || !pr->k->atomic || !pr->k->atomic[index->array])
        return false;
    for (int i = 0; i < pr->n_acc; i++)
        if (pr->acc[i].array == index->array)
            return false; /* goes to this thread's own */
    const struct poly_access *a = access_of(pr, index);
    if (!a || a->update == POLY_OP_NONE || a->update == POLY_OP_SAME || rg_scalar_bytes(a->update_type) < 4)
        return false;
    struct operand o = {0};
    bool known = true, assign = n->op == RG_COP_SET;
    if (n->kind == RG_C_INCDEC)
        o.minus = !rg_c_increments(n->op);
    else if (!assign)
        o.value = n->kid[1], o.minus = n->op == RG_COP_SUB_SET;
    else
        known = operand_of(n->kid[1], x, a->update, &o);
    enum rg_scalar t = a->update_type;
    bool compares = a->update == POLY_OP_MIN || a->update == POLY_OP_MAX;
    if (known && o.value && compares && !fits(o.value->type, t))
        known = false;
    if (!known || !native_type(a->update, t)) {
        const char *text = exchange(pr, a, n);
        if (!text)
            return false;
        rg_buf_str(out, text);
        return true;
    }
    const char *value = !o.value ? "1" : rg__poly_text(pr, o.value);
    if (o.value && o.value->type != t)
        value = rg__poly_printf(pr, "(%s)(%s)", rg_scalar_cuda(t), value);
    if (o.minus) /* after the conversion: -(unsigned int)v is no 64-bit -v */
        value = rg__poly_printf(pr, "-(%s)", value);
    const char *text = rg__poly_atomic_text(pr, a->update, t, rg__poly_text(pr, x), value);
    if (o.condition)
        rg_buf_printf(out, "%s(%s) ? (void)%s : (void)0", o.negated ? "!" : "", rg__poly_text(pr, o.condition), text);
    else
        rg_buf_str(out, text);
    return true;
}

void rg__poly_scatter_helpers(struct poly_print *pr, struct rg_buf *out)
{
    for (int wide = 0; wide < 2; wide++) {
        if (!pr->uses_exchange[wide])
            continue;
        const char *name = rg__poly_fresh(pr, "atomic_update%d", wide ? 64 : 32), *word = wide ? "unsigned long long" : "unsigned int";
        struct rg_buf b = RG_BUF_INIT;
        rg_buf_printf(&b,
                      "// An update that is no atomic instruction: repeated until nobody came between. KEEPS: it only ever\n"
                      "// moves one way, so when it changes nothing now it never will.\n"
                      "template <bool KEEPS, class T, class F> __device__ void %s(T *place, F update)\n{\n"
                      "    union pun { %s bits; T value; };\n"
                      "    pun seen, next;\n"
                      "    seen.bits = *(volatile %s *)place;\n"
                      "    for (;;) {\n"
                      "        next.value = update(seen.value);\n"
                      "        if (KEEPS && next.bits == seen.bits) return;\n"
                      "        const %s was = atomicCAS((%s *)place, seen.bits, next.bits);\n"
                      "        if (was == seen.bits) return;\n"
                      "        seen.bits = was;\n    }\n}\n\n",
                      name, word, word, word, word);
        if (!strstr(out->data, b.data))
            rg_buf_str(out, b.data);
        rg_buf_release(&b);
    }
}
