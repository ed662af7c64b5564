/* Requests and replies of the model coder: from the record, the service or deferred; repair, samples, judge and critic
 * are stages of one job. */
#include "coder.h"
#include <rg/file.h>
#include <rg/log.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void settle(struct rg__llm *m, struct rg__job *j, const struct rg__answer *a);

void rg__job_finish(struct rg__llm *m, struct rg__job *j, enum rg_answer_kind kind, enum rg_status status,
                    enum rg_outcome outcome, const char *message)
{
    j->done = true;
    j->answer.id = j->id;
    j->answer.kind = kind;
    j->answer.status = status;
    j->answer.outcome = outcome;
    snprintf(j->answer.message, sizeof j->answer.message, "%.500s", message);
    rg__hide_key(m, j->answer.message);
    j->answer.seconds = rg_now() - j->started;
    memcpy(j->answer.request, j->key, sizeof j->key);
    if (kind == RG_ANSWER_REFUSED) m->budget.used.refused++;
    if (kind == RG_ANSWER_FAILED) m->budget.used.failed++;
}

static struct rg__chat *asked(struct rg__job *j)
{
    return j->stage == RG__STAGE_CODE ? &j->chat : &j->side;
}

static struct rg__quirks *quirks(struct rg__llm *m, const struct rg__job *j)
{
    return j->stage == RG__STAGE_CODE ? &m->quirks : &m->judge_quirks;
}

static const struct rg__price *price(const struct rg__llm *m, const struct rg__job *j)
{
    return j->stage == RG__STAGE_CODE ? &m->budget.price : &m->budget.judge_price;
}

static void chain_text(const struct rg__job *j, struct rg_buf *b)
{
    for (int i = 0; j->parent && i < j->parent->n_chain; i++)
        rg_buf_printf(b, "%s%s@%s", i ? ", " : "", j->parent->chain[i].step, j->parent->chain[i].site);
    if (!b->len) rg_buf_str(b, "@start");
}

int rg__job_samples(const struct rg__llm *m)
{
    static const int least = 5;          /* texts that say something of the model */
    static const double too_much = 0.05; /* of them of no use */
    if (m->samples) return m->samples;
    return m->n_read >= least && m->n_useless > too_much * m->n_read ? 2 : 1;
}

/* An answer that is there already. Where the number of samples is the coder's own affair, that to the other number: in
 * which order answers came, when this was asked, is not in the record. */
static bool known(struct rg__llm *m, struct rg__job *j, struct rg__chat *chat, struct rg__answer *a)
{
    if (rg__record_find(m->record, j->key, a) || rg__defer_find(m->defer, j->key, a)) return true;
    if (m->samples || chat->n_samples == 0) return false;
    int was = chat->n_samples;
    char key[65];
    chat->n_samples = 3 - was;
    rg__chat_key(chat, key);
    if (rg__record_find(m->record, key, a) || rg__defer_find(m->defer, key, a)) {
        memcpy(j->key, key, sizeof key);
        return true;
    }
    chat->n_samples = was;
    return false;
}

static void post(struct rg__llm *m, struct rg__job *j)
{
    m->budget.reserved += j->prompt_bytes / 4;
    char *body = rg__wire_request(asked(j), quirks(m, j));
    rg__http_post(m->http, j->id, body);
    free(body);
}

void rg__job_send(struct rg__llm *m, struct rg__job *j)
{
    char why[400];
    struct rg_buf chain = RG_BUF_INIT;
    struct rg__answer a;
    struct rg__chat *chat = asked(j);
    struct rg_error err = RG_ERROR_INIT;
    chain_text(j, &chain);
    const struct rg__about about = {j->step->id, j->site, chain.data, j->round};
    j->prompt_bytes = rg__chat_bytes(chat);
    rg__chat_key(chat, j->key);
    if (!rg__budget_allows(&m->budget, price(m, j), j->prompt_bytes / 4, why, sizeof why)) {
        rg__job_finish(m, j, RG_ANSWER_FAILED, RG_LIMIT, RG_OUTCOME_UNSUPPORTED, why);
    } else if (known(m, j, chat, &a)) {
        m->budget.used.calls++;
        m->budget.used.replayed++;
        settle(m, j, &a);
        rg__answer_release(&a);
    } else if (m->defer) {
        enum rg_status s = rg__defer_write(m->defer, chat, quirks(m, j), j->key, why, sizeof why, &err);
        rg__job_finish(m, j, RG_ANSWER_FAILED, s == RG_OK ? RG_DEFERRED : s, RG_OUTCOME_UNSUPPORTED,
                       s == RG_OK ? why : err.text);
    } else if (!m->http) {
        rg__record_miss(m->record, chat, j->key, &about, why, sizeof why);
        rg__job_finish(m, j, RG_ANSWER_FAILED, RG_SERVICE, RG_OUTCOME_UNSUPPORTED, why);
    } else if (m->refused_key || m->failures >= RG__BREAKER) {
        rg__job_finish(m, j, RG_ANSWER_FAILED, RG_SERVICE, RG_OUTCOME_UNSUPPORTED, m->down);
    } else {
        m->budget.used.calls++;
        rg__http_probe_only(m->http, m->failures > 0);
        post(m, j);
    }
    rg_buf_release(&chain);
}

