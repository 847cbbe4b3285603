import { connect, type Latchkey } from '@latchkey/core'
import { fakeConnector, fakeWorld, type ManualClock } from '@latchkey/core/fakes'
import { buyMessages } from '@latchkey/modal/messages'
import axe from 'axe-core'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { RenderResult } from 'vitest-browser-react'
import { waitForAnimations, modalRoot, renderModal } from '../../../../testing/renderModal.tsx'
import { fakeOnRamp, type FakeOnRamp } from '../../../../testing/fakeOnRamp.ts'
import { enterGarbage } from '../../../../testing/enterGarbage.ts'
import { gapsOf } from '../../../../testing/gapsOf.ts'

const en = buyMessages.english

const entry = { view: 'OnRampProviders', params: {} } as const

let server: FakeOnRamp
let latchkey: Latchkey
let clock: ManualClock
/** The opened windows and their URLs. */
let windows: Array<{ closed: boolean; url: string; opener: unknown; close(): void }>
let isBlocked: boolean
const { open } = globalThis

beforeEach(async () => {
  server = fakeOnRamp('eip155:1')
  ;({ latchkey, clock } = fakeWorld({ connectors: [fakeConnector()], server: server.url, projectId: 'ab'.repeat(16) }))
  await connect(latchkey, 'fake')
  windows = []
  isBlocked = false
  globalThis.open = () => {
    if (isBlocked) return null
    const opened = {
      closed: false,
      url: '',
      opener: globalThis,
      document: document.implementation.createHTMLDocument(),
      location: { replace: (url: string) => void (opened.url = url) },
      close: () => void (opened.closed = true),
    }
    windows.push(opened)
    // The used members of a window.
    return opened as unknown as Window
  }
})
afterEach(async () => {
  globalThis.open = open
  await page.viewport(414, 896)
})

async function expectAccessible(): Promise<void> {
  await waitForAnimations()
  const { violations } = await axe.run(modalRoot().host, { rules: { region: { enabled: false } } })
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
}

async function enterAmount(amount: string): Promise<RenderResult> {
  const screen = await renderModal(latchkey, entry)
  await screen.getByRole('textbox', { name: 'Amount in USD' }).fill(amount)
  return screen
}

/** A purchase that continues in the other window. */
async function beginPurchase(): Promise<RenderResult> {
  const screen = await enterAmount('100')
  await screen.getByRole('button', { name: 'Continue to Sandbox' }).click()
  await expect.poll(() => server.requests).toContain('POST /v1/generators/onrampurl')
  return screen
}

test('no entry breaks the amount of a purchase', { tags: 'browsers' }, async () => {
  const screen = await renderModal(latchkey, entry)
  expect(await enterGarbage(latchkey, screen.getByRole('textbox', { name: 'Amount in USD' }))).toEqual([])
})

test('the purchase shows provider, fees, limits and the received amount [R9.4.6]', async () => {
  const screen = await enterAmount('100')
  clock.advance(500)
  await expect.element(screen.getByText('about 0.0392', { exact: true })).toBeVisible()
  await expect.element(screen.getByRole('radio', { name: 'Card $10.00 – $7,500.00' })).toBeChecked()
  await expect.element(screen.getByRole('radio', { name: 'Bank account $10.00 – $25,000.00' })).not.toBeChecked()
  await expect.element(screen.getByRole('radio', { name: 'Sandbox' })).toBeChecked()
  await expect.element(screen.getByText('$2.00').first()).toBeVisible()
  await expectAccessible()
  await page.viewport(320, 640)
  await waitForAnimations()
  expect(modalRoot().querySelector('.pane')?.scrollWidth).toBeLessThanOrEqual(320)
})

