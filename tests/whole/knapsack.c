#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX(a, b) ((a) > (b) ? (a) : (b))

typedef struct {
    int weight;
    int value;
    int limit;
} item_t;

/* bounded knapsack with two rows */
int knapsack(const item_t *items, int n, int capacity, int *best_row)
{
    int *prev = (int *)calloc(capacity + 1, sizeof(int));
    int *cur = (int *)calloc(capacity + 1, sizeof(int));
    if (prev == NULL || cur == NULL) {
        fprintf(stderr, "out of memory\n");
        exit(1);
    }
    for (int i = 0; i < n; i++) {
        const item_t *it = &items[i];
        for (int c = 0; c <= capacity; c++) {
            int best = prev[c];
            for (int k = 1; k <= it->limit && k * it->weight <= c; k++)
                best = MAX(best, prev[c - k * it->weight] + k * it->value);
            cur[c] = best;
        }
        int *t = prev;
        prev = cur;
        cur = t;
    }
    memcpy(best_row, prev, (capacity + 1) * sizeof(int));
    int result = prev[capacity];
    free(prev);
    free(cur);
    return result;
}

int main(void)
{
    item_t items[40];
    for (int i = 0; i < 40; i++) {
        items[i].weight = 3 + (i * 7) % 23;
        items[i].value = 10 + (i * 13) % 37;
        items[i].limit = 1 + i % 3;
    }
    int row[1001];
    printf("%d\n", knapsack(items, 40, 1000, row));
    return 0;
}
