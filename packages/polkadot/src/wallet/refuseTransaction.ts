import { requestError } from '@latchkey/protocol'

/**
 * Refuses to send a transaction.
 *
 * @throws LatchkeyError `request/not-allowed`, always
 */
export function refuseTransaction(): never {
  throw requestError('request/not-allowed', { method: 'sendTransaction' })
}
