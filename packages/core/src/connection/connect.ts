import { isLatchkeyError, type AccountId, type Namespace, configError, connectionError } from '@latchkey/protocol'
import type { Connection, Connector } from '../contracts/connector.ts'
import type { Latchkey } from '../instance/latchkey.ts'
import { dispatch } from '../state/dispatch.ts'
import { getConnector, listConnectedWallets } from '../state/connectedWallets.ts'
import { accountStateOf } from '../state/getAccount.ts'
import { addConnection } from './followConnection.ts'
import { notifyConnectors } from './notifyConnectors.ts'
import { saveConnections } from './saveConnections.ts'
import { checkNetwork } from '../network/checkNetwork.ts'
import { addRecentWallet, type RecentWallet } from '../storage/recentWallets.ts'

export type ConnectOptions = {
  /** The namespaces to request from the wallet. Defaults to all that are configured. */
  namespaces?: readonly Namespace[]
  /** Stops waiting for the wallet. */
  signal?: AbortSignal
  /** Receives the pairing URI of a phone wallet, and each renewed URI. */
  onUri?(uri: string): void
  /** The wallet to remember as recently used, if it is not the connector itself. */
  recent?(): RecentWallet | undefined
}

/**
 * Connects a wallet. The user approves the connection in the wallet.
 *
 * @param connectorId the id of one of `latchkey.connectors`
 * @returns the account that is selected in the wallet
 * @throws LatchkeyError `connector/not-found`, `adapter/not-found`, `connection/rejected`, `connection/aborted`,
 *   `wallet/unavailable`, `relay/unreachable`, …
 * @example const account = await connect(latchkey, 'io.example.wallet')
 */
export async function connect(
  latchkey: Latchkey,
  connectorId: string,
  { namespaces, signal, onUri, recent }: ConnectOptions = {},
): Promise<AccountId> {
  const connector = getConnector(latchkey, connectorId)
  const wanted = listRequestedNamespaces(latchkey, connector, namespaces)
  const attempt = beginAttempt(latchkey, connector, wanted, signal)
  try {
    const networks = sortByPreference(latchkey, wanted)
    // Other connectors start at once, because a browser opens a link to a wallet only during the click.
    const signsInToo = latchkey.internal.settings.signIn !== undefined && connector.type === 'walletConnect'
    const oneClick = signsInToo
      ? await (await import('../signIn/oneClick.ts')).offerSignIn(latchkey, wanted, networks)
      : undefined
    const request = {
      networks,
      signal: attempt.signal,
      onUri: (uri: string) => void (attempt.signal.aborted || onUri?.(uri)),
      signIn: oneClick?.offer,
    }
    const granted = await Promise.race([connector.connect(request), abortionOf(attempt.signal)])
    await oneClick?.saveSessions()
    if (attempt.signal.aborted) throw connectionError('connection/aborted', {})
    const account = applyGrant(latchkey, connector, wanted, granted)
    endAttempt(latchkey, wanted, attempt)
    addRecentWallet(latchkey.internal.memory, recent?.() ?? { id: connector.id, name: connector.name })
    checkNetwork(latchkey)
    return account
  } catch (error) {
    endAttempt(latchkey, wanted, attempt)
    const code = isLatchkeyError(error) ? error.code : undefined
    latchkey.events.emit({ type: 'connect-error', connectorId, code })
    throw error
  }
}

/** Returns the namespaces to request from a connector. */
function listRequestedNamespaces(
  latchkey: Pick<Latchkey, 'adapters'>,
  connector: Connector,
  requested?: readonly Namespace[],
): readonly Namespace[] {
  const known = latchkey.adapters.map((adapter) => adapter.namespace)
  const wanted = known.filter((name) => connector.namespaces.includes(name) && (requested?.includes(name) ?? true))
  if (wanted.length === 0) throw configError('adapter/not-found', { namespace: connector.namespaces.join(', ') })
  return wanted
}

