/* Infection in rounds: who falls ill on which day, and how many each day at most; two lists take turns. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEALTHY 1000000000

void outbreak(int people, int contacts, const int *first, const int *meets, const unsigned char *immune, int zero,
              int *day, int *worst, int *days)
{
    int *ill = malloc(people * sizeof *ill), *next = malloc(people * sizeof *next), n_ill = 1, today = 0, peak = 1;

    for (int i = 0; i < people; ++i) day[i] = HEALTHY;
    ill[0] = zero;
    day[zero] = 0;
    while (n_ill) {
        int n_next = 0;
        ++today;
        for (int i = 0; i < n_ill; ++i) {
            const int who = ill[i];
            for (int k = first[who]; k < first[who + 1]; ++k) {
                const int other = meets[k];
                if (day[other] == HEALTHY && !immune[other]) {
                    day[other] = today;
                    next[n_next++] = other;
                }
            }
        }
        int *swap = ill;
        ill = next;
        next = swap;
        n_ill = n_next;
        if (n_ill > peak) peak = n_ill;
    }
    *worst = peak;
    *days = today;
    free(ill);
    free(next);
}

int main(void)
{
    enum { N = 3000, K = 6 };
    int *first = malloc((N + 1) * sizeof(int)), *meets = malloc(N * K * sizeof(int)), *day = malloc(N * sizeof(int));
    unsigned char *immune = calloc(N, 1);
    int worst, days;
    srand(5);
    for (int i = 0; i <= N; i++) first[i] = i * K;
    for (int i = 0; i < N * K; i++) meets[i] = rand() % N;
    for (int i = 0; i < N; i++) immune[i] = rand() % 10 == 0;
    outbreak(N, N * K, first, meets, immune, 0, day, &worst, &days);
    printf("%d %d\n", worst, days);
    return 0;
}
