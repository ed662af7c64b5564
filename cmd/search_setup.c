#include "cmd/search.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <rg/file.h>
#include <rg/hash.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

/* Steps that are not to be taken before the first action: by --forbid and, once it is loaded, by what the graph bars.
 */
static unsigned without(const struct search_session *s)
{
    const struct search_options *o = &s->o;
    unsigned bits = 0;
    for (int i = 0; i < o->forbid.n; i++) bits |= rg_preparation_bit(o->forbid.items[i]);
    for (int i = 0; s->graph && i < rg_regraph_steps(s->graph); i++) {
        const struct rg_step *step = rg_regraph_step(s->graph, i);
        bool barred = step->never;
        for (int k = 0; k < o->forbid.n; k++) barred = barred || !strcmp(o->forbid.items[k], step->id);
        if (barred) bits |= rg_poly_first_bit(step->poly);
    }
    return bits;
}

static const double main_share = 0.1; /* of --time */

static enum rg_status load_problem(struct search_session *s, struct rg_error *err)
{
    const struct search_options *o = &s->o;
    if (o->problem_file) {
        enum rg_status st = rg_problem_load(o->problem_file, &s->problem, err);
        if (st == RG_OK && (s->allow & ~s->problem->allow)) {
            s->problem->allow |= s->allow;
            rg_problem_rehash(s->problem);
        }
        if (st == RG_OK && s->problem->tree_json) st = rg_ctree_from_json(s->problem->tree_json, &s->tree, err);
        if (st == RG_OK && s->tree) st = rg_ctree_fits(s->tree, s->problem, err);
        if (st == RG_OK && s->tree) s->tree->without = without(s);
        if (st != RG_OK) rg_error_prefix(err, "%s", o->problem_file);
        return st;
    }
    struct rg_frontend_options f = {
        .file = o->file,
        .function = o->function,
        .sizes = o->sizes.items,
        .n_sizes = o->sizes.n,
        .extents = o->extents.items,
        .n_extents = o->extents.n,
        .roles = o->roles.items,
        .n_roles = o->roles.n,
        .inputs = o->inputs.items,
        .n_inputs = o->inputs.n,
        .expects = o->expects.items,
        .n_expects = o->expects.n,
        .requires_ = o->requires_.items,
        .n_requires = o->requires_.n,
        .init = o->init,
        .with = o->with.items,
        .n_with = o->with.n,
        .cflags = o->cflags,
        .rtol = o->rtol,
        .atol = o->atol,
        .may_alias = o->may_alias,
        .allow_trivial = o->allow_trivial,
        .allow = s->allow,
        .assume = s->assume,
        .without = without(s),
        .specialize = o->specialize,
        .halvings = s->halvings,
        .verify_halvings = s->verify_halvings,
        .main_times = s->main_tried ? s->main_times : -1,
        .main_seconds = main_share * o->time,
    };
    struct rg_buf last = RG_BUF_INIT;
    if (o->explain && !strcmp(o->explain, "passes")) {
        f.pass = search_explain_pass;
        f.pass_arg = &last;
    }
    struct rg_frontend_missing missing = {.arena = &s->added};
    if (!f.pass) f.missing = &missing; /* what is printed is one reading */
    enum rg_status st = rg_frontend_load(&f, &s->problem, &s->tree, err);
    if (st == RG_INPUT && missing.n && !s->n_assumed) { /* nobody states them: with what is proposed */
        search_propose_extents(s, &missing);
        f.extents = s->o.extents.items;
        f.n_extents = s->o.extents.n;
        struct rg_error second = RG_ERROR_INIT;
        rg_buf_reset(&last);
        st = rg_frontend_load(&f, &s->problem, &s->tree, &second);
        if (st == RG_OK) {
            s->extent_error = *err;
            rg_error_clear(err);
        }
        rg_error_clear(&second);
    }
    if (st == RG_OK) {
        s->main_tried = true;
        s->main_times = s->problem->main_times;
        search_note_extents(s);
    }
    rg_buf_release(&last);
    return st;
}

enum rg_status search_reload(struct search_session *s, struct rg_error *err)
{
    if (s->tree) rg_ctree_free(s->tree);
    rg_problem_free(s->problem);
    s->tree = NULL;
    s->problem = NULL;
    return load_problem(s, err);
}

