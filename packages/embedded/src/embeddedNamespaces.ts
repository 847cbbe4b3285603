import type { Namespace } from '@latchkey/protocol'

/** Namespaces of the wallet's keys. */
export const embeddedNamespaces: readonly Namespace[] = ['eip155', 'solana']

/** Prefix of the keys in the page's storage. */
export const storagePrefix = '@latchkey/embedded/'
