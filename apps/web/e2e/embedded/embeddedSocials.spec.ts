import { denyProviderLogin } from '@latchkey/testkit/playwright'
import { connectButton, expect, test } from '../support/fixtures.ts'
import { addressesOf, respond, expectConnected, siteOf } from '../support/embeddedLogin.ts'
import {
  allow,
  beginSocial,
  chooseSocial,
  confirmLogin,
  enterCode,
  expectProviderPage,
  frameLoaded,
  identify,
  logInBy,
  startMirror,
  providers,
  createPerson,
  windowDigitsOf,
} from '../support/embeddedSocialLogin.ts'

test.beforeEach(async ({ page, urls }) => {
  await page.goto(`${siteOf(urls)}/account`)
})

for (const provider of providers) {
  // One provider represents all of them in `npm run test:browsers`. The attack below logs in for every change.
  const tag = provider === 'Google' ? '@extended' : '@long'
  test(
    `${provider} login opens a wallet that signs, and the same wallet on a second device [R1.1] [R5.3.2]`,
    { tag },
    async ({ page, urls, browser }) => {
      const who = createPerson()
      await logInBy(page, provider, who)
      await expectConnected(page)
      await page.getByRole('button', { name: 'Sign' }).click()
      await respond(page, 'Approve')
      await expect(page.getByText('The signature verifies.')).toBeVisible()
      const first = await addressesOf(page)

      const other = await browser.newContext()
      const elsewhere = await other.newPage()
      await elsewhere.goto(`${siteOf(urls)}/account`)
      await logInBy(elsewhere, provider, who)
      await expectConnected(elsewhere)
      expect(await addressesOf(elsewhere)).toEqual(first)
      await other.close()
    },
  )
}

test('login in a known browser asks the provider once [R5.3.2]', { tag: '@variant' }, async ({ page }) => {
  const who = createPerson()
  await logInBy(page, 'GitHub', who)
  await expectConnected(page)
  await page.getByRole('button', { name: 'Disconnect' }).first().click()
  await expect(connectButton(page)).toHaveText('Connect')
  const { window } = await beginSocial(page, 'GitHub')
  const closed = window.waitForEvent('close')
  await identify(window, who)
  await closed
  await expectConnected(page)
})

test('two accounts at one provider open two different wallets', { tag: '@long' }, async ({ page }) => {
  await logInBy(page, 'Google', createPerson())
  await expectConnected(page)
  const first = await addressesOf(page)
  await page.getByRole('button', { name: 'Disconnect' }).first().click()
  await expect(connectButton(page)).toHaveText('Connect')
  await logInBy(page, 'Google', createPerson())
  await expectConnected(page)
  const second = await addressesOf(page)
  expect(second.evm).not.toBe(first.evm)
  expect(second.solana).not.toBe(first.solana)
})

test(
  'Farcaster login by QR code and link opens a wallet, and a second login opens the same one [R1.1] [R2.2.3]',
  { tag: ['@chromium', '@extended'] },
  async ({ page, browser, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const approveIn = async (): Promise<void> => {
      await page.getByRole('dialog').getByRole('button', { name: 'Copy link' }).click()
      const link = await page.evaluate(() => navigator.clipboard.readText())
      const application = await browser.newContext()
      const phone = await application.newPage()
      await phone.goto(link)
      await expect(phone.getByText('wants to know who you are on Farcaster', { exact: false })).toBeVisible()
      await phone.getByRole('button', { name: 'Approve as ann' }).click()
      await expect(phone.getByRole('heading', { name: 'Approved' })).toBeVisible()
      await application.close()
    }
    const dialog = await chooseSocial(page, 'Farcaster')
    await expect(dialog.getByRole('img', { name: 'QR code to scan with a phone' })).toBeVisible()
    await approveIn()
    await expectConnected(page)
    const first = await addressesOf(page)

    await page.getByRole('button', { name: 'Disconnect' }).first().click()
    await expect(connectButton(page)).toHaveText('Connect')
    await chooseSocial(page, 'Farcaster')
    await approveIn()
    await expectConnected(page)
    expect(await addressesOf(page)).toEqual(first)
  },
)

test('Farcaster login after Back creates a new link [R2.2.3]', { tag: '@long' }, async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const linkOf = async (): Promise<string> => {
    await page.getByRole('dialog').getByRole('button', { name: 'Copy link' }).click()
    return page.evaluate(() => navigator.clipboard.readText())
  }
  const dialog = await chooseSocial(page, 'Farcaster')
  const first = await linkOf()
  await dialog.getByRole('button', { name: 'Back' }).click()
  await dialog.getByRole('button', { name: 'Continue with Farcaster' }).click()
  await expect(dialog.getByRole('img', { name: 'QR code to scan with a phone' })).toBeVisible()
  expect(await linkOf()).not.toBe(first)
})

