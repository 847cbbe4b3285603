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
export function sentenceOf(error: unknown, { common }: Words): string {
  const { code, status, message } = failureOf(error)
  if (code === 'http/unreachable' || code === 'http/invalid-answer') return common.unreachable
  const forPeople = status !== undefined || code?.startsWith('custody/') === true
  return forPeople && message !== undefined && message !== '' ? message : common.other
}
