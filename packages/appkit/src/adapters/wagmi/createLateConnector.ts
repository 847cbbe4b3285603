import type { Latchkey } from '@latchkey/core'
import { latchkeyConnector, type ConnectorParameters, type LatchkeyConnector, type WagmiChain } from '@latchkey/wagmi'
import { currentAppKitMissing } from '../../instance/currentAppKit.ts'

/** A connector of wagmi whose instance is created later. */
export type LateConnector = {
  /** For the `connectors` of wagmi's `createConfig`. */
  create<chain extends WagmiChain>(parameters: ConnectorParameters<chain>): LatchkeyConnector<chain>
  /** Lets the connector use an instance from now on. */
  bind(latchkey: Latchkey): Promise<void>
}

/**
 * Creates the connector of Latchkey for a configuration of wagmi that apps create before `createAppKit`. Until then, it is
 * disconnected.
 */
export function createLateConnector(): LateConnector {
  type Create = (latchkey: Latchkey) => LatchkeyConnector
  let createInner: Create | undefined
  let inner: LatchkeyConnector | undefined
  const bound = (): LatchkeyConnector => {
    if (inner === undefined) throw currentAppKitMissing()
    return inner
  }
  return {
    create(parameters) {
      createInner = (latchkey) => latchkeyConnector(latchkey)(parameters)
      return {
        id: 'latchkey',
        name: 'Latchkey',
        type: 'latchkey',
        setup: async () => {},
        connect: async (options) => bound().connect(options),
        disconnect: async () => bound().disconnect(),
        getAccounts: async () => bound().getAccounts(),
        getChainId: async () => bound().getChainId(),
        getProvider: async () => bound().getProvider(),
        isAuthorized: async () => (await inner?.isAuthorized()) ?? false,
        // The inner connector was created with the same chains.
        switchChain: async (options) => (await bound().switchChain(options)) as (typeof parameters.chains)[number],
        onAccountsChanged() {},
        onChainChanged() {},
        onDisconnect() {},
        getLatchkey: () => bound().getLatchkey(),
      }
    },
    async bind(latchkey) {
      inner = createInner?.(latchkey)
      await inner?.setup()
    },
  }
}
