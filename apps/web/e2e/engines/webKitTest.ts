import { writeFile } from 'node:fs/promises'
import { test as base } from '@playwright/test'
import { installSimulatedExtension, type InstalledExtension } from '@latchkey/testkit/playwright'
import { type Urls, testExtensionOf } from '../support/fixtures.ts'
import { startWebKit } from './startWebKit.ts'
import { createWebKitPage, type ElementQuery, type WebKitPage } from './webKitPage.ts'

/** `settings` are arguments of the browser. */
type Fixtures = { urls: Urls; settings: readonly string[]; webKit: WebKitPage; extension: InstalledExtension }

/** The test function with a window of WebKit and a simulated extension in it. */
export const test = base.extend<Fixtures>({
  urls: async ({}, use) => {
    // Written by the global setup of the same run.
    await use(JSON.parse(process.env['LATCHKEY_E2E_URLS'] ?? '{}') as Urls)
  },
  settings: [[], { option: true }],
  webKit: async ({ settings }, use, info) => {
    const { driver, close } = await startWebKit(settings)
    const page = createWebKitPage(driver)
    await use(page)
    await page.pause()
    if (info.status !== info.expectedStatus) {
      await writeFile(info.outputPath('screenshot.png'), await driver.takeScreenshot(), 'base64')
    }
    await close()
  },
  extension: async ({ webKit, urls }, use) => {
    await use(await installSimulatedExtension(webKit, testExtensionOf(urls)))
  },
})

/** Returns the query of a button with a name. */
export const queryButton = (name: RegExp): ElementQuery => ({ role: 'button', name })

/** The address of the simulated extension, as the page shows it. */
export const shortAddress = /0xf3…b92266/i

/** Connects the simulated extension on the account page. */
export async function connectExtension(page: WebKitPage, urls: Urls): Promise<void> {
  await page.goto(`${urls.web}/account`)
  await page.click(queryButton(/^Connect$/))
  await page.click(queryButton(/Test Extension/))
  await page.waitForText(shortAddress)
}
