// Words of a text that ends in a zero: characters of all classes are tried. want: parallel
#include <ctype.h>
int words(const char *s)
{
    int n = 0, in = 0;
    for (; *s; s++) {
        if (isspace((unsigned char)*s)) {
            in = 0;
        } else if (!in) {
            in = 1;
            n++;
        }
    }
    return n;
}
