import type { SignClient } from 'sign-client-2.21'
import {
  metadata,
  terms,
  type Asked,
  type DappPeer,
  type Heard,
  type Place,
  type Proposed,
  type SessionView,
  type Store,
  type WalletPeer,
} from './peers.ts'

/** The last releases of the widespread client under an open licence. */
export const theirVersions = ['2.21.8', '2.17.1'] as const
export type TheirVersion = (typeof theirVersions)[number]

type Client = InstanceType<typeof SignClient>
type StoredSession = ReturnType<Client['session']['get']>

/** Makes their dapp side. */
export async function theirDapp(version: TheirVersion, place: Place): Promise<DappPeer> {
  const client = await createClient(version, place, 'Their dapp')
  return {
    ...anyPeer(client),
    async propose() {
      const { chain, methods, events } = terms
      const asked = { chains: [chain], methods: [...methods], events: [...events] }
      const { uri = '', approval } = await client.connect({ optionalNamespaces: { eip155: asked } })
      return { uri, settled: approval().then(viewOf) }
    },
    request: (topic, request) => client.request({ topic, chainId: terms.chain, request }),
  }
}

/** Makes their wallet side. */
export async function theirWallet(version: TheirVersion, place: Place): Promise<WalletPeer> {
  const client = await createClient(version, place, 'Their wallet')
  const proposed: Proposed[] = []
  const asked: Asked[] = []
  // What the relay says twice at the same moment, they tell twice; with the queue off, wallets are to drop repeats.
  const isNew = rememberIds()
  client.on('session_proposal', ({ id, params }) => {
    if (!isNew(id)) return
    proposed.push({
      dapp: params.proposer.metadata.name,
      async approve(accounts) {
        const { acknowledged } = await client.approve({ id, namespaces: { eip155: granted(accounts) } })
        await acknowledged()
      },
      reject: () => client.reject({ id, reason: { code: 5000, message: 'User rejected.' } }),
    })
  })
  client.on('session_request', ({ id, topic, params: { request, chainId } }) => {
    if (!isNew(id)) return
    asked.push({
      method: request.method,
      params: request.params,
      chainId,
      answer: (result) => client.respond({ topic, response: { id, jsonrpc: '2.0', result } }),
      refuse: (error) => client.respond({ topic, response: { id, jsonrpc: '2.0', error } }),
    })
  })
  return {
    ...anyPeer(client),
    proposed,
    asked,
    pair: async (uri) => void (await client.pair({ uri })),
    async update(topic, accounts) {
      const { acknowledged } = await client.update({ topic, namespaces: { eip155: granted(accounts) } })
      await acknowledged()
    },
    async extend(topic) {
      const { acknowledged } = await client.extend({ topic })
      await acknowledged()
    },
    emit: (topic, event) => client.emit({ topic, event, chainId: terms.chain }),
  }
}

function rememberIds(): (id: number) => boolean {
  const known = new Set<number>()
  return (id) => !known.has(id) && known.add(id).has(id)
}

function anyPeer(client: Client): Pick<DappPeer, 'heard' | 'sessions' | 'ping' | 'disconnect' | 'leave'> {
  const heard: Heard = { events: [], ended: [] }
  client.on('session_event', ({ params }) => void heard.events.push(params.event))
  client.on('session_delete', ({ topic }) => void heard.ended.push(topic))
  return {
    heard,
    sessions: () => client.session.getAll().map(viewOf),
    ping: (topic) => client.ping({ topic }),
    disconnect: (topic) => client.disconnect({ topic, reason: { code: 6000, message: 'User disconnected.' } }),
    async leave() {
      client.core.heartbeat.stop()
      await client.core.relayer.transportClose()
    },
  }
}

/** Nothing but the relay is to be talked to, and two clients are to live in one process. */
const quiet = { IS_VITEST: 'true', DISABLE_GLOBAL_CORE: 'true' }

async function createClient(version: TheirVersion, { relayUrl, store }: Place, name: string): Promise<Client> {
  // They read these when they are loaded.
  Object.assign(process.env, quiet)
  const { SignClient } = await (version === '2.21.8' ? import('sign-client-2.21') : import('sign-client-2.17'))
  const client = await SignClient.init({
    relayUrl,
    projectId: terms.projectId,
    metadata: metadata(name),
    storage: storageIn(store),
    telemetryEnabled: false,
    logger: 'silent',
    signConfig: { disableRequestQueue: true },
  })
  return client as Client
}

const granted = (accounts: readonly string[]) => ({
  chains: [terms.chain],
  accounts: [...accounts],
  methods: [...terms.methods],
  events: [...terms.events],
})

const viewOf = ({ topic, peer, namespaces, expiry }: StoredSession): SessionView => ({
  topic,
  peer: peer.metadata.name,
  accounts: namespaces['eip155']?.accounts ?? [],
  expiry,
})

/** Values are kept as a database would: by copy. */
function storageIn(store: Store) {
  return {
    getKeys: async () => [...store.keys()],
    // They name the type that they expect.
    getEntries: async <value>() => structuredClone([...store.entries()]) as [string, value][],
    getItem: async <value>(key: string) => structuredClone(store.get(key)) as value | undefined,
    setItem: async <value>(key: string, value: value) => void store.set(key, structuredClone(value)),
    removeItem: async (key: string) => void store.delete(key),
  }
}
