// Measures the views of a connected account in the web app with the local world: opening them cold, the first quote of a
// swap, the wallet's request after "Send" is pressed, and the availability of a name. Each round starts in a new browser
// context, so that no code and no data of a view is cached.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startWorld } from '@latchkey/devnet'
import { testKeys } from '@latchkey/testkit'
import { installSimulatedExtension } from '@latchkey/testkit/playwright'
import { root } from '../../lib/root.mjs'
import { launchBrowser, getMedian } from '../site.mjs'

/** @typedef {import('playwright').Page} Page */
/** @typedef {import('playwright').Locator} Locator */

/**
 * A measured step.
 *
 * @typedef {object} Step
 * @property {string} name of the figure
 * @property {number} [budget] in milliseconds
 * @property {(page: Page) => Promise<Locator>} prepare opens the views before it, and returns the element to act on
 * @property {'click' | 'input'} event that starts the clock
 * @property {string} until selects the element in the modal that ends the step, or "wallet": a request to the wallet
 * @property {string} [text] that the element must contain, a regular expression
 * @property {(target: Locator) => Promise<void>} [act] a click by default
 */

const receiver = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'

/** @type {readonly Step[]} */
const steps = [
  {
    name: 'Account opened cold, median',
    budget: 100,
    prepare: async (page) => accountButton(page),
    event: 'click',
    until: '[data-view=Account] .action',
  },
  {
    name: 'Send opened cold, median',
    budget: 100,
    prepare: async (page) => (await openAccount(page)).getByRole('button', { name: 'Send', exact: true }),
    event: 'click',
    until: '[data-view=WalletSend] input:not([disabled])',
  },
  {
    name: 'Swap opened cold, median',
    budget: 100,
    prepare: async (page) => (await openAccount(page)).getByRole('button', { name: 'Swap', exact: true }),
    event: 'click',
    until: '[data-view=Swap] input:not([disabled])',
  },
  {
    name: 'amount entered to first quote, median',
    prepare: openSwap,
    event: 'input',
    until: '[data-view=Swap] .facts',
    act: (field) => field.fill('1.25'),
  },
  {
    name: '"Send" pressed to the request in the wallet, median',
    budget: 150,
    prepare: openReview,
    event: 'click',
    until: 'wallet',
  },
  {
    name: 'name entered to its availability, median',
    budget: 300,
    prepare: openNames,
    event: 'input',
    until: '[data-view=RegisterAccountName]',
    text: 'This name is available',
    act: (field) => field.fill('navigator'),
  },
]

/**
 * @param {Readonly<Record<string, string>>} options `rounds`: number of measured rounds; `only`: part of the names of the
 * steps to measure
 * @returns {Promise<import('../../bench.mjs').Figure[]>}
 */
export async function measure({ rounds: asked = '9', only = '' }) {
  const chosen = steps.filter(({ name }) => name.includes(only))
  const dataDir = mkdtempSync(join(tmpdir(), 'latchkey-bench-flows-'))
  const world = await startWorld({ dataDir, root })
  const browser = await launchBrowser()
  const times = chosen.map(() => [0].slice(1))
  try {
    for (let round = 0; round <= Number(asked); round += 1) {
      for (const [index, step] of chosen.entries()) {
        const time = await measureStep(browser, world.urls, step)
        // The first round warms up the server and the browser.
        if (round > 0) times[index]?.push(time)
      }
    }
  } finally {
    await browser.close()
    await world.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
  return chosen.map(({ name, budget }, index) => ({
    name,
    value: getMedian(times[index] ?? []),
    unit: 'ms',
    ...(budget !== undefined && { budget }),
  }))
}

/**
 * @param {import('playwright').Browser} browser
 * @param {import('@latchkey/devnet').WorldUrls} urls
 * @param {Step} step
 */
async function measureStep(browser, urls, { prepare, event, until, text = '', act = (target) => target.click() }) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  try {
    const page = await context.newPage()
    await installSimulatedExtension(page, {
      privateKeys: [testKeys.eip155[0]],
      rpcUrls: { 31337: urls.evm, 31338: urls.evm2 },
      chainId: 31337,
      info: { name: 'Test Extension', rdns: 'test.latchkey.extension' },
    })
    await page.addInitScript(noteWalletRequests)
    await connectOnce(page, `${urls.web}/account`)
    const target = await prepare(page)
    // The time in which a user reads the view. Chunks that load when the page is idle arrive.
    await page.waitForTimeout(400)
    await page.evaluate(watchStep, { event, until, text })
    await act(target)
    const found = await page.waitForFunction(() => Reflect.get(globalThis, 'stepTook'), undefined, { polling: 20 })
    return Number(await found.jsonValue())
  } finally {
    await context.close()
  }
}

