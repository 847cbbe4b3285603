import { showToast } from '@latchkey/core'
import { useLatchkey } from '../../context.ts'

/** Copies a text and says so, or that it did not go. */
export function useCopy(): (text: string, says: { done: string; failed: string }) => void {
  const latchkey = useLatchkey()
  const copy = async (text: string, says: { done: string; failed: string }): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text)
      showToast(latchkey, says.done)
    } catch {
      showToast(latchkey, says.failed, { variant: 'error' })
    }
  }
  return (text, says) => void copy(text, says)
}
