/* regraph-search in parts: options, set-up, the run, and what is said about it. */
#ifndef RG_CMD_SEARCH_H
#define RG_CMD_SEARCH_H
#include "cmd/common.h"
#include <rg/frontend.h>
#include <rg/llm.h>
#include <rg/poly.h>
#include <rg/regraph.h>
#include <rg/search.h>
#include <rg/worker.h>

struct search_options {
    const char *file, *problem_file, *save_problem;
    const char *function, *init, *cflags, *explain; /* explain: NULL no, "" the problem, else a word of --explain= */
    struct rg_strings sizes, extents, roles, inputs, expects, requires_, with, forbid, limits, constants, allow, assume,
        inits; /* init: all of them, "a, b" */
    double rtol, atol;
    const char *counters, *prune;
    bool may_alias, allow_trivial, specialize, no_screen, compile_cache;
    const char *device, *coder, *graph, *policy, *objective, *cache, *apply, *start, *out, *target, *evidence, *workers;
    int64_t evals, patience, seed, in_flight, baseline_threads;
    double time;
    bool learn, resume, force, json, quiet, verbose, report;
    double exploration;
    const char *llm_url, *llm_model, *llm_key_env, *llm_record, *llm_replay, *llm_prompts, *llm_prices;
    const char *llm_key_file, *llm_api, *llm_quirks, *llm_replay_or_ask, *llm_defer, *judge_model, *llm_examples;
    bool judge, critic, uses_model; /* uses_model: any of the ways to have a model is given */
    int64_t max_calls, max_tokens, llm_in_flight, llm_samples, llm_tries, llm_context, llm_reply_tokens;
    double max_cost, llm_temperature, llm_timeout;
};

struct search_start;
struct search_live;
struct search_resumed;
struct search_session { /* everything of one run; released by search_release */
    struct search_options o;
    int argc; /* of main, or as they were saved for a run that is resumed */
    char **argv;
    struct search_resumed *resumed; /* --resume DIR without a C file; NULL else */
    struct rg_problem *problem;
    struct rg_ctree *tree;
    struct rg_regraph *graph;
    char *graph_path;
    char *examples_path; /* NULL: --llm-examples none */
    char *cache_dir;     /* of compiled programs; NULL none */
    char graph_sha[65];
    char *out_dir;
    struct rg_arena added;                   /* inputs and conditions that were added to those of the options */
    int assumed_from, n_assumed;             /* of o.extents: those that were proposed, as nobody stated them */
    bool stated[32];                         /* by assumed extent: a pointer says it */
    int halvings, verify_halvings;           /* as rg_frontend_options has them */
    bool sizes_stay, verify_sizes_stay;      /* there are no smaller ones */
    bool main_tried;                         /* how many times main's numbers are taken has been found out: */
    int main_times;                          /* as rg_problem has it */
    const struct rg_frontend_likely *likely; /* inputs that belong together and were taken; NULL none */
    bool measured;                           /* and then read off a run of the C, all of them */
    struct rg_error extent_error;            /* that nobody states them */
    const char *found_failed; /* the init function that was found in the file and left out again; NULL: none */
    char run_id[65];
    struct rg_farm *farm;
    struct rg_coder coders[2];
    int n_coders;
    bool has_poly, has_llm;
    char poly_reason[1024];     /* why poly can do nothing here; "" when it can */
    struct search_live *live;   /* report.html; NULL: --no-report */
    struct search_start *start; /* --start; NULL none */
    struct rg_search_result result;
    bool have_result;
    struct json_t *refusals;  /* search_refusals_json.c; NULL: not asked for yet */
    unsigned allow;           /* RG_ALLOW_ bits */
    unsigned assume;          /* RG_ASSUME_ bits */
    struct rg_strings powers; /* sizes that may have to be powers of two; which of them was required last, counted */
    int powers_tried;
    const char *powers_note; /* NULL: none is required */
    const char **launcher;   /* words of --workers; NULL: workers are here */
    char *launch_text;       /* their storage */
    int n_remote;
    int limit_regs;
    int64_t limit_shared, limit_memory;
    const char *limit_arch;
    double target_us, target_speedup;
    int edges_updated;
    bool learn_failed;
    char *best_path, *certificate_path;
    char c_sha256[65]; /* of the user's file as it was read; "" none */
    bool out_begun;    /* a run of this process began there */
    int out_lock;      /* open while this run owns the folder; 0: not yet */
    char program[17];  /* rg_problem_program */
    double began;      /* by rg_now(): what --time counts from */
    double seconds_total;
};

