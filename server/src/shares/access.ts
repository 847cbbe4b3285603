import type { IncomingMessage } from 'node:http'
import type { Who } from '../auth/who.ts'
import type { Clock } from '../kit/clock.ts'
import { Problem } from '../kit/problem.ts'
import type { Contacts } from './contacts.ts'
import type { Devices } from './devices.ts'
import type { Identities } from './identity.ts'
import type { Links } from './links.ts'

/** Who was let in. */
export type Admitted = {
  readonly user: string
  readonly key: string
  /**
   * Goes on for a device only that may change who can get at the key: one that made the wallet, is known for a day, or has
   * just shown a passkey. Who has just taken over a mailbox has none.
   *
   * @throws Problem 403 `deviceAge`
   */
  assertSeasoned(): Promise<void>
  /** @throws Problem 403 `fresh` unless the login is of the last five minutes */
  assertFresh(): void
}

/** Who may touch what is kept for a user. */
export type ShareAccess = {
  /**
   * Lets in a device that brought a part of this user's key itself, or that was approved by mail, or by who its user is
   * elsewhere, within fifteen minutes.
   * The login alone is not enough: its service could make one.
   *
   * @throws Problem 401 `proof`, `token`; 403 `device`
   */
  admit(request: IncomingMessage): Promise<Admitted>
}

/** How long a login, or a passkey that was shown, is fresh, in milliseconds. */
const freshMs = 5 * 60_000

export function createShareAccess(parts: {
  clock: Clock
  who: Who
  links: Pick<Links, 'approvedBy'>
  identities: Pick<Identities, 'approvedBy'>
  contacts: Pick<Contacts, 'accepts'>
  devices: Pick<Devices, 'knows' | 'isSeasoned'>
}): ShareAccess {
  const { clock, who, links, identities, contacts, devices } = parts

  async function isApproved(user: string, key: string): Promise<boolean> {
    if (await devices.knows(user, key)) return true
    for (const contact of [await links.approvedBy(key), await identities.approvedBy(user, key)]) {
      if (contact !== undefined && (await contacts.accepts(user, contact))) return true
    }
    return false
  }

  return {
    async admit(request) {
      const { user, key, methods, begunAt } = await who.user(request)
      if (!(await isApproved(user, key))) {
        throw new Problem(403, 'device', 'This device has not been approved. Ask for a link by mail first.')
      }
      return {
        user,
        key,
        assertFresh() {
          if (clock.now() - begunAt <= freshMs) return
          throw new Problem(403, 'fresh', 'Log in again first: this wants a login of the last minutes.')
        },
        async assertSeasoned() {
          const hasPasskey = methods.includes('passkey') && clock.now() - begunAt <= freshMs
          if (hasPasskey || (await devices.isSeasoned(user, key))) return
          throw new Problem(
            403,
            'deviceAge',
            'This device is too new for that. Use a passkey, or come back after a day.',
          )
        },
      }
    },
  }
}
