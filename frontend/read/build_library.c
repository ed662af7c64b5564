/* The few library calls that are not values: memory, assertions, allocation. */
#include "frontend/read/build_bits.h"
#include "frontend/read/build_place.h"
#include "frontend/read/build_cell.h"
#include "frontend/read/build_shape.h"
#include "ir/range.h"
#include <stdlib.h>
#include <string.h>

static CXCursor argument(struct rg__build *b, CXCursor call, int i, int *n)
{
    struct rg__children kids = rg__cursor_children(b->u, call, &b->p->arena);
    *n = kids.n - 1;
    return i + 1 < kids.n ? kids.items[i + 1] : b->c->getNullCursor();
}

bool rg__is_ctype_table(struct rg__build *b, CXCursor c)
{
    c = rg__strip_parens(b, c);
    struct rg__children kids = rg__cursor_children(b->u, c, &b->p->arena);
    if (b->c->getCursorKind(c) != CXCursor_UnaryOperator || kids.n != 1) return false;
    c = rg__strip_parens(b, kids.items[0]);
    return b->c->getCursorKind(c) == CXCursor_CallExpr &&
           !strcmp(rg__cursor_name(b->u, c, &b->p->arena), "__ctype_b_loc");
}

/* node * k == bytes * result: takes the element size out of a byte count. */
static struct rg_cnode *divided(struct rg__build *b, struct rg_cnode *n, int64_t bytes, bool *done)
{
    int64_t all;
    if (n->op == RG_COP_SHL && rg__cell_evaluate(n, &all)) n = rg__c_int(b->t, all);
    if (n->kind == RG_C_INT) {
        if (*done || n->ivalue % bytes) return *done ? n : NULL;
        *done = true;
        return rg__c_int(b->t, n->ivalue / bytes);
    }
    if (n->kind == RG_C_CAST && rg__scalar_is_int(n->type)) return divided(b, n->kid[0], bytes, done);
    if (n->op == RG_COP_MUL) {
        for (int side = 0; side < 2; side++) {
            bool here = false;
            struct rg_cnode *d = divided(b, n->kid[side], bytes, &here);
            if (!d || !here) continue;
            *done = true;
            struct rg_cnode *other = n->kid[1 - side];
            if (d->kind == RG_C_INT && d->ivalue == 1) return other;
            return side ? rg__c_binary(b->t, RG_COP_MUL, other, d) : rg__c_binary(b->t, RG_COP_MUL, d, other);
        }
        return NULL;
    }
    if (n->op == RG_COP_ADD || n->op == RG_COP_SUB) {
        bool l = false, r = false;
        struct rg_cnode *x = divided(b, n->kid[0], bytes, &l), *y = divided(b, n->kid[1], bytes, &r);
        if (!x || !y || !l || !r) return NULL;
        *done = true;
        return rg__c_binary(b->t, n->op, x, y);
    }
    return NULL;
}

struct rg_cnode *rg__memory_elements(struct rg__build *b, struct rg_cnode *size, int64_t bytes)
{
    bool done = bytes == 1;
    struct rg_cnode *count = rg__c_strip_int_casts(rg__c_copy(b->t, size));
    if (bytes == 1) return count;
    const struct rg_cnode *spare = count->op == RG_COP_ADD ? rg__c_uncast(count->kid[1], RG__C_INT_CASTS) : NULL;
    const bool rest = spare && spare->kind == RG_C_INT && spare->ivalue > 0 && spare->ivalue % bytes;
    /* n * sizeof *p + 1, lest it is nothing: part of an element is none */
    struct rg_cnode *n = divided(b, rest ? count->kid[0] : count, bytes, &done);
    if (!done || !rest || spare->ivalue < bytes) return done ? n : NULL;
    return rg__c_binary(b->t, RG_COP_ADD, n, rg__c_int(b->t, spare->ivalue / bytes));
}

static struct rg_cnode *elements(struct rg__build *b, struct rg_cnode *size, int64_t bytes)
{
    /* as it stands, where it can be: what a local was set to may have changed by now */
    struct rg_cnode *n = rg__memory_elements(b, size, bytes);
    return n ? n : rg__memory_elements(b, rg__expand_known(b, size), bytes);
}

