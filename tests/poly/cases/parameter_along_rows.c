// Parameters that go along rows: one of arrays as its row is taken, one of rows behind pointers in the head of the loop. want: parallel
#pragma regraph size(n=3000) size(n=1) size(n=37)
void parameter_along_rows(const int *first, long n, unsigned char (*code)[16], float **mean)
{
    for (; n--; mean++) {
        unsigned state[4] = {1u, 2u, 3u, 4u};
        for (int k = 0; k < 4; k++) state[k] = state[k] * 2654435761u + (unsigned)first[0];
        unsigned char *out = *code++;
        for (int k = 0; k < 4; k++) {
            *out++ = (unsigned char)(state[k] >> 24);
            *out++ = (unsigned char)(state[k] >> 16);
            *out++ = (unsigned char)(state[k] >> 8);
            *out++ = (unsigned char)state[k];
        }
        for (int k = 0; k < 8; k++) (*mean)[k] = (float)first[1] / (float)(k + 1);
        ++first;
    }
}
