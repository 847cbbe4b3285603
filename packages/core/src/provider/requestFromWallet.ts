import { getField, isLatchkeyError } from '@latchkey/protocol'
import type { Connection } from '../contracts/connector.ts'

/**
 * Sends a request to the wallet of a connection. Providers of EIP-1193 reject with numeric codes; this function rejects
 * with the errors of Latchkey in all namespaces.
 *
 * @throws LatchkeyError `request/rejected`, `request/failed`, `request/expired`, `request/unknown` or `wallet/unavailable`
 * @example await requestFromWallet(connection, { method: 'personal_sign', params: [message, address] })
 */
export async function requestFromWallet(
  { provider }: Pick<Connection, 'provider'>,
  args: { method: string; params?: unknown },
): Promise<unknown> {
  try {
    return await provider.request(args)
  } catch (error) {
    const cause = getField(error, 'cause')
    throw !isLatchkeyError(error) && isLatchkeyError(cause) ? cause : error
  }
}
