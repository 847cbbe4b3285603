import { createErrors, type ErrorMaker } from '../errors.ts'

/**
 * Creates an error of an address or amount that a user or an app entered.
 *
 * @example throw inputError('amount/invalid', { value: text })
 */
export const inputError: ErrorMaker<'address/invalid' | 'amount/invalid'> = /* @__PURE__ */ createErrors({
  'address/invalid': ({ namespace, value }) => `"${value}" is not a valid ${namespace} address.`,
  'amount/invalid': ({ value }) => `"${value}" is not a valid decimal number. Write digits, with at most one point.`,
})
