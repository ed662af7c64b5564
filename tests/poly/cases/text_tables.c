// Tables that literals fill to the last character, of one piece, of two, of rows, and local ones. want: parallel
// chain: parallelize
#include <string.h>
static const char hex[16] = "01234567" "89abcdef";
static const char code[3][2] = {"ab", "cd", "\x41\n"};
#pragma regraph size(n=3000) size(n=1) extent(x: n) extent(y: 4 * n)
void text_tables(int n, const unsigned char *x, char *y)
{
    const char pad[] = "=#\0" "z";
    char few[8] = "xy";
    for (int i = 0; i < n; i++) {
        y[4 * i] = hex[x[i] >> 4];
        y[4 * i + 1] = hex[x[i] & 15];
        y[4 * i + 2] = code[x[i] % 3][x[i] & 1];
        y[4 * i + 3] = pad[x[i] % 4] + few[x[i] & 7];
    }
}
