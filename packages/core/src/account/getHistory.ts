import { createErrors, type HistoryItem, type HistoryPage } from '@latchkey/protocol'
import { parsePage } from './fields.ts'
import { accountPageUrl, type PageOptions } from './accountPageUrl.ts'
import { parseHistoryItem } from './parseHistoryItem.ts'
import { fetchJson } from '../api/fetchJson.ts'
import type { Latchkey } from '../instance/latchkey.ts'
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
 * Returns a page of the connected account's history on its network, newest first. Entries that contain only spam are
 * left out [R5.5.4].
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
  const { caipNetworkId } = account.network
  return { data: data.filter((item) => item.metadata.chain === caipNetworkId && !isSpam(item)), next }
}

/** True if another party created the entry and everything in it is spam. */
function isSpam({ transfers }: HistoryItem): boolean {
  return transfers.length > 0 && transfers.every(({ nft_info: nft }) => nft?.flags.is_spam === true)
}
