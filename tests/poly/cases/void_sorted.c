// A void pointer that qsort alone reads: its elements are what the order compares. want: parallel
#include <stddef.h>
#include <stdlib.h>
#pragma regraph size(n=5000) size(n=1) size(n=77)
static int compare(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

void sort(void *base, size_t n) { qsort(base, n, sizeof(float), compare); }
