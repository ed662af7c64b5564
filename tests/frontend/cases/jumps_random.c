/* Made at random: labels, jumps and loops in any order; fuel ends what would not end. */
// function: f0
#pragma regraph size(n=60)
void f0(int n, const int x[n], int y[n])
{
    for (int i = 0; i < n; i++) {
        int k = 0, s = 1, u = i & 7, fuel = 80;
s += k & 7;
if (x[((unsigned)i+(unsigned)u*1)%n] > 60) goto l0;
l1: if (--fuel < 0) goto done;
if (u % 5 > 0) {
if ((k & 3) == 0) {
l0: if (--fuel < 0) goto done;
if ((k & 3) == 2) goto done;
if (u % 5 > 0) { s += 3; goto l1; }
} else {
if ((s & 3) == 1) { s += 4; goto l1; }
do {
if (--fuel < 0) goto done;
s = (k ^ 1) & 1023;
if (u % 5 > 0) { s += 7; goto l1; }
} while (u % 5 > 2);
while (s % 5 > 3) {
if (--fuel < 0) goto done;
k = ((u & 15) + 1) & 1023;
if ((s & 3) == 1) goto l0;
}
u = (s ^ 1) & 1023;
}
s = (k*3+1) & 1023;
u = (s ^ 6) & 1023;
s = ((s & 15) + 1) & 1023;
}

done:
        y[i] = s + 10 * k + 100 * u;
    }
}
// function: f1
#pragma regraph size(n=60)
void f1(int n, const int x[n], int y[n])
{
    for (int i = 0; i < n; i++) {
        int k = 0, s = 1, u = i & 7, fuel = 80;
l3: if (--fuel < 0) goto done;
if (u % 5 > 2) { s += 3; goto l2; }
k = (x[((unsigned)i+(unsigned)k) % n]) & 1023;
if ((k & 3) == 3) {
k = (s*3+1) & 1023;
s += s & 7;
l2: if (--fuel < 0) goto done;
if ((k & 3) == 3) {
while (s % 5 > 3) {
if (--fuel < 0) goto done;
s = (s ^ 3) & 1023;
if ((k & 3) == 3) continue;
}
k = (k*3+1) & 1023;
}
if ((s & 3) == 2) goto l0;
} else {
if (k % 5 > 3) goto done;
if ((k & 3) == 1) { s += 9; goto l3; }
u += s & 7;
l1: if (--fuel < 0) goto done;
if (k % 5 > 2) goto l0;
}
s = (u ^ 4) & 1023;
l0: if (--fuel < 0) goto done; s ^= 3;
done:
        y[i] = s + 10 * k + 100 * u;
    }
}
// function: f2
#pragma regraph size(n=60)
void f2(int n, const int x[n], int y[n])
{
    for (int i = 0; i < n; i++) {
        int k = 0, s = 1, u = i & 7, fuel = 80, c1 = 0, c2 = 0, c3 = 0;
l0: if (--fuel < 0) goto done;
if ((u & 3) == 0) {
for (c1 = 0; c1 < 3; c1++) {
if (--fuel < 0) goto done;
if ((s & 3) == 1) {
s = ((k & 15) + 0) & 1023;
s = (u ^ 9) & 1023;
}
s = ((u & 15) + 0) & 1023;
if ((u & 3) == 0) goto l0;
do {
if (--fuel < 0) goto done;
if (s % 5 > 3) continue;
u = ((u & 15) + 0) & 1023;
} while ((u & 3) == 3);
}
if (k % 5 > 1) {
if ((s & 3) == 2) { s += 7; goto l0; }
for (c2 = 0; c2 < 5; c2++) {
if (--fuel < 0) goto done;
if ((k & 3) == 1) continue;
if (k % 5 > 0) break;
}
u = (k ^ 6) & 1023;
} else {
if ((k & 3) == 3) goto l0;
k += u & 7;
u += u & 7;
}
}
if (s % 5 > 1) { s += 7; goto l0; }
if ((s & 3) == 0) goto done;
for (c3 = 0; c3 < 5; c3++) {
if (--fuel < 0) goto done;
k = (k*3+1) & 1023;
if ((k & 3) == 3) {
if (k % 5 > 1) continue;
s += k & 7;
} else {
s = (x[((unsigned)i+(unsigned)u) % n]) & 1023;
if ((k & 3) == 0) goto l0;
}
u = ((k & 15) + 0) & 1023;
s += s & 7;
}

done:
        y[i] = s + 10 * k + 100 * u;
    }
}
