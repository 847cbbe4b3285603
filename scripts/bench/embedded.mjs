// Logins and signatures of the embedded wallet: a real browser, the real local world, real mail.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { startWorld } from '@latchkey/devnet'
import { root } from '../lib/root.mjs'
import { launchBrowser, median } from './site.mjs'

const addressOf = (/** @type {number} */ round) => `bench-${process.pid}-${round}@mail.example`

/**
 * @param {Readonly<Record<string, string>>} options `rounds`: how many logins are measured
 * @returns {Promise<import('../bench.mjs').Figure[]>}
 */
export async function measure({ rounds: asked = '5' }) {
  const rounds = Number(asked)
  const dataDir = mkdtempSync(join(tmpdir(), 'latchkey-bench-'))
  const world = await startWorld({ dataDir, root, env: { MAIL_PAUSE_SECONDS: '1' } })
  const browser = await launchBrowser()
  /** @type {Record<'asked' | 'fresh' | 'known' | 'signed', number[]>} */
  const times = { asked: [], fresh: [], known: [], signed: [] }
  try {
    for (let round = 0; round <= rounds; round += 1) {
      const found = await logInTwice(browser, world.urls, addressOf(round))
      // The first one warms server and browser.
      if (round > 0)
        for (const name of /** @type {const} */ (['asked', 'fresh', 'known', 'signed'])) times[name].push(found[name])
    }
  } finally {
    await browser.close()
    await world.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
  return [
    {
      name: 'address entered to code asked, known device, median',
      value: median(times.asked),
      unit: 'ms',
      budget: 400,
    },
    { name: 'code to connected, known device, median', value: median(times.known), unit: 'ms', budget: 600 },
    { name: 'code to connected, new device, median', value: median(times.fresh), unit: 'ms', budget: 1500 },
    { name: 'signature approved to returned, median', value: median(times.signed), unit: 'ms', budget: 60 },
    { name: 'the frame before keys are needed, gzip', value: weigh(), unit: 'kB', budget: 90 },
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
    await page.addInitScript(noteAnswers)
    // On one site with the frame, which a browser of tests grants no storage on another.
    await page.goto(`${urls.web.replace('127.0.0.1', 'localhost')}/account`)
    const dialog = page.getByRole('dialog')
    await enter(page, address)
    await dialog.getByRole('heading', { name: 'Register Device' }).waitFor()
    const digits = (await dialog.locator('.match .hidden').innerText()).replaceAll(' ', '')
    const link = await mailed(urls, address, /(https?:\/\/\S+\?\S+)/)
    const approval = await context.newPage()
    await approval.goto(link.text)
    await approval.getByLabel('The two digits that the other window shows').fill(digits)
    await approval.getByRole('button', { name: 'Yes, this is me' }).click()
    await approval.close()
    await dialog.getByRole('heading', { name: 'Confirm Email' }).waitFor()
    const first = await mailed(urls, address, /(?:^|\s)(\d{6})(?:\s|\.|$)/m, link.id)
    const fresh = await connectBy(page, first.text)
    const signed = await signOnce(page)
    await page.getByRole('button', { name: 'Disconnect' }).first().click()
    await page.waitForTimeout(mailPause)
    await page.reload()
    const asked = await enter(page, address, dialog.getByRole('heading', { name: 'Confirm Email' }))
    const second = await mailed(urls, address, /(?:^|\s)(\d{6})(?:\s|\.|$)/m, first.id)
    const known = await connectBy(page, second.text)
    return { asked, fresh, known, signed }
  } finally {
    await context.close()
  }
}

/** As long as this world's services want between two mails to one address. */
const mailPause = 1_000

/**
 * @param {import('playwright').Page} page
 * @param {string} address
 * @param {import('playwright').Locator} [next] what is waited for
 */
async function enter(page, address, next) {
  await page.getByRole('button', { name: 'Connect', exact: true }).first().click()
  const field = page.getByRole('dialog').getByRole('textbox', { name: 'Email address' })
  await field.pressSequentially(address, { delay: 20 })
  const start = performance.now()
  await field.press('Enter')
  await next?.waitFor()
  return performance.now() - start
}

/** @param {import('playwright').Page} page @param {string} code */
async function connectBy(page, code) {
  const field = page.getByRole('textbox', { name: 'Six-digit code' })
  await field.waitFor()
  const start = performance.now()
  await field.fill(code)
  await page.getByText('Email & Socials').first().waitFor()
  return performance.now() - start
}

/**
 * From the click in the frame to its answer in the page, by the browser's own clock: a test's own hands are slower.
 *
 * @param {import('playwright').Page} page
 */
async function signOnce(page) {
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Sign', exact: true }).click()
  const frame = page.frameLocator('#latchkey-frame')
  const approve = frame.getByRole('button', { name: 'Approve' })
  await approve.hover()
  await frame.locator('#stage[data-armed=true]').waitFor()
  await approve.evaluate((button) =>
    button.addEventListener('click', () => (button.ownerDocument.title = String(Date.now())), { capture: true }),
  )
  const title = approve.evaluateHandle((button) => button.ownerDocument)
  await approve.click()
  await page.getByText('The signature verifies.').waitFor()
  const start = Number(await (await title).evaluate(({ title }) => title))
  const end = await page.evaluate(() => Reflect.get(globalThis, 'answeredAt'))
  return end - start
}

/** Notes in the page when the frame answered a request last. */
function noteAnswers() {
  const { addEventListener } = MessagePort.prototype
  Object.defineProperty(MessagePort.prototype, 'start', {
    value: new Proxy(MessagePort.prototype.start, {
      apply(start, port) {
        Reflect.apply(addEventListener, port, [
          'message',
          (/** @type {MessageEvent} */ { data }) => {
            if (data.type === '@w3m-frame/RPC_REQUEST_SUCCESS') Reflect.set(globalThis, 'answeredAt', Date.now())
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
async function mailed({ mailbox }, address, wanted, after = 0) {
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

/** What the frame's page names itself, and the first part of its worker. */
function weigh() {
  const dist = join(root, 'apps/frame/dist')
  const page = readFileSync(join(dist, 'sdk/index.html'), 'utf8')
  const named = [...page.matchAll(/(?:src|href)="\/(assets\/[^"]+)"/g)].map(([, path]) => path ?? '')
  const worker = readdirSync(join(dist, 'assets')).filter((name) => /^(holder|worker)-.*\.js$/.test(name))
  const files = [...named, ...worker.map((name) => `assets/${name}`)]
  return files.reduce((sum, file) => sum + gzipSync(readFileSync(join(dist, file))).length, 0) / 1_000
}
