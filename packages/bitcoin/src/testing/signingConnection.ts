import type { Connection } from '@latchkey/core'
import { formatAccountId, getStringField, type AccountId, type Network, requestError } from '@latchkey/protocol'
import { base64, hex } from '@scure/base'
import { p2pkh, p2sh, p2tr, p2wpkh, TEST_NETWORK, Transaction } from '@scure/btc-signer'
import { pubECDSA, pubSchnorr } from '@scure/btc-signer/utils.js'
import type { PayerKind } from '../transfers/virtualSize.ts'

/** The address format of the local chain. */
export const regtest = { ...TEST_NETWORK, bech32: 'bcrt' }

/** A wallet that only signs PSBTs, with a real key. */
export type SigningWallet = {
  readonly connection: Connection
  readonly account: AccountId
  readonly address: string
  /** The methods of all requests. */
  readonly requests: string[]
}

export type SigningOptions = {
  readonly kind?: PayerKind
  /** Replaces the transaction that the wallet signs. */
  readonly change?: (transaction: Transaction) => Transaction
  /** Signs the transaction; with the key and `SIGHASH_ALL` by default. */
  readonly sign?: (transaction: Transaction, secret: Uint8Array) => void
  /** Responds to a request for a payment, which the wallet refuses by default. */
  readonly sendTransfer?: (params: unknown) => Promise<unknown>
  readonly type?: 'payment' | 'ordinals'
}

/** Creates the connection of a wallet that signs PSBTs. */
export function signingConnection(
  { caipNetworkId }: Network,
  secret: Uint8Array,
  { kind = 'wpkh', change = (same) => same, sign = signAll, sendTransfer, type = 'payment' }: SigningOptions = {},
): SigningWallet {
  const key = pubECDSA(secret)
  const locks = {
    pkh: p2pkh(key, regtest),
    wpkh: p2wpkh(key, regtest),
    sh: p2sh(p2wpkh(key, regtest), regtest),
    tr: p2tr(pubSchnorr(secret), undefined, regtest),
  }
  const address = String(locks[kind].address)
  const account = formatAccountId({ chainId: caipNetworkId, address })
  const requests: string[] = []
  const connection: Connection = {
    namespace: 'bip122',
    accounts: [account],
    chainId: caipNetworkId,
    approvedChains: 'all',
    wallet: { name: 'Signer' },
    details: () => ({ type, publicKey: hex.encode(kind === 'tr' ? pubSchnorr(secret) : key) }),
    listen: () => () => {},
    provider: {
      async request({ method, params }) {
        requests.push(method)
        if (method === 'sendTransfer' && sendTransfer !== undefined) return sendTransfer(params)
        if (method !== 'signPsbt') throw requestError('request/failed', { method, code: -32_601, reason: 'no method' })
        const transaction = change(Transaction.fromPSBT(base64.decode(getStringField(params, 'psbt') ?? '')))
        sign(transaction, secret)
        return { psbt: base64.encode(transaction.toPSBT()) }
      },
    },
  }
  return { connection, account, address, requests }
}

function signAll(transaction: Transaction, secret: Uint8Array): void {
  transaction.sign(secret)
}
