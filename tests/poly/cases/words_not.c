// Not every character is of one kind or the other: where a word begins says the one before. want: sequential
#pragma regraph extent(first: n) size(n=5000) size(n=67) size(n=2) size(n=1)
int words_not(const char *s, int n, int *first)
{
    int k = 0, i = 0;
    while (i < n) {
        while (i < n && s[i] == ' ') i++;
        int start = i;
        while (i < n && s[i] >= 'a' && s[i] != ' ') i++;
        if (i == start) i++;
        first[k++] = start;
    }
    return k;
}
