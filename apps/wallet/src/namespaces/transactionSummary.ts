import type { Network } from '@latchkey/protocol'

/** A decoded transaction. */
export type TransactionSummary = {
  network: Network
  action: TransactionAction
  /** The native currency that the transaction transfers, in base units. */
  value: bigint
  data: `0x${string}`
}

/** The token of a call. `known` is undefined if the wallet knows only the contract address. */
export type TokenReference = { address: string; known: { symbol: string; decimals: number } | undefined }

/** The effect of a transaction, as decoded from its data. */
export type TransactionAction =
  | { kind: 'send'; to: string }
  | { kind: 'tokenTransfer'; token: TokenReference; from: string | undefined; to: string; amount: bigint }
  | { kind: 'tokenApproval'; token: TokenReference; spender: string; amount: bigint | 'unlimited' }
  | { kind: 'itemTransfer'; collection: string; from: string; to: string; id: bigint }
  | { kind: 'collectionApproval'; collection: string; operator: string; isGranted: boolean }
  | { kind: 'call'; to: string; selector: string }
  | { kind: 'create' }

/** The network fee of a transaction, in base units of the native currency. */
export type Fee = { maximum: bigint }