bool rg__alloc_plain(struct rg__build *b, CXCursor where, const struct rg_cnode *size)
{
    const bool sets = rg__mentions_kind(size, RG_C_ASSIGN) || rg__mentions_kind(size, RG_C_INCDEC);
    if (sets) rg__verbatim(b, where, "an allocation whose size has a side effect");
    return !sets;
}

struct rg_cnode *rg__alloc_count(struct rg__build *b, CXCursor value, int64_t elem_bytes, bool *zeroed, bool *is_alloc)
{
    CXCursor c = rg__strip_parens(b, value);
    while (b->c->getCursorKind(c) == CXCursor_CStyleCastExpr) {
        struct rg__children kids = rg__cursor_children(b->u, c, &b->p->arena);
        if (!kids.n) return NULL;
        c = rg__strip_parens(b, kids.items[kids.n - 1]);
    }
    *is_alloc = false;
    if (b->c->getCursorKind(c) != CXCursor_CallExpr) return NULL;
    const char *name = rg__cursor_name(b->u, c, &b->p->arena);
    bool cal = !strcmp(name, "calloc"), mal = !strcmp(name, "malloc"), aligned = !strcmp(name, "aligned_alloc");
    if (!cal && !mal && !aligned) return NULL;
    *is_alloc = true;
    *zeroed = cal;
    int n;
    CXCursor first = argument(b, c, 0, &n), second = argument(b, c, 1, &n);
    if (n < (mal ? 1 : 2)) return NULL;
    struct rg_cnode *size = rg__build_expr(b, aligned ? second : first);
    if (cal) size = rg__c_binary(b->t, RG_COP_MUL, size, rg__build_expr(b, second));
    rg__alloc_plain(b, c, size);
    return elements(b, size, elem_bytes);
}

static struct rg_cnode *moved(struct rg__build *b, struct rg_cnode *pointer, int k, CXCursor where)
{
    return rg__build_subscript(b, rg__c_copy(b->t, pointer), rg__c_var(b->t, k), where);
}

/* The member of an element; an array's are set over loops around the statement. */
static struct rg_cnode *zero_member(struct rg__build *b, const struct rg_cnode *element, const struct rg_field *f)
{
    struct rg_cnode *m = rg__c_copy(b->t, element), *outer = NULL, *inner = NULL;
    int n_subs = f->count == 1 ? 0 : f->n_dims;
    for (const char *p = f->path; *p;) {
        size_t len = strcspn(p, ".");
        bool last = !p[len];
        struct rg_cnode *x = rg_cnode_new(b->t, RG_C_MEMBER, 1 + (last ? n_subs : 0));
        x->kid[0] = m;
        x->text = rg_arena_strndup(&b->t->arena, p, len);
        x->type = RG_STRUCT;
        m = x;
        p += len + !last;
    }
    m->type = f->type;
    for (int d = 0; d < n_subs; d++) {
        int k;
        struct rg_cnode *body = rg_cnode_new(b->t, RG_C_BLOCK, 1),
                        *loop = rg__counted_loop(b, rg__c_int(b->t, f->dims[d]), &k, body);
        m->kid[1 + d] = rg__c_var(b->t, k);
        if (inner) inner->kid[0] = loop;
        if (!outer) outer = loop;
        inner = body;
    }
    struct rg_cnode *set =
        rg__c_stmt(b->t, rg__c_assign(b->t, RG_COP_SET, m, rg__c_cast(b->t, rg__c_int(b->t, 0), m->type)));
    if (!outer) return set;
    inner->kid[0] = set;
    return outer;
}

bool rg__zero_members(struct rg__build *b, const struct rg_cnode *element, struct rg__kids *out)
{
    const struct rg_struct *s = &b->p->structs[element->struct_index];
    for (int f = 0; f < s->n_fields; f++) {
        const struct rg_field *x = &s->fields[f];
        if (x->bits || strchr(x->path, '[') || (x->count != 1 && (x->n_dims < 1 || x->n_dims > 3))) return false;
    }
    for (int f = 0; f < s->n_fields; f++) rg__kids_add(out, zero_member(b, element, &s->fields[f]));
    return true;
}

/* memcpy(a, b, n * sizeof *a) and memset(a, 0, sizeof a) of arrays with several dimensions, whole rows: loops over
 * each. `s` NULL: the value. */
