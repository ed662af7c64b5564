/* Calls of the user's function over guarded buffers. Internal to the reference worker. */
#ifndef RG_RUNTIME_REF_CALL_H
#define RG_RUNTIME_REF_CALL_H
#include "runtime/data/layout.h"
#include "runtime/reference/reference.h"

struct rg_call { /* the arguments of one call */
    const struct rg_problem *problem;
    const struct rg_library *library;
    const struct rg_layout *layout;
    struct rg_guarded *buffers;        /* one a parameter */
    void **a;                          /* their data */
    unsigned long *bytes;              /* of each */
    void (*watch)(void *arg, bool on); /* around the user's function itself; NULL: none */
    void *watch_arg;
    bool invalid; /* an operation of the last run had no value: IEEE's invalid exception */
};

/* Buffers of the library's own types; arrays end (at_end) or start at a guard page. */
enum rg_status rg__call_new(struct rg_call *c, const struct rg_problem *p, const struct rg_library *l,
                            const struct rg_layout *layout, bool at_end, struct rg_error *err);
void rg__call_free(struct rg_call *c);
/* Inputs from a case's range (`base`), outputs filled with `poison` bytes. */
void rg__call_load(struct rg_call *c, const void *base, int poison);
/* After a load: about half of the real inputs, chosen by value and `seed`, become smaller by the rounding of one
 * operation in their own type. Those of few significant bits stay. */
void rg__call_nudge(struct rg_call *c, uint64_t seed);
/* One call; *seconds its time. RG_INPUT when it wrote beside a buffer. A crash ends the process with a message. */
enum rg_status rg__call_run(struct rg_call *c, const char *where, double *seconds, struct rg_error *err);
struct rg_init_care {
    bool may_fail; /* a fault of it is RG_INPUT; else the process ends, as with the function's own */
    bool may_hang; /* so is one that takes longer than INIT_SECONDS; else the process ends with RG_LIMIT */
    bool patient;  /* it takes as long as it takes */
};
/* Runs the init function; then INIT parameters are in c's buffers. */
enum rg_status rg__call_init(struct rg_call *c, const char *where, struct rg_init_care care, struct rg_error *err);
/* Real part `k` (in order of fields and components) of element i, as double. */
double rg__call_real(const struct rg_call *c, int param, int64_t i, int64_t k);

/* From inside a call: answers message `*current` with `line` and ends the process. */
void rg__call_answer(const char *line, size_t len);
/* Catches signals of the user's code: writes an ERROR message for message `*current` to `out` and ends the process. */
void rg__call_catch(int out, const int64_t *current);
/* A crash is told with a place: where(file, size, line) false: unknown. */
void rg__call_where(bool (*where)(char *file, size_t size, int *line));
/* Are the integers of a parameter's elements what `elements` of them in the problem's own layout hold? */
bool rg__call_same_integers(const struct rg_call *c, int param, int64_t elements, const void *as);
/* Elements from .. from+n-1 of a parameter that is one plain real, as doubles. */
void rg__call_reals(const struct rg_call *c, int param, int64_t from, int n, double *out);
#endif