static enum rg_status load_again(struct search_session *s, struct rg_error *err)
{
    enum rg_status st = search_reload(s, err);
    if (st == RG_OK) search_note_source(s);
    if (st == RG_OK && s->o.save_problem) st = rg_problem_save(s->problem, s->o.save_problem, err);
    return st;
}

enum rg_status search_note_inputs(struct search_session *s, const char *note, struct rg_error *err)
{
    struct rg_problem *p = s->problem;
    const char *before = p->init_note;
    p->init_note = rg_arena_printf(&p->arena, "%s%s%s", before ? before : "", before ? "; " : "", note);
    rg_problem_rehash(p);
    return s->o.save_problem ? rg_problem_save(p, s->o.save_problem, err) : RG_OK;
}

enum rg_status search_with_positions(struct search_session *s, struct rg_error *err)
{
    const char **inputs = NULL;
    int n = s->tree && !s->o.problem_file ? rg_frontend_positions(s->problem, s->tree, &s->added, &inputs) : 0;
    if (!n) return rg_error_set(err, RG_INPUT, "no real input leads into an array");
    struct rg_buf note = RG_BUF_INIT;
    for (int i = 0; i < n; i++) {
        rg_strings_add(&s->o.inputs, inputs[i]);
        rg_buf_printf(&note, "%s%s", i ? "; " : "", inputs[i]);
    }
    rg_buf_str(&note, ": real numbers of both signs lead out of the arrays here");
    enum rg_status st = search_reload(s, err);
    if (st == RG_OK) st = search_note_inputs(s, note.data, err);
    rg_buf_release(&note);
    return st;
}

/* In place of what was stated for the parameter. */
static void state_input(struct search_session *s, const char *name, const char *item)
{
    size_t n = strlen(name);
    for (int i = 0; i < s->o.inputs.n; i++) {
        const char *x = s->o.inputs.items[i];
        if (!strncmp(x, name, n) && strchr("=: ", x[n])) {
            s->o.inputs.items[i] = item;
            return;
        }
    }
    rg_strings_add(&s->o.inputs, item);
}

/* `few`: of the two lowest integers of the range. */
static enum rg_status with_stretches(struct search_session *s, bool few, struct rg_error *err)
{
    const struct rg_problem *p = s->problem;
    struct rg_buf names = RG_BUF_INIT;
    for (int i = 0; s->tree && i < p->n_params && !s->o.problem_file; i++) {
        const struct rg_param *q = &p->params[i];
        bool range = q->input.kind == RG_INPUT_UNIFORM || (few && q->input.kind == RG_INPUT_PLATEAUS);
        const char *from = range ? q->input.text : NULL;
        if (few && rg_scalar_is_real(q->elem)) continue;
        if (q->kind != RG_PARAM_ARRAY || q->role == RG_ROLE_OUT || q->elem == RG_STRUCT || q->n_members) continue;
        from = from ? strchr(from, '(') : NULL;
        if (!from && q->input.kind != RG_INPUT_DEFAULT) continue;
        if (!from) from = rg_scalar_is_real(q->elem) ? "(-1, 1)" : "(0, 99)";
        const char *name = rg_param_shown(q);
        int low = (int)strcspn(from, ",") - 1;
        if (few) from = rg_arena_printf(&s->added, "(%.*s, (%.*s) + 1)", low, from + 1, low, from + 1);
        state_input(s, name, rg_arena_printf(&s->added, "%s=plateaus%s", name, from));
        rg_buf_printf(&names, "%s%s", names.len ? ", " : "", name);
    }
    enum rg_status st =
        names.len ? search_reload(s, err) : rg_error_set(err, RG_INPUT, "no array is drawn from a range");
    if (st == RG_OK) {
        rg_buf_printf(&names,
                      ": with stretches of one value%s, as the C finds nothing in values that are all drawn anew",
                      few ? " of two" : "");
        st = search_note_inputs(s, names.data, err);
    }
    rg_buf_release(&names);
    return st;
}

enum rg_status search_with_plateaus(struct search_session *s, struct rg_error *err)
{
    return with_stretches(s, false, err);
}

enum rg_status search_with_few_values(struct search_session *s, struct rg_error *err)
{
    return with_stretches(s, true, err);
}

