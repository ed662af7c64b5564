/* From libclang's tree to ours. The raw tree uses every enum rg_c_kind (FOR, WHILE, RETURN anywhere); normalise/ then
 * gives it the shape rg/ctree.h promises. */
#ifndef RG_FRONTEND_BUILD_H
#define RG_FRONTEND_BUILD_H
#include "ir/ctree_util.h"
#include "frontend/read/unit.h"

enum rg__sym_kind {
    RG__SYM_VAR,     /* scalar or struct variable: .var */
    RG__SYM_ARRAY,   /* .array */
    RG__SYM_ALIAS,   /* a pointer into .array: subscripts of rows in .row_vars, element offset in .off_var */
    RG__SYM_POINTER, /* a pointer we cannot follow: .var */
    RG__SYM_CELL,    /* a written file-scope scalar, array of one element: .array */
    RG__SYM_VALUE,   /* a named constant: .value */
    RG__SYM_FUNCTION /* a pointer to a function: .targets */
};

enum { RG__MAX_TARGETS = 16 };
struct rg__targets { /* functions that a pointer may stand for */
    int n;
    CXCursor decl[RG__MAX_TARGETS];
    struct rg_cnode *pick; /* which, when there are several */
};

struct rg__sym {
    uint32_t key;
    enum rg__sym_kind kind;
    int var, array;
    int n_rows, row_vars[8];
    int off_var;
    int n_extents; /* ALIAS of rows that another shape gives the array: theirs (build_shape.c) */
    struct rg_cnode *extents[7];
    struct rg_cnode *value; /* VALUE; POINTER: its declaration */
    const struct rg__targets *targets;
    bool global;  /* survives the end of an inlined body */
    int null_var; /* ALIAS that is null at some place: 1 where it is; -1: never */
    bool ranges;  /* ALIAS that each of its assignments may lead into another array (build_ranges.c) */
    bool moves;   /* ALIAS of a view: it takes turns with places in other arrays (build_parts.c) */
};

/* What a set-up function leaves behind file-scope variables, at the numbers that it is called with: by C's name for
 * each place (`net.layer[1].w`). */
struct rg__shape {
    int n, cap;
    struct rg__shape_of {
        const char *path;
        int64_t count; /* it points to so many structures, > 0 */
        bool pointers; /* each behind a pointer of its own */
        bool number;   /* it is this number */
        int64_t value;
        int n_dims; /* it was allocated so */
        int64_t dims[4];
    } * of;
};

enum { RG__MAX_INLINE = 32 };
enum { RG__C_UNDER_WAY = 1, RG__C_DONE };
#define RG__END_LABEL "<end>" /* of a body that is put in place of its call */

