import { ed25519 } from '@noble/curves/ed25519.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { blake2b } from '@noble/hashes/blake2.js'
import { concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { base58 } from '@scure/base'
import { getPublicKey, secretFromSeed, sign as signSr25519 } from '@scure/sr25519'

/** The key types of Polkadot extensions. The index is the type byte of a signature. */
const kinds = ['ed25519', 'sr25519', 'ecdsa'] as const

export type PolkadotKind = (typeof kinds)[number]

/** A 32-byte hex seed with its key type and account name. */
export type PolkadotSeed = { seed: string; type?: PolkadotKind; name?: string }

/** An account with its signing function. */
export type PolkadotKey = {
  address: string
  type: PolkadotKind
  name: string
  /** The type byte of the signature. */
  kindByte: number
  sign(message: Uint8Array): Uint8Array
}

/** Creates the account of a seed. The address uses the generic format. */
export function keyOf({ seed, type = 'sr25519', name = 'Account' }: PolkadotSeed): PolkadotKey {
  const secret = hexToBytes(seed.replace(/^0x/, ''))
  const { account, sign } = signers[type](secret)
  return { address: addressOf(account), type, name, kindByte: kinds.indexOf(type), sign }
}

type Signer = { account: Uint8Array; sign(message: Uint8Array): Uint8Array }

const signers: { readonly [kind in PolkadotKind]: (seed: Uint8Array) => Signer } = {
  ed25519: (seed) => ({ account: ed25519.getPublicKey(seed), sign: (message) => ed25519.sign(message, seed) }),
  sr25519(seed) {
    const secret = secretFromSeed(seed)
    return { account: getPublicKey(secret), sign: (message) => signSr25519(secret, message) }
  },
  ecdsa: (seed) => ({
    account: blake2b(secp256k1.getPublicKey(seed), { dkLen: 32 }),
    sign(message) {
      const digest = blake2b(message, { dkLen: 32 })
      const [recovery = 0, ...signature] = secp256k1.sign(digest, seed, { prehash: false, format: 'recovered' })
      return Uint8Array.of(...signature, recovery)
    },
  }),
}

function addressOf(account: Uint8Array): string {
  const body = concatBytes(Uint8Array.of(42), account)
  const checksum = blake2b(concatBytes(utf8ToBytes('SS58PRE'), body), { dkLen: 64 }).subarray(0, 2)
  return base58.encode(concatBytes(body, checksum))
}
