import type { Network } from '@latchkey/protocol'
import { isAddress } from 'viem'
import { rpcErrors } from '../../rpcError.ts'
import { decodeRequest } from '../decodeRequest.ts'
import type { NamespaceAdapter } from '../namespaceAdapter.ts'
import { createEvmAccounts } from './evmAccount.ts'
import { chainNumber, createEvmClient, type EvmClient } from './evmClient.ts'
import { createEvmDecoders } from './createEvmDecoders.ts'
import { getEvmBalances } from './getEvmBalances.ts'

/** Creates the wallet's adapter for the namespace eip155. */
export function createEvmAdapter(): NamespaceAdapter {
  const accounts = createEvmAccounts()
  const clients = new Map<string, EvmClient>()
  const decoders = createEvmDecoders(accounts, getClient)

  function getClient(network: Network): EvmClient {
    const client = clients.get(network.caipNetworkId) ?? createEvmClient(network)
    clients.set(network.caipNetworkId, client)
    return client
  }

  return {
    namespace: 'eip155',
    accounts,
    methods: Object.keys(decoders),
    events: ['accountsChanged', 'chainChanged'],
    async getBalances(network, tokens, address) {
      if (!isAddress(address)) throw rpcErrors.invalid('the address is malformed')
      return getEvmBalances(getClient(network), network, tokens, address)
    },
    decode: (request) => decodeRequest(decoders, request),
    async signIn({ address }, text) {
      const account = accounts.find((each) => each.address === address)
      if (account === undefined) throw rpcErrors.unauthorized(address)
      return account.signer.signMessage({ message: text })
    },
    accountEvent: (address, chainId) => ({ name: 'accountsChanged', data: [`${chainId}:${address}`] }),
    networkEvent: (network) => ({ name: 'chainChanged', data: chainNumber(network) }),
  }
}
