import { sendState, type SendState } from '@latchkey/core/money'
import { isLatchkeyError, type Network } from '@latchkey/protocol'
import type { ReactElement } from 'react'
import { useLatchkey, useSurroundings } from '../../../context.ts'
import { usePart } from '../../../strings/part.tsx'
import { sendPart, type SendTexts } from '../../../strings/send/texts.ts'
import { useStore } from '../../../useStore.ts'
import { atMost, dollarText } from '../../money/figures.ts'

/** What the network takes, or why nobody knows. */
export function FeeFacts({ network }: { network: Network }): ReactElement | null {
  const latchkey = useLatchkey()
  const t = usePart(sendPart)
  const state = useStore(sendState(latchkey))
  if (state.token === undefined) return null
  const problem = state.fee === undefined ? problemText(t, state.problem) : undefined
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

/** The fee and what it locks besides, as lines of a list of facts. */
export function FeeLines({ state, network }: { state: SendState; network: Network }): ReactElement {
  const { locale } = useSurroundings()
  const t = usePart(sendPart)
  const { fee, feeInDollars, problem } = state
  const { symbol, decimals } = network.nativeCurrency
  return (
    <>
      <div>
        <dt>{t.fee}</dt>
        <dd className="figures">
          {fee !== undefined ? (
            <>
              <bdi dir="ltr">{`${atMost(fee.value, decimals)} ${symbol}`}</bdi>
              {feeInDollars !== undefined && <small>{dollarText(locale, feeInDollars)}</small>}
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
      {fee?.deposit !== undefined && (
        <div>
          <dt>{t.deposit}</dt>
          <dd className="figures">
            <bdi dir="ltr">{`${atMost(fee.deposit, decimals)} ${symbol}`}</bdi>
          </dd>
        </div>
      )}
    </>
  )
}

/** Why a payment would not go through, in words; undefined when nothing is known against it. */
export function problemText(t: SendTexts, problem: unknown): string | undefined {
  if (isLatchkeyError(problem, 'transaction/reverted')) return t.refused(problem.context.reason)
  return isLatchkeyError(problem, 'rpc/unreachable') ? t.unreachable : undefined
}
