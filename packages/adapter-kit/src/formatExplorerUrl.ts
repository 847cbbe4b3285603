import type { Network } from '@latchkey/protocol'

/** The path segments that a block explorer uses, `address` and `tx` by default. */
export type ExplorerPaths = { address: string; transaction: string }

/**
 * The page of a network's block explorer for an address or a transaction.
 *
 * @returns the URL, or `undefined` if the network has no explorer
 * @example formatExplorerUrl(network, { transaction: hash })
 */
export function formatExplorerUrl(
  { blockExplorers }: Network,
  target: { address: string } | { transaction: string },
  { address = 'address', transaction = 'tx' }: Partial<ExplorerPaths> = {},
): string | undefined {
  if (blockExplorers === undefined) return undefined
  const path = 'address' in target ? `${address}/${target.address}` : `${transaction}/${target.transaction}`
  return `${blockExplorers.default.url.replace(/\/$/, '')}/${path}`
}
