import { transferKinds, zeroAddress, type Block, type Hex, type Transfer } from './block.ts'

/**
 * A token that the receiver of a transfer may hold, with the first block and whether the receiver signed a transaction in
 * which it received the token. Its balance is read from the chain.
 */
export type Holding = { key: string; transfer: Transfer; block: number; isSigned: boolean }

/**
 * Gets the holdings that follow from the transfers of blocks, each once.
 *
 * @param holders the addresses whose holdings are needed; all by default
 */
export function getHoldings(blocks: readonly Block[], holders?: ReadonlySet<Hex>): readonly Holding[] {
  const holdings = new Map<string, Holding>()
  for (const { number: block, transactions } of blocks) {
    for (const { sender: signer, transfers } of transactions) {
      for (const transfer of transfers) {
        if (!isHeld(transfer) || holders?.has(transfer.receiver) === false) continue
        const key = `${transfer.receiver}${transfer.token}${transfer.kind}${transfer.tokenId ?? ''}`
        const isSigned = signer === transfer.receiver
        const known = holdings.get(key)
        if (known === undefined) holdings.set(key, { key, transfer, block, isSigned })
        else if (isSigned) known.isSigned = true
      }
    }
  }
  return [...holdings.values()]
}

function isHeld({ kind, receiver }: Transfer): boolean {
  const { erc20, erc721, erc1155 } = transferKinds
  return receiver !== zeroAddress && (kind === erc20 || kind === erc721 || kind === erc1155)
}

/** Remembers stored holdings, because most transfers are of tokens that their receiver had before. */
export type StoredHoldings = {
  /** Returns the holdings that are not known to be stored. */
  filterNew(chain: number, holdings: readonly Holding[]): readonly Holding[]
  /** Remembers holdings that were stored. */
  add(chain: number, holdings: readonly Holding[]): void
}

/** Creates the memory. It forgets the oldest holdings: it has between one and two times `size`. */
export function createStoredHoldings(size = 100_000): StoredHoldings {
  let recent = new Map<string, boolean>()
  let older = new Map<string, boolean>()
  const getKey = (chain: number, { key }: Holding): string => `${chain}/${key}`
  return {
    filterNew: (chain, holdings) =>
      holdings.filter((holding) => {
        const key = getKey(chain, holding)
        const wasSigned = recent.get(key) ?? older.get(key)
        return wasSigned === undefined || (holding.isSigned && !wasSigned)
      }),
    add(chain, holdings) {
      for (const holding of holdings) recent.set(getKey(chain, holding), holding.isSigned)
      if (recent.size < size) return
      older = recent
      recent = new Map()
    },
  }
}
