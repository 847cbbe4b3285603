import type { Locator, Page } from '@playwright/test'
import { axeViolations } from '../support/axeViolations.ts'
import { expect, openModal, test, type Urls } from '../support/fixtures.ts'
import { getBitcoinBalance, installFundedBitcoinWallet, newBitcoinAddress } from '../support/fundedBitcoinWallet.ts'
import { approve, connectByLink } from '../support/phoneWallet.ts'

/** Connects the wallet of the page and opens the send view. */
async function openSendView(page: Page, urls: Urls): Promise<Locator> {
  await page.goto(`${urls.web}/account`)
  const dialog = await openModal(page)
  await dialog.getByRole('button', { name: /Test Coin/ }).click()
  await expect(page.getByRole('heading', { name: 'Test Coin', level: 2 })).toBeVisible()
  return openSend(page)
}

async function openSend(page: Page): Promise<Locator> {
  const dialog = await openModal(page)
  await dialog.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(dialog.getByRole('textbox', { name: /^Amount/ })).toBeFocused()
  return dialog
}

async function fill(dialog: Locator, amount: string, receiver: string): Promise<void> {
  await dialog.getByRole('textbox', { name: /^Amount/ }).fill(amount)
  await dialog.getByRole('textbox', { name: 'To' }).fill(receiver)
}

async function reviewSend(dialog: Locator): Promise<void> {
  await dialog.getByRole('button', { name: 'Preview send' }).click()
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeVisible()
  await expect(dialog.locator('[data-view=WalletSend]')).toHaveCount(0)
}

test.describe('light theme, large screen', () => {
  test.use({ viewport: { width: 1280, height: 800 }, colorScheme: 'light' })

  test(
    'a wallet that only signs pays the shown amount and fee [R1.5]',
    { tag: '@extended' },
    async ({ page, urls }) => {
      const wallet = await installFundedBitcoinWallet(page, urls, { face: 'standard', amounts: [200_000, 300_000] })
      const dialog = await openSendView(page, urls)
      const to = newBitcoinAddress()
      await fill(dialog, '0.0025', to)
      await expect(dialog.getByText(/^\d+ sat · 2\.1 sat\/vB$/)).toBeVisible()
      expect(await axeViolations(page, 'latchkey-modal')).toEqual([])
      await reviewSend(dialog)
      await expect(dialog.getByText('0.0025 BTC', { exact: true })).toBeVisible()
      await expect(dialog.getByText(to, { exact: true })).toBeVisible()
      const shown = await dialog.getByText(/sat · 2\.1 sat\/vB$/).textContent()
      await dialog.getByRole('button', { name: 'Send', exact: true }).click()
      await expect(dialog.getByText('0.0025 BTC sent')).toBeAttached()
      expect(await getBitcoinBalance(urls, to)).toBe(250_000)
      const fee = Number.parseInt(shown ?? '', 10)
      expect(await getBitcoinBalance(urls, wallet.addresses()[0])).toBe(250_000 - fee)
      expect(wallet.requests.map(({ method }) => method)).toContain('signPsbt')
    },
  )

  test('a payment that the wallet changed is not sent', { tag: '@variant' }, async ({ page, urls }) => {
    const wallet = await installFundedBitcoinWallet(page, urls, { face: 'standard', amounts: [200_000] })
    wallet.faults.set('signPsbt', { kind: 'response', value: { psbt: 'cHNidP8BAAoCAAAAAAAAAAAAAA==' } })
    const dialog = await openSendView(page, urls)
    const to = newBitcoinAddress()
    await fill(dialog, '0.001', to)
    await reviewSend(dialog)
    await dialog.getByRole('button', { name: 'Send', exact: true }).click()
    await expect(dialog.getByText('Your wallet signed a different payment. Nothing was sent.')).toBeAttached()
    expect([await getBitcoinBalance(urls, to), await getBitcoinBalance(urls, wallet.addresses()[0])]).toEqual([
      0, 200_000,
    ])
  })

  test('a phone wallet pays with its own method [R1.5]', { tag: '@variant' }, async ({ page, urls }) => {
    const wallet = await connectByLink(page, urls)
    await page.getByRole('button', { name: 'Bitcoin Local' }).click()
    const dialog = await openSend(page)
    const to = newBitcoinAddress()
    await fill(dialog, '0.0123', to)
    await reviewSend(dialog)
    await dialog.getByRole('button', { name: 'Send', exact: true }).click()
    await expect(wallet.getByRole('dialog', { name: 'Send' })).toContainText('0.0123 BTC')
    await approve(wallet)
    await expect(dialog.getByText('0.0123 BTC sent')).toBeAttached()
    expect(await getBitcoinBalance(urls, to)).toBe(1_230_000)
  })
})

