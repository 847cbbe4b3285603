import { createOurDapp, createOurWallet } from './ourPeers.ts'
import type { DappPeer, PeerEnvironment, WalletPeer } from './peers.ts'
import { createTheirDapp, theirVersions, createTheirWallet, type TheirVersion } from './theirPeers.ts'

/** A dapp and a wallet that are tested together. */
export type PeerPair = {
  readonly name: string
  dapp(place: PeerEnvironment): Promise<DappPeer>
  wallet(place: PeerEnvironment): Promise<WalletPeer>
}

/** Each side of ours with theirs, and two of theirs over our relay. */
export const pairsWith = (version: TheirVersion): readonly PeerPair[] => [
  {
    name: `our dapp and wallet ${version}`,
    dapp: async (place) => createOurDapp(place),
    wallet: (place) => createTheirWallet(version, place),
  },
  {
    name: `dapp ${version} and our wallet`,
    dapp: (place) => createTheirDapp(version, place),
    wallet: async (place) => createOurWallet(place),
  },
  {
    name: `dapp ${version} and wallet ${version}`,
    dapp: (place) => createTheirDapp(version, place),
    wallet: (place) => createTheirWallet(version, place),
  },
]

export const peerPairs: readonly PeerPair[] = theirVersions.flatMap(pairsWith)

/** Our dapp with our wallet, for comparison. */
export const ourPair: PeerPair = {
  name: 'our dapp and our wallet',
  dapp: async (place) => createOurDapp(place),
  wallet: async (place) => createOurWallet(place),
}
