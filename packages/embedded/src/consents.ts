import type { Connection, EndReason, LoginState } from '@latchkey/core'
import {
  frameTimes,
  isLatchkeyError,
  LatchkeyError,
  parseChainId,
  type ChainId,
  type FrameUser,
  type Namespace,
  type Network,
} from '@latchkey/protocol'
import { holdConnection, type Held } from './connection.ts'
import { hasKinds } from './families.ts'
import type { Frame } from './frame.ts'
import { families } from './known.ts'
import { said, shownUser } from './login.ts'
import type { LoginMemory } from './memory.ts'
import type { Parts } from './parts.ts'
import { isRejection } from './provider.ts'
import { failedBy, FrameRefused, type AskOptions } from './questions.ts'

/** The connections of a login, one per family. */
export type Consents = {
  /**
   * Asks who the user is in each family, and makes its connection.
   *
   * @throws LatchkeyError `connection/rejected`, `embedded/failed`, and what the frame's own failures are
   */
  hold(networks: readonly Network[], options: AskOptions): Promise<readonly Connection[]>
  /** Asks again, where something changed. */
  renew(): Promise<void>
  /** The network in use of the family whose accounts are of two kinds; undefined where no consent of it is held. */
  chainOfKinds(): ChainId | undefined
  isHeld(): boolean
  /** Those that stand are over. */
  end(reason: EndReason): void
}

const reading: AskOptions = { milliseconds: frameTimes.login }

/** @param change sets a part of what the views are told */
export function createConsents(
  frame: Frame,
  { name, icon, tell, state, accountType }: Parts,
  memory: LoginMemory,
  change: (part: Partial<LoginState>) => void,
): Consents {
  let held: readonly Held[] = []

  const ask = (chainId: ChainId, options: AskOptions): Promise<FrameUser> => {
    const kind = hasKinds(chainId) ? (state.get().accountType ?? accountType) : undefined
    return frame.ask('GET_USER', { chainId, ...(kind !== undefined && { preferredAccountType: kind }) }, options)
  }
  const settleOn = async (user: FrameUser, chainId: ChainId): Promise<void> => {
    change({ user: shownUser(user, state.get().user) })
    if (!hasKinds(chainId)) return
    memory.setChain(chainId)
    const isOffered = (await smartNetworks(frame, memory)).includes(Number(parseChainId(chainId).reference))
    change({ accountType: isOffered ? (user.preferredAccountType ?? 'eoa') : undefined })
  }
  const holdOne = async (
    namespace: Namespace,
    [chainId, ...others]: readonly ChainId[],
    options: AskOptions,
  ): Promise<Held[]> => {
    if (chainId === undefined) return []
    const user = await ask(chainId, options)
    await settleOn(user, chainId)
    const chains = [chainId, ...others]
    const read = async (next: ChainId): Promise<FrameUser> => {
      const found = await said(ask(next, reading))
      await settleOn(found, next)
      return found
    }
    return [holdConnection({ frame, namespace, chainId, chains, user, wallet: { name, icon }, tell, read })]
  }

  return {
    async hold(networks, options) {
      try {
        const fresh: Held[] = []
        // One after the other: the first may ask the visitor, whose answer is good for all.
        for (const namespace of families)
          fresh.push(...(await holdOne(namespace, chainsOf(networks, namespace), options)))
        held = fresh
        memory.login(state.get().user ?? {})
        return fresh.map(({ connection }) => connection)
      } catch (error) {
        throw refusalOf(error, name)
      }
    },
    async renew() {
      for (const one of held) {
        const user = await said(ask(one.chainId(), reading))
        await settleOn(user, one.chainId())
        one.renew(user)
      }
    },
    chainOfKinds: () => held.map((one) => one.chainId()).find(hasKinds),
    isHeld: () => held.length > 0,
    end(reason) {
      const over = held
      held = []
      for (const one of over) one.end(reason)
    },
  }
}

/** The networks with accounts of both kinds; the last that were known where the frame does not say. */
async function smartNetworks(frame: Frame, memory: LoginMemory): Promise<readonly number[]> {
  try {
    const answer = await frame.ask('GET_SMART_ACCOUNT_ENABLED_NETWORKS', undefined, reading)
    memory.setSmartNetworks(answer.smartAccountEnabledNetworks)
  } catch {
    // An older frame has none.
  }
  return memory.smartNetworks()
}

function chainsOf(networks: readonly Network[], namespace: Namespace): readonly ChainId[] {
  return networks.filter(({ chainNamespace }) => chainNamespace === namespace).map(({ caipNetworkId }) => caipNetworkId)
}

/** What a consent that was not given is called. */
export function refusalOf(error: unknown, wallet: string): unknown {
  if (error instanceof FrameRefused) {
    if (isRejection(error)) return new LatchkeyError('connection/rejected', { wallet }, { cause: error })
    return failedBy(error)
  }
  const isClosed = isLatchkeyError(error, 'request/rejected')
  return isClosed ? new LatchkeyError('connection/rejected', { wallet }, { cause: error }) : error
}
