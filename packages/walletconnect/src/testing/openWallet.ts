import type { Storage } from '@latchkey/core'
import { fakeStorage, manualClock, type ManualClock } from '@latchkey/core/testing'
import type { PeerRequest } from '../channel/channel.ts'
import type { RequestIdentity } from '../wallet/completedRequests.ts'
import { createInbox } from '../wallet/inbox.ts'
import { createResponseSender, type ResponseSender } from '../wallet/createResponseSender.ts'
import { createWalletDecisions } from '../wallet/createWalletDecisions.ts'
import { createWalletReceiver } from '../wallet/createWalletReceiver.ts'
import type { Wallet } from '../wallet/wallet.ts'
import type { WalletClient } from '../wallet/walletClient.ts'
import type { WalletRequest } from '../wallet/walletRequest.ts'
import { walletConnectError } from '../walletConnectError.ts'

/** The topics of the sessions. Any other topic has one, too. */
export const sessionTopics = ['a1'.repeat(32), 'b2'.repeat(32)] as const

const dapp = { name: 'App', description: '', url: 'https://app.example', icons: [] }
const chainId = 'eip155:1'
const method = 'eth_sendTransaction'

/** A request that a dapp sends on a topic. */
export function peerRequest(topic: string, id: number, members: object = {}): PeerRequest {
  const request = { method, params: [{ from: '0x1', data: topic.slice(0, 2) }], ...members }
  return { topic, id, method: 'wc_sessionRequest', params: { chainId, request } }
}

/** The time at which the wallets open, in milliseconds. */
export const openingTime = 1_800_000_000_000

/**
 * Opens a wallet with two sessions, over a relay that can be made unreachable.
 *
 * @param options.time milliseconds
 */
export function openWallet({ storage = fakeStorage(), time = openingTime }: OpenWalletOptions = {}): OpenWallet {
  const clock = manualClock(time)
  const namespaces = { eip155: { chains: [chainId], accounts: [], methods: [method], events: [] } }
  const published: Array<{ topic: string; id: number; response: unknown }> = []
  const requested: WalletRequest[] = []
  const relay = { isAway: false }
  const publish = async ({ topic, id }: RequestIdentity, response: unknown): Promise<void> => {
    await Promise.resolve()
    if (relay.isAway) throw walletConnectError('relay/unreachable', { origin: 'wss://relay.example' })
    published.push({ topic, id, response })
  }
  const client = {
    inbox: createInbox(storage, 'wallet/', clock),
    clock: Object.assign(clock, { observe() {} }),
    sessions: { get: (topic: string) => ({ topic, peer: dapp, namespaces }) },
    activeSessions: {},
    channel: { respond: publish, reject: publish },
    // Session requests use nothing else of a client.
  } as unknown as WalletClient
  const responses = createResponseSender(client)
  const receive = createWalletReceiver({ ...client, responses }, (call) =>
    call({ request: (each) => requested.push(each) }),
  )
  const { respond } = createWalletDecisions({ ...client, responses })
  return { respond, clock, receive, responses, requested, published, relay, storage }
}

type OpenWalletOptions = { storage?: Storage; time?: number }

export type OpenWallet = {
  respond: Wallet['respond']
  clock: ManualClock
  receive(request: PeerRequest): void
  responses: ResponseSender
  /** The requests that the user sees. */
  requested: readonly WalletRequest[]
  /** The responses that the relay has. */
  published: ReadonlyArray<RequestIdentity & { response: unknown }>
  relay: { isAway: boolean }
  storage: Storage
}
