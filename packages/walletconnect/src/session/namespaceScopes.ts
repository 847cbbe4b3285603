import type { ChainId, Namespace } from '@latchkey/protocol'

/** The methods and events of a namespace. */
export type NamespaceScope = { readonly methods: readonly string[]; readonly events: readonly string[] }

const evmMethods = [
  'eth_accounts',
  'eth_requestAccounts',
  'eth_sendTransaction',
  'eth_signTransaction',
  'eth_signTypedData_v4',
  'personal_sign',
  'wallet_addEthereumChain',
  'wallet_getAssets',
  'wallet_getCallsStatus',
  'wallet_getCapabilities',
  'wallet_grantPermissions',
  'wallet_revokePermissions',
  'wallet_sendCalls',
  'wallet_switchEthereumChain',
  'wallet_watchAsset',
]

/** The events of all namespaces. */
const events = ['accountsChanged', 'chainChanged']

/** The methods and events that an app requests by default. Namespaces that are not listed have none. */
export const namespaceScopes: { readonly [namespace in Namespace]?: NamespaceScope } = {
  eip155: { methods: evmMethods, events },
  solana: {
    methods: [
      'solana_signAllTransactions',
      'solana_signAndSendTransaction',
      'solana_signMessage',
      'solana_signTransaction',
    ],
    events,
  },
  polkadot: { methods: ['polkadot_signMessage', 'polkadot_signTransaction'], events },
  bip122: {
    methods: ['getAccountAddresses', 'sendTransfer', 'signMessage', 'signPsbt'],
    events: [...events, 'bip122_addressesChanged'],
  },
}

/** Returns the methods and events that an app requests by default in a namespace. */
export function getNamespaceScope(namespace: Namespace): NamespaceScope {
  return namespaceScopes[namespace] ?? { methods: [], events: [] }
}

/** True for methods that neither change nor sign anything, although a wallet may ask its user first. */
export function isAccountQuery(method: string): boolean {
  return method === 'getAccountAddresses'
}

/** The only namespace of sign-ins: messages of EIP-4361, signatures of EIP-191 and of contracts. */
export const signInNamespace = 'eip155'

/** True if the wallets of a namespace use the methods and events of EIP-1193. */
export function usesEip1193(namespace: Namespace): boolean {
  return namespace === 'eip155'
}

/** Parses a chain id of an eip155 wallet: `1`, `'1'`, `'0x1'` or `'eip155:1'`. */
export function parseEvmChainId(value: unknown): ChainId | undefined {
  const text = String(value).replace(/^eip155:/, '')
  return /^(?:0x[0-9a-f]{1,16}|\d{1,19})$/i.test(text) ? `eip155:${BigInt(text)}` : undefined
}
