/* The two protocols as JSON - chat completions, and messages - requests, replies, errors; and the key by which records
 * know a request, whichever protocol carries it. */
#include "base/json_util.h"
#include "llm.h"
#include <rg/hash.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct rg__message *rg__chat_message(struct rg__chat *c, const char *role)
{
    c->messages = rg_xrealloc(c->messages, (size_t)(c->n + 1) * sizeof *c->messages);
    c->messages[c->n] = (struct rg__message){.role = role};
    return &c->messages[c->n++];
}

void rg__message_part(struct rg__message *m, const char *name, char *text)
{
    m->parts = rg_xrealloc(m->parts, (size_t)(m->n + 1) * sizeof *m->parts);
    m->parts[m->n++] = (struct rg__part){name, text};
}

void rg__chat_release(struct rg__chat *c)
{
    for (int i = 0; i < c->n; i++) {
        for (int j = 0; j < c->messages[i].n; j++) free(c->messages[i].parts[j].text);
        free(c->messages[i].parts);
    }
    free(c->messages);
    c->messages = NULL;
    c->n = 0;
}

int64_t rg__chat_bytes(const struct rg__chat *c)
{
    int64_t n = 0;
    for (int i = 0; i < c->n; i++)
        for (int k = 0; k < c->messages[i].n; k++) n += (int64_t)strlen(c->messages[i].parts[k].text);
    return n;
}

void rg__chat_key(const struct rg__chat *c, char out[65])
{
    /* What a user may set is in it; what a server needs spelt differently (rg__quirks) is not. */
    char parameters[160];
    int n = snprintf(parameters, sizeof parameters, "temperature=%.15g reply_tokens=%d sample=%d",
                     c->temperature < 0 ? -1.0 : c->temperature, c->reply_tokens, c->sample);
    if (c->n_samples > 1) n += snprintf(parameters + n, sizeof parameters - (size_t)n, " n=%d", c->n_samples);
    struct rg_sha256 *h = rg_sha256_new();
    rg_sha256_add(h, c->model, strlen(c->model) + 1);
    rg_sha256_add(h, parameters, (size_t)n + 1);
    for (int i = 0; i < c->n; i++) {
        rg_sha256_add(h, c->messages[i].role, strlen(c->messages[i].role) + 1);
        for (int j = 0; j < c->messages[i].n; j++)
            rg_sha256_add(h, c->messages[i].parts[j].text, strlen(c->messages[i].parts[j].text));
        rg_sha256_add(h, "", 1);
    }
    rg_sha256_end(h, out);
}

static char *content(const struct rg__message *m)
{
    struct rg_buf b = RG_BUF_INIT;
    for (int j = 0; j < m->n; j++) rg_buf_str(&b, m->parts[j].text);
    return rg_buf_steal(&b);
}

bool rg__wire_is_object(const char *text)
{
    json_t *o = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    bool is = json_is_object(o);
    json_decref(o);
    return is;
}

static json_t *message(const char *role, const char *text)
{
    json_t *m = json_object();
    json_object_set_new(m, "role", json_string(role));
    json_object_set_new(m, "content", rg_json_text(text));
    return m;
}

/* The system's text: a message of its own, the start of the first user message, or (messages protocol) a member that
 * the service keeps between requests. */
static void add_messages(json_t *o, const struct rg__chat *c, const struct rg__quirks *q)
{
    json_t *messages = json_array();
    char *system = NULL;
    for (int i = 0; i < c->n; i++) {
        char *text = content(&c->messages[i]);
        bool apart = !strcmp(c->messages[i].role, "system") && (q->no_system || q->api == RG__API_MESSAGES);
        if (apart && !system) {
            system = text;
            continue;
        }
        if (system && q->no_system && q->api == RG__API_CHAT) {
            char *both = rg_xasprintf("%s\n\n%s", system, text);
            free(text);
            free(system);
            text = both;
            system = NULL;
        }
        json_array_append_new(messages, message(c->messages[i].role, text));
        free(text);
    }
    if (system) {
        json_t *block = json_object(), *list = json_array(), *keep = json_object();
        json_object_set_new(block, "type", json_string("text"));
        json_object_set_new(block, "text", rg_json_text(system));
        json_object_set_new(keep, "type", json_string("ephemeral"));
        json_object_set_new(block, "cache_control", keep);
        json_array_append_new(list, block);
        json_object_set_new(o, "system", list);
        free(system);
    }
    json_object_set_new(o, "messages", messages);
}

