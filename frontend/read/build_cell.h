/* Pointers, and numbers that decide on them, followed by value (build_cell.c), and what they lead to: objects and
 * memory that is allocated anywhere (build_object.c). */
#ifndef RG_FRONTEND_BUILD_CELL_H
#define RG_FRONTEND_BUILD_CELL_H
#include "frontend/read/build.h"

struct rg__directives;

enum rg__cell_form { /* the later, the more general */
                     RG__BY_VALUE,
                     RG__BY_OFFSET, /* variables say where in one array it is */
                     RG__BY_VIEW,   /* a view: it stands for one of several whole arrays */
                     RG__VARIES,    /* a number: nothing is known of it; of a local one, in loops that change it */
                     RG__ESCAPES,   /* a number: who has its address may set it */
                     RG__UNROLLED,  /* a loop, by its place: its iterations are read one by one */
                     RG__BY_TRIPS,  /* the same, where sizes say how many there are (build_trips.c) */
                     RG__GIVEN,     /* a file-scope variable that is read before it is set: a parameter like others */
                     RG__NULLABLE   /* a pointer, by its null_key: a variable says whether it is null */
};

enum { RG__MAX_FIXED = 8, RG__MAX_TRIPS = 4 };

struct rg__cell {
    uint32_t key;    /* what forms are remembered by */
    uint32_t origin; /* the file-scope variable that it is, or is part of; 0 */
    const char *name;
    int var; /* of a pointer: stands for it, never in a finished tree; of a number: itself */
    bool pointer, global;
    CXType type;
    CXCursor decl; /* of a variable that is one pointer: the lengths of its rows are written there; null */
    enum rg__cell_form form;
    struct rg_cnode *value; /* NULL: not known, or never set */
    bool set;               /* a number: on every way here */
    bool maybe_null;        /* on one way here */
    int null_var;           /* 1 where it is null, 0 elsewhere; -1: nobody has asked */
    bool lost;              /* it points to what is gone, or to one of several places */
    struct rg__sym alias;   /* BY_OFFSET */
    int view;               /* BY_VIEW: the array; -1 */
    int since_read;         /* when it was looked up last, */
    int null_read;          /* and found null */
    bool starts_set;        /* a number of the function's own: it has a value from the start */
    int first_set;          /* when something first set it; 0: nothing did yet */
    bool local;             /* a number of the function's own, */
    bool quiet;             /* which code names: sizes are read through it */
    int trips;              /* > 0: what it holds, it holds where the loop of that number, less 1, went round .. */
    uint64_t only;          /* .. as often as the number of one of these bits */
    const struct rg_cnode *lost_by; /* lost where loops go round another number of times: why one does at all; NULL */
};

struct rg__held {
    struct rg_cnode *value;
    bool set, maybe_null, lost;
    int trips;
    uint64_t only;
};
struct rg__now { /* what the cells hold at a place */
    int n;
    bool dead; /* no way leads there */
    struct rg__held *of;
    uint64_t possible[RG__MAX_TRIPS];
};
struct rg__exits { /* of a body that is put in place of its call */
    struct rg__now now;
    bool any, fails;
};
struct rg__jump_to { /* a label of the body being read: what the cells hold where jumps lead to it */
    struct rg__jump_to *next;
    const char *name;
    bool seen, any; /* the label itself; a jump to it */
    struct rg__now now;
};
struct rg__span { /* a loop, or an arm of a branch */
    struct rg__now now;
    int vars, arrays, reads;
    bool loop;
    struct rg__kids *outer;
    struct rg__span *around; /* the loop or switch around this one */
    bool left;               /* by a break or continue, with */
    struct rg__now at_exit;
};

enum { RG__MAX_BLOCKS = 32 };

