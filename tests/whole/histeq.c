/* Histogram equalisation: a local array with first values that all threads add to, a structure with pointers. */
#define L 256
typedef struct { int w, h; unsigned char *px; } image;
void equalize(const image *in, image *out)
{
    int hist[L] = {0}, cdf[L]; const int n = in->w * in->h;
    for (int i = 0; i < n; i++) hist[in->px[i]]++;
    cdf[0] = hist[0];
    for (int i = 1; i < L; i++) cdf[i] = cdf[i - 1] + hist[i];
    int lo = 0; while (lo < L - 1 && !cdf[lo]) lo++;
    for (int i = 0; i < n; i++) out->px[i] = (unsigned char)((long)(cdf[in->px[i]] - cdf[lo]) * (L - 1) / (n - cdf[lo] > 0 ? n - cdf[lo] : 1));
}
