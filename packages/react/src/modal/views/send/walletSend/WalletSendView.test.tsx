import { connect, formatAmount, type Latchkey } from '@latchkey/core'
import {
  fakeAdapter,
  fakeConnector,
  fakeNetwork,
  fakeWorld,
  type FakeConnector,
  type FakeWorld,
} from '@latchkey/core/fakes'
import { sendState } from '@latchkey/core/money'
import { openModal, pushView } from '@latchkey/modal'
import { sendMessages } from '@latchkey/modal/messages'
import { formatReceiveUri, type TokenBalance, requestError } from '@latchkey/protocol'
import axe from 'axe-core'
import { expect, onTestFinished, test } from 'vitest'
import type { RenderResult } from 'vitest-browser-react'
import { userEvent } from 'vitest/browser'
import { waitForAnimations, modalRoot, renderModal } from '../../../../testing/renderModal.tsx'
import { fakeServer } from '../../../../testing/fakeServer.ts'
import { fakeTransfers, type FakeTransfers } from '../../../../testing/fakeTransfers.ts'
import { enterGarbage } from '../../../../testing/enterGarbage.ts'
import { gapsOf } from '../../../../testing/gapsOf.ts'

// Variants run in another command than the main paths.
const variant = { tags: 'browsers' } as const
const en = sendMessages.english

const entry = { view: 'WalletSend', params: {} } as const
const address = '0xaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaafa4e'
const bob = '0xbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb0b0b'
const tokenAddress = '0xdddddddddddddddddddddddddddddddddddddddd'

function createTokenBalance(symbol: string, more: Partial<TokenBalance>): TokenBalance {
  const quantity = { decimals: '18', numeric: '2' }
  return { name: symbol, symbol, chainId: 'eip155:1', price: 0, value: 0, quantity, iconUrl: '', ...more }
}

const dollar = createTokenBalance('TUSD', {
  name: 'Test Dollar',
  address: `eip155:1:${tokenAddress}`,
  price: 1,
  quantity: { decimals: '6', numeric: '12.5' },
})
const coin = createTokenBalance('COIN', { name: 'Coin', price: 2_000 })
const elsewhere = createTokenBalance('FAR', { chainId: 'eip155:2', address: `eip155:2:${tokenAddress}` })

type Sending = FakeWorld & { transfers: FakeTransfers; connector: FakeConnector; latchkey: Latchkey }

async function renderSendView({ balances = [coin, dollar, elsewhere], held = 2n * 10n ** 18n } = {}): Promise<Sending> {
  const { url, projectId } = fakeServer({ balances })
  const adapter = fakeAdapter({ balances: { [address]: held } })
  const transfers = fakeTransfers(adapter)
  transfers.held.set(tokenAddress, 12_500_000n)
  const connector = fakeConnector()
  const world = fakeWorld({ adapters: [adapter], connectors: [connector], server: url, projectId })
  await connect(world.latchkey, 'fake')
  return { ...world, transfers, connector }
}

const getButton = (screen: RenderResult, name: string) => screen.getByRole('button', { name, exact: true })
const amountOf = (screen: RenderResult) => screen.getByRole('textbox', { name: /^Amount/ })
const receiverOf = (screen: RenderResult) => screen.getByRole('textbox', { name: 'To' })

/** Within the modal: the page itself knows only that focus is somewhere in there. */
async function expectFocused(field: ReturnType<typeof amountOf>): Promise<void> {
  await expect.poll(() => modalRoot().activeElement === field.query()).toBe(true)
}

async function fill(screen: RenderResult, amount: string, receiver = bob): Promise<void> {
  await amountOf(screen).fill(amount)
  await receiverOf(screen).fill(receiver)
}

async function reviewSend(screen: RenderResult): Promise<void> {
  await getButton(screen, 'Preview send').click()
  await expect.element(screen.getByRole('heading', { name: 'Review and send' })).toBeInTheDocument()
}

/** Everything except elements that screen readers ignore. */
async function listAxeViolations(): Promise<unknown> {
  await waitForAnimations()
  const { violations: found } = await axe.run(modalRoot().host, { rules: { region: { enabled: false } } })
  return found.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])
}

test('focus is in the amount, which names its unit and the balance [R1.5]', async () => {
  const { latchkey } = await renderSendView()
  const screen = await renderModal(latchkey, entry)
  const field = screen.getByRole('textbox', { name: 'Amount in COIN' })
  await expectFocused(field)
  await expect.element(field).toHaveAccessibleDescription('Balance 2.000 COIN')
  await userEvent.keyboard('1.5')
  await expect.element(field).toHaveValue('1.5')
  await expect.element(screen.getByText('$3,000.00')).toBeVisible()
  expect(await listAxeViolations()).toEqual([])
})

