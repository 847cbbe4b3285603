import { ServiceRefusal, type ServiceRequest } from '../../services/serviceRequest.ts'

/** Proof for the share store that this device belongs to the user. It does not rely on the auth service. */
export type DeviceProof =
  | { readonly kind: 'checked'; readonly path: string; readonly body: object }
  /** No verifiable proof: the user approves a mailed link, except for the very first device. */
  | { readonly kind: 'mail'; readonly email: string | undefined; readonly origin: string }

/** A mailed link and the confirmation digits that its page asks for. */
export type DeviceApproval = {
  readonly match: string
  readonly email: string
  /** Resolves once the link was approved. */
  approved(): Promise<void>
}

export type DeviceApprovalDependencies = {
  /** Sends requests as the logged-in user. */
  readonly shares: ServiceRequest
  /** Sends requests as this unapproved device. */
  readonly plainShares: ServiceRequest
  readonly projectId: string
  pause(milliseconds: number): Promise<void>
}

const pollMs = 1_000
const noAddress =
  'This account tells no confirmed e-mail address, which the wallet needs to be recovered. Add one there, or log in another way.'

/**
 * Proves to the share store that this new device belongs to the user of an external login.
 *
 * @returns a link that has to be approved first, if the share store needs it
 */
export async function requestDeviceApproval(
  dependencies: DeviceApprovalDependencies,
  approval: DeviceProof,
): Promise<DeviceApproval | undefined> {
  const { shares } = dependencies
  if (approval.kind === 'checked') {
    await shares('POST', approval.path, approval.body)
    return undefined
  }
  const { email, origin } = approval
  if (email === undefined) throw new ServiceRefusal(403, 'email', noAddress)
  try {
    await shares('POST', '/shares/v1/identity/first', { email })
    return undefined
  } catch (error) {
    if (!(error instanceof ServiceRefusal && error.status === 403)) throw error
    return mailLink(dependencies, { email, origin })
  }
}

async function mailLink(
  { plainShares, projectId, pause }: DeviceApprovalDependencies,
  request: { email: string; origin: string },
): Promise<DeviceApproval> {
  const { id, match } = await plainShares('POST', '/shares/v1/links', { ...request, projectId })
  return {
    match: String(match),
    email: request.email,
    approved: () => awaitLinkApproval(plainShares, String(id), pause),
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
