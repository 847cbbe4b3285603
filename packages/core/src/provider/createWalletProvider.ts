import { parseAccountId, parseChainId, type AccountId, type ChainId, connectionError } from '@latchkey/protocol'
import type { Connection, ConnectionListener, Provider, ProviderEvents } from '../contracts/connector.ts'
import { createProviderRpcError, toProviderRpcError } from './toProviderRpcError.ts'

/** A wallet before its requests and events have the form of EIP-1193. */
export type WalletTransport = {
  /** @throws LatchkeyError */
  request: Provider['request']
  /** The accounts and the chain at the time of the connection. */
  accounts: readonly AccountId[]
  chainId: ChainId
  listen: Connection['listen']
}

/**
 * Creates the provider of a connection in a namespace with EIP-1193. Its errors have the numbers that libraries
 * recognise. It reports the events of the connection while the connection is followed, as an instance does until the
 * wallet or the app ends it.
 *
 * @param transport the requests and events of the wallet
 * @returns the provider for apps, and the `listen` of the connection, which also feeds the provider
 * @example createWalletProvider({ request: provider.request, accounts: [account], chainId, listen: connection.listen })
 */
export function createWalletProvider(transport: WalletTransport): Pick<Connection, 'provider' | 'listen'> {
  const { emit, ...events } = createProviderEvents()
  const reported = { ...transport, accounts: toAddresses(transport.accounts), isConnected: false }
  let subscriberCount = 0

  function reportEnd(): void {
    if (!reported.isConnected) return
    reported.isConnected = false
    emit('disconnect', createProviderRpcError(connectionError('connection/not-connected', {})))
  }

  /** Passes on the events of the wallet. Several subscribers report the same event, and apps receive it once. */
  const withReports = (listener: ConnectionListener): ConnectionListener => ({
    accountsChanged(accounts) {
      const addresses = toAddresses(accounts)
      const isNew = addresses.join() !== reported.accounts.join()
      reported.accounts = addresses
      if (isNew) emit('accountsChanged', addresses)
      listener.accountsChanged(accounts)
    },
    chainChanged(chainId) {
      const isNew = chainId !== reported.chainId
      reported.chainId = chainId
      if (isNew) emit('chainChanged', toHexReference(chainId))
      listener.chainChanged(chainId)
    },
    disconnected(reason) {
      reportEnd()
      listener.disconnected(reason)
    },
  })

  return {
    provider: Object.freeze({ ...events, request: createRequest(transport) }),
    listen(listener) {
      subscriberCount += 1
      const stop = transport.listen(withReports(listener))
      if (!reported.isConnected) emit('connect', { chainId: toHexReference(reported.chainId) })
      reported.isConnected = true
      return () => {
        stop()
        subscriberCount -= 1
        if (subscriberCount === 0) reportEnd()
      }
    },
  }
}

function createRequest({ request }: WalletTransport): Provider['request'] {
  return async (args) => {
    try {
      return await request(args)
    } catch (error) {
      throw toProviderRpcError(error)
    }
  }
}

type EventName = keyof ProviderEvents
type Listener<name extends EventName> = (payload: ProviderEvents[name]) => void

function createProviderEvents() {
  const listeners: { [name in EventName]?: ReadonlyArray<Listener<name>> } = {}
  return {
    on<name extends EventName>(name: name, listener: Listener<name>): void {
      // The key of a mapped type with a type parameter is not resolved in assignments.
      const current: ReadonlyArray<Listener<name>> = listeners[name] ?? []
      Object.assign(listeners, { [name]: [...current, listener] })
    },
    removeListener<name extends EventName>(name: name, listener: Listener<name>): void {
      const current: ReadonlyArray<Listener<name>> = listeners[name] ?? []
      Object.assign(listeners, { [name]: current.filter((each) => each !== listener) })
    },
    emit<name extends EventName>(name: name, payload: ProviderEvents[name]): void {
      for (const listener of listeners[name] ?? []) {
        try {
          listener(payload)
        } catch (error) {
          // An error in the app's listener is reported and does not stop the other listeners.
          console.error(error)
        }
      }
    },
  }
}

function toAddresses(accounts: readonly AccountId[]): readonly string[] {
  return accounts.map((account) => parseAccountId(account).address)
}

/** Formats the chain as EIP-1193 does: the reference as a hexadecimal number. CAIP-2 allows references with letters. */
function toHexReference(chainId: ChainId): string {
  const { reference } = parseChainId(chainId)
  return /^\d+$/.test(reference) ? `0x${BigInt(reference).toString(16)}` : chainId
}
