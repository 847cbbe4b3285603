import { httpError } from '@latchkey/protocol'
import type { Latchkey } from '../../instance/latchkey.ts'
import { postNameMessage, toActionMessage } from './postNameMessage.ts'

/**
 * Starts a new term of a name of the active account. It also renews a name that expired less than 90 days ago.
 *
 * @returns the time of the expiry, in milliseconds
 * @throws LatchkeyError `connection/not-connected`, `name/unsupported`, `name/late`, `name/refused`, and what signing and
 *   the request throw: `request/rejected`, ….
 * @example const expiry = new Date(await renewName(latchkey, 'user.latchkey.example'))
 */
export async function renewName(latchkey: Latchkey, name: string): Promise<number> {
  const { response } = await postNameMessage(latchkey, toActionMessage('renew', name))
  const expiry = Date.parse(String(Object(response).expires_at))
  if (Number.isNaN(expiry)) throw httpError('http/invalid-response', { subject: 'names' })
  return expiry
}