test('each provider shows its fees before an amount, and then its rate, and the cheapest one is marked', async () => {
  const screen = await renderModal(latchkey, entry)
  await expect.element(screen.getByText('Fee 1% – 2%').first()).toBeVisible()
  await screen.getByRole('button', { name: '$100' }).click()
  clock.advance(500)
  const [sandbox, acme] = [screen.getByRole('radio', { name: 'Sandbox' }), screen.getByRole('radio', { name: 'Acme' })]
  await expect
    .element(sandbox)
    .toHaveAccessibleName(/^Sandbox\s*Best price\s*1 ETH = \$2,551.02\s*Fee \$2.00\s*0.0392 ETH$/)
  await expect.element(acme).toHaveAccessibleName(/^Acme\s*1 ETH = \$2,604.17\s*Fee \$2.00\s*0.0384 ETH$/)
  await acme.click({ force: true })
  await expect.element(screen.getByText('about 0.0384', { exact: true })).toBeVisible()
  await expect.element(screen.getByRole('button', { name: 'Continue to Acme' })).toBeVisible()
  await expectAccessible()
})

test('a quick amount is entered with one click, and the payment method has its own limits', async () => {
  const screen = await renderModal(latchkey, entry)
  const quick = screen.getByRole('group', { name: 'Quick amounts' })
  for (const amount of ['50', '100', '200']) {
    await quick.getByRole('button', { name: `$${amount}`, exact: true }).click()
    await expect.element(screen.getByRole('textbox', { name: 'Amount in USD' })).toHaveValue(amount)
  }
  await screen.getByRole('textbox', { name: 'Amount in USD' }).fill('8000')
  await expect.element(screen.getByRole('radio', { name: /^Bank account/ })).toBeChecked()
  await screen.getByRole('radio', { name: /^Card/ }).click({ force: true })
  await expect.element(screen.getByRole('button', { name: 'At most $7,500.00' })).toBeVisible()
  await screen.getByRole('radio', { name: /^Bank account/ }).click({ force: true })
  await expect.element(screen.getByRole('button', { name: 'Continue to Sandbox' })).toBeVisible()
})

test.each([
  ['', 'Enter an amount'],
  ['1,000', 'Enter an amount like 50 or 49.99'],
  ['9.99', 'At least $10.00'],
  ['25000.01', 'At most $25,000.00'],
])('with %j the button names the missing value, and nothing opens', async (amount, label) => {
  const screen = await enterAmount(amount)
  await screen.getByRole('button', { name: label }).click()
  expect(windows).toEqual([])
  await expect.poll(() => modalRoot().activeElement?.ariaLabel).toBe('Amount in USD')
})

test('choosing another currency and asset requests a new quote', { tags: 'browsers' }, async () => {
  const screen = await enterAmount('100')
  await screen.getByRole('button', { name: 'Currency: USD' }).click()
  await screen.getByRole('button', { name: /Euro/ }).click()
  await expect.element(screen.getByRole('textbox', { name: 'Amount in EUR' })).toHaveValue('100')
  await screen.getByRole('button', { name: 'Select coin: ETH' }).click()
  await screen.getByRole('button', { name: /USD Coin/ }).click()
  await expect.element(screen.getByRole('button', { name: 'Select coin: USDC' })).toBeVisible()
  clock.advance(500)
  await expect.element(screen.getByText('€2.00').first()).toBeVisible()
})

test('a missing quote is shown as missing and can be requested again', async () => {
  server.unpriced = true
  const screen = await enterAmount('100')
  clock.advance(500)
  await expect.element(screen.getByRole('alert').last()).toHaveTextContent('Sandbox has no price right now.')
  server.unpriced = false
  await screen.getByRole('button', { name: 'Try again' }).click()
  await expect.element(screen.getByText('about 0.0392', { exact: true })).toBeVisible()
  expect(windows).toEqual([])
})

test('the window opens within the click, has no opener, and the arrival is shown', async () => {
  const screen = await beginPurchase()
  await expect.poll(() => windows).toMatchObject([{ url: `${server.url}/pay`, opener: null }])
  await expect.element(screen.getByText('Pay at Sandbox')).toBeVisible()
  await expect.element(screen.getByRole('link', { name: 'Open Sandbox' })).toHaveAttribute('rel', 'noopener noreferrer')
  await expectAccessible()
  server.status = 'arrived'
  clock.advance(4_000)
  await expect.element(screen.getByText('0.0392 ETH arrived')).toBeVisible()
  await screen.getByRole('button', { name: 'Buy again' }).click()
  await expect.element(screen.getByRole('textbox', { name: 'Amount in USD' })).toHaveValue('100')
  await screen.getByRole('button', { name: 'Purchases' }).click()
  await expect.element(screen.getByText('Arrived', { exact: true })).toBeVisible()
  await expectAccessible()
})

