import type { Namespace } from '@latchkey/protocol'
import { useEffect, useMemo, useState, type ReactElement } from 'react'
import type { SiteConfig } from '../app/siteConfig.ts'

type Check = { name: string; where: string; probe: (signal: AbortSignal) => Promise<string> }
type Result =
  { status: 'checking' } | { status: 'up'; detail: string; milliseconds: number } | { status: 'down'; detail: string }

/** Shows which services of the deployment respond to this page. */
export default function StatusPage({ config }: { config: SiteConfig }): ReactElement {
  const [round, setRound] = useState(0)
  const checks = useMemo(() => listChecks(config), [config])
  return (
    <div className="page">
      <h1>Status</h1>
      <section className="card" aria-label="Services">
        <table>
          <thead>
            <tr>
              <th scope="col">Service</th>
              <th scope="col">Address</th>
              <th scope="col">Status</th>
            </tr>
          </thead>
          <tbody>
            {checks.map((check) => (
              <CheckRow key={`${check.name} ${round}`} check={check} />
            ))}
          </tbody>
        </table>
        <button type="button" className="button" onClick={() => setRound(round + 1)}>
          Check again
        </button>
      </section>
    </div>
  )
}

function CheckRow({ check }: { check: Check }): ReactElement {
  const [result, setResult] = useState<Result>({ status: 'checking' })
  useEffect(() => {
    const attempt = new AbortController()
    const began = performance.now()
    const report = (outcome: Result): void => void (attempt.signal.aborted || setResult(outcome))
    check.probe(AbortSignal.any([attempt.signal, AbortSignal.timeout(5_000)])).then(
      (detail) => report({ status: 'up', detail, milliseconds: Math.round(performance.now() - began) }),
      (error: unknown) => report({ status: 'down', detail: error instanceof Error ? error.message : String(error) }),
    )
    return () => attempt.abort()
  }, [check])
  return (
    <tr>
      <th scope="row">{check.name}</th>
      <td className="where">{check.where}</td>
      <td data-status={result.status}>
        {result.status === 'checking' && 'Checking…'}
        {result.status === 'up' && `${result.detail} (${result.milliseconds} ms)`}
        {result.status === 'down' && `Unavailable: ${result.detail}`}
      </td>
    </tr>
  )
}

function listChecks({ server, relay, networks }: SiteConfig): readonly Check[] {
  return [
    { name: 'Server', where: server, probe: (signal) => checkHealth(server, signal) },
    { name: 'Relay', where: relay, probe: (signal) => checkRelay(relay, signal) },
    ...networks.flatMap(({ name, chainNamespace, rpcUrls }) =>
      rpcUrls.default.http
        .slice(0, 1)
        .map((url): Check => ({ name, where: url, probe: (signal) => checkBlock(url, chainNamespace, signal) })),
    ),
  ]
}

async function checkHealth(server: string, signal: AbortSignal): Promise<string> {
  const response = await fetch(`${server}/health`, { signal })
  if (!response.ok) throw new Error(`HTTP status ${response.status}`)
  return 'Healthy'
}

/** Probes the relay. It refuses a socket without credentials, and the refusal shows that it runs. */
function checkRelay(relay: string, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`${relay}?useOnCloseEvent=true`)
    const done = (finish: () => void): void => {
      finish()
      socket.close()
    }
    socket.onopen = () => done(() => resolve('Accepts sockets'))
    socket.onclose = ({ code }) =>
      done(() => (code === 3000 ? resolve('Accepts sockets') : reject(new Error('connection refused'))))
    signal.addEventListener('abort', () => done(() => reject(new Error('timeout'))))
  })
}

async function checkBlock(url: string, namespace: Namespace, signal: AbortSignal): Promise<string> {
  const method = namespace === 'solana' ? 'getSlot' : 'eth_blockNumber'
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [] })
  const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body, signal })
  const { result } = (await response.json()) as { result: string }
  return `Block ${Number(result)}`
}
