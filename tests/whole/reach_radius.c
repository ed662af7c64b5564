/* reach_radius - who hears of a message, after how many relays, and how far the last one is */
#include <stdio.h>
#include <stdlib.h>

/* relays[v]: how often the message is handed on before v has it; -1: never.  Returns the most. */
int spread(int people, int pairs, const int *first, const int *friend_of, int origin, int *relays)
{
    int *waiting = malloc(people * sizeof *waiting);
    int next = 0, end = 0, radius = 0;

    (void)pairs;
    if (!waiting)
        return -1;
    for (int v = 0; v < people; v++)
        relays[v] = -1;
    relays[origin] = 0;
    waiting[end++] = origin;
    while (next < end) {
        int teller = waiting[next++];
        for (int k = first[teller]; k < first[teller + 1]; k++) {
            int other = friend_of[k];
            if (relays[other] >= 0)
                continue;
            relays[other] = relays[teller] + 1;
            if (radius < relays[other])
                radius = relays[other];
            waiting[end++] = other;
        }
    }
    free(waiting);
    return radius;
}

int main(void)
{
    enum { N = 2000, K = 3 };
    int *first = malloc((N + 1) * sizeof *first), *friend_of = malloc(N * K * sizeof *friend_of),
        *relays = malloc(N * sizeof *relays);
    if (!first || !friend_of || !relays)
        return 1;
    for (int i = 0; i <= N; i++)
        first[i] = i * K;
    for (int i = 0; i < N * K; i++)
        friend_of[i] = (i * 7919 + 13) % N;
    printf("%d\n", spread(N, N * K, first, friend_of, 0, relays));
    free(first);
    free(friend_of);
    free(relays);
    return 0;
}
