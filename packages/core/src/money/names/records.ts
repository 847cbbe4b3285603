import { isLatchkeyError, LatchkeyError } from '@latchkey/protocol'
import { ask, serverUrl } from '../../api/ask.ts'
import type { Latchkey } from '../../latchkey.ts'

/** A registered name, as far as it is used here. */
export type NameRecord = { readonly name: string; readonly addresses: Readonly<Record<string, string>> }

/** The record of a name; undefined when nobody registered it. */
export async function askRecord(
  latchkey: Latchkey,
  name: string,
  signal?: AbortSignal,
): Promise<NameRecord | undefined> {
  const url = serverUrl(latchkey, `/v1/profile/account/${encodeURIComponent(name)}`, { apiVersion: '2' })
  const answer = await ask(latchkey, url, signal).catch(nothingThere)
  return Array.isArray(answer) && answer.length === 0 ? undefined : readRecord(answer)
}

/** The records of the names that an address registered. */
export async function askReverse(
  latchkey: Latchkey,
  address: string,
  signal?: AbortSignal,
): Promise<readonly NameRecord[]> {
  const path = `/v1/profile/reverse/${encodeURIComponent(address)}`
  const answer = await ask(latchkey, serverUrl(latchkey, path, { apiVersion: '2', sender: address }), signal).catch(
    nothingThere,
  )
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
  return new LatchkeyError('http/invalid-answer', { what: 'names' })
}
