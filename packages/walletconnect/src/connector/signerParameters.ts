import type { Namespace } from '@latchkey/protocol'

/** The parameter with the signing account, if all methods of a namespace share one. */
export const signerParameters: { readonly [namespace in Namespace]?: string } = {
  solana: 'pubkey',
  polkadot: 'address',
  bip122: 'account',
}

/** The sources of account details in addition to addresses: the response to a method, an event, a session property. */
export type AccountDetailsSource = { readonly method: string; readonly event: string; readonly property: string }

/** The sources of account details, per namespace. */
export const accountDetailsSources: { readonly [namespace in Namespace]?: AccountDetailsSource } = {
  bip122: {
    method: 'getAccountAddresses',
    event: 'bip122_addressesChanged',
    property: 'bip122_getAccountAddresses',
  },
}