struct rg__build {
    struct rg__unit *u;
    const struct rg__clang *c;
    struct rg_problem *p;
    struct rg_ctree *t;
    struct rg_error *err;
    int n_syms, cap_syms;
    struct rg__sym *syms;
    int n_written, cap_written;
    uint32_t *written; /* keys of variables assigned somewhere in the file; first those of the functions that run */
    int n_written_run;
    struct rg__kids *prologue; /* declarations for the start of the function */
    struct rg__kids *front;    /* the same of the whole problem's: what file-scope variables of its own need */
    bool *in_run;              /* by unit function: may the function call it? NULL: a pointer may call any */
    int n_own, cap_own;
    struct rg__own { /* file-scope variables that the function sets before it reads them (state_flow.c) */
        uint32_t key;
        CXCursor decl;
        int allocations, others;       /* what a pointer is set to, but for NULL */
        bool placed;                   /* while building: set by what has been built */
        bool found, reads_first, seen; /* set at all; read before; read by what may run behind the function */
        int whole;                     /* while building: a pointer to just this array of the tree; -1 */
        struct rg_cnode *first;        /* what the program starts with: it only says whether something is done yet */
        int cell;                      /* where its last value goes, an array of the tree; < 0: nobody asks */
    } * own;
    bool setup; /* what the function leaves there is asked for, not what it computes */
    int n_once, cap_once;
    uint32_t *once;         /* where they, or members of them, are set unconditionally and only there */
    CXCursor scope;         /* body being built: where assignments to its variables are looked for */
    struct rg__kids *hoist; /* statements that must run before the one being built; NULL: not possible here */
    int n_inlining;
    int inlining[RG__MAX_INLINE];
    struct rg_cnode **inlining_args[RG__MAX_INLINE]; /* of a call that is put in place; NULL */
    int return_var; /* while inlining: where `return` goes; -1 none, -2 the function itself */
    bool helper;    /* building a helper's body: no globals, no inlining into the problem */
    bool helper_impure;
    const char *verbatim; /* first construct without a node, one sentence; the tree is unusable then */
    int verbatim_line, verbatim_column;
    int n_device_tables, cap_device_tables;
    struct rg__table { /* constant tables used; one key may stand there under several names */
        uint32_t key;
        const char *name;
        const char *literal, *text; /* of a string literal: it, and its declaration on the device; else NULL */
    } * device_tables;
    int n_state, cap_state;
    struct rg__state { /* file-scope variables of a body that runs as it is written (device_state.c) */
        uint32_t key;
        const char *name, *type, *dims; /* dims: "[4][3]", "" none */
        const char *value;              /* as the file initialises it, NULL: zeros */
        bool constant;
        int param; /* of the problem, -1: it is none */
    } * state;
    struct rg__build *root;      /* of a helper's build: where helpers are registered; else itself */
    struct rg_buf *helper_decls; /* root: device text of helpers, callees first */
    unsigned char
        *c_written; /* root: by unit function: it stands there as the file writes it; RG__C_UNDER_WAY: it will */
    bool c_text;    /* root: helper_decls has functions as the file writes them, which may name any type of it */
    int *helper_of; /* root: by unit function: index into tree helpers, -1 not yet, -2 under way, -3 impossible */
    const char **helper_why;               /* root: by unit function */
    struct rg__helper_tree **helper_trees; /* root: by unit function: of those that were built; NULL */
    int n_known, cap_known;
    struct rg__known { /* integer locals set once: what sizes may be read through */
        int var;
        struct rg_cnode *value;
        bool global; /* survives the end of an inlined body */
    } * known;
    int cap_origins;
    struct rg__origin {   /* by problem parameter */
        const char *name; /* in the file */
        enum {
            RG__FILE_VALUE,
            RG__FILE_ARRAY,
            RG__FILE_POINTER,
            RG__FIELD,
            RG__PART,
            RG__LENGTH,
            RG__COUNT,
            RG__REACH,
            RG__COLUMN
        } layout;           /* of a file-scope variable */
        int parent;         /* FIELD: the structure parameter it is a member of; PART, COLUMN: the carrier, */
        const char *member; /* COUNT: the pointer behind the last of them, of the array parent; else which: "nx"; PART:
                               a path, ".grid.nx" */
        const struct rg__reach *reach; /* REACH: what leads so far (infer/reach.h) */
        bool outside;                  /* another file defines it */
        bool hidden;                   /* static: no other file has its name */
        bool pointer;                  /* PART, COLUMN: the member is a pointer, the parameter what it points to */
        int n_written;                 /* an array with rows that was made flat: the dimensions that the text has */
        const struct rg_expr *const *written;
        bool text;                    /* rows of characters, each with a zero behind its last */
        const struct rg__reach *rows; /* COLUMN of pointers: each is as long as its own element says (infer/reach.h) */
    } * origins;
    int n_targets, cap_targets;
    struct rg__targets *targets; /* of function values under way to a helper's parameters */
    int n_elements, cap_elements;
    struct rg__elements { /* members that, or whose elements, may be parameters (build_field.c) */
        int structure;
        const char *member;
        bool only_read;
    } * elements;
    int n_carriers, cap_carriers;
    struct rg__carrier { /* structures with pointers inside, which the shim puts together for a call (build_flat.c) */
        const char *type;
        int parent;       /* the carrier that points to it, -1: it is an argument itself */
        const char *path; /* by which member */
        bool array;       /* of as many as the columns that are its members have elements */
    } * carriers;
    struct rg__columns *columns;   /* arrays of structures as a column for each member; newest first, the problem's */
    const struct rg__shape *shape; /* NULL: nobody has asked yet */
    const char *asks;              /* for a size that is not given; NULL */
    bool wants_shape;              /* a file-scope variable leads to structures, as many as only the set-up says */
    int n_tables, cap_tables;
    struct rg__table_at { /* pointers to structures that the shim has memory for, outer ones first */
        const char *place;
        int64_t count;
        bool pointers;
    } * tables;
    int n_args, cap_args;
    struct rg__arg { /* the function's own arguments, in order */
        int param;   /* -1: a carrier */
        int carrier;
        bool address;
        const char *c_decl;
        CXCursor decl;
        int end_of, count; /* it is a pointer behind the elements of that argument's array, as many as that parameter
                              says; -1 */
        unsigned below, needs; /* other such arguments that it is before, and that it must not be behind: bits */
    } * args;
    struct rg__follow *follow;  /* pointers are followed by value (build_cell.h); NULL: they are not */
    struct rg__bundle *bundles; /* variables built as their parts; newest first, the problem's memory */
    int nesting;                /* of blocks around the statement being built: 1: it is always run */
    bool guarded; /* a number says what is done at the first call alone, or an argument may be null: only cells follow
                     that */
    int n_asserted, cap_asserted;
    const struct rg_expr **asserted;   /* what holds of the parameters, or the C stops */
    int depth;                         /* of the expression being built */
    bool refused;                      /* err holds a reason to stop */
    const struct rg__directives *dirs; /* what the user says of the problem */
    struct rg__halves *halves;         /* the function that is being built, of which calls stay as they stand; NULL */
    bool levels;                       /* root: such calls became loops over their levels, .. */
    int n_powers, cap_powers;
    struct rg__power { /* .. root: which takes these parameters to be powers of two, that is at most .. */
        int param;
        int64_t most;
    } * powers;
    int n_spent, cap_spent;
    struct rg__spent { /* .. root: and leaves nothing of use in an array, which nobody may read behind it */
        int array;
        const struct rg_cnode *behind;
    } * spent;
    int as_call; /* root: 1 + the function, where its body is built as a call of it, by another name; 0 */
};

