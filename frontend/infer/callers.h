/* What the rest of the file says about the function that is meant: caller_expr.c reads it, caller_facts.c draws on it.
 */
#ifndef RG_FRONTEND_CALLERS_H
#define RG_FRONTEND_CALLERS_H
#include "frontend/load.h"

enum { RG__MAX_CALLER_DIMS = 8 };

struct rg__caller_set { /* something is set to a value: a variable, a member of one, what it points to (`rows[i] =
                           malloc(..)`) */
    uint32_t key;
    const char *member; /* NULL: none */
    int subscripts, function;
    CXCursor value;
    int moved; /* 1, -1: by how much it is moved up or down stands in `by` (`m -= low`); value is none then */
    CXCursor by;
};

struct rg__caller_pair {
    const struct rg_expr *is;
    int param, used;
};

struct rg__callers {
    struct rg__load *l;
    struct rg__build *b;
    struct rg_arena *a;
    int function; /* being read; -1: file scope */
    int n_sets, cap_sets;
    struct rg__caller_set *sets;
    int n_calls, cap_calls;
    struct rg__caller_call {
        CXCursor cursor;
        int function, of;         /* in which it stands; which it calls */
        struct rg__children args; /* what it calls, then its arguments */
    } * calls;
    int n_pairs, cap_pairs;
    struct rg__caller_pair *pairs;
    int n_own, cap_own;
    int64_t *own; /* numbers that the function itself has in its text: no other stands for them */
};

/* Cursors. */
struct rg__children rg__caller_children(const struct rg__callers *c, CXCursor x);
enum CXCursorKind rg__caller_kind(const struct rg__callers *c, CXCursor x);
/* Without parentheses and casts. */
CXCursor rg__caller_bare(const struct rg__callers *c, CXCursor x);
/* A variable, a member of one (`m.val`, `m->val`), either with subscripts behind it. */
bool rg__caller_place(const struct rg__callers *c, CXCursor x, struct rg__caller_set *out);
/* The one value that a place has in a function, or at file scope; false: none, or several. */
bool rg__caller_only_set(const struct rg__callers *c, int function, uint32_t key, const char *member, CXCursor *value);
struct rg_expr *rg__caller_number(const struct rg__callers *c, int64_t v);
struct rg_expr *rg__caller_node(const struct rg__callers *c, enum rg_expr_kind k, enum rg_op op,
                                const struct rg_expr *x, const struct rg_expr *y);
/* "@place", "@place.member". */
const struct rg_expr *rg__caller_atom(const struct rg__callers *c, uint32_t key, const char *member);
/* An expression over atoms; NULL: it is none that extents are made of. */
const struct rg_expr *rg__caller_expr(const struct rg__callers *c, CXCursor x);
/* An expression over the parameters of `function` with what a call of it (children of its cursor) passes; NULL:
 * something is none. */
struct rg_expr *rg__caller_with_arguments(const struct rg__callers *c, const struct rg_expr *e, int function,
                                          const struct rg__children *call);
/* How many elements of so many bytes a call allocates: C's own functions, and one of the file that makes one such call.
 * NULL: it is none. */
const struct rg_expr *rg__caller_allocated(const struct rg__callers *c, CXCursor value, int64_t bytes);
/* caller_rows.c: dimensions of an array as its declaration writes them; is what its elements are a pointer? */
int rg__caller_declared(const struct rg__callers *c, CXCursor d, const struct rg_expr **dims);
bool rg__caller_holds_pointers(const struct rg__callers *c, CXCursor d);
/* How far apart the rows are that a value of a table's pointers lets begin, `t[i] = t[i - 1] + width`,
 * `t[i] = block + i * width`; NULL: it is none of these. */
const struct rg_expr *rg__caller_row_step(const struct rg__callers *c, CXCursor value);
/* How many elements, of so many bytes, the dimension `level` has of the table that a call of a function of the file
 * gives: what the function sets the pointer to that it returns, and what this points to. NULL: that cannot be told. */
const struct rg_expr *rg__caller_table(const struct rg__callers *c, CXCursor value, int level, int64_t bytes);
/* caller_sets.c: an expression of that function with what is set there several times as it was at `where`, an
 * allocation say, as far as that can be followed back. */
const struct rg_expr *rg__caller_when_set(const struct rg__callers *c, const struct rg_expr *e, int function,
                                          CXCursor where);
bool rg__caller_is_parameter(const struct rg__callers *c, int function, uint32_t key);
/* A number that the function has in its own text, or one too small to mean a size. */
bool rg__caller_own_number(const struct rg__callers *c, int64_t v);
/* What a call of the function passes for its integers is what stands for them (caller_facts.c). */
void rg__caller_pairs(struct rg__callers *c, const struct rg__caller_call *call);
/* An expression of that function over the problem's parameters, its memory; NULL: something in it is none. */
const struct rg_expr *rg__caller_settled(struct rg__callers *c, CXCursor x, int function);
/* Everything but the function itself; released by the next. */
void rg__callers_read(struct rg__callers *c);
void rg__callers_release(struct rg__callers *c);
#endif
