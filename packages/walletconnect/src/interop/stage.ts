import type { AccountId } from '@latchkey/protocol'
import { fakeAccount } from '@latchkey/core/testing'
import { expect, vi, type TestContext } from 'vitest'
import { layLine, type Line } from './line.ts'
import type { Pair } from './matrix.ts'
import type { Asked, DappPeer, Place, Proposed, SessionView, Store, WalletPeer } from './peers.ts'

/** One side of a pair, with a line and a memory of its own. */
export type End<peer> = {
  readonly line: Line
  readonly peer: peer
  /** Goes away without a word; nothing reaches it any more. */
  leave(): Promise<void>
  /** Comes back as a reloaded page does: a new peer, on what the old one stored. */
  comeBack(): Promise<void>
}

/** A pair over a relay. */
export type Stage = { readonly dapp: End<DappPeer>; readonly wallet: End<WalletPeer> }

export const accounts: readonly [AccountId, AccountId] = [fakeAccount('eip155:1', 0), fakeAccount('eip155:1', 1)]

/**
 * Sets up both ends of a pair; they go when the test is over. Their lines stay: clients of others finish what they are
 * at, or would try for ever, and hold up all that comes after.
 */
export async function setStage(pair: Pair, relayUrl: string, { onTestFinished }: TestContext): Promise<Stage> {
  const [dapp, wallet] = await Promise.all([makeEnd(pair.dapp, relayUrl), makeEnd(pair.wallet, relayUrl)])
  onTestFinished(async () => void (await Promise.all([dapp.peer.leave(), wallet.peer.leave()])))
  return { dapp, wallet }
}

async function makeEnd<peer extends { leave(): Promise<void> }>(
  make: (place: Place) => Promise<peer>,
  relayUrl: string,
): Promise<End<peer>> {
  const appear = async (store: Store) => {
    const line = await layLine(relayUrl)
    return { store, line, peer: await make({ relayUrl: line.url, store }) }
  }
  let present = await appear(new Map())
  return {
    get line() {
      return present.line
    },
    get peer() {
      return present.peer
    },
    async leave() {
      await present.peer.leave()
      await present.line.close()
    },
    async comeBack() {
      // A copy, because one that is gone does not write any more.
      present = await appear(new Map(present.store))
    },
  }
}

/** Waits until something is so: as long as the slowest client takes to come back. */
export const eventually = (check: () => void): Promise<void> => vi.waitFor(check, { timeout: 60_000, interval: 20 })

/** Brings a proposal into the wallet's hand. */
export async function propose({ dapp, wallet }: Stage): Promise<{ proposed: Proposed; settled: Promise<SessionView> }> {
  const { uri, settled } = await dapp.peer.propose()
  await wallet.peer.pair(uri)
  await eventually(() => expect(wallet.peer.proposed.length).toBe(1))
  return { proposed: wallet.peer.proposed[0] ?? expect.fail('no proposal'), settled }
}

/** Settles a session and tells its topic. */
export async function connect(stage: Stage): Promise<string> {
  const { proposed, settled } = await propose(stage)
  const [{ topic }] = await Promise.all([settled, proposed.approve(accounts.slice(0, 1))])
  return topic
}

/** Asks, and goes on when the relay has taken the request; tells what becomes of it. */
export async function ask({ dapp }: Stage, topic: string): Promise<{ answer: Promise<unknown> }> {
  const before = dapp.line.received()
  const answer = dapp.peer.request(topic, signing)
  answer.catch(() => {})
  await eventually(() => expect(dapp.line.received() - before).toBeGreaterThan(shortestAnswer))
  return { answer }
}

/** Bytes: pings of the websocket are smaller. */
const shortestAnswer = 30

export const signing = { method: 'personal_sign', params: ['0x4c6174636873cc8865792e', '0xab'] } as const

/** The request in the wallet's hand. */
export async function nextAsked({ wallet }: Stage): Promise<Asked> {
  await eventually(() => expect(wallet.peer.asked.length).toBe(1))
  return wallet.peer.asked[0] ?? expect.fail('no request')
}

/** What a promise rejects with. */
export const failureOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => expect.fail('it succeeded'),
    (error: unknown) => error,
  )
