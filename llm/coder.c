/* The model as a coder: an action becomes a request, a reply a template. What is under way is a list of jobs; their
 * answers come through poll in the order in which they finish. */
#include "coder.h"
#include <rg/file.h>
#include <rg/log.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void job_free(struct rg__job *j)
{
    rg_template_unref(j->parent);
    if (j->done && j->answer.kind == RG_ANSWER_TEMPLATE) rg_template_unref(j->answer.tmpl);
    rg__chat_release(&j->chat);
    rg__chat_release(&j->side);
    rg__reply_release(&j->reply);
    rg_source_release(&j->current);
    rg_source_release(&j->last);
    free(j->site);
    free(j->others);
    free(j);
}

static void unlink_job(struct rg__llm *m, struct rg__job *j)
{
    for (struct rg__job **p = &m->first; *p; p = &(*p)->next)
        if (*p == j) {
            *p = j->next;
            return;
        }
}

/* ---- struct rg_coder ---- */

/* Another coder's version as it is shown, its comments speak of its own steps; false: it is too long for that. */
static bool show(const struct rg_template *t, struct rg_source *s)
{
    enum { MOST_SHOWN = 4096 };
    if (!strcmp(t->coder, "llm")) return true; /* the model wrote it */
    char *shown = rg__c_shown(s->cuda);
    free(s->cuda);
    s->cuda = shown;
    return strlen(s->cuda) + strlen(s->plan) <= MOST_SHOWN;
}

/* The parent as text, kept for the next step's question: an expansion asks for every step of the graph. */
static const struct rg__seen *seen(struct rg__llm *m, const struct rg_template *parent)
{
    struct rg__seen *x = &m->seen;
    if (x->key && !strcmp(x->key, parent->key)) return x;
    struct rg_source src;
    free(x->key);
    free(x->text);
    *x = (struct rg__seen){.key = rg_xstrdup(parent->key), .launches = 2};
    if (rg_template_instantiate(parent, NULL, &src, NULL) != RG_OK) return x;
    x->text = rg_xasprintf("%s\n%s", src.cuda, src.plan);
    x->launches = rg__plan_launches(src.plan);
    x->too_long = !show(parent, &src);
    rg_source_release(&src);
    return x;
}

/* What the built-in coder knows of the loops that the step is for; NULL: nothing. */
static const struct rg_llm_form *form(const struct rg__llm *m, const struct rg_step *step)
{
    for (int i = 0; i < m->n_forms && step->needs == RG_NEEDS_FORM; i++)
        if (!strcmp(m->forms[i].step, step->id)) return &m->forms[i];
    return NULL;
}

/* Can the step do anything at this version? x NULL: the root. */
static bool applicable(const struct rg__llm *m, const struct rg__seen *x, const struct rg_step *step)
{
    const struct rg_llm_form *f = form(m, step);
    if (x && x->too_long && !rg__step_is_any_way(step)) return false;
    return (!f || f->has) && rg__step_applicable(x ? x->text : NULL, x ? x->launches : 0, step);
}

/* One site for every step: a model sees the whole program. The traits are the problem's, not the site's (exact false).
 * A step that has nothing to work on, or whose mark is there already, has none: each question costs a call. */
static enum rg_status sites(void *self, const struct rg_template *parent, const struct rg_step *step,
                            struct rg_site_list *out, struct rg_error *err)
{
    struct rg__llm *m = self;
    const struct rg__seen *x = parent ? seen(m, parent) : NULL;
    const struct rg_llm_form *f = form(m, step);
    if (x && !x->text)
        rg_site_list_refuse(out, "program", "the version there can't be printed");
    else if (x && x->too_long && !rg__step_is_any_way(step))
        rg_site_list_refuse(out, "program", "the version there is too long to be shown");
    else if (f && !f->has)
        rg_site_list_refuse(out, "program", "the C has no loops of the form that it is for");
    else if (!applicable(m, x, step))
        rg_site_list_refuse(out, "program",
                            x ? "its mark is there already, or what it needs is not" : "there is no device code yet");
    else
        rg_site_list_add(out, "program", m->p->traits | (parent ? parent->traits : 0) | (f ? f->traits : 0), false);
    return RG_OK;
}

/* Some of the steps that may be taken instead, likeliest first, of those whose effect can be seen: a step that makes no
 * sense here is no call in vain. Last the one that says only what for, which any idea is. */
