import type { Fee, Transfer } from '@latchkey/core/money'
import { type Network, transactionError } from '@latchkey/protocol'
import { isHex, size, type Address, type Client } from 'viem'
import { toTransferCall, type TransferCall } from './transferCall.ts'
import { toTransferError, planTransaction, maxPricePerGas, type TransactionPlan } from './transactionPlan.ts'

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

/** Some tokens return false instead of reverting: the transaction would be mined without a transfer. */
async function checkToken(client: Client, network: Network, { from, to, data }: TransferCall): Promise<void> {
  if (data === undefined) return
  const result: unknown = await client
    .request({ method: 'eth_call', params: [{ from, to, data }, 'latest'] })
    .catch((error: unknown) => {
      throw toTransferError(error, network)
    })
  // Old tokens return nothing from a successful transfer.
  if (isHex(result) && size(result) >= 32 && BigInt(result.slice(0, 66)) === 0n) {
    throw transactionError('transaction/reverted', { hash: undefined, reason: 'the token refuses the transfer' })
  }
}
