/* A session of the model coder: options checked, key read, prompts, prices, quirks and record opened. */
#include "coder.h"
#include <errno.h>
#include <rg/file.h>
#include <rg/log.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const int default_calls = 200;
static const double default_timeout = 300, default_backoff = 0.5;
static const int default_retries = 4, default_in_flight = 4;
static const int64_t default_reply_bytes = 8 << 20;

/* The key must not appear in any text, whoever put it there: servers quote what they were sent. */
void rg__hide_key(const struct rg__llm *m, char *text)
{
    size_t n = m->key ? strlen(m->key) : 0;
    if (n < 4) return;
    for (char *at = text; (at = strstr(at, m->key)); at += n) memset(at, '*', n);
}

/* From the file, else from the environment, without the newline that `$(cat file)` or an editor leaves. */
static enum rg_status read_key(struct rg__llm *m, const struct rg_llm_options *o, enum rg__api api,
                               struct rg_error *err)
{
    const char *name = o->key_env ? o->key_env : api == RG__API_MESSAGES ? "ANTHROPIC_API_KEY" : "OPENAI_API_KEY";
    char where[300];
    if (o->key_file) {
        size_t n;
        struct stat st;
        enum rg_status s = rg_file_read(o->key_file, 1 << 16, &m->key, &n, err);
        if (s != RG_OK) return s;
        if (stat(o->key_file, &st) == 0 && (st.st_mode & (S_IRGRP | S_IROTH)))
            rg_log(RG_LOG_WARN, "the key file '%s' can be read by others; chmod 600 would keep it yours", o->key_file);
        m->key[strcspn(m->key, "\n")] = '\0';
        snprintf(where, sizeof where, "the file '%.250s'", o->key_file);
    } else {
        const char *v = getenv(name);
        if (!v || !*v) return RG_OK;
        m->key = rg_xstrdup(v);
        snprintf(where, sizeof where, "the variable %.250s", name);
    }
    size_t n = strlen(m->key);
    while (n && strchr(" \t\r\n", m->key[n - 1])) m->key[--n] = '\0';
    for (const char *c = m->key; *c; c++)
        if ((unsigned char)*c <= ' ' || (unsigned char)*c >= 127)
            return rg_error_set(err, RG_USAGE, "the key in %s holds a character that no key has", where);
    if (o->key_file && !n) return rg_error_set(err, RG_USAGE, "%s holds no key", where);
    return RG_OK;
}

static enum rg_status open_prices(struct rg__llm *m, const struct rg_llm_options *o, struct rg_error *err)
{
    bool local = !o->url || rg__url_is_local(o->url);
    enum rg_status s = rg__price_load(o->prices, m->model, local, &m->budget.price, err);
    if (s == RG_OK && m->judge_model) s = rg__price_load(o->prices, m->judge_model, local, &m->budget.judge_price, err);
    if (s != RG_OK) return s;
    if (!m->judge_model) m->budget.judge_price = m->budget.price;
    const char *missing = !m->budget.price.known ? m->model : !m->budget.judge_price.known ? m->judge_model : NULL;
    if (missing) m->budget.used.cost = -1;
    if (o->max_cost > 0 && missing)
        return rg_error_set(
            err, RG_USAGE,
            "a cost limit needs the price of '%s': a file of lines `%s INPUT OUTPUT` in USD per million tokens",
            missing, missing);
    return RG_OK;
}

enum { USUAL_REQUEST = 3000 * 7 / 2, SHORT_PROBLEM = 3500 }; /* 3000 tokens of 3.5 bytes where the C has 60 lines */

/* The stable prefix of every request. Where the problem alone would fill the context, its text is cut, for the whole
 * run. */
static void write_prefix(struct rg__llm *m, const struct rg_llm_options *o)
{
    struct rg_buf text = RG_BUF_INIT;
    rg__prompt_expand(&text, m->prompts.text[RG__PROMPT_SYSTEM], NULL, 0);
    m->system = rg_buf_steal(&text);
    rg__prompt_expand(&text, m->prompts.text[RG__PROMPT_JUDGE], NULL, 0);
    m->judge_system = rg_buf_steal(&text);
    rg__prompt_expand(&text, m->prompts.text[RG__PROMPT_CRITIC], NULL, 0);
    m->critic_system = rg_buf_steal(&text);
    for (int cut = 0; cut < RG__N_PROBLEM_CUTS; cut++) {
        rg_buf_reset(&text);
        const struct rg__facts known = {o->device_facts, o->loop_facts, o->input_facts};
        rg__describe_problem(&text, &m->prompts, m->p, &known, cut);
        if (!m->prompt_limit || (int64_t)(strlen(m->system) + text.len) * 10 <= m->prompt_limit * 7) break;
    }
    m->problem = rg_buf_steal(&text);
    int64_t beyond = (int64_t)strlen(m->problem) - SHORT_PROBLEM;
    m->prompt_target = USUAL_REQUEST + (beyond > 0 ? beyond : 0);
}

