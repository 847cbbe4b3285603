import type { IncomingMessage } from 'node:http'
import { loadServerWords, type ServerWords } from '../../messages/loadServerWords.ts'
import { requestLocale } from '../requests/source/requestLocale.ts'

/**
 * Loads the texts of a page in the language of its reader's browser. The language of the request that the page is about
 * has no influence: an attacker could choose one that the reader does not understand.
 */
export function pageWords(request: IncomingMessage): Promise<ServerWords> {
  return loadServerWords(requestLocale(request))
}
