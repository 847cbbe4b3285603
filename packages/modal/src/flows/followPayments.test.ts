import { connect, shortenAddress } from '@latchkey/core'
import {
  fakeAccount,
  fakeAdapter,
  fakeConnector,
  fakeLocks,
  fakeStorage,
  manualClock,
  flushTasks,
} from '@latchkey/core/fakes'
import { followTransaction, type Outcome } from '@latchkey/core/money'
import { expect, onTestFinished, test, vi } from 'vitest'
import { closeModal, openModal } from '../navigation/openModal.ts'
import { hideToast, showToast } from '../notices/showToast.ts'
import { fakeModalWorld } from '../testing/fakeModalWorld.ts'
import { reportOutcome, showOutcome } from './createOutcomeReporter.ts'
import { followPayments } from './followPayments.ts'

const chainId = 'eip155:1'
const bob = `0x${'b0'.repeat(20)}`
const key = `@latchkey/pending/${chainId}/${fakeAccount(chainId).split(':')[2]}`

/** Tabs of a site with pending payments of an earlier page load, on a chain that mines when told. */
async function createWorld({
  payments = 1,
  what = { kind: 'send', amount: '1.25', symbol: 'COIN', to: bob },
  replaces,
}: { payments?: number; what?: object; replaces?: string } = {}) {
  const clock = manualClock()
  const adapter = fakeAdapter({ minesManually: true, clock })
  const hashes: string[] = []
  const storage = fakeStorage()
  const open = async (tab = storage) => {
    const each = fakeModalWorld({ adapters: [adapter], connectors: [fakeConnector()], clock, storage: tab })
    const { connection, account } = await connectModalWorld(each)
    for (let index = hashes.length; index < payments; index += 1) {
      hashes.push(await adapter.sendTransaction(connection, account, { to: 'x'.repeat(40), value: 1n }))
    }
    const stored = hashes.map((hash) => ({ hash, what, replaces, since: 1 }))
    if (!tab.values.has(key)) tab.setItem(key, JSON.stringify(stored))
    return each
  }
  const mine = (): void => hashes.forEach((hash) => adapter.mine(hash))
  return { clock, adapter, storage, hashes, open, mine }
}

async function connectModalWorld(world: ReturnType<typeof fakeModalWorld>) {
  await connect(world.latchkey, 'fake')
  return getConnectedState(world)
}

function getConnectedState({ latchkey }: ReturnType<typeof fakeModalWorld>) {
  const state = latchkey.wallet.getState().namespaces.eip155
  if (state?.status !== 'connected') throw new Error('No wallet is connected.')
  return { connection: state.connection, account: state.account }
}

/** Lets seconds pass until a condition holds. */
async function advanceUntil(clock: ReturnType<typeof manualClock>, holds: () => boolean): Promise<void> {
  await expect
    .poll(() => {
      if (!holds()) clock.advance(1_000)
      return holds()
    })
    .toBe(true)
}

test('an outcome after the modal closed stays above the page until the user opens the modal', async () => {
  const { clock, hashes, open, mine } = await createWorld()
  const { latchkey, modal } = await open()
  const stop = followPayments(latchkey)
  mine()
  await advanceUntil(clock, () => modal.toast.getState().open)
  expect(modal.toast.getState()).toMatchObject({
    message: `1.25 COIN sent to ${shortenAddress(bob)}`,
    variant: 'success',
    autoClose: false,
    link: { label: 'View in explorer', href: expect.stringContaining(hashes[0] ?? 'none') },
  })
  clock.advance(600_000)
  expect(modal.toast.getState().open).toBe(true)
  openModal(latchkey)
  expect(modal.toast.getState().open).toBe(false)
  stop()
})

test.each([
  ['cancel', 'The transaction was cancelled. Only the fee was charged.'],
  ['send', 'Your transaction is confirmed, with the higher fee.'],
])('a mined replacement (%s) is reported as what it is', async (kind, message) => {
  const { clock, open, mine } = await createWorld({ what: { kind }, replaces: '0xe1' })
  const { latchkey, modal } = await open()
  const stop = followPayments(latchkey)
  mine()
  await advanceUntil(clock, () => modal.toast.getState().open)
  expect(modal.toast.getState()).toMatchObject({ message, variant: 'success' })
  stop()
})

test('a replacement and its original are reported once', async () => {
  const { open } = await createWorld({ payments: 0 })
  const { latchkey, modal } = await open()
  const stop = followPayments(latchkey)
  const [hash, by] = ['0xa', '0xb']
  void reportOutcome(
    latchkey,
    { chainId, hash, what: { kind: 'send' } },
    { status: 'replaced', hash, by, how: 'cancelled' },
  )
  void reportOutcome(
    latchkey,
    { chainId, hash: by, what: { kind: 'cancel' }, replaces: hash },
    { status: 'mined', hash: by, blockNumber: 1n },
  )
  await flushTasks()
  expect(modal.toast.getState()).toMatchObject({ message: 'The transaction was cancelled. Only the fee was charged.' })
  stop()
})

