import type { Fee, Transfer } from '@latchkey/core/money'
import { LatchkeyError, type Network } from '@latchkey/protocol'
import { isHex, size, type Address, type Client } from 'viem'
import { callOf, type TransferCall } from './callOf.ts'
import { failureOf, makePlan, mostPerGas, type Plan } from './plan.ts'

/**
 * What a transfer would cost now, and with what it would be sent. A token that would say no is asked before anybody
 * pays for hearing it.
 *
 * @throws LatchkeyError `transaction/reverted` with the reason when it would fail, `rpc/unreachable`.
 */
export async function estimateFee(
  reader: Client,
  network: Network,
  { transfer, oracle }: { transfer: Transfer; oracle: Address | undefined },
): Promise<{ fee: Fee; plan: Plan }> {
  const call = callOf(transfer)
  const [plan] = await Promise.all([makePlan(reader, network, { call, oracle }), askToken(reader, network, call)])
  return { fee: { value: plan.most, price: mostPerGas(plan.price) }, plan }
}

/** Some tokens answer false where others revert: the transaction would be mined, and nothing moved. */
async function askToken(reader: Client, network: Network, { from, to, data }: TransferCall): Promise<void> {
  if (data === undefined) return
  const answer: unknown = await reader
    .request({ method: 'eth_call', params: [{ from, to, data }, 'latest'] })
    .catch((error: unknown) => {
      throw failureOf(error, network)
    })
  // Tokens that answer nothing at all are as old as the standard, and move all the same.
  if (isHex(answer) && size(answer) >= 32 && BigInt(answer.slice(0, 66)) === 0n) {
    throw new LatchkeyError('transaction/reverted', { hash: undefined, reason: 'the token refuses the transfer' })
  }
}