void rg__job_repair(struct rg__llm *m, struct rg__job *j, const char *said, enum rg__reply_class klass,
                    const char *detail)
{
    struct rg_buf text = RG_BUF_INIT;
    const struct rg__var vars[] = {{"fault", rg__reply_repair(klass)}, {"detail", detail}};
    rg__prompt_expand(&text, m->prompts.text[RG__PROMPT_REPAIR], vars, 2);
    /* An empty assistant message is refused by several servers; of a cut one only the feedback matters, and where the
     * context is small what was said is what must go. */
    bool quote = klass != RG__REPLY_EMPTY && klass != RG__REPLY_TRUNCATED;
    size_t n;
    bool cut;
    char *visible = rg__reply_visible(said, strlen(said), &n, &cut);
    int64_t all = rg__chat_bytes(&j->chat) + (int64_t)(n + text.len);
    bool mended = klass == RG__REPLY_NO_PLAN || klass == RG__REPLY_HOST_CODE || klass == RG__REPLY_CRITICISED;
    if ((m->prompt_limit && all > m->prompt_limit) || (!mended && all > m->prompt_target)) quote = false;
    if (quote) {
        rg__message_part(rg__chat_message(&j->chat, "assistant"), "reply", rg__clean_text(visible, n));
        rg__message_part(rg__chat_message(&j->chat, "user"), "repair", rg_buf_steal(&text));
    } else {
        struct rg__message *last = &j->chat.messages[j->chat.n - 1];
        rg__message_part(last, "repair", rg_xasprintf("\n%s", text.data));
        rg_buf_release(&text);
    }
    free(visible);
    if (klass == RG__REPLY_TRUNCATED && j->chat.reply_tokens > 0 && j->chat.reply_tokens < 1 << 20 && !m->prompt_limit)
        j->chat.reply_tokens *= 2;
    j->chat.n_samples = m->samples ? 0 : rg__job_samples(m);
    j->round++;
    j->stage = RG__STAGE_CODE;
    m->budget.used.repairs++;
    rg__job_send(m, j);
}

/* ---- what a reply is worth ---- */

static void read_one(struct rg__llm *m, const struct rg__job *j, const char *text, bool cut, struct rg__reply *r)
{
    const struct rg__versions v = {j->current, j->last};
    rg__reply_extract(m->p, &v, text, strlen(text), cut, r);
    for (int i = 0; i < RG_LLM_N_FIXES; i++) m->budget.used.fixes[i] += r->fixes[i];
    if (r->klass != RG__REPLY_USABLE) return;
    /* a step may show in the launches alone: a wavefront's loop, a block's shape */
    char *after = rg_xasprintf("%s\n%s", r->cuda, r->plan),
         *before = j->current.cuda ? rg_xasprintf("%s\n%s", j->current.cuda, j->current.plan) : NULL;
    for (int i = 0; *r->instead && i < j->n_others && !r->shows; i++) {
        if (strcmp(r->instead, j->others[i]->id) || !rg__step_is_checked(j->others[i]) ||
            !rg_llm_step_applied(before, after, j->others[i]))
            continue;
        r->shows = j->others[i];
        r->declines = true;
    }
    bool applied = r->shows || rg_llm_step_applied(before, after, j->step);
    for (int i = 0; before && !applied && i < j->n_others && !r->several;
         i++) { /* of sequential code it says nothing */
        if (!rg_llm_step_shows(before, after, j->others[i])) continue;
        r->several = r->shows != NULL;
        if (!r->shows) r->shows = j->others[i];
    }
    bool changed = rg_llm_code_changed(before, after);
    free(before);
    free(after);
    if (applied || r->shows) return;
    if (changed) { /* something else: kept, and no step's merit */
        r->rewrite = true;
        return;
    }
    rg__reply_release(r);
    r->klass = RG__REPLY_NOT_APPLIED;
    snprintf(r->message, sizeof r->message, "the code is unchanged");
}

static void read_reply(struct rg__llm *m, const struct rg__job *j, const char *text, bool cut, struct rg__reply *r)
{
    read_one(m, j, text, cut, r);
    m->n_read++;
    m->n_useless += r->klass != RG__REPLY_USABLE && r->klass != RG__REPLY_REFUSED;
}

