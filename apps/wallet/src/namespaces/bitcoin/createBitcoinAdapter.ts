import { decodeRequest } from '../decodeRequest.ts'
import type { Account, NamespaceAdapter } from '../namespaceAdapter.ts'
import { createBitcoinAccounts, type BitcoinAccount } from './bitcoinAccount.ts'
import { createBitcoinDecoders } from './createBitcoinDecoders.ts'
import { listUnspentOutputs } from './requestEsplora.ts'

/** Creates the wallet's adapter for the namespace bip122. */
export function createBitcoinAdapter(): NamespaceAdapter {
  const accounts = createBitcoinAccounts()
  const decoders = createBitcoinDecoders(accounts)
  return {
    namespace: 'bip122',
    accounts,
    methods: Object.keys(decoders),
    events: ['accountsChanged', 'chainChanged', 'bip122_addressesChanged'],
    async getBalances(network, _, address) {
      const amount = (await listUnspentOutputs(network, address)).reduce((sum, output) => sum + output.amount, 0n)
      return [{ asset: 'native', ...network.nativeCurrency, amount }]
    },
    decode: (request) => decodeRequest(decoders, request),
    sessionProperties: (shared) => ({ bip122_getAccountAddresses: JSON.stringify(listAddresses(accounts, shared)) }),
    accountEvent: (address, chainId) => ({ name: 'accountsChanged', data: [`${chainId}:${address}`] }),
    networkEvent: ({ caipNetworkId }) => ({ name: 'chainChanged', data: caipNetworkId }),
  }
}

/** Describes the addresses of the shared accounts, so that apps need no request for them. */
function listAddresses(accounts: readonly BitcoinAccount[], shared: readonly Account[]): object[] {
  const own = accounts.filter(({ address }) => shared.some((each) => each.address === address))
  return own.flatMap(({ keys }) =>
    keys.map(({ address, publicKey, path, intention }) => ({ address, publicKey, path, intention })),
  )
}
