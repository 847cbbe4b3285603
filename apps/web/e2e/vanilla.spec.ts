import { fileURLToPath } from 'node:url'
import { startSite, type Site } from '@latchkey/devnet'
import type { Page } from '@playwright/test'
import { expect, otherAddress, test, userAddress, type Urls } from './support/fixtures.ts'

const root = fileURLToPath(new URL('../../vanilla/dist', import.meta.url))

/** Serves the built page on its own port, with the configuration of the local world and a strict content policy. */
async function serveVanilla(page: Page, urls: Urls): Promise<Site> {
  const html = await (await page.request.get(`${urls.web}/account`)).text()
  // The host of the page always writes an object.
  const config = JSON.parse(/id="latchkey-config">(.*?)<\/script>/s.exec(html)?.[1] ?? '{}') as object
  return startSite({ root, port: 0, config, connect: [urls.server, urls.evm, urls.evm2], images: [] })
}

test.describe('page without React', () => {
  let site: Site

  test.beforeEach(async ({ page, urls, extension }) => {
    void extension
    site = await serveVanilla(page, urls)
    await page.goto(site.url)
    await page.getByRole('button', { name: 'Connect Test Extension' }).click()
    await expect(page.getByText(`Connected as ${userAddress}`)).toBeVisible()
  })

  test.afterEach(() => site.close())

  test('connects and disconnects [R1.1]', async ({ page }) => {
    await page.getByRole('button', { name: 'Disconnect' }).click()
    await expect(page.getByText('Not connected')).toBeVisible()
  })

  test('signs a message that verifies [R1.3]', async ({ page }) => {
    await page.getByRole('button', { name: 'Sign message' }).click()
    await expect(page.getByText('The signature verifies.')).toBeVisible()
  })

  test('sends a payment that is mined [R4.4.3]', async ({ page }) => {
    await page.getByRole('textbox', { name: 'Recipient' }).fill(otherAddress)
    await page.getByRole('textbox', { name: 'Amount to send' }).fill('0.01')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await expect(page.getByText(/^Sent in block \d+$/)).toBeVisible()
  })

  test('swaps ether for a token', async ({ page }) => {
    await page.getByRole('textbox', { name: 'Amount to swap' }).fill('0.1')
    await page.getByRole('textbox', { name: 'Token to receive' }).fill('LUSD')
    await page.getByRole('button', { name: 'Swap', exact: true }).click()
    await expect(page.getByText('Swapped 0.1 to LUSD')).toBeVisible({ timeout: 60_000 })
  })
})
