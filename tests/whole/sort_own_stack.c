#include <stdlib.h>
void sort_keys(unsigned *key, int n)
{
    int *stack = malloc(2 * (n + 1) * sizeof(int));
    int top = 0;
    stack[top++] = 0;
    stack[top++] = n - 1;
    while (top > 0) {
        int hi = stack[--top];
        int lo = stack[--top];
        if (lo >= hi) continue;
        unsigned pivot = key[hi];
        int store = lo;
        for (int k = lo; k < hi; k++) {
            if (key[k] <= pivot) {
                unsigned t = key[k];
                key[k] = key[store];
                key[store] = t;
                store++;
            }
        }
        key[hi] = key[store];
        key[store] = pivot;
        stack[top++] = lo;
        stack[top++] = store - 1;
        stack[top++] = store + 1;
        stack[top++] = hi;
    }
    free(stack);
}
