/* Tables of rows in memory that the function allocates itself: t = malloc(rows * sizeof *t) is an array of two
 * dimensions, whose second one its rows tell. Each is allocated (t[i] = malloc(..)), or all are in one block:
 *
 *     t[0] = malloc(rows * cols * sizeof **t);  t[i] = t[0] + i * cols;     or t[i] = t[i - 1] + cols
 *     block = malloc(rows * cols * sizeof *block);  t[i] = block + i * cols;
 *
 * The rows are then the array's own, as they follow one another there too; what names the block itself is an element
 * block[e], which is t[e / cols][e % cols]. */
#include "frontend/read/build_cell.h"
#include <rg/hash.h>
#include <stdlib.h>
#include <string.h>

static struct rg_cnode *uncast(struct rg_cnode *n)
{
    while (n->kind == RG_C_CAST && n->pointer && !rg__is_null_pointer(n)) n = n->kid[0];
    return n;
}

static struct rg__block *block_of(struct rg__build *b, int table)
{
    for (int i = 0; i < b->follow->n_blocks; i++)
        if (b->follow->blocks[i].table == table) return &b->follow->blocks[i];
    return NULL;
}

static struct rg__block *new_block(struct rg__build *b, int table)
{
    if (b->follow->n_blocks == RG__MAX_BLOCKS) return NULL;
    struct rg__block *k = &b->follow->blocks[b->follow->n_blocks++];
    *k = (struct rg__block){.table = table, .memory = -1, .array = -1};
    return k;
}

static int64_t element_bytes(const struct rg__build *b, const struct rg_carray *x, int dim)
{
    return dim + 1 < x->n_dims    ? (int64_t)sizeof(void *)
           : x->elem == RG_STRUCT ? b->p->structs[x->struct_index].bytes
                                  : (int64_t)rg_scalar_bytes(x->elem);
}

static const struct rg_expr *count_of(struct rg__build *b, int memory, int64_t bytes)
{
    struct rg_cnode *count = rg__memory_elements(b, b->follow->memory[memory].bytes, bytes);
    return count ? rg__c_to_expr(b->t, count, &b->t->arena) : NULL;
}

/* t[0] = malloc(..) was a row after all. */
static bool one_row(struct rg__build *b, struct rg__block *k)
{
    struct rg_carray *x = &b->t->arrays[k->table];
    struct rg__memory *m = &b->follow->memory[k->memory];
    const struct rg_expr *extent = count_of(b, k->memory, element_bytes(b, x, 1));
    struct rg__kids zeros = {0};
    k->memory = -1;
    if (!extent || (x->dims[1] && !rg_expr_equal(x->dims[1], extent))) return false;
    x->dims[1] = extent;
    if (!m->zeroed) return true;
    if (!rg__zero_row(b, m->typed, &zeros)) return false;
    rg__block_splice(b->t, k->fill, 0, 0, &zeros);
    return true;
}

static bool is_number(const struct rg_cnode *n, int64_t v)
{
    n = rg__c_uncast(n, RG__C_CASTS);
    return n->kind == RG_C_INT && n->ivalue == v;
}

static bool same(const struct rg_cnode *a, const struct rg_cnode *b)
{
    return rg__c_equal(rg__c_uncast(a, RG__C_CASTS), rg__c_uncast(b, RG__C_CASTS));
}

/* i * cols: cols. */
static struct rg_cnode *other_factor(const struct rg_cnode *off, const struct rg_cnode *i)
{
    off = rg__c_uncast(off, RG__C_CASTS);
    if (off->op != RG_COP_MUL) return NULL;
    return same(off->kid[0], i) ? off->kid[1] : same(off->kid[1], i) ? off->kid[0] : NULL;
}

