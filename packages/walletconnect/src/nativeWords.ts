import type { Namespace } from '@latchkey/protocol'

/** What the parameter is called that names who signs, where there is one for all methods of a namespace. */
export const signerParameter: { readonly [namespace in Namespace]?: string } = {
  solana: 'pubkey',
  polkadot: 'address',
  bip122: 'account',
}

/** By what a wallet says of accounts what their addresses do not: the answer to a method, an event, a session property. */
export type NoteWords = { readonly method: string; readonly event: string; readonly property: string }

/** Where wallets say more of accounts than their addresses. */
export const noteWords: { readonly [namespace in Namespace]?: NoteWords } = {
  bip122: {
    method: 'getAccountAddresses',
    event: 'bip122_addressesChanged',
    property: 'bip122_getAccountAddresses',
  },
}
