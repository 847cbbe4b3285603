import { connect, type Latchkey } from '@latchkey/core'
import {
  fakeAdapter,
  fakeConnector,
  fakeExchange,
  fakeWorld,
  type FakeConnector,
  type FakeExchange,
  type FakeWorld,
} from '@latchkey/core/fakes'
import { swapState } from '@latchkey/core/money'
import { swapMessages } from '@latchkey/modal/messages'
import { requestError } from '@latchkey/protocol'
import axe from 'axe-core'
import { expect, onTestFinished, test } from 'vitest'
import type { RenderResult } from 'vitest-browser-react'
import { page, userEvent } from 'vitest/browser'
import { waitForAnimations, modalRoot, renderModal } from '../../../../testing/renderModal.tsx'
import { serveExchange } from '../../../../testing/serveExchange.ts'
import { enterGarbage } from '../../../../testing/enterGarbage.ts'
import { gapsOf } from '../../../../testing/gapsOf.ts'

// Variants run in another command than the main paths.
const variant = { tags: 'browsers' } as const
const en = swapMessages.english

const entry = { view: 'Swap', params: {} } as const
const chainId = 'eip155:1'
const address = '0xaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaafa4e'
const serverUrl = 'https://server.invalid'
const noReason = { status: 400, body: { reasons: [{ field: '', description: 'insufficient liquidity' }] } }

type Swapping = FakeWorld & { exchange: FakeExchange; connector: FakeConnector; latchkey: Latchkey }

async function renderSwapView(): Promise<Swapping> {
  const exchange = fakeExchange(chainId, address)
  serveExchange(exchange, serverUrl)
  const adapter = fakeAdapter({ balances: { [address]: 5n * 10n ** 18n } })
  const connector = fakeConnector()
  const world = fakeWorld({
    adapters: [adapter],
    connectors: [connector],
    server: serverUrl,
    projectId: '0'.repeat(32),
  })
  await connect(world.latchkey, 'fake')
  return { ...world, exchange, connector }
}

const getButton = (screen: RenderResult, name: string) => screen.getByRole('button', { name, exact: true })
const amountOf = (screen: RenderResult) => screen.getByRole('textbox', { name: /^Amount/ })
const getExpectedField = (screen: RenderResult) => screen.getByRole('textbox', { name: /^Expected/ })

async function selectToToken(screen: RenderResult, name: RegExp): Promise<void> {
  await getButton(screen, 'Select token').first().click()
  await screen.getByRole('region', { name: 'All tokens' }).getByRole('button', { name }).click()
  await expect.element(getExpectedField(screen)).toBeInTheDocument()
}

/** Fills the form, and lets typing rest. */
async function fill(screen: RenderResult, world: Swapping, amount: string): Promise<void> {
  await amountOf(screen).fill(amount)
  world.clock.advance(500)
  await expect.element(getButton(screen, 'Review swap')).toHaveAttribute('aria-disabled', 'false')
}

async function reviewSwap(screen: RenderResult): Promise<void> {
  await getButton(screen, 'Review swap').click()
  await expect.element(getButton(screen, 'Cancel')).toBeVisible()
}

async function listAxeViolations(): Promise<unknown> {
  await waitForAnimations()
  const { violations: found } = await axe.run(modalRoot().host, { rules: { region: { enabled: false } } })
  return found.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])
}

test('no entry breaks the fields of a swap', variant, async () => {
  const { latchkey } = await renderSwapView()
  const screen = await renderModal(latchkey, entry)
  expect(await enterGarbage(latchkey, amountOf(screen))).toEqual([])
})

test('focus is in the amount, which names its unit and the balance [R2.2]', async () => {
  const { latchkey } = await renderSwapView()
  const screen = await renderModal(latchkey, entry)
  const field = screen.getByRole('textbox', { name: 'Amount in COIN' })
  await expect.poll(() => modalRoot().activeElement === field.query()).toBe(true)
  await expect.element(field).toHaveAccessibleDescription('Balance 5.000 COIN')
  expect(await listAxeViolations()).toEqual([])
})