static bool is_before(const struct rg_cnode *row, const struct rg_cnode *i)
{
    row = rg__c_uncast(row, RG__C_CASTS);
    i = rg__c_uncast(i, RG__C_CASTS);
    if (i->kind == RG_C_INT) return row->kind == RG_C_INT && row->ivalue == i->ivalue - 1;
    return (row->op == RG_COP_SUB && same(row->kid[0], i) && is_number(row->kid[1], 1)) ||
           (row->op == RG_COP_ADD && same(row->kid[0], i) && is_number(row->kid[1], -1));
}

static int drawn(void *arg, const char *name, int64_t *value)
{
    uint64_t h = *(const uint64_t *)arg;
    for (const char *p = name; *p; p++) h = rg_mix64(h ^ (unsigned char)*p);
    *value = 2 + (int64_t)(h % 997);
    return 1;
}

/* Is one the product of the others? Of polynomials, by their values at a few places. */
static bool is_product(const struct rg_expr *whole, const struct rg_expr *rows, const struct rg_expr *cols)
{
    for (uint64_t k = 1; k <= 6; k++) {
        struct rg_expr_env env = {.arg = &k, .name = drawn};
        int64_t w, r, c, product;
        if (rg_expr_eval(whole, &env, &w, NULL) != RG_OK || rg_expr_eval(rows, &env, &r, NULL) != RG_OK ||
            rg_expr_eval(cols, &env, &c, NULL) != RG_OK || __builtin_mul_overflow(r, c, &product) || w != product)
            return false;
    }
    return true;
}

/* The row of a block: t[i] = t[0] + i * cols. */
static struct rg_cnode *row_of_block(struct rg__build *b, struct rg_cnode *left, struct rg_cnode *v, CXCursor where)
{
    static const char *const moved = "the rows of a table change places";
    struct rg_carray *x = &b->t->arrays[left->array];
    struct rg_cnode *rows[8], *off, *i = left->kid[0], *cols = NULL;
    int array, n_rows;
    if (left->n != 1 || x->n_dims != 2 || !x->dims[0] || !rg__split_pointer(b, v, &array, rows, &n_rows, &off))
        return rg__verbatim(b, where, "%s", moved);
    struct rg__block *k = block_of(b, left->array);
    if (array != left->array && n_rows == 0) { /* a block with a name */
        const struct rg_carray *y = &b->t->arrays[array];
        if (!k && y->mallocd && y->n_dims == 1 && y->dims[0] && y->elem == x->elem &&
            y->struct_index == x->struct_index && (k = new_block(b, left->array)))
            k->array = array;
        if (!k || k->array != array) return rg__verbatim(b, where, "%s", moved);
        if (!off && is_number(i, 0)) return rg__c_int(b->t, 0);
        if (off) cols = other_factor(off, i);
    } else if (array == left->array && n_rows == 1 && k && off) {
        cols = is_number(rows[0], 0) && !is_number(i, 1) ? other_factor(off, i) : is_before(rows[0], i) ? off : NULL;
    }
    if (!cols) return rg__verbatim(b, where, "%s", moved);
    const struct rg_expr *extent = rg__c_to_expr(b->t, rg__expand_known(b, cols), &b->t->arena),
                         *whole = k->memory >= 0  ? count_of(b, k->memory, element_bytes(b, x, 1))
                                  : k->array >= 0 ? b->t->arrays[k->array].dims[0]
                                                  : NULL;
    if (extent && x->dims[1] && rg_expr_equal(x->dims[1], extent)) return rg__c_int(b->t, 0);
    if (!extent || x->dims[1] || !whole || !is_product(whole, x->dims[0], extent))
        return rg__verbatim(b, where, "%s", moved);
    x->dims[1] = extent;
    if (k->memory >= 0 && b->follow->memory[k->memory].zeroed) {
        struct rg__kids zeros = {0};
        if (!rg__zero_array(b, left->array, &zeros))
            return rg__verbatim(b, where, "an allocation of zeros that cannot be counted");
        rg__block_splice(b->t, k->fill, 0, 0, &zeros);
    }
    k->memory = -1;
    return rg__c_int(b->t, 0);
}

