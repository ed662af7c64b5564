/* The order of passes. */
#include "frontend/normalise/passes.h"
#include "frontend/infer/infer.h"
#include "frontend/normalise/canon.h"
#include "frontend/normalise/delinearisation.h"
#include "frontend/normalise/even_sizes.h"
#include "frontend/normalise/kept_trees.h"
#include "frontend/normalise/size_symbols.h"
#include "frontend/normalise/sorting_trials.h"
#include <rg/file.h>
#include <stdlib.h>
#include <string.h>

/* What passes make true of the tree, and others count on. */
enum {
    STRUCTURED = 1 << 0, /* loops are left at their end alone, wherever that could be: no switch, no continue, whiles
                            that count are FOR */
    OWN_PARAMS = 1 << 1, /* nothing sets a parameter */
    LOOPS = 1 << 2,      /* counted loops are LOOP */
    ONE_ARRAY = 1 << 3,  /* a name of an array means one array */
    SYMBOLS = 1 << 4,    /* what the function computes from its sizes has a name */
    CLOSED = 1 << 5,     /* integer locals stand as what they are over loops and parameters */
    LOCAL = 1 << 6,      /* scalars are declared where they live, and none is set for nothing */
    DECIDED = 1 << 7,    /* conditions that depend on data are values, the others affine */
    AFFINE = 1 << 8,     /* outside opaque code bounds and conditions are affine */
    DIMS = 1 << 9,       /* arrays have the dimensions that their subscripts show */
    EXTENTS = 1 << 10    /* and extents, as far as accesses show them */
};

static enum rg_status derive(struct rg__load *l)
{
    rg__derive(l);
    return RG_OK;
}

static enum rg_status switches(struct rg__load *l)
{
    rg__canon_switches(l);
    return RG_OK;
}

/* Is it a power of two at all sizes that the user gave? */
static bool may_be_power(const struct rg_problem *p, int param)
{
    for (int i = 0; i < p->n_sizes; i++) {
        struct rg_problem_env env;
        int64_t v;
        rg_problem_env_init(&env, p, &p->sizes[i]);
        if (env.env.name(&env, p->params[param].name, &v) && (v < 1 || (v & (v - 1)))) return false;
    }
    return true;
}

/* Of powers of two those of 4, of 8: 4^k - 1 is a multiple of 3. Others are no sizes to choose: transforms of that
 * radix go past the end there. */
static void power_of(struct rg__load *l, int param, int radix)
{
    const struct rg_expr *e;
    const char *text = rg_arena_printf(&l->p->arena, "%s %% %d == 1", l->p->params[param].name, radix - 1);
    if (rg_expr_parse_all(&l->p->arena, text, &e, NULL) == RG_OK && rg__may_hold(l, e)) rg__add_require(l->p, e);
}

static enum rg_status doubling(struct rg__load *l)
{
    size_t n = (size_t)l->p->n_params + 1;
    struct rg__powers powers = {rg_xcalloc(n, sizeof(bool)), rg_xcalloc(n, sizeof(bool)), rg_xcalloc(n, sizeof(int))};
    for (int i = 0; i < l->p->n_params; i++)
        powers.may[i] = l->p->params[i].kind == RG_PARAM_SCALAR && may_be_power(l->p, i);
    rg__canon_shifts(l->t);
    rg__canon_mirrors(l->t, &powers, l);
    rg__canon_doubling(l, &powers);
    for (int i = 0; i < l->p->n_params; i++) {
        if (powers.must[i]) rg__require_power(l->p, i, (int64_t)1 << 62);
        if (powers.must[i] && powers.radix[i]) power_of(l, i, powers.radix[i]);
    }
    free(powers.may);
    free(powers.must);
    free(powers.radix);
    return RG_OK;
}

static enum rg_status sorts(struct rg__load *l)
{
    bool calls = false; /* what is left of a recursive sort is no whole once the forms in it are sorts */
    for (int i = 0; i < l->unit.n_functions; i++) calls = calls || l->b.helper_trees[i];
    if (calls) rg__sorting_trials(l);
    rg__canon_sorts(l->t, l->p);
    if (!calls) rg__sorting_trials(l);
    rg__merging_trials(l);
    rg__canon_few_trips(l->t, l->p);
    rg__canon_placements(l);
    rg__canon_lists_built(l->t, l->p);
    return RG_OK;
}

static enum rg_status delinearise(struct rg__load *l)
{
    rg__flat_locals(l);
    rg__delinearize(l->t, l->p, &l->p->arena, &l->need);
    return RG_OK;
}

static enum rg_status extents(struct rg__load *l)
{
    rg__infer_extents(l);
    rg__infer_local_extents(l);
    return RG_OK;
}

