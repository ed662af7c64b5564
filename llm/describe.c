/* What the prompts' variables hold: the problem, a step, the current version. Deterministic: equal
 * input, equal text, or records would not replay. */
#include "llm.h"
#include <ctype.h>
#include <rg/scalar.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_SOURCE = 48 * 1024,
    MAX_CURRENT = 48 * 1024,
    MAX_HINT = 1500,
    SHORT_HINT = 300,
    MAX_SHORT = 5000,
    MAX_LOOPS = 1200,
    SHOWN_COUNTERS = 8
};

char *rg__clean_text(const char *s, size_t n)
{
    struct rg_buf b = RG_BUF_INIT;
    for (size_t i = 0; i < n;) {
        unsigned char c = (unsigned char)s[i];
        int more = c < 0x80                ? 0
                   : c >= 0xc2 && c < 0xe0 ? 1
                   : c >= 0xe0 && c < 0xf0 ? 2
                   : c >= 0xf0 && c < 0xf5 ? 3
                                           : -1;
        bool good = more >= 0 && i + (size_t)more < n;
        for (int k = 1; good && k <= more; k++) good = ((unsigned char)s[i + (size_t)k] & 0xc0) == 0x80;
        if (good && more >= 2) { /* overlong forms, surrogates, beyond U+10FFFF */
            unsigned char d = (unsigned char)s[i + 1];
            good = !(c == 0xe0 && d < 0xa0) && !(c == 0xed && d >= 0xa0) && !(c == 0xf0 && d < 0x90) &&
                   !(c == 0xf4 && d >= 0x90);
        }
        if (!good) {
            rg_buf_char(&b, '?');
            i++;
        } else if (more == 0 && (c < ' ' || c == 127) && c != '\t' && c != '\n') {
            i++;
        } else {
            rg_buf_add(&b, s + i, (size_t)more + 1);
            i += (size_t)more + 1;
        }
    }
    return rg_buf_steal(&b);
}

/* At most `max` bytes of whole lines, clean; says where it was cut. */
static char *limited(const char *s, size_t max)
{
    size_t n = s ? strlen(s) : 0, keep = n;
    if (n > max) {
        keep = max;
        while (keep > max / 2 && s[keep - 1] != '\n') keep--;
    }
    char *clean = rg__clean_text(s ? s : "", keep);
    if (keep == n) return clean;
    char *cut = rg_xasprintf("%s\n/* cut here: %zu bytes more */\n", clean, n - keep);
    free(clean);
    return cut;
}

void rg__fenced(struct rg_buf *out, const char *tag, const char *text)
{
    size_t longest = 2, run = 0, n = strlen(text);
    for (const char *c = text; *c; c++) {
        run = *c == '`' ? run + 1 : 0;
        if (run > longest) longest = run;
    }
    for (size_t i = 0; i <= longest; i++) rg_buf_char(out, '`');
    rg_buf_printf(out, "%s\n%s%s", tag, text, n && text[n - 1] == '\n' ? "" : "\n");
    for (size_t i = 0; i <= longest; i++) rg_buf_char(out, '`');
}

static char *fenced(const char *tag, const char *text, size_t max)
{
    if (!text || !*text) return NULL;
    char *clean = limited(text, max);
    struct rg_buf b = RG_BUF_INIT;
    rg__fenced(&b, tag, clean);
    free(clean);
    return rg_buf_steal(&b);
}

char *rg__fenced_text(const char *tag, const char *text)
{
    return fenced(tag, text, MAX_CURRENT);
}

/* What the C calls it, where that is not its name. */
static void where(struct rg_buf *out, const struct rg_problem *p, const struct rg_param *q)
{
    if (q->origin == RG_ORIGIN_RETURNED) rg_buf_str(out, " (memory that the C allocates and returns)");
    if (q->origin == RG_ORIGIN_RESULT && p->places) {
        const int n = rg_problem_places(p);
        rg_buf_str(out, " (the returned pointer as a number: -1 for NULL");
        for (int k = 0; k < n; k++)
            rg_buf_printf(out, ", %d + %d*i for &%s[i]", k, n, p->params[rg_problem_place(p, k)].name);
        rg_buf_char(out, ')');
    } else if (q->origin == RG_ORIGIN_RESULT)
        rg_buf_str(out, " (the return value)");
    else if (q->c_name && strchr(q->c_name, '.'))
        rg_buf_printf(out, " (in the C: the member %s of a structure)", q->c_name);
    else if (q->origin == RG_ORIGIN_GLOBAL && q->kind == RG_PARAM_ARRAY)
        rg_buf_str(out, " (a file-scope variable)");
    if (q->indirect && q->n_dims > 1) rg_buf_str(out, " (in the C: rows behind pointers; here one block)");
}

