import type { LatchkeyError } from '@latchkey/protocol'
import { bytesToHex, hexToBytes, isHex32, randomBytes } from './bytes.ts'
import { topicOf } from './crypto.ts'
import { walletConnectError } from './errors.ts'

/** How long a pairing link can be used: four minutes, in seconds. */
export const pairingLifetime = 240

/** A pairing this close to its end counts as expired, in seconds. */
export const pairingMargin = 10

/** The secret that a QR code carries from one side to the other. */
export type Pairing = {
  readonly topic: string
  readonly symmetricKey: Uint8Array
  /** Unix seconds. */
  readonly expiry: number
}

/** Makes a pairing that expires four minutes after `now` (milliseconds). */
export function createPairing(now: number): Pairing {
  const symmetricKey = randomBytes(32)
  return { topic: topicOf(symmetricKey), symmetricKey, expiry: Math.floor(now / 1000) + pairingLifetime }
}

/** Whether a pairing is too old at `now` (milliseconds) to begin something with it. */
export function isExpired({ expiry }: Pick<Pairing, 'expiry'>, now: number): boolean {
  return now / 1000 >= expiry - pairingMargin
}

/**
 * Writes a pairing as the link that a QR code shows (EIP-1328).
 *
 * @param method what the link is for, where that is not a proposal
 */
export function formatPairingUri({ topic, symmetricKey, expiry }: Pairing, method?: string): string {
  const methods = method === undefined ? '' : `&methods=${method}`
  return `wc:${topic}@2?expiryTimestamp=${expiry}${methods}&relay-protocol=irn&symKey=${bytesToHex(symmetricKey)}`
}

/**
 * Reads a pairing link, with `wc:` or `wc://` in front, that can still be used.
 *
 * @param now milliseconds since the epoch; a link without an expiry is taken as just made.
 * @throws LatchkeyError `pairing/invalid` or `pairing/expired`.
 */
export function parsePairingUri(uri: string, now: number): Pairing {
  const pairing = readPairingUri(uri, now)
  if (isExpired(pairing, now)) throw walletConnectError('pairing/expired', {})
  return pairing
}

/**
 * Reads a pairing link, however old it is.
 *
 * @param now milliseconds since the epoch; a link without an expiry is taken as just made.
 * @throws LatchkeyError `pairing/invalid`.
 */
export function readPairingUri(uri: string, now: number): Pairing {
  const match = /^wc:(?:\/\/)?([0-9a-f]{64})@(\d{1,3})(?:\?(.*))?$/.exec(uri.trim())
  if (match === null) throw invalid('it does not have the form wc:<topic>@2?…')
  const [, topic = '', version = '', query = ''] = match
  if (version !== '2') throw invalid(`it is of version ${version}, not 2`)
  const parameters = readParameters(query)
  if ((parameters.get('relay-protocol') ?? 'irn') !== 'irn') throw invalid('it asks for another kind of relay')
  const symmetricKey = readKey(parameters.get('symKey'))
  if (topicOf(symmetricKey) !== topic) throw invalid('its key and its topic do not belong together')
  return { topic, symmetricKey, expiry: readExpiry(parameters.get('expiryTimestamp'), now) }
}

function readParameters(query: string): Map<string, string> {
  const parameters = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(query)) {
    // Two readers could take two different values of a repeated parameter for the true one.
    if (parameters.has(name)) throw invalid('a parameter stands in it twice')
    parameters.set(name, value)
  }
  return parameters
}

function readKey(value: string | undefined): Uint8Array {
  if (!isHex32(value)) throw invalid('it has no key')
  return hexToBytes(value)
}

function readExpiry(value: string | undefined, now: number): number {
  if (value === undefined) return Math.floor(now / 1000) + pairingLifetime
  if (!/^\d{1,12}$/.test(value)) throw invalid('its expiry is not a time')
  return Number(value)
}

function invalid(reason: string): LatchkeyError<'pairing/invalid'> {
  return walletConnectError('pairing/invalid', { reason })
}
