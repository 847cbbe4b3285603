import { connect } from '@latchkey/core'
import { fakeAccount, fakeAdapter, fakeConnector, fakeExchange, type FakeAdapter } from '@latchkey/core/fakes'
import {
  pendingTransactions,
  type Approval,
  type Approvals,
  type PendingTransaction,
  type Transfers,
} from '@latchkey/core/money'
import { createDeferred, ether, openSwapWorld, owner, prepareQuote } from '@latchkey/core/testing/swap'
import { requestError } from '@latchkey/protocol'
import { expect, test } from 'vitest'
import { attachModal } from '../attachModal.ts'
import { closeModal, openModal } from '../navigation/openModal.ts'
import { modalOf } from '../modal.ts'
import { fakeModalWorld } from '../testing/fakeModalWorld.ts'
import { revokeWithNotices } from './revokeWithNotices.ts'
import { confirmApproval, openSwapFlow, reviewSwapFlow } from './swapFlow.ts'

const chainId = 'eip155:1'
const { dollar, key } = fakeExchange(chainId, owner)

/** A wallet that shows each request until the test approves it. */
function createSlowAdapter(): { adapter: FakeAdapter; requested: Promise<void>; approve(): void } {
  const adapter = fakeAdapter({ balances: { [owner]: 5n * ether }, minesManually: true })
  const [requested, approved] = [createDeferred(), createDeferred()]
  const { sendTransaction } = adapter
  adapter.sendTransaction = async (...args) => {
    requested.resolve()
    await approved.promise
    return sendTransaction(...args)
  }
  return { adapter, requested: requested.promise, approve: approved.resolve }
}

/** Shows a swap of 100 dollars for review. */
async function reviewDollarSwap(adapter: FakeAdapter, allowance: bigint) {
  const swap = await openSwapWorld(adapter, async (latchkey) => {
    attachModal(latchkey)
    openModal(latchkey, { entry: { view: 'Swap', params: {} } })
    await openSwapFlow(latchkey)
  })
  swap.backend.allowance = allowance
  await prepareQuote(swap, '100', dollar, key)
  await reviewSwapFlow(swap.latchkey)
  return swap
}

/** A token that changes an allowance only to or from 0, like USDT on Ethereum. */
function addStrictToken(adapter: FakeAdapter): void {
  const transfers: Pick<Transfers, 'simulateCall' | 'follow'> = {
    simulateCall: async (_network, _from, { data = '0x' }) => (/[1-9a-f]/.test(data.slice(-64)) ? 'not 0' : undefined),
    follow: async (_network, _from, { hash }) => ({ status: 'unknown', hash }),
  }
  adapter.transfers = async () => transfers as Transfers
}

test.each(['approve', 'reset'] as const)(
  'an allowance request (%s) that is approved after the modal closed is listed and stored [R2.2.7]',
  async (step) => {
    const { adapter, requested, approve } = createSlowAdapter()
    if (step === 'reset') addStrictToken(adapter)
    const swap = await reviewDollarSwap(adapter, step === 'reset' ? 1n : 0n)
    expect(swap.state().order).toMatchObject({ status: 'ready', step })
    void confirmApproval(swap.latchkey)
    await requested
    closeModal(swap.latchkey)
    approve()
    const list = (): readonly PendingTransaction[] => pendingTransactions(swap.latchkey).getState()
    const amount = step === 'reset' ? '0' : '100'
    await expect.poll(list).toMatchObject([{ what: { kind: 'approve', amount, symbol: 'LUSD' } }])
    expect(swap.latchkey.internal.memory.read(`pending/${chainId}/${owner}`)).toMatchObject([{ hash: list()[0]?.hash }])
  },
)

test('an approval that is confirmed after the modal closed is announced until the user closes the notice', async () => {
  const { adapter, requested, approve } = createSlowAdapter()
  const swap = await reviewDollarSwap(adapter, 0n)
  const confirming = confirmApproval(swap.latchkey)
  await requested
  closeModal(swap.latchkey)
  approve()
  await expect.poll(() => adapter.sent).toHaveLength(1)
  adapter.mine(adapter.sent[0]?.hash ?? 'none')
  await confirming
  expect(modalOf(swap.latchkey).toast.getState()).toMatchObject({
    message: 'Approval of 100 LUSD confirmed',
    autoClose: false,
    link: { href: expect.stringContaining(adapter.sent[0]?.hash ?? 'none') },
  })
})

const approval: Approval = {
  kind: 'collection',
  chainId,
  owner: fakeAccount(chainId),
  token: `0x${'70'.repeat(20)}`,
  name: 'Pictures',
  spender: `0x${'5e'.repeat(20)}`,
}

const approvals: Approvals = {
  list: async () => ({ approvals: [approval], isComplete: true }),
  buildRevocation: ({ token }) => ({ to: token, data: '0x' }),
}

test.each([
  ['mined', undefined, 'Approval revoked'],
  ['reverted', 'not today', 'The approval was not revoked. Try again, or check your wallet.'],
])(
  'a revocation that is approved after the modal closed is listed, and announced when it is %s [R2.2.7]',
  async (_status, revertsWith, message) => {
    const { adapter, requested, approve } = createSlowAdapter()
    const world = fakeModalWorld({
      adapters: [Object.assign(adapter, { approvals: async () => approvals })],
      connectors: [fakeConnector()],
    })
    await connect(world.latchkey, 'fake')
    openModal(world.latchkey)
    const revoking = revokeWithNotices(world.latchkey, approval)
    await requested
    closeModal(world.latchkey)
    approve()
    await expect
      .poll(() => pendingTransactions(world.latchkey).getState())
      .toMatchObject([{ what: { kind: 'revoke', symbol: 'Pictures' } }])
    adapter.revertsWith = revertsWith
    adapter.mine(adapter.sent[0]?.hash ?? 'none')
    expect(await revoking).toBe(revertsWith === undefined ? undefined : message)
    expect(world.modal.toast.getState()).toMatchObject({ message, autoClose: false })
  },
)

test('a revocation that the wallet neither confirms nor refuses does not count as failed', async () => {
  const connector = fakeConnector()
  const { latchkey } = fakeModalWorld({
    adapters: [Object.assign(fakeAdapter(), { approvals: async () => approvals })],
    connectors: [connector],
  })
  await connect(latchkey, 'fake')
  connector.fail('sendTransaction', requestError('request/unknown', { method: 'sendTransaction' }))
  expect(await revokeWithNotices(latchkey, approval)).toBe(
    'Your wallet did not confirm whether it sent the revocation. Check there before you try again.',
  )
})
