import { connectionError } from '@latchkey/protocol'
import { receiveLink } from '../channel/linkMode/receiveLink.ts'
import { createSignClient } from '../channel/signClient.ts'
import { runInBackground } from '../primitives/withResolvers.ts'
import { createActiveSessions } from '../session/activeSessions.ts'
import { linkModeUrlOfRequester, listAuthenticateRequests } from '../signIn/wallet/authenticateRequest.ts'
import { createResponseSender } from './createResponseSender.ts'
import { createInbox } from './inbox.ts'
import {
  createOriginVerifier,
  withOriginAttestation,
  type AttestedMessage,
  type OriginVerdict,
} from './originVerifier.ts'
import { listenOnPairing, parsePairingToUse, type ArrivalCallbacks } from './listenOnPairing.ts'
import { createWalletDecisions } from './createWalletDecisions.ts'
import { createWalletReceiver, type NotifyListeners } from './createWalletReceiver.ts'
import { createWalletSessions } from './createWalletSessions.ts'
import { listProposals } from './sessionProposal.ts'
import type { Wallet, WalletListener, WalletOptions } from './wallet.ts'
import { endPairing, type WalletClient } from './walletClient.ts'
import { listWalletRequests } from './walletRequest.ts'

/** The prefix of the wallet side's storage keys. */
const storagePrefix = '@latchkey/walletconnect/wallet/'

/**
 * Creates the wallet side and subscribes to its stored sessions.
 *
 * @example
 * const wallet = createWallet({ relayUrl: 'wss://relay.example.org/relay', projectId, metadata })
 * wallet.listen({
 *   proposal: (proposal) => wallet.approve(proposal, { accounts: ['eip155:1:0xab16…'] }),
 *   request: async (request) => wallet.respond(request, { result: await sign(request) }),
 * })
 * await wallet.pair(uri)
 */
export function createWallet(options: WalletOptions): Wallet {
  const listeners = new Set<Partial<WalletListener>>()
  const notifyListeners: NotifyListeners = (call) => listeners.forEach(call)
  const arrivals: ArrivalCallbacks = new Map()
  const createSocket = withOriginAttestation(options.createSocket)
  const base = createSignClient({ ...options, createSocket }, storagePrefix, {
    onRequest(request) {
      arrivals.get(request.topic)?.()
      receive(request)
    },
    onKeyMissing: (topic) => activeSessions.endInOtherTab(topic),
  })
  const { relay, channel, sessions, clock, storage } = base
  const inbox = createInbox(storage, storagePrefix, clock)
  const activeSessions = createActiveSessions(base, (session) => {
    inbox.removeTopic(session.topic)
    notifyListeners((listener) => listener.sessionEnded?.(session))
  })
  const responses = createResponseSender({ channel, inbox })
  const client = { ...base, inbox, activeSessions, responses }
  const receive = createWalletReceiver(client, notifyListeners)
  const fetchKeys: typeof fetch = (...request) => fetch(...request)
  const verifyOrigin = createOriginVerifier({ fetch: fetchKeys, ...options, clock, storage, prefix: storagePrefix })
  relay.status.subscribe(({ state }) => {
    if (state === 'open') runInBackground(responses.sendUnsent())
  })
  restoreWallet(client)

  return {
    status: relay.status,
    proposals: () => listProposals(inbox),
    authenticateRequests: () => listAuthenticateRequests(inbox),
    requests: () => listWalletRequests(inbox, sessions),
    sessions: sessions.list,
    verify: (request) => verifyPendingRequest(client, verifyOrigin, request),
    async pair(uri) {
      const pairing = parsePairingToUse(uri, clock.now())
      if (notifyAgain(client, notifyListeners, pairing.pairing.topic)) return
      await listenOnPairing({ ...client, arrivals }, pairing)
    },
    ...createWalletDecisions(client),
    ...createWalletSessions(client),
    listen(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    receiveLink: (url) => receiveLink(client, url, linkModeUrlOfRequester),
    close() {
      activeSessions.close()
      channel.interrupt(connectionError('connection/aborted', {}))
      relay.close()
    },
  }
}

/** Restores the stored pairings and sessions, and removes the keys of expired pairings. */
function restoreWallet(client: WalletClient): void {
  const { activeSessions, expiryTimers, inbox, keyring, sessions } = client
  const pending = [...listProposals(inbox), ...listAuthenticateRequests(inbox)]
  for (const { topic } of inbox.removeExpired()) if (sessions.get(topic) === undefined) keyring.remove(topic)
  for (const { pairingTopic, expiry } of pending) {
    expiryTimers.set(pairingTopic, expiry, () => endPairing(client, pairingTopic))
  }
  activeSessions.restore(pending.map(({ pairingTopic }) => pairingTopic))
}

/**
 * Passes the pending request of a pairing to the listeners again: the relay delivered it and would not do so twice.
 *
 * @returns false if the pairing has no pending request
 */
function notifyAgain({ inbox }: WalletClient, notifyListeners: NotifyListeners, topic: string): boolean {
  const isOnPairing = ({ pairingTopic }: { pairingTopic: string }): boolean => pairingTopic === topic
  const proposal = listProposals(inbox).find(isOnPairing)
  const authenticate = listAuthenticateRequests(inbox).find(isOnPairing)
  if (proposal !== undefined) notifyListeners((listener) => listener.proposal?.(proposal))
  else if (authenticate !== undefined) notifyListeners((listener) => listener.authenticate?.(authenticate))
  return proposal !== undefined || authenticate !== undefined
}

async function verifyPendingRequest(
  { inbox }: WalletClient,
  verifyOrigin: (message: AttestedMessage) => Promise<OriginVerdict>,
  request: Parameters<Wallet['verify']>[0],
): Promise<OriginVerdict> {
  const topic = 'pairingTopic' in request ? request.pairingTopic : request.topic
  const { url } = 'proposer' in request ? request.proposer : request.dapp
  const item = inbox.list().find((each) => each.id === request.id && each.topic === topic)
  if (item?.attestation === undefined || item.digest === undefined) return { status: 'unknown' }
  return verifyOrigin({ attestation: item.attestation, digest: item.digest, url })
}
