/* regraph-search: a sequential C function in, a verified CUDA kernel out. */
#include "cmd/search.h"
#include <rg/cpus.h>
#include <rg/file.h>
#include <rg/plan.h>
#include <rg/poly.h>
#include <rg/worker.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ISL_SHARE 0.1 /* of --time: dependence analysis and scheduling */
/* Actions a GPU: while one is measured the others compile, each on a CPU or two. */
enum { GPU_IN_FLIGHT = 3, GPU_IN_FLIGHT_MOST = 8 };

static volatile int stop;
static volatile sig_atomic_t stop_signal;
static volatile sig_atomic_t nothing_yet = 1; /* reading and checks: there is nothing to keep */

static void on_signal(int sig)
{
    stop_signal = sig;
    stop = 1;
    /* a second one ends at once, by the default action; workers die with us */
    signal(sig, SIG_DFL);
    if (!nothing_yet) return;
    rg_frontend_abandon();
    raise(sig);
}

static void catch_signals(void)
{
    const int caught[] = {SIGINT, SIGTERM, SIGUSR1, SIGHUP};
    for (size_t i = 0; i < sizeof caught / sizeof caught[0]; i++) {
        struct sigaction a = {.sa_handler = on_signal}, old;
        /* under nohup a hang-up is no reason to stop */
        if (caught[i] == SIGHUP && sigaction(SIGHUP, NULL, &old) == 0 && old.sa_handler == SIG_IGN) continue;
        sigaction(caught[i], &a, NULL);
    }
    signal(SIGPIPE, SIG_IGN);
}

/* Of what is done after the search: inputs and references are hashed for the certificate, workers and their memory go.
 */
static double closing_s(const struct search_session *s)
{
    const double hashed_s = 0.8e9, fixed = rg_farm_info(s->farm)->estimated
                                               ? 0.2
                                               : 0.8; /* bytes in a second; s: a driver takes its time to let go */
    return fixed + rg_farm_case_bytes(s->farm) / hashed_s;
}

/* A simulated device keeps one CPU busy, unless its workers have CPUs of their own elsewhere: as many then as were
 * asked for, however many came. */
static int in_flight(const struct search_session *s)
{
    const struct rg_farm_info *i = rg_farm_info(s->farm);
    if (s->o.in_flight) return (int)s->o.in_flight;
    if (i->estimated) return s->n_remote ? s->n_remote : 1;
    int cpus = rg_cpus() / (2 * i->devices);
    return i->devices * (cpus < GPU_IN_FLIGHT ? GPU_IN_FLIGHT : cpus > GPU_IN_FLIGHT_MOST ? GPU_IN_FLIGHT_MOST : cpus);
}

/* The rounds are of the problem's own sizes: those of one that was loaded again are others. */
static enum rg_status start_once(struct search_session *s, struct rg_farm_options *f, struct rg_error *err)
{
    double *round = rg_arena_alloc(&s->problem->arena, (size_t)(s->problem->n_sizes + 1) * sizeof *round);
    f->round = s->tree && rg_frontend_rounds(s->problem, s->tree, round) ? round : NULL;
    return rg_farm_start(f, s->problem, &s->farm, err);
}

/* Again with smaller sizes where the C takes too long at those that are ours to choose. */
static enum rg_status start(struct search_session *s, struct rg_farm_options *f, struct rg_error *err)
{
    enum { MOST = 6 };
    enum rg_status st = RG_LIMIT;
    const int halvings = s->halvings, verify_halvings = s->verify_halvings;
    int timed_less = 1, verify_less = 0;
    f->timed_less = &timed_less;
    f->verify_less = &verify_less;
    for (int i = 0; i < MOST && st == RG_LIMIT && (timed_less || verify_less) && !stop; i++) {
        if (i) search_with_less(s, timed_less, verify_less);
        timed_less = verify_less = 0;
        rg_error_clear(err);
        search_brief(s, f);
        if (i + 1 == MOST) f->most_timed_s = f->most_verify_s = 0;
        st = start_once(s, f, err);
    }
    if (st == RG_INPUT) { /* it was not the sizes: what is tried next begins with those that there were */
        s->halvings = halvings;
        s->verify_halvings = verify_halvings;
    }
    f->timed_less = f->verify_less = NULL;
    f->most_timed_s = f->most_verify_s = 0;
    if (st == RG_LIMIT && stop) { /* between two starts, or before the first: nobody has said it yet */
        rg_error_clear(err);
        return rg_error_set(err, RG_CANCELED, "stopped: the search had not begun, no kernel was tried");
    }
    return st;
}

