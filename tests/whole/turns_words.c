#include <stdio.h>
#include <stdlib.h>
#include <string.h>
typedef struct { int *row, *next; int cap; } work_t;
static int distance(work_t *w, const char *a, int na, const char *b, int nb)
{
    for (int j = 0; j <= nb; j++) w->row[j] = j;
    for (int i = 0; i < na; i++) {
        w->next[0] = i + 1;
        for (int j = 0; j < nb; j++) {
            int sub = w->row[j] + (a[i] != b[j]);
            int del = w->row[j + 1] + 1, ins = w->next[j] + 1;
            int m = sub < del ? sub : del;
            w->next[j + 1] = m < ins ? m : ins;
        }
        int *t = w->row; w->row = w->next; w->next = t;
    }
    return w->row[nb];
}
void all_distances(const char *words, int n, int len, const char *key, int *out)
{
    work_t w;
    w.cap = len + 1;
    w.row = malloc(w.cap * sizeof(int));
    w.next = malloc(w.cap * sizeof(int));
    for (int k = 0; k < n; k++)
        out[k] = distance(&w, key, len, words + k * len, len);
    free(w.row);
    free(w.next);
}
int main(void)
{
    int n = 3000, len = 31, *out = malloc(n * sizeof(int));
    char *words = malloc(n * len), *key = malloc(len);
    for (int i = 0; i < n * len; i++) words[i] = 'a' + (i * 7919 + i / 13) % 11;
    for (int i = 0; i < len; i++) key[i] = 'a' + i % 5;
    all_distances(words, n, len, key, out);
    long s = 0; for (int i = 0; i < n; i++) s += out[i];
    printf("%ld\n", s);
    return 0;
}
