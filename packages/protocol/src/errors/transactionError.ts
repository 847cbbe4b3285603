import { createErrors, type ErrorMaker } from '../errors.ts'

/**
 * Creates an error of a transaction that was sent or simulated.
 *
 * @example throw transactionError('transaction/reverted', { hash, reason })
 */
export const transactionError: ErrorMaker<'transaction/pending' | 'transaction/reverted'> =
  /* @__PURE__ */ createErrors({
    'transaction/pending': ({ seconds }) =>
      `The transaction was sent but not mined within ${seconds} seconds. It may still be mined: look it up before you send another.`,
    'transaction/reverted': ({ reason }) => `The transaction was reverted: ${reason}`,
  })
