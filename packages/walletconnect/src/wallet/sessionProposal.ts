import { connectionError } from '@latchkey/protocol'
import { isHex32 } from '../crypto/bytes.ts'
import { isUnknownRecord } from '../primitives/unknownRecord.ts'
import { parseMetadata, type Metadata } from '../session/metadata.ts'
import { parseProposedNamespaces, type ProposedNamespaces } from '../session/sessionNamespaces.ts'
import {
  parseScopedProperties,
  parseSessionProperties,
  type ScopedProperties,
  type SessionProperties,
} from '../session/sessionExtras.ts'
import { tryParse } from '../session/tryParse.ts'
import { parseAuthPayloads, type AuthPayload } from '../signIn/authPayload.ts'
import type { Inbox, InboxItem } from './inbox.ts'

/** A dapp's proposal of a session. */
export type SessionProposal = {
  readonly id: number
  readonly pairingTopic: string
  /** The dapp's description of itself. Not verified. */
  readonly proposer: Metadata
  readonly proposerPublicKey: string
  readonly requiredNamespaces: ProposedNamespaces
  readonly optionalNamespaces: ProposedNamespaces
  readonly sessionProperties?: SessionProperties
  readonly scopedProperties?: ScopedProperties
  /** The relay's attestation of the dapp's origin, an opaque token. Empty if there is none. */
  readonly attestation?: string
  /** Sign-ins that the dapp wants with the approval, for `createCacao`. Optional for the user. */
  readonly authentication: readonly AuthPayload[]
  /** Unix seconds. */
  readonly expiry: number
}

/**
 * Parses a proposal.
 *
 * @throws LatchkeyError `session/invalid`
 */
export function parseProposal({ id, topic, params, expiry, attestation }: InboxItem): SessionProposal {
  const { proposer, sessionProperties, scopedProperties } = params
  if (!isUnknownRecord(proposer) || !isHex32(proposer.publicKey)) {
    throw connectionError('session/invalid', { reason: 'the app sent no usable key' })
  }
  if (sessionProperties === null || scopedProperties === null) {
    throw connectionError('session/invalid', { reason: 'its properties are null' })
  }
  const requiredNamespaces = parseProposedNamespaces(params.requiredNamespaces ?? {})
  const optionalNamespaces = parseProposedNamespaces(params.optionalNamespaces ?? {})
  return {
    id,
    pairingTopic: topic,
    proposer: parseMetadata(proposer.metadata),
    proposerPublicKey: proposer.publicKey,
    authentication: parseAuthPayloads(params.requests),
    requiredNamespaces,
    optionalNamespaces,
    sessionProperties: parseSessionProperties(sessionProperties),
    scopedProperties: parseScopedProperties(scopedProperties, { ...requiredNamespaces, ...optionalNamespaces }),
    attestation,
    expiry,
  }
}

/** Lists the pending proposals of an inbox. */
export function listProposals(inbox: Inbox): readonly SessionProposal[] {
  return inbox
    .list()
    .flatMap((item) => (item.method === 'wc_sessionPropose' ? (tryParse(() => parseProposal(item)) ?? []) : []))
}