test('the terms are shown before any approval, and unknown values as unknown [R9.5.1]', async () => {
  const world = await renderSwapView()
  const screen = await renderModal(world.latchkey, entry)
  await selectToToken(screen, /Latch Dollar/)
  await fill(screen, world, '1.5')
  await expect.element(getExpectedField(screen)).toHaveValue('4,500')
  for (const fact of ['1 COIN = 3,000 LUSD', '4,455 LUSD', '0.25%', '0.0001 COIN', 'COIN → LUSD']) {
    await expect.element(screen.getByText(fact)).toBeVisible()
  }
  await expect.element(screen.getByRole('textbox', { name: 'Slippage in percent' })).toHaveValue('1')
  // The price of the coin is unknown.
  await expect.element(screen.getByText('Price unknown')).toBeVisible()
  await expect.element(screen.getByText('$4,500.00')).toBeVisible()
  expect(await listAxeViolations()).toEqual([])
})

test('the button names the missing value and focuses its field', async () => {
  const world = await renderSwapView()
  const screen = await renderModal(world.latchkey, entry)
  await getButton(screen, 'Select token').last().click()
  await expect.element(screen.getByRole('heading', { name: 'Your tokens' })).toBeVisible()
  expect(await listAxeViolations()).toEqual([])
  await screen.getByRole('searchbox').fill('nothing')
  await expect.element(screen.getByText('No tokens found')).toBeVisible()
  await screen.getByRole('searchbox').fill('latch')
  await screen
    .getByRole('region', { name: 'All tokens' })
    .getByRole('button', { name: /Latch Dollar/ })
    .click()
  await getButton(screen, 'Enter amount').click()
  await expect.poll(() => modalRoot().activeElement === amountOf(screen).query()).toBe(true)
  await userEvent.keyboard('1e3')
  await expect.element(getButton(screen, 'Incorrect amount')).toBeVisible()
  await amountOf(screen).fill('6')
  await expect.element(screen.getByRole('alert').getByText(/balance is too low/)).toBeVisible()
  await expect.element(amountOf(screen)).toHaveAttribute('aria-invalid', 'true')
})

test('reversing the tokens and selecting the maximum take one click each', async () => {
  const world = await renderSwapView()
  const screen = await renderModal(world.latchkey, entry)
  await selectToToken(screen, /Latch Dollar/)
  await getButton(screen, 'Reverse the tokens').click()
  await getButton(screen, 'Swap all LUSD').click()
  await expect.element(screen.getByRole('textbox', { name: 'Amount in LUSD' })).toHaveValue('500')
})

test('an invalid slippage is rejected with a notice, and a high one shows a warning [R9.5.1]', variant, async () => {
  const world = await renderSwapView()
  const screen = await renderModal(world.latchkey, entry)
  await selectToToken(screen, /Latch Dollar/)
  await fill(screen, world, '1')
  const slippage = screen.getByRole('textbox', { name: 'Slippage in percent' })
  await slippage.fill('51')
  await expect.element(screen.getByText('Choose between 0.05 and 50 percent.')).toBeVisible()
  await slippage.fill('10')
  await expect.element(screen.getByText('2,700 LUSD')).toBeVisible()
  await expect.element(screen.getByText(/With 10% slippage/)).toBeVisible()
  expect(await listAxeViolations()).toEqual([])
})

test('the seconds to the next rate are shown, and screen readers announce only the interval', variant, async () => {
  const world = await renderSwapView()
  const screen = await renderModal(world.latchkey, entry)
  await selectToToken(screen, /Latch Dollar/)
  await fill(screen, world, '1')
  const countdown = (): Element | null => modalRoot().querySelector('.swap-countdown')
  for (const [text, milliseconds] of [
    ['New rate in 10s', 1_000],
    ['New rate in 9s', 8_000],
    ['New rate in 1s', 0],
  ] as const) {
    await expect.element(screen.getByText(text)).toBeVisible()
    world.clock.advance(milliseconds)
  }
  expect(countdown()?.querySelector(':not([aria-hidden])')?.textContent).toBe('A new rate is loaded every 10 seconds.')
  expect(countdown()?.closest('[aria-live],[role=status],[role=alert]')).toBeNull()
  expect(countdown()?.getAnimations({ subtree: true })).toEqual([])
  world.exchange.rate = 2_900n
  world.clock.advance(1_000)
  await expect.element(screen.getByText('1 COIN = 2,900 LUSD')).toBeVisible()
  await expect.element(screen.getByText('New rate in 10s')).toBeVisible()
  expect(await listAxeViolations()).toEqual([])
})

