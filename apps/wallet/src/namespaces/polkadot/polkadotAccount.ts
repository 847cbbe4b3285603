import { ed25519 } from '@noble/curves/ed25519.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { blake2b } from '@noble/hashes/blake2.js'
import { hex } from '@scure/base'
import { secretFromSeed, sign as signSr25519 } from '@scure/sr25519'
import type { Account } from '../namespaceAdapter.ts'

/** An account with its signer. */
export type PolkadotAccount = Account & {
  namespace: 'polkadot'
  /** The prefix byte of its signature scheme. */
  kindByte: number
  sign(bytes: Uint8Array): Uint8Array
}

/**
 * The keys 1, 2 and 3 of the recovery phrase that every development chain shares, at `m/44'/354'/0'/0'/i'`: one per
 * signature scheme, with the address in the generic format. They are public, so they may appear in the source.
 */
const developmentKeys = [
  {
    name: 'Wallet',
    kind: 'sr25519',
    address: '5EZg11TDDMpzCrWzY839NwBiJk67c9r2daqygH9NyQCTt3xG',
    seed: 'd6100992e62d9ff18d94fb346668ad39c8c5c6dfb382230ca5a01fe7ae61afcb',
  },
  {
    name: 'Savings',
    kind: 'ed25519',
    address: '5FUELrKsDzMCaKuWdzURGGtCpKQJWWGQLMJUEdBNmgcDSzD7',
    seed: 'd3434c4eec4db41a9b8b58318f93e94031ac3d8813bc64ecd26974471ad48f60',
  },
  {
    name: 'Travel',
    kind: 'ecdsa',
    address: '5EPrEdF1psC4HVDPSYuquEke16ipHATFXLxXz4ksxQF9RBcv',
    seed: 'e09229522eb7eb84d0ae83d7748fb32e37d788f0302d50f3673b6b45eb9379ea',
  },
] as const

const signers = {
  ed25519: { kindByte: 0, sign: (seed: Uint8Array, bytes: Uint8Array) => ed25519.sign(bytes, seed) },
  sr25519: { kindByte: 1, sign: (seed: Uint8Array, bytes: Uint8Array) => signSr25519(secretFromSeed(seed), bytes) },
  ecdsa: {
    kindByte: 2,
    sign(seed: Uint8Array, bytes: Uint8Array) {
      const digest = blake2b(bytes, { dkLen: 32 })
      const [recovery = 0, ...signature] = secp256k1.sign(digest, seed, { prehash: false, format: 'recovered' })
      return Uint8Array.of(...signature, recovery)
    },
  },
} as const

export function createPolkadotAccounts(): [PolkadotAccount, ...PolkadotAccount[]] {
  const [first, ...others] = developmentKeys
  return [toPolkadotAccount(first, 1), ...others.map((each, at) => toPolkadotAccount(each, at + 2))]
}

function toPolkadotAccount(
  { name, kind, address, seed }: (typeof developmentKeys)[number],
  index: number,
): PolkadotAccount {
  const { kindByte, sign } = signers[kind]
  const secret = hex.decode(seed)
  const origin = `Dev key ${index}, ${kind}`
  return { namespace: 'polkadot', address, name, origin, kindByte, sign: (bytes) => sign(secret, bytes) }
}
