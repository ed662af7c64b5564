/* Helpers over the C tree (rg/ctree.h). */
#ifndef RG_IR_CTREE_UTIL_H
#define RG_IR_CTREE_UTIL_H
#include <rg/ctree.h>

struct rg__kids { /* a growing list of nodes */
    int n, cap;
    struct rg_cnode **items; /* malloc'd */
};
void rg__kids_add(struct rg__kids *k, struct rg_cnode *n);
/* A node of that kind with these kids; the list is released. */
struct rg_cnode *rg__kids_node(struct rg_ctree *t, enum rg_c_kind kind, struct rg__kids *k);

int rg__c_add_var(struct rg_ctree *t, const char *name, enum rg_cvar_kind kind, enum rg_scalar type);
int rg__c_add_array(struct rg_ctree *t, const char *name, enum rg_scalar elem);
/* A name no variable, array or helper of the tree has yet and that means nothing to CUDA C++. */
/* Is it a word of C++ that C has not? */
bool rg__c_cxx_word(const char *name);
const char *rg__c_unique(struct rg_ctree *t, const char *wanted);

/* A node with no kids set yet, standing where `at` does (NULL: nowhere). Every other builder is made of it. */
struct rg_cnode *rg__c_new(struct rg_arena *a, enum rg_c_kind kind, enum rg_c_op op, enum rg_scalar type, int n_kids,
                           const struct rg_cnode *at);
struct rg_cnode *rg__c_shallow(struct rg_arena *a,
                               const struct rg_cnode *n); /* a copy over the same kids, in a list of its own */
struct rg_cnode *rg__c_int(struct rg_ctree *t, int64_t v);
/* The number in a variable of that type, and what C makes of it in an expression; NULL: rg__c_convert. */
struct rg_cnode *rg__c_int_of(struct rg_ctree *t, int64_t v, enum rg_scalar type);
struct rg_cnode *rg__c_null(struct rg_ctree *t); /* (void *)0 */
struct rg_cnode *rg__c_var(struct rg_ctree *t, int var);
struct rg_cnode *rg__c_array_name(struct rg_ctree *t, int array); /* the array as a pointer */
enum rg_c_kind rg__c_op_kind(enum rg_c_op op);                    /* of the nodes that have it; INT of NONE */
/* A node of that kind (UNARY, BINARY, ASSIGN, INCDEC) with that operator and no operands yet. */
struct rg_cnode *rg__c_operation(struct rg_ctree *t, enum rg_c_kind kind, enum rg_c_op op);
struct rg_cnode *rg__c_binary(struct rg_ctree *t, enum rg_c_op op, struct rg_cnode *a, struct rg_cnode *b);
/* c ? a : b, of a's type. */
struct rg_cnode *rg__c_choice(struct rg_ctree *t, struct rg_cnode *c, struct rg_cnode *a, struct rg_cnode *b);
/* n, which stands in the user's file where `at` does. */
struct rg_cnode *rg__c_stands(struct rg_cnode *n, const struct rg_cnode *at);
/* The declaration of that variable with a first value, which has its type; it stands where `at` does. */
struct rg_cnode *rg__c_declaration(struct rg_ctree *t, int var, struct rg_cnode *value, const struct rg_cnode *at);
struct rg_cnode *rg__c_unary(struct rg_ctree *t, enum rg_c_op op, struct rg_cnode *a);
struct rg_cnode *rg__c_assign(struct rg_ctree *t, enum rg_c_op op, struct rg_cnode *lhs, struct rg_cnode *rhs);
struct rg_cnode *rg__c_index(struct rg_ctree *t, int array, int n, struct rg_cnode *const *subs);
struct rg_cnode *rg__c_stmt(struct rg_ctree *t, struct rg_cnode *e);       /* STMT around an expression */
struct rg_cnode *rg__c_copy(struct rg_ctree *t, const struct rg_cnode *n); /* deep */
/* The same code, wherever it stands. Types count of literals and conversions. */
bool rg__c_equal(const struct rg_cnode *a, const struct rg_cnode *b);
enum {
    RG__C_TYPED = 1, /* types count everywhere */
    RG__C_UNCAST = 2 /* conversions and types do not count */
};
/* Of one node: what it is and holds, its kids and its type apart. */
bool rg__c_same_head(const struct rg_cnode *a, const struct rg_cnode *b);
bool rg__c_same(const struct rg_cnode *a, const struct rg_cnode *b, unsigned how);
/* The least power of two that is at least n. */
struct rg_cnode *rg__c_power_from(struct rg_ctree *t, struct rg_cnode *n);
/* An extent expression as tree (names are parameters' variables or integers); NULL when a name is unknown. */
struct rg_cnode *rg__c_from_expr(struct rg_ctree *t, const struct rg_expr *e);
/* The other way; NULL for what rg_expr cannot say. PARAM variables by name. */
const struct rg_expr *rg__c_to_expr(const struct rg_ctree *t, const struct rg_cnode *n, struct rg_arena *a);
/* The same of a size, in which whole parts of real numbers may stand (trunc): what holds it becomes a derived parameter
 * before kernels are made (frontend/normalise/size_symbols.c). */
