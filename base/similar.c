#include <ctype.h>
#include <rg/similar.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { MOST = 63 };

static int least(int a, int b)
{
    return a < b ? a : b;
}

int rg_edit_distance(const char *a, const char *b)
{
    int n = (int)strnlen(a, MOST), m = (int)strnlen(b, MOST), rows[3][MOST + 1];
    int *before = rows[0], *last = rows[1], *now = rows[2];
    for (int k = 0; k <= m; k++) last[k] = k;
    for (int i = 1; i <= n; i++) {
        now[0] = i;
        for (int k = 1; k <= m; k++) {
            int x = tolower((unsigned char)a[i - 1]), y = tolower((unsigned char)b[k - 1]);
            now[k] = least(least(last[k], now[k - 1]) + 1, last[k - 1] + (x != y));
            if (i > 1 && k > 1 && x == tolower((unsigned char)b[k - 2]) && y == tolower((unsigned char)a[i - 2]))
                now[k] = least(now[k], before[k - 2] + 1);
        }
        int *free_row = before;
        before = last;
        last = now;
        now = free_row;
    }
    return last[m];
}

const char *rg_similar(const char *word, const char *const *known, int n)
{
    size_t len = strlen(word);
    int most = len < 2 ? 0 : len < 6 ? 1 : (int)(len / 3), best = most + 1;
    const char *found = NULL;
    for (int i = 0; i < n; i++) {
        int d = known[i] ? rg_edit_distance(word, known[i]) : best;
        if (d < best) best = d, found = known[i];
    }
    for (int i = 0; i < n && !found && len >= 3; i++) {
        size_t all = known[i] ? strlen(known[i]) : 0;
        if (all > len && (!strncasecmp(known[i], word, len) || !strcasecmp(known[i] + all - len, word)))
            found = known[i];
    }
    return found;
}

const char *rg_did_you_mean(const char *word, const char *const *known, int n, char out[160])
{
    const char *near = rg_similar(word, known, n);
    out[0] = 0;
    if (near) snprintf(out, 160, "; did you mean '%.120s'?", near);
    return out;
}
