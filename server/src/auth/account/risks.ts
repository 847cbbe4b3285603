import type { Clock } from '../../kit/clock.ts'
import { Problem } from '../../kit/problem.ts'
import type { Access } from '../accessTokens.ts'
import type { Users } from '../users.ts'

/** What is asked of who wants to do something that cannot be undone. */
export type Risks = {
  /** @throws Problem 403 `fresh` unless the login is of the last five minutes */
  assertFresh(access: Access): void
  /**
   * Goes on for a device that made the wallet, is known for a day, or has just shown a passkey: who has just taken over a
   * mailbox has none of them, and its owner has a day to notice.
   *
   * @throws Problem 403 `deviceAge`
   */
  assertSeasoned(access: Access): Promise<void>
}

const freshMs = 5 * 60_000

export function createRisks({ clock, users }: { clock: Clock; users: Pick<Users, 'isSeasoned'> }): Risks {
  const isFresh = ({ begunAt }: Access): boolean => clock.now() - begunAt <= freshMs
  return {
    assertFresh(access) {
      if (!isFresh(access))
        throw new Problem(403, 'fresh', 'Log in again first: this wants a login of the last minutes.')
    },
    async assertSeasoned(access) {
      if (access.methods.includes('passkey') && isFresh(access)) return
      if (await users.isSeasoned(access.user, access.key)) return
      throw new Problem(403, 'deviceAge', 'This device is too new for that. Use a passkey, or come back after a day.')
    },
  }
}
