import { installSimulatedBitcoinWallet, installSimulatedPolkadotExtension } from '@latchkey/testkit/playwright'
import type { Page } from '@playwright/test'
import { connectButton, expect, openModal, test as base } from './support/fixtures.ts'
import { approve, connectByLink } from './support/phoneWallet.ts'

/** The first Bitcoin key of the recovery phrase that all development chains share, and an address that the chain knows. */
const bitcoinKey = 'b5c8b4acf7b66682afbc5eef20c3b12998ba3c14a97047c9187454377f1a7856'
const otherAddress = 'bcrt1qwqwxn0pae964jk3zu8zxr3lu2jyj0p7mk8hkdv'
/** The first Polkadot key of the same recovery phrase. */
const polkadotSeed = '708dbd3d916c59cdade9649479d3721b586dc777cf733b6fb5798eaacbdb0bf7'

type Bitcoin = Awaited<ReturnType<typeof installSimulatedBitcoinWallet>>
type Polkadot = Awaited<ReturnType<typeof installSimulatedPolkadotExtension>>

const test = base.extend<{ bitcoin: Bitcoin; polkadot: Polkadot }>({
  bitcoin: async ({ page, urls }, use) => {
    const sources = { regtest: urls.bitcoin ?? '' }
    const options = { privateKeys: [bitcoinKey], chain: 'regtest', sources, name: 'Test Coin' } as const
    await use(await installSimulatedBitcoinWallet(page, { ...options, faces: ['standard', 'sats'] }))
  },
  polkadot: async ({ page }, use) => {
    const options = { accounts: [{ seed: polkadotSeed, name: 'Everyday' }], name: 'test-dots' } as const
    await use(await installSimulatedPolkadotExtension(page, options))
  },
})

test.describe('Bitcoin wallet', () => {
  test.beforeEach(async ({ page, urls, bitcoin }) => {
    void bitcoin
    await page.goto(`${urls.web}/account`)
    await connectTo(page, 'Test Coin')
  })

  test('connects, signs a message that verifies, and sends a payment [R1.1] [R1.3]', async ({ page }) => {
    await expect(connectButton(page)).toContainText('bcrt')
    await expect(page.getByRole('region', { name: 'Test Coin' })).toContainText(/\d+\.\d{3} BTC/)

    await page.getByRole('button', { name: 'Sign' }).click()
    await expect(page.getByText('The signature verifies.')).toBeVisible()

    await page.getByRole('textbox', { name: 'To' }).fill(otherAddress)
    await page.getByRole('button', { name: 'Send' }).click()
    await expect(page.getByText(/Mined in block \d+\./)).toBeVisible()
  })

  test(
    'reconnects after a reload, but not after disconnecting [R4.1.1] [R4.3]',
    { tag: '@variant' },
    async ({ page, bitcoin }) => {
      await page.reload()
      await expect(connectButton(page)).toContainText('bcrt')
      expect(bitcoin.requests.filter(({ method }) => method === 'wallet_connect')).toHaveLength(1)
      await disconnect(page)
      await expect.poll(() => bitcoin.requests.map(({ method }) => method)).toContain('wallet_disconnect')
      await page.reload()
      await expect(connectButton(page)).toHaveText('Connect')
    },
  )
})

test.describe('Polkadot extension', () => {
  test.beforeEach(async ({ page, urls, polkadot }) => {
    void polkadot
    await page.goto(`${urls.web}/account`)
    await connectTo(page, 'test-dots')
  })

  test('connects, shows the balance from the chain, and signs a message that verifies [R1.1] [R1.3]', async ({
    page,
  }) => {
    await expect(connectButton(page)).toContainText('5F54')
    await expect(page.getByRole('region', { name: 'test-dots' })).toContainText(/\d+\.\d{3} UNIT/)
    await page.getByRole('button', { name: 'Sign' }).click()
    await expect(page.getByText('The signature verifies.')).toBeVisible()
  })

  test(
    'reconnects after a reload, but not after disconnecting [R4.1.1] [R4.3]',
    { tag: '@variant' },
    async ({ page }) => {
      await page.reload()
      await expect(connectButton(page)).toContainText('5F54')
      await disconnect(page)
      await page.reload()
      await expect(connectButton(page)).toHaveText('Connect')
    },
  )

  test('shows an error when the user rejects a signature', { tag: '@variant' }, async ({ page, polkadot }) => {
    polkadot.rejectNext()
    await page.getByRole('button', { name: 'Sign' }).click()
    await expect(page.getByText(/The request was rejected in the wallet/)).toBeVisible()
  })
})

test.describe('phone wallet', () => {
  test('signs and pays on Bitcoin in the same session [R1.1] [R1.3]', async ({ page, urls }) => {
    const wallet = await connectByLink(page, urls)
    await page.getByRole('button', { name: 'Bitcoin Local' }).click()
    await expect(page.getByRole('region', { name: 'Latchkey Wallet' })).toContainText(/\d+\.\d{3} BTC/)

    await page.getByRole('button', { name: 'Sign' }).click()
    await approve(wallet)
    await expect(page.getByText('The signature verifies.')).toBeVisible()

    await page.getByRole('textbox', { name: 'To' }).fill(otherAddress)
    await page.getByRole('button', { name: 'Send' }).click()
    await expect(wallet.getByRole('dialog', { name: 'Send' })).toContainText('0.1 BTC')
    await approve(wallet)
    await expect(page.getByText(/Mined in block \d+\./)).toBeVisible()
  })

  test('signs on Polkadot in the same session [R1.1] [R1.3]', { tag: '@variant' }, async ({ page, urls }) => {
    const wallet = await connectByLink(page, urls)
    await page.getByRole('button', { name: 'Polkadot Local' }).click()
    await expect(page.getByRole('region', { name: 'Latchkey Wallet' })).toContainText(/\d+\.\d{3} UNIT/)
    await page.getByRole('button', { name: 'Sign' }).click()
    await approve(wallet)
    await expect(page.getByText('The signature verifies.')).toBeVisible()
  })
})

async function connectTo(page: Page, name: string): Promise<void> {
  const dialog = await openModal(page)
  await dialog.getByRole('button', { name: new RegExp(name) }).click()
  await expect(page.getByRole('heading', { name, level: 2 })).toBeVisible()
}

async function disconnect(page: Page): Promise<void> {
  const dialog = await openModal(page)
  await dialog.getByRole('button', { name: 'Disconnect' }).click()
  await expect(connectButton(page)).toHaveText('Connect')
}