test('login denied at the provider shows an error and can be retried [I-11]', { tag: '@long' }, async ({ page }) => {
  const { dialog, window } = await beginSocial(page, 'Google')
  await denyProviderLogin(window)
  await expect(dialog.getByText('Could not log in with Google')).toBeVisible()
  await expect(dialog.getByText('You did not allow it there.', { exact: false })).toBeVisible()

  const again = page.waitForEvent('popup')
  await dialog.getByRole('button', { name: 'Try again' }).click()
  const second = await again
  await expectProviderPage(second, 'Google')
  await allow(second, createPerson())
  await expectConnected(page)
})

test(
  'closed login window shows an error, returns to the other logins and can be reopened [I-11]',
  { tag: '@variant' },
  async ({ page }) => {
    const { dialog, window } = await beginSocial(page, 'Discord')
    await window.close()
    await page.bringToFront()
    await expect(dialog.getByText('The window was closed')).toBeVisible({ timeout: 60_000 })
    await expect(connectButton(page)).toHaveText('Connect')
    await dialog.getByRole('button', { name: 'Log in another way' }).click()
    await expect(dialog.getByRole('textbox', { name: 'Email address' })).toBeVisible()

    const again = page.waitForEvent('popup')
    await dialog.getByRole('button', { name: 'Continue with Discord' }).click()
    await allow(await again, createPerson())
    await expectConnected(page)
  },
)

test('blocked login window opens with a second click [I-11]', { tag: '@variant' }, async ({ page }) => {
  await page.addInitScript(() => {
    const real = globalThis.open
    let isShut = true
    globalThis.open = (...given) => {
      if (!isShut) return real(...given)
      isShut = false
      return null
    }
  })
  await page.reload()
  const dialog = await chooseSocial(page, 'Google')
  await expect(dialog.getByText('The window was blocked')).toBeVisible()
  await frameLoaded(page)
  const opened = page.waitForEvent('popup')
  await dialog.getByRole('button', { name: 'Open the window' }).click()
  const window = await opened
  await expectProviderPage(window, 'Google')
  await allow(window, createPerson())
  await expectConnected(page)
})

test(
  'pressing Back while the login window is open closes it and stays disconnected',
  { tag: '@variant' },
  async ({ page }) => {
    const { dialog, window } = await beginSocial(page, 'X')
    const closed = window.waitForEvent('close')
    await page.bringToFront()
    await dialog.getByRole('button', { name: 'Back' }).click()
    await closed
    await expect(dialog.getByRole('textbox', { name: 'Email address' })).toBeVisible()
    await expect(connectButton(page)).toHaveText('Connect')
  },
)

for (const host of ['localhost', 'dapp-b.localhost']) {
  test(
    `login on a second site at http://${host} opens the same wallet [R1.1]`,
    { tag: '@long' },
    async ({ page, urls }) => {
      const who = createPerson()
      await logInBy(page, 'Apple', who)
      await expectConnected(page)
      const first = await addressesOf(page)
      const other = await startMirror(urls.web, { host })
      try {
        await page.goto(`${other.url}/account`)
        await expect(connectButton(page)).toHaveText('Connect')
        await logInBy(page, 'Apple', who)
        await expectConnected(page)
        expect(await addressesOf(page)).toEqual(first)
        await page.getByRole('button', { name: 'Sign' }).click()
        await respond(page, 'Approve')
        await expect(page.getByText('The signature verifies.')).toBeVisible()
      } finally {
        await other.close()
      }
    },
  )
}

test(
  'login succeeds on a page with Cross-Origin-Opener-Policy same-origin [I-11]',
  { tag: '@variant' },
  async ({ page, urls }) => {
    const other = await startMirror(urls.web, { headers: { 'cross-origin-opener-policy': 'same-origin' } })
    try {
      // Only the page's focus tells whether an isolated window has closed, and under Playwright every page has focus.
      await page.addInitScript(() => (document.hasFocus = () => false))
      await page.goto(`${other.url}/account`)
      const { dialog, window } = await beginSocial(page, 'GitHub')
      const digits = await windowDigitsOf(dialog)
      const who = createPerson()
      await identify(window, who)
      await confirmLogin(window, digits)
      await expectProviderPage(window, 'GitHub')
      await identify(window, who)
      await expect(window.getByRole('heading', { name: 'Almost done' })).toBeVisible()
      await page.bringToFront()
      await enterCode(page, window)
      await expectConnected(page)
    } finally {
      await other.close()
    }
  },
)

test('login link that a victim opens in the same browser on another page logs no attacker in [A-21]', async ({
  page,
  context,
  urls,
}) => {
  const { dialog, window } = await beginSocial(page, 'Google')
  const link = window.url()
  const lure = await context.newPage()
  await lure.goto(`${siteOf(urls)}/account`)
  const popup = lure.waitForEvent('popup')
  await lure.evaluate((url) => void globalThis.open(url, '_blank', 'popup'), link)
  const victim = await popup
  await expectProviderPage(victim, 'Google')
  await identify(victim, createPerson())
  // The page of the victim has no frame that began this login, so the window asks for the digits.
  await expect(victim.getByRole('heading', { name: 'Did you start this login?' })).toBeVisible()
  await expect(victim.getByText(siteOf(urls))).toBeVisible()
  await expect(connectButton(page)).toHaveText('Connect')
  await expect(dialog.getByRole('heading', { name: 'Google' })).toBeVisible()
})
