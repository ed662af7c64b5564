/* The constants of the search, each with its default, its range, and what it does: `--set NAME=VALUE` changes one for a
 * run, and the journal's header has them all. Sizes of arrays and intervals of input and output are no constants of the
 * search and stay where they are. */
#ifndef RG_ENGINE_PARAMS_H
#define RG_ENGINE_PARAMS_H
#include <rg/buf.h>
#include <rg/error.h>
#include <rg/regraph.h>

/* X(name, default, least, most, what it does) */
#define RG__PARAM_MAP(X)                                                                                               \
    /* selection */                                                                                                    \
    X(exploration, 0.4, 0, 1e6, "c of PUCT: what a prior weighs against values")                                       \
    X(max_mix, 0.9, 0, 1, "share of the best below a node in its value; the rest is the mean (uct: 0)")                \
    X(tune_prior, 0.05, 0, 1, "prior of tuning the best candidate further, beside the priors of its steps")            \
    X(tune_focus, 4, 0, 100,                                                                                           \
      "that prior falls with this power of the distance from the best: far from it a better block changes nothing")    \
    X(tune_hope, 8, 0.01, 1e6, "tunings in vain, one after another, after which tuning a candidate is worth half")     \
    X(widen_base, 3, 1, 1e6, "live actions of a node that may be selected before it was visited")                      \
    X(widen_rate, 1.5, 0, 1e6, "how many more with the root of its visits")                                            \
    X(resample_base, 4, 1, 1e6,                                                                                        \
      "a stochastic action that worked is asked again at this many visits to the power of its samples")                \
    X(failure_prior, 2, 0, 1e6, "observations that the prior chance of success is worth against samples that failed")  \
    X(timeout_gain, -2.77258872223978, -100, 0,                                                                        \
      "value, in ln of the time over naive's, of a candidate that ran into its deadline")                              \
    /* priors */                                                                                                       \
    X(limiter_boost, 0.7, 0, 100, "logit of a step that relieves what bounds the candidate: twice as likely")          \
    X(jitter, 0.1, 0, 100, "half-width of the logit's random part: equal priors differ by seed")                       \
    X(doubt, 0.3, 0, 1, "share of the prior that is spread evenly: no opinion may starve a legal action")              \
    X(pool_relevance, 0.5, 0, 1, "what experience of a step at other edges counts for at one")                         \
    X(pool_most, 6, 0, 1e6, "observations that it may count for together")                                             \
    X(led_least, 0.4, 0, 1,                                                                                            \
      "share of runs, one more taken for granted, that must have led over an edge for it to mark a way")               \
    X(samples, 4, 1, 1000, "samples of a stochastic coder's action")                                                   \
    X(samples_unmade, 16, 1, 1000, "and of one that says only what for, while nothing has verified")                   \
    X(refusals, 2, 1, 1000, "times that it may take another step instead")                                             \
    X(repairs_unmade, 2, 0, 100, "times that code which cannot be made is asked for again at once")                    \
    X(repairs_unsafe, 1, 0, 100, "the same where it races or strays")                                                  \
    X(short_text, 4096, 0, 1e9, "bytes of the best version's text up to which a model is shown it at the root")        \
    RG_WEIGHING_MAP(X)                                                                                                 \
    /* tuning */                                                                                                       \
    X(draft, 1, 0, 1, "1: values of tunables are ranked by draft costs where the coder has them; 0: they are not")     \
    X(draft_allowance, 1, 0, 100,                                                                                      \
      "evaluations, besides its start, of a new candidate with values that nobody tried, ranked by draft costs")       \
    X(draft_start, 0.05, 0, 10, "ln of the time that must be promised for a start at other values than the parent's")  \
    X(draft_gain, 0.005, 0, 1, "expected improvement, in ln of the time, that is worth a measurement")                 \
    X(draft_gain_best, 0.001, 0, 1, "the same at the best candidate")                                                  \
    X(draft_goal, 1.1, 1, 1e6, "times the best's time that a candidate which is not the best must promise to reach")   \
    X(draft_node_spread, 0.3, 1e-3, 10, "spread of ln(time / draft cost) from candidate to candidate")                 \
    X(draft_value_spread, 0.2, 1e-3, 10, "its spread over the values of one candidate's tunables")                     \
    X(draft_shared, 0.6, 0, 0.99, "share of that which two candidates have in common")                                 \
    X(draft_reach, 2, 1e-3, 100, "distance, in doublings of values, over which it changes")                            \
    X(draft_apart, 0.7, 0, 100, "distance between vectors of which one has a tunable that the other lacks")            \
    X(draft_trust, 4, 0.1, 1e6, "observations that these spreads are worth against what the run shows")                \
    X(draft_belief, 0.2, 0.01, 1e6,                                                                                    \
      "sum of squares, in ln of draft costs, that the belief is worth that times follow them one to one")              \
    X(lone_steps, 12, 0, 1000,                                                                                         \
      "steps applied right behind naive, where it leaves loops to one thread, to find those that share them; 0: none " \
      "(mcgs)")                                                                                                        \
    X(lone_work, 500, 0, 1e18, "statements that one thread must run for that")                                         \
    X(lone_first, 1e3, 0, 1e18,                                                                                        \
      "statements that one thread would run in naive for which such steps are applied before naive is measured")       \
    X(lone_share, 0.1, 0, 1, "of them, that such a step must leave to others to be kept")                              \
    X(lone_most, 0.1, 0, 1, "of naive's time, that one thread must take for that where candidates have draft costs")   \
    X(ahead, 32, 0, 1e6,                                                                                               \
      "steps applied before anything is measured, at the cheapest candidates by draft costs; 0: none (mcgs)")          \
    X(ahead_vectors, 256, 1, 1e6,                                                                                      \
      "vectors of such a candidate that are drafted to find its cheapest, before its values are ranked")               \
    X(ahead_step, 0.01, 0, 10, "ln of the time that each step made ahead must promise to be measured with it")         \
    X(ahead_first, 1, 0, 1e6,                                                                                          \
      "seconds of work, by the candidates' sizes and no clock, that steps made ahead may take before anything is "     \
      "measured")                                                                                                      \
    X(ahead_each, 0.02, 0, 1e6, "seconds more of that with each action measured since")                                \
    X(ahead_share, 0.1, 0, 1, "of a time limit, which that work may take at most, all in all")                         \
    X(ahead_gain, 0.02, 0, 10, "expected improvement, in ln of the time, for which what was made ahead is measured")   \
    X(ahead_doubt, 1, 0, 100, "turns of the policy after a promise that was no new best, times those in a row")        \
    X(ahead_unknown, 0.7, 0, 10,                                                                                       \
      "spread, in ln of the time, of a candidate without draft cost around what it was made from; 0: not measured")    \
    X(draft_noise, 0.01, 1e-4, 1, "spread of a measurement")                                                           \
    X(sweep_allowance, 2, 0, 100, "evaluations for a tunable that nobody has moved yet: one step either way")          \
    X(tune_allowance, 1, 1, 1000, "evaluations of one tuning action; what improves earns more")                        \
    X(tune_abreast, 0.5, 0, 16,                                                                                        \
      "the same of the best where draft costs rank its values, of the actions in flight on a device that measures: "   \
      "they are compiled side by side")                                                                                \
    X(polish_allowance, 12, 1, 1000, "the same of the last one, at the best candidate")                                \
    X(polish_after, 20, 0, 1e6,                                                                                        \
      "evaluations that the best must have stood for it, under policies that do not tune as they see fit")             \
    X(earned, 2, 0, 100, "evaluations that an improving batch earns")                                                  \
    X(tuner_cap, 24, 1, 150, "evaluations of one tuning at most")                                                      \
    X(recovery, 3, 0, 3, "vectors tried in place of a start that failed")                                              \
    X(inherited_most, 2, 0, 100, "evaluations for values that come from the parent, where the step pays")              \
    X(slow_factor, 2, 1, 1e6, "times slower than its parent, or the best, a candidate gets the short allowance")       \
    X(hopeless_factor, 4, 1, 1e6, "times slower than the best its values are not swept")                               \
    X(near_factor, 1.25, 1, 1e6, "times the best's time up to which a candidate may still become the best by tuning")  \
    X(steep, 0.85, 0, 1, "time after a batch over time before it below which climbing goes on all the same")           \
    X(move_memory, 1, 0, 1,                                                                                            \
      "1: moves are tried in the order of what they gained elsewhere in the run; 0: they are not")                     \
    X(move_gain, 0.002, 0, 1, "relative gain below which a move is noise")                                             \
    /* the best, and the end */                                                                                        \
    X(contend_within, 1.25, 0, 1e6,                                                                                    \
      "of the best's time, up to which a candidate is timed as exactly as the best; beyond by one to three samples; "  \
      "0: all are")                                                                                                    \
    X(as_they_end, 1, 0, 1,                                                                                            \
      "1: on a device that measures actions are committed as they end; 0: in the order of their selection")            \
    X(far_behind, 8, 0, 1e6,                                                                                           \
      "of the best's time, beyond which a candidate by its draft cost comes behind all others that wait for a "        \
      "device; 0: none does")                                                                                          \
    X(better_margin, 1.02, 1, 10,                                                                                      \
      "times faster a candidate must be, by its own second measurement or a duel, to become the best")                 \
    X(clear_margin, 1.1, 1, 10,                                                                                        \
      "times faster, by second measurements of both, from which on it becomes the best without a duel")                \
    X(clear_noise, 6, 0, 1e6, "times their noise that the two must lie apart for that")                                \
    X(slower_margin, 1.02, 1, 10, "times slower than its parent from which on a model is told not to do it again")     \
    X(final_within, 1.1, 1, 10, "of the best's time, for candidates that meet it again at the end")                    \
    X(final_doubt, 1.5, 1, 10, "of the best's time, up to which naive meets it, too")                                  \
    X(minimal_within, 1.02, 1, 10,                                                                                     \
      "of the best's time, for a candidate of fewer steps that meets it at the end to take its place")                 \
    X(minimal_estimated, 1.0005, 1, 10, "the same where times are a timing model's, which takes its place at once")    \
    X(minimal_share, 0.05, 0, 1,                                                                                       \
      "of the evaluations made, which measuring the best without one of its steps may take at the end")                \
    X(linger_within, 1.02, 1, 10,                                                                                      \
      "of the best's time, for candidates whose untried steps are tried when patience is out")                         \
    X(example_gain, 1.1, 1, 1e6, "times faster a step must make a candidate to be kept as an example")                 \
    X(time_promise, 1.03, 1, 10, "of the time limit, by which all must be over")                                       \
    X(time_kept, 0.2, 0, 1, "of the time limit that may be kept for the end at most")                                  \
    X(look_kept, 4, 0, 600,                                                                                            \
      "seconds kept for a look at the best for races, where no look was taken at every candidate")                     \
    X(profile_share, 0.1, 0, 1e6,                                                                                      \
      "of the time so far, which reading the device's own counters of new bests, for a model, may take")               \
    X(profile_first, 5, 0, 600, "seconds that this is expected to take before it was done once")                       \
    X(duels_kept, 3, 0, 100, "duels for which time is kept")                                                           \
    X(duel_of_again, 3, 0, 1e6,                                                                                        \
      "times the best's second measurement that a duel is expected to take before there was one")                      \
    /* controls */                                                                                                     \
    X(walk_longest, 8, 1, 1000, "steps of a random walk, and of a chain of best-of-n, at most")                        \
    X(walk_free, 20000, 1, 1e9, "moves over what was measured before until a walk has nowhere to go")                  \
    X(beam_width, 4, 1, 1e6, "candidates of a level of beam")                                                          \
    X(beam_fan, 6, 1, 1e6, "actions tried at each")                                                                    \
    X(beam_dry, 12, 1, 60, "restarts in a row with nothing to do, each twice as wide, until it ends")

struct rg__params {
#define X(name, value, least, most, what) double name;
    RG__PARAM_MAP(X)
#undef X
};
extern const struct rg__params rg__params_default;
extern const struct rg__param {
    const char *name, *what;
    double value, least, most;
} rg__param_list[];
extern const int rg__n_params;
struct rg_weighing rg__weighing(const struct rg__params *p); /* its part of them */
double rg__param_value(const struct rg__params *p, int i);
/* "NAME=VALUE"; RG_USAGE says what is wrong. */
enum rg_status rg__params_set(struct rg__params *p, const char *text, struct rg_error *err);
#endif
