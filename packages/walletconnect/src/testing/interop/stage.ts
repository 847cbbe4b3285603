import type { AccountId } from '@latchkey/protocol'
import { fakeAccount } from '@latchkey/core/testing'
import { expect, vi, type TestContext } from 'vitest'
import { startCuttableProxy, type CuttableProxy } from './cuttableProxy.ts'
import type { PeerPair } from './peerPairs.ts'
import type {
  ReceivedRequest,
  DappPeer,
  PeerEnvironment,
  ReceivedProposal,
  SessionView,
  Store,
  WalletPeer,
} from './peers.ts'

/** One side of a pair, with its own proxy and storage. */
export type StageSide<peer> = {
  readonly proxy: CuttableProxy
  readonly peer: peer
  /** Stops without a message to the other side. No message reaches it from then on. */
  stop(): Promise<void>
  /** Reloads: a new peer on the storage of the old one. */
  reload(): Promise<void>
}

/** A pair over a relay. */
export type Stage = { readonly dapp: StageSide<DappPeer>; readonly wallet: StageSide<WalletPeer> }

export const accounts: readonly [AccountId, AccountId] = [fakeAccount('eip155:1', 0), fakeAccount('eip155:1', 1)]

/**
 * Sets up both sides of a pair, which stop after the test. Their proxies stay: other clients must finish pending work, or
 * they would retry forever and delay later tests.
 */
export async function createStage(pair: PeerPair, relayUrl: string, { onTestFinished }: TestContext): Promise<Stage> {
  const [dapp, wallet] = await Promise.all([createSide(pair.dapp, relayUrl), createSide(pair.wallet, relayUrl)])
  onTestFinished(async () => void (await Promise.all([dapp.peer.stop(), wallet.peer.stop()])))
  return { dapp, wallet }
}

async function createSide<peer extends { stop(): Promise<void> }>(
  make: (place: PeerEnvironment) => Promise<peer>,
  relayUrl: string,
): Promise<StageSide<peer>> {
  const appear = async (store: Store) => {
    const line = await startCuttableProxy(relayUrl)
    return { store, line, peer: await make({ relayUrl: line.url, store }) }
  }
  let present = await appear(new Map())
  return {
    get proxy() {
      return present.line
    },
    get peer() {
      return present.peer
    },
    async stop() {
      await present.peer.stop()
      // Version 2.17.1 reconnects with pending work after it was stopped. While its connections are refused, it retries without
      // a pause and adds listeners each time, until the process is out of memory.
      present.line.silence()
    },
    async reload() {
      // A copy, because a stopped peer must no longer write.
      present = await appear(new Map(present.store))
    },
  }
}

/** Waits until a check passes, as long as the slowest client takes to reconnect. */
export const waitUntil = (check: () => void): Promise<void> => vi.waitFor(check, { timeout: 60_000, interval: 20 })

/** Proposes a session and waits until the wallet receives it. */
export async function propose({
  dapp,
  wallet,
}: Stage): Promise<{ proposal: ReceivedProposal; settled: Promise<SessionView> }> {
  const { uri, settled } = await dapp.peer.propose()
  await wallet.peer.pair(uri)
  await waitUntil(() => expect(wallet.peer.proposals.length).toBe(1))
  return { proposal: wallet.peer.proposals[0] ?? expect.fail('no proposal'), settled }
}

/** Settles a session and returns its topic. */
export async function connect(stage: Stage): Promise<string> {
  const { proposal, settled } = await propose(stage)
  const [{ topic }] = await Promise.all([settled, proposal.approve(accounts.slice(0, 1))])
  return topic
}

/** Sends a request and waits until the relay has accepted it. */
export async function sendRequest({ dapp }: Stage, topic: string): Promise<{ response: Promise<unknown> }> {
  const before = dapp.proxy.bytesReceived()
  const response = dapp.peer.request(topic, signing)
  response.catch(() => {})
  await waitUntil(() => expect(dapp.proxy.bytesReceived() - before).toBeGreaterThan(shortestResponse))
  return { response }
}

/** Bytes. Pings of the websocket are smaller. */
const shortestResponse = 30

export const signing = { method: 'personal_sign', params: ['0x4c6174636873cc8865792e', '0xab'] } as const

/** Waits for the wallet's next request. */
export async function waitForNextRequest({ wallet }: Stage): Promise<ReceivedRequest> {
  await waitUntil(() => expect(wallet.peer.requests.length).toBe(1))
  return wallet.peer.requests[0] ?? expect.fail('no request')
}

/** Returns the error of a rejected promise. */
export const rejectionOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => expect.fail('it succeeded'),
    (error: unknown) => error,
  )
