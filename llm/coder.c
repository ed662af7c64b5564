/* The model as a coder: an action becomes a request, a reply a template; one repair where the reply is not usable. What
 * is under way is a list of jobs; their answers come through poll in the order in which they finish. */
#include "llm.h"
#include <rg/file.h>
#include <rg/log.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BREAKER = 3 }; /* requests in a row that must fail before the service counts as down for good */

struct job {
    struct job *next;
    int id;
    const struct rg_step *step; /* the regraph's */
    char *site;
    struct rg_template *parent; /* a reference */
    struct rg_source current;   /* of the parent; NULLs at the root */
    int sample, n_attempts, round;
    struct rg__chat chat;
    char key[65];
    int64_t prompt_bytes;
    int adaptions; /* 400s answered by sending the request differently */
    double started;
    bool done;
    struct rg_answer answer; /* when done */
};

struct llm {
    const struct rg_problem *p;
    struct rg__prompts prompts;
    char *model, *key, *system, *problem;
    double temperature;
    int reply_tokens;
    struct rg__http *http;     /* NULL: replay only */
    struct rg__record *record; /* NULL: neither */
    struct rg__quirks quirks;
    struct rg__budget budget;
    int failures;     /* service failures in a row */
    bool refused_key; /* 401, 403, 404: no request will do better */
    char down[400];   /* why the service counts as down */
    struct job *first;
};

/* ---- jobs ---- */

static void job_free(struct job *j)
{
    rg_template_unref(j->parent);
    if (j->done && j->answer.kind == RG_ANSWER_TEMPLATE) rg_template_unref(j->answer.tmpl);
    rg__chat_release(&j->chat);
    free(j->site);
    rg_source_release(&j->current);
    free(j);
}

static void unlink_job(struct llm *m, struct job *j)
{
    for (struct job **p = &m->first; *p; p = &(*p)->next)
        if (*p == j) {
            *p = j->next;
            return;
        }
}

/* The key must not appear in any text, whoever put it there: servers quote what they were sent. */
static void hide_key(const struct llm *m, char *text)
{
    size_t n = m->key ? strlen(m->key) : 0;
    if (n < 4) return;
    for (char *at = text; (at = strstr(at, m->key)); at += n) memset(at, '*', n);
}

static void finish(struct llm *m, struct job *j, enum rg_answer_kind kind, enum rg_status status,
                   enum rg_outcome outcome, const char *message)
{
    j->done = true;
    j->answer.id = j->id;
    j->answer.kind = kind;
    j->answer.status = status;
    j->answer.outcome = outcome;
    snprintf(j->answer.message, sizeof j->answer.message, "%.500s", message);
    hide_key(m, j->answer.message);
    j->answer.seconds = rg_now() - j->started;
    if (kind == RG_ANSWER_REFUSED) m->budget.used.refused++;
    if (kind == RG_ANSWER_FAILED) m->budget.used.failed++;
}

static void chain_text(const struct job *j, struct rg_buf *b)
{
    for (int i = 0; j->parent && i < j->parent->n_chain; i++)
        rg_buf_printf(b, "%s%s@%s", i ? ", " : "", j->parent->chain[i].step, j->parent->chain[i].site);
    if (!b->len) rg_buf_str(b, "@start");
}

static void settle(struct llm *m, struct job *j, const struct rg__answer *a);

