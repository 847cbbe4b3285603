import { showToast } from '@latchkey/modal'
import { useLatchkey } from '../../context.ts'

/** Returns a function that copies a text and shows the result in a toast. */
export function useCopy(): (text: string, notices: { done: string; failed: string }) => void {
  const latchkey = useLatchkey()
  const copy = async (text: string, notices: { done: string; failed: string }): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text)
      showToast(latchkey, notices.done)
    } catch {
      showToast(latchkey, notices.failed, { variant: 'error' })
    }
  }
  return (text, notices) => void copy(text, notices)
}
