import { classifyMethod, isNamespace, LatchkeyError, parseChainId, type ChainId } from '@latchkey/protocol'
import type { SessionConnection } from '../connection.ts'
import { walletConnectError } from '../errors.ts'
import { speaksEip1193, vocabulary } from '../namespaces.ts'
import { inBackground } from '../promise.ts'
import type { Session } from '../session.ts'
import { capabilityMethod, settledCapabilities } from './capabilities.ts'
import { createEmitter, type Emitter } from './emitter.ts'
import type { Rpc, RpcRequest } from './rpc.ts'

/** What changes while a session stands. */
export type NamespaceEvents = {
  /** The addresses, the selected one first. */
  accountsChanged: readonly string[]
  /** The current chain: hex where EIP-1193 is spoken, a CAIP-2 id elsewhere. */
  chainChanged: string
}

/** A session's part for one chain family. */
export type NamespaceProvider = Emitter<NamespaceEvents> & {
  readonly namespace: string
  /** The chain that requests go to while nothing else is said. */
  readonly chainId: ChainId
  /** The accounts on that chain (CAIP-10), the selected one first. */
  readonly accounts: readonly string[]
  /**
   * Answers what the session knows, asks the wallet what is a wallet's to do, and a node the rest. A method that signs
   * never reaches a node, also when the wallet did not approve it.
   *
   * @param chainId one of this namespace; the current one by default
   * @param expiry how long the wallet may take, in seconds
   * @throws LatchkeyError those of a connector's provider, `connection/not-connected` when the session is over,
   * `namespace/not-configured` when the wallet took the namespace back, `network/unsupported` for a chain that it did not
   * approve, `network/not-found`, `rpc/failed` or `rpc/unreachable` from the reading of a chain.
   */
  request(request: RpcRequest, chainId?: ChainId, expiry?: number): Promise<unknown>
  /** Makes an approved chain the current one. @throws LatchkeyError `network/unsupported`. */
  setDefaultChain(chainId: ChainId): void
}

/** What the EIP-1193 face of a session answers itself. */
const localMethods: readonly string[] = [
  'eth_accounts',
  'eth_chainId',
  'eth_requestAccounts',
  'wallet_switchEthereumChain',
]

/** Methods that sign or manage a wallet, in all chain families: what they carry is not for nodes to see. */
const walletWords = /(?:^|_)sign|^(?:wallet|personal)_/

type NamespaceParts = {
  namespace: string
  connection: SessionConnection
  rpc: Rpc
  /** The session as it is now; nothing when it is over. */
  session(): Session | undefined
}

/** Makes the part of one namespace, on the connection that a session has for it. */
export function createNamespaceProvider({ namespace, connection, rpc, session }: NamespaceParts): NamespaceProvider {
  const { emit, ...events } = createEmitter<NamespaceEvents>()
  const capabilities = new Map<string, Promise<unknown>>()

  connection.listen({
    accountsChanged: (accounts) => emit('accountsChanged', accounts.map(addressOf)),
    chainChanged: (chainId) => emit('chainChanged', spokenChain(chainId)),
    disconnected() {},
  })

  function getCapabilities(standing: Session, request: RpcRequest, ...rest: [ChainId?, number?]): Promise<unknown> {
    const key = JSON.stringify(request.params ?? []).toLowerCase()
    const known = capabilities.get(key)
    if (known !== undefined) return known
    const told = settledCapabilities(standing, request.params)
    if (told !== undefined) return Promise.resolve(told)
    const asked = connection.ask(request, ...rest)
    capabilities.set(key, asked)
    inBackground(asked.catch(() => capabilities.delete(key)))
    return asked
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
      const standing = session()
      if (standing === undefined) throw new LatchkeyError('connection/not-connected', {})
      if (standing.namespaces[namespace] === undefined)
        throw walletConnectError('namespace/not-configured', { namespace })
      if (isEip1193(namespace) && localMethods.includes(method)) return connection.provider.request(request)
      if (method === capabilityMethod) return getCapabilities(standing, request, chainId, expiry)
      if (isForWallet(method, standing, namespace)) return connection.ask(request, chainId, expiry)
      return rpc.ask(chainId, request)
    },
    setDefaultChain(chainId) {
      if (!connection.switchTo(chainId)) throw walletConnectError('network/unsupported', { chainId })
    },
  }
}

/** A chain in the words of its namespace: hex where EIP-1193 is spoken, the CAIP-2 id elsewhere. */
export function spokenChain(chainId: ChainId): string {
  const { namespace, reference } = parseChainId(chainId)
  // CAIP-2 lets a wallet grant a chain of letters, which has no hex.
  return isEip1193(namespace) && /^\d+$/.test(reference) ? `0x${BigInt(reference).toString(16)}` : chainId
}

/** The address in a CAIP-10 id, of namespaces that Latchkey does not know too. */
export function addressOf(account: string): string {
  return account.slice(account.lastIndexOf(':') + 1)
}

function isEip1193(namespace: string): boolean {
  return isNamespace(namespace) && speaksEip1193(namespace)
}

/** Whether a method is the wallet's to answer. A read is a node's, though a wallet lists it: phones sleep. */
function isForWallet(method: string, { namespaces, optionalNamespaces }: Session, namespace: string): boolean {
  const isWord = Object.values(vocabulary).some(({ methods }) => methods.includes(method))
  if (isWord || optionalNamespaces[namespace]?.methods.includes(method) || walletWords.test(method)) return true
  const kind = classifyMethod(method)
  return kind === 'unsafe' || (kind === 'unknown' && namespaces[namespace]?.methods.includes(method) === true)
}
