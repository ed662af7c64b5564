/* A reply's text before any code is looked for: thinking, channels and marks of chat templates, quoting, characters of
 * word processors, JSON around, fences that share a line with code. */
#include "llm.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_TEXT = 8 << 20, MAX_VISIBLE = 256 << 10 };

char *rg__reply_visible(const char *text, size_t len, size_t *out_len, bool *cut_inside)
{
    *cut_inside = false;
    if (len > MAX_TEXT) len = MAX_TEXT;
    char *s = rg_xmalloc(len + 1);
    size_t n = 0;
    for (size_t i = 0; i < len; i++) {
        if (text[i] == '\0') continue;
        if (text[i] == '\r') {
            if (i + 1 < len && text[i + 1] == '\n') continue;
            s[n++] = '\n';
        } else {
            s[n++] = text[i];
        }
    }
    s[n] = '\0';
    /* Channels and end marks that a server's chat template should have taken out. */
    static const char final[] = "<|channel|>final<|message|>";
    for (char *at; (at = strstr(s, final));) {
        size_t drop = (size_t)(at - s) + sizeof final - 1;
        memmove(s, s + drop, n - drop + 1);
        n -= drop;
    }
    static const char *const ends[] = {"<|return|>", "<|im_end|>", "<|eot_id|>", "<|end|>", "<|endoftext|>", "</s>"};
    for (size_t k = 0; k < sizeof ends / sizeof *ends; k++) {
        char *at = strstr(s, ends[k]);
        if (!at) continue;
        n = (size_t)(at - s);
        s[n] = '\0';
    }
    static const char *const tags[] = {"think", "thinking", "reasoning", "thought"};
    for (size_t k = 0; k < sizeof tags / sizeof *tags; k++) {
        char open[24], close[24];
        snprintf(open, sizeof open, "<%s>", tags[k]);
        snprintf(close, sizeof close, "</%s>", tags[k]);
        for (int round = 0; round < 64; round++) {
            char *o = strcasestr(s, open), *c = strcasestr(s, close);
            if (!o && !c) break;
            if (c && (!o || c < o)) { /* opened in the prompt template: everything before belongs to it */
                size_t drop = (size_t)(c - s) + strlen(close);
                memmove(s, s + drop, n - drop + 1);
                n -= drop;
            } else if (!c) {
                n = (size_t)(o - s);
                s[n] = '\0';
                *cut_inside = true;
            } else {
                char *rest = c + strlen(close);
                memmove(o, rest, n - (size_t)(rest - s) + 1);
                n -= (size_t)(rest - o);
            }
        }
    }
    if (n > MAX_VISIBLE) { /* what counts comes last */
        memmove(s, s + n - MAX_VISIBLE, MAX_VISIBLE + 1);
        n = MAX_VISIBLE;
    }
    *out_len = n;
    return s;
}

/* A reply quoted as a whole, mail-style: no line of code begins with '>'. */
static void unquote(char *s, size_t *n)
{
    bool quoted = !strncmp(s, "> ```", 5) || strstr(s, "\n> ```");
    if (!quoted) return;
    size_t w = 0;
    bool line_start = true;
    for (size_t i = 0; i < *n; i++) {
        if (line_start && s[i] == '>') {
            if (i + 1 < *n && s[i + 1] == ' ') i++;
            line_start = false;
            continue;
        }
        line_start = s[i] == '\n';
        s[w++] = s[i];
    }
    s[w] = '\0';
    *n = w;
}

/* A closing fence at the end of the last line of code gets a line of its own. Takes s. */
static char *own_line_fences(char *s)
{
    struct rg_buf out = RG_BUF_INIT;
    for (const char *line = s; *line;) {
        size_t len = strcspn(line, "\n"), n = len;
        while (n && isspace((unsigned char)line[n - 1])) n--;
        size_t text = n > 3 && !memcmp(line + n - 3, "```", 3) ? n - 3 : 0;
        while (text && isblank((unsigned char)line[text - 1])) text--;
        if (text && (line[text - 1] == ';' || line[text - 1] == '}' || line[text - 1] == ')') &&
            !memmem(line, text, "```", 3)) {
            rg_buf_add(&out, line, text);
            rg_buf_str(&out, "\n```");
        } else {
            rg_buf_add(&out, line, len);
        }
        line += len;
        if (*line) rg_buf_char(&out, *line++);
    }
    free(s);
    return rg_buf_steal(&out);
}

char *rg__reply_prepare(const char *text, size_t len, bool *cut_inside, int *counts)
{
    size_t n;
    char *s = rg__reply_visible(text, len, &n, cut_inside);
    unquote(s, &n);
    char *mended = rg__fix_characters(s, n, counts);
    free(s);
    char *unpacked = rg__reply_from_json(mended, strlen(mended));
    if (unpacked) free(mended);
    return own_line_fences(unpacked ? unpacked : mended);
}
