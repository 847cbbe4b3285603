import type { Clock, Login, LoginUser } from '@latchkey/core'
import { frameTimes, isLatchkeyError, type EmailAction, type FrameUser } from '@latchkey/protocol'
import { embeddedError } from '../embeddedError.ts'
import type { Frame } from '../frame/frame.ts'
import type { LoginMemory } from './loginMemory.ts'
import { toLoginError, FrameRefusedError, type FrameRequestOptions } from '../frame/pendingRequests.ts'

/** Lifetime of a mailed link. */
const deviceTimeoutMs = 15 * 60_000

export type LoginSteps = Pick<
  Login,
  | 'email'
  | 'device'
  | 'code'
  | 'farcaster'
  | 'updateEmail'
  | 'updateEmailPrimary'
  | 'updateEmailSecondary'
  | 'openScreen'
>

type LoginStepsOptions = {
  readonly frame: Frame
  readonly clock: Clock
  readonly memory: LoginMemory
  /** Reports when an address may be mailed again. */
  setMailAgainAt(at: number | undefined): void
  loggedIn(user: LoginUser): void
  user(): LoginUser | undefined
}

const step: FrameRequestOptions = { timeoutMs: frameTimes.login, pausesWhileShown: true }

/** Creates the login steps that open no window. */
export function createLoginSteps(options: LoginStepsOptions): LoginSteps {
  const { frame, clock, memory, setMailAgainAt, loggedIn, user } = options
  const mail = createMailRequest(options)

  return {
    email: mail.request,
    device: (signal) => awaitDevice(frame, clock, signal),
    async code(code) {
      await withLoginErrors(frame.request('CONNECT_OTP', { otp: code.replace(/\s/g, '') }, step))
      memory.setMailedAt(undefined)
      setMailAgainAt(undefined)
      loggedIn({ email: mail.email() })
    },
    async farcaster(signal) {
      const { url } = await withLoginErrors(frame.request('GET_FARCASTER_URI', undefined, { ...step, signal }))
      const approved = withLoginErrors(frame.request('CONNECT_FARCASTER', undefined, createUserStepOptions(signal)))
      const done = approved.then(({ userName }) => loggedIn({ userName, social: 'farcaster' }))
      // The caller may use the link without waiting for `done`.
      done.catch(() => {})
      return { url, done }
    },
    updateEmail: (email) =>
      withLoginErrors(
        frame.request('UPDATE_EMAIL', { email: email.trim() }, { ...createUserStepOptions(), needsApproval: true }),
      ),
    // The new address may have to confirm the change by a link first.
    updateEmailPrimary: (otp) =>
      withLoginErrors(
        frame.request('UPDATE_EMAIL_PRIMARY_OTP', { otp }, { ...createUserStepOptions(), needsApproval: true }),
      ),
    async updateEmailSecondary(otp) {
      const response = await withLoginErrors(frame.request('UPDATE_EMAIL_SECONDARY_OTP', { otp }, step))
      loggedIn({ ...user(), email: response.newEmail })
      return response
    },
    openScreen: (screen) =>
      withLoginErrors(frame.request('OPEN_SCREEN', { screen }, { ...createUserStepOptions(), needsApproval: true })),
  }
}

type MailResult = { action: EmailAction; match?: string }

/** Requests the mail of a login. Repeated requests for the same address send a single mail. */
function createMailRequest({ frame, clock, memory, setMailAgainAt, loggedIn }: LoginStepsOptions): {
  request(input: string): Promise<MailResult>
  /** The address of the last mail. */
  email(): string | undefined
} {
  let pending: { email: string; sent: Promise<MailResult> } | undefined
  let lastEmail: string | undefined

  /** Another page may have requested a mail a moment ago: then the service refuses with the seconds to wait. */
  const throwCooldown = (error: unknown): never => {
    const [, seconds] =
      (isLatchkeyError(error, 'embedded/failed') && /again after (\d+) seconds/.exec(error.message)) || []
    if (seconds === undefined) throw error
    setMailAgainAt(clock.now() + Number(seconds) * 1_000)
    throw embeddedError('embedded/cooldown', { seconds: Number(seconds) }, { cause: error })
  }
  const assertNoCooldown = (): void => {
    const wait = (memory.mailedAt() ?? Number.NEGATIVE_INFINITY) + frameTimes.mailCooldown - clock.now()
    // If the clock was set back, the wait is no longer than the cooldown.
    if (wait > 0 && wait <= frameTimes.mailCooldown) {
      throw embeddedError('embedded/cooldown', { seconds: Math.ceil(wait / 1_000) })
    }
  }
  const send = async (email: string): Promise<MailResult> => {
    const response = await withLoginErrors(frame.request('CONNECT_EMAIL', { email }, step)).catch(throwCooldown)
    lastEmail = email
    if (response.action === 'CONNECT') loggedIn({ email })
    else {
      // The cooldown starts with the last mail sent. A failure causes no wait [R5.3.6].
      memory.setMailedAt(clock.now())
      setMailAgainAt(clock.now() + frameTimes.mailCooldown)
    }
    return response
  }

  return {
    email: () => lastEmail,
    async request(input) {
      const email = input.trim()
      if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email) || email.length > 254)
        throw embeddedError('embedded/invalid-email', {})
      if (pending?.email === email) return pending.sent
      assertNoCooldown()
      const sent = send(email)
      pending = { email, sent }
      try {
        return await sent
      } finally {
        pending = undefined
      }
    },
  }
}

/** Options for steps that the user takes elsewhere. */
export function createUserStepOptions(signal?: AbortSignal): FrameRequestOptions {
  return { timeoutMs: deviceTimeoutMs, pausesWhileShown: true, signal }
}

/** Polls with the login timeout for as long as the link is valid. */
async function awaitDevice(frame: Frame, clock: Clock, signal: AbortSignal): Promise<void> {
  const until = clock.now() + deviceTimeoutMs
  for (;;) {
    try {
      return await withLoginErrors(frame.request('CONNECT_DEVICE', undefined, { ...step, signal }))
    } catch (error) {
      if (!isLatchkeyError(error, 'embedded/timeout') || clock.now() >= until) throw error
    }
  }
}

/** Converts the frame's refusal of a login step to a LatchkeyError with the service's message. */
export async function withLoginErrors<response>(request: Promise<response>): Promise<response> {
  try {
    return await request
  } catch (error) {
    if (!(error instanceof FrameRefusedError)) throw error
    throw toLoginError(error)
  }
}

/** Converts the frame's user to the user that the page shows. */
export function toLoginUser({ email, userName }: FrameUser, before: LoginUser | undefined): LoginUser {
  return { email: email ?? before?.email, userName: userName ?? before?.userName, social: before?.social }
}
