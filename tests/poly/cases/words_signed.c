// Bytes that are read without their sign: words by a flag of the byte before, the longest line. want: parallel
// lacks: one thread: loop
#pragma regraph size(n=60000) size(n=1) size(n=700) input(text: uniform(0, 40)) role(counts: out) extent(counts: 4)
void words_signed(const char *text, unsigned long n, unsigned long *counts)
{
    unsigned long lines = 0, words = 0, high = 0, line = 0, longest = 0;
    int in = 0;
    const unsigned char *p = (const unsigned char *)text, *end = p + n;
    while (p < end) {
        unsigned char c = *p++;
        if ((unsigned char)(c + 100) >= 0x80) high++;
        if (c == 10) {
            lines++;
            if (line > longest) longest = line;
            line = 0;
        } else
            line++;
        if (c <= 32)
            in = 0;
        else if (!in) {
            in = 1;
            words++;
        }
    }
    counts[0] = lines, counts[1] = words, counts[2] = high, counts[3] = longest;
}
