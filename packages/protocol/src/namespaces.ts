/** The CAIP-2 namespaces that Latchkey supports. */
export const namespaces = ['eip155', 'solana', 'polkadot', 'bip122'] as const

/** A supported namespace: `eip155`, `solana`, `polkadot` or `bip122`. */
export type Namespace = (typeof namespaces)[number]

/**
 * Returns `true` if a string is a supported namespace.
 *
 * @example if (isNamespace(prefix)) console.log(prefix)
 */
export function isNamespace(value: string): value is Namespace {
  return (namespaces as readonly string[]).includes(value)
}
