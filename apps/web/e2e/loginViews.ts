import { expect, openModal } from './fixtures.ts'
import {
  approveDevice,
  code,
  digitsOf,
  enterAddress,
  enterCode,
  expectConnected,
  logInAnew,
  mailTo,
  siteOf,
  someAddress,
} from './embeddedLogin.ts'
import type { ShownView, Stage } from './views.ts'

/** Opens the modal of a page that is on the frame's own host. */
async function openSite({ page, urls }: Stage): Promise<void> {
  await page.goto(`${siteOf(urls)}/account`)
  await openModal(page)
}

/** Logs in by mail and opens the account's settings. */
async function openSettings(stage: Stage): Promise<void> {
  const { page, urls } = stage
  await page.goto(`${siteOf(urls)}/account`)
  await logInAnew(page, urls, someAddress())
  await expectConnected(page)
  await openModal(page)
  const dialog = page.getByRole('dialog')
  // What is leaving is still there for a moment.
  await dialog.getByRole('button', { name: 'Account settings' }).last().click()
  await expect(dialog.getByRole('button', { name: /^Recovery methods/ })).toBeVisible()
}

/** The views of logging in, as the real services answer them. */
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
      await expect(stage.page.getByRole('heading', { level: 1, name: 'All Socials' })).toBeVisible()
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
]
