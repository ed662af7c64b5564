// Starts of rows move one place on, from the end: each reads what stood in front of it. want: parallel
#pragma regraph size(n=5000) size(n=67) size(n=2) size(n=1)
#include <stddef.h>
void shift_down(unsigned n, size_t *start)
{
    for (unsigned r = n; r > 0; r--) start[r] = start[r - 1];
    start[0] = 0;
}
