// Places that a mask, a shift or a remainder keeps in their range: as many elements. want: parallel
void masked_places(const unsigned *key, const unsigned short *pixel, int n, int shift, unsigned buckets, int *by_digit,
                   int *by_bucket, int *by_tone)
{
    for (int i = 0; i < n; i++) {
        by_digit[(key[i] >> shift) & 255]++;
        by_bucket[key[i] % buckets]++;
        by_tone[pixel[i] >> 6]++;
    }
}
