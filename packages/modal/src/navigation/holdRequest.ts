import { classifyMethod, createErrors } from '@latchkey/protocol'
import type { Latchkey } from '@latchkey/core'
import { modalOf } from '../modal.ts'

declare module '@latchkey/protocol' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be extended
  interface ErrorContexts {
    'request/closed': { method: string }
  }
}

const modalError = createErrors({
  'request/closed': ({ method }) => `The window was closed before ${method} was approved. Send the request again.`,
})

/**
 * Registers a wallet request that waits for an approval in the modal. Closing the modal rejects it with
 * `request/closed`. A method that needs no approval is not registered.
 *
 * @returns a function to call once the request is settled
 * @example const release = holdRequest(latchkey, 'personal_sign', () => show('rejected'))
 */
export function holdRequest(latchkey: Latchkey, method: string, reject: (error: Error) => void): () => void {
  if (classifyMethod(method) !== 'unsafe') return () => {}
  const { held } = modalOf(latchkey).tasks
  const rejectClosed = (): void => reject(modalError('request/closed', { method }))
  held.add(rejectClosed)
  return () => void held.delete(rejectClosed)
}
