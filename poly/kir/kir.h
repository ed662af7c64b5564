/* Kernel IR: one kernel as a typed tree, the same for every target. A step builds it (rg__kir_* below), the verifier
 * refuses what would race, hang or not fit (verify.c), passes make it shorter (simplify.c), and printers write it down
 * and decide nothing (cuda/kir_*.c, pseudo.c).
 *
 * Threads are loops. A kernel's body is a nest of grid, cluster and block loops, each at most once and outermost,
 * around what one thread runs; a loop over `block.x` with extent 128 says that there are 128 threads along x, and its
 * variable is the thread's place among them. Everything below is each thread's code, run by all of them side by side;
 * BARRIER keeps them together. A `lane` loop numbers the threads of a group of neighbours in a warp and runs its body
 * once in each thread, too.
 *
 * A tree is built for one vector of tunables, so that sizes are numbers: extents of block loops, of shared and of
 * register buffers are constants when the verifier sees them, and CONSTANT symbols only give such numbers a name. */
#ifndef RG_POLY_KIR_H
#define RG_POLY_KIR_H
#include <rg/arena.h>
#include <rg/buf.h>
#include <rg/ctree.h>
#include <rg/scalar.h>
#include <stdbool.h>
#include <stdint.h>

enum { KIR_MAX_DIMS = 8, KIR_MAX_ARGUMENTS = 8, KIR_MAX_NEST = 32 };

/* Who shares something, from one thread to all: what a barrier waits for, where an atomic is one, over which threads a
 * value is the same. The order counts. */
/* LANES: those that a lane loop numbers. */
enum kir_scope { KIR_THREAD, KIR_LANES, KIR_WARP, KIR_BLOCK, KIR_CLUSTER, KIR_GRID };

/* ---- symbols: everything that has a name ---- */
enum kir_symbol_kind {
    KIR_PARAM,    /* a scalar that the launch passes by value; never written */
    KIR_BUFFER,   /* elements in some memory: struct kir_symbol's space, dims */
    KIR_CONSTANT, /* a number known when the kernel is built: a tunable's value */
    KIR_INDEX,    /* a loop's variable; has a value in its body alone */
    KIR_VALUE,    /* what a LET names: never written again; lives to the end of the SEQ that the LET stands in */
    KIR_SCALAR    /* a variable of the thread: VAR declares it for the rest of its SEQ, ASSIGN writes it */
};

enum kir_space {
    KIR_GLOBAL,   /* an argument of the launch; dims[0] may be NULL: not known and not needed */
    KIR_SHARED,   /* the block's (with shared_by KIR_WARP: a part for each warp) */
    KIR_REGISTER, /* the thread's, subscripts known once unrolled loops are: the verifier asks for it */
    KIR_LOCAL,    /* the thread's, with subscripts of any kind */
    KIR_TABLE,    /* a file-scope constant table, which device code has under its own name */
    KIR_FRAGMENT /* matrix fragments that a warp holds together, each an element; one more subscript than dims names one
                    of the values that this lane holds of it */
};

/* What a fragment is of, D = A B + C, with rows x columns of D and `depth` in between. */
enum kir_role { KIR_MATRIX_A, KIR_MATRIX_B, KIR_ACCUMULATOR };
struct kir_fragment {
    enum kir_role role;
    int rows, columns, depth;
    bool by_columns; /* how memory holds A or B: column after column */
    bool tf32;       /* A, B of float: 10 bits of mantissa count */
};

