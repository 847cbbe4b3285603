import { isLatchkeyError, parseAccountId, type AccountId } from '@latchkey/protocol'
import { fetchJson, serverUrl } from '../../api/fetchJson.ts'
import type { Clock } from '../../contracts/clock.ts'
import type { Latchkey } from '../../instance/latchkey.ts'
import { supports } from '../../network/supports.ts'
import { getActiveConnection, type ActiveConnection } from '../../state/connectedWallets.ts'
import { coinTypeOf } from './coinType.ts'
import { nameError } from './nameError.ts'
import { readZones, type NameZones } from './zones.ts'

/**
 * The offset of a message's timestamp from the server's clock, in seconds. A message is valid for ten seconds before
 * and after its timestamp, and the user has to read and approve it first.
 */
const dated = 8

/** A message about a name, and where it is sent. */
export type NameMessage = {
  readonly name: string
  readonly path: string
  /** The content of the message without its timestamp. */
  readonly content: Readonly<Record<string, unknown>>
}

type NameAction = 'renew' | 'transfer' | 'accept' | 'release'

/** Returns the message for an action on a name. The message names both, so that it has no other effect. */
export function toActionMessage(
  action: NameAction,
  name: string,
  more: Readonly<Record<string, unknown>> = {},
): NameMessage {
  const path = `/v1/profile/account/${encodeURIComponent(name)}/${action}`
  return { name, path, content: { action, name, ...more } }
}

/**
 * Asks the wallet to sign a message about a name, and sends it to the server.
 *
 * @param connection the account that signs; the active one if omitted
 * @returns the account that signed, and the response of the server
 * @throws LatchkeyError `connection/not-connected`, `name/…`, and what signing and the request throw
 */
export async function postNameMessage(
  latchkey: Latchkey,
  { name, path, content }: NameMessage,
  { adapter, state, network }: Pick<ActiveConnection, 'adapter' | 'state' | 'network'> = getActiveConnection(latchkey),
): Promise<{ account: AccountId; response: unknown }> {
  const coinType = supports(latchkey, 'names', network) ? coinTypeOf(Number(network.id)) : undefined
  if (coinType === undefined) throw nameError('name/unsupported', {})
  const { account } = state
  const timestamp = timestampFor(latchkey.internal.clock, await readZones(latchkey))
  const message = JSON.stringify({ ...content, timestamp })
  // An approval after the UI was closed counts, as it does for payments.
  const signature = await adapter.signMessage(state.connection, account, message)
  const { address } = parseAccountId(account)
  const body = { coin_type: coinType, address, message, signature }
  try {
    return { account, response: await fetchJson(latchkey, serverUrl(latchkey, path), undefined, body) }
  } catch (error) {
    if (!isLatchkeyError(error, 'http/status')) throw error
    throw toNameError(name, error.context.status, parseReason(error.cause), error)
  }
}

function timestampFor(clock: Clock, { ahead }: NameZones): number {
  return Math.floor(clock.now() / 1000 + ahead) + dated
}

function toNameError(name: string, status: number, { field, description }: Reason, cause: unknown): Error {
  if (status === 429) return nameError('name/too-many', {}, { cause })
  if (field === 'timestamp') return nameError('name/late', {}, { cause })
  if (/already registered/i.test(description)) return nameError('name/taken', { name }, { cause })
  return nameError('name/refused', { reason: description === '' ? `HTTP ${status}` : description }, { cause })
}

type Reason = { field: string; description: string }

/** The first reason of a refusal: `{ reasons: [{ field, description }] }`. */
function parseReason(response: unknown): Reason {
  const reasons: unknown = Object(response).reasons
  const [first] = Array.isArray(reasons) ? (reasons as readonly unknown[]) : []
  const { field, description } = Object(first) as { field?: unknown; description?: unknown }
  return {
    field: typeof field === 'string' ? field : '',
    description: typeof description === 'string' ? description : '',
  }
}