void rg__build_release(struct rg__build *b); /* what its building left */

struct rg__helper_param { /* one of them is >= 0 */
    int var, array;
};
struct rg__helper_tree { /* the raw tree of a helper's body: what passes know of it beyond its text */
    struct rg_ctree *t;
    struct rg_cnode *prologue, *body;
    enum rg_scalar result; /* STRUCT, too, where it has none */
    int n_params;
    struct rg__helper_param *params;
};
/* build_helper.c: of the helper with that name; NULL: there is none. */
const struct rg__helper_tree *rg__helper_tree(const struct rg__build *b, const char *name);
/* What a unit function is called as a helper. */
const char *rg__helper_name(const struct rg__build *b, int function);
void rg__helper_trees_free(struct rg__build *b);

/* build_types.c */
/* Index into problem->structs; -1 with err set when a member cannot be transferred. */
int rg__build_struct(struct rg__build *b, CXType t, const char *what);
/* The same for what never leaves the function: a reason to have no tree, not to refuse the problem. */
int rg__build_local_struct(struct rg__build *b, CXType t, const char *what);
/* Has it members that are bit-fields? Is the expression such a member? They are read, and copied with the structure;
 * who sets one sets its neighbours in the same bytes. */
bool rg__has_bit_fields(const struct rg_struct *s);
bool rg__is_bit_field(struct rg__build *b, CXCursor e);
/* Without qualifiers. */
const char *rg__plain_type(struct rg__build *b, CXType t);
const char *rg__strip_qualifiers(struct rg_arena *a, const char *spelling);

/* build_params.c */
enum rg_status rg__build_params(struct rg__build *b, const struct rg__function *f);
/* Does the user say anything of what is called so? */
bool rg__is_directed(const struct rg__build *b, const char *name);
/* strlen(s) of an array parameter: a size of its own, s_len, behind which the NUL stands. Its variable; NULL when the
 * array is none that can be filled so. written: as it is when the function is called, whatever it stores there. */
struct rg_cnode *rg__build_length_param(struct rg__build *b, const struct rg_cnode *array, bool written);
/* An integer computed from others (rg/problem.h): its variable. */
int rg__build_derived_param(struct rg__build *b, const char *name, enum rg_scalar type, const struct rg_expr *value);
/* A variable of the tree's as such a parameter. */
void rg__derive_var(struct rg__build *b, int var, const struct rg_expr *value);
void rg__rename_derived(struct rg_problem *p, int param, const char *name);
/* Size expressions between the brackets behind a declarator's name; NULL for an empty one. Returns their number. */
int rg__declared_dims(struct rg__build *b, CXCursor decl, const struct rg_expr **dims, int max);
int rg__bracket_sizes(struct rg__build *b, struct rg__children kids, int k, struct rg_cnode **sizes, int max);
/* The same from the bracket that is token k on; kids: the cursors among which the sizes are. */
int rg__bracket_dims(struct rg__build *b, struct rg__children kids, int k, const struct rg_expr **dims, int max);
/* Dimensions of an array type into dims (inner sizes must be known); -1 when they cannot be said. */
int rg__array_dims(struct rg__build *b, CXCursor decl, CXType type, const struct rg_expr **dims, int max, CXType *elem);
/* A parameter more, with nothing said of it but its name; valid until the next. */
struct rg_param *rg__add_param(struct rg__build *b, const char *name, enum rg_param_kind kind, enum rg_origin origin);
/* Its element type, from a type that is no array: a scalar or a structure. `what`: "parameter", for messages. */
enum rg_status rg__param_element(struct rg__build *b, CXCursor decl, CXType t, const char *what, const char *name,
                                 struct rg_param *p);
