/* A kernel that keeps rows in registers (rows.c says which may): each thread loads its places of a row, 16 bytes at a
 * time where they are aligned, runs every loop over the row on them, and stores what it made. */
#include "ir/ctree_util.h"
#include "poly/kernel/rows.h"
#include <string.h>

enum { BYTES_AT_ONCE = 16 };

struct building {
    const struct poly_program *p;
    const struct poly_scop *s;
    const struct poly_kernel *kernel;
    const struct poly_row *r;
    struct kir_kernel *k;
    struct kir_names *names;
    int threads, held, rows, width; /* width: elements loaded and stored at once */
    int tx, length;                 /* symbols: the thread's place among the row's; how many places the row has */
    int registers[POLY_ROW_ARRAYS], scalar[POLY_ROW_ELEMENTS];
    struct kir_node *first; /* the loops' variable at place 0 */
    struct kir_node *wide;  /* every row starts where `width` elements may be loaded; NULL: none does */
    struct kir_node *slot;  /* the register of the place that is converted; NULL: no loop over the row around */
    int target;             /* the accumulators' loop; -1 */
    bool full;              /* where each thread has all its places, and rows are wide */
    int acc[POLY_ROW_ACCS];
    bool failed;
};

static struct kir_node *num(struct building *b, int64_t v)
{
    return rg__kir_int(b->k, v);
}

static struct kir_node *name(struct building *b, int symbol)
{
    return rg__kir_name(b->k, symbol);
}

/* The tree's reference: a register, a scalar of the row, an accumulator; NULL: memory. */
static struct kir_node *element(void *arg, struct kir_names *names, const struct rg_cnode *index,
                                struct kir_node *const *subs)
{
    struct building *b = arg;
    int array = b->slot ? rg__poly_row_array_of(b->r, index) : -1, e = rg__poly_row_element_of(b->s, b->r, index);
    (void)subs;
    const struct poly_row_loop *l = b->target >= 0 ? &b->r->loops[b->target] : NULL;
    for (int i = 0; e >= 0 && l && i < l->n_acc; i++)
        if (l->acc[i].array >= 0 && rg__poly_row_element_of(b->s, b->r, l->acc[i].element) == e)
            return name(b, b->acc[i]);
    if (e >= 0) return name(b, b->scalar[e]);
    return array >= 0 ? rg__kir_at(names->k, b->registers[array], 1, b->slot) : NULL;
}

/* The row's element at that place of it, in memory. */
static struct kir_node *in_memory(struct building *b, int array, struct kir_node *place)
{
    const struct poly_row_array *a = &b->r->arrays[array];
    struct kir_node *subs[KIR_MAX_DIMS];
    int n = a->element->n;
    for (int d = 0; d + 1 < n; d++)
        if (!(subs[d] = rg__kir_of(b->names, a->element->kid[d]))) {
            b->failed = true;
            subs[d] = num(b, 0);
        }
    subs[n - 1] = rg__kir_add(b->k, rg__kir_add(b->k, b->first, place), num(b, a->shift));
    return rg__kir_element(b->k, rg__kir_buffer_of(b->names, a->array), n, subs);
}

/* A loop over this thread's places, `width` of them at a time: its body, the register and the place of the first. */
struct places {
    struct kir_node *loop, *body, *slot, *place;
};

static struct places over_places(struct building *b, int width)
{
    struct kir_kernel *k = b->k;
    struct places p;
    int q = rg__kir_index(k, "q", RG_I32), v = rg__kir_index(k, "v", RG_I32), at = rg__kir_value(k, "at", RG_I32);
    p.loop = rg__kir_for(k, KIR_UNROLLED, q, num(b, b->held / b->width));
    p.body = rg__kir_body(p.loop);
    p.slot = rg__kir_mul(k, name(b, q), num(b, b->width));
    p.place = rg__kir_mul(k, rg__kir_add(k, rg__kir_mul(k, name(b, q), num(b, b->threads)), name(b, b->tx)),
                          num(b, b->width));
    if (width != b->width) {
        struct kir_node *inner = rg__kir_for(k, KIR_UNROLLED, v, num(b, b->width));
        rg__kir_add_to(k, p.body, inner);
        p.body = rg__kir_body(inner);
        p.slot = rg__kir_add(k, p.slot, name(b, v));
        p.place = rg__kir_add(k, p.place, name(b, v));
    }
    rg__kir_add_to(k, p.body, rg__kir_let(k, at, p.place));
    p.place = name(b, at);
    return p;
}

