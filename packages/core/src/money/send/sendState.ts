import type { ChainId } from '@latchkey/protocol'
import type { Balance } from '../../contracts/adapter.ts'
import type { Asset, Fee, ReceiverNote } from '../transfers.ts'

/** A token that the account can send. */
export type SendToken = {
  readonly asset: Asset
  readonly name: string
  readonly chainId: ChainId
  /** The URL of a picture. */
  readonly iconUrl?: string
  /** Base units; undefined while unknown. */
  readonly balance: bigint | undefined
  /** Dollars for one unit; undefined if unknown. */
  readonly price: number | undefined
}

/** A note about a recipient, from the chain and from previous payments. */
export type SendNote =
  | ReceiverNote
  /** Begins and ends like an address known here, and is another one: how people are made to pay thieves. */
  | 'similar'
  /** Was not paid from here before. */
  | 'first-time'

/** The reason that a payment link can't be paid. */
export type LinkProblem =
  | { readonly kind: 'invalid' }
  /** The link is for another network: `chainId`, if the link names it. */
  | { readonly kind: 'other-network'; readonly chainId: ChainId | undefined }
  /** There is no such token, or the network did not respond. */
  | { readonly kind: 'unknown-token' }

/** The first thing that is missing or wrong in a payment. */
export type SendStatus =
  | 'select-token'
  | 'add-amount'
  | 'incorrect-value'
  | 'insufficient-funds'
  | 'insufficient-gas'
  | 'add-address'
  | 'invalid-address'
  | 'unsupported-token'
  | 'ready'

/** A payment in preparation [R3.12]. */
export type SendState = {
  readonly token: SendToken | undefined
  /** The amount as entered, in units of the token. */
  readonly amount: string
  /** The amount as entered, if the user enters dollars. */
  readonly dollars: string | undefined
  /** True if the amount is the whole balance. */
  readonly max: boolean
  /** The recipient as entered: an address or a name. */
  readonly receiver: string
  /** The recipient's address; undefined while the entry does not resolve. */
  readonly receiverAddress: string | undefined
  readonly receiverName: string | undefined
  readonly receiverImage: string | undefined
  /** True while the entry is being resolved. */
  readonly resolving: boolean
  /** The reason that the payment link in the recipient's field can't be paid. */
  readonly linkProblem: LinkProblem | undefined
  /** Most important first. */
  readonly notes: readonly SendNote[]
  /** The known address that the recipient's address resembles. */
  readonly similarTo: string | undefined
  /** The maximum network fee; undefined while unknown. */
  readonly fee: Fee | undefined
  readonly feeInDollars: number | undefined
  /** The balance that pays the fee. */
  readonly networkBalance: Balance | undefined
  readonly networkBalanceInDollars: number | undefined
  /** The tokens of the active network; undefined before they are loaded. */
  readonly tokens: readonly SendToken[] | undefined
  readonly tokensStatus: 'idle' | 'loading' | 'loaded' | 'failed'
  /** The time of the last failure to load tokens. It is retried after 30 seconds. */
  readonly lastRetry: number | undefined
  /** True while the payment is pending in the wallet. */
  readonly loading: boolean
  /**
   * True if the last payment may have been sent without a confirmation. It must be reviewed before it is sent again.
   */
  readonly uncertain: boolean
  /** The error of the fee estimate, or of the last attempt. */
  readonly problem: unknown
  /** The first problem of the form; `ready` if there is none. */
  readonly status: SendStatus
}

/** The empty form. */
export const emptySend: SendState = {
  token: undefined,
  amount: '',
  dollars: undefined,
  max: false,
  receiver: '',
  receiverAddress: undefined,
  receiverName: undefined,
  receiverImage: undefined,
  resolving: false,
  linkProblem: undefined,
  notes: [],
  similarTo: undefined,
  fee: undefined,
  feeInDollars: undefined,
  networkBalance: undefined,
  networkBalanceInDollars: undefined,
  tokens: undefined,
  tokensStatus: 'idle',
  lastRetry: undefined,
  loading: false,
  uncertain: false,
  problem: undefined,
  status: 'select-token',
}
