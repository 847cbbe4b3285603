import { isLatchkeyError, parseAccountId, type AccountId, httpError } from '@latchkey/protocol'
import { fetchJson, serverUrl } from '../api/fetchJson.ts'
import type { Latchkey } from '../instance/latchkey.ts'
import { getCached, setCached } from '../storage/getCached.ts'

const cacheMilliseconds = 300_000

/** The display name and picture of an account. */
export type Identity = {
  name?: string
  /** The https or data URL of a picture. */
  avatar?: string
}

/**
 * Returns the name and picture of an account from the server. Cached for five minutes [R9.1.10].
 *
 * @returns an empty object if there is no name or no server is configured
 * @throws LatchkeyError `http/status`, `http/unreachable`, `http/invalid-response`.
 * @example const { name = shortenAddress(address) } = await getIdentity(latchkey, account)
 */
export async function getIdentity(
  latchkey: Latchkey,
  account: AccountId,
  { signal }: { signal?: AbortSignal } = {},
): Promise<Identity> {
  if (latchkey.internal.settings.server === undefined) return {}
  const key = `identity/${account}`
  const cached = getCached(latchkey.internal, key, cacheMilliseconds)
  if (cached !== undefined) return parseCached(cached)
  const identity = await fetchIdentity(latchkey, account, signal)
  setCached(latchkey.internal, key, JSON.stringify(identity))
  return identity
}

/** A server without names for such addresses responds with 400 or 404. This is not an error. */
async function fetchIdentity(
  latchkey: Pick<Latchkey, 'events' | 'internal'>,
  account: AccountId,
  signal: AbortSignal | undefined,
): Promise<Identity> {
  const { chainId, address } = parseAccountId(account)
  // A contract has its name on one chain only: another user may own the contract at the same address elsewhere.
  const url = serverUrl(latchkey, `/v1/identity/${encodeURIComponent(address)}`, { chainId, sender: address })
  try {
    return readIdentity(await fetchJson(latchkey, url, signal))
  } catch (error) {
    if (isLatchkeyError(error, 'http/status') && [400, 404].includes(error.context.status)) return {}
    throw error
  }
}

/** Stored values may be anything: every script of the page can write to its storage. */
function parseCached(text: string): Identity {
  try {
    return readIdentity(JSON.parse(text))
  } catch {
    return {}
  }
}

function readIdentity(response: unknown): Identity {
  if (typeof response !== 'object' || response === null)
    throw httpError('http/invalid-response', { subject: 'identity' })
  const name =
    'name' in response && typeof response.name === 'string' && response.name !== '' ? response.name : undefined
  const avatar = 'avatar' in response && isPicture(response.avatar) ? response.avatar : undefined
  return { name, avatar }
}

/** The owner of a name record chose this URL, so only a picture may be loaded from it. */
function isPicture(value: unknown): value is string {
  return typeof value === 'string' && /^(https:\/\/|data:image\/)/i.test(value)
}
