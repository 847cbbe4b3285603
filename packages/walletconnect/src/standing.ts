import type { AccountId, ChainId } from '@latchkey/protocol'
import { accountsOn, usableChains, type SessionNamespace } from './grants.ts'

/** Where a connection stands; replaced whole. */
export type Standing = {
  readonly grant: SessionNamespace
  readonly chainId: ChainId
  /** On that chain; the first is the selected one. */
  readonly accounts: readonly [AccountId, ...AccountId[]]
}

/** The chain and accounts that follow from a grant and two wishes; nothing when it has no account. */
export function standingOf(
  grant: SessionNamespace | undefined,
  wantedChain: ChainId | undefined,
  wantedAccount: string | undefined,
  offered: readonly ChainId[],
): Standing | undefined {
  if (grant === undefined) return undefined
  const usable = usableChains(grant)
  const wished = [wantedChain, ...offered].find((chain) => chain !== undefined && usable.includes(chain))
  const chainId = wished ?? usable[0]
  if (chainId === undefined) return undefined
  // The session was read by rules of CAIP-10 that these literals repeat.
  const approved = [...new Set(accountsOn(grant, chainId))] as AccountId[]
  const isWanted = (account: AccountId): boolean =>
    wantedAccount !== undefined && addressOf(account) === addressOf(wantedAccount)
  const [head, ...others] = [...approved.filter(isWanted), ...approved.filter((account) => !isWanted(account))]
  return head === undefined ? undefined : { grant, chainId, accounts: [head, ...others] }
}

/** The address in a CAIP-10 id or in a plain address, for comparing: wallets differ in the case of hex. */
function addressOf(account: string): string {
  const address = account.slice(account.lastIndexOf(':') + 1)
  return address.startsWith('0x') ? address.toLowerCase() : address
}
