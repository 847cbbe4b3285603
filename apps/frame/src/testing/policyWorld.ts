import { startMail } from '@latchkey/devnet'
import {
  openStolenDatabase,
  startLoginServices,
  type LoginServices,
  type DatabaseThief,
} from '@latchkey/server/testing'
import type { StretchPassword } from '../custody/passwordKey.ts'
import type { HolderUser, KeyHolder } from '../worker/keyHolder.ts'
import { openKeyHolder } from '../worker/openKeyHolder.ts'
import { createMemoryStore, type HolderStore } from '../worker/storage/holderStore.ts'
import { logInByMail } from './mailedLogin.ts'

/** A browser with an open wallet. */
export type PolicyBrowser = { readonly holder: KeyHolder; readonly user: HolderUser; readonly store: HolderStore }

/** Browsers of users at the real services, whose databases a test can change. */
export type PolicyWorld = {
  readonly services: LoginServices
  readonly auth: DatabaseThief
  readonly shares: DatabaseThief
  /** Logs in with a mailed code, on a new or a known browser. */
  open(email: string, store?: HolderStore): Promise<PolicyBrowser>
  /** Opens another page of a browser where the user is logged in. */
  openPage(store: HolderStore): Promise<KeyHolder>
  /** Logs in again on a page where the user signed out. */
  logIn(holder: KeyHolder, email: string): Promise<HolderUser>
  /** Returns the text of the mail that `act` causes. */
  mailOf(email: string, act: () => Promise<unknown>): Promise<string>
  pass(milliseconds: number): void
  /** Moves the clock of the browsers only. */
  passHere(milliseconds: number): void
  close(): Promise<void>
}

/** The limit is twenty mails per hour and machine. */
const betweenMails = 181_000
const origin = 'http://app.localhost'
const stretchQuickly: StretchPassword = async (input, salt) => Uint8Array.from([...input.slice(0, 16), ...salt])

/** Starts both services and a mail server with a manual clock. */
export async function startPolicyWorld(): Promise<PolicyWorld> {
  const mail = await startMail()
  let ahead = 0
  let aheadHere = 0
  const now = (): number => Date.now() + ahead
  const services = await startLoginServices({ mailUrl: mail.url, layout: 'split', clock: { now } })
  const auth = await openStolenDatabase(services.authDatabaseUrl)
  const shares = await openStolenDatabase(services.sharesDatabaseUrl)

  function openHolder(store: HolderStore): Promise<KeyHolder> {
    const { authUrl, sharesUrl } = services
    return openKeyHolder({
      authUrl,
      sharesUrl,
      projectId: 'ab'.repeat(16),
      store,
      now: () => now() + aheadHere,
      isFramed: true,
      stretch: stretchQuickly,
      later: () => () => undefined,
      alone: (act) => act(),
    })
  }
  async function logIn(holder: KeyHolder, email: string): Promise<HolderUser> {
    ahead += betweenMails
    return (await logInByMail(mail, holder, { email, origin })).user
  }

  return {
    services,
    auth,
    shares,
    async open(email, store = createMemoryStore()) {
      const holder = await openHolder(store)
      return { holder, user: await logIn(holder, email), store }
    },
    openPage: openHolder,
    logIn,
    async mailOf(email, act) {
      const before = mail.received()[0]?.id ?? 0
      await act()
      return (await mail.waitFor(email, before)).text
    },
    pass: (milliseconds) => void (ahead += milliseconds),
    passHere: (milliseconds) => void (aheadHere += milliseconds),
    async close() {
      await auth.leave()
      await shares.leave()
      await services.close()
      await mail.close()
    },
  }
}