/* Sends the job's chat: from the record, or to the service, or not at all. */
static void send(struct llm *m, struct job *j)
{
    char why[400];
    struct rg_buf chain = RG_BUF_INIT;
    struct rg__answer a;
    chain_text(j, &chain);
    const struct rg__about about = {j->step->id, j->site, chain.data, j->round};
    j->prompt_bytes = 0;
    for (int i = 0; i < j->chat.n; i++)
        for (int k = 0; k < j->chat.messages[i].n; k++)
            j->prompt_bytes += (int64_t)strlen(j->chat.messages[i].parts[k].text);
    rg__chat_key(&j->chat, j->key);
    if (!rg__budget_allows(&m->budget, j->prompt_bytes / 4, why, sizeof why)) {
        finish(m, j, RG_ANSWER_FAILED, RG_LIMIT, RG_OUTCOME_UNSUPPORTED, why);
    } else if (rg__record_find(m->record, j->key, &a)) {
        m->budget.used.calls++;
        m->budget.used.replayed++;
        settle(m, j, &a);
        rg__answer_release(&a);
    } else if (!m->http) {
        rg__record_miss(m->record, &j->chat, j->key, &about, why, sizeof why);
        finish(m, j, RG_ANSWER_FAILED, RG_SERVICE, RG_OUTCOME_UNSUPPORTED, why);
    } else if (m->refused_key || m->failures >= BREAKER) {
        finish(m, j, RG_ANSWER_FAILED, RG_SERVICE, RG_OUTCOME_UNSUPPORTED, m->down);
    } else {
        m->budget.used.calls++;
        m->budget.reserved += j->prompt_bytes / 4;
        rg__http_probe_only(m->http, m->failures > 0);
        char *body = rg__wire_request(&j->chat, &m->quirks);
        rg__http_post(m->http, j->id, body);
        free(body);
    }
    rg_buf_release(&chain);
}

/* One more request with what was wrong with the reply. */
static void repair(struct llm *m, struct job *j, const struct rg__answer *a, enum rg__reply_class klass,
                   const char *detail)
{
    struct rg_buf text = RG_BUF_INIT;
    const struct rg__var vars[] = {{"fault", rg__reply_repair(klass)}, {"detail", detail}};
    rg__prompt_expand(&text, m->prompts.text[RG__PROMPT_REPAIR], vars, 2);
    /* An empty assistant message is refused by several servers; of a cut one only the feedback matters. */
    bool quote = klass != RG__REPLY_EMPTY && klass != RG__REPLY_TRUNCATED;
    if (quote) {
        size_t n;
        bool cut;
        char *visible = rg__reply_visible(a->text, strlen(a->text), &n, &cut);
        rg__message_part(rg__chat_message(&j->chat, "assistant"), "reply", rg__clean_text(visible, n));
        free(visible);
        rg__message_part(rg__chat_message(&j->chat, "user"), "repair", rg_buf_steal(&text));
    } else {
        struct rg__message *last = &j->chat.messages[j->chat.n - 1];
        rg__message_part(last, "repair", rg_xasprintf("\n%s", text.data));
        rg_buf_release(&text);
    }
    if (klass == RG__REPLY_TRUNCATED && j->chat.reply_tokens > 0 && j->chat.reply_tokens < 1 << 20)
        j->chat.reply_tokens *= 2;
    j->round++;
    m->budget.used.repairs++;
    send(m, j);
}

/* A reply has come. */
static void settle(struct llm *m, struct job *j, const struct rg__answer *a)
{
    struct rg_buf chain = RG_BUF_INIT;
    struct rg_error err = RG_ERROR_INIT;
    chain_text(j, &chain);
    const struct rg__about about = {j->step->id, j->site, chain.data, j->round};
    rg__budget_add(&m->budget, a, j->prompt_bytes);
    enum rg_status s = rg__record_add(m->record, &j->chat, j->key, &about, a, &err);
    rg_buf_release(&chain);
    if (s != RG_OK) { /* a record with holes is worth nothing: the action fails, loudly */
        finish(m, j, RG_ANSWER_FAILED, s, RG_OUTCOME_UNSUPPORTED, err.text);
        return;
    }
    struct rg__reply r;
    rg__reply_extract(m->p, j->current.cuda ? &j->current : NULL, a->text, strlen(a->text), a->cut, &r);
    for (int i = 0; i < RG_LLM_N_FIXES; i++) m->budget.used.fixes[i] += r.fixes[i];
    if (r.klass == RG__REPLY_USABLE && !rg_llm_step_applied(j->current.cuda, r.cuda, j->step)) {
        r.klass = RG__REPLY_NOT_APPLIED;
        static const char *const must[] = {"", "must appear", "must become more", "must become fewer",
                                           "must disappear"};
        if (j->step->check_pattern)
            snprintf(r.message, sizeof r.message, "what matches the pattern /%.200s/ %s", j->step->check_pattern,
                     must[j->step->check_change]);
        else
            snprintf(r.message, sizeof r.message, "the code is unchanged");
    }
    char text[512];
    if (r.klass == RG__REPLY_USABLE) {
        j->answer.tmpl = rg__template_new(j->parent, j->step->id, j->site, j->sample, j->n_attempts, &r);
        finish(m, j, RG_ANSWER_TEMPLATE, RG_OK, RG_OUTCOME_OK, "");
    } else if (r.klass == RG__REPLY_REFUSED) {
        finish(m, j, RG_ANSWER_REFUSED, RG_OK, RG_OUTCOME_UNSUPPORTED, r.message);
    } else if (j->round == 0) {
        repair(m, j, a, r.klass, r.klass == RG__REPLY_NOT_APPLIED || r.klass == RG__REPLY_HOST_CODE ? r.message : "");
    } else if (r.klass == RG__REPLY_NOT_APPLIED) {
        snprintf(text, sizeof text, "not applied: %s", r.message);
        finish(m, j, RG_ANSWER_REFUSED, RG_OK, RG_OUTCOME_UNSUPPORTED, text);
    } else {
        bool plan = r.klass == RG__REPLY_NO_PLAN || r.klass == RG__REPLY_HOST_CODE;
        snprintf(text, sizeof text, "%s: %s", rg__reply_word(r.klass), r.message);
        finish(m, j, RG_ANSWER_FAILED, RG_OK, plan ? RG_OUTCOME_PLAN : RG_OUTCOME_COMPILE, text);
    }
    rg__reply_release(&r);
}

