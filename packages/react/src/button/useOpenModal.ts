import type { OpenOptions } from '@latchkey/modal'
import { useChunk } from '../useChunk.ts'
import { useLatchkeyContext } from '../context.ts'
import { loadModal } from '../modal/loadModal.ts'
import { preloadModal } from '../modal/preloadModal.ts'

/**
 * Returns functions that load the modal's code and open the modal.
 *
 * @returns `failed` is true if the code could not be fetched
 */
export function useOpenModal(): { anticipate(): void; open(options: OpenOptions): void; failed: boolean } {
  const { latchkey, locale } = useLatchkeyContext()
  const modal = useChunk(loadModal, false)
  const anticipate = (): void => preloadModal(latchkey, locale)
  return {
    anticipate,
    open(options) {
      anticipate()
      if (modal !== undefined && modal !== 'failed') return modal.openModal(latchkey, options)
      // The code that opens the modal is part of its chunk. If it can't be fetched, the button shows it.
      loadModal().then(
        ({ openModal }) => openModal(latchkey, options),
        () => undefined,
      )
    },
    failed: modal === 'failed',
  }
}
