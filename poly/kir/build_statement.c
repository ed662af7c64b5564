/* Kernel IR: statements. */
#include "poly/kir/kir.h"
#include <string.h>

struct kir_node *rg__kir_seq(struct kir_kernel *k)
{
    return rg__kir_node(k, KIR_SEQ, 0);
}

static void append(struct kir_kernel *k, struct kir_node *seq, struct kir_node *const *items, int n)
{
    /* lists grow by doubling (rg__kir_node too): a power of two of them is full */
    for (int i = 0; i < n; i++) {
        int have = seq->n;
        if ((have & (have - 1)) == 0) {
            struct kir_node **more = rg_arena_alloc(k->arena, (size_t)(have ? 2 * have : 1) * sizeof *more);
            if (have) memcpy(more, seq->kid, (size_t)have * sizeof *more);
            seq->kid = more;
        }
        seq->kid[seq->n++] = items[i];
    }
}

void rg__kir_add_to(struct kir_kernel *k, struct kir_node *seq, struct kir_node *statement)
{
    if (!statement) return;
    if (statement->kind == KIR_SEQ && !statement->note)
        append(k, seq, statement->kid, statement->n);
    else
        append(k, seq, &statement, 1);
}

void rg__kir_add_scope(struct kir_kernel *k, struct kir_node *seq, struct kir_node *statement)
{
    append(k, seq, &statement, 1);
}

struct kir_node *rg__kir_for_range(struct kir_kernel *k, enum kir_loop loop, int index, struct kir_node *first,
                                   struct kir_node *end, struct kir_node *step)
{
    struct kir_node *x = rg__kir_node(k, KIR_FOR, 4);
    enum rg_scalar type = k->symbols[index].type;
    bool wraps = type == RG_I32 && step->type == RG_U32 && step->kind != KIR_INT;
    x->loop = loop;
    x->symbol = index;
    x->kid[0] = rg__kir_cast(k, type, first);
    x->kid[1] = rg__kir_cast(k, type, end);
    x->kid[2] = wraps ? step : rg__kir_cast(k, type, step);
    x->kid[3] = rg__kir_seq(k);
    return x;
}

struct kir_node *rg__kir_for(struct kir_kernel *k, enum kir_loop loop, int index, struct kir_node *extent)
{
    return rg__kir_for_range(k, loop, index, rg__kir_int(k, 0), extent, rg__kir_int(k, 1));
}

struct kir_node *rg__kir_while(struct kir_kernel *k, struct kir_node *condition)
{
    struct kir_node *x = rg__kir_node(k, KIR_WHILE, 2);
    x->kid[0] = condition;
    x->kid[1] = rg__kir_seq(k);
    return x;
}

struct kir_node *rg__kir_if(struct kir_kernel *k, struct kir_node *condition)
{
    struct kir_node *x = rg__kir_node(k, KIR_IF, 3);
    x->kid[0] = condition;
    x->kid[1] = rg__kir_seq(k);
    return x;
}

struct kir_node *rg__kir_else(struct kir_kernel *k, struct kir_node *branch)
{
    if (!branch->kid[2]) branch->kid[2] = rg__kir_seq(k);
    return branch->kid[2];
}

struct kir_node *rg__kir_body(struct kir_node *statement)
{
    return statement->kid[statement->kind == KIR_FOR ? 3 : 1];
}

static struct kir_node *named(struct kir_kernel *k, enum kir_kind kind, int symbol, struct kir_node *value)
{
    struct kir_node *x = rg__kir_node(k, kind, value ? 1 : 0);
    x->symbol = symbol;
    if (value) x->kid[0] = rg__kir_cast(k, k->symbols[symbol].type, value);
    return x;
}

struct kir_node *rg__kir_let(struct kir_kernel *k, int symbol, struct kir_node *value)
{
    return named(k, KIR_LET, symbol, value);
}

struct kir_node *rg__kir_var(struct kir_kernel *k, int symbol, struct kir_node *value)
{
    return named(k, KIR_VAR, symbol, value);
}

struct kir_node *rg__kir_own_buffer(struct kir_kernel *k, int symbol)
{
    struct kir_node *x = rg__kir_node(k, KIR_VAR, 0);
    x->symbol = symbol;
    k->symbols[symbol].inside = true;
    return x;
}

struct kir_node *rg__kir_assign(struct kir_kernel *k, int symbol, struct kir_node *value)
{
    return named(k, KIR_ASSIGN, symbol, value);
}

struct kir_node *rg__kir_store(struct kir_kernel *k, struct kir_node *element, struct kir_node *value)
{
    struct kir_node *x = rg__kir_node(k, KIR_STORE, 2);
    x->kid[0] = element;
    x->kid[1] = rg__kir_cast(k, element->type, value);
    return x;
}

struct kir_node *rg__kir_copy(struct kir_kernel *k, struct kir_node *to, struct kir_node *from, int width, bool async)
{
    struct kir_node *x = rg__kir_node(k, KIR_COPY, 2);
    x->kid[0] = to;
    x->kid[1] = from;
    x->width = width;
    x->async = async;
    return x;
}

struct kir_node *rg__kir_commit(struct kir_kernel *k)
{
    return rg__kir_node(k, KIR_COMMIT, 0);
}

struct kir_node *rg__kir_wait(struct kir_kernel *k, int groups)
{
    struct kir_node *x = rg__kir_node(k, KIR_WAIT, 0);
    x->ivalue = groups;
    return x;
}

struct kir_node *rg__kir_barrier(struct kir_kernel *k, enum kir_scope scope)
{
    struct kir_node *x = rg__kir_node(k, KIR_BARRIER, 0);
    x->scope = scope;
    return x;
}

struct kir_node *rg__kir_fence(struct kir_kernel *k, enum kir_scope scope)
{
    struct kir_node *x = rg__kir_node(k, KIR_FENCE, 0);
    x->scope = scope;
    return x;
}

struct kir_node *rg__kir_atomic(struct kir_kernel *k, enum kir_atomic atomic, enum kir_scope scope,
                                struct kir_node *element, struct kir_node *value, struct kir_node *other, int old)
{
    struct kir_node *x = rg__kir_node(k, KIR_ATOMIC, 1 + (value != NULL) + (other != NULL));
    x->atomic = atomic;
    x->scope = scope;
    x->symbol = old;
    x->kid[0] = element;
    if (value) x->kid[1] = rg__kir_cast(k, element->type, value);
    if (other) x->kid[2] = rg__kir_cast(k, element->type, other);
    return x;
}

struct kir_node *rg__kir_update(struct kir_kernel *k, enum kir_scope scope, struct kir_node *element, int old,
                                struct kir_node *value, bool one_way)
{
    struct kir_node *x = rg__kir_atomic(k, KIR_ATOMIC_UPDATE, scope, element, value, NULL, old);
    x->ivalue = one_way;
    return x;
}

struct kir_node *rg__kir_matrix(struct kir_kernel *k, enum kir_matrix what, int n, struct kir_node *const *kids)
{
    struct kir_node *x = rg__kir_node(k, KIR_MATRIX, n);
    x->matrix = what;
    for (int i = 0; i < n; i++) x->kid[i] = kids[i];
    return x;
}

struct kir_node *rg__kir_leave(struct kir_kernel *k, enum kir_leave how)
{
    struct kir_node *x = rg__kir_node(k, KIR_LEAVE, 0);
    x->leave = how;
    return x;
}

struct kir_node *rg__kir_note(struct kir_node *statement, const char *note)
{
    statement->note = note;
    return statement;
}
