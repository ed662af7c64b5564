#include "cmd/search.h"
#include <math.h>
#include <rg/log.h>
#include <rg/similar.h>
#include <stdlib.h>
#include <string.h>

/* "regs=64,shared=48k,memory=8g,arch=sm_80" */
/* -1: go on. */
static int check_constants(const struct search_session *s, const struct rg_command *c)
{
    for (int i = 0; i < s->o.constants.n; i++) {
        struct rg_error err = RG_ERROR_INIT;
        if (!strcmp(s->o.constants.items[i], "help")) {
            struct rg_buf b = RG_BUF_INIT;
            rg_search_constants(&b);
            printf("Constants of the search, for --set, with their defaults:\n%s", b.data);
            rg_buf_release(&b);
            return RG_EXIT_OK;
        }
        if (rg_search_constant_check(s->o.constants.items[i], &err) != RG_OK) return rg_cmd_usage(c, "%s", err.text);
    }
    return -1;
}

static const char *limit_near(const char *item, char out[160])
{
    static const char *const known[] = {"regs", "shared", "memory", "arch"};
    char *name = rg_xstrndup(item, strcspn(item, "="));
    out[0] = 0;
    if (rg_similar(name, known, 4) && strcmp(rg_similar(name, known, 4), name)) rg_did_you_mean(name, known, 4, out);
    free(name);
    return out;
}

static bool parse_limits(struct search_session *s, const struct rg_command *c)
{
    for (int i = 0; i < s->o.limits.n; i++) {
        char *copy = rg_xstrdup(s->o.limits.items[i]), *save = NULL;
        for (char *item = strtok_r(copy, ",", &save); item; item = strtok_r(NULL, ",", &save)) {
            char *eq = strchr(item, '='), *end = NULL;
            double v = eq ? strtod(eq + 1, &end) : 0;
            if (eq && !strncmp(item, "arch=", 5)) {
                s->limit_arch = strstr(s->o.limits.items[i], "arch=") + 5; /* lives in argv; the last of its list */
                continue;
            }
            if (end && (*end == 'k' || *end == 'K'))
                v *= 1024, end++;
            else if (end && (*end == 'm' || *end == 'M'))
                v *= 1 << 20, end++;
            else if (end && (*end == 'g' || *end == 'G'))
                v *= 1 << 30, end++;
            bool good = eq && end != eq + 1 && !*end && v >= 1 && v < 1e15;
            if (good && !strncmp(item, "regs=", 5) && v <= 255)
                s->limit_regs = (int)v;
            else if (good && !strncmp(item, "shared=", 7))
                s->limit_shared = (int64_t)v;
            else if (good && !strncmp(item, "memory=", 7))
                s->limit_memory = (int64_t)v;
            else {
                char near[160];
                rg_cmd_usage(c, "--limit takes regs=N, shared=BYTES, memory=BYTES or arch=sm_NN, not '%s'%s", item,
                             limit_near(item, near));
                free(copy);
                return false;
            }
        }
        free(copy);
    }
    if (s->limit_arch && strncmp(s->limit_arch, "sm_", 3)) {
        rg_cmd_usage(c, "--limit arch= takes an architecture such as sm_80, not '%s'", s->limit_arch);
        return false;
    }
    return true;
}

/* "slurm:4": steps of the allocation that this runs in, one GPU each; "2:ssh host": any command that runs what follows
 * it. */
