import { parseAmount, shortenAddress, type Latchkey } from '@latchkey/core'
import type { PendingTransaction } from '@latchkey/core/money'
import { pushView } from '@latchkey/modal'
import { holdingsMessages } from '@latchkey/modal/messages'
import {
  isAccountId,
  parseAccountId,
  type ChainId,
  type HistoryItem,
  type HistoryTransfer,
  type OperationType,
} from '@latchkey/protocol'
import type { ReactElement, ReactNode } from 'react'
import { useLatchkey, useLatchkeyContext } from '../../../../context.ts'
import { useAccount } from '../../../../hooks/useAccount.ts'
import { quantityText } from '../../../../messages/quantityText.ts'
import { useFlowMessages } from '../../../../messages/useFlowMessages.ts'
import { dollarText } from '../../../money/dollarText.ts'
import { findHistoryParty, signOf } from '../../../money/historyParty.ts'
import { getHistoryValue } from '../../../money/historyValue.ts'
import { Icon, Mark } from '../../../parts/index.tsx'
import { ageOf } from './monthsOf.ts'

/**
 * A row with the operation, the other party, the amounts, their value on that day and the age of a transaction. It opens
 * the details.
 */
export function ActivityRow({ item, now }: { item: HistoryItem; now: number }): ReactElement {
  const t = useFlowMessages(holdingsMessages)
  const { locale } = useLatchkeyContext()
  const { metadata, transfers } = item
  const { operationType, minedAt, hash, status } = metadata
  const other = useOtherParty(item)
  const then = Date.parse(minedAt)
  const { count, unit } = ageOf(then, now)
  const whole = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(then)
  const [first] = transfers
  const value = getHistoryValue(item)
  return (
    <DetailsRow chainId={metadata.chain ?? undefined} hash={hash} item={item}>
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
        <span className="sub">
          {value !== undefined && <span title={t.details.value}>{dollarText(locale, value)}</span>}
          <time dateTime={minedAt} title={whole}>
            {t.ages[unit]({ count })}
          </time>
        </span>
      </span>
    </DetailsRow>
  )
}

/** The row of a pending transaction. */
export function PendingRow({ transaction }: { transaction: PendingTransaction }): ReactElement {
  const t = useFlowMessages(holdingsMessages)
  const latchkey = useLatchkey()
  const { hash, status, what } = transaction
  const { kind, amount, symbol, to } = what
  return (
    <DetailsRow chainId={transaction.chainId} hash={hash}>
      <span className="mark" aria-hidden="true">
        {status === 'pending' ? <span className="spinner" /> : <Icon name="help" />}
      </span>
      <span className="text">
        <span className="name">{t.purposes[kind]}</span>
        <span className="sub">
          <span>
            {transaction.reorged === true ? t.pendingAgain : status === 'pending' ? t.waitingForNetwork : t.notFound}
          </span>
          {to !== undefined && <span className="other">{t.to({ party: formatParty(latchkey, to) })}</span>}
        </span>
      </span>
      {amount !== undefined && (
        <span className="amount figures">
          <Quantity numeric={amount} unit={symbol} />
        </span>
      )}
    </DetailsRow>
  )
}

/** Shortens an address. The spender of an approval is an account: its chain is shown by the name of the network. */
function formatParty({ networks }: Pick<Latchkey, 'networks'>, to: string): string {
  if (!isAccountId(to)) return /^\w{26,}$/.test(to) ? shortenAddress(to) : to
  const { chainId, address } = parseAccountId(to)
  const name = networks.find(({ caipNetworkId }) => caipNetworkId === chainId)?.name
  return name === undefined ? shortenAddress(address) : `${shortenAddress(address)} · ${name}`
}

/** A row that opens the details of a transaction. */
function DetailsRow({
  children,
  ...params
}: {
  chainId: ChainId | undefined
  hash: string
  item?: HistoryItem
  children: ReactNode
}): ReactElement {
  const latchkey = useLatchkey()
  const { hash, item } = params
  const { network } = useAccount()
  const chainId = params.chainId ?? network?.caipNetworkId
  const open = (): void => {
    if (chainId !== undefined) pushView(latchkey, { view: 'Transaction', params: { chainId, hash, item } })
  }
  return (
    <li>
      <button type="button" className="row holding" part="row" onClick={open}>
        {children}
      </button>
    </li>
  )
}

/** Returns the text of the other party. Other operations name the contract that they use. */
function useOtherParty(item: HistoryItem): string | undefined {
  const t = useFlowMessages(holdingsMessages)
  const native = useAccount().network?.nativeCurrency.symbol
  const { operationType, sentTo } = item.metadata
  const party = findHistoryParty(item, native)
  if (party !== undefined) {
    const short = { party: shortenAddress(party.address) }
    return party.isSender ? t.from(short) : t.to(short)
  }
  const movesAssets = operationType === 'send' || operationType === 'receive'
  if (movesAssets || sentTo === '' || item.transfers.some(({ fungible_info: token }) => token?.symbol !== native)) {
    return undefined
  }
  return t.to({ party: shortenAddress(sentTo) })
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
  const { locale } = useLatchkeyContext()
  const decimals = numeric.split('.')[1]?.length ?? 0
  return (
    <span className="name">
      <bdi dir="ltr">
        {sign}
        {quantityText(locale, parseAmount(numeric, decimals), decimals)} <small>{unit}</small>
      </bdi>
    </span>
  )
}

function assetName(transfer: HistoryTransfer | undefined): string | undefined {
  return transfer?.fungible_info?.symbol ?? transfer?.nft_info?.name ?? undefined
}

/** Only images of our own server are shown. Loading an image from another origin would reveal the user to its owner. */
function imageOf(transfer: HistoryTransfer | undefined): string | undefined {
  return transfer?.fungible_info?.icon?.url ?? transfer?.nft_info?.content?.preview?.url
}
