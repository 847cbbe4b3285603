import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fakeStorage, fakeWorld } from '../../testing/fakes.ts'
import { hiddenAssetLimit, hiddenAssets, isHiddenAsset, setHiddenAsset } from './hiddenAssets.ts'

const key = '@latchkey/hidden_assets'
const token = `eip155:1:0x${'Ab'.repeat(20)}`

test('hidden assets stay hidden after a reload until they are shown again', () => {
  const storage = fakeStorage()
  const { latchkey } = fakeWorld({ storage })
  setHiddenAsset(latchkey, token, true)
  setHiddenAsset(latchkey, token.toLowerCase(), true)
  setHiddenAsset(latchkey, 'eip155:1/erc721:0xc/7', true)
  const { latchkey: later } = fakeWorld({ storage })
  const hidden = hiddenAssets(later).getState()
  expect(hidden.size).toBe(2)
  expect(isHiddenAsset(hidden, token)).toBe(true)
  expect(isHiddenAsset(hidden, 'eip155:1/erc721:0xC/7')).toBe(true)
  expect(isHiddenAsset(hidden, undefined)).toBe(false)
  setHiddenAsset(later, token, false)
  expect(isHiddenAsset(hiddenAssets(later).getState(), token)).toBe(false)
})

test('addresses of namespaces with case-sensitive addresses match exactly', () => {
  const { latchkey } = fakeWorld()
  setHiddenAsset(latchkey, 'solana:a:Mint', true)
  const hidden = hiddenAssets(latchkey).getState()
  expect([isHiddenAsset(hidden, 'solana:a:Mint'), isHiddenAsset(hidden, 'solana:a:mint')]).toEqual([true, false])
})

test('the list is bounded, and drops the oldest first', () => {
  const { latchkey } = fakeWorld()
  for (let index = 0; index <= hiddenAssetLimit; index += 1) setHiddenAsset(latchkey, `eip155:1:0x${index}`, true)
  setHiddenAsset(latchkey, 'x'.repeat(300), true)
  const hidden = hiddenAssets(latchkey).getState()
  expect(hidden.size).toBe(hiddenAssetLimit)
  expect([isHiddenAsset(hidden, 'eip155:1:0x0'), isHiddenAsset(hidden, 'eip155:1:0x1')]).toEqual([false, true])
})

test('stored ids are validated', () => {
  fc.assert(
    fc.property(fc.json(), (stored) => {
      const storage = fakeStorage()
      storage.setItem(key, stored)
      const { latchkey } = fakeWorld({ storage })
      for (const id of hiddenAssets(latchkey).getState()) expect(id).toMatch(/^[\w.%:/-]{1,256}$/)
    }),
  )
})
