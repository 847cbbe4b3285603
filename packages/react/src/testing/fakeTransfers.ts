import type { FakeAdapter } from '@latchkey/core/fakes'
import type { Asset, Fee, Outcome, ReceiverNote, Transfer, Transfers } from '@latchkey/core/money'
import { parseAccountId, inputError, transactionError, networkError } from '@latchkey/protocol'

/** Transfers that a test controls. */
export type FakeTransfers = Transfers & {
  /** The transfers that were sent. */
  readonly sent: readonly Transfer[]
  fee: Fee
  /** The reason that every payment fails. Undefined if they succeed. */
  refusal: string | undefined
  notes: readonly ReceiverNote[]
  /** Base units of tokens by their address. The adapter has the balance of the native currency. */
  readonly held: Map<string, bigint>
  readonly names: Map<string, string>
  /** Settles the followed payments with an outcome. */
  end(outcome: Omit<Outcome, 'hash'> & { readonly [more: string]: unknown }): void
}

/** Makes an adapter transfer its balances. A payment ends when the test settles it. */
export function fakeTransfers(adapter: FakeAdapter): FakeTransfers {
  const sent: Transfer[] = []
  const waiting: ((outcome: object) => void)[] = []
  const transfers: FakeTransfers = {
    sent,
    fee: { value: 21_000_000_000_000n },
    refusal: undefined,
    notes: [],
    held: new Map(),
    names: new Map(),
    end(outcome) {
      for (const settle of waiting.splice(0)) settle(outcome)
    },
    async readAsset(_network, address) {
      if (!transfers.held.has(address)) throw inputError('address/invalid', { namespace: 'fake', value: address })
      return { address, name: 'Found Token', symbol: 'FND', decimals: 6 }
    },
    async getBalance(network, holder, { address }: Asset) {
      if (address !== undefined) return transfers.held.get(address) ?? 0n
      return (await adapter.getBalance(network, holder)).value
    },
    async estimateFee(network) {
      if (adapter.unreachable) throw networkError('rpc/unreachable', { network: network.name })
      const { refusal, fee } = transfers
      if (refusal !== undefined) throw transactionError('transaction/reverted', { hash: undefined, reason: refusal })
      return fee
    },
    async inspectReceiver(_network, { from, to }) {
      return [...transfers.notes, ...(to === parseAccountId(from).address ? (['oneself'] as const) : [])]
    },
    async send(connection, _network, transfer) {
      const { from, to, amount: value } = transfer
      const hash = await adapter.sendTransaction(connection, from, { to, value })
      sent.push(transfer)
      return { hash }
    },
    follow: (_network, _from, { hash }) =>
      // The test decides the outcome.
      new Promise((resolve) => waiting.push((outcome) => resolve({ ...outcome, hash } as Outcome))),
    resolveName: async (_network, name) => transfers.names.get(name) ?? false,
  }
  Object.assign(adapter, { transfers: async () => transfers })
  return transfers
}
