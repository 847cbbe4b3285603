import type { Connection } from '@latchkey/core'
import { isLatchkeyError, LatchkeyError, type Network } from '@latchkey/protocol'
import { hexChainId, readChainId } from './networks.ts'

/** What wallets answer about a chain that they do not know: EIP-3326, some wallets, and others still. */
const unknownChainCodes: readonly (number | undefined)[] = [4902, 5000, 32603, -32603]
/** A method that the wallet does not have (EIP-1193, JSON-RPC). */
const unsupportedCodes: readonly (number | undefined)[] = [4200, -32601]

/** Asks the wallet to switch (EIP-3326), adding the network first where it does not know it (EIP-3085). */
export async function switchNetwork(connection: Connection, network: Network): Promise<void> {
  const chainId = hexChainId(network.caipNetworkId)
  try {
    await connection.provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId }] })
  } catch (error) {
    // A wallet that lives in the page has no such request, but goes where it is told [R6.6].
    if (isLatchkeyError(error, 'request/not-allowed') && (await connection.switchTo?.(network.caipNetworkId))) return
    const code = codeOf(error)
    if (unsupportedCodes.includes(code)) {
      throw new LatchkeyError('network/switch-unsupported', { wallet: connection.wallet.name }, { cause: error })
    }
    if (!unknownChainCodes.includes(code)) throw error
    await addNetwork(connection, network, chainId)
  }
}

/** Wallets switch to a network that they just added, but not all of them: so it is looked at, and asked once more. */
async function addNetwork({ provider }: Connection, network: Network, chainId: string): Promise<void> {
  const { name: chainName, nativeCurrency, rpcUrls, blockExplorers } = network
  const explorer = blockExplorers?.default.url
  const params = {
    chainId,
    chainName,
    nativeCurrency,
    rpcUrls: (rpcUrls.chainDefault ?? rpcUrls.default).http,
    blockExplorerUrls: explorer === undefined ? undefined : [explorer],
  }
  try {
    await provider.request({ method: 'wallet_addEthereumChain', params: [params] })
  } catch (cause) {
    if (!isLatchkeyError(cause, 'request/failed')) throw cause
    throw new LatchkeyError('network/add-refused', { network: network.name }, { cause })
  }
  const current = readChainId(await provider.request({ method: 'eth_chainId' }))
  if (current === network.caipNetworkId) return
  await provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId }] })
}

function codeOf(error: unknown): number | undefined {
  return isLatchkeyError(error, 'request/failed') ? error.context.code : undefined
}
