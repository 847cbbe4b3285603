import { isLatchkeyError, parseAccountId, type AccountId, type Network } from '@latchkey/protocol'
import { signMessage } from '../../actions/askWallet.ts'
import { ask, serverUrl } from '../../api/ask.ts'
import { companion } from '../../companion.ts'
import type { Latchkey } from '../../latchkey.ts'
import { requireConnected } from '../../state/standing.ts'
import { supports } from '../../supports.ts'
import { coinTypeOf } from './coinType.ts'
import { nameError } from './errors.ts'
import { keepName, lookUpNames } from './lookUp.ts'
import { isName } from './nameForm.ts'
import { readZones, type Zones } from './zones.ts'

const key = Symbol('name registration')

/**
 * How far ahead of the server's clock a message is dated, in seconds. A message counts ten seconds before and after its
 * time, and somebody has to read and approve it first.
 */
const dated = 8

/**
 * Registers a name for the active account, which signs for it. Asked again while it waits for the wallet, it waits for
 * that same answer: a wallet is asked once.
 *
 * @param label the name without its suffix
 * @returns the whole name
 * @throws LatchkeyError `connection/not-connected`, `name/unsupported`, `name/invalid`, `name/owned`, `name/taken`,
 *   `name/late`, `name/too-many`, `name/refused`, and what signing and asking the server throw: `request/rejected`, ….
 * @example const name = await registerName(latchkey, 'visitor') // 'visitor.latchkey.example'
 */
export async function registerName(latchkey: Latchkey, label: string): Promise<string> {
  const { network, state } = requireConnected(latchkey)
  const { account } = state
  const running = companion(latchkey, key, () => new Map<AccountId, Running>())
  const present = running.get(account)
  if (present?.label === label) return present.name
  // One after the other: an account has one name.
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

/** What an account is being registered as. */
type Running = { readonly label: string; readonly name: Promise<string> }

type Wanted = { label: string; account: AccountId; network: Network }

async function register(latchkey: Latchkey, { label, account, network }: Wanted): Promise<string> {
  const coinType = supports(latchkey, 'names', network) ? coinTypeOf(Number(network.id)) : undefined
  if (coinType === undefined) throw nameError('name/unsupported', {})
  if (!isName(label)) throw nameError('name/invalid', { name: label })
  const told = await readZones(latchkey)
  const [zone] = told.zones
  if (zone === undefined) throw nameError('name/unsupported', {})
  const [owned] = await lookUpNames(latchkey, account)
  if (owned !== undefined) throw nameError('name/owned', { name: owned })
  const name = `${label.toLowerCase()}.${zone}`
  const message = JSON.stringify({ name, attributes: {}, timestamp: timestampFor(latchkey, told) })
  const signature = await signMessage(latchkey, message, { namespace: network.chainNamespace })
  await send(latchkey, { name, account, coinType, message, signature })
  keepName(latchkey, account, name)
  return name
}

function timestampFor({ clock }: Latchkey, { ahead }: Zones): number {
  return Math.floor(clock.now() / 1000 + ahead) + dated
}

type Registration = { name: string; account: AccountId; coinType: number; message: string; signature: string }

async function send(latchkey: Latchkey, { name, account, coinType, message, signature }: Registration): Promise<void> {
  const { address } = parseAccountId(account)
  const body = { coin_type: coinType, address, message, signature }
  try {
    await ask(latchkey, serverUrl(latchkey, '/v1/profile/account'), undefined, body)
  } catch (error) {
    if (!isLatchkeyError(error, 'http/status')) throw error
    throw refusal(name, error.context.status, reasonOf(error.cause), error)
  }
}

function refusal(name: string, status: number, { field, description }: Reason, cause: unknown): Error {
  if (status === 429) return nameError('name/too-many', {}, { cause })
  if (field === 'timestamp') return nameError('name/late', {}, { cause })
  if (/already registered/i.test(description)) return nameError('name/taken', { name }, { cause })
  return nameError('name/refused', { reason: description === '' ? `HTTP ${status}` : description }, { cause })
}

type Reason = { field: string; description: string }

/** What a server said when it refused: `{ reasons: [{ field, description }] }`. */
function reasonOf(answer: unknown): Reason {
  const reasons: unknown = Object(answer).reasons
  const [first] = Array.isArray(reasons) ? (reasons as readonly unknown[]) : []
  const { field, description } = Object(first) as { field?: unknown; description?: unknown }
  return {
    field: typeof field === 'string' ? field : '',
    description: typeof description === 'string' ? description : '',
  }
}
