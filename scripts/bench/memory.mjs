// The memory of a process over time.
import { residentBytes } from './relay/processes.mjs'

/** @typedef {readonly [minutes: number, MiB: number]} Sample */

const intervalMs = 5_000

/**
 * Samples the resident memory of a process.
 *
 * @param {number} pid
 */
export function sampleMemory(pid) {
  const begun = performance.now()
  /** @type {Sample[]} */
  const samples = []
  const sample = () => samples.push([(performance.now() - begun) / 60_000, residentBytes(pid) / 2 ** 20])
  sample()
  const timer = setInterval(sample, intervalMs)
  return { samples, stop: () => clearInterval(timer) }
}

/**
 * Draws the samples of a process.
 *
 * @param {string} name of the process
 * @param {readonly Sample[]} samples
 * @returns {import('./report/figures.mjs').Line}
 */
export function drawMemory(name, samples) {
  const [x, y] = [
    { label: 'time', unit: 'minutes' },
    { label: 'resident memory', unit: 'MiB' },
  ]
  return { plot: 'Memory over time', name, x, y, points: samples }
}

/**
 * Returns the slope of the line that fits the samples best (least squares), in MiB per minute.
 *
 * @param {readonly Sample[]} samples
 */
export function getSlope(samples) {
  const mean = (/** @type {0 | 1} */ index) => samples.reduce((sum, sample) => sum + sample[index], 0) / samples.length
  const [middle, level] = [mean(0), mean(1)]
  const spread = samples.reduce((sum, [minutes]) => sum + (minutes - middle) ** 2, 0)
  return spread === 0
    ? Number.NaN
    : samples.reduce((sum, [minutes, size]) => sum + (minutes - middle) * (size - level), 0) / spread
}
