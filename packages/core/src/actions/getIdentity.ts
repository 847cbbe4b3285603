import { isLatchkeyError, LatchkeyError, parseAccountId, type AccountId } from '@latchkey/protocol'
import { ask, serverUrl } from '../api/ask.ts'
import type { Latchkey } from '../latchkey.ts'

const cacheMilliseconds = 300_000

/** What somebody is called, and how he shows himself. */
export type Identity = {
  name?: string
  /** An https or data address of a picture. */
  avatar?: string
}

/**
 * The name and picture that belong to an account, as the server found them; remembered for five minutes [R9.1.10].
 *
 * @returns nothing in it when there is no name, or no server is configured
 * @throws LatchkeyError `http/status`, `http/unreachable`, `http/invalid-answer`.
 * @example const { name = shortenAddress(address) } = await getIdentity(latchkey, account)
 */
export async function getIdentity(
  latchkey: Latchkey,
  account: AccountId,
  { signal }: { signal?: AbortSignal } = {},
): Promise<Identity> {
  if (latchkey.settings.server === undefined) return {}
  const { address } = parseAccountId(account)
  const key = `identity/${address}`
  const kept = latchkey.memory.cached(key, cacheMilliseconds)
  if (kept !== undefined) return readKept(kept)
  const identity = await askIdentity(latchkey, address, signal)
  latchkey.memory.setCached(key, JSON.stringify(identity))
  return identity
}

/** A server that knows no names of such addresses says so with 400 or 404: that is no failure. */
async function askIdentity(latchkey: Latchkey, address: string, signal: AbortSignal | undefined): Promise<Identity> {
  const url = serverUrl(latchkey, `/v1/identity/${encodeURIComponent(address)}`, { sender: address })
  try {
    return readIdentity(await ask(latchkey, url, signal))
  } catch (error) {
    if (isLatchkeyError(error, 'http/status') && [400, 404].includes(error.context.status)) return {}
    throw error
  }
}

/** What is kept may be anything: a page's storage is open to all of its scripts. */
function readKept(text: string): Identity {
  try {
    return readIdentity(JSON.parse(text))
  } catch {
    return {}
  }
}

function readIdentity(answer: unknown): Identity {
  if (typeof answer !== 'object' || answer === null)
    throw new LatchkeyError('http/invalid-answer', { what: 'identity' })
  const name = 'name' in answer && typeof answer.name === 'string' && answer.name !== '' ? answer.name : undefined
  const avatar = 'avatar' in answer && isPicture(answer.avatar) ? answer.avatar : undefined
  return { name, avatar }
}

/** Whoever set a picture in a name record chose the address: nothing but a picture may be loaded from it. */
function isPicture(value: unknown): value is string {
  return typeof value === 'string' && /^(https:\/\/|data:image\/)/i.test(value)
}
