// Runs of at most 255, the end of which may wrap around in front of where it begins. want: sequential
#pragma regraph extent(s: n) extent(length: n)
unsigned runs_wrap_not(const unsigned char *s, unsigned n, unsigned char *length)
{
    unsigned o = 0, i = 0;
    while (i < n) {
        unsigned char c = s[i];
        unsigned j = i + 1;
        while (j < n && s[j] == c && j < i + 255) j++;
        length[o++] = (unsigned char)(j - i);
        i = j;
    }
    return o;
}