struct kir_symbol {
    enum kir_symbol_kind kind;
    const char *name;    /* the kernel's own: unique in it */
    enum rg_scalar type; /* of the value, or of a buffer's elements */
    const char *c_type;  /* RG_STRUCT: what the user's file calls it. Only QUOTED and OPAQUE code names such elements */
    int64_t value;       /* CONSTANT */
    /* PARAM and GLOBAL buffers: what the plan calls it there (a parameter, a buffer, a host loop's variable); NULL: its
     * own name. The launch passes those that the tree names: first those with a place, in their order. */
    const char *pass;
    int place;
    struct kir_node *from; /* PARAM: what the launch passes instead, over parameters; NULL */
    bool positive;         /* PARAM: at least 1 wherever the kernel is launched */
    /* BUFFER */
    enum kir_space space;
    enum kir_scope shared_by; /* SHARED: KIR_BLOCK; KIR_WARP: the first subscript is the warp's number, the same in all
                                 of its lanes, and nobody else touches that part */
    int n_dims;
    /* Extents, over parameters and constants; REGISTER: constants; SHARED: constants, but the first one may be over
     * parameters where the kernel says which sizes fit */
    struct kir_node *dims[KIR_MAX_DIMS];
    int pad;      /* SHARED: elements behind each row of the last dimension, so that columns spread over banks */
    int stages;   /* SHARED, filled by asynchronous copies: how many of them dims[0] counts; 0 */
    bool written; /* GLOBAL: the kernel may write it (set by rg__kir_finish) */
    bool input;   /* GLOBAL: nothing writes it, even where code of the user's might by what is known of it */
    bool alone;   /* GLOBAL: nothing else in the launch points to its elements (`restrict`) */
    bool cached;  /* GLOBAL: nothing writes it while the kernel runs, and its values come through the read-only cache */
    bool inside;  /* REGISTER, LOCAL: a VAR declares it in the code; false: it lives as long as the thread. GLOBAL: it
                     is a part of the buffer that its VAR names */
    /* GLOBAL: between what a thread of that scope writes there and what another one reads there is a barrier of it, so
     * that all of them read one value; THREAD: nothing is known. The builder sees to it */
    enum kir_scope ordered;
    struct kir_node *apart;   /* GLOBAL, inside: its elements are so many of the buffer's apart; NULL: neighbours */
    struct kir_node *scratch; /* GLOBAL: the plan has it for the launch, of so many elements; NULL: it exists */
    bool several; /* GLOBAL with scratch: other launches of the plan may have it, too, of so many of theirs */
    int align;    /* GLOBAL: its first element's address is a multiple of so many bytes; 0: the element's own size */
    struct kir_fragment fragment;
};

/* ---- nodes ---- */
enum kir_kind {
    /* Expressions: their kids are expressions; `type` is the value's. Comparisons and logic are int, 0 or 1. */
    KIR_INT,     /* ivalue */
    KIR_REAL,    /* rvalue */
    KIR_NAME,    /* the value of a PARAM, CONSTANT, INDEX, VALUE or SCALAR symbol */
    KIR_ELEMENT, /* the value of an element of the buffer: kids are its subscripts, row-major, as many as dims. As the
                    first kid of STORE, COPY and ATOMIC: its place. `peer`: one more kid, the number of the block in the
                    cluster whose shared buffer it is */
    KIR_UNARY,   /* op: NEG, NOT, COMPL */
    KIR_BINARY,  /* op: arithmetic, shifts, bits, relations; && and || may leave the right side out. / and % of C */
    KIR_SELECT,  /* kid[0] ? kid[1] : kid[2]; the other one is not evaluated */
    KIR_MIN,     /* of two: the first where it is smaller, else the second, as in `a < b ? a : b` */
    KIR_MAX,     /* the first where it is larger, else the second */
    KIR_CAST,    /* to `type`, as C converts */
    KIR_CALL,    /* a function whose value depends on its arguments alone: text is its name in the tree, the device
                    library's or (helper) one of the user's file */
    KIR_ALIGNED, /* are the addresses of the ELEMENTs kid[], of GLOBAL buffers, all multiples of ivalue bytes? */
    KIR_SHUFFLE, /* kid[0] as another lane of the group of `width` has it, by how and kid[1]; all lanes take part */
    KIR_EXTENT,  /* how many iterations the grid loop of that kind (loop) has: int */
    KIR_QUOTED,  /* tree: an expression of the user's that has no other form here (members of structures) and writes
                    nothing; kids are what its references quoted[] are: elements, names */
    /* Statements */
    KIR_SEQ, /* kids in order */
    KIR_FOR, /* INDEX symbol from kid[0] while < kid[1] by kid[2] > 0, or while > kid[1] by a number kid[2] < 0: kid[3];
                loop says how. Bounds are evaluated once. A step of 32 bits without sign may wrap where the index has
                a sign: the compiler does not count the trips then. All but serial and unrolled start at 0 and go by 1;
                see enum kir_loop */
    KIR_WHILE,  /* while kid[0]: kid[1] (a thread that waits for others); ivalue > 0: written out so often */
    KIR_IF,     /* kid[0] condition, kid[1] then, kid[2] else or NULL. Whether it is uniform is found, not claimed
                   (rg__kir_varies). ivalue: it ends a loop's body, has no else, and once its condition does not hold it
                   will in no later iteration: the loop may end there */
    KIR_LET,    /* VALUE symbol = kid[0] */
    KIR_VAR,    /* SCALAR symbol is declared; with kid[0], and has that value. Of a BUFFER symbol: elements of the
                   thread's that live to the end of the SEQ; with kid[0], a QUOTED list, and have those values. Of a
                   GLOBAL one: those of another from the ELEMENT kid[0] on, with kid[1] so many apart */
    KIR_ASSIGN, /* SCALAR symbol = kid[0] */
    KIR_STORE,  /* kid[0] an ELEMENT: its place = kid[1] */
    KIR_COPY, /* `width` neighbours from the element kid[1] on (last subscript) to those from kid[0] on, as one access:
                 both places are multiples of width elements. async: global to shared, done when a WAIT says so */
    KIR_COMMIT,  /* this thread's asynchronous copies since the last COMMIT are a group */
    KIR_WAIT,    /* until at most ivalue of this thread's latest groups are still on their way */
    KIR_BARRIER, /* all threads of the scope have come here and see what they wrote before */
    KIR_FENCE,   /* what this thread wrote before is seen, in the scope, before what it writes behind */
    KIR_ATOMIC,  /* on the place kid[0] with kid[1] (and kid[2]), one thread of the scope after the other: enum
                    kir_atomic; a SCALAR symbol gets what was there before, -1: nobody wants it (UPDATE: see there). The
                    place may be a QUOTED member of a GLOBAL element, too */
    KIR_MATRIX,  /* on fragments, by all lanes of a warp: enum kir_matrix */
    KIR_LEAVE,   /* enum kir_leave: nothing behind it is run */
    KIR_PHASE, /* another kernel's code (phase), a block's, as block kid[0] of kid[1] of a launch of its own. The other
                  kids are what it is given, in order: NAMEs, and ELEMENTs without subscripts for buffers. What phases
                  write is read behind a barrier of the grid: who builds the kernel sees to that */
    KIR_SORT, /* a block's part of a merge sort, in which its threads meet: enum kir_sort. The order is that of the CALL
                 `tree` (ir/ctree_sort.h), whose other arguments are named by `names` */
    KIR_OPAQUE /* tree: code of the user's that has no other form here, with names by `names`; it may read and write
                  whatever it mentions */
};