static bool parse_workers(struct search_session *s, const struct rg_command *c)
{
    enum { MOST = 16, WORDS = 40 };
    static const char *const step[] = {"srun",    "--quiet",    "--nodes=1",    "--ntasks=1",          "--exact",
                                       "--mem=0", "--mpi=none", "--unbuffered", "--kill-on-bad-exit=0"};
    const char *text = s->o.workers;
    if (!text) return true;
    bool slurm = !strncmp(text, "slurm:", 6);
    char *end;
    long n = strtol(slurm ? text + 6 : text, &end, 10);
    if (n < 1 || n > MOST || (slurm ? *end : *end != ':' || !end[1]))
        return rg_cmd_usage(c, "--workers takes slurm:N or N:COMMAND (N from 1 to %d), not '%s'", MOST, text), false;
    if (slurm && !getenv("SLURM_JOB_ID"))
        return rg_cmd_usage(
                   c, "--workers slurm:N takes steps of a Slurm allocation: run the search under salloc or sbatch"),
               false;
    if (!strcmp(s->o.device, "cuda:all"))
        return rg_cmd_usage(c, "--workers are one device each: it contradicts --device cuda:all"), false;
    int words = 0;
    s->n_remote = (int)n;
    s->launcher = rg_xcalloc(WORDS + 1, sizeof *s->launcher);
    for (size_t i = 0; slurm && i < sizeof step / sizeof *step; i++) s->launcher[words++] = step[i];
    if (slurm && strncmp(s->o.device, "sim:", 4)) s->launcher[words++] = "--gres=gpu:1";
    s->launch_text = slurm ? NULL : rg_xstrdup(end + 1);
    char *save = NULL;
    for (char *w = slurm ? NULL : strtok_r(s->launch_text, " ", &save); w && words < WORDS;
         w = strtok_r(NULL, " ", &save))
        s->launcher[words++] = w;
    return words > 0 || (rg_cmd_usage(c, "--workers %s: which command?", text), false);
}

static bool parse_allow(struct search_session *s, const struct rg_command *c)
{
    struct rg_error e = RG_ERROR_INIT;
    for (int i = 0; i < s->o.allow.n; i++)
        if (rg_allow_parse(s->o.allow.items[i], &s->allow, &e) != RG_OK) {
            rg_cmd_usage(c, "--allow: %s", e.text);
            return false;
        }
    for (int i = 0; i < s->o.assume.n; i++)
        if (rg_assume_parse(s->o.assume.items[i], &s->assume, &e) != RG_OK) {
            rg_cmd_usage(c, "--assume: %s", e.text);
            return false;
        }
    if (s->assume && s->o.problem_file) {
        rg_cmd_usage(c, "--assume is of a C file: a saved problem has its loops as they were understood");
        return false;
    }
    return true;
}

/* "0.5ms", "300us", "3x" */
static bool parse_target(struct search_session *s, const struct rg_command *c)
{
    if (!s->o.target) return true;
    char *end;
    double v = strtod(s->o.target, &end);
    if (end != s->o.target && isfinite(v) && v > 0) {
        if (!strcmp(end, "x")) return s->target_speedup = v, true;
        double unit = !strcmp(end, "us") ? 1 : !strcmp(end, "ms") ? 1e3 : !strcmp(end, "s") ? 1e6 : 0;
        if (unit > 0) return s->target_us = v * unit, true;
    }
    rg_cmd_usage(c, "--target takes a time (0.5ms, 300us) or a speed-up over naive (3x), not '%s'", s->o.target);
    return false;
}

