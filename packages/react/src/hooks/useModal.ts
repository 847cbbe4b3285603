import { closeModal, openModal, type OpenOptions } from '@latchkey/core'
import { useSurroundings } from '../context.ts'
import { anticipateModal } from '../modal/anticipateModal.ts'
import { useStore } from '../useStore.ts'

/**
 * Whether the modal is open, and how to open and close it.
 *
 * @example const { open } = useModal()
 * <button onClick={() => open({ entry: { view: 'Networks', params: {} } })}>Networks</button>
 */
export function useModal(): {
  isOpen: boolean
  /** Shows the view that fits the situation unless told otherwise. */
  open(options?: OpenOptions): void
  /** Does nothing while the view on screen still needs an answer. */
  close(): void
} {
  const { latchkey, locale } = useSurroundings()
  const state = useStore(latchkey.modal)
  return {
    isOpen: state.open,
    open(options) {
      anticipateModal(latchkey, locale)
      openModal(latchkey, options)
    },
    close: () => closeModal(latchkey),
  }
}
