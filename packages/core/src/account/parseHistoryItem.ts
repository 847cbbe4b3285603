import {
  isAccountId,
  isChainId,
  isRecord,
  type HistoryItem,
  type HistoryTransfer,
  type OperationType,
} from '@latchkey/protocol'
import type { Latchkey } from '../instance/latchkey.ts'
import { toFields, nonEmptyString, type Fields } from './fields.ts'
import { pictureUrl } from './pictureUrl.ts'

const operations: readonly string[] = [
  'approve',
  'borrow',
  'burn',
  'claim',
  'deploy',
  'deposit',
  'execute',
  'mint',
  'receive',
  'repay',
  'send',
  'stake',
  'trade',
  'unstake',
  'withdraw',
] satisfies readonly OperationType[]

/** Parses a history entry. Returns undefined if it has no action or no time. */
export function parseHistoryItem(latchkey: Pick<Latchkey, 'internal'>, fields: Fields): HistoryItem | undefined {
  const values = toFields(fields['metadata'])
  const [id, hash, minedAt] = [
    nonEmptyString(fields['id']),
    nonEmptyString(values['hash']),
    nonEmptyString(values['minedAt']),
  ]
  const transfers: readonly unknown[] = Array.isArray(fields['transfers']) ? fields['transfers'] : []
  if (id === undefined || hash === undefined || minedAt === undefined || Number.isNaN(Date.parse(minedAt))) return
  const { operationType, status, nonce, chain, application } = values
  return {
    id,
    metadata: {
      operationType: isOperation(operationType) ? operationType : 'execute',
      hash,
      minedAt,
      sentFrom: nonEmptyString(values['sentFrom']) ?? '',
      sentTo: nonEmptyString(values['sentTo']) ?? '',
      status: status === 'failed' || status === 'pending' ? status : 'confirmed',
      nonce: typeof nonce === 'number' ? nonce : 0,
      application: isRecord(application)
        ? { name: nonEmptyString(application['name']) ?? null, iconUrl: nonEmptyString(application['iconUrl']) ?? null }
        : null,
      chain: typeof chain === 'string' && isChainId(chain) ? chain : null,
    },
    transfers: transfers.filter(isRecord).flatMap((transfer) => readTransfer(latchkey, transfer) ?? []),
  }
}

function isOperation(value: unknown): value is OperationType {
  return typeof value === 'string' && operations.includes(value)
}

function readTransfer(latchkey: Pick<Latchkey, 'internal'>, fields: Fields): HistoryTransfer | undefined {
  const { direction, fungible_info: fungible, nft_info: nft } = fields
  const counterparty = nonEmptyString(fields['counterparty'])
  const numeric = nonEmptyString(toFields(fields['quantity'])['numeric'])
  if (numeric === undefined || !/^\d+(\.\d+)?$/.test(numeric)) return undefined
  return {
    fungible_info: isRecord(fungible) ? readFungible(fungible) : null,
    nft_info: isRecord(nft) ? readNft(latchkey, nft) : null,
    direction: direction === 'in' || direction === 'self' ? direction : 'out',
    ...(counterparty === undefined ? {} : { counterparty }),
    quantity: { numeric },
    value: amountOf(fields['value']),
    price: amountOf(fields['price']),
  }
}

function readFungible({ name, symbol, icon, flags, address }: Fields): HistoryTransfer['fungible_info'] {
  const url = nonEmptyString(toFields(icon)['url'])
  return {
    name: nonEmptyString(name) ?? null,
    symbol: nonEmptyString(symbol) ?? null,
    icon: url === undefined ? null : { url },
    ...(isRecord(flags) ? { flags: { is_spam: flags['is_spam'] === true } } : {}),
    ...(typeof address === 'string' && isAccountId(address) ? { address } : {}),
  }
}

function readNft(latchkey: Pick<Latchkey, 'internal'>, { name, content, flags }: Fields): HistoryTransfer['nft_info'] {
  const values = toFields(content)
  return {
    name: nonEmptyString(name) ?? null,
    content: isRecord(content)
      ? { preview: readPicture(latchkey, values['preview']), detail: readPicture(latchkey, values['detail']) }
      : null,
    flags: { is_spam: toFields(flags)['is_spam'] === true },
  }
}

function readPicture(
  latchkey: Pick<Latchkey, 'internal'>,
  value: unknown,
): { url: string; content_type: string | null } | null {
  const url = pictureUrl(latchkey, nonEmptyString(toFields(value)['url']))
  return url === undefined ? null : { url, content_type: nonEmptyString(toFields(value)['content_type']) ?? null }
}

function amountOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null
}
