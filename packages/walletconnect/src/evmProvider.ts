import type { Provider } from '@latchkey/core'
import { LatchkeyError, parseAccountId, parseChainId, type AccountId, type ChainId } from '@latchkey/protocol'
import { readEvmChain } from './namespaces.ts'
import { isRecord } from './parse.ts'
import { inBackground } from './promise.ts'

/** What an EIP-1193 provider over a session stands on. */
export type EvmProviderParts = {
  chainId(): ChainId
  accounts(): readonly AccountId[]
  /** Makes an approved chain the current one; false when the wallet has not approved it. */
  switchTo(chainId: ChainId): boolean
  /** The wallet itself; refuses methods that it did not approve. */
  wallet: Provider
}

/** The EIP-1193 face of a session: answers from what the session says, asks the wallet for the rest. */
export function createEvmProvider({ chainId, accounts, switchTo, wallet }: EvmProviderParts): Provider {
  const addresses = (): readonly string[] => accounts().map((account) => parseAccountId(account).address)

  async function switchChain(params: unknown): Promise<null> {
    const method = 'wallet_switchEthereumChain'
    const chain = readChain(params)
    if (chain === undefined) throw new LatchkeyError('request/failed', { method, code: -32_602, reason: 'no chain id' })
    if (chain === chainId()) return null
    const asked = wallet.request({ method, params })
    if (switchTo(chain)) {
      // Each request names its chain (CAIP-27), so nothing waits for a wallet that also likes to know.
      inBackground(asked)
      return null
    }
    await asked
    // A wallet that agrees to a new chain extends the session before it answers.
    if (switchTo(chain)) return null
    throw new LatchkeyError('request/failed', { method, code: 4902, reason: 'the session does not cover that chain' })
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

function readChain(params: unknown): ChainId | undefined {
  const [wanted] = Array.isArray(params) ? params : []
  return isRecord(wanted) ? readEvmChain(wanted.chainId) : undefined
}
