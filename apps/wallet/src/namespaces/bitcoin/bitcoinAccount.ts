import { hex } from '@scure/base'
import { p2tr, p2wpkh, TEST_NETWORK } from '@scure/btc-signer'
import { pubECDSA, pubSchnorr } from '@scure/btc-signer/utils.js'
import type { Account } from '../namespaceAdapter.ts'

/** The address format of the local chain: regtest. */
export const regtest = { ...TEST_NETWORK, bech32: 'bcrt' }

/** An address with its key. */
export type BitcoinKey = {
  address: string
  intention: 'payment' | 'ordinal'
  publicKey: string
  path: string
  script: Uint8Array
  /** Set only for Taproot. */
  tapInternalKey: Uint8Array | undefined
  secret: Uint8Array
}

/** An account: its main address and both of its keys. */
export type BitcoinAccount = Account & { namespace: 'bip122'; keys: readonly [BitcoinKey, BitcoinKey] }

/**
 * The keys 1, 2 and 3 of the recovery phrase that every development chain funds: `m/84'/1'/0'/0/i` for payments
 * (BIP-84) and `m/86'/1'/0'/0/i` for ordinals (BIP-86). They are public, so they may appear in the source.
 */
const developmentKeys = [
  {
    name: 'Wallet',
    payment: '2ea9ba050147af0a7e5bc697b588ee630552766810398242f3c4b9ce25c3cfd7',
    ordinal: 'd02ee2d2828e3844e8b9751da9202d87210fde6e4c350668c19855541d4bc94c',
  },
  {
    name: 'Savings',
    payment: '1d100560fb83ffd36c8658032a7dd8f3971987fb35fbe6559c2835fe491b0074',
    ordinal: 'fef0082696611913b3c8507643fc5b169706dadd90269894a1645023791bfdc5',
  },
  {
    name: 'Travel',
    payment: '7b79a0ca0387b59e58b1aad16a8129da0d1d1a46ad335aa742e4fda77359fd82',
    ordinal: '55dcd2aa30f9b2b1d3aac220b5f35a3952796843731632c59298bbb43348d891',
  },
] as const

export function createBitcoinAccounts(): [BitcoinAccount, ...BitcoinAccount[]] {
  const [first, ...others] = developmentKeys
  return [toBitcoinAccount(first, 1), ...others.map((each, at) => toBitcoinAccount(each, at + 2))]
}

function toBitcoinAccount({ name, payment, ordinal }: (typeof developmentKeys)[number], index: number): BitcoinAccount {
  const keys = [paymentKey(hex.decode(payment), index), ordinalKey(hex.decode(ordinal), index)] as const
  return { namespace: 'bip122', address: keys[0].address, name, origin: `Dev key ${index}`, keys }
}

function paymentKey(secret: Uint8Array, index: number): BitcoinKey {
  const key = pubECDSA(secret)
  const { address, script } = p2wpkh(key, regtest)
  const path = `m/84'/1'/0'/0/${index}`
  return { address, intention: 'payment', publicKey: hex.encode(key), path, script, tapInternalKey: undefined, secret }
}

function ordinalKey(secret: Uint8Array, index: number): BitcoinKey {
  const key = pubSchnorr(secret)
  const { address, script } = p2tr(key, undefined, regtest)
  const path = `m/86'/1'/0'/0/${index}`
  return { address, intention: 'ordinal', publicKey: hex.encode(key), path, script, tapInternalKey: key, secret }
}
