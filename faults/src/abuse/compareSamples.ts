/**
 * Returns the probability that two samples of one distribution differ at least as much as these do (two-sample
 * Kolmogorov-Smirnov test, asymptotic form).
 *
 * @param one at least 30 values; the form is inexact for fewer
 * @param other at least 30 values
 * @returns a p-value from 0 to 1
 * @example compareSamples(timesOfKnown, timesOfUnknown) > 0.01
 */
export function compareSamples(one: readonly number[], other: readonly number[]): number {
  const size = Math.sqrt((one.length * other.length) / (one.length + other.length))
  return kolmogorovTail((size + 0.12 + 0.11 / size) * largestDistance(one, other))
}

/** The largest distance between two empirical distribution functions. */
function largestDistance(one: readonly number[], other: readonly number[]): number {
  const [left, right] = [one.toSorted((a, b) => a - b), other.toSorted((a, b) => a - b)]
  let [passedLeft, passedRight, largest] = [0, 0, 0]
  while (passedLeft < left.length && passedRight < right.length) {
    const value = Math.min(left[passedLeft] ?? 0, right[passedRight] ?? 0)
    while (passedLeft < left.length && left[passedLeft] === value) passedLeft += 1
    while (passedRight < right.length && right[passedRight] === value) passedRight += 1
    largest = Math.max(largest, Math.abs(passedLeft / left.length - passedRight / right.length))
  }
  return largest
}

const terms = 100

/** The tail of Kolmogorov's distribution: 2 Σ (−1)^(k−1) e^(−2k²x²). */
function kolmogorovTail(x: number): number {
  // The series converges too slowly below, where the tail is 1 to seven digits.
  if (x < 0.2) return 1
  let sum = 0
  for (let k = 1; k <= terms; k += 1) sum += (k % 2 === 1 ? 2 : -2) * Math.exp(-2 * k * k * x * x)
  return Math.min(1, Math.max(0, sum))
}
