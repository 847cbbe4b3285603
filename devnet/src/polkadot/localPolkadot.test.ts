import { afterEach, expect, test } from 'vitest'
import { startLocalPolkadot, type LocalPolkadotOptions } from './localPolkadot.ts'

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

async function startEndpoint(options: LocalPolkadotOptions = {}) {
  const local = await startLocalPolkadot(options)
  closers.push(local.close)
  return {
    ...local,
    async request(method: string, params: readonly unknown[] = []): Promise<Record<string, unknown>> {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 7, method, params })
      const headers = { 'content-type': 'application/json' }
      return (await (await fetch(local.rpcUrl, { method: 'POST', headers, body })).json()) as Record<string, unknown>
    },
  }
}

/** The storage key of the first development account's balance. */
const accountKey =
  '0x26aa394eea5630e07c48ae0c9558cef7b99d880ec681799c0cf30e8886371da9' +
  '2ffa613d3ceed6b3f35e48f55e8cd5c984f90f25a9f9b3dced21e422addde6a14d94f64d85fc61501994e00013dce05a'

test('the name, the genesis and the first balances start no chain', async () => {
  const { request, network } = await startEndpoint({ start: () => Promise.reject(new Error('It was started.')) })
  expect(await request('system_chain')).toEqual({ jsonrpc: '2.0', id: 7, result: 'Polkadot Local' })
  const genesis = (await request('chain_getBlockHash', [0]))['result']
  expect(network.caipNetworkId).toBe(`polkadot:${String(genesis).slice(2, 34)}`)
  expect((await request('state_getStorage', [accountKey]))['result']).toMatch(/^0x0{16}01/)
})

test(
  'a request that needs the runtime starts the chain, which has the same genesis and balances',
  { tags: 'faults' },
  async () => {
    const { request } = await startEndpoint({ startTimeoutMs: 300_000 })
    const before = [await request('chain_getBlockHash', [0]), await request('state_getStorage', [accountKey])] as const
    expect(await request('state_getRuntimeVersion')).toMatchObject({ result: { specName: 'statemine' } })
    expect(await request('chain_getBlockHash', [0])).toMatchObject({ id: 7, result: before[0]['result'] })
    const free = (response: Record<string, unknown>): string => String(response['result']).slice(2 + 32, 2 + 64)
    expect(free(await request('state_getStorage', [accountKey]))).toBe(free(before[1]))
    expect(await request('system_chain')).toMatchObject({ result: 'Polkadot Local' })
  },
)

test('a chain that fails to start returns the reason, and the next request tries again', async () => {
  let attempts = 0
  const sentences: string[] = []
  const { request } = await startEndpoint({
    onProgress: (sentence) => sentences.push(sentence),
    start() {
      attempts += 1
      return Promise.reject(new Error('The Polkadot chain could not be installed.'))
    },
  })
  const refusal = { id: 7, error: { code: -32_000, message: 'The Polkadot chain could not be installed.' } }
  expect(await request('state_getMetadata')).toMatchObject(refusal)
  expect(await request('state_getMetadata')).toMatchObject(refusal)
  expect([attempts, sentences.length]).toEqual([2, 2])
})

test('a request while the chain starts gets an error that says to retry', async () => {
  const { request } = await startEndpoint({
    startTimeoutMs: 10,
    start: ({ signal } = {}) =>
      new Promise((_, reject) => signal?.addEventListener('abort', () => reject(new Error('stopped')))),
  })
  const message = 'The Polkadot chain is being set up, try again in a minute.'
  expect(await request('state_getMetadata')).toMatchObject({ error: { message } })
  expect(await request('state_getStorage', [accountKey])).toHaveProperty('result')
})

test('a request that is not JSON gets status 400', async () => {
  const { rpcUrl } = await startEndpoint()
  expect((await fetch(rpcUrl, { method: 'POST', body: '{' })).status).toBe(400)
})
