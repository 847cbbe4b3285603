import type { Locator, Page } from '@playwright/test'
import { axeViolations } from '../support/axeViolations.ts'
import { expect, openModal, test, type Urls } from '../support/fixtures.ts'
import {
  getPolkadotBalance,
  installFundedPolkadotExtension,
  newPolkadotAddress,
} from '../support/fundedPolkadotExtension.ts'

const unit = 10n ** 12n

/** Connects the extension of the page and opens the send view. */
async function openSend(page: Page, urls: Urls): Promise<Locator> {
  await page.goto(`${urls.web}/account`)
  const connecting = await openModal(page)
  await connecting.getByRole('button', { name: /test-dots/ }).click()
  await expect(page.getByRole('heading', { name: 'test-dots', level: 2 })).toBeVisible()
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
    'an extension pays exactly the shown amount on a Polkadot network [R1.5]',
    { tag: '@variant' },
    async ({ page, urls }) => {
      await installFundedPolkadotExtension(page, urls, 5n * unit)
      const dialog = await openSend(page, urls)
      const to = newPolkadotAddress()
      await fill(dialog, '1.25', to)
      await expect(dialog.getByText(/^0\.\d+ UNIT$/).first()).toBeVisible()
      expect(await axeViolations(page, 'latchkey-modal')).toEqual([])
      await reviewSend(dialog)
      await expect(dialog.getByText('1.25 UNIT', { exact: true })).toBeVisible()
      await dialog.getByRole('button', { name: 'Send', exact: true }).click()
      await expect(dialog.getByText('1.25 UNIT sent')).toBeAttached()
      expect(await getPolkadotBalance(urls, to)).toBe((unit * 5n) / 4n)
    },
  )
})

test.describe('dark theme, small screen', () => {
  test.use({ viewport: { width: 390, height: 844 }, colorScheme: 'dark' })

  test('Max keeps the existential deposit, and a note explains it', { tag: '@variant' }, async ({ page, urls }) => {
    const extension = await installFundedPolkadotExtension(page, urls, 2n * unit)
    const dialog = await openSend(page, urls)
    const to = newPolkadotAddress()
    await dialog.getByRole('textbox', { name: 'To' }).fill(to)
    await dialog.getByRole('button', { name: 'Send all UNIT' }).click()
    await expect(dialog.getByRole('textbox', { name: /^Amount/ })).toHaveValue(/^1\.9/)
    expect(await axeViolations(page, 'latchkey-modal')).toEqual([])
    await reviewSend(dialog)
    await dialog.getByRole('button', { name: 'Send', exact: true }).click()
    await expect(dialog.getByText(/UNIT sent/)).toBeAttached()
    expect(await getPolkadotBalance(urls, to)).toBeGreaterThan((unit * 19n) / 10n)
    expect(await getPolkadotBalance(urls, extension.addresses()[0] ?? '')).toBeGreaterThan(0n)
  })

  test(
    'an address in the format of another network is named, and declining keeps the form',
    { tag: '@variant' },
    async ({ page, urls }) => {
      const extension = await installFundedPolkadotExtension(page, urls, 2n * unit)
      const dialog = await openSend(page, urls)
      // The key of Alice, a public development account, in the format of Polkadot.
      await fill(dialog, '0.5', '15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5')
      await expect(dialog.getByText(/another network/)).toBeVisible()
      await reviewSend(dialog)
      extension.rejectNext()
      await dialog.getByRole('button', { name: 'Send', exact: true }).click()
      await expect(dialog.getByText('You rejected the payment. Nothing was sent.')).toBeAttached()
      await dialog.getByRole('button', { name: 'Send', exact: true }).click()
      await expect(dialog.getByRole('textbox', { name: /^Amount/ })).toHaveValue('0.5')
    },
  )
})
