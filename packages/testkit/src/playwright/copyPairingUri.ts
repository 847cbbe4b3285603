import type { Page } from '@playwright/test'

/**
 * Returns the pairing URI that a modal shows, by its button "Copy link". Give it to a simulated phone. The page's clipboard is
 * replaced, so no permission is needed.
 *
 * @param page a page whose modal shows the QR code for phone wallets
 * @param name the accessible name of the button
 * @example await phone.pair(await copyPairingUri(page))
 */
export async function copyPairingUri(page: Page, name: string | RegExp = /^copy link$/i): Promise<string> {
  await page.evaluate(recordCopies)
  await page.getByRole('button', { name }).click()
  const copied = await page.waitForFunction(readCopy)
  return String(await copied.jsonValue())
}

/** Runs in the page. */
function recordCopies(): void {
  const clipboard = {
    writeText: async (text: string) => void Reflect.set(globalThis, 'latchkeyCopied', text),
  }
  Object.defineProperty(navigator, 'clipboard', { configurable: true, value: clipboard })
}

/** Runs in the page. */
function readCopy(): unknown {
  return Reflect.get(globalThis, 'latchkeyCopied')
}