function beginAttempt(
  latchkey: Pick<Latchkey, 'wallet' | 'internal'>,
  connector: Connector,
  wanted: readonly Namespace[],
  signal: AbortSignal | undefined,
): AbortController {
  const attempt = new AbortController()
  if (signal?.aborted === true) attempt.abort()
  signal?.addEventListener('abort', () => attempt.abort(), { once: true })
  for (const namespace of wanted) {
    latchkey.internal.tasks.attempts.get(namespace)?.abort()
    latchkey.internal.tasks.attempts.set(namespace, attempt)
    dispatch(latchkey, namespace, { type: 'attempt', connectorId: connector.id })
  }
  return attempt
}

/** Puts the current network first, so that the wallet opens on it. */
function sortByPreference(
  latchkey: Pick<Latchkey, 'adapters' | 'networks' | 'wallet' | 'internal'>,
  wanted: readonly Namespace[],
): Latchkey['networks'] {
  const preferred = accountStateOf(latchkey).network
  const offered = latchkey.networks.filter((network) => wanted.includes(network.chainNamespace))
  return offered.toSorted((a, b) => Number(b === preferred) - Number(a === preferred))
}

/** Rejects when the attempt is aborted, even if the wallet keeps its prompt open. */
function abortionOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const onAbort = (): void => reject(connectionError('connection/aborted', {}))
    if (signal.aborted) onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
  })
}

/** Applies the connections that a wallet granted. Namespaces that were not requested are ignored. */
export function applyGrant(
  latchkey: Latchkey,
  { id }: Connector,
  wanted: readonly Namespace[],
  granted: readonly [Connection, ...Connection[]],
): AccountId {
  const usable = granted.filter(({ namespace }) => wanted.includes(namespace))
  const [first] = usable
  if (first === undefined) throw connectionError('session/invalid', { reason: 'it covers none of the networks' })
  const before = listConnectorsInUse(latchkey)
  latchkey.internal.tasks.unnotified.delete(id)
  for (const connection of usable) addConnection(latchkey, id, connection)
  const state = latchkey.wallet.getState()
  // The active namespace stays if the wallet granted it. Otherwise the first granted namespace becomes active.
  const active = usable.find(({ namespace }) => namespace === state.active)?.namespace ?? first.namespace
  latchkey.wallet.setState({ ...state, active }, true)
  saveConnections(latchkey, active)
  disconnectReplaced(latchkey, before)
  const account = listConnectedWallets(latchkey, first.namespace)[0]?.account ?? first.accounts[0]
  latchkey.events.emit({ type: 'connect', connectorId: id, account, restored: false })
  return account
}

/** Returns the ids of the connectors whose wallets are connected. */
function listConnectorsInUse(latchkey: Pick<Latchkey, 'adapters' | 'wallet'>): readonly string[] {
  return latchkey.adapters.flatMap(({ namespace }) =>
    listConnectedWallets(latchkey, namespace).map((wallet) => wallet.connectorId),
  )
}

/** Disconnects wallets that were replaced in all their namespaces. Best effort. */
function disconnectReplaced(
  latchkey: Pick<Latchkey, 'adapters' | 'connectors' | 'wallet' | 'internal'>,
  before: readonly string[],
): void {
  const inUse = listConnectorsInUse(latchkey)
  const left = latchkey.connectors.getState().filter(({ id }) => before.includes(id) && !inUse.includes(id))
  void notifyConnectors(latchkey, left, inUse)
}

/** Restores the previous state if nothing was granted. A later attempt in the same namespace is not affected. */
function endAttempt(
  latchkey: Pick<Latchkey, 'wallet' | 'internal'>,
  wanted: readonly Namespace[],
  attempt: AbortController,
): void {
  const { attempts } = latchkey.internal.tasks
  for (const namespace of wanted) {
    if (attempts.get(namespace) !== attempt) continue
    attempts.delete(namespace)
    dispatch(latchkey, namespace, { type: 'failed' })
  }
}
