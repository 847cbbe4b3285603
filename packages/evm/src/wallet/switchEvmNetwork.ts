import { getErrorReason, unsupportedMethodCodes } from '@latchkey/adapter-kit'
import type { Connection } from '@latchkey/core'
import { requestFromWallet } from '@latchkey/core/internal'
import { isLatchkeyError, type Network, networkError } from '@latchkey/protocol'
import { toHexChainId, parseEvmChainId } from '../chain/evmChainId.ts'

/** The codes of wallets for an unknown chain: EIP-3326, and three codes that some wallets use instead. */
const unknownChainCodes: readonly (number | undefined)[] = [4902, 5000, 32603, -32603]

/**
 * Asks the wallet to switch to a network (EIP-3326), and to add the network first if it does not know it (EIP-3085).
 *
 * @throws LatchkeyError `network/switch-unsupported`, `network/add-refused`, `request/rejected`
 */
export async function switchEvmNetwork(connection: Connection, network: Network): Promise<void> {
  const chainId = toHexChainId(network.caipNetworkId)
  try {
    await requestFromWallet(connection, { method: 'wallet_switchEthereumChain', params: [{ chainId }] })
  } catch (error) {
    // The embedded wallet has no such request. It switches on demand [R6.6].
    if (isLatchkeyError(error, 'request/not-allowed') && (await connection.switchTo?.(network.caipNetworkId))) return
    const code = getRequestErrorCode(error)
    if (unsupportedMethodCodes.includes(code)) {
      throw networkError('network/switch-unsupported', { wallet: connection.wallet.name }, { cause: error })
    }
    if (!unknownChainCodes.includes(code) && !isUnsupportedChain(error)) throw error
    await addNetwork(connection, network, chainId)
  }
}

/** Most wallets switch to a network that they add. The others are asked again. */
async function addNetwork(connection: Connection, network: Network, chainId: string): Promise<void> {
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
    await requestFromWallet(connection, { method: 'wallet_addEthereumChain', params: [params] })
  } catch (cause) {
    if (!isLatchkeyError(cause, 'request/failed') && !isUnsupportedChain(cause)) throw cause
    throw networkError('network/add-refused', { network: network.name }, { cause })
  }
  const current = parseEvmChainId(await requestFromWallet(connection, { method: 'eth_chainId' }))
  if (current === network.caipNetworkId) return
  await requestFromWallet(connection, { method: 'wallet_switchEthereumChain', params: [{ chainId }] })
}

/** True if the wallet used the code of a decision of the user (4001) for a chain that it does not know. */
function isUnsupportedChain(error: unknown): boolean {
  if (!isLatchkeyError(error, 'request/rejected')) return false
  return /not supported|unsupported|unrecogni[sz]ed|unknown (chain|network)/i.test(getErrorReason(error.cause))
}

function getRequestErrorCode(error: unknown): number | undefined {
  return isLatchkeyError(error, 'request/failed') ? error.context.code : undefined
}
