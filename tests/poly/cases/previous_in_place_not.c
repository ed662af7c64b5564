// The character in front as it is by now: what an iteration stores is what the next one asks for. want: sequential
#include <ctype.h>
int previous_in_place_not(char *s)
{
    int changed = 0;
    char prev = ' ';
    while (*s) {
        char n = (char)(prev + *s) % 100 + 1;
        if (n != *s) {
            *s = n;
            changed++;
        }
        prev = *s;
        s++;
    }
    return changed;
}
