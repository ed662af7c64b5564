/* What is found out about a problem: extents, roles, sizes, inputs, traits, work. */
#ifndef RG_FRONTEND_INFER_H
#define RG_FRONTEND_INFER_H
#include "frontend/load.h"

/* extent.c: those of the problem's arrays that the user did not write; of local arrays; of the rows of tables of
 * pointers */
void rg__infer_extents(struct rg__load *l);
void rg__infer_local_extents(struct rg__load *l);
enum rg_status rg__infer_row_extents(struct rg__load *l);

/* param_roles.c */
void rg__roles(struct rg_problem *p, struct rg_ctree *t);
bool rg__mentions_kind_index(const struct rg_cnode *n); /* reads memory or calls */

/* param_names.c: the parameter people call `name`; -1. */
int rg__param_named(const struct rg_problem *p, const char *name);
/* The one that the user means by it: that, what a set-up function parks its parameter of that name in, or the only one
 * whose last member is called so, where no function or variable in sight has that name for something else; -1. And an
 * expression over such names with the parameters' own. */
int rg__param_meant(const struct rg__load *l, const char *name);
const struct rg_expr *rg__as_named(struct rg__load *l, const struct rg_expr *e);
const char *rg__known_params(struct rg__load *l); /* as people call them */
/* The error about a name that is none of them: what there is, and which of it may have been meant. */
enum rg_status rg__no_parameter(struct rg__load *l, const struct rg__directive *d, const char *name,
                                struct rg_error *err);

/* extents and everything directives say about parameters; sizes given by the user */
enum rg_status rg__apply_extents(struct rg__load *l);
enum rg_status rg__apply_params(struct rg__load *l); /* roles, inputs, expected values, tolerance, init */
enum rg_status rg__apply_sizes(struct rg__load *l);
/* Is it such a name as sizes have that the extents bring: `ptr.end`, `x.size`? */
bool rg__comes_later(const char *name);
/* The extents that the user stated in such sizes. */
enum rg_status rg__apply_later_extents(struct rg__load *l);
/* What the user stated for a size that the extents have brought, in this row or one before it: *value. */
void rg__take_later_size(struct rg__load *l, int param, int row, int64_t *value);
enum rg_status rg__later_sizes_taken(struct rg__load *l); /* RG_INPUT: the user named one that there is not */
void rg__other_extents(struct rg__load *l); /* what no access says: callers, or the data that lead there (reach.h) */
enum rg_status rg__require_extents(struct rg__load *l); /* every extent known, or the error that shows the pragma */
bool rg__holds(void *load, const struct rg_expr *e);    /* at every size given */
bool rg__sizes_open(void *load, const struct rg_expr *e, bool place); /* extent.h */
bool rg__may_hold(void *load, const struct rg_expr *e);               /* or at sizes that are not given yet */
enum rg_status rg__check_sizes(struct rg__load *l);
enum rg_status rg__specialize(struct rg__load *l); /* requires the one size */

bool rg__mentions_unset(const struct rg__load *l, const struct rg_expr *e); /* a size the user has not given */
void rg__add_require(struct rg_problem *p, const struct rg_expr *e);        /* once */
/* The parameter is a power of two, as `most` is, which it is at most. */
void rg__require_power(struct rg_problem *p, int param, int64_t most);
/* A derived parameter becomes a size parameter, with its value in every size; RG_INPUT where it has none. */
enum rg_status rg__append_derived(struct rg__load *l, int param);

/* user_directives.c: the input of one member of a structure's elements, made where there is none yet; what it points to
 * is the problem's. */
struct rg_input *rg__member_input(struct rg_problem *p, struct rg_param *q, const char *path);

/* setup_facts.c: what the init function, or others of the file, leave in the file-scope variables that are parameters;
 * and the extents that follow. */
void rg__read_setup(struct rg__load *l);
/* setup_shape.c: what the init function, or another of the file, leaves behind pointers to structures: l->shape. */
bool rg__read_shape(struct rg__load *l);
void rg__read_facts(struct rg__load *l, int function);
/* setup_sequence.c: what the parts of a sequence leave, each read on its own, where the whole did not say it. */
void rg__read_parts(struct rg__load *l);
/* Who of the sequence takes what it has by that name; `function` itself where it is no sequence. */
int rg__taker(const struct rg__load *l, int function, const char *name);
/* Where the init function sets its parameter `name`, which fills q, to one number in any case: q's input says it. */
void rg__init_stated(struct rg__load *l, int function, const char *name, struct rg_param *q);
/* The parameter of the problem that `name`, a parameter of that function, is parked in there; -1. */
int rg__parked_in(const struct rg__load *l, int function, const char *name);
/* The fact about the variable people call `name`; NULL. */
const struct rg__fact *rg__fact_of(const struct rg__load *l, int function, const char *name);
/* Sizes that go with others, as the init function says, in values for all size parameters. */
void rg__tie_sizes(const struct rg__load *l, int64_t *values);
/* The tree speaks of the others alone. */
void rg__tie_tree(struct rg__load *l);
/* The parameter of the problem that stands for a parameter of that function: what it is parked in, or one of its name;
 * -1. */
