import { displayAmount, parseAmount, shortenAddress } from '@latchkey/core'
import type { PendingTransaction } from '@latchkey/core/money'
import { holdingsMessages } from '@latchkey/modal/messages'
import type { HistoryItem, HistoryTransfer, OperationType } from '@latchkey/protocol'
import type { ReactElement, ReactNode } from 'react'
import { useLatchkey, useSurroundings } from '../../../../context.ts'
import { useAccount } from '../../../../hooks/useAccount.ts'
import { useFlowMessages } from '../../../../messages/useFlowMessages.ts'
import { useModalMessages } from '../../../../messages/useModalMessages.ts'
import { Icon, Mark } from '../../../parts/index.tsx'
import { ageOf } from './months.ts'

/** A row with the operation, the other party, the age and the amounts of a transaction. It links to the explorer, if any. */
export function ActivityRow({ item, now }: { item: HistoryItem; now: number }): ReactElement {
  const t = useFlowMessages(holdingsMessages)
  const { locale } = useSurroundings()
  const { metadata, transfers } = item
  const { operationType, minedAt, hash, status } = metadata
  const other = useOtherParty(item)
  const then = Date.parse(minedAt)
  const { count, unit } = ageOf(then, now)
  const whole = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(then)
  const [first] = transfers
  return (
    <ExplorerRow hash={hash}>
      <Mark name={assetName(first) ?? t.operations[operationType]} icon={imageOf(first)} />
      <span className="text">
        <span className="name">{t.operations[operationType]}</span>
        <span className="sub">
          {status === 'failed' && (
            <span className="failed">
              <Icon name="warn" size={16} /> {t.failed}
            </span>
          )}
          {other !== undefined && <span className="other">{other}</span>}
        </span>
      </span>
      <span className="amount figures">
        <Moved operation={operationType} transfers={transfers} />
        <time className="sub" dateTime={minedAt} title={whole}>
          {t.ages[unit]({ count })}
        </time>
      </span>
    </ExplorerRow>
  )
}

/** The row of a pending transaction. */
export function PendingRow({ transaction }: { transaction: PendingTransaction }): ReactElement {
  const t = useFlowMessages(holdingsMessages)
  const { hash, status, what } = transaction
  const { kind, amount, symbol, to } = what
  return (
    <ExplorerRow hash={hash}>
      <span className="mark" aria-hidden="true">
        {status === 'pending' ? <span className="spinner" /> : <Icon name="help" />}
      </span>
      <span className="text">
        <span className="name">{t.purposes[kind]}</span>
        <span className="sub">
          <span>{status === 'pending' ? t.waitingForNetwork : t.notFound}</span>
          {to !== undefined && (
            <span className="other">{t.to({ party: /^\w{26,}$/.test(to) ? shortenAddress(to) : to })}</span>
          )}
        </span>
      </span>
      {amount !== undefined && (
        <span className="amount figures">
          <Quantity numeric={amount} unit={symbol} />
        </span>
      )}
    </ExplorerRow>
  )
}

/** A row that links to the explorer, if the network has one. */
function ExplorerRow({ hash, children }: { hash: string; children: ReactNode }): ReactElement {
  const { adapters } = useLatchkey()
  const { downloads } = useModalMessages()
  const { network } = useAccount()
  const adapter = adapters.find(({ namespace }) => namespace === network?.chainNamespace)
  const explorer = network === undefined ? undefined : adapter?.explorerUrl(network, { transaction: hash })
  if (explorer === undefined) {
    return (
      <li className="row holding" part="row">
        {children}
      </li>
    )
  }
  return (
    <li>
      <a className="row holding" part="row" href={explorer} target="_blank" rel="noopener noreferrer">
        {children}
        <span className="hidden">{downloads.newTab}</span>
      </a>
    </li>
  )
}

/** Returns the other party of a transaction, if known. A token transfer only names the token contract. */
function useOtherParty({ metadata, transfers }: HistoryItem): string | undefined {
  const t = useFlowMessages(holdingsMessages)
  const native = useAccount().network?.nativeCurrency.symbol
  const { operationType, sentFrom, sentTo } = metadata
  if (transfers.some(({ fungible_info: token }) => token?.symbol !== native)) return undefined
  const isIn = operationType === 'receive'
  const who = isIn ? sentFrom : sentTo
  if (who === '') return undefined
  return isIn ? t.from({ party: shortenAddress(who) }) : t.to({ party: shortenAddress(who) })
}

function Moved({
  operation,
  transfers,
}: {
  operation: OperationType
  transfers: readonly HistoryTransfer[]
}): ReactElement[] {
  const t = useFlowMessages(holdingsMessages)
  return transfers.map((transfer, index) =>
    transfer.nft_info === null ? (
      <Quantity
        // oxlint-disable-next-line react/no-array-index-key -- the same may have moved twice
        key={index}
        sign={signOf(operation, transfer)}
        numeric={transfer.quantity.numeric}
        unit={transfer.fungible_info?.symbol ?? t.unnamedToken}
      />
    ) : (
      // oxlint-disable-next-line react/no-array-index-key -- the same may have moved twice
      <span key={index} className="name">
        {transfer.nft_info.name ?? t.unnamedNft}
      </span>
    ),
  )
}

function Quantity({ sign = '', numeric, unit = '' }: { sign?: string; numeric: string; unit?: string }): ReactElement {
  const decimals = numeric.split('.')[1]?.length ?? 0
  return (
    <span className="name">
      <bdi dir="ltr">
        {sign}
        {displayAmount(parseAmount(numeric, decimals), decimals)} <small>{unit}</small>
      </bdi>
    </span>
  )
}

const comes: readonly OperationType[] = ['receive', 'deposit', 'borrow', 'claim']
const goes: readonly OperationType[] = ['withdraw', 'repay', 'burn']

/** Returns the sign of an amount, if the operation doesn't imply it. The two sides of a swap have different signs [R9.5.3]. */
function signOf(operation: OperationType, { direction }: HistoryTransfer): string {
  if (comes.includes(operation) || (operation === 'trade' && direction === 'in')) return '+'
  return goes.includes(operation) || (operation === 'trade' && direction === 'out') ? '-' : ''
}

function assetName(transfer: HistoryTransfer | undefined): string | undefined {
  return transfer?.fungible_info?.symbol ?? transfer?.nft_info?.name ?? undefined
}

/** Only images of our own server are shown. Loading an image from another origin would reveal the user to its owner. */
function imageOf(transfer: HistoryTransfer | undefined): string | undefined {
  return transfer?.fungible_info?.icon?.url ?? transfer?.nft_info?.content?.preview?.url
}
