import { installSimulatedExtension, type InstalledExtension } from '@latchkey/testkit/playwright'
import type { Locator, Page } from '@playwright/test'
import { createPublicClient, http, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import {
  connectExtension,
  expect,
  openModal,
  openSettings,
  test,
  type Urls,
  testExtensionOf,
} from '../support/fixtures.ts'

type PageSession = { address: Hex; extension: InstalledExtension }

/** A separate account: a name stays with its account, and other tests expect an address. */
async function createPageSession(page: Page, urls: Urls): Promise<PageSession> {
  const key = generatePrivateKey()
  const extension = await installSimulatedExtension(page, testExtensionOf(urls, key))
  return { address: privateKeyToAddress(key), extension }
}

/** Connects and opens the view for a name. */
async function openNameView(page: Page, urls: Urls): Promise<Locator> {
  await page.goto(`${urls.web}/account`)
  await connectExtension(page)
  const dialog = await openModal(page)
  await openSettings(dialog)
  await dialog.getByRole('button', { name: 'Choose a name .latchkey.test' }).click()
  await expect(dialog.getByText('A name instead of an address')).toBeVisible()
  await dialog.getByRole('button', { name: 'Choose a name', exact: true }).click()
  await expect(dialog.getByRole('textbox', { name: 'Name' })).toBeFocused()
  return dialog
}

/** A name that no earlier run registered. */
function createLabel(address: Hex): string {
  return `sailor-${address.slice(2, 14).toLowerCase()}`
}

/** The local chain's ENS contract, from the page's configuration. */
function getNamesContract(page: Page): Promise<Hex> {
  return page.evaluate(() => {
    const text = document.querySelector('#latchkey-config')?.textContent ?? '{}'
    const { networks } = JSON.parse(text) as {
      networks: { id: number; contracts?: { ensUniversalResolver?: { address: `0x${string}` } } }[]
    }
    return networks.find(({ id }) => id === 31337)?.contracts?.ensUniversalResolver?.address ?? '0x'
  })
}

for (const [theme, viewport] of [
  ['light', { width: 1280, height: 800 }],
  ['dark', { width: 390, height: 844 }],
] as const) {
  test.describe(`${theme} theme, ${viewport.width} pixels wide`, () => {
    test.use({ viewport, colorScheme: theme })

    const tag = theme === 'dark' ? '@variant' : '@extended'
    test(
      'registered name is shown in the modal and resolves through ENS [R1.6] [R7.1.16]',
      { tag },
      async ({ page, urls }) => {
        const { address } = await createPageSession(page, urls)
        const label = createLabel(address)
        const name = `${label}.latchkey.test`
        const dialog = await openNameView(page, urls)
        await dialog.getByRole('textbox', { name: 'Name' }).fill(label)
        await expect(dialog.getByText('This name is available.')).toBeVisible()
        await page.keyboard.press('Enter')
        await expect(dialog.getByText(name)).toBeVisible()
        await dialog.getByRole('button', { name: 'Go to account' }).click()
        await expect(dialog.getByRole('button', { name: 'Account settings' })).toBeVisible()
        // The previous view has the same text until it has faded out.
        await expect(dialog.getByText(name)).toHaveCount(1)

        const client = createPublicClient({ transport: http(urls.evm) })
        const at = { universalResolverAddress: await getNamesContract(page), strict: true }
        expect(await client.getEnsAddress({ ...at, name })).toBe(address)
        expect(await client.getEnsName({ ...at, address })).toBe(name)

        await page.reload()
        await openModal(page)
        await expect(page.getByRole('dialog').getByText(name)).toBeVisible()
      },
    )
  })
}

test(
  'rejected registration can be retried, and a taken name is refused for another account',
  { tag: '@variant' },
  async ({ page, urls }) => {
    // Two users, one after the other.
    test.slow()
    const { address, extension } = await createPageSession(page, urls)
    const label = createLabel(address)
    const dialog = await openNameView(page, urls)
    await dialog.getByRole('textbox', { name: 'Name' }).fill(label)
    await expect(dialog.getByText('This name is available.')).toBeVisible()
    extension.rejectNext()
    await dialog.getByRole('button', { name: 'Register' }).click()
    await expect(dialog.getByText('Rejected in Test Extension. Nothing was registered.')).toBeVisible()
    await dialog.getByRole('button', { name: 'Register' }).click()
    await expect(dialog.getByText(`${label}.latchkey.test`)).toBeVisible()

    const second = await page.context().newPage()
    await createPageSession(second, urls)
    const there = await openNameView(second, urls)
    await there.getByRole('textbox', { name: 'Name' }).fill(label)
    await expect(there.getByText('This name is taken. Choose another one.')).toBeVisible()
    await there.getByRole('button', { name: `${label}-key Available` }).click()
    await expect(there.getByText('This name is available.')).toBeVisible()
  },
)
