/* A function as the built-in coder analyses it: loops, statements, accesses, dependences. Built once for a problem;
 * everything below is read-only afterwards but the cache of dependence tests. isl objects live in `ctx`; every call
 * runs under an operation limit, and a test that exceeds it counts as "depends". */
#ifndef RG_POLY_SCOP_H
#define RG_POLY_SCOP_H
#include "ir/ctree_util.h"
#include <isl/aff.h>
#include <isl/ast_build.h>
#include <isl/ctx.h>
#include <isl/map.h>
#include <isl/options.h>
#include <isl/set.h>
#include <isl/space.h>
#include <isl/val.h>
#include <rg/ctree.h>
#include <rg/problem.h>
#include <rg/refusal.h>

enum {
    POLY_MAX_DEPTH = 12,
    POLY_MAX_LOOPS = 1024,
    POLY_MAX_STMTS = 4000,
    POLY_MAX_TERMS = 16,
    POLY_MAX_DIMS = 8,
    POLY_MAX_SYMBOLS = 8,
    POLY_ISL_OPERATIONS = 400000,
    POLY_MAX_TESTS = 60000
};

#define POLY_SYMBOL "symbol %d" /* the isl parameter that stands for symbols[i] */

/* sum of c * var + k; var is an index into tree->vars (an iterator or an integer parameter). */
struct poly_linear {
    bool ok;
    int n;
    struct {
        int var;
        int64_t c;
    } term[POLY_MAX_TERMS];
    int64_t k;
};

enum poly_op {
    POLY_OP_NONE,
    POLY_OP_ADD,
    POLY_OP_MUL,
    POLY_OP_MIN,
    POLY_OP_MAX,
    POLY_OP_AND,
    POLY_OP_OR,
    POLY_OP_XOR,
    POLY_OP_SAME,    /* a store of one value, whoever stores it: only as an access's `update` */
    POLY_OP_WITH,    /* chosen along with a minimum or maximum: struct poly_select */
    POLY_OP_FLOOR,   /* x = max(x + a, b); of what a scan carries alone */
    POLY_OP_CEILING, /* x = min(x + a, b) */
    POLY_OP_TABLE    /* x = (w >> bits * x) & (2^bits - 1), what each of a few values becomes; there, too */
};

struct poly_loop {
    const struct rg_cnode *node;
    int id, parent, depth; /* parent: loop id, -1; depth: 0 outermost */
    int var;
    int64_t step;
    int first_stmt, n_stmts; /* statements inside are consecutive */
    bool constant;           /* trip count known */
    int64_t trip;
    struct poly_linear lower, upper; /* .ok false: min/max/division in a bound */
    bool rectangular;                /* bounds over parameters only */
    const char *name;                /* of its variable */
    struct poly_time_start *start;   /* a time loop's: the tile to start from (time_tile.c); NULL: nobody asked yet */
};

struct poly_access {
    int stmt, array;
    const struct rg_cnode *node;
    bool read, write, whole, certain;
    bool affine;         /* every subscript is; then map is exact */
    bool varies;         /* in an opaque part, with a subscript that takes several values there: any, in the map */
    bool target;         /* the x of `x = x op e`: written, and read for that alone */
    enum poly_op update; /* of an associative update, in opaque code too: may become an atomic */
    enum rg_scalar update_type;   /* of what is updated */
    const struct rg_cnode *value; /* of update SAME: what is stored */
    const char *member;           /* the field of the element that is meant ("z.lo" of st[k].z.lo); NULL: all of it */
    const struct rg_cnode *part;  /* the MEMBER node that names the first of these; NULL with it */
    int n_subs;
    struct poly_linear sub[POLY_MAX_DIMS]; /* .ok only where plainly linear */
    isl_map *map;                          /* { S[iters] -> A[subs] }, within the domain; of subscripts that are
                                              not affine, all that they may be */
};

struct poly_stmt {
    int id, loop, depth;       /* innermost loop, -1; number of enclosing loops */
    int loops[POLY_MAX_DEPTH]; /* outermost first */
    const struct rg_cnode *node;
    int line;
    bool exact; /* the domain is */
    isl_set *domain;
    int first_access, n_accesses;
    enum poly_op red_op;    /* its one write is `x = x op e` and e does not read x */
    int red_array, red_var; /* of x: one is -1 */
};

