/* Passes that give the raw tree the shape rg/ctree.h promises; passes.c has their order. */
#ifndef RG_FRONTEND_CANON_H
#define RG_FRONTEND_CANON_H
#include "ir/ctree_util.h"
#include "ir/range.h"

struct rg__load;

void rg__canon_switches(struct rg__load *l); /* switch to if, do-while to for */
void rg__canon_found_places(struct rg_ctree *t,
                            const struct rg_problem *p); /* pointers to what bsearch finds become places */
void rg__canon_view_places(struct rg_ctree *t);          /* views of places become views and offsets */
/* Values of arrays that are written become statements. */
void rg__canon_lists(struct rg_ctree *t, const struct rg_problem *p);
/* for (..; y++, row += w): what is stepped beside the counter that the test asks for ends the body. */
void rg__one_step(struct rg_ctree *t, struct rg_cnode *f);
/* Elements that loops count by are locals there. */
void rg__canon_element_counters(struct rg_ctree *t, const struct rg_problem *p);
void rg__canon_control(struct rg_ctree *t);  /* continue, early return, while with a counter */
void rg__canon_set_bits(struct rg_ctree *t); /* loops over the bits that are set in an integer */
void rg__canon_sorts(struct rg_ctree *t, const struct rg_problem *p); /* sorts that are written out as loops */
enum rg_status
rg__canon_contained_scans(struct rg__load *l); /* reads of a part of scratch ask whether they are inside */
enum rg_status
rg__canon_runs(struct rg__load *l);         /* loops from run to run of like elements: every element asks by itself */
void rg__canon_tracked(struct rg_ctree *t); /* what is kept of the last element that differed is the last element */
/* Passes that place elements in the one array or the other. */
void rg__canon_few_trips(struct rg_ctree *t, const struct rg_problem *p);
enum rg_status rg__canon_pruned(struct rg__load *l); /* inner loops without exits that only save work */
enum rg_status rg__canon_capped(struct rg__load *l); /* lists of limited length: what is found is counted without */
void rg__canon_codes(struct rg_ctree *t);   /* what follows a test of a result code goes where the code is known */
void rg__canon_meeting(struct rg_ctree *t); /* loops that several counters end go by one of their own */
void rg__canon_equal_counters(struct rg_ctree *t); /* what steps beside a counter goes by it, in loops that data end */
void rg__canon_sunk_arrays(struct rg_ctree *t);    /* scratch that every iteration of a search fills is its own */
void rg__canon_searches(struct rg_ctree *t,
                        const struct rg_problem *p); /* loops left early: the first iteration that does */
void rg__canon_guards(struct rg_ctree *t);           /* what asks whether a read is inside its array says of which */
void rg__canon_errors(struct rg_ctree *t);           /* loops that an error ends run on, and are undone */
/* Statement i of the block, if (v++ == 0) .., or the two v += 1; if (v - 1 == 0) ..: the step goes behind. */
bool rg__step_behind(struct rg_ctree *t, struct rg_cnode *block, int i);
void rg__canon_steps(struct rg_ctree *t); /* b = *at++ of a declaration: at += 1 in front */
/* Members of local structures: scalars in the loops that name them; complex sums: those of their parts. */
void rg__canon_members(struct rg_ctree *t, const struct rg_problem *p);
/* Two buffers of which a variable from outside says the current one: code for both of its values. */
void rg__canon_current(struct rg_ctree *t, const struct rg_problem *p);
/* Places that parameters choose, and strides: what stores there, for each choice (chosen_places.c). */
void rg__canon_chosen_places(struct rg_ctree *t);
void rg__canon_toggles(struct rg_ctree *t);      /* f = !f is f ^= 1, or a closed form */
void rg__canon_toggles_left(struct rg_ctree *t); /* the closed forms of those that choose between arrays, too */
struct rg__powers { /* by parameter of the problem: may it be a power of two at all sizes; must it be one, and of what
                     */
    bool *may, *must;
    int *radix; /* 4, 8; 0: nothing more */
};
/* Loops that go by the power of two of a loop around them: over elements. */
void rg__canon_doubling(struct rg__load *l, const struct rg__powers *powers);
/* Places with their bits in reverse; l: whose helpers are looked into. */
void rg__canon_mirrors(struct rg_ctree *t, const struct rg__powers *powers, const struct rg__load *l);
/* Elements placed by counters, next[bucket]++: by a sort. */
void rg__canon_placements(struct rg__load *l);
/* Linked lists that loops build: by a sort. */
void rg__canon_lists_built(struct rg_ctree *t, const struct rg_problem *p);
void rg__canon_shifts(struct rg_ctree *t); /* rounds that count a power of two go by it; logarithms */
void rg__canon_until(struct rg_ctree *t);  /* loops that end when their data says so get a flag */
/* Counters that begin again at 0 when they have reached a number (cyclic_counters.c). */
void rg__canon_cyclic(struct rg_ctree *t);
/* Counters that are taken back below a number whenever they reach it (wrapped_counters.c). */
void rg__canon_wrapped(struct rg_ctree *t);
/* What is left of a loop's continues in branches sets a flag, which the rest of the body asks (deep_continues.c). */
void rg__deep_continues(struct rg_ctree *t, struct rg_cnode *body);
/* Returns out of loops inside loops become breaks, with a return behind each loop (nested_returns.c). */
void rg__lift_returns(struct rg_ctree *t);
/* An extreme with a count of those that share it: two reductions (counted_extremes.c). */
void rg__canon_counted_extremes(struct rg_ctree *t);
void rg__lift_checks(struct rg_ctree *t); /* so do those out of loops that check sizes in front of others */
/* May a number that data have given, without a sign, have become one below zero, `(int)u`? A sum of u can't say so
 * (closed_forms.c). */
