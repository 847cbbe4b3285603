import type { ChainId, Namespace } from '@latchkey/protocol'

/** What an app asks a wallet to allow. */
export type Vocabulary = { readonly methods: readonly string[]; readonly events: readonly string[] }

const evmMethods = [
  'eth_accounts',
  'eth_requestAccounts',
  'eth_sendTransaction',
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

/** What wallets of any namespace tell. */
const events = ['accountsChanged', 'chainChanged']

/** What an app asks a wallet to allow, per namespace. */
export const vocabulary: { readonly [namespace in Namespace]: Vocabulary } = {
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

/** Whether a method changes and signs nothing, though wallets may ask their owner before they answer. */
export function onlyTells(method: string): boolean {
  return method === 'getAccountAddresses'
}

/** The namespace of the sign-ins that are known here: messages of EIP-4361, signatures of EIP-191 and of contracts. */
export const signInNamespace = 'eip155'

/** Whether wallets of a namespace are asked in the methods and events of EIP-1193. */
export function speaksEip1193(namespace: Namespace): boolean {
  return namespace === 'eip155'
}

/** Reads a chain as wallets of eip155 write it: `1`, `'1'`, `'0x1'` or `'eip155:1'`. */
export function readEvmChain(value: unknown): ChainId | undefined {
  const text = String(value).replace(/^eip155:/, '')
  return /^(?:0x[0-9a-f]{1,16}|\d{1,19})$/i.test(text) ? `eip155:${BigInt(text)}` : undefined
}
