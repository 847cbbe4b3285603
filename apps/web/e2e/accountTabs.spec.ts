import { localAccount } from '@latchkey/devnet'
import { installSimulatedExtension } from '@latchkey/testkit/playwright'
import type { Locator, Page } from '@playwright/test'
import { bytesToHex } from 'viem'
import { axeViolations, axeViolationsInChromium } from './support/axeViolations.ts'
import {
  connectExtension,
  expect,
  openModal,
  otherAddress,
  test as base,
  type Urls,
  testExtensionOf,
} from './support/fixtures.ts'

/** Accounts that no other test uses, so that each balance changes by one test only. */
const sender = localAccount(7)
const recipient = localAccount(4)

const test = base.extend<{ account: Locator }>({
  account: async ({ page, urls }, use) => {
    await use(await openAccount(page, urls, sender))
  },
})

async function openAccount(page: Page, urls: Urls, owner: typeof sender): Promise<Locator> {
  await installSimulatedExtension(
    page,
    testExtensionOf(urls, bytesToHex(owner.getHdKey().privateKey ?? new Uint8Array())),
  )
  await page.goto(`${urls.web}/account`)
  await connectExtension(page)
  return openModal(page)
}

test('Tokens tab shows balances from the chain, NFTs tab loads images from the server [R1.4] [R2.3]', async ({
  page,
  urls,
  account,
}) => {
  const tokens = account.getByRole('tabpanel', { name: 'Tokens' })
  await expect(tokens.getByRole('listitem').filter({ hasText: 'Latch Dollar' })).toContainText(/[\d,]+\.\d{3}/)
  await expect(tokens.getByRole('listitem').filter({ hasText: 'ETH' }).first()).toContainText(/[\d,]+\.\d{3}/)
  for (const name of ['Receive', 'Send']) await expect(account.getByRole('button', { name, exact: true })).toBeVisible()
  expect(await axeViolations(page, 'latchkey-modal')).toEqual([])
  await account.getByRole('tab', { name: 'NFTs' }).click()
  const keys = account.getByRole('region', { name: 'Latchkey Keys' })
  const picture = keys.locator('img').first()
  await expect(picture).toHaveAttribute('src', new RegExp(`^${urls.server}/v1/nft/`))
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
  expect(await axeViolationsInChromium(page, 'latchkey-modal')).toEqual([])
})

test('payment appears in the open Activity tab and in Tokens without a reload [R2.3] [R4.4.7]', async ({
  page,
  account,
}) => {
  await page.emulateMedia({ colorScheme: 'dark' })
  await account.getByRole('tab', { name: 'Activity' }).click()
  const activity = account.getByRole('tabpanel', { name: 'Activity' })
  const amount = '0.987'
  await expect(activity.getByRole('heading').first()).toBeVisible()
  await expect(activity.getByText(amount)).toHaveCount(0)
  await account.getByRole('button', { name: 'Send', exact: true }).click()
  await account.getByRole('textbox', { name: 'Amount in ETH' }).fill(amount)
  await account.getByRole('textbox', { name: 'To' }).fill(otherAddress)
  await account.getByRole('button', { name: 'Preview send' }).click()
  await expect(account.getByRole('heading', { name: 'Review and send' })).toBeVisible()
  await account.getByRole('button', { name: 'Send', exact: true }).click()
  const row = activity.getByRole('listitem').filter({ hasText: amount })
  await expect(row.filter({ hasText: /^.?Sent/ })).toContainText(`${amount} ETH`)
  await expect(activity.getByText(/pending/i)).toHaveCount(0)
  // While it fades out, it has too little contrast.
  await expect(page.getByText('Transaction started')).toHaveCount(0)
  expect(await axeViolationsInChromium(page, 'latchkey-modal')).toEqual([])
  // The account held 10,000 ETH. Less than 9,999.1 are left.
  await account.getByRole('tab', { name: 'Tokens' }).click()
  const ether = account
    .getByRole('tabpanel', { name: 'Tokens' })
    .getByRole('listitem')
    .filter({ hasText: 'ETH' })
    .first()
  await expect(ether).toContainText(/9,99\d\.\d{3}/)
})

test('incoming payment appears in the open Activity tab without an interaction', async ({ page, urls }) => {
  const account = await openAccount(page, urls, recipient)
  await account.getByRole('tab', { name: 'Activity' }).click()
  await expect(account.getByRole('tabpanel').getByRole('heading').first()).toBeVisible()
  const payment = { from: otherAddress, to: recipient.address, value: '0x11b8e5ad0b0d1500' }
  await fetch(urls.evm, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_sendTransaction', params: [payment] }),
  })
  await expect(account.getByRole('listitem').filter({ hasText: '1.277' })).toBeVisible({ timeout: 60_000 })
})
