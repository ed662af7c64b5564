/* Auction house: lowest ask per item, and which items were asked for at all.
   Input is a tape of (item, price) records, several sessions replay it with a fee. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Tape { size_t length; const unsigned *item; const long *price; } Tape;

/* returns the number of items that got their first ask from this tape */
int best_offers(const Tape *tape, unsigned n_items, long fee, long *lowest, unsigned char *asked, int *improved)
{
    int fresh = 0, better = 0;
    size_t i;
    for (i = 0; i < tape->length; ++i) {
        const unsigned it = tape->item[i];
        if (!asked[it]) {
            asked[it] = 1;
            fresh = fresh + 1;
        }
    }
    for (i = 0; i < tape->length; ++i) {
        const unsigned it = tape->item[i];
        const long offer = tape->price[i] + fee;
        if (offer < lowest[it]) {
            lowest[it] = offer;
            better = 1;
        }
    }
    *improved = better;
    return fresh;
}

int main(void)
{
    enum { N = 1000, ITEMS = 50 };
    unsigned item[N];
    long price[N], lowest[ITEMS];
    unsigned char asked[ITEMS];
    memset(asked, 0, sizeof asked);
    for (int i = 0; i < ITEMS; i++) lowest[i] = 1000000;
    for (int i = 0; i < N; i++) { item[i] = rand() % ITEMS; price[i] = rand() % 5000; }
    Tape t = { N, item, price };
    int improved, fresh = best_offers(&t, ITEMS, 3, lowest, asked, &improved);
    printf("%d %d\n", fresh, improved);
    return 0;
}