enum { BYTES_PER_TOKEN = 3, LEAST_CONTEXT = 2048 }; /* CUDA code: 3 to 3.5 bytes a token, so that 3 is safe */

static enum rg_status open_context(struct rg__llm *m, const struct rg_llm_options *o, struct rg_error *err)
{
    if (!o->context) return RG_OK;
    if (o->context < LEAST_CONTEXT)
        return rg_error_set(err, RG_USAGE, "a context of %d tokens is too small: the rules alone are some 1500",
                            o->context);
    int reply = m->reply_tokens ? m->reply_tokens : o->context / 4 < 2048 ? o->context / 4 : 2048;
    if (reply > o->context / 2) reply = o->context / 2;
    m->prompt_limit = (int64_t)(o->context - reply) * BYTES_PER_TOKEN;
    if (!m->reply_tokens) m->reply_tokens = reply;
    return RG_OK;
}

static enum rg_status open_service(struct rg__llm *m, const struct rg_llm_options *o, enum rg__api api,
                                   struct rg_error *err)
{
    enum rg_status s = read_key(m, o, api, err);
    double timeout = o->timeout_s > 0 ? o->timeout_s : default_timeout;
    const struct rg__http_options h = {.url = o->url,
                                       .key = m->key,
                                       .api = api,
                                       .timeout_s = timeout,
                                       .wall_s = o->wall_s > 0 ? o->wall_s : 2 * timeout,
                                       .backoff_s = o->backoff_s > 0 ? o->backoff_s : default_backoff,
                                       .retries = o->retries < 0 ? 0
                                                  : o->retries   ? o->retries
                                                                 : default_retries,
                                       .in_flight = o->in_flight > 0 ? o->in_flight : default_in_flight,
                                       .reply_bytes = o->reply_bytes > 0 ? o->reply_bytes : default_reply_bytes};
    return s == RG_OK ? rg__http_new(&h, &m->http, err) : s;
}

/* A replay asks what the recorded run asked, whatever was learnt since. */
static enum rg_status open_examples(struct rg__llm *m, const struct rg_llm_options *o, struct rg_error *err)
{
    bool goes_on = o->replay && o->record && !strcmp(o->replay, o->record); /* that file has them */
    if (!rg__record_examples(m->record, &m->examples)) {
        enum rg_status s = o->examples ? rg__examples_load(&m->examples, o->examples, err) : RG_OK;
        return s == RG_OK ? rg__record_note_examples(m->record, &m->examples, err) : s;
    }
    return goes_on ? RG_OK : rg__record_note_examples(m->record, &m->examples, err);
}