bool rg__c_sign_lost(const struct rg_ctree *t, const struct rg_cnode *e);
void rg__canon_loops(struct rg_ctree *t);                   /* FOR to LOOP with a variable of its own */
enum rg_status rg__canon_whole_updates(struct rg__load *l); /* s = f(s, ..) of structures: by members */
enum rg_status rg__canon_work_lists(struct rg__load *l);    /* graph searches by queues and stacks: level by level */
/* pointers that move between arrays, indices that toggle */
void rg__canon_moves(struct rg_ctree *t, const struct rg_problem *p);
void rg__canon_element_pointers(struct rg_ctree *t); /* local pointers to an element of one array are that element */
void rg__canon_views_back(struct rg_ctree *t);       /* what could not be followed: pointer variables again */
void rg__canon_clamps(struct rg_ctree *t);           /* if (n > most) n = most; is n = n > most ? most : n; */
void rg__canon_params(struct rg_ctree *t);           /* parameters that are written become locals */
void rg__canon_equal_sizes(struct rg_ctree *t);      /* parameters that a condition says are equal are one behind it */
void rg__canon_propagate(
    struct rg_ctree *t,
    const struct rg_problem *p); /* integer locals by their closed forms; pure values of parameters */
enum rg_status rg__canon_parametric_steps(struct rg__load *l); /* loops whose step is a parameter run from 0 by 1 */
enum rg_status rg__canon_rebase(struct rg__load *l);           /* loops along products and by steps run from 0 by 1 */
void rg__canon_constants(struct rg_ctree *t);                  /* locals that are short expressions of parameters */
void rg__canon_dead(struct rg_ctree *t);                       /* assignments nobody reads */
void rg__canon_sink(struct rg_ctree *t);                       /* declarations move into the loops that use them */
void rg__canon_returns(struct rg_ctree *t); /* what is returned in tail position is assigned to `result` */
void rg__canon_elements(struct rg_ctree *t,
                        const struct rg_problem *p); /* those that stay the same through a loop are scalars in it */
void rg__canon_previous(struct rg_ctree *t,
                        const struct rg_problem *p); /* what the iteration before computed is computed again */
/* Codes of the last few elements are made anew of these. */
void rg__canon_windows(struct rg_ctree *t, const struct rg_problem *p);
void rg__canon_counters_ahead(struct rg_ctree *t, const struct rg_problem *p); /* m - 1 of a counter m */
/* Elements that a counter is at, summed up until it moves on, are scalars that are stored when they are left. */
void rg__canon_counted_elements(struct rg_ctree *t, const struct rg_problem *p);
void rg__canon_carried_members(struct rg_ctree *t, const struct rg_problem *p); /* carried_members.c */
void rg__canon_branches(struct rg_ctree *t,
                        const struct rg_problem *p); /* decided IFs vanish, data-dependent ones become COND */
void rg__canon_common_stores(struct rg_ctree *t,
                             const struct rg_problem *p); /* of both arms, in loops that read elements beside */
void rg__canon_subscripts(struct rg_ctree *t);
void rg__canon_short_sums(struct rg_ctree *t); /* sums of a few components by a loop: each by itself */
void rg__canon_updates(struct rg_ctree *t);    /* s = s + e becomes s += e */
void rg__canon_opaque(struct rg_ctree *t, const struct rg_problem *p); /* everything else becomes OPAQUE */
/* Behind an opaque loop, block->kid[at]: what it adds to scalars from outside. How many statements were put around it.
 */
