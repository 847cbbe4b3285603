import type { Banner, ApprovalAction, Row, Value } from '../approvalFacts.ts'
import type { Call, CallEffect } from './calls/callEffects.ts'
import { allEffects, readCall, type CallReading } from './calls/readCall.ts'
import { uniqueBanners } from './uniqueBanners.ts'
import type { Tokens } from './tokens.ts'
import { describeEffect, type DescribedEffect } from './describeEffect.ts'

export type { Call } from './calls/callEffects.ts'

/** The effects of a call as far as its data shows them. */
export type CallDescription = {
  readonly action: ApprovalAction
  readonly rows: readonly Row[]
  readonly banners: readonly Banner[]
  /** Addresses that receive something or gain an allowance. Compared with known recipients. */
  readonly receivers: readonly string[]
}

type Native = { readonly symbol: string; readonly decimals: number }

/** More effects are unreadable on a screen, and each token costs requests. */
const mostEffects = 40

/** Describes a call. An unknown one is shown as its contract, its selector and all of its data. */
export async function describeCall(call: Call, native: Native, tokens: Tokens): Promise<CallDescription> {
  const { to, value } = call
  if (to === undefined)
    return { action: 'create', rows: value > 0n ? [paidRow(value, native)] : [], banners: [], receivers: [] }
  const reading = readCall({ ...call, to })
  const effects = allEffects(reading)
  const described = new Map<CallEffect, DescribedEffect>()
  const shown = effects.slice(0, mostEffects)
  await Promise.all(shown.map(async (effect) => described.set(effect, await describeEffect(effect, native, tokens))))
  const { rows, receivers } = collectRows(reading, native, described)
  const banners = [...described.values()].flatMap((each) => each.banners)
  const isTruncated = effects.length > mostEffects
  return {
    action: actionOf(reading),
    rows,
    banners: uniqueBanners(isTruncated ? [...banners, { kind: 'rawHash' }] : banners),
    receivers,
  }
}

/** The title names the effect of a single one. */
function actionOf({ selector, effects }: CallReading): ApprovalAction {
  if (selector === undefined) return 'send'
  if (effects.length === 0) return 'transaction'
  if (effects.every((each) => each.kind === 'transfer' || each.kind === 'item')) return 'send'
  const grants = effects.filter((each) => each.kind === 'allowance' || each.kind === 'operator')
  if (grants.length === 0) return 'transaction'
  return grants.every((each) => (each.kind === 'operator' ? !each.isGranted : each.units === 0n)) ? 'revoke' : 'allow'
}

/** Lists the rows of a call, then those of the calls within it. */
function collectRows(
  { to, value, selector, signature, effects, calls }: CallReading,
  native: Native,
  described: ReadonlyMap<CallEffect, DescribedEffect>,
): Pick<DescribedEffect, 'rows' | 'receivers'> {
  const paid = value > 0n ? [paidRow(value, native)] : []
  if (selector === undefined)
    return { rows: [{ label: 'to', value: addressValue(to) }, paidRow(value, native)], receivers: [to] }
  const own = effects.flatMap((each) => described.get(each) ?? [])
  const inner = calls.map((call) => collectRows(call, native, described))
  const title = functionRows(to, signature ?? selector)
  const rows = [
    ...(own.every((each) => each.rows.length === 0) ? title : []),
    ...own.flatMap((each) => each.rows),
    ...paid,
    ...inner.flatMap((each, at) => [stepRow(calls[at]?.signature, at), ...each.rows]),
  ]
  return { rows, receivers: [...own, ...inner].flatMap((each) => each.receivers) }
}

function functionRows(to: string, name: string): readonly Row[] {
  return [
    { label: 'contract', value: addressValue(to) },
    { label: 'function', value: { kind: 'code', text: name } },
  ]
}

function stepRow(signature: string | undefined, at: number): Row {
  const name = signature?.slice(0, signature.indexOf('('))
  return {
    label: 'call',
    count: at + 1,
    value: name === undefined ? { kind: 'text', text: '—' } : { kind: 'code', text: name },
  }
}

function paidRow(units: bigint, { decimals, symbol }: Native): Row {
  return { label: 'amount', value: { kind: 'amount', amount: { units, decimals, symbol } } }
}

function addressValue(address: string): Value {
  return { kind: 'address', address }
}
