/* What the prompts say of earlier attempts: errors with the lines that they name, the last code, advice. */
#include "llm.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ERROR = 300, OF_END = 80, SHOWN_ATTEMPTS = 2, SHOWN_LINES = 4, MAX_LINE = 160, MAX_PLAN_ERRORS = 1000 };

static bool is_error_line(const char *s, size_t n)
{
    static const char *const words[] = {"error", "Error", "ERROR"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (n >= strlen(words[i]) && memmem(s, n, words[i], strlen(words[i]))) return true;
    return false;
}

void rg__short_error(struct rg_buf *out, const char *message, size_t max)
{
    const char *start = message;
    for (const char *s = message; *s;) {
        size_t n = strcspn(s, "\n");
        if (is_error_line(s, n)) {
            start = s;
            break;
        }
        s += n + (s[n] == '\n');
    }
    while (isspace((unsigned char)*start)) start++;
    size_t n = 0;
    for (const char *s = start; *s;) { /* whole lines, the first at any length; a second error is for next time */
        size_t line = strcspn(s, "\n");
        if (s != start && (n + line + 1 > max || is_error_line(s, line))) break;
        s += line + (s[line] == '\n');
        n = (size_t)(s - start);
        if (n >= max) break;
    }
    while (n && isspace((unsigned char)start[n - 1])) n--;
    /* of a line that is too long both ends: what happened, and at which sizes */
    size_t end = n > max && max > 3 * OF_END ? OF_END : 0, head = n > max ? max - end : n;
    char *clean = rg__clean_text(start, head), *tail = rg__clean_text(start + n - end, end);
    rg_buf_printf(out, "%s%s%s", clean, end ? " ... " : "", tail);
    free(clean);
    free(tail);
}

/* What to do about each kind of failure. A barrier that some threads skip counts as a race, and is named by what is
 * said of it. */
static const char *advice(const struct rg_attempt *a)
{
    switch (a->outcome) {
    case RG_OUTCOME_COMPILE:
        return "Repair the compile error at that line and keep the rest.";
    case RG_OUTCOME_PLAN:
        return "Repair the plan: names, number, order and types of arguments must be those of the kernels.";
    case RG_OUTCOME_WRONG:
        return "The result differs from the C function. Where the first wrong element lies says much: at the start or "
               "everywhere the "
               "formula, at the end the guard of the last block, here and there a missing barrier or initialisation.";
    case RG_OUTCOME_RACE:
        if (a->message && strstr(a->message, ": a barrier "))
            return "Every thread of the block must come to a barrier: take it out of the branch or the loop that some "
                   "leave, and guard only the accesses.";
        return "Two threads touch that element without order: an atomic, a barrier that all threads of the block "
               "reach, or another launch between them.";
    case RG_OUTCOME_BOUNDS:
        return "Guard that access: the sizes are rarely multiples of the block.";
    case RG_OUTCOME_TIMEOUT:
        return "It does not end: look at loop conditions, at barriers in branches and at waiting for other blocks.";
    case RG_OUTCOME_CRASH:
        return "It traps: a grid-wide sync needs a [cooperative] launch; else look at alignment of vector accesses, at "
               "null pointers and at the stack.";
    case RG_OUTCOME_UNSUPPORTED:
        return "Do without what this device lacks.";
    case RG_OUTCOME_OK:
        return "It is right but not faster than what it started from: apply the step in another way.";
    case RG_OUTCOME_PRUNED:  /* no attempt is told of it */
    case RG_OUTCOME_REFUSED: /* it is closed */
    case RG_OUTCOME_SUSPECT:
    case RG_N_OUTCOMES:
        break;
    }
    return NULL;
}

/* The line `number` of a text, without its indentation. */
static const char *line_of(const char *text, long number, size_t *n)
{
    while (text && --number > 0 && (text = strchr(text, '\n'))) text++;
    if (!text || number < 0) return NULL;
    while (*text == ' ' || *text == '\t') text++;
    *n = strcspn(text, "\n");
    return *n ? text : NULL;
}

/* A message about a plan in front of which a line with constants of the device code was put names its lines from 2 on:
 * those of the plan as the model wrote it. */
static void renumber(struct rg_buf *out, const char *message, int by)
{
    static const char mark[] = "plan:";
    const char *from = message;
    for (const char *at; by && (at = strstr(from, mark));) {
        char *end;
        at += sizeof mark - 1;
        long line = strtol(at, &end, 10);
        rg_buf_add(out, from, (size_t)(at - from));
        if (end > at && *end == ':' && line > by)
            rg_buf_printf(out, "%ld", line - by);
        else
            rg_buf_add(out, at, (size_t)(end - at));
        from = end;
    }
    rg_buf_str(out, from);
}

/* What stands in the lines that a message names: "plan:3:7: ..." those of the plan, "... line 12" those of the code. */
static void quote_lines(struct rg_buf *out, const struct rg_attempt *a, const char *bare, const char *message)
{
    bool plan = a->outcome == RG_OUTCOME_PLAN;
    const char *mark = plan ? "plan:" : "line ", *text = plan ? bare : a->cuda;
    long seen[SHOWN_LINES];
    int n_seen = 0;
    if (a->outcome == RG_OUTCOME_COMPILE) return; /* the compiler quotes by itself */
    for (const char *at = message; n_seen < SHOWN_LINES && (at = strstr(at, mark)); at++) {
        char *end;
        long number = strtol(at + strlen(mark), &end, 10);
        size_t n = 0;
        const char *line = end > at + strlen(mark) ? line_of(text, number, &n) : NULL;
        bool again = false;
        for (int i = 0; i < n_seen; i++) again |= seen[i] == number;
        if (!line || again) continue;
        seen[n_seen++] = number;
        char *clean = rg__clean_text(line, n < MAX_LINE ? n : MAX_LINE);
        rg_buf_printf(out, "\n    line %ld: %s", number, clean);
        free(clean);
    }
}

/* What became of an attempt, and the lines that its message names. */
static void attempt_text(struct rg_buf *out, const struct rg_attempt *a)
{
    rg_buf_str(out, a->outcome == RG_OUTCOME_OK ? "slower" : rg_outcome_word(a->outcome));
    if (!a->message || !*a->message) return;
    rg_buf_str(out, ": ");
    char *bare = a->plan ? rg__plan_bare(a->plan) : NULL;
    struct rg_buf told = RG_BUF_INIT, brief = RG_BUF_INIT;
    renumber(&told, a->message, bare && strcmp(bare, a->plan) ? 1 : 0);
    rg__short_error(&brief, told.data, a->outcome == RG_OUTCOME_PLAN ? MAX_PLAN_ERRORS : MAX_ERROR);
    /* indented: no line of a foreign message can look like a heading or a fence of ours */
    for (const char *c = brief.data; *c; c++) rg_buf_str(out, *c == '\n' ? "\n    " : (char[]){*c, 0});
    quote_lines(out, a, bare, brief.data);
    rg_buf_release(&brief);
    rg_buf_release(&told);
    free(bare);
}

void rg__describe_attempts(struct rg_buf *out, const struct rg__prompts *prompts, const struct rg_hint *hint,
                           enum rg__request_cut cut)
{
    if (!hint || hint->n_attempts <= 0) return;
    struct rg_buf errors = RG_BUF_INIT, before = RG_BUF_INIT;
    int shown = cut >= RG__REQUEST_ONE_ERROR ? 1 : SHOWN_ATTEMPTS;
    int first = hint->n_attempts > shown ? hint->n_attempts - shown : 0;
    for (int i = first; i < hint->n_attempts; i++) {
        const struct rg_attempt *a = &hint->attempts[i];
        struct rg_buf one = RG_BUF_INIT;
        attempt_text(&one, a);
        if (i > first && !strcmp(one.data, before.data))
            rg_buf_str(&errors, "\n- the same once more");
        else
            rg_buf_printf(&errors, "%s- %s", i > first ? "\n" : "", one.data);
        rg_buf_release(&before);
        before = one;
    }
    rg_buf_release(&before);
    const struct rg_attempt *last = &hint->attempts[hint->n_attempts - 1];
    bool code = cut < RG__REQUEST_NO_ATTEMPT;
    char *bare = code && last->plan ? rg__plan_bare(last->plan) : NULL,
         *cuda = rg__fenced_text("cuda", code ? last->cuda : NULL), *plan = rg__fenced_text("plan", bare);
    free(bare);
    const struct rg__var vars[] = {{"errors", errors.data}, {"cuda", cuda}, {"plan", plan}, {"advice", advice(last)}};
    rg__prompt_expand(out, prompts->text[RG__PROMPT_ATTEMPTS], vars, sizeof vars / sizeof *vars);
    free(cuda);
    free(plan);
    rg_buf_release(&errors);
}

int rg__repeated_errors(const struct rg_hint *hint)
{
    if (!hint || hint->n_attempts <= 0) return 0;
    const struct rg_attempt *last = &hint->attempts[hint->n_attempts - 1];
    struct rg_buf a = RG_BUF_INIT, b = RG_BUF_INIT;
    rg__short_error(&a, last->message ? last->message : "", MAX_ERROR);
    int n = 1;
    for (int i = hint->n_attempts - 2; i >= 0; i--, n++) {
        rg_buf_reset(&b);
        rg__short_error(&b, hint->attempts[i].message ? hint->attempts[i].message : "", MAX_ERROR);
        if (hint->attempts[i].outcome != last->outcome || strcmp(a.data, b.data)) break;
    }
    rg_buf_release(&a);
    rg_buf_release(&b);
    return n;
}