test('an outcome while the modal is open closes by itself, and has the same text and link', async () => {
  const { clock, hashes, open, mine } = await createWorld()
  const { latchkey, modal } = await open()
  openModal(latchkey)
  const stop = followPayments(latchkey)
  mine()
  await advanceUntil(clock, () => modal.toast.getState().open)
  expect(modal.toast.getState()).toMatchObject({
    message: `1.25 COIN sent to ${shortenAddress(bob)}`,
    autoClose: true,
    link: { href: expect.stringContaining(hashes[0] ?? 'none') },
  })
  closeModal(latchkey)
  stop()
})

test('an outcome never shows the words of a contract', async () => {
  const { clock, adapter, open, mine } = await createWorld()
  const { latchkey, modal } = await open()
  adapter.revertsWith = 'Your wallet is at risk. Visit evil.example'
  const stop = followPayments(latchkey)
  mine()
  await advanceUntil(clock, () => modal.toast.getState().open)
  expect(modal.toast.getState()).toMatchObject({
    message: 'The transaction failed on the network: the contract rejected it.',
    variant: 'error',
  })
  stop()
})

test('several outcomes are counted, and none of them is lost while the toast changes', async () => {
  const { clock, open, mine } = await createWorld({ payments: 3 })
  const { latchkey, modal } = await open()
  const stop = followPayments(latchkey)
  mine()
  const message = (): string => {
    const toast = modal.toast.getState()
    return toast.open ? toast.message : ''
  }
  await advanceUntil(clock, () => message().startsWith('3 '))
  expect(modal.toast.getState()).toMatchObject({ variant: 'info', autoClose: false, link: undefined })
  hideToast(latchkey)
  stop()
})

test('two tabs report an outcome once', async () => {
  const { clock, storage, open, mine } = await createWorld()
  const tabs = [await open(), await open(storage.otherTab())]
  const stops = tabs.map(({ latchkey }) => followPayments(latchkey))
  await expect
    .poll(() => tabs.map(({ modal }) => modal.pendingTexts.getState().eip155))
    .toEqual(['1 pending', '1 pending'])
  mine()
  await advanceUntil(clock, () => tabs.every(({ modal }) => modal.pendingTexts.getState().eip155 === undefined))
  await flushTasks()
  expect(tabs.filter(({ modal }) => modal.toast.getState().open)).toHaveLength(1)
  for (const stop of stops) stop()
})

test('a payment is reported in the tab that sent it, not in another one that sees the outcome first', async () => {
  vi.stubGlobal('navigator', { locks: fakeLocks() })
  onTestFinished(() => void vi.unstubAllGlobals())
  const { clock, storage, adapter, open } = await createWorld({ payments: 0 })
  const [sender, other] = [await open(), await open(storage.otherTab())]
  const { connection, account: from } = getConnectedState(sender)
  const hash = await adapter.sendTransaction(connection, from, { to: bob, value: 1n })
  const what = { kind: 'send', amount: '1', symbol: 'COIN', to: bob } as const
  let settled: Outcome | undefined
  const transaction = { hash, chainId, what } as const
  void followTransaction(sender.latchkey, { sent: { hash }, chainId, from, what }).then((found) => (settled = found))
  const found = reportOutcome(other.latchkey, transaction, { status: 'mined', hash, blockNumber: 1n })
  await flushTasks()
  expect(other.modal.toast.getState().open).toBe(false)
  adapter.mine(hash)
  await advanceUntil(clock, () => settled !== undefined)
  if (settled === undefined || settled.status === 'unknown') throw new Error('The payment is not found.')
  await Promise.all([showOutcome(sender.latchkey, transaction, settled), found])
  expect([sender, other].map(({ modal }) => modal.toast.getState().open)).toEqual([true, false])
})

test('an outcome that another tab reported is not shown again, and its loading notice ends', async () => {
  const { storage, hashes, open } = await createWorld()
  const [one, other] = [await open(), await open(storage.otherTab())]
  const of = { chainId, hash: hashes[0] ?? '', what: { kind: 'swap' } } as const
  const mined = { status: 'mined', hash: of.hash, blockNumber: 1n } as const
  await reportOutcome(other.latchkey, of, mined)
  showToast(one.latchkey, 'Swapping', { variant: 'loading' })
  await showOutcome(one.latchkey, of, mined)
  expect([one, other].map(({ modal }) => modal.toast.getState().open)).toEqual([false, true])
})

test('the number of pending transactions follows the account, and ends with the tracking', async () => {
  const { open } = await createWorld({ payments: 2 })
  const { latchkey, modal } = await open()
  expect(modal.pendingTexts.getState()).toEqual({})
  const stop = followPayments(latchkey)
  await expect.poll(() => modal.pendingTexts.getState()).toEqual({ eip155: '2 pending' })
  stop()
  expect(modal.pendingTexts.getState()).toEqual({})
})

test('the number of pending transactions stays if a second call starts before the first one stops', async () => {
  const { open } = await createWorld()
  const { latchkey, modal } = await open()
  const stop = followPayments(latchkey)
  await expect.poll(() => modal.pendingTexts.getState()).toEqual({ eip155: '1 pending' })
  const stopNext = followPayments(latchkey)
  stop()
  expect(modal.pendingTexts.getState()).toEqual({ eip155: '1 pending' })
  stopNext()
  expect(modal.pendingTexts.getState()).toEqual({})
})
