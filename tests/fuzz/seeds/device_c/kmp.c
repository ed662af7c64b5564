/* all places of a pattern in a text; Knuth, Morris, Pratt */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void failure_table(const char *pat, int m, int *fail)
{
    int k = 0;
    fail[0] = 0;
    for (int i = 1; i < m; i++) {
        while (k > 0 && pat[k] != pat[i]) k = fail[k - 1];
        if (pat[k] == pat[i]) k++;
        fail[i] = k;
    }
}

int find_all(const char *text, const char *pat, int *positions, int max_positions)
{
    int n = strlen(text), m = strlen(pat), found = 0;
    if (m == 0 || m > n) return 0;
    int *fail = malloc(m * sizeof(int));
    failure_table(pat, m, fail);
    for (int i = 0, k = 0; i < n; i++) {
        while (k > 0 && pat[k] != text[i]) k = fail[k - 1];
        if (pat[k] == text[i]) k++;
        if (k == m) {
            if (found < max_positions) positions[found] = i - m + 1;
            found++;
            k = fail[k - 1];
        }
    }
    free(fail);
    return found;
}

int main(int argc, char **argv)
{
    int pos[16];
    int n = find_all("abababcabab", "abab", pos, 16);
    for (int i = 0; i < n && i < 16; i++) printf("%d ", pos[i]);
    printf("\n");
    return 0;
}
