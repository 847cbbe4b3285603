import { isLatchkeyError, LatchkeyError, type AccountId, type ChainId } from '@latchkey/protocol'
import type { SessionProposal } from './asked.ts'
import { bytesToHex, hexToBytes } from './bytes.ts'
import type { Exchange } from './channel.ts'
import { symmetricKeyOf, topicOf } from './crypto.ts'
import { createKeyPair, type KeyPair } from './curves.ts'
import { walletConnectError } from './errors.ts'
import {
  checkCovered,
  namespaceOf,
  type ProposedNamespace,
  type SessionNamespace,
  type SessionNamespaces,
} from './grants.ts'
import type { Peer } from './peer.ts'
import { inBackground } from './promise.ts'
import type { Cacao } from './signIn/cacao.ts'
import {
  readScopedProperties,
  sessionLifetime,
  type Properties,
  type ScopedProperties,
  type Session,
  type SessionConfig,
} from './session.ts'

/** What a person grants. */
export type Approval = {
  /** Each account on each chain that is granted (CAIP-10); the first of a chain is the selected one. */
  accounts: readonly AccountId[]
  /** What was signed of the proposal's `authentication`, from `createCacao`. */
  auths?: readonly Cacao[]
  /** What the wallet can do; by default everything that was asked for. */
  methods?: readonly string[]
  events?: readonly string[]
  /** What the dapp is told beside; by default the properties that it proposed. */
  sessionProperties?: Properties
  /** The keys are namespaces that were proposed. */
  scopedProperties?: ScopedProperties
  sessionConfig?: SessionConfig
}

/**
 * Answers a proposal with a session and settles it, in one call of the relay.
 *
 * @param onRefused called when the dapp does not accept the settlement
 * @throws LatchkeyError `pairing/expired`, `session/invalid`, or `relay/…` when it could not be published; nothing is left then.
 */
export async function approveProposal(
  peer: Peer,
  proposal: SessionProposal,
  approval: Approval,
  onRefused: (session: Session) => void,
): Promise<Session> {
  const { keyring, sessions, clock } = peer
  const now = Math.floor(clock.now() / 1000)
  if (proposal.expiry <= now) throw walletConnectError('pairing/expired', {})
  const namespaces = approvedNamespaces(proposal, approval)
  const keys = await createKeyPair()
  const key = await sharedKey(keys, proposal.proposerPublicKey)
  const session: Session = {
    topic: topicOf(key),
    peer: proposal.proposer,
    namespaces,
    optionalNamespaces: { ...proposal.optionalNamespaces, ...proposal.requiredNamespaces },
    sessionProperties: approval.sessionProperties ?? proposal.sessionProperties,
    scopedProperties: readScopedProperties(approval.scopedProperties, namespaces),
    sessionConfig: approval.sessionConfig,
    expiry: now + sessionLifetime,
  }
  keyring.keep(session.topic, key)
  sessions.save(session)
  const settling = publishSettlement(peer, proposal, session, bytesToHex(keys.publicKey), approval.auths)
  inBackground(
    settling.answer.catch((error: unknown) => {
      if (isLatchkeyError(error, 'request/failed')) onRefused(session)
    }),
  )
  try {
    await settling.published
    return session
  } catch (error) {
    settling.forget()
    sessions.remove(session.topic)
    keyring.drop(session.topic)
    peer.relay.unsubscribe(session.topic)
    throw error
  }
}

function publishSettlement(
  peer: Peer,
  proposal: SessionProposal,
  session: Session,
  publicKey: string,
  auths: Approval['auths'],
): Exchange {
  const { relay, channel, metadata } = peer
  const { id, pairingTopic } = proposal
  const { topic, namespaces, sessionProperties, scopedProperties, sessionConfig, expiry } = session
  const irn = { protocol: 'irn' }
  const properties = { sessionProperties, scopedProperties, sessionConfig }
  const settlement = { relay: irn, controller: { publicKey, metadata }, namespaces, ...properties, expiry }
  const proposalRequestsResponses = auths === undefined ? undefined : { authentication: auths }
  return channel.request(
    topic,
    'wc_sessionSettle',
    { ...settlement, proposalRequestsResponses },
    {
      publish: (sessionSettlementRequest, sending) => {
        const sessionProposalResponse = channel.sealResult(pairingTopic, id, {
          relay: irn,
          responderPublicKey: publicKey,
        })
        const halves = { sessionProposalResponse, sessionSettlementRequest }
        return relay.approveSession({ pairingTopic, sessionTopic: topic, ...halves }, sending)
      },
    },
  )
}

/** The key that is made with that of a dapp. @throws LatchkeyError `session/invalid`. */
export async function sharedKey(keys: KeyPair, proposerPublicKey: string): Promise<Uint8Array> {
  try {
    return symmetricKeyOf(await keys.agree(hexToBytes(proposerPublicKey)))
  } catch (cause) {
    // A key of low order: nobody honest has one.
    throw new LatchkeyError('session/invalid', { reason: 'the app sent no usable key' }, { cause })
  }
}

/**
 * Puts an approval into the words of a session: of what was proposed, the chains on which there is an account and the
 * methods and events that the wallet can do.
 *
 * @throws LatchkeyError `session/invalid` when nothing is left, or less than what is required.
 */
function approvedNamespaces(proposal: SessionProposal, { accounts, methods, events }: Approval): SessionNamespaces {
  const { requiredNamespaces, optionalNamespaces } = proposal
  const granted: { [namespace: string]: SessionNamespace } = {}
  for (const namespace of new Set([...Object.keys(requiredNamespaces), ...Object.keys(optionalNamespaces)])) {
    const asked = joined(requiredNamespaces[namespace], optionalNamespaces[namespace])
    const ownAccounts = accounts.filter((account) => asked.chains.includes(chainOf(account)))
    if (ownAccounts.length === 0) continue
    granted[namespace] = {
      chains: asked.chains.filter((chain) => ownAccounts.some((account) => chainOf(account) === chain)),
      accounts: ownAccounts,
      methods: asked.methods.filter((method) => methods?.includes(method) ?? true),
      events: asked.events.filter((event) => events?.includes(event) ?? true),
    }
  }
  if (Object.keys(granted).length === 0) {
    throw new LatchkeyError('session/invalid', { reason: 'no account is on a chain that was asked for' })
  }
  checkCovered(granted, requiredNamespaces)
  return granted
}

function joined(required: ProposedNamespace | undefined, optional: ProposedNamespace | undefined): ProposedNamespace {
  const both = (list: 'methods' | 'events'): string[] => [
    ...new Set([...(required?.[list] ?? []), ...(optional?.[list] ?? [])]),
  ]
  const chains = [...new Set([...(required?.chains ?? []), ...(optional?.chains ?? [])])]
  return { chains, methods: both('methods'), events: both('events') }
}

function chainOf(account: string): ChainId {
  const reference = account.slice(account.indexOf(':') + 1)
  return `${namespaceOf(account)}:${reference.slice(0, reference.indexOf(':'))}`
}
