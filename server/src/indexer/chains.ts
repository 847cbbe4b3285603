import type { ChainRpc } from '../kit/chainRpc.ts'
import type { Chain } from '../kit/chains.ts'

/** A chain that is in the index. */
export type IndexedChain = {
  /** Its number in the tables. */
  chain: number
  caip: string
  native: Chain['nativeCurrency']
  tokens: Chain['tokens']
  rpc: ChainRpc
}

/** The chains that are in the index. */
export type IndexedChains = {
  all: readonly IndexedChain[]
  byNumber(chain: number): IndexedChain | undefined
  byCaip(caip: string): IndexedChain | undefined
}

/** Makes the list to look chains up in. */
export function createIndexedChains(all: readonly IndexedChain[]): IndexedChains {
  const numbers = new Map(all.map((each) => [each.chain, each]))
  const names = new Map(all.map((each) => [each.caip, each]))
  return { all, byNumber: (chain) => numbers.get(chain), byCaip: (caip) => names.get(caip) }
}