test('400 digits in tokens, shown in dollars, are an incorrect value and not an error', variant, async () => {
  const { latchkey, events } = await renderSendView()
  const screen = await renderModal(latchkey, entry)
  await amountOf(screen).fill('9'.repeat(400))
  await screen.getByRole('button', { name: /^Enter amount in dollars/ }).click()
  await expect.element(screen.getByRole('textbox', { name: 'Amount in dollars' })).toBeVisible()
  await expect.element(getButton(screen, 'Incorrect value')).toBeVisible()
  expect(events.filter(({ type }) => type === 'render-error')).toEqual([])
})

test('no entry breaks the amount of a payment, in tokens or dollars [R5.4.3]', variant, async () => {
  const { latchkey } = await renderSendView()
  const screen = await renderModal(latchkey, entry)
  const turn = (): Promise<void> => screen.getByRole('button', { name: /^Enter amount in/ }).click()
  expect(await enterGarbage(latchkey, amountOf(screen), turn)).toEqual([])
})

test('the review shows exactly what is sent, not further digits of the entry', async () => {
  const { latchkey } = await renderSendView()
  const screen = await renderModal(latchkey, entry)
  await fill(screen, '1.5000000000000000009')
  await reviewSend(screen)
  await expect.element(screen.getByText('1.5 COIN', { exact: true })).toBeVisible()
  await expect.element(screen.getByText('1.5000000000000000009')).not.toBeInTheDocument()
})

test('a payment link fills in recipient, token and amount', async () => {
  const { latchkey } = await renderSendView()
  const screen = await renderModal(latchkey, entry)
  await expect.poll(() => sendState(latchkey).getState().tokensStatus).toBe('loaded')
  await receiverOf(screen).fill(`ethereum:${tokenAddress}@1/transfer?address=${bob}&uint256=2500000`)
  await expect.element(screen.getByRole('textbox', { name: 'Amount in TUSD' })).toHaveValue('2.5')
  await expect.element(receiverOf(screen)).toHaveValue(bob)
  await receiverOf(screen).fill(`ETHEREUM:0X${bob.slice(2).toUpperCase()}@1?VALUE=.5E18`)
  await expect.element(screen.getByRole('textbox', { name: 'Amount in COIN' })).toHaveValue('0.5')
  await expect.element(getButton(screen, 'Preview send')).toBeVisible()
})

test('a payment link without an amount keeps the chosen token and the amount', variant, async () => {
  const { latchkey } = await renderSendView()
  const screen = await renderModal(latchkey, entry)
  await amountOf(screen).fill('0.25')
  await receiverOf(screen).fill(formatReceiveUri(fakeNetwork({ id: 1 }), bob))
  await expect.element(receiverOf(screen)).toHaveValue(bob)
  await expect.element(amountOf(screen)).toHaveValue('0.25')
  await expect.element(getButton(screen, 'Preview send')).toBeVisible()
})

test.each([
  [`ethereum:${bob}@2`, 'This payment link is for Network 2. Switch to Network 2 and enter it again.'],
  [`ethereum:${bob}@777`, 'This payment link is for another network, which can’t be used here.'],
  ['bitcoin:bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq', 'This payment link is for another network'],
  [`ethereum:${bob}?value=0.5`, 'This payment link is not valid. Ask for a new one.'],
  ['bitcoin:bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq?req-new=1', 'This payment link is not valid.'],
])('the payment link %s can not be paid here', variant, async (link, notice) => {
  const adapter = fakeAdapter({ networks: [fakeNetwork({ id: 1 }), fakeNetwork({ id: 2 })] })
  fakeTransfers(adapter)
  const { latchkey } = fakeWorld({ adapters: [adapter], connectors: [fakeConnector()] })
  await connect(latchkey, 'fake')
  const screen = await renderModal(latchkey, entry)
  await amountOf(screen).fill('1')
  await receiverOf(screen).fill(link)
  await expect.element(screen.getByText(notice)).toBeVisible()
  await expect.element(getButton(screen, 'Preview send')).not.toBeInTheDocument()
})

