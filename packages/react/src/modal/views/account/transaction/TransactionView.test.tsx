import { connect } from '@latchkey/core'
import { fakeAdapter, fakeConnector, fakeHash, fakeWorld } from '@latchkey/core/fakes'
import { pendingTransactions, type PendingTransaction, type Transfers } from '@latchkey/core/money'
import { openModal } from '@latchkey/modal'
import { type HistoryItem, type HistoryTransfer, requestError } from '@latchkey/protocol'
import { expect, test } from 'vitest'
import { modalRoot, renderModal } from '../../../../testing/renderModal.tsx'
import { sentItem } from '../../../../testing/sentItem.ts'

const chainId = 'eip155:1'
const hash = fakeHash('w', 1)
const bob = `0x${'b'.repeat(40)}`
const contract = `0x${'c'.repeat(40)}`

const item: HistoryItem = {
  ...sentItem,
  transfers: [
    {
      fungible_info: { name: 'Coin', symbol: 'COIN', icon: null },
      nft_info: null,
      direction: 'out',
      counterparty: bob,
      quantity: { numeric: '1.500' },
      value: null,
      price: null,
    },
  ],
}

/** A connected user on a chain that charges 21,000 gwei and replaces nothing, unless `replace` is given. */
async function renderView({ replace, signs = false }: { replace?: Transfers['replace']; signs?: boolean } = {}) {
  const never = async (): Promise<never> => Promise.reject(new Error('not used'))
  const transfers: Transfers = {
    readAsset: never,
    getBalance: never,
    estimateFee: never,
    inspectReceiver: never,
    send: never,
    follow: async (_network, _from, sent) => ({ status: 'unknown', hash: sent.hash }),
    getPaidFee: async () => 21_000_000_000_000n,
    canSpeedUp: () => signs,
    ...(replace === undefined ? {} : { replace }),
  }
  const adapter = Object.assign(fakeAdapter(), { transfers: async () => transfers })
  const world = fakeWorld({ adapters: [adapter], connectors: [fakeConnector()] })
  await connect(world.latchkey, 'fake')
  return { ...world, screen: await renderModal(world.latchkey) }
}

/** Lists a pending payment of the connected account, and shows its details. */
function showPending(
  { latchkey, clock }: Awaited<ReturnType<typeof renderView>>,
  change: Partial<PendingTransaction> = {},
): PendingTransaction {
  const account = latchkey.wallet.getState().namespaces.eip155
  if (account?.status !== 'connected') throw new Error('No wallet is connected.')
  const entry: PendingTransaction = {
    hash,
    nonce: 7,
    chainId,
    from: account.account,
    what: { kind: 'send', amount: '1.5', symbol: 'COIN', to: bob },
    since: clock.now(),
    status: 'pending',
    ...change,
  }
  pendingTransactions(latchkey).setState([entry], true)
  openModal(latchkey, { entry: { view: 'Transaction', params: { chainId, hash } } })
  return entry
}

test('the details show the other party, the amount, the fee, the time, the status and the ID', async () => {
  const { latchkey, screen } = await renderView()
  openModal(latchkey, { entry: { view: 'Transaction', params: { chainId, hash, item } } })
  await expect.element(screen.getByRole('heading', { name: 'Transaction', level: 1 })).toBeVisible()
  await expect.element(screen.getByText('1.5 COIN')).toBeVisible()
  await expect.element(screen.getByText('Confirmed')).toBeVisible()
  await expect.element(screen.getByText('0.000021 COIN')).toBeVisible()
  const facts = modalRoot().querySelector('.facts')?.textContent
  for (const text of [bob, hash, 'Jul 15, 2026']) expect(facts).toContain(text)
  await expect.element(screen.getByRole('button', { name: 'Copy transaction ID' })).toBeVisible()
  const link = screen.getByRole('link', { name: 'View in explorer' })
  await expect.element(link).toHaveAttribute('href', `https://explorer.invalid/1/tx/${hash}`)
  await expect.element(screen.getByRole('button', { name: 'Speed up' })).not.toBeInTheDocument()
})

const [coin] = item.transfers
type Change = Partial<HistoryItem['metadata']>

/** Shows the details of a transaction, and returns the text of its facts. */
async function showItem(change: Change, transfers: readonly (Partial<HistoryTransfer> | undefined)[]) {
  const { latchkey, screen } = await renderView()
  const changed = transfers.map((each) => ({ ...coin, ...each }) as HistoryTransfer)
  const shown = { ...item, metadata: { ...item.metadata, ...change }, transfers: changed }
  openModal(latchkey, { entry: { view: 'Transaction', params: { chainId, hash, item: shown } } })
  await expect.element(screen.getByRole('heading', { name: 'Transaction', level: 1 })).toBeVisible()
  await expect.poll(() => modalRoot().querySelector('.facts')?.textContent ?? '').toContain(hash)
  return { screen, facts: modalRoot().querySelector('.facts')?.textContent ?? '' }
}

const nft = { name: 'Key #7', content: null, flags: { is_spam: false } }

test.each<[string, Partial<HistoryTransfer>]>([
  ['a token', {}],
  ['a token of an older server', { counterparty: undefined, fungible_info: { name: 'T', symbol: 'TOK', icon: null } }],
  ['an NFT', { fungible_info: null, nft_info: nft, quantity: { numeric: '1' } }],
])('the contract of %s is never shown as its receiver', async (_, change) => {
  const { facts } = await showItem({}, [change])
  expect(facts).not.toContain(contract)
  expect(facts.includes(bob)).toBe(!('counterparty' in change))
})