static void others_text(struct rg__llm *m, const struct rg__job *j, const struct rg_hint *hint, struct rg_buf *out)
{
    enum { SHOWN_OTHERS = 6 };
    const struct rg__seen *x = j->parent && hint && hint->n_offered ? seen(m, j->parent) : NULL;
    int n = 0;
    for (int i = 0; hint && i < hint->n_offered && (!x || x->text); i++) {
        const struct rg_step *o = hint->offered[i];
        if ((n < SHOWN_OTHERS || rg__step_is_any_way(o)) && rg__step_is_checked(o) && applicable(m, x, o))
            rg_buf_printf(out, "%s%s", n++ ? ", " : "", o->id);
    }
}

/* The request in full, or with what `cut` leaves out. */
static void compose(struct rg__llm *m, struct rg__job *j, const struct rg_hint *hint, enum rg__request_cut cut)
{
    rg__chat_release(&j->chat);
    rg__message_part(rg__chat_message(&j->chat, "system"), "rules", rg_xstrdup(m->system));
    struct rg__message *user = rg__chat_message(&j->chat, "user");
    struct rg_buf text = RG_BUF_INIT;
    rg__message_part(user, "problem", rg_xasprintf("%s\n", m->problem));
    if (j->parent) {
        rg__describe_current(&text, &m->prompts, &j->current, hint, m->sms, cut);
        rg__message_part(user, "current", rg_buf_steal(&text));
    } else {
        rg__describe_root(&text, &m->prompts, m->p, hint, cut);
        rg__message_part(user, "root", rg_buf_steal(&text));
    }
    struct rg_buf others = RG_BUF_INIT;
    others_text(m, j, hint, &others);
    rg__describe_step(&text, &m->prompts, j->step, j->site, rg__examples_find(&m->examples, j->step->id, m->p->traits),
                      others.data, cut);
    rg_buf_release(&others);
    rg__message_part(user, "step", rg_buf_steal(&text));
    rg__describe_attempts(&text, &m->prompts, hint, cut);
    if (text.len) rg__message_part(user, "attempts", rg_buf_steal(&text));
    rg_buf_release(&text);
}

/* The request, with as little left out as makes it short; what an attempt is mended by only where it would not fit the
 * context at all. False: it fits in no way. */
static bool fit(struct rg__llm *m, struct rg__job *j, const struct rg_hint *hint)
{
    for (enum rg__request_cut cut = RG__REQUEST_WHOLE; cut < RG__N_REQUEST_CUTS; cut++) {
        compose(m, j, hint, cut);
        int64_t n = rg__chat_bytes(&j->chat);
        bool short_enough = n <= m->prompt_target || cut >= RG__REQUEST_NO_CURRENT;
        if (short_enough && (!m->prompt_limit || n <= m->prompt_limit)) return true;
    }
    return false;
}

/* The same error again and again: the model is shaken a little more each time. */
static double temperature(const struct rg__llm *m, const struct rg_hint *hint)
{
    static const double usual = 0.7, rise = 0.2, most = 1.3;
    int again = rg__repeated_errors(hint) - 1;
    if (again <= 0) return m->temperature;
    double t = (m->temperature >= 0 ? m->temperature : usual) + rise * again;
    return t > most && m->temperature < most ? most : t;
}

static void begin(struct rg__llm *m, struct rg__job *j, const struct rg_hint *hint)
{
    char why[400];
    struct rg_error e = RG_ERROR_INIT;
    if (j->parent && rg_template_instantiate(j->parent, hint ? hint->vector : NULL, &j->current, &e) != RG_OK) {
        snprintf(why, sizeof why, "the current version can't be printed: %.300s", e.text);
        rg__job_finish(m, j, RG_ANSWER_FAILED, RG_OK, RG_OUTCOME_UNSUPPORTED, why);
        return;
    }
    if (j->parent && !show(j->parent, &j->current)) rg_source_release(&j->current);
    if (j->sample > 0 && rg__job_take_spare(m, j)) {
        rg__job_accept(m, j);
        return;
    }
    j->chat = (struct rg__chat){.model = m->model,
                                .temperature = temperature(m, hint),
                                .reply_tokens = m->reply_tokens,
                                .sample = j->sample,
                                .n_samples = rg__job_samples(m)};
    if (!fit(m, j, hint)) {
        snprintf(why, sizeof why,
                 "the request is some %lld tokens however short it is made: more than --llm-context leaves",
                 (long long)rg__chat_bytes(&j->chat) / 3);
        rg__job_finish(m, j, RG_ANSWER_FAILED, RG_OK, RG_OUTCOME_UNSUPPORTED, why);
        return;
    }
    j->stage = RG__STAGE_CODE;
    if (m->judge && j->parent) rg__judge_ask(m, j, hint);
    rg__job_send(m, j);
}

