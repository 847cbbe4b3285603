/**
 * What is shown of a request, as plain data: drawn in the frame, or in a window of this site's own. Texts of others are
 * under `text` and are never part of a sentence.
 */
export type Facts = {
  readonly deed: Deed
  /** The true origin of the page that asks; never what it calls itself. */
  readonly origin: string
  readonly account: string
  readonly network: { readonly chainId: string; readonly name: string }
  readonly banners: readonly Banner[]
  readonly sections: readonly Section[]
  /** What the balances would be: undefined where there is nothing to simulate. */
  readonly changes?: Changes
  /** Undefined where it costs nothing, or somebody else pays. */
  readonly fee?: Amount
  /** How many requests wait behind this one. */
  readonly waiting?: number
  /** What is only shown, because this wallet does not do it. */
  readonly isRefused?: boolean
}

/** What is asked for, in a word: the screen's title. */
export type Deed =
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
  /** Undefined where the token does not say: the units are shown as they are. */
  readonly decimals?: number
  readonly symbol?: string
}

export type Changes =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'fails'; readonly reason: string }
  | { readonly kind: 'known'; readonly list: readonly Change[] }

/** `units` below zero leave the account. */
export type Change = Amount & { readonly asset?: string; readonly item?: string }

export type Section = { readonly title?: SectionTitle; readonly rows: readonly Row[]; readonly isFolded?: boolean }

/** Titles and labels are names of words (`words.approve`). */
export type SectionTitle = 'step' | 'details' | 'message' | 'domain' | 'raw'

export type Row = {
  readonly label: Label
  /** For labels that count: step 2. */
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

export type Value =
  | { readonly kind: 'text'; readonly text: string }
  /** In full, to be compared letter by letter. */
  | { readonly kind: 'address'; readonly address: string; readonly name?: string }
  | { readonly kind: 'amount'; readonly amount: Amount }
  | { readonly kind: 'unlimited'; readonly symbol?: string }
  | { readonly kind: 'everything' }
  | { readonly kind: 'none' }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'time'; readonly at: number }
  | { readonly kind: 'fields'; readonly fields: readonly Field[] }

/** A member of typed data; or of anything that is a tree. */
export type Field =
  | { readonly name: string; readonly type: string; readonly value: string }
  | { readonly name: string; readonly type: string; readonly fields: readonly Field[] }

/** What looks like theft [I-16]. Each is a sentence of its own, and with one of them Reject has the focus. */
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
  | { readonly kind: 'handsOver' }
  /** The network knows nothing of the limits of a permission. */
  | { readonly kind: 'walletKeeps' }
