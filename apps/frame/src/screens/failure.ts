import type { Messages } from '../messages/loadFrameMessages.ts'

/** The identifying parts of an error. They survive a MessagePort, which drops prototypes. */
export type Failure = {
  readonly code?: string
  readonly status?: number
  readonly field?: string
  readonly message?: string
}

/** Parses a thrown value. */
export function parseFailure(error: unknown): Failure {
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
 * Returns the text of an error for the user. Refusals of the services and errors of custody are written for users.
 * Other messages are not shown.
 */
export function messageForUser(error: unknown, messages: Messages): string {
  const { common } = messages
  const { code, status, message } = parseFailure(error)
  if (code === 'policy/conflict') return messages.policy.conflict
  if (code === 'policy/unavailable') return messages.policy.unavailable
  if (code === 'http/unreachable' || code === 'http/invalid-response') return common.unreachable
  const localized = localizedRefusal(error, messages)
  if (localized !== undefined) return localized
  const forPeople = status !== undefined || code?.startsWith('custody/') === true
  return forPeople && message !== undefined && message !== '' ? message : common.other
}

/**
 * Returns a service's refusal in the user's language. English keeps the services' own messages, which are more precise.
 *
 * @returns `undefined` if the service's own message has to do
 */
export function localizedRefusal(error: unknown, { locale, refused }: Messages): string | undefined {
  const { status, field = '', message = '' } = parseFailure(error)
  if (status === undefined || locale === 'en') return undefined
  const [, seconds] = (status === 429 && /again after (\d+) seconds/.exec(message)) || []
  if (seconds !== undefined) return refused.wait({ seconds: Number(seconds) })
  const name = names[`${status} ${field}`]
  return name === undefined ? undefined : refused[name]
}

/** Text keys by status and field of a refusal. */
const names: Readonly<Record<string, Exclude<keyof Messages['refused'], 'wait'>>> = {
  '401 code': 'code',
  '401 token': 'session',
  '401 proof': 'session',
  '401 identity': 'session',
  '401 mailbox': 'session',
  '400 nonce': 'failed',
  '401 login': 'failed',
  '401 passkey': 'passkey',
  '403 deviceAge': 'tooNew',
  '403 fresh': 'fresh',
  '403 stopped': 'stopped',
  '404 challenge': 'over',
  '404 id': 'over',
  '404 login': 'over',
  '409 email': 'taken',
  '429 walletId': 'devices',
  '429 id': 'ways',
  '429 ways': 'ways',
  '429 requests': 'requests',
  '502 provider': 'provider',
  '503 chain': 'provider',
  '503 mail': 'mail',
}
