import type { Words } from '../words/words.ts'

/** What a failure is told by, also after it crossed a port: errors keep little more than their names there. */
export type Failure = {
  readonly code?: string
  readonly status?: number
  readonly field?: string
  readonly message?: string
}

/** Reads whatever was thrown. */
export function failureOf(error: unknown): Failure {
  if (typeof error !== 'object' || error === null) return {}
  const { code, status, field, message } = error as Record<string, unknown>
  return {
    ...(typeof code === 'string' && { code }),
    ...(typeof status === 'number' && { status }),
    ...(typeof field === 'string' && { field }),
    ...(typeof message === 'string' && { message }),
  }
}

/**
 * What a failure is called before a visitor. Refusals of the services and of custody are sentences made for people; what
 * nobody foresaw is not read out.
 */
export function sentenceOf(error: unknown, words: Words): string {
  const { common } = words
  const { code, status, message } = failureOf(error)
  if (code === 'http/unreachable' || code === 'http/invalid-answer') return common.unreachable
  const said = refusalOf(error, words)
  if (said !== undefined) return said
  const forPeople = status !== undefined || code?.startsWith('custody/') === true
  return forPeople && message !== undefined && message !== '' ? message : common.other
}

/**
 * What a service refused, in the visitor's language. In English the services speak for themselves, and say more.
 *
 * @returns undefined where the service's own sentence has to do
 */
export function refusalOf(error: unknown, { locale, refused }: Words): string | undefined {
  const { status, field = '', message = '' } = failureOf(error)
  if (status === undefined || locale === 'en') return undefined
  const [, seconds] = (status === 429 && /again after (\d+) seconds/.exec(message)) || []
  if (seconds !== undefined) return refused.wait(Number(seconds))
  const name = names[`${status} ${field}`]
  return name === undefined ? undefined : refused[name]
}

/** The words for what is refused by a status and the field that it is about. */
const names: Readonly<Record<string, Exclude<keyof Words['refused'], 'wait'>>> = {
  '401 code': 'code',
  '401 token': 'session',
  '401 proof': 'session',
  '401 identity': 'session',
  '401 mailbox': 'session',
  '401 login': 'failed',
  '401 passkey': 'passkey',
  '403 deviceAge': 'tooNew',
  '403 fresh': 'fresh',
  '404 id': 'over',
  '409 email': 'taken',
  '429 walletId': 'devices',
  '429 id': 'ways',
  '429 ways': 'ways',
  '502 provider': 'provider',
  '503 mail': 'mail',
}