int rg__stands_for(const struct rg__load *l, int function, const char *name);

/* user_inits.c: the structure of the function's own that a set-up function's parameter stands for, by name: one of
 * its name, or the only one of its type; NULL. */
const char *rg__structure_meant(const struct rg__load *l, CXCursor decl);

/* caller_facts.c: extents, and sizes, that only the function's callers in the file say. */
void rg__caller_extents(struct rg__load *l);
void rg__caller_sizes(struct rg__load *l);
/* caller_reals.c: random real scalars stay near the numbers that the file calls the function with. */
void rg__caller_reals(struct rg__load *l);
/* The number that the only call of the function in the file passes for `param`. False: there is none, or several. */
bool rg__caller_argument(struct rg__load *l, int function, CXCursor param, double *v);
/* The same of its parameter of this name. */
bool rg__caller_sets_up(struct rg__load *l, int function, const char *name, double *v);

/* found_inits.c: without --init, the calls in front of the function's own in the file that make its inputs. `read`: by
 * function, whether its facts have been read. The problem's init function is then named by all of them. */
void rg__find_inits(struct rg__load *l, bool *read);
void rg__apply_found_inits(struct rg__load *l);
void rg__drop_found_inits(struct rg__load *l, const char *why);
/* main_arguments.c: where the init function is main, what it gets as parameter `at`: argc is 1, argv its name and NULL,
 * as from a shell without arguments. False: it is none of main's. *st RG_INPUT where it takes arguments for granted. */
struct rg__directive;
bool rg__main_argument(struct rg__load *l, const struct rg__directive *d, int function, int at,
                       struct rg__init_arg *arg, enum rg_status *st);
/* user_inits.c: the call of the set-up function that the directive names, and what it fills. */
enum rg_status rg__init_of(struct rg__load *l, const struct rg__directive *d);
bool rg__is_integer(const struct rg_param *q); /* an integer, whatever it is used for */
/* What it leaves in file-scope variables that are parameters is their input, "init(name)". */
void rg__init_state(struct rg__load *l, int function, const char *text);
/* And in a structure's members, and behind them; integers are sizes. */
void rg__init_members(struct rg__load *l, int carrier, const char *text);

/* program_sizes.c: must the integer parameter be what the file's program passes? Else it only says how often something
 * is done. */
bool rg__program_binds(const struct rg__load *l, int param);
/* The parameter that is in each of its inputs what that number of its text is there, divided or multiplied; -1. */
int rg__program_same(const struct rg__load *l, int function, int64_t number);
bool rg__program_takes(const struct rg__load *l, const char *name);
/* The sizes that it makes, behind those that the user gave; RG_INPUT: the user gave others than it can make. */
enum rg_status rg__program_sizes(struct rg__load *l);
/* found_inits.c: does a call do more than compute, fill memory and print? Does a function allocate? */
bool rg__call_does_more(const struct rg__load *l, CXCursor call);
bool rg__allocates(const struct rg__load *l, int function);

/* index_inputs.c: inputs of integers (arrays, members of structures) that lead into other arrays, where the user gives
 * none. After roles and extents. */
void rg__index_inputs(struct rg__load *l);
/* bit_field_inputs.c: all bits of bit-fields. */
void rg__bit_field_inputs(struct rg__load *l);
/* shift_counts.c: calls `found` for each integer by which the function, or a helper that it gives it to, shifts, and in
 * which range (lo .. hi) C defines the shift; and for the factors of products that are shifted to the right (`factor`),
 * with the range of a fraction. Linear in the trees, times the depth of the calls. */
typedef void rg__shift_count_fn(void *arg, const struct rg_cnode *e, bool factor, int64_t lo, int64_t hi);
void rg__shift_counts(const struct rg__load *l, rg__shift_count_fn *found, void *arg);
/* Bounds of the user's inputs that are sizes in figures grow and shrink with them. */
void rg__scaled_inputs(struct rg__load *l);
/* whole_steps.c: sizes that must be multiples of what a loop steps by. */
void rg__whole_steps(struct rg__load *l);
void rg__note_multiple(struct rg_problem *p, int param, int64_t by); /* says of a size that it must be one */
/* The parameter's input, where the user says none, in the words that a user would say it in (`uniform(0, n - 1)`).
 * False: they say nothing, and it stays as it was. */
