import type { Locator, Page } from '@playwright/test'
import { connectButton, expect, openModal, test } from '../support/fixtures.ts'
import {
  addressesOf,
  respond,
  approveDevice,
  code,
  digitsOf,
  enterAddress,
  enterCode,
  expectConnected,
  fund,
  logInAsNewUser,
  mailTo,
  screenOf,
  siteOf,
  someAddress,
  waitUntilMailedAgain,
} from '../support/embeddedLogin.ts'

test.beforeEach(async ({ page, urls }) => {
  await page.goto(`${siteOf(urls)}/account`)
})

test('frame is not loaded before a login starts', async ({ page, urls }) => {
  const requests: string[] = []
  page.on('request', (request) => void (request.url().startsWith(urls.frame) && requests.push(request.url())))
  await openModal(page)
  await expect(page.getByRole('textbox', { name: 'Email address' })).toBeVisible()
  await expect(page.locator('#latchkey-frame')).toHaveCount(0)
  expect(requests).toEqual([])
})

test('email login opens a wallet in two namespaces that signs, pays, reconnects and disconnects [R1.1] [R1.5]', async ({
  page,
  urls,
}) => {
  await logInAsNewUser(page, urls, someAddress())
  await expectConnected(page)
  await page.getByRole('button', { name: 'Sign' }).click()
  await respond(page, 'Approve')
  await expect(page.getByText('The signature verifies.')).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)

  await fund(urls, await addressesOf(page))
  await page.getByRole('button', { name: 'Send' }).click()
  await respond(page, 'Approve')
  await expect(page.getByText(/Mined in block \d+\./)).toBeVisible()

  await page.getByRole('button', { name: 'Use Solana' }).click()
  await page.getByRole('button', { name: 'Sign' }).click()
  await respond(page, 'Approve')
  await expect(page.getByText('The signature verifies.')).toBeVisible()
  await page.getByRole('textbox', { name: 'To' }).fill('2yaW8VAMLhQiornz1BgcSWDUSH2jC2dmB8RWnTJi8Yab')
  await page.getByRole('button', { name: 'Send' }).click()
  await respond(page, 'Approve')
  await expect(page.getByText(/Mined in block \d+\./)).toBeVisible()
})

test(
  'email wallet reconnects after a reload without a prompt and stays disconnected after Disconnect [R4.1.2]',
  { tag: '@variant' },
  async ({ page, urls }) => {
    await logInAsNewUser(page, urls, someAddress())
    await expectConnected(page)
    const before = await addressesOf(page)
    await page.reload()
    await expect(connectButton(page)).toContainText('0x')
    expect(await addressesOf(page)).toEqual(before)
    await page.getByRole('button', { name: 'Sign' }).click()
    await respond(page, 'Approve')
    await expect(page.getByText('The signature verifies.')).toBeVisible()

    await page.getByRole('button', { name: 'Disconnect' }).first().click()
    await expect(connectButton(page)).toHaveText('Connect')
    await expect(page.locator('#latchkey-frame')).toHaveCount(0)
    await page.reload()
    await expect(connectButton(page)).toHaveText('Connect')
    await expect(page.locator('#latchkey-frame')).toHaveCount(0)
  },
)

test(
  'email login on a known device needs only the code and opens the same wallet',
  { tag: '@long' },
  async ({ page, urls }) => {
    const address = someAddress()
    await logInAsNewUser(page, urls, address)
    await expectConnected(page)
    const first = await addressesOf(page)
    await page.getByRole('button', { name: 'Disconnect' }).first().click()
    await expect(connectButton(page)).toHaveText('Connect')
    const { id } = await mailTo(urls, address, code)
    await waitUntilMailedAgain(page)
    await enterAddress(page, address)
    await expect(page.getByRole('heading', { name: 'Confirm email' })).toBeVisible()
    await enterCode(page, (await mailTo(urls, address, code, id)).found)
    await expectConnected(page)
    expect(await addressesOf(page)).toEqual(first)
  },
)

test('email login on a new device opens the same wallet once the device is approved', async ({
  page,
  urls,
  browser,
}) => {
  const address = someAddress()
  await logInAsNewUser(page, urls, address)
  await expectConnected(page)
  const first = await addressesOf(page)
  const { id } = await mailTo(urls, address, code)
  await waitUntilMailedAgain(page)
  const other = await browser.newContext()
  const elsewhere = await other.newPage()
  await elsewhere.goto(`${siteOf(urls)}/account`)
  const dialog = await enterAddress(elsewhere, address)
  await approveDevice(other, urls, address, await digitsOf(dialog), id)
  await enterCode(elsewhere, (await mailTo(urls, address, code, id)).found)
  await expectConnected(elsewhere)
  expect(await addressesOf(elsewhere)).toEqual(first)
  await other.close()
})

