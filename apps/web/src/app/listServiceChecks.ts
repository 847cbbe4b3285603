import type { Network } from '@latchkey/protocol'
import type { SiteConfig } from './siteConfig.ts'

/** The result of a check. `waiting` is not a fault: the service catches up, or starts with its first request. */
export type ServiceState = { status: 'up' | 'waiting' | 'down'; detail: string }

/** A check of one service of the deployment. */
export type ServiceCheck = {
  name: string
  /** The address that is checked. */
  where: string
  /** Rejects if the service does not respond. */
  probe(signal: AbortSignal): Promise<ServiceState>
}

/** Checks under a common title. */
export type ServiceGroup = { title: string; checks: readonly ServiceCheck[] }

/** A chain that is this many blocks behind is still considered current: it is read once a second. */
const normalLag = 5n
const timeoutMilliseconds = 5_000

/**
 * Lists the checks of one round. The checks that read the server's health share one request.
 *
 * @example const groups = listServiceChecks(config)
 */
export function listServiceChecks(config: SiteConfig): readonly ServiceGroup[] {
  const { server, relay, frame, auth = server, shares = server, mailbox, bundler, networks } = config
  const readHealth = shareRequest((signal) => fetchHealth(server, signal))
  const readerOf = (host: string): ReadHealth =>
    host === server ? readHealth : shareRequest((signal) => fetchHealth(host, signal))
  return [
    {
      title: 'Server',
      checks: [
        serviceCheck('Data service', server, 'api', readHealth),
        { name: 'Relay', where: relay, probe: (signal: AbortSignal) => checkRelay(relay, signal) },
        serviceCheck('Auth service', auth, 'auth', readerOf(auth)),
        serviceCheck('Share store', shares, 'shares', readerOf(shares)),
      ],
    },
    {
      title: 'Embedded wallet',
      checks: [
        ...(frame === undefined ? [] : [respondingCheck('Frame', `${frame}/manifest.json`, 'Serves the wallet')]),
        ...(mailbox === undefined ? [] : [respondingCheck('Mail', `${mailbox}/health`, 'Accepts mail')]),
        ...(bundler === undefined ? [] : [bundlerCheck(bundler)]),
      ],
    },
    {
      title: 'Networks',
      checks: networks.flatMap((network) => {
        const url = network.rpcUrls.default.http[0]
        if (url === undefined) return []
        return [{ name: network.name, where: url, probe: (signal: AbortSignal) => checkNetwork(network, url, signal) }]
      }),
    },
    {
      title: 'Indexer',
      checks: networks
        .filter(({ chainNamespace }) => chainNamespace === 'eip155')
        .map((network) => indexCheck(network, server, readHealth)),
    },
  ].filter(({ checks }) => checks.length > 0)
}

/** The server's report about itself. Only the fields that were sent correctly are there. */
type Health = {
  services: readonly string[]
  index: ReadonlyArray<{ chain: string; head: bigint; target: bigint; failing: boolean }>
}
type ReadHealth = (signal: AbortSignal) => Promise<Health>

/** Starts one request for all callers. The first caller's signal must outlive the others, so it gets its own timeout. */
function shareRequest(start: ReadHealth): ReadHealth {
  let started: Promise<Health> | undefined
  return (signal) => {
    started ??= start(AbortSignal.timeout(timeoutMilliseconds))
    return Promise.race([started, rejectOnAbort(signal)])
  }
}

function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('No response in time')))
  })
}

async function fetchHealth(server: string, signal: AbortSignal): Promise<Health> {
  const response = await fetch(`${server}/health`, { headers: { accept: 'application/json' }, signal })
  if (!response.ok) throw new Error(`HTTP status ${response.status}`)
  const { services, index } = toRecord(await response.json())
  return {
    services: toList(services).filter((name) => typeof name === 'string'),
    index: toList(index).flatMap((each) => {
      const { chain, head, target, failing } = toRecord(each)
      if (typeof chain !== 'string' || typeof head !== 'number' || typeof target !== 'number') return []
      return [{ chain, head: BigInt(head), target: BigInt(target), failing: failing === true }]
    }),
  }
}

