import type { ChainRpc } from '../kit/chain/chainRpc.ts'
import type { Chain } from '../kit/chain/chains.ts'

/** An indexed chain. */
export type IndexedChain = {
  /** The chain's number in the tables. */
  chain: number
  caip: string
  native: Chain['nativeCurrency']
  tokens: Chain['tokens']
  rpc: ChainRpc
  /** Only requested addresses are indexed, from this block on. All addresses are if omitted. */
  requested?: { from: number; maxAddresses: number } | undefined
}

/** The indexed chains. */
export type IndexedChains = {
  all: readonly IndexedChain[]
  byNumber(chain: number): IndexedChain | undefined
  byCaip(caip: string): IndexedChain | undefined
}

/** Creates the lookup of indexed chains. */
export function createIndexedChains(all: readonly IndexedChain[]): IndexedChains {
  const numbers = new Map(all.map((each) => [each.chain, each]))
  const names = new Map(all.map((each) => [each.caip, each]))
  return { all, byNumber: (chain) => numbers.get(chain), byCaip: (caip) => names.get(caip) }
}
