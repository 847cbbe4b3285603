import { createStore, type StoreApi } from 'zustand/vanilla'
import { defineFeature, getFeature } from '../../instance/defineFeature.ts'
import type { Latchkey } from '../../instance/latchkey.ts'

/** The number of stored ids. The oldest is dropped first. */
export const hiddenAssetLimit = 500

/** A stored id: the CAIP-10 id of a token, or the CAIP-19 id of an NFT. */
const idPattern = /^[\w.%:/-]{1,256}$/

const storageKey = 'hidden_assets'

const hiddenAssetStore = defineFeature((latchkey) => createStore<ReadonlySet<string>>(() => readHidden(latchkey)))

/**
 * Returns the ids of the tokens and NFTs that the user hid, as a store. They stay in this browser. Check them with
 * `isHiddenAsset`.
 *
 * @example const hidden = hiddenAssets(latchkey).getState()
 */
export function hiddenAssets(latchkey: Latchkey): StoreApi<ReadonlySet<string>> {
  return getFeature(latchkey, hiddenAssetStore)
}

/**
 * Hides a token or an NFT from the lists of this browser, or shows it again. Nothing is sent anywhere.
 *
 * @param id the CAIP-10 id of a token (`TokenBalance.address`), or the id of an NFT (`HeldNft.id`)
 * @example setHiddenAsset(latchkey, token.address, true)
 */
export function setHiddenAsset(latchkey: Latchkey, id: string, isHidden: boolean): void {
  if (!idPattern.test(id)) return
  // Another tab may have changed the list.
  const others = [...readHidden(latchkey)].filter((each) => each !== toAssetKey(id))
  const next = isHidden ? [...others, toAssetKey(id)].slice(-hiddenAssetLimit) : others
  latchkey.internal.memory.write(storageKey, next.length === 0 ? undefined : next)
  hiddenAssets(latchkey).setState(new Set(next), true)
}

/**
 * True if the user hid an asset. The native currency has no id, so it is never hidden.
 *
 * @param hidden the value of `hiddenAssets`
 * @example if (isHiddenAsset(hidden, address)) console.log('hidden')
 */
export function isHiddenAsset(hidden: ReadonlySet<string>, id: string | undefined): boolean {
  return id !== undefined && hidden.has(toAssetKey(id))
}

/** Stored values may be anything: every script of the page can write to its storage. */
function readHidden({ internal }: Pick<Latchkey, 'internal'>): ReadonlySet<string> {
  const stored = internal.memory.read(storageKey)
  if (!Array.isArray(stored)) return new Set()
  return new Set(
    stored
      .slice(-hiddenAssetLimit)
      .filter((id): id is string => typeof id === 'string' && idPattern.test(id))
      .map(toAssetKey),
  )
}

/** Hexadecimal addresses match in any case. Others are case-sensitive, and their alphabet has no `0`. */
function toAssetKey(id: string): string {
  return id.replace(/0x[\da-f]+/gi, (address) => address.toLowerCase())
}
