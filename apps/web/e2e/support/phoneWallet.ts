import type { Locator, Page } from '@playwright/test'
import { connectButton, expect, openModal, type Urls } from './fixtures.ts'

/** Opens the modal with the QR code for phone wallets. */
export async function openPairing(page: Page): Promise<Locator> {
  const isChromium = page.context().browser()?.browserType().name() === 'chromium'
  // Other engines need no permission, and don't know its name.
  if (isChromium) await page.context().grantPermissions(['clipboard-write'])
  await page.evaluate(recordCopies)
  const dialog = await openModal(page)
  await dialog.getByRole('button', { name: /WalletConnect/ }).click()
  await expect(dialog.getByRole('img', { name: /QR code/i })).toBeVisible()
  return dialog
}

/** Records the text that the page copies. Not every engine lets a test read the clipboard. */
function recordCopies(): void {
  const write = navigator.clipboard.writeText.bind(navigator.clipboard)
  navigator.clipboard.writeText = async (text) => {
    await write(text)
    Reflect.set(globalThis, 'copiedText', text)
  }
}

/** Copies the pairing link from the modal. */
export async function copyLink(dialog: Locator, page: Page): Promise<string> {
  await dialog.getByRole('button', { name: 'Copy link' }).click()
  const readCopy = (): Promise<unknown> => page.evaluate((): unknown => Reflect.get(globalThis, 'copiedText'))
  await expect.poll(readCopy).toBeDefined()
  return String(await readCopy())
}

/** Opens the developer wallet in another tab with a pairing link. */
export async function openWallet(page: Page, urls: Urls, link: string): Promise<Page> {
  const wallet = await page.context().newPage()
  await wallet.goto(`${urls.wallet}/wc?uri=${encodeURIComponent(link)}`)
  return wallet
}

/** Approves the wallet's pending request. */
export async function approve(wallet: Page): Promise<void> {
  await wallet.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
}

/** Connects the page to the developer wallet in another tab. */
export async function connectByLink(page: Page, urls: Urls): Promise<Page> {
  await page.goto(`${urls.web}/account`)
  const dialog = await openPairing(page)
  const wallet = await openWallet(page, urls, await copyLink(dialog, page))
  await approve(wallet)
  await expect(connectButton(page)).toContainText('…')
  await expect(dialog).toBeHidden()
  return wallet
}
