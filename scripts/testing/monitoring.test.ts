import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { requireDeployTool } from './deployTools.mjs'
import { root } from '../lib/root.mjs'

const run = promisify(execFile)
const promtool = requireDeployTool('promtool')
const folder = join(root, 'deploy/prometheus')

async function readLines(path: string): Promise<string> {
  return readFile(join(root, path), 'utf8')
}

/** The metrics in the documented list, which a test of the server compares with a running one. */
async function documentedMetrics(): Promise<ReadonlySet<string>> {
  const entries = [...(await readLines('docs/metrics.md')).matchAll(/^- `(\w+)[^(]*\((\w+)\)/gm)]
  const suffixes = ['_bucket', '_sum', '_count']
  return new Set(
    entries.flatMap(([, name = '', type]) => [
      name,
      ...(type === 'histogram' ? suffixes.map((each) => name + each) : []),
    ]),
  )
}

/** The names of metrics in a text of expressions: ours, and those of processes and machines. */
function metricsIn(text: string): readonly string[] {
  return [...new Set(text.match(/\b(?:latchkey|process|nodejs|node)_[a-z0-9_]+/g))]
}

/** Of the process and of Prometheus's own exporters. */
const others = [
  'process_cpu_seconds_total',
  'process_max_fds',
  'process_open_fds',
  'process_resident_memory_bytes',
  'process_start_time_seconds',
  'nodejs_eventloop_lag_p99_seconds',
  'node_filesystem_avail_bytes',
  'node_filesystem_size_bytes',
  'node_timex_offset_seconds',
  'node_timex_sync_status',
]

test.each(['deploy/prometheus/alerts.yml', 'deploy/grafana/relay.json', 'deploy/grafana/server.json'])(
  '%s uses metrics that the server has',
  async (path) => {
    const known = await documentedMetrics()
    const used = metricsIn((await readLines(path)).replaceAll(/"uid": "[^"]*"/g, ''))
    expect(used.filter((name) => !known.has(name) && !others.includes(name))).toEqual([])
    expect(used.length).toBeGreaterThan(5)
  },
)

test('Prometheus loads the configuration and the rules, and the rules pass their tests', async () => {
  const config = join(folder, 'prometheus.yml')
  expect((await run(promtool, ['check', 'config', '--syntax-only', config])).stdout).toContain('SUCCESS')
  expect((await run(promtool, ['check', 'rules', join(folder, 'alerts.yml')])).stdout).toContain('SUCCESS')
  expect((await run(promtool, ['test', 'rules', join(folder, 'alerts.test.yml')])).stdout).toContain('SUCCESS')
})

test('the tests of the rules fail when a threshold changes', { tags: 'faults' }, async () => {
  const copy = await mkdtemp(join(tmpdir(), 'latchkey-alerts-'))
  onTestFinished(() => rm(copy, { recursive: true }))
  await cp(folder, copy, { recursive: true })
  const rules = await readFile(join(copy, 'alerts.yml'), 'utf8')
  await writeFile(join(copy, 'alerts.yml'), rules.replace('latchkey_database_up == 0', 'latchkey_database_up == 2'))
  await expect(run(promtool, ['test', 'rules', join(copy, 'alerts.test.yml')])).rejects.toThrow('FAILED')
})

test('each alert has a test in which it fires, and one in which it does not', async () => {
  const rules = await readLines('deploy/prometheus/alerts.yml')
  const alerts = [...rules.matchAll(/alert: (\w+)/g)].map(([, name = '']) => name)
  const tests = await readLines('deploy/prometheus/alerts.test.yml')
  const tested = [...tests.matchAll(/alertname: (\w+)\n\s+exp_alerts:( \[\])?/g)]
  const list = (fires: boolean): readonly string[] => [
    ...new Set(tested.filter(([, , none]) => (none === undefined) === fires).map(([, name = '']) => name)),
  ]
  expect(list(true).toSorted()).toEqual(alerts.toSorted())
  expect(list(false).toSorted()).toEqual(alerts.toSorted())
})

test('each alert has a severity, and instructions in docs/operate.md', async () => {
  const rules = await readLines('deploy/prometheus/alerts.yml')
  const alerts = [...rules.matchAll(/alert: (\w+)/g)].map(([, name = '']) => name)
  expect(rules.match(/severity: (page|ticket)/g)).toHaveLength(alerts.length)
  expect(alerts.map((name) => `docs/operate.md#${name.toLowerCase()}`)).toEqual(
    [...rules.matchAll(/runbook: (\S+)/g)].map(([, target]) => target),
  )
  const headings = [...(await readLines('docs/operate.md')).matchAll(/^#+ (Latchkey\w+)$/gm)].map(([, name]) => name)
  expect(headings.toSorted()).toEqual(alerts.toSorted())
})

test.each(['relay', 'server'])('the dashboard %s is importable: unique panels with expressions', async (name) => {
  const board = JSON.parse(await readLines(`deploy/grafana/${name}.json`)) as {
    uid: string
    panels: readonly { id: number; title: string; targets: readonly { expr: string }[] }[]
  }
  expect(board.uid).toBe(`latchkey-${name}`)
  expect(new Set(board.panels.map(({ id }) => id)).size).toBe(board.panels.length)
  // Prometheus parses the expressions as rules.
  const expressions = board.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))
  const rules = expressions.map((expr, index) => ({ record: `panel:${index}`, expr }))
  const file = join(await mkdtemp(join(tmpdir(), 'latchkey-panels-')), 'rules.yml')
  onTestFinished(() => rm(join(file, '..'), { recursive: true }))
  await writeFile(file, JSON.stringify({ groups: [{ name: 'panels', rules }] }))
  expect((await run(promtool, ['check', 'rules', file])).stdout).toContain(`${rules.length} rules found`)
})
