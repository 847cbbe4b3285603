import type { Calldata } from './calldata.ts'

/** A contract call or a payment. */
export type Call = { readonly to?: `0x${string}`; readonly value: bigint; readonly data: `0x${string}` }

/** An order of Seaport: what the offerer gives, and what each recipient receives. */
export type SeaportOrder = { readonly give: readonly OrderItem[]; readonly receive: readonly OrderItem[] }

export type OrderItem = {
  readonly isFungible: boolean
  /** The zero address is the native currency. */
  readonly token: string
  readonly id: bigint
  /** Of an amount that changes over time, the worse one for the offerer. */
  readonly units: bigint
  readonly isOwn: boolean
}

/** One effect of a call, as far as its data shows it. */
export type CallEffect =
  | {
      readonly kind: 'transfer'
      readonly token: string
      readonly from?: string
      readonly to: string
      readonly units: bigint
    }
  | {
      readonly kind: 'item'
      readonly collection: string
      readonly from: string
      readonly to: string
      readonly id: bigint
      readonly count: bigint
    }
  | {
      readonly kind: 'allowance'
      readonly token: string
      readonly spender: string
      readonly units: bigint
      /** Seconds since the epoch. */
      readonly deadline?: bigint
    }
  | { readonly kind: 'operator'; readonly collection: string; readonly operator: string; readonly isGranted: boolean }
  /** Anyone can execute the order later, without a signature. */
  | { readonly kind: 'order'; readonly order: SeaportOrder }
  /** The called contract sends what it got to an address. The zero address is the native currency. */
  | { readonly kind: 'payout'; readonly token: string; readonly to: string }
  /** The function can do more than its effects show, which is usual for it. */
  | { readonly kind: 'incomplete' }
  /** Code of another contract runs as the account. */
  | { readonly kind: 'delegates' }
  /** The data has more calls than are read. */
  | { readonly kind: 'unreadable' }

/** A call inside of another call. */
export type InnerCall = { readonly to: `0x${string}`; readonly value: bigint; readonly data: Uint8Array }

/** Reads the effects of a call from its arguments and the called contract. */
export type ReadEffects = (args: Calldata, to: `0x${string}`) => readonly CallEffect[]

/** The effects of a function and the calls that it makes. */
export type CallOutcome = { readonly effects: readonly CallEffect[]; readonly calls?: readonly InnerCall[] }

/** A function that the wallet understands. */
export type KnownFunction = {
  readonly signature: string
  read(args: Calldata, to: `0x${string}`): CallOutcome
}