static bool whole_arrays(struct rg__build *b, CXCursor where, const struct rg_cnode *d, const struct rg_cnode *s,
                         int64_t value, struct rg_cnode *count, struct rg__kids *out)
{
    const struct rg_carray *x = &b->t->arrays[d->array], *y = s ? &b->t->arrays[s->array] : x;
    if (x->n_dims != y->n_dims || x->n_dims > 6) return false;
    struct rg_cnode *to = rg_cnode_new(b->t, RG_C_INDEX, x->n_dims), *from = rg_cnode_new(b->t, RG_C_INDEX, x->n_dims),
                    *inside = NULL, *ends[6];
    int vars[6];
    for (int i = 1; i < x->n_dims; i++)
        if (!x->dims || !y->dims || !x->dims[i] || !y->dims[i] || !rg_expr_equal(x->dims[i], y->dims[i]) ||
            !(ends[i] = rg__c_from_expr(b->t, x->dims[i])))
            return false;
    if (!(ends[0] = rg__rows_in(b, x->dims, x->n_dims, count))) return false;
    struct rg_cnode *loops[6], *bodies[6];
    for (int i = 0; i < x->n_dims; i++) {
        bodies[i] = rg_cnode_new(b->t, RG_C_BLOCK, 1);
        loops[i] = rg__counted_loop(b, ends[i], &vars[i], bodies[i]);
        rg__place_node(b, loops[i], where);
        to->kid[i] = rg__c_var(b->t, vars[i]);
        from->kid[i] = rg__c_var(b->t, vars[i]);
        if (i) bodies[i - 1]->kid[0] = loops[i];
    }
    to->array = d->array;
    from->array = s ? s->array : d->array;
    to->type = from->type = d->type;
    to->struct_index = from->struct_index = d->struct_index;
    inside = s ? from : rg__c_cast(b->t, rg__c_int(b->t, value), d->type);
    bodies[x->n_dims - 1]->kid[0] = rg__c_stmt(b->t, rg__c_assign(b->t, RG_COP_SET, to, inside));
    rg__kids_add(out, loops[0]);
    return true;
}

/* A place in an array, or in a structure's member that is one. */
static bool known_memory(struct rg__build *b, struct rg_cnode *p)
{
    struct rg_cnode *rows[8], *off, *base = rg__is_rows(p) ? p->kid[0] : p;
    int array, n_rows;
    const int64_t *dims;
    if (rg__split_pointer(b, base, &array, rows, &n_rows, &off)) return true;
    const struct rg_cnode *m = base->op == RG_COP_ADD && base->pointer ? base->kid[0] : base;
    if (m->op == RG_COP_ADDRESS) m = m->kid[0];
    return m->kind == RG_C_MEMBER && rg__names_member(b, base) && rg__member_extents(b, m, &dims) > 0;
}

/* memcpy(&u, &f, sizeof u): a number takes the bits of one of another kind. */
static bool one_number(struct rg__build *b, CXCursor c, struct rg_cnode *d, struct rg_cnode *s, struct rg_cnode *size,
                       struct rg__kids *out)
{
    int64_t bytes;
    if (!rg__cell_evaluate(size, &bytes) || bytes != (int64_t)rg_scalar_bytes(d->type)) return false;
    struct rg_cnode *to = rg__build_subscript(b, d, rg__c_int(b->t, 0), c),
                    *from = rg__build_subscript(b, s, rg__c_int(b->t, 0), c);
    if (!to || !from || to->pointer || from->pointer) return false;
    struct rg_cnode *set = rg__c_stmt(b->t, rg__c_assign(b->t, RG_COP_SET, to, rg__bits_as(b, from, to->type)));
    rg__place_node(b, set, c);
    rg__kids_add(out, set);
    return true;
}

enum overlap { UP, DOWN, EITHER, UNKNOWN_PLACES };

/* Which way a memmove may go: up where the elements go to lower places or to another array, down where they go to
 * higher ones; either, as *by > 0 says when it is run. */