/* What the inputs that it is tested with hold. */
static void values(struct rg_buf *out, const struct rg_param *q, const char *seen)
{
    const struct rg_input *in = &q->input;
    if (q->role != RG_ROLE_OUT && in->text && *in->text && in->kind != RG_INPUT_DEFAULT && in->kind != RG_INPUT_FILE &&
        in->kind != RG_INPUT_INIT)
        rg_buf_printf(out, ", tested with %s", in->text);
    if (seen && *seen) rg_buf_printf(out, ", when timed %s", seen);
}

static void parameters(struct rg_buf *out, const struct rg_problem *p, const char *const *seen)
{
    for (int i = 0; i < p->n_params; i++) {
        const struct rg_param *q = &p->params[i];
        const char *elem = q->elem == RG_STRUCT ? q->c_elem : rg_scalar_cuda(q->elem);
        if (q->kind == RG_PARAM_SCALAR) {
            rg_buf_printf(out, "- `%s`: %s, scalar, in", q->name, elem);
            if (q->derived) {
                rg_buf_str(out, " (computed from the others: ");
                rg_expr_print(out, q->derived, NULL, NULL);
                rg_buf_char(out, ')');
            }
            where(out, p, q);
            rg_buf_char(out, '\n');
            continue;
        }
        rg_buf_printf(out, "- `%s`: %s%s *, ", q->name, q->role == RG_ROLE_IN ? "const " : "", elem);
        for (int d = 0; d < q->n_dims; d++) {
            rg_buf_char(out, '[');
            rg_expr_print(out, q->dims[d], NULL, NULL);
            rg_buf_char(out, ']');
        }
        rg_buf_printf(out, " elements%s, %s", q->n_dims > 1 ? " row by row" : "",
                      q->role == RG_ROLE_IN    ? "in"
                      : q->role == RG_ROLE_OUT ? "out"
                                               : "in and out");
        where(out, p, q);
        values(out, q, seen ? seen[i] : NULL);
        rg_buf_char(out, '\n');
    }
}

static void sizes(struct rg_buf *out, const struct rg_problem *p)
{
    for (int i = 0; i < p->n_sizes && p->n_size_params; i++) {
        const struct rg_sizes *s = &p->sizes[i];
        rg_buf_printf(out, "%s%s", i ? "; " : "", "");
        for (int k = 0; k < p->n_size_params; k++)
            rg_buf_printf(out, "%s%s=%lld", k ? ", " : "", p->params[p->size_params[k]].name, (long long)s->values[k]);
        if (s->timed) rg_buf_str(out, " (timed)");
    }
}

/* What is accepted of reals, so that nobody tries steps of less precision in vain. */
static void exactness(struct rg_buf *out, const struct rg_problem *p)
{
    enum rg_scalar widest = RG_I32; /* of the reals that are written */
    for (int i = 0; i < p->n_params; i++) {
        const struct rg_param *q = &p->params[i];
        if (q->role == RG_ROLE_IN) continue;
        const struct rg_struct *s = q->elem == RG_STRUCT && q->struct_index >= 0 ? &p->structs[q->struct_index] : NULL;
        for (int k = 0; k < (s ? s->n_fields : 1); k++) {
            enum rg_scalar t = s ? s->fields[k].type : q->elem;
            if (rg_scalar_is_real(t) && (!rg_scalar_is_real(widest) || rg_scalar_bytes(t) > rg_scalar_bytes(widest)))
                widest = t;
        }
    }
    if (!rg_scalar_is_real(widest)) return;
    if (!rg_problem_capped(p))
        rg_buf_printf(out, "a relative error up to %g is accepted.", rg_problem_rtol(p, widest));
    else if ((p->allow & RG_ALLOW_TF32) && widest == RG_F32)
        rg_buf_str(out, "products of tf32 operands are accepted; still narrower operands (half, bfloat16) are not.");
    else
        rg_buf_str(out, "results far less exact than the C's own rounding are wrong. So no operands narrower than the "
                        "C's (half, bfloat16, tf32) and no fast "
                        "intrinsics (`__expf`, `__fdividef`), whatever a step says; sums may be reordered.");
}

/* Without what stands for C's library: a model writes its own. malloc'd. */
static char *own_declarations(const char *decls)
{
    const char *begin = decls ? strstr(decls, RG_LIBRARY_BEGIN) : NULL,
               *end = begin ? strstr(begin, RG_LIBRARY_END) : NULL;
    if (!end) return rg_xstrdup(decls ? decls : "");
    return rg_xasprintf("%.*s%s", (int)(begin - decls), decls, end + strlen(RG_LIBRARY_END));
}

