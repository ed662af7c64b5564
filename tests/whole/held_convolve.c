#include <stdlib.h>
#include <string.h>
typedef struct ConvContext_ {
  int    Width, Height;
  int    KernelRadius;
  float *Kernel;
  float *Temp;
  const float *Input;
  float *Output;
} ConvContext;

static ConvContext  gContext;
static ConvContext *ctx = NULL;

static int ConvInit(int w, int h, int r, const float *k)
{
  if (w <= 0 || h <= 0) return -1;
  if (r < 0) return -2;
  ctx = &gContext;
  memset(ctx, 0, sizeof(*ctx));
  ctx->Width = w;
  ctx->Height = h;
  ctx->KernelRadius = r;
  ctx->Kernel = (float *)malloc(sizeof(float) * (2 * r + 1));
  ctx->Temp = (float *)malloc(sizeof(float) * w * h);
  if (ctx->Kernel == NULL || ctx->Temp == NULL) return -3;
  float Sum = 0.0f;
  int i;
  for (i = 0; i <= 2 * r; i++) Sum += k[i];
  for (i = 0; i <= 2 * r; i++) ctx->Kernel[i] = k[i] / Sum;
  return 0;
}
static int ClampI(int v, int lo, int hi) { if (v < lo) return lo; if (v > hi) return hi; return v; }
static void ConvRows(void)
{
  int x, y, k;
  for (y = 0; y < ctx->Height; ++y)
    for (x = 0; x < ctx->Width; ++x) {
      float Acc = 0;
      for (k = -ctx->KernelRadius; k <= ctx->KernelRadius; ++k)
        Acc += ctx->Kernel[k + ctx->KernelRadius] * ctx->Input[y * ctx->Width + ClampI(x + k, 0, ctx->Width - 1)];
      ctx->Temp[y * ctx->Width + x] = Acc;
    }
}
static void ConvCols(void)
{
  int x, y, k;
  for (y = 0; y < ctx->Height; ++y)
    for (x = 0; x < ctx->Width; ++x) {
      float Acc = 0;
      for (k = -ctx->KernelRadius; k <= ctx->KernelRadius; ++k)
        Acc += ctx->Kernel[k + ctx->KernelRadius] * ctx->Temp[ClampI(y + k, 0, ctx->Height - 1) * ctx->Width + x];
      ctx->Output[y * ctx->Width + x] = Acc;
    }
}
static void ConvDone(void)
{
  free(ctx->Kernel);
  free(ctx->Temp);
  ctx = NULL;
}
int Convolve(int w, int h, const float *in, float *out, int r, const float *k)
{
  int rc = ConvInit(w, h, r, k);
  if (rc != 0) return rc;
  ctx->Input = in;
  ctx->Output = out;
  ConvRows();
  ConvCols();
  ConvDone();
  return 0;
}