enum rg_status rg__llm_open(struct rg__llm *m, const struct rg_llm_options *o, struct rg_error *err)
{
    if (!o->url && !o->replay && !o->defer)
        return rg_error_set(err, RG_USAGE,
                            "the model coder needs a url, a record to replay or a folder for deferred requests");
    enum rg__api api = RG__API_CHAT;
    if (o->api && !strcmp(o->api, "messages"))
        api = RG__API_MESSAGES;
    else if (o->api && strcmp(o->api, "chat") && strcmp(o->api, "auto"))
        return rg_error_set(err, RG_USAGE, "'%s' is no protocol: auto, chat or messages", o->api);
    else if (o->url && (!o->api || !strcmp(o->api, "auto")))
        api = rg__url_api(o->url);
    enum rg_status s = rg__prompts_load(&m->prompts, o->prompts, err);
    if (s == RG_OK && (o->replay || o->record))
        s = rg__record_open(o->replay, o->record, o->url || o->defer, &m->record, err);
    if (s != RG_OK) return s;
    const char *model = o->model && *o->model ? o->model : rg__record_model(m->record);
    if (!model) return rg_error_set(err, RG_USAGE, "the model coder needs the name of a model");
    m->model = rg_xstrdup(model);
    m->judge = o->judge;
    m->critic = o->critic;
    m->judge_model = (o->judge || o->critic) && o->judge_model && *o->judge_model ? rg_xstrdup(o->judge_model) : NULL;
    m->temperature = o->temperature;
    m->reply_tokens = o->reply_tokens > 0 ? o->reply_tokens : 0;
    m->sms = o->sms;
    m->forms = o->n_forms ? rg_xmalloc((size_t)o->n_forms * sizeof *m->forms) : NULL;
    for (; m->n_forms < o->n_forms; m->n_forms++) {
        m->forms[m->n_forms] = o->forms[m->n_forms];
        m->forms[m->n_forms].step = rg_xstrdup(o->forms[m->n_forms].step);
    }
    m->samples = o->samples > 0 ? o->samples : 0;
    m->budget.max_calls = o->max_calls > 0 ? o->max_calls : default_calls;
    m->budget.max_tokens = o->max_tokens;
    m->budget.max_cost = o->max_cost;
    if ((s = open_context(m, o, err)) != RG_OK || (s = open_prices(m, o, err)) != RG_OK) return s;
    m->quirks.api = m->judge_quirks.api = api;
    if ((s = rg__quirks_load(&m->quirks, o->quirks, m->model, err)) != RG_OK) return s;
    if ((s = rg__quirks_load(&m->judge_quirks, o->quirks, m->judge_model ? m->judge_model : m->model, err)) != RG_OK)
        return s;
    if (api == RG__API_MESSAGES) m->quirks.no_samples = true;
    if ((s = open_examples(m, o, err)) != RG_OK) return s;
    write_prefix(m, o);
    if (o->defer) return rg__defer_open(o->defer, &m->defer, err);
    return o->url ? open_service(m, o, api, err) : RG_OK;
}

void rg__llm_close(struct rg__llm *m)
{
    rg__http_free(m->http);
    rg__record_close(m->record);
    rg__defer_close(m->defer);
    rg__prompts_release(&m->prompts);
    rg__examples_release(&m->examples);
    rg__quirks_release(&m->quirks);
    rg__quirks_release(&m->judge_quirks);
    for (int i = 0; i < m->n_spares; i++) {
        rg__reply_release(&m->spares[i].reply);
        free(m->spares[i].parent);
        free(m->spares[i].step);
        free(m->spares[i].site);
    }
    free(m->spares);
    for (int i = 0; i < m->n_given; i++) free(m->given[i].action);
    free(m->given);
    for (int i = 0; i < m->n_forms; i++) free((char *)m->forms[i].step);
    free(m->forms);
    free(m->seen.key);
    free(m->seen.text);
    if (m->key) explicit_bzero(m->key, strlen(m->key));
    char *texts[] = {m->key, m->model, m->judge_model, m->system, m->problem, m->judge_system, m->critic_system};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) free(texts[i]);
}

static void limit_text(char *out, size_t size, const struct rg__budget *b)
{
    int n = snprintf(out, size, "at most %d calls", b->max_calls);
    if (b->max_tokens > 0 && n > 0 && (size_t)n < size)
        n += snprintf(out + n, size - (size_t)n, ", %lld tokens", (long long)b->max_tokens);
    if (b->max_cost > 0 && n > 0 && (size_t)n < size) n += snprintf(out + n, size - (size_t)n, ", $%.2f", b->max_cost);
    const struct rg__price *p = &b->price;
    if (n > 0 && (size_t)n < size && !p->known)
        snprintf(out + n, size - (size_t)n, "; price unknown (--llm-prices)");
    else if (n > 0 && (size_t)n < size && (p->input > 0 || p->output > 0))
        snprintf(out + n, size - (size_t)n, "; $%.4g in, $%.4g out per million tokens", p->input, p->output);
}

void rg_llm_budget(const struct rg_coder *c, char *out, size_t size)
{
    const struct rg__llm *m = c->self;
    char limits[200];
    limit_text(limits, sizeof limits, &m->budget);
    char examples[60] = "";
    if (m->examples.n) snprintf(examples, sizeof examples, "; examples of earlier runs for %d steps", m->examples.n);
    snprintf(out, size, "model %.100s%s%.200s: %s%s", m->model, m->http ? " at " : "",
             m->http    ? rg__http_shown(m->http)
             : m->defer ? " (requests are deferred)"
                        : " (from the record)",
             limits, examples);
}