struct rg__follow {
    const struct rg__sequence *sequence; /* of set-up functions that the body may be; NULL */
    int n_forms, cap_forms;
    struct {
        uint32_t key;
        enum rg__cell_form form;
        int attempt;   /* that decided it */
        uint32_t loop; /* VARIES: the one that changes it */
    } * forms;         /* over all attempts */
    int attempts;
    bool again; /* the body is to be read once more */
    int n_cells, cap_cells;
    struct rg__cell *cells;
    int n_by_var, cap_by_var;
    int *by_var; /* cell + 1 */
    bool dead;
    struct rg__exits *exits;
    struct rg__span *span;      /* the innermost loop or switch */
    struct rg__span *span_call; /* the one around the call of the body being read */
    struct rg__jump_to *labels; /* of that body */
    bool argument;              /* the expression being built is one of a call that may be put in place */
    struct rg__kids *decls;     /* where memory of the loop around is declared; NULL: where it is allocated */
    int loops, conditions, reads, sets;
    struct rg__unrolled { /* the loops around: by their counter */
        int var;
        uint32_t key;
        struct rg__unrolled *outer;
    } * around, *around_call; /* that, of the call of the body being read */
    struct rg__turn {         /* the iteration being read of a loop that is read one by one: NULL, none */
        const struct rg__span *span;
        int conditions;
        bool left, breaks; /* on the only way that there is, by continue or break */
    } * turn;
    int n_trips, n_again; /* loops whose number of iterations is a parameter; calls within their own function */
    int trips_var[RG__MAX_TRIPS];
    const struct rg_cnode *trips_any[RG__MAX_TRIPS];            /* why there is a first iteration */
    uint64_t trips_all[RG__MAX_TRIPS], possible[RG__MAX_TRIPS]; /* bits: numbers that it may be; .. may be here */
    uint32_t path;                                              /* of calls, to here */
    bool sizes_stay; /* a set-up function is read for any size, not at those that are given */
    const struct rg__directives *dirs;
    int n_fixed, fixed_before; /* over all attempts: sizes that are numbers (build_fixed.c); before this one */
    struct {
        char name[64];
        int64_t value;
    } fixed[RG__MAX_FIXED];
    char asks[400]; /* for the size of one more */
    int n_memory, cap_memory;
    struct rg__memory { /* allocated, by number; typed by what it is first kept in */
        struct rg_cnode *bytes;
        bool zeroed;
        uint32_t key;
        struct rg_cnode *typed;
        bool table; /* of pointers: the extents of its rows come later */
    } * memory;
    int n_blocks;
    struct rg__block { /* rows of a table that all are in one allocation (build_rows.c) */
        int table;
        int memory;            /* t[0] = malloc(..), until the next row tells how long one is; -1 */
        int array;             /* or an array that had a name before: -1 */
        struct rg_cnode *fill; /* where the allocation was: what sets it to zero */
    } blocks[RG__MAX_BLOCKS];
};

/* The cell that a variable stands for, that a node names; NULL. */
struct rg__cell *rg__cell_at(const struct rg__build *b, int var);
struct rg__cell *rg__cell_named(const struct rg__build *b, const struct rg_cnode *n);
enum rg__cell_form rg__cell_form(const struct rg__build *b, uint32_t key);
/* The next attempt has it in that form. */
void rg__cell_decide(struct rg__build *b, uint32_t key, enum rg__cell_form form);
/* A new pointer: the variable that stands for it. A number, by its variable. */
int rg__cell_pointer(struct rg__build *b, uint32_t key, CXType type, const char *name);
void rg__cell_number(struct rg__build *b, int var, uint32_t key, const char *name, struct rg_cnode *value);
/* A local integer that is set again and again; value NULL: it has none yet. Where nothing is followed: nothing. */
void rg__cell_local(struct rg__build *b, int var, uint32_t key, struct rg_cnode *value);
/* What the named cell holds; the node itself where it names none. */
struct rg_cnode *rg__cell_load(struct rg__build *b, struct rg_cnode *place);
/* p = v, statements appended to b->hoist; the value. */
struct rg_cnode *rg__cell_store(struct rg__build *b, int var, struct rg_cnode *v, CXCursor where);
/* Before a cell is set to that: its variable says whether it is null from here on. false: v has none yet. */
bool rg__cell_mark_null(struct rg__build *b, struct rg__cell *c, const struct rg_cnode *v);
/* The pointer that may be null which v is, perhaps cast; NULL: it is none. */
const struct rg_cnode *rg__maybe_null(const struct rg_cnode *v);
/* What is 1 where such a pointer is null, 0 elsewhere; where that is not kept yet, it will be in the next attempt:
 * NULL. */
