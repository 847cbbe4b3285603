import type { AccountId, Network } from '@latchkey/protocol'
import type { Connection } from '../connector.ts'

/** What can be moved on a network. */
export type Asset = {
  /** The plain address of a token (a contract, a mint); absent for the native currency. */
  readonly address?: string
  readonly symbol: string
  readonly decimals: number
}

/** Somebody pays somebody. */
export type Transfer = {
  readonly from: AccountId
  /** A plain address of the same family. */
  readonly to: string
  readonly asset: Asset
  /** Base units of the asset. */
  readonly amount: bigint
}

/** What the network takes for a transaction. */
export type Fee = {
  /** The most that it can be, in base units of the native currency. */
  readonly value: bigint
  /** What one unit of work costs, where the family has such a price: wei per gas. */
  readonly price?: bigint
  /** Native currency that the transaction locks besides its fee: the rent of an account that it opens. */
  readonly deposit?: bigint
}

/** What is worth knowing of a receiver before paying him. */
export type ReceiverNote =
  /** Not the form, or not the checksum, of an address of this family. */
  | 'invalid'
  /** Code lives there: it may not know what to do with what it gets. */
  | 'contract'
  /** The contract of the very asset that is sent: what it gets is lost. */
  | 'asset'
  /** Nobody can have the key. */
  | 'burn'
  | 'oneself'
  /** Has never done anything on this network. */
  | 'unused'
  /** An account for the token is opened for him, at the sender's cost. */
  | 'opens-account'

/** A transaction that the wallet sent, and what it takes to find it again. */
export type Sent = {
  readonly hash: string
  /** The number of the transaction among those of its sender, where the family counts them. */
  readonly nonce?: number
}

/** How a transaction ended, as far as the chain tells. */
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
 * Moving assets in one chain family, loaded when a visitor first wants to. Every implementation passes
 * `describeTransfers` of `@latchkey/core/testing`.
 */
export type Transfers = {
  /** Whether a visitor reads of a failed payment that he may try it again [R8.2.4]. */
  readonly asksToTryAgain?: boolean
  /** @throws LatchkeyError `rpc/unreachable`, `address/invalid` where there is no such token. */
  readAsset(network: Network, address: string): Promise<Asset & { readonly name: string }>
  /** How much of an asset an address holds, in base units, from the chain itself. */
  getBalance(network: Network, holder: string, asset: Asset): Promise<bigint>
  /**
   * What a transfer would cost now. A native transfer of all that there is may be asked for: the amount is not looked at
   * then, only the work.
   *
   * @throws LatchkeyError `rpc/unreachable`, `transaction/reverted` with the reason when it would fail.
   */
  estimateFee(network: Network, transfer: Transfer): Promise<Fee>
  /** What is worth a warning, most important first; empty when there is nothing. */
  inspectReceiver(network: Network, transfer: Omit<Transfer, 'amount'>): Promise<readonly ReceiverNote[]>
  /**
   * Asks the wallet to send it.
   *
   * @throws LatchkeyError `request/rejected`, `request/unknown`, `wallet/unavailable`, `amount/invalid`.
   */
  send(connection: Connection, network: Network, transfer: Transfer, fee?: Fee): Promise<Sent>
  /** Waits until the chain tells how a transaction ended, `timeout` milliseconds at most. */
  follow(
    network: Network,
    from: AccountId,
    sent: Sent,
    options: { timeout: number; signal?: AbortSignal },
  ): Promise<Outcome>
  /**
   * Puts another transaction in the place of one that is not mined yet: the same at a higher price, or an empty one to
   * oneself. Absent where the family has no such thing.
   *
   * @throws LatchkeyError `request/rejected`, `transaction/not-replaceable` when it is too late.
   */
  replace?(
    connection: Connection,
    network: Network,
    from: AccountId,
    sent: Sent,
    how: 'faster' | 'cancel',
  ): Promise<Sent>
  /**
   * The address behind a name of the family's own name service (ENS, normalised by ENSIP-15).
   *
   * @returns false when there is none, or the name is no name [R5.6.2]
   */
  resolveName?(network: Network, name: string): Promise<string | false>
  /** The name that an address chose and that leads back to it. */
  lookUpName?(network: Network, address: string): Promise<string | false>
}
