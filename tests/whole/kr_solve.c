/* relic of 1986: normal equations by hand, K&R all the way */
#include <stdio.h>
#include <stdlib.h>

double **dmatrix(nr, nc)
int nr, nc;
{
	int i;
	double **m;

	m = (double **) malloc((unsigned) nr * sizeof(double *));
	for (i = 0; i < nr; i++)
		m[i] = (double *) malloc((unsigned) nc * sizeof(double));
	return m;
}

/* ata = a' a, atb = a' b ; a is n by p */
void normal(a, b, n, p, ata, atb)
double **a, *b, **ata, *atb;
int n, p;
{
	register int i, j, k;
	double s;

	for (j = 0; j < p; j++) {
		for (k = 0; k <= j; k++) {
			s = 0.0;
			for (i = 0; i < n; i++)
				s += a[i][j] * a[i][k];
			ata[j][k] = s;
			ata[k][j] = s;
		}
		s = 0.0;
		for (i = 0; i < n; i++)
			s += a[i][j] * b[i];
		atb[j] = s;
	}
}

main(argc, argv)
int argc;
char **argv;
{
	int n = 4000, p = 60, i, j;
	double **a = dmatrix(n, p), **ata = dmatrix(p, p);
	double *b = (double *) malloc(n * sizeof(double));
	double *atb = (double *) malloc(p * sizeof(double));

	for (i = 0; i < n; i++) {
		for (j = 0; j < p; j++)
			a[i][j] = (double) ((i * 31 + j * 17) % 101) / 101.0;
		b[i] = (double) (i % 13);
	}
	normal(a, b, n, p, ata, atb);
	printf("%f %f\n", ata[0][0], atb[p - 1]);
	exit(0);
}