test('the button names the missing value and focuses its field', async () => {
  const { latchkey } = await renderSendView()
  const screen = await renderModal(latchkey, entry)
  await getButton(screen, 'Add amount').click()
  await expectFocused(amountOf(screen))
  await amountOf(screen).fill('1e3')
  await expect.element(getButton(screen, 'Incorrect value')).toBeVisible()
  await amountOf(screen).fill('3')
  await expect.element(getButton(screen, 'Insufficient funds')).toBeVisible()
  await amountOf(screen).fill('2')
  await expect.element(getButton(screen, 'Insufficient gas funds')).toBeVisible()
  await amountOf(screen).fill('1')
  await getButton(screen, 'Add address').click()
  await expectFocused(receiverOf(screen))
  await receiverOf(screen).fill('0x12')
  await expect.element(screen.getByText('This is not an address on Network 1.')).toBeVisible()
  await expect.element(getButton(screen, 'Invalid address')).toBeVisible()
  await receiverOf(screen).fill(bob)
  await expect.element(getButton(screen, 'Preview send')).toBeVisible()
  expect(await listAxeViolations()).toEqual([])
})

test('the maximum leaves the fee, and can be shown in dollars', async () => {
  const { latchkey } = await renderSendView()
  const screen = await renderModal(latchkey, entry)
  await expect.element(screen.getByText('0.000021 COIN')).toBeVisible()
  await getButton(screen, 'Send all COIN').click()
  await expect.element(amountOf(screen)).toHaveValue('1.999979')
  await screen.getByRole('button', { name: /^Enter amount in dollars/ }).click()
  await expect.element(screen.getByRole('textbox', { name: 'Amount in dollars' })).toHaveValue('3999.95')
  await amountOf(screen).fill('1000')
  await expect.element(screen.getByRole('button', { name: 'Enter amount in COIN 0.5 COIN' })).toBeVisible()
  expect(sendState(latchkey).getState().amount).toBe('0.5')
})

test('a share of the balance is entered with one click', variant, async () => {
  const { latchkey } = await renderSendView()
  const screen = await renderModal(latchkey, entry)
  await expect.element(screen.getByText('2.000 COIN').first()).toBeVisible()
  await expect.poll(() => sendState(latchkey).getState().fee).toBeDefined()
  await screen.getByRole('button', { name: '50% of the balance' }).click()
  const { fee } = sendState(latchkey).getState()
  const half = (2n * 10n ** 18n - (fee?.value ?? 0n)) / 2n
  await expect.element(amountOf(screen)).toHaveValue(formatAmount(half, 18))
})

test('a receiver is saved to the address book, offered below an empty field, and removed', variant, async () => {
  const { latchkey } = await renderSendView()
  const screen = await renderModal(latchkey, entry)
  await fill(screen, '1')
  await getButton(screen, 'Save to address book').click()
  await screen.getByRole('textbox', { name: 'Name for this address' }).fill('Bob')
  await getButton(screen, 'Save').click()
  await getButton(screen, 'Clear the receiver').click()
  await expect.element(screen.getByRole('region', { name: 'Address book' })).toBeVisible()
  expect(await listAxeViolations()).toEqual([])
  await screen.getByRole('button', { name: 'Send to Bob' }).click()
  await expect.element(receiverOf(screen)).toHaveValue(bob)
  await expect.element(screen.getByText('Bob', { exact: true })).toBeVisible()
  await expect.element(getButton(screen, 'Save to address book')).not.toBeInTheDocument()
  await getButton(screen, 'Clear the receiver').click()
  await screen.getByRole('button', { name: 'Remove Bob' }).click()
  await expect.element(screen.getByRole('region', { name: 'Address book' })).not.toBeInTheDocument()
})

test('an unknown price is never shown as zero', variant, async () => {
  const { latchkey } = await renderSendView({ balances: [] })
  const screen = await renderModal(latchkey, entry)
  await amountOf(screen).fill('1')
  await expect.element(screen.getByText('Price unknown')).toBeVisible()
  expect(modalRoot().querySelector('.pane')?.textContent).not.toContain('$')
})

test('only tokens of the network are offered, found by name, symbol or address', variant, async () => {
  const { latchkey } = await renderSendView()
  const screen = await renderModal(latchkey, entry)
  await getButton(screen, 'Token COIN. Choose another one').click()
  const list = screen.getByRole('list', { name: 'Your tokens' })
  await expect.poll(() => list.getByRole('listitem').elements().length).toBe(2)
  expect(await listAxeViolations()).toEqual([])
  const search = screen.getByRole('searchbox')
  await search.fill('nothing')
  await expect.element(screen.getByText('No tokens found')).toBeVisible()
  await search.fill('dollar')
  await list.getByRole('button', { name: /Test Dollar/ }).click()
  await expectFocused(screen.getByRole('textbox', { name: 'Amount in TUSD' }))
  await expect.element(screen.getByText('12.500 TUSD', { exact: true })).toBeVisible()
})