static enum overlap way_of(struct rg__build *b, struct rg_cnode *d, struct rg_cnode *s, struct rg_cnode **by)
{
    struct rg_cnode *rows[2][8], *off[2];
    int array[2], n_rows[2];
    if (!rg__split_pointer(b, d, &array[0], rows[0], &n_rows[0], &off[0]) ||
        !rg__split_pointer(b, s, &array[1], rows[1], &n_rows[1], &off[1]) || b->t->arrays[array[0]].view ||
        b->t->arrays[array[1]].view)
        return UNKNOWN_PLACES;
    if (array[0] != array[1]) return UP;
    if (n_rows[0] || n_rows[1]) return UNKNOWN_PLACES;
    for (int i = 0; i < 2; i++)
        off[i] = off[i] ? rg__c_cast(b->t, rg__c_copy(b->t, off[i]), RG_LONG) : rg__c_int(b->t, 0);
    *by = rg__c_binary(b->t, RG_COP_SUB, off[0], off[1]);
    struct rg__range *r = rg_xmalloc(sizeof *r);
    rg__range_init(r, b->t, NULL);
    const struct rg__poly p = rg__poly_of(r, *by);
    int64_t v;
    const bool known = rg__poly_is_int(&p, &v);
    free(r);
    return known ? v <= 0 ? UP : DOWN : EITHER;
}

/* The loop from its end to its begin. */
static struct rg_cnode *downwards(struct rg__build *b, struct rg_cnode *count, const struct rg_cnode *statement, int k)
{
    struct rg_cnode *body = rg_cnode_new(b->t, RG_C_BLOCK, 1);
    int j;
    struct rg_cnode *loop = rg__counted_loop(b, rg__c_copy(b->t, count), &j, body),
                    *last = rg__c_binary(b->t, RG_COP_SUB, rg__c_cast(b->t, rg__c_copy(b->t, count), RG_LONG),
                                         rg__c_int(b->t, 1)),
                    *at = rg__c_binary(b->t, RG_COP_SUB, last, rg__c_cast(b->t, rg__c_var(b->t, j), RG_LONG));
    body->kid[0] = rg__c_replace_var(b->t, rg__c_copy(b->t, statement), k, at);
    return loop;
}

/* The same of one element, without a loop; `s` NULL: the value. */
static bool one_element(struct rg__build *b, CXCursor c, struct rg_cnode *d, struct rg_cnode *s, int64_t value,
                        bool bits, struct rg__kids *out)
{
    struct rg_cnode *to = rg__build_subscript(b, rg__c_copy(b->t, d), rg__c_int(b->t, 0), c);
    const int before = out->n;
    if (!s && to->type == RG_STRUCT) {
        if (!rg__zero_members(b, to, out)) return false;
    } else {
        struct rg_cnode *from = s ? rg__build_subscript(b, rg__c_copy(b->t, s), rg__c_int(b->t, 0), c)
                                  : rg__c_cast(b->t, rg__c_int(b->t, value), to->type);
        if (bits) from = rg__bits_as(b, from, to->type);
        rg__kids_add(out, rg__c_stmt(b->t, rg__c_assign(b->t, RG_COP_SET, to, from)));
    }
    for (int i = before; i < out->n; i++) rg__place_node(b, out->items[i], c);
    return true;
}

