// The flag that one arm sets and the other takes back asks the character in front, as it was. want: parallel
#include <ctype.h>
#include <stdbool.h>
void previous_flag(char *s, int n)
{
    bool start = true;
    for (int i = 0; i < n; i++) {
        if (isalpha((unsigned char)s[i])) {
            s[i] = start ? toupper((unsigned char)s[i]) : tolower((unsigned char)s[i]);
            start = false;
        } else {
            start = true;
        }
    }
}
