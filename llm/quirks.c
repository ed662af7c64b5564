/* What single models and servers want differently: a table that users extend, and what a 400 teaches. */
#include "llm.h"
#include <ctype.h>
#include <rg/file.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* MODEL-PREFIX WORD...; the part of a model's name behind its last '/' counts. */
static const char builtin[] = "o1 no-temperature max-completion-tokens\n"
                              "o3 no-temperature max-completion-tokens\n"
                              "o4 no-temperature max-completion-tokens\n"
                              "gpt-5 no-temperature max-completion-tokens\n"
                              "deepseek-reasoner no-temperature no-samples\n"
                              "gemma no-system\n";

static bool set(struct rg__quirks *q, const char *word)
{
    if (!strcmp(word, "plain")) {
        enum rg__api api = q->api;
        free(q->extra);
        memset(q, 0, sizeof *q);
        q->api = api;
    } else if (!strcmp(word, "no-temperature")) {
        q->no_temperature = true;
    } else if (!strcmp(word, "max-completion-tokens")) {
        q->completion_tokens = true;
    } else if (!strcmp(word, "no-max-tokens")) {
        q->no_reply_tokens = true;
    } else if (!strcmp(word, "no-system")) {
        q->no_system = true;
    } else if (!strcmp(word, "no-samples")) {
        q->no_samples = true;
    } else if (!strcmp(word, "stream")) {
        q->stream = true;
    } else if (!strncmp(word, "effort=", 7) && word[7] && strlen(word) < 7 + sizeof q->effort) {
        strcpy(q->effort, word + 7);
    } else if (!strncmp(word, "body=", 5) && rg__wire_is_object(word + 5)) {
        free(q->extra);
        q->extra = rg_xstrdup(word + 5);
    } else {
        return false;
    }
    return true;
}

static enum rg_status read_table(struct rg__quirks *q, char *text, const char *model, const char *file,
                                 struct rg_error *err)
{
    const char *slash = strrchr(model, '/'), *name = slash ? slash + 1 : model;
    int line = 0;
    for (char *at = text, *next; at; at = next) {
        next = strchr(at, '\n');
        if (next) *next++ = '\0';
        line++;
        char *save, *prefix = strtok_r(at, " \t\r", &save);
        if (!prefix || *prefix == '#') continue;
        bool mine =
            !strcmp(prefix, "*") || !strncmp(model, prefix, strlen(prefix)) || !strncmp(name, prefix, strlen(prefix));
        struct rg__quirks unused = {0};
        for (char *word; (word = strtok_r(NULL, " \t\r", &save));) {
            if (*word == '#') break;
            bool known = set(mine ? q : &unused, word);
            free(unused.extra);
            unused.extra = NULL;
            if (!known)
                return rg_error_at(err, RG_INPUT, file, line, (int)(word - at) + 1,
                                   "'%.60s' is no quirk; a line is MODEL-PREFIX and some of plain, no-temperature, "
                                   "max-completion-tokens, no-max-tokens, no-system, no-samples, stream, effort=WORD, "
                                   "body={\"json\":\"without blanks\"}",
                                   word);
        }
    }
    return RG_OK;
}

enum rg_status rg__quirks_load(struct rg__quirks *q, const char *path, const char *model, struct rg_error *err)
{
    char *text = rg_xstrdup(builtin);
    enum rg_status s = read_table(q, text, model, "built in", err);
    free(text);
    if (s != RG_OK || !path) return s;
    size_t n;
    s = rg_file_read(path, 1 << 20, &text, &n, err);
    if (s != RG_OK) return s;
    s = read_table(q, text, model, path, err);
    free(text);
    return s;
}

void rg__quirks_release(struct rg__quirks *q)
{
    free(q->extra);
    q->extra = NULL;
}

static bool names_parameter(const char *text, const char *name)
{
    size_t n = strlen(name);
    for (const char *at = text; (at = strstr(at, name)); at += n)
        if ((at == text || !rg__c_word_char(at[-1])) && !rg__c_word_char(at[n])) return true;
    return false;
}

/* "max_tokens: 16384 > 8192, which is the maximum": the smallest number that can be a limit; 0 there is none. */
static int limit_named(const char *text)
{
    long least = 0;
    for (const char *c = text; *c;) {
        if (!isdigit((unsigned char)*c) || (c > text && rg__c_word_char(c[-1]))) {
            c++;
            continue;
        }
        char *end;
        long n = strtol(c, &end, 10);
        if (n >= 256 && n < 1 << 24 && (!least || n < least)) least = n;
        c = end;
    }
    return (int)least;
}

bool rg__quirks_learn(struct rg__quirks *q, const char *error_text)
{
    struct rg__quirks before = *q;
    if (names_parameter(error_text, "temperature")) q->no_temperature = true;
    if (names_parameter(error_text, "reasoning_effort")) *q->effort = '\0';
    if (strcasestr(error_text, "system") && strcasestr(error_text, "role")) q->no_system = true;
    if (strstr(error_text, "'n'") || strstr(error_text, "`n`") || strstr(error_text, "\"n\"")) q->no_samples = true;
    if (names_parameter(error_text, "stream") || names_parameter(error_text, "stream_options")) q->stream = false;
    int limit = strstr(error_text, "max_") ? limit_named(error_text) : 0;
    if (limit && (!before.most_tokens || limit < before.most_tokens))
        q->most_tokens = limit;
    else if (names_parameter(error_text, "max_completion_tokens") && names_parameter(error_text, "max_tokens"))
        q->completion_tokens = !before.completion_tokens;
    else if (names_parameter(error_text, before.completion_tokens ? "max_completion_tokens" : "max_tokens"))
        q->no_reply_tokens = true;
    return q->no_temperature != before.no_temperature || q->no_system != before.no_system ||
           q->no_samples != before.no_samples || q->stream != before.stream || strcmp(q->effort, before.effort) ||
           q->completion_tokens != before.completion_tokens || q->no_reply_tokens != before.no_reply_tokens ||
           q->most_tokens != before.most_tokens;
}
