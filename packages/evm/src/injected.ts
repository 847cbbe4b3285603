import type { Connection, ConnectionListener, Connector, ConnectRequest, Provider } from '@latchkey/core'
import { isLatchkeyError, LatchkeyError, type AccountId, type ChainId } from '@latchkey/protocol'
import { readAddresses } from './address.ts'
import type { Eip1193Provider } from './eip1193.ts'
import { guardProvider, type GuardedProvider } from './guardedProvider.ts'
import { readChainId } from './networks.ts'

/** A wallet found in the page. */
export type InjectedWallet = { id: string; name: string; icon?: string; rdns?: string; provider: Eip1193Provider }

const revokeMilliseconds = 1_000

/** The way to a wallet that lives in the page. It asks nothing before `connect` or `restore` is called. */
export function injectedConnector({ id, name, icon, rdns, provider: raw }: InjectedWallet): Connector {
  const provider = guardProvider(raw, name)

  async function open(method: 'eth_requestAccounts' | 'eth_accounts'): Promise<Connection | undefined> {
    const addresses = readAddresses(await provider.request({ method }))
    if (addresses === undefined) throw new LatchkeyError('wallet/invalid-answer', { wallet: name, method })
    const chainId = await askChainId(provider, name)
    const [first, ...others] = addresses.map((address): AccountId => `eip155:${referenceOf(chainId)}:${address}`)
    if (first === undefined) return undefined
    return {
      namespace: 'eip155',
      accounts: [first, ...others],
      chainId,
      approvedChains: 'all',
      provider,
      wallet: { name, icon },
      listen: (listener) => listen(raw, provider, chainId, listener),
    }
  }

  return {
    id,
    name,
    type: 'injected',
    icon,
    rdns,
    namespaces: ['eip155'],
    async connect({ signal }: ConnectRequest) {
      const connection = await orAbort(open('eth_requestAccounts').catch(asConnecting(name)), signal)
      if (connection !== undefined) return [connection]
      throw new LatchkeyError('wallet/invalid-answer', { wallet: name, method: 'eth_requestAccounts' })
    },
    async restore({ signal }) {
      const connection = await orAbort(open('eth_accounts'), signal)
      return connection === undefined ? [] : [connection]
    },
    async disconnect() {
      const revoked = provider.request({ method: 'wallet_revokePermissions', params: [{ eth_accounts: {} }] })
      // Many wallets cannot do it, and some never answer what they do not know. Nothing here depends on it.
      await Promise.race([revoked.catch(() => undefined), pause(revokeMilliseconds)])
    },
  }
}

/** What goes wrong while connecting is about the connection, not about a request that the visitor never made. */
function asConnecting(wallet: string): (error: unknown) => never {
  return (error) => {
    if (isLatchkeyError(error, 'request/rejected')) {
      throw new LatchkeyError('connection/rejected', { wallet }, { cause: error.cause })
    }
    if (isLatchkeyError(error, 'request/unknown')) {
      throw new LatchkeyError('wallet/unavailable', { wallet }, { cause: error })
    }
    throw error
  }
}

async function askChainId(provider: Provider, wallet: string): Promise<ChainId> {
  const method = 'eth_chainId'
  const chainId = readChainId(await provider.request({ method }))
  if (chainId === undefined) throw new LatchkeyError('wallet/invalid-answer', { wallet, method })
  return chainId
}

/** Turns the events of EIP-1193 into those of a connection. Garbage in an event is passed over. */
function listen(
  raw: Eip1193Provider,
  provider: GuardedProvider,
  initial: ChainId,
  listener: ConnectionListener,
): () => void {
  let chainId = initial
  let addresses: readonly string[] = []
  const tellAccounts = (): void => {
    const [first, ...others] = addresses.map((address): AccountId => `eip155:${referenceOf(chainId)}:${address}`)
    if (first !== undefined) listener.accountsChanged([first, ...others])
  }
  const events: Readonly<Record<string, (value: unknown) => void>> = {
    accountsChanged(value) {
      const read = readAddresses(value)
      if (read === undefined) return
      addresses = read
      if (read.length === 0) listener.disconnected()
      else tellAccounts()
    },
    chainChanged(value) {
      const read = readChainId(value)
      if (read === undefined || read === chainId) return
      chainId = read
      listener.chainChanged(read)
      void provider
        .request({ method: 'eth_accounts' })
        .then((value) => events['accountsChanged']?.(value))
        .catch(() => undefined)
    },
    // A wallet that lost its own connection often says so and comes back; one that no longer answers is gone.
    disconnect() {
      provider.abandon()
      void provider.request({ method: 'eth_accounts' }).then(
        (value) => events['accountsChanged']?.(value),
        () => listener.disconnected(),
      )
    },
  }
  for (const [event, handle] of Object.entries(events)) raw.on?.(event, handle)
  return () => {
    for (const [event, handle] of Object.entries(events)) raw.removeListener?.(event, handle)
  }
}

function orAbort<result>(promise: Promise<result>, signal: AbortSignal): Promise<result> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(new LatchkeyError('connection/aborted', {}))
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}

function referenceOf(chainId: ChainId): string {
  return chainId.slice(chainId.indexOf(':') + 1)
}
