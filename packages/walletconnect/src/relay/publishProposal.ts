import { signMethods, type SignMethod } from '../channel/signMethod.ts'
import type { PublishOptions, Relay, SendOptions, SessionApproval } from './relay.ts'

/** Proposes a session on a relay without `wc_proposeSession`: subscribes, then publishes. */
export async function publishProposal(
  relay: Pick<Relay, 'publish' | 'subscribe'>,
  pairingTopic: string,
  sessionProposal: string,
  options?: SendOptions,
): Promise<void> {
  await relay.subscribe(pairingTopic)
  await relay.publish(pairingTopic, sessionProposal, publishOptionsFor('wc_sessionPropose'), options)
}

/** Approves a session on a relay without `wc_approveSession`: subscribes, responds to the proposal, then settles. */
export async function publishApproval(
  relay: Pick<Relay, 'publish' | 'subscribe'>,
  { pairingTopic, sessionTopic, sessionProposalResponse, sessionSettlementRequest }: SessionApproval,
  options?: SendOptions,
): Promise<void> {
  const { ttl, responseTag: tag } = signMethods.wc_sessionPropose
  await relay.subscribe(sessionTopic)
  await relay.publish(pairingTopic, sessionProposalResponse, { ttl, tag, prompt: false }, options)
  await relay.publish(sessionTopic, sessionSettlementRequest, publishOptionsFor('wc_sessionSettle'), options)
}

function publishOptionsFor(method: SignMethod): PublishOptions {
  const { ttl, requestTag: tag, prompt } = signMethods[method]
  return { ttl, tag, prompt }
}