static const char *parent_key(const struct rg__job *j)
{
    return j->parent ? j->parent->key : "";
}

static void keep_spare(struct rg__llm *m, const struct rg__job *j, struct rg__reply *r)
{
    RG_GROW(m->spares, m->n_spares, m->cap_spares);
    m->spares[m->n_spares++] =
        (struct rg__spare){rg_xstrdup(parent_key(j)), rg_xstrdup(j->step->id), rg_xstrdup(j->site), *r};
    *r = (struct rg__reply){.klass = RG__REPLY_USABLE};
}

bool rg__job_take_spare(struct rg__llm *m, struct rg__job *j)
{
    for (int i = 0; i < m->n_spares; i++) {
        struct rg__spare *s = &m->spares[i];
        if (strcmp(s->parent, parent_key(j)) || strcmp(s->step, j->step->id) || strcmp(s->site, j->site)) continue;
        j->reply = s->reply;
        free(s->parent);
        free(s->step);
        free(s->site);
        memmove(s, s + 1, (size_t)(--m->n_spares - i) * sizeof *s);
        return true;
    }
    return false;
}

static bool same_code(const struct rg__reply *a, const struct rg__reply *b)
{
    return !strcmp(a->cuda, b->cuda) && !strcmp(a->plan, b->plan);
}

/* Of several samples the first usable one that does what was asked is the answer, else the first usable one; others
 * that do are kept for later. */
static void choose(struct rg__llm *m, struct rg__job *j, const struct rg__answer *a, struct rg__reply *r)
{
    read_reply(m, j, a->text, a->cut, r);
    for (int i = 0; i < a->n_more; i++) {
        struct rg__reply other;
        read_reply(m, j, a->more[i].text, a->more[i].cut, &other);
        bool strays = other.shows || other.rewrite;
        if (other.klass != RG__REPLY_USABLE || (strays && r->klass == RG__REPLY_USABLE)) {
            rg__reply_release(&other);
        } else if (r->klass != RG__REPLY_USABLE || r->shows || r->rewrite) {
            rg__reply_release(r);
            *r = other;
        } else {
            bool known = same_code(r, &other);
            for (int k = 0; k < m->n_spares && !known; k++) known = same_code(&m->spares[k].reply, &other);
            if (!known) keep_spare(m, j, &other);
            rg__reply_release(&other);
        }
    }
}

void rg__job_accept(struct rg__llm *m, struct rg__job *j)
{
    j->answer.applied = j->reply.shows;
    j->answer.declined = j->reply.declines;
    j->answer.ambiguous = j->reply.several || j->reply.rewrite;
    j->answer.tmpl = rg__template_new(m->p, j->parent, j->step->id, j->site, j->sample, j->n_attempts, &j->reply);
    rg__job_finish(m, j, RG_ANSWER_TEMPLATE, RG_OK, RG_OUTCOME_OK, "");
}

static void coded(struct rg__llm *m, struct rg__job *j, const struct rg__answer *a)
{
    struct rg__reply r;
    char text[512];
    choose(m, j, a, &r);
    if (r.klass == RG__REPLY_USABLE) {
        rg__reply_release(&j->reply);
        j->reply = r;
        if (m->critic && !j->reviewed) {
            j->reviewed = true;
            rg__critic_ask(m, j);
            rg__job_send(m, j);
        } else {
            rg__job_accept(m, j);
        }
        return;
    }
    if (r.klass == RG__REPLY_REFUSED) {
        rg__job_finish(m, j, RG_ANSWER_REFUSED, RG_OK, RG_OUTCOME_UNSUPPORTED, r.message);
    } else if (j->round == 0) {
        if (r.cuda) { /* should the second answer be a plan alone, it is for this */
            rg_source_release(&j->last);
            j->last = (struct rg_source){r.cuda, NULL};
            r.cuda = NULL;
        }
        bool told = r.klass == RG__REPLY_NOT_APPLIED || r.klass == RG__REPLY_HOST_CODE;
        rg__job_repair(m, j, a->text, r.klass, told ? r.message : "");
    } else if (j->reply.cuda) { /* a revision for the critic that came to nothing: the first version stands */
        rg__job_accept(m, j);
    } else if (r.klass == RG__REPLY_NOT_APPLIED) {
        snprintf(text, sizeof text, "not applied: %s", r.message);
        rg__job_finish(m, j, RG_ANSWER_REFUSED, RG_OK, RG_OUTCOME_UNSUPPORTED, text);
    } else {
        bool plan = r.klass == RG__REPLY_NO_PLAN || r.klass == RG__REPLY_HOST_CODE;
        snprintf(text, sizeof text, "%s: %s", rg__reply_word(r.klass), r.message);
        rg__job_finish(m, j, RG_ANSWER_FAILED, RG_OK, plan ? RG_OUTCOME_PLAN : RG_OUTCOME_COMPILE, text);
    }
    rg__reply_release(&r);
}

