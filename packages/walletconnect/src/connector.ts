import { pageStorage, type Connector, type Reach, type Storage } from '@latchkey/core'
import { namespaces, type Namespace } from '@latchkey/protocol'
import type { Client } from './client.ts'
import type { DappOptions } from './dapp.ts'
import { createObservable } from './relayStatus.ts'

export type WalletConnectOptions = DappOptions & {
  /** The chain families to offer to wallets; all that Latchkey knows by default. */
  namespaces?: readonly Namespace[]
}

/**
 * The way to wallets on phones and in other windows: shows a pairing link and talks through a relay, in the
 * WalletConnect v2 protocol. Its cryptography is loaded, and its relay dialled, when a visitor connects or a session is
 * taken up again.
 *
 * @example
 * createLatchkey({
 *   connectors: [walletConnect({ relayUrl: 'wss://relay.example.org/relay', projectId, metadata })],
 *   …
 * })
 */
export function walletConnect(options: WalletConnectOptions): Connector {
  const reach = createObservable<Reach>({ state: 'idle' })
  let loading: Promise<Client> | undefined

  function load(): Promise<Client> {
    loading ??= import('./client.ts').then(
      ({ createClient }) => createClient(options, reach.set),
      (error: unknown) => {
        // A chunk that could not be fetched may be fetched next time.
        loading = undefined
        throw error
      },
    )
    return loading
  }

  return {
    id: 'walletConnect',
    name: 'WalletConnect',
    type: 'walletConnect',
    namespaces: options.namespaces ?? namespaces,
    reach,
    connect: async (request) => (await load()).connect(request),
    restore: async (request) => (await load()).restore(request),
    resume: (request) => (isPending(options.storage) ? load().then((client) => client.resume(request)) : undefined),
    disconnect: async () => (await load()).disconnect(),
  }
}

/** Whether an earlier page has left a proposal, seen without loading anything. */
function isPending(storage: Storage = pageStorage()): boolean {
  try {
    return storage.getItem('@latchkey/walletconnect/proposals') !== undefined
  } catch {
    return false
  }
}
