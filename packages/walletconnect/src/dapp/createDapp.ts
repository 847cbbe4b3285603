import type { Clock } from '@latchkey/core'
import { type ChainId, connectionError } from '@latchkey/protocol'
import type { UnexpectedResponse } from '../channel/channel.ts'
import { receiveLink } from '../channel/linkMode/receiveLink.ts'
import { peerErrors } from '../channel/peerError.ts'
import { createSignClient } from '../channel/signClient.ts'
import { createKeyPair } from '../crypto/createKeyPair.ts'
import { createActiveSessions } from '../session/activeSessions.ts'
import type { Session } from '../session/session.ts'
import { namespaceOfId } from '../session/sessionNamespaces.ts'
import { walletConnectError } from '../walletConnectError.ts'
import { connectSession } from './connectSession.ts'
import { createDappReceiver } from './createDappReceiver.ts'
import type { Dapp, DappOptions } from './dapp.ts'
import type { DappClient } from './dappClient.ts'
import { createOpenRequests, type OpenRequests } from './openRequests.ts'
import { createPendingProposals } from './pendingProposals.ts'
import { sendSessionRequest } from './sendSessionRequest.ts'
import { createSessionListeners, type SessionListeners } from './sessionListeners.ts'
import { settleSession } from './settleSession.ts'

/** The prefix of the dapp side's storage keys. */
const storagePrefix = '@latchkey/walletconnect/'

/** JSON-RPC 2.0: the code of an error without one. */
const internalError = -32_603

/** Timeout of `disconnect` when it waits for the relay, in seconds. */
const disconnectTimeout = 3

/**
 * Creates the dapp side. It connects to the relay on first use. Several dapps on one storage, in one page or in several
 * tabs, share their sessions: each has its own socket, receives the wallets' events, and gets the responses to its own
 * requests.
 *
 * @example
 * const dapp = createDapp({ relayUrl: 'wss://relay.example.org/relay', projectId, metadata })
 * const session = await dapp.connect({ networks, signal, onUri: showQrCode })
 * const signature = await dapp.request({ topic: session.topic, chainId: 'eip155:1', method: 'personal_sign', params })
 */
export function createDapp(options: DappOptions): Dapp {
  const listeners = createSessionListeners()
  const base = createSignClient(options, storagePrefix, {
    onRequest: (request) => receive(request),
    onUnexpectedResponse: (response) => reportLateResponse(openRequests, listeners, response),
    onKeyMissing: (topic) => activeSessions.endInOtherTab(topic),
  })
  const { relay, channel, sessions, clock, storage } = base
  const activeSessions = createActiveSessions(base, (session, reason) => {
    rejectRequests(base, session)
    listeners.end(session.topic, reason)
  })
  const openRequests = createOpenRequests(storage, storagePrefix, clock)
  const pendingProposals = createPendingProposals(storage, storagePrefix, clock)
  const handlers = { settlements: new Map(), pairingEnds: new Map() }
  const client: DappClient = { ...base, activeSessions, pendingProposals, ...handlers }
  const receive = createDappReceiver(client, listeners.notify)

  return {
    status: relay.status,
    connect: (request) => connectSession(client, request, options.verifyContract),
    async authenticate(request) {
      const { authenticate } = await import('../signIn/dapp/index.ts')
      return authenticate(client, request, options.verifyContract)
    },
    resume: (signal) => resumeSession(client, signal),
    restore: activeSessions.restore,
    session: sessions.get,
    setDefaultChain: (topic, chainId) => setDefaultChain(client, topic, chainId),
    async request(request) {
      const session = activeSessions.get(request.topic)
      return sendSessionRequest({ ...client, openRequests, phone: options.phone }, session, request)
    },
    openRequests: openRequests.list,
    async ping(topic) {
      activeSessions.get(topic)
      await channel.request(topic, 'wc_sessionPing', {}).response
    },
    disconnect: (topic) => disconnectSession(client, listeners, topic),
    listen: listeners.add,
    receiveLink: (url) => receiveLink(client, url),
    close() {
      activeSessions.close()
      channel.interrupt(connectionError('connection/aborted', {}))
      relay.close()
    },
  }
}

function rejectRequests({ channel }: Pick<DappClient, 'channel'>, { topic, peer }: Session): void {
  channel.interrupt(walletConnectError('session/ended', { wallet: peer.name }), topic)
}

function reportLateResponse(
  openRequests: OpenRequests,
  { notify }: SessionListeners,
  response: UnexpectedResponse,
): void {
  const request = openRequests.take(response.topic, response.id)
  if (request === undefined) return
  const outcome =
    response.kind === 'result'
      ? { result: response.result }
      : { error: { code: response.code ?? internalError, message: response.reason } }
  notify(request.topic, (listener) => listener.responded?.(request, outcome))
}

async function resumeSession(client: DappClient, signal: AbortSignal): Promise<Session | undefined> {
  if (client.pendingProposals.list().length === 0) return undefined
  const { resumeProposals } = await import('./resumeProposals.ts')
  const aborted = connectionError('connection/aborted', {})
  return resumeProposals({ ...client, settleSession, createKeyPair }, signal, aborted)
}

function setDefaultChain({ activeSessions, sessions }: DappClient, topic: string, chainId: ChainId): void {
  const session = sessions.get(topic)
  const name = namespaceOfId(chainId)
  const namespace = session?.namespaces[name]
  if (session === undefined || namespace === undefined) return
  const namespaces = { ...session.namespaces, [name]: { ...namespace, defaultChain: chainId } }
  activeSessions.save({ ...session, namespaces })
}

async function disconnectSession(client: DappClient, listeners: SessionListeners, topic: string): Promise<void> {
  const { activeSessions, channel, clock, sessions } = client
  const session = sessions.get(topic)
  if (session === undefined) return
  const notified = channel.notify(topic, 'wc_sessionDelete', peerErrors.disconnected).catch(() => {})
  listeners.removeAll(topic)
  activeSessions.remove(topic)
  rejectRequests(client, session)
  await Promise.race([notified, delay(clock, disconnectTimeout)])
}

function delay(clock: Clock, seconds: number): Promise<void> {
  return new Promise((resolve) => void clock.after(seconds * 1000, resolve))
}
