import { formatAmount } from '@latchkey/core'
import { parseUnits } from '@latchkey/core/internal'
import { sendState, type Fee, type SendState } from '@latchkey/core/money'
import { reasonText } from '@latchkey/modal'
import { sendMessages, type SendMessages } from '@latchkey/modal/messages'
import { isLatchkeyError, type Network } from '@latchkey/protocol'
import type { ReactElement } from 'react'
import { useLatchkey, useLatchkeyContext } from '../../../../context.ts'
import { decimalText } from '../../../../messages/quantityText.ts'
import { useFlowMessages } from '../../../../messages/useFlowMessages.ts'
import type { Strings } from '../../../../messages/strings.ts'
import { useModalMessages } from '../../../../messages/useModalMessages.ts'
import { useStore } from '../../../../useStore.ts'
import { atMost, dollarText } from '../../../money/dollarText.ts'

/** The network fee, or the reason why it is unknown. */
export function FeeFacts({ network }: { network: Network }): ReactElement | null {
  const latchkey = useLatchkey()
  const t = useFlowMessages(sendMessages)
  const strings = useModalMessages()
  const state = useStore(sendState(latchkey))
  if (state.token === undefined) return null
  const problem = state.fee === undefined ? problemText(t, strings, state.problem) : undefined
  return (
    <>
      <dl className="facts">
        <FeeLines state={state} network={network} />
      </dl>
      <p className="hint" role="status" hidden={problem === undefined}>
        {problem}
      </p>
    </>
  )
}

/** The fee and the deposit, as lines of a description list. */
export function FeeLines({ state, network }: { state: SendState; network: Network }): ReactElement {
  const { locale } = useLatchkeyContext()
  const t = useFlowMessages(sendMessages)
  const { fee, feeInDollars, problem } = state
  const { symbol, decimals } = network.nativeCurrency
  return (
    <>
      <div>
        <dt>{t.fee}</dt>
        <dd className="figures">
          {fee !== undefined ? (
            <>
              <bdi dir="ltr">{`${decimalText(locale, atMost(fee.value, decimals))} ${symbol}`}</bdi>
              {feeInDollars !== undefined && <small>{dollarText(locale, feeInDollars)}</small>}
              {fee.rate !== undefined && (
                <small>
                  <bdi dir="ltr">{rateText(locale, fee.value, fee.rate)}</bdi>
                </small>
              )}
            </>
          ) : problem === undefined ? (
            <>
              <span className="skeleton fee-skeleton" />
              <span className="hidden">{t.feeWaiting}</span>
            </>
          ) : (
            t.feeUnknown
          )}
        </dd>
      </div>
      {fee?.withheld !== undefined && <WithheldLines state={state} withheld={fee.withheld} />}
      {fee?.kept !== undefined && (
        <div>
          <dt>{t.kept}</dt>
          <dd className="figures">
            <bdi dir="ltr">{`${decimalText(locale, formatAmount(fee.kept.amount, decimals))} ${symbol}`}</bdi>
          </dd>
          <dd className="fact-reason">{t.keptBecause[fee.kept.reason]}</dd>
        </div>
      )}
      {fee?.deposit !== undefined && (
        <div>
          <dt>{t.deposit}</dt>
          <dd className="figures">
            <bdi dir="ltr">{`${decimalText(locale, atMost(fee.deposit, decimals))} ${symbol}`}</bdi>
          </dd>
        </div>
      )}
    </>
  )
}

/** Formats a fee in base units and its rate: `296 sat · 2.1 sat/vB`. */
function rateText(locale: string | undefined, value: bigint, { value: rate, unit, baseUnit }: FeeRate): string {
  return `${decimalText(locale, String(value))} ${baseUnit} · ${decimalText(locale, rate)} ${unit}`
}

type FeeRate = NonNullable<Fee['rate']>

/** The fee that the token withholds, and the rest that arrives. */
function WithheldLines({ state, withheld }: { state: SendState; withheld: bigint }): ReactElement | null {
  const { locale } = useLatchkeyContext()
  const t = useFlowMessages(sendMessages)
  const { token, amount } = state
  const units = token === undefined ? undefined : parseUnits(amount, token.asset.decimals)
  if (token === undefined || units === undefined || units < withheld) return null
  const { symbol, decimals } = token.asset
  return (
    <>
      <div>
        <dt>{t.withheld}</dt>
        <dd className="figures">
          <bdi dir="ltr">{`${decimalText(locale, formatAmount(withheld, decimals))} ${symbol}`}</bdi>
        </dd>
      </div>
      <div>
        <dt>{t.receiverGets}</dt>
        <dd className="figures">
          <bdi dir="ltr">{`${decimalText(locale, formatAmount(units - withheld, decimals))} ${symbol}`}</bdi>
        </dd>
      </div>
    </>
  )
}

/** Returns why a payment would fail, or `undefined` if it would not. */
export function problemText(t: SendMessages, { reasons }: Strings, problem: unknown): string | undefined {
  if (isLatchkeyError(problem, 'transaction/reverted')) {
    if (problem.context.reason.startsWith('dust')) return t.belowMinimum
    return t.refused({ reason: reasonText(problem.context.reason, reasons) })
  }
  return isLatchkeyError(problem, 'rpc/unreachable') ? t.unreachable : undefined
}
