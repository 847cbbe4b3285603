import { memoryStorage } from '@latchkey/core'
import { fakeStorage } from '@latchkey/core/testing'
import { describe, expect, test } from 'vitest'
import type { Dapp } from '../dapp/dapp.ts'
import { connectParties } from '../testing/parties.ts'
import { startPartiesOverRelay } from '../testing/partiesOverRelay.ts'

const parties = startPartiesOverRelay()

const sign = { chainId: 'eip155:1', method: 'personal_sign', params: [] } as const

function follow(dapp: Dapp, topic: string) {
  const received = { events: [] as unknown[], updates: 0, ended: 0 }
  dapp.listen(topic, {
    updated: () => void (received.updates += 1),
    event: ({ data }) => void received.events.push(data),
    ended: () => void (received.ended += 1),
  })
  return received
}

/** One storage used twice: in one page, and in two tabs. */
const storages = [
  ['created twice in one page', () => [memoryStorage()]],
  ['open in two tabs', () => [fakeStorage()].flatMap((storage) => [storage, storage.otherTab()])],
] as const

describe.each(storages)('an app that is %s', (_, makeStorages) => {
  test('shares one session, reports each event once per instance, and gets the responses to its own requests', async () => {
    const [storage, other = storage] = makeStorages()
    const here = parties.dapp({ storage })
    const phone = parties.phone()
    const { topic, namespaces } = await connectParties(here, phone)
    const there = parties.dapp({ storage: other })
    expect(there.restore()).toMatchObject([{ topic }])
    await there.ping(topic)
    const both = [follow(here, topic), follow(there, topic)]

    const pendingResponse = [here, there].map(async (dapp, index) => dapp.request({ topic, ...sign, params: [index] }))
    for (const _ of pendingResponse) {
      const request = await phone.nextRequest()
      await phone.respond(request, { result: request.params })
    }
    expect(await Promise.all(pendingResponse)).toEqual([[0], [1]])
    expect(phone.requests()).toEqual([])

    await phone.emitEvent(topic, { name: 'accountsChanged', data: 'one' }, 'eip155:1')
    await phone.updateSession(topic, namespaces)
    await expect
      .poll(() => both)
      .toMatchObject([
        { events: ['one'], updates: 1 },
        { events: ['one'], updates: 1 },
      ])
    await phone.ping(topic)
    await phone.disconnect(topic)
    await expect.poll(() => both.map(({ ended }) => ended)).toEqual([1, 1])
    expect(here.restore()).toEqual([])
    expect(there.restore()).toEqual([])
    expect(here.openRequests()).toEqual([])
  })

  test('continues in one when the other is closed', async () => {
    const [storage, other = storage] = makeStorages()
    const here = parties.dapp({ storage })
    const phone = parties.phone()
    const { topic } = await connectParties(here, phone)
    const there = parties.dapp({ storage: other })
    there.restore()
    here.close()
    const pendingResponse = there.request({ topic, ...sign })
    await phone.respond(await phone.nextRequest(), { result: '0x' })
    expect(await pendingResponse).toBe('0x')
  })
})

describe.each(storages)('a wallet that is %s', (_, makeStorages) => {
  test('shows a request in both, and responds once', async () => {
    const [storage, other = storage] = makeStorages()
    const dapp = parties.dapp()
    const here = parties.phone({ storage })
    const { topic } = await connectParties(dapp, here)
    const there = parties.phone({ storage: other })
    // The response arrives only after the relay has subscribed this client.
    await there.ping(topic)
    const pendingResponse = dapp.request({ topic, ...sign })
    const [one, same] = [await here.nextRequest(), await there.nextRequest()]
    expect(same).toEqual(one)
    await there.respond(same, { result: '0x' })
    expect(await pendingResponse).toBe('0x')
    await expect(here.respond(one, { result: '0xother' })).rejects.toMatchObject({ code: 'request/expired' })
    expect(here.requests()).toEqual([])
  })
})
