import { closeModal, modalOf, openModal, type OpenOptions } from '@latchkey/modal'
import { useLatchkeyContext } from '../context.ts'
import { preloadModal } from '../modal/preloadModal.ts'
import { useStore } from '../useStore.ts'

/**
 * Returns the state of the modal, and functions that open and close it.
 *
 * @example const { open } = useModal()
 * <button onClick={() => open({ entry: { view: 'Networks', params: {} } })}>Networks</button>
 */
export function useModal(): {
  isOpen: boolean
  /** Shows the account if a wallet is connected, otherwise the wallets. `options` can select another view. */
  open(options?: OpenOptions): void
  /** Does nothing while the current view requires a decision. */
  close(): void
} {
  const { latchkey, locale } = useLatchkeyContext()
  const state = useStore(modalOf(latchkey).state)
  return {
    isOpen: state.open,
    open(options) {
      preloadModal(latchkey, locale)
      openModal(latchkey, options)
    },
    close: () => closeModal(latchkey),
  }
}
