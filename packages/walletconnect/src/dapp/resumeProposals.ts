import type { LatchkeyError } from '@latchkey/protocol'
import type { createKeyPair } from '../crypto/createKeyPair.ts'
import type { Session } from '../session/session.ts'
import type { DappClient } from './dappClient.ts'
import type { PendingProposal } from './pendingProposals.ts'
import type { settleSession } from './settleSession.ts'

/**
 * Few pages need this file, so it loads lazily. It gets its functions injected instead of importing them: bundlers would
 * move shared code into another chunk that all pages load.
 */
type ResumeDependencies = DappClient & {
  readonly settleSession: typeof settleSession
  readonly createKeyPair: typeof createKeyPair
}

/**
 * Resumes the proposals of earlier pages and waits for a wallet to settle one.
 *
 * @param aborted the error to throw when the signal is aborted
 * @returns `undefined` if there are no proposals, or none is settled
 */
export async function resumeProposals(
  dependencies: ResumeDependencies,
  signal: AbortSignal,
  aborted: LatchkeyError,
): Promise<Session | undefined> {
  const proposals = dependencies.pendingProposals.list()
  const removeAll = (): void => proposals.forEach(({ topic }) => removeProposal(dependencies, topic, aborted))
  signal.addEventListener('abort', removeAll)
  try {
    if (signal.aborted) throw aborted
    return await Promise.any(proposals.map((proposal) => resumeProposal(dependencies, proposal, signal)))
  } catch {
    if (signal.aborted) throw aborted
    return undefined
  } finally {
    signal.removeEventListener('abort', removeAll)
    removeAll()
  }
}

async function resumeProposal(
  dependencies: ResumeDependencies,
  { id, topic, symmetricKey, privateKey, namespaces, requiredNamespaces, expiry }: PendingProposal,
  signal: AbortSignal,
): Promise<Session> {
  const { channel, keyring, relay, clock } = dependencies
  keyring.holdInMemory(topic, symmetricKey)
  const response = channel.awaitResponse({ topic, id, method: 'wc_sessionPropose' }, expiry - clock.now() / 1000)
  const subscribed = relay.subscribe(topic)
  const keys = await dependencies.createKeyPair(privateKey)
  await subscribed
  return dependencies.settleSession(dependencies, keys, await response, { namespaces, requiredNamespaces }, signal)
}

function removeProposal(
  { pendingProposals, channel, relay, keyring }: DappClient,
  topic: string,
  error: LatchkeyError,
): void {
  pendingProposals.remove(topic)
  channel.interrupt(error, topic)
  relay.unsubscribe(topic)
  keyring.remove(topic)
}