test('an unlisted token is found by its address', variant, async () => {
  const { latchkey, transfers } = await renderSendView({ balances: [] })
  const other = '0xcccccccccccccccccccccccccccccccccccccccc'
  transfers.held.set(other, 7_000_000n)
  const screen = await renderModal(latchkey, { view: 'WalletSendSelectToken', params: {} })
  const search = screen.getByRole('searchbox')
  await search.fill(bob)
  await expect.element(screen.getByText('There is no token at this address on this network.')).toBeVisible()
  await search.fill(other)
  await expect.element(screen.getByRole('region', { name: 'Found Token' })).toHaveTextContent(/FND.*7\.000/)
})

test('failed tokens are shown, and the native currency can still be sent [R8.2.1]', variant, async () => {
  const server = fakeServer()
  server.down = true
  const adapter = fakeAdapter({ balances: { [address]: 10n ** 18n } })
  fakeTransfers(adapter)
  const { url, projectId } = server
  const { latchkey } = fakeWorld({ adapters: [adapter], connectors: [fakeConnector()], server: url, projectId })
  await connect(latchkey, 'fake')
  const screen = await renderModal(latchkey, { view: 'WalletSendSelectToken', params: {} })
  await expect.element(screen.getByText('Token Balance Unavailable')).toBeVisible()
  await expect.element(screen.getByRole('button', { name: 'Try again in 30 s' })).toBeVisible()
  await screen.getByRole('button', { name: /COIN/ }).click()
})

test('a name resolves to its full address, and an unknown name is reported', async () => {
  const { latchkey, transfers, clock } = await renderSendView()
  transfers.names.set('bob.eth', bob)
  const screen = await renderModal(latchkey, entry)
  await fill(screen, '1', 'missing.eth')
  await expect.element(screen.getByText('Looking up the name…')).toBeVisible()
  clock.advance(500)
  await expect.element(screen.getByText('Name not found on Network 1: missing.eth')).toBeVisible()
  await receiverOf(screen).fill('bob.eth')
  clock.advance(500)
  await expect.element(screen.getByText(bob, { exact: true })).toBeVisible()
  await reviewSend(screen)
  await expect.element(screen.getByText('bob.eth')).toBeVisible()
  await expect.element(screen.getByText(bob, { exact: true })).toBeVisible()
})

test('a payment is entered with the keyboard alone, including paste', variant, async () => {
  const { clipboard } = navigator
  let copied: string | undefined = ` ${bob}\n`
  const readText = async (): Promise<string> => copied ?? Promise.reject(new Error('no'))
  Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { readText } })
  onTestFinished(() => void Object.defineProperty(navigator, 'clipboard', { configurable: true, value: clipboard }))
  const { latchkey } = await renderSendView()
  const screen = await renderModal(latchkey, entry)
  await expectFocused(amountOf(screen))
  await userEvent.keyboard('1{Enter}')
  await expectFocused(receiverOf(screen))
  await getButton(screen, 'Paste').click()
  await expect.element(receiverOf(screen)).toHaveValue(bob)
  await expectFocused(receiverOf(screen))
  await getButton(screen, 'Clear the receiver').click()
  copied = undefined
  await getButton(screen, 'Paste').click()
  await expect.element(screen.getByText(en.pasteFailed)).toBeInTheDocument()
  await receiverOf(screen).fill(bob)
  await expect.element(getButton(screen, 'Preview send')).toBeVisible()
  await userEvent.keyboard('{Enter}')
  await expect.element(getButton(screen, 'Cancel')).toBeVisible()
})

test('warnings about a receiver are shown in the form and in the review', variant, async () => {
  const { latchkey, transfers } = await renderSendView()
  transfers.notes = ['contract', 'unused']
  const screen = await renderModal(latchkey, entry)
  await fill(screen, '1')
  await expect.element(screen.getByText(en.notes.contract)).toBeVisible()
  await expect.element(screen.getByText(en.notes.unused)).toBeVisible()
  await reviewSend(screen)
  await expect.element(screen.getByText(en.notes.contract)).toBeVisible()
  expect(await listAxeViolations()).toEqual([])
})