json_t *rg__wire_body(const struct rg__chat *c, const struct rg__quirks *q)
{
    enum { MESSAGES_TOKENS = 16384 }; /* that protocol demands a number */
    json_t *o = json_object();
    json_object_set_new(o, "model", rg_json_text(c->model));
    add_messages(o, c, q);
    if (c->temperature >= 0 && !q->no_temperature)
        json_object_set_new(o, "temperature", rg_json_number(c->temperature));
    int most = c->reply_tokens > 0 ? c->reply_tokens : q->api == RG__API_MESSAGES ? MESSAGES_TOKENS : 0;
    if (q->most_tokens > 0 && most > q->most_tokens) most = q->most_tokens;
    if (q->api == RG__API_MESSAGES)
        json_object_set_new(o, "max_tokens", json_integer(most));
    else if (most > 0 && !q->no_reply_tokens)
        json_object_set_new(o, q->completion_tokens ? "max_completion_tokens" : "max_tokens", json_integer(most));
    if (q->api == RG__API_CHAT && c->n_samples > 1 && !q->no_samples)
        json_object_set_new(o, "n", json_integer(c->n_samples));
    if (q->api == RG__API_CHAT && *q->effort) json_object_set_new(o, "reasoning_effort", json_string(q->effort));
    if (q->stream) {
        json_object_set_new(o, "stream", json_true());
        if (q->api == RG__API_CHAT) {
            json_t *usage = json_object();
            json_object_set_new(usage, "include_usage", json_true());
            json_object_set_new(o, "stream_options", usage);
        }
    }
    if (q->extra) {
        json_t *extra = json_loads(q->extra, 0, NULL);
        json_object_update(o, extra);
        json_decref(extra);
    }
    return o;
}

char *rg__wire_request(const struct rg__chat *c, const struct rg__quirks *q)
{
    json_t *o = rg__wire_body(c, q);
    char *text = rg_json_line(o);
    json_decref(o);
    return text;
}

void rg__answer_release(struct rg__answer *a)
{
    free(a->text);
    for (int i = 0; i < a->n_more; i++) free(a->more[i].text);
    free(a->more);
    a->text = NULL;
    a->more = NULL;
    a->n_more = 0;
}

/* A string, or the text parts of an array of parts. Appended; NULs dropped. */
static void add_text(struct rg_buf *b, const json_t *v)
{
    if (json_is_string(v)) {
        const char *s = json_string_value(v);
        size_t n = json_string_length(v);
        for (size_t i = 0; i < n; i++)
            if (s[i]) rg_buf_char(b, s[i]);
    } else if (json_is_array(v)) {
        size_t i;
        json_t *part;
        json_array_foreach(v, i, part)
        {
            const json_t *text = json_object_get(part, "text");
            if (json_is_string(text)) add_text(b, text);
        }
    }
}

static int64_t count(const json_t *o, const char *key)
{
    const json_t *v = json_object_get(o, key);
    return json_is_integer(v) && json_integer_value(v) >= 0 ? json_integer_value(v) : -1;
}

static void keep(int64_t *to, int64_t value)
{
    if (value >= 0) *to = value;
}

void rg__wire_usage(const json_t *usage, struct rg__answer *out)
{
    if (!json_is_object(usage)) return;
    keep(&out->prompt_tokens, count(usage, "prompt_tokens"));
    keep(&out->completion_tokens, count(usage, "completion_tokens"));
    keep(&out->cached_tokens, count(json_object_get(usage, "prompt_tokens_details"), "cached_tokens"));
    keep(&out->reasoning_tokens, count(json_object_get(usage, "completion_tokens_details"), "reasoning_tokens"));
    /* messages: what was read from and written to the cache is counted beside input_tokens */
    int64_t input = count(usage, "input_tokens"), read = count(usage, "cache_read_input_tokens"),
            written = count(usage, "cache_creation_input_tokens");
    if (input >= 0) out->prompt_tokens = input + (read > 0 ? read : 0) + (written > 0 ? written : 0);
    keep(&out->cached_tokens, read);
    keep(&out->completion_tokens, count(usage, "output_tokens"));
}

/* The text of one choice of a chat completion. */
static bool choice_text(const json_t *choice, char **text, bool *cut)
{
    const json_t *m = json_object_get(choice, "message");
    if (!json_is_object(m)) return false;
    struct rg_buf b = RG_BUF_INIT;
    add_text(&b, json_object_get(m, "content"));
    /* Some servers put the whole answer of a reasoning model here. */
    if (strspn(b.data, " \t\r\n") == b.len) add_text(&b, json_object_get(m, "reasoning_content"));
    if (strspn(b.data, " \t\r\n") == b.len) add_text(&b, json_object_get(m, "reasoning"));
    const char *finish = json_string_value(json_object_get(choice, "finish_reason"));
    *cut = finish && (!strcmp(finish, "length") || !strcmp(finish, "max_tokens"));
    *text = rg_buf_steal(&b);
    return true;
}

