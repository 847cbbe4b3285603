import type { Provider } from '@latchkey/core'
import { parseAccountId, parseChainId, type AccountId, type ChainId, requestError } from '@latchkey/protocol'
import { parseEvmChainId } from '../session/namespaceScopes.ts'
import { isUnknownRecord } from '../primitives/unknownRecord.ts'
import { runInBackground } from '../primitives/withResolvers.ts'

export type EvmProviderDependencies = {
  chainId(): ChainId
  accounts(): readonly AccountId[]
  /** Selects an approved chain. Returns false if the wallet has not approved it. */
  switchTo(chainId: ChainId): boolean
  /** Sends approved methods to the wallet and refuses others. */
  wallet: Provider
}

/** Creates the EIP-1193 provider of a session. The session handles the methods that it can; the wallet handles the others. */
export function createEvmProvider({ chainId, accounts, switchTo, wallet }: EvmProviderDependencies): Provider {
  const addresses = (): readonly string[] => accounts().map((account) => parseAccountId(account).address)

  async function switchChain(params: unknown): Promise<null> {
    const method = 'wallet_switchEthereumChain'
    const chain = parseSwitchParams(params)
    if (chain === undefined) throw requestError('request/failed', { method, code: -32_602, reason: 'no chain id' })
    if (chain === chainId()) return null
    const requested = wallet.request({ method, params })
    if (switchTo(chain)) {
      // Each request contains its chain (CAIP-27), so there is no need to wait for the wallet.
      runInBackground(requested)
      return null
    }
    await requested
    // A wallet that approves a new chain updates the session before it responds.
    if (switchTo(chain)) return null
    throw requestError('request/failed', { method, code: 4902, reason: 'the session does not cover this chain' })
  }

  return {
    async request({ method, params }) {
      if (method === 'eth_chainId') return `0x${BigInt(parseChainId(chainId()).reference).toString(16)}`
      if (method === 'eth_accounts' || method === 'eth_requestAccounts') return addresses()
      if (method === 'wallet_switchEthereumChain') return switchChain(params)
      return wallet.request({ method, params })
    },
  }
}

function parseSwitchParams(params: unknown): ChainId | undefined {
  const [switchRequest] = Array.isArray(params) ? params : []
  return isUnknownRecord(switchRequest) ? parseEvmChainId(switchRequest.chainId) : undefined
}