test('a blocked window leaves a link, and a closed one asks for the result', { tags: 'browsers' }, async () => {
  isBlocked = true
  const screen = await beginPurchase()
  await expect.element(screen.getByText('The window was blocked')).toBeVisible()
  await expect.element(screen.getByRole('link', { name: 'Open Sandbox' })).toHaveAttribute('href', `${server.url}/pay`)
  await screen.getByRole('button', { name: 'Back' }).click()
  isBlocked = false
  await screen.getByRole('button', { name: 'Continue to Sandbox' }).click()
  await expect.element(screen.getByText('Pay at Sandbox')).toBeVisible()
  for (const window of windows) window.closed = true
  clock.advance(500)
  await expect.element(screen.getByText('Did you finish?')).toBeVisible()
})

test.each([
  ['declined', 'The payment was declined', 'status'],
  ['paid', 'Payment received', 'status'],
  ['failed', 'The purchase was not completed', 'alert'],
] as const)('a purchase that is %s says so', async (status, headline, role) => {
  server.status = status
  const screen = await beginPurchase()
  await expect.element(screen.getByText(headline)).toBeVisible()
  await expect.element(screen.getByRole(role).filter({ hasText: headline })).toBeVisible()
})

test(
  'after three minutes the purchase is shown as overdue and can be checked again',
  { tags: 'browsers' },
  async () => {
    const screen = await beginPurchase()
    await expect.poll(() => server.requests.at(-1)).toBe('GET /v1/onramp/purchases')
    clock.advance(180_000)
    await expect.element(screen.getByText('Payment not confirmed yet')).toBeVisible()
    server.status = 'arrived'
    await screen.getByRole('button', { name: 'Check again' }).click()
    await expect.element(screen.getByText('0.0392 ETH arrived')).toBeVisible()
  },
)

test('a purchase that cannot start closes the window, says that nothing was charged, and can be retried', async () => {
  server.pageless = true
  const screen = await beginPurchase()
  await expect.element(screen.getByRole('alert').last()).toHaveTextContent('The purchase could not start')
  expect(windows[0]?.closed).toBe(true)
  server.pageless = false
  await screen.getByRole('button', { name: 'Try again' }).click()
  await expect.element(screen.getByText('Pay at Sandbox')).toBeVisible()
})

test('an unreachable server is shown and requested again', { tags: 'browsers' }, async () => {
  server.down = true
  const screen = await renderModal(latchkey, entry)
  await expect
    .element(screen.getByRole('alert').last())
    .toHaveTextContent('The list of coins can’t be loaded right now.')
  server.down = false
  await screen.getByRole('button', { name: 'Try again' }).click()
  await expect.element(screen.getByRole('textbox', { name: 'Amount in USD' })).toBeVisible()
})

test('an empty purchase list says what appears there', { tags: 'browsers' }, async () => {
  const screen = await renderModal(latchkey, { view: 'OnRampActivity', params: {} })
  await expect.element(screen.getByText('No purchases yet')).toBeVisible()
  expect(server.requests).toEqual([])
  await screen.getByRole('button', { name: 'Buy' }).click()
  await expect.element(screen.getByRole('textbox', { name: 'Amount in USD' })).toBeVisible()
})

test('the view is translated to German, and every language has all texts', async () => {
  const screen = await renderModal(latchkey, entry, { locale: 'de' })
  await expect.element(screen.getByRole('textbox', { name: 'Betrag in USD' })).toBeVisible()
  for (const [locale, load] of Object.entries(buyMessages.translations)) {
    expect([locale, gapsOf(en, (await load?.())?.translation)]).toEqual([locale, []])
  }
})
