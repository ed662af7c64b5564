// Counters that count from an event on, asked in between, and what they were at the end; filled in place. want: parallel
// lacks: one thread: loop
#pragma regraph size(n=30000,most=9) size(n=1,most=2) size(n=300,most=3) input(x: uniform(0, 40)) input(from: uniform(-3, 1))
int since_event(int *x, int n, int most, int from, int *seen)
{
    int age = from, filled = 0, last = 0;
    for (int i = 0; i < n; i++) {
        if (x[i] > 35) {
            age = 0;
            last = x[i];
        } else if (age >= 0) {
            age++;
            if (age <= most) {
                x[i] = last;
                filled++;
            }
        }
        seen[i] = age;
    }
    return filled * 100 + age % 100;
}
