import { isRecord, type ChainId } from '@latchkey/protocol'
import { createStore, type StoreApi } from 'zustand/vanilla'
import { defineFeature, getFeature } from '../../instance/defineFeature.ts'
import type { Latchkey } from '../../instance/latchkey.ts'
import { isSameSignInAddress } from '../../signIn/isSameSignInAddress.ts'
import { accountStateOf, getAdapter } from '../../state/getAccount.ts'
import { getTransfers } from '../send/getTransfers.ts'
import { payerOf } from '../send/state.ts'

/** A token that the user imported. Its name and symbol are those that its contract claims. */
export type CustomToken = {
  /** The plain address of the contract or the mint. */
  readonly address: string
  readonly name: string
  readonly symbol: string
  readonly decimals: number
}

/** The bounds of the stored tokens of one network. The balance of each is read from the chain. */
export const customTokenLimits = { count: 30, nameLength: 64, symbolLength: 24, decimals: 77 } as const

const customTokenStore = defineFeature((latchkey) => {
  const read = (): readonly CustomToken[] => readTokens(latchkey, activeNetworkOf(latchkey))
  const store = createStore<readonly CustomToken[]>(read)
  let previous = activeNetworkOf(latchkey)
  latchkey.wallet.subscribe(() => {
    const current = activeNetworkOf(latchkey)
    if (current === previous) return
    previous = current
    store.setState(read(), true)
  })
  return store
})

/**
 * Returns the tokens that the user imported on the active network as a store. They stay in this browser.
 *
 * @example const tokens = customTokens(latchkey).getState()
 */
export function customTokens(latchkey: Latchkey): StoreApi<readonly CustomToken[]> {
  return getFeature(latchkey, customTokenStore)
}

/**
 * Imports a token of the active network by its address: its name, symbol and decimals are read from the chain. Anyone
 * can create a token with any name, so apps show the address and a warning first. Idempotent.
 *
 * @param address the plain address of the contract or the mint
 * @returns the token, or undefined if the list of the network is full
 * @throws LatchkeyError `connection/not-connected`, `send/unsupported`, `address/invalid` if there is no such token,
 * `rpc/unreachable`
 * @example const token = await importToken(latchkey, address)
 */
export async function importToken(latchkey: Latchkey, address: string): Promise<CustomToken | undefined> {
  const { network, ...payer } = payerOf(latchkey)
  const asset = await (await getTransfers(payer)).readAsset(network, address)
  const { name, symbol, decimals } = asset
  const token = {
    address: asset.address ?? address,
    name: cleanText(name, customTokenLimits.nameLength),
    symbol: cleanText(symbol, customTokenLimits.symbolLength),
    decimals,
  }
  const { caipNetworkId: chainId } = network
  const others = readTokens(latchkey, chainId).filter((each) => !isSameSignInAddress(each.address, token.address))
  if (others.length >= customTokenLimits.count) return undefined
  writeTokens(latchkey, chainId, [...others, token])
  customTokens(latchkey).setState(readTokens(latchkey, activeNetworkOf(latchkey)), true)
  return token
}

/**
 * Removes an imported token of the active network.
 *
 * @param address the plain address of the contract or the mint
 * @example removeCustomToken(latchkey, address)
 */
export function removeCustomToken(latchkey: Latchkey, address: string): void {
  const chainId = activeNetworkOf(latchkey)
  if (chainId === undefined) return
  const others = readTokens(latchkey, chainId).filter((each) => !isSameSignInAddress(each.address, address))
  writeTokens(latchkey, chainId, others)
  customTokens(latchkey).setState(others, true)
}

function writeTokens({ internal }: Pick<Latchkey, 'internal'>, chainId: ChainId, tokens: readonly CustomToken[]): void {
  internal.memory.write(storageKey(chainId), tokens.length === 0 ? undefined : tokens)
}

/** Stored values may be anything: every script of the page can write to its storage. */
function readTokens(
  latchkey: Pick<Latchkey, 'adapters' | 'networks' | 'internal'>,
  chainId: ChainId | undefined,
): readonly CustomToken[] {
  if (chainId === undefined) return []
  const stored = latchkey.internal.memory.read(storageKey(chainId))
  if (!Array.isArray(stored)) return []
  const { isAddress } = getAdapter(latchkey, chainId.slice(0, chainId.indexOf(':')))
  const tokens = stored.slice(0, customTokenLimits.count).flatMap((each) => parseCustomToken(each, isAddress))
  return tokens.filter(({ address }, index) => tokens.findIndex((each) => each.address === address) === index)
}

function parseCustomToken(value: unknown, isAddress: (value: string) => boolean): CustomToken[] {
  if (!isRecord(value)) return []
  const { address, name, symbol, decimals } = value
  if (typeof address !== 'string' || typeof name !== 'string' || typeof symbol !== 'string') return []
  const { nameLength, symbolLength, decimals: mostDecimals } = customTokenLimits
  if (typeof decimals !== 'number' || !Number.isInteger(decimals) || decimals < 0 || decimals > mostDecimals) return []
  const [shortName, shortSymbol] = [cleanText(name, nameLength), cleanText(symbol, symbolLength)]
  if (shortSymbol === '' || address.length > 128 || !isAddress(address)) return []
  return [{ address, name: shortName === '' ? shortSymbol : shortName, symbol: shortSymbol, decimals }]
}

/** Removes invisible characters, which could make one token look like another. */
function cleanText(text: string, length: number): string {
  return text
    .slice(0, 1_000)
    .replace(/\p{C}+/gu, '')
    .trim()
    .slice(0, length)
}

function activeNetworkOf(
  latchkey: Pick<Latchkey, 'adapters' | 'networks' | 'wallet' | 'internal'>,
): ChainId | undefined {
  const account = accountStateOf(latchkey)
  return account.status === 'connected' ? account.network.caipNetworkId : undefined
}

function storageKey(chainId: ChainId): string {
  return `custom_tokens/${chainId}`
}