int search_parse(int argc, char **argv, struct search_session *s)
{
    struct search_options *o = &s->o;
    o->rtol = o->atol = -1;
    o->device = "auto";
    o->policy = "mcgs";
    o->objective = "kernel";
    o->cache = "cold";
    o->counters = o->prune = "auto";
    o->evals = 200;
    o->patience = 60;
    o->seed = 1;
    o->time = 600;
    o->learn = o->compile_cache = o->report = true;
    o->max_calls = 200;
    o->llm_temperature = -1;
    const struct rg_option table[] = {
        RG_OPTION_HEADING("The problem"),
        RG_OPTION_TEXT("function", 'f', &o->function, "NAME", "the function to optimise, where the file has several"),
        RG_OPTION_LIST("size", 's', &o->sizes, "n=1024,m=32",
                       "sizes; the first is timed, all are verified (a name given again begins another)"),
        RG_OPTION_LIST("extent", 0, &o->extents, "'x: n'", "extent of a flat pointer, outermost first"),
        RG_OPTION_LIST("role", 0, &o->roles, "'A: out'", "in, out or inout, where the analysis can't tell"),
        RG_OPTION_LIST("input", 0, &o->inputs, "NAME=X", "uniform(0,n-1), constant(1), ... or a .npy file"),
        RG_OPTION_LIST("expect", 0, &o->expects, "NAME=FILE.npy", "expected output for the timed size"),
        RG_OPTION_LIST("require", 0, &o->requires_, "'n % 16 == 0'", "condition on sizes the kernel may rely on"),
        RG_OPTION_FLAG("specialize", 0, &o->specialize,
                       "for the timed sizes alone: constants in the kernel, checked by the exported function"),
        RG_OPTION_LIST("init", 0, &o->inits, "FUNCTION",
                       "a function of the file that fills the parameters; several run in this order; none: not even "
                       "where the file calls one"),
        RG_OPTION_LIST("with", 0, &o->with, "OTHER.c", "further C files the function needs"),
        RG_OPTION_TEXT("cflags", 0, &o->cflags, "FLAGS", "flags of the C compiler (-I, -D, ...)"),
        RG_OPTION_REAL("rtol", 0, &o->rtol, "R", 0, 1e30,
                       "relative tolerance (by type: fp32 1e-4, fp64 1e-10, fp16 1e-2)"),
        RG_OPTION_REAL("atol", 0, &o->atol, "R", 0, 1e30,
                       "absolute tolerance (by type: fp32 1e-5, fp64 1e-12, fp16 1e-3)"),
        RG_OPTION_LIST("allow", 0, &o->allow, "tf32,fast-math",
                       "accept results far less exact than those of your C: tensor cores\nin tf32, approximate "
                       "functions (--rtol and --atol also do)"),
        RG_OPTION_LIST("assume", 0, &o->assume, "order-free",
                       "the results do not depend on the order of iterations, where that\ncan't be proven: such loops "
                       "run at once, and what was assumed is said"),
        RG_OPTION_FLAG("may-alias", 0, &o->may_alias, "pointer parameters may overlap"),
        RG_OPTION_FLAG("allow-trivial", 0, &o->allow_trivial,
                       "accept a function whose outputs are constants or copies"),
        RG_OPTION_TEXT("problem", 'p', &o->problem_file, "P.json", "a saved problem instead of FILE.c"),
        RG_OPTION_TEXT("save-problem", 0, &o->save_problem, "P.json", "write the problem as understood"),
        RG_OPTION_FLAG_OF(
            "explain", 0, &o->explain, "passes|kernel",
            "print the problem, legal actions and refusals, and stop;\npasses: the tree after each pass of the front "
            "end, with its time;\nkernel: the kernels of each first action, or of --apply, as pseudo-code"),
        RG_OPTION_HEADING("Where and how long"),
        RG_OPTION_TEXT("device", 'd', &o->device, "DEV",
                       "auto, cuda:N, cuda:all, sim:NAME (auto: the first GPU, else sim:h200)"),
        RG_OPTION_INT("evals", 'n', &o->evals, "N", 0, 1e9, "evaluations at most, 0 no limit (200)"),
        RG_OPTION_SECONDS("time", 't', &o->time, "T", "wall time of the whole command: 90s, 10min; 0 no limit (10min)"),
        RG_OPTION_INT("patience", 0, &o->patience, "N", 0, 1e9,
                      "stop after N evaluations without a better one, 0 never (60)"),
        RG_OPTION_TEXT("target", 0, &o->target, "0.5ms|3x", "stop at this kernel time or speed-up over naive"),
        RG_OPTION_CHOICE("objective", 0, &o->objective, "kernel|total",
                         "what is minimised: the kernel's time, or with transfers (kernel)"),
        RG_OPTION_CHOICE("cache", 0, &o->cache, "cold|hot", "state of the L2 before each timed run (cold)"),
        RG_OPTION_INT("baseline-threads", 0, &o->baseline_threads, "N", 0, 1024,
                      "time the C with OpenMP on N threads too, where it has pragmas for that"),
        RG_OPTION_CHOICE("counters", 0, &o->counters, "auto|off",
                         "the GPU's own counters of the best, read by ncu where it can (auto)"),
        RG_OPTION_FLAG(
            "no-screen", 0, &o->no_screen,
            "on a GPU: no look for races and stray accesses, on the simulated device or by compute-sanitizer"),
        RG_OPTION_CHOICE("prune", 0, &o->prune, "auto|on|off",
                         "on a GPU: what the simulated device estimates far slower than the best is not timed (auto: "
                         "where its estimates were found good enough)"),
        RG_OPTION_TEXT(
            "workers", 0, &o->workers, "slurm:N|N:COMMAND",
            "N run workers on other machines: as steps of this Slurm allocation, or started by COMMAND ('4:ssh host')"),
        RG_OPTION_CLEAR("no-compile-cache", &o->compile_cache,
                        "compile and measure peaks anew (else known from earlier runs: $XDG_CACHE_HOME/regraph)"),
        RG_OPTION_LIST("limit", 0, &o->limits, "regs=,shared=,memory=,arch=", "what kernels may use at most"),
        RG_OPTION_HEADING("The search"),
        RG_OPTION_CHOICE("coder", 0, &o->coder, "poly|llm|both", "who writes code (both with a model, else poly)"),
        RG_OPTION_TEXT("graph", 'g', &o->graph, "FILE", "the reasoning graph (your copy under $XDG_DATA_HOME/regraph)"),
        RG_OPTION_CLEAR("no-learn", &o->learn, "leave the graph as it is"),
        RG_OPTION_TEXT("evidence", 0, &o->evidence, "FILE",
                       "what this run learnt goes there instead of into the graph (regraph-graph merge GRAPH FILE)"),
        RG_OPTION_CHOICE("policy", 0, &o->policy, "mcgs|uct|random|greedy|beam|best-of-n|refine|exhaustive",
                         "how the search chooses what to try next (mcgs)"),
        RG_OPTION_INT("seed", 0, &o->seed, "N", 0, 9e18, "of every random choice (1)"),
        RG_OPTION_INT("in-flight", 0, &o->in_flight, "N", 0, 64,
                      "actions at once (1 simulated; on a GPU 3 to 8 by CPUs)"),
        RG_OPTION_REAL("exploration", 0, &o->exploration, "C", 0, 1e6, "constant of the selection formula (built in)"),
        RG_OPTION_LIST("set", 0, &o->constants, "NAME=VALUE|help",
                       "a constant of the search (help: all of them, and stop)"),
        RG_OPTION_TEXT("apply", 'a', &o->apply, "CHAIN", "no search: this chain, 'parallelize,tile.shared@A{TILE=32}'"),
        RG_OPTION_TEXT("start", 0, &o->start, "FILE", "begin from this kernel: a best.cu or a certificate.json"),
        RG_OPTION_LIST("forbid", 0, &o->forbid, "STEP",
                       "never use this step; also those applied before the search: last.writer, last.value, ping.pong, "
                       "array.expand, fission"),
        RG_OPTION_HEADING("The model"),
        RG_OPTION_TEXT("llm-url", 0, &o->llm_url, "URL", "base of the server, http://localhost:8000/v1"),
        RG_OPTION_TEXT("llm-model", 0, &o->llm_model, "NAME", "model name"),
        RG_OPTION_CHOICE("llm-api", 0, &o->llm_api, "auto|chat|messages",
                         "protocol: OpenAI's chat completions or Anthropic's messages (by the url)"),
        RG_OPTION_TEXT("llm-key-env", 0, &o->llm_key_env, "VAR",
                       "variable that holds the key (OPENAI_API_KEY, ANTHROPIC_API_KEY)"),
        RG_OPTION_TEXT("llm-key-file", 0, &o->llm_key_file, "FILE", "file that holds the key instead"),
        RG_OPTION_TEXT("llm-record", 0, &o->llm_record, "FILE",
                       "append every request and reply (DIR/llm.jsonl of --out)"),
        RG_OPTION_TEXT("llm-replay", 0, &o->llm_replay, "FILE", "answer from a record; no network"),
        RG_OPTION_TEXT("llm-replay-or-ask", 0, &o->llm_replay_or_ask, "FILE",
                       "the same, but what it lacks is asked and appended"),
        RG_OPTION_TEXT("llm-defer", 0, &o->llm_defer, "DIR",
                       "write requests there and end with 7; --resume takes the answers"),
        RG_OPTION_INT("llm-in-flight", 0, &o->llm_in_flight, "N", 1, 256,
                      "the model's actions and requests at once (as --in-flight; 4)"),
        RG_OPTION_INT("llm-samples", 0, &o->llm_samples, "N", 0, 32,
                      "answers asked for in one request, 0 one or two, as the model needs (0)"),
        RG_OPTION_INT("llm-tries", 0, &o->llm_tries, "N", 1, 1000,
                      "failed attempts at one action before it is given up (4)"),
        RG_OPTION_INT("llm-context", 0, &o->llm_context, "TOKENS", 2048, 1e8,
                      "context of the model: requests are cut to fit"),
        RG_OPTION_INT("llm-reply-tokens", 0, &o->llm_reply_tokens, "N", 1, 1e8, "longest reply (the server's limit)"),
        RG_OPTION_SECONDS("llm-timeout", 0, &o->llm_timeout, "T", "of one request; twice that with its retries (5min)"),
        RG_OPTION_FLAG("judge", 0, &o->judge, "ask first for the one issue, from outcome and counters"),
        RG_OPTION_FLAG("critic", 0, &o->critic, "have new code reviewed before it is run"),
        RG_OPTION_TEXT("judge-model", 0, &o->judge_model, "NAME", "model of judge and critic (the coder's)"),
        RG_OPTION_TEXT(
            "llm-examples", 0, &o->llm_examples, "FILE|none",
            "best before/after of steps in earlier runs: shown, and added to unless --no-learn (beside the graph)"),
        RG_OPTION_TEXT("llm-quirks", 0, &o->llm_quirks, "FILE", "what single models want differently (docs/models.md)"),
        RG_OPTION_TEXT("prompts", 0, &o->llm_prompts, "DIR", "your prompts instead of the built-in ones"),
        RG_OPTION_TEXT("llm-prices", 0, &o->llm_prices, "FILE",
                       "price table: what --max-cost and the report count with"),
        RG_OPTION_REAL("llm-temperature", 0, &o->llm_temperature, "T", 0, 10, "sampling temperature (the server's)"),
        RG_OPTION_INT("max-calls", 0, &o->max_calls, "N", 1, 1e9, "requests at most (200)"),
        RG_OPTION_INT("max-tokens", 0, &o->max_tokens, "N", 0, 9e18, "tokens at most, 0 no limit"),
        RG_OPTION_REAL("max-cost", 0, &o->max_cost, "MONEY", 0, 1e9, "cost at most, 0 no limit"),
        RG_OPTION_HEADING("Output"),
        RG_OPTION_TEXT("out", 'o', &o->out, "DIR", "folder of the result (out/FUNCTION)"),
        RG_OPTION_FLAG("force", 0, &o->force, "overwrite an earlier result in that folder"),
        RG_OPTION_FLAG("resume", 0, &o->resume,
                       "go on with the run in that folder: '--resume DIR' alone, or with options that change"),
        RG_OPTION_CLEAR(
            "no-report", &o->report,
            "write no report.html into that folder (else a page that is written anew while the search runs)"),
        RG_OPTION_FLAG("json", 0, &o->json, "one JSON document on stdout (regraph-search/1)"),
        RG_OPTION_FLAG("quiet", 'q', &o->quiet, "no progress"),
        RG_OPTION_FLAG("verbose", 'v', &o->verbose, "what the workers and coders do"),
    };
    const struct rg_command c = {
        .name = "regraph-search",
        .example = "regraph-search examples/sgemm.c --evals 100",
        .usage = "(FILE.c | --problem P.json | --resume DIR) [options]",
        .about = "Takes a sequential C function and gives back a CUDA kernel that computes the same thing, verified\n"
                 "against that function and timed on the device.",
        .options = table,
        .n_options = RG_N_OPTIONS(table),
        .min_args = 0,
        .max_args = 1,
        .notes = "Exit: 0 a verified kernel was exported; 1 verified, none faster than the sequential code at the\n"
                 "timed size (simulated: by estimate): keep your C; 2 usage;\n"
                 "3 bad input; 4 no such device, driver, library or compiler; 5 model service failed; 6 nothing\n"
                 "verified within the budget; 7 waiting for deferred answers; 70 our bug; 128+n signal.",
    };
    int code = rg_cmd_parse_one(&c, argc, argv, &o->file);
    if (code < 0) code = check_constants(s, &c);
    if (o->evidence) o->learn = false;
    for (int i = 0; i < o->inits.n; i++)
        o->init = i ? rg_arena_printf(&s->added, "%s, %s", o->init, o->inits.items[i]) : o->inits.items[0];
    if (code < 0) {
        o->uses_model = o->llm_url || o->llm_replay || o->llm_defer;
        if (s->resumed) o->force = false; /* as the run was started: it has begun */
        if (o->resume && !o->file && !o->problem_file && !o->out && !s->resumed)
            code = rg_cmd_usage(&c, "--resume of which run? (--resume DIR, or the C file and options again)");
        else if (!o->file && !o->problem_file && !o->resume)
            code = rg_cmd_usage(&c, "which C file? (or --problem P.json, --resume DIR)");
        else if (o->file && o->problem_file)
            code = rg_cmd_usage(&c, "both a C file and --problem are given");
        else if (o->explain && !strcmp(o->explain, "passes") && !o->file)
            code = rg_cmd_usage(&c, "--explain=%s needs the C file: a saved problem has its tree already", o->explain);
        else if (o->resume && o->force)
            code = rg_cmd_usage(&c, "--resume and --force contradict each other");
        else if (o->apply && !strcmp(o->prune, "on"))
            code = rg_cmd_usage(&c, "--apply times what it names: it contradicts --prune on");
        else if (o->start && o->apply)
            code = rg_cmd_usage(&c, "--start and --apply contradict each other");
        else if (o->llm_replay && (o->llm_url || o->llm_replay_or_ask || o->llm_defer))
            code = rg_cmd_usage(
                &c, "--llm-replay asks nobody: it contradicts --llm-url, --llm-replay-or-ask and --llm-defer");
        else if (o->llm_url && o->llm_defer)
            code = rg_cmd_usage(&c, "--llm-url and --llm-defer contradict each other");
        else if (o->llm_replay_or_ask && !o->llm_url)
            code = rg_cmd_usage(&c, "--llm-replay-or-ask needs --llm-url");
        else if (o->coder && strcmp(o->coder, "poly") && !o->uses_model)
            code = rg_cmd_usage(&c, "--coder %s needs --llm-url (or --llm-replay, --llm-defer)", o->coder);
        else if ((o->llm_url || o->llm_defer) && !o->llm_model)
            code = rg_cmd_usage(&c, "%s needs --llm-model", o->llm_url ? "--llm-url" : "--llm-defer");
        else if (!parse_limits(s, &c) || !parse_allow(s, &c) || !parse_target(s, &c) || !parse_workers(s, &c))
            code = RG_EXIT_USAGE;
    }
    if (!o->coder) o->coder = o->uses_model ? "both" : "poly";
    return code;
}

void search_parsed_free(struct search_session *s)
{
    search_options_release(&s->o);
    free(s->launcher);
    free(s->launch_text);
    s->launcher = NULL;
    s->launch_text = NULL;
    s->limit_arch = NULL;
    s->limit_regs = s->n_remote = 0;
    s->limit_shared = s->limit_memory = 0;
    s->target_us = s->target_speedup = 0;
    s->allow = 0;
    s->o = (struct search_options){0};
}

void search_options_release(struct search_options *o)
{
    struct rg_strings *lists[] = {&o->sizes,     &o->extents,   &o->roles,  &o->inputs, &o->expects,
                                  &o->requires_, &o->with,      &o->forbid, &o->limits, &o->allow,
                                  &o->assume,    &o->constants, &o->inits};
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) rg_strings_release(lists[i]);
}
