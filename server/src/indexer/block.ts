/** `0x` and lower-case hexadecimal digits. */
export type Hex = `0x${string}`

/** The kinds of transfers and approvals. Stored in the database as numbers. */
export const transferKinds = {
  native: 0,
  erc20: 1,
  erc721: 2,
  erc1155: 3,
  /** An allowance: the receiver may spend. */
  approval: 4,
  /** A permission for one token (ERC-721) or for a whole collection. */
  permission: 5,
} as const

export type TransferKind = (typeof transferKinds)[keyof typeof transferKinds]

/** The zero address, which mints come from and burns go to. */
export const zeroAddress: Hex = `0x${'0'.repeat(40)}`

/** A transfer or approval inside a transaction. */
export type Transfer = {
  /** Position within the transaction. */
  ordinal: number
  kind: TransferKind
  /** The contract, or `zeroAddress` for the native currency. */
  token: Hex
  sender: Hex
  receiver: Hex
  tokenId: bigint | undefined
  amount: bigint
}

/** A mined transaction. */
export type Transaction = {
  position: number
  hash: Hex
  sender: Hex
  receiver: Hex | undefined
  /** The contract that it created. */
  created: Hex | undefined
  value: bigint
  nonce: number
  /** The first four bytes of its data. */
  method: Hex | undefined
  succeeded: boolean
  transfers: readonly Transfer[]
  /** The addresses whose history contains it. */
  touched: readonly Hex[]
}

/** A block as the index stores it. */
export type Block = {
  number: number
  hash: Hex
  parent: Hex
  /** Milliseconds. */
  minedAt: number
  transactions: readonly Transaction[]
}

/** True for transfers, false for approvals. */
export function movesAssets(kind: TransferKind): boolean {
  return kind !== transferKinds.approval && kind !== transferKinds.permission
}

/**
 * Gets the addresses whose history contains a transaction. A transfer of nothing counts only for the sender of the
 * transaction, because anyone can make one between any two accounts.
 */
export function getTouchedAddresses({
  sender,
  receiver,
  created,
  transfers,
}: Pick<Transaction, 'sender' | 'receiver' | 'created' | 'transfers'>): readonly Hex[] {
  const addresses = new Set<Hex>([sender])
  if (receiver !== undefined) addresses.add(receiver)
  if (created !== undefined) addresses.add(created)
  for (const each of transfers) {
    if (each.amount === 0n && movesAssets(each.kind)) continue
    addresses.add(each.sender)
    addresses.add(each.receiver)
  }
  addresses.delete(zeroAddress)
  return [...addresses]
}
