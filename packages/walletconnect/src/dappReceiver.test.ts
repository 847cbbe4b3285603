import { memoryStorage } from '@latchkey/core'
import { fakeAccount, manualClock } from '@latchkey/core/testing'
import { beforeEach, describe, expect, test } from 'vitest'
import type { PeerRequest } from './channel.ts'
import { createReceiver } from './dappReceiver.ts'
import type { PeerError } from './messages.ts'
import type { Proposer } from './propose.ts'
import { createRelayTime } from './relayTime.ts'
import { createSessions, sessionLifetime, type Session, type Sessions } from './session.ts'

const clock = createRelayTime(manualClock())
const now = Math.floor(clock.now() / 1000)
const topic = 'ab'.repeat(32)
const namespaces = {
  eip155: {
    chains: ['eip155:1'],
    accounts: [fakeAccount('eip155:1')],
    methods: ['personal_sign'],
    events: ['accountsChanged', 'chainChanged'],
  },
} as const
const session: Session = {
  topic,
  peer: { name: 'Phone', description: '', url: '', icons: [] },
  namespaces,
  optionalNamespaces: {},
  expiry: now + 1000,
}

let sessions: Sessions
let answers: Array<{ id: number } & ({ result: unknown } | { error: PeerError })>
let told: unknown[]
let receive: (request: PeerRequest) => void

beforeEach(() => {
  sessions = createSessions(memoryStorage(), '')
  sessions.save(session)
  answers = []
  told = []
  const parts: Pick<Proposer, 'channel' | 'sessions' | 'settlements' | 'live' | 'clock'> = {
    sessions,
    clock,
    settlements: new Map(),
    channel: {
      respond: async ({ id }: { id: number }, result: unknown) => void answers.push({ id, result }),
      refuse: async ({ id }: { id: number }, error: PeerError) => void answers.push({ id, error }),
      // The receiver answers and does nothing else with it.
    } as unknown as Proposer['channel'],
    // Nor does it more with sessions than to save and to end them.
    live: { save: sessions.save, end: sessions.remove } as unknown as Proposer['live'],
  }
  // It takes no other parts than these.
  receive = createReceiver(parts as Proposer, (_, message) =>
    message({
      updated: ({ namespaces: next }) => told.push(next),
      event: ({ name, data }) => told.push([name, data]),
      ended: () => told.push('ended'),
    }),
  )
})

const errorOf = (id: number): number | undefined => {
  const answer = answers.find((each) => each.id === id)
  return answer !== undefined && 'error' in answer ? answer.error.code : undefined
}

const update = (id: number, accounts: readonly string[]): void =>
  receive({
    topic,
    id,
    method: 'wc_sessionUpdate',
    params: { namespaces: { eip155: { ...namespaces.eip155, accounts } } },
  })

const event = (id: number, name: string, data: unknown, chainId = 'eip155:1'): void =>
  receive({ topic, id, method: 'wc_sessionEvent', params: { event: { name, data }, chainId } })

describe('an update', () => {
  test('that was overtaken by a later one is refused with 1003, and changes nothing', () => {
    const later = fakeAccount('eip155:1', 1)
    update(20, [later])
    update(10, [fakeAccount('eip155:1', 2)])
    expect([errorOf(20), errorOf(10)]).toEqual([undefined, 1003])
    expect(sessions.get(topic)?.namespaces.eip155?.accounts).toEqual([later])
    expect(told).toHaveLength(1)
  })

  test('without accounts, or with what is no account, is refused with 1003', () => {
    update(1, [])
    update(2, ['0xab'])
    expect([errorOf(1), errorOf(2)]).toEqual([1003, 1003])
    expect(sessions.get(topic)).toMatchObject({ namespaces })
  })
})

describe('an extension', () => {
  test.each([
    ['without a time', {}, now + sessionLifetime],
    ['to a time', { expiry: now + 5000 }, now + 5000],
    ['to a time before the present end', { expiry: now + 10 }, now + 1000],
    ['for longer than a week', { expiry: now + 9_999_999 }, now + sessionLifetime],
    ['to no time', { expiry: 'never' }, now + sessionLifetime],
  ])('%s', (_, params, expiry) => {
    receive({ topic, id: 1, method: 'wc_sessionExtend', params })
    expect(answers).toEqual([{ id: 1, result: true }])
    expect(sessions.get(topic)?.expiry).toBe(expiry)
  })
})

describe('an event', () => {
  test('that was overtaken by a later one of its name is dropped', () => {
    event(20, 'accountsChanged', 'new')
    event(10, 'accountsChanged', 'old')
    event(15, 'chainChanged', '0x1')
    expect(told).toEqual([
      ['accountsChanged', 'new'],
      ['chainChanged', '0x1'],
    ])
    expect(answers).toEqual([])
  })

  test('of a name or a chain that the session does not have is refused with 3002', () => {
    event(1, 'message', 'x')
    event(2, 'accountsChanged', 'x', 'eip155:10')
    event(3, 'accountsChanged', 'x', 'nonsense')
    expect([errorOf(1), errorOf(2), errorOf(3)]).toEqual([3002, 3002, 3002])
    expect(told).toEqual([])
  })
})

describe('a request', () => {
  test('that only apps make is refused with 10001', () => {
    receive({ topic, id: 1, method: 'wc_sessionRequest', params: {} })
    expect(errorOf(1)).toBe(10_001)
  })

  test('on a topic without a session is not answered', () => {
    receive({ topic: 'cd'.repeat(32), id: 1, method: 'wc_sessionPing', params: {} })
    expect(answers).toEqual([])
  })
})
