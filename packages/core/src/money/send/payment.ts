import type { ChainId } from '@latchkey/protocol'
import type { Balance } from '../../adapter.ts'
import type { Asset, Fee, ReceiverNote } from '../transfers.ts'

/** Something that the account can send. */
export type SendToken = {
  readonly asset: Asset
  readonly name: string
  readonly chainId: ChainId
  /** An address of a picture. */
  readonly iconUrl?: string
  /** Base units; undefined while nobody told. */
  readonly balance: bigint | undefined
  /** Dollars for one unit; undefined where nobody knows. */
  readonly price: number | undefined
}

/** What is worth knowing of a receiver before paying him: what the chain tells, and what was done here before. */
export type SendNote =
  | ReceiverNote
  /** Begins and ends like an address known here, and is another one: how people are made to pay thieves. */
  | 'similar'
  /** Was not paid from here before. */
  | 'first-time'

/** What is missing or wrong in a payment, one thing at a time and the first first. */
export type SendStatus =
  | 'select-token'
  | 'add-amount'
  | 'incorrect-value'
  | 'insufficient-funds'
  | 'insufficient-gas'
  | 'add-address'
  | 'invalid-address'
  | 'ready'

/** A payment in preparation [R3.12]. */
export type SendState = {
  readonly token: SendToken | undefined
  /** As it was entered, in units of the token. */
  readonly amount: string
  /** As it was entered, when the visitor counts in dollars. */
  readonly dollars: string | undefined
  /** Whether the amount is all that there is. */
  readonly max: boolean
  /** As it was entered: an address or a name. */
  readonly receiver: string
  /** Where the payment goes; undefined as long as the entry leads nowhere. */
  readonly receiverAddress: string | undefined
  readonly receiverName: string | undefined
  readonly receiverImage: string | undefined
  /** Whether the entry is being looked up. */
  readonly resolving: boolean
  /** Most important first. */
  readonly notes: readonly SendNote[]
  /** The known address that the receiver's resembles. */
  readonly similarTo: string | undefined
  /** The most that the network takes; undefined while it is not known. */
  readonly fee: Fee | undefined
  readonly feeInDollars: number | undefined
  /** What pays the fee. */
  readonly networkBalance: Balance | undefined
  readonly networkBalanceInDollars: number | undefined
  /** What can be chosen from, on the active network only; undefined before it was asked for. */
  readonly tokens: readonly SendToken[] | undefined
  readonly tokensStatus: 'idle' | 'loading' | 'loaded' | 'failed'
  /** When asking for the tokens last failed; nobody tries again for 30 seconds. */
  readonly lastRetry: number | undefined
  /** Whether the payment is under way to the wallet. */
  readonly loading: boolean
  /** Whether the last payment may have been sent, though nobody told so: it has to be reviewed before it goes out again. */
  readonly uncertain: boolean
  /** Why the fee is not known, or the last try did not succeed. */
  readonly problem: unknown
  /** What is missing or wrong; `ready` when nothing is. */
  readonly status: SendStatus
}

/** What is filled in anew whenever the form is. */
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
