import type { IncomingMessage } from 'node:http'
import type { Clock } from '../../../kit/runtime/clock.ts'
import type { RequestFacts } from '../../../messages/formatRequest.ts'
import { loadServerWords, type ServerWords } from '../../../messages/loadServerWords.ts'
import type { Places } from './places.ts'
import { requestSource } from './requestSource.ts'

export type DescribeRequestDependencies = { trustedProxies: number; places: Places; clock: Clock }

/** Describes a request for a mail about it: its source, and the texts in its language. */
export async function describeRequest(
  raw: IncomingMessage,
  { trustedProxies, places, clock }: DescribeRequestDependencies,
): Promise<{ words: ServerWords; facts: RequestFacts }> {
  const { client, browser, locale } = requestSource(raw, trustedProxies)
  return { words: await loadServerWords(locale), facts: { browser, place: places.find(client), at: clock.now() } }
}
