import { escapeHtml } from '../kit/http/escapeHtml.ts'
import { estimateQuantile, sumSamples, type MetricsSnapshot, type Sample } from '../kit/metrics/metricsSnapshot.ts'

/** A row of a table: a name, a value, and the change per second if there was an earlier view. */
type Row = readonly [name: string, value: string, rate?: string]
type Section = { title: string; rows: readonly Row[] }

/** The page reloads itself, so that rates are those of the last seconds. */
const reloadSeconds = 10
/** The share of requests that may fail. */
const allowedErrors = 0.001

const css = `body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:1rem auto;padding:0 1rem;color:#1a1a1a;background:#fff}
table{width:100%;table-layout:fixed;border-collapse:collapse;margin:1.5rem 0}thead th:nth-child(2){width:30%}thead th:nth-child(3){width:25%}caption{text-align:start;font-weight:600;font-size:1.15rem}
th,td{text-align:start;padding:.25rem .5rem;border-block-end:1px solid #ccc;overflow-wrap:break-word}td{font-variant-numeric:tabular-nums}
@media(prefers-color-scheme:dark){body{color:#eee;background:#161616}th,td{border-color:#444}}`

/** The style of the page, for the hash in its content security policy. */
export const operatorPageCss: string = css

/**
 * Renders the state of a process for its operator: clients, rates, waiting messages, index, providers, limits, abuse and the
 * error budget. It reads metrics only, works without scripts, and has no name of a client.
 *
 * @param previous the metrics of an earlier view, for rates
 */
