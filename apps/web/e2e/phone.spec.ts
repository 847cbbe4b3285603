import jsqr from 'jsqr'
import { PNG } from 'pngjs'
import { connectButton, expect, openModal, test } from './fixtures.ts'
import { approve, connectByLink, copiedLink, openPairing, openWallet } from './phoneWallet.ts'
import type { Locator, Page } from '@playwright/test'

test.describe('a visitor with a phone wallet', () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    test(`scans a code that a camera can read, ${colorScheme} [R4.7]`, async ({ page, urls }) => {
      await page.emulateMedia({ colorScheme })
      await page.goto(`${urls.web}/account`)
      const dialog = await openPairing(page)
      const seen = await readCode(dialog.getByRole('img', { name: /QR code/i }))
      await dialog.getByRole('button', { name: 'Copy link' }).click()
      expect(seen).toBe(await page.evaluate(() => navigator.clipboard.readText()))
      expect(seen).toMatch(/^wc:[0-9a-f]{64}@2\?.*symKey=[0-9a-f]{64}/)
    })
  }

  test('connects by the copied link, approves in the wallet, and sees his balances [R1.1] [R4.7] [R7.3.3]', async ({
    page,
    urls,
  }) => {
    await connectByLink(page, urls)
    const card = page.getByRole('region', { name: 'Latchkey Wallet' })
    await expect(card).toContainText(/\d+\.\d{3} ETH/)
    await expect(card).toContainText(/\d+\.\d{3} LUSD/)
  })

  test('signs, sends and switches network from the page while the wallet approves [R1.2] [R1.3] [R3.1]', async ({
    page,
    urls,
  }) => {
    const wallet = await connectByLink(page, urls)
    await page.getByRole('button', { name: 'Sign' }).click()
    await approve(wallet)
    await expect(page.getByText('The signature verifies.')).toBeVisible()

    await page.getByRole('button', { name: 'Send' }).click()
    await approve(wallet)
    await expect(page.getByText(/Mined in block \d+\./)).toBeVisible()

    await page.getByRole('button', { name: 'Latchkey Second' }).click()
    await expect(page.getByRole('region', { name: 'Latchkey Wallet' })).toContainText('Latchkey Second')
  })

  test('is shown by the wallet at the address that his browser tells the relay', async ({ page, urls }) => {
    await page.goto(`${urls.web}/account`)
    const dialog = await openPairing(page)
    const wallet = await openWallet(page, urls, await copiedLink(dialog, page))
    await expect(wallet.getByRole('dialog').getByText('Address matches')).toBeVisible()
    await approve(wallet)
    await expect(dialog).toBeHidden()
    await page.getByRole('button', { name: 'Sign' }).click()
    await expect(wallet.getByRole('dialog', { name: 'Sign a message' }).getByText('Address matches')).toBeVisible()
    await approve(wallet)
    await expect(page.getByText('The signature verifies.')).toBeVisible()
  })

  test('is still connected after both sides were reloaded [R3.1] [R4.3]', async ({ page, urls }) => {
    const wallet = await connectByLink(page, urls)
    await page.reload()
    await wallet.reload()
    await expect(connectButton(page)).toContainText('…')
    await page.getByRole('button', { name: 'Sign' }).click()
    await approve(wallet)
    await expect(page.getByText('The signature verifies.')).toBeVisible()
  })

  test('disconnects here, and the wallet notices [R4.1.1] [R4.1.2] [R4.7]', async ({ page, urls }) => {
    const wallet = await connectByLink(page, urls)
    const dialog = await openModal(page)
    await dialog.getByRole('button', { name: 'Disconnect' }).click()
    await expect(connectButton(page)).toHaveText('Connect')
    await expect(connectedApp(wallet)).toBeHidden()
  })

  test('disconnects in the wallet, and the page notices [R4.7]', async ({ page, urls }) => {
    const wallet = await connectByLink(page, urls)
    await connectedApp(wallet).click()
    await wallet.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click()
    await expect(connectButton(page)).toHaveText('Connect')
  })

  test('is told when the wallet declines, and can try again at once [R4.4]', async ({ page, urls }) => {
    await page.goto(`${urls.web}/account`)
    const dialog = await openPairing(page)
    const wallet = await openWallet(page, urls, await copiedLink(dialog, page))
    await wallet.getByRole('button', { name: 'Reject' }).click()
    await expect(dialog.getByText(/declined/i).first()).toBeVisible()
    await dialog.getByRole('button', { name: 'Make a new link' }).click()
    await expect(dialog.getByRole('img', { name: /QR code/i })).toBeVisible()
  })
})

/** The row of the page in the wallet's list of connected apps. */
function connectedApp(wallet: Page): Locator {
  return wallet.getByRole('button', { name: /^Latchkey/ })
}

/** What a camera would read. */
async function readCode(code: Locator): Promise<string | undefined> {
  const { data, width, height } = PNG.sync.read(await code.screenshot())
  return jsqr.default(new Uint8ClampedArray(data), width, height)?.data
}