const struct rg_expr *rg__c_size_expr(const struct rg_ctree *t, const struct rg_cnode *n, struct rg_arena *a);

/* Pre-order; fn false: do not descend. */
void rg__c_walk(struct rg_cnode *n, bool (*fn)(void *arg, struct rg_cnode *n), void *arg);
bool rg__c_is_expr(const struct rg_cnode *n);
/* Numbers and scalar parameters that nothing assigns, put together by operators alone. */
bool rg__c_of_params(const struct rg_ctree *t, const struct rg_cnode *e);
/* Whole numbers alone, put together by operators: their value. */
bool rg__c_number(const struct rg_cnode *e, int64_t *v);
/* As C converts the number: (unsigned char)256 is 0. False: no int64_t holds that. */
bool rg__c_convert(int64_t *v, enum rg_scalar type);
/* The value of an unsigned expression comes round; what a signed one is beyond its type is undefined. False: as above.
 */
bool rg__c_comes_round(const struct rg_cnode *e, int64_t *v);
bool rg__c_mentions_var(const struct rg_cnode *n, int var);
bool rg__c_mentions_array(const struct rg_cnode *n, int array);
int rg__c_count_var(const struct rg_cnode *n, int var); /* how often the scalar is named */
/* Assignments of pure values to scalars, and steps (x++) of them, inside the expression, named nowhere else in it and
 * evaluated whenever it is, become statements at the end of `before`; the scalar itself is left in their place. What
 * stands behind &&, || and ?:, or in a comma expression, stays. */
void rg__c_lift_assignments(struct rg_ctree *t, struct rg_cnode *e, struct rg__kids *before);
/* The same, and assignments of pure values to elements and their members, too, which are read in their place. */
void rg__c_lift_stores(struct rg_ctree *t, struct rg_cnode *e, struct rg__kids *before);
/* Assigns, increments or takes the address of the scalar. */
bool rg__c_writes_var(const struct rg_cnode *n, int var);
/* No assignment, increment, call of an impure function, verbatim text. */
bool rg__c_pure(const struct rg_ctree *t, const struct rg_cnode *n);
/* A function of the C library whose value depends on its arguments alone. */
bool rg__c_pure_library(const char *name);
int rg__c_size(const struct rg_cnode *n); /* nodes */
struct rg_cnode *rg__c_replace_var(struct rg_ctree *t, struct rg_cnode *n, int var, const struct rg_cnode *by);
/* Conversion to a scalar type: folds when it is the same type already. */
struct rg_cnode *rg__c_cast(struct rg_ctree *t, struct rg_cnode *n, enum rg_scalar to);
/* What stands below conversions of a kind; NULL of NULL. */
enum rg__c_casts {
    RG__C_CASTS,     /* any */
    RG__C_INT_CASTS, /* to integers */
    RG__C_WIDE_CASTS /* to integers of 32 bits and more */
};
const struct rg_cnode *rg__c_uncast(const struct rg_cnode *e, enum rg__c_casts which);
/* Without the integer casts that keep the value when it fits; what subscripts and bounds are read through. */
struct rg_cnode *rg__c_strip_int_casts(struct rg_cnode *n);
/* ctree_width.c. Is some of e, whose conversions are gone, computed in fewer bits than the C computes it in, and might
 * its value need them? */
