import { requestFromWallet } from '@latchkey/core/internal'
import { classifyMethod, isNamespace, parseChainId, type ChainId, connectionError } from '@latchkey/protocol'
import type { SessionConnection } from '../connector/sessionConnection.ts'
import { walletConnectError } from '../walletConnectError.ts'
import { providerError } from './providerError.ts'
import { usesEip1193, namespaceScopes } from '../session/namespaceScopes.ts'
import { runInBackground } from '../primitives/withResolvers.ts'
import type { Session } from '../session/session.ts'
import { capabilityMethod, getSettledCapabilities } from './getSettledCapabilities.ts'
import { createEmitter, type Emitter } from './emitter.ts'
import type { RpcClient, RpcRequest } from './rpcClient.ts'

/** The events of a namespace. */
export type NamespaceEvents = {
  /** The addresses, the selected one first. */
  accountsChanged: readonly string[]
  /** The current chain: hex in namespaces with EIP-1193, otherwise a CAIP-2 id. */
  chainChanged: string
}

/** The provider of one namespace of a session. */
export type NamespaceProvider = Emitter<NamespaceEvents> & {
  readonly namespace: string
  /** The default chain of requests. */
  readonly chainId: ChainId
  /** The accounts on that chain (CAIP-10), the selected one first. */
  readonly accounts: readonly string[]
  /**
   * Responds from the session, or sends the request to the wallet or to a node. A method that signs is never sent to a
   * node, even if the wallet did not approve it.
   *
   * @param chainId a chain of this namespace. Defaults to the current one.
   * @param expiry timeout of the wallet's response, in seconds
   * @throws LatchkeyError those of a connector's provider, `connection/not-connected` if the session is over,
   * `namespace/not-configured` if the wallet removed the namespace, `network/unsupported` for a chain that it did not
   * approve, and `network/not-found`, `rpc/failed` or `rpc/unreachable` from a node
   */
  request(request: RpcRequest, chainId?: ChainId, expiry?: number): Promise<unknown>
  /** Selects an approved chain. @throws LatchkeyError `network/unsupported` */
  setDefaultChain(chainId: ChainId): void
}

/** The methods that the session handles without the wallet. */
const localMethods: readonly string[] = [
  'eth_accounts',
  'eth_chainId',
  'eth_requestAccounts',
  'wallet_switchEthereumChain',
]

/** Methods that sign or manage a wallet, in all namespaces. Nodes must not see their parameters. */
const walletMethodPattern = /(?:^|_)sign|^(?:wallet|personal)_/

type NamespaceProviderDependencies = {
  namespace: string
  connection: SessionConnection
  rpc: RpcClient
  /** Returns the current session, or `undefined` if it is over. */
  session(): Session | undefined
}

/** Creates the provider of a namespace on a connection of a session. */
export function createNamespaceProvider({
  namespace,
  connection,
  rpc,
  session,
}: NamespaceProviderDependencies): NamespaceProvider {
  const { emit, ...events } = createEmitter<NamespaceEvents>()
  const capabilities = new Map<string, Promise<unknown>>()

  connection.listen({
    accountsChanged: (accounts) => emit('accountsChanged', accounts.map(addressOfAccount)),
    chainChanged: (chainId) => emit('chainChanged', formatEventChainId(chainId)),
    disconnected() {},
  })

  function getCapabilities(current: Session, request: RpcRequest, ...rest: [ChainId?, number?]): Promise<unknown> {
    const key = JSON.stringify(request.params ?? []).toLowerCase()
    const known = capabilities.get(key)
    if (known !== undefined) return known
    const settled = getSettledCapabilities(current, request.params)
    if (settled !== undefined) return Promise.resolve(settled)
    const requested = connection.request(request, ...rest)
    capabilities.set(key, requested)
    runInBackground(requested.catch(() => capabilities.delete(key)))
    return requested
  }

  return {
    ...events,
    namespace,
    get chainId() {
      return connection.chainId
    },
    get accounts() {
      return connection.accounts
    },
    async request(request, chainId = connection.chainId, expiry) {
      const { method } = request
      const current = session()
      if (current === undefined) throw connectionError('connection/not-connected', {})
      if (current.namespaces[namespace] === undefined) {
        throw providerError('namespace/not-configured', { namespace })
      }
      if (isEip1193Namespace(namespace) && localMethods.includes(method)) {
        return requestFromWallet(connection, request)
      }
      if (method === capabilityMethod) return getCapabilities(current, request, chainId, expiry)
      if (isWalletMethod(method, current, namespace)) return connection.request(request, chainId, expiry)
      return rpc.request(chainId, request)
    },
    setDefaultChain(chainId) {
      if (!connection.switchTo(chainId)) throw walletConnectError('network/unsupported', { chainId })
    },
  }
}

/** Formats a chain for events: hex in namespaces with EIP-1193, otherwise the CAIP-2 id. */
export function formatEventChainId(chainId: ChainId): string {
  const { namespace, reference } = parseChainId(chainId)
  // CAIP-2 allows chain references with letters, which have no hex form.
  return isEip1193Namespace(namespace) && /^\d+$/.test(reference) ? `0x${BigInt(reference).toString(16)}` : chainId
}

/** Returns the address of a CAIP-10 id, including in namespaces that Latchkey does not know. */
export function addressOfAccount(account: string): string {
  return account.slice(account.lastIndexOf(':') + 1)
}

function isEip1193Namespace(namespace: string): boolean {
  return isNamespace(namespace) && usesEip1193(namespace)
}

/** True if the wallet must handle a method. Reads go to a node even if the wallet supports them: phones sleep. */
function isWalletMethod(method: string, { namespaces, optionalNamespaces }: Session, namespace: string): boolean {
  const isKnownMethod = Object.values(namespaceScopes).some(({ methods }) => methods.includes(method))
  if (isKnownMethod || optionalNamespaces[namespace]?.methods.includes(method) || walletMethodPattern.test(method))
    return true
  const kind = classifyMethod(method)
  return kind === 'unsafe' || (kind === 'unknown' && namespaces[namespace]?.methods.includes(method) === true)
}
