import { startMirror } from '../support/embeddedSocialLogin.ts'
import { connectButton, expect, test } from '../support/fixtures.ts'
import {
  addressesOf,
  respond,
  approveDevice,
  code,
  digitsOf,
  enterAddress,
  enterCode,
  expectConnected,
  logInAsNewUser,
  mailTo,
  screenOf,
  siteOf,
  someAddress,
} from '../support/embeddedLogin.ts'

test(
  'second site stays disconnected until the user allows it, then gets the same wallet',
  { tag: '@extended' },
  async ({ page, urls }) => {
    const address = someAddress()
    await page.goto(`${siteOf(urls)}/account`)
    await logInAsNewUser(page, urls, address)
    await expectConnected(page)
    const first = await addressesOf(page)
    const other = await startMirror(urls.web)
    try {
      await page.goto(`${other.url}/account`)
      await expect(connectButton(page)).toHaveText('Connect')
      await enterAddress(page, address)
      await expect(screenOf(page).getByText(other.url.replace('http://', ''), { exact: false })).toBeVisible()
      await respond(page, 'Connect')
      await expectConnected(page)
      expect(await addressesOf(page)).toEqual(first)
    } finally {
      await other.close()
    }
  },
)

test(
  'email wallet switches network, signs there, and logs the durations',
  { tag: '@variant' },
  async ({ page, urls }) => {
    await page.goto(`${siteOf(urls)}/account`)
    const address = someAddress()
    const started = performance.now()
    const dialog = await enterAddress(page, address)
    await expect(dialog.getByRole('heading', { name: 'Register device' })).toBeVisible()
    const elapsed = performance.now() - started
    await approveDevice(page.context(), urls, address, await digitsOf(dialog))
    const { found } = await mailTo(urls, address, code)
    const entered = performance.now()
    await enterCode(page, found)
    await expect(connectButton(page)).toContainText('0x')
    const connected = performance.now() - entered
    await expectConnected(page)
    await page.getByRole('button', { name: 'Latchkey Second', exact: true }).click()
    await expect(page.getByRole('button', { name: 'Latchkey Second', exact: true })).toHaveAttribute(
      'aria-pressed',
      'true',
    )
    await page.getByRole('button', { name: 'Sign' }).click()
    await expect(screenOf(page).getByText('Latchkey Second')).toBeVisible()
    await respond(page, 'Approve')
    const approved = performance.now()
    await expect(page.getByText('The signature verifies.')).toBeVisible()
    const verified = performance.now() - approved
    console.log(
      `address entered → link asked ${elapsed.toFixed(0)} ms, code → connected ${connected.toFixed(0)} ms, approved → verified ${verified.toFixed(0)} ms`,
    )
  },
)
