import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { custodyError } from './custodyError.ts'

/** Who keeps a share: the device, the auth service, the share store. */
export type ShareRole = 'device' | 'auth' | 'recovery'

/** Which enrolment of which wallet a share belongs to. */
export type ShareSet = {
  /** 16 bytes, new for every enrolment of a device. */
  readonly setId: Uint8Array
  /** 16 bytes. */
  readonly walletId: Uint8Array
  /** Which wallet key was split; a rotation counts up, and what was split before opens nothing any more. */
  readonly epoch: number
}

/** One part of a wallet key. */
export type Share = ShareSet & {
  readonly role: ShareRole
  /** 16 bytes that key and header lead to: whether parts gave the right key is known before it is used. */
  readonly check: Uint8Array
  /** 32 bytes of values, and the point they belong to, from 1 to 255. */
  readonly values: Uint8Array
}

const magic = utf8ToBytes('WSS1')
const version = 1
const roles: readonly ShareRole[] = ['device', 'auth', 'recovery']
/** Any two of three rebuild the key. */
export const threshold = 2
export const parts = 3
const headerBytes = 4 + 1 + 16 + 16 + 4 + 1 + 1 + 1
const checkBytes = 16
const valueBytes = 33

/** How long a share is, in bytes. */
export const shareBytes: number = headerBytes + checkBytes + valueBytes

/** What stands before check and values. It is authenticated with everything that the share is sealed in. */
export function shareHeader({ setId, walletId, epoch, role }: ShareSet & { role: ShareRole }): Uint8Array {
  const counted = new Uint8Array(4)
  new DataView(counted.buffer).setUint32(0, epoch)
  return concatBytes(
    magic,
    Uint8Array.of(version),
    setId,
    walletId,
    counted,
    Uint8Array.of(roles.indexOf(role) + 1, threshold, parts),
  )
}

/** Writes a share: header, check, values. */
export function encodeShare(share: Share): Uint8Array {
  return concatBytes(shareHeader(share), share.check, share.values)
}

/**
 * Reads a share.
 *
 * @param bytes of any array of bytes, Node's buffers too
 * @throws LatchkeyError `custody/invalid-share` for whatever is not exactly a share of this version.
 */
export function decodeShare(bytes: Uint8Array): Share {
  if (bytes.length !== shareBytes) throw invalid('it has another length')
  // A plain array: the library that joins shares takes no other.
  const plain = Uint8Array.from(bytes)
  if (magic.some((byte, at) => plain[at] !== byte)) throw invalid('it is no share')
  if (plain[4] !== version) throw invalid('it is of another version')
  const epoch = new DataView(plain.buffer).getUint32(37)
  const role = roles[(plain[41] ?? 0) - 1]
  if (role === undefined) throw invalid('nobody is named who keeps it')
  if (plain[42] !== threshold || plain[43] !== parts) throw invalid('it belongs to another kind of split')
  const values = plain.slice(headerBytes + checkBytes)
  if (values[valueBytes - 1] === 0) throw invalid('its point is zero')
  return {
    setId: plain.slice(5, 21),
    walletId: plain.slice(21, 37),
    epoch,
    role,
    check: plain.slice(headerBytes, headerBytes + checkBytes),
    values,
  }
}

function invalid(reason: string): Error {
  return custodyError('custody/invalid-share', { reason })
}
