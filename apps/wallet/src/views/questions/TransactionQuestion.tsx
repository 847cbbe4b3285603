import { useEffect, useState } from 'react'
import type { Question } from '../../families/family.ts'
import type { Fee, TokenReference, TransactionAction } from '../../families/question.ts'
import { asRpcError } from '../../rpcError.ts'
import { exactAmount, feeAmount } from '../amount.ts'
import { FullAddress } from '../parts/Address.tsx'
import { Fact, Facts } from '../parts/Facts.tsx'
import { Skeleton } from '../parts/Skeleton.tsx'

type TransactionAsk = Extract<Question, { kind: 'transaction' }>

/** A transaction: what moves, to whom, on which network and at what cost. */
export function TransactionQuestion({ question }: { question: TransactionAsk }) {
  const { action, network, value } = question.transaction
  const { symbol, decimals } = network.nativeCurrency
  const estimate = useEstimate(question)
  return (
    <>
      {action.kind !== 'send' && value === 0n ? null : <p className="amount">{exactAmount(value, decimals, symbol)}</p>}
      <Action action={action} />
      <Facts>
        <Fact name="Network fee">
          {estimate === undefined && <Skeleton characters={18} />}
          {estimate?.kind === 'fee' && `At most ${feeAmount(estimate.fee.atMost, decimals, symbol)}`}
          {estimate?.kind === 'failure' && 'Not known'}
        </Fact>
      </Facts>
      {estimate?.kind === 'failure' && (
        <p className="caution" role="alert">
          This would probably fail. {estimate.reason}
        </p>
      )}
    </>
  )
}

function Action({ action }: { action: TransactionAction }) {
  switch (action.kind) {
    case 'send':
      return (
        <Facts>
          <Fact name="To">
            <FullAddress value={action.to} />
          </Fact>
        </Facts>
      )
    case 'tokenTransfer':
      return (
        <>
          <p className="amount">{tokenAmount(action.token, action.amount)}</p>
          <Facts>
            {action.from !== undefined && (
              <Fact name="From">
                <FullAddress value={action.from} />
              </Fact>
            )}
            <Fact name="To">
              <FullAddress value={action.to} />
            </Fact>
            <Contract token={action.token} />
          </Facts>
        </>
      )
    case 'tokenApproval':
      return (
        <>
          <p className="amount">
            {action.amount === 'unlimited'
              ? `Any amount of ${action.token.known?.symbol ?? 'a token'}`
              : tokenAmount(action.token, action.amount)}
          </p>
          {action.amount === 'unlimited' && (
            <p className="caution">
              The spender could take everything you have of this token, now and later. Approve a smaller amount if the
              app lets you.
            </p>
          )}
          <Facts>
            <Fact name="Spender">
              <FullAddress value={action.spender} />
            </Fact>
            <Contract token={action.token} />
          </Facts>
        </>
      )
    case 'itemTransfer':
      return (
        <Facts>
          <Fact name="Item">No. {action.id.toString()}</Fact>
          <Fact name="Collection">
            <FullAddress value={action.collection} />
          </Fact>
          <Fact name="From">
            <FullAddress value={action.from} />
          </Fact>
          <Fact name="To">
            <FullAddress value={action.to} />
          </Fact>
        </Facts>
      )
    case 'collectionApproval':
      return (
        <>
          {action.isGranted && (
            <p className="caution">The operator could move everything you have of this collection, now and later.</p>
          )}
          <Facts>
            <Fact name="Operator">
              <FullAddress value={action.operator} />
            </Fact>
            <Fact name="Collection">
              <FullAddress value={action.collection} />
            </Fact>
          </Facts>
        </>
      )
    case 'call':
      return (
        <Facts>
          <Fact name="Contract">
            <FullAddress value={action.to} />
          </Fact>
          <Fact name="Function">
            <code>{action.selector}</code>
          </Fact>
        </Facts>
      )
    case 'create':
      return null
  }
}

function Contract({ token }: { token: TokenReference }) {
  return (
    <Fact name={token.known === undefined ? 'Unknown token' : `${token.known.symbol} contract`}>
      <FullAddress value={token.address} />
    </Fact>
  )
}

/** Without the decimals nobody knows how much it is; the bare number at least is true. */
function tokenAmount({ known }: TokenReference, units: bigint): string {
  return known === undefined
    ? `${units.toString()} base units of a token`
    : exactAmount(units, known.decimals, known.symbol)
}

type Estimate = { kind: 'fee'; fee: Fee } | { kind: 'failure'; reason: string }

function useEstimate(question: TransactionAsk): Estimate | undefined {
  const [known, setKnown] = useState<{ question: TransactionAsk; estimate: Estimate }>()
  useEffect(() => {
    let isWanted = true
    const put = (estimate: Estimate): void => {
      if (isWanted) setKnown({ question, estimate })
    }
    question.estimate().then(
      (fee) => put({ kind: 'fee', fee }),
      (error: unknown) => put({ kind: 'failure', reason: asRpcError(error).message }),
    )
    return () => {
      isWanted = false
    }
  }, [question])
  return known?.question === question ? known.estimate : undefined
}
