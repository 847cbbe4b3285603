import type { Namespace } from '@latchkey/protocol'

/** The families that the wallet holds keys of. */
export const families: readonly Namespace[] = ['eip155', 'solana']

/** Before each key of the page's storage. */
export const prefix = '@latchkey/embedded/'