/* memset(p, 0, bytes), memcpy(d, s, bytes), memmove as loops over elements. */
static bool memory(struct rg__build *b, CXCursor c, bool set, bool move, struct rg__kids *out)
{
    int n;
    CXCursor a0 = argument(b, c, 0, &n), a1 = argument(b, c, 1, &n), a2 = argument(b, c, 2, &n);
    if (n != 3) return false;
    struct rg_cnode *d = rg__build_expr(b, a0), *s = rg__build_expr(b, a1), *size = rg__build_expr(b, a2);
    d = (struct rg_cnode *)rg__c_uncast(d, RG__C_CASTS);
    s = (struct rg_cnode *)rg__c_uncast(s, RG__C_CASTS);
    if (b->follow && set && d->op == RG_COP_ADDRESS && rg__bundle_any(b, d->kid[0]))
        return s->kind == RG_C_INT && s->ivalue == 0 && rg__object_clear(b, d->kid[0]);
    if (!d->pointer || (!set && !s->pointer) || (d->type == RG_STRUCT && d->struct_index < 0)) return false;
    int64_t byte = set && s->kind == RG_C_INT ? s->ivalue & 255 : 0, value = 0;
    bool minus = set && s->op == RG_COP_NEG && s->kid[0]->kind == RG_C_INT; /* memset(p, -1, n) */
    if (minus) byte = -s->kid[0]->ivalue & 255;
    if (set && !minus && s->kind != RG_C_INT) return false;
    if (set && byte && !rg__scalar_is_int(d->type)) return false;
    for (size_t i = 0; set && d->type != RG_STRUCT && i < rg_scalar_bytes(d->type); i++)
        value = (int64_t)((uint64_t)value << 8 | (uint64_t)byte);
    unsigned unused = 64 - 8 * (unsigned)(d->type == RG_STRUCT ? 8 : rg_scalar_bytes(d->type));
    if (set && rg_scalar_is_signed(d->type)) value = (int64_t)((uint64_t)value << unused) >> unused;
    const bool bits = !set && rg__has_bits_of(d->type, s->type);
    if (!set && !bits && (s->type != d->type || s->struct_index != d->struct_index)) return false;
    if (bits && one_number(b, c, d, s, size, out)) return true;
    if (!known_memory(b, d) || (!set && !known_memory(b, s))) return false;
    struct rg_cnode *count = elements(
        b, size, d->type == RG_STRUCT ? b->p->structs[d->struct_index].bytes : (int64_t)rg_scalar_bytes(d->type));
    if (!count) return false;
    if (rg__pointer_depth(b, d) > 1 || (!set && rg__pointer_depth(b, s) > 1)) { /* rows, one behind the other */
        bool names = d->kind == RG_C_VAR && (set || s->kind == RG_C_VAR) && !b->t->arrays[d->array].view &&
                     (set || !b->t->arrays[s->array].view) && (!set || d->type != RG_STRUCT);
        if (names && whole_arrays(b, c, d, set ? NULL : s, value, count, out)) return true;
        d = rg__flat_pointer(b, d);
        if (!set) s = rg__flat_pointer(b, s);
        if (!d || !s) return false;
        rg__note_walk(b, d);
        rg__note_walk(b, s);
    }
    struct rg_cnode *by = NULL;
    const enum overlap way = move ? way_of(b, d, s, &by) : UP;
    if (way == UNKNOWN_PLACES) return false;
    int64_t number;
    if (rg__cell_evaluate(count, &number) && number == 1) return one_element(b, c, d, set ? NULL : s, value, bits, out);
    struct rg_cnode *body = rg_cnode_new(b->t, RG_C_BLOCK, 1);
    int k;
    struct rg_cnode *loop = rg__counted_loop(b, count, &k, body);
    struct rg_cnode *to = moved(b, d, k, c);
    struct rg__kids members = {0};
    if (set && to->type == RG_STRUCT) {
        if (!rg__zero_members(b, to, &members)) return false;
        loop->kid[3] = rg__kids_node(b->t, RG_C_BLOCK, &members);
        rg__place_node(b, loop, c);
        rg__kids_add(out, loop);
        return true;
    }
    struct rg_cnode *from = set ? rg__c_cast(b->t, rg__c_int(b->t, value), to->type) : moved(b, s, k, c);
    if (bits) from = rg__bits_as(b, from, to->type);
    body->kid[0] = rg__c_stmt(b->t, rg__c_assign(b->t, RG_COP_SET, to, from));
    if (way == DOWN || way == EITHER) {
        struct rg_cnode *down = downwards(b, count, body->kid[0], k);
        rg__place_node(b, down, c);
        if (way == EITHER) {
            struct rg_cnode *f = rg_cnode_new(b->t, RG_C_IF, 3);
            struct rg_cnode *arms[2] = {down, loop};
            f->kid[0] = rg__c_binary(b->t, RG_COP_GT, by, rg__c_int(b->t, 0));
            for (int i = 0; i < 2; i++) {
                struct rg__kids arm = {0};
                rg__kids_add(&arm, arms[i]);
                f->kid[i + 1] = rg__kids_node(b->t, RG_C_BLOCK, &arm);
            }
            rg__place_node(b, loop, c);
            down = f;
        }
        loop = down;
    }
    rg__place_node(b, loop, c);
    rg__kids_add(out, loop);
    return true;
}

/* ---- bytes compared ---- */

static struct rg_cnode *byte_at(struct rg__build *b, struct rg_cnode *pointer, int k, CXCursor where)
{
    struct rg_cnode *e = moved(b, pointer, k, where);
    return e && !e->pointer && rg__scalar_is_int(e->type) && rg_scalar_bytes(e->type) == 1 ? rg__c_cast(b->t, e, RG_U8)
                                                                                           : NULL;
}

