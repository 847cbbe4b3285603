import { testKeys } from '@latchkey/testkit'
import { installSimulatedExtension, type InstalledExtension } from '@latchkey/testkit/playwright'
import { test as base, expect, type Locator, type Page } from '@playwright/test'
import { watchBrowsers, type Watch } from './watch.ts'

/** The addresses of the local test world. */
export type Urls = {
  web: string
  wallet: string
  server: string
  relay: string
  evm: string
  evm2: string
  /** The frame of the embedded wallet, the inbox of all mail, and the identity providers. */
  frame: string
  mailbox: string
  identity: string
  /** The documentation. */
  docs: string
  solana?: string
  bitcoin?: string
  polkadot?: string
}

/** Well-known accounts of the local chains. Their keys are public and their coins have no value. */
export const [userKey] = testKeys.eip155
export const userAddress = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
export const otherAddress = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'

/** The options of the extension that tests connect. Tests that change their account have a key of their own. */
export function testExtensionOf(urls: Urls, privateKey: `0x${string}` = userKey) {
  return {
    privateKeys: [privateKey] as const,
    rpcUrls: { 31337: urls.evm, 31338: urls.evm2 },
    chainId: 31337,
    info: { name: 'Test Extension', rdns: 'test.latchkey.extension' },
  }
}

type Fixtures = {
  urls: Urls
  /** A page in a browser with one extension. */
  extension: InstalledExtension
  /** Fails every test in which a page reports an error [I-15] or a secret leaves the wallet's frame [I-08]. */
  watch: Watch
  /** All errors that pages report. A test that provokes errors removes them. */
  complaints: string[]
}

export const test = base.extend<Fixtures>({
  urls: async ({}, use) => {
    // Written by the global setup of the same run.
    await use(JSON.parse(process.env['LATCHKEY_E2E_URLS'] ?? '{}') as Urls)
  },
  extension: async ({ page, urls }, use) => {
    await use(await installSimulatedExtension(page, testExtensionOf(urls)))
  },
  watch: [
    async ({ browser, context, urls }, use) => {
      const watch = await watchBrowsers(browser, context, urls)
      await use(watch)
      watch.end()
      expect(watch.complaints).toEqual([])
      expect(await watch.leaks()).toEqual([])
    },
    { auto: true },
  ],
  complaints: async ({ watch }, use) => {
    await use(watch.complaints)
  },
})

export { expect }

/** The connect button in the site's header. */
export function connectButton(page: Page): Locator {
  return page.locator('.site-header').getByRole('button')
}

/** Opens the floating modal of a page. */
export async function openModal(page: Page): Promise<Locator> {
  await connectButton(page).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toBeVisible()
  return dialog
}

/** Opens the settings of the account. */
export async function openSettings(dialog: Locator): Promise<void> {
  await dialog.getByRole('button', { name: 'Account settings' }).click()
}

/** Connects the simulated extension through the modal. */
export async function connectExtension(page: Page, name = 'Test Extension'): Promise<void> {
  const dialog = await openModal(page)
  await dialog.getByRole('button', { name: new RegExp(name) }).click()
  await expect(page.getByRole('heading', { name, level: 2 })).toBeVisible()
}
