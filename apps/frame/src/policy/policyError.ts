import { createErrors, type ErrorMaker } from '@latchkey/protocol'
import type { PolicyRule } from './policyRule.ts'

declare module '@latchkey/protocol' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be extended
  interface ErrorContexts {
    'policy/conflict': object
    'policy/exceeded': { rule: PolicyRule }
    'policy/invalid': { reason: string }
    'policy/unavailable': { reason: string }
  }
}

/** Errors of the signing policy. */
export const policyError: ErrorMaker<'policy/conflict' | 'policy/exceeded' | 'policy/invalid' | 'policy/unavailable'> =
  createErrors({
    'policy/conflict': () => 'The signing policy has since been changed on another device. Reload it.',
    'policy/exceeded': () =>
      'The signing policy of the wallet does not allow this on one device. Approve it on a second device.',
    'policy/invalid': ({ reason }) => `The signing policy is invalid: ${reason}. Correct it and try again.`,
    'policy/unavailable': ({ reason }) =>
      `The signing policy cannot be loaded: ${reason}. Check your connection and try again.`,
  })
