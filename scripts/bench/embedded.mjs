// Measures logins and signatures of the embedded wallet in a real browser with the local world and real mail.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { startWorld } from '@latchkey/devnet'
import { root } from '../lib/root.mjs'
import { launchBrowser, getMedian } from './site.mjs'

/** The figures of an earlier version, in milliseconds. A machine that runs other work exceeds them. */
const targets = { asked: 63, known: 261, fresh: 341, signed: 31 }

const addressOf = (/** @type {number} */ round) => `bench-${process.pid}-${round}@mail.example`

/**
 * @param {Readonly<Record<string, string>>} options `rounds`: number of measured logins
 * @returns {Promise<import('../bench.mjs').Figure[]>}
 */
export async function measure({ rounds: asked = '5' }) {
  const rounds = Number(asked)
  if (!Number.isInteger(rounds) || rounds < 1) throw new Error('The number of measured logins must be at least 1.')
  const dataDir = mkdtempSync(join(tmpdir(), 'latchkey-bench-'))
  const world = await startWorld({ dataDir, root, env: { MAIL_PAUSE_SECONDS: '1' } })
  const browser = await launchBrowser()
  /** @type {Record<'asked' | 'fresh' | 'known' | 'signed' | 'weight', number[]>} */
  const found = { asked: [], fresh: [], known: [], signed: [], weight: [] }
  try {
    for (let round = 0; round <= rounds; round += 1) {
      const one = await logInTwice(browser, world.urls, addressOf(round))
      // The first login warms up the server and the browser.
      if (round === 0) continue
      for (const name of /** @type {const} */ (['asked', 'fresh', 'known', 'signed', 'weight']))
        found[name].push(one[name])
    }
  } finally {
    await browser.close()
    await world.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
  return [
    {
      name: 'address entered to code asked, known device, median',
      value: getMedian(found.asked),
      unit: 'ms',
      budget: targets.asked,
    },
    {
      name: 'code to connected, known device, median',
      value: getMedian(found.known),
      unit: 'ms',
      budget: targets.known,
    },
    { name: 'code to connected, new device, median', value: getMedian(found.fresh), unit: 'ms', budget: targets.fresh },
    {
      name: 'signature approved to returned, median',
      value: getMedian(found.signed),
      unit: 'ms',
      budget: targets.signed,
    },
    {
      name: 'the frame until a link is mailed to a new device, gzip',
      value: getMedian(found.weight),
      unit: 'kB',
      budget: 90,
    },
  ]
}

/**
 * @param {import('playwright').Browser} browser
 * @param {import('@latchkey/devnet').WorldUrls} urls
 * @param {string} address
 */
async function logInTwice(browser, urls, address) {
  const context = await browser.newContext()
  try {
    const page = await context.newPage()
    await page.addInitScript(recordResponses)
    // Same site as the frame: test browsers block the frame's storage on other sites.
    await page.goto(`${urls.web.replace('127.0.0.1', 'localhost')}/account`)
    const dialog = page.getByRole('dialog')
    const weighed = weigh(page, urls.frame)
    await enterEmail(page, address, 'Register device')
    await dialog.getByRole('heading', { name: 'Register device' }).waitFor()
    const weight = await weighed()
    const digits = (await dialog.locator('.match .hidden').innerText()).replaceAll(' ', '')
    const link = await waitForMail(urls, address, /(https?:\/\/\S+\?\S+)/)
    const approval = await context.newPage()
    await approval.goto(link.text)
    await approval.getByLabel('The two digits that the other window shows').fill(digits)
    await approval.getByRole('button', { name: 'Yes, this is me' }).click()
    await approval.getByRole('heading', { name: 'Approved' }).waitFor()
    await approval.close()
    await page.bringToFront()
    await dialog.getByRole('heading', { name: 'Confirm email' }).waitFor()
    const first = await waitForMail(urls, address, /(?:^|\s)(\d{6})(?:\s|\.|$)/m, link.id)
    const fresh = await connectBy(page, first.text)
    const signed = await signOnce(page)
    await page.getByRole('button', { name: 'Disconnect' }).first().click()
    await page.waitForTimeout(mailPause)
    await page.reload()
    const asked = await (await enterEmail(page, address, 'Confirm email'))()
    const second = await waitForMail(urls, address, /(?:^|\s)(\d{6})(?:\s|\.|$)/m, first.id)
    const known = await connectBy(page, second.text)
    return { asked, fresh, known, signed, weight }
  } finally {
    await context.close()
  }
}

/** Minimum interval between two mails to an address in this world. */
const mailPause = 1_000

/**
 * Enters an address and submits it.
 *
 * @param {import('playwright').Page} page
 * @param {string} address
 * @param {string} heading
 * @returns {Promise<() => Promise<number>>} waits for the heading of the next view, and returns the milliseconds from the
 *   Enter key to it, by the browser's clock, because test commands are slower
 */
async function enterEmail(page, address, heading) {
  await page.getByRole('button', { name: 'Connect', exact: true }).first().click()
  const field = page.getByRole('dialog').getByRole('textbox', { name: 'Email address' })
  await field.pressSequentially(address, { delay: 20 })
  const measured = await field.evaluateHandle((input, text) => {
    const root = /** @type {Document | ShadowRoot} */ (input.getRootNode())
    // The heading of the view before stays until it has faded out.
    const isShown = () => [...root.querySelectorAll('h1')].some(({ textContent }) => textContent === text)
    /** @type {Promise<number>} */
    const shown = new Promise((resolve) => {
      input.addEventListener('keydown', ({ timeStamp }) => {
        const check = () => void (isShown() ? resolve(performance.now() - timeStamp) : requestAnimationFrame(check))
        check()
      })
    })
    return { shown }
  }, heading)
  await field.press('Enter')
  return () => measured.evaluate(({ shown }) => shown)
}

/** Minimum time in which a user opens the mail and types its code. The frame loads the next steps meanwhile. */
const typingTime = 2_000

/**
 * Enters a code, which submits it.
 *
 * @param {import('playwright').Page} page
 * @param {string} code
 * @returns {Promise<number>} milliseconds from the code to the page that shows the connection, by the browser's clock. A
 *   locator looks again after 20, 100, 100 and 500 ms, so it can notice the connection half a second late.
 */
async function connectBy(page, code) {
  const field = page.getByRole('textbox', { name: 'Six-digit code' })
  await field.waitFor()
  await page.waitForTimeout(typingTime)
  const measured = await field.evaluateHandle((input) => {
    const isShown = () => document.body.innerText.includes('Email & Socials')
    if (isShown()) throw new Error('The page shows a connection before the code was entered.')
    /** @type {Promise<number>} */
    const shown = new Promise((resolve) => {
      const listen = (/** @type {Event} */ { timeStamp }) => {
        const check = () => void (isShown() ? resolve(performance.now() - timeStamp) : requestAnimationFrame(check))
        check()
      }
      input.addEventListener('input', listen, { once: true })
    })
    return { shown }
  })
  await field.fill(code)
  return measured.evaluate(({ shown }) => shown)
}

/**
 * Measures from the click in the frame to the response in the page with the browser's clock, because test commands are
 * slower.
 *
 * @param {import('playwright').Page} page
 */
async function signOnce(page) {
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Sign', exact: true }).click()
  const frame = page.frameLocator('#latchkey-frame')
  const approve = frame.getByRole('button', { name: 'Approve' })
  await approve.evaluate((button) =>
    button.addEventListener('click', () => (button.ownerDocument.title = String(Date.now())), { capture: true }),
  )
  const title = approve.evaluateHandle((button) => button.ownerDocument)
  const verified = page.getByText('The signature verifies.')
  // The frame ignores clicks while it moves, so the click is repeated.
  while (!(await verified.isVisible())) {
    await approve.hover()
    await frame.locator('#stage[data-armed=true]').waitFor()
    await approve.click()
    await verified.waitFor({ timeout: 3_000 }).catch(() => {})
  }
  const start = Number(await (await title).evaluate(({ title }) => title))
  const end = await page.evaluate(() => Reflect.get(globalThis, 'respondedAt'))
  return end - start
}

/** Records in the page when the frame last responded to a request. */
function recordResponses() {
  const { addEventListener } = MessagePort.prototype
  Object.defineProperty(MessagePort.prototype, 'start', {
    value: new Proxy(MessagePort.prototype.start, {
      apply(start, port) {
        Reflect.apply(addEventListener, port, [
          'message',
          (/** @type {MessageEvent} */ { data }) => {
            if (data.type === '@w3m-frame/RPC_REQUEST_SUCCESS') Reflect.set(globalThis, 'respondedAt', Date.now())
          },
        ])
        return Reflect.apply(start, port, [])
      },
    }),
  })
}

/**
 * @param {import('@latchkey/devnet').WorldUrls} urls
 * @param {string} address
 * @param {RegExp} wanted
 * @param {number} [after]
 */
async function waitForMail({ mailbox }, address, wanted, after = 0) {
  for (;;) {
    /** @type {import('@latchkey/devnet').ReceivedMail[]} */
    const mails = await (await fetch(`${mailbox}/mails.json`)).json()
    for (const { id, to, text } of mails) {
      const found = id > after && to.includes(address) ? wanted.exec(text)?.[1] : undefined
      if (found !== undefined) return { id, text: found }
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/**
 * Sums up the sizes of all files that the browser fetches from the frame's origin from now on.
 *
 * @param {import('playwright').Page} page
 * @param {string} site
 * @returns {() => Promise<number>} stops the measurement and returns the compressed size in kB
 */
function weigh(page, site) {
  /** @type {Promise<number>[]} */
  const sizes = []
  const record = (/** @type {import('playwright').Response} */ response) => {
    if (new URL(response.url()).origin === new URL(site).origin)
      sizes.push(response.body().then((body) => gzipSync(body).length))
  }
  page.on('response', record)
  return async () => {
    page.off('response', record)
    return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0) / 1_000
  }
}
