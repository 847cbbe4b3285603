import { ourDapp, ourWallet } from './ourPeers.ts'
import type { DappPeer, Place, WalletPeer } from './peers.ts'
import { theirDapp, theirVersions, theirWallet, type TheirVersion } from './theirPeers.ts'

/** Who meets whom. */
export type Pair = {
  readonly name: string
  dapp(place: Place): Promise<DappPeer>
  wallet(place: Place): Promise<WalletPeer>
}

/** Each side ours against theirs, and theirs among themselves over our relay. */
export const pairsWith = (version: TheirVersion): readonly Pair[] => [
  {
    name: `our dapp and wallet ${version}`,
    dapp: async (place) => ourDapp(place),
    wallet: (place) => theirWallet(version, place),
  },
  {
    name: `dapp ${version} and our wallet`,
    dapp: (place) => theirDapp(version, place),
    wallet: async (place) => ourWallet(place),
  },
  {
    name: `dapp ${version} and wallet ${version}`,
    dapp: (place) => theirDapp(version, place),
    wallet: (place) => theirWallet(version, place),
  },
]

export const matrix: readonly Pair[] = theirVersions.flatMap(pairsWith)

/** Ours among themselves, to compare with. */
export const ours: Pair = {
  name: 'our dapp and our wallet',
  dapp: async (place) => ourDapp(place),
  wallet: async (place) => ourWallet(place),
}