void rg__describe_problem(struct rg_buf *out, const struct rg__prompts *prompts, const struct rg_problem *p,
                          const struct rg__facts *known, enum rg__problem_cut cut)
{
    const char *device_facts = known ? known->device : NULL;
    size_t most = cut >= RG__PROBLEM_SHORT ? MAX_SHORT : MAX_SOURCE;
    struct rg_buf params = RG_BUF_INIT, tested = RG_BUF_INIT, require = RG_BUF_INIT, source = RG_BUF_INIT,
                  exact = RG_BUF_INIT;
    parameters(&params, p, known ? known->inputs : NULL);
    sizes(&tested, p);
    exactness(&exact, p);
    for (int i = 0; i < p->n_require; i++) rg_buf_printf(&require, "%s%s", i ? ", " : "", p->require_text[i]);
    if (p->context_source && *p->context_source && cut < RG__PROBLEM_NO_CONTEXT)
        rg_buf_printf(&source, "%s\n\n", p->context_source);
    rg_buf_str(&source, p->function_source ? p->function_source : p->prototype);
    char *decls = own_declarations(p->device_decls), *types = fenced("cuda", decls, most),
         *code = fenced("c", source.data, most);
    char *facts = rg__clean_text(device_facts ? device_facts : "", device_facts ? strlen(device_facts) : 0);
    char *prototype = rg__clean_text(p->prototype, strlen(p->prototype)),
         *req = rg__clean_text(require.data, require.len);
    char *loops = known && known->loops && cut < RG__PROBLEM_NO_LOOPS ? limited(known->loops, MAX_LOOPS) : NULL;
    const struct rg__var vars[] = {{"device", facts},      {"prototype", prototype}, {"parameters", params.data},
                                   {"sizes", tested.data}, {"require", req},         {"exactness", exact.data},
                                   {"loops", loops},       {"types", types},         {"source", code}};
    rg__prompt_expand(out, prompts->text[RG__PROMPT_PROBLEM], vars, sizeof vars / sizeof *vars);
    free(decls);
    free(loops);
    free(types);
    free(code);
    free(facts);
    free(prototype);
    free(req);
    rg_buf_release(&params);
    rg_buf_release(&tested);
    rg_buf_release(&require);
    rg_buf_release(&source);
    rg_buf_release(&exact);
}

/* "matches of `\b__shared__\b` appear": a step is known by its effect. Of one that says only what for, any is. */
static void check_text(struct rg_buf *out, const struct rg_step *step)
{
    static const char *const change[] = {[RG_CHECK_APPEARS] = "appear where there were none",
                                         [RG_CHECK_RISES] = "become more",
                                         [RG_CHECK_FALLS] = "become fewer",
                                         [RG_CHECK_DISAPPEARS] = "vanish",
                                         [RG_CHECK_CHANGES] = "change"};
    if (rg__step_is_checked(step) && !rg__step_is_any_way(step))
        rg_buf_printf(out, "matches of the regular expression `%s` %s", step->check_pattern,
                      change[step->check_change]);
}

void rg__describe_step(struct rg_buf *out, const struct rg__prompts *prompts, const struct rg_step *step,
                       const char *site, const struct rg__example *learnt, const char *others, enum rg__request_cut cut)
{
    bool brief = cut >= RG__REQUEST_SHORT_HINT, example = cut < RG__REQUEST_NO_EXAMPLE;
    bool own =
        step->example_before || step->example_after; /* an expert's example is better than one's own experience */
    const char *shown_before = !own && learnt ? learnt->before : step->example_before,
               *shown_after = !own && learnt ? learnt->after : step->example_after;
    char *hint = limited(step->hint, brief ? SHORT_HINT : MAX_HINT),
         *pre = limited(step->precondition, brief ? SHORT_HINT : MAX_HINT);
    char *before = fenced("", example ? shown_before : NULL, 2 * MAX_HINT),
         *after = fenced("", example ? shown_after : NULL, 2 * MAX_HINT);
    const char *where = !strcmp(site, "program") ? "anywhere in the program where it fits best" : site;
    struct rg_buf numbers = RG_BUF_INIT;
    for (int t = 0; t < step->tunables.n; t++) {
        const struct rg_tunable *u = &step->tunables.items[t];
        rg_buf_printf(&numbers, "%s%s ", t ? "; " : "", u->name);
        for (int v = 0; v < u->n_values; v++)
            rg_buf_printf(&numbers, "%s%lld", !v ? "" : v + 1 == u->n_values ? " or " : ", ", (long long)u->values[v]);
    }
    struct rg_buf check = RG_BUF_INIT;
    check_text(&check, step);
    const struct rg__var vars[] = {{"id", step->id},
                                   {"title", step->title ? step->title : step->id},
                                   {"hint", hint},
                                   {"precondition", pre},
                                   {"numbers", numbers.data},
                                   {"site", where},
                                   {"before", before},
                                   {"after", after},
                                   {"others", others},
                                   {"one", rg__step_is_any_way(step) ? NULL : "1"},
                                   {"check", check.data}};
    rg__prompt_expand(out, prompts->text[RG__PROMPT_STEP], vars, sizeof vars / sizeof *vars);
    rg_buf_release(&check);
    rg_buf_release(&numbers);
    free(hint);
    free(pre);
    free(before);
    free(after);
}