/* search_extents.c */
/* Takes what is proposed among the options, as assumed. */
void search_propose_extents(struct search_session *s, const struct rg_frontend_missing *m);
void search_note_extents(struct search_session *s); /* in problem->extent_note, where some are assumed */
/* Runs the C at its smallest sizes with arrays far longer than proposed, and loads the problem with the extents that
 * say how far it went. Where that can't be, what is proposed stays. Cost: two loads and some seconds at most. */
enum rg_status search_measure_extents(struct search_session *s, struct rg_error *err);
double search_look_s(const struct search_session *s); /* what the C is run for to infer; twice that to explain */
void search_blame_extents(const struct search_session *s, struct rg_error *err); /* in front of what went wrong */
/* search_graph.c */
enum rg_status search_load_graph(struct search_session *s, struct rg_error *err);
/* search_options.c: -1 go on, else the exit code. */
int search_parse(int argc, char **argv, struct search_session *s);
void search_options_release(struct search_options *o);
void search_parsed_free(struct search_session *s); /* all that search_parse filled, options too */
/* search_resume_json.c */
void search_note_source(struct search_session *s); /* c_sha256: the file may change while the search runs */
enum rg_status search_arguments_save(const struct search_session *s, struct rg_error *err);
bool search_resumes_alone(const struct search_session *s);
/* Options, problem and folder are those of the run in the folder, then those given now. *code: -1 go on, else the exit
 * code to end with. */
enum rg_status search_resume_alone(struct search_session *s, int *code, struct rg_error *err);
void search_resumed_free(struct search_session *s);
/* search_setup.c */
enum rg_status search_load(struct search_session *s, struct rg_error *err);
/* The problem as the options are by now. */
enum rg_status search_reload(struct search_session *s, struct rg_error *err);
/* Says in the problem how its inputs were chosen. */
enum rg_status search_note_inputs(struct search_session *s, const char *note, struct rg_error *err);
/* The problem again, with real inputs that stay inside the arrays that they lead into. RG_INPUT where it has none, or
 * where every one is stated. */
enum rg_status search_with_positions(struct search_session *s, struct rg_error *err);
/* The problem again, for sizes that are powers of two, as a transform by halves wants them: of those whose timed one
 * is, or that nobody said, the first alone; the next alone with each further call, then all. RG_INPUT where none is
 * left, or the user has said what is required. */
enum rg_status search_with_powers(struct search_session *s, struct rg_error *err);
/* Which they may be, from the first one on; ours: nobody said it. Their number. */
int search_name_powers(struct search_session *s, bool ours);
void search_forget_powers(struct search_session *s);     /* none is required any more, where the user did not */
void search_note_powers(struct search_session *s);       /* of a problem that is loaded again: that they are required */
bool search_powers_left(const struct search_session *s); /* after the first call: would one more do anything? */
/* The problem again, with stretches of one value in its arrays, where runs and matches are longer than random values
 * have. RG_INPUT where no array is drawn from a range. */
enum rg_status search_with_plateaus(struct search_session *s, struct rg_error *err);
/* The same with the two lowest integers of each range, in which a pattern is found. */
enum rg_status search_with_few_values(struct search_session *s, struct rg_error *err);
/* The problem again, with the inputs that the file's own main makes. RG_INPUT, and the problem as it was, where it
 * makes none or the user has said what does. */
enum rg_status search_with_main(struct search_session *s, struct rg_error *err);
/* Are the inputs neither the user's choice nor main's already, so that main may make them? */
bool search_may_call_main(const struct search_session *s);
/* Back to what --init was. */
void search_without_main(struct search_session *s, const char *init);
/* The problem again, without the init function that was found in the file; `why` is told. */
enum rg_status search_without_found_init(struct search_session *s, const char *why, struct rg_error *err);
/* search_inputs.c: is the C done at the timed size long before its loops could be? It turns back at its inputs then. */
bool search_idle(const struct search_session *s);
typedef enum rg_status search_starts(struct search_session *s, struct rg_farm_options *f, struct rg_error *err);
/* Where the C is idle, leaves loops that data end long before their bounds, has not one digit, or (s->farm NULL) `err`
 * says that any kernel would pass: the problem again with inputs that belong together, until it works on some (has
 * digits, takes ten times as long); nothing changes where it does on none. `start` opens s->farm. Cost: what is
 * begun in a tenth of --time, a start each. RG_CANCELED, or `st` where there is none. */
enum rg_status search_livelier(struct search_session *s, struct rg_farm_options *f, search_starts *start,
                               enum rg_status st, struct rg_error *err);
