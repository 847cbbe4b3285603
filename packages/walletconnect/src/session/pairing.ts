import type { LatchkeyError } from '@latchkey/protocol'
import { bytesToHex, hexToBytes, isHex32, randomBytes } from '../crypto/bytes.ts'
import { topicOfKey } from '../crypto/envelope.ts'
import { pairingError } from './pairingError.ts'

/** The lifetime of a pairing URI: four minutes, in seconds. */
export const pairingLifetime = 240

/** A pairing with less time left counts as expired. Seconds. */
export const pairingMargin = 10

/** The content of a pairing URI. */
export type Pairing = {
  readonly topic: string
  readonly symmetricKey: Uint8Array
  /** Unix seconds. */
  readonly expiry: number
}

/** Creates a pairing that expires four minutes after `now` (milliseconds). */
export function createPairing(now: number): Pairing {
  const symmetricKey = randomBytes(32)
  return { topic: topicOfKey(symmetricKey), symmetricKey, expiry: Math.floor(now / 1000) + pairingLifetime }
}

/** True if a pairing is too old for use at `now` (milliseconds). */
export function isPairingExpired({ expiry }: Pick<Pairing, 'expiry'>, now: number): boolean {
  return now / 1000 >= expiry - pairingMargin
}

/**
 * Formats a pairing URI (EIP-1328).
 *
 * @param method the method of the first request, if it is not a session proposal
 */
export function formatPairingUri({ topic, symmetricKey, expiry }: Pairing, method?: string): string {
  const methods = method === undefined ? '' : `&methods=${method}`
  return `wc:${topic}@2?expiryTimestamp=${expiry}${methods}&relay-protocol=irn&symKey=${bytesToHex(symmetricKey)}`
}

/**
 * Parses a pairing URI (`wc:` or `wc://`) that is still valid.
 *
 * @param now milliseconds since the epoch. A URI without an expiry counts as just created.
 * @throws LatchkeyError `pairing/invalid`, `pairing/expired`
 */
export function parsePairingUri(uri: string, now: number): Pairing {
  const pairing = parsePairingUriOfAnyAge(uri, now)
  if (isPairingExpired(pairing, now)) throw pairingError('pairing/expired', {})
  return pairing
}

/**
 * Parses a pairing URI of any age.
 *
 * @param now milliseconds since the epoch. A URI without an expiry counts as just created.
 * @throws LatchkeyError `pairing/invalid`
 */
export function parsePairingUriOfAnyAge(uri: string, now: number): Pairing {
  const match = /^wc:(?:\/\/)?([0-9a-f]{64})@(\d{1,3})(?:\?(.*))?$/.exec(uri.trim())
  if (match === null) throw invalidPairing('it does not have the form wc:<topic>@2?…')
  const [, topic = '', version = '', query = ''] = match
  if (version !== '2') throw invalidPairing(`its version is ${version}, not 2`)
  const parameters = parsePairingParameters(query)
  if ((parameters.get('relay-protocol') ?? 'irn') !== 'irn')
    throw invalidPairing('it requires an unknown relay protocol')
  const symmetricKey = parsePairingKey(parameters.get('symKey'))
  if (topicOfKey(symmetricKey) !== topic) throw invalidPairing('its topic does not match its key')
  return { topic, symmetricKey, expiry: parsePairingExpiry(parameters.get('expiryTimestamp'), now) }
}

function parsePairingParameters(query: string): Map<string, string> {
  const parameters = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(query)) {
    // Two parsers could use different values of a repeated parameter.
    if (parameters.has(name)) throw invalidPairing('it repeats a parameter')
    parameters.set(name, value)
  }
  return parameters
}

function parsePairingKey(value: string | undefined): Uint8Array {
  if (!isHex32(value)) throw invalidPairing('it contains no key')
  return hexToBytes(value)
}

function parsePairingExpiry(value: string | undefined, now: number): number {
  if (value === undefined) return Math.floor(now / 1000) + pairingLifetime
  if (!/^\d{1,12}$/.test(value)) throw invalidPairing('its expiry is not a time')
  return Number(value)
}

function invalidPairing(reason: string): LatchkeyError<'pairing/invalid'> {
  return pairingError('pairing/invalid', { reason })
}