bool rg__draw_input(struct rg__load *l, struct rg_param *q, const char *text);
/* compared_inputs.c: and of those whose elements are mostly compared with something. Behind the former. */
void rg__compared_inputs(struct rg__load *l);
/* related_inputs.c: of lengths of paths, and of reals of which some must be equal. Before the latter. */
void rg__related_inputs(struct rg__load *l);
/* What is searched by halves is in order, where nobody states it. */
void rg__draw_searched(struct rg__load *l, struct rg_param *q);
/* Notes whose elements are checked on the way (load.h: checked); the tree is as it was read. */
void rg__checked_inputs(struct rg__load *l);
/* missing_places.c: l->missing; the same. */
void rg__missing_places(struct rg__load *l);

/* default_sizes.c: by size parameter, does it decide how much there is to do? malloc'd. */
bool *rg__sizes_needed(struct rg__load *l);
/* Integers that decide how much work there is must have been given; the others get a value. */
enum rg_status rg__settle_sizes(struct rg__load *l);
/* fixed_factors.c: l->fixed_unit; and so many quarters of it for size parameter k, 0: it is no such number. */
void rg__fixed_factors(struct rg__load *l);
int64_t rg__fixed_value(const struct rg__load *l, int k, int quarters);
/* entry_guards.c: conditions under which the function does anything (l->guards), and sizes that follow from them. */
void rg__entry_guards(struct rg__load *l);
bool rg__past_guards(const struct rg__load *l, const int64_t *values); /* by size parameter; what is unknown holds */
/* Adds to l->guards what must hold for the condition, of l's tree, not to. */
void rg__guard_against(struct rg__load *l, struct rg_cnode *condition);
bool rg__set_up_at(const struct rg__load *l, const int64_t *values); /* does no set-up function turn back (l->doors)? */
void rg__meet_guards(const struct rg__load *l, int k, int64_t *values); /* gives size k a likely value past the door */
/* Is the integer compared with what comes from data, and nothing else? counters: the tree is as it was read, where the
 * counters of loops are locals like others. (thresholds.c) */
bool rg__is_threshold(const struct rg_ctree *t, int param, bool counters);
/* The size parameter that is the extent of what elements lead into that are compared with the integer (`if (at[i] >= n)
 * return -1; .. v[at[i]]`): inputs stay below either where both are one; -1. Linear in the tree. */
int rg__bounds_places(const struct rg__load *l, int param);
/* Is it how many elements a list that the function fills has room for? (capacities.c) */
bool rg__is_capacity(const struct rg_ctree *t, int param);
/* By size parameter that nobody gave, apart from those in `but`: do elements of a longer list lead into arrays of that
 * length in pairs? malloc'd. Quadratic in the subscripts of subscripts. (pair_lists.c) */
bool *rg__led_into(const struct rg__load *l, const bool *but);

/* verify_sizes.c: verify sizes by counted work */
void rg__verify_sizes(struct rg__load *l);
/* work_count.c: estimates at one size; values parallel to size_params */
struct rg__count {
    double accesses, flops;
    double round; /* accesses where loops that data end, with others in them, go round once; 0: there are none */
    bool empty;   /* a loop over parameters alone runs not once */
};
/* What a statement gives the flag by which the loop goes on; NULL: it does nothing of the kind. */
const struct rg_cnode *rg__flag_value(const struct rg_cnode *loop, const struct rg_cnode *s);
/* The first loop that data end and other loops stand in; NULL: there is none. */
const struct rg_cnode *rg__loop_of_rounds(const struct rg_cnode *root);
struct rg__count rg__count_work(const struct rg_problem *p, const struct rg_ctree *t, const int64_t *values);
/* Times the body of a nest of affine loops runs. */
double rg__executions(const struct rg_problem *p, const struct rg_ctree *t, const int64_t *values,
                      const struct rg_cnode *const *loops, int n);
/* footprint.c: bytes that must be read and written at the timed size; < 0 unknown */
void rg__compulsory(struct rg_problem *p, struct rg_ctree *t);

/* user_inits.c: the structure with pointers inside that the function calls so (rg__build.carriers); -1 none. */
int rg__carrier_named(const struct rg__load *l, const char *name);

/* recurrence_classes.c: the class that the way of values between elements of one array tells; NULL none */
const char *rg__recurrence_class(struct rg_ctree *t);
/* rows.c: is what a loop reduced used in another loop beside it, for each of the same elements? */
struct rg__writes;
bool rg__rowwise(const struct rg__writes *w);
/* traits.c */
void rg__traits(struct rg_problem *p, struct rg_ctree *t);
#endif
