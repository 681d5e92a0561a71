// SPDX-License-Identifier: Apache-2.0
// The same with a statement in front of the first one of the negative branch,
// and without the second one of the other branch.
class Mean {
  static int mean(int[] numbers) {
    int sum = 0;
    int at = 0;
    while (at < numbers.length) {
      if (numbers[at] < 0) {
        System.out.println("negative");
        return -1;
      } else {
        sum += 1;
        at++;
      }
    }
    int mean = sum / 2;
    return mean;
  }
}
