import type { EmailAction } from '@latchkey/protocol'
import { isRecord, ServiceRefusal, type Ask } from '../services/ask.ts'
import { awaitLink } from './approval.ts'

/** What the auth service answers to a login. */
export type LoggedIn = Record<string, unknown>

/** Logins by mail: one at a time, and a new one takes the place of the one before. */
export type MailLogin = {
  send(ask: { email: string; origin: string }): Promise<{ action: EmailAction; match?: string }>
  /** Settled when the link was approved and the code was mailed. Whoever asks twice waits for the same. */
  awaitDevice(): Promise<void>
  redeem(code: string): Promise<LoggedIn>
}

export type MailLoginParts = {
  readonly auth: Ask
  readonly shares: Ask
  readonly projectId: string
  /** Whether this browser was used for the address before: another one has to be approved first. */
  isKnown(email: string): Promise<boolean>
  pause(milliseconds: number): Promise<void>
}

type Attempt = {
  readonly email: string
  readonly origin: string
  link?: string
  waiting?: Promise<void>
  code?: string
}

export function createMailLogin({ auth, shares, projectId, isKnown, pause }: MailLoginParts): MailLogin {
  let current: Attempt | undefined

  async function mailCode(attempt: Attempt): Promise<EmailAction> {
    const { email, origin } = attempt
    const { id, action } = await auth('POST', '/auth/v1/codes', { email, projectId, origin })
    attempt.code = String(id)
    return action === 'VERIFY_DEVICE' ? 'VERIFY_DEVICE' : 'VERIFY_OTP'
  }
  async function mailLink(attempt: Attempt): Promise<{ action: EmailAction; match: string }> {
    const { email, origin } = attempt
    const { id, match } = await shares('POST', '/shares/v1/links', { email, projectId, origin })
    attempt.link = String(id)
    return { action: 'VERIFY_DEVICE', match: String(match) }
  }
  async function follow(attempt: Attempt, link: string): Promise<void> {
    await awaitLink(shares, link, pause, () => attempt === current)
    if (attempt.code === undefined) await mailCode(attempt)
  }

  return {
    async send({ email, origin }) {
      const attempt: Attempt = { email, origin }
      // The one before stays until the mail of this one is out.
      const begun = (await isKnown(email)) ? { action: await mailCode(attempt) } : await mailLink(attempt)
      // The service forgot this browser: its code is out already, and the link comes on top.
      const answer = begun.action === 'VERIFY_DEVICE' && attempt.link === undefined ? await mailLink(attempt) : begun
      current = attempt
      return answer
    },
    async awaitDevice() {
      const attempt = current
      if (attempt?.link === undefined) throw notBegun()
      attempt.waiting ??= follow(attempt, attempt.link).catch((error: unknown) => {
        // Whoever lost the network may ask again.
        attempt.waiting = undefined
        throw error
      })
      return attempt.waiting
    },
    async redeem(code) {
      if (current?.code === undefined) throw notBegun()
      const { email, code: id } = current
      const answer = await auth('POST', '/auth/v1/codes/redeem', { id, email, code })
      current = undefined
      if (!isRecord(answer)) throw notBegun()
      return answer
    },
  }
}

function notBegun(): Error {
  return new ServiceRefusal(409, 'email', 'Ask for a code first.')
}