static enum rg_status other_extents(struct rg__load *l)
{
    rg__other_extents(l);
    enum rg_status st = rg__later_sizes_taken(l);
    return st == RG_OK ? rg__apply_later_extents(l) : st;
}

/* Rows of a pitch: an array that is as long as what is touched may end within its last row. */
static void note_partial(struct rg__load *l)
{
    struct rg__range *r = rg_xmalloc(sizeof *r);
    rg__range_init(r, l->t, NULL);
    for (int a = 0; a < l->t->n_arrays; a++) {
        struct rg_carray *x = &l->t->arrays[a];
        if (x->param < 0 || !x->delinearised || !x->dims) continue;
        const struct rg_param *q = &l->p->params[x->param];
        struct rg__poly all = rg__poly_int(1), has = rg__poly_int(1);
        for (int d = 0; d < x->n_dims && x->dims[d]; d++) {
            struct rg__poly n = rg__poly_of(r, rg__c_from_expr(l->t, x->dims[d]));
            all = rg__poly_mul(&all, &n);
        }
        for (int d = 0; d < q->n_dims && q->dims[d]; d++) {
            struct rg__poly n = rg__poly_of(r, rg__c_from_expr(l->t, q->dims[d]));
            has = rg__poly_mul(&has, &n);
        }
        struct rg__poly more = rg__poly_add(&has, &all, -1);
        x->partial = all.bad || has.bad || !rg__prove(r, &more);
        if (!x->partial || all.bad || has.bad || x->n_dims != 2) continue;
        rg__range_assume(r, rg__c_binary(l->t, RG_COP_GE, rg__c_from_expr(l->t, x->dims[1]), rg__c_int(l->t, 1)), true);
        struct rg__poly pitch = rg__poly_of(r, rg__c_from_expr(l->t, x->dims[1])),
                        last = rg__poly_add(&more, &pitch, 1);
        if (!pitch.bad && rg__prove(r, &last)) x->last_row = rg__poly_node(r, &last);
    }
    free(r);
}

static enum rg_status requirements(struct rg__load *l)
{
    note_partial(l);
    rg__place_requirements(l->t, l->p, &l->p->arena, &l->need);
    l->need.holds = rg__may_hold;
    rg__bounds_requirements(l->t, l->p, &l->p->arena, &l->need);
    for (int i = 0; i < l->need.n; i++) rg__add_require(l->p, l->need.items[i].expr);
    return RG_OK;
}

