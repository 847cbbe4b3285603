import { isChainId, type HistoryItem, type HistoryTransfer, type OperationType } from '@latchkey/protocol'
import type { Latchkey } from '../latchkey.ts'
import { fieldsOf, isFields, textOf, type Fields } from './answers.ts'
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

/** Reads an entry of a history; undefined when nobody could tell what happened, or when. */
export function readHistoryItem(latchkey: Latchkey, fields: Fields): HistoryItem | undefined {
  const told = fieldsOf(fields['metadata'])
  const [id, hash, minedAt] = [textOf(fields['id']), textOf(told['hash']), textOf(told['minedAt'])]
  const transfers: readonly unknown[] = Array.isArray(fields['transfers']) ? fields['transfers'] : []
  if (id === undefined || hash === undefined || minedAt === undefined || Number.isNaN(Date.parse(minedAt))) return
  const { operationType, status, nonce, chain, application } = told
  return {
    id,
    metadata: {
      operationType: isOperation(operationType) ? operationType : 'execute',
      hash,
      minedAt,
      sentFrom: textOf(told['sentFrom']) ?? '',
      sentTo: textOf(told['sentTo']) ?? '',
      status: status === 'failed' || status === 'pending' ? status : 'confirmed',
      nonce: typeof nonce === 'number' ? nonce : 0,
      application: isFields(application)
        ? { name: textOf(application['name']) ?? null, iconUrl: textOf(application['iconUrl']) ?? null }
        : null,
      chain: typeof chain === 'string' && isChainId(chain) ? chain : null,
    },
    transfers: transfers.filter(isFields).flatMap((transfer) => readTransfer(latchkey, transfer) ?? []),
  }
}

function isOperation(value: unknown): value is OperationType {
  return typeof value === 'string' && operations.includes(value)
}

function readTransfer(latchkey: Latchkey, fields: Fields): HistoryTransfer | undefined {
  const { direction, fungible_info: fungible, nft_info: nft } = fields
  const numeric = textOf(fieldsOf(fields['quantity'])['numeric'])
  if (numeric === undefined || !/^\d+(\.\d+)?$/.test(numeric)) return undefined
  return {
    fungible_info: isFields(fungible) ? readFungible(fungible) : null,
    nft_info: isFields(nft) ? readNft(latchkey, nft) : null,
    direction: direction === 'in' || direction === 'self' ? direction : 'out',
    quantity: { numeric },
    value: numberOf(fields['value']),
    price: numberOf(fields['price']),
  }
}

function readFungible({ name, symbol, icon }: Fields): HistoryTransfer['fungible_info'] {
  const url = textOf(fieldsOf(icon)['url'])
  return {
    name: textOf(name) ?? null,
    symbol: textOf(symbol) ?? null,
    icon: url === undefined ? null : { url },
  }
}

function readNft(latchkey: Latchkey, { name, content, flags }: Fields): HistoryTransfer['nft_info'] {
  const told = fieldsOf(content)
  return {
    name: textOf(name) ?? null,
    content: isFields(content)
      ? { preview: readPicture(latchkey, told['preview']), detail: readPicture(latchkey, told['detail']) }
      : null,
    flags: { is_spam: fieldsOf(flags)['is_spam'] === true },
  }
}

function readPicture(latchkey: Latchkey, value: unknown): { url: string; content_type: string | null } | null {
  const url = pictureUrl(latchkey, textOf(fieldsOf(value)['url']))
  return url === undefined ? null : { url, content_type: textOf(fieldsOf(value)['content_type']) ?? null }
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}
