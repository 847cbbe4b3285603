import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { freePort, startTestServer } from '@latchkey/server/testing'
import { root } from '../lib/root.mjs'
import { requireDeployTool } from './deployTools.mjs'

const token = 'the token of this test'

/** Starts Prometheus with the configuration of deploy/, which scrapes one server. Returns the address of its API. */
async function startPrometheus(target: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-prometheus-'))
  await cp(join(root, 'deploy/prometheus'), folder, { recursive: true })
  const file = join(folder, 'prometheus.yml')
  const config = await readFile(file, 'utf8')
  const placed = config
    .replace("'10.0.0.11:4609', '10.0.0.12:4609'", `'${target}'`)
    .replace(/ *- job_name: node[^]*$/, '')
    .replace('/etc/prometheus/latchkey.token', join(folder, 'token'))
    .replace('scrape_interval: 15s', 'scrape_interval: 1s')
    .replace('evaluation_interval: 15s', 'evaluation_interval: 1s')
  await writeFile(file, placed)
  await writeFile(join(folder, 'token'), token)
  const address = `127.0.0.1:${await freePort()}`
  const options = [`--config.file=${file}`, `--storage.tsdb.path=${folder}/data`, `--web.listen-address=${address}`]
  const child = spawn(requireDeployTool('prometheus'), options, { stdio: 'ignore' })
  onTestFinished(async () => {
    child.kill('SIGTERM')
    if (child.exitCode === null) await once(child, 'exit')
    await rm(folder, { recursive: true })
  })
  return `http://${address}/api/v1`
}

async function get(url: string): Promise<unknown> {
  const response = await fetch(url).catch(() => undefined)
  return response === undefined ? undefined : response.json()
}

test('Prometheus scrapes a server with the configuration, and evaluates every rule', { tags: 'faults' }, async () => {
  const metrics = { host: '127.0.0.1', port: 0, token }
  const server = await startTestServer({ metrics })
  onTestFinished(server.close)
  const api = await startPrometheus(new URL(server.metricsUrl ?? '').host)

  const query = `${api}/query?query=${encodeURIComponent('latchkey_database_up{job="latchkey"}')}`
  const hasValue = { data: { result: [{ value: [expect.any(Number), '1'] }] } }
  await expect.poll(() => get(query)).toMatchObject(hasValue)
  type Rules = { data: { groups: readonly { rules: readonly { name: string; health: string; state: string }[] }[] } }
  const listRules = async () => ((await get(`${api}/rules`)) as Rules).data.groups.flatMap(({ rules }) => rules)
  await expect.poll(async () => (await listRules()).filter(({ health }) => health !== 'ok')).toEqual([])
  const alerts = await readFile(join(root, 'deploy/prometheus/alerts.yml'), 'utf8')
  const names = [...alerts.matchAll(/^ +- alert: (\w+)$/gm)].map(([, name]) => name)
  expect((await listRules()).map(({ name }) => name).toSorted()).toEqual(names.toSorted())
  expect(names.length).toBeGreaterThan(20)
  // A server without load raises no alert. On a busy machine its event loop may be late for a moment, which is pending.
  expect((await listRules()).filter(({ state }) => state === 'firing')).toEqual([])
})