enum kir_loop {
    KIR_SERIAL,
    KIR_UNROLLED, /* serial, written out: bounds are constants. ivalue of the node > 0: only so many at a time */
    KIR_GRID_X,
    KIR_GRID_Y,
    KIR_GRID_Z,    /* blocks; the extent, over parameters and constants, is the launch's. One runs even where it is 0 */
    KIR_CLUSTER_X, /* blocks of a cluster along x, around which grid.x counts clusters: constant, at most 8 */
    KIR_BLOCK_X,
    KIR_BLOCK_Y,
    KIR_BLOCK_Z, /* threads of a block; constant */
    KIR_LANE     /* threads of a group of 2, 4 ... 32 neighbours along block.x, whose extent is a multiple of it */
};

enum kir_shuffle {                   /* which lane of the group, for each */
                   KIR_SHUFFLE_XOR,  /* its own ^ kid[1] */
                   KIR_SHUFFLE_UP,   /* its own - kid[1]; itself where there is none */
                   KIR_SHUFFLE_DOWN, /* its own + kid[1]; itself where there is none */
                   KIR_SHUFFLE_FROM  /* kid[1] */
};
enum kir_atomic {
    KIR_ATOMIC_ADD,
    KIR_ATOMIC_MIN,
    KIR_ATOMIC_MAX,
    KIR_ATOMIC_AND,
    KIR_ATOMIC_OR,
    KIR_ATOMIC_XOR,
    KIR_ATOMIC_EXCHANGE,
    KIR_ATOMIC_REPLACE, /* kid[2] where kid[1] stands there */
    KIR_ATOMIC_READ,    /* what another thread may be writing; no kid[1] */
    KIR_ATOMIC_WRITE,   /* where another thread may be reading */
    KIR_ATOMIC_UPDATE   /* kid[1], over the VALUE symbol, which is what stands there: tried until nobody came in
                           between. ivalue: it moves one way alone, so that what changes nothing now never will */
};
enum kir_matrix {
    KIR_MATRIX_FILL, /* kid[0] fragment; all its values = kid[1] */
    KIR_MATRIX_LOAD, /* kid[0] fragment; from the element kid[1] on, rows (by_columns: columns) kid[2] elements apart */
    KIR_MATRIX_STORE,    /* kid[0] fragment; to the element kid[1] on, rows kid[2] elements apart */
    KIR_MATRIX_MULTIPLY, /* kid[0] = kid[1] kid[2] + kid[3], fragments of those roles */
    KIR_MATRIX_ROUND     /* kid[0], a tf32 fragment: its values rounded to what the multiplication takes */
};

