// SPDX-License-Identifier: Apache-2.0
// The same with one statement more in the negative branch and one less in the
// other.
class Mean {
  static int mean(int[] numbers) {
    int n = 0;
    int sum = 0;
    while (n < numbers.length) {
      int next = numbers[n];
      if (next < 0) {
        System.out.println("negative");
        return -1;
      } else {
        n++;
      }
    }
    return n == 0 ? 0 : sum / n;
  }
}