struct rg_cnode *rg__null_flag(struct rg__build *b, const struct rg_cnode *maybe);
void rg__cell_set_number(struct rg__build *b, int var, struct rg_cnode *value);
/* The place's address goes where it is not followed. */
void rg__cell_escapes(struct rg__build *b, const struct rg_cnode *place);
/* A null pointer is followed: was it loaded from a file-scope variable that nothing has set yet? */
void rg__cell_unset_read(struct rg__build *b, const struct rg_cnode *null);
/* A subscript among cells that is not known: the loops around that it goes by are read iteration by iteration. */
void rg__unroll_for(struct rg__build *b, const struct rg_cnode *index);
/* Is what the cell holds known here? */
bool rg__cell_known(const struct rg__build *b, const struct rg__cell *c);
/* A subscript of parameters alone is the same everywhere: it needs no variable that keeps it. */
bool rg__cell_fixed(struct rg__build *b, struct rg_cnode **sub);
/* A real number computed of parameters and numbers, once what is known is put in: sizes may be whole parts of it. */
bool rg__of_real_params(struct rg__build *b, const struct rg_cnode *e);
bool rg__cell_evaluate(const struct rg_cnode *n, int64_t *out);
bool rg__is_null_pointer(const struct rg_cnode *n);
bool rg__cell_null_or_unset(const struct rg_cnode *value); /* NULL: it was not set */
bool rg__cell_whole(const struct rg_cnode *value);         /* an array from its first element on */
/* What stands for an array is about to be set to another: what is remembered as a place in it is gone. */
void rg__cells_lead_elsewhere(struct rg__build *b, int array);

/* Ways through the body. All of them do nothing where cells are not followed. */
struct rg__now rg__now_save(struct rg__build *b);
void rg__now_restore(struct rg__build *b, const struct rg__now *s);
void rg__now_meet(struct rg__build *b, const struct rg__now *other);
void rg__now_leave(struct rg__build *b);                   /* break, continue */
bool rg__now_jump(struct rg__build *b, const char *label); /* false: it leads back */
void rg__now_label(struct rg__build *b, const char *label);
void rg__now_return(struct rg__build *b, bool fails); /* fails: with a value, under a condition */
void rg__now_returned(struct rg__build *b, struct rg__exits *e);
/* Where another way leads to than the one that the text takes - a case label, a loop's begin - nothing is known of
 * numbers that vary. */
void rg__now_forget(struct rg__build *b);
void rg__span_enter(struct rg__build *b, bool loop, struct rg__span *s);
void rg__span_leave(struct rg__build *b, struct rg__span *s);

/* t[i] = v of a table of rows: a number that stands for the statement; NULL: t is no such table. */
struct rg_cnode *rg__table_row(struct rg__build *b, struct rg_cnode *left, struct rg_cnode *v, CXCursor where);
/* The body was read: what names the block behind a table's rows names them. */
void rg__blocks_end(struct rg__build *b);

/* build_loop.c: a break or continue that always ends the iteration being read one by one: nothing is left to do there.
 * False: it is none. */
bool rg__ends_turn(struct rg__build *b, bool breaks);

/* build_choice.c */
struct rg__arm { /* what may run or not: its value, and what stands in front of that */
    struct rg_cnode *value;
    struct rg__kids front;
    struct rg__now end;
};
struct rg__arm rg__arm_of(struct rg__build *b, struct rg_cnode *(*build)(void *arg, struct rg__build *b), void *arg);
/* The value of type t that one of two arms gives, as a variable that an if sets in front of the statement; a number
 * where t is void. */
struct rg_cnode *rg__arms_chosen(struct rg__build *b, CXCursor c, CXType t, struct rg_cnode *cond, struct rg__arm *yes,
                                 struct rg__arm *no);

/* f(i > 0 ? &a[i - 1] : NULL, x): a call under the condition and one under its opposite. NULL: no argument is so, or
 * nothing is followed. */
struct rg_cnode *rg__call_by_condition(struct rg__build *b, CXCursor c, int function, struct rg_cnode **args, int n);
/* A call of one of several functions that do more than compute a value: an if for each. */
struct rg_cnode *rg__call_in_arms(struct rg__build *b, CXCursor c, const struct rg__targets *t,
                                  const struct rg__children *kids);