enum kir_leave {
    KIR_BREAK,    /* the innermost loop around, serial, unrolled or a WHILE, is over */
    KIR_CONTINUE, /* its iteration is */
    KIR_RETURN    /* the thread's code is */
};

struct kir_phase {
    const char *name;         /* of the kernel */
    bool block, grid, thread; /* is it told its place in its launch, the launch's extent, its place in the block? */
    bool meets;               /* its threads meet */
    int64_t threads[3];       /* of a block, along each axis */
    const bool *written;      /* [argument] a buffer that it writes */
};

/* A tile has as many elements as the SHARED symbol, `width` a thread; kid[0] is the first element of what is sorted,
 * kid[1] how many there are, kid[2] the tile. What the order refers to comes last. */
enum kir_sort {
    KIR_SORT_TILE, /* sorts the tile where it stands */
    KIR_SORT_OWN,  /* the thread sorts all of kid[1] elements from kid[0] on: no tile, nobody meets */
    KIR_SORT_MERGE /* the tile of the merge of each two runs of kid[4] elements from the element kid[3] on, to kid[0] */
};

struct kir_node {
    enum kir_kind kind;
    enum rg_scalar type; /* expressions */
    enum rg_c_op op;     /* UNARY, BINARY */
    union {
        enum kir_loop loop;
        enum kir_shuffle how;
        enum kir_atomic atomic;
        enum kir_matrix matrix;
        enum kir_sort sort;
        enum kir_leave leave;
    };
    enum kir_scope scope; /* BARRIER, FENCE, ATOMIC */
    int symbol;           /* into the kernel's symbols; -1 */
    int width;            /* SHUFFLE: lanes of a group; COPY: elements */
    bool async, peer, helper;
    int64_t ivalue;
    double rvalue;
    const char *text;            /* CALL */
    const struct rg_cnode *tree; /* OPAQUE, QUOTED */
    struct kir_names *names;
    const struct kir_phase *phase;  /* PHASE */
    const struct rg_cnode **quoted; /* QUOTED, OPAQUE: nodes of the tree, one for each kid; SORT: for the last kids */
    const char *note;               /* a comment in front of a statement, for people; NULL */
    int line;                       /* in the user's file; 0 */
    int n;
    struct kir_node **kid;
};

/* Where a kernel stands in memory: all of it, its arena's. */
struct kir_kernel {
    struct rg_arena *arena;
    const struct rg_ctree *tree; /* whose names it may not use for anything else; NULL: none */
    const char *name;
    int n_symbols, cap_symbols;
    struct kir_symbol *symbols;
    struct kir_node *body;
    int min_blocks;        /* a multiprocessor should hold so many blocks; 0: no matter */
    bool resident;         /* its blocks run side by side, so that the grid can meet */
    bool any_block;        /* so few threads that a block fits whatever it takes: the compiler need not know how many */
    struct kir_node *fits; /* over parameters: the launch is right only where it holds; NULL: always */
    const char *heading;   /* what it does, for people; NULL */
};

/* A refusal: which node, where it stands in the user's file, one sentence. */
struct kir_refusal {
    const struct kir_node *node; /* NULL: the kernel as a whole */
    int line;                    /* 0: none is known */
    char text[320];
};

/* ---- build.c: symbols and nodes. What can be computed is: rg__kir_binary of two numbers is a number, x + 0 is x ----
 */
struct kir_kernel *rg__kir_kernel_new(struct rg_arena *a, const struct rg_ctree *t, const char *name);
/* Each returns the symbol. The name is made unique, unlike any of the tree's too, but where `as` says that it stands
 * for the tree's. */
int rg__kir_param(struct kir_kernel *k, const char *name, enum rg_scalar type);
int rg__kir_constant(struct kir_kernel *k, const char *name, int64_t value);
int rg__kir_index(struct kir_kernel *k, const char *name, enum rg_scalar type);
int rg__kir_value(struct kir_kernel *k, const char *name, enum rg_scalar type);
int rg__kir_scalar(struct kir_kernel *k, const char *name, enum rg_scalar type);
int rg__kir_buffer(struct kir_kernel *k, const char *name, enum kir_space space, enum rg_scalar type, int n_dims,
                   struct kir_node *const *dims);
/* A symbol of that kind under exactly that name: what the tree's variable or array is in the kernel. */
int rg__kir_symbol_as(struct kir_kernel *k, enum kir_symbol_kind kind, const char *name, enum rg_scalar type);

