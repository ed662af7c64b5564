// Rounds over a length that halves, rounded up and down, with places half of it apart and scratch that rows fill for themselves. want: parallel
#include <stdlib.h>
#pragma regraph size(n=3000, w=70, h=50, levels=3) size(n=9, w=8, h=7, levels=2) size(n=1, w=2, h=1, levels=1)
void levels_halved(int n, int w, int h, int levels, float x[n], float y[n], int img[h * w])
{
    for (int m = n; m > 1; m = (m + 1) / 2) {
        int half = (m + 1) / 2;
        for (int i = 0; i < half; i++) y[i] = x[i] * 0.5f + (half + i < m ? x[half + i] : 0.25f);
        for (int i = 0; i < half; i++) x[i] = y[i];
    }
    int *line = malloc(sizeof(int) * (w > h ? w : h));
    int cw = w, ch = h;
    for (int l = 0; l < levels; l++) {
        int lw = (cw + 1) / 2, hw = cw / 2;
        for (int r = 0; r < ch && cw > 1; r++) {
            int *p = img + r * w;
            for (int i = 0; i < hw; i++) line[lw + i] = p[2 * i + 1] - p[2 * i];
            for (int i = 0; i < lw; i++) line[i] = p[2 * i] + line[lw + (i < hw ? i : hw - 1)] / 2;
            for (int i = 0; i < cw; i++) p[i] = line[i];
        }
        for (int c = 0; c < cw && ch > 1; c++) {
            int lh = (ch + 1) / 2, hh = ch / 2;
            for (int i = 0; i < hh; i++) line[lh + i] = img[(2 * i + 1) * w + c] - img[2 * i * w + c];
            for (int i = 0; i < lh; i++) line[i] = img[2 * i * w + c] + line[lh + (i < hh ? i : hh - 1)] / 2;
            for (int i = 0; i < ch; i++) img[i * w + c] = line[i];
        }
        cw = (cw + 1) / 2;
        ch = (ch + 1) / 2;
    }
    free(line);
}
