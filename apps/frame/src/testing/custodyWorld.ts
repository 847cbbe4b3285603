import { startMail, type LocalMail } from '@latchkey/devnet'
import { startLoginServices, type LoginServices, type LoginServicesOptions } from '@latchkey/server/testing'
import { createTestDevices, type TestDevices } from './testDevices.ts'

export type { TestDevice } from './testDevices.ts'

/** The real services, a real mail server and a manual clock. */
export type CustodyWorld = TestDevices & {
  readonly services: LoginServices
  readonly mail: LocalMail
  now(): number
  pass(milliseconds: number): void
  close(): Promise<void>
}

/** The limit is twenty mails per hour and machine. */
const betweenMails = 181_000

export async function startCustodyWorld(
  options: Omit<LoginServicesOptions, 'mailUrl' | 'clock'>,
): Promise<CustodyWorld> {
  const mail = await startMail()
  let later = 0
  const now = (): number => Date.now() + later
  const services = await startLoginServices({ ...options, mailUrl: mail.url, clock: { now } })
  const devices = createTestDevices({
    services,
    mail,
    now,
    async beforeMail() {
      later += betweenMails
    },
  })

  return {
    services,
    mail,
    now,
    pass(milliseconds) {
      later += milliseconds
    },
    ...devices,
    async close() {
      await services.close()
      await mail.close()
    },
  }
}
