import type { HistoryItem } from '@latchkey/protocol'
import type { Chain } from '../../kit/chain/chains.ts'
import { toNativeHistoryTransfer, type NativeTransfer } from '../history/toNativeHistoryTransfer.ts'

/** A transaction in a block. */
export type BitcoinTransaction = {
  txid: string
  minedAt: number
  /** Satoshis. */
  fee: bigint
  inputs: readonly BitcoinOutput[]
  outputs: readonly BitcoinOutput[]
}

/** An output, or the output that an input spends. Scripts without an address have none. */
export type BitcoinOutput = { address: string | undefined; amount: bigint }

/**
 * Describes a transaction from the view of an address. Returns undefined if the transaction does not concern the address.
 *
 * @example toBitcoinHistoryItem(chain, 'bc1q…', transaction)
 */
export function toBitcoinHistoryItem(
  chain: Chain,
  address: string,
  transaction: BitcoinTransaction,
): HistoryItem | undefined {
  const { txid, minedAt, inputs, outputs } = transaction
  const isOwn = (output: BitcoinOutput): boolean => output.address === address
  const isSender = inputs.some(isOwn)
  if (!isSender && !outputs.some(isOwn)) return undefined
  const transfer = getTransfer(address, transaction)
  const sender = isSender ? address : inputs.find(({ address: each }) => each !== undefined)?.address
  const { caipNetworkId } = chain
  return {
    id: `${caipNetworkId}:${txid}`,
    metadata: {
      operationType: transfer === undefined ? 'execute' : transfer.direction === 'in' ? 'receive' : 'send',
      hash: txid,
      minedAt: new Date(minedAt).toISOString(),
      sentFrom: sender ?? '',
      sentTo: transfer?.direction === 'out' ? (findReceiver(address, outputs) ?? '') : address,
      status: 'confirmed',
      nonce: 0,
      application: null,
      chain: caipNetworkId,
    },
    transfers: transfer === undefined ? [] : [toNativeHistoryTransfer(chain, transfer)],
  }
}

/**
 * Gets what the address sent or received in total: change returns to it. The fee is a cost and not a transfer, if the address
 * paid it alone; who paid it in a transaction of several addresses is not known.
 */
function getTransfer(address: string, { fee, inputs, outputs }: BitcoinTransaction): NativeTransfer | undefined {
  const isOwn = (output: BitcoinOutput): boolean => output.address === address
  const spent = sumAmounts(inputs.filter(isOwn))
  const paysAlone = spent > 0n && inputs.every(isOwn)
  const change = sumAmounts(outputs.filter(isOwn)) - spent + (paysAlone ? fee : 0n)
  if (change === 0n) return undefined
  const others = new Set((change > 0n ? inputs : outputs).flatMap((each) => (isOwn(each) ? [] : (each.address ?? []))))
  const [counterparty] = others.size === 1 ? others : []
  return { direction: change > 0n ? 'in' : 'out', amount: change > 0n ? change : -change, counterparty }
}

/** Adds the amounts of outputs, in satoshis. */
export function sumAmounts(outputs: readonly BitcoinOutput[]): bigint {
  return outputs.reduce((sum, { amount }) => sum + amount, 0n)
}

/** Finds the address that got most. */
function findReceiver(own: string, outputs: readonly BitcoinOutput[]): string | undefined {
  const others = outputs.filter(({ address }) => address !== undefined && address !== own)
  return others.toSorted((a, b) => (a.amount > b.amount ? -1 : a.amount < b.amount ? 1 : 0))[0]?.address
}
