import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { connect } from '../../connection/connect.ts'
import { switchNetwork } from '../../network/switchNetwork.ts'
import {
  getRejection,
  fakeAdapter,
  fakeConnector,
  fakeStorage,
  fakeWorld,
  type FakeWorld,
} from '../../testing/fakes.ts'
import { loadTokens } from '../send/tokens.ts'
import { sendState } from '../send/state.ts'
import { customTokenLimits, customTokens, importToken, removeCustomToken } from './customTokens.ts'
import { addCustomTokens, listCustomTokens } from './listCustomTokens.ts'

const key = '@latchkey/custom_tokens/eip155:1'
const addressOf = (index: number): string => `0x${String(index).padStart(40, '0')}`
const gold = addressOf(7)

/** A connected world whose chain has tokens at all addresses except those that start with `0xbad`. */
async function createWorldWithTokens({ stored }: { stored?: string } = {}): Promise<FakeWorld> {
  const storage = fakeStorage()
  if (stored !== undefined) storage.setItem(key, stored)
  const never = async (): Promise<never> => Promise.reject(new Error('not used'))
  const adapter = Object.assign(fakeAdapter(), {
    transfers: async () => ({
      readAsset: async (_: unknown, address: string) => {
        if (address.startsWith('0xbad')) throw new Error('no token')
        return { address, name: `Gold\u202E of ${address.at(-1)}`, symbol: ' AU ', decimals: 6 }
      },
      getBalance: async (_: unknown, _holder: string, { address = '' }: { address?: string }) => {
        if (address === addressOf(9)) throw new Error('unreachable')
        return 1_500_000n
      },
      estimateFee: never,
      inspectReceiver: async () => [],
      send: never,
      follow: never,
    }),
  })
  const world = fakeWorld({ adapters: [adapter], connectors: [fakeConnector()], storage })
  await connect(world.latchkey, 'fake')
  return world
}

let world: FakeWorld

beforeEach(async () => {
  world = await createWorldWithTokens()
})

const getCustomTokens = () => customTokens(world.latchkey).getState()

describe('importing a token', () => {
  test('stores what the chain reports, on one line without invisible characters, per network', async () => {
    const { latchkey } = world
    const token = { address: gold, name: 'Gold of 7', symbol: 'AU', decimals: 6 }
    expect(await importToken(latchkey, gold)).toEqual(token)
    expect(await importToken(latchkey, gold)).toEqual(token)
    expect(getCustomTokens()).toEqual([token])
    await switchNetwork(latchkey, 'eip155:2')
    expect(getCustomTokens()).toEqual([])
    await switchNetwork(latchkey, 'eip155:1')
    expect(getCustomTokens()).toEqual([token])
    removeCustomToken(latchkey, gold.toUpperCase().replace('0X', '0x'))
    expect(getCustomTokens()).toEqual([])
  })

  test('rejects an address without a token, and stores nothing', async () => {
    await expect(importToken(world.latchkey, `0xbad${'0'.repeat(37)}`)).rejects.toThrow('no token')
    expect(getCustomTokens()).toEqual([])
  })

  test('returns undefined when the list of the network is full', async () => {
    for (let index = 0; index < customTokenLimits.count; index += 1) await importToken(world.latchkey, addressOf(index))
    expect(await importToken(world.latchkey, addressOf(99))).toBeUndefined()
    expect(getCustomTokens()).toHaveLength(customTokenLimits.count)
  })

  test('throws without a wallet', async () => {
    const { latchkey } = fakeWorld()
    expect(await getRejection(importToken(latchkey, gold))).toMatchObject({ code: 'connection/not-connected' })
    expect(customTokens(latchkey).getState()).toEqual([])
  })
})

describe('the balances of imported tokens', () => {
  test('come from the chain, and a token that cannot be read is left out', async () => {
    await importToken(world.latchkey, gold)
    await importToken(world.latchkey, addressOf(9))
    const tokens = await listCustomTokens(world.latchkey)
    expect(tokens).toEqual([
      {
        name: 'Gold of 7',
        symbol: 'AU',
        chainId: 'eip155:1',
        address: `eip155:1:${gold}`,
        price: 0,
        quantity: { decimals: '6', numeric: '1.5' },
        iconUrl: '',
      },
    ])
    expect(addCustomTokens(tokens, tokens)).toHaveLength(1)
  })

  test('appear in the payment form', async () => {
    await importToken(world.latchkey, gold)
    await loadTokens(world.latchkey)
    const tokens = sendState(world.latchkey).getState().tokens ?? []
    expect(tokens.map(({ asset }) => asset.address)).toEqual([undefined, gold])
    expect(tokens[1]?.balance).toBe(1_500_000n)
  })
})

describe('stored tokens', () => {
  test('are validated and bounded', async () => {
    const good = { address: gold, name: '', symbol: 'AU', decimals: 6 }
    const stored = [
      good,
      good,
      { ...good, decimals: 78 },
      { ...good, decimals: '6' },
      { ...good, symbol: '\u202E' },
      { ...good, address: '../x' },
      null,
    ]
    const { latchkey } = await createWorldWithTokens({ stored: JSON.stringify(stored) })
    expect(customTokens(latchkey).getState()).toEqual([{ ...good, name: 'AU' }])
    const many = Array.from({ length: 1_000 }, (_, index) => ({ ...good, address: addressOf(index) }))
    const full = await createWorldWithTokens({ stored: JSON.stringify(many) })
    expect(customTokens(full.latchkey).getState()).toHaveLength(customTokenLimits.count)
  })

  test('are validated', async () => {
    await fc.assert(
      fc.asyncProperty(fc.json(), async (stored) => {
        const { latchkey } = await createWorldWithTokens({ stored })
        expect(customTokens(latchkey).getState().length).toBeLessThanOrEqual(customTokenLimits.count)
      }),
      { numRuns: 30 },
    )
  })
})
