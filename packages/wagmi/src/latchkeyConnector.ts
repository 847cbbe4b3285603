import { connect, disconnect, start, switchNetwork, type Latchkey, type Provider } from '@latchkey/core'
import { modalOf, openModal } from '@latchkey/modal'
import { SwitchChainError, type Address } from 'viem'
import {
  getConnectionSnapshot,
  isSameConnection,
  requireSnapshot,
  type ConnectionSnapshot,
} from './connectionSnapshot.ts'
import { connectWithModal, type ModalAccess } from './connectWithModal.ts'
import { createWalletActions } from './createWalletActions.ts'
import { createCurrentProvider } from './currentProvider.ts'
import type { ConnectorParameters, WagmiChain, WagmiEmitter } from './wagmiConfig.ts'

export type LatchkeyConnectorOptions = {
  /**
   * The id of the wallet to connect, such as `io.metamask` or `walletConnect`. Without it, connecting opens the modal, which
   * `LatchkeyProvider` renders.
   */
  wallet?: string
}

/** The connector that wagmi receives. Its members are those that wagmi documents. */
export type LatchkeyConnector<chain extends WagmiChain = WagmiChain> = {
  readonly id: string
  readonly name: string
  readonly type: 'latchkey'
  setup(): Promise<void>
  connect(parameters?: {
    chainId?: number | undefined
    isReconnecting?: boolean | undefined
    withCapabilities?: boolean | undefined
  }): Promise<{
    /** Addresses, or addresses with capabilities, as requested. wagmi derives the type from its own parameters. */
    accounts: never
    chainId: number
  }>
  disconnect(): Promise<void>
  getAccounts(): Promise<readonly Address[]>
  getChainId(): Promise<number>
  getProvider(): Promise<Provider>
  isAuthorized(): Promise<boolean>
  switchChain(parameters: { chainId: number }): Promise<chain>
  onAccountsChanged(): void
  onChainChanged(): void
  onDisconnect(): void
  /** The instance that makes the connections. A function, because wagmi stores and compares the values of connectors. */
  getLatchkey(): Latchkey
}

/** The type of the connector in the state of wagmi. */
export const connectorType = 'latchkey'

/**
 * Creates the connector that makes Latchkey the source of every connection of wagmi 2 or 3. wagmi then has one
 * connection: the wallet that is connected in eip155. Connecting, switching and disconnecting work from both sides.
 *
 * @param latchkey the instance, with an adapter for eip155
 * @param options the wallet to connect, if the app does not use the modal
 * @returns a function for the `connectors` of wagmi's `createConfig`
 * @throws LatchkeyError from `connect`: `wagmi/modal-missing` if nothing renders the modal, and the errors of Latchkey's
 * `connect`; UserRejectedRequestError of viem if the user declines or closes the modal
 * @example const connectors = [latchkeyConnector(latchkey)]
 */
export function latchkeyConnector(
  latchkey: Latchkey,
  { wallet }: LatchkeyConnectorOptions = {},
): <chain extends WagmiChain>(parameters: ConnectorParameters<chain>) => LatchkeyConnector<chain> {
  const modal: ModalAccess = {
    isRendered: () => modalOf(latchkey).tasks.attachments > 0,
    open: () => openModal(latchkey, { namespace: 'eip155' }),
  }
  const actions = createWalletActions(latchkey, {
    start: () => start(latchkey),
    connect: () =>
      wallet === undefined ? connectWithModal(latchkey, modal) : connect(latchkey, wallet, { namespaces: ['eip155'] }),
    switchNetwork: (chainId) => switchNetwork(latchkey, chainId),
  })
  return ({ chains, emitter }) => {
    const { provider, report } = createCurrentProvider(latchkey)
    return {
      id: wallet === undefined ? connectorType : `${connectorType}:${wallet}`,
      name: 'Latchkey',
      type: connectorType,
      async setup() {
        followConnection(latchkey, (before, after) => {
          report(before, after)
          emitChange(emitter, before, after)
        })
      },
      async connect({ chainId, isReconnecting = false, withCapabilities = false } = {}) {
        await actions.restore()
        if (getConnectionSnapshot(latchkey) === undefined && !isReconnecting) await actions.connect(chainId)
        await actions.preferChain(chainId)
        const { accounts, chainId: connectedChain } = requireSnapshot(latchkey)
        const result = withCapabilities ? accounts.map((address) => ({ address, capabilities: {} })) : accounts
        return { accounts: result as never, chainId: connectedChain }
      },
      async disconnect() {
        await disconnect(latchkey, 'eip155')
      },
      getAccounts: async () => requireSnapshot(latchkey).accounts,
      getChainId: async () => requireSnapshot(latchkey).chainId,
      getProvider: async () => provider,
      async isAuthorized() {
        await actions.restore()
        return getConnectionSnapshot(latchkey) !== undefined
      },
      async switchChain({ chainId }) {
        const chain = chains.find(({ id }) => id === chainId)
        if (chain === undefined) throw new SwitchChainError(new Error(`Chain ${chainId} is not configured in wagmi.`))
        await actions.switchChain(chainId)
        return chain
      },
      // wagmi calls none of these itself. Latchkey listens to the wallet.
      onAccountsChanged() {},
      onChainChanged() {},
      onDisconnect() {},
      getLatchkey: () => latchkey,
    }
  }
}

/** Calls the listener for each change of the connection that wagmi would show. */
function followConnection(
  { wallet }: Pick<Latchkey, 'wallet'>,
  listener: (before: ConnectionSnapshot | undefined, after: ConnectionSnapshot | undefined) => void,
): void {
  let reported = getConnectionSnapshot({ wallet })
  wallet.subscribe(() => {
    const [before, after] = [reported, getConnectionSnapshot({ wallet })]
    reported = after
    if (before === undefined ? after !== undefined : after === undefined || !isSameConnection(before, after)) {
      listener(before, after)
    }
  })
}

function emitChange(
  emitter: WagmiEmitter,
  before: ConnectionSnapshot | undefined,
  after: ConnectionSnapshot | undefined,
): void {
  if (after === undefined) return emitter.emit('disconnect')
  const { accounts, chainId } = after
  if (before === undefined) emitter.emit('connect', { accounts, chainId })
  else emitter.emit('change', { accounts, chainId })
}
