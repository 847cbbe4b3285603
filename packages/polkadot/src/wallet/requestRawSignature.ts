import type { Connection } from '@latchkey/core'
import { parseAccountId, type AccountId } from '@latchkey/protocol'
import { parsePolkadotSignature } from './parsePolkadotSignature.ts'
import { toHex } from './toHex.ts'

/**
 * Asks the wallet to sign raw data. The wallet signs it between `<Bytes>` and `</Bytes>`, so that the data can never be a
 * transaction.
 *
 * @returns hex with `0x`
 */
export async function requestRawSignature(
  connection: Connection,
  account: AccountId,
  data: string | Uint8Array,
): Promise<`0x${string}`> {
  const method = 'polkadot_signMessage'
  const { address } = parseAccountId(account)
  const message = typeof data === 'string' ? { message: data } : { message: toHex(data), type: 'bytes' }
  const response = await connection.provider.request({ method, params: { address, ...message } })
  return parsePolkadotSignature(connection, method, response)
}
