import type { ViewEntry } from '@latchkey/modal'
import { holdingsMessages } from '@latchkey/modal/messages'
import type { ReactElement } from 'react'
import { useLatchkey, useLatchkeyContext } from '../../../../context.ts'
import { FlowMessages } from '../../../../messages/FlowMessages.tsx'
import { useFlowMessages } from '../../../../messages/useFlowMessages.ts'
import { dollarText } from '../../../money/dollarText.ts'
import { moneyCss } from '../../../money/money.css.ts'
import { useCopy } from '../../../money/useCopy.ts'
import { Icon } from '../../../parts/index.tsx'
import { useViewStyles } from '../../../shell/shadowRoot.ts'
import { WholeAddress } from '../../send/walletSend/WholeAddress.tsx'
import { accountCss } from '../account/account.css.ts'
import { ReplaceButtons } from './ReplaceButtons.tsx'
import { StopTracking } from './StopTracking.tsx'
import { transactionCss } from './transaction.css.ts'
import { usePaidFee } from './usePaidFee.ts'
import { useTransaction, type TransactionFacts } from './useTransaction.ts'

type TransactionParams = (ViewEntry & { view: 'Transaction' })['params']

/** The details of one transaction. A pending one can be replaced. */
export default function TransactionView(params: TransactionParams): ReactElement {
  useViewStyles(accountCss + moneyCss + transactionCss)
  return (
    <FlowMessages chunk={holdingsMessages}>
      <Details {...params} />
    </FlowMessages>
  )
}

function Details({ chainId, hash, item }: TransactionParams): ReactElement {
  const latchkey = useLatchkey()
  const t = useFlowMessages(holdingsMessages).details
  const { locale } = useLatchkeyContext()
  const facts = useTransaction({ chainId, hash, item })
  const network = latchkey.networks.find(({ caipNetworkId }) => caipNetworkId === chainId)
  const mined = facts.by ?? hash
  const fee = usePaidFee({ chainId, hash: mined, isPaid: isMined(facts) && facts.isOwn })
  const adapter = latchkey.adapters.find(({ namespace }) => namespace === network?.chainNamespace)
  const explorer =
    network === undefined || facts.isBatch ? undefined : adapter?.explorerUrl(network, { transaction: mined })
  return (
    <>
      <Summary facts={facts} />
      <dl className="facts">
        {facts.party !== undefined && (
          <div>
            <dt>{facts.party.isSender ? t.from : t.to}</dt>
            <dd>{facts.party.isAddress ? <WholeAddress address={facts.party.text} /> : facts.party.text}</dd>
          </div>
        )}
        {facts.value !== undefined && (
          <div>
            <dt>{t.value}</dt>
            <dd className="figures">{dollarText(locale, facts.value)}</dd>
          </div>
        )}
        {fee !== undefined && (
          <div>
            <dt>{t.fee}</dt>
            <dd className="figures">
              <bdi dir="ltr">{fee}</bdi>
            </dd>
          </div>
        )}
        <Time at={facts.at} />
        {network !== undefined && (
          <div>
            <dt>{t.network}</dt>
            <dd>{network.name}</dd>
          </div>
        )}
        <Hash hash={hash} />
      </dl>
      {facts.pending !== undefined && <ReplaceButtons transaction={facts.pending} />}
      {facts.pending !== undefined && <StopTracking transaction={facts.pending} />}
      {explorer !== undefined && (
        <a className="button" href={explorer} target="_blank" rel="noopener noreferrer">
          {t.explorer}
          <Icon name="external" size={16} />
        </a>
      )}
    </>
  )
}

/** True if the hash is that of a transaction in a block. */
function isMined({ status, isBatch }: TransactionFacts): boolean {
  return status !== 'pending' && status !== 'unknown' && !isBatch
}

/** The operation with its amounts and its status. */
function Summary({ facts }: { facts: TransactionFacts }): ReactElement {
  const t = useFlowMessages(holdingsMessages)
  const { status } = facts
  const isConfirmed = status === 'confirmed' || status === 'repriced'
  const isReplaced = status === 'repriced' || status === 'cancelled'
  return (
    <div className="transaction-summary">
      <p className="money-label">{facts.name}</p>
      {facts.amounts.map((amount, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- several receivers may get the same amount
        <p key={index} className="headline figures">
          <bdi dir="ltr">{amount}</bdi>
        </p>
      ))}
      <p className="transaction-status" data-status={status} role="status">
        {status === 'pending' && <span className="spinner" />}
        {status === 'failed' && <Icon name="warn" size={16} />}
        {isConfirmed && <Icon name="check" size={16} />}
        {isReplaced ? t.outcomes[status] : t.details.status[status]}
      </p>
    </div>
  )
}

function Time({ at }: { at: number }): ReactElement {
  const t = useFlowMessages(holdingsMessages).details
  const { locale } = useLatchkeyContext()
  return (
    <div>
      <dt>{t.time}</dt>
      <dd>
        <time dateTime={new Date(at).toISOString()}>
          {new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' }).format(at)}
        </time>
      </dd>
    </div>
  )
}

function Hash({ hash }: { hash: string }): ReactElement {
  const t = useFlowMessages(holdingsMessages).details
  const copy = useCopy()
  return (
    <div>
      <dt>{t.hash}</dt>
      <dd className="transaction-hash">
        <bdi dir="ltr" className="mono">
          {hash}
        </bdi>
        <button
          type="button"
          className="icon-button"
          aria-label={t.copyHash}
          onClick={() => copy(hash, { done: t.hashCopied, failed: t.copyFailed })}
        >
          <Icon name="copy" size={16} />
        </button>
      </dd>
    </div>
  )
}
