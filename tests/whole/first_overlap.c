/* interval scheduling helper
 *
 * For every request find the first booked slot it collides with; collisions
 * with the maintenance window are reported separately.  C89, comes from a
 * room booking tool.
 */
#include <stdio.h>
#include <stdlib.h>

typedef struct slot {
    int from, to;
} slot;

#define NONE (-1)

static int collide(slot a, slot b)
{
    return a.from < b.to && b.from < a.to;
}

static int first_collision(const slot *booked, int n, slot want)
{
    int i;
    for (i = 0; i < n; i++) {
        if (booked[i].to <= booked[i].from)
            continue;               /* cancelled */
        if (collide(booked[i], want))
            return i;
    }
    return NONE;
}

/* how many requests can be granted; verdict[r] is the slot in the way */
int check_requests(const slot *booked, int n_booked, const slot *request, int n_requests, int *verdict, unsigned char *ok)
{
    int r, granted = 0;

    for (r = 0; r < n_requests; r++) {
        int hit = first_collision(booked, n_booked, request[r]);
        verdict[r] = hit;
        ok[r] = (unsigned char)(hit == NONE);
        if (hit == NONE)
            granted++;
    }
    return granted;
}

int main(void)
{
    enum { B = 300, R = 1000 };
    slot *b = malloc(B * sizeof *b), *q = malloc(R * sizeof *q);
    int *v = malloc(R * sizeof *v), i;
    unsigned char *ok = malloc(R);
    for (i = 0; i < B; i++) { b[i].from = rand() % 9000; b[i].to = b[i].from + rand() % 20; }
    for (i = 0; i < R; i++) { q[i].from = rand() % 9000; q[i].to = q[i].from + 1 + rand() % 20; }
    printf("%d of %d\n", check_requests(b, B, q, R, v, ok), R);
    return 0;
}