/* The problem again with the inputs of a run that went on with such; RG_INPUT: its folder is of none of them. */
enum rg_status search_resumed_inputs(struct search_session *s, struct rg_error *err);
/* States those that were taken of a problem that is loaded again. */
enum rg_status search_keep_likely(struct search_session *s, struct rg_error *err);
/* search_sizes.c: what the C may take at the sizes that are ours to choose, where there may be smaller ones. */
void search_brief(struct search_session *s, struct rg_farm_options *f);
/* The problem again with so much less to do at the timed size, or at verify sizes; where there are no smaller ones it
 * is as it was, and that is kept in mind. */
void search_with_less(struct search_session *s, int timed_less, int verify_less);
/* The sizes are those of the run in the folder. */
enum rg_status search_resumed_sizes(struct search_session *s, struct rg_error *err);
/* Before the work begins: the folder may be used. Nothing is written yet. */
enum rg_status search_check_out(const struct search_session *s, struct rg_error *err);
enum rg_status search_open_out(struct search_session *s, struct rg_error *err);
void search_take_back_out(const struct search_session *s); /* what that began, where nothing came of it */
enum rg_status search_open_coders(struct search_session *s, struct rg_error *err);
/* Prints a pass over the tree: a listener of rg_frontend_options whose arg is the text printed before (a struct
 * rg_buf). */
void search_explain_pass(void *arg, const char *name, const char *what, double seconds, const struct rg_ctree *t);
int search_explain(struct search_session *s); /* the exit status */
int search_explain_kernels(struct search_session *s);
void search_release(struct search_session *s);
/* search_report.c */
void search_progress(void *session, const struct rg_search_progress *p);
void search_progress_end(void);
void search_report(const struct search_session *s, int code);
/* Line of steps with sites and chosen tunables. */
void search_chain(const struct search_session *s, struct rg_buf *out);
/* What the built-in coder changed of the loop nest before the first step; none where the best is a model's. */
const struct rg_prepared *search_prepared_list(const struct search_session *s, int *n);
/* "ping.pong@loop:t, fission@loop:i" */
void search_prepared(const struct search_session *s, struct rg_buf *out);
double search_sol_fraction(const struct search_session *s);  /* NaN unknown */
int search_accepted(const struct search_session *s);         /* the model's actions that verified */
double search_cost_per_gain(const struct search_session *s); /* USD for each halving of the time; NaN unknown */
double search_vs_sequential(const struct search_session *s); /* NaN unknown */
double search_vs_threads(const struct search_session *s);    /* over the user's C on several threads; NaN unknown */
/* search_start.c: --start read, and checked against the problem. */
enum rg_status search_load_start(struct search_session *s, struct rg_error *err);
const struct rg_search_given *search_given(const struct search_session *s); /* NULL none */
void search_start_free(struct search_session *s);
/* search_certificate.c: certificate.json beside the exported files. */
enum rg_status search_certificate(struct search_session *s, struct rg_error *err);
/* search_parallel.c */
const char *search_parallel(const struct search_session *s); /* "true", "partly", "one-thread"; NULL unknown */
bool search_keep_your_c(
    const struct search_session *s); /* the C is known to be as fast at the timed size, by an estimate too */
void search_parallel_report(const struct search_session *s, int code);
struct json_t;
void search_parallel_json(const struct search_session *s, struct json_t *o);
/* What the built-in coder would not do to the sequential code and, once the run is closed, to the best: {after, step,
 * site, refusal{kind, message, file, line}}. The caller has a reference. */
struct json_t *search_refusals(struct search_session *s, bool closed);
void search_refusals_free(struct search_session *s);
/* search_live_json.c: run.json and report.html, written anew while the search runs, and at its end. */
void search_live_begin(struct search_session *s);
void search_live(struct search_session *s); /* where one is due */
void search_live_end(struct search_session *s);
/* Lines "time  step@site  gain" of the best's chain, where the journal can be read. */
void search_live_chain(const struct search_session *s, struct rg_buf *out);
bool search_live_failed(const struct search_session *s);
void search_live_free(struct search_session *s);
void search_command(int argc, char **argv, struct rg_buf *out); /* as a POSIX shell reads it back */
double search_transfer_ms(const struct search_session *s,
                          const char **how); /* of one call, both ways: "measured", "estimated"; NaN unknown */
double search_call_ms(const struct search_session *s);    /* kernels and transfers; NaN unknown */
double search_break_even(const struct search_session *s); /* calls that earn back the search; NaN unknown, or never */
/* search_json.c */
void search_print_json(struct search_session *s);
#endif
