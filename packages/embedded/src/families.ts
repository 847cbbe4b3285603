import type { AccountType } from '@latchkey/core'
import {
  formatAccountId,
  parseChainId,
  type AccountId,
  type ChainId,
  type FrameUser,
  type Namespace,
} from '@latchkey/protocol'

/** The family whose accounts may be contracts, which a login may choose between. */
const contracts: Namespace = 'eip155'

/** Whether one may choose between two kinds of account on a chain. */
export function hasKinds(chainId: ChainId): boolean {
  return parseChainId(chainId).namespace === contracts
}

/** What `eth_chainId` answers. */
export function hexOf(chainId: ChainId): string {
  return `0x${BigInt(parseChainId(chainId).reference).toString(16)}`
}

/** The account of a user on a chain. */
export function accountOf(user: FrameUser, chainId: ChainId): AccountId {
  return formatAccountId({ chainId, address: user.address })
}

/** Which kind an address is, as far as the frame says. */
export function kindOf(user: FrameUser, namespace: Namespace): AccountType {
  const same = user.accounts?.find(({ address }) => address.toLowerCase() === user.address.toLowerCase())
  return namespace === contracts ? (same?.type ?? user.preferredAccountType ?? 'eoa') : 'eoa'
}
