import type { AccountId, ChainId } from '@latchkey/protocol'
import { listAccountsOnChain, listUsableChains, type SessionNamespace } from '../session/sessionNamespaces.ts'

/** The selected chain and accounts of a connection. Replaced as a whole. */
export type ConnectionSelection = {
  /** The wallet's approval for the namespace. */
  readonly scope: SessionNamespace
  readonly chainId: ChainId
  /** The accounts on that chain. The first is the selected one. */
  readonly accounts: readonly [AccountId, ...AccountId[]]
}

/**
 * Selects the chain and accounts of a connection.
 *
 * @param scope the wallet's approval for the namespace
 * @param preferredChain selected if the wallet approved it; otherwise the first of `offered`
 * @param preferredAccount a CAIP-10 id or an address; becomes the first account
 * @returns `undefined` if the wallet approved no account
 */
export function selectAccounts(
  scope: SessionNamespace | undefined,
  preferredChain: ChainId | undefined,
  preferredAccount: string | undefined,
  offered: readonly ChainId[],
): ConnectionSelection | undefined {
  if (scope === undefined) return undefined
  const usable = listUsableChains(scope)
  const preferred = [preferredChain, ...offered].find((chain) => chain !== undefined && usable.includes(chain))
  const chainId = preferred ?? usable[0]
  if (chainId === undefined) return undefined
  // The parser of sessions has checked that these are CAIP-10 ids.
  const approved = [...new Set(listAccountsOnChain(scope, chainId))] as AccountId[]
  const isPreferred = (account: AccountId): boolean =>
    preferredAccount !== undefined && comparableAddress(account) === comparableAddress(preferredAccount)
  const [first, ...others] = [...approved.filter(isPreferred), ...approved.filter((account) => !isPreferred(account))]
  return first === undefined ? undefined : { scope, chainId, accounts: [first, ...others] }
}

/** Returns the address of a CAIP-10 id or of a plain address, for comparison: wallets differ in the case of hex. */
function comparableAddress(account: string): string {
  const address = account.slice(account.lastIndexOf(':') + 1)
  return address.startsWith('0x') ? address.toLowerCase() : address
}
