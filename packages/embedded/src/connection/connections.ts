import type { Connection, EndReason, LoginState } from '@latchkey/core'
import {
  frameTimes,
  isLatchkeyError,
  parseChainId,
  type ChainId,
  type FrameUser,
  type Namespace,
  type Network,
  connectionError,
} from '@latchkey/protocol'
import { createNamespaceConnection, type NamespaceConnection } from './namespaceConnection.ts'
import type { Frame } from '../frame/frame.ts'
import { embeddedNamespaces } from '../embeddedNamespaces.ts'
import { withLoginErrors, toLoginUser } from '../login/loginSteps.ts'
import type { LoginMemory } from '../login/loginMemory.ts'
import type { EmbeddedContext } from '../embeddedContext.ts'
import { isRejection } from './createFrameProvider.ts'
import { toLoginError, FrameRefusedError, type FrameRequestOptions } from '../frame/pendingRequests.ts'

/** The connections of a login, one per namespace. */
export type Connections = {
  /**
   * Requests the user's account in each namespace and connects it.
   *
   * @throws LatchkeyError `connection/rejected`, `embedded/failed` and the frame's own failures
   */
  connect(networks: readonly Network[], options: FrameRequestOptions): Promise<readonly Connection[]>
  /** Reads the user again after the frame reported a change. */
  renew(): Promise<void>
  /** Returns the active network of eip155, the only namespace with two account types. */
  activeEvmChain(): ChainId | undefined
  isConnected(): boolean
  /** Ends all connections. */
  end(reason: EndReason): void
}

type ConnectionsDependencies = Pick<EmbeddedContext, 'name' | 'icon' | 'emit' | 'state' | 'accountType'> & {
  readonly frame: Frame
  readonly memory: LoginMemory
  /** Merges into the login state. */
  change(part: Partial<LoginState>): void
}

const readOptions: FrameRequestOptions = { timeoutMs: frameTimes.login }

/** Creates the connections of a frame, none of them connected. */
export function createConnections(dependencies: ConnectionsDependencies): Connections {
  const { name, memory, state } = dependencies
  const users = createUserRequests(dependencies)
  let connections: readonly NamespaceConnection[] = []

  return {
    async connect(networks, options) {
      try {
        const connected: NamespaceConnection[] = []
        // One after the other: the first may show a consent screen, and its outcome applies to all.
        for (const namespace of embeddedNamespaces) {
          const [chainId, ...others] = chainsOf(networks, namespace)
          if (chainId === undefined) continue
          const user = await users.request(chainId, options)
          connected.push(connectNamespace(dependencies, users, { namespace, user, chains: [chainId, ...others] }))
        }
        connections = connected
        memory.login(state.get().user ?? {})
        return connected.map(({ connection }) => connection)
      } catch (error) {
        throw toConnectionError(error, name)
      }
    },
    async renew() {
      for (const connection of connections) connection.renew(await users.refresh(connection.chainId()))
    },
    activeEvmChain: () => connections.map((connection) => connection.chainId()).find(hasAccountTypes),
    isConnected: () => connections.length > 0,
    end(reason) {
      const ended = connections
      connections = []
      for (const connection of ended) connection.end(reason)
    },
  }
}

/** Requests users from the frame and stores them in the login state. */
type UserRequests = {
  request(chainId: ChainId, options: FrameRequestOptions): Promise<FrameUser>
  /** Reads the user of an existing consent. */
  refresh(chainId: ChainId): Promise<FrameUser>
}

function createUserRequests({ frame, state, accountType, memory, change }: ConnectionsDependencies): UserRequests {
  const load = (chainId: ChainId, options: FrameRequestOptions): Promise<FrameUser> => {
    const type = hasAccountTypes(chainId) ? (state.get().accountType ?? accountType) : undefined
    return frame.request('GET_USER', { chainId, ...(type !== undefined && { preferredAccountType: type }) }, options)
  }
  const apply = async (user: FrameUser, chainId: ChainId): Promise<FrameUser> => {
    change({ user: toLoginUser(user, state.get().user) })
    if (!hasAccountTypes(chainId)) return user
    memory.setChain(chainId)
    const isOffered = (await listSmartNetworks(frame, memory)).includes(Number(parseChainId(chainId).reference))
    change({ accountType: isOffered ? (user.preferredAccountType ?? 'eoa') : undefined })
    return user
  }
  return {
    request: async (chainId, options) => apply(await load(chainId, options), chainId),
    refresh: async (chainId) => apply(await withLoginErrors(load(chainId, readOptions)), chainId),
  }
}

function connectNamespace(
  { frame, name, icon, emit }: ConnectionsDependencies,
  { refresh }: UserRequests,
  {
    namespace,
    user,
    chains,
  }: { namespace: Namespace; user: FrameUser; chains: readonly [ChainId, ...(readonly ChainId[])] },
): NamespaceConnection {
  const [chainId] = chains
  return createNamespaceConnection({
    frame,
    namespace,
    chainId,
    chains,
    user,
    wallet: { name, icon },
    emit,
    read: refresh,
  })
}

/** Returns the networks with both account types: the last known ones if the frame doesn't respond. */
async function listSmartNetworks(frame: Frame, memory: LoginMemory): Promise<readonly number[]> {
  try {
    const response = await frame.request('GET_SMART_ACCOUNT_ENABLED_NETWORKS', undefined, readOptions)
    memory.setSmartNetworks(response.smartAccountEnabledNetworks)
  } catch {
    // Older frames don't know this request.
  }
  return memory.smartNetworks()
}

/** True for chains whose accounts may be contracts: only there a login chooses between account types. */
function hasAccountTypes(chainId: ChainId): boolean {
  return parseChainId(chainId).namespace === 'eip155'
}

function chainsOf(networks: readonly Network[], namespace: Namespace): readonly ChainId[] {
  return networks.filter(({ chainNamespace }) => chainNamespace === namespace).map(({ caipNetworkId }) => caipNetworkId)
}

/** Converts a refused or closed consent into `connection/rejected`. */
export function toConnectionError(error: unknown, wallet: string): unknown {
  if (error instanceof FrameRefusedError) {
    if (isRejection(error)) return connectionError('connection/rejected', { wallet }, { cause: error })
    return toLoginError(error)
  }
  const isClosed = isLatchkeyError(error, 'request/rejected')
  return isClosed ? connectionError('connection/rejected', { wallet }, { cause: error }) : error
}