test('the countdown pauses while the wallet is asked', variant, async () => {
  const world = await renderSwapView()
  const screen = await renderModal(world.latchkey, entry)
  await selectToToken(screen, /Latch Dollar/)
  await fill(screen, world, '1')
  await reviewSwap(screen)
  await expect.element(screen.getByText(/^New rate in/)).toBeVisible()
  // The price is checked once more before the wallet is asked.
  world.exchange.instead['quotes'] = () => new Promise(() => {})
  await getButton(screen, 'Swap').click()
  await expect.element(screen.getByText(/^Confirm in/)).toBeVisible()
  await expect.element(screen.getByText(/^New rate in/)).not.toBeVisible()
})

const getReceivedField = (screen: RenderResult) =>
  screen.getByRole('group', { name: 'You receive' }).getByRole('textbox')
const getPaidField = (screen: RenderResult) => screen.getByRole('group', { name: 'You pay' }).getByRole('textbox')

test('an amount to receive shows what it costs, and its maximum is reviewed', async () => {
  const world = await renderSwapView()
  const screen = await renderModal(world.latchkey, entry)
  await selectToToken(screen, /Latch Dollar/)
  await getReceivedField(screen).fill('1500')
  world.clock.advance(500)
  await expect.element(getPaidField(screen)).toHaveValue('0.5')
  await expect.element(getReceivedField(screen)).toHaveAccessibleName('Amount in LUSD')
  await expect.element(getPaidField(screen)).toHaveAccessibleName('Expected amount in COIN')
  await expect.element(screen.getByText('Maximum paid')).toBeVisible()
  await expect.element(screen.getByText('0.505 COIN')).toBeVisible()
  await expect.element(screen.getByText('Minimum received')).not.toBeInTheDocument()
  expect(await listAxeViolations()).toEqual([])
  await reviewSwap(screen)
  await expect.element(screen.getByText('0.505 COIN')).toBeVisible()
  await expect.element(screen.getByText('1,500 LUSD', { exact: true })).toBeVisible()
  await getButton(screen, 'Swap').click()
  await expect
    .poll(() => world.clock.advance(150) ?? modalRoot().textContent)
    .toContain('Swapped COIN to 1,500.000 LUSD')
  expect(world.adapter.sent.map(({ request }) => request.value)).toEqual([505_000_000_000_000_000n])
})

test('exactly the maximum of a token is approved, and the button names it', async () => {
  const world = await renderSwapView()
  const screen = await renderModal(world.latchkey, entry)
  await selectToToken(screen, /Latch Dollar/)
  await getButton(screen, 'Reverse the tokens').click()
  await getReceivedField(screen).fill('0.04')
  world.clock.advance(500)
  await expect.element(getPaidField(screen)).toHaveValue('120')
  await reviewSwap(screen)
  await expect.element(screen.getByText(/approve exactly 121.2 LUSD for the exchange/)).toBeVisible()
  world.exchange.allowance = 121_200_000n
  await getButton(screen, 'Approve 121.2 LUSD').click()
  await expect.element(getButton(screen, 'Swap')).toBeVisible()
})

test('a wrong amount to receive is marked and focused, and clearing it asks for an amount', variant, async () => {
  const world = await renderSwapView()
  const screen = await renderModal(world.latchkey, entry)
  await selectToToken(screen, /Latch Dollar/)
  await getReceivedField(screen).fill('1e3')
  await getButton(screen, 'Incorrect amount').click()
  await expect.element(getReceivedField(screen)).toHaveAttribute('aria-invalid', 'true')
  await expect.element(getPaidField(screen)).toHaveAttribute('aria-invalid', 'false')
  await expect.poll(() => modalRoot().activeElement === getReceivedField(screen).query()).toBe(true)
  await getReceivedField(screen).fill('')
  await expect.element(getButton(screen, 'Enter amount')).toBeVisible()
})

