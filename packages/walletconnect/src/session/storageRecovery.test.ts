import { memoryStorage } from '@latchkey/core'
import { fakeStorage } from '@latchkey/core/testing'
import { describe, expect, test } from 'vitest'
import { connectParties } from '../testing/parties.ts'
import { startPartiesOverRelay } from '../testing/partiesOverRelay.ts'

const parties = startPartiesOverRelay()

const own = '@latchkey/walletconnect/'
const walletOwn = '@latchkey/walletconnect/wallet/'
const sign = { chainId: 'eip155:1', method: 'personal_sign', params: [] } as const

describe('a storage that lost', () => {
  test('a session in the app makes the app notify the wallet once and remove the key', async () => {
    const storage = fakeStorage()
    const before = parties.dapp({ storage })
    const phone = parties.phone()
    let ended = 0
    phone.listen({ sessionEnded: () => void (ended += 1) })
    await connectParties(before, phone)
    before.close()
    storage.setItem(`${own}sessions`, '{"not":"a list"}')
    const after = parties.dapp({ storage })
    expect(after.restore()).toEqual([])
    await expect.poll(() => ended).toBe(1)
    expect(storage.values.get(`${own}keys`)).toBe('{}')
    expect(after.restore()).toEqual([])
    expect(phone.sessions()).toEqual([])
  })

  test('a session in the wallet makes the wallet notify the app', async () => {
    const storage = fakeStorage()
    const dapp = parties.dapp()
    const before = parties.phone({ storage })
    const { topic } = await connectParties(dapp, before)
    let ended = 0
    dapp.listen(topic, { updated() {}, event() {}, ended: () => void (ended += 1) })
    before.close()
    storage.removeItem(`${walletOwn}sessions`)
    parties.phone({ storage })
    await expect.poll(() => ended).toBe(1)
    expect(storage.values.get(`${walletOwn}keys`)).toBe('{}')
  })

  test('a key drops its session and keeps others', async () => {
    const storage = fakeStorage()
    const before = parties.dapp({ storage })
    const [one, other] = [parties.phone(), parties.phone()]
    const lost = await connectParties(before, one)
    const stored = await connectParties(before, other)
    before.close()
    const keys = JSON.parse(storage.values.get(`${own}keys`) ?? '{}') as Record<string, string>
    storage.setItem(`${own}keys`, JSON.stringify({ ...keys, [lost.topic]: 'no key' }))
    const dapp = parties.dapp({ storage })
    expect(dapp.restore().map(({ topic }) => topic)).toEqual([stored.topic])
    const pendingResponse = dapp.request({ topic: stored.topic, ...sign })
    await other.respond(await other.nextRequest(), { result: '0x' })
    expect(await pendingResponse).toBe('0x')
  })

  test.each(['sessions', 'keys', 'requests', 'clientSeed', 'inbox'])(
    'valid %s starts empty',
    { tags: 'faults' },
    async (key) => {
      for (const nonsense of ['', 'null', '{', '[null,1,{"topic":5}]', '{"a":1}', '"text"']) {
        const storage = memoryStorage()
        storage.setItem(own + key, nonsense)
        storage.setItem(walletOwn + key, nonsense)
        const [dapp, phone] = [parties.dapp({ storage }), parties.phone({ storage })]
        expect([dapp.restore(), dapp.openRequests(), phone.sessions(), phone.requests()]).toEqual([[], [], [], []])
        expect(await connectParties(dapp, phone)).toMatchObject({ peer: { name: 'Phone' } })
        parties.close()
      }
    },
  )
})
