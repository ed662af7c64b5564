// Words listed with where they start and how long they are; the last one may be none. want: parallel
#pragma regraph extent(first: n) extent(length: n) size(n=5000) size(n=67) size(n=2) size(n=1)
#include <ctype.h>
int words_listed(const char *t, int n, int *first, int *length)
{
    int k = 0, i = 0;
    while (i < n) {
        while (i < n && isspace((unsigned char)t[i])) i++;
        int start = i;
        while (i < n && !isspace((unsigned char)t[i])) i++;
        if (i > start) {
            first[k] = start;
            length[k] = i - start;
            k++;
        }
    }
    return k;
}