enum rg_status search_without_found_init(struct search_session *s, const char *why, struct rg_error *err)
{
    s->found_failed = rg_arena_strdup(&s->added, s->problem->init_function);
    s->o.init = "none";
    enum rg_status st = search_reload(s, err);
    if (st == RG_OK) {
        s->problem->init_note =
            rg_arena_printf(&s->problem->arena, "random: with what %s makes of them, %s", s->found_failed, why);
        rg_problem_rehash(s->problem);
        if (s->o.save_problem) st = rg_problem_save(s->problem, s->o.save_problem, err);
    }
    return st;
}

/* Not where the user has chosen, or main made them already: then it is what failed. */
bool search_may_call_main(const struct search_session *s)
{
    if (!s->tree || s->o.problem_file) return false;
    return s->o.init ? s->found_failed && strcmp(s->found_failed, "main") : !s->problem->init_function;
}

enum rg_status search_with_main(struct search_session *s, struct rg_error *err)
{
    if (!search_may_call_main(s)) return rg_error_set(err, RG_INPUT, "the inputs are not main's to make");
    const char *was = s->o.init;
    s->o.init = "main";
    enum rg_status st = load_again(s, err);
    if (st != RG_OK) search_without_main(s, was);
    return st;
}

void search_without_main(struct search_session *s, const char *init)
{
    struct rg_error ignored = RG_ERROR_INIT; /* it was loaded so before */
    s->o.init = init;
    load_again(s, &ignored);
    rg_error_clear(&ignored);
}

enum rg_status search_load(struct search_session *s, struct rg_error *err)
{
    enum rg_status st = load_problem(s, err);
    if (st == RG_OK) st = search_measure_extents(s, err);
    if (st != RG_OK) return st;
    s->out_dir = s->o.out ? rg_xstrdup(s->o.out) : rg_xasprintf("out/%s", s->problem->function);
    if (s->o.resume && (st = search_resumed_sizes(s, err)) != RG_OK) return st;
    search_note_source(s);
    if (s->o.save_problem && (st = rg_problem_save(s->problem, s->o.save_problem, err)) != RG_OK) return st;
    if ((st = search_load_start(s, err)) != RG_OK) return st;
    if ((st = search_load_graph(s, err)) != RG_OK || !s->tree) return st;
    s->tree->without = without(s);
    for (int i = 0; i < s->tree->n_prepared && !s->o.problem_file; i++)
        if (s->tree->without & 1u << s->tree->prepared[i].what) /* while it was read: again, without it */
            return load_again(s, err);
    return RG_OK;
}

static bool folder_has_files(const char *path)
{
    DIR *d = opendir(path);
    if (!d) return false;
    bool any = false;
    for (struct dirent *e; !any && (e = readdir(d));) any = strcmp(e->d_name, ".") && strcmp(e->d_name, "..");
    closedir(d);
    return any;
}

static void run_id(struct search_session *s, bool simulated)
{
    struct rg_buf b = RG_BUF_INIT;
    const struct search_options *o = &s->o;
    rg_buf_printf(&b, "%s %s %lld %lld %s %s %s %s %s %s %.17g", s->problem->hash, s->graph_sha, (long long)o->seed,
                  (long long)o->evals, o->policy, o->coder, o->device, o->objective, o->cache, o->apply ? o->apply : "",
                  o->exploration);
    for (int i = 0; i < o->forbid.n; i++) rg_buf_printf(&b, " forbid %s", o->forbid.items[i]);
    for (int i = 0; i < o->limits.n; i++) rg_buf_printf(&b, " limit %s", o->limits.items[i]);
    for (int i = 0; i < o->constants.n; i++) rg_buf_printf(&b, " set %s", o->constants.items[i]);
    if (o->llm_model) rg_buf_printf(&b, " model %s", o->llm_model);
    if (o->judge || o->critic)
        rg_buf_printf(&b, "%s%s %s", o->judge ? " judge" : "", o->critic ? " critic" : "",
                      o->judge_model ? o->judge_model : "");
    if (rg_farm_info(s->farm)->prunes) rg_buf_str(&b, " prune");
    const struct rg_search_given *g = search_given(s);
    if (g) rg_buf_printf(&b, " start %s %s", g->source.cuda, g->source.plan);
    if (!simulated) {
        struct timespec t;
        clock_gettime(CLOCK_REALTIME, &t);
        rg_buf_printf(&b, " at %lld.%09ld", (long long)t.tv_sec, t.tv_nsec);
    }
    rg_sha256_hex(b.data, b.len, s->run_id);
    s->run_id[16] = 0; /* 64 bits name a run */
    rg_buf_release(&b);
}

