import { invalidParams } from '../errors.ts'
import type { Method } from './method.ts'
import { partOf } from './part.ts'
import { readAttestation, readMessage, readTopic } from './read.ts'

/** Tags of the Sign protocol: a proposal, its answer, and the settlement that follows. */
const tags = { proposal: 1100, approval: 1101, settlement: 1102 } as const
const ttl = 300

/** A topic; one that is empty is told as a parameter that is missing. */
function readGivenTopic(value: unknown): string {
  if (value === '') throw invalidParams('a topic is empty')
  return readTopic(value)
}

/** Listens on the pairing topic and publishes a proposal there. */
export const proposeSession: Method = async (session, params) => {
  const topic = readGivenTopic(params['pairingTopic'])
  const message = readMessage(params['sessionProposal'], tags.proposal, session.limits)
  const attestation = readAttestation(params['attestation'])
  await partOf('SubscribeFailed', () => session.subscribe(topic))
  const stored = await partOf('PublishFailed', () =>
    session.publish({ topic, message, ttl, tag: tags.proposal, attestation }),
  )
  return {
    result: true,
    after: () => {
      session.deliverWaiting([topic])
      session.announce(stored)
    },
  }
}

/** Listens on the session topic, publishes the approval on the pairing topic and the settlement on the session's. */
export const approveSession: Method = async (session, params) => {
  const pairingTopic = readGivenTopic(params['pairingTopic'])
  const sessionTopic = readGivenTopic(params['sessionTopic'])
  if (pairingTopic === sessionTopic) throw invalidParams('the two topics are the same')
  const approval = readMessage(params['sessionProposalResponse'], tags.approval, session.limits)
  const settlement = readMessage(params['sessionSettlementRequest'], tags.settlement, session.limits)
  const attestation = readAttestation(params['attestation'])
  await partOf('SubscribeFailed', () => session.subscribe(sessionTopic))
  const publications = [
    { topic: pairingTopic, message: approval, ttl, tag: tags.approval, attestation },
    { topic: sessionTopic, message: settlement, ttl, tag: tags.settlement, attestation },
  ]
  const stored = await partOf('PublishFailed', () =>
    Promise.all(publications.map((publication) => session.publish(publication))),
  )
  return {
    result: true,
    after: () => {
      session.deliverWaiting([sessionTopic])
      for (const message of stored) session.announce(message)
    },
  }
}
