// Runs of like elements, from pointer to pointer. want: sequential
#pragma regraph extent(first: first.count)
#include <stddef.h>
struct run {
    int value;
    size_t start, length;
};
size_t ends_runs(const int *first, const int *last, struct run *runs, size_t cap)
{
    size_t n = 0;
    const int *p = first;
    while (p != last) {
        const int *q = p + 1;
        while (q != last && *q == *p) ++q;
        if (n < cap) {
            runs[n].value = *p;
            runs[n].start = (size_t)(p - first);
            runs[n].length = (size_t)(q - p);
        }
        ++n;
        p = q;
    }
    return n;
}
