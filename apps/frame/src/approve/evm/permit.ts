import type { ApprovalAction, Banner, Row } from '../approvalFacts.ts'
import { describeEffect, describeOrder } from './describeEffect.ts'
import type { Tokens } from './tokens.ts'
import { findSeaportOrders } from './typed/seaportOrder.ts'
import { findTypedEffects } from './typed/typedEffects.ts'
import type { TypedData } from './typedData.ts'
import { uniqueBanners } from './uniqueBanners.ts'

/** Typed data that moves assets or grants an allowance, described by its effect. */
export type Permit = {
  readonly action: ApprovalAction
  readonly rows: readonly Row[]
  readonly banners: readonly Banner[]
  readonly receivers: readonly string[]
}

type Native = { readonly symbol: string; readonly decimals: number }

/** More effects are unreadable on a screen, and each token costs requests. */
const mostEffects = 32
const unreadable: Banner = { kind: 'rawHash' }

/**
 * Describes permits, signed transfers, signed calls and orders of Seaport.
 *
 * @returns `undefined` for other data
 */
export async function parsePermit(
  { domain, message }: Pick<TypedData, 'domain' | 'message'>,
  native: Native,
  tokens: Tokens,
): Promise<Permit | undefined> {
  const effects = findTypedEffects(message, domain['verifyingContract'])
  const orders = findSeaportOrders(message)
  if (effects.length === 0 && orders?.length === 0) return undefined
  const isTruncated = effects.length > mostEffects || orders === undefined
  const described = await Promise.all([
    ...effects.slice(0, mostEffects).map((effect) => describeEffect(effect, native, tokens)),
    ...(orders ?? []).map((order) => describeOrder(order, native, tokens)),
  ])
  return {
    action: actionOf(effects),
    rows: described.flatMap(({ rows }) => rows),
    banners: uniqueBanners([...described.flatMap(({ banners }) => banners), ...(isTruncated ? [unreadable] : [])]),
    receivers: described.flatMap(({ receivers }) => receivers),
  }
}

function actionOf(effects: ReturnType<typeof findTypedEffects>): ApprovalAction {
  if (effects.some(({ kind }) => kind === 'allowance' || kind === 'operator')) return 'permit'
  return effects.length > 0 && effects.every(({ kind }) => kind === 'transfer') ? 'send' : 'typedData'
}