enum { POLY_MAX_SELECTS = 8, POLY_MAX_WITH = 4 };
struct poly_select {                                           /* arg-min, arg-max */
    int test, best_stmt;                                       /* statements: flag = e < best; best = flag ? e : best */
    int flag, best;                                            /* scalars */
    enum poly_op op;                                           /* MIN or MAX */
    bool first;                                                /* of equal ones; else the last */
    int n_with, with[POLY_MAX_WITH], with_stmt[POLY_MAX_WITH]; /* with = flag ? e : with */
};

struct poly_conflict { /* why a loop is not parallel */
    bool found;
    int array, var; /* one is -1 */
    int stmt_a, stmt_b;
    const char *kind; /* "flow", "anti", "output" */
    bool limit;       /* isl's operation limit: assumed */
};

struct poly_scop;
/* Analyses a tree, with what is taken before any action. */
typedef enum rg_status poly_begin_fn(const struct rg_problem *p, const struct rg_ctree *t, struct rg_arena *arena,
                                     struct poly_scop **out, struct rg_error *err);

struct poly_scop {
    struct rg_arena arena;
    const struct rg_problem *problem;
    const struct rg_ctree *tree;
    isl_ctx *ctx;
    int n_loops, n_stmts, cap_stmts, n_accesses, cap_accesses;
    struct poly_loop loops[POLY_MAX_LOOPS];
    struct poly_stmt *stmts;
    struct poly_access *accesses;
    int n_selects;
    struct poly_select selects[POLY_MAX_SELECTS];
    /* scalars: index into tree->vars */
    bool *(live_out[POLY_MAX_LOOPS]); /* [loop][var] read after the loop before it is written again */
    bool *(exposed[POLY_MAX_LOOPS]);  /* [loop][var] read in an iteration before it is written there */
    bool *(written[POLY_MAX_LOOPS]);  /* [loop][var] */
    int *decl_loop;                   /* [var] innermost loop around its DECL; -1 outside; -2 no DECL */
    int *array_decl_loop;             /* [array] likewise */
    bool *var_hidden, *array_hidden;  /* declared inside an OPAQUE: nobody else sees it */
    const struct rg_cnode *
        *declared;                /* [var] what all its declarations give it, where nothing else sets it; else NULL */
    const struct rg_cnode **rows; /* [var] of loops that are apart (rg_cnode.apart): where they begin; else NULL; NULL:
                                     there are none */
    int *stmt_slots, n_slots;     /* hash table of statements by their nodes: id + 1, 0 free */
    struct poly_cache {
        int loop;
        uint64_t key;
        int mode;
        struct poly_conflict c;
    } * cache;
    int n_cache, cap_cache;
    struct poly_pair {
        int a, b, loop;
        bool conflict;
    } * pairs; /* of accesses */
    int n_pairs, cap_pairs;
    struct poly_crossing {
        int a, b, n, n_fixed, la[3], lb[3], fixed[POLY_MAX_DEPTH];
        bool crosses, share;
    } * crossings; /* of statements */
    int n_crossings, cap_crossings;
    int *crossing_slots, n_crossing_slots; /* hash table of them: index + 1, 0 free */
    int n_symbols; /* while symbolic.c compares two accesses: expressions that have one value there */
    const struct rg_cnode *symbols[POLY_MAX_SYMBOLS];
    struct poly_ends {
        const struct rg_cnode *of[2]; /* the least, the most */
    } * ends;                         /* [var] over parameters, of locals (symbolic.c); NULL: nobody asked yet */
    struct rg_arena ends_arena;
    int n_tests; /* isl emptiness tests so far; beyond POLY_MAX_TESTS everything depends */
    /* the same function with its loops in other orders, by the actions that made them (program.c); scop NULL: illegal,
     * why */
    struct poly_derived {
        char *key;
        struct poly_scop *scop;
        struct rg_reason why;
    } * derived;
    int n_derived, cap_derived;
    const struct rg_ctree *as_written; /* before any first step (steps/first.c); NULL: none were looked for */
    poly_begin_fn *begin;              /* that which looked for them */
    struct poly_scop *plain;           /* before anything was expanded to a place for each iteration; NULL: this one */
    bool opaque_loops;   /* estimates: opaque code with loops counts as as many statements as loops commonly run */
    bool threads_inside; /* estimates: where a grid adds up, each thread goes through inner loops on its own. Else a
                            block shares them, which is what splitting such a loop can bring */
};