/* Once more with what the function may want. Reals of both signs that become subscripts lead outside: numbers that are
 * places. A transform by halves leaves its arrays at other sizes: powers of two. */
static enum rg_status start_again(struct search_session *s, struct rg_farm_options *f,
                                  enum rg_status (*with)(struct search_session *, struct rg_error *),
                                  struct rg_error *err)
{
    struct rg_error second = RG_ERROR_INIT;
    enum rg_status st = with(s, &second);
    if (st == RG_OK) st = start(s, f, &second);
    if (st == RG_OK) rg_error_clear(err);
    rg_error_clear(&second);
    return st == RG_OK || st == RG_CANCELED ? st : RG_INPUT;
}

/* Sizes that are powers of two, as in the run that is in the folder. */
static enum rg_status powers_as_there(struct search_session *s, struct rg_error *err)
{
    enum rg_status st = RG_INPUT;
    for (int ours = 0; ours < 2 && st == RG_INPUT && s->tree; ours++) {
        search_forget_powers(s);
        search_name_powers(s, ours);
        do {
            rg_error_clear(err);
            st = search_with_powers(s, err);
            if (st == RG_OK) st = search_check_out(s, err);
        } while (st == RG_INPUT && s->tree && search_powers_left(s));
    }
    return st;
}

static enum rg_status run(struct search_session *s, struct rg_error *err)
{
    const struct search_options *o = &s->o;
    if (o->compile_cache) s->cache_dir = rg_cmd_cache_dir();
    const double judge_s = 40, judge_share = 0.2; /* of the time there is */
    const double case_s = 30, case_share = 0.15, case_least_s = 1;
    const double case_of_time = case_share * o->time < case_least_s ? case_least_s : case_share * o->time;
    struct rg_farm_options f = {
        .beside = !o->apply,
        .until = o->time > 0 ? s->began + 1.03 * o->time : 0,
        .arbiter_s = o->time > 0 && judge_share * o->time < judge_s ? judge_share * o->time : judge_s,
        .reference_s = o->time > 0 && case_of_time < case_s ? case_of_time : case_s,
        .device = o->device,
        .cache_hot = !strcmp(o->cache, "hot"),
        .no_screen = o->no_screen,
        .objective_total = !strcmp(o->objective, "total"),
        .prune = o->apply || !strcmp(o->prune, "off") ? RG_PRUNE_OFF
                 : !strcmp(o->prune, "on")            ? RG_PRUNE_ON
                                                      : RG_PRUNE_AUTO,
        .launcher = s->launcher,
        .remote = s->n_remote,
        .seed = (uint64_t)o->seed,
        .limit_regs = s->limit_regs,
        .limit_shared = s->limit_shared,
        .limit_memory = s->limit_memory,
        .limit_arch = s->limit_arch,
        .cache = s->cache_dir,
        .baseline_threads = (int)o->baseline_threads,
        .counters = !strcmp(o->counters, "auto"),
        .tell_rounds = o->uses_model,
        .stop = &stop,
    };
    enum rg_status st = search_check_out(s, err);
    if (st == RG_INPUT && o->resume && s->problem->init_found && !stop) { /* the run went on without it */
        rg_error_clear(err);
        st = search_without_found_init(s, "there was no reference", err);
        if (st == RG_OK) st = search_check_out(s, err);
    }
    if (st == RG_INPUT && o->resume && s->tree && !stop) { /* or with other inputs */
        struct rg_error second = RG_ERROR_INIT;
        const char *init = o->init;
        bool as_main = search_with_main(s, &second) == RG_OK;
        st = as_main ? search_check_out(s, &second) : RG_INPUT;
        if (as_main && st != RG_OK) search_without_main(s, init);
        if (st == RG_OK || search_resumed_inputs(s, &second) == RG_OK ||
            (search_with_positions(s, &second) == RG_OK && search_check_out(s, &second) == RG_OK) ||
            powers_as_there(s, &second) == RG_OK ||
            (search_with_plateaus(s, &second) == RG_OK && search_check_out(s, &second) == RG_OK) ||
            (search_with_few_values(s, &second) == RG_OK && search_check_out(s, &second) == RG_OK)) {
            rg_error_clear(err);
            st = RG_OK;
        }
        rg_error_clear(&second);
    }
    nothing_yet = 0; /* workers and their folder are to be cleared away from here on; analysis asks for `stop` itself */
    /* The folder may be used: what is wrong from here on is wrong with the C at these inputs and sizes. */
    const bool there = st == RG_OK;
    if (there) st = start(s, &f, err);
    /* It was found, not asked for: inputs of our own may do. */
    if (there && st == RG_INPUT && s->problem->init_found && !stop) {
        char *why = rg_xstrdup(err->text), *by = rg_xstrdup(s->problem->init_function);
        rg_error_clear(err);
        st = search_without_found_init(s, why, err);
        if (st == RG_OK) st = start(s, &f, err);
        if (st == RG_INPUT && !stop) rg_error_prefix(err, "with what %s makes: %s; without it", by, why);
        free(by);
        free(why);
    }
    if (there && st == RG_INPUT && !stop) {
        const char *init = o->init;
        st = start_again(s, &f, search_with_main, err);
        if (st == RG_INPUT && o->init != init) search_without_main(s, init);
    }
    if (there && !stop) st = search_livelier(s, &f, start, st, err);
    if (there && st == RG_INPUT && s->tree && !stop && strstr(err->text, RG_PASSES_AS))
        st = start_again(s, &f, search_with_plateaus, err);
    if (there && st == RG_INPUT && s->tree && !stop && strstr(err->text, RG_PASSES_AS)) /* a pattern in a text */
        st = start_again(s, &f, search_with_few_values, err);
    if (there && st == RG_INPUT && s->tree && !stop) st = start_again(s, &f, search_with_positions, err);
    do {
        if (there && st == RG_INPUT && s->tree && !stop) st = start_again(s, &f, search_with_powers, err);
    } while (there && st == RG_INPUT && s->tree && !stop && search_powers_left(s));
    if (there && st == RG_INPUT && s->n_assumed) search_blame_extents(s, err);
    if (st == RG_OK) st = search_open_out(s, err);
    rg_poly_bound(&stop, o->time > 0 ? ISL_SHARE * o->time : 0, o->time > 0 ? s->began + o->time : 0);
    if (st == RG_OK) st = search_open_coders(s, err);
    if (st == RG_OK && f.objective_total && rg_farm_info(s->farm)->estimated)
        st = rg_error_set(err, RG_USAGE, "--objective total needs a GPU: the timing model of %s knows no transfers",
                          rg_farm_info(s->farm)->device);
    if (st != RG_OK) return st;
    const struct rg_farm_info *i = rg_farm_info(s->farm);
    if (!o->quiet && !i->estimated && (i->prunes || f.prune == RG_PRUNE_ON)) rg_cmd_message("pruning is %s", i->prune);
    struct rg_coder *coders[2] = {&s->coders[0], &s->coders[1]};
    char *journal = rg_xasprintf("%s/journal.jsonl", s->out_dir),
         *sources = rg_xasprintf("%s/sources.jsonl.gz", s->out_dir);
    char date[11], machine[256];
    rg_cmd_today(date);
    rg_cmd_host(machine, sizeof machine);
    const char **forbid = rg_xcalloc((size_t)o->forbid.n + 1, sizeof *forbid);
    int n_forbid = 0;
    for (int k = 0; k < o->forbid.n; k++) /* an older graph has no such step */
        if (!rg_preparation_bit(o->forbid.items[k]) || rg_regraph_find(s->graph, o->forbid.items[k]) >= 0)
            forbid[n_forbid++] = o->forbid.items[k];
    const struct rg_search_options so = {
        .policy = o->policy,
        .seed = (uint64_t)o->seed,
        .evals = (int)o->evals,
        .seconds = o->time,
        .began = s->began,
        .closing_s = closing_s(s),
        .patience = (int)o->patience,
        .target_us = s->target_us,
        .target_speedup = s->target_speedup,
        .in_flight = in_flight(s),
        .model_in_flight = (int)o->llm_in_flight,
        .forbid = forbid,
        .n_forbid = n_forbid,
        .apply = o->apply,
        .given = search_given(s),
        .total = f.objective_total,
        .journal = journal,
        .sources = sources,
        .resume = o->resume,
        .run_id = s->run_id,
        .klass = s->problem->klass,
        .program = s->program,
        .function = s->problem->function,
        .traits = s->problem->traits,
        .file = s->problem->file,
        .exploration = o->exploration,
        .max_mix = -1,
        .constants = o->constants.items,
        .n_constants = o->constants.n,
        .tries = (int)o->llm_tries,
        .hardware_counters = i->hardware_counters,
        .prune = i->prunes,
        .prune_how = i->estimated ? NULL : i->prune,
        .origin = {date, rg_cmd_version(), machine},
        .stop = &stop,
        .progress = search_progress,
        .progress_arg = s,
    };
    rg_problem_program(s->problem, s->program);
    st = rg_search_run(&so, s->graph, coders, s->n_coders, rg_farm_evaluator(s->farm), &s->result, err);
    s->have_result = true;
    if (!stop) rg_farm_settle(s->farm);
    search_progress_end();
    free(journal);
    free(sources);
    free(forbid);
    return st;
}

