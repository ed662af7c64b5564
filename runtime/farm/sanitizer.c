#include "runtime/farm/sanitizer.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char mark[] = "========= ";

static bool begins(const char *line, const char *word)
{
    return !strncmp(line, word, strlen(word));
}

/* " 3 errors" -> 3; -1: no number. */
static int64_t number(const char *at)
{
    char *end;
    long long n = strtoll(at, &end, 10);
    return end == at || n < 0 ? -1 : n;
}

/* "RACECHECK SUMMARY: 2 hazards displayed (1 error, 1 warning)": the errors, or all where they are not told apart. */
static int64_t hazards(const char *at)
{
    const char *open = strchr(at, '(');
    int64_t n = open && strstr(open, "error") ? number(open + 1) : -1;
    return n >= 0 ? n : number(at);
}

static void append(char *to, size_t size, const char *line)
{
    size_t n = strlen(to);
    while (*line == ' ') line++;
    if (n + 2 < size) snprintf(to + n, size - n, "%s%s", n ? " " : "", line);
}

struct reading {
    struct rg_sanitizer_result *out;
    bool inside; /* of the first complaint of the kernel's */
};

static void read_line(struct reading *r, const char *line)
{
    struct rg_sanitizer_result *out = r->out;
    const char *sum;
    int64_t n = -1;
    if ((sum = strstr(line, "RACECHECK SUMMARY:")))
        n = hazards(sum + 18);
    else if ((sum = strstr(line, "ERROR SUMMARY:")))
        n = number(sum + 14);
    if (n >= 0) {
        out->summed = true;
        out->errors = n < INT64_MAX - out->errors ? out->errors + n : INT64_MAX;
        r->inside = false;
        return;
    }
    if (!*line || begins(line, "COMPUTE-SANITIZER")) {
        r->inside = false;
        return;
    }
    if (r->inside) {
        bool indented = *line == ' ', trace = strstr(line, "Saved host backtrace") || strstr(line, "Host Frame");
        if (indented && !trace)
            append(out->first, sizeof out->first, line);
        else
            r->inside = false;
        return;
    }
    bool kernel = begins(line, "Invalid ") || begins(line, "Misaligned ") || begins(line, "Out-of-range ") ||
                  begins(line, "Error: Race reported") || begins(line, "Error: Potential") ||
                  begins(line, "Stack overflow") || begins(line, "Unused ");
    if (kernel && !out->first[0]) {
        append(out->first, sizeof out->first, begins(line, "Error: ") ? line + 7 : line);
        r->inside = true;
    } else if (!kernel && !out->complaint[0] && *line != ' ' &&
               (begins(line, "Error") || begins(line, "Internal") || begins(line, "Target application") ||
                begins(line, "Unable") || strstr(line, "not supported"))) {
        append(out->complaint, sizeof out->complaint, line);
    }
}

void rg__sanitizer_parse(const char *text, size_t len, struct rg_sanitizer_result *out)
{
    char line[400];
    struct reading r = {.out = out};
    memset(out, 0, sizeof *out);
    for (size_t at = 0; at < len;) {
        const char *end = memchr(text + at, '\n', len - at);
        size_t n = end ? (size_t)(end - text) - at : len - at, from = at;
        at += n + 1;
        if (n < sizeof mark - 2 || strncmp(text + from, mark, sizeof mark - 2))
            continue; /* what the worker itself printed */
        size_t skip = n >= sizeof mark - 1 ? sizeof mark - 1 : n, kept = 0;
        for (size_t i = skip; i < n && kept + 1 < sizeof line; i++) {
            char ch = text[from + i];
            line[kept++] = (unsigned char)ch < ' ' || (unsigned char)ch == 127 ? ' ' : ch;
        }
        while (kept && line[kept - 1] == ' ') kept--;
        line[kept] = 0;
        read_line(&r, line);
    }
}
