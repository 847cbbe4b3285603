import type { AccountId, ChainId, Network } from '@latchkey/protocol'

type ApprovalBase = {
  readonly chainId: ChainId
  /** The account that gave the approval. */
  readonly owner: AccountId
  /** The plain address of the token contract. */
  readonly token: string
  /** The name that the contract reports, on one short line. Any contract can claim any name. */
  readonly name: string
  /** The plain address that may move the assets. */
  readonly spender: string
}

/** A permission of another address to move assets of an account. */
export type Approval =
  | (ApprovalBase & {
      readonly kind: 'token'
      readonly symbol: string
      readonly decimals: number
      /** Base units. */
      readonly amount: bigint
      /** True if the amount is at least the total supply of the token. */
      readonly isUnlimited: boolean
    })
  /** An allowance inside of Permit2, which moves the tokens for the spender. */
  | (ApprovalBase & {
      readonly kind: 'permit2'
      readonly symbol: string
      readonly decimals: number
      /** Base units. */
      readonly amount: bigint
      /** True if the amount is the highest of Permit2, or at least the total supply of the token. */
      readonly isUnlimited: boolean
      /** Milliseconds since the epoch. */
      readonly expiresAt: number
    })
  /** All NFTs of a collection, including those that the account receives later. */
  | (ApprovalBase & { readonly kind: 'collection' })
  /** One NFT. */
  | (ApprovalBase & { readonly kind: 'nft'; readonly tokenId: bigint })

/** The approvals that were found. */
export type ApprovalList = {
  readonly approvals: readonly Approval[]
  /** False if the nodes of the network don't search the whole history, so that older approvals may be missing. */
  readonly isComplete: boolean
}

/** The approvals of one namespace, loaded on first use. */
export type Approvals = {
  /**
   * Finds the approvals that an account gave, and reads each from the chain. The most recent one is first.
   *
   * @throws LatchkeyError `rpc/unreachable`
   */
  list(network: Network, owner: AccountId, options: { signal?: AbortSignal }): Promise<ApprovalList>
  /** Builds the transaction that revokes an approval. */
  buildRevocation(approval: Approval): { readonly to: string; readonly data: `0x${string}` }
}