static void leave_if(struct rg__build *b, struct rg_cnode *condition, struct rg_cnode *first, struct rg__kids *out)
{
    struct rg_cnode *f = rg_cnode_new(b->t, RG_C_IF, 2);
    struct rg__kids arm = {0};
    if (first) rg__kids_add(&arm, first);
    rg__kids_add(&arm, rg_cnode_new(b->t, RG_C_BREAK, 0));
    f->kid[0] = condition;
    f->kid[1] = rg__kids_node(b->t, RG_C_BLOCK, &arm);
    rg__kids_add(out, f);
}

/* memcmp(x, y, n), strncmp(x, y, n) of bytes: a loop to the first place where they differ, in front of what asks. NULL:
 * it is none, or nothing can stand there. */
struct rg_cnode *rg__bytes_compared(struct rg__build *b, CXCursor c, const char *name)
{
    int n;
    if (!strncmp(name, "__builtin_", 10)) name += 10;
    const bool text = !strcmp(name, "strncmp");
    if (!b->hoist || b->helper || (!text && strcmp(name, "memcmp"))) return NULL;
    struct rg_cnode *x = rg__build_expr(b, argument(b, c, 0, &n)), *y = rg__build_expr(b, argument(b, c, 1, &n)),
                    *size = rg__build_expr(b, argument(b, c, 2, &n));
    if (n != 3) return NULL;
    x = (struct rg_cnode *)rg__c_uncast(x, RG__C_CASTS);
    y = (struct rg_cnode *)rg__c_uncast(y, RG__C_CASTS);
    if (!x->pointer || !y->pointer || x->type == RG_STRUCT || y->type == RG_STRUCT || rg_scalar_bytes(x->type) != 1 ||
        rg_scalar_bytes(y->type) != 1 || !known_memory(b, x) || !known_memory(b, y) || !rg__c_pure(b->t, x) ||
        !rg__c_pure(b->t, y))
        return NULL;
    struct rg_cnode *count = elements(b, size, 1);
    if (!count) return NULL;
    struct rg_cnode *body = rg_cnode_new(b->t, RG_C_BLOCK, 0), *d = rg_cnode_new(b->t, RG_C_DECL, 1);
    int k;
    struct rg_cnode *loop = rg__counted_loop(b, count, &k, body), *left = byte_at(b, x, k, c),
                    *right = byte_at(b, y, k, c);
    if (!left || !right) return NULL;
    d->var = rg__c_add_var(b->t, "order", RG_CVAR_LOCAL, RG_I32);
    d->type = RG_I32;
    d->kid[0] = rg__c_int(b->t, 0);
    struct rg_cnode *which = rg_cnode_new(b->t, RG_C_COND, 3);
    which->type = RG_I32;
    which->kid[0] = rg__c_binary(b->t, RG_COP_LT, rg__c_copy(b->t, left), rg__c_copy(b->t, right));
    which->kid[1] = rg__c_int(b->t, -1);
    which->kid[2] = rg__c_int(b->t, 1);
    struct rg__kids all = {0};
    leave_if(b, rg__c_binary(b->t, RG_COP_NE, rg__c_copy(b->t, left), right),
             rg__c_stmt(b->t, rg__c_assign(b->t, RG_COP_SET, rg__c_var(b->t, d->var), which)), &all);
    if (text) leave_if(b, rg__c_binary(b->t, RG_COP_EQ, left, rg__c_int(b->t, 0)), NULL, &all);
    loop->kid[3] = rg__kids_node(b->t, RG_C_BLOCK, &all);
    rg__place_node(b, d, c);
    rg__place_node(b, loop, c);
    rg__kids_add(b->hoist, d);
    rg__kids_add(b->hoist, loop);
    return rg__c_var(b->t, d->var);
}

/* assert(x): `x ? (void)0 : __assert_fail(..)`. */
static void find_assert(void *arg, CXCursor c)
{
    void **a = arg;
    struct rg__build *b = a[0];
    if (b->c->getCursorKind(c) == CXCursor_DeclRefExpr &&
        !strcmp(rg__cursor_name(b->u, c, &b->p->arena), "__assert_fail"))
        *(bool *)a[1] = true;
}

