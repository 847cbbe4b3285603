import { isUnknownRecord } from '../primitives/unknownRecord.ts'

/** The kinds of messages that replace earlier ones. */
export type OrderedMessage = 'wc_sessionUpdate' | 'wc_sessionExtend' | `wc_sessionEvent ${string}` | 'sent'

/**
 * The ids of the newest messages of a session by kind: on the dapp's side those that it accepted, on the wallet's side
 * those that it sent. The ids of one peer begin with its time, so they increase.
 */
export type LatestIds = { readonly [kind: string]: number }

/** The part of a stored session with these ids. */
type WithLatestIds = { readonly latestIds?: LatestIds | undefined }

/** Returns the session with `id` as its newest of this kind. */
export function withLatestId<session extends WithLatestIds>(
  session: session,
  kind: OrderedMessage,
  id: number,
): session {
  return { ...session, latestIds: { ...session.latestIds, [kind]: id } }
}

/** Parses the stored ids. Sessions of earlier versions have none, so that any next message is newer. */
export function parseLatestIds(value: unknown): WithLatestIds {
  if (!isUnknownRecord(value)) return {}
  const entries = Object.entries(value).flatMap(([kind, id]) =>
    typeof id === 'number' && Number.isSafeInteger(id) ? [[kind, id] as const] : [],
  )
  return { latestIds: Object.fromEntries(entries) }
}
