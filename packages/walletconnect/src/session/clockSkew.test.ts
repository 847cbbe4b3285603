import { memoryStorage, systemClock, type Clock } from '@latchkey/core'
import { manualClock } from '@latchkey/core/testing'
import { describe, expect, test } from 'vitest'
import { createPairing, formatPairingUri } from './pairing.ts'
import { connectParties } from '../testing/parties.ts'
import { startPartiesOverRelay } from '../testing/partiesOverRelay.ts'

const parties = startPartiesOverRelay()

const minutes = 60_000
const day = 86_400_000

/** A clock that runs at the right speed but shows a wrong time. */
const createSkewedClock = (ahead: number): Clock => ({ ...systemClock, now: () => systemClock.now() + ahead })

const sign = { chainId: 'eip155:1', method: 'personal_sign', params: ['0x68656c6c6f', '0xab'] } as const

const skews = [0, 5 * minutes, -5 * minutes, day, -day, 1.5 * day, -1.5 * day]
const pairs = skews.flatMap((app) => skews.map((phone) => [app / minutes, phone / minutes] as const))
/** Both clocks right, one wrong by the most, and both wrong in the same or opposite directions. */
const extremes = pairs.filter(([app, phone]) => Math.abs(app - phone) % (1.5 * (day / minutes)) === 0)

/** Connects, signs, extends and pings with clocks that are wrong by some minutes. Returns the response to the request. */
async function useSession(app: number, phone: number): Promise<unknown> {
  const dapp = parties.dapp({ clock: createSkewedClock(app * minutes) })
  const wallet = parties.phone({ clock: createSkewedClock(phone * minutes) })
  const { topic } = await connectParties(dapp, wallet)
  const pendingResponse = dapp.request({ topic, ...sign })
  await wallet.respond(await wallet.nextRequest(), { result: '0xsigned' })
  const response = await pendingResponse
  await wallet.extendSession(topic)
  await dapp.ping(topic)
  return response
}

describe('wrong clocks', () => {
  test.each(extremes)(
    'by %d minutes in the app and %d in the wallet allow sessions and requests [G-12]',
    async (app, phone) => {
      expect(await useSession(app, phone)).toBe('0xsigned')
    },
  )

  test.each(pairs.filter((pair) => !extremes.includes(pair)))(
    'by %d minutes in the app and %d in the wallet allow sessions and requests [G-12]',
    { tags: 'faults' },
    async (app, phone) => {
      expect(await useSession(app, phone)).toBe('0xsigned')
    },
  )

  test.each([day, -day])('by %d ms in a reloaded wallet do not affect a request [G-12]', async (ahead) => {
    const storage = memoryStorage()
    const [dapp, phone] = [parties.dapp(), parties.phone({ storage, clock: createSkewedClock(ahead) })]
    const { topic } = await connectParties(dapp, phone)
    phone.close()
    const pendingResponse = dapp.request({ topic, ...sign })
    const again = parties.phone({ storage, clock: createSkewedClock(ahead) })
    await again.respond(await again.nextRequest(), { result: '0xsigned' })
    expect(await pendingResponse).toBe('0xsigned')
  })

  test('do not prevent sessions after they are corrected [G-12]', async () => {
    const storage = memoryStorage()
    const phone = parties.phone()
    const before = parties.dapp({ storage, clock: createSkewedClock(day) })
    const { topic } = await connectParties(before, phone)
    before.close()
    const dapp = parties.dapp({ storage })
    expect(dapp.restore()).toHaveLength(1)
    const pendingResponse = dapp.request({ topic, ...sign })
    await phone.respond(await phone.nextRequest(), { result: '0xsigned' })
    expect(await pendingResponse).toBe('0xsigned')
  })

  test.each([30, 3600])('keep a URI expired that expired %d seconds ago [R9.1.5]', async (seconds) => {
    const clock = manualClock(Date.now())
    const phone = parties.phone({ clock })
    const old = formatPairingUri(createPairing(clock.now() - (240 + seconds) * 1000))
    const outcome = phone.pair(old).catch((error: unknown) => error)
    // The older one needs a response of the relay.
    if (seconds > 60) {
      await expect.poll(() => phone.status.get().state).toBe('open')
      await expect
        .poll(() => {
          clock.advance(1000)
          return phone.status.get().state
        })
        .toBe('idle')
    }
    expect(await outcome).toMatchObject({ code: 'pairing/expired' })
  })
})
