import { createErrors, type ErrorMaker } from '../errors.ts'

/**
 * Creates an error of a call to a smart contract.
 *
 * @example throw contractError('contract/reverted', { functionName, reason })
 */
export const contractError: ErrorMaker<'contract/call-invalid' | 'contract/not-found' | 'contract/reverted'> =
  /* @__PURE__ */ createErrors({
    'contract/call-invalid': ({ functionName, reason }) =>
      `The call of ${functionName} does not match the interface of the contract: ${reason}`,
    'contract/not-found': ({ address, functionName }) =>
      `${address} returned nothing for ${functionName}. Check that the contract is deployed on this network and has this function.`,
    'contract/reverted': ({ functionName, reason }) => `The contract refuses ${functionName}: ${reason}`,
  })
