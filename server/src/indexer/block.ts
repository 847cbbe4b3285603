/** `0x` and lower-case hexadecimal digits. */
export type Hex = `0x${string}`

/** What a log or a transaction moved or allowed; written to the database as a number. */
export const kinds = {
  native: 0,
  erc20: 1,
  erc721: 2,
  erc1155: 3,
  /** An allowance: the receiver may spend. */
  approval: 4,
  /** A permission for one token (ERC-721), or for all of a collection. */
  permission: 5,
} as const

export type Kind = (typeof kinds)[keyof typeof kinds]

/** The address that mints come from and burns go to; it is nobody's. */
export const nobody: Hex = `0x${'0'.repeat(40)}`

/** A movement inside a transaction. */
export type Transfer = {
  /** Unique within the transaction, in the order in which things happened. */
  ordinal: number
  kind: Kind
  /** The contract; `nobody` for the native currency. */
  token: Hex
  sender: Hex
  receiver: Hex
  tokenId: bigint | undefined
  amount: bigint
}

/** A transaction as it was mined. */
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
}

/** A block with all that the index keeps of it. */
export type Block = {
  number: number
  hash: Hex
  parent: Hex
  /** Milliseconds. */
  minedAt: number
  transactions: readonly Transaction[]
}

/** Everybody in whose history a transaction belongs. */
export function touched({ sender, receiver, created, transfers }: Transaction): ReadonlySet<Hex> {
  const everybody = [sender, receiver, created, ...transfers.flatMap((each) => [each.sender, each.receiver])]
  return new Set(everybody.filter((address) => address !== undefined && address !== nobody)) as ReadonlySet<Hex>
}
