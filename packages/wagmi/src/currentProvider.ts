import type { Latchkey, Provider, ProviderEvents } from '@latchkey/core'
import { toProviderRpcError } from '@latchkey/core/internal'
import { connectionError } from '@latchkey/protocol'
import { numberToHex } from 'viem'
import { getConnectionSnapshot, type ConnectionSnapshot } from './connectionSnapshot.ts'

/** A provider that can report events. */
export type CurrentProvider = {
  readonly provider: Provider
  /** Reports what changed between two states of the connection. */
  report(before: ConnectionSnapshot | undefined, after: ConnectionSnapshot | undefined): void
}

type Listeners = { [name in keyof ProviderEvents]: Set<(payload: ProviderEvents[name]) => void> }

/**
 * Creates a provider of EIP-1193 for the wallet that is connected at the time of each request. wagmi keeps the provider
 * of a connector, even after the user connects another wallet.
 */
export function createCurrentProvider(latchkey: Pick<Latchkey, 'wallet'>): CurrentProvider {
  const listeners: Listeners = {
    accountsChanged: new Set(),
    chainChanged: new Set(),
    connect: new Set(),
    disconnect: new Set(),
  }

  function emit<name extends keyof ProviderEvents>(name: name, payload: ProviderEvents[name]): void {
    for (const listener of listeners[name]) {
      try {
        listener(payload)
      } catch (error) {
        // An error in the app's listener is reported and does not stop the other listeners.
        console.error(error)
      }
    }
  }

  return {
    provider: Object.freeze({
      async request(args) {
        const current = getConnectionSnapshot(latchkey)
        if (current === undefined) throw createNotConnectedError()
        return current.provider.request(args)
      },
      on: (name, listener) => void listeners[name].add(listener),
      removeListener: (name, listener) => void listeners[name].delete(listener),
    } satisfies Provider),
    report(before, after) {
      if (after === undefined) {
        if (before !== undefined) emit('disconnect', createNotConnectedError())
        return
      }
      if (before === undefined) emit('connect', { chainId: numberToHex(after.chainId) })
      if (before?.chainId !== after.chainId) emit('chainChanged', numberToHex(after.chainId))
      if (before?.accounts.join() !== after.accounts.join()) emit('accountsChanged', after.accounts)
    },
  }
}

/** The error 4900 of EIP-1193. */
function createNotConnectedError(): ProviderEvents['disconnect'] {
  return toProviderRpcError(connectionError('connection/not-connected', {})) as ProviderEvents['disconnect']
}