test('an address that resembles a known one shows a warning', async () => {
  const { latchkey, transfers } = await renderSendView()
  const screen = await renderModal(latchkey, entry)
  await fill(screen, '1')
  await expect.element(screen.getByText(en.notes['first-time'])).toBeVisible()
  await reviewSend(screen)
  await getButton(screen, 'Send').click()
  await expect.poll(() => [transfers.sent.length, sendState(latchkey).getState().amount]).toEqual([1, ''])
  openModal(latchkey, { entry })
  await receiverOf(screen).fill('0xbbbbffffffffffffffffffffffffffffffff0b0b')
  await expect.element(screen.getByText(/^Careful: this looks like/)).toBeVisible()
})

test('the review shows amount, value, receiver, network, fee and maximum total [R3.12]', async () => {
  const { latchkey } = await renderSendView()
  const screen = await renderModal(latchkey, entry)
  await fill(screen, '1.25')
  await reviewSend(screen)
  for (const text of ['1.25 COIN', '$2,500.00', bob, 'Network 1', '0.000021 COIN', '1.250021 COIN']) {
    await expect.element(screen.getByText(text, { exact: true }).last()).toBeVisible()
  }
  expect(await listAxeViolations()).toEqual([])
  await getButton(screen, 'Cancel').click()
  await expect.element(amountOf(screen)).toHaveValue('1.25')
})

test('repeated clicks send a single request, and the account shows the outcome [R4.4.2] [R4.4.3]', async () => {
  const { latchkey, transfers, connector, clock } = await renderSendView()
  const screen = await renderModal(latchkey, entry)
  await fill(screen, '1')
  await reviewSend(screen)
  const send = getButton(screen, 'Send').element()
  for (let press = 0; press < 50; press += 1) if (send instanceof HTMLElement) send.click()
  await expect.poll(() => connector.requests.filter(({ method }) => method === 'sendTransaction').length).toBe(1)
  await expect.element(screen.getByRole('heading', { name: 'Account' })).toBeInTheDocument()
  clock.advance(150)
  await expect.element(screen.getByText('Transaction started')).toBeInTheDocument()
  expect(sendState(latchkey).getState()).toMatchObject({ token: undefined, amount: '', receiver: '', loading: false })
  transfers.end({ status: 'mined', blockNumber: 1n })
  await expect.poll(() => (clock.advance(150), screen.getByText('1 COIN sent').elements().length)).toBe(1)
  expect(transfers.sent).toHaveLength(1)
})

