/** The chain families that Latchkey knows, by their CAIP-2 namespace. */
export const namespaces = ['eip155', 'solana', 'polkadot', 'bip122'] as const

/** One chain family: `eip155`, `solana`, `polkadot` or `bip122`. */
export type Namespace = (typeof namespaces)[number]

/** Whether a text names a chain family that Latchkey knows. */
export function isNamespace(value: string): value is Namespace {
  return (namespaces as readonly string[]).includes(value)
}