/* A reply has come. */
static void settle(struct rg__llm *m, struct rg__job *j, const struct rg__answer *a)
{
    struct rg_buf chain = RG_BUF_INIT;
    struct rg_error err = RG_ERROR_INIT;
    chain_text(j, &chain);
    const struct rg__about about = {j->step->id, j->site, chain.data, j->round};
    rg__budget_add(&m->budget, price(m, j), a, j->prompt_bytes);
    enum rg_status s = rg__record_add(m->record, asked(j), j->key, &about, a, &err);
    rg_buf_release(&chain);
    if (s != RG_OK) { /* a record with holes is worth nothing: the action fails, loudly */
        rg__job_finish(m, j, RG_ANSWER_FAILED, s, RG_OUTCOME_UNSUPPORTED, err.text);
        return;
    }
    char why[400];
    switch (j->stage) {
    case RG__STAGE_JUDGE:
        rg__judge_take(m, j, a->text);
        j->stage = RG__STAGE_CODE;
        rg__job_send(m, j);
        break;
    case RG__STAGE_CRITIC:
        j->stage = RG__STAGE_CODE;
        if (rg__critic_passes(m, a->text, why, sizeof why)) {
            rg__job_accept(m, j);
        } else {
            struct rg_buf said = RG_BUF_INIT;
            rg__fenced(&said, "cuda", j->reply.cuda);
            rg_buf_char(&said, '\n');
            rg__fenced(&said, "plan", j->reply.plan);
            rg__job_repair(m, j, said.data, RG__REPLY_CRITICISED, why);
            rg_buf_release(&said);
        }
        break;
    case RG__STAGE_CODE:
        coded(m, j, a);
        break;
    }
}

/* ---- the service ---- */

static void service_failed(struct rg__llm *m, struct rg__job *j, const char *message, bool for_good)
{
    m->failures++;
    m->refused_key |= for_good;
    snprintf(m->down, sizeof m->down, "the model service failed: %.360s", message);
    rg__hide_key(m, m->down);
    rg__job_finish(m, j, RG_ANSWER_FAILED, RG_SERVICE, RG_OUTCOME_UNSUPPORTED, m->down);
}

static void answered(struct rg__llm *m, struct rg__job *j, const struct rg_buf *body)
{
    struct rg__answer a;
    struct rg_error err = RG_ERROR_INIT;
    if (rg__wire_answer(body->data, body->len, &a, &err) != RG_OK) {
        service_failed(m, j, err.text, false);
        return;
    }
    m->failures = 0;
    rg__hide_key(m, a.text);
    for (int i = 0; i < a.n_more; i++) rg__hide_key(m, a.more[i].text);
    settle(m, j, &a);
    rg__answer_release(&a);
}

void rg__job_arrived(struct rg__llm *m, struct rg__job *j, struct rg__http_result *h)
{
    char text[300] = "", said[400];
    m->budget.reserved -= j->prompt_bytes / 4;
    m->budget.used.retries += h->retries;
    if (h->status != RG_OK) {
        service_failed(m, j, h->message, false);
        return;
    }
    if (h->code >= 200 && h->code < 300) {
        answered(m, j, &h->body);
        return;
    }
    rg__wire_error(h->body.data, h->body.len, text, sizeof text);
    rg__hide_key(m, text);
    /* A parameter that this model does not take: sent again without it, as the same call. */
    if ((h->code == 400 || h->code == 422) && j->adaptions < 4 && rg__quirks_learn(quirks(m, j), text)) {
        rg_log(RG_LOG_INFO, "model service: %s; sent again without it", text);
        j->adaptions++;
        post(m, j);
        return;
    }
    snprintf(said, sizeof said, "HTTP %ld%s%s%s", h->code, *text ? ": " : "", text,
             h->code == 401 || h->code == 403 ? " (is the key right?)"
             : h->code == 404                 ? " (is the url's base or the model's name right?)"
                                              : "");
    bool too_long = (h->code == 400 || h->code == 413 || h->code == 422) &&
                    (strcasestr(text, "context") || strcasestr(text, "too long") || strcasestr(text, "too large") ||
                     h->code == 413);
    if (too_long) { /* of this request alone */
        char why[480];
        snprintf(why, sizeof why, "the request does not fit the model (--llm-context): %s", said);
        rg__job_finish(m, j, RG_ANSWER_FAILED, RG_OK, RG_OUTCOME_UNSUPPORTED, why);
    } else {
        service_failed(m, j, said,
                       h->code == 401 || h->code == 403 || h->code == 404 || (h->code >= 300 && h->code < 400));
    }
}