static bool is_assertion(struct rg__build *b, CXCursor c)
{
    bool found = false; /* glibc's newer form is a statement expression */
    void *arg[] = {b, &found};
    rg__cursor_walk(b->u, c, find_assert, arg);
    if (found) return true;
    if (b->c->getCursorKind(c) == CXCursor_CallExpr) {
        const char *name = rg__cursor_name(b->u, c, &b->p->arena);
        return !strcmp(name, "__assert_fail") || !strcmp(name, "__assert_rtn") || !strcmp(name, "__assert");
    }
    if (b->c->getCursorKind(c) != CXCursor_ConditionalOperator) return false;
    struct rg__children kids = rg__cursor_children(b->u, c, &b->p->arena);
    for (int i = 1; i < kids.n; i++)
        if (is_assertion(b, rg__strip_parens(b, kids.items[i]))) return true;
    return false;
}

struct asserted {
    struct rg__build *b;
    CXCursor condition;
};

static void find_condition(void *arg, CXCursor c)
{
    struct asserted *a = arg;
    struct rg__build *b = a->b;
    enum CXCursorKind k = b->c->getCursorKind(c);
    struct rg__children kids = rg__cursor_children(b->u, c, &b->p->arena);
    if ((k == CXCursor_IfStmt || k == CXCursor_ConditionalOperator) && kids.n == 3 && is_assertion(b, kids.items[2]))
        a->condition = kids.items[0];
}

/* What an assertion that is always run says of parameters alone is a requirement: for others C stops there. */
static void note_assertion(struct rg__build *b, CXCursor c)
{
    struct asserted a = {b, b->c->getNullCursor()};
    find_condition(&a, c);
    rg__cursor_walk(b->u, c, find_condition, &a);
    if (b->c->Cursor_isNull(a.condition) || b->nesting > 1 || b->helper || rg__sets_or_calls(b, a.condition, true))
        return;
    const char *verbatim = b->verbatim;
    struct rg_cnode *e = rg__build_expr(b, a.condition);
    const struct rg_expr *says = rg__c_to_expr(b->t, rg__expand_known(b, e), &b->p->arena);
    b->verbatim = verbatim;
    if (!says) return;
    RG_GROW(b->asserted, b->n_asserted, b->cap_asserted);
    b->asserted[b->n_asserted++] = says;
}

bool rg__library_statement(struct rg__build *b, CXCursor call, struct rg__kids *out)
{
    CXCursor c = rg__strip_parens(b, call);
    if (is_assertion(b, c)) {
        note_assertion(b, c);
        return true;
    }
    if (b->c->getCursorKind(c) != CXCursor_CallExpr) return false;
    const char *name = rg__cursor_name(b->u, c, &b->p->arena);
    if (!strncmp(name, "__builtin_", 10)) name += 10;
    if (!strncmp(name, "__", 2) && strlen(name) > 6 && !strcmp(name + strlen(name) - 4, "_chk")) return false;
    if (!strcmp(name, "unreachable") || !strcmp(name, "prefetch") || !strcmp(name, "assume")) return true; /* hints */
    if (!strcmp(name, "qsort")) return rg__sort_statement(b, c, out);
    if (!strcmp(name, "memset")) return memory(b, c, true, false, out);
    const bool move = !strcmp(name, "memmove");
    if (move || !strcmp(name, "memcpy")) return memory(b, c, false, move, out);
    if (!strcmp(name, "free")) {
        int n;
        CXCursor a = argument(b, c, 0, &n);
        if (n != 1) return false;
        struct rg_cnode *p = rg__build_expr(b, a);
        if (b->follow && rg__is_null_pointer(p)) return true;
        p = (struct rg_cnode *)rg__c_uncast(p, RG__C_CASTS);
        struct rg_cnode *rows[8], *off;
        int array, n_rows;
        if (b->follow && rg__split_pointer(b, p, &array, rows, &n_rows, &off) && b->t->arrays[array].param < 0)
            return true;
        if (b->follow && (p->op == RG_COP_ADDRESS || rg__is_memory(b, p) || rg__bundle_any(b, p))) return true;
        bool whole = p->kind == RG_C_VAR || (p->kind == RG_C_INDEX && p->pointer); /* or a row of it */
        return whole && p->array >= 0 && b->t->arrays[p->array].mallocd;
    }
    return false;
}
