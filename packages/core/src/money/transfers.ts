import type { AccountId, Network } from '@latchkey/protocol'
import type { Connection } from '../contracts/connector.ts'
import type { ReplacementKind } from '../instance/events.ts'

declare module '@latchkey/protocol' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be extended
  interface ErrorContexts {
    'wallet/payments-unsupported': { wallet: string; network: string }
    'transaction/changed': { wallet: string }
  }
}

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
  /** The fee of the token itself, in base units of the asset. It is taken from the amount, so the receiver gets less. */
  readonly withheld?: bigint
  /** Native currency that stays in the account, so that it can't be part of the payment, and the reason. */
  readonly kept?: {
    readonly amount: bigint
    /**
     * `protected-outputs`: small or unconfirmed outputs that may carry other assets or may still disappear (Bitcoin).
     * `existential-deposit`: the least that an account needs to exist. `locked`: locks and vesting (Polkadot).
     */
    readonly reason: 'protected-outputs' | 'existential-deposit' | 'locked'
  }
  /** The price as users of the namespace compare it: `2.1` `sat/vB`, with the name of the base unit: `sat`. */
  readonly rate?: { readonly value: string; readonly unit: string; readonly baseUnit: string }
}

/** A note about a recipient from the chain. */
export type ReceiverNote =
  /** Not a valid address of this namespace: wrong form or checksum. */
  | 'invalid'
  /** A valid address of the main network, while the payment is on another one. */
  | 'mainnet-address'
  /** A valid address of a test network, while the payment is on another one. */
  | 'testnet-address'
  /** The address of a key in the format of another network. The key has an account on each network. */
  | 'other-format'
  /** An account that holds a token for a wallet. Payments go to the wallet. */
  | 'token-account'
  /** The asset belongs to its owner permanently. */
  | 'non-transferable'
  /** The asset runs code of its issuer during a transfer, which is not supported. */
  | 'transfer-hook'
  /** The recipient is a contract, which may not support the asset. */
  | 'contract'
  /** The asset's own contract: tokens sent to it are lost. */
  | 'asset'
  /** No private key can exist for it. */
  | 'burn'
  | 'oneself'
  /** Has never done anything on this network. */
  | 'unused'
  /** An account for the token is opened for the recipient, at the sender's cost. */
  | 'opens-account'

/** A transaction that the wallet sent, with the values to find it again. */
export type SubmittedTransaction = {
  readonly hash: string
  /** The nonce of the transaction, in namespaces that have one. */
  readonly nonce?: number
  /** A block before the transaction. A replacement is searched from here. */
  readonly block?: bigint
  /**
   * The number of transactions of the account before this one: its nonce, unless the wallet had sent others that the
   * chain did not show yet.
   */
  readonly expectedNonce?: number
  /** A digest of its receiver, amount and data, to recognise the same payment under another hash. */
  readonly content?: string
  /** The last block that can include the transaction, in namespaces whose transactions expire. */
  readonly lastBlock?: bigint
  /** True if it is signed, and no node confirmed that it received it. `follow` sends it again while the page is open. */
  readonly isUnconfirmed?: boolean
  /** An output that the transaction spends, in namespaces without accounts. A replacement spends it, too. */
  readonly spends?: string
}

/** The values that are read before a wallet sends a transaction, to find it or its replacement later. */
export type TransactionOrigin = Pick<SubmittedTransaction, 'expectedNonce' | 'block' | 'content'>

/** Options of a wait for the outcome of a transaction. */
export type FollowOptions = {
  readonly timeout: number
  readonly signal?: AbortSignal
  /** True to look once instead of until the timeout. A look that fails is repeated. */
  readonly once?: boolean
  /** Called with the values that the chain reveals about the transaction while it is pending. */
  readonly onFound?: (sent: SubmittedTransaction) => void
}

/** A contract call that is not sent. */
export type SimulatedCall = {
  readonly to?: string
  readonly value?: bigint
  readonly data?: `0x${string}`
}

/** `final` if the block of a transaction can no longer change, `missing` if the chain no longer includes it. */
export type Finality = 'final' | 'mined' | 'missing'

