import type { Connector } from '@latchkey/core'
import { manualClock } from '@latchkey/core/testing'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Eip1193Provider } from './eip1193.ts'
import { discoverAnnounced } from './eip6963.ts'

const icon = 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg"/>'

/** A wallet that can be told from all others by the account it shows. */
function walletOf(account: number): Eip1193Provider {
  return {
    request: async ({ method }) => (method === 'eth_chainId' ? '0x1' : [`0x${String(account).padStart(40, '0')}`]),
  }
}

type Detail = { info: Record<string, unknown>; provider: unknown }

function detailOf(account: number, info: Record<string, unknown> = {}): Detail {
  const given = { uuid: `uuid-${account}`, name: `Wallet ${account}`, rdns: `io.wallet${account}`, icon, ...info }
  return { info: given, provider: walletOf(account) }
}

function announce(page: EventTarget, detail: unknown): void {
  page.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
}

/** A page whose wallets announce themselves whenever they are asked to. */
function setUp(details: readonly unknown[] = []) {
  const page = new EventTarget()
  page.addEventListener('eip6963:requestProvider', () => {
    for (const detail of details) announce(page, detail)
  })
  const found: Connector[] = []
  const stop = discoverAnnounced(
    (connector) => found.push(connector),
    page,
    manualClock(),
    () => {},
  )
  return { page, found, stop }
}

/** The account that opens behind a row. */
async function accountBehind(connector: Connector | undefined): Promise<number> {
  const connections = await connector?.connect({ networks: [], signal: new AbortController().signal })
  return Number(connections?.[0].accounts[0].split(':')[2]?.slice(2))
}

const trap = {
  get info(): never {
    throw new Error('trap')
  },
  provider: walletOf(90),
}
const trappedName = {
  info: {
    uuid: 'trapped',
    rdns: 'io.trapped',
    get name(): never {
      throw new Error('trap')
    },
  },
  provider: walletOf(91),
}
const trappedProvider = {
  ...detailOf(92),
  provider: {
    get request(): never {
      throw new Error('trap')
    },
  },
}