/* clang-format off */
#define IN_LOOPS   .stage = RG__STAGE_LOOPS, .level
#define IN_SHAPE   .stage = RG__STAGE_SHAPE, .level
#define IN_EXTENTS .stage = RG__STAGE_EXTENTS, .level
const struct rg__pass rg__passes[] = {
    {"outer dimensions", "arrays that were read with rows get the extent of their first dimension",
     .problem = rg__outer_dims, IN_LOOPS = RG__C_RAW},
    {"whole arrays", "arrays with rows that a pointer goes along from the first element have one dimension",
     .load = rg__flat_whole, IN_LOOPS = RG__C_RAW},
    {"lists", "values of arrays that are written become statements",
     .problem = rg__canon_lists, IN_LOOPS = RG__C_RAW},
    {"found places", "pointers to what a search by halves finds in an array are places there",
     .problem = rg__canon_found_places, IN_LOOPS = RG__C_RAW},
    {"view places", "pointers that are set to places in arrays, members of structures too, get an offset beside them",
     .tree = rg__canon_view_places, IN_LOOPS = RG__C_RAW},
    {"switches", "switch becomes if, do-while a loop that runs at least once",
     .load = switches, IN_LOOPS = RG__C_RAW},
    {"element counters", "elements that a loop counts by are locals, stored behind it",
     .problem = rg__canon_element_counters, IN_LOOPS = RG__C_RAW},
    {"meeting counters", "counters that meet, or of which one ends first, go by a counter of the loop's own",
     .tree = rg__canon_meeting, IN_LOOPS = RG__C_RAW},
    {"equal counters", "what steps beside another counter goes by that one, in loops that their data end",
     .tree = rg__canon_equal_counters, IN_LOOPS = RG__C_RAW},
    {"control", "continue and early return become branches, whiles that count become for",
     .tree = rg__canon_control, .gives = STRUCTURED, IN_LOOPS = RG__C_RAW},
    {"set bits", "loops over the bits that are set in an integer go over all of its bits, and ask each",
     .tree = rg__canon_set_bits, .needs = STRUCTURED, IN_LOOPS = RG__C_RAW},
    {"sorts", "loops that sort by comparing and moving elements, place them by counters or build linked lists are sorts",
     .load = sorts, .needs = STRUCTURED, IN_LOOPS = RG__C_RAW},
    {"contained scans", "scans of a part of scratch that elements end, not bounds, ask whether they are inside it",
     .load = rg__canon_contained_scans, .needs = STRUCTURED, IN_LOOPS = RG__C_RAW},
    {"runs", "loops from run to run of like elements: each element asks whether one begins with it",
     .load = rg__canon_runs, .needs = STRUCTURED, IN_LOOPS = RG__C_RAW},
    {"tracked values", "what is set where it differs is set in every iteration",
     .tree = rg__canon_tracked, .needs = STRUCTURED, IN_LOOPS = RG__C_RAW},
    {"capped lists", "lists of limited length: all that is found is counted, what has room is stored",
     .load = rg__canon_capped, .needs = STRUCTURED, IN_LOOPS = RG__C_RAW},
    {"pruned loops", "inner loops that stop where an extreme can't change any more go to their end",
     .load = rg__canon_pruned, .needs = STRUCTURED, IN_LOOPS = RG__C_RAW},
    {"sunk arrays", "scratch that every iteration of a loop that is left early fills first is declared in it",
     .tree = rg__canon_sunk_arrays, .needs = STRUCTURED, IN_LOOPS = RG__C_RAW},
    {"searches", "loops that their data may end early find the iteration that leaves first",
     .problem = rg__canon_searches, .needs = STRUCTURED, IN_LOOPS = RG__C_RAW},
    {"error exits", "loops that an error ends run on past it, and are undone and run again where there was one",
     .tree = rg__canon_errors, .needs = STRUCTURED, IN_LOOPS = RG__C_RAW},
    {"codes", "what follows a test of a result code goes where the code is known",
     .tree = rg__canon_codes, .needs = STRUCTURED, IN_LOOPS = RG__C_RAW},
    {"parameters", "parameters that are written become locals",
     .tree = rg__canon_params, .gives = OWN_PARAMS, IN_LOOPS = RG__C_RAW},
    {"clamps", "integers that a condition on scalars sets anew outside of loops are one value",
     .tree = rg__canon_clamps, .needs = OWN_PARAMS, IN_LOOPS = RG__C_RAW},
    {"steps of parameters", "loops whose step is no number run from 0 by 1",
     .load = rg__canon_parametric_steps, .needs = STRUCTURED | OWN_PARAMS, IN_LOOPS = RG__C_RAW},
    {"doubling", "loops that go by a power of two that doubles or halves around them become loops over elements",
     .load = doubling, .needs = OWN_PARAMS, IN_LOOPS = RG__C_RAW},
    {"flags", "loops that end when their data says so get a flag",
     .tree = rg__canon_until, .needs = STRUCTURED, IN_LOOPS = RG__C_RAW},
    {"loops", "for with a counter becomes a loop with a variable of its own",
     .tree = rg__canon_loops, .needs = STRUCTURED | OWN_PARAMS, .gives = LOOPS, IN_LOOPS = RG__C_RAW},
    {"wrapped counters", "counters that are taken back below a number are remainders, what counts that is a quotient",
     .tree = rg__canon_wrapped, .needs = LOOPS, IN_LOOPS = RG__C_RAW},
    {"whole updates", "structures that functions of the file update as a whole are updated by members",
     .load = rg__canon_whole_updates, .needs = LOOPS, IN_LOOPS = RG__C_RAW},
    {"members", "members of a local structure are scalars in loops that name them one by one",
     .problem = rg__canon_members, .needs = LOOPS, IN_LOOPS = RG__C_RAW},
    {"cyclic counters", "counters that begin again at a number, and what counts how often, follow from the iteration",
     .tree = rg__canon_cyclic, .needs = LOOPS, IN_LOOPS = RG__C_RAW},
    {"current buffers", "where a variable from outside says which of two buffers is current: code for both of its values",
     .problem = rg__canon_current, .needs = LOOPS | OWN_PARAMS, IN_LOOPS = RG__C_RAW},
    {"toggles", "what is negated again and again is an exclusive or, or follows from the iteration's number",
     .tree = rg__canon_toggles, .needs = LOOPS, IN_LOOPS = RG__C_RAW},
    {"work lists", "searches of a graph by a queue or a stack visit a level at a time, whoever is in it",
     .load = rg__canon_work_lists, .needs = LOOPS, IN_LOOPS = RG__C_RAW},
    {"steps", "what a declaration or a condition steps on its way is stepped in front of it",
     .tree = rg__canon_steps, .needs = LOOPS, IN_LOOPS = RG__C_RAW},
    {"whole quotients", "behind a test that a size is a multiple of a number: quotients that are rounded up, and rests",
     .load = rg__canon_whole_quotients, .needs = LOOPS | OWN_PARAMS, IN_LOOPS = RG__C_RAW},
    {"private, turning", "scratch that iterations of a loop fill first, in loops inside that exchange pointers, is its own",
     .problem = rg__canon_private_turning, .needs = LOOPS, IN_LOOPS = RG__C_RAW},
    {"moves", "pointers that move between arrays, indices that toggle: code for each array they mean",
     .problem = rg__canon_moves, .needs = LOOPS, .gives = ONE_ARRAY, IN_LOOPS = RG__C_LOOPS},
    {"element pointers", "local pointers to an element of one array are that element, differences inside a row are of places",
     .tree = rg__canon_element_pointers, .needs = LOOPS | ONE_ARRAY, IN_LOOPS = RG__C_LOOPS},
    {"chosen places", "what stores to places that parameters choose, rows of one length or another, is written for each",
     .tree = rg__canon_chosen_places, .needs = LOOPS | ONE_ARRAY, IN_LOOPS = RG__C_LOOPS},
    {"symbols", "what the function computes from its sizes becomes a parameter",
     .load = derive, .needs = LOOPS | OWN_PARAMS, .gives = SYMBOLS, IN_LOOPS = RG__C_LOOPS},


    {"toggles", "what chose between arrays, and no pass has followed, by the iteration's number, too",
     .tree = rg__canon_toggles_left, .needs = LOOPS | ONE_ARRAY, IN_SHAPE = RG__C_LOOPS,
     .again = "those that choose between arrays were left to the pass that moves pointers"},
    {"closed forms", "integer locals by their closed forms over loops and parameters",
     .problem = rg__canon_propagate, .needs = LOOPS | OWN_PARAMS, .gives = CLOSED, IN_SHAPE = RG__C_LOOPS},
    {"loops", "for whose step has become a number becomes a loop, too",
     .tree = rg__canon_loops, .needs = STRUCTURED | OWN_PARAMS | CLOSED, IN_SHAPE = RG__C_LOOPS,
     .again = "integer locals that are numbers stand as these"},
    {"whole steps", "sizes that loops go through in steps whose body takes the whole step are multiples of these",
     .load = rg__canon_step_multiples, .needs = LOOPS | OWN_PARAMS | CLOSED, IN_SHAPE = RG__C_LOOPS},
    {"rebase", "loops along products, and by steps beside other counters, run from 0 by 1",
     .load = rg__canon_rebase, .needs = LOOPS | CLOSED, IN_SHAPE = RG__C_LOOPS},
    {"dead", "assignments that nobody reads go",
     .tree = rg__canon_dead, IN_SHAPE = RG__C_LOOPS},
    {"sink", "declarations move into the loops that use them",
     .tree = rg__canon_sink, .needs = LOOPS, .gives = LOCAL, IN_SHAPE = RG__C_LOOPS},
    {"constants", "locals that are short expressions of parameters",
     .tree = rg__canon_constants, .needs = OWN_PARAMS, IN_SHAPE = RG__C_LOOPS},
    {"equal sizes", "parameters that a condition says are equal are one behind it",
     .tree = rg__canon_equal_sizes, .needs = STRUCTURED | OWN_PARAMS, IN_SHAPE = RG__C_LOOPS},
    {"dead", "assignments that nobody reads go",
     .tree = rg__canon_dead, IN_SHAPE = RG__C_LOOPS,
     .again = "the locals that constants stand for are read no more"},
    {"returns", "what is returned at the end of a branch is assigned to the result",
     .tree = rg__canon_returns, .needs = STRUCTURED, IN_SHAPE = RG__C_LOOPS},
    {"shifts by a copy", "loops that read a fixed way ahead of what they store read a copy",
     .problem = rg__canon_shifts_ahead, .needs = LOOPS | CLOSED, IN_SHAPE = RG__C_LOOPS},
    {"products", "loops over n*m elements become nests",
     .load = rg__canon_products, .needs = LOOPS | CLOSED, IN_SHAPE = RG__C_LOOPS},
    {"short sums", "loops of a few trips that add to as many elements, the same in a longer loop, are written out",
     .tree = rg__canon_short_sums, .needs = LOOPS | CLOSED, IN_SHAPE = RG__C_LOOPS},
    {"subscripts", "subscripts as polynomials, without conversions",
     .tree = rg__canon_subscripts, .needs = CLOSED, IN_SHAPE = RG__C_LOOPS},
    {"left rows", "arrays whose rows a pointer may leave have one dimension",
     .load = rg__flat_walked, .needs = LOOPS | CLOSED, IN_SHAPE = RG__C_LOOPS},
    {"updates", "s = s + e becomes s += e",
     .tree = rg__canon_updates, IN_SHAPE = RG__C_LOOPS},
    {"scalar replacement", "elements that stay the same through a loop, written by turns there, are scalars in it",
     .problem = rg__canon_elements, .needs = LOOPS | CLOSED, IN_SHAPE = RG__C_LOOPS},
    {"last stores", "what every iteration stores to one element is stored behind the loop",
     .problem = rg__canon_last_stores, .needs = LOOPS | CLOSED, IN_SHAPE = RG__C_LOOPS},
    {"steps", "what a declaration or a condition steps on its way is stepped in front of it",
     .tree = rg__canon_steps, .needs = LOOPS, IN_SHAPE = RG__C_LOOPS,
     .again = "what was an element the first time is a scalar now"},
    {"lists in place", "loops that keep some of an array's elements at its front read a copy of it",
     .problem = rg__canon_in_place_lists, .needs = LOOPS | CLOSED, IN_SHAPE = RG__C_LOOPS},
    {"shifted updates", "sweeps down an array that read in front of what they store, where data say, read a copy",
     .problem = rg__canon_shifted_updates, .needs = LOOPS | CLOSED, IN_SHAPE = RG__C_LOOPS},
    {"data's bounds", "loops from one value of data to another go over all elements, and ask each",
     .problem = rg__canon_data_bounds, .needs = LOOPS | CLOSED, IN_SHAPE = RG__C_LOOPS},
    {"bounds of rounds", "loops to a bound that rounds around them make smaller go to the most it is, and ask",
     .problem = rg__canon_round_bounds, .needs = LOOPS | CLOSED, IN_SHAPE = RG__C_LOOPS},
    {"first accepted", "a minimum with a flag that says whether there is one begins with the first that takes part",
     .problem = rg__canon_accepted, .needs = LOOPS | CLOSED, IN_SHAPE = RG__C_LOOPS},
    {"counted extremes", "an extreme and how many share it are two loops, the second of which asks for the extreme of all",
     .tree = rg__canon_counted_extremes, .needs = LOOPS | CLOSED, IN_SHAPE = RG__C_LOOPS},
    {"settled flags", "what goes on until an iteration sets a flag for what it has itself goes on up to the first such one",
     .problem = rg__canon_settled, .needs = LOOPS | CLOSED, IN_SHAPE = RG__C_LOOPS},
    {"first takers", "what only the first iteration that meets a condition does stands behind the loop",
     .problem = rg__canon_takers, .needs = LOOPS | CLOSED, IN_SHAPE = RG__C_LOOPS},
    {"last flags", "flags that no longer depend on what they were are set at the end of the body",
     .tree = rg__canon_last_flags, .needs = LOOPS | CLOSED, IN_SHAPE = RG__C_LOOPS},
    {"firing rounds", "rounds in which elements do something once, as soon as others let them, ask who does in front",
     .problem = rg__canon_firing, .needs = LOOPS | ONE_ARRAY | CLOSED, IN_SHAPE = RG__C_LOOPS},
    {"unions", "components by union and find: rounds that hang all roots that have a smaller neighbour below one",
     .load = rg__canon_unions, .needs = LOOPS | ONE_ARRAY | CLOSED, IN_SHAPE = RG__C_LOOPS},
    {"stamped marks", "marks that are stamped with the iteration's number: parts of the loop have marks of their own",
     .problem = rg__canon_stamped_marks, .needs = LOOPS | ONE_ARRAY | CLOSED, IN_SHAPE = RG__C_LOOPS},
    {"automata", "scalars that hold one of a few numbers, which data and they themselves say, are states found by a scan",
     .problem = rg__canon_automata, .needs = LOOPS | ONE_ARRAY | CLOSED, IN_SHAPE = RG__C_LOOPS},
    {"split lists", "what goes to one of two parts of an array, by counters, is two lists where these stay apart",
     .problem = rg__canon_split_lists, .needs = LOOPS | CLOSED, IN_SHAPE = RG__C_LOOPS},
    {"filled lists", "lists filled through counters: iterations count, prefix sums say where each begins, then all fill",
     .load = rg__canon_filled_lists, .needs = LOOPS | CLOSED, IN_SHAPE = RG__C_LOOPS},
    {"branches", "decided conditions vanish, those that depend on data become values",
     .problem = rg__canon_branches, .needs = LOOPS | CLOSED, .gives = DECIDED, IN_SHAPE = RG__C_LOOPS},
    {"common stores", "what both arms of a condition store to one element, in loops that read others, is stored behind",
     .problem = rg__canon_common_stores, .needs = LOOPS | CLOSED | DECIDED, IN_SHAPE = RG__C_LOOPS},
    {"carried members", "members that are made of the element before's are values that the loop carries",
     .problem = rg__canon_carried_members, .needs = LOOPS | CLOSED | DECIDED, IN_SHAPE = RG__C_LOOPS},
    {"counters ahead", "counters that are one ahead of the element in hand go by its place",
     .problem = rg__canon_counters_ahead, .needs = LOOPS | CLOSED | DECIDED, IN_SHAPE = RG__C_LOOPS},
    {"counted elements", "sums at a counter's place are scalars, stored where the counter moves on",
     .problem = rg__canon_counted_elements, .needs = LOOPS | CLOSED | DECIDED, IN_SHAPE = RG__C_LOOPS},
    {"previous values", "what the iteration before has left is computed again",
     .problem = rg__canon_previous, .needs = LOOPS | LOCAL, IN_SHAPE = RG__C_LOOPS},
    {"windows", "what the last few iterations have shifted together is made anew of these",
     .problem = rg__canon_windows, .needs = LOOPS | LOCAL | DECIDED, IN_SHAPE = RG__C_LOOPS},
    {"dead", "assignments that nobody reads go",
     .tree = rg__canon_dead, IN_SHAPE = RG__C_LOOPS,
     .again = "what stood on the other side of a decided condition reads nothing any more"},
    {"sink", "declarations move into the loops that use them",
     .tree = rg__canon_sink, .needs = LOOPS, IN_SHAPE = RG__C_LOOPS,
     .again = "what an if assigned on both sides is one assignment now: the declaration's value"},
    {"ordered keys", "extremes by several keys: the best first key, then the best of the next among those that share it",
     .problem = rg__canon_ordered_keys, .needs = LOOPS | LOCAL | DECIDED, IN_SHAPE = RG__C_LOOPS},
    {"extreme places", "the best so far that is known by its place alone is a scalar beside the place",
     .problem = rg__canon_extremes, .needs = LOOPS | LOCAL | DECIDED, IN_SHAPE = RG__C_LOOPS},
    {"invariant nests", "tables that every iteration fills with the same values are filled in front of the loop",
     .problem = rg__canon_invariant, .needs = LOOPS | ONE_ARRAY | LOCAL, IN_SHAPE = RG__C_LOOPS},
    {"row values", "values of a row go to its elements, so that the nest is perfect",
     .tree = rg__canon_rows, .needs = LOOPS | LOCAL, IN_SHAPE = RG__C_LOOPS},
    {"parts", "loops over parts of one block that data lead into ask first whether they stay there",
     .problem = rg__canon_parts, .needs = LOOPS | ONE_ARRAY | CLOSED, IN_SHAPE = RG__C_LOOPS},
    {"opaque", "what is not affine becomes opaque, as small as it goes",
     .problem = rg__canon_opaque, .needs = LOOPS | ONE_ARRAY | DECIDED, .gives = AFFINE, IN_SHAPE = RG__C_CANONICAL},
    {"names", "variables that are left get the names of the file back",
     .tree = rg__canon_names, IN_SHAPE = RG__C_CANONICAL},
    {"row extents", "how long the rows of tables of pointers are",
     .load = rg__infer_row_extents, .needs = AFFINE, IN_SHAPE = RG__C_CANONICAL},
    {"dimensions", "flat arrays get the dimensions that their subscripts show",
     .load = delinearise, .needs = AFFINE | SYMBOLS, .gives = DIMS, IN_SHAPE = RG__C_CANONICAL},


    {"extents", "how many elements arrays have, off the accesses",
     .load = extents, .needs = DIMS, .gives = EXTENTS, IN_EXTENTS = RG__C_CANONICAL},
    {"data's extents", "how many elements arrays have that callers allocate or data lead into",
     .load = other_extents, .needs = EXTENTS, IN_EXTENTS = RG__C_CANONICAL},
    {"data's bounds", "loops from one value of data to another go over all elements, and ask each",
     .problem = rg__canon_data_bounds_again, .needs = EXTENTS, IN_EXTENTS = RG__C_CANONICAL,
     .again = "the first time not all extents were known"},
    {"distinct lists", "lists of iterations that are only read where they were filled have no two equal elements",
     .problem = rg__canon_distinct_lists, .needs = AFFINE | EXTENTS, IN_EXTENTS = RG__C_CANONICAL},
    {"outer dimensions", "arrays that were given rows get the extent of their first dimension",
     .problem = rg__outer_dims, .needs = EXTENTS, IN_EXTENTS = RG__C_CANONICAL,
     .again = "the first time the rows and extents that accesses show were not known"},
    {"requirements", "conditions under which accesses stay inside their arrays become the problem's",
     .load = requirements, .needs = EXTENTS, IN_EXTENTS = RG__C_CANONICAL},
    {"guards", "reads past the exit of a search ask whether they are inside their array",
     .tree = rg__canon_guards, .needs = EXTENTS, IN_EXTENTS = RG__C_CANONICAL},
    {"even sizes", "points of two colours that wrap around: at even sizes neighbours are of the other colour",
     .load = rg__even_sizes, .needs = AFFINE, IN_EXTENTS = RG__C_CANONICAL},
    {"update rounds", "updates that are repeated until nothing changes go by what each round began with",
     .problem = rg__canon_rounds, .needs = AFFINE | EXTENTS, IN_EXTENTS = RG__C_CANONICAL},
    {"pivots", "rounds over a pivot whose row and column stay as they are: all other points at once",
     .problem = rg__canon_pivots, .needs = AFFINE | EXTENTS, IN_EXTENTS = RG__C_CANONICAL},
    {"led reads", "reads that data lead into rows that the loop fills stand in a loop behind it",
     .problem = rg__canon_led_reads, .needs = AFFINE | EXTENTS, IN_EXTENTS = RG__C_CANONICAL},
    {"first visits", "what the first to come to an element sets, and later ones make smaller or larger, is there before",
     .problem = rg__canon_first_visits, .needs = AFFINE | EXTENTS, IN_EXTENTS = RG__C_CANONICAL},
    {"order-free stores", "loops whose iterations may store to one another's elements go by what they found there",
     .load = rg__canon_scattered, .needs = AFFINE | EXTENTS, IN_EXTENTS = RG__C_CANONICAL},
    {"last writers", "stores that data lead are the last iteration's",
     .problem = rg__canon_last, .needs = AFFINE | EXTENTS, IN_EXTENTS = RG__C_CANONICAL},
    {"modular sums", "remainders of sums wait until they are asked for, shifts of what is added up again are products",
     .tree = rg__canon_modular_sums, .needs = AFFINE | EXTENTS, IN_EXTENTS = RG__C_CANONICAL},
    {"modular recurrences", "what is multiplied and reduced modulo a number again and again is a value of its own, below it",
     .problem = rg__canon_modular_recurrences, .needs = AFFINE | EXTENTS, IN_EXTENTS = RG__C_CANONICAL},
    {"bit recurrences", "generators by shifts and exclusive ors: parts of the loop begin with powers of the step",
     .problem = rg__canon_bit_recurrences, .needs = AFFINE | EXTENTS, IN_EXTENTS = RG__C_CANONICAL},
    {"running values", "what a loop computes of a value that it carries, and carries itself, is a loop of its own",
     .problem = rg__canon_running, .needs = AFFINE | EXTENTS, IN_EXTENTS = RG__C_CANONICAL},
    {"compressed rows", "nests over compressed rows ask in front whether no element belongs to two",
     .problem = rg__canon_compressed_rows, .needs = AFFINE | EXTENTS, IN_EXTENTS = RG__C_CANONICAL},
    {"exchanges by a table", "loops that exchange elements with those a table leads to ask in front whether it leads back",
     .problem = rg__canon_table_swaps, .needs = AFFINE | EXTENTS, IN_EXTENTS = RG__C_CANONICAL},
    {"dead", "assignments that nobody reads go",
     .tree = rg__canon_dead, .needs = AFFINE | EXTENTS, IN_EXTENTS = RG__C_CANONICAL,
     .again = "loops that compute what is carried alone have the rest of the body, too"},
    {"caller's scratch", "scratch behind a parameter that every iteration fills first is its own, and the last stores it",
     .problem = rg__canon_callers_scratch, .needs = AFFINE | EXTENTS, IN_EXTENTS = RG__C_CANONICAL},
    {"private", "small local arrays that every iteration of a loop fills first are declared in it",
     .problem = rg__canon_private, .needs = AFFINE | EXTENTS, IN_EXTENTS = RG__C_CANONICAL},
    {"lines", "statements that passes made get the line of what stands in front of them",
     .tree = rg__canon_lines, IN_EXTENTS = RG__C_CANONICAL},
};
/* clang-format on */
const int rg__n_passes = sizeof rg__passes / sizeof rg__passes[0];

