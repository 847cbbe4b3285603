import type { ChainId } from '@latchkey/protocol'
import type { Transfers } from '../money/transfers.ts'
import type { Latchkey } from '../instance/latchkey.ts'
import { contractNetwork, type ReadingInstance } from '../smartContracts/contractNetwork.ts'
import { getAdapter } from '../state/getAccount.ts'

/** The network whose records are preferred. Defaults to the network of the active account. */
export type EnsOptions = { chainId?: ChainId }

/**
 * Returns the primary name of an address, read from ENS on the chain. The name also resolves back to the address
 * (ENSIP-3). It is read from the first network with `contracts.ensUniversalResolver`, as viem describes mainnet. `getIdentity`
 * asks the server instead.
 *
 * @returns null if the address has no name, or if no network of the app has the name service
 * @throws LatchkeyError `network/not-found`, `address/invalid`.
 * @example const name = await getEnsName(latchkey, address)
 */
export async function getEnsName(
  latchkey: Latchkey,
  address: string,
  options: EnsOptions = {},
): Promise<string | null> {
  const { names, network } = await loadNames(latchkey, options)
  const name = await names?.lookUpName?.(network, address)
  return name === undefined || name === false ? null : name
}

/**
 * Returns the picture of a name, from its `avatar` record (ENSIP-12), which may name an NFT.
 *
 * @param name a name of ENS
 * @returns the https or data URL of the picture; null if there is none
 * @throws LatchkeyError `network/not-found`.
 * @example const avatar = await getEnsAvatar(latchkey, 'visitor.eth')
 */
export async function getEnsAvatar(latchkey: Latchkey, name: string, options: EnsOptions = {}): Promise<string | null> {
  const { names, network } = await loadNames(latchkey, options)
  const picture = await names?.lookUpAvatar?.(network, name)
  return picture === undefined || picture === false ? null : picture
}

async function loadNames(latchkey: ReadingInstance, { chainId }: EnsOptions) {
  const network = contractNetwork(latchkey, chainId)
  const names: Transfers | undefined = await getAdapter(latchkey, network.chainNamespace).transfers?.()
  return { network, names }
}