function serviceCheck(name: string, where: string, service: string, readHealth: ReadHealth): ServiceCheck {
  return {
    name,
    where,
    async probe(signal) {
      const { services } = await readHealth(signal)
      if (services.includes(service)) return { status: 'up', detail: 'Running' }
      return { status: 'waiting', detail: 'Runs at another address' }
    },
  }
}

function indexCheck({ name, caipNetworkId }: Network, where: string, readHealth: ReadHealth): ServiceCheck {
  return {
    name,
    where,
    async probe(signal) {
      const progress = (await readHealth(signal)).index.find(({ chain }) => chain === caipNetworkId)
      if (progress === undefined) return { status: 'waiting', detail: 'Not indexed' }
      const { head, target, failing } = progress
      if (failing) return { status: 'down', detail: `Stopped at block ${formatHeight(head)}` }
      const lag = target - head
      if (lag > normalLag) return { status: 'waiting', detail: `${formatHeight(lag)} blocks behind` }
      return { status: 'up', detail: `Current at block ${formatHeight(head)}` }
    },
  }
}

/** Checks that an address responds with a successful status. */
function respondingCheck(name: string, where: string, detail: string): ServiceCheck {
  return {
    name,
    where,
    async probe(signal) {
      const response = await fetch(where, { signal })
      if (!response.ok) throw new Error(`HTTP status ${response.status}`)
      return { status: 'up', detail }
    },
  }
}

function bundlerCheck(where: string): ServiceCheck {
  return {
    name: 'Bundler',
    where,
    async probe(signal) {
      const response = await fetch(where, { signal })
      if (!response.ok) throw new Error(`HTTP status ${response.status}`)
      const { status } = toRecord(await response.json())
      if (status === 'running') return { status: 'up', detail: 'Running' }
      return { status: 'waiting', detail: status === 'starting' ? 'Starting' : 'Starts with the first request' }
    },
  }
}

/** Probes the relay. It refuses a socket without credentials, and the refusal shows that it runs. */
function checkRelay(relay: string, signal: AbortSignal): Promise<ServiceState> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`${relay}?useOnCloseEvent=true`)
    const accept = (): void => resolve({ status: 'up', detail: 'Accepts connections' })
    const done = (finish: () => void): void => {
      finish()
      socket.close()
    }
    socket.onopen = () => done(accept)
    socket.onclose = ({ code }) => done(() => (code === 3000 ? accept() : reject(new Error('Connection refused'))))
    signal.addEventListener('abort', () => done(() => reject(new Error('No response in time'))))
  })
}

/** Reads the height of a chain in its own protocol. */
async function checkNetwork({ chainNamespace }: Network, url: string, signal: AbortSignal): Promise<ServiceState> {
  switch (chainNamespace) {
    case 'eip155':
      return upAtHeight('Block', await requestRpc(url, 'eth_blockNumber', signal))
    case 'solana':
      return upAtHeight('Slot', await requestRpc(url, 'getSlot', signal))
    case 'bip122': {
      // Bitcoin networks are read with the Esplora API.
      const response = await fetch(`${url}/blocks/tip/height`, { signal })
      if (!response.ok) throw new Error(`HTTP status ${response.status}`)
      return upAtHeight('Block', await response.text())
    }
    case 'polkadot':
      return { status: 'up', detail: `Responds as ${String(await requestRpc(url, 'system_chain', signal))}` }
    default:
      // A namespace without a reader of its own: any response shows that the node runs.
      await fetch(url, { signal })
      return { status: 'up', detail: 'Responds' }
  }
}

function upAtHeight(unit: string, height: unknown): ServiceState {
  if ((typeof height !== 'string' && typeof height !== 'number') || !/^(0x[0-9a-f]+|\d+)$/i.test(String(height)))
    throw new Error('Invalid response')
  return { status: 'up', detail: `${unit} ${formatHeight(BigInt(height))}` }
}

async function requestRpc(url: string, method: string, signal: AbortSignal): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [] })
  const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body, signal })
  if (!response.ok) throw new Error(`HTTP status ${response.status}`)
  const { result } = toRecord(await response.json())
  if (result === undefined) throw new Error('Invalid response')
  return result
}

function formatHeight(number: bigint): string {
  return number.toLocaleString('en-US')
}

function toRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
