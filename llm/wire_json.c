/* The chat-completions protocol as JSON: requests, replies, errors; and the key by which records know a request. */
#include "base/json_util.h"
#include "llm.h"
#include <ctype.h>
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

void rg__chat_key(const struct rg__chat *c, char out[65])
{
    /* What a user may set is in it; what a server needs spelt differently (rg__quirks) is not. */
    char parameters[160];
    int n = snprintf(parameters, sizeof parameters, "temperature=%.15g reply_tokens=%d sample=%d",
                     c->temperature < 0 ? -1.0 : c->temperature, c->reply_tokens, c->sample);
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

void rg__quirks_guess(struct rg__quirks *q, const char *model)
{
    memset(q, 0, sizeof *q);
    const char *slash = strrchr(model, '/'), *name = slash ? slash + 1 : model;
    /* Reasoning models of the o and gpt-5 families refuse both; a 400 teaches the rest. */
    if ((name[0] == 'o' && isdigit((unsigned char)name[1])) || !strncmp(name, "gpt-5", 5))
        q->no_temperature = q->completion_tokens = true;
}

bool rg__quirks_learn(struct rg__quirks *q, const char *error_text)
{
    struct rg__quirks before = *q;
    if (strstr(error_text, "temperature")) q->no_temperature = true;
    if (strstr(error_text, "max_completion_tokens") && strstr(error_text, "max_tokens"))
        q->completion_tokens = !before.completion_tokens;
    else if (strstr(error_text, before.completion_tokens ? "max_completion_tokens" : "max_tokens"))
        q->no_reply_tokens = true;
    return memcmp(&before, q, sizeof before) != 0;
}

static char *content(const struct rg__message *m)
{
    struct rg_buf b = RG_BUF_INIT;
    for (int j = 0; j < m->n; j++) rg_buf_str(&b, m->parts[j].text);
    return rg_buf_steal(&b);
}

char *rg__wire_request(const struct rg__chat *c, const struct rg__quirks *q)
{
    json_t *o = json_object(), *messages = json_array();
    json_object_set_new(o, "model", rg_json_text(c->model));
    for (int i = 0; i < c->n; i++) {
        char *text = content(&c->messages[i]);
        json_t *m = json_object();
        json_object_set_new(m, "role", json_string(c->messages[i].role));
        json_object_set_new(m, "content", rg_json_text(text));
        json_array_append_new(messages, m);
        free(text);
    }
    json_object_set_new(o, "messages", messages);
    if (c->temperature >= 0 && !q->no_temperature)
        json_object_set_new(o, "temperature", rg_json_number(c->temperature));
    if (c->reply_tokens > 0 && !q->no_reply_tokens)
        json_object_set_new(o, q->completion_tokens ? "max_completion_tokens" : "max_tokens",
                            json_integer(c->reply_tokens));
    char *text = rg_json_line(o);
    json_decref(o);
    return text;
}

void rg__answer_release(struct rg__answer *a)
{
    free(a->text);
    a->text = NULL;
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

enum rg_status rg__wire_answer(const char *body, size_t n, struct rg__answer *out, struct rg_error *err)
{
    *out = (struct rg__answer){NULL, false, -1, -1, -1, -1};
    json_error_t e;
    json_t *o = json_loadb(body, n, JSON_ALLOW_NUL, &e);
    if (!o) {
        char text[200];
        rg__wire_error(body, n, text, sizeof text);
        return rg_error_set(err, RG_SERVICE, "the reply is no JSON (%.60s, byte %d): %.120s", e.text, e.position, text);
    }
    const json_t *choice = json_array_get(json_object_get(o, "choices"), 0);
    const json_t *message = json_object_get(choice, "message");
    if (!json_is_object(message)) {
        char text[200] = "";
        if (json_object_get(o, "error")) rg__wire_error(body, n, text, sizeof text);
        json_decref(o);
        return rg_error_set(err, RG_SERVICE,
                            *text ? "the service says: %s" : "the reply holds no choice with a message%s", text);
    }
    struct rg_buf text = RG_BUF_INIT;
    add_text(&text, json_object_get(message, "content"));
    /* Some servers put the whole answer of a reasoning model here. */
    if (strspn(text.data, " \t\r\n") == text.len) add_text(&text, json_object_get(message, "reasoning_content"));
    if (strspn(text.data, " \t\r\n") == text.len) add_text(&text, json_object_get(message, "reasoning"));
    const char *finish = json_string_value(json_object_get(choice, "finish_reason"));
    const json_t *usage = json_object_get(o, "usage");
    out->cut = finish && (!strcmp(finish, "length") || !strcmp(finish, "max_tokens"));
    out->prompt_tokens = count(usage, "prompt_tokens");
    out->completion_tokens = count(usage, "completion_tokens");
    out->cached_tokens = count(json_object_get(usage, "prompt_tokens_details"), "cached_tokens");
    out->reasoning_tokens = count(json_object_get(usage, "completion_tokens_details"), "reasoning_tokens");
    out->text = rg_buf_steal(&text);
    json_decref(o);
    return RG_OK;
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