/* ---- affine.c ---- */
struct poly_linear rg__poly_linear_of(const struct rg_ctree *t, const struct rg_cnode *e);
void rg__poly_linear_add(struct poly_linear *l, const struct poly_linear *b,
                         int64_t factor); /* l + factor * b, into l */
/* value of a form without variables; false otherwise */
bool rg__poly_linear_const(const struct poly_linear *l, int64_t *out);
bool rg__poly_linear_equal(const struct poly_linear *a, const struct poly_linear *b);
/* Elements that are the same in every iteration, by linear subscripts. */
bool rg__poly_same_element(const struct poly_access *a, const struct poly_access *b);
bool rg__poly_linear_same_terms(const struct poly_linear *a, const struct poly_linear *b);
int64_t rg__poly_linear_coef(const struct poly_linear *l, int var);
/* Over the space of `domain` (statement with loops[]); NULL: not affine for isl. */
isl_pw_aff *rg__poly_aff(const struct poly_scop *s, const int *loops, int depth, isl_space *space,
                         const struct rg_cnode *e);
isl_set *rg__poly_condition(const struct poly_scop *s, const int *loops, int depth, isl_space *space,
                            const struct rg_cnode *e);
/* bounded.c: { points -> values that an expression may have there }, of one that is not affine, yet bounded; NULL: it
 * is not. */
isl_map *rg__poly_bounded(const struct poly_scop *s, const int *loops, int depth, isl_space *space,
                          const struct rg_cnode *e);
/* dom with lower <= the variable of loops[d] < upper in steps of its step (or the mirror image); *exact: as before, and
 * isl can say all of it. */
isl_set *rg__poly_loop_bounds(struct poly_scop *s, const int *loops, isl_space *sp, isl_set *dom, int d, bool *exact);
/* A statement's iterations as far as the loops of keep[] bound them. */
isl_set *rg__poly_domain_over(struct poly_scop *s, int stmt, const int *keep, int n_keep);

enum { POLY_PIECES = 32 }; /* at most, of a loop that is split; node->piece / POLY_PIECES: which one was */
/* ---- tree.c ---- */
struct rg_cnode *rg__poly_block_of(struct rg_arena *a, const struct rg_cnode *const *item, int n,
                                   const struct rg_cnode *at);
/* Do the two loops come of one that a step split? */
bool rg__poly_pieces_of_one(const struct rg_cnode *a, const struct rg_cnode *b);
int rg__poly_loop_of(const struct poly_scop *s, const struct rg_cnode *node); /* id, -1 */
int rg__poly_stmt_of(const struct poly_scop *s, const struct rg_cnode *node); /* id, -1 */
void rg__poly_stmt_add(struct poly_scop *s, int id);                          /* to be found by its node */
bool rg__poly_loop_inside(const struct poly_scop *s, int inner, int outer);   /* inner == outer counts */

/* ---- isl_budget.c ---- */
void rg__poly_isl_begin(struct poly_scop *s); /* a fresh operation budget */
bool rg__poly_time_is_up(void);               /* rg_poly_bound's `until`, or its stop: no further places are tried */
bool rg__poly_isl_ok(struct poly_scop *s);    /* false: quota or error since begin */

/* ---- scop.c ---- */
enum rg_status rg__poly_scop_new(const struct rg_problem *p, const struct rg_ctree *t, struct poly_scop **out,
                                 struct rg_error *err);
void rg__poly_scop_free(struct poly_scop *s);

/* ---- live_scalars.c ---- */
void rg__poly_scalars_analyse(struct poly_scop *s);
/* May every iteration of `loop` have its own copy of scalar `var`? */
bool rg__poly_scalar_private(const struct poly_scop *s, int loop, int var);
/* What a piece of code does to scalars; sets over tree->vars. */
struct poly_effect {
    bool *exposed, *defined, *written, *read; /* read before written there; certainly written; may be written; read */
};
struct poly_effect rg__poly_effect_new(const struct poly_scop *s);
void rg__poly_effect_free(struct poly_effect *e);
void rg__poly_effect_add(const struct poly_scop *s, struct poly_effect *e, const struct rg_cnode *n); /* e, then n */
void rg__poly_effect_then(const struct poly_scop *s, struct poly_effect *a,
                          const struct poly_effect *b); /* a, then b: into a */
void rg__poly_effect_either(const struct poly_scop *s, struct poly_effect *a,
                            const struct poly_effect *b); /* a or b: into a */

