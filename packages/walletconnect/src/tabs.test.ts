import { memoryStorage } from '@latchkey/core'
import { fakeStorage } from '@latchkey/core/testing'
import { describe, expect, test } from 'vitest'
import type { Dapp } from './dapp.ts'
import { connectParties } from './testing/parties.ts'
import { partiesOverRelay } from './testing/partiesOverRelay.ts'

const parties = partiesOverRelay()

const sign = { chainId: 'eip155:1', method: 'personal_sign', params: [] } as const

function follow(dapp: Dapp, topic: string) {
  const heard = { events: [] as unknown[], updates: 0, ended: 0 }
  dapp.listen(topic, {
    updated: () => void (heard.updates += 1),
    event: ({ data }) => void heard.events.push(data),
    ended: () => void (heard.ended += 1),
  })
  return heard
}

/** One storage twice: in one page, and in two tabs. */
const places = [
  ['made twice in one page', () => [memoryStorage()]],
  ['open in two tabs', () => [fakeStorage()].flatMap((storage) => [storage, storage.otherTab()])],
] as const

describe.each(places)('an app that is %s', (_, makeStorages) => {
  test('has one session in both, each hears everything once, and each gets the answers to what it asked', async () => {
    const [storage, other = storage] = makeStorages()
    const here = parties.dapp({ storage })
    const phone = parties.phone()
    const { topic, namespaces } = await connectParties(here, phone)
    const there = parties.dapp({ storage: other })
    expect(there.restore()).toMatchObject([{ topic }])
    await there.ping(topic)
    const both = [follow(here, topic), follow(there, topic)]

    const asking = [here, there].map(async (dapp, index) => dapp.request({ topic, ...sign, params: [index] }))
    for (const _ of asking) {
      const request = await phone.nextRequest()
      await phone.respond(request, { result: request.params })
    }
    expect(await Promise.all(asking)).toEqual([[0], [1]])
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

  test('goes on in one when the other is closed', async () => {
    const [storage, other = storage] = makeStorages()
    const here = parties.dapp({ storage })
    const phone = parties.phone()
    const { topic } = await connectParties(here, phone)
    const there = parties.dapp({ storage: other })
    there.restore()
    here.close()
    const asking = there.request({ topic, ...sign })
    await phone.respond(await phone.nextRequest(), { result: '0x' })
    expect(await asking).toBe('0x')
  })
})

describe.each(places)('a wallet that is %s', (_, makeStorages) => {
  test('shows a request in both, and answers it once', async () => {
    const [storage, other = storage] = makeStorages()
    const dapp = parties.dapp()
    const here = parties.phone({ storage })
    const { topic } = await connectParties(dapp, here)
    const there = parties.phone({ storage: other })
    // Its answer arrives only where the relay listens for this client already.
    await there.ping(topic)
    const asking = dapp.request({ topic, ...sign })
    const [one, same] = [await here.nextRequest(), await there.nextRequest()]
    expect(same).toEqual(one)
    await there.respond(same, { result: '0x' })
    expect(await asking).toBe('0x')
    await expect(here.respond(one, { result: '0xother' })).rejects.toMatchObject({ code: 'request/expired' })
    expect(here.requests()).toEqual([])
  })
})
