import type { KeyHolder } from '../keyHolder.ts'
import type { OpenPolicies } from './openPolicies.ts'

export type PolicyActions = Pick<
  KeyHolder,
  | 'policy'
  | 'savePolicy'
  | 'exceededRule'
  | 'requestSecondDevice'
  | 'checkSecondDevice'
  | 'secondDeviceRequests'
  | 'decideForDevice'
>

/**
 * Creates the actions around the signing policy.
 *
 * @param load loads the policy's code on first use
 */
export function createPolicyActions(load: () => Promise<OpenPolicies>): PolicyActions {
  return {
    policy: async () => (await load()).view(),
    savePolicy: async (policy, counter) => (await load()).save(policy, counter),
    exceededRule: async (requests) => (await load()).exceededRule(requests),
    requestSecondDevice: async (request) => (await load()).secondDevices.request(request),
    checkSecondDevice: async (id) => (await load()).secondDevices.check(id),
    secondDeviceRequests: async () => (await load()).secondDevices.list(),
    decideForDevice: async (id, isApproved) => (await load()).secondDevices.respond(id, isApproved),
  }
}
