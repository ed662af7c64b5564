/* The table over all problems, for the terminal and as Markdown. */
#include "cmd/suite.h"

#include <math.h>
#include <rg/file.h>
#include <string.h>

enum { COLUMNS = 8 };
static const char *const titles[COLUMNS] = {"problem",      "state", "kernel ms", "x naive",
                                            "x sequential", "evals", "seconds",   "steps, or why not"};

static void figure(char *to, size_t size, const char *fmt, double v)
{
    if (isfinite(v))
        snprintf(to, size, fmt, v);
    else
        snprintf(to, size, "-");
}

static void cells(const struct suite_row *r, char c[COLUMNS][700])
{
    bool run = r->exit >= 0;
    snprintf(c[0], 700, "%s", r->name);
    snprintf(c[1], 700, "%s", r->state);
    figure(c[2], 700, r->estimated ? "~%.4g" : "%.4g", r->best_ms);
    figure(c[3], 700, "%.2f", r->vs_naive);
    figure(c[4], 700, "%.1f", r->vs_sequential);
    snprintf(c[5], 700, run ? "%lld" : "-", (long long)r->evaluations);
    figure(c[6], 700, "%.0f", run ? r->seconds : (double)NAN);
    if (*r->reason)
        snprintf(c[7], 700, "exit %d: %s", r->exit, r->reason);
    else
        snprintf(c[7], 700, "%s", r->steps);
}

static int count(const struct suite_row *rows, int n, const char *state)
{
    int k = 0;
    for (int i = 0; i < n; i++) k += !strcmp(rows[i].state, state);
    return k;
}

static void totals(const struct suite_row *rows, int n, char *to, size_t size)
{
    snprintf(to, size, "%d problems: %d ok, %d not faster than the C, %d failed, %d stopped, %d not run", n,
             count(rows, n, "ok"), count(rows, n, "slower"), count(rows, n, "failed"), count(rows, n, "stopped"),
             count(rows, n, "open"));
}

static bool any_estimated(const struct suite_row *rows, int n)
{
    for (int i = 0; i < n; i++)
        if (rows[i].estimated) return true;
    return false;
}

void suite_table_print(const struct suite_row *rows, int n, FILE *to)
{
    char c[COLUMNS][700], text[200];
    int width[COLUMNS] = {0};
    for (int k = 0; k < COLUMNS; k++) width[k] = (int)strlen(titles[k]);
    for (int i = 0; i < n; i++) {
        cells(&rows[i], c);
        for (int k = 0; k < COLUMNS; k++)
            if ((int)strlen(c[k]) > width[k]) width[k] = (int)strlen(c[k]);
    }
    for (int i = -1; i < n; i++) {
        if (i >= 0) cells(&rows[i], c);
        for (int k = 0; k < COLUMNS; k++) {
            bool words = k < 2 || k == COLUMNS - 1;
            fprintf(to, "%s%*s", k ? "  " : "",
                    k == COLUMNS - 1 ? 0
                    : words          ? -width[k]
                                     : width[k],
                    i < 0 ? titles[k] : c[k]);
        }
        fputc('\n', to);
    }
    totals(rows, n, text, sizeof text);
    fprintf(to, "%s%s\n", text, any_estimated(rows, n) ? "; ~ is an estimate of a simulated device" : "");
}

/* In a cell of Markdown. */
static void cell(struct rg_buf *b, const char *text)
{
    rg_buf_str(b, " ");
    for (const char *p = text; *p; p++) {
        if (*p == '|' || *p == '<' || *p == '\\') rg_buf_char(b, '\\');
        rg_buf_char(b, *p);
    }
    rg_buf_str(b, " |");
}

enum rg_status suite_table_markdown(const char *path, const struct suite_row *rows, int n, struct rg_error *err)
{
    struct rg_buf b = RG_BUF_INIT;
    char c[COLUMNS][700], text[200];
    for (int i = -2; i < n; i++) {
        rg_buf_char(&b, '|');
        if (i >= 0) cells(&rows[i], c);
        for (int k = 0; k < COLUMNS; k++)
            cell(&b, i == -2 ? titles[k] : i == -1 ? (k < 2 || k == COLUMNS - 1 ? "---" : "---:") : c[k]);
        rg_buf_char(&b, '\n');
    }
    totals(rows, n, text, sizeof text);
    rg_buf_printf(&b, "\n%s.%s\n", text,
                  any_estimated(rows, n) ? " Times with ~ are estimates of a simulated device." : "");
    enum rg_status st = rg_file_write(path, b.data, b.len, err);
    rg_buf_release(&b);
    return st;
}