test.describe('dark theme, small screen', () => {
  test.use({ viewport: { width: 390, height: 844 }, colorScheme: 'dark' })

  test(
    'Max spends everything except small outputs, and a note explains it',
    { tag: '@variant' },
    async ({ page, urls }) => {
      const amounts = [546, 10_000, 150_000, 60_000]
      const wallet = await installFundedBitcoinWallet(page, urls, { face: 'sats', amounts })
      const dialog = await openSendView(page, urls)
      const to = newBitcoinAddress()
      await dialog.getByRole('textbox', { name: 'To' }).fill(to)
      await dialog.getByRole('button', { name: 'Send all BTC' }).click()
      await expect(dialog.getByRole('textbox', { name: /^Amount/ })).toHaveValue(/^0\.00209/)
      await expect(dialog.getByText('0.00010546 BTC')).toBeVisible()
      await expect(dialog.getByText(/may carry other assets/)).toBeVisible()
      expect(await axeViolations(page, 'latchkey-modal')).toEqual([])
      await reviewSend(dialog)
      await dialog.getByRole('button', { name: 'Send', exact: true }).click()
      await expect(dialog.getByText(/BTC sent/)).toBeAttached()
      expect(await getBitcoinBalance(urls, wallet.addresses()[0])).toBe(10_546)
      expect(await getBitcoinBalance(urls, to)).toBeGreaterThan(209_000)
    },
  )

  test(
    'addresses of other networks and amounts below the minimum are named',
    { tag: '@variant' },
    async ({ page, urls }) => {
      await installFundedBitcoinWallet(page, urls, { face: 'sats', amounts: [150_000] })
      const dialog = await openSendView(page, urls)
      await fill(dialog, '0.00000001', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4')
      await expect(dialog.getByText(/This is a main network address/)).toBeVisible()
      await expect(dialog.getByRole('button', { name: 'Invalid address' })).toBeVisible()
      await dialog.getByRole('textbox', { name: 'To' }).fill(newBitcoinAddress())
      await expect(dialog.getByText('The amount is below the minimum that the network accepts.')).toBeVisible()
      await fill(dialog, '0.0016', newBitcoinAddress())
      await expect(dialog.getByRole('button', { name: 'Insufficient funds' })).toBeVisible()
    },
  )

  test('declining keeps the form and sends nothing', { tag: '@variant' }, async ({ page, urls }) => {
    const wallet = await installFundedBitcoinWallet(page, urls, { face: 'standard', amounts: [150_000] })
    const dialog = await openSendView(page, urls)
    const to = newBitcoinAddress()
    await fill(dialog, '0.001', to)
    await reviewSend(dialog)
    wallet.rejectNext()
    await dialog.getByRole('button', { name: 'Send', exact: true }).click()
    await expect(dialog.getByText('You rejected the payment. Nothing was sent.')).toBeAttached()
    await dialog.getByRole('button', { name: 'Send', exact: true }).click()
    await expect(dialog.getByRole('textbox', { name: /^Amount/ })).toHaveValue('0.001')
    expect(await getBitcoinBalance(urls, to)).toBe(0)
  })
})
