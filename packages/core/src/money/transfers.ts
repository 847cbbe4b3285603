import type { AccountId, Network } from '@latchkey/protocol'
import type { Connection } from '../contracts/connector.ts'

/** An asset that can be transferred on a network. */
export type Asset = {
  /** The plain address of a token (a contract, a mint); absent for the native currency. */
  readonly address?: string
  readonly symbol: string
  readonly decimals: number
}

/** A payment from one account to another. */
export type Transfer = {
  readonly from: AccountId
  /** A plain address of the same namespace. */
  readonly to: string
  readonly asset: Asset
  /** Base units of the asset. */
  readonly amount: bigint
}

/** The network fee of a transaction. */
export type Fee = {
  /** The maximum fee, in base units of the native currency. */
  readonly value: bigint
  /** The price per gas unit, in namespaces with gas: wei per gas. */
  readonly price?: bigint
  /** Native currency that the transaction locks in addition to its fee: the rent of an account that it creates. */
  readonly deposit?: bigint
}

/** A note about a recipient from the chain. */
export type ReceiverNote =
  /** Not a valid address of this namespace: wrong form or checksum. */
  | 'invalid'
  /** The recipient is a contract, which may not support the asset. */
  | 'contract'
  /** The contract of the very asset that is sent: what it gets is lost. */
  | 'asset'
  /** No private key can exist for it. */
  | 'burn'
  | 'oneself'
  /** Has never done anything on this network. */
  | 'unused'
  /** An account for the token is opened for him, at the sender's cost. */
  | 'opens-account'

/** A transaction that the wallet sent, with the values to find it again. */
export type Sent = {
  readonly hash: string
  /** The nonce of the transaction, in namespaces that have one. */
  readonly nonce?: number
}

/** The outcome of a transaction, as the chain reports it. */
export type Outcome =
  | { readonly status: 'mined'; readonly hash: string; readonly blockNumber: bigint }
  | { readonly status: 'reverted'; readonly hash: string; readonly reason: string }
  /** Another transaction took its place: the same payment at a higher price, a cancellation, or something else. */
  | {
      readonly status: 'replaced'
      readonly hash: string
      readonly by: string
      readonly how: 'repriced' | 'cancelled' | 'other'
    }
  /** Not found in time: it may still be mined. */
  | { readonly status: 'unknown'; readonly hash: string }

/**
 * Transfers of assets in one namespace, loaded on first use. Every implementation passes `describeTransfers` of
 * `@latchkey/core/testing`.
 */
export type Transfers = {
  /** True if users are told that they can try a failed payment again [R8.2.4]. */
  readonly asksToTryAgain?: boolean
  /** @throws LatchkeyError `rpc/unreachable`, `address/invalid` if there is no such token */
  readAsset(network: Network, address: string): Promise<Asset & { readonly name: string }>
  /** Returns the balance of an asset in base units, read from the chain. */
  getBalance(network: Network, holder: string, asset: Asset): Promise<bigint>
  /**
   * Estimates the fee of a transfer. For a native transfer of the whole balance the amount is ignored.
   *
   * @throws LatchkeyError `rpc/unreachable`, `transaction/reverted` with the reason when it would fail.
   */
  estimateFee(network: Network, transfer: Transfer): Promise<Fee>
  /** Returns warnings about a recipient, most important first, or an empty list. */
  inspectReceiver(network: Network, transfer: Omit<Transfer, 'amount'>): Promise<readonly ReceiverNote[]>
  /**
   * Requests the transfer from the wallet.
   *
   * @throws LatchkeyError `request/rejected`, `request/unknown`, `wallet/unavailable`, `amount/invalid`.
   */
  send(connection: Connection, network: Network, transfer: Transfer, fee?: Fee): Promise<Sent>
  /** Waits until the chain decides a transaction, at most `timeout` milliseconds. */
  follow(
    network: Network,
    from: AccountId,
    sent: Sent,
    options: { timeout: number; signal?: AbortSignal },
  ): Promise<Outcome>
  /**
   * Replaces a pending transaction: with the same at a higher price, or with an empty one to the sender. Absent in
   * namespaces without replacement.
   *
   * @throws LatchkeyError `request/rejected`, `transaction/not-replaceable` if it is too late
   */
  replace?(
    connection: Connection,
    network: Network,
    from: AccountId,
    sent: Sent,
    how: 'faster' | 'cancel',
  ): Promise<Sent>
  /**
   * Resolves a name with the name service of the namespace (ENS, normalised according to ENSIP-15).
   *
   * @returns false if it does not resolve or is not a valid name [R5.6.2]
   */
  resolveName?(network: Network, name: string): Promise<string | false>
  /** Returns the primary name of an address, if it resolves back to the address. */
  lookUpName?(network: Network, address: string): Promise<string | false>
}
