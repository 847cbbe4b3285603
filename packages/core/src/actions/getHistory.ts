import { createErrors, type HistoryItem, type HistoryPage } from '@latchkey/protocol'
import { readPage } from '../account/answers.ts'
import { pageUrl, type PageOptions } from '../account/holder.ts'
import { readHistoryItem } from '../account/readHistory.ts'
import { ask } from '../api/ask.ts'
import type { Latchkey } from '../latchkey.ts'
import { getAccount } from '../state/wallet.ts'

const historyError = createErrors<'history/no-account'>({
  'history/no-account': () => "Transactions can't be fetched without an accountAddress. Connect a wallet first.",
})

/**
 * A page of what the connected account did on the network it is on, newest first, without entries that consist of nothing
 * but spam [R5.5.4].
 *
 * @returns an empty page when no server is configured
 * @throws LatchkeyError `history/no-account`, `http/status`, `http/unreachable`, `http/invalid-answer`.
 * @example const { data, next } = await getHistory(latchkey)
 */
export async function getHistory(latchkey: Latchkey, options: PageOptions = {}): Promise<HistoryPage> {
  const account = getAccount(latchkey, options.namespace)
  if (account.status !== 'connected') throw historyError('history/no-account', {})
  const url = pageUrl(latchkey, 'history', options)
  if (url === undefined) return { data: [], next: null }
  const { data, next } = readPage(await ask(latchkey, url, options.signal), 'history', (fields) =>
    readHistoryItem(latchkey, fields),
  )
  const { caipNetworkId } = account.network
  return { data: data.filter((item) => item.metadata.chain === caipNetworkId && !isSpam(item)), next }
}

/** Whether somebody else made an entry for the account to look at, and nothing in it is worth a look. */
function isSpam({ transfers }: HistoryItem): boolean {
  return transfers.length > 0 && transfers.every(({ nft_info: nft }) => nft?.flags.is_spam === true)
}
