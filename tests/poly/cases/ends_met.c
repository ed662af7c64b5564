// Both pointers walk and are written through, until they meet. want: parallel
#pragma regraph extent(first: first.count)
void ends_met(int *first, int *last)
{
    while (first < last) {
        int t = *first;
        *first++ = *--last;
        *last = t;
    }
}
