import { sha256 } from '@noble/hashes/sha2.js'
import { bech32, bech32m, createBase58check } from '@scure/base'
import { concatBytes } from '../bytes.ts'

/** The lock of an address: a key hash, a script hash, a witness key hash, a witness script hash, or a tweaked key (BIP-341). */
export type LockingScript = {
  readonly kind: 'pkh' | 'sh' | 'wpkh' | 'wsh' | 'tr'
  readonly program: Uint8Array
  /** The complete locking script. */
  readonly script: Uint8Array
  /** Signet addresses are testnet addresses. */
  readonly network: 'mainnet' | 'testnet' | 'regtest'
}

const base58check = createBase58check(sha256)
const prefixes = { bc: 'mainnet', tb: 'testnet', bcrt: 'regtest' } as const
const versions = {
  0x00: ['pkh', 'mainnet'],
  0x05: ['sh', 'mainnet'],
  0x6f: ['pkh', 'testnet'],
  0xc4: ['sh', 'testnet'],
} as const

/**
 * Parses a Bitcoin address.
 *
 * @returns the locking script, or `undefined` if the address is invalid
 */
export function parseBitcoinScript(address: string): LockingScript | undefined {
  try {
    return /^(bc|tb|bcrt)1/i.test(address) ? parseSegwit(address) : parseBase58(address)
  } catch {
    return undefined
  }
}

function parseSegwit(address: string): LockingScript | undefined {
  // Version 0 has a different checksum (BIP-350).
  const coder = /^[a-z]+1q/i.test(address) ? bech32 : bech32m
  const { prefix, words } = coder.decodeUnsafe(address) ?? {}
  const network = Object.entries(prefixes).find(([each]) => each === prefix)?.[1]
  if (words === undefined || network === undefined) return undefined
  const program = coder.fromWords(words.slice(1))
  const [version] = words
  if (version === 0 && coder === bech32 && program.length === 32) {
    return { kind: 'wsh', program, network, script: concatBytes(Uint8Array.of(0x00, 0x20), program) }
  }
  if (version === 0 && coder === bech32 && program.length === 20) {
    return { kind: 'wpkh', program, network, script: concatBytes(Uint8Array.of(0x00, 0x14), program) }
  }
  if (version === 1 && coder === bech32m && program.length === 32) {
    return { kind: 'tr', program, network, script: concatBytes(Uint8Array.of(0x51, 0x20), program) }
  }
  return undefined
}

function parseBase58(address: string): LockingScript | undefined {
  const bytes = base58check.decode(address)
  const [kind, network] = versions[bytes[0] as keyof typeof versions] ?? []
  const program = bytes.subarray(1)
  if (kind === undefined || network === undefined || program.length !== 20) return undefined
  const [before, after] =
    kind === 'pkh'
      ? [Uint8Array.of(0x76, 0xa9, 0x14), Uint8Array.of(0x88, 0xac)]
      : [Uint8Array.of(0xa9, 0x14), Uint8Array.of(0x87)]
  return { kind, program, network, script: concatBytes(before, program, after) }
}
