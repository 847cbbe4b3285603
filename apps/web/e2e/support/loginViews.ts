import type { Page } from '@playwright/test'
import { expect, openModal } from './fixtures.ts'
import {
  addressesOf,
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
} from './embeddedLogin.ts'
import { chooseSocial, expectProviderPage } from './embeddedSocialLogin.ts'
import type { ShownView, Stage } from './shownView.ts'

/** Opens the modal of a page on the frame's own host. */
async function openSite({ page, urls }: Stage): Promise<void> {
  await page.goto(`${siteOf(urls)}/account`)
  await openModal(page)
}

/** Logs in by e-mail. */
async function logInToAccount({ page, urls }: Stage): Promise<void> {
  await page.goto(`${siteOf(urls)}/account`)
  await logInAsNewUser(page, urls, someAddress())
  await expectConnected(page)
}

/** Waits until the approval is visible and accepts clicks. */
async function expectArmed(page: Page): Promise<void> {
  await expect(screenOf(page).locator('#stage')).toHaveAttribute('data-armed', 'true')
}

/** Logs in by e-mail and opens the account's settings. */
async function openSettings(stage: Stage): Promise<void> {
  const { page } = stage
  await logInToAccount(stage)
  await openModal(page)
  const dialog = page.getByRole('dialog')
  // The leaving view stays for a moment.
  await dialog.getByRole('button', { name: 'Account settings' }).last().click()
  await expect(dialog.getByRole('button', { name: /^Recovery methods/ })).toBeVisible()
}

/** The login views with real services. */
export const loginViews: readonly ShownView[] = [
  {
    name: 'Connect, a typing error',
    async show(stage) {
      await openSite(stage)
      await stage.page.getByRole('textbox', { name: 'Email address' }).fill('ann@gmial.com')
      await expect(stage.page.getByRole('dialog').getByText('Did you mean')).toBeVisible()
    },
  },
  {
    name: 'ConnectSocials',
    async show(stage) {
      await openSite(stage)
      await stage.page.getByRole('dialog').getByRole('button', { name: 'More logins' }).click()
      await expect(stage.page.getByRole('heading', { level: 1, name: 'All socials' })).toBeVisible()
    },
  },
  {
    name: 'EmailVerifyDevice',
    async show({ page, urls }) {
      await page.goto(`${siteOf(urls)}/account`)
      const dialog = await enterAddress(page, someAddress())
      await digitsOf(dialog)
    },
  },
  {
    name: 'EmailVerifyOtp, a wrong code',
    async show({ page, urls }) {
      await page.goto(`${siteOf(urls)}/account`)
      const address = someAddress()
      const dialog = await enterAddress(page, address)
      await approveDevice(page.context(), urls, address, await digitsOf(dialog))
      const { found } = await mailTo(urls, address, code)
      await enterCode(page, found === '999999' ? '999998' : '999999')
      await expect(dialog.getByRole('textbox', { name: 'Six-digit code' })).toHaveAttribute('aria-invalid', 'true')
    },
  },
  { name: 'AccountSettings, with a login', show: openSettings },
  {
    name: 'AccountSettings, another kind of account',
    async show(stage) {
      await openSettings(stage)
      const dialog = stage.page.getByRole('dialog')
      await dialog.getByRole('button', { name: /Switch to your/ }).click()
      await expect(dialog.getByRole('button', { name: 'Switch', exact: true })).toBeVisible()
    },
  },
  {
    name: 'UpdateEmail',
    async show(stage) {
      await openSettings(stage)
      const dialog = stage.page.getByRole('dialog')
      await dialog.getByRole('button', { name: /@mail\.example Email address$/ }).click()
      await expect(dialog.getByRole('textbox', { name: 'New email address' })).toBeVisible()
    },
  },
  {
    name: 'ConnectingSocial, its window open',
    async show(stage) {
      await openSite(stage)
      const opened = stage.page.waitForEvent('popup')
      await stage.page.getByRole('dialog').getByRole('button', { name: 'Continue with Google' }).click()
      await expectProviderPage(await opened, 'Google')
      await stage.page.bringToFront()
    },
  },
  {
    name: 'ConnectingFarcaster',
    async show({ page, urls }) {
      await page.goto(`${siteOf(urls)}/account`)
      const dialog = await chooseSocial(page, 'Farcaster')
      await expect(dialog.getByRole('img', { name: 'QR code to scan with a phone' })).toBeVisible()
    },
  },
  {
    name: 'ApproveTransaction, a message',
    async show(stage) {
      await logInToAccount(stage)
      await stage.page.getByRole('button', { name: 'Sign', exact: true }).click()
      await expectArmed(stage.page)
    },
  },
  {
    name: 'ApproveTransaction, a payment',
    async show(stage) {
      const { page, urls } = stage
      await logInToAccount(stage)
      await fund(urls, await addressesOf(page))
      await page.getByRole('form', { name: /^Send/ }).getByRole('button', { name: 'Send' }).click()
      await expectArmed(page)
    },
  },
  {
    name: 'ApproveTransaction, recovery methods',
    async show(stage) {
      await openSettings(stage)
      await stage.page
        .getByRole('dialog')
        .getByRole('button', { name: /^Recovery methods/ })
        .click()
      await expect(screenOf(stage.page).getByRole('heading', { level: 1 })).toBeVisible()
    },
  },
]