/* Its dimensions and element type, from the declaration of an array or a pointer. */
enum rg_status rg__array_param(struct rg__build *b, CXCursor decl, struct rg_param *p, const char *what);
/* Its array or variable in the tree, found by key; cell: a value that is written. */
void rg__bind_param(struct rg__build *b, uint32_t key, int param, bool cell);
const char *rg__declaration_text(struct rg__build *b, CXCursor decl);
const struct rg_expr *rg__int_expr(struct rg_arena *a, int64_t v);
/* The type as written where it is an array: its canonical form has decayed already. */
CXType rg__array_form(struct rg__build *b, CXType t);
bool rg__is_array_kind(CXType t);
bool rg__is_scalar_type(struct rg__build *b, CXType t);

/* state_flow.c: fills b->own. */
void rg__state_flow(struct rg__build *b, int function);
/* Is the file-scope variable read by what may run behind the function, before it is set there? */
bool rg__state_seen(struct rg__build *b, uint32_t key);
bool rg__at_file_scope(const struct rg__build *b, CXCursor decl); /* a variable that no function declares */

/* build_state.c: what stands for such variables. */
struct rg__own *rg__own_of(const struct rg__build *b, uint32_t key);
/* One that is a structure with this member, both by key; 0: none. */
uint32_t rg__own_with(const struct rg__build *b, uint32_t member);
/* Declares it; NULL: it is none, or of a type that nothing stands for. */
struct rg__sym *rg__own_declare(struct rg__build *b, CXCursor decl);
/* The symbol of what an expression names, declared where it is such a variable; NULL: none. */
struct rg__sym *rg__own_sym(struct rg__build *b, CXCursor decl);
/* A static number that is only asked in conditions (`if (!ready)`) is one too: it is what it is at the first call. */
void rg__own_guard(struct rg__build *b, CXCursor decl);
/* g = malloc(..), g = NULL: false when it is neither. */
bool rg__own_statement(struct rg__build *b, CXCursor left, CXCursor value, struct rg__kids *out);
/* The left side of an assignment is one: it points somewhere from here on. Before, it is NULL: that, or NULL. */
bool rg__own_place(struct rg__build *b, CXCursor left);
struct rg_cnode *rg__own_null(struct rg__build *b, CXCursor name);
/* g = value of an integer: what it says about sizes that are computed from g. */
void rg__own_set(struct rg__build *b, CXCursor left, int var, const struct rg_cnode *value);
/* g.member = value, built, of a pointer that is set this once: it is that place in an array; false: something else. */
bool rg__own_member(struct rg__build *b, CXCursor left, struct rg_cnode *value);
/* NULL, or a = b = NULL. */
bool rg__is_null(struct rg__build *b, CXCursor e);
/* Their last values, at every end of the body. */
void rg__own_leave(struct rg__build *b, struct rg_cnode *body);
/* Calls fn on all that may assign the variable: the body being built, or for one of these all that runs. */
void rg__walk_scope(struct rg__build *b, uint32_t key, void (*fn)(void *arg, CXCursor c), void *arg);

/* build_global.c */
/* A name that no other table of the problem has, nor anything in the tree. */
const char *rg__table_name(struct rg__build *b, uint32_t key, const char *name);
/* A file-scope variable becomes a parameter, a constant or a table on first use; NULL when it cannot. */
struct rg__sym *rg__build_global(struct rg__build *b, CXCursor decl);
/* A parameter that the number starts each call with as the file does, where nothing else asks for it. */
bool rg__global_start(struct rg__build *b, CXCursor decl);
/* A parameter that a number's value goes to: its array in the tree. */
int rg__global_cell(struct rg__build *b, CXCursor decl);

/* build_expr.c */
struct rg_cnode *rg__build_expr(struct rg__build *b, CXCursor c);
/* What the name of a variable or parameter stands for; NULL: nothing that the tree says. */
struct rg_cnode *rg__symbol_value(struct rg__build *b, const struct rg__sym *s);
struct rg_cnode *rg__build_subscript(struct rg__build *b, struct rg_cnode *pointer, struct rg_cnode *sub,
                                     CXCursor where);