test('a payment that is not found is shown as unknown, with a link to the explorer', variant, async () => {
  const { latchkey, transfers, clock } = await renderSendView()
  const screen = await renderModal(latchkey, entry)
  await fill(screen, '1')
  await reviewSend(screen)
  await getButton(screen, 'Send').click()
  await expect.poll(() => transfers.sent.length).toBe(1)
  transfers.end({ status: 'unknown' })
  const link = screen.getByRole('link', { name: 'View in explorer' })
  await expect.poll(() => (clock.advance(150), link.elements().length)).toBe(1)
  await expect.element(link).toHaveAttribute('href', expect.stringMatching(/^https:\/\/explorer\.invalid\/1\/tx\//))
  clock.advance(60_000)
  await expect.element(link).toBeVisible()
  await screen.getByRole('button', { name: 'Close' }).last().click()
  await expect.element(link).not.toBeInTheDocument()
})

test('a reverted payment is shown with its reason', variant, async () => {
  const { latchkey, transfers, clock } = await renderSendView()
  const screen = await renderModal(latchkey, entry)
  await fill(screen, '1')
  await reviewSend(screen)
  await getButton(screen, 'Send').click()
  await expect.poll(() => transfers.sent.length).toBe(1)
  transfers.end({ status: 'reverted', reason: 'paused' })
  const message = screen.getByText('The payment failed on the network: the token is paused by its issuer.')
  await expect.poll(() => (clock.advance(150), message.elements().length)).toBe(1)
})

test('a rejected payment is announced politely, and the form keeps its values [R4.4.4]', async () => {
  const { latchkey, connector, clock } = await renderSendView()
  connector.fail('sendTransaction', requestError('request/rejected', { method: 'sendTransaction' }))
  const screen = await renderModal(latchkey, entry)
  await fill(screen, '1')
  await reviewSend(screen)
  await getButton(screen, 'Send').click()
  const message = screen.getByText('You rejected the payment. Nothing was sent.')
  await expect.poll(() => (clock.advance(150), message.elements().length)).toBe(1)
  await expect.element(message).not.toHaveRole('alert')
  expect(modalRoot().querySelector('.toast')).toHaveAttribute('data-variant', 'info')
  expect(sendState(latchkey).getState()).toMatchObject({ amount: '1', receiver: bob, loading: false })
})

test('a finished payment names the amount in the language, the receiver, and the explorer', variant, async () => {
  const { latchkey, transfers, clock } = await renderSendView({ held: 5_000n * 10n ** 18n })
  const screen = await renderModal(latchkey, entry, { locale: 'de' })
  await screen.getByRole('textbox', { name: /^Betrag/ }).fill('1234.5')
  await screen.getByRole('textbox', { name: 'An', exact: true }).fill(bob)
  await getButton(screen, 'Zahlung prüfen').click()
  await getButton(screen, 'Senden').click()
  await expect.poll(() => transfers.sent.length).toBe(1)
  transfers.end({ status: 'mined', blockNumber: 1n })
  const message = screen.getByText('1.234,5 COIN an 0xbb…bb0b0b gesendet')
  await expect.poll(() => (clock.advance(150), message.elements().length)).toBe(1)
  const link = screen.getByRole('link', { name: 'Im Explorer ansehen' })
  await expect.element(link).toHaveAttribute('href', expect.stringMatching(/^https:\/\/explorer\.invalid\/1\/tx\//))
})

test.each([
  ['Something went wrong', false],
  ['Failed to send transaction. Please try again.', true],
])('a failing wallet shows: %s [R8.2.3] [R8.2.4]', variant, async (title, isRetryable) => {
  const { latchkey, connector, clock, transfers, events } = await renderSendView()
  Object.assign(transfers, { isRetryable })
  const failure = { method: 'sendTransaction', code: -32_000, reason: 'out of order' }
  connector.fail('sendTransaction', requestError('request/failed', failure))
  const screen = await renderModal(latchkey, entry)
  await fill(screen, '1')
  await reviewSend(screen)
  await getButton(screen, 'Send').click()
  const message = screen.getByText(title, { exact: true })
  await expect.poll(() => (clock.advance(150), message.elements().length)).toBe(1)
  expect(events).toContainEqual(expect.objectContaining({ type: 'send-error', code: 'request/failed' }))
  expect(sendState(latchkey).getState()).toMatchObject({ amount: '1', receiver: bob, loading: false })
})

test('a payment of unknown status must be checked before another request', variant, async () => {
  const { latchkey, connector, clock } = await renderSendView()
  connector.fail('sendTransaction', requestError('request/unknown', { method: 'sendTransaction' }))
  const screen = await renderModal(latchkey, entry)
  await fill(screen, '1')
  await reviewSend(screen)
  await getButton(screen, 'Send').click()
  const message = screen.getByText(/^Your wallet did not confirm whether it sent the payment/)
  await expect.poll(() => (clock.advance(150), message.elements().length)).toBe(1)
  pushView(latchkey, { view: 'WalletSendPreview', params: {} })
  await expect.element(screen.getByText(en.uncertainHint)).toBeVisible()
  await getButton(screen, 'Send').last().click({ force: true })
  expect(connector.requests.filter(({ method }) => method === 'sendTransaction')).toHaveLength(1)
})

test('a payment that would fail is reported before the wallet request', async () => {
  const { latchkey, transfers } = await renderSendView()
  transfers.refusal = 'the token is paused'
  const screen = await renderModal(latchkey, entry)
  await fill(screen, '1')
  await expect
    .element(screen.getByText('The network would reject this payment: the token is paused by its issuer.'))
    .toBeVisible()
})

test('an unsupported network is named, with a link to the networks [R4.4.1]', async () => {
  const { latchkey } = fakeWorld({ connectors: [fakeConnector()] })
  await connect(latchkey, 'fake')
  const screen = await renderModal(latchkey, entry)
  await expect.element(screen.getByText(/^Unsupported chain: you can’t send on Network 1 here/)).toBeVisible()
  await expect.element(screen.getByRole('button', { name: 'Select network' })).toBeVisible()
})

test('the view is translated to German and focuses its field', async () => {
  const { latchkey } = await renderSendView()
  const screen = await renderModal(latchkey, entry, { locale: 'de' })
  await expectFocused(screen.getByRole('textbox', { name: 'Betrag in COIN' }))
  await expect.element(screen.getByRole('button', { name: 'Betrag eingeben' })).toBeVisible()
})

test('every language has all English texts', async () => {
  for (const [locale, load] of Object.entries(sendMessages.translations)) {
    expect([locale, gapsOf(en, (await load?.())?.translation)]).toEqual([locale, []])
  }
})
