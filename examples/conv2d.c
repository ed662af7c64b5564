/* 5 x 5 convolution of an image, valid part only */
#define K 5
#define IDX(i, j) ((i) * width + (j))

#pragma regraph size(height=2048, width=2048)
#pragma regraph extent(out: height * width)
void conv2d(int height, int width, const float *image, const float filter[K][K], float *out)
{
    for (int i = 0; i < height - K + 1; i++)
        for (int j = 0; j < width - K + 1; j++) {
            float acc = 0.0f;
            for (int u = 0; u < K; u++)
                for (int v = 0; v < K; v++)
                    acc += image[IDX(i + u, j + v)] * filter[u][v];
            out[IDX(i, j)] = acc;
        }
}
