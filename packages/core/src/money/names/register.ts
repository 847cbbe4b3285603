import { isLatchkeyError, parseAccountId, type AccountId, type Network } from '@latchkey/protocol'
import { signMessage } from '../../requests/signMessage.ts'
import { fetchJson, serverUrl } from '../../api/fetchJson.ts'
import { defineFeature, getFeature } from '../../instance/feature.ts'
import type { Clock } from '../../contracts/clock.ts'
import type { Latchkey } from '../../instance/latchkey.ts'
import { getActiveConnection } from '../../state/connectedWallets.ts'
import { supports } from '../../network/supports.ts'
import { coinTypeOf } from './coinType.ts'
import { nameError } from './nameError.ts'
import { keepName, listNames } from './listNames.ts'
import { isName } from './isName.ts'
import { readZones, type Zones } from './zones.ts'

/** The registration in progress of each account. */
const pendingRegistrations = defineFeature(() => new Map<AccountId, Running>())

/**
 * The offset of a message's timestamp from the server's clock, in seconds. A message is valid for ten seconds before
 * and after its timestamp, and the user has to read and approve it first.
 */
const dated = 8

/**
 * Registers a name for the active account, which signs the registration. Repeated calls send a single request to the
 * wallet.
 *
 * @param label the name without its suffix
 * @returns the full name, with its suffix
 * @throws LatchkeyError `connection/not-connected`, `name/unsupported`, `name/invalid`, `name/owned`, `name/taken`,
 *   `name/late`, `name/too-many`, `name/refused`, and what signing and asking the server throw: `request/rejected`, ….
 * @example const name = await registerName(latchkey, 'visitor') // 'visitor.latchkey.example'
 */
export async function registerName(latchkey: Latchkey, label: string): Promise<string> {
  const { network, state } = getActiveConnection(latchkey)
  const { account } = state
  const running = getFeature(latchkey, pendingRegistrations)
  const present = running.get(account)
  if (present?.label === label) return present.name
  // Registrations run one after another, because an account has one name.
  const name = Promise.resolve(present?.name)
    .catch(() => undefined)
    .then(() => register(latchkey, { label, account, network }))
  const begun = { label, name }
  running.set(account, begun)
  try {
    return await name
  } finally {
    if (running.get(account) === begun) running.delete(account)
  }
}

/** A registration in progress. */
type Running = { readonly label: string; readonly name: Promise<string> }

type Wanted = { label: string; account: AccountId; network: Network }

async function register(latchkey: Latchkey, { label, account, network }: Wanted): Promise<string> {
  const coinType = supports(latchkey, 'names', network) ? coinTypeOf(Number(network.id)) : undefined
  if (coinType === undefined) throw nameError('name/unsupported', {})
  if (!isName(label)) throw nameError('name/invalid', { name: label })
  const response = await readZones(latchkey)
  const [zone] = response.zones
  if (zone === undefined) throw nameError('name/unsupported', {})
  const [owned] = await listNames(latchkey, account)
  if (owned !== undefined) throw nameError('name/owned', { name: owned })
  const name = `${label.toLowerCase()}.${zone}`
  const message = JSON.stringify({ name, attributes: {}, timestamp: timestampFor(latchkey.internal.clock, response) })
  const signature = await signMessage(latchkey, message, { namespace: network.chainNamespace })
  await postRegistration(latchkey, { name, account, coinType, message, signature })
  keepName(latchkey, account, name)
  return name
}

function timestampFor(clock: Clock, { ahead }: Zones): number {
  return Math.floor(clock.now() / 1000 + ahead) + dated
}

type Registration = { name: string; account: AccountId; coinType: number; message: string; signature: string }

async function postRegistration(
  latchkey: Pick<Latchkey, 'events' | 'internal'>,
  { name, account, coinType, message, signature }: Registration,
): Promise<void> {
  const { address } = parseAccountId(account)
  const body = { coin_type: coinType, address, message, signature }
  try {
    await fetchJson(latchkey, serverUrl(latchkey, '/v1/profile/account'), undefined, body)
  } catch (error) {
    if (!isLatchkeyError(error, 'http/status')) throw error
    throw toNameError(name, error.context.status, parseReason(error.cause), error)
  }
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
