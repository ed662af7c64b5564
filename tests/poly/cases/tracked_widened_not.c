// What is compared is widened without its sign, what is kept with it. want: sequential
#pragma regraph extent(key                                                                                             \
                       : n) extent(out                                                                                 \
                                   : n) size(n = 1000) input(key                                                       \
                                                             : uniform(-3, 3)) input(start                             \
                                                                                     : constant(4294967295))
long tracked_widened_not(const int *key, long *out, int n, long start)
{
    long cur = start;
    for (int i = 0; i < n; i++) {
        if (cur != (long)(unsigned)key[i]) {
            cur = key[i];
        }
        out[i] = cur;
    }
    return cur;
}
