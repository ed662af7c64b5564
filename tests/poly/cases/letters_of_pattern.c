// A pattern that is looked for in a text, which has its letters: of others nothing would be found. want: parallel
#include <string.h>
long letters_of_pattern(const char *text, long n, const char *word)
{
    long m = (long)strlen(word), hits = 0;
    for (long i = 0; i + m <= n; i++) {
        long j = 0;
        while (j < m && (word[j] == '?' || word[j] == text[i + j])) j++;
        hits += j == m;
    }
    return hits;
}
