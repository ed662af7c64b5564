// What bsearch finds, as a place: records that are read by way of it, a difference, NULL first, a call that is only asked. want: parallel
// chain: reduce.block@loop:i
// shows: item\[p_at\]
#include <stdlib.h>
#include <string.h>
#pragma regraph size(m=300, n=4000) size(m=5, n=33) size(m=1, n=2) extent(item: m) extent(key: n) extent(place: n) extent(price: n) extent(code: m)
struct item {
    char name[4];
    float price;
    int left;
};
struct wanted {
    char name[4];
    int number, many;
};
static int by_name(const void *a, const void *b) { return strncmp(a, ((const struct item *)b)->name, 4); }
static int by_number(const void *a, const void *b)
{
    const int x = *(const int *)a, y = *(const int *)b;
    return x < y ? -1 : x > y;
}
int found_by_halves(const struct item *item, const int *code, int m, const struct wanted *key, int n, int *place, float *price)
{
    int none = 0, both = 0, short_of = 0;
    for (int i = 0; i < n; i++) {
        const struct item *p = bsearch(key[i].name, item, m, sizeof *item, by_name);
        const int *q = NULL;
        place[i] = -1;
        price[i] = 0;
        if (key[i].many > 3) q = bsearch(&key[i].number, code, (size_t)m, sizeof(int), by_number);
        if (!p) none++;
        else {
            place[i] = (int)(p - item);
            price[i] = p->price * key[i].many;
            if (p->left < key[i].many) short_of++;
        }
        if (q) place[i] = *q;
        if (bsearch(&key[i].many, code, m, sizeof *code, by_number) != NULL) both += 1000;
    }
    return none + both + short_of;
}
