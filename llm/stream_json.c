/* Server-sent events: a reply in pieces, put together again. Some servers and proxies send them unasked. Both
 * protocols. */
#include "base/json_util.h"
#include "llm.h"
#include <stdlib.h>
#include <string.h>

struct stream {
    struct rg_buf text, reasoning;
    bool finished, cut, any;
    struct rg__answer usage; /* counts alone */
    char *error;
};

static void add(struct rg_buf *b, const json_t *v)
{
    const char *s = json_string_value(v);
    for (size_t i = 0; s && i < json_string_length(v); i++)
        if (s[i]) rg_buf_char(b, s[i]);
}

/* One event of the chat-completions protocol; of several choices the first is kept. */
static void chat_event(struct stream *s, const json_t *o)
{
    size_t i;
    json_t *c;
    json_array_foreach(json_object_get(o, "choices"), i, c)
    {
        if (json_integer_value(json_object_get(c, "index")) != 0) continue;
        const json_t *d = json_object_get(c, "delta");
        if (!d) d = json_object_get(c, "message");
        add(&s->text, json_object_get(d, "content"));
        add(&s->reasoning, json_object_get(d, "reasoning_content"));
        add(&s->reasoning, json_object_get(d, "reasoning"));
        const char *finish = json_string_value(json_object_get(c, "finish_reason"));
        if (!finish) continue;
        s->finished = true;
        s->cut = !strcmp(finish, "length") || !strcmp(finish, "max_tokens");
    }
}

static void messages_event(struct stream *s, const json_t *o, const char *type)
{
    const json_t *d = json_object_get(o, "delta");
    if (!strcmp(type, "content_block_delta")) {
        add(&s->text, json_object_get(d, "text"));
        add(&s->reasoning, json_object_get(d, "thinking"));
    } else if (!strcmp(type, "message_delta")) {
        const char *stop = json_string_value(json_object_get(d, "stop_reason"));
        if (stop) {
            s->finished = true;
            s->cut = !strcmp(stop, "max_tokens");
        }
    }
}

static void event(struct stream *s, const char *data, size_t n)
{
    while (n && (*data == ' ' || *data == '\t')) data++, n--;
    if (n >= 6 && !memcmp(data, "[DONE]", 6)) {
        s->finished = true;
        return;
    }
    json_t *o = json_loadb(data, n, JSON_ALLOW_NUL, NULL);
    const char *type = json_string_value(json_object_get(o, "type"));
    if (json_object_get(o, "choices"))
        s->any = true, chat_event(s, o);
    else if (type)
        s->any = true, messages_event(s, o, type);
    if (json_object_get(o, "error") && !s->error) {
        char text[200];
        rg__wire_error(data, n, text, sizeof text);
        s->error = rg_xstrdup(text);
    }
    rg__wire_usage(json_object_get(o, "usage"), &s->usage);
    rg__wire_usage(json_object_get(json_object_get(o, "message"), "usage"), &s->usage);
    json_decref(o);
}

bool rg__wire_is_stream(const char *body, size_t n)
{
    size_t i = 0;
    while (i < n && strchr(" \t\r\n", body[i])) i++;
    return (n - i >= 5 && !memcmp(body + i, "data:", 5)) || (n - i >= 6 && !memcmp(body + i, "event:", 6)) ||
           (i < n && body[i] == ':');
}

enum rg_status rg__wire_stream(const char *body, size_t n, struct rg__answer *out, struct rg_error *err)
{
    struct stream s = {.usage = RG__ANSWER_NONE};
    rg_buf_init(&s.text);
    rg_buf_init(&s.reasoning);
    for (size_t at = 0; at < n;) {
        const char *end = memchr(body + at, '\n', n - at);
        size_t len = end ? (size_t)(end - (body + at)) : n - at;
        if (len > 5 && !memcmp(body + at, "data:", 5)) event(&s, body + at + 5, len - 5);
        at += len + 1;
    }
    enum rg_status st = RG_OK;
    if (s.error)
        st = rg_error_set(err, RG_SERVICE, "the service says: %s", s.error);
    else if (!s.any)
        st = rg_error_set(err, RG_SERVICE, "the reply is a stream without any choice");
    if (st == RG_OK) {
        *out = s.usage;
        bool empty = strspn(s.text.data, " \t\r\n") == s.text.len;
        out->text = rg_buf_steal(empty ? &s.reasoning : &s.text);
        out->cut = s.cut || !s.finished; /* a connection that was closed in the middle */
    }
    rg_buf_release(&s.text);
    rg_buf_release(&s.reasoning);
    free(s.error);
    return st;
}
