// The figures that an area of `npm run bench` returns, and how they are judged and written.

/**
 * `budget` is the upper limit of the figure, `atLeast` the lower limit. A figure without a limit is for comparison. `lines`
 * and `bar` are drawn in the report. `isOptional` marks a figure that is measured with an option only, such as `--soak`; a run
 * without the option keeps the earlier one.
 *
 * @typedef {{ name: string, value: number, unit: string, budget?: number, atLeast?: number, note?: string,
 *   lines?: readonly Line[], bar?: Bar, isOptional?: boolean }} Figure
 */

/**
 * An axis of a plot. `limit` is drawn as a line.
 *
 * @typedef {{ label: string, unit: string, scale?: 'linear' | 'logarithmic', limit?: number }} Axis
 */

/**
 * One line of a plot. All lines of an area with the same `plot` are drawn together, with the axes of the first one.
 *
 * @typedef {{ plot: string, name: string, x: Axis, y: Axis, points: readonly (readonly [x: number, y: number])[] }} Line
 */

/**
 * Draws the value of the figure as a bar. All bars of an area with the same `plot` are drawn together, by their groups.
 *
 * @typedef {{ plot: string, group: string, name: string }} Bar
 */

/**
 * Tells if a figure is within its limit. A value that could not be measured (`NaN`, or `null` in JSON) misses every limit.
 *
 * @param {Figure} figure
 */
export function isMet({ value, budget, atLeast }) {
  if (budget === undefined && atLeast === undefined) return true
  return Number.isFinite(value) && value <= (budget ?? Infinity) && value >= (atLeast ?? -Infinity)
}

/** Writes the limit of a figure, or an empty text. @param {Figure} figure */
export function formatLimit({ budget, atLeast, unit }) {
  if (budget !== undefined) return `≤ ${formatNumber(budget)} ${unit}`.trimEnd()
  return atLeast === undefined ? '' : `≥ ${formatNumber(atLeast)} ${unit}`.trimEnd()
}

/** Writes the value of a figure with its unit. @param {Figure} figure */
export function formatValue({ value, unit }) {
  if (!Number.isFinite(value)) return 'not measured'
  return `${formatNumber(value)} ${unit}`.trimEnd()
}

/** Writes a number with one decimal, or three if it is below one. @param {number} value */
export function formatNumber(value) {
  return value.toLocaleString('en', { maximumFractionDigits: Math.abs(value) < 1 ? 3 : 1 })
}