bool rg__c_narrower(const struct rg_ctree *t, const struct rg_cnode *e);
bool rg__scalar_is_int(enum rg_scalar s);
/* C's usual arithmetic conversions for two scalar types. */
enum rg_scalar rg__scalar_common(enum rg_scalar a, enum rg_scalar b);

/* ctree_control.c */
/* v = c ? e : v; as if (c) v = e; of the tree's arena. NULL: the statement is something else. */
struct rg_cnode *rg__c_choice_branch(struct rg_ctree *t, const struct rg_cnode *s);
/* The condition's opposite. */
struct rg_cnode *rg__negated(struct rg_ctree *t, struct rg_cnode *c);
/* Does the subtree contain a break or continue that leaves `n` itself, or a return? */
bool rg__leaves_early(const struct rg_cnode *n);
bool rg__leaves_loop(const struct rg_cnode *n);    /* by a break or continue of the loop whose body n is */
bool rg__continues_loop(const struct rg_cnode *n); /* by a continue of that loop */
/* 1: but for what `except` does, the scalar's one value in n is the number that it is declared with, *value. Else
 * another number. */
int rg__c_declared_int(const struct rg_cnode *n, const struct rg_cnode *except, int var, int64_t *value);
/* Is an address taken that the scalar is part of? */
bool rg__c_addressed(const struct rg_cnode *n, int var);
bool rg__mentions_kind(const struct rg_cnode *n, enum rg_c_kind kind);
bool rg__c_contains(const struct rg_cnode *n, const struct rg_cnode *x); /* the very node */
bool rg__c_is_loop(const struct rg_cnode *n);                            /* of any kind */
/* Does a loop around f, in n, that does not declare the variable run it again with what it was left as? */
bool rg__c_run_again(const struct rg_cnode *n, const struct rg_cnode *f, int var);
/* Might e, computed of other integers than the C's, divide by 0, or the smallest by -1? */
bool rg__c_divides(const struct rg_cnode *e);
bool rg__c_has_loop(const struct rg_cnode *n);                         /* in a statement */
bool rg__c_ends_in(const struct rg_cnode *block, enum rg_c_kind kind); /* its last statement is one; false for NULL */
/* Does a statement in it declare the scalar; or is that the variable of one of its loops; the array? */
bool rg__c_declares(const struct rg_cnode *n, int var);
bool rg__c_binds(const struct rg_cnode *n, int var);
bool rg__c_declares_array(const struct rg_cnode *n, int array);
void rg__c_rename_array(struct rg_cnode *n, int was, int now); /* its declarations, elements and names */
/* Does a condition, or the flag of a loop, consist of the scalar alone? Then it has one place, where it is looked up.
 */
bool rg__c_decides(const struct rg_cnode *n, int var);
/* a op b, of a comparison. */
bool rg__relation_holds(enum rg_c_op op, double a, double b);
/* Replaces block->kid[at..at+count) by the list (released). */
void rg__block_splice(struct rg_ctree *t, struct rg_cnode *block, int at, int count, struct rg__kids *with);
/* Statements of blocks that stand in blocks go where the block is: every variable has a name of its own. */
void rg__flatten_blocks(struct rg_ctree *t, struct rg_cnode *n);
/* Array written anywhere below n, or its address taken. */
bool rg__writes_array(const struct rg_cnode *n, int array);
#endif
