import { memoryStorage, systemClock, type Clock, type Storage } from '@latchkey/core'
import { fakeAccount, fakeStorage } from '@latchkey/core/testing'
import { describe, expect, test } from 'vitest'
import { connectParties, partyAccounts, type Phone } from '../testing/parties.ts'
import { startPartiesOverRelay } from '../testing/partiesOverRelay.ts'
import { createReplayingSocket, type ReplayingSocket } from '../testing/replayingSocket.ts'
import type { Dapp } from './dapp.ts'
import type { Session } from '../session/session.ts'

const parties = startPartiesOverRelay()

type Connected = { dapp: Dapp; phone: Phone; session: Session; relay: ReplayingSocket }

async function connectThroughRelay(storage: Storage): Promise<Connected> {
  const relay = createReplayingSocket()
  const [dapp, phone] = [parties.dapp({ storage, createSocket: relay.createSocket }), parties.phone()]
  return { dapp, phone, relay, session: await connectParties(dapp, phone) }
}

/** Opens the page of a session again and waits until it is subscribed. */
async function reloadPage(storage: Storage, { relay, session: { topic } }: Connected): Promise<Dapp> {
  const dapp = parties.dapp({ storage, createSocket: relay.createSocket })
  dapp.restore()
  await dapp.ping(topic)
  return dapp
}

function recordNotices(dapp: Dapp, topic: string): { accounts: string[]; events: unknown[] } {
  const received = { accounts: new Array<string>(), events: new Array<unknown>() }
  dapp.listen(topic, {
    updated: ({ namespaces }) => void received.accounts.push(String(namespaces.eip155?.accounts.length)),
    event: ({ data }) => void received.events.push(data),
    ended() {},
  })
  return received
}

/** Grants a third account, then withdraws it. Returns the delivery of the grant. */
async function grantThenWithdraw({ dapp, phone, relay, session }: Connected): Promise<string> {
  const { topic, namespaces } = session
  const { eip155 } = namespaces
  if (eip155 === undefined) throw new Error('the session has no accounts')
  const countAccounts = (): number | undefined => dapp.session(topic)?.namespaces.eip155?.accounts.length
  const before = relay.recorded(topic).length
  await phone.updateSession(topic, { eip155: { ...eip155, accounts: [...partyAccounts, fakeAccount('eip155:1', 5)] } })
  await expect.poll(countAccounts).toBe(3)
  const grant = relay.recorded(topic)[before] ?? ''
  await phone.updateSession(topic, { eip155: { ...eip155, accounts: partyAccounts } })
  await expect.poll(countAccounts).toBe(2)
  return grant
}

describe('a relay that replays an update after a reload', () => {
  test('does not grant the accounts again that the wallet withdrew [G-10]', async () => {
    const storage = memoryStorage()
    const connected = await connectThroughRelay(storage)
    const { topic } = connected.session
    const grant = await grantThenWithdraw(connected)
    connected.dapp.close()
    const dapp = await reloadPage(storage, connected)
    const received = recordNotices(dapp, topic)
    connected.relay.replay(grant)
    await dapp.ping(topic)
    expect(dapp.session(topic)?.namespaces.eip155?.accounts).toEqual(partyAccounts)
    expect(received.accounts).toEqual([])
  })

  test('does not grant them in a second tab [G-10]', async () => {
    const storage = fakeStorage()
    const connected = await connectThroughRelay(storage)
    const { topic } = connected.session
    const grant = await grantThenWithdraw(connected)
    const there = await reloadPage(storage.otherTab(), connected)
    connected.relay.replay(grant)
    await there.ping(topic)
    expect(there.session(topic)?.namespaces.eip155?.accounts).toEqual(partyAccounts)
    expect(connected.dapp.session(topic)?.namespaces.eip155?.accounts).toEqual(partyAccounts)
  })
})

test('a relay that replays an event after a reload does not select the account again [G-10]', async () => {
  const storage = memoryStorage()
  const connected = await connectThroughRelay(storage)
  const { dapp, phone, relay, session } = connected
  const { topic } = session
  const before = recordNotices(dapp, topic)
  const known = relay.recorded(topic).length
  for (const data of ['one', 'two']) await phone.emitEvent(topic, { name: 'accountsChanged', data }, 'eip155:1')
  await expect.poll(() => before.events).toEqual(['one', 'two'])
  dapp.close()
  const again = await reloadPage(storage, connected)
  const received = recordNotices(again, topic)
  for (const event of relay.recorded(topic).slice(known, known + 2)) relay.replay(event)
  await phone.emitEvent(topic, { name: 'accountsChanged', data: 'three' }, 'eip155:1')
  await expect.poll(() => received.events).toContain('three')
  expect(received.events).toEqual(['three'])
})

test('a relay that replays the end of a session ends no later session [G-10]', async () => {
  const storage = memoryStorage()
  const connected = await connectThroughRelay(storage)
  const { phone, relay, session, dapp } = connected
  await phone.disconnect(session.topic)
  await expect.poll(() => dapp.session(session.topic)).toBeUndefined()
  const later = await connectParties(dapp, parties.phone())
  for (const frame of relay.recorded(session.topic)) relay.replay(frame)
  await dapp.ping(later.topic)
  expect(dapp.restore().map(({ topic }) => topic)).toEqual([later.topic])
})

test('the changes of a wallet whose clock was set back between two page loads are accepted [G-12]', async () => {
  const storage = memoryStorage()
  // By less than a minute, which messages of the relay don't correct.
  const ahead: Clock = { ...systemClock, now: () => systemClock.now() + 50_000 }
  const before = parties.phone({ storage, clock: ahead })
  const dapp = parties.dapp()
  const { topic, namespaces } = await connectParties(dapp, before)
  const received = recordNotices(dapp, topic)
  await before.updateSession(topic, namespaces)
  await before.emitEvent(topic, { name: 'accountsChanged', data: 'one' }, 'eip155:1')
  await expect.poll(() => received).toEqual({ accounts: ['2'], events: ['one'] })
  before.close()
  const after = parties.phone({ storage })
  await after.updateSession(topic, namespaces)
  await after.emitEvent(topic, { name: 'accountsChanged', data: 'two' }, 'eip155:1')
  await expect.poll(() => received).toEqual({ accounts: ['2', '2'], events: ['one', 'two'] })
})
