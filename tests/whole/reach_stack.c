/* What a garbage collector must keep: everything that can be reached from a root, marked with a stack. */
#include <stdio.h>
#include <stdlib.h>

long mark_live(int objects, int slots, const int *slot_of, const int *refers, const int *bytes, int root, char *live)
{
    int *todo = malloc(sizeof(int) * objects);
    int top = 0;
    long kept = 0;
    for (int i = 0; i < objects; i++) live[i] = 0;
    live[root] = 1;
    todo[top++] = root;
    while (top > 0) {
        int o = todo[--top];
        kept += bytes[o];
        for (int s = slot_of[o]; s < slot_of[o + 1]; s++)
            if (!live[refers[s]]) {
                live[refers[s]] = 1;
                todo[top++] = refers[s];
            }
    }
    free(todo);
    return kept;
}

int main(void)
{
    enum { N = 4000, K = 5 };
    int *slot = malloc((N + 1) * sizeof(int)), *refers = malloc(N * K * sizeof(int)), *bytes = malloc(N * sizeof(int));
    char *live = malloc(N);
    srand(9);
    for (int i = 0; i <= N; i++) slot[i] = i * K;
    for (int i = 0; i < N * K; i++) refers[i] = rand() % N;
    for (int i = 0; i < N; i++) bytes[i] = 16 + rand() % 100;
    printf("%ld\n", mark_live(N, N * K, slot, refers, bytes, 0, live));
    return 0;
}
