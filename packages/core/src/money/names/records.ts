import { isLatchkeyError, httpError, type LatchkeyError } from '@latchkey/protocol'
import { fetchJson, serverUrl } from '../../api/fetchJson.ts'
import type { Latchkey } from '../../instance/latchkey.ts'

/** The fields of a registered name that this code uses. */
export type NameRecord = { readonly name: string; readonly addresses: Readonly<Record<string, string>> }

/** Returns the record of a name, or undefined if it is not registered. */
export async function fetchRecord(
  latchkey: Pick<Latchkey, 'events' | 'internal'>,
  name: string,
  signal?: AbortSignal,
): Promise<NameRecord | undefined> {
  const url = serverUrl(latchkey, `/v1/profile/account/${encodeURIComponent(name)}`, { apiVersion: '2' })
  const answer = await fetchJson(latchkey, url, signal).catch(nothingThere)
  return Array.isArray(answer) && answer.length === 0 ? undefined : readRecord(answer)
}

/** Returns the records of the names that an address registered. */
export async function askReverse(
  latchkey: Pick<Latchkey, 'events' | 'internal'>,
  address: string,
  signal?: AbortSignal,
): Promise<readonly NameRecord[]> {
  const path = `/v1/profile/reverse/${encodeURIComponent(address)}`
  const answer = await fetchJson(
    latchkey,
    serverUrl(latchkey, path, { apiVersion: '2', sender: address }),
    signal,
  ).catch(nothingThere)
  if (!Array.isArray(answer)) throw senseless()
  return answer.map(readRecord)
}

function nothingThere(error: unknown): readonly [] {
  if (isLatchkeyError(error, 'http/status') && [400, 404].includes(error.context.status)) return []
  throw error
}

function readRecord(answer: unknown): NameRecord {
  if (typeof answer !== 'object' || answer === null || !('name' in answer) || !('addresses' in answer))
    throw senseless()
  const { name, addresses } = answer
  if (typeof name !== 'string' || typeof addresses !== 'object' || addresses === null) throw senseless()
  const known = Object.entries(addresses).flatMap(([coinType, told]: [string, unknown]): [string, string][] => {
    const address: unknown = Object(told).address
    return typeof address === 'string' ? [[coinType, address]] : []
  })
  return { name, addresses: Object.fromEntries(known) }
}

function senseless(): LatchkeyError {
  return httpError('http/invalid-response', { what: 'names' })
}
