import type { Connector } from '@latchkey/core'
import { manualClock } from '@latchkey/core/testing'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Eip1193Provider } from '../injected/eip1193Provider.ts'
import { discoverAnnouncedWallets } from './discoverAnnouncedWallets.ts'

const icon = 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg"/>'

/** A wallet with its own account. */
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

/** A page whose wallets announce themselves on each request. */
function setUp(details: readonly unknown[] = []) {
  const page = new EventTarget()
  page.addEventListener('eip6963:requestProvider', () => {
    for (const detail of details) announce(page, detail)
  })
  const found: Connector[] = []
  const stop = discoverAnnouncedWallets(
    (connector) => found.push(connector),
    page,
    manualClock(),
    () => {},
  )
  return { page, found, stop }
}

/** The account that a connector returns. */
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

describe('announcements in any order', () => {
  /** Six honest wallets, one that shares its name with another, and one that announces itself again and again. */
  const honest = [1, 2, 3, 4, 5, 6].map((account) => detailOf(account))
  const namesake = detailOf(7, { rdns: 'io.wallet1', name: 'Wallet 7' })
  const last = detailOf(8)
  const hostile = [trap, trappedName, trappedProvider, undefined, null, {}, { info: {} }, 'text', last, last]

  test('connect opens the selected wallet [R3.7]', async () => {
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

  test('two wallets with the same name are both listed', async () => {
    const { found } = setUp([detailOf(1, { rdns: 'io.same' }), detailOf(2, { rdns: 'io.same' })])
    expect(found.map(({ id, rdns }) => [id, rdns])).toEqual([
      ['io.same', 'io.same'],
      ['io.same/2', 'io.same'],
    ])
    expect(await Promise.all(found.map(accountBehind))).toEqual([1, 2])
  })

  test('of two providers with the same uuid, the first is kept', async () => {
    const { found } = setUp([detailOf(1), detailOf(2, { uuid: 'uuid-1' })])
    expect(await Promise.all(found.map(accountBehind))).toEqual([1])
  })

  test('a later announcement does not replace the provider of a listed wallet', async () => {
    const detail = detailOf(1)
    const { page, found } = setUp([detail])
    detail.provider = walletOf(2)
    announce(page, detail)
    expect(await Promise.all(found.map(accountBehind))).toEqual([1])
  })

  test('late wallets are found, and none after the discovery stopped', () => {
    const { page, found, stop } = setUp()
    announce(page, detailOf(1))
    stop()
    announce(page, detailOf(2))
    expect(found.map(({ name }) => name)).toEqual(['Wallet 1'])
  })

  test('a thousand announcements do not displace earlier wallets', () => {
    const { page, found } = setUp([detailOf(1)])
    for (let account = 2; account <= 1_000; account += 1) announce(page, detailOf(account))
    expect(found).toHaveLength(100)
    expect(found[0]?.name).toBe('Wallet 1')
  })

  test('look-alike names are listed unchanged, each with its own wallet', async () => {
    const { found } = setUp([detailOf(1, { name: 'Rabby' }), detailOf(2, { name: 'R\u0430bby' })])
    expect(found.map(({ name }) => name)).toEqual(['Rabby', 'R\u0430bby'])
    expect(await Promise.all(found.map(accountBehind))).toEqual([1, 2])
  })

  test('malformed announcements are ignored without errors', () => {
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

describe('a listed wallet', () => {
  function rowOf(info: Record<string, unknown>): Connector | undefined {
    return setUp([detailOf(1, info)]).found[0]
  }

  test('has the wallet’s name and type [R3.7]', () => {
    expect(rowOf({})).toMatchObject({ id: 'io.wallet1', rdns: 'io.wallet1', name: 'Wallet 1', type: 'injected', icon })
  })

  test.each([
    ['an https URL', 'https://tracker.example/pixel.png'],
    ['an http URL', 'http://tracker.example/pixel.png'],
    ['an HTML data URL', 'data:text/html,<script>alert(1)</script>'],
    ['a javascript URL', 'javascript:alert(1)'],
    ['an image of 3 MB', `data:image/png;base64,${'A'.repeat(3_000_000)}`],
    ['not a string', 7],
    ['missing', undefined],
  ])('has no icon if the icon is %s', (_, icon) => {
    expect(rowOf({ icon })).toMatchObject({ name: 'Wallet 1', icon: undefined })
  })

  test.each(['png', 'jpeg', 'gif', 'webp'])('has an icon of type %s', (kind) => {
    expect(rowOf({ icon: `data:image/${kind};base64,AA==` })?.icon).toBe(`data:image/${kind};base64,AA==`)
  })

  test('has a shortened name if it is too long', () => {
    expect(rowOf({ name: ` ${'W'.repeat(10_000)}` })?.name).toBe('W'.repeat(60))
  })

  test('has a name without invisible and bidirectional characters', () => {
    expect(rowOf({ name: 'Wal\u202Elet\u0000\u200B' })?.name).toBe('Wallet')
  })

  test('keeps a name that looks like a URL or markup as plain text', () => {
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
  ])('is not created from the invalid details %j', (info) => {
    expect(rowOf(info)).toBeUndefined()
  })
})
