import { createErrors, type HistoryItem, type HistoryPage, type HistoryTransfer } from '@latchkey/protocol'
import { parsePage } from './fields.ts'
import { accountPageUrl, type PageOptions } from './accountPageUrl.ts'
import { parseHistoryItem } from './parseHistoryItem.ts'
import { fetchJson } from '../api/fetchJson.ts'
import type { Latchkey } from '../instance/latchkey.ts'
import { isSameSignInAddress } from '../signIn/isSameSignInAddress.ts'
import { accountStateOf } from '../state/getAccount.ts'

declare module '@latchkey/protocol' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be extended
  interface ErrorContexts {
    'history/no-account': object
  }
}

const historyError = createErrors<'history/no-account'>({
  'history/no-account': () => "Transactions can't be fetched without an accountAddress. Connect a wallet first.",
})

/**
 * Returns a page of the connected account's history on its network, newest first. Entries of other
 * parties that contain only spam or transfers of nothing are left out [R5.5.4].
 *
 * @returns an empty page if no server is configured
 * @throws LatchkeyError `history/no-account`, `http/status`, `http/unreachable`, `http/invalid-response`.
 * @example const { data, next } = await getHistory(latchkey)
 */
export async function getHistory(latchkey: Latchkey, options: PageOptions = {}): Promise<HistoryPage> {
  const account = accountStateOf(latchkey, options.namespace)
  if (account.status !== 'connected') throw historyError('history/no-account', {})
  const url = accountPageUrl(latchkey, 'history', options)
  if (url === undefined) return { data: [], next: null }
  const { data, next } = parsePage(await fetchJson(latchkey, url, options.signal), 'history', (fields) =>
    parseHistoryItem(latchkey, fields),
  )
  const { address, network } = account
  const own = data.filter(({ metadata }) => metadata.chain === network.caipNetworkId)
  return { data: own.filter((item) => !isPlacedByOthers(item, address)), next }
}

/**
 * True if another party created the entry and it contains only spam and transfers of nothing. Anyone can make an account
 * "send" nothing to any address, for example to one that looks like a known recipient (address poisoning), or send a
 * transaction without a value to it. An approval moves nothing, and needs the signature of the account.
 */
function isPlacedByOthers({ metadata, transfers }: HistoryItem, address: string): boolean {
  const { operationType, sentFrom, status } = metadata
  if (isSameSignInAddress(sentFrom, address)) return false
  if (transfers.length === 0) return operationType === 'execute' || status === 'failed'
  return transfers.every((transfer) => isSpam(transfer) || !/[1-9]/.test(transfer.quantity.numeric))
}

function isSpam({ fungible_info: fungible, nft_info: nft }: HistoryTransfer): boolean {
  return nft?.flags.is_spam === true || fungible?.flags?.is_spam === true
}
