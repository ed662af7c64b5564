#include <ctype.h>
#include <stddef.h>
#include <string.h>
/* letter frequencies and number of words of a text */
int text_stats(const char *text, size_t len, unsigned freq[26])
{
    int words = 0, inside = 0;
    memset(freq, 0, 26 * sizeof(unsigned));
    for (size_t i = 0; i < len; i++) {
        unsigned char c = (unsigned char)text[i];
        if (isalpha(c)) {
            freq[tolower(c) - 'a']++;
            if (!inside) { words++; inside = 1; }
        } else
            inside = 0;
    }
    return words;
}
