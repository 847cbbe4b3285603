import { memoryStorage } from '@latchkey/core'
import { fakeAccount, manualClock, type ManualClock } from '@latchkey/core/testing'
import { beforeEach, describe, expect, test } from 'vitest'
import type { PeerRequest } from '../channel/channel.ts'
import { createDappReceiver } from './createDappReceiver.ts'
import type { PeerError } from '../channel/peerError.ts'
import type { DappClient } from './dappClient.ts'
import { createRelayTime, type RelayTime } from '../relay/relayTime.ts'
import { createSessionStore, type SessionStore } from '../session/sessionStore.ts'
import { sessionLifetime, type Session } from '../session/session.ts'

const now = Math.floor(manualClock().now() / 1000)
/** The id of a message that a wallet sends now, by a clock that is ahead. */
const idAhead = (milliseconds: number): number => (localClock.now() + milliseconds) * 1000
const day = 86_400_000
const topic = 'ab'.repeat(32)
const pairing = 'ef'.repeat(32)
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

let localClock: ManualClock
let clock: RelayTime
let sessions: SessionStore
let responses: Array<{ id: number } & ({ result: unknown } | { error: PeerError })>
let notifications: unknown[]
let receive: (request: PeerRequest) => void
/** Creates the receiver of another page on the same storage. */
let openTab: () => (request: PeerRequest) => void
let reload: () => void

beforeEach(() => {
  localClock = manualClock()
  clock = createRelayTime(localClock)
  sessions = createSessionStore(memoryStorage(), '')
  sessions.save(session)
  responses = []
  notifications = []
  const parts: Pick<
    DappClient,
    'channel' | 'sessions' | 'settlements' | 'activeSessions' | 'clock' | 'keyring' | 'pairingEnds'
  > = {
    sessions,
    clock,
    settlements: new Map(),
    pairingEnds: new Map([[pairing, () => notifications.push('pairing deleted')]]),
    // The receiver only looks up keys.
    keyring: { get: (of: string) => (of === pairing ? new Uint8Array(32) : undefined) } as DappClient['keyring'],
    channel: {
      respond: async ({ id }: { id: number }, result: unknown) => void responses.push({ id, result }),
      reject: async ({ id }: { id: number }, error: PeerError) => void responses.push({ id, error }),
      // The receiver uses only these functions.
    } as unknown as DappClient['channel'],
    // The receiver only saves and ends sessions.
    activeSessions: { save: sessions.save, end: sessions.remove } as unknown as DappClient['activeSessions'],
  }
  // The receiver uses only these members.
  const open = (): typeof receive =>
    createDappReceiver(parts as DappClient, (_, message) =>
      message({
        updated: ({ namespaces: next }) => notifications.push(next),
        event: ({ name, data }) => notifications.push([name, data]),
        ended: () => notifications.push('ended'),
      }),
    )
  receive = open()
  openTab = open
  reload = () => {
    receive = open()
  }
})

const errorOf = (id: number): number | undefined => {
  const response = responses.find((each) => each.id === id)
  return response !== undefined && 'error' in response ? response.error.code : undefined
}

const update = (id: number, accounts: readonly string[]): void =>
  receive({
    topic,
    id,
    method: 'wc_sessionUpdate',
    params: { namespaces: { eip155: { ...namespaces.eip155, accounts } } },
  })

const extend = (id: number, expiry?: number): void =>
  receive({ topic, id, method: 'wc_sessionExtend', params: expiry === undefined ? {} : { expiry } })

const receiveEvent = (id: number, name: string, data: unknown, chainId = 'eip155:1'): void =>
  receive({ topic, id, method: 'wc_sessionEvent', params: { event: { name, data }, chainId } })

