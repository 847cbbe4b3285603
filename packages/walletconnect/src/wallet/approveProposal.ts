import { isLatchkeyError, type AccountId, type ChainId, connectionError } from '@latchkey/protocol'
import type { SessionProposal } from './sessionProposal.ts'
import { bytesToHex, hexToBytes } from '../crypto/bytes.ts'
import type { Exchange } from '../channel/channel.ts'
import { deriveSymmetricKey, topicOfKey } from '../crypto/envelope.ts'
import { createKeyPair } from '../crypto/createKeyPair.ts'
import type { KeyPair } from '../crypto/curves.ts'
import { pairingError } from '../session/pairingError.ts'
import {
  assertNamespacesCovered,
  namespaceOfId,
  type ProposedNamespace,
  type SessionNamespace,
  type SessionNamespaces,
} from '../session/sessionNamespaces.ts'
import type { SignClient } from '../channel/signClient.ts'
import { runInBackground } from '../primitives/withResolvers.ts'
import type { Cacao } from '../signIn/cacao.ts'
import {
  parseScopedProperties,
  type ScopedProperties,
  type SessionConfig,
  type SessionProperties,
} from '../session/sessionExtras.ts'
import { sessionLifetime, type Session } from '../session/session.ts'

/** The user's approval of a proposal. */
export type Approval = {
  /** All accounts on all approved chains (CAIP-10). The first of a chain is the selected one. */
  accounts: readonly AccountId[]
  /** The signed sign-ins of the proposal's `authentication`, from `createCacao`. */
  auths?: readonly Cacao[]
  /** The methods that the wallet supports. Defaults to all proposed ones. */
  methods?: readonly string[]
  /** The events that the wallet sends. Defaults to all proposed ones. */
  events?: readonly string[]
  /** Defaults to the proposed properties. */
  sessionProperties?: SessionProperties
  /** The keys are among the proposed namespaces. */
  scopedProperties?: ScopedProperties
  sessionConfig?: SessionConfig
}

/**
 * Approves a proposal and settles the session, in one call of the relay.
 *
 * @param onRefused called if the dapp does not accept the settlement
 * @throws LatchkeyError `pairing/expired`, `session/invalid`, or `relay/…` if it cannot be published. The session is removed then.
 */
export async function approveProposal(
  client: SignClient,
  proposal: SessionProposal,
  approval: Approval,
  onRefused: (session: Session) => void,
): Promise<Session> {
  const { keyring, sessions, clock } = client
  const now = Math.floor(clock.now() / 1000)
  // The dapp can delete the pairing, which removes its key.
  const isOver = proposal.expiry <= now || keyring.get(proposal.pairingTopic) === undefined
  if (isOver) throw pairingError('pairing/expired', {})
  const namespaces = approveNamespaces(proposal, approval)
  const keys = await createKeyPair()
  const key = await agreeWithDapp(keys, proposal.proposerPublicKey)
  const session: Session = {
    topic: topicOfKey(key),
    peer: proposal.proposer,
    namespaces,
    requiredNamespaces: proposal.requiredNamespaces,
    optionalNamespaces: proposal.optionalNamespaces,
    sessionProperties: approval.sessionProperties ?? proposal.sessionProperties,
    scopedProperties: parseScopedProperties(approval.scopedProperties, namespaces),
    sessionConfig: approval.sessionConfig,
    expiry: now + sessionLifetime,
  }
  keyring.store(session.topic, key)
  sessions.save(session)
  const exchange = publishSettlement(client, proposal, session, bytesToHex(keys.publicKey), approval.auths)
  runInBackground(
    exchange.response.catch((error: unknown) => {
      if (isLatchkeyError(error, 'request/failed')) onRefused(session)
    }),
  )
  try {
    await exchange.published
    return session
  } catch (error) {
    exchange.cancel()
    sessions.remove(session.topic)
    keyring.remove(session.topic)
    client.relay.unsubscribe(session.topic)
    throw error
  }
}

function publishSettlement(
  client: SignClient,
  proposal: SessionProposal,
  session: Session,
  publicKey: string,
  auths: Approval['auths'],
): Exchange {
  const { relay, channel, metadata } = client
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
        const sessionProposalResponse = channel.formatResult(pairingTopic, id, {
          relay: irn,
          responderPublicKey: publicKey,
        })
        const messages = { sessionProposalResponse, sessionSettlementRequest }
        return relay.approveSession({ pairingTopic, sessionTopic: topic, ...messages }, sending)
      },
    },
  )
}

/** Derives the key that a dapp and this side share. @throws LatchkeyError `session/invalid` */
export async function agreeWithDapp(keys: KeyPair, proposerPublicKey: string): Promise<Uint8Array> {
  try {
    return deriveSymmetricKey(await keys.deriveSharedSecret(hexToBytes(proposerPublicKey)))
  } catch (cause) {
    // A key of low order. No honest dapp has one.
    throw connectionError('session/invalid', { reason: 'the app sent no usable key' }, { cause })
  }
}

/**
 * Creates the namespaces of a session: the proposed chains with an account, and the proposed methods and events that the
 * wallet supports.
 *
 * @throws LatchkeyError `session/invalid` if no namespace is left, or a required one is not covered
 */
function approveNamespaces(proposal: SessionProposal, { accounts, methods, events }: Approval): SessionNamespaces {
  const { requiredNamespaces, optionalNamespaces } = proposal
  const approved: { [namespace: string]: SessionNamespace } = {}
  for (const namespace of new Set([...Object.keys(requiredNamespaces), ...Object.keys(optionalNamespaces)])) {
    const proposed = mergeProposedNamespace(requiredNamespaces[namespace], optionalNamespaces[namespace])
    const ownAccounts = accounts.filter((account) => proposed.chains.includes(chainIdOfAccount(account)))
    if (ownAccounts.length === 0) continue
    approved[namespace] = {
      chains: proposed.chains.filter((chain) => ownAccounts.some((account) => chainIdOfAccount(account) === chain)),
      accounts: ownAccounts,
      methods: proposed.methods.filter((method) => methods?.includes(method) ?? true),
      events: proposed.events.filter((event) => events?.includes(event) ?? true),
    }
  }
  if (Object.keys(approved).length === 0) {
    throw connectionError('session/invalid', { reason: 'no account is on a proposed chain', member: 'accounts' })
  }
  assertNamespacesCovered(approved, requiredNamespaces)
  return approved
}

function mergeProposedNamespace(
  required: ProposedNamespace | undefined,
  optional: ProposedNamespace | undefined,
): ProposedNamespace {
  const both = (list: 'methods' | 'events'): string[] => [
    ...new Set([...(required?.[list] ?? []), ...(optional?.[list] ?? [])]),
  ]
  const chains = [...new Set([...(required?.chains ?? []), ...(optional?.chains ?? [])])]
  return { chains, methods: both('methods'), events: both('events') }
}

function chainIdOfAccount(account: string): ChainId {
  const reference = account.slice(account.indexOf(':') + 1)
  return `${namespaceOfId(account)}:${reference.slice(0, reference.indexOf(':'))}`
}