int rg__canon_sums(struct rg_ctree *t, struct rg_cnode *block, int at);
bool rg__only_adds(const struct rg_cnode *n, int var); /* Does n nothing to the scalar but add? */
void rg__canon_stamped_marks(struct rg_ctree *t, const struct rg_problem *p); /* stamped_marks.c */
/* The first iteration that takes part in a minimum or maximum with a flag is found ahead. */
void rg__canon_accepted(struct rg_ctree *t, const struct rg_problem *p);
void rg__canon_last_stores(struct rg_ctree *t, const struct rg_problem *p); /* last_stores.c */
void rg__canon_data_bounds(struct rg_ctree *t, const struct rg_problem *p); /* data_bounds.c */
void rg__canon_data_bounds_again(struct rg_ctree *t, const struct rg_problem *p);
/* Notes arrays whose elements, where they are read, are all different. */
void rg__canon_distinct_lists(struct rg_ctree *t, const struct rg_problem *p);
/* What is not affine in a block that stands in nothing but conditions becomes opaque. */
void rg__opaque_parts(struct rg_ctree *t, const struct rg_problem *p, struct rg_cnode *block);
void rg__canon_round_bounds(struct rg_ctree *t, const struct rg_problem *p); /* round_bounds.c */
/* The LOOP runs from one value to the other, and does what it did where the condition holds. */
void rg__ask_in_loop(struct rg_ctree *t, struct rg_cnode *l, struct rg_cnode *asks, struct rg_cnode *from,
                     struct rg_cnode *to);
/* Has the expression one value all through the loop? */
bool rg__loop_invariant(const struct rg_ctree *t, const struct rg_cnode *e, const struct rg_cnode *loop);
/* asked_in_front.c: a question put in front of statement s, which the run answers. Its flag: the declaration. The loop
 * once more, in which the flag is 0 from the first iteration on where `fails`. And s twice: `if (flag) a copy else s`.
 */
struct rg_cnode *rg__asked_flag(struct rg_ctree *t, const char *name, const struct rg_cnode *at, int *flag);
struct rg_cnode *rg__asked_over(struct rg_ctree *t, const struct rg_cnode *loop, struct rg_cnode *fails, int flag);
struct rg_cnode *rg__asked_arms(struct rg_ctree *t, struct rg_cnode *s, int flag);
/* Nests over rows that are compressed (CSR) ask in front whether no element belongs to two rows. */
void rg__canon_compressed_rows(struct rg_ctree *t, const struct rg_problem *p);
/* Scratch behind a parameter that every iteration fills first: each has its own, the last stores it. */
void rg__canon_callers_scratch(struct rg_ctree *t, const struct rg_problem *p);
/* Exchanges by a table (of reversed bits) ask in front whether it leads back. */
void rg__canon_table_swaps(struct rg_ctree *t, const struct rg_problem *p);
/* Sizes that loops go through in whole steps are multiples of these. */
enum rg_status rg__canon_step_multiples(struct rg__load *l);
/* Lists filled through counters: counts, their prefix sums, and then all iterations at once. */
enum rg_status rg__canon_filled_lists(struct rg__load *l);
/* Elements that go to one of two parts of an array, by counters, are two lists. */
void rg__canon_split_lists(struct rg_ctree *t, const struct rg_problem *p);
void rg__canon_last_flags(struct rg_ctree *t); /* last_flags.c */
/* The best so far, where it is known by its place alone, is a scalar beside that. */
void rg__canon_ordered_keys(struct rg_ctree *t,
                            const struct rg_problem *p); /* extremes by several keys: one after the other */
void rg__canon_extremes(struct rg_ctree *t, const struct rg_problem *p);
/* Tables that every iteration fills with the same values are filled in front of the loop. */
void rg__canon_invariant(struct rg_ctree *t, const struct rg_problem *p);
/* What goes on until an iteration sets a flag for what it has itself goes on up to the first such one. */
void rg__canon_settled(struct rg_ctree *t, const struct rg_problem *p);
/* What only a loop's first iteration that meets a condition does stands behind the loop. */
void rg__canon_takers(struct rg_ctree *t, const struct rg_problem *p);
/* What an iteration of the LOOP makes of e, over its number and what the loop leaves alone; NULL: nobody can say it
 * behind the loop. first_takers.c */
struct rg_cnode *rg__iteration_value(struct rg_ctree *t, struct rg_cnode *loop, const struct rg_cnode *e);
/* What the first iteration to come to an element gives it, and later ones make smaller or larger (first_visits.c). */
void rg__canon_first_visits(struct rg_ctree *t, const struct rg_problem *p);
/* Loops in which data lead from one part of a block perhaps into another ask whether they do. */
void rg__canon_parts(struct rg_ctree *t, const struct rg_problem *p);
void rg__canon_rows(struct rg_ctree *t);  /* values of a row go to its elements */
void rg__canon_lines(struct rg_ctree *t); /* what passes made stands where what is in front of it does */
void rg__canon_names(struct rg_ctree *t); /* what is left gets its own names back */