struct rg_cnode *rg__table_row(struct rg__build *b, struct rg_cnode *left, struct rg_cnode *v, CXCursor where)
{
    struct rg_cnode *in = uncast(v);
    if (left->kind != RG_C_INDEX || !left->pointer || !b->t->arrays[left->array].mallocd) return NULL;
    if (rg__is_null_pointer(in)) return rg__c_int(b->t, 0); /* behind free(t[i]) */
    if (!rg__is_memory(b, in)) return row_of_block(b, left, in, where);
    struct rg__memory *m = &b->follow->memory[in->ivalue];
    struct rg_carray *x = &b->t->arrays[left->array];
    struct rg__block *k = block_of(b, left->array);
    if (!k && left->n == 1 && x->n_dims == 2 && !x->dims[1] && !m->typed && is_number(left->kid[0], 0) && b->hoist &&
        (k = new_block(b, left->array))) { /* a row or all of them: the next one tells */
        k->memory = (int)in->ivalue;
        k->fill = rg_cnode_new(b->t, RG_C_BLOCK, 0);
        rg__kids_add(b->hoist, k->fill);
        m->typed = rg__c_copy(b->t, left);
        return rg__c_int(b->t, 0);
    }
    if (k && k->memory >= 0 && !one_row(b, k)) return rg__verbatim(b, where, "rows of a table whose lengths differ");
    const struct rg_expr *extent = count_of(b, (int)in->ivalue, element_bytes(b, x, left->n));
    if (!extent || m->typed || (x->dims[left->n] && !rg_expr_equal(x->dims[left->n], extent)))
        return rg__verbatim(b, where, "rows of a table whose lengths differ");
    x->dims[left->n] = extent;
    m->typed = rg__c_copy(b->t, left);
    if (m->zeroed && left->n + 1 == x->n_dims && !rg__zero_row(b, left, b->hoist))
        return rg__verbatim(b, where, "an allocation of zeros that cannot be counted");
    return rg__c_int(b->t, 0);
}

/* ---- the block's own name ---- */

/* block[e] as an element of the table; false: the block is named otherwise. */
static bool by_rows(struct rg__build *b, struct rg_cnode *n, const struct rg__block *k, struct rg_cnode *cols)
{
    for (int i = 0; i < n->n; i++) {
        struct rg_cnode *d = n->kid[i];
        if (!d) continue;
        if (d->kind == RG_C_DECL && d->array == k->array) {
            struct rg__kids none = {0};
            if (n->kind != RG_C_BLOCK) return false;
            rg__block_splice(b->t, n, i--, 1, &none);
            continue;
        }
        if (!by_rows(b, d, k, cols)) return false;
        if (d->array != k->array) continue;
        if (d->kind != RG_C_INDEX || d->pointer || d->n != 1) return false;
        struct rg_cnode *subs[2] = {
            rg__c_binary(b->t, RG_COP_DIV, d->kid[0], rg__c_copy(b->t, cols)),
            rg__c_binary(b->t, RG_COP_REM, rg__c_copy(b->t, d->kid[0]), rg__c_copy(b->t, cols))};
        struct rg_cnode *element = rg__c_index(b->t, k->table, 2, subs);
        element->type = d->type;
        element->struct_index = d->struct_index;
        n->kid[i] = element;
    }
    return true;
}

void rg__blocks_end(struct rg__build *b)
{
    for (int i = 0; b->follow && i < b->follow->n_blocks && !b->verbatim; i++) {
        struct rg__block *k = &b->follow->blocks[i];
        const struct rg_carray *x = &b->t->arrays[k->table];
        if (k->memory >= 0 && !one_row(b, k)) b->verbatim = "rows of a table whose lengths differ";
        if (k->array < 0) continue;
        struct rg_cnode *cols = x->dims[1] ? rg__c_from_expr(b->t, x->dims[1]) : NULL;
        if (!cols || !by_rows(b, b->t->root, k, cols))
            b->verbatim = "a block of rows that is used as a pointer of its own";
    }
}
