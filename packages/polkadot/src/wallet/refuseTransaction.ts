import { LatchkeyError } from '@latchkey/protocol'

/**
 * Refuses to send a transaction.
 *
 * @throws LatchkeyError `request/not-allowed`, always
 */
export function refuseTransaction(): never {
  throw new LatchkeyError('request/not-allowed', { method: 'sendTransaction' })
}
