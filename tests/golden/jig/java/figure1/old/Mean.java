// SPDX-License-Identifier: Apache-2.0
// Figure 1: two statements, a loop that is left at a negative number, three
// statements in the loop, two behind it.
class Mean {
  static int mean(int[] numbers) {
    int sum = 0;
    int at = 0;
    while (at < numbers.length) {
      if (numbers[at] < 0) {
        return -1;
      } else {
        sum += 1;
        sum += numbers[at];
        at++;
      }
    }
    int mean = sum / 2;
    return mean;
  }
}
