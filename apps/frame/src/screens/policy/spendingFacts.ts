import { addressText, formatAmount, untrustedText } from '../../approve/drawValue.ts'
import type { Messages } from '../../messages/loadFrameMessages.ts'
import { addAmounts, type AssetAmount } from '../../policy/policy.ts'
import type { Spending } from '../../policy/spending.ts'
import { h, type Child } from '../elements/h.ts'
import type { LimitedAsset } from './limitedAssets.ts'

/** Draws amounts, one per line. Tokens are named by their address, and their amounts are in base units. */
export function amountLines(
  amounts: readonly AssetAmount[],
  assets: readonly LimitedAsset[],
  messages: Messages,
): readonly Child[] {
  return addAmounts(amounts).map(({ asset, units }) => {
    const known = assets.find((each) => each.asset === asset)
    const amount = { units, ...(known !== undefined && { decimals: known.decimals, symbol: known.symbol }) }
    const place = known === undefined ? addressText(asset) : untrustedText(known.network, messages)
    return h('div', {}, untrustedText(formatAmount(amount, messages), messages), ' · ', place)
  })
}

/** Draws what a request takes, as pairs of a list of facts. */
export function spendingFacts(
  { amounts, receivers }: Spending,
  assets: readonly LimitedAsset[],
  messages: Messages,
): readonly Child[] {
  const { policy: texts } = messages
  const pair = (label: string, lines: readonly Child[]): readonly Child[] =>
    lines.length === 0 ? [] : [h('dt', {}, label), h('dd', {}, ...lines)]
  return [
    ...pair(texts.takes, amountLines(amounts, assets, messages)),
    ...pair(
      texts.to,
      [...new Set(receivers)].map((each) => h('div', {}, addressText(each))),
    ),
  ]
}