/* A journal tells of one problem: other sizes, inputs or tolerances are another run. */
static enum rg_status same_problem(const struct search_session *s, struct rg_error *err)
{
    char *path = rg_xasprintf("%s/problem.json", s->out_dir);
    struct rg_problem *saved = NULL;
    enum rg_status st = RG_OK;
    if (rg_file_exists(path)) st = rg_problem_load(path, &saved, err);
    if (saved && strcmp(saved->hash, s->problem->hash))
        st = rg_error_set(
            err, RG_INPUT,
            "the run in '%s' cannot be resumed: its problem was another one (the C, sizes, extents, inputs "
            "or tolerances are not those of %s); --force begins anew",
            s->out_dir, path);
    free(path);
    rg_problem_free(saved);
    return st;
}

enum rg_status search_check_out(const struct search_session *s, struct rg_error *err)
{
    if (s->o.resume) return same_problem(s, err);
    if (!s->o.force && folder_has_files(s->out_dir))
        return rg_error_set(err, RG_INPUT,
                            "folder '%s' is not empty: --resume goes on with the run in it, --force overwrites it",
                            s->out_dir);
    return RG_OK;
}

/* One run a folder. The lock goes with the process; where the file system has none, we go on without. */
static enum rg_status lock_out(struct search_session *s, struct rg_error *err)
{
    s->out_lock = open(s->out_dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (s->out_lock < 0 || flock(s->out_lock, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return RG_OK;
    return rg_error_set(err, RG_INPUT, "another run is writing to folder '%s': choose another with --out", s->out_dir);
}

static void unlink_in(const char *folder, const char *const *names, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        char *p = rg_xasprintf("%s/%s", folder, names[i]);
        unlink(p);
        free(p);
    }
}

void search_take_back_out(const struct search_session *s)
{
    static const char *const begun[] = {"run.json",     "report.html",      "journal.jsonl", "graph-before.json",
                                        "problem.json", "sources.jsonl.gz", "arguments.json"};
    char *answers = rg_xasprintf("%s/llm.jsonl", s->out_dir);
    if (s->out_begun && !rg_file_exists(answers)) { /* a model's answers were paid for */
        unlink_in(s->out_dir, begun, sizeof begun / sizeof begun[0]);
        rmdir(s->out_dir); /* unless it is the user's, with something in it */
    }
    free(answers);
}

enum rg_status search_open_out(struct search_session *s, struct rg_error *err)
{
    static const char *const ours[] = {"best.cu",           "regraph_host.h", "best.h",           "auto.c",
                                       "check.c",           "reference.c",    "Makefile",         "journal.jsonl",
                                       "graph-before.json", "problem.json",   "certificate.json", "llm.jsonl",
                                       "sources.jsonl.gz",  "run.json",       "report.html",      "arguments.json"};
    enum rg_status st = rg_file_mkdirs(s->out_dir, err);
    if (st == RG_OK) st = lock_out(s, err);
    if (st != RG_OK) return st;
    if (access(s->out_dir, W_OK))
        return rg_error_set(err, RG_INPUT, "folder '%s' cannot be written: %s", s->out_dir, strerror(errno));
    run_id(s, rg_farm_info(s->farm)->estimated);
    if (s->o.resume) return RG_OK;
    unlink_in(s->out_dir, ours, sizeof ours / sizeof ours[0]);
    s->out_begun = true;
    char *graph = rg_xasprintf("%s/graph-before.json", s->out_dir),
         *problem = rg_xasprintf("%s/problem.json", s->out_dir);
    struct rg_buf text = RG_BUF_INIT;
    st = rg_regraph_print(s->graph, &text, err);
    if (st == RG_OK) st = rg_file_write(graph, text.data, text.len, err);
    if (st == RG_OK) st = rg_problem_save(s->problem, problem, err);
    if (st == RG_OK) st = search_arguments_save(s, err);
    rg_buf_release(&text);
    free(graph);
    free(problem);
    return st;
}

/* What analysis knows: which loops are parallel and what the others carry, and of the steps that need to be told
 * whether the C has the form that they are for. NULL: nothing is known. Memory in `a`. */
static struct rg_llm_form *analysis_facts(const struct search_session *s, struct rg_arena *a, struct rg_buf *loops,
                                          int *n_forms)
{
    struct rg_coder c;
    *n_forms = 0;
    if (!s->tree || rg_poly_new(s->problem, s->tree, &c, NULL) != RG_OK) return NULL;
    rg_poly_loop_facts(&c, loops);
    int n = rg_regraph_steps(s->graph);
    struct rg_llm_form *forms = rg_arena_alloc(a, (size_t)(n + 1) * sizeof *forms);
    for (int i = 0; i < n; i++) {
        const struct rg_step *step = rg_regraph_step(s->graph, i);
        if (step->needs != RG_NEEDS_FORM) continue;
        struct rg_llm_form *f = &forms[(*n_forms)++];
        f->step = step->id;
        f->has = rg_poly_has_form(&c, step, &f->traits);
    }
    c.free(c.self);
    while (loops->len && loops->data[loops->len - 1] == '\n') loops->data[--loops->len] = 0;
    return forms;
}

/* How often the loop that data end goes round. */
static void round_facts(const struct search_session *s, struct rg_buf *out)
{
    double rounds = s->farm ? rg_farm_info(s->farm)->rounds : 0;
    char line[100];
    if (rounds > 0)
        rg_buf_printf(out, "%s%s: when timed, the C goes %.0f round%s of this loop%s", out->len ? "\n" : "",
                      rg_problem_line(s->problem, s->problem->round_line, line, sizeof line), rounds,
                      rounds == 1 ? "" : "s", out->len ? "" : ", which data end");
}

/* "0 .. 400000, ascending by 0 .. 21, 8 on average" */
static void input_facts(const struct search_session *s, struct rg_arena *a, const char **out)
{
    for (int i = 0; i < s->problem->n_params; i++) {
        struct rg_input_facts f;
        char text[200];
        if (!s->farm || !rg_farm_input(s->farm, i, &f)) continue;
        int n = snprintf(text, sizeof text, f.whole ? "%.0f .. %.0f" : "%.3g .. %.3g", f.least, f.most);
        if (f.ascends && f.most > f.least)
            snprintf(text + n, sizeof text - (size_t)n, ", ascending by %.0f .. %.0f, %.3g on average", f.least_step,
                     f.most_step, f.mean_step);
        out[i] = rg_arena_strdup(a, text);
    }
}

enum rg_status search_open_coders(struct search_session *s, struct rg_error *err)
{
    const struct search_options *o = &s->o;
    if (strcmp(o->coder, "llm")) {
        struct rg_error e = RG_ERROR_INIT;
        enum rg_status st = s->tree ? rg_poly_new(s->problem, s->tree, &s->coders[s->n_coders], &e)
                                    : rg_error_set(&e, RG_INPUT, "the function's body could not be analysed");
        if (st == RG_OK) {
            s->n_coders++;
            s->has_poly = true;
        } else {
            rg_error_format(&e, s->poly_reason, sizeof s->poly_reason);
            if (!o->uses_model)
                return rg_error_set(err, RG_INPUT,
                                    "the built-in coder can do nothing with '%s': %s (a model can: --llm-url)",
                                    s->problem->function, s->poly_reason);
        }
    }
    if (o->uses_model) {
        char facts[512] = "";
        if (s->farm) {
            const struct rg_farm_info *i = rg_farm_info(s->farm);
            bool wide = (s->problem->traits & RG_TRAIT_FP64) != 0; /* the rate of what it computes in */
            int n =
                snprintf(facts, sizeof facts, "%s, %s, %d multiprocessors, copy bandwidth %.2f TB/s, %s %.1f TFLOP/s",
                         i->device, i->arch, i->sms, i->copy_bytes_s / 1e12, wide ? "fp64" : "fp32",
                         (wide ? i->fp64_flop_s : i->fp32_flop_s) / 1e12);
            if (i->shared_per_block > 0 && i->regs_per_sm > 0 && i->l2_bytes > 0)
                n += snprintf(facts + n, sizeof facts - (size_t)n,
                              ", at most %lld KB of shared memory a block, %lld registers a multiprocessor, L2 %lld MB",
                              (long long)i->shared_per_block >> 10, (long long)i->regs_per_sm,
                              (long long)i->l2_bytes >> 20);
            if (i->sol_ms > 0)
                snprintf(facts + n, sizeof facts - (size_t)n, "; nothing takes less than %.3g us on it",
                         1e3 * i->sol_ms);
        }
        struct rg_buf loops = RG_BUF_INIT;
        struct rg_arena seen = RG_ARENA_INIT;
        int n_forms;
        const struct rg_llm_form *forms = analysis_facts(s, &seen, &loops, &n_forms);
        round_facts(s, &loops);
        const char **inputs = rg_arena_alloc(&seen, (size_t)(s->problem->n_params + 1) * sizeof *inputs);
        input_facts(s, &seen, inputs);
        /* A run that asks keeps its own record: --resume gets from it what was paid for already. */
        char *own = s->farm && !o->llm_replay ? rg_xasprintf("%s/llm.jsonl", s->out_dir) : NULL;
        const char *record = o->llm_record ? o->llm_record : o->llm_replay_or_ask ? o->llm_replay_or_ask : own;
        const char *replay = o->llm_replay ? o->llm_replay : o->llm_replay_or_ask;
        if (!replay && o->resume && record && rg_file_exists(record)) replay = record;
        const struct rg_llm_options l = {
            .url = o->llm_url,
            .model = o->llm_model,
            .key_env = o->llm_key_env,
            .key_file = o->llm_key_file,
            .api = o->llm_api,
            .record = record,
            .replay = replay && rg_file_exists(replay) ? replay : o->llm_replay,
            .defer = o->llm_defer,
            .in_flight = (int)o->llm_in_flight,
            .samples = (int)o->llm_samples,
            .context = (int)o->llm_context,
            .reply_tokens = (int)o->llm_reply_tokens,
            .timeout_s = o->llm_timeout,
            .judge = o->judge,
            .critic = o->critic,
            .judge_model = o->judge_model,
            .quirks = o->llm_quirks,
            .examples = s->examples_path,
            .prompts = o->llm_prompts,
            .prices = o->llm_prices,
            .max_calls = (int)o->max_calls,
            .max_tokens = o->max_tokens,
            .max_cost = o->max_cost,
            .temperature = o->llm_temperature,
            .device_facts = facts,
            .loop_facts = loops.data,
            .input_facts = inputs,
            .forms = forms,
            .n_forms = n_forms,
            .sms = s->farm ? rg_farm_info(s->farm)->sms : 0,
        };
        enum rg_status st = rg_llm_new(&l, s->problem, &s->coders[s->n_coders], err);
        free(own);
        rg_buf_release(&loops);
        rg_arena_release(&seen);
        if (st != RG_OK) return st;
        if (s->farm && !o->quiet && !o->llm_replay) {
            char text[600];
            rg_llm_budget(&s->coders[s->n_coders], text, sizeof text);
            rg_cmd_message("%s", text);
        }
        s->n_coders++;
        s->has_llm = true;
    }
    return RG_OK;
}

void search_release(struct search_session *s)
{
    search_refusals_free(s);
    if (s->have_result) rg_search_result_release(&s->result);
    for (int i = 0; i < s->n_coders; i++)
        if (s->coders[i].free) s->coders[i].free(s->coders[i].self);
    if (s->farm) rg_farm_free(s->farm);
    search_start_free(s);
    search_live_free(s);
    rg_regraph_free(s->graph);
    if (s->tree) rg_ctree_free(s->tree);
    rg_problem_free(s->problem);
    if (s->out_lock > 0) close(s->out_lock);
    free(s->graph_path);
    free(s->examples_path);
    free(s->cache_dir);
    free(s->out_dir);
    rg_strings_release(&s->powers);
    rg_arena_release(&s->added);
    free(s->best_path);
    free(s->certificate_path);
    search_parsed_free(s);
    search_resumed_free(s);
}
