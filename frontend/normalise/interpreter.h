/* An interpreter of the raw tree: the function's C, statement by statement, on values that are given to it. Passes ask
 * it what a piece of code does where no form of loops says so (sorting_trials.c).
 * What C leaves undefined (a subscript outside an array, a value that nothing set, a division by zero) ends a run as
 * such: on that input the code may do anything. */
#ifndef RG_FRONTEND_INTERPRETER_H
#define RG_FRONTEND_INTERPRETER_H
#include "frontend/load.h"

enum rg__run_status {
    RG__RUN_OK,
    RG__RUN_UNDEFINED, /* C says nothing of what it does here */
    RG__RUN_UNABLE     /* a construct that is not interpreted, or too many steps */
};

enum rg__value_kind { RG__VALUE_UNSET, RG__VALUE_INT, RG__VALUE_REAL, RG__VALUE_POINTER, RG__VALUE_RECORD };
struct rg__value {
    enum rg__value_kind kind;
    int64_t i; /* INT; POINTER: the element; RECORD: which */
    double d;
    int object; /* POINTER: to which array's memory; -1 none */
    int tag;    /* it is that watched element as it was (from 1), moved or copied; 0: it is not */
};
struct rg__value rg__value_int(int64_t i);
struct rg__value rg__value_real(double d);

struct rg__run_object { /* the memory of an array */
    int64_t n;
    struct rg__value *cells;
    bool grows; /* how long it is was not seen: as long as it is used, which any C is that is defined */
};

struct rg__run_frame;
struct rg__interpreter {
    const struct rg__build *b; /* whose helpers are called */
    const struct rg_ctree *t;
    enum rg__run_status status;
    int64_t steps, most_steps;
    int depth;
    struct rg__run_frame *frame; /* of the function being run */
    int n_objects, cap_objects;
    struct rg__run_object *objects;
    /* watched elements: what was done with them but moving them, and comparing two of them */
    bool derived;
    bool no_numbers; /* real values that are none (NaN) are compared as C does; else such a comparison ends the run */
    bool bits_taken; /* .. namely, the bits of one that is a real number were */
    int key_object;  /* to be a subscript here is no more than a comparison; -1 */
    /* records: elements that are structures are numbers of these; their members are only read */
    int n_records;
    struct rg__value (*member)(void *arg, int64_t record, const char *name);
    void *arg;
    const char *member_read; /* the one member that was read; NULL none */
    bool members_differ;     /* several were */
    /* which conditions have come out false (1) and true (2) */
    int n_branches, cap_branches;
    struct rg__branch {
        const struct rg_cnode *node;
        unsigned seen;
    } * branches;
};

/* For the tree of b; nothing is set yet. */
void rg__interpreter_init(struct rg__interpreter *r, const struct rg__build *b);
void rg__interpreter_release(struct rg__interpreter *r);
/* Back to the beginning: no memory, nothing set, status OK; what conditions came out as stays. */
void rg__interpreter_reset(struct rg__interpreter *r);
/* Memory of n elements, all unset; its number. */
int rg__interpreter_object(struct rg__interpreter *r, int64_t n);
void rg__interpreter_set_var(struct rg__interpreter *r, int var, struct rg__value v);
struct rg__value rg__interpreter_var(const struct rg__interpreter *r, int var);
void rg__interpreter_set_array(struct rg__interpreter *r, int array, int object);
int rg__interpreter_array(const struct rg__interpreter *r, int array); /* its memory; -1: it has none */
/* One statement of the function. True: it is left (return). */
bool rg__interpreter_run(struct rg__interpreter *r, const struct rg_cnode *s);
/* The value of an extent there; false: it has none yet. */
bool rg__interpreter_extent(struct rg__interpreter *r, const struct rg_expr *e, int64_t *out);
/* The value of an expression of the function. */
struct rg__value rg__interpreter_value(struct rg__interpreter *r, const struct rg_cnode *e);
/* Has everything below n been run, in the helpers that it calls, too? */
bool rg__interpreter_covered(const struct rg__interpreter *r, const struct rg_cnode *n);
#endif