static void service_failed(struct llm *m, struct job *j, const char *message, bool for_good)
{
    m->failures++;
    m->refused_key |= for_good;
    snprintf(m->down, sizeof m->down, "the model service failed: %s", message);
    hide_key(m, m->down);
    finish(m, j, RG_ANSWER_FAILED, RG_SERVICE, RG_OUTCOME_UNSUPPORTED, m->down);
}

/* An HTTP exchange has ended. */
static void arrived(struct llm *m, struct job *j, struct rg__http_result *h)
{
    char text[300] = "";
    m->budget.reserved -= j->prompt_bytes / 4;
    m->budget.used.retries += h->retries;
    if (h->status != RG_OK) {
        service_failed(m, j, h->message, false);
        return;
    }
    if (h->code >= 200 && h->code < 300) {
        struct rg__answer a;
        struct rg_error err = RG_ERROR_INIT;
        if (rg__wire_answer(h->body.data, h->body.len, &a, &err) != RG_OK) {
            service_failed(m, j, err.text, false);
            return;
        }
        m->failures = 0;
        hide_key(m, a.text);
        settle(m, j, &a);
        rg__answer_release(&a);
        return;
    }
    rg__wire_error(h->body.data, h->body.len, text, sizeof text);
    hide_key(m, text);
    /* A parameter that this model does not take: sent again without it, as the same call. */
    if (h->code == 400 && j->adaptions < 3 && rg__quirks_learn(&m->quirks, text)) {
        rg_log(RG_LOG_INFO, "model service: %s; sent again without it", text);
        j->adaptions++;
        m->budget.reserved += j->prompt_bytes / 4;
        char *body = rg__wire_request(&j->chat, &m->quirks);
        rg__http_post(m->http, j->id, body);
        free(body);
        return;
    }
    char said[400];
    snprintf(said, sizeof said, "HTTP %ld%s%s%s", h->code, *text ? ": " : "", text,
             h->code == 401 || h->code == 403 ? " (is the key in the environment right?)"
             : h->code == 404                 ? " (is the url's base or the model's name right?)"
                                              : "");
    bool too_long = (h->code == 400 || h->code == 413 || h->code == 422) &&
                    (strcasestr(text, "context") || strcasestr(text, "too long") || strcasestr(text, "too large") ||
                     h->code == 413);
    if (too_long) { /* of this request alone */
        char why[480];
        snprintf(why, sizeof why, "the request does not fit the model: %s", said);
        finish(m, j, RG_ANSWER_FAILED, RG_OK, RG_OUTCOME_UNSUPPORTED, why);
    } else {
        service_failed(m, j, said,
                       h->code == 401 || h->code == 403 || h->code == 404 || (h->code >= 300 && h->code < 400));
    }
}

/* ---- struct rg_coder ---- */

/* One site for every step: a model sees the whole program. The traits are the problem's, not the site's (exact false).
 */