/** The outcome of a transaction, as the chain reports it. */
export type Outcome =
  | { readonly status: 'mined'; readonly hash: string; readonly blockNumber: bigint }
  | { readonly status: 'reverted'; readonly hash: string; readonly reason: string }
  /** Another transaction took its place: the same payment at a higher price, a cancellation, or something else. */
  | {
      readonly status: 'replaced'
      readonly hash: string
      readonly by: string
      readonly how: ReplacementKind
    }
  /** Not found in time: it may still be mined. */
  | { readonly status: 'unknown'; readonly hash: string }

/**
 * Transfers of assets in one namespace, loaded on first use. Every implementation passes `describeTransfers` of
 * `@latchkey/core/testing`.
 */
export type Transfers = {
  /** True if a failed payment can be tried again, as its notice then says [R8.2.4]. */
  readonly isRetryable?: boolean
  /** True if the estimated fee is part of each payment, so that the shown fee is the paid one. */
  readonly fixesFee?: boolean
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
   * @throws LatchkeyError `request/rejected`, `request/unknown`, `wallet/unavailable`, `amount/invalid`,
   * `transaction/changed` if the wallet signed another payment and nothing was sent, `request/not-allowed` if the account
   * can't pay from here, `wallet/payments-unsupported` if the wallet can't sign payments of the network.
   */
  send(connection: Connection, network: Network, transfer: Transfer, fee?: Fee): Promise<SubmittedTransaction>
  /**
   * Reads the position of an account before it sends a transaction. Absent in namespaces without nonces.
   *
   * @param from a plain address
   * @throws LatchkeyError `rpc/unreachable`
   */
  readOrigin?(network: Network, from: string, request: SimulatedCall): Promise<TransactionOrigin>
  /** Waits until the chain decides a transaction, at most `timeout` milliseconds. */
  follow(network: Network, from: AccountId, sent: SubmittedTransaction, options: FollowOptions): Promise<Outcome>
  /**
   * Returns the network fee that a mined transaction paid, in base units of the native currency, or undefined if the
   * chain does not report it.
   *
   * @throws LatchkeyError `rpc/unreachable`
   */
  getPaidFee?(network: Network, hash: string): Promise<bigint | undefined>
  /**
   * Estimates the L2 data fee of a call, which a rollup charges in addition to its gas. Absent in namespaces without
   * rollups.
   *
   * @param bytes the size of the call's data
   * @returns base units of the native currency; 0 on other networks
   * @throws LatchkeyError `rpc/unreachable`
   */
  estimateDataFee?(network: Network, bytes: number): Promise<bigint>
  /**
   * Runs a contract call without sending it. Absent in namespaces without contract calls.
   *
   * @param from a plain address
   * @returns the reason why it would fail, or undefined if it would succeed
   * @throws LatchkeyError `rpc/unreachable`
   */
  simulateCall?(network: Network, from: string, call: SimulatedCall): Promise<string | undefined>
  /**
   * Looks up a mined transaction again, to detect a reorg. Absent in namespaces whose transactions are final once they
   * are reported.
   *
   * @throws LatchkeyError `rpc/unreachable`
   */
  getFinality?(network: Network, hash: string): Promise<Finality>
  /**
   * Replaces a pending transaction: with the same at a higher price, or with an empty one to the sender. Absent in
   * namespaces without replacement.
   *
   * @returns the replacement; without a nonce if the chain does not show yet which one the wallet used
   * @throws LatchkeyError `request/rejected`, `transaction/not-replaceable` if it is too late
   */
  replace?(
    connection: Connection,
    network: Network,
    from: AccountId,
    sent: SubmittedTransaction,
    how: 'faster' | 'cancel',
  ): Promise<SubmittedTransaction>
  /**
   * True if a wallet is known to sign a transaction without sending it, as `replace` with `faster` needs. Absent in
   * namespaces without replacement.
   */
  canSpeedUp?(connection: Connection): boolean
  /**
   * Resolves a name with the name service of the namespace (ENS, normalised according to ENSIP-15).
   *
   * @returns false if it does not resolve or is not a valid name [R5.6.2]
   */
  resolveName?(network: Network, name: string): Promise<string | false>
  /** Returns the primary name of an address, if it resolves back to the address. */
  lookUpName?(network: Network, address: string): Promise<string | false>
  /** Returns the https or data URL of the picture of a name (ENSIP-12). */
  lookUpAvatar?(network: Network, name: string): Promise<string | false>
}
