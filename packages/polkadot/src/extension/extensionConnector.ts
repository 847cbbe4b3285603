import { callMethod, requestConnection } from '@latchkey/adapter-kit'
import { type Connection, type Connector, systemClock } from '@latchkey/core'
import { walletTimeouts, withAbort, withTimeout } from '@latchkey/core/internal'
import { getField, type Network, walletError } from '@latchkey/protocol'
import { createConsents } from './consents.ts'
import { createFollowedConnection, type EnabledExtension } from './createFollowedConnection.ts'
import { parseExtensionAccounts } from './extensionAccounts.ts'
import type { DiscoveryOptions, FoundExtension } from './foundExtension.ts'
import { toExtensionError } from './toExtensionError.ts'

/** Creates the connector for an extension. It sends no request before `connect` or `restore`. */
export function extensionConnector({ id, name, raw }: FoundExtension, options: DiscoveryOptions): Connector {
  const { clock = systemClock } = options
  const consents = createConsents(options.storage)
  let live: { leave(): void } | undefined

  function enable(timeoutMs: number): Promise<EnabledExtension> {
    const enabling = enableExtension(raw, options.appName ?? getPageTitle()).catch((error: unknown) => {
      throw toExtensionError('enable', error)
    })
    return withTimeout(clock, timeoutMs, enabling, () => walletError('wallet/unavailable', { wallet: name }))
  }

  function follow(enabled: EnabledExtension, networks: readonly Network[]): Connection {
    live?.leave()
    const onEnd = (): void => consents.remove(id)
    const followed = createFollowedConnection({
      enabled,
      name,
      networks: [...networks, ...options.networks],
      clock,
      onEnd,
    })
    live = followed
    consents.add(id)
    return followed.connection
  }

  return {
    id,
    name,
    type: 'injected',
    namespaces: ['polkadot'],
    async connect({ signal, networks }) {
      const enabled = await requestConnection(name, signal, () => enable(walletTimeouts.approval))
      if (enabled.accounts.length > 0) return [follow(enabled, networks)]
      throw walletError('wallet/no-accounts', { wallet: name })
    },
    async restore({ signal, networks }) {
      if (!consents.has(id)) return []
      const enabled = await withAbort(enable(walletTimeouts.read), signal)
      return enabled.accounts.length === 0 ? [] : [follow(enabled, networks)]
    },
    // Extensions have no request that revokes a consent, so it is only removed here.
    async disconnect() {
      live?.leave()
      live = undefined
      consents.remove(id)
    },
  }
}

async function enableExtension(raw: object, appName: string): Promise<EnabledExtension> {
  const injected = await callMethod(raw, 'enable', appName)
  const accounts = parseExtensionAccounts(await callMethod(getField(injected, 'accounts'), 'get'))
  return { injected, accounts }
}

function getPageTitle(): string {
  const title = typeof document === 'undefined' ? '' : document.title
  return title === '' ? 'This page' : title
}