test('no entry breaks the amount to receive', { tags: 'browsers', timeout: 120_000 }, async () => {
  const { latchkey } = await renderSwapView()
  const screen = await renderModal(latchkey, entry)
  await selectToToken(screen, /Latch Dollar/)
  expect(await enterGarbage(latchkey, getReceivedField(screen))).toEqual([])
})

test('an expected amount has the format of the language until it is edited', variant, async () => {
  const world = await renderSwapView()
  const screen = await renderModal(world.latchkey, entry)
  await selectToToken(screen, /Latch Dollar/)
  await fill(screen, world, '1.5')
  await expect.element(getReceivedField(screen)).toHaveValue('4,500')
  await getReceivedField(screen).click()
  await expect.element(getReceivedField(screen)).toHaveValue('4500')
  await userEvent.keyboard('7')
  await expect.element(getReceivedField(screen)).toHaveValue('7')
})

test('an amount that is filled in replaces an expected one', variant, async () => {
  const world = await renderSwapView()
  const screen = await renderModal(world.latchkey, entry)
  await selectToToken(screen, /Latch Dollar/)
  await fill(screen, world, '1.5')
  await getReceivedField(screen).fill('1234.56')
  await expect.element(getReceivedField(screen)).toHaveValue('1234.56')
})

test('an exchange that quotes no exact output has a read-only field with the reason', variant, async () => {
  const world = await renderSwapView()
  world.exchange.quotesOutput = false
  const screen = await renderModal(world.latchkey, entry)
  await selectToToken(screen, /Latch Dollar/)
  await expect.element(getReceivedField(screen)).toHaveAttribute('readonly')
  await expect
    .element(getReceivedField(screen))
    .toHaveAccessibleDescription('On this exchange, you can only enter the amount you pay.')
  await expect.element(getPaidField(screen)).not.toHaveAttribute('readonly')
  expect(await listAxeViolations()).toEqual([])
})

test('a click on the rate inverts it', variant, async () => {
  const world = await renderSwapView()
  const screen = await renderModal(world.latchkey, entry)
  await selectToToken(screen, /Latch Dollar/)
  await fill(screen, world, '1.5')
  await screen.getByRole('button', { name: '1 COIN = 3,000 LUSD Invert the rate' }).click()
  await screen.getByRole('button', { name: '1 LUSD = 0.0003333 COIN Invert the rate' }).click()
  await expect.element(screen.getByText('1 COIN = 3,000 LUSD')).toBeVisible()
})

test('the slippage is automatic until a preset or a number is chosen', async () => {
  const world = await renderSwapView()
  const screen = await renderModal(world.latchkey, entry)
  await selectToToken(screen, /Latch Dollar/)
  await fill(screen, world, '1')
  const field = screen.getByRole('textbox', { name: 'Slippage in percent' })
  await expect.element(getButton(screen, 'Auto')).toHaveAttribute('aria-pressed', 'true')
  await expect.element(screen.getByText('2,970 LUSD')).toBeVisible()
  await getButton(screen, '0.5%').click()
  await expect.element(getButton(screen, 'Auto')).toHaveAttribute('aria-pressed', 'false')
  await expect.element(getButton(screen, '0.5%')).toHaveAttribute('aria-pressed', 'true')
  await expect.element(field).toHaveValue('0.5')
  await expect.element(screen.getByText('2,985 LUSD')).toBeVisible()
  await field.fill('3')
  await expect.element(getButton(screen, '3%')).toHaveAttribute('aria-pressed', 'true')
  await getButton(screen, 'Auto').click()
  await expect.element(field).toHaveValue('1')
  expect(await listAxeViolations()).toEqual([])
})

test('a missing quote is explained and can be requested again', async () => {
  const world = await renderSwapView()
  world.exchange.instead['quotes'] = () => noReason
  const screen = await renderModal(world.latchkey, entry)
  await selectToToken(screen, /Latch Dollar/)
  await amountOf(screen).fill('1')
  world.clock.advance(500)
  await expect.element(screen.getByText(/There isn’t enough liquidity for this amount/)).toBeVisible()
  delete world.exchange.instead['quotes']
  await getButton(screen, 'Try again').click()
  await expect.element(getExpectedField(screen)).toHaveValue('3,000')
})

