import type { Clock, Login, LoginUser } from '@latchkey/core'
import { frameTimes, isLatchkeyError, type EmailAction, type FrameUser } from '@latchkey/protocol'
import { embeddedError } from './errors.ts'
import type { Frame } from './frame.ts'
import type { LoginMemory } from './memory.ts'
import { failedBy, FrameRefused, type AskOptions } from './questions.ts'

/** How long the link of a mail is good for. */
const deviceMilliseconds = 15 * 60_000

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

type StepsOptions = {
  readonly frame: Frame
  readonly clock: Clock
  readonly memory: LoginMemory
  /** When an address may be mailed again changed. */
  setMailAgainAt(at: number | undefined): void
  loggedIn(user: LoginUser): void
  user(): LoginUser | undefined
}

const step: AskOptions = { milliseconds: frameTimes.login, waitsForVisitor: true }

/** The logins that need no window of their own. */
export function createSteps({ frame, clock, memory, setMailAgainAt, loggedIn, user }: StepsOptions): LoginSteps {
  let mailing: { email: string; sent: Promise<{ action: EmailAction; match?: string }> } | undefined
  let entered: string | undefined

  /** The service mailed the address a moment ago, from another page perhaps. */
  const wait = (error: unknown): never => {
    const [, seconds] =
      (isLatchkeyError(error, 'embedded/failed') && /again after (\d+) seconds/.exec(error.message)) || []
    if (seconds === undefined) throw error
    setMailAgainAt(clock.now() + Number(seconds) * 1_000)
    throw embeddedError('embedded/cooldown', { seconds: Number(seconds) }, { cause: error })
  }
  const mail = async (email: string): Promise<{ action: EmailAction; match?: string }> => {
    const answer = await said(frame.ask('CONNECT_EMAIL', { email }, step)).catch(wait)
    entered = email
    if (answer.action === 'CONNECT') loggedIn({ email })
    else {
      // From the last mail that went out: a failure costs nobody the wait [R5.3.6].
      memory.setMailedAt(clock.now())
      setMailAgainAt(clock.now() + frameTimes.mailCooldown)
    }
    return answer
  }

  return {
    async email(typed) {
      const email = typed.trim()
      if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email) || email.length > 254)
        throw embeddedError('embedded/invalid-email', {})
      // Pressed twice is meant once.
      if (mailing?.email === email) return mailing.sent
      const wait = (memory.mailedAt() ?? Number.NEGATIVE_INFINITY) + frameTimes.mailCooldown - clock.now()
      // A clock that was set back does not lock anybody out for longer than the wait itself.
      if (wait > 0 && wait <= frameTimes.mailCooldown) {
        throw embeddedError('embedded/cooldown', { seconds: Math.ceil(wait / 1_000) })
      }
      const sent = mail(email)
      mailing = { email, sent }
      try {
        return await sent
      } finally {
        mailing = undefined
      }
    },
    device: (signal) => awaitDevice(frame, clock, signal),
    async code(code) {
      await said(frame.ask('CONNECT_OTP', { otp: code.replace(/\s/g, '') }, step))
      memory.setMailedAt(undefined)
      setMailAgainAt(undefined)
      loggedIn({ email: entered })
    },
    async farcaster(signal) {
      const { url } = await said(frame.ask('GET_FARCASTER_URI', undefined, { ...step, signal }))
      const approved = said(frame.ask('CONNECT_FARCASTER', undefined, patient(signal)))
      const done = approved.then(({ userName }) => loggedIn({ userName, social: 'farcaster' }))
      // Whoever asked for the link may not follow it.
      done.catch(() => {})
      return { url, done }
    },
    updateEmail: (email) => said(frame.ask('UPDATE_EMAIL', { email: email.trim() }, step)),
    updateEmailPrimary: (otp) => said(frame.ask('UPDATE_EMAIL_PRIMARY_OTP', { otp }, step)),
    async updateEmailSecondary(otp) {
      const answer = await said(frame.ask('UPDATE_EMAIL_SECONDARY_OTP', { otp }, step))
      loggedIn({ ...user(), email: answer.newEmail })
      return answer
    },
    openScreen: (screen) => said(frame.ask('OPEN_SCREEN', { screen }, { ...patient(), held: true })),
  }
}

/** For what the visitor does elsewhere. */
export function patient(signal?: AbortSignal): AskOptions {
  return { milliseconds: deviceMilliseconds, waitsForVisitor: true, signal }
}

/** Asks for half a minute at a time, as long as the link is good. */
async function awaitDevice(frame: Frame, clock: Clock, signal: AbortSignal): Promise<void> {
  const until = clock.now() + deviceMilliseconds
  for (;;) {
    try {
      return await said(frame.ask('CONNECT_DEVICE', undefined, { ...step, signal }))
    } catch (error) {
      if (!isLatchkeyError(error, 'embedded/timeout') || clock.now() >= until) throw error
    }
  }
}

/** What a login step is answered with; a no is the service's own sentence. */
export async function said<answer>(asked: Promise<answer>): Promise<answer> {
  try {
    return await asked
  } catch (error) {
    if (!(error instanceof FrameRefused)) throw error
    throw failedBy(error)
  }
}

/** Who it is, as the page may show it. */
export function shownUser({ email, userName }: FrameUser, before: LoginUser | undefined): LoginUser {
  return { email: email ?? before?.email, userName: userName ?? before?.userName, social: before?.social }
}
