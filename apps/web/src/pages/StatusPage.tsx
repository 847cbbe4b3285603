import { useEffect, useMemo, useState, type ReactElement } from 'react'
import { listServiceChecks, type ServiceCheck, type ServiceState } from '../app/listServiceChecks.ts'
import type { SiteConfig } from '../app/siteConfig.ts'

type Result = { status: 'checking' } | (ServiceState & { milliseconds?: number })

const timeoutMilliseconds = 5_000

/** Shows which services of the deployment respond to this page. */
export default function StatusPage({ config }: { config: SiteConfig }): ReactElement {
  const [round, setRound] = useState(0)
  // Each round has new checks: those of one round share requests.
  const { groups } = useMemo(() => ({ groups: listServiceChecks(config), round }), [config, round])
  return (
    <div className="page">
      <div className="page-head">
        <h1>Status</h1>
        <button type="button" className="button" onClick={() => setRound(round + 1)}>
          Check again
        </button>
      </div>
      {groups.map(({ title, checks }) => (
        <section key={title} className="card" aria-labelledby={`status-${title}`}>
          <h2 id={`status-${title}`}>{title}</h2>
          <ul className="checks">
            {checks.map((check) => (
              <CheckRow key={`${check.name} ${round}`} check={check} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}

function CheckRow({ check }: { check: ServiceCheck }): ReactElement {
  const [result, setResult] = useState<Result>({ status: 'checking' })
  useEffect(() => {
    const attempt = new AbortController()
    const began = performance.now()
    const report = (outcome: Result): void => void (attempt.signal.aborted || setResult(outcome))
    check.probe(AbortSignal.any([attempt.signal, AbortSignal.timeout(timeoutMilliseconds)])).then(
      (state) => report({ ...state, milliseconds: Math.round(performance.now() - began) }),
      (error: unknown) => report({ status: 'down', detail: reasonOf(error) }),
    )
    return () => attempt.abort()
  }, [check])
  return (
    <li>
      <span className="check-name">{check.name}</span>
      <span className="where">{check.where}</span>
      <span className="check-result" data-status={result.status}>
        {result.status === 'checking' ? 'Checking…' : result.detail}
        {result.status === 'up' && <small> {result.milliseconds} ms</small>}
      </span>
    </li>
  )
}

/** Browsers report an unreachable address as "Failed to fetch" or "NetworkError …". */
function reasonOf(error: unknown): string {
  if (error instanceof TypeError) return 'Not reachable'
  if (error instanceof DOMException) return 'No response in time'
  return error instanceof Error ? error.message : String(error)
}
