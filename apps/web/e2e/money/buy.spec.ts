import type { Locator, Page } from '@playwright/test'
import { installSimulatedExtension } from '@latchkey/testkit/playwright'
import { axeViolations } from '../support/axeViolations.ts'
import { connectExtension, expect, openModal, test, type Urls, testExtensionOf } from '../support/fixtures.ts'

/** Keys that only these tests use, so that no other test changes their balances. */
const keys = ['b1', 'b2', 'b3', 'b4', 'b5', 'b6'].map((byte) => `0x${byte.repeat(32)}` as const)

type PageSession = { page: Page; urls: Urls; key: number }

/** Opens the buy view with an empty account. */
async function openBuy({ page, urls, key }: PageSession): Promise<Locator> {
  const privateKey = keys[key] ?? keys[0] ?? '0x'
  await installSimulatedExtension(page, testExtensionOf(urls, privateKey))
  await page.goto(`${urls.web}/account`)
  await connectExtension(page)
  const dialog = await openModal(page)
  await dialog.getByRole('button', { name: 'Buy', exact: true }).first().click()
  return dialog
}

/** Enters an amount and opens the provider's window. */
async function openPaymentPage(page: Page, dialog: Locator, amount: string): Promise<Page> {
  await dialog.getByRole('textbox', { name: 'Amount in USD' }).fill(amount)
  await expect(dialog.getByText(/^about /)).toBeVisible()
  const opening = page.waitForEvent('popup')
  await dialog.getByRole('button', { name: 'Continue to Sandbox' }).click()
  const popup = await opening
  await expect(popup.getByRole('heading', { name: 'Sandbox checkout' })).toBeVisible()
  return popup
}

async function payByCard(popup: Page, number: string): Promise<void> {
  await popup.getByRole('textbox', { name: 'Card number' }).fill(number)
  await popup.getByRole('textbox', { name: 'Expires (MM/YY)' }).fill('12/39')
  await popup.getByRole('textbox', { name: 'Security code' }).fill('123')
  await popup.getByRole('button', { name: /^Pay / }).click()
}

test('card purchase arrives and updates the balance [R1.6] [R7.1.17]', async ({ page, urls }) => {
  const dialog = await openBuy({ page, urls, key: 0 })
  const popup = await openPaymentPage(page, dialog, '250')
  expect(await popup.evaluate(() => window.opener as unknown)).toBeNull()
  await expect(dialog.getByText('Pay at Sandbox')).toBeVisible()
  await payByCard(popup, '4242 4242 4242 4242')
  await expect(popup.getByText('0.098 ETH arrived.')).toBeVisible()
  await expect(dialog.getByText('0.098 ETH arrived')).toBeVisible()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect(dialog.getByText(/^0\.098 ETH$/)).toBeVisible()
})

test(
  'declined card shows an error, and another card with a bank code succeeds',
  { tag: '@variant' },
  async ({ page, urls }) => {
    const dialog = await openBuy({ page, urls, key: 1 })
    const popup = await openPaymentPage(page, dialog, '50')
    await payByCard(popup, '4000 0000 0000 0002')
    await expect(popup.getByRole('alert')).toHaveText('Your bank declined the card. Use another one.')
    await expect(dialog.getByText('The payment was declined')).toBeVisible()
    await payByCard(popup, '4000 0000 0000 3220')
    await popup.getByRole('textbox', { name: 'Code from your bank' }).fill('123456')
    await popup.getByRole('button', { name: 'Confirm' }).click()
    await expect(popup.getByText('0.0196 ETH arrived.')).toBeVisible()
    await expect(dialog.getByText('0.0196 ETH arrived')).toBeVisible()
  },
)

test(
  'blocked checkout window shows a link, and a closed one asks for confirmation',
  { tag: '@variant' },
  async ({ page, urls }) => {
    await page.addInitScript(() => {
      const { open } = window
      window.open = (...openArguments) =>
        sessionStorage.getItem('blocked') === 'yes' ? null : open.apply(window, openArguments)
    })
    const dialog = await openBuy({ page, urls, key: 2 })
    await page.evaluate(() => sessionStorage.setItem('blocked', 'yes'))
    await dialog.getByRole('textbox', { name: 'Amount in USD' }).fill('50')
    await dialog.getByRole('button', { name: 'Continue to Sandbox' }).click()
    await expect(dialog.getByText('The window was blocked')).toBeVisible()
    const opening = page.context().waitForEvent('page')
    await dialog.getByRole('link', { name: 'Open Sandbox' }).click()
    await expect((await opening).getByRole('heading', { name: 'Sandbox checkout' })).toBeVisible()

    await dialog.getByRole('button', { name: 'Back' }).click()
    await page.evaluate(() => sessionStorage.setItem('blocked', 'no'))
    const popup = await openPaymentPage(page, dialog, '50')
    await popup.close()
    await expect(dialog.getByText('Did you finish?')).toBeVisible()
    await expect(dialog.getByRole('link', { name: 'Open Sandbox' })).toBeVisible()
  },
)