enum rg_status rg__pass_done(struct rg__load *l, const char *name, const char *what, enum rg__c_level level,
                             double seconds)
{
    const struct rg_frontend_options *o = l->o;
    if (o->pass) o->pass(o->pass_arg, name, what, seconds, l->t);
    const char *verify = getenv("RG_VERIFY");
    if (!verify || !*verify) return RG_OK;
    enum rg_status st = rg__c_verify(l->t, level, RG_BUG, l->err);
    if (st != RG_OK) rg_error_prefix(l->err, "after \"%s\" (%s)", name, rg__c_level_word(level));
    return st;
}

static enum rg_status run_stage(struct rg__load *l, enum rg__stage stage)
{
    enum rg_status st = RG_OK;
    for (int i = 0; i < rg__n_passes && st == RG_OK; i++) {
        const struct rg__pass *p = &rg__passes[i];
        if (p->stage != stage) continue;
        double start = rg_now();
        if (p->tree)
            p->tree(l->t);
        else if (p->problem)
            p->problem(l->t, l->p);
        else
            st = p->load(l);
        if (st == RG_OK) st = rg__pass_done(l, p->name, p->what, p->level, rg_now() - start);
    }
    return st;
}

/* Elements whose place is not affine; marks those arrays that have them because of variables from `from` on. */
static int not_affine(const struct rg_ctree *t, const struct rg_cnode *n, int from, bool *array)
{
    if (!n) return 0;
    int count = 0;
    for (int i = 0; i < n->n; i++) {
        bool place = n->kind == RG_C_INDEX && !rg_c_affine(t, n->kid[i]);
        count += place;
        for (int v = from; v < t->n_vars && place && array; v++)
            if (rg__c_mentions_var(n->kid[i], v)) array[n->array] = true;
        count += not_affine(t, n->kid[i], from, array);
    }
    return count;
}

