/* Mergesort as the function itself, top down, with scratch of each call. */
#include <stdlib.h>
#include <string.h>

struct score {
    int points;
    int player;
};

void by_points(struct score *s, int n)
{
    if (n < 2) return;
    int half = n / 2;
    by_points(s, half);
    by_points(s + half, n - half);
    struct score *t = malloc(n * sizeof *t);
    int i = 0, j = half, k = 0;
    while (i < half && j < n) t[k++] = s[j].points > s[i].points ? s[j++] : s[i++];
    while (i < half) t[k++] = s[i++];
    while (j < n) t[k++] = s[j++];
    memcpy(s, t, n * sizeof *t);
    free(t);
}
