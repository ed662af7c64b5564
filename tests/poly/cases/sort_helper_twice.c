// A sort compares by what loops call, too, and by tables of the file: each function is there once. want: parallel
#include <stdlib.h>
#include <string.h>
typedef struct item {
    char tag[4];
    int w;
} Item;
static const int bias[4] = {5, -3, 8, 0};
static int value(int w)
{
    return w * 3 % 17 + bias[w & 3];
}
static int class_of(char c)
{
    const char *vowels = "aeiou";
    return strchr(vowels, c) && c ? 2 : c == 'z';
}
static int compare(const void *a, const void *b)
{
    const Item *x = a, *y = b;
    int d = value(x->w) - value(y->w);
    if (!d) d = class_of(x->tag[0]) - class_of(y->tag[0]);
    return d ? d : (x->w > y->w) - (x->w < y->w);
}

#pragma regraph size(n=3000) size(n=1) size(n=37) input(it.w: uniform(0, 999)) input(it.tag: uniform(97, 122))
void places(Item *it, int n, int *restrict o)
{
    for (int i = 0; i < n; i++) o[i] = value(it[i].w) + class_of(it[i].tag[0]);
    qsort(it, n, sizeof *it, compare);
    for (int i = 0; i < n; i++) o[i] += value(it[i].w) * class_of(it[i].tag[0]);
}