/* An element as C reads it at `c`: through a pointer to numbers of another kind it is converted. */
struct rg_cnode *rg__as_pointed(struct rg__build *b, struct rg_cnode *x, CXCursor c);
struct rg_cnode *rg__verbatim(struct rg__build *b, CXCursor c, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
struct rg__sym *rg__sym_find(struct rg__build *b, uint32_t key);
struct rg__sym *rg__sym_add(struct rg__build *b, uint32_t key, enum rg__sym_kind kind);
void rg__place_node(struct rg__build *b, struct rg_cnode *n, CXCursor c);
CXCursor rg__strip_parens(struct rg__build *b, CXCursor c); /* parentheses and implicit casts */
/* Operator token between two children. */
const char *rg__operator_between(struct rg__build *b, CXCursor left, CXCursor right);

/* Type of an expression node from its cursor. */
void rg__set_type(struct rg__build *b, struct rg_cnode *n, CXCursor c);

/* build_operator.c */
struct rg_cnode *rg__build_unary(struct rg__build *b, CXCursor c);
/* build_bool.c: `f++` or `f--` of a _Bool; NULL: its place has effects. The assignment in it, for where nobody asks
 * what it was; NULL: it is none. */
struct rg_cnode *rg__step_bool(struct rg_ctree *t, struct rg_cnode *place, bool up, bool prefix);
struct rg_cnode *rg__bool_step(struct rg_cnode *e);
struct rg_cnode *rg__build_binary(struct rg__build *b, CXCursor c, bool compound);
struct rg_cnode *rg__build_cast(struct rg__build *b, CXCursor c);
struct rg_cnode *rg__build_conditional(struct rg__build *b, CXCursor c);

/* build_math.c: ({ int a = x; a * a; }): what stands before the last goes in front of the statement, or, where nothing
 * can, is put in. */
struct rg_cnode *rg__build_statement_value(struct rg__build *b, CXCursor c);

/* build_init.c */
/* The initialiser of something of that type: lists in memory order, numbers converted. */
struct rg_cnode *rg__build_init(struct rg__build *b, CXCursor c, CXType type);
/* Where an item c of a braced list goes, and its *value: `next`, or what `.name =` (one of names[n]) or `[i] =` says;
 * -1 where that is no designator of one level. */
int rg__init_slot(struct rg__build *b, CXCursor c, int next, const char *const *names, int n, CXCursor *value);
/* (type){...}: an INITLIST whose text names the type. */
struct rg_cnode *rg__build_compound(struct rg__build *b, CXCursor c);

/* build_pointer.c */
/* A variable that is null at some place: its offset does not say where. */
/* The variable that says whether the pointer is null; -1: it never is, or nobody knows. */
int rg__null_var(const struct rg__build *b, const struct rg_cnode *p);
/* The declaration all assignments of a pointer variable point into: null cursor when there are several or none. */
CXCursor rg__pointer_root(struct rg__build *b, CXCursor scope, CXCursor decl);
/* Makes a pointer variable that stays inside one array an alias; false when it does not. */
bool rg__set_in_ranges(struct rg__build *b, CXCursor scope, CXCursor decl); /* build_ranges.c */
bool rg__alias_declare(struct rg__build *b, CXCursor decl, bool uninitialised);
/* p = value: assignments to its offset variables appended to out; false when the shapes differ. */
bool rg__alias_assign(struct rg__build *b, struct rg__sym *s, struct rg_cnode *value, bool declare,
                      struct rg__kids *out);
/* p = NULL, in the same way: where it is asked whether it is, it says so, and leads to the first element. */
void rg__alias_clear(struct rg__build *b, const struct rg__sym *s, struct rg__kids *out);
/* The local gets the value, declared with it or set. */
void rg__set_var(struct rg__build *b, int var, struct rg_cnode *value, bool declare, struct rg__kids *out);
/* The pointer a symbol stands for. */
struct rg_cnode *rg__alias_value(struct rg__build *b, const struct rg__sym *s);
bool rg__split_pointer(struct rg__build *b, struct rg_cnode *p, int *array, struct rg_cnode **rows, int *n_rows,
                       struct rg_cnode **off);

/* build_view.c */
/* A pointer variable that is only ever set to whole arrays becomes a view: an array of the tree that pointer_rotation.c
 * replaces by what it stands for. false: it is more than that. */
bool rg__view_declare(struct rg__build *b, CXCursor decl, CXCursor init, struct rg__kids *out);
/* The same for a parameter of a body that is put in place, where the body sets it to whole arrays alone. */
bool rg__view_bind(struct rg__build *b, CXCursor body, CXCursor param, struct rg_cnode *arg, struct rg__kids *out);
/* Does the view (by key) stand for one array from the declaration of `pointer`, which is never set again, to the last
 * use of it? Then a place in it may be remembered as an offset. */
bool rg__view_stays(struct rg__build *b, CXCursor scope, CXCursor pointer, uint32_t view);
/* A local structure with pointers in it, or an array of a few pointers: each part a view or variable of its own. */
bool rg__bundle_declare(struct rg__build *b, CXCursor decl, CXCursor init, struct rg__kids *out);
/* The same by hand: a bundle, its parts, the variable that stands for it. */
struct rg__bundle *rg__bundle_new(struct rg__build *b, const char *name);
void rg__bundle_part(struct rg__build *b, struct rg__bundle *x, const char *member, struct rg_cnode *node);
int rg__bundle_var(const struct rg__bundle *x);
/* Calls fn for each part of such a variable: its name, and the array or variable it is, the other -1. */
void rg__bundle_parts(const struct rg__build *b, int var, void (*fn)(void *arg, const char *member, int array, int var),
                      void *arg);
/* From here on the part that was built as `view` stands for the place `value`. */
bool rg__bundle_place(struct rg__build *b, const struct rg_cnode *view, const struct rg_cnode *value);
bool rg__bundle_is(const struct rg__build *b, const struct rg_cnode *n);
/* Its parts go by index. */
void rg__bundle_table(struct rg__bundle *x);
void rg__bundle_key(struct rg__bundle *x, uint32_t key);
/* A structure or a table; its parts by number. */
bool rg__bundle_any(const struct rg__build *b, const struct rg_cnode *n);
struct rg_cnode *rg__bundle_at(struct rg__build *b, const struct rg_cnode *base, int i);
void rg__bundle_each(struct rg__build *b, const struct rg_cnode *base, void (*fn)(void *arg, int i, struct rg_cnode *n),
                     void *arg);
/* A part of such a variable; NULL: it is none. An index that varies gives ?: over the parts. */
struct rg_cnode *rg__bundle_member(struct rg__build *b, const struct rg_cnode *base, const char *member);
struct rg_cnode *rg__bundle_element(struct rg__build *b, const struct rg_cnode *base, struct rg_cnode *index);
/* A table of structures, or the address of one in it, `by` elements on: an address; NULL: something else. */
struct rg_cnode *rg__bundle_moved(struct rg__build *b, const struct rg_cnode *p, struct rg_cnode *by);

/* build_decl.c */
/* The type of the elements below dimensions: fills elem, struct_index, c_elem of the array. */
bool rg__set_element(struct rg__build *b, int array, CXType elem);
void rg__build_variable(struct rg__build *b, CXCursor c, struct rg__kids *out);
/* Is a value the call of malloc and its like? */
bool rg__is_allocation(struct rg__build *b, CXCursor value);
/* T *p = malloc(count * sizeof(T)): a local array; false when the value is no allocation. */
bool rg__heap_array(struct rg__build *b, CXCursor decl, CXCursor value, struct rg__kids *out);
/* t[i] = malloc(..) of a table whose rows are such: what it comes to, NULL when it is none. */
struct rg_cnode *rg__heap_row(struct rg__build *b, struct rg_cnode *row, CXCursor value);
/* The same for a pointer in a local structure (ws.sums = malloc(..)) that is set this once. */
bool rg__heap_member(struct rg__build *b, CXCursor member, CXCursor value, struct rg__kids *out);
/* All elements of an array, or of a row of it, to zero. */
bool rg__zero_array(struct rg__build *b, int array, struct rg__kids *out);
bool rg__zero_row(struct rg__build *b, const struct rg_cnode *row, struct rg__kids *out);
/* How often all that may set the member of a file-scope structure of the function's own, or the body being built, does
 * so. */
int rg__member_settings(struct rg__build *b, CXCursor member);
/* Does any function that may run set the member that an expression names? */
bool rg__member_is_set(struct rg__build *b, CXCursor member);

/* build_scan.c */
/* Notes every variable that a function of the file assigns, steps or takes the address of; apart, what `function` and
 * those it may call (through pointers too) do. */
void rg__scan_written(struct rg__build *b, int function);
bool rg__is_written(const struct rg__build *b, uint32_t key); /* by anything of the file */
bool rg__is_written_in_run(const struct rg__build *b,
                           uint32_t key); /* while the function runs: what only main sets is a parameter */
int rg__times_written(const struct rg__build *b, uint32_t key);

/* build_goto.c: a body without its jumps. NULL, or why one, in that line, has no structure; the body is of no use then.
 */
const char *rg__structure_jumps(struct rg_ctree *t, struct rg_cnode *block, int *line);

/* build_stmt.c */
void rg__build_stmt(struct rg__build *b, CXCursor c, struct rg__kids *out);
struct rg_cnode *rg__build_block(struct rg__build *b, CXCursor c);
/* build_loop.c: for; while and do. */
void rg__build_for(struct rg__build *b, CXCursor c, struct rg__kids *out);
void rg__build_while(struct rg__build *b, CXCursor c, struct rg__kids *out);
/* Is there an assignment in the expression (or, where `calls`, a call of a function of the file)? */
bool rg__sets_or_calls(struct rg__build *b, CXCursor e, bool calls);
/* Appends the statements an expression statement stands for. */
void rg__emit_expr(struct rg__build *b, struct rg_cnode *e, struct rg__kids *out);
/* The loop `for (v = 0; v < count; v++) body` in raw form; v is new. */
struct rg_cnode *rg__counted_loop(struct rg__build *b, struct rg_cnode *count, int *var, struct rg_cnode *body);
/* !p, p == NULL of an array: arrays we run with are never null. Folds such tests and what follows from them. */
struct rg_cnode *rg__fold_null_tests(struct rg__build *b, struct rg_cnode *c);
/* Replaces integer locals that are set once by their values, and numbers that are followed by those they have here. */
struct rg_cnode *rg__expand_known(struct rg__build *b, const struct rg_cnode *n);
/* The local is set to that here, and never again. */
void rg__note_known(struct rg__build *b, int var, struct rg_cnode *value);

/* build_library.c: calls that are statements of their own (memset, free, assert ...); false: not one of them. */
/* *__ctype_b_loc(): the table that glibc's isalpha(c) and its like subscript. */
bool rg__is_ctype_table(struct rg__build *b, CXCursor c);
struct rg_cnode *rg__bytes_compared(struct rg__build *b, CXCursor c, const char *name); /* memcmp, strncmp; NULL */
bool rg__library_statement(struct rg__build *b, CXCursor call, struct rg__kids *out);
/* build_sort.c: a call of qsort as a loop over what it exchanges; false: it stays a call. */
bool rg__sort_statement(struct rg__build *b, CXCursor call, struct rg__kids *out);
/* What qsort or bsearch compares by, as it stands: a STRING with its name. */
struct rg_cnode *rg__build_order(struct rg__build *b, CXCursor c);
/* __builtin_expect and its like: the first argument is the value. */
bool rg__passes_first(const char *name);
/* build_math.c: a call by <tgmath.h>, of gcc's generic function, or of one of clang's overloads: the name meant. */
struct rg_cnode *rg__generic_math(struct rg__build *b, CXCursor c, const struct rg__children *kids);
const char *rg__overloaded_math(struct rg__build *b, CXCursor c, const char *name);
/* build_math.c: library functions that are no call in the tree: comparisons, frexp and its like. NULL: it is none of
 * them. */
struct rg_cnode *rg__build_library_value(struct rg__build *b, CXCursor c, const char *name,
                                         const struct rg__children *kids);
/* Arguments as C converts them where CUDA's overloads would choose another function. */
struct rg_cnode **rg__library_arguments(struct rg__build *b, const char *name, struct rg_cnode **args, int n);
/* Arrays of the tree lose what computing their size does besides. False: it does something, and b has no tree. */
bool rg__alloc_plain(struct rg__build *b, CXCursor where, const struct rg_cnode *size);
/* The element count of a malloc or calloc call; NULL when it is none or cannot be said. */
struct rg_cnode *rg__alloc_count(struct rg__build *b, CXCursor value, int64_t elem_bytes, bool *zeroed, bool *is_alloc);

/* How many elements of that size a number of bytes is; NULL: it cannot be said. */
struct rg_cnode *rg__memory_elements(struct rg__build *b, struct rg_cnode *size, int64_t bytes);

/* build_sizeof.c */
/* sizeof of anything: a number, or the product of the extents that the run knows. */
struct rg_cnode *rg__build_sizeof(struct rg__build *b, CXCursor c);
/* How many rows of an array of that shape the count of elements is: the count without the extents behind the first.
 * NULL: not that many whole ones. */
struct rg_cnode *rg__rows_in(struct rg__build *b, const struct rg_expr *const *dims, int n_dims,
                             struct rg_cnode *count);
/* Are the two the same number, whatever the sizes? */
bool rg__same_extent(struct rg__build *b, const struct rg_expr *x, const struct rg_expr *y);

/* Statements that set each member of a structure to zero; false: it has arrays of structures. */
bool rg__zero_members(struct rg__build *b, const struct rg_cnode *element, struct rg__kids *out);

/* build_call.c */
struct rg_cnode *rg__build_call(struct rg__build *b, CXCursor c);
/* A call whose arguments are built: of a function of the file; of any, by its declaration, arguments among kids. */
struct rg_cnode *rg__call_function(struct rg__build *b, CXCursor c, int function, struct rg_cnode **args, int n);
struct rg_cnode *rg__call_of(struct rg__build *b, CXCursor c, CXCursor decl, const char *name,
                             const struct rg__children *kids);
/* NULL, or how a parameter of that type says of the array something else than it is: n_rows subscripts are given. */
const char *rg__passed_differently(struct rg__build *b, CXType t, int array, int n_rows);
/* build_halves.c: a call of a function that calls itself for both halves of what it is given becomes loops over the
 * levels of its calls, in front of the statement being built. false: it is none, and nothing was done. */
bool rg__build_halves(struct rg__build *b, int function, struct rg_cnode **args, int n);
/* Does something read what such loops left of an array? The root's tree is whole. */
bool rg__halves_read_spent(const struct rg__build *b, const struct rg_cnode *root);
#define RG__HALVES_AGAIN "<again>" /* a call of the function that is built so; it stands in no finished tree */
struct rg_cnode *rg__build_again(struct rg__build *b, int function, struct rg_cnode **args, int n); /* NULL: another */
/* May the parameter be a power of two and at most that, for all that the user says of sizes? */
bool rg__build_power(struct rg__build *b, int param, int64_t most);
/* A block with a call of the function with its own parameters. */
struct rg_cnode *rg__build_own_call(struct rg__build *b, int function);
/* Index of a function of the file among the tree's helpers; < 0 with *why when it cannot run on a device. */
int rg__build_helper(struct rg__build *b, int function, const char **why);
/* build_complex.c */
/* Is it complex, of floats or doubles? Such types are records everywhere: structures named rg_complexf, rg_complexd. */
bool rg__type_complex(struct rg__build *b, CXType t, enum rg_scalar *part);
const char *rg__complex_name(enum rg_scalar part);
int rg__complex_struct(struct rg__build *b, CXType t);
int rg__complex_structure(struct rg__build *b, enum rg_scalar part);
bool rg__c_is_complex(const struct rg__build *b, const struct rg_cnode *n, enum rg_scalar *part);
struct rg_cnode *rg__to_complex(struct rg__build *b, struct rg_cnode *n, enum rg_scalar part);
struct rg_cnode *rg__complex_part(struct rg__build *b, struct rg_cnode *n, bool imaginary);
struct rg_cnode *rg__complex_literal(struct rg__build *b, CXCursor c); /* 1.0i */
/* Of operands that are complex; NULL: none is. */
struct rg_cnode *rg__complex_binary(struct rg__build *b, CXCursor c, const char *op, struct rg_cnode *l,
                                    struct rg_cnode *r);
struct rg_cnode *rg__complex_assign(struct rg__build *b, CXCursor c, const char *op, struct rg_cnode *l,
                                    struct rg_cnode *r);
struct rg_cnode *rg__complex_unary(struct rg__build *b, CXCursor c, const char *op, struct rg_cnode *k);
bool rg__complex_function(const char *name);
struct rg_cnode *rg__complex_call(struct rg__build *b, const char *name, struct rg_cnode **args, int n); /* cexp(z) */
/* build_function.c: pointers to functions */
bool rg__is_function_pointer(struct rg__build *b, CXType t);
/* What an expression of such a type may stand for; false: anything. */
bool rg__function_targets(struct rg__build *b, CXCursor e, struct rg__targets *out);
/* The symbol stands for these from here on. */
void rg__bind_function(struct rg__build *b, uint32_t key, const struct rg__targets *t, struct rg__kids *out);
/* An argument that is a function, and what one that was made so stands for; NULL: none. */
struct rg_cnode *rg__function_value(struct rg__build *b, CXCursor e);
const struct rg__targets *rg__targets_of(const struct rg__build *b, const struct rg_cnode *n);
/* device_text.c: a function of the file, and those it calls, as CUDA C++ just as it is written (comparison functions,
 * bodies without a tree), appended to the root's helper_decls once. false with *why: it touches file-scope variables.
 */
bool rg__build_c_function(struct rg__build *b, int function, const char **why);
/* Those that a function calls, but not itself. */
void rg__build_c_callees(struct rg__build *b, int function);
/* C text of the file as CUDA C++. */
void rg__build_c_text(struct rg__build *b, const char *text, struct rg_buf *out);
/* Forgets what was bound since the symbol `from`, but for file-scope variables. */
void rg__drop_symbols(struct rg__build *b, int from);
/* build_value.c: the call of a helper that is one value as that value; NULL when it is more. */
struct rg_cnode *rg__build_value(struct rg__build *b, int function, struct rg_cnode **args, int n_args);
/* build_helper.c: the text of initialised tables and structures as CUDA C++. */
/* Text of a body, or of what holds it, as CUDA C++ (device_text.c). */
void rg__build_c_slice(struct rg__build *b, CXCursor scope, uint32_t at, uint32_t end, struct rg_buf *out);
/* A type's spelling on the device; NULL: none has it. */
const char *rg__device_type(struct rg__build *b, CXType t);
/* device_state.c, for a body without a tree. Finds the variables that it and what it calls name; then, as text: their
 * declarations, what the kernel does before the body, the scope in which their names mean them (left open), and what it
 * does behind that. */
void rg__device_state_find(struct rg__build *b, int function);
void rg__device_state_declare(const struct rg__build *b, struct rg_buf *out);
void rg__device_state_enter(const struct rg__build *b, struct rg_buf *out);
void rg__device_state_names(const struct rg__build *b, struct rg_buf *out);
void rg__device_state_leave(const struct rg__build *b, struct rg_buf *out);
bool rg__device_state_has(const struct rg__build *b, int param);
/* The expression behind the `=` of a variable's declaration; null: none. */
CXCursor rg__initialiser(struct rg__build *b, CXCursor decl);
void rg__device_structs(struct rg__build *b, struct rg_buf *out);
void rg__device_tables(struct rg__build *b, struct rg_buf *out);
#endif
