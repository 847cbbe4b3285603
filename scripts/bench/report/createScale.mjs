// Maps values to positions of a plot.

/** @typedef {{ position: (value: number) => number, ticks: readonly number[] }} Scale */

const wantedTicks = 5

/**
 * Creates a scale from zero, or a logarithmic one between powers of ten.
 *
 * @param {readonly number[]} values
 * @param {{ kind?: 'linear' | 'logarithmic' | undefined, start: number, end: number }} options positions of the ends in pixels
 * @returns {Scale}
 */
export function createScale(values, { kind = 'linear', start, end }) {
  const isLogarithmic = kind === 'logarithmic' && values.every((value) => value > 0)
  const ticks = isLogarithmic ? listPowers(values) : listSteps(values)
  const convert = isLogarithmic ? Math.log10 : (/** @type {number} */ value) => value
  const [first, last] = [convert(ticks[0] ?? 0), convert(ticks.at(-1) ?? 1)]
  return { ticks, position: (value) => start + ((convert(value) - first) / (last - first)) * (end - start) }
}

/** @param {readonly number[]} values */
function listPowers(values) {
  const lowest = Math.floor(Math.log10(Math.min(...values)))
  const highest = Math.max(lowest + 1, Math.ceil(Math.log10(Math.max(...values))))
  return Array.from({ length: highest - lowest + 1 }, (_, index) => 10 ** (lowest + index))
}

/** Lists round numbers from zero (or below the lowest value) up to the highest value or above. @param {readonly number[]} values */
function listSteps(values) {
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)]
  const rough = (high - low || 1) / wantedTicks
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = ([1, 2, 5, 10].find((each) => each * power >= rough) ?? 10) * power
  const first = Math.floor(low / step)
  const last = Math.max(first + 1, Math.ceil(high / step))
  return Array.from({ length: last - first + 1 }, (_, index) => roundTick((first + index) * step))
}

/** Removes the errors of binary fractions. @param {number} value */
function roundTick(value) {
  return Number(value.toPrecision(12))
}
