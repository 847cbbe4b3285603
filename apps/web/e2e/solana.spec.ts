import { installSimulatedSolanaWallet } from '@latchkey/testkit/playwright'
import type { Page } from '@playwright/test'
import { connectButton, expect, openModal, test as base } from './support/fixtures.ts'
import { approve, connectByLink } from './support/phoneWallet.ts'

/** The first account of the recovery phrase that all development chains share, and one that no other test uses. */
const userKey = 'a01c67efb5cb8f62f15907a9fcf124c73d2695c8a9a31f21c05742a31ca1dc72'
const spareAddress = '2yaW8VAMLhQiornz1BgcSWDUSH2jC2dmB8RWnTJi8Yab'

type Wallet = Awaited<ReturnType<typeof installSimulatedSolanaWallet>>

const test = base.extend<{ wallet: Wallet }>({
  wallet: async ({ page, urls }, use) => {
    const { solana = '' } = urls
    await use(
      await installSimulatedSolanaWallet(page, {
        privateKeys: [userKey],
        rpcUrls: { 'solana:localnet': solana },
        info: { name: 'Test Sun' },
      }),
    )
  },
})

test.describe('Solana wallet', () => {
  test.beforeEach(async ({ page, urls, wallet }) => {
    void wallet
    await page.goto(`${urls.web}/account`)
  })

  test('connects, signs a message that verifies, and sends a payment [R1.1] [R1.3]', async ({ page }) => {
    await connectWallet(page)
    await expect(connectButton(page)).toContainText('oeYf')
    await expect(page.getByRole('region', { name: 'Test Sun' })).toContainText(/\d+\.\d{3} SOL/)

    await page.getByRole('button', { name: 'Sign' }).click()
    await expect(page.getByText('The signature verifies.')).toBeVisible()

    await page.getByRole('textbox', { name: 'To' }).fill(spareAddress)
    await page.getByRole('button', { name: 'Send' }).click()
    await expect(page.getByText(/Mined in block \d+\./)).toBeVisible()
  })

  test('reconnects after a reload without a prompt [R4.3]', { tag: '@variant' }, async ({ page, wallet }) => {
    await connectWallet(page)
    await page.reload()
    await expect(connectButton(page)).toContainText('oeYf')
    await page.getByRole('button', { name: 'Sign' }).click()
    await expect(page.getByText('The signature verifies.')).toBeVisible()
    expect(wallet.requests.filter(({ method }) => method === 'standard:connect')).toHaveLength(1)
  })

  test(
    'disconnects in page and wallet, and stays disconnected after a reload [R4.1.1]',
    { tag: '@variant' },
    async ({ page, wallet }) => {
      await connectWallet(page)
      const dialog = await openModal(page)
      await dialog.getByRole('button', { name: 'Disconnect' }).click()
      await expect(connectButton(page)).toHaveText('Connect')
      await expect.poll(() => wallet.requests.map(({ method }) => method)).toContain('standard:disconnect')
      await page.reload()
      await expect(connectButton(page)).toHaveText('Connect')
    },
  )
})

test(
  'phone wallet signs and pays on Solana in the same session [R1.1] [R1.3]',
  { tag: '@extended' },
  async ({ page, urls }) => {
    const wallet = await connectByLink(page, urls)
    await page.getByRole('button', { name: 'Solana Local' }).click()
    const card = page.getByRole('region', { name: 'Latchkey Wallet' })
    await expect(card).toContainText(/\d+\.\d{3} SOL/)

    await page.getByRole('button', { name: 'Sign' }).click()
    await expect(wallet.getByRole('dialog', { name: 'Sign a message' })).toContainText('I keep the keys to this door.')
    await approve(wallet)
    await expect(page.getByText('The signature verifies.')).toBeVisible()

    await page.getByRole('textbox', { name: 'To' }).fill(spareAddress)
    await page.getByRole('button', { name: 'Send' }).click()
    const approval = wallet.getByRole('dialog', { name: 'Send' })
    await expect(approval).toContainText('0.1 SOL')
    await expect(approval).toContainText('At most 0.000005 SOL')
    await approve(wallet)
    await expect(page.getByText(/Mined in block \d+\./)).toBeVisible()
  },
)

async function connectWallet(page: Page): Promise<void> {
  const dialog = await openModal(page)
  await dialog.getByRole('button', { name: /Test Sun/ }).click()
  await expect(page.getByRole('heading', { name: 'Test Sun', level: 2 })).toBeVisible()
}