struct kir_node *rg__kir_int(struct kir_kernel *k, int64_t v); /* int; long long where it must be */
struct kir_node *rg__kir_real(struct kir_kernel *k, double v, enum rg_scalar type);
struct kir_node *rg__kir_name(struct kir_kernel *k, int symbol);
struct kir_node *rg__kir_element(struct kir_kernel *k, int buffer, int n, struct kir_node *const *subs);
/* The same with the subscripts as arguments, as many as n. */
struct kir_node *rg__kir_at(struct kir_kernel *k, int buffer, int n, ...);
struct kir_node *rg__kir_peer(struct kir_kernel *k, struct kir_node *element, struct kir_node *block);
struct kir_node *rg__kir_unary(struct kir_kernel *k, enum rg_c_op op, struct kir_node *a);
/* Of the type that C gives it; an operand of another type is converted first. */
struct kir_node *rg__kir_binary(struct kir_kernel *k, enum rg_c_op op, struct kir_node *a, struct kir_node *b);
struct kir_node *rg__kir_add(struct kir_kernel *k, struct kir_node *a, struct kir_node *b);
struct kir_node *rg__kir_sub(struct kir_kernel *k, struct kir_node *a, struct kir_node *b);
struct kir_node *rg__kir_mul(struct kir_kernel *k, struct kir_node *a, struct kir_node *b);
struct kir_node *rg__kir_div(struct kir_kernel *k, struct kir_node *a, struct kir_node *b);
struct kir_node *rg__kir_rem(struct kir_kernel *k, struct kir_node *a, struct kir_node *b);
struct kir_node *rg__kir_less(struct kir_kernel *k, struct kir_node *a, struct kir_node *b); /* a < b */
struct kir_node *rg__kir_and(struct kir_kernel *k, struct kir_node *a,
                             struct kir_node *b);                                       /* a && b; NULL: the other */
struct kir_node *rg__kir_ceil_div(struct kir_kernel *k, struct kir_node *a, int64_t b); /* of a >= 0 */
struct kir_node *rg__kir_min(struct kir_kernel *k, struct kir_node *a, struct kir_node *b);
struct kir_node *rg__kir_max(struct kir_kernel *k, struct kir_node *a, struct kir_node *b);
struct kir_node *rg__kir_select(struct kir_kernel *k, struct kir_node *c, struct kir_node *a, struct kir_node *b);
struct kir_node *rg__kir_cast(struct kir_kernel *k, enum rg_scalar type, struct kir_node *a);
struct kir_node *rg__kir_call(struct kir_kernel *k, const char *function, enum rg_scalar type, int n,
                              struct kir_node *const *arguments);
struct kir_node *rg__kir_aligned(struct kir_kernel *k, int n, struct kir_node *const *elements, int64_t bytes);
struct kir_node *rg__kir_extent(struct kir_kernel *k, enum kir_loop loop); /* of grid.x, .y, .z */
struct kir_node *rg__kir_shuffle(struct kir_kernel *k, enum kir_shuffle how, int width, struct kir_node *value,
                                 struct kir_node *lane);

struct kir_node *rg__kir_seq(struct kir_kernel *k);
void rg__kir_add_to(struct kir_kernel *k, struct kir_node *seq,
                    struct kir_node *statement); /* NULL: nothing; a SEQ: it */
void rg__kir_add_scope(struct kir_kernel *k, struct kir_node *seq, struct kir_node *statement); /* a SEQ stays one */
/* A loop by 1 from 0, or from `first` by `step`; its body is an empty SEQ, rg__kir_body(). */
struct kir_node *rg__kir_for(struct kir_kernel *k, enum kir_loop loop, int index, struct kir_node *extent);
struct kir_node *rg__kir_for_range(struct kir_kernel *k, enum kir_loop loop, int index, struct kir_node *first,
                                   struct kir_node *end, struct kir_node *step);
struct kir_node *rg__kir_while(struct kir_kernel *k, struct kir_node *condition);
struct kir_node *rg__kir_if(struct kir_kernel *k, struct kir_node *condition); /* then: rg__kir_body() */
struct kir_node *rg__kir_else(struct kir_kernel *k,
                              struct kir_node *branch);    /* its else, an empty SEQ the first time */
