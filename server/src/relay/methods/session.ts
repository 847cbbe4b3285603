import { invalidParams } from '../errors.ts'
import type { Method } from './method.ts'
import { publishAll } from './publishAll.ts'
import { runStep, toStepError } from './runStep.ts'
import { parseAttestationParam, parseMessageParam, parseTopicParam } from './params.ts'

/** Tags of the Sign protocol: a session proposal, its response, and the settlement. */
const tags = { proposal: 1100, approval: 1101, settlement: 1102 } as const
const ttl = 300

/** Parses a topic. An empty one counts as a missing parameter. */
function parseNonEmptyTopic(value: unknown): string {
  if (value === '') throw invalidParams('a topic is empty')
  return parseTopicParam(value)
}

/** Subscribes to the pairing topic and publishes a session proposal on it. */
export const proposeSession: Method = async (session, params) => {
  const topic = parseNonEmptyTopic(params['pairingTopic'])
  const message = parseMessageParam(params['sessionProposal'], tags.proposal, session.limits)
  const attestation = parseAttestationParam(params['attestation'])
  await runStep('SubscribeFailed', () => session.subscribe(topic))
  const stored = await runStep('PublishFailed', () =>
    session.publish({ topic, message, ttl, tag: tags.proposal, attestation, isPrompt: true }),
  )
  return {
    result: true,
    after: () => {
      session.deliverUndelivered([topic])
      session.broadcast(stored)
    },
  }
}

/** Subscribes to the session topic, publishes the approval on the pairing topic and the settlement on the session topic. */
export const approveSession: Method = async (session, params) => {
  const pairingTopic = parseNonEmptyTopic(params['pairingTopic'])
  const sessionTopic = parseNonEmptyTopic(params['sessionTopic'])
  if (pairingTopic === sessionTopic) throw invalidParams('the two topics are the same')
  const approval = parseMessageParam(params['sessionProposalResponse'], tags.approval, session.limits)
  const settlement = parseMessageParam(params['sessionSettlementRequest'], tags.settlement, session.limits)
  const attestation = parseAttestationParam(params['attestation'])
  await runStep('SubscribeFailed', () => session.subscribe(sessionTopic))
  const messages = [
    { topic: pairingTopic, message: approval, ttl, tag: tags.approval, attestation, isPrompt: false },
    { topic: sessionTopic, message: settlement, ttl, tag: tags.settlement, attestation, isPrompt: false },
  ]
  const { stored, error } = await publishAll(session, messages)
  const after = (): void => {
    session.deliverUndelivered([sessionTopic])
    for (const message of stored) session.broadcast(message)
  }
  return error === undefined ? { result: true, after } : { error: toStepError('PublishFailed', error), after }
}
