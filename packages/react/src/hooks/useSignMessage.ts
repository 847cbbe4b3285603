import { signMessage } from '@latchkey/core'
import { useLatchkey } from '../context.ts'

/**
 * Returns a function that asks the connected wallet to sign a text message.
 *
 * @example const { signMessage } = useSignMessage()
 * const signature = await signMessage('Hello')
 */
export function useSignMessage(): {
  /** @throws LatchkeyError as `signMessage` of `@latchkey/core` */
  signMessage(message: string): Promise<string>
} {
  const latchkey = useLatchkey()
  return { signMessage: (message) => signMessage(latchkey, message) }
}
