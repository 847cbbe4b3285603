import { useEffect, useState } from 'react'
import type { DecodedRequest } from '../../namespaces/namespaceAdapter.ts'
import type { Fee, TokenReference, TransactionAction } from '../../namespaces/transactionSummary.ts'
import { toRpcError } from '../../rpcError.ts'
import { exactAmount, feeAmount } from '../exactAmount.ts'
import { FullAddress } from '../components/Address.tsx'
import { Fact, Facts } from '../components/Facts.tsx'
import { Skeleton } from '../components/Skeleton.tsx'

type DecodedTransaction = Extract<DecodedRequest, { kind: 'transaction' }>

/** Shows a transaction: its effect, network and fee. */
export function TransactionDetails({ decoded }: { decoded: DecodedTransaction }) {
  const { action, network, value } = decoded.transaction
  const { symbol, decimals } = network.nativeCurrency
  const estimate = useEstimate(decoded)
  return (
    <>
      {action.kind !== 'send' && value === 0n ? null : <p className="amount">{exactAmount(value, decimals, symbol)}</p>}
      <Action action={action} />
      <Facts>
        <Fact name="Network fee">
          {estimate === undefined && <Skeleton characters={18} />}
          {estimate?.kind === 'fee' && `At most ${feeAmount(estimate.fee.maximum, decimals, symbol)}`}
          {estimate?.kind === 'failure' && 'Unknown'}
        </Fact>
      </Facts>
      {estimate?.kind === 'failure' && (
        <p className="caution" role="alert">
          This transaction would probably fail. {estimate.reason}
        </p>
      )}
    </>
  )
}

type ActionOf<kind extends TransactionAction['kind']> = Extract<TransactionAction, { kind: kind }>

function Action({ action }: { action: TransactionAction }) {
  switch (action.kind) {
    case 'send':
      return (
        <Facts>
          <AddressFact name="To" value={action.to} />
        </Facts>
      )
    case 'tokenTransfer':
      return <TokenTransfer action={action} />
    case 'tokenApproval':
      return <TokenApproval action={action} />
    case 'itemTransfer':
      return <ItemTransfer action={action} />
    case 'collectionApproval':
      return <CollectionApproval action={action} />
    case 'call':
      return (
        <Facts>
          <AddressFact name="Contract" value={action.to} />
          <Fact name="Function">
            <code>{action.selector}</code>
          </Fact>
        </Facts>
      )
    case 'create':
      return null
  }
}

function TokenTransfer({ action: { token, from, to, amount } }: { action: ActionOf<'tokenTransfer'> }) {
  return (
    <>
      <p className="amount">{tokenAmount(token, amount)}</p>
      <Facts>
        {from !== undefined && <AddressFact name="From" value={from} />}
        <AddressFact name="To" value={to} />
        <TokenContract token={token} />
      </Facts>
    </>
  )
}

function TokenApproval({ action: { token, spender, amount } }: { action: ActionOf<'tokenApproval'> }) {
  const isUnlimited = amount === 'unlimited'
  return (
    <>
      <p className="amount">
        {isUnlimited ? `Any amount of ${token.known?.symbol ?? 'a token'}` : tokenAmount(token, amount)}
      </p>
      {isUnlimited && (
        <p className="caution">
          The spender could take all of your tokens of this kind, now and later. Approve a smaller amount if the app
          lets you.
        </p>
      )}
      <Facts>
        <AddressFact name="Spender" value={spender} />
        <TokenContract token={token} />
      </Facts>
    </>
  )
}

function ItemTransfer({ action: { collection, from, to, id } }: { action: ActionOf<'itemTransfer'> }) {
  return (
    <Facts>
      <Fact name="Item">No. {id.toString()}</Fact>
      <AddressFact name="Collection" value={collection} />
      <AddressFact name="From" value={from} />
      <AddressFact name="To" value={to} />
    </Facts>
  )
}

function CollectionApproval({ action }: { action: ActionOf<'collectionApproval'> }) {
  const { collection, operator, isGranted } = action
  return (
    <>
      {isGranted && (
        <p className="caution">The operator could move all of your items in this collection, now and later.</p>
      )}
      <Facts>
        <AddressFact name="Operator" value={operator} />
        <AddressFact name="Collection" value={collection} />
      </Facts>
    </>
  )
}

function AddressFact({ name, value }: { name: string; value: string }) {
  return (
    <Fact name={name}>
      <FullAddress value={value} />
    </Fact>
  )
}

function TokenContract({ token }: { token: TokenReference }) {
  return (
    <Fact name={token.known === undefined ? 'Unknown token' : `${token.known.symbol} contract`}>
      <FullAddress value={token.address} />
    </Fact>
  )
}

/** Formats an amount. Without known decimals, it shows base units. */
function tokenAmount({ known }: TokenReference, units: bigint): string {
  return known === undefined
    ? `${units.toString()} base units of a token`
    : exactAmount(units, known.decimals, known.symbol)
}

type Estimate = { kind: 'fee'; fee: Fee } | { kind: 'failure'; reason: string }

function useEstimate(decoded: DecodedTransaction): Estimate | undefined {
  const [known, setKnown] = useState<{ decoded: DecodedTransaction; estimate: Estimate }>()
  useEffect(() => {
    let isWanted = true
    const put = (estimate: Estimate): void => {
      if (isWanted) setKnown({ decoded, estimate })
    }
    decoded.estimate().then(
      (fee) => put({ kind: 'fee', fee }),
      (error: unknown) => put({ kind: 'failure', reason: toRpcError(error).message }),
    )
    return () => {
      isWanted = false
    }
  }, [decoded])
  return known?.decoded === decoded ? known.estimate : undefined
}
