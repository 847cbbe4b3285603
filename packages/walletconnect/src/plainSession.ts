import { messageKinds, type Method } from './messages.ts'
import type { Postage, Relay, SendOptions, SessionApproval } from './relay.ts'

/** Proposes on a relay that has no call for that: listens, then publishes. */
export async function proposePlainly(
  relay: Pick<Relay, 'publish' | 'subscribe'>,
  pairingTopic: string,
  sessionProposal: string,
  options?: SendOptions,
): Promise<void> {
  await relay.subscribe(pairingTopic)
  await relay.publish(pairingTopic, sessionProposal, requestPostage('wc_sessionPropose'), options)
}

/** Approves on a relay that has no call for that: listens, answers the proposal, then settles. */
export async function approvePlainly(
  relay: Pick<Relay, 'publish' | 'subscribe'>,
  { pairingTopic, sessionTopic, sessionProposalResponse, sessionSettlementRequest }: SessionApproval,
  options?: SendOptions,
): Promise<void> {
  const { ttl, responseTag: tag } = messageKinds.wc_sessionPropose
  await relay.subscribe(sessionTopic)
  await relay.publish(pairingTopic, sessionProposalResponse, { ttl, tag, prompt: false }, options)
  await relay.publish(sessionTopic, sessionSettlementRequest, requestPostage('wc_sessionSettle'), options)
}

function requestPostage(method: Method): Postage {
  const { ttl, requestTag: tag, prompt } = messageKinds[method]
  return { ttl, tag, prompt }
}
