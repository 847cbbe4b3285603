import type { SignClient } from 'sign-client-2.21'
import {
  createMetadata,
  sessionTerms,
  type ReceivedRequest,
  type DappPeer,
  type ReceivedEvents,
  type PeerEnvironment,
  type ReceivedProposal,
  type SessionView,
  type Store,
  type WalletPeer,
} from './peers.ts'

/** The last releases of the published client under an open-source licence. */
export const theirVersions = ['2.21.8', '2.17.1'] as const
export type TheirVersion = (typeof theirVersions)[number]

type Client = InstanceType<typeof SignClient>
type StoredSession = ReturnType<Client['session']['get']>

/** Creates their dapp side. */
export async function createTheirDapp(version: TheirVersion, place: PeerEnvironment): Promise<DappPeer> {
  const client = await createTheirClient(version, place, 'Their dapp')
  return {
    ...createAnyPeer(client),
    async propose() {
      const { chain, methods, events } = sessionTerms
      const scope = { chains: [chain], methods: [...methods], events: [...events] }
      const { uri = '', approval } = await client.connect({ optionalNamespaces: { eip155: scope } })
      return { uri, settled: approval().then(toSessionView) }
    },
    request: (topic, request) => client.request({ topic, chainId: sessionTerms.chain, request }),
  }
}

/** Creates their wallet side. */
export async function createTheirWallet(version: TheirVersion, place: PeerEnvironment): Promise<WalletPeer> {
  const client = await createTheirClient(version, place, 'Their wallet')
  const proposals: ReceivedProposal[] = []
  const requests: ReceivedRequest[] = []
  // They report simultaneous duplicates twice. Without the request queue, wallets must drop duplicates.
  const isNew = rememberIds()
  client.on('session_proposal', ({ id, params }) => {
    if (!isNew(id)) return
    proposals.push({
      dapp: params.proposer.metadata.name,
      async approve(accounts) {
        const { acknowledged } = await client.approve({ id, namespaces: { eip155: approveNamespaces(accounts) } })
        await acknowledged()
      },
      reject: () => client.reject({ id, reason: { code: 5000, message: 'User rejected.' } }),
    })
  })
  client.on('session_request', ({ id, topic, params: { request, chainId } }) => {
    if (!isNew(id)) return
    requests.push({
      method: request.method,
      params: request.params,
      chainId,
      respond: (result) => client.respond({ topic, response: { id, jsonrpc: '2.0', result } }),
      reject: (error) => client.respond({ topic, response: { id, jsonrpc: '2.0', error } }),
    })
  })
  return {
    ...createAnyPeer(client),
    proposals,
    requests,
    pair: async (uri) => void (await client.pair({ uri })),
    async update(topic, accounts) {
      const { acknowledged } = await client.update({ topic, namespaces: { eip155: approveNamespaces(accounts) } })
      await acknowledged()
    },
    async extend(topic) {
      const { acknowledged } = await client.extend({ topic })
      await acknowledged()
    },
    emit: (topic, event) => client.emit({ topic, event, chainId: sessionTerms.chain }),
  }
}

function rememberIds(): (id: number) => boolean {
  const known = new Set<number>()
  return (id) => !known.has(id) && known.add(id).has(id)
}

function createAnyPeer(client: Client): Pick<DappPeer, 'received' | 'sessions' | 'ping' | 'disconnect' | 'stop'> {
  const received: ReceivedEvents = { events: [], ended: [] }
  client.on('session_event', ({ params }) => void received.events.push(params.event))
  client.on('session_delete', ({ topic }) => void received.ended.push(topic))
  return {
    received,
    sessions: () => client.session.getAll().map(toSessionView),
    ping: (topic) => client.ping({ topic }),
    disconnect: (topic) => client.disconnect({ topic, reason: { code: 6000, message: 'User disconnected.' } }),
    async stop() {
      client.core.heartbeat.stop()
      await client.core.relayer.transportClose()
    },
  }
}

/** Contact only the relay, and allow two clients in one process. */
const quiet = { IS_VITEST: 'true', DISABLE_GLOBAL_CORE: 'true' }

/** Creates the published client, which is a dapp or a wallet. */
export async function createTheirClient(
  version: TheirVersion,
  { relayUrl, store }: PeerEnvironment,
  name: string,
): Promise<Client> {
  // Their modules read these on load.
  Object.assign(process.env, quiet)
  const { SignClient } = await (version === '2.21.8' ? import('sign-client-2.21') : import('sign-client-2.17'))
  const client = await SignClient.init({
    relayUrl,
    projectId: sessionTerms.projectId,
    metadata: createMetadata(name),
    storage: createStoreStorage(store),
    telemetryEnabled: false,
    logger: 'silent',
    signConfig: { disableRequestQueue: true },
  })
  return client as Client
}

const approveNamespaces = (accounts: readonly string[]) => ({
  chains: [sessionTerms.chain],
  accounts: [...accounts],
  methods: [...sessionTerms.methods],
  events: [...sessionTerms.events],
})

const toSessionView = ({ topic, peer, namespaces, expiry }: StoredSession): SessionView => ({
  topic,
  peer: peer.metadata.name,
  accounts: namespaces['eip155']?.accounts ?? [],
  expiry,
})

/** Stores copies, like a database. */
function createStoreStorage(store: Store) {
  return {
    getKeys: async () => [...store.keys()],
    // Their types require this.
    getEntries: async <value>() => structuredClone([...store.entries()]) as [string, value][],
    getItem: async <value>(key: string) => structuredClone(store.get(key)) as value | undefined,
    setItem: async <value>(key: string, value: value) => void store.set(key, structuredClone(value)),
    removeItem: async (key: string) => void store.delete(key),
  }
}
