import type { Fee, Transfer } from '@latchkey/core/money'
import { type Network, transactionError } from '@latchkey/protocol'
import type { Address, Client } from 'viem'
import { toTransferCall, type TransferCall } from './transferCall.ts'
import { simulateEvmCall } from './simulateEvmCall.ts'
import { planTransaction, maxPricePerGas, type TransactionPlan } from './transactionPlan.ts'

/**
 * Estimates the cost of a transfer, and plans its transaction. The token is called first, so that a refusal costs nothing.
 *
 * @throws LatchkeyError `transaction/reverted` with the reason if it would fail, `rpc/unreachable`
 */
export async function estimateEvmFee(
  client: Client,
  network: Network,
  { transfer, oracle }: { transfer: Transfer; oracle: Address | undefined },
): Promise<{ fee: Fee; plan: TransactionPlan }> {
  const call = toTransferCall(transfer)
  const [plan] = await Promise.all([
    planTransaction(client, network, { call, oracle }),
    checkToken(client, network, call),
  ])
  return { fee: { value: plan.maxCost, price: maxPricePerGas(plan.price) }, plan }
}

/** A token that refuses the transfer would still be charged for. */
async function checkToken(client: Client, network: Network, call: TransferCall): Promise<void> {
  if (call.data === undefined) return
  const reason = await simulateEvmCall(client, network, call)
  if (reason !== undefined) throw transactionError('transaction/reverted', { hash: undefined, reason })
}
