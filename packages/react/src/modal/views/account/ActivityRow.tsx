import { displayAmount, parseAmount, shortenAddress } from '@latchkey/core'
import type { PendingTransaction } from '@latchkey/core/money'
import type { HistoryItem, HistoryTransfer, OperationType } from '@latchkey/protocol'
import type { ReactElement, ReactNode } from 'react'
import { useLatchkey, useSurroundings } from '../../../context.ts'
import { useAccount } from '../../../hooks/useAccount.ts'
import { holdingsPart } from '../../../strings/holdings/texts.ts'
import { usePart } from '../../../strings/part.tsx'
import { useStrings } from '../../../strings/useStrings.ts'
import { Icon, Mark } from '../../parts.tsx'
import { ageOf } from './months.ts'

/** One transaction: what it was, with whom, when, and what it moved; it leads to the explorer where there is one. */
export function ActivityRow({ item, now }: { item: HistoryItem; now: number }): ReactElement {
  const t = usePart(holdingsPart)
  const { locale } = useSurroundings()
  const { metadata, transfers } = item
  const { operationType, minedAt, hash, status } = metadata
  const other = useOther(item)
  const then = Date.parse(minedAt)
  const { count, unit } = ageOf(then, now)
  const whole = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(then)
  const [first] = transfers
  return (
    <Leading hash={hash}>
      <Mark name={nameOf(first) ?? t.operations[operationType]} icon={pictureOf(first)} />
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
          {t.ages[unit](count)}
        </time>
      </span>
    </Leading>
  )
}

/** A transaction that is on its way. */
export function PendingRow({ transaction }: { transaction: PendingTransaction }): ReactElement {
  const t = usePart(holdingsPart)
  const { hash, status, what } = transaction
  const { kind, amount, symbol, to } = what
  return (
    <Leading hash={hash}>
      <span className="mark" aria-hidden="true">
        {status === 'pending' ? <span className="spinner" /> : <Icon name="help" />}
      </span>
      <span className="text">
        <span className="name">{t.purposes[kind]}</span>
        <span className="sub">
          <span>{status === 'pending' ? t.waiting : t.notSeen}</span>
          {to !== undefined && <span className="other">{t.to(/^\w{26,}$/.test(to) ? shortenAddress(to) : to)}</span>}
        </span>
      </span>
      {amount !== undefined && (
        <span className="amount figures">
          <Quantity numeric={amount} unit={symbol} />
        </span>
      )}
    </Leading>
  )
}

/** A row that leads to the explorer, or nowhere. */
function Leading({ hash, children }: { hash: string; children: ReactNode }): ReactElement {
  const { adapters } = useLatchkey()
  const { downloads } = useStrings()
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

/** With whom it was, where the transaction itself says so: of a token's transfer it only names the token. */
function useOther({ metadata, transfers }: HistoryItem): string | undefined {
  const t = usePart(holdingsPart)
  const native = useAccount().network?.nativeCurrency.symbol
  const { operationType, sentFrom, sentTo } = metadata
  if (transfers.some(({ fungible_info: token }) => token?.symbol !== native)) return undefined
  const isIn = operationType === 'receive'
  const who = isIn ? sentFrom : sentTo
  if (who === '') return undefined
  return isIn ? t.from(shortenAddress(who)) : t.to(shortenAddress(who))
}

function Moved({
  operation,
  transfers,
}: {
  operation: OperationType
  transfers: readonly HistoryTransfer[]
}): ReactElement[] {
  const t = usePart(holdingsPart)
  return transfers.map((transfer, index) =>
    transfer.nft_info === null ? (
      <Quantity
        // oxlint-disable-next-line react/no-array-index-key -- the same may have moved twice
        key={index}
        sign={signOf(operation, transfer)}
        numeric={transfer.quantity.numeric}
        unit={transfer.fungible_info?.symbol ?? t.someToken}
      />
    ) : (
      // oxlint-disable-next-line react/no-array-index-key -- the same may have moved twice
      <span key={index} className="name">
        {transfer.nft_info.name ?? t.someNft}
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

/** Which way it went, where that is not said by what happened; of a swap each side goes its own way [R9.5.3]. */
function signOf(operation: OperationType, { direction }: HistoryTransfer): string {
  if (comes.includes(operation) || (operation === 'trade' && direction === 'in')) return '+'
  return goes.includes(operation) || (operation === 'trade' && direction === 'out') ? '-' : ''
}

function nameOf(transfer: HistoryTransfer | undefined): string | undefined {
  return transfer?.fungible_info?.symbol ?? transfer?.nft_info?.name ?? undefined
}

/** Only what our server keeps is shown: the address of a stranger's picture would tell him who looks. */
function pictureOf(transfer: HistoryTransfer | undefined): string | undefined {
  return transfer?.fungible_info?.icon?.url ?? transfer?.nft_info?.content?.preview?.url
}
