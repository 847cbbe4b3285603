import type { AccountDetails, Connection, ConnectionListener, EndReason } from '@latchkey/core'
import {
  frameTimes,
  parseAccountId,
  type AccountId,
  type ChainId,
  type FrameUser,
  type Namespace,
} from '@latchkey/protocol'
import { accountOf, kindOf } from './families.ts'
import type { Frame } from './frame.ts'
import { createProvider, type ProviderOptions } from './provider.ts'

/** A consent that stands, and the hands that the connector has in it. */
export type Held = {
  readonly connection: Connection
  readonly namespace: Namespace
  chainId(): ChainId
  /** Takes over who the frame says that the user is; listeners hear of another address. */
  renew(user: FrameUser): void
  /** Tells everybody that it is over. */
  end(reason: EndReason): void
}

type HeldOptions = Pick<ProviderOptions, 'frame' | 'tell'> & {
  readonly namespace: Namespace
  readonly chainId: ChainId
  readonly chains: readonly ChainId[]
  readonly user: FrameUser
  readonly wallet: Connection['wallet']
  /** Asks the frame again who the user is, on this chain. */
  read(chainId: ChainId): Promise<FrameUser>
}

/** Makes the connection of one namespace. */
export function holdConnection(options: HeldOptions): Held {
  const { frame, namespace, chains, wallet } = options
  const listeners = new Set<ConnectionListener>()
  let { chainId, user } = options
  let isOver = false

  const renew = (next: FrameUser): void => {
    const before = accountOf(user, chainId)
    user = next
    const account = accountOf(user, chainId)
    if (account === before) return
    for (const listener of listeners) listener.accountsChanged([account])
  }
  const switchTo = async (next: ChainId): Promise<boolean> => {
    if (!chains.includes(next)) return false
    await moveFrame(frame, next)
    const found = await options.read(next)
    chainId = next
    for (const listener of listeners) listener.chainChanged(next)
    // Another address may be in use there: a contract is not on every chain.
    const isOther = found.address !== user.address
    user = found
    if (isOther) for (const listener of listeners) listener.accountsChanged([accountOf(user, chainId)])
    return true
  }

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
      accounts: [accountOf(user, chainId)],
      chainId,
      approvedChains: chains,
      wallet,
      provider: createProvider({ ...options, chainId: () => chainId, isOver: () => isOver }),
      details: (account) => detailsOf(account, user, namespace),
      switchTo,
      listen(listener) {
        listeners.add(listener)
        return () => void listeners.delete(listener)
      },
    },
  }
}

async function moveFrame(frame: Frame, chainId: ChainId): Promise<void> {
  await frame.ask('SWITCH_NETWORK', { chainId }, { milliseconds: frameTimes.login })
}

function detailsOf(account: AccountId, user: FrameUser, namespace: Namespace): AccountDetails | undefined {
  const { address } = parseAccountId(account)
  return address.toLowerCase() === user.address.toLowerCase() ? { type: kindOf(user, namespace) } : undefined
}