describe('whoever announces in whatever order', () => {
  /** Six honest wallets, one that shares its name with another, and one that announces itself again and again. */
  const honest = [1, 2, 3, 4, 5, 6].map((account) => detailOf(account))
  const namesake = detailOf(7, { rdns: 'io.wallet1', name: 'Wallet 7' })
  const last = detailOf(8)
  const hostile = [trap, trappedName, trappedProvider, undefined, null, {}, { info: {} }, 'text', last, last]

  test('opens the very wallet whose row is pressed [R3.7]', async () => {
    const order = fc.shuffledSubarray([...honest, namesake, ...hostile], { minLength: 17, maxLength: 17 })
    await fc.assert(
      fc.asyncProperty(order, fc.nat(17), async (details, late) => {
        const { page, found } = setUp(details.slice(0, late))
        for (const detail of details.slice(late)) announce(page, detail)
        expect(found).toHaveLength(8)
        expect(new Set(found.map(({ id }) => id)).size).toBe(8)
        for (const connector of found) {
          expect(`Wallet ${await accountBehind(connector)}`).toBe(connector.name)
        }
      }),
    )
  })

  test('shows both of two wallets that claim one name', async () => {
    const { found } = setUp([detailOf(1, { rdns: 'io.same' }), detailOf(2, { rdns: 'io.same' })])
    expect(found.map(({ id, rdns }) => [id, rdns])).toEqual([
      ['io.same', 'io.same'],
      ['io.same/2', 'io.same'],
    ])
    expect(await Promise.all(found.map(accountBehind))).toEqual([1, 2])
  })

  test('keeps the first of two providers that claim one uuid', async () => {
    const { found } = setUp([detailOf(1), detailOf(2, { uuid: 'uuid-1' })])
    expect(await Promise.all(found.map(accountBehind))).toEqual([1])
  })

  test('does not let a row change its wallet after it was announced', async () => {
    const detail = detailOf(1)
    const { page, found } = setUp([detail])
    detail.provider = walletOf(2)
    announce(page, detail)
    expect(await Promise.all(found.map(accountBehind))).toEqual([1])
  })

  test('hears wallets that come late, and none once it was stopped', () => {
    const { page, found, stop } = setUp()
    announce(page, detailOf(1))
    stop()
    announce(page, detailOf(2))
    expect(found.map(({ name }) => name)).toEqual(['Wallet 1'])
  })

  test('is not drowned by a thousand announcements, and nobody who came in time is lost', () => {
    const { page, found } = setUp([detailOf(1)])
    for (let account = 2; account <= 1_000; account += 1) announce(page, detailOf(account))
    expect(found).toHaveLength(100)
    expect(found[0]?.name).toBe('Wallet 1')
  })

  test('shows names that look alike as they are, each with its own wallet', async () => {
    const { found } = setUp([detailOf(1, { name: 'Rabby' }), detailOf(2, { name: 'R\u0430bby' })])
    expect(found.map(({ name }) => name)).toEqual(['Rabby', 'R\u0430bby'])
    expect(await Promise.all(found.map(accountBehind))).toEqual([1, 2])
  })

  test('outlives any announcement, and believes in none that is not whole', () => {
    const field = fc.oneof(fc.anything(), fc.constantFrom('javascript:alert(1)', icon, 'io.wallet', '__proto__'))
    const info = fc.record({ uuid: field, name: field, rdns: field, icon: field }, { requiredKeys: [] })
    const provider = fc.oneof(fc.anything(), fc.constant(walletOf(1)))
    const detail = fc.oneof(fc.anything(), fc.record({ info, provider }, { requiredKeys: [] }))
    fc.assert(
      fc.property(fc.array(detail, { maxLength: 20 }), (details) => {
        const { found } = setUp(details)
        for (const { id, name, icon: picture } of found) {
          expect(id).toMatch(/^[a-z0-9][a-z0-9.-]*(\/\d+)?$/i)
          expect(name.trim()).not.toBe('')
          expect(picture ?? 'data:image/png;').toMatch(/^data:image\//)
        }
      }),
    )
  })
})

describe('a row', () => {
  function rowOf(info: Record<string, unknown>): Connector | undefined {
    return setUp([detailOf(1, info)]).found[0]
  }

  test('names the wallet and its kind [R3.7]', () => {
    expect(rowOf({})).toMatchObject({ id: 'io.wallet1', rdns: 'io.wallet1', name: 'Wallet 1', type: 'injected', icon })
  })

  test.each([
    ['on the web', 'https://tracker.example/pixel.png'],
    ['without encryption', 'http://tracker.example/pixel.png'],
    ['that is a page', 'data:text/html,<script>alert(1)</script>'],
    ['that runs', 'javascript:alert(1)'],
    ['as heavy as a film', `data:image/png;base64,${'A'.repeat(3_000_000)}`],
    ['that is no text', 7],
    ['that is missing', undefined],
  ])('goes without a picture %s', (_, icon) => {
    expect(rowOf({ icon })).toMatchObject({ name: 'Wallet 1', icon: undefined })
  })

  test.each(['png', 'jpeg', 'gif', 'webp'])('shows a picture in %s', (kind) => {
    expect(rowOf({ icon: `data:image/${kind};base64,AA==` })?.icon).toBe(`data:image/${kind};base64,AA==`)
  })

  test('cuts a name without end', () => {
    expect(rowOf({ name: ` ${'W'.repeat(10_000)}` })?.name).toBe('W'.repeat(60))
  })

  test('loses the marks of a name that turn its direction or cannot be seen', () => {
    expect(rowOf({ name: 'Wal\u202Elet\u0000\u200B' })?.name).toBe('Wallet')
  })

  test('is called whatever the wallet calls itself, which is a text and nothing else', () => {
    expect(rowOf({ name: 'javascript:alert(1)' })?.name).toBe('javascript:alert(1)')
    expect(rowOf({ name: '<img src=x onerror=alert(1)>' })?.name).toBe('<img src=x onerror=alert(1)>')
  })

  test.each([
    { uuid: '' },
    { uuid: 7 },
    { name: '' },
    { name: '  ' },
    { name: {} },
    { rdns: '' },
    { rdns: 'io.wallet/2' },
    { rdns: '<b>' },
    { rdns: 'a'.repeat(300) },
    { rdns: null },
  ])('is not made of %j', (info) => {
    expect(rowOf(info)).toBeUndefined()
  })
})
