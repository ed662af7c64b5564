/* One load of a C file, from its text to the problem: what the rooms of the front end hand on to one another. */
#ifndef RG_FRONTEND_LOAD_H
#define RG_FRONTEND_LOAD_H
#include "frontend/infer/extent.h"
#include "frontend/read/build.h"
#include "frontend/read/directive.h"
#include "frontend/read/init_sequence.h"
#include <rg/frontend.h>

struct rg__fact {     /* what another function of the file leaves in a file-scope variable (infer/setup_facts.c) */
    const char *name; /* as people write it: "g.row" */
    CXCursor decl;    /* of the variable */
    int function;     /* in unit: which */
    int n_dims;       /* of the memory it allocates for it; 0: none */
    const struct rg_expr *dims[8];
    const struct rg_expr *value; /* an integer's; over that function's parameters, as dims are; NULL */
    const char *given;           /* the pointer parameter it is set to; NULL */
    const char *narrowed;        /* else: the integer parameter it is, after a cast to a type that holds less; NULL */
    enum rg_scalar cast;         /* to that type */
    bool filled;                 /* its elements, or the number itself, are set by that function */
};

struct rg__door { /* an initialisation function turns back in front of all that it does where that does not hold */
    int function; /* in unit: which; -1: the problem's, and over its sizes */
    const struct rg_expr *holds;
};

struct rg__tie { /* a member of a structure that the init function always sets to that, of sizes of the problem's own */
    int param;
    const struct rg_expr *value;
};

struct rg__init_arg {            /* what an initialisation function is called with */
    int param, carrier;          /* the problem's; -1 */
    bool pointer, fills;         /* it takes the parameter's memory; and writes there */
    const struct rg_expr *value; /* else: over the problem's sizes; NULL */
    const char *text;            /* else: a literal; NULL: 0 */
    const char *name;            /* of a number that is no parameter of the problem, as its function calls it; NULL */
};

struct rg__init_call { /* one call that makes inputs (infer/user_directives.c, infer/found_inits.c) */
    int function, n_args;
    struct rg__init_arg *args;
};

enum {
    RG__PROGRAM_ARGS = 16,
    RG__PROGRAM_NUMBERS = 64,
    RG__PROGRAM_SMALL = 64 /* numbers divided by more make inputs only where these are large */
};
struct rg__load;
struct rg__program {   /* the file's own program up to its call of the function, which makes the inputs (emit/program.h)
                        */
    int n_path, *path; /* functions on the way there, main first; then those that share named numbers with them */
    int n_ways;        /* of path: on the way */
    int set_up;        /* the function that --init names, -1; and the integers that the user has it called with */
    bool is_given[RG__PROGRAM_ARGS];
    int64_t given[RG__PROGRAM_ARGS];
    bool stays[RG__PROGRAM_ARGS]; /* structures follow from it: it is that in smaller inputs, too */
    int n_numbers; /* that can be told apart in its text, and are divided where a bit of `which` says so */
    int64_t numbers[RG__PROGRAM_NUMBERS];
    uint64_t which;
    bool plain; /* names of constants stay: with numbers for them it is no C (a compound literal of so many elements) */
    double call_s; /* that its call takes as it stands; < 0: it does not come back */
    bool more;     /* there are sizes more that its data say: it is to be asked for them */
    int n_rows;    /* 0: it makes none */
    struct rg__program_row {
        int by;          /* its numbers are divided by that; < 0: multiplied by -by */
        int64_t *values; /* of the integer parameters, by parameter */
        int n;           /* parameters that there were: sizes are found later, too */
    } * rows;            /* the one that is timed first: as it stands, or a larger one */
    /* The rows once more, with the values of parameters that have been found since: how far data lead. false: the
     * program does not say them. */
    bool (*again)(struct rg__load *l);
    bool same; /* it said the same values as before */
};

struct rg__load {
    const struct rg_frontend_options *o;
    struct rg__unit unit;
    struct rg__directives dirs;
    struct rg_problem *p;
    struct rg_ctree *t; /* NULL: no tree */
    struct rg__build b;
    int function;              /* in unit */
    bool as_call;              /* its body is read as a call of it */
    bool unknown_memory;       /* it is text, as how much memory it takes was not seen */
    const char *unstated_real; /* a real parameter that amounts of memory depend on, whose value nobody stated; NULL */
    uint64_t in_order;         /* bits of parameters that the function takes to be in order: a merge's */
    uint64_t halved;    /* and of those that it tries halves of: their inputs are in order, as nobody stated others */
    uint64_t checked;   /* of those of which an element beyond a bound ends the function on its way */
    bool shown_extents; /* those of the few elements that a call shows the function with count, too */
    bool rows_only;     /* of what the callers say: arrays that are arguments are read off the accesses first */
    uint64_t missing;   /* and of those whose elements are used only where they are not -1 */
    bool follow;        /* pointers are followed by value also where a tree is found without */
    struct rg__shape *shape; /* behind file-scope variables; NULL: unknown */
    int shape_of;            /* the function that sets them up */
    int n_set, cap_set;
    struct rg__set_arg { /* the numbers that it is called with */
        const char *name;
        int64_t value;
    } * set;
    /* Called with a set-up function's load while its cells are there. */
    void (*objects)(void *arg, struct rg__load *l);
    void *objects_arg;
    bool sizes_stay; /* a set-up function's sizes stay names, where pointers are followed */
    int n_facts, cap_facts;
    struct rg__init_real { /* `*dt = 0.01;`: what an init function sets a real number to, whatever its arguments */
        int function;
        const char *name; /* of the init function's parameter */
        double value;
    } * init_reals;
    int n_init_reals, cap_init_reals;
    struct rg__fact *facts;
    int n_ties, cap_ties;
    struct rg__tie *ties;
    int n_inits, cap_inits;
    struct rg__init_call *inits;  /* in their order */
    struct rg__sequence sequence; /* of several set-up functions that are named */
    struct rg__program program;
    struct rg__derived need; /* conditions the analysis asked for */
    int n_doors, cap_doors;
    struct rg__door *doors; /* of functions that set something up; infer/setup_facts.c */
    int n_guards, cap_guards;
    const struct rg_expr **guards; /* past its door the function does something where they hold; infer/entry_guards.c */
    int n_later, cap_later;
    struct rg__later_size { /* stated of a size that the extents bring: `--size ptr.end=7000` */
        const struct rg__directive *d;
        const char *name;
        int64_t value;
        int row; /* of problem->sizes */
        bool taken;
    } * later; /* malloc'd */
    int n_later_extents, cap_later_extents;
    const struct rg__directive **later_extents; /* malloc'd; stated in such sizes */
    bool *unset;                                /* by size parameter: the user gave no value (in some size) */
    int n_called;                               /* 0: no caller in the file was asked */
    bool *called;                               /* by size parameter: such a caller says it */
    int *bounds;                                /* by size parameter: the size that such a bound is; -1 none */
    bool *defaulted;                            /* by size parameter: none was needed, we chose */
    int64_t *fixed_unit;                        /* by size parameter: its 1, where it is a number in fixed point; 0 */
    struct rg_error *err;
};
#endif
