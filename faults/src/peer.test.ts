import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startTestServer } from '@latchkey/server/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkHistory } from './history/checker.ts'
import { startFaultProxy, type FaultProxy } from './proxies/faultProxy.ts'
import { createHistory, type History } from './history/history.ts'
import { createPeer } from './peer.ts'
import { createRandom } from './random.ts'

let server: Awaited<ReturnType<typeof startTestServer>>
let proxy: FaultProxy
let folder: string
let history: History

beforeAll(async () => {
  server = await startTestServer()
  proxy = await startFaultProxy({ target: { host: '127.0.0.1', port: Number(new URL(server.url).port) } })
  folder = await mkdtemp(join(tmpdir(), 'latchkey-peer-'))
  history = await createHistory(join(folder, 'history.jsonl'))
})
afterAll(async () => {
  await history.close()
  await proxy.close()
  await server.close()
  await rm(folder, { recursive: true })
})

test(
  'peer reconnects after each cut and records a history without lost, phantom or reordered messages',
  { tags: 'faults' },
  async () => {
    const topic = 'a'.repeat(64)
    const options = { url: () => `ws://127.0.0.1:${proxy.port}/relay`, history, random: createRandom(1) }
    const dapp = createPeer({ ...options, name: 'dapp' })
    const wallet = createPeer({ ...options, name: 'wallet', topics: [topic] })
    await wallet.ready()
    for (const message of ['1', '2', '3']) {
      expect(await dapp.publish(topic, message)).toBe(true)
      await expect.poll(() => checkHistory(history.lines).lost).toEqual([])
      proxy.cut()
    }
    expect(checkHistory(history.lines)).toMatchObject({ published: 3, confirmed: 3, phantoms: [], reordered: [] })
    await Promise.all([dapp.close(), wallet.close()])
    expect(wallet.endings.length).toBeGreaterThan(1)
  },
)
