// Loads a page in a new browser context, clicks its button, and measures until the dialog is usable.

/**
 * @typedef {object} Conditions
 * @property {number} slowdown of the CPU
 * @property {boolean} slow4G
 * @property {string} [button] a part of the name of the button, `Connect` by default
 * @property {string} [dialog] the selector of the open dialog, `dialog[open]` by default
 */
/** @typedef {{ path: string, bytes: number }} Script */

/**
 * @typedef {object} Opening
 * @property {number} readyAfter from the navigation to the frame that shows the button, in milliseconds
 * @property {number} usableAfter from the click to a painted frame in which a button of the dialog works, in milliseconds
 * @property {readonly Script[]} scripts those that the page loaded before the button was in the page
 * @property {readonly Script[]} usableScripts those that it loaded until the dialog was usable
 * @property {readonly string[]} strangers the requests to other origins before the click
 */

/** The network of Lighthouse's mobile profile: 1.6 Mbit/s with 150 ms round trips. */
const slow4G = { offline: false, latency: 150, downloadThroughput: 1_638_400 / 8, uploadThroughput: 768_000 / 8 }

/**
 * @param {import('playwright').Browser} browser
 * @param {string} url
 * @param {Conditions} conditions
 * @param {boolean} [opens] false for a page without a dialog
 * @returns {Promise<Opening>}
 */
export async function openOnce(browser, url, conditions, opens = true) {
  const { button = 'Connect', dialog = 'dialog[open]' } = conditions
  const context = await browser.newContext()
  try {
    const page = await context.newPage()
    const session = await context.newCDPSession(page)
    await session.send('Network.enable')
    await session.send('Emulation.setCPUThrottlingRate', { rate: conditions.slowdown })
    if (conditions.slow4G) await session.send('Network.emulateNetworkConditions', slow4G)
    await page.addInitScript(watchOpening, dialog)
    const { strangers, stop } = watchStrangers(page, new URL(url).origin)
    await page.goto(url)
    const readyAfter = Number(
      await (await page.waitForFunction(() => Reflect.get(globalThis, 'readyAfter'))).jsonValue(),
    )
    const scripts = await page.evaluate(readScripts, readyAfter)
    // The time in which a user reads the page. Chunks that load when the page is idle arrive.
    await page.waitForLoadState('networkidle')
    await page.waitForTimeout(conditions.slow4G ? 500 : 250)
    stop()
    if (!opens) return { readyAfter, usableAfter: 0, scripts, usableScripts: [], strangers }
    await page.getByRole('button', { name: button }).first().click()
    const handle = await page.waitForFunction(() => Reflect.get(globalThis, 'usableAfter'))
    const usableAfter = Number(await handle.jsonValue())
    return { readyAfter, usableAfter, scripts, usableScripts: await page.evaluate(readScripts, Infinity), strangers }
  } finally {
    await context.close()
  }
}

/**
 * @param {import('playwright').Page} page
 * @param {string} origin
 */
function watchStrangers(page, origin) {
  /** @type {string[]} */
  const strangers = []
  const request = (/** @type {import('playwright').Request} */ event) => {
    const url = new URL(event.url())
    if (url.origin !== origin && url.protocol !== 'data:') strangers.push(event.url())
  }
  const socket = (/** @type {import('playwright').WebSocket} */ event) => void strangers.push(event.url())
  page.on('request', request)
  page.on('websocket', socket)
  return { strangers, stop: () => void page.off('request', request).off('websocket', socket) }
}

/**
 * Runs in the page.
 *
 * @param {number} until milliseconds after the navigation
 */
function readScripts(until) {
  return performance
    .getEntriesByType('resource')
    .filter(
      (entry) => entry instanceof PerformanceResourceTiming && entry.name.endsWith('.js') && entry.startTime < until,
    )
    .map((entry) => ({
      path: new URL(entry.name).pathname,
      bytes: entry instanceof PerformanceResourceTiming ? entry.encodedBodySize : 0,
    }))
}

/**
 * Runs in the page. Measures from the navigation to the frame that shows the first button, and from the time stamp of the
 * click to the frame in which a button of the dialog is opaque and receives clicks.
 *
 * @param {string} selector of the open dialog
 */
function watchOpening(selector) {
  /** @param {() => void} act A frame is painted before the first task that follows its animation callbacks. */
  const afterPaint = (act) => {
    const channel = new MessageChannel()
    channel.port1.onmessage = act
    channel.port2.postMessage(undefined)
  }
  const lookForButton = () => {
    const button = document.querySelector('button')
    if (button === null) return requestAnimationFrame(lookForButton)
    afterPaint(() => Reflect.set(globalThis, 'readyAfter', performance.now()))
    return undefined
  }
  requestAnimationFrame(lookForButton)
  /** @returns {[Document | ShadowRoot, Element] | undefined} */
  const findDialog = () => {
    for (const place of [document, ...[...document.querySelectorAll('*')].map(({ shadowRoot }) => shadowRoot)]) {
      const found = place?.querySelector(selector) ?? null
      if (place !== null && found !== null) return [place, found]
    }
    return undefined
  }
  const isUsable = () => {
    const [place, dialog] = findDialog() ?? []
    const button = dialog?.querySelector('button:not([disabled])')
    if (place === undefined || !(button instanceof HTMLElement)) return false
    if (dialog?.querySelector('.pane .skeleton') !== null) return false
    for (let element = button; element.parentElement !== null; element = element.parentElement) {
      if (Number(getComputedStyle(element).opacity) < 0.99) return false
    }
    const { left, top, width, height } = button.getBoundingClientRect()
    return button.contains(place.elementFromPoint(left + width / 2, top + height / 2))
  }
  addEventListener(
    'click',
    (click) => {
      const look = () => {
        if (!isUsable()) return requestAnimationFrame(look)
        afterPaint(() => Reflect.set(globalThis, 'usableAfter', performance.now() - click.timeStamp))
        return undefined
      }
      requestAnimationFrame(look)
    },
    { capture: true, once: true },
  )
}
