// Wide literals as tables, of the file and of the function: their characters are numbers. want: parallel
#include <wchar.h>
static const wchar_t table[8] = {L'a', L'b', 3, 4, 5, 6, 7, 8}, text[] = L"héllo\n" L"w";
#pragma regraph extent(x: n) extent(y: n) extent(found: 1) size(n=900) size(n=7)
void pick(const int *x, int *y, int *found, int n)
{
    static const wchar_t v[] = L"aeiou";
    const wchar_t own[4] = L"x\0z";
    int c = 0;
    for (int i = 0; i < n; i++) y[i] = table[x[i] & 7] + text[i % 5] + own[i & 3];
    for (int i = 0; i < n; i++) c += x[i] == v[i % 5] - 90;
    *found = c;
}
