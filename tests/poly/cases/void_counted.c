// Bytes are counted along a void pointer, as GNU's C allows, before they are taken for bytes. want: parallel
#pragma regraph size(n=5000) size(n=1) size(n=77)
void shift(const void *x, unsigned char *y, int n)
{
    for (int i = 0; i < n; i++) y[i] = *(const unsigned char *)(x + 4 * i) ^ ((const unsigned char *)x)[i];
}
