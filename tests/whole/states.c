/* A state machine by goto: loops into each other. */
int scanner(int n, const unsigned char *s, int *counts)
{
    int i = 0, words = 0;
    for (int k = 0; k < 4; k++) counts[k] = 0;
space:
    if (i >= n) goto end;
    if (s[i] % 5 == 0) { i++; counts[0]++; goto space; }
    words++;
word:
    if (i >= n) goto end;
    if (s[i] % 5 == 0) goto space;
    if (s[i] % 7 == 0) goto quote;
    i++; counts[1]++;
    goto word;
quote:
    i++;
    counts[2]++;
    if (i < n && s[i] % 3) goto quote;
    if (i < n) goto word;
end:
    counts[3] = i;
    return words;
}