export function renderOperatorPage(current: MetricsSnapshot, previous?: MetricsSnapshot): string {
  const sections = [
    listState(current),
    listClients(current, previous),
    listMessages(current, previous),
    listIndex(current),
    listCounters('Providers', 'latchkey_upstream_requests_total', current, previous),
    listAbuse(current, previous),
    listBudget(current),
  ].filter(({ rows }) => rows.length > 0)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="refresh" content="${reloadSeconds}">
<title>Latchkey: state of this process</title>
<style>${css}</style>
</head>
<body>
<h1>State of this process</h1>
${sections.map(renderSection).join('\n')}
</body>
</html>
`
}

function renderSection({ title, rows }: Section): string {
  const hasRates = rows.some(([, , rate]) => rate !== undefined)
  const cells = rows.map(([name, value, rate = '']) => {
    const lastCell = hasRates ? `<td>${escapeHtml(rate)}</td>` : ''
    return `<tr><th scope="row">${escapeHtml(name)}</th><td>${escapeHtml(value)}</td>${lastCell}</tr>`
  })
  return `<table><caption>${escapeHtml(title)}</caption>
<thead><tr><th scope="col">Name</th><th scope="col">Value</th>${hasRates ? '<th scope="col">Per second</th>' : ''}</tr></thead>
<tbody>
${cells.join('\n')}
</tbody></table>`
}

function listState(current: MetricsSnapshot): Section {
  const word = (name: string): string => (sumSamples(current, name) > 0 ? 'reachable' : 'unreachable')
  return {
    title: 'Health',
    rows: [
      ...current
        .list('latchkey_build_info')
        .map(({ labels: { version, commit } }): Row => [
          'Release',
          commit === 'unknown' ? `${version}` : `${version} ${commit}`,
        ]),
      [
        'Services',
        current
          .list('latchkey_service')
          .map(({ labels }) => labels['service'])
          .join(', '),
      ],
      ['Database', word('latchkey_database_up')],
      ['Bus between processes', word('latchkey_bus_up')],
      ['Store of the rate limits', word('latchkey_limiter_store_up')],
      ['Memory', formatNumber(sumSamples(current, 'process_resident_memory_bytes') / 1024 / 1024, ' MiB')],
    ],
  }
}

function listClients(current: MetricsSnapshot, previous?: MetricsSnapshot): Section {
  const open = current.list('latchkey_relay_connections')
  if (open.length === 0) return { title: 'Clients', rows: [] }
  return {
    title: 'Clients',
    rows: [
      ['Open connections', formatNumber(sumSamples(current, 'latchkey_relay_connections'))],
      countRow('Accepted connections', 'latchkey_relay_connections_accepted_total', current, previous),
      countRow('Requests', 'latchkey_relay_requests_total', current, previous),
    ],
  }
}

function listMessages(current: MetricsSnapshot, previous?: MetricsSnapshot): Section {
  const { rows } = listCounters('', 'latchkey_relay_messages_total', current, previous)
  if (rows.length === 0) return { title: 'Messages', rows }
  const quantile = (name: string): string => {
    const seconds = estimateQuantile(current, name, 0.99)
    return seconds === undefined ? 'none yet' : `at most ${seconds} s`
  }
  return {
    title: 'Messages',
    rows: [
      ...rows,
      ['Waiting messages', formatNumber(sumSamples(current, 'latchkey_relay_undelivered_messages'))],
      ['Waiting bytes', formatNumber(sumSamples(current, 'latchkey_relay_undelivered_bytes'))],
      ['99 of 100 are stored within', quantile('latchkey_relay_store_seconds')],
      ['99 of 100 are delivered within', quantile('latchkey_relay_delivery_seconds')],
    ],
  }
}

function listIndex(current: MetricsSnapshot): Section {
  const isFailing = (chain: string | undefined): boolean =>
    sumSamples(current, 'latchkey_index_failing', (labels) => labels['chain'] === chain) > 0
  return {
    title: 'Index',
    rows: current
      .list('latchkey_index_lag_blocks')
      .map(({ labels: { chain = '' }, value }) => [
        chain,
        `${formatNumber(value)} blocks behind${isFailing(chain) ? ', failing' : ''}`,
      ]),
  }
}

const refusedEvents = ['code refused', 'token refused', 'passkey refused', 'password attempt refused']

function listAbuse(current: MetricsSnapshot, previous?: MetricsSnapshot): Section {
  const refusedEvent = ({ labels }: Sample): boolean => refusedEvents.includes(labels['event'] ?? '')
  const rows = [
    ...listCounters('', 'latchkey_relay_connections_refused_total', current, previous).rows,
    ...listCounters('', 'latchkey_auth_events_total', current, previous, refusedEvent).rows,
    ...listCounters('', 'latchkey_http_requests_total', current, previous, ({ labels }) => labels['status'] === '429')
      .rows,
  ]
  return { title: 'Limits and abuse', rows: rows.length > 0 ? rows : [['Refused', '0']] }
}

function listBudget(current: MetricsSnapshot): Section {
  const name = 'latchkey_http_requests_total'
  const all = sumSamples(current, name)
  const failed = sumSamples(current, name, (labels) => labels['status']?.startsWith('5') === true)
  const left = all === 0 ? 1 : 1 - failed / all / allowedErrors
  return {
    title: 'Error budget since the start',
    rows: [
      ['HTTP requests', formatNumber(all)],
      ['Failed', formatNumber(failed)],
      ['Left of the 0.1 % that may fail', `${Math.round(left * 100)} %`],
    ],
  }
}

/** Lists the values of a counter that are not zero, named by their labels. */
function listCounters(
  title: string,
  name: string,
  current: MetricsSnapshot,
  previous: MetricsSnapshot | undefined,
  isListed: (sample: Sample) => boolean = () => true,
): Section {
  const samples = current.list(name).filter((sample) => sample.value > 0 && isListed(sample))
  return {
    title,
    rows: samples.map(({ labels, value }) => {
      const words = Object.values(labels)
      const before = previous?.list(name).find((each) => Object.values(each.labels).join() === words.join())?.value ?? 0
      return [words.join(' '), formatNumber(value), previous && formatRate(value - before, current.at - previous.at)]
    }),
  }
}

function countRow(title: string, name: string, current: MetricsSnapshot, previous?: MetricsSnapshot): Row {
  const value = sumSamples(current, name)
  const rate = previous && formatRate(value - sumSamples(previous, name), current.at - previous.at)
  return [title, formatNumber(value), rate]
}

function formatNumber(value: number, unit = ''): string {
  return `${Math.round(value).toLocaleString('en')}${unit}`
}

function formatRate(change: number, milliseconds: number): string {
  return (change / Math.max(1, milliseconds / 1_000)).toFixed(1)
}