static enum rg_status sites(void *self, const struct rg_template *parent, const struct rg_step *step,
                            struct rg_site_list *out, struct rg_error *err)
{
    struct llm *m = self;
    rg_site_list_add(out, "program", m->p->traits | (parent ? parent->traits : 0), false);
    return RG_OK;
}

static enum rg_status submit(void *self, int id, struct rg_template *parent, const struct rg_step *step,
                             const char *site, const struct rg_hint *hint, struct rg_error *err)
{
    struct llm *m = self;
    struct job *j = rg_xcalloc(1, sizeof *j), **p = &m->first;
    while (*p) p = &(*p)->next;
    *p = j;
    j->id = id;
    j->step = step;
    j->site = rg_xstrdup(site);
    j->parent = rg_template_ref(parent);
    j->sample = hint ? hint->sample : 0;
    j->n_attempts = hint ? hint->n_attempts : 0;
    j->started = rg_now();
    j->chat = (struct rg__chat){
        .model = m->model, .temperature = m->temperature, .reply_tokens = m->reply_tokens, .sample = j->sample};
    rg__message_part(rg__chat_message(&j->chat, "system"), "rules", rg_xstrdup(m->system));
    struct rg__message *user = rg__chat_message(&j->chat, "user");
    struct rg_buf text = RG_BUF_INIT;
    rg__message_part(user, "problem", rg_xasprintf("%s\n", m->problem));
    if (parent) {
        struct rg_source source;
        struct rg_error e = RG_ERROR_INIT;
        enum rg_status s = rg_template_instantiate(parent, hint ? hint->vector : NULL, &source, &e);
        if (s != RG_OK) {
            char why[400];
            snprintf(why, sizeof why, "the current version can't be printed: %.300s", e.text);
            finish(m, j, RG_ANSWER_FAILED, RG_OK, RG_OUTCOME_UNSUPPORTED, why);
            return RG_OK;
        }
        rg__describe_current(&text, &m->prompts, &source, hint ? hint->evaluation : NULL);
        j->current = source;
        rg__message_part(user, "current", rg_buf_steal(&text));
    } else {
        rg__prompt_expand(&text, m->prompts.text[RG__PROMPT_ROOT], NULL, 0);
        rg__message_part(user, "root", rg_buf_steal(&text));
    }
    rg__describe_step(&text, &m->prompts, step, site);
    rg__message_part(user, "step", rg_buf_steal(&text));
    rg__describe_attempts(&text, &m->prompts, hint);
    if (text.len) rg__message_part(user, "attempts", rg_buf_steal(&text));
    rg_buf_release(&text);
    send(m, j);
    return RG_OK;
}

static enum rg_status poll(void *self, double seconds, struct rg_answer *out, bool *got, struct rg_error *err)
{
    struct llm *m = self;
    double end = rg_now() + seconds;
    *got = false;
    for (;;) {
        struct job *j = m->first;
        while (j && !j->done) j = j->next;
        if (j) {
            unlink_job(m, j);
            *out = j->answer;
            j->answer.kind = RG_ANSWER_FAILED; /* the template's reference has gone with *out */
            *got = true;
            job_free(j);
            return RG_OK;
        }
        double left = end - rg_now();
        struct rg__http_result h;
        if (!m->http || !rg__http_pending(m->http) || !rg__http_poll(m->http, left > 0 ? left : 0, &h)) return RG_OK;
        for (j = m->first; j && j->id != h.id;) j = j->next;
        if (j) arrived(m, j, &h);
        rg_buf_release(&h.body);
    }
}