static const char *limiter_text(enum rg_limiter l)
{
    static const char *const texts[] = {
#define X(name, word, text) text,
        RG_LIMITER_MAP(X)
#undef X
    };
    return l > RG_LIMIT_UNKNOWN && l < RG_N_LIMITERS ? texts[l] : NULL;
}

/* How the launches use the device, and where the time goes. */
static void launches_text(struct rg_buf *out, const struct rg_evaluation *e, int sms)
{
    double blocks = rg_evaluation_counter(e, "blocks"), launches = rg_evaluation_counter(e, "launches");
    if (blocks > 0) {
        rg_buf_printf(out, "the largest has %.0f blocks", blocks);
        if (sms > 0) rg_buf_printf(out, " for %d multiprocessors", sms);
    }
    if (launches > 1) rg_buf_printf(out, "%s%.0f in all", out->len ? ", " : "", launches);
    double waits = rg_evaluation_counter(e, "waits"); /* NaN: none */
    if (waits > 0)
        rg_buf_printf(out, "%sthe plan waits for the device %.0f times to read what it goes by", out->len ? ", " : "",
                      waits);
    for (int i = 0; i < e->n_counters; i++)
        if (!strncmp(e->counters[i].name, RG_COUNTER_SHARE, strlen(RG_COUNTER_SHARE)) && e->counters[i].value >= 0.01)
            rg_buf_printf(out, "%s%s %.0f%%", out->len ? ", " : "", e->counters[i].name + strlen(RG_COUNTER_SHARE),
                          100 * e->counters[i].value);
}

/* Best and worst of what was done to this version. */
static void tried_text(struct rg_buf *out, const struct rg_hint *hint)
{
    for (int good = 1; good >= 0; good--) {
        int n = 0;
        for (int i = 0; i < hint->n_tried && n < 3; i++) {
            const struct rg_tried *t = &hint->tried[i];
            bool gained = t->outcome == RG_OUTCOME_OK && t->gain > 1.01;
            if (gained != good) continue;
            rg_buf_str(out, n++ ? ", " : good ? "gained: " : out->len ? "; no gain: " : "no gain: ");
            if (t->outcome == RG_OUTCOME_OK)
                rg_buf_printf(out, "%s %.2fx", t->step, t->gain);
            else
                rg_buf_printf(out, "%s %s", t->step, rg_outcome_word(t->outcome));
        }
    }
}

/* Few and true: what the device gave, in its order; what is missing is left out, and so is what is told of the launches
 * or is for the report alone. */
static void counters_text(struct rg_buf *out, const struct rg_evaluation *e)
{
    static const char *const elsewhere[] = {"launches", "waits", "blocks", "most_threads", "one_thread_share"};
    for (int i = 0; i < e->n_counters; i++) {
        const char *name = e->counters[i].name;
        bool shown = i < SHOWN_COUNTERS && strncmp(name, RG_COUNTER_SHARE, strlen(RG_COUNTER_SHARE)) != 0;
        for (size_t k = 0; k < sizeof elsewhere / sizeof *elsewhere; k++) shown = shown && strcmp(name, elsewhere[k]);
        if (shown || rg_counter_of_hardware(name))
            rg_buf_printf(out, "%s%s %.4g", out->len ? ", " : "", name, e->counters[i].value);
    }
}

static void time_text(char *out, size_t size, double us, const struct rg_hint *hint)
{
    int n = snprintf(out, size, "%.4g us", us);
    if (hint->naive_us > 0 && hint->naive_us != us)
        n += snprintf(out + n, size - (size_t)n, "; the naive kernel takes %.4g us", hint->naive_us);
    if (hint->best_us > 0 && hint->best_us < us)
        snprintf(out + n, size - (size_t)n, ", the best so far %.4g us", hint->best_us);
}