struct kir_node *rg__kir_body(struct kir_node *statement); /* of FOR, WHILE, IF: the SEQ */
struct kir_node *rg__kir_let(struct kir_kernel *k, int symbol, struct kir_node *value);
struct kir_node *rg__kir_var(struct kir_kernel *k, int symbol, struct kir_node *value); /* value NULL: none yet */
struct kir_node *rg__kir_own_buffer(struct kir_kernel *k, int symbol); /* VAR of a REGISTER or LOCAL one */
struct kir_node *rg__kir_assign(struct kir_kernel *k, int symbol, struct kir_node *value);
struct kir_node *rg__kir_store(struct kir_kernel *k, struct kir_node *element, struct kir_node *value);
struct kir_node *rg__kir_copy(struct kir_kernel *k, struct kir_node *to, struct kir_node *from, int width, bool async);
struct kir_node *rg__kir_commit(struct kir_kernel *k);
struct kir_node *rg__kir_wait(struct kir_kernel *k, int groups);
struct kir_node *rg__kir_barrier(struct kir_kernel *k, enum kir_scope scope);
struct kir_node *rg__kir_fence(struct kir_kernel *k, enum kir_scope scope);
struct kir_node *rg__kir_atomic(struct kir_kernel *k, enum kir_atomic atomic, enum kir_scope scope,
                                struct kir_node *element, struct kir_node *value, struct kir_node *other, int old);
/* Element = value, over the VALUE symbol `old`. */
struct kir_node *rg__kir_update(struct kir_kernel *k, enum kir_scope scope, struct kir_node *element, int old,
                                struct kir_node *value, bool one_way);
struct kir_node *rg__kir_matrix(struct kir_kernel *k, enum kir_matrix what, int n, struct kir_node *const *kids);
struct kir_node *rg__kir_leave(struct kir_kernel *k, enum kir_leave how);
struct kir_node *rg__kir_note(struct kir_node *statement, const char *note); /* the statement, with the comment */

/* ---- tree.c ---- */
bool rg__kir_is_expression(enum kir_kind kind);
struct kir_node *rg__kir_node(struct kir_kernel *k, enum kir_kind kind, int n); /* kids not set yet */
const char *rg__kir_kind_word(enum kir_kind kind);
const char *rg__kir_loop_word(enum kir_loop loop); /* "grid.x" */
const char *rg__kir_space_word(enum kir_space space);
const char *rg__kir_scope_word(enum kir_scope scope);
const char *rg__kir_type_word(const struct kir_symbol *s); /* as C++ has it */
bool rg__kir_is_thread_loop(enum kir_loop loop);           /* none of serial, unrolled: each thread has one value */
/* Pre-order; fn false: not deeper. */
void rg__kir_walk(const struct kir_node *n, bool (*fn)(void *arg, const struct kir_node *n), void *arg);
/* Bottom-up: what fn makes of a node whose kids are rewritten already; the node itself: as it is. NULL of a statement:
 * it goes away. Nodes are shared, never changed in place. */
typedef struct kir_node *kir_rewrite_fn(void *arg, struct kir_kernel *k, struct kir_node *n);
struct kir_node *rg__kir_rewrite(struct kir_kernel *k, struct kir_node *n, kir_rewrite_fn *fn, void *arg);
struct kir_node *rg__kir_copy_node(struct kir_kernel *k,
                                   const struct kir_node *n); /* over the same kids, a list of its own */
bool rg__kir_equal(const struct kir_node *a,
                   const struct kir_node *b);    /* the same code, whatever its notes and lines */
uint64_t rg__kir_hash(const struct kir_node *n); /* equal trees have equal ones */
bool rg__kir_mentions(const struct kir_node *n, int symbol);
/* The statement with the symbol's value in its place everywhere. */
struct kir_node *rg__kir_replace(struct kir_kernel *k, struct kir_node *n, int symbol, struct kir_node *by);
bool rg__kir_holds(enum rg_scalar type, int64_t v); /* is it a value of that integer type? */
bool rg__kir_number(const struct kir_kernel *k, const struct kir_node *n,
                    int64_t *v); /* its value, where it is known */
const struct kir_node *rg__kir_loop_of(const struct kir_kernel *k,
                                       enum kir_loop loop); /* the one of that kind; NULL none */
/* [symbol] does the threads' code name it? The launch alone names what only the grid's extents are over. The caller
 * frees it. */
bool *rg__kir_used(const struct kir_kernel *k);
/* The kernel's arguments, in order; count. The caller frees the list. */
int rg__kir_arguments(const struct kir_kernel *k, int **symbols);
int rg__kir_sort_operands(enum kir_sort what); /* its first kids; the others are references of the order's arguments */
bool rg__kir_quotes(const struct kir_node *n); /* OPAQUE, SORT: has code of the user's, by `names` */
bool rg__kir_has_opaque(const struct kir_node *n); /* anywhere below; n may be NULL */
/* Is the loop that the statement is the body of left from inside, by a LEAVE, or the whole thread's code (always with
 * `inner`, as of a loop inside)? By what each thread that goes on, or does not, is told: `by`, with each such value. */