/* ---- reduction.c ---- */
void rg__poly_reductions_analyse(struct poly_scop *s);
/* The operator when all accesses to scalar `var` (or array) inside the loop are reductions of one operator. */
enum poly_op rg__poly_reduced(const struct poly_scop *s, int loop, int array, int var);

/* The update a statement-level expression makes, and what it updates. */
enum poly_op rg__poly_statement_op(const struct rg_ctree *t, const struct rg_cnode *e, const struct rg_cnode **target);
bool rg__poly_has_effects(
    const struct rg_cnode *e); /* an assignment in it, or C that is no tree; calls are what they are */
/* The operator when the value e is x combined with what does not read x. */
enum poly_op rg__poly_update_op(const struct rg_ctree *t, const struct rg_cnode *e, const struct rg_cnode *x);

/* ---- argminmax.c ---- */
void rg__poly_selects_analyse(struct poly_scop *s);
int rg__poly_select_of(const struct poly_scop *s, int var); /* the scalar's, -1 */

/* ---- scatter.c: updates that may run in any order, as atomics ---- */
void rg__poly_updates_analyse(struct poly_scop *s);
/* May accesses to one element mean the same memory of it? Not where each is another member, or within another. */
bool rg__poly_members_meet(const struct poly_access *a, const struct poly_access *b);
/* Is all in the loop that writes what `a` may touch, updates of one operator with an atomic form? */
enum poly_op rg__poly_scattered(const struct poly_scop *s, int loop, const int *fixed, int n_fixed,
                                const struct poly_access *a);
/* Could the iterations of `loop` run at once, were its updates atomic? Not where it reduces into one place: that is
 * reduce.block's. *cheap: what they collide on has subscripts that depend on data, or all are stores of one value. */
bool rg__poly_atomic_loop(struct poly_scop *s, int loop, const int *fixed, int n_fixed, bool *cheap);
/* Is it such an update of a member? Beside the loop's sums, of which each has a type and an operator of its own. */
bool rg__poly_scattered_member(const struct poly_scop *s, int loop, const int *fixed, int n_fixed,
                               const struct poly_access *a);
/* Does the array need them there? */
bool rg__poly_needs_atomic(struct poly_scop *s, int loop, const int *fixed, int n_fixed, int array);

/* ---- modular.c ---- */
/* { points of a's statement -> points of b's } that may touch one element of their one array, subscripts e % n
 * included. */
isl_map *rg__poly_common(struct poly_scop *s, const struct poly_access *a, const struct poly_access *b);
/* scop->declared: what a local stands for, in the same iteration. Once over the tree. */
void rg__poly_declared_analyse(struct poly_scop *s);

/* ---- counted_places.c ---- */
/* { iterations -> values of the subscript of `node`, an access } where it is affine but for a counter that conditions
 * bound; NULL: it is none of that form. */
isl_map *rg__poly_counted_place(struct poly_scop *s, const struct poly_stmt *st, const struct rg_cnode *node,
                                const struct rg_cnode *sub);

/* ---- packed.c ---- */
/* The pairs of points whose subscript d is one element of a packed triangle; NULL: it is none of both. */
isl_map *rg__poly_packed(struct poly_scop *s, const struct poly_access *a, const struct poly_access *b, int d);

/* ---- digits.c ---- */
/* The pairs of points whose subscript d, or what it is a part of, is one place in rows of a parameter's length; NULL:
 * it is none of both. */
isl_map *rg__poly_digits(struct poly_scop *s, const struct poly_access *a, const struct poly_access *b, int d);

/* ---- disjoint.c ---- */
/* The pairs of points that subscript d of both does not keep apart, by the conditions around them; NULL: these say
 * nothing. */
isl_map *rg__poly_guarded(const struct poly_scop *s, isl_space *sp, const struct poly_access *a,
                          const struct poly_access *b, int d);

enum { POLY_MAX_CONDITIONS = 24 };
struct poly_conditions { /* that hold where something stands, or do not */
    int n;
    const struct rg_cnode *item[POLY_MAX_CONDITIONS],
        *asked[POLY_MAX_CONDITIONS]; /* what locals of `asked` stand for */
    bool negated[POLY_MAX_CONDITIONS];
};
/* Adds those between n and the node x below it; false: it is not there. */
bool rg__poly_around(const struct poly_scop *s, const struct rg_cnode *n, const struct rg_cnode *x,
                     struct poly_conditions *c);

