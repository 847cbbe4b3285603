import type { DeviceWait } from '../keyHolder.ts'
import { createDevicePasskey, type DevicePasskey } from './devicePasskey.ts'
import { ignoreRateLimit } from './ignoreRateLimit.ts'
import { ServiceRefusal, type ServiceRequest } from '../../services/serviceRequest.ts'

/** Proof for the share store that this device belongs to the user. It does not rely on the auth service. */
export type DeviceProof =
  /** A proof that the frame holds already. */
  | { readonly kind: 'checked'; readonly path: string; readonly body: object }
  /**
   * The share store's own login at the provider. Its last page shows a code. `isExpected` is false if the provider's window does
   * not get there.
   */
  | { readonly kind: 'code'; readonly login: string; readonly isExpected: boolean }

/** A pending approval: by the code of the provider's window, by a known device, or by a passkey. */
export type DeviceApproval = {
  /** Present if a passkey can approve this device. */
  readonly passkey?: DevicePasskey
  /** Present if a known device has to approve this one. */
  readonly wait?: DeviceWait
  /** @throws ServiceRefusal 401 `code`, 404 `id` */
  redeem(code: string): Promise<void>
  /** Resolves once the device is approved. @throws ServiceRefusal 403 `stopped`, 410 `login` */
  approved(): Promise<void>
}

export type RequestDeviceApprovalDependencies = {
  /** Sends requests to the share store as the logged-in user. */
  readonly shares: ServiceRequest
  /** Thumbprint of the device key. */
  readonly thumbprint: string
  /** Waits between two polls. */
  pause(milliseconds: number): Promise<void>
}

const pollMs = 1_000
/** The share store forgets the first proof after this time. */
const proofLifetimeMs = 14 * 60_000

/**
 * Proves to the share store that this new device belongs to the user of an external login.
 *
 * @returns the approval that the user has to finish first, if there is one
 * @throws ServiceRefusal 403 `device` if the window brings no code
 */
export async function requestDeviceApproval(
  dependencies: RequestDeviceApprovalDependencies,
  proof: DeviceProof,
): Promise<DeviceApproval | undefined> {
  const { shares, pause } = dependencies
  if (proof.kind === 'checked') {
    const { state, match, opensAt, hasPasskey } = await shares('POST', proof.path, proof.body)
    if (state !== 'waiting') return undefined
    const passkey = hasPasskey === true ? createDevicePasskey(dependencies) : undefined
    return {
      ...(passkey !== undefined && { passkey }),
      wait: { match: String(match), opensAt: Number(opensAt), ...(passkey !== undefined && { hasPasskey: true }) },
      approved: () => Promise.race([awaitKnownDevice(shares, pause), ...(passkey === undefined ? [] : [passkey.used])]),
      redeem: async () => {
        throw new ServiceRefusal(404, 'id', 'This login needs no code.')
      },
    }
  }
  const { login, isExpected } = proof
  if (!isExpected) throw new ServiceRefusal(403, 'device', 'This device has to be approved. Log in again.')
  let resolve = (): void => undefined
  const approved = new Promise<void>((done) => (resolve = done))
  return {
    approved: () => approved,
    async redeem(code) {
      await shares('POST', '/shares/v1/social/redeem', { id: login, code })
      resolve()
    },
  }
}

/** Polls until a known device has approved this one. */
async function awaitKnownDevice(shares: ServiceRequest, pause: (milliseconds: number) => Promise<void>): Promise<void> {
  for (let waitedMs = 0; waitedMs < proofLifetimeMs; waitedMs += pollMs) {
    const { state } = (await shares('POST', '/shares/v1/devices/state', {}).catch(ignoreRateLimit)) ?? {}
    if (state === 'approved') return
    if (state === 'stopped') {
      throw new ServiceRefusal(
        403,
        'stopped',
        'One of your devices refused this one. Use a device that has the wallet.',
      )
    }
    await pause(pollMs)
  }
  throw new ServiceRefusal(410, 'login', 'This login was not approved in time. Log in again.')
}

/** Polls a link until it was approved. @throws ServiceRefusal 410 `link` */
export async function awaitLinkApproval(
  shares: ServiceRequest,
  id: string,
  pause: (milliseconds: number) => Promise<void>,
  isStill: () => boolean = () => true,
): Promise<void> {
  for (;;) {
    if (!isStill()) throw new ServiceRefusal(409, 'email', 'Another login has been started since.')
    const { state } = (await shares('POST', '/shares/v1/links/state', { id }).catch(ignoreRateLimit)) ?? {}
    if (state === 'approved') return
    if (state === 'over') {
      throw new ServiceRefusal(410, 'link', 'The link was not approved in time. Request another one.')
    }
    await pause(pollMs)
  }
}