/* In front of the places behind `skip` and before the last `rest`; NULL: always. */
static struct kir_node *within(struct building *b, struct kir_node *place, int64_t skip, int64_t rest)
{
    struct kir_node *end = rg__kir_sub(b->k, name(b, b->length), num(b, rest)), *low = NULL;
    int64_t known;
    if (skip > 0) low = rg__kir_binary(b->k, RG_COP_GE, place, num(b, skip));
    bool all = rg__kir_number(b->k, end, &known) && known >= (int64_t)b->threads * b->held;
    if (all || (b->full && !rest)) return low;
    return rg__kir_and(b->k, low, rg__kir_less(b->k, place, end));
}

/* 16 bytes of the widest elements; as many as divide what a thread holds. */
static int width_of(const struct building *b)
{
    size_t widest = 1;
    for (int a = 0; a < b->r->n_arrays; a++) {
        size_t bytes = rg_scalar_bytes(b->s->tree->arrays[b->r->arrays[a].array].elem);
        if (!b->r->arrays[a].own && bytes > widest) widest = bytes;
    }
    int width = BYTES_AT_ONCE / (int)widest;
    while (width > 1 && b->held % width) width /= 2;
    return width;
}

static bool is_wide(const struct building *b, int array)
{
    const struct poly_row_array *a = &b->r->arrays[array];
    return !a->own && !a->skip && !a->rest && b->width * (int)rg_scalar_bytes(b->s->tree->arrays[a->array].elem) >= 4;
}

static void move_one(struct building *b, struct kir_node *seq, struct kir_node *to, struct kir_node *from, int width,
                     struct kir_node *when)
{
    struct kir_node *s = width > 1 ? rg__kir_copy(b->k, to, from, width, false) : rg__kir_store(b->k, to, from);
    if (when) {
        struct kir_node *branch = rg__kir_if(b->k, when);
        rg__kir_add_to(b->k, rg__kir_body(branch), s);
        s = branch;
    }
    rg__kir_add_to(b->k, seq, s);
}

/* A row into its registers, or back. */
static void move(struct building *b, struct kir_node *seq, int array, bool store)
{
    const struct poly_row_array *a = &b->r->arrays[array];
    struct kir_node *arms[2] = {NULL, NULL};
    bool can = b->wide && is_wide(b, array);
    for (int wide = b->full && can; wide < 1 + can; wide++) {
        int width = wide ? b->width : 1;
        struct places p = over_places(b, width);
        struct kir_node *reg = rg__kir_at(b->k, b->registers[array], 1, p.slot), *mem = in_memory(b, array, p.place);
        move_one(b, p.body, store ? mem : reg, store ? reg : mem, width, within(b, p.place, a->skip, a->rest));
        arms[wide] = p.loop;
    }
    const char *what =
        rg_arena_printf(b->k->arena, "%s %s", store ? "store" : "load", b->s->tree->arrays[a->array].name);
    if (!arms[0]) {
        arms[0] = arms[1];
    } else if (arms[1]) {
        struct kir_node *branch = rg__kir_if(b->k, b->wide);
        rg__kir_add_to(b->k, rg__kir_body(branch), arms[1]);
        rg__kir_add_to(b->k, rg__kir_else(b->k, branch), arms[0]);
        arms[0] = branch;
    }
    rg__kir_add_to(b->k, seq, rg__kir_note(arms[0], what));
}

static bool convert(struct building *b, struct kir_node *seq, const struct poly_knode *k)
{
    if (k->kind == KN_SEQ) {
        for (int i = 0; i < k->n; i++)
            if (!convert(b, seq, k->kid[i])) return false;
        return true;
    }
    if (k->kind == KN_LEAF && k->node->kind == RG_C_DECL && k->node->array >= 0)
        return true; /* its places are registers */
    struct kir_node *s = rg__kir_statement(b->names, k->node);
    if (s) rg__kir_add_to(b->k, seq, s);
    return s != NULL;
}

