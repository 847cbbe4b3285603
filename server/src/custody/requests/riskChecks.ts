import { Problem } from '../../kit/http/problem.ts'
import type { Clock } from '../../kit/runtime/clock.ts'
import type { AccessClaims } from './verifyAccessToken.ts'

/** Checks before actions that cannot be undone. */
export type RiskChecks = {
  /** @throws Problem 403 `fresh` unless the login is from the last five minutes */
  assertFreshLogin(claims: AccessClaims): void
  /**
   * Passes for a device that created the wallet, has been known for a day, or has just verified a passkey. An attacker who
   * has just taken over a mailbox has none of these, and the owner has a day to notice.
   *
   * @throws Problem 403 `deviceAge`
   */
  assertEstablishedDevice(claims: AccessClaims): Promise<void>
}

export type RiskChecksDependencies = {
  clock: Clock
  devices: {
    /** True if the device created the wallet or has been known for a day. */
    isEstablishedDevice(user: string, key: string): Promise<boolean>
  }
}

const freshMs = 5 * 60_000

/** Creates the checks of a service, by the devices that the service itself knows. */
export function createRiskChecks({ clock, devices }: RiskChecksDependencies): RiskChecks {
  const isFresh = ({ begunAt }: AccessClaims): boolean => clock.now() - begunAt <= freshMs
  return {
    assertFreshLogin(claims) {
      if (isFresh(claims)) return
      throw new Problem(403, 'fresh', 'Log in again first. This action needs a login from the last five minutes.')
    },
    async assertEstablishedDevice(claims) {
      if (claims.methods.includes('passkey') && isFresh(claims)) return
      if (await devices.isEstablishedDevice(claims.user, claims.key)) return
      throw new Problem(
        403,
        'deviceAge',
        'This device is too new for this action. Use a passkey, or try again after a day.',
      )
    },
  }
}
