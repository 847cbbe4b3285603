import type { LatchkeyError } from '@latchkey/protocol'
import type { createKeyPair } from './curves.ts'
import type { PendingProposal } from './pending.ts'
import type { Proposer, settle } from './propose.ts'
import type { Session } from './session.ts'

/**
 * A proposer with what it does. Few pages need this file: it loads by itself, and imports nothing, because what it
 * shared with the others would become a file of its own for all pages.
 */
type Resumer = Proposer & { readonly settle: typeof settle; readonly createKeyPair: typeof createKeyPair }

/**
 * Takes up the proposals that pages before this one showed, and waits for a wallet to settle one.
 *
 * @param aborted what waiting ends with when the signal is aborted
 * @returns nothing when there are none, or none comes to anything.
 */
export async function resumeProposals(
  resumer: Resumer,
  signal: AbortSignal,
  aborted: LatchkeyError,
): Promise<Session | undefined> {
  const proposals = resumer.pending.all()
  const end = (): void => proposals.forEach(({ topic }) => drop(resumer, topic, aborted))
  signal.addEventListener('abort', end)
  try {
    if (signal.aborted) throw aborted
    return await Promise.any(proposals.map((proposal) => takeUp(resumer, proposal, signal)))
  } catch {
    if (signal.aborted) throw aborted
    return undefined
  } finally {
    signal.removeEventListener('abort', end)
    end()
  }
}

async function takeUp(
  resumer: Resumer,
  { id, topic, symmetricKey, privateKey, namespaces, expiry }: PendingProposal,
  signal: AbortSignal,
): Promise<Session> {
  const { channel, keyring, relay, clock } = resumer
  keyring.hold(topic, symmetricKey)
  const answer = channel.expect({ topic, id, method: 'wc_sessionPropose' }, expiry - clock.now() / 1000)
  const listening = relay.subscribe(topic)
  const keys = await resumer.createKeyPair(privateKey)
  await listening
  return resumer.settle(resumer, keys, await answer, { namespaces }, signal)
}

function drop({ pending, channel, relay, keyring }: Proposer, topic: string, error: LatchkeyError): void {
  pending.drop(topic)
  channel.interrupt(error, topic)
  relay.unsubscribe(topic)
  keyring.drop(topic)
}