static enum rg_status submit(void *self, int id, struct rg_template *parent, const struct rg_step *step,
                             const char *site, const struct rg_hint *hint, struct rg_error *err)
{
    struct rg__llm *m = self;
    struct rg__job *j = rg_xcalloc(1, sizeof *j), **p = &m->first;
    while (*p) p = &(*p)->next;
    *p = j;
    j->id = id;
    j->step = step;
    j->site = rg_xstrdup(site);
    j->parent = rg_template_ref(parent);
    j->sample = hint ? hint->sample : 0;
    j->n_attempts = hint ? hint->n_attempts : 0;
    if (hint && hint->n_others > 0) {
        j->n_others = hint->n_others;
        j->others = rg_xmalloc((size_t)hint->n_others * sizeof *j->others);
        memcpy(j->others, hint->others, (size_t)hint->n_others * sizeof *j->others);
    }
    if (hint && hint->n_attempts > 0) {
        const struct rg_attempt *a = &hint->attempts[hint->n_attempts - 1];
        if (a->cuda) j->last.cuda = rg_xstrdup(a->cuda);
        if (a->plan) j->last.plan = rg_xstrdup(a->plan);
    }
    j->started = rg_now();
    begin(m, j, hint);
    return RG_OK;
}

/* The name of the action within its run, which the record knows it by. */
static void give(struct rg__llm *m, const struct rg__job *j, struct rg_answer *out)
{
    RG_GROW(m->given, m->n_given, m->cap_given);
    m->given[m->n_given].id = j->id;
    char *action = m->given[m->n_given++].action =
        rg_xasprintf("%s %s@%s#%d+%d", j->parent ? j->parent->key : "", j->step->id, j->site, j->sample, j->n_attempts);
    out->held = rg__record_held(m->record, action);
}

static void taken(void *self, int id, uint32_t held)
{
    struct rg__llm *m = self;
    for (int i = 0; i < m->n_given; i++) {
        if (m->given[i].id != id) continue;
        struct rg_error err = RG_ERROR_INIT;
        if (rg__record_taken(m->record, m->given[i].action, held, &err) != RG_OK) rg_log(RG_LOG_WARN, "%s", err.text);
        free(m->given[i].action);
        m->given[i] = m->given[--m->n_given];
        return;
    }
}

static enum rg_status poll(void *self, double seconds, struct rg_answer *out, bool *got, struct rg_error *err)
{
    struct rg__llm *m = self;
    double end = rg_now() + seconds;
    *got = false;
    for (;;) {
        struct rg__job *j = m->first;
        while (j && !j->done) j = j->next;
        if (j) {
            unlink_job(m, j);
            *out = j->answer;
            give(m, j, out);
            j->answer.kind = RG_ANSWER_FAILED; /* the template's reference has gone with *out */
            *got = true;
            job_free(j);
            return RG_OK;
        }
        double left = end - rg_now();
        struct rg__http_result h;
        if (!m->http || !rg__http_pending(m->http) || !rg__http_poll(m->http, left > 0 ? left : 0, &h)) return RG_OK;
        for (j = m->first; j && j->id != h.id;) j = j->next;
        if (j) rg__job_arrived(m, j, &h);
        rg_buf_release(&h.body);
    }
}

static void cancel(void *self, int id)
{
    struct rg__llm *m = self;
    for (struct rg__job *j = m->first; j; j = j->next) {
        if (j->id != id) continue;
        if (m->http && !j->done) {
            rg__http_cancel(m->http, id);
            m->budget.reserved -= j->prompt_bytes / 4;
        }
        unlink_job(m, j);
        job_free(j);
        return;
    }
}

static void coder_free(void *self)
{
    struct rg__llm *m = self;
    if (!m) return;
    while (m->first) {
        struct rg__job *j = m->first;
        unlink_job(m, j);
        job_free(j);
    }
    rg__llm_close(m);
    free(m);
}

enum rg_status rg_llm_new(const struct rg_llm_options *o, const struct rg_problem *p, struct rg_coder *out,
                          struct rg_error *err)
{
    struct rg__llm *m = rg_xcalloc(1, sizeof *m);
    m->p = p;
    memset(out, 0, sizeof *out);
    enum rg_status s = rg__llm_open(m, o, err);
    if (s != RG_OK) {
        coder_free(m);
        return s;
    }
    rg_llm_family(m->model, m->family, sizeof m->family);
    *out = (struct rg_coder){.name = "llm",
                             .family = m->family,
                             .self = m,
                             .stochastic = true,
                             .sites = sites,
                             .submit = submit,
                             .poll = poll,
                             .cancel = cancel,
                             .free = coder_free,
                             .instant = !m->http,
                             .taken = taken};
    return RG_OK;
}

void rg_llm_usage(const struct rg_coder *c, struct rg_llm_usage *out)
{
    const struct rg__llm *m = c->self;
    *out = m->budget.used;
}
