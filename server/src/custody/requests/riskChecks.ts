import { Problem } from '../../kit/http/problem.ts'
import type { Clock } from '../../kit/runtime/clock.ts'
import type { AccessClaims } from './verifyAccessToken.ts'

/** An action that needs a fresh login. A code that confirms one of them is of no use for another. */
export type FreshAction = 'export' | 'delete' | 'email'

/** Returns the authentication method of a session that a code for one action began. */
export const stepUpMethod = (action: FreshAction): string => `${stepUpPrefix}${action}`
const stepUpPrefix = 'step-up:'

/** True for the method of such a session, for any action. */
export const isStepUpMethod = (method: string): boolean => method.startsWith(stepUpPrefix)

/** Checks before actions that cannot be undone. */
export type RiskChecks = {
  /**
   * Passes for a login from the last five minutes. One that was renewed with a code for an action passes for this action only.
   *
   * @throws Problem 403 `fresh`
   */
  assertFreshLogin(claims: AccessClaims, action: FreshAction): void
  /**
   * Passes for a device that created the wallet or has been known for a day, and at the service that verifies passkeys itself,
   * for one that has just proven one. An attacker who has just taken over a mailbox has none of these, and the owner has a day
   * to notice.
   *
   * @throws Problem 403 `deviceAge`
   */
  assertEstablishedDevice(claims: AccessClaims): Promise<void>
  /** True if the login verified a passkey within the last five minutes. */
  hasFreshPasskey(claims: AccessClaims): boolean
}

export type RiskChecksDependencies = {
  clock: Clock
  devices: {
    /** True if the device created the wallet or has been known for a day. */
    isEstablishedDevice(user: string, key: string): Promise<boolean>
  }
  /** True if this service itself has verified a passkey in this login. The claim of another service counts for nothing. */
  hasProvenPasskey?(claims: AccessClaims): boolean
}

const freshMs = 5 * 60_000

/** Creates the checks of a service, by the devices that the service itself knows. */
export function createRiskChecks({ clock, devices, hasProvenPasskey }: RiskChecksDependencies): RiskChecks {
  const isFresh = ({ begunAt }: AccessClaims): boolean => clock.now() - begunAt <= freshMs
  const hasFreshPasskey = (claims: AccessClaims): boolean => hasProvenPasskey?.(claims) === true && isFresh(claims)
  return {
    hasFreshPasskey,
    assertFreshLogin(claims, action) {
      const isForOther = claims.methods.some(isStepUpMethod) && !claims.methods.includes(stepUpMethod(action))
      if (isFresh(claims) && !isForOther) return
      throw new Problem(403, 'fresh', 'Log in again first. This action needs a login from the last five minutes.')
    },
    async assertEstablishedDevice(claims) {
      if (hasFreshPasskey(claims)) return
      if (await devices.isEstablishedDevice(claims.user, claims.key)) return
      throw new Problem(
        403,
        'deviceAge',
        'This device is too new for this action. Use an older device, or try again after a day.',
      )
    },
  }
}
