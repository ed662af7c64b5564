#include <math.h>
#include <stdio.h>

/* composite Simpson: the inner points have the weights 4 and 2 by turns */
double simpson(int n, const double *f, double h)
{
  double sum = f[0] + f[n - 1];
  int four = 1, i;
  for (i = 1; i < n - 1; i++)
    {
      sum += (four ? 4.0 : 2.0) * f[i];
      four = 1 - four;
    }
  return sum * h / 3.0;
}

/* and the series with signs by turns, of which the same samples are the terms */
void both(int n, const double *f, double h, double *out)
{
  double sign = 1.0, s = 0.0;
  int k;
  out[0] = simpson(n, f, h);
  for (k = 0; k < n; k++)
    {
      s += sign * f[k] / (k + 1.0);
      sign = -sign;
    }
  out[1] = s;
}

int main(void)
{
  double f[101], out[2];
  int i;
  for (i = 0; i <= 100; i++) f[i] = exp(i * 0.01);
  both(101, f, 0.01, out);
  printf("%.10f %.10f\n", out[0], out[1]);
  return 0;
}
