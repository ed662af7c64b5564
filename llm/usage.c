/* Budgets of calls, tokens and money. Prices come from the user's table alone: those in our heads would be out of date.
 */
#include "llm.h"
#include <errno.h>
#include <math.h>
#include <rg/file.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum rg_status rg__price_load(const char *path, const char *model, bool local, struct rg__price *out,
                              struct rg_error *err)
{
    *out = (struct rg__price){.known = local};
    if (!path) return RG_OK;
    char *text, *save = NULL;
    size_t n, best = 0;
    enum rg_status s = rg_file_read(path, 1 << 20, &text, &n, err);
    if (s != RG_OK) return s;
    int line = 0;
    for (char *at = text; at && s == RG_OK; at = save) {
        save = strchr(at, '\n');
        if (save) *save++ = '\0';
        line++;
        at += strspn(at, " \t\r");
        if (!*at || *at == '#') continue;
        char prefix[128];
        double in, completion, cached;
        int got = sscanf(at, "%127s %lf %lf %lf", prefix, &in, &completion, &cached);
        bool bad = got < 3 || !(in >= 0 && in < 1e9) || !(completion >= 0 && completion < 1e9) ||
                   (got > 3 && !(cached >= 0 && cached < 1e9));
        if (bad) {
            s = rg_error_at(err, RG_INPUT, path, line, 0,
                            "a price line is MODEL-PREFIX INPUT OUTPUT [CACHED], in USD per million tokens");
        } else if (!strncmp(model, prefix, strlen(prefix)) || !strcmp(prefix, "*")) {
            size_t w = strcmp(prefix, "*") ? strlen(prefix) + 1 : 1; /* the longest prefix wins */
            if (w > best) *out = (struct rg__price){true, in, completion, got > 3 ? cached : in};
            if (w > best) best = w;
        }
    }
    free(text);
    return s;
}

static double cost(const struct rg__price *p, int64_t prompt, int64_t cached, int64_t completion)
{
    return ((double)(prompt - cached) * p->input + (double)cached * p->cached + (double)completion * p->output) / 1e6;
}

bool rg__budget_allows(const struct rg__budget *b, const struct rg__price *price, int64_t prompt_tokens, char *message,
                       size_t size)
{
    const struct rg_llm_usage *u = &b->used;
    int64_t spent = u->prompt_tokens + u->completion_tokens;
    if (b->max_calls > 0 && u->calls >= b->max_calls) {
        snprintf(message, size, "the budget of %d model calls is spent", b->max_calls);
        return false;
    }
    if (b->max_tokens > 0 && (spent >= b->max_tokens || b->reserved + prompt_tokens > b->max_tokens - spent)) {
        snprintf(message, size, "the budget of %lld tokens is spent: %lld used, the next request needs about %lld",
                 (long long)b->max_tokens, (long long)spent, (long long)prompt_tokens);
        return false;
    }
    if (b->max_cost > 0 && price->known && u->cost + cost(price, b->reserved + prompt_tokens, 0, 0) > b->max_cost) {
        snprintf(message, size, "the budget of $%.2f is spent: $%.4f used", b->max_cost, u->cost);
        return false;
    }
    return true;
}

void rg__budget_add(struct rg__budget *b, const struct rg__price *price, const struct rg__answer *a,
                    int64_t prompt_bytes)
{
    /* A server that reports no usage is charged by the usual four bytes a token. */
    int64_t prompt = a->prompt_tokens >= 0 ? a->prompt_tokens : prompt_bytes / 4;
    int64_t completion =
        a->completion_tokens >= 0 ? a->completion_tokens : (int64_t)(a->text ? strlen(a->text) : 0) / 4;
    for (int i = 0; i < a->n_more && a->completion_tokens < 0; i++) completion += (int64_t)strlen(a->more[i].text) / 4;
    int64_t cached = a->cached_tokens > 0 ? a->cached_tokens : 0;
    if (cached > prompt) cached = prompt;
    b->used.prompt_tokens += prompt;
    b->used.completion_tokens += completion;
    b->used.cached_tokens += cached;
    if (a->reasoning_tokens > 0) b->used.reasoning_tokens += a->reasoning_tokens;
    b->used.cost = price->known && b->used.cost >= 0 ? b->used.cost + cost(price, prompt, cached, completion) : -1;
}
