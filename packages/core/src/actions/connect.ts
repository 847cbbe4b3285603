import { isLatchkeyError, LatchkeyError, type AccountId, type Namespace } from '@latchkey/protocol'
import type { Connection, Connector } from '../connector.ts'
import type { Latchkey } from '../latchkey.ts'
import type { RecentWallet } from '../storage/memory.ts'
import { dispatch } from '../state/dispatch.ts'
import { connectorOf, walletsOf } from '../state/standing.ts'
import { getAccount } from '../state/wallet.ts'
import { adopt } from './follow.ts'
import { remember } from './remember.ts'
import { guardNetwork } from './guardNetwork.ts'

export type ConnectOptions = {
  /** Which of the wallet's namespaces to ask for; all that are configured when left out. */
  namespaces?: readonly Namespace[]
  /** Gives up waiting for the wallet. */
  signal?: AbortSignal
  /** Receives the pairing URI of a phone wallet, and each one that takes its place. */
  onUri?(uri: string): void
  /** Names what to remember as recently used, when it is not the connector itself. */
  recent?(): RecentWallet | undefined
}

/**
 * Asks a wallet for consent, and connects.
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
  const connector = connectorOf(latchkey, connectorId)
  const wanted = configured(latchkey, connector, namespaces)
  const attempt = begin(latchkey, connector, wanted, signal)
  try {
    const networks = preferredFirst(latchkey, wanted)
    // Elsewhere nothing is waited for: a wallet that is opened by a link is opened in the press itself.
    const signsInToo = latchkey.settings.signIn !== undefined && connector.type === 'walletConnect'
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
    await oneClick?.keep()
    if (attempt.signal.aborted) throw new LatchkeyError('connection/aborted', {})
    const account = settle(latchkey, connector, wanted, granted)
    end(latchkey, wanted, attempt)
    latchkey.memory.addRecentWallet(recent?.() ?? { id: connector.id, name: connector.name })
    await guardNetwork(latchkey)
    return account
  } catch (error) {
    end(latchkey, wanted, attempt)
    const code = isLatchkeyError(error) ? error.code : undefined
    latchkey.events.emit({ type: 'connect-error', connectorId, code })
    throw error
  }
}

/** The namespaces to ask a connector for. */
function configured(latchkey: Latchkey, connector: Connector, asked?: readonly Namespace[]): readonly Namespace[] {
  const known = latchkey.adapters.map((adapter) => adapter.namespace)
  const wanted = known.filter((name) => connector.namespaces.includes(name) && (asked?.includes(name) ?? true))
  if (wanted.length === 0) throw new LatchkeyError('adapter/not-found', { namespace: connector.namespaces.join(', ') })
  return wanted
}

function begin(
  latchkey: Latchkey,
  connector: Connector,
  wanted: readonly Namespace[],
  signal: AbortSignal | undefined,
): AbortController {
  const attempt = new AbortController()
  if (signal?.aborted === true) attempt.abort()
  signal?.addEventListener('abort', () => attempt.abort(), { once: true })
  for (const namespace of wanted) {
    latchkey.running.attempts.get(namespace)?.abort()
    latchkey.running.attempts.set(namespace, attempt)
    dispatch(latchkey, namespace, { type: 'attempt', connectorId: connector.id })
  }
  return attempt
}

/** Offers the network on show first, so that the wallet opens on it. */
function preferredFirst(latchkey: Latchkey, wanted: readonly Namespace[]): Latchkey['networks'] {
  const preferred = getAccount(latchkey).network
  const offered = latchkey.networks.filter((network) => wanted.includes(network.chainNamespace))
  return offered.toSorted((a, b) => Number(b === preferred) - Number(a === preferred))
}

/** Nobody waits any longer for a wallet that goes on asking its visitor after it was told to stop. */
function abortionOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const giveUp = (): void => reject(new LatchkeyError('connection/aborted', {}))
    if (signal.aborted) giveUp()
    signal.addEventListener('abort', giveUp, { once: true })
  })
}

/** Takes over what a wallet granted. What it grants beyond what it was asked for is left alone. */
export function settle(
  latchkey: Latchkey,
  { id }: Connector,
  wanted: readonly Namespace[],
  granted: readonly [Connection, ...Connection[]],
): AccountId {
  const usable = granted.filter(({ namespace }) => wanted.includes(namespace))
  const [first] = usable
  if (first === undefined) throw new LatchkeyError('session/invalid', { reason: 'it covers none of the networks' })
  const before = inUse(latchkey)
  for (const connection of usable) adopt(latchkey, id, connection)
  const state = latchkey.wallet.getState()
  // The active namespace stays when the wallet granted it, and is the first granted one otherwise.
  const active = usable.find(({ namespace }) => namespace === state.active)?.namespace ?? first.namespace
  latchkey.wallet.setState({ ...state, active }, true)
  remember(latchkey, active)
  leaveReplaced(latchkey, before)
  const account = walletsOf(latchkey, first.namespace)[0]?.account ?? first.accounts[0]
  latchkey.events.emit({ type: 'connect', connectorId: id, account, restored: false })
  return account
}

/** The ids of the connectors whose wallets stand. */
function inUse(latchkey: Latchkey): readonly string[] {
  return latchkey.adapters.flatMap(({ namespace }) =>
    walletsOf(latchkey, namespace).map((wallet) => wallet.connectorId),
  )
}

/** A wallet that was replaced everywhere is told so; whether it listens does not matter here. */
function leaveReplaced(latchkey: Latchkey, before: readonly string[]): void {
  const kept = inUse(latchkey)
  const left = latchkey.connectors.getState().filter(({ id }) => before.includes(id) && !kept.includes(id))
  void Promise.allSettled(left.map(async (old) => old.disconnect()))
}

/** Where nothing was granted, all is as it was. A later attempt in the same namespace is not concerned. */
function end(latchkey: Latchkey, wanted: readonly Namespace[], attempt: AbortController): void {
  const { attempts } = latchkey.running
  for (const namespace of wanted) {
    if (attempts.get(namespace) !== attempt) continue
    attempts.delete(namespace)
    dispatch(latchkey, namespace, { type: 'failed' })
  }
}
