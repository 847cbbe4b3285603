import {
  addressesOf,
  approveDevice,
  code,
  enterCode,
  expectConnected,
  logInAsNewUser,
  mailTo,
  respond,
  screenOf,
  siteOf,
  someAddress,
  waitUntilMailedAgain,
} from '../support/embeddedLogin.ts'
import { expect, openModal, openSettings, test } from '../support/fixtures.ts'

test(
  'change of the e-mail address is confirmed by a code, by a link with the digits of the frame, and by a second code [C-01] [K-11]',
  { tag: '@variant' },
  async ({ page, urls }) => {
    const [address, next] = [someAddress(), someAddress('moved')]
    await page.goto(`${siteOf(urls)}/account`)
    await logInAsNewUser(page, urls, address)
    await expectConnected(page)
    const before = await addressesOf(page)
    const { id } = await mailTo(urls, address, code)
    await waitUntilMailedAgain(page)

    const dialog = await openModal(page)
    await openSettings(dialog)
    await dialog.getByRole('button', { name: /Email address$/ }).click()
    await dialog.getByRole('textbox', { name: 'New email address' }).fill(next)
    await dialog.getByRole('button', { name: 'Save' }).click()
    const screen = screenOf(page)
    await expect(screen.getByRole('heading', { name: 'Change your email address?' })).toBeVisible()
    await expect(screen.getByText(next)).toBeVisible()
    await expect(screen.getByText('There are three steps', { exact: false })).toBeVisible()
    await respond(page, 'Change address')

    await expect(dialog.getByRole('heading', { name: 'Confirm current email' })).toBeVisible()
    await enterCode(page, (await mailTo(urls, address, code, id)).found)
    const digits = screen.locator('.match')
    await expect(digits).toHaveText(/^\d\d$/)
    await expect(screen.getByText(next)).toBeVisible()
    await approveDevice(page.context(), urls, next, await digits.innerText())
    await expect(dialog.getByRole('heading', { name: 'Confirm new email' })).toBeVisible()
    await enterCode(page, (await mailTo(urls, next, code)).found)
    await expect(dialog.getByText('Email address changed')).toBeVisible()
    await expect(dialog.getByRole('button', { name: `${next} Email address` })).toBeVisible()
    await dialog.getByRole('button', { name: 'Close' }).click()
    expect(await addressesOf(page)).toEqual(before)
  },
)
