import type { Network } from '@latchkey/protocol'

/** A text to sign: readable, or bytes that are no text. */
export type Message = { kind: 'text'; text: string } | { kind: 'bytes'; hex: string }

/** Structured data to sign, as a tree in the order in which it is signed. */
export type TypedDataSummary = {
  /** What kind of statement is signed: `Permit`. */
  primaryType: string
  domain: readonly TypedNode[]
  message: readonly TypedNode[]
  /** The chain it was written for, when that is not the one it is asked on. */
  foreignChain: string | undefined
}

/** A field of structured data: a leaf with its value, or a branch with its members. */
export type TypedNode = { name: string; type: string } & ({ value: string } | { members: readonly TypedNode[] })

/** A transaction, read. */
export type TransactionSummary = {
  network: Network
  action: TransactionAction
  /** Native currency that goes along, in base units. */
  value: bigint
  data: `0x${string}`
}

/** The token of a call: one that the wallet knows, or only the address of its contract. */
export type TokenReference = { address: string; known: { symbol: string; decimals: number } | undefined }

/** What a transaction does, as far as its data tells. */
export type TransactionAction =
  | { kind: 'send'; to: string }
  | { kind: 'tokenTransfer'; token: TokenReference; from: string | undefined; to: string; amount: bigint }
  | { kind: 'tokenApproval'; token: TokenReference; spender: string; amount: bigint | 'unlimited' }
  | { kind: 'itemTransfer'; collection: string; from: string; to: string; id: bigint }
  | { kind: 'collectionApproval'; collection: string; operator: string; isGranted: boolean }
  | { kind: 'call'; to: string; selector: string }
  | { kind: 'create' }

/** What a transaction costs besides what it sends, in base units of the native currency. */
export type Fee = { atMost: bigint }
