import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { custodyError } from './custodyError.ts'

/** The holder of a key share: the device, the auth service (`auth`) or the share store (`recovery`). */
export type KeyShareRole = 'device' | 'auth' | 'recovery'

/** Identifies the enrolment that a key share belongs to. */
export type KeyShareSet = {
  /** 16 bytes, random for every enrolment of a device. */
  readonly setId: Uint8Array
  /** 16 bytes. */
  readonly walletId: Uint8Array
  /** Counts the wallet keys. A rotation increments it and makes older shares useless. */
  readonly epoch: number
}

/** One of three key shares. */
export type KeyShare = KeyShareSet & {
  readonly role: KeyShareRole
  /** 16 bytes derived from key and header. They reveal a wrong key before it is used. */
  readonly check: Uint8Array
  /** 32 bytes of values and the x coordinate, 1 to 255. */
  readonly values: Uint8Array
}

const magic = utf8ToBytes('WSS1')
const version = 1
const roles: readonly KeyShareRole[] = ['device', 'auth', 'recovery']
/** Any two of three shares rebuild the key. */
export const threshold = 2
export const shareCount = 3
const headerBytes = 4 + 1 + 16 + 16 + 4 + 1 + 1 + 1
const checkBytes = 16
const valueBytes = 33

/** Length of an encoded share in bytes. */
export const keyShareBytes: number = headerBytes + checkBytes + valueBytes

/** Encodes the header of a share. It is authenticated wherever the share is sealed. */
export function keyShareHeader({ setId, walletId, epoch, role }: KeyShareSet & { role: KeyShareRole }): Uint8Array {
  const counted = new Uint8Array(4)
  new DataView(counted.buffer).setUint32(0, epoch)
  return concatBytes(
    magic,
    Uint8Array.of(version),
    setId,
    walletId,
    counted,
    Uint8Array.of(roles.indexOf(role) + 1, threshold, shareCount),
  )
}

/** Encodes a share: header, check, values. */
export function encodeKeyShare(share: KeyShare): Uint8Array {
  return concatBytes(keyShareHeader(share), share.check, share.values)
}

/**
 * Decodes a share.
 *
 * @param bytes any byte array, Node buffers included
 * @throws LatchkeyError `custody/invalid-share` for anything but a share of this version
 */
export function decodeKeyShare(bytes: Uint8Array): KeyShare {
  if (bytes.length !== keyShareBytes) throw invalidShare('it has another length')
  // The library that joins shares accepts plain arrays only.
  const plain = Uint8Array.from(bytes)
  if (magic.some((byte, at) => plain[at] !== byte)) throw invalidShare('it is not a share')
  if (plain[4] !== version) throw invalidShare('it is of another version')
  const epoch = new DataView(plain.buffer).getUint32(37)
  const role = roles[(plain[41] ?? 0) - 1]
  if (role === undefined) throw invalidShare('its role is unknown')
  if (plain[42] !== threshold || plain[43] !== shareCount) throw invalidShare('it belongs to another kind of split')
  const values = plain.slice(headerBytes + checkBytes)
  if (values[valueBytes - 1] === 0) throw invalidShare('its point is zero')
  const [setId, walletId] = [plain.slice(5, 21), plain.slice(21, 37)]
  const check = plain.slice(headerBytes, headerBytes + checkBytes)
  plain.fill(0)
  return { setId, walletId, epoch, role, check, values }
}

/** Decodes a share as `decodeKeyShare`, and overwrites the encoded one, which belongs to the caller. */
export function takeKeyShare(encoded: Uint8Array): KeyShare {
  try {
    return decodeKeyShare(encoded)
  } finally {
    encoded.fill(0)
  }
}

/** Overwrites the secret part of shares. */
export function wipeKeyShares(...shares: readonly (KeyShare | undefined)[]): void {
  for (const share of shares) share?.values.fill(0)
}

function invalidShare(reason: string): Error {
  return custodyError('custody/invalid-share', { reason })
}
