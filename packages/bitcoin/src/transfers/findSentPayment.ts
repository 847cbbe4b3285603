import { pollUntil } from '@latchkey/adapter-kit'
import { systemClock, type Clock } from '@latchkey/core'
import type { Network } from '@latchkey/protocol'
import { listChainTransactions, type ChainTransaction } from '../chain/chainTransaction.ts'

/** A payment whose sending was not confirmed. */
type LostPayment = {
  readonly from: string
  readonly to: string
  /** Satoshis. */
  readonly amount: bigint
  /** The ids of the payer's transactions before the wallet was asked. */
  readonly before: ReadonlySet<string>
}

/** A wallet may have sent the payment a moment ago, and its node passes it on within seconds. */
const search = { firstIntervalMs: 500, intervalMs: 2_000, timeout: 8_000 } as const

/** Returns the ids of the latest transactions of an address. */
export async function listTransactionIds(
  network: Network,
  address: string,
  clock: Clock | undefined,
): Promise<ReadonlySet<string>> {
  return new Set((await listChainTransactions(network, address, clock)).map(({ txid }) => txid))
}

/** Searches the chain for a payment that the wallet may have sent: new, from this payer, and with exactly this output. */
export function findSentPayment(
  network: Network,
  payment: LostPayment,
  clock: Clock = systemClock,
): Promise<ChainTransaction | undefined> {
  const look = async (): Promise<ChainTransaction | undefined> => {
    const listed = await listChainTransactions(network, payment.from, clock)
    return listed.find((each) => isPayment(each, payment))
  }
  return pollUntil(look, { clock, ...search })
}

function isPayment({ txid, inputs, outputs }: ChainTransaction, { from, to, amount, before }: LostPayment): boolean {
  if (before.has(txid) || !inputs.some(({ address }) => address === from)) return false
  return outputs.some((output) => output.address === to && output.amount === amount)
}