describe('an update', () => {
  test('that is older than the last one is rejected with 1003 and changes nothing', () => {
    const later = fakeAccount('eip155:1', 1)
    update(20, [later])
    update(10, [fakeAccount('eip155:1', 2)])
    expect([errorOf(20), errorOf(10)]).toEqual([undefined, 1003])
    expect(sessions.get(topic)?.namespaces.eip155?.accounts).toEqual([later])
    expect(notifications).toHaveLength(1)
  })

  test('that is replayed after a reload is rejected with 1003 and grants nothing again [G-10]', () => {
    const [withdrawn, kept] = [fakeAccount('eip155:1', 1), fakeAccount('eip155:1', 2)]
    update(10, [withdrawn, kept])
    update(20, [kept])
    reload()
    update(10, [withdrawn, kept])
    update(19, [withdrawn])
    expect([errorOf(10), errorOf(19)]).toEqual([undefined, 1003])
    expect(responses.filter(({ id }) => id === 10)).toMatchObject([{ result: true }, { error: { code: 1003 } }])
    expect(sessions.get(topic)?.namespaces.eip155?.accounts).toEqual([kept])
    expect(notifications).toHaveLength(2)
  })

  test('that is the newest one and repeated gets a response, and changes and reports nothing [G-10]', () => {
    const first = fakeAccount('eip155:1', 1)
    update(20, [first])
    reload()
    update(20, [fakeAccount('eip155:1', 2)])
    expect(responses).toEqual([
      { id: 20, result: true },
      { id: 20, result: true },
    ])
    expect(sessions.get(topic)?.namespaces.eip155?.accounts).toEqual([first])
    expect(notifications).toHaveLength(1)
  })

  test('is reported once in each tab, and an older one in none [G-10]', () => {
    const [here, there] = [receive, openTab()]
    for (const tab of [here, there]) {
      receive = tab
      update(20, [fakeAccount('eip155:1', 1)])
    }
    expect(notifications).toHaveLength(2)
    for (const tab of [here, there, openTab()]) {
      receive = tab
      update(10, [fakeAccount('eip155:1', 2)])
    }
    expect(notifications).toHaveLength(2)
    expect(sessions.get(topic)?.namespaces.eip155?.accounts).toEqual([fakeAccount('eip155:1', 1)])
  })

  test('that is outdated stays refused if another tab stores an older session [G-10]', () => {
    update(20, [fakeAccount('eip155:1', 1)])
    sessions.save(session)
    update(10, [fakeAccount('eip155:1', 2)])
    expect(errorOf(10)).toBe(1003)
  })

  test('is accepted with any id by a session that an earlier version stored', () => {
    sessions.save({ ...session, latestIds: undefined })
    reload()
    update(1, [fakeAccount('eip155:1', 1)])
    expect(errorOf(1)).toBeUndefined()
    expect(sessions.get(topic)?.latestIds).toEqual({ wc_sessionUpdate: 1 })
  })

  test('without accounts or with invalid ones is rejected with 1003', () => {
    update(1, [])
    update(2, ['0xab'])
    expect([errorOf(1), errorOf(2)]).toEqual([1003, 1003])
    expect(sessions.get(topic)).toMatchObject({ namespaces })
  })
})

describe('an update of a session with requirements', () => {
  test('that lacks one is rejected with 1003 and changes nothing', () => {
    const { chains } = namespaces.eip155
    sessions.save({ ...session, requiredNamespaces: { eip155: { chains, methods: ['personal_sign'], events: [] } } })
    const eip155 = { ...namespaces.eip155, methods: [] }
    receive({ topic, id: 1, method: 'wc_sessionUpdate', params: { namespaces: { eip155 } } })
    expect(errorOf(1)).toBe(1003)
    expect(sessions.get(topic)?.namespaces.eip155?.methods).toEqual(['personal_sign'])
  })
})

describe('an extension', () => {
  test.each([
    ['without a time', {}, now + sessionLifetime],
    ['to a time', { expiry: now + 5000 }, now + 5000],
    ['to a time before the current expiry', { expiry: now + 10 }, now + 1000],
    ['for longer than a week', { expiry: now + 9_999_999 }, now + sessionLifetime],
    ['to an invalid time', { expiry: 'never' }, now + sessionLifetime],
  ])('%s', (_, params, expiry) => {
    receive({ topic, id: 1, method: 'wc_sessionExtend', params })
    expect(responses).toEqual([{ id: 1, result: true }])
    expect(sessions.get(topic)?.expiry).toBe(expiry)
  })
})

describe('an extension that is replayed', () => {
  test.each([
    ['names no time', undefined],
    ['names a time after a week', now + 9_999_999],
  ])('after a reload extends nothing if it %s [G-10]', (_, requested) => {
    extend(10, now + 2000)
    extend(20, requested)
    const expiry = now + 4000
    // As if days had passed since then.
    sessions.save({ ...session, latestIds: sessions.get(topic)?.latestIds, expiry })
    reload()
    extend(20, requested)
    extend(10, requested)
    expect(sessions.get(topic)?.expiry).toBe(expiry)
    expect(responses.slice(2)).toMatchObject([{ result: true }, { error: { code: 1004 } }])
  })
})

