import { expect, onTestFinished, test } from 'vitest'
import { publishIndexUpdate } from '../../indexer/indexUpdates.ts'
import { createInProcessBus } from '../../kit/bus/bus.ts'
import { Problem } from '../../kit/http/problem.ts'
import { createInProcessRateLimiters, type RateLimiters } from '../../kit/limits/rateLimiters.ts'
import { createAccountStreams, type StreamLimits } from './createAccountStreams.ts'

const [chain, alice, bob] = ['eip155:1', `0x${'a'.repeat(40)}`, `0x${'b'.repeat(40)}`]

const defaultLimits: StreamLimits = { total: 9, perProject: 9, perClient: 9 }

function createWorld(
  limits = defaultLimits,
  rateLimiters: RateLimiters = createInProcessRateLimiters({ now: () => 0 }),
) {
  let now = 0
  const bus = createInProcessBus()
  const gaps: (() => void)[] = []
  const streams = createAccountStreams({
    bus: { ...bus, onGap: (listener) => void gaps.push(listener) },
    clock: { now: () => now },
    rateLimiters,
    limits,
  })
  onTestFinished(() => streams.close())
  const open = async (address: string, client = 'client', project = 'project') => {
    const stream = await streams.open({ chain, address, client, project })
    const types: string[] = []
    stream.body.on('data', (data) => types.push(...(String(data).match(/(?<=event: )\w+/g) ?? [])))
    return { ...stream, types }
  }
  return { bus, streams, open, gap: () => gaps.forEach((each) => each()), pass: (by: number) => void (now += by) }
}

const flushPromises = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('a change reaches the streams of its address, in any case of letters, before the head', async () => {
  const { bus, open } = createWorld()
  const [own, other] = [await open(alice.toUpperCase().replace('X', 'x')), await open(bob)]
  publishIndexUpdate(bus, { chain, concerned: [alice], head: 7 })
  publishIndexUpdate(bus, { chain: 'eip155:2', concerned: [bob], head: 8 })
  await flushPromises()
  expect([own.types, other.types]).toEqual([['change', 'head'], ['head']])
})

test('the head follows the last message of an update with many addresses', async () => {
  const { bus, open } = createWorld()
  const own = await open(alice)
  const many = Array.from({ length: 4_500 }, (_, index) => `0x${String(index).padStart(40, '0')}`)
  publishIndexUpdate(bus, { chain, concerned: [...many, alice], head: 7 })
  await flushPromises()
  expect(own.types).toEqual(['change', 'head'])
})

test('heads are reported once a second', async () => {
  const { bus, open, pass } = createWorld()
  const own = await open(alice)
  for (let head = 1; head <= 5; head += 1) {
    publishIndexUpdate(bus, { chain, concerned: [], head })
    pass(400)
  }
  await flushPromises()
  expect(own.types).toEqual(['head', 'head'])
})

test('a reorg and lost messages reset every stream', async () => {
  const { bus, open, gap } = createWorld()
  const own = await open(alice)
  publishIndexUpdate(bus, { chain, concerned: undefined, head: 3 })
  gap()
  await flushPromises()
  expect(own.types).toEqual(['reset', 'head', 'reset'])
})

test.each<[string, Partial<StreamLimits>, readonly [string, string]]>([
  ['a client', { perClient: 2 }, ['client', 'other']],
  ['a project', { perProject: 2 }, ['other', 'project']],
  ['the process', { total: 2 }, ['other', 'other']],
])('streams of %s are limited, and a closed stream makes room', async (_whose, limits, [client, project]) => {
  const { open } = createWorld({ ...defaultLimits, ...limits })
  const [first] = await Promise.all([open(alice), open(alice)])
  await expect(open(alice, client, project)).rejects.toThrow(Problem)
  first.body.destroy()
  await flushPromises()
  await open(alice, client, project)
  await expect(open(alice, client, project)).rejects.toThrow(Problem)
})

test('processes that share their limits share the streams of a client, and a refused one uses no capacity', async () => {
  const rateLimiters = createInProcessRateLimiters({ now: () => 0 })
  const limiter = rateLimiters.createConcurrency('')
  const shared = { ...rateLimiters, createConcurrency: () => limiter }
  const limits = { total: 9, perProject: 3, perClient: 2 }
  const [first, second] = [createWorld(limits, shared), createWorld(limits, shared)]
  await Promise.all([first.open(alice), second.open(alice)])
  await expect(first.open(alice)).rejects.toThrow(Problem)
  await second.open(alice, 'other')
  await expect(second.open(alice, 'third')).rejects.toThrow(Problem)
  await second.open(alice, 'third', 'another project')
})

test('a client that does not read is disconnected', async () => {
  const { bus, streams } = createWorld()
  const { body } = await streams.open({ chain, address: alice, client: 'slow', project: 'project' })
  for (let each = 0; each < 6_000; each += 1) publishIndexUpdate(bus, { chain, concerned: [alice] })
  await flushPromises()
  expect(body.destroyed).toBe(true)
})