/* What the result is built for: the device of the run, where that is a plain name of an architecture. */
static const char *nvcc_arch(const struct search_session *s)
{
    const char *arch = s->limit_arch ? s->limit_arch : rg_farm_info(s->farm)->arch;
    return strncmp(arch, "sm_", 3) ? NULL : arch;
}

static enum rg_status keep(struct search_session *s, struct rg_error *err)
{
    struct rg_search_result *r = &s->result;
    if (s->o.learn && r->n_rows) {
        struct rg_error e = RG_ERROR_INIT;
        if (rg_search_learn(s->graph_path, r->rows, r->n_rows, s->graph, &e) == RG_OK) {
            s->edges_updated = r->edges_updated;
        } else {
            char text[1600];
            rg_cmd_message("not learnt: %s", rg_error_format(&e, text, sizeof text));
            s->learn_failed = true;
        }
    }
    if (s->o.evidence) {
        struct rg_error e = RG_ERROR_INIT;
        char text[1600];
        if (rg_evidence_save(s->o.evidence, r->rows, r->n_rows, s->graph, &e) != RG_OK) {
            rg_cmd_message("the evidence was not kept: %s", rg_error_format(&e, text, sizeof text));
            s->learn_failed = true;
        }
    }
    if (s->o.learn && s->examples_path) {
        struct rg_error e = RG_ERROR_INIT;
        char text[1600];
        if (rg_llm_keep_examples(s->examples_path, r->pairs, r->n_pairs, s->problem->traits,
                                 rg_farm_info(s->farm)->estimated, &e) != RG_OK)
            rg_cmd_message("examples not kept: %s", rg_error_format(&e, text, sizeof text));
    }
    if (!r->best) return RG_OK;
    struct rg_buf chain = RG_BUF_INIT, title = RG_BUF_INIT;
    search_chain(s, &chain);
    rg_buf_printf(&title, "%s: %s\nsteps: %s\n%s %.6g ms on %s, largest error %.3g", s->problem->function,
                  s->problem->prototype, chain.data, rg_farm_info(s->farm)->estimated ? "estimated" : "measured",
                  r->evaluation.time_us * 1e-3, rg_farm_info(s->farm)->device, r->evaluation.max_error);
    enum rg_status st =
        rg_export_write(s->out_dir, s->problem, r->source.cuda, r->source.plan, title.data, nvcc_arch(s), err);
    if (st == RG_OK) s->best_path = rg_xasprintf("%s/best.cu", s->out_dir);
    if (st == RG_OK) st = search_certificate(s, err);
    rg_buf_release(&chain);
    rg_buf_release(&title);
    return st;
}