/* Stores that data lead are the last iteration's; once the arrays' extents are known. */
void rg__canon_last(struct rg_ctree *t, const struct rg_problem *p);

/* Components by union and find: all unions of a round at once. */
enum rg_status rg__canon_unions(struct rg__load *l);
/* Rounds in which elements do something once, as soon as they may: who does is found in front of each. */
void rg__canon_firing(struct rg_ctree *t, const struct rg_problem *p);
/* Rounds of updates that go on until nothing changes go by the elements as each of them found them. */
/* Rounds over a pivot (Floyd and Warshall). */
void rg__canon_pivots(struct rg_ctree *t, const struct rg_problem *p);
void rg__canon_rounds(struct rg_ctree *t, const struct rg_problem *p);

/* Reads that data lead into rows that the loop fills: behind it. */
void rg__canon_led_reads(struct rg_ctree *t, const struct rg_problem *p);

/* Loops that store one value, minima or maxima to one another's elements go by the elements as they found them. */
enum rg_status rg__canon_scattered(struct rg__load *l);

/* Loops that compute of a value that they carry what they carry, too: a loop for each. */
void rg__canon_running(struct rg_ctree *t, const struct rg_problem *p);
/* shifts.c: loops that read a fixed way ahead of what they store read a copy. */
void rg__shift_copies(struct rg_ctree *t, struct rg_cnode *n);
void rg__canon_shifts_ahead(struct rg_ctree *t, const struct rg_problem *p);
void rg__canon_shifted_updates(struct rg_ctree *t, const struct rg_problem *p); /* sweeps that data shift: by a copy */
/* what keeps some of an array's elements at its front reads a copy */
/* scanned_places.c: loops that move elements to places that a scan gave fill lists. */
void rg__scanned_places(struct rg_ctree *t, struct rg_cnode *n);
void rg__canon_in_place_lists(struct rg_ctree *t, const struct rg_problem *p);
#define RG__MOST_UNKNOWN UINT64_MAX
uint64_t rg__largest_of(enum rg_scalar type); /* number of the integer type */
/* The most that the integer can be, where it is seen not to be negative; RG__MOST_UNKNOWN. The most that a scalar is in
 * front of statement `at` of the block. */
/* The remainder by a number that e is, below conversions that hold it; NULL. */
const struct rg_cnode *rg__remainder_in(const struct rg_cnode *e);
uint64_t rg__most_of(const struct rg_cnode *e);
uint64_t rg__most_before(const struct rg_ctree *t, const struct rg_cnode *block, int at, int var);
void rg__canon_modular_recurrences(struct rg_ctree *t, const struct rg_problem *p); /* modular_recurrences.c */
void rg__canon_modular_sums(struct rg_ctree *t);                         /* sums modulo a number, and shifts of sums */
void rg__canon_automata(struct rg_ctree *t, const struct rg_problem *p); /* automata.c */
void rg__canon_bit_recurrences(struct rg_ctree *t, const struct rg_problem *p);

/* Small local arrays that iterations fill before they read them are declared inside. */
void rg__canon_private(struct rg_ctree *t, const struct rg_problem *p);
/* The same before loops that exchange pointers are written out, of arrays that these use. */
void rg__canon_private_turning(struct rg_ctree *t, const struct rg_problem *p);
/* Behind a test that a size is a multiple of a number: quotients that are rounded up, and rests. */
enum rg_status rg__canon_whole_quotients(struct rg__load *l);

/* Arrays with rows that some code walks through as one piece get one dimension: those that a pointer to their first
 * element goes along, beside subscripts; those that a pointer may leave a row of; local ones, whatever names them. */
enum rg_status rg__flat_whole(struct rg__load *l);
enum rg_status rg__flat_walked(struct rg__load *l);
void rg__flat_locals(struct rg__load *l);

/* The expression with masks and shifts of integers that are never negative as remainders and quotients, in place. */
struct rg_cnode *rg__without_bits(struct rg__range *r, struct rg_cnode *e);
/* v += c; or v = v + c; : the variable, else -1. */
int rg__counter_step(const struct rg_cnode *s);
/* What declarations and conditions of a block step on their way, in front of them or behind: rg__c_walk's visitor. */
bool rg__lift_steps(void *tree, struct rg_cnode *n);
int64_t rg__counter_amount(const struct rg_cnode *s); /* by how much such a statement steps it */
/* 1 always true here, 0 always false, -1 unknown. */
int rg__decide(struct rg__range *r, const struct rg_cnode *c);
#endif
