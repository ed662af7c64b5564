#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OK = 0, BAD_AMOUNT = -1, BAD_ACCOUNT = -2, BAD_DATE = -3 };

typedef struct {
	int rows;
	int *account;
	int *date;
	double *amount;
} ledger_t;

/* Every row is looked at before anything is booked; then balances with fees. */
int book(const ledger_t *l, int first_day, double fee, double *booked)
{
	int r;

	for (r = 0; r < l->rows; r++) {
		if (l->amount[r] > 1e6 || l->amount[r] != l->amount[r])
			return BAD_AMOUNT;
	}
	for (r = 0; r < l->rows; r++)
		if (l->account[r] < 0) {
			return BAD_ACCOUNT - r;
		}
	for (r = 0; r < l->rows; r++) {
		if (l->date[r] < first_day) return BAD_DATE;
		booked[r] = l->amount[r] * (1.0 - fee) - 0.25;
	}
	return OK;
}

int main(void)
{
	ledger_t l = {1000, NULL, NULL, NULL};
	double *b = calloc(l.rows, sizeof(double));
	l.account = calloc(l.rows, sizeof(int));
	l.date = calloc(l.rows, sizeof(int));
	l.amount = calloc(l.rows, sizeof(double));
	printf("%d\n", book(&l, 0, 0.01, b));
	return 0;
}
