import jsqr from 'jsqr'
import { PNG } from 'pngjs'
import { connectButton, expect, openModal, test } from './support/fixtures.ts'
import { approve, connectByLink, copyLink, openPairing, openWallet } from './support/phoneWallet.ts'
import type { Locator, Page } from '@playwright/test'

test.describe('phone wallet', () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    // A picture of an element adds a style to the page, which its policy blocks in Firefox.
    test(`QR code is readable by a scanner, ${colorScheme} [R4.7]`, { tag: '@chromium' }, async ({ page, urls }) => {
      await page.emulateMedia({ colorScheme })
      await page.goto(`${urls.web}/account`)
      const dialog = await openPairing(page)
      const seen = await readCode(dialog.getByRole('img', { name: /QR code/i }))
      expect(seen).toBe(await copyLink(dialog, page))
      expect(seen).toMatch(/^wc:[0-9a-f]{64}@2\?.*symKey=[0-9a-f]{64}/)
    })
  }

  test('connects by the copied link after approval in the wallet and shows balances [R1.1] [R4.7] [R7.3.3]', async ({
    page,
    urls,
  }) => {
    await connectByLink(page, urls)
    const card = page.getByRole('region', { name: 'Latchkey Wallet' })
    await expect(card).toContainText(/\d+\.\d{3} ETH/)
    await expect(card).toContainText(/\d+\.\d{3} LUSD/)
  })

  test('signs, sends and switches network after approval in the wallet [R1.2] [R1.3] [R3.1]', async ({
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

  test('wallet shows the origin that the browser sent to the relay', { tag: '@variant' }, async ({ page, urls }) => {
    await page.goto(`${urls.web}/account`)
    const dialog = await openPairing(page)
    const wallet = await openWallet(page, urls, await copyLink(dialog, page))
    await expect(wallet.getByRole('dialog').getByText('Address matches')).toBeVisible()
    await approve(wallet)
    await expect(dialog).toBeHidden()
    await page.getByRole('button', { name: 'Sign' }).click()
    await expect(wallet.getByRole('dialog', { name: 'Sign a message' }).getByText('Address matches')).toBeVisible()
    await approve(wallet)
    await expect(page.getByText('The signature verifies.')).toBeVisible()
  })

  test('stays connected after page and wallet reload [R3.1] [R4.3]', { tag: '@variant' }, async ({ page, urls }) => {
    const wallet = await connectByLink(page, urls)
    await page.reload()
    await wallet.reload()
    await expect(connectButton(page)).toContainText('…')
    await page.getByRole('button', { name: 'Sign' }).click()
    await approve(wallet)
    await expect(page.getByText('The signature verifies.')).toBeVisible()
  })

  test('disconnecting in the page removes the session in the wallet [R4.1.1] [R4.1.2] [R4.7]', async ({
    page,
    urls,
  }) => {
    const wallet = await connectByLink(page, urls)
    const dialog = await openModal(page)
    await dialog.getByRole('button', { name: 'Disconnect' }).click()
    await expect(connectButton(page)).toHaveText('Connect')
    await expect(getConnectedApp(wallet)).toBeHidden()
  })

  test('disconnecting in the wallet disconnects the page [R4.7]', { tag: '@variant' }, async ({ page, urls }) => {
    const wallet = await connectByLink(page, urls)
    await getConnectedApp(wallet).click()
    await wallet.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click()
    await expect(connectButton(page)).toHaveText('Connect')
  })

  test('rejection in the wallet is shown and can be retried [R4.4]', async ({ page, urls }) => {
    await page.goto(`${urls.web}/account`)
    const dialog = await openPairing(page)
    const wallet = await openWallet(page, urls, await copyLink(dialog, page))
    await wallet.getByRole('button', { name: 'Reject' }).click()
    await expect(dialog.getByText(/rejected/i).first()).toBeVisible()
    await dialog.getByRole('button', { name: 'Try again' }).click()
    await expect(dialog.getByRole('img', { name: /QR code/i })).toBeVisible()
  })
})

/** The page's row in the wallet's list of connected apps. */
function getConnectedApp(wallet: Page): Locator {
  return wallet.getByRole('button', { name: /^Latchkey/ })
}

/** The content of the QR code. */
async function readCode(code: Locator): Promise<string | undefined> {
  const { data, width, height } = PNG.sync.read(await code.screenshot())
  return jsqr.default(new Uint8ClampedArray(data), width, height)?.data
}
