import { isLatchkeyError, httpError, parseAccountId, type AccountId, type LatchkeyError } from '@latchkey/protocol'
import { fetchJson, serverUrl } from '../../api/fetchJson.ts'
import type { Latchkey } from '../../instance/latchkey.ts'

/** The fields of a registered name that this code uses. */
export type NameRecord = {
  readonly name: string
  readonly addresses: Readonly<Record<string, string>>
  /** Milliseconds. Undefined from servers whose names do not expire. */
  readonly expiresAt: number | undefined
}

/** Returns the record of a name, or undefined if it is not registered. */
export async function fetchRecord(
  latchkey: Pick<Latchkey, 'events' | 'internal'>,
  name: string,
  signal?: AbortSignal,
): Promise<NameRecord | undefined> {
  const url = serverUrl(latchkey, `/v1/profile/account/${encodeURIComponent(name)}`, { apiVersion: '2' })
  const response = await fetchJson(latchkey, url, signal).catch(catchNotFound)
  return Array.isArray(response) && response.length === 0 ? undefined : readRecord(response)
}

/** Returns the records of the names that an account registered. */
export async function readReverseRecords(
  latchkey: Pick<Latchkey, 'events' | 'internal'>,
  account: AccountId,
  signal?: AbortSignal,
): Promise<readonly NameRecord[]> {
  const { chainId, address } = parseAccountId(account)
  const path = `/v1/profile/reverse/${encodeURIComponent(address)}`
  const response = await fetchJson(
    latchkey,
    serverUrl(latchkey, path, { apiVersion: '2', chainId, sender: address }),
    signal,
  ).catch(catchNotFound)
  if (!Array.isArray(response)) throw invalidRecord()
  return response.map(readRecord)
}

/** Returns the records of the names that are offered to an address. Older servers have none. */
export async function fetchOffers(
  latchkey: Pick<Latchkey, 'events' | 'internal'>,
  address: string,
  signal?: AbortSignal,
): Promise<readonly NameRecord[]> {
  const url = serverUrl(latchkey, `/v1/profile/offers/${encodeURIComponent(address)}`)
  const response = await fetchJson(latchkey, url, signal).catch(catchNotFound)
  if (!Array.isArray(response)) throw invalidRecord()
  return response.map(readRecord)
}

function catchNotFound(error: unknown): readonly [] {
  if (isLatchkeyError(error, 'http/status') && [400, 404].includes(error.context.status)) return []
  throw error
}

function readRecord(response: unknown): NameRecord {
  if (typeof response !== 'object' || response === null || !('name' in response) || !('addresses' in response))
    throw invalidRecord()
  const { name, addresses } = response
  if (typeof name !== 'string' || typeof addresses !== 'object' || addresses === null) throw invalidRecord()
  const known = Object.entries(addresses).flatMap(([coinType, record]: [string, unknown]): [string, string][] => {
    const address: unknown = Object(record).address
    return typeof address === 'string' ? [[coinType, address]] : []
  })
  const expiry = 'expires_at' in response ? Date.parse(String(response.expires_at)) : Number.NaN
  return { name, addresses: Object.fromEntries(known), expiresAt: Number.isNaN(expiry) ? undefined : expiry }
}

function invalidRecord(): LatchkeyError {
  return httpError('http/invalid-response', { subject: 'names' })
}
