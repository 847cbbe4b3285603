import type { ExceededRule } from '../policy/exceededRule.ts'
import type { LimitedAsset } from '../screens/policy/limitedAssets.ts'

/**
 * The content of an approval screen as plain data. It is drawn in the frame or in a window of this site. Untrusted text
 * is under `text` and never part of a sentence.
 */
export type ApprovalFacts = {
  readonly action: ApprovalAction
  /** Origin that the browser reports, never one that the page claims. */
  readonly origin: string
  readonly account: string
  readonly network: { readonly chainId: string; readonly name: string }
  readonly banners: readonly Banner[]
  readonly sections: readonly Section[]
  /** Simulated balance changes. `undefined` if there is nothing to simulate. */
  readonly changes?: Changes
  /** `undefined` if the request is free or sponsored. */
  readonly fee?: Amount
  /** The rule of the signing policy that the request exceeds. A second device has to approve it, too. */
  readonly limit?: ShownLimit
  /** Number of requests that wait behind this one. */
  readonly waiting?: number
  /** True if the wallet shows the request but never executes it. */
  readonly isRefused?: boolean
}

/** A rule that applies, and the assets that it can name. */
export type ShownLimit = ExceededRule & { readonly assets: readonly LimitedAsset[] }

/** The requested action. It selects the title. */
export type ApprovalAction =
  | 'signIn'
  | 'message'
  | 'typedData'
  | 'permit'
  | 'send'
  | 'allow'
  | 'transaction'
  | 'transactions'
  | 'create'
  | 'delegate'
  | 'operation'
  | 'permissions'
  | 'revoke'

export type Amount = {
  readonly units: bigint
  /** `undefined` if the token reports none. The base units are shown then. */
  readonly decimals?: number
  readonly symbol?: string
}

export type Changes =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'fails'; readonly reason: string }
  | {
      readonly kind: 'known'
      readonly list: readonly Change[]
      readonly allowances?: readonly AllowanceChange[]
      /** True if more assets changed than are listed. */
      readonly isTruncated?: boolean
    }

/** Negative `units` leave the account. */
export type Change = Amount & { readonly asset?: string; readonly item?: string }

/** The allowance of a spender afterwards. */
export type AllowanceChange = {
  readonly spender: string
  /** Contract of the token or collection. */
  readonly asset: string
  readonly symbol?: string
} & (
  | { readonly kind: 'none' }
  | { readonly kind: 'unlimited' }
  /** Every item of the collection. */
  | { readonly kind: 'everything' }
  | { readonly kind: 'amount'; readonly amount: Amount }
)

export type Section = { readonly title?: SectionTitle; readonly rows: readonly Row[]; readonly isFolded?: boolean }

/** Titles and labels are message keys. */
export type SectionTitle = 'step' | 'details' | 'message' | 'domain' | 'raw'

export type Row = {
  readonly label: Label
  /** Number for counted labels, for example step 2. */
  readonly count?: number
  readonly value: Value
}

export type Label =
  | 'to'
  | 'from'
  | 'amount'
  | 'token'
  | 'spender'
  | 'operator'
  | 'item'
  | 'collection'
  | 'contract'
  | 'call'
  | 'function'
  | 'data'
  | 'deadline'
  | 'domain'
  | 'statement'
  | 'uri'
  | 'chain'
  | 'nonce'
  | 'issued'
  | 'expires'
  | 'resources'
  | 'message'
  | 'type'
  | 'program'
  | 'accounts'
  | 'payer'
  | 'rent'
  | 'step'
  | 'content'
  | 'sponsor'
  | 'until'
  | 'limit'
  | 'who'
  | 'sessionAccount'
  | 'give'
  | 'receive'

export type Value =
  | { readonly kind: 'text'; readonly text: string }
  /** Shown in full for comparison. */
  | { readonly kind: 'address'; readonly address: string; readonly name?: string }
  | { readonly kind: 'amount'; readonly amount: Amount }
  | { readonly kind: 'unlimited'; readonly symbol?: string }
  | { readonly kind: 'everything' }
  | { readonly kind: 'none' }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'time'; readonly at: number }
  | { readonly kind: 'fields'; readonly fields: readonly Field[] }

/** A member of typed data. */
export type Field =
  | { readonly name: string; readonly type: string; readonly value: string }
  | { readonly name: string; readonly type: string; readonly fields: readonly Field[] }

/** Warnings of possible theft [I-16]. With a warning, Reject has the focus. */
export type Banner =
  | { readonly kind: 'unlimited' }
  | { readonly kind: 'everything' }
  | { readonly kind: 'otherChain'; readonly chainId: string }
  | { readonly kind: 'foreignDomain'; readonly domain: string }
  | { readonly kind: 'oddSignIn' }
  | { readonly kind: 'delegation' }
  | { readonly kind: 'rawHash' }
  | { readonly kind: 'lookAlike'; readonly address: string; readonly known: string }
  | { readonly kind: 'oddText' }
  | { readonly kind: 'fails'; readonly reason: string }
  | { readonly kind: 'highFee' }
  | { readonly kind: 'delegates' }
  /** The account receives far less than it gives. */
  | { readonly kind: 'poorTrade' }
  /** A Solana transaction that stays valid until its nonce account advances. */
  | { readonly kind: 'durableNonce' }
  /** The network does not enforce the limits of a permission. */
  | { readonly kind: 'walletKeeps' }
  /** The network enforces the limits of a permission, even while the user is away. */
  | { readonly kind: 'networkKeeps' }
