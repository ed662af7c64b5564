/* One conversation with a server, to say what it can do: the list of models, a reply in the form that searches need,
 * several answers at once. No search, no record. */
#include "coder.h"
#include <rg/file.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MODELS = 1, REPLY, SAMPLES };

/* One exchange, waited for. */
static bool exchange(struct rg__llm *m, int id, const char *body, struct rg__http_result *h, double *seconds)
{
    double start = rg_now();
    if (id == MODELS)
        rg__http_get_models(m->http, id);
    else
        rg__http_post(m->http, id, body);
    while (!rg__http_poll(m->http, 1, h))
        if (!rg__http_pending(m->http)) return false;
    *seconds = rg_now() - start;
    if (h->status != RG_OK) rg__hide_key(m, h->message);
    return true;
}

static void ask(struct rg__chat *c, const struct rg__llm *m, int samples)
{
    *c = (struct rg__chat){
        .model = m->model, .temperature = m->temperature, .reply_tokens = m->reply_tokens, .n_samples = samples};
    rg__message_part(rg__chat_message(c, "system"), "rules", rg_xstrdup(m->system));
    rg__message_part(rg__chat_message(c, "user"), "probe",
                     rg_xstrdup("# The problem\nFunction: `void scale(int n, float *x)`\n\n- `n`: int, scalar, in\n- "
                                "`x`: float *, [n] elements, in and out\n\n"
                                "The sequential C:\n```c\nvoid scale(int n, float *x)\n{\n    for (int i = 0; i < n; "
                                "i++) x[i] = 2.0f * x[i];\n}\n```\n\n"
                                "# The step to apply: One thread an iteration (parallelize)\nGive each iteration of "
                                "the loop a thread of its own.\n"));
}

/* Posts until the server takes the request or no quirk is left to learn. */
static bool converse(struct rg__llm *m, int id, int samples, struct rg__answer *a, struct rg_llm_probe *out)
{
    struct rg__chat chat;
    bool got = false;
    ask(&chat, m, samples);
    for (int round = 0; round < 5; round++) {
        struct rg__http_result h;
        struct rg_error err = RG_ERROR_INIT;
        char *body = rg__wire_request(&chat, &m->quirks), text[300] = "";
        bool came = exchange(m, id, body, &h, &out->seconds);
        free(body);
        if (!came) break;
        if (h.status == RG_OK && h.code >= 200 && h.code < 300) {
            got = rg__wire_answer(h.body.data, h.body.len, a, &err) == RG_OK;
            if (!got) snprintf(out->message, sizeof out->message, "%.390s", err.text);
        } else if (h.status == RG_OK) {
            rg__wire_error(h.body.data, h.body.len, text, sizeof text);
            snprintf(out->message, sizeof out->message, "HTTP %ld%s%s", h.code, *text ? ": " : "", text);
        } else {
            snprintf(out->message, sizeof out->message, "%s", h.message);
        }
        bool again = !got && (h.code == 400 || h.code == 422) && rg__quirks_learn(&m->quirks, text);
        rg_buf_release(&h.body);
        if (!again) break;
    }
    rg__chat_release(&chat);
    rg__hide_key(m, out->message);
    if (got) *out->message = '\0';
    return got;
}

static void list_models(struct rg__llm *m, struct rg_llm_probe *out)
{
    struct rg__http_result h;
    double seconds;
    if (!exchange(m, MODELS, NULL, &h, &seconds)) return;
    out->lists_models = h.status == RG_OK && h.code >= 200 && h.code < 300 &&
                        rg__wire_models(h.body.data, h.body.len, m->model, &out->n_models, &out->has_model,
                                        &out->context, out->first_model, sizeof out->first_model);
    rg_buf_release(&h.body);
}

enum rg_status rg_llm_probe(const struct rg_llm_options *o, struct rg_llm_probe *out, struct rg_error *err)
{
    static const struct rg_param params[] = {
        {.name = "n", .kind = RG_PARAM_SCALAR, .elem = RG_I32},
        {.name = "x", .kind = RG_PARAM_ARRAY, .elem = RG_F32, .role = RG_ROLE_INOUT}};
    const struct rg_problem problem = {.function = "scale",
                                       .prototype = "void scale(int n, float *x)",
                                       .function_source = "",
                                       .context_source = "",
                                       .device_decls = "",
                                       .n_params = 2,
                                       .params = (struct rg_param *)params};
    struct rg__llm *m = rg_xcalloc(1, sizeof *m);
    memset(out, 0, sizeof *out);
    out->prompt_tokens = -1;
    m->p = &problem;
    enum rg_status s = o->url ? rg__llm_open(m, o, err) : rg_error_set(err, RG_USAGE, "a probe needs a url");
    if (s == RG_OK) {
        struct rg__answer a = RG__ANSWER_NONE;
        snprintf(out->place, sizeof out->place, "%s", rg__http_shown(m->http));
        list_models(m, out);
        out->answers = converse(m, REPLY, 1, &a, out);
        if (out->answers) {
            struct rg__reply r;
            rg__reply_extract(&problem, NULL, a.text, strlen(a.text), a.cut, &r);
            out->usable = r.klass == RG__REPLY_USABLE;
            snprintf(out->reply, sizeof out->reply, "%s", rg__reply_word(r.klass));
            out->prompt_tokens = a.prompt_tokens;
            out->completion_tokens = a.completion_tokens;
            rg__reply_release(&r);
            rg__answer_release(&a);
        }
        if (out->answers && !m->quirks.no_samples && converse(m, SAMPLES, 2, &a, out)) {
            out->samples = a.n_more == 1;
            rg__answer_release(&a);
        }
        const struct rg__quirks *q = &m->quirks;
        snprintf(out->quirks, sizeof out->quirks, "%s%s%s%s%s", q->no_temperature ? " no-temperature" : "",
                 q->completion_tokens ? " max-completion-tokens" : "", q->no_reply_tokens ? " no-max-tokens" : "",
                 q->no_system ? " no-system" : "", q->no_samples && q->api == RG__API_CHAT ? " no-samples" : "");
    }
    rg__llm_close(m);
    free(m);
    return s;
}
