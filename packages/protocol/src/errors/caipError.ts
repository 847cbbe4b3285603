import { createErrors, type ErrorMaker } from '../errors.ts'

/**
 * Creates an error of an invalid CAIP identifier.
 *
 * @example throw caipError('caip/invalid', { kind: 'chain id', value: text })
 */
export const caipError: ErrorMaker<'caip/invalid'> = /* @__PURE__ */ createErrors({
  'caip/invalid': ({ kind, value }) => `"${value}" is not a CAIP ${kind}.`,
})
