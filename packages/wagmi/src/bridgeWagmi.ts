import { getAccount, switchNetwork, type Latchkey } from '@latchkey/core'
import { configError, parseChainId } from '@latchkey/protocol'
import { getConnectionSnapshot, isSameConnection, toChainId } from './connectionSnapshot.ts'
import { connectorType } from './latchkeyConnector.ts'
import type { WagmiConfig, WagmiConnector, WagmiState } from './wagmiConfig.ts'

/**
 * Keeps wagmi and Latchkey consistent where the connector alone can't: wagmi ignores a wallet that connects while it is
 * reconnecting, and each side remembers the network of a disconnected user. Latchkey decides when both differ at the start.
 *
 * @param latchkey the instance of the connector
 * @param config the configuration of wagmi 2 or 3, with `latchkeyConnector`
 * @returns a function that ends it
 * @throws LatchkeyError `config/invalid` if the configuration has no connector of Latchkey; `adapter/not-found` if the
 * instance has no adapter for eip155
 * @example const stop = bridgeWagmi(latchkey, config)
 */
export function bridgeWagmi(latchkey: Latchkey, config: WagmiConfig): () => void {
  const connector = config.connectors.find(({ type }) => type === connectorType)
  if (connector === undefined) {
    throw configError('config/invalid', { problems: ['connectors of wagmi must contain latchkeyConnector(latchkey)'] })
  }

  /** The network of eip155 in Latchkey, as wagmi counts it. */
  function networkId(): number | undefined {
    const { network } = getAccount(latchkey, 'eip155')
    return network === undefined ? undefined : Number(parseChainId(network.caipNetworkId).reference)
  }

  function followLatchkey(): void {
    repairConnection(latchkey, config, connector as WagmiConnector)
    const chainId = networkId()
    const isOffered = chainId !== undefined && config.chains.some(({ id }) => id === chainId)
    if (config.state.current !== null || chainId === config.state.chainId || !isOffered) return
    const update = (state: WagmiState): WagmiState => ({ ...state, chainId })
    config.setState(update as never)
  }

  function followWagmiNetwork(): void {
    const chainId = toChainId(config.state.chainId)
    const isOffered = latchkey.networks.some(({ caipNetworkId }) => caipNetworkId === chainId)
    if (config.state.current !== null || networkId() === config.state.chainId || !isOffered) return
    // Without a wallet this only stores the choice, and can't fail.
    void switchNetwork(latchkey, chainId)
  }

  followLatchkey()
  const stops = [
    latchkey.wallet.subscribe(followLatchkey),
    config.subscribe(({ chainId }) => chainId, followWagmiNetwork),
    config.subscribe(({ status }) => status, followLatchkey),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}

/** Reports the connection again if wagmi missed it. */
function repairConnection(
  latchkey: Pick<Latchkey, 'wallet'>,
  { state }: WagmiConfig,
  { uid, emitter }: WagmiConnector,
): void {
  if (state.status !== 'connected' && state.status !== 'disconnected') return
  const ours = getConnectionSnapshot(latchkey)
  const theirs = state.connections.get(uid)
  if (ours === undefined) {
    const isRestoring = latchkey.wallet.getState().namespaces.eip155?.status === 'reconnecting'
    if (theirs !== undefined && !isRestoring) emitter.emit('disconnect')
    return
  }
  const { accounts, chainId } = ours
  if (theirs === undefined) emitter.emit('connect', { accounts, chainId })
  else if (!isSameConnection(ours, { ...ours, ...theirs })) emitter.emit('change', { accounts, chainId })
}
