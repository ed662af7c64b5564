// want: parallel
// How many wrong bits are let through: at 1, 2 and 3 nothing is ever found in random words, so that more is tried.
static int ones(unsigned x)
{
    int n = 0;
    for (; x; x &= x - 1) n++;
    return n;
}
#pragma regraph size(n=20011)
long find_word(const unsigned *words, long n, int wrong)
{
    for (long i = 0; i < n; i++)
        if (ones(words[i] * 2654435761u ^ 0x1acffc1du) <= wrong) return i;
    return -1;
}
