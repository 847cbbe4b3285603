import { parseAccountId, type AccountId } from '@latchkey/protocol'
import type { Latchkey } from '../../latchkey.ts'
import { askReverse } from './records.ts'
import { readZones } from './zones.ts'

const cacheMilliseconds = 300_000

/**
 * The names that an account registered at the server, the first one first; remembered for five minutes [R9.1.10].
 *
 * @throws LatchkeyError `http/status`, `http/unreachable`, `http/invalid-answer`.
 * @example const [name] = await lookUpNames(latchkey, account)
 */
export async function lookUpNames(
  latchkey: Latchkey,
  account: AccountId,
  { signal }: { signal?: AbortSignal } = {},
): Promise<readonly string[]> {
  const { address } = parseAccountId(account)
  const kept = readKept(latchkey.memory.cached(keyOf(address), cacheMilliseconds))
  if (kept !== undefined) return kept
  const { zones } = await readZones(latchkey)
  if (zones.length === 0) return []
  const names = (await askReverse(latchkey, address, signal)).map(({ name }) => name)
  latchkey.memory.setCached(keyOf(address), JSON.stringify(names))
  return names
}

/** Remembers what an account is called from now on, also where nothing was asked for yet. */
export function keepName(latchkey: Latchkey, account: AccountId, name: string): void {
  const { address } = parseAccountId(account)
  latchkey.memory.setCached(keyOf(address), JSON.stringify([name]))
  // Whoever has a name elsewhere keeps being called by it, as the server would say.
  const identity = latchkey.memory.cached(identityKey(address), cacheMilliseconds)
  if (identity === undefined || nameIn(identity) === undefined) {
    latchkey.memory.setCached(identityKey(address), JSON.stringify({ name }))
  }
}

function keyOf(address: string): string {
  return `names/${address}`
}

function identityKey(address: string): string {
  return `identity/${address}`
}

function nameIn(identity: string): string | undefined {
  try {
    const { name } = Object(JSON.parse(identity)) as { name?: unknown }
    return typeof name === 'string' ? name : undefined
  } catch {
    return undefined
  }
}

/** What is kept may be anything: a page's storage is open to all of its scripts. */
function readKept(text: string | undefined): readonly string[] | undefined {
  if (text === undefined) return undefined
  try {
    const names: unknown = JSON.parse(text)
    return Array.isArray(names) && names.every((name) => typeof name === 'string') ? names : undefined
  } catch {
    return undefined
  }
}
