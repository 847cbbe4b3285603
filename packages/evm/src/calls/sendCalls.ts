import type { Call, Connection } from '@latchkey/core'
import { LatchkeyError, parseAccountId, type AccountId } from '@latchkey/protocol'
import { numberToHex } from 'viem/utils'
import { checkedAddress } from '../checkedAddress.ts'
import { hexChainId } from '../networks.ts'
import { ask, isFields, nonsense, type Fields } from './ask.ts'

type Batch = { calls: readonly Call[]; atomic?: boolean; capabilities?: Fields }

/** Longer names of batches are not allowed by the standard (4,096 bytes as hexadecimal digits). */
const idLength = 8_194

/**
 * Asks for a batch of calls in one consent (`wallet_sendCalls` 2.0.0, EIP-5792). It names its chain, so that a wallet
 * that went elsewhere unnoticed refuses it.
 */
export async function sendCalls(connection: Connection, account: AccountId, batch: Batch): Promise<{ id: string }> {
  const method = 'wallet_sendCalls'
  const { address, chainId } = parseAccountId(account)
  const request = {
    version: '2.0.0',
    from: address,
    chainId: hexChainId(chainId),
    atomicRequired: batch.atomic ?? false,
    calls: batch.calls.map(writeCall),
    capabilities: batch.capabilities,
  }
  const answer = await ask(connection, method, [request])
  // Wallets of the first version give the bare name.
  const id = isFields(answer) ? answer['id'] : answer
  if (typeof id !== 'string' || id === '' || id.length > idLength) throw nonsense(connection, method)
  return { id }
}

function writeCall({ to, value, data }: Call): object {
  if (value !== undefined && value < 0n) throw new LatchkeyError('amount/invalid', { value: String(value) })
  return {
    to: to === undefined ? undefined : checkedAddress(to),
    value: value === undefined ? undefined : numberToHex(value),
    data,
  }
}
