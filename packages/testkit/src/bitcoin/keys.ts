import { schnorr } from '@noble/curves/secp256k1.js'
import { hex } from '@scure/base'
import { NETWORK, p2pkh, p2sh, p2tr, p2wpkh, TEST_NETWORK } from '@scure/btc-signer'
import { pubECDSA } from '@scure/btc-signer/utils.js'

/** A chain of Bitcoin, as wallets call it. */
export type BitcoinChain = 'mainnet' | 'testnet' | 'signet' | 'regtest'

/** The script type of the payment address. */
export type PaymentKind = 'p2wpkh' | 'p2sh' | 'p2pkh'

/** An address with the keys that sign for it. */
export type BitcoinKey = {
  address: string
  purpose: 'payment' | 'ordinals'
  /** Hex; the 32 bytes of Taproot for ordinals. */
  publicKey: string
  addressType: PaymentKind | 'p2tr'
  script: Uint8Array
  redeemScript: Uint8Array | undefined
  secret: Uint8Array
}

/** The address encoding of a chain. */
export function bitcoinNetworkOf(chain: BitcoinChain): typeof NETWORK {
  if (chain === 'mainnet') return NETWORK
  return chain === 'regtest' ? { ...TEST_NETWORK, bech32: 'bcrt' } : TEST_NETWORK
}

/** The payment address and the ordinals address of a secret. */
export function keysOf(secret: Uint8Array, kind: PaymentKind, chain: BitcoinChain): [BitcoinKey, BitcoinKey] {
  const network = bitcoinNetworkOf(chain)
  const key = pubECDSA(secret)
  const witness = p2wpkh(key, network)
  const payment = { p2wpkh: witness, p2sh: p2sh(witness, network), p2pkh: p2pkh(key, network) }[kind]
  const taproot = p2tr(schnorr.getPublicKey(secret), undefined, network)
  return [
    {
      address: payment.address,
      purpose: 'payment',
      publicKey: hex.encode(key),
      addressType: kind,
      script: payment.script,
      redeemScript: kind === 'p2sh' ? witness.script : undefined,
      secret,
    },
    {
      address: taproot.address,
      purpose: 'ordinals',
      publicKey: hex.encode(schnorr.getPublicKey(secret)),
      addressType: 'p2tr',
      script: taproot.script,
      redeemScript: undefined,
      secret,
    },
  ]
}
