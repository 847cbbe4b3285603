// Plots of the runs at several rates: delivery time and processor time against the rate.
import { latencyLimitMs } from './measureRate.mjs'

/** @typedef {import('../report/figures.mjs').Line} Line */
/** @typedef {{ rate: number, slow: number, relayCpu: number }} Run */

/** Upper limit for the processor time of the relay per 1,000 messages from 4,000/s on, in milliseconds. */
export const cpuLimitMs = 50
const rate = { label: 'rate', unit: 'messages/s' }

/**
 * Draws runs of one layout, whose lines are drawn together with those of other layouts.
 *
 * @param {string} name of the layout
 * @param {readonly Run[]} runs
 * @param {string} [group] the end of the titles of the plots
 * @returns {Line[]}
 */
export function drawRuns(name, runs, group = '') {
  return [
    {
      plot: `Delivery p99 against the rate${group}`,
      name,
      x: rate,
      y: { label: 'delivery p99', unit: 'ms', scale: 'logarithmic', limit: latencyLimitMs },
      points: runs.map(({ rate, slow }) => [rate, slow]),
    },
    {
      plot: `Relay processor time per 1,000 messages against the rate${group}`,
      name,
      x: rate,
      y: { label: 'processor time per 1,000', unit: 'ms', scale: 'logarithmic', limit: cpuLimitMs },
      points: runs.map(({ rate, relayCpu }) => [rate, relayCpu]),
    },
  ]
}