bool rg__kir_left(const struct kir_node *n, bool inner, void (*by)(void *arg, const struct kir_node *value), void *arg);
/* The buffer that an ATOMIC's place is in. */
int rg__kir_buffer_at(const struct kir_node *place);
/* Over which threads the value may differ between two of them: KIR_THREAD: any two; KIR_LANES: not in a group of a
 * lane loop; KIR_WARP: not in a warp, but in a block; KIR_BLOCK: from block to block; KIR_GRID: nowhere. Of what stands
 * at that place of a finished kernel. */
enum kir_scope rg__kir_varies(const struct kir_kernel *k, const struct kir_node *n);

/* ---- convert*.c: the canonical C's expressions and statements, in the words of a kernel ---- */
struct kir_names {
    struct kir_kernel *k;
    const struct rg_ctree *t;
    struct kir_node **var;     /* [tree's variable] what it is here; NULL: not asked for yet */
    int *buffer;               /* [tree's array] its symbol; -1: not asked for yet */
    bool *elsewhere;           /* [tree's array] one of the program's buffers: its declaration declares nothing */
    bool *undeclared;          /* [tree's variable] a local scalar that was met without a declaration */
    bool *outer;               /* [tree's variable] bound to what lives longer: a declaration is an assignment */
    bool returns;              /* the function's end is that of the thread's code */
    bool alone;                /* one thread: no update is atomic, and no element anywhere but in its array */
    struct kir_node *front;    /* where an expression's assignments go, in front of its value; NULL: it may have none */
    struct kir_around *around; /* the innermost loop that is converted whole; NULL */
    /* An element the step has elsewhere: in a shared tile, a register. subs are converted. NULL: it is the buffer's
     * own. Asked for places too, which must give an ELEMENT or (a scalar) a NAME. NULL function: none is. */
    struct kir_node *(*element)(void *arg, struct kir_names *names, const struct rg_cnode *index,
                                struct kir_node *const *subs);
    /* What the step makes of an assignment or an increment: atomics. NULL: what C says, or, with `why` set, nothing can
     * be made of it. NULL function: all are plain. */
    struct kir_node *(*assign)(void *arg, struct kir_names *names, const struct rg_cnode *e);
    bool *as_is; /* [tree's variable] bound to a scalar that may hold more: its own value counts */
    /* A name for an expression, as for what stands for a variable of the file's loops (value_of). NULL: it is what C
     * says. */
    struct kir_node *(*value)(void *arg, struct kir_names *names, const struct rg_cnode *e);
    void *arg;
    char why[256]; /* what could not be said, after a NULL */
    int line;      /* of the statement that it stands in; 0: of none */
};
/* Names unbound get what they are in the C when they are first met: a parameter a PARAM, an array parameter a GLOBAL
 * buffer with its extents, a table a TABLE, a local scalar a SCALAR, a local array a LOCAL buffer. A declaration of a
 * scalar makes it a new SCALAR wherever it is converted, so that a statement may be converted several times. Loop
 * variables must be bound, but for those of loops that are converted whole. */
struct kir_names *rg__kir_names_new(struct kir_kernel *k, const struct rg_ctree *t);
/* A new symbol (INDEX, VALUE, SCALAR) for the tree's variable: under its name the first time. */
int rg__kir_symbol_of(struct kir_names *names, enum kir_symbol_kind kind, int var, enum rg_scalar type);
void rg__kir_bind(struct kir_names *names, int var, struct kir_node *value);
int rg__kir_buffer_of(struct kir_names *names, int array);                                /* -1: why */
struct kir_node *rg__kir_place_of(struct kir_names *names, const struct rg_cnode *index); /* an element, of any type */
struct kir_node *rg__kir_of(struct kir_names *names, const struct rg_cnode *e);           /* an expression; NULL: why */
/* A statement: blocks, conditions, loops of all kinds with their jumps, declarations, expressions. What its expressions
 * do besides having a value comes in front of it; the smallest part that has no other form becomes OPAQUE. NULL: why.
 */
struct kir_node *rg__kir_statement(struct kir_names *names, const struct rg_cnode *n);
/* In the order of `call`, over names as they are bound now; kids: as many as the kind has. NULL: why. */
struct kir_node *rg__kir_sort(struct kir_names *names, enum kir_sort what, int shared, int width,
                              struct kir_node *const *kids, const struct rg_cnode *call);
struct kir_node *rg__kir_of_extent(struct kir_names *names, const struct rg_expr *e); /* over parameters; NULL: why */
/* VAR statements, to go in front of what was converted, of scalars met without a declaration. */
void rg__kir_declare(struct kir_names *names, struct kir_node *seq);