void rg__answer_more(struct rg__answer *a, char *text, bool cut)
{
    a->more = rg_xrealloc(a->more, (size_t)(a->n_more + 1) * sizeof *a->more);
    a->more[a->n_more++] = (struct rg__sample){text, cut};
}

enum { MAX_CHOICES = 32 };

enum rg_status rg__wire_answer(const char *body, size_t n, struct rg__answer *out, struct rg_error *err)
{
    *out = RG__ANSWER_NONE;
    if (rg__wire_is_stream(body, n)) return rg__wire_stream(body, n, out, err);
    json_error_t e;
    json_t *o = json_loadb(body, n, JSON_ALLOW_NUL, &e);
    if (!o) {
        char text[200];
        rg__wire_error(body, n, text, sizeof text);
        return rg_error_set(err, RG_SERVICE, "the reply is no JSON (%.60s, byte %d): %.120s", e.text, e.position, text);
    }
    const json_t *choices = json_object_get(o, "choices"), *blocks = json_object_get(o, "content");
    bool found = choice_text(json_array_get(choices, 0), &out->text, &out->cut);
    for (size_t i = 1; found && i < json_array_size(choices) && i < MAX_CHOICES; i++) {
        char *text;
        bool cut;
        if (choice_text(json_array_get(choices, i), &text, &cut)) rg__answer_more(out, text, cut);
    }
    if (!found && json_is_array(blocks)) { /* messages */
        struct rg_buf b = RG_BUF_INIT;
        add_text(&b, blocks);
        const char *stop = json_string_value(json_object_get(o, "stop_reason"));
        out->cut = stop && !strcmp(stop, "max_tokens");
        out->text = rg_buf_steal(&b);
        found = true;
    }
    if (!found) {
        char text[200] = "";
        if (json_object_get(o, "error")) rg__wire_error(body, n, text, sizeof text);
        json_decref(o);
        return rg_error_set(err, RG_SERVICE,
                            *text ? "the service says: %s" : "the reply holds no choice with a message%s", text);
    }
    rg__wire_usage(json_object_get(o, "usage"), out);
    json_decref(o);
    return RG_OK;
}

bool rg__wire_models(const char *body, size_t n, const char *model, int *n_models, bool *has_model, int64_t *context,
                     char *first, size_t size)
{
    json_t *o = json_loadb(body, n, 0, NULL), *entry;
    const json_t *list = json_object_get(o, "data");
    size_t i;
    *n_models = (int)json_array_size(list);
    *first = '\0';
    json_array_foreach(list, i, entry)
    {
        const char *id = json_string_value(json_object_get(entry, "id"));
        if (!id) continue;
        if (!*first) snprintf(first, size, "%s", id);
        if (strcmp(id, model)) continue;
        *has_model = true;
        static const char *const names[] = {"max_model_len", "context_length", "context_window", "max_context_length"};
        for (size_t k = 0; k < sizeof names / sizeof *names && *context <= 0; k++) *context = count(entry, names[k]);
        if (*context <= 0) *context = count(json_object_get(entry, "meta"), "n_ctx_train");
        if (*context < 0) *context = 0;
    }
    bool is = json_is_array(list);
    json_decref(o);
    return is;
}

void rg__wire_error(const char *body, size_t n, char *out, size_t size)
{
    json_t *o = json_loadb(body, n, JSON_ALLOW_NUL, NULL);
    const json_t *e = json_object_get(o, "error");
    const char *text = json_string_value(json_is_object(e) ? json_object_get(e, "message") : e);
    if (!text) text = json_string_value(json_object_get(o, "message"));
    if (!text) text = json_string_value(json_object_get(o, "detail"));
    if (!text) text = body;
    size_t len = text == body ? n : strlen(text), w = 0;
    if (size > 201) size = 201;
    for (size_t i = 0; i < len && w + 1 < size; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c == '\n' && text == body && w) break;
        if (c >= ' ' && c != 127)
            out[w++] = (char)c;
        else if (w && out[w - 1] != ' ')
            out[w++] = ' ';
    }
    bool cut = w + 1 == size; /* no half character there */
    while (cut && w && ((unsigned char)out[w - 1] & 0xc0) == 0x80) w--;
    if (cut && w && (unsigned char)out[w - 1] >= 0xc0) w--;
    out[w] = '\0';
    json_decref(o);
}
