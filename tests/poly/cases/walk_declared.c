// Pointers that step in declarations and in a condition. want: parallel
#pragma regraph size(len=600) size(len=37) size(len=1)
unsigned digest(const unsigned char *text, unsigned len, const short *bias, int *large)
{
    unsigned sum = 0;
    int many = 0;
    while (len--) {
        unsigned char c = *text++;
        unsigned low = c & 15u, high = c >> 4;
        if (*bias++ > 40) many++;
        sum += low * high + c;
    }
    *large = many;
    return sum;
}
