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

/** A pending approval by the code of the provider's window. */
export type DeviceApproval = {
  /** @throws ServiceRefusal 401 `code`, 404 `id` */
  redeem(code: string): Promise<void>
  /** Resolves once a code was redeemed. */
  approved(): Promise<void>
}

const pollMs = 1_000

/**
 * Proves to the share store that this new device belongs to the user of an external login.
 *
 * @param shares sends requests as the logged-in user
 * @returns the approval that the user has to finish first, if there is one
 * @throws ServiceRefusal 403 `device` if the window brings no code
 */
export async function requestDeviceApproval(
  shares: ServiceRequest,
  proof: DeviceProof,
): Promise<DeviceApproval | undefined> {
  if (proof.kind === 'checked') {
    await shares('POST', proof.path, proof.body)
    return undefined
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

/** Polls a link until it was approved. @throws ServiceRefusal 410 `link` */
export async function awaitLinkApproval(
  shares: ServiceRequest,
  id: string,
  pause: (milliseconds: number) => Promise<void>,
  isStill: () => boolean = () => true,
): Promise<void> {
  for (;;) {
    if (!isStill()) throw new ServiceRefusal(409, 'email', 'Another login was started meanwhile.')
    const { state } = await shares('POST', '/shares/v1/links/state', { id })
    if (state === 'approved') return
    if (state === 'over') {
      throw new ServiceRefusal(410, 'link', 'The link was not approved in time. Request another one.')
    }
    await pause(pollMs)
  }
}
