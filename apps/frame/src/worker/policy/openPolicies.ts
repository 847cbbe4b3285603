import { createPolicyRequests } from '../../services/policyRequests.ts'
import type { SignForStore } from '../../services/postProven.ts'
import { createAuthPolicyService, createSharePolicyService } from '../../services/policyService.ts'
import type { ServiceRequest } from '../../services/serviceRequest.ts'
import type { HolderUser } from '../keyHolder.ts'
import type { Device } from '../storage/device.ts'
import type { HolderStore } from '../storage/holderStore.ts'
import { createPolicies, type WalletPolicies } from './createPolicies.ts'
import { createPolicyMemory } from './policyMemory.ts'
import { createSecondDevices, type SecondDevices } from './createSecondDevices.ts'

/** One chunk has everything that a signature needs: most visits sign nothing. */
export { signRequest } from '../keys/signRequest.ts'

/** The signing policy of the logged-in user, and the approvals of other devices. */
export type OpenPolicies = WalletPolicies & { readonly secondDevices: SecondDevices }

export type OpenPoliciesDependencies = {
  readonly send: { readonly auth: ServiceRequest; readonly shares: ServiceRequest }
  readonly device: Device
  readonly store: HolderStore
  /** @throws ServiceRefusal 401 without a login */
  user(): Promise<HolderUser>
  entropy(): Promise<Uint8Array>
  readonly sharesUrl: string
  /** Proves to the share store that the wallet is open. */
  readonly sign: SignForStore
  now(): number
}

/** Opens the signing policy with the clients of both services. */
export function openPolicies(dependencies: OpenPoliciesDependencies): OpenPolicies {
  const { send, device, store, user, entropy, now, sharesUrl: url, sign } = dependencies
  const services = {
    auth: createAuthPolicyService(send.auth),
    shares: createSharePolicyService(send.shares, { url, sign }),
  }
  const accounts = async () => (await user()).accounts
  const common = { services, accounts, entropy }
  const requests = createPolicyRequests(send.shares)
  const secondDevices = createSecondDevices({ ...common, requests, key: device.key, now })
  const policies = createPolicies({
    ...common,
    deviceKey: device.key.thumbprint,
    memory: async () => createPolicyMemory(device, store, (await user()).id),
    isApproved: secondDevices.consume,
  })
  return { ...policies, secondDevices }
}