/* Between attempts; true: there is to be one more. */
bool rg__follow_again(struct rg__follow *f);
void rg__follow_release(struct rg__follow *f);

/* build_trips.c */
struct rg__trips_loop { /* parts that are not there are null */
    CXCursor where, condition, step, body;
};
/* Iteration by iteration, each under the condition that there is one. */
void rg__unroll_by_trips(struct rg__build *b, const struct rg__trips_loop *l, struct rg__kids *out);
/* A condition that asks numbers of iterations of one loop alone, by its number: of which of them it holds. */
bool rg__trips_truth(struct rg__build *b, const struct rg_cnode *cond, int *trips, uint64_t *holds);
/* The same condition here as a bound of that number; NULL: it is none. */
struct rg_cnode *rg__trips_condition(struct rg__build *b, int trips, uint64_t holds);
bool rg__by_trips(const struct rg__build *b); /* is there such a loop? */
/* A function that calls itself for the next level: an argument is another number than in all calls around, which are
 * few. */
bool rg__next_level(struct rg__build *b, int function, struct rg_cnode **args, int n);
/* What a pointer leads to is used, which it does not where there are fewer levels: the problem requires them, where the
 * function always comes here. */
void rg__trips_needed(struct rg__build *b, const struct rg__cell *c);

/* build_fixed.c */
/* For each of the sizes given, an environment of the problem's integers; false: there are none. */
bool rg__at_given_sizes(struct rg__build *b, void (*fn)(void *arg, int size, const struct rg_expr_env *env), void *arg);
/* The next attempt has the parameters in a number of objects as numbers; or .asks for one's size. True: it has more. */
bool rg__fix_sizes(struct rg__build *b, const struct rg_cnode *count);
/* The same of the number in `0 < n`; false, too: it is none. */
bool rg__fix_count(struct rg__build *b, const struct rg_cnode *condition);
/* The parameter's number, where it is to have one, which the problem requires then; NULL. */
struct rg_cnode *rg__fixed_number(struct rg__build *b, int param);
bool rg__fixed_size(const struct rg__build *b, const char *name, int64_t *value);
/* The symbol of a parameter that is one: its number, which the problem requires; false: it is none. */
bool rg__bind_fixed(struct rg__build *b, uint32_t key, int param);

/* build_object.c */
/* A variable of that type as its parts, where it is a pointer, a structure with pointers, or a small array of such: its
 * variable; -1: it is none. origin: the file-scope variable. */
int rg__object(struct rg__build *b, CXType type, const char *name, uint32_t key, uint32_t origin);
/* Is it a type that is built so? */
bool rg__object_is(struct rg__build *b, CXType type);
bool rg__is_allocator(const char *name);
/* malloc and its like as a value; NULL: none. */
struct rg_cnode *rg__build_memory(struct rg__build *b, CXCursor call, const char *name, struct rg_cnode **args, int n);
bool rg__is_memory(const struct rg__build *b, const struct rg_cnode *v);
/* Memory that is kept in a pointer of that type is an array, or an object; other values as they are. decl: of the
 * pointer, for the lengths of its rows; null. */
struct rg_cnode *rg__typed_memory(struct rg__build *b, struct rg_cnode *v, CXType type, const char *name,
                                  CXCursor where, CXCursor decl);
/* What an expression names, without its value being looked up: a cell, an object; NULL: something else. */
struct rg_cnode *rg__build_place(struct rg__build *b, CXCursor c);
/* place = value of such; NULL: it is no such assignment. */
struct rg_cnode *rg__object_assign(struct rg__build *b, CXCursor left, CXCursor right, CXCursor where);
/* All members to zero and null. */
bool rg__object_clear(struct rg__build *b, const struct rg_cnode *object);
bool rg__object_copy(struct rg__build *b, const struct rg_cnode *to, const struct rg_cnode *from, CXCursor where);
/* A file-scope variable that is built so: its symbol; NULL. */
struct rg__sym *rg__object_global(struct rg__build *b, CXCursor decl);
/* A local one, with its initialiser; false: it is none. */
/* What a set-up function's parameter leads to, which that function is asked to set; false: a parameter like others. */
bool rg__object_param(struct rg__build *b, CXCursor decl);
bool rg__object_local(struct rg__build *b, CXCursor decl, CXCursor init);
#endif