/* One loop over the row: each place by the thread that has it, then the totals. */
static bool row_loop(struct building *b, struct kir_node *seq, int which)
{
    const struct poly_row_loop *l = &b->r->loops[which];
    const struct poly_loop *loop = &b->s->loops[l->k->loop];
    struct kir_kernel *k = b->k;
    struct kir_node *was[POLY_ROW_ACCS];
    enum poly_op op[POLY_ROW_ACCS];
    struct places p = over_places(b, 1);
    struct kir_node *body = p.body, *when = within(b, p.place, l->skip, l->rest);
    if (when) {
        struct kir_node *branch = rg__kir_if(k, when);
        rg__kir_add_to(k, p.body, branch);
        body = rg__kir_body(branch);
    }
    for (int i = 0; i < l->n_acc; i++) {
        const struct poly_acc *a = &l->acc[i];
        const char *base = a->array >= 0 ? b->s->tree->arrays[a->array].name : b->s->tree->vars[a->var].name;
        int stem = (int)strlen(base);
        while (stem > 1 && base[stem - 1] == '_') stem--; /* no identifier of C++'s has two underscores in a row */
        b->acc[i] = rg__kir_scalar(k, rg_arena_printf(k->arena, "%.*s_acc", stem, base), a->type);
        rg__kir_add_to(k, seq, rg__kir_var(k, b->acc[i], rg__poly_kir_identity(k, a->op, a->type)));
        op[i] = a->op;
        if (a->array >= 0) continue;
        rg__kir_of(b->names, &(struct rg_cnode){.kind = RG_C_VAR, .var = a->var, .array = -1, .type = a->type});
        was[i] = b->names->var[a->var];
        rg__kir_bind(b->names, a->var, name(b, b->acc[i]));
    }
    rg__kir_bind(b->names, loop->var, rg__kir_add(k, b->first, p.place));
    b->slot = p.slot;
    b->target = which;
    bool ok = convert(b, body, l->k->kid[0]);
    b->slot = NULL;
    b->target = -1;
    rg__kir_add_to(k, seq,
                   rg__kir_note(p.loop, rg_arena_printf(k->arena, "loop %s, line %d", loop->name, loop->node->line)));
    rg__poly_kir_reduce(k, seq, op, b->acc, l->n_acc, b->tx, b->threads);
    for (int i = 0; i < l->n_acc; i++) {
        const struct poly_acc *a = &l->acc[i];
        int e = a->array >= 0 ? rg__poly_row_element_of(b->s, b->r, a->element) : -1;
        if (a->array < 0) rg__kir_bind(b->names, a->var, was[i]);
        if ((a->array >= 0 && e < 0) || (a->array < 0 && was[i]->kind != KIR_NAME)) return false;
        int to = e >= 0 ? b->scalar[e] : was[i]->symbol;
        rg__kir_add_to(k, seq, rg__kir_assign(k, to, rg__poly_kir_combined(k, a->op, name(b, to), name(b, b->acc[i]))));
    }
    return ok;
}

/* What one row's threads do. */
static bool row_code(struct building *b, struct kir_node *seq)
{
    struct kir_kernel *k = b->k;
    const struct poly_knode *body = b->kernel->body;
    struct kir_node *code = rg__kir_seq(k),
                    *lone = rg__kir_if(k, rg__kir_binary(k, RG_COP_EQ, name(b, b->tx), num(b, 0)));
    int loops = 0;
    for (int e = 0; e < b->r->n_elements; e++) {
        const struct poly_row_element *x = &b->r->elements[e];
        struct kir_node *own = rg__kir_of(b->names, x->element); /* memory: it has no scalar yet */
        if (!own) return false;
        b->scalar[e] = rg__kir_scalar(k, b->s->tree->arrays[x->array].name, own->type);
        rg__kir_add_to(k, seq, rg__kir_var(k, b->scalar[e], x->load ? own : NULL));
        rg__kir_add_to(k, rg__kir_body(lone), rg__kir_store(k, own, name(b, b->scalar[e])));
    }
    b->names->element = element;
    b->names->arg = b;
    for (int i = 0; i < body->n; i++) {
        bool loop = body->kid[i]->kind == KN_LOOP;
        for (int a = 0; loop && a < b->r->n_arrays; a++)
            if (b->r->arrays[a].from == loops && b->r->arrays[a].load) move(b, code, a, false);
        if (loop ? !row_loop(b, code, loops) : !convert(b, code, body->kid[i])) return false;
        for (int a = 0; loop && a < b->r->n_arrays; a++)
            if (b->r->arrays[a].to == loops && b->r->arrays[a].store) move(b, code, a, true);
        loops += loop;
    }
    rg__kir_declare(b->names, seq);
    rg__kir_add_to(k, seq, code);
    if (b->r->n_elements) rg__kir_add_to(k, seq, lone);
    return true;
}