static int exit_code(const struct search_session *s)
{
    const struct rg_search_result *r = &s->result;
    if (stop_signal) return 128 + (int)stop_signal;
    if (r->coder_status == RG_DEFERRED) {
        rg_cmd_message("%s; regraph-search --resume %s goes on", r->last_failure, s->out_dir);
        return rg_status_exit(RG_DEFERRED);
    }
    if (!r->best) {
        if (r->coder_status == RG_SERVICE) return rg_status_exit(RG_SERVICE);
        if (!r->evaluations && !r->last_failure[0] && s->o.time > 0 && rg_now() >= s->began + s->o.time)
            rg_cmd_message(
                "nothing verified: the %.3g s of --time were over before a first kernel was; more time, or a "
                "smaller --size, gives one",
                s->o.time);
        else
            rg_cmd_message("nothing verified%s%s", r->last_failure[0] ? "; last: " : "", r->last_failure);
        if (s->problem->assumed)
            rg_cmd_message("what --assume took may be false: %s; without it these loops keep their order",
                           s->problem->assumed);
        return 6;
    }
    return search_keep_your_c(s) ? RG_EXIT_SLOWER : RG_EXIT_OK;
}

int main(int argc, char **argv)
{
    struct search_session s = {.argc = argc, .argv = argv};
    struct rg_error err = RG_ERROR_INIT;
    enum rg_status st = RG_OK;
    rg_cmd_start("regraph-search");
    int code = search_parse(argc, argv, &s);
    if (code < 0 && search_resumes_alone(&s)) st = search_resume_alone(&s, &code, &err);
    if (code >= 0 || st != RG_OK) {
        if (st != RG_OK) code = rg_cmd_fail(&err);
        search_release(&s);
        return rg_cmd_end(code);
    }
    rg_cmd_verbosity(s.o.verbose ? 2 : 0);
    catch_signals();
    s.began = rg_now();
    search_live_begin(&s);
    st = search_load(&s, &err);
    if (st == RG_OK && s.o.explain && !strcmp(s.o.explain, "passes")) { /* printed on the way */
        search_release(&s);
        return rg_cmd_end(0);
    }
    if (st == RG_OK && s.o.explain) {
        struct rg_error none = RG_ERROR_INIT; /* what no coder can do is part of the explanation */
        search_open_coders(&s, &none);
        code = *s.o.explain ? search_explain_kernels(&s) : search_explain(&s);
        search_release(&s);
        return rg_cmd_end(code);
    }
    if (st == RG_OK) st = run(&s, &err);
    if (st == RG_OK) {
        st = keep(&s, &err);
    } else if (s.have_result && s.result.best &&
               !(s.o.apply &&
                 (st == RG_INPUT ||
                  st == RG_USAGE))) { /* a full disk, say: what was found until then is kept where it still can be */
        struct rg_error none = RG_ERROR_INIT;
        if (keep(&s, &none) == RG_OK) rg_cmd_message("the best so far is in %s", s.best_path);
    } else if (st == RG_INPUT || st == RG_USAGE) { /* the corrected command finds the folder as this one did */
        search_take_back_out(&s);
    }
    s.seconds_total = rg_now() - s.began;
    if (st == RG_OK) search_live_end(&s);
    if (st == RG_OK) {
        code = exit_code(&s);
        if (s.o.json)
            search_print_json(&s);
        else
            search_report(&s, code);
    } else {
        code = rg_cmd_fail(&err);
        if (st == RG_LIMIT && s.o.time > 0 && rg_now() >= s.began + s.o.time)
            code = 6; /* the budget's end, not a fault */
    }
    if (stop_signal) code = 128 + (int)stop_signal;
    search_release(&s);
    return rg_cmd_end(code);
}
