import type { Network } from '@latchkey/protocol'
import { isHex, numberToHex, size, type Address, type Client, type Hex } from 'viem'
import { findRefusalReason } from '../chain/revertReason.ts'
import { toTransferError } from './transactionPlan.ts'

/** Some tokens return false instead of reverting: the transaction would be mined without an effect. */
const returnedFalse = 'the token refuses the transfer'

/**
 * Runs a call on the latest state without sending it.
 *
 * @returns the reason why it would fail, or `undefined` if it would succeed
 * @throws LatchkeyError `rpc/unreachable`
 */
export async function simulateEvmCall(
  client: Client,
  network: Network,
  { from, to, value = 0n, data }: { from: Address; to: Address; value?: bigint; data: Hex | undefined },
): Promise<string | undefined> {
  try {
    const call = { from, to, data, ...(value === 0n ? {} : { value: numberToHex(value) }) }
    const result: unknown = await client.request({ method: 'eth_call', params: [call, 'latest'] })
    // Old tokens return nothing from a successful call.
    const isFalse = isHex(result) && size(result) >= 32 && BigInt(result.slice(0, 66)) === 0n
    return isFalse ? returnedFalse : undefined
  } catch (error) {
    const reason = findRefusalReason(error)
    if (reason === undefined) throw toTransferError(error, network)
    return reason
  }
}
