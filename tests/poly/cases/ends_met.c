// Both pointers walk and are written through, until they meet. want: sequential
void ends_met(int *first, int *last)
{
    while (first < last) {
        int t = *first;
        *first++ = *--last;
        *last = t;
    }
}
