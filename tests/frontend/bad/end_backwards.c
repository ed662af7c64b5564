// expect: the extent of
/* the pointer that goes down starts at the end: the other is no end of it */
void backwards(int n, const int *start, const int *at, int *out)
{
    while (at != start) *out++ = *--at;
}