describe('messages of a wallet whose clock was a day ahead', () => {
  test('are accepted again soon after its clock is right [G-12]', () => {
    const [before, after] = [fakeAccount('eip155:1', 1), fakeAccount('eip155:1', 2)]
    for (const reloads of [false, true]) {
      update(idAhead(day), [before])
      receiveEvent(idAhead(day), 'accountsChanged', 'early')
      localClock.advance(600_000)
      if (reloads) reload()
      update(idAhead(0), [after])
      receiveEvent(idAhead(0), 'accountsChanged', 'right')
      expect(sessions.get(topic)?.namespaces.eip155?.accounts).toEqual([after])
    }
    expect(notifications.filter((each) => Array.isArray(each))).toHaveLength(4)
  })

  test('stay refused if they are replayed and the relay states an earlier time [G-10]', () => {
    const [withdrawn, kept] = [fakeAccount('eip155:1', 1), fakeAccount('eip155:1', 2)]
    const old = idAhead(0)
    localClock.advance(1000)
    clock.observe(localClock.now() - 30 * day, 300)
    update(old, [withdrawn])
    update(idAhead(0), [kept])
    reload()
    update(old, [withdrawn])
    expect(responses.at(-1)).toMatchObject({ id: old, error: { code: 1003 } })
    expect(sessions.get(topic)?.namespaces.eip155?.accounts).toEqual([kept])
  })
})

describe('an event', () => {
  test('that is replayed after a reload is not reported again [G-10]', () => {
    receiveEvent(10, 'accountsChanged', 'old')
    receiveEvent(20, 'accountsChanged', 'new')
    reload()
    receiveEvent(10, 'accountsChanged', 'old')
    receiveEvent(20, 'accountsChanged', 'new')
    receiveEvent(21, 'accountsChanged', 'newer')
    expect(notifications.map((each) => Array.isArray(each) && each[1])).toEqual(['old', 'new', 'newer'])
  })

  test('is reported once in each tab that was open when it arrived [G-10]', () => {
    const there = openTab()
    receiveEvent(20, 'accountsChanged', 'new')
    for (const tab of [there, there, openTab()]) {
      receive = tab
      receiveEvent(20, 'accountsChanged', 'new')
    }
    expect(notifications).toHaveLength(2)
  })

  test('that is older than the last one of its name is dropped', () => {
    receiveEvent(20, 'accountsChanged', 'new')
    receiveEvent(10, 'accountsChanged', 'old')
    receiveEvent(15, 'chainChanged', '0x1')
    expect(notifications).toEqual([
      ['accountsChanged', 'new'],
      ['chainChanged', '0x1'],
    ])
    expect(responses).toEqual([])
  })

  test('with a name or a chain outside the session is rejected with 3002', () => {
    receiveEvent(1, 'message', 'x')
    receiveEvent(2, 'accountsChanged', 'x', 'eip155:10')
    receiveEvent(3, 'accountsChanged', 'x', 'nonsense')
    expect([errorOf(1), errorOf(2), errorOf(3)]).toEqual([3002, 3002, 3002])
    expect(notifications).toEqual([])
  })
})

describe('a request', () => {
  test('that only apps send is rejected with 10001', () => {
    receive({ topic, id: 1, method: 'wc_sessionRequest', params: {} })
    expect(errorOf(1)).toBe(10_001)
  })

  test('on a topic without a session gets no response', () => {
    receive({ topic: 'cd'.repeat(32), id: 1, method: 'wc_sessionPing', params: {} })
    expect(responses).toEqual([])
  })
})

describe('a pairing request', () => {
  test('that pings is responded to on a pairing, and not on an unknown topic', () => {
    receive({ topic: pairing, id: 1, method: 'wc_pairingPing', params: {} })
    receive({ topic: 'cd'.repeat(32), id: 2, method: 'wc_pairingPing', params: {} })
    expect(responses).toEqual([{ id: 1, result: true }])
  })

  test('that deletes the pairing is responded to and ends the proposal', () => {
    receive({ topic: pairing, id: 1, method: 'wc_pairingDelete', params: { code: 6000, message: 'no' } })
    expect(responses).toEqual([{ id: 1, result: true }])
    expect(notifications).toEqual(['pairing deleted'])
  })

  test.each([
    [now + 100, undefined],
    [now - 1, 1004],
    ['soon', 1004],
    [NaN, 1004],
  ])('that extends the pairing to %s is responded to with the error %s', (expiry, code) => {
    receive({ topic: pairing, id: 1, method: 'wc_pairingExtend', params: { expiry } })
    expect(responses).toHaveLength(1)
    expect(errorOf(1)).toBe(code)
  })

  test('on a session is rejected with 10001 and does not end the session', () => {
    receive({ topic, id: 1, method: 'wc_pairingDelete', params: {} })
    expect(errorOf(1)).toBe(10_001)
    expect(sessions.get(topic)).toBeDefined()
  })
})