test('a payment of several receivers names none of them', async () => {
  const { facts } = await showItem({}, [{}, { counterparty: `0x${'d'.repeat(40)}` }])
  for (const address of [contract, bob]) expect(facts).not.toContain(address)
})

test('the two sides of a swap have signs', async () => {
  const token = { name: 'T', symbol: 'TOK', icon: null }
  const change = { direction: 'in', fungible_info: token, quantity: { numeric: '1234.5' } } as const
  const { screen, facts } = await showItem({ operationType: 'trade' }, [{}, change])
  await expect.element(screen.getByText('-1.5 COIN')).toBeVisible()
  await expect.element(screen.getByText('+1,234.5 TOK')).toBeVisible()
  expect(facts).not.toContain(contract)
})

test('the fee of another sender is not shown', async () => {
  const { screen, facts } = await showItem({ operationType: 'receive', sentFrom: bob }, [{ direction: 'in' }])
  expect(facts).toContain(`From${bob}`)
  await expect.element(screen.getByText('Network fee')).not.toBeInTheDocument()
})

test('a wallet that does not sign without sending is named as the place to speed up a payment', async () => {
  const world = await renderView()
  showPending(world)
  await expect.element(world.screen.getByText(/Open the wallet to speed it up there/)).toBeVisible()
  await expect.element(world.screen.getByRole('button', { name: 'Speed up' })).not.toBeInTheDocument()
  await world.screen.getByRole('button', { name: 'Cancel transaction' }).click()
  await expect.element(world.screen.getByText(/does not let apps choose the nonce/)).toBeVisible()
})

test.each([
  ['repriced', 'Your transaction is confirmed, with the higher fee.'],
  ['cancelled', 'The transaction was cancelled. Only the fee was charged.'],
  ['other', 'Replaced by another transaction'],
] as const)('the details of a replaced payment tell what replaced it (%s)', async (how, text) => {
  const world = await renderView()
  const { from } = showPending(world)
  await expect.element(world.screen.getByText('Waiting for the network')).toBeVisible()
  pendingTransactions(world.latchkey).setState([], true)
  const by = fakeHash('w', 2)
  world.latchkey.events.emit({ type: 'transaction', chainId, from, hash, status: 'replaced', by, how })
  await expect.element(world.screen.getByText(text)).toBeVisible()
  const link = world.screen.getByRole('link', { name: 'View in explorer' })
  await expect.element(link).toHaveAttribute('href', `https://explorer.invalid/1/tx/${by}`)
})

test('speeding up asks the wallet once, and lists the replacement', async () => {
  const requested: string[] = []
  const world = await renderView({
    signs: true,
    replace: async (_connection, _network, _from, sent, how) => {
      requested.push(`${how} ${sent.nonce}`)
      return { hash: fakeHash('w', 2), nonce: sent.nonce }
    },
  })
  showPending(world)
  const button = world.screen.getByRole('button', { name: 'Speed up' })
  await button.dblClick()
  await expect.element(world.screen.getByText('Sent again with a higher fee')).toBeVisible()
  expect(requested).toEqual(['faster 7'])
  expect(pendingTransactions(world.latchkey).getState()[0]).toMatchObject({ hash: fakeHash('w', 2), replaces: hash })
})

test('declining a cancellation leaves the payment unchanged', async () => {
  const world = await renderView({
    replace: async () => Promise.reject(requestError('request/rejected', { method: 'eth_sendTransaction' })),
  })
  const entry = showPending(world)
  await world.screen.getByRole('button', { name: 'Cancel transaction' }).click()
  await expect.element(world.screen.getByText(/The transaction is unchanged/)).toBeVisible()
  expect(pendingTransactions(world.latchkey).getState()).toEqual([entry])
})

test('the details of a batch have no link to an explorer, which does not know its ID', async () => {
  const world = await renderView()
  const { from } = showPending(world, { batch: true, nonce: undefined })
  // The status depends on whether the wallet was already asked, which does not know the batch.
  await expect.element(world.screen.getByText('1.5 COIN')).toBeVisible()
  await expect.element(world.screen.getByRole('link', { name: 'View in explorer' })).not.toBeInTheDocument()
  pendingTransactions(world.latchkey).setState([], true)
  world.latchkey.events.emit({ type: 'transaction', chainId, from, hash, status: 'reverted' })
  await expect.element(world.screen.getByText('Failed')).toBeVisible()
  await expect.element(world.screen.getByRole('link', { name: 'View in explorer' })).not.toBeInTheDocument()
})

test('a transaction that was not found can be removed from the list', async () => {
  const world = await renderView()
  const entry = showPending(world)
  const button = world.screen.getByRole('button', { name: 'Stop tracking' })
  await expect.element(world.screen.getByText('Waiting for the network')).toBeVisible()
  await expect.element(button).not.toBeInTheDocument()
  pendingTransactions(world.latchkey).setState([{ ...entry, status: 'unknown' }], true)
  await expect.element(world.screen.getByText(/check your wallet before you pay again/)).toBeVisible()
  await button.click()
  await expect.element(world.screen.getByRole('heading', { name: 'Transaction', level: 1 })).not.toBeInTheDocument()
  expect(pendingTransactions(world.latchkey).getState()).toEqual([])
})

test('the details follow the outcome', async () => {
  const world = await renderView()
  const { from } = showPending(world)
  await expect.element(world.screen.getByText('Waiting for the network')).toBeVisible()
  pendingTransactions(world.latchkey).setState([], true)
  world.latchkey.events.emit({ type: 'transaction', chainId, from, hash, status: 'mined' })
  await expect.element(world.screen.getByText('Confirmed')).toBeVisible()
  await expect.element(world.screen.getByRole('button', { name: 'Speed up' })).not.toBeInTheDocument()
})