/* The row's number to the dimensions' variables, the innermost first. */
static bool dimensions(struct building *b, struct kir_node *seq, int row, struct kir_node *const *count)
{
    struct kir_kernel *k = b->k;
    struct kir_node *left = name(b, row);
    for (int d = b->kernel->n_dims - 1; d >= 0; d--) {
        const struct poly_loop *l = &b->s->loops[b->kernel->dims[d]];
        struct kir_node *lower = rg__kir_of(b->names, l->node->kid[0]), *at = d ? rg__kir_rem(k, left, count[d]) : left;
        if (!lower) return false;
        int v = rg__kir_symbol_as(k, KIR_VALUE, l->name,
                                  lower->type == RG_LLONG ? RG_LLONG : b->s->tree->vars[l->var].type);
        rg__kir_add_to(k, seq, rg__kir_let(k, v, rg__kir_add(k, lower, at)));
        rg__kir_bind(b->names, l->var, name(b, v));
        for (int a = 0; a < b->kernel->n_alias; a++)
            if (b->kernel->alias[a].dim == d)
                rg__kir_bind(b->names, b->s->loops[b->kernel->alias[a].loop].var, name(b, v));
        left = rg__kir_div(k, left, count[d]);
    }
    return true;
}

/* Each row where the arrays' rows all start at an address that 16 bytes are loaded from; NULL: none may. */
static struct kir_node *rows_wide(struct building *b)
{
    struct kir_kernel *k = b->k;
    struct kir_node *wide = NULL;
    for (int a = 0; a < b->r->n_arrays && b->width > 1; a++) {
        int64_t bytes = b->width * (int64_t)rg_scalar_bytes(b->s->tree->arrays[b->r->arrays[a].array].elem);
        if (is_wide(b, a))
            wide =
                rg__kir_and(k, wide, rg__kir_aligned(k, 1, (struct kir_node *[]){in_memory(b, a, num(b, 0))}, bytes));
    }
    struct kir_node *rest = rg__kir_rem(k, name(b, b->length), num(b, b->width));
    return wide ? rg__kir_and(k, rg__kir_binary(k, RG_COP_EQ, rest, num(b, 0)), wide) : NULL;
}

/* The row's code twice: where every thread has all its places and rows are wide, nothing is asked for each of them. */
static bool both_codes(struct building *b, struct kir_node *seq)
{
    struct kir_kernel *k = b->k;
    size_t names = (size_t)b->s->tree->n_vars * sizeof *b->names->var;
    struct kir_node *wide = rows_wide(b);
    if (!wide) return row_code(b, seq);
    int symbol = rg__kir_value(k, "wide", RG_I32);
    rg__kir_add_to(k, seq, rg__kir_let(k, symbol, wide));
    b->wide = name(b, symbol);
    struct kir_node *whole = rg__kir_binary(k, RG_COP_EQ, name(b, b->length), num(b, (int64_t)b->threads * b->held)),
                    *full = rg__kir_if(k, rg__kir_and(k, whole, b->wide)), **was = rg_arena_alloc(k->arena, names + 1);
    memcpy(was, b->names->var, names);
    b->full = true;
    bool ok = row_code(b, rg__kir_body(full));
    b->full = false;
    for (int v = 0; v < b->s->tree->n_vars; v++) { /* the other code's scalars are its own */
        const struct kir_node *now = b->names->var[v];
        if (now && !(now->kind == KIR_NAME && k->symbols[now->symbol].kind == KIR_PARAM)) b->names->var[v] = was[v];
    }
    b->names->element = NULL;
    rg__kir_add_to(k, seq, full);
    return row_code(b, rg__kir_else(k, full)) && ok;
}

/* How many a loop counts: an unsigned end below its start is none, not many. */
static struct kir_node *distance(struct building *b, struct kir_node *from, struct kir_node *to, bool wide)
{
    struct kir_kernel *k = b->k;
    wide = wide || !rg_scalar_is_signed(from->type) || !rg_scalar_is_signed(to->type);
    return wide ? rg__kir_sub(k, rg__kir_cast(k, RG_LLONG, to), rg__kir_cast(k, RG_LLONG, from))
                : rg__kir_sub(k, to, from);
}

/* Dimensions' extents, their product; NULL: a bound has no form. */
static struct kir_node *row_count(struct building *b, struct kir_node *count[3])
{
    struct kir_kernel *k = b->k;
    struct kir_node *all = NULL;
    int n = b->kernel->n_dims;
    for (int d = 0; d < n; d++) {
        const struct rg_cnode *l = b->s->loops[b->kernel->dims[d]].node;
        struct kir_node *lo = rg__kir_of(b->names, l->kid[0]), *hi = lo ? rg__kir_of(b->names, l->kid[1]) : NULL;
        if (!hi) return NULL;
        count[d] = distance(b, lo, hi, n > 1);
        all = all ? rg__kir_mul(k, all, count[d]) : count[d];
    }
    return all;
}