/* The same of all the tree, where passes have run since `before`; adds to the marked arrays, of which there are
 * `*n_marked`. */
static int places_left(const struct rg_ctree *t, const struct rg__kept *before, bool *array, int *n_marked)
{
    bool *now = rg_xcalloc((size_t)t->n_arrays + 1, sizeof *now);
    int count = not_affine(t, t->root, before->n_vars, now);
    *n_marked = 0;
    for (int a = 0; a < before->n_arrays; a++) *n_marked += array[a] |= now[a];
    free(now);
    return count;
}

/* The shape stage. A loop over n*m elements becomes a nest for the sake of rows that its arrays then perhaps do not
 * get: as it stood, up to a symbol for the product, it is affine, so the stage is tried again that way, and what has
 * more affine places is kept. Arrays that lose their rows by that have loops over all elements, too: once more. */
static enum rg_status run_shape(struct rg__load *l)
{
    enum { ROUNDS = 3 };
    struct rg_ctree *t = l->t;
    struct rg_problem *p = l->p;
    struct rg__kept before = rg__keep(l);
    struct rg_cnode *root = rg__c_copy(t, t->root);
    const struct rg__kept_sizes none = rg__keep_sizes(l, p->n_params);
    enum rg_status st = run_stage(l, RG__STAGE_SHAPE);
    if (st != RG_OK) return st;
    bool *array = rg_xcalloc((size_t)before.n_arrays + 1, sizeof *array);
    int n_marked, was = places_left(t, &before, array, &n_marked);
    struct rg__kept best = rg__keep(l);
    struct rg__kept_sizes best_derived = rg__keep_sizes(l, none.from);
    for (int a = 0; a < before.n_arrays && n_marked; a++) /* rows of tables are known now; those of flat ones undone */
        if (t->arrays[a].param >= 0 && p->params[t->arrays[a].param].indirect && !t->arrays[a].delinearised)
            before.arrays[a] = t->arrays[a];
    for (int round = 0; round < ROUNDS && n_marked && st == RG_OK; round++) {
        before.root = rg__c_copy(t, root);
        rg__put_back(l, &before);
        rg__put_sizes_back(l, &none);
        double start = rg_now();
        bool better = rg__derive_products(l, array) > 0;
        if (better)
            st =
                rg__pass_done(l, "product symbols", "once more from here, with products that bound loops as parameters",
                              RG__C_LOOPS, rg_now() - start);
        if (better && st == RG_OK) st = run_stage(l, RG__STAGE_SHAPE);
        int n = n_marked, now = better && st == RG_OK ? places_left(t, &before, array, &n) : was;
        if (now < was) {
            best = rg__keep(l);
            was = now;
            best_derived = rg__keep_sizes(l, none.from);
        } else {
            rg__put_back(l, &best);
            rg__put_sizes_back(l, &best_derived);
            if (st != RG_BUG)
                st = rg__pass_done(l, "product symbols taken back",
                                   "the tree as it was: no more of its places are affine", RG__C_CANONICAL, 0);
        }
        n_marked = n > n_marked ? n : 0; /* else once more would be the same */
    }
    free(array);
    return st;
}

enum rg_status rg__normalise(struct rg__load *l)
{
    enum rg_status st = run_stage(l, RG__STAGE_LOOPS);
    if (st == RG_OK) st = run_shape(l);
    return st == RG_OK ? run_stage(l, RG__STAGE_EXTENTS) : st;
}