/* ---- symbolic.c ---- */
/* The pairs of points that subscripts over locals which nothing sets meanwhile do not keep apart; NULL: they have none.
 */
isl_map *rg__poly_symbolic(struct poly_scop *s, isl_space *sp, const struct poly_access *a,
                           const struct poly_access *b);
/* Accesses to one array in one iteration of a loop, over symbols for locals that nothing in the loop sets. begin false:
 * that says no more than the accesses' own maps. Between begin and end, map gives { iterations -> element }: all that
 * may be, or, `certain`, no more than what certainly is; NULL: nobody knows. */
bool rg__poly_symbolic_begin(struct poly_scop *s, int loop, int array);
isl_map *rg__poly_symbolic_map(struct poly_scop *s, int loop, const struct poly_access *a, bool certain);
void rg__poly_symbolic_end(struct poly_scop *s);

/* ---- list_ranges.c ---- */
void rg__poly_rows_analyse(struct poly_scop *s); /* s->rows */
/* The pairs of points at which two accesses may name one element of a list, where counters that begin at an element of
 * an array with `begins`, or loops over rows that are apart, say which; NULL: it is none of both. */
isl_map *rg__poly_list_range(const struct poly_scop *s, isl_space *sp, const struct poly_access *a,
                             const struct poly_access *b);

/* ---- dependences.c ---- */
enum {
    POLY_STRICT,
    POLY_REDUCTIONS, /* self-dependences of associative updates dropped */
    POLY_ATOMICS,    /* of those to array elements that the device has an atomic form for */
    POLY_ONE_ARRAY   /* + array: strict, and of that array alone */
};
/* Do two different iterations of `loop`, equal in the loops of `fixed` (ids, those around `loop`), touch the same
 * element, one of them writing? fixed == NULL: all loops around it. */
struct poly_conflict rg__poly_conflict(struct poly_scop *s, int loop, const int *fixed, int n_fixed, int mode);
/* Do two statements touch the same element at points that differ in one of the paired loops (n pairs la[d], lb[d])?
 * *share: they touch a common element at all, one of them writing. Host loops in fixed[] are at one iteration. */
bool rg__poly_crosses(struct poly_scop *s, int stmt_a, int stmt_b, const int *la, const int *lb, int n,
                      const int *fixed, int n_fixed, bool *share);
/* Does an instance of the textually later statement b run before one of a, in an earlier iteration of `loop` (the same
 * of those around it), on a common element? Then the loop can't be split between them. */
bool rg__poly_backward(struct poly_scop *s, int stmt_a, int stmt_b, int loop);
/* Does an instance depend on one that is earlier in `outer` and later in `inner`, the loop right inside it? Then the
 * two can't change places. */
struct poly_conflict rg__poly_turned(struct poly_scop *s, int outer, int inner);
bool rg__poly_parallel(struct poly_scop *s, int loop, const int *fixed, int n_fixed);
/* Do two accesses (by number) touch a common element in different iterations of `loop`, the loops around it standing
 * still? */
bool rg__poly_pair_conflict(struct poly_scop *s, int a, int b, int loop);
/* Does the element exist wherever the loops of keep[] (n_keep ids) are in their bounds? */
bool rg__poly_in_bounds(struct poly_scop *s, const struct poly_access *a, const int *keep, int n_keep);
/* May points that differ in a loop (loop_a around a's statement, loop_b around b's) and not in those of fixed[] touch
 * one element, if a did so wherever the loops of keep[] are in their bounds, whatever the conditions say? hull_of_b: b
 * too. */
bool rg__poly_hulls_meet(struct poly_scop *s, const struct poly_access *a, const struct poly_access *b, bool hull_of_b,
                         const int *keep, int n_keep, int loop_a, int loop_b, const int *fixed, int n_fixed);
/* Does the loop, around that statement, have an iteration at every point of the loops `keep`? Those are around it. */
bool rg__poly_surely_runs(struct poly_scop *s, int stmt, int loop, const int *keep, int n_keep);
/* Why nothing is parallel: the dependences of the outermost loops. */
void rg__poly_refusal(struct poly_scop *s, struct rg_reason *why);
/* One sentence. */
void rg__poly_conflict_text(struct poly_scop *s, int loop, const struct poly_conflict *c, char *out, size_t size);
const char *rg__poly_op_name(enum poly_op op);
#endif
