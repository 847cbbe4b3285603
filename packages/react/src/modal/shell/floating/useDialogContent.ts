import { internalsOf } from '@latchkey/core/internal'
import { currentEntry, prepareModal, type ModalState } from '@latchkey/modal'
import { useDeferredValue, useEffect, useMemo, useState } from 'react'
import { useLatchkey } from '../../../context.ts'
import { useStore } from '../../../useStore.ts'

/** The time that the last view stays mounted after closing, so that it can fade out. */
const fadeOutMilliseconds = 250

type OpenState = ModalState & { open: true }
type Content = { modal: OpenState; isPrepared: boolean }

/**
 * Returns what the dialog contains: the open view, the last one while it fades out, or the one with which the modal would open.
 *
 * @param prepares false if the closed dialog stays empty
 * @returns `key` changes if the modal opens with another view than the prepared one
 */
export function useDialogContent(modal: ModalState, prepares: boolean): { key: string; content: Content | undefined } {
  const drawn = useLastOpenState(modal)
  const { key, prepared } = usePreparedState(modal, !drawn.open)
  const shown = drawn.open ? drawn : prepares ? prepared : undefined
  return { key, content: useContentAfterPaint(shown, !drawn.open) }
}

/**
 * Returns the state in which the closed dialog is rendered, so that a click only shows it. The key is another one for each
 * opening, and changes once more if the modal opens with another view.
 *
 * @param isClosed true once the last view has faded out
 */
function usePreparedState(modal: ModalState, isClosed: boolean): { key: string; prepared: OpenState | undefined } {
  const latchkey = useLatchkey()
  const [opening, setOpening] = useState<{ count: number; view?: 'prepared' | 'other' }>({ count: 0 })
  // The prepared view depends on whether a wallet is connected.
  const wallet = useStore(latchkey.wallet)
  // oxlint-disable-next-line react/exhaustive-deps -- it reads the state of the wallet
  const prepared = useMemo(() => prepareModal(latchkey), [latchkey, wallet])
  if (modal.open && opening.view === undefined) {
    const isPrepared = prepared !== undefined && currentEntry(modal) === currentEntry(prepared)
    setOpening({ ...opening, view: isPrepared ? 'prepared' : 'other' })
  } else if (isClosed && opening.view !== undefined) setOpening({ count: opening.count + 1 })
  return { key: `${opening.count} ${opening.view ?? 'prepared'}`, prepared }
}

/**
 * Returns the content. A prepared view opens as it is, and is rendered with the state of the open modal after the browser has
 * painted it.
 */
function useContentAfterPaint(modal: OpenState | undefined, isPrepared: boolean): Content | undefined {
  const content = useMemo(() => (modal === undefined ? undefined : { modal, isPrepared }), [modal, isPrepared])
  const previous = useDeferredValue(content)
  const opensPrepared =
    content?.isPrepared === false &&
    previous?.isPrepared === true &&
    currentEntry(content.modal) === currentEntry(previous.modal)
  return opensPrepared ? previous : content
}

/** Returns the modal's state, and keeps the last open state for a moment after closing. */
function useLastOpenState(modal: ModalState): ModalState {
  const { clock } = internalsOf(useLatchkey())
  const [drawn, setDrawn] = useState(modal)
  if (modal.open && drawn !== modal) setDrawn(modal)
  useEffect(() => {
    if (!modal.open) return clock.after(fadeOutMilliseconds, () => setDrawn({ open: false }))
  }, [clock, modal.open])
  return modal.open ? modal : drawn
}
