// The character in front as it was, in a string that changes in place. want: parallel
#include <ctype.h>
int previous_in_place(char *s)
{
    int changed = 0;
    char prev = ' ';
    while (*s) {
        char n = (char)(isalpha((unsigned char)prev) ? tolower((unsigned char)*s) : toupper((unsigned char)*s));
        prev = *s;
        if (n != *s) {
            *s = n;
            changed++;
        }
        s++;
    }
    return changed;
}
