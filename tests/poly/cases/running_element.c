// want: parallel
/* The deepest so far is an element of the caller's: a scalar of its own beside the depth. */
#include <stddef.h>
#pragma regraph size(len=5000) size(len=1) size(len=2) size(len=700)
#pragma regraph input(text: uniform(38, 43))
int running_element(const char *text, size_t len, int *depth, int *deepest, long *least)
{
    int d = 0;
    *deepest = 0;
    for (size_t i = 0; i < len; i++) {
        if (text[i] == '(') {
            if (++d > *deepest) *deepest = d;
        } else if (text[i] == ')') {
            --d;
            if (d < *least) *least = d;
        }
        depth[i] = d;
    }
    return d != 0;
}