/* The worked example nearest to the problem: what its plan would look like. -1: one launch does it. */
static int worked_example(const struct rg_problem *p)
{
    uint32_t t = p->traits;
    bool rounds = t & (RG_TRAIT_TIME_LOOP | RG_TRAIT_IRREGULAR); /* neighbours alone are read in one launch */
    bool real = t & (RG_TRAIT_FP32 | RG_TRAIT_FP64);
    if (real && (t & RG_TRAIT_TIME_LOOP || (t & RG_TRAIT_STENCIL && rounds))) return RG__PROMPT_UNTIL_CONVERGED;
    if (t & (RG_TRAIT_INDIRECT | RG_TRAIT_IRREGULAR | RG_TRAIT_SCATTER | RG_TRAIT_TIME_LOOP))
        return RG__PROMPT_UNTIL_STABLE;
    if (t & RG_TRAIT_CARRIED) return RG__PROMPT_DIAGONALS;
    return t & (RG_TRAIT_REDUCTION | RG_TRAIT_SCAN) ? RG__PROMPT_TWO_PHASES : -1;
}

void rg__describe_root(struct rg_buf *out, const struct rg__prompts *prompts, const struct rg_problem *p,
                       const struct rg_hint *hint, enum rg__request_cut cut)
{
    int worked = cut < RG__REQUEST_NO_EXAMPLE ? worked_example(p) : -1;
    const struct rg_source *best = hint && cut < RG__REQUEST_NO_CURRENT ? hint->best : NULL;
    /* another coder's comments speak of its own steps */
    char *code = !best            ? NULL
                 : hint->best_own ? rg_xstrdup(best->cuda)
                                  : rg__c_shown(best->cuda),
         *bare = best ? rg__plan_bare(best->plan) : NULL;
    char *cuda = fenced("cuda", code, MAX_CURRENT), *plan = fenced("plan", bare, MAX_CURRENT), time[64] = "";
    if (best && hint->best_us > 0) snprintf(time, sizeof time, " (it takes %.4g us)", hint->best_us);
    const struct rg__var vars[] = {
        {"cuda", cuda}, {"plan", plan}, {"time", time}, {"worked", worked >= 0 ? prompts->text[worked] : NULL}};
    rg__prompt_expand(out, prompts->text[RG__PROMPT_ROOT], vars, sizeof vars / sizeof *vars);
    free(code);
    free(bare);
    free(cuda);
    free(plan);
}

void rg__describe_current(struct rg_buf *out, const struct rg__prompts *prompts, const struct rg_source *source,
                          const struct rg_hint *hint, int sms, enum rg__request_cut cut)
{
    const struct rg_evaluation *e = hint ? hint->evaluation : NULL;
    char time[160] = "";
    if (e && e->outcome == RG_OUTCOME_OK && e->time_us > 0) time_text(time, sizeof time, e->time_us, hint);
    bool redone = hint && hint->n_attempts > 0 && hint->attempts[hint->n_attempts - 1].cuda;
    bool shown = source->cuda && !(cut == RG__REQUEST_NO_CURRENT && redone);
    const char *unseen = !source->cuda ? "The current verified version is too long to be shown. Write yours from the "
                                         "sequential C; it has to be faster."
                                       : "The current verified version is left out here. The last attempt, which "
                                         "started from it, is shown below.";
    char *cuda = fenced("cuda", shown ? source->cuda : NULL, MAX_CURRENT),
         *bare = shown ? rg__plan_bare(source->plan) : NULL, *plan = fenced("plan", bare, MAX_CURRENT);
    struct rg_buf counters = RG_BUF_INIT, launches = RG_BUF_INIT, tried = RG_BUF_INIT;
    if (e && cut < RG__REQUEST_ONE_ERROR) counters_text(&counters, e);
    if (e && cut < RG__REQUEST_ONE_ERROR) launches_text(&launches, e, sms);
    if (hint && cut < RG__REQUEST_ONE_ERROR) tried_text(&tried, hint);
    const struct rg__var vars[] = {{"cuda", cuda},
                                   {"plan", plan},
                                   {"unseen", shown ? NULL : unseen},
                                   {"time", time},
                                   {"limiter", e ? limiter_text(e->limiter) : NULL},
                                   {"launches", launches.data},
                                   {"counters", counters.data},
                                   {"tried", tried.data}};
    rg__prompt_expand(out, prompts->text[RG__PROMPT_CURRENT], vars, sizeof vars / sizeof *vars);
    rg_buf_release(&counters);
    rg_buf_release(&launches);
    rg_buf_release(&tried);
    free(cuda);
    free(bare);
    free(plan);
}
