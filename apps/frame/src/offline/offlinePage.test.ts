import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { chromium, type Browser, type Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildOfflinePage } from '../../buildOfflinePage.ts'
import { chromiumArguments, findHeadlessChromium } from '../../../../scripts/lib/chromium.mjs'
import { decodeKeyShare } from '../custody/keyShare.ts'
import { writeRecoveryFile } from '../custody/recoveryFile.ts'
import { exportSecrets } from '../custody/secrets.ts'
import { stretchWithArgon2 } from '../custody/stretchWithArgon2.ts'
import { startCustodyWorld } from '../testing/custodyWorld.ts'
import { createWallet, type OpenWallet } from '../wallet/enrol.ts'

const password = 'four calm herons'

let folder: string
let browser: Browser
let wallet: OpenWallet

/** Creates a wallet at the real services, saves its recovery file and ends the services. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'latchkey-offline-'))
  const world = await startCustodyWorld({ layout: 'split' })
  const device = await world.fresh('ann@example.org')
  const key = await device.shares.autoKey()
  wallet = await createWallet(device, [{ id: 'auto', method: 'auto', key, facts: '{}' }], world.now())
  const [local, remote] = [await device.device.read(), await device.auth.own()]
  if (local === undefined || remote === undefined) throw new Error('The device is not enrolled.')
  const shares = [decodeKeyShare(local.share), decodeKeyShare(remote.share)] as const
  const options = { password, now: world.now(), stretch: stretchWithArgon2 }
  await writeFile(join(folder, 'recovery.json'), await writeRecoveryFile({ shares, vault: local.vault }, options))
  await world.close()
  await writeFile(join(folder, 'recover.html'), await buildOfflinePage(join(import.meta.dirname, '../..')))
  browser = await chromium.launch({ executablePath: findHeadlessChromium(), args: [...chromiumArguments] })
})

afterAll(async () => {
  await browser?.close()
  await rm(folder, { recursive: true, force: true })
})

type OfflinePage = { readonly page: Page; readonly requests: readonly string[]; readonly violations: readonly string[] }

/** Opens the saved page from the disk in a browser without a network. */
async function openPage({ offline = true } = {}): Promise<OfflinePage> {
  const context = await browser.newContext({ offline, locale: 'en-US' })
  const page = await context.newPage()
  const requests: string[] = []
  const violations: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  page.on('console', (message) => message.type() === 'error' && violations.push(message.text()))
  await page.goto(pathToFileURL(join(folder, 'recover.html')).href)
  return { page, requests, violations }
}

async function openFile({ page }: OfflinePage, file: string, word: string): Promise<void> {
  await page.getByLabel('Your recovery file').setInputFiles(join(folder, file))
  await page.getByLabel('Password').fill(word)
  await page.getByRole('button', { name: 'Open wallet' }).click()
}

test(
  'the saved page rebuilds the wallet from two shares while all services are off [S-12]',
  { tags: 'abuse' },
  async () => {
    const opened = await openPage()
    const { page } = opened
    await openFile(opened, 'recovery.json', password)
    await page.getByRole('button', { name: 'Show my keys' }).waitFor()
    for (const { address } of wallet.accounts) expect(await page.getByText(address).isVisible()).toBe(true)
    await page.getByRole('button', { name: 'Show my keys' }).click()
    const { phrase } = await exportSecrets(wallet.entropy)
    const hold = page.getByRole('button', { name: 'Press and hold to see: Recovery phrase' })
    expect(await page.content()).not.toContain(phrase)
    await hold.dispatchEvent('pointerdown', { isPrimary: true })
    expect(await page.getByText(phrase).isVisible()).toBe(true)
    expect(opened.violations).toEqual([])
    expect(opened.requests).toEqual([pathToFileURL(join(folder, 'recover.html')).href])
    await page.context().close()
  },
)

test('the saved page names a wrong password or file, and shows no keys [S-12]', { tags: 'abuse' }, async () => {
  const opened = await openPage()
  await openFile(opened, 'recovery.json', 'three calm herons')
  await opened.page.getByText('This password does not open the file').waitFor()
  await openFile(opened, 'recover.html', password)
  await opened.page.getByText('This is not a recovery file.').waitFor()
  expect(await opened.page.getByRole('button', { name: 'Show my keys' }).count()).toBe(0)
  await opened.page.context().close()
})

test('the policy of the saved page stops requests and injected scripts, even with a network [S-12]', async () => {
  const arrived: string[] = []
  const thief = createServer(({ url = '' }, response) => {
    arrived.push(url)
    response.setHeader('access-control-allow-origin', '*').end()
  })
  await new Promise<void>((resolve) => {
    thief.listen(0, '127.0.0.1', resolve)
  })
  // A server that listens on a port has an address of this form.
  const { port } = thief.address() as AddressInfo
  const { page } = await openPage({ offline: false })
  const attempts = await page.evaluate(async (url) => {
    const outcomeOf = (attempt: Promise<unknown>) =>
      attempt.then(
        () => 'sent',
        () => 'stopped',
      )
    const image = new Promise((resolve, reject) => {
      const element = new Image()
      element.addEventListener('load', resolve)
      element.addEventListener('error', reject)
      element.src = `${url}/image`
    })
    const script = document.createElement('script')
    script.textContent = 'document.title = "injected"'
    document.body.append(script)
    navigator.sendBeacon(`${url}/beacon`, 'secret')
    return [await outcomeOf(fetch(`${url}/fetch`)), await outcomeOf(image), document.title]
  }, `http://127.0.0.1:${port}`)
  expect(attempts).toEqual(['stopped', 'stopped', 'Open a recovery file · Latchkey'])
  await page.context().close()
  expect(arrived).toEqual([])
  thief.close()
})
