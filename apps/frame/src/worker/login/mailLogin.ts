import { isRecord, type EmailAction } from '@latchkey/protocol'
import { ServiceRefusal, type ServiceRequest } from '../../services/serviceRequest.ts'
import { awaitLinkApproval } from './deviceApproval.ts'

/** The auth service's response to a login. */
export type LoginResponse = Record<string, unknown>

/** Logins by mail. A new one replaces the previous one. */
export type MailLogin = {
  send(request: { email: string; origin: string }): Promise<{ action: EmailAction; match?: string }>
  /** Resolves once the link was approved and the code was mailed. Repeated calls wait for the same result. */
  awaitDevice(): Promise<void>
  redeem(code: string): Promise<LoginResponse>
}

export type MailLoginDependencies = {
  readonly auth: ServiceRequest
  readonly shares: ServiceRequest
  readonly projectId: string
  /** True if the address was used in this browser before. Otherwise the device needs approval first. */
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

export function createMailLogin({ auth, shares, projectId, isKnown, pause }: MailLoginDependencies): MailLogin {
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
    await awaitLinkApproval(shares, link, pause, () => attempt === current)
    if (attempt.code === undefined) await mailCode(attempt)
  }

  return {
    async send({ email, origin }) {
      const attempt: Attempt = { email, origin }
      // The previous attempt stays valid until this mail was sent.
      const begun = (await isKnown(email)) ? { action: await mailCode(attempt) } : await mailLink(attempt)
      // The service no longer knows this browser. The code was sent already, and the link is needed as well.
      const response = begun.action === 'VERIFY_DEVICE' && attempt.link === undefined ? await mailLink(attempt) : begun
      current = attempt
      return response
    },
    async awaitDevice() {
      const attempt = current
      if (attempt?.link === undefined) throw notStartedError()
      attempt.waiting ??= follow(attempt, attempt.link).catch((error: unknown) => {
        // After a network failure the caller may try again.
        attempt.waiting = undefined
        throw error
      })
      return attempt.waiting
    },
    async redeem(code) {
      if (current?.code === undefined) throw notStartedError()
      const { email, code: id } = current
      const result = await auth('POST', '/auth/v1/codes/redeem', { id, email, code })
      current = undefined
      if (!isRecord(result)) throw notStartedError()
      return result
    },
  }
}

function notStartedError(): Error {
  return new ServiceRefusal(409, 'email', 'Request a code first.')
}