/* Blocks, the rows of each, a row's threads; what stands in it runs for rows that exist. */
static struct kir_node *shape(struct building *b, struct kir_node *all, int *row)
{
    struct kir_kernel *k = b->k;
    int block = rg__kir_index(k, "block", RG_I32), team = rg__kir_index(k, "team", RG_I32);
    b->tx = rg__kir_index(k, "lane", RG_I32);
    *row = rg__kir_value(k, "row", all->type);
    struct kir_node *threads = rg__kir_for(k, KIR_BLOCK_X, b->tx, num(b, b->threads)), *in = rg__kir_body(threads),
                    *outer = threads;
    if (b->rows > 1) {
        outer = rg__kir_for(k, KIR_BLOCK_Y, team, num(b, b->rows));
        rg__kir_add_to(k, rg__kir_body(outer), threads);
    }
    k->body = rg__kir_for(k, KIR_GRID_X, block, rg__kir_ceil_div(k, all, b->rows));
    rg__kir_add_to(k, rg__kir_body(k->body), outer);
    struct kir_node *which = rg__kir_mul(k, rg__kir_cast(k, all->type, name(b, block)), num(b, b->rows));
    which = b->rows > 1 ? rg__kir_add(k, which, name(b, team)) : which;
    rg__kir_add_to(k, in, rg__kir_let(k, *row, which));
    struct kir_node *exists = rg__kir_if(k, rg__kir_less(k, name(b, *row), all));
    rg__kir_add_to(k, in, exists);
    return rg__kir_body(exists);
}

static bool build(struct building *b, struct rg_reason *why)
{
    struct kir_kernel *k = b->k;
    struct kir_node *count[3], *all = row_count(b, count), *upper = rg__kir_of(b->names, b->r->upper);
    int64_t capacity = (int64_t)b->threads * b->held, known;
    int row;
    b->first = rg__kir_of(b->names, b->r->lower);
    if (!all || !upper || !b->first) return false;
    struct kir_node *in = shape(b, all, &row), *places = distance(b, b->first, upper, false);
    struct kir_node *fits = rg__kir_binary(k, RG_COP_LE, places, num(b, capacity));
    bool number = rg__kir_number(k, places, &known);
    if (number && known > capacity) {
        return rg_refuse(why, RG_REFUSE_SPACE, 0, "a row of %lld elements is longer than %d threads with %d each hold",
                         (long long)known, b->threads, b->held);
    }
    k->fits = number ? NULL : fits;
    b->length = number ? rg__kir_constant(k, "length", known) : rg__kir_value(k, "length", RG_I32);
    if (!number) rg__kir_add_to(k, in, rg__kir_let(k, b->length, rg__kir_cast(k, RG_I32, places)));
    b->width = width_of(b);
    if (!dimensions(b, in, row, count)) return false;
    for (int a = 0; a < b->r->n_arrays; a++) {
        const struct rg_carray *c = &b->s->tree->arrays[b->r->arrays[a].array];
        struct kir_node *held = num(b, b->held);
        b->registers[a] =
            rg__kir_buffer(k, rg_arena_printf(k->arena, "%s_row", c->name), KIR_REGISTER, c->elem, 1, &held);
    }
    return both_codes(b, in) && !b->failed;
}

struct kir_kernel *rg__poly_row_kernel(const struct poly_program *p, const struct poly_kernel *kernel,
                                       const struct poly_row_shape *shape, struct rg_arena *arena,
                                       struct rg_reason *why)
{
    struct poly_row r;
    struct building b = {.p = p,
                         .s = p->scop,
                         .kernel = kernel,
                         .r = &r,
                         .target = -1,
                         .threads = shape->threads,
                         .held = shape->held,
                         .rows = shape->rows};
    if (!rg__poly_row_of(p, kernel, &r, why)) return NULL;
    *why = (struct rg_reason){.line = 0};
    struct kir_kernel *k = b.k = rg__poly_kir_new(p, kernel, arena, &b.names);
    if (!k || !build(&b, why)) {
        if (!*why->text) rg__poly_no_form(b.names, why, "a part of the row's code has no form in kernel IR");
        return NULL;
    }
    k->min_blocks = shape->min_blocks;
    k->heading = rg_arena_printf(arena, "row.registers: %d threads hold a row, %d elements each; %d rows a block",
                                 b.threads, b.held, b.rows);
    rg__kir_finish(k);
    return k;
}