/** Returns the center of an element once it stops moving. A card moves while it opens. */
async function middleOf(target: Locator): Promise<{ x: number; y: number }> {
  let [last, { x, y }] = ['', { x: 0, y: 0 }]
  await expect(async () => {
    const box = await target.boundingBox()
    const before = last
    last = JSON.stringify(box)
    expect(before).toBe(last)
    x = (box?.x ?? 0) + (box?.width ?? 0) / 2
    y = (box?.y ?? 0) + (box?.height ?? 0) / 2
  }).toPass({ intervals: [100] })
  return { x, y }
}

test(
  'closing the modal or pressing Reject rejects the signature request, and the next one succeeds [R2.2.7]',
  { tag: '@variant' },
  async ({ page, urls }) => {
    await logInAsNewUser(page, urls, someAddress())
    await expectConnected(page)
    await page.getByRole('button', { name: 'Sign' }).click()
    await expect(screenOf(page).getByRole('button', { name: 'Approve' })).toBeVisible()
    // The frame is above the modal. Clicks next to the frame still reach the visible elements. A click misses a card that
    // grows at that moment, so the test clicks again, as a user does.
    const close = page.locator('latchkey-modal').getByRole('button', { name: 'Close', includeHidden: true })
    await expect(async () => {
      if (await close.isVisible()) {
        const { x, y } = await middleOf(close)
        await page.mouse.click(x, y)
      }
      await expect(close).toBeHidden({ timeout: 2_000 })
    }).toPass()
    await expect(page.getByRole('alert').filter({ hasText: 'Request was aborted' })).toBeVisible()
    await expect(page.getByRole('dialog')).toHaveCount(0)

    await page.getByRole('button', { name: 'Sign' }).click()
    await respond(page, 'Reject')
    await expect(page.getByRole('alert').filter({ hasText: 'rejected' })).toBeVisible()
    await expect(page.getByRole('dialog')).toHaveCount(0)

    await page.getByRole('button', { name: 'Sign' }).click()
    await respond(page, 'Approve')
    await expect(page.getByText('The signature verifies.')).toBeVisible()
  },
)

test('wrong email code shows an error, and the correct code then logs in', { tag: '@long' }, async ({ page, urls }) => {
  const address = someAddress()
  const dialog = await enterAddress(page, address)
  await approveDevice(page.context(), urls, address, await digitsOf(dialog))
  const { found } = await mailTo(urls, address, code)
  await enterCode(page, found === '000000' ? '000001' : '000000')
  await expect(dialog.getByRole('alert').filter({ hasText: /code/i })).toBeVisible()
  await enterCode(page, found)
  await expectConnected(page)
})

/** Denies the worker of the frame its storage, as a browser does that blocks the data of embedded sites. */
async function denyStorage(page: Page, { frame }: { readonly frame: string }): Promise<void> {
  const denial = `Object.defineProperty(self, 'indexedDB', { get() { throw new DOMException('Denied', 'SecurityError') } });`
  // Chromium does not know that a replaced response came from this machine.
  await page.context().grantPermissions(['local-network-access'])
  await page.context().route(`${new URL(frame).origin}/assets/main-*.js`, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, body: denial + (await response.text()) })
  })
}

test(
  'login without frame storage lasts until a reload, then shows as disconnected',
  { tag: '@long' },
  async ({ page, urls }) => {
    await denyStorage(page, urls)
    await logInAsNewUser(page, urls, someAddress())
    await expectConnected(page)
    await page.getByRole('button', { name: 'Sign' }).click()
    await respond(page, 'Approve')
    await expect(page.getByText('The signature verifies.')).toBeVisible()
    await page.reload()
    await expect(connectButton(page)).toHaveText('Connect')
    await expect(page.locator('#latchkey-frame')).toHaveCount(0)
  },
)

test(
  'second email within thirty seconds is refused with the remaining time [R5.3.6]',
  { tag: '@variant' },
  async ({ page }) => {
    const dialog = await enterAddress(page, someAddress())
    await expect(dialog.getByRole('heading', { name: 'Register device' })).toBeVisible()
    await dialog.getByRole('button', { name: 'Back' }).click()
    const field = dialog.getByRole('textbox', { name: 'Email address' })
    await field.fill(someAddress())
    await field.press('Enter')
    await expect(dialog.getByText(/Please try again after \d+ seconds/)).toBeVisible()
  },
)

test(
  'frame that fails to load shows an unreachable wallet and an invalid app configuration [R8.1.1] [R8.3.4]',
  { tag: '@variant' },
  async ({ page, urls }) => {
    await page.route(`${urls.frame}/**`, (route) => route.abort())
    const dialog = await enterAddress(page, someAddress())
    await expect(dialog.getByText('This wallet can’t be reached right now', { exact: false })).toBeVisible({
      timeout: 60_000,
    })
    await expect(dialog.getByText('Invalid App Configuration')).toBeVisible()
  },
)
