import type { Fee, Transfer } from '@latchkey/core/money'
import { isLatchkeyError, parseAccountId, transactionError } from '@latchkey/protocol'
import { parseSs58Address } from '../address/ss58Address.ts'
import { readAccountRecord, type AccountRecord } from '../chain/accountRecord.ts'
import type { Chain } from '../chain/requestPolkadotRpc.ts'
import { loadRuntime, type Runtimes } from '../runtime/loadRuntime.ts'
import { choosePeriod } from './era.ts'
import { queryExtrinsicFee } from './queryExtrinsicFee.ts'
import { encodeTransferCall } from './transferCall.ts'

/** The fee changes with the load of the chain. The estimate covers a tenth more than the current fee. */
const margin = 10n

/** A hash of the right length for an extrinsic that is not sent. */
const anyHash = `0x${'00'.repeat(32)}`

/**
 * Estimates the fee of a transfer, and what must stay in the account.
 *
 * @throws LatchkeyError `rpc/unreachable`, `send/unsupported`, `transaction/reverted` if the amount is too small to open the
 * receiver's account
 */
export async function estimatePolkadotFee(
  chain: Chain,
  runtimes: Runtimes,
  { from, to, amount }: Transfer,
): Promise<Fee> {
  const sender = parseSs58Address(parseAccountId(from).address)
  const receiver = parseReceiverOr(to, sender)
  const [runtime, held, receiving] = await Promise.all([
    loadRuntime(chain, runtimes),
    readAccountRecord(chain, sender),
    readAccountRecord(chain, receiver),
  ])
  const { existentialDeposit, blockHashCount } = runtime
  if (receiving === undefined && amount > 0n && amount < existentialDeposit) {
    const reason = `dust: at least ${existentialDeposit} base units open the receiver's account`
    throw transactionError('transaction/reverted', { hash: undefined, reason })
  }
  const call = encodeTransferCall(chain, runtime, { receiver, amount: amount > 0n ? amount : existentialDeposit })
  const birth = { number: 0n, hash: anyHash }
  const [genesisHash, period, nonce] = [anyHash, choosePeriod(blockHashCount), held?.nonce ?? 0]
  const unsigned = { call, runtime, genesisHash, birth, period, nonce }
  const current = await queryExtrinsicFee(chain, unsigned, sender)
  return { value: current + current / margin, kept: getKept(held, existentialDeposit) }
}

/** Returns what can't be sent: the existential deposit, or a larger locked part. */
function getKept(held: AccountRecord | undefined, existentialDeposit: bigint): NonNullable<Fee['kept']> {
  const { frozen } = held ?? { frozen: 0n }
  return frozen > existentialDeposit
    ? { amount: frozen, reason: 'locked' }
    : { amount: existentialDeposit, reason: 'existential-deposit' }
}

/** An incomplete or invalid receiver is replaced, so that the form shows a fee before the receiver is known. */
function parseReceiverOr(to: string, sender: Uint8Array): Uint8Array {
  try {
    return parseSs58Address(to)
  } catch (error) {
    if (!isLatchkeyError(error, 'address/invalid')) throw error
    return sender
  }
}
