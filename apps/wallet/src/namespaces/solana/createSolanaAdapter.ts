import { decodeRequest } from '../decodeRequest.ts'
import type { NamespaceAdapter } from '../namespaceAdapter.ts'
import { createSolanaDecoders } from './createSolanaDecoders.ts'
import { getSolanaBalances } from './getSolanaBalances.ts'
import { createSolanaAccounts } from './solanaAccount.ts'

/** Creates the wallet's adapter for the namespace solana. */
export function createSolanaAdapter(): NamespaceAdapter {
  const accounts = createSolanaAccounts()
  const decoders = createSolanaDecoders(accounts)
  return {
    namespace: 'solana',
    accounts,
    methods: Object.keys(decoders),
    events: ['accountsChanged', 'chainChanged'],
    getBalances: getSolanaBalances,
    decode: (request) => decodeRequest(decoders, request),
    accountEvent: (address, chainId) => ({ name: 'accountsChanged', data: [`${chainId}:${address}`] }),
    networkEvent: ({ caipNetworkId }) => ({ name: 'chainChanged', data: caipNetworkId }),
  }
}
