// SPDX-License-Identifier: Apache-2.0
// A loop over numbers that stops at a negative one (the structure of figure 1).
class Mean {
  static int mean(int[] numbers) {
    int n = 0;
    int sum = 0;
    while (n < numbers.length) {
      int next = numbers[n];
      if (next < 0) {
        return -1;
      } else {
        sum += next;
        n++;
      }
    }
    return n == 0 ? 0 : sum / n;
  }
}