static void cancel(void *self, int id)
{
    struct llm *m = self;
    for (struct job *j = m->first; j; j = j->next) {
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
    struct llm *m = self;
    if (!m) return;
    while (m->first) {
        struct job *j = m->first;
        unlink_job(m, j);
        job_free(j);
    }
    rg__http_free(m->http);
    rg__record_close(m->record);
    rg__prompts_release(&m->prompts);
    if (m->key) explicit_bzero(m->key, strlen(m->key));
    free(m->key);
    free(m->model);
    free(m->system);
    free(m->problem);
    free(m);
}

/* The key from the environment, without the newline that `$(cat file)` or an editor leaves. */
static enum rg_status read_key(struct llm *m, const char *name, struct rg_error *err)
{
    const char *v = getenv(name ? name : "OPENAI_API_KEY");
    if (!v || !*v) return RG_OK;
    m->key = rg_xstrdup(v);
    size_t n = strlen(m->key);
    while (n && strchr(" \t\r\n", m->key[n - 1])) m->key[--n] = '\0';
    for (const char *c = m->key; *c; c++)
        if ((unsigned char)*c <= ' ' || (unsigned char)*c >= 127)
            return rg_error_set(err, RG_USAGE, "the key in the variable %s holds a character that no key has",
                                name ? name : "OPENAI_API_KEY");
    return RG_OK;
}

static enum rg_status set_up(struct llm *m, const struct rg_llm_options *o, struct rg_error *err)
{
    if (!o->url && !o->replay) return rg_error_set(err, RG_USAGE, "the model coder needs a url or a record to replay");
    enum rg_status s = rg__prompts_load(&m->prompts, o->prompts, err);
    if (s == RG_OK && (o->replay || o->record)) s = rg__record_open(o->replay, o->record, &m->record, err);
    if (s != RG_OK) return s;
    const char *model = o->model && *o->model ? o->model : rg__record_model(m->record);
    if (!model) return rg_error_set(err, RG_USAGE, "the model coder needs the name of a model");
    m->model = rg_xstrdup(model);
    m->temperature = o->temperature;
    m->reply_tokens = o->reply_tokens > 0 ? o->reply_tokens : 0;
    m->budget.max_calls = o->max_calls > 0 ? o->max_calls : 200;
    m->budget.max_tokens = o->max_tokens;
    m->budget.max_cost = o->max_cost;
    s = rg__price_load(o->prices, m->model, !o->url || rg__url_is_local(o->url), &m->budget.price, err);
    if (s != RG_OK) return s;
    if (!m->budget.price.known) m->budget.used.cost = -1;
    if (o->max_cost > 0 && !m->budget.price.known)
        return rg_error_set(
            err, RG_USAGE,
            "a cost limit needs the price of '%s': a file of lines `%s INPUT OUTPUT` in USD per million tokens",
            m->model, m->model);
    rg__quirks_guess(&m->quirks, m->model);
    struct rg_buf text = RG_BUF_INIT;
    rg__prompt_expand(&text, m->prompts.text[RG__PROMPT_SYSTEM], NULL, 0);
    m->system = rg_buf_steal(&text);
    rg__describe_problem(&text, &m->prompts, m->p, o->device_facts);
    m->problem = rg_buf_steal(&text);
    if (!o->url) return RG_OK;
    s = read_key(m, o->key_env, err);
    double timeout = o->timeout_s > 0 ? o->timeout_s : 300;
    const struct rg__http_options h = {.url = o->url,
                                       .key = m->key,
                                       .timeout_s = timeout,
                                       .wall_s = o->wall_s > 0 ? o->wall_s : 2 * timeout,
                                       .backoff_s = o->backoff_s > 0 ? o->backoff_s : 0.5,
                                       .retries = o->retries < 0 ? 0
                                                  : o->retries   ? o->retries
                                                                 : 4,
                                       .in_flight = o->in_flight > 0 ? o->in_flight : 4,
                                       .reply_bytes = o->reply_bytes > 0 ? o->reply_bytes : 8 << 20};
    return s == RG_OK ? rg__http_new(&h, &m->http, err) : s;
}

enum rg_status rg_llm_new(const struct rg_llm_options *o, const struct rg_problem *p, struct rg_coder *out,
                          struct rg_error *err)
{
    struct llm *m = rg_xcalloc(1, sizeof *m);
    m->p = p;
    memset(out, 0, sizeof *out);
    enum rg_status s = set_up(m, o, err);
    if (s != RG_OK) {
        coder_free(m);
        return s;
    }
    *out = (struct rg_coder){.name = "llm",
                             .self = m,
                             .stochastic = true,
                             .sites = sites,
                             .submit = submit,
                             .poll = poll,
                             .cancel = cancel,
                             .free = coder_free};
    return RG_OK;
}

void rg_llm_usage(const struct rg_coder *c, struct rg_llm_usage *out)
{
    const struct llm *m = c->self;
    *out = m->budget.used;
}