test('a coin is swapped in one step, and a rejected request is announced politely', async () => {
  const world = await renderSwapView()
  const screen = await renderModal(world.latchkey, entry)
  await selectToToken(screen, /Latch Dollar/)
  await fill(screen, world, '1')
  await reviewSwap(screen)
  await expect.element(screen.getByText('2,970 LUSD')).toBeVisible()
  expect(await listAxeViolations()).toEqual([])
  world.connector.fail('sendTransaction', requestError('request/rejected', { method: 'sendTransaction' }))
  await getButton(screen, 'Swap').click()
  await expect.element(screen.getByText('You rejected this in your wallet. Nothing was sent.')).toBeVisible()
  world.connector.fail('sendTransaction', undefined)
  await getButton(screen, 'Swap').click()
  await expect.element(screen.getByRole('heading', { name: 'Account' })).toBeInTheDocument()
  await expect.poll(() => world.clock.advance(150) ?? modalRoot().textContent).toContain('Swapped 1.000 COIN to LUSD')
})

test('amounts of a swap have the format of the language in the form and in the notice', variant, async () => {
  const world = await renderSwapView()
  const screen = await renderModal(world.latchkey, entry, { locale: 'de' })
  await getButton(screen, 'Token wählen').first().click()
  await screen
    .getByRole('region', { name: 'Alle Token' })
    .getByRole('button', { name: /Latch Dollar/ })
    .click()
  await screen.getByRole('textbox', { name: /^Betrag/ }).fill('1.5')
  world.clock.advance(500)
  await expect.element(getButton(screen, 'Tausch prüfen')).toHaveAttribute('aria-disabled', 'false')
  await expect.element(screen.getByRole('textbox').nth(1)).toHaveValue('4.500')
  await getButton(screen, 'Tausch prüfen').click()
  await getButton(screen, 'Tauschen').click()
  await expect.poll(() => world.clock.advance(150) ?? modalRoot().textContent).toContain('1,500 COIN')
  const findLink = (): Element | null => (world.clock.advance(150), modalRoot().querySelector('.toast a'))
  await expect.poll(() => findLink()?.getAttribute('href')).toMatch(/explorer\.invalid/)
})

test('a token is approved first and then swapped, with the exact amount in the texts', async () => {
  const world = await renderSwapView()
  const screen = await renderModal(world.latchkey, entry)
  await selectToToken(screen, /Latch Dollar/)
  await getButton(screen, 'Reverse the tokens').click()
  await fill(screen, world, '100')
  await reviewSwap(screen)
  await expect.element(screen.getByText(/approve exactly 100 LUSD for the exchange/)).toBeVisible()
  world.exchange.allowance = 100_000_000n
  await getButton(screen, 'Approve 100 LUSD').click()
  await expect.element(getButton(screen, 'Swap')).toBeVisible()
  expect(world.adapter.sent).toHaveLength(1)
})

test('a swap that loses more than 15 percent needs a typed word', async () => {
  const world = await renderSwapView()
  const { exchange } = world
  exchange.instead['quotes'] = (exchangeRequest) => {
    const usual = exchange.usual(exchangeRequest)
    const { quotes } = Object(usual.body)
    return { body: { quotes: [{ ...quotes[0], priceImpact: 23.4 }] } }
  }
  const screen = await renderModal(world.latchkey, entry)
  await selectToToken(screen, /Latch Dollar/)
  await fill(screen, world, '1')
  await reviewSwap(screen)
  const swap = getButton(screen, 'Swap')
  await expect.element(swap).toHaveAttribute('aria-disabled', 'true')
  await swap.click({ force: true })
  const field = screen.getByRole('textbox', { name: /You would lose about 23.4%/ })
  // Below the terms, the user would have to scroll to find out why the button is disabled.
  expect(field.element().closest('.footer')).toBe(swap.element().closest('.footer'))
  await field.fill('yes')
  await expect.element(swap).toHaveAttribute('aria-disabled', 'true')
  expect(world.connector.requests.filter(({ method }) => method === 'sendTransaction')).toEqual([])
  await field.fill(' Swap')
  await expect.element(swap).toHaveAttribute('aria-disabled', 'false')
  expect(await listAxeViolations()).toEqual([])
  await swap.click()
  await expect.poll(() => world.connector.requests.filter(({ method }) => method === 'sendTransaction')).toHaveLength(1)
})

