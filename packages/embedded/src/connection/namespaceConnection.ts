import type { AccountDetails, AccountType, Connection, ConnectionListener, EndReason } from '@latchkey/core'
import { createWalletProvider } from '@latchkey/core/internal'
import {
  frameTimes,
  formatAccountId,
  parseAccountId,
  type AccountId,
  type ChainId,
  type FrameUser,
  type Namespace,
} from '@latchkey/protocol'
import type { Frame } from '../frame/frame.ts'
import { createFrameProvider, type FrameProviderOptions } from './createFrameProvider.ts'

/** The connection of one namespace, and the connector's control over it. */
export type NamespaceConnection = {
  readonly connection: Connection
  readonly namespace: Namespace
  chainId(): ChainId
  /** Applies the user from the frame. Listeners receive a changed address. */
  renew(user: FrameUser): void
  /** Ends the connection and notifies its listeners. */
  end(reason: EndReason): void
}

type NamespaceConnectionOptions = Pick<FrameProviderOptions, 'frame' | 'emit'> & {
  readonly namespace: Namespace
  readonly chainId: ChainId
  readonly chains: readonly ChainId[]
  readonly user: FrameUser
  readonly wallet: Connection['wallet']
  /** Reads the user on a chain again. */
  read(chainId: ChainId): Promise<FrameUser>
}

/** Creates the connection of one namespace. */
export function createNamespaceConnection(options: NamespaceConnectionOptions): NamespaceConnection {
  const { frame, namespace, chains, wallet } = options
  const listeners = new Set<ConnectionListener>()
  let { chainId, user } = options
  let isOver = false

  const renew = (next: FrameUser): void => {
    const before = toAccountId(user, chainId)
    user = next
    const account = toAccountId(user, chainId)
    if (account === before) return
    for (const listener of listeners) listener.accountsChanged([account])
  }
  const switchTo = async (next: ChainId): Promise<boolean> => {
    if (!chains.includes(next)) return false
    await moveFrame(frame, next)
    const found = await options.read(next)
    chainId = next
    for (const listener of listeners) listener.chainChanged(next)
    // The address may differ: a contract doesn't exist on every chain.
    const isOther = found.address !== user.address
    user = found
    if (isOther) for (const listener of listeners) listener.accountsChanged([toAccountId(user, chainId)])
    return true
  }

  const { request } = createFrameProvider({ ...options, chainId: () => chainId, isOver: () => isOver })
  const listen: Connection['listen'] = (listener) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }
  const accounts = [toAccountId(user, chainId)] as const
  const exposed =
    namespace === 'eip155'
      ? createWalletProvider({ request, accounts, chainId, listen })
      : { provider: { request }, listen }

  return {
    namespace,
    chainId: () => chainId,
    renew,
    end(reason) {
      isOver = true
      for (const listener of listeners) listener.disconnected(reason)
    },
    connection: {
      namespace,
      accounts,
      chainId,
      approvedChains: chains,
      wallet,
      details: (account) => detailsOf(account, user, namespace),
      switchTo,
      ...exposed,
    },
  }
}

async function moveFrame(frame: Frame, chainId: ChainId): Promise<void> {
  await frame.request('SWITCH_NETWORK', { chainId }, { timeoutMs: frameTimes.login })
}

function detailsOf(account: AccountId, user: FrameUser, namespace: Namespace): AccountDetails | undefined {
  const { address } = parseAccountId(account)
  return address.toLowerCase() === user.address.toLowerCase() ? { type: typeOfAddress(user, namespace) } : undefined
}

function toAccountId({ address }: FrameUser, chainId: ChainId): AccountId {
  return formatAccountId({ chainId, address })
}

/** Returns the type of the user's address as the frame reports it. */
function typeOfAddress(user: FrameUser, namespace: Namespace): AccountType {
  if (namespace !== 'eip155') return 'eoa'
  const current = user.accounts?.find(({ address }) => address.toLowerCase() === user.address.toLowerCase())
  return current?.type ?? user.preferredAccountType ?? 'eoa'
}