/** Connects, and loads the page again: its connection is restored, and no view was opened. @param {Page} page @param {string} url */
async function connectOnce(page, url) {
  await page.goto(url)
  await page.locator('.site-header').getByRole('button').click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Test Extension/ })
    .click()
  await page.getByRole('heading', { name: 'Test Extension', level: 2 }).waitFor()
  await page.reload()
  await accountButton(page).waitFor()
}

/** @param {Page} page */
function accountButton(page) {
  return page.locator('.site-header').getByRole('button', { name: /…/ })
}

/** @param {Page} page */
async function openAccount(page) {
  await accountButton(page).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Send', exact: true }).waitFor()
  return dialog
}

/** Opens a swap of ether for dollars without an amount. @param {Page} page */
async function openSwap(page) {
  const dialog = await openAccount(page)
  await dialog.getByRole('button', { name: 'Swap', exact: true }).click()
  await dialog.getByRole('button', { name: 'Select token' }).first().click()
  const all = dialog.getByRole('region', { name: 'All tokens' })
  await all.getByRole('button', { name: /Latch Dollar/ }).click()
  return dialog.getByRole('textbox', { name: 'Amount in ETH' })
}

/** Opens the review of a payment. @param {Page} page */
async function openReview(page) {
  const dialog = await openAccount(page)
  await dialog.getByRole('button', { name: 'Send', exact: true }).click()
  await dialog.getByRole('textbox', { name: 'Amount in ETH' }).fill('0.001')
  await dialog.getByRole('textbox', { name: 'To' }).fill(receiver)
  await dialog.getByRole('button', { name: 'Preview send' }).click()
  await dialog.getByRole('button', { name: 'Cancel' }).waitFor()
  return dialog.getByRole('button', { name: 'Send', exact: true })
}

/** Opens the registration of a name. @param {Page} page */
async function openNames(page) {
  const dialog = await openAccount(page)
  await dialog.getByRole('button', { name: 'Account settings' }).click()
  await dialog.getByRole('button', { name: 'Choose a name .latchkey.test' }).click()
  await dialog.getByRole('button', { name: 'Choose a name', exact: true }).click()
  return dialog.getByRole('textbox', { name: 'Name' })
}

/** Runs in the page. Notes when the page asks the wallet to send, with the browser's clock: test commands are slower. */
function noteWalletRequests() {
  const known = new WeakSet()
  addEventListener('eip6963:announceProvider', (event) => {
    const { provider } = Reflect.get(event, 'detail')
    if (known.has(provider)) return
    known.add(provider)
    const request = provider.request
    provider.request = (/** @type {{ method: string }} */ given) => {
      if (/^(eth_sendTransaction|wallet_sendCalls)$/.test(given.method)) dispatchEvent(new Event('wallet-asked'))
      return request(given)
    }
  })
}

/**
 * Runs in the page. Measures from the time stamp of the first event to the painted frame in which the modal has the
 * element, or to the request in the wallet.
 *
 * @param {{ event: string, until: string, text: string }} step
 */
function watchStep({ event, until, text }) {
  const end = (/** @type {Event} */ start) => Reflect.set(globalThis, 'stepTook', performance.now() - start.timeStamp)
  const isShown = () => {
    const modal = document.querySelector('latchkey-modal')?.shadowRoot
    return [...(modal?.querySelectorAll(until) ?? [])].some(
      (element) => element.getClientRects().length > 0 && new RegExp(text).test(element.textContent ?? ''),
    )
  }
  addEventListener(
    event,
    (start) => {
      if (until === 'wallet') return addEventListener('wallet-asked', () => end(start), { once: true })
      const look = () => {
        if (!isShown()) return requestAnimationFrame(look)
        // A frame is painted before the first task that follows its animation callbacks.
        const channel = new MessageChannel()
        channel.port1.onmessage = () => end(start)
        channel.port2.postMessage(undefined)
        return undefined
      }
      requestAnimationFrame(look)
      return undefined
    },
    { capture: true, once: true },
  )
}
