// Measures an app that installs the packed packages: what its page loads until the connect button works and until the
// modal is usable, and the times of both. Measures React alone and a bare native dialog in the same run to compare.
import { startConsumer } from './consumer.mjs'
import { openOnce } from './openOnce.mjs'
import { launchBrowser, getMedian } from './site.mjs'

const rounds = 15

/** @typedef {import('./openOnce.mjs').Conditions & { label: string, budget: number }} Situation */

/** @type {Situation[]} */
const situations = [
  { label: 'full speed', slowdown: 1, slow4G: false, budget: 30 },
  { label: 'CPU four times slower', slowdown: 4, slow4G: false, budget: 80 },
  { label: 'slow 4G', slowdown: 1, slow4G: true, budget: 120 },
]

/** @returns {Promise<import('../bench.mjs').Figure[]>} */
export async function measure() {
  const consumer = await startConsumer()
  const browser = await launchBrowser()
  try {
    // The first page of a browser is slower than all others.
    await openOnce(browser, `${consumer.url}/`, { slowdown: 1, slow4G: false })
    const transfers = await openOnce(browser, `${consumer.url}/`, { slowdown: 1, slow4G: false })
    const figures = [...describeTransfers(transfers), installedFigure(consumer.added)]
    for (const situation of situations) figures.push(...(await measureTimes(browser, consumer.url, situation)))
    return figures
  } finally {
    await browser.close()
    await consumer.close()
  }
}

/**
 * @param {import('./openOnce.mjs').Opening} opening
 * @returns {import('../bench.mjs').Figure[]}
 */
function describeTransfers({ scripts, usableScripts, strangers }) {
  const sum = (/** @type {readonly { bytes: number }[]} */ some) =>
    some.reduce((all, { bytes }) => all + bytes, 0) / 1000
  return [
    { name: 'scripts before the button works', value: scripts.length, unit: '', budget: 3 },
    { name: 'the same, brotli, with React', value: sum(scripts), unit: 'kB', budget: 70 },
    { name: 'scripts until the modal is usable', value: usableScripts.length, unit: '' },
    { name: 'the same, brotli, with React', value: sum(usableScripts), unit: 'kB', budget: 105 },
    { name: 'requests to other origins before a click', value: strangers.length, unit: '', budget: 0 },
  ]
}

/**
 * @param {readonly string[]} added
 * @returns {import('../bench.mjs').Figure}
 */
function installedFigure(added) {
  return {
    name: 'installed packages beside React and viem',
    value: added.length,
    unit: '',
    budget: 25,
    note: added.join(', '),
  }
}

/**
 * @param {import('playwright').Browser} browser
 * @param {string} url
 * @param {Situation} situation
 * @returns {Promise<import('../bench.mjs').Figure[]>}
 */
async function measureTimes(browser, url, { label, budget, ...conditions }) {
  // The pages take turns, so that a busy machine slows all of them.
  const times = { ready: [0], click: [0], floor: [0], bare: [0] }
  for (const list of Object.values(times)) list.pop()
  for (let round = 0; round < rounds; round += 1) {
    const opening = await openOnce(browser, `${url}/`, conditions)
    times.ready.push(opening.readyAfter)
    times.click.push(opening.usableAfter)
    times.floor.push((await openOnce(browser, `${url}/floor.html`, conditions, false)).readyAfter)
    times.bare.push((await openOnce(browser, `${url}/bare.html`, conditions)).usableAfter)
  }
  const floor = getMedian(times.floor)
  const ready = getMedian(times.ready)
  const draw = (/** @type {string} */ plot, /** @type {string} */ name) => ({ bar: { plot, name, group: label } })
  const [usable, loaded] = ['Click until the modal is usable, median', 'Load until the button works, median']
  return [
    {
      name: `click to usable modal, median, ${label}`,
      value: getMedian(times.click),
      unit: 'ms',
      budget,
      ...draw(usable, 'ours'),
    },
    {
      name: `a bare native dialog, ${label}`,
      value: getMedian(times.bare),
      unit: 'ms',
      ...draw(usable, 'native dialog'),
    },
    {
      name: `button ready, ${label}`,
      value: ready,
      unit: 'ms',
      note: `React alone ${floor.toFixed(0)} ms`,
      ...draw(loaded, 'ours'),
    },
    { name: `React alone ready, ${label}`, value: floor, unit: 'ms', ...draw(loaded, 'React alone') },
    {
      name: `the same, relative to React alone, ${label}`,
      value: Math.round((ready / floor) * 100),
      unit: '%',
      budget: 115,
    },
  ]
}