test(
  'amount limits are shown before checkout, and limits of a payment method at checkout [R9.4.6]',
  { tag: '@variant' },
  async ({ page, urls }) => {
    const dialog = await openBuy({ page, urls, key: 3 })
    const amount = dialog.getByRole('textbox', { name: 'Amount in USD' })
    await amount.fill('9.99')
    await expect(dialog.getByRole('button', { name: 'At least $10.00' })).toBeVisible()
    await amount.fill('25000.01')
    await expect(dialog.getByRole('button', { name: 'At most $25,000.00' })).toBeVisible()
    const popup = await openPaymentPage(page, dialog, '8000')
    await payByCard(popup, '4242 4242 4242 4242')
    await expect(popup.getByRole('alert')).toHaveText('8000.00 USD cannot be paid in this way. Choose another.')
    await popup.getByRole('radio', { name: /Bank account/ }).check()
    await popup.getByRole('button', { name: /^Pay / }).click()
    await expect(popup.getByText('3.168 ETH arrived.')).toBeVisible()
  },
)

for (const [name, viewport] of [
  ['desk', { width: 1280, height: 800 }],
  ['phone', { width: 390, height: 844 }],
] as const) {
  test(
    `quick amount and payment method lead to a price with its rate and fee, ${name}`,
    { tag: '@variant' },
    async ({ page, urls }) => {
      await page.setViewportSize(viewport)
      const dialog = await openBuy({ page, urls, key: 3 })
      await dialog.getByRole('button', { name: '$200', exact: true }).click()
      await expect(dialog.getByRole('textbox', { name: 'Amount in USD' })).toHaveValue('200')
      await expect(dialog.getByRole('radio', { name: /^Card/ })).toBeChecked()
      await expect(
        dialog.getByRole('radio', { name: /^Sandbox\s*1 ETH = \$2,551\.02\s*Fee \$4\.00\s*0\.0784 ETH$/ }),
      ).toBeChecked()
      await dialog.getByText('Bank account', { exact: true }).click()
      await expect(dialog.getByRole('radio', { name: /^Sandbox\s*1 ETH = \$2,525\.25\s*Fee \$2\.00/ })).toBeChecked()
      await expect(dialog.getByRole('button', { name: 'Continue to Sandbox' })).toBeInViewport()
      expect(await axeViolations(page, 'latchkey-modal')).toEqual([])
    },
  )
}

test.describe('sandbox checkout page', () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    test(`has no accessibility violations, ${colorScheme}`, { tag: '@variant' }, async ({ page, urls }) => {
      const dialog = await openBuy({ page, urls, key: colorScheme === 'light' ? 4 : 5 })
      const popup = await openPaymentPage(page, dialog, '50')
      const url = popup.url()
      await popup.close()
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width: 320, height: 640 })
      await page.goto(url)
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
      expect(await axeViolations(page)).toEqual([])
      await payByCard(page, '4242 4242 4242 4241')
      await expect(page.getByRole('textbox', { name: 'Card number' })).toHaveAttribute('aria-invalid', 'true')
      expect(await axeViolations(page)).toEqual([])
    })
  }
})

test.describe('unsupported region', () => {
  test.use({ timezoneId: 'Asia/Shanghai' })

  test('hides Buy and keeps the other actions [R9.4.5]', async ({ page, urls, extension }) => {
    await page.goto(`${urls.web}/account`)
    await connectExtension(page)
    const dialog = await openModal(page)
    await expect(dialog.getByRole('button', { name: 'Receive' })).toBeVisible()
    await expect(dialog.getByRole('button', { name: 'Buy', exact: true })).toHaveCount(0)
    expect(extension).toBeDefined()
  })
})