/* ---- simplify.c: passes. Each gives a tree that does the same ---- */
struct kir_node *rg__kir_simplify(struct kir_kernel *k,
                                  struct kir_node *n); /* numbers computed, arms that cannot run gone */
struct kir_node *rg__kir_drop_lets(struct kir_kernel *k,
                                   struct kir_node *n); /* names that nothing uses, empty statements */
struct kir_node *rg__kir_hoist(struct kir_kernel *k,
                               struct kir_node *n); /* LETs to the outermost loop that they vary in */
/* The body where the condition holds: it is asked for nowhere. */
struct kir_node *rg__kir_where_holds(struct kir_kernel *k, struct kir_node *condition, struct kir_node *body);
/* `if (all) body without the condition; else body`: where `all` holds, so does `each` wherever it stands as a
 * condition. */
struct kir_node *rg__kir_full_and_guarded(struct kir_kernel *k, struct kir_node *all, struct kir_node *each,
                                          struct kir_node *body);

/* ---- finish.c ---- */
/* All of them on the kernel, then what is written and passed is marked. Before it is verified. */
void rg__kir_finish(struct kir_kernel *k);

/* ---- integer_extremes.c ---- */
/* Choices of the smaller or larger of two integers become KIR_MIN and KIR_MAX. */
struct kir_node *rg__kir_integer_extremes(struct kir_kernel *k, struct kir_node *n);

/* ---- chosen_loads.c ---- */
/* Buffers that are not written lose `alone` where the compiler may make one load of theirs and another's that is. */
void rg__kir_chosen_loads(struct kir_kernel *k);

/* ---- verify.c ---- */
/* What a launch has without asking for more. */
enum { KIR_STATIC_SHARED_BYTES = 48 * 1024 };
enum {
    KIR_MAX_THREADS = 1024,
    KIR_MAX_RESIDENT = 2048,
    KIR_SHARED_BYTES = 227 * 1024,
    KIR_MAX_REGISTER_BYTES = 1000,
    KIR_MAX_CLUSTER = 8
};
/* The rules:
 * - names: a name has a value where it is used: it is a parameter or constant, or its LET, VAR or loop stands around or
 *   in front; a SCALAR is set somewhere in front of its use; only SCALARs are assigned
 * - types: subscripts and bounds are integers; what is stored has the place's type; as many subscripts as the buffer
 * has dims; only GLOBAL, SHARED, REGISTER, LOCAL are written
 * - loops: each grid, cluster, block and lane loop once, from 0 by 1, in that order, inside no other statement; extents
 * of all but the grid's are constants; no step of 0
 * - barriers: a barrier, a shuffle or a matrix operation stands under no condition and in no loop that differs between
 *   threads of its scope: a shuffle's is the warp, or the lanes that a lane loop numbers, where it is among those alone
 * - shared: two accesses of a shared buffer, one of them a write, have a barrier of those who share it between them,
 *   unless they are atomics both, or of different elements by a subscript that says so, or of an element that is this
 *   thread's alone by its subscripts, or in ranges apart by the thread's place (`part[tx]` and `part[tx + 64]` where
 *   tx < 64); some write comes before every read; threads that write one element write one
 * value. A loop's end stands in front of its start, too
 * - copies: an asynchronous copy is a write once a WAIT has waited for it; until then its buffer is read only if it has
 *   more stages than there are groups on their way
 * - bounds: subscripts of REGISTER buffers are known once loops are unrolled; no subscript of a SHARED or REGISTER
 * buffer is certainly out of its extent
 * - launch: threads, shared memory, a thread's registers, a cluster's blocks within the limits above
 * false: the first that does not hold. */
bool rg__kir_verify(const struct kir_kernel *k, struct kir_refusal *why);
int64_t rg__kir_shared_bytes(const struct kir_kernel *k); /* of a block, in buffers of known extents */
/* Of all of a block's shared buffers, over parameters; NULL: they are known, and no more than any launch has. */
struct kir_node *rg__kir_shared_asked(struct kir_kernel *k);
/* Where a buffer begins in what is asked for, in bytes; its extent may be over parameters. */
struct kir_node *rg__kir_shared_place(struct kir_kernel *k, int symbol);
int64_t rg__kir_buffer_bytes(const struct kir_kernel *k, int symbol); /* SHARED, REGISTER: a multiple of 16 */
int64_t rg__kir_threads(const struct kir_kernel *k);                  /* of a block */

/* ---- pseudo.c ---- */
/* The kernel as an expert or a model reads it: loops with their kinds, buffers with their spaces. */
void rg__kir_pseudo(const struct kir_kernel *k, struct rg_buf *out);
#endif