test('the amount can be entered in dollars, or as a share of the balance', async () => {
  const world = await renderSwapView()
  const screen = await renderModal(world.latchkey, entry)
  await selectToToken(screen, /Latch Dollar/)
  await getButton(screen, 'Reverse the tokens').click()
  await screen.getByRole('button', { name: /Enter amount in dollars/ }).click()
  await screen.getByRole('textbox', { name: 'Amount in dollars' }).fill('20')
  await expect.element(screen.getByText('20 LUSD')).toBeVisible()
  await screen.getByRole('button', { name: '50% of the balance' }).click()
  await expect.element(screen.getByText('250 LUSD')).toBeVisible()
})

test('an amount whose cents exceed a double is no error in dollars', variant, async () => {
  const world = await renderSwapView()
  const screen = await renderModal(world.latchkey, entry)
  await selectToToken(screen, /Latch Dollar/)
  await getButton(screen, 'Reverse the tokens').click()
  const store = swapState(world.latchkey)
  const tokens = store.getState().tokens.map((token) => ({ ...token, price: 1e228 }))
  store.setState({ tokens })
  await amountOf(screen).fill('9'.repeat(80))
  await screen.getByRole('button', { name: /Enter amount in dollars/ }).click()
  await expect.element(screen.getByRole('textbox', { name: 'Amount in dollars' })).toHaveValue('')
  expect(world.events.filter(({ type }) => type === 'render-error')).toEqual([])
})

test('fields have the decimal separator of the language, also when a button fills them', variant, async () => {
  const world = await renderSwapView()
  const screen = await renderModal(world.latchkey, entry, { locale: 'de' })
  const field = screen.getByRole('textbox', { name: /COIN/ })
  await field.click()
  await userEvent.keyboard('1,25')
  await expect.element(field).toHaveValue('1,25')
  expect(swapState(world.latchkey).getState().amount).toBe('1.25')
  await field.fill('')
  await userEvent.keyboard('0.5')
  await expect.element(field).toHaveValue('0,5')
  await screen.getByRole('button', { name: /^25/ }).click()
  await expect.element(field).toHaveValue('1,25')
})

test('a network without swaps leads to one that has swaps [R8.2.6] [R9.4.2]', async () => {
  const world = await renderSwapView()
  world.connector.emitChain('eip155:2')
  const screen = await renderModal(world.latchkey, entry)
  await expect.element(screen.getByText('Network not supported for Swaps')).toBeVisible()
  expect(await listAxeViolations()).toEqual([])
  await getButton(screen, 'Network 1').click()
  await expect.element(amountOf(screen)).toBeInTheDocument()
})

test.each(['light', 'dark'] as const)('it fits 320 pixels, right to left too, in %s', variant, async (theme) => {
  await page.viewport(320, 700)
  onTestFinished(() => page.viewport(414, 896))
  const world = await renderSwapView()
  const screen = await renderModal(world.latchkey, entry, { theme, locale: 'ar' })
  await screen.getByRole('button', { name: 'اختر رمزًا' }).first().click()
  await screen
    .getByRole('button', { name: /Latch Dollar/ })
    .last()
    .click()
  const dialog = screen.getByRole('dialog')
  await expect.element(dialog.getByRole('textbox').first()).toBeInTheDocument()
  await dialog.getByRole('textbox').first().fill('1.23456789')
  world.clock.advance(500)
  await expect.element(screen.getByText(/COIN → LUSD/)).toBeVisible()
  expect(await listAxeViolations()).toEqual([])
  const card = modalRoot().querySelector('.pane')
  expect(card?.scrollWidth).toBeLessThanOrEqual(card?.clientWidth ?? 0)
})

test('all languages have all texts', async () => {
  for (const [locale, load] of Object.entries(swapMessages.translations)) {
    const { translation } = (await load?.()) ?? { translation: undefined }
    expect([locale, gapsOf(en, translation)]).toEqual([locale, []])
    expect([locale, translation?.swap === en.swap]).toEqual([locale, false])
  }
})
