/* sort_orders - order lines of a ledger put together by customer, in the order in which they came */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>


/* start[c] .. start[c + 1]: the lines of customer c */
int by_customer(int customers, int lines, const int *customer, const int *item, const float *amount, int *start,
                int *item_by, float *amount_by)
{
    int *at = calloc(customers + 1, sizeof(int));
    int i, c;

    if (at == NULL)
        return 0;
    for (i = 0; i < lines; ++i)
        at[customer[i] + 1]++;
    for (c = 0; c < customers; ++c)
        at[c + 1] += at[c];
    memcpy(start, at, (customers + 1) * sizeof(int));
    for (i = 0; i < lines; ++i) {
        int to = at[customer[i]]++;
        item_by[to] = item[i];
        amount_by[to] = amount[i];
    }
    free(at);
    return 1;
}

int main(void)
{
    enum { C = 100, L = 2000 };
    static int customer[L], item[L], start[C + 1], item_by[L];
    static float amount[L], amount_by[L];
    int i;
    for (i = 0; i < L; ++i) {
        customer[i] = i * 37 % C;
        item[i] = i;
        amount[i] = i % 13 * 0.5f;
    }
    if (!by_customer(C, L, customer, item, amount, start, item_by, amount_by))
        return 1;
    printf("%d %d\n", start[1], item_by[start[1]]);
    return 0;
}
