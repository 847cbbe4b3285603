// Measures from the click to a modal that is painted and interactive. Measures a bare native dialog in the same run to
// compare.
import { launchBrowser, median, startLeastDapp } from './site.mjs'

const rounds = 15
/** Typical time between hover and click, in milliseconds. */
const hand = 150

/** @returns {Promise<import('../bench.mjs').Figure[]>} */
export async function measure() {
  const site = await startLeastDapp()
  const browser = await launchBrowser()
  /** @param {string} path @param {number} slowdown @param {number} rest */
  const time = async (path, slowdown, rest = 0) => {
    /** @type {number[]} */
    const times = []
    for (let round = 0; round < rounds; round += 1) times.push(await openOnce(browser, site.url + path, slowdown, rest))
    return median(times)
  }
  try {
    await openOnce(browser, site.url, 1)
    return [
      {
        name: 'click to interactive modal, pointer straight there, median',
        value: await time('/', 1),
        unit: 'ms',
        budget: 40,
      },
      { name: 'the same, CPU four times slower', value: await time('/', 4), unit: 'ms', budget: 150 },
      { name: 'the same, the pointer 150 ms on the button before', value: await time('/', 1, hand), unit: 'ms' },
      { name: 'the same, and the CPU four times slower', value: await time('/', 4, hand), unit: 'ms' },
      { name: 'a bare native dialog', value: await time('/bare.html', 1), unit: 'ms' },
      { name: 'a bare native dialog, CPU four times slower', value: await time('/bare.html', 4), unit: 'ms' },
    ]
  } finally {
    await browser.close()
    await site.close()
  }
}

/**
 * @param {import('playwright').Browser} browser
 * @param {string} url
 * @param {number} slowdown
 * @param {number} [rest]
 */
async function openOnce(browser, url, slowdown, rest = 0) {
  const context = await browser.newContext()
  try {
    const page = await context.newPage()
    await page.addInitScript(watchOpening)
    await page.goto(url)
    const button = page.getByRole('button', { name: 'Connect' })
    await button.waitFor()
    await page.waitForLoadState('networkidle')
    const session = await context.newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
    if (rest > 0) {
      await button.hover()
      await page.waitForTimeout(rest)
    }
    await button.click()
    const handle = await page.waitForFunction(() => Reflect.get(globalThis, 'openedAfter'))
    return Number(await handle.jsonValue())
  } finally {
    await context.close()
  }
}

/**
 * Runs in the page. Measures from the time stamp of the click to the frame in which a button of the dialog is
 * interactive.
 */
function watchOpening() {
  /** @returns {HTMLDialogElement | null} */
  const findDialog = () => {
    for (const element of document.querySelectorAll('*')) {
      const found = element.shadowRoot?.querySelector('dialog[open]')
      if (found instanceof HTMLDialogElement) return found
    }
    return document.querySelector('dialog[open]')
  }
  addEventListener(
    'click',
    (click) => {
      const look = () => {
        const usable = findDialog()?.querySelector('button:not([disabled])')
        if (usable === null || usable === undefined) return requestAnimationFrame(look)
        // A frame is painted before the first task that follows its animation callbacks.
        const channel = new MessageChannel()
        channel.port1.onmessage = () => Reflect.set(globalThis, 'openedAfter', performance.now() - click.timeStamp)
        channel.port2.postMessage(undefined)
        return undefined
      }
      requestAnimationFrame(look)
    },
    { capture: true, once: true },
  )
}
