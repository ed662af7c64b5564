/* edit distances between all pairs of a word list, rows of the table allocated once */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define MAXW 32
static int min3(int a, int b, int c) { int m = a < b ? a : b; return m < c ? m : c; }
void all_pairs(const char words[][MAXW], const int *len, int n, int *dist)
{
    int *prev = malloc((MAXW + 1) * sizeof(int)), *cur = malloc((MAXW + 1) * sizeof(int));
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++) {
            for (int j = 0; j <= MAXW; j++) prev[j] = j;
            for (int i = 1; i <= len[a]; i++) {
                cur[0] = i;
                for (int j = 1; j <= len[b]; j++) {
                    int sub = prev[j - 1] + (words[a][i - 1] != words[b][j - 1]);
                    cur[j] = min3(prev[j] + 1, cur[j - 1] + 1, sub);
                }
                for (int j = 0; j <= len[b]; j++) prev[j] = cur[j];
            }
            dist[a * n + b] = prev[len[b]];
        }
    free(prev);
    free(cur);
}
int main(void)
{
    int n = 100;
    char (*w)[MAXW] = calloc(n, MAXW);
    int *l = malloc(n * sizeof *l), *d = malloc(n * n * sizeof *d);
    for (int i = 0; i < n; i++) { l[i] = 5 + i % 20; for (int j = 0; j < l[i]; j++) w[i][j] = 'a' + (i * 7 + j * j) % 26; }
    all_pairs(w, l, n, d);
    printf("%d\n", d[5]);
    return 0;
}
