import { parseAccountId, type AccountId } from '@latchkey/protocol'
import type { Latchkey } from '../../instance/latchkey.ts'
import { readReverseRecords } from './records.ts'
import { readZones } from './zones.ts'
import { getCached, setCached } from '../../storage/getCached.ts'

const cacheMilliseconds = 300_000

/**
 * Returns the names that an account registered at the server, oldest first. Cached for five minutes [R9.1.10].
 *
 * @throws LatchkeyError `http/status`, `http/unreachable`, `http/invalid-response`.
 * @example const [name] = await listNames(latchkey, account)
 */
export async function listNames(
  latchkey: Latchkey,
  account: AccountId,
  { signal }: { signal?: AbortSignal } = {},
): Promise<readonly string[]> {
  const kept = readKept(getCached(latchkey.internal, namesKey(account), cacheMilliseconds))
  if (kept !== undefined) return kept
  const { zones } = await readZones(latchkey)
  if (zones.length === 0) return []
  const names = (await readReverseRecords(latchkey, account, signal)).map(({ name }) => name)
  setCached(latchkey.internal, namesKey(account), JSON.stringify(names))
  return names
}

/** Caches the new name of an account, even if no name was fetched yet. */
export function cacheName(latchkey: Pick<Latchkey, 'networks' | 'internal'>, account: AccountId, name: string): void {
  const { address, chainId } = parseAccountId(account)
  for (const { caipNetworkId } of latchkey.networks) {
    if (caipNetworkId !== chainId) forgetNamesOf(latchkey, `${caipNetworkId}:${address}`)
  }
  setCached(latchkey.internal, namesKey(account), JSON.stringify([name]))
  // A name from another service keeps priority, as on the server.
  const identity = getCached(latchkey.internal, identityKey(account), cacheMilliseconds)
  if (identity === undefined || nameIn(identity) === undefined) {
    setCached(latchkey.internal, identityKey(account), JSON.stringify({ name }))
  }
}

/** Invalidates the cached names of an account on all networks: a key owns its names on each of them. */
export function forgetNames(latchkey: Pick<Latchkey, 'networks' | 'internal'>, account: AccountId): void {
  const { address } = parseAccountId(account)
  forgetNamesOf(latchkey, account)
  for (const { caipNetworkId } of latchkey.networks) forgetNamesOf(latchkey, `${caipNetworkId}:${address}`)
}

function forgetNamesOf(latchkey: Pick<Latchkey, 'internal'>, account: string): void {
  setCached(latchkey.internal, namesKey(account), undefined)
  setCached(latchkey.internal, identityKey(account), undefined)
}

function namesKey(account: string): string {
  return `names/${account}`
}

function identityKey(account: string): string {
  return `identity/${account}`
}

function nameIn(identity: string): string | undefined {
  try {
    const { name } = Object(JSON.parse(identity)) as { name?: unknown }
    return typeof name === 'string' ? name : undefined
  } catch {
    return undefined
  }
}

/** Stored values may be anything: every script of the page can write to its storage. */
function readKept(text: string | undefined): readonly string[] | undefined {
  if (text === undefined) return undefined
  try {
    const names: unknown = JSON.parse(text)
    return Array.isArray(names) && names.every((name) => typeof name === 'string') ? names : undefined
  } catch {
    return undefined
  }
}
